"""Two servers behind nginx, as deploy/nginx.conf has them: a class, and what goes on when one of
the two is killed.
"""

import asyncio
import contextlib
import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from answering import TEXT, Lesson
from apart import awaited
from asking import asking, served
from driver import UNSEEN, Player
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from started import Server, free_port
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from kpviz.lessons.file import format
from kpviz.player import payload

CONF = Path(__file__).parents[2] / "deploy" / "nginx.conf"
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin")
BASE = "/kpviz"
STUDENTS = 60
AROUND = """
{user}
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 2048; }}
http {{
    access_log off;
    {temporary}
    include {conf};
}}
"""
KINDS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
SEEDS = count(1000)  # a run that no server has made

pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed")


def configured(folder, port, servers, live=4000):
    """Write deploy/nginx.conf for these ports, and what stands around it; return the path.

    An address may have so many `live` connections.
    """
    text = CONF.read_text(encoding="utf-8").replace("listen 80;", f"listen {port};")
    assert (
        "limit_conn kpviz_live 4000;" in text
    )  # a hall of 1,000 with one address, and as many again
    text = text.replace("limit_conn kpviz_live 4000;", f"limit_conn kpviz_live {live};")
    for number, server in enumerate(servers, 1):
        text = text.replace(f"server kpviz-{number}:8501", f"server 127.0.0.1:{server.port}")
    conf, whole = folder / "kpviz.conf", folder / "nginx.conf"
    conf.write_text(text)
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in KINDS)
    user = "user root;" if os.geteuid() == 0 else ""
    whole.write_text(AROUND.format(user=user, folder=folder, temporary=temporary, conf=conf))
    return whole


@contextlib.contextmanager
def in_front(folder, whole):
    """Run nginx with a configuration."""
    nginx = subprocess.Popen([NGINX, "-c", whole, "-e", folder / "error.log"])
    try:
        yield
    finally:
        nginx.terminate()
        nginx.wait(20)
    assert "[emerg]" not in (folder / "error.log").read_text()


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """Both servers, and the address of nginx in front of them."""
    folder = tmp_path_factory.mktemp("nginx")
    servers = [Server(folder / f"log-{k}.txt", BASE).start() for k in (1, 2)]
    port = free_port()
    try:
        with in_front(folder, configured(folder, port, servers)):
            for server in servers:
                server.wait()
            yield servers, f"http://localhost:{port}{BASE}"
    finally:
        for server in servers:
            server.kill()


def health(address):
    with urllib.request.urlopen(f"{address}/health", timeout=10) as response:
        return json.load(response)


def done(servers):
    return [health(server.address)["done"] for server in servers]


async def attend(address, link):
    """Ask for a link as a class does that opens it at the same time; return what each
    was answered.
    """
    sockets = [
        await connect(f"{address.replace('http', 'ws')}/kpviz/service", max_size=None)
        for _ in range(STUDENTS)
    ]

    async def ask(socket):
        await socket.send(
            json.dumps({"n": 1, "kind": "run", "page": "play", "link": link, "shown": False})
        )
        while isinstance(data := await socket.recv(), str):  # of progress
            pass
        await socket.close()
        return payload.unpack(data)[0]

    return await asyncio.gather(*map(ask, sockets))


def test_a_class_with_one_link_trains_it_once_on_each_server(pair):
    servers, address = pair
    before = done(servers)
    answers = awaited(attend(address, f"v=1&data=moons&n=200&noise=0.3&seed={next(SEEDS)}"))
    assert len(answers) == STUDENTS
    assert [answer for answer in answers if answer["n"] != 1 or answer.get("failed")] == []
    assert [after - was for after, was in zip(done(servers), before, strict=True)] == [1, 1]


def test_runs_steps_and_lessons_go_on_when_either_server_is_killed_and_all_links_stay_below_the_path(
    chromium, pair
):
    servers, address = pair
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    context.add_init_script(UNSEEN)
    player = Player(context.new_page(), address)
    tasks = format.read(TEXT).scenes[0].tasks
    for k, server in enumerate(servers):
        if k:
            servers[0].start().wait()
        opened = Lesson(player.open("/?v=1&data=moons").until_written())
        before = player.go(3).pixels()
        server.kill()
        player.press("g").until_written().press("ArrowRight").settle()
        assert player.t == 4
        assert (player.pixels() != before).any()
        player.page.wait_for_url(f"{address}/?v=1&data=moons&sigma=0.625&t=4")
        opened.read(TEXT)
        opened.answer(k, tasks[k])
        opened.until_over(k)
        player.page.goto(f"{address}/fisher")
        player.ready().press("d").until("s.run.fisher.header.query.includes('data=blobs')")
        player.page.wait_for_url(f"{address}/fisher?v=1&data=blobs")
    player.page.get_by_role("link", name="Lessons").click()
    player.page.locator(".start h2 a").click()
    player.page.wait_for_url(f"{address}/?*lesson=lesson-01-first-steps*")
    context.close()


# ---- what nginx itself does, before servers that only say that they are there --------------------


def stand_in():
    async def page(_):
        return PlainTextResponse("here")

    async def talk(websocket):
        await websocket.accept()
        await websocket.receive()

    return Starlette(routes=[WebSocketRoute("/{path:path}", talk), Route("/{path:path}", page)])


def status(url):
    try:
        with urllib.request.urlopen(url, timeout=20) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


@pytest.fixture
def ports(tmp_path):
    return [SimpleNamespace(port=free_port()) for _ in range(2)]


def until_up(port):
    ends = time.monotonic() + 30
    while True:
        try:
            return status(f"http://localhost:{port}/")
        except OSError:
            assert time.monotonic() < ends
            time.sleep(0.05)


def test_an_address_has_so_many_live_connections_and_pages_besides(tmp_path):
    with served(stand_in()) as first, served(stand_in()) as second, contextlib.ExitStack() as stack:
        ports = [SimpleNamespace(port=address.rpartition(":")[2]) for address in (first, second)]
        port = free_port()
        stack.enter_context(in_front(tmp_path, configured(tmp_path, port, ports, live=4)))
        assert until_up(port) == 200
        for path in ("kpviz/service", "_stcore/stream", "k/kpviz/service", "k/_stcore/stream"):
            stack.enter_context(asking(f"localhost:{port}/{path}"))
        for path in ("kpviz/service", "_stcore/stream"):
            with pytest.raises(InvalidStatus, match="503"), asking(f"localhost:{port}/{path}"):
                pass
        assert [status(f"http://localhost:{port}/{path}") for path in ("", "static/js/one.js")] == [
            200,
            200,
        ]


def test_when_both_servers_were_away_they_are_asked_again_after_two_seconds(tmp_path, ports):
    port = free_port()
    service = f"http://localhost:{port}/kpviz/service"
    with in_front(tmp_path, configured(tmp_path, port, ports)):
        assert until_up(port) == 502
        assert {status(service) for _ in range(20)} == {502}
        first, second = (served(stand_in(), server.port) for server in ports)
        with first, second:
            time.sleep(3)  # nginx waits for 10 unless it is told otherwise
            assert [status(service) for _ in range(4)] == [200] * 4
            assert status(f"http://localhost:{port}/") == 200
