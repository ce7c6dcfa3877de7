"""The pages: the player with its dialogs, on Fisher's page, too; the kernels, lessons and puzzles.

Tests: tests/app/test_pictures.py.
"""

from __future__ import annotations

import importlib
from pathlib import Path

import streamlit as st

from kpviz.app import session
from kpviz.export.page import cards
from kpviz.lessons import shelf
from kpviz.lessons.file.lesson import Lesson
from kpviz.server.front import PLACES
from kpviz.settings.view import ON_KERNELS

_STYLE = Path(__file__).with_name("style.css")
# The files of kpviz/app whose `dialog` draws each: one is imported when its dialog is opened.
_DIALOGS = {"picture": "pictures", "table": "table", "lecture": "lecture"}
_SCRIPT = Path(__file__).with_name("lessons.js")
_OWN_LESSON = "A lesson of your own (<code>*.kpviz.md</code>): choose its file, or drop it here."

# The player as a Streamlit component: files served from the package. It asks the run service, not
# Streamlit.
_mount = st.components.v2.component(
    "kpviz.stage",
    html='<div class="kpviz"></div>',
    css="page/app.css",
    js="page/index.js",
    isolate_styles=True,
)


def play() -> None:
    """The player, the command with which a dialog ended, and the dialog that it asked for."""
    st.html(_STYLE)
    current = session.current()
    # The player gives the reply to the run service; by the number of closed dialogs it knows that
    # its dialog is over.
    data = {"reply": current.reply, "closed": current.n_closed}
    # Streamlit keeps the value `dialog` of the player only if a function is named. It calls that
    # only for a player that it knows, and a server that was started anew knows none: so the dialog
    # is opened below.
    _mount(key=session.STAGE, data=data, on_dialog_change=lambda: None)
    session.on_dialog(frozenset(_DIALOGS))
    session.say_notice(current)
    if current.dialog is not None:
        importlib.import_module(f"kpviz.app.{_DIALOGS[current.dialog]}").dialog(current)
    elif current.job is not None:  # Nobody waits for the film any more.
        current.job.cancel()
        current.job = None


def fisher() -> None:
    """The board of Fisher's page, which it knows by its address."""
    st.html(_STYLE)
    _mount(key="fisher-stage", data={})


def kernels() -> None:
    """The place *Kernels*: the player with the panels of the kernel.

    The first step is taken, so that the map shows the hill of one example, k(x₀, ·).
    """
    query = {"t": "1", **st.query_params.to_dict(), "show": ON_KERNELS}
    st.switch_page(st.Page(play, default=True), query_params=query)


def lessons() -> None:
    """The lessons that this server has: where to start, each lecture with its lessons, and the
    others.
    """
    lesson_by_name = {name: _lesson_or_problem(name) for name in shelf.paths()}
    dark = " dark" if st.context.theme.type == "dark" else ""
    listed = cards.listing(lesson_by_name, shelf.arranged(), "./?lesson={}")
    st.html(_STYLE)
    st.html(f"<style>{cards.style()}</style>")
    st.html(
        f"{_top_bar('lessons')}<div class='kpviz-lessons{dark}' style='{cards.accent()}'>{listed}"
        "<div class='own'><button type='button' disabled>Open a lesson …</button><p "
        f"role='status'>{_OWN_LESSON}</p>"
        "<input type='file' accept='.md' hidden></div></div>"
        f"<script>{cards.script()}{_SCRIPT.read_text(encoding='utf-8')}</script>",
        unsafe_allow_javascript=True,
    )


def puzzles() -> None:
    """The puzzles that come along, each with the board at its start and one's own record."""
    # A file that cannot be read is no puzzle of `shelf.puzzles`.
    puzzle_by_name = {name: shelf.read(name) for name in shelf.puzzles()}
    dark = " dark" if st.context.theme.type == "dark" else ""
    st.html(_STYLE)
    st.html(f"<style>{cards.style()}</style>")
    st.html(
        f"{_top_bar('puzzles')}<div class='kpviz-lessons{dark}' style='{cards.accent()}'>"
        f"{cards.puzzles(puzzle_by_name, './?lesson={}')}</div><script>{cards.script()}</script>",
        unsafe_allow_javascript=True,
    )


def _top_bar(here: str) -> str:
    """The bar above a page that is not the player's.

    The player's own is in `web/page/top_bar.js`.
    """
    current = {here: " aria-current='page'"}
    anchors = "".join(
        f"<a href='{path or './'}' target='_self'{current.get(path, '')}>{name}</a>"
        for path, name in PLACES.items()
    )
    name = "<a href='./?home=1' target='_self' title='What now?'>kpviz</a>"
    heading = f"<h1>{name}<span>: {here}</span></h1>"
    places = f"{heading}<nav aria-label='Pages'>{anchors}</nav>"
    return f"<header class='kpviz-places' style='{cards.accent()}'>{places}</header>"


def _lesson_or_problem(name: str) -> Lesson | str:
    """Return a lesson, or what is wrong with its file."""
    try:
        return shelf.read(name)
    except ValueError as error:
        return str(error)
