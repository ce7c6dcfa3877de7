"""The pictures of the dock are the ones that `make assets` would draw, and show what is there."""

import base64
import importlib.util
import io
import re
from urllib.parse import unquote

import matplotlib.image
import numpy as np
import pytest

from kpviz import experiment, tokens
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.fisher.data import SETS
from kpviz.engine.kernels import KERNELS
from kpviz.engine.kernels.objects.graphs import read_graph
from kpviz.engine.kernels.objects.trees import read_tree
from kpviz.engine.learners import LEARNERS
from kpviz.lessons.presets import PRESETS
from kpviz.settings import Settings

SPEC = importlib.util.spec_from_file_location(
    "thumbnails", f"{__file__.rpartition('/')[0]}/../scripts/thumbnails.py"
)
thumbnails = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(thumbnails)

THERE = thumbnails.FILE.read_text(encoding="utf-8")
RUN = "run `make assets`"
DOT = re.compile(r"M(-?\d+) (-?\d+)h0")
NUMBERS = re.compile(r"-?\d+(?:\.\d+)?")


def pictures(css):
    return dict(
        re.findall(r'^\.tile-([\w-]+) \{ background-image: url\("(.+)"\); \}$', css, re.MULTILINE)
    )


def svg(name):
    assert name in pictures(THERE), f"{name} has no tile: run scripts/thumbnails.py"
    return unquote(pictures(THERE)[name].removeprefix("data:image/svg+xml,"))


def pixels(url):
    return matplotlib.image.imread(io.BytesIO(base64.b64decode(url.partition(",")[2])))


def lines(drawn):
    """The corners of each line and each ground of a drawing, in its order."""
    paths = re.findall(r"<path d='([^']+)' fill='", unquote(drawn))
    return [np.array(NUMBERS.findall(path), dtype=float).reshape(-1, 2) for path in paths]


def distance(one, other):
    """How far the corners of one line are from those of the other, at most."""
    apart = np.hypot(*(one[:, None] - other[None]).transpose(2, 0, 1))
    return max(apart.min(axis=0).max(), apart.min(axis=1).max())


def test_the_pictures_are_the_ones_that_would_be_drawn():
    there, drawn = pictures(THERE), pictures(thumbnails.css())
    assert list(there) == list(drawn), RUN
    for name, url in drawn.items():
        if name.startswith("data-"):
            assert there[name] == url, RUN
        elif name.startswith("kernel-"):
            assert np.abs(pixels(there[name]) - pixels(url)).max() < 0.05, RUN
        else:  # another build of numpy may round a boundary otherwise
            ours, theirs = lines(there[name]), lines(url)
            assert len(ours) == len(theirs), RUN
            assert all(distance(*pair) < 4 for pair in zip(ours, theirs, strict=True)), RUN


def test_no_picture_has_purple_and_only_that_of_a_third_class_is_ink():
    meaning = [tokens.THEMES["light"][name] for name in ("accent", "good", "warning")]
    for name, url in pictures(THERE).items():
        assert not any(colour in unquote(url) for colour in meaning), name
    triangles = {name for name in pictures(THERE) if "l3 5h-6z" in unquote(pictures(THERE)[name])}
    assert triangles == {f"data-{name}" for name, known in SETS.items() if known.many}


def test_there_is_one_for_each_data_set_kernel_learner_and_comparison_and_they_are_light():
    data = [*SOURCES, *(name for name in SETS if name not in SOURCES), *OBJECTS]
    assert list(pictures(THERE)) == [
        *(f"data-{name}" for name in data),
        *(f"kernel-{name}" for name in KERNELS),
        *(f"learner-{name}" for name in LEARNERS),
        *(f"compare-{name.replace(' ', '-')}" for name in PRESETS),
    ]
    assert len(THERE) < 120_000
    assert len(set(pictures(THERE).values())) == len(pictures(THERE))


@pytest.mark.parametrize("name", SOURCES)
def test_the_picture_of_a_data_set_shows_each_example_in_its_class_colour(name):
    dots = {
        colour: len(DOT.findall(path))
        for path, colour in re.findall(r"d='([^']+)' stroke='(#\w+)'", svg(f"data-{name}"))
    }
    y = experiment.prepare(Settings.of(data=name, n=80)).y
    assert dots == {
        tokens.MAP_POINTS[kind]: int((y == sign).sum())
        for kind, sign in (("negative", -1), ("positive", 1))
    }
    places = np.array(DOT.findall(svg(f"data-{name}")), dtype=float)
    assert -3 < places.min() < places.max() < 77


@pytest.mark.parametrize(
    ("name", "n", "joined"), [("bits", 8, 12), ("trees", None, None), ("graphs", None, None)]
)
def test_the_pictures_of_objects_show_each_node_and_edge_of_one(name, n, joined):
    if name != "bits":
        example = OBJECTS[name].examples()[0][-1]
        n = len((read_tree if name == "trees" else read_graph)(example).labels)
        joined = n - 1 if name == "trees" else len(read_graph(example).edges)
    drawn = svg(f"data-{name}")
    assert (drawn.count("<circle"), drawn.count("<line")) == (n, joined)
    colours = set(re.findall(r"<circle[^>]* fill='(#\w+)'", drawn))
    assert colours == (
        {*tokens.MAP_POINTS.values()} if name == "bits" else {tokens.MAP_POINTS["positive"]}
    )
    places = [float(place) for place in re.findall(r" c[xy]='(-?[\d.]+)'", drawn)]
    assert 4 <= min(places) < max(places) <= 70


@pytest.mark.parametrize("name", LEARNERS)
def test_the_picture_of_a_learner_tells_what_it_does_with_mistakes(name):
    drawn = svg(f"learner-{name}")
    assert [other for other in LEARNERS if svg(f"learner-{other}") == drawn] == [name]
    # A dashed brick is one that is dropped, so only a learner of a fixed memory has one.
    learner = LEARNERS[name]()
    assert ("dasharray='3 2'" in drawn) == (learner.capacity is not None)


@pytest.mark.parametrize("name", PRESETS)
def test_the_picture_of_a_comparison_has_a_map_or_a_line_for_each_run(name):
    drawn = svg(f"compare-{name.replace(' ', '-')}")
    runs = len(PRESETS[name].pins) + 1
    assert len(lines(drawn)) == runs
    dashes = re.findall(r"stroke-dasharray='([^']+)'", drawn)
    assert len(set(dashes)) == len(dashes) in (0, runs)
    assert drawn.count("<svg x=") == runs - len(dashes)
