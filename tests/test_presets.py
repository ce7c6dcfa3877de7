"""Ready comparisons: what each claims is true of its runs, its link names it, and its words stand
while it is shown.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from urllib.parse import parse_qsl

import numpy as np
import pytest
from covering import in_turn
from links import HOSTILE
from sklearn.svm import SVC

from kpviz import experiment
from kpviz.engine import theory
from kpviz.engine.run.run import Run
from kpviz.experiment import Split
from kpviz.lessons import comparison, presets
from kpviz.lessons.comparison import Summary
from kpviz.lessons.presets import PRESETS
from kpviz.panels import BY_NAME
from kpviz.service import links
from kpviz.settings import Settings
from kpviz.settings.cues import Cues


def link_of(query):
    return dict(part.split("=", 1) for part in query.split("&") if part)


@dataclass(frozen=True)
class Shown:
    """One run of a comparison, and what it was made from."""

    settings: Settings
    split: Split
    run: Run

    @cached_property
    def end(self):
        """Its column of the table."""
        return comparison.summary(self.settings, self.split, self.run)

    @property
    def jump(self):
        """By how much a step changes f at its own example, at most, for a kernel with
        k(x, x) = 1.
        """
        return float(np.abs(self.run.changes.delta).max()) * self.run.unit

    @property
    def turns(self):
        """How many held-out verdicts change between the ends of two epochs, in all."""
        ends = np.arange(1, self.run.n_epochs + 1) * len(self.split.y)
        read = self.run.decision_function
        signs = [
            read(self.split.X_test, int(t), predictor=self.settings.predictor) > 0 for t in ends
        ]
        return sum(int((one != other).sum()) for one, other in pairwise(signs))

    @property
    def margin(self):
        return self.end.margin or 0.0

    @property
    def sizes(self):
        return np.diag(self.run.gram)


def shown(settings, pins):
    """Train the models of a comparison, the current one last."""
    made = [*(pin.on(settings) for pin in pins), settings]
    return [
        Shown(each, split := experiment.prepare(each), experiment.run(each, split)) for each in made
    ]


def least(runs, name):
    """Whether the last run has less of it than all others."""
    *others, last = [
        np.inf if (value := getattr(each.end, name)) is None else value for each in runs
    ]
    return all(last < other for other in others)


def late(each):
    return each.run.mistake[each.run.n_steps // 2 :].sum()


def on_parity(each):
    return experiment.run(each.settings.replace(function="parity")).mistake.sum()


def hard_margin(each):
    """The margin that scikit-learn's SVC finds, with so large a C that no example may be wrong."""
    gram = each.run.kernel.evaluate(each.split.X, each.split.X)
    model = SVC(kernel="precomputed", C=1e6).fit(gram, each.split.y)
    coef = model.dual_coef_[0]
    norm = np.sqrt(coef @ gram[np.ix_(model.support_, model.support_)] @ coef)
    return (each.split.y * model.decision_function(gram)).min() / norm


# What each comparison claims of its runs, in the order of their letters.
CLAIMS = {
    "widths": lambda narrow, wide, own: (
        narrow.end.train_error == 0.0
        and narrow.end.support < len(narrow.split.y)
        and wide.end.train_error >= 0.4
        and least([narrow, wide, own], "test_error")
    ),
    "averaged": lambda last, mean: mean.turns < last.turns and least([last, mean], "test_error"),
    "svm": lambda perceptron, widest: (
        0.0 < 5.0 * perceptron.margin < widest.margin
        and widest.margin > 0.999 * hard_margin(widest)
    ),
    "budget": lambda free, ten: (
        ten.end.support == 10 < free.end.support and ten.end.mistakes >= 3 * free.end.mistakes > 0
    ),
    "forgetting": lambda *runs: (
        all(each.end.support <= 15 for each in runs) and least(runs, "mistakes")
    ),
    "projection": lambda free, projected: (
        projected.end.mistakes == free.end.mistakes and projected.end.support < free.end.support / 2
    ),
    # The classes overlap, and one example moves the perceptron's f more.
    "probability": lambda perceptron, logistic: (
        perceptron.run.end == "limit"
        and perceptron.end.train_error > 0
        and logistic.jump < perceptron.jump
        and least([perceptron, logistic], "test_error")
    ),
    "drift": lambda *runs: (
        least(runs, "mistakes") and all(late(runs[-1]) < late(each) for each in runs[:-1])
    ),
    "intercepts": lambda without, unit, radius: (  # without b no line through the origin separates
        theory.max_margin(without.run.gram, without.run.y) == 0.0
        and [each.run.end for each in (without, unit, radius)] == ["limit", "clean", "clean"]
        and [unit.run.n_epochs, radius.run.n_epochs] == [97, 3]
    ),
    # Parity costs the literals one mistake for each input, the plain subsets hundreds.
    "literals": lambda *runs: (
        all(each.end.train_error == 0.0 and each.run.end == "clean" for each in runs)
        and on_parity(runs[0]) >= 200
        and on_parity(runs[-1]) == len(runs[-1].run.y)
    ),
    "long-texts": lambda own, other, normalized: (
        (own.sizes.min(), own.sizes.max() >= 1e6) == (16.0, True)
        and np.allclose(normalized.sizes, 1.0)
        and least([own, normalized], "test_error")
    ),
    "generative": lambda density, other, mixture: (
        np.linalg.matrix_rank(density.run.gram) == 1
        and len(np.unique(np.sign(density.run.decision_function(density.run.X)))) == 1
        and mixture.end.train_error == 0.0 < mixture.run.mistake.sum()
    ),
    "ties": lambda a, *others: (  # no two of them alike, and f = 0 at the end of each
        len({each.run.mistake.tobytes() for each in (a, *others)}) == 4
        and not a.run.mistake.any()
        and all(
            each.run.mistake.any() and not each.run.decision_function(each.split.X).any()
            for each in others
        )
    ),
}


