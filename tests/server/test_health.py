"""What a server says of itself: whether it does jobs, its version, and how busy it is."""

import asyncio
import http.client
import json
import threading

import pytest
from apart import awaited
from asking import served
from starlette.applications import Starlette
from starlette.middleware import Middleware

import kpviz
from kpviz.server import health
from kpviz.server.health import Health, Lag
from kpviz.server.pool import Job, Pool


def asked(address, path="/health", method="GET"):
    connection = http.client.HTTPConnection(address, timeout=10)
    connection.request(method, path)
    response = connection.getresponse()
    body = response.read()
    return response.status, json.loads(body) if body.startswith(b"{") else None


class Busy:
    """A pool whose jobs end when they may, and what its server says."""

    def __init__(self, base=""):
        self.pool = Pool(workers=2)
        self.may_end = threading.Event()
        self.lag = Lag()
        options = {"pool": self.pool, "lag": self.lag, "answering": lambda: 7, "base": lambda: base}
        self.app = Starlette(middleware=[Middleware(Health, **options)])

    async def load(self, address):
        return await asyncio.to_thread(asked, address)

    def job(self, progress):
        self.may_end.wait(10)


@pytest.mark.parametrize(("base", "path"), [("", "/health"), ("/courses/k/", "/courses/k/health")])
def test_it_is_asked_below_the_base_alone(base, path):
    with served(Busy(base).app) as address:
        status, said = asked(address, path)
        assert (status, said["status"], said["version"]) == (200, "ok", kpviz.__version__)
        assert set(said) == {
            "status",
            "version",
            "workers",
            "busy",
            "waiting",
            "oldest",
            "done",
            "answering",
            "lag",
        }
        assert asked(address, path, "HEAD") == (200, None)
        assert asked(address, f"/_stcore{path}") == (404, None)


def test_it_says_how_busy_the_pool_is_and_that_it_is_unavailable_once_its_workers_are_stuck_or_gone():
    busy = Busy()
    with served(busy.app) as address:

        async def main():
            tasks = [asyncio.create_task(busy.pool.run(Job(busy.job, (), 1.0))) for _ in range(3)]
            await asyncio.sleep(0)
            status, said = await busy.load(address)
            assert (status, said["workers"], said["busy"], said["waiting"], said["done"]) == (
                200,
                2,
                1,
                2,
                0,
            )
            assert (said["answering"], said["lag"]) == (7, 0.0)
            busy.pool.pending[0].asked_at -= 30
            assert 30 <= (await busy.load(address))[1]["oldest"] < 40
            busy.pool.workers[1].since -= 2 * busy.pool.seconds
            assert (await busy.load(address))[0] == 503
            busy.may_end.set()
            await asyncio.gather(*tasks)
            status, said = await busy.load(address)
            assert (status, said["busy"], said["waiting"], said["done"]) == (200, 0, 0, 3)
            assert said["oldest"] == 0.0
            await busy.pool.close()
            status, said = await busy.load(address)
            assert (status, said["status"], said["workers"]) == (503, "unavailable", 0)

        awaited(main())


def test_it_says_how_long_the_event_loop_let_others_wait(monkeypatch):
    async def main():
        lag = Lag()
        watching = asyncio.create_task(lag.watch())
        await asyncio.sleep(0)
        assert lag.seconds == 0.0
        clock = health.time.monotonic
        monkeypatch.setattr(health.time, "monotonic", lambda: clock() + 100)
        while not lag.seconds:
            await asyncio.sleep(0.05)
        watching.cancel()
        return lag.seconds

    assert awaited(main()) > 90
