"""Processes of the system."""

import os
import subprocess
import sys
import time


def lives(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def filming(folder, *arguments):
    """The command line in a process of its own, once it has begun to write a film into `folder`."""
    command = [sys.executable, "-m", "kpviz", *arguments]
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not list(folder.glob(".kpviz-*/film.mp4")) and time.monotonic() < deadline:
        time.sleep(0.05)
    return process
