"""The versions of what kpviz writes and reads again, and what is said of a newer one.

A version is raised when an older kpviz could not read what is written from then on. What says none
is of the first.

Tests: tests/test_links.py, tests/player/test_storage.py.
"""

from __future__ import annotations

from typing import Final

FORMATS: Final = {"link": 1, "settings": 1, "results": 1, "lesson": 1, "answers": 1}
"""The newest version of each kind; the page has those that it writes in
``player/web/service/formats.js``.
"""

_NAMES: Final = {
    "link": "This link",
    "settings": "This file of settings",
    "results": "This file of results",
    "lesson": "This lesson",
    "answers": "What you answered in this lesson",
}


def is_newer(kind: str, version: object) -> bool:
    """Return whether a version, a whole number or its digits, is of a newer kpviz.

    >>> is_newer("link", "2"), is_newer("link", 1), is_newer("link", "one")
    (True, False, False)
    """
    if isinstance(version, str) and version.isascii() and version.isdigit():
        significant = version.lstrip("0")
        return len(significant) > 9 or int(significant or "0") > FORMATS[kind]
    return type(version) is int and version > FORMATS[kind]


def newer_sentence(kind: str) -> str:
    """Return what is said of what a newer kpviz wrote.

    >>> newer_sentence("link")
    'This link was saved by a newer kpviz: update this one.'
    """
    return f"{_NAMES[kind]} was saved by a newer kpviz: update this one."
