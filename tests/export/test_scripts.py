"""Exported scripts, each of them executed: they make the mistakes of the run, one by one, and print
its counts.
"""

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
from kpviz.engine.kernels.formula import Formula
from kpviz.engine.learners import LEARNERS
from kpviz.engine.learners.perceptron import INTERCEPTS, TIES
from kpviz.engine.run.predictors import PREDICTORS
from kpviz.engine.run.train import MISTAKE_ORDERS
from kpviz.experiment import Split
from kpviz.export.script import Script, numpy_script
from kpviz.lessons.learner_words import WORDS, LearnerWords
from kpviz.settings import Settings

ORDERS = ("cyclic", "shuffled", "first-mistake", "random", "random-mistake", "hand")
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
OBJECTS = {
    "words": {"data": "texts"},
    "words, not normalized": {"data": "texts", "normalize": "off"},
    "spectrum": {"data": "texts", "kernel": "spectrum", "length": 2},
    "subtrees": {"data": "trees"},
    "graph": {"data": "graphs"},
    "bits": {"data": "bits"},
}
ADDED = {
    "texts": "+l’été – naïve, Straße’s 42;-日本 語;+a;-it's a-b a-b a-b",
    "trees": r"""+(S "it's" \n $x$ {0});-x;+(S (A a) (A a) (A (A a)))""",
    "graphs": "+C;-CCCCCCCCCCCC 1-2 1-3 1-4 1-5 1-6 1-7 2-3 2-4 3-4;+ab 1-2",
}
FORMULAS = (
    "exp(-norm(u - v)**2/2) + 0.1*dot(u, v)",
    "exp(-norm(u - v)**2/(2*0.3**2))",
    "norm(u - v)**4/3 + 2**0.5",
    "1/(1 + norm1(u - v))",
    "normalized((dot(u, v) + 1)**3)*gaussian(0.7)",
    "normalized(dot(u*norm(u), v*norm(v)) + 0.1)",
    "polynomial(3, 0.5) - sigmoid(0.5, -1)/7",
    "subsets()*laplacian(0.3)",
    "dot(2*u, 2*v) - 1",
    "(u[1] + v[1])*u[2]*v[2]",
    "sum(exp(-(u - v)**2))",
    "equal(u, v)**2/3",
    "min(dot(u, v), 1) - -(max(norm(u), norm(v)) + 1)**-1",
    "-(-dot(u, v))**3",
    "sqrt(norm(u)*norm(v) + 1)**-0.5",
    "3",
)


def reproduces(case, execute):
    """Execute the script, compare everything with the run, and return its variables."""
    found, printed = execute(numpy_script(case.settings, case.split))
    case.assert_same(found["mistakes"], found["alpha"])
    case.assert_printed(printed)
    assert found.get("step", case.run.n_steps) == case.run.n_steps
    assert_allclose(found.get("b", 0.0), case.end.intercept, rtol=1e-9, atol=1e-9)
    assert_array_equal(found["X"], case.split.X)
    if "score" in found:
        for Z in (case.split.X, case.split.X_test):
            if len(Z):
                case.assert_read(found["score"](Z), Z)
    return found


# ---- every part of the settings ------------------------------------------------------------------


HELD = (0.0, 0.3)


@pytest.mark.parametrize(
    ("kernel", "learner", "predictor", "order", "held"),
    [
        (kernel, *rest)
        for kernel, rest in zip(cycle(KERNELS), covering(LEARNERS, PREDICTORS, ORDERS, HELD))
    ],
)
def test_every_learner_is_reproduced(kernel, learner, predictor, order, held, cases, execute):
    if LEARNERS[learner].chooses or (
        order in MISTAKE_ORDERS and not LEARNERS[learner].takes_mistake_orders
    ):
        order = "cyclic"
    given = {
        "predictor": predictor,
        "order": order,
        "held": held,
        "sequence": "AFAD",
        "intercept": "unit",
    }
    reproduces(
        cases.of(learner=learner, kernel=kernel, n=24, flipped=0.1, epochs=4, **given), execute
    )


@pytest.mark.parametrize(
    ("learner", "predictor", "order", "held"),
    covering(LEARNERS, PREDICTORS, ("shuffled", "hand"), HELD),
)
def test_a_learner_that_brings_no_rule_is_imported(
    learner, predictor, order, held, cases, execute, monkeypatch
):
    monkeypatch.setattr(WORDS[LEARNERS[learner]], "rule", LearnerWords.rule)
    order = "cyclic" if LEARNERS[learner].chooses else order
    given = {"predictor": predictor, "held": held, "order": order, "sequence": "AFAD", "budget": 4}
    case = cases.of(data="moons", n=20, flipped=0.1, epochs=3, learner=learner, **given)
    assert "kpviz.train(" in numpy_script(case.settings, case.split)
    reproduces(case, execute)


