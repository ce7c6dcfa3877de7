"""Formulas in LaTeX, as typst sets them: as trees of plain data for its templates, and as outlines.

A tree is made by way of MathML. Outlines are read from the SVG that typst writes, and drawn by the
painter as any other path: on paper, in pictures and in films a formula is the same.

Tests: tests/picture/test_formula.py, tests/export/test_sheets.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import numpy as np
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, Transform

from kpviz import fonts
from kpviz.engine.checks import FloatArray
from kpviz.lessons.mathml import spelled
from kpviz.tokens import THEMES


@cache
def typefaces() -> Any:
    """Return our typeface and those that typst brings, and none of this machine's own.

    The same sheet anywhere.
    """
    import typst

    folder = str(fonts.FACES[0].ttf.parent)
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=[folder])


@cache
def formula_template() -> bytes:
    """Return what a template begins with that sets trees of formulas."""
    return (files(__package__) / "formula.typ").read_bytes()


# ---- as trees ------------------------------------------------------------------------------------


_NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
_LIMITS = ("munder", "mover", "munderover")
_MARKS = {
    "msub": ("b",),
    "msup": ("t",),
    "msubsup": ("b", "t"),
    "munder": ("b",),
    "mover": ("t",),
} | {"munderover": ("b", "t")}
_ACCENTS = {
    "^": "\u0302",
    "¯": "\u0304",
    "~": "\u0303",
    # The typeface for formulas alone has it, so ours need not.
    "→": chr(0x20D7),
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
        return {
            "kind": "group",
            "children": [_node(child) for child in _flat(fromstring(convert(latex)))],
        }
    except Exception:  # It is an author's slip, of which the checks of a lesson know nothing.
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
        return {
            "kind": "fence" if _fenced(element) else "group",
            "children": [_node(child) for child in element],
        }
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
    accent = _ACCENTS.get(marks[0].text or "")
    if name == "mover" and accent:
        return {"kind": "over", "base": [_node(base)], "text": accent}
    attached = {"kind": "attach", "base": _node(base)}
    attached |= dict(zip(_MARKS[name], map(_node, marks), strict=True))
    return {**attached, "limits": name in _LIMITS}


# ---- as outlines ---------------------------------------------------------------------------------

_SIZE = 100.0  # In points: typst sets formulas in this size, which is scaled afterwards.
_APART = 10.0  # In points: so far a formula is from the mark behind it.
_MARK = THEMES["light"]["accent"]  # A formula is black, so this colour tells the mark from it.
_PAGE = f"""
#set page(width: auto, height: auto, margin: 0pt, fill: none)
#set text({_SIZE}pt)
#show math.equation: set text({_SIZE}pt, font: "New Computer Modern Math")
#let it = json("formula.json")
#let mark = box(rect(width: 1pt, height: 1pt, fill: rgb("{_MARK}")))
#let style = if it.display {{ math.display }} else {{ math.inline }}
#box(math.equation(style(formula(it.tree))))#h({_APART}pt)#mark
"""
_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_COMMAND = re.compile(r"([MmLlHhVvQqCcZz])([^A-Za-z]*)")


@dataclass(frozen=True, eq=False)
class Outline:
    """A formula of size 1 from (0, 0) on, which is on its baseline; y upwards.

    Attributes
    ----------
    width, above, below : how wide it is, and how far it reaches above and below the baseline.
    """

    path: Path
    width: float
    above: float
    below: float


def can_set() -> bool:
    """Whether typst, which sets formulas, is installed."""
    return find_spec("typst") is not None


@lru_cache(maxsize=512)
def outline(latex: str, *, display: bool = False) -> Outline:
    r"""Return a formula as typst sets it in a line, or, with `display`, on a line of its own.

    >>> outline(r"\frac{a}{b}").above > outline("a").above
    True
    """
    import typst

    compiler: Any = typst
    content = {"tree": formula(spelled(latex)), "display": display}
    sources = {
        "main.typ": formula_template() + _PAGE.encode(),
        "formula.json": json.dumps(content).encode(),
    }
    svg = fromstring(compiler.compile(sources, format="svg", font_paths=typefaces()))
    symbols = {f"#{symbol.get('id')}": symbol for symbol in svg.iter(f"{_SVG}symbol")}
    paths = []
    end = baseline = 0.0
    for element, place in _drawn(svg, Affine2D(), symbols):
        path = place.transform_path(_path(element.get("d") or ""))
        if element.get("fill") == _MARK:
            mark = _corners(path)
            end = float(mark[:, 0].min()) - _APART
            baseline = float(mark[:, 1].max())
        elif element.get("stroke"):
            paths.append(_stroked(path, float(element.get("stroke-width") or 1.0)))
        else:
            paths.append(path)
    whole = Path.make_compound_path(*paths) if paths else Path(np.zeros((0, 2)))
    place = Affine2D().translate(0.0, -baseline).scale(1 / _SIZE, -1 / _SIZE)
    whole = place.transform_path(whole)
    reach = _corners(whole)[:, 1] if paths else np.zeros(1)
    return Outline(whole, end / _SIZE, float(reach.max()), float(-reach.min()))


def _corners(path: Path) -> FloatArray:
    return np.asarray(path.vertices, dtype=float)


def _drawn(
    element: Element, place: Transform, symbols: dict[str, Element]
) -> Iterator[tuple[Element, Transform]]:
    """Yield the paths of an SVG, and how each is placed."""
    for child in element:
        at = _placed(child) + place
        if child.tag == f"{_SVG}path":
            yield child, at
        elif child.tag == f"{_SVG}use":
            yield from _drawn(symbols[child.get(_LINK) or ""], at, symbols)
        elif child.tag == f"{_SVG}g":
            yield from _drawn(child, at, symbols)


def _placed(element: Element) -> Affine2D:
    name, _, values = (element.get("transform") or "").partition("(")
    numbers = [float(value) for value in _NUMBER.findall(values)]
    if name == "matrix":
        return Affine2D.from_values(*numbers)
    across, down = numbers if name == "translate" else (0.0, 0.0)
    return Affine2D().translate(
        across + float(element.get("x") or 0.0), down + float(element.get("y") or 0.0)
    )


_PIECES = {"L": (2, Path.LINETO), "Q": (4, Path.CURVE3), "C": (6, Path.CURVE4)}


def _path(written: str) -> Path:
    """Return the path that an SVG writes, in absolute or relative coordinates."""
    vertices: list[tuple[float, float]] = []
    codes: list[Any] = []
    x = y = 0.0
    start = (0.0, 0.0)
    for letter, values in _COMMAND.findall(written):
        numbers = [float(value) for value in _NUMBER.findall(values)]
        command = letter.upper()
        origin = (x, y) if letter.islower() else (0.0, 0.0)
        if command == "M":
            x = origin[0] + numbers[0]
            y = origin[1] + numbers[1]
            start = (x, y)
            vertices.append(start)
            codes.append(Path.MOVETO)
        elif command == "Z":
            x, y = start
            vertices.append(start)
            codes.append(Path.CLOSEPOLY)
        elif command in "HV":
            if command == "H":
                x = origin[0] + numbers[-1]
            else:
                y = origin[1] + numbers[-1]
            vertices.append((x, y))
            codes.append(Path.LINETO)
        else:
            length, code = _PIECES[command]
            for first in range(0, len(numbers), length):
                corner = (x, y) if letter.islower() else (0.0, 0.0)
                points = np.reshape(numbers[first : first + length], (-1, 2)) + corner
                vertices += [tuple(point) for point in points.tolist()]
                codes += len(points) * [code]
                x, y = vertices[-1]
    return Path(np.reshape(vertices, (-1, 2)), codes)


def _stroked(path: Path, width: float) -> Path:
    """Return a straight line, as that of a fraction, as the rectangle that it covers."""
    first, last = _corners(path)[[0, -1]]
    across, down = last - first
    aside = np.array([-down, across]) * width / 2 / max(float(np.hypot(across, down)), 1e-9)
    corners = np.array([first + aside, last + aside, last - aside, first - aside, first + aside])
    return Path(corners, closed=True)
