"""Some forty boards are as they were: `pytest tests/player/test_gallery.py --update-gallery` writes
them anew.

Every learner, kind of data, panel, predictor and grain of time is on at least one of them, as in an
app in a window of 1366 × 768 pixels, or presented to a class."""

import json
from pathlib import Path

import pytest
from boards import BOARDS
from gallery import changes, described, size, text

from kpviz import panels
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.kernels import KERNELS
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run.predictors import PREDICTORS
from kpviz.service import links
from kpviz.settings.view import STAGES

GALLERY = Path(__file__).parents[1] / "gallery"
LACKING = (
    "give it a board in boards.py, then run `pytest tests/player/test_gallery.py --update-gallery`"
)


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_is_as_it_was(player, request, name):
    player.open(f"/?{BOARDS[name]}", size(BOARDS[name]))
    now, path = described(player), GALLERY / f"{name}.json"
    if request.config.getoption("--update-gallery"):
        path.write_text(text(now), encoding="utf-8")
    found = changes(json.loads(path.read_text(encoding="utf-8")), now)
    assert not found, (
        f"The board {name} has changed; if it should, write the gallery anew.\n" + "\n".join(found)
    )


def test_every_setting_of_a_board_is_one():
    assert {
        name: notices
        for name, link in BOARDS.items()
        if (notices := links.read(links.pairs(link)).notices)
    } == {}


def test_the_gallery_has_a_board_of_everything():
    links = (
        "&".join(BOARDS.values()) + "&data=xor&kernel=gaussian&learner=perceptron&predictor=last"
    )  # the defaults
    for key, values in {
        "data": [*SOURCES, *OBJECTS],
        "learner": LEARNERS,
        "predictor": PREDICTORS,
        "stage": STAGES,
    }.items():
        assert [value for value in values if f"{key}={value}" not in links] == [], (
            f"no {key}: {LACKING}"
        )
    of_data = {"words", "subtrees", "graph"}  # these are usual for texts, trees and graphs
    assert [
        name for name in KERNELS if f"kernel={name}" not in links and name not in of_data
    ] == [], LACKING
    shown = {
        name
        for link in BOARDS.values()
        for part in link.split("&")
        if part.startswith("show=")
        for name in part[5:].split(".")
    }
    assert set(panels.IN_LINKS) <= shown, LACKING


def test_the_gallery_has_no_other_file_and_stays_small():
    files = list(GALLERY.iterdir())
    assert {path.name for path in files} == {f"{name}.json" for name in BOARDS}
    assert sum(path.stat().st_size for path in files) < 3_000_000


def test_a_change_is_told_mark_by_mark():
    before = {
        "map": [{"kind": "circle", "i": 3, "x": 1.0, "fill": "ink"}, {"kind": "text", "text": "f"}],
        "alpha": [],
    }
    now = {"map": [{"kind": "circle", "i": 3, "x": 7.0, "fill": "ink"}], "votes": []}
    assert changes(before, before) == []
    assert changes(before, now) == [
        "alpha: the panel is gone",
        "map: 2 marks → 1",
        "map, mark 0 (circle 3): x 1.0 → 7.0",
        "votes: the panel is new",
    ]
