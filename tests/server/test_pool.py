"""The pool of processes: who comes first, what is seen of a job, how it is cancelled, and what it
may take.
"""

import asyncio
import contextlib
import math
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import zlib
from concurrent.futures import Future
from dataclasses import replace
from functools import partial, wraps
from inspect import Signature, signature
from pathlib import Path
from types import SimpleNamespace

import pool_jobs as jobs
import pytest
from apart import awaited
from processes import lives

from kpviz.player import payload
from kpviz.server import pool as pools
from kpviz.server import shares, threads
from kpviz.server.pool import Job, PendingJob, Pool
from kpviz.server.shares import Shares
from kpviz.service import curve
from kpviz.service.files import Look, RunFileWork
from kpviz.service.work import RunWork, VerdictWork
from kpviz.settings import MAX_POINTS, Settings
from kpviz.settings.view import ViewState

PATIENCE = 60  # s


def job(function, *args, seconds=0.1, key=None):
    return Job(function, args, seconds, key)


def pooled(**options):
    """Decorate a test that is given a pool, warm unless it says otherwise; afterwards no process of
    it is left.
    """

    def decorate(test):
        @wraps(test)
        def each(**given):
            async def main():
                pool = Pool(
                    **{
                        "workers": 2,
                        **{key: each for key, each in options.items() if key != "warm"},
                    }
                )
                try:
                    if {**options, **given}.get("warm", True):
                        pool.warm()
                        await until(lambda: all(worker.is_ready for worker in pool.workers))
                    return await test(pool, **given)
                finally:
                    started = [worker.process.pid for worker in pool.workers if worker.process]
                    await pool.close()
                    assert [pid for pid in started if lives(pid)] == []

            return awaited(main())

        each.__signature__ = Signature([*signature(test).parameters.values()][1:])
        return each

    return decorate


async def until(holds):
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends
        await asyncio.sleep(0.01)


async def refusal(asked):
    with pytest.raises(ValueError, match=r"\.$") as refused:
        await asked
    return str(refused.value)


@pooled()
async def test_a_job_is_done_in_a_process_with_one_thread_for_linear_algebra_that_ctrl_c_passes_by(
    pool,
):
    assert await pool.run(job(jobs.doubled, 21)) == 42
    assert await pool.run(job(jobs.where)) != os.getpid()
    assert await pool.run(job(jobs.bounds)) == ("1", True)


@pooled(imports=["kpviz.player.payload"])
async def test_a_worker_imports_what_it_is_told_and_neither_streamlit_nor_scikit_learn(pool):
    loaded = await pool.run(job(jobs.loaded))
    assert "kpviz.player.payload" in loaded
    assert not loaded & {"streamlit", "sklearn", "starlette", "pandas"}


@pytest.mark.parametrize("warm", [True, False])
@pooled()
async def test_results_come_as_they_were_bytes_of_any_length_too(pool, warm):
    for result in (
        b"",
        b"\0run",
        bytes(range(256)) * 20_000,
        "words",
        None,
        [1.5, b"two"],
        (b"", {}),
    ):
        assert await pool.run(job(jobs.same, result)) == result


@pooled(warm=False)
async def test_before_it_is_warm_jobs_are_done_in_threads(pool):
    assert await pool.run(job(jobs.where)) == os.getpid()
    assert await refusal(pool.run(job(jobs.refused))) == "There are no points."


@pooled(warm=False)
async def test_a_job_of_unknown_length_waits_for_a_process_while_threads_do_the_others(pool):
    unknown = asyncio.create_task(pool.run(job(jobs.where, seconds=math.inf)))
    await asyncio.sleep(0)
    assert await pool.run(job(jobs.where)) == os.getpid()
    assert await unknown == pool.workers[1].process.pid


@pooled(warm=False)
async def test_where_no_process_can_be_started_a_job_of_unknown_length_is_done_by_a_thread(
    pool, monkeypatch
):
    def fails(*_, **__):
        raise OSError("no more processes")

    monkeypatch.setattr(subprocess, "Popen", fails)
    assert await pool.run(job(jobs.where, seconds=math.inf)) == os.getpid()


