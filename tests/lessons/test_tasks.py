"""Tasks: right answers are right, near misses are not, and what cannot be read gets a sentence."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import numpy as np
import pytest
from covering import in_turn
from hypothesis import example, given
from hypothesis import strategies as st
from near_misses import NEAR

from kpviz import experiment
from kpviz.engine.data import sequence
from kpviz.engine.data.drawn import Drawn
from kpviz.lessons.file import format
from kpviz.lessons.file.kinds import KINDS, question
from kpviz.lessons.file.links import Case
from kpviz.settings import from_query

XOR = "v=1&data=xor"


def task(kind, lines, link=XOR):
    lesson = format.read(
        f"---\ntitle: T\n---\n## S\nlink: {link}\n```task {kind}\nask: A\n{lines}\n```"
    )
    return lesson.scenes[0].tasks[0]


def run_of(query):
    return experiment.run(from_query(query)[0])


def verdict(task, tried=0, **answer):
    found = task.check(json.loads(json.dumps(answer)), tried)
    json.dumps(found.detail, allow_nan=False)
    assert found.why[-1] in ".?"
    return found


def drawn(points):
    X = np.array([[x1, x2] for x1, x2, _ in points], dtype=float)
    return f"v=1&data=drawn&points={Drawn.of(X, np.array([float(y) for *_, y in points])).code}&kernel=linear"


PLUS = [(0.5, 0.5, 1), (-0.5, -0.5, -1), (0.5, 0.25, 1)]
ONE_MORE = [*PLUS, (0.25, 0.25, -1)]
CROSS = [*PLUS, (-0.25, -0.25, 1), (0.25, 0.25, -1)]
EMPTY = "v=1&data=drawn&kernel=linear"


# ---- what is right, worked out anew --------------------------------------------------------------


def verdicts(query, first, count):
    run = run_of(query)
    wrong = [run.y[i] * f <= 0 for i, f in zip(run.index, run.score, strict=True)]
    return {"verdicts": ["mistake" if each else "correct" for each in wrong[first : first + count]]}


def f_at(query, x1, x2, t=None):
    return {"number": float(run_of(query).decision_function([[x1, x2]], t=t)[0])}


def support(query, t):
    return {"examples": run_of(query).state_at(t).support.tolist()}


def test_a_prediction_is_judged_in_words_first_by_the_ground_where_the_map_shows_it():
    asked = task("predict", "count: 2", "v=1&data=moons&n=30&seed=41&t=1")
    assert asked.solve().lines == (
        "Step 2: The ground under x₁ is orange, but x₁ is blue: a mistake (score +0.51).",
        "Step 3: The ground under x₂ is orange, as x₂ is: right (score +0.40).",
    )
    assert asked.check({"verdicts": ["correct", "correct"]}).why == (
        "You said right at step 2. The ground under x₁ is orange, but x₁ is blue: a mistake "
        "(score +0.51)."
    )
    words = task("predict", "count: 1", "v=1&data=texts&t=1").check({"verdicts": ["correct"]})
    assert "ground" not in words.why


def mistakes(query, first=0):
    run = run_of(query)
    return {
        "examples": [int(run.index[next(t for t in range(first, run.n_steps) if run.mistake[t])])]
    }


def small_margins(query):
    run = run_of(query)
    return {"examples": np.flatnonzero((run.y > 0) & (run.margins_at(run.n_steps) < 0.5)).tolist()}


def steps(query, first, count):
    run = run_of(query)
    states = [run.state_at(t) for t in range(first, first + count + 1)]
    found = []
    for t, (before, after) in enumerate(pairwise(states), first):
        gains = after.alpha - before.alpha
        bricks = [[i, float(gain)] for i, gain in enumerate(gains) if abs(gain) > 1e-12]
        said = "mistake" if run.mistake[t] else "correct"
        found.append(
            {"verdict": said, "bricks": bricks, "b": float(after.intercept - before.intercept)}
        )
    return {"steps": found}


OLDEST = "v=1&data=xor&learner=oldest&budget=3&kernel=linear"
BY_RUN = (
    "choice: It converges\nwhen: converged\nchoice: It repeats\nwhen: cycles\nchoice: It is "
    "linear\nwhen: "
)
REACH = (
    "within: sigma 0.1 to 3, kernel gaussian or polynomial\nuntil: training_error == 0 and "
    "bricks <= 15\n"
)
REACH += "start: v=1&data=xor&sigma=3\nsolution: v=1&data=xor&sigma=0.5"
ADD = (
    f"start: {drawn(PLUS)}\nuntil: not separable\nsolution: {drawn(ONE_MORE)}\nwithin: added 0 "
    f"to 1, removed 0 to 0"
)
PUZZLE = (
    f"start: {XOR}&n=40&sigma=3\nwithin: sigma 0.1 to 3\ngrid: 0.1\nuntil: converged\n"
    f"least: mistakes\npar: 11\nsolution: {XOR}&n=40&sigma=0.5"
)
ANY = f"start: {EMPTY}\nuntil: n >= 4 and not separable\nsolution: {drawn(CROSS)}"
RIGHT = {
    "puzzle": [(PUZZLE, XOR, {"link": f"{XOR}&n=40&sigma=0.5"})],
    "predict": [
        ("count: 4", XOR, verdicts(XOR, 0, 4)),
        ("count: 4", f"{XOR}&t=10", verdicts(XOR, 10, 4)),
        ("", f"{XOR}&tie=correct", {"verdicts": ["correct"]}),
    ],
    "choose": [
        ("choice: One\nchoice: Two\nchoice: Three\nanswer: A, C", XOR, {"choices": [2, 0]}),
        (f"{BY_RUN}kernel == linear", XOR, {"choices": [0]}),
        (f"{BY_RUN}kernel == linear", f"{XOR}&kernel=linear", {"choices": [2]}),
    ],
    "number": [
        ("value: f(0.5, -0.5)", XOR, f_at(XOR, 0.5, -0.5)),
        ("value: f(0.5, 0.5)", f"{XOR}&t=7", f_at(XOR, 0.5, 0.5, 7)),
        ("value: f(0.5, -0.5)\ntolerance: 0.1", XOR, f_at(XOR, 0.5, -0.5)),
        ("value: f(0.5, -0.5)\ntolerance: 10%", XOR, f_at(XOR, 0.5, -0.5)),
        *(
            ("value: mistakes", XOR, {"number": typed})
            for typed in (11, "11", "22/2", "11,0", " 1.1e1 ")
        ),
        ("value: n / 120", XOR, {"number": "½"}),
    ],
    "click": [
        ("what: support", f"{XOR}&t=25", support(XOR, 25)),
        ("what: next mistake", f"{XOR}&t=25", mistakes(XOR, 25)),
        ("what: forgotten", OLDEST, mistakes(OLDEST)),
        ("where: margin(i) < 0.5 and label(i) > 0", XOR, small_margins(XOR)),
    ],
    "reach": [
        (
            REACH.replace("=xor", "=xor&n=40"),
            XOR,
            {"link": "http://a.b/?v=1&data=xor&n=40&sigma=0.6&t=12&show=alpha"},
        )
    ],
    "draw": [
        (ADD, XOR, {"link": drawn([(0.25, 0.25, -1), *PLUS[::-1]])}),  # whatever the order
        *(
            (ANY + within, XOR, {"link": drawn(CROSS)})
            for within in ("", "\nwithin: points 1 to 6")
        ),
        (f"{ANY}\nwithin: intercept none or unit", XOR, {"link": drawn(CROSS)}),
    ],
    "perform": [
        *(
            ("count: 5", f"{XOR}&{more}", steps(f"{XOR}&{more}", 7 if more == "t=7" else 0, 5))
            for more in (
                *("n=60", "t=7", "kernel=linear&intercept=unit&eta=0.5", "learner=oldest&budget=2"),
                *("learner=forgetron&budget=4", "learner=logistic&n=6"),
            )
        ),
        ("", f"{XOR}&n=6&t=2", steps(f"{XOR}&n=6", 2, 4)),  # to the end of the epoch
    ],
}


@pytest.mark.parametrize("kind", RIGHT)
def test_what_is_worked_out_anew_and_the_own_solution_are_right_and_near_misses_are_not(kind):
    for lines, link, answer in RIGHT[kind]:
        asked = task(kind, lines, link)
        solution = asked.solve().answer
        assert verdict(asked, **answer).right
        assert verdict(asked, **solution).right
        misses = NEAR[kind](asked, solution, 0)
        assert misses
        for miss in misses:
            assert verdict(asked, **miss).right is False, (lines, miss)


UNREADABLE = {
    "predict": (
        "count: 4",
        "verdicts",
        [["mistake"] * 3, ["mistake"] * 5, "mistake", None, [True] * 4, {}],
    ),
    "choose": ("choice: A\nchoice: B\nanswer: A", "choices", [[3], [0, 0], ["A"], [True], None, 0]),
    "number": (
        "value: mistakes",
        "number",
        ["eleven", "1/0", "1 2", None, True, [11], float("nan"), float("inf"), 1e308],
    ),
    "click": ("what: support", "examples", [[60], [-1], [1.5], "x1", None, [[1]], [True]]),
    "reach": (REACH, "link", [None, 3, "javascript:alert(1)", ""]),
    "draw": (ADD, "link", [None]),
    "puzzle": (PUZZLE, "link", [None, "javascript:alert(1)"]),
    "perform": (
        "count: 2",
        "steps",
        [None, {}, [1], [{}], [{"verdict": "no"}], [{"verdict": "mistake"}] * 9]
        + [
            [{"verdict": "mistake", "bricks": bricks}]
            for bricks in (1, [[0]], [[0, "1"]], [[0, 1], [0, 1]], [[True, 1]])
        ]
        + [[{"verdict": "mistake", "b": "1"}]],
    ),
    "explain": ("", "text", ["", "  ", None, 3, "x" * 5000]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_cannot_be_read_costs_no_try_and_gets_a_sentence(kind):
    lines, key, answers = UNREADABLE[kind]
    for answer in answers:
        found = verdict(task(kind, lines), **{key: answer})
        assert (found.right, found.detail) == (False, {"unreadable": True}), answer


def test_a_wrong_number_that_the_author_names_is_told_by_his_words_of_each_start():
    lines = (
        "value: radius^2\nslip radius: That is R. R² is asked.\nslip 0: No: a distance is asked."
    )
    starts = [f"{XOR}&kernel=linear&seed={seed}" for seed in (0, 1, 2)]
    radii = [np.linalg.norm(run_of(start).X, axis=1).max() for start in starts]
    assert len(set(radii)) == 3
    for start, radius in zip(starts, radii, strict=True):
        asked = task("number", lines, start)
        whys = {
            radius: "That is R. R² is asked.",
            radius * 1.004: "That is R. R² is asked.",
            0: "No: a distance is asked.",
        }
        for number, why in whys.items():
            assert verdict(asked, number=float(number)).why == why
            assert verdict(asked, number=float(number)).right is False
        assert verdict(asked, number=float(radius**2)).right
        assert verdict(asked, number=float(radius * 1.01)).why.startswith("Too small. Look at R")
        # As exactly as the task asks for its number it asks for those that are wrong.
        read_off = task("number", f"{lines}\ntolerance: 0.05", start)
        assert verdict(read_off, number=float(radius + 0.04)).why == whys[radius]
        assert verdict(read_off, number=float(radius - 0.06)).why.startswith("Too small. ")


def test_what_a_wrong_answer_is_told():
    found = verdict(task("predict", "count: 4", f"{XOR}&t=10"), verdicts=["mistake"] * 4)
    assert found.detail == {"step": 11}
    assert found.why.startswith("You said a mistake at step 11. The ground under x₁₀ is ")
    asked = task("choose", *RIGHT["choose"][0][:2])
    told = {
        (0,): [
            "Everything you selected is correct. That is not all.",
            "Everything you selected is correct. One answer is missing.",
        ],
        (0, 1): ["B is not true."] * 2,
        (1,): ["B is not true."] * 2,
    }
    assert {
        each: [verdict(asked, tried, choices=[*each]).why for tried in (0, 1)] for each in told
    } == told
    asked = task("choose", f"{BY_RUN}kernel == linear")
    assert verdict(asked, choices=[0, 2]).why == "C is not true (kernel: gaussian)."
    value = f_at(XOR, 0.5, -0.5)["number"]
    asked = task("number", "value: f(0.5, -0.5)")
    told = {-value: "sign", value * 1.006: True, value * 2: False}
    assert [verdict(asked, number=number).detail["near"] for number in told] == list(told.values())
    whys = ["Right size, wrong sign.", "Close, but a little too large. ", "Too large. "]
    look = "The number at the end of the run is asked."
    assert [verdict(asked, number=number).why for number in told] == [
        whys[0],
        whys[1] + look,
        whys[2] + look,
    ]
    assert verdict(asked, number=float(f"{value:.3g}")).right  # half a percent is near enough
    assert "little" not in verdict(task("number", "value: 0.65\ntolerance: 0.5"), number=4).why
    asked = task("perform", "count: 5")
    assert asked.plain["covers"] == ["f"]  # Its colours would tell each verdict.
    assert task("perform", "count: 5\nfield: shown").plain["covers"] == []
    right = steps(XOR, 0, 5)["steps"]
    assert "step 3 is next" in verdict(asked, steps=right[:2]).why
    for k, step in enumerate(right):
        found = verdict(asked, steps=[*right[:k], {**step, "b": 7}])
        assert found.detail == {"step": k + 1}
        assert f"Step {k + 1}: you wrote b +7; the rule changes" in found.why
    i, gain = right[1]["bricks"][0]
    assert gain == 1
    mirrored = verdict(asked, steps=[right[0], {**right[1], "bricks": [[i, -1]]}])
    x, own = "x₁", "orange" if run_of(XOR).y[i] > 0 else "blue"
    assert i == 1
    assert (
        mirrored.why
        == f"Step 2: α counts mistakes, so α of {x} goes up by 1. That {x} is {own} is in y."
    )
    asked = task("click", "what: next mistake", f"{XOR}&t=3")
    go = "Go in order: x₃, x₄, x₅ and so on."
    told = {
        1: (f"x₁ was shown already in this epoch. {go}", [3, 4, 5]),
        4: ("x₄ is blue on blue ground (score −0.040): the machine will be right about it.", [3]),
        9: (
            "x₉ is blue on blue ground (score −0.83): the machine will be right about it.",
            [3, 4, 5],
        ),
        12: (f"x₁₂ is orange on blue ground, but another mistake comes before it. {go}", [3, 4, 5]),
        15: (f"x₁₅ is blue on blue ground (score −0.21). {go}", [3, 4, 5]),
    }
    for i, (why, passed) in told.items():
        result = verdict(asked, examples=[i])
        assert (result.why, result.detail["passed"]) == (why, passed)
    asked = task("click", "where: alpha(i) >= 2")
    several = task("click", "where: label(i) > 0")
    single = [
        task("click", "where: score(i) > 0.835"),
        task("click", "what: next mistake", f"{XOR}&t=3"),
    ]
    assert [one.plain["one"] for one in (several, *single)] == [False, True, True]
    assert (
        verdict(asked, examples=[0, 1]).why
        == "x₀ is wrong: α of x₀ is 1. 1 other of yours is wrong, too."
    )
    assert (
        "its α = 0 at step 20."
        in verdict(task("click", "what: support", f"{XOR}&t=20"), examples=[3]).why
    )
    assert task("explain", "").solve().answer is None
    assert verdict(task("explain", ""), text="Because f is 0.").right is None


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("0.607", "0.607 is right."),
        ("0,6065", "0,6065 is right."),
        ("exp(-0.5)", "exp(−0.5) is right."),
        ("0.61", "0.61 is right to two digits: give three."),
        (".61", ".61 is right to two digits: give three."),
        ("0.610", "Close, but a little too large. "),
        ("0.6", "Close, but a little too small. "),
        ("0.5", "Too small. "),
        ("6.1", "Too large. "),
    ],
)
def test_a_number_is_echoed_as_typed_and_one_that_is_right_as_far_as_it_goes_costs_no_try(
    typed, said
):
    found = verdict(task("number", "value: exp(-1/2)"), number=question.typed(typed), typed=typed)
    assert found.why.startswith(said)
    assert found.detail.get("unreadable", False) == ("digits" in said)


def test_a_choice_that_is_not_true_is_told_by_the_authors_reason():
    lines = (
        "choice: A\nwhen: converged\nchoice: At most 20, in whatever order\nwhen: bound <= "
        "20\nbut: one order makes 44"
    )
    asked = task("choose", f"{lines}\nchoice: C\nwhen: n > 99")
    assert (
        verdict(asked, choices=[1, 2]).why
        == "B is not true: one order makes 44. C is not true (training examples: 60)."
    )
    copy = format.read(
        f"---\ntitle: T\n---\n## S\nlink: {XOR}\n```task choose\nask: A\n{lines}\n```"
    ).for_students
    assert "44" not in copy
    for wrong in (
        "but: x\nchoice: A\nchoice: B\nanswer: A",
        "choice: A\nbut: x\nbut: y\nchoice: B\nanswer: A",
    ):
        with pytest.raises(ValueError, match="but: stands once under a choice"):
            task("choose", wrong)


@pytest.mark.parametrize(
    ("value", "solution", "asked_for"),
    [
        ("0.1353", "0.1353", "0.1353"),
        ("-0.5", "−0.5", "−0.50"),
        ("exp(-2)", "exp(−2) = 0.1353", "exp(−2)"),
        ("e^(-1/2)", "e^(−1/2) = 0.6065", "e^(−1 / 2)"),
        ("√2 / 2", "√2 / 2 = 0.7071", "√2 / 2"),
        ("2^5", "2⁵ = 32", "2⁵"),
        ("2 * π", "2 · π = 6.283", "2 · π"),
        ("radius² + 2^n", None, "R² + 2^training examples"),
        ("f(0.125, -0.3)", None, "f(0.125, −0.30)"),
    ],
)
def test_a_solution_prints_the_value_that_is_right(value, solution, asked_for):
    asked = task("number", f"value: {value}", "v=1&data=xor&n=8")
    case = Case.of(asked.start)
    assert asked.question.value.written(case).replace(" / ", "/") == asked_for.replace(" / ", "/")
    if solution:
        assert asked.solve().lines[-1].replace(" / ", "/") == solution.replace(" / ", "/")


@pytest.mark.parametrize(
    "value", ["exp(800)", "log(0)", "(0 - 8)^0.5", "2^2^2^2^2^2", "1 / sin(0)", "√(0 - 1)"]
)
def test_a_number_that_has_no_value_is_the_authors_fault_in_one_sentence(value):
    with pytest.raises(ValueError, match=r"^It (has no value|divides by 0)"):
        task("number", f"value: {value}").solve()


def test_what_is_wanted_and_what_is_so_never_look_the_same():
    asked = task(
        "reach",
        f"{REACH}".replace("training_error == 0 and bricks <= 15", "geometric_margin >= 0.0102"),
    )
    found = verdict(asked, link="v=1&data=xor&sigma=3")
    shown, wanted = re.search(r"margin: (\S+) \(wanted: at least (\S+)\)", found.why).groups()
    assert float(shown.replace("−", "-")) < float(wanted)


@pytest.mark.parametrize(
    ("value", "query", "words", "kernel"),
    [
        ("f(0.5, -0.5)", XOR, "f(0.50, −0.50)", ("Gaussian, σ = 0.5", "u - v")),
        ("2 * k(0, 1)", f"{XOR}&kernel=linear", "2 · k(x₀, x₁)", ("Linear", "u")),
        ("margin(0)", "v=1&data=texts", "margin of x₀", ("Word sets, normalized", "k_0")),
        ("radius * radius / steps", f"{XOR}&kernel=linear", "R² / examples shown", None),
        ("-(n - support)", XOR, "−(training examples − remembered examples)", None),
        ("mistakes", XOR, "mistakes", None),
    ],
)
def test_the_words_of_a_number_are_right_as_an_answer_and_hold_no_word_of_a_program(
    value, query, words, kernel
):
    asked = task("number", f"value: {value}", query)
    *before, last = asked.solve().lines
    assert before == ([] if kernel is None else [kernel[0]])
    if kernel:
        name, formula = asked.reasons(missed=True)[1]["children"][0]["children"]
        assert name == f"{kernel[0]}: "
        assert kernel[1] in formula["text"]
    asked_for, _, shown = last.partition(" = ")
    assert asked_for == words
    assert verdict(asked, number=float(shown.replace("−", "-"))).right


# ---- what is on the board ------------------------------------------------------------------------

ORDER = f"start: {drawn(PLUS)}\nwithin: order\nuntil: mistakes >= 1\nsolution: {drawn(PLUS)}"
SIX = f"{ANY}\nwithin: points 1 to 6"
NINE = drawn([(0.01 * k, 0.01 * k, 1 - 2 * (k % 2)) for k in range(9)])
FOUR = "v=1&data=drawn&points=vohkvoecQYhkQYec.o&kernel=linear"
LATE = f"until: bound <= 2\nsolution: {FOUR}\nstart: "
REFUSED = [
    (
        "reach",
        REACH,
        "v=1&data=xor&sigma=3",
        "Not yet.\n✓ training error: 0%.\n✗ bricks: 180 (wanted: at most 15).",
    ),
    ("reach", REACH, "v=1&data=xor&sigma=0.05", "σ 0.05 is not allowed here. What is: 0.1 to 3."),
    (
        "reach",
        REACH,
        "v=1&sigma=0.5&n=20",
        "This may not be changed here: Points. You may change: σ, from 0.1 to 3; the kernel,",
    ),
    ("reach", REACH, "v=1&data=xor&sigma=0.5&seed=4", "This may not be changed here: Data seed."),
    ("reach", REACH, "v=1&data=circles&sigma=0.5", "This may not be changed here: Data set."),
    (
        "reach",
        REACH,
        "v=1&kernel=laplacian",
        "Kernel laplacian is not allowed here. What is: gaussian or polynomial.",
    ),
    ("reach", REACH, "v=1&kernel=polynomial&degree=4", "This may not be changed here: q."),
    (
        "reach",
        REACH,
        "v=1&data=xor&sigma=0.5&learner=norma",
        "This may not be changed here: Learner.",
    ),
    ("reach", REACH, "v=1&data=xor&sigma=zero", "could not be used"),
    ("reach", REACH, "/fisher?v=1", "a link of the player"),
    ("reach", REACH, "v=1&data=file", "does not hold the rows"),
    ("reach", REACH, "v=1&data=drawn&points=~0123456789ab", "only names its drawn points"),
    ("draw", ADD, drawn(PLUS), "✗ the classes can be separated."),
    ("draw", ADD, drawn(CROSS), "You added or moved 2 points: at most one may be."),
    (
        "draw",
        ADD,
        drawn([*PLUS[:2], (0.25, 0.25, -1)]),
        "You removed or moved 1 point: none may be.",
    ),
    ("draw", ADD, drawn([*PLUS, (0.25, 0.25, 1)]), "Not yet."),
    ("draw", ADD, f"{drawn(ONE_MORE)}&intercept=unit", "This may not be changed here: Intercept."),
    ("draw", ADD, EMPTY, "You removed or moved 3 points"),
    ("draw", ADD, "v=1&data=xor&kernel=linear", "This may not be changed here: Data set."),
    ("draw", ANY, EMPTY, "The link has no examples to learn from"),
    (
        "draw",
        f"{ANY}\nwithin: intercept none or unit",
        f"{drawn(CROSS)}&intercept=radius",
        "Intercept radius is not",
    ),
    ("draw", SIX, NINE, "There are 9 points in all: one to six are wanted."),
    ("draw", ORDER, drawn(CROSS), "The points stay as they are here."),
    (
        "draw",
        f"{LATE}{EMPTY}\nwithin: points 3 to 6",
        EMPTY,
        "There are 0 points in all: three to six are wanted.",
    ),
    ("draw", f"{LATE}{FOUR}\nwithin: points 4 to 4", FOUR, "Not yet.\n✗ mistake bound: 101"),
]


@in_turn(REFUSED, key=lambda kind, *_: kind)
def test_what_is_on_the_board_is_refused_with_its_reason(kind, lines, link, why):
    found = verdict(task(kind, lines), link=link)
    assert found.right is False
    assert why.lower() in found.why.lower(), (link, found.why)


def test_another_try_has_the_data_of_its_seed_and_is_compared_with_the_run_at_its_start():
    asked = task(
        "reach", f"{REACH}\nseeds: 0, 3".replace("until: ", "until: mistakes < first.mistakes and ")
    )
    for tried, seed in enumerate((0, 3, 0)):
        assert verdict(asked, tried, link=f"v=1&data=xor&sigma=0.5&seed={seed}").right
        assert verdict(asked, tried, link=f"v=1&data=xor&sigma=0.5&seed={3 - seed}").right is False
        assert asked.check(asked.solve(tried).answer, tried).right
        found = verdict(asked, tried, link=f"v=1&data=xor&sigma=3&seed={seed}")
        made = str(run_of(f"{XOR}&sigma=3&seed={seed}").mistake.sum())
        values = found.detail["values"]
        assert (found.right, values["mistakes"], values["first.mistakes"]) == (False, made, made)


def test_draw_asks_for_an_order_of_the_same_points():
    start = "v=1&data=xor&n=8&kernel=polynomial&degree=2"
    orders = [np.random.default_rng(k).permutation(8).tolist() for k in range(20)]
    links = [f"{start}&order=hand&sequence={sequence.encode(order)}" for order in orders]
    made = [int(run_of(link).mistake.sum()) for link in links]
    most = max(made)
    assert most > min(made)
    best = links[np.argmax(made)]
    asked = task(
        "draw", f"start: {start}\nwithin: order\nuntil: mistakes >= {most}\nsolution: {best}"
    )
    assert [verdict(asked, link=link).right for link in links] == [count == most for count in made]


def test_what_may_change_is_named_as_beside_the_board():
    for lines, may in (
        (
            "sigma 1 to 2, kernel gaussian or linear, order",
            "You may change: σ, from 1 to 2; the kernel, gaussian or",
        ),
        ("added 0 to 1, removed 0 to 0", "You may add one point. Leave the three others alone."),
        (
            "points 4 to 4, sigma 1 to 2",
            "Draw exactly four points. You may change: σ, from 1 to 2.",
        ),
        ("points 3 to 3", "Keep exactly three points."),
        ("order", "You may change: the order."),
        ("removed 0 to 2", "You may remove or move at most two of them. "),
    ):
        asked = task(
            "draw", f"start: {drawn(PLUS)}\nuntil: cycles\nsolution: {drawn(PLUS)}\nwithin: {lines}"
        )
        assert asked.plain["may"].startswith(may.strip())


# ---- whatever is answered, and what is served ----------------------------------------------------

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from([XOR, "mistake"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["verdict", "bricks", "b"]), inner)
    ),
    max_leaves=6,
)
ANSWERS = st.dictionaries(
    st.sampled_from([key for _, key, _ in UNREADABLE.values()]), JSON, max_size=3
)


@pytest.mark.parametrize("kind", KINDS)
@given(answer=ANSWERS | JSON)
def test_any_answer_gets_a_verdict(kind, answer):
    found = task(kind, UNREADABLE[kind][0]).check(answer)
    assert found.right in (True, False, None)
    assert found.why


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_served_holds_no_solution(kind):
    secret, lines = "The hidden reason.", RIGHT[kind][-1][0] if kind in RIGHT else ""
    block = f"```task {kind}\nask: A\nwhy: {secret}\n  {secret}\n{lines}\n```"
    lesson = format.read(f"---\ntitle: T\n---\n## S\nlink: {XOR}\n> notes: {secret}\n\n{block}")
    text = json.dumps(lesson.plain(), allow_nan=False, ensure_ascii=False)
    for written in (text, lesson.for_students):
        assert not [word for word in (secret, "solution", "when:") if word in written]
    if solution := re.search("solution: (.*)", lines):
        assert solution[1] not in text + lesson.for_students
    if until := re.search("until: (.*)", lines):
        assert until[1] not in text  # the page does not need it
    expected = lesson.plain()
    (task,) = expected["scenes"][0]["tasks"]
    if kind == "choose":
        task["one"] = False  # Without `when` nobody knows how many choices are right.
    assert format.read(lesson.for_students).plain() == expected
    assert secret in json.dumps(lesson.plain(notes=True))


SIZES = st.tuples(
    st.floats(1.0, 9.999999),
    st.integers(-9, 11),
    st.sampled_from([1, -1]),
    st.integers(0, 7),
    st.booleans(),
)


@given(SIZES)
@example((1.23456, 5, 1, 6, True))
@example((1.0, 12, 1, 0, True))
def test_a_solution_as_it_is_written_is_right_when_it_is_typed_whatever_its_size(drawn_number):
    digits, power, sign, places, is_whole = drawn_number
    value = sign * round(digits, places) * 10.0**power
    if is_whole:
        value = float(round(value))
    asked = task("number", f"value: {value!r}")
    solution = asked.solve()
    typed = solution.lines[-1].rpartition(" = ")[2]
    found = asked.check({"number": question.typed(typed), "typed": typed})
    assert found.right, (value, typed, found.why)
