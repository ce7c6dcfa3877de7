"""What takes long is made in the background of the page, one at a time, with Cancel.

Two at once would each take twice as long, and all pages would get their answers late meanwhile.

Tests: tests/app/test_jobs.py.
"""

from __future__ import annotations

import contextlib
import logging
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from kpviz.app.session import Session
from kpviz.engine.run.predictors import Progress
from kpviz.export import writing
from kpviz.export.films import TimeLeft
from kpviz.export.pace import Caption
from kpviz.export.scratch import Scratch
from kpviz.export.writing import WriteError
from kpviz.server import threads

_LOG = logging.getLogger(__name__)
_GRACE = 2.0  # In seconds: all jobs must have given up in this time when the server ends.
_EVERY = 0.5  # In seconds: the time between two looks at a job, or whether anybody waits still.


class Queue:
    """A queue of whatever waits."""

    def __init__(self) -> None:
        self._waiting: list[object] = []
        self._changed = threading.Condition()

    def join(self, who: object) -> None:
        """Wait behind all others."""
        with self._changed:
            self._waiting.append(who)

    def words(self, who: object) -> str:
        """Say how many come before, "" if nobody does."""
        with self._changed:
            place = self._waiting.index(who) if who in self._waiting else 0
        return f"Waiting for {place} file{'s' * (place > 1)} of other visitors" if place else ""

    def waiting(self) -> list[object]:
        """Return all who wait, and whose turn it is."""
        with self._changed:
            return list(self._waiting)

    def wait(self, who: object) -> bool:
        """Wait a moment, or until it is the turn; return whether it is."""
        with self._changed:
            if self._waiting[0] is not who:
                self._changed.wait(_EVERY)
            return self._waiting[0] is who

    def leave(self, who: object) -> None:
        """Make room for the next."""
        with self._changed:
            self._waiting.remove(who)
            self._changed.notify_all()


FILMS = Queue()
PICTURES = Queue()  # Quick jobs need not wait for a film.


@contextlib.contextmanager
def drawing(*, announced: bool = True) -> Iterator[None]:
    """Draw a picture when it is its turn.

    Until then, unless nothing is to be `announced`, the page shows its place.
    """
    who = object()
    place = None
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


@dataclass(frozen=True)
class FileNotes:
    """What there is beside a file.

    The captions of a film, and what it or slides cannot show, a phrase each.
    """

    captions: Sequence[Caption] = ()
    missing: Sequence[str] = ()


@dataclass(frozen=True)
class FinishedFile:
    """A file that a job made, what identifies it, and what there is beside it."""

    identity: str
    content: bytes
    notes: FileNotes = field(default_factory=FileNotes)


Make = Callable[[Path, Progress], FileNotes | None]


class _WorkStoppedError(Exception):
    """Nobody waits for the film any more."""


class FileJob:
    """Makes a file in a thread of its own.

    Parameters
    ----------
    make : writes it to a path, and reports how far it is; what the report raises goes through. It
        returns what there is beside the file, None for nothing.
    what : what it is called. kind : the ending of its name. identity : what it is made from, which
        identifies it.
    """

    def __init__(self, make: Make, kind: str, identity: str, *, what: str = "film") -> None:
        self.identity = identity
        self.kind = kind
        self.what = what
        self.done = 0
        self.of = 1
        self.status = "Beginning…"
        self.made: FinishedFile | None = None
        self.problem = ""
        self._left = TimeLeft()
        self._scratch: Scratch | None = None
        self._given_up = threading.Event()
        self._thread = threading.Thread(target=self._make, args=(make,), daemon=True)

    @property
    def progress(self) -> str:
        """How far it is, or how many films come before it."""
        return FILMS.words(self) or self.status

    @property
    def working(self) -> bool:
        """Whether it is still at work."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin when it is its turn."""
        FILMS.join(self)
        self._thread.start()

    def cancel(self) -> None:
        """Give up; nothing is left behind."""
        self._given_up.set()

    def end(self, seconds: float) -> None:
        """Wait so long until it has given up.

        What it has written then is removed, even if it has not.
        """
        self._thread.join(seconds)
        if self._scratch is not None:
            self._scratch.close()

    def _make(self, make: Make) -> None:
        try:
            while not self._given_up.is_set() and not FILMS.wait(self):
                pass
            self._go_on()
            self._scratch = Scratch(Path(tempfile.gettempdir()))
            with self._scratch as scratch:
                path = scratch.path / f"{self.what}.{self.kind}"
                notes = make(path, self._progress)
                self.made = FinishedFile(self.identity, path.read_bytes(), notes or FileNotes())
        except _WorkStoppedError:
            pass
        except WriteError as error:  # It names a file of the server, of which nobody knows.
            self.problem = f"The {self.what} cannot be written: {error.why}."
        except ValueError as error:
            self.problem = str(error)
        except OSError as error:  # The folder cannot be used.
            self.problem = f"The {self.what} cannot be written: {writing.reason(error)}."
        # It is a fault of ours: the log says more, and nobody waits in vain.
        except Exception as error:
            _LOG.exception("A %s could not be made.", self.what)
            self.problem = (
                f"The {self.what} could not be made ({type(error).__name__}): try "
                "another size or range."
            )
        finally:
            FILMS.leave(self)

    def _go_on(self) -> None:
        if self._given_up.is_set():
            raise _WorkStoppedError

    def _progress(self, done: int, of: int) -> None:
        self._go_on()
        self.done = done
        self.of = of
        self.status = self._left.say(done, of) or self.status


def end() -> None:
    """Give up all jobs: the server ends."""
    jobs = [job for job in FILMS.waiting() if isinstance(job, FileJob)]
    for job in jobs:
        job.cancel()
    deadline = time.monotonic() + _GRACE
    for job in jobs:
        job.end(max(0.0, deadline - time.monotonic()))


threads.at_end.append(end)


def begin(session: Session, job: FileJob) -> None:
    """Begin a job, or let it wait for its turn."""
    session.film = None
    session.job = job
    job.start()
    st.rerun()


@st.fragment(run_every=_EVERY)
def watch(session: Session) -> None:
    """Show how far a job is, and take over what it made."""
    job = session.job
    if job is None:
        return
    if job.working:
        st.progress(job.done / max(job.of, 1), job.progress)
        st.button("Cancel", key="cancel-film", on_click=job.cancel)
        return
    session.job = None
    if job.problem:
        session.notice = job.problem
    elif job.made is not None:
        session.film = job.made
    st.rerun()
