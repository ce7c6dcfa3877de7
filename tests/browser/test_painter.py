"""The painter of pictures beside the canvas: the same board, pixel by pixel."""

import base64
import io

import numpy as np
import pytest
from drawing import lineup
from PIL import Image

from kpviz import fonts
from kpviz.picture.reel import Reel
from kpviz.picture.render_options import RenderOptions
from kpviz.picture.stage import Stage
from kpviz.player import modules
from kpviz.player.envelope import ViewState
from kpviz.settings import from_query
from kpviz.settings.cues import Cues

WIDE, HIGH = 1280, 720
FAR = 64  # levels of a channel: more is another pixel
MOST = 0.012  # share of such pixels: edges of letters, which every machine draws its own way
CASES = {
    "rest": ("data=xor&noise=0.3&held=0.2", 40, None, RenderOptions()),
    "motion": ("data=moons", 1, 300.0, RenderOptions("dark")),
    "grey": ("data=xor&learner=forgetron", 30, None, RenderOptions("print")),
    "words": ("data=texts", 9, None, RenderOptions()),
    "space": ("data=circles&kernel=polynomial", 30, None, RenderOptions(panels=("lift", "primal", "alpha"))),
    "own": ("data=moons&learner=norma", 60, None, RenderOptions(panels=("own", "code", "bound"))),
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
        f"@font-face {{ font-family: '{one.family}'; font-weight: {one.weights[0]} {one.weights[1]}; "
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
    link, t, gone, look = CASES[name]
    settings, _ = from_query(f"v=1&{link}")
    runs = lineup(settings)
    stage = Stage(runs, look, (WIDE, HIGH))
    ours = Reel(stage, (WIDE, HIGH)).frame(t, gone)[..., :3].astype(int)
    packed = runs.packed(ViewState(), Cues(), {*(look.panels or ()), "gram", "remembered"})
    options = {**look.options, "width": WIDE, "height": HIGH, "openings": [runs.current.opening]}
    families = {"canvas": names(fonts.TEXT_FAMILIES), "code": names(fonts.CODE_FAMILIES)}
    sent = [base64.b64encode(packed).decode(), options, t, gone, families]
    url = page.evaluate(DRAW, sent)
    theirs = np.asarray(Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))).convert("RGB")).astype(int)
    away = np.abs(ours - theirs).max(axis=2)
    assert (away > FAR).mean() < MOST
    assert away.mean() < 2.5


def names(families):
    return ", ".join(f"'{family}'" for family in families)