BUDGETS = [{"learner": name} for name in ("oldest", "randomized", "forgetron")]
BUDGETS.append({"learner": "forgetron", "variant": "basic"})
NORMA = {"data": "moons", "learner": "norma", "n": 20, "flipped": 0.1, "epochs": 4, "eta": 0.3}
TIED = {
    "n": 12,
    "noise": 0.0,
    "flipped": 0.2,
    "kernel": "polynomial",
    "epochs": 6,
    "eta": 0.1,
    "oseed": 3,
}


def named(names, cases):
    return [dict(zip(names.split(), case, strict=True)) for case in cases]


FORMS = [
    *(
        TIED | {"sequence": "AFAD"} | form
        for form in named("tie intercept order", covering(TIES, INTERCEPTS, ORDERS))
    ),
    *(
        NORMA | form
        for form in named(
            "nu schedule tau lambda b",
            covering((0.0, 0.3), ("constant", "inverse-sqrt"), (0, 5), (0.0, 0.05), ("on", "off")),
        )
    ),
    *(
        {"n": 20, "flipped": 0.2, "epochs": 6, "budget": most} | given
        for most, given in covering((1, 3, 8), BUDGETS)
    ),
    *(
        {
            "n": 20,
            "epochs": 5,
            "kernel": "formula",
            "normalize": normalize,
            "formula": f"{first}{sign}polynomial(3, 1)",
        }
        for sign, normalize, first in covering(
            [" + ", "*"], ["off", "on"], ["sigmoid(1, 0)", "gaussian(0.5)", "polynomial(2, 1)"]
        )
    ),
    {
        "n": 60,
        "flipped": 0.4,
        "learner": "forgetron",
        "budget": 2,
        "epochs": 60,
        "sigma": 1.0,
    },  # what shrank is 1e-308
    {"data": "drawn", "points": "j6QYAAABgAgA__AA.o.1", "kernel": "linear", "epochs": 5},
    {"data": "spirals", "n": 1000, "noise": 0.3, "epochs": 2, "sigma": 0.3, "order": "shuffled"},
    {"data": "spirals", "n": 1000, "noise": 0.3, "epochs": 2, "kernel": "formula"},
]


@pytest.mark.parametrize("given", FORMS, ids=str)
def test_every_form_of_a_rule_and_of_a_kernel_is_reproduced(given, cases, execute):
    reproduces(cases.of(**given), execute)


@settings(max_examples=60)
@given(chosen=strategies.runs(data=tuple(SOURCES)))
def test_any_settings_are_reproduced(chosen, cases, execute):
    reproduces(cases.of(**chosen), execute)


FORGETFUL = ("oldest", "forgetron", "norma", "projectron")
REPEATED = {"noise": 0.0, "n": 50, "stream": "off"}


@settings(max_examples=30)
@given(chosen=strategies.runs(data=("xor",)), learner=strategies.learners(FORGETFUL))
def test_examples_that_repeat_break_no_tie(chosen, learner, cases, execute):
    reproduces(cases.of(**{**chosen, **learner, **REPEATED}), execute)


def test_a_stream_is_shown_once(cases, execute):
    case = cases.of(data="moons", stream="on", n=200, drift=1.0, learner="norma", tau=20)
    reproduces(case, execute)
    assert "stopped after 1 epoch, " in "".join(execute(numpy_script(case.settings, case.split))[1])


def test_a_file_of_ones_own_is_reproduced(cases, execute):
    rows = "".join(f"{i},{i * 7 % 11}.5,{'ab'[i % 2]}\n" for i in range(20))
    given = Settings.of(data="file", file="mine.csv", held=0.2)
    split = experiment.prepare(given, read_table(f"width,height,kind\n{rows}".encode()))
    reproduces(cases.of(split, **dict(given.items)), execute)


# ---- texts, trees, graphs, bits; kernels that are fitted or typed --------------------------------


@pytest.mark.parametrize(
    ("learner", "name", "predictor", "held"),
    [
        (learner, *rest)
        for learner, rest in zip(cycle(LEARNERS), covering(OBJECTS, PREDICTORS, (0.0, 0.3)))
    ],
)
def test_every_predictor_is_reproduced_on_objects(learner, name, predictor, held, cases, execute):
    given = {"learner": learner, "predictor": predictor, "held": held, "epochs": 4, "seed": 3}
    reproduces(cases.of(**given, **OBJECTS[name]), execute)


