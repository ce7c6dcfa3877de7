"""What each panel shows is what Python makes of the same settings: a table of panels, their facts,
and their runs.
"""

import itertools
import math
import re
from urllib.parse import quote

import numpy as np
import pytest
from headless import middle, sent
from numpy.testing import assert_allclose
from readers import instants_of
from written import read

from kpviz import experiment
from kpviz.engine import theory
from kpviz.engine.data import streams
from kpviz.engine.kernels.formula import REFUTED
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run import grid, predictors
from kpviz.engine.theory import primal
from kpviz.engine.theory.geometry import best_margins
from kpviz.lessons import explain
from kpviz.lessons.learner_words import words_of
from kpviz.panels import BY_NAME, IN_LINKS
from kpviz.settings import from_query
from kpviz.tokens import LIFT

NEAR = 1e-5  # of the largest: float32


class Board:
    """A run on the board beside Python's run of the same settings."""

    def __init__(self, player, panel, query, size=(1600, 1000)):
        self.player, self.panel, self.query = player, panel, query
        self.settings, notice = from_query(query)
        assert notice is None
        self.split = experiment.prepare(self.settings)
        self.run = experiment.run(self.settings, self.split)
        self.everything = np.concatenate([self.split.X, self.split.X_test])
        player.open(f"/?{query}&show={panel}", {"width": size[0], "height": size[1]})

    def marks(self, name=None, **wanted):
        return self.player.marks(
            wanted.pop("panel", self.panel), **({"name": name} if name else {}), **wanted
        )

    def one(self, name, **wanted):
        (mark,) = self.marks(name, **wanted)
        return mark

    def values(self, name, key="value", **wanted):
        return [mark[key] for mark in self.marks(name, **wanted)]

    def words(self, name=None, panel=None):
        return self.player.words(panel or self.panel, name)

    def in_plane(self, points):
        """Pixels of the map as places in the plane."""
        rect, view = self.player.js(
            "[s.view.rect, [s.view.low1, s.view.high1, s.view.low2, s.view.high2]]"
        )
        across, up = (
            (points[:, 0] - rect["x"]) / rect["w"],
            1 - (points[:, 1] - rect["y"]) / rect["h"],
        )
        return np.column_stack(
            [view[0] + across * (view[1] - view[0]), view[2] + up * (view[3] - view[2])]
        )


def points_of(mark):
    lines = mark["lines"] if "lines" in mark else [mark["points"]]
    return np.concatenate([np.reshape(line, (-1, 2)) for line in lines])


def number(value):
    """The ways to write a value: as it is, and as float32 has it."""
    return {explain.number(float(value)), explain.number(float(np.float32(value)))}


# ---- facts of an instant -------------------------------------------------------------------------


def code(board, t):
    """The line of the rule that the step carried out, and its α."""
    words = words_of(board.run.learner)
    lit = [mark["text"] for mark in board.marks(kind="text") if mark.get("weight") == 600][1:]
    line = words.code[explain.explain(board.run, t).line]
    # Indices are letters set lower.
    assert "".join(lit) == line.translate(str.maketrans("ᵢⱼ₀₁", "ij01"))
    if t:
        value = board.words().rpartition("α is ")[2]
        assert read(value) == pytest.approx(
            board.run.state_at(t).alpha[board.run.index[t - 1]], rel=0.01, abs=0.006
        )
        if rate := re.search(r"η is (\S+),", board.words()):
            assert read(rate[1]) == pytest.approx(board.run.learner.learning_rate, rel=0.01)


def own(board, t):
    """What a learner has of its own: what it remembers, the pair of a step, and its particulars."""
    about = board.run.learner.about
    assert about.panel in board.words()
    for part in about.parts:
        assert part.label in board.words()
        PARTS[part.kind](board, t, part)
    assert board.words("answer") == what_own_says(board.run, t)


def what_own_says(run, t):
    """What happened to what is remembered, in a sentence."""
    kinds = {part.kind for part in run.learner.about.parts}
    if "pair" in kinds:
        if not t:
            return "Each step moves two weights."
        i, partner = int(run.index[t - 1]), int(run.details["partner"][t - 1])
        moved = abs(run.state_at(t).alpha[i] - run.state_at(t - 1).alpha[i])
        names = f"{explain.example(i)} and {explain.example(partner)}"
        return f"Two weights move by {explain.number(moved)}: {names}."
    if "ages" not in kinds:
        return ""
    count, capacity = len(run.entries_at(t).rows()), run.learner.capacity
    if not capacity or "victim" not in run.details:
        return f"{count:,} remembered{f', at most {capacity:,}' if capacity else ''}."
    forgotten = int((run.details["victim"][:t] >= 0).sum())
    gone = f"{forgotten:,} forgotten" if forgotten else "none forgotten yet"
    return f"{count:,} in memory, at most {capacity:,}; {gone}."


def lift(board, t):
    """Whether a plane in space parts the examples, and how many it has on its wrong side."""
    run = board.run
    if not run.state_at(t).alpha.any():
        assert board.words("answer") == "No plane yet: nothing is learnt."
        return
    f = run.decision_function(run.X, t, "last")
    wrong = int((run.y * f <= 0).sum())
    assert board.words("answer") == (
        f"{wrong:,} of {len(run.y):,} on the wrong side of the plane."
        if wrong
        else "Lifted into space, a plane parts them."
    )


def proof(board, t):
    """How many mistakes there can be."""
    run = board.run
    bound = np.diag(run.gram).max() / theory.max_margin(run.gram, run.y) ** 2
    most = explain.counted(math.floor(bound), "mistake")
    assert board.words("answer") == f"At most {most}: there the lines meet."


def ages(board, t, part):
    run = board.run
    theirs = run.entries_at(t).rows()
    bars = board.marks("entry")
    assert [(bar["step"], bar["i"]) for bar in bars] == [(step, i) for step, i, _ in theirs]
    assert_allclose(
        [bar["weight"] for bar in bars], [weight for *_, weight in theirs], rtol=NEAR, atol=1e-7
    )
    assert board.values("newest", "step") == [step for step, *_ in theirs if step == t - 1]
    victim = int(run.details["victim"][t - 1]) if t else -1
    assert board.words("victim") == (f"{explain.example(victim)} forgotten" if victim >= 0 else "")


def pair(board, t, part):
    run, C = board.run, board.run.learner.C
    i = [int(run.index[t - 1]), int(run.details["partner"][t - 1])] if t else []
    assert board.values("after", "i") == i
    assert [len(board.marks(name, panel="map")) for name in ("current", "partner")] == [
        len(i[:1])
    ] * 2
    before, after = (run.state_at(at).alpha[i] if i else [] for at in (max(t - 1, 0), t))
    assert_allclose(board.values("after", "before"), before, atol=NEAR * C)
    assert_allclose(board.values("after", "after"), after, atol=NEAR * C)


