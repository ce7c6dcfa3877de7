"""The run service under load: a class that asks all at once, a neighbour with long runs, and
sessions that rest.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import statistics
import time
from collections.abc import AsyncIterator, Sequence

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.browser import resident, server, wait_until_up
from benchmarks.timing import full, line
from kpviz.player import payload

_NOISY = "v=1&data=blobs&n={n}&noise=0.4&flipped=0.05&sigma=0.2"
_HEAVIEST = tuple(
    f"v=1&data=blobs&n=1000&noise=0.5&flipped=0.5&{heavy}"
    for heavy in (
        "kernel=laplacian&sigma=2&epochs=1000",
        "learner=svm&C=100",
        "learner=logistic&epochs=1000",
        "learner=forgetron&epochs=1000&predictor=averaged",
    )
)
_EVERY = 2.0  # In seconds: the time between two changes of a session.
_WARM = 8.0  # In seconds: by then the processes have started.
_PACE = 0.25  # In seconds: the time between two changes of the session with heavy neighbours.

_seeds = itertools.count(1)  # No run is asked for twice.


class Session:
    """Asks as a page does, and waits for each answer."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._number = 0

    async def change(self, link: str) -> float:
        """Draw new data, as the page does at a key; return the seconds until the answer
        is there.
        """
        self._number += 1
        command = {"name": "set", "value": {"seed": next(_seeds)}}
        question = {
            "n": self._number,
            "page": "play",
            "link": link,
            "commands": [command],
            "asked": [],
            "shown": True,
        }
        began = time.perf_counter()
        await self._socket.send(json.dumps(question))
        answer = await self._socket.recv()
        while isinstance(answer, str):  # Texts tell of the progress.
            answer = await self._socket.recv()
        took = time.perf_counter() - began
        header, _ = payload.unpack(answer)
        if header.get("failed") is not None or not header.get("runs"):
            raise RuntimeError(f"{link} is answered by {header}")
        return took


@contextlib.asynccontextmanager
async def sessions(address: str, number: int) -> AsyncIterator[list[Session]]:
    """Open so many connections."""
    url = f"{address.replace('http', 'ws', 1)}/kpviz/service"
    async with contextlib.AsyncExitStack() as stack:
        opened = [
            await stack.enter_async_context(connect(url, max_size=None, proxy=None))
            for _ in range(number)
        ]
        yield [Session(socket) for socket in opened]


async def points(address: str) -> None:
    """One session alone, from its question to the answer."""
    async with sessions(address, 1) as (session,):
        for n in full((60, 200, 1000), (60,)):
            taken = [await session.change(_NOISY.format(n=n)) for _ in range(full(31, 2))]
            line(
                f"question to answer, {n} points",
                _milliseconds(statistics.median(taken)),
                f"p95 {_p95(taken)}",
            )


async def crowd(address: str, number: int) -> None:
    """So many sessions, each with a change every two seconds."""
    link = _NOISY.format(n=200)
    rounds = full(10, 1)

    async def one(session: Session, offset: float) -> list[float]:
        taken = []
        await asyncio.sleep(offset)
        for _ in range(rounds):
            taken.append(await session.change(link))
            await asyncio.sleep(max(_EVERY - taken[-1], 0.0))
        return taken

    async with sessions(address, number) as opened:
        visits = [one(session, k * _EVERY / number) for k, session in enumerate(opened)]
        taken = list(itertools.chain.from_iterable(await asyncio.gather(*visits)))
    what = f"{number} sessions, 200 points, a change every 2 s: p95"
    line(what, _p95(taken), f"median {_milliseconds(statistics.median(taken))}")


async def neighbours(address: str) -> None:
    """One session beside four that ask for the heaviest runs there are, without end."""
    link = _NOISY.format(n=200)
    changes = full(60, 2)
    async with sessions(address, 5) as (session, *others):

        async def turning() -> list[float]:
            taken = []
            for _ in range(changes):
                taken.append(await session.change(link))
                await asyncio.sleep(_PACE)
            return taken

        async def without_end(other: Session, heavy: str) -> None:
            while True:
                await other.change(heavy)

        alone = await turning()
        heavy = [
            asyncio.ensure_future(without_end(*pair))
            for pair in zip(others, _HEAVIEST, strict=True)
        ]
        await asyncio.sleep(full(2.0, 0.1))
        durations = await turning()
        for task in heavy:
            task.cancel()
        ended = await asyncio.gather(*heavy, return_exceptions=True)
    refused = [error for error in ended if isinstance(error, RuntimeError)]
    line("one session alone: p95", _p95(alone), f"median {_milliseconds(statistics.median(alone))}")
    note = f"median {_milliseconds(statistics.median(durations))}, {len(refused)} refused"
    line("  beside four with the heaviest runs: p95", _p95(durations), note)


async def resting(address: str, pid: int) -> None:
    """Memory of sessions that have asked once."""
    number = full(100, 2)
    link = _NOISY.format(n=60)
    before = resident(pid)
    async with sessions(address, number) as opened:
        connected = resident(pid) - before
        for session in opened:
            await session.change(link)
        growth = resident(pid) - before
    line(
        "memory of a session on the server",
        f"{growth / number / 1e6:.2f} MB",
        _of(connected, number),
        "≤ 1 MB",
    )


def _of(connected: float, number: int) -> str:
    return f"{connected / number / 1e6:.2f} MB before it asks"


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.0f} ms"


def _p95(taken: Sequence[float]) -> str:
    ordered = sorted(taken)
    return _milliseconds(ordered[min(round(0.95 * len(ordered)), len(ordered) - 1)])


def main() -> None:
    """Print the table."""
    with server() as (address, _, pid):
        wait_until_up(address)

        async def all_of_it() -> None:
            async with sessions(address, 1) as (first,):
                await first.change(_NOISY.format(n=60))
            await asyncio.sleep(full(_WARM, 0.0))
            # This comes first: later, what others have left would be used again.
            if os.path.exists("/proc/self/statm"):
                await resting(address, pid)
            await points(address)
            for number in full((50, 100, 200), (3,)):
                await crowd(address, number)
            await neighbours(address)

        asyncio.run(all_of_it())
