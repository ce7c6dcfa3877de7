"""Exported scripts, each of them executed: they make the mistakes of the run, one by one, and print its counts."""

import ast
import importlib
import subprocess
import sys
from dataclasses import replace
from itertools import cycle

import numpy as np
import pytest
import strategies
from covering import covering
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal

import kpviz
from kpviz import experiment
from kpviz.engine.data.datasets import SOURCES, Dataset
from kpviz.engine.data.tables import read_table
from kpviz.engine.kernels import KERNELS
from kpviz.engine.learners import LEARNERS, Learner
from kpviz.engine.learners.perceptron import INTERCEPTS, TIES
from kpviz.engine.run import predictors
from kpviz.engine.run.predictors import PREDICTORS
from kpviz.experiment import Split
from kpviz.export.code import literals
from kpviz.export.code.estimator import sklearn_script
from kpviz.export.code.python import numpy_script
from kpviz.settings import Settings

ORDERS = ("cyclic", "shuffled", "random", "hand")
SCRIPTS = {"numpy": numpy_script, "sklearn": sklearn_script}
HOSTILE = (
    "'''",
    '"""',
    "\\",
    "a\nimport sys; sys.exit(3)",
    "\r\u2028raise",
    "-*- coding: rot13 -*-",
    "{x}",
    "\ud800",
    "$_",
    "",
)


def reproduces(case, execute):
    """Execute both scripts, and compare everything with the run."""
    by_numpy, printed = execute(numpy_script(case.settings, case.split))
    case.assert_same(by_numpy["mistakes"], by_numpy["alpha"])
    case.assert_printed(printed)
    assert by_numpy["step"] == case.run.n_steps
    assert_allclose(by_numpy.get("b", 0.0), case.end.intercept, rtol=1e-9, atol=1e-9)
    assert_array_equal(by_numpy["X"], case.split.X)
    if "score" in by_numpy:
        case.assert_read(by_numpy["score"](case.split.X), case.split.X)

    fitted, also_printed = execute(sklearn_script(case.settings, case.split))
    model = fitted["model"]
    case.assert_same(model.mistakes_, model.alpha_)
    case.assert_printed(also_printed)
    coef, b = predictors.coefficients(case.run, [case.run.n_steps], case.settings.predictor)
    dense = np.zeros((1, len(case.split.y)))
    dense[:, model.support_] = model.dual_coef_
    assert_allclose(dense, coef, rtol=1e-9, atol=1e-12)
    assert_allclose(model.intercept_, b, rtol=1e-9, atol=1e-9)
    assert model.n_iter_ == case.run.n_epochs
    for Z in (case.split.X, case.split.X_test):
        if len(Z):
            case.assert_read(model.decision_function(Z), Z)
    assert wrong(printed) == wrong(also_printed)


def wrong(lines):
    return [line for line in lines if line.endswith(" wrong")]


# ---- every part of the settings ---------------------------------------------------------------------


HELD = (0.0, 0.3)


@pytest.mark.parametrize(
    ("kernel", "learner", "predictor", "order", "held"),
    [(kernel, *rest) for kernel, rest in zip(cycle(KERNELS), covering(LEARNERS, PREDICTORS, ORDERS, HELD))],
)
def test_every_learner_is_reproduced(kernel, learner, predictor, order, held, cases, execute):
    order = "cyclic" if LEARNERS[learner].chooses else order
    given = {"predictor": predictor, "order": order, "held": held, "sequence": "AFAD", "intercept": "unit"}
    reproduces(cases.of(learner=learner, kernel=kernel, n=24, flipped=0.1, epochs=4, **given), execute)


WITHOUT_RULES = [
    *({"learner": name} for name in LEARNERS),
    {"learner": "perceptron", "tie": "negative", "intercept": "radius", "eta": 0.1},
    {"learner": "forgetron", "budget": 2, "variant": "basic"},
    {"learner": "norma", "tau": 5, "lambda": 0.05},
    {"learner": "norma", "lambda": 0.0, "nu": 0.0},
]


@pytest.mark.parametrize(
    ("given", "predictor", "held"), covering(WITHOUT_RULES, PREDICTORS, HELD), ids=lambda value: str(value)
)
def test_a_learner_that_brings_no_rule_is_imported_and_asked(given, predictor, held, cases, execute, monkeypatch):
    monkeypatch.setattr(LEARNERS[given["learner"]], "rule", Learner.rule)
    case = cases.of(data="moons", n=20, flipped=0.1, epochs=3, predictor=predictor, held=held, **{"budget": 4, **given})
    assert "learner.change(memory" in numpy_script(case.settings, case.split)
    reproduces(case, execute)


