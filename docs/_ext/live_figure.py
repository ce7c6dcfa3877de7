"""The directive `kpviz`: a live player, made at build time from a link; without JavaScript a
picture stands there.
"""

from __future__ import annotations

import hashlib
from io import BytesIO
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from PIL import Image
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from kpviz.export.page.figure import experiments_of, figure
from kpviz.lessons.file.links import Link
from kpviz.picture.figure import draw, save
from kpviz.picture.stage import RenderOptions
from kpviz.settings.cues import Cues

PLAYER = "kpviz-player.js"
_WIDE = 760  # CSS pixels of a page's column


def static(app: Sphinx) -> Path:
    """Return the folder of the player and of pictures, beside what is built."""
    return Path(app.outdir).parent / "static"


class LiveFigure(SphinxDirective):
    """A player of the link that is its argument; all of them share one file. It plays when the
    reader starts it.

    Its options are `height` in CSS pixels, `caption`, `alt`, which says what the picture shows that
    stands there without JavaScript, and `vary`, the setting of a slider of twelve values.
    """

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {
        "height": directives.positive_int,
        "caption": directives.unchanged,
        "alt": directives.unchanged,
        "vary": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """Return the figure."""
        query = self.arguments[0]
        high = self.options.get("height", 420)
        caption = self.options.get("caption", "")
        alt = self.options.get("alt", "")
        up = "../" * self.env.docname.count("/")
        try:
            html = figure(
                query,
                player=f"{up}_static/{PLAYER}",
                height=high,
                picture=f"{up}_static/{self._picture(query, high)}",
                alt=alt or caption,
                vary=self.options.get("vary", ""),
            )
        except ValueError as error:
            raise self.error(f"{query}: {error}") from None
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
