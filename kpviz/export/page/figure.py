"""A live figure within another page.

A frame that holds the page of a run, which loads the player from a shared file.

A frame has a window of its own, so keys, styles and sizes of several figures and of the page around
them never mix, and the browser loads their one player once.

Tests: tests/export/test_page.py.
"""

from __future__ import annotations

from kpviz import experiment
from kpviz.export.page.page import frame, page, still
from kpviz.lessons.file.links import PLAY, Link
from kpviz.player.comparison import Comparison
from kpviz.settings.cues import Cues

HEIGHT = 420  # In pixels.
_NO_PLAYER = "Only the player is a live figure: give a link of it, as v=1&data=xor."


def experiments_of(link: Link) -> Comparison:
    """Return the run of a link with those pinned beside it.

    ValueError, of one sentence, where there is none.
    """
    if link.page != PLAY or not link.query:
        raise ValueError(_NO_PLAYER)
    if link.problems:
        raise ValueError(link.problems[0])
    return Comparison.trained(link.settings, experiment.prepare(link.settings), link.pins)


def figure(
    link: str,
    *,
    player: str,
    height: int = HEIGHT,
    picture: str = "",
    alt: str = "",
) -> str:
    """Return the html of a live figure, which rests at first.

    The run of a link at its step, with its panels and cues.

    Parameters
    ----------
    link : of the player, "v=1&data=xor&t=12" or a whole address.
    player : where the file of `shared_player` is, seen from the page around the figure.
    height : in CSS pixels.
    picture, alt : the address of a picture that stands there without JavaScript, and what it shows.

    Raises
    ------
    ValueError
        One sentence: the link has no run.
    """
    read = Link.read(link)
    experiments = experiments_of(read)
    current = experiments.current
    named = " · ".join(filter(None, (current.title, current.kernel, current.about.title)))
    text = page(
        experiments,
        Cues.of_code(read.settings.cues),
        view=read.view,
        autoplay=False,
        player=player,
        instead=still(picture, alt or named) if picture else "",
    )
    return frame(text, title=named, height=height)
