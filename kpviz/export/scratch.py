"""Hidden folders for what is being made; those of killed processes are removed by the next one.

A process holds a lock on its folder for as long as it lives: a folder that can be locked is
nobody's any more.

Tests: tests/export/test_films.py.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

_PREFIX = ".kpviz-"


class Scratch:
    """A folder in `parent`, at `path` until it is closed; OSError where none can be made."""

    def __init__(self, parent: Path) -> None:
        _remove_abandoned(parent)
        self._lock: int | None = None
        while True:
            self._folder = tempfile.TemporaryDirectory(
                prefix=_PREFIX, dir=parent, ignore_cleanup_errors=True
            )
            self.path = Path(self._folder.name)
            self._lock = _locked(self.path)
            # Where it is gone, another process took it for abandoned before it was locked.
            if self.path.exists():
                return
            self.close()

    def __enter__(self) -> Scratch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the folder and all in it."""
        try:
            self._folder.cleanup()
        finally:  # A signal may have broken it off.
            shutil.rmtree(self.path, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _remove_abandoned(parent: Path) -> None:
    """Remove our folders of processes that are gone; those of other users are theirs to remove."""
    for path in parent.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            lock = None if path.is_symlink() or not path.is_dir() else _locked(path, wait=False)
            if lock is not None:
                if os.fstat(lock).st_uid == os.getuid():
                    shutil.rmtree(path, ignore_errors=True)
                os.close(lock)


def _locked(folder: Path, *, wait: bool = True) -> int | None:
    """Return what holds the lock on a folder until it is closed; None where there is none to be
    had.
    """
    try:
        import fcntl
    except ImportError:  # Windows has no locks of folders: there nothing is taken for abandoned
        return None
    try:
        held = os.open(folder, os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(held, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        return None
    return held
