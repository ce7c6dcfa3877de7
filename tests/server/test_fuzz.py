"""Hostile questions to the whole service: so many as KPVIZ_FUZZ_COUNT says, drawn by
KPVIZ_FUZZ_SEED.
"""

import asyncio
import json
import logging
import os
import struct
import time

import fuzzing
import numpy as np
from fuzzing import LAWS, fuzzer, smallest
from pool_jobs import steps
from questions import message

from kpviz.player import payload
from kpviz.service.caches import LruCache

COUNT = int(os.environ.get("KPVIZ_FUZZ_COUNT", "120"))
SEED = int(os.environ.get("KPVIZ_FUZZ_SEED", "1"))


def service():
    from kpviz.service.answer import answer

    return answer


def test_hostile_questions_are_answered_and_disturb_nobody():
    with fuzzer(service) as asker:
        wrong = asker.first_wrong(message(SEED, number) for number in range(COUNT))
    assert not wrong, f"Seed {SEED}. {wrong}"


# ---- the fuzzer finds what it looks for ----------------------------------------------------------


class Lasting:
    """Work that goes on when its question is answered."""

    id = "lasting"
    seconds = 1.0

    def compute(self, progress):
        return steps(400, 0.01, progress)


class Faulty:
    """A service that breaks the law that a link names."""

    def __init__(self):
        self.cache = LruCache(4, 100, len)
        self.changes = 0
        self.tasks = []

    async def answer(self, question, compute):
        law = question.get("link")
        header = {"n": question.get("n"), "changed": self.changes}
        if law == "silence":
            await asyncio.sleep(60)
        elif law == "fault":
            raise ZeroDivisionError
        elif law == "log":
            logging.getLogger("kpviz").error("something")
        elif law == "path":
            header["failed"] = f"{__file__} is not there."
        elif law == "json":
            text = b'{"arrays":[],"value":NaN}'
            return payload.MAGIC + struct.pack("<I", len(text)) + text
        elif law == "numbers":
            return payload.pack(header, {"field": np.array([1.0, np.inf])})
        elif law == "loop":
            burn(0.4)
        elif law == "work":
            await asyncio.to_thread(burn, 0.4)
        elif law == "reference":
            self.changes += 1
        elif law == "idle":
            self.tasks.append(asyncio.create_task(compute(Lasting())))
            self.tasks[0].add_done_callback(lambda task: task.cancelled() or task.exception())
        elif law == "caches":
            self.cache.put("a", "x" * 50)
            self.cache._total = 7
        return payload.pack(header, {})


def burn(seconds):
    ends = time.thread_time() + seconds
    while time.thread_time() < ends:
        pass


def test_a_service_that_breaks_a_law_is_found_out(monkeypatch):
    monkeypatch.setattr(fuzzing, "MOST_OF_LOOP", 0.2)
    monkeypatch.setattr(fuzzing, "MOST_WORK", 0.3)
    monkeypatch.setattr(fuzzing, "SECONDS", 30)
    faulty = Faulty()
    broken = {}
    with fuzzer(lambda: faulty.answer) as asker:
        assert asker.ask(json.dumps({"n": 1, "link": "v=1"}), looks=True) is None
        for law in LAWS:
            monkeypatch.setattr(fuzzing, "PATIENCE", 1.0 if law in ("silence", "idle") else 60)
            found = asker.ask(json.dumps({"n": 2, "link": law}), looks=True)
            broken[law] = None if found is None else found[0]
            faulty.changes = 0
            faulty.cache.clear()
    assert broken == {law: law for law in LAWS}


def test_the_smallest_question_is_what_is_needed():
    question = {
        "n": 3,
        "kind": "run",
        "link": "v=1&data=moons&sigma=bad&t=3",
        "commands": [{"name": "pin"}] * 5,
    }
    found = smallest(
        json.dumps(question), lambda text: "sigma=b" in json.loads(text).get("link", "")
    )
    assert json.loads(found) == {"link": "sigma=b"}


def test_a_message_is_the_same_whenever_it_is_written():
    assert [message(7, number) for number in range(40)] == [
        message(7, number) for number in range(40)
    ]
    assert message(7, 0) != message(8, 0)
