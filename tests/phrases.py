"""The phrases of the program that a lesson says in its own language, collected from the code.

Of each text that stands in a file, {} is where a value comes; one that is made by a choice is
several. Which of them nobody reads, as the names of classes and events, follows from where they
stand: `literals.js` says it of JavaScript, this file of Python.
"""

import ast
import itertools
import json
import re
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "kpviz"
WEB = PACKAGE / "player" / "web"
# What is said in a lesson is said by these.
SPEAKING = [
    *(WEB / "modes" / f"{name}.js" for name in ("lesson", "puzzle", "puzzle_tools")),
    *(WEB / "modes" / f"{name}.js" for name in ("class_votes", "class_question")),
    *(WEB / "page" / f"{name}.js" for name in ("asking", "class_box", "voting_card", "slides")),
    WEB / "modes" / "puzzle_wall.js",
    *(WEB / "page" / f"{name}.js" for name in ("notes", "typed_number", "wall_box", "stage_box")),
    *sorted((WEB / "page" / "lesson").glob("*.js")),
    *(WEB / "alone" / f"{name}.js" for name in ("python", "keeping", "worker_wasi_loader")),
    *sorted((PACKAGE / "lessons" / "file" / "kinds").glob("*.py")),
    *(PACKAGE / "lessons" / f"{name}.py" for name in ("file/names", "records")),
    *(PACKAGE / "export" / f"{name}.py" for name in ("print/handout", "pace", "page/cards")),
    PACKAGE / "export" / "page" / "site.py",
]
# What these are given is read by code, or by the author of a lesson alone.
NOT_SAID = {
    *("fault", "text", "get", "condition", "link", "choice", "number", "whole", "all", "line_of"),
    *("ConditionError", "Fault", "UnreadableAnswerError", "NoRunError", "compile", "split", "join"),
    *("startswith", "removeprefix", "removesuffix", "replace", "partition", "frontend", "Literal"),
    *("with_name", "read_condition", "fullmatch", "TypeVar", "namedtuple", "glob", "encode"),
}
# Functions that only `kpviz lesson check` or the documentation asks.
FOR_AUTHORS = {"problems", "documented", "read_limits", "_limit", "_finite", "puzzle_in"}
MOST = 24  # So many texts one template makes at most.
VALUE = re.compile(r"\{\w*\}")
WORD = re.compile(r"[A-Za-z]{2}")
# A text of several words, or one that begins a sentence: single words name much in code.
PHRASE = re.compile(r"[^a-z]*[A-Z][a-z]|.*[a-z]\S* .*[a-z]{2}", re.DOTALL)
MARKUP = re.compile(r"</?[a-z]|[{};]\s|: var\(|\(\?")


