"""Whether a page is tidy: all text is on it, and none lies on other text."""

from itertools import combinations

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text


def texts(figure):
    """The text artists that are seen: tick labels count only within the view."""
    FigureCanvasAgg(figure).draw()
    unseen = set()
    for ax in figure.axes:
        for axis in (ax.xaxis, ax.yaxis):
            low, high = sorted(axis.get_view_interval())
            reach = 1e-9 * (high - low)
            for tick in axis.get_major_ticks():
                if not low - reach <= tick.get_loc() <= high + reach:
                    unseen |= {tick.label1, tick.label2}
    return [text for text in figure.findobj(Text) if text.get_visible() and text.get_text() and text not in unseen]


def assert_tidy(figure):
    page = figure.bbox
    seen = [(text.get_text(), text.get_window_extent()) for text in texts(figure)]
    for text, box in seen:
        assert page.x0 <= box.x0, text
        assert box.x1 <= page.x1, text
        assert page.y0 <= box.y0, text
        assert box.y1 <= page.y1, text
    for (one, box), (other, place) in combinations(seen, 2):
        assert not box.overlaps(place), (one, other)
