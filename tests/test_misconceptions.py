"""The slips of lecture notes: all ten, each in plain sentences; tests of the engine say that they are right."""

import numpy as np
import pytest

import kpviz
from kpviz.lessons import shelf
from kpviz.lessons.file.words import plain
from kpviz.lessons.misconceptions import MISCONCEPTIONS
from kpviz.settings.lab_link import SLIPS

LESSON = shelf.read(SLIPS)


def test_all_ten_slips_are_told_in_a_few_sentences_and_those_that_one_meets_elsewhere_in_the_same():
    told = [[plain([node]).strip() for node in scene.words] for scene in LESSON.scenes]
    assert len(told) == 10
    for claim, right, *_ in told:
        assert claim.startswith("Some notes")
        assert len(f"{claim} {right}") <= 320
    assert set(MISCONCEPTIONS.values()) <= {f"{claim} {right}" for claim, right, *_ in told}


def test_what_is_said_of_the_density_is_so():
    v = np.linspace(-9.0, 9.0, 2001)[:, None]
    for sigma in (0.2, 1.0, 1.0 / np.sqrt(2.0 * np.pi)):
        k = kpviz.kernels.Gaussian(sigma=sigma)
        assert k(v[:1], v[:1]) == 1.0
        along = k(v[1000:1001], v).sum() * (v[1, 0] - v[0, 0])  # of v₁, and of v₂ alike
        assert along**2 == pytest.approx(2.0 * np.pi * sigma**2)
        assert "2πσ², which is 1 for one σ" in LESSON.text
