"""The kinds of fields, and how one is made from a property of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

from kpviz.service.dock.shown import Draft
from kpviz.settings import Property
from kpviz.settings.conditions import Values

_PERCENT = ("flipped", "balance", "held")
_SWITCH = ("off", "on")
_STEP = 0.01  # of a slider whose range names none


class Option(TypedDict):
    """One tile; `image` is the class of its picture in thumbnails.css, `words` a line that is always shown."""

    value: str
    title: str
    tip: str
    image: NotRequired[str]
    words: NotRequired[str]


class Tiles(TypedDict):
    """A choice with pictures."""

    kind: Literal["tiles"]
    name: str
    value: str
    options: list[Option]


class Choice(TypedDict):
    """One of a few, as a row of radio buttons; or one of many, as a list that opens.

    Without a `command` it sets the property `name`; else the command is sent {key: value}.
    """

    kind: Literal["choice", "select"]
    name: str
    label: str
    value: Any
    options: list[list[Any]]
    help: NotRequired[str]
    command: NotRequired[str]
    key: NotRequired[str]


class Slider(TypedDict):
    """A number of a range, also as a field to type it in; `step` is None where `log` is on."""

    kind: Literal["slider"]
    name: str
    label: str
    value: float
    low: float
    high: float
    log: bool
    integer: bool
    step: float | None
    percent: bool
    words: str
    command: NotRequired[str]


class Number(TypedDict):
    """A whole number to type, such as a seed."""

    kind: Literal["number"]
    name: str
    label: str
    value: int
    low: int
    high: int


class Toggle(TypedDict):
    """A checkbox: `on` and `off` are what is sent."""

    kind: Literal["toggle"]
    name: str
    label: str
    value: bool
    on: str
    off: str


class Typed(TypedDict):
    """A draft as the browser gets it."""

    text: str
    why: str
    at: int | None


class Text(TypedDict):
    """A text that Python reads; one that is wrong stays in the field as its draft."""

    kind: Literal["text"]
    name: str
    label: str
    value: str
    max: int
    placeholder: str
    draft: Typed | None
    command: Literal["type"]
    help: NotRequired[str]


class Math(TypedDict):
    """A formula in MathML."""

    kind: Literal["math"]
    mathml: str


class Words(TypedDict):
    """A paragraph, or the heading of what follows."""

    kind: Literal["words", "info", "warning", "heading"]
    text: str


class Button(TypedDict):
    """A command; `disabled` says why it cannot be given now. Consecutive buttons make a row."""

    kind: Literal["button"]
    command: str
    label: str
    tip: str
    disabled: str | None
    value: NotRequired[Any]
    primary: NotRequired[bool]


class Dialog(TypedDict):
    """A button that opens a dialog of the page."""

    kind: Literal["dialog"]
    dialog: str
    label: str
    tip: str
    disabled: str | None


class File(TypedDict):
    """A file to open."""

    kind: Literal["file"]
    label: str
    accept: str
    draft: Typed | None


class Paste(TypedDict):
    """A table to paste."""

    kind: Literal["paste"]
    label: str
    placeholder: str
    help: str
    draft: Typed | None


class Item(TypedDict):
    """A line of a list, and the button behind it: `label` names it, `command` and `value` are what it sends."""

    title: str
    text: str
    command: str
    value: Any
    label: str


class Items(TypedDict):
    """A list, each line with a button."""

    kind: Literal["list"]
    items: list[Item]


class Add(TypedDict):
    """An example to write, its class to choose, and the button that adds it."""

    kind: Literal["add"]
    label: str
    placeholder: str
    help: str
    button: str
    command: str
    classes: list[list[Any]]
    draft: Typed | None


class Card(TypedDict):
    """A button with a picture and a line that says why."""

    title: str
    words: str
    image: str
    command: str
    value: Any


class Cards(TypedDict):
    """Several cards."""

    kind: Literal["cards"]
    options: list[Card]


class More(TypedDict):
    """Fields that can be folded away."""

    kind: Literal["more"]
    label: str
    open: bool
    fields: list[Field]


Field = (
    Tiles | Choice | Slider | Number | Toggle | Text | Math | Words | Button | Dialog | File | Paste | Items | Add
    | Cards | More
)  # fmt: skip


class Chip(TypedDict):
    """What opens a group, and what its settings are in few words."""

    group: str
    label: str
    tip: str


class Action(TypedDict):
    """A button that is always shown."""

    command: str
    label: str
    tip: str
    disabled: str | None


class Dock(TypedDict):
    """All that the controls show."""

    chips: list[Chip]
    buttons: list[Action]
    groups: dict[str, list[Field]]


# ---- from a property ----------------------------------------------------------------------------


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
    limits, value = prop.range_for(values), int(values[prop.name])
    low, high = int(limits.low), int(limits.high)
    return [{"kind": "number", "name": prop.name, "label": prop.label, "value": value, "low": low, "high": high}]


def choice(
    prop: Property, values: Values, words: Mapping[str, str] | None = None, *, label: str = "", help: str = ""
) -> list[Field]:
    """Return the choice of a property, none where it does not apply; a checkbox where it is on or off, and no words.

    `words` say what its values are called, in their order; without them they are called as in links.
    """
    if prop.not_applicable(values) is not None:
        return []
    offered, name, called = prop.choices_for(values), prop.name, label or prop.label
    if words is None and set(offered) == set(_SWITCH):
        return [toggle(name, called, values[name] == "on")]
    words = words or {}
    ordered = [*(value for value in words if value in offered), *(value for value in offered if value not in words)]
    options = [[value, words.get(value, value)] for value in ordered]
    found: Choice = {"kind": "choice", "name": name, "label": called, "value": values[name], "options": options}
    if help:
        found["help"] = help
    return [found]


def toggle(name: str, label: str, on: bool) -> Toggle:
    """Return a checkbox of a property that is "on" or "off"."""
    return {"kind": "toggle", "name": name, "label": label, "value": on, "on": "on", "off": "off"}


def select(name: str, label: str, value: Any, options: Sequence[Sequence[Any]]) -> Choice:
    """Return a list that opens; options are pairs of a value and what it is called."""
    return {
        "kind": "select", "name": name, "label": label, "value": value, "options": [list(each) for each in options]
    }  # fmt: skip


def text(prop: Property, value: str, draft: Draft | None, *, label: str, help: str, placeholder: str = "") -> Text:
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


def typed(draft: Draft | None) -> Typed | None:
    """Return what was typed wrong as the browser gets it."""
    return None if draft is None else {"text": draft.text, "why": draft.why, "at": draft.at}


def words(text: str, kind: Literal["words", "info", "warning", "heading"] = "words") -> list[Field]:
    """Return a paragraph; none of an empty text."""
    return [{"kind": kind, "text": text}] if text else []


def math(lines: Sequence[str]) -> list[Field]:
    """Return the lines of a formula, each in MathML."""
    return [{"kind": "math", "mathml": line} for line in lines]


def button(command: str, label: str, tip: str = "", *, disabled: str | None = None, primary: bool = False) -> Button:
    """Return a button."""
    made: Button = {"kind": "button", "command": command, "label": label, "tip": tip, "disabled": disabled}
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
