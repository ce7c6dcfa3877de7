"""Pictures of the lab, in the light or dark theme that the reader has chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from kpviz.picture.lab.style import Display

_SHARP = 2  # pixels of the picture for each one of the page


def show(
    name: str,
    panels: Callable[[str], Sequence[Display]],
    width: float,
    height: float,
    words: str,
    **room: float,
) -> None:
    """Show panels side by side, made for a theme; `words` tell those who cannot see them what they show.

    `name` identifies this picture on the page; `room` is that of `sheet.figure` about each panel.
    """
    from kpviz.picture.figure import save  # here: drawing is loaded when the first picture is asked for
    from kpviz.picture.lab import sheet

    theme = st.context.theme.type or "light"
    figure = sheet.figure(panels(theme), width, height, theme, **room)
    with st.container(key=f"lab-figure-{name}"):
        st.image(save(figure, "png", dpi=100 * _SHARP), width="stretch", alt=words)
