"""Conditions over a run: exact against numbers that are worked out without kpviz, and safe whatever
is written.
"""

from __future__ import annotations

import contextlib
import math
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import count

import numpy as np
import pytest
from covering import in_turn
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC
from textbook import dual_perceptron

from kpviz import experiment
from kpviz.engine import theory
from kpviz.engine.data.drawn import Drawn
from kpviz.lessons.file import format
from kpviz.lessons.file import links as cases
from kpviz.lessons.file.arithmetic import NoValueError
from kpviz.lessons.file.conditions import Condition, ConditionError
from kpviz.lessons.file.links import Case, Link
from kpviz.lessons.file.names import FUNCTIONS, NAMES
from kpviz.settings import Settings

XOR = "v=1&data=xor&n=30&held=0.2&flipped=0.1&epochs=4"
SIGMA = 0.5


@cache
def case(query=XOR):
    return replace(Case.of(Link(query=query)), ends=math.inf)  # it is asked by many tests


def number(text, query=XOR):
    return Condition.read_number(text).value(case(query))


def holds(text, query=XOR):
    return Condition.read(text).holds(case(query))


def k(U, V):
    return np.exp(-((U[:, None] - V) ** 2).sum(axis=2) / (2 * SIGMA**2))


@cache
def by_hand():
    """The examples of the run, and a textbook's loop over them."""
    split = experiment.prepare(Link(query=XOR).settings)
    slow = dual_perceptron(k(split.X, split.X), split.y, [range(24)] * 4)
    return split, slow


@pytest.mark.parametrize("t", [None, 0, 1, 17, 40])
def test_numbers_are_those_of_a_textbook_loop(t):
    split, slow = by_hand()
    query, t = (XOR, len(slow.index)) if t is None else (f"{XOR}&t={t}", t)
    (coef, _), y, gram = slow.states[t], split.y, k(split.X, split.X)
    f, made = gram @ coef, slow.mistake[:t]
    margins, norm = y * f, math.sqrt(coef @ gram @ coef)
    epoch = math.ceil(t / 24)
    expected = {
        "mistakes": sum(made),
        "bricks": abs(coef).sum(),
        "support": np.count_nonzero(coef),
        "steps": t,
        "epochs": epoch,
        "last_mistakes": sum(made[24 * (epoch - 1) :]) if epoch else 0,
        "wrong": np.sum(margins <= 0),
        "training_error": np.mean(margins <= 0),
        "heldout_error": np.mean(split.y_test * (k(split.X_test, split.X) @ coef) <= 0),
        "margin": margins.min(),
        "norm": norm,
        "radius": 1,
        "n": 24,
        "orange": np.sum(y > 0),
        "blue": np.sum(y < 0),
        "heldout": 6,
        "b": 0,
        "sigma": SIGMA,
        "f(0.25, -0.5)": (k(np.array([[0.25, -0.5]]), split.X) @ coef)[0],
        "k(3, 7)": gram[3, 7],
        **({"geometric_margin": margins.min() / norm} if t else {}),
    }
    for name, values in {"alpha": y * coef, "margin": margins, "score": f, "label": y}.items():
        expected |= {f"{name}({i})": value for i, value in enumerate(values)}
    for text, value in expected.items():
        assert number(text, query) == pytest.approx(value, abs=1e-9), text


def test_truths_are_those_of_the_run():
    assert holds("separable and not converged and not cycles")
    assert holds("converged and last_mistakes == 0", "v=1&data=xor")
    assert not holds("converged", "v=1&data=xor&t=20")  # not yet
    assert holds("cycles and not converged", "v=1&data=xor&kernel=sigmoid&coef0=-1&epochs=12")
    assert not holds("separable", "v=1&data=xor&kernel=linear")


def drawn(points, more=""):
    X = np.array([point[:2] for point in points], dtype=float)
    code = Drawn.of(X, np.array([float(y) for *_, y in points])).code
    return f"v=1&data=drawn&points={code}&kernel=linear{more}"


ONE = Drawn.of(np.array([[0.5, 1.0], [1.0, 0.5]]), np.ones(2)).code
TWO = Drawn.of(np.array([[0.5, 1.0], [-1.0, 0.5]]), np.array([1.0, -1.0])).code


