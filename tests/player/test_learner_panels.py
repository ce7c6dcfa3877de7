"""Every learner on the stage: its bars, its own panel, its probabilities and its steps are what Python recorded."""

import numpy as np
import pytest
from readers import instants_of

from kpviz import experiment, tokens
from kpviz.engine import theory
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run import grid, predictors
from kpviz.lessons import explain
from kpviz.settings import Settings

DATA = {"n": 40, "noise": 0.15, "flipped": 0.05, "epochs": 5, "held": 0.1, "order": "shuffled"}
LINES = {"n": 36, "data": "linear", "kernel": "linear", "noise": 0.2, "epochs": 4}
STAGED = {
    **{name: {"learner": name, **DATA} for name in LEARNERS if name != "perceptron"},
    "oldest, one": {"learner": "oldest", "budget": 1, **DATA},
    "forgetron, basic": {"learner": "forgetron", "budget": 6, "variant": "basic", **LINES, "kernel": "polynomial"},
    "projectron, wide": {"learner": "projectron", "delta": 0.6, **DATA},
    "norma, learnt margin": {"learner": "norma", "nu": 0.3, "schedule": "inverse-sqrt", **DATA},
    "norma, truncated": {"learner": "norma", "tau": 15, "lambda": 0.05, **DATA},
    "norma, a perceptron": {"learner": "norma", "lambda": 0, "rho": 0, "eta": 1, **LINES},
    "pa, line": {"learner": "pa", **LINES},
    "svm, line": {"learner": "svm", "C": 10, **LINES, "epochs": 10},
}  # fmt: skip


@pytest.fixture(params=STAGED)
def staged(request, player):
    """The player opened with a learner, its settings and its run."""
    made = Settings.of(**STAGED[request.param])
    player.open(f"/?{made.query()}&show=alpha.code.margins.own")
    return player, made, experiment.run(made)


def about(run):
    return run.learner.about


def parts(run, kind):
    return [part for part in about(run).parts if part.kind == kind]


def test_every_learner_is_drawn_as_it_is(staged):
    """One opening for what all learners share, and for the panel of each."""
    player, _, run = staged
    seen = []
    for t in instants_of(run):
        player.go(t)
        explained = explain.explain(run, t)
        assert player.sentence.endswith(explained.sentence)
        assert player.counter == explain.counter(run, t)
        active = [mark["text"] for mark in player.marks("code", kind="text") if mark.get("weight") == 600][1:]
        assert active == [about(run).code[explained.line]]
        assert_bars(player, run, t)
        assert_wrong_side(player, run, t)
        assert_ages(player, run, t)
        assert_pair(player, run, t)
        seen.append((t, player.marks("own", name="now"), player.words("own", "value")))
    assert_lines(run, seen)
    titles = player.words("own")
    assert about(run).panel in titles
    assert all(part.label in titles for part in about(run).parts)
    assert_grain(player, run)
    rect = player.js("s.layout.panels.own")
    for mark in player.marks("own", kind="rect"):
        assert rect["x"] - 1 <= mark["x"]
        assert mark["x"] + mark["w"] <= rect["x"] + rect["w"] + 1
        assert rect["y"] - 1 <= mark["y"]
        assert mark["y"] + mark["h"] <= rect["y"] + rect["h"] + 1


def assert_bars(player, run, t):
    """A bar for each alpha that is not 0, on one scale, within its panel."""
    alphas = run.y * run.state_at(t).coef
    bars = [mark for mark in player.marks("alpha", kind="rect") if "value" in mark and mark.get("name") != "optimum"]
    shown = np.zeros(len(run.y))
    for bar in bars:
        shown[bar["i"]] += bar["value"]
    np.testing.assert_allclose(shown, alphas, rtol=0, atol=1e-6 * (1 + np.abs(alphas).max()))
    assert len(bars) == np.count_nonzero(alphas)
    limit, low, rect = player.js("[s.run.header.alphaLimit, s.run.header.alphaLow, s.layout.panels.alpha]")
    unit = player.js("s.layout.unit")
    px = (rect["h"] - 42 * unit) / (limit - low)
    base = rect["y"] + rect["h"] - 18 * unit + low * px
    for bar in bars:
        assert bar["h"] == pytest.approx(abs(bar["value"]) * px, abs=0.01)
        assert bar["y"] == pytest.approx(base - max(bar["value"], 0.0) * px, abs=0.01)
        assert bar["y"] >= rect["y"] - 1
        assert bar["y"] + bar["h"] <= rect["y"] + rect["h"] + 1


