"""A user's file, as a type checker sees it: public names have types."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
USERS_FILE = """
import kpviz
from kpviz.kernels import Gaussian, Kernel
from kpviz.learners import Change, Learner, Perceptron
from kpviz.primal import features
from kpviz.theory import max_margin

kernel: Kernel = Gaussian(sigma=0.5) + kpviz.kernels.Linear()
X, y = kpviz.make_dataset("xor", n_samples=20)
run: kpviz.Run = kpviz.train(Perceptron(), X, y, kernel=kernel)
margin: float = max_margin(run.gram, y)
link: str = kpviz.load("?v=1").link
change = Change((0,), (1.0,))
model = kpviz.KernelPerceptron(gamma=2.0).fit(X, y)
learner: Learner = run.learner

reveal_type(run.state_at(3).alpha)
reveal_type(model)
reveal_type(run.page("a.html"))
reveal_type(kpviz.theory.radius(run.gram))
reveal_type(kpviz.primal.growth)
wrong: str = kpviz.train(Perceptron(), X, y)
Gaussian(width=1.0)
from kpviz.kernels import nothing
"""


def test_a_users_file_is_checked_with_the_types_of_kpviz(tmp_path):
    pytest.importorskip("mypy")
    path = tmp_path / "users.py"
    path.write_text(USERS_FILE)
    options = [
        f"--config-file={ROOT / 'pyproject.toml'}",
        f"--cache-dir={ROOT / '.mypy_cache'}",
    ]  # that of make check
    command = [sys.executable, "-m", "mypy", "--strict", *options, str(path)]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    lines = [
        line.partition(" ")[2] for line in done.stdout.splitlines() if line.startswith("users.py")
    ]
    revealed, errors = (
        [line for line in lines if "note:" in line],
        [line for line in lines if "error:" in line],
    )
    assert ["ndarray" in revealed[0], "KernelPerceptron" in revealed[1], "Path" in revealed[2]] == [
        True
    ] * 3
    assert ["float" in revealed[3], "Growth" in revealed[4]] == [True] * 2
    assert len(errors) == 3, done.stdout
    assert 'has type "Run", variable has type "str"' in errors[0]
    assert 'Unexpected keyword argument "width"' in errors[1]
    assert 'has no attribute "nothing"' in errors[2]
