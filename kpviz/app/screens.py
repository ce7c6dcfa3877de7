"""The pages: the player, which is Fisher's page, too, and the lessons; and the dialogs that open over the player."""

from __future__ import annotations

import base64
import importlib
from html import escape
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from kpviz import tokens
from kpviz.app import session
from kpviz.lessons import shelf
from kpviz.lessons.explain import counted
from kpviz.lessons.file.lesson import Lesson
from kpviz.service import links
from kpviz.settings import lab_link

_STYLE = Path(__file__).with_name("style.css")
_DIALOGS = {  # and the files of kpviz/app with the functions that draw them, loaded when one is opened
    "picture": ("dialogs", "elsewhere"),
    "take home": ("dialogs", "take_home"),
    "table": ("table", "dialog"),
    "lecture": ("lecture", "dialog"),
}
_PLACES = {"./": "Board", "lessons": "Lessons", "lab": "Kernels", "fisher": "Fisher"}
_SCRIPT = Path(__file__).with_name("lessons.js")
_FILES = "A lesson of your own (<code>*.kpviz.md</code>): drop its file here."

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
    """The lessons that this server has: where to start, each lecture with its lessons, and the others."""
    own, within, after = shelf.arranged()
    read = {name: _read(name) for name in shelf.paths()}
    first = next((name for names in within.values() for name in names), None)
    parts = [f"<section class='start'>{_card(first, read[first], 'Start here')}</section>"] if first else []
    parts += [_shelf("On this server", own, read)] if own else []
    for number, (lecture, names) in enumerate(within.items(), 1):
        rest = "".join(_card(name, read[name]) for name in names if name != first)
        head = _card(lecture, read[lecture], f"Lecture {number}")
        parts.append(f"<section class='lecture'>{head}<div class='cards'>{rest}</div></section>")
    parts += [_shelf("Afterwards", after, read)] if after else []
    dark = " dark" if st.context.theme.type == "dark" else ""
    st.html(_STYLE)
    st.html(
        f"{_top_bar('lessons')}<div class='kpviz-lessons{dark}' style='{_accent()}'>{''.join(parts)}"
        f"<p class='own' role='status'>{_FILES}</p></div>"
        f"<script>{_SCRIPT.read_text(encoding='utf-8')}</script>",
        unsafe_allow_javascript=True,
    )


def _top_bar(here: str) -> str:
    """The bar above a page that is not the player's; the player's own is in `web/shell/top_bar.js`."""
    current = {here: " aria-current='page'"}
    anchors = "".join(
        f"<a href='{path}' target='_self'{current.get(path, '')}>{name}</a>" for path, name in _PLACES.items()
    )
    heading = f"<h1>kpviz<span>: {here}</span></h1>"
    return f"<header class='kpviz-places' style='{_accent()}'>{heading}<nav aria-label='Pages'>{anchors}</nav></header>"


def _accent() -> str:
    return f"--accent: light-dark({', '.join(tokens.THEMES[name]['accent'] for name in tokens.SCREENS)})"


def _read(name: str) -> Lesson | str:
    """Return a lesson, or what is wrong with its file."""
    try:
        return shelf.read(name)
    except ValueError as error:
        return str(error)


def _shelf(heading: str, names: list[str], read: dict[str, Lesson | str]) -> str:
    cards = "".join(_card(name, read[name]) for name in names)
    return f"<section><h2 class='heading'>{heading}</h2><div class='cards'>{cards}</div></section>"


def _card(name: str, lesson: Lesson | str, badge: str = "") -> str:
    """Return the card of a lesson: its picture, title, minutes and tasks, and what one can do afterwards."""
    if isinstance(lesson, str):
        return f"<article><div><h2>{escape(name)}</h2><p>{escape(lesson)}</p></div></article>"
    objectives = "".join(f"<li>{escape(objective)}</li>" for objective in lesson.objectives)
    tasks = len(list(lesson.tasks))
    about = [f"{lesson.minutes:g} min" if lesson.minutes else "", counted(tasks, "task") if tasks else ""]
    about += [lesson.author] if not shelf.is_shipped(name) else []
    file = shelf.picture_of(name)
    image = base64.b64encode(file.read_bytes()).decode() if shelf.is_shipped(name) and file.exists() else ""
    picture = f"<img alt='' src='data:image/webp;base64,{image}'>" if image else ""
    said = f"<p class='badge'>{badge}</p>" if badge else ""
    return (
        f"<article>{picture}<div>{said}"
        f"<h2><a href='./?lesson={escape(name)}' target='_self'>{escape(lesson.title)}</a></h2>"
        f"<p class='about'>{escape(' · '.join(filter(None, about)))}"
        f"<span data-lesson='{escape(name)}' data-tasks='{tasks}'></span></p><ul>{objectives}</ul></div></article>"
    )
