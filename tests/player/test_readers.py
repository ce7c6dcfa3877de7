"""One run, and all who read it: its record carried out, Python's fold, the bytes, the player's
fold, and words.
"""

import base64
import gzip
import json
import re

import numpy as np
import pytest
import strategies
from hypothesis import HealthCheck, example, given, reject, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from readers import DOUBLE, Readers, subject_of
from written import read

from kpviz import experiment
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run import alpha_scale, grid
from kpviz.export.page import page as playing
from kpviz.lessons import explain, scores
from kpviz.picture.stage import RenderOptions, Stage
from kpviz.player import contributions, payload
from kpviz.player.comparison import Comparison
from kpviz.settings import Settings
from kpviz.settings.cues import Cues

ROUNDED = 1e-11  # of the terms of f: double precision
NEAR = 3e-6  # of these: float32, and what is interpolated in tables
JUMPS = 2e-3  # where a kernel is normalized that is 0 at the origin
IS_WEEKLY = not settings.default.derandomize
DRAWS = 100 if IS_WEEKLY else 50  # All of them once a week, drawn anew.
# After four epochs of a vote over a fine grid its tally has been stored (`BETWEEN_KEYS` of
# run/run.js); once a week it goes on for fifty.
FINE_VOTE_EPOCHS = 50 if IS_WEEKLY else 4

# What is rare among drawn settings, or was wrong once.
PINNED = [
    # b is sent as it is after each change, and does not begin at 0.
    (
        {
            "learner": "norma",
            "lambda": 0.0,
            "eta": 0.4,
            "flipped": 0.1,
            "balance": 0.3,
            "n": 30,
            "epochs": 2,
        },
        True,
    ),
    ({"learner": "norma", "tau": 7, "lambda": 0.09, "b": "off", "epochs": 2}, True),
    ({"learner": "forgetron", "budget": 4, "variant": "basic", "flipped": 0.1}, True),
    (
        {
            "learner": "perceptron",
            "intercept": "radius",
            "eta": 0.7,
            "data": "shifted",
            "kernel": "linear",
        },
        True,
    ),
    ({"data": "spirals", "sigma": 0.02, "held": 0.3}, False),
    (
        {
            "data": "spirals",
            "n": 80,
            "sigma": 0.02,
            "learner": "forgetron",
            "budget": 5,
            "predictor": "voted",
            "epochs": FINE_VOTE_EPOCHS,
        },
        False,
    ),
    ({"data": "texts", "learner": "forgetron", "budget": 5, "held": 0.3}, True),
    ({"data": "bits", "kernel": "linear", "predictor": "voted", "epochs": 9}, False),
    ({"tie": "correct"}, False),  # nothing is learnt
    ({"kernel": "formula", "formula": "-norm(u - v)", "epochs": 9}, False),  # no kernel
    ({"learner": "svm", "C": 100, "noise": 0.3, "epochs": 3}, False),
    (
        {"learner": "projectron", "n": 60, "noise": 0.3, "flipped": 0.2, "epochs": 20},
        False,
    ),  # changes repeat
    ({"stream": "on", "learner": "oldest", "drift": 1, "moves": "switch", "n": 300}, False),
    ({"stream": "on", "learner": "norma", "n": 200, "predictor": "averaged"}, False),
    ({"data": "iris", "n": 4, "held": 0.5}, False),
    # In f, and in a coefficient, nothing is left but rounding.
    (
        {
            "data": "blobs",
            "n": 4,
            "noise": 0.0,
            "kernel": "linear",
            "predictor": "voted",
            "epochs": 3,
        },
        False,
    ),
    (
        {
            "data": "blobs",
            "n": 4,
            "noise": 0.0,
            "kernel": "linear",
            "learner": "oldest",
            "epochs": 3,
        },
        False,
    ),
    (
        {
            "data": "blobs",
            "n": 4,
            "noise": 0.0,
            "kernel": "formula",
            "formula": "linear() + subsets()",
            "epochs": 1,
        },
        False,
    ),
    (
        {
            "n": 4,
            "seed": 20,
            "kernel": "formula",
            "formula": "linear()*subsets()",
            "predictor": "averaged",
        },
        False,
    ),
    ({"n": 7, "kernel": "density", "normalize": "on", "learner": "projectron", "epochs": 3}, False),
    (
        {"data": "shifted", "kernel": "subsets", "learner": "logistic", "eta": 4.0, "epochs": 1},
        False,
    ),  # P below 1e-45
]


