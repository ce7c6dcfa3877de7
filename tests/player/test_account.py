"""The board in words: what each panel says are Python's numbers, at every instant, and what
pointing at it tells.
"""

import math
import re

import numpy as np
import pytest
import strategies
from hypothesis import HealthCheck, example, given, reject, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from readers import SUBNORMAL, Fold, subject_of
from test_predict import ANSWERED
from written import read

import kpviz
from kpviz import experiment
from kpviz.engine.run.predictors import PREDICTORS
from kpviz.engine.theory import primal
from kpviz.lessons import explain
from kpviz.lessons.explain import number
from kpviz.player import contributions
from kpviz.settings import Settings

NEAR = 3e-6  # of the terms of f: single precision
HELD = Settings.of(noise=0.2, held=0.2, epochs=3)
LINKS = [
    Settings.of(),
    HELD,
    Settings.of(predictor="averaged", epochs=3),
    Settings.of(learner="svm"),
]
SHOWN = "&show=gram.readings.code.bound.alpha"


def account(player):
    parts = player.js("load('point/spoken.js').accountOf(s.player)")
    return {part["title"].partition(":")[0]: part["lines"] for part in parts}


# ---- no sentence contradicts a number beside it: the run carried out one by one says what is so --

COUNT = r"\d+(?:,\d{3})*"
NUMBER = rf"[+−]?{COUNT}(?:\.\d+)?(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"
ZERO = {
    "positive": lambda y: y < 0,
    "negative": lambda y: y > 0,
    "correct": lambda y: False,
}  # whether f = 0 is a mistake


class Truth:
    """A run as its changes make it, by a textbook's sums: scores, which were mistakes, and how far
    rounding may go.
    """

    def __init__(self, subject):
        self.run, self.split, self.predictor = subject.run, subject.split, subject.predictor
        self.bounds, self.settings = subject.bounds, subject.settings
        self.y = np.concatenate([self.split.y, self.split.y_test])
        self.folds = {kind: Fold(self.run, kind, self.split.everything) for kind in PREDICTORS}
        fold, steps, index = self.folds["last"], np.arange(self.run.n_steps), self.run.index
        self.before, self.after = fold.f[steps, index], fold.f[steps + 1, index]
        self.rounded = (
            NEAR * np.maximum(fold.terms[steps, index], fold.terms[steps + 1, index]) + SUBNORMAL
        )
        margin, zero = (
            self.run.y[index] * self.before,
            ZERO.get(self.run.learner.tie, lambda y: True),
        )
        self.mistake = (margin < 0) | (
            (margin == 0) & np.array([zero(y) for y in self.run.y[index]], dtype=bool)
        )
        doubtful = np.abs(margin) <= 1e-9 * fold.terms[steps, index] + fold.within[steps, index]
        assert_array_equal(self.mistake | doubtful, self.run.mistake | doubtful)
        self.mistake = np.where(
            doubtful, self.run.mistake, self.mistake
        )  # rounding decided, and the verdict stands

    def scores(self, t, kind=None):
        """What the predictor says of all examples, and by how much it may be wrong."""
        f, wrong = self.folds[kind or self.predictor].scores(t, NEAR)
        return f, wrong + SUBNORMAL

    def wrong(self, t, kind, part):
        """The least and the largest number of examples that may be on the wrong side; a vote's zero
        is +1.
        """
        f, near = (each[part] for each in self.scores(t, kind))
        y = self.y[part]
        sides = (
            np.sign(f + step * near) if kind != "voted" else np.where(f + step * near >= 0, 1, -1)
            for step in (1, -1)
        )
        counts = [side != y for side in sides]
        return np.sum(counts[0] & counts[1]), np.sum(counts[0] | counts[1])


def close(text, exact, slack):
    """Whether a number that is written is one, up to half of its last digit and what single
    precision leaves.
    """
    mantissa, _, power = text.partition("×")
    digit = read(f"1×{power or '10⁰'}") / 10.0 ** len(mantissa.partition(".")[2])
    return abs(read(text) - exact) <= 0.501 * digit + slack + 1e-6 * abs(exact)


