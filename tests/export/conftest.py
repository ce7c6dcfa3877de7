"""Running what was exported, and the runs to compare it with."""

import contextlib
import io
from dataclasses import dataclass

import numpy as np
import pytest

from kpviz import experiment
from kpviz.engine.run import predictors
from kpviz.experiment import Split
from kpviz.lessons.learner_words import words_of
from kpviz.lessons.rule import COUNTS
from kpviz.settings import Settings


@dataclass
class Case:
    """Settings with their examples and their run."""

    settings: Settings
    split: Split

    @classmethod
    def of(cls, split=None, **values):
        settings = Settings.of(**values)
        return cls(settings, experiment.prepare(settings) if split is None else split)

    def __post_init__(self):
        self.run = experiment.run(self.settings, self.split)
        self.end = self.run.state_at(self.run.n_steps)

    @property
    def mistakes(self):
        """(step, example) of each mistake; steps count from 1."""
        steps = np.flatnonzero(self.run.mistake)
        return [(int(t) + 1, int(self.run.index[t])) for t in steps]

    def assert_same(self, mistakes, alpha):
        """Every mistake at the same step on the same example, and the same weights on the same
        support.
        """
        assert [(int(step), int(i)) for step, i in mistakes] == self.mistakes
        np.testing.assert_allclose(alpha, self.end.alpha, rtol=1e-9, atol=1e-13)
        np.testing.assert_array_equal(np.flatnonzero(alpha), self.end.support)

    def assert_printed(self, lines):
        """What is printed are the counts of the run and its alphas."""
        run = self.run
        alpha = self.end.alpha
        epochs = [line for line in lines if line.startswith("epoch ")]
        counts = run.mistakes_per_epoch.tolist()
        assert epochs == [
            f"epoch {e}: {m} mistake{'s' * (m != 1)}" for e, m in enumerate(counts, start=1)
        ]
        printed_alpha = dict(line.split(" = ") for line in lines if line.startswith("alpha["))
        assert list(printed_alpha) == [f"alpha[{i}]" for i in self.end.support]
        np.testing.assert_allclose(
            [float(value) for value in printed_alpha.values()], alpha[self.end.support], rtol=1e-9
        )
        (ending,) = [line for line in lines if "mistakes in all" in line]
        assert ending.endswith(f"mistakes in all: {run.mistake.sum()}")
        passes_over = (
            words_of(run.learner).rule().quiet == "changes" and not run.shows_only_mistakes
        )
        reached = "no change in" if passes_over else "converged after"
        assert ending.startswith(
            f"{reached} epoch {run.n_epochs}," if run.converged else ("not", "stopped")
        )

    def assert_read(self, scores, Z):
        """Scores by the predictor, up to rounding; votes may differ where a score was as good as
        zero.
        """
        predictor = self.settings.predictor
        expected = self.run.decision_function(Z, predictor=predictor)
        if predictor == "voted":
            times = range(1, self.run.n_steps + 1)
            passing = predictors.scores(self.run, Z, times)
            largest = np.abs(self.run.gram).max() * max(np.abs(self.end.alpha).max(), 1.0)
            exact = passing == 0
            counts_mistakes = words_of(self.run.learner).rule().start.startswith(COUNTS)
            if not counts_mistakes:  # of real weights the order of a sum decides how it is rounded
                coef, b = predictors.coefficients(self.run, times)
                exact &= (
                    np.abs(coef) @ np.abs(self.run.kernel(Z, self.run.X)).T + np.abs(b)[:, None]
                    == 0
                )
            doubtful = ~exact & (np.abs(passing) <= 1e-11 * largest)
            assert (np.abs(scores - expected) <= 2 * doubtful.sum(axis=0)).all()
        else:
            np.testing.assert_allclose(scores, expected, rtol=1e-8, atol=1e-9)


def executed(code):
    """Run a script; return its variables and the lines that it printed."""
    namespace = {"__name__": "__main__"}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "script", "exec"), namespace)
    return namespace, printed.getvalue().splitlines()


@pytest.fixture(scope="session")
def cases():
    return Case


@pytest.fixture(scope="session")
def execute():
    return executed


@pytest.fixture
def without_a_screen():
    from matplotlib import pyplot

    before = pyplot.get_backend()
    pyplot.switch_backend("agg")
    yield
    pyplot.close("all")
    pyplot.switch_backend(before)
