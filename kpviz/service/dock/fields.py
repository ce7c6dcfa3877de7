"""The kinds of fields, as plain dicts, and how one is made from a property of the table.

`web/page/dock/types.d.ts` has the parts of each kind; here are made those that several groups have.

Tests: tests/service/test_dock.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kpviz.engine.data.tables import Table
from kpviz.lessons.comparison import Pin
from kpviz.lessons.mathml import mathml
from kpviz.settings import Property, Settings
from kpviz.settings.conditions import Values

Field = dict[str, Any]

_PERCENT = ("flipped", "balance", "held")
_SWITCH = ("off", "on")
_STEP = 0.01  # A slider whose range names no step has this one.


@dataclass(frozen=True)
class Draft:
    """A text that was typed and cannot be used.

    `why` is a sentence, `at` the index of the wrong character if known.
    """

    text: str
    why: str
    at: int | None = None


@dataclass(frozen=True)
class DockState:
    """What a page has set; `origin` are the settings before the points became the reader's own.

    `drafts` is what was typed and cannot be used, by the name of its field; `table` the file that
    the settings name.
    """

    settings: Settings
    pins: tuple[Pin, ...] = ()
    origin: Settings | None = None
    drafts: Mapping[str, Draft] = field(default_factory=dict)
    table: Table | None = None


# ---- from a property ---------------------------------------------------------------------------


def slider(prop: Property, values: Values) -> list[Field]:
    """Return the slider of a property; none where it does not apply or has only one value."""
    if prop.not_applicable(values) is not None:
        return []
    limits = prop.range_for(values)
    if limits.low == limits.high:
        return []
    exact = int if limits.integer else float
    step = None if limits.log else 1 if limits.integer else limits.step or _STEP
    return [
        {
            "kind": "slider",
            "name": prop.name,
            "label": prop.label,
            "value": exact(values[prop.name]),
            "low": exact(limits.low),
            "high": exact(limits.high),
            "log": limits.log,
            "integer": limits.integer,
            "step": step,
            "percent": prop.name in _PERCENT,
            "words": "" if prop.words_hidden else limits.words,
        }
    ]


def seed(prop: Property, values: Values) -> list[Field]:
    """Return the field of a seed; none where nothing is drawn."""
    if prop.not_applicable(values) is not None:
        return []
    limits = prop.range_for(values)
    value = int(values[prop.name])
    low = int(limits.low)
    high = int(limits.high)
    return [
        {
            "kind": "number",
            "name": prop.name,
            "label": prop.label,
            "value": value,
            "low": low,
            "high": high,
        }
    ]


def choice(
    prop: Property,
    values: Values,
    words: Mapping[str, str] | None = None,
    *,
    label: str = "",
    help: str = "",
) -> list[Field]:
    """Return the choice of a property, none where it does not apply.

    A checkbox where it is on or off, and no words.

    `words` say what its values are called, in their order; without them they are called as in
    links.
    """
    if prop.not_applicable(values) is not None:
        return []
    offered = prop.choices_for(values)
    name = prop.name
    called = label or prop.label
    if words is None and set(offered) == set(_SWITCH):
        return [toggle(name, called, values[name] == "on")]
    words = words or {}
    ordered = [
        *(value for value in words if value in offered),
        *(value for value in offered if value not in words),
    ]
    options = [[value, words.get(value, value)] for value in ordered]
    made: Field = {
        "kind": "choice",
        "name": name,
        "label": called,
        "value": values[name],
        "options": options,
    }
    if help:
        made["help"] = help
    return [made]


def toggle(name: str, label: str, on: bool) -> Field:
    """Return a checkbox of a property that is "on" or "off"."""
    return {"kind": "toggle", "name": name, "label": label, "value": on, "on": "on", "off": "off"}


def select(name: str, label: str, value: Any, options: Sequence[Sequence[Any]]) -> Field:
    """Return a list that opens; options are pairs of a value and what it is called."""
    return {
        "kind": "select",
        "name": name,
        "label": label,
        "value": value,
        "options": [list(option) for option in options],
    }


def text(
    prop: Property, value: str, draft: Draft | None, *, label: str, help: str, placeholder: str = ""
) -> Field:
    """Return the field of a property that is written as a text."""
    return {
        "kind": "text",
        "name": prop.name,
        "label": label,
        "value": value,
        "max": prop.text,
        "placeholder": placeholder,
        "draft": typed(draft),
        "command": "type",
        "help": help,
    }


def typed(draft: Draft | None) -> Field | None:
    """Return what was typed wrong as the browser gets it."""
    return None if draft is None else {"text": draft.text, "why": draft.why, "at": draft.at}


def words(text: str, kind: str = "words") -> list[Field]:
    """Return a paragraph; none of an empty text."""
    return [{"kind": kind, "text": text}] if text else []


def math(latex: str) -> list[Field]:
    """Return a formula in MathML, and in a field of its own what each of its letters stands for."""
    return [{"kind": "math", "mathml": line} for line in mathml(latex)]


def rare(fields: list[Field], settings: Settings) -> list[Field]:
    """Return what is seldom touched, folded away unless something in it is set; nothing where there
    are no fields.
    """
    names = {field["name"] for field in fields if field.get("name") in settings.values}
    opened = not all(settings.is_default(name) for name in names)
    return (
        [{"kind": "more", "key": "rare", "label": "More", "open": opened, "fields": fields}]
        if fields
        else []
    )


def button(
    command: str, label: str, tip: str = "", *, disabled: str | None = None, primary: bool = False
) -> Field:
    """Return a button."""
    made: Field = {
        "kind": "button",
        "command": command,
        "label": label,
        "tip": tip,
        "disabled": disabled,
    }
    if primary:
        made["primary"] = True
    return made


def image(group: str, name: str) -> str:
    """Return the class of a picture in thumbnails.css.

    >>> image("compare", "long-texts")
    'tile-compare-long-texts'
    """
    return f"tile-{group}-{name.replace(' ', '-')}"


def sentence(why: str | None) -> str | None:
    """Return a reason as a sentence.

    >>> sentence("these examples are as they are")
    'These examples are as they are.'
    """
    return why and f"{why[0].upper()}{why[1:]}."