def beginning(run, t):
    """How the sentence of the step that led to t begins: with the class of its example, or with its
    pair.
    """
    x = explain.example(int(run.index[t - 1]))
    if run.learner.chooses:
        return (
            f"{x} scores too low compared with "
            f"{explain.example(int(run.details['partner'][t - 1]))}. "
        )
    return f"{x} is "


def the_sentence_is_true(truth, t, sentence):
    run, i = truth.run, int(truth.run.index[t - 1])
    before, after, slack, made = (
        truth.before[t - 1],
        truth.after[t - 1],
        truth.rounded[t - 1],
        truth.mistake[t - 1],
    )
    assert sentence.startswith(beginning(run, t))
    classes = explain.class_words(truth.split.source.classes)
    if run.learner.chooses:
        j = int(run.details["partner"][t - 1])
        for k, ways in (
            (i, ("less", "more")),
            (j, ("more", "less")),
        ):  # coef of i rises, that of j falls
            positive = int(run.y[k] > 0)
            assert f"{ways[positive]} towards {classes[positive]}" in sentence, sentence
    else:
        assert sentence.split(" is ", 1)[1].startswith(explain.what(classes[int(run.y[i] > 0)])), (
            sentence
        )
    if found := re.search(rf"the score ({NUMBER}) says ([^:]+?)(?: all the same)?[:,.]", sentence):
        assert close(found[1], before, slack), (sentence, before)
        said = run.y[i] if found[2].startswith("so too") else -run.y[i]
        assert (said * before > 0) or abs(before) <= slack, sentence
    if found := re.search(rf"so says the score ({NUMBER})", sentence):
        assert close(found[1], before, slack), (sentence, before)
        assert run.y[i] * before > -slack, sentence
    if not run.learner.chooses:
        assert (": a mistake" in sentence or "counts as a mistake" in sentence) == made, (
            sentence,
            made,
        )
    if found := re.search(rf"goes from ({NUMBER}) to ({NUMBER})(?:, ([^.;]+))?[.;]", sentence):
        assert close(found[1], before, slack), (sentence, before)
        assert close(found[2], after, slack), (sentence, after)
        assert found[1] != found[2] or abs(after - before) <= slack, sentence
        low, high = (run.y[i] * after + way * slack for way in (-1, 1))
        better = run.y[i] * (after - before) > -slack
        assert {None: True, "now right": high > 0, "now on the boundary": low <= 0 <= high}.get(
            found[3], low < 0 and (better or "better" not in found[3])
        ), (sentence, after)
    if found := re.search(rf"score(?: of x\S+)? ({NUMBER}) hardly changes", sentence):
        assert close(found[1], before, slack), (sentence, before)
        assert close(found[1], after, slack), (sentence, after)
    assert ("nothing changes" not in sentence) or abs(after - before) <= slack, (
        sentence,
        before,
        after,
    )


def the_formula_agrees(truth, t, sentence, formula):
    """One number is written one way, in words, formula and code; the mistakes on x are counted."""
    run, i, score = (
        truth.run,
        int(truth.run.index[t - 1]),
        rf"(?:score(?: of x\S+)?|goes from) ({NUMBER})\b",
    )
    signs = {rf"\bf\(x\S+\) = ({NUMBER})": 1, rf"y·f\(x\S+\) = ({NUMBER})": run.y[i]}
    signs |= {rf"σ\(({NUMBER})\)": -run.y[i], rf"\by·f was ({NUMBER})": run.y[i]}
    written = {text.lstrip("+") for text in re.findall(score, sentence)}
    for pattern, sign in reversed(signs.items()):
        for text in re.findall(pattern, formula):
            assert close(text, sign * truth.before[t - 1], truth.rounded[t - 1]), (
                formula,
                truth.before[t - 1],
            )
            written.add(
                text if sign > 0 or text == "0" else text[1:] if text[0] == "−" else f"−{text}"
            )
        formula = re.sub(pattern, "", formula)
    assert len(written) <= 1, (sentence, formula, written)
    assert {*re.findall(r"\by = ([+−]1)", formula)} <= {explain.label(run.y[i])}, formula
    if found := re.search(r"its ([\d,]+)\w\w mistake", formula):
        assert read(found[1]) == np.sum(truth.mistake[:t] & (run.index[:t] == i)), formula
    if found := re.search(rf"a loss of ({NUMBER})", formula):
        assert close(
            found[1], max(0.0, 1 - run.y[i] * truth.before[t - 1]), truth.rounded[t - 1]
        ), formula