def line(board, t, part):
    run = board.run
    dots = [mark for mark in board.marks("now") if mark["detail"] == part.detail]
    silent = t == 0 or (part.at == "mistakes" and not run.mistake[t - 1])
    assert len(dots) == (not silent), part.detail
    if dots:
        value = run.details[part.detail][t - 1]
        assert dots[0]["value"] == pytest.approx(value, rel=NEAR)
        assert part.kind == "curve" or number(value) & set(re.split(r",? +", board.words("value")))
        drawn = [
            mark
            for mark in board.marks(kind="line", detail=part.detail)
            if mark.get("name") != "limit"
        ]
        assert all(
            points_of(mark)[:, 0].max() <= dots[0]["x"] + 0.5 for mark in drawn
        )  # nothing that is to come


def curve(board, t, part):
    """The step of logistic regression: so much is added at a margin."""
    line(board, t, part)
    for dot in board.marks("now", detail=part.detail):
        assert dot["margin"] == pytest.approx(
            board.run.y[dot["i"]] * board.run.score[t - 1], rel=NEAR
        )
        points = points_of(max(board.marks(kind="line"), key=lambda mark: len(mark["points"])))
        assert np.interp(dot["x"], *points.T) == pytest.approx(dot["y"], abs=0.5)


PARTS = {"ages": ages, "pair": pair, "line": line, "curve": curve}


def readings(board, t):
    """The errors of all three predictors, now and at the ends of past epochs; beyond the scale they
    are arrows.
    """
    run, split = board.run, board.split
    y, n = np.concatenate([split.y, split.y_test]), len(split.y)
    curves = {(mark["predictor"], mark["set"]): mark["values"] for mark in board.marks("curve")}
    names = [mark.get("name") for mark in board.marks()]
    for k, name in enumerate(names):
        assert name != "cursor" or names[k + 1] == "top"  # No line crosses the name of the scale.
    over = int((run.epoch_ends <= t).sum())
    most = max([0.05, *(value for values in curves.values() for value in values)])
    highest = 0.05 * math.ceil(most / 0.05 - 1e-6)
    shown = {}
    for kind in predictors.PREDICTORS:
        f = run.decision_function(board.everything, t, kind)
        sign = np.where(f >= 0, 1.0, -1.0) if kind == "voted" else f
        doubtful = (f != 0) & (np.abs(f) < NEAR * np.abs(f).max(initial=1e-9))
        for of, part in [("train", slice(n)), ("test", slice(n, None))][
            : 2 if len(split.y_test) else 1
        ]:
            size = len(y[part])
            X = split.X if of == "train" else split.X_test
            past = predictors.errors_per_epoch(run, X, y[part], kind)[:over]
            assert curves.get((kind, of), []) == pytest.approx(past)
            text = board.one("errors", predictor=kind, set=of)["text"]
            if not t:
                assert text == "–"
                continue
            errors, words = int(text.split()[0]), text.partition(" ")[2]
            least = ((y * sign <= 0) & ~doubtful)[part].sum()
            assert least <= errors <= least + doubtful[part].sum()
            assert words == f"of {size}"
            shown.setdefault(of, {})[kind] = errors
            dot = board.one("now", predictor=kind, set=of)
            assert (dot["kind"] == "line") is bool(dot.get("beyond")) is (errors / size > highest)
    if t and (answer := board.words("answer")):
        of = "test" if len(split.y_test) else "train"
        points = "points" if board.player.js("s.run.plane") else "examples"
        where = f"{points} held out" if of == "test" else f"the training {points}"
        fewest = min(shown[of].values())
        least = [kind for kind, errors in shown[of].items() if errors == fewest]
        best = f"{' and '.join(least)} {'is' if len(least) == 1 else 'are'} best"
        who = "all three are alike" if len(least) == 3 else best
        count = f"{fewest:,} of {len(y) - n if of == 'test' else n:,} wrong"
        assert answer == f"On {where}, {who}: {count}."


def votes(board, t):
    """How many presentations each hypothesis was in force after, as Freund and Schapire count."""
    counts = [0]
    for mistake in board.run.mistake[:t]:
        counts = [*counts, 1] if mistake else [*counts[:-1], counts[-1] + 1]
    behind = [
        mark for mark in board.marks("behind", panel="votes") if mark["hypothesis"] < len(counts)
    ]
    shown = [*behind, *board.marks("current", panel="votes")]
    assert {mark["hypothesis"]: mark["votes"] for mark in shown} == {
        k + 1: c for k, c in enumerate(counts) if c
    }
    said = re.match(
        r"([\d,]+) votes?, one for .* in force longest: ([\d,]+)\.$",
        board.words("votes", "readings")
        or board.player.js(FOLD, ["readings", "Who votes?"])[0].partition("\n")[2],
    )
    assert not t or [int(part.replace(",", "")) for part in said.groups()] == [t, max(counts)]


FOLD = """s.board.panels.filter(({ name }) => name === arg[0])
  .flatMap((panel) => load("panels/chart.js").allMarks(panel))
  .filter((mark) => mark.kind === "area" && mark.target.index === arg[1]).map(({ words }) => words(0).join("\\n"))"""


def primals(board, t):
    """What both forms cost, both scores, w, and an arrow that moves at mistakes."""
    run, reading, costs = board.run, primal.read(board.run), primal.costs(board.run)
    for form in ("primal", "dual"):
        cost = getattr(costs, form)
        numbers = [int(cost.stored[t]), int(cost.multiplications[t])]
        assert board.values(form, "text") == [f"{number:,}" for number in numbers]
        assert board.values(f"{form} bar") == numbers
    stored = [int(getattr(costs, form).stored[t]) for form in ("primal", "dual")]
    assert re.findall(r"[\d,]+", board.words("answer")) == [f"{number:,}" for number in stored]
    bars = [board.marks(f"{form} bar") for form in ("primal", "dual")]
    for one, other in zip(*bars, strict=True):  # as long as they are many
        assert one["w"] * other["value"] == pytest.approx(other["w"] * one["value"])
    entries = reading.w_at(t)[: primal.SHOWN]
    (told,) = board.player.js(FOLD, ["primal", "What is in w?"])
    for name, value in zip(reading.names, entries, strict=False):
        assert re.search(rf"(?:^|\n){re.escape(name)}: ", told)
        assert_allclose(
            read(re.search(rf"(?:^|\n){re.escape(name)}: (\S+)", told)[1]),
            value,
            rtol=0.06,
            atol=0.0051 + NEAR * np.abs(entries).max(),
        )
    if not t:
        return
    words = board.words("verdict")
    assert number(run.score[t - 1]) & set(re.split(r"[ :,]+", words.replace("+", "")))
    agreed = int(reading.agrees[:t].sum())
    same = re.search(r"the same verdict at (?:this step|all ([\d,]+) steps|([\d,]+) of)", words)
    counted = next((part for part in same.groups() if part), "1")
    assert int(counted.replace(",", "")) == agreed
    assert ("of" in same[0].split()) == (agreed < t)
    if arrow := board.player.js("s.run.header.extras.primal.arrow"):
        tip, before = (
            arrow["start"] + arrow["scale"] * (run.state_at(at).coef @ board.split.X)
            for at in (t, t - 1)
        )
        if "is the arrow on the map" in words:
            assert (arrow["start"], arrow["scale"]) == ([0, 0], 1)
        else:
            assert "The arrow on the map has the direction of w" in words
        for mark in board.marks("w", panel="map"):
            assert_allclose(
                board.in_plane(points_of({"points": mark["lines"][0]}))[1], tip, atol=1e-3
            )
        added = board.marks("added", panel="map")
        assert len(added) == bool(run.mistake[t - 1])
        for mark in added:
            assert_allclose(
                board.in_plane(points_of({"points": mark["lines"][0]})), [before, tip], atol=1e-3
            )


