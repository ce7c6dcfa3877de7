"""Processes of the system."""

import os
import signal
import subprocess
import sys
import time


def lives(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _take_interruptions():
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def filming(folder, *arguments):
    """The command line in a process of its own, once it has begun to write a film into `folder`."""
    command = [sys.executable, "-m", "kpviz", *arguments]
    # A shell's job in the background ignores Ctrl+C, and so does kpviz there.
    process = subprocess.Popen(
        command, cwd=folder, stderr=subprocess.DEVNULL, preexec_fn=_take_interruptions
    )
    deadline = time.monotonic() + 60
    while not list(folder.glob(".kpviz-*/film.mp4")) and time.monotonic() < deadline:
        time.sleep(0.05)
    return process