def mistakes_by_hand(points, epochs):
    """Which of the points are mistakes in each pass, w being exact: a perceptron in its primal
    form.
    """
    w, passes = (Fraction(0), Fraction(0)), []
    for _ in range(epochs):
        passes.append([])
        for x1, x2, y in points:
            passes[-1].append(y * (w[0] * x1 + w[1] * x2) <= 0)
            if passes[-1][-1]:
                w = (w[0] + y * x1, w[1] + y * x2)
    return passes


@given(
    st.lists(
        st.tuples(*[st.integers(-4, 4)] * 2, st.sampled_from([-1, 1])),
        min_size=3,
        max_size=6,
        unique=True,
    )
)
@settings(max_examples=60)
def test_a_run_that_cycles_repeats_itself_for_as_long_as_one_looks(points):
    epochs = 40
    if not Condition.read("cycles").holds(Case.of(Link(query=drawn(points, f"&epochs={epochs}")))):
        return
    passes = mistakes_by_hand([tuple(map(Fraction, point)) for point in points], 400)
    assert all(map(any, passes))
    found = [
        period
        for period in range(1, epochs // 2)
        if passes[epochs - period : -period] == passes[epochs:]
    ]
    assert found


SLOW = (
    (0.1, 0, 1),
    (1, 0.1, -1),
)  # after the second point's mistake the first one's score grows for ten passes


def test_mistakes_that_are_the_same_for_a_while_are_no_cycle():
    passes = mistakes_by_hand([tuple(map(Fraction, map(str, point))) for point in SLOW], 200)
    assert passes[3] == passes[4] == passes[5] == [True, False]
    assert not any(passes[-1])
    assert not holds("cycles or converged", drawn(SLOW, "&epochs=6"))
    assert holds("converged", drawn(SLOW, "&epochs=200"))


def test_a_cycle_is_not_proven_where_the_order_is_drawn_or_too_little_was_seen():
    corners = "v=1&data=xor&n=4&noise=0&kernel=linear"
    assert holds("cycles", f"{corners}&epochs=3")
    assert not holds("cycles", f"{corners}&epochs=2")
    assert not holds("cycles", f"{corners}&order=shuffled")


def test_best_margin_and_bound_are_those_by_hand():
    query = "v=1&data=xor&n=4&noise=0&kernel=polynomial&degree=2&coef0=1"
    assert number("best_margin", query) == pytest.approx(math.sqrt(2))
    assert number("bound", query) == pytest.approx(9 / 2)  # R² = (2 + 1)² = 9, γ² = 2
    assert number("radius", query) == pytest.approx(3)
    assert number("best_margin", "v=1&data=xor&n=4&noise=0&kernel=linear") == 0


SHIFTED = "v=1&data=shifted&kernel=linear&learner=svm&C=1000"


def test_the_best_margin_of_a_learner_with_an_intercept_has_one():
    split = experiment.prepare(Link(query=SHIFTED).settings)
    svc = SVC(kernel="linear", C=1e10, tol=1e-8).fit(split.X, split.y)
    assert number("best_margin", SHIFTED) == pytest.approx(1 / np.linalg.norm(svc.coef_), rel=1e-4)
    assert holds(
        "geometric_margin <= best_margin*1.0001", "v=1&data=linear&kernel=linear&learner=svm&C=1000"
    )
    assert number("best_margin", SHIFTED.replace("svm&C=1000", "norma&b=off")) == 0


@pytest.mark.parametrize(("t", "until"), [(0, 60), (60, 60), (70, 120), (None, 3000)])
def test_the_bound_at_a_step_is_that_of_mistakes_at_the_end_of_its_epoch(t, until):
    query = "v=1&data=linear&kernel=linear&flipped=0.1"
    at = "" if t is None else f"&t={t}"
    wanted = theory.bound_of(case(query).run, t=until).value
    assert number("bound", f"{query}{at}") == pytest.approx(wanted)
    assert number("bound", f"{query}&predictor=voted{at}") == pytest.approx(wanted)
    assert holds("mistakes <= bound", f"{query}&predictor=voted{at}")


def test_a_clean_run_separates_where_rounding_hides_it_from_a_proof():
    assert holds("separable and converged", "v=1&data=drawn&kernel=sigmoid&points=" + TWO)
    with pytest.raises(NoValueError, match="open"):
        holds("separable", "v=1&kernel=sigmoid&coef0=-1&epochs=2")


def test_settings_are_names():
    for name in ("degree", "coef0"):
        assert (
            number(name, "v=1&kernel=polynomial&degree=3&coef0=0.5")
            == {"degree": 3, "coef0": 0.5}[name]
        )
    assert holds(
        "kernel == gaussian and learner == perceptron and data != circles and order == 'cyclic'"
    )
    assert holds("schedule == inverse-sqrt", "v=1&learner=norma&schedule=inverse-sqrt")
    assert holds("variant == PA-II or eta > 3", "v=1&learner=pa&variant=PA-II")


TYPED = {"2 − 3 × 2": -4, "- - 2": 2, "1e-1 · .5": 0.05, "n-n": 0} | {
    "2 ≤ 2 and 1 = 1 and 1 ≠ 2": True,
    "1 < 2 or 1 / 0 > 0": True,  # what decides already is enough
    "kernel == polynomial and degree < 3": False,
    "intercept == none and order != 'shuffled' and not intercept == radius": True,
}


@in_turn(TYPED.items())
def test_numbers_and_truths_may_be_typed_in_other_ways(text, value):
    assert (holds(text) if isinstance(value, bool) else number(text)) == value


def sums(parts):
    return st.tuples(parts, st.sampled_from(["+", " - ", "*", "-"]), parts).map(
        "".join
    ) | parts.map("-({})".format)


def truths(parts):
    joined = st.tuples(parts, st.sampled_from([" and ", " or "]), parts).map("".join)
    return joined | parts.map("not ({})".format) | parts.map("({})".format)


NUMBERS = st.recursive(st.integers(0, 9).map(str), sums, max_leaves=5)
COMPARISONS = st.tuples(
    NUMBERS, st.sampled_from(["<", "<=", " > ", ">=", "==", "!="]), NUMBERS
).map("".join)


@given(st.recursive(COMPARISONS, truths, max_leaves=5).filter(lambda text: len(text) < 200))
def test_logic_and_arithmetic_are_those_of_python(text):
    try:
        found = holds(text)
    except ConditionError as error:
        assert "nested" in str(error)  # noqa: PT017 - both ends are fine
    else:
        assert found is eval(text)


UNREADABLE = {
    "": "a number or a name is missing.",
    "mistaks < 3": "did you mean mistakes",
    "mistakes(3) < 2": "'mistakes' is not a function",
    "alpha > 3": "alpha is a function: write alpha(i)",
    "alpha(1, 2) > 3": "alpha is written as alpha(i)",
    "alpha(i) > 3": "i has a meaning only where each example is looked at",
    "kernel == gausian": "did you mean gaussian?",
    "kernel": "a setting with choices is compared",
    "kernel < gaussian": "compare it by == or !=",
    "gaussian == kernel": "'gaussian' is not a name",
    "1 < 2 < 3": "a second comparison follows",
    "converged < 3": "< takes a number, and this is true or false",
    "mistakes and converged": "and takes true or false, and this is a number",
    "not mistakes": "not takes true or false",
    "(1 < 2": '")" is missing',
    "mistakes": "a condition is true or false",
    "__import__('os').system('x')": '"." has no meaning',
    "first.mistaks < 2": "At character 7: 'mistaks' is not a name",
    "first.first.n < 2": '"." has no meaning',
    "first.i < 2": "i has a meaning only where",
    "first.kernel == linear": "first. stands before a number or a truth",
    "first.n": "a condition is true or false",
    "(" * 50 + "1 < 2" + ")" * 50: "nested more than 20 deep",
    "-" * 50 + "1 < 2": "nested more than 20 deep",
    "1 < 2" + " and 1 < 2" * 100: "at most 300 are read",
}


@in_turn(UNREADABLE.items())
def test_what_is_not_a_condition_gets_a_sentence(text, why):
    with pytest.raises(ConditionError) as caught:
        Condition.read(text)
    assert why in str(caught.value)
    assert str(caught.value)[-1] in ".?"


NO_VALUE = {
    ("1 / 0", XOR): "divides by 0",
    ("alpha(24)", XOR): "24 is not an example: they are numbered from 0 to 23",
    ("alpha(0.5)", XOR): "0.5 is not an example",
    ("degree", XOR): "q does not apply",
    ("heldout_error", "v=1"): "No examples are held out",
    ("bricks", "v=1&learner=norma"): "has no bricks",
    ("geometric_margin", "v=1&t=0"): "f is 0",
    ("f(1, 2)", "v=1&data=texts"): "needs points of a plane",
    ("first.mistakes", XOR): "first.mistakes compares with the run at the start of a task",
    ("bound", "v=1&kernel=sigmoid&coef0=-1"): "No mistake bound applies",
    ("best_margin", f"v=1&kernel=linear&learner=norma&data=drawn&points={ONE}"): "of one class",
}


@pytest.mark.parametrize(("asked", "why"), NO_VALUE.items(), ids=range(len(NO_VALUE)))
def test_what_has_no_value_gets_a_sentence(asked, why):
    text, query = asked
    with pytest.raises(NoValueError) as caught:
        number(text, query)
    assert why in str(caught.value)
    assert str(caught.value).endswith(".")


RUNS = (XOR, "v=1&data=texts", "v=1&learner=norma&t=3", "v=1&data=bits&function=parity")


def refused(until, link=XOR):
    """What a student reads of a condition that does not hold."""
    lines = f"within: sigma 0.1 to 3\nuntil: {until}\nsolution: {link}\nstart: {link}"
    text = f"---\ntitle: T\n---\n## S\nlink: v=1\n```task reach\nask: A\n{lines}\n```"
    return format.read(text).scenes[0].tasks[0].check({"link": link}).why


@in_turn([(one,) for one in NAMES])
def test_each_name_has_a_value_or_a_sentence_in_the_words_of_the_board(name):
    found = NAMES[name]
    word = f"{{}} == {found.choices[0]} and {{}} != {found.choices[0]}" if found.choices else ""
    until = {"number": "{} < 0 and {} > 1", "truth": "{} and not {}", "word": word}[found.kind]
    called = [found.called or found.words, *filter(None, [found.not_called])]
    for query in RUNS:
        with contextlib.suppress(NoValueError):  # which the sentence below says
            assert isinstance(
                found.value(case(query)), {"number": float, "truth": bool, "word": str}[found.kind]
            )
        for part in (name, f"first.{name}") if found.kind != "word" else (name,):
            said = refused(until.format(part, part), query)
            assert not [sign for sign in "=_" if sign in said]
            assert said.endswith(".")
            if said.startswith("Not yet."):
                lines = [
                    line.removeprefix(mark)
                    for line in said.split("\n")[1:]
                    for mark in "✓✗"
                    if line[0] == mark
                ]
                assert len(lines) == 2
                assert all(any(line.startswith(f" {each}") for each in called) for line in lines), (
                    said
                )
                assert said.count(" at the start") == 2 * (part != name)
                assert name in re.findall(r"\w+", " ".join(called)) or name not in re.findall(
                    r"\w+", said
                )


CALLED = {
    "f(0.5, -1)": "f(0.50, −1)",
    "score(3)": "f(x₃)",
    "margin(3)": "margin of x₃",
    "alpha(3)": "α of x₃",
} | {
    "label(3)": "y of x₃",
    "k(3, 4)": "k(x₃, x₄)",
    "vote(3, 4)": "the vote of x₃ at x₄",
}


def test_a_refusal_says_what_a_function_is_of_as_the_board_does():
    assert {call.partition("(")[0] for call in CALLED} == FUNCTIONS.keys()
    for call, called in CALLED.items():
        assert refused(f"{call} < 0 and {call} > 0").startswith(f"Not yet.\n✗ {called} is ")
        assert refused(f"first.{call} < 0 and {call} > 0").count(f"{called} is ") == 2
    assert refused("score(0) < -9") == "Not yet.\n✗ f(x₀) is −0.60 (wanted: less than −9)."


SIGNS = (
    *"+-*/()<>,=i1² ",
    "<=",
    "==",
    "and",
    "or",
    "not",
    "gaussian",
    "0.5",
    "'a'",
    "first.n",
    "first.f",
    "first.",
)
WORDS = (*NAMES, *FUNCTIONS, *SIGNS)


@given(st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join) | st.text(max_size=40))
def test_any_text_is_a_condition_or_gets_a_sentence(text):
    for each in (False, True):
        try:
            condition = Condition.read(text, per_example=each)
        except ConditionError:
            continue
        with contextlib.suppress(NoValueError):
            assert condition.holds(case(), 3) in (True, False)
        condition.values(case())


