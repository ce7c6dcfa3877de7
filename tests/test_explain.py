"""The words of a step: each sentence says what the run recorded, and the ends are honest."""

import itertools
import re
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from kinds import three_examples
from written import plain

import kpviz
from kpviz import experiment
from kpviz.engine.data.drawn import Drawn
from kpviz.engine.run.train import train
from kpviz.lessons import explain, scores
from kpviz.lessons.explain import number
from kpviz.lessons.file.conditions import Condition
from kpviz.lessons.file.links import Case, Link
from kpviz.settings import Settings

RUNS = {
    "usual": {},
    "linear, never ends": {"kernel": "linear", "n": 30, "epochs": 4},
    "learning rate, intercept": {
        "data": "shifted",
        "kernel": "linear",
        "eta": 0.03,
        "intercept": "radius",
        "epochs": 6,
    },
    "random order": {"order": "random", "epochs": 3, "noise": 0.2},
    "sigmoid": {"kernel": "sigmoid", "epochs": 3},
    "zero is correct": {"tie": "correct"},
    "zero is +1": {"tie": "positive", "n": 4, "noise": 0},
    "zero is −1": {"tie": "negative", "n": 4, "noise": 0, "kernel": "linear", "epochs": 3},
    "four corners": {"n": 4, "noise": 0, "kernel": "monomial"},
    "zero inside": {"n": 4, "noise": 0, "kernel": "linear", "epochs": 3},
    "tiny scores": {"eta": 0.01, "sigma": 0.05, "epochs": 2},
    "one epoch": {"epochs": 1, "data": "circles"},
}


def run_of(name):
    return experiment.run(Settings.of(**RUNS[name]))


def cancelled():
    def stop(done, limit):
        raise RuntimeError

    X, y = kpviz.make_dataset("moons", 400, noise=0.4)
    kernel = kpviz.kernels.Gaussian(sigma=2.0)
    return train(kpviz.learners.Perceptron(), X, y, kernel=kernel, epochs=100_000, progress=stop)


# ---- numbers --------------------------------------------------------------------------------------


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
@example(0.125)
@example(0.1)
@example(0.0001)
@example(0.00005)
@example(-0.0)
@example(16777216.0)
@example(999999.94)
@example(1e6)
def test_a_number_is_written_to_half_a_unit_of_its_last_place(value):
    text = number(value)
    assert "-" not in text
    assert (text[0] == explain.MINUS) == (value < 0)
    back = Decimal(plain(text))
    exact = abs(float(np.float32(value)))
    if exact == 0:
        assert text == "0"
        return
    if not 0.0001 <= exact < 1e6:
        power = f"{'⁻' if exact < 1 else ''}[⁰¹²³⁴⁵⁶⁷⁸⁹]+"
        assert re.fullmatch(rf"{explain.MINUS}?[1-9]\.\d×10{power}", text)
        assert abs(abs(back) - Decimal(exact)) <= Decimal(exact) / 20
    else:
        places = 2 if exact >= 0.1 else 4
        assert -back.as_tuple().exponent == places
        assert abs(back) == Decimal(exact).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e30, max_value=1e30))
def test_a_number_is_what_the_browser_has_and_only_zero_is_written_as_zero(value):
    assert number(value) == number(float(scores.as_sent(value)))
    assert (number(value) == "0") == (value == 0)
    assert number(-value) == (number(value) if value == 0 else _turned(number(value)))


def _turned(text):
    return text[1:] if text.startswith(explain.MINUS) else explain.MINUS + text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.125, "0.13"),
        (0.375, "0.38"),
        (-0.125, "−0.13"),
        (2.5, "2.50"),
        (1, "1.00"),
        (-1, "−1.00"),
        (0.1, "0.10"),
        (0.09999, "0.1000"),
        (0.00011, "0.0001"),
        (1.25e9, "1.3×10⁹"),
        (9.96e11, "1.0×10¹²"),
        (1e30, "1.0×10³⁰"),
        (-1e60, "−1.0×10⁶⁰"),
        (-7.7e9, "−7.7×10⁹"),
        (999999999, "1.0×10⁹"),
        (0.00009, "9.0×10⁻⁵"),
        (1e-12, "1.0×10⁻¹²"),
        (1e-320, "1.4×10⁻⁴⁵"),
        (-1e-320, "−1.4×10⁻⁴⁵"),
        (np.float32(0.3), "0.30"),
        (1234567.0, "1.2×10⁶"),
        (999999.5, "999,999.50"),
        (-1e6, "−1.0×10⁶"),
        (0.05, "0.0500"),
    ],
)
def test_numbers_are_written_like_this(value, text):
    assert number(value) == text


