"""The lectures that come along, on the stage: what a cue says is said, what it points at is seen."""

from urllib.parse import quote

import pytest

from kpviz.lessons import shelf

LECTURES = sorted(name for name in shelf.paths() if name.startswith("lecture-"))
SCENES = [
    (name, scene)
    for name in LECTURES
    for scene in shelf.read(name).scenes
    if scene.cues.cues and scene.link.page == "play"
]


@pytest.mark.parametrize("size", [{"width": 1366, "height": 768}, {"width": 1920, "height": 1080}])
@pytest.mark.parametrize(("name", "scene"), SCENES, ids=[f"{name[8:9]}-{scene.heading}" for name, scene in SCENES])
def test_all_that_a_cue_says_is_said_and_all_that_it_lights_is_on_the_stage_at_once(player, name, scene, size):
    player.open(f"/?{scene.link.query}&stage=window&cues={quote(scene.cues.code, safe='')}", size)
    said = set()
    for cue in player.js("s.cues.placed.map(({ t, place, light }) => ({ t, place, light }))"):
        player.go(cue["t"])
        lit = {each for each in cue["light"] if not each.startswith("x") or not each[1:].isdigit()}
        assert lit <= {*player.js("Object.keys(s.layout.panels)")}, cue
        said.add(player.js("s.cues.at(s.t)?.words ?? null"))
    assert {cue.words for cue in scene.cues.cues if cue.words} <= said
