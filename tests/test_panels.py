"""The one table of panels, and who reads it."""

import importlib.util
import re
from pathlib import Path

from kpviz import panels
from kpviz.panels import ABOUT, BY_NAME, PANELS
from kpviz.player.extras import EXTRAS
from kpviz.settings.cues import Cues
from kpviz.settings.view import read_view

ROOT = Path(__file__).parents[1]
WEB = ROOT / "kpviz" / "player" / "web"
SPEC = importlib.util.spec_from_file_location("panels_script", ROOT / "scripts" / "panels.py")
script = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(script)


def test_the_players_copy_of_the_table_is_up_to_date():
    assert script.TABLE.read_text(encoding="utf-8") == script.table(), "run `make assets`"
    assert script.INDEX.read_text(encoding="utf-8") == script.index(), "run `make assets`"


def test_names_are_unique_and_each_drawn_panel_is_an_object_in_a_file():
    assert len(BY_NAME) == len(PANELS)
    for panel in PANELS:
        if panel.drawn:
            source = (WEB / "panels" / f"{panel.file or panel.name}.js").read_text(encoding="utf-8")
            assert re.search(rf"export const {panel.name}Panel\b", source), panel.name


def test_every_file_of_the_players_panels_is_read_by_the_table_or_by_another_panel():
    sources = {
        path.stem: path.read_text(encoding="utf-8") for path in (WEB / "panels").glob("*.js")
    }
    named = set(re.findall(r'from "\./(\w+)\.js"', "".join(sources.values())))
    others = [
        path.read_text(encoding="utf-8")
        for path in WEB.rglob("*.js")
        if path.parent.name != "panels"
    ]
    elsewhere = set(re.findall(r'panels/(\w+)\.js"', "".join(others)))
    assert set(sources) == named | elsewhere


def test_what_asks_python_is_what_python_answers():
    asked_by_panels = {panel.name for panel in PANELS if panel.on_request}
    asked_by_questions = {"figures"}  # The map draws them while a lesson asks about a bound.
    assert asked_by_panels | asked_by_questions == EXTRAS.keys()


def test_each_panel_that_a_link_or_a_cue_may_name_is_shown_or_lit_by_it():
    for name in panels.IN_LINKS:
        view, problems = read_view({"show": name})
        assert (view.show, problems) == ((name,), [])
    for name in panels.LIT:
        assert Cues.read(f"start light {name}: Look.").cues[0].panels == (name,)


def test_a_panel_without_what_it_needs_is_left_out():
    assert "own" not in panels.available({"training set"})
    assert "gram" not in panels.available({"parts"})
    assert set(panels.available({"training set", "parts", "order"})) == set(panels.IN_LINKS)


def test_a_panel_that_one_chooses_has_a_group_and_a_short_line_and_one_beside_the_map_its_room():
    for panel in PANELS:
        if panel.in_links:
            assert panel.about in ABOUT
            assert 10 < len(panel.line) < 60
            assert panel.line.endswith(".")
        if panel.group in ("default", "more"):
            assert panel.rows >= 7
            assert panel.columns >= 16
