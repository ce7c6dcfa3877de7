"""k(x, ·) on the map in place of f: of the example pointed at, of the pinned one, or of that of the step."""

import numpy as np

SHOWN = "s.scenes().map.kernelRow"


def field(player):
    return np.array(player.js(f"[...{SHOWN}.field]"))


def test_e_turns_it_on_and_off_for_a_class_too(player):
    player.open("/?show=none&t=7")
    before = player.away().picture()
    player.press("e").until("s.shown.has('similar') && s.run.header.extras.similar").rest()
    assert player.js("s.query").endswith("show=similar")
    assert player.picture() != before
    player.press("e").until("!s.shown.has('similar')").rest()
    assert player.marks("map", name="boundary") != []
    player.press("w").until("s.present.on").press("e").until("s.shown.has('similar')")
    player.until(f"{SHOWN}.i !== null").rest()
    assert len(player.marks("map", name="similar")) == 1
    assert player.errors == []
