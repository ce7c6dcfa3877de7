"""Every learner in the player: it folds and tells what Python recorded, at every instant, forwards and backwards."""

from itertools import cycle

import numpy as np
import pytest
from learner_cases import DATA, VARIANTS, instants, stops_of

from kpviz import experiment, tokens
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run import grid
from kpviz.lessons import explain
from kpviz.player import payload
from kpviz.settings import Settings

CASES = {
    **{name: {"learner": name, **DATA} for name in LEARNERS},
    **VARIANTS,
    **{
        f"{name}, {predictor}": {"learner": name, "predictor": predictor, **DATA}
        for name, predictor in zip(LEARNERS, cycle(("averaged", "voted")))
    },
    **{
        f"{name}, {predictor}": {"predictor": predictor, **VARIANTS[name]}
        for name in ("oldest, one", "norma, truncated", "forgetron, few")
        for predictor in ("averaged", "voted")
    },
}

IN_THE_PLAYER = """(times) => {
  const [{ Run }, { explain, numbersOf, counter }, { histogram, binOf }] =
    ["model/run.js", "model/words.js", "model/histogram.js"].map(load);
  const run = new Run(kpviz.bytes);
  const ids = Array.from({ length: run.n }, (_, i) => i);
  return times.map((t) => {
    const { coef, b, field, scores } = run.reading(t);
    const { margins, limit, counts } = histogram(run, { coef, b, field, scores }, false, t);
    return {
      coef, b, field, scores, margins,
      alphas: ids.map((i) => run.alphaOf(i, t)), support: Array.from(run.trace.support),
      entries: run.trace.entries(t).map(({ step, i, weight }) => [step, i, weight]),
      details: Object.fromEntries(Object.keys(run.details).map((name) => [name, t ? run.details[name][t - 1] : null])),
      bins: Array.from(margins, (margin) => binOf(margin, limit)), counts: Array.from(counts),
      words: explain(run, t), numbers: t ? numbersOf(run, t) : {}, counter: counter(run, t),
      at: run.contributions.at(70, 20),
      bump: run.trace.support.length ? run.contributions.bump(0)[20 * 96 + 70] : 0,
      stops: Array.from(run.trace.stops),
    };
  });
}"""


class Both:
    """One setting in Python, and what the player makes of its bytes at some instants: forwards, then backwards."""

    def __init__(self, engine, given):
        self.settings = Settings.of(**given)
        self.split = experiment.prepare(self.settings)
        self.run = experiment.run(self.settings, self.split)
        self.everywhere = np.concatenate([self.split.X, self.split.X_test])
        self.times = instants(self.run, 6)
        engine.take(payload.encode(self.settings, self.split, self.run))
        pages = engine.call(IN_THE_PLAYER, [*self.times, *self.times[::-1]])
        self.page, self.back = pages[: len(self.times)], pages[: len(self.times) - 1 : -1]

    def at_each(self):
        return zip(self.times, self.page, strict=True)

    def readings(self, t):
        """f on the grid and on all examples, as the predictor reads it; of a vote the share."""
        axes = grid.extent(self.everywhere).axes(tokens.GRID)
        predictor = self.settings.predictor
        scores = self.run.decision_function(self.everywhere, t, predictor)
        return grid.field(self.run, t, *axes, predictor), scores / max(t, 1) if predictor == "voted" else scores


@pytest.fixture(params=CASES, scope="module")
def both(request, engine):
    return Both(engine, CASES[request.param])


def test_the_player_folds_to_the_same_function(both):
    for t, page in both.at_each():
        field, scores = both.readings(t)
        theirs, their_scores = np.array(page["field"]).reshape(field.shape), np.array(page["scores"])
        if both.settings.predictor == "voted":  # where f is 0 but for rounding, its sign is anyone's
            assert (np.abs(theirs - field) > 1e-6).mean() < 0.01, t
            assert (np.abs(their_scores - scores) > 1e-6).mean() < 0.03, t
            continue
        tolerance = 1e-5 * max(np.abs(field).max(), np.abs(scores).max(), 1e-3)
        np.testing.assert_allclose(theirs, field, rtol=0, atol=tolerance, err_msg=f"field, t = {t}")
        np.testing.assert_allclose(their_scores, scores, rtol=0, atol=tolerance, err_msg=f"scores, t = {t}")


