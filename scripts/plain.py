"""Refuse what ruff has no rule against: telegraphic Python. `make check` runs it.

A name says what it holds, each statement stands on its own line, a condition assigns nothing, an
import keeps its name, one class name means one thing, and a comment begins as a sentence does. Of
the tests those files are read that others import: a test itself is short enough for short names.

Tests: tests/test_plain.py.
"""

import ast
import io
import re
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("kpviz", "benchmarks", "scripts", "docs/_ext")

# Archives, and what drives a browser, whose short names hundreds of tests use.
TEST_ROOMS_LEFT_OUT = {"before", "browser", "journeys"}

VAGUE = {
    *("found", "each", "shown", "asked", "given", "own", "kept"),
    *("said", "wanted", "rest", "beside", "anew", "onward"),
}
# These are public, so that they cannot change within 1.x.
EXEMPT_NAMES = {
    ("kpviz/api/run.py", "shown"): "`Run.plot` takes its further choices by this name",
    ("kpviz/engine/theory/primal.py", "SHOWN"): "it is kpviz.primal.SHOWN",
    ("tests/player/headless.py", "rest"): "a page in the browser rests by the same name",
}
# A comment that begins with a small letter, or as half a sentence does. What tools read may, as may
# a symbol, a call, a path and a line of the pseudo-code that stands beside the loop.
FRAGMENT = re.compile(
    r"#\s*(?:(?!type|noqa|fmt|pragma|repeat:|if |else:|until )(?:an?|[a-z]{2,})\b(?![.(_/])"
    r"|(?:Of|Whether|Which)\b)"
)
EXEMPT_CLASSES = {"Run": "the one of kpviz.api adds pictures, page and link to that of the engine"}
ALIASES = {"np", "pd", "st"}  # Everybody knows numpy, pandas and streamlit by these.


def names_of(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node itself gives to something."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
            yield name
        case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.ClassDef(name=name) | ast.ExceptHandler(name=str(name)):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name


def is_parallel(target: ast.expr, value: ast.expr) -> bool:
    """Return whether one assignment can be written as several; one that swaps cannot."""
    if not (isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)):
        return False
    if any(isinstance(part, ast.Starred) for part in target.elts + value.elts):
        return False
    written = [ast.unparse(part) for part in target.elts]
    for i, part in enumerate(value.elts):
        if not {ast.unparse(node) for node in ast.walk(part)}.isdisjoint(written[:i]):
            return False
    return True


def faults_of(path: str, node: ast.AST) -> Iterator[str]:
    """Yield what is wrong with one node, its parts excepted."""
    for name in names_of(node):
        if name.strip("_").lower() in VAGUE and (path, name) not in EXEMPT_NAMES:
            yield f"`{name}` does not say what it holds"
    match node:
        case ast.Assign(targets=[target], value=value) if is_parallel(target, value):
            yield "one statement assigns several values: write one a line"
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            if any(isinstance(part, ast.NamedExpr) for part in ast.walk(test)):
                yield "a condition assigns: assign before it"
        case ast.comprehension(ifs=tests):
            if any(isinstance(part, ast.NamedExpr) for test in tests for part in ast.walk(test)):
                yield "a condition assigns: assign before it"
        case ast.alias(name=name, asname=str(other)) if other not in {name, *ALIASES}:
            yield f"{name} is imported as {other}: leave it its name"


def faults(files: Iterable[Path], root: Path) -> Iterator[str]:
    """Yield place and fault of all that is wrong in `files`, which lie below `root`."""
    places = defaultdict(list)
    for file in files:
        path = file.relative_to(root).as_posix()
        text = file.read_text(encoding="utf-8")
        tree = ast.parse(text)
        if not path.startswith("tests/"):
            yield from comment_faults(path, text)
        for parent in ast.walk(tree):
            for node in ast.iter_child_nodes(parent):
                line = getattr(node, "lineno", getattr(parent, "lineno", 0))
                for fault in faults_of(path, node):
                    yield f"{path}:{line}: {fault}"
                if isinstance(node, ast.ClassDef) and path.startswith("kpviz/"):
                    places[node.name.strip("_")].append((path, line))
    for name, classes in places.items():
        if len(classes) > 1 and name not in EXEMPT_CLASSES:
            for path, line in classes:
                yield f"{path}:{line}: {len(classes)} classes are called {name}"


def comment_faults(path: str, text: str) -> Iterator[str]:
    """Yield place and fault of each comment of a file that begins as no sentence does."""
    lines = text.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT or not FRAGMENT.match(token.string):
            continue
        line, column = token.start
        is_alone = not lines[line - 1][:column].strip()
        if not (is_alone and lines[line - 2].strip().startswith("#")):
            yield f"{path}:{line}: a comment is a sentence with a reason"


def python_files(root: Path) -> Iterator[Path]:
    """Yield the files whose code has to be plain."""
    yield from root.glob("*.py")
    for folder in FOLDERS:
        yield from (root / folder).rglob("*.py")
    for file in (root / "tests").rglob("*.py"):
        room = file.relative_to(root).parts[1]
        if not file.name.startswith("test_") and room not in TEST_ROOMS_LEFT_OUT:
            yield file


def main() -> int:
    """Print the faults; return 1 if there are any."""
    lines = list(faults(sorted(python_files(ROOT)), ROOT))
    print(*lines, sep="\n", end="\n" * bool(lines))
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main())
