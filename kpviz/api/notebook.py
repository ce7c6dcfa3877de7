"""A run as a cell of a notebook shows it: the player, and a picture where a notebook is shown
without its scripts.

Tests: tests/test_api.py.
"""

from __future__ import annotations

import html
from base64 import b64encode
from io import BytesIO
from typing import TYPE_CHECKING

from kpviz.export.page.page import compressed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HIGH = 560  # In pixels: the height of the player in a notebook.
_DOTS = 75
_LARGEST = 3_000_000  # In characters: a notebook has room for so long a packed page.
_TRUST = (
    "To play this run, trust the notebook: in JupyterLab by View, Activate Command Palette, "
    "Trust Notebook."
)
_COVERED = (
    # Frames cover the rest where they are shown.
    ".kpviz-cell:has(> iframe) > :not(iframe) { visibility: hidden }"
)
_UNPACK = """
const bytes = Uint8Array.from(atob("%s"), (character) => character.charCodeAt(0));
const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
new Response(unpacked).text().then((page) => {
  document.open();
  document.write(page);
  document.close();
});
"""


def cell(about: str, page: str, picture: bytes | None) -> str:
    """Return the player for a notebook's cell, above a picture and a sentence; one line where that
    cannot be.

    Each cell stands by itself: whatever becomes of other cells, it goes on playing. Where a
    notebook is shown without its scripts and frames (it is not trusted, or only looked at), the
    picture and the sentence are what is left. A widget (anywidget was tried) would share the
    player, but shows nothing there, nor in what nbconvert writes.

    Parameters
    ----------
    about : what the run says of itself in one line.
    page : the text of its page.
    picture : the PNG of its end, None where it cannot be drawn.
    """
    packed = _packed(page)
    if len(packed) > _LARGEST:
        return line(
            about,
            f"Its page has {len(packed) / 1e6:.1f} MB, too much for a cell: write it by "
            f"run.page(path).",
        )
    about = html.escape(about)
    still = f"<code>{about}</code>"
    if picture is not None:
        still = f'<img alt="{about}" src="data:image/png;base64,{b64encode(picture).decode()}">'
    return (
        f'<div class="kpviz-cell" style="position: relative; height: {_HIGH}px; overflow: hidden">'
        f"<style>{_COVERED}</style><p>{_TRUST}</p>{still}"
        f'<iframe title="{about}" sandbox="allow-scripts" srcdoc="{html.escape(packed)}" '
        'style="position: absolute; inset: 0; width: 100%; height: 100%; border: 0"></iframe></div>'
    )


def line(about: str, why: str) -> str:
    """Return what a run says of itself, and why there is no player."""
    return f"<code>{html.escape(about)}</code><br><small>{html.escape(why)}</small>"


def picture(figure: Figure) -> bytes:
    """Return a figure as a PNG of few colours: a third of the bytes, and nobody sees it."""
    from PIL import Image

    content = BytesIO()
    figure.savefig(content, format="png", dpi=_DOTS)
    few_colours = BytesIO()
    Image.open(content).convert("RGB").quantize(256).save(few_colours, "png", optimize=True)
    return few_colours.getvalue()


def _packed(text: str) -> str:
    """Return a page that unpacks the text of a page, and becomes it: half as long."""
    return (
        f"<!doctype html><meta "
        f'charset="utf-8"><script>{_UNPACK % compressed(text.encode())}</script>'
    )
