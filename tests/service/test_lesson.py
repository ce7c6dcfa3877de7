"""Lessons as a page asks for them: nothing gives an answer away, and the engine tells what is said
of one.
"""

import json
import os
from urllib.parse import parse_qsl

import pytest
from visitor import ask

from kpviz.lessons import shelf
from kpviz.lessons.file import format, words

TEXT = """---
title: Two tasks
---
## One
link: data=xor&n=16&noise=0&t=2&show=alpha

```cues
start: Look.
```

```task number
ask: How many mistakes are there at the end?
start: v=1&data=xor&n=16&noise=0
value: mistakes
why: Each adds a brick.
tries: 2
```

```task choose
ask: What is true?
choice: The run ends without a mistake.
choice: It never ends.
answer: A
seeds: 0, 5
```
"""

NO_TASK = [
    {"scene": 0, "task": 0, "tried": 0} | wrong
    for wrong in ({"scene": 9}, {"task": -1}, {"tried": "1"})
]


def asked(**more):
    return ask({"n": 3, "link": "v=1", "shown": True, "bring": {}, **more})[0]


def checked(task, answer, tried=0, scene=0, text=TEXT):
    given = {"scene": scene, "task": task, "tried": tried, "answer": answer}
    return asked(lesson={"text": text}, task=given)["checked"]


def test_a_lesson_is_sent_without_what_gives_its_answers_away():
    found = asked(lesson={"text": TEXT})["lesson"]
    (scene,) = found["scenes"]
    assert scene["heading"] == "One"
    assert [task["kind"] for task in scene["tasks"]] == ["number", "choose"]
    text = json.dumps(found)
    assert "Each adds a brick" not in text
    assert "answer" not in text


def test_links_are_as_the_page_writes_them_with_the_cues_and_where_they_open_apart():
    (scene,) = asked(lesson={"text": TEXT})["lesson"]["scenes"]
    assert scene["link"] == {
        "page": "play",
        "query": "v=1&n=16&noise=0&cues=start%3A%20Look.",
        "t": 2,
        "show": ["alpha"],
    }
    assert scene["tasks"][0]["start"] == [
        {"page": "play", "query": "v=1&n=16&noise=0", "t": None, "show": None}
    ]
    assert [start["query"] for start in scene["tasks"][1]["start"]] == [
        "v=1&n=16&noise=0",
        "v=1&n=16&noise=0&seed=5",
    ]


def test_a_link_to_fishers_page_has_the_cues_and_keeps_where_f_points():
    text = "---\ntitle: T\n---\n## One\nlink: /fisher?v=1&angle=90\n\n```cues\nbest: Look.\n```\n"
    (scene,) = asked(lesson={"text": text})["lesson"]["scenes"]
    assert scene["link"]["query"] == "v=1&angle=90&cues=best%3A%20Look."


@pytest.mark.parametrize(
    ("link", "show"),
    [
        ("v=1&data=shifted", ["alpha", "own", "margins"]),
        ("v=1&data=texts", ["alpha", "own", "margins", "remembered"]),
        ("v=1&compare=svm", ["alpha", "own", "margins", "lines"]),
        ("v=1&show=none", []),
        ("/lab?v=1&data=moons", ["gram", "validity", "derivation"]),
        ("/fisher?v=1", None),
    ],
)
def test_a_scene_shows_the_panels_of_its_own_link_not_those_of_the_scene_before(link, show):
    text = f"---\ntitle: T\n---\n## One\nlink: v=1&show=code\n\nA.\n\n## Two\nlink: {link}\n\nB."
    _, scene = asked(lesson={"text": text})["lesson"]["scenes"]
    assert scene["link"]["show"] == show


def test_the_reason_comes_with_a_right_answer_or_after_the_last_try_which_tells_the_number_too():
    found = checked(0, {"number": 6})
    assert found == {
        "right": True,
        "why": "6 is right.",
        "detail": {"drawn": [{"kind": "ring", "i": i} for i in (0, 2, 3, 5, 7, 10)]},
        "because": ["Each adds a brick."],
    }
    first, last = checked(0, {"number": 7}), checked(0, {"number": 7}, tried=1)
    assert first["right"] is last["right"] is False
    assert first["because"] == []
    assert "drawn" not in first["detail"]
    lead, told, reason = last["because"]
    assert (lead, reason) == ("What is right:", "Each adds a brick.")
    assert [item["children"] for item in told["children"]] == [["mistakes = 6"]]


