"""One server and one browser for the tests of a worker, and a player opened for each test."""

from contextlib import contextmanager
from pathlib import Path

import in_a_folder
import pytest
import servers
from again import twice
from dock_page import DockPage
from driver import PATIENCE, UNSEEN, Player
from fisher_board import Board
from pages import Opened, written
from started import started

from kpviz.settings import Settings

HERE = Path(__file__).parent
FLAGS = [
    "--no-sandbox",
    "--font-render-hinting=none",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--in-process-gpu",
]
# What a browser keeps is of one test alone; the opening has been seen.
SEEN = """try {
  if (window.name === "next test") {
    for (const storage of [sessionStorage, localStorage]) storage.clear();
    window.name = "";
  }
  localStorage.setItem("kpviz-opening", "seen");
  const ask = Element.prototype.requestFullscreen;
  Element.prototype.requestFullscreen = function (...options) {
    sessionStorage.setItem("filled the screen", "");
    return ask.apply(this, options);
  };
} catch {}"""
FILLED = (
    "(() => { try { return sessionStorage.getItem('filled the screen') !== null } catch { "
    "return true } })()"
)
VIEWPORT = {"width": 1366, "height": 768}
PHONE = (390, 844)


def pytest_generate_tests(metafunc):
    is_ours = Path(metafunc.module.__file__).parent == HERE
    if is_ours and "page_kind" in metafunc.fixturenames and (kinds := in_a_folder.kinds(metafunc)):
        metafunc.parametrize("page_kind", kinds, indirect=True)


def pytest_collection_modifyitems(config, items):
    here = [item for item in items if item.path.parent == HERE]
    for item in here:
        item.add_marker(pytest.mark.browser)
    left_out = in_a_folder.left_out(here)
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    return twice(item, nextitem) if item.path.parent == HERE else None


@pytest.fixture(scope="session")
def chromium(browser_path):
    """The browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
        yield browser
        browser.close()


server = servers.server
bare_server = servers.bare_server


@pytest.fixture(scope="session")
def server_behind_a_base(tmp_path_factory):
    """The address of one that stands beneath another site's."""
    with started(tmp_path_factory.mktemp("base") / "log.txt", "/courses/k") as address:
        yield address


def _context(chromium, *, visited=True, **options):
    """A context in whose browser, unless it was not `visited`, the opening has been seen."""
    context = chromium.new_context(**{"viewport": VIEWPORT, "accept_downloads": True, **options})
    context.add_init_script(UNSEEN)
    if visited:
        context.add_init_script(SEEN)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    context.set_default_timeout(PATIENCE)
    return context


def _shared_context(**options):
    """A fixture: a context for the session, whose tabs share the cache of the page's files."""

    @pytest.fixture(scope="session")
    def shared(chromium):
        context = _context(chromium, **options)
        yield context
        context.close()

    return shared


app_context = _shared_context()
# Through a service worker no request could be seen, or answered by a test.
bare_context = _shared_context(service_workers="block")
folder_context = _shared_context(service_workers="block")
phone_context = _shared_context(has_touch=True, is_mobile=True, service_workers="block")


@contextmanager
def _opened(context, base):
    player = Player(context.new_page(), base)
    try:
        yield player
        assert player.errors == []
    finally:
        player.page.close()


@pytest.fixture(scope="session")
def app_tab(app_context, server):
    """Opening one tab anew costs half of what a new tab costs; each load of the page is a session
    of its own.
    """
    with _opened(app_context, server) as player:
        yield player


@pytest.fixture(scope="session")
def bare_tab(bare_context, bare_server):
    """A tab in which the player opens without the app, at a quarter of the cost."""
    with _opened(bare_context, bare_server) as player:
        yield player


@pytest.fixture(scope="session")
def folder_server(bare_server):
    """The address of the page of a folder, of which the same server answers the questions."""
    return bare_server + in_a_folder.PATH


@pytest.fixture(scope="session")
def folder_tab(folder_context, folder_server):
    with _opened(folder_context, folder_server) as player:
        yield player


@pytest.fixture
def page_kind(request):
    """Which page a test opens: the one without the app round it, or that of a folder."""
    return getattr(request, "param", "bare")


def _in_app(request):
    """Whether a test or its file needs the app round the player."""
    return request.node.get_closest_marker("in_app") is not None


def _base(request, page_kind):
    return request.getfixturevalue("server" if _in_app(request) else f"{page_kind}_server")


