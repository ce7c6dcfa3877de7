"""Lines of a large map are as wide, beside its points, as those of a small one."""

import pytest

STAGED = "/?v=1&t=30&stage=16x9"


def drawn(player, width, height):
    player.open(STAGED, {"width": width, "height": height})
    (boundary,) = player.marks("map", name="boundary")
    return boundary["width"], player.js("s.layout.panels.map.w")


def test_lines_grow_with_the_map_and_never_get_thinner(player):
    small, wide = drawn(player, 640, 360)
    assert wide < 600
    large, across = drawn(player, 1920, 1080)
    assert across > 600
    assert large == pytest.approx(small * across / 600)
    assert drawn(player, 1280, 720)[0] >= small
