"""Commands that a signal ends at any moment: no process, no file and no word is left, and the exit
code is as promised.

KPVIZ_SIGNALS is how many moments are drawn for each command, others at each time; a handful are
always the same."""

import importlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kpviz import commands

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")

PATIENCE = 60  # s
# Before the command has begun, an interruption is Python's to answer.
START = """
import signal, sys, kpviz_command
real = signal.signal
def announced(number, handler):
    signal.signal = real
    real(number, handler)
    print("begun", flush=True)
real(signal.SIGINT, signal.default_int_handler)
signal.signal = announced
sys.exit(kpviz_command.main())
"""
COMMANDS = {
    "sweep": [
        "sweep",
        "data=moons&held=0.3",
        "sigma",
        "--seeds",
        "400",
        "--jobs",
        "2",
        "-o",
        "sweep.csv",
    ],
    "train": ["train", "data=moons&learner=norma&n=1000&epochs=1000", "-o", "run.csv"],
    "film": ["render", "v=1&n=20", "-o", "long.mp4", "--speed", "0.1"],
    "slides": ["lesson", "slides", "lesson-07-width", "-o", "slides.pdf"],
    "plot": ["plot", "data=xor", "-o", "xor.png"],
    "check": ["lesson", "check", "lesson-07-width"],
}
CODES = {
    signal.SIGINT: {130},
    signal.SIGTERM: {143, -signal.SIGTERM},
    signal.SIGHUP: {129, -signal.SIGHUP},
}
DRAWS = int(os.environ.get("KPVIZ_SIGNALS", "0"))
LONGEST = 4.0  # s until the last signal


def drawn():
    """Command, signal and moment."""
    chance = random.Random() if DRAWS else random.Random(37)
    names = [name for name in COMMANDS for _ in range(DRAWS)] or ["sweep", "film", "slides"]
    return [
        (name, chance.choice([*CODES, signal.SIGINT]), round(chance.uniform(0.0, LONGEST), 2))
        for name in names
    ]


def begun(name, folder):
    """A command in a session of its own, once it has begun."""
    folder.mkdir()
    (folder / "made").mkdir()
    (folder / "temporary").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", START, *COMMANDS[name]],
        cwd=folder / "made",
        env={
            **os.environ,
            "TMPDIR": str(folder / "temporary"),
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout.readline() == "begun\n"
    return process


def of_session(session):
    """The processes of a session that have not ended."""
    if sys.platform == "linux":
        return [pid for pid, of, status in processes() if of == session and status != "Z"]
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,sess=,stat="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split() for line in listed.splitlines()]
    return [
        int(pid) for pid, of, status in rows if int(of) == session and not status.startswith("Z")
    ]


def processes():
    """Number, session and state of each process; to start ps again and again would cost more than what is tested."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                status, _, _, session = (
                    (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[:4]
                )
            except OSError:  # it has just ended
                continue
            yield int(folder.name), int(session), status


def expendability(pid):
    return Path(f"/proc/{pid}/oom_score_adj").read_text(encoding="ascii")


def until(holds):
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.02)


def check_that_nothing_is_left(process, number, folder, shared):
    """After it has ended."""
    _, complaints = process.communicate(timeout=PATIENCE)
    try:
        until(lambda: not of_session(process.pid))
    finally:
        for pid in of_session(process.pid):
            os.kill(pid, signal.SIGKILL)
    if number == signal.SIGKILL:
        return
    if process.returncode != 0:  # it was quicker than the signal
        assert process.returncode in CODES[number]
        assert complaints == ""
        assert list((folder / "made").iterdir()) == []
    assert list((folder / "temporary").iterdir()) == []
    assert shared_memory() <= shared


def shared_memory():
    """The folders that joblib would leave behind."""
    return (
        {name for name in os.listdir("/dev/shm") if "joblib" in name}
        if os.path.isdir("/dev/shm")
        else set()
    )


@pytest.mark.parametrize(("name", "number", "seconds"), drawn())
def test_a_signal_at_any_moment_leaves_nothing(name, number, seconds, tmp_path):
    shared = shared_memory()
    process = begun(name, tmp_path / "of")
    time.sleep(seconds)
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # as a terminal does
    else:
        process.send_signal(number)
    check_that_nothing_is_left(process, number, tmp_path / "of", shared)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_processes_of_a_sweep_end_with_it(number, tmp_path):
    shared = shared_memory()
    process = begun("sweep", tmp_path / "of")
    until(lambda: len(of_session(process.pid)) == 3)
    if sys.platform == "linux":
        (worker, *_) = set(of_session(process.pid)) - {process.pid}
        until(
            lambda: expendability(worker) != expendability("self")
        )  # by then it has said with whom it ends
        os.kill(worker, signal.SIGSTOP)
    process.send_signal(number)
    check_that_nothing_is_left(process, number, tmp_path / "of", shared)


FRAGILE = """
import signal
try:
    signal.raise_signal(signal.{name})
    for _ in range(1000):
        pass
except BaseException:
    raise ImportError("This will be caused by a bad install.")
"""


@commands.until_terminated()
def import_and_wait(name):
    importlib.import_module(name)
    until(lambda: False)


@commands.until_terminated()
def break_at_an_interruption():
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        raise ImportError("This will be caused by a bad install.") from None


@pytest.mark.parametrize(
    ("name", "ended"),
    [("SIGINT", KeyboardInterrupt), ("SIGTERM", SystemExit), ("SIGHUP", SystemExit)],
)
def test_a_signal_waits_until_a_module_is_imported(name, ended, tmp_path, monkeypatch):
    (tmp_path / f"fragile_{name}.py").write_text(FRAGILE.format(name=name))
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ended) as left:
        import_and_wait(f"fragile_{name}")
    assert f"fragile_{name}" in sys.modules
    if ended is SystemExit:
        assert left.value.code == 128 + getattr(signal, name)


def test_what_an_interruption_broke_does_not_complain_in_words_of_its_own():
    with pytest.raises(KeyboardInterrupt):
        break_at_an_interruption()


def test_a_program_that_ignores_the_end_of_its_terminal_goes_on():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        with commands.until_terminated():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)
