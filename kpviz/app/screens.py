"""The pages: the player, which is Fisher's page, too, and the lessons; and the dialogs that open over the player."""

from __future__ import annotations

import importlib
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import streamlit as st

from kpviz import tokens
from kpviz.app import session
from kpviz.lessons import shelf
from kpviz.lessons.explain import counted
from kpviz.service import links
from kpviz.settings import lab_link

if TYPE_CHECKING:
    from kpviz.lessons.file.lesson import Lesson

_STYLE = Path(__file__).with_name("style.css")
_DIALOGS = {  # and the files of kpviz/app with the functions that draw them, loaded when one is opened
    "picture": ("dialogs", "elsewhere"),
    "take home": ("dialogs", "take_home"),
    "table": ("table", "dialog"),
    "lecture": ("lecture", "dialog"),
}
_PLACES = {"./": "Board", "lessons": "Lessons", "lab": "Kernels", "fisher": "Fisher"}
_FILES = "To open a lesson of your own (<code>*.kpviz.md</code>), drop it on the board."

# The player as a Streamlit component: files served from the package. It asks the run service, not Streamlit.
_mount = st.components.v2.component(
    "kpviz.stage", html='<div class="kpviz"></div>', css="shell/app.css", js="shell/index.js", isolate_styles=True
)


def play() -> None:
    """The player, the command for it with which a dialog ended, and the dialog that it asked for."""
    st.html(_STYLE)
    current = session.current()
    data = {"reply": current.reply, "closed": current.closed}
    _mount(key=session.STAGE, data=data, on_dialog_change=lambda: None)
    session.on_dialog(frozenset(_DIALOGS))  # not when it changes: a new server has seen no player that could change
    session.say_notice(current)
    if current.dialog is not None:
        file, name = _DIALOGS[current.dialog]
        getattr(importlib.import_module(f"kpviz.app.{file}"), name)(current)
    elif current.job is not None:  # nobody waits for the film any more
        current.job.cancel()
        current.job = None


def fisher() -> None:
    """The board of Fisher's page, which it knows by its address."""
    st.html(_STYLE)
    _mount(key="fisher-stage", data={})


def kernels() -> None:
    """The place *Kernels*, where links of the former kernel lab lead: the player, with the panels about the kernel."""
    query = lab_link.board(urlencode(st.query_params.to_dict()))
    query = query.replace("show=", "show=tune.")  # with the settings of the kernel beside the board
    st.switch_page(st.Page(play, default=True), query_params=links.pairs(query))


def lessons() -> None:
    """The lessons that this server has, each with its objectives and a way into the player."""
    cards = "".join(map(_card, shelf.paths()))
    st.html(_STYLE)
    st.html(f"{_top_bar('lessons')}<div class='kpviz-lessons'>{cards}<p>{_FILES}</p></div>")


def _top_bar(here: str) -> str:
    """The bar above a page that is not the player's; the player's own is in `web/shell/top_bar.js`."""
    current = {here: " aria-current='page'"}
    anchors = "".join(
        f"<a href='{path}' target='_self'{current.get(path, '')}>{name}</a>" for path, name in _PLACES.items()
    )
    accent = ", ".join(tokens.THEMES[name]["accent"] for name in tokens.SCREENS)
    heading = f"<h1>kpviz<span>: {here}</span></h1>"
    return (
        f"<header class='kpviz-places' style='--accent: light-dark({accent})'>{heading}"
        f"<nav aria-label='Pages'>{anchors}</nav></header>"
    )


def _card(name: str) -> str:
    try:
        lesson = shelf.read(name)
    except ValueError as error:
        return f"<article><h2>{escape(name)}</h2><p>{escape(str(error))}</p></article>"
    objectives = "".join(f"<li>{escape(objective)}</li>" for objective in lesson.objectives)
    goals = f"<p>Afterwards you can:</p><ul>{objectives}</ul>" if objectives else ""
    return (
        f"<article><h2><a href='./?lesson={escape(name)}'>{escape(lesson.title)}</a></h2>"
        f"<p>{escape(_about(lesson))}</p>{goals}</article>"
    )


def _about(lesson: Lesson) -> str:
    tasks = len(list(lesson.tasks))
    minutes = f"{lesson.minutes:g} minutes" if lesson.minutes else ""
    parts = minutes, counted(len(lesson.scenes), "scene"), counted(tasks, "task") if tasks else "", lesson.author
    return " · ".join(filter(None, parts))
