"""What a first visit loads: all bytes of its requests, as they go over the wire."""

from __future__ import annotations

import os
import shutil
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from benchmarks.browser import ready, server, wait_until_up
from benchmarks.timing import full, line

_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-sync",
)


def first_visit(browser: Browser, address: str, pause: float) -> dict[str, int]:
    """Return the bytes of each address that a new browser loads until so many milliseconds after
    the first picture.
    """
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    page = context.new_page()
    client = context.new_cdp_session(page)
    addresses: dict[str, str] = {}
    sizes: dict[str, int] = {}

    def begin(event: dict[str, Any]) -> None:
        addresses[event["requestId"]] = event["request"]["url"]

    def finish(event: dict[str, Any]) -> None:
        url = addresses[event["requestId"]]
        sizes[url] = sizes.get(url, 0) + int(event["encodedDataLength"])

    client.on(
        "Network.requestWillBeSent",
        lambda event: addresses.update({event["requestId"]: event["request"]["url"]}),
    )
    client.on("Network.loadingFinished", finish)
    client.send("Network.enable")
    ready(page, address)
    page.wait_for_timeout(pause)
    context.close()
    return sizes


def main() -> None:
    """Print the table."""
    path = (
        os.environ.get("KPVIZ_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    )
    with sync_playwright() as playwright, server() as (address, _, _):
        browser = playwright.chromium.launch(executable_path=path, args=list(_FLAGS))
        wait_until_up(address)
        sizes = first_visit(browser, address, full(5000, 0))
        line(
            "first visit, over the wire",
            f"{sum(sizes.values()) / 1e6:.2f} MB",
            f"{len(sizes)} requests",
            "≤ 1.7 MB",
        )
        for url in sorted(sizes, key=lambda one: -sizes[one])[:5]:
            line(f"  {url.rsplit('/', 1)[-1]}", f"{sizes[url] / 1e6:.2f} MB")
        browser.close()
