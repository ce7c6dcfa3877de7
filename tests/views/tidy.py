"""Whether a page is tidy: all text is on it, and none lies on other text."""

from itertools import combinations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis, Tick
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text


def texts(figure):
    """The text artists that are seen: tick labels count only within the view."""
    FigureCanvasAgg(figure)
    figure.draw_without_rendering()  # all is put in its place; colouring the pixels would take half of the time
    return [text for text in _shown(figure) if isinstance(text, Text) and text.get_text()]


def _shown(artist):
    """An artist that is shown and those within it; asking an axis that is off for its ticks would make them."""
    if not artist.get_visible():
        return
    yield artist
    for child in artist.get_children():
        off = isinstance(child, Axis) and isinstance(artist, Axes) and not artist.axison
        if not off and not (isinstance(child, Tick) and _is_out_of_view(child, artist)):
            yield from _shown(child)


def _is_out_of_view(tick, axis):
    low, high = sorted(axis.get_view_interval())
    reach = 1e-9 * (high - low)
    return not low - reach <= tick.get_loc() <= high + reach


def assert_tidy(figure):
    page = figure.bbox
    seen = [(text.get_text(), text.get_window_extent()) for text in texts(figure)]
    for text, box in seen:
        assert page.x0 <= box.x0, text
        assert box.x1 <= page.x1, text
        assert page.y0 <= box.y0, text
        assert box.y1 <= page.y1, text
    for (one, box), (other, place) in combinations(seen, 2):
        above = one == other and np.allclose(box.bounds, place.bounds)  # the same once more, on what changes
        assert above or not box.overlaps(place), (one, other)
