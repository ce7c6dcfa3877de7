"""Keeps the address bar true to what the lab shows, so that a reload and a shared link open the same."""

from __future__ import annotations

import streamlit as st

_mount = st.components.v2.component(
    "kpviz.address", html="<span hidden></span>", js="shell/address.js", isolate_styles=True
)


def show(query: str) -> None:
    """Write the query into the address bar, at most twice a second; the browser does it, the server never."""
    with st.container(key="address"):
        _mount(key="lab-address", data={"query": query})