@pooled(warm=False)
async def test_who_loads_what_is_slow_waits_until_the_pool_rests(pool, tmp_path):
    with threads.lent(pool):
        busy = asyncio.create_task(pool.run(job(jobs.noted, tmp_path / "began", "x")))
        await until((tmp_path / "began").exists)
        loading = asyncio.create_task(asyncio.to_thread(threads.wait_for_rest, 0.01))
        assert await asyncio.wait({loading}, timeout=0.1) == (set(), {loading})
        busy.cancel()
        await asyncio.wait_for(loading, PATIENCE)


@pooled(warm=False)
async def test_where_no_process_can_be_started_threads_go_on(pool, monkeypatch, caplog):
    def fails(*_, **__):
        raise OSError("no more processes")

    monkeypatch.setattr(subprocess, "Popen", fails)
    pool.warm()
    await asyncio.sleep(0)
    assert await pool.run(job(jobs.where)) == os.getpid()
    await until(lambda: "done in threads" in caplog.text)


@pooled()
async def test_a_refusal_comes_as_its_sentence_and_a_fault_as_an_error_with_its_traceback(pool):
    assert await refusal(pool.run(job(jobs.refused))) == "There are no points."
    with pytest.raises(match=r"(?s)Traceback.*ZeroDivisionError"):
        await pool.run(job(jobs.broken))
    assert await pool.run(job(jobs.printing)) == "done"


@pooled()
async def test_least_work_comes_first_and_those_who_wait_know_their_place(pool, tmp_path):
    path, of = tmp_path / "began", {}

    def ask(word, seconds):
        return asyncio.create_task(
            pool.run(job(jobs.noted, path, word, seconds=seconds), partial(of.__setitem__, word))
        )

    tasks = [ask("first", 1)]
    await until(path.exists)
    for word, seconds in (("long", 9), ("brief", 3)):
        tasks.append(ask(word, seconds))
        await asyncio.sleep(0)
        assert of[word].place == 1
    assert (of["first"].place, of["long"].place) == (None, 2)
    (tmp_path / "began.go").touch()
    await tasks[0]
    await until(lambda: of["long"].place == 1 or tasks[2].done())
    await asyncio.gather(*tasks)
    assert path.read_text().split() == ["first", "brief", "long"]
    assert {word: progress.place for word, progress in of.items()} == dict.fromkeys(of)


@pooled()
async def test_of_all_that_waits_a_verdict_comes_last(pool, tmp_path):
    path = tmp_path / "began"
    longest = Settings.of(learner="svm", n=MAX_POINTS, epochs=1000)
    light, long = VerdictWork(RunWork.of(Settings.of(n=4), ())), RunWork.of(longest, {"bound"})
    (point, *_) = curve._works(longest, "noise", 20)
    works = {"verdict": light, "curve": point, "long": long}
    begun = asyncio.create_task(pool.run(job(jobs.noted, path, "first", seconds=1)))
    await until(path.exists)
    others = [
        asyncio.create_task(pool.run(job(jobs.noted, path, name, seconds=work.seconds)))
        for name, work in works.items()
    ]
    await asyncio.sleep(0)
    (tmp_path / "began.go").touch()
    await asyncio.gather(begun, *others)
    assert path.read_text().split() == ["first", "long", "curve", "verdict"]


@pooled()
async def test_long_jobs_leave_a_worker_to_the_short_ones(pool, tmp_path):
    long = [
        asyncio.create_task(pool.run(job(jobs.noted, tmp_path / "began", k, seconds=5)))
        for k in range(4)
    ]
    await until((tmp_path / "began").exists)
    assert await asyncio.wait_for(pool.run(job(jobs.doubled, 1, seconds=0.01)), PATIENCE) == 2
    assert not any(task.done() for task in long)
    (tmp_path / "began.go").touch()
    await asyncio.gather(*long)