def test_values_are_sent_as_float32_without_making_zeros():
    values = np.array([0.0, -0.0, 1e-300, -1e-300, 0.1, -5e10])
    sent = scores.as_sent(values)
    assert sent.dtype == np.float32
    np.testing.assert_array_equal(np.sign(sent), np.sign(values))


@given(st.integers(0, 10**7))
def test_names_and_counts_can_be_read_back(n):
    digits = {ord("₀") + d: str(d) for d in range(10)}
    assert explain.example(n) == "x" + explain.example(n)[1:]
    assert int(explain.example(n)[1:].translate(digits)) == n
    text = explain.counted(n, "mistake")
    assert int(text.split()[0].replace(",", "")) == n
    assert text.endswith("mistake") == (n == 1)


# ---- steps ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RUNS)
def test_every_sentence_holds_the_numbers_of_its_step(name):
    run = run_of(name)
    bricks = np.zeros(len(run.y), dtype=int)
    assert explain.explain(run, 0).line == 0
    assert explain.explain(run, 0).numbers == {}
    for t in range(1, min(run.n_steps, 300) + 1):
        i, wrong, score = run.index[t - 1], bool(run.mistake[t - 1]), float(run.score[t - 1])
        bricks[i] += wrong
        explained = explain.explain(run, t)
        own, other = ("orange", "blue") if run.y[i] > 0 else ("blue", "orange")
        numbers = {
            "x": explain.example(i),
            "f": number(score),
            "y": "+1" if run.y[i] > 0 else "−1",
            "margin": number(run.y[i] * score),
            "nth": explain.ordinal(bricks[i]),
            "step": step_of(run).replace("x", explain.example(i)),
            "signed": f"{'+' if score > 0 else ''}{number(score)}",
            "own": own,
            "other": other,
        }
        assert numbers.items() <= explained.numbers.items()
        assert explained.formula.startswith(f"f({numbers['x']}) = {numbers['f']}, y = {numbers['y']}")
        assert ("mistake" in explained.formula.split(". ")[0]) == wrong
        assert (f"its {explain.ordinal(bricks[i])} mistake." in explained.formula) == wrong
        assert ("this zero counts as" in explained.formula) == (score == 0)
        assert explained.sentence.startswith(f"{numbers['x']} is {own}, ")
        assert (f"score {numbers['signed']} says {other}: a mistake." in explained.sentence) == (wrong and score != 0)
        assert ("a score of 0 counts as" in explained.sentence) == (score == 0)
        assert (f"{own} hill is added" in explained.sentence) == (wrong and hilly(run))
        assert (f"It now pulls more towards {own}" in explained.sentence) == (wrong and not hilly(run))
        assert ("intercept moves" in explained.sentence) == (wrong and run.learner.intercept != "none")
        last = t == run.n_steps
        assert explained.line == (run.learner.about.lines["end" if last else "mistake" if wrong else "correct"])
        assert last == explained.sentence.endswith(explain.ending(run))
        assert "{" not in explained.sentence + explained.formula


def hilly(run):
    """Whether the kernel is largest at the example, and falls from there on all sides."""
    middle, ring = np.zeros((1, 2)), np.array([[0.3, 0.0], [0.0, -0.3], [0.2, 0.2], [3.0, 3.0]])
    values = run.kernel(middle, ring)[0]
    return values[:3].min() < 1 and values[:3].min() > values[3] >= 0


