"""The one table of panels, and who reads it."""

import importlib.util
import re
from pathlib import Path

import pytest

from kpviz import panels
from kpviz.panels import BY_NAME, PANELS
from kpviz.player.envelope import read_view
from kpviz.player.extras import EXTRAS
from kpviz.settings.cues import Cues

ROOT = Path(__file__).parents[1]
WEB = ROOT / "kpviz" / "player" / "web"
SPEC = importlib.util.spec_from_file_location("panels_script", ROOT / "scripts" / "panels.py")
script = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(script)


def test_the_players_copy_of_the_table_is_up_to_date():
    assert script.TABLE.read_text(encoding="utf-8") == script.table(), "run `make assets`"
    assert script.INDEX.read_text(encoding="utf-8") == script.index(), "run `make assets`"


def test_names_are_unique_and_each_drawn_panel_has_its_function_in_a_file():
    assert len(BY_NAME) == len(PANELS)
    for panel in PANELS:
        if panel.drawn:
            source = (WEB / "panels" / f"{panel.file or panel.name}.js").read_text(encoding="utf-8")
            assert re.search(rf"export (function|const) {panel.name}Marks\b", source), panel.name


def test_every_file_of_the_players_panels_is_read_by_the_table_or_by_another_panel():
    sources = {path.stem: path.read_text(encoding="utf-8") for path in (WEB / "panels").glob("*.js")}
    named = set(re.findall(r'from "\./(\w+)\.js"', "".join(sources.values())))
    others = [path.read_text(encoding="utf-8") for path in WEB.rglob("*.js") if path.parent.name != "panels"]
    elsewhere = set(re.findall(r'panels/(\w+)\.js"', "".join(others)))
    assert set(sources) == named | elsewhere


def test_what_asks_python_is_what_python_answers():
    assert {panel.name for panel in PANELS if panel.asks} == EXTRAS.keys() - {"summary", "reference"}


@pytest.mark.parametrize("name", panels.IN_LINKS)
def test_a_link_shows_each_panel_that_it_may_name(name):
    view, problems = read_view({"show": name})
    assert view.show == (name,)
    assert problems == []


@pytest.mark.parametrize("name", panels.LIT)
def test_a_cue_lights_each_panel_that_it_may_name(name):
    assert Cues.read(f"start light {name}: Look.").cues[0].panels == (name,)


def test_a_panel_without_what_it_needs_is_left_out():
    assert "own" not in panels.shown_of({"training set"})
    assert "gram" not in panels.shown_of({"parts"})
    assert set(panels.shown_of({"training set", "parts", "order"})) == set(panels.IN_LINKS)
