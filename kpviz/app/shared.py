"""What all sessions of a server share: the last runs as they are sent, and the last files."""

from __future__ import annotations

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection
from typing import Any, Generic, TypeVar

import streamlit as st

from kpviz import experiment
from kpviz.engine.data.tables import Table
from kpviz.player import payload
from kpviz.player.envelope import Packed
from kpviz.settings import FILE, Settings

T = TypeVar("T")


class LruCache(Generic[T]):
    """The last things put there, up to a number and a size; safe for threads."""

    def __init__(self, most: int, size: int, size_of: Callable[[T], int]) -> None:
        self._most, self._size, self._size_of = most, size, size_of
        self._things: OrderedDict[str, T] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> T | None:
        """Return a thing, and keep it longer."""
        with self._lock:
            if key in self._things:
                self._things.move_to_end(key)
            return self._things.get(key)

    def put(self, key: str, thing: T) -> None:
        """Put a thing there; the ones longest unused make room."""
        with self._lock:
            self._things[key] = thing
            self._things.move_to_end(key)
            while len(self._things) > 1 and (
                len(self._things) > self._most or sum(map(self._size_of, self._things.values())) > self._size
            ):
                self._things.popitem(last=False)


@st.cache_resource
def payloads() -> LruCache[bytes]:
    """Return the shelf of runs as they are sent."""
    return LruCache(256, 200_000_000, len)


@st.cache_resource
def tables() -> LruCache[Table]:
    """Return the shelf of files."""
    return LruCache(200, 5_000_000, lambda table: table.n_rows * len(table.columns))  # a cell takes some 70 bytes


@st.cache_resource
def many_points() -> LruCache[str]:
    """Return the shelf of drawn points that are too many for a link."""
    return LruCache(1000, 4_000_000, len)


def table(settings: Settings) -> Table | None:
    """Return the file that the settings name, if this server still has it."""
    return tables().get(settings.file) if settings.data == FILE else None


def run_of(settings: Settings, progress: Callable[[int, int], Any] | None = None) -> tuple[experiment.Split, Any]:
    """Return the examples and the run of the settings."""
    split = experiment.prepare(settings, table(settings))
    return split, experiment.run(settings, split, progress)


def run_id(settings: Settings, asked: Collection[str]) -> str:
    """Return an identifier of a run and of the extras asked for."""
    return "&".join([settings.without_cues.query(), *sorted(asked)])


def packed(
    settings: Settings, asked: Collection[str], progress: Callable[[int, int], Any], *, keep: bool = True
) -> Packed:
    """Return a run as it is sent, from the shelf if it is there; `keep` puts it there."""
    name = run_id(settings, asked)
    data = payloads().get(name)
    if data is None:
        split, trained = run_of(settings, progress)
        data = payload.encode(settings.without_cues, split, trained, asked=asked, progress=progress)
        if keep:
            payloads().put(name, data)
    return Packed(name, data)


@st.cache_resource
def warm_up() -> None:
    """Once per server: load what is slow while the first visitor looks at the board."""
    threading.Thread(target=_load_slow_parts, daemon=True).start()


def _load_slow_parts() -> None:
    import time

    time.sleep(4.0)
    # A server that is stopped meanwhile allows no new threads; without the engine pictures say so themselves.
    with contextlib.suppress(RuntimeError, ValueError):
        import sklearn.datasets
        import sklearn.svm  # noqa: F401

        from kpviz.picture import bridge, figure  # noqa: F401

        bridge.engine()
