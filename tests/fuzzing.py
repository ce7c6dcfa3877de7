"""A fuzzer of the service's protocol: hostile questions over a real websocket, and laws that hold
after each of them.

`Fuzzer.ask` sends a message and returns which of `LAWS` does not hold then; `smallest` looks for a
smaller question of which the same is true."""

import asyncio
import json
import logging
import os
import struct
import sys
import tempfile
import threading
import time
import zlib
from contextlib import ExitStack, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path

import numpy as np
from asking import served
from starlette.applications import Starlette
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

import kpviz
from kpviz.player import payload
from kpviz.server import route
from kpviz.server.pool import Pool
from kpviz.server.route import Service
from kpviz.service import caches
from kpviz.service.question import read

LAWS = {
    "silence": "An answer comes, or the connection is closed as documented.",
    "fault": "No question meets a fault of kpviz's own.",
    "log": "Nothing is logged as an error.",
    "path": "No answer holds a path of this machine, or a traceback.",
    "json": "All that is sent is strict JSON.",
    "numbers": "All numbers that are sent are finite.",
    "loop": "No question costs the event loop much.",
    "work": "What a question costs is done in the pool, where it has limits.",
    "reference": "A usual question has the same answer as before.",
    "caches": "Caches stay within their limits.",
    "idle": "No job is left.",
}
PATIENCE = 60  # seconds for an answer
DOCUMENTED = {1007, 1009}  # text that is not UTF-8; too long
SECONDS = 1.5  # that the pool gives to one job, so that heavy runs are given up
MOST_OF_LOOP = 0.75  # seconds of the processor, in the thread of the event loop
MOST_WORK = 1.5  # seconds of the processor, in all threads of the server
# What takes long to import is there before the first question, or it would be given up again and
# again.
_IMPORTS = (
    "kpviz.service.work",
    "kpviz.player.payload",
    "scipy.optimize",
    "sklearn.datasets",
    "sklearn.mixture",
    "sklearn.svm",
)
_LOOKS = 10  # questions from one look at references, jobs and caches to the next
_LATER = ("reference", "idle", "caches")  # the laws that this look is for
_MOST_TRIES = 150  # of smaller questions
_PATHS = tuple(
    {
        str(Path(kpviz.__file__).parents[1]),
        sys.prefix,
        f"{sys.base_prefix}/lib",
        str(Path.home() / "x")[:-1],
    }
)
REFERENCES = (
    {
        "n": -1,
        "link": "v=1&data=moons&n=40&sigma=0.4&show=gram.margins",
        "dock": ["data", "kernel", "learner"],
    },
    {
        "n": -2,
        "link": "v=1&kernel=formula&formula=exp(-norm(u-v)**2)*(1%2Bdot(u,v))&n=30",
        "dock": ["kernel"],
    },
    {"n": -3, "page": "fisher", "link": "data=iris", "dock": ["data"]},
    {
        "n": -4,
        "kind": "lesson",
        "lesson": {"text": "---\ntitle: One\n---\n\n## Scene\nlink: v=1&n=16\n\nWords $x^2$.\n"},
    },
)


class _Errors(logging.Handler):
    """Keeps what is logged as an error, or with a traceback, and what any process writes to
    standard error.
    """

    def __init__(self, written):
        super().__init__()
        self.lines = []
        self._written = written  # a file, which is read further each time

    def read(self):
        """Return all lines since the last reading."""
        lines = self.lines + self._written.read().decode("utf-8", "replace").splitlines()
        self.lines = []
        return lines

    def emit(self, record):
        text = self.format(record)
        if record.levelno >= logging.ERROR or record.exc_info or "Traceback" in text:
            self.lines.append(text)


