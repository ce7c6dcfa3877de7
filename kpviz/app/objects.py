"""The part of the data's popover for examples that are not points: Boolean functions, texts, trees and graphs."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from kpviz import experiment
from kpviz.app import state
from kpviz.app.session import Session
from kpviz.app.widgets import plain, slider
from kpviz.engine.data import boolean, objects
from kpviz.engine.data.dnf import MOST_BITS
from kpviz.engine.data.objects import OBJECTS
from kpviz.settings import BOOLEAN, BY_NAME, Settings, conditions

_HOW = {
    "texts": "Write a sentence: its words are what counts.",
    "trees": "Write a tree in brackets, as (S (NP (N dogs)) (VP (V bark))).",
    "graphs": "Write the letters of the nodes, then the edges by number, as CCO 1-2 2-3.",
}


def label(settings: Settings) -> str:
    """Return what the chip says."""
    title, held = experiment.title(settings), f", {settings.held:.0%} held out" if settings.held else ""
    if settings.data == BOOLEAN:
        order = f" · seed {settings.seed}" if settings.seed else " · in order"
        return f"{title}{held}{order}"
    added = len(_added(settings))
    more = f" + {added} of mine" if added else ""
    return f"{title}{more}{held} · seed {settings.seed}"


def show(session: Session) -> None:
    """Show what belongs to the data set, if its examples are not points."""
    if session.settings.data == BOOLEAN:
        _function(session)
    elif conditions.is_object(session.settings.values):
        _own(session)


# ---- Boolean functions --------------------------------------------------------------------------


def _function(session: Session) -> None:
    settings = session.settings
    names = [name for name, preset in boolean.PRESETS.items() if preset.fewest <= MOST_BITS]
    st.pills(
        "Function",
        names,
        format_func=lambda name: boolean.PRESETS[name].title,
        **state.bind_text("bits", "preset", settings.function if settings.function in names else None, _put_function),
    )
    st.text_input(
        "Or a formula of your own: x1 & !x2 | x3",
        help="Terms joined by |, literals by &, a negated one with ! before it: the disjunctive normal form (DNF).",
        **state.bind_text("bits", "function", session.formulas.get("function", _written(settings)), _put_function),
    )
    _problem(session)
    slider("bits", settings)
    dnf = boolean.function(settings.function, settings.bits)
    n, terms = settings.bits, len(dnf.terms)
    st.caption(
        f"l = {terms:,} term{'s' * (terms != 1)}, so at most 2ⁿ(4l + 1) = {boolean.bound(n, terms):,} mistakes: "
        "‖u‖² = l + 1/4, the 1/4 for the constant feature −1/2, which is easily forgotten."
    )


def _written(settings: Settings) -> str:
    return "" if settings.function in boolean.PRESETS else str(settings.function)


def _put_function(text: str | None) -> None:
    session = state.session()
    session.wrong = None
    session.formulas.pop("function", None)
    if not text:
        return
    try:
        session.set(function=boolean.canonical(text))
    except ValueError as error:
        session.wrong, session.formulas["function"] = str(error), text


# ---- texts, trees and graphs --------------------------------------------------------------------


def _own(session: Session) -> None:
    settings = session.settings
    kind, classes = OBJECTS[settings.data].kind, OBJECTS[settings.data].classes
    st.text_input(
        "Ask about a new one: what does each remembered example say of it?",
        help=_HOW[kind],
        **state.bind_text("objects", "ask", session.formulas.get("ask", settings.ask), _ask),
    )
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    left.text_input("Add an example", help=_HOW[kind], key="objects-new", placeholder=_HOW[kind])
    names = {f"+{classes[1]}": 1.0, f"−{classes[0]}": -1.0}
    right.selectbox("Class", list(names), key="objects-class")
    st.button("Add it", key="objects-add", on_click=_add, args=(names,), type="primary")
    _problem(session)
    for number, (text, y) in enumerate(_added(settings)):
        line, away = st.columns([5, 1], vertical_alignment="center")
        line.markdown(f"**{classes[int(y > 0)]}** · `{text.replace('`', '’')}`")
        away.button("Take away", key=f"objects-away-{number}", on_click=_take_away, args=(number,))


def _problem(session: Session) -> None:
    if session.wrong:
        st.error(plain(session.wrong))


def _added(settings: Settings) -> list[tuple[str, float]]:
    with suppress(ValueError):  # it was checked when it came
        return objects.parse(settings.added, conditions.compared(settings.values))
    return []


def _ask(text: str) -> None:
    session = state.session()
    session.wrong = None
    session.formulas.pop("ask", None)
    try:
        session.set(ask=BY_NAME["ask"].canonical(text.strip(), session.settings.values))
    except ValueError as error:
        session.wrong, session.formulas["ask"] = str(error), text


def _add(names: dict[str, float]) -> None:
    session = state.session()
    text, y = state.typed("objects-new").replace(";", ",").strip(), names[state.typed("objects-class")]
    session.wrong = None
    if not text:
        session.wrong = "There is nothing to add yet: write an example first."
        return
    sign = "+" if y > 0 else "-"
    before = objects.code(_added(session.settings))
    try:
        pairs = objects.parse(f"{before};{sign}{text}", conditions.compared(session.settings.values))
    except ValueError as error:
        session.wrong = str(error)
        return
    session.set(added=objects.code(pairs))
    state.typed("objects-new", "")


def _take_away(number: int) -> None:
    session = state.session()
    pairs = _added(session.settings)
    session.wrong = None
    session.set(added=objects.code(pairs[:number] + pairs[number + 1 :]))
