"""The three readings and the primal form in pictures: numbers as slow loops find them, and all in its place."""

from functools import cache

import numpy as np
import pytest
import runs
from artists import panel
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex
from test_reel import assert_same, still
from tidy import assert_tidy, texts

from kpviz import experiment, explain, tokens
from kpviz.engine import predictors, primal, votes
from kpviz.engine.readings import Readings
from kpviz.settings import Settings
from kpviz.slips import SLIPS
from kpviz.ui import picture
from kpviz.views import board, boundaries, look, page, storyboard
from kpviz.views.board import Look
from kpviz.views.primal import NOTHING_YET, RACE, Primal
from kpviz.views.reel import Reel
from kpviz.views.votes import NONE_YET, Votes, longest, told

KINDS = ("last", "averaged", "voted")
BOTH = ("readings", "primal")
CASES = {
    "noisy": {"noise": 0.2, "held": 0.3, "epochs": 5, "n": 40},
    "linear": {"data": "linear", "kernel": "linear", "noise": 0.1, "n": 40, "epochs": 4},
    "intercept": {"data": "shifted", "kernel": "linear", "intercept": "unit", "eta": 0.5, "n": 30, "epochs": 4},
    "many features": {"kernel": "polynomial", "degree": 5, "n": 30, "epochs": 3},
    "lost": {"data": "circles", "sigma": 2.0},
    "forgetful": {"learner": "forgetron", "n": 30, "epochs": 3},
}
SIZES = [(12.8, 7.2), (10.8, 10.8), (10.8, 19.2)]


@cache
def made(name):
    settings = Settings.of(**CASES[name])
    split = experiment.prepare(settings)
    return experiment.run(settings, split), look.options(settings, split)


def drawn(run, t, name, **how):
    """The axes of one panel alone, all put in its place."""
    figure = board.panel(run, t, name, **how)
    texts(figure)
    return panel(figure, name)


def told_by(ax, gid):
    return [text.get_text() for text in ax.texts if text.get_gid() == gid]


def readings_by_hand(run, Z):
    """f, its mean and the votes at Z after each presentation, in a slow loop over the mistakes."""
    f, total, ballots, found = np.zeros(len(Z)), np.zeros(len(Z)), np.zeros(len(Z)), []
    for i, mistake in zip(run.index.tolist(), run.mistake.tolist(), strict=True):
        if mistake:
            f = f + run.y[i] * run.kernel(Z, run.X[[i]])[:, 0]
        total, ballots = total + f, ballots + np.where(f >= 0, 1, -1)
        found.append((f, total / (len(found) + 1), np.where(ballots >= 0, 1.0, -1.0)))
    return found


def test_the_table_has_the_errors_of_each_reading_at_any_instant():
    run, how = made("noisy")
    Z, y = np.concatenate([run.X, how["X_test"]]), np.concatenate([run.y, how["y_test"]])
    by_hand, kept, n = readings_by_hand(run, Z), Look(**how).on(run), len(run.y)
    for t in (run.n_steps, 1, 17, 60, 2):  # forwards and backwards, with one look
        (display,) = [
            one
            for place, one in board.describe(run, t, Look(**vars(kept) | {"alone": "readings"})).items()
            if place == "readings"
        ]
        wrong = [(y * says <= 0) for says in by_hand[t - 1]]
        assert display.cells == [[f"{part[:n].sum()} of {n}", f"{part[n:].sum()} of {len(y) - n}"] for part in wrong], t
    ax = drawn(run, 0, "readings", **how)
    assert told_by(ax, "errors") == ["–"] * 6
    assert told_by(ax, "votes") == [NONE_YET]
    assert told_by(ax, "kind") == list(KINDS)


