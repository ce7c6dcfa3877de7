"""The painter of pictures beside the canvas: the same boards, pixel by pixel."""

import base64
import io
import json
from itertools import cycle
from pathlib import Path
from unittest.mock import patch
from urllib.parse import parse_qsl

import numpy as np
import pytest
from boards import BOARDS
from drawing import lineup
from PIL import Image

from kpviz import fonts, tokens
from kpviz.lessons import comparison
from kpviz.picture import bridge
from kpviz.picture.reel import Reel
from kpviz.picture.stage import RenderOptions, Stage
from kpviz.player import modules
from kpviz.settings import from_query
from kpviz.settings.cues import Cues
from kpviz.settings.view import read_view

FAR = 64  # levels of a channel: more is another pixel
MOST = 0.01  # share of such pixels: edges of letters, which every machine draws its own way
SIZES = {
    "4x3": (960, 720),
    "1x1": (720, 720),
    "9x16": (720, 1280),
}  # of a board where a link presents
WIDE = (1280, 720)
MOVING = 300.0  # ms into a step


def fewest():
    """A few boards that have together every kind of mark of every panel, as the gallery
    shows them.
    """
    found = {}
    for path in sorted(Path(__file__).parents[1].joinpath("gallery").glob("*.json")):
        board = json.loads(path.read_text(encoding="utf-8"))
        kinds = (
            (panel, mark["kind"], mark.get("name"))
            for panel, marks in board.items()
            for mark in marks
        )
        found[path.stem] = {(panel.partition("-")[0], *kind) for panel, *kind in kinds}
    left, chosen = set().union(*found.values()), []
    while left:
        chosen.append(max(found, key=lambda name: len(found[name] & left)))
        left -= found[chosen[-1]]
    return chosen


CASES = {
    name: (BOARDS[name], theme, gone)
    for name, theme, gone in zip(
        fewest(), cycle(tokens.THEMES), cycle([None, None, None, MOVING]), strict=False
    )
}
DRAW = """([bytes, options, t, gone, families]) => {
  Object.defineProperty(performance, "now", { value: () => 0, configurable: true });
  const stage = new Headless(Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0)), options);
  stage.player.palette.fonts = families;
  const canvas = Object.assign(document.createElement("canvas"), { width: options.width, height: options.height });
  paint(canvas.getContext("2d"), stage.board(t, gone), families, new Map());
  return canvas.toDataURL();
}"""


@pytest.fixture(scope="module")
def page(chromium):
    """A page with the player's modules and typeface, and without a server."""
    faces = "".join(
        f"@font-face {{ font-family: '{one.family}'; font-weight: {one.weights[0]} "
        f"{one.weights[1]}; "
        f"src: url(data:font/ttf;base64,{base64.b64encode(one.ttf.read_bytes()).decode()}); }}"
        for one in fonts.FACES
    )
    stage = f"{{ {modules.script('paper/headless.js')}\nwindow.Headless = start; }}"
    painter = f"{{ {modules.script('paint/paint.js')}\nwindow.paint = $paint_paint.paint; }}"
    tab = chromium.new_page()
    tab.set_content(f"<style>{faces}</style><script>{stage}\n{painter}</script>")
    tab.evaluate("() => Promise.all([...document.fonts].map((face) => face.load()))")
    yield tab
    tab.close()


@pytest.mark.parametrize("name", CASES)
def test_the_painter_draws_what_the_canvas_draws(page, name):
    link, theme, gone = CASES[name]
    size, view, stage, sent = staged(link, theme)
    t = min(view.t, stage.experiments.end)
    ours = Reel(stage, size).frame(t, gone)[..., :3].astype(int)
    theirs = seen(page, *sent, t, gone)
    away = np.abs(ours - theirs).max(axis=2)
    assert (away > FAR).mean() < MOST
    assert away.mean() < 2.5


def staged(link, theme):
    """A stage for a link, its size, what the link says of the view, and what the embedded engine
    was sent.
    """
    pairs = dict(parse_qsl(link))
    settings, _ = from_query(
        {key: value for key, value in pairs.items() if not comparison.is_key(key)}
    )
    view, _ = read_view(pairs)
    runs = lineup(settings, comparison.read(pairs, settings)[0])
    size = SIZES.get(view.stage, WIDE)
    look = RenderOptions(theme, view.show, angles=view.turn)
    engine = bridge.engine()
    with patch.object(engine, "open", wraps=engine.open) as opened:
        stage = Stage(runs, look, size, Cues.of_code(settings.cues))
    return size, view, stage, opened.call_args.args


def seen(page, packed, options, t, gone):
    """The pixels of the board on a canvas."""
    families = {"canvas": names(fonts.TEXT_FAMILIES), "code": names(fonts.CODE_FAMILIES)}
    url = page.evaluate(DRAW, [base64.b64encode(packed).decode(), options, t, gone, families])
    return np.asarray(
        Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))).convert("RGB")
    ).astype(int)


def names(families):
    return ", ".join(f"'{family}'" for family in families)
