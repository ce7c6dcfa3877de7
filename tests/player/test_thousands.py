"""Every number that is shown parts its thousands by commas: 5,792.64; what one types back is read so."""

import re

import pytest
from test_dock_values import Modules

from kpviz.engine import powers
from kpviz.lessons import explain
from kpviz.lessons.file import names

# Four digits of a whole part with no comma among them; bits have none.
TOGETHER = re.compile(r"(?<![\d.,₀-₉])(?![01]+\b)\d{4,}")
VALUES = [1000.0, 5792.64, -5792.64, 12_345.0, -99_999.5, 123_456.0, 999_999.0]
LARGE = {
    "a long run": "/?v=1&n=300&noise=0.4&epochs=50&t=9000&show=alpha.bound.code.margins.norm.proof",
    "large scores": "/?v=1&data=moons&noise=0.4&kernel=polynomial&degree=8&epochs=40&t=1500&show=alpha.norm.margins",
    "large α": "/?v=1&data=shifted&kernel=linear&learner=svm&C=100000&noise=0.5&t=4000&show=own.alpha.margins",
    "a stream": "/?v=1&stream=on&data=moons&n=2000&noise=0.4&t=1900",
    "the features": "/?v=1&data=bits&kernel=polynomial&degree=6&bits=8&t=30&show=primal.alpha",
    "two runs": "/?v=1&n=300&noise=0.4&epochs=30&pins=1&p1.kernel=polynomial&p1.degree=8&t=5000",
}


@pytest.mark.parametrize("link", LARGE.values(), ids=LARGE)
def test_no_text_on_the_board_nor_the_board_in_words_has_thousands_without_a_comma(player, link):
    player.open(link)
    told = player.js("s.board.panels.flatMap(({ marks }) => marks.map(({ text }) => text ?? ''))")
    told += player.js("load('model/account.js').accountOf(s.player).flatMap(({ lines }) => lines)")
    assert any(re.search(r"\d,\d{3}", text) for text in told)
    assert [text for text in told if TOGETHER.search(text)] == []


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
