"""The panel of bounds: what it says at any instant follows by hand from the numbers that it shows."""

import math
import re

import pytest

from kpviz import experiment
from kpviz.settings import Settings

BOUNDS = {
    "plain": {},
    "plain, polynomial": {"data": "circles", "kernel": "polynomial"},
    "unit": {"intercept": "unit", "data": "moons"},
    "radius": {"data": "shifted", "kernel": "linear", "intercept": "radius"},
    "not separable": {"data": "moons", "kernel": "density", "epochs": 8},
    "not separable, unit": {"kernel": "linear", "intercept": "unit", "epochs": 6},
    "forgetron": {"learner": "forgetron", "budget": 90, "epochs": 5},
    "vote": {"predictor": "voted", "epochs": 1},
    "bits": {"data": "bits", "function": "three", "bits": 4},
    **{f"XOR, seed {seed}": {"seed": seed} for seed in range(1, 7)},
    **{f"circles, σ = {sigma}": {"data": "circles", "sigma": sigma} for sigma in (0.2, 0.35, 0.7)},
}


def said(player):
    """The words of the panel, those of one bound after those of another."""
    texts = [mark["text"] for mark in player.marks("bound", kind="text")]
    return " ".join(texts[1:])


def by_hand(formula):
    """What a formula that is written with numbers amounts to."""
    written = formula.replace(",", "").replace("e−", "e-")
    for symbol, python in (("²", "**2"), ("·", "*"), ("√(", "math.sqrt("), ("∞", "math.inf")):
        written = written.replace(symbol, python)
    assert re.fullmatch(r"[\d.e+*/() -]|(?:[\d.e+*/() -]|math\.sqrt)*", written), formula
    return eval(written, {"math": math})


def shown(words, bound):
    """What a bound's formula says with numbers, and what follows it; None where there was no room."""
    found = re.search(
        rf"{re.escape(f'{bound.name}: {bound.formula} = ')}(\S.*?)(?: = ([\d.]+))? (?=At most|An estimate)(.*)", words
    )
    return found and found.groups()


@pytest.mark.parametrize("name", BOUNDS)
def test_each_bound_follows_by_hand_from_the_numbers_beside_it(player, name):
    settings = Settings.of(**BOUNDS[name])
    run = experiment.run(settings)
    player.open(f"/?{settings.query()}&show=bound", {"width": 1600, "height": 1700})
    bounds = [bound for bound in experiment.bounds(settings, run) if bound.applies]
    for t in (0, 1, run.n_steps // 2, run.n_steps - 1, run.n_steps):
        words = said(player.go(t))
        assert shown(words, bounds[0])
        for bound in filter(lambda bound: shown(words, bound), bounds):
            formula, decimals, rest = shown(words, bound)
            value = by_hand(formula)
            for symbol in "RγDLm":
                if stated := re.search(rf"(?<!\S){symbol} = ([\d.,]+), ", rest[: rest.find(": ", 90)]):
                    assert stated[1] in formula
            if bound.key == "voted":
                stated = re.search(r"probability ([\d.]+) or less", rest)
                assert round(value, 2 if value >= 0.1 else 4) == float(stated[1])
                continue
            at = min((bound.times < t).sum(), len(bound.times) - 1)
            most, _, within = re.match(r"At most ([\d,]+) mistakes( in ([\d,]+) presentations)?;", rest).groups()
            assert int(most.replace(",", "")) == math.floor(value * (1 + 1e-9)) == math.floor(bound.values[at])
            assert (decimals is None) == (value >= 1000 or value == round(value))
            if decimals:
                assert f"{value:.2f}" == f"{bound.values[at]:.2f}" == decimals
            assert run.mistake[:t].sum() <= value * (1 + 1e-9)
            time = int(within.replace(",", "")) if within else run.n_steps
            assert t <= time
            assert ("says nothing" in rest.partition("R = ")[0]) == (bound.values[at] >= time)


def test_an_estimate_is_not_called_a_bound_on_the_votes_error(player):
    player.open("/?predictor=voted&epochs=1&show=bound", {"width": 1600, "height": 1400})
    words = said(player)
    assert "estimated" in words.split(":")[0]
    assert "An estimate: the vote errs" in words
    assert not re.search("errs [^.]* at most", words)


def test_the_source_of_a_theorem_stands_beside_it(player):
    player.open("/?show=bound", {"width": 1600, "height": 1400})
    assert "Novikoff (1962)" in said(player)


CROWDED = [
    "kernel=linear&intercept=unit&show=alpha.margins.bound&t=9999",
    "t=10&show=code.bound.margins",
    "n=30&t=45&show=alpha.bound.code.margins.norm",
    "kernel=polynomial&t=60&show=primal.bound",
]


@pytest.mark.parametrize("stage", ["", "&stage=window"])
@pytest.mark.parametrize("size", [(1342, 714), (1342, 586), (1896, 1026)], ids=str)
@pytest.mark.parametrize("link", CROWDED)
def test_no_bound_is_cut_off_in_the_middle(player, link, size, stage):
    player.open(f"/?v=1&{link}{stage}", {"width": size[0], "height": size[1]})
    panel = player.js("s.layout.panels.bound")
    marks = player.marks("bound", kind="text")
    assert all(mark["y"] <= panel["y"] + panel["h"] for mark in marks)
    words = said(player)
    bounds = player.js("s.run.header.extras.bound")
    whole = [bound for bound in bounds if f"{bound['name']}{':' if bound['applies'] else ''} " in words]
    assert whole
    for bound in whole:
        end = f", {bound['quantities'][-1][1]} {bound['source']}" if bound["applies"] else bound["why"]
        assert end in words
    left = {1: "One more bound has no room here.", 2: "2 more bounds have no room here."}
    assert words.endswith(left.get(len(bounds) - len(whole), end))
