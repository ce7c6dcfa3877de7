"""The pages: navigation only. main.py serves this script."""

import streamlit as st

from kpviz.app import shared, state, switch

st.set_page_config(page_title="kpviz: watch a kernel perceptron learn", page_icon=state.ICON, layout="wide")
shared.warm_up()
st.navigation(list(switch.pages().values()), position="hidden").run()
