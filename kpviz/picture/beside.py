"""What stands beside words on a card: the picture of a link to the kernel lab, or to Fisher's page."""

from __future__ import annotations

from dataclasses import dataclass

from matplotlib.figure import Figure

from kpviz import experiment
from kpviz.engine.kernels import validity
from kpviz.engine.run.embedding import kernel_pca
from kpviz.picture import bridge
from kpviz.picture.board import Board, Rect
from kpviz.picture.figure import BoardArtist
from kpviz.picture.lab import arranged, examples, functions, style
from kpviz.picture.lab.spectrum import Spectrum
from kpviz.picture.lab.style import Display
from kpviz.picture.lab.weights import Weights
from kpviz.picture.render_options import RenderOptions
from kpviz.player import fisher
from kpviz.settings import Settings
from kpviz.settings.fisher_link import FisherSettings, FisherView
from kpviz.settings.lab_link import LabView

_TYPE = 16.0  # CSS pixels of the smallest type on a page whose shorter side is 720: it is read from the back row
_LEFT, _RIGHT, _ABOVE, _BELOW = 56.0, 4.0, 36.0, 46.0  # such pixels about a plot
_SMALL = 10.0  # points of the smallest type of the lab's plots, at a scale of 1


@dataclass(frozen=True)
class Fisher:
    """The plane with F, and J of all directions."""

    settings: FisherSettings
    view: FisherView

    def draw(self, page: Figure, board: Board, rect: Rect, theme: str) -> None:
        """Draw it at a place of a page that shows a board."""
        data = fisher.envelope(fisher.encode(self.settings), self.settings, self.view)
        options = {**RenderOptions(theme).options, "width": board.width, "height": board.height}
        least = _TYPE * min(board.width, board.height) / 720
        parcel = bridge.engine().open(data, options).make("beside", vars(rect), least)
        page.add_artist(BoardArtist(Board.of(parcel)))


@dataclass(frozen=True)
class Lab:
    """What a tab of the kernel lab draws: eigenvalues, or the weights of degrees above kernel PCA."""

    settings: Settings
    view: LabView

    def draw(self, page: Figure, board: Board, rect: Rect, theme: str) -> None:
        """Draw it at a place of a page that shows a board; what the lab cannot show leaves the place free."""
        try:
            rows = _spectrum(self, theme) if self.view.tab == "valid" else _space(self, theme)
        except ValueError:  # no examples, or a formula that is none
            return
        unit = min(board.width, board.height) / 720
        left, above, below = (side * unit for side in (_LEFT, _ABOVE, _BELOW))
        points = 72 * page.get_figheight() / board.height  # of a CSS pixel
        with style.sheet(_TYPE * unit * points / _SMALL):
            for row, panels in enumerate(rows):
                high, wide = rect.h / len(rows), rect.w / len(panels)
                for column, panel in enumerate(panels):
                    x, y = rect.x + column * wide + left, rect.y + row * high + above
                    w, h = wide - left - _RIGHT * unit, high - above - below
                    box = (x / board.width, 1 - (y + h) / board.height, w / board.width, h / board.height)
                    panel.draw(page.add_axes(box))


def of_lab(settings: Settings, view: LabView) -> Lab | None:
    """Return the picture of a link to the lab, None where its tab has words only."""
    return Lab(settings, view) if view.tab in ("valid", "space") else None


def _spectrum(lab: Lab, theme: str) -> list[list[Display]]:
    kernel = functions.function_of(lab.view, lab.settings)
    looked = examples.looked_at(lab.view, kernel, lab.settings)
    verdict = validity.examine(kernel.fitted(looked.X), looked.X)
    return [[Spectrum.of(verdict, logarithmic=lab.view.log == "on", theme=theme)]]


def _space(lab: Lab, theme: str) -> list[list[Display]]:
    weights: list[Display] = [Weights.of(lab.view.power, lab.view.constant, theme=theme)]
    looked = examples.of_data(lab.settings)
    kernel = experiment.kernel(lab.settings).fitted(looked.X)
    found = kernel_pca(kernel(looked.X, looked.X))
    return [weights, arranged.panels(kernel, looked, found, theme)]
