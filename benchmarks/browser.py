"""The app as its users feel it, in headless Chromium on this machine."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import statistics
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from benchmarks.editing import dragging, turning
from benchmarks.timing import full, line
from kpviz.commands.serve import command

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-sync",
)
_HEAVY = "v=1&data=blobs&n=500&noise=0.4&flipped=0.1&sigma=0.2"  # This run makes many mistakes.
_200 = "v=1&data=blobs&n=200&noise=0.4&flipped=0.05&sigma=0.2"

_PLAYED = (  # Each has what is promised of it, and by how much the processor is slowed down.
    (_200, "200 points", "", 1),
    (_200, "200 points, 6 × slower processor", "≥ 25 frames/s", 6),
    (_HEAVY, "500 points", "≥ 55 frames/s", 1),
)

FRAMES = """async ([root, ms]) => {
  const { cursor } = root.kpviz.player, times = [];
  cursor.setSpeed(1); cursor.go(0); cursor.toggle();
  await new Promise(done => {
    const start = performance.now();
    const frame = now => {
      times.push(now);
      if (now - start < ms || times.length < 3) requestAnimationFrame(frame);
      else done();
    };
    requestAnimationFrame(frame);
  });
  const { t } = cursor; cursor.go(t);
  return { gaps: times.slice(1).map((now, k) => now - times[k]), t };
}"""

STEPS = """async ([root, steps]) => {
  const { cursor } = root.kpviz.player;
  cursor.go(40);
  for (let k = 0; k < steps; k++) {
    await new Promise((done) => requestAnimationFrame(() => {
      cursor.step("example", 1);
      done();
    }));
  }
}"""

PLACES = """root => {
  const { canvas, player } = root.kpviz, corner = canvas.getBoundingClientRect();
  return Object.entries(player.layout.panels).map(([name, { x, y, w, h }]) =>
    [name, corner.x + x + w / 2, corner.y + y + h / 2]);
}"""

JUMPS = """async ([root, jumps]) => {
  const stage = root.kpviz, { run, cursor } = stage.player, n = run.nSteps, times = [];
  for (let k = 0; k < jumps; k++) {
    const t = Math.floor((k * 7919) % n);
    await new Promise(requestAnimationFrame);
    const start = performance.now();
    stage.player.state.change({ t }); stage.draw(); times.push(performance.now() - start);
  }
  return { times, changes: run.trace.step.length };
}"""

CHANGES = """async ([root, name, changes]) => {
  const stage = root.kpviz, { player, actions } = stage, draw = stage.draw, times = [];
  for (let k = 0; k < changes; k++) {
    const before = player.run, start = performance.now();
    await new Promise(done => {
      stage.draw = now => {
        draw.call(stage, now);
        if (player.run === before) return;
        times.push(performance.now() - start);
        done();
      };
      actions.send(name);
    });
    stage.draw = draw;
    // A change begins at another place between two frames than the one before: if all began at the
    // same, 2 ms more could cost a whole frame in each, or in none.
    await new Promise(done => setTimeout(done, 120 + (17 * k) / changes));
  }
  return times;
}"""  # It ends when the picture is drawn: the screen shows it when it is next refreshed.


@contextlib.contextmanager
def server() -> Iterator[tuple[str, float, int]]:
    """Start the app; yield its address, when it was started, and its process."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    started = time.perf_counter()
    process = subprocess.Popen(
        command("localhost", port, browser=False),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield f"http://localhost:{port}", started, process.pid
    finally:
        process.terminate()
        process.wait()


def wait_until_up(address: str) -> None:
    """Return when the server answers."""
    while True:
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1)
            return
        except OSError:
            time.sleep(0.02)


def ready(page: Page, url: str) -> Any:
    """Open a page; return the player's root once it has drawn."""
    root = page.locator(".kpviz")
    # Another board is opened for its numbers only, a lesson always.
    needs_page = "lesson=" in url or not root.count()
    if full(size=True, little=needs_page):
        page.goto(url)
    root.wait_for()
    page.wait_for_function("r => r.kpviz && r.kpviz.board", arg=root.element_handle(), polling=10)
    return root


