"""A cache keeps what was used last, within its size, and is safe for threads."""

import gc
import random
import threading
import tracemalloc

import pytest

from kpviz.engine.data.tables import read_text
from kpviz.service.caches import LruCache


def test_the_cache_keeps_what_was_used_last():
    cache = LruCache(3, 1000, len)
    for key in "abc":
        cache.put(key, key)
    assert cache.get("a") == "a"
    cache.put("d", "d")
    assert [cache.get(key) for key in "abcd"] == ["a", None, "c", "d"]


def test_the_cache_keeps_to_its_size_but_always_has_the_newest():
    cache = LruCache(100, 10, len)
    for key in "abcd":
        cache.put(key, "xxxx")
    assert [cache.get(key) for key in "abcd"] == [None, None, "xxxx", "xxxx"]
    cache.put("e", "x" * 50)
    assert [cache.get(key) for key in "abcde"] == [None, None, None, None, "x" * 50]
    assert LruCache(1, 1, len).get("nothing") is None


def test_putting_again_replaces():
    cache = LruCache(2, 100, len)
    cache.put("a", "1")
    cache.put("b", "2")
    cache.put("a", "3")
    cache.put("c", "4")
    assert [cache.get(key) for key in "abc"] == ["3", None, "4"]


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
