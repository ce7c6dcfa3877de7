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
# They open either page.
FIXTURES = {"player", "phone", "another", "player_with", "board", "page_kind"}

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
PLAYS_ITSELF = "opens the page that plays itself, from disk"
OF_ONE_FILE = "opens a lesson's page of one file, from disk"
ONE_SCRIPT = "imports modules; the page has one script, and allows no other"
STREAMLITS = (
    "is about what Streamlit has in the address; the page takes out of it what is no setting"
)
NO_CONNECTION = "is about the connection to a server"
# Tests, or cases of them, that cannot open it, and why; those marked `in_app` are about the app.
NOT_THERE = {
    "test_axe.py::test_the_page_that_plays_itself_has_none": PLAYS_ITSELF,
    "test_every_task.py::test_a_task_is_answered_in_a_page_of_its_own": OF_ONE_FILE,
    "test_export.py::test_pictures_and_films_are_asked_of_whoever_draws_them": (
        "a dialog of the app draws them"
    ),
    "test_first_visit.py::test_nothing_that_is_pressed_before_there_is_a_run_fails": (
        "holds the websocket back, and the page shows a packed run at once"
    ),
    "test_first_visit.py::test_a_link_shows_what_it_says_and_nothing_else[a frame]": STREAMLITS,
    "test_links.py::test_a_hostile_link_opens_with_what_can_be_used_and_one_notice[names]": (
        "the page takes what is no setting out of its address, and says nothing: mails add such"
    ),
    "test_links.py::test_what_streamlit_has_in_the_address_stands_there_once_also_before_an_answer": (
        STREAMLITS
    ),
    "test_motion.py::test_what_cannot_be_drawn_leaves_the_next_frame_whole": ONE_SCRIPT,
    "test_motion.py::test_still_marks_are_kept_in_passing_pictures_from_the_second_frame_on": (
        ONE_SCRIPT
    ),
    "test_motion.py::test_the_first_picture_of_a_run_is_drawn_without_layers": ONE_SCRIPT,
    "test_picture.py::test_all_faces_are_loaded_once": (
        "the page has the faces in it, and reads each as it is first used"
    ),
    "test_service.py::test_a_connection_that_is_soon_back_is_not_told": NO_CONNECTION,
    "test_service.py::test_a_connection_that_was_lost_meanwhile_is_made_again": NO_CONNECTION,
    "test_service.py::test_when_the_network_is_cut_the_page_goes_on_by_itself_once_it_is_mended": (
        NO_CONNECTION
    ),
    "test_service.py::test_when_the_server_dies_all_pages_stay_and_go_on_by_themselves_when_it_is_back": (
        NO_CONNECTION
    ),
    "test_service.py::test_undo_redo_and_what_was_chosen_before_are_shown_at_once_when_the_server_is_gone": (
        NO_CONNECTION
    ),
    "test_service.py::test_a_page_that_is_left_before_its_first_answer_says_nothing": (
        "leaves the stage as Streamlit does"
    ),
    "test_show_me.py::test_a_page_of_its_own_shows_what_is_right_without_a_server": OF_ONE_FILE,
    "test_who_takes_a_key.py::test_the_record_has_the_modes_that_are_tried_and_no_other": (
        "opens no page"
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
    return (
        bool(_taken_by(getattr(module, name), module) & FIXTURES)
        and not is_in_app(module, name)
        and f"{Path(module.__file__).name}::{name}" not in NOT_THERE
    )


def is_in_app(module, name):
    """Whether a test, or its file, is marked as one of the app round the player."""
    marks = [*getattr(getattr(module, name), "pytestmark", ()), *_marks_of(module)]
    return any(mark.name == "in_app" for mark in marks)


def _taken_by(function, module):
    """The names of the fixtures that a function takes, and of those that its file's take for it."""
    names = set(inspect.signature(function).parameters)
    ours = [vars(module)[name] for name in names if name in vars(module)]
    return names.union(*(_taken_by(fixture, module) for fixture in ours))


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
