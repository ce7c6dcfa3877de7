"""What is drawn is what is computed, pixel by pixel; the pictures of the settings, and the typeface
of all.
"""

import ast
import io
from pathlib import Path

import numpy as np
import pytest
from contrast import contrast, luminance
from matplotlib import image

from kpviz import experiment, fonts, tokens
from kpviz.engine.run import grid
from kpviz.lessons import explain, misconceptions

POWER = {
    "light": 0.8,
    "dark": 0.55,
}  # below 1 small values differ more, so that the first hills are seen
START = 0.02  # of the power, which is steepest at 0
LEVELS = 6  # out of 255: between two nodes the canvas mixes colours, and rounds


def computed(player):
    """Settings, run, field and colour limit of the player's instant, from Python alone."""
    settings = player.settings
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    shown = grid.extent(np.concatenate([split.X, split.X_test]))
    field = grid.field(run, player.t, *shown.axes(tokens.GRID), settings.predictor)
    return field, grid.limit(run, player.t, settings.predictor)


def colour(share, theme):
    """The colour of a share of the limit, mixed from the tokens."""
    ends = {
        name: np.array(
            [int(tokens.THEMES[theme][f"field_{name}"][k : k + 2], 16) for k in (1, 3, 5)]
        )
        for name in ("negative", "zero", "positive")
    }
    end = ends["positive"] if share > 0 else ends["negative"]
    nothing, all_of_it, reached = (
        (START + part) ** POWER[theme] for part in (0, 1, min(abs(share), 1))
    )
    return ends["zero"] + (end - ends["zero"]) * (reached - nothing) / (all_of_it - nothing)


def free_nodes(player, field, count):
    """Nodes of the grid, spread over the map, on which no point, line or word is drawn."""
    rect, rows, columns = player.js("s.layout.panels.map"), *np.indices(field.shape)
    x = rect["x"] + columns / 95 * rect["w"]
    y = rect["y"] + rect["h"] * (1 - rows / 95)
    free = (x > rect["x"] + 50) & (x < rect["x"] + rect["w"] - 8)
    free &= (y > rect["y"] + 70) & (y < rect["y"] + rect["h"] - 70)
    for mark in player.marks("map"):
        if mark["kind"] in ("circle", "square"):
            free &= np.hypot(x - mark["x"], y - mark["y"]) > mark["r"] + 5
        elif mark["kind"] == "lines":
            for px, py in np.concatenate(
                [np.reshape(line, (-1, 2)) for line in mark["lines"]] or [np.zeros((0, 2))]
            ):
                free &= np.hypot(x - px, y - py) > 10
        elif mark["kind"] == "text":
            free &= (np.abs(y - mark["y"]) > 24) | (np.abs(x - mark["x"]) > 130)
    found = np.argwhere(free)
    assert len(found) > count
    chosen = found[np.linspace(0, len(found) - 1, count).astype(int)]
    return [(row, column, x[row, column], y[row, column]) for row, column in chosen]


def at(pixels, x, y):
    """The pixel at a place between pixels: the mean of the four around it."""
    left, top = round(x) - 1, round(y) - 1
    return pixels[top : top + 2, left : left + 2].reshape(-1, 3).mean(axis=0)


@pytest.mark.parametrize(
    ("link", "theme"),
    [("t=180", "dark"), ("kernel=laplacian&data=spirals&held=0.2&t=150", "light")],
)
def test_the_map_has_the_colours_of_the_field(link, theme, player):
    player.wear(color_scheme=theme).open(f"/?v=1&{link}")
    assert player.js("s.palette.dark") == (theme == "dark")
    field, limit = computed(player)
    assert player.js("s.run.limitAt(s.t)") == pytest.approx(limit)
    pixels = player.pixels()
    for row, column, x, y in free_nodes(player, field, 40):
        wanted = colour(field[row, column] / limit, theme)
        assert np.abs(at(pixels, x, y) - wanted).max() <= LEVELS, (row, column, field[row, column])


