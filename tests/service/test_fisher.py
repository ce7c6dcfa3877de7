"""The answers for Fisher's page: the data of its link, and what keys and the dock change."""

import pytest
from visitor import ask

from kpviz.engine.fisher.data import SETS
from kpviz.player import fisher, payload
from kpviz.settings.fisher_link import FisherSettings


def asked(link, *commands, **more):
    return ask({"n": 3, "page": "fisher", "link": link, "commands": list(commands), **more})


@pytest.mark.parametrize("name", SETS)
def test_every_data_set_opens_from_its_link(name):
    header, data = asked(f"v=1&data={name}")
    assert data == fisher.encode(FisherSettings.of(data=name))
    assert (header["n"], header["notices"]) == (3, [])
    assert header["view"] == {"angle": None, "threshold": None}


@pytest.mark.parametrize(
    ("commands", "expected"),
    [
        ([{"name": "redraw"}], {"seed": 1}),
        ([{"name": "redraw"}, {"name": "redraw"}], {"seed": 2}),
        ([{"name": "data"}], {"data": list(SETS)[1]}),
        ([{"name": "data"}] * len(SETS), {}),
        ([{"name": "set", "value": {"noise": 0.2}}], {"noise": 0.2}),
        ([{"name": "set", "value": {"data": "iris"}}], {"data": "iris"}),
        ([{"name": "set", "value": 5}, {"name": "nothing"}, None, 7, {"name": ["data"]}], {}),
        ([{"name": "set", "value": {"noise": "loud", "n": None, "other": 1, "self": 2, 3: 4}}], {}),
    ],
)
def test_commands_change_the_settings(commands, expected):
    header, data = asked("v=1", *commands)
    made = FisherSettings.of(**expected)
    assert header["link"] == made.query()
    assert data == fisher.encode(made)
    assert len(header["steps"]) == len(commands)


def test_what_the_page_has_is_not_sent_again():
    header, data = asked("v=1")
    assert payload.unpack(data)[0]["query"] == "v=1"
    assert asked("v=1", have=[header["runs"][0]["id"]])[1] == b""


def test_a_link_with_nonsense_is_told_once():
    header, _ = asked("v=1&angle=wide&colour=red")
    assert "angle=wide" in header["notices"][0]["words"]
    assert asked("v=1&angle=wide", shown=True)[0]["notices"] == []
