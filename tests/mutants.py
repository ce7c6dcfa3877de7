"""Plant faults in a copy of the code, one at a time, and count those that the nearest tests find.

    python -m tests.mutants --seed 39 --engine 60 --service 30 --javascript 40

A fault is one operator, comparison, condition, constant, default or function such as `min` that is
another one, or a statement that is missing. Faults are drawn by a hash of where they are: in
another version of the code the same ones are drawn, wherever the code of the function is the same.
Files of the checkout are never touched.

A fault is *killed* if a test fails that passes without it, *live* if all of the nearest tests pass,
and *undecided* if the time ran out. What is live may be equivalent, or be killed by a test further
away: read it."""

import argparse
import ast
import contextlib
import hashlib
import inspect
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import count, zip_longest
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
WEB = "kpviz/player/web/"
ROOMS = {
    "engine": (("kpviz/engine/",), ".py"),
    "service": (("kpviz/service/", "kpviz/settings/", "kpviz/player/"), ".py"),
    "words": (("kpviz/lessons/", "kpviz/export/", "kpviz/commands/"), ".py"),
    "model": ((f"{WEB}run/", f"{WEB}board/"), ".js"),
    "javascript": ((WEB,), ".js"),
}
DRAWN_BY = tuple(f"{WEB}{folder}/" for folder in ("run", "board", "panels", "paint", "paper"))
BOARD_TESTS = ("tests/player/test_board_laws.py", "tests/player/test_gallery.py")
WORDS = "KPVIZ_MUTANT_WORDS"
FAILED = "FAILED TEST: "
STAGES = (3, 5)  # so many of the nearest test files are run at first, and so many after them


@dataclass(frozen=True)
class Fault:
    """What stands in a file from `start` to `end`, and what is put in its place."""

    path: str
    function: str  # with its class; "" at import time
    kind: str
    start: int
    end: int
    before: str
    after: str
    line: int

    def __str__(self):
        replacement = self.after.strip() or "nothing"
        return (
            f"{self.path}:{self.line} {self.function or 'at import'}: {self.before.strip()} -> "
            f"{replacement}"
        )

    def planted(self, text):
        return text[: self.start] + self.after + text[self.end :]


# ---- Python --------------------------------------------------------------------------------------

COMPARISONS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "is not": "is",
    "not in": "in",
}
COMPARISONS |= {"is": "is not", "in": "not in"}
OPERATORS = {
    "+": "-",
    "-": "+",
    "*": "/",
    "//": "*",
    "/": "*",
    "**": "*",
    "%": "*",
    "&": "|",
    "|": "&",
}
FUNCTIONS = {"min": "max", "any": "all", "floor": "ceil", "argmin": "argmax", "minimum": "maximum"}
FUNCTIONS |= {another: one for one, another in FUNCTIONS.items()}


