"""`python -m kpviz.commands.interruptible MODULE …` is `python -m MODULE …`.

Ctrl+C ends it without a word.

Streamlit answers an interruption by "Aborted!", and by a traceback while it is imported.

Tests: tests/commands/test_signals.py.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
from types import FrameType

from kpviz.commands import is_importing

_INTERRUPTED = 130


def main() -> None:
    """Run the module that is named first among the arguments."""
    signal.signal(signal.SIGINT, _end)
    if sys.platform != "win32":
        # Else it is ignored, as nohup has it.
        if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
            # A server knows that one.
            signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
        # The reason is in `serve.become`.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


def _end(_: int, frame: FrameType | None) -> None:
    if is_importing(frame):  # Nothing has begun, and an import would complain in words of its own.
        os._exit(_INTERRUPTED)
    sys.exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
