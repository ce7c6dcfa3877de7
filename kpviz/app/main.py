"""The entry of the app: `kpviz app` starts it.

Streamlit reads this file for the call of `st.App`.

Tests: tests/app/test_plain.py, tests/browser/test_opened.py.
"""

import streamlit as st

from kpviz.app import serving

app = st.App(**serving.options())
