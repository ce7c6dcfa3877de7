"""The same instant as a still picture, to take along."""

from __future__ import annotations

from functools import partial

import streamlit as st

from kpviz.ui import shared, state
from kpviz.ui.session import Session

_FORMATS = {"png": "image/png", "svg": "image/svg+xml", "pdf": "application/pdf"}


def _closed() -> None:
    state.session().dialog = None


@st.dialog("This instant as a picture", width="large", on_dismiss=_closed)
def dialog(here: Session) -> None:
    """Show the picture, and offer it in each format."""
    from kpviz.views import board

    settings = here.settings
    split, run = shared.run_of(settings)
    t = min(here.picture, run.n_steps)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        theme = st.segmented_control("Theme", ["light", "dark"], default="light", required=True)
        figure = board.figure(
            run,
            t,
            predictor=settings.predictor,
            theme=theme,
            X_test=split.X_test,
            y_test=split.y_test,
            features=split.source.features,
            shown=split.shown,
            own=(split.source.lows, split.source.highs) if split.source.scaled else None,
        )
        for kind, mime in _FORMATS.items():
            name = f"kpviz-{settings.data}-{settings.kernel}-step-{t}.{kind}"
            file = partial(board.save, figure, kind)  # made when asked for: a file made now may be gone by the click
            st.download_button(kind.upper(), file, name, mime, on_click="ignore")
    if here.pins:
        st.caption("This is the current run; pinned ones are not in the picture.")
    st.image(board.save(figure, "png", dpi=100))