def test_first_is_of_the_run_with_which_the_task_started():
    start = Link(query=f"{XOR}&t=3")
    later = replace(case("v=1&data=xor&n=10&sigma=0.2"), started=start)
    assert Condition.read_number("first.mistakes").value(later) == sum(
        by_hand()[1].mistake
    )  # at its end
    assert Condition.read_number("first.n-n").value(later) == 24 - 10
    assert Condition.read_number("first.alpha(3)").value(later) == abs(
        by_hand()[1].states[-1][0][3]
    )
    condition = Condition.read("not first.converged and mistakes < first.mistakes")
    assert condition.holds(later)
    assert not condition.holds(replace(case(), started=start))
    assert list(condition.values(later)) == ["first.converged", "mistakes", "first.mistakes"]


def test_a_run_that_takes_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(cases, "SECONDS", -1.0)
    with pytest.raises(cases.NoRunError, match="takes more than"):
        Case.of(Link(query="v=1&data=xor&n=1000&learner=norma&epochs=1000"))


def test_what_takes_too_long_to_work_out_is_refused_with_a_sentence(monkeypatch):
    condition, start = (
        Condition.read_number("+".join(["f(1,1)"] * 40)),
        Link(query=f"{XOR}&predictor=voted"),
    )
    assert condition.value(Case.of(start)) == 40 * Condition.read_number("f(1, 1)").value(
        Case.of(start)
    )
    clock = count(step=1.0)  # each f takes a second
    monkeypatch.setattr(cases.time, "monotonic", lambda: next(clock))
    with pytest.raises(
        cases.NoRunError, match="It takes more than 20 seconds to work out; ask for less"
    ):
        condition.value(Case.of(start))


