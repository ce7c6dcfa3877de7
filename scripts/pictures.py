"""Make the README's film, and its screenshots in a real browser: run by `make assets`."""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

from kpviz import cli
from kpviz.commands.serve import command
from kpviz.export import ffmpeg

ASSETS = Path(__file__).parent.parent / "assets"
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")
SHOTS = {
    "comparison": ("compare=svm&t=9999", "dark"),
    "lesson": ("lesson=lesson-07-width", "light"),
}
FILM = "v=1&data=moons&seed=35&sigma=0.4"
CUES = """\
start hold 1 speed 1.5: Can it tell orange from blue?
15 hold 2: 8 mistakes, and all 80 examples are on the right side.
"""
WEBP = (
    "-vf",
    "fps=20",
    "-c:v",
    "libwebp_anim",
    "-quality",
    "88",
    "-loop",
    "0",
)  # It plays on GitHub and on PyPI.


def main() -> None:
    """Make the film, then the screenshots."""
    film()
    screenshots()


def film() -> None:
    """Render the first 15 steps of a run, in which 8 mistakes bend the boundary, as an animated
    picture.
    """
    with tempfile.TemporaryDirectory() as folder:
        cues = Path(folder) / "cues.txt"
        mp4 = Path(folder) / "film.mp4"
        cues.write_text(CUES, encoding="utf-8")
        shape = ["--size", "960x540", "--to", "15", "--title", "", "--quiet"]
        if cli.main(["render", FILM, "--cues", str(cues), *shape, "-o", str(mp4)]):
            raise SystemExit("The film could not be made.")
        subprocess.run(
            [ffmpeg.executable(), "-v", "error", "-y", "-i", str(mp4), *WEBP, ASSETS / "film.webp"],
            check=True,
        )


def screenshots() -> None:
    """Start the app, open each link, and save what is seen at 1366 x 768 at the end of the run."""
    with app() as port, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ["KPVIZ_BROWSER"], args=list(FLAGS)
        )
        for name, (query, theme) in SHOTS.items():
            page = browser.new_page(viewport={"width": 1366, "height": 768}, color_scheme=theme)
            page.goto(f"http://localhost:{port}/?{query}")
            root = page.locator(".kpviz")
            root.wait_for()
            page.wait_for_function("r => r.kpviz && r.kpviz.board", arg=root.element_handle())
            page.locator(".lesson .scene" if query.startswith("lesson") else ".kpviz").wait_for()
            page.wait_for_timeout(2000)  # A lesson's run follows its words.
            page.keyboard.press("End")
            page.wait_for_timeout(2000)  # The last motion comes to rest until then.
            page.screenshot(path=ASSETS / f"{name}.png")
            page.close()
        browser.close()


@contextmanager
def app() -> Iterator[int]:
    """Yield the port of the app, which runs as long as it is needed."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(command("localhost", port, browser=False), stdout=subprocess.DEVNULL)
    try:
        _wait(f"http://localhost:{port}/_stcore/health")
        yield port
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
