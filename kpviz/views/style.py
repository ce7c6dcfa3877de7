"""What all panels share: the theme's colours, the frame of a panel, and settings that no one's own style disturbs."""

from __future__ import annotations

from contextlib import AbstractContextManager

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.ticker import MaxNLocator

from kpviz import tokens
from kpviz.engine import checks

TEXT = 12.0  # points, on a page of 12.8 x 7.2 inches


def sheet(scale: float = 1.0) -> AbstractContextManager[None]:
    """Return a context with matplotlib's defaults and our type, whatever style the notebook has set."""
    ours = {
        "font.family": [tokens.FONTS["figure"]],
        "font.size": TEXT * scale,
        "svg.fonttype": "path",  # the slides' machine may lack the font
        "svg.hashsalt": "kpviz",  # the same picture is the same file
    }
    return style.context(["default", ours])


def colours(theme: str) -> dict[str, str]:
    """Return the theme's colours; ValueError for a theme that there is not."""
    return tokens.THEMES[checks.choice("theme", theme, tuple(tokens.THEMES))]


def field_colours(theme: str) -> LinearSegmentedColormap:
    """Return the scale from the field's colour of -1 over white to that of +1."""
    paint = colours(theme)
    ends = [paint["field_negative"], paint["field_zero"], paint["field_positive"]]
    return LinearSegmentedColormap.from_list(f"field_{theme}", ends)


def side(label: float) -> str:
    """Return the key of a label's colour and shape in `kpviz.tokens`."""
    return "positive" if label > 0 else "negative"


def pixels(ax: Axes) -> tuple[float, float]:
    """Return width and height of the axes in pixels of a screen, 100 to the inch, whatever the file's resolution."""
    box = ax.get_position()
    width, height = ax.figure.get_size_inches()
    return float(100 * width * box.width), float(100 * height * box.height)


def panel(ax: Axes, theme: str, title: str = "") -> None:
    """Give axes a quiet frame: a tinted ground, small tick labels, and a title at the left."""
    paint = colours(theme)
    ax.set_facecolor(paint["panel"])
    ax.tick_params(length=0, pad=4, colors=paint["quiet"], labelsize="small")
    for spine in ax.spines.values():
        spine.set_visible(False)
    if title:
        ax.set_title(title, loc="left", fontsize="medium", color=paint["quiet"], pad=6, parse_math=False)


def whole_numbers(ax: Axes) -> None:
    """Put a few whole numbers on the vertical axis."""
    ax.yaxis.set_major_locator(MaxNLocator(nbins=3, integer=True, min_n_ticks=1))


def hint(ax: Axes, theme: str, text: str) -> None:
    """Write a quiet sentence in the middle of an empty panel."""
    middle = {"ha": "center", "va": "center", "transform": ax.transAxes}
    ax.text(0.5, 0.5, text, color=colours(theme)["quiet"], parse_math=False, **middle)
