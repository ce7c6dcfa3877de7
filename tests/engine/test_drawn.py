"""Drawn points are short decimal numbers on a grid, and their text leads back to the very same
points.
"""

import base64
import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpviz.engine.data.drawn import ALPHABET, CELLS, Axis, Drawn, Names
from kpviz.engine.run.grid import Extent, extent

MOST = 1000
WIDEST = 4000  # steps between the ends of what is shown
AXES = st.builds(Axis, st.integers(-66, 66), st.integers(-(2**40), 2**40), st.integers(1, WIDEST))
FRAMES = st.sampled_from([Drawn().axes]) | st.tuples(AXES, AXES)
CELL = st.integers(0, CELLS - 1)


@st.composite
def drawings(draw, most=40):
    """Points anywhere on any grid."""
    cells = draw(st.lists(st.tuples(CELL, CELL), max_size=most))
    y = draw(st.lists(st.sampled_from([-1.0, 1.0]), min_size=len(cells), max_size=len(cells)))
    held = draw(st.integers(0, len(cells)))
    return Drawn(np.array(cells, dtype=np.int64).reshape(-1, 2), np.array(y), held, draw(FRAMES))


@st.composite
def spans(draw):
    """Two ends of an axis, 1e-17 to 1e21 apart, up to a thousand lengths away from zero."""
    length = draw(st.floats(1.0, 10.0)) * 10.0 ** draw(st.integers(-17, 20))
    low = draw(st.floats(-1000.0, 1000.0)) * length
    return low, low + length


def decimal_step(axis):
    power, which = divmod(axis.level, 3)
    return Decimal((1, 2, 5)[which]).scaleb(power)


def same(one, other):
    """Whether two drawings agree in every bit."""
    arrays = all(
        a.tobytes() == b.tobytes() and a.shape == b.shape
        for a, b in ((one.cells, other.cells), (one.y, other.y), (one.X, other.X))
    )
    return arrays and (one.held, one.axes, one.n) == (other.held, other.axes, other.n)


def is_one_sentence(text):
    return text[0].isupper() and text.endswith(".") and ". " not in text and text.isprintable()


# ---- numbers -------------------------------------------------------------------------------------


@given(drawings())
def test_a_coordinate_is_the_float_nearest_to_its_short_decimal(drawn):
    for k, axis in enumerate(drawn.axes):
        for cell, value in zip(drawn.cells[:, k].tolist(), drawn.X[:, k].tolist(), strict=True):
            exact = (axis.origin + cell) * decimal_step(axis)
            assert value == float(exact)
            assert Decimal(repr(value)) == exact  # so a file may hold it as it is printed


def test_on_the_usual_grid_numbers_have_at_most_three_decimals():
    steps = np.arange(CELLS)
    drawn = Drawn(np.column_stack([steps, steps[::-1]]), np.ones(CELLS))
    assert all(
        value == float(f"{value:.3f}") and len(repr(abs(value))) <= 5
        for value in drawn.X.ravel().tolist()
    )
    assert drawn.visible == Extent(-1.25, 1.25, -1.25, 1.25)


@given(spans())
def test_an_axis_shows_all_in_the_middle_of_its_cells_in_at_most_4000_of_the_finest_steps(span):
    axis = Axis.over(*span)
    low, high = (Decimal(repr(end)) for end in span)
    step, finer = decimal_step(axis), decimal_step(Axis(axis.level - 1, 0, 1))
    assert (axis.low, axis.low + axis.width) == (math.floor(low / step), math.ceil(high / step))
    assert axis.ends[0] <= span[0] < span[1] <= axis.ends[1]
    assert axis.width <= WIDEST < math.ceil(high / finer) - math.floor(low / finer)
    below, above = axis.low - axis.origin, axis.origin + CELLS - (axis.low + axis.width)
    assert min(below, above) >= (CELLS - WIDEST) // 2
    assert abs(below - above) <= 1
    assert Axis.over(*axis.ends) == axis


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (0.0, 0.0), (1.0, -1.0), (math.nan, 1.0), (0.0, math.inf), (-math.inf, 0.0), (0.0, 5e-324), (0.0, 1e-20),
        (-1.7e308, 1.7e308), (0.0, 1.7e308), (1e20, 1e20 + 2e4), (1.0, math.nextafter(1.0, 2.0)),
    ],
)  # fmt: skip
def test_ends_that_no_axis_can_show_are_refused_in_one_sentence(low, high):
    with pytest.raises(ValueError, match="let the features be scaled") as error:
        Axis.over(low, high)
    assert is_one_sentence(str(error.value))


