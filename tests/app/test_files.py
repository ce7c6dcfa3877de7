"""A file of one's own on the page: it is shown at once, its columns can be chosen, and a wrong one changes nothing."""

from urllib.parse import unquote

import numpy as np
import pytest
from kinds import kernels_for
from playing import of_page, opened, parts_sent, ran, sent, widgets

from kpviz import experiment
from kpviz.player import payload
from kpviz.settings import FILE, Settings

CSV = b"width,height,kind\n" + b"".join(b"%d,%d,%s\n" % (i * 7 % 40, i * i % 17, b"ab"[i % 2 :][:1]) for i in range(40))
THREE = b"u,v,w,kind\n" + b"".join(
    b"%d,%d,%d,%s\n" % (i * 7 % 60, i * i % 17, i % 5, b"abc"[i % 3 :][:1]) for i in range(60)
)
WIDE = b"u,v,kind\n" + b"".join(b"%de60,%de60,%s\n" % (i, i * i % 17, b"ab"[i % 2 :][:1]) for i in range(20))


def with_file(content=CSV, name="mine.csv", at=None, **query):
    at = at or opened("data", **query)
    at.file_uploader(key="upload").set_value((name, content, "text/csv"))
    return ran(at)


def test_a_file_is_shown_as_soon_as_it_is_chosen():
    at = with_file()
    made = of_page(at)
    assert made.data == FILE
    assert made.file.startswith("mine.csv~")
    header, arrays = payload.unpack(parts_sent(at)[1])
    assert header["n"] == 40
    assert header["names"]["features"] == ["width", "height"]
    assert np.abs(arrays["X"]).max() == 1
    assert {"file-x1", "file-x2", "file-label", "file-negative", "file-positive", "scale"} <= set(widgets(at))
    assert not at.error


def test_a_link_to_a_file_that_this_server_has_opens_it():
    made = of_page(with_file())
    query = dict(part.split("=") for part in made.query().split("&"))
    at = opened(**{key: unquote(value) for key, value in query.items()})
    assert of_page(at) == made
    assert len(at.toast) == 0


@pytest.mark.parametrize(
    "cols",
    ["width~nowhere~kind~a~b", "width~width~kind~a~b", "width~height~nowhere~a~b", "width~height~kind~a~z", "~~~~"],
)
def test_a_link_to_columns_that_the_file_has_not_opens_with_one_notice(cols):
    made = of_page(with_file())
    at = opened(data=FILE, file=made.file, cols=cols)
    assert len(at.toast) == 1
    assert of_page(at).data == "xor"


@pytest.mark.parametrize(
    "content", [b"", b"\x00\x01\x02", b"a,b\n1,2\n", b"a,b,c\n1,2\n", b"%PDF-1.7", b"a,b,c\nx,y,z\n"]
)  # fmt: skip
def test_a_wrong_file_leaves_the_data_in_place_and_says_one_sentence(content):
    at = opened("data", data="moons")
    before = sent(at)
    with_file(content, at=at)
    assert of_page(at) == Settings.of(data="moons")
    assert len(at.error) == 1
    assert at.error[0].value.endswith(".")
    assert sent(at) == before
    widgets(at)["seed"].set_value(3)
    assert not ran(at).error


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("x1", "w", "w~v~kind~a~b"),
        ("x1", "v", "v~u~kind~a~b"),
        ("x2", "w", "u~w~kind~a~b"),
        ("x2", "u", "v~u~kind~a~b"),
        ("negative", "c", "u~v~kind~c~b"),
        ("negative", "b", "u~v~kind~b~a"),
        ("positive", "c", "u~v~kind~a~c"),
        ("label", "w", None),
    ],
)
def test_the_columns_and_classes_of_a_file_can_be_chosen(name, value, expected):
    at = with_file(THREE)
    widgets(at)[f"file-{name}"].set_value(value)
    ran(at)
    assert not at.error
    if expected is None:
        assert experiment.columns(of_page(at)).label == value
        assert len(set(experiment.columns(of_page(at)).classes)) == 2
    else:
        assert of_page(at).cols == expected
    assert widgets(at)[f"file-{name}"].value == value


def test_columns_that_cannot_be_used_leave_the_others_in_place():
    at = with_file(THREE)
    before = sent(at)
    widgets(at)["file-label"].set_value("u")  # a feature
    ran(at)
    assert len(at.error) == 1
    assert sent(at) == before


def test_the_scale_of_a_file_can_be_its_own():
    at = with_file()
    widgets(at)["scale"].set_value("none")
    ran(at)
    header, arrays = payload.unpack(parts_sent(at)[1])
    assert header["names"]["scaled"] is False
    assert arrays["X"].max() == 39


@pytest.mark.parametrize("kernel", kernels_for(FILE))
def test_a_file_of_huge_numbers_never_breaks_the_page(kernel):
    at = with_file(WIDE, kernel=kernel)
    before = sent(at)
    widgets(at)["scale"].set_value("none")
    ran(at)
    if of_page(at).scale == "fit":
        assert sent(at) == before
        assert len(at.toast) == 1
        assert at.toast[0].value.endswith(".")
    _, arrays = payload.unpack(parts_sent(at)[1])
    assert all(np.isfinite(array).all() for array in arrays.values())


def test_too_few_rows_of_a_file_leave_it_as_it_was():
    rows = b"".join(b"%d,%d,%s\n" % (i == 30, i % 7, b"ab"[i % 2 :][:1]) for i in range(40))
    at = with_file(b"rare,height,kind\n" + rows)
    widgets(at)["n"].set_value(4)
    ran(at)
    if of_page(at).n != 4:
        assert len(at.toast) == 1
    at.button(key="new-data").click()
    ran(at)