def test_a_node_of_the_map_is_a_sum_over_the_support(both):
    x1, x2 = grid.extent(both.everywhere).axes(tokens.GRID)
    page = both.page[0]
    wanted = both.run.kernel(np.array([[x1[70], x2[20]]]), both.run.X[page["support"]])[0]
    np.testing.assert_allclose(np.array(page["at"]), wanted, rtol=0, atol=3e-6 * np.abs(wanted).max())
    assert page["bump"] == pytest.approx(wanted[0], abs=3e-6 * np.abs(wanted).max())


def test_going_back_is_the_same_as_going_forth(both):
    for forth, back in zip(both.page, both.back, strict=True):
        assert forth == back


def test_the_player_folds_to_the_same_coefficients(both):
    run, y = both.run, both.split.y
    states = [run.state_at(t) for t in range(run.n_steps + 1)]
    for t, page in both.at_each():
        state = states[t]
        size = 1.0 + np.abs(state.coef).max()
        alphas = np.array(page["alphas"])
        np.testing.assert_allclose(alphas, y * state.coef, rtol=0, atol=1e-6 * size)
        np.testing.assert_array_equal(alphas == 0, state.coef == 0)
        coef = np.zeros(len(y))
        coef[page["support"]] = np.array(page["coef"])
        if both.settings.predictor == "averaged":
            wanted = np.mean([s.coef for s in states[1 : t + 1]], axis=0) if t else np.zeros(len(y))
            b = np.mean([s.intercept for s in states[1 : t + 1]]) if t else 0.0
        else:
            wanted, b = state.coef, state.intercept
        np.testing.assert_allclose(coef, wanted, rtol=0, atol=1e-6 * size)
        assert page["b"] == pytest.approx(b, abs=1e-6 * (1 + abs(b)))


def test_the_player_remembers_the_same_presentations(both):
    for t, page in both.at_each():
        theirs = both.run.entries_at(t)
        assert [entry[:2] for entry in page["entries"]] == [[step, i] for step, i, _ in theirs.rows()], t
        weights = [entry[2] for entry in page["entries"]]
        size = 1.0 + np.abs(theirs.weight).max(initial=0.0)
        np.testing.assert_allclose(weights, theirs.weight, rtol=0, atol=1e-6 * size)


def test_the_player_has_the_particulars_of_every_step(both):
    for t, page in both.at_each():
        for name, value in page["details"].items():
            assert value == (None if t == 0 else np.float32(both.run.details[name][t - 1])), (name, t)


def test_player_and_python_say_the_same(both):
    for t, page in both.at_each():
        explained = explain.explain(both.run, t)
        look_for = experiment.look_for(both.settings)
        sentence = explained.sentence if t else f"{look_for} {explained.sentence}".strip()
        assert (page["words"]["sentence"], page["words"]["line"]) == (sentence, explained.line), t
        assert page["counter"] == explain.counter(both.run, t)
        assert page["numbers"] == explained.numbers, t


def test_the_histogram_counts_the_margins(both):
    y, scales = both.split.y, _header(both)["scales"]
    for t, page in both.at_each():
        limit = next(end for since, end in reversed(scales) if since <= t)
        assert page["counts"] == np.bincount(page["bins"], minlength=50).tolist()
        if both.settings.predictor == "voted":
            continue
        margins = y * both.readings(t)[1][: len(y)]
        slack = 1e-4 * np.abs(margins).max()
        assert (_bin(margins - slack, limit) <= page["bins"]).all(), t
        assert (_bin(margins + slack, limit) >= page["bins"]).all(), t


def _header(both):
    return payload.unpack(payload.encode(both.settings, both.split, both.run))[0]


def _bin(margins, limit):
    """25 bins up to 0 and 25 above; what lies outside falls into the last ones."""
    return np.clip(24 + np.ceil(np.clip(margins / limit, -1, 1) * 25), 0, 49)


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_middle_grain_is_the_update_where_not_every_update_is_a_mistake(learner):
    settings = Settings.of(learner=learner, **DATA)
    run = experiment.run(settings, experiment.prepare(settings))
    only_mistakes = run.mistake[run.changes.step].all()
    assert run.learner.about.grain == ("mistake" if only_mistakes else "update"), "grain, of its about"


def test_the_middle_grain_stops_at_what_changes_f(both):
    assert [stop + 1 for stop in both.page[0]["stops"]] == stops_of(both.run).tolist()