def first_picture(browser: Browser, address: str, started: float) -> float:
    """Seconds from the start of the server to its first picture; the browser is already open."""
    wait_until_up(address)
    page = browser.new_page()
    ready(page, address)
    taken = time.perf_counter() - started
    page.close()
    return taken


def playing(page: Page, address: str, query: str, what: str, promised: str, throttle: int) -> None:
    """Frames and main thread while playing at 60 steps a second."""
    root = ready(page, f"{address}/?{query}")
    client = page.context.new_cdp_session(page)
    sent: list[str] = []
    client.send("Network.enable")
    client.on("Network.webSocketFrameSent", lambda event: sent.append(event["requestId"]))
    time.sleep(full(1.0, 0.1))
    sent.clear()
    client.send("Emulation.setCPUThrottlingRate", {"rate": throttle})
    heap = _heap(client)
    clocks = {kind: _clock(page, kind) for kind in ("timeTicks", "threadTicks")}
    gaps: list[float] = []
    steps: dict[str, list[float]] = {kind: [] for kind in clocks}
    for _ in range(full(3, 1)):
        busy = {kind: _busy(clock) for kind, clock in clocks.items()}
        taken = page.evaluate(FRAMES, [root.element_handle(), full(5000, 200)])
        for kind, clock in clocks.items():
            steps[kind].append(1000 * (_busy(clock) - busy[kind]) / max(taken["t"], 1))
        gaps += taken["gaps"]
    rate = 1000 / statistics.median(gaps)
    slow = 100 * sum(gap > 25 for gap in gaps) / len(gaps)
    note = f"{slow:.0f} % of frames late, {len(sent)} messages"
    line(f"playing at 60 steps/s, {what}", f"{rate:.0f} frames/s", note, promised)
    if throttle == 1:
        middle, processor = (statistics.median(steps[kind]) for kind in clocks)
        line(
            "  main thread per step, all included",
            f"{middle:.1f} ms",
            f"median of {len(steps['timeTicks'])}, of them {processor:.1f} ms of the processor",
            "≤ 3 ms at 200 points",
        )
        line("  heap after that", f"{(_heap(client) - heap) / 1e6:+.1f} MB", "", "nothing grows")
    client.send("Emulation.setCPUThrottlingRate", {"rate": 1})


def stepping(page: Page, address: str) -> None:
    """Script for a step and its picture, a step a frame, with the pointer on no panel and on each.

    It is the least of some rounds, in which the places of the pointer take turns.
    """
    root = ready(page, f"{address}/?{_HEAVY}")
    clock = _clock(page, "threadTicks")
    places = [("no panel", 0.0, 0.0), *page.evaluate(PLACES, root.element_handle())]
    steps = full(30, 3)
    taken: dict[str, list[float]] = {name: [] for name, _, _ in places}
    for _ in range(full(20, 1)):
        for name, x, y in places:
            page.mouse.move(x, y)
            before = _busy(clock, "ScriptDuration")
            page.evaluate(STEPS, [root.element_handle(), steps])
            taken[name].append(1000 * (_busy(clock, "ScriptDuration") - before) / steps)
    least = {name: min(times) for name, times in taken.items()}
    for name, time_taken in least.items():
        line(
            f"a step at 500 points, pointer on {name}",
            f"{time_taken:.1f} ms",
            f"{time_taken / (least['no panel'] or 1):.2f} × that without a pointer",
            "≤ 3 ms",
        )


