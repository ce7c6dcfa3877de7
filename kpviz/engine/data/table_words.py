"""How sentences about a table are worded: its own words quoted, short and on one line."""

from collections.abc import Sequence

THE_FILE, PASTED = "the file", "what was pasted"  # what a table without a name is called


class TableError(ValueError):
    """What is wrong with a table and what to do, in one sentence for the person who chose it."""


def subject(name: str) -> str:
    """Return what a sentence about a table begins with.

    >>> subject("cats.csv"), subject("the file")
    ("'cats.csv'", 'The file')
    """
    return name.capitalize() if name in (THE_FILE, PASTED) else quoted(name)


def shortened(text: str, width: int = 30) -> str:
    """Text on one line, without unprintable characters, cut to ``width``."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text[: 4 * width]).split())
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def quoted(text: str) -> str:
    """Shortened text in quotation marks."""
    return f"'{shortened(text)}'"


def listed(names: Sequence[str]) -> str:
    """Return the first five names, quoted, and whether there are others."""
    return ", ".join(quoted(name) for name in names[:5]) + (" and others" if len(names) > 5 else "")


def counted(number: int, noun: str) -> str:
    """Return a number and its noun.

    >>> counted(1, "row"), counted(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{number:,} {noun}{'s' if number != 1 else ''}"