FITTED = covering(["density", "mixture"], [1, 2, 3, 8], ["off", "on"])
ON = ({"n": 30, "held": 0.2}, {"data": "bits", "bits": 7, "seed": 1})
EXACT = [
    *(
        {"data": of, "added": ADDED[of], "normalize": on, "epochs": 5}
        for of, on in covering(ADDED, ["off", "on"])
    ),
    {
        "data": "bits",
        "kernel": "formula",
        "formula": "gaussian(0.5)*subsets()",
        "normalize": "on",
        "epochs": 4,
    },
    *(
        {"data": "moons", "held": 0.2, "n": 30, "epochs": 4} | form
        for form in named("kernel components normalize", FITTED)
    ),
    *(
        {"kernel": "formula", "formula": each, "epochs": 3} | on
        for each, on in zip(FORMULAS, cycle(ON))
    ),
    *(
        {"kernel": "formula", "formula": each, "epochs": 3, "normalize": "on", "n": 20}
        for each in FORMULAS
    ),
]


@pytest.mark.parametrize("given", EXACT, ids=str)
def test_kernels_that_are_fitted_typed_or_of_objects_are_reproduced_to_the_last_bit(
    given, cases, execute
):
    case = cases.of(**given)
    found = reproduces(case, execute)
    assert_array_equal(found["K"], case.run.gram)
    if case.split.X.ndim == 2:
        Z = case.split.X[:5] + 0.25
        assert_array_equal(found["k"](Z, found["X"]), case.run.kernel.evaluate(Z, case.split.X))


OF_BITS = ("subsets", "linear", "polynomial", "monomial", "gaussian", "laplacian", "mixture")


@pytest.mark.parametrize(
    ("kernel", "function"), list(zip(OF_BITS, cycle(["parity", "majority", "x1 & !x2 | x7"])))
)
def test_kernels_of_seven_bits_are_reproduced(kernel, function, cases, execute):
    case = cases.of(data="bits", bits=7, function=function, kernel=kernel, negated="off", epochs=3)
    assert reproduces(case, execute)["X"].shape == (128, 7)


@pytest.mark.parametrize("formula", FORMULAS)
def test_the_diagonal_of_a_formula_is_the_engines(formula):
    U, kernel = np.random.default_rng(5).normal(size=(40, 2)), Formula(formula)
    form = kernel.form()
    names = {"np": np, "U": U}
    exec("\n".join([*form.helpers, form.before_diagonal, f"found = {form.diagonal}"]), names)
    assert_array_equal(names["found"], kernel.diag(U))


# ---- sizes ---------------------------------------------------------------------------------------


def alike(X, y):
    X, y = np.array(X, dtype=float).reshape(-1, 2), np.array(y, dtype=float)
    return Split(X, y, X[:0], y[:0], Dataset(X, y))


LABELS = ([1], [-1], [1, 1], [1, -1], [-1, -1, -1])


@pytest.mark.parametrize(
    ("learner", "y", "predictor"), covering(LEARNERS, LABELS, ("last", "averaged"))
)
def test_one_example_two_and_one_class_only_are_reproduced(learner, y, predictor, cases, execute):
    split = alike([[0.0, 0.0], [0.5, -1.0], [2.0, 1e-300]][: len(y)], y)
    reproduces(
        cases.of(split, learner=learner, epochs=3, kernel="linear", predictor=predictor), execute
    )


MIRRORED = {  # where f is exactly 0 on an axis only if it is added up as the loop does
    (0.7, 0.3, 0.1, 0.3): (-1, 1, -1, 1, 1, -1, 1, -1),
    (0.4, 0.6, 0.4, 0.6): (1, 1, 1, -1, -1, 1, -1, 1),
    (0.8, 0.4, 0.4, 0.3): (-1, 1, -1, -1, 1, -1, 1, 1),
}


@pytest.mark.parametrize(
    ("corners", "learner"), covering(MIRRORED, ("perceptron", "oldest", "randomized"))
)
def test_a_vote_is_tied_where_the_runs_is(corners, learner, cases, execute):
    X = np.concatenate(
        [np.reshape(corners, (2, 2)) * signs for signs in ((1, 1), (-1, 1), (1, -1), (-1, -1))]
    )
    case = cases.of(
        alike(X, MIRRORED[corners]), learner=learner, predictor="voted", epochs=6, sigma=1.0
    )
    found = reproduces(case, execute)
    case.assert_read(found["score"](X * [0, 1]), X * [0, 1])


def test_no_example_is_refused_in_a_sentence():
    empty = Settings.of(data="drawn")
    with pytest.raises(ValueError, match=r"^There are no examples to learn from: .*\.$"):
        numpy_script(empty, experiment.prepare(empty))


# ---- what a reader sees --------------------------------------------------------------------------


def test_a_perceptron_takes_about_thirty_lines_of_numpy_besides_the_data():
    given = Settings.of()
    split = experiment.prepare(given)
    below = numpy_script(given, split).split('"""\n\n', 1)[1].replace(Script(given, split).data, "")
    assert 25 <= sum(bool(line.strip()) for line in below.splitlines()) <= 35


