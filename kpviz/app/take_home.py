"""What one takes home: the link as a code to point a phone at, Python, a notebook, tables, settings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from io import BytesIO
from urllib.parse import urlsplit

import streamlit as st

from kpviz import experiment
from kpviz.app import runs
from kpviz.app.session import Session, close
from kpviz.app.text import plain
from kpviz.lessons import comparison, presets
from kpviz.service import stored
from kpviz.settings import BOOLEAN, VIEW_KEYS, Settings, conditions

_LONGEST = 900  # characters of a link that a phone still reads from a projector
ONLY_HERE = ("localhost", "127.0.0.1", "::1", "")


@st.dialog("Take it home", width="large", on_dismiss=close)
def dialog(session: Session) -> None:
    """Offer the run in each form; a file is made when it is asked for."""
    names = ["Python", "Notebook", "Worksheet", "Tables and settings", "Link"]
    *lesson, python, notebook, sheet, tables, link = st.tabs([*(["Lesson"] if session.lesson else []), *names])
    for tab in lesson:
        with tab:
            _lesson(session)
    with python:
        _python(session.settings)
    with notebook:
        st.markdown("The same run in a Jupyter notebook, cell by cell, with a picture. It needs numpy and matplotlib.")
        empty = not len(_split(session.settings).y)
        _offer("Notebook", session.settings, "ipynb", "application/x-ipynb+json", _notebook, disabled=empty)
    with sheet:
        _worksheet(session)
    with tables:
        _tables(session)
    with link:
        _link(session)


def _lesson(session: Session) -> None:
    from kpviz.app import lesson_offer

    lesson_offer.offer(session)


def _python(settings: Settings) -> None:
    try:
        text = _script(settings)
    except ValueError as error:  # of no examples
        st.info(plain(str(error)))
        return
    st.markdown("The same run as a script. It needs numpy.")
    _offer("Download", settings, "numpy.py", "text/x-python", _script)
    st.code(text, language="python", height=420)


def _worksheet(session: Session) -> None:
    from kpviz.export.print import typeset

    settings = session.settings
    empty = not len(_split(settings).y)
    st.markdown(
        "For a class, on paper: the examples, the rule, the next steps with blanks and room to draw the boundary; and "
        "the same with the blanks filled in."
    )
    if find_spec("typst") is None:
        st.info(typeset.MISSING)
    else:
        _sheets(settings, session.picture or 0, disabled=empty)


def _sheets(settings: Settings, first: int, *, disabled: bool) -> None:
    with st.container(horizontal=True):
        for label, ending, solved in (("Worksheet", "worksheet.pdf", False), ("Solutions", "solutions.pdf", True)):
            make = partial(_sheet, first=first, solved=solved)
            _offer(label, settings, ending, "application/pdf", make, disabled=disabled)


def _tables(session: Session) -> None:
    settings = session.settings
    st.markdown("**The run**, a row for each step: epoch, example, y, f, margin, mistake, alpha, in full precision.")
    with st.container(horizontal=True):
        _offer("Run as CSV", settings, "run.csv", "text/csv", _run_csv)
        _offer("Run as JSON", settings, "run.json", "application/json", _run_json)
    st.markdown(f"**The examples**, {_examples(settings)}")
    _offer("Examples as CSV", settings, "examples.csv", "text/csv", _data_csv)
    st.markdown("**The settings**, with drawn points and the rows of a file; drop them on the board, or")
    st.code(f"kpviz train {_name(settings, 'settings.json')} -o run.csv", language="console", wrap_lines=True)
    _offer("Settings as JSON", settings, "settings.json", "application/json", _settings_file)


def _examples(settings: Settings) -> str:
    """Say what the table of the examples holds, and what becomes of it."""
    if conditions.has_plane(settings.values):
        return "in their own units. Opened again they are shuffled and scaled, as any file is."
    row = "the bits of each input" if settings.data == BOOLEAN else "each as a text"
    return f"{row} and the class. What kpviz opens again are the settings: it reads tables of points only."


def _link(session: Session) -> None:
    if session.settings.stored_name is not None:
        st.warning(
            "There are more points than a link holds: it works on this server only. Save the settings as a file, which "
            "the board opens again when it is dropped there."
        )
    address = f"{(st.context.url or '').partition('?')[0].rstrip('/')}/?{_query(session)}"
    st.code(address, language=None, wrap_lines=True)
    why = why_no_code(address)
    if why:
        st.info(why)
        return
    import segno

    picture = BytesIO()
    segno.make(address, error="l", micro=False).save(picture, kind="png", scale=6, border=3)
    st.image(picture.getvalue(), caption="Point a phone at it to open this instant.", alt="The link as a QR code")


def why_no_code(address: str) -> str | None:
    """Return why there is no code for an address that phones could read, in a sentence; None if there is one."""
    if (urlsplit(address).hostname or "") in ONLY_HERE:
        return "A code for phones needs an address that they reach: start kpviz with `kpviz app --lan`."
    if len(address) > _LONGEST:
        return f"A code for phones holds {_LONGEST} characters, and this link has {len(address):,}: use fewer points."
    return None


def _query(session: Session) -> str:
    """The address as the player has it, if it is of these settings; else without its panels."""
    link = session.settings.link()
    rest = session.address.removeprefix(link)
    keys = [part.partition("=")[0] for part in rest.split("&")[1:]]
    if session.address.startswith(link) and rest[:1] in ("", "&") and all(map(_of_the_view, keys)):
        return session.address
    settings = session.settings
    step = f"t={session.picture}" if session.picture else ""
    parts = [settings.link(), presets.query(settings, session.pins), step]
    return "&".join(part for part in parts if part)


def _of_the_view(key: str) -> bool:
    return key in VIEW_KEYS or comparison.is_key(key)


def _offer(
    label: str,
    settings: Settings,
    ending: str,
    mime: str,
    make: Callable[[Settings], str | bytes],
    *,
    disabled: bool = False,
) -> None:
    name = _name(settings, ending)
    st.download_button(
        label, partial(make, settings), name, mime, on_click="ignore", key=f"save-{ending}", disabled=disabled
    )


def _name(settings: Settings, ending: str) -> str:
    """What a file is called when it is saved."""
    return f"kpviz-{settings.data}-{settings.kernel}.{ending}"


def _split(settings: Settings) -> experiment.Split:
    """The examples, without training again."""
    return runs.split_of(settings)


def _script(settings: Settings) -> str:
    from kpviz.export import script

    return script.numpy_script(settings, _split(settings))


def _notebook(settings: Settings) -> str:
    from kpviz.export import notebook

    return notebook.notebook(settings, _split(settings))


def _sheet(settings: Settings, *, first: int, solved: bool) -> bytes:
    from kpviz.export.print import typeset
    from kpviz.export.print.worksheet import Worksheet

    split, run = runs.run_of(settings)
    begins = first if first < run.n_steps else 0
    return typeset.pdf(Worksheet(settings.without_cues, split, run, begins).sheet(solved=solved))


def _run_csv(settings: Settings) -> str:
    from kpviz.export import record

    return record.to_csv(runs.run_of(settings)[1])


def _run_json(settings: Settings) -> str:
    from kpviz.export import record

    split, run = runs.run_of(settings)
    return record.to_json(run, settings, split)


def _data_csv(settings: Settings) -> str:
    from kpviz.export import record

    return record.data_csv(_split(settings))


def _settings_file(settings: Settings) -> str:
    from kpviz.export import settings_file

    return settings_file.write(settings, stored.table(settings))