def grams(board, t):
    """The cells have the colours of their values, each row the bar of its mistakes or weight."""
    run, n = board.run, len(board.run.y)
    order = np.argsort(-run.y, kind="stable")
    cells = board.one("gram")
    find = (
        "s.board.panels.find((p) => p.name === 'gram').marks.find((m) => m.name === 'gram').image"
    )
    size, data = board.player.js(f"(({{ width, data }}) => [width, data])({find})")
    pixels = np.reshape(data, (size, size, 4))[:n, :n, :3]
    extra, colours = board.player.js("[s.run.header.extras.gram, s.run.header.tokens.themes.light]")
    names = (
        ("cell_negative", "field_zero", "cell_positive")
        if extra["signed"]
        else ("", "similar_zero", "cell")
    )
    low, zero, high = (
        np.array([int(colours.get(name, "#000000")[k : k + 2], 16) for k in (1, 3, 5)])
        for name in names
    )
    share = (run.gram[np.ix_(order, order)] / extra["limit"])[..., None]
    assert_allclose(pixels, zero + np.abs(share) * (np.where(share > 0, high, low) - zero), atol=3)
    bars, about = board.marks("alpha"), run.learner.about
    level = (
        np.bincount(run.index[:t][run.mistake[:t]], minlength=n)
        if about.counts
        else run.state_at(t).alpha
    )
    assert {bar["i"]: bar["value"] for bar in bars} == pytest.approx(
        {i: level[i] for i in np.flatnonzero(level)}, rel=NEAR
    )
    for mark in [*bars, *board.marks("current")]:
        place = np.flatnonzero(order == mark["i"])[0]
        assert mark["y"] + mark["h"] / 2 == pytest.approx(
            cells["y"] + (place + 0.5) * cells["h"] / n, abs=0.51
        )
    assert board.values("current", "i") == ([run.index[t - 1]] if t else [])


def remembered(board, t):
    """f of the example that is shown as a sum of the largest terms, of the others, and of b."""
    if not t:
        return
    run, i = board.run, int(board.run.index[t - 1])
    averaged = board.settings.predictor == "averaged"
    states = [run.state_at(time) for time in (range(1, t + 1) if averaged else [t])]
    coef, b = (
        np.mean([state.coef for state in states], axis=0),
        np.mean([state.intercept for state in states]),
    )
    terms = coef * run.kernel(run.X, run.X[[i]])[:, 0]
    said = board.words("sum")
    if said.startswith("|f("):  # too small to be written
        assert abs(b + terms.sum()) < 1e-5
    else:
        f = read(said.rpartition("= ")[2].split()[0].rstrip(":"))
        assert f == pytest.approx(b + terms.sum(), rel=6e-3, abs=6e-3)
    assert explain.example(i) in board.words("sum")
    shown = board.values("term", "i")
    values = board.values("value")
    assert_allclose(values, terms[shown], rtol=NEAR, atol=NEAR)
    left = np.delete(terms, shown)
    left = left[np.delete(coef, shown) != 0]
    assert (np.diff(np.abs(values)) <= 1e-9).all()
    assert len(left) == 0 or np.abs(left).max() <= abs(values[-1]) + NEAR
    rest = [part for part in board.words("rest").split("  ·  ") if part]
    wanted = [*([left.sum()] if len(left) else []), *([b] if b else [])]
    amounts = [0.0 if part.startswith("less than 10⁻") else read(part.split()[0]) for part in rest]
    assert amounts == pytest.approx(wanted, rel=6e-3, abs=6e-3)


