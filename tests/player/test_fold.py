"""The player folds the same arrays to the same numbers as Python, and says the same words."""

import numpy as np
import pytest
from written import read

from kpviz import experiment
from kpviz.engine.run import grid
from kpviz.lessons import explain
from kpviz.player import payload
from kpviz.settings import Settings, conditions

# What the fold must reproduce, to the digits of float32; a truncated factorisation has fewer.
CASES = {
    "gaussian": {},
    "gaussian, narrow": {"data": "spirals", "sigma": 0.02, "held": 0.3},
    "laplacian": {"data": "circles", "kernel": "laplacian"},
    "matern": {"data": "circles", "kernel": "matern32", "sigma": 0.3},
    "linear": {"data": "linear", "kernel": "linear", "intercept": "unit"},
    "linear, shifted, radius intercept": {"data": "shifted", "kernel": "linear", "intercept": "radius"},
    "polynomial": {"data": "moons", "kernel": "polynomial", "degree": 5, "epochs": 20},
    "monomial": {"data": "checkerboard", "kernel": "monomial", "degree": 3, "epochs": 10},
    "all subsets": {"data": "blobs", "kernel": "subsets", "intercept": "unit"},
    "sigmoid": {"data": "linear", "kernel": "sigmoid", "epochs": 10},
    "sum": {"combine": "sum", "kernel2": "linear", "noise": 0.2, "epochs": 10},
    "product": {"kernel": "laplacian", "combine": "product", "kernel2": "polynomial", "epochs": 10},
    "learning rate, shuffled": {"eta": 0.1, "order": "shuffled", "oseed": 3, "noise": 0.15},
    "random order, tie positive": {"order": "random", "tie": "positive", "noise": 0.15},
    "tie negative": {"data": "linear", "kernel": "linear", "tie": "negative"},
    "nothing learnt": {"tie": "correct"},
    "averaged": {"predictor": "averaged", "noise": 0.2, "order": "shuffled", "intercept": "unit"},
    "voted": {"predictor": "voted", "noise": 0.2, "flipped": 0.1, "epochs": 20},
    "voted, linear": {"data": "linear", "kernel": "linear", "predictor": "voted", "intercept": "unit"},
    "held out": {"data": "spirals", "n": 120, "held": 0.3, "sigma": 0.2},
    "real": {"data": "iris", "kernel": "gaussian", "sigma": 0.3, "held": 0.2},
    "a formula of distance and inner product": {"kernel": "formula", "formula": "exp(-norm(u-v)) + 0.1*dot(u,v)"},
    "a formula of distance, normalized": {"kernel": "formula", "formula": "2/(1+norm(u-v))", "normalize": "on"},
    "many points": {"data": "circles", "n": 500, "noise": 0.25, "epochs": 15},
    "all subsets of literals": {"kernel": "subsets", "negated": "on", "epochs": 10},
    "a kink times a product": {"kernel": "formula", "formula": "exp(-norm(u-v))*(1+u[1]*v[1])", "normalize": "on"},
    "a kinked profile times a bump": {"kernel": "formula", "formula": "abs(dot(u,v))*exp(-norm(u-v)**2)"},
    "formula": {"kernel": "formula", "formula": "exp(-norm(u - v)**2) + 0.1*dot(u, v)", "data": "moons"},
    "minus the distance": {"kernel": "formula", "formula": "-norm(u - v)", "epochs": 9},
    "a square that is no kernel": {"kernel": "formula", "formula": "(dot(u, v) - 1)**2", "eta": 0.3, "epochs": 12},
    "fourth power": {"kernel": "formula", "formula": "exp(-norm(u - v)**4)", "data": "spirals", "epochs": 4},
    "density": {"kernel": "density", "intercept": "unit", "epochs": 5},
    "mixture": {"kernel": "mixture", "components": 3, "data": "moons", "noise": 0.2},
    "texts": {"data": "texts", "held": 0.2},
    "texts, two": {"data": "texts", "combine": "sum", "kernel2": "spectrum", "predictor": "averaged"},
    "trees": {"data": "trees", "intercept": "radius", "eta": 0.5},
    "graphs": {"data": "graphs", "rounds": 0, "epochs": 12},
    "bits": {"data": "bits", "function": "parity", "bits": 5, "seed": 2},
    "bits, voted": {"data": "bits", "kernel": "linear", "predictor": "voted", "epochs": 9},
}
# Of the largest |f|, else 1e-5: functions with kinks are sent as exactly as their size allows, and large terms cancel.
TOLERANCE = {"sigmoid": 1e-3, "minus the distance": 1e-3, "fourth power": 1e-3, "mixture": 1e-4}