@pytest.fixture(scope="module")
def readers(engine):
    def made(chosen, resumed):
        try:
            subject = subject_of(chosen, resumed=resumed)
            if not subject.run.n_steps:  # an SVM of one class
                reject()
            return Readers(engine, subject)
        except ValueError as error:
            if str(error) != contributions.TOO_LARGE:  # as f may grow of what is no kernel
                raise
            reject()

    return made


def pinned(test):
    for chosen, resumed in PINNED:
        test = example(chosen=chosen, resumed=resumed)(test)
    return test


@settings(max_examples=DRAWS, suppress_health_check=[HealthCheck.too_slow])
@given(chosen=strategies.runs(), resumed=st.booleans())
@pinned
def test_all_readers_of_a_run_say_the_same(readers, chosen, resumed):
    found = readers(chosen, resumed)
    the_player_goes_back_as_it_came(found)
    python_folds_what_was_recorded(found)
    the_bytes_fold_to_it(found)
    the_player_folds_to_it(found)
    the_player_counts_the_same(found)
    the_player_says_the_same(found)


def the_player_goes_back_as_it_came(found):
    assert found.player["forth"][::2] == found.player["back"]


def python_folds_what_was_recorded(found):
    run, fold = found.run, found.fold
    for t in found.times:
        state, instant = run.state_at(t), fold.instants[t]
        size = np.abs(fold.coefs[: t + 1]).max(initial=0.0) + np.abs(fold.bs[: t + 1]).max()
        assert_allclose(state.coef, instant.coef, rtol=0, atol=ROUNDED * size)
        assert_array_equal(state.alpha, run.y * state.coef)
        assert not np.signbit(state.alpha[state.alpha == 0]).any()
        assert state.intercept == pytest.approx(instant.b, abs=ROUNDED * size)
        exact, wrong = fold.scores(t, ROUNDED)
        shares = max(t, 1) if found.predictor == "voted" else 1
        theirs = run.decision_function(found.places, t, found.predictor) / shares
        assert (np.abs(theirs - exact) <= wrong).all()
        margins = run.y * fold.f[t][: len(run.y)]
        rounded = (ROUNDED * fold.terms[t] + fold.within[t])[: len(run.y)]
        assert (np.abs(run.margins_at(t) - margins) <= rounded).all()
        if run.start is None or run.learner.evicts:
            entries = run.entries_at(t)
            assert [[step, i] for step, i, _ in entries.rows()] == [
                entry[:2] for entry in instant.entries
            ]
            assert_allclose(
                entries.weight,
                [entry[2] for entry in instant.entries],
                rtol=1e-9,
                atol=ROUNDED * size,
            )


def the_bytes_fold_to_it(found):
    sent, fold, run = found.sent, found.fold, found.run
    support = sent.arrays["support"].astype(int)
    for t in found.times:
        coef, b = sent.state(t)
        exact, size = fold.coefs[t], 1.0 + np.abs(fold.coefs[: t + 1]).max()
        assert not np.delete(exact, support).any()
        assert_allclose(coef, exact[support], rtol=0, atol=1e-6 * size)
        assert b == pytest.approx(fold.bs[t], rel=1e-5, abs=1e-5)
        if (
            sent.arrays["changeDelta"].dtype == np.int8
            and not run.changes.shrinks
            and run.start is None
        ):
            assert_allclose(
                coef, exact[support], rtol=1e-12, atol=0
            )  # counts, times the learning rate
        if run.learner.chooses:  # what came back to its bound is there, not beside it
            assert_array_equal(coef == 0, exact[support] == 0)
            at_bound = np.abs(exact[support]) == run.learner.C
            assert_array_equal(
                np.abs(coef) == sent.arrays["changeDelta"].dtype.type(run.learner.C), at_bound
            )
        near = near_of(found) * np.maximum(fold.terms[t], 1e-30)
        if found.subject.stream:
            assert not {"gramPairs", "gramRest", "trainError", "testError", "optimum"} & set(
                sent.arrays
            )
        else:
            assert (
                np.abs(coef @ sent.gram + b - fold.f[t][: found.examples]) <= near[: found.examples]
            ).all()
        if sent.has_plane:
            field = sent.field(t).ravel()[found.nodes]
            assert_allclose(field, fold.f[t][found.examples :], rtol=0, atol=near.max())
        else:
            assert sent.blocks == []  # f has values at the examples only
    for detail in sent.header["about"]["details"]:
        assert_array_equal(
            np.array(sent.detail(detail), as_sent(run, detail).dtype), as_sent(run, detail), detail
        )


