"""Write what the app ships ready-made from kpviz/tokens.py: theme and icon.

Run by `make assets`; a test compares what is there with what this writes.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from kpviz import tokens

ROOT = Path(__file__).parent.parent
UI = ROOT / "kpviz" / "app"

CONFIG = """\
# Written by `make assets` from kpviz/tokens.py; a test compares them.
[server]
address = "localhost"
maxUploadSize = 20
fileWatcherType = "none"
showEmailPrompt = false

[browser]
gatherUsageStats = false

[client]
toolbarMode = "minimal"
showErrorDetails = "none"
showErrorLinks = false

[runner]
magicEnabled = false

[theme]
buttonRadius = "22px"
baseRadius = "10px"
"""


def config() -> str:
    """The app's settings and its two themes."""
    parts = [CONFIG]
    for name, theme in ((name, tokens.THEMES[name]) for name in tokens.SCREENS):
        parts.append(
            f"""
[theme.{name}]
primaryColor = "{theme["accent"]}"
backgroundColor = "{theme["paper"]}"
secondaryBackgroundColor = "{theme["panel"]}"
textColor = "{theme["ink"]}"
borderColor = "{theme["rule"]}"
"""
        )
    return "".join(parts)


def icon() -> bytes:
    """Return the page's icon: the field of XOR with its four corners."""
    figure = Figure(figsize=(1, 1), dpi=64)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axis = np.linspace(-1.5, 1.5, 64)
    theme = tokens.THEMES["light"]
    colours = [theme["field_negative"], theme["field_zero"], theme["field_positive"]]
    scale = LinearSegmentedColormap.from_list("field", colours)
    axes.imshow(-np.outer(axis, axis), cmap=scale, extent=(-1.5, 1.5, -1.5, 1.5), origin="lower")
    for sign, kind, marker in ((1, "negative", "s"), (-1, "positive", "o")):
        axes.plot(
            [0.8, -0.8],
            [sign * 0.8, sign * -0.8],
            marker,
            color=tokens.MAP_POINTS[kind],
            markersize=11,
        )
    return _png(figure)


def _png(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def main() -> None:
    """Write all of it."""
    for folder in (ROOT, UI):
        (folder / ".streamlit").mkdir(exist_ok=True)
        (folder / ".streamlit" / "config.toml").write_text(config(), encoding="utf-8")
    (UI / "icon.png").write_bytes(icon())


if __name__ == "__main__":
    main()