IN_THE_PLAYER = """(times) => {
  const [{ Run }, { counter, explain, numbersOf }, { histogram, binOf }] =
    ["model/run.js", "model/words.js", "model/histogram.js"].map(load);
  const run = new Run(kpviz.bytes);
  const ids = Array.from({ length: run.n }, (_, i) => i);
  return times.map((t) => {
    const { coef, b, field, scores } = run.reading(t);
    const { margins, limit, counts } = histogram(run, { coef, b, field, scores }, false, t);
    return {
      coef, b, field, scores,
      mistakes: run.trace.mistakesBefore(t), epoch: run.trace.nSteps ? run.trace.epochAt(t) : 0,
      bricks: ids.map((i) => run.trace.mistakesOn(i, t)),
      bins: Array.from(margins, (margin) => binOf(margin, limit)), counts: Array.from(counts),
      words: explain(run, t), counter: counter(run, t), numbers: t ? numbersOf(run, t) : {},
      support: Array.from(run.trace.support),
    };
  });
}"""


def instants(run):
    """The start, the end, the middle, an epoch's start, and both sides of some mistakes."""
    mistakes = np.flatnonzero(run.mistake)
    some = mistakes[[0, len(mistakes) // 2, -1]] if len(mistakes) else []
    starts = run.epoch_start[1:2].tolist()
    return sorted({0, 1, run.n_steps // 2, run.n_steps, *starts, *(int(s) + d for s in some for d in (0, 1))})


class Both:
    """One setting in Python, and what the player makes of its bytes at some instants."""

    def __init__(self, engine, given):
        self.settings = Settings.of(**given)
        self.split = experiment.prepare(self.settings)
        self.run = experiment.run(self.settings, self.split)
        self.everywhere = np.concatenate([self.split.X, self.split.X_test])
        self.has_plane = conditions.has_plane(self.settings.values)
        data = payload.encode(self.settings, self.split, self.run)
        self.nodes = payload.unpack(data)[0]["grid"]
        self.axes = grid.extent(self.everywhere).axes(self.nodes) if self.has_plane else None
        self.times = instants(self.run)
        engine.take(data)
        self.page = engine.call(IN_THE_PLAYER, self.times)

    @property
    def predictor(self):
        return self.settings.predictor

    def scores(self, t):
        values = self.run.decision_function(self.everywhere, t, self.predictor)
        return values / max(t, 1) if self.predictor == "voted" else values

    def field(self, t):
        """f on the nodes; nothing where it has values at the examples only."""
        if not self.has_plane:
            return np.zeros((self.nodes, self.nodes))
        return grid.field(self.run, t, *self.axes, self.predictor)


@pytest.fixture(scope="module")
def both(engine):
    made = {}

    def get(name):
        if name not in made:
            made.clear()  # the tests of one case come one after the other
            made[name] = Both(engine, CASES[name])
        return made[name]

    return get


@pytest.fixture(params=CASES, scope="module")
def case(request, both):
    return request.param, both(request.param)


def test_the_player_folds_to_the_same_function(case):
    name, both = case
    for t, page in zip(both.times, both.page, strict=True):
        field, scores = both.field(t), both.scores(t)
        theirs, their_scores = np.array(page["field"]).reshape(field.shape), np.array(page["scores"])
        theirs = theirs if both.has_plane else field
        if both.predictor == "voted":  # where f is 0 but for rounding, its sign is anyone's
            assert (np.abs(theirs - field) > 1e-6).mean() < 0.01, (name, t)
            assert (np.abs(their_scores - scores) > 1e-6).mean() < 0.02, (name, t)
            continue
        tolerance = TOLERANCE.get(name, 1e-5) * max(np.abs(field).max(), np.abs(scores).max())
        np.testing.assert_allclose(theirs, field, rtol=0, atol=tolerance, err_msg=f"field, {name}, t = {t}")
        np.testing.assert_allclose(their_scores, scores, rtol=0, atol=tolerance, err_msg=f"scores, {name}, t = {t}")


def test_the_player_folds_to_the_same_coefficients(case):
    name, both = case
    for t, page in zip(both.times, both.page, strict=True):
        predictor = "averaged" if both.predictor == "averaged" else "last"
        coef = np.zeros(len(both.split.y))
        coef[page["support"]] = np.array(page["coef"])
        if predictor == "last":
            state = both.run.state_at(t)
            np.testing.assert_array_equal(coef, state.coef, err_msg=name)
            assert page["b"] == pytest.approx(state.intercept, rel=1e-12, abs=0)
        else:
            mean = np.mean([both.run.state_at(s).coef for s in range(1, t + 1)], axis=0) if t else 0.0
            np.testing.assert_allclose(coef, np.broadcast_to(mean, coef.shape), rtol=1e-9, atol=1e-12)


def test_the_player_counts_the_same(case):
    name, both = case
    run, y = both.run, both.split.y
    scales = payload.unpack(payload.encode(both.settings, both.split, run))[0]["scales"]
    for t, page in zip(both.times, both.page, strict=True):
        limit = next(end for since, end in reversed(scales) if since <= t)
        assert page["mistakes"] == run.mistake[:t].sum(), (name, t)
        assert page["epoch"] == max(np.searchsorted(run.epoch_start, max(t, 1)), 0), (name, t)
        bricks = np.bincount(run.index[:t][run.mistake[:t]], minlength=len(y))
        np.testing.assert_array_equal(page["bricks"], bricks)
        assert page["counts"] == np.bincount(page["bins"], minlength=50).tolist()
        if both.predictor != "voted":
            margins = y * both.scores(t)[: len(y)]
            slack = 1e-4 * np.abs(margins).max()
            assert (_bin(margins - slack, limit) <= page["bins"]).all(), (name, t)
            assert (_bin(margins + slack, limit) >= page["bins"]).all(), (name, t)


def test_scores_too_small_for_single_precision_keep_their_sign(both):
    case = both("gaussian, narrow")
    scores = case.scores(case.run.n_steps)
    assert np.abs(scores[scores != 0]).min() < 1e-60
    np.testing.assert_array_equal(np.sign(case.page[-1]["scores"]), np.sign(scores))


def test_far_from_all_examples_the_field_keeps_its_sign(both):
    case = both("gaussian, narrow")
    field = case.field(case.run.n_steps)
    theirs = np.array(case.page[-1]["field"]).reshape(field.shape)
    assert np.abs(field[field != 0]).min() < 1e-200
    sure = np.abs(field) > 1e-290
    assert sure.mean() > 0.9
    np.testing.assert_array_equal(np.sign(theirs[sure]), np.sign(field[sure]))


def _bin(margins, limit):
    """25 bins up to 0 and 25 above; what lies outside falls into the last ones."""
    return np.clip(24 + np.ceil(np.clip(margins / limit, -1, 1) * 25), 0, 49)


def test_player_and_python_say_the_same(case):
    name, both = case
    look_for = experiment.look_for(both.settings)
    for t, page in zip(both.times, both.page, strict=True):
        explained = explain.explain(both.run, t, classes=both.split.source.classes)
        assert page["words"]["formula"] == explained.formula, (name, t)
        sentence = explained.sentence if t else f"{look_for} {explained.sentence}".strip()
        assert (page["words"]["sentence"], page["words"]["line"]) == (sentence, explained.line), (name, t)
        assert page["numbers"] == explained.numbers, (name, t)
        assert page["counter"] == explain.counter(both.run, t), (name, t)


@pytest.mark.parametrize("name", ["minus the distance", "a square that is no kernel", "fourth power"])
def test_the_player_tells_a_squared_norm_below_zero_and_what_repeats(both, name):
    case = both(name)
    run = case.run
    coefs = [run.state_at(t).coef for t in case.times]
    norms = [float(coef @ run.gram @ coef) for coef in coefs]
    assert min(norms) < 0
    for norm, page in zip(norms, case.page, strict=True):
        assert read(page["counter"].rpartition(" · ‖f‖² = ")[2]) == pytest.approx(norm, rel=0.051, abs=0.0051)
    assert "‖f‖² was negative at step" in case.page[-1]["words"]["sentence"]
    repeats = name != "fourth power"
    assert ("it repeats itself" in case.page[-1]["words"]["sentence"]) == repeats


def test_the_player_tells_no_norm_of_a_kernel(both):
    for name in ("gaussian", "bits", "texts"):
        assert not any("‖f‖²" in page["counter"] for page in both(name).page)


def test_player_and_python_write_every_number_alike(engine):
    rng = np.random.default_rng(0)
    ties = np.concatenate(
        [[0.125, 0.375, 2.5, 0.005, 1.005, 0.00015, 0.1, 0.0001, 1e-7, 1e-30, 1e-45, 1e-60], np.arange(40) / 8]
    )
    wide = rng.normal(size=1500) * 10.0 ** rng.uniform(-12, 7, size=1500)
    ends = [999_999.0, 999_999.5, 999_999.96, 999_999.99, 1e6, 1_000_001.0, 1_049_999.0, 1_050_000.0, 9.99e8, 1e9]
    values = [
        0.0,
        *ends,
        *ties,
        *-ties,
        *wide,
        *np.round(rng.normal(size=500), 3),
        *(rng.integers(-999, 999, 500) / 1000),
    ]
    theirs = engine.call("(values) => values.map(load('model/words.js').number)", [float(v) for v in values])
    different = [(v, ours, text) for v, text in zip(values, theirs, strict=True) if (ours := explain.number(v)) != text]
    assert different == []


def test_player_and_python_tell_two_numbers_apart_alike(engine):
    rng = np.random.default_rng(1)
    was = np.concatenate([rng.normal(size=400) * 10.0 ** rng.uniform(-9, 8, size=400), [0.0, 0.1, 0.0001, 1e6, 0.0]])
    gap = 10.0 ** rng.uniform(-9, 0, size=len(was)) * np.abs(was)
    pairs = [[0.0, 0.0], *([float(np.float32(a)), float(a + d)] for a, d in zip(was, gap, strict=True))]
    theirs = engine.call(
        "(pairs) => pairs.map(([a, b]) => load('model/words.js').toldApart(a, b, { hardly: 'hardly different' }))",
        pairs,
    )
    ours = [list(explain.told_apart(*pair)) for pair in pairs]
    assert [(pair, a, b) for pair, a, b in zip(pairs, ours, theirs, strict=True) if a != b] == []
    assert any(now == "hardly different" for _, now in ours)
