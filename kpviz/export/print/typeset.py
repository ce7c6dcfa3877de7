"""Sets a sheet as PDF: a tree of plain data and its pictures, by one template, with our typeface, without a network."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from kpviz import fonts
from kpviz.export.print.formula import formula
from kpviz.export.print.nodes import Node

MISSING = "Sheets are set by typst, which is not installed: run `pip install 'kpviz[print]'`."


class PrintError(ValueError):
    """Why a sheet cannot be set, in one sentence."""


@dataclass(frozen=True)
class Sheet:
    """What is set.

    Attributes
    ----------
    title, under : above all. named : whether there is a line for the name. mark : on each page, as "Solutions".
    body : nodes as `kpviz.lessons.file.words` makes them, and those of this package.
    pictures : SVG by name, which nodes of the kind "picture" show. language : a tag such as "en".
    """

    title: str
    body: Sequence[Node]
    under: str = ""
    author: str = ""
    mark: str = ""
    foot: str = ""
    language: str = "en"
    named: bool = False
    pictures: Mapping[str, bytes] = field(default_factory=dict)


def pdf(sheet: Sheet) -> bytes:
    """Return the PDF of a sheet: the same sheet gives the same bytes.

    Raises
    ------
    PrintError
        If typst is not installed, or cannot set it.
    """
    made: bytes = _compiled(sheet, "pdf")
    return made


def pages(sheet: Sheet, *, ppi: float = 72.0) -> list[bytes]:
    """Return the pages of a sheet as PNG."""
    found = _compiled(sheet, "png", ppi)
    return list(found) if isinstance(found, list) else [found]


def _compiled(sheet: Sheet, format: str, ppi: float | None = None) -> Any:
    try:
        import typst
    except ImportError:
        raise PrintError(MISSING) from None
    language = sheet.language.partition("-")[0].lower()
    data = {
        "title": sheet.title,
        "under": sheet.under,
        "author": sheet.author,
        "mark": sheet.mark,
        "foot": sheet.foot,
        "language": language if language.isascii() and len(language) in (2, 3) else "en",
        "named": sheet.named,
        "body": [_ready(node) for node in sheet.body],
    }
    template = (files(__package__) / "sheet.typ").read_bytes()
    sources: Any = {"main.typ": template, "sheet.json": json.dumps(data).encode(), **sheet.pictures}
    try:
        compiler: Any = typst
        return compiler.compile(sources, format=format, ppi=ppi, font_paths=_fonts(), timestamp=0)
    except typst.TypstError as error:
        raise PrintError(f"This sheet cannot be set: {error.message}.") from None


@cache
def _fonts() -> Any:
    """Return our typeface and those that typst brings, and none of this machine's own: the same sheet anywhere."""
    import typst

    folder = str(fonts.FACES[0].ttf.parent)
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=[folder])


def _ready(node: Any) -> Any:
    """Return a node with the formulas in it as trees."""
    if isinstance(node, str):
        return node
    if isinstance(node, (list, tuple)):
        return [_ready(each) for each in node]
    if not isinstance(node, dict):
        return node
    if node.get("kind") == "math":
        return {"kind": "math", "display": node.get("display", False), "tree": formula(node["text"])}
    return {key: _ready(value) for key, value in node.items()}
