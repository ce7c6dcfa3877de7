"""What a question says: the values of its parts, and nothing where a part makes no sense.

Tests: tests/server/test_route.py, tests/server/test_fuzz.py.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

Question = Mapping[str, Any]

LONG = 200_000  # In bytes: the pool reads longer ones, as JSON of 25 MB may take three seconds.
NO_QUESTION = "A question to kpviz is a JSON object."
# A question has at most a hundred commands: so many values are handed on in some 40 ms.
_MOST_VALUES = 200_000
_TOO_MANY = f"A question to kpviz has at most {_MOST_VALUES:,} values."
_MOST_NAMES = 40  # A list has so many texts: groups of the dock, panels, runs that a page has.
_LONGEST_NAME = 25_000  # In characters: the longest such text, as a run is named by its link.
_LONGEST_DATA_ID = 100  # In characters.
_MOST = 100  # So many commands are carried out; a page asks no more at once.


def read(message: str | bytes, progress: object = None) -> dict[str, Any]:
    """Return a question as JSON has it; ValueError, of one sentence, where the message is none.

    Half of a surrogate pair, which nothing can encode, becomes a question mark.
    """
    try:
        words = message.decode() if isinstance(message, bytes) else message
        question = json.loads(words)
        if "\\u" in words:
            question = json.loads(
                json.dumps(question, ensure_ascii=False).encode("utf-8", "replace")
            )
    except (ValueError, RecursionError):
        raise ValueError(NO_QUESTION) from None
    if not isinstance(question, dict):
        raise ValueError(NO_QUESTION)
    if _has_too_many_values(question):
        raise ValueError(_TOO_MANY)
    return question


def _has_too_many_values(question: Mapping[str, Any]) -> bool:
    values = 0
    waiting: list[Any] = [question]
    while waiting:
        part = waiting.pop()
        if not isinstance(part, dict | list):
            continue
        values += len(part)
        if values > _MOST_VALUES:
            return True
        waiting.extend(part.values() if isinstance(part, dict) else part)
    return False


def number(question: Question) -> int:
    """Return the number of the question, by which the page knows its answer."""
    value = question.get("n")
    return value if type(value) is int else 0


def failed(question: Question, why: object) -> bytes:
    """Return the answer that says in a sentence why there is none."""
    from kpviz.player import payload  # It loads numpy here, since who reads a question needs none.

    return payload.pack({"n": number(question), "failed": str(why)}, {})


def entries(question: Question) -> list[tuple[Any, Any]]:
    """Return names and values of the commands, in their order."""
    commands = question.get("commands")
    mappings = [mapping(entry) for entry in commands[:_MOST]] if isinstance(commands, list) else []
    return [(entry.get("name"), entry.get("value")) for entry in mappings]


def text(value: Any) -> str:
    """Return a text."""
    return value if isinstance(value, str) else ""


def texts(value: Any) -> list[str]:
    """Return the texts of a list, different ones, up to a number and a length."""
    if not isinstance(value, list):
        return []
    names = (
        name for name in value[:_MOST_NAMES] if isinstance(name, str) and len(name) <= _LONGEST_NAME
    )
    return list(dict.fromkeys(names))


def data_id(value: Any) -> str:
    """Return what a page calls its data, as a server called them; "" where that makes no sense."""
    return value if isinstance(value, str) and len(value) <= _LONGEST_DATA_ID else ""


def mapping(value: Any) -> Mapping[str, Any]:
    """Return a mapping."""
    return value if isinstance(value, Mapping) else {}