def assert_wrong_side(player, run, t):
    margins = run.margins_at(t)
    near = np.abs(margins) < 1e-5 * np.abs(margins).max(initial=0.0)
    (count,) = [
        mark["text"] for mark in player.marks("margins", kind="text") if "wrong or on the boundary" in mark["text"]
    ]
    wrong = int(count.split()[0])
    assert (margins[~near] <= 0).sum() <= wrong <= (margins[~near] <= 0).sum() + near.sum()


def assert_ages(player, run, t):
    if not parts(run, "ages"):
        return
    bars = player.marks("own", name="entry")
    theirs = run.entries_at(t).rows()
    assert [(bar["step"], bar["i"]) for bar in bars] == [(step, i) for step, i, _ in theirs]
    np.testing.assert_allclose([bar["weight"] for bar in bars], [w for *_, w in theirs], rtol=1e-5, atol=1e-7)
    assert [bar["x"] for bar in bars] == sorted(bar["x"] for bar in bars)
    limit = player.js("s.run.header.alphaLimit")
    tall = max((bar["h"] / min(abs(bar["weight"]) / limit, 1) for bar in bars), default=0)
    for bar in bars:
        assert bar["h"] == pytest.approx(min(abs(bar["weight"]) / limit, 1) * tall)
    newest = [bar["step"] for bar in player.marks("own", name="newest")]
    assert newest == [step for step, *_ in theirs if step == t - 1]
    victim = int(run.details["victim"][t - 1]) if t else -1
    assert player.words("own", "victim") == (f"{explain.example(victim)} forgotten" if victim >= 0 else "")


def assert_pair(player, run, t):
    bars = player.marks("own", name="after")
    if not parts(run, "pair") or t == 0:
        assert bars == []
        assert player.marks("map", name="partner") == []
        return
    before, after = (run.y * run.state_at(at).coef for at in (t - 1, t))
    pair = [int(run.index[t - 1]), int(run.details["partner"][t - 1])]
    assert [bar["i"] for bar in bars] == pair
    rings = [player.marks("map", name=name)[0] for name in ("current", "partner")]
    places = player.js("arg.map((i) => [s.view.x(s.run.X[2 * i]), s.view.y(s.run.X[2 * i + 1])])", pair)
    assert [[ring["x"], ring["y"]] for ring in rings] == places
    assert all(explain.example(i) in player.sentence for i in pair)
    margins, limit = player.js(
        "((h) => [h.margins, h.limit])(load('model/series.js').histogram(s.run, s.run.reading(s.t), s.normed, s.t))"
    )
    bins = {player.js("load('model/series.js').binOf(...arg)", [margins[i], limit]) for i in pair}
    assert {mark["bin"] for mark in player.marks("margins", name="current")} == bins
    texts = [mark["text"] for mark in player.marks("own", kind="text") if mark["text"].startswith("α: ")]
    n, C = explain.number, run.learner.C
    for i, bar, box, old, text in zip(
        pair, bars, player.marks("own", name="box"), player.marks("own", name="before"), texts, strict=True
    ):
        assert (bar["before"], bar["after"]) == pytest.approx((before[i], after[i]), abs=1e-6 * C)
        assert bar["w"] / box["w"] == pytest.approx(after[i] / C, abs=1e-5)
        assert (old["points"][0] - box["x"]) / box["w"] == pytest.approx(before[i] / C, abs=1e-5)
        assert text in {f"α: {n(b)} → {n(a)} of C = {n(C)}" for b, a in _nearly(before[i], after[i])}


def _nearly(*values):
    """The values, and as float32 has them: their second digit may differ."""
    return [values, tuple(float(np.float32(value)) for value in values)]


def assert_lines(run, seen):
    """The dot of a line is as high as its value, on a scale that stays; the value is written beside."""
    for part in [*parts(run, "line"), *parts(run, "curve")]:
        heights = []
        for t, dots, values in seen:
            (dot,) = [mark for mark in dots if mark["detail"] == part.detail] or [None]
            silent = t == 0 or (part.at == "mistakes" and not run.mistake[t - 1])
            assert (dot is None) == silent, (part.detail, t)
            if dot is None:
                assert t == 0 or values == ""
                continue
            value = float(run.details[part.detail][t - 1])
            assert dot["value"] == pytest.approx(value, rel=1e-6)
            if part.kind == "line":
                assert explain.number(np.float32(value)) in values
            heights.append((np.log10(max(value, 1e-12)) if part.logarithmic else value, dot["y"]))
        levels, ys = np.array(heights).T
        if np.ptp(levels) > 0:
            slope, start = np.polyfit(levels, ys, 1)
            assert slope < 0
            np.testing.assert_allclose(slope * levels + start, ys, atol=0.05)


