"""What people type as a number is the same number on the page and in Python."""

import json
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpviz.lessons.file.arithmetic import FUNCTIONS, typed
from kpviz.picture import bridge
from kpviz.player import modules

E, PI, ROOT = math.e, math.pi, math.sqrt(2)
NUMBERS = {
    "0.25": 0.25,
    "0,135": 0.135,
    ".5": 0.5,
    "5.": 5.0,
    "+3": 3.0,
    "-2": -2.0,
    "−2": -2.0,
    "–2": -2.0,
    " 7 ": 7.0,
    "1e-3": 0.001,
    "1E−3": 0.001,
    "1e5": 1e5,
    "3.2×10⁻⁷": 3.2e-7,
    "2*10^-2": 0.02,
    "2 · 10^−2": 0.02,
    "1/4": 0.25,
    "1⁄4": 0.25,
    "1 ÷ 4": 0.25,
    "½": 0.5,
    "1½": 1.5,
    "−1 ½": -1.5,
    "3/4/2": 0.375,
    "-1/2": -0.5,
    "exp(-0.5)": E**-0.5,
    "Exp(−0,5)": E**-0.5,
    "e^-0.5": E**-0.5,
    "e^(-1/2)": E**-0.5,
    "e**-0.5": E**-0.5,
    "1/e": 1 / E,
    "2e^-1": 2 / E,
    "e^-1/2": 1 / (2 * E),
    "2^5": 32.0,
    "2⁵": 32.0,
    "10⁻³": 0.001,
    "-2^2": -4.0,
    "2^3^2": 512.0,
    "sqrt(2)": ROOT,
    "√2": ROOT,
    "√(2)": ROOT,
    "√2/2": ROOT / 2,
    "2√2": 2 * ROOT,
    "-√2": -ROOT,
    "1/√2": 1 / ROOT,
    "√4^2": 4.0,
    "π": PI,
    "pi/2": PI / 2,
    "2π": 2 * PI,
    "3(1+2)": 9.0,
    "2 exp(0)": 2.0,
    "ln(2)": math.log(2),
    "25%": 0.25,
    "= 0.607": 0.607,
    "≈0.607": 0.607,
    "1 - 0.25": 0.75,
    "2*(3-1)": 4.0,
    "--2": 2.0,
    "0": 0.0,
}
NO_NUMBERS = [
    *(
        "",
        " ",
        "x",
        "f",
        "exp",
        "exp()",
        "exp 2",
        "e(2)",
        "()",
        "(1",
        "1)",
        "1 2",
        "1 1/2",
        "1.2.3",
        "1//2",
        "1/0",
        "2^",
    ),
    *(
        "√-4",
        "ln(-1)",
        "(-8)^(1/3)",
        "10^400",
        "exp(1000)",
        "1/2π",
        "1/2√2",
        "8×107",
        "8*10",
        "1e",
        "1e-",
        "eval(1)",
        "lambda",
        "__import__",
        "1;2",
    ),
    *(
        "constructor",
        "toString(1)",
        "0x10",
        "1_000",
        "9" * 200,
        "[1]",
        "exp(1, 2)",
        "nan",
        "infinity",
        "∞",
    ),
]


class Modules(bridge.Engine):
    def __init__(self):
        super().__init__()
        script = modules.script("page/typed_number.js")
        last = re.findall(r"^const (\$\w+) = \(\(\) =>", script, re.MULTILINE)[-1]
        self._js.eval(f"(() => {{ {script}\nObject.assign(globalThis, {last}); }})(); 0")

    def readings(self, text):
        return json.loads(str(self._js.eval(f"JSON.stringify(readings({json.dumps(text)}))")))


@pytest.fixture(scope="module")
def page():
    return Modules()


@pytest.mark.parametrize("text", NUMBERS)
def test_a_number_is_read_however_it_is_written(page, text):
    assert typed(text) == pytest.approx(NUMBERS[text], rel=1e-14)
    assert page.readings(text) == [pytest.approx(NUMBERS[text], rel=1e-14)]


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_is_no_number_or_could_be_two_is_none(page, text):
    assert typed(text) is None
    assert page.readings(text) == []


def test_a_comma_that_parts_thousands_or_decimals_is_two_readings_for_the_page(page):
    assert page.readings("1,234") == [1234, 1.234]
    assert page.readings("1,234.5") == [1234.5]
    assert page.readings("0,5 + 1,5") == [2]
    assert page.readings("1,5 * 1,234") == [1.851]


PARTS = [
    "0",
    "1",
    "2",
    "10",
    "0.5",
    ".25",
    "1,5",
    "e",
    "π",
    "pi",
    "½",
    "²",
    "√",
    "^",
    "**",
    "+",
    "-",
    "−",
    "*",
    "·",
    "/",
]
PARTS += ["(", ")", " ", "%", "x", *FUNCTIONS, *(f"{name}(" for name in FUNCTIONS)]


@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=9).map("".join))
def test_the_page_and_python_read_the_same_numbers(page, text):
    value = typed(text)
    assert page.readings(text) == ([] if value is None else [pytest.approx(value, rel=1e-12)])