@pytest.mark.parametrize(
    "parts", [(67, 0, 1), (-67, 0, 1), (0, 2**40 + 1, 1), (0, 0, 0), (0, 0, WIDEST + 1)]
)
def test_an_axis_is_one_that_floats_hold_exactly(parts):
    with pytest.raises(ValueError, match="is not an axis of drawn points") as error:
        Axis(*parts)
    assert is_one_sentence(str(error.value))


# ---- points --------------------------------------------------------------------------------------


@st.composite
def clouds(draw):
    """Points of any magnitude, (n, 2), their labels, and how many are held out."""
    n = draw(st.integers(2, 30))
    columns = []
    for _ in range(2):
        length = draw(st.floats(1.0, 10.0)) * 10.0 ** draw(st.integers(-16, 19))
        share = [0.0, 1.0, *draw(st.lists(st.floats(0.0, 1.0), min_size=n - 2, max_size=n - 2))]
        columns.append((np.array(share) + draw(st.floats(-100.0, 100.0))) * length)
    y = np.array(draw(st.lists(st.sampled_from([-1.0, 1.0]), min_size=n, max_size=n)))
    return np.column_stack(columns), y, draw(st.integers(0, n))


@given(clouds())
def test_drawing_moves_no_point_by_more_than_half_a_step_shows_little_more_and_once_drawn_all_stays(
    cloud,
):
    X, y, held = cloud
    drawn = Drawn.of(X, y, held)
    for k, axis in enumerate(drawn.axes):
        rounding = np.spacing(np.abs(X[:, k]))
        assert (np.abs(drawn.X[:, k] - X[:, k]) <= 0.5 * axis.step * (1 + 1e-9) + rounding).all()
    assert (drawn.y == y).all()
    assert (drawn.n, drawn.held) == (len(y), held)
    before, after = extent(X), drawn.visible
    for low, high, lower, higher in (
        (before.low_1, before.high_1, after.low_1, after.high_1),
        (before.low_2, before.high_2, after.low_2, after.high_2),
    ):
        assert lower <= low < high <= higher
        assert higher - lower <= 1.01 * (high - low)
    assert same(drawn.with_points(drawn.X, drawn.y, drawn.held), drawn)
    assert same(Drawn.of(drawn.X, drawn.y, drawn.held, drawn.visible), drawn)


