"""The player's source: what linters do not see of it (`eslint.config.js` has what each room may
use).
"""

import json
import re
from pathlib import Path

import pytest

from kpviz import experiment, tokens
from kpviz.engine.fisher.data import SETS
from kpviz.player import fisher, modules, payload
from kpviz.player.experiment import Experiment
from kpviz.settings import from_query
from kpviz.settings.fisher_link import FisherSettings

ROOT = Path(__file__).parents[2]
FRONTEND = ROOT / "kpviz" / "player" / "web"
MODULES = sorted(FRONTEND.rglob("*.js"))
STYLES = sorted(FRONTEND.rglob("*.css"))
SENT = (FRONTEND / "run" / "payload.js").read_text(encoding="utf-8")
SHIMS = {"paper/prelude.js"}  # run before the modules, where there is no browser


def test_every_module_is_reached_from_the_entries_of_which_none_imports_itself():
    entries = [path for path in MODULES if "export default" in path.read_text(encoding="utf-8")]
    scripts = [modules.script(path.relative_to(FRONTEND).as_posix()) for path in entries]
    made = set().union(
        *(re.findall(r"^const (\$\w+) = \(\(\) =>", script, re.MULTILINE) for script in scripts)
    )
    workers = {path for path in MODULES if re.match("worker_|keeper", path.name)}
    names = {path.relative_to(FRONTEND).as_posix() for path in set(MODULES) - workers} - SHIMS
    assert {"$" + re.sub(r"\W", "_", name.removesuffix(".js")) for name in names} == made


def test_a_page_in_one_file_has_comments_only_after_code_with_texts_or_slashes():
    script = modules.script("page/standalone.js")
    assert re.findall(r"^ *(?://|/\*\*.*\*/$).*", script, re.MULTILINE) == []
    assert re.findall(r"""^[^"'`/\n]* // .*""", script, re.MULTILINE) == []
    within_templates = [
        (path.name, line[0])
        for path in MODULES
        for text in [path.read_text("utf-8").replace('"`"', '""')]
        for line in re.finditer(r"""^[^"'`/\n]*[^"'`/\s] // .*""", text, re.MULTILINE)
        if text.count("`", 0, line.start()) % 2
    ]
    assert within_templates == []


def test_no_colour_is_written_outside_the_tokens():
    hex_colour = re.compile(r"#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3,4})\b")
    named = re.compile(r"\b(?:rgba?|hsla?|oklch)\(\s*\d(?! 0 0 / )")
    places = [
        *STYLES,
        *(path for path in (ROOT / "kpviz").rglob("*.py") if path.name != "tokens.py"),
    ]
    texts = {
        path.name: path.read_text(encoding="utf-8")
        for path in [*places, ROOT / "kpviz" / "app" / "style.css"]
    }
    found = {name: hex_colour.findall(text) + named.findall(text) for name, text in texts.items()}
    assert {name: colours for name, colours in found.items() if colours} == {}


def test_no_style_sheet_asks_the_network_for_anything():
    for path in [*STYLES, *(ROOT / "kpviz" / "app").glob("*.css")]:
        text = path.read_text(encoding="utf-8")
        assert set(re.findall(r"url\(\W?(\w+):", text)) <= {"data"}
        assert all(
            (path.parent / each).is_file() for each in re.findall(r'@import "([^"]*)";', text)
        )
        assert "//" not in re.sub(r'url\("data:.*?"\)', "", text)


def test_no_rule_asks_what_lies_anywhere_within_the_board():
    """Each text that changes would have all of the board looked through for it."""
    for path in STYLES:
        found = re.findall(r"\.kpviz[^\s,(]*:has\((?!\s*>).*", path.read_text(encoding="utf-8"))
        assert found == [], path.name


def test_the_browser_can_read_every_type_that_is_sent():
    types = set(re.findall(r"^\s+(\w+): \w+Array,", SENT, re.MULTILINE))
    assert {"int8", "uint8", "int16", "uint16", "uint32", "int32", "float32", "float64"} <= types
    magic = int(re.search(r"MAGIC = (0x[0-9a-f]+)", SENT).group(1), 16)
    assert magic.to_bytes(4, "little") == payload.MAGIC


def test_the_header_is_plain_json_that_the_tokens_fit_into():
    assert json.loads(json.dumps(tokens.payload(), allow_nan=False)) == tokens.payload()


def fields_of(interface):
    """The fields of an interface of run/types.d.ts: name -> whether it may be missing."""
    types = (FRONTEND / "run/types.d.ts").read_text(encoding="utf-8")
    (body,) = re.findall(
        rf"^export interface {interface} {{\n(.*?)^}}$", types, re.MULTILINE | re.DOTALL
    )
    return {name: bool(mark) for name, mark in re.findall(r"^  (\w+)(\??):", body, re.MULTILINE)}


def test_everything_that_passes_between_the_modules_has_a_type():
    types = list(FRONTEND.rglob("*.d.ts"))
    assert len(types) >= 4
    assert [path for path in types if re.search(r"\bany\b", path.read_text("utf-8"))] == []
    assert [
        path.name
        for path in MODULES
        if re.search(r"@(type|param) \{any\b", path.read_text("utf-8"))
    ] == []


@pytest.mark.parametrize("link", ["kernel=linear", "", "learner=forgetron", "data=texts"])
def test_what_panels_ask_for_has_the_fields_of_its_type(link):
    settings, _ = from_query(link)
    split = experiment.prepare(settings)
    sent = payload.encode(
        Experiment.of(settings, split, experiment.run(settings, split)),
        extra_names=("bound", "primal"),
    )
    extras = payload.unpack(sent)[0]["extras"]
    assert all(bound.keys() == fields_of("Bound").keys() for bound in extras["bound"])
    primal = fields_of("Primal")
    asked = (
        primal
        if not extras["primal"]["why"]
        else [name for name, optional in primal.items() if not optional]
    )
    assert extras["primal"].keys() == set(asked)


@pytest.mark.parametrize("data", SETS)
def test_what_fishers_page_is_sent_has_the_fields_of_its_type(data):
    header, _ = payload.unpack(fisher.encode(FisherSettings.of(data=data)))
    assert header.keys() - {"arrays"} == fields_of("FisherHeader").keys()
