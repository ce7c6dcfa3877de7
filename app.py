"""`streamlit run app.py`: the same as kpviz/app/main.py, since Streamlit reads the file itself for
the call.
"""

import os
import sys

from kpviz import packages

# It must be set before numpy is imported; `kpviz app` sets it, too.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
lacking = packages.missing("The app", "app", "plot", "sklearn")
if lacking:
    sys.exit(lacking)

import streamlit as st

from kpviz.app import serving

app = st.App(**serving.options())
