"""What a text names is ringed where one points at the name: exactly that example, and while
something is concealed on the map alone.
"""

import os
import random

import pytest

from kpviz.lessons import shelf
from kpviz.lessons.file import words

COUNT = int(os.environ.get("KPVIZ_NAMES_COUNT", "8"))
SEED = int(os.environ.get("KPVIZ_NAMES_SEED", "1"))
NAMES_IN = 'load("board/text_names.js").namesIn(arg)'
POINTED = """(() => {
  s.player.state.change({ pointer: { px: -1, py: -1, byKey: true, name: arg } });
  s.redraw?.();
  s.look();
  return 0;
})()"""
SCENE = 'load("board/scene.js").sceneOf(s.player, 0)'


def cases():
    """Links of shipped lessons with the words that are said of what they show."""
    for name in sorted(shelf.paths_in(None)):
        for at, scene in enumerate(shelf.read(name).scenes):
            texts = [words.plain(list(scene.words)), *(task.ask for task in scene.tasks)]
            if scene.link.page == "play" and scene.link.query and max("".join(texts)) >= "₀":
                yield pytest.param(scene.link.query, " ".join(texts), id=f"{name}-{at + 1}")


def drawn_cases():
    found = [case for case in cases() if "x" in case.values[1]]
    return random.Random(SEED).sample(found, min(COUNT, len(found)))


@pytest.mark.parametrize(("link", "text"), drawn_cases())
def test_each_example_that_a_lesson_names_is_ringed_alone_where_it_lies(player, link, text):
    player.open(f"/?{link}")
    n = player.js("s.run.n")
    named = {name["name"] for name in player.js(NAMES_IN, text)}
    examples = [int(name[1:]) for name in named if name[0] == "x" and name[1:].isdigit()]
    for i in [i for i in examples if i < n]:
        player.js(POINTED, f"x{i}")
        rings = player.marks("map", name="pointed") or player.marks("map", name="named")
        assert [ring["i"] for ring in rings if "i" in ring] == [i]
        (ring,) = [ring for ring in rings if "i" in ring]
        place = player.js("[s.view.x(s.run.X[2 * arg]), s.view.y(s.run.X[2 * arg + 1])]", i)
        assert [ring["x"], ring["y"]] == pytest.approx(place)
    player.js(POINTED, f"x{n}")  # None of these.
    assert player.marks("map", name="pointed") == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("x₂₆ comes next.", ["x26"]),
        ("k(x₀, x₁) of x and xᵢ", ["x0", "x1"]),
        ("Four bricks: a brick lies on the timeline.", ["alpha", "alpha", "timeline"]),
        ("bricklayers and max₀", []),
        ("The Gram matrix", ["gram"]),
    ],
)
def test_what_is_a_name_in_a_text(player, text, names):
    player.open("/?v=1")
    assert [name["name"] for name in player.js(NAMES_IN, text)] == names


def test_while_something_is_concealed_a_name_lights_nothing_but_the_map(player):
    player.open("/?v=1&t=40&show=alpha.margins")
    player.js(POINTED, "x3")
    assert player.js(f"[...{SCENE}.hot]") == [3]
    player.press("q").rest()
    player.js(POINTED, "x3")
    assert player.js(f"[...{SCENE}.hot]") == []
    assert [mark["i"] for mark in player.marks("map", name="pointed")] == [3]
    player.js(POINTED, "alpha")
    assert player.js(f"{SCENE}.light") == ["alpha"]
