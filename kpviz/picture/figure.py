"""Boards as matplotlib figures: for files, for notebooks, and on the axes of another figure.

Tests: tests/picture/test_plot.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any

from matplotlib import rc_context
from matplotlib.artist import Artist
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from kpviz.engine import checks
from kpviz.lessons import explain
from kpviz.picture import figure
from kpviz.picture.painter import Painter
from kpviz.picture.stage import Board, RenderOptions, Stage, natural
from kpviz.player.comparison import Comparison
from kpviz.player.experiment import Experiment
from kpviz.settings.cues import Cues

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from kpviz.engine.run.run import Run


# The date that a file would carry, by format: the same picture is the same file on any day.
_DATES: dict[str, dict[str, str | None]] = {
    "png": {},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}
FORMATS = tuple(_DATES)
_SAME: dict[Any, Any] = {
    "svg.hashsalt": "kpviz",
    "svg.image_inline": True,
    "pdf.compression": 6,
    "pdf.fonttype": 42,  # A text of it can be found.
}
_INCHES = (12.8, 7.2)
_WIDE = 12.8  # In inches: a panel in its natural shape is so wide.


class Picture(Figure):
    """A figure that a notebook shows by itself.

    A plain one is shown only once pyplot is loaded, which we never do.
    """

    def _repr_png_(self) -> bytes:
        return save(self, "png", dpi=self.get_dpi())


class BoardArtist(Artist):
    """A board that fills its figure."""

    def __init__(self, board: Board) -> None:
        super().__init__()
        self.board = board

    def draw(self, renderer: Any) -> None:
        """Draw all panels."""
        figure: Any = self.get_figure(root=True)
        high = figure.bbox.height
        Painter(renderer, high, high / self.board.height).board(self.board)


def draw(
    experiments: Comparison,
    t: int,
    look: RenderOptions,
    size: tuple[float, float] | None = None,
    dpi: float = 100,
    crowded: Callable[[Sequence[str]], Any] = lambda panels: None,
    cues: Cues | None = None,
) -> Picture:
    """Draw the instant t of some runs, the whole board or one panel.

    Parameters
    ----------
    size : of the page in inches; None: 12.8 × 7.2, or the natural shape of the one panel.
    crowded : called with the panels that were asked for and find no room, if there are any.
    cues : what is said and lights up there; None: what the run itself says.

    Raises
    ------
    ValueError
        One sentence: there is nothing to show in the one panel, or the embedded engine is missing.
    """
    inches = shape(look) if size is None else size
    drawn_experiments = experiments.alone if look.only else experiments
    stage = Stage(drawn_experiments, look, inches, cues)
    without = stage.crowded_out(t)
    if without:
        crowded(without)
    run = experiments.current.run
    label = explain.counter(run, min(t, run.n_steps), stream=experiments.current.stream)
    return of_board(stage.board(t), inches, look, label, dpi)


def of_board(
    board: Board, inches: tuple[float, float], look: RenderOptions, label: str, dpi: float = 100
) -> Picture:
    """Return the figure of a board; `label` is the title that its files carry."""
    background = "none" if look.transparent else look.colours["paper"]
    figure = Picture(figsize=inches, dpi=dpi, facecolor=background, label=label)
    figure.add_artist(BoardArtist(board))
    return figure


def shape(look: RenderOptions) -> tuple[float, float]:
    """Return the size in inches of a picture that nobody gave one."""
    if not look.only:
        return _INCHES
    wide, high = natural(look.only)
    return _WIDE, _WIDE * high / wide


def save(figure: Figure, format: str, *, dpi: float = 200, background: str | None = None) -> bytes:
    """Return the file of a figure, "png", "svg" or "pdf", on its own background or another.

    Text becomes outlines.
    """
    metadata = _DATES[checks.choice("format", format, FORMATS)]
    if figure.get_label():
        metadata = {"Title": str(figure.get_label()), **metadata}
    file = BytesIO()
    with rc_context(_SAME):
        figure.savefig(
            file,
            format=format,
            dpi=dpi,
            metadata=metadata,
            facecolor=background or figure.get_facecolor(),
        )
    return file.getvalue()


def pages(figures: Sequence[Figure], title: str, *, dpi: float = 200) -> bytes:
    """Return a PDF with a page for each figure."""
    file = BytesIO()
    with rc_context(_SAME), PdfPages(file, metadata={"Title": title, **_DATES["pdf"]}) as pdf:
        for figure in figures:
            pdf.savefig(figure, dpi=dpi, facecolor=figure.get_facecolor())
    return file.getvalue()


_PER_INCH = 100.0  # CSS pixels


def plot(
    run: Run,
    t: int,
    predictor: str,
    *,
    panel: str | None = None,
    panels: Sequence[str] | None = None,
    theme: str = "light",
    size: tuple[float, float] | None = None,
    ax: Axes | None = None,
    experiment: Experiment | None = None,
    otherwise: Sequence[str] | None = None,
    angles: tuple[float, float] | None = None,
    over: str | None = None,
    X_test: ArrayLike | None = None,
    y_test: ArrayLike | None = None,
    **names: Any,
) -> Figure:
    """Draw an instant of a run; see `Run.plot`.

    `experiment` is given where more is known than the run; `otherwise` are the panels where none
    are named, as far as there is room. `angles` and `over`: see `RenderOptions`.
    """
    for unknown in names.keys() - {"features", "classes"}:
        raise TypeError(f"plot() got an unexpected keyword argument {unknown!r}")
    if ax is not None and panel is None:
        raise ValueError("ax holds one panel, not the whole board: name it, as in panel='map'.")
    if panel is not None and panels is not None:
        raise ValueError(
            "panel is one panel alone, panels are those of a board: give one of the two."
        )
    if ax is not None and size is not None:
        raise ValueError("size is that of a new figure: leave it out where ax is given.")
    if size is not None:
        size = checks.pair("size", size, above=0.0)
    if experiment is None:
        experiment = Experiment.from_run(run, predictor, X_test=X_test, y_test=y_test, **names)
    panel_names = otherwise if panels is None else panels
    look = RenderOptions(
        theme,
        None if panel_names is None else tuple(panel_names),
        panel or "",
        angles=angles,
        over=over,
    )
    if ax is None:
        return figure.draw(
            Comparison(experiment),
            t,
            look,
            size,
            crowded=(lambda _: None) if panels is None else _refuse,
        )
    return _fill(ax, experiment, t, replace(look, edge=0.0))


def _refuse(crowded: Sequence[str]) -> None:
    raise ValueError(
        f"panels: there is no room for {', '.join(crowded)} beside the others: leave out some of "
        "them."
    )


def _fill(ax: Axes, experiment: Experiment, t: int, look: RenderOptions) -> Figure:
    """Fill axes with a panel.

    Those of the map get its coordinates, so that more can be drawn on it.
    """
    ax.set(xticks=[], yticks=[])
    for spine in ax.spines.values():
        spine.set_visible(False)
    if look.only == "map":
        extent = experiment.where.visible
        ax.set(xlim=(extent.low_1, extent.high_1), ylim=(extent.low_2, extent.high_2))
        ax.set_autoscale_on(False)
    drawn = PanelArtist(Comparison(experiment), t, look)
    drawn.board(*_inches(ax))  # It raises now what would fail when the figure is drawn.
    ax.add_artist(drawn)
    figure: Any = ax.get_figure(root=True)
    return figure  # type: ignore[no-any-return]


def _inches(ax: Axes) -> tuple[float, float]:
    figure: Any = ax.get_figure(root=True)
    return ax.bbox.width / figure.dpi, ax.bbox.height / figure.dpi


class PanelArtist(Artist):
    """A panel that fills its axes, whatever size these have when they are drawn."""

    def __init__(self, experiments: Comparison, t: int, look: RenderOptions) -> None:
        super().__init__()
        self.set_zorder(0.0)
        self._experiments = experiments
        self._t = t
        self._look = look
        self._known: tuple[Any, Board | None] = (None, None)

    def board(self, wide: float, high: float) -> Board:
        """Return the board of axes of a size in inches."""
        size = (max(round(wide * _PER_INCH), 1), max(round(high * _PER_INCH), 1))
        known, board = self._known
        if board is None or known != size:
            board = Stage(self._experiments, self._look, size, scale=1.0).board(self._t)
            self._known = (size, board)
        return board

    def draw(self, renderer: Any) -> None:
        """Draw the panel."""
        ax: Any = self.axes
        root = ax.get_figure(root=True)
        box = ax.bbox
        board = self.board(*_inches(ax))
        high = root.bbox.height
        Painter(renderer, high, box.width / board.width, corner=(box.x0, high - box.y1)).board(
            board
        )