def jumping(page: Page, address: str) -> None:
    """From anywhere to anywhere."""
    query = f"v=1&data=blobs&n=300&noise=0.6&flipped=0.2&sigma=0.4&epochs={full(120, 2)}"
    root = ready(page, f"{address}/?{query}")
    taken = page.evaluate(JUMPS, [root.element_handle(), full(40, 2)])
    line(
        f"jump to any t of a run with {taken['changes']:,} changes",
        f"{statistics.median(taken['times']):.1f} ms",
        f"worst {max(taken['times']):.1f} ms",
        "≤ 16 ms",
    )


def changing(page: Page, address: str) -> None:
    """From a changed setting to the new picture."""
    cases = (
        (_200, "200 points", "≤ 25 ms"),
        (
            "v=1&data=blobs&n=1000&noise=0.4&sigma=0.2&epochs=100",
            "1,000 points, 100 epochs",
            "≤ 120 ms",
        ),
    )
    for query, what, promised in full(cases, cases[:1]):
        root = ready(page, f"{address}/?{query}")
        time.sleep(5.5)  # Until then the processes of the pool have started.
        times = page.evaluate(CHANGES, [root.element_handle(), "redraw", full(15, 1)])
        line(
            f"setting changed to new picture, {what}",
            f"{statistics.median(times):.0f} ms",
            "",
            promised,
        )


def editing(page: Page, address: str) -> None:
    """From a point that moves, or a number that turns, to the picture."""
    cases = ((_200, "200 points"), (_HEAVY, "500 points, many mistakes"))
    for query, what in full(cases, cases[:1]):
        root = ready(page, f"{address}/?{query}")
        time.sleep(5.5)  # Until then the processes of the pool have started.
        dragging(page, root, what)
        root = ready(page, f"{address}/?{query}")
        turning(page, root, what)


def dragging_at_once(browser: Browser) -> None:
    """From a point that moves to the picture, on a server that has just started."""
    with server() as (address, _, _):
        wait_until_up(address)
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        dragging(page, ready(page, f"{address}/?{_200}"), "200 points, a new server")
        page.close()


def sessions(browser: Browser, address: str, pid: int) -> None:
    """Memory of open sessions on the server."""
    pages = [browser.new_page() for _ in range(full(6, 2))]
    ready(pages[0], address)
    before = resident(pid)
    for page in pages[1:]:
        ready(page, address)
    per_session = (resident(pid) - before) / (len(pages) - 1)
    more = f"mean of {len(pages) - 1} more sessions"
    line("memory of an open session on the server", f"{per_session / 1e6:.1f} MB", more, "≤ 5 MB")
    for page in pages:
        page.close()


def _clock(page: Page, kind: str) -> CDPSession:
    """Return what counts how long the main thread is busy: by the clock, or by the time the
    processor gives it.
    """
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable", {"timeDomain": kind})
    return client


def _busy(client: CDPSession, name: str = "TaskDuration") -> float:
    metrics = client.send("Performance.getMetrics")["metrics"]
    return next(float(metric["value"]) for metric in metrics if metric["name"] == name)


def _heap(client: CDPSession) -> float:
    client.send("HeapProfiler.collectGarbage")
    metrics = client.send("Runtime.getHeapUsage")
    return float(metrics["usedSize"])


def resident(pid: int) -> float:
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Print the table."""
    path = (
        os.environ.get("KPVIZ_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        taken = []
        for _ in range(full(2, 0)):
            with server() as (address, started, _):
                taken.append(first_picture(browser, address, started))
        with server() as (address, started, pid):
            taken.append(first_picture(browser, address, started))
            median = f"{statistics.median(taken):.2f} s"
            line("server started to first picture", median, f"median of {len(taken)}", "≤ 2 s")
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            for query, what, promised, throttle in full(_PLAYED, _PLAYED[:1]):
                playing(page, address, query, what, promised, throttle)
            stepping(page, address)
            jumping(page, address)
            changing(page, address)
            editing(page, address)
            full(dragging_at_once, lambda _: None)(browser)
            if os.path.exists("/proc/self/statm"):
                sessions(browser, address, pid)
        browser.close()
