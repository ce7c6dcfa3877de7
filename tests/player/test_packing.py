"""The bytes that a header and arrays are packed into: what is packed is unpacked, and other bytes
are refused.
"""

import struct
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose, assert_array_equal
from sent import TYPES

from kpviz.player import payload

ARRAYS = st.sampled_from(TYPES).flatmap(
    lambda kind: hnp.arrays(kind, hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=5))
)
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.text(max_size=20)
    | st.floats(-1e6, 1e6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
HEADERS = st.dictionaries(
    st.text(max_size=8).filter(lambda name: name != "arrays"), PLAIN, max_size=4
)
NAMES = st.text(max_size=8).filter(lambda name: not name.startswith("tiny "))  # which is a mark


@drawn(HEADERS, st.dictionaries(NAMES, ARRAYS, max_size=5))
@settings(max_examples=100, deadline=None)
def test_what_is_packed_is_unpacked(header, arrays):
    data = payload.pack(header, arrays)
    read, back = payload.unpack(data)
    entries = read.pop("arrays")
    assert read == header
    assert list(back) == list(arrays)
    for name, array in arrays.items():
        assert (back[name].dtype, back[name].shape) == (array.dtype, array.shape)
        assert back[name].tobytes() == np.ascontiguousarray(array).tobytes()
    assert all(entry["at"] % 8 == 0 for entry in entries)
    assert len(data) % 8 == 0
    (length,) = struct.unpack_from("<I", data, 4)
    start = 8 + length + -(8 + length) % 8
    places = sorted({(entry["at"], entry["at"] + back[entry["name"]].nbytes) for entry in entries})
    assert start + max((end + -end % 8 for _, end in places), default=0) == len(data)
    assert all(end <= begin for (_, end), (begin, _) in pairwise(places))
    assert len({back[entry["name"]].tobytes() for entry in entries}) >= len(
        {place for place in places if place[0] != place[1]}
    )


def test_an_array_is_packed_as_it_reads_whatever_its_memory():
    values = np.arange(24.0).reshape(4, 6)
    for view in (values.T, values[:, ::2], values[::-1], np.broadcast_to(np.float64(3.0), (5,))):
        assert_array_equal(payload.unpack(payload.pack({}, {"a": view}))[1]["a"], view)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.25, 0.3, 1.0])
def test_what_single_precision_cannot_hold_comes_as_it_is_to_python_and_to_the_player(
    engine, share
):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(25, 40))
    values[rng.permutation(1000).reshape(25, 40) < 990 * share] = -1e-300
    values[3, :3] = 0.0, 1e-40, 1e300
    data = payload.pack({}, {"tiny a": values, "b": np.arange(3, dtype=np.int32)})
    header, arrays = payload.unpack(data)
    assert [entry["name"] for entry in header["arrays"]] == ["a", "b"]
    assert ("apart" in header["arrays"][0]) == (len(data) < values.nbytes) == (share <= 0.25)
    again = arrays["a"]
    assert (again.dtype, again.shape) == (np.float64, values.shape)
    assert_allclose(again, values, rtol=1e-7)
    beyond = (np.abs(values) < 1e-37) | (np.abs(values) > 1e38)
    assert_array_equal(again[beyond], values[beyond])
    engine.take(data)
    read = engine.call("() => load('run/payload.js').unpack(kpviz.bytes).arrays")
    assert_array_equal(read["a"], again.ravel())
    assert read["b"] == [0, 1, 2]


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), [1.0, {"x": float("-inf")}]])
def test_a_header_with_no_number_is_refused(bad):
    with pytest.raises(ValueError, match="not JSON compliant"):
        payload.pack({"bad": bad}, {})


@pytest.mark.parametrize("data", [b"", b"KPV0", b"<html>", bytes(100)])
def test_other_bytes_are_refused(data):
    with pytest.raises(ValueError, match="do not start with KPV1"):
        payload.unpack(data)


@pytest.mark.parametrize("largest", [0.0, 1e-30, 5.0, 1e30])
def test_the_player_reads_rounded_numbers_as_python_does(engine, largest):
    exact = np.linspace(-0.6 * largest, largest, 600, dtype=np.float32)
    data = payload.pack({}, {"exact": exact}, rough=True)
    assert payload.unpack(data)[0]["arrays"][0]["type"] == ("int16" if largest else "float32")
    engine.take(data)
    found = engine.call("() => [...load('run/payload.js').unpack(kpviz.bytes).arrays.exact]")
    assert_allclose(found, payload.unpack(data)[1]["exact"], rtol=1e-6)
    assert_allclose(found, exact, rtol=0, atol=largest / 2047)
