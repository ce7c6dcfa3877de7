"""The answer to a question for a curve over a setting, which a page asks besides: on a connection of its own.

`Question.curve` says over which property, and over how many seeds it is averaged.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from kpviz.engine.run.predictors import Progress
from kpviz.lessons import sweep as sweeps
from kpviz.lessons.sweep import Task
from kpviz.player import curve, payload
from kpviz.service import stored
from kpviz.service.caches import LruCache
from kpviz.service.question import Question, mapping, number, text
from kpviz.service.work import estimate
from kpviz.settings import FILE, Settings

_curves: LruCache[bytes] = LruCache(256, 2_000_000, len)


@dataclass(frozen=True)
class CurveWork:
    """A curve that is to be computed; `tasks` are its runs on the rows of a file, which stay where they are."""

    settings: Settings
    name: str
    seeds: int
    tasks: tuple[Task, ...] | None = None

    @property
    def id(self) -> str:
        """What tells a curve from others: its own property may have any value."""
        return f"curve?{self.settings.query()}&over={self.name}&seeds={self.seeds}"

    @property
    def seconds(self) -> float:
        """An estimate of how long it takes, from above."""
        values = sweeps.values_of(self.settings, self.name)
        return self.seeds * sum(estimate(self.settings.replace(**{self.name: value})) for value in values)

    def packed(self, progress: Progress | None = None) -> bytes:
        """Train the runs, and return their numbers as JSON."""
        tasks = curve.tasks(self.settings, self.name, self.seeds) if self.tasks is None else self.tasks
        offered = curve.choices(self.settings)
        return json.dumps(curve.numbers(self.settings, self.name, tasks, offered, progress), allow_nan=False).encode()


async def answer(question: Question, settings: Settings, packs: Callable[[CurveWork], Awaitable[bytes]]) -> bytes:
    """Return the answer as bytes."""
    try:
        work = await asyncio.to_thread(_work, question, settings)
        data = _curves.get(work.id)
        if data is None:
            data = await packs(work)
            _curves.put(work.id, data)
    except ValueError as error:
        return payload.pack({"n": number(question), "failed": str(error)}, {})
    return payload.pack({"n": number(question), "curve": json.loads(data)}, {})


def _work(question: Question, settings: Settings) -> CurveWork:
    """Return the work: over the property that is asked for, where it applies, else over the default one."""
    asked = mapping(question.get("curve"))
    offered, wanted = curve.choices(settings), text(asked.get("name"))
    name = wanted if wanted in offered else offered[0]
    many = asked.get("seeds") == curve.SEEDS and bool(sweeps.seed_names(settings, name))
    seeds = curve.SEEDS if many else 1
    others = {key: value for key, value in settings.items if key != name and not settings.is_default(key)}
    tasks = None
    if settings.data == FILE:
        tasks = tuple(curve.tasks(settings, name, seeds, table=stored.table(settings)))
    return CurveWork(Settings.of(**others).without_cues, name, seeds, tasks)
