"""A film that is being made beside the page, so that one can watch its progress and cancel it."""

from __future__ import annotations

import logging
import tempfile
import threading
from pathlib import Path

import streamlit as st

from kpviz.export.film.film import Film, Left, save
from kpviz.export.scratch import Scratch

_LOG = logging.getLogger(__name__)


class _CancelledError(Exception):
    """Nobody waits for the film any more."""


class Job:
    """Makes a film in a thread of its own.

    Parameters
    ----------
    wanted : what the film is made from; it tells one from another.
    """

    def __init__(self, film: Film, kind: str, wanted: str) -> None:
        self.wanted, self.kind = wanted, kind
        self.done, self.of, self.status = 0, film.n_frames, "Beginning…"
        self.content: bytes | None = None
        self.problem = ""
        self._left = Left()
        self._given_up = threading.Event()
        self._thread = threading.Thread(target=self._make, args=(film, turn()), daemon=True)

    def start(self) -> bool:
        """Begin, unless another film is being made on this server; return whether it began."""
        if not turn().acquire(blocking=False):
            return False
        self._thread.start()
        return True

    @property
    def working(self) -> bool:
        """Whether it is still at work."""
        return self._thread.is_alive()

    def cancel(self) -> None:
        """Give up; nothing is left behind."""
        self._given_up.set()

    def _make(self, film: Film, mine: threading.Semaphore) -> None:
        try:
            with Scratch(Path(tempfile.gettempdir())) as scratch:
                path = scratch.path / f"film.{self.kind}"
                save(film, path, self._progress)
                self.content = path.read_bytes()
        except _CancelledError:
            pass
        except ValueError as error:
            self.problem = str(error)
        except OSError as error:  # of the folder
            self.problem = f"The film cannot be written: {error.strerror}."
        except Exception as error:  # a fault of ours: the log says more, and nobody waits in vain
            _LOG.exception("A film could not be made.")
            self.problem = f"The film could not be made ({type(error).__name__}): try another size or range."
        finally:
            mine.release()

    def _progress(self, done: int, of: int) -> None:
        if self._given_up.is_set():
            raise _CancelledError
        self.done, self.status = done, self._left.say(done, of) or self.status


@st.cache_resource
def turn() -> threading.Semaphore:
    """One film at a time: two would each take more than twice as long."""
    return threading.Semaphore(1)
