"""A pool of warm processes that train and pack runs, so that the server's event loop stays free.

The libraries at hand do not do this plainly: in loky and concurrent.futures a job that runs can neither be cancelled
nor watched; pebble cancels it by killing its process, and the next one takes a second to start, at every drag of a
slider. All three serve in turn. A process is started by a command of its own, since multiprocessing would import
Streamlit's main module in each.

Jobs wait by how long they may take. A worker is kept for the short ones, so that nobody who turns a knob waits for
another's long run; a job there that takes longer than it was thought to is begun again elsewhere when others wait.
"""

from __future__ import annotations

import asyncio
import bisect
import logging
import os
import sys
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kpviz.server.jobs import JobCancelledError
from kpviz.server.workers import GoneError, ProcessWorker, ThreadWorker, TooLargeError, Worker

_LOG = logging.getLogger(__name__)

SHORT = 0.2  # seconds that a job may take for the worker that is kept free
OVERDUE = 1.0  # seconds after which it must make room there for others
GRACE = 2.0  # seconds in which a worker must see that its job was cancelled
_YIELD = 10.0  # a job lets pass what comes within so many times its own seconds, and is not starved by more
_MOST = 8  # processes, each of some 100 MB
_TOO_LONG = "This takes longer than the {:.0f} s that the server gives to one request: choose fewer points or epochs."


@dataclass(frozen=True)
class Job:
    """Work for a process: `function(*args, progress)`, where progress(done, limit) raises once it is cancelled.

    Attributes
    ----------
    function : a function of a module; ValueError says in one sentence why it cannot be done.
    seconds : an estimate of its duration.
    key : jobs of the same key that are asked for at the same time are done once; None is done for itself.
    """

    function: Callable[..., Any]
    args: tuple[Any, ...]
    seconds: float
    key: Hashable | None = None


@dataclass(frozen=True)
class Progress:
    """How far a job is: its place among those that wait, from 1, None once it runs; seconds left, None if unknown."""

    done: int = 0
    limit: int = 0
    place: int | None = None
    left: float | None = None


Watch = Callable[[Progress], None]


