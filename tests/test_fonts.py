"""The typeface: it has every character that kpviz draws, and its table of advances is that of its
files.
"""

import importlib.util
import logging
import string
import tomllib
from functools import cache
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from matplotlib.font_manager import FontProperties, findfont

from kpviz import fonts

ROOT = Path(__file__).parents[1]
SPEC = importlib.util.spec_from_file_location("make_fonts", ROOT / "scripts" / "fonts.py")
make_fonts = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(make_fonts)

OPENED = {face.name: TTFont(face.ttf) for face in fonts.FACES}
SANS, SIGNS = fonts.face().name, "signs-400"
RUN = "run `make assets`"


@cache
def characters(name):
    return set(map(chr, OPENED[name].getBestCmap()))


def test_the_typeface_has_every_character_that_kpviz_draws_and_the_fallback_no_other():
    drawn = make_fonts.drawn_characters()
    assert {"₀", "−", "‖", "∨", "ᵢ"} <= drawn
    assert characters(SIGNS) == drawn - characters(SANS), RUN
    assert set(string.printable) - set(string.whitespace) <= characters(SANS) & characters(
        "code-400"
    )
    for name in ("sans", "code"):
        assert characters(f"{name}-400") == characters(f"{name}-600")


@pytest.mark.parametrize(
    ("name", "chain"),
    [
        ("sans-400", ["sans-400", "signs-400"]),
        ("sans-600", ["sans-600", "signs-400"]),
        ("code-400", ["code-400", "sans-400", "signs-400"]),
        ("code-600", ["code-600", "sans-600", "signs-400"]),
    ],
)
def test_the_table_of_advances_is_that_of_the_files(name, chain):
    table = fonts.advances()[name]
    assert set(table) == set().union(*map(characters, chain)), RUN
    for char, advance in table.items():
        font = OPENED[next(one for one in chain if char in characters(one))]
        units = font["hmtx"][font.getBestCmap()[ord(char)]][0]
        assert advance == pytest.approx(units / font["head"].unitsPerEm), char


def test_a_line_is_as_wide_as_its_characters_and_digits_are_equally_wide():
    """Nothing kerns, and nothing replaces characters by wider ones."""
    assert set(fonts.advances()) == {
        fonts.face(w, code=code).name for w in (400, 600) for code in (False, True)
    }
    assert all(
        len({table[digit] for digit in string.digits}) == 1 for table in fonts.advances().values()
    )
    for font in OPENED.values():
        records = [
            record
            for name in ("GPOS", "GSUB")
            if name in font
            for record in font[name].table.FeatureList.FeatureRecord
        ]
        assert {record.FeatureTag for record in records} <= {"ccmp", "mark", "mkmk"}
        assert "kern" not in font


@pytest.mark.parametrize(
    ("weight", "drawn"), [(100, 400), (400, 400), (500, 400), (600, 600), (700, 600), (900, 600)]
)
def test_matplotlib_draws_a_weight_in_the_face_that_is_drawn_for_it(weight, drawn, caplog):
    fonts.register()
    with caplog.at_level(logging.WARNING):
        for code in (False, True):
            face = fonts.face(weight, code=code)
            assert face.weight == drawn
            assert Path(findfont(FontProperties(family=face.family, weight=weight))) == face.ttf
        assert Path(findfont(FontProperties(family=fonts.SIGNS, weight=weight))).stem == SIGNS
    assert caplog.records == []


def test_each_face_is_a_file_for_the_browser_too():
    served = {path.stem: path.read_bytes() for path in make_fonts.SERVED.iterdir()}
    assert set(served) == {face.name for face in fonts.FACES}
    assert all(data[:4] == b"wOF2" for data in served.values())


def test_changed_fonts_do_not_bear_the_reserved_name():
    for font in OPENED.values():
        names = {record.nameID: str(record) for record in font["name"].names}
        assert not any(
            "Source" in names[number] or "DejaVu" in names[number] for number in (1, 3, 4, 6)
        )
        assert {0, 13} <= set(names)  # whose they are, and under which licence


def test_the_licences_are_beside_the_fonts_and_in_the_wheel():
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "license-files"
    ]
    for name, words in {
        "OFL.txt": "SIL OPEN FONT LICENSE Version 1.1",
        "DEJAVU.txt": "Bitstream Vera",
    }.items():
        path = Path(fonts.__file__).with_name(name)
        assert words in " ".join(path.read_text(encoding="utf-8").split())
        assert path.relative_to(ROOT).as_posix() in listed
