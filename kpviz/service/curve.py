"""The answer to a question for a curve over a setting, which a page asks besides.

It takes as long as thirty runs.

`Question.curve` says over which property, and over how many seeds it is averaged.

Tests: tests/service/test_curve.py.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace

from kpviz.engine.run.predictors import Progress
from kpviz.lessons import sweep
from kpviz.lessons.sweep import Point, SweepTask
from kpviz.player import curve, payload
from kpviz.service import stored
from kpviz.service.caches import LruCache
from kpviz.service.making import Makings
from kpviz.service.question import Question, failed, mapping, number, text
from kpviz.service.work import Compute, estimate
from kpviz.settings import FILE, Settings

_curves: LruCache[bytes] = LruCache(256, 2_000_000, len)


@dataclass(frozen=True)
class PointWork:
    """The runs of one value of a curve: a job of its own, so that the runs of pages come between.

    `tasks` are those on the rows of a file, which stay where they are; `seconds` is an estimate for
    the whole curve, so that whatever else is asked for comes first.
    """

    settings: Settings
    name: str
    value: float
    seeds: int
    seconds: float
    tasks: tuple[SweepTask, ...] | None = None

    @property
    def id(self) -> str:
        """What tells it from others."""
        query = self.settings.query()
        return f"point?{query}&over={self.name}&value={self.value:g}&seeds={self.seeds}"

    def compute(self, progress: Progress | None = None) -> bytes:
        """Train the runs, and return their numbers as JSON."""
        tasks = (
            sweep.tasks(self.settings, self.name, [self.value], self.seeds)
            if self.tasks is None
            else self.tasks
        )
        return json.dumps([astuple(point) for point in curve.points(tasks, progress)]).encode()


async def answer(
    question: Question, settings: Settings, compute: Compute, makings: Makings
) -> bytes:
    """Return the answer as bytes."""
    try:
        name, seeds, plain = await makings.call(_requested, question, settings)
        key = f"{plain.query()}&over={name}&seeds={seeds}"
        data = _curves.get(key)
        if data is None:
            works = await makings.call(_works, plain, name, seeds)
            points = [
                Point(*values) for part in await _all(works, compute) for values in json.loads(part)
            ]
            numbers = await makings.call(curve.numbers, plain, name, points, curve.choices(plain))
            data = json.dumps(numbers, allow_nan=False).encode()
            _curves.put(key, data)
    except ValueError as error:
        return failed(question, error)
    return payload.pack({"n": number(question), "curve": json.loads(data)}, {})


async def _all(works: Sequence[PointWork], compute: Compute) -> list[bytes]:
    """Return all of the works; what one refuses cancels the others."""
    todo = [asyncio.ensure_future(compute(work)) for work in works]
    try:
        return await asyncio.gather(*todo)
    finally:
        for task in todo:
            task.cancel()


def _requested(question: Question, settings: Settings) -> tuple[str, int, Settings]:
    """Return the property that is asked for, where it applies, else the default one; seeds.

    All other settings.
    """
    curve_question = mapping(question.get("curve"))
    offered = curve.choices(settings)
    property_name = text(curve_question.get("name"))
    name = property_name if property_name in offered else offered[0]
    many = curve_question.get("seeds") == curve.SEEDS and bool(sweep.seed_names(settings, name))
    others = {
        key: value for key, value in settings.items if key != name and not settings.is_default(key)
    }
    return name, curve.SEEDS if many else 1, Settings.of(**others).without_cues


def _works(settings: Settings, name: str, seeds: int) -> list[PointWork]:
    values = sweep.checked(settings, name, None)
    table = stored.table(settings)
    seconds = seeds * sum(estimate(settings.replace(**{name: value})) for value in values)
    works = [PointWork(settings, name, value, seeds, seconds) for value in values]
    if settings.data != FILE:
        return works
    tasks = sweep.tasks(settings, name, values, seeds, table)
    return [
        replace(work, tasks=tuple(task for task in tasks if task.value == work.value))
        for work in works
    ]
