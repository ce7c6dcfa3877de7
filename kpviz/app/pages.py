"""The pages: navigation only. main.py serves this script.

Tests: tests/browser/test_opened.py, tests/browser/test_lesson_list.py.
"""

from pathlib import Path

import streamlit as st

from kpviz.server import threads

with threads.LOCK:
    from kpviz.app import runs, screens

_page = st.navigation(
    [
        st.Page(screens.play, title="kernel perceptron", default=True),
        st.Page(screens.kernels, title="kernels", url_path="lab"),
        st.Page(screens.fisher, title="Fisher’s discriminant", url_path="fisher"),
        st.Page(screens.lessons, title="lessons", url_path="lessons"),
        st.Page(screens.puzzles, title="puzzles", url_path="puzzles"),
    ],
    position="hidden",
)
st.set_page_config(
    page_title=f"kpviz – {_page.title}",
    page_icon=str(Path(__file__).with_name("icon.png")),
    layout="wide",
)
runs.warm_up()
_page.run()