@pytest.mark.parametrize(("waited", "order"), [(9, "first brief long"), (11, "first long brief")])
@pooled(warm=False)
async def test_a_long_job_is_not_starved_by_those_that_come_later(
    pool, monkeypatch, tmp_path, waited, order
):
    path, now = tmp_path / "began", [100.0]
    monkeypatch.setattr(pools, "time", SimpleNamespace(monotonic=lambda: now[0]))
    tasks = []
    for word, seconds in (("first", 1), ("long", 2), ("brief", 1)):
        tasks.append(asyncio.create_task(pool.run(job(jobs.noted, path, word, seconds=seconds))))
        await (until(path.exists) if word == "first" else asyncio.sleep(0))
        now[0] += waited if word == "long" else 0
    (tmp_path / "began.go").touch()
    await asyncio.gather(*tasks)
    assert path.read_text().split() == order.split()


@pytest.mark.parametrize("warm", [True, False])
@pooled()
async def test_progress_comes_from_the_worker_with_the_seconds_left(pool, warm):
    watched, seen = [], []
    asked = asyncio.create_task(pool.run(job(jobs.steps, 20, 0.03), watched.append))
    await until(
        lambda: (
            seen.append((watched[0].done, watched[0].limit) if watched else (0, 0)) or asked.done()
        )
    )
    assert len(set(seen)) > 4
    assert seen == sorted(seen)
    assert {limit for _, limit in seen} == {0, 20}


def test_the_seconds_left_are_those_of_this_part_of_the_work(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(pools, "time", SimpleNamespace(monotonic=lambda: now[0]))
    progress, left = PendingJob(None, Future()), []
    for done, limit in ((0, 10), (4, 10), (5, 10), (0, 3), (1, 3)):
        progress.report(done, limit)
        left.append(progress.left)
        now[0] += 2
    assert left == [None, 2 * 6 / 4, 4 * 5 / 5, None, 2 * 2 / 1]


@pytest.mark.parametrize("warm", [True, False])
@pooled()
async def test_a_job_that_nobody_waits_for_is_cancelled_and_its_worker_kept(pool, warm, tmp_path):
    before = await pool.run(job(jobs.where, seconds=1))
    asked = asyncio.create_task(pool.run(job(jobs.noted, tmp_path / "began", "x", seconds=1)))
    await until((tmp_path / "began").exists)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    await until((tmp_path / "began.ended").exists)
    assert await asyncio.wait_for(pool.run(job(jobs.where, seconds=1)), PATIENCE) == before


@pooled()
async def test_a_job_that_waits_is_cancelled_before_it_begins(pool, tmp_path):
    first = asyncio.create_task(pool.run(job(jobs.noted, tmp_path / "began", "first", seconds=1)))
    await until((tmp_path / "began").exists)
    second = asyncio.create_task(pool.run(job(jobs.noted, tmp_path / "began", "second", seconds=1)))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.gather(second, return_exceptions=True)
    (tmp_path / "began.go").touch()
    await first
    await pool.run(job(jobs.doubled, 1, seconds=1))
    assert (tmp_path / "began").read_text().split() == ["first"]


@pooled()
async def test_a_worker_that_does_not_see_that_it_was_cancelled_is_replaced(pool, monkeypatch):
    monkeypatch.setattr(pools, "GRACE", 0.1)
    before = await pool.run(job(jobs.where, seconds=1))
    asked = asyncio.create_task(pool.run(job(jobs.deaf, PATIENCE, seconds=1)))
    await asyncio.sleep(0.1)
    asked.cancel()
    after = await asyncio.wait_for(pool.run(job(jobs.where, seconds=1)), PATIENCE)
    assert after not in {before, os.getpid()}
    assert not lives(before)


@pooled()
async def test_equal_jobs_are_done_once_until_nobody_waits(pool, tmp_path):
    path = tmp_path / "began"
    same = [
        asyncio.create_task(pool.run(job(jobs.noted, path, "x", seconds=1, key="x")))
        for _ in range(30)
    ]
    await until(path.exists)
    same[0].cancel()
    (tmp_path / "began.go").touch()
    assert await asyncio.gather(*same[1:]) == ["x"] * 29
    assert path.read_text().split() == ["x"]
    assert await pool.run(job(jobs.noted, path, "x", seconds=1, key="x")) == "x"
    assert path.read_text().split() == ["x", "x"]


@pooled(seconds=0.3)
async def test_what_takes_too_long_is_refused(pool):
    assert "longer than the 0 s" in await refusal(pool.run(job(jobs.steps, 10**6, 0.01)))
    assert await pool.run(job(jobs.doubled, 1)) == 2


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="elsewhere memory is looked at with progress only"
)
@pooled(memory=200_000_000)
async def test_what_takes_too_much_memory_is_refused_and_its_worker_replaced(pool):
    before = await pool.run(job(jobs.where, seconds=1))
    assert await pool.run(job(jobs.hungry, 10_000_000, seconds=1)) == 10_000_000
    assert "more memory" in await refusal(pool.run(job(jobs.hungry, 300_000_000, seconds=1)))
    assert await pool.run(job(jobs.where, seconds=1)) not in {before, os.getpid()}


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="elsewhere memory is looked at with progress only"
)
@pooled(memory=200_000_000)
async def test_a_job_that_may_take_more_memory_has_it_and_its_worker_is_replaced(pool):
    before = await pool.run(job(jobs.where, seconds=1))
    for more_memory, is_enough in ((400_000_000, True), (50_000_000, False)):
        hungry = replace(job(jobs.hungry, 300_000_000, seconds=1), more_memory=more_memory)
        if is_enough:
            assert await pool.run(hungry) == 300_000_000
        else:
            assert "more memory" in await refusal(pool.run(hungry))
        after = await pool.run(job(jobs.where, seconds=1))
        assert after not in {before, os.getpid()}
        before = after