def sequences(board, t):
    """A cell for each example of the epoch, strong where it made a mistake, with a ring round that
    of the step.
    """
    run, n = board.run, len(board.run.y)
    start = n * ((t - 1) // n) if t else 0
    cells = [mark for mark in board.marks() if mark["kind"] in ("circle", "square") and "i" in mark]
    steps = np.arange(start, start + n)
    assert [mark["i"] for mark in cells] == run.index[steps].tolist()
    assert [mark["alpha"] == 1 for mark in cells] == (run.mistake[steps] & (steps < t)).tolist()
    assert all((mark["kind"] == "circle") == (run.y[mark["i"]] > 0) for mark in cells)
    rings = [(ring["x"], ring["y"]) for ring in board.marks("current")]
    assert rings == [(mark["x"], mark["y"]) for mark in cells[t - 1 - start : t - start] if t]


def similar(board, t):
    """k(x, ·) of the step's example in place of f, with its name, or of a held-out one that is
    pointed at.
    """
    if not t:
        return
    row, nodes = (
        "s.scenes().map.kernelRow",
        [axis.ravel() for axis in np.meshgrid(*board.split.extent.axes(96))],
    )
    exact = board.run.kernel(board.everything, np.column_stack(nodes))
    for i in (int(board.run.index[t - 1]), len(board.everything) - 1):
        if i >= len(board.run.y):
            x, y = board.player.js(
                "[s.view.x(s.run.X[2 * arg]), s.view.y(s.run.X[2 * arg + 1])]", i
            )
            board.player.point(x, y)
        elif i != board.run.index[t - 1]:
            continue
        assert_allclose(
            board.player.js(f"[...{row}.field]"),
            exact[i],
            rtol=NEAR,
            atol=2e-6 * np.abs(exact).max(),
        )
        assert (
            i >= len(board.run.y)
            or board.one("scale", panel="strip")["text"] == f"k({explain.example(i)}, ·)"
        )
        assert (board.marks("boundary", panel="map"), board.one("similar", panel="map")["i"]) == (
            [],
            i,
        )
    board.player.away()


def norm(board, t):
    """‖f‖ now, on a curve of all that it has been."""
    state = board.run.state_at(t)
    value = math.sqrt(max(state.coef @ board.run.gram @ state.coef, 0.0))
    assert read(board.words("norm now").rpartition("= ")[2]) == pytest.approx(
        value, rel=0.006, abs=0.006
    )
    # It stands above the timeline, and has the same axis.
    norm, timeline = board.player.js("[s.layout.panels.norm, s.layout.panels.timeline]")
    if (norm["x"], norm["w"]) == (timeline["x"], timeline["w"]):
        now, cursor = board.one("now", panel="norm"), board.one("cursor", panel="timeline")
        assert now["points"][0] == pytest.approx(cursor["x"] + cursor["w"] / 2, abs=0.01)


def bound(board, t):
    """What follows by hand from the numbers in a bound's formula is what is said of it, and the run
    keeps it.
    """
    run, words = board.run, " ".join(mark["text"] for mark in board.marks(kind="text")[1:])
    words = words.replace("\u00a0", " ")
    shown = 0
    for each in (each for each in experiment.bounds(board.settings, run) if each.at(t) < math.inf):
        head = re.escape(f"{each.name}: {each.formula} = ")
        pattern = (
            rf"{head}(\S.*?)(?: = ([\d.]+))? (?=At most|An estimate|It says nothing here: no)(.*)"
        )
        if not (found := re.search(pattern, words)):
            continue  # it has no room
        shown += 1
        formula, decimals, rest = found.groups()
        value = by_hand(formula)
        if each.key == "voted":
            stated = re.search(r"An estimate: the vote errs .* probability ([\d.]+) or less", rest)
            alone = theory.bound_of(run, t=t, predictor="voted")
            assert (alone.applies, stated is None) == (True, alone.vacuous)
            shown_as = round(alone.value, 2 if value >= 0.1 else 4)
            assert (
                round(value, 2 if value >= 0.1 else 4),
                float(stated[1]) if stated else shown_as,
            ) == (shown_as,) * 2
            quantities = board.player.js(
                f"load('run/bounds.js').boundsOf(s.run, {t}, 0).flatMap((one) => one.quantities)"
            )
            assert f"m = {t}, examples seen" in " ".join(quantities)
            continue
        exact = each.values[min((each.times < t).sum(), len(each.times) - 1)]
        most, _, within = re.match(
            r"At most ([\d,]+) mistakes( in ([\d,]+) steps?)?[;.]", rest
        ).groups()
        assert int(most.replace(",", "")) == math.floor(value * (1 + 1e-9)) == math.floor(exact)
        assert (decimals is None) == (value >= 1000 or value == round(value))
        assert decimals is None or f"{value:.2f}" == f"{exact:.2f}" == decimals
        assert run.mistake[:t].sum() <= value * (1 + 1e-9)
        time = int(within.replace(",", "")) if within else run.n_steps
        assert t <= time
        assert ("says nothing" in re.split(r"R = |[²)] = ", rest)[0]) == (exact >= time)
    assert shown


def by_hand(formula):
    written = re.sub(r"(?<=\d),(?=\d)", "", formula).replace("e−", "e-")
    for symbol, python in (("²", "**2"), ("·", "*"), ("√(", "math.sqrt("), ("∞", "math.inf")):
        written = written.replace(symbol, python)
    assert re.fullmatch(r"(?:[\d.e+*/(), -]|math\.sqrt|max)*", written), formula
    return eval(written, {"math": math})


def weights_of(combination):
    """The numbers before φ(u), φ(v), … in a sum of them."""
    terms = re.findall(r"(−?) ?(?:([\d.]+)·)?φ\(([^()]+)\)", combination)
    return {name: float(f"{'-' if sign else ''}{size or 1}") for sign, size, name in terms}


def validity(board, t):
    """The eigenvalues of the Gram matrix, and points that refute the kernel by hand where it is
    none.
    """
    kernel, X = board.run.kernel, board.run.X[:300]
    gram = kernel(X, X)
    exact = np.linalg.eigvalsh((gram + gram.T) / 2)[::-1]
    bars = board.marks("eigenvalue", kind="rect")
    assert_allclose([bar["value"] for bar in bars], exact, atol=1e-9 * np.abs(exact).max())
    ink, extra = board.player.js("[s.palette.ink, s.run.header.extras.validity]")
    below = [bar["value"] < -extra["tolerance"] for bar in bars]
    (zero,) = board.marks("zero", kind="rect")
    assert {(bar.get("fill"), bar.get("stroke")) for bar in bars} == {(ink, None)}
    hang = [bar["y"] > zero["y"] for bar in bars]
    assert all(hang[k] for k, negative in enumerate(below) if negative)
    # Each is as high as it is large; what is less than a pixel and below 0 is a hair line.
    largest = max(bars, key=lambda bar: bar["h"])
    high = np.abs(exact) * largest["h"] / max(abs(largest["value"]), 1e-300)
    assert_allclose(
        [bar["h"] for bar in bars], np.where(below, np.maximum(high, 1), high), atol=0.1
    )
    if any(below) and (counted := board.words("count")) != "eigenvalues of K":
        assert counted.startswith((f"{sum(below)} of the {len(exact)} ", "eigenvalues of K, "))
    psd = "unknown" if "min" in board.query else "no" if board.query in REFUTABLE else "yes"
    answers = {"yes": "Yes, always", "no": "No: ", "unknown": "Not decided: "}
    points = board.words("points")
    assert board.words("answer").startswith(answers[psd])
    assert bool(points) == (psd == "no")
    if points:
        written = r"[−\d.,×⁻⁰¹²³⁴-⁹]+"
        taken = re.findall(rf"([a-z₀-₉]+) = \(({written}), ({written})\)", points)
        Z = np.array([[read(x.rstrip(",")) for x in place] for _, *place in taken])
        weights = weights_of(extra["about"])
        c = np.array([weights[name] for name, *_ in taken])
        value = c @ kernel(Z, Z) @ c
        assert value < 0
        assert read(board.words("sum").rpartition(" = ")[2]) == pytest.approx(value, rel=0.01)
        assert (
            "dot(" not in board.query or len(c) == 1
        )  # a single point comes first where there is one


def stream(board, t):
    """The map has the last arrivals, what is in memory and nothing that is to come; the course
    counts both so far, begins with the first step, and its end lies whole within the panel.
    """
    run, state = board.run, board.run.state_at(t)
    arrived = [mark["i"] for mark in board.marks("lately", panel="map")]
    assert arrived == list(range(max(t - 60, 0), t))
    alphas = board.values("lately", "alpha", panel="map")
    assert alphas == sorted(alphas)
    heavy = np.abs(state.coef) > (
        0.03 * board.player.js("s.run.header.alphaLimit") if not run.learner.about.counts else 0
    )
    assert set(board.values("memory", "i", panel="map")) == {
        i for i in np.flatnonzero(heavy).tolist() if i < t - 60
    }
    assert {mark["i"] for mark in board.marks(panel="map") if mark.get("i") is not None} <= set(
        range(t)
    )
    remembered = streams.support_sizes(run)[: t + 1]
    sizes = {"mistakes": run.mistake[:t].sum(), "support": remembered[t]}
    if np.array_equal(remembered, [0, *np.cumsum(run.mistake[:t])]):
        del sizes["support"]  # One curve says both.
        assert board.marks("now", panel="margins", strip="support") == []
    for strip, value in sizes.items() if t else ():
        assert board.one("now", panel="margins", strip=strip)["value"] == value
    assert bool(board.marks("behind", panel="margins")) == (t > 0)
    rect = board.player.js("s.layout.panels.margins")
    for dot in board.marks("now", panel="margins"):
        assert rect["x"] <= dot["x"] - dot["r"] < dot["x"] + dot["r"] <= rect["x"] + rect["w"]
    if angle := streams.angles(len(run.y), board.settings.drift, board.settings.moves)[
        max(t - 1, 0)
    ]:
        assert board.one("turned", panel="strip", kind="line")["angle"] == pytest.approx(
            angle, abs=1e-6
        )


# ---- the table -----------------------------------------------------------------------------------

DATA = "n=40&noise=0.15&flipped=0.05&epochs=5&held=0.1&order=shuffled"
LINES = "n=36&data=linear&kernel=linear&noise=0.2&epochs=4"
LEARN = [
    "eta=0.1&noise=0.2",
    "noise=0.2&predictor=averaged&epochs=3",
    "learner=norma&n=30&predictor=averaged&epochs=3",
    *(f"learner={name}&{DATA}" for name in LEARNERS if name not in ("perceptron", "svm")),
    f"learner=svm&{DATA.removesuffix('&order=shuffled')}",
    f"learner=oldest&budget=1&{DATA}",
    f"learner=forgetron&budget=6&variant=basic&{LINES}",
    f"learner=norma&nu=0.3&schedule=inverse-sqrt&{DATA}",
    f"learner=norma&tau=15&lambda=0.05&{DATA}",
    f"learner=norma&lambda=0&rho=0&eta=1&{LINES}",
    "learner=svm&C=10&n=36&data=linear&kernel=linear&noise=0.2&epochs=10",
]
REFUTABLE = [
    "kernel=sigmoid&coef0=1",
    "kernel=sigmoid&gamma=2",
    *(f"kernel=formula&formula={quote(text)}" for text in REFUTED.values()),
    "kernel=formula&formula=tanh(dot(u,v)-1)",
    "kernel=formula&formula=(dot(u,v)-1)*3",
]
PROVEN = [
    "",
    f"kernel=formula&formula={quote('normalized(gaussian(1)*linear()) + 0.1*exp(dot(u, v))')}",
    f"kernel=formula&formula={quote('(dot(u, v) + 1e6)**2 - 1e12')}",
    "data=texts",
    "kernel=mixture",
    "data=bits&function=majority",
]
TIES = "n=4&noise=0&kernel=linear&epochs=6"  # f is 0 at some examples, and votes are even
OBJECTS = [
    "data=texts",
    "data=trees&learner=oldest&budget=4",
    "data=graphs&predictor=averaged",
    "data=bits&bits=3",
]
PANELS = {
    code: LEARN,
    own: LEARN[2:],
    lift: [
        "data=circles&kernel=monomial&degree=2&intercept=unit",
        "kernel=monomial&degree=2&n=30&epochs=3&predictor=averaged",
    ],
    proof: ["data=linear&kernel=linear&n=30&noise=0", "n=20&noise=0&sigma=0.5"],
    readings: ["noise=0.2&held=0.3&epochs=8&predictor=averaged", "held=0.3&epochs=6", TIES],
    votes: ["noise=0.15"],
    primals: [
        "data=linear&kernel=linear",
        "data=shifted&kernel=linear&intercept=unit&eta=0.5&epochs=4",
        "kernel=polynomial&degree=2&noise=0.15&epochs=6",
        "kernel=polynomial&degree=5&epochs=4",
        "kernel=monomial&degree=2&n=4&noise=0",  # rounding parts the verdicts
    ],
    grams: ["", "kernel=sigmoid&noise=0.2&epochs=4", "learner=norma&epochs=4"],
    remembered: [
        "n=30&kernel=polynomial&eta=0.5&intercept=unit",
        "n=30&kernel=laplacian&learner=forgetron&budget=6",
        "n=24&learner=projectron&noise=0.4",
        "n=24&learner=norma&epochs=3",
        "n=20&data=moons&learner=logistic&kernel=linear&epochs=5",
        "n=30&noise=0.4&predictor=averaged&intercept=unit&epochs=5",
        *OBJECTS,
    ],
    sequences: [
        "noise=0.2",
        "noise=0.2&order=shuffled&oseed=3",
        "noise=0.2&order=random",
        "order=hand&sequence=AfABAJ",
    ],
    similar: [
        "kernel=sigmoid&epochs=3",
        f"kernel=formula&formula={quote('linear() + laplacian(0.5)')}&held=0.2",
        "kernel=polynomial&degree=3",
    ],
    norm: ["noise=0.2&epochs=4", "learner=norma&epochs=3", "learner=svm&C=10"],
    bound: [
        *(
            "",
            "data=circles&kernel=polynomial",
            "intercept=unit&data=moons",
            "data=shifted&kernel=linear&intercept=radius",
        ),
        *(
            "data=moons&kernel=density&epochs=8",
            "kernel=linear&intercept=unit&epochs=6",
            "predictor=voted&epochs=1",
        ),
        *("predictor=voted&epochs=3", "data=blobs&noise=0.3&predictor=voted&epochs=1"),
        *(
            "learner=forgetron&budget=90&epochs=5",
            "learner=pa&epochs=4",
            "learner=pa&variant=PA-I&C=0.3&noise=0.2&epochs=4",
            "learner=pa&variant=PA-II&C=3&kernel=linear&epochs=4",
            "data=bits&function=three&bits=4",
            "seed=3",
            "data=circles&sigma=0.2",
        ),
    ],
    validity: [*PROVEN, *REFUTABLE, f"kernel=formula&formula={quote('min(u[1], v[1]) + 10')}"],
    stream: [
        "stream=on&drift=0.5",
        "stream=on&learner=oldest&drift=1&moves=switch",
        "stream=on&learner=norma&data=linear&n=400",
    ],
}
SHOWN = {
    votes: "readings",
    primals: "primal",
    grams: "gram",
    sequences: "sequence",
    stream: "margins",
}


# These have no fact here: other files look at what is sent for them.
WITHOUT_FACT = {"alpha", "curve", "derivation"}


def test_each_new_panel_has_a_fact():
    compared = {SHOWN.get(fact, fact.__name__) for fact in PANELS}
    drawn = {name for name in IN_LINKS if BY_NAME[name].drawn}
    assert drawn - compared == WITHOUT_FACT, "write what it shows as a fact, with a line of PANELS"


@pytest.mark.parametrize(
    ("fact", "query"),
    [(fact, query) for fact, queries in PANELS.items() for query in queries],
    ids=lambda each: getattr(each, "__name__", each),
)
def test_what_a_panel_shows_at_any_instant_is_what_python_computes(player, fact, query):
    board = Board(player, SHOWN.get(fact, fact.__name__), query)
    for t in instants_of(board.run):
        player.go(t)
        fact(board, t)


@pytest.mark.parametrize("seed", range(4))
def test_a_low_panel_of_the_proof_has_its_inequality_in_pythons_numbers(player, seed):
    query = f"data=linear&kernel=linear&n={12 + 9 * seed}&noise=0&seed={seed}"
    board = Board(player, "proof.readings", query, (1000, 700))
    run = board.run
    margins = best_margins(run.gram, run.y)
    for t in instants_of(run):
        player.go(t)
        k = int(run.mistake[:t].sum())
        alpha = run.state_at(t).alpha
        length = math.sqrt(alpha * run.y @ run.gram @ (alpha * run.y))
        largest = math.sqrt(k * np.diag(run.gram).max())
        sides = [k * margins.min(), alpha @ margins, length, largest]
        said = re.findall(r"= (\S+)", board.words("inequality", panel="proof"))
        assert said == [explain.number(side) for side in sides]
        mistaken = [explain.example(int(run.index[t - 1]))] if t and run.mistake[t - 1] else []
        letters = board.words("letters", panel="proof")
        assert re.findall(r"the mistake on (\S+) adds", letters) == mistaken


SHOW = "(s.player.modes.enter({ name: 'shown', figures: () => arg }), null)"


@pytest.mark.parametrize("seed", range(5))
def test_figures_lie_where_their_numbers_say(player, seed):
    query = f"data={['linear', 'moons', 'shifted', 'blobs', 'circles'][seed]}&kernel=linear&n=20"
    board = Board(player, "none", f"{query}&seed={seed}", (600 + 300 * seed, 700))
    rng = np.random.default_rng(seed)
    i = int(rng.integers(20))
    angle, margin, radius = rng.uniform([0.0, 0.1, 0.3], [6.28, 0.5, 3.0])
    normal = np.array([math.cos(angle), math.sin(angle)])
    strip = {"kind": "strip", "normal": normal.tolist(), "margin": margin, "label": "γ"}
    player.js(
        SHOW,
        [
            {"kind": "arrow", "i": i, "label": "φ(x)", "sides": ["u", "v"]},
            {"kind": "circle", "radius": radius, "label": "R"},
            strip,
            {"kind": "ring", "i": i},
        ],
    )

    def places(name):
        return [
            board.in_plane(np.reshape(mark["points"], (-1, 2)))
            for mark in board.marks(name, panel="map")
        ]

    near = {"atol": 1e-4 * np.ptp(board.run.X), "rtol": 0}
    x1, x2 = board.run.X[i]
    assert_allclose(places("arrow"), [[[0, 0], [x1, x2]]], **near)
    assert_allclose(places("side"), [[[0, 0], [x1, 0], [x1, x2]]], **near)
    circle, ring = (board.one(name, panel="map") for name in ("circle", "ring"))
    x, y = circle["x"], circle["y"]
    ends = np.array([[x, y], [x + circle["rx"], y], [x, y - circle["ry"]]])
    assert_allclose(board.in_plane(ends), [[0, 0], [radius, 0], [0, radius]], **near)
    assert_allclose(board.in_plane(np.array([[ring["x"], ring["y"]]])), [[x1, x2]], **near)
    for edge, distance in zip(places("strip edge"), (margin, -margin), strict=True):
        assert_allclose(edge @ normal, [distance] * 2, **near)
    assert_allclose(places("strip line")[0] @ normal, [0, 0], **near)
    assert_allclose(places("margin of strip"), [[[0, 0], margin * normal]], **near)


# ---- what is said, what is hidden ----------------------------------------------------------------


def test_what_is_still_to_come_is_not_drawn(player):
    board = Board(player, "proof.readings", "noise=0.15&sigma=0.5")
    player.go(5)
    k = int(board.run.mistake[: player.t].sum())
    assert len(board.marks("‖w‖ so far", panel="proof", kind="circle")) in (
        k + 1,
        k,
    )  # 0 has no logarithm
    player.press("q").rest()
    rect = player.js("s.layout.panels.votes")
    player.point(rect["x"] + rect["w"] - 12, rect["y"] + rect["h"] - 2)
    assert player.tip == []


def test_before_a_prediction_the_epoch_of_the_question_is_shown_and_no_answer(player):
    board = Board(player, "sequence", "noise=0.2&order=shuffled")
    player.go(60).press("q").rest()
    cells, index = [mark for mark in board.marks() if "i" in mark], board.run.index
    assert [mark["i"] for mark in cells] == index[60:120].tolist()
    missed = {mark["i"] for mark in cells if mark["alpha"] == 1}
    assert missed == set(index[60 : player.t][board.run.mistake[60 : player.t]].tolist())
    ring = board.one("current")
    assert (ring["x"], ring["y"]) == tuple(cells[player.t - 60][key] for key in "xy")


@pytest.mark.parametrize(
    "link", ["learner=norma&n=1000&noise=0.2&epochs=1&t=800", "n=1000&noise=0.5&epochs=2&t=2000"]
)
def test_of_crowded_columns_no_pixel_has_bars_of_both_classes(player, link):
    player.open(f"/?v=1&{link}&show=alpha.sequence")
    owners = {}
    for bar in (mark for mark in player.marks("alpha", kind="rect") if "i" in mark):
        for px in range(int(bar["x"]), int(bar["x"] + bar["w"]) + 1):
            owners.setdefault(px, set()).add(bar["fill"])
    assert len(owners) > 250
    assert sum(len(fills) > 1 for fills in owners.values()) <= 2  # where one class ends


# ---- logistic regression -------------------------------------------------------------------------


def sigma(f):
    return 1.0 / (1.0 + np.exp(-np.asarray(f, dtype=float)))


@pytest.mark.parametrize("predictor", ["last", "averaged"])
def test_the_field_of_logistic_regression_is_the_probability(player, predictor):
    board = Board(player, "alpha", f"learner=logistic&n=40&eta=2&noise=0.15&predictor={predictor}")
    run = board.run
    player.go(run.n_steps)
    values = [*np.linspace(-20, 20, 333).tolist(), 0.0]
    assert_allclose(player.js("arg.map((f) => s.run.chance(f))", values), sigma(values), atol=1e-4)
    data = player.js(
        "[...s.board.panels[0].marks.find((m) => m.kind === 'image' && m.w === m.h).image.data]"
    )
    image = np.reshape(data, (96, 96, 4))[::-1, :, :3]
    low, zero, high = (np.array(player.js("[1, 3, 5].map((k) => parseInt(s.palette[arg].slice(k, "
        "k + 2), 16))", name))
                       for name in ("field_negative", "field_zero", "field_positive"))  # fmt: skip
    share = (
        2 * sigma(grid.field(run, run.n_steps, *grid.extent(run.X).axes(96), predictor))[..., None]
        - 1
    )
    start, end = 0.02**0.8, 1.02**0.8  # The scale of colours is steep at 0, but has no edge there.
    along = ((np.abs(share) + 0.02) ** 0.8 - start) / (end - start)
    assert_allclose(image, zero + (np.where(share < 0, low, high) - zero) * along, atol=1.6)


# ---- pointer -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("panel", "query", "name"),
    [
        ("alpha", "t=60", None),
        ("alpha", "n=1000&noise=0.5&epochs=2&t=2000", None),
        ("sequence", "t=30&order=shuffled", None),
        ("lift", "data=circles&kernel=monomial&degree=2&intercept=unit&t=90", "point"),
        ("lift", "t=60", "point"),  # under the words that say why there is no plane
        ("remembered", "t=60", "term"),
    ],
)
def test_a_mark_of_an_example_lights_it_on_the_map_and_is_lit_from_there(
    player, panel, query, name
):
    board = Board(player, panel, query)
    marks = [
        mark for mark in board.marks(name) if mark.get("i") is not None and mark["kind"] != "line"
    ]
    apart = [
        mark
        for mark in marks
        if all(
            other is mark or abs(other["x"] - mark["x"]) + abs(other["y"] - mark["y"]) > 9
            for other in marks
        )
    ]
    for mark in (apart or marks)[:: max(len(marks) // 8, 1)]:
        if panel != "remembered":
            player.point(*middle(mark))
            assert [lit["lit"] for lit in board.marks(panel="map") if "lit" in lit] == [mark["i"]]
            assert explain.example(mark["i"]) in player.tip[0]
        player.point(*player.spots()[mark["i"]])
        assert mark["i"] in player.js("[...s.touch.hot]")


def test_a_cell_of_the_gram_matrix_lights_both_its_examples_and_tells_their_kernel(player):
    board = Board(player, "gram.alpha", "")
    run, order = board.run, np.argsort(-board.run.y, kind="stable")
    cells = board.one("gram", panel="gram")
    i, j = int(order[7]), int(order[50])
    player.point(cells["x"] + 50.5 * cells["w"] / 60, cells["y"] + 7.5 * cells["h"] / 60)
    name, _, value = player.tip[0].rpartition(" = ")
    assert name == f"k({explain.example(i)}, {explain.example(j)})"
    assert read(value) == pytest.approx(run.gram[i, j], abs=0.006)
    assert player.tip[1].endswith("of two classes")
    assert {mark["lit"] for mark in board.marks(panel="map") if "lit" in mark} == {i, j}
    assert {mark["lit"] for mark in board.marks("row", panel="gram")} == {i, j}
    k, spot = player.lonely()
    player.point(*spot)
    place = int(np.flatnonzero(order == k)[0])
    assert board.one("row", panel="gram")["y"] == pytest.approx(
        cells["y"] + place * cells["h"] / 60
    )
    assert board.one("column", panel="gram")["x"] == pytest.approx(
        cells["x"] + place * cells["w"] / 60
    )


def test_pointer_tells_of_eigenvalues_points_and_steps(player):
    board = Board(player, "validity", "kernel=sigmoid&coef0=1&n=12")
    last = board.marks("eigenvalue")[-1]
    player.point(last["x"] + last["w"] / 2, last["y"])
    assert player.tip == [f"λ₁₂ = −{abs(last['value']):.2f}, below −tolerance: this refutes k"]
    board = Board(
        player, "validity", f"data=bits&bits=3&kernel=formula&formula={quote('-norm(u-v)**2')}"
    )
    first, extra = board.marks("points")[0], player.js("s.run.header.extras.validity")
    player.point(first["x"] + 20, first["y"] - 3)
    told = [extra[name] for name in ("points", "about", "sum") if extra[name]]
    assert " ".join(player.tip) == " ".join(told)
    assert sorted(player.js("[...s.player.touch.hot]")) == extra["examples"] != []
    first = Board(player, "derivation", "").marks("formula")[0]
    player.point(first["x"] + 20, first["y"] - 3)
    assert player.tip[0] == "exp(−‖u − v‖²/(2·0.5²))"


def test_bricks_stand_in_the_order_of_the_first_mistakes_which_is_said_where_it_is_not_by_index(
    player,
):
    board = Board(player, "alpha", "data=xor&kernel=linear&epochs=2&order=shuffled")
    run = board.run
    for t in (1, run.n_steps):
        player.go(t)
        shown = board.marks()
        lefts = {}
        for mark in shown:
            if "i" in mark:
                lefts.setdefault(mark["i"], mark["x"])
        mistakes = run.index[:t][run.mistake[:t]]
        assert sorted(lefts, key=lefts.get) == list(dict.fromkeys(mistakes.tolist()))
        (title,) = (mark["text"] for mark in shown if mark.get("name") == "title")
        ending = ", in order of first mistake" if t > 1 else ", orange above, blue below"
        assert title == f"α: mistakes on each example{ending}"


def test_the_tip_tells_alpha_and_the_probability(player):
    board = Board(player, "alpha", "learner=logistic&n=40&noise=0.15")
    run, t = board.run, board.run.n_steps // 2
    player.go(t)
    i, spot = player.lonely()
    player.point(*spot)
    _, alpha, score = player.tip[:3]
    mistakes, f = (
        int(run.mistake[:t][run.index[:t] == i].sum()),
        run.decision_function(run.X[[i]], t)[0],
    )
    assert (
        alpha == f"α = {explain.number(run.state_at(t).alpha[i])}  ·  "
        f"{explain.counted(mistakes, 'mistake')}"
    )
    assert score.startswith(f"f = {explain.number(f)}  ·  margin")
    assert read(score.rpartition("P(+1) = ")[2]) == pytest.approx(sigma(f), abs=0.0051)


def test_a_place_of_votes_and_of_a_stream_tells_its_numbers_and_leads_there(player):
    run = Board(player, "readings", "n=40&noise=0.15").run
    player.go(50)
    (bar,) = player.marks("votes", name="current")
    player.click(bar["x"] + 1, bar["y"] + bar["h"] - 1)
    assert player.t == int(np.flatnonzero(run.mistake[:50])[-1]) + 1
    board = Board(player, "margins", "stream=on&data=linear&learner=norma&t=400")
    run, rect = board.run, player.js("s.layout.panels.margins")
    rate = player.js("[...load('run/series.js').course(s.run).rate]")[1:]
    assert_allclose(
        rate, [run.mistake[max(t - 100, 0) : t].mean() for t in range(1, run.n_steps + 1)]
    )
    at = (rect["x"] + rect["w"] * 0.7, rect["y"] + rect["h"] / 2)
    player.point(*at)
    t = int(player.tip[0].removeprefix("step "))
    assert (t > 400, player.tip[1:]) == (True, [])  # what is to come is not told
    player.go(run.n_steps)
    player.point(*at)
    assert player.tip[1:] == [
        f"{run.mistake[:t].sum()} mistakes",
        f"{round(100 * run.mistake[t - 100 : t].mean())}% wrong of the last 100",
        f"{streams.support_sizes(run)[t]} in memory",
    ]
    assert player.click(*at).t == t
    newest = board.marks("lately", panel="map")[-1]
    player.point(newest["x"], newest["y"])
    i = int(re.search(r"came at step (\d+)", " ".join(player.tip))[1]) - 1
    assert explain.example(i) in player.tip[0]
    assert f"then f = {explain.number(run.score[i])}" in " ".join(player.tip)
    assert ("a mistake" if run.mistake[i] else "correct") in player.tip[1]


# ---- what one does in panels ---------------------------------------------------------------------


def test_keys_turn_the_space_and_the_link_holds_how_it_is_turned(player):
    circles = "data=circles&kernel=monomial&degree=2&intercept=unit"
    Board(player, "lift", circles)
    player.press("4").press("4").press("8").rest()
    turn, tilt = LIFT["turn"] - 20, LIFT["tilt"] + 10
    query = player.js("s.query")
    assert f"turn={turn:g},{tilt:g}" in query
    player.press("5").rest()
    assert "turn=" not in player.js("s.query")
    player.open("?" + query)
    assert player.js("s.lift.now") == {"turn": turn, "tilt": tilt}


@pytest.mark.parametrize("stage", ["", "&stage=window"])
def test_the_lift_of_another_kernel_is_seen_large_and_a_button_chooses_that_kernel(player, stage):
    player.open(f"/?v=1&t=60&show=lift{stage}", {"width": 1366, "height": 768})
    assert player.words("lift", "why").startswith("With the monomial kernel (u·v)²")
    high = player.js("s.board.panels.find((panel) => panel.name === 'lift').rect.h")
    corners = np.concatenate([points_of(mark) for mark in player.marks("lift", kind="lines")])[:, 1]
    assert np.ptp(corners) > high / 2
    words = player.marks("lift", name="answer")
    assert all(row["y"] + 0.6 * row["size"] <= min(corners) for row in words)
    buttons = player.marks("lift", name="offer")
    assert len(buttons) == (0 if stage else 1)
    for button in buttons:
        player.point(button["x"], button["y"])
        assert player.js("s.touch.ask") == "square"


@pytest.mark.parametrize("size", [(844, 390), (390, 844), (1366, 768)])
@pytest.mark.parametrize("link", ["t=60", "data=circles&kernel=monomial&degree=2&t=30"])
def test_the_lift_has_its_button_within_it_and_no_name_of_an_axis_on_a_point(player, size, link):
    player.open(f"/?v=1&{link}&show=lift", dict(zip(("width", "height"), size, strict=True)))
    rect = player.js("s.board.panels.find((panel) => panel.name === 'lift').rect")
    for button in player.marks("lift", name="offer"):
        assert button["y"] + 1.2 * button["size"] <= rect["y"] + rect["h"]
    points = drawn_points(player.marks("lift", name="point"))
    for name in player.marks("lift", name="axis"):
        x, y, w, h = player.js(
            "Object.values(load('paint/measure.js').boxOf(arg, s.palette.fonts))", name
        )
        apart = np.maximum(np.abs(points[:, 0] - x - w / 2) - w / 2, 0)
        below = np.maximum(np.abs(points[:, 1] - y - h / 2) - h / 2, 0)
        assert (np.hypot(apart, below) >= points[:, 2] - 1).all()
    ((low, *_, high),) = [
        sorted(points_of(mark)[:, 0]) for mark in player.marks("lift", name="axes")
    ]
    assert size != (844, 390) or high - low > 120


def drawn_points(marks):
    return np.array([[mark["x"], mark["y"], mark["r"]] for mark in marks])


def test_pointing_shows_the_kernel_of_another_example_a_click_keeps_it_and_escape_lets_go(player):
    board, shown = Board(player, "similar", ""), "s.scenes().map.kernelRow.i"
    of_step = player.go(5).js(shown)
    i, spot = player.lonely()
    assert i != of_step
    player.point(*spot)
    assert player.js(shown) == i
    player.click(*spot).away()
    assert player.js(shown) == i
    assert i in [mark["lit"] for mark in board.marks(panel="map") if "lit" in mark]
    assert player.press("Escape").js(shown) == of_step
    player.point(*player.gap())
    node = player.js("s.touch.probe")
    value = board.run.kernel(board.run.X[[of_step]], np.array([[node["x1"], node["x2"]]]))[0, 0]
    assert read(player.tip[0].rsplit(" ", 1)[1]) == pytest.approx(value, abs=0.006)


NUMBERS = itertools.count()


def arrives(player, query):
    """Another run of the same examples, as a setting brings it; whether the panel of the order is
    then shown.
    """
    player.engine.take(sent(query).replace(b'"id":"run"', f'"id":"{next(NUMBERS):03}"'.encode()))
    player.js("(s.player.curve.follow = () => {})")  # it reads addresses, as browsers do
    player.js("(s.player.take(kpviz.bytes), s.arrange(), 0)")
    return player.rest().js("s.player.shown.has('sequence')")


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("v=1", [("v=1&order=hand", True), ("v=1&order=hand&epochs=3", True), ("v=1", False)]),
        (
            "v=1&show=alpha.sequence",
            [("v=1&order=hand", True), ("v=1", True)],
        ),  # it was there before
        ("v=1&order=hand", [("v=1&order=hand&epochs=2", True), ("v=1", False)]),
        (
            "v=1&order=hand&show=alpha",
            [("v=1&order=hand&epochs=3", False)],
        ),  # who closed it is not shown it again
    ],
)
def test_an_order_by_hand_brings_its_panel_and_takes_it_along(player, first, then):
    player.open(f"/?{first}")
    assert [arrives(player, query) for query, _ in then] == [shown for _, shown in then]
