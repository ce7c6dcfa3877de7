"""What takes long, made in the background of the page, with its progress and a way to cancel it: films, lessons."""

from __future__ import annotations

import logging
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kpviz.app.turn import FILMS
from kpviz.export.film.captions import Caption
from kpviz.export.film.film import Left, Progress
from kpviz.export.scratch import Scratch

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Beside:
    """What there is beside a file: the captions of a film, and what it or slides cannot show, a phrase each."""

    captions: Sequence[Caption] = ()
    missing: Sequence[str] = ()


@dataclass(frozen=True)
class Made:
    """A file that a job made, what identifies it, and what there is beside it."""

    wanted: str
    content: bytes
    beside: Beside = field(default_factory=Beside)


Make = Callable[[Path, Progress], Beside | None]


class _CancelledError(Exception):
    """Nobody waits for the film any more."""


class Job:
    """Makes a file in a thread of its own.

    Parameters
    ----------
    make : writes it to a path, and reports how far it is; what the report raises goes through. It returns what there
        is beside the file, None for nothing.
    what : what it is called. kind : the ending of its name. wanted : what it is made from, which identifies it.
    """

    def __init__(self, make: Make, kind: str, wanted: str, *, what: str = "film") -> None:
        self.wanted, self.kind, self.what = wanted, kind, what
        self.done, self.of, self.status = 0, 1, "Beginning…"
        self.made: Made | None = None
        self.problem = ""
        self._left = Left()
        self._given_up = threading.Event()
        self._thread = threading.Thread(target=self._make, args=(make,), daemon=True)

    def start(self) -> None:
        """Begin when it is its turn."""
        FILMS.join(self)
        self._thread.start()

    @property
    def progress(self) -> str:
        """How far it is, or how many films come before it."""
        return FILMS.words(self) or self.status

    @property
    def working(self) -> bool:
        """Whether it is still at work."""
        return self._thread.is_alive()

    def cancel(self) -> None:
        """Give up; nothing is left behind."""
        self._given_up.set()

    def _make(self, make: Make) -> None:
        try:
            while not self._given_up.is_set() and not FILMS.wait(self):
                pass
            self._go_on()
            with Scratch(Path(tempfile.gettempdir())) as scratch:
                path = scratch.path / f"{self.what}.{self.kind}"
                beside = make(path, self._progress)
                self.made = Made(self.wanted, path.read_bytes(), beside or Beside())
        except _CancelledError:
            pass
        except ValueError as error:
            self.problem = str(error)
        except OSError as error:  # of the folder
            self.problem = f"The {self.what} cannot be written: {error.strerror}."
        except Exception as error:  # a fault of ours: the log says more, and nobody waits in vain
            _LOG.exception("A %s could not be made.", self.what)
            self.problem = f"The {self.what} could not be made ({type(error).__name__}): try another size or range."
        finally:
            FILMS.leave(self)

    def _go_on(self) -> None:
        if self._given_up.is_set():
            raise _CancelledError

    def _progress(self, done: int, of: int) -> None:
        self._go_on()
        self.done, self.of, self.status = done, of, self._left.say(done, of) or self.status
