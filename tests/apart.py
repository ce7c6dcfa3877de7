"""In a thread of its own: Playwright keeps an event loop, and a stack of its own, in the one where
tests run.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def apart(function, *args):
    """What a function returns in another thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(function, *args).result()


def awaited(coroutine):
    """What a coroutine returns."""
    return apart(asyncio.run, coroutine)
