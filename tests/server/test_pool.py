"""The pool of processes: who comes first, what is seen of a job, how it is cancelled, and what it may take."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pool_jobs as jobs
import pytest
from apart import awaited
from processes import lives

from kpviz.server import pool as pools
from kpviz.server.pool import Job, JobError, Pool
from kpviz.service import curve
from kpviz.service.verdict import VerdictWork
from kpviz.service.work import RunWork
from kpviz.settings import MAX_POINTS, Settings

TESTS = Path(jobs.__file__).parent
PATIENCE = 60  # s


@pytest.fixture(autouse=True)
def workers_find_the_jobs(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(TESTS), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]))


def job(function, *args, seconds=0.1, key=None):
    return Job(function, args, seconds, key)


def run(test, *, warm=True, **options):
    """Run a test that is given a pool; afterwards no process of it is left."""

    async def main():
        pool = Pool(**{"workers": 2, **options})
        try:
            if warm:
                pool.warm()
                await until(lambda: len(pool._processes) == pool._size)
            return await test(pool)
        finally:
            started = [process.pid for process in pool._processes]
            await pool.close()
            assert [pid for pid in started if lives(pid)] == []

    return awaited(main())


async def until(holds):
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends
        await asyncio.sleep(0.01)


async def refusal(asked):
    with pytest.raises(ValueError, match=r"\.$") as refused:
        await asked
    return str(refused.value)


def test_a_job_is_done_in_a_process_with_one_thread_for_linear_algebra_that_ctrl_c_passes_by():
    async def test(pool):
        assert await pool.run(job(jobs.doubled, 21)) == 42
        assert await pool.run(job(jobs.where)) != os.getpid()
        assert await pool.run(job(jobs.bounds)) == ("1", True)

    run(test)


def test_a_worker_imports_what_it_is_told_and_neither_streamlit_nor_scikit_learn():
    async def test(pool):
        loaded = await pool.run(job(jobs.loaded))
        assert "kpviz.player.payload" in loaded
        assert not loaded & {"streamlit", "sklearn", "starlette", "pandas"}

    run(test, imports=["kpviz.player.payload"])


@pytest.mark.parametrize("warm", [True, False])
def test_results_come_as_they_were_bytes_of_any_length_too(warm):
    async def test(pool):
        for result in (b"", b"\0run", bytes(range(256)) * 20_000, "words", None, [1.5, b"two"], (b"", {})):
            assert await pool.run(job(jobs.same, result)) == result

    run(test, warm=warm)


def test_before_it_is_warm_jobs_are_done_in_threads():
    async def test(pool):
        assert await pool.run(job(jobs.where)) == os.getpid()
        assert await refusal(pool.run(job(jobs.refused))) == "There are no points."

    run(test, warm=False)


def test_where_no_process_can_be_started_threads_go_on(monkeypatch, caplog):
    def fails(*_, **__):
        raise OSError("no more processes")

    monkeypatch.setattr(subprocess, "Popen", fails)

    async def test(pool):
        pool.warm()
        await asyncio.sleep(0)
        assert await pool.run(job(jobs.where)) == os.getpid()
        assert "computes in threads" in caplog.text

    run(test, warm=False)


def test_a_refusal_comes_as_its_sentence_and_a_fault_as_an_error_with_its_traceback():
    async def test(pool):
        assert await refusal(pool.run(job(jobs.refused))) == "There are no points."
        with pytest.raises(JobError, match=r"(?s)Traceback.*ZeroDivisionError"):
            await pool.run(job(jobs.broken))
        assert await pool.run(job(jobs.printing)) == "done"

    run(test)


def test_least_work_comes_first_and_those_who_wait_know_their_place(tmp_path):
    path, places = tmp_path / "began", []

    async def test(pool):
        begun = asyncio.create_task(pool.run(job(jobs.noted, path, "first", seconds=1)))
        await until(path.exists)
        long = asyncio.create_task(pool.run(job(jobs.noted, path, "long", seconds=9), lambda p: places.append(p.place)))
        brief = asyncio.create_task(pool.run(job(jobs.noted, path, "brief", seconds=3)))
        await asyncio.sleep(0)
        (tmp_path / "began.go").touch()
        await asyncio.gather(begun, long, brief)
        assert path.read_text().split() == ["first", "brief", "long"]
        assert [place for place, before in zip(places, [0, *places], strict=False) if place != before] == [
            1,
            2,
            1,
            None,
        ]

    run(test)


def test_of_all_that_waits_a_verdict_comes_last(tmp_path):
    path = tmp_path / "began"
    longest = Settings.of(learner="svm", n=MAX_POINTS, epochs=1000)
    light, long = VerdictWork(RunWork.of(Settings.of(n=4), ())), RunWork.of(longest, {"bound"})
    (point, *_) = curve._works(longest, "noise", 20)
    works = {"verdict": light, "curve": point, "long": long}

    async def test(pool):
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

    run(test)


def test_long_jobs_leave_a_worker_to_the_short_ones(tmp_path):
    async def test(pool):
        long = [asyncio.create_task(pool.run(job(jobs.noted, tmp_path / "began", k, seconds=5))) for k in range(4)]
        await until((tmp_path / "began").exists)
        assert await asyncio.wait_for(pool.run(job(jobs.doubled, 1, seconds=0.01)), PATIENCE) == 2
        assert not any(task.done() for task in long)
        (tmp_path / "began.go").touch()
        await asyncio.gather(*long)

    run(test)


def test_a_long_job_is_not_starved_by_those_that_come_later():
    def urgency(seconds, waited):
        return -waited + pools._YIELD * seconds

    assert urgency(2, waited=0) > urgency(1, waited=0)
    assert urgency(2, waited=11) < urgency(1, waited=0)


@pytest.mark.parametrize("warm", [True, False])
def test_progress_comes_from_the_worker_with_the_seconds_left(warm):
    seen = []

    async def test(pool):
        await pool.run(job(jobs.steps, 20, 0.03), seen.append)
        done = [progress.done for progress in seen]
        assert len(done) > 4
        assert done == sorted(done)
        assert {progress.limit for progress in seen} == {0, 20}
        assert 0 < seen[-1].left < 0.6

    run(test, warm=warm)


@pytest.mark.parametrize("warm", [True, False])
def test_a_job_that_nobody_waits_for_is_cancelled_and_its_worker_kept(warm, tmp_path):
    async def test(pool):
        before = await pool.run(job(jobs.where, seconds=1))
        asked = asyncio.create_task(pool.run(job(jobs.noted, tmp_path / "began", "x", seconds=1)))
        await until((tmp_path / "began").exists)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert await asyncio.wait_for(pool.run(job(jobs.where, seconds=1)), PATIENCE) == before

    run(test, warm=warm)


def test_a_job_that_waits_is_cancelled_before_it_begins(tmp_path):
    async def test(pool):
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

    run(test)


def test_a_worker_that_does_not_see_that_it_was_cancelled_is_replaced(monkeypatch):
    monkeypatch.setattr(pools, "GRACE", 0.1)

    async def test(pool):
        before = await pool.run(job(jobs.where, seconds=1))
        asked = asyncio.create_task(pool.run(job(jobs.deaf, PATIENCE, seconds=1)))
        await asyncio.sleep(0.1)
        asked.cancel()
        after = await asyncio.wait_for(pool.run(job(jobs.where, seconds=1)), PATIENCE)
        assert after not in {before, os.getpid()}
        assert not lives(before)

    run(test)


def test_equal_jobs_are_done_once_until_nobody_waits(tmp_path):
    path = tmp_path / "began"

    async def test(pool):
        same = [asyncio.create_task(pool.run(job(jobs.noted, path, "x", seconds=1, key="x"))) for _ in range(30)]
        await until(path.exists)
        same[0].cancel()
        (tmp_path / "began.go").touch()
        assert await asyncio.gather(*same[1:]) == ["x"] * 29
        assert path.read_text().split() == ["x"]
        assert await pool.run(job(jobs.noted, path, "x", seconds=1, key="x")) == "x"
        assert path.read_text().split() == ["x", "x"]

    run(test)


def test_what_takes_too_long_is_refused():
    async def test(pool):
        assert "longer than the 0 s" in await refusal(pool.run(job(jobs.steps, 10**6, 0.01)))
        assert await pool.run(job(jobs.doubled, 1)) == 2

    run(test, seconds=0.3)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere memory is looked at with progress only")
def test_what_takes_too_much_memory_is_refused_and_its_worker_replaced():
    async def test(pool):
        before = await pool.run(job(jobs.where, seconds=1))
        assert await pool.run(job(jobs.hungry, 10_000_000, seconds=1)) == 10_000_000
        assert "more memory" in await refusal(pool.run(job(jobs.hungry, 300_000_000, seconds=1)))
        assert await pool.run(job(jobs.where, seconds=1)) not in {before, os.getpid()}

    run(test, memory=200_000_000)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_a_worker_that_is_killed_is_replaced_and_its_job_fails_in_a_sentence():
    async def test(pool):
        before = await pool.run(job(jobs.where, seconds=1))
        assert "was ended" in await refusal(pool.run(job(jobs.killed, seconds=1)))
        after = await pool.run(job(jobs.where, seconds=1))
        assert after not in {before, os.getpid()}
        killed = next(process for process in pool._processes if process.pid == after)
        os.kill(after, signal.SIGKILL)  # while it has nothing to do
        await until(lambda: killed.is_gone)
        assert await pool.run(job(jobs.where, seconds=1)) not in {after, os.getpid()}

    run(test)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
@pytest.mark.parametrize("ended", ["closed", "cancelled", "killed"])
def test_a_process_that_ends_while_its_large_result_is_read_is_not_waited_for(monkeypatch, ended):
    """What is in the pipe of a dead process keeps neither the pool from closing nor its place from another job."""
    read, go_on = threading.Event(), threading.Event()
    answer = pools._Process._answer

    def reads_slowly(process):
        if process.quick or not busy:
            return answer(process)
        read.set()  # of a result much larger than a pipe holds nothing is read yet
        go_on.wait(PATIENCE)
        return answer(process)

    busy = []
    monkeypatch.setattr(pools._Process, "_answer", reads_slowly)
    monkeypatch.setattr(pools, "GRACE", 0.2)

    async def test(pool):
        long = pool._processes[-1]
        busy.append(long)
        asked = asyncio.create_task(pool.run(job(jobs.sized, 200_000_000, seconds=1)))
        await until(read.is_set)
        await asyncio.sleep(0.5)  # it sends
        if ended == "closed":
            closing = asyncio.create_task(pool.close())
            await until(lambda: long.is_gone)
            go_on.set()
            await asyncio.wait_for(closing, PATIENCE)
            with pytest.raises(asyncio.CancelledError):
                await asked
            return
        if ended == "cancelled":
            asked.cancel()
            await until(lambda: long.is_gone)
        else:
            os.kill(long.pid, signal.SIGKILL)
        busy.clear()
        go_on.set()
        await asyncio.wait([asked])
        assert asked.cancelled() if ended == "cancelled" else "was ended" in str(asked.exception())
        assert await asyncio.wait_for(pool.run(job(jobs.doubled, 1, seconds=1)), PATIENCE) == 2

    run(test)


def test_closing_ends_a_job_that_runs(tmp_path):
    async def test(pool):
        asked = asyncio.create_task(pool.run(job(jobs.noted, tmp_path / "began", "x")))
        await until((tmp_path / "began").exists)
        await pool.close()
        with pytest.raises(asyncio.CancelledError):
            await asked

    run(test)


SERVER = textwrap.dedent(
    """
    import asyncio, pool_jobs
    from kpviz.server.pool import Job, Pool

    async def main():
        pool = Pool(workers=2)
        pool.warm()
        while len(pool._processes) < 2:
            await asyncio.sleep(0.01)
        busy = asyncio.create_task(pool.run(Job(pool_jobs.deaf, (60,), 1)))
        await asyncio.sleep(0.1)
        print(*(process.pid for process in pool._processes), flush=True)
        try:
            await busy
        finally:
            await pool.close()

    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
    """
)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("ended", [signal.SIGKILL, signal.SIGINT])
def test_workers_end_with_their_server_even_if_it_is_killed(ended):
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    workers = [int(pid) for pid in server.stdout.readline().split()]
    try:
        assert [lives(pid) for pid in workers] == [True, True]
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
