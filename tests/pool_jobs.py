"""Jobs for the pool of processes; a worker imports this file."""

import os
import signal
import time


def doubled(number, progress):
    return 2 * number


def same(value, progress):
    return value


def unwritten(value, progress):
    return lambda: value


def where(progress):
    return os.getpid()


def bounds(progress):
    return os.environ["OPENBLAS_NUM_THREADS"], signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def expendability(progress):
    with open("/proc/self/oom_score_adj", encoding="ascii") as file:
        return int(file.read())


def loaded(progress):
    import sys

    return set(sys.modules)


def refused(progress):
    raise ValueError("There are no points.")


def broken(progress):
    return 1 / 0


def printing(progress):
    print("not a message")
    return "done"


def steps(number, seconds, progress):
    """Take so many steps, and tell of each."""
    for done in range(number):
        progress(done, number)
        time.sleep(seconds)
    return number


def noted(path, word, progress):
    """Write down that it began; it lasts until the file `go` is there, and one says that it has
    ended.
    """
    with open(path, "a", encoding="utf-8") as file:
        file.write(f"{word}\n")
    try:
        while not os.path.exists(f"{path}.go"):
            progress(0, 1)
            time.sleep(0.01)
    finally:
        open(f"{path}.ended", "w").close()
    return word


def deaf(seconds, progress):
    """Never ask whether it was cancelled."""
    time.sleep(seconds)
    return os.getpid()


def killed(progress):
    os.kill(os.getpid(), signal.SIGKILL)


def hungry(size, progress):
    return len(bytearray(size))


def sized(size, progress):
    return bytes(size)


class Unreadable:
    """What can be written, and not read again."""

    def __reduce__(self):
        return refused, (None,)
