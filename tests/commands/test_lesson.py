"""`kpviz lesson`: files are checked, copied and joined; what is handed out is written."""

import re
import shlex
import sys
from pathlib import Path

import pytest

from kpviz.lessons import shelf
from kpviz.lessons.file import format
from kpviz.picture import bridge

EXAMPLE = (Path(__file__).parents[1] / "lessons" / "example.kpviz.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def lesson(folder):
    path = folder / "lecture.kpviz.md"
    path.write_text(EXAMPLE, encoding="utf-8")
    return path


def test_a_lesson_that_is_right_is_said_to_be(kpviz):
    right = "lecture.kpviz.md: 2 scenes and 2 tasks, and nothing is wrong.\n"
    assert kpviz("lesson", "check", "lecture.kpviz.md") == (0, right, "")
    assert kpviz("lesson", "check", "lecture.kpviz.md", "--quiet") == (0, "", "")


def test_what_might_be_better_is_a_note_and_the_lesson_is_right_all_the_same(kpviz, lesson):
    choice = "```task choose\nask: Which?\nchoice: This\nchoice: That\nanswer: A\n```\n"
    lesson.write_text(EXAMPLE + choice, encoding="utf-8")
    code, printed, complaint = kpviz("lesson", "check", "lecture.kpviz.md")
    assert (code, complaint) == (0, "")
    note, right = printed.splitlines()
    line = EXAMPLE.count("\n") + 1
    assert note.startswith(f"lecture.kpviz.md:{line}: note: Who chooses B is not told why")
    assert right.endswith("nothing is wrong.")
    assert kpviz("lesson", "check", "lecture.kpviz.md", "--quiet") == (0, "", "")


def test_a_copy_for_students_has_no_solutions_and_is_right_too(kpviz):
    assert kpviz("lesson", "students", "lecture.kpviz.md", "-o", "copy.kpviz.md") == (
        0,
        "",
        "wrote copy.kpviz.md\n",
    )
    copy = Path("copy.kpviz.md").read_text(encoding="utf-8")
    assert copy == format.read(EXAMPLE).for_students
    for secret in (
        "solution",
        "why:",
        "a zero counts",
        "sigma=0.5",
        "notes",
        "Let them",
        "Ask first",
    ):
        assert secret in EXAMPLE
        assert secret not in copy
    assert kpviz("lesson", "check", "copy.kpviz.md", "--quiet") == (0, "", "")
    assert kpviz("lesson", "students", "lecture.kpviz.md", "-o", "-") == (0, copy, "")


def test_faults_of_all_files_are_named_and_no_copy_is_written(kpviz, lesson):
    lesson.write_text(
        EXAMPLE.replace("sigma=0.5", "sigma=2.9").replace("mistake 3", "mistake 300"),
        encoding="utf-8",
    )
    Path("other.kpviz.md").write_bytes(b"---\ntitle: \xff\n---\n")
    code, printed, complaint = kpviz("lesson", "check", "lecture.kpviz.md", "other.kpviz.md")
    assert (code, complaint) == (1, "")
    places = [line.split(" ")[0] for line in printed.splitlines()]
    assert places == ["lecture.kpviz.md:20:", *["lecture.kpviz.md:42:"] * 2, "other.kpviz.md:2:"]
    assert "The cue names mistake 300, but this run has 180.\n" in printed
    assert (
        "The solution does not meet the condition with seed 0: ✓ training error: 0%. ✗ bricks:"
        in printed
    )
    assert kpviz("lesson", "students", "lecture.kpviz.md", "-o", "copy.kpviz.md")[0] == 1
    assert not Path("copy.kpviz.md").exists()


def test_a_cue_that_lights_what_the_board_does_not_show_is_a_fault(kpviz, lesson):
    cue = EXAMPLE.splitlines()[19]
    assert cue.startswith("mistake 3 ")
    lesson.write_text(
        EXAMPLE.replace(cue, "mistake 3 light own, gram, margins: Look."), encoding="utf-8"
    )
    code, printed, complaint = kpviz("lesson", "check", "lecture.kpviz.md")
    assert (code, complaint) == (1, "")
    assert printed == (
        "lecture.kpviz.md:20: The cue lights own and gram, which the board does not show then: "
        "name it in show= of the scene’s link, or light another.\n"
    )


def test_where_nothing_can_be_drawn_what_cues_light_is_not_tried_and_that_is_said(
    kpviz, monkeypatch
):
    monkeypatch.setitem(sys.modules, "py_mini_racer", None)
    monkeypatch.setattr(bridge, "_loaded", bridge.Engine)
    code, printed, complaint = kpviz("lesson", "check", "lecture.kpviz.md")
    assert (code, "nothing is wrong" in printed) == (0, True)
    missing = 'A picture needs mini-racer, which is not installed: run pip install "kpviz[plot]".'
    assert (
        complaint
        == f"kpviz: Whether 'lecture.kpviz.md' lights only what is shown was not tried: {missing}\n"
    )


def test_the_lessons_that_come_along_are_listed_and_copied_by_name(kpviz):
    code, printed, _ = kpviz("lesson", "list")
    names = [line.split()[0] for line in printed.splitlines() if not line.startswith(" ")]
    assert (code, names) == (0, sorted(shelf.paths()))
    assert (
        "\nlecture-2-dual-and-kernels  The dual form and the kernel trick (55 min)\n   1  The "
        "same line" in printed
    )
    for name in names:
        block = printed.partition(f"{name}  ")[2].partition("\nle")[0].splitlines()
        assert len(block) == 1 + len(shelf.read(name).scenes)
    assert kpviz("lesson", "copy", "lesson-07-width", "-o", "width.kpviz.md", "--quiet") == (
        0,
        "",
        "",
    )
    assert Path("width.kpviz.md").read_text(encoding="utf-8") == shelf.paths()[
        "lesson-07-width"
    ].read_text("utf-8")
    assert "lecture  " in kpviz("lesson", "list", "--lessons", ".")[1]


def test_scenes_are_joined_under_one_header(kpviz):
    files = ("lecture.kpviz.md:2", "lesson-07-width:1,2", "lecture.kpviz.md")
    assert kpviz(
        "lesson", "join", *files, "-o", "all.kpviz.md", "--title", "All:  of it", "--quiet"
    ) == (0, "", "")
    joined, own = (
        format.read(text) for text in (Path("all.kpviz.md").read_text(encoding="utf-8"), EXAMPLE)
    )
    width = shelf.read("lesson-07-width")
    assert (joined.title, joined.author) == ("All: of it", f"{own.author}, {width.author}")
    assert joined.objectives == width.objectives + own.objectives
    assert joined.minutes is None  # one of the scenes does not say its own
    wanted = [own.scenes[1], *width.scenes[:2], *own.scenes]
    assert [(s.heading, s.link.query, len(s.tasks), s.cues) for s in joined.scenes] == [
        (s.heading, s.link.query, len(s.tasks), s.cues) for s in wanted
    ]


def test_scenes_that_are_joined_bring_their_own_objectives_and_no_others(kpviz):
    scenes = "## {0}\nlink: v=1&data=xor\nobjective: do {0}\nobjective: do it again\n"
    text = "---\ntitle: T\nobjectives:\n- do all\n---\n" + "".join(map(scenes.format, "ABC"))
    Path("three.kpviz.md").write_text(text, encoding="utf-8")
    assert format.read(text).objectives == ("do all", "do A", "do it again", "do B", "do C")
    assert (
        kpviz(
            "lesson",
            "join",
            "three.kpviz.md:2",
            "lecture.kpviz.md:1",
            "-o",
            "some.kpviz.md",
            "--quiet",
        )[0]
        == 0
    )
    assert format.read(Path("some.kpviz.md").read_text(encoding="utf-8")).objectives == (
        "do B",
        "do it again",
    )
    assert kpviz("lesson", "join", "three.kpviz.md:3,1-2", "-o", "all.kpviz.md", "--quiet")[0] == 0
    joined = format.read(Path("all.kpviz.md").read_text(encoding="utf-8"))
    assert set(joined.objectives) == {"do all", "do it again", "do A", "do B", "do C"}


def test_ninety_minutes_are_joined_of_ranges_of_scenes_of_lectures_and_nothing_is_wrong_with_them(
    kpviz,
):
    readme = (Path(shelf.__file__).parent / "shipped" / "README.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"kpviz (lesson join .+?)\n```", readme, re.DOTALL)
    Path("week:3.kpviz.md").write_text(EXAMPLE, encoding="utf-8")
    assert kpviz(*shlex.split(line.replace("\\\n", " ")), "--quiet") == (0, "", "")
    joined = format.read(Path("ninety.kpviz.md").read_text(encoding="utf-8"))
    assert joined.minutes == sum(scene.minutes for scene in joined.scenes) == 90
    assert joined.title == "Kernels in ninety minutes"
    first = shelf.read("lecture-1-perceptron").scenes
    assert [(s.heading, s.notes, s.knobs, s.tasks[:1] == ()) for s in joined.scenes[: len(first)]][
        :3
    ] == [(s.heading, s.notes, s.knobs, s.tasks[:1] == ()) for s in first[:3]]
    assert kpviz("lesson", "check", "ninety.kpviz.md", "--quiet") == (0, "", "")
    assert (
        kpviz(
            "lesson",
            "join",
            "week:3.kpviz.md",
            "week:3.kpviz.md:2-2,1",
            "-o",
            "w.kpviz.md",
            "--quiet",
        )[0]
        == 0
    )
    assert len(format.read(Path("w.kpviz.md").read_text(encoding="utf-8")).scenes) == 4


def test_what_is_wrong_with_a_run_is_said_before_scenes_are_joined(kpviz, lesson):
    lesson.write_text("---\ntitle: T\n---\n## S\nlink: v=1&n=20\n```cues\nmistake 99: x\n```\n")
    code, _, complaint = kpviz("lesson", "join", "lecture.kpviz.md", "-o", "a.kpviz.md")
    assert (code, Path("a.kpviz.md").exists()) == (1, False)
    assert (
        complaint
        == "kpviz: These scenes are no lesson together: The cue names mistake 99, but this run "
        "has 10.\n"
    )


def test_slides_are_numbered_and_named_by_their_headings(kpviz, folder, lesson):
    lesson.write_text(
        "---\ntitle: XOR\n---\n## Two classes\nlink: v=1&n=20\n```cues\nstart: A\nmistake 2: "
        "B\n```\n"
        "## Another line\nlink: /fisher?v=1\n"
    )
    made = kpviz("lesson", "slides", "lecture.kpviz.md", "-o", "slides", "--size", "320x320")
    assert made == (0, "", "wrote 4 pictures to slides\n")
    names = ["00-title.png", "01-two-classes-1.png", "01-two-classes-2.png", "02-another-line.png"]
    assert sorted(path.name for path in (folder / "slides").iterdir()) == names
    arguments = ("--format", "pdf", "--theme", "print", "--quiet")
    (folder / "printed").mkdir()
    assert kpviz("lesson", "slides", "lecture.kpviz.md", "-o", "printed", *arguments) == (0, "", "")
    printed = [name.replace("png", "pdf") for name in names]
    assert sorted(path.name for path in (folder / "printed").iterdir()) == printed
    for name in ("all.pdf", "again.pdf"):
        made = kpviz("lesson", "slides", "lecture.kpviz.md", "-o", name, "--size", "320x320")
        assert made == (0, "", f"wrote {name}: 4 pages\n")
    assert Path("all.pdf").read_bytes() == Path("again.pdf").read_bytes()
    assert Path("all.pdf").read_bytes().count(b"/Type /Page ") == 4


def test_slides_and_films_say_alike_what_they_leave_out(kpviz, lesson, monkeypatch):
    monkeypatch.setattr("kpviz.export.films.save", lambda *_: None)
    lesson.write_text(
        "---\ntitle: T\n---\n## S\nlink: v=1&n=20&show=alpha\n```cues\nstart light code: "
        "No.\nmistake 99: x\n```\n"
    )
    expected = (
        "kpviz: Not everything can be shown: in scene 1, mistake 99: this run has 10; "
        "in scene 1, what is not shown cannot light up: code.\n"
    )
    for command in (("render",), ("lesson", "slides")):
        target = "l.mp4" if command == ("render",) else "slides"
        found = kpviz(*command, "lecture.kpviz.md", "-o", target, "--quiet", "--size", "320x320")
        assert found == (0, "", expected)


def test_handouts_and_worksheets_are_written_with_their_solutions(kpviz):
    sheets = ("lesson", "worksheet", "v=1&data=xor&t=4", "-o=a.pdf", "--solutions=c.pdf")
    assert kpviz(*sheets) == (0, "", "wrote a.pdf\nwrote c.pdf\n")
    assert kpviz(
        "lesson", "handout", "lecture.kpviz.md", "-o=e.pdf", "--solutions=f.pdf", "--quiet"
    ) == (0, "", "")
    made = {path.name: path.read_bytes() for path in Path().iterdir() if path.suffix == ".pdf"}
    assert sorted(made) == ["a.pdf", "c.pdf", "e.pdf", "f.pdf"]
    assert len(set(made.values())) == 4


def test_without_typst_one_sentence_says_so(kpviz, monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    complaint = (
        'kpviz: A sheet needs typst, which is not installed: run pip install "kpviz[print]".\n'
    )
    assert kpviz("lesson", "worksheet", "v=1", "-o", "a.pdf") == (1, "", complaint)
