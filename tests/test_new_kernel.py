"""A new kernel is one class with one formula, and one line: everything else finds it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

OWN = """
from dataclasses import dataclass
from typing import ClassVar

from kpviz.engine.checks import Range
from kpviz.engine.kernels.base import Kernel


@dataclass(frozen=True)
class Cauchy(Kernel):
    spread: float = 1.0
    name: ClassVar = "Cauchy"
    hill: ClassVar = True
    written: ClassVar = "1/(1 + norm(u - v)**2/{spread})"
    ranges: ClassVar = {"spread": Range(0.1, 5.0, 1.0, "s", "spread")}
"""

USE = """
import contextlib
import io

import numpy as np

from kpviz.engine import kernels
from own import Cauchy

kernels.KERNELS["cauchy"] = Cauchy  # the one line

from kpviz import experiment
from kpviz.lessons import explain
from kpviz.player import payload
from kpviz.player.experiment import Experiment
from kpviz.export.notebook import notebook
from kpviz.export.script import numpy_script
from kpviz.settings import from_query
from kpviz.picture.figure import save

for query in ("kernel=cauchy&spread=0.5", "kernel=cauchy&spread=0.5&combine=product&kernel2=polynomial&normalize=on"):
    made, notice = from_query(f"v=1&n=12&flipped=0.2&epochs=2&{query}")
    assert notice is None
    assert "&spread=0.5" in made.query()
    split = experiment.prepare(made)
    run = experiment.run(made, split)
    assert ("hill is added" in explain.explain(run, 1).sentence) == (made.combine == "none")
    assert explain.ending(run).startswith("Not converged") or run.converged
    header, _ = payload.unpack(payload.encode(Experiment.of(made, split, run)))
    save(run.plot(run.n_steps), "png")
    notebook(made, split)
    found, text = {"__name__": "__main__"}, numpy_script(made, split)
    with contextlib.redirect_stdout(io.StringIO()):
        exec(text, found)
    np.testing.assert_allclose(found["alpha"], run.state_at(run.n_steps).alpha)
    assert "1 / (1 + sum((u - v) ** 2) / spread)" in text
    assert "kpviz" not in text.replace("of kpviz", "")

kernel, X = Cauchy(0.5), np.array([[0.0, 0.0], [1.0, 2.0]])
assert kernel.latex == r"\\frac{1}{1 + \\frac{\\|u - v\\|^{2}}{s}}"
assert kernel(X, X).tolist() == [[1.0, 1 / 11], [1 / 11, 1.0]]

print("found everywhere")
"""


TAKEN = """
from kpviz.engine import kernels, learners
from kpviz.engine.checks import Range

REGISTRY["own"] = type("Own", (BASE,), {"ranges": {"PARAMETER": Range(0.0, 1.0, 0.5, "p", "p")}})
import kpviz.settings
"""


@pytest.mark.parametrize(
    ("registry", "base", "parameter"),
    [("kernels.KERNELS", "kernels.Kernel", "tol"), ("learners.LEARNERS", "learners.Learner", "gamma")],
)
def test_a_parameter_with_the_name_of_another_setting_is_refused(registry, base, parameter):
    code = TAKEN.replace("REGISTRY", registry).replace("BASE", base).replace("PARAMETER", parameter)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.returncode
    assert f"ValueError: two settings are called {parameter!r}: " in done.stderr, done.stderr


def test_a_kernel_of_one_formula_is_found_by_links_player_pictures_and_scripts(tmp_path):
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    (tmp_path / "use.py").write_text(USE, encoding="utf-8")
    done = subprocess.run([sys.executable, tmp_path / "use.py"], capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.stdout.strip().endswith("found everywhere"), done.stderr
