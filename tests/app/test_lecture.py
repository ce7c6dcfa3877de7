"""The cues of a lecture as text: what is wrong is said, what was written is not lost, what a run
lacks is listed.
"""

import re
from pathlib import Path

import pytest
from playing import about, replied
from streamlit.testing.v1 import AppTest

import kpviz
from kpviz import experiment
from kpviz.app import lecture
from kpviz.export import pace
from kpviz.service.state import PageState
from kpviz.settings import Settings
from kpviz.settings.cues import LONGEST_CUES, Cues

APP = str(Path(kpviz.__file__).parent / "app" / "pages.py")
LECTURE = (
    "title: XOR\nstart hold 4: No line splits these.\n    Ask first.\nmistake 3 light x12, "
    "margins: Look.\nend\n"
)
APPLY, AGAIN, TEXT, FILE = "lecture-apply", "lecture-again", "lecture-text", "lecture-file"


def ran(thing):
    """The page after a run that a thing of it began."""
    at = thing.run()
    assert not at.exception, at.exception[0].message
    return at


def opened(**settings):
    """The page with the dialog open."""
    at = AppTest.from_file(APP, default_timeout=60)
    at.session_state["session"] = about(Settings.of(**settings), dialog="lecture")
    return ran(at)


def current(at):
    return at.session_state["session"]


def written(at):
    return at.text_area(key=TEXT).value


def write(at, text):
    return ran(at.text_area(key=TEXT).set_value(text))


def upload(at, content):
    return ran(at.file_uploader(key=FILE).set_value(("lecture.txt", content, "text/plain")))


def messages(at):
    return [error.value for error in at.error]


def press(at, key):
    return ran(at.button(key=key).click())


def test_the_examples_of_the_dialog_and_the_documentation_can_be_used():
    pages = [
        Path(__file__).parents[2] / "docs" / name
        for name in ("how-to/write-a-lesson.md", "reference/lesson-format.md")
    ]
    texts = [
        re.search(r"```text\n(title:.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)[1]
        for page in pages
    ]
    for example in (*texts, lecture._EXAMPLE):
        cues = Cues.read(example)
        assert {cue.place for cue in cues.cues} == {"start", "mistake 3", "epoch 1", "end"}
        assert pace.places(experiment.run(Settings.of())).missing(cues) == []


def test_what_is_written_is_applied_as_one_step_of_undo():
    at = write(opened(), LECTURE)
    assert current(at).settings.cues == ""
    press(at, APPLY)
    assert current(at).dialog is None
    page = replied(at)
    assert page.settings == Settings.of(cues=Cues.read(LECTURE).code)
    page.undo()
    assert page.settings == Settings.of()


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (LECTURE + "soon: now", "Line 6 of the cues cannot be read at 'soon'"),
        ("3: " + 401 * "x", "Line 1 of the cues is too long"),
        ("start\n" * 101, "There are 101 cues"),
        (f"start: {380 * 'x'}\n" * 12, f"a link holds {LONGEST_CUES:,}"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence_and_what_was_written_stays(text, part):
    at = write(opened(cues="end"), text)
    (error,) = messages(at)
    assert part in error
    assert error.endswith(".")
    press(at, APPLY)
    assert current(at).reply is None
    assert written(ran(at)) == text  # a run for another reason leaves it
    write(at, "start: Good.")
    assert messages(at) == []
    press(at, APPLY)
    assert replied(at).settings.cues == "start: Good."


def test_what_was_written_comes_back_until_it_is_given_up_or_the_cues_are_others():
    at = write(opened(cues="end"), "soon")
    current(at).dialog = None
    ran(at)
    assert not at.text_area
    current(at).dialog = "lecture"
    assert written(ran(at)) == "soon"
    press(at, AGAIN)
    assert written(at) == "end\n"
    write(at, "soon")
    current(at).state = PageState(Settings.of(cues="start"))
    assert written(ran(at)) == "start\n"


def test_a_file_takes_the_place_of_the_text_and_a_wrong_one_leaves_it():
    at = upload(opened(cues="end"), b"\xef\xbb\xbf" + LECTURE.encode())
    assert written(at) == LECTURE
    assert current(at).reply is None
    for content, part in ((b"\xff\xfe\x00\xd8", "UTF-8"), (b"#" * 100_001, "100,001 bytes")):
        upload(at, content)
        assert written(at) == LECTURE
        (error,) = messages(at)
        assert part in error
    press(at, APPLY)
    assert replied(at).settings.cues == Cues.read(LECTURE).code


def test_what_this_run_lacks_is_listed_and_may_be_applied_all_the_same():
    at = write(
        opened(), "mistake 99\nepoch 9\n12345\nend light x60, x59, map\nmistake 99: Again.\n"
    )
    (warning,) = (warning.value for warning in at.warning)
    run = experiment.run(Settings.of())
    assert warning.split("\n- ")[1:] == [
        f"mistake 99: this run has {run.mistake.sum()}",
        f"epoch 9: this run has {run.n_epochs}",
        f"12345: this run has {run.n_steps:,} steps",
        "x60: the last of this run is x59",
    ]
    press(at, APPLY)
    assert len(Cues.of_code(replied(at).settings.cues).cues) == 5
