"""Writing files whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from kpviz.commands import CommandError, shown
from kpviz.export.scratch import Scratch

STANDARD = "-"


def open_closed_streams() -> None:
    """Give the null device to each standard stream that is closed (`>&-`), so that no file takes its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - as long as the program


def check(target: str) -> None:
    """Raise a CommandError if nothing can be written to `target`: before the work, not after it."""
    path = Path(target)
    if target == STANDARD:
        if sys.__stdout__ is None:
            raise CommandError("Standard output is closed: name a file instead of -.")
        return
    try:
        is_folder, is_there = path.is_dir(), path.exists()
    except OSError as error:
        raise _unwritten(target, error) from None
    if is_folder:
        raise CommandError(f"{shown(target)} is a folder: name a file in it.")
    if not path.parent.is_dir():
        raise CommandError(f"{shown(target)} cannot be written: there is no folder {shown(str(path.parent))}.")
    if not os.access(path if is_there else path.parent, os.W_OK):
        raise CommandError(f"{shown(target)} cannot be written: permission denied.")


def same(one: str, other: str) -> bool:
    """Return whether two targets are the same place."""
    return one == other if STANDARD in (one, other) else Path(one).resolve() == Path(other).resolve()


def write(target: str, content: str | bytes) -> None:
    """Write the content to a file, replacing one that is there, or to standard output ("-").

    A file is written to a temporary name first, so that no reader ever finds half of it.
    """
    data = content.encode() if isinstance(content, str) else content
    if target == STANDARD:
        rest = memoryview(data)
        while rest:  # without a buffer a part may be all that a pipe takes
            rest = rest[sys.stdout.buffer.write(rest) :]
        sys.stdout.flush()
        return
    path = Path(target).resolve()  # what a symbolic link points to is replaced, not the link
    try:
        if path.exists() and not path.is_file():  # a device or a pipe stays one
            path.write_bytes(data)
        else:
            _replace(path, data)
    except OSError as error:
        raise _unwritten(target, error) from None


def _unwritten(target: str, error: OSError) -> CommandError:
    return CommandError(f"{shown(target)} cannot be written: {error.strerror}.")


def _replace(path: Path, data: bytes) -> None:
    with Scratch(path.parent) as scratch:
        temporary = scratch.path / "file"
        temporary.write_bytes(data)
        if path.exists():
            shutil.copymode(path, temporary)
        temporary.replace(path)
