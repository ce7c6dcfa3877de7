"""The websocket: what is let in, what is answered, what is told meanwhile, and what
cancels what.
"""

import json
import threading
import time
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from types import SimpleNamespace

import pytest
from asking import PATIENCE, asking, served
from starlette.applications import Starlette
from websockets.exceptions import ConnectionClosed, InvalidStatus

from kpviz.player import payload
from kpviz.server import pool as pools
from kpviz.server import route
from kpviz.server.pool import PendingJob, Pool
from kpviz.server.route import Service
from kpviz.service.question import LONG, read


class Packing:
    """Packs a run when it is let; notes what it began and what was cancelled."""

    def __init__(self):
        self.begun, self.cancelled = [], []
        self.may_end = threading.Event()
        self.may_end.set()

    def pack(self, name, progress):
        self.begun.append(name)
        try:
            progress(3, 10)
            while not self.may_end.wait(0.01):
                progress(3, 10)
        except Exception:
            self.cancelled.append(name)
            raise
        return name.encode()

    async def echo(self, question, compute):
        """Ask for the run that the link names."""
        link = question.get("link")
        if link == "fault":
            raise ZeroDivisionError("of this machine")
        run = await compute(Work(link, self)) if link else b""
        return payload.pack({"n": question.get("n"), "run": run.decode()}, {})


@dataclass(frozen=True)
class Work:
    id: str
    packing: Packing
    seconds: float = 0.01

    def compute(self, progress):
        return self.packing.pack(self.id, progress)


@contextmanager
def service(packing=None, **options):
    pool = Pool()
    made = Service(pool, lambda: (packing or Packing()).echo, **options)

    @asynccontextmanager
    async def lifespan(_):
        yield
        await pool.close()

    with served(Starlette(routes=[made.route()], lifespan=lifespan)) as address:
        yield address


@pytest.fixture
def packing():
    return Packing()


@pytest.fixture
def page(packing):
    with service(packing) as address, asking(address + route.PATH) as asker:
        yield asker


def until(holds):
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.01)


def test_a_question_is_answered_by_its_number_with_the_run_it_asks_for(page):
    answer = page.ask(n=17, link="v=1")
    assert (answer["n"], answer["run"]) == (17, "v=1")


@pytest.mark.parametrize(
    "text", ["", "{", "[1]", "17", '"cancel"', "null", b"\xff\x00", "[" * 100_000]
)
def test_what_is_no_question_is_refused_in_a_sentence_and_the_next_one_answered(page, text):
    page.raw(text)
    assert page.answered()["failed"] == "A question to kpviz is a JSON object."
    assert page.ask(n=1, link="v=1")["run"] == "v=1"


def test_a_fault_is_logged_and_told_in_one_sentence(page, caplog):
    answer = page.ask(n=3, link="fault")
    assert answer["n"] == 3
    assert answer["failed"].endswith(".")
    assert "machine" not in answer["failed"]
    assert "of this machine" in caplog.text
    assert page.ask(n=4, link="v=1")["run"] == "v=1"


def test_the_newest_question_cancels_the_one_before_which_gets_no_answer(page, packing):
    packing.may_end.clear()
    page.send(n=1, link="first")
    until(lambda: packing.begun == ["first"])
    page.send(n=2, link="second")
    until(lambda: packing.cancelled == ["first"])
    packing.may_end.set()
    assert page.answered()["n"] == 2


def test_questions_of_other_kinds_are_answered_meanwhile_and_cancelled_by_themselves(page, packing):
    packing.may_end.clear()
    page.send(n=5, link="five")
    until(lambda: packing.begun == ["five"])
    page.send(n=6, kind="curve", link="six")
    assert page.ask(n=7, kind="lesson")["n"] == 7
    page.send(n=6, kind="curve", cancel=True)
    until(lambda: packing.cancelled == ["six"])
    page.send(n=5, kind="run", cancel=True)
    until(lambda: packing.cancelled == ["six", "five"])
    packing.may_end.set()
    assert page.ask(n=8, link="")["n"] == 8


def test_a_page_that_is_closed_lets_go_of_its_question(packing):
    packing.may_end.clear()
    with service(packing) as address:
        with asking(address + route.PATH) as page:
            page.send(n=1, link="v=1")
            until(lambda: packing.begun == ["v=1"])
        until(lambda: packing.cancelled == ["v=1"])