def the_place_is_true(truth, t, timeline, *, stream):
    run, epoch = truth.run, int(np.searchsorted(truth.run.epoch_start, t)) or 1
    step, shown, of, words = re.match(
        rf"(?:Step ({COUNT})|({COUNT}) of ({COUNT}) examples?)(?:, (\w+ epoch))?", timeline
    ).groups()
    assert read(step or shown) == t - run.epoch_start[epoch - 1], timeline
    assert of is None or read(of) == len(run.y), timeline
    assert words == (None if stream else explain.epoch_words(epoch)), timeline
    if found := re.search(r"([\d,]+) in memory", timeline):
        assert read(found[1]) == np.count_nonzero(truth.folds["last"].coefs[t]), timeline


def the_end_is_true(truth, sentence):
    run, made = truth.run, int(truth.mistake.sum())
    last = int(truth.mistake[run.epoch_start[-1] :].sum()) if run.n_epochs else 0
    if found := re.search(r"([\d,]+) epochs? and ([\d,]+) mistakes?", sentence):
        assert (read(found[1]), read(found[2])) == (run.n_epochs, made), sentence
    if found := re.search(r"([\d,]+) mistakes? (?:in (?:the last|it)|remains?)\b", sentence):
        assert read(found[1]) == last, sentence
    if re.search(r"An epoch without a mistake|none of them in the last", sentence):
        assert last == 0, sentence
    if found := re.search(r"The stream ends: ([\d,]+) mistakes? among ([\d,]+)", sentence):
        assert (read(found[1]), read(found[2])) == (made, run.n_steps), sentence


def the_mistakes_are_counted(truth, t, timeline, *, stream):
    run, made = truth.run, np.flatnonzero(truth.mistake[:t])
    assert re.search(rf"\b{len(made):,} mistakes?\b", timeline), timeline
    latest = (
        [f"step {made[-1] + 1:,}: mistake on {explain.example(int(run.index[made[-1]]))}"]
        if len(made)
        else []
    )
    assert re.findall(r"The latest: (.*?)\.", timeline) == latest
    if stream:
        return
    epoch = int(np.searchsorted(run.epoch_start, t)) or 1
    begin, end = [*run.epoch_start, run.n_steps][epoch - 1 : epoch + 1]
    now = explain.counted(np.sum(truth.mistake[begin:t]), "mistake")
    assert f"In epoch {epoch}{' so far' if t < end else ''}: {now}." in timeline
    if found := re.search(r"from epoch (\d+) on: ([\d, ]+)\.", timeline):
        per_epoch = np.add.reduceat(truth.mistake.astype(int), run.epoch_start)
        assert [*map(int, found[2].split(", "))] == per_epoch[
            int(found[1]) - 1 : epoch - 1
        ].tolist()


