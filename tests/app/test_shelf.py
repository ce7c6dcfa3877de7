"""What is kept between two runs of the page: the newest, within its size, and safe for threads."""

import random
import threading

from playing import opened, ran

from kpviz.app import shared
from kpviz.app.shared import LruCache


def test_the_shelf_keeps_what_was_used_last():
    shelf = LruCache(3, 1000, len)
    for key in "abc":
        shelf.put(key, key)
    assert shelf.get("a") == "a"
    shelf.put("d", "d")
    assert [shelf.get(key) for key in "abcd"] == ["a", None, "c", "d"]


def test_the_shelf_keeps_to_its_size_but_always_has_the_newest():
    shelf = LruCache(100, 10, len)
    for key in "abcd":
        shelf.put(key, "xxxx")
    assert [shelf.get(key) for key in "abcd"] == [None, None, "xxxx", "xxxx"]
    shelf.put("e", "x" * 50)
    assert [shelf.get(key) for key in "abcde"] == [None, None, None, None, "x" * 50]
    assert LruCache(1, 1, len).get("nothing") is None


def test_putting_again_replaces():
    shelf = LruCache(2, 100, len)
    shelf.put("a", "1")
    shelf.put("b", "2")
    shelf.put("a", "3")
    shelf.put("c", "4")
    assert [shelf.get(key) for key in "abc"] == ["3", None, "4"]


def test_the_shelf_is_safe_for_threads():
    shelf = LruCache(8, 10_000, len)
    failures = []

    def work(seed):
        draw = random.Random(seed)
        try:
            for _ in range(500):
                key = str(draw.randrange(20))
                found = shelf.get(key)
                assert found is None or found == key * 10
                shelf.put(key, key * 10)
        except Exception as error:  # a thread's exception is lost otherwise
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(shelf._things) <= 8


def test_an_unchanged_run_is_taken_from_the_shelf(monkeypatch):
    at = opened(sigma="0.31")

    def never(*_, **__):
        raise AssertionError("trained again")

    monkeypatch.setattr(shared, "run_of", never)
    ran(at)
    opened(sigma="0.31")
