"""Is it a kernel? Eigenvalues, a counter-example to check by hand, and what the perceptron does there."""

from __future__ import annotations

import streamlit as st

from kpviz import experiment
from kpviz.app.lab import figures, onwards, tables
from kpviz.app.lab.state import LabSession, bind
from kpviz.app.text import plain
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels import Kernel, validity
from kpviz.engine.kernels.validity import CounterExample, Verdict
from kpviz.engine.learners import Perceptron
from kpviz.engine.powers import significant
from kpviz.engine.run import cycling
from kpviz.engine.run.train import train
from kpviz.lessons import explain
from kpviz.picture.lab import examples, functions
from kpviz.picture.lab.examples import Looked
from kpviz.picture.lab.functions import NAMED
from kpviz.service import stored
from kpviz.settings.lab_link import CURRENT, FORMULA, LONGEST

_PLACES = {"data": "the data", "five": "five points", "halved": "five points, halved"}
_EPOCHS = 50
_SHOWN = 6  # examples of a counter-example that fit into a table


def tab(session: LabSession) -> None:
    """Show what is chosen at the left, and the eigenvalues at the right."""
    left, right = st.columns([6, 7], gap="medium")
    with left:
        _choice(session)
        kernel = functions.function_of(session.view, session.settings)
        looked = _examples(session, kernel)
        kernel = kernel.fitted(looked.X)
        verdict = validity.examine(kernel, looked.X)
        _verdict(kernel, verdict, proof_visible=session.view.of != CURRENT or functions.has_formula(session.settings))
    with right:
        _spectrum(session, verdict)
    found = validity.smaller(verdict)
    with left if found is not None and len(found.points) > 3 else right:
        _counter_example(found)
    with left:
        _perceptron(session, kernel, looked)


def _choice(session: LabSession) -> None:
    names = {
        CURRENT: "the current kernel",
        **{name: each.written for name, each in NAMED.items()},
        FORMULA: "a formula",
    }
    st.pills("Function", list(names), format_func=names.__getitem__, **bind("of"))
    if session.view.of == FORMULA:
        st.text_input(
            "k(u, v) =", max_chars=LONGEST, placeholder="exp(-norm(u - v)**2/2) + 0.1*dot(u, v)", **bind("text")
        )
    else:
        st.latex(rf"k(u, v) = {functions.function_of(session.view, session.settings).latex}")


def _examples(session: LabSession, kernel: Kernel) -> Looked:
    settings = session.settings
    offered = examples.places(kernel, settings)
    words = {**_PLACES, "data": f"the data: {plain(experiment.title(settings))}"}
    if len(offered) > 1:
        if session.view.on not in offered:
            session.set(on=offered[0])
        st.segmented_control("Examples", offered, format_func=words.__getitem__, **bind("on"))
    found = examples.looked_at(session.view, kernel, settings, stored.table(settings))
    if found.left:
        st.caption(found.left)
    return found


def _verdict(kernel: Kernel, verdict: Verdict, *, proof_visible: bool) -> None:
    """Say what the examples say; `proof_visible` is whether a proof can be seen in the lab."""
    if kernel.psd == "yes" and (verdict.refuted or verdict.blurred):
        st.info(
            "An eigenvalue is below −tolerance, but by rounding of k itself: that it is a kernel is proven"
            + (", see *Build one*." if proof_visible else ".")
        )
        return
    if verdict.refuted:
        besides = " The counter-example shown is a smaller one, with a c of its own." if verdict.negative else ""
        st.warning(verdict.sentence + besides)
        return
    besides = ""
    if kernel.psd == "yes":
        besides = " That it is one for all examples is proven by other means" + (
            ": see *Build one*." if proof_visible else "."
        )
    elif kernel.psd == "no":
        besides = " Other examples refute it."
    st.info(verdict.sentence + besides)


def _spectrum(session: LabSession, verdict: Verdict) -> None:
    from kpviz.picture.lab.spectrum import Spectrum

    logarithmic = session.view.log == "on"
    figures.show(
        "spectrum",
        lambda theme: [Spectrum.of(verdict, logarithmic=logarithmic, theme=theme)],
        660,
        300,
        f"Eigenvalues from {explain.number(float(verdict.eigenvalues[0]))} down to "
        f"{explain.number(float(verdict.eigenvalues[-1]))}",
        below=8.0,
    )
    words = {"off": "as they are", "on": "logarithmic"}
    scale, note = st.columns([4, 5], vertical_alignment="center")
    scale.segmented_control(
        "Scale", list(words), format_func=words.__getitem__, label_visibility="collapsed", **bind("log")
    )
    note.caption(
        f"tolerance = n · 2.2×10⁻¹⁶ · max |λ| = {explain.number(verdict.tolerance)}: rounding alone can turn a "
        "zero into this much."
    )


def _counter_example(found: CounterExample | None) -> None:
    if found is None:
        return
    st.markdown("**A counter-example to check by hand**" if len(found.points) <= _SHOWN else "**A counter-example**")
    points = [examples.as_text(x) for x in found.points]
    if len(points) > _SHOWN:
        st.markdown(f"{len(points)} examples, none of which can be left out. {found.sentence}")
        return
    c = [explain.number(value) if value % 1 else f"{value:,.0f}".replace("-", "−") for value in found.c.tolist()]
    weights = c if found.symmetric else ["" for _ in c]
    rows = [[weights[a], point, *_numbers(found.gram[a])] for a, point in enumerate(points)]
    tables.show(["c" if found.symmetric else "", "example", *(f"k(·, {point})" for point in points)], rows, words=2)
    st.markdown(f"cᵀKc = {found.sum}" if found.symmetric else found.sentence)


def _numbers(values: FloatArray) -> list[str]:
    return [significant(value, 4) for value in values.tolist()]


def _perceptron(session: LabSession, kernel: Kernel, looked: Looked) -> None:
    """Say what the perceptron does with a function that is not known to be a kernel, and offer to watch it."""
    current = session.view.of == CURRENT
    settings = session.settings
    if current and kernel.psd == "yes":
        onwards.watch(session)
        return
    if looked.y is None and examples.compares(settings) == kernel.compares:
        looked = examples.of_data(settings, stored.table(settings))
    if looked.y is not None:
        st.markdown(f"**The perceptron on {plain(experiment.title(settings))}.** " + _outcome(kernel, looked))
    if current or examples.compares(settings) == "vectors":
        onwards.watch(session, functions.text_of(session.view, settings))


def _outcome(kernel: Kernel, looked: Looked) -> str:
    if looked.y is None:
        return ""
    run = train(Perceptron(), looked.X, looked.y, kernel=kernel, epochs=_EPOCHS)
    norms = cycling.squared_norms(run)
    t, cycle = cycling.negative_from(run, norms), cycling.cycle(run)
    sentences = []
    if t is not None:
        sentences.append(
            f"After {t:,} {'presentation' if t == 1 else 'presentations'} “‖f‖²” is below 0; at the end it is "
            f"{explain.number(float(norms[-1]))}: f has no length in any space."
        )
    if cycle is not None:
        sentences.append(cycle.sentence)
    elif run.end == "clean":
        sentences.append(f"It ends with a clean pass, after {explain.counted(run.n_epochs, 'epoch')}.")
        if kernel.psd == "no":
            sentences.append("A function that is not a kernel may still separate these examples.")
    else:
        sentences.append(f"It has not converged within {_EPOCHS} epochs.")
    return " ".join(sentences)
