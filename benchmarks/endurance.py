"""Half an hour of a class whose tabs come and go: whether the memory grows. Runs only when it is
named, on Linux.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import statistics
import time
from collections.abc import AsyncIterator

from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.asyncio.client import connect

from benchmarks.browser import resident, server, wait_until_up
from benchmarks.service import Session, sessions
from benchmarks.timing import full, line

_TABS = 100
_MINUTES = 30
_STAYS = 60.0  # In seconds: a tab is open so long, on average.
_PAUSE = 10.0  # In seconds: so much time is between two of its changes, on average.
_LINK = "v=1&data=blobs&n=200&noise=0.4&flipped=0.05&sigma=0.2"


@contextlib.asynccontextmanager
async def tab(address: str) -> AsyncIterator[Session]:
    """Open what a tab of the browser opens: Streamlit's session, whose script runs, and one of the
    run service.
    """
    url = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
    async with connect(url, max_size=None, proxy=None, subprotocols=["streamlit"]) as page:
        rerun = BackMsg()
        rerun.rerun_script.query_string = ""
        await page.send(rerun.SerializeToString())
        async with sessions(address, 1) as (session,):
            yield session


async def come_and_go(address: str, seed: int, ends: float) -> int:
    """Be one tab after the other; return how many."""
    rng = random.Random(seed)
    tabs = 0
    while time.monotonic() < ends:
        leaves = time.monotonic() + rng.uniform(0.0, 2.0 * full(_STAYS, 0.1))
        async with tab(address) as session:
            tabs += 1
            while time.monotonic() < min(leaves, ends):
                await session.change(_LINK)
                await asyncio.sleep(rng.uniform(0.0, 2.0 * full(_PAUSE, 0.1)))
    return tabs


def family(pid: int) -> float:
    """Return the bytes of a process and of all that it started."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        children = [int(child) for child in file.read().split()]
    return resident(pid) + sum(map(family, children))


async def minutes(pid: int, number: int) -> list[float]:
    """Return the memory of the server and its processes at the end of each minute, in MB."""
    memory = []
    for _ in range(number):
        await asyncio.sleep(full(60.0, 0.2))
        memory.append(family(pid) / 1e6)
        print(f"  after {len(memory)} min: {memory[-1]:.0f} MB", flush=True)
    return memory


def main() -> None:
    """Print memory by minutes, and how it grew once everything has been used."""
    number = full(_MINUTES, 3)
    with server() as (address, _, pid):
        wait_until_up(address)

        async def all_of_it() -> tuple[list[int], list[float]]:
            ends = time.monotonic() + number * full(60.0, 0.2)
            tabs = [come_and_go(address, seed, ends) for seed in range(full(_TABS, 3))]
            measured = asyncio.ensure_future(minutes(pid, number))
            return await asyncio.gather(*tabs), await measured

        tabs, memory = asyncio.run(all_of_it())
    third = number // 3
    middle = statistics.median(memory[third:-third])
    last = statistics.median(memory[-third:])
    line("tabs that came and went", str(sum(tabs)), f"{full(_TABS, 3)} at a time")
    line("memory of the server, its second third", f"{middle:.0f} MB")
    line("  its last third", f"{last:.0f} MB", f"{last - middle:+.0f} MB", "no growth")
