"""The page of the player, and its dialogs."""

from __future__ import annotations

import importlib
from urllib.parse import urlencode

import streamlit as st

from kpviz.app import player, switch
from kpviz.app.session import current, say_notice
from kpviz.app.switch import HERE
from kpviz.settings import lab_link

_DIALOGS = {  # and the files of kpviz/app with the functions that draw them, loaded when one is opened
    "picture": ("dialogs", "elsewhere"),
    "take home": ("dialogs", "take_home"),
    "table": ("table", "dialog"),
    "lecture": ("lecture", "dialog"),
}


def fisher() -> None:
    """The board of Fisher's page."""
    st.html(HERE / "style.css")
    player.show_fisher()


def page() -> None:
    """The player, and the dialog that it asked for."""
    st.html(HERE / "style.css")
    session = current()
    player.show(session, frozenset(_DIALOGS))
    say_notice(session)
    if session.dialog is not None:
        file, name = _DIALOGS[session.dialog]
        getattr(importlib.import_module(f"kpviz.app.{file}"), name)(session)
    elif session.job is not None:  # nobody waits for the film any more
        session.job.cancel()
        session.job = None


def kernels() -> None:
    """The place *Kernels*, where links of the former kernel lab lead: the player, with the panels about the kernel."""
    query = lab_link.board(urlencode(st.query_params.to_dict()))
    switch.go("play", query.replace("show=", "show=tune."))  # with the settings of the kernel beside the board
