"""Last, averaged and voted together: three boundaries, three errors, and a vote for each presentation."""

import numpy as np
from test_layout import SIZES, outside, overlap, resize, scrolled


def floor(values):
    return np.clip(np.floor(values).astype(int), 0, 95)


def ceil(values):
    return np.clip(np.ceil(values).astype(int), 0, 95)


def test_the_other_readings_are_not_worked_out_before_they_are_asked_for(player):
    player.open("/?v=1&show=alpha").go(100)
    assert player.js("s.run.predictors === undefined && s.run.votes === undefined")
    assert player.marks("map", name="other") == []
    assert not player.js("'votes' in s.layout.panels")
    player.press("h")
    player.page.locator(".kpviz [data-panel=readings]").check()
    player.until("s.run.header.extras.readings").rest()
    assert len(player.marks("map", name="other")) == 2
    assert player.t == 100


LONGEST = "v=1&kernel=polynomial&degree=4&noise=0.2&held=0.3&t=180&show=alpha.bound.code.margins.primal.readings"


def test_all_panels_at_once_stay_inside(player):
    fewer = [LONGEST.replace(part, "") for part in ("bound.code.margins.", "alpha.bound.code.margins.primal.")]
    for link in (LONGEST, *fewer):
        player.open(f"/?{link}")
        player.until("s.run.header.extras.readings").rest()
        for width, height in SIZES:
            resize(player, width, height)
            assert scrolled(player) == [False] * 4
            assert [place for place in outside(player) if place[0] in ("readings", "primal", "votes", "code")] == [], (
                width,
                height,
            )
            panels = player.js("Object.entries(s.layout.panels)")
            assert [(a, b) for k, (a, p) in enumerate(panels) for b, q in panels[k + 1 :] if overlap(p, q)] == []


def test_a_narrow_window_has_a_tab_for_them(player):
    player.wear(800, 844).open("/?v=1&t=30&show=alpha.primal.readings&kernel=linear")
    player.until("s.run.header.extras.readings").rest()
    for name, panel in (("Readings", "readings"), ("Primal", "primal")):
        player.page.locator(".kpviz .tabs").get_by_text(name, exact=True).click()
        player.until("s.board.panels.some((p) => p.name === arg)", panel).rest()
        assert outside(player) == []
        assert {"map", "timeline", "votes", panel} == set(player.js("s.board.panels.map((p) => p.name)"))