TYPICAL = [
    *OBJECTS.values(),
    {"kernel": "mixture", "n": 20},
    {"kernel": "density", "n": 20},
    {"kernel": "formula", "n": 20},
    {"kernel": "formula", "formula": FORMULAS[3], "n": 20, "normalize": "on"},
    {"kernel": "subsets", "negated": "on", "n": 20},
]


@settings(max_examples=40)
@given(chosen=strategies.runs(data=tuple(SOURCES)))
def test_a_script_of_points_has_only_what_its_settings_need(chosen, cases):
    needed(cases.of(**chosen))


@pytest.mark.parametrize("given", TYPICAL)
def test_a_script_of_objects_has_only_what_its_settings_need(given, cases):
    needed(cases.of(held=0.2, **given))


def needed(case):
    text = numpy_script(case.settings, case.split)
    tree = ast.parse(text)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    known = {name.asname or name.name for node in imports for name in node.names}
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    assigned = {
        t.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for t in node.targets
        if hasattr(t, "id")
    }
    read = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    assert not any("kpviz" in ast.unparse(node) for node in imports)
    assert known | {node.name for node in functions} | assigned <= read | {"b"}
    assert max((node.end_lineno - node.lineno + 1 for node in functions), default=0) <= 16
    code = [
        line for line in text.splitlines() if not line.startswith("    '")
    ]  # a text has a line of its own
    assert max(map(len, code)) <= max(120, len(case.settings.link()) + len("Settings: ?"))
    assert f"\nSettings: ?{case.settings.query()}\n" in text
    assert text == numpy_script(case.settings, case.split)


def test_a_link_is_the_whole_address_and_cannot_end_the_text_in_which_it_stands(cases):
    case = cases.of(n=4)
    script = numpy_script(case.settings, case.split, "https://example.org/board/")
    assert f"\nLink: https://example.org/board/?{case.settings.query()}\n" in script
    hostile = numpy_script(case.settings, case.split, 'https://example.org/"""\nboom()\\')
    first, second = (ast.parse(text).body for text in (script, hostile))
    assert list(map(ast.dump, first[1:])) == list(map(ast.dump, second[1:]))


@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_strangers_stay_in_their_comments(name, cases, execute):
    plain = cases.of(n=10, held=0.2)
    named = replace(plain.split.source, features=(name, name * 9), classes=(name, "x" + name))
    case = cases.of(replace(plain.split, source=named), n=10, held=0.2)
    text = numpy_script(case.settings, case.split)
    text.encode()
    assert ast.dump(ast.parse(text)) == ast.dump(
        ast.parse(numpy_script(plain.settings, plain.split))
    )
    reproduces(case, execute)


def test_comments_say_what_the_numbers_are(cases, execute):
    split = cases.of(n=12).split
    scaled = replace(split.source, scaled=True, lows=(4.3, -2.5), highs=(7.9, 0.1))
    case = cases.of(replace(split, source=scaled), n=12)
    assert (
        "from low = [4.3, -2.5] to high = [7.9, 0.1].\n# In its own units it is low + (x + 1) / 2 "
        "* (high - low)." in numpy_script(case.settings, case.split)
    )
    reproduces(case, execute)
    bits, texts = (cases.of(data=data, held=0.2) for data in ("bits", "texts"))
    script = numpy_script(bits.settings, bits.split)
    assert (
        "# The columns of X: x1, x2, x3 and x4.\n# y = -1: false. y = +1: true.\nX = np.array([\n"
        in script
    )
    assert "    [0, 0, 0, 0], [0, 0, 0, 1]," in script
    script = numpy_script(texts.settings, texts.split)
    assert f"\nX = [\n    '{texts.split.X[0]}',\n    '{texts.split.X[1]}',\n" in script
    assert "# y = -1: kitchen. y = +1: football.\n" in script


# ---- alone ---------------------------------------------------------------------------------------


ALONE = {
    "radius": {"intercept": "radius", "n": 20},
    "svm": {"learner": "svm", "n": 20},
    "trees": OBJECTS["subtrees"],
    "graphs": OBJECTS["graph"],
    "mixture": {"kernel": "mixture", "n": 20},
}


@pytest.mark.parametrize("given", ALONE.values(), ids=ALONE)
def test_a_script_runs_alone(given, cases, tmp_path):
    case = cases.of(**given)
    path = tmp_path / "script.py"
    path.write_text(numpy_script(case.settings, case.split), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", path], capture_output=True, text=True, cwd=tmp_path, timeout=60
    )
    assert done.stderr == ""
    case.assert_printed(done.stdout.splitlines())


def test_a_learner_in_a_file_of_its_own_has_a_script(cases, execute, tmp_path, monkeypatch):
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