def texts_in(path):
    """Each text of a file of Python, and whether it may be words that one reads."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    values = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            values.setdefault(node.targets[0].id, []).append(node.value)
    phrases = []
    _walk(tree, values, True, phrases)
    return phrases


def _texts(node, values, depth=0):
    """The texts that a node can be, None where it is none."""
    if depth > 6:
        return None

    def inner(other):
        return _texts(other, values, depth + 1)

    match node:
        case ast.Constant(value=str(text)):
            return [VALUE.sub("{}", text)]
        case ast.JoinedStr(values=parts):
            return _joined(
                (inner(part.value) or ["{}"])
                if isinstance(part, ast.FormattedValue)
                else [part.value]
                for part in parts
            )
        case ast.IfExp(body=first, orelse=second):
            both = [inner(first), inner(second)]
            return [text for texts in both for text in texts or ["{}"]] if any(both) else None
        case ast.BinOp(left=first, op=ast.Add(), right=second):
            both = [inner(first), inner(second)]
            return _joined(texts or ["{}"] for texts in both) if any(both) else None
        case ast.Call(func=ast.Name("counted"), args=[_, noun, *more]):
            one = inner(noun)
            several = inner(more[0]) if more else [f"{text}s" for text in one or []]
            return [f"1 {one[0]}", f"{{}} {several[0]}"] if one else None
        case ast.Name(id=name) if depth and name in values:
            return inner(values[name][0]) if len(values[name]) == 1 else None
    return None


def _joined(parts):
    return ["".join(texts) for texts in itertools.islice(itertools.product(*parts), MOST)]


def _walk(node, values, may_be_words, phrases):
    texts = _texts(node, values)
    phrases += [(text, may_be_words) for text in texts or ()]
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST):
                continue
            is_part = texts is not None and field != "test" and _texts(child, values) is not None
            if not is_part:
                is_said = may_be_words and not _is_name(node, field, child)
                _walk(child, values, is_said, phrases)


def _is_name(node, field, child):
    """Whether a child of a node is for code or authors alone."""
    match node:
        case ast.Compare() | ast.MatchValue() | ast.Import() | ast.ImportFrom():
            return True
        case ast.Expr(value=ast.Constant()):
            return True  # A docstring.
        case ast.Dict():
            return field == "keys"
        case ast.Subscript():
            return field == "slice"
        case ast.Call(func=ast.Name(id="Name" | "_function"), args=arguments):
            return child in arguments[:3]  # Its name, its kind, and what the documentation says.
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return child is not node.func and name in NOT_SAID
        case ast.keyword(arg=name):
            return name in NOT_SAID
        case ast.AnnAssign(target=ast.Name(id="samples" | "keys" | "secret" | "several")):
            return True
        case ast.FunctionDef(name=name, args=arguments):
            read = any("Block" in ast.unparse(arg) for arg in arguments.args if arg.annotation)
            return read or name in FOR_AUTHORS
    return field in ("annotation", "returns")


@cache
def of_code():
    """By file each text of all the code, and whether it may be words that one reads."""
    scripts = sorted(WEB.rglob("*.js")) + sorted((PACKAGE / "export").rglob("*.js"))
    node = [ROOT / ".venv" / "bin" / "node", Path(__file__).with_name("literals.js"), *scripts]
    output = subprocess.run(node, capture_output=True, text=True, check=True).stdout
    texts_of_file = {}
    for path, may_be_words, text in json.loads(output):
        texts_of_file.setdefault(Path(path), []).append((text, may_be_words))
    for path in PACKAGE.rglob("*.py"):
        if "languages" not in path.parts:
            texts_of_file[path] = texts_in(path)
    return texts_of_file


def sentences(text):
    """The sentences of a text that are words, without the values with which they begin or end."""
    parts = (part.strip("{} .:·") for part in re.split(r"(?<=[.?!])\s+", text))
    return [part for part in parts if WORD.search(part.replace("{}", ""))]


def said_in_lessons():
    """Each sentence, or part of one, that the code says in a lesson, with its file."""
    phrases = {}
    for path in SPEAKING:
        for text, may_be_words in of_code()[path]:
            if not may_be_words or MARKUP.search(text):
                continue
            for sentence in sentences(text):
                if PHRASE.match(sentence.replace("{}", "")):
                    phrases.setdefault(sentence, path.relative_to(PACKAGE).as_posix())
    return phrases


@cache
def is_said(phrase):
    """Whether the code says a phrase of a table, at once or piece by piece."""
    clauses = [clause.strip(" ·") for clause in re.split(r"\{\w+\}|[,:;.?!(] ?", phrase)]
    return all(
        re.search(rf"(?<![A-Za-z]){re.escape(clause)}(?![A-Za-z])", _all_texts())
        for clause in clauses
        if WORD.search(clause)
    ) or any(pattern.fullmatch(VALUE.sub("{}", phrase)) for pattern in _patterns())


@cache
def _all_texts():
    return "\n".join({text for texts in of_code().values() for text, _ in texts})


@cache
def _patterns():
    """The texts of the code that have values, as patterns of what is said."""
    texts = {text.strip() for texts in of_code().values() for text, _ in texts if "{}" in text}
    parts = {part for text in texts for part in re.split(r"(?<=[.?!])\s+", text)}
    letter_counts = {part: len(re.sub(r"[^a-z]", "", part.lower())) for part in parts}
    return [
        re.compile(".*?".join(map(re.escape, part.split("{}"))), re.DOTALL)
        for part, length in letter_counts.items()
        if length > 5
    ]
