"""The readers of a run, for tests that compare them: its changes carried out one by one, and the
player's fold.
"""

from dataclasses import dataclass

import numpy as np
from sent import Sent

import kpviz
from kpviz import experiment
from kpviz.engine.kernels.formula import formula_of
from kpviz.player.experiment import Experiment
from kpviz.settings import Settings

SUBNORMAL = 1e-320  # numbers near it have few digits
DOUBLE = 1e-15  # of what was added up: what rounding to double precision may leave


def subject_of(values, *, resumed=False):
    """What settings show; resumed: a run that goes on from the end of theirs, which no settings
    describe.
    """
    settings = Settings.of(**values)
    split = experiment.prepare(settings)
    first = experiment.run(settings, split)
    if (
        not resumed or settings.stream == "on" or first.learner.chooses
    ):  # who chooses must begin at zero
        return Experiment.of(settings, split, first)
    order = experiment.order_of(settings, len(split.y))
    run = kpviz.train(
        first.learner,
        split.X,
        split.y,
        kernel=experiment.kernel(settings),
        order=order if isinstance(order, str) else [order] * settings.epochs,
        epochs=settings.epochs,
        seed=settings.oseed + 1,
        start=first.state_at(first.n_steps),
    )
    held = {"X_test": split.X_test, "y_test": split.y_test} if len(split.y_test) else {}
    return Experiment.from_run(run, settings.predictor, classes=split.source.classes, **held)


@dataclass
class Instant:
    """What the changes before an instant add up to; entries are [step, example, weight], all in
    data units.
    """

    entries: list
    coef: np.ndarray
    b: float


def carried_out(run):
    """The instants of a run, from its start to its end: all of its changes carried out,
    one by one.
    """
    changes = run.changes
    unit = run.unit
    n = len(run.y)
    entries = []
    b = 0.0
    if run.start is not None:
        index = run.start.support
        weight = run.start.coef[run.start.support]
        if run.start.entries is not None:
            index = run.start.entries.index
            weight = run.start.entries.weight
        entries = [
            [-len(index) - 1 + k, i, w / unit]
            for k, (i, w) in enumerate(zip(index, weight, strict=True))
        ]
        b = run.start.intercept / unit
    made = {int(step): j for j, step in enumerate(changes.step)}
    instants = []
    for t in range(run.n_steps + 1):
        coef = np.zeros(n)
        np.add.at(coef, [i for _, i, _ in entries], [w * unit for _, _, w in entries])
        instants.append(Instant([[step, i, w * unit] for step, i, w in entries], coef, b * unit))
        j = made.get(t)
        if j is not None:
            part = slice(changes.pointer[j], changes.pointer[j + 1])
            added = zip(changes.index[part], changes.delta[part], strict=True)
            entries = [[step, i, w * changes.shrink[j]] for step, i, w in entries] + [
                [t, i, w] for i, w in added
            ]
            if changes.evicted[j] != -1:
                entries = [entry for entry in entries if entry[0] != changes.evicted[j]]
            b += changes.shift[j]
    return instants


def inner_terms(kernel, places, X):
    """The size of what k adds up where it has an inner product, (n_places, n); 0 where nothing
    cancels within k.
    """
    try:
        has_dot = "dot(" in formula_of(kernel)
    except ValueError:  # it has no formula: a part of it may be an inner product
        has_dot = np.asarray(X).dtype.kind == "f"
    return np.abs(kernel(np.abs(places), np.abs(X))) if has_dot else np.zeros((len(places), len(X)))


class Fold:
    """f as its kernel and the changes, carried out one by one, make it, at some places."""

    def __init__(self, run, predictor, places):
        self.run = run
        self.predictor = predictor
        self.instants = carried_out(run)
        kernel = run.kernel(places, run.X)
        coefs = np.array([instant.coef for instant in self.instants])
        bs = np.array([instant.b for instant in self.instants])
        self.f = coefs @ kernel.T + bs[:, None]
        size = np.maximum.accumulate(
            np.abs(coefs).max(axis=1)
        )  # what cancelled in a coefficient is rounded, too
        terms = np.abs(coefs) @ np.abs(kernel).T + np.abs(bs)[:, None]
        self.terms = np.maximum.accumulate(terms) + 1e-3 * size[:, None] * np.abs(kernel).sum(
            axis=1
        )
        # Inner products may cancel within k itself: at a node at a right angle to an example
        # rounding decides its sign.
        self.within = (
            DOUBLE * size[:, None] * inner_terms(run.kernel, places, run.X).sum(axis=1) + SUBNORMAL
        )
        self.coefs = coefs
        self.bs = bs

    def coef(self, t):
        """Coefficients and b as the predictor has them; a vote has none, and shows the
        last ones.
        """
        if self.predictor != "averaged":
            return self.coefs[t], self.bs[t]
        return (
            (self.coefs[1 : t + 1].mean(axis=0), self.bs[1 : t + 1].mean())
            if t
            else (0 * self.coefs[0], 0.0)
        )

    def scores(self, t, near):
        """What the predictor says at the places at t, of a vote the share; and by how much one may
        be wrong.
        """
        if self.predictor == "last":
            return self.f[t], near * self.terms[t] + self.within[t]
        if not t:
            return 0 * self.f[0], 0 * self.f[0]
        if self.predictor == "averaged":
            return self.f[1 : t + 1].mean(axis=0), near * self.terms[t] + self.within[t]
        bound = near * self.terms[1 : t + 1] + self.within[1 : t + 1]
        doubtful = np.abs(self.f[1 : t + 1]) <= bound
        return np.where(self.f[1 : t + 1] >= 0, 1.0, -1.0).mean(axis=0), 2 * doubtful.mean(
            axis=0
        ) + 1e-12


