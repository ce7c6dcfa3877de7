"""Feature spaces: how large they are, how much each degree weighs, and what the current kernel makes of the data."""

from __future__ import annotations

from functools import partial

import streamlit as st

from kpviz import experiment
from kpviz.app.lab import figures, onwards, tables
from kpviz.app.lab.state import LabSession, bind
from kpviz.app.text import plain
from kpviz.engine.kernels import Kernel
from kpviz.engine.run.embedding import Embedding, kernel_pca
from kpviz.engine.theory.spaces import in_words, spaces
from kpviz.lessons.misconceptions import MISCONCEPTIONS
from kpviz.picture.lab import examples
from kpviz.picture.lab.examples import Looked
from kpviz.service import stored
from kpviz.settings.lab_link import LARGEST_CONSTANT, MOST_FEATURES, MOST_POWER


def tab(session: LabSession) -> None:
    """Show dimensions and weights above, the current kernel's space below."""
    left, right = st.columns([7, 6], gap="medium")
    with left:
        _dimensions(session)
    with right:
        _weights(session)
    looked = examples.of_data(session.settings, stored.table(session.settings))
    kernel = experiment.kernel(session.settings).fitted(looked.X)
    found = kernel_pca(kernel(looked.X, looked.X))
    with left:
        _arranged(kernel, looked, found)
    with right:
        label, title = plain(kernel.label), plain(experiment.title(session.settings))
        st.markdown(f"**{label}** on {title}: {found.sentence} {looked.left}")
        st.caption(
            "Kernel PCA turns the points φ(x) of the feature space until two axes hold as much of their spread as two "
            "can. It needs no φ: eigenvectors of the centred Gram matrix are enough."
        )
        onwards.watch(session)
        st.markdown(f"**φ as a vector.** {MISCONCEPTIONS['sum'].note}")
        onwards.sights()


def _dimensions(session: LabSession) -> None:
    features, power = st.columns(2)
    features.number_input("n, features of x", 1, MOST_FEATURES, **bind("features"))
    power.slider("q, degree", 1, MOST_POWER, step=1, **bind("power"))
    rows = [
        [
            row.kernel,
            row.space,
            f"{row.formula} = {in_words(row.dimension)}" if row.dimension else "∞",
            f"{row.multiplications:,}",
        ]
        for row in spaces(session.view.features, session.view.power)
    ]
    tables.show(["k(u, v)", "its features", "how many", "multiplications of one k"], rows, words=2)


def _weights(session: LabSession) -> None:
    from kpviz.picture.lab.weights import Weights

    q, c = session.view.power, session.view.constant
    st.slider("c, the constant in (u·v + c)^q", 0.0, LARGEST_CONSTANT, step=0.05, **bind("constant"))
    figures.show(
        "weights",
        lambda theme: [Weights.of(q, c, theme=theme)],
        600,
        190,
        f"Share of each degree from 0 to {q} for c = {c:g}",
        left=1.0,
    )
    st.caption("Degree j weighs C(q, j)·c^(q−j): the larger c, the less the high degrees count.")


def _arranged(kernel: Kernel, looked: Looked, found: Embedding) -> None:
    from kpviz.picture.lab import arranged

    if looked.y is None:
        return
    caption = "The data, and their first two kernel principal components"
    panels = partial(arranged.panels, kernel, looked, found)
    figures.show("arranged", panels, 700, 340, caption, left=24.0, below=26.0)
