"""The cues of a lecture as text: to be written, checked, opened and saved.

Tests: tests/app/test_lecture.py.
"""

from __future__ import annotations

import streamlit as st

from kpviz.app import runs
from kpviz.app.session import CueDraft, Session, close, current
from kpviz.app.text import plain
from kpviz.settings.cues import LONGEST_CUES, Cues, Places

_LARGEST = 100_000  # In bytes: the largest file.
_TEXT = "lecture-text"
_FILE = "lecture-file"
_EXPLAINED = """
One cue per line: place, pause, speed, highlights, then a colon and the text. Only the place
is required.
"""
_EXAMPLE = """
title: XOR with a Gaussian kernel
start hold 4: No straight line separates these.
mistake 3 light x12, margins: Look here.
    Ask first: which side will it be on?
epoch 1
end: Solved.
"""
_MEANT = """
- **Place**: `start`, `end`, `mistake 3`, `epoch 2` (its end), or a step, as `12`.
- **Speed**: up to the next cue the run plays, with `speed 8`, eight times as fast.
- **Lights up**: examples, as `x12`, and `map`, `alpha`, `own`, `margins`, `timeline`.
- Without words the sentence of the step stands; without `hold` it holds as long as reading takes.
- Indented lines are notes for you, shown in the notes window only (Shift N on the board). The link
  holds them too.
- Lines that begin with `#` are comments; a link does not keep them.
"""


@st.dialog("Cues of a lecture", width="large", on_dismiss=close)
def dialog(session: Session) -> None:
    """Show the cues as text; what is written there stays until it is applied or given up."""
    draft = _draft(session)
    left, right = st.columns([3, 2])
    with left:
        st.session_state[_TEXT] = draft.text
        st.text_area("Cues", height=260, key=_TEXT, on_change=_write)
        cues = _checked(draft)
        if cues is not None:
            with runs.training():
                _, run = runs.run_of(session.settings)
            missing = Places.of(run.mistake, run.epoch_start, len(run.y)).missing(cues)
            if missing:
                listed = "\n".join(f"- {plain(phrase)}" for phrase in missing)
                st.warning(f"Not in this run, so skipped:\n{listed}", icon=":material/info:")
        with st.container(horizontal=True):
            if st.button("Apply", type="primary", key="lecture-apply") and cues is not None:
                session.draft = None
                session.end("cues", cues.plain)
                st.rerun()
            name = "lecture.txt"
            st.download_button(
                f"Save as {name}",
                draft.text,
                name,
                "text/plain",
                on_click="ignore",
                key="lecture-save",
            )
            st.button(
                "Start again",
                key="lecture-again",
                on_click=_give_up,
                disabled=draft.text == _text(session),
                help="Back to the cues as they are now.",
            )
        st.file_uploader("Open a text file of cues", type=["txt"], key=_FILE, on_change=_open)
    with right:
        st.markdown(_EXPLAINED)
        st.code(_EXAMPLE.strip(), language=None, wrap_lines=True)
        st.markdown(_MEANT)


def _draft(session: Session) -> CueDraft:
    """What was written for these settings, cues included, else their cues."""
    link = session.state.link
    if session.draft is not None and session.draft.of == link:
        return session.draft
    return CueDraft(_text(session), link)


def _text(session: Session) -> str:
    return Cues.of_code(session.settings.cues).text


def _write() -> None:
    session = current()
    session.draft = CueDraft(st.session_state[_TEXT], session.state.link)


def _open() -> None:
    """Put the text of a file in place of what is written.

    A file that is no text leaves it as it is.
    """
    session = current()
    upload = st.session_state[_FILE]
    if upload is None:
        return
    content = upload.getvalue()
    before = _draft(session)
    if len(content) > _LARGEST:
        problem = (
            f"The file has {len(content):,} bytes, too many for a lecture’s cues: give at "
            f"most {_LARGEST:,}."
        )
    else:
        try:
            session.draft = CueDraft(content.decode("utf-8-sig"), before.of)
            return
        except UnicodeDecodeError:
            problem = "The file is not a text in UTF-8: save it as plain text, and open it again."
    session.draft = CueDraft(before.text, before.of, problem)


def _checked(draft: CueDraft) -> Cues | None:
    """The cues of what is written; None, with a sentence on the screen, if they cannot be used."""
    if draft.problem:
        st.error(plain(draft.problem), icon=":material/error:")
    try:
        cues = Cues.read(draft.text)
        if len(cues.code) > LONGEST_CUES:
            raise ValueError(
                f"All cues together have {len(cues.code):,} characters: a link holds "
                f"{LONGEST_CUES:,} "
                "of them. "
                "Shorten some words or notes."
            )
    except ValueError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None
    count = len(cues.cues)
    st.caption(
        f"{count} cue{'' if count == 1 else 's'}, {len(cues.code):,} of {LONGEST_CUES:,} "
        "characters. "
        "Ctrl+Enter checks again."
    )
    return cues


def _give_up() -> None:
    current().draft = None
