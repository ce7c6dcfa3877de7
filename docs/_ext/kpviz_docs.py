"""What this documentation needs beyond Sphinx: live figures, formulas without JavaScript, pages
made from tables, the app's colours and typeface.
"""

from __future__ import annotations

import re
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

import generated
import live_figure
from docutils import nodes
from live_figure import LiveFigure
from sphinx.application import Sphinx

from kpviz import fonts, tokens
from kpviz.lessons.mathml import mathml


def _prepare(app: Sphinx, config: Any) -> None:
    """Write the board and the pages made from tables before Sphinx looks for either."""
    static = live_figure.static(app)
    static.mkdir(parents=True, exist_ok=True)
    (static / "kpviz-look.css").write_text(_look(), encoding="utf-8")
    for face in fonts.FACES:
        font = f"{face.name}.woff2"
        shutil.copy(str(files("kpviz.player") / "web" / "fonts" / font), static / font)
    generated.pages(Path(app.srcdir) / "generated")
    config.html_static_path.append(str(static))
    extra_folder = static.parent / "beside"
    for name, data in live_figure.board_files():
        path = extra_folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    config.html_extra_path.append(str(extra_folder))


# ---- the app's colours and typeface, in the variables of the theme -------------------------------

_VARIABLES = {
    "primary": "accent",
    "secondary": "accent",
    "accent": "accent",
    "link": "accent",
    "link-hover": "ink",
    "inline-code": "ink",
    "text-base": "ink",
    "text-muted": "quiet",
    "border": "rule",
    "background": "paper",
    "on-background": "panel",
    "surface": "panel",
}


def _look() -> str:
    """Return the style sheet that says them."""
    rules = [
        f"@font-face {{ font-family: '{face.family}'; src: url('{face.name}.woff2'); "
        f"font-weight: {face.weights[0]} {face.weights[1]}; font-display: swap; }}"
        for face in fonts.FACES
    ]
    family = tokens.FONTS["canvas"]
    rules.append(
        f"html {{ --pst-font-family-base: {family}; --pst-font-family-heading: {family}; }}"
    )
    for name in tokens.SCREENS:
        colours = tokens.THEMES[name]
        lines = "".join(
            f" --pst-color-{variable}: {colours[token]};" for variable, token in _VARIABLES.items()
        )
        rules.append(f'html[data-theme="{name}"] {{{lines} }}')
    return "\n".join(rules) + "\n"


def _fill(app: Sphinx, name: str, source: list[str]) -> None:
    """The tables of the reference link to pages that only a build has."""
    if name.startswith("reference/"):
        source[0] = generated.with_tables(source[0], build=True)


# ---- formulas: MathML, which browsers set themselves ---------------------------------------------


_BREAK = re.compile(r"(?<=[,;:]) *\\quad +")


def _inline(writer: Any, node: nodes.math) -> None:
    writer.body.append("".join(mathml(node.astext())))
    raise nodes.SkipNode


def _block(writer: Any, node: nodes.math_block) -> None:
    # A browser breaks no formula, so each of its lines is a formula of its own.
    parts = [line for part in _BREAK.split(node.astext()) for line in mathml(part)]
    lines = "".join(line.replace('display="inline"', 'display="block"') for line in parts)
    writer.body.append(f'<div class="formula" tabindex="0">{lines}</div>')
    raise nodes.SkipNode


# ---- docstrings ----------------------------------------------------------------------------------

_ENTRY = re.compile(r"^((?:\*\*?)?\w+(?:, \w+)*) : (.*)$")
_SIGNS = re.compile(r"\|(?=\w+\|)|(?<=\w)\||\*(?==)")  # These belong to mathematics, not to markup.
_QUOTED = re.compile(r"(?<![`\w:])`([^`<>]+)`(?![`_])")


def _docstring(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Make of a docstring what numpydoc expects: types stand in our signatures, and after the colon
    what it is.
    """
    result: list[str] = []
    for line in lines:
        if not line.lstrip().startswith((">>>", "...")):
            line = _SIGNS.sub(r"\\\g<0>", _QUOTED.sub(_reference, line))
        if line.startswith("Source: "):
            result.append("")
        entry = _ENTRY.match(line)
        result += [entry[1], f"    {entry[2][0].upper()}{entry[2][1:]}"] if entry else [line]
    lines[:] = result


def _reference(quoted: re.Match[str]) -> str:
    return f":py:obj:`{quoted[1]}`" if quoted[1].startswith("kpviz.") else f"``{quoted[1]}``"


def _foreign(app: Sphinx, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    """Leave out what a class has from scikit-learn or Python: it is described there."""
    module = getattr(getattr(obj, "fget", obj), "__module__", None) or "kpviz"
    return skip or not module.startswith("kpviz") or None


def _handed_out(app: Sphinx, what: str, name: str, *_: Any) -> tuple[str, None] | None:
    """Leave out how a class is made that nobody makes: what one is handed."""
    return ("", None) if name in ("kpviz.Run", "kpviz.State") else None


def setup(app: Sphinx) -> dict[str, Any]:
    """Register all of it."""
    app.connect("config-inited", _prepare, priority=100)
    app.connect("source-read", _fill)
    app.connect("autodoc-skip-member", _foreign)
    # Both go before those of numpydoc, as their number is lower.
    app.connect("autodoc-process-signature", _handed_out, priority=100)
    app.connect("autodoc-process-docstring", _docstring, priority=100)
    app.add_directive("kpviz", LiveFigure)
    app.add_html_math_renderer(
        "mathml", inline_renderers=(_inline, None), block_renderers=(_block, None)
    )
    return {"parallel_read_safe": True, "parallel_write_safe": True}
