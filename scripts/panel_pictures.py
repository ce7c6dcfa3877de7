"""Draw a small picture of each panel that one chooses, by the painter of pictures, in both themes.

Run by `make assets`; a test compares what is there with what this writes.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from kpviz import experiment
from kpviz.panels import IN_LINKS
from kpviz.picture import figure
from kpviz.picture.stage import RenderOptions, Stage
from kpviz.player.comparison import Comparison
from kpviz.settings import Settings

FILE = Path(__file__).parent.parent / "kpviz" / "player" / "web" / "page" / "panel_pictures.css"
SIZE = (112, 72)  # pixels, twice those of the page
_SCALE = 1.7  # CSS pixels that a panel is laid out for, for each of these,
_LAID = {  # Less would show too little.
    "map": 3.2,
    "proof": 2.4,
    "curve": 2.4,
    "readings": 2.8,
    "primal": 2.8,
    "lift": 2.4,
    "remembered": 2.4,
    "gram": 2.0,
    "validity": 2.0,
}
_COLOURS = 14
_THEMES = {"": "light", ".dark ": "dark"}
_RUN = {"data": "moons", "n": 24, "noise": 0.2}
_OTHERS = {  # runs of panels that show more elsewhere
    "own": {**_RUN, "learner": "oldest", "budget": 5},
    "primal": {"data": "linear", "kernel": "linear", "n": 24},
    "lift": {"data": "circles", "kernel": "monomial", "n": 40},
    "remembered": {**_RUN, "n": 10},
    "proof": {"data": "linear", "kernel": "linear", "n": 60, "intercept": "unit"},
    "readings": {**_RUN, "noise": 0.5, "n": 60},
    "validity": {**_RUN, "n": 12, "kernel": "sigmoid", "coef0": -1},
    "derivation": {**_RUN, "kernel": "linear"},
    "lines": {"data": "linear", "kernel": "linear", "learner": "svm", "n": 24},
}
_ON = {
    "normed": "margins",
    "similar": "map",
    "lines": "map",
    "unhatched": "map",
}  # These are seen on other panels.


def css() -> str:
    """Return a rule for each picture."""
    rules = ["/* Written by `make assets`. */", ".chooser .picture { display: block; }"]
    for where, name, url in _pictures():
        rules.append(f'{where}.panel-{name} {{ background-image: url("{url}"); }}')
    return "\n".join(rules) + "\n"


def _pictures() -> Iterator[tuple[str, str, str]]:
    for where, theme in _THEMES.items():
        for name in IN_LINKS:
            yield where, name, _png(picture(name, theme))


def picture(name: str, theme: str) -> Image.Image:
    """Return a panel as it is at the end of a run."""
    settings = Settings.of(**_OTHERS.get(name, _RUN))
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    only = _ON.get(name, name)
    look = RenderOptions(theme, (name,), only, edge=4.0)
    wide, high = (side * _LAID.get(only, _SCALE) for side in SIZE)
    board = Stage(Comparison.of(settings, split, run), look, (wide, high), scale=1.0).board(
        run.n_steps
    )
    drawn = figure.of_board(board, (wide / 100, high / 100), look, "")
    image = Image.open(io.BytesIO(figure.save(drawn, "png")))
    return image.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)


def _png(image: Image.Image) -> str:
    buffer = io.BytesIO()
    image.quantize(_COLOURS, dither=Image.Dither.NONE).save(buffer, "png", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"


if __name__ == "__main__":
    FILE.write_text(css(), encoding="utf-8")