def test_the_curves_are_the_errors_at_the_ends_of_epochs_on_one_scale():
    run, how = made("noisy")
    ax = drawn(run, 50, "readings", **how)
    ends = [*run.epoch_start[1:].tolist(), run.n_steps]
    down, share = [], []
    for gid, X, y in (("training", run.X, run.y), ("held out", how["X_test"], how["y_test"])):
        curves = [line for line in ax.lines if line.get_gid() == gid]
        assert [to_hex(line.get_color()) for line in curves] == [
            tokens.THEMES["light"][boundaries.COLOURS[kind]] for kind in KINDS
        ]
        for kind, line in zip(KINDS, curves, strict=True):
            assert np.ptp(np.diff(line.get_xdata()) / np.diff(ends)) < 1e-9
            down += line.get_ydata().tolist()
            share += predictors.errors_per_epoch(run, X, y, kind).tolist()
            assert (line.get_linestyle() == "-") == (gid == "training")
    slope, _ = np.polyfit(share, down, 1)
    assert slope < 0
    np.testing.assert_allclose(down, np.polyval(np.polyfit(share, down, 1), share), atol=1e-6)
    assert told_by(ax, "top")[0].endswith(f"top {round(100 * max(share))} %; held out dashed")


def test_each_presentation_gives_one_vote_and_the_strip_shows_how_many_each_hypothesis_got():
    run, _ = made("noisy")
    for t in (0, 1, 2, 33, run.n_steps):
        counts = [0]
        for mistake in run.mistake[:t]:
            counts = [*counts, 1] if mistake else [*counts[:-1], counts[-1] + 1]
        assert votes.survivals(run, t).tolist() == counts
        strip = Votes.of(run, t)
        assert strip.starts[strip.now] <= t
        if t:
            k = int(np.argmax(counts))
            assert told(run, t).startswith(f"Σ cₖ = {explain.counted(t, 'vote')}, one for each presentation; ")
            assert told(run, t).endswith(f"{explain.example(k + 1).replace('x', 'v')} most: {max(counts)}.")
            assert len(told(run, t)) <= len(longest(run))
    figure = board.figure(run, 33, dpi=50, panels=("readings",))
    ax, line = panel(figure, "votes"), panel(figure, "timeline")
    ahead, behind, current = (bars.get_paths()[0].vertices.reshape(-1, 5, 2) for bars in ax.collections)
    counts = np.array(votes.survivals(run, run.n_steps))
    many = counts[counts > 3]
    tall = ahead[:, 2, 1][counts[counts > 0] > 3]
    np.testing.assert_allclose(tall / many, tall[0] / many[0])
    assert len(behind) + len(current) == int((votes.survivals(run, 33) > 0).sum())
    assert (ax.bbox.x0, ax.bbox.x1, ax.get_xlim()) == (line.bbox.x0, line.bbox.x1, line.get_xlim())
    assert ax.bbox.y1 < line.bbox.y0
    assert "votes" not in board.Look(panels=("alpha",)).page(run).boxes


def test_three_boundaries_run_where_each_reading_changes_its_sign():
    run, how = made("noisy")
    for chosen in ("last", "voted"):
        figure = board.figure(run, 61, dpi=50, **how | {"panels": ("readings",), "predictor": chosen})
        ax = panel(figure, "map")
        looks = set()
        for kind in KINDS:
            (line,) = [drawn for drawn in ax.collections if drawn.get_gid() == kind]
            places = np.concatenate(line.get_segments())
            assert len(places) > 40
            signs = [np.sign(run.decision_function(places + 0.03 * np.array(away), 61, kind)) for away in np.eye(2)]
            signs += [np.sign(run.decision_function(places - 0.03 * np.array(away), 61, kind)) for away in np.eye(2)]
            changes = (np.min(signs, axis=0) <= 0) & (np.max(signs, axis=0) >= 0)
            assert changes.mean() > 0.97, kind
            looks.add((to_hex(line.get_color()[0]), str(line.get_linestyle()), line.get_linewidth()[0]))
        assert len(looks) == 3
        assert told_by(ax, "legend") == list(KINDS)


