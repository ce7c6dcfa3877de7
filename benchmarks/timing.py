"""How a duration is taken, and how a line of the table is printed."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any


def seconds(work: Callable[[], Any], repeats: int = 7) -> float:
    """Return the median duration of `work`, which runs once more beforehand."""
    work()
    durations = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        durations.append(time.perf_counter() - start)
    return statistics.median(durations)


def line(what: str, measured: str, compared: str = "", promised: str = "") -> None:
    """Print one row."""
    print(f"{what:<58} {measured:>16}   {compared:<38} {promised}", flush=True)
