"""Exported scripts of runs on what is no point of the plane, and of kernels that are fitted or typed: all executed."""

import ast
import subprocess
import sys
from itertools import cycle

import numpy as np
import pytest
from covering import covering
from numpy.testing import assert_array_equal

from kpviz.engine.kernels.formula import Formula
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run.predictors import PREDICTORS
from kpviz.export.code.estimator import sklearn_script
from kpviz.export.code.python import numpy_script

SCRIPTS = {"numpy": numpy_script, "sklearn": sklearn_script}
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
    """Execute both scripts, and compare mistakes, weights, and what is predicted, with the run."""
    by_numpy, printed = execute(numpy_script(case.settings, case.split))
    case.assert_same(by_numpy["mistakes"], by_numpy["alpha"])
    case.assert_printed(printed)
    assert_array_equal(by_numpy["X"], case.split.X)
    fitted, also_printed = execute(sklearn_script(case.settings, case.split))
    model = fitted["model"]
    case.assert_same(model.mistakes_, model.alpha_)
    case.assert_printed(also_printed)
    for Z in (case.split.X, case.split.X_test):
        if len(Z):
            case.assert_read(model.decision_function(Z), Z)
    errors_printed = [[line for line in lines if line.endswith(" wrong")] for lines in (printed, also_printed)]
    assert errors_printed[0] == errors_printed[1]


def gram(text):
    """The Gram matrix that a numpy script computes, of the training examples."""
    K = text["K"]
    return K[:, : len(K)]


# ---- texts, trees, graphs and bits ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("learner", "name", "predictor", "held"),
    [(learner, *rest) for learner, rest in zip(cycle(LEARNERS), covering(OBJECTS, PREDICTORS, (0.0, 0.3)))],
)
def test_every_learner_and_predictor_is_reproduced_on_objects(learner, name, predictor, held, cases, execute):
    given = {"learner": learner, "predictor": predictor, "held": held, "epochs": 4, "seed": 3}
    reproduces(cases.of(**given, **OBJECTS[name]), execute)


@pytest.mark.parametrize("data", ADDED)
@pytest.mark.parametrize("normalize", ["off", "on"])
def test_a_readers_own_objects_are_reproduced_to_the_last_bit(data, normalize, cases, execute):
    case = cases.of(data=data, added=ADDED[data], normalize=normalize, epochs=5)
    assert case.settings.added
    reproduces(case, execute)
    assert_array_equal(gram(execute(numpy_script(case.settings, case.split))[0]), case.run.gram)


@pytest.mark.parametrize("combine", ["sum", "product"])
@pytest.mark.parametrize(
    "given",
    [
        {"data": "texts", "kernel2": "spectrum", "length2": 1},
        {"data": "texts", "kernel": "spectrum", "length": 4, "kernel2": "spectrum", "length2": 2},
        {"data": "graphs", "rounds": 0, "kernel2": "graph", "rounds2": 4},
        {"data": "trees", "kernel2": "subtrees"},
        {"data": "bits", "kernel": "gaussian", "kernel2": "subsets", "negated2": "on"},
    ],
)
def test_kernels_of_objects_are_combined_to_the_last_bit(combine, given, cases, execute):
    case = cases.of(combine=combine, normalize="on", epochs=4, **given)
    reproduces(case, execute)
    assert_array_equal(gram(execute(numpy_script(case.settings, case.split))[0]), case.run.gram)


OF_BITS = ("subsets", "linear", "polynomial", "monomial", "gaussian", "laplacian", "mixture")


@pytest.mark.parametrize(("kernel", "function"), list(zip(OF_BITS, cycle(["parity", "majority", "x1 & !x2 | x7"]))))
def test_kernels_of_seven_bits_are_reproduced(kernel, function, cases, execute):
    case = cases.of(data="bits", bits=7, function=function, kernel=kernel, negated="off", epochs=3)
    assert case.split.X.shape == (128, 7)
    reproduces(case, execute)


def test_bits_are_written_as_whole_numbers_and_texts_line_by_line(cases):
    bits, texts = (cases.of(data=data, held=0.2) for data in ("bits", "texts"))
    script = numpy_script(bits.settings, bits.split)
    assert "# The columns of X: x1, x2, x3 and x4.\n# y = -1: false. y = +1: true.\nX = np.array([\n" in script
    assert "    [0, 0, 0, 0], [0, 0, 0, 1]," in script
    script = numpy_script(texts.settings, texts.split)
    assert f"\nX = [\n    '{texts.split.X[0]}',\n    '{texts.split.X[1]}',\n" in script
    assert "# y = -1: kitchen. y = +1: football.\n" in script
    assert '"""f(z) of each text z of Z."""' in script