def _lent(request, tab, *size):
    """A tab for one test; the console must have stayed without errors by the end of it."""
    tab.forget()
    if hasattr(request.node, "tried"):
        tab.renew()
    tab.wear(*size)
    tab.page.bring_to_front()  # one behind another draws one frame a second
    yield tab
    errors = tab.errors[:]
    tab.forget()
    if tab.page.evaluate(FILLED):
        tab.renew()
    elif _in_app(request):
        tab.page.goto("about:blank")
    assert errors == []


@pytest.fixture
def player(request, page_kind):
    """A tab to open a link in."""
    kind = "app" if _in_app(request) else page_kind
    yield from _lent(request, request.getfixturevalue(f"{kind}_tab"))


@pytest.fixture(scope="session")
def bare_phone_tab(phone_context, bare_server):
    with _opened(phone_context, bare_server) as player:
        yield player


@pytest.fixture(scope="session")
def folder_phone_tab(phone_context, folder_server):
    with _opened(phone_context, folder_server) as player:
        yield player


@pytest.fixture
def phone(request, page_kind):
    """A tab on a phone, to be touched."""
    yield from _lent(request, request.getfixturevalue(f"{page_kind}_phone_tab"), *PHONE)


@pytest.fixture
def another(request, page_kind):
    """A second tab."""
    kind = "app" if _in_app(request) else page_kind
    with _opened(request.getfixturevalue(f"{kind}_context"), _base(request, page_kind)) as player:
        yield player


@pytest.fixture(scope="module")
def shared(bare_context, bare_server):
    """One tab for all tests of a file that leave it as it is."""
    with _opened(bare_context, bare_server) as player:
        player.open()
        yield player


@pytest.fixture
def player_with(request, chromium, page_kind):
    """Return a function that makes a tab in a context with options, such as a dark theme."""
    base = _base(request, page_kind)
    opened = []

    def make(**options):
        context = _context(chromium, **options)
        opened.append((context, Player(context.new_page(), base)))
        return opened[-1][1]

    yield make
    errors = [error for _, player in opened for error in player.errors]
    for context, _ in opened:
        context.close()
    assert errors == []


# ---- the settings beside the map, alone ----


@pytest.fixture(scope="module")
def dock_tab(bare_context):
    tab = bare_context.new_page()
    tab.set_default_timeout(5000)
    yield tab
    tab.close()


@pytest.fixture
def dock(dock_tab, bare_server):
    dock_tab.set_viewport_size(VIEWPORT)
    page = DockPage(dock_tab, bare_server)
    yield page
    assert page.errors == []


# ---- the page that plays itself ----


@pytest.fixture(scope="session")
def offline(chromium):
    """Tabs without a network."""
    context = chromium.new_context(viewport=VIEWPORT, offline=True)
    context.add_init_script(UNSEEN)
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def tab(offline):
    page = offline.new_page()
    yield page
    page.close()


@pytest.fixture(scope="session")
def shared_tab(offline):
    """Opening one tab anew costs half of what a new tab costs."""
    player = Opened(offline.new_page())
    yield player
    player.page.close()


@pytest.fixture
def alone(shared_tab):
    """That tab, in which nothing may be asked for, or fail."""
    player, asked = shared_tab, []

    def note(request):
        asked.append(request.url[:200])

    player.page.on("request", note)
    yield player
    player.page.remove_listener("request", note)
    assert player.errors == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


@pytest.fixture
def opened(alone, tmp_path):
    """A function that writes a page, and opens it where there is no network."""

    def open_page(settings=None, *, size=(1366, 768), media=None, **options):
        alone.forget()
        alone.wear(*size, **(media or {}))
        alone.page.goto(written(tmp_path, settings or Settings.of(), **options).as_uri())
        return alone.ready()

    return open_page


# ---- Fisher's board ----


@pytest.fixture(scope="module")
def bare_board(bare_context, bare_server):
    board = Board(bare_context.new_page(), bare_server)
    yield board
    board.page.close()


@pytest.fixture(scope="module")
def folder_board(folder_context, folder_server):
    board = Board(folder_context.new_page(), folder_server)
    yield board
    board.page.close()


@pytest.fixture(scope="module")
def app_board(app_context, server):
    board = Board(app_context.new_page(), server)
    yield board
    board.page.close()


@pytest.fixture
def board(request, page_kind):
    """A tab whose console must stay without errors of ours."""
    kind = "app" if _in_app(request) else page_kind
    board = request.getfixturevalue(f"{kind}_board")
    board.forget()
    yield board.wear()
    assert board.errors == []
