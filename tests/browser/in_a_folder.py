"""The page of a folder (`kpviz site`) with the server's Python: what the tests of this folder find in
the app's page they find in this one. Its worker hands all questions on to the run service
(socket_worker.js), so that a test costs little more than there.

In each run one test of each file opens this page, too, the first that can: with KPVIZ_FOLDER=all
all of them open it, and not the app's.
"""

import inspect
import os
from functools import cache
from pathlib import Path

from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route

from kpviz.export.page import board
from kpviz.export.page.pythons import Python

ALL = os.environ.get("KPVIZ_FOLDER") == "all"
PATH = "/folder"
WORKER = Path(__file__).with_name("socket_worker.js")
PYTHON = Python({"worker": "worker.js", "service": "../kpviz/service", "size": 1}, {})
KEPT = {"Cache-Control": "max-age=3600"}
FIXTURES = {"player", "phone", "another", "player_with", "board"}  # They open either page.

# Files none of whose tests opens it, and why.
OTHER_PAGES = {
    "test_alone.py": "opens the folder itself, with Python in it",
    "test_behind_nginx.py": "is about servers",
    "test_dock.py": "opens the settings alone",
    "test_lesson_list.py": "opens the app's list of lessons",
    "test_lesson_page.py": "opens the page of a lesson, from disk",
    "test_mending.py": "is about the app's files",
    "test_opened.py": "is about what the app finds",
    "test_opened_file.py": "is about what `kpviz app FILE` hands to the page",
    "test_page.py": "opens the page that plays itself, from disk",
    "test_painter.py": "paints, and opens no page",
    "test_site.py": "opens a course's folder, from disk",
    "test_wire.py": "counts the bytes of the app",
}
# Tests, or cases of them, that cannot open it, and why.
NOT_THERE = {
    "test_export.py::test_pictures_and_films_are_asked_of_whoever_draws_them": (
        "a dialog of the app draws them"
    ),
    "test_export.py::test_it_is_closed_in_three_ways_and_the_focus_goes_back": (
        "reads the focus within the app's element"
    ),
    "test_export.py::test_opened_by_the_pointer_it_leaves_the_keys_to_the_board": (
        "reads the focus within the app's element"
    ),
    "test_who_takes_a_key.py::test_each_key_does_in_each_mode_what_it_did[Fisher]": (
        "what lies below an arrow key depends on the margins of the app's page"
    ),
    "test_opened_file.py::test_a_lesson_is_opened_by_its_name_and_a_file_that_is_gone_is_told": (
        "a command opens it"
    ),
}


def mount():
    """The folder, below the server that has the run service."""
    addresses = {"play": ("/", "/index.html"), "fisher": ("/fisher", "/fisher.html")}
    pages = [
        Route(path, lambda request, name=name: HTMLResponse(html(name)))
        for name, paths in addresses.items()
        for path in paths
    ]
    scripts = {board.PLAYER: board.player, board.KEEPER: str, "worker.js": WORKER.read_text}
    files = [
        Route(f"/{name}", lambda request, text=text: script(text()))
        for name, text in scripts.items()
    ]
    return Mount(PATH, routes=[*pages, *files])


@cache
def html(name):
    places = {"": "./", "lab": "./", "fisher": "fisher", **board.LISTS}
    return board.page(PYTHON, name, [], places)


def script(text):
    return Response(text, media_type="text/javascript", headers=KEPT)


# ---- which tests open it -------------------------------------------------------------------------


def kinds(metafunc):
    """The pages that a test opens; None: the app's alone, which needs no name."""
    if not can_open(metafunc.module, metafunc.function.__name__):
        return None
    if ALL:
        return ["folder"]
    is_first = metafunc.function.__name__ == first_of(metafunc.module)
    return ["bare", "folder"] if is_first else None


def first_of(module):
    """The name of the test of a file that opens both pages, None where none can."""
    names = [name for name in vars(module) if name.startswith("test_")]
    return next((name for name in names if can_open(module, name)), None)


def can_open(module, name):
    """Whether a test opens a page that may be that of a folder."""
    test = getattr(module, name)
    marks = [*getattr(test, "pytestmark", ()), *_marks_of(module)]
    taken = set(inspect.signature(test).parameters)
    return (
        bool(taken & FIXTURES)
        and all(mark.name != "in_app" for mark in marks)
        and f"{Path(module.__file__).name}::{name}" not in NOT_THERE
    )


def _marks_of(module):
    marks = getattr(module, "pytestmark", ())
    return marks if isinstance(marks, list | tuple) else [marks]


def left_out(items):
    """The collected tests that are not run: with all in a folder those elsewhere, and else, of a
    test with many cases, all but the first case that can be there.
    """
    there = [item for item in items if _is_there(item)]
    able = [item for item in there if _case_of(item) not in NOT_THERE]
    if ALL:
        return [item for item in items if item not in able]
    first_of_file = {item.path: item for item in reversed(able)}
    return [item for item in there if item is not first_of_file.get(item.path)]


def _is_there(item):
    return hasattr(item, "callspec") and item.callspec.params.get("page_kind") == "folder"


def _case_of(item):
    return f"{item.path.name}::{item.name.replace('folder-', '')}"
