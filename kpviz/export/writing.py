"""Everything that kpviz writes, files and folders, is written whole or not at all, and never in
place of what it is made from.

What is made stands in a hidden folder beside its target and is renamed when it is whole, so that no
reader finds half of it, and what was there stays whatever fails. A symbolic link stays: what it
points to is replaced. A pipe or a device stays, too, and so do the permissions of a file. Where the
folder takes no new file and the file itself may be written, as one that is mounted into a
container, its bytes are replaced in place.

Tests: tests/export/test_writing.py.
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from kpviz.export.scratch import Scratch

Name: TypeAlias = str | os.PathLike[str]
Source: TypeAlias = Name | int  # The name of a file that is read, or the number of an open one.

_ROOM = 60  # In characters: a sentence has room for so much of a name.
_REASONS = {
    errno.ENOSPC: "no space is left on its disk",
    errno.EDQUOT: "your share of its disk is used up",
    errno.EFBIG: "no file may be so large there",
    errno.EROFS: "its disk is read-only",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ELOOP: "its symbolic links lead in a circle",
}
# How a system refuses to put a new file in a place whose file it may let us write.
_FIXED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY)


class WriteError(ValueError):
    """Why something cannot be written, in one sentence.

    `why` is its reason alone, for who names it otherwise.
    """

    def __init__(self, sentence: str, why: str) -> None:
        super().__init__(sentence)
        self.why = why


def reason(error: OSError) -> str:
    """Return why something cannot be written, to be put behind a colon."""
    return _REASONS.get(error.errno or 0) or error.strerror or "the system gives no reason"


def unwritten(target: Name, why: str) -> WriteError:
    """Return the error of a target that cannot be written."""
    return WriteError(f"{_quoted(target)} cannot be written: {why}.", why)


def check_ending(target: Name, ending: str, what: str) -> None:
    """Raise a ValueError of one sentence where a file is not called as what it holds is.

    "a film" ends in ".mp4".
    """
    name = Path(target).name
    if Path(target).suffix.lower() != ending:
        raise ValueError(f"{name!r} is not the name of {what}: it must end in {ending}.")


def check(target: Name, sources: Iterable[Source] = ()) -> None:
    """Raise a WriteError if a file cannot be written: before the work, not after it.

    `sources` are the files that it is made from, none of which it may replace, whatever their names
    are.
    """
    place, status = _placed(target)
    check_sources(target, status, sources)
    if _is_stream(status):
        _check_stream(target, place)
    else:
        Replacement(target).close()


def check_sources(target: Name, status: os.stat_result | None, sources: Iterable[Source]) -> None:
    """Raise a WriteError if a target would replace one of the files that it is made from."""
    if status is None or not stat.S_ISREG(status.st_mode):
        return
    for source in sources:
        if _is_same(source, status):
            read = "standard input" if isinstance(source, int) else _quoted(source)
            raise unwritten(
                target,
                f"it would take the place of {read}, from which it is made: name another file",
            )


def _is_same(source: Source, status: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.stat(source), status)
    except (OSError, ValueError):  # A source that cannot be read is refused by who reads it.
        return False


class Replacement:
    """A file that is made at `path`, and takes the place of its target when `commit` is called.

    Else nothing changes.

    Parameters
    ----------
    target : the name of the file.
    name : what the file is called while it is made.

    Raises
    ------
    WriteError
        One sentence: no file can be put there.
    """

    def __init__(self, target: Name, name: str = "file") -> None:
        self._target = target
        self._place, self.status = _placed(target)
        self._is_stream = _is_stream(self.status)
        self._in_place = False
        if self._is_stream:
            _check_stream(target, self._place)
        self._scratch = self._temporary_folder() if self._is_stream else self._folder_beside()
        self.path = self._scratch.path / name

    def __enter__(self) -> Replacement:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove what was made and not committed."""
        self._scratch.close()

    def unwritten(self, why: str) -> WriteError:
        """Return the error of this file."""
        if self._is_stream or self._in_place:
            why = f"it is made in {str(self._scratch.path.parent)!r} first: {why}"
        return unwritten(self._target, why)

    def fill(self, data: bytes) -> None:
        """Write all that the file holds."""
        try:
            self.path.write_bytes(data)
        except OSError as error:
            raise self.unwritten(reason(error)) from None

    def commit(self) -> None:
        """Put what was made in its place."""
        with _explained(self._target):
            if self._is_stream:
                _pour(self.path.read_bytes(), self._place)
            elif self._in_place:
                _overwrite(self.path.read_bytes(), self._place)
            else:
                self._rename()

    def _rename(self) -> None:
        if self.status is not None:
            with suppress(OSError, AttributeError):  # Only root may, and Windows has no owners.
                os.chown(self.path, self.status.st_uid, self.status.st_gid)
            os.chmod(self.path, stat.S_IMODE(self.status.st_mode))
        try:
            os.replace(self.path, self._place)
        except OSError as error:
            if self.status is None or error.errno not in _FIXED:
                raise
            _overwrite(self.path.read_bytes(), self._place)

    def _folder_beside(self) -> Scratch:
        """Return a folder from which a file can be renamed into its place, else any."""
        if self.status is not None:
            with _explained(self._target):
                os.close(os.open(self._place, os.O_WRONLY))
        try:
            return Scratch(self._place.parent)
        except OSError as error:
            if self.status is None or error.errno not in _FIXED:
                raise unwritten(self._target, reason(error)) from None
        self._in_place = True
        with _explained(self._target):
            # The old bytes must be readable, to be put back if need be.
            os.close(os.open(self._place, os.O_RDWR))
        return self._temporary_folder()

    def _temporary_folder(self) -> Scratch:
        try:
            return Scratch(Path(tempfile.gettempdir()))
        except OSError as error:
            raise unwritten(
                self._target, f"in the folder for temporary files, {reason(error)}"
            ) from None


