"""The scale of type: a few steps, one factor, and a floor."""

import itertools

import pytest
from windows import WINDOWS

SCALE = """([...windows]) => {
  const { STEPS, step, unitOf } = load("board/scale.js");
  const { layoutOf } = load("board/layout.js");
  const names = Object.keys(STEPS);
  return windows.map(([width, height]) => {
    const unit = unitOf(width, height);
    const panels = new Set(["alpha", "margins"]);
    const { unit: stage } = layoutOf(panels, { kind: "projector", width, height });
    return {
      unit,
      sizes: names.map((name) => step(name, unit)),
      stage: Object.fromEntries(names.map((name) => [name, step(name, stage) / height])),
    };
  });
}"""


def test_steps_fall_from_one_to_the_next_and_never_below_twelve_pixels(engine):
    for window in engine.call(SCALE, WINDOWS):
        sizes = window["sizes"]
        assert all(large > small for large, small in itertools.pairwise(sizes))
        assert sizes[-1] >= 12
        assert window["unit"] >= 1


def test_type_grows_only_where_both_sides_of_the_window_do(engine):
    usual, wide, high, both = engine.call(
        SCALE, [(1366, 768), (2732, 768), (1366, 1536), (2732, 1536)]
    )
    assert usual["sizes"] == wide["sizes"] == high["sizes"] == [52, 28, 20, 16, 14, 12]
    assert both["sizes"] == [2 * size for size in usual["sizes"]]


@pytest.mark.parametrize(
    ("window", "title", "large"),
    [
        ((1366, 768), 0.052, 0.037),
        ((1920, 1080), 0.052, 0.037),
        ((1440, 900), 0.052, 0.037),
        ((1024, 768), 0.047, 0.033),
    ],
)
def test_a_stage_is_read_by_its_height(engine, window, title, large):
    (shares,) = engine.call(SCALE, [window])
    assert title <= shares["stage"]["title"] < 0.06
    assert large <= shares["stage"]["large"] < 0.043


@pytest.mark.parametrize("size", [(1350, 712), (1350, 584), (1904, 1024), (828, 340)])
@pytest.mark.parametrize("link", ["", "&kernel=linear", "&data=iris", "&learner=norma"])
def test_the_sentence_keeps_its_size_where_suggestions_stand_under_it(player, link, size):
    player.open(f"/?v=1{link}")
    suggestions = {"w": 390, "h": 40}
    place = "(s.player.place(...arg, {{ knob: true, next: {} }}), s.see(), 0)"
    sizes = {}
    for t in (0, 12, 30, player.js("s.run.nSteps")):
        is_end = t in (0, player.js("s.run.nSteps"))
        player.go(t).js(place.format(suggestions if is_end else "null"), size)
        sizes[t] = player.marks("words", name="sentence")[0]["size"]
        last = player.marks("words", name="sentence")[-1]
        words = player.js("s.layout.panels.words")
        assert last["y"] <= words["y"] + words["h"]
    assert len(set(sizes.values())) == 1, sizes
