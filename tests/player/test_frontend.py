"""The player's source: small modules without cycles, no colour, no kernel, nothing from the network."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from kpviz import experiment, tokens
from kpviz.engine.fisher.data import SETS
from kpviz.player import fisher, payload
from kpviz.player.subject import Subject
from kpviz.settings import from_query
from kpviz.settings.fisher_link import FisherSettings

ROOT = Path(__file__).parents[2]
FRONTEND = ROOT / "kpviz" / "player" / "web"
MODULES = sorted(FRONTEND.rglob("*.js"))
STYLES = sorted(FRONTEND.rglob("*.css"))
IMPORT = re.compile(r'^import\s+(?:\{([^}]*)\}|\* as (\w+))\s+from\s+"([^"]+)";', re.MULTILINE)
ENTRIES = {
    "shell/index.js",
    "fisher/index.js",
    "shell/lab.js",
    "shell/standalone.js",
    "shell/standalone_lesson.js",
    "paper/headless.js",
    "fisher/paper.js",
}  # of components, the pages, pictures
SHIMS = {"paper/prelude.js"}  # run before the modules, where there is no browser
MARKUP = {"shell/chooser.js", "shell/controls.js", "shell/tools.js", "shell/terms.js"}
# Which rooms a room imports from besides itself: these, no more and no fewer.
ROOMS = {
    "model": set(),
    "panels": {"model"},
    "paint": set(),
    "paper": {"model", "panels"},
    "input": {"model", "panels"},
    "service": {"model"},
    "dock": {"shell"},
    "present": {"model", "panels", "service", "shell"},
    "lesson": {"model", "service", "shell"},
    "shell": {"model", "panels", "paint", "input", "lesson", "present", "service", "dock"},
    "fisher": {"model", "panels", "paint", "paper", "dock", "shell"},
}
EXPORT = re.compile(r"^export\s+(?:async\s+)?(?:function\*?|class|const|let)\s+(\w+)", re.MULTILINE)


def short(path):
    return path.relative_to(FRONTEND).as_posix()


@cache
def source(path):
    return path.read_text(encoding="utf-8")


@cache
def code(path):
    """Without comments; a `//` within a string is not one."""
    text = re.sub(r"/\*.*?\*/", "", source(path), flags=re.DOTALL)
    return re.sub(r"""(?m)(^|[\s;{}(,])//(?!/?["'`]).*$""", r"\1", text)


def imports(path):
    """(names, file) for each import of a module."""
    for names, whole, target in IMPORT.findall(code(path)):
        listed = {part.split(" as ")[0].strip() for part in names.split(",") if part.strip()}
        yield (set() if whole else listed), target


def exports(path):
    return set(EXPORT.findall(code(path)))


def found(pattern, paths):
    hits = [(short(path), hit.group()) for path in paths for hit in re.finditer(pattern, code(path))]
    return sorted(set(hits))


def test_every_import_is_of_a_file_that_exports_it():
    for path in MODULES:
        statements = re.findall(r"^\s*import\b", code(path), re.MULTILINE)
        assert len(statements) == len(list(imports(path))), path
        for names, target in imports(path):
            assert target.startswith("."), f"{target} is not relative in {path}"
            file = (path.parent / target).resolve()
            assert file in MODULES, (path, target)
            assert names <= exports(file), (path, target, names - exports(file))


def test_what_is_imported_is_used():
    for path in MODULES:
        rest = IMPORT.sub("", code(path))
        for names, _ in imports(path):
            assert {name for name in names if not re.search(rf"\b{name}\b", rest)} == set(), short(path)


def test_modules_do_not_import_each_other_in_a_circle():
    edges = {path: {(path.parent / target).resolve() for _, target in imports(path)} for path in MODULES}
    left = dict(edges)
    while ready := [path for path, needed in left.items() if not needed & set(left)]:
        for path in ready:
            del left[path]
    assert [short(path) for path in left] == []


def room(path):
    return path.relative_to(FRONTEND).parts[0]


def test_each_room_imports_only_from_the_rooms_that_it_may_know():
    known = {name: set() for name in map(room, MODULES)}
    for path in MODULES:
        known[room(path)] |= {room((path.parent / target).resolve()) for _, target in imports(path)}
    assert {name: rooms - {name} for name, rooms in known.items()} == ROOMS


def test_every_module_is_reached_from_the_entries():
    assert set(MODULES) - needed(*ENTRIES, *SHIMS) == set()


def needed(*names):
    """The modules that these need, themselves among them."""
    reached, waiting = set(), [FRONTEND / name for name in names]
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            waiting += [(path.parent / target).resolve() for _, target in imports(path)]
    return reached


def test_the_player_and_its_panels_know_no_page():
    """It runs wherever there is JavaScript; only the texts of the panels must be measured somewhere."""
    page = r"\b(?:document|window|navigator|location)\.|\bgetComputedStyle\b|\brequestAnimationFrame\b"
    assert {file for file, _ in found(page, needed("model/player.js", "model/scene.js", "panels/board.js"))} == {
        "model/measure.js"
    }


def test_only_the_entries_have_a_default_export():
    assert {short(path) for path in MODULES if "export default" in code(path)} == ENTRIES
    assert {short(path) for path in MODULES if not exports(path)} == ENTRIES | SHIMS


def test_the_player_knows_nothing_of_the_other_page():
    """Fisher's board takes what it shares from the player, never the other way."""
    ours = [path for path in MODULES if path.parent.name != "fisher"]
    assert [(short(path), target) for path in ours for _, target in imports(path) if "fisher" in target] == []


def test_no_colour_is_written_outside_the_tokens():
    hex_colour = re.compile(r"#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3,4})\b")
    named = re.compile(r"\b(?:rgba?|hsla?|oklch)\(\s*\d(?! 0 0 / )")
    places = [*MODULES, *STYLES, *(ROOT / "kpviz").rglob("*.py"), ROOT / "kpviz" / "app" / "style.css"]
    guilty = {}
    for path in places:
        if path.name == "tokens.py":
            continue
        text = path.read_text(encoding="utf-8")
        hits = hex_colour.findall(text) + named.findall(text)
        if hits:
            guilty[path.name] = hits
    assert guilty == {}


def test_nothing_is_fetched_from_the_network():
    pictures = [FRONTEND / "dock" / "thumbnails.css", FRONTEND / "shell" / "panel_pictures.css"]  # within the files
    everything = [*MODULES, *(path for path in STYLES if path not in pictures)]
    pattern = (
        r"\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts|\bimport\(|@import|https?://|\burl\("
    )
    namespace = ("dock/fields.js", "http://")  # the name of MathML, not an address
    styles = ("shell/app.css", "@import")
    assert found(pattern, everything) == [
        namespace,
        ("service/socket.js", "WebSocket"),
        styles,
        ("shell/typeface.js", "url("),
    ]
    together = re.findall(r'@import "([^"]*)";', source(FRONTEND / "shell" / "app.css"))
    assert {"stage.css", "../dock/dock.css"} <= set(together)
    assert all((FRONTEND / "shell" / each).is_file() for each in together)
    typeface = (FRONTEND / "shell" / "typeface.js").read_text(encoding="utf-8")
    assert "new URL(`../fonts/${file}.woff2`, import.meta.url)" in typeface  # a file of ours
    ours = [*pictures, *(ROOT / "kpviz" / "app").glob("*.css")]
    for path in ours:
        urls = re.findall(r"url\(\W?(\w+):", path.read_text(encoding="utf-8"))
        assert set(urls) <= {"data"}
        assert "@import" not in path.read_text(encoding="utf-8")


def test_nothing_a_stranger_wrote_becomes_html_or_code():
    assert found(r"outerHTML\s*=|insertAdjacentHTML|document\.write|\beval\(|new Function", MODULES) == []
    assert {file for file, _ in found(r"innerHTML", MODULES)} == MARKUP  # of its own markup only:
    assert found(r"\bheader\b|\.names\b|\.features\b|\.classes\b", [FRONTEND / "shell" / "controls.js"]) == []


def test_no_kernel_and_no_learning_rule_is_evaluated():
    folding = [FRONTEND / "model" / file for file in ("field.js", "trace.js", "run.js")]
    assert found(r"Math\.(?:exp|expm1|tanh|pow|cosh|sinh|log\w*|hypot)\b|\*\*(?!\s*2\b)", folding) == []
    # controls.js and keys.js only explain the marks and keys, and the table of terms has links
    assert (
        found(
            r"(?i)\b(?:gaussian|laplacian|polynomial|monomial|sigmoid|tanh)\b",
            [
                path
                for path in MODULES
                if short(path) not in {"shell/controls.js", "input/keys.js", "model/term_table.js"}
            ],
        )
        == []
    )
    timing = ("model/motion.js", "shell/controls.js")
    numbers = ("model/payload.js",)  # that are sent by their logarithms
    assert found(r"Math\.(?:exp|tanh)\b", [path for path in MODULES if short(path) not in timing + numbers]) == []


def test_only_one_module_writes_the_address():
    hits = found(r"replaceState|pushState|location\.(?:href|search|hash)\s*=[^=]", MODULES)
    assert {file for file, _ in hits} == {"service/link.js"}


def test_only_one_module_uses_storage_which_may_be_refused():
    hits = found(r"\b(?:sessionStorage|localStorage|indexedDB)\b|document\.cookie", MODULES)
    assert {file for file, _ in hits} == {"service/keep.js"}


def test_the_browser_can_read_every_type_that_is_sent():
    types = set(re.findall(r"^\s+(\w+): \w+Array,", source(FRONTEND / "model" / "payload.js"), re.MULTILINE))
    assert {"int8", "uint8", "int16", "uint16", "uint32", "int32", "float32", "float64"} <= types
    magic = int(re.search(r"MAGIC = (0x[0-9a-f]+)", source(FRONTEND / "model" / "payload.js")).group(1), 16)
    assert magic.to_bytes(4, "little") == payload.MAGIC


def test_the_header_is_plain_json_that_the_tokens_fit_into():
    assert json.loads(json.dumps(tokens.payload(), allow_nan=False)) == tokens.payload()


def fields_of(interface):
    """The fields of an interface in types.d.ts: name -> whether it may be missing."""
    types = (FRONTEND / "types.d.ts").read_text(encoding="utf-8")
    (body,) = re.findall(rf"^export interface {interface} {{\n(.*?)^}}$", types, re.MULTILINE | re.DOTALL)
    return {name: bool(mark) for name, mark in re.findall(r"^  (\w+)(\??):", body, re.MULTILINE)}


def test_everything_that_passes_between_the_modules_has_a_type():
    assert not re.search(r"\bany\b", (FRONTEND / "types.d.ts").read_text(encoding="utf-8"))
    assert [path.name for path in MODULES if re.search(r"@(type|param) \{any\b", path.read_text("utf-8"))] == []


@pytest.mark.parametrize("link", ["kernel=linear", "", "learner=forgetron", "data=texts"])
def test_what_panels_ask_for_has_the_fields_of_its_type(link):
    settings, _ = from_query(link)
    split = experiment.prepare(settings)
    sent = payload.encode(Subject.of(settings, split, experiment.run(settings, split)), asked=("bound", "primal"))
    extras = payload.unpack(sent)[0]["extras"]
    assert all(bound.keys() == fields_of("Bound").keys() for bound in extras["bound"])
    primal = fields_of("Primal")
    asked = primal if not extras["primal"]["why"] else [name for name, optional in primal.items() if not optional]
    assert extras["primal"].keys() == set(asked)


@pytest.mark.parametrize("data", SETS)
def test_what_fishers_page_is_sent_has_the_fields_of_its_type(data):
    header, _ = payload.unpack(fisher.encode(FisherSettings.of(data=data)))
    assert header.keys() - {"arrays"} == fields_of("FisherHeader").keys()
