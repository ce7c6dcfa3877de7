"""Dropped lessons that a server keeps for a class: short names, limits, and what is not told."""

import asyncio
import json
import re

import pytest
from apart import awaited
from visitor import ask

from kpviz.service import caches, kept_lessons

TEXT = """---
title: Kept
---
## One
link: v=1&data=xor&n=16&noise=0

Words.

> notes: Ask the back row.

```task number
ask: How many mistakes are there at the end?
start: v=1&data=xor&n=16&noise=0
value: mistakes
why: Each adds a brick.
```
"""


@pytest.fixture(autouse=True)
def nothing_kept():
    caches.forget()
    yield
    caches.forget()


@pytest.fixture
def clock(monkeypatch):
    """The time that the server has, in seconds."""
    now = [0.0]
    monkeypatch.setattr(kept_lessons.time, "monotonic", lambda: now[0])
    return now


async def compute(work):
    return work.compute()


def keep(text=TEXT):
    return awaited(kept_lessons.keep(text, compute))


def of_words(number, size):
    """A lesson without a fault, of about so many bytes."""
    return f"---\ntitle: {number}\n---\n## One\nlink: v=1\n\n{'word ' * (size // 5)}\n"


def answered(name, **more):
    return ask({"n": 3, "link": "v=1", "shown": True, "lesson": {"name": name}, **more})[0]


def test_the_name_of_a_lesson_is_short_is_that_of_an_address_and_follows_from_its_contents():
    name = keep()
    assert len(name) == 13
    assert name.startswith("~")
    assert name[1:].isalnum()
    caches.forget()
    assert keep() == name
    assert keep(TEXT.replace("Words", "Others")) != name


def test_a_class_gets_a_kept_lesson_without_notes_solutions_or_answers():
    name = keep()
    lesson = answered(name)["lesson"]
    assert lesson["title"] == "Kept"
    assert not lesson["solved"]
    assert lesson["next"] is None
    assert "back row" not in json.dumps(lesson)
    assert "Each adds a brick" not in json.dumps(lesson)
    (scene,) = ask({"lesson": {"text": TEXT}})[0]["lesson"]["scenes"]
    assert "back row" in json.dumps(scene["notes"])  # those who have the file have them


def test_answers_to_its_tasks_are_checked_and_its_solutions_are_refused():
    name = keep()
    task = {"scene": 0, "task": 0, "tried": 0, "answer": {"number": 6}}
    assert answered(name, task=task)["checked"]["right"]
    file = {"ending": "page.html", "lesson": {"name": name}}
    refused = ask({"n": 1, "link": "v=1", "file": file})[0]
    assert "solutions" in refused["failed"]


def test_who_asks_for_a_lesson_that_is_not_here_reads_what_to_do():
    for more in ({}, {"task": {"scene": 0, "task": 0, "tried": 0, "answer": {"number": 6}}}):
        failed = answered("~abcdefghijkl", **more)["failed"]
        assert failed.startswith("The server does not have this lesson any more: ")
        assert "(Y)" in failed
    file = {"ending": "handout.pdf", "lesson": {"name": "~abcdefghijkl"}}
    assert "any more" in ask({"n": 1, "link": "v=1", "file": file})[0]["failed"]


def test_a_lesson_stays_for_a_day_and_longer_if_it_is_sent_again(clock):
    name = keep()
    clock[0] = 23 * 3600
    assert kept_lessons.read(name) == TEXT
    keep()
    clock[0] = 46 * 3600
    assert kept_lessons.read(name) == TEXT
    clock[0] = 48 * 3600
    with pytest.raises(ValueError, match="does not have this lesson any more"):
        kept_lessons.read(name)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a fault in line 1, "),
        ("no lesson", "a fault in line 1, "),
        (TEXT.replace("data=xor", "data=xxx"), "a fault in line 5, "),
        (TEXT.replace("value: mistakes", "value: mistakez"), "a fault in line 14, "),
        ("ü" * 500_001, "up to 1,000,000 bytes for a class, and this one has 1,000,002"),
    ],
)
def test_what_is_too_large_or_has_a_fault_is_refused_in_a_sentence(text, why):
    with pytest.raises(ValueError, match=re.escape(why)):
        keep(text)
    assert not kept_lessons._lessons._values


def test_all_of_them_take_no_more_than_64_mb_and_those_longest_unused_go_first():
    async def without_check(work):
        return b""

    def kept(number):
        return awaited(kept_lessons.keep(of_words(number, 990_000), without_check))

    first, *_ = (kept(number) for number in range(60))
    second = kept_lessons._name_of(of_words(1, 990_000).encode())
    kept_lessons.read(first)  # it is in use
    for number in range(60, 65):
        kept(number)
        assert kept_lessons._lessons._total <= 64_000_000
    assert kept_lessons.read(first)
    with pytest.raises(ValueError, match="any more"):
        kept_lessons.read(second)


def test_several_tabs_that_send_a_lesson_at_once_have_one():
    async def together():
        return await asyncio.gather(*(kept_lessons.keep(TEXT, compute) for _ in range(5)))

    assert len(set(awaited(together()))) == 1
    assert len(kept_lessons._lessons._values) == 1


def test_nobody_who_has_only_the_name_is_told_what_is_right():
    task = {"scene": 0, "task": 0, "tried": 0}
    assert answered(keep(), task=task)["solution"] is None
