"""Runs for dialogs, and what the server loads when it has time."""

from __future__ import annotations

import contextlib
import threading
import time

import streamlit as st

from kpviz import experiment
from kpviz.engine.run.run import Run
from kpviz.service import stored
from kpviz.settings import Settings


def split_of(settings: Settings) -> experiment.Split:
    """Return the examples of the settings."""
    return experiment.prepare(settings, stored.table(settings))


def run_of(settings: Settings) -> tuple[experiment.Split, Run]:
    """Return the examples and the run of the settings."""
    split = split_of(settings)
    return split, experiment.run(settings, split)


@st.cache_resource
def warm_up() -> None:
    """Once per server: load what is slow while the first visitor looks at the board."""
    threading.Thread(target=_load_slow_parts, daemon=True).start()


def _load_slow_parts() -> None:
    time.sleep(4.0)
    # A server that is stopped meanwhile allows no new threads; without the engine pictures say so themselves.
    with contextlib.suppress(RuntimeError, ValueError):
        import sklearn.datasets
        import sklearn.svm  # noqa: F401

        from kpviz.picture import bridge, figure  # noqa: F401

        bridge.engine()
