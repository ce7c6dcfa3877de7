"""Who waits for whom where the server makes files: one at a time, first come, first served.

Two at once would each take twice as long, and all pages would get their answers late meanwhile.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

import streamlit as st

_LOOK = 0.5  # seconds between two looks whether anybody waits still


class Turn:
    """A queue of whatever waits."""

    def __init__(self) -> None:
        self._waiting: list[object] = []
        self._changed = threading.Condition()

    def join(self, who: object) -> None:
        """Wait behind all others."""
        with self._changed:
            self._waiting.append(who)

    def place(self, who: object) -> int:
        """Return how many come before."""
        with self._changed:
            return self._waiting.index(who) if who in self._waiting else 0

    def words(self, who: object) -> str:
        """Say how many come before, "" if nobody does."""
        place = self.place(who)
        return f"Waiting for {place} file{'s' * (place > 1)} of other visitors" if place else ""

    def wait(self, who: object) -> bool:
        """Wait a moment, or until it is the turn; return whether it is."""
        with self._changed:
            if self._waiting[0] is not who:
                self._changed.wait(_LOOK)
            return self._waiting[0] is who

    def leave(self, who: object) -> None:
        """Make room for the next."""
        with self._changed:
            self._waiting.remove(who)
            self._changed.notify_all()


FILMS = Turn()
PICTURES = Turn()  # quick ones, which need not wait for a film


@contextlib.contextmanager
def drawing(*, announced: bool = True) -> Iterator[None]:
    """Draw a picture when it is its turn; until then, unless nothing is to be `announced`, the page shows its place."""
    who, place = object(), None
    PICTURES.join(who)
    try:
        while not PICTURES.wait(who):
            if announced:
                place = place or st.empty()
                place.caption(PICTURES.words(who))
        if place is not None:
            place.empty()
        yield
    finally:
        PICTURES.leave(who)
