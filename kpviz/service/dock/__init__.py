"""What the controls show."""

from typing import Any


def fisher(settings: Any) -> dict[str, Any]:
    """Return nothing yet."""
    return {"chips": [], "buttons": [], "groups": {}}


def tree(state: Any, wanted: Any) -> dict[str, Any]:
    """Return nothing yet."""
    return {"chips": [], "buttons": [], "groups": {}}