def as_sent(run, detail):
    """The values of a particular; in single precision what is not 0 stays so."""
    values = run.details[detail]
    return scores.as_sent(values) if values.dtype.kind == "f" else values.astype(int)


def near_of(found):
    """How far from f what is sent may be."""
    kernel = found.run.kernel
    if not found.sent.has_plane or not hasattr(kernel, "kernel"):
        return NEAR
    return JUMPS if kernel.kernel.diag(np.zeros((1, 2)))[0] <= 1e-6 else NEAR


def each(found):
    return zip(found.times, found.player["forth"], strict=True)


def the_player_folds_to_it(found):
    fold, run, support = found.fold, found.run, found.player["support"]
    for t, page in each(found):
        coef, size = np.zeros(len(run.y)), 1.0 + np.abs(fold.coefs[: t + 1]).max()
        coef[support] = page["coef"]
        exact, b = fold.coef(t)
        assert_allclose(coef, exact, rtol=0, atol=1e-6 * size)
        assert page["b"] == pytest.approx(
            b, rel=1e-6, abs=1e-6 * (1 + np.abs(fold.bs[: t + 1]).max())
        )
        alphas, exact = np.array(page["alphas"]), run.state_at(t).alpha
        assert_allclose(alphas, exact, rtol=0, atol=1e-6 * size)
        if run.learner.evicts:
            assert_array_equal(alphas == 0, exact == 0)
        exact, wrong = fold.scores(t, near_of(found))
        of_all = exact[
            : 0 if found.subject.stream else found.examples
        ]  # a stream would need the whole Gram matrix
        assert_allclose(page["scores"], of_all, rtol=0, atol=wrong.max())
        if found.sent.has_plane and found.predictor == "voted":
            assert (
                np.abs(page["field"] - exact[found.examples :]) <= wrong[found.examples :]
            ).all()
        elif found.sent.has_plane:
            assert_allclose(page["field"], exact[found.examples :], rtol=0, atol=wrong.max())
        if run.start is None or run.learner.evicts:
            entries = fold.instants[t].entries
            assert [entry[:2] for entry in page["entries"]] == [entry[:2] for entry in entries], t
            weights = [entry[2] for entry in entries]
            assert_allclose(
                [entry[2] for entry in page["entries"]], weights, rtol=0, atol=1e-6 * size
            )
        for name, value in page["details"].items():
            assert value == (None if t == 0 else as_sent(run, name)[t - 1]), (name, t)
        if not found.subject.stream:
            squared = fold.coefs[t] @ run.gram @ fold.coefs[t]
            terms = np.abs(fold.coefs[t]) @ np.abs(run.gram) @ np.abs(fold.coefs[t])
            left = DOUBLE * np.abs(fold.coefs[: t + 1]).max(
                axis=0
            )  # what cancelling may leave of a coefficient
            spoilt = left @ np.abs(run.gram) @ (2 * np.abs(fold.coefs[t]) + left)
            assert page["norm"] ** 2 == pytest.approx(max(squared, 0.0), abs=1e-5 * terms + spoilt)
        assert page["blank"] == (
            t == 0 and (found.predictor != "last" or not (fold.coefs[0].any() or fold.bs[0]))
        )
    if found.sent.has_plane and support:
        wanted = run.kernel(found.places[[found.examples]], run.X[support])[0]
        largest = np.abs(wanted).max()
        near = (
            near_of(found) * largest * (max(1.0, -np.log(largest)) if largest else 1.0)
        )  # rounding of an exponent
        assert_allclose(found.player["node"], wanted, rtol=0, atol=near)
        assert found.player["hill"] == pytest.approx(wanted[0], abs=near)


