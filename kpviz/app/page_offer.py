"""The page that plays itself, offered: how it looks and plays, and the file."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from kpviz.app import runs
from kpviz.app.session import Session
from kpviz.app.take_home import ONLY_HERE
from kpviz.lessons.comparison import Pin
from kpviz.player.envelope import ViewState
from kpviz.settings import Settings
from kpviz.settings.cues import Cues

_THEMES = {"auto": "as the reader has it", "light": "light", "dark": "dark"}
_START, _HERE = "the start", "this step"


def offer(session: Session) -> None:
    """Draw what the page is, what can be chosen, and the button that makes and saves it."""
    settings = session.settings
    st.markdown(
        "**One file that plays this run**, with the player in it, without server and network. Open it from disk, send "
        "it by mail, or show it in slides and on course sites:"
    )
    name = f"kpviz-{settings.data}-{settings.kernel}.html"
    st.code(f'<iframe src="{name}" width="960" height="600" allow="fullscreen"></iframe>', language="html")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        theme = st.segmented_control(
            "Theme", list(_THEMES), default="auto", format_func=_THEMES.__getitem__, required=True, key="page-theme"
        )
        opens = st.segmented_control("Opens at", [_START, _HERE], default=_START, required=True, key="page-opens")
        autoplay = st.toggle("Plays by itself", value=True, key="page-autoplay")
        loop = st.toggle("Starts over at the end", value=False, key="page-loop", disabled=not autoplay)
    view = _view(session, 0 if opens == _START else session.picture)
    options = {"theme": theme, "autoplay": autoplay, "loop": autoplay and loop, "address": address()}
    if not len(runs.split_of(settings).y):
        st.info("There are no examples yet, so there is nothing to play: draw some first.")
        return
    make = partial(_page, settings, view, session.pins, options)  # when it is asked for
    st.download_button("Save the page", make, name, "text/html", on_click="ignore", key="save-page", type="primary")
    st.caption(_what_is_in_it(session))


def _page(settings: Settings, view: ViewState, pins: tuple[Pin, ...], options: dict[str, Any]) -> str:
    from kpviz.export.page.page import page_of

    lineup = runs.lineup_of(settings.without_cues, pins)
    return page_of(lineup, Cues.of_code(settings.cues), settings, view=view, **options)


def _view(session: Session, t: int) -> ViewState:
    """What the board shows, at another step."""
    return replace(session.seen, t=t, stage=None)


def address() -> str | None:
    """Where this app is, if others reach it there."""
    address = (st.context.url or "").partition("?")[0]
    return None if (urlsplit(address).hostname or "") in ONLY_HERE else address


def _what_is_in_it(session: Session) -> str:
    parts = ["It opens with the panels that you see now; settings cannot be changed in it."]
    if session.settings.cues:
        parts.append("At each cue it holds for the seconds that the cue says. Your notes are not in it.")
    if session.pins:
        parts.append("The pinned runs are in it too.")
    return " ".join(parts)
