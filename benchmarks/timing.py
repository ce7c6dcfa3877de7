"""How a duration is taken, how a line of the table is printed, and whether the numbers matter."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any, TypeVar

Size = TypeVar("Size")
# Set by --quick: only show that the benchmarks run, with too little work for a measurement.
quick = False


def full(size: Size, little: Size) -> Size:
    """Return the size of a piece of work: `little` where it is only to run."""
    return little if quick else size


def seconds(
    work: Callable[[], Any], repeats: int = 7, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Return the median duration of `work`, which runs once more beforehand; `clock`
    says of what.
    """
    if not quick:
        work()
    durations = []
    for _ in range(full(repeats, 1)):
        start = clock()
        work()
        durations.append(clock() - start)
    return statistics.median(durations)


def line(what: str, measured: str, compared: str = "", promised: str = "") -> None:
    """Print one row."""
    print(f"{what:<58} {measured:>16}   {compared:<38} {promised}", flush=True)
