"""`kpviz lesson check` names each fault with its line, tries what a lesson says, and writes copies for students."""

import sys
from pathlib import Path

import pytest

from kpviz.lessons.file import format
from kpviz.picture import bridge
from kpviz.picture.bridge import MISSING

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


def test_a_copy_for_students_has_no_solutions_and_is_right_too(kpviz):
    code, printed, complaint = kpviz("lesson", "check", "lecture.kpviz.md", "--students", "copy.kpviz.md", "--quiet")
    assert (code, printed, complaint) == (0, "", "")
    copy = Path("copy.kpviz.md").read_text(encoding="utf-8")
    for secret in ("solution", "why:", "a zero counts", "sigma=0.5", "notes", "Let them", "Ask first"):
        assert secret in EXAMPLE
        assert secret not in copy
    assert format.read(copy).students
    assert kpviz("lesson", "check", "copy.kpviz.md", "--quiet") == (0, "", "")
    code, printed, complaint = kpviz("lesson", "check", "lecture.kpviz.md", "--students", "-")
    assert (code, printed) == (0, copy)
    assert "nothing is wrong" in complaint


def test_faults_of_all_files_are_named_and_no_copy_is_written(kpviz, lesson):
    lesson.write_text(EXAMPLE.replace("sigma=0.5", "sigma=2.9").replace("mistake 3", "mistake 300"), encoding="utf-8")
    Path("other.kpviz.md").write_bytes(b"---\ntitle: \xff\n---\n")
    code, printed, complaint = kpviz("lesson", "check", "lecture.kpviz.md", "other.kpviz.md")
    assert (code, complaint) == (1, "")
    places = [line.split(" ")[0] for line in printed.splitlines()]
    assert places == ["lecture.kpviz.md:20:", *["lecture.kpviz.md:42:"] * 2, "other.kpviz.md:2:"]
    assert "The cue names mistake 300, but this run has 11.\n" in printed
    assert "The solution does not hold with seed 0: it does not hold yet: training error" in printed
    assert kpviz("lesson", "check", "lecture.kpviz.md", "--students", "copy.kpviz.md")[0] == 1
    assert not Path("copy.kpviz.md").exists()


def test_a_cue_that_lights_what_the_board_does_not_show_is_a_fault(kpviz, lesson, monkeypatch):
    cue = EXAMPLE.splitlines()[19]
    assert cue.startswith("mistake 3 ")
    dark = "mistake 3 light own, gram, margins: Look."
    lesson.write_text(EXAMPLE.replace(cue, dark), encoding="utf-8")
    code, printed, complaint = kpviz("lesson", "check", "lecture.kpviz.md")
    assert (code, complaint) == (1, "")
    assert printed == (
        "lecture.kpviz.md:20: The cue lights own and gram, which the board does not show then: "
        "name it in show= of the scene’s link, or light another.\n"
    )


def test_where_nothing_can_be_drawn_what_cues_light_is_not_tried_and_that_is_said(kpviz, monkeypatch):
    monkeypatch.setitem(sys.modules, "py_mini_racer", None)
    monkeypatch.setattr(bridge, "_loaded", bridge.Engine)
    code, printed, complaint = kpviz("lesson", "check", "lecture.kpviz.md")
    assert (code, "nothing is wrong" in printed) == (0, True)
    assert complaint == f"kpviz: Whether 'lecture.kpviz.md' lights only what is shown was not tried: {MISSING}\n"


def test_a_page_is_written_and_its_size_said(kpviz):
    code, printed, complaint = kpviz("lesson", "page", "lecture.kpviz.md", "lecture.html", "--theme", "dark")
    text = Path("lecture.html").read_text(encoding="utf-8")
    assert (code, printed) == (0, "")
    assert complaint == f"wrote lecture.html: {len(text.encode()) / 1e6:.1f} MB\n"
    assert '"name":"lecture"' in text
    assert kpviz("lesson", "page", "lecture.kpviz.md", "-", "--theme", "dark", "--quiet") == (0, text, "")


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (["none.kpviz.md", "page.html"], 1, "No such file"),
        (["lecture.kpviz.md", "page.pdf"], 2, "does not end in .html"),
        (["lecture.kpviz.md", "no/page.html"], 1, "there is no folder 'no'"),
        (["lecture.kpviz.md", "page.html", "--address", "here"], 1, "begins with http:// or https://.\n"),
        (["copy.kpviz.md", "page.html"], 1, "copy without solutions"),
        (["wrong.kpviz.md", "page.html"], 1, "names them"),
    ],
)
def test_what_cannot_be_a_page_is_refused(kpviz, arguments, code, why):
    Path("copy.kpviz.md").write_text(EXAMPLE.replace("title:", "for: students\ntitle:"), encoding="utf-8")
    Path("wrong.kpviz.md").write_text("---\ntitle: T\n---\n", encoding="utf-8")
    found, printed, complaint = kpviz("lesson", "page", *arguments)
    assert (found, printed) == (code, "")
    assert why in complaint
    assert not Path("page.html").exists()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["none.kpviz.md"], "No such file"),
        (["."], "Is a directory"),
        (["huge.kpviz.md"], "larger than a lesson can be"),
        (["lecture.kpviz.md", "--students", "lecture.kpviz.md"], "would take the place of the file"),
        (["lecture.kpviz.md", "lecture.kpviz.md", "--students", "copy"], "give one file"),
        (["lecture.kpviz.md", "--students", "no/copy"], "there is no folder 'no'"),
    ],
)
def test_what_cannot_be_read_or_written_is_refused_in_one_line(kpviz, arguments, why):
    with open("huge.kpviz.md", "wb") as file:
        file.truncate(3_000_000)
    code, printed, complaint = kpviz("lesson", "check", *arguments)
    assert (code, printed) == (1, "")
    assert complaint.startswith("kpviz: ")
    assert complaint.count("\n") == 1
    assert why in complaint