def instants_of(run, most=7):
    """The ends, and instants spread over the run, both sides of mistakes, changes and evictions
    among them.
    """
    changes = run.changes
    mistakes = np.flatnonzero(run.mistake)
    some = mistakes[[len(mistakes) // 2, -1]] if len(mistakes) else []
    events = [*changes.step[changes.evicted != -1][:2], *changes.step[:2], *some]
    spread = np.linspace(0, run.n_steps, most).astype(int)
    near = (int(step) + after for step in [*events, *run.epoch_start[1:2]] for after in (0, 1))
    return sorted({0, min(1, run.n_steps), *spread.tolist(), *near})


IN_THE_PLAYER = """(times, nodes) => {
  const [{ Run }, { explain, numbersOf }, { histogram, binOf, normOf }] =
    ["run/run.js", "run/words.js", "run/series.js"].map(load);
  const run = new Run(kpviz.bytes);
  const { contributions, details, stream, trace } = run;
  const ids = Array.from({ length: run.n }, (_, i) => i);
  const binned = (reading, t) => {
    const { margins, limit, counts } = histogram(run, reading, false, t);
    return { margins, limit, counts: [...counts], bins: Array.from(margins, (margin) => binOf(margin, limit)) };
  };
  const instant = (t) => {
    const reading = run.reading(t);
    const last = { ...trace.state(t) };
    const whole = stream ? {} : {
      ...binned(reading, t), norm: normOf(run, { ...last, scores: contributions.wholeScores(last.coef, last.b) }),
    };
    return {
      ...whole,
      coef: [...reading.coef], b: reading.b, scores: [...reading.scores],
      field: nodes.map((node) => reading.field[node]),
      alphas: ids.map((i) => run.alphaOf(i, t)), bricks: ids.map((i) => trace.mistakesOn(i, t)),
      mistakes: trace.mistakesBefore(t), epoch: trace.nSteps ? trace.epochAt(t) : 0,
      entries: trace.entries(t).map(({ step, i, weight }) => [step, i, weight]),
      details: Object.fromEntries(Object.keys(details).map((name) => [name, t ? details[name][t - 1] : null])),
      words: explain(run, t), numbers: t ? numbersOf(run, t) : {}, counter: run.counter(t), blank: run.isBlank(t),
    };
  };
  const [side, node] = [run.header.grid, nodes[0]];
  const everySecond = times.filter((_, k) => k % 2 === 0);
  return {
    forth: times.map(instant), back: everySecond.toReversed().map(instant).toReversed(),
    support: [...trace.support], stops: [...trace.stops],
    node: run.plane ? [...contributions.at(node % side, Math.floor(node / side))] : [],
    hill: run.plane && trace.support.length ? contributions.bump(0)[node] : null,
  };
}"""


class Readers:
    """A run as its readers have it, at some instants, and at its examples and some nodes of its
    map.
    """

    def __init__(self, engine, subject, nodes=200):
        self.subject = subject
        self.run = subject.run
        self.predictor = subject.predictor
        self.sent = Sent.of(subject)
        self.times = instants_of(subject.run)
        side = self.sent.header["grid"]
        self.nodes = np.random.default_rng(0).choice(side**2, nodes, replace=False)
        self.places = subject.split.everything
        self.examples = len(self.places)
        if self.sent.has_plane:
            x1, x2 = self.sent.axes
            nodes = np.column_stack([x1[self.nodes % side], x2[self.nodes // side]])
            self.places = np.concatenate([self.places, nodes])
        self.fold = Fold(self.run, self.predictor, self.places)
        engine.take(self.sent.data)
        self.player = engine.call(IN_THE_PLAYER, self.times, self.nodes.tolist())