def step_of(run):
    added = "y·k(x, ·)" if run.learner.learning_rate == 1 else "η·y·k(x, ·)"
    return added if run.learner.intercept == "none" else f"{added} and move b"


def test_an_end_without_mistakes_is_not_called_a_failure():
    run = run_of("random order")
    stopped = explain.ending(run)
    assert run.end == "limit"
    assert ("none of them in the last pass" in stopped) == (run.mistakes_per_epoch[-1] == 0)


@pytest.mark.parametrize("name", RUNS)
def test_at_the_end_the_counts_are_those_of_the_whole_run(name):
    run = run_of(name)
    at_end = explain.explain(run, run.n_steps)
    i = run.index[-1]
    assert at_end.numbers["nth"] == explain.ordinal(round(run.state_at(run.n_steps).alpha[i] / run.unit))
    for t in (-1, run.n_steps + 1):
        with pytest.raises(ValueError, match="t="):
            explain.explain(run, t)


@pytest.mark.parametrize("tie", ["mistake", "correct", "positive", "negative"])
@pytest.mark.parametrize("seed", range(5))
def test_the_first_sentence_foretells_the_first_mistake(tie, seed):
    run = experiment.run(Settings.of(tie=tie, order="shuffled", oseed=seed, epochs=3))
    first = run.index[np.flatnonzero(run.mistake)[:1]]
    expected = {
        "mistake": run.index[:1],
        "correct": [],
        "positive": run.index[run.y[run.index] < 0][:1],
        "negative": run.index[run.y[run.index] > 0][:1],
    }
    assert first.tolist() == list(expected[tie])
    words = {"mistake": "always a mistake", "correct": "ever be learnt", "positive": "class −1", "negative": "class +1"}
    assert words[tie] in explain.explain(run, 0).sentence


def test_a_run_that_goes_on_from_a_state_does_not_say_that_f_is_zero():
    X, y = kpviz.make_dataset("xor", 30, seed=1)
    kernel = kpviz.kernels.Gaussian(sigma=0.5)
    first = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kernel, epochs=1)
    second = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kernel, start=first.state_at(first.n_steps))
    state = first.state_at(first.n_steps)
    assert explain.explain(second, 0).sentence == (
        f"Press → for the first step: this run goes on from step 30 of an earlier one, with {len(state.support)} "
        "examples in the support."
    )
    third = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kernel, start=second.state_at(second.n_steps))
    assert len(third.changes) == 0
    assert explain.ending(third) == "A clean pass: converged after 1 epoch and 0 mistakes."


# ---- ends -----------------------------------------------------------------------------------------


def test_a_clean_run_says_after_how_many_epochs_and_mistakes():
    run = run_of("usual")
    assert (
        explain.ending(run) == f"A clean pass: converged after {run.n_epochs} epochs and {run.mistake.sum()} mistakes."
    )


def test_one_is_singular():
    X = np.array([[1.0, 0.0], [0.8, 0.1]])
    kernel = kpviz.kernels.Linear()
    run = kpviz.train(kpviz.learners.Perceptron(), X, np.ones(2), kernel=kernel)
    assert explain.ending(run) == "A clean pass: converged after 2 epochs and 1 mistake."
    short = kpviz.train(kpviz.learners.Perceptron(), X, np.ones(2), kernel=kernel, epochs=1)
    assert explain.ending(short) == ("Not converged within 1 epoch: 1 mistake in it.")


def test_a_run_at_its_limit_says_the_mistakes_of_its_last_pass():
    run = run_of("linear, never ends")
    assert explain.ending(run).startswith(
        f"Not converged within {run.n_epochs} epochs: {run.mistakes_per_epoch[-1]} mistakes in the last."
    )