def test_w_is_the_sum_over_mistakes_and_the_arrow_and_the_bars_show_it():
    run, how = made("intercept")
    tips = []
    for t in range(run.n_steps + 1):
        w = sum((run.unit * run.y[i] * run.X[i] for i in run.index[:t][run.mistake[:t]]), np.zeros(2))
        marks = board.plane(run, t, Look(**how | {"panels": ("primal",)}))
        arrow = marks["map/arrow"]
        tips.append(arrow.tip)
        assert (arrow.before is not None) == (t > 0 and run.mistake[t - 1])
        if arrow.before is not None:
            np.testing.assert_allclose(arrow.before, tips[-2])
        scale = 0.4 * (how["shown"].high_1 - how["shown"].low_1)
        reach = max(np.linalg.norm(run.state_at(step).coef @ run.X) for step in range(run.n_steps + 1))
        np.testing.assert_allclose(arrow.tip - arrow.start, w * scale / reach, atol=1e-9)
    ax = drawn(run, t, "primal", **how)
    (bars,) = [drawn for drawn in ax.collections if drawn.get_gid() == "weights"]
    lengths = np.array([path.vertices[1, 0] - path.vertices[0, 0] for path in bars.get_paths()])
    np.testing.assert_allclose(lengths * w[0], lengths[0] * w, atol=1e-9)
    assert isinstance(bars, PolyCollection)
    assert told_by(ax, "value") == [explain.number(float(entry)) for entry in w]
    b = run.state_at(t).intercept
    assert f"b = {'' if b < 0 else '+'}{explain.number(b)}" in " ".join(told_by(ax, "heading"))


def test_both_scores_and_both_costs_are_those_of_the_textbook():
    run, how = made("many features")
    t = int(np.flatnonzero(run.mistake)[-1]) + 1
    i, support = int(run.index[t - 1]), sorted({int(run.index[s]) for s in range(t) if run.mistake[s]})
    f = sum(
        run.y[run.index[s]] * run.kernel(run.X[[run.index[s]]], run.X[[i]])[0, 0]
        for s in np.flatnonzero(run.mistake[: t - 1])
    )
    ax = drawn(run, t, "primal", **how)
    x = explain.example(i)
    assert told_by(ax, "primal")[0] == f"⟨w, φ({x})⟩ = {explain.number(f)} from w before this step"
    assert told_by(ax, "dual")[0] == f"Σ αⱼ yⱼ k(xⱼ, {x}) = {explain.number(f)} from the kernel"
    assert told_by(ax, "verdict") == [f"Same verdict: a mistake; so at all {t} steps so far."]
    assert told_by(ax, "dual")[1] == f"{3 * len(support)}"  # a weight and two coordinates each
    assert told_by(ax, "primal")[1] == f"{primal.dimension(run.kernel, 2)}"
    assert told_by(ax, "even")[0].endswith(f"now {len(support)}.")
    names = primal.read(run).names
    assert [names.index(name) for name in told_by(ax, "feature")] == sorted(
        names.index(name) for name in told_by(ax, "feature")
    )
    assert len(told_by(ax, "feature")) == primal.SHOWN < len(names)
    assert told_by(drawn(run, 0, "primal", **how), "value") == ["0"] * primal.SHOWN
    assert NOTHING_YET in [text.get_text() for text in drawn(run, 0, "primal", **how).texts]


@pytest.mark.parametrize("name", ["noisy", "forgetful"])
def test_where_there_is_no_primal_form_it_is_said_why_and_what_it_would_cost(name):
    run, how = made(name)
    ax = drawn(run, 20, "primal", **how)
    why = " ".join(told_by(ax, "why"))
    assert why == Primal.of(run, 20).told.why
    assert ("no finite feature map" in why) == (name == "noisy")
    assert "308,505" in told_by(ax, "growth")
    assert len(told_by(ax, "growth")) == 24
    assert " ".join(told_by(ax, "slip")) == SLIPS["cost"].note
    assert RACE not in [text.get_text() for text in ax.texts]
    assert "map/arrow" not in board.plane(run, 20, Look(**how | {"panels": ("primal",)}))


def test_where_rounding_parts_the_verdicts_it_is_said_and_why():
    settings = Settings.of(kernel="monomial", degree=2, n=4, noise=0)
    run = experiment.run(settings)
    parting = primal.read(run).first_parting
    words = " ".join(told_by(drawn(run, parting + 1, "primal"), "verdict"))
    assert words.startswith("The verdicts part here.")
    assert words.endswith(primal.read(run).why)