def the_panels_are_true(truth, t, parts, support):
    run, n, stream = truth.run, len(truth.run.y), "Margins" not in parts
    f, near = truth.scores(t)
    margins, coef = truth.run.y * f[:n], truth.folds["last"].coefs[t]
    size = NEAR * (1 + np.abs(truth.folds["last"].coefs[: t + 1]).max())
    lines = " ".join(parts["The map"])
    counts = (
        rf"\b{explain.counted(n, 'example')}: {np.sum(run.y > 0)} of class \+1[^;]*?, "
        rf"{np.sum(run.y < 0)} of class −1"
    )
    assert re.search(counts, lines), lines
    i = int(run.index[t - 1])
    (here,) = [line for line in parts["The map"] if line.startswith(f"{explain.example(i)}  ")]
    score, margin = re.search(rf" = ({NUMBER})  ·  margin ({NUMBER})", here).groups()
    then = truth.before[t - 1] if stream else f[i]
    assert close(score, then, near[i]), (here, then)
    assert close(margin, run.y[i] * then, near[i]), (here, then)
    assert close(re.search(rf"α = ({NUMBER})", here)[1], run.y[i] * coef[i], size), here
    if (found := re.search(r"([\d,]+) mistakes?", here)) and not run.learner.about.counts:
        assert read(found[1]) == np.sum(truth.mistake[:t] & (run.index[:t] == i)), here
    remembered = np.flatnonzero(coef)
    first = next(lines[0] for title, lines in parts.items() if title.startswith("α"))
    assert first.startswith(
        f"{len(remembered):,} remembered" if len(remembered) else "Nothing is remembered"
    ), first
    for j, alpha in zip(remembered, re.findall(rf"α = ({NUMBER})", first), strict=False):
        assert close(alpha, run.y[j] * coef[j], size), (first, j)
    assert {read(text) for text in re.findall(r"support: ([\d,]+)", support)} <= {len(remembered)}
    timeline = " ".join(parts["The timeline"])
    the_place_is_true(truth, t, timeline, stream=stream)
    if run.learner.chooses:
        assert "mistake" not in timeline
    else:
        the_mistakes_are_counted(truth, t, timeline, stream=stream)
    if stream:
        return
    count = int(parts["Margins"][0].split()[0])
    surely, maybe = np.sum(margins < -near[:n]), np.sum(margins <= near[:n])
    assert surely <= count <= maybe, (parts["Margins"], surely, maybe)
    least, who, most, whom = re.search(
        rf"is ({NUMBER}), of x(\S+); the largest ({NUMBER}), of x(\S+)\.", parts["Margins"][1]
    ).groups()
    for text, of, exact in ((least, who, margins.min()), (most, whom, margins.max())):
        assert close(text, exact, near.max()), parts["Margins"]
        assert close(text, margins[int(of.translate(LOWERED))], near.max()), parts["Margins"]
    wrong = {truth.predictor: parts["Margins"][2:]}
    for line in parts.get("Last, averaged, voted", ()):
        kind, said = line.split(": ", 1)
        low, high = truth.wrong(t, kind, slice(n))
        assert low <= int(re.search(r"wrong on (\d+)", said)[1]) <= high, line
        wrong.setdefault(kind, []).append(said)
    for kind, texts in wrong.items():
        low, high = truth.wrong(t, kind, slice(n, None))
        for found in re.findall(
            rf"(?:, on|held out) (\d+) of {len(truth.split.y_test)} ", " ".join(texts)
        ):
            assert low <= int(found) <= high, (kind, texts)
    for line in parts["Mistake bounds"]:
        the_bound_is_true(truth, t, line)
    the_answer_is_the_least_of_the_bounds(truth, t, parts["Mistake bounds"])


def the_bound_is_true(truth, t, line):
    run, bound = (
        truth.run,
        next((each for each in truth.bounds if line.startswith(f"{each.name}: ")), None),
    )
    if found := re.search(
        rf"At most ({NUMBER}) mistakes?(?: in ([\d,]+) steps?)?; ([\d,]+) made so far", line
    ):
        most, within, now = (None if each is None else read(each) for each in found.groups())
        assert now == np.sum(truth.mistake[:t]) <= most, line
        assert within is None or within == bound.times[bound.times >= t][0], line
        assert most == np.floor(bound.at(t)) if most < 1e6 else close(found[1], bound.at(t), 0), (
            line,
            bound.at(t),
        )
        assert ("It says nothing" in line) == (most >= (within or run.n_steps)), line
    if found := re.search(rf"with probability ({NUMBER}) or less", line):
        assert close(found[1], bound.at(t), 0), (line, bound.at(t))


