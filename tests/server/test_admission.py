"""Who is let in: hosts, origins and how many, before Streamlit sees them, and without asking
anybody outside.
"""

import http.client
import itertools
import time

import pytest
import streamlit as st
from apart import awaited
from asking import PATIENCE, served
from hypothesis import given
from hypothesis import strategies as drawn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from streamlit import config, net_util
from streamlit.web.server.starlette import starlette_websocket
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from kpviz.app import serving
from kpviz.commands import serve
from kpviz.server import names
from kpviz.server.admission import Admission, Rules

FOREIGN_HOSTS = [
    *(
        "evil.example",
        "localhost.evil.example",
        "evil.example:8501",
        "[::1",
        "",
        "*",
        "null",
        "10.9.8.7:8501",
    ),
    *(
        "evil@localhost",
        "localhost:port",
        "localhost:99999",
        "localhost/evil",
        "local host",
        "127.0.0.1.evil.example",
    ),
]
FOREIGN_ORIGINS = [
    *(
        "",
        "null",
        "http://evil.example",
        "https://localhost.evil.example:8501",
        "http://[::1",
        "evil.example",
    ),
    *("file://", "http://localhost:99999", "chrome-extension://abc", "http://8.8.8.8"),
]
SOCKETS = ["/kpviz/service", "/_stcore/stream"]


@pytest.fixture
def options(monkeypatch):
    """Streamlit's options, which a test may change."""
    changed = {}
    real = config.get_option
    for module in (config, st):
        monkeypatch.setattr(module, "get_option", lambda name: changed.get(name, real(name)))
    return changed


@pytest.fixture
def nobody_is_asked(monkeypatch):
    def fail(*_, **__):
        raise AssertionError("The server asks on the internet for its address.")

    monkeypatch.setattr(net_util, "get_external_ip", fail)
    monkeypatch.setattr(net_util, "_make_blocking_http_get", fail)


def started(*, lan=False, name="localhost", base=""):
    """What the options say where `kpviz app` has started the server so."""
    words = serve.command(
        "0.0.0.0" if lan else "localhost", 8501, browser=False, name=name, base=base
    )
    said = [word.removeprefix("--").partition("=") for word in words if word.startswith("--")]
    hosts = [value for option, _, value in said if option == "server.allowedHosts"]
    return {option: value for option, _, value in said} | {"server.allowedHosts": hosts}


def by_streamlit(**options):
    return {"server.allowedHosts": [], "server.address": "localhost", **options}


SERVERS = {
    "kpviz app": lambda: started(),
    "--lan": lambda: started(lan=True, name="192.0.2.7"),
    "--name": lambda: started(name="kpviz.example.org"),
    "--base-path": lambda: started(base="/courses/k"),
    "streamlit run": by_streamlit,
    "streamlit run, open": lambda: by_streamlit(**{"server.address": "0.0.0.0"}),
    "streamlit run, ::": lambda: by_streamlit(**{"server.address": ""}),
    "streamlit run, origins": lambda: by_streamlit(
        **{"server.corsAllowedOrigins": ["https://a.kpviz.example"]}
    ),
}


def answer(path, host, origin):
    """The status with which a websocket is answered by admission and Streamlit's own check behind
    it.
    """
    sent = []

    async def streamlit(scope, receive, send):
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        is_allowed = starlette_websocket._is_origin_allowed(
            headers.get("origin"), headers.get("host")
        )
        sent.append({"status": 101 if is_allowed else 403})

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "websocket.connect"}

    given = {"host": host, "origin": origin}
    headers = [
        (name.encode(), value.encode()) for name, value in given.items() if value is not None
    ]
    extensions = {"websocket.http.response": {}}
    scope = {"type": "websocket", "path": path, "headers": headers, "extensions": extensions}
    awaited(Admission(streamlit, serving._rules, 10)(scope, receive, send))
    return sent[0]["status"]


@pytest.mark.parametrize("server", SERVERS)
def test_foreign_hosts_and_origins_are_refused_however_the_server_is_started(
    server, options, nobody_is_asked
):
    options |= SERVERS[server]()
    for path, host in itertools.product(SOCKETS, FOREIGN_HOSTS):
        for origin in (None, f"http://{host}", "http://localhost:8501"):
            assert answer(path, host, origin) == 403, (host, origin)
    for path, origin in itertools.product(SOCKETS, FOREIGN_ORIGINS):
        for host in ("localhost:8501", "127.0.0.1:8501"):
            assert answer(path, host, origin) == 403, (host, origin)


@pytest.mark.parametrize("server", SERVERS)
def test_the_servers_own_names_are_let_in_however_it_is_started(
    server, options, nobody_is_asked, monkeypatch
):
    monkeypatch.setattr(names, "lan_address", lambda: "192.0.2.7")
    options |= SERVERS[server]()
    hosts = ["localhost:8501", "127.0.0.1:8501", "[::1]:8501", "LOCALHOST:8501", "localhost"]
    hosts += (
        ["192.0.2.7:8501"]
        if server in {"--lan", "streamlit run, open", "streamlit run, ::"}
        else []
    )
    hosts += ["kpviz.example.org", "kpviz.example.org:8080"] if server == "--name" else []
    for path, host in itertools.product(SOCKETS, hosts):
        for origin in (
            None,
            f"http://{host}",
            f"https://{host}",
            "http://[::1]:3000",
            "http://localhost:3000",
        ):
            assert answer(path, host, origin) == 101, (host, origin)
    if server == "streamlit run, origins":
        assert answer(SOCKETS[1], "localhost:8501", "https://a.kpviz.example") == 101