class Fuzzer:
    """Asks a server that it has started; one message after the other."""

    def __init__(self, address, pool, errors, loop):
        self._address = address
        self._pool = pool
        self._errors = errors
        self._loop = loop
        self._open = ExitStack()  # the connection, if there is one
        self._socket = None
        self._expected = []
        self._looks = 0

    def first_wrong(self, messages):
        """Ask messages; return a sentence on the first one with which a law does not hold, "" if
        there is none.
        """
        for number, message in enumerate(messages):
            wrong = self.ask(message, looks=number % _LOOKS == _LOOKS - 1)
            if wrong is not None:
                law, why = wrong
                again = partial(self._breaks, law)
                return (
                    f"Message {number}. Not so: {LAWS[law]} {why}\nThe smallest: "
                    f"{smallest(message, again)!r}"
                )
        return ""

    def _breaks(self, law, message):
        wrong = self.ask(message, looks=law in _LATER)
        return wrong is not None and wrong[0] == law

    def begin(self):
        """Wait for the pool's processes, and note the answers to the references."""
        self._pool.seconds = PATIENCE
        for _ in range(2):  # at first what is imported and drawn once costs the server itself
            self._expected = [self._exchange(json.dumps(reference), {}) for reference in REFERENCES]
        until(lambda: all(worker.is_ready for worker in self._pool.workers))
        caches.forget()
        self._expected = [self._exchange(json.dumps(reference), {}) for reference in REFERENCES]
        assert all(self._expected), self._expected
        self._pool.seconds = SECONDS

    def ask(self, message, *, looks):
        """Send a message; return the name of the law that does not hold then and why, None where
        all do.

        `looks`: also at the references, the jobs and the caches.
        """
        self._errors.read()
        wrong = {}
        loop_before, server_before = self._seconds_worked()
        self._exchange(message, _as_read(message) or {}, wrong)
        loop_after, server_after = self._seconds_worked()
        if loop_after - loop_before > MOST_OF_LOOP:
            wrong.setdefault("loop", f"It cost {loop_after - loop_before:.1f} s of the processor.")
        if server_after - server_before > MOST_WORK:
            wrong.setdefault(
                "work", f"It cost the server {server_after - server_before:.1f} s of the processor."
            )
        if looks and not wrong:
            self._look(wrong)
        lines = self._errors.read()
        if lines:
            wrong.setdefault("log", "\n".join(lines)[-2000:])
        return next(iter(wrong.items()), None)

    def _seconds_worked(self):
        """Return for how many seconds of the processor the event loop has worked, and all threads
        but this one.
        """
        loop_seconds = asyncio.run_coroutine_threadsafe(_thread_time(), self._loop)
        return loop_seconds.result(PATIENCE), time.process_time() - time.thread_time()

    def _exchange(self, message, question, wrong=None):
        """Send a message; return the bytes of its answer, None where none is to come."""
        wrong = {} if wrong is None else wrong
        try:
            if self._socket is None:
                connection = connect(
                    f"ws://{self._address}", max_size=None, open_timeout=PATIENCE, proxy=None
                )
                self._socket = self._open.enter_context(connection)
            self._socket.send(message)
            if question.get("cancel") is True:
                return None
            ends = time.monotonic() + PATIENCE
            while True:
                received = self._socket.recv(max(0.0, ends - time.monotonic()))
                if isinstance(received, bytes):
                    _judge(received, wrong)
                    return received
                _strict(received, wrong)
        except TimeoutError:
            wrong["silence"] = f"No answer came within {PATIENCE} s."
        except ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd else None
            if code not in DOCUMENTED:
                wrong["silence"] = f"The connection was closed with code {code}."
        self.close()
        return None

    def _look(self, wrong):
        self._looks += 1
        if self._looks % 2:
            caches.forget()  # so that processes answer which have done hostile work
        self._pool.seconds = PATIENCE
        for reference, expected in zip(REFERENCES, self._expected, strict=True):
            answer = self._exchange(json.dumps(reference), reference, wrong)
            if answer != expected:
                wrong.setdefault(
                    "reference", f"{reference} has another answer: {(answer or b'')[:300]!r}"
                )
        self._pool.seconds = SECONDS
        if not until(self._is_idle):
            pending_jobs = [pending.job for pending in self._pool.pending]
            wrong.setdefault(
                "idle",
                f"{pending_jobs} are asked for, {[worker.since for worker in self._pool.workers]}",
            )
        for cache in caches._caches:
            sizes = [size for _, size in cache._values.values()]
            is_full = len(sizes) > 1 and (cache._total > cache._size or len(sizes) > cache._most)
            if sum(sizes) != cache._total or is_full:
                wrong.setdefault(
                    "caches", f"{len(sizes)} values of {sum(sizes)} in place of {cache._total}"
                )

    def _is_idle(self):
        return not self._pool.pending and not any(worker.since for worker in self._pool.workers)

    def close(self):
        self._socket = None
        self._open.close()


async def _thread_time():
    return time.thread_time()


@contextmanager
def fuzzer(load):
    """Start a server whose answers come from what `load` returns; yield what asks it."""
    pool = Pool(_IMPORTS, workers=2, seconds=SECONDS)
    service = Service(pool, load)
    loops = []

    @asynccontextmanager
    async def lifespan(_):
        loops.append(asyncio.get_running_loop())
        pool.warm()
        yield
        await pool.close()

    with (
        _listening() as errors,
        served(Starlette(routes=[service.route()], lifespan=lifespan)) as address,
    ):
        asker = Fuzzer(address + route.PATH, pool, errors, loops[0])
        try:
            asker.begin()
            yield asker
        finally:
            asker.close()


