"""What one takes home and shows elsewhere: the dialogs *Take it home* and *Show it elsewhere*.

What is a file of the settings stands in a table, and is made when it is asked for. Films, and what is made of lessons,
are jobs.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import segno
import streamlit as st
from matplotlib.figure import Figure

from kpviz import experiment, packages, panels
from kpviz.app import runs
from kpviz.app.jobs import FileJob, FileNotes, Make, begin, drawing, watch
from kpviz.app.session import Session, close
from kpviz.app.text import plain
from kpviz.engine.run.predictors import Progress
from kpviz.export import PICTURES, RATES, SIZES, ffmpeg, films, notebook, pace, record, scenes, script, settings_file
from kpviz.export.films import FilmOptions
from kpviz.export.pace import Caption
from kpviz.export.page import lesson as lesson_page
from kpviz.export.page import page
from kpviz.export.print import typeset
from kpviz.export.print.handout import Handout
from kpviz.export.print.worksheet import Worksheet
from kpviz.lessons import comparison, presets, shelf
from kpviz.lessons.file.lesson import Lesson
from kpviz.picture import figure
from kpviz.picture.stage import RenderOptions
from kpviz.service import join, stored
from kpviz.service import lesson as lessons
from kpviz.settings import BOOLEAN, VIEW_KEYS, Settings, conditions
from kpviz.settings.cues import Cues

_DPI, _LESSON_DPI = 200, 150
_SEEN = 1280  # pixels of the longer side of a picture, in the dialog
_SPEEDS = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 25.0)
_BOARD, _NATURAL = "board", "natural"
_NAMES = {
    "png": "PNG",
    "svg": "SVG",
    "pdf": "PDF",
    "print": "grey, for print",
    "auto": "as the reader has it",
    _NATURAL: "its own shape",
    _BOARD: "The whole board",
    "a4": "A4 landscape",
    "a4-upright": "A4 upright",
    1.0: "default",
}
_MIMES = {"png": "image/png", "svg": "image/svg+xml", "pdf": "application/pdf"}


class File(NamedTuple):
    """A file of the settings: what its button says, the ending of its name, its type, and what makes it."""

    label: str
    ending: str
    mime: str
    make: Callable[[Settings], str | bytes]


def _as_csv(settings: Settings) -> str:
    split, run = runs.run_of(settings)
    return record.to_csv(run, split.lines)


def _as_json(settings: Settings) -> str:
    split, run = runs.run_of(settings)
    return record.to_json(run, settings, split)


_PYTHON = File("Download", "numpy.py", "text/x-python", lambda each: script.numpy_script(each, runs.split_of(each)))
_NOTEBOOK = File(
    "Notebook", "ipynb", "application/x-ipynb+json", lambda each: notebook.notebook(each, runs.split_of(each))
)
_RUN = (
    File("Run as CSV", "run.csv", "text/csv", _as_csv),
    File("Run as JSON", "run.json", "application/json", _as_json),
)
_EXAMPLES = File("Examples as CSV", "examples.csv", "text/csv", lambda each: record.data_csv(runs.split_of(each)))
_SETTINGS = File(
    "Settings as JSON",
    "settings.json",
    "application/json",
    lambda settings: settings_file.write(settings, stored.table(settings)),
)


def _name(settings: Settings, ending: str) -> str:
    return f"kpviz-{settings.data}-{settings.kernel}.{ending}"


def _offer(settings: Settings, *files: File, disabled: bool = False) -> None:
    """Draw a button for each file, which is made when it is asked for."""
    with st.container(horizontal=True):
        for label, ending, mime, make in files:
            name, key = _name(settings, ending), f"save-{ending}"
            made = partial(make, settings)
            st.download_button(label, made, name, mime, on_click="ignore", key=key, disabled=disabled)


def _chosen(label: str, options: Sequence[Any], key: str, default: Any = None, **look: Any) -> Any:
    """Draw a choice of which one is always taken; return it. Unlike a tab, it keeps the focus, which Escape needs."""
    return st.segmented_control(
        label,
        list(options),
        default=options[0] if default is None else default,
        format_func=lambda each: _NAMES.get(each, str(each)),
        required=True,
        key=key,
        **look,
    )


def _sized(sizes: Mapping[str, tuple[int, int]], key: str, *, natural: bool = False, first: int = 0) -> Any:
    """Draw a choice of sizes; return its name."""

    def named(name: str) -> str:
        return _NAMES[name] if name == _NATURAL else f"{_NAMES.get(name, name)} · {sizes[name][0]} × {sizes[name][1]}"

    return st.selectbox("Size", [*([_NATURAL] if natural else []), *sizes], index=first, format_func=named, key=key)


# ---- take it home ---------------------------------------------------------------------------------


_LONG = re.compile(r"^(\w+ = np\.array\(\[)\n(?: .*\n)+\]", re.MULTILINE)  # the data, in many lines


@st.dialog("Take it home", width="large", on_dismiss=close)
def take_home(session: Session) -> None:
    """Offer the run in each form, and the lesson that is open."""
    settings = session.settings
    empty = not len(runs.split_of(settings).y)
    names = ["Python", "Notebook", "Worksheet", "Tables and settings"]
    *lesson, python, book, sheet, tables = st.tabs([*(["Lesson"] if session.lesson else []), *names])
    for tab in lesson:
        with tab:
            of_lesson(session)
    with python:
        try:
            text = str(_PYTHON.make(settings))
        except ValueError as error:  # of no examples
            st.info(plain(str(error)))
        else:
            st.markdown("The same run as a script. It needs numpy.")
            _offer(settings, _PYTHON)
            st.code(_LONG.sub(r"\1 … ]", text), language="python", height=420)
            with st.expander("The whole script, with its data"):
                st.code(text, language="python", height=420)
    with book:
        st.markdown("The same run in a Jupyter notebook, cell by cell, with a picture. It needs numpy and matplotlib.")
        _offer(settings, _NOTEBOOK, disabled=empty)
    with sheet:
        st.markdown(
            "For a class, on paper: the examples, the rule, the next steps with blanks and room to draw the boundary; "
            "and the same with the blanks filled in."
        )
        if lacking := packages.missing("A sheet", "print"):
            st.info(lacking)
        else:
            make = partial(_sheet, session.picture or 0)
            sheets = ("Worksheet", "worksheet.pdf", False), ("Solutions", "solutions.pdf", True)
            files = [File(label, ending, _MIMES["pdf"], partial(make, solved)) for label, ending, solved in sheets]
            _offer(settings, *files, disabled=empty)
    with tables:
        st.markdown(
            "**The run**, a row for each step: epoch, example, y, f, margin, mistake, alpha, in full precision."
        )
        _offer(settings, *_RUN)
        row = "the bits of each input" if settings.data == BOOLEAN else "each as a text"
        becomes = f"{row} and the class. What kpviz opens again are the settings: it reads tables of points only."
        if conditions.has_plane(settings.values):
            becomes = "in their own units and in this order; those held out come last."
        st.markdown(f"**The examples**, {becomes}")
        _offer(settings, _EXAMPLES)
        st.markdown("**The settings**, with drawn points and the rows of a file; drop them on the board, or")
        command = f"kpviz train {_name(settings, _SETTINGS.ending)} -o run.csv"
        st.code(command, language="console", wrap_lines=True)
        _offer(settings, _SETTINGS)


def _sheet(first: int, solved: bool, settings: Settings) -> bytes:
    split, run = runs.run_of(settings)
    begins = first if first < run.n_steps else 0
    return typeset.pdf(Worksheet(settings.without_cues, split, run, begins).sheet(solved=solved))


def _query(session: Session) -> str:
    """Return the address as the player has it, if it is of these settings; else without its panels."""
    link = session.settings.link()
    more = session.address.removeprefix(link)
    keys = [part.partition("=")[0] for part in more.split("&")[1:]]
    of_the_view = all(key in VIEW_KEYS or comparison.is_key(key) for key in keys)
    if session.address.startswith(link) and more[:1] in ("", "&") and of_the_view:
        return session.address
    step = f"t={session.picture}" if session.picture else ""
    return "&".join(filter(None, [link, presets.query(session.settings, session.pins), step]))


def _address() -> str | None:
    """Return where this app is, if others reach it there."""
    address = join.reached((st.context.url or "").partition("?")[0])
    return None if join.is_only_here(address) else address


# ---- show it elsewhere ----------------------------------------------------------------------------


@st.dialog("Show it elsewhere", width="large", on_dismiss=close)
def elsewhere(session: Session) -> None:
    """Offer the picture, the film, the page and the link; only what is in front is made."""
    offers = {"Picture": of_picture, "Film": of_film, "Page": of_page, "Link": of_link}
    what = _chosen("What", list(offers), "elsewhere", label_visibility="collapsed", width="stretch")
    offers[what](session)


def of_picture(session: Session) -> None:
    """Offer the instant, the whole board or one panel."""
    settings = session.settings
    with runs.training():
        experiments = runs.comparison_of(settings, session.pins)
    shown = (
        panels.available(experiment.provided(settings), panels.SINGLE)
        if len(experiments.current.run.y)
        else ("map", "code")
    )
    what, size, theme = st.columns([2, 2, 3], vertical_alignment="bottom")
    titles = {name: panels.BY_NAME[name].title for name in shown}
    titled = {_BOARD: _NAMES[_BOARD], **titles}
    panel = what.selectbox("Show", list(titled), format_func=titled.__getitem__, key="picture-panel")
    whole = panel == _BOARD
    with size:
        chosen = _sized(PICTURES, f"picture-size-{whole}", natural=not whole)
    look = _look(session, theme, "" if whole else panel)
    experiments = experiments if whole else experiments.alone
    t = min(session.picture, experiments.end)
    name = f"kpviz-{settings.data}-{settings.kernel}-step-{t}{'' if whole else f'-{panel}'}"
    if _draw(name, look, lambda: figure.draw(experiments, t, look, _inches(chosen))) and session.pins and not whole:
        st.caption("This is the current run; the pinned ones are on the picture of the whole board.")


def _look(session: Session, column: st.delta_generator.DeltaGenerator, only: str = "") -> RenderOptions:
    """Draw the choice of theme and background; return the look, of the panel `only` or of the board."""
    with column, st.container(horizontal=True, vertical_alignment="bottom"):
        theme = _chosen("Theme", ("light", "dark", "print"), "picture-theme")
        clear = st.toggle(
            "Transparent background", key="picture-clear", help="for a slide as light or dark as the theme"
        )
    seen = session.seen
    return RenderOptions(theme, seen.show, only, transparent=clear, angles=seen.turn, over=seen.over)


def _inches(size: str) -> tuple[float, float] | None:
    return None if size == _NATURAL else (PICTURES[size][0] / _DPI, PICTURES[size][1] / _DPI)


def _draw(name: str, look: RenderOptions, draw: Callable[[], Figure]) -> bool:
    """Show a picture on the background that it is meant for, and offer it in each format; return whether it is."""
    try:
        with drawing():
            drawn = draw()
            dpi = _SEEN / max(drawn.get_size_inches())
            seen = figure.save(drawn, "png", dpi=dpi, background=look.colours["paper"])
    except ValueError as error:  # nothing to show, or nothing to draw with
        st.info(str(error))
        return False
    with st.container(horizontal=True):
        for kind in figure.FORMATS:
            made = partial(_saved, drawn, kind)  # when it is asked for: what is made now may be gone by then
            st.download_button(_NAMES[kind], made, f"{name}.{kind}", _MIMES[kind], on_click="ignore")
    st.image(seen, alt="The picture as it will be saved")
    return True


def _saved(drawn: Figure, kind: str) -> bytes:
    with drawing(announced=False):  # a download has no place on the page
        return figure.save(drawn, kind, dpi=_DPI)


def of_film(session: Session) -> None:
    """Draw what can be chosen, how long the film lasts, and the buttons that make and save it."""
    settings = session.settings
    with runs.training():
        experiments = runs.comparison_of(settings, session.pins)
    if not len(experiments.current.run.y):
        st.info("There are no examples yet, so there is no film: draw some first.")
        return
    cues = Cues.of_code(settings.cues)
    options = _film_options(session, experiments.end, cues)
    try:
        reel = films.film(experiments, cues, options)
        missing = films.missing(reel)
    except ValueError as error:
        st.warning(plain(str(error)))
        return
    seconds = reel.n_frames / reel.fps
    lasts = f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.1f} min"
    shows = f"all {len(experiments.letters)} runs side by side" if experiments.pinned else "the panels that you see now"
    parts = [f"It lasts {lasts}: {reel.n_frames:,} frames. It shows {shows}."]
    parts += ["At each cue it holds for the seconds that the cue says."] if cues.cues else []
    parts += [f"What cannot be shown: {'; '.join(missing[:3])}."] if missing else []
    st.caption(plain(" ".join(parts)))
    wanted = repr((settings.query(), comparison.query(session.pins), options))
    made = session.film if session.film is not None and session.film.wanted == wanted else None
    with st.container(horizontal=True):
        begun = st.button("Make the film", type="primary", key="make-film", disabled=session.job is not None)
        if made is not None:
            _save_made(made.content, _name(settings, "mp4"), "video/mp4", "save-film")
        _save_captions(films.captions(reel), Path(_name(settings, "mp4")).stem)
    if begun:
        begin(session, FileJob(lambda path, progress: films.save(reel, path, progress), "mp4", wanted))
    if session.job is not None:
        watch(session)
    elif made is not None:
        st.success("The film is done.", icon=":material/check:")
        with st.columns([3, 2])[0]:
            st.video(made.content, format="video/mp4")


def _film_options(session: Session, n_steps: int, cues: Cues) -> FilmOptions:
    """Draw the widgets; return what they say."""
    size, rate, theme = st.columns([3, 2, 2])
    with size:
        width, height = SIZES[_sized(SIZES, "film-size", first=1)]
    fps = rate.selectbox("Frames/s", RATES, index=RATES.index(30), key="film-fps")
    look = theme.selectbox("Theme", ["light", "dark"], key="film-theme")
    part, pace = st.columns([3, 2])
    first, last = (
        part.slider("From step to step", 0, n_steps, (0, n_steps), key=f"film-part-{n_steps}") if n_steps else (0, 0)
    )
    named = {speed: _NAMES.get(speed, f"{speed:g} ×") for speed in _SPEEDS}
    speed = pace.select_slider("Speed", _SPEEDS, 1.0, format_func=named.__getitem__, key="film-speed")
    usual = cues.title or experiment.title(session.settings)
    head, burnt = st.columns([3, 2], vertical_alignment="bottom")
    title = head.text_input("Title (none: begins without a card)", usual, max_chars=120, key="film-title")
    words = burnt.toggle("Sentences in the picture", value=True, key="film-words")
    options = FilmOptions(first, last, speed, width, height, fps, look, title=title.strip() or None, words=words)
    seen = session.seen
    return replace(options, panels=seen.show, angles=seen.turn, over=seen.over)


def _save_made(content: bytes, name: str, mime: str, key: str) -> None:
    label = f"Save {name} ({len(content) / 1e6:.1f} MB)"
    kept = partial(bytes, content)  # given when it is asked for: what is given now may be gone by then
    st.download_button(label, kept, name, mime, on_click="ignore", key=key, type="primary")


def _save_captions(spoken: Sequence[Caption], stem: str) -> None:
    for ending, write in (("vtt", pace.to_vtt), ("srt", pace.to_srt)):
        label, name = f"Captions (.{ending})", f"{stem}.{ending}"
        st.download_button(label, write(spoken), name, "text/plain", on_click="ignore", key=f"save-{ending}")


def of_page(session: Session) -> None:
    """Draw what the page that plays itself is, what can be chosen, and the button that makes and saves it."""
    settings = session.settings
    st.markdown(
        "**One file that plays this run**, with the player in it, without server and network. Open it from disk, send "
        "it by mail, or show it in slides and on course sites:"
    )
    name = _name(settings, "html")
    st.code(f'<iframe src="{name}" width="960" height="600" allow="fullscreen"></iframe>', language="html")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        theme = _chosen("Theme", ("auto", "light", "dark"), "page-theme")
        opens = _chosen("Opens at", ("the start", "this step"), "page-opens")
        autoplay = st.toggle("Plays by itself", value=True, key="page-autoplay")
        loop = st.toggle("Starts over at the end", value=False, key="page-loop", disabled=not autoplay)
    view = replace(session.seen, t=session.picture if opens == "this step" else 0, stage=None)
    options = {"theme": theme, "autoplay": autoplay, "loop": autoplay and loop, "address": _address()}
    if not len(runs.split_of(settings).y):
        st.info("There are no examples yet, so there is nothing to play: draw some first.")
        return

    def make() -> str:  # when it is asked for
        experiments = runs.comparison_of(settings.without_cues, session.pins)
        return page.page(experiments, Cues.of_code(settings.cues), view=view, **options)

    st.download_button("Save the page", make, name, "text/html", on_click="ignore", key="save-page", type="primary")
    parts = ["It opens with the panels that you see now; settings cannot be changed in it."]
    if settings.cues:
        parts.append("At each cue it holds for the seconds that the cue says. Your notes are not in it.")
    parts += ["The pinned runs are in it too."] if session.pins else []
    st.caption(" ".join(parts))


def of_link(session: Session) -> None:
    """Draw the link, the frame that shows it in another page, and the code with which phones open it."""
    if session.settings.stored_name is not None:
        st.warning(
            "There are more points than a link holds: it works on this server only. Save the settings as a file, which "
            "the board opens again when it is dropped there."
        )
    address = join.reached(f"{(st.context.url or '').partition('?')[0].rstrip('/')}/?{_query(session)}")
    st.code(address, language=None, wrap_lines=True)
    st.caption("In a page of your own, as a frame:")
    frame = f'<iframe src="{escape(address)}" width="960" height="600" allow="fullscreen"></iframe>'
    st.code(frame, language="html", wrap_lines=True)
    if why := join.why_no_code(address):
        st.info(why)
        return
    picture = BytesIO()
    segno.make(address, error="l", micro=False).save(picture, kind="png", scale=6, border=3)
    st.image(picture.getvalue(), caption="Point a phone at it to open this instant.", alt="The link as a QR code")


# ---- a lesson, all of it ----------------------------------------------------------------------------


class Form(NamedTuple):
    """What can be made of a lesson: what it is called, the ending and type of its file, and a line about it."""

    title: str
    ending: str
    mime: str
    about: str


_FORMS = {
    "handout": Form("Handout", "pdf", "application/pdf", "Words, pictures and tasks on paper."),
    "solutions": Form("Solutions", "pdf", "application/pdf", "The handout with the solutions of its tasks."),
    "page": Form("Page", "html", "text/html", "One file to be read and answered without a server and network."),
    "slides": Form("Slides", "zip", "application/zip", "Words and pictures of each scene."),
    "film": Form("Film", "mp4", "video/mp4", "Each scene is a chapter. Captions come with it."),
    "captions": Form(
        "Captions", "vtt", "text/plain", "What the film says and when, without the film: as .vtt and as .srt."
    ),
}
_SOLVED = ("solutions", "page")  # for those who have the solutions
_WITHOUT = "For the solutions and the web page, open the lesson’s own file: drop it on the board."


def of_lesson(session: Session) -> None:
    """Draw what can be made of the lesson, and the buttons that make and save it."""
    source = session.lesson or {}
    try:
        lesson = lessons.opened(source)
    except ValueError as error:
        st.warning(plain(str(error)))
        return
    # Who has the file has the solutions, and everyone those of the lessons that come along.
    known = not lesson.students and ("text" in source or shelf.is_shipped(str(source.get("name"))))
    forms = {name: each for name, each in _FORMS.items() if known or name not in _SOLVED}
    st.markdown(f"**{plain(lesson.title)}**, all of it:")
    titles = {name: each.title for name, each in forms.items()}
    name = st.segmented_control(
        "As", list(forms), default="handout", format_func=titles.__getitem__, required=True, key="lesson-form"
    )
    st.caption(" ".join([forms[name].about, *([] if known else [_WITHOUT])]))
    if why := _missing(name):
        st.info(plain(why))
        return
    stem, form = str(source.get("name") or "lesson"), forms[name]
    make, chosen = _maker(name, lesson, stem)
    wanted = f"{hashlib.sha256(lesson.text.encode()).hexdigest()} {form.title} {chosen}"
    made = session.film if session.film is not None and session.film.wanted == wanted else None
    with st.container(horizontal=True):
        if st.button("Make it", type="primary", key="make-lesson", disabled=session.job is not None):
            begin(session, FileJob(make, form.ending, wanted, what=form.title.lower()))
        if made is not None and made.content:  # none of captions alone, which are called as those of the film
            _save_made(made.content, f"{stem}-{form.title.lower()}.{form.ending}", form.mime, "save-lesson")
        if made is not None and made.notes.captions:
            _save_captions(made.notes.captions, f"{stem}-film")
    if made is not None and made.notes.missing:
        phrases = "".join(f"\n- {plain(phrase)}" for phrase in made.notes.missing)
        st.caption(f"What cannot be shown:\n{phrases}")
    if session.job is not None:
        watch(session)


def _missing(name: str) -> str:
    """Say what is not installed, "" if nothing is missing."""
    if name in ("handout", "solutions"):
        return packages.missing("A sheet", "print")
    if name == "film":
        try:
            ffmpeg.executable()
        except ValueError as error:
            return str(error)
    return ""


def _maker(name: str, lesson: Lesson, stem: str) -> tuple[Make, str]:
    """Draw what can be chosen; return what makes the file, and what tells it from others."""
    if name in ("handout", "solutions"):
        solved = name == "solutions"
        return _writing(lambda: typeset.pdf(Handout(lesson, solved=solved).sheet())), name
    if name == "page":
        address = _address()
        return _writing(lambda: lesson_page.page(lesson, stem, address=address).encode()), f"{name} {address}"
    if name == "captions":
        return partial(_lesson_film, lesson, FilmOptions(), False), name
    theme = _chosen("Theme", ("light", "dark"), "lesson-theme")
    if name == "slides":
        return partial(_slides, lesson, theme), f"{name} {theme}"
    width, height = SIZES[st.selectbox("Size", list(SIZES), index=1, key="lesson-size")]
    options = FilmOptions(width=width, height=height, theme=theme)
    return partial(_lesson_film, lesson, options, True), repr(options)


def _writing(content: Callable[[], bytes]) -> Make:
    def make(path: Path, progress: Progress) -> None:
        path.write_bytes(content())

    return make


def _slides(lesson: Lesson, theme: str, path: Path, progress: Progress) -> FileNotes:
    width, height = PICTURES["16:9"]
    look, missing = RenderOptions(theme), []
    with zipfile.ZipFile(path, "w") as archive:
        found = list(scenes.staged(lesson, runs.trained))
        missing += [phrase for each in found for phrase in scenes.missing_on_slides(each, width, height)]
        for name, drawn in scenes.slides(lesson, found, look, (width / _LESSON_DPI, height / _LESSON_DPI)):
            progress(0, 1)  # whether anybody waits still
            file = zipfile.ZipInfo(f"{name}.png")  # without the time: the same lesson makes the same file
            archive.writestr(file, figure.save(drawn, "png", dpi=_LESSON_DPI))
    return FileNotes(missing=missing)


def _lesson_film(lesson: Lesson, options: FilmOptions, drawn: bool, path: Path, progress: Progress) -> FileNotes:
    """Write the film, or, if it is not to be drawn, nothing: both kinds of captions are what there is beside it."""
    made, missing = scenes.film(lesson, options, runs.trained, lambda: progress(0, 1))
    if not drawn:
        path.touch()
        return FileNotes(films.captions(made))
    films.save(made, path, progress)
    return FileNotes(films.captions(made), missing)
