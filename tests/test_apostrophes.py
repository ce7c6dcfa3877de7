"""An apostrophe is ’ in all words that are read: sentences of Python and of the player, and lessons
that come along.
"""

import ast
import re
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "kpviz"
STRAIGHT = re.compile(r"[^\W\d_]'[^\W\d_]{1,2}\b|(?<=[^\W\d_]s)' (?=[a-z])")
QUOTED = re.compile(r"(?<!\w)'[^'\n]*'(?!\w)")  # a name between two of them, as in 'data=bits'
OF_CODE = ("export/script.py", "export/notebook.py")  # what is written for Python to read
TEXTS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def sentences(tree):
    """The strings of a file, without docstrings; of one with values its parts."""
    told = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, TEXTS) and is_told(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.lineno, node.value


def is_told(node):
    return (
        bool(node.body)
        and isinstance(node.body[0], ast.Expr)
        and isinstance(node.body[0].value, ast.Constant)
    )


def straight(text):
    """Apostrophes in a text that are typed as a quotation mark; a comment of Python's is code."""
    return [found[0] for found in STRAIGHT.finditer(QUOTED.sub("", text.partition("# ")[0]))]


def texts():
    """All that is read: (file, text)."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if not path.relative_to(PACKAGE).as_posix().startswith(OF_CODE):
            yield from (
                (path.name, text)
                for _, text in sentences(ast.parse(path.read_text(encoding="utf-8")))
            )
    for path in sorted((PACKAGE / "player" / "web").rglob("*.js")):
        for line in path.read_text(encoding="utf-8").split("\n"):
            yield path.name, re.sub(r"(^|[\s;{}(),])(//|/?\*\*? ).*$", "", line)
    for path in sorted((PACKAGE / "lessons" / "shipped").glob("*.kpviz.md")):
        yield path.name, path.read_text(encoding="utf-8")


def test_no_apostrophe_is_typed_as_a_quotation_mark():
    assert straight("the learner's own, and 'bits'; don't") == ["r's", "n't"]
    assert [(name, text) for name, text in texts() if straight(text)] == []
