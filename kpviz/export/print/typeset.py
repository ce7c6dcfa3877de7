"""Sets a sheet as PDF: plain data and pictures, by one template, with our typeface.

It asks no network.

Tests: tests/export/test_sheets.py.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from kpviz import packages
from kpviz.lessons.languages import translate
from kpviz.picture.formula import formula, formula_template, typefaces

# Millimetres above and below: the first with a last page that is not nearly empty.
_MARGINS = (20, 18, 16, 14, 12, 24, 28, 32, 36)
# A last page is full to this share of its height at least, or as full as it can be.
_FULL = 0.5


class PrintError(ValueError):
    """Why a sheet cannot be set, in one sentence."""


@dataclass(frozen=True)
class Sheet:
    """What is set.

    Attributes
    ----------
    title, under : above all. named : whether there is a line for the name. mark : on each page, as
        "Solutions".
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
    MissingPackageError
        If typst is not installed.
    PrintError
        If it cannot set the sheet.
    """
    made: bytes = _compiled(sheet, "pdf")
    return made


def pages(sheet: Sheet, *, ppi: float = 72.0) -> list[bytes]:
    """Return the pages of a sheet as PNG."""
    compiled = _compiled(sheet, "png", ppi)
    return list(compiled) if isinstance(compiled, list) else [compiled]


def _compiled(sheet: Sheet, format: str, ppi: float | None = None) -> Any:
    with packages.needs("A sheet", "print"):
        import typst
    language = sheet.language.partition("-")[0].lower()
    data = {
        "title": sheet.title,
        "under": sheet.under,
        "author": sheet.author,
        "mark": sheet.mark,
        "foot": sheet.foot,
        "language": language if language.isascii() and len(language) in (2, 3) else "en",
        "name": translate("Name", sheet.language),
        "date": translate("Date", sheet.language),
        "named": sheet.named,
        "body": [_ready(node) for node in sheet.body],
    }
    template = formula_template() + (files(__package__) / "sheet.typ").read_bytes()
    compiler: Any = typst
    try:
        best: tuple[float, Any] = (0.0, None)
        for margin in _MARGINS:
            content = {"sheet.json": json.dumps({**data, "margin": margin}).encode()}
            sources: Any = {"main.typ": template, **content, **sheet.pictures}
            page, high = json.loads(
                compiler.query(sources, "<end>", "value", True, font_paths=typefaces())
            )
            full = 1.0 if page == 1 else high
            best = max(best, (full, sources), key=lambda candidate: candidate[0])
            if full >= _FULL:
                break
        return compiler.compile(
            best[1], format=format, ppi=ppi, font_paths=typefaces(), timestamp=0
        )
    except typst.TypstError as error:
        raise PrintError(f"This sheet cannot be set: {error.message}.") from None


def _ready(node: Any) -> Any:
    """Return a node with the formulas in it as trees."""
    if isinstance(node, str):
        return node
    if isinstance(node, (list, tuple)):
        return [_ready(part) for part in node]
    if not isinstance(node, dict):
        return node
    if node.get("kind") == "math":
        return {
            "kind": "math",
            "display": node.get("display", False),
            "tree": formula(node["text"]),
        }
    return {key: _ready(value) for key, value in node.items()}


# ---- nodes that sheets are made of, besides those of a lesson's words ---------------------------


Node = str | dict[str, Any]


def heading(text: str, level: int = 3) -> Node:
    """Return a heading, from 3 as in the words of lessons."""
    return {"kind": "heading", "level": level, "children": [text]}


def paragraph(*children: Node) -> Node:
    """Return a paragraph."""
    return {"kind": "paragraph", "children": list(children)}


def small(*children: Node) -> Node:
    """Return small print."""
    return {"kind": "small", "children": list(children)}


def blank(width: int = 0) -> Node:
    """Return a line to write on, of so many millimetres; 0: to the end of the line."""
    return {"kind": "blank", "width": width}


def cell(*children: Node) -> Node:
    """Return what stands in a grid."""
    return {"kind": "cellwords", "children": list(children)}


def display(latex: str) -> Node:
    """Return a formula on a line of its own."""
    return {"kind": "math", "text": latex, "display": True}


def picture(name: str, width: float, alt: str) -> Node:
    """Return a picture of so many millimetres."""
    return {"kind": "picture", "name": name, "width": width, "alt": alt}


def keep(*children: Node) -> Node:
    """Return what no page parts."""
    return {"kind": "keep", "children": list(children)}


def cells(widths: Sequence[float], *columns: Sequence[Node]) -> Node:
    """Return what stands beside each other in columns of these widths, in millimetres."""
    return {"kind": "cells", "widths": list(widths), "children": [list(one) for one in columns]}


def grid(
    head: Sequence[str],
    rows: Sequence[Sequence[Node]],
    widths: Sequence[Any],
    align: Sequence[str],
    *,
    high: int = 0,
) -> Node:
    """Return a table.

    Parameters
    ----------
    widths : of the columns, in points, or "auto", or "1fr": the rest. align : "left", "center" or
        "right".
    high : of the rows, in points; 0: as high as what is in them.
    """
    return {
        "kind": "grid",
        "head": [cell(text) for text in head],
        "rows": [list(row) for row in rows],
        "widths": list(widths),
        "align": list(align),
        "high": high,
    }