class _Flight:
    """A job on its way, and those who wait for it."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.urgency = time.monotonic() + _YIELD * job.seconds
        self.result: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.watches: list[Watch] = []
        self.progress = Progress()
        self.is_short = job.seconds < SHORT
        self._since = 0.0

    def tell(self, progress: Progress) -> None:
        """Tell all who watch."""
        if progress != self.progress:
            self.progress = progress
            for watch in self.watches:
                watch(progress)

    def report(self, done: int, limit: int) -> None:
        """Tell how far it is; a limit that changes begins another part of the work."""
        now = time.monotonic()
        if limit != self.progress.limit or done < self.progress.done:
            self._since = now
            self.tell(Progress(done, limit))
        else:
            share = done / limit if limit else 0.0
            self.tell(Progress(done, limit, left=(now - self._since) * (1 - share) / share if share else None))


class _Seat:
    """A place for a worker, which may be replaced."""

    def __init__(self, *, quick: bool) -> None:
        self.quick = quick
        self.worker: Worker = ThreadWorker()
        self.turn: asyncio.Future[_Flight] | None = None  # while it is free

    def takes(self, flight: _Flight) -> bool:
        return flight.is_short or not self.quick


class Pool:
    """Does jobs in threads until `warm` is called, then in as many processes as there are processors, at least 2.

    Parameters
    ----------
    imports : names of modules that a process imports before its first job.
    workers : how many processes; None: as many as processors.
    seconds, memory : what one job may take; memory in bytes, and in processes only.
    """

    def __init__(
        self, imports: Sequence[str] = (), *, workers: int | None = None, seconds: float = 180, memory: int = 1 << 30
    ) -> None:
        self._imports, self._seconds, self._memory = imports, seconds, memory
        self._size = max(2, min(_processors(), _MOST) if workers is None else workers)
        self._seats: list[_Seat] = []
        self._waiting: list[_Flight] = []
        self._flights: dict[Hashable, _Flight] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._processes: set[ProcessWorker] = set()
        self._warming = False

    async def run(self, job: Job, progress: Watch | None = None) -> Any:
        """Return the result of a job; cancel the task that waits for it to cancel the job.

        Raises
        ------
        ValueError
            Of one sentence: the job refused, took too long or too much memory, or its process was ended.
        JobError
            The job raised anything else.
        """
        flight = self._flights.get(job.key) or self._new(job)
        watch = progress or (lambda _: None)
        flight.watches.append(watch)
        watch(flight.progress)
        try:
            return await asyncio.shield(flight.result)
        finally:
            flight.watches.remove(watch)
            if not flight.watches:
                self._drop(flight)

    def warm(self) -> None:
        """Start the processes, one after the other."""
        if not self._warming:
            self._warming = True
            self._begin(self._warm())

    async def close(self) -> None:
        """End all processes, and whatever they were doing; none will be started again."""
        self._warming = True
        for task in self._tasks:
            task.cancel()
        for worker in self._processes:
            worker.kill()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(worker.wait() for worker in self._processes))
        self._processes.clear()
        for flight in self._waiting:
            flight.result.cancel()

    # ---- who waits ----------------------------------------------------------------------------------

    def _new(self, job: Job) -> _Flight:
        while len(self._seats) < 2:
            self._open()
        flight = _Flight(job)
        if job.key is not None:
            self._flights[job.key] = flight
        self._queue(flight)
        return flight

    def _queue(self, flight: _Flight) -> None:
        bisect.insort(self._waiting, flight, key=lambda waiting: waiting.urgency)
        self._assign()

    def _drop(self, flight: _Flight) -> None:
        if self._flights.get(flight.job.key) is flight:
            del self._flights[flight.job.key]
        flight.result.cancel()
        if flight in self._waiting:
            self._waiting.remove(flight)
            self._tell_places()

    def _assign(self) -> None:
        """Give jobs to seats that are free, the one for short jobs first."""
        for seat in self._seats:
            if seat.turn is None or seat.turn.done():
                continue
            flight = next((flight for flight in self._waiting if seat.takes(flight)), None)
            if flight is not None:
                self._waiting.remove(flight)
                flight.tell(Progress())
                seat.turn.set_result(flight)
        self._tell_places()

    def _tell_places(self) -> None:
        for place, flight in enumerate(self._waiting, start=1):
            flight.tell(replace(flight.progress, place=place))

    # ---- who works ----------------------------------------------------------------------------------

    def _begin(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _open(self) -> _Seat:
        seat = _Seat(quick=not self._seats)
        seat.turn = asyncio.get_running_loop().create_future()
        self._seats.append(seat)
        self._begin(self._serve(seat))
        return seat

    async def _warm(self) -> None:
        for number in range(self._size):
            worker = await self._started(quick=number == 0)
            if worker is None:
                return
            seat = self._seats[number] if number < len(self._seats) else self._open()
            seat.worker = worker

    async def _started(self, *, quick: bool) -> ProcessWorker | None:
        try:
            worker = await ProcessWorker.start(self._imports, self._memory, quick=quick)
        except (OSError, GoneError, NotImplementedError) as error:
            _LOG.warning("No process can be started beside the server (%s): it computes in threads.", error)
            return None
        self._processes.add(worker)
        return worker

    async def _serve(self, seat: _Seat) -> None:
        """Do job after job at a seat."""
        while True:
            seat.turn = seat.turn or asyncio.get_running_loop().create_future()
            self._assign()
            flight = await seat.turn
            if seat.worker.is_gone:
                await self._replace(seat, seat.worker)
            worker = seat.worker
            if not await self._perform(seat, worker, flight):
                await self._replace(seat, worker)
            seat.turn = None

    async def _perform(self, seat: _Seat, worker: Worker, flight: _Flight) -> bool:
        """Let a worker do a job, within its time; return whether it can do another."""
        work = asyncio.ensure_future(worker.perform(flight.job.function, flight.job.args, flight.report))
        try:
            makes_room = await self._makes_room(seat, work, flight)
            if not work.done():
                if not makes_room:
                    _settle(flight, ValueError(_TOO_LONG.format(self._seconds)))
                worker.cancel()
                await asyncio.wait({work}, timeout=GRACE)
            error = work.exception() if work.done() else None
            if makes_room and (not work.done() or isinstance(error, JobCancelledError)):
                if not flight.result.done():
                    flight.is_short = False
                    self._queue(flight)
            elif work.done():
                _settle(flight, work.result() if error is None else error)
            return work.done() and not isinstance(error, GoneError | TooLargeError)
        except asyncio.CancelledError:  # the pool is being closed
            flight.result.cancel()
            raise
        finally:
            work.cancel()

    async def _makes_room(self, seat: _Seat, work: asyncio.Future[Any], flight: _Flight) -> bool:
        """Return True when others must wait too long for a job, False when it is done, out of time, or of no use."""
        ends = time.monotonic() + self._seconds
        while (left := ends - time.monotonic()) > 0:
            await asyncio.wait({work, flight.result}, timeout=min(left, OVERDUE), return_when=asyncio.FIRST_COMPLETED)
            if work.done() or flight.result.done():
                return False
            if seat.quick and any(waiting.is_short for waiting in self._waiting):
                return True
        return False

    async def _replace(self, seat: _Seat, worker: Worker) -> None:
        """Put another worker in the place of one that is gone, or that does not listen."""
        worker.kill()
        started: Worker | None = None
        if isinstance(worker, ProcessWorker):
            await worker.wait()
            self._processes.discard(worker)
            started = await self._started(quick=seat.quick)
        if seat.worker is worker:
            seat.worker = started or ThreadWorker()


def _settle(flight: _Flight, outcome: Any) -> None:
    """Give a job's result, or what came in place of it, to those who wait."""
    if flight.result.done():
        return
    if isinstance(outcome, BaseException):
        flight.result.set_exception(outcome)
    else:
        flight.result.set_result(outcome)


def _processors() -> int:
    """Return how many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
