"""The page, opened as Streamlit opens it: a link shows what it says, nonsense is told once, and nothing raises."""

import random

import pytest
from links import random_pairs
from playing import labels, of_page, opened, parts_sent, ran, sent

from kpviz import experiment
from kpviz.engine import theory
from kpviz.player import payload
from kpviz.settings import Settings, conditions

# ---- the first screen -----------------------------------------------------------------------------


def test_the_page_opens_on_the_usual_run():
    at = opened()
    usual = Settings.of()
    split = experiment.prepare(usual)
    envelope, run = parts_sent(at)
    assert run == payload.encode(usual, split, experiment.run(usual, split))
    assert (envelope["id"], envelope["ack"]) == ("v=1", 0)
    assert envelope["view"] == {"t": 0, "show": None, "stage": None, "turn": None}
    assert len(at.toast) == 0
    assert labels(at) == ["XOR · 60 points · seed 0", "Gaussian, σ = 0.5", "Perceptron · cyclic", "Compare"]
    assert [button.label for button in at.button] == ["New data", "New order"]


def test_running_again_sends_the_same_bytes():
    at = opened(t="7", show="alpha.code", noise="0.2", held="0.2")
    first = sent(at)
    assert sent(ran(at)) == first
    assert sent(ran(at)) == first
    assert sent(opened(t="7", show="alpha.code", noise="0.2", held="0.2")) == first


def test_a_link_opens_what_it_says():
    at = opened(v="1", data="moons", kernel="polynomial", degree="4", t="12", show="margins")
    assert of_page(at) == Settings.of(data="moons", kernel="polynomial", degree=4)
    assert parts_sent(at)[0]["view"] == {"t": 12, "show": ["margins"], "stage": None, "turn": None}
    assert len(at.toast) == 0


def test_a_link_that_shows_the_bound_opens_with_it():
    _, run = parts_sent(opened(v="1", show="bound.code"))
    header, _ = payload.unpack(run)
    (bound, *_) = theory.bounds_of(experiment.run(Settings.of()))
    shown_bound = header["extras"]["bound"][0]
    assert (shown_bound["key"], shown_bound["value"], shown_bound["applies"]) == ("plain", bound.value, True)
    assert payload.unpack(parts_sent(opened(v="1", show="code"))[1])[0]["extras"] == {}


def test_the_page_does_not_write_the_address():
    at = opened(v="1", data="moons", t="12")
    ran(at)
    next(button for button in at.button if button.key == "new-data").click()
    ran(at)
    assert dict(at.query_params) in (
        {"v": ["1"], "data": ["moons"], "t": ["12"]},
        {"v": "1", "data": "moons", "t": "12"},
    )


@pytest.mark.parametrize(
    "query",
    [
        {"nonsense": "1"},
        {"sigma": "wide"},
        {"v": "9", "sigma": "1e9", "data": "<b>", "zzz": "`x`", "more": "1"},
        {"t": "soon"},
        {"show": "everything", "t": "-1", "kernel": "none"},
        {"data": "file", "file": "lost.csv~0123"},
    ],
)
def test_a_link_with_nonsense_opens_with_one_notice_once(query):
    at = opened(**query)
    assert len(at.toast) == 1
    assert at.toast[0].value.endswith(".")
    assert len(ran(at).toast) == 0


def test_the_servers_own_keys_are_no_nonsense():
    assert len(opened(embed="true", embed_options="dark_theme").toast) == 0


@pytest.mark.parametrize("block", range(4))
def test_hostile_links_open_on_the_page(block):
    """A few of them: tests/test_links.py opens a thousand without the page."""
    draw = random.Random(block)
    for pairs in random_pairs(24, seed=2)[block::4]:
        query = {}
        for key, value in pairs:  # as a server would have read them
            clean = "".join(ch for ch in value if not 0xD800 <= ord(ch) < 0xE000)[:2000]
            query[key[:50].replace("\x00", "")] = clean
        query.setdefault("n", "30")
        query.setdefault("epochs", str(draw.choice((1, 5))))
        at = opened(**query)
        assert len(at.toast) <= 1
        made = of_page(at)
        usual = "" if conditions.has_plane(made.values) else "&gram&remembered"  # the panels that are usual there
        assert parts_sent(at)[0]["id"] == made.without_cues.query() + usual


# ---- a picture ------------------------------------------------------------------------------------


@pytest.mark.parametrize("t", [0, 7, 10**6])
def test_the_picture_of_an_instant_opens_beside_the_player(t):
    at = opened(n="20", epochs="2")
    at.session_state["session"].dialog, at.session_state["session"].picture = "picture", t
    ran(at)
    assert len(at.image) == 1
    assert [button.proto.label for button in at.get("download_button")] == ["PNG", "SVG", "PDF"]