class PythonFaults(ast.NodeVisitor):
    """All faults that can be planted in one module."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.line_starts = [0]
        for line in text.splitlines(keepends=True):
            self.line_starts.append(self.line_starts[-1] + len(line))
        self.lines = text.splitlines(keepends=True)
        self.names = []
        self.faults = []
        self.visit(ast.parse(text))

    def place(self, line, column):
        """Columns of a syntax tree count bytes."""
        characters = len(self.lines[line - 1].encode()[:column].decode())
        return self.line_starts[line - 1] + characters

    def start(self, node):
        return self.place(node.lineno, node.col_offset)

    def end(self, node):
        return self.place(node.end_lineno, node.end_col_offset)

    def add(self, kind, start, end, after):
        line = self.text.count("\n", 0, start) + 1
        function = ".".join(self.names)
        self.faults.append(
            Fault(self.path, function, kind, start, end, self.text[start:end], after, line)
        )

    def add_between(self, kind, left, right, table):
        """Exchange the operator that stands between two nodes."""
        start = self.end(left)
        between = self.text[start : self.start(right)]
        for operator in sorted(table, key=len, reverse=True):
            place = re.search(rf"(?<![\w*/<>=!]){re.escape(operator)}(?![\w*/<>=])", between)
            if place:
                self.add(kind, start + place.start(), start + place.end(), table[operator])
                return

    def add_negated(self, node):
        source = self.text[self.start(node) : self.end(node)]
        self.add("condition", self.start(node), self.end(node), f"(not ({source}))")

    def add_constant(self, node, kind):
        value = node.value
        if isinstance(value, bool):
            after = str(not value)
        elif isinstance(value, int):
            after = str(value + 1)
        elif isinstance(value, float):
            after = str(2 * value if value else 1.0)
        else:
            return
        self.add(kind, self.start(node), self.end(node), after)

    def visit_in(self, node):
        self.names.append(node.name)
        for child in node.body:
            self.visit(child)
        self.names.pop()

    def visit_ClassDef(self, node):
        self.visit_in(node)

    def visit_FunctionDef(self, node):
        self.names.append(node.name)
        for default in [*node.args.defaults, *filter(None, node.args.kw_defaults)]:
            if isinstance(default, ast.Constant):
                self.add_constant(default, "default")
        self.names.pop()
        self.visit_in(node)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_AnnAssign(self, node):
        """A field of a dataclass: its value is the default of an argument."""
        if isinstance(node.value, ast.Constant):
            self.add_constant(node.value, "default")
        elif node.value is not None:
            self.visit(node.value)

    def visit_Compare(self, node):
        self.add_between("comparison", node.left, node.comparators[0], COMPARISONS)
        self.generic_visit(node)

    def visit_BinOp(self, node):
        if not isinstance(node.left, ast.Constant) or not isinstance(node.left.value, str):
            self.add_between("operator", node.left, node.right, OPERATORS)
        self.generic_visit(node)

    def visit_BoolOp(self, node):
        self.add_between("condition", node.values[0], node.values[1], {"and": "or", "or": "and"})
        self.generic_visit(node)

    def visit_If(self, node):
        if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            self.add_negated(node.test)
            self.generic_visit(node)

    def visit_IfExp(self, node):
        self.add_negated(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node):
        for condition in node.ifs:
            self.add_negated(condition)
        self.generic_visit(node)

    def visit_Constant(self, node):
        self.add_constant(node, "constant")

    def visit_Name(self, node):
        if node.id in FUNCTIONS:
            self.add("function", self.start(node), self.end(node), FUNCTIONS[node.id])

    def visit_Attribute(self, node):
        if node.attr in FUNCTIONS:
            end = self.end(node)
            self.add("function", end - len(node.attr), end, FUNCTIONS[node.attr])
        self.generic_visit(node)

    def visit_JoinedStr(self, node):
        """Places within an f-string are not told in Python 3.11."""

    def visit_Expr(self, node):
        if isinstance(node.value, ast.Call):
            self.add("statement", self.start(node), self.end(node), "pass")
            self.generic_visit(node)

    def visit_AugAssign(self, node):
        self.add("statement", self.start(node), self.end(node), "pass")
        self.generic_visit(node)


# ---- JavaScript ----------------------------------------------------------------------------------

TOKENS = {  # kind: {what is looked for: what is put in its place}
    "comparison": {
        "===": "!==",
        "!==": "===",
        " < ": " <= ",
        " <= ": " < ",
        " > ": " >= ",
        " >= ": " > ",
    },
    "operator": {" + ": " - ", " - ": " + ", " * ": " / ", " / ": " * ", " % ": " * "},
    "condition": {
        " && ": " || ",
        " || ": " && ",
        " ?? ": " && ",
        "if (!": "if (",
        "true": "false",
        "false": "true",
    },
    "function": {
        "Math.max(": "Math.min(",
        "Math.min(": "Math.max(",
        "Math.floor(": "Math.ceil(",
        "Math.ceil(": "Math.floor(",
        "Math.round(": "Math.floor(",
        "Math.abs(": "(",
        ".some(": ".every(",
        ".every(": ".some(",
    },
}
NUMBER = re.compile(r"(?<![\w.#$])\d+(?:\.\d+)?(?![\w.])")
STATEMENT = re.compile(r"(?m)^[ \t]+(?:this|[a-z]\w*)(?:\.#?\w+)*(?:\(.*\)| (?:\+|-)?= [^;{]*);$")
BLOCK = re.compile(
    r"(?m)^(?:  )?(?:export |default |async |static |get |set |function "
    r")*(?!if|for|while|switch|else)([#\w]+) ?\(.*\{$"
)
# Comments, and what is quoted; what a template computes is not tried.
NO_CODE = re.compile(
    r"//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|`(?:\\.|[^`\\])*`", re.DOTALL
)


def javascript_faults(path, text):
    """All faults that can be planted in one module."""
    code = NO_CODE.sub(lambda match: re.sub(r"[^\n]", "\x00", match[0]), text)
    blocks = [(match.start(), match[1]) for match in BLOCK.finditer(code)]

    def fault(kind, start, end, after):
        function = next((name for place, name in reversed(blocks) if place <= start), "")
        return Fault(
            path, function, kind, start, end, text[start:end], after, text.count("\n", 0, start) + 1
        )

    for kind, table in TOKENS.items():
        for token, after in table.items():
            pattern = rf"\b{token}\b" if token.isalpha() else re.escape(token)
            for match in re.finditer(pattern, code):
                yield fault(kind, match.start(), match.end(), after)
    for match in NUMBER.finditer(code):
        yield fault(
            "constant", match.start(), match.end(), str(float(match[0]) + 1).removesuffix(".0")
        )
    for match in STATEMENT.finditer(code):
        yield fault("statement", match.start(), match.end(), "")


# ---- which faults, and which tests ---------------------------------------------------------------


def faults_of(checkout, room):
    """All faults of a room, each with the hash by which it is drawn."""
    folders, ending = ROOMS[room]
    for path in tracked(checkout):
        if not path.startswith(folders) or not path.endswith(ending):
            continue
        text = (checkout / path).read_text(encoding="utf-8")
        if "Written by" in text[:100]:  # a table that another file has
            continue
        of_file = (
            PythonFaults(path, text).faults if ending == ".py" else javascript_faults(path, text)
        )
        same = Counter()
        for fault in of_file:
            named = (fault.path, fault.function, fault.kind, fault.before)
            same[named] += 1
            yield fault, f"{named} {same[named]}"


def drawn(checkout, room, number, seed):
    """So many faults of a room, of each kind as many as of another, in no function two."""
    of_kind = defaultdict(list)
    for fault, name in faults_of(checkout, room):
        of_kind[fault.kind].append((hashlib.sha256(f"{seed} {name}".encode()).digest(), fault))
    chosen = {}
    for row in zip_longest(
        *(sorted(faults, key=lambda pair: pair[0]) for _, faults in sorted(of_kind.items()))
    ):
        for _, fault in filter(None, row):
            chosen.setdefault((fault.path, fault.function), fault)
            if len(chosen) == number:
                return [*chosen.values()]
    return [*chosen.values()]


def tracked(checkout):
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(
        command, cwd=checkout, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return [path for path in listed if (checkout / path).is_file()]


class Nearest:
    """Which test files name what a fault is in: words that few of them have weigh most."""

    def __init__(self, checkout):
        self.checkout = checkout
        self.helpers = {
            path.stem: path
            for path in checkout.glob("tests/**/*.py")
            if not path.stem.startswith("test_")
        }

    @cached_property
    def words(self):
        """The words of each test file, and of the helpers that it imports, counted once."""
        files = [
            path
            for path in tracked(self.checkout)
            if re.match(r"tests/(?!journeys|test_mutants).*test_\w+\.py$", path)
        ]
        return {path: self.words_of(self.checkout / path) for path in files}

    def words_of(self, path):
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r"^(?:from|import) (\w+)\b", text, re.MULTILINE):
            if name in self.helpers:
                text += self.helpers[name].read_text(encoding="utf-8")
        return set(re.findall(r"\w+", text))

    @cached_property
    def common(self):
        return Counter(word for words in self.words.values() for word in words)

    def row_of(self, path):
        """What CONTRIBUTING.md says of the tests of a room of the player, "" for other files."""
        _, _, room = path.parent.as_posix().partition("player/web/")
        if not room:
            return ""
        guide = (self.checkout / "CONTRIBUTING.md").read_text(encoding="utf-8")
        row = re.search(rf"^\| `{re.escape(room)}/` \|.*", guide, re.MULTILINE)
        return row[0] if row else ""

    def files(self, fault):
        """Test files, nearest first, and only such as have a word of the fault's place."""
        path = Path(fault.path)
        text = (self.checkout / fault.path).read_text(encoding="utf-8")
        tests_line = re.search(r"^(?:(?://|#) ?)?Tests: (.+?)\.?$", text[:3000], re.MULTILINE)
        named = re.findall(r"tests/[\w/]+\.py", tests_line[1] if tests_line else self.row_of(path))
        names = {name: 4.0 for name in fault.function.split(".") if name}
        names |= {path.stem: 4.0, path.parent.name: 0.5}
        for name in re.findall(
            r"^(?:class|def|export (?:class|function|const)) (\w+)", text, re.MULTILINE
        ):
            names.setdefault(name, 1.0)
        scores = Counter()
        for file, words in self.words.items():
            if file.startswith("tests/browser") and path.suffix == ".py":
                continue
            scores[file] = sum(
                weight / self.common[name] for name, weight in names.items() if name in words
            )
            scores[file] += 2.0 * (Path(file).stem == f"test_{path.stem}")
            scores[file] += 0.3 * bool(scores[file] and Path(file).parent.name in path.parts)
            scores[file] += 10.0 * (file in named)
            scores[file] += 0.5 * (file in BOARD_TESTS and fault.path.startswith(DRAWN_BY))
        return [file for file, score in scores.most_common() if score > 0]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """As a plugin of the runs below: tests that name what the fault is in come first."""
    words = set(os.environ.get(WORDS, "").split())

    def named(item):
        function = getattr(item, "function", None)
        return (
            len(words & set(re.findall(r"\w+", inspect.getsource(function))))
            if function
            else len(words)
        )

    items.sort(key=named, reverse=True)