# ---- kernels that are fitted ------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", ["density", "mixture"])
@pytest.mark.parametrize(("components", "normalize"), [(1, "off"), (2, "on"), (2, "off"), (3, "off"), (8, "on")])
def test_a_fitted_mixture_is_reproduced_to_the_last_bit(kernel, components, normalize, cases, execute):
    given = {"components": components, "normalize": normalize, "held": 0.2, "intercept": "unit"}
    case = cases.of(data="moons", kernel=kernel, n=30, epochs=4, **given)
    reproduces(case, execute)
    found = execute(numpy_script(case.settings, case.split))[0]
    assert_array_equal(gram(found), case.run.gram)
    assert len(found["weights"]) == components
    test = case.run.kernel.evaluate(case.split.X_test, case.split.X)
    assert_array_equal(found["k"](case.split.X_test, found["X"]), test)


@pytest.mark.parametrize("combine", ["sum", "product"])
def test_two_mixtures_keep_their_own_numbers(combine, cases, execute):
    given = {"kernel": "mixture", "components": 2, "kernel2": "density", "components2": 3, "combine": combine}
    case = cases.of(n=20, epochs=3, **given)
    reproduces(case, execute)
    found = execute(numpy_script(case.settings, case.split))[0]
    assert (len(found["weights"]), len(found["weights2"])) == (2, 3)


# ---- kernels that are typed -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "given"), list(zip(FORMULAS, cycle([{"n": 30, "held": 0.2}, {"data": "bits", "bits": 7, "seed": 1}])))
)
def test_a_formula_is_reproduced_to_the_last_bit(formula, given, cases, execute):
    case = cases.of(kernel="formula", formula=formula, epochs=3, **given)
    assert case.settings.formula == str(Formula(formula).tree)
    reproduces(case, execute)
    found = execute(numpy_script(case.settings, case.split))[0]
    assert_array_equal(gram(found), case.run.gram)
    Z = case.split.X[:5] + 0.25
    assert_array_equal(found["k"](Z, found["X"]), case.run.kernel.evaluate(Z, case.split.X))


@pytest.mark.parametrize("formula", FORMULAS)
def test_normalized_and_combined_formulas_are_reproduced_to_the_last_bit(formula, cases, execute):
    given = {"kernel": "formula", "formula": formula, "kernel2": "formula", "formula2": "dot(u, v)**2 + u[1]*v[1]"}
    case = cases.of(n=20, combine="sum", normalize="on", epochs=3, **given)
    reproduces(case, execute)
    assert_array_equal(gram(execute(numpy_script(case.settings, case.split))[0]), case.run.gram)


@pytest.mark.parametrize("formula", FORMULAS)
def test_the_diagonal_of_a_formula_is_the_engines(formula):
    U, kernel = np.random.default_rng(5).normal(size=(40, 2)), Formula(formula)
    form = kernel.form()
    names = {"np": np, "U": U}
    exec("\n".join([*form.helpers, form.before_diagonal, f"found = {form.diagonal}"]), names)
    assert_array_equal(names["found"], kernel.diag(U))


def test_a_thousand_examples_of_a_formula_are_reproduced(cases, execute):
    reproduces(cases.of(data="spirals", n=1000, noise=0.3, epochs=2, kernel="formula"), execute)


# ---- what a reader sees -----------------------------------------------------------------------------

TYPICAL = [
    *OBJECTS.values(),
    {"kernel": "mixture", "n": 20},
    {"kernel": "density", "n": 20},
    {"kernel": "formula", "n": 20},
    {"kernel": "formula", "formula": FORMULAS[3], "n": 20, "normalize": "on"},
    {"kernel": "subsets", "negated": "on", "n": 20},
]


@pytest.mark.parametrize("given", TYPICAL)
@pytest.mark.parametrize("kind", SCRIPTS)
def test_a_script_has_only_what_it_needs_and_does_not_need_us(kind, given, cases):
    case = cases.of(held=0.2, **given)
    text = SCRIPTS[kind](case.settings, case.split)
    tree = ast.parse(text)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    known = {name.asname or name.name for node in imports for name in node.names}
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assigned = {t.id for node in tree.body if isinstance(node, ast.Assign) for t in node.targets if hasattr(t, "id")}
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    assert not any("kpviz" in ast.unparse(node) for node in imports)
    assert known | defined | assigned <= read
    code = [line for line in text.splitlines() if not line.startswith("    '")]  # a text has a line of its own
    assert max(map(len, code)) <= 120
    assert text == SCRIPTS[kind](case.settings, case.split)


@pytest.mark.parametrize("given", [OBJECTS["subtrees"], OBJECTS["graph"], {"kernel": "mixture", "n": 20}])
def test_a_script_runs_alone(given, cases, tmp_path):
    case = cases.of(**given)
    path = tmp_path / "script.py"
    path.write_text(numpy_script(case.settings, case.split), encoding="utf-8")
    done = subprocess.run([sys.executable, "-I", path], capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert done.stderr == ""
    case.assert_printed(done.stdout.splitlines())


@pytest.mark.parametrize("given", OBJECTS.values(), ids=OBJECTS)
def test_what_is_counted_takes_a_dozen_lines_or_a_few_more(given, cases):
    case = cases.of(**given)
    functions = [
        node for node in ast.parse(numpy_script(case.settings, case.split)).body if isinstance(node, ast.FunctionDef)
    ]
    assert max(node.end_lineno - node.lineno + 1 for node in functions) <= 16
