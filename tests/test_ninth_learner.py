"""A ninth learner is one file and one line: everything else finds it."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

NINTH = '''
from dataclasses import dataclass
from typing import ClassVar

from kpviz.engine import learners
from kpviz.engine.checks import Range
import numpy as np

from kpviz.engine.learners.about import About, Part
from kpviz.engine.learners.protocol import Change, not_above_zero


@dataclass(frozen=True)
class Passive:
    """Add an example so that its margin becomes `wanted`."""

    wanted: float = 1.0
    mood: str = "calm"
    ranges: ClassVar = {"wanted": Range(0.1, 3.0, 1.0, "m", "margin wanted", step=0.1)}
    choices: ClassVar = {"mood": ("calm", "bold")}
    unit: ClassVar = 1.0
    about: ClassVar = About(
        title="Passive aggressive", idea="As little as is needed.", bound="See the paper.", code=("a", "b", "c", "d"),
        lines={"start": 0, "correct": 1, "update": 2, "mistake": 2, "end": 3}, words={"update": "{x} was too near."},
        grain="update", panel="Loss", parts=(Part("line", "loss", "loss", 0.0),),
    )

    def details(self, memory, n_steps):
        return {"loss": np.arange(n_steps, dtype=float)}

    @property
    def quiet_above(self):
        return self.wanted

    def start(self, gram, y, rng):
        return gram, y

    def change(self, memory, t, i, scores, coef):
        gram, y = memory
        lack = self.wanted - y[i] * scores[i]
        return Change((i,), (float(y[i] * lack / gram[i, i]),)) if lack > 1e-9 else None

    def mistakes(self, y, score):
        return not_above_zero(y, score)


learners.LEARNERS["passive"] = Passive  # the one line
'''

USE = """
import numpy as np
from streamlit.testing.v1 import AppTest

from kpviz import experiment, explain
from kpviz.canvas import payload
from kpviz.settings import Settings, from_query
from kpviz.ui import controls
from kpviz.picture.figure import save

made, notice = from_query("v=1&learner=passive&wanted=1.5&mood=bold&epochs=4")
assert notice is None and made.query() == "v=1&learner=passive&wanted=1.5&mood=bold&epochs=4"
assert Settings.of(learner="perceptron").reason_against("wanted") == "Perceptron has no m"
split = experiment.prepare(made)
run = experiment.run(made, split)
assert run.learner == Passive(wanted=1.5, mood="bold") and len(run.changes)
header, arrays = payload.unpack(payload.encode(made, split, run))
assert np.array_equal(arrays["detail_loss"], np.arange(run.n_steps))
assert header["about"]["title"] == "Passive aggressive" and header["about"]["grain"] == "update"
assert any("was too near" in explain.explain(run, t).sentence for t in range(run.n_steps))
assert np.allclose(run.decision_function(split.X), run.gram @ run.state_at(run.n_steps).coef)
save(run.plot(20), "png")

at = AppTest.from_function(lambda: __import__("kpviz.ui.screens.play", fromlist=["page"]).page(), default_timeout=30)
at.query_params.update({"v": "1", "learner": "passive"})
at.session_state["chip-learner"] = True
at.run()
assert not at.exception, at.exception
print("found everywhere")
"""


def test_a_ninth_learner_is_found_by_settings_links_player_words_and_pictures(tmp_path):
    script = tmp_path / "ninth.py"
    script.write_text(NINTH + USE, encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.stdout.strip().endswith("found everywhere"), done.stderr


def test_contributing_says_so_in_four_lines():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    start = text.index("- **A learner**")
    assert text[start : text.index("\n- **", start + 1)].count("\n") < 4
