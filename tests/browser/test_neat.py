"""Buttons and words for a moment, which lie over the canvas, cover nothing that is drawn there."""

import pytest

SIZES = [(1366, 768), (1920, 1080)]
WRITTEN = """(() => {
  const measure = document.createElement("canvas").getContext("2d");
  const board = r.querySelector("canvas").getBoundingClientRect();
  return s.board.panels.flatMap(({ marks }) => marks).filter(({ kind, text }) => kind === "text" && text)
    .map(({ text, x, y, size, align, weight }) => {
      measure.font = `${weight ?? 400} ${size}px ${s.palette.fonts.canvas}`;
      const w = measure.measureText(text).width;
      const left = board.left + x - { center: w / 2, right: w }[align] || board.left + x;
      return [text, left, left + w, board.top + y - 0.7 * size, board.top + y];
    });
})()"""


def box(player, selector):
    """Left, right, upper and lower edge of an element, in pixels of the page."""
    found = player.page.locator(f".kpviz {selector}").bounding_box()
    return found["x"], found["x"] + found["width"], found["y"], found["y"] + found["height"]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(
    "link", ["t=40&kernel=polynomial", "data=circles&kernel=polynomial&t=40", "n=4&noise=0&kernel=polynomial&t=3"]
)
def test_the_button_that_rescales_covers_no_point(player, link, size):
    player.wear(*size).open(f"/?v=1&{link}")
    player.page.locator(".kpviz .rescale").wait_for()
    left, right, top, low = box(player, ".rescale")
    board = player.page.locator(".kpviz canvas").bounding_box()
    points = [mark for mark in player.marks("map") if mark.get("i") is not None and "r" in mark]
    assert len(points) >= 4
    for point in points:
        x, y = board["x"] + point["x"], board["y"] + point["y"]
        assert max(left - x, x - right, top - y, y - low) >= point["r"]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(
    "link", ["v=1&t=9999", "v=1&t=9999&stage=window", "compare=ties&t=9999", "compare=ties&t=9999&stage=window"]
)
def test_what_is_said_for_a_moment_covers_no_word(player, link, size):
    player.wear(*size).open(f"/?{link}")
    player.js("s.say('This run has 9,999 steps: here is its end.', { persist: true })")
    player.rest()
    left, right, top, low = box(player, ".status")
    assert 0 <= left < right <= size[0]
    for text, *edges in player.js(WRITTEN):
        assert edges[1] <= left or edges[0] >= right or edges[3] <= top or edges[2] >= low, text