def test_nothing_learnt_is_said_where_zero_is_correct():
    run = run_of("zero is correct")
    assert explain.ending(run) == explain.ENDS["nothing"]
    assert explain.explain(run, run.n_steps).sentence.endswith(explain.ENDS["nothing"])


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("v=1&data=linear&n=10&kernel=sigmoid&coef0=-1&learner=pa", "4 mistakes remain"),
        ("v=1&data=blobs&n=8&kernel=sigmoid&coef0=-1&learner=pa", "8 mistakes remain"),
        (
            f"v=1&data=drawn&points={Drawn.of(np.zeros((1, 2)), np.ones(1)).code}&kernel=linear&learner=pa",
            "1 mistake remains",
        ),
    ],
)
def test_a_pass_that_changes_nothing_need_not_be_clean(query, left):
    case = Case.of(Link(query=query)).end
    assert case.run.end == "clean"
    assert explain.ending(case.run) == f"A pass changed nothing, but {left}: k(x, x) ≤ 0 there, and no step helps."
    assert explain.explain(case.run, case.run.n_steps).sentence.endswith(explain.ending(case.run))
    assert Condition.read("not converged and last_mistakes > 0").holds(case)


def test_of_a_learner_that_passes_over_mistakes_no_reason_is_made_up():
    class Idle(kpviz.learners.Learner):
        def start(self, gram, y, rng):
            return None

        def change(self, memory, t, i, scores, coef):
            return None

    X, y = kpviz.make_dataset("xor", 10)
    assert explain.ending(kpviz.train(Idle(), X, y)) == "A pass changed nothing, but 10 mistakes remain."


@settings(max_examples=200, deadline=None)
@given(
    learner=st.sampled_from(
        [
            *(
                kpviz.learners.Perceptron(intercept=b, tie=tie)
                for b in ("none", "unit")
                for tie in ("mistake", "correct", "positive")
            ),
            *(kpviz.learners.PassiveAggressive(variant) for variant in ("PA", "PA-I", "PA-II")),
            kpviz.learners.Norma(regularization=0.0),
            kpviz.learners.Projectron(),
            kpviz.learners.RemoveOldest(5),
        ]
    ),
    kernel=st.sampled_from(
        [
            kpviz.kernels.Linear(),
            kpviz.kernels.Gaussian(0.5),
            kpviz.kernels.Sigmoid(1.0, -1.0),
            lambda U, V: 0.0 * (U @ V.T),
        ]
    ),
    seed=st.integers(0, 1000),
    n=st.integers(1, 12),
)
def test_converged_is_said_where_the_last_pass_made_no_mistake(learner, kernel, seed, n):
    draw = np.random.default_rng(seed)
    X, y = draw.integers(-1, 2, (n, 2)).astype(float), draw.choice([-1.0, 1.0], n)
    run = kpviz.train(learner, X, y, kernel=kernel, epochs=20)
    ending, mistakes = explain.ending(run), int(run.mistakes_per_epoch[-1])
    said = "converged after" in ending or ending == explain.ENDS["nothing"]
    assert said == (run.end == "clean" and not mistakes)


def test_only_a_learner_that_always_changes_f_says_that_no_pass_is_clean():
    given = {"learner": "norma", "kernel": "linear", "data": "xor", "epochs": 2}
    always, now_and_then = (experiment.run(Settings.of(**given, **{"lambda": value})) for value in (0.02, 0.0))
    assert explain.ending(always).startswith("Stopped after 2 epochs: ")
    assert explain.ending(now_and_then).startswith("Not converged within 2 epochs: ")


def test_a_cancelled_run_says_after_how_many_steps():
    run = cancelled()
    assert run.end == "cancelled"
    assert explain.ending(run) == f"Cancelled after {run.n_steps:,} steps."


def two_at_one_place(kernel):
    first, other, _ = three_examples(kernel)
    X = np.array([first, first, other])
    return kpviz.train(kpviz.learners.Perceptron(), X, np.array([1.0, -1.0, 1.0]), kernel=kernel, epochs=4)


@pytest.mark.parametrize("kernel", [kind() for kind in kpviz.kernels.KERNELS.values()], ids=lambda k: k.name)
def test_it_is_called_impossible_where_two_examples_contradict_each_other(kernel):
    run = two_at_one_place(kernel)
    assert run.end == "limit"
    assert explain.ending(run).endswith("It never will: x₀ and x₁ differ only in their labels.")


