"""The working of a number: whoever calculates with what is shown gets the number."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import numpy as np
import pytest

from kpviz import experiment
from kpviz.lessons.file import format, tasks
from kpviz.settings import from_query

XOR = "v=1&data=xor"


def task(value, link=XOR):
    lesson = format.read(f"---\ntitle: T\n---\n## S\nlink: {link}\n```task number\nask: A\nvalue: {value}\n```")
    return lesson.scenes[0].tasks[0]


def run_of(query):
    return experiment.run(from_query(query)[0])


TERM = re.compile(r"x[₀-₉]+: ([+−][0-9.]+) · (−?[0-9.]+) = ([+−][0-9.]+)")


@pytest.mark.parametrize("asked", ["f(0.5, -0.5)", "f(0.03, 0.01)", "score(4)", "margin(9)"])
@pytest.mark.parametrize("query", [XOR, "v=1&data=shifted&kernel=linear&intercept=radius", f"{XOR}&predictor=averaged"])
def test_the_working_of_a_score_gives_it_by_hand(asked, query):
    solution = tasks.solve(task(asked, query))
    plain = [line.replace("−", "-") for line in solution.working]
    total = 0.0
    for line in plain[1:-1]:
        if match := TERM.fullmatch(line.replace("-", "−")):
            coef, k, product = (float(part.replace("−", "-")) for part in match.groups())
            assert product == pytest.approx(coef * k, abs=1e-14 + 0.5 * 10.0 ** -_decimals(match[2], match[1]))
            total += product
        elif ": " in line:
            total += float(line.split(": ")[1])
    shown = float(plain[-1].split(" = ")[-1])
    value = solution.answer["number"]
    assert shown == float(f"{value:.3g}")
    if asked.startswith(("f", "score")):
        assert float(f"{total:.3g}") == shown


def _decimals(*texts):
    return max(3, *(len(text.partition(".")[2]) for text in texts))


def test_the_working_of_an_alpha_names_its_mistakes():
    run = run_of(XOR)
    i = int(np.argmax(run.state_at(run.n_steps).alpha))
    steps = [t + 1 for t in range(run.n_steps) if run.index[t] == i and run.mistake[t]]
    working = tasks.solve(task(f"alpha({i})")).working
    assert f"at steps {', '.join(map(str, steps))}" in working[0]
    assert working[-1].endswith(f"= {len(steps)}")


def test_the_working_of_a_bound_has_its_quantities():
    query = "v=1&data=xor&n=4&noise=0&kernel=polynomial&degree=2&coef0=1"
    solution = tasks.solve(task("bound", query))
    assert solution.answer["number"] == pytest.approx(4.5)
    assert [line.split(" ")[0] for line in solution.working] == ["R", "γ", "R²/γ²"]
    radius, margin, bound = (float(line.split(" ")[2]) for line in tasks.solve(task("bound")).working)
    assert f"{(radius / margin) ** 2:.2f}" == f"{bound:.2f}"


POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def by_hand(text):
    """What a student gets who calculates with a line as it stands."""
    text = re.sub(r"\|([^|]*)\|", r"abs(\1)", text.replace("−", "-").replace("·", "*"))
    text = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda match: f"**{match[0].translate(POWERS)}", text)
    text = re.sub(r"√([0-9.]+)", r"sqrt(\1)", text).replace("√(", "sqrt(")
    assert re.fullmatch(r"[-+*/(), 0-9.e]*", re.sub("exp|tanh|sqrt|abs", "", text)), text
    return eval(text, {"__builtins__": {}}, {**vars(math), "abs": abs})


def follow(line):
    """Calculate each part of a line: what follows "=" is what stands before it, as far as it is written."""
    _, *parts = line.split(" = ") if not line.startswith("x") or "·" in line.partition(" = ")[0] else line.split(": ")
    parts = [part for whole in parts for part in whole.split(" = ") if re.search("[0-9]", part)]
    for one, other in pairwise(parts):
        assert by_hand(one) == pytest.approx(by_hand(other), rel=2e-4, abs=0.6 * 10.0 ** -_decimals(other)), line
    return by_hand(parts[-1])


KERNELS = [
    "gaussian",
    "gaussian&sigma=0.05",
    "linear",
    "polynomial&degree=3",
    "monomial",
    "laplacian",
    "sigmoid&coef0=-1",
]
OTHERS = {
    "matern32": 1,
    "matern52&sigma=0.3": 2,
    "gaussian&combine=sum&kernel2=linear": 2,
    "gaussian&combine=product&kernel2=polynomial": 2,
    "formula&formula=2*exp(-norm1(u-v))%2Bdot(u,v)": 2,
}


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("i", "j"), [(0, 1), (7, 3), (4, 4)])
def test_the_working_of_a_kernel_gives_it_by_hand(kernel, i, j):
    solution = tasks.solve(task(f"k({i}, {j})", f"v=1&data=moons&kernel={kernel}"))
    points, inner, last = solution.working
    assert points.count("x") == 1 + (i != j)
    assert follow(inner) is not None
    assert follow(last) == pytest.approx(solution.answer["number"], rel=5e-4)


@pytest.mark.parametrize(("kernel", "entering"), OTHERS.items())
def test_the_working_of_any_kernel_that_has_a_formula_gives_it_by_hand(kernel, entering):
    solution = tasks.solve(task("k(7, 3)", f"v=1&data=moons&kernel={kernel}"))
    _, *inner, last = solution.working
    assert len(inner) == entering
    for line in inner:
        follow(line)
    assert follow(last) == pytest.approx(solution.answer["number"], rel=5e-4)


def test_the_working_of_a_kernel_of_bits_has_a_factor_for_each_bit():
    solution = tasks.solve(task("k(0, 1)", "v=1&data=bits&function=parity&bits=3"))
    assert solution.working[0] == "x₀ = (0, 0, 0); x₁ = (0, 0, 1)"
    assert follow(solution.working[1]) == solution.answer["number"] == 4


@pytest.mark.parametrize("kernel", KERNELS[:-1])
def test_the_working_of_the_radius_is_that_of_the_longest_example(kernel):
    solution = tasks.solve(task("radius", f"v=1&data=moons&kernel={kernel}"))
    assert "the largest k(xᵢ, xᵢ)" in solution.working[0]
    for line in solution.working[2:]:
        last = follow(line)
    assert last == pytest.approx(solution.answer["number"], rel=5e-4)


@pytest.mark.parametrize(
    "query",
    [
        "v=1&data=drawn&points=n0n0vogAYMvo.w&kernel=linear",
        "v=1&data=xor&n=4&noise=0&kernel=polynomial",
        "v=1&data=shifted&kernel=linear&intercept=radius",
        XOR,
    ],
)
def test_the_working_of_the_best_margin_gives_it_by_hand(query):
    solution = tasks.solve(task("best_margin", query))
    first, weights, *terms, squared, last = solution.working
    share = [float(part) for part in re.findall(r"= ([0-9.]+)", weights)]
    assert sum(share) == pytest.approx(2 if "each class" in first else 1, abs=0.01)
    total = float(squared.rpartition(" = ")[2])
    if terms:
        assert sum(map(follow, terms[1:])) == pytest.approx(total, abs=1e-9)
    assert follow(last) == pytest.approx(solution.answer["number"], rel=5e-4)


def test_a_best_margin_of_0_is_said_to_be_one():
    working = tasks.solve(task("best_margin", "v=1&data=xor&n=4&noise=0&kernel=linear")).working
    assert working[1:] == (
        "w of x₀ = 0.5, w of x₃ = 0.5; of all others 0",
        "This u is 0, so no f has all examples on their sides: γ = 0",
    )


def test_what_is_calculated_from_several_numbers_has_the_working_of_each():
    working = tasks.solve(task("radius * radius + alpha(3)")).working
    assert working[0].startswith("R² is the largest")
    assert any(line.startswith("α of x₃ = ") for line in working)
    assert working[-1].startswith("radius * radius + alpha(3) = ")


def counted(text):
    """The numbers of a sum as it is written, and what it comes to."""
    *_, summed, total = text.replace(",", "").split(" = ")
    return [float(part) for part in summed.replace("− ", "+ -").split(" + ")], float(total)


RUNS = [XOR, "v=1&data=xor&n=4&noise=0&kernel=linear", "v=1&data=shifted&kernel=linear&intercept=radius"]
STREAM = "v=1&data=moons&flipped=0&stream=on&drift=2"


@pytest.mark.parametrize("query", [*RUNS, f"{XOR}&t=40", f"{XOR}&t=0", STREAM])
def test_the_working_of_the_mistakes_names_their_steps_or_counts_them_by_epochs(query):
    solution = tasks.solve(task("mistakes", query))
    first, last = solution.working
    value = solution.answer["number"]
    if value > 12:
        parts, total = counted(last)
        assert sum(parts) == total == value
    else:
        run = run_of(query.partition("&t=")[0])
        steps = [int(step) for step in re.findall(r"([0-9]+) \(", first)]
        assert len(steps) == value
        assert all(run.mistake[step - 1] for step in steps)
        assert last == f"mistakes = {value:.0f}"


@pytest.mark.parametrize("query", [*RUNS, "v=1&data=linear&kernel=linear&flipped=0.1"])
def test_the_working_of_the_last_mistakes_names_the_steps_of_the_last_epoch(query):
    solution = tasks.solve(task("last_mistakes", query))
    run = run_of(query)
    assert solution.working[0] == f"The last epoch is steps {run.epoch_start[-1] + 1} to {run.n_steps}"
    listed = re.findall(r"([0-9]+) \(", " ".join(solution.working[1:-1]))
    assert solution.answer["number"] in (len(listed), int(run.mistake[run.epoch_start[-1] :].sum()))


def test_the_working_of_the_support_names_it_or_says_which_mistakes_were_on_new_examples():
    (first, last) = tasks.solve(task("support", f"{XOR}&n=20")).working
    assert last == f"support = {len(re.findall('x[₀-₉]', first))}"
    assert tasks.solve(task("support", STREAM)).working == ("152 mistakes, each on another example", "support = 152")
    first, last = tasks.solve(task("support", "v=1&data=linear&kernel=linear&flipped=0.1")).working
    parts, total = counted(last)
    assert first.startswith(f"{parts[0]:.0f} mistakes, {-parts[1]:.0f} of them on examples that had a brick already")
    assert sum(parts) == total
    first, last = tasks.solve(task("support", f"{XOR}&learner=norma")).working  # more than those it erred on
    assert first.endswith(f" and {float(last.rpartition(' ')[2]) - 12:.0f} more")


def test_the_working_of_an_error_counts_the_examples():
    query = "v=1&data=moons&noise=0.25&n=150&held=0.3&epochs=10&seed=2"
    working = tasks.solve(task("heldout_error * heldout", query)).working
    assert working[:2] == ("7 of the 45 held out are on the wrong side", "heldout_error = 7 / 45 = 0.1556")
    wrong, share = tasks.solve(task("training_error", query)).working
    n = int(re.search(r"= ([0-9]+) / 105", share)[1])
    assert wrong.startswith("On the wrong side, or with f = 0: ")
    assert tasks.solve(task("wrong", query)).answer["number"] == n


def test_the_working_of_the_bricks_and_of_b_lists_what_is_added():
    bricks, last = tasks.solve(task("bricks", XOR)).working
    assert sum(map(int, re.findall("= ([0-9])", bricks))) == int(last.rpartition(" ")[2])
    query = "v=1&data=drawn&points=vovovon0n0von0n0.o&kernel=linear&intercept=unit"
    changed, last = tasks.solve(task("b", query)).working
    steps = [sign + number for sign, number in re.findall(r"([+−])([0-9.]+) at step", changed)]
    assert sum(float(step.replace("−", "-")) for step in steps) == -1
    assert last.endswith(" = −1")


@pytest.mark.parametrize("query", ["v=1&data=shifted&kernel=linear&intercept=radius", "v=1&data=linear&kernel=linear"])
@pytest.mark.parametrize("asked", ["f(0.5, -0.5)", "score(4)"])
def test_the_score_of_a_linear_kernel_is_also_given_by_the_weights(query, asked):
    solution = tasks.solve(task(asked, query))
    (line,) = (each for each in solution.working if each.startswith("or by w"))
    b = float(run_of(query).state_at(run_of(query).n_steps).intercept)
    product = line.rpartition(" = ")[2].removesuffix(" + b")
    assert f"{by_hand(product) + b:.3g}" == f"{solution.answer['number']:.3g}"
