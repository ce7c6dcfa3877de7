"""Take the README's screenshots in a real browser: run by `make assets`."""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import sync_playwright

from kpviz.commands.serve import command

ASSETS = Path(__file__).parent.parent / "assets"
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")
SHOTS = {
    "player": ("v=1&t=56", "light"),
    "player-dark": ("v=1&t=180", "dark"),
    "linear": ("v=1&kernel=linear&t=3000", "light"),
    "spirals": ("v=1&data=spirals&n=160&sigma=0.16&held=0.3&t=400&show=alpha.code.margins", "light"),
    "compare": (
        "v=1&data=linear&kernel=linear&learner=svm&C=1000&pins=1&p1.kernel=linear&p1.intercept=unit&t=120",
        "light",
    ),
    "forgetron": ("v=1&data=moons&learner=forgetron&t=140", "light"),
    "breast-cancer": ("v=1&data=breast_cancer&held=0.3&sigma=0.3&predictor=averaged&t=3000", "light"),
}


def main() -> None:
    """Start the app, open each link, and save what is seen at 1366 x 768."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(command("localhost", port, browser=False), stdout=subprocess.DEVNULL)
    try:
        _wait(f"http://localhost:{port}/_stcore/health")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=os.environ["KPVIZ_BROWSER"], args=list(FLAGS))
            for name, (query, theme) in SHOTS.items():
                page = browser.new_page(viewport={"width": 1366, "height": 768}, color_scheme=theme)
                page.goto(f"http://localhost:{port}/?{query}")
                root = page.locator(".kpviz")
                root.wait_for()
                page.wait_for_function("r => r.kpviz && r.kpviz.board", arg=root.element_handle())
                page.wait_for_load_state("networkidle")
                page.screenshot(path=ASSETS / f"{name}.png")
                page.close()
            browser.close()
    finally:
        server.terminate()
        server.wait()


def _wait(address: str) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(address, timeout=1)
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("The app did not start within 30 s: run `kpviz app` to see why.")


if __name__ == "__main__":
    main()
