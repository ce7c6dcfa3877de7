"""Numbers as they are written, alike in Python and in the player: 5,792.64; what one types back is read so."""

import re

import numpy as np
import pytest
from test_dock_values import Modules

from kpviz.engine import powers
from kpviz.lessons import explain
from kpviz.lessons.file import names

VALUES = [1000.0, 5792.64, -5792.64, 12_345.0, -99_999.5, 123_456.0, 999_999.0]


def test_player_and_python_write_every_number_alike(engine):
    rng = np.random.default_rng(0)
    ties = np.concatenate(
        [[0.125, 0.375, 2.5, 0.005, 1.005, 0.00015, 0.1, 0.0001, 1e-7, 1e-30, 1e-45, 1e-60], np.arange(40) / 8]
    )
    wide = rng.normal(size=1500) * 10.0 ** rng.uniform(-12, 7, size=1500)
    ends = [999_999.0, 999_999.5, 999_999.96, 999_999.99, 1e6, 1_000_001.0, 1_049_999.0, 1_050_000.0, 9.99e8, 1e9]
    values = [
        0.0,
        *ends,
        *ties,
        *-ties,
        *wide,
        *np.round(rng.normal(size=500), 3),
        *(rng.integers(-999, 999, 500) / 1000),
    ]
    theirs = engine.call("(values) => values.map(load('model/words.js').number)", [float(v) for v in values])
    different = [(v, ours, text) for v, text in zip(values, theirs, strict=True) if (ours := explain.number(v)) != text]
    assert different == []


def test_player_and_python_tell_two_numbers_apart_alike(engine):
    rng = np.random.default_rng(1)
    was = np.concatenate([rng.normal(size=400) * 10.0 ** rng.uniform(-9, 8, size=400), [0.0, 0.1, 0.0001, 1e6, 0.0]])
    gap = 10.0 ** rng.uniform(-9, 0, size=len(was)) * np.abs(was)
    pairs = [[0.0, 0.0], *([float(np.float32(a)), float(a + d)] for a, d in zip(was, gap, strict=True))]
    theirs = engine.call(
        "(pairs) => pairs.map(([a, b]) => load('model/words.js').toldApart(a, b, { hardly: 'hardly different' }))",
        pairs,
    )
    ours = [list(explain.told_apart(*pair)) for pair in pairs]
    assert [(pair, a, b) for pair, a, b in zip(pairs, ours, theirs, strict=True) if a != b] == []
    assert any(now == "hardly different" for _, now in ours)


@pytest.mark.parametrize("name", ["number", "signed", "exactly", "typeset"])
def test_every_way_in_which_the_player_writes_a_number_parts_thousands(name):
    words = Modules("model/words.js")
    for value in VALUES:
        text = words.call(name, str(value) if name == "typeset" else value)
        assert re.fullmatch(r"[+−]?\d{1,3}(,\d{3})*(\.\d+)?", text), text


def test_every_way_in_which_python_writes_a_number_parts_thousands():
    for value in VALUES:
        for text in (explain.number(value), names.said(value), powers.significant(value, 6)):
            assert re.fullmatch(r"−?\d{1,3}(,\d{3})*(\.\d+)?", text), text


def test_a_number_that_parts_thousands_is_read_so_and_a_decimal_comma_as_one():
    typed = Modules("shell/typed_number.js")
    for text, values in {
        "5,792": [5792, 5.792],
        "5,792.64": [5792.64],
        "−12,345,678": [-12_345_678],
        "0,512": [0.512],
        "5,79": [5.79],
    }.items():
        assert typed.call("readings", text) == values
    words = "5,792 can mean 5792 or 5.792: write it without a comma."
    assert typed.call("whyNot", "5,792", [5792, 5.792]) == words
