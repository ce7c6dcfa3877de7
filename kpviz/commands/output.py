"""What commands write: files, by the one writer of kpviz/export/writing.py, and standard output.

Tests: tests/commands/test_outputs.py, tests/commands/test_train.py.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence

from kpviz.commands import CommandError, quoted
from kpviz.export import writing
from kpviz.export.writing import Source

STANDARD = "-"


def check(
    options: argparse.Namespace, targets: Sequence[str], more_sources: Iterable[Source] = ()
) -> None:
    """Raise a ValueError if something cannot be written: before the work, not after it.

    No target may be a file that the command reads: one that its arguments name, or one of
    `more_sources`.
    """
    if not targets:
        raise CommandError("There is nothing to write: name a file by --out.")
    sources = [*sources_of(options), *more_sources]
    places: set[object] = set()
    for target in targets:
        place = _place(target)
        if place in places:
            raise CommandError(
                f"Two things would be written to {quoted(target)}: give each a name of its own."
            )
        places.add(place)
        if target != STANDARD:
            writing.check(target, sources)
        elif sys.__stdout__ is None:
            raise CommandError("Standard output is closed: name a file instead of -.")


def sources_of(options: argparse.Namespace) -> list[Source]:
    """Return the files that a command reads.

    `options.reads` has the names of the arguments that name such files; kpviz/cli.py sets it.
    """
    if not options.reads:
        return []
    from kpviz.commands import inputs  # It loads the engine here, which not every command needs.

    names: list[str] = []
    for argument in options.reads:
        value = getattr(options, argument)
        if isinstance(value, list):
            names += value
        elif value is not None:
            names.append(value)
    return [source for name in names for source in inputs.files_of(str(name))]


def _place(target: str) -> object:
    """Return a key that is equal for two names of the same file.

    It is the file's device and number, or the full path of a file that does not exist yet.
    """
    if target == STANDARD:
        return target
    try:
        status = os.stat(target)
    except ValueError:  # No file can have this name.
        return target
    except OSError:
        return os.path.realpath(target)
    return status.st_dev, status.st_ino


def write(target: str, content: str | bytes) -> None:
    """Write the content to a file, replacing one that is there, or to standard output ("-")."""
    if target != STANDARD:
        writing.write(target, content)
        return
    remainder = memoryview(content.encode() if isinstance(content, str) else content)
    # Under `python -u` standard output has no buffer, and one write may take only a part.
    while remainder:
        remainder = remainder[sys.stdout.buffer.write(remainder) :]
    sys.stdout.flush()


def write_all(options: argparse.Namespace, contents: Iterable[tuple[str, str | bytes]]) -> int:
    """Write each content to its target, and say so; return 0, the exit code.

    All contents are made before the first is written, so that an error leaves nothing half done.
    """
    for target, content in list(contents):
        write(target, content)
        say(options, target)
    return 0


def check_folder(target: str) -> None:
    """Raise an error of one sentence if no folder can be made there, as on standard output."""
    if target == STANDARD:
        raise CommandError("Standard output cannot hold a folder: give the name of one.")
    writing.check_folder(target)


def write_folder(
    options: argparse.Namespace, target: str, files: Iterable[tuple[str, bytes]], about: str = ""
) -> int:
    """Write a folder, all of it or nothing, and say how large it is; return 0, the exit code."""
    size = 0

    def counted_files() -> Iterator[tuple[str, bytes]]:
        nonlocal size
        for name, data in files:
            size += len(data)
            yield name, data

    writing.write_folder(target, counted_files())
    say(options, target, f": {about}{size / 1e6:.1f} MB")
    return 0


def say(options: argparse.Namespace, target: str, about: str = "") -> None:
    """Say on standard error that a file was written, unless nobody wants to know."""
    if target != STANDARD and not options.quiet:
        print(f"wrote {target}{about}", file=sys.stderr)


def complain(missing: Sequence[str]) -> None:
    """Say what cannot be shown of cues and panels."""
    if missing:
        more = "; and more" if missing[5:] else ""
        print(
            f"kpviz: Not everything can be shown: {'; '.join(missing[:5])}{more}.", file=sys.stderr
        )
