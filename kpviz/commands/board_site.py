"""`kpviz site`: the board without a server, as a folder for any web space.

Tests: tests/commands/test_board_site.py.
"""

from __future__ import annotations

import argparse

from kpviz.commands import output, page_python
from kpviz.commands.work import Progress
from kpviz.export import writing
from kpviz.export.page import board
from kpviz.lessons import shelf
from kpviz.service.packing import packed, packed_lesson


def site(options: argparse.Namespace) -> int:
    """Write the folder, all of it or nothing."""
    writing.check_folder(options.out)
    names = [*shelf.paths_in(None), *shelf.shipped_puzzles()] if options.course else []
    with Progress() as progress:
        progress.bar(0, 2, "Python")
        python = page_python.chosen(options)
        progress.bar(1, 2, "pages")
        answers = {"play": [packed("")], "fisher": [packed("", page="fisher")]}
        course = [packed_lesson(name) for name in progress.over(names, "lessons")]
    return output.write_folder(options, options.out, board.files(python, answers, course=course))
