"""Nodes that sheets are made of, besides those of a lesson's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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


def picture(name: str, width: int, alt: str) -> Node:
    """Return a picture of so many millimetres."""
    return {"kind": "picture", "name": name, "width": width, "alt": alt}


def grid(
    head: Sequence[str], rows: Sequence[Sequence[Node]], widths: Sequence[Any], align: Sequence[str], *, high: int = 0
) -> Node:
    """Return a table.

    Parameters
    ----------
    widths : of the columns, in points, or "auto", or "1fr": the rest. align : "left", "center" or "right".
    high : of the rows, in points; 0: as high as what is in them.
    """
    return {
        "kind": "grid",
        "head": [cell(each) for each in head],
        "rows": [list(row) for row in rows],
        "widths": list(widths),
        "align": list(align),
        "high": high,
    }