LAST = """---
title: Last tries
---
## S
link: v=1&n=16&noise=0

```task choose
ask: What is true?
choice: It *ends*.
choice: It goes on for ever.
choice: $f$ changes.
answer: A, C
tries: 1
why: It is clean.
```

```task click
ask: The next mistake?
what: next mistake
tries: 1
```

```task predict
ask: The first two?
count: 2
tries: 1
```

```task perform
ask: One step.
count: 1
tries: 1
```

```task reach
ask: A width.
within: sigma 0.1 to 3
until: training_error == 0
solution: v=1&n=16&noise=0&sigma=0.5
tries: 1
```
"""
WRONG = [
    {"choices": [1]},
    {"examples": [9]},
    {"verdicts": ["correct", "mistake"]},
    {"steps": [{"verdict": "correct", "bricks": []}]},
    {"link": "v=1&n=16&noise=0&sigma=9"},
]


@pytest.mark.parametrize("k", range(len(WRONG)))
def test_after_the_last_try_it_is_said_what_is_right(k):
    (scene,) = format.read(LAST).scenes
    task = scene.tasks[k]
    lead, what, *reason = checked(k, WRONG[k], text=LAST)["because"]
    assert lead == "What is right:"
    lines = task.solve().lines
    assert what["kind"] == "list"
    said = [words.plain(item["children"]) for item in what["children"]]
    if task.kind == "choose":
        assert said == ["It ends.", "f changes."]
        assert reason == ["It is clean."]
    elif task.kind == "reach":
        (link,) = what["children"][0]["children"]
        assert link["href"] == f"?{task.solve().answer['link']}"
    else:
        assert said == list(lines)
    right = checked(k, task.solve().answer, text=LAST)
    assert right["because"] == reason


@pytest.mark.parametrize(
    "answer", [None, [], {}, {"number": "x"}, {"number": True}, {"choices": [0]}, "no", 3]
)
def test_nonsense_gets_a_sentence(answer):
    found = checked(0, answer)
    assert (found["right"], found["why"][-1]) == (False, ".")


@pytest.mark.parametrize(
    "task", [None, {}, *({"scene": 0, "task": 0, "tried": 0} | wrong for wrong in NO_TASK)], ids=str
)
def test_an_answer_to_no_task_is_refused(task):
    assert (
        asked(lesson={"text": TEXT}, task=task)["failed"]
        == "This answer belongs to no task of this lesson."
    )


@pytest.mark.parametrize(
    "lesson", [None, {}, {"name": "../secret"}, {"name": "none-of-these"}, {"name": 3}]
)
def test_a_lesson_that_is_not_here_is_told_in_a_sentence_and_a_fault_with_its_line(lesson):
    assert "There is no lesson named" in asked(lesson=lesson)["failed"]
    assert "line 4" in asked(lesson={"text": "---\ntitle: T\n---\nno scene"})["failed"].lower()


