"""The lessons that a server has.

Files of a folder, and those that come with kpviz, by the names of their files.

The folder is named by the environment, where `kpviz app --lessons FOLDER` puts it, so that every
process of a server has the same; so is whether the lecturer's notes are sent, by `--notes`.

Tests: tests/lessons/test_shipped.py, tests/service/test_lesson.py.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from kpviz.lessons.file import LessonError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from kpviz.lessons.file.lesson import Lesson

FOLDER = "KPVIZ_LESSONS"
NOTES = "KPVIZ_NOTES"
SUFFIX = ".kpviz.md"
_SHIPPED = Path(__file__).parent / "shipped"
_PUZZLES = Path(__file__).parent / "puzzles"
_LARGEST = 2_000_000  # In bytes: a lesson has 400,000 characters.
NAME = re.compile(r"[\w-]{1,80}")


def paths() -> dict[str, Path]:
    """Return the files of this server's lessons by name, with the puzzles of its own folder."""
    return paths_in(_own_folder())


def paths_in(folder: Path | None) -> dict[str, Path]:
    """Return the files of a folder and those of kpviz by name.

    The folder's come first, and hide those of kpviz that have the same name.
    """
    return _files([folder, _SHIPPED])


def _own_folder() -> Path | None:
    """Return the folder of this server's own lessons, None if it has none."""
    folder = os.environ.get(FOLDER)
    return Path(folder) if folder else None


def shipped_puzzles() -> dict[str, Path]:
    """Return the files of the puzzles that come along, by name, in the order of their numbers."""
    return _files([_PUZZLES])


def puzzles() -> dict[str, Path]:
    """Return the files of all puzzles by name: after those that come along, the folder's."""
    in_folder = {name: path for name, path in paths().items() if path.parent != _SHIPPED}
    return shipped_puzzles() | {name: path for name, path in in_folder.items() if _is_puzzle(name)}


def files() -> dict[str, Path]:
    """Return all files that can be opened by their names: `paths`, and the puzzles of kpviz."""
    return {**shipped_puzzles(), **paths()}


def file_of(name: str) -> Path | None:
    """Return the file that is opened by a name, of a lesson or a puzzle; None where none is."""
    if not NAME.fullmatch(name):  # It may be a pattern, or lead out of the folder.
        return None
    return _files([_own_folder(), _SHIPPED, _PUZZLES], name).get(name)


def _files(folders: Iterable[Path | None], only_name: str = "*") -> dict[str, Path]:
    """Return the files of folders by name; those of an earlier folder hide others.

    A link out of a folder is not followed: whoever wrote it need not be who may read what it leads
    to.

    Parameters
    ----------
    folders : None stands for a folder that there is not.
    only_name : the only name that is looked for, "*" for all.
    """
    files: dict[str, Path] = {}
    for folder in folders:
        if folder is None:
            continue
        for path in sorted(folder.glob(f"{only_name}{SUFFIX}")):
            name = path.name.removesuffix(SUFFIX)
            is_inside = path.resolve().is_relative_to(folder.resolve())
            if NAME.fullmatch(name) and path.is_file() and is_inside:
                files.setdefault(name, path)
    return files


def picture_of(name: str) -> Path:
    """Return the file of the picture of a lesson or a puzzle that comes with kpviz."""
    return (_PUZZLES if name in shipped_puzzles() else _SHIPPED) / f"{name}.webp"


def is_shipped(name: str) -> bool:
    """Whether a lesson comes with kpviz, so that everyone may have its solutions."""
    path = paths().get(name)
    return path is not None and path.parent == _SHIPPED


def has_notes(name: str) -> bool:
    """Whether the notes of a lesson are sent: those of shipped lessons are, those of a folder's
    where it was asked for.
    """
    return is_shipped(name) or (name in paths() and bool(os.environ.get(NOTES)))


# The names of lessons in three parts: those of the server's own folder; the lessons of each
# lecture, by the name of the lecture; the others that come with kpviz.
Shelves = tuple[list[str], dict[str, list[str]], list[str]]


def arranged() -> Shelves:
    """Return the names of this server's lessons in the order of the page *Lessons*."""
    names = sorted(paths().keys() - puzzles().keys(), key=lambda name: (is_shipped(name), name))
    return arrange(
        {name: _lecture_of(name) for name in names},
        [name for name in names if not is_shipped(name)],
    )


def arrange(lecture_of: Mapping[str, str], own_names: Collection[str]) -> Shelves:
    """Arrange lessons by the lecture that each names: a lecture is a lesson that others name.

    Parameters
    ----------
    lecture_of : the name of each lesson, and the lecture that it names, "" for none.
    own_names : those that did not come with kpviz.
    """
    lecture_names = [name for name in lecture_of if name in lecture_of.values()]
    lectures = {
        lecture: [name for name in lecture_of if lecture_of[name] == lecture]
        for lecture in lecture_names
    }
    others = [
        name for name in lecture_of if name not in lectures and lecture_of[name] not in lectures
    ]
    return (
        [name for name in others if name in own_names],
        lectures,
        [name for name in others if name not in own_names],
    )


def _lecture_of(name: str) -> str:
    """Return the lecture that a lesson names, "" if it names none or cannot be read."""
    try:
        return read(name).lecture
    except ValueError:
        return ""


def _is_puzzle(name: str) -> bool:
    """Whether the file of this name is a puzzle; one that cannot be read is none."""
    try:
        return read(name).is_puzzle
    except ValueError:
        return False


def after(name: str) -> str | None:
    """Return what follows a lesson or a puzzle; None after the last."""
    names = list(puzzles())
    if name in names:
        return next(iter(names[names.index(name) + 1 :]), None)
    return following(name, arranged())


def following(name: str, shelves: Shelves) -> str | None:
    """Return the lesson that follows one on the page *Lessons*; None after the last.

    After a lesson of the server's own comes the next of these, after a lecture the next lecture,
    after any other lesson the next one, which may belong to another lecture.
    """
    own_names, lectures, others = shelves
    for way in (own_names, list(lectures), [*chain(*lectures.values()), *others]):
        if name in way[:-1]:
            return way[way.index(name) + 1]
    return None


def read(name: str) -> Lesson:
    """Return the lesson of this name.

    Raises
    ------
    ValueError
        One sentence: there is none, or what is wrong with its file.
    """
    path = file_of(name)
    if path is None:
        raise ValueError(
            f"There is no lesson named {name[:80]!r} here: open the page Lessons, which lists them."
        )
    try:
        status = path.stat()
        if status.st_size > _LARGEST:
            raise ValueError(
                f"The file of the lesson {name!r} has {status.st_size:,} bytes, which no lesson "
                "has."
            )
        return _read(path, status.st_mtime_ns)
    except (OSError, UnicodeDecodeError):
        raise ValueError(f"The file of the lesson {name!r} cannot be read.") from None
    except LessonError as error:
        raise ValueError(f"The lesson {name!r} has a fault. {error}") from None


@lru_cache(maxsize=64)
def _read(path: Path, changed: int) -> Lesson:
    """Read a file; `changed` is the time of its last change, so that the cache has each version."""
    from kpviz.lessons.file import format  # What reads Markdown is loaded when there is some.

    return format.read(path.read_text(encoding="utf-8"))
