"""A new kernel is one class with one formula, a new learner one file, each with one line:
everything else finds it.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import kpviz
from kpviz import experiment
from kpviz.engine.learners import Learner
from kpviz.engine.learners.protocol import Change
from kpviz.lessons import explain
from kpviz.picture.figure import save
from kpviz.player import payload
from kpviz.player.experiment import Experiment
from kpviz.settings import Settings

ROOT = Path(__file__).parent.parent


def python(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=120
    )


KERNEL = """
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

USE_KERNEL = """
import contextlib
import io

import numpy as np

from kpviz.engine import kernels
kernels.KERNELS["cauchy"] = Cauchy  # the one line

from kpviz import experiment
from kpviz.lessons import explain
from kpviz.player import payload
from kpviz.player.experiment import Experiment
from kpviz.export.notebook import notebook
from kpviz.export.script import numpy_script
from kpviz.settings import from_query
from kpviz.picture.figure import plot, save

for query in ("kernel=cauchy&spread=0.5", "kernel=cauchy&spread=0.5&normalize=on"):
    made, notice = from_query(f"v=1&n=12&flipped=0.2&epochs=2&{query}")
    assert notice is None
    assert "&spread=0.5" in made.query()
    split = experiment.prepare(made)
    run = experiment.run(made, split)
    assert ("hill is added" in explain.explain(run, 1).sentence) == (made.normalize == "off")
    assert explain.ending(run).startswith("Not converged") or run.converged
    header, _ = payload.unpack(payload.encode(Experiment.of(made, split, run)))
    save(plot(run, run.n_steps, "last"), "png")
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

LEARNER = '''
from dataclasses import dataclass
from typing import ClassVar

from kpviz.engine import learners
from kpviz.engine.checks import Range
import numpy as np

from kpviz.engine.learners.protocol import About, PanelPart
from kpviz.engine.learners.protocol import Change, Learner


@dataclass(frozen=True)
class Timid(Learner):
    """Add an example so that its margin becomes `wanted`."""

    wanted: float = 1.0
    mood: str = "calm"
    ranges: ClassVar = {"wanted": Range(0.1, 3.0, 1.0, "m", "margin wanted", step=0.1)}
    choices: ClassVar = {"mood": ("calm", "bold")}
    about: ClassVar = About(
        title="Timid", idea="As little as is needed.", bound="See the paper.",
        grain="update", panel="Loss", parts=(PanelPart("line", "loss", "loss", 0.0),),
    )

    def details(self, memory, n_steps):
        return {"loss": np.arange(n_steps, dtype=float)}

    @property
    def update_margin(self):
        return self.wanted

    def start(self, gram, y, rng):
        return gram, y

    def change(self, memory, t, i, scores, coef):
        gram, y = memory
        lack = self.wanted - y[i] * scores[i]
        return Change((i,), (float(y[i] * lack / gram[i, i]),)) if lack > 1e-9 else None


learners.LEARNERS["timid"] = Timid  # the one line
'''

WORDS = """
from kpviz.lessons.learner_words import WORDS, LearnerWords


class TimidWords(LearnerWords):
    code = ("a", "b", "c", "d")
    lines = {"correct": 1, "update": 2, "mistake": 2}
    formulas = {"update": "{x} was too near."}
    sentences = {}


WORDS[Timid] = TimidWords  # the line by which its words are found
"""

USE_LEARNER = """
import numpy as np
from streamlit.testing.v1 import AppTest

from kpviz import experiment
from kpviz.lessons import explain
from kpviz.player import payload
from kpviz.settings import Settings, from_query
from kpviz.service import dock
from kpviz.picture.figure import plot, save
from kpviz.player.experiment import Experiment

made, notice = from_query("v=1&learner=timid&wanted=1.5&mood=bold&epochs=4")
assert notice is None and made.query() == "v=1&learner=timid&wanted=1.5&mood=bold&epochs=4"
assert Settings.of(learner="perceptron").reason_against("wanted") == "Perceptron has no m"
split = experiment.prepare(made)
run = experiment.run(made, split)
shown = dock.tree(dock.DockState(made), ["learner"])
assert shown["tabs"][2]["set"] == "Timid" and "'wanted'" in str(shown["groups"]["learner"])
assert run.learner == Timid(wanted=1.5, mood="bold") and len(run.changes)
header, arrays = payload.unpack(payload.encode(Experiment.of(made, split, run)))
assert np.array_equal(arrays["detail_loss"], np.arange(run.n_steps))
assert header["about"]["title"] == "Timid" and header["about"]["grain"] == "update"
said = [explain.explain(run, t) for t in range(1, run.n_steps)]
changed = {int(step) for step in run.changes.step}
for t, one in enumerate(said):
    near = t in changed and not run.mistake[t]
    assert ("was too near" in one.sentence) == near  # a mistake is not told as an update
    assert one.line == (2 if t in changed else 1)
assert {"mistake", "update"} <= {explain.sentence_keys(run)[1][code] for code in explain.sentence_keys(run)[0]}
assert header["words"]["code"] == ["a", "b", "c", "d"]
assert np.allclose(run.decision_function(split.X), run.gram @ run.state_at(run.n_steps).coef)
save(plot(run, 20, "last"), "png")