ANSWER = (
    rf"({NUMBER}) so far; at most "
    rf"(?:({NUMBER}) in ({NUMBER}) steps?)?(?:, )?(?:({NUMBER}) ever)?\."
)
# Of Novikoff and of Boolean functions; the others are of the presentations that there were.
EVER = ("plain", "unit", "radius", "dnf")


def the_answer_is_the_least_of_the_bounds(truth, t, lines):
    """What a panel of bounds says first: the least for ever, and for these presentations where that
    is less.
    """
    ever, during = [math.inf], [(math.inf, None)]
    stream = truth.settings is not None and truth.settings.stream == "on"
    for bound in truth.bounds:
        value = bound.at(t)
        if bound.key == "voted" or not math.isfinite(value):
            continue
        stays = len(set(bound.values.tolist())) <= 1
        reached = bound.times[-1] if stays else bound.times[bound.times >= t][0]
        if value < reached:
            if bound.key in EVER and not stream:
                ever.append(value)
            else:
                during.append((value, reached))
    (most, reached), always = min(during, key=lambda pair: pair[0]), min(ever)
    expected = [
        math.floor(most) if most < always else None,
        reached if most < always else None,
        math.floor(always) if math.isfinite(always) else None,
    ]
    found = next(filter(None, (re.fullmatch(ANSWER, line) for line in lines)), None)
    if found is None:
        assert expected == [None, None, None], (lines, expected)
        return
    made, *numbers = (None if each is None else read(each) for each in found.groups())
    assert (
        made == np.sum(truth.mistake[:t]) <= min(each for each in numbers[::2] if each is not None)
    )
    for shown, wanted in zip(numbers, expected, strict=True):
        assert shown == wanted or (wanted and shown == pytest.approx(wanted, rel=1e-2)), found[0]


LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


