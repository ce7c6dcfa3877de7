"""Open every page of the documentation in a browser: no error, no request elsewhere, no broken
link, figures play.

`make docs-check` runs it; names of pages, as in `reference/keys.html`, choose some. It prints what
is wrong, and how large and how fast the page with the most figures is.
"""

from __future__ import annotations

import gzip
import os
import sys
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

ROOT = Path(__file__).parent.parent
BUILT = ROOT / "build" / "docs" / "html"
sys.path.insert(0, str(ROOT / "tests" / "browser"))

from access import COLOURS, faults  # noqa: E402 - a helper of the tests

LINKS = (
    "() => [...document.querySelectorAll('a[href]')].map((a) => [a.href, a.getAttribute('href')])"
)
IDS = "() => [...document.querySelectorAll('[id]')].map((each) => each.id)"
FIGURES = "figure.kpviz-live iframe"
PYTHON = "/board/python/"  # It comes when somebody turns a setting.
WIDE: ViewportSize = {"width": 1366, "height": 768}
NARROW: ViewportSize = {"width": 390, "height": 844}


class Quiet(SimpleHTTPRequestHandler):
    """Serves the files, and says nothing of it."""

    def log_message(self, *_: object) -> None:
        pass


class Site:
    """The built pages on a server of this machine, and what is wrong with them."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        self.address = address
        self.wrong: list[str] = []
        # Each has its page, its target, and the target as it is written.
        self.links: list[tuple[str, str, str]] = []
        self.ids: dict[str, set[str]] = {}

    def look(self, name: str) -> None:
        """Open a page wide and light, narrow and dark."""
        page = self._open(name, WIDE, "light")
        self.links += [(name, *link) for link in page.evaluate(LINKS)]
        self.ids[name] = set(page.evaluate(IDS))
        for number in range(page.locator(FIGURES).count()):
            self._play(page, number, name)
        page.context.close()
        self._open(name, NARROW, "dark", only=COLOURS).context.close()

    def _open(
        self, name: str, viewport: ViewportSize, scheme: Literal["light", "dark"], only: Any = None
    ) -> Page:
        fault = partial(self.fault, name, f"{viewport['width']} px", scheme)
        page = self.browser.new_context(viewport=viewport, color_scheme=scheme).new_page()
        page.on(
            "console", lambda message: message.type in ("error", "warning") and fault(message.text)
        )
        page.on("pageerror", fault)
        page.on(
            "request", lambda request: self._is_inside(request.url) or fault(f"asks {request.url}")
        )
        page.on("request", lambda request: PYTHON in request.url and fault("wakes Python"))
        page.on(
            "response", lambda response: response.ok or fault(f"{response.status} {response.url}")
        )
        page.goto(self.address + name)
        for details in faults(page, only=only):
            fault(*details)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth + 1"):
            fault("is wider than its window")
        return page

    def _is_inside(self, url: str) -> bool:
        return url.startswith((self.address, "data:", "blob:", "about:"))

    def _play(self, page: Page, number: int, name: str) -> None:
        """See that a figure rests until it is started, and that it plays then."""
        element = page.locator(FIGURES).nth(number)
        element.scroll_into_view_if_needed()
        frame = element.element_handle().content_frame()
        button = frame.get_by_role("button", name="Play").first
        button.wait_for()
        before = element.screenshot()
        page.wait_for_timeout(300)
        if element.screenshot() != before:
            self.fault(name, f"figure {number + 1}", "plays by itself")
        button.click()
        page.wait_for_timeout(1200)
        if element.screenshot() == before:
            self.fault(name, f"figure {number + 1}", "does not play")

    def check_links(self) -> None:
        """See that every link within the site leads to a page that is there, and to a
        place on it.
        """
        for name, target, written in self.links:
            place, fragment = urldefrag(target)
            if not place.startswith(self.address):
                continue
            path = unquote(urlsplit(place).path.removeprefix("/")) or "index.html"
            if not (BUILT / path).is_file():
                self.fault(name, f"links to {written}, which is not there")
            elif fragment and path in self.ids and unquote(fragment) not in self.ids[path]:
                self.fault(name, f"links to {written}, and there is no such place")

    def fault(self, *words: object) -> None:
        """Note what is wrong, and say it."""
        self.wrong.append(": ".join(map(str, words)))
        print(self.wrong[-1], flush=True)


def turned(browser: Browser, address: str) -> str:
    """Turn a setting in the first figure of the documentation, and say how soon its run was
    another one.
    """
    page = browser.new_context(viewport=WIDE).new_page()
    page.goto(address)
    frame = page.locator(FIGURES).first.content_frame
    frame.get_by_role("button", name="XOR").click()
    frame.locator("#kpviz-dock [data-group=kernel]").click()
    began = time.perf_counter()
    frame.locator("[data-field='slider sigma'] .number").fill("0.2")
    page.keyboard.press("Enter")
    frame.locator(".topbar .name a[href*='sigma=0.2']").wait_for(timeout=60_000, state="attached")
    took = time.perf_counter() - began
    page.context.close()
    return f"The first figure is the app: σ was turned, and Python answered after {took:.1f} s."


def measured(browser: Browser, address: str, name: str) -> str:
    """Say how soon the first figure of a page plays, the best of three, and how large page and
    player are.
    """
    files = [BUILT / name, BUILT / "board" / "kpviz.js"]
    size = sum(len(gzip.compress(path.read_bytes())) for path in files)
    soonest = min(_first(browser, address + name) for _ in range(3))
    return (
        f"{name}: its first figure plays after {soonest:.2f} s; page and player have "
        f"{size / 1000:.0f} kB compressed."
    )


def _first(browser: Browser, url: str) -> float:
    page = browser.new_context(viewport=WIDE).new_page()
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    frame = page.locator(FIGURES).first.element_handle().content_frame()
    frame.get_by_role("button", name="Play").first.click()
    took = time.perf_counter() - began
    page.context.close()
    return took


def main() -> int:
    """Check all pages; return 1 if anything is wrong."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=BUILT))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = urljoin(f"http://127.0.0.1:{server.server_port}", "/")
    pages = (path.relative_to(BUILT) for path in BUILT.rglob("*.html"))
    # A page in the folder _static is a theme's template.
    names = sys.argv[1:] or sorted(path.as_posix() for path in pages if path.parts[0] != "_static")
    most = max(names, key=lambda name: (BUILT / name).read_text(encoding="utf-8").count("<iframe"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ["KPVIZ_BROWSER"], args=["--no-sandbox", "--disable-gpu"]
        )
        print(measured(browser, address, most), flush=True)
        print(turned(browser, address), flush=True)
        site = Site(browser, address)
        for number, name in enumerate(names, 1):
            print(f"\r{number} of {len(names)} {name:60}", end="", file=sys.stderr, flush=True)
            site.look(name)
        site.check_links()
        browser.close()
    print(f"{len(names)} pages, {len(site.wrong)} faults.")
    return bool(site.wrong)


if __name__ == "__main__":
    sys.exit(main())
