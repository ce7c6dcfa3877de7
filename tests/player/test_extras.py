"""What is sent when a panel asks for it: the three readings' errors, and the primal form of a run."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sent import Sent
from written import read

from kpviz.engine.learners import LEARNERS
from kpviz.engine.run import grid
from kpviz.engine.theory import primal
from kpviz.lessons.misconceptions import MISCONCEPTIONS

SHORT = {
    "xor": {},
    "held out": {"noise": 0.2, "held": 0.3, "epochs": 6},
    "ties": {"data": "linear", "kernel": "linear", "n": 4, "noise": 0, "order": "shuffled", "epochs": 5},
    "intercept, rate": {"data": "shifted", "kernel": "linear", "intercept": "radius", "eta": 0.1, "epochs": 4},
    "nothing learnt": {"tie": "correct"},
}
FINITE = {
    "linear": {"data": "linear", "kernel": "linear"},
    "linear, intercept": {"data": "shifted", "kernel": "linear", "intercept": "radius", "eta": 0.3},
    "monomial, ties": {"kernel": "monomial", "degree": 2, "n": 4, "noise": 0},
    "polynomial": {"kernel": "polynomial", "degree": 3, "noise": 0.2, "epochs": 8, "held": 0.2},
    "many features": {"kernel": "polynomial", "degree": 8, "data": "spirals", "epochs": 5, "intercept": "unit"},
    "all subsets": {"kernel": "subsets"},
    "sum": {"kernel": "linear", "combine": "sum", "kernel2": "monomial", "degree2": 2},
}


# ---- last, averaged, voted --------------------------------------------------------------------------


def wrong(run, Z, y, t):
    """Examples on the wrong side of f after t steps, of the mean of f after 1, …, t, and of the sum of their signs."""
    after = np.array([run.decision_function(Z, s) for s in range(1, t + 1)])
    vote = np.where(after >= 0, 1, -1).sum(axis=0)
    mean = after.mean(axis=0)
    mean[np.abs(mean) < 1e-12 * np.abs(after).max()] = 0.0  # a sum that is zero up to rounding
    return [(y * after[-1] <= 0).sum(), (y * mean <= 0).sum(), (y * np.where(vote >= 0, 1, -1) < 0).sum()]


@pytest.mark.parametrize("name", SHORT)
def test_the_errors_are_those_of_f_of_its_mean_and_of_its_vote_at_each_epochs_end(name):
    sent = Sent("readings", **SHORT[name])
    run, split = sent.run, sent.split
    ends = [*run.epoch_start[1:].tolist(), run.n_steps]
    assert sent.header["extras"]["readings"]["kinds"] == ["last", "averaged", "voted"]
    sets = [("readingsTrain", split.X, split.y), ("readingsTest", split.X_test, split.y_test)]
    for array, Z, y in sets[: 2 if len(split.y_test) else 1]:
        expected = np.array([wrong(run, Z, y, t) for t in ends]).T / len(y)
        assert_allclose(sent.arrays[array], expected, atol=1e-7)
    assert ("readingsTest" in sent.arrays) == (len(split.y_test) > 0)


def test_two_rings_are_separated_by_the_last_f_and_no_longer_by_the_mean():
    sent = Sent("readings", data="circles", sigma=2)
    last, averaged, voted = wrong(sent.run, sent.split.X, sent.split.y, sent.run.n_steps)
    assert last == 0 < averaged
    note = sent.header["extras"]["readings"]["note"]
    assert note.startswith("Averaging lost the separation")
    assert note.endswith(f"its mean makes {averaged} and the vote {voted}.")
    for given, both in (({"data": "linear", "kernel": "linear"}, True), ({"kernel": "linear", "epochs": 5}, False)):
        sent = Sent("readings", **given)
        last, averaged, _ = wrong(sent.run, sent.split.X, sent.split.y, sent.run.n_steps)
        assert (last == 0, averaged == 0, sent.header["extras"]["readings"]["note"]) == (both, both, "")


# ---- the primal form --------------------------------------------------------------------------------


@pytest.fixture(params=FINITE)
def finite(request):
    return Sent("primal", **FINITE[request.param])


def test_changes_times_the_features_that_are_sent_are_the_weights_and_give_the_scores(finite):
    run, phi, extra = finite.run, finite.arrays["primalPhi"].astype(float), finite.header["extras"]["primal"]
    reading = primal.read(run)
    columns = [reading.names.index(name) for name in extra["names"]]
    assert len(columns) == min(reading.dimension, 15)
    assert extra["dimension"] == reading.dimension
    support = finite.arrays["support"].astype(int)
    largest = 0.0
    for t in range(0, run.n_steps + 1, max(1, run.n_steps // 40)):
        w = run.state_at(t).coef[support] @ phi
        assert_allclose(w, reading.w_at(t)[columns], atol=1e-5 * extra["largest"])
        largest = max(largest, np.abs(w).max(initial=0.0))
    assert largest <= extra["largest"] * (1 + 1e-6)
    left_out = np.delete(np.abs(reading.w_at(run.n_steps)), columns)
    assert left_out.max(initial=0.0) <= np.abs(reading.w_at(run.n_steps)[columns]).min() + 1e-12
    assert_allclose(finite.arrays["primalScore"], reading.score, rtol=1e-6)
    assert_array_equal(finite.arrays["primalAgrees"], reading.agrees)
    assert extra["apart"] == reading.why


def test_what_one_of_each_costs_gives_the_costs_at_every_step(finite):
    run, extra = finite.run, finite.header["extras"]["primal"]
    costs = primal.costs(run)
    seen, held = 0, set()
    for t in range(run.n_steps + 1):
        assert len(held) * extra["storedPerExample"] + extra["storedIntercept"] == costs.dual.stored[t]
        assert seen * extra["perExample"] == costs.dual.multiplications[t]
        assert extra["storedPrimal"] == costs.primal.stored[t]
        assert t * extra["perPresentation"] == costs.primal.multiplications[t]
        if t < run.n_steps:
            seen += len(held)
            if run.mistake[t]:
                held.add(int(run.index[t]))
    assert extra["breakEven"] == costs.break_even


def test_the_table_of_growth_is_exact_up_to_a_million_and_a_size_beyond():
    growth = Sent("primal").header["extras"]["primal"]["growth"]
    degrees, dimensions = (2, 3, 5, 10), (2, 10, 100, 784)
    rows = {(row.degree, row.n_features): row for row in primal.growth(degrees, dimensions)}
    assert growth["dimensions"] == [str(d) for d in dimensions]
    assert growth["kernel"] == [f"{rows[10, d].kernel:,}" for d in dimensions]
    for q, (degree, cells) in zip(degrees, growth["rows"], strict=True):
        assert degree == str(q)
        for exact, cell in zip((rows[q, d].up_to for d in dimensions), cells, strict=True):
            assert cell == f"{exact:,}" if exact < 10**6 else read(cell) == pytest.approx(exact, rel=0.05)


def test_the_longest_arrow_of_a_run_reaches_two_fifths_of_the_map():
    for given in ({"data": "linear", "kernel": "linear"}, {"data": "shifted", "kernel": "linear", "eta": 5}):
        sent = Sent("primal", **given)
        arrow = sent.header["extras"]["primal"]["arrow"]
        shown = grid.extent(sent.split.X)
        tips = np.array([sent.run.state_at(t).coef @ sent.split.X for t in range(sent.run.n_steps + 1)])
        longest = np.linalg.norm(tips, axis=1).max() * arrow["scale"]
        assert longest == pytest.approx(0.4 * min(shown.high_1 - shown.low_1, shown.high_2 - shown.low_2))
        inside = shown.low_1 <= 0 <= shown.high_1 and shown.low_2 <= 0 <= shown.high_2
        assert arrow["moved"] == (not inside)
        middle = [(shown.low_1 + shown.high_1) / 2, (shown.low_2 + shown.high_2) / 2]
        assert arrow["start"] == pytest.approx([0, 0] if inside else middle)
    assert Sent("primal", kernel="polynomial", degree=2).header["extras"]["primal"]["arrow"] is None


@pytest.mark.parametrize(
    "given", [{"kernel": "gaussian"}, {"kernel": "sigmoid"}, {"kernel": "linear", "normalize": "on"}]
)
def test_a_kernel_without_finite_features_says_why(given):
    sent = Sent("primal", **given)
    extra = sent.header["extras"]["primal"]
    assert extra["why"] == primal.missing(sent.run.kernel) != ""
    assert set(extra) == {"why", "growth", "slip"}
    assert extra["slip"] == MISCONCEPTIONS["cost"]
    assert "primalPhi" not in sent.arrays


def test_another_learner_says_that_it_is_one():
    for name in sorted({*LEARNERS} - {"perceptron"}):
        extra = Sent("primal", learner=name, kernel="linear", normalize="on").header["extras"]["primal"]
        assert extra["why"].startswith("Only the plain perceptron has a primal form here: ")
