"""The answers for Fisher's page: the data of its link, and what keys and the dock change."""

import pytest
from visitor import ask

from kpviz.engine.fisher.data import SETS
from kpviz.player import fisher
from kpviz.settings.fisher_link import FisherSettings


def asked(link, *commands, **more):
    return ask({"n": 3, "page": "fisher", "link": link, "commands": list(commands), **more})


@pytest.mark.parametrize(
    ("commands", "expected"),
    [
        *(([{"name": "set", "value": {"data": name}}], {"data": name}) for name in SETS),
        ([{"name": "redraw"}, {"name": "redraw"}], {"seed": 2}),
        ([{"name": "data"}], {"data": list(SETS)[1]}),
        ([{"name": "data"}] * len(SETS), {}),
        ([{"name": "set", "value": 5}, {"name": "nothing"}, None, 7, {"name": ["data"]}], {}),
        ([{"name": "set", "value": {"noise": "loud", "n": None, "other": 1, "self": 2, "cls": 3, 3: 4}}], {}),
    ],
)
def test_commands_change_the_settings(commands, expected):
    header, data = asked("v=1", *commands)
    made = FisherSettings.of(**expected)
    assert (header["n"], header["link"], header["notices"]) == (3, made.query(), [])
    assert data == fisher.encode(made)
    assert len(header["steps"]) == len(commands)
    assert asked(made.query(), have=[header["runs"][0]["id"]])[1] == b""  # what the page has is not sent again


def test_a_link_says_where_to_open_and_nonsense_in_it_is_told_once():
    header, _ = asked("v=1&angle=best&threshold=0.5")
    assert (header["angle"], header["threshold"]) == ("best", 0.5)
    header, _ = asked("v=1&angle=wide&colour=red")
    assert "angle=wide" in header["notices"][0]["words"]
    assert asked("v=1&angle=wide", shown=True)[0]["notices"] == []