def the_player_counts_the_same(found):
    run, y, scales = found.run, found.run.y, found.sent.header["scales"]
    for t, page in each(found):
        assert page["mistakes"] == run.mistake[:t].sum()
        assert page["epoch"] == max(np.searchsorted(run.epoch_start, max(t, 1)), 0)
        bricks = np.bincount(run.index[:t][run.mistake[:t]], minlength=len(y))
        if run.start is not None and alpha_scale.counts(run):
            bricks = np.rint(y * found.fold.coefs[t] / run.unit)
        assert page["bricks"] == bricks.tolist()
        if found.subject.stream:
            continue
        assert page["limit"] == grid.limit(run, t, found.predictor)
        assert page["limit"] == next(end for since, end in reversed(scales) if since <= t)
        assert page["counts"] == np.bincount(page["bins"], minlength=50).tolist()
        exact, wrong = found.fold.scores(t, near_of(found))
        margins, slack = y * exact[: len(y)], wrong[: len(y)].max() + 1e-12
        assert_allclose(page["margins"], margins, rtol=0, atol=slack)
        assert (_bin(margins - slack, page["limit"]) <= page["bins"]).all()
        assert (_bin(margins + slack, page["limit"]) >= page["bins"]).all()
    update = run.learner.about.grain == "update"
    stops = (
        run.changes.step[np.diff(run.changes.pointer) > 0]
        if update
        else np.flatnonzero(run.mistake)
    )
    assert found.player["stops"] == stops.tolist()


def _bin(margins, limit):
    """25 bins up to 0 and 25 above; what lies outside falls into the last ones."""
    return np.clip(24 + np.ceil(np.clip(margins / limit, -1, 1) * 25), 0, 49)


def the_player_says_the_same(found):
    run, subject = found.run, found.subject
    for t, page in each(found):
        said = explain.explain(run, t, stream=subject.stream, classes=subject.split.source.classes)
        sentence = said.sentence if t else f"{subject.look_for} {said.sentence}".strip()
        words = page["words"]
        assert (words["formula"], words["sentence"], words["line"]) == (
            said.formula,
            sentence,
            said.line,
        ), t
        assert page["numbers"] == said.numbers, t
        assert page["counter"] == explain.counter(run, t, stream=subject.stream)
        if subject.stream and t:
            assert f" · {np.count_nonzero(found.fold.coefs[t])} in memory · " in page["counter"]


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(chosen=strategies.runs(most=20), resumed=st.booleans())
@example(chosen={"learner": "forgetron", "budget": 4}, resumed=True)
@example(chosen={"stream": "on", "n": 60}, resumed=False)
@example(
    chosen={
        "data": "drawn",
        "points": "AAAAAAAB.Q",
        "kernel": "sigmoid",
        "gamma": 0.3,
        "learner": "oldest",
        "budget": 10,
        "n": 4,
        "epochs": 3,
    },
    resumed=False,
)
def test_a_page_that_plays_itself_and_a_picture_show_the_same_run(readers, chosen, resumed):
    found = readers(chosen, resumed)
    run, lineup = found.run, Comparison(found.subject)
    content = json.loads(
        re.search(r'id="run"[^>]*>(.*?)</script>', playing.page(lineup, Cues()), re.DOTALL)[1]
    )["run"]
    whole = gzip.decompress(base64.b64decode(content))
    size = payload.unpack(whole)[0]["runs"][0]["size"]
    header, arrays = payload.unpack(whole[-size:])
    more = {"extras", "arrays"}
    assert {name: header[name] for name in header.keys() - more} == {
        name: found.sent.header[name] for name in found.sent.header.keys() - more
    }
    assert {name: arrays[name].tobytes() for name in found.sent.arrays} == {
        name: array.tobytes() for name, array in found.sent.arrays.items()
    }
    stage = Stage(
        lineup, RenderOptions(panels=() if found.subject.stream else ("alpha",)), (1600, 1000)
    )
    for t in found.times[1:]:
        board = {panel.name: panel for panel in stage.board(t).panels}
        words = marks_of(board["words"])
        (counter,) = (mark["text"] for mark in words if mark.get("name") == "counter")
        spelled_out = explain.counter(run, t, stream=found.subject.stream)
        # Where the line is too long, the board leaves the totals out, then what a run of what is
        # no kernel says of ‖f‖².
        without_totals = re.sub(r" of \d+(,\d{3})*", "", spelled_out)
        without_totals = re.sub("^1 examples", "1 example", without_totals)
        without_norm = without_totals.partition(" · ‖f‖² = ")[0]
        assert counter in (spelled_out, without_totals, without_norm)
        sentence = " ".join(mark["text"] for mark in words if mark.get("name") == "sentence")
        classes = found.subject.split.source.classes
        assert (
            sentence
            == explain.explain(run, t, stream=found.subject.stream, classes=classes).sentence
        )
        if not found.subject.stream:
            bars = np.zeros(len(run.y))
            for mark in marks_of(board["alpha"]):
                if mark["kind"] == "rect" and mark.get("i") is not None:
                    bars[mark["i"]] += mark.get(
                        "value", run.unit
                    )  # a bar, or one of the bricks of a mistake
            exact = run.y * found.fold.coefs[t]
            assert_allclose(bars, exact, atol=1e-5 * (1 + np.abs(exact).max()))


