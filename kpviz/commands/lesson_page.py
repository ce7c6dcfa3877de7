"""`kpviz lesson page`: a lesson as one HTML file."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from kpviz.commands import CommandError, output
from kpviz.commands.lesson import read_file
from kpviz.export.page.lesson import page as written
from kpviz.lessons.file.format import ENDING


def page(options: argparse.Namespace) -> int:
    """Write the page of a lesson."""
    output.check(options.out)
    if output.same(options.file, options.out):
        raise CommandError("The page would take the place of the lesson: name another file.")
    lesson = read_file(options.file)
    name = Path(options.file).name.removesuffix(ENDING)
    try:
        text = written(
            lesson,
            name if re.fullmatch(r"[\w-]{1,80}", name) else lesson.title,
            theme=options.theme,
            address=options.address,
        )
    except ValueError as error:
        raise CommandError(" ".join(str(error).split())) from None
    output.write(options.out, text)
    if not options.quiet:
        print(f"wrote {options.out}: {len(text.encode()) / 1e6:.1f} MB", file=sys.stderr)
    return 0
