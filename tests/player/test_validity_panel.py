"""Whether k is a kernel, and why it is one: what both panels show, and what pointer, keys and words tell of it."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kpviz import experiment
from kpviz.engine.kernels.formula import REFUTED, formula_of
from kpviz.engine.kernels.formula import tested as report_on
from kpviz.settings import Settings

OPEN = "min(u[1], v[1]) + 10"
CASES = {
    "gaussian": ("yes", {}),
    "built": ("yes", {"kernel": "formula", "formula": "normalized(gaussian(1)*linear()) + 0.1*exp(dot(u, v))"}),
    "rounded": ("yes", {"kernel": "formula", "formula": "(dot(u, v) + 1e6)**2 - 1e12"}),
    "texts": ("yes", {"data": "texts"}),
    "mixture": ("yes", {"kernel": "mixture", "combine": "sum", "kernel2": "density"}),
    "bits": ("yes", {"data": "bits", "function": "majority"}),
    "sigmoid": ("no", {"kernel": "sigmoid", "coef0": 1}),
    "a point": ("no", {"kernel": "sigmoid", "coef0": -1}),
    "its examples": ("no", {"kernel": "formula", "formula": "gaussian(2) - gaussian(1)*gaussian(1)", "data": "moons"}),
    "open": ("unknown", {"kernel": "formula", "formula": OPEN}),
    "many": ("no", {"kernel": "formula", "formula": "-norm(u - v)**2", "n": 400, "epochs": 2}),
    **{each.name: ("no", {"kernel": "formula", "formula": each.text}) for each in REFUTED},
}


@pytest.fixture
def opened(player):
    def of(given, show="validity.derivation"):
        settings = Settings.of(**given)
        player.open(f"/?{settings.query()}&show={show}&t=3", {"width": 1600, "height": 1000})
        run = experiment.run(settings)
        return run, run.kernel

    return of


def words(player, panel, name):
    return " ".join(mark["text"] for mark in player.marks(panel, kind="text", name=name))


@pytest.mark.parametrize("name", CASES)
def test_the_bars_are_the_eigenvalues_and_the_points_refute_by_hand(player, opened, name):
    psd, given = CASES[name]
    run, kernel = opened(given)
    X = run.X[:300]
    gram = kernel(X, X)
    exact = np.linalg.eigvalsh((gram + gram.T) / 2)[::-1]
    bars = player.marks("validity", kind="rect", name="eigenvalue")
    assert_allclose([bar["value"] for bar in bars], exact, atol=1e-9 * np.abs(exact).max())
    accent, warning = player.js("[s.palette.accent, s.palette.warning]")
    tolerance = player.js("s.run.header.extras.validity.tolerance")
    assert [bar["fill"] for bar in bars] == [warning if bar["value"] < -tolerance else accent for bar in bars]
    answer = {"yes": "Yes, by a proof", "no": "No, refuted", "unknown": "Not decided"}[psd]
    assert words(player, "validity", "answer") == answer
    points = words(player, "validity", "points")
    assert bool(points) == (psd == "no")
    if points:
        refutes_by_hand(kernel, points)
    said = player.js("load('model/account.js').accountOf(s.player).find((p) => p.title === 'Is it a kernel?').lines")
    assert said[0] == f"{answer}."
    assert "".join(points.split()) in "".join("".join(said).split())


def refutes_by_hand(kernel, points):
    """The points that are named, with the numbers c that are named, give a negative sum."""
    number = r"[−\d.,×⁻⁰¹²³⁴-⁹]+"
    named, _, rest = points.partition("c = (") if "c = (" in points else (points.partition("for ")[2], "", "1)")
    places = re.findall(rf"\(({number}), ({number})\)", named)
    X = np.array([[float(x.replace("−", "-").rstrip(",")) for x in place] for place in places])
    c = np.array([float(x.replace("−", "-")) for x in rest.partition(")")[0].split(",")])
    assert len(X) == len(c)
    assert c @ kernel(X, X) @ c < 0


@pytest.mark.parametrize("text", ["tanh(dot(u, v) - 1)", "dot(u, v) - 1", "(dot(u, v) - 1)*3"])
def test_a_single_point_comes_first_where_there_is_one(player, opened, text):
    opened({"kernel": "formula", "formula": text})
    assert re.match(r"k\(x, x\) = −[\d.]+ < 0 for x = \(0, 0\)", words(player, "validity", "points"))


@pytest.mark.parametrize("name", CASES)
def test_each_step_of_the_derivation_is_shown_or_counted_or_it_is_said_why_there_is_none(player, opened, name):
    psd, given = CASES[name]
    _, kernel = opened(given)
    try:
        report = report_on(formula_of(kernel))
    except ValueError:
        report = None
    if psd != "yes":
        assert (
            words(player, "derivation", "why") == f"{report.proven} {report.refuted}"
            if report
            else "No proof is known."
        )
        return
    steps = player.js("s.run.header.extras.derivation.steps")
    if report:
        expected = [[depth, step.formula, step.rule, step.proof] for depth, step in report.derivation.lines()]
        assert steps == expected
    assert "known" not in [rule for _, _, rule, _ in steps]
    shown = {mark["step"] for mark in player.marks("derivation", kind="text", name="formula")}
    assert shown == set(range(len(shown)))
    left = len(steps) - len(shown)
    assert (f"{left} more step" in " ".join(m["text"] for m in player.marks("derivation", kind="text"))) == (left > 0)
    account = player.js("load('model/account.js').accountOf(s.player).find((p) => p.title === 'Why it is one').lines")
    assert account == [f"{formula}: {rule}; {proof}" for _, formula, rule, proof in steps]


def test_pointer_and_keys_tell_of_eigenvalues_points_and_steps(player, opened):
    opened({"kernel": "sigmoid", "coef0": 1, "n": 12}, "validity")
    bars = player.marks("validity", kind="rect", name="eigenvalue")
    player.point(bars[-1]["x"] + bars[-1]["w"] / 2, bars[-1]["y"])
    assert player.tip == [f"λ₁₂ = −{abs(bars[-1]['value']):.2f}, below −tolerance: this refutes k"]
    first = player.marks("validity", kind="text", name="points")[0]
    player.point(first["x"] + 20, first["y"] - 3)
    assert " ".join(player.tip) == player.js("s.run.header.extras.validity.points")
    opened({}, "derivation")
    first = player.marks("derivation", kind="text", name="formula")[0]
    player.point(first["x"] + 20, first["y"] - 3)
    assert player.tip[0] == formula_of(experiment.kernel(Settings.of()))


def test_examples_that_refute_light_up_on_the_map(player, opened):
    opened({"data": "bits", "bits": 3, "kernel": "formula", "formula": "-norm(u - v)**2"}, "validity")
    examples = player.js("s.run.header.extras.validity.examples")
    first = player.marks("validity", kind="text", name="points")[0]
    assert player.js("s.run.header.extras.validity.points").startswith("For x")
    player.point(first["x"] + 20, first["y"] - 3)
    assert sorted(player.js("[...s.player.touch.hot]")) == examples != []


@pytest.mark.parametrize("show", ["validity", "derivation"])
def test_of_a_stream_it_is_said_why_there_are_no_eigenvalues(player, show):
    player.open(f"/?stream=on&n=200&show={show}")
    assert (show in player.js("Object.keys(s.layout.panels)")) == (show == "derivation")
