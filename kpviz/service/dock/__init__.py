"""What the controls show."""

from typing import Any


def tree(state: Any, wanted: Any) -> dict[str, Any]:
    """Return nothing yet."""
    return {"chips": [], "buttons": [], "groups": {}}
