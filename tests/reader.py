"""What the tests read of the player, in a browser or without one: its numbers, its marks and its
words.
"""

import json
import re
from itertools import product

import numpy as np

from kpviz import experiment
from kpviz.engine.data.drawn import Drawn
from kpviz.settings import MAX_POINTS, from_query

MARKS = (
    "JSON.stringify(s.board.panels.filter((p) => p.name === arg).flatMap((p) => p.marks),"
    " (key, value) => key === 'image' ? null : ArrayBuffer.isView(value) ? [...value] : value)"
)


class Reader:
    """A player that `js(expression, arg)` asks; `s` is its stage."""

    @property
    def t(self):
        return self.js("s.t")

    @property
    def query(self):
        return self.js("s.run.header.settings.query")

    @property
    def settings(self):
        return from_query(self.query)[0]

    def values(self, expression):
        """What an expression that does not hold is made of, for those who read of it."""
        parts = sorted(set(re.findall(r"\bs(?:\.\w+)+(?![\w(])", expression)))
        return {
            part: self.js(
                f"(() => {{ try {{ return String({part}); }} catch (e) {{ return e.message; }} "
                f"}})()"
            )
            for part in parts
        }

    def marks(self, panel, **look):
        """The marks of a panel that have the wanted values."""
        marks = json.loads(self.js(MARKS, panel))
        return [
            mark for mark in marks if all(mark.get(key) == value for key, value in look.items())
        ]

    def words(self, panel="words", name=None):
        """The texts of a panel, joined by spaces."""
        texts = [
            mark["text"]
            for mark in self.marks(panel, kind="text")
            if name is None or mark.get("name") == name
        ]
        return " ".join(texts)

    @property
    def sentence(self):
        return self.words("words", "sentence")

    @property
    def counter(self):
        return self.words("words", "counter")

    @property
    def tip(self):
        """The lines of the box at the pointer."""
        return [mark["text"] for mark in self.marks("tip", kind="text")]

    def agrees(self):
        """The run on the stage is the one that Python makes of the address; returns that one."""
        run = experiment.run(self.settings)
        assert self.js("[s.run.n, s.run.nSteps]") == [len(run.y), run.n_steps]
        assert self.js("[...s.run.trace.index]") == run.index.tolist()
        assert self.js("[...s.run.trace.mistake]") == run.mistake.astype(int).tolist()
        state = run.state_at(self.t)
        coef, b, _, _ = self.reading()
        support = self.js("[...s.run.trace.support]")
        assert np.allclose(coef, state.coef[support], rtol=1e-5, atol=1e-6)
        assert set(state.support.tolist()) <= set(support)
        assert np.isclose(b, state.intercept, rtol=1e-5, atol=1e-6)
        return run

    @property
    def drawn(self):
        """The drawn points of the settings."""
        return Drawn.read(self.settings.points, MAX_POINTS)

    def spots(self):
        """The places of all points on the canvas, (n, 2)."""
        place = "(([x1, x2]) => [s.view.x(x1), s.view.y(x2)])(s.points.at(i))"
        return np.array(
            self.js(f"Array.from({{ length: s.points.n }}, (_, i) => {place})")
        ).reshape(-1, 2)

    def lonely(self):
        """The point that is farthest from all others, and its place."""
        spots = self.spots()
        far = np.hypot(*(spots[:, None] - spots[None]).transpose(2, 0, 1)) + np.diag(
            [np.inf] * len(spots)
        )
        i = int(far.min(axis=1).argmax())
        return i, tuple(spots[i].tolist())

    def on_map(self, across, up):
        """The place at these shares of the map."""
        map_ = self.js("s.layout.panels.map")
        return map_["x"] + across * map_["w"], map_["y"] + (1 - up) * map_["h"]

    def gap(self):
        """The place on the map that is farthest from all points."""
        spots = self.spots()
        if not len(spots):
            return self.on_map(0.5, 0.5)
        shares = np.linspace(0.1, 0.9, 33)
        low, high = (np.array(self.on_map(share, share)) for share in (0.0, 1.0))
        places = low + (high - low) * np.array(list(product(shares, shares)))
        far = np.hypot(*(places[:, None] - spots[None]).transpose(2, 0, 1)).min(axis=1)
        return tuple(places[far.argmax()].tolist())
