"""Fisher's page as Streamlit opens it: a board, which asks the run service itself."""

from streamlit.testing.v1 import AppTest

SCRIPT = """
import streamlit as st
from kpviz.app import screens
st.navigation([st.Page(screens.fisher, title="Fisher")], position="hidden").run()
"""


def test_the_page_is_one_board():
    at = AppTest.from_string(SCRIPT, default_timeout=60).run()
    assert not at.exception
    assert len(at.get("bidi_component")) == 1
