"""The film, offered: what it shows, how large and fast, and the making of it with progress and Cancel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import streamlit as st

from kpviz import experiment
from kpviz.app import runs
from kpviz.app.film_job import Job
from kpviz.app.session import Session
from kpviz.app.text import plain
from kpviz.export.film import captions, lecture
from kpviz.export.film.captions import Caption
from kpviz.export.film.film import Film, save
from kpviz.export.film.formats import FASTEST_GIF, FORMATS, RATES, SIZES
from kpviz.export.film.lecture import FilmOptions
from kpviz.lessons import comparison
from kpviz.settings.cues import Cues

_SPEEDS = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 25.0)
_EVERY = 0.5  # seconds between two looks at a film that is being made
_NAMES = {"mp4": "MP4", "webm": "WebM", "gif": "GIF"}


def offer(session: Session) -> None:
    """Draw what can be chosen, how long the film lasts, and the buttons that make and save it."""
    settings = session.settings
    with runs.training():
        lineup = runs.lineup_of(settings, session.pins)
    if not len(lineup.current.run.y):
        st.info("There are no examples yet, so there is no film: draw some first.")
        return
    cues = Cues.of_code(settings.cues)
    options, kind = _chosen(session, lineup.end, cues)
    try:
        film = lecture.film(lineup, cues, options)
        missing = lecture.missing(film)
    except ValueError as error:
        st.warning(plain(str(error)))
        return
    st.caption(plain(_describe(film, cues, missing)))
    name = f"kpviz-{settings.data}-{settings.kernel}.{kind}"
    wanted = repr((settings.query(), comparison.query(session.pins), options, kind))
    with st.container(horizontal=True):
        made = st.button("Make the film", type="primary", key="make-film", disabled=session.job is not None)
        if session.film is not None and session.film.wanted == wanted:
            _offer_film(session.film.content, kind, name)
        offer_captions(lecture.captions(film), Path(name).stem)
    if made:
        _begin(session, film, kind, wanted)
    if session.job is not None:
        watch(session)
    elif session.film is not None and session.film.wanted == wanted:
        st.success("The film is done.", icon=":material/check:")
        with st.columns([3, 2])[0]:
            _show_film(session.film.content, kind)


def offer_captions(spoken: Sequence[Caption], stem: str) -> None:
    """Draw a button for each kind of file that captions can be saved as."""
    for ending, write in (("vtt", captions.to_vtt), ("srt", captions.to_srt)):
        label, name = f"Captions (.{ending})", f"{stem}.{ending}"
        st.download_button(label, write(spoken), name, "text/plain", on_click="ignore", key=f"save-{ending}")


def _offer_film(content: bytes, kind: str, name: str) -> None:
    mime = "image/gif" if kind == "gif" else f"video/{kind}"
    label = f"Save {name} ({len(content) / 1e6:.1f} MB)"
    st.download_button(label, content, name, mime, on_click="ignore", key="save-film", type="primary")


def _show_film(content: bytes, kind: str) -> None:
    if kind == "gif":
        st.image(content, alt="The film")
    else:
        st.video(content, format=f"video/{kind}")


def _chosen(session: Session, n_steps: int, cues: Cues) -> tuple[FilmOptions, str]:
    """Draw the widgets; return what they say."""
    size, form, rate, theme = st.columns([3, 3, 2, 2])
    chosen = size.selectbox("Size", list(SIZES), index=1, format_func=_size, key="film-size")
    kind = form.segmented_control(
        "Format", list(FORMATS), default="mp4", format_func=_NAMES.__getitem__, required=True, key="film-format"
    )
    rates = [each for each in RATES if kind != "gif" or each <= FASTEST_GIF]
    fps = rate.selectbox("Frames/s", rates, index=rates.index(30), key="film-fps")
    look = theme.selectbox("Theme", ["light", "dark"], key="film-theme")
    part, pace = st.columns([3, 2])
    first, last = (
        part.slider("From step to step", 0, n_steps, (0, n_steps), key=f"film-part-{n_steps}") if n_steps else (0, 0)
    )
    speed = pace.select_slider(
        "Speed", _SPEEDS, 1.0, format_func=lambda x: "default" if x == 1 else f"{x:g} ×", key="film-speed"
    )
    usual = cues.title or experiment.title(session.settings)
    head, burnt = st.columns([3, 2], vertical_alignment="bottom")
    title = head.text_input("Title (none: begins without a card)", usual, max_chars=120, key="film-title")
    words = burnt.toggle("Sentences in the picture", value=True, key="film-words")
    width, height = SIZES[chosen]
    options = FilmOptions(first, last, speed, width, height, fps, look, title=title.strip() or None, words=words)
    seen = session.seen
    return replace(options, panels=seen.show, angles=seen.turn, over=seen.over), kind


def _size(name: str) -> str:
    width, height = SIZES[name]
    return f"{name} · {width} × {height}"


def _describe(film: Film, cues: Cues, missing: list[str]) -> str:
    seconds = film.n_frames / film.fps
    lasts = f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.1f} min"
    shows = "the panels that you see now"
    if film.lineup.pinned:
        shows = f"all {len(film.lineup.letters)} runs side by side"
    parts = [f"It lasts {lasts}: {film.n_frames:,} frames. It shows {shows}."]
    if cues.cues:
        parts.append("At each cue it holds for the seconds that the cue says.")
    if missing:
        parts.append(f"What cannot be shown: {'; '.join(missing[:3])}.")
    return " ".join(parts)


def _begin(session: Session, film: Film, kind: str, wanted: str) -> None:
    """Begin to make the film, or to wait for its turn."""
    begin(session, Job(lambda path, progress: save(film, path, progress), kind, wanted))


def begin(session: Session, job: Job) -> None:
    """Begin a job, or let it wait for its turn."""
    session.film, session.job = None, job
    job.start()
    st.rerun()


@st.fragment(run_every=_EVERY)
def watch(session: Session) -> None:
    """Show how far a job is, and take over what it made."""
    job = session.job
    if job is None:
        return
    if job.working:
        st.progress(job.done / max(job.of, 1), job.progress)
        st.button("Cancel", key="cancel-film", on_click=job.cancel)
        return
    session.job = None
    if job.problem:
        session.notice = job.problem
    elif job.made is not None:
        session.film = job.made
    st.rerun()
