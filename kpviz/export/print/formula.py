"""Formulas in LaTeX as trees of plain data, by way of MathML: the template of sheets sets them."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element, fromstring

_NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
_LIMITS = ("munder", "mover", "munderover")
_MARKS = {"msub": ("b",), "msup": ("t",), "msubsup": ("b", "t"), "munder": ("b",), "mover": ("t",)} | {
    "munderover": ("b", "t")
}
_ACCENTS = {
    "^": "\u0302",
    "¯": "\u0304",
    "~": "\u0303",
    "→": chr(0x20D7),  # of the typeface for formulas alone, so no character that ours must have
    "˙": "\u0307",
    "\u203e": "\u0304",
    "\u0304": "\u0304",
}


def formula(latex: str) -> dict[str, Any]:
    r"""Return a formula as a tree; one that cannot be read as the text that it is.

    >>> formula(r"2 < x")["children"]
    ['2', {'kind': 'sign', 'text': '<'}, {'kind': 'sign', 'text': 'x'}]
    """
    from latex2mathml.converter import convert

    try:
        return {"kind": "group", "children": [_node(child) for child in _flat(fromstring(convert(latex)))]}
    except Exception:  # an author's slip, of which the checks of a lesson know nothing
        return {"kind": "group", "children": [latex]}


def _flat(element: Element) -> list[Element]:
    """Return the parts of an element, those of its only row in the row's place."""
    children = list(element)
    return (
        _flat(children[0])
        if len(children) == 1 and _name(children[0]) == "mrow" and not _fenced(children[0])
        else children
    )


def _name(element: Element) -> str:
    return element.tag.removeprefix(_NAMESPACE)


def _fenced(element: Element) -> bool:
    return any(child.get("fence") == "true" for child in element)


def _node(element: Element) -> Any:
    name = _name(element)
    if name in _MARKS:
        return _attached(element, name)
    if name == "mfrac":
        above, below = element
        return {"kind": "frac", "above": [_node(above)], "below": [_node(below)]}
    if name == "msqrt":
        return {"kind": "sqrt", "children": [_node(child) for child in element]}
    if name == "mroot":
        base, index = element
        return {"kind": "root", "index": [_node(index)], "children": [_node(base)]}
    if name == "mtable":
        return {"kind": "mat", "rows": [[_row(cell) for cell in row] for row in element]}
    if len(element):
        return {"kind": "fence" if _fenced(element) else "group", "children": [_node(child) for child in element]}
    if name == "mspace":
        width = (element.get("width") or "0em").removesuffix("em")
        return {"kind": "space", "width": float(width)}
    return _leaf(name, element.text or "")


def _row(element: Element) -> dict[str, Any]:
    return {"kind": "group", "children": [_node(child) for child in element]}


def _leaf(name: str, text: str) -> Any:
    if name == "mi" and len(text) > 1:
        return {"kind": "name", "text": text}
    return {"kind": "sign", "text": text} if name in ("mi", "mo") and len(text) == 1 else text


def _attached(element: Element, name: str) -> dict[str, Any]:
    base, *marks = element
    if name == "mover" and (accent := _ACCENTS.get(marks[0].text or "")):
        return {"kind": "over", "base": [_node(base)], "text": accent}
    found = {"kind": "attach", "base": _node(base)}
    found |= dict(zip(_MARKS[name], map(_node, marks), strict=True))
    return {**found, "limits": name in _LIMITS}
