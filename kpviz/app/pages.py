"""The pages: navigation only. main.py serves this script."""

import streamlit as st

from kpviz.app import runs, switch

st.set_page_config(page_title="kpviz: watch a kernel perceptron learn", page_icon=switch.ICON, layout="wide")
runs.warm_up()
st.navigation(list(switch.pages().values()), position="hidden").run()
