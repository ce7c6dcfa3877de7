"""`python -m kpviz.commands.interruptible MODULE …` is `python -m MODULE …`, which Ctrl+C ends without a word.

Streamlit answers an interruption by "Aborted!", and by a traceback while it is imported.
"""

from __future__ import annotations

import runpy
import signal
import sys

_INTERRUPTED = 130


def main() -> None:
    """Run the module that is named first among the arguments."""
    signal.signal(signal.SIGINT, lambda *_: sys.exit(_INTERRUPTED))
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # see `serve.become`
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
