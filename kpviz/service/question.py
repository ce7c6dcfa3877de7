"""What a question says: the values of its parts, and nothing where a part makes no sense."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Question = Mapping[str, Any]

_MOST = 100  # commands that are carried out; a page asks no more at once


def number(question: Question) -> int:
    """Return the number of the question, by which the page knows its answer."""
    value = question.get("n")
    return value if type(value) is int else 0


def entries(question: Question) -> list[tuple[Any, Any]]:
    """Return names and values of the commands, in their order."""
    given = question.get("commands")
    found = [mapping(entry) for entry in given[:_MOST]] if isinstance(given, list) else []
    return [(entry.get("name"), entry.get("value")) for entry in found]


def text(value: Any) -> str:
    """Return a text."""
    return value if isinstance(value, str) else ""


def texts(value: Any) -> list[str]:
    """Return the texts of a list."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def mapping(value: Any) -> Mapping[str, Any]:
    """Return a mapping."""
    return value if isinstance(value, Mapping) else {}
