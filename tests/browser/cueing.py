"""Cues in the player: a link that has some, the box of a cue, and what is in it."""

import json
from urllib.parse import quote

from kpviz.settings.cues import Cues

BOX = ".kpviz .menu.cue"
LECTURE = (
    "title: XOR|by: A. Lecturer|start hold 4: No straight line separates these.|>Ask: which side "
    "will it be on?"
    "|mistake 3 light x1, margins: Look where the boundary goes.|epoch 1|end: Solved."
)


def link(code=LECTURE, **more):
    rest = "".join(f"&{key}={value}" for key, value in more.items())
    return f"/?v=1&cues={quote(code, safe='')}{rest}"


def now(player):
    """The cues as the player has them."""
    return Cues.of(
        json.loads(
            player.js("JSON.stringify({ title: s.cues.title, by: s.cues.by, cues: s.cues.list })")
        )
    )


def box(player):
    player.press("u")
    found = player.page.locator(BOX)
    found.wait_for()
    return found


def words(found, name="Words"):
    return found.get_by_label(name, exact=True)


def save(player):
    player.press("Control+Enter")
    player.page.locator(BOX).wait_for(state="detached")
    return player.settle()
