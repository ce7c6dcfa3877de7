"""The board without a server, as a folder of pages with Python in them.

The board and Fisher's page show what is packed in them at once; Python comes when somebody turns
what only it knows. All addresses are relative, so that the folder works below any path.

Tests: tests/commands/test_board_site.py, tests/browser/test_alone.py.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import kpviz
from kpviz.export.page.page import document, style_of, typeface
from kpviz.export.page.pythons import Python
from kpviz.player import modules

PLAYER = "kpviz.js"
PLACES = {"": "index.html", "lab": "index.html", "fisher": "fisher.html"}
_ENTRY = "alone/page.js"
_STYLES = (
    "page/stage.css",
    "page/asking.css",
    "page/class_question.css",
    "page/lesson/puzzle.css",
    "page/dialog.css",
    "page/voting_card.css",
    "page/dock/dock.css",
    "page/dock/thumbnails.css",
    "page/lesson/lesson.css",
)
_TITLES = {"play": "kpviz – kernel perceptron", "fisher": "kpviz – Fisher’s discriminant"}
_NO_SCRIPT = "This page is a player written in JavaScript: allow it, and load the page again."
_START = """
document.head.append(Object.assign(document.createElement("style"), { textContent: STYLE }));
const root = document.querySelector(".kpviz");
root.textContent = "";
start(root, JSON.parse(document.getElementById("run").textContent));
"""


def files(
    python: Python, answers: Mapping[str, Sequence[dict[str, Any]]]
) -> Iterator[tuple[str, bytes]]:
    """Yield the names of the files and what is in each.

    `answers` : what is packed in the page of the board, "play", and in Fisher's, "fisher".
    """
    yield PLAYER, player().encode()
    yield from python.files.items()
    places = {"play": PLACES[""], "fisher": PLACES["fisher"]}
    for name, packed in answers.items():
        yield places[name], page(python, name, packed).encode()


@cache
def player() -> str:
    """Return the player with all its settings as one script, with styles and typeface."""
    style = json.dumps(f"{typeface()}\n{style_of(_STYLES)}", ensure_ascii=False)
    script = f"{modules.script(_ENTRY)}\nconst STYLE = {style};{_START}"
    return f'// kpviz {kpviz.__version__}\n(() => {{\n"use strict";\n{script}\n}})();\n'


def page(
    python: Python, name: str, packed: Sequence[dict[str, Any]], places: Mapping[str, str] = PLACES
) -> str:
    """Return a page of the folder.

    Parameters
    ----------
    name : "play" or "fisher", whose board it is. packed : the answers that are in the page.
    places : the addresses of the places that there are, by their names.
    """
    options = {"python": python.told, "page": name, "places": dict(places), "answers": [*packed]}
    run = json.dumps(options, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    # A nonce, as 'self' names nothing in a page from a disk.
    once = hashlib.sha256(player().encode()).hexdigest()[:16]
    body = (
        f'<main><div class="kpviz"><noscript>{_NO_SCRIPT}</noscript></div></main>\n'
        f'<script type="application/json" id="run">{run}</script>\n'
        f'<script nonce="{once}" src="{PLAYER}"></script>'
    )
    sources = " ".join(("'self'", *python.origins))
    return document(
        body,
        title=_TITLES[name],
        theme="auto",
        style="",
        script=f"nonce-{once}",
        more=f"; worker-src 'self'; connect-src {sources}",
    )
