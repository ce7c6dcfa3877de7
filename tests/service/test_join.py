"""The address of the code on the stage: it has room in a code, and leads to what is shown."""

from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
import segno
import strategies
from hypothesis import given
from hypothesis import strategies as st
from visitor import ask

from kpviz.lessons import shelf
from kpviz.service import caches, join, kept_lessons
from kpviz.settings import PROPERTIES, Settings

TEXT = "---\ntitle: Dropped\n---\n## One\nlink: v=1\n\nA.\n\n## Two\nlink: v=1&data=moons\n\nB.\n"
HERE = "https://kpviz.example.org/courses/k/"


def asked(query="v=1", **more):
    question = {"link": "v=1", "join": {"address": f"{HERE}?{query}", **more}}
    return ask(question)[0]["join"]


def opened(address):
    """What the page at an address asks for at first: a lesson, and a run."""
    pairs = dict(parse_qsl(urlsplit(address).query))
    lesson = pairs.pop("lesson", None)
    pairs.pop("scene", None)
    answers = [ask({"link": urlencode(pairs), "shown": False, "have": [], "dock": []})[0]]
    if lesson is not None:
        answers.append(ask({"link": "v=1", "lesson": {"name": lesson}})[0])
    return answers


def opens(answer):
    """Whether the code is that of its address, and whether that opens without a complaint."""
    matrix = segno.make(answer["address"], error="l", micro=False).matrix
    assert answer["rows"] == ["".join(map(str, row)) for row in matrix]
    for header in opened(answer["address"]):
        assert "failed" not in header
        assert not header.get("notices")
    return True


def test_a_scene_as_it_opens_is_all_that_the_code_says():
    answer = asked("v=1&data=moons", lesson={"name": "lesson-07-width"}, scene=2, turned=False)
    assert answer["address"] == f"{HERE}?lesson=lesson-07-width&scene=2"
    assert opens(answer)


def test_settings_that_were_turned_go_along_while_they_have_room():
    lesson = {"name": "lesson-07-width"}
    answer = asked("v=1&sigma=0.2", lesson=lesson, scene=2, turned=True)
    assert answer["address"] == f"{HERE}?v=1&sigma=0.2&lesson=lesson-07-width&scene=2"
    assert answer["said"] is None
    assert opens(answer)
    points = "data=drawn&points=" + "1~2~p_" * 200
    answer = asked(f"v=1&{points}", lesson=lesson, scene=2, turned=True)
    assert answer["address"] == f"{HERE}?lesson=lesson-07-width&scene=2"
    assert answer["said"] == "The settings are too long for a code: it leads to the scene."
    assert opens(answer)


@pytest.mark.parametrize("turned", [False, True])
def test_a_dropped_lesson_is_kept_and_the_code_leads_to_its_scene(turned):
    answer = asked("v=1&data=circles", lesson={"text": TEXT}, scene=2, turned=turned)
    assert len(answer["address"]) < 90
    assert opens(answer)
    lesson = opened(answer["address"])[1]["lesson"]
    assert [scene["heading"] for scene in lesson["scenes"]] == ["One", "Two"]
    caches.forget()
    assert "any more" in opened(answer["address"])[1]["failed"]
    asked(lesson={"text": TEXT}, scene=2)  # the stage shows the code again
    assert opens(answer)


def test_a_dropped_lesson_with_a_fault_is_not_kept_and_the_code_leads_to_its_settings():
    answer = asked("v=1&data=circles", lesson={"text": TEXT + "[x](v=1&data=no)\n"}, scene=2)
    assert answer["address"] == f"{HERE}?v=1&data=circles"
    assert answer["said"].startswith("This lesson has a fault in line ")
    assert opens(answer)


def test_nothing_is_kept_for_a_code_that_nobody_could_use():
    caches.forget()
    question = {"join": {"address": "http://localhost:8501/?v=1", "lesson": {"text": TEXT}}}
    assert "--lan" in ask(question)[0]["join"]["why"]
    assert not kept_lessons._lessons._values


@given(strategies.given_of(PROPERTIES), st.sampled_from([None, *shelf.paths()]), st.booleans())
def test_each_code_is_that_of_its_address_and_leads_somewhere(drawn, name, turned):
    query = Settings.of(**drawn).without_cues.link()
    lesson = {} if name is None else {"lesson": {"name": name}, "scene": 1, "turned": turned}
    answer = asked(query, **lesson)
    if name is None and len(query) + len(HERE) >= join._LONGEST:
        assert answer["why"].startswith("A code for phones holds 900 characters")
        return
    assert len(answer["address"]) <= join._LONGEST
    matrix = segno.make(answer["address"], error="l", micro=False).matrix
    assert answer["rows"] == ["".join(map(str, row)) for row in matrix]
    opened_at = dict(parse_qsl(urlsplit(answer["address"]).query))
    assert opened_at.get("lesson") == name
    if name is None or (turned and not answer["said"]):
        assert urlsplit(answer["address"]).query.startswith(query)


@pytest.mark.parametrize(
    "wrong",
    [
        {"lesson": 3},
        {"lesson": {"text": 3}},
        {"lesson": {}, "scene": "2"},
        {"lesson": {"name": "no&x=<>" * 300}, "scene": 10**30},
        {"lesson": {"text": "\x00"}, "turned": "yes"},
    ],
)
def test_nonsense_has_a_code_or_a_sentence(wrong):
    answer = asked(**wrong)
    assert answer["rows"] or answer["why"].endswith(".")


FOLDER = "https://university.example/kpviz/"


@pytest.fixture
def class_folder(monkeypatch):
    monkeypatch.setenv(join.CLASS, FOLDER)


@pytest.mark.parametrize("name", shelf.files())
def test_a_class_with_a_folder_is_led_to_this_scene_and_step_by_thirty_characters(
    class_folder, name
):
    answer = asked("v=1&data=xor", lesson={"name": name}, scene=12, turned=False, step=1200)
    assert answer["address"].startswith(f"{FOLDER}#")
    assert len(answer["address"]) <= len(FOLDER) + 30
    letters, scene, step = answer["address"].partition("#")[2].split(".")
    assert [other for other in shelf.files() if other.startswith(letters)] == [name]
    assert (scene, step) == ("12", "1200")
    matrix = segno.make(answer["address"], error="l", micro=False).matrix
    assert answer["rows"] == ["".join(map(str, row)) for row in matrix]


def test_a_class_with_a_folder_is_led_to_the_scene_as_it_opens_if_settings_were_turned(
    class_folder,
):
    answer = asked(
        "v=1&sigma=0.2", lesson={"name": "lesson-07-width"}, scene=2, turned=True, step=7
    )
    assert answer["address"] == f"{FOLDER}#lesson-07.2"
    assert "as it opens" in answer["said"]


def test_a_class_with_a_folder_is_led_to_a_board_by_its_settings(class_folder):
    assert asked("v=1&data=moons&t=3", step=3)["address"] == f"{FOLDER}?v=1&data=moons&t=3"


def test_a_dropped_lesson_is_in_no_folder_of_a_class(class_folder):
    answer = asked(lesson={"text": TEXT}, scene=1)
    assert answer["rows"] == []
    assert "--lessons" in answer["why"]


def test_a_name_that_another_one_begins_with_is_written_whole():
    names = ["unit-1", "unit-10", "unit-1-b", "zero"]
    assert [join.place_in_folder(name, names, 1, 0) for name in names] == [
        "#unit-1.1.0",
        "#unit-10.1.0",
        "#unit-1-b.1.0",
        "#zero.1.0",
    ]
