"""The server of the run service: route.py is the websocket, pool.py computes in other processes.

It knows no Streamlit; kpviz/app/serving.py joins the two.

Tests: tests/server/test_opened_file.py.
"""

# In the environment of a server: the address at which it opens the browser, the file that is opened
# there, and the token without which it sends that to nobody.
OPENED = "KPVIZ_OPENED"
OPENED_FILE = "KPVIZ_OPENED_FILE"
OPENED_TOKEN = "KPVIZ_OPENED_TOKEN"