def write(target: Name, content: str | bytes) -> None:
    """Write a file, whole or not at all; WriteError, of one sentence, where it cannot be."""
    data = content.encode() if isinstance(content, str) else content
    place, status = _placed(target)
    if _is_stream(status):
        with _explained(target):
            _pour(data, place)
        return
    with Replacement(target) as replacement:
        replacement.fill(data)
        replacement.commit()


def check_folder(target: Name) -> None:
    """Raise a WriteError if no folder can be made there.

    What is there and not empty is somebody's.
    """
    _folder_for(target)[0].close()


def write_folder(target: Name, files: Iterable[tuple[str, bytes]]) -> None:
    """Write a folder of files, which is new or was empty: all of them or none.

    A name may have folders in it.
    """
    scratch, place, is_there = _folder_for(target)
    with scratch:
        made = scratch.path / "made"
        with _explained(target):
            made.mkdir()
        for name, data in files:
            with _explained(target):
                (made / name).parent.mkdir(parents=True, exist_ok=True)
                (made / name).write_bytes(data)
        with _explained(target):
            if is_there:
                _move_files(made, place)
            else:
                made.rename(place)


def _folder_for(target: Name) -> tuple[Scratch, Path, bool]:
    """Return where files are made, the folder that they come into, and whether it is there."""
    text = os.fspath(target)
    place = _real(target)
    with _explained(target):
        status = _status_of(place)
    if status is not None and not stat.S_ISDIR(status.st_mode):
        raise WriteError(f"{_quoted(target)} is a file: name a new folder.", "it is a file")
    if status is None and not place.parent.is_dir():
        raise unwritten(target, f"there is no folder {_quoted(Path(text).parent)}")
    with _explained(target):
        scratch = Scratch(place.parent if status is None else place)
        if status is not None and any(path != scratch.path for path in place.iterdir()):
            scratch.close()
            why = "is there and not empty: name a new folder, or remove it first"
            raise WriteError(f"{_quoted(target)} {why}.", f"it {why}")
    return scratch, place, status is not None


def _move_files(made: Path, place: Path) -> None:
    """Move all files into a folder, or none."""
    moved: list[Path] = []
    try:
        for path in sorted(made.iterdir()):
            moved.append(place / path.name)
            path.rename(place / path.name)
    except BaseException:
        for path in moved:
            path.unlink(missing_ok=True)
        raise


def _placed(target: Name) -> tuple[Path, os.stat_result | None]:
    """Return where a file really is, and what stands there (None: nothing).

    WriteError where none can be.
    """
    text = os.fspath(target)
    place = _real(target)
    with _explained(target):
        status = _status_of(text)
    if status is not None and stat.S_ISSOCK(status.st_mode):
        raise unwritten(target, "it is a socket")
    is_folder = status is not None and stat.S_ISDIR(status.st_mode)
    if not is_folder and _is_stream(status):
        return Path(text), status  # The name of a pipe in /dev/fd is that of no file.
    if is_folder or not text or text.endswith(os.sep):
        raise WriteError(f"{_quoted(target)} is a folder: name a file in it.", "it is a folder")
    if not place.parent.is_dir():
        folder = Path(text).parent
        raise unwritten(
            target, f"there is no folder {_quoted(place.parent if folder.is_dir() else folder)}"
        )
    return place, status


def _real(target: Name) -> Path:
    try:
        return Path(os.path.realpath(os.fspath(target)))
    except ValueError:  # It has an invisible character, or one that no file system knows.
        why = "no file can have this name"
        raise unwritten(target, why) from None


def _is_stream(status: os.stat_result | None) -> bool:
    """Whether bytes are passed on there, to a pipe or a device, and none can be taken back."""
    return status is not None and not stat.S_ISREG(status.st_mode)


def _check_stream(target: Name, place: Path) -> None:
    if not os.access(place, os.W_OK):
        raise unwritten(target, "permission denied")


def _status_of(name: Name) -> os.stat_result | None:
    try:
        return os.stat(name)
    except (FileNotFoundError, NotADirectoryError):
        return None


@contextmanager
def _explained(target: Name) -> Iterator[None]:
    """Say in a sentence what the system refuses."""
    try:
        yield
    except OSError as error:
        raise unwritten(target, reason(error)) from None


def _pour(data: bytes, place: Path) -> None:
    """Write into a pipe or a device."""
    with place.open("wb", buffering=0) as file:
        _write_all(file.fileno(), data)


def _overwrite(data: bytes, place: Path) -> None:
    """Put new bytes into a file, or leave the old ones.

    What may fail for want of room, the end, is written first.
    """
    with place.open("r+b", buffering=0) as file:
        before = file.read()
        try:
            file.seek(len(before))
            _write_all(file.fileno(), data[len(before) :])
            file.seek(0)
            _write_all(file.fileno(), data[: len(before)])
            file.truncate(len(data))
        except BaseException:
            file.truncate(len(before))
            file.seek(0)
            _write_all(file.fileno(), before)
            raise


def _write_all(number: int, data: bytes) -> None:
    remainder = memoryview(data)
    while remainder:  # A system may take a part of the bytes at once.
        remainder = remainder[os.write(number, remainder) :]


def _quoted(name: Name) -> str:
    """Return the end of a name, quoted, without control characters."""
    text = os.fspath(name)
    return repr(text if len(text) <= _ROOM else "…" + text[-_ROOM + 1 :])
