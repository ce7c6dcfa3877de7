"""The pages: navigation only. main.py serves this script."""

import streamlit as st

from kpviz.server import threads

with threads.LOCK:
    from kpviz.app import runs, switch

    _pages = list(switch.pages().values())

_TITLES = {
    "": "kernel perceptron",
    "lab": "kernels",
    "fisher": "Fisher’s discriminant",
    "lessons": "lessons",
}  # by address

_page = st.navigation(_pages, position="hidden")
_title = f"kpviz – {_TITLES[_page.url_path]}"
st.set_page_config(page_title=_title, page_icon=switch.ICON, layout="wide")
runs.warm_up()
_page.run()