@given(clouds(), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_a_point_within_what_is_shown_keeps_the_grid_and_the_others(cloud, right, up):
    before = Drawn.of(*cloud)
    shown = before.visible
    new = [
        min(shown.low_1 + right * (shown.high_1 - shown.low_1), shown.high_1),
        min(shown.low_2 + up * (shown.high_2 - shown.low_2), shown.high_2),
    ]
    after = before.with_points(np.vstack([before.X, new]), np.append(before.y, 1.0), before.held)
    assert after.axes == before.axes
    assert (after.cells[:-1] == before.cells).all()
    assert (np.abs(after.X[-1] - new) <= [0.51 * axis.step for axis in before.axes]).all()


def test_a_point_outside_what_is_shown_widens_it():
    before = Drawn.of(np.array([[0.5, 0.5], [-0.5, 0.5]]), np.array([1.0, -1.0]))
    after = before.with_points(np.vstack([before.X, [7.0, 0.0]]), np.array([1.0, -1.0, 1.0]), 1)
    assert after.axes != before.axes
    assert after.visible.high_1 >= 7.0
    np.testing.assert_allclose(
        after.X, [[0.5, 0.5], [-0.5, 0.5], [7.0, 0.0]], atol=after.axes[0].step / 2
    )
    assert after.held == 1


def test_no_points_need_no_place_of_their_own():
    empty = Drawn.of(np.zeros((0, 2)), np.zeros(0))
    assert same(empty, Drawn())
    assert (empty.n, empty.X.shape, empty.code) == (0, (0, 2), "")
    elsewhere = Drawn.of(np.zeros((0, 2)), np.zeros(0), visible=Extent(10.0, 20.0, -5.0, 5.0))
    assert elsewhere.visible == Extent(10.0, 20.0, -5.0, 5.0)
    assert same(Drawn.read(elsewhere.code, MOST), elsewhere)
    assert elsewhere.with_points(np.zeros((0, 2)), np.zeros(0), 0).axes == elsewhere.axes


@pytest.mark.parametrize("far", [math.nan, 1e300, 1e40])
def test_points_that_cannot_be_drawn_are_refused_in_one_sentence(far):
    with pytest.raises(ValueError, match="let the features be scaled") as error:
        Drawn.of(np.array([[0.0, 0.0], [far, 1.0]]), np.array([1.0, -1.0]))
    assert is_one_sentence(str(error.value))
    with pytest.raises(ValueError, match="let the features be scaled"):
        Drawn().with_points(np.array([[0.0, far]]), np.array([1.0]), 0)


# ---- the text ------------------------------------------------------------------------------------


@given(drawings())
def test_the_text_of_points_leads_back_to_them(drawn):
    again = Drawn.read(drawn.code, max(drawn.n, 1))
    assert same(again, drawn)
    assert again.code == drawn.code
    if drawn.n > 1:
        with pytest.raises(ValueError, match=f"more than {drawn.n - 1}"):
            Drawn.read(drawn.code, drawn.n - 1)


@given(drawings())
def test_the_text_is_that_of_base64(drawn):
    cells, labels, held, _ = [*drawn.code.split("."), "", "", ""][:4]
    packed = base64.urlsafe_b64decode(cells)
    points = [
        divmod(int.from_bytes(packed[at : at + 3], "big"), CELLS) for at in range(0, len(packed), 3)
    ]
    assert points == [tuple(point) for point in drawn.cells.tolist()]
    bits = "".join(
        f"{byte:08b}" for byte in base64.urlsafe_b64decode(labels + "A" * (-len(labels) % 4))
    )
    assert [1.0 if bit == "1" else -1.0 for bit in bits[: drawn.n]] == drawn.y.tolist()
    assert int(held or 0) == drawn.held


def test_links_that_were_sent_once_are_read_for_ever():
    drawn = Drawn.read("j6QYcFjM.g.1", MOST)
    assert drawn.X.tolist() == [[0.25, -1.0], [-0.251, 0.204]]
    assert (drawn.y.tolist(), drawn.held) == ([1.0, -1.0], 1)
    drawn = Drawn.read("AAAA.A..3_-5_10_-3_0_4000", MOST)
    assert drawn.axes == (Axis(3, -5, 10), Axis(-3, 0, 4000))
    assert drawn.X.tolist() == [[-20480.0, -4.8]]


@pytest.mark.parametrize(("n", "most"), [(1, 6), (30, 129), (200, 839), (1000, 4172)])
def test_the_text_is_short(n, most):
    draw = np.random.default_rng(n)
    drawn = Drawn.of(draw.uniform(-1.0, 1.0, (n, 2)), draw.choice([-1.0, 1.0], n), n // 2)
    assert len(drawn.code) <= most
    assert set(drawn.code) <= {*ALPHABET, "."}  # which a link holds as they are
    far = Drawn.of(drawn.X * 1e-3 + 1e5, drawn.y, n // 2)
    assert len(far.code) <= most + 50


@given(drawings(most=8))
def test_however_points_are_written_the_text_becomes_the_same(drawn):
    cells, labels, held, frame = [*drawn.code.split("."), "", "", ""][:4]
    unused = -drawn.n % 6
    if labels and unused:
        labels = labels[:-1] + ALPHABET[ALPHABET.index(labels[-1]) | ((1 << unused) - 1)]
    frame = frame or "_".join(
        f"{part:03d}" for axis in drawn.axes for part in (axis.level, axis.low, axis.width)
    )
    written = Drawn.read(f"{cells}.{labels}.{held.zfill(4)}.{frame}", MOST)
    assert same(written, drawn)
    assert written.code == drawn.code


PIECES = st.text(alphabet=[*ALPHABET, ".", "~", "é", "\n", "０"], max_size=16)
DAMAGED = st.builds(
    lambda drawn, at, piece: drawn.code[:at] + piece + drawn.code[at + len(piece) :],
    drawings(most=3),
    st.integers(0, 60),
    st.text(alphabet="AZ09-_.", max_size=2),
)
NONSENSE = st.lists(PIECES, min_size=1, max_size=5).map(".".join) | st.text(max_size=40) | DAMAGED


def points_or_refusal(text):
    try:
        return Drawn.read(text, MOST)
    except ValueError as error:
        return str(error)


@given(NONSENSE)
def test_any_text_is_points_with_one_canonical_text_or_refused_in_one_sentence(text):
    found = points_or_refusal(text)
    assert (
        is_one_sentence(found)
        if isinstance(found, str)
        else same(Drawn.read(found.code, MOST), found)
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("j6QY A", "damaged"), ("j6QY.A.1.0.0", "damaged"), ("j6QY.A.x", "damaged"), ("j6QY.A.12345", "damaged"),
        ("j6QY.A\n", "damaged"), ("j6QY.A.１", "damaged"), ("<b>", "damaged"),
        ("j6QY", "cut off"), ("j6Q.A", "cut off"), ("j6QY.AA", "cut off"), (".A", "cut off"), ("j6QYj6QY", "cut off"),
        ("j6QY.A.2", "held out"), ("..1", "held out"),
        ("j6QY.A..0_0_1", "axes"), ("j6QY.A..0_0_1_0_0", "axes"), ("j6QY.A..0_0_1_0_0_0", "axes"),
        ("j6QY.A..0_0_1_0_0_1_0", "axes"), ("j6QY.A..-_0_1_0_0_1", "axes"), ("j6QY.A..99_0_1_0_0_1", "axes"),
        ("j6QY.A..0_" + "9" * 5000 + "_1_0_0_1", "axes"), ("j6QY.A..______", "axes"),
        ("AAAA" * 1001 + "." + "A" * 167, "more than 1,000"),
    ],
)  # fmt: skip
def test_a_text_that_is_none_says_what_is_wrong(text, message):
    with pytest.raises(ValueError, match=message) as error:
        Drawn.read(text, MOST)
    assert is_one_sentence(str(error.value))


# ---- names ---------------------------------------------------------------------------------------

WORD = st.text(st.characters(exclude_characters="~"), max_size=40)
ENDS = st.lists(st.floats(-1e100, 1e100), min_size=2, max_size=2, unique=True).map(sorted)
RANGES = st.none() | st.tuples(ENDS, ENDS).map(lambda both: tuple(zip(*both, strict=True)))


@given(st.tuples(WORD, WORD), st.tuples(WORD, WORD), RANGES)
def test_names_and_ranges_survive_their_text(features, classes, ranges):
    made = Names(features, classes, *(ranges or (None, None)))
    assert Names.read(made.code) == made


@given(st.text(max_size=60), st.text(max_size=60))
def test_long_names_and_the_sign_between_names_are_made_to_fit(one, other):
    made = Names.read(Names((one, other), (other, one)).code)
    short, long = one.replace("~", "-")[:40], other.replace("~", "-")[:40]
    assert (made.features, made.classes) == ((short, long), (long, short))


def test_plain_names_need_no_text():
    assert Names().code == ""
    assert Names.read("") == Names()


@pytest.mark.parametrize(
    "text",
    ["a", "a~b~c", "a~b~c~d~e", "a~b~c~d~1~2~3", "a~b~c~d~1~2~3~x", "a~b~c~d~0~0~1~nan", "a~b~c~d~0~0~1~inf",
     "a~b~c~d~2~0~1~1", "a~b~c~d~-1e308~0~1e308~1", "a~b~c~d~~~~", "~" * 300],
)  # fmt: skip
def test_a_text_that_holds_no_names_is_none(text):
    assert Names.read(text) is None


@given(st.text(alphabet=st.characters() | st.just("~"), max_size=300))
def test_any_text_is_names_or_none(text):
    found = Names.read(text)
    assert found is None or Names.read(found.code) is not None
