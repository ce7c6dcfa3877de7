"""What the dialogs of one browser tab are about.

Settings, pins and the way back from them are the browser's.

Tests: tests/app/test_pictures.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import streamlit as st

from kpviz.app.text import warn
from kpviz.lessons.comparison import Pin
from kpviz.service import links, stored
from kpviz.service.state import PageState
from kpviz.settings import Settings
from kpviz.settings.view import ViewState, read_view

if TYPE_CHECKING:
    from kpviz.app.jobs import FileJob, FinishedFile

STAGE = "stage"
_KEY = "session"


@dataclass(frozen=True)
class CueDraft:
    """Cues that are not applied yet, the link of their settings, and what is wrong."""

    text: str
    of: str
    problem: str | None = None


@dataclass
class Session:
    """The dialog that is open, what it is about, and what it is at work on.

    `reply` is the command with which the last dialog ended: the player gives it to the run service.
    """

    dialog: str | None = None
    state: PageState = field(default_factory=lambda: PageState(Settings.of()))
    picture: int = 0  # The instant that dialogs are about.
    address: str = ""  # The address of what is shown, as the player has it.
    n_opened: int = 0  # So often a dialog was opened.
    n_closed: int = 0  # So often one was closed.
    reply: Mapping[str, Any] | None = None
    notice: str | None = None
    # The lesson that is open: {"name": …} of the server's, or {"text": …}.
    lesson: Mapping[str, Any] | None = None
    job: FileJob | None = None  # The film, or the like, that is being made.
    film: FinishedFile | None = None  # The last one made.
    draft: CueDraft | None = None  # The draft of cues.

    @property
    def settings(self) -> Settings:
        """The settings that the dialog is about."""
        return self.state.settings

    @property
    def pins(self) -> tuple[Pin, ...]:
        """The runs pinned beside them."""
        return self.state.pins

    @property
    def seen(self) -> ViewState:
        """What the player shows, as it said when the dialog was opened."""
        return read_view(links.pairs(self.address))[0]

    def close(self) -> None:
        """Close the dialog."""
        self.dialog = None
        self.n_closed += 1

    def end(self, name: str, value: Any) -> None:
        """Close the dialog with a command for the player."""
        self.close()
        self.reply = {"n": self.n_opened, "name": name, "value": value}


def current() -> Session:
    """Return this tab's session."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = Session()
    return st.session_state[_KEY]  # type: ignore[no-any-return]


def close() -> None:
    """Close the dialog of this tab, whoever closed it."""
    current().close()


# ---- what the player sends -----------------------------------------------------------------------


def on_dialog(names: frozenset[str]) -> None:
    """Open the dialog that a page asked for."""
    value = st.session_state.get(STAGE, {}).get("dialog")
    if not isinstance(value, Mapping) or value.get("name") not in names:
        return
    t = value.get("t")
    link = value.get("link")
    if type(t) is not int or t < 0 or not isinstance(link, str):
        return
    stored.bring(value.get("bring"))
    linked_state = links.read(links.pairs(link))
    now = current()
    now.n_opened += 1
    if linked_state.notices:  # The file is gone, but the run may still be there to be watched.
        now.notice = linked_state.notices[0].words
        return
    now.dialog = value["name"]
    now.state = linked_state
    now.picture = t
    now.address = str(value.get("address") or "")
    lesson = value.get("lesson")
    now.lesson = lesson if isinstance(lesson, Mapping) else None
    draft = value.get("draft")
    if isinstance(draft, str):  # This server may not know it.
        now.draft = CueDraft(draft, linked_state.link)


def say_notice(session: Session) -> None:
    """Say what came of a dialog that is closed or was not opened."""
    if session.notice is not None:
        warn(session.notice)
        session.notice = None
