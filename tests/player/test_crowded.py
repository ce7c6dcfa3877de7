"""Where α has more columns than pixels, each class stands for itself, so that the colours of neighbours do not mix."""

import itertools

import pytest

CROWDED = [
    "learner=norma&n=1000&noise=0.2&epochs=1&t=800&show=alpha.sequence",
    "learner=pa&n=1000&noise=0.3&epochs=2&t=2000&show=alpha.sequence",
    "n=1000&noise=0.5&epochs=2&t=2000&show=alpha.sequence",
]


def bars(player):
    return [mark for mark in player.marks("alpha", kind="rect") if "i" in mark]


@pytest.mark.parametrize("link", CROWDED)
def test_no_pixel_has_bars_of_both_classes(player, link):
    player.open(f"/?v=1&{link}")
    found = bars(player)
    assert len(found) > 300
    owners = {}
    for bar in found:
        for px in range(int(bar["x"]), int(bar["x"] + bar["w"]) + 1):
            owners.setdefault(px, set()).add(bar["fill"])
    assert sum(len(fills) > 1 for fills in owners.values()) <= 2  # where one class ends
    for a, b in itertools.pairwise(found):
        assert a["x"] < b["x"]
        assert a["i"] < b["i"] or a["fill"] != b["fill"]
    assert "by class; " in player.words("alpha")


@pytest.mark.parametrize("link", CROWDED)
def test_the_pointer_finds_the_bars_where_they_stand(player, link):
    player.open(f"/?v=1&{link}")
    for bar in bars(player)[::37]:
        player.point(bar["x"] + bar["w"] / 2, bar["y"] + bar["h"] / 2)
        assert player.js("[...s.touch.hot]") == [bar["i"]]


def test_columns_that_are_wide_enough_stand_as_the_examples_do(player):
    player.open("/?v=1&learner=norma&n=100&epochs=2&t=150&show=alpha.sequence")
    found = [bar["i"] for bar in bars(player)]
    assert found == sorted(found)
    assert "by class" not in player.words("alpha")
