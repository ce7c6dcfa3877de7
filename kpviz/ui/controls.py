"""Widgets that set the settings: one line of chips, each opening a popover."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from kpviz import comparison, experiment
from kpviz.engine import datasets, streams
from kpviz.engine.checks import Range
from kpviz.engine.datasets import SOURCES
from kpviz.engine.kernels import KERNELS
from kpviz.engine.learners import LEARNERS
from kpviz.settings import BY_NAME, FILE, LEARNER_PROPERTIES, Settings
from kpviz.ui import shared, state, switch
from kpviz.ui.state import Session

_NOTCHES = 48  # of a logarithmic slider

INTERCEPT_WORDS = {"none": "none", "unit": "unit: b += η·y", "radius": "radius: b += η·y·R²"}
TIE_WORDS = {
    "mistake": "a mistake (y·f ≤ 0)",
    "correct": "correct (y·f < 0)",
    "positive": "sign(0) = +1",
    "negative": "sign(0) = −1",
}
ORDER_WORDS = {"cyclic": "cyclic", "shuffled": "shuffled each epoch", "random": "random, with replacement"}
CHOICE_WORDS = {"intercept": INTERCEPT_WORDS, "tie": TIE_WORDS}
COMBINE_WORDS = {"none": "one kernel", "sum": "sum of two", "product": "product of two"}


def chips(here: Session) -> None:
    """Show the line of chips; what a popover holds is made only while it is open."""
    with st.container(horizontal=True, key="chips", vertical_alignment="center"):
        st.html('<span class="kpviz-name">kpviz</span>')
        _chip("data", _data_label(here.settings), "What to learn from", _data)
        _chip("kernel", experiment.kernel(here.settings).label, "How similar two points are", _kernel)
        _chip("learner", _learner_label(here.settings), "How it learns, and in which order", _learner)
        _chip("compare", _compare_label(here), "Runs side by side", _compare)
        st.button("New data", key="new-data", on_click=state.new_data, args=(here,), help="The next data seed (N)")
        why = here.settings.reason_against("order")
        tip = f"{why[0].upper()}{why[1:]}" if why else "The next order (O)"
        st.button("New order", key="new-order", on_click=state.new_order, args=(here,), help=tip, disabled=bool(why))
        switch.show("play")


def _chip(name: str, label: str, tip: str, content: Callable[[Session], None]) -> None:
    key = f"chip-{name}"
    if st.session_state.get(key):
        st.session_state[key] = True  # a new label makes it another popover: what was open stays open
    popover = st.popover(label, key=key, on_change="rerun", help=tip)
    if popover.open:
        with popover:
            content(state.session())


def _data_label(settings: Settings) -> str:
    title = settings.file.partition("~")[0] if settings.data == FILE else SOURCES[settings.data].title
    held = f", {settings.held:.0%} held out" if settings.held else ""
    points = "" if settings.data == FILE else f" · {settings.n} points"  # a file may hold fewer
    if settings.stream == "on":
        drift = f" · drift {settings.drift:g}" if settings.drift else ""
        return f"{title} · stream of {settings.n:,}{drift} · seed {settings.seed}"
    return f"{title}{points}{held} · seed {settings.seed}"


def _learner_label(settings: Settings) -> str:
    parts = [experiment.learner(settings).about.title]  # type: ignore[attr-defined]
    if settings.reason_against("budget") is None:
        parts.append(f"B = {settings.budget}")
    if settings.intercept != "none":
        parts.append(f"{settings.intercept} intercept")
    if settings.reason_against("order") is None:
        parts.append(settings.order if settings.order == "cyclic" else f"{settings.order}, seed {settings.oseed}")
    if settings.predictor != "last":
        parts.append(settings.predictor)
    return " · ".join(parts)


# ---- data ---------------------------------------------------------------------------------------


def _data(here: Session) -> None:
    settings = here.settings
    with st.container(horizontal=True, key="tiles-data"):
        for name, source in SOURCES.items():
            _tile("data", name, source.title, source.look_for, chosen=settings.data == name)
    with st.expander("My own file (CSV)", expanded=settings.data == FILE or here.problem is not None):
        _file(here)
    if settings.data != FILE:
        streaming = settings.stream == "on"
        words = streams.look_for(settings.drift, settings.moves) if streaming else SOURCES[settings.data].look_for
        st.caption(words)
    _stream(settings)
    left, middle, right = st.columns(3)
    with left:
        _slider("n", settings)
        _slider("held", settings, percent=True)
    with middle:
        _slider("noise", settings)
        _slider("flipped", settings, percent=True)
    with right:
        _slider("balance", settings, percent=True)
        st.number_input(BY_NAME["seed"].label, 0, 9999, **state.bind("seed"))
    _real_choices(settings)


def _stream(settings: Settings) -> None:
    """The switch, and how the target moves."""
    if settings.reason_against("stream") is not None:
        return
    on = settings.stream == "on"
    st.toggle("Stream: examples arrive once", **state.bind_text("data", "stream", on, _put_stream))
    if on and (why := settings.reason_against("drift")):
        st.caption(f"No drift: {why}.")
    elif on:
        left, right = st.columns([2, 1])
        with left:
            _slider("drift", settings)
        if settings.reason_against("moves") is None:
            words = {"turn": "turns steadily", "switch": "switches"}
            prop = BY_NAME["moves"]
            right.segmented_control(prop.label, prop.choices, format_func=words.__getitem__, **state.bind("moves"))


def _put_stream(on: bool) -> None:
    here = state.session()
    before = here.settings.learner
    here.set(stream="on" if on else "off")
    if here.settings.learner != before:
        title = LEARNERS[before]().about.title
        here.notice = f"{title} needs all examples at once, so the perceptron takes its place in the stream."


def _real_choices(settings: Settings) -> None:
    if settings.reason_against("x") is not None:
        return
    table = datasets.real_table(settings.data)
    columns = st.columns(3 if settings.data == "iris" else 2)
    for column, name in zip(columns, ("x", "y"), strict=False):
        with column:
            st.selectbox(
                BY_NAME[name].label,
                range(len(table.features)),
                format_func=table.features.__getitem__,
                **state.bind(name),
            )
    if settings.data == "iris":
        with columns[2]:
            words = {
                pair: " − / ".join(table.classes[int(digit)] for digit in pair) + " +" for pair in ("12", "02", "01")
            }
            st.selectbox("Classes", list(words), format_func=words.__getitem__, **state.bind("pair"))


def _file(here: Session) -> None:
    settings = here.settings
    st.file_uploader(
        "A header line, two columns of numbers and a column of labels",
        type=["csv", "tsv", "txt"],
        key="upload",
        on_change=state.uploaded,
        args=("upload",),
    )
    if here.problem:
        st.error(here.problem, icon=":material/error:")
    table = shared.table(settings)
    if table is None:
        return
    chosen = experiment.columns(settings) or table.guess()
    now = (*chosen.features, chosen.label, *chosen.classes)

    def put(place: int) -> Callable[[str], None]:
        return lambda value: _put_column(now, place, value)

    left, right = st.columns(2)
    with left:
        st.selectbox("x₁", table.numeric, **state.bind_text("file", "x1", now[0], put(0)))
        st.selectbox("x₂", table.numeric, **state.bind_text("file", "x2", now[1], put(1)))
        st.segmented_control(
            "Scale",
            ["fit", "none"],
            format_func={"fit": "to ±1", "none": "as in the file"}.__getitem__,
            **state.bind("scale"),
        )
    with right:
        st.selectbox("Label", table.columns, **state.bind_text("file", "label", now[2], put(2)))
        classes = table.classes(now[2])
        st.selectbox("Class −1", classes, **state.bind_text("file", "negative", now[3], put(3)))
        st.selectbox("Class +1", classes, **state.bind_text("file", "positive", now[4], put(4)))
    for notice in experiment.prepare(settings, table).source.notices:
        st.info(notice)


def _put_column(now: tuple[str, ...], place: int, value: str) -> None:
    """Change one of the five; a new label brings its own classes, a class that is taken changes places."""
    chosen = list(now)
    if value in chosen[3:] and place >= 3:
        chosen[3], chosen[4] = chosen[4], chosen[3]
    elif value in chosen[:2] and place < 2:
        chosen[0], chosen[1] = chosen[1], chosen[0]
    else:
        chosen[place] = value
    if place == 2:
        table = shared.table(state.session().settings)
        chosen[3:] = (*(table.classes(value) if table else ()), "", "")[:2]
    state.try_columns((chosen[0], chosen[1], chosen[2], chosen[3], chosen[4]))


# ---- kernel -------------------------------------------------------------------------------------


def _kernel(here: Session) -> None:
    settings = here.settings
    with st.container(horizontal=True, key="tiles-kernel"):
        for name, kind in KERNELS.items():
            _tile("kernel", name, kind.name, _kernel_tip(name), chosen=settings.kernel == name)
    kernel = experiment.kernel(settings)
    st.latex(rf"k(u, v) = {kernel.latex}")
    if kernel.psd != "yes":
        st.warning("Not positive semidefinite: there is no feature space behind it, and the perceptron may cycle.")
    for name in ("sigma", "degree", "coef0", "gamma"):
        _slider(name, settings)
    if settings.reason_against("normalize") is None:
        words = {"off": "as it is", "on": "k(u, v) / √(k(u, u) k(v, v))"}
        st.segmented_control("Normalized", list(words), format_func=words.__getitem__, **state.bind("normalize"))
    st.segmented_control(
        "Combined", list(COMBINE_WORDS), format_func=COMBINE_WORDS.__getitem__, **state.bind("combine")
    )
    if settings.combine != "none":
        st.selectbox(
            "Second kernel", list(KERNELS), format_func=lambda name: KERNELS[name].name, **state.bind("kernel2")
        )
        for name in ("sigma2", "degree2", "coef02", "gamma2"):
            _slider(name, settings)


def _kernel_tip(name: str) -> str:
    """Say which parameters a kernel has, and so why the others are hidden."""
    kind = KERNELS[name]
    if not kind.ranges:
        return f"{kind.name} has no parameter: σ, q, c and γ are hidden."
    return f"{kind.name} has {', '.join(f'{r.symbol} ({r.words})' for r in kind.ranges.values())}; the rest is hidden."


# ---- learner ------------------------------------------------------------------------------------


def _learner(here: Session) -> None:
    settings = here.settings
    with st.container(horizontal=True, key="tiles-learner"):
        for name, kind in LEARNERS.items():
            about = kind().about
            if BY_NAME["learner"].refused(name, settings.values) is None:
                _tile("learner", name, about.title, about.idea, chosen=settings.learner == name)
    about = experiment.learner(settings).about  # type: ignore[attr-defined]
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
        _slider("epochs", settings)
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
        st.segmented_control(prop.label, prop.choices, format_func=partial(_worded, words), **state.bind(name))
    ranged = [name for name in names if not BY_NAME[name].choices]
    for column, part in zip(st.columns(2), (ranged[::2], ranged[1::2]), strict=True):
        with column:
            for name in part:
                _slider(name, settings)


# ---- compare ------------------------------------------------------------------------------------


def _compare_label(here: Session) -> str:
    return f"Compare · {len(here.pins) + 1} runs" if here.pins else "Compare"


def _compare(here: Session) -> None:
    st.caption(
        "A pin keeps kernel, learner and predictor as they are now. Change anything: the pinned run stays beside the "
        "new one, on the same data and in the same order."
    )
    with st.container(horizontal=True):
        st.button("Pin this run (P)", key="pin", on_click=state.pin, args=(here,), type="primary")
        if here.pins:
            st.button("Let go of all (Shift P)", key="unpin", on_click=state.unpin, args=(here,))
    for number, name in enumerate(comparison.names(here.pins, here.settings)[:-1]):
        left, right = st.columns([5, 1], vertical_alignment="center")
        left.markdown(f"**{comparison.LETTERS[number]}** {name}")
        right.button("Let go", key=f"unpin-{number}", on_click=state.unpin, args=(here, number))
    st.markdown("**Lessons**")
    presets = list(comparison.PRESETS.items())
    for column, part in zip(st.columns(2), (presets[::2], presets[1::2]), strict=True):
        for name, preset in part:
            column.button(
                preset.title,
                key=f"preset-{name}",
                help=preset.words,
                on_click=state.compare,
                args=(here, name),
                width="stretch",
            )


# ---- parts --------------------------------------------------------------------------------------


def _tile(prop: str, name: str, title: str, tip: str, *, chosen: bool) -> None:
    st.button(
        title,
        key=f"tile-{prop}-{name}",
        help=tip,
        type="primary" if chosen else "secondary",
        on_click=lambda: state.session().set(**{prop: name}),
    )


def _slider(name: str, settings: Settings, *, percent: bool = False) -> None:
    """A slider for a property, unless it does not apply."""
    if settings.reason_against(name) is not None:
        return
    prop = BY_NAME[name]
    limits = prop.range_for(settings.values)
    label = prop.label if prop.words_hidden else f"{prop.label}: {limits.words}"
    if limits.log:
        st.select_slider(
            label, _notches(limits, settings.values[name]), format_func=lambda v: f"{v:g}", **state.bind(name)
        )
    elif limits.integer:
        st.slider(label, int(limits.low), int(limits.high), step=1, **state.bind(name))
    else:
        shape = "percent" if percent else None
        st.slider(label, limits.low, limits.high, step=limits.step, format=shape, **state.bind(name))


def _notches(limits: Range, now: float) -> list[float]:
    """Values at equal ratios, each with two digits, and the present one."""
    ratio = math.log(limits.high / limits.low)
    values = {float(f"{limits.low * math.exp(ratio * k / _NOTCHES):.2g}") for k in range(_NOTCHES + 1)}
    whole = {round(value) for value in values} if limits.integer else values
    return sorted({*whole, now})