def test_a_separation_that_averaging_lost_is_told():
    run, how = made("lost")
    readings = Readings(run)
    wrong = readings.wrong(run.n_steps)[:, 0]
    assert wrong[0] == 0 < wrong[1]
    note = " ".join(told_by(drawn(run, 9, "readings", **how), "note"))
    assert note.startswith("Averaging lost the separation: at the end f makes no error on the training set, its mean ")
    assert note.endswith(f"its mean makes {wrong[1]} and the vote {wrong[2]}.")


def test_a_stream_has_no_readings_and_the_dialog_does_not_offer_them():
    settings = Settings.of(stream="on", n=60)
    split = experiment.prepare(settings)
    run, how = experiment.run(settings, split), look.options(settings, split)
    assert "readings" not in Look(**how | {"panels": BOTH}).on(run).page(run).shown
    assert "readings" not in picture._panels(settings, run)
    assert {*BOTH} <= {*picture._panels(Settings.of(), runs.run("default"))}
    with pytest.raises(ValueError, match="stream"):
        board.panel(run, 5, "readings", **how)


@pytest.mark.parametrize("size", SIZES)
def test_with_these_panels_a_page_is_tidy_and_each_stays_in_its_place(size):
    for name, t, theme in (("noisy", 61, "light"), ("intercept", 40, "dark"), ("many features", 0, "print")):
        run, how = made(name)
        panels = (*page.PANELS, *BOTH) if name == "noisy" else BOTH
        figure = board.figure(run, t, size=size, theme=theme, **how | {"panels": panels})
        assert_tidy(figure)
        for label in (*BOTH, "votes"):
            assert_inside(panel(figure, label))


@pytest.mark.parametrize("label", BOTH)
def test_alone_a_panel_fills_its_page_and_stays_on_it(label):
    for name in CASES:
        run, how = made(name)
        for t, size in ((0, (12.8, 7.2)), (run.n_steps, (9.0, 9.0)), (run.n_steps, None)):
            figure = board.panel(run, t, label, size=size, **how)
            assert_tidy(figure)
            assert_inside(panel(figure, label))


def assert_inside(ax):
    """All words of a panel but for its title are on it, and all lines."""
    heads = {ax.get_title(loc="left")} | {
        text.get_text() for text in ax.texts if text.get_gid() is None and text.get_transform() != ax.transData
    }
    for text in ax.texts:
        box = text.get_window_extent()
        assert text.get_text() in heads or (ax.bbox.x0 <= box.x0 and box.x1 <= ax.bbox.x1), text.get_text()
        assert text.get_text() in heads or (ax.bbox.y0 <= box.y0 and box.y1 <= ax.bbox.y1), text.get_text()
    low, high = sorted(ax.get_ylim())
    for line in ax.lines:
        assert low - 1 <= np.min(line.get_ydata()) <= np.max(line.get_ydata()) <= high + 1


def test_a_frame_of_a_film_is_the_still_picture_of_its_instant():
    for name, theme, predictor in (("noisy", "light", "voted"), ("intercept", "dark", "last")):
        run, how = made(name)
        how = how | {"panels": BOTH, "theme": theme, "predictor": predictor}
        reel = Reel(run, Look(**how), 640, 360)
        for t in (run.n_steps, 0, int(np.flatnonzero(run.mistake)[3]) + 1):
            assert_same(reel.frame(t), still(run, t, (640, 360), **how), (name, t))


def test_a_film_works_the_errors_of_epochs_out_once(monkeypatch):
    run, _ = made("noisy")
    asked, count = [], predictors.errors_per_epoch
    monkeypatch.setattr(
        predictors, "errors_per_epoch", lambda run, X, *rest: asked.append(len(X)) or count(run, X, *rest)
    )
    reel = Reel(run, Look(panels=("readings",)), 320, 180)
    for t in (1, 2, 3):
        reel.frame(t)
    assert len(asked) == len(KINDS)


def test_a_storyboard_shows_the_same_boundaries():
    run, how = made("linear")
    figure = storyboard.figure(run, [0, 20, 60], dpi=50, **how | {"panels": BOTH})
    maps = [ax for ax in figure.axes if any(drawn.get_gid() in KINDS for drawn in ax.collections)]
    assert len(maps) == 2  # at the start f = 0