def assert_grain(player, run):
    changes = run.changes
    update = about(run).grain == "update"
    stops = (changes.step[np.diff(changes.pointer) > 0] if update else np.flatnonzero(run.mistake)) + 1
    script = (
        "((times) => { s.go(arg[0]); while (times.length < 9999) { const t = s.t; s.step('mistake', arg[1]);"
        " if (s.t === t) return times; times.push(s.t); } })([])"
    )
    assert player.js(script, [0, 1]) == sorted({*stops, run.n_steps})
    assert player.js(script, [run.n_steps, -1]) == sorted({0, *(stop for stop in stops if stop < run.n_steps)})[::-1]
    player.go(0).press("PageDown", "PageDown").rest()
    assert player.t == stops[1]


# ---- probabilities --------------------------------------------------------------------------------------------------


def sigma(f):
    return 1.0 / (1.0 + np.exp(-np.asarray(f, dtype=float)))


@pytest.mark.parametrize("predictor", ["last", "averaged"])
def test_the_field_of_logistic_regression_is_the_probability(player, predictor):
    made = Settings.of(learner="logistic", n=40, eta=2, noise=0.15, predictor=predictor)
    run = experiment.run(made)
    player.open(f"/?{made.query()}&t={run.n_steps}")
    values = [*np.linspace(-20, 20, 333).tolist(), 0.0]
    chances = player.js("arg.map((f) => s.run.chance(f))", values)
    np.testing.assert_allclose(chances, sigma(values), atol=1e-4)
    script = """(() => { const mark = s.board.panels[0].marks.find((m) => m.kind === "image" && m.w === m.h);
      return [...mark.image.data]; })()"""
    image = np.array(player.js(script)).reshape(96, 96, 4)[::-1, :, :3]
    axes = grid.extent(run.X).axes(tokens.GRID)
    low, zero, high = (np.array(player.js("[1, 3, 5].map((k) => parseInt(s.palette[arg].slice(k, k + 2), 16))", name))
                       for name in ("field_negative", "field_zero", "field_positive"))  # fmt: skip
    share = 2 * sigma(grid.field(run, run.n_steps, *axes, predictor)) - 1
    end = np.where(share[..., None] < 0, low, high)
    np.testing.assert_allclose(image, zero + (end - zero) * np.abs(share)[..., None], atol=1.6)
    texts = [mark["text"] for mark in player.marks("map", kind="text")]
    at = texts.index("P(+1)")
    assert texts[at - 1 : at + 2] == ["0", "P(+1)", "1"]


def test_of_a_vote_no_probability_is_shown(player):
    player.open("/?v=1&learner=logistic&n=30&predictor=voted&t=60")
    texts = [mark["text"] for mark in player.marks("map", kind="text")]
    assert "vote" in texts
    assert "P(+1)" not in texts


def test_the_tooltip_tells_alpha_and_the_probability(player):
    made = Settings.of(learner="logistic", n=40, noise=0.15)
    split = experiment.prepare(made)
    run = experiment.run(made, split)
    t = run.n_steps // 2
    player.open(f"/?{made.query()}&t={t}")
    apart = [i for i in range(40) if np.sort(np.hypot(*(split.X - split.X[i]).T))[1] > 0.15]
    alphas, scores = run.state_at(t).alpha, run.decision_function(run.X, t)
    for i in apart[:4]:
        player.point(*player.js("[s.view.x(s.run.X[2 * arg]), s.view.y(s.run.X[2 * arg + 1])]", i))
        _, alpha, score = player.tip
        mistakes = int(run.mistake[:t][run.index[:t] == i].sum())
        assert alpha == f"α = {explain.number(alphas[i])}  ·  {explain.counted(mistakes, 'mistake')}"
        assert score.startswith(f"f = {explain.number(scores[i])}  ·  margin")
        shown = score.rpartition("P(+1) = ")[2]
        assert float(shown) == pytest.approx(sigma(scores[i]), abs=0.0051)


