"""Runs for dialogs, and what the server loads when it has time.

Tests: tests/app/test_pictures.py.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence

import streamlit as st

from kpviz import experiment
from kpviz.app.text import plain
from kpviz.engine.run.run import Run
from kpviz.lessons import comparison
from kpviz.lessons.comparison import Pin
from kpviz.player.comparison import Comparison
from kpviz.server import threads
from kpviz.server.pool import Job
from kpviz.service import stored, work
from kpviz.settings import Settings


def split_of(settings: Settings) -> experiment.Split:
    """Return the examples of the settings."""
    return experiment.prepare(settings, stored.table(settings))


def run_of(settings: Settings) -> tuple[experiment.Split, Run]:
    """Return the examples and the run of the settings; ValueError, of one sentence, where it cannot
    be computed.
    """
    current = comparison_of(settings).current
    return current.split, current.run


@st.cache_resource(
    max_entries=8,
    show_spinner=False,
    hash_funcs={Settings: Settings.query, Pin: lambda pin: comparison.query((pin,))},
)
def comparison_of(settings: Settings, pins: tuple[Pin, ...] = ()) -> Comparison:
    """Return the run of the settings, and those pinned beside it; ValueError as `run_of`."""
    return trained(settings, pins)


def trained(settings: Settings, pins: Sequence[Pin]) -> Comparison:
    """Have a run, and those pinned beside it, trained where all runs are, beside the server."""
    seconds = (1 + len(pins)) * work.estimate(settings)
    comparison_trained: Comparison = threads.compute(
        Job(Comparison.trained, (settings, split_of(settings), tuple(pins)), seconds)
    )
    return comparison_trained


@contextlib.contextmanager
def training() -> Iterator[None]:
    """Show that a dialog waits for a run, and end it with the sentence why there is none."""
    try:
        with st.spinner("Training…", show_time=True):
            yield
    except ValueError as error:
        st.warning(plain(str(error)))
        st.stop()


@st.cache_resource
def warm_up() -> None:
    """Once per server: load what is slow while the first visitor looks at the board."""
    threading.Thread(target=_load_slow_parts, daemon=True).start()


def _load_slow_parts() -> None:
    threads.wait_for_rest(4.0)
    # A server that is stopped meanwhile allows no new threads; without the engine pictures say so
    # themselves.
    with contextlib.suppress(RuntimeError, ValueError):
        import sklearn.datasets
        import sklearn.svm  # noqa: F401

        threads.wait_for_rest(1.0)
        from kpviz.app import pictures  # noqa: F401
        from kpviz.picture import bridge

        threads.wait_for_rest(1.0)
        bridge.engine()
