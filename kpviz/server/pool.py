"""A pool of warm processes that train and pack runs, so that the server's event loop stays free.

Until the first process is ready, threads do.

A thread of the server waits for what a process (kpviz/processes.py) answers. Its limits and its
urgency are those of the server; pebble would kill a process to cancel a job.

Tests: tests/server/test_pool.py.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import sys
import time
from collections.abc import Callable, Coroutine, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from kpviz import processes
from kpviz.processes import JobCancelledError
from kpviz.server.shares import Shares

SHORT = 0.2  # In seconds: a job may take so long for the process that is kept free for such jobs.
# In seconds: such a job lasted longer than was thought, and makes room for others.
LONGER = 1.0
HASTE = 0.25  # In seconds: a process must see in this time that its job makes room.
GRACE = 2.0  # In seconds: a process must see in this time that its job was cancelled.
# A job lets pass what comes within so many times its own seconds, and is not starved by more.
_YIELD = 10.0
_MOST = 8  # In processes, each of some 100 MB.
_NICENESS = 5  # A process is nice: the server comes first.
_REMEDY = "choose fewer points or epochs"
_TOO_LONG = "This takes longer than the {:.0f} s that the server gives to one request: {}."
_WHY = {
    MemoryError: "This takes more memory than the server gives to one request: {}.",
    EOFError: "The process that computed this was ended: try again, or {}.",
}


@dataclass(frozen=True)
class Job:
    """Work for a process: `function(*args, progress)`.

    progress(done, limit) raises once it is cancelled.
    """

    # A function of a module; its ValueError says in one sentence why it cannot be done.
    function: Callable[..., Any]
    args: tuple[Any, ...]
    seconds: float  # An estimate of its duration, from above.
    # Jobs of the same key that are asked for at the same time are done once.
    key: Hashable | None = None
    visitor: tuple[Hashable, ...] = ()  # `Shares` knows by these names who asks.
    # What to do where it takes too long or too much memory, as the end of a sentence.
    remedy: str = _REMEDY
    # In bytes: it may take so much besides that of any job, and the process is replaced afterwards.
    more_memory: int = 0


@dataclass(eq=False)
class PendingJob:
    """A job that was asked for, and its place among those that wait, from 1, None once it runs."""

    job: Job
    result: asyncio.Future[Any]
    urgency: float = 0.0
    place: int | None = 1
    done: int = 0
    limit: int = 0
    since: float = 0.0  # The time when this part of the work began.
    asked_at: float = field(default_factory=time.monotonic)
    waiters: int = 0
    visitors: list[tuple[Hashable, ...]] = field(default_factory=list)  # Those who asked for it.
    is_short: bool = True  # A job that nothing is known of counts as short.

    def report(self, done: int, limit: int) -> None:
        """Note how far it is, as long as anybody waits.

        A limit that changes begins another part of the work.
        """
        if self.result.done():
            raise JobCancelledError
        if limit != self.limit or done < self.done:
            self.since = time.monotonic()
        self.done = done
        self.limit = limit

    @property
    def left(self) -> float | None:
        """How many seconds are left, None if unknown."""
        done = self.done  # Another thread reports.
        return (time.monotonic() - self.since) * (self.limit - done) / done if done else None

    def settle(self, outcome: Any) -> None:
        """Give all who wait a result, or an error in place of it, unless they had one before."""
        if not self.result.done():
            (
                self.result.set_exception
                if isinstance(outcome, Exception)
                else self.result.set_result
            )(outcome)


class _Worker:
    """Does one job at a time: in a thread of the server, or in a process once that is ready."""

    is_ready = False
    is_awaited = False  # It is, while its process is to start, or starts.
    # In seconds: the time when it was given the job that it does, 0 if it does none.
    since = 0.0
    process: Any = None

    def start(self, imports: Sequence[str], memory: int) -> None:
        """Start a process, and return when it has imported what it needs.

        OSError: none can be started.
        """
        self.is_ready = False
        self.process = processes.start(imports, memory=memory, niceness=_NICENESS)
        if isinstance(processes.answer(self.process)[1], EOFError):
            raise OSError("it ended at once")
        self.is_ready = True

    def perform(self, pending: PendingJob) -> Any:
        """Do a job; return its result or its error, EOFError if the process has ended."""
        if not self.is_ready:
            return processes.outcome(pending.job.function, *pending.job.args, pending.report)
        job = pending.job
        return processes.perform(
            self.process, job.function, job.args, pending.report, job.more_memory
        )

    def cancel(self) -> None:
        """Let the job that the process does end at its next call of progress."""
        if self.is_ready:
            processes.send(self.process, None)

    @property
    def is_gone(self) -> bool:
        return bool(self.is_ready and self.process.poll() is not None)

    def kill(self) -> None:
        if self.process is not None:  # A thread goes on, and nobody listens to it.
            self.process.kill()
            self.process.wait()


class Pool:
    """Does jobs in threads until `warm` is called, then in as many processes as processors.

    There are at least 2.

    A job of which nobody knows how long it takes, as its `seconds` are infinite, waits for a
    process: in a thread of the server it would hold up everybody.

    One worker is for short jobs alone, so that nobody who turns a knob waits for another's long
    run; a job that lasts longer there than was thought makes room, and begins anew as a long one.
    Of those who wait, whoever has taken least of the workers' time comes first. A process imports
    the modules `imports` before its first job, which may take so many `seconds`, and, on Linux,
    bytes of `memory`.
    """

    def __init__(
        self,
        imports: Sequence[str] = (),
        *,
        workers: int | None = None,
        seconds: float = 180,
        memory: int = 1 << 30,
    ) -> None:
        self._imports = imports
        self.seconds = seconds
        self._memory = memory
        processors = (
            len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
        )
        size = max(2, min(processors, _MOST) if workers is None else workers)
        self.workers = [_Worker() for _ in range(size)]  # The first is for short jobs.
        self._threads = ThreadPoolExecutor(4 * size)
        self.pending: list[PendingJob] = []
        self._shares = Shares()
        self._tasks: set[asyncio.Task[None]] = set()
        self._warming = False
        self.done = 0  # So many jobs are done.

    async def run(self, job: Job, watch: Callable[[PendingJob], object] = lambda _: None) -> Any:
        """Return the result of a job, or raise the ValueError, of one sentence, why there is none.

        Whatever else it raises comes as a RuntimeError with its traceback. To cancel the task that
        waits cancels it.
        """
        if not self.workers:
            raise ValueError("The server is ending.")
        pending = next(
            (other for other in self.pending if other.job.key == job.key is not None), None
        )
        if pending is None:
            urgency = time.monotonic() + _YIELD * job.seconds
            pending = PendingJob(
                job,
                asyncio.get_running_loop().create_future(),
                urgency,
                is_short=job.seconds < SHORT,
            )
            pending.visitors.append(job.visitor)
            self.pending.append(pending)
            if job.seconds == math.inf:
                self.warm()
            self._assign()
        else:
            pending.visitors.append(job.visitor)
        watch(pending)
        pending.waiters += 1
        try:
            return await asyncio.shield(pending.result)
        finally:
            pending.waiters -= 1
            if not pending.waiters:
                self.pending.remove(pending)
                pending.result.cancel()
                self._assign()

    def warm(self) -> None:
        """Start the processes, one after the other."""
        if not self._warming:
            self._warming = True
            for worker in self.workers:
                worker.is_awaited = True
            self._begin(self._start(*self.workers))

    async def close(self) -> None:
        """End all processes, and whatever they were doing; none will be started again."""
        workers = self.workers
        self.workers = []
        for worker in workers:
            worker.kill()
        for waiting in (*(pending.result for pending in self.pending), *self._tasks):
            waiting.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _assign(self) -> None:
        """Give jobs to the workers that are free, the one for short jobs first.

        The others wait in a row.
        """
        waiting = sorted(
            (pending for pending in self.pending if pending.place and not pending.result.done()),
            key=self._turn,
        )
        for k, worker in enumerate(self.workers):
            fitting = (
                pending
                for pending in waiting
                if (k or pending.is_short)
                and not (worker.is_awaited and pending.job.seconds == math.inf)
            )
            pending = None if worker.since else next(fitting, None)
            if pending is not None:
                waiting.remove(pending)
                pending.place = None
                worker.since = time.monotonic()
                self._begin(self._work(pending, worker))
        for place, pending in enumerate(waiting, start=1):
            pending.place = place

    def _turn(self, pending: PendingJob) -> float:
        """Return the rank of a job, whose least comes first: each counts as if it had come later by
        what its visitor has taken.
        """
        return pending.urgency + _YIELD * min(
            self._shares.taken(visitor) for visitor in pending.visitors
        )

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.add(task := asyncio.create_task(work))
        task.add_done_callback(self._tasks.discard)

    async def _start(self, *workers: _Worker) -> None:
        for worker in workers:
            try:
                await asyncio.wrap_future(
                    self._threads.submit(worker.start, self._imports, self._memory)
                )
            except OSError as error:
                logging.getLogger(__name__).warning(
                    "No process can be started (%s): jobs are done in threads.", error
                )
            worker.is_awaited = False
            self._assign()

    async def _work(self, pending: PendingJob, worker: _Worker) -> None:
        """Do a job within its time, or until nobody waits for it.

        A process that does not hear of that is replaced.
        """
        if worker.is_gone:  # It was ended while it had nothing to do.
            await self._start(worker)
        work = asyncio.get_running_loop().run_in_executor(self._threads, worker.perform, pending)
        if await self._must_make_room(work, pending, worker):
            await self._make_room(work, pending, worker)
            return
        if not work.done():
            pending.settle(ValueError(_TOO_LONG.format(self.seconds, pending.job.remedy)))
            worker.cancel()
            await asyncio.wait({work}, timeout=GRACE)
        outcome = work.result() if work.done() and not work.exception() else EOFError()
        why = _WHY.get(type(outcome))
        if why:
            outcome = ValueError(why.format(pending.job.remedy))
        if why or pending.job.more_memory:  # Else it would keep what such a job has loaded.
            worker.kill()
        pending.settle(outcome)
        self._count(pending, worker)
        self.done += 1
        if worker.is_gone:
            await self._start(worker)
        worker.since = 0.0
        self._assign()

    async def _must_make_room(
        self, work: asyncio.Future[Any], pending: PendingJob, worker: _Worker
    ) -> bool:
        """Wait until a job is done, given up, or out of time.

        Return whether it is to make room for another before.
        """
        ends = time.monotonic() + self.seconds
        is_for_short = worker is self.workers[0] and worker.is_ready
        patience = LONGER if is_for_short else self.seconds
        while not work.done() and not pending.result.done() and time.monotonic() < ends:
            await asyncio.wait(
                {work, pending.result}, timeout=patience, return_when=asyncio.FIRST_COMPLETED
            )
            if work.done() or pending.result.done():
                break
            if is_for_short and any(other.place and other.is_short for other in self.pending):
                return True
            patience = HASTE
        return False

    async def _make_room(
        self, work: asyncio.Future[Any], pending: PendingJob, worker: _Worker
    ) -> None:
        """Take a job from the worker for short ones, and let it wait for another worker."""
        worker.cancel()
        await asyncio.wait({work}, timeout=HASTE)
        if not work.done():
            worker.kill()
            # Its thread must not read what the next process answers.
            await asyncio.wait({work}, timeout=GRACE)
        self._count(pending, worker)
        if (
            work.done()
            and not work.exception()
            and not isinstance(work.result(), JobCancelledError | EOFError)
        ):
            pending.settle(work.result())  # It was just done.
            self.done += 1
        pending.is_short = False
        pending.place = 1
        pending.done = 0
        if worker.is_gone:
            await self._start(worker)
        worker.since = 0.0
        self._assign()

    def _count(self, pending: PendingJob, worker: _Worker) -> None:
        """Count the time of a job for all who asked for it."""
        seconds = time.monotonic() - worker.since
        for visitor in set(pending.visitors):
            self._shares.add(visitor, seconds / len(set(pending.visitors)))