def test_one_instant_has_one_picture_whichever_way_one_came(player):
    """Stepped to, come back to from the end, scrubbed to, jumped to, reloaded: the same pixels and
    numbers.
    """
    player.open("/?v=1&noise=0.1&order=shuffled&intercept=unit")
    run = experiment.run(player.settings)
    wanted = int(np.flatnonzero(run.mistake)[4]) + 1

    def seen():
        player.until("s.t === arg", wanted).rest()
        return player.picture(), *(np.asarray(part).tobytes() for part in player.reading())

    player.press(*["ArrowRight"] * wanted)
    first = seen()
    ways = {
        "by mistakes": lambda: player.press("Home", *["PageDown"] * 5),
        "back from the end": lambda: player.press(
            "End", *["Shift+ArrowLeft"] * int(run.mistake.sum() - 5 + (not run.mistake[-1]))
        ),
        "scrubbed": lambda: scrub(player, wanted),
        "jumped": lambda: player.go(0).go(wanted),
        "played": lambda: play(player, wanted),
        "reloaded": lambda: reload(player, wanted),
    }
    for name, way in ways.items():
        way()
        assert seen() == first, name


def scrub(player, t):
    rect, steps = player.js("s.layout.panels.timeline"), player.js("s.run.nSteps")
    y = rect["y"] + rect["h"] / 2
    x = rect["x"] + 8 + t / steps * (rect["w"] - 16)
    player.page.mouse.move(*player.at(rect["x"] + rect["w"] - 10, y))
    player.page.mouse.down()
    for place in (rect["x"] + 300, rect["x"] + 20, x):
        player.page.mouse.move(*player.at(place, y), steps=4)
    player.page.mouse.up()
    player.away()


def play(player, t):
    player.press("Home", *["f"] * 6, " ").until("s.t >= arg", t).press(" ").go(t)


def reload(player, t):
    player.page.wait_for_url(f"**t={t}**")
    player.reload().js(
        "s.draw()"
    )  # of a run that has just come the first frame is drawn without layers: other roundings


def test_rescaled_colours_fill_the_scale_of_this_step(player):
    player.open("/?v=1&data=moons&kernel=polynomial&degree=5&t=60")
    button = player.page.locator(".kpviz [data-do=rescale]")
    player.js("s.draw()")  # with layers, as from a run's second frame on
    usual = player.picture()
    assert any(mark["text"].endswith(" or more") for mark in player.marks("strip", name="end"))
    button.click()
    player.rest()
    field, _ = computed(player)
    assert player.js("s.colourLimit.value") == pytest.approx(np.abs(field).max(), rel=0.06)
    limit = player.js("s.colourLimit.value")
    assert f"+{limit:.2f}".removesuffix(".00") in [
        mark["text"] for mark in player.marks("strip", kind="text")
    ]
    player.away()
    pixels = player.pixels()
    for row, column, x, y in free_nodes(player, field, 20):
        assert (
            np.abs(at(pixels, x, y) - colour(field[row, column] / limit, "light")).max() <= LEVELS
        )
    assert button.inner_text() == "Scale of the run"
    button.click()
    player.away()
    player.rest()
    assert player.js("s.colourLimit.value") is None
    assert player.picture() == usual


# ---- the pictures of the settings ----------------------------------------------------------------

SEEN = 3.0  # of contrast (WCAG 1.4.11)
PAINTED = "html:root { opacity: 1 !important; }"  # as the window is not, usually


def ground_and_classes(picture):
    """The colour of most pixels, and those of the most orange and most blue places."""
    seen = image.imread(io.BytesIO(picture.screenshot(style=PAINTED)), format="png")
    pixels = 255.0 * seen[..., :3].reshape(-1, 3)
    warm = pixels[:, 0] - pixels[:, 2]
    colours, counts = np.unique(pixels, axis=0, return_counts=True)
    return colours[counts.argmax()], pixels[warm.argmax()], pixels[warm.argmin()]


