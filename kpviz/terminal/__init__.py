"""What the commands do: `kpviz app`, `kpviz train` and `kpviz plot`."""

from __future__ import annotations


class CommandError(ValueError):
    """Why a command cannot be carried out, in one sentence for the person who typed it."""


def shown(text: str) -> str:
    """Return at most 60 characters of a text that was typed, quoted, without signs that a terminal obeys."""
    return repr(text if len(text) <= 60 else text[:59] + "…")