@pytest.mark.parametrize("name", PRESETS)
def test_a_comparison_is_a_link_that_opens_as_it_is(name):
    preset = PRESETS[name]
    current, pins = preset.settings()
    assert Settings.repaired(dict(parse_qsl(preset.current))) == (current, [])
    assert comparison.read(link_of(comparison.query(pins)), current) == (pins, [])
    assert 1 <= len(pins) <= comparison.MOST
    names = comparison.names(pins, current)
    assert len(set(names)) == len(names) == len(pins) + 1


def test_each_comparison_has_a_claim():
    assert CLAIMS.keys() == PRESETS.keys()


@pytest.mark.parametrize("name", PRESETS)
def test_a_comparison_claims_what_its_runs_show_and_not_those_in_another_order(name):
    preset = PRESETS[name]
    runs = shown(*preset.settings())
    assert CLAIMS[name](*runs)
    assert {type(getattr(runs[0].end, key)) for key in preset.decide} <= {int, float, type(None)}
    assert len({tuple(getattr(each.end, key) for key in preset.decide) for each in runs}) > 1
    if name not in ("literals", "ties"):  # claims of all runs alike
        assert not CLAIMS[name](*runs[::-1])


# By which of its two numbers the right answer of each stands out, and whether it has the most of it.
STANDS_OUT = {
    "widths": ("test_error", min),
    "averaged": ("test_error", min),
    "svm": ("margin", max),
    "budget": ("mistakes", min),
    "forgetting": ("mistakes", min),
    "projection": ("support", min),
    "probability": ("test_error", min),
    "drift": ("mistakes", min),
    "intercepts": ("epochs", min),
    "literals": ("mistakes", min),
    "long-texts": ("test_error", min),
    "generative": ("mistakes", min),
    "ties": ("support", min),
}


@pytest.mark.parametrize("name", PRESETS)
def test_the_right_answer_is_the_run_that_alone_has_the_best_number(name):
    preset = PRESETS[name]
    key, best = STANDS_OUT[name]
    assert key in preset.decide
    runs = shown(*preset.settings())
    values = [getattr(each.end, key) for each in runs]
    assert [k for k, value in enumerate(values) if value == best(values)] == [
        "ABCD".index(preset.right)
    ]


# ---- their links ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_the_link_of_a_comparison_names_it_and_reads_back(name):
    settings, pins = PRESETS[name].settings()
    link = f"{settings.link()}&{presets.query(settings, pins)}"
    assert f"compare={name}" in link.split("&")
    for query in (
        link,
        link.replace(f"&compare={name}", ""),
        f"v=1&compare={name}",
        f"compare={name}&t=3&show=code",
    ):
        state = links.read(links.pairs(query))
        assert (state.settings, state.pins) == (settings, pins)
        assert state.link == link
    assert presets.plain(settings, pins) == {
        "name": name,
        "question": PRESETS[name].question,
        "words": PRESETS[name].words,
        "right": PRESETS[name].right,
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
        opened = links.read(
            links.pairs(f"{changed.link()}&compare=widths&{comparison.query(left)}")
        )
        assert (opened.settings, opened.pins) == (changed, left)
        assert "compare=" not in opened.link
    cued = settings.replace(cues=Cues.read("3: Look.").code)
    assert presets.name_of(cued, pins) == "widths"


@in_turn([(one,) for one in [*HOSTILE, "no such comparison"]])
def test_an_unknown_name_is_said_in_one_notice_and_changes_nothing_else(unknown):
    why = "Parts of this link could not be used: compare names a comparison that is not known."
    for query, settings in [
        ({"v": "1", "data": "moons"}, Settings.of(data="moons")),
        ({}, Settings.of()),
    ]:
        opened = links.read({**query, "compare": unknown})
        words = [
            re.sub(r" \(did you mean '[\w-]+'\?\)", "", notice.words) for notice in opened.notices
        ]
        assert (opened.settings, words) == (settings, [why])


def test_questions_and_words_fit_and_panels_exist():
    for preset in PRESETS.values():
        assert preset.question.endswith("?")
        assert len(preset.question) + len(preset.words) < 260
        assert set(preset.shows) <= BY_NAME.keys()
        assert set(preset.decide) <= Summary.__dataclass_fields__.keys()
