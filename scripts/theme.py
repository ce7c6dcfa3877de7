"""Write what the app ships ready-made, from kpviz/tokens.py and the engine: theme, thumbnails, icon.

Run by `make assets`; a test compares what is there with what this writes.
"""

from __future__ import annotations

import base64
import io
from pathlib import Path
from urllib.parse import quote

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from kpviz import experiment, tokens
from kpviz.engine.checks import FloatArray
from kpviz.engine.data import boolean, datasets
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.kernels import KERNELS
from kpviz.engine.kernels.objects.counting import sketches
from kpviz.engine.run import grid
from kpviz.settings import Settings

ROOT = Path(__file__).parent.parent
UI = ROOT / "kpviz" / "app"
_SIDE = 74  # px of a tile's picture

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
postScriptGC = false
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


def thumbnails() -> str:
    """A picture for each data set and each kernel, as background of its tile."""
    rules = ["/* Written by `make assets`. */"]
    for name in datasets.SOURCES:
        rules.append(_rule("data", name, f"data:image/svg+xml,{quote(data_picture(name), safe=' =:/')}"))
    for name, source in OBJECTS.items():
        drawn = texts_picture() if source.kind == "texts" else object_picture(name)
        rules.append(_rule("data", name, f"data:image/svg+xml,{quote(drawn, safe=' =:/')}"))
    for name in KERNELS:
        picture = base64.b64encode(kernel_picture(name)).decode()
        rules.append(_rule("kernel", name, f"data:image/png;base64,{picture}"))
    return "\n".join(rules) + "\n"


def data_picture(name: str) -> str:
    """Return an SVG of some examples of a data set."""
    split = experiment.prepare(Settings.of(data=name, n=80))
    shown = grid.extent(split.X)
    across = (split.X[:, 0] - shown.low_1) / (shown.high_1 - shown.low_1) * _SIDE
    down = (shown.high_2 - split.X[:, 1]) / (shown.high_2 - shown.low_2) * _SIDE
    marks = []
    for x, y, label in zip(across, down, split.y, strict=True):
        fill = tokens.MAP_POINTS["positive" if label > 0 else "negative"]
        if label > 0:
            marks.append(f"<circle cx='{x:.0f}' cy='{y:.0f}' r='2.6' fill='{fill}'/>")
        else:
            marks.append(f"<rect x='{x - 2.3:.0f}' y='{y - 2.3:.0f}' width='4.6' height='4.6' fill='{fill}'/>")
    return _svg(marks)


def texts_picture() -> str:
    """Return an SVG of a few sentences, a bar for each word, with a ground under those that the first one has too."""
    texts, _ = OBJECTS["texts"].examples()
    lines = [texts[i].split() for i in (4, 3, 7, 9, 11)]  # which share words at their beginnings
    paint = tokens.THEMES["light"]
    marks = []
    for row, words in enumerate(lines):
        x = 6.0
        for word in words:
            wide = 3.1 * len(word)
            if x + wide > _SIDE - 5:
                break
            ink = paint["accent"] if row and word in lines[0] else paint["quiet"]
            marks.append(f"<rect x='{x:.0f}' y='{9 + 12 * row}' width='{wide:.0f}' height='5' rx='2' fill='{ink}'/>")
            x += wide + 4
    return _svg(marks)


def object_picture(name: str) -> str:
    """Return an SVG of a tree, a graph or a cube."""
    if OBJECTS[name].kind == "bits":
        places, edges = boolean.corners(3), boolean.edges(3)
        labels = boolean.function("parity", 3).values(boolean.bits(3))
        ups, joined = (places + 1) / 2, edges.tolist()
    else:
        texts, y = OBJECTS[name].examples()
        sketch = sketches(KERNELS[OBJECTS[name].kernels[0]](), texts[-1:])[0]
        ups = np.array([(node.x, node.y) for node in sketch.nodes])
        joined, labels = sketch.edges, np.full(len(ups), y[-1])
    across, down = 9 + ups[:, 0] * (_SIDE - 18), 9 + (1 - ups[:, 1]) * (_SIDE - 18)
    ink = tokens.THEMES["light"]["quiet"]
    marks = [
        f"<line x1='{across[a]:.0f}' y1='{down[a]:.0f}' x2='{across[b]:.0f}' y2='{down[b]:.0f}' stroke='{ink}'/>"
        for a, b in joined
    ]
    for x, y_, label in zip(across, down, labels, strict=True):
        fill = tokens.MAP_POINTS["positive" if label > 0 else "negative"]
        marks.append(f"<circle cx='{x:.0f}' cy='{y_:.0f}' r='4' fill='{fill}'/>")
    return _svg(marks)


def _svg(marks: list[str]) -> str:
    paper = tokens.THEMES["light"]["field_zero"]
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{_SIDE}' height='{_SIDE}'>"
        f"<rect width='{_SIDE}' height='{_SIDE}' rx='6' fill='{paper}'/>{''.join(marks)}</svg>"
    )


def kernel_picture(name: str) -> bytes:
    """Return a PNG of k(x, ·) for an x right of the middle, or of the Gram matrix of objects."""
    values = kernel_values(name)
    theme = tokens.THEMES["light"]
    colours = [theme["field_negative"], theme["field_zero"], theme["field_positive"]]
    figure = Figure(figsize=(1, 1), dpi=_SIDE // 2)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    limit = float(np.abs(values).max())
    scale = LinearSegmentedColormap.from_list("field", colours)
    axes.imshow(values, cmap=scale, vmin=-limit, vmax=limit, origin="lower", interpolation="nearest")
    return _png(figure)


def kernel_values(name: str) -> FloatArray:
    """Return k(x, ·) on the nodes of a plane, or the Gram matrix of the objects that the kernel compares, by class."""
    kernel = KERNELS[name]()
    if kernel.compares != "vectors":
        texts, _ = next(source for source in OBJECTS.values() if name in source.kernels).examples()
        return np.sqrt(kernel.normalized()(texts, texts))[::-1]  # the root shows small values
    axis = np.linspace(-1.25, 1.25, _SIDE // 2)
    nodes = np.column_stack([np.tile(axis, len(axis)), np.repeat(axis, len(axis))])
    fitted = kernel.fitted(experiment.prepare(Settings.of(data="moons")).X)
    return fitted(np.array([[0.4, 0.25]]), nodes).reshape(len(axis), len(axis))


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
        axes.plot([0.8, -0.8], [sign * 0.8, sign * -0.8], marker, color=tokens.MAP_POINTS[kind], markersize=11)
    return _png(figure)


def _rule(prop: str, name: str, url: str) -> str:
    return f'.st-key-tile-{prop}-{name} button {{ background-image: url("{url}"); }}'


def _png(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def main() -> None:
    """Write all of it."""
    for folder in (ROOT, UI):
        (folder / ".streamlit").mkdir(exist_ok=True)
        (folder / ".streamlit" / "config.toml").write_text(config(), encoding="utf-8")
    (UI / "thumbnails.css").write_text(thumbnails(), encoding="utf-8")
    (UI / "icon.png").write_bytes(icon())


if __name__ == "__main__":
    main()