@pytest.mark.parametrize(("tie", "intercept", "order"), covering(TIES, INTERCEPTS, ORDERS))
def test_every_tie_intercept_and_order_is_reproduced_where_ties_abound(tie, intercept, order, cases, execute):
    given = {"tie": tie, "intercept": intercept, "order": order, "sequence": "AFAD", "oseed": 3, "eta": 0.1}
    reproduces(cases.of(n=12, noise=0.0, flipped=0.2, kernel="polynomial", epochs=6, **given), execute)


@pytest.mark.parametrize(
    ("nu", "schedule", "tau", "shrinks", "b"),
    covering((0.0, 0.3), ("constant", "inverse-sqrt"), (0, 5), (0.0, 0.05), ("on", "off")),
)
def test_every_form_of_norma_is_reproduced(nu, schedule, tau, shrinks, b, cases, execute):
    given = {"nu": nu, "schedule": schedule, "tau": tau, "lambda": shrinks, "b": b, "eta": 0.3}
    reproduces(cases.of(data="moons", learner="norma", n=20, flipped=0.1, epochs=4, **given), execute)


BUDGETS = ({"learner": "oldest"}, {"learner": "randomized"}, {"variant": "basic"}, {})


@pytest.mark.parametrize(("budget", "given"), covering((1, 3, 8), BUDGETS))
def test_every_budget_is_reproduced(budget, given, cases, execute):
    reproduces(cases.of(**{"learner": "forgetron", **given}, budget=budget, n=20, flipped=0.2, epochs=6), execute)


@pytest.mark.parametrize("combine", ["sum", "product"])
@pytest.mark.parametrize("normalize", ["off", "on"])
@pytest.mark.parametrize("kernel", ["sigmoid", "gaussian", "polynomial"])
def test_combined_and_normalized_kernels_are_reproduced(combine, normalize, kernel, cases, execute):
    given = {"combine": combine, "normalize": normalize, "kernel": kernel, "kernel2": "polynomial", "degree2": 3}
    reproduces(cases.of(n=20, epochs=5, **given), execute)


@settings(max_examples=60)
@given(chosen=strategies.runs(data=tuple(SOURCES)))
def test_any_settings_are_reproduced(chosen, cases, execute):
    reproduces(cases.of(**chosen), execute)


FORGETFUL = ("oldest", "forgetron", "norma", "projectron")
REPEATED = {"noise": 0.0, "n": 50, "stream": "off"}


@settings(max_examples=30)
@given(
    chosen=strategies.runs(data=("xor",)), learner=strategies.learners(("oldest", "forgetron", "norma", "projectron"))
)
def test_examples_that_repeat_break_no_tie(chosen, learner, cases, execute):
    reproduces(cases.of(**{**chosen, **learner, **REPEATED}), execute)


def test_a_stream_is_shown_once(cases, execute):
    case = cases.of(data="moons", stream="on", n=200, drift=1.0, learner="norma", tau=20)
    reproduces(case, execute)
    assert "stopped after 1 epoch, " in "".join(execute(numpy_script(case.settings, case.split))[1])


def test_the_forgetron_goes_on_when_the_product_of_what_shrank_is_no_float_any_more(cases, execute):
    case = cases.of(n=60, flipped=0.4, learner="forgetron", budget=2, epochs=60, sigma=1.0)
    assert np.log10(case.run.details["phi"]).sum() < -308
    reproduces(case, execute)


def test_drawn_points_and_a_file_of_ones_own_are_reproduced(cases, execute):
    reproduces(cases.of(data="drawn", points="j6QYAAABgAgA__AA.o.1", kernel="linear", epochs=5), execute)
    table = read_table(
        b"width,height,kind\n" + b"".join(b"%d,%d.5,%s\n" % (i, i * 7 % 11, b"ab"[i % 2 :][:1]) for i in range(20))
    )
    settings = Settings.of(data="file", file="mine.csv", held=0.2)
    reproduces(cases.of(experiment.prepare(settings, table), **dict(settings.items)), execute)


# ---- sizes ------------------------------------------------------------------------------------------


def alike(X, y):
    X, y = np.array(X, dtype=float).reshape(-1, 2), np.array(y, dtype=float)
    return Split(X, y, X[:0], y[:0], Dataset(X, y))


LABELS = ([1], [-1], [1, 1], [1, -1], [-1, -1, -1])


@pytest.mark.parametrize(("learner", "y", "predictor"), covering(LEARNERS, LABELS, ("last", "averaged")))
def test_one_example_two_and_one_class_only_are_reproduced(learner, y, predictor, cases, execute):
    split = alike([[0.0, 0.0], [0.5, -1.0], [2.0, 1e-300]][: len(y)], y)
    reproduces(cases.of(split, learner=learner, epochs=3, kernel="linear", predictor=predictor), execute)


