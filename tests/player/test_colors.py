"""The pixels of a field, and of the hill that a mistake adds, are its own numbers."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from kpviz import tokens

VALUES = st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.3, -0.7, 1e-9, 250.0])
PAINTED = """(tokens, dark, method, values, size, more) => {
  const { Palette, Pixels } = load("paint/colors.js");
  const image = new Pixels(size, size);
  new Palette(tokens, dark)[method](values, size, more, image);
  return [...image.data];
}"""


@st.composite
def squares(draw):
    size = draw(st.integers(1, 7))
    return np.array(draw(st.lists(VALUES, min_size=size**2, max_size=size**2))).reshape(size, size)


def painted(engine, method, values, more, dark=False):
    """Rows of pixels, the one of the lowest x₂ first, as the field has them."""
    size = len(values)
    found = engine.call(
        PAINTED, tokens.payload(), dark, method, values.ravel().tolist(), size, more
    )
    return np.array(found).reshape(size, size, 4)[::-1]


def colour(name, dark):
    text = tokens.payload()["themes"]["dark" if dark else "light"][name]
    return [int(text[at : at + 2], 16) for at in (1, 3, 5)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(squares(), st.sampled_from([1, -1]), st.booleans())
def test_the_hill_that_is_added_is_the_fields_own_numbers(engine, values, y, dark):
    pixels = painted(engine, "paintBump", values, y, dark)
    largest = max(np.abs(values).max(), 1e-12)
    assert np.abs(pixels[..., 3] - 255 * np.abs(values) / largest).max() <= 0.5 + 1e-9
    along, against = ("field_positive", "field_negative")[::y]
    expected = np.where((values < 0)[..., None], colour(against, dark), colour(along, dark))
    assert_array_equal(pixels[..., :3], expected)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(squares(), st.sampled_from([0.5, 1.0, 300.0]))
def test_a_field_is_painted_place_by_place_as_its_values_grow(engine, values, limit):
    pixels = painted(engine, "paintField", values, limit)
    shares = np.clip(values / limit, -1.0, 1.0)
    assert (pixels[..., 3] == 255).all()
    for sign, name in ((1, "field_positive"), (-1, "field_negative")):
        assert (pixels[shares == sign][:, :3] == colour(name, dark=False)).all()
    levels = dict(
        zip(
            np.round(255 * shares).ravel().tolist(),
            pixels[..., :3].reshape(-1, 3).tolist(),
            strict=True,
        )
    )
    rounded = np.round(255 * shares)
    for level, shown in levels.items():  # the same value has the same colour, wherever it is
        assert (pixels[rounded == level][:, :3] == shown).all()
    if 0.0 in levels:
        assert levels[0.0] == colour("field_zero", dark=False)


@pytest.mark.parametrize("y", [1, -1])
def test_a_hill_without_values_is_not_seen(engine, y):
    assert painted(engine, "paintBump", np.zeros((3, 3)), y)[..., 3].max() == 0


@pytest.mark.parametrize("dark", [False, True])
def test_neighbouring_colours_of_the_scale_step_evenly_through_the_middle(engine, dark):
    """Where f nears 0 the ground has no edge: one level more or less is hardly another colour."""
    levels = np.arange(-255, 256)
    values = np.append(levels / 255, np.ones(23**2 - len(levels))).reshape(23, 23)
    colours = painted(engine, "paintField", values, 1.0, dark).reshape(-1, 4)[: len(levels), :3]
    steps = np.abs(np.diff(colours.astype(int), axis=0))
    assert steps.max() <= 2
    middle = steps[np.abs(levels[:-1] + 0.5) < 8].sum(axis=0)
    beside = steps[(np.abs(levels[:-1] + 0.5) > 8) & (np.abs(levels[:-1] + 0.5) < 16)].sum(axis=0)
    assert (middle <= 1.5 * beside + 3).all()
    assert colours[255].tolist() == colour("field_zero", dark)


# ---- answers that a class holds up ---------------------------------------------------------------

# How eyes that lack a kind of cone see light, as matrices on linear sRGB (Machado, Oliveira and
# Fernandes, 2009), and how most do.
EYES = {
    "most": np.eye(3),
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)


def light_of(text):
    """Linear sRGB of a colour."""
    levels = np.array([int(text[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)


def lab_of(light):
    """CIE L*, a*, b* of linear sRGB."""
    t = TO_XYZ @ np.clip(light, 0, 1) / np.array([0.95047, 1.0, 1.08883])
    f = np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("eye", EYES)
def test_the_lightness_of_answers_falls_and_every_eye_tells_each_from_each(eye):
    seen = [lab_of(np.array(EYES[eye]) @ light_of(ground)) for ground, _ in tokens.ANSWERS]
    lightness = [lab[0] for lab in seen]
    assert len(seen) == 5
    assert min(np.diff(lightness[::-1])) >= 8
    assert min(np.linalg.norm(one - other) for one, other in combinations(seen, 2)) >= 18


def test_the_letter_of_an_answer_stands_out_from_its_ground():
    for ground, ink in tokens.ANSWERS:
        dark, bright = sorted(0.05 + (TO_XYZ @ light_of(text))[1] for text in (ground, ink))
        assert bright / dark >= 4.5


@pytest.mark.parametrize("kind", ["field_positive", "field_negative"])
def test_the_dark_ground_has_a_colour_of_its_own_soon_and_orange_is_no_brown(engine, kind):
    levels = np.array([[1.0, 1 / 3, 0.1], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    sign = 1 if kind == "field_positive" else -1
    shown = painted(engine, "paintField", sign * levels, 1.0, dark=True)[0, :, :3]
    seen = [lab_of(light_of("#" + "".join(f"{part:02x}" for part in pixel))) for pixel in shown]
    chroma = [np.hypot(a, b) for _, a, b in seen]
    assert all(found >= least for found, least in zip(chroma, (42, 25, 12), strict=True)), chroma
    assert sign < 0 or chroma[0] > 1.3 * seen[0][0]
