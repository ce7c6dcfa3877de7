"""Folders of `kpviz site`, as tests open them."""

from contextlib import contextmanager
from itertools import starmap

from answering import TEXT
from asking import served
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from kpviz.export.page import board
from kpviz.export.page.site import list_files, shipped_course
from kpviz.lessons import shelf
from kpviz.lessons.file import format
from kpviz.service.packing import packed, packed_boards, packed_lesson

BELOW = "/courses/ml/"


def write(folder, python, lessons):
    """Write the board, Fisher's page and the pages of lessons, with a Python in them.

    Beside those that come with kpviz it has one of one's own, unit-1, and a puzzle, my-puzzle.
    """
    answers = packed_boards()
    own_lessons = {"unit-1": format.read(TEXT), "my-puzzle": shelf.read("puzzle-02-repair-it")}
    course = [*map(packed_lesson, lessons), *starmap(packed_lesson, own_lessons.items())]
    places = board.PLACES | board.LISTS
    others = dict(list_files(shipped_course(), places))
    for name, data in board.files(python, answers, places=places, course=course, others=others):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def document(folder, python, links, **look):
    """Write a page whose figures are the board of the folder, below it; return its address there."""
    answers = [packed(link) for link in links]
    figures = "".join(
        board.figure(python, answer, folder="../", title=f"Figure {number}", height=520, **look)
        for number, answer in enumerate(answers)
    )
    (folder / "words").mkdir(exist_ok=True)
    (folder / "words/page.html").write_text(f"<!doctype html>{figures}", encoding="utf-8")
    return "words/page.html"


@contextmanager
def on_a_web_space(folder):
    """The address of a folder, below a path of a web space that knows nothing of it."""
    with served(Starlette(routes=[Mount(BELOW, StaticFiles(directory=folder, html=True))])) as host:
        yield f"http://{host}{BELOW}"
