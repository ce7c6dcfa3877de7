"""The controls of Fisher's page."""

import json
import re
from pathlib import Path

import pytest
from reading import by_name, everything, of_kind, strings, texts

import kpviz
from kpviz.engine.fisher.data import SETS
from kpviz.service.dock import fisher
from kpviz.settings.fisher_link import PROPERTIES, FisherSettings


def shown(**given):
    return fisher.tree(FisherSettings.of(**given), ["data"])


@pytest.mark.parametrize("data", SETS)
def test_each_property_of_fishers_page_that_applies_is_there_once(data):
    settings, found = FisherSettings.of(data=data), shown(data=data)
    named = [field["name"] for field in everything(found) if "name" in field]
    assert sorted(named) == sorted(prop.name for prop in PROPERTIES if settings.reason_against(prop.name) is None)
    assert texts(everything(found)) == [SETS[data].look_for]
    (tiles,) = of_kind(everything(found), "tiles")
    assert [option["value"] for option in tiles["options"]] == list(SETS)
    assert len(json.dumps(found, ensure_ascii=False).encode()) < 20_000
    assert all(strings(found["chips"]))


@pytest.mark.parametrize("data", SETS)
def test_every_value_that_is_offered_is_the_one_that_is_set(data):
    settings = FisherSettings.of(data=data)
    for name, field in by_name(everything(shown(data=data))).items():
        assert field["value"] == settings.values[name]
        options = field.get("options") or [[field["low"]], [field["high"]]]
        for value in (option["value"] if isinstance(option, dict) else option[0] for option in options):
            assert settings.replace(**{name: value}).values[name] == value


def test_every_picture_is_in_the_style_sheet():
    css = (Path(kpviz.__file__).parent / "player" / "web" / "dock" / "thumbnails.css").read_text(encoding="utf-8")
    drawn = set(re.findall(r"^\.([\w-]+) \{ background-image", css, re.MULTILINE))
    (tiles,) = of_kind(everything(shown()), "tiles")
    assert {option["image"] for option in tiles["options"]} <= drawn


@pytest.mark.parametrize(
    ("data", "label", "why"),
    [
        ("clouds", "Long clouds · 80 points · seed 0", None),
        ("iris", "Iris · 100 points · seed 0", None),
        ("wine", "Wine, 3 cultivars · 178 examples", "All examples are shown as they were measured."),
    ],
)
def test_the_chip_says_what_is_shown_and_new_data_why_there_are_none(data, label, why):
    found = shown(data=data)
    assert [chip["label"] for chip in found["chips"]] == [label]
    assert [button["disabled"] for button in found["buttons"]] == [why]
    assert fisher.tree(FisherSettings.of(data=data), [])["groups"] == {}