def test_what_streamlits_options_name_is_let_in_besides(options, nobody_is_asked):
    options |= by_streamlit(**{"server.allowedHosts": ["*.kpviz.example", "LOCALHOST"]})
    assert answer(SOCKETS[1], "a.kpviz.example", "https://a.kpviz.example") == 101
    assert answer(SOCKETS[1], "a.kpviz.example.", None) == 101
    assert answer(SOCKETS[1], "kpviz.example", None) == 403
    assert answer(SOCKETS[1], "127.0.0.1", None) == 403
    options["server.enableCORS"] = False
    assert answer(SOCKETS[1], "localhost", "https://evil.example") == 101
    assert answer(SOCKETS[1], "evil.example", "https://evil.example") == 403


WORDS = drawn.sampled_from(
    ["localhost", "evil.example", "127.0.0.1", "[::1]", "*", "a.kpviz.example", "é", "", "null"]
)
PORTS = drawn.sampled_from(["", ":8501", ":0", ":99999", ":x", ":", "/", "?", "#", "@localhost"])
PLACES = drawn.builds(str.__add__, WORDS, PORTS)
SCHEMES = drawn.sampled_from(["http://", "https://", "", "//", "file://", "ws://"])
ORIGINS = drawn.one_of(drawn.none(), drawn.builds(str.__add__, SCHEMES, PLACES))
PATTERNS = drawn.lists(
    drawn.sampled_from(["localhost", "*.kpviz.example", "127.0.0.1", "::1", "*", " LocalHost. "]),
    min_size=1,
    max_size=3,
)


@given(PLACES, PATTERNS)
def test_a_named_host_is_one_for_streamlit(host, patterns):
    with config_of({"server.allowedHosts": patterns}):
        allowed = starlette_websocket.is_host_allowed(host) and not host.endswith(("?", "#"))
        assert Rules(patterns).allow_host(host) == allowed


@given(ORIGINS, PLACES)
def test_no_drawn_pair_makes_the_server_ask_outside_nor_is_one_let_in_that_streamlit_refuses(
    origin, host
):
    def fail():
        raise AssertionError("The server asks on the internet for its address.")

    with config_of(by_streamlit()), pytest.MonkeyPatch.context() as patch:
        status = answer(SOCKETS[1], host, origin)
        patch.setattr(net_util, "get_external_ip", lambda: None)
        named = starlette_websocket.is_host_allowed(host) and Rules(names.HERE).allow_host(host)
        allowed = named and _by_streamlit(origin, host)
        patch.setattr(net_util, "get_external_ip", fail)
        assert answer(SOCKETS[1], host, origin) == status
        assert (status == 101) <= allowed or "[::1]" in (origin or "")  # which is this machine, too


def _by_streamlit(origin, host):
    try:
        return starlette_websocket._is_origin_allowed(origin, host)
    except ValueError:  # it is no address
        return False


class config_of:  # noqa: N801 - it is used as a function
    """Streamlit's options within a test that Hypothesis runs many times."""

    def __init__(self, changed):
        self._changed = changed

    def __enter__(self):
        self._patch = pytest.MonkeyPatch()
        real = config.get_option
        for module in (config, st):
            self._patch.setattr(
                module, "get_option", lambda name: self._changed.get(name, real(name))
            )

    def __exit__(self, *_):
        self._patch.undo()


# ---- what is answered ----------------------------------------------------------------------------


def application(most=10, base=""):
    talks = []

    async def page(request):
        return PlainTextResponse(str(len(talks)) if request.url.path == "/open" else "a page")

    async def talk(websocket):
        await websocket.accept()
        talks.append(websocket)
        await websocket.receive()
        talks.remove(websocket)

    rules = Rules(["localhost"])
    middleware = [Middleware(Admission, rules=lambda: rules, most=most, base=lambda: base)]
    return Starlette(
        routes=[WebSocketRoute("/socket", talk), Route("/{path:path}", page)], middleware=middleware
    )


def got(address, path, host):
    connection = http.client.HTTPConnection(address)
    connection.request("GET", path, headers={"Host": host})
    response = connection.getresponse()
    answer = response.status, response.read().decode()
    connection.close()
    return answer


@pytest.mark.parametrize("base", ["", "courses/k"])
def test_a_page_under_a_foreign_name_is_a_sentence_that_says_what_to_do_and_health_is_told(base):
    prefix = f"/{base}" if base else ""
    with served(application(base=base)) as address:
        assert got(address, f"{prefix}/lessons", address) == (200, "a page")
        status, text = got(address, f"{prefix}/lessons", "evil.example")
        assert (status, "--name" in text, "--server.allowedHosts" in text) == (403, True, True)
        for path in ("/health", "/_stcore/health"):
            assert got(address, prefix + path, "10.0.0.7:8501")[0] == 200
            assert got(address, f"{prefix}/x{path}", "10.0.0.7:8501")[0] == 403


def test_there_are_at_most_so_many_websockets_and_one_more_is_told_to_come_again():
    def opened(address):
        return connect(f"ws://{address}/socket", proxy=None)

    with served(application(most=3)) as address, opened(address), opened(address):
        with opened(address):
            with pytest.raises(InvalidStatus) as refused, opened(address):
                pass
            response = refused.value.response
            assert (response.status_code, response.headers["Retry-After"]) == (503, "60")
            assert b"try again" in response.body
            assert got(address, "/lessons", address)[0] == 200
        ends = time.monotonic() + PATIENCE
        while got(address, "/open", address)[1] != "2":
            assert time.monotonic() < ends
            time.sleep(0.01)
        with opened(address):
            pass
