"""The page that plays itself, for what is no point of the plane: it brings what its usual panels would ask for."""

import base64
import gzip
import json
import re

import pytest

from kpviz import experiment
from kpviz.export.page.page import page
from kpviz.player import payload
from kpviz.settings import Settings
from kpviz.settings.view import ViewState


def sent(given, view=None):
    """What a page brings: its options, and what its panels asked for."""
    settings = Settings.of(**given)
    split = experiment.prepare(settings)
    text = page(settings, split, experiment.run(settings, split), view=view)
    options = json.loads(re.search(r'id="run"[^>]*>(.*?)</script>', text, re.DOTALL)[1])
    content = gzip.decompress(base64.b64decode(options["run"]))
    header, _ = payload.unpack(content)
    start = len(content) - sum(run["size"] for run in header["runs"])
    return options, payload.unpack(content[start : start + header["runs"][0]["size"]])[0]["extras"]


@pytest.mark.parametrize("data", ["texts", "trees", "graphs", "bits"])
def test_the_gram_matrix_and_what_is_remembered_are_there_as_the_player_opens_with_them(data):
    options, header = sent({"data": data})
    assert {"gram", "remembered"} <= set(options["panels"])
    assert {"gram", "remembered"} <= set(header)
    assert "lift" not in options["panels"]


def test_with_panels_that_are_chosen_only_theirs_are_there():
    options, header = sent({"data": "texts"}, ViewState(0, ("alpha", "gram")))
    assert "gram" in options["panels"]
    assert "gram" in header
    assert "remembered" not in options["panels"]
    assert "remembered" not in header


def test_points_of_a_plane_bring_neither():
    options, header = sent({"n": 12})
    assert {"gram", "remembered"}.isdisjoint(options["panels"])
    assert {"gram", "remembered"}.isdisjoint(header)