def pytest_terminal_summary(terminalreporter):
    """As that plugin: name what failed by the whole of its name, which may have spaces."""
    for outcome in ("failed", "error"):
        for report in terminalreporter.getreports(outcome):
            terminalreporter.write_line(f"{FAILED}{report.nodeid}")


# ---- trying --------------------------------------------------------------------------------------

UNIQUE_TIMES = count(1)


class Copy:
    """A copy of the checkout, in which one fault after the other is planted."""

    def __init__(self, checkout, folder, seconds):
        self.folder = folder
        self.seconds = seconds
        self.passing = set()
        for path in tracked(checkout):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(checkout / path, folder / path)
        for name in (".venv", "node_modules"):  # Some tests call what is installed there.
            if (checkout / name).is_dir():
                (folder / name).symlink_to(checkout / name)

    def judge(self, fault, files):
        """Return `killed`, `live` or `undecided`, and the test that fails."""
        path = self.folder / fault.path
        text = path.read_text(encoding="utf-8")
        doctested = [fault.path] if ">>> " in text and fault.path.endswith(".py") else []
        path.write_text(fault.planted(text), encoding="utf-8")
        now = time.time() + next(
            UNIQUE_TIMES
        )  # compiled code is known by the second in which its source was changed
        os.utime(path, (now, now))
        verdict = ("undecided", "no test is near")
        try:
            for stage in range(len(STAGES)):
                chosen = files[sum(STAGES[:stage]) : sum(STAGES[: stage + 1])]
                if stage == 0:
                    chosen = doctested + chosen
                if not chosen:
                    break
                verdict = self.run(chosen, [*fault.function.split("."), path.stem])
                if verdict[0] != "live":
                    break
        finally:
            path.write_text(text, encoding="utf-8")
            os.utime(path, (now + 0.5e6, now + 0.5e6))
        if verdict[0] == "killed" and verdict[1] not in self.passing and "::" in verdict[1]:
            if self.run([verdict[1]])[0] != "live":
                return "undecided", f"{verdict[1]} fails without the fault, too"
            self.passing.add(verdict[1])
        return verdict

    def run(self, tests, words=()):
        options = [
            "-x",
            "-q",
            "--tb=no",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            "-p",
            "tests.mutants",
        ]
        paths = f"{self.folder}{os.pathsep}{ROOT}"  # of the code with the fault, and of this plugin
        environment = {**os.environ, "PYTHONPATH": paths, WORDS: " ".join(words)}
        limited = ["sh", "-c", f'ulimit -t {self.seconds}; exec "$@"', "sh"]
        process = subprocess.Popen(
            [*limited, sys.executable, "-m", "pytest", *options, *tests],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=10 * self.seconds)
        except subprocess.TimeoutExpired:
            return "undecided", "no end"
        finally:
            with contextlib.suppress(ProcessLookupError):  # what it has started ends with it
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if process.returncode == 0:
            return "live", ""
        if process.returncode < 0:
            return "undecided", f"more than {self.seconds} s"
        if process.returncode == 5:
            return "undecided", "no test ran"
        failed = re.search(rf"^{FAILED}(.+)$", output, re.MULTILINE)
        if failed:
            return "killed", failed[1]
        return "killed", f"pytest itself: {(output.strip().splitlines() or [''])[-1]}"