@pytest.mark.parametrize("kernel", [kpviz.kernels.Linear(), kpviz.kernels.Polynomial(degree=2, coef0=0.0)])
@pytest.mark.parametrize("intercept", ["none", "unit", "radius"])
def test_a_run_that_repeats_itself_says_so_for_every_kernel_and_intercept(kernel, intercept):
    X = np.array([[-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    y = np.array([1.0, 1.0, -1.0, -1.0, -1.0])[: 4 if type(kernel) is kpviz.kernels.Linear else 5]
    run = kpviz.train(kpviz.learners.Perceptron(intercept=intercept), X[: len(y)], y, kernel=kernel, epochs=30)
    if run.end == "limit" and len(y) == 4:
        assert "it repeats itself" in explain.ending(run)
        assert explain.ending(run).endswith("for ever.")


def test_noisy_data_are_never_called_impossible_without_a_proof():
    for kernel, flipped in itertools.product(("linear", "gaussian", "sigmoid"), (0.1, 0.5)):
        run = experiment.run(Settings.of(kernel=kernel, flipped=flipped, noise=0.3, epochs=2))
        assert "never" not in explain.ending(run)


# ---- the templates --------------------------------------------------------------------------------


def test_every_template_and_every_end_is_said_by_some_run():
    runs = [run_of(name) for name in RUNS] + [cancelled()]
    runs.append(kpviz.train(runs[0].learner, runs[0].X, runs[0].y, kernel=runs[0].kernel, start=runs[0].state_at(9)))
    covered = dict.fromkeys(explain.TEMPLATES, False)
    patterns = {
        key: re.compile(re.sub(r"\\\{\w+\\\}", ".+?", re.escape(template)))
        for key, template in sentences_by_step().items()
    }
    for run in runs:
        covered[explain.start_key(run)] = True
        for t in range(1, min(run.n_steps, 400) + 1):
            key = ("mistake" if run.mistake[t - 1] else "correct") + ("_zero" if run.score[t - 1] == 0 else "")
            assert patterns[key].match(explain.explain(run, t).formula)
            covered[key] = True
    # these questions are asked by the player, before a step
    assert {key for key, used in covered.items() if not used} == {"look", "predict_side", "predict_margin"}
    assert {explain.ending(run).split()[0] for run in runs} == {"A", "Nothing", "Not", "Cancelled"}


def sentences_by_step():
    return {key: text for key, text in explain.TEMPLATES.items() if not key.startswith("start")}


def test_the_templates_ask_for_numbers_that_a_step_has():
    numbers = set(explain.explain(run_of("usual"), 1).numbers)
    for template in (*explain.TEMPLATES.values(), *explain.DESCRIBED.values(), *explain.VERDICTS.values()):
        assert set(re.findall(r"\{(\w*)\}", template)) <= numbers


@pytest.mark.parametrize("learner", ["perceptron", "norma", "forgetron"])
def test_of_a_stream_the_counter_says_what_is_in_memory_in_place_of_the_epoch(learner):
    run = experiment.run(Settings.of(stream="on", learner=learner, n=1200))
    for t in (0, 1, 700, 1200):
        kept, mistakes = np.count_nonzero(run.state_at(t).coef), int(run.mistake[:t].sum())
        expected = f"step {t:,} of 1,200 · {kept:,} in memory · {explain.counted(mistakes, 'mistake')}"
        assert explain.counter(run, t, stream=True) == expected
        assert "epoch 1 of 1" in explain.counter(run, t)


def test_the_browser_receives_the_same_words():
    run = run_of("usual")
    sent = explain.payload(run)
    others = {key for key in explain.TEMPLATES if key.startswith("start_")} - {sent["start"]}
    assert sent["steps"] == {key: text for key, text in explain.TEMPLATES.items() if key not in others}
    assert sent["end"] == explain.ending(run)
    assert sent["steps"][sent["start"]] == explain.explain(run, 0).sentence
    assert set(sent["lines"].values()) <= set(range(len(sent["code"])))