def test_the_batch_optimum_stands_beside_the_run(player):
    made = Settings.of(learner="logistic", n=40, noise=0.15, **{"lambda": 0.02})
    run = experiment.run(made)
    player.open(f"/?{made.query()}&t=40")
    best = theory.logistic_optimum(run.gram, run.y, 0.02 * len(run.y))
    ticks = {mark["i"]: mark["value"] for mark in optimum_ticks(player)}
    np.testing.assert_allclose([ticks[i] for i in range(40)], run.y * best, rtol=1e-5)
    limit, rect, unit = player.js("[s.run.header.alphaLimit, s.layout.panels.alpha, s.layout.unit]")
    for mark in optimum_ticks(player):
        assert rect["y"] + 18 * unit < mark["y"] < rect["y"] + rect["h"]
        assert mark["value"] <= limit
    (lines,) = player.marks("map", name="optimum")
    points = np.concatenate([np.reshape(_listed(line), (-1, 2)) for line in lines["lines"]])
    assert len(points) > 20
    view, extent = player.js("[s.layout.panels.map, s.run.header.extent]")
    places = np.column_stack([
        extent[0] + (points[:, 0] - view["x"]) / view["w"] * (extent[1] - extent[0]),
        extent[2] + (1 - (points[:, 1] - view["y"]) / view["h"]) * (extent[3] - extent[2]),
    ])  # fmt: skip
    f = run.kernel(places, run.X) @ best
    assert np.abs(f).max() < 0.02 * np.abs(run.gram @ best).max()
    before = player.marks("map", name="optimum")
    assert player.go(run.n_steps).marks("map", name="optimum") == before  # it does not depend on t


def optimum_ticks(player):
    """The ticks, with the example in whose column they are."""
    columns = player.js("[...s.run.trace.support]")
    marks = player.marks("alpha", name="optimum")
    assert len(marks) == len(columns)
    return [{**mark, "i": i} for mark, i in zip(marks, columns, strict=True)]


def _listed(line):
    return list(line.values()) if isinstance(line, dict) else line


def test_no_optimum_is_shown_where_there_is_none(player):
    player.open("/?v=1&learner=logistic&n=30&lambda=0&t=30")
    assert player.marks("map", name="optimum") == []
    assert player.marks("alpha", name="optimum") == []
    player.open("/?v=1&learner=norma&n=30&t=30")
    assert player.marks("map", name="optimum") == []


def test_the_step_of_logistic_regression_lies_on_its_curve(player):
    made = Settings.of(learner="logistic", n=40, eta=2, noise=0.2)
    run = experiment.run(made)
    player.open(f"/?{made.query()}")
    margins = run.y[run.index] * run.score
    for t in (1, 2, 17, 60, int(margins.argmin()) + 1, run.n_steps):
        player.go(t)
        (dot,) = player.marks("own", name="now")
        added = 2 * sigma(-margins[t - 1])
        assert (dot["margin"], dot["value"]) == pytest.approx((margins[t - 1], added), rel=1e-5)
        assert run.details["added"][t - 1] == pytest.approx(added)
        assert dot["i"] == run.index[t - 1]
        curve = max(player.marks("own", kind="line"), key=lambda mark: len(mark["points"]))["points"]
        assert np.interp(dot["x"], curve[::2], curve[1::2]) == pytest.approx(dot["y"], abs=0.5)
    whole = (curve[1] - curve[-1]) / (2 * sigma(curve_end(run)) - 1)  # from 0 to η
    (steps,) = [mark["points"] for mark in player.marks("own", kind="line") if mark.get("dash")]
    assert steps[1] - steps[7] == pytest.approx(whole)  # the perceptron's step is all or nothing,
    zero = steps[4]  # and falls where the margin is 0
    assert np.interp(zero, curve[::2], curve[1::2]) == pytest.approx((steps[1] + steps[7]) / 2, abs=0.5)


def curve_end(run):
    """The largest margin on the axis: that of the run, from 3 to 6."""
    return float(np.clip(np.abs(run.score).max(), 3, 6))


def test_bars_show_f_itself_whatever_the_predictor(player):
    made = Settings.of(learner="norma", n=30, predictor="averaged")
    run = experiment.run(made)
    player.open(f"/?{made.query()}&t=200")
    wanted = run.y * predictors.coefficients(run, [200])[0][0]
    alphas = player.js("Array.from({ length: s.run.n }, (_, i) => s.run.alphaOf(i, 200))")
    np.testing.assert_allclose(alphas, wanted, atol=1e-6)
