"""The player's modules as one script: a page that is opened as a file may not load modules.

Each module becomes a constant that holds what it exports, after those that it imports. As modules
import by name, hold nothing that changes after it was exported, and never in a circle, this is what
a browser does with them. One inline script can be named by its hash in the page's security policy,
which then allows no other.

Tests: tests/player/test_frontend.py.
"""

from __future__ import annotations

import posixpath
import re
from functools import cache
from importlib.resources import files

_IMPORT = re.compile(r'^import \{([^{}]*)\} from "(\.[^"]*)";$', re.MULTILINE)
_EXPORT = re.compile(
    r"^export (default )?((?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE
)
_LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
# Comments are left out: only readers and the type checker need them. A comment after code is left
# out only where that has no quotation mark and no slash, so that it cannot be part of a text.
_COMMENT = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
_COMMENT_AFTER_CODE = re.compile(r"""^([^"'`/\n]*[^"'`/\s]) // [^\n]*$""", re.MULTILINE)
# Within html these end or change a script.
_CLOSES = re.compile(r"<(?=/script|script|!--)", re.IGNORECASE)


@cache
def script(entry: str) -> str:
    """Return the module `entry` of the frontend with all that it needs.

    The last line names its default export.

    >>> script("page/standalone.js").splitlines()[-1]
    'const start = $page_standalone.default;'
    """
    done: dict[str, str] = {}
    _collect(entry, (), done)
    parts = [f"const {_constant(path)} = (() => {{\n{text}}})();" for path, text in done.items()]
    return _CLOSES.sub(r"\\x3c", "\n".join([*parts, f"const start = {_constant(entry)}.default;"]))


def _collect(path: str, above: tuple[str, ...], done: dict[str, str]) -> None:
    """Add a module after those that it imports."""
    if path in above:
        raise ValueError(f"{path} imports itself: {' → '.join([*above, path])}.")
    if path in done:
        return
    source = _COMMENT_AFTER_CODE.sub(r"\1", _COMMENT.sub("", frontend(path)))
    for _, target in _IMPORT.findall(source):
        _collect(_resolved(path, target), (*above, path), done)
    done[path] = _as_function(path, source)


def _as_function(path: str, source: str) -> str:
    """Return the body of a function that does what the module does and returns what it exports."""
    exported = {
        "default" if default else name: name for default, _, name in _EXPORT.findall(source)
    }
    body = _EXPORT.sub(r"\2", _IMPORT.sub(lambda match: _taken(path, *match.groups()), source))
    left = _LEFT.search(body)
    if left:
        raise ValueError(
            f"{path} cannot be put into a page: {left[0]!r} is written in another way than the "
            "rest."
        )
    names = ", ".join(name if key == name else f"{key}: {name}" for key, name in exported.items())
    return f"{body.rstrip()}\nreturn {{ {names} }};\n"


def _taken(path: str, names: str, target: str) -> str:
    listed = ", ".join(
        name.strip().replace(" as ", ": ") for name in names.split(",") if name.strip()
    )
    return f"const {{ {listed} }} = {_constant(_resolved(path, target))};"


def _resolved(path: str, target: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), target))


def _constant(path: str) -> str:
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))


@cache
def frontend(path: str) -> str:
    """Return the text of a file of the frontend."""
    return files("kpviz.player").joinpath("web", path).read_text(encoding="utf-8")
