"""The dialogs of the player for data that are no points of the plane: all open, and editing says where it is done."""

import csv
import io
from pathlib import Path

import pytest
import streamlit as st
from playing import about
from streamlit.testing.v1 import AppTest

import kpviz
from kpviz import experiment
from kpviz.app import runs
from kpviz.export import record, script
from kpviz.settings import Settings

APP = str(Path(kpviz.__file__).parent / "app" / "pages.py")
GIVEN = {
    "texts": {"data": "texts", "held": 0.2, "added": "+a goal"},
    "trees": {"data": "trees"},
    "graphs": {"data": "graphs"},
    "bits": {"data": "bits", "bits": 3},
}


def opened(dialog, given, **state):
    at = AppTest.from_file(APP, default_timeout=90)
    at.session_state["session"] = about(Settings.of(**given), dialog=dialog)
    for name, value in state.items():
        at.session_state[name] = value
    at.run()
    assert not at.exception, at.exception[0].message
    return at


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_the_table_shows_the_examples_and_says_where_they_are_changed(given):
    at = opened("table", given)
    (message,) = [each.value for each in at.info]
    assert message.startswith("These examples are not points, so they are not edited here: ")
    assert message.endswith(" under Data.")
    (frame,) = at.dataframe
    source = experiment.prepare(Settings.of(**given)).source
    shown = frame.value
    assert shown["class"].tolist() == [source.classes[int(y > 0)] for y in source.y]
    own = [name for name in shown.columns if name not in ("class", "held out")]
    assert own == (["x1", "x2", "x3"] if given["data"] == "bits" else ["text"])
    assert shown[own].to_numpy().tolist() == source.X.reshape(len(source.y), -1).tolist()
    assert "use-numbers" not in [button.key for button in at.button]


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_what_is_taken_home_is_the_run(given, monkeypatch):
    made = {}

    def button(label, data, name, mime, **options):
        made[name.partition(".")[2]] = data

    monkeypatch.setattr(st, "download_button", button)
    at = opened("take home", given)
    settings = Settings.of(**given)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    assert made["numpy.py"]() == script.numpy_script(settings, split)
    assert made["run.csv"]() == record.to_csv(run)
    rows = list(csv.DictReader(io.StringIO(made["examples.csv"]())))
    assert len(rows) == len(split.source.y)
    assert made["ipynb"]().startswith("{")
    words = "\n".join(each.value for each in at.markdown)
    assert "it reads tables of points only" in words
    assert "shuffled and scaled" not in words


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
@pytest.mark.parametrize("tab", ["Picture", "Storyboard", "Film", "Page"])
def test_what_is_shown_elsewhere_opens(given, tab):
    at = opened("picture", given, **{"picture-tab": tab})
    assert [each.value for each in at.error] == []


@pytest.mark.parametrize("dialog", ["picture", "lecture"])
def test_a_run_that_cannot_be_computed_ends_the_dialog_with_a_sentence(dialog, monkeypatch):
    def refused(*_):
        raise ValueError("This takes longer than the 180 s of [one] request.")

    monkeypatch.setattr(runs, "lineup_of", refused)
    at = opened(dialog, {})
    (message,) = [each.value for each in at.warning]
    assert message == r"This takes longer than the 180 s of \[one\] request."
