"""The app on Streamlit Community Cloud, which installs what requirements.txt beside
this file says.
"""

import os

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # numpy reads it when it is imported; `kpviz app` sets it, too

import streamlit as st

from kpviz.app import serving

app = st.App(**serving.options(any_host=True))  # its name is known to the platform alone