def test_the_folder_of_a_server_comes_first(tmp_path, monkeypatch):
    (own,) = sorted(shelf.paths())[:1]
    (tmp_path / f"{own}.kpviz.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "mine.kpviz.md").write_text(TEXT, encoding="utf-8")
    monkeypatch.setenv(shelf.FOLDER, str(tmp_path))
    assert {"mine", own} <= shelf.paths().keys()
    assert asked(lesson={"name": "mine"})["lesson"]["title"] == "Two tasks"
    assert asked(lesson={"name": own})["lesson"]["title"] == "Two tasks"


def test_notes_are_sent_of_what_is_public_of_ones_own_file_and_where_the_server_was_told_to(
    tmp_path, monkeypatch
):
    secret = "Ask them first."
    text = TEXT.replace("start: Look.", f"start: Look.\n  {secret}").replace(
        "```cues", f"> notes: {secret}\n\n```cues"
    )
    (tmp_path / "mine.kpviz.md").write_text(text, encoding="utf-8")
    monkeypatch.setenv(shelf.FOLDER, str(tmp_path))

    def sent(**lesson):
        found = asked(lesson=lesson)["lesson"]["scenes"][0]
        return [bool(found["notes"]), *("Ask" in str(found[part]) for part in ("cues", "link"))]

    assert sent(text=text) == [True] * 3
    assert sent(name="mine") == [False] * 3
    monkeypatch.setenv(shelf.NOTES, "yes")
    assert sent(name="mine") == [True] * 3
    monkeypatch.delenv(shelf.NOTES)
    assert sent(name="lecture-1-perceptron")[0]
    (tmp_path / "lecture-1-perceptron.kpviz.md").write_text(text, encoding="utf-8")
    assert sent(name="lecture-1-perceptron") == [False] * 3  # the folder's own


def test_what_a_folder_links_to_elsewhere_is_no_lesson_and_nothing_is_read_that_is_too_large(
    tmp_path, monkeypatch
):
    folder, secret = tmp_path / "lessons", tmp_path / "secret"
    folder.mkdir()
    secret.write_text(TEXT, encoding="utf-8")
    (folder / "large.kpviz.md").write_text(TEXT + "x" * 2_000_000, encoding="utf-8")
    (folder / "real.kpviz.md").write_text(TEXT, encoding="utf-8")
    (folder / "within.kpviz.md").symlink_to("real.kpviz.md")
    (folder / "without.kpviz.md").symlink_to(secret)
    (folder / "folder.kpviz.md").mkdir()
    (tmp_path / "link").symlink_to(folder)
    monkeypatch.setenv(shelf.FOLDER, str(tmp_path / "link"))
    assert {"large", "real", "within"} == {
        name for name in shelf.paths() if not shelf.is_shipped(name)
    }
    assert asked(lesson={"name": "within"})["lesson"]["title"] == "Two tasks"
    assert "There is no lesson named" in asked(lesson={"name": "without"})["failed"]
    monkeypatch.setattr(shelf, "_read", None)
    assert "bytes, which no lesson has" in asked(lesson={"name": "large"})["failed"]


def test_a_file_that_was_changed_is_read_again(tmp_path, monkeypatch):
    monkeypatch.setenv(shelf.FOLDER, str(tmp_path))
    path = tmp_path / "mine.kpviz.md"
    for title, when in (("First", 1_000), ("Second", 2_000)):
        path.write_text(TEXT.replace("Two tasks", title), encoding="utf-8")
        os.utime(path, (when, when))
        assert asked(lesson={"name": "mine"})["lesson"]["title"] == title


# ---- records of puzzles ----

MOONS = "v=1&data=moons&n=24&seed=5&noise=0.15&sigma="


def recorded(**more):
    return asked(lesson={"name": "puzzle-02-repair-it"}, **more)


def test_a_puzzle_is_sent_without_its_best_and_its_solution():
    (scene,) = recorded()["lesson"]["scenes"]
    (puzzle,) = scene["tasks"]
    named = {key: puzzle[key] for key in ("kind", "unit", "more", "par", "grid", "lesson")}
    assert named == {
        "kind": "puzzle",
        "unit": "mistakes",
        "more": False,
        "par": "6",
        "grid": 0.05,
        "lesson": "lesson-07-width",
    }
    assert not {"best", "known", "solution"} & puzzle.keys()


def test_each_board_of_a_puzzle_gets_its_number():
    task = {"scene": 0, "task": 0, "tried": 0}
    answers = [{"link": f"{MOONS}{sigma}"} for sigma in ("0.25", "0.5")]
    results = [recorded(task={**task, "answer": answer})["checked"] for answer in answers]
    assert [result["right"] for result in results] == [False, True]
    assert [result["detail"] for result in results] == [
        {"value": 10.0, "shown": "10"},
        {"value": 6.0, "shown": "6"},
    ]


def test_a_record_is_made_opened_and_beaten():
    query = recorded(made={"board": f"{MOONS}0.5", "by": "Anna <i>"})["made"]["query"]
    pairs = dict(parse_qsl(query))
    assert (pairs["lesson"], pairs["record"], pairs["by"]) == ("puzzle-02-repair-it", "6", "Anna i")
    assert recorded(record=pairs)["record"] == {
        "challenge": "Anna i: 6 mistakes. Beat it.",
        "value": 6.0,
        "by": "Anna i",
    }
    beaten = recorded(record={**pairs, "own": f"{MOONS}0.3"})["record"]
    assert beaten == {"board": f"{MOONS}0.5"}


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        (
            {"record": "5"},
            "This record is not true: the link says 5, and its board has 6 mistakes.",
        ),
        ({"proof": 7}, "The link of this record is damaged: copy the whole link once more."),
        ({"own": f"{MOONS}0.5"}, "The board is shown once the record is beaten."),
    ],
)
def test_a_record_that_is_false_or_not_beaten_gets_a_sentence(changed, sentence):
    query = recorded(made={"board": f"{MOONS}0.5"})["made"]["query"]
    pairs = dict(parse_qsl(query))
    assert recorded(record={**pairs, **changed})["failed"] == sentence


def test_a_class_is_shown_what_is_right_but_nobody_by_a_copy_for_students():
    number = {"scene": 0, "task": 0, "tried": 0}
    lesson = format.read(TEXT)
    assert asked(lesson={"text": TEXT}, task=number)["solution"]["value"] == 6
    assert asked(lesson={"text": lesson.for_students}, task=number)["solution"] is None
