"""What responses say of their safety, and what is closed."""

import urllib.error
import urllib.request

import pytest
from asking import served
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from kpviz.server.headers import SafeHeaders


def got(path="/", **options):
    """Status and headers of a response."""

    async def text(_):
        return PlainTextResponse("a text", headers={"Content-Security-Policy": "default-src 'self'"})

    app = Starlette(routes=[Route("/{path:path}", text)], middleware=[Middleware(SafeHeaders, **options)])
    with served(app) as address:
        try:
            with urllib.request.urlopen(f"http://{address}{path}") as response:
                return response.status, response.headers
        except urllib.error.HTTPError as error:
            return error.code, error.headers


def test_a_file_is_what_its_type_says_and_anybody_may_frame_a_page():
    status, headers = got()
    assert status == 200
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers.get_all("Content-Security-Policy") == ["default-src 'self'"]


def test_pages_may_be_framed_by_those_who_are_named():
    _, headers = got(framed_by=lambda: "'self'\n https://courses.example")
    policies = headers.get_all("Content-Security-Policy")
    assert policies == ["default-src 'self'", "frame-ancestors 'self' https://courses.example"]


@pytest.mark.parametrize(("path", "status"), [("/_stcore/metrics", 404), ("/_stcore/health", 200)])
def test_what_is_closed_is_not_found(path, status):
    assert got(path, is_closed=lambda path: "metrics" in path)[0] == status
