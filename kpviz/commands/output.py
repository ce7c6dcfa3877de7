"""Writing files whole or not at all."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from kpviz.commands import CommandError, shown
from kpviz.export.scratch import Scratch

STANDARD = "-"


def check(targets: Sequence[str]) -> None:
    """Raise a CommandError if something cannot be written: before the work, not after it."""
    if not targets:
        raise CommandError("There is nothing to write: name a file by --out.")
    places: set[str] = set()
    for target in targets:
        place = target if target == STANDARD else os.path.realpath(target)
        if place in places:
            raise CommandError(f"Two things would be written to {shown(target)}: give each a name of its own.")
        places.add(place)
        if target == STANDARD:
            if sys.__stdout__ is None:
                raise CommandError("Standard output is closed: name a file instead of -.")
            continue
        path = Path(target)
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


def write(target: str, content: str | bytes) -> None:
    """Write the content to a file, replacing one that is there, or to standard output ("-").

    A file is written to a temporary name first, so that no reader ever finds half of it.
    """
    data = content.encode() if isinstance(content, str) else content
    if target == STANDARD:
        remainder = memoryview(data)
        while remainder:  # without a buffer a part may be all that a pipe takes
            remainder = remainder[sys.stdout.buffer.write(remainder) :]
        sys.stdout.flush()
        return
    path = Path(target).resolve()  # what a symbolic link points to is replaced, not the link
    try:
        if path.exists() and not path.is_file():  # a device or a pipe stays one
            path.write_bytes(data)
            return
        with Scratch(path.parent) as scratch:
            temporary = scratch.path / "file"
            temporary.write_bytes(data)
            if path.exists():
                shutil.copymode(path, temporary)
            temporary.replace(path)
    except OSError as error:
        raise _unwritten(target, error) from None


def write_all(options: argparse.Namespace, contents: Iterable[tuple[str, str | bytes]]) -> int:
    """Write what was made, all before the first is written, and say so; return 0, the exit code."""
    for target, content in list(contents):
        write(target, content)
        say(options, target)
    return 0


def say(options: argparse.Namespace, target: str, about: str = "") -> None:
    """Say on standard error that a file was written, unless nobody wants to know."""
    if target != STANDARD and not options.quiet:
        print(f"wrote {target}{about}", file=sys.stderr)


def complain(missing: Sequence[str]) -> None:
    """Say what cannot be shown of cues and panels."""
    if missing:
        more = "; and more" if missing[5:] else ""
        print(f"kpviz: Not everything can be shown: {'; '.join(missing[:5])}{more}.", file=sys.stderr)


def _unwritten(target: str, error: OSError) -> CommandError:
    return CommandError(f"{shown(target)} cannot be written: {error.strerror}.")
