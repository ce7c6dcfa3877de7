"""The notebook with gaps: its tests fail until the gaps are filled, and pass with the solution."""

import nbformat
import pytest

from kpviz import experiment
from kpviz.export.code.exercises import exercises
from kpviz.settings import Settings

CASES = [
    {},
    {"kernel": "polynomial", "intercept": "unit"},
    {"eta": 0.3},
    {"learner": "forgetron"},
    {"learner": "norma"},
    {"learner": "svm"},
    {"data": "texts"},
    {"data": "bits"},
    {"order": "shuffled"},
    {"held": 0.3, "predictor": "voted"},
]


def cells(solved, **values):
    settings = Settings.of(**values)
    split = experiment.prepare(settings)
    read = nbformat.reads(exercises(settings, split, experiment.run(settings, split), solved=solved), as_version=4)
    nbformat.validate(read)
    return [cell.source for cell in read.cells if cell.cell_type == "code"]


def failing(sources):
    """The indices of the cells that raise, executed one after the other as in a notebook."""
    found, failed = {}, []
    for number, source in enumerate(sources):
        try:
            exec(source, found)
        except (AssertionError, NotImplementedError, NameError):
            failed.append(number)
    return failed


@pytest.mark.parametrize("values", CASES, ids=str)
def test_all_tests_fail_at_first_and_pass_with_the_solution(values):
    gaps, full = cells(False, **values), cells(True, **values)
    assert failing(full) == []
    assert failing(gaps) == [2, 3, 4, 6]  # a function that is only defined raises when it is called
    assert sum("TODO" in source for source in gaps) == 3
    assert not any("TODO" in source for source in full)
    assert [gaps[at] for at in (0, 2, 4, 6)] == [full[at] for at in (0, 2, 4, 6)]


@pytest.mark.parametrize(
    ("at", "right", "wrong"),
    [(1, "-0.5", "-0.6"), (3, "alpha[i] += 1", "alpha[i] += 2"), (3, "<= 0", "< 0"), (5, "k(Z, X)", "-k(Z, X)")],
)
def test_a_gap_that_is_filled_wrongly_fails_the_test_after_it(at, right, wrong):
    sources = cells(True)
    assert right in sources[at]
    sources[at] = sources[at].replace(right, wrong, 1)
    assert at + 1 in failing(sources)


def test_a_learner_that_draws_at_random_has_none():
    settings = Settings.of(learner="randomized")
    split = experiment.prepare(settings)
    with pytest.raises(ValueError, match="draws at random"):
        exercises(settings, split, experiment.run(settings, split))
