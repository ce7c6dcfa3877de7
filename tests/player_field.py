"""The field of a run as the player adds it up from its bytes, and f itself."""

import numpy as np
from readers import inner_terms

from kpviz import experiment
from kpviz.engine.run import grid, predictors
from kpviz.player import payload
from kpviz.player.experiment import Experiment
from kpviz.settings import Settings, from_query

MOST = 1500  # nodes that are looked at
LOST = 1e-12  # of what features add up to: blocks.js takes what is left of that for 0

IN_THE_PLAYER = """(t, nodes) => {
  const { Run } = load("model/run.js");
  const { field } = new Run(kpviz.bytes).reading(t);
  return nodes.map((node) => field[node]);
}"""


class Both:
    """f of a run's end at some nodes of its grid, in the player and in Python."""

    def __init__(self, engine, **given):
        made = Settings.of(**given)
        split = experiment.prepare(made)
        self.run = experiment.run(made, split)
        self.predictor = made.predictor
        data = payload.encode(Experiment.of(made, split, self.run))
        self.grid = payload.unpack(data)[0]["grid"]
        self.axes = grid.extent(np.concatenate([split.X, split.X_test])).axes(self.grid)
        nodes = np.random.default_rng(0).choice(self.grid**2, MOST, replace=False)
        self.places = self.at(np.column_stack([nodes % self.grid, nodes // self.grid]))
        engine.take(data)
        self.shown = np.array(engine.call(IN_THE_PLAYER, self.run.n_steps, nodes.tolist()), dtype=float)

    @classmethod
    def of_link(cls, engine, link):
        """The same of a link."""
        made, notice = from_query(f"v=1&{link}")
        assert notice is None
        return cls(engine, **dict(made.items))

    def at(self, steps):
        """Places in the plane, from places in steps of the grid."""
        first = np.array([axis[0] for axis in self.axes])
        return first + steps * np.array([axis[1] - axis[0] for axis in self.axes])

    def f(self, places):
        """f at some places, and the terms that it is the sum of, without their signs."""
        coef, b = (part[0] for part in predictors.coefficients(self.run, [self.run.n_steps], self.predictor))
        support = np.flatnonzero(coef)
        columns = self.run.columns(places, support)
        return columns @ coef[support] + b, np.abs(columns) @ np.abs(coef[support]) + np.abs(b)

    def check(self, near, apart):
        """What is shown is f, up to `near`; its sign is that of f wherever that is the same `apart` steps around."""
        exact, terms = self.f(self.places)
        np.testing.assert_allclose(self.shown, exact, rtol=0, atol=near * max(terms.max(), 1e-300))
        wrong = (np.sign(self.shown) != np.sign(exact)) & (terms > 1e-280)
        for way in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            step = self.at(np.array(way) * apart) - self.at(np.zeros(2))
            wrong &= np.sign(self.f(self.places + step)[0]) == np.sign(exact)
        wrong &= np.abs(exact) > near * terms
        coef = predictors.coefficients(self.run, [self.run.n_steps], self.predictor)[0][0]
        cancelled = inner_terms(self.run.kernel, self.places, self.run.X) @ np.abs(coef)
        wrong &= (self.shown != 0.0) | (np.abs(exact) > LOST * cancelled)
        assert not wrong.any(), f"{wrong.sum()} of {len(wrong)} nodes have a wrong sign"
