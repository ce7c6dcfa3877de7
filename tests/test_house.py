"""The house: who may import what, what `import kpviz` costs, and that presentations are looped over once."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from apart import apart

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "kpviz"
HEAVY = {"streamlit", "matplotlib", "sklearn", "scipy", "pandas"}


@cache
def trees():
    """The syntax tree of each file."""
    return apart(_parsed)  # Python 3.11 counts the depth wrongly where another stack was in between


def _parsed():
    files = sorted(PACKAGE.rglob("*.py"))
    return {path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in files}


def names(node):
    """The packages that an import statement names, kpviz's own with their first floor."""
    if isinstance(node, ast.Import):
        return {alias.name.split(".")[0] for alias in node.names}
    return {(node.module or "").split(".")[0]} if isinstance(node, ast.ImportFrom) else set()


def imported(tree):
    return set().union(*map(names, ast.walk(tree)))


def imported_at_once(tree):
    """What reading the file imports: not what stands in a function or under `if TYPE_CHECKING`."""
    found, waiting = set(), list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            waiting += node.orelse
            continue
        found |= names(node)
        waiting += ast.iter_child_nodes(node)
    return found


def test_a_file_imports_only_from_the_floors_below_it():
    # In a process of its own: the linter sets logging up anew, which silences the loggers of the tests after it.
    lint = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"
    checked = subprocess.run([sys.executable, "-c", lint], cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_only_the_app_imports_streamlit():
    assert {
        file for file, tree in trees().items() if "streamlit" in imported(tree) and not file.startswith("app/")
    } == set()


def test_only_the_figures_draw_with_matplotlib():
    drawing = {file for file, tree in trees().items() if "matplotlib" in imported_at_once(tree)}
    assert {file for file in drawing if not file.startswith(("picture/", "export/", "app/"))} == set()


def test_pyplot_and_its_global_state_are_not_used():
    statements = ((file, node) for file, tree in trees().items() for node in ast.walk(tree))
    imports = [(file, ast.unparse(node)) for file, node in statements if isinstance(node, ast.Import | ast.ImportFrom)]
    assert [found for found in imports if "pyplot" in found[1]] == []


@pytest.mark.parametrize("package", ["sklearn", "scipy", "pandas"])
def test_heavy_packages_are_imported_where_they_are_used(package):
    at_once = {file for file, tree in trees().items() if package in imported_at_once(tree)}
    # Their classes are scikit-learn's; kpviz reads these files when they are asked for.
    assert at_once <= {"engine/sklearn/estimators.py", "engine/fisher/estimator.py"}


def test_the_engine_needs_no_other_package_than_it_declares():
    allowed = {"__future__", "kpviz", "numpy", "sklearn", "scipy", "pandas", "matplotlib", *sys.stdlib_module_names}
    engine = {file: tree for file, tree in trees().items() if file.startswith("engine/")}
    assert {file: imported(tree) - allowed for file, tree in engine.items() if imported(tree) - allowed} == {}
    assert {file for file, tree in engine.items() if "matplotlib" in imported(tree)} <= {"engine/run/run.py"}  # a type


def loaded_by(code):
    """The heavy packages that a fresh interpreter has loaded after `code`."""
    script = f"import sys\n{code}\nprint(*sorted({HEAVY!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


def test_importing_and_training_loads_no_heavy_package():
    training = "X, y = kpviz.make_dataset('moons', 30); run = kpviz.train(kpviz.learners.Perceptron(), X, y)"
    reading = "run.state_at(3); run.decision_function(X, predictor='voted'); dir(kpviz)"
    assert loaded_by(f"import kpviz\n{training}\n{reading}") == set()


def test_the_server_starts_without_the_engine():
    code = "from kpviz.app import serving; serving.options(); assert not {'numpy', 'kpviz.engine'} & set(sys.modules)"
    assert loaded_by(code) == {"streamlit"}
    command = "from kpviz import cli; cli._parser(['app']); assert not {'numpy', 'kpviz.engine'} & set(sys.modules)"
    assert loaded_by(command) == set()


def test_the_first_answer_loads_nothing_that_draws_nor_what_reads_lessons():
    answering = (
        "import asyncio; from kpviz.service import answer, work\n"
        "async def compute(work): return work.compute()\n"
        "assert asyncio.run(answer.answer({'n': 1, 'page': 'play', 'link': 'v=1'}, compute))"
    )
    page = "from kpviz.app.screens import lessons; assert 'markdown_it' not in sys.modules"
    assert loaded_by(f"{answering}\n{page}") == {"streamlit"}


def test_the_estimator_brings_scikit_learn_only():
    loaded = loaded_by("from kpviz import KernelPerceptron")
    assert not loaded & {"streamlit", "matplotlib"}
    assert "sklearn" in loaded


def test_presentations_are_looped_over_in_train_only():
    """Whoever asks a learner what changes is a loop over presentations."""
    asking = {
        file
        for file, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "change" and isinstance(node.ctx, ast.Load)
    }
    assert asking == {"engine/run/train.py"}
    words = {file for file, tree in trees().items() if "change_of" in {getattr(n, "id", "") for n in ast.walk(tree)}}
    assert words <= {"engine/run/train.py"}


def test_kernels_learners_and_theory_are_imported_from_where_they_are_read():
    code = "from kpviz.kernels import Gaussian; from kpviz.learners import Perceptron; import kpviz.theory, kpviz; "
    code += "assert kpviz.kernels.Gaussian is Gaussian and kpviz.learners.Perceptron is Perceptron"
    subprocess.run([sys.executable, "-c", code], check=True)