@pooled(memory=1 << 30)
async def test_what_draws_has_the_memory_that_it_takes(pool):
    work = RunFileWork("worksheet.pdf", Settings.of(n=6), (), 0, ViewState(), Look())
    drawing = Job(RunFileWork.compute, (work,), work.seconds, more_memory=work.more_memory)
    content = payload.unpack(await pool.run(drawing))[1]["content"]
    assert zlib.decompress(content).startswith(b"%PDF")


@pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere nobody is asked which process is to end"
)
@pooled()
async def test_when_memory_is_short_a_worker_is_ended_before_its_server(pool):
    file = Path("/proc/self/oom_score_adj")
    assert await pool.run(job(jobs.expendability)) == min(int(file.read_text()) + 500, 1000)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
@pooled()
async def test_a_worker_that_is_killed_is_replaced_and_its_job_fails_in_a_sentence(pool):
    before = await pool.run(job(jobs.where, seconds=1))
    assert "was ended" in await refusal(pool.run(job(jobs.killed, seconds=1)))
    after = await pool.run(job(jobs.where, seconds=1))
    assert after not in {before, os.getpid()}
    killed = next(each for each in pool.workers if each.process.pid == after)
    os.kill(after, signal.SIGKILL)  # while it has nothing to do
    await until(lambda: killed.is_gone)
    assert await pool.run(job(jobs.where, seconds=1)) not in {after, os.getpid()}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
@pytest.mark.parametrize(
    ("function", "what"),
    [(jobs.same, jobs.Unreadable()), (jobs.same, lambda: None), (jobs.unwritten, 1)],
    ids=["read", "written", "answered"],
)
@pooled()
async def test_a_job_that_cannot_be_read_or_written_fails_in_a_sentence(pool, function, what):
    for _ in range(2):
        assert "was ended" in await refusal(pool.run(job(function, what)))
    assert await pool.run(job(jobs.doubled, 21)) == 42


@pooled()
async def test_a_pool_that_was_closed_refuses_what_is_asked(pool):
    await pool.close()
    assert await refusal(pool.run(job(jobs.doubled, 21))) == "The server is ending."