def tried(checkout, faults, jobs, seconds):
    """Yield each fault with what became of it."""
    nearest = Nearest(checkout)
    copies = queue.SimpleQueue()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        for number in range(jobs):
            copies.put(Copy(checkout, Path(folder) / str(number), seconds))

        def judged(fault):
            copy = copies.get()
            try:
                return copy.judge(fault, nearest.files(fault))
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(jobs) as threads:
            yield from zip(faults, threads.map(judged, faults), strict=True)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=39)
    parser.add_argument(
        "--jobs", type=int, default=1, help="so many at once, each in a copy of its own"
    )
    parser.add_argument(
        "--seconds", type=int, default=60, help="of the processor, for each of two rounds of tests"
    )
    parser.add_argument(
        "--checkout", type=Path, default=ROOT, help="whose code and tests are tried"
    )
    parser.add_argument(
        "--list", action="store_true", help="only list the faults and their nearest tests"
    )
    for room, (folders, _) in ROOMS.items():
        parser.add_argument(
            f"--{room}", type=int, default=0, help=f"so many faults in {' '.join(folders)}"
        )
    options = parser.parse_args(arguments)
    counts = Counter()
    for room in ROOMS:
        faults = (
            drawn(options.checkout, room, getattr(options, room), options.seed)
            if getattr(options, room)
            else []
        )
        if options.list:
            nearest = Nearest(options.checkout)
            for fault in faults:
                print(fault, *nearest.files(fault)[: sum(STAGES)], sep="\n    ")
            continue
        for fault, (verdict, why) in tried(options.checkout, faults, options.jobs, options.seconds):
            counts[room, verdict] += 1
            print(f"{verdict:9} {fault} [{why}]", flush=True)
    print(
        f"{'room':12}{'planted':>8}{'killed':>8}{'live':>8}{'undecided':>11}{'killed of decided':>20}"
    )
    for room in dict.fromkeys(room for room, _ in counts):
        killed, live, undecided = (
            counts[room, verdict] for verdict in ("killed", "live", "undecided")
        )
        rate = f"{killed / (killed + live):.0%}" if killed + live else "-"
        print(f"{room:12}{killed + live + undecided:8}{killed:8}{live:8}{undecided:11}{rate:>20}")


if __name__ == "__main__":
    main()
