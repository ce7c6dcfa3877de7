"""The service worker of a folder of pages: what was loaded opens without a network, a new version
takes its place, and nothing else is kept.
"""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from asking import served
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from kpviz.export.page import board
from kpviz.export.page.pythons import Python
from kpviz.service.packing import packed

PYTHON = Python(
    {"worker": "python/worker.js", "size": 1},
    {"python/worker.js": b"// It is woken by nobody.", "python/large.bin": b"large"},
)
HERE = "/courses/ml/"
BESIDE = "/courses/ml-2/"
KEPT = """async () => {
  const pairs = (await caches.keys()).map(async (name) => {
    const requests = await (await caches.open(name)).keys();
    return [name, requests.map(({ url }) => url.split("?")[0].replace(location.origin, "")).sort()];
  });
  return Object.fromEntries(await Promise.all(pairs));
}"""
CONTROLLED = """async () => {
  await navigator.serviceWorker.ready;
  return navigator.serviceWorker.controller !== null;
}"""


@pytest.fixture(scope="module")
def answers():
    with ThreadPoolExecutor(1) as thread:  # Playwright has an event loop in this one.
        return {
            page: [thread.submit(packed, "", page=page).result()] for page in ("play", "fisher")
        }


def write(folder, answers, python=PYTHON):
    for name, data in board.files(python, answers):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


@pytest.fixture
def folder(tmp_path, answers):
    write(tmp_path, answers)
    return tmp_path


@contextmanager
def host(folder, port=0):
    """A web space that has the folder at two places."""
    places = [Mount(path, StaticFiles(directory=folder, html=True)) for path in (HERE, BESIDE)]
    with served(Starlette(routes=places), port) as address:
        yield f"http://{address}"


@pytest.fixture
def visitor(player_with):
    """Someone whose browser knows nothing of the folder yet."""
    return player_with()


def visit(player, address):
    player.page.goto(address)
    return player.ready()


def kept(player, path=HERE):
    names = player.page.evaluate(KEPT)
    return next(found for name, found in names.items() if name.endswith(path))


def is_kept_by_now(player):
    """Wait until the service worker has the page, and what it keeps is written."""
    assert player.page.evaluate(CONTROLLED)
    for _ in range(100):
        if f"{HERE}kpviz.js" in kept(player):
            return
        player.page.wait_for_timeout(30)
    raise AssertionError(kept(player))


def test_after_the_second_visit_the_folder_opens_without_a_network(visitor, folder):
    with host(folder) as address:
        visit(visitor, f"{address}{HERE}")
        assert visitor.page.evaluate(CONTROLLED)
        visit(visitor, f"{address}{HERE}?v=1")
        is_kept_by_now(visitor)
        assert kept(visitor) == [f"{HERE}index.html", f"{HERE}kpviz.js"], "and no Python"
    visit(visitor, f"{address}{HERE}")
    assert visitor.js("s.run.header.names.data") == "XOR"
    visit(visitor, f"{address}{HERE}index.html")
    assert visitor.go(3).t == 3


def test_a_new_version_takes_the_place_of_the_one_that_was_kept_and_the_page_says_so(
    visitor, folder, answers
):
    with host(folder) as address:
        port = int(address.rpartition(":")[2])
        visit(visitor, f"{address}{HERE}")
        visitor.page.evaluate(CONTROLLED)
        visit(visitor, f"{address}{HERE}")
        is_kept_by_now(visitor)
        assert visitor.notices.count() == 0
        write(folder, answers, PYTHON._replace(told={**PYTHON.told, "size": 2}))
        visit(visitor, f"{address}{HERE}")
        visitor.notices.filter(has_text="has a new version").wait_for()
        size = "JSON.parse(document.getElementById('run').textContent).python.size"
        assert visitor.page.evaluate(size) == 2
        visit(visitor, f"{address}{HERE}")
        assert visitor.notices.count() == 0, "it is said once"
    visit(visitor, f"{address}{HERE}")
    assert visitor.page.evaluate(size) == 2
    assert port


def test_a_folder_beside_another_keeps_its_own_files_alone(visitor, folder):
    (folder / "exam.pdf").write_bytes(b"%PDF")
    with host(folder) as address:
        for path in (HERE, BESIDE):
            for _ in range(2):
                visit(visitor, f"{address}{path}fisher.html")
                assert visitor.page.evaluate(CONTROLLED)
            visitor.page.evaluate("fetch('exam.pdf').then((response) => response.blob())")
            visitor.page.evaluate("fetch('python/large.bin').then((response) => response.blob())")
        names = ["fisher.html", "kpviz.js", "python/large.bin"]
        assert kept(visitor, BESIDE) == [f"{BESIDE}{name}" for name in names]
        assert kept(visitor) == [f"{HERE}{name}" for name in names]


def test_a_python_of_another_version_is_not_kept_until_it_is_woken(visitor, folder, answers):
    with host(folder) as address:
        for _ in range(2):
            visit(visitor, f"{address}{HERE}")
            visitor.page.evaluate(CONTROLLED)
        visitor.page.evaluate("fetch('python/large.bin').then((response) => response.blob())")
        assert f"{HERE}python/large.bin" in kept(visitor)
        files = {**PYTHON.files, "python/large.bin": b"larger"}
        write(folder, answers, PYTHON._replace(files=files))
        visit(visitor, f"{address}{HERE}")
        visitor.notices.filter(has_text="has a new version").wait_for()
        is_kept_by_now(visitor)
        assert f"{HERE}python/large.bin" not in kept(visitor)


def test_where_a_browser_allows_no_service_worker_the_page_works(player_with, folder):
    player = player_with(service_workers="block")
    with host(folder) as address:
        visit(player, f"{address}{HERE}")
        assert player.go(3).t == 3
        assert player.page.evaluate(KEPT) == {}


def test_in_a_sandboxed_frame_the_page_works(visitor, folder):
    with host(folder) as address:
        frame = f'<iframe sandbox="allow-scripts" src="{address}{HERE}" width=1200 height=700>'
        (folder / "around.html").write_text(frame)
        visitor.page.goto(f"{address}{HERE}around.html")
        visitor.page.frames[1].locator(".kpviz canvas").first.wait_for()
        visitor.page.frames[1].locator(".topbar").wait_for()
