"""Build a kernel from kernels: each step is a rule that keeps it one, with the rule's proof in one line beside it."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import NamedTuple

import streamlit as st

from kpviz.app.lab.onwards import watch
from kpviz.app.lab.state import LabSession, bind, lab_session
from kpviz.app.text import plain
from kpviz.engine.kernels.formula import Derivation, FormulaError, latex, pointer, tested, wrap
from kpviz.picture.lab import functions
from kpviz.settings.lab_link import FORMULA, LONGEST, START

BLOCKS = {
    "dot(u, v)": "u·v",
    "gaussian({a})": "Gaussian, σ = a",
    "laplacian({a})": "Laplacian, σ = a",
    "subsets()": "all subsets",
    "{a}": "the number a",
}


class Step(NamedTuple):
    """A button: what it makes of k, the other kernel l and the number a, and why that is a kernel again."""

    title: str
    words: str
    make: Callable[[str, str, float], str]


STEPS: dict[str, Step] = {
    "sum": Step("k + l", "The features of both are joined", lambda k, other, a: wrap(k, "sum", other)),
    "product": Step("k · l", "All products of a feature of each", lambda k, other, a: wrap(k, "product", other)),
    "scale": Step("a · k", "Every feature times √a", lambda k, other, a: wrap(k, "scale", a)),
    "polynomial": Step(
        "1 + a·k + k²", "Sums and products of k", lambda k, other, a: wrap(k, "polynomial", (1.0, a, 1.0))
    ),
    "power": Step("kᵃ", "k times itself", lambda k, other, a: wrap(k, "power", int(a) if a.is_integer() else a)),
    "exp": Step("exp(k)", "A power series, no coefficient below 0", lambda k, other, a: wrap(k, "exp")),
    "normalize": Step("normalized", "Every feature vector gets length 1", lambda k, other, a: wrap(k, "normalize")),
}


def tab(session: LabSession) -> None:
    """Show formula and steps at the left, the proof at the right."""
    left, right = st.columns([6, 7], gap="medium")
    with left:
        st.text_input("k(u, v) =", max_chars=LONGEST, **bind("text"))
        _steps()
        if session.problem:
            st.warning(plain(session.problem))
        st.caption(
            "Or type what you like, and see whether it still is a kernel: + − * / **, dot(u, v), norm(u − v), u[1], "
            "exp, sqrt, tanh, cos, min, max, gaussian(1), subsets(), normalized(…)."
        )
    with right:
        _proof(session)


def _steps() -> None:
    """Offer the other kernel, the number, and what to do with them."""
    block, value = st.columns([3, 2])
    block.selectbox("l, the other kernel", list(BLOCKS), format_func=BLOCKS.__getitem__, key="lab-block")
    value.number_input("a, a number", 0.0, 64.0, 2.0, step=0.5, key="lab-number")
    with st.container(horizontal=True, key="lab-steps"):
        for name, step in STEPS.items():
            st.button(step.title, key=f"lab-step-{name}", help=step.words, on_click=_step, args=(name,))
    with st.container(horizontal=True):
        st.button("Start again with u·v", key="lab-again", on_click=_put, args=(lambda: START,))
        st.button("Start with the current kernel", key="lab-current", on_click=_put, args=(_of_current,))


def _step(name: str) -> None:
    number = float(st.session_state["lab-number"])
    other = str(st.session_state["lab-block"]).format(a=f"{number:g}")
    _put(lambda: STEPS[name].make(lab_session().text, other, number))


def _of_current() -> str:
    return functions.formula_of(lab_session().settings)


def _put(text: Callable[[], str]) -> None:
    """Put another formula in place, or say why that is not possible."""
    session = lab_session()
    try:
        session.set(text=text())
        session.problem = None
    except ValueError as error:
        session.problem = str(error)


def _proof(session: LabSession) -> None:
    text = session.text
    try:
        report = tested(text)
    except FormulaError as error:
        st.warning(plain(str(error)))
        st.code(pointer(text, error.at), language=None)
        return
    st.latex(rf"k(u, v) = {latex(report.tree)}")
    if report.unfit:
        st.warning(plain(report.unfit))
        return
    if report.derivation is not None:
        st.markdown("**It is a kernel**, and this is why, from the whole to its parts:")
        st.html(_tree(report.derivation))
    else:
        st.warning(plain(f"{report.refuted} {report.proven}"))
    with st.container(horizontal=True):
        st.button("Look at its eigenvalues", key="lab-examine", on_click=_examine)
        watch(session, str(report.tree))


def _tree(found: Derivation) -> str:
    """Return the derivation as lists in lists."""
    line = f"<code>{escape(found.formula)}</code> <b>{escape(found.rule)}</b>: {escape(found.proof)}"
    return f'<ul class="kpviz-proof"><li>{line}{"".join(map(_tree, found.parts))}</li></ul>'


def _examine() -> None:
    lab_session().set(tab="valid", of=FORMULA)
