"""The words of a lesson: Markdown as a small tree, from which the browser builds nodes.

No markup is passed on.

A node is a text, or a dict with its "kind". These have "children": paragraph, heading ("level", 3
to 6), list ("ordered", "start"), item, quote, strong, emphasis, link ("href"), table, row, cell
("head"). These have none: code and math ("text", in LaTeX, and "shown", see `formula`), block
("text", "language"), rule, break.

Tests: tests/lessons/test_format.py, tests/export/test_sheets.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from kpviz.lessons.file import Fault, LessonError

Node = str | dict[str, Any]
Tree = tuple[Node, ...]

LONGEST = 10_000  # In characters: the words between two tasks.
DEEPEST = 12  # So deep may nodes lie within nodes.
# A paragraph has so many opening brackets at most: each may begin a link, and is looked at with all
# that follow.
_MOST_BRACKETS = 200
_HREF = re.compile(
    r"https?://[^\s<>\"']{1,2000}|/?(?:(?:play|lab|fisher)/?)?\?[^\s<>\"']{0,25000}", re.IGNORECASE
)
_MATH = re.compile(r"\$(?![\s$])([^$\n]{0,500}[^\s$\\])\$(?![0-9])")
_KINDS = {
    "paragraph_open": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "item",
    "blockquote_open": "quote",
    "strong_open": "strong",
    "em_open": "emphasis",
    "link_open": "link",
    "heading_open": "heading",
    "table_open": "table",
    "tr_open": "row",
    "th_open": "cell",
    "td_open": "cell",
}
# These tokens of a table make no nodes.
_WITHOUT_NODES = ("thead_open", "tbody_open", "thead_close", "tbody_close")
_HTML = "HTML is not shown: write Markdown, put code between ` and `, and write &lt; for <."
_IMAGE = "Pictures are not shown: give the scene a link, which kpviz draws."
_LINK = (
    "A link leads to https://… or to a page of kpviz, as ?v=1&data=xor or /lab?v=1, and "
    "nowhere else."
)
_DEEP = f"The words are nested more than {DEEPEST} deep: make them simpler."
_DOLLAR = "A formula has no end: write $ behind it, too, and \\$ where a dollar sign is meant."
_ADDRESSED = re.compile(
    r"[\s*_]*([^\W\d_][\w-]*(?: [\w-]+){0,2})[*_]* ?(?:[:\uff1a](?=[\s*_]|$)|\uff1a)"
)
_NOTES = re.compile(r"[\s*_]*(notes?)\b[*_]* ?[:\uff1a]", re.IGNORECASE)
_STUDENTS_SEE = (
    "Students see the quotation > {0}: only one that begins with > notes: is hidden from them. "
    "Write > notes: there, "
    "after a blank line, or leave the colon out."
)
_SCENE = "A heading within a scene has at least three #: two begin a scene."


def tree(
    text: str, line: int = 1, warnings: list[Fault] | None = None, *, private: bool = False
) -> Tree:
    """Return Markdown as a tree of nodes: texts, and dicts with a "kind" and mostly "children".

    `line` is the number of the first line. What was hardly meant is added to `warnings`; in a text
    that is `private`, which students do not see, quotations may begin as notes do.

    Raises
    ------
    LessonError
        Its faults: HTML, pictures, links to elsewhere, too long, nested too deep.

    >>> tree("Look *where* it goes.")
    ({'kind': 'paragraph', 'children': ['Look ', {'kind': 'emphasis', 'children': ['where']},
    ' it goes.']},)
    """
    if len(text) > LONGEST:
        what = (
            f"There are {len(text):,} characters of words between two tasks: write at most "
            f"{LONGEST:,}."
        )
        raise LessonError([Fault(line, what)])
    if any(paragraph.count("[") > _MOST_BRACKETS for paragraph in re.split(r"\n\s*\n", text)):
        what = f"A paragraph has more than {_MOST_BRACKETS} opening brackets: make it simpler."
        raise LessonError([Fault(line, what)])
    builder = _Builder(line, is_private=private)
    nodes = builder.built(_parser().parse(text))
    if builder.faults:
        raise LessonError(builder.faults)
    if warnings is not None:
        warnings += builder.warnings
    return nodes


def inline(text: str, line: int = 1, warnings: list[Fault] | None = None) -> Tree:
    """Return the nodes of one paragraph, as `tree` does.

    >>> inline("the width `sigma`")
    ('the width ', {'kind': 'code', 'text': 'sigma'})
    """
    nodes = tree(text, line, warnings)
    if not nodes:
        return ()
    if len(nodes) > 1 or isinstance(nodes[0], str) or nodes[0]["kind"] != "paragraph":
        raise LessonError(
            [Fault(line, "One paragraph is wanted here, without lists, headings and tables.")]
        )
    return tuple(nodes[0]["children"])


def plain(nodes: Sequence[Node]) -> str:
    """Return the text of a tree; formulas as they are shown, with braces about what is set lower or
    higher.

    >>> plain(tree("Look *where* $S_W$ goes."))
    'Look where S_{W} goes.'
    """
    return "".join(node if isinstance(node, str) else _text(node) for node in nodes)


def _text(node: dict[str, Any]) -> str:
    return str(node.get("shown") or node.get("text") or plain(node.get("children", ())))


@cache
def _parser() -> MarkdownIt:
    # HTML is read so that it can be refused.
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": 40}).enable("table")
    parser.validateLink = lambda url: True  # type: ignore[method-assign] # links to elsewhere too
    parser.inline.ruler.before("escape", "math", _math)
    return parser


def _math(state: StateInline, silent: bool) -> bool:
    """Read $…$ as a formula; a $ that is none as itself."""
    if state.src[state.pos] != "$":
        return False
    match = _MATH.match(state.src, state.pos, state.posMax)
    if match is None:
        if not silent:
            state.push("dollar", "", 0)
        state.pos += 1
        return True
    if not silent:
        state.push("math", "", 0).content = match[1]
    state.pos = match.end()
    return True


class _Builder:
    """Makes nodes of tokens, and collects what may not be there."""

    def __init__(self, line: int, *, is_private: bool) -> None:
        self.faults: list[Fault] = []
        self.warnings: list[Fault] = []
        self._is_private = is_private
        self._quotes = 0  # The number of quotations that are open.
        self._begins_quote = False  # The next text is then the first of a quotation.
        self._first_line = line
        self._line = line  # The line of the token at hand.

    def built(self, tokens: Sequence[Token]) -> Tree:
        """Return the tree of block tokens."""
        stack: list[list[Node]] = [[]]
        self._add(tokens, stack)
        return tuple(stack[0])

    def _add(self, tokens: Sequence[Token], stack: list[list[Node]]) -> None:
        """Add the nodes of tokens; `stack` has the children of the nodes that are open, those of
        the innermost last.
        """
        for token in tokens:
            if token.map:
                self._line = self._first_line + token.map[0]
            if token.type == "blockquote_open":
                self._quotes += 1
            elif token.type == "blockquote_close":
                self._quotes -= 1
            self._begins_quote = token.type == "blockquote_open" or (
                self._begins_quote and token.type in ("paragraph_open", "inline")
            )
            if token.type == "inline" and self._quotes and not self._is_private:
                self._check_quotation(token.content)
            if token.type == "inline":
                self._add(token.children or (), stack)
            elif token.type in _WITHOUT_NODES or (token.type == "paragraph_open" and token.hidden):
                continue
            elif token.nesting > 0:
                node = self._node(token)
                stack[-1].append(node)
                stack.append(node["children"])
                if len(stack) == DEEPEST + 2:
                    self._fault(_DEEP)
            elif token.nesting < 0:
                if not (token.type == "paragraph_close" and token.hidden):
                    stack.pop()
            else:
                self._leaf(token, stack[-1])

    def _check_quotation(self, text: str) -> None:
        """Note where a quotation, which students see, begins as if it were for somebody else: with
        a name and a colon, or with "notes:" at any line.
        """
        lines = text.split("\n")
        for number, line in enumerate(lines):
            begins = self._begins_quote and number == 0
            match = _ADDRESSED.match(line) if begins else _NOTES.match(line)
            if match is not None:
                self.warnings.append(Fault(self._line + number, _STUDENTS_SEE.format(match[1])))
        self._begins_quote = False

    def _node(self, token: Token) -> dict[str, Any]:
        """Return the node that a token opens, without children."""
        node: dict[str, Any] = {"kind": _KINDS[token.type], "children": []}
        if node["kind"] == "list":
            node |= {
                "ordered": token.type == "ordered_list_open",
                "start": int(token.attrs.get("start", 1)),
            }
        elif node["kind"] == "cell":
            node["head"] = token.type == "th_open"
        elif node["kind"] == "heading":
            node["level"] = int(token.tag[1:])
            if node["level"] < 3:
                self._fault(_SCENE)
        elif node["kind"] == "link":
            node["href"] = str(token.attrs.get("href", ""))
            if not _HREF.fullmatch(node["href"]):
                self._fault(_LINK)
        return node

    def _leaf(self, token: Token, into: list[Node]) -> None:
        """Add the node of a token that holds no others."""
        kind = token.type
        if kind == "text":
            if token.content:
                _append(into, token.content)
        elif kind == "softbreak":
            self._line += 1
            _append(into, " ")
        elif kind == "hardbreak":
            self._line += 1
            into.append({"kind": "break"})
        elif kind == "code_inline":
            into.append({"kind": "code", "text": token.content})
        elif kind == "math":
            into.append({"kind": "math", "text": token.content, "shown": formula(token.content)})
        elif kind == "dollar":
            _append(into, "$")
            self.warnings.append(Fault(self._line, _DOLLAR))
        elif kind in ("fence", "code_block"):
            into.append(
                {"kind": "block", "text": token.content, "language": token.info.strip()[:20]}
            )
        elif kind == "hr":
            into.append({"kind": "rule"})
        else:
            self._fault(_IMAGE if kind == "image" else _HTML)

    def _fault(self, what: str) -> None:
        self.faults.append(Fault(self._line, what))


def _append(into: list[Node], text: str) -> None:
    """Add a text to the one before it."""
    if into and isinstance(into[-1], str):
        into[-1] += text
    else:
        into.append(text)


# ---- formulas ---

_SIGNS = {
    "cdot": "·", "times": "×", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠",
    "approx": "≈", "infty": "∞", "to": "→", "rightarrow": "→", "leftarrow": "←", "propto": "∝",
    "pm": "±", "cap": "∩", "sum": "Σ", "prod": "∏", "partial": "∂", "sqrt": "√", "in": " in ",
    "ldots": "…", "dots": "…", "cdots": "…", "lVert": "‖", "rVert": "‖", "Vert": "‖", "|": "‖",
    "lvert": "|", "rvert": "|", "mid": "|", "langle": "⟨", "rangle": "⟩", "quad": " ", "qquad": " ",
    ",": " ", ";": " ", ":": " ", "!": "", " ": " ", "left": "", "right": "", "top": "T",
    "prime": "′", "{": "\x01", "}": "\x02", "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ",
    "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ", "kappa": "κ",
    "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ",
    "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Lambda": "Λ", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip
_LOW = dict(zip("0123456789+-−=()ijkt", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ᵢⱼₖₜ", strict=True))
_HIGH = dict(zip("0123456789+-−=()niT", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱᵀ", strict=True))
_COMMAND = re.compile(r"\\([A-Za-z]+|.)")
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_SCRIPT = re.compile(r"([_^])(?:\{([^{}]*)\}|(\S))")
_NO_BREAK = "\u00a0"


def formula(latex: str) -> str:
    r"""Return a formula as a line of text.

    What no character can set lower or higher stands in braces after _ or ^.

    >>> print(formula(r"f(x) = \sum_i \alpha_i y_i k(x_i, x)"), "|", formula("S_T + (u·v + c)^q"))
    f(x) = Σᵢ αᵢ yᵢ k(xᵢ, x) | S_{T} + (u·v + c)^{q}
    """
    text = _FRACTION.sub(r"(\1)/(\2)", latex)
    text = _COMMAND.sub(_sign, text)
    text = _SCRIPT.sub(_script, text)
    pieces = re.split(r"([_^]\{[^{}]*\})", text)
    pieces[::2] = (part.replace("{", "").replace("}", "") for part in pieces[::2])
    return re.sub(" {2,}", " ", "".join(pieces)).replace("\x01", "{").replace("\x02", "}")


def _sign(match: re.Match[str]) -> str:
    name = match[1]
    return _SIGNS.get(
        name, f"{name} " if name in ("log", "exp", "min", "max", "sin", "cos") else ""
    )


def _script(match: re.Match[str]) -> str:
    sign = match[1]
    text = (match[2] or match[3] or "").strip()
    known = _LOW if sign == "_" else _HIGH
    if all(char in known for char in text):
        return "".join(known[char] for char in text)
    return f"{sign}{{{text.replace(' ', _NO_BREAK)}}}"
