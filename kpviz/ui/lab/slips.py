"""All slips of lecture notes at once, each with where it is met."""

from __future__ import annotations

import streamlit as st

from kpviz.slips import SLIPS
from kpviz.ui.lab.state import LabSession


def tab(here: LabSession) -> None:
    """Show what some notes say, what is right, and where to see it."""
    st.caption("What lecture notes on perceptrons and kernels sometimes say, and where in kpviz one can check it.")
    slips = list(SLIPS.values())
    half = (len(slips) + 1) // 2
    for column, part in zip(st.columns(2, gap="large"), (slips[:half], slips[half:]), strict=True):
        for slip in part:
            column.markdown(f"**{slip.title}.** {slip.said} *{slip.right}*")
            column.caption(f"{slip.where[0].upper()}{slip.where[1:]}")
