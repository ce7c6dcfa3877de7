"""What carries the run service: pool.py computes in processes beside the server, route.py is the websocket.

It knows no Streamlit; kpviz/app/serving.py joins the two.
"""

OPENED = "KPVIZ_OPENED"  # in the environment of a server: the address at which it opens the browser
