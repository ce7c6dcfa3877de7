"""The words of a step, which come before its formula: for every learner, and true."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import read

import kpviz
from kpviz import learners
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run.predictors import scores_after
from kpviz.lessons import explain, scores
from kpviz.lessons.explain import number

GAUSSIAN = kpviz.kernels.Gaussian(0.5)
FAMILY = (
    learners.Perceptron(),
    learners.Perceptron(learning_rate=0.1, intercept="radius"),
    learners.Forgetron(5),
    learners.Forgetron(5, variant="basic"),
    learners.RemoveOldest(4),
    learners.RandomizedBudget(4),
    learners.Projectron(0.3),
    learners.Norma(0.5, 0.1, truncation=7),
    learners.Norma(0.5, 0.1, nu=0.2, schedule="inverse-sqrt"),
    learners.PassiveAggressive(),
    learners.SVM(),
    learners.KernelLogistic(0.5, 0.01),
)


@pytest.mark.parametrize("name", LEARNERS)
def test_every_formula_of_a_learner_has_words_without_symbols(name):
    variants = [{}, *({key: value} for key, values in LEARNERS[name].choices.items() for value in values)]
    if "truncation" in LEARNERS[name].ranges:
        variants += [{"truncation": 9}, {"nu": 0.2, "regularization": 0.0}]
    for variant in variants:
        about = LEARNERS[name](**variant).about
        assert about.words.keys() - {"start"} == about.described.keys()
        for text in about.described.values():
            plain = re.sub(r"\{\w+\}", "", text)
            assert not re.search(r"[α-ω=·≤←]|\b[fkyb]\b", plain), text
            assert len(text) <= 180


def test_classes_are_called_by_their_names_or_their_colours():
    X, y = kpviz.make_dataset("xor", 20, seed=0)
    run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kpviz.kernels.Gaussian())
    own = {1: "of class “lily”", -1: "of class 7"}[int(y[run.index[0]])]
    found = explain.explain(run, 1, classes=("7", "lily"))
    assert found.sentence.startswith(f"{explain.example(run.index[0])} is {own}, ")
    assert found.formula == explain.explain(run, 1).formula


@pytest.mark.parametrize("kernel", [GAUSSIAN, kpviz.kernels.Linear()], ids=["hills", "no hills"])
@pytest.mark.parametrize("learner", FAMILY, ids=repr)
def test_a_name_of_a_class_is_never_an_adjective(learner, kernel):
    if learner.needs_unit_diagonal:
        kernel = kernel.normalized()
    run = run_of(learner, kernel)
    for t in range(1, run.n_steps + 1):
        named = explain.explain(run, t, classes=("statement", "question")).sentence
        assert not re.search(r"\bis class|” hill|(?<!class )“(statement|question)”", named)
        assert not re.search(r"(?<!“)(statement|question)", named)
        coloured = named
        for name, colour in (("statement", "blue"), ("question", "orange")):
            hill = coloured.replace(f"hill for class “{name}”", f"{colour} hill")
            coloured = hill.replace(f"of class “{name}”", colour).replace(f"class “{name}”", colour)
        assert coloured == explain.explain(run, t).sentence


def test_templates_have_no_place_for_a_name_as_an_adjective():
    texts = [*explain.DESCRIBED.values(), *explain.VERDICTS.values()]
    texts += [text for learner in LEARNERS.values() for text in learner().about.described.values()]
    assert [
        text for text in texts if re.search(r"(is|and|,) \{(own|other)\}|\{\w+\} \{\w*own\}|\{own\} \w", text)
    ] == []


def run_of(learner, kernel=GAUSSIAN, **choices):
    X, y = kpviz.make_dataset("xor", 40, noise=0.2, seed=3)
    return kpviz.train(learner, X, y, kernel=kernel, epochs=3, **choices)


def score_at(run, t, i):
    return float(run.margins_at(t)[i] * run.y[i])


@pytest.mark.parametrize("learner", FAMILY, ids=repr)
def test_the_score_after_a_change_is_that_of_the_state_after_it(learner):
    run = run_of(learner)
    runs = [run]
    if not learner.chooses:
        runs.append(run_of(learner, start=run.state_at(run.n_steps)))
    if not learner.needs_unit_diagonal:
        runs.append(run_of(learner, kpviz.kernels.Polynomial(2, 1.0)))
    for each in runs:
        shown = [(int(step) + 1, int(each.index[step])) for step in each.changes.step]
        expected = np.array([score_at(each, t, i) for t, i in shown])
        np.testing.assert_allclose(scores_after(each), expected, rtol=1e-9, atol=1e-12)


def test_a_score_that_comes_back_to_zero_is_zero():
    X, y = np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([1.0, -1.0])
    learner = learners.Perceptron(learning_rate=0.1, tie="positive")
    run = kpviz.train(learner, X, y, kernel=kpviz.kernels.Linear(), epochs=3)
    assert 0.0 in scores_after(run)


def test_of_no_step_no_score_is_known():
    assert len(scores_after(run_of(learners.Perceptron(tie="correct")))) == 0


@pytest.mark.parametrize("learner", FAMILY, ids=repr)
def test_before_and_after_are_told_apart_where_an_example_is_added(learner):
    run = run_of(learner)
    said = 0
    for t in range(1, run.n_steps + 1):
        i, sentence = int(run.index[t - 1]), explain.explain(run, t).sentence
        found = re.search(rf"score (?:of x\S+ )?was (\S+), is (\S*\d|{explain.HARDLY})", sentence)
        before, after = score_at(run, t - 1, i), score_at(run, t, i)
        if found is None:
            assert "nothing" in sentence or abs(before - after) < 1e-12
        else:
            known = scores.after(run)[run.changes.before(t) - 1]
            assert found.groups() == explain.told_apart(float(run.score[t - 1]), float(known))
            np.testing.assert_allclose(scores.after(run)[run.changes.before(t) - 1], after, rtol=1e-6, atol=2e-6)
            said += 1
    assert said


def last_digit(text):
    """The unit of the last digit that is written."""
    mantissa, _, power = text.partition("×")
    return read(f"1×{power or '10⁰'}") / 10.0 ** len(mantissa.partition(".")[2])


@pytest.mark.parametrize("learner", [*FAMILY, learners.SVM(C=100.0, tol=1e-5)], ids=repr)
def test_what_is_written_before_and_after_a_change_differs_where_the_scores_do_and_is_right(learner):
    run = run_of(learner)
    for j, step in enumerate(run.changes.step.tolist()):
        i, numbers = int(run.index[step]), explain.explain(run, step + 1).numbers
        before, after = score_at(run, step, i), score_at(run, step + 1, i)
        shown = [(numbers["was"], before)]
        if numbers["now"] == explain.HARDLY:
            assert abs(before - after) <= 1.01 * last_digit(number(before, 3))
        else:
            shown.append((numbers["now"], after))
            assert before == after == 0 or read(numbers["was"]) != read(numbers["now"]), numbers
        for text, exact in shown:
            assert abs(read(text) - exact) <= 0.6 * last_digit(text), (j, text, exact)


@given(st.floats(-3e7, 3e7, width=32), st.floats(-12.0, 1.0))
def test_two_numbers_have_more_digits_only_where_these_tell_them_apart(was, apart):
    now = was + 10.0**apart * max(abs(was), 1e-3)
    shown, usual = explain.told_apart(was, now), (number(was), number(now))
    if shown[1] == explain.HARDLY:
        assert abs(was - now) <= 1.01 * last_digit(number(was, 3))
        return
    assert read(shown[0]) != read(shown[1])
    assert (read(usual[0]) == read(usual[1])) == (tuple(text.removeprefix("+") for text in shown) != usual)


def test_the_last_steps_of_an_svm_move_scores_that_two_decimals_do_not_tell_apart():
    run = run_of(learners.SVM(C=100.0, tol=1e-5))
    pairs = [(run.score[step], after) for step, after in zip(run.changes.step, scores.after(run), strict=True)]
    alike = [t + 1 for t, (was, now) in enumerate(pairs) if number(was) == number(now)]
    assert len(alike) > 5
    for t in alike:
        numbers = explain.explain(run, t).numbers
        assert numbers["was"] != numbers["now"], t


def test_the_first_of_a_pair_scores_too_low_beside_the_second_and_both_pull_as_is_said():
    run = run_of(learners.SVM(C=2.0))
    seen = set()
    for t in range(1, run.n_steps + 1):
        i, j = int(run.index[t - 1]), int(run.details["partner"][t - 1])
        sentence, before, after = explain.explain(run, t).sentence, run.state_at(t - 1), run.state_at(t)
        wanted = [run.y[k] - score_at(run, t - 1, k) for k in (i, j)]
        assert wanted[0] > wanted[1]
        assert score_at(run, t, i) - score_at(run, t, j) > score_at(run, t - 1, i) - score_at(run, t - 1, j)
        first, second = (explain.example(k) for k in (i, j))
        own, other = ("orange" if run.y[k] > 0 else "blue" for k in (i, j))
        assert sentence.startswith(f"{first} is {own}, {second} is {other}: compared with it {first} scores too low.")
        for k, colour in ((i, own), (j, other)):
            more = after.alpha[k] > before.alpha[k]
            assert f" {'more' if more else 'less'} towards {colour}" in sentence
            seen.add((k == i, more))
    assert len(seen) == 4


@pytest.mark.parametrize("learner", [each for each in FAMILY if not each.chooses], ids=repr)
def test_of_a_run_that_goes_on_nothing_is_said_of_f_at_the_start(learner):
    first = run_of(learner)
    assert explain.explain(first, 0).sentence.startswith("Press →")
    second = run_of(learner, start=first.state_at(first.n_steps))
    assert explain.explain(second, 0).sentence.startswith(
        f"Press → for the first step: this run goes on from step {first.n_steps} of an earlier one, with "
    )


def test_one_number_is_sent_where_every_margin_moves_alike_and_the_scores_themselves_where_digits_would_be_lost():
    assert scores.sent(run_of(learners.Perceptron()))["marginGain"].tolist() == [1.0]
    assert len(scores.sent(run_of(learners.PassiveAggressive()))["marginGain"]) > 1
    large = run_of(learners.Perceptron(), kpviz.kernels.Polynomial(8, 8.0))
    assert np.abs(large.score).max() > 1e6
    assert scores.sent(large).keys() == {"scoreAfter"}
    np.testing.assert_allclose(scores.after(large), scores_after(large), rtol=1e-6)


@pytest.mark.parametrize(
    ("learner", "name", "data"),
    [(learners.Forgetron(5), "phi", "spirals"), (learners.KernelLogistic(5.0), "probability", "shifted")],
    ids=["phi", "probability"],
)
def test_a_share_of_one_is_never_written_as_one(learner, name, data):
    X, y = kpviz.make_dataset(data, 120, seed=0)
    kernel = GAUSSIAN if name == "phi" else kpviz.kernels.Linear()
    run = kpviz.train(learner, X, y, kernel=kernel, epochs=10)
    seen = set()
    for t in range(1, run.n_steps):
        value, text = run.details[name][t - 1], explain.explain(run, t).numbers[name]
        if 0.995 <= value < 1.0:
            seen.add(text)
    assert seen
    assert all(text == "nearly 1" or 0.99 < float(text) < 1.0 for text in seen)