@pytest.mark.parametrize("ended", ["closed", "cancelled", "killed"])
@pooled()
async def test_a_process_that_ends_while_its_large_result_is_read_is_not_waited_for(
    pool, monkeypatch, ended
):
    """What is in the pipe of a dead process keeps neither the pool from closing nor its worker from
    another job.
    """
    half_read, go_on = threading.Event(), threading.Event()
    monkeypatch.setattr(pools, "GRACE", 0.2)
    process = pool.workers[-1].process
    monkeypatch.setattr(
        process, "stdout", ReadInParts(process.stdout, 15_000_000, half_read, go_on)
    )
    asked = asyncio.create_task(pool.run(job(jobs.sized, 30_000_000, seconds=1)))
    await until(half_read.is_set)
    if ended == "closed":
        closing = asyncio.create_task(pool.close())
        await until(lambda: process.poll() is not None)
        go_on.set()
        await asyncio.wait_for(closing, PATIENCE)
        with pytest.raises(asyncio.CancelledError):
            await asked
        return
    if ended == "cancelled":
        asked.cancel()
        await until(lambda: process.poll() is not None)
    else:
        process.kill()
    go_on.set()
    await asyncio.wait([asked], timeout=PATIENCE)
    assert asked.cancelled() if ended == "cancelled" else "was ended" in str(asked.exception())
    assert await asyncio.wait_for(pool.run(job(jobs.doubled, 1, seconds=1)), PATIENCE) == 2


class ReadInParts:
    """A pipe of which so many bytes are read, and the rest when that is allowed."""

    def __init__(self, pipe, size, is_read, go_on):
        self.pipe, self.left, self.is_read, self.go_on = pipe, size, is_read, go_on

    def read(self, size=-1):
        if size <= self.left:
            self.left -= size
            return self.pipe.read(size)
        found = self.pipe.read(self.left)
        self.is_read.set()
        self.go_on.wait(PATIENCE)
        return found + self.pipe.read(size - self.left)

    def readline(self):
        return self.pipe.readline()


@pooled()
async def test_closing_ends_a_job_that_runs(pool, tmp_path):
    asked = asyncio.create_task(pool.run(job(jobs.noted, tmp_path / "began", "x")))
    await until((tmp_path / "began").exists)
    await pool.close()
    with pytest.raises(asyncio.CancelledError):
        await asked


@pooled()
async def test_a_server_lends_its_processes_to_threads_which_do_their_jobs_themselves_where_none_is_lent(
    pool,
):
    assert threads.compute(job(jobs.where)) == os.getpid()
    with threads.lent(pool):
        assert await asyncio.to_thread(threads.compute, job(jobs.where)) != os.getpid()
        assert (
            await refusal(asyncio.to_thread(threads.compute, job(jobs.refused)))
            == "There are no points."
        )
    assert threads.compute(job(jobs.where)) == os.getpid()


SERVER = textwrap.dedent(
    """
    import asyncio, pool_jobs, signal
    from kpviz.server.pool import Job, Pool

    async def main():
        # As a web server does: Python's own handler may run only when the loop wakes for something
        # else.
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, asyncio.current_task().cancel)
        pool = Pool(workers=2)
        pool.warm()
        while not all(each.is_ready for each in pool.workers):
            await asyncio.sleep(0.01)
        busy = asyncio.create_task(pool.run(Job(pool_jobs.deaf, (60,), 1)))
        await asyncio.sleep(0.1)
        print(*(each.process.pid for each in pool.workers), flush=True)
        try:
            await busy
        finally:
            await pool.close()

    try:
        asyncio.run(main())
    except asyncio.CancelledError:
        pass
    """
)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize(
    ("ended", "is_stopped"),
    [
        (signal.SIGKILL, False),
        pytest.param(
            signal.SIGKILL,
            True,
            marks=pytest.mark.skipif(
                sys.platform != "linux", reason="elsewhere it ends when it goes on"
            ),
        ),
        (signal.SIGINT, False),
    ],
)
def test_workers_end_with_their_server_even_if_it_is_killed(ended, is_stopped):
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    workers = [int(pid) for pid in server.stdout.readline().split()]
    try:
        assert [lives(pid) for pid in workers] == [True, True]
        if is_stopped:
            for pid in workers:
                os.kill(pid, signal.SIGSTOP)
        server.send_signal(ended)
        _, complaints = server.communicate(timeout=PATIENCE)
        ends = time.monotonic() + PATIENCE
        while any(map(lives, workers)) and time.monotonic() < ends:
            time.sleep(0.02)
        assert [pid for pid in workers if lives(pid)] == []
        assert complaints == ""
    finally:
        for pid in (server.pid, *workers):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