def test_pictures_are_as_light_as_the_page_and_tell_the_classes_apart_and_follow_the_theme(player):
    player.wear(color_scheme="light").open("/?v=1")
    for group in ("data", "learner", "compare"):
        player.show(group)
        if group == "compare":
            player.page.locator(
                ".dock summary", has_text="Which learner?"
            ).click()  # of runs in the plane
        pictures = player.page.locator(
            ".dock .picture:visible:not(.tile-compare-literals, .tile-compare-long-texts)"
        )
        pictures.nth(3).wait_for()
        for theme in tokens.SCREENS:
            player.wear(color_scheme=theme).until("s.palette.dark === arg", theme == "dark").rest()
            for k in range(4):
                ground, orange, blue = ground_and_classes(pictures.nth(k))
                if group == "compare":
                    # Its ground is the field, in the paler colours of the classes.
                    dark, light = 0.2, 0.3
                else:
                    dark, light = 0.03, 0.9
                    assert contrast(orange, ground) > SEEN
                    assert contrast(blue, ground) > SEEN
                assert luminance(ground) < dark if theme == "dark" else luminance(ground) > light
                assert orange[0] > orange[1] > orange[2]
                assert blue[0] < blue[1] < blue[2]


# ---- the typeface --------------------------------------------------------------------------------

MEASURE = """([font, texts]) => {
  const context = document.createElement("canvas").getContext("2d");
  context.font = font;
  return texts.map((text) => context.measureText(text).width);
}"""
STATES = (
    "[...document.fonts].map(({ family, weight, status }) => [family.replace(/[\"']/g, ''), "
    "weight, status])"
)


def sentences():
    """What kpviz says of steps and misconceptions, and all other literals of these files."""
    trees = (
        ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        for module in (explain, misconceptions)
    )
    constants = [
        node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)
    ]
    return sorted(
        {
            line
            for text in constants
            if isinstance(text, str)
            for line in text.splitlines()
            if line.strip()
        }
    )


@pytest.mark.parametrize("path", ["/", "/fisher"])
def test_all_faces_are_loaded_once(player, path):
    player.page.goto(player.base + path)
    player.page.wait_for_function(
        f"{STATES}.filter(([family]) => family === '{fonts.SIGNS}').length"
    )
    player.page.wait_for_function("document.fonts.status === 'loaded'")
    ours = [state for state in player.page.evaluate(STATES) if state[0].startswith("kpviz")]
    assert ours == [[face.family, "{} {}".format(*face.weights), "loaded"] for face in fonts.FACES]


def test_lines_are_as_wide_as_the_table_says(player):
    player.open("/?v=1").page.evaluate(
        "Promise.all([...document.fonts].map((face) => face.load()))"
    )
    texts = [*sentences(), "AVAVA fi ffi To", "xᵢ ∨ yⱼ ∧ αₜ ∝ ‖w‖", "0123456789"]
    assert len(texts) > 150
    for weight, code in ((400, False), (600, False), (400, True), (700, True)):
        families = fonts.CODE_FAMILIES if code else fonts.TEXT_FAMILIES
        table = fonts.advances()[fonts.face(weight, code=code).name]
        for size in (11, 13.5, 40):
            font = f"{weight} {size}px {', '.join(repr(family) for family in families)}"
            for text, wide in zip(texts, player.page.evaluate(MEASURE, [font, texts]), strict=True):
                assert wide == pytest.approx(size * sum(table[char] for char in text), rel=0.005), (
                    text
                )


ASKED_OF = """(() => {
  const modes = new Set();
  for (const method of ["fillText", "measureText"]) {
    const { [method]: plain } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype[method] = function (...given) {
      modes.add(this.textRendering);
      return plain.apply(this, given);
    };
  }
  s.step("mistake", 1);
  s.draw();
  return [...modes];
})()"""


def test_no_width_of_a_text_is_rounded(player):
    """Where a browser fits letters to pixels, spaces between small words would vanish."""
    player.open("/?v=1&t=12").rest()
    assert player.js(ASKED_OF) == ["geometricPrecision"]


def test_controls_and_the_notes_window_are_set_in_it(player):
    player.open()
    player.rest()
    assert player.page.evaluate("(e) => getComputedStyle(e).fontFamily", player.root).startswith(
        f'"{fonts.SANS}", '
    )
    with player.page.expect_popup() as opened:
        player.press("Shift+N")
    notes = opened.value
    notes.locator("main").wait_for()
    font, text = f"100px '{fonts.SANS}'", "no other font is as wide"
    wide = sum(fonts.advances()["sans-400"][char] for char in text)
    assert notes.evaluate(MEASURE, [font, [text]])[0] == pytest.approx(100 * wide, rel=0.001)
    notes.close()
