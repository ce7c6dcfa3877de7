"""`streamlit run app.py`: the same as kpviz/app/main.py, since Streamlit reads the file itself for the call."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy reads it when it is imported; `kpviz app` sets it, too

import streamlit as st

from kpviz.app import serving

app = st.App(**serving.options())