def test_a_thousand_examples_are_reproduced(cases, execute):
    reproduces(cases.of(data="spirals", n=1000, noise=0.3, epochs=3, sigma=0.3, order="shuffled"), execute)


def test_no_example_is_refused_in_a_sentence():
    settings = Settings.of(data="drawn")
    for script in SCRIPTS.values():
        with pytest.raises(ValueError, match=r"^There are no examples to learn from: .*\.$"):
            script(settings, experiment.prepare(settings))


# ---- what a reader sees -----------------------------------------------------------------------------


def test_a_perceptron_takes_about_thirty_lines_of_numpy_besides_the_data():
    settings = Settings.of()
    split = experiment.prepare(settings)
    script = numpy_script(settings, split)
    below = script.split('"""\n\n', 1)[1].replace(literals.data(split), "")
    assert 25 <= sum(bool(line.strip()) for line in below.splitlines()) <= 35


@settings(max_examples=40)
@given(chosen=strategies.runs(data=tuple(SOURCES)))
def test_a_script_has_only_what_its_settings_need(chosen, cases):
    case = cases.of(**chosen)
    for script in SCRIPTS.values():
        text = script(case.settings, case.split)
        tree = ast.parse(text)
        assert "kpviz" not in {
            name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
        }
        assigned = {
            t.id for node in tree.body if isinstance(node, ast.Assign) for t in node.targets if hasattr(t, "id")
        }
        read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        assert assigned <= read | {"b"}
        assert max(map(len, text.splitlines())) <= max(120, len(case.settings.link()) + 10)
        assert text == script(case.settings, case.split)


def test_the_link_leads_to_the_same_settings():
    settings = Settings.of(data="moons", n=20, kernel="laplacian", tie="positive")
    for script in SCRIPTS.values():
        assert f"\nLink: ?{settings.query()}\n" in script(settings, experiment.prepare(settings))


@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_strangers_stay_in_their_comments(name, cases, execute):
    plain = cases.of(n=10, held=0.2)
    named = replace(plain.split.source, features=(name, name * 9), classes=(name, "x" + name))
    case = cases.of(replace(plain.split, source=named), n=10, held=0.2)
    for script in SCRIPTS.values():
        text = script(case.settings, case.split)
        text.encode()
        assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(script(plain.settings, plain.split)))
    reproduces(case, execute)


def test_scaled_examples_say_how_to_get_their_own_units_back(cases, execute):
    split = cases.of(n=12).split
    scaled = replace(split.source, scaled=True, lows=(4.3, -2.5), highs=(7.9, 0.1))
    case = cases.of(replace(split, source=scaled), n=12)
    text = numpy_script(case.settings, case.split)
    assert (
        "from low = [4.3, -2.5] to high = [7.9, 0.1].\n# In its own units it is low + (x + 1) / 2 * (high - low)."
        in text
    )
    reproduces(case, execute)


@pytest.mark.parametrize("value", [0.1, 1e-300, -0.0, 1 / 3, 5e-324, 123456789.123456789, 1.7976931348623157e308])
def test_a_number_is_read_as_the_same_float(value, execute):
    namespace, _ = execute("import numpy as np\n" + literals.array("x", np.array([[value, -value]] * 7)))
    assert namespace["x"].tobytes() == np.array([[value, -value]] * 7).tobytes()


# ---- alone ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "given"), [("numpy", {"intercept": "radius"}), ("sklearn", {"learner": "svm"})])
def test_a_script_runs_alone(kind, given, cases, tmp_path):
    case = cases.of(n=20, **given)
    path = tmp_path / "script.py"
    path.write_text(SCRIPTS[kind](case.settings, case.split), encoding="utf-8")
    done = subprocess.run([sys.executable, "-I", path], capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert done.stderr == ""
    case.assert_printed(done.stdout.splitlines())


def test_a_learner_in_a_file_of_its_own_has_scripts(cases, execute, tmp_path, monkeypatch):
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(LEARNERS, "own", importlib.import_module("own").Own)
    case = cases.of(n=20, flipped=0.2)
    monkeypatch.setattr(experiment, "learner", lambda settings: LEARNERS["own"](1.5))
    case.run = kpviz.train(LEARNERS["own"](1.5), case.split.X, case.split.y, kernel=case.run.kernel)
    case.end = case.run.state_at(case.run.n_steps)
    reproduces(case, execute)


OWN = """
from dataclasses import dataclass

from kpviz.learners import Learner
from kpviz.engine.learners.protocol import Change


@dataclass(frozen=True)
class Own(Learner):
    weight: float = 1.0

    def start(self, gram, y, rng):
        return y

    def change(self, memory, t, i, scores, coef):
        return Change((i,), (self.weight * memory[i],), shift=0.5) if memory[i] * scores[i] <= 0 else None
"""
