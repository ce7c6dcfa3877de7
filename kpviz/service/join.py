"""The code with which phones open what a lecturer shows."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from kpviz.player import payload
from kpviz.service.question import Question, mapping, number, text

ADDRESS = "KPVIZ_ADDRESS"  # in the environment of a server that others reach: where
_LONGEST = 900  # characters of a link that a phone still reads from a projector
_ONLY_HERE = ("localhost", "127.0.0.1", "::1", "")


def answer(question: Question) -> bytes:
    """Return the answer to {"join": {"address": …}}: an address that others reach, and the squares of its code."""
    return payload.pack({"n": number(question), "join": join(text(mapping(question["join"]).get("address")))}, {})


def join(address: str) -> dict[str, Any]:
    """Return the address, the rows of the code as texts of 0 and 1, and why there is no code.

    >>> found = join("http://example.org/?v=1")
    >>> found["address"], len(found["rows"]), found["why"]
    ('http://example.org/?v=1', 25, None)
    >>> join("http://localhost:8501/?v=1")["why"]
    'A code for phones needs an address that they reach: start kpviz with `kpviz app --lan`.'
    """
    import segno

    found = reached(address)
    why = why_no_code(found)
    rows = [] if why else segno.make(found, error="l", micro=False).matrix
    return {"address": found, "rows": ["".join(map(str, row)) for row in rows], "why": why}


def reached(address: str) -> str:
    """Return an address of this server as others reach it, if they do."""
    parts, known = urlsplit(address), urlsplit(os.environ.get(ADDRESS, ""))
    if not is_only_here(address) or not known.netloc:
        return address
    return urlunsplit(parts._replace(scheme=known.scheme, netloc=known.netloc))


def is_only_here(address: str) -> bool:
    """Whether nobody on another computer reaches an address."""
    return (urlsplit(address).hostname or "") in _ONLY_HERE


def why_no_code(address: str) -> str | None:
    """Return why there is no code for an address that phones could read, in a sentence; None if there is one."""
    if is_only_here(address):
        return "A code for phones needs an address that they reach: start kpviz with `kpviz app --lan`."
    if len(address) > _LONGEST:
        return f"A code for phones holds {_LONGEST} characters, and this link has {len(address):,}: use fewer points."
    return None