async def begun(path, count):
    await until(lambda: path.exists() and len(path.read_text().split()) == count)


@pooled()
async def test_a_short_job_waits_for_one_that_lasts_longer_than_was_thought_no_longer_than_it_may(
    pool, monkeypatch, tmp_path
):
    monkeypatch.setattr(pools, "LONGER", 0.1)
    long, slow = tmp_path / "long", tmp_path / "slow"
    tasks = [asyncio.create_task(pool.run(job(jobs.noted, long, "long", seconds=9)))]
    await begun(long, 1)
    tasks.append(asyncio.create_task(pool.run(job(jobs.noted, slow, "slow", seconds=0.1))))
    await begun(slow, 1)  # on the worker for short jobs, until another one comes
    assert await pool.run(job(jobs.doubled, 4, seconds=0.1)) == 8
    assert not tasks[1].done()
    (tmp_path / "slow.go").touch()
    (tmp_path / "long.go").touch()
    assert await asyncio.gather(*tasks) == ["long", "slow"]
    assert slow.read_text().split() == ["slow", "slow"]  # it began anew


@pooled()
async def test_a_short_job_waits_for_one_that_hears_nothing_no_longer_either(
    pool, monkeypatch, tmp_path
):
    monkeypatch.setattr(pools, "LONGER", 0.1)
    long = tmp_path / "long"
    task = asyncio.create_task(pool.run(job(jobs.noted, long, "long", seconds=9)))
    await begun(long, 1)
    deaf = asyncio.create_task(pool.run(job(jobs.deaf, PATIENCE, seconds=0.1)))
    await until(lambda: pool.workers[0].since)
    assert await pool.run(job(jobs.doubled, 4, seconds=0.1)) == 8
    deaf.cancel()
    (tmp_path / "long.go").touch()
    assert await task == "long"


@pooled()
async def test_a_job_that_lasts_longer_than_was_thought_goes_on_while_nobody_waits_for_its_worker(
    pool, monkeypatch, tmp_path
):
    monkeypatch.setattr(pools, "LONGER", 0.01)
    assert await pool.run(job(jobs.steps, 40, 0.01, seconds=0.1)) == 40
    assert pool.done == 1


@pooled()
async def test_whoever_has_taken_least_comes_first_also_if_another_asks_on_many_connections(
    pool, tmp_path
):
    path = tmp_path / "began"
    tasks = []

    def ask(word, address, connection):
        asked = Job(jobs.noted, (path, word), 9, None, (address, connection))
        tasks.append(asyncio.create_task(pool.run(asked)))

    ask("first", "greedy", 0)
    await begun(path, 1)
    await asyncio.sleep(0.3)  # which the first visitor takes
    for connection in range(1, 5):
        ask(f"greedy{connection}", "greedy", connection)
    await asyncio.sleep(0)
    ask("modest", "modest", 5)
    await asyncio.sleep(0)
    (tmp_path / "began.go").touch()
    await asyncio.gather(*tasks)
    assert path.read_text().split()[:2] == ["first", "modest"]


def test_what_a_visitor_has_taken_counts_half_as_much_after_half_a_minute_and_is_forgotten(
    monkeypatch,
):
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(shares, "time", SimpleNamespace(monotonic=lambda: clock.now))
    taken = Shares()
    taken.add(("address", 1), 8.0)
    taken.add(("address", 2), 4.0)
    assert [taken.taken(("address", name)) for name in (1, 2, 3)] == [20.0, 16.0, 12.0]
    clock.now += 30
    assert taken.taken(("address", 1)) == 10.0
    clock.now += 3000
    for name in range(shares._MANY):
        taken.add((name,), 1.0)
    assert len(taken._taken) == shares._MANY
