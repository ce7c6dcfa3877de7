"""Widgets that set the settings: one line of chips, each opening a popover."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from kpviz import experiment
from kpviz.app import commands, data, kernel, state, switch
from kpviz.app.session import Session
from kpviz.app.widgets import plain, slider, tile
from kpviz.engine.learners import LEARNERS
from kpviz.lessons import comparison
from kpviz.lessons.misconceptions import MISCONCEPTIONS
from kpviz.settings import BY_NAME, LEARNER_PROPERTIES, Settings

INTERCEPT_WORDS = {"none": "none", "unit": "unit: b += η·y", "radius": "radius: b += η·y·R²"}
TIE_WORDS = {
    "mistake": "a mistake (y·f ≤ 0)",
    "correct": "correct (y·f < 0)",
    "positive": "sign(0) = +1",
    "negative": "sign(0) = −1",
}
ORDER_WORDS = {
    "cyclic": "cyclic",
    "shuffled": "shuffled each epoch",
    "random": "random, with replacement",
    "hand": "by hand",
}
_SLIPS = {"tie": "zero", "intercept": "intercept"}  # of lecture notes
CHOICE_WORDS = {"intercept": INTERCEPT_WORDS, "tie": TIE_WORDS}


def chips(session: Session) -> None:
    """Show the line of chips; what a popover holds is made only while it is open."""
    with st.container(horizontal=True, key="chips", vertical_alignment="center"):
        st.html('<span class="kpviz-name">kpviz</span>')
        _chip("data", data.label(session.settings), "What to learn from", data.popover)
        _chip("kernel", experiment.kernel(session.settings).label, "How similar two examples are", kernel.popover)
        _chip("learner", _learner_label(session.settings), "How it learns, and in which order", _learner)
        _chip("compare", _compare_label(session), "Runs side by side", _compare)
        fixed = session.settings.reason_against("seed")
        tip = _sentence(fixed) if fixed else "The next data seed (N)"
        st.button(
            "New data", key="new-data", on_click=commands.new_data, args=(session,), help=tip, disabled=bool(fixed)
        )
        why = session.settings.reason_against("order")
        tip = _sentence(why) if why else "The next order (O)"
        st.button(
            "New order", key="new-order", on_click=commands.new_order, args=(session,), help=tip, disabled=bool(why)
        )
        switch.show("play")


def chips_of_lab(session: Session) -> None:
    """Show the chips of the settings that the kernel lab looks at."""
    with st.container(horizontal=True, key="chips", vertical_alignment="center"):
        st.html('<span class="kpviz-name">kpviz</span>')
        _chip("data", data.label(session.settings), "What to learn from", data.popover)
        _chip("kernel", experiment.kernel(session.settings).label, "How similar two examples are", kernel.popover)
        switch.show("lab")


def _sentence(why: str) -> str:
    return f"{why[0].upper()}{why[1:]}."


def _chip(name: str, label: str, tip: str, content: Callable[[Session], None]) -> None:
    key = f"chip-{name}"
    if st.session_state.get(key):
        st.session_state[key] = True  # a new label makes it another popover: what was open stays open
    popover = st.popover(plain(label), key=key, on_change="rerun", help=tip)
    if popover.open:
        with popover:
            content(state.session())


def _learner_label(settings: Settings) -> str:
    parts = [experiment.learner(settings).about.title]
    if settings.reason_against("budget") is None:
        parts.append(f"B = {settings.budget}")
    if settings.intercept != "none":
        parts.append(f"{settings.intercept} intercept")
    if settings.reason_against("order") is None:
        drawn = settings.reason_against("oseed") is None
        parts.append(f"{settings.order}, seed {settings.oseed}" if drawn else ORDER_WORDS[settings.order])
    if settings.predictor != "last":
        parts.append(settings.predictor)
    return " · ".join(parts)


# ---- learner ------------------------------------------------------------------------------------


def _learner(session: Session) -> None:
    settings = session.settings
    with st.container(horizontal=True, key="tiles-learner"):
        for name, kind in LEARNERS.items():
            about = kind().about
            if BY_NAME["learner"].refused(name, settings.values) is None:
                tile("learner", name, about.title, about.idea, chosen=settings.learner == name)
    about = experiment.learner(settings).about
    st.caption(f"{about.idea} {about.bound}")
    if why := settings.reason_against("normalize"):
        st.info(f"{why}.")
    _parameters(settings)
    if settings.reason_against("order") is None:
        st.segmented_control("Order", list(ORDER_WORDS), format_func=ORDER_WORDS.__getitem__, **state.bind("order"))
    st.segmented_control(
        "Predictor",
        ["last", "averaged", "voted"],
        help="Three readings of the same run: f now, the mean of all f so far, the vote of their signs (sign(0) = +1).",
        **state.bind("predictor"),
    )
    left, right = st.columns(2)
    with left:
        slider("epochs", settings)
    with right:
        if settings.reason_against("oseed") is None:
            st.number_input("Order seed", 0, 9999, **state.bind("oseed"))


def _worded(words: Mapping[str, str], value: str) -> str:
    return words.get(value, value)


def _parameters(settings: Settings) -> None:
    """The learner's own: choices in lines, numbers in two columns."""
    names = [name for name in LEARNER_PROPERTIES if settings.reason_against(name) is None]
    for name in (name for name in names if BY_NAME[name].choices):
        prop, words = BY_NAME[name], CHOICE_WORDS.get(name, {})
        slip = MISCONCEPTIONS.get(_SLIPS.get(name, ""))
        st.segmented_control(
            prop.label,
            prop.choices_for(settings.values),
            format_func=partial(_worded, words),
            help=slip.note if slip else None,
            **state.bind(name),
        )
        if slip and settings.values[name] == "correct":
            st.caption(slip.note)
    ranged = [name for name in names if not BY_NAME[name].choices]
    for column, part in zip(st.columns(2), (ranged[::2], ranged[1::2]), strict=True):
        with column:
            for name in part:
                slider(name, settings)


# ---- compare ------------------------------------------------------------------------------------


def _compare_label(session: Session) -> str:
    return f"Compare · {len(session.pins) + 1} runs" if session.pins else "Compare"


def _compare(session: Session) -> None:
    st.caption(
        "A pin keeps kernel, learner and predictor as they are now. Change anything: the pinned run stays beside the "
        "new one, on the same data and in the same order."
    )
    with st.container(horizontal=True):
        st.button("Pin this run (P)", key="pin", on_click=commands.pin, args=(session,), type="primary")
        if session.pins:
            st.button("Let go of all (Shift P)", key="unpin", on_click=commands.unpin, args=(session,))
    for number, name in enumerate(comparison.names(session.pins, session.settings)[:-1]):
        left, right = st.columns([5, 1], vertical_alignment="center")
        left.markdown(f"**{comparison.LETTERS[number]}** {plain(name)}")
        right.button("Let go", key=f"unpin-{number}", on_click=commands.unpin, args=(session, number))
    st.markdown("**Ready comparisons**")
    presets = list(comparison.PRESETS.items())
    for column, part in zip(st.columns(2), (presets[::2], presets[1::2]), strict=True):
        for name, preset in part:
            column.button(
                preset.title,
                key=f"preset-{name}",
                help=preset.words,
                on_click=state.compare,
                args=(session, name),
                width="stretch",
            )
