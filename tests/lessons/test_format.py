"""The file of a lesson: what is written is read, and all that is wrong is named with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from covering import in_turn
from hypothesis import example, given
from hypothesis import strategies as st

from kpviz.lessons.file import LessonError, check, format
from kpviz.settings import Settings
from kpviz.settings.cues import Cues

HERE = Path(__file__).parent
EXAMPLE = (HERE / "example.kpviz.md").read_text(encoding="utf-8")
CUES = sorted((HERE.parent / "before" / "cues").glob("*.txt"))
HEAD = "---\ntitle: T\n---\n"
SCENE = f"{HEAD}## S\nlink: v=1&data=xor\n"


def faults(text):
    """All that is wrong with a file: what cannot be read, and what does not hold."""
    return [(fault.line, fault.what) for fault in check.faults(text)]


def test_the_example_is_read():
    lesson = format.read(EXAMPLE)
    first, second = lesson.scenes
    assert (lesson.title, lesson.author, lesson.language, lesson.minutes) == (
        "The kernel perceptron",
        "A. Lecturer",
        "en",
        30,
    )
    assert lesson.objectives == ("perform the rule by hand", "choose a width")
    assert (first.heading, first.link.query, first.line, first.knobs) == (
        "Two classes that no line splits",
        "v=1&data=xor&sigma=3&t=0",
        11,
        ("sigma", "noise"),
    )
    assert first.words[0]["children"][1] == {"kind": "strong", "children": ["adds a hill"]}
    assert first.words[-1] == {"kind": "task", "number": 0}
    assert first.notes[0]["children"][1] == {"kind": "emphasis", "children": ["before"]}
    assert [cue.line for cue in first.cues.cues] == [
        "start hold 4: No straight line separates these.",
        "mistake 3 light x12, margins: Look where the boundary goes.",
    ]
    assert first.cues.cues[0].notes == "Ask first: which side is the origin on?"
    assert first.cue_lines == (18, 20)
    assert second.link == first.link
    (task,) = second.tasks
    assert (task.kind, task.tries, task.seeds, len(task.hints), task.line) == (
        "reach",
        5,
        (0, 3),
        2,
        33,
    )
    assert task.line_of("solution") == 42
    assert [task.start_of(tried).query for tried in (0, 1, 2)] == [
        f"v=1&data=xor&sigma=3&seed={seed}" for seed in (0, 3, 0)
    ]


@pytest.mark.parametrize("path", CUES, ids=lambda path: path.stem)
def test_a_file_of_cues_is_a_lecture_of_one_scene(path):
    text = path.read_text(encoding="utf-8")
    cues, lesson = Cues.read(text), format.read(text)
    (scene,) = lesson.scenes
    assert scene.cues == cues
    assert (scene.link.query, lesson.author) == ("", cues.by)


def test_line_ends_and_marks_of_the_file_do_not_matter():
    assert format.read("\ufeff" + EXAMPLE.replace("\n", "\r\n")) == format.read(EXAMPLE)


def test_a_task_stands_where_it_was_written():
    task = "```task explain\nask: Why?\n```\n"
    words = format.read(f"{SCENE}\nOne.\n\n{task}\nTwo.\n{task}").scenes[0].words
    assert [node["kind"] for node in words] == ["paragraph", "task", "paragraph", "task"]
    assert [node["number"] for node in words if node["kind"] == "task"] == [0, 1]


def test_what_stands_above_notes_and_below_stays_apart_in_the_copy_for_students():
    lesson = format.read(f"{SCENE}\nOne.\n> notes: A\n> B\n\nTwo.\n")
    copy = format.read(lesson.for_students)
    assert copy.scenes[0].words == lesson.scenes[0].words
    assert len(copy.scenes[0].words) == 2


def test_an_indented_line_goes_on_with_the_value_above():
    (scene,) = format.read(
        f"{SCENE}```task explain\nask: Why is this\n  so?\n# a comment\n```"
    ).scenes
    assert scene.tasks[0].ask == "Why is this so?"


def test_what_is_in_a_block_of_code_begins_no_scene():
    (scene,) = format.read(f"{SCENE}\n~~~\n## not a scene\n```task\n~~~\n").scenes
    assert scene.words == ({"kind": "block", "text": "## not a scene\n```task\n", "language": ""},)


@pytest.mark.parametrize("page", ["fisher", "play"])
def test_a_link_is_a_query_or_an_address_of_any_page(page):
    for text in (f"/{page}?v=1", f"{page}?v=1", f"https://a.example/kpviz/{page}?v=1"):
        link = format.read(f"{HEAD}## S\nlink: {text}").scenes[0].link
        assert (link.page, link.query) == (page, "v=1")
    assert (
        format.read(f"{HEAD}## S\nlink: http://localhost:8501/?v=1").scenes[0].link.page == "play"
    )


FAULTS = {
    "": [(1, "The file is empty")],
    "## Scene": [(1, "The header of the lesson is missing")],
    "# only a comment": [(1, "neither a lesson nor cues")],
    "start\nmistke 3: Look.": [(2, "The cue cannot be read at 'mistke 3'")],
    "---\ntitle: T": [(1, "The header has no end")],
    "---\n---\n## S\nlink: v=1": [(1, "The header has no title")],
    "---\ntitle: T\ntitel: U\n---\n## S\nlink: v=1": [(3, "did you mean title?")],
    "---\ntitle: T\ntitle: U\n---\n## S\nlink: v=1": [(3, "title stands twice")],
    "---\ntitle: T\nlanguage: english language\n---\n## S\nlink: v=1": [(3, "language is a tag")],
    "---\ntitle: T\nminutes: soon\n---\n## S\nlink: v=1": [(3, "minutes is a number")],
    "---\ntitle: T\npicture: of it\n---\n## S\nlink: v=1": [(3, "'of it' is not a link of kpviz")],
    "---\ntitle: T\npicture: v=1&data=nowhere\n---\n## S\nlink: v=1": [
        (3, "data=nowhere is unknown")
    ],
    HEAD: [(4, "The lesson has no scene")],
    f"{HEAD}Hello.\n## S\nlink: v=1": [(4, "before the first scene")],
    f"{HEAD}## S": [(4, "The first scene has no link")],
    f"{HEAD}##\nlink: v=1": [(4, "The scene has no heading")],
    f"{HEAD}## S\nlink: javascript:alert(1)": [(5, "'javascript:alert(1)' is not a link of kpviz")],
    f"{HEAD}## S\nlnik: v=1": [(4, "no link"), (5, "did you mean link?")],
    f"{HEAD}## S\nlink: v=1\nknobs: kernel": [(6, "and 'kernel' is none: ")],
    f"{HEAD}## S\nlink: v=1\nknobs: sgima": [(6, "and 'sgima' is none: did you mean sigma?")],
    f"{HEAD}## S\nlink: v=1\nknobs: sigma, n, noise": [(6, "and these are 3: ")],
    f"{SCENE}```task reach": [(6, "The block has no end: write ``` below its last line.")],
    f"{SCENE}```cues\nstart: A\n\n## Next\nlnik: v=1\n\n```task rech\nsak: A\n```\n## Last": [
        (6, "The block has no end")
    ],
    f"{SCENE}~~~~ text\n## S\n~~~": [(6, "The block has no end: write ~~~~ below its last line.")],
    f"{SCENE}```task rech\n```": [(6, "did you mean ```task reach?")],
    f"{SCENE}```task explain\nask: A\nwhat\n```": [(8, "'what' is not key: value")],
    f"{SCENE}```task explain\nask: A\nsolution: B\n```": [
        (8, "solution has no meaning in this task")
    ],
    f"{SCENE}```task explain\nask: A\nask: B\n```": [(8, "ask stands twice")],
    f"{SCENE}```task explain\nask: A\ntries: many\n```": [(8, "tries is a whole number")],
    f"{SCENE}```task explain\nask: A\nhint:\n```": [(8, "hint is empty: write its value")],
    f"{SCENE}```task explain\nask: A\nseeds: a, b\n```": [(8, "seeds are at most")],
    f"{SCENE}```task explain\nask: A\nvotes: all\n```": [
        (8, "votes names one example, as votes: x2")
    ],
    f"{SCENE}```task number\nask: A\nvotes: x999\nvalue: n\n```": [
        (8, "votes names x999, but the last example is x")
    ],
    f"{SCENE}```task explain\nask: <b>A</b>\n```": [(7, "HTML is not shown")],
    f"{SCENE}```task choose\nask: A\nchoice: B\nchoice: C\n```": [(6, "Say which choice is right")],
    f"{SCENE}```task choose\nask: A\nchoice: B\nanswer: A\n```": [(6, "A choice is made among 2")],
    f"{SCENE}```task choose\nask: A\nchoice: B\nchoice: C\nanswer: D\n```": [
        (10, "answer is one or more of A, B")
    ],
    f"{SCENE}```task choose\nask: A\nchoice: B\nwhen: converged\nchoice: C\n```": [
        (9, "Each choice needs one line when")
    ],
    f"{SCENE}```task number\nask: A\n```": [(6, "The task has no value")],
    f"{SCENE}```task number\nask: A\nvalue: converged\n```": [
        (8, "value cannot be read. This is true or false")
    ],
    f"{SCENE}```task number\nask: A\nvalue: norm\ntolerance: small\n```": [
        (9, "tolerance is a number")
    ],
    f"{SCENE}```task number\nask: A\nvalue: n\nslip: 3\nslip 4:\nslip alhpa(0): B\n```": [
        (9, "A slip is a number and what is said of it"),
        (10, "A slip is a number and what is said of it"),
        (11, "slip cannot be read."),
    ],
    f"{SCENE}```task number\nask: A\nvalue: n\nslip n: B\nslip 2: C\nslip 1 + 1: D\n```": [
        (9, "The slip n is right: name a number that is wrong."),
        (11, "The slips 2 and 1 + 1 are the same number"),
    ],
    f"{SCENE}Here n = 60.\n```task number\nask: A\nvalue: n\n```": [
        (7, "The words above this task tell its answer, 60")
    ],
    f"{SCENE}```cues\nstart: The number is 60.\n```\n```task number\nask: A\nvalue: n\n```": [
        (9, "The words above this task tell its answer, 60")
    ],
    f"{SCENE}```task click\nask: A\n```": [(6, "Write either what")],
    f"{SCENE}```task click\nask: A\nwhat: the red one\n```": [(8, "what is one of")],
    f"{SCENE}```task perform\nask: A\nfield: hidden\n```": [(8, "field is shown")],
    f"{SCENE}```task click\nask: A\nwhere: alpha(i) >\n```": [
        (8, "a number or a name is missing after")
    ],
    f"{SCENE}```task reach\nask: A\nwithin: sgima 1 to 2\nuntil: converged\nsolution: v=1\n```": [
        (8, "did you mean")
    ],
    f"{SCENE}```task reach\nask: A\nwithin: sigma 2 to 1\nuntil: mistaks < 1\n```": [
        (6, "no solution"),
        (8, "sigma cannot go from 2 to 1"),
        (9, "did you mean mistakes"),
    ],
    f"{SCENE}```cues\nstart\n  A note.\nmistake 3 holt 4\ntitle: T\n```": [
        (9, "The cue cannot be read at 'holt 4'"),
        (10, "Title and author of the lecture stand in the header"),
    ],
    f"{SCENE}\n# Title\n": [(7, "A heading within a scene has at least three #")],
}


def scene(lines, link="v=1&data=xor"):
    return f"{HEAD}## S\nlink: {link}\n{lines}"


def task(kind, lines):
    return scene(f"```task {kind}\nask: A\n{lines}\n```")


# What is read, and does not hold: links, cues, knobs, starts and solutions.
WRONG = [
    (scene("", "v=1&data=xro"), [(5, "data=xro is unknown")]),
    (scene("", "v=1&t=9999"), [(5, "names step 9,999, but its run has 180 steps")]),
    (scene("", "v=1&show=alhpa"), [(5, "show names a panel that is not known")]),
    (scene("", "v=1&pins=9"), [(5, "pins is not a number from 0 to 3")]),
    (scene("", "v=1&data=drawn&points=abc"), [(5, "drawn points of the link cannot be read")]),
    (scene("", "v=1&data=drawn&points=~abc"), [(5, "only names its drawn points")]),
    (scene("", "v=1&data=file&file=a~b"), [(5, "does not hold the rows of a file")]),
    (scene("", "/lab?tab=vaild"), [(5, "tab is not a setting")]),
    (scene("", "/fisher?data=no"), [(5, "data=no is unknown")]),
    (scene("```cues\nstart\nbest\nangle 0.5\nangle 360\n```", "/fisher?v=1"), []),
    (
        scene(
            "```cues\nangle 45\nend\nmistake 3\nangle 361\nangle 45\nstart light x99\nbest light "
            "alpha, map, x0\n```",
            "/fisher?v=1",
        ),
        [
            *(
                (
                    line,
                    "but Fisher’s page has start, best, and angles from 0 to 360, such as angle "
                    "45.",
                )
                for line in (8, 9, 10)
            ),
            (11, "The cue names angle 45, but this angle has a cue already."),
            (
                12,
                "The cue lights x99, but of Fisher’s page map, timeline and x0 to x79 can be lit.",
            ),
            (13, "The cue lights alpha, but"),
        ],
    ),
    (
        scene("```cues\nbest\nangle 45\n```"),
        [
            (7, "only the page of Fisher’s discriminant has angles"),
            (8, "The cue names angle 45, but only the page"),
        ],
    ),
    (
        scene("```cues\nmistake 99\nstart light x99\n0: Again.\nepoch 3\n```"),
        [
            (7, "The cue names mistake 99, but this run has 11."),
            (8, "The cue names x99, but the last of this run is x59."),
            (9, "The cue names 0, but this instant has a cue already."),
        ],
    ),
    (
        scene("\nOne.\n\n> note: The answer is 4."),
        [
            (
                9,
                "Students see the quotation > note: only one that begins with > notes: is hidden "
                "from them.",
            )
        ],
    ),
    *(
        (scene(f"\nOne.\n\n{quoted}"), [(9, "Students see the quotation")])
        for quoted in (
            *(
                "> Notizen: Es ist 4.",
                "> Hinweis : 4",
                ">Für Lehrende: 4",
                "> **Notas:** 4",
                "> *Note*: 4",
                "> Lösung：4",
            ),
            *("- > Tip:\n  > 4", ">> Notizen: 4", "1. > notes: 4", "> Nota bene: 4"),
        )
    ),
    *(
        (
            f"---\ntitle: T\nminutes: {whole}\n---\n## S\nlink: v=1&data=xor\nminutes: 20\n## "
            f"T\n{second}",
            wrong,
        )
        for whole, second, wrong in (
            (30, "minutes: 10", []),
            (30, "", []),
            (
                90,
                "minutes: 10",
                [(3, "The scenes take 30 minutes together, and minutes says 90: write their sum.")],
            ),
            (
                15,
                "",
                [
                    (
                        3,
                        "The scenes take at least 20 minutes together, and minutes says 15: write "
                        "their sum.",
                    )
                ],
            ),
        )
    ),
    (scene("\n> Look.\n> notes: 4"), [(8, "Students see the quotation > notes:")]),
    (scene("\n>\n> Notizen: 4"), [(8, "Students see the quotation > Notizen:")]),
    (
        scene(
            "\n> notes: Ask first.\n>\n> Antwort: 4\n> > Frage: 5\n\n> Noted.\n\n> See "
            "https://a.example, at 10:30."
        ),
        [],
    ),
    (
        scene(
            "\n> So it is: the machine has no choice.\n\n> He said of it that it learns: so it "
            "does."
        ),
        [(7, "Students see")],
    ),
    (
        scene("\nOne $\\frac{1}{2}$\nand $\\fraq{1}{m}$."),
        [(8, "\\fraq is not a command of LaTeX that is known here.")],
    ),
    (scene("\nSo $\\frac{1}{$."), [(7, "cannot be read: does each brace have its partner?")]),
    (
        scene("\nThe $x_i are\nnot, \\$5 is, `$` too.\n\n```\n$x\n```"),
        [(7, "A formula has no end")],
    ),
    (
        task("explain", "hint: A\nhint: so $x\nwhy: $\\foo$"),
        [(9, "no end"), (10, "\\foo is not a command")],
    ),
    (
        scene(
            "\n<b>\n\n"
            "```task predict\nask: A\nstart: v=1&data=drawn\n```\n```task click\nask: "
            "A\n```\n```cues\nmistake 99\n```"
        ),
        [
            (7, "HTML"),
            (9, "no examples to learn from"),
            (13, "Write either what"),
            (17, "mistake 99"),
        ],
    ),
    (scene("knobs: degree"), [(4, "The knob degree does not apply in this scene")]),
    (scene("\nOne\n[two](?v=1&data=xro)"), [(8, "data=xro is unknown")]),
    (task("explain", "hint: [See](/lab?tab=no)"), [(8, "tab is not a setting")]),
    (task("predict", "start: v=1&data=xro"), [(8, "data=xro is unknown")]),
    (
        task("predict", "start: v=1&data=drawn"),
        [(6, "The task has no solution: The link has no examples to learn from")],
    ),
    (
        task("predict", "start: /fisher?v=1"),
        [(6, "The task has no solution: A task needs a run")],
    ),
    (task("predict", "start: v=1&t=179\ncount: 3"), [(6, "but 1 follow step 179")]),
    (task("number", "value: 1 / last_mistakes"), [(6, "it divides by 0")]),
    (
        task("number", "value: bound\nstart: v=1&data=xor&kernel=sigmoid&coef0=-1"),
        [(6, "no mistake bound applies")],
    ),
    (
        task("click", "where: alpha(i) > 99"),
        [(6, "The condition holds of no example".lower())],
    ),
    (
        task("choose", "choice: A\nwhen: cycles\nchoice: B\nwhen: not separable"),
        [(6, "None of the choices is true")],
    ),
    (
        task("choose", "choice: A\nwhen: cycles\nchoice: B\nwhen: converged\nanswer: A"),
        [(6, "The answer is A, but the conditions hold of B.")],
    ),
    (
        task(
            "reach",
            "start: v=1&sigma=3\nwithin: sigma 0.1 to 3\nuntil: bricks <= 9\nsolution: v=1&sigma=1",
        ),
        [(11, "The solution does not meet the condition: ✗ bricks: ")],
    ),
    (
        task(
            "reach",
            "start: v=1&sigma=3\nwithin: sigma 1 to 3\nuntil: bricks <= 99\nsolution: "
            "v=1&sigma=0.5",
        ),
        [(11, "σ 0.5 is not allowed here")],
    ),
    (
        task(
            "reach",
            "start: v=1&sigma=3\nwithin: sigma 0.1 to 3\nuntil: converged and bricks <= "
            "12\nseeds: 0, 3\n"
            "solution: v=1&sigma=0.5",
        ),
        [
            (5, "a solution already with seed 0"),
            (12, "The solution does not meet the condition with seed 3"),
        ],
    ),
    (
        task(
            "reach", "start: v=1\nwithin: sigma 0.1 to 3\nuntil: converged\nsolution: v=1&sigma=0.4"
        ),
        [(10, "The condition holds at the start already")],
    ),
    (
        task(
            "reach",
            "start: v=1&sigma=3\nwithin: sigma 0.1 to 3\nuntil: bricks <= 12\nsolution: "
            "v=1&sigma=0.5",
        ),
        [(5, "The scene’s link is a solution already")],
    ),
]
RIGHT = {
    "https://kpviz.example/fisher?v=1&data=moons&angle=best": [],
    "v=1&compare=svm": [],
    "v=1&compare=swm": [(5, "compare names a comparison that is not known")],
}


@in_turn([*FAULTS.items(), *WRONG, *((scene("", link), wrong) for link, wrong in RIGHT.items())])
def test_each_fault_is_named_with_its_line(text, expected):
    found = faults(text)
    assert [line for line, _ in found] == [line for line, _ in expected], found
    for (_, what), (_, part) in zip(found, expected, strict=True):
        assert part.lower() in what.lower()
        assert what[-1] in ".?"


CHOOSE = """```task choose
ask: How many directions can tell five classes apart?
choice: Two
but: five means may differ in more
choice: Four
choice: Ten
answer: B
```"""
REASON = (6, "Who chooses C is not told why that is wrong")
TELLS = "The words above this task seem to tell that B is right"


@pytest.mark.parametrize(
    ("above", "expected"),
    [
        ("", [REASON]),
        ("There are five classes. Four of them are small.\n", [(7, REASON[1])]),
        ("At most four directions tell five classes apart.\n", [(7, TELLS), (7, REASON[1])]),
        # Words that name a wrong choice in the same way do not say which is right.
        ("Two directions, or four directions, for classes?\n", [(7, REASON[1])]),
        ("```cues\nstart: Five classes: four directions.\n```\n", [(9, TELLS), (9, REASON[1])]),
    ],
)
def test_what_might_be_better_in_a_choice_is_noted_and_is_no_fault(above, expected):
    text = f"{SCENE}{above}{CHOOSE}\n"
    assert faults(text) == []
    noted = [(note.line, note.what) for note in check.notes(format.read(text))]
    assert len(noted) == len(expected)
    for (line, what), (expected_line, words) in zip(noted, expected, strict=True):
        assert line == expected_line
        assert what.startswith(words)
    assert check.notes(format.read(format.read(text).for_students)) == []


def test_words_that_stand_after_a_choice_tell_nothing_of_it():
    text = f"{SCENE}{CHOOSE}\nAt most four directions tell five classes apart.\n"
    assert len(check.notes(format.read(text))) == 1


def test_the_example_is_right_and_so_is_its_copy_for_students_and_cues_are_right_without_a_run():
    assert faults(EXAMPLE) == faults(format.read(EXAMPLE).for_students) == []
    assert faults("start: Look.\nmistake 999\n") == []


HOSTILE = {
    "a script": ("<script>alert(1)</script>", "HTML is not shown"),
    "a script in the line": ("Look <img src=x onerror=alert(1)> here.", "HTML is not shown"),
    "a comment": ("<!-- hidden -->", "HTML is not shown"),
    "a picture from elsewhere": ("![x](https://evil.example/x.png)", "Pictures are not shown"),
    "a picture by reference": (
        "![x][y]\n\n[y]: https://evil.example/x.png",
        "Pictures are not shown",
    ),
    "a link that runs": ("[x](javascript:alert(1))", "nowhere else"),
    "a link that runs, in disguise": ("[x](&#106;avascript:alert(1))", "nowhere else"),
    "a link with data": ("[x](data:text/html,x)", "nowhere else"),
    "a link to elsewhere without its scheme": ("[x](//evil.example/?v=1)", "nowhere else"),
    "an automatic link": ("<javascript:alert(1)>", "nowhere else"),
    "deep quotations": (">" * 40 + " x", "nested more than"),
    "deep lists": ("1. " * 100 + "x", "nested more than"),
    "many brackets": ("[" * 5000, "opening brackets"),
    "long words": ("word " * 3000, "characters of words between two tasks"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_words_get_a_sentence(name):
    text, why = HOSTILE[name]
    found = faults(f"{SCENE}\n{text}\n")
    assert any(why in what for _, what in found)
    assert all(line >= 7 for line, _ in found)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (HEAD + "x" * (format.LONGEST + 1), "characters: lessons have at most"),
        (f"{SCENE}{'x' * 40_000}", "lines have 30,000 at most"),
        (HEAD + "## S\nlink: v=1\n" * 101, "a lesson has at most 100"),
        (f"{SCENE}" + "```task explain\nask: A\n```\n" * 201, "A lesson has at most 200 tasks"),
        (f"{SCENE}```cues\n" + "start\n" * 101 + "```", "a scene has at most 100"),
        (f"{SCENE}```cues\n" + "x\n" * 100_000 + "```", "100,000 lines of cues"),
        (f"{SCENE}```task explain\n" + "ask: A\n" * 50_000 + "```", "The task has 50,000 lines"),
        (
            f"{SCENE}```task explain\nask: A\n```\n" + "```task exlpain\n```\n" * 3000,
            "2,900 more lines are wrong",
        ),
        ("---\n" + "titel: T\n" * 40_000 + "---\n", "The header has 40,001 lines"),
        (f"{SCENE}```task explain\nask: {'a' * 3000}\n```", "write at most 2,000"),
        (f"{SCENE}```task explain\nask: A\n" + "hint: B\n" * 11 + "```", "at most 10 hints"),
        (
            f"{SCENE}```task click\nask: A\nwhere: {'(' * 200}1 < 2{')' * 200}\n```",
            "at most 300 are read",
        ),
        (
            f"{SCENE}```task click\nask: A\nwhere: {'not ' * 70}converged\n```",
            "nested more than 20 deep",
        ),
    ],
    ids=range(13),
)
def test_what_is_too_large_gets_a_sentence(text, why):
    assert any(why in what for _, what in faults(text))


LINES = st.sampled_from(
    [
        *EXAMPLE.splitlines(),
        *(
            "---",
            "## S",
            "```",
            "~~~",
            "```cues",
            "```task choose",
            "> notes",
            ">",
            "    x",
            "choice: [A](b)",
            "- x",
        ),
        *(
            "answer: A",
            "when: f(1, 2) > alpha(3)",
            "[a]: b",
            "![",
            "<b",
            "|a|",
            "|-|",
            "\x00",
            "\u2028",
            "for: students",
        ),
    ]
)


@given(
    st.lists(LINES, max_size=30).map("\n".join)
    | st.lists(LINES, max_size=25).map("\n".join).map(SCENE.__add__)
)
@example(f"{SCENE}```task reach\nsolution: {'a' * 26_000}=\n```")
def test_any_lines_are_a_lesson_or_faults_within_them(text):
    is_a_lesson_or_faults(text)


@given(st.text(max_size=200) | st.text(max_size=200).map(SCENE.__add__))
def test_any_text_is_a_lesson_or_faults_within_it(text):
    is_a_lesson_or_faults(text)


def is_a_lesson_or_faults(text):
    lesson, found = None, ()
    try:
        lesson = format.read(text)
    except LessonError as error:
        found = error.faults
    last = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    assert all(1 <= fault.line <= last and fault.what for fault in found)
    assert bool(found) == (lesson is None)
    if lesson is not None:
        assert format.read(lesson.for_students).plain() == lesson.plain()


@pytest.mark.parametrize(
    "mark", "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
def test_marks_that_turn_the_direction_of_what_follows_are_blanks_everywhere(mark):
    text = (
        "---\ntitle: A@B\nauthor: C@D\n---\n## E@F\nlink: v=1&data=xor\n\nWords @ *em @*, "
        "`code@`.\n\n"
    )
    task = (
        "```task choose\nask: What @live?\nchoice: Yes @.\nwhen: 1 == 1\nchoice: No.\nwhen: 1 "
        "== 2\n```\n"
    )
    lesson = format.read((text + task).replace("@", mark))
    words = json.dumps(lesson.plain(notes=True), ensure_ascii=False)
    assert "live" in words
    assert mark not in words


# ---- the version ----


def test_a_file_says_its_version_or_has_the_first_one():
    said = SCENE.replace("title: T\n", "title: T\nkpviz: 1\n")
    assert format.read(said).scenes[0].link.query == format.read(SCENE).scenes[0].link.query
    assert "kpviz: 1" in format.read(said).for_students


@pytest.mark.parametrize("version", ["2", "17", "9" * 50])
def test_of_a_lesson_of_a_newer_kpviz_that_is_said_and_nothing_else(version):
    text = (
        f"---\nkpviz: {version}\ntitle: T\nsound: on\n---\n## S\nlink: v={version}\n```task "
        f"sing\n```\n"
    )
    assert faults(text) == [(2, "This lesson was saved by a newer kpviz: update this one.")]


@pytest.mark.parametrize("version", ["0", "one", "1.0", "-1"])
def test_what_is_no_version_is_named(version):
    ((line, what),) = faults(SCENE.replace("title: T\n", f"title: T\nkpviz: {version}\n"))
    assert line == 3
    assert what == "kpviz is the version of the file, 1: write that, or leave the line out."


# ---- what tells a task from others ----


def mark(**values):
    """The mark of a task with these values, in a scene whose link may be given."""
    link = values.pop("link", "v=1&data=xor")
    block = "".join(f"{key}: {value}\n" for key, value in values.items())
    text = f"{HEAD}## S\nlink: {link}\n\n```task number\n{block}```\n"
    ((_, task),) = format.read(text).tasks
    assert task.plain["mark"] == task.mark
    return task.mark


def test_the_mark_of_a_task_is_of_what_its_author_asks():
    usual = {"ask": "How many mistakes?", "value": "mistakes"}
    same = [
        {**usual, "hint": "Count."},
        {**usual, "why": "So it is."},
        {**usual, "tries": 3},
        {**usual, "value": "mistakes + 0"},
        {"value": "mistakes", "ask": "How many mistakes?"},
    ]
    assert {mark(**values) for values in same} == {mark(**usual)}
    others = [
        {**usual, "ask": "How many are there?"},
        {**usual, "start": "v=1&data=moons"},
        {**usual, "link": "v=1&data=xor&sigma=0.5"},  # which says the default: the author wrote it
        {**usual, "seeds": "1, 2"},
    ]
    assert len({mark(**values) for values in [usual, *others]}) == 5


def test_the_mark_stays_when_kpviz_spells_the_link_of_a_start_otherwise(monkeypatch):
    before = mark(ask="How many?", value="mistakes")
    monkeypatch.setattr(Settings, "link", lambda self: "v=1&another=spelling")
    assert mark(ask="How many?", value="mistakes") == before
