"""Streamlit's own files: what goes compressed, to whom, and what stays as it is."""

import asyncio
import gzip
import http.client

import pytest
from asking import served
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from kpviz.server.compression import Compression, takes_gzip

SCRIPT = b"export const answer = 42;\n" * 400
FONT = bytes(range(256)) * 8


class Files(StaticFiles):
    """The files as Streamlit serves them; it counts how often each is asked for."""

    def __init__(self, directory):
        super().__init__(directory=directory)
        self.asked = []

    async def get_response(self, path, scope):
        self.asked.append(path)
        await asyncio.sleep(0.05)  # several ask before one is answered
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "public, immutable, max-age=31536000"
        return response


@pytest.fixture
def files(tmp_path):
    for name, data in (("one.js", SCRIPT), ("one.woff2", FONT), ("tiny.css", b"a{}")):
        (tmp_path / name).write_bytes(data)
    return tmp_path


def application(folder, base=""):
    async def page(_):
        return HTMLResponse("<html><head></head></html>")

    prefix = f"/{base}" if base else ""
    counted = Files(folder)
    routes = [Mount(f"{prefix}/static/js", counted), Route("/{path:path}", page)]
    app = Starlette(routes=routes, middleware=[Middleware(Compression, base=lambda: base)])
    app.asked = counted.asked
    return app


def got(address, path, method="GET", **headers):
    """Status, headers and bytes as they came."""
    connection = http.client.HTTPConnection(address)
    connection.request(
        method, path, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )
    response = connection.getresponse()
    answer = response.status, response.headers, response.read()
    connection.close()
    return answer


@pytest.mark.parametrize("base", ["", "courses/k"])
def test_a_script_goes_compressed_to_whom_takes_it_so_and_as_it_is_to_others(files, base):
    path = f"/{base}/static/js/one.js" if base else "/static/js/one.js"
    with served(application(files, base)) as address:
        status, headers, body = got(address, path, Accept_Encoding="br, gzip, deflate")
        assert (status, headers["Content-Encoding"], headers["Vary"]) == (
            200,
            "gzip",
            "Accept-Encoding",
        )
        assert gzip.decompress(body) == SCRIPT
        assert int(headers["Content-Length"]) == len(body) < len(SCRIPT) / 10
        assert "javascript" in headers["Content-Type"]
        assert headers["Cache-Control"] == "public, immutable, max-age=31536000"
        for accepted in ({}, {"Accept_Encoding": "identity"}, {"Accept_Encoding": "gzip;q=0, br"}):
            _, plain, body = got(address, path, **accepted)
            assert (body, plain["Content-Encoding"], plain["Vary"]) == (
                SCRIPT,
                None,
                "Accept-Encoding",
            )
            assert plain["ETag"] != headers["ETag"]


def test_a_browser_that_has_it_is_told_so_and_one_that_has_another_is_sent_it(files):
    with served(application(files)) as address:
        _, headers, _ = got(address, "/static/js/one.js", Accept_Encoding="gzip")
        for known in (headers["ETag"], f'"older", W/{headers["ETag"]}', "*"):
            status, again, body = got(
                address, "/static/js/one.js", Accept_Encoding="gzip", If_None_Match=known
            )
            assert (status, body, again["ETag"]) == (304, b"", headers["ETag"])
            assert again["Content-Encoding"] is None
        _, plain, _ = got(address, "/static/js/one.js")
        for other in ('"older"', plain["ETag"]):
            answer = got(address, "/static/js/one.js", Accept_Encoding="gzip", If_None_Match=other)
            assert gzip.decompress(answer[2]) == SCRIPT
        assert got(address, "/static/js/one.js", If_None_Match=plain["ETag"])[0] == 304


def test_a_head_has_the_same_headers_and_a_range_is_one_of_the_file_as_it_is(files):
    with served(application(files)) as address:
        _, headers, _ = got(address, "/static/js/one.js", Accept_Encoding="gzip")
        status, head, body = got(address, "/static/js/one.js", "HEAD", Accept_Encoding="gzip")
        assert (status, body) == (200, b"")
        for name in ("Content-Length", "Content-Encoding", "ETag", "Content-Type"):
            assert head[name] == headers[name]
        status, part, body = got(
            address, "/static/js/one.js", Accept_Encoding="gzip", Range="bytes=3-9"
        )
        assert (status, body, part["Content-Encoding"]) == (206, SCRIPT[3:10], None)


def test_fonts_pages_and_what_does_not_exist_stay_as_they_are_and_are_not_kept(files):
    app = application(files)
    with served(app) as address:
        _, headers, body = got(address, "/static/js/one.woff2", Accept_Encoding="gzip")
        assert (body, headers["Content-Encoding"]) == (FONT, None)
        for path in ("/static/js/none.js", "/static/page.js", "/elsewhere/one.js"):
            status, headers, body = got(address, path, Accept_Encoding="gzip")
            assert headers["Content-Encoding"] is None
            assert (status == 404) or body.startswith(b"<html>")
        before = len(app.asked)
        got(address, "/static/js/none.js", Accept_Encoding="gzip")
        assert len(app.asked) > before


def test_a_class_that_comes_at_once_has_each_file_compressed_once(files):
    from concurrent.futures import ThreadPoolExecutor

    app = application(files)
    with served(app) as address, ThreadPoolExecutor(20) as pool:
        bodies = list(
            pool.map(
                lambda _: got(address, "/static/js/one.js", Accept_Encoding="gzip")[2], range(20)
            )
        )
    assert {gzip.decompress(body) for body in bodies} == {SCRIPT}
    assert app.asked == ["one.js"]


@pytest.mark.parametrize(
    ("accepted", "is_taken"),
    [
        ("", False),
        ("gzip", True),
        ("br;q=1.0, GZIP;q=0.2", True),
        ("gzip; q=0", False),
        ("gzip;q=0.000", False),
        ("*", True),
        ("*;q=0", False),
        ("gzip;q=0, *", False),
        ("identity", False),
        ("xgzip", False),
        ("gzip;q=words", False),
    ],
)
def test_what_is_taken_is_read_with_its_weights(accepted, is_taken):
    assert takes_gzip(Headers({"Accept-Encoding": accepted})) == is_taken
