"""Widgets that the popovers share: the tile of a choice and the slider of a property."""

from __future__ import annotations

import math
import re

import streamlit as st

from kpviz.app import state
from kpviz.engine.checks import Range
from kpviz.settings import BY_NAME, Settings

_NOTCHES = 48  # of a logarithmic slider
_MARKDOWN = re.compile(r"[\\`*_\[\]$<>~#|&]|:(?=\S)|^[-+=]|(?<=\d)[.)](?=\s)", re.MULTILINE)
_LINKED = re.compile(r"(?<=[:@])(?=\S)|(?<=www)(?=\.)", re.IGNORECASE)
_JOINER = "\u2060"  # invisible, and no place to break a line


def plain(text: str) -> str:
    r"""Return a text that Markdown shows as it is written; all that comes from files, links and hands is shown so.

    Streamlit looks for addresses and icons once more after escapes are read: a joiner keeps these apart.

    >>> print(plain("u[1]*v[1]"))
    u\[1\]\*v\[1\]
    """
    return _MARKDOWN.sub(r"\\\g<0>", _LINKED.sub(_JOINER, text))


def tile(prop: str, name: str, title: str, tip: str, *, chosen: bool) -> None:
    """A button that chooses one of many; the chosen one stands out."""
    st.button(
        title,
        key=f"tile-{prop}-{name}",
        help=tip,
        type="primary" if chosen else "secondary",
        on_click=lambda: state.session().set(**{prop: name}),
    )


def slider(name: str, settings: Settings, *, percent: bool = False) -> None:
    """A slider for a property, unless it does not apply or has but one value."""
    if settings.reason_against(name) is not None:
        return
    prop = BY_NAME[name]
    limits = prop.range_for(settings.values)
    if limits.low == limits.high:  # a function of all eight bits leaves no choice
        return
    label = prop.label if prop.words_hidden else f"{prop.label}: {limits.words}"
    if limits.log:
        st.select_slider(
            label, notches(limits, settings.values[name]), format_func=lambda v: f"{v:g}", **state.bind(name)
        )
    elif limits.integer:
        st.slider(label, int(limits.low), int(limits.high), step=1, **state.bind(name))
    else:
        shape = "percent" if percent else None
        st.slider(label, limits.low, limits.high, step=limits.step, format=shape, **state.bind(name))


def notches(limits: Range, now: float) -> list[float]:
    """Values at equal ratios, each with two digits, and the present one."""
    ratio = math.log(limits.high / limits.low)
    values = {float(f"{limits.low * math.exp(ratio * k / _NOTCHES):.2g}") for k in range(_NOTCHES + 1)}
    whole = {round(value) for value in values} if limits.integer else values
    return sorted({*whole, now})
