"""What `import kpviz` costs, and that presentations are looped over once; `pyproject.toml` says who may import what."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEAVY = {"streamlit", "matplotlib", "sklearn", "scipy", "pandas"}


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
    command = "from kpviz import cli; cli._parser(); assert not {'numpy', 'kpviz.engine'} & set(sys.modules)"
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
    asking = set()
    for path in (ROOT / "kpviz").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr == "change" and isinstance(node.ctx, ast.Load):
                asking.add(path.name)
    assert asking == {"train.py"}


def test_kernels_learners_and_theory_are_imported_from_where_they_are_read():
    code = "from kpviz.kernels import Gaussian; from kpviz.learners import Perceptron; import kpviz.theory, kpviz; "
    code += "assert kpviz.kernels.Gaussian is Gaussian and kpviz.learners.Perceptron is Perceptron"
    subprocess.run([sys.executable, "-c", code], check=True)
