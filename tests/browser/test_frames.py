"""The app in a frame of another site, where the browser refuses all storage."""

import http.server
import threading

import pytest
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
    """A function that serves a page of another site, and returns its address: 127.0.0.1 is not localhost."""
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
            elsewhere(f'<!doctype html><link rel="icon" href="data:,"><iframe {SIZE} src="{server}{path}"></iframe>')
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
    assert "step 7 of" in player.counter
    player.js("s.setSpeed(1)")
    player.frame.locator(".bar [data-do=play]").click()
    player.until("s.t === s.run.nSteps && !s.clock.playing")


def test_a_link_presents_in_a_frame_of_another_site(framed):
    player = framed("/?v=1&stage=16x9")
    assert player.js("s.present.on")
    player.frame.locator("canvas").first.click()
    player.press("ArrowRight", "w")
    player.until("!s.present.on && s.t === 1")
    assert player.errors == []


def test_the_notes_close_where_no_storage_would_find_them_again(framed):
    player = framed("/?v=1")
    with player.page.context.expect_page() as opened:
        player.js("s.notes.open()")
    player.until("s.notes.isOpen")
    player.frame.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'F5' }))")
    with opened.value.expect_event("close"):
        player.frame.evaluate("location.reload()")


def test_a_sandbox_that_keeps_the_app_from_starting_is_named(chromium, elsewhere, server):
    page = chromium.new_page()
    page.goto(elsewhere(f'<!doctype html><iframe sandbox="allow-scripts" {SIZE} src="{server}/?v=1"></iframe>'))
    page.frame_locator("iframe").get_by_text("sandbox without allow-same-origin").wait_for()
    page.close()
