"""All slips of lecture notes at once, each with where it is met and a way there."""

from __future__ import annotations

import re
from html import escape

import streamlit as st

from kpviz import tokens
from kpviz.app.lab import onwards
from kpviz.app.lab.state import LabSession
from kpviz.lessons.misconceptions import MISCONCEPTIONS, Misconception

_EACH = 5  # in a row


def tab(session: LabSession) -> None:
    """Show what some notes say, what is right, and where to see it."""
    st.caption("What lecture notes on perceptrons and kernels sometimes say, and where in kpviz one can check it.")
    names = list(MISCONCEPTIONS)
    with st.container(key="lab-slips"):
        for first in range(0, len(names), _EACH):
            for column, name in zip(st.columns(_EACH, gap="small"), names[first : first + _EACH], strict=False):
                with column.container(border=True, height="stretch"):
                    _card(name, MISCONCEPTIONS[name])


def _card(name: str, slip: Misconception) -> None:
    accent = tokens.THEMES[st.context.theme.type or "light"]["accent"]
    claim, right = (
        f'<p class="claim">{_written(slip.claim)}</p>',
        f'<p class="right" style="border-color: {accent}">{_written(slip.right)}</p>',
    )
    st.html(f'<div class="kpviz-slip"><h2>{escape(slip.title)}</h2>{claim}{right}</div>')
    onwards.offer("See it →", f"lab-slip-{name}", slip.link, quiet=True)


def _written(words: str) -> str:
    """Return a sentence as HTML, with the names of scatter matrices as they are written by hand.

    >>> _written("S_T = S_W + S_B < 1")
    'S<sub>T</sub> = S<sub>W</sub> + S<sub>B</sub> &lt; 1'
    """
    return re.sub(r"S_([WBT])", r"S<sub>\1</sub>", escape(words))
