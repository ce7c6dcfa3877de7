"""What the command `kpviz` starts.

It is outside of the package, so that Ctrl+C may come while that is imported.
"""

import os
import signal


def main() -> int:
    """Run the command line; return the exit code."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # Otherwise it is ignored.
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # Nothing has been done yet.
    from kpviz import cli

    try:
        return cli.main()
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # All has been done.
