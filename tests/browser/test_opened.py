"""The app opened: each page finds what it asks for, below a path and in a frame of another site
too.
"""

import http.server
import threading
from collections import Counter
from contextlib import contextmanager

import pytest
from driver import LOOKED_FOR, Player
from pages import Opened
from playwright.sync_api import Error

pytestmark = pytest.mark.in_app

SIZE = 'width="1300" height="700"'
# What browsers do that block the storage of other sites; those that allow it are to be tested, too.
REFUSED = """for (const name of ["sessionStorage", "localStorage"]) {
  if (window !== window.top) Object.defineProperty(window, name, {
    get() { throw new DOMException("Access is denied for this document.", "SecurityError"); },
  });
}"""


@pytest.fixture
def elsewhere():
    """A function that serves a page of another site, and returns its address: 127.0.0.1 is not
    localhost.
    """
    servers = []

    def serve(page):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200 if self.path == "/" else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(page.encode() * (self.path == "/"))

            def log_message(self, *_):
                pass

        servers.append(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler))
        threading.Thread(target=servers[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_port}/"

    yield serve
    for one in servers:
        one.shutdown()
        one.server_close()


@pytest.fixture(scope="module")
def refusing(chromium):
    """Tabs whose frames keep nothing."""
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    context.add_init_script(REFUSED)
    yield context
    context.close()


@pytest.fixture
def framed(refusing, elsewhere, server):
    """A function that opens a link of the app in a frame of another site."""

    page, errors = refusing.new_page(), []
    page.on("console", lambda message: message.type == "error" and errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))

    def open_frame(path):
        page.goto(
            elsewhere(
                f'<!doctype html><link rel="icon" href="data:,"><iframe {SIZE} '
                f'src="{server}{path}"></iframe>'
            )
        )
        player = Opened(page, page.frames[1])
        return player.ready()

    yield open_frame
    page.close()
    assert errors == []


def test_the_app_plays_in_a_frame_of_another_site(framed):
    player = framed("/?v=1&data=moons&n=20&t=7")
    with pytest.raises(Error, match="SecurityError"):
        player.frame.evaluate("sessionStorage.length")
    assert player.t == 7
    assert player.counter.startswith("7 of 20 examples, first epoch · ")
    player.js("s.setSpeed(1)")
    player.frame.locator(".bar [data-do=play]").click()
    player.until("s.t === s.run.nSteps && !s.clock.playing")


def test_a_link_presents_in_a_frame_of_another_site_and_notes_close_where_no_storage_would_find_them_again(
    framed,
):
    player = framed("/?v=1&stage=16x9")
    assert player.presents
    player.frame.locator("canvas").first.click()
    player.press("ArrowRight", "w")
    player.until("!s.present.on && s.t === 1")
    with player.page.context.expect_page() as opened:
        player.js("s.notes.open()")
    player.until("s.notes.isOpen")
    player.frame.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'F5' }))")
    with opened.value.expect_event("close"):
        player.frame.evaluate("location.reload()")


def test_a_sandbox_that_keeps_the_app_from_starting_is_named(chromium, elsewhere, server):
    page = chromium.new_page()
    page.goto(
        elsewhere(
            f'<!doctype html><iframe sandbox="allow-scripts" {SIZE} src="{server}/?v=1"></iframe>'
        )
    )
    page.frame_locator("iframe").get_by_text("sandbox without allow-same-origin").wait_for()
    page.close()


# ---- all that a page asks for is there -----------------------------------------------------------


@pytest.fixture
def tab(app_context):
    page = app_context.new_page()
    yield page
    page.close()


@contextmanager
def opening(tab):
    """Look at what a page asks for that is opened meanwhile."""
    answers, said, failed = [], [], []
    listeners = {
        "response": lambda answer: answers.append(answer),
        "console": lambda message: message.type in {"error", "warning"} and said.append(message),
        "pageerror": lambda error: failed.append(str(error)),
    }
    for event, listener in listeners.items():
        tab.on(event, listener)
    yield
    tab.locator(".topbar .set:not(:empty)").wait_for()
    tab.wait_for_load_state("networkidle")
    for event, listener in listeners.items():
        tab.remove_listener(event, listener)
    files = Counter(answer.url for answer in answers if "/bidi-components/" in answer.url)
    missing = [answer.url for answer in answers if answer.status >= 400]
    assert [url for url in missing if not LOOKED_FOR.search(url)] == []
    assert len([url for url in files if url.endswith(".js")]) == 1
    assert set(files.values()) == {1}
    assert [message.text for message in said if message.location["url"] not in missing] == []
    assert failed == []


def test_a_page_opened_directly_finds_all_that_it_asks_for(tab, server):
    with opening(tab):
        tab.goto(f"{server}/lab")  # an old address, which leads to the board


def test_all_pages_work_below_a_path_and_find_all_that_they_ask_for(tab, server_behind_a_base):
    base = server_behind_a_base
    player = Player(tab, base)
    with opening(tab):
        player.open("/?v=1&data=moons&t=3")
    assert player.t == 3
    player.press("g", "ArrowRight")
    tab.wait_for_url(f"{base}/?v=1&data=moons&sigma=0.625&t=4")
    player.press("y").page.get_by_text("Link copied.").wait_for()
    assert tab.evaluate("navigator.clipboard.readText()") == tab.url
    player.present().press("y").until("s.present.join.requestedAddress")
    assert player.js("s.present.join.requestedAddress").startswith(f"{base}/?v=1&data=moons")
    player.leave()
    tab.get_by_role("link", name="Kernels").click()
    tab.wait_for_url(f"{base}/?v=1&data=moons&sigma=0.625&t=4&show=derivation.gram.validity")
    tab.goto(f"{base}/lab?v=1&data=moons&kernel=sigmoid&coef0=-1")
    tab.wait_for_url(
        f"{base}/?v=1&data=moons&kernel=sigmoid&coef0=-1&t=1&show=derivation.gram.validity"
    )
    assert "validity" in player.ready().js("s.board.panels.map((panel) => panel.name)")
    with opening(tab):
        player.open("/fisher")
    player.press("d").until("s.run.fisher.header.query.includes('data=blobs')")
    tab.wait_for_url(f"{base}/fisher?v=1&data=blobs")
    tab.get_by_role("link", name="Lessons").click()
    tab.locator(".start h2 a").click()
    tab.wait_for_url(f"{base}/?*lesson=lesson-01-first-steps*")
    assert player.errors == []