def test_progress_is_told_after_half_a_second(page, packing):
    packing.may_end.clear()
    asked = time.monotonic()
    page.send(n=1, link="v=1")
    told = page.received()
    assert time.monotonic() - asked > 0.45
    assert told == {"n": 1, "progress": [3, 10], "left": told["left"], "place": None}
    packing.may_end.set()
    assert page.answered()["run"] == "v=1"


def test_all_runs_of_a_question_are_told_as_one(monkeypatch):
    monkeypatch.setattr(pools, "time", SimpleNamespace(monotonic=lambda: 100))
    first, second = (PendingJob(None, None, place=place) for place in (2, 3))
    for waiting, message in (
        ([], '"progress": [0, 1], "left": null, "place": null'),
        ([first, second], '"progress": [0, 1], "left": null, "place": 3'),
        (
            [replace(first, place=None, done=4, limit=10, since=100 - 0.84), second],
            '[4, 10], "left": null, "place": null',
        ),
        (
            [
                replace(first, place=None, done=4, limit=10, since=100 - 0.84),
                replace(second, place=None, done=1, limit=10, since=100 - 1 / 3),
            ],
            '"progress": [5, 20], "left": 3.0, "place": null',
        ),
    ):
        assert message in route.told(1, waiting)


@pytest.mark.parametrize(
    "text", [" " * (route.LONGEST + 1), "é" * (route.LONGEST // 2 + 1)], ids=["ASCII", "é"]
)
def test_a_question_that_is_too_long_ends_the_connection(text):
    with service() as address, asking(address + route.PATH) as page:
        page.raw(text)
        with pytest.raises(ConnectionClosed) as closed:
            page.received()
        assert closed.value.rcvd.code == 1009


def test_it_stands_under_the_base_of_the_addresses_and_nowhere_else():
    with service(base=lambda: "courses/kpviz") as address:
        with asking(f"{address}/courses/kpviz{route.PATH}") as page:
            assert page.ask(n=1, link="v=1")["run"] == "v=1"
        for path in (route.PATH, f"/x{route.PATH}"):
            with pytest.raises(InvalidStatus, match="403"), asking(address + path):
                pass


def test_the_processes_start_after_the_first_answer(monkeypatch):
    monkeypatch.setattr(route, "_WARM_AFTER", 0)
    warmed = threading.Event()
    monkeypatch.setattr(Pool, "warm", lambda pool: warmed.set())
    with service() as address, asking(address + route.PATH) as page:
        assert not warmed.is_set()
        page.ask(n=1, link="v=1")
        assert warmed.wait(PATIENCE)


def test_a_long_question_is_read_by_the_pool_and_a_short_one_meanwhile(page, monkeypatch):
    may_read = threading.Event()
    lengths = []

    def slow(text, progress=None):
        lengths.append(len(text))
        may_read.wait(PATIENCE)
        return read(text)

    monkeypatch.setattr(
        route, "read", lambda text, *progress: slow(text) if len(text) > LONG else read(text)
    )
    page.send(n=1, link="v=1", kind="lesson", filling="x" * LONG)
    until(lambda: len(lengths) == 1)
    page.send(n=2, link="v=2", kind="run", filling="x" * LONG)
    until(lambda: len(lengths) == 2)
    assert page.ask(n=3, kind="run")["n"] == 3
    may_read.set()
    assert page.answered()["n"] == 1, (
        "the long question of the kind run came before the short one, and is dropped"
    )
    assert page.ask(n=4, link="v=4", kind="run")["run"] == "v=4"


@pytest.mark.parametrize("filling", ["[],", "1,", "[[[1]]],", '{"a": [1]},'])
def test_a_question_with_very_many_values_is_refused_in_a_sentence_and_the_next_one_answered(
    page, filling
):
    page.raw(f'{{"n": 1, "link": "v=1", "values": [{filling * 250_000}1]}}')
    assert page.answered()["failed"] == "A question to kpviz has at most 200,000 values."
    assert page.ask(n=2, link="v=1")["run"] == "v=1"


def test_half_of_a_surrogate_pair_becomes_a_question_mark_and_a_whole_one_stays(page):
    text = json.dumps({"n": "\ud800", "link": "\ud800 \U0001f600"})
    for message in (text, text.replace("d800", "D800"), text.encode()):
        assert read(message) == {"n": "?", "link": "? \U0001f600"}
    page.raw(text)
    assert page.answered()["run"] == "? \U0001f600"


def test_what_is_no_text_ends_the_connection_without_a_line_in_the_log(caplog):
    with service() as address, asking(address + route.PATH) as page:
        page._socket.send(b"\xff\xfe", text=True)
        with pytest.raises(ConnectionClosed):
            page.received()
    assert caplog.text == ""
