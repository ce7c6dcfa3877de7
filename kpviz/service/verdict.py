"""The answer to what is known of a run with mistakes to its end, which a page asks besides, last in the queue."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from kpviz import experiment
from kpviz.engine.run.predictors import Progress
from kpviz.lessons.verdict import SECONDS
from kpviz.player import payload, verdict
from kpviz.player.subject import Subject
from kpviz.service.caches import LruCache
from kpviz.service.question import Question, number
from kpviz.service.work import Work, estimate, work
from kpviz.settings import Settings

_verdicts: LruCache[bytes] = LruCache(256, 20_000_000, len)


@dataclass(frozen=True)
class VerdictWork:
    """A run that is looked into; `of` knows its examples."""

    of: Work

    @property
    def id(self) -> str:
        """What tells it from others."""
        return f"verdict?{self.of.id}"

    @property
    def seconds(self) -> float:
        """An estimate of how long it takes, from above."""
        return estimate(self.of.settings) + SECONDS

    def packed(self, progress: Progress | None = None) -> bytes:
        """Train the run, and find out what can be known of it."""
        settings = self.of.settings
        split = experiment.prepare(settings) if self.of.split is None else self.of.split
        run = experiment.run(settings, split, progress)
        return verdict.encode(Subject.of(settings, split, run), progress)


async def answer(question: Question, settings: Settings, packs: Callable[[VerdictWork], Awaitable[bytes]]) -> bytes:
    """Return the answer as bytes."""
    try:
        wanted = VerdictWork(await asyncio.to_thread(work, settings, ()))
        data = _verdicts.get(wanted.id)
        if data is None:
            data = await packs(wanted)
            _verdicts.put(wanted.id, data)
    except ValueError as error:
        return payload.pack({"n": number(question), "failed": str(error)}, {})
    header, arrays = payload.unpack(data)
    return payload.pack({**header, "n": number(question)}, arrays)
