"""Cues on the stage: they say their words, light what they name, and have flags on the timeline."""

from urllib.parse import quote

import pytest
from cueing import link
from lecture import LECTURE

from kpviz.lessons import shelf

# ---- the timeline --------------------------------------------------------------------------------


def test_pointing_at_a_flag_says_its_words_and_a_click_goes_there(player):
    player.open(link("mistake 3: Look where the boundary goes.|100"))
    first, second = player.marks("timeline", name="cue")
    player.point(first["x"] + 3, first["y"] + 2)
    assert player.tip == [
        "cue: mistake 3, step 3 (click to go there)",
        "Look where the boundary goes.",
    ]
    player.click(first["x"] + 3, first["y"] + 2)
    assert player.t == 3
    player.point(second["x"] + 3, second["y"] + 2)
    assert player.tip == ["cue: step 100 (click to go there)"]
    player.click(second["x"] + 3, second["y"] + 2)
    assert player.t == 100


def test_while_one_predicts_no_flag_gives_an_answer_away(player):
    player.open(link(t=10)).press("q").rest()
    assert [flag["t"] for flag in player.marks("timeline", name="cue")] == [0, 3]


@pytest.mark.parametrize("stage", [{}, {"stage": "window"}])
def test_a_class_that_goes_from_cue_to_cue_sees_no_flags(player, stage):
    player.open(link("start: Look.|mistake 3: And now.", **stage))
    assert len(player.marks("timeline", name="cue")) == (0 if stage else 2)


def test_before_a_class_a_panel_comes_with_what_it_shows(player):
    player.open(link("start: What will f say?|2 light margins: There it is.", stage="window"))
    places = player.js("s.layout.panels")
    assert not {"alpha", "margins"} & set(places)
    player.press("PageDown").rest()
    assert {"alpha", "margins"} <= set(player.js("s.layout.panels"))
    assert player.js("s.layout.panels.map") == places["map"]
    player.press("Home").rest()
    assert player.js("s.layout.panels") == places


def test_a_panel_of_which_a_cue_speaks_is_there_before_it_has_something_to_show(player):
    player.open(link("start light alpha: A count for each example.", stage="window"))
    panels = player.js("s.layout.panels")
    assert "alpha" in panels
    assert "margins" not in panels


# ---- a panel on another page ---------------------------------------------------------------------

SHOW = "alpha.bound.code.gram.margins.norm.primal.remembered.sequence"


def lecture(stage=None):
    return link(
        "3 light norm: It grows.|6: And on.|9 light margins, norm: Both.",
        show=SHOW,
        n=30,
        t=1,
        **(stage or {}),
    )


@pytest.mark.parametrize("stage", [{}, {"stage": "window"}])
def test_a_cue_turns_to_the_page_of_the_panel_that_it_lights(player, stage):
    player.open(lecture(stage))
    assert "norm" not in player.js("s.layout.panels")
    player.go(3)
    assert "norm" in player.js("s.layout.panels")
    assert player.marks("light")
    there = player.js("s.layout.page")
    assert player.go(6).js("s.layout.page") == there  # nothing else turns it
    player.go(9)
    if stage:  # large type has a page for both
        assert {"margins", "norm"} <= set(player.js("s.layout.panels"))
    else:  # one of both is seen
        assert player.js("s.layout.page") == there
    player.js("(s.player.panelPage = 0, s.arrange(), 0)")
    assert player.js("s.layout.page") == 0  # by hand
    assert player.go(3).js("s.layout.page") == there


def test_a_link_opens_the_page_of_the_panels_that_it_adds(player):
    player.open(
        "/?v=1&t=3&n=30&show=alpha.margins.gram.remembered", size={"width": 1000, "height": 520}
    )
    assert {"gram", "remembered"} & set(player.js("s.layout.panels"))
    player.js("(s.player.showOnly(['alpha', 'margins']), s.arrange(), 0)")
    assert player.js("s.layout.page") == 0


def test_in_a_narrow_window_the_panel_that_a_cue_lights_is_on_the_page_with_all_others(player):
    player.open(lecture(), size={"width": 390, "height": 800})
    before = player.js("s.layout.panels")
    assert {"words", "norm"} <= set(before)
    assert player.go(3).js("s.layout.panels") == before


# ---- a cue says its words and lights what it names -----------------------------------------------


def test_a_cue_says_its_words_and_lights_what_it_names(player):
    t = player.open(LECTURE).js("s.cues.placed[1].t")
    player.go(t)
    assert player.sentence == "Look where the boundary goes."
    assert [mark["lit"] for mark in player.marks("map") if "lit" in mark] == [12]
    (frame,) = player.marks("light")
    panel = player.js("s.layout.panels.margins")
    assert frame["stroke"] == player.js("s.palette.ink")
    assert frame["x"] <= panel["x"]
    # Its line lies on the edge of the panel where that is the board's, and never beyond it.
    right = frame["x"] + frame["w"] + frame["width"] / 2
    assert panel["x"] + panel["w"] <= right <= player.js("s.player.width")
    player.press("ArrowRight").rest()
    assert " is blue, " in player.sentence or " is orange, " in player.sentence
    assert player.marks("light") == []
    assert [mark for mark in player.marks("map") if "lit" in mark] == []


# ---- the lectures that come along, on the stage --------------------------------------------------

LECTURES = sorted(name for name in shelf.paths() if name.startswith("lecture-"))
SCENES = [
    (name, scene)
    for name in LECTURES
    for scene in shelf.read(name).scenes
    if scene.cues.cues and scene.link.page == "play"
]


@pytest.mark.parametrize("size", [{"width": 1366, "height": 768}, {"width": 1920, "height": 1080}])
@pytest.mark.parametrize(
    ("name", "scene"), SCENES, ids=[f"{name[8:9]}-{scene.heading}" for name, scene in SCENES]
)
def test_all_that_a_cue_says_is_said_and_all_that_it_lights_is_on_the_stage_at_once(
    player, name, scene, size
):
    player.open(f"/?{scene.link.query}&stage=window&cues={quote(scene.cues.code, safe='')}", size)
    said = set()
    for cue in player.js("s.cues.placed.map(({ t, place, light }) => ({ t, place, light }))"):
        player.go(cue["t"])
        lit = {each for each in cue["light"] if not each.startswith("x") or not each[1:].isdigit()}
        assert lit <= {*player.js("Object.keys(s.layout.panels)")}, cue
        said.add(player.js("s.cues.at(s.t)?.words ?? null"))
    assert {cue.words for cue in scene.cues.cues if cue.words} <= said
