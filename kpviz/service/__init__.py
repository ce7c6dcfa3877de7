"""The run service: a question is a link and commands, the answer a link and a run.

Start with answer.py.

It keeps nothing between two questions but caches, so that any server can answer any question. It
knows no page and no Streamlit; kpviz/server carries its messages, kpviz/player/web/service asks.
"""
