"""What one shows elsewhere: the instant as a picture, a storyboard, the film, and the page that plays itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from kpviz import experiment, panels
from kpviz.app import runs
from kpviz.app.session import Session, close
from kpviz.app.turn import drawing
from kpviz.engine.run.run import Run
from kpviz.export.film.formats import PICTURES
from kpviz.picture.render_options import RenderOptions
from kpviz.player.subject import Subject
from kpviz.settings import Settings
from kpviz.settings.cues import Cues

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FORMATS = {"png": "image/png", "svg": "image/svg+xml", "pdf": "application/pdf"}
_DPI = 200
_SEEN = 1280  # pixels of the longer side, here
_THEMES = {"light": "light", "dark": "dark", "print": "grey, for print"}
_SIZES = {"a4": "A4 landscape", "a4-upright": "A4 upright", "4k": "4K"}
_BOARD = "board"
_WITHOUT_EXAMPLES = ("map", "code")
_NATURAL = "natural"
_SPREAD, _CUES = "spread over the run", "those of the cues"


@st.dialog("Show it elsewhere", width="large", on_dismiss=close)
def dialog(session: Session) -> None:
    """Offer the picture, the storyboard, the film and the page; only what is in front is made."""
    drawn: dict[str, Callable[[Session], None]] = {
        "Picture": _picture,
        "Storyboard": _storyboard,
        "Film": _film,
        "Page": _page,
    }
    tabs = st.tabs(list(drawn), on_change="rerun", key="picture-tab")
    for tab, draw in zip(tabs, drawn.values(), strict=True):
        if tab.open:
            with tab:
                draw(session)


def _film(session: Session) -> None:
    from kpviz.app import film_offer

    film_offer.offer(session)


def _page(session: Session) -> None:
    from kpviz.app import page_offer

    page_offer.offer(session)


def _picture(session: Session) -> None:
    """Offer the instant, the whole board or one panel."""
    from kpviz.picture import figure as figures

    settings = session.settings
    with runs.training():
        lineup = runs.lineup_of(settings, session.pins)
    what, size, theme = st.columns([2, 2, 3], vertical_alignment="bottom")
    panel = what.selectbox("Show", _panels(settings, lineup.current.run), format_func=_title, key="picture-panel")
    sizes = [*PICTURES] if panel == _BOARD else [_NATURAL, *PICTURES]
    inches = _inches(size.selectbox("Size", sizes, format_func=_size, key=f"picture-size-{panel == _BOARD}"))
    look = _look(session, theme, "" if panel == _BOARD else panel)
    lineup = lineup if panel == _BOARD else lineup.alone
    t = min(session.picture, lineup.end)
    try:
        with drawing():
            figure = figures.draw(lineup, t, look, inches)
            seen = _seen(figure, look)
    except ValueError as error:  # nothing to show, or nothing to draw with
        st.info(str(error))
        return
    ending = f"step-{t}" if panel == _BOARD else f"step-{t}-{panel}"
    _offer(figure, f"kpviz-{settings.data}-{settings.kernel}-{ending}", seen)
    if session.pins and panel != _BOARD:
        st.caption("This is the current run; the pinned ones are on the picture of the whole board.")


def _storyboard(session: Session) -> None:
    """Offer some instants on one page."""
    from kpviz.picture import storyboard

    settings = session.settings
    with runs.training():
        split, run = runs.run_of(settings)
    if not len(run.y):
        st.info("There are no examples yet, so there is no storyboard: draw some first.")
        return
    cues = Cues.of_code(settings.cues)
    of_cues = storyboard.of_cues(run, cues)[: storyboard.MOST]
    number, size, theme = st.columns([2, 2, 3], vertical_alignment="bottom")
    chosen = _SPREAD
    if len(of_cues) >= storyboard.FEWEST:
        chosen = st.segmented_control("Steps", [_SPREAD, _CUES], default=_CUES, required=True, key="story-steps")
    k = number.slider("Pictures", storyboard.FEWEST, storyboard.MOST, 6, key="story-k", disabled=chosen == _CUES)
    inches = _inches(size.selectbox("Size", list(PICTURES), format_func=_size, key="story-size"))
    look = _look(session, theme)
    title = cues.title or experiment.title(settings)
    model = experiment.about(settings, title)
    cells = of_cues if chosen == _CUES else storyboard.spread(run, k)
    try:
        subject = Subject.of(settings, split, run)
        with drawing():
            figure = storyboard.draw(subject, cells, look, title=title, model=model, size=inches)
            seen = _seen(figure, look)
    except ValueError as error:  # no step, or nothing to draw with
        st.info(str(error))
        return
    _offer(figure, f"kpviz-{settings.data}-{settings.kernel}-storyboard", seen)
    if session.pins:
        st.caption("A storyboard shows the current run; the pinned ones are on the picture of the whole board.")


def _panels(settings: Settings, run: Run) -> list[str]:
    """Return what this run can show alone, the whole board first."""
    if not len(run.y):
        return [_BOARD, *_WITHOUT_EXAMPLES]
    return [_BOARD, *panels.shown_of(experiment.has(settings), panels.SINGLE)]


def _title(name: str) -> str:
    return "The whole board" if name == _BOARD else panels.BY_NAME[name].title


def _look(session: Session, column: st.delta_generator.DeltaGenerator, only: str = "") -> RenderOptions:
    """Draw the choice of theme and ground; return the look, of the panel `only` or of the board."""
    with column, st.container(horizontal=True, vertical_alignment="bottom"):
        theme = st.segmented_control(
            "Theme", list(_THEMES), default="light", format_func=_THEMES.__getitem__, required=True, key="picture-theme"
        )
        clear = st.toggle(
            "Transparent background", key="picture-clear", help="for a slide as light or dark as the theme"
        )
    seen = session.seen
    return RenderOptions(theme, seen.show, only, transparent=clear, angles=seen.turn, over=seen.over)


def _inches(size: str) -> tuple[float, float] | None:
    if size == _NATURAL:
        return None
    width, height = PICTURES[size]
    return width / _DPI, height / _DPI


def _size(name: str) -> str:
    if name == _NATURAL:
        return "its own shape"
    width, height = PICTURES[name]
    return f"{_SIZES.get(name, name)} · {width} × {height}"


def _seen(figure: Figure, look: RenderOptions) -> bytes:
    """Return a figure as it is shown here, on the ground that it is meant for."""
    from kpviz.picture import figure as figures

    dpi = _SEEN / max(figure.get_size_inches())
    return figures.save(figure, "png", dpi=dpi, ground=look.colours["paper"])


def _offer(figure: Figure, name: str, seen: bytes) -> None:
    """Show a figure, and offer it in each format."""
    with st.container(horizontal=True):
        for kind, mime in _FORMATS.items():
            # Made when asked for: one made now may be gone by then.
            st.download_button(kind.upper(), partial(_file, figure, kind), f"{name}.{kind}", mime, on_click="ignore")
    st.image(seen, alt="The picture as it will be saved")


def _file(figure: Figure, kind: str) -> bytes:
    from kpviz.picture import figure as figures

    with drawing(announced=False):  # a download has no place on the page
        return figures.save(figure, kind, dpi=_DPI)
