"""A cache keeps what was used last, within its size, and is safe for threads."""

import gc
import random
import threading
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpviz.engine.data.tables import read_text
from kpviz.service.caches import LruCache


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 12))))
def test_the_cache_keeps_what_was_used_last_within_its_number_and_size_but_always_the_newest(steps):
    cache, model = LruCache(3, 20, len), {}  # the longest unused first
    for key, size in steps:
        if size:
            cache.put(key, "x" * size)
            model = {**{each: kept for each, kept in model.items() if each != key}, key: size}
            while len(model) > 3 or (len(model) > 1 and sum(model.values()) > 20):
                del model[next(iter(model))]
        else:
            assert cache.get(key) == ("x" * model[key] if key in model else None)
            model |= {key: model.pop(key)} if key in model else {}
    cache.put("huge", "x" * 50)
    assert [cache.get(key) for key in ("huge", *"abcdef")] == ["x" * 50, *[None] * 6]


def test_a_value_that_grows_later_takes_no_room_from_others_when_it_is_gone():
    cache, growing = LruCache(9, 20, len), [0] * 5
    cache.put("growing", growing)
    growing += [0] * 10
    cache.put("growing", [0] * 5)
    for key in "abc":
        cache.put(key, [0] * 5)
    cache.put("d", [0] * 5)
    assert [key for key in ("growing", *"abcd") if cache.get(key)] == [*"abcd"]


def test_the_cache_is_safe_for_threads():
    cache = LruCache(8, 10_000, len)
    failures = []

    def work(seed):
        draw = random.Random(seed)
        try:
            for _ in range(500):
                key = str(draw.randrange(20))
                found = cache.get(key)
                assert found is None or found == key * 10
                cache.put(key, key * 10)
        except Exception as error:  # a thread's exception is lost otherwise
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(cache._values) <= 8


@pytest.mark.parametrize("cell", ["{}.25", "a word or two {}", "é{}"])
def test_the_memory_of_opened_tables_is_counted_as_it_is(cell):
    rows = "".join(f"{k},{k / 4},{cell.format(k)},class {k % 2}\n" for k in range(1000, 21_000))
    gc.collect()
    tracemalloc.start()
    try:
        table = read_text(f"x,y,words,class\n{rows}")
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken / 1.25 < table.nbytes < taken * 1.25