at = AppTest.from_string("from kpviz.app import screens; screens.play()", default_timeout=30)
at.query_params.update({"v": "1", "learner": "timid"})
at.run()
assert not at.exception, at.exception
print("found everywhere")
"""


@pytest.mark.parametrize(
    "code", [KERNEL + USE_KERNEL, LEARNER + WORDS + USE_LEARNER], ids=["kernel", "learner"]
)
def test_it_is_found_by_settings_links_player_words_pictures_and_scripts(code):
    done = python(code)
    assert done.stdout.strip().endswith("found everywhere"), done.stderr


TAKEN = """
from kpviz.engine import kernels, learners
from kpviz.engine.checks import Range

REGISTRY["own"] = type("Own", (BASE,), {"ranges": {"PARAMETER": Range(0.0, 1.0, 0.5, "p", "p")}})
import kpviz.settings
"""


@pytest.mark.parametrize(
    ("registry", "base", "parameter"),
    [
        ("kernels.KERNELS", "kernels.Kernel", "tol"),
        ("learners.LEARNERS", "learners.Learner", "gamma"),
    ],
)
def test_a_parameter_with_the_name_of_another_setting_is_refused(registry, base, parameter):
    code = TAKEN.replace("REGISTRY", registry).replace("BASE", base).replace("PARAMETER", parameter)
    done = python(code)
    assert done.returncode
    assert f"ValueError: two settings are called {parameter!r}: " in done.stderr, done.stderr


# ---- the least that a learner can be -------------------------------------------------------------


class Short(Learner):
    def start(self, gram, y, rng):
        return y

    def change(self, memory, t, i, scores, coef):
        return Change((i,), (memory[i],)) if memory[i] * scores[i] <= 0 else None


class Halves(Short):
    """The same in units, asked only where it has an answer."""

    unit, update_margin = 0.5, 0.0

    def change(self, memory, t, i, scores, coef):
        return Change((i,), (memory[i],))


SETTINGS = Settings.of(n=30, flipped=0.2, epochs=3)
SPLIT = experiment.prepare(SETTINGS)


@pytest.mark.parametrize("kind", [Short, Halves])
def test_a_learner_of_six_lines_is_the_perceptron_everywhere(kind):
    expected, learner = experiment.run(SETTINGS, SPLIT), kind()
    run = kpviz.train(learner, SPLIT.X, SPLIT.y, kernel=expected.kernel, epochs=3)
    np.testing.assert_array_equal(run.index, expected.index)
    np.testing.assert_array_equal(run.mistake, expected.mistake)
    np.testing.assert_array_equal(
        run.state_at(run.n_steps).coef, expected.state_at(run.n_steps).coef * run.unit
    )
    assert kind.__name__ in run.learner.about.title
    assert all(explain.explain(run, t).sentence for t in range(run.n_steps + 1))
    header, _ = payload.unpack(payload.encode(Experiment.of(SETTINGS, SPLIT, run)))
    assert header["about"]["title"] == kind.__name__
    assert save(run.plot(20), "png")
    more = kpviz.train(
        learner, SPLIT.X, SPLIT.y, kernel=run.kernel, start=run.state_at(run.n_steps), epochs=1
    )
    assert more.n_steps == len(SPLIT.y)


def test_a_learner_may_choose():
    class Walker(Short):
        chooses = True

        def choose(self, memory, scores):
            wrong = np.flatnonzero(memory * scores <= 0)
            return int(wrong[0]) if len(wrong) else None

    X, y = kpviz.make_dataset("linear", n_samples=20)
    run = kpviz.train(Walker(), X, y)
    assert run.end == "tolerance"
    with pytest.raises(
        ValueError,
        match=r"^order='random' is not for Walker: it selects the next example itself\.$",
    ):
        kpviz.train(Walker(), X, y, order="random")


def test_what_does_not_extend_learner_is_refused():
    class Alone:
        start, change = Short.start, Short.change

        def __repr__(self):
            return "Alone()"

    for learner, said in (
        (Alone(), r"Alone\(\)"),
        (Short, r"<class '.*Short'>"),
        ("perceptron", "'perceptron'"),
        (None, "None"),
    ):
        sentence = (
            rf"^learner={said} is not a learner: it must be an object that extends "
            rf"Learner, as Perceptron\(\)\.$"
        )
        with pytest.raises(ValueError, match=sentence):
            kpviz.train(learner, SPLIT.X, SPLIT.y)


@pytest.mark.parametrize(
    ("given", "labels"),
    [
        (
            '"ranges": {"threshold": Range(0.0, 1.0, 0.5, "θ", "")}',
            ("'δ₀' by Projectron", "'θ' by Own"),
        ),
        ('"choices": {"threshold": ("low", "high")}', ("'δ₀' by Projectron", "'threshold' by Own")),
        (
            '"ranges": {"tie": Range(0.0, 1.0, 0.5, "t", "")}',
            ("'A zero score is' by Perceptron", "'t' by Own"),
        ),
    ],
)
def test_two_learners_share_the_name_of_a_parameter_only_with_the_same_symbol(given, labels):
    code = TAKEN.replace("REGISTRY", "learners.LEARNERS").replace("BASE", "learners.Learner")
    code = code.replace('"ranges": {"PARAMETER": Range(0.0, 1.0, 0.5, "p", "p")}', given)
    done = python(code)
    assert done.returncode
    parameter = "tie" if "tie" in given else "threshold"
    said = (
        f"ValueError: the parameter {parameter!r} is called {labels[0]} and {labels[1]}: two "
        f"learners share"
    )
    assert said in done.stderr, done.stderr
    same = python(code.replace('Range(0.0, 1.0, 0.5, "θ", "")', 'Range(0.0, 1.0, 0.5, "δ₀", "")'))
    assert bool(same.returncode) == ("θ" not in given), same.stderr
