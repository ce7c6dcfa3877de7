"""Ready comparisons: what each claims is true of its runs, its link names it, and its words stand while it is shown."""

from urllib.parse import parse_qsl

import claims
import pytest
from covering import in_turn
from links import HOSTILE

from kpviz.lessons import comparison, presets
from kpviz.lessons.comparison import Summary
from kpviz.lessons.presets import PRESETS
from kpviz.panels import BY_NAME
from kpviz.service import links
from kpviz.settings import Settings
from kpviz.settings.cues import Cues


def link_of(query):
    return dict(part.split("=", 1) for part in query.split("&") if part)


def claim(name):
    return getattr(claims, name.replace("-", "_").replace(" ", "_"))


@pytest.mark.parametrize("name", PRESETS)
def test_a_comparison_is_a_link_that_opens_as_it_is(name):
    preset = PRESETS[name]
    current, pins = preset.settings()
    assert Settings.repaired(dict(parse_qsl(preset.current))) == (current, [])
    assert comparison.read(link_of(comparison.query(pins)), current) == (pins, [])
    assert 1 <= len(pins) <= comparison.MOST
    names = comparison.names(pins, current)
    assert len(set(names)) == len(names) == len(pins) + 1


@pytest.mark.parametrize("name", PRESETS)
def test_a_comparison_claims_what_its_runs_show(name):
    preset = PRESETS[name]
    runs = claims.shown(*preset.settings())
    assert claim(name)(runs)
    assert {type(getattr(runs[0].end, key)) for key in preset.decide} <= {int, float, type(None)}
    assert len({tuple(getattr(each.end, key) for key in preset.decide) for each in runs}) > 1


@pytest.mark.parametrize("name", PRESETS)
def test_a_claim_is_false_of_runs_in_another_order(name):
    if name in ("literals", "ties"):  # claims of all runs alike
        return
    preset = PRESETS[name]
    assert not claim(name)(claims.shown(*preset.settings())[::-1])


# ---- their links ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_the_link_of_a_comparison_names_it_and_reads_back(name):
    settings, pins = PRESETS[name].settings()
    link = f"{settings.link()}&{presets.query(settings, pins)}"
    assert f"compare={name}" in link.split("&")
    for query in (link, link.replace(f"&compare={name}", ""), f"v=1&compare={name}", f"compare={name}&t=3&show=code"):
        state = links.read(links.pairs(query))
        assert (state.settings, state.pins) == (settings, pins)
        assert state.link == link
    assert presets.plain(settings, pins) == {
        "name": name,
        "question": PRESETS[name].question,
        "words": PRESETS[name].words,
        "decide": list(PRESETS[name].decide),
        "shows": list(PRESETS[name].shows),
        "scale": PRESETS[name].scale,
    }


def test_other_settings_or_pins_are_no_comparison_whatever_the_link_says_and_cues_change_nothing():
    settings, pins = PRESETS["widths"].settings()
    others = [
        (settings.replace(sigma=0.6), pins),
        (settings.replace(seed=2), pins),
        (settings, pins[:1]),
        (settings, pins[::-1]),
        (settings, ()),
        (Settings.of(), pins),
    ]
    for changed, left in others:
        assert presets.name_of(changed, left) == ""
        assert presets.plain(changed, left) is None
        opened = links.read(links.pairs(f"{changed.link()}&compare=widths&{comparison.query(left)}"))
        assert (opened.settings, opened.pins) == (changed, left)
        assert "compare=" not in opened.link
    cued = settings.replace(cues=Cues.read("3: Look.").code)
    assert presets.name_of(cued, pins) == "widths"


@in_turn([(one,) for one in [*HOSTILE, "no such comparison"]])
def test_an_unknown_name_is_said_in_one_notice_and_changes_nothing_else(unknown):
    why = "Parts of this link could not be used: compare names a comparison that is not known."
    for query, settings in [({"v": "1", "data": "moons"}, Settings.of(data="moons")), ({}, Settings.of())]:
        opened = links.read({**query, "compare": unknown})
        assert (opened.settings, [each.words for each in opened.notices]) == (settings, [why])


def test_questions_and_words_fit_and_panels_exist():
    for preset in PRESETS.values():
        assert preset.question.endswith("?")
        assert len(preset.question) + len(preset.words) < 260
        assert set(preset.shows) <= BY_NAME.keys()
        assert set(preset.decide) <= Summary.__dataclass_fields__.keys()