@settings(
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(chosen=strategies.runs(), share=st.floats(0.0, 1.0))
@example(chosen={"learner": "pa", "epochs": 12, "n": 12}, share=0.9)
@example(chosen={"predictor": "voted", "epochs": 1, "noise": 0.2, "held": 0.3}, share=0.4)
@example(chosen={"epochs": 4, "noise": 0.3}, share=0.7)
@example(
    chosen={"data": "linear", "kernel": "linear", "learner": "logistic", "eta": 1.0, "epochs": 1},
    share=0.82,
)
@example(chosen={"predictor": "averaged", "noise": 0.5, "held": 0.4, "epochs": 3}, share=0.6)
@example(chosen={"learner": "svm", "n": 20, "C": 100.0}, share=0.5)
@example(chosen={"stream": "on", "learner": "norma", "n": 60}, share=0.5)
@example(
    chosen={"data": "linear", "n": 10, "kernel": "sigmoid", "coef0": -1.0, "learner": "pa"},
    share=0.5,
)
def test_no_sentence_contradicts_a_number_beside_it(player, chosen, share):
    try:
        subject = subject_of(chosen)
        run = subject.run
        if not run.n_steps:
            reject()
        player.open(f"/?{subject.settings.query()}{SHOWN}")
    except ValueError as error:
        if str(error) != contributions.TOO_LARGE:  # as f may grow of what is no kernel
            raise
        reject()
    truth = Truth(subject)
    for t in sorted({1, 1 + int(share * (run.n_steps - 1)), run.n_steps}):
        parts = account(player.go(t))
        (sentence,) = [line for line in parts["The map"] if line.startswith(beginning(run, t))]
        the_sentence_is_true(truth, t, sentence)
        formula = player.js("load('run/words.js').explain(s.run, s.player.t).formula")
        the_formula_agrees(truth, t, sentence, f"{formula} {player.words('code')}")
        the_panels_are_true(truth, t, parts, player.words("alpha") if "Margins" in parts else "")
    the_end_is_true(truth, player.words("words", "sentence"))


@pytest.mark.parametrize("settings", LINKS[:1], ids=lambda settings: settings.query())
def test_of_the_gram_matrix_it_says_its_means_and_of_the_rule_the_line_that_is_lit(
    player, settings
):
    split, run = experiment.prepare(settings), experiment.run(settings)
    same, gram = np.equal.outer(split.y, split.y), run.gram
    means = gram[same & ~np.eye(len(split.y), dtype=bool)].mean(), gram[~same].mean()
    parts = account(player.open(f"/?{settings.query()}{SHOWN}").go(7))
    assert parts["Gram matrix"] == [
        f"k is {number(means[0])} within a class, {number(means[1])} between, on average."
    ]
    *lines, last = parts["Pseudo-code"]
    assert lines == [
        f"Line {k}: {line.strip()}." for k, line in enumerate(explain.code(run), start=1)
    ]
    assert last == f"At this step line {explain.explain(run, 7).line + 1} is lit."


def test_at_the_start_nothing_is_remembered_and_nothing_is_told_of_what_comes(player):
    parts = account(player.open("/"))
    assert parts["α"] == ["Nothing is remembered: every α is 0."]
    assert parts["The map"][-1] == "f = 0 everywhere."
    assert parts["Margins"][0] == "Not started: every margin is 0."
    assert len(parts["The timeline"]) == 1
    words = account(player.open("/?v=1&n=4&noise=0&kernel=linear").go(4))["The map"]
    assert words[-1] == "f = 0 everywhere."


@pytest.mark.parametrize("settings", LINKS, ids=lambda settings: settings.query())
def test_of_the_map_it_says_where_the_score_changes_sides(player, settings):
    run = experiment.run(settings)
    player.open(f"/?{settings.query()}").go(run.n_steps)
    crossings = [line for line in account(player)["The map"] if line.startswith("At feature 2 = ")]
    assert len(crossings) == 5
    assert any("up to" in line for line in crossings)
    left, right, *_ = player.js("s.player.run.header.extent")
    for line in crossings:
        height, *turns = (
            float(found.replace("−", "-")) for found in re.findall(r"= (\S+?)[:,]", line)
        )
        sides = [
            1 if side == "+1" else -1
            for side in re.findall(r"([+−]1)(?: up| throughout|\.$)", line)
        ]
        edges = [left, *turns, right]
        middles = np.column_stack((np.add(edges[1:], edges[:-1]) / 2, np.full(len(sides), height)))
        scores = run.decision_function(middles, predictor=settings.predictor)
        assert (np.sign(scores) == sides)[np.diff(edges) > 0.1].all()


def test_before_a_prediction_nothing_is_said_that_would_tell(player):
    player.open(f"/?v=1&t=30{SHOWN}.primal.remembered").press("q").rest()
    for sees_colours in (
        True,
        False,
    ):  # The first few answers are given while f's colours are seen.
        if not sees_colours:
            player.js(ANSWERED)
            player.rest()
        assert player.js("s.standing.question.phase") == "ask"
        parts = account(player)
        across = [line for line in parts["The map"] if line.startswith("At feature 2")]
        assert len(across) == (5 if sees_colours else 0)
        assert not [line for line in parts["The map"] if "margin" in line]
        assert not parts.keys() & {
            "Margins",
            "Last, averaged, voted",
            "The primal perceptron",
            "What is remembered",
        }


TWICE_AS_HIGH = """(() => {
  const { run } = s;
  const { reading } = run;
  const twice = (values) => values.map((value) => 2 * value);
  run.reading = (t) => {
    const { coef, b, field, scores } = reading(t);
    return { coef: twice(coef), b: 2 * b, field: twice(field), scores: twice(scores) };
  };
  return 0;
})()"""


def test_while_the_colours_of_f_are_seen_nothing_says_how_high_it_is(player):
    player.open("/?v=1&t=30&show=margins.remembered")
    player.point(*player.spots()[26]).js("s.pick()")
    pinned = "s.player.pinnedTouch.lines"
    before_question = [account(player), player.js(pinned)]
    player.press("q").rest()
    assert player.js("s.standing.question.phase") == "ask"
    asked = [account(player), player.js(pinned)]
    player.js(TWICE_AS_HIGH)
    player.rest()
    assert [account(player), player.js(pinned)] == asked
    assert all(before != now for before, now in zip(before_question, asked, strict=True))


def test_of_bounds_and_of_several_runs_it_says_what_is_shown(player):
    player.open("/?show=bound").go(180)
    answer, first, *_ = account(player)["Mistake bounds"]
    assert answer == "11 so far; at most 47 in 180 steps, 64 ever."
    start = (
        "Novikoff’s mistake bound: R²/γ² = 1²/0.12448² = 64.54. At most 64 mistakes; 11 made "
        "so far. R = 1, "
    )
    assert first.replace("\u00a0", " ").startswith(start)  # A sum stays in one line.
    player.open("/?data=drawn&points=vocG.g&sigma=3&tie=correct&show=bound")
    (first, *_) = account(player)["Mistake bounds"]
    assert "At most 1 mistake; 0 made so far." in first
    assert "Mistake bounds" not in account(player.open("/"))
    parts = account(player.open("/?pins=1&p1.kernel=linear").go(5))
    assert [line[:2] for line in parts["Runs side by side"]] == ["A,", "B,"]
    assert all(": 5 of 60 examples, first epoch" in line for line in parts["Runs side by side"])


def test_of_curves_it_says_their_ends_the_least_and_what_is_set(player):
    link = "v=1&data=moons&n=30&noise=0.2&held=0.3&epochs=4&sigma=0.5"
    found = kpviz.sweep(link, "sigma").means
    player.open(f"/?{link}&show=curve").until("s.board.panels.some((p) => p.name === 'curve')")
    first, *lines = account(player)["Curves over a setting"]
    values = found["value"]
    assert first == f"Over σ from {values[0]:g} to {values[-1]:g}, {len(values)} values."
    near = int(np.abs(np.log(values) - np.log(0.5)).argmin())
    kinds = [
        ("Mistakes", "mistakes", 1),
        ("Support", "support", 1),
        ("Training error", "train_error", 100),
    ]
    for (name, key, times), line in zip(
        [*kinds, ("Held-out error", "test_error", 100)], lines, strict=True
    ):
        assert line.startswith(f"{name}: ")
        numbers = re.findall(r"([\d.,]+)%? at σ = ([\d.]*\d)", line)
        for place, (said_there, at) in zip(
            (0, -1, int(found[key].argmin()), near), numbers, strict=True
        ):
            assert float(at) == pytest.approx(values[place], rel=1e-5)
            assert read(said_there) == pytest.approx(times * found[key][place], abs=0.051)


@pytest.mark.parametrize("t", [0, 1, 40])
def test_of_the_primal_form_it_says_both_scores_w_and_costs(player, t):
    settings = Settings.of(data="linear", kernel="linear", intercept="unit")
    run = experiment.run(settings)
    found, costs = primal.read(run), primal.costs(run)
    player.open(f"/?{settings.query()}&show=primal").until("s.run.header.extras.primal")
    lines = account(player.go(t))["The primal perceptron"]
    stored, spent = [
        [
            f"{form}: {int(getattr(of, what)[t]):,} {words}."
            for form, of in (("primal", costs.primal), ("dual", costs.dual))
        ]
        for what, words in (
            ("stored", "numbers stored"),
            ("multiplications", "multiplications so far"),
        )
    ]
    first, reason, *bars, entries, rules, cheaper = lines
    assert bars == stored + spent
    kept = [int(of.stored[t]) for of in (costs.primal, costs.dual)]
    assert first == f"w and b are {kept[0]} numbers. The dual keeps {kept[1]}."
    w = found.w_at(t)
    assert reason.startswith(f"w = ({', '.join(map(number, w))}) is the arrow on the map.")
    for name, value in zip(found.names, w, strict=True):
        assert f"; {name}: {number(value)}" in entries
    assert rules.startswith("Which rules?; primal: f ← ⟨w, φ(xᵢ)⟩ + b")
    assert cheaper.startswith("When is the dual cheaper?; With 2 features")
    if t:
        i = explain.example(int(run.index[t - 1]))
        score = float(run.score[t - 1])
        sign = "+" if score > 0 else ""
        assert f"Both give {i} the score {sign}{number(score)}: the same" in reason


LYING = """(s.look(), s.targets.board.panels.filter((panel) => panel.name === arg)
  .flatMap((panel) => load("panels/chart.js").allMarks(panel)).map((mark) => ({ target: {}, ...mark }))
  .filter(({ target }) => ({ ...target }).stop)
  .map(({ x, y, w, h, words }) => ({ x, y, w, h, lines: words(0) })))"""
LISTS = {
    "primal": "kernel=linear&data=linear",
    "remembered": "data=texts",
    "validity": "kernel=sigmoid&n=12&coef0=1",
}


@pytest.mark.parametrize("name", [*LISTS, "derivation"])
def test_what_lies_in_a_panel_tells_who_points_at_it_what_is_read_out(player, name):
    player.open(f"/?v=1&{LISTS.get(name, '')}&show={name}").until(f"s.run.header.extras.{name}").go(
        20
    ).rest()
    lying = player.js(LYING, name)
    said = " ".join(line for lines in account(player).values() for line in lines)
    assert lying
    texts = [mark for mark in player.marks(name, kind="text") if mark["text"]]
    for item in lying if name != "validity" else ():  # it lies where its words stand
        across, down = (
            (item["x"] - 1, item["x"] + item["w"] + 1),
            (item["y"], item["y"] + item["h"]),
        )
        inside = [
            m["text"]
            for m in texts
            if across[0] <= m["x"] <= across[1] and down[0] <= m["y"] <= down[1]
        ]
        assert any(text in " ".join(item["lines"]) for text in inside), item
    for item in lying[:3] + lying[-1:]:
        player.point(item["x"] + item["w"] / 2, item["y"] + item["h"] / 2)
        assert " ".join(player.tip) == " ".join(item["lines"])
    assert lying[0]["lines"][0] in said


CHANGES = [
    ({"seed": 3}, "Now: Data seed 3.", "Now: Data seed 0, the default."),
    (
        {"order": "shuffled", "oseed": 2},
        "Now: Order shuffled; Order seed 2.",
        "Now: Order cyclic, the default.",
    ),
    (
        {"tie": "correct"},
        "Now: A zero score is correct.",
        "Now: A zero score is mistake, the default.",
    ),
    (
        {"eta": 0.5, "epochs": 20},
        "Now: η 0.5; Epoch limit 20.",
        "Now: η 1, the default; Epoch limit 50, the default.",
    ),
]


@pytest.mark.parametrize(("given", "words", "back"), CHANGES)
def test_a_change_is_said_with_the_names_that_the_settings_have_on_the_screen(
    player, given, words, back
):
    state = "load('board/setting_changes.js').stateOf(s.player)"
    before = player.open("/").js(state)
    after = player.open(f"/?{Settings.of(**given).query()}").js(state)
    change = "load('board/setting_changes.js').changeOf(...arg.map(JSON.parse))"
    assert player.js(change, [before, after]) == words
    assert player.js(change, [after, before]) == back
