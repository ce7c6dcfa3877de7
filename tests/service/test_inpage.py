"""The service in a page: its answers are those of the server, and it needs no socket and no thread."""

import asyncio
import json
import socket
import sys

import pytest
from apart import apart, awaited

from kpviz.player import payload
from kpviz.service import caches, inpage
from kpviz.service.answer import answer
from kpviz.service.loop import Loop

PAGE = {"page": "play", "commands": [], "drafts": {}, "asked": None, "have": [], "dock": []}
QUESTION = {**PAGE, "link": "v=1&data=xor&n=40", "origin": None, "data": None, "near": True, "n": 3}


def answers_to(question, ask):
    sent = []
    apart(ask, json.dumps({**question, "kind": "run"}), sent.append)
    return sent


async def computed(work):
    return work.compute()


def test_a_page_s_python_answers_what_a_server_answers():
    (inpage_bytes,) = answers_to(QUESTION, inpage.answer_now)
    assert inpage_bytes == awaited(answer(QUESTION, computed))


def test_it_opens_no_socket(monkeypatch):
    def refuse(*_):
        raise OSError("There are none.")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "socketpair", refuse)
    (data,) = answers_to(QUESTION, inpage.answer_now)
    assert payload.unpack(data)[0]["n"] == 3


def test_what_a_thread_would_do_is_done_at_once_and_what_it_raises_is_raised():
    loop = Loop()

    async def twice():
        return await asyncio.to_thread(divmod, 7, 2), await asyncio.to_thread(divmod, 7, 0)

    with pytest.raises(ZeroDivisionError):
        apart(loop.run_until_complete, twice())
    loop.close()


def test_of_a_page_s_questions_of_one_kind_the_newest_counts():
    sent = []

    async def ask_thrice():
        for n in (1, 2, 3):
            inpage.ask(json.dumps({**QUESTION, "n": n, "kind": "run"}), sent.append)
        inpage.ask(json.dumps({**QUESTION, "n": 4, "kind": "run"}), sent.append, page=1)
        await asyncio.gather(*inpage._replies.values())

    awaited(ask_thrice())
    assert sorted(payload.unpack(data)[0]["n"] for data in sent) == [3, 4]


def test_a_long_run_tells_of_its_progress(monkeypatch):
    monkeypatch.setattr(inpage, "_PATIENCE", 0.0)
    monkeypatch.setattr(inpage, "_OFTEN", 0.0)
    link = "v=1&data=xor&n=200&noise=0.4&epochs=200&sigma=5"
    *told, _ = answers_to({**QUESTION, "link": link}, inpage.answer_now)
    progress = [json.loads(text) for text in told]
    assert progress
    assert {each["n"] for each in progress} == {3}
    assert all(done <= limit for done, limit in (each["progress"] for each in progress))


def test_a_fault_of_its_own_is_a_sentence_and_no_traceback(monkeypatch, capsys):
    async def fail(question, compute):
        raise KeyError("sigma")

    monkeypatch.setattr(inpage, "answer", fail)
    (data,) = answers_to(QUESTION, inpage.answer_now)
    assert payload.unpack(data)[0] == {"n": 3, "failed": inpage._FAULT, "arrays": []}
    assert "KeyError" in capsys.readouterr().err


def test_what_is_not_in_a_page_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    monkeypatch.delitem(sys.modules, "kpviz.export.print.typeset", raising=False)
    (data,) = answers_to({**QUESTION, "file": {"ending": "worksheet.pdf"}}, inpage.answer_now)
    assert payload.unpack(data)[0]["failed"] == inpage._NOT_HERE


def test_a_cache_can_be_made_smaller():
    cache = caches.LruCache(10, 100, len)
    cache.limit(5)
    for name in "abc":
        cache.put(name, name * 3)
    assert [name for name in "abc" if cache.get(name)] == ["c"]
