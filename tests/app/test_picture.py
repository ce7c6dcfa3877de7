"""The dialog that shows it elsewhere: what each choice draws, and the files that it offers."""

import pytest
import streamlit as st
from drawing import drawn, png, story
from playing import about
from playing import part_ran as ran
from streamlit.testing.v1 import AppTest

from kpviz import experiment
from kpviz.app import picture, turn
from kpviz.export.film.formats import PICTURES
from kpviz.lessons import comparison
from kpviz.picture import figure, storyboard
from kpviz.settings import Settings

CUES = "title: Two moons|start: Look.|mistake 2: It bends.|end: Done."
TABS = ["Picture", "Storyboard", "Film", "Page"]


def script():
    import streamlit as st

    from kpviz.app import picture

    picture.dialog(st.session_state["here"])


@pytest.fixture
def files(monkeypatch):
    """What the buttons would save, by name."""
    found = {}

    def button(label, data, name, mime, **options):
        found[name] = data

    monkeypatch.setattr(st, "download_button", button)
    return found


def opened(tab="Picture", settings=None, t=7, **state):
    at = AppTest.from_function(script, default_timeout=60)
    at.session_state["here"] = about(settings or Settings.of(n=20), picture=t, dialog="picture")
    for key, value in {"picture-tab": tab, **state}.items():
        at.session_state[key] = value
    return ran(at)


def inches(name):
    return tuple(side / 200 for side in PICTURES[name])


def test_only_the_tab_in_front_is_made(monkeypatch):
    made = []
    for name in ("_picture", "_storyboard", "_film", "_page"):
        monkeypatch.setattr(picture, name, lambda session, name=name: made.append(name))
    for tab, name in zip(TABS, ("_picture", "_storyboard", "_film", "_page"), strict=True):
        made.clear()
        at = opened(tab)
        assert [each.label for each in at.tabs] == TABS
        assert made == [name]


def test_the_instant_is_offered_as_the_command_line_draws_it(files):
    settings = Settings.of(n=20)
    opened(settings=settings)
    names = [f"kpviz-xor-gaussian-step-7.{kind}" for kind in ("png", "svg", "pdf")]
    assert list(files) == names
    expected = drawn(settings, 7, inches("16:9"))
    for name in names:
        assert files[name]() == figure.save(expected, name.rpartition(".")[2], dpi=200)


def test_size_theme_and_ground_are_those_chosen(files):
    settings = Settings.of(n=20)
    state = {"picture-size-True": "square", "picture-theme": "print", "picture-clear": True}
    opened(settings=settings, **state)
    expected = png(drawn(settings, 7, inches("square"), theme="print", transparent=True))
    assert files["kpviz-xor-gaussian-step-7.png"]() == expected


def test_one_panel_is_offered_in_its_own_shape_or_on_a_slide(files):
    settings = Settings.of(n=20)
    opened(settings=settings, **{"picture-panel": "margins"})
    assert files["kpviz-xor-gaussian-step-7-margins.png"]() == png(drawn(settings, 7, only="margins"))
    opened(settings=settings, **{"picture-panel": "margins", "picture-size-False": "4:3"})
    expected = drawn(settings, 7, inches("4:3"), only="margins")
    assert files["kpviz-xor-gaussian-step-7-margins.png"]() == png(expected)


@pytest.mark.parametrize(("learner", "has"), [("perceptron", False), ("svm", True)])
def test_the_learners_own_panel_is_offered_where_it_has_one(files, learner, has):
    at = opened(settings=Settings.of(n=20, learner=learner))
    assert ("Particulars of the learner" in at.selectbox(key="picture-panel").options) == has


@pytest.mark.parametrize("k", [2, 24])
def test_a_storyboard_of_k_pictures_is_spread_over_the_run(files, k):
    settings = Settings.of(n=20)
    run = experiment.run(settings)
    at = opened("Storyboard", settings, **{"story-k": k})
    assert len(at.image) == 1
    expected = story(settings, storyboard.spread(run, k), inches("16:9"))
    assert list(files) == [f"kpviz-xor-gaussian-storyboard.{kind}" for kind in ("png", "svg", "pdf")]
    assert files["kpviz-xor-gaussian-storyboard.png"]() == png(expected)


def test_where_there_are_cues_the_storyboard_is_theirs_or_spread(files, monkeypatch):
    asked = []
    draw = storyboard.draw
    monkeypatch.setattr(storyboard, "draw", lambda *a, **o: asked.append((a[1], o)) or draw(*a, **o))
    settings = Settings.of(data="moons", n=20, cues=CUES)
    at = opened("Storyboard", settings)
    assert [cell.words for cell in asked[-1][0]] == ["Look.", "It bends.", "Done."]
    assert asked[-1][1]["title"] == "Two moons"
    assert at.slider(key="story-k").disabled
    opened("Storyboard", settings, **{"story-steps": "spread over the run"})
    assert asked[-1][0] == storyboard.spread(experiment.run(settings), 6)


@pytest.mark.parametrize("tab", TABS)
def test_without_examples_each_tab_says_or_shows_what_there_is(tab):
    at = opened(tab, Settings.of(data="drawn"), t=0)
    if tab == "Picture":
        assert len(at.image) == 1
    else:
        assert [info.value[:28] for info in at.info] == ["There are no examples yet, s"]


def test_pinned_runs_are_on_the_board_and_said_to_be_left_out_of_one_panel():
    at = AppTest.from_function(script, default_timeout=60)
    settings = Settings.of(n=20)
    pins = (comparison.Pin.of(settings.replace(sigma=0.2)),)
    at.session_state["here"] = about(settings, picture=7, dialog="picture", pins=pins)
    ran(at)
    assert not at.caption
    at.selectbox(key="picture-panel").set_value("map")
    ran(at)
    message = "This is the current run; the pinned ones are on the picture of the whole board."
    assert [caption.value for caption in at.caption] == [message]


@pytest.mark.parametrize("tab", TABS[:2])
def test_pictures_are_drawn_one_after_the_other_and_one_sees_its_place(files, monkeypatch, tab):
    others, told = [object(), object()], []
    for other in others:
        turn.PICTURES.join(other)

    def wait(who, wait=turn.PICTURES.wait):
        if others:
            told.append(turn.PICTURES.words(who))
            turn.PICTURES.leave(others.pop())
            return False
        return wait(who)

    monkeypatch.setattr(turn.PICTURES, "wait", wait)
    at = opened(tab)
    assert told == ["Waiting for 2 files of other visitors", "Waiting for 1 file of other visitors"]
    assert len(at.image) == 1
    assert not at.caption
    assert all(content()[:4] in (b"\x89PNG", b"<?xm", b"%PDF") for content in files.values())
    turn.PICTURES.join(after := object())
    assert turn.PICTURES.place(after) == 0
    turn.PICTURES.leave(after)


def test_a_picture_that_cannot_be_drawn_makes_room_for_the_next(monkeypatch):
    def draw(*_):
        raise ValueError("Nothing to show.")

    monkeypatch.setattr(figure, "draw", draw)
    assert [info.value for info in opened().info] == ["Nothing to show."]
    turn.PICTURES.join(after := object())
    assert turn.PICTURES.place(after) == 0
    turn.PICTURES.leave(after)
