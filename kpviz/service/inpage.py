"""The service in a page: Python runs in the page's worker, and answers as `server/route.py` does.

The page sends a question as JSON; it gets bytes, or JSON that tells of the progress. What passes
between them is at the head of player/web/alone/python.js.

Tests: tests/service/test_inpage.py, tests/browser/test_alone.py.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any

from kpviz.service import caches
from kpviz.service.answer import answer
from kpviz.service.loop import Loop
from kpviz.service.question import Question, failed, number, read
from kpviz.service.work import Work

_PATIENCE = 0.5  # In seconds: progress is told after this time.
_OFTEN = 0.25  # In seconds: the time between two tellings.
_MOST_KEPT = 8_000_000  # In bytes: a tab has less memory than a server.
_NOT_HERE = (
    'This needs more than there is in a page without a server: run pip install "kpviz[app]", then '
    "kpviz app."
)
_FAULT = "kpviz failed at this, which is a fault of its own: go back, or choose other settings."

Send = Callable[[Any], None]
# Each is the reply to the newest question of a page and kind.
_replies: dict[tuple[int, str], asyncio.Task[None]] = {}

if sys.platform in ("emscripten", "wasi"):
    caches.limit(_MOST_KEPT)


def ask(text: str, send: Send, page: int = 0) -> None:
    """Begin to answer a question of a page, where an event loop runs."""
    question = read(text)
    kind = page, str(question.get("kind"))
    if kind in _replies:
        _replies.pop(kind).cancel()
    if question.get("cancel") is not True:
        _replies[kind] = asyncio.ensure_future(_reply(question, send))


def answer_now(text: str, send: Send) -> None:
    """Answer a question to its end, where no event loop runs."""
    loop = Loop()
    try:
        loop.run_until_complete(_reply(read(text), send))
    finally:
        loop.close()


async def _reply(question: Question, send: Send) -> None:
    begun = time.monotonic()
    told = begun

    def progress(done: int, limit: int) -> None:
        nonlocal told
        now = time.monotonic()
        if now - begun < _PATIENCE or now - told < _OFTEN:
            return
        told = now
        left = (now - begun) / done * (limit - done) if done else None
        steps = {"progress": [done, max(limit, 1)], "left": left, "place": None}
        send(json.dumps({"n": number(question), **steps}))

    async def compute(work: Work) -> bytes:
        await asyncio.sleep(0)  # A newer question comes first.
        try:
            return work.compute(progress)
        except ImportError:
            raise ValueError(_NOT_HERE) from None

    try:
        data = await answer(question, compute)
    except Exception:
        traceback.print_exc(file=sys.stderr)  # The browser's console has it.
        data = failed(question, _FAULT)
    send(data)
