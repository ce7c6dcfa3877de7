"""A session to edit in, and the messages that the player would send it."""

import numpy as np

from kpviz.app import commands
from kpviz.engine.data.drawn import Drawn
from kpviz.settings import DRAWN, Settings


def scattered(n, seed=0, held=0):
    draw = np.random.default_rng(seed)
    return Drawn.of(draw.uniform(-1.0, 1.0, (n, 2)), draw.choice([-1.0, 1.0], n), held)


def code(seed, n=5):
    return scattered(n, seed).code


def drawn(seed=0, n=5, **more):
    return Settings.of(data=DRAWN, points=code(seed, n), **more)


def moment(here):
    return here.settings, here.data_id, here.origin


def everything(here):
    return moment(here), list(here.past), list(here.future), here.asked, here.pins, here.notice, here.dialog, here.live


def send(here, name, value=None, **more):
    """One message, newer than all before."""
    commands.carry_out(here, [{"n": here.carried_out + 1, "name": name, "t": 0, "value": value, **more}])


def edit(here, seed, **more):
    send(here, "points", {"code": code(seed)}, **more)


def turn(here, name, to, **more):
    send(here, "tune", {"name": name, "to": to}, **more)
