"""The dialog *Image or video*: the picture of an instant, the film of a run, and that of a lesson.

Films are jobs.

Tests: tests/app/test_pictures.py.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st
from matplotlib.figure import Figure

from kpviz import experiment, panels
from kpviz.app import runs
from kpviz.app.jobs import FileJob, FileNotes, begin, drawing, watch
from kpviz.app.session import Session, close
from kpviz.app.text import plain
from kpviz.engine.run.predictors import Progress
from kpviz.export import PICTURES, RATES, SIZES, ffmpeg, films, pace, scenes
from kpviz.export.films import FilmOptions
from kpviz.export.pace import Caption
from kpviz.lessons import comparison
from kpviz.lessons.file.lesson import Lesson
from kpviz.picture import figure
from kpviz.picture.stage import RenderOptions
from kpviz.service.files import file_stem
from kpviz.service.lesson import opened
from kpviz.settings.cues import Cues

_DPI = 200
_SEEN = 1280  # In pixels: the longer side of a picture in the dialog.
_SPEEDS = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 25.0)
_BOARD = "board"
_NATURAL = "natural"
_NAMES = {
    "light": "Light",
    "dark": "Dark",
    "print": "Grey, for print",
    _NATURAL: "its own shape",
    _BOARD: "The whole board",
    "a4": "A4 landscape",
    "a4-upright": "A4 upright",
    1.0: "default",
}
_MIMES = {"png": "image/png", "svg": "image/svg+xml", "pdf": "application/pdf"}


def _chosen(label: str, options: Sequence[str], key: str, **look: Any) -> Any:
    """Draw a choice of which one is always taken; return it.

    Unlike a tab, it keeps the focus, which Escape needs.
    """
    return st.segmented_control(
        label,
        list(options),
        default=options[0],
        format_func=lambda option: _NAMES.get(option, str(option)),
        required=True,
        key=key,
        **look,
    )


def _sized(
    sizes: Mapping[str, tuple[int, int]], key: str, *, natural: bool = False, first: int = 0
) -> Any:
    """Draw a choice of sizes; return its name."""

    def named(name: str) -> str:
        return (
            _NAMES[name]
            if name == _NATURAL
            else f"{_NAMES.get(name, name)} · {sizes[name][0]} × {sizes[name][1]}"
        )

    return st.selectbox(
        "Size", [*([_NATURAL] if natural else []), *sizes], index=first, format_func=named, key=key
    )


@st.dialog("Image or video", width="large", on_dismiss=close)
def dialog(session: Session) -> None:
    """Offer the picture, the film, and that of the lesson that is open.

    Only what is in front is made.
    """
    offers = {"Picture": of_picture, "Film": of_film}
    if session.lesson:
        offers["Film of the lesson"] = of_lesson
    what = _chosen(
        "What", list(offers), "image-or-video", label_visibility="collapsed", width="stretch"
    )
    offers[what](session)


def of_picture(session: Session) -> None:
    """Offer the instant, the whole board or one panel."""
    settings = session.settings
    with runs.training():
        experiments = runs.comparison_of(settings, session.pins)
    panel_names = (
        panels.available(experiment.provided(settings), panels.SINGLE)
        if len(experiments.current.run.y)
        else ("map", "code")
    )
    choices, preview = st.columns([3, 7])
    titles = {name: panels.BY_NAME[name].title for name in panel_names}
    titled = {_BOARD: _NAMES[_BOARD], **titles}
    panel = choices.selectbox(
        "Show", list(titled), format_func=lambda name: titled[name], key="picture-panel"
    )
    whole = panel == _BOARD
    with choices:
        chosen = _sized(PICTURES, f"picture-size-{whole}", natural=not whole)
        look = _look(session, "" if whole else panel)
        files = st.container()
    place = preview.empty()
    experiments = experiments if whole else experiments.alone
    t = min(session.picture, experiments.end)
    name = f"{file_stem(settings)}-step-{t}{'' if whole else f'-{panel}'}"
    if (
        _draw(place, files, name, look, lambda: figure.draw(experiments, t, look, _inches(chosen)))
        and session.pins
        and not whole
    ):
        preview.caption(
            "This is the current run; the pinned ones are on the picture of the whole board."
        )


def _look(session: Session, only: str = "") -> RenderOptions:
    """Draw the choice of theme and background.

    Return the look, of the panel `only` or of the board.
    """
    theme = st.selectbox(
        "Theme",
        ("light", "dark", "print"),
        index=int(st.context.theme.type == "dark"),
        format_func=lambda option: _NAMES.get(option, option),
        key="picture-theme",
    )
    clear = st.toggle(
        "Transparent background",
        key="picture-clear",
        help="for a slide as light or dark as the theme",
    )
    seen = session.seen
    return RenderOptions(
        theme, seen.show, only, transparent=clear, angles=seen.turn, over=seen.over
    )


def _inches(size: str) -> tuple[float, float] | None:
    return None if size == _NATURAL else (PICTURES[size][0] / _DPI, PICTURES[size][1] / _DPI)


def _draw(
    place: st.delta_generator.DeltaGenerator,
    files: st.delta_generator.DeltaGenerator,
    name: str,
    look: RenderOptions,
    draw: Callable[[], Figure],
) -> bool:
    """Show a picture in its place, on the background that it is meant for; `files` offers it in
    each format.

    Return whether it is.
    """
    place.html("<p class='kpviz-drawing'>Drawing the picture …</p>")
    try:
        with drawing():
            drawn = draw()
            dpi = _SEEN / max(drawn.get_size_inches())
            seen = figure.save(drawn, "png", dpi=dpi, background=look.colours["paper"])
    except ValueError as error:  # There is nothing to show, or nothing to draw with.
        place.info(str(error))
        return False
    with files:
        for kind, mime in _MIMES.items():
            # It is given when it is asked for: what is made now may be gone by then.
            made = partial(_saved, drawn, kind)
            st.download_button(
                f"Download {kind.upper()}",
                made,
                f"{name}.{kind}",
                mime,
                on_click="ignore",
                type="primary" if kind == "png" else "secondary",
                width="stretch",
            )
    place.image(seen, alt="The picture as it will be saved")
    return True


def _saved(drawn: Figure, kind: str) -> bytes:
    with drawing(announced=False):  # A download has no place on the page.
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
    shows = (
        f"all {len(experiments.letters)} runs side by side"
        if experiments.pinned
        else "the panels that you see now"
    )
    parts = [f"It lasts {lasts}: {reel.n_frames:,} frames. It shows {shows}."]
    parts += ["At each cue it holds for the seconds that the cue says."] if cues.cues else []
    parts += [f"What cannot be shown: {'; '.join(missing[:3])}."] if missing else []
    st.caption(plain(" ".join(parts)))
    identity = repr((settings.query(), comparison.query(session.pins), options))
    made = session.film if session.film is not None and session.film.identity == identity else None
    with st.container(horizontal=True):
        begun = st.button(
            "Make the film", type="primary", key="make-film", disabled=session.job is not None
        )
        if made is not None:
            _save_made(made.content, f"{file_stem(settings)}.mp4", "video/mp4", "save-film")
        _save_captions(films.captions(reel), file_stem(settings))
    if begun:
        begin(
            session,
            FileJob(lambda path, progress: films.save(reel, path, progress), "mp4", identity),
        )
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
    look = theme.selectbox(
        "Theme",
        ["light", "dark"],
        int(st.context.theme.type == "dark"),
        format_func=lambda name: _NAMES[name],
        key="film-theme",
    )
    part, pace = st.columns([3, 2])
    first, last = (
        part.slider("From step to step", 0, n_steps, (0, n_steps), key=f"film-part-{n_steps}")
        if n_steps
        else (0, 0)
    )
    named = {speed: _NAMES.get(speed, f"{speed:g} ×") for speed in _SPEEDS}
    speed = pace.select_slider(
        "Speed", _SPEEDS, 1.0, format_func=lambda factor: named[factor], key="film-speed"
    )
    usual = cues.title or experiment.title(session.settings)
    head, burnt = st.columns([3, 2], vertical_alignment="bottom")
    title = head.text_input(
        "Title (none: begins without a card)", usual, max_chars=120, key="film-title"
    )
    words = burnt.toggle("Sentences in the picture", value=True, key="film-words")
    options = FilmOptions(
        first, last, speed, width, height, fps, look, title=title.strip() or None, words=words
    )
    seen = session.seen
    return replace(options, panels=seen.show, angles=seen.turn, over=seen.over)


def _save_made(content: bytes, name: str, mime: str, key: str) -> None:
    label = f"Save {name} ({len(content) / 1e6:.1f} MB)"
    # It is given when it is asked for: what is given now may be gone by then.
    file_content = partial(bytes, content)
    st.download_button(label, file_content, name, mime, on_click="ignore", key=key, type="primary")


def _save_captions(spoken: Sequence[Caption], stem: str) -> None:
    for ending, write in (("vtt", pace.to_vtt), ("srt", pace.to_srt)):
        label = f"Captions (.{ending})"
        name = f"{stem}.{ending}"
        st.download_button(
            label, write(spoken), name, "text/plain", on_click="ignore", key=f"save-{ending}"
        )


def of_lesson(session: Session) -> None:
    """Draw what can be chosen for the film of the open lesson, and its buttons."""
    source = session.lesson or {}
    try:
        lesson = opened(source)
    except ValueError as error:
        st.warning(plain(str(error)))
        return
    st.markdown(f"**{plain(lesson.title)}**, all of it: each scene is a chapter.")
    names = {"film": "Film", "captions": "Captions alone"}
    form = st.segmented_control(
        "As",
        list(names),
        default="film",
        format_func=lambda name: names[name],
        required=True,
        key="lesson-form",
    )
    is_drawn = form == "film"
    options = FilmOptions()
    if is_drawn:
        why = _no_film()
        if why:
            st.info(plain(why))
            return
        width, height = SIZES[st.selectbox("Size", list(SIZES), index=1, key="lesson-size")]
        options = FilmOptions(
            width=width, height=height, theme=_chosen("Theme", ("light", "dark"), "lesson-theme")
        )
    stem = str(source.get("name") or "lesson")
    identity = f"{hashlib.sha256(lesson.text.encode()).hexdigest()} {form} {options!r}"
    made = session.film if session.film is not None and session.film.identity == identity else None
    with st.container(horizontal=True):
        if st.button(
            "Make it", type="primary", key="make-lesson", disabled=session.job is not None
        ):
            make = partial(_lesson_film, lesson, options, is_drawn)
            begin(session, FileJob(make, "mp4" if is_drawn else "vtt", identity, what=str(form)))
        if made is not None:
            if made.content:  # Captions alone have no picture, and are called as those of the film.
                _save_made(made.content, f"{stem}-film.mp4", "video/mp4", "save-lesson")
            _save_captions(made.notes.captions, f"{stem}-film")
    if made is not None and made.notes.missing:
        phrases = "".join(f"\n- {plain(phrase)}" for phrase in made.notes.missing)
        st.caption(f"What cannot be shown:\n{phrases}")
    if session.job is not None:
        watch(session)


def _no_film() -> str:
    """Say what is not installed, "" if nothing is missing."""
    try:
        ffmpeg.executable()
    except ValueError as error:
        return str(error)
    return ""


def _lesson_film(
    lesson: Lesson, options: FilmOptions, drawn: bool, path: Path, progress: Progress
) -> FileNotes:
    """Write the film, or, if it is not to be drawn, nothing.

    Both kinds of captions are what there is beside it.
    """
    made, missing = scenes.film(lesson, options, runs.trained, lambda: progress(0, 1))
    if not drawn:
        path.touch()
        return FileNotes(films.captions(made))
    films.save(made, path, progress)
    return FileNotes(films.captions(made), missing)
