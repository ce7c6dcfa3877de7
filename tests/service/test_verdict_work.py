"""What is found out about a run is computed last: no run and no curve waits for it."""

import asyncio

import pool_jobs as jobs
import pytest
from apart import awaited

from kpviz.engine.learners import LEARNERS
from kpviz.server.pool import Job, Pool
from kpviz.service import curve
from kpviz.service.verdict import VerdictWork
from kpviz.service.work import RunWork
from kpviz.settings import MAX_POINTS, Settings

LIGHT = VerdictWork(RunWork.of(Settings.of(n=4), ()))


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_longest_run_is_thought_to_take_less_time(learner):
    longest = RunWork.of(Settings.of(learner=learner, n=MAX_POINTS, epochs=1000), {"bound"})
    assert LIGHT.seconds > longest.seconds > 1


def test_of_all_that_waits_it_comes_last(tmp_path):
    path = tmp_path / "began"
    (point, *_) = curve._works(Settings.of(), "sigma", 5)
    works = {"verdict": LIGHT, "long": RunWork.of(Settings.of(n=MAX_POINTS, epochs=100), ()), "curve": point}

    async def test():
        pool = Pool(workers=2)
        first = asyncio.create_task(pool.run(Job(jobs.noted, (path, "first"), 1.0)))
        while not path.exists():
            await asyncio.sleep(0.01)
        others = [asyncio.create_task(pool.run(Job(jobs.noted, (path, k), works[k].seconds))) for k in works]
        await asyncio.sleep(0)
        (tmp_path / "began.go").touch()
        await asyncio.gather(first, *others)
        await pool.close()

    awaited(test())
    assert path.read_text().split() == ["first", "long", "curve", "verdict"]
