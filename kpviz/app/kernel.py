"""The popover of the kernel: which one, its parameters, and how it is combined."""

from __future__ import annotations

import inspect

import streamlit as st

from kpviz import experiment
from kpviz.app import state
from kpviz.app.session import Session
from kpviz.app.widgets import plain, slider, tile
from kpviz.engine.kernels import KERNELS
from kpviz.engine.kernels.formula import FormulaError, pointer, tested
from kpviz.settings import BY_NAME, Settings, conditions
from kpviz.settings.properties import KERNEL_PARAMETERS

_COMBINE = {"none": "one kernel", "sum": "sum of two", "product": "product of two"}
_NONE = "Not positive semidefinite: there is no feature space behind it, and the perceptron may cycle."
_NEED_WORDS = ("density", "mixture", "words", "spectrum", "subtrees", "graph")
_DASHED = "Dashed on the map: one and two standard deviations of each Gaussian."
_OPEN = "No rule says that this is a kernel, and no sample has refuted it: nothing is proven."


def popover(session: Session) -> None:
    """Show the kernels that compare such examples, and what applies to the chosen one."""
    settings = session.settings
    offered = [name for name in KERNELS if conditions.not_compared(name, settings.values) is None]
    with st.container(horizontal=True, key="tiles-kernel"):
        for name in offered:
            tile("kernel", name, KERNELS[name].name, _tip(name), chosen=settings.kernel == name)
    _formula(session, "")
    kernel = experiment.kernel(settings)
    st.latex(rf"k(u, v) = {kernel.latex}")
    if settings.kernel in _NEED_WORDS:
        st.caption(plain(_about(settings.kernel)))
    if kernel.psd != "yes":
        st.warning(_NONE if kernel.psd == "no" else _OPEN)
    _parameters(settings, "")
    if settings.reason_against("normalize") is None:
        words = {"off": "as it is", "on": "k(u, v) / √(k(u, u) k(v, v))"}
        st.segmented_control("Normalized", list(words), format_func=words.__getitem__, **state.bind("normalize"))
    st.segmented_control("Combined", list(_COMBINE), format_func=_COMBINE.__getitem__, **state.bind("combine"))
    if settings.combine != "none":
        st.selectbox("Second kernel", offered, format_func=lambda name: KERNELS[name].name, **state.bind("kernel2"))
        _formula(session, "2")
        _parameters(settings, "2")


def _about(name: str) -> str:
    """Return the first sentence or two of a kernel's own words."""
    summary = (inspect.getdoc(KERNELS[name]) or "").split("\n\n")[0].replace("\n", " ")
    return f"{summary} {_DASHED}" if "components" in KERNELS[name].ranges else summary


def _parameters(settings: Settings, suffix: str) -> None:
    for name in KERNEL_PARAMETERS:
        slider(name + suffix, settings)
    if settings.reason_against(f"negated{suffix}") is None:
        words = {"off": "the bits", "on": "the bits and their negations"}
        st.segmented_control("Subsets of", list(words), format_func=words.__getitem__, **state.bind(f"negated{suffix}"))


# ---- a formula of one's own ---------------------------------------------------------------------


def _formula(session: Session, suffix: str) -> None:
    """Show what is typed, what is known of it, or where it is wrong."""
    name = f"formula{suffix}"
    if session.settings.reason_against(name) is not None:
        return
    prop, draft = BY_NAME[name], session.formulas.get(name)
    shown = session.settings.values[name] if draft is None else draft
    st.text_input(
        "k(u, v) =",
        max_chars=prop.text,
        help="dot(u, v), norm(u - v), norm1(u - v), u[1]*v[1], exp, tanh, …; gaussian(0.5), polynomial(2, 1) by name.",
        **state.bind_text("kernel", name, shown, lambda text: _type(name, text)),
    )
    try:
        report = tested(shown)
    except FormulaError as error:
        st.error(plain(str(error)))
        st.code(pointer(shown, error.at), language=None)
        return
    if report.unfit:
        st.error(plain(report.unfit))
    else:
        st.caption(plain(_known(report.psd, report.proven, report.refuted)))


def _known(psd: str, proven: str, refuted: str) -> str:
    return {"yes": proven, "no": refuted}.get(psd, f"{proven} {refuted}")


def _type(name: str, text: str) -> None:
    """Take a formula; one that is wrong stays in its field, and the kernel as it was."""
    session = state.session()
    session.formulas.pop(name, None)
    try:
        prop = BY_NAME[name]
        session.set(**{name: prop.canonical(text, session.settings.values)})
    except ValueError:
        session.formulas[name] = text


def _tip(name: str) -> str:
    """Say which parameters a kernel has, and so why the others are hidden."""
    kind = KERNELS[name]
    if not kind.ranges:
        return f"{kind.name} has no parameter: sliders of the others are hidden."
    return f"{kind.name} has {', '.join(f'{r.symbol} ({r.words})' for r in kind.ranges.values())}; the rest is hidden."
