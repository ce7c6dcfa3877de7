"""What is said of a table: one sentence of its fault, and how the words of a file stand in it.

Tests: tests/engine/test_tables.py.
"""

from collections.abc import Sequence


class TableError(ValueError):
    """What is wrong with a table and what to do, in one sentence for the person who chose it."""


def shortened(text: str, width: int = 30) -> str:
    """Text on one line, without unprintable characters, cut to ``width``."""
    line = " ".join(
        "".join(sign if sign.isprintable() else " " for sign in text[: 4 * width]).split()
    )
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def quoted(text: str) -> str:
    """Shortened text in quotation marks."""
    return f"'{shortened(text)}'"


def listed(names: Sequence[str]) -> str:
    """At most five names in quotation marks."""
    return ", ".join(quoted(name) for name in names[:5]) + (" and others" if len(names) > 5 else "")


def counted(count: int, thing: str) -> str:
    """A number of things, as "1 row" or "1,200 rows"."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"
