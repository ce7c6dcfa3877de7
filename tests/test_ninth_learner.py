"""A new learner is one file and one line, however little it brings: everything else finds it."""

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

RICH = '''
from dataclasses import dataclass
from typing import ClassVar

from kpviz.engine import learners
from kpviz.engine.checks import Range
import numpy as np

from kpviz.engine.learners.protocol import About, Part
from kpviz.engine.learners.protocol import Change, Learner


@dataclass(frozen=True)
class Timid(Learner):
    """Add an example so that its margin becomes `wanted`."""

    wanted: float = 1.0
    mood: str = "calm"
    ranges: ClassVar = {"wanted": Range(0.1, 3.0, 1.0, "m", "margin wanted", step=0.1)}
    choices: ClassVar = {"mood": ("calm", "bold")}
    about: ClassVar = About(
        title="Timid", idea="As little as is needed.", bound="See the paper.", code=("a", "b", "c", "d"),
        lines={"start": 0, "correct": 1, "update": 2, "mistake": 2, "end": 3}, words={"update": "{x} was too near."},
        grain="update", panel="Loss", parts=(Part("line", "loss", "loss", 0.0),),
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

USE = """
import numpy as np
from streamlit.testing.v1 import AppTest

from kpviz import experiment
from kpviz.lessons import explain
from kpviz.player import payload
from kpviz.settings import Settings, from_query
from kpviz.service import dock
from kpviz.picture.figure import save
from kpviz.player.experiment import Experiment

made, notice = from_query("v=1&learner=timid&wanted=1.5&mood=bold&epochs=4")
assert notice is None and made.query() == "v=1&learner=timid&wanted=1.5&mood=bold&epochs=4"
assert Settings.of(learner="perceptron").reason_against("wanted") == "Perceptron has no m"
split = experiment.prepare(made)
run = experiment.run(made, split)
shown = dock.tree(dock.DockState(made), ["learner"])
assert shown["chips"][2]["label"].startswith("Timid") and "'wanted'" in str(shown["groups"]["learner"])
assert run.learner == Timid(wanted=1.5, mood="bold") and len(run.changes)
header, arrays = payload.unpack(payload.encode(Experiment.of(made, split, run)))
assert np.array_equal(arrays["detail_loss"], np.arange(run.n_steps))
assert header["about"]["title"] == "Timid" and header["about"]["grain"] == "update"
assert any("was too near" in explain.explain(run, t).sentence for t in range(run.n_steps))
assert np.allclose(run.decision_function(split.X), run.gram @ run.state_at(run.n_steps).coef)
save(run.plot(20), "png")

at = AppTest.from_function(lambda: __import__("kpviz.app.screens", fromlist=["play"]).play(), default_timeout=30)
at.query_params.update({"v": "1", "learner": "timid"})
at.session_state["chip-learner"] = True
at.run()
assert not at.exception, at.exception
print("found everywhere")
"""


def test_a_learner_is_found_by_settings_links_player_words_and_pictures(tmp_path):
    script = tmp_path / "use.py"
    script.write_text(RICH + USE, encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.stdout.strip().endswith("found everywhere"), done.stderr


# ---- the least that a learner can be -----------------------------------------------------------------


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
    np.testing.assert_array_equal(run.state_at(run.n_steps).coef, expected.state_at(run.n_steps).coef * run.unit)
    assert kind.__name__ in run.learner.about.title
    assert all(explain.explain(run, t).sentence for t in range(run.n_steps + 1))
    header, _ = payload.unpack(payload.encode(Experiment.of(SETTINGS, SPLIT, run)))
    assert header["about"]["title"] == kind.__name__
    assert save(run.plot(20), "png")
    more = kpviz.train(learner, SPLIT.X, SPLIT.y, kernel=run.kernel, start=run.state_at(run.n_steps), epochs=1)
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
    with pytest.raises(ValueError, match=r"^order='random' is not for Walker: it selects the next example itself\.$"):
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
        sentence = rf"^learner={said} is not a learner: it must be an object that extends Learner, as Perceptron\(\)\.$"
        with pytest.raises(ValueError, match=sentence):
            kpviz.train(learner, SPLIT.X, SPLIT.y)


def test_contributing_says_so_in_four_lines():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    start = text.index("- **A learner**")
    assert text[start : text.index("\n- **", start + 1)].count("\n") < 4
