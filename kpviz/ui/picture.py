"""What one shows elsewhere: the instant as a picture, a storyboard, the film, and the page that plays itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from kpviz import experiment, panels
from kpviz.cues import Cues
from kpviz.engine.run import Run
from kpviz.export.formats import PICTURES
from kpviz.settings import Settings
from kpviz.ui import shared, state
from kpviz.ui.session import Session
from kpviz.ui.widgets import plain

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


def _closed() -> None:
    state.session().dialog = None


@st.dialog("Show it elsewhere", width="large", on_dismiss=_closed)
def dialog(here: Session) -> None:
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
                draw(here)


def _film(here: Session) -> None:
    from kpviz.ui import film_offer

    film_offer.offer(here)


def _page(here: Session) -> None:
    from kpviz.ui import page_offer

    page_offer.offer(here)


def _picture(here: Session) -> None:
    """Offer the instant, the whole board or one panel."""
    from kpviz.views import board
    from kpviz.views import look as looks

    settings = here.settings
    split, run = shared.run_of(settings)
    what, size, theme = st.columns([2, 2, 3], vertical_alignment="bottom")
    panel = what.selectbox("Show", _panels(settings, run), format_func=_title, key="picture-panel")
    sizes = [*PICTURES] if panel == _BOARD else [_NATURAL, *PICTURES]
    look = _look(here, size.selectbox("Size", sizes, format_func=_size, key=f"picture-size-{panel == _BOARD}"), theme)
    others = looks.others(settings, split, run, here.pins) if panel == _BOARD else None
    t = min(here.picture, run.n_steps if others is None else others.end(run))
    figure = board.figure(run, t, others=others, **look) if panel == _BOARD else board.panel(run, t, panel, **look)
    ending = f"step-{t}" if panel == _BOARD else f"step-{t}-{panel}"
    _offer(figure, f"kpviz-{settings.data}-{settings.kernel}-{ending}", look)
    if here.pins and panel != _BOARD:
        st.caption("This is the current run; the pinned ones are on the picture of the whole board.")


def _storyboard(here: Session) -> None:
    """Offer some instants on one page."""
    from kpviz.views import storyboard

    settings = here.settings
    _, run = shared.run_of(settings)
    if not len(run.y):
        st.info("There are no examples yet, so there is no storyboard: draw some first.")
        return
    cues = Cues.of_code(settings.cues)
    told = storyboard.of_cues(run, cues)[: storyboard.MOST]
    number, size, theme = st.columns([2, 2, 3], vertical_alignment="bottom")
    chosen = _SPREAD
    if len(told) >= storyboard.FEWEST:
        chosen = st.segmented_control("Steps", [_SPREAD, _CUES], default=_CUES, required=True, key="story-steps")
    k = number.slider("Pictures", storyboard.FEWEST, storyboard.MOST, 6, key="story-k", disabled=chosen == _CUES)
    look = _look(here, size.selectbox("Size", list(PICTURES), format_func=_size, key="story-size"), theme)
    title = cues.title or experiment.title(settings)
    model = experiment.about(settings, title)
    cells = told if chosen == _CUES else storyboard.spread(run, k)
    try:
        figure = storyboard.figure(run, cells, title=title, model=model, **look)
    except ValueError as error:  # no plane, or no step
        st.info(plain(str(error)))
        return
    _offer(figure, f"kpviz-{settings.data}-{settings.kernel}-storyboard", look)
    if here.pins:
        st.caption("A storyboard shows the current run; the pinned ones are on the picture of the whole board.")


def _panels(settings: Settings, run: Run) -> list[str]:
    """Return what this run can show alone, the whole board first."""
    if not len(run.y):
        return [_BOARD, *_WITHOUT_EXAMPLES]
    return [_BOARD, *panels.shown_of(experiment.has(settings, run), panels.SINGLE)]


def _title(name: str) -> str:
    return "The whole board" if name == _BOARD else panels.BY_NAME[name].title


def _look(here: Session, size: str, column: st.delta_generator.DeltaGenerator) -> dict[str, Any]:
    """Draw the choice of theme and ground; return the look."""
    from kpviz.views import look

    with column, st.container(horizontal=True, vertical_alignment="bottom"):
        theme = st.segmented_control(
            "Theme", list(_THEMES), default="light", format_func=_THEMES.__getitem__, required=True, key="picture-theme"
        )
        clear = st.toggle("No ground", key="picture-clear", help="for a slide as light or dark as the theme")
    split, _ = shared.run_of(here.settings)
    seen = {"panels": here.seen.show, "angles": here.seen.turn}
    found = look.options(here.settings, split) | seen | {"theme": theme, "transparent": clear}
    if size != _NATURAL:
        found["size"] = tuple(side / _DPI for side in PICTURES[size])
    return found


def _size(name: str) -> str:
    if name == _NATURAL:
        return "its own shape"
    width, height = PICTURES[name]
    return f"{_SIZES.get(name, name)} · {width} × {height}"


def _offer(figure: Figure, name: str, look: dict[str, Any]) -> None:
    """Show a figure, on the ground that it is meant for, and offer it in each format."""
    from kpviz.views import board, style

    with st.container(horizontal=True):
        for kind, mime in _FORMATS.items():
            file = partial(board.save, figure, kind, dpi=_DPI)  # made when asked for: one made now may be gone by then
            st.download_button(kind.upper(), file, f"{name}.{kind}", mime, on_click="ignore")
    dpi = _SEEN / max(figure.get_size_inches())
    st.image(board.save(figure, "png", dpi=dpi, ground=style.colours(look["theme"])["paper"]))
