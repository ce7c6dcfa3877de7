"""The entry of the app: navigation only. Started by `kpviz app`, or by `streamlit run app.py`."""

import streamlit as st

from kpviz.app import shared, state, switch

st.set_page_config(page_title="kpviz: watch a kernel perceptron learn", page_icon=state.ICON, layout="wide")
shared.warm_up()
st.navigation(list(switch.pages().values()), position="hidden").run()
