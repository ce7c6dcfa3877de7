"""What a number is on the map: lengths and strips are those of the points, by other ways."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kpviz
from kpviz.engine.kernels import Gaussian, Linear
from kpviz.engine.learners import Perceptron
from kpviz.engine.theory import max_margin
from kpviz.lessons import figures
from kpviz.lessons.file import format
from kpviz.lessons.file.links import Case

POINTS = np.array([[0.5, 0.5], [1.0, 0.0], [-0.5, 1.0]])
LABELS = np.array([1.0, 1.0, -1.0])
BOUNDS = "v=1&data=drawn&points=n0n0vogAYMvo.w&kernel=linear"
HAND = "v=1&data=drawn&points=gAgAn0gAvogA.o&kernel=gaussian&sigma=0.5"


def run_of(X, y, kernel=None, **learner):
    return kpviz.train(Perceptron(**learner), X, y, kernel=kernel or Linear(), epochs=5)


def number(lines, start):
    text = f"---\ntitle: T\n---\n## S\nlink: {start}\n```task number\nask: A\n{lines}\n```\n"
    ((_, task),) = format.read(text).tasks
    return task


def test_the_radius_is_the_arrow_to_the_farthest_example_with_its_sides_and_its_length_if_that_is_told():
    run = run_of(POINTS, LABELS)
    (told,) = figures.radius(run)
    assert told == {"kind": "arrow", "i": 2, "label": "R = 1.118", "sides": ["0.5", "1"]}
    (hidden,) = figures.radius(run, told=False)
    assert hidden["label"] == "R"
    (circle,) = figures.circle(run)
    assert circle["radius"] == pytest.approx(np.linalg.norm(POINTS, axis=1).max())


@given(st.integers(0, 2**32 - 1), st.integers(2, 9))
def test_the_strip_has_all_examples_outside_of_it_and_is_as_wide_as_the_best_margin(seed, n):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 2))
    y = np.where(X @ rng.normal(size=2) > 0, 1.0, -1.0)
    run = run_of(X, y)
    best = max_margin(run.gram, y)
    strips = figures.strip(run)
    assert len(strips) == int(best > 0)
    for strip in strips:
        assert np.linalg.norm(strip["normal"]) == pytest.approx(1)
        assert strip["margin"] == pytest.approx(best)
        margins = y * (X @ strip["normal"])
        assert margins.min() == pytest.approx(best, rel=1e-4, abs=1e-9)


def test_what_is_no_arrow_or_is_separated_by_no_line_through_the_origin_is_not_drawn():
    hills = run_of(POINTS, LABELS, Gaussian(sigma=0.5))
    assert figures.of_bound(hills) == []
    # Of hills all are as far away: the first has a ring.
    assert figures.radius(hills) == figures.rings([0])
    assert figures.strip(run_of(POINTS, LABELS, intercept="unit")) == []
    corners = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]])
    assert figures.strip(run_of(corners, np.array([1.0, 1.0, -1.0, -1.0]))) == []
    cube = np.eye(3)
    assert (
        figures.of_bound(run_of(cube, LABELS)) == figures.between(run_of(cube, LABELS), 0, 1) == []
    )


def test_a_slip_is_drawn_as_what_it_is_and_what_is_asked_after_the_second_try_without_its_number():
    asked = number("value: radius^2\nslip radius: That is R.\nslip 2.25: You added first.", BOUNDS)
    drawn = {
        (typed, tried): asked.check({"number": typed}, tried).detail.get("drawn")
        for typed, tried in [(1.118, 0), (2.25, 0), (7.0, 0), (7.0, 1), (1.25, 0)]
    }
    json.dumps(list(drawn.values()), allow_nan=False)
    labels = {key: [one["label"] for one in value or []] for key, value in drawn.items()}
    assert labels == {
        (1.118, 0): ["R = 1.118"],
        (2.25, 0): ["R"],
        (7.0, 0): [],
        (7.0, 1): ["R"],
        (1.25, 0): ["R = 1.118"],
    }


@pytest.mark.parametrize(
    ("value", "drawn"),
    [
        ("k(0, 2)", [("between", 0, 2, "1")]),
        ("score(2)", [("between", 2, 0, "1"), ("between", 2, 1, "0.5")]),
        ("k(0, 0)", [("ring", 0)]),
        ("mistakes", [("ring", 0), ("ring", 1)]),
    ],
)
def test_a_kernel_is_the_distance_of_two_examples_and_a_score_that_to_each_voter(value, drawn):
    asked = number(f"value: {value}\nstart: {HAND}&t=2", HAND)
    right = asked.solve().answer
    figures_drawn = asked.check(right).detail.get("drawn", [])
    assert [tuple(one.values()) for one in figures_drawn] == drawn


@pytest.mark.parametrize(
    ("value", "start"),
    [
        ("support", "v=1&n=20"),
        ("mistakes", "v=1&n=20&t=9"),
        ("last_mistakes", "v=1&n=20&t=27"),
        ("wrong", "v=1&n=20&t=9"),
        ("heldout_error * heldout", "v=1&data=moons&noise=0.3&n=40&held=0.4&epochs=1"),
    ],
)
def test_what_counts_examples_is_rings_about_as_many_once_it_is_right(value, start):
    task = number(f"value: {value}", start)
    answer = task.solve().answer
    ringed = [figure["i"] for figure in task.check(answer).detail["drawn"]]
    assert len(set(ringed)) == len(ringed) == answer["number"] > 0
    case = Case.of(task.start_of())
    held = "heldout" in value
    assert all((i >= len(case.run.y)) == held for i in ringed)
    for tried in (0, 1):  # Before, they would tell the number.
        assert "drawn" not in task.check({"number": answer["number"] + 1}, tried).detail


def test_what_a_slip_counts_has_no_rings():
    task = number("value: support\nslip bricks + mistakes: No.\nslip wrong: No.", "v=1&n=20&t=9")
    for number_of_slip in (len(Case.of(task.start_of()).run.y), 0):
        assert "drawn" not in task.check({"number": number_of_slip}).detail


def test_very_many_examples_have_no_rings():
    assert figures.rings(range(41)) == []
    assert len(figures.rings(range(40))) == 40
