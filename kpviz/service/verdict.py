"""The answer to what is known of a run with mistakes to its end, which a page asks besides, last in the queue."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from typing import ClassVar

from kpviz import experiment
from kpviz.engine.run.predictors import Progress
from kpviz.player import payload, verdict
from kpviz.player.subject import Subject
from kpviz.service.caches import LruCache
from kpviz.service.question import Question, number
from kpviz.service.work import Compute, RunWork
from kpviz.settings import Settings

_verdicts: LruCache[bytes] = LruCache(256, 20_000_000, len)


@dataclass(frozen=True)
class VerdictWork:
    """A run that is looked into; `of` knows its examples. Whatever else is asked for comes first."""

    of: RunWork
    seconds: ClassVar[float] = math.inf

    @property
    def id(self) -> str:
        """What tells it from others."""
        return f"verdict?{self.of.id}"

    def compute(self, progress: Progress | None = None) -> bytes:
        """Train the run, and find out what can be known of it."""
        settings = self.of.settings
        split = experiment.prepare(settings) if self.of.split is None else self.of.split
        run = experiment.run(settings, split, progress)
        return verdict.encode(Subject.of(settings, split, run), progress)


async def answer(question: Question, settings: Settings, compute: Compute) -> bytes:
    """Return the answer as bytes."""
    try:
        wanted = VerdictWork(await asyncio.to_thread(RunWork.of, settings, ()))
        data = _verdicts.get(wanted.id)
        if data is None:
            data = await compute(wanted)
            _verdicts.put(wanted.id, data)
    except ValueError as error:
        return payload.pack({"n": number(question), "failed": str(error)}, {})
    header, arrays = payload.unpack(data)
    return payload.pack({**header, "n": number(question)}, arrays)
