"""What `make assets` would write is what is there, and its colours are the tokens'."""

import importlib.util
import io
import re
import tomllib

import matplotlib.image
import numpy as np
import pytest

from kpviz import tokens

SPEC = importlib.util.spec_from_file_location("theme", f"{__file__.rpartition('/')[0]}/../scripts/theme.py")
theme = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(theme)

CONFIGS = [theme.ROOT / ".streamlit" / "config.toml", theme.UI / ".streamlit" / "config.toml"]
RUN = "run `make assets`"


def pixels(png):
    return matplotlib.image.imread(io.BytesIO(png))


@pytest.mark.parametrize("path", CONFIGS, ids=str)
def test_the_configuration_is_the_one_that_would_be_written(path):
    assert path.read_text(encoding="utf-8") == theme.config(), RUN


def test_the_themes_are_the_tokens():
    written = tomllib.loads(CONFIGS[0].read_text(encoding="utf-8"))
    assert set(written["theme"]) & set(tokens.THEMES) == set(tokens.SCREENS)
    for name in tokens.SCREENS:
        colours = tokens.THEMES[name]
        assert written["theme"][name] == {
            "primaryColor": colours["accent"],
            "backgroundColor": colours["paper"],
            "secondaryBackgroundColor": colours["panel"],
            "textColor": colours["ink"],
            "borderColor": colours["rule"],
        }


def test_the_server_keeps_to_itself():
    written = tomllib.loads(CONFIGS[0].read_text(encoding="utf-8"))
    assert written["server"]["address"] == "localhost"
    assert written["browser"]["gatherUsageStats"] is False
    assert written["client"]["showErrorDetails"] == "none"
    assert "http" not in CONFIGS[0].read_text(encoding="utf-8")


def test_the_icon_is_the_one_that_would_be_drawn():
    there, drawn = pixels((theme.UI / "icon.png").read_bytes()), pixels(theme.icon())
    assert there.shape == drawn.shape == (64, 64, 4)
    assert np.abs(there - drawn).max() < 0.1, RUN  # another matplotlib may smooth an edge otherwise


def test_the_themes_have_the_same_colours_by_name_and_are_written_as_hex():
    assert [list(colours) for colours in tokens.THEMES.values()] == [list(tokens.THEMES["light"])] * 3
    for colours in (*tokens.THEMES.values(), tokens.MAP_POINTS):
        assert all(re.fullmatch(r"#[0-9a-f]{6}", colour) for colour in colours.values())


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", tokens.THEMES)
def test_text_can_be_read_on_its_ground(name):
    colours = tokens.THEMES[name]
    for text in ("ink", "quiet", "accent", "good", "warning"):
        for ground in ("paper", "panel"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for marks in ("positive", "negative"):
        assert contrast(colours[marks], colours["paper"]) >= 4.5
        assert contrast(colours[marks], colours["panel"]) >= 3.0
    grounds = ("field_positive", "field_zero", "field_negative", "similar_zero", "similar")
    for ground in grounds:
        assert contrast(colours["on_map"], colours[ground]) >= 4.5, ground
    points = ["on_map"] if name == tokens.PRINT else ["point_positive", "point_negative"]
    for point in points:
        for ground in grounds[:3]:
            assert contrast(colours[point], colours[ground]) >= 2.0, (point, ground)


def test_in_a_dark_hall_the_map_is_dark_and_a_class_has_one_colour():
    colours = tokens.THEMES["dark"]
    for ground in ("field_positive", "field_zero", "field_negative", "similar_zero", "similar"):
        assert luminance(colours[ground]) < 0.2, ground
    for kind in ("positive", "negative"):
        assert colours[f"point_{kind}"] == colours[kind]
        for ground in ("field_positive", "field_zero", "field_negative"):
            assert contrast(colours[f"point_{kind}"], colours[ground]) >= 3.0, (kind, ground)


def test_all_is_grey_in_print():
    for colour in tokens.THEMES[tokens.PRINT].values():
        assert colour[1:3] == colour[3:5] == colour[5:7]


def test_no_point_grows_beyond_the_largest():
    for most in (0, 1, 4, 10, 100, 10_000):
        gain = tokens.point_gain(most)
        assert 0 < gain <= tokens.POINT["gain"]
        assert tokens.POINT["radius"] + gain * most**0.5 <= tokens.POINT["largest"] + 1e-9
