"""The lesson that is open, taken home: its handout, its page, its slides, its film."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import streamlit as st

from kpviz import experiment
from kpviz.app import film_offer, page_offer
from kpviz.app.film_job import Beside, Job, Make
from kpviz.app.session import Session
from kpviz.app.text import plain
from kpviz.export import scenes
from kpviz.export.film import ffmpeg, film, lecture
from kpviz.export.film.film import Chapters, Progress
from kpviz.export.film.formats import PICTURES, SIZES
from kpviz.export.film.lecture import FilmOptions
from kpviz.export.page.lesson import page
from kpviz.export.print import typeset
from kpviz.export.print.handout import Handout
from kpviz.lessons import shelf
from kpviz.lessons.comparison import Pin
from kpviz.lessons.file.lesson import Lesson
from kpviz.picture import figure
from kpviz.picture.render_options import RenderOptions
from kpviz.player.lineup import Lineup
from kpviz.server import pool, threads
from kpviz.service import lesson as lessons
from kpviz.service import work
from kpviz.settings import Settings

_DPI = 150
_WITHOUT = "For the page that plays itself, and for the solutions, drop the lesson’s own file on the board."


@dataclass(frozen=True)
class Form:
    """What can be made of a lesson: what it is called, the ending and type of its file, and a line about it."""

    title: str
    ending: str
    mime: str
    about: str


_FORMS = {
    "handout": Form("Handout", "pdf", "application/pdf", "Words, pictures and tasks on paper."),
    "solutions": Form("Solutions", "pdf", "application/pdf", "The handout with the solutions of its tasks."),
    "page": Form("Page", "html", "text/html", "One file to be read and answered without a server and network."),
    "slides": Form("Slides", "zip", "application/zip", "A picture for each cue, or of each scene."),
    "film": Form("Film", "mp4", "video/mp4", "Each scene is a chapter. Captions come with it."),
    "captions": Form(
        "Captions", "vtt", "text/plain", "What the film says and when, without the film: as .vtt and as .srt."
    ),
}
_SOLVED = ("solutions", "page")  # for those who have the solutions


def offer(session: Session) -> None:
    """Draw what can be made of the lesson, and the buttons that make and save it."""
    source = session.lesson or {}
    try:
        lesson = lessons.opened(source)
    except ValueError as error:
        st.warning(plain(str(error)))
        return
    known = _has_solutions(source, lesson)
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
    _offer(session, lesson, _named(source), forms[name], _maker(name, lesson, _named(source)))


def _has_solutions(source: Mapping[str, Any], lesson: Lesson) -> bool:
    """Whether a visitor may have them: who has the file has them, and everyone those of the lessons that come along."""
    return not lesson.students and ("text" in source or shelf.is_shipped(str(source.get("name"))))


def _named(source: Mapping[str, Any]) -> str:
    return str(source.get("name") or "lesson")


def _missing(name: str) -> str:
    """Say what is not installed, "" if nothing is missing."""
    if name in ("handout", "solutions"):
        return "" if find_spec("typst") else typeset.MISSING
    if name == "film":
        try:
            ffmpeg.executable()
        except ValueError as error:
            return str(error)
    return ""


def _maker(name: str, lesson: Lesson, stem: str) -> tuple[Make, str]:
    """Draw what can be chosen; return what makes the file, and what tells it from others."""
    if name in ("handout", "solutions"):
        return partial(_sheet, lesson, name == "solutions"), name
    if name == "page":
        address = page_offer.address()
        return partial(_page, lesson, stem, address), f"{name} {address}"
    if name == "captions":
        return partial(_captions, lesson), name
    theme = st.segmented_control("Theme", ["light", "dark"], default="light", required=True, key="lesson-theme")
    if name == "slides":
        return partial(_slides, lesson, theme), f"{name} {theme}"
    size = st.selectbox("Size", list(SIZES), index=1, key="lesson-size")
    width, height = SIZES[size]
    options = FilmOptions(width=width, height=height, theme=theme)
    return partial(_film, lesson, options), repr(options)


def _offer(session: Session, lesson: Lesson, stem: str, form: Form, maker: tuple[Make, str]) -> None:
    make, chosen = maker
    wanted = f"{hashlib.sha256(lesson.text.encode()).hexdigest()} {form.title} {chosen}"
    with st.container(horizontal=True):
        if st.button("Make it", type="primary", key="make-lesson", disabled=session.job is not None):
            film_offer.begin(session, Job(make, form.ending, wanted, what=form.title.lower()))
        made = session.film if session.film is not None and session.film.wanted == wanted else None
        if made is not None:
            content = made.content  # none of captions alone, which are called as those of the film
            name = f"{stem}-{form.title.lower() if content else 'film'}.{form.ending}"
            if content:
                label = f"Save {name} ({len(content) / 1e6:.1f} MB)"
                kept = partial(bytes, content)  # given when it is asked for: what is given now may be gone by then
                st.download_button(label, kept, name, form.mime, on_click="ignore", key="save-lesson", type="primary")
            if made.beside.captions:
                film_offer.offer_captions(made.beside.captions, Path(name).stem)
    if made is not None and made.beside.missing:
        phrases = "".join(f"\n- {plain(phrase)}" for phrase in made.beside.missing)
        st.caption(f"What cannot be shown:\n{phrases}")
    if session.job is not None:
        film_offer.watch(session)


# ---- what a job does --------------------------------------------------------------------------------


def _sheet(lesson: Lesson, solved: bool, path: Path, progress: Progress) -> None:
    path.write_bytes(typeset.pdf(Handout(lesson, solved=solved).sheet()))


def _page(lesson: Lesson, stem: str, address: str | None, path: Path, progress: Progress) -> None:
    path.write_text(page(lesson, stem, address=address), encoding="utf-8")


def _slides(lesson: Lesson, theme: str, path: Path, progress: Progress) -> Beside:
    width, height = PICTURES["16:9"]
    look, missing = RenderOptions(theme), []
    with zipfile.ZipFile(path, "w") as archive:
        for each in _staged(lesson):
            progress(0, 1)  # whether anybody waits still
            missing += scenes.missing_on_slides(each, width, height)
            for name, drawn in each.pictures(look, (width / _DPI, height / _DPI)):
                file = zipfile.ZipInfo(f"{name}.png")  # without the time: the same lesson makes the same file
                archive.writestr(file, figure.save(drawn, "png", dpi=_DPI))
    return Beside(missing=missing)


def _film(lesson: Lesson, options: FilmOptions, path: Path, progress: Progress) -> Beside:
    made, missing = _chapters(lesson, options, progress)
    film.save(made, path, progress)
    return Beside(lecture.captions(made), missing)


def _captions(lesson: Lesson, path: Path, progress: Progress) -> Beside:
    made, _ = _chapters(lesson, FilmOptions(), progress)
    path.touch()  # both kinds are offered as what there is beside it
    return Beside(lecture.captions(made))


def _chapters(lesson: Lesson, options: FilmOptions, progress: Progress) -> tuple[Chapters, list[str]]:
    """Return the film of a lesson, and what it cannot show."""
    parts, missing = [], []
    for each in _staged(lesson):
        progress(0, 1)  # whether anybody waits still
        part = each.film(options)
        parts.append((each.scene.heading, part))
        missing += scenes.missing(each.number, part)
    made = Chapters(parts)
    lecture.check_length(made.n_frames / made.fps)
    return made, missing


def _staged(lesson: Lesson) -> Iterator[scenes.Staged]:
    for number, scene in enumerate(lesson.scenes, 1):
        try:
            yield scenes.stage(number, scene, _train)
        except ValueError as error:
            raise ValueError(f"Scene {number}, {scene.heading!r}: {error}") from None


def _train(settings: Settings, pins: Sequence[Pin]) -> Lineup:
    """Train where all runs are, beside the server."""
    seconds = (1 + len(pins)) * work.estimate(settings)
    found: Lineup = threads.compute(pool.Job(work.lineup, (settings, experiment.prepare(settings), pins), seconds))
    return found