@contextmanager
def _listening():
    """Yield what hears of all errors: of the log, of threads, and of standard error, which
    processes inherit.
    """
    with tempfile.NamedTemporaryFile() as written, open(written.name, "rb") as reading:
        usual_error = os.dup(2)
        os.dup2(written.fileno(), 2)
        usual_hook = threading.excepthook
        errors = _Errors(reading)
        threading.excepthook = lambda what: errors.lines.append(repr(what))
        logging.getLogger().addHandler(errors)
        try:
            yield errors
        finally:
            logging.getLogger().removeHandler(errors)
            threading.excepthook = usual_hook
            os.dup2(usual_error, 2)
            os.close(usual_error)


def until(holds):
    """Wait until something holds; return whether it does."""
    ends = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > ends:
            return False
        time.sleep(0.01)
    return True


# ---- what is sent --------------------------------------------------------------------------------


def _judge(data, wrong):
    """Note what is wrong with an answer, and with the runs behind its header."""
    try:
        data = data if data[:4] == payload.MAGIC else zlib.decompress(data)
        header = _judge_packet(data, wrong)
        start = len(payload.pack(header, {})) if header.get("runs") else 0
        for run in header.get("runs", ()):
            if run["size"]:
                _judge_packet(data[start : start + run["size"]], wrong)
                start += run["size"]
    except (ValueError, TypeError, AttributeError, KeyError, struct.error, zlib.error) as error:
        wrong["json"] = f"{error!r}: {data[:300]!r}"


def _judge_packet(data, wrong):
    """Note what is wrong with a header and its arrays; return the header."""
    text = _header(data)
    header = _strict(text, wrong)
    if header.get("failed") == route._FAULT:
        wrong.setdefault("fault", "the answer says so")
    for sign in (*_PATHS, "Traceback (most recent"):
        if sign in text:
            wrong.setdefault("path", text[max(0, text.index(sign) - 200) :][:400])
    _, arrays = payload.unpack(data)
    for name, array in arrays.items():
        if not np.isfinite(array).all():
            wrong.setdefault("numbers", f"{name} of {text[:300]}")
    return header


def _as_read(message):
    """Return the question that a message is, None where it is none."""
    try:
        return read(message)
    except ValueError:
        return None


def _header(data):
    (length,) = struct.unpack_from("<I", data, 4)
    return data[8 : 8 + length].decode()


def _strict(text, wrong):
    """Read JSON; note where it has what only Python reads."""

    def refuse(constant):
        wrong.setdefault("json", f"{constant} in {text[:300]}")

    return json.loads(text, parse_constant=refuse)


# ---- the smallest --------------------------------------------------------------------------------


def smallest(message, is_wrong):
    """Return a smaller message that is wrong, too, found by leaving out parts as long as it is."""
    question = _as_read(message)
    if question is None or not is_wrong(json.dumps(question)):
        return message
    tries = 0
    shrinks = True
    while shrinks and tries < _MOST_TRIES:
        shrinks = False
        for smaller in _smaller(question):
            tries += 1
            if is_wrong(json.dumps(smaller)):
                question = smaller
                shrinks = True
                break
            if tries == _MOST_TRIES:
                break
    return json.dumps(question)


def _smaller(value):
    """Yield smaller forms of a value, the smallest first."""
    if isinstance(value, dict):
        for key in value:
            yield {name: part for name, part in value.items() if name != key}
        for key, part in value.items():
            for smaller in _smaller(part):
                yield value | {key: smaller}
    elif isinstance(value, list):
        yield from (value[:half] + value[half + step :] for step, half in _cuts(len(value)))
        for index, part in enumerate(value[:20]):
            for smaller in _smaller(part):
                yield [*value[:index], smaller, *value[index + 1 :]]
    elif isinstance(value, str):
        if "&" in value:
            parts = value.split("&")
            yield from ("&".join(parts[:at] + parts[at + 1 :]) for at in range(len(parts)))
        yield from (value[:start] + value[start + step :] for step, start in _cuts(len(value)))


def _cuts(length):
    """Yield lengths and places of what can be left out: halves, quarters and so on."""
    step = length
    while step:
        yield from ((step, start) for start in range(0, length, step))
        step //= 2
