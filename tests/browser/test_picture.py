"""What is drawn is what is computed: the canvas pixel by pixel."""

import numpy as np
import pytest

from kpviz import experiment, tokens
from kpviz.engine.run import grid
from kpviz.settings import Settings, from_query

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
        name: np.array([int(tokens.THEMES[theme][f"field_{name}"][k : k + 2], 16) for k in (1, 3, 5)])
        for name in ("negative", "zero", "positive")
    }
    end = ends["positive"] if share > 0 else ends["negative"]
    return ends["zero"] + (end - ends["zero"]) * min(abs(share), 1)


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
            for px, py in np.concatenate([np.reshape(line, (-1, 2)) for line in mark["lines"]] or [np.zeros((0, 2))]):
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
    [
        ("t=9", "light"),
        ("t=180", "dark"),
        ("kernel=laplacian&data=spirals&held=0.2&t=150", "light"),
        ("data=iris&kernel=sigmoid&t=60", "dark"),
    ],
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


def test_before_the_first_step_the_map_is_white(player):
    player.open()
    pixels = player.pixels()
    places = free_nodes(player, np.zeros((96, 96)), 40)
    assert all((at(pixels, x, y) == 255).all() for _, _, x, y in places)


def test_the_points_have_the_colours_and_places_of_their_classes(player):
    player.open("/?v=1&t=30")
    settings = from_query(player.query)[0]
    split = experiment.prepare(settings)
    rect, pixels = player.js("s.layout.panels.map"), player.pixels()
    names = {1.0: "positive", -1.0: "negative"}
    right = 0
    for (x1, x2), y in zip(split.X, split.y, strict=True):
        x = rect["x"] + (x1 + 1.25) / 2.5 * rect["w"]
        down = rect["y"] + rect["h"] - (x2 + 1.25) / 2.5 * rect["h"]
        wanted = [int(tokens.MAP_POINTS[names[y]][k : k + 2], 16) for k in (1, 3, 5)]
        right += np.abs(pixels[int(down), int(x)] - wanted).max() <= LEVELS
    assert right >= len(split.y) - 2  # a point may lie under another's edge


def test_the_boundary_is_drawn_where_the_sign_changes(player):
    player.open("/?v=1&t=60")
    field, _ = computed(player)
    rect = player.js("s.layout.panels.map")
    (boundary,) = player.marks("map", name="boundary")
    ends = np.concatenate([np.reshape(line, (-1, 2)) for line in boundary["lines"]])
    column = (ends[:, 0] - rect["x"]) / rect["w"] * 95
    row = (rect["y"] + rect["h"] - ends[:, 1]) / rect["h"] * 95
    low_row, low_column = (
        np.minimum(np.floor(row + 1e-6), 94).astype(int),
        np.minimum(np.floor(column + 1e-6), 94).astype(int),
    )
    cells = np.stack([field[low_row + a, low_column + b] for a in (0, 1) for b in (0, 1)])
    assert len(ends) > 50
    assert ((cells.min(axis=0) <= 1e-6) & (cells.max(axis=0) >= -1e-6)).all()


def test_one_instant_has_one_picture_whichever_way_one_came(player):
    """Stepped to, come back to from the end, scrubbed to, jumped to, reloaded: the same pixels and numbers."""
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
    player.reload()


def test_the_picture_survives_a_change_of_setting_and_back(player):
    player.open("/?v=1&t=40")
    before = player.pixels()
    player.press("g").until("s.run.header.settings.query.includes('sigma')").rest()
    assert np.abs(player.pixels() - before).max() > LEVELS
    player.press("Shift+G").until("!s.run.header.settings.query.includes('sigma')").rest()
    assert player.t == 40
    differ = np.abs(player.pixels() - before).max(axis=2)  # the first picture of a run has no layers, which round
    assert differ.mean() < 0.001
    assert (differ > LEVELS).sum() < 20  # where the boundary leaves the map


@pytest.mark.in_app
def test_a_new_theme_repaints_the_same_instant(player):
    """Streamlit switches themes while the player stays."""
    player.open("/?v=1&t=25")
    field = player.js("Array.from(s.run.reading(s.t).field.slice(0, 500))")
    light = player.picture()
    player.page.emulate_media(color_scheme="dark")
    player.until("s.palette.dark").rest()
    assert player.js("Array.from(s.run.reading(s.t).field.slice(0, 500))") == field
    assert player.t == 25
    player.page.emulate_media(color_scheme="light")  # and so the tab is left
    player.until("!s.palette.dark").rest()
    assert player.picture() == light


def test_rescaled_colours_fill_the_scale_of_this_step(player):
    player.open("/?v=1&data=moons&kernel=polynomial&degree=5&t=60")
    button = player.page.locator(".kpviz [data-do=rescale]")
    usual = player.picture()
    assert any(mark["text"].startswith("≥ ") for mark in player.marks("map", kind="text"))
    button.click()
    player.rest()
    field, _ = computed(player)
    assert player.js("s.limit") == pytest.approx(np.abs(field).max(), rel=0.06)
    limit = player.js("s.limit")
    assert f"+{limit:.2f}".removesuffix(".00") in [mark["text"] for mark in player.marks("map", kind="text")]
    player.away()
    pixels = player.pixels()
    for row, column, x, y in free_nodes(player, field, 20):
        assert np.abs(at(pixels, x, y) - colour(field[row, column] / limit, "light")).max() <= LEVELS
    assert button.inner_text() == "Scale of the run"
    button.click()
    player.away()
    player.rest()
    assert player.js("s.limit") is None
    assert player.picture() == usual


def test_settings_that_learn_nothing_draw_no_boundary(player):
    player.open("/?v=1&tie=correct&t=10")
    (boundary,) = player.marks("map", name="boundary")
    assert boundary["lines"] == []
    assert Settings.of(tie="correct") == player.settings
