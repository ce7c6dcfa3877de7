"""The player's page, opened as Streamlit opens it, with a dialog, for the tests of what
is in it.
"""

from pathlib import Path

from streamlit.testing.v1 import AppTest
from visitor import Page

import kpviz
from kpviz.app.session import Session
from kpviz.service.state import PageState
from kpviz.settings import Settings

APP = str(Path(kpviz.__file__).parent / "app" / "pages.py")


def about(settings=None, pins=(), **more):
    """A session with a dialog about these settings."""
    return Session(state=PageState(settings or Settings.of(), pins), **more)


def opened(dialog=None, settings=None, **more):
    """The page with a dialog."""
    at = AppTest.from_file(APP, default_timeout=60)
    at.session_state["session"] = about(settings, dialog=dialog, **more)
    return ran(at)


def ran(at, *_acts):
    """Run it after what a hand did, and expect no exception and one player."""
    at.run()
    assert not at.exception, at.exception[0].message
    assert len(at.get("bidi_component")) == 1
    return at


def session_of(at):
    return at.session_state["session"]


def replied(at):
    """What the page shows after the command with which a dialog ended; as it was, if there was
    none.
    """
    page = Page(session_of(at).state.link)
    reply = session_of(at).reply
    if reply is not None:
        page.do((reply["name"], reply["value"]))
    return page


def part_ran(at):
    """A part of the page, run alone: no exception is expected."""
    at.run()
    assert not at.exception, at.exception[0].message
    return at


def part_made(at, button):
    """What such a part shows once the job that a button begins has ended."""
    at.button(key=button).click()
    part_ran(at)
    job = at.session_state["here"].job
    if job is not None:
        job._thread.join(60)
        part_ran(at)  # as the fragment does when it looks
    return at