def test_the_settings_that_are_no_names_are_texts():
    assert not {"points", "formula", "cues", "file"} & NAMES.keys()
    assert set(Settings.of().values) - NAMES.keys() - FUNCTIONS.keys() <= {
        "points", "names", "file", "cols", "cues", "formula", "function", "added", "ask", "sequence", "w0"
    }  # fmt: skip


@in_turn([(one,) for one in (*NAMES.values(), *FUNCTIONS.values())])
def test_each_name_is_read_as_the_reference_writes_it(name):
    written = re.sub(r"\b[a-z]\w*(?=[,)])", "1", name.example)  # a number for each argument
    assert written.count("1") >= len(name.arguments)
    if name.kind == "number":
        assert Condition.read_number(written).parts[0].quantity is name
    elif name.kind == "truth":
        assert Condition.read(written).parts[0].quantity is name
    else:
        assert Condition.read(f"{written} == {name.choices[0]}").parts[0].quantity is name


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_share_of_wrong_examples_is_shown_as_the_number_nearest_to_it(share):
    wrong, n = share
    text = NAMES["training_error"].shown_as(wrong / n).removesuffix("%")
    unit = Fraction(1, 10 ** len(text.partition(".")[2]))
    # Not one of two that are as near: 5 of 80 are neither 6.2% nor 6.3%.
    assert abs(Fraction(text) - 100 * Fraction(wrong, n)) < unit / 2


def test_a_share_at_the_start_is_said_once_and_on_its_side_of_what_is_wanted():
    said = refused("first.training_error < 0.1251", "v=1&kernel=linear")
    assert re.search(r"error: [\d.]+% at the start \(wanted: less than 12.51%\)", said), said


def signed(parts):
    """Sums, differences, products, and what is below a minus or a root."""
    joined = st.tuples(parts, st.sampled_from(["+", "-", "*"]), parts).map("".join)
    return (
        joined.map("({})".format) | parts.map("(-{})".format) | parts.map("√(({0}) * ({0}))".format)
    )


TREES = st.recursive(st.integers(1, 9).map(str), signed, max_leaves=6)


@given(TREES.filter(lambda text: len(text) < 150))
def test_what_is_said_of_a_number_has_its_value_when_it_is_read_again(text):
    condition = Condition.read_number(text)
    seen = case("v=1&n=4")
    said = condition.written(seen)
    assert Condition.read_number(said).value(seen) == pytest.approx(
        condition.value(seen), rel=1e-9, abs=1e-9
    ), said