def marks_of(panel):
    return [*(mark for layer in panel.layers for mark in layer.marks), *panel.moving]


def test_far_from_narrow_hills_scores_and_the_field_keep_their_sign(readers):
    found = readers({"data": "spirals", "sigma": 0.02, "held": 0.3}, resumed=False)
    f, page = found.fold.f[-1], found.player["forth"][-1]
    shown = np.array([*page["scores"], *page["field"]])
    assert 0 < np.abs(f[f != 0]).min() < 1e-200
    sure = np.abs(f) > 1e-290
    assert sure.mean() > 0.9
    assert_array_equal(np.sign(shown[sure]), np.sign(f[sure]))


NO_KERNELS = {
    "-norm(u - v)": {"epochs": 9},
    "(dot(u, v) - 1)**2": {"eta": 0.3, "epochs": 12},
    "exp(-norm(u - v)**4)": {"data": "spirals", "epochs": 4},
}


@pytest.mark.parametrize("formula", NO_KERNELS)
def test_a_squared_norm_below_zero_is_said_and_what_repeats(readers, formula):
    found = readers({"kernel": "formula", "formula": formula, **NO_KERNELS[formula]}, resumed=False)
    coefs = [found.fold.coefs[t] for t in found.times]
    norms = [float(coef @ found.run.gram @ coef) for coef in coefs]
    assert min(norms) < 0
    for norm, (_, page) in zip(norms, each(found), strict=True):
        assert read(page["counter"].rpartition(" · ‖f‖² = ")[2]) == pytest.approx(
            norm, rel=0.051, abs=0.0051
        )
    last = found.player["forth"][-1]["words"]["sentence"]
    assert "‖f‖² was negative at step" in last
    assert ("it repeats itself" in last) == (formula != "exp(-norm(u - v)**4)")


@pytest.mark.parametrize("chosen", [{}, {"data": "bits"}, {"data": "texts"}])
def test_of_a_kernel_no_squared_norm_is_said(readers, chosen):
    assert not any(
        "‖f‖²" in page["counter"] for page in readers(chosen, resumed=False).player["forth"]
    )


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_middle_grain_is_the_update_where_not_every_update_is_a_mistake(learner):
    settings = Settings.of(learner=learner, noise=0.15, flipped=0.05, epochs=5)
    run = experiment.run(settings, experiment.prepare(settings))
    only_mistakes = run.mistake[run.changes.step].all()
    assert run.learner.about.grain == ("mistake" if only_mistakes else "update"), (
        "grain, of its about"
    )
