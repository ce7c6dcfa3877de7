"""What `make assets` would write is what is there, and its colours are the tokens'."""

import importlib.util
import io
import re
import tomllib

import matplotlib.image
import numpy as np
import pytest
from contrast import contrast, luminance

from kpviz import tokens

SPEC = importlib.util.spec_from_file_location(
    "theme", f"{__file__.rpartition('/')[0]}/../scripts/theme.py"
)
theme = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(theme)

CONFIGS = [theme.ROOT / ".streamlit" / "config.toml", theme.UI / ".streamlit" / "config.toml"]
RUN = "run `make assets`"


def pixels(png):
    return matplotlib.image.imread(io.BytesIO(png))


def test_the_configurations_and_the_icon_are_those_that_would_be_written():
    assert [path.read_text(encoding="utf-8") for path in CONFIGS] == [theme.config()] * 2, RUN
    there, drawn = pixels((theme.UI / "icon.png").read_bytes()), pixels(theme.icon())
    assert there.shape == drawn.shape == (64, 64, 4)
    assert np.abs(there - drawn).max() < 0.1, RUN  # another matplotlib may smooth an edge otherwise


def test_the_themes_are_the_tokens_and_the_server_keeps_to_itself():
    written = tomllib.loads(CONFIGS[0].read_text(encoding="utf-8"))
    assert set(written["theme"]) & set(tokens.THEMES) == set(tokens.SCREENS)
    names = ("primary", "background", "secondaryBackground", "text", "border")
    for name in tokens.SCREENS:
        colours = [tokens.THEMES[name][own] for own in ("accent", "paper", "panel", "ink", "rule")]
        assert written["theme"][name] == {
            f"{part}Color": colour for part, colour in zip(names, colours, strict=True)
        }
    assert written["server"]["address"] == "localhost"
    assert written["browser"]["gatherUsageStats"] is False
    assert written["client"]["showErrorDetails"] == "none"
    assert "http" not in CONFIGS[0].read_text(encoding="utf-8")


def test_the_themes_have_the_same_colours_by_name_and_are_written_as_hex():
    assert [list(colours) for colours in tokens.THEMES.values()] == [
        list(tokens.THEMES["light"])
    ] * 3
    for colours in (*tokens.THEMES.values(), tokens.MAP_POINTS):
        assert all(re.fullmatch(r"#[0-9a-f]{6}", colour) for colour in colours.values())


@pytest.mark.parametrize("name", tokens.THEMES)
def test_what_is_drawn_can_be_told_from_its_ground(name):
    colours, field = tokens.THEMES[name], ("field_positive", "field_zero", "field_negative")
    grounds, points = (*field, "similar_zero", "similar"), ("point_positive", "point_negative")
    least = [
        *(
            (text, page, 4.5)
            for text in ("ink", "quiet", "accent", "good", "warning")
            for page in ("paper", "panel")
        ),
        *(
            (kind, page, most)
            for kind in ("positive", "negative")
            for page, most in (("paper", 4.5), ("panel", 3.0))
        ),
        *(("on_map", ground, 4.5) for ground in grounds),
        *(
            (point, ground, 2.0)
            for point in (["on_map"] if name == tokens.PRINT else points)
            for ground in field
        ),
    ]
    if name == "dark":  # in a dark hall the map is dark, and a class has one colour
        assert all(luminance(colours[ground]) < 0.2 for ground in grounds)
        assert [colours[point] for point in points] == [colours["positive"], colours["negative"]]
        least += [(point, ground, 3.0) for point in points for ground in field]
    for one, other, most in least:
        assert contrast(colours[one], colours[other]) >= most, (one, other)


def test_all_is_grey_in_print():
    for colour in tokens.THEMES[tokens.PRINT].values():
        assert colour[1:3] == colour[3:5] == colour[5:7]


def test_no_point_grows_beyond_the_largest():
    for most in (0, 1, 4, 10, 100, 10_000):
        gain = tokens.point_gain(most)
        assert 0 < gain <= tokens.POINT["gain"]
        assert tokens.POINT["radius"] + gain * most**0.5 <= tokens.POINT["largest"] + 1e-9
