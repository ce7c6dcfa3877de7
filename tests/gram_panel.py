"""The panel of the Gram matrix, read with a browser or without one."""

from kpviz import experiment
from kpviz.settings import Settings


def opened(player, show="gram", **given):
    settings = Settings.of(**given)
    player.open(f"/?{settings.query()}&show={show}")
    player.until("s.run.header.extras.gram").rest()
    return experiment.run(settings)


def matrix(player):
    """Left, top and side of the cells."""
    (mark,) = player.marks("gram", name="gram")
    return mark["x"], mark["y"], mark["w"]
