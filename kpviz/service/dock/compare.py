"""Comparisons: the runs that are pinned, and ready ones."""

from __future__ import annotations

from kpviz.lessons import comparison
from kpviz.lessons.presets import PRESETS
from kpviz.service.dock.fields import Field, Shown, button, image, words

_WHAT = (
    "A pin keeps kernel, learner and predictor as they are now. Change anything: the pinned run stays beside the "
    "new one, on the same data and in the same order."
)


def fields(shown: Shown) -> list[Field]:
    """Return how to pin and let go, what is pinned, and the ready comparisons."""
    found: list[Field] = [*words(_WHAT), button("pin", "Pin this run (P)", primary=True)]
    if shown.pins:
        found += [button("unpin", "Unpin all (Shift P)"), {"kind": "list", "items": _pinned(shown)}]
    return [
        *found,
        *words("Ready comparisons", "heading"),
        {
            "kind": "cards",
            "options": [
                {
                    "title": preset.title,
                    "words": preset.words,
                    "image": image("compare", name),
                    "command": "compare",
                    "value": {"name": name},
                }
                for name, preset in PRESETS.items()
            ],
        },
    ]


def _pinned(shown: Shown) -> list[Field]:
    names = comparison.names(shown.pins, shown.settings)[:-1]
    return [
        {
            "title": comparison.LETTERS[number],
            "text": name,
            "command": "unpin",
            "value": {"number": number},
            "label": "Unpin",
        }
        for number, name in enumerate(names)
    ]
