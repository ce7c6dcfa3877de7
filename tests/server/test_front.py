"""What a page says of what it will load, the player's modules as one script, and what responses say
of their safety.
"""

import gzip
import urllib.error
import urllib.request

import pytest
from asking import served
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route

from kpviz.player import modules
from kpviz.server.front import Component, Front, SafeHeaders

MODULE = "page/standalone.js"
FILE = f"/_stcore/bidi-components/a.part/{MODULE}"
PAGE = "<html><head><title>A page</title></head><body>“</head>” is a tag.</body></html>"
COMPONENTS = {
    "": Component("a.part", MODULE, ("one.css",)),
    "lab": Component("a.lab", "page/index.js"),
}


def got(path, base="", *, safe=None, **headers):
    """Status, headers and bytes of a response; `safe` are options of the headers that are added."""

    async def page(request):
        if safe is not None:
            return PlainTextResponse(
                "a text", headers={"Content-Security-Policy": "default-src 'self'"}
            )
        text = request.url.path.endswith(".js")
        return (
            PlainTextResponse("another's")
            if text
            else HTMLResponse(PAGE, headers={"ETag": '"of the page"'})
        )

    front = [
        Middleware(Front, components=COMPONENTS, base=lambda: base),
        Middleware(GZipMiddleware, minimum_size=1),
    ]
    middleware = front if safe is None else [Middleware(SafeHeaders, **safe)]
    with served(Starlette(routes=[Route("/{path:path}", page)], middleware=middleware)) as address:
        request = urllib.request.Request(f"http://{address}{path}", headers=headers)
        try:
            with urllib.request.urlopen(request) as response:
                return response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()


@pytest.mark.parametrize(
    ("path", "base", "named"),
    [
        ("/", "", MODULE),
        ("/lab", "", "page/index.js"),
        ("/courses/k", "/courses/k/", MODULE),
        ("/courses/k/", "courses/k", MODULE),
        ("/courses/k/lab", "courses/k", "page/index.js"),
    ],
)
def test_a_page_names_what_its_component_will_load(path, base, named):
    _, headers, body = got(path, base, **{"Accept-Encoding": "gzip"})
    head, rest = body.decode().split("</head>", 1)
    name = "lab" if path.endswith("lab") else "part"
    assert f'<link rel="modulepreload" href="./_stcore/bidi-components/a.{name}/{named}">' in head
    assert head.count(
        '<link rel="preload" as="style" href="./_stcore/bidi-components/a.part/one.css">'
    ) == (name == "part")
    assert head.count("window.kpvizWent?.(event)") == 1
    assert rest == PAGE.split("</head>", 1)[1]
    assert int(headers["Content-Length"]) == len(body)
    assert headers["ETag"] is None


def test_where_no_page_is_a_sentence_leads_to_the_board():
    for base, home in (("", "/"), ("courses/k", "/courses/k/")):
        status, _, body = got(f"{home}nothing", base, Accept="text/html,*/*")
        assert status == 404
        assert f'at this address. <a href="{home}">Go to the board</a>.' in body.decode()
        for path in ("_stcore/health", "nothing.js", "lab/"):  # files, and what is no page's name
            assert got(home + path, base, Accept="text/html,*/*")[0] == 200, path


@pytest.mark.parametrize(
    ("path", "base"), [("/elsewhere", ""), ("/", "k"), ("/lab", "k"), ("/kind/lab", "kind/lab/k")]
)
def test_other_pages_stay_as_they_are(path, base):
    _, headers, body = got(path, base)
    assert body.decode() == PAGE
    assert headers["ETag"] == '"of the page"'


@pytest.mark.parametrize("base", ["", "courses/k"])
def test_a_module_comes_with_all_that_it_imports(base):
    path = f"/{base}{FILE}" if base else FILE
    _, headers, body = got(path, base)
    assert body.decode() == f"{modules.script(MODULE)}\nexport default start;\n"
    assert headers["Content-Type"].startswith("text/javascript")
    _, headers, packed = got(path, base, **{"Accept-Encoding": "gzip"})
    assert headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed) == body


def test_a_browser_that_has_it_is_told_so():
    _, headers, _ = got(FILE)
    assert headers["Cache-Control"] == "no-cache"
    status, _, body = got(FILE, **{"If-None-Match": headers["ETag"]})
    assert (status, body) == (304, b"")
    assert got(FILE, **{"If-None-Match": '"an older one"'})[0] == 200


def test_another_site_is_answered_by_streamlit():
    assert got(FILE, Origin="https://evil.example")[2] == b"another's"
    assert got(FILE, Origin="null")[2] == b"another's"


@pytest.mark.parametrize(
    ("options", "policies"),
    [
        ({}, []),
        (
            {"framed_by": lambda: "'self'\n https://courses.example"},
            ["'self' https://courses.example"],
        ),
    ],
)
def test_a_file_is_what_its_type_says_and_who_is_named_may_frame_a_page(options, policies):
    status, headers, _ = got("/", safe=options)
    assert (status, headers["X-Content-Type-Options"], headers["Referrer-Policy"]) == (
        200,
        "nosniff",
        "same-origin",
    )
    expected = ["default-src 'self'", *(f"frame-ancestors {policy}" for policy in policies)]
    assert headers.get_all("Content-Security-Policy") == expected


@pytest.mark.parametrize(("path", "status"), [("/_stcore/metrics", 404), ("/_stcore/health", 200)])
def test_what_is_closed_is_not_found(path, status):
    assert got(path, safe={"is_closed": lambda path: "metrics" in path})[0] == status
