"""Learners: each answers one question, *what changes?*, for the example just scored.

A new learner is one file here and one line in LEARNERS.
"""

from __future__ import annotations

from kpviz.engine.learners.perceptron import Perceptron

LEARNERS = {"perceptron": Perceptron}

__all__ = ["LEARNERS", "Perceptron"]
