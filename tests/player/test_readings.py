"""Last, averaged and voted together: three boundaries, three errors, and a vote for each presentation."""

import re

import numpy as np
import pytest
from test_assets import contrast

from kpviz import experiment, tokens
from kpviz.engine.run import grid, predictors
from kpviz.settings import Settings

KINDS = ("last", "averaged", "voted")
NOISY = {"noise": 0.2, "held": 0.3, "epochs": 8}


def opened(player, more="", **given):
    settings = Settings.of(**given)
    player.open(f"/?{settings.query()}&show=alpha.readings{more}")
    player.until("s.run.header.extras.readings").rest()
    split = experiment.prepare(settings)
    return split, experiment.run(settings, split)


def scores(split, run, t, kind):
    Z = np.concatenate([split.X, split.X_test])
    values = run.decision_function(Z, t, kind)
    return np.where(values >= 0, 1.0, -1.0) if kind == "voted" else values


@pytest.mark.parametrize("predictor", KINDS)
def test_the_errors_of_all_three_are_pythons_at_every_instant(player, predictor):
    split, run = opened(player, predictor=predictor, **NOISY)
    y = np.concatenate([split.y, split.y_test])
    n = len(split.y)
    for t in (1, 2, 13, 42, 100, 200, run.n_steps):
        player.go(t)
        for kind in KINDS:
            values = y * scores(split, run, t, kind)
            assert np.abs(values).min() > 1e-5  # else its sign is anyone's
            for of, sign in (("train", values[:n]), ("test", values[n:])):
                (mark,) = player.marks("readings", name="errors", predictor=kind, set=of)
                assert mark["text"] == f"{(sign <= 0).sum()} of {len(sign)}", (t, kind, of)
    player.go(0)
    assert {mark["text"] for mark in player.marks("readings", name="errors")} == {"–"}


def test_the_curves_are_the_errors_at_each_epochs_end(player):
    split, run = opened(player, **NOISY)
    for kind in KINDS:
        for of, X, y in (("train", split.X, split.y), ("test", split.X_test, split.y_test)):
            (curve,) = player.marks("readings", name="curve", predictor=kind, set=of)
            expected = predictors.errors_per_epoch(run, X, y, kind)
            assert curve["values"] == pytest.approx(expected)
            xs, ys = curve["points"][::2], np.array(curve["points"][1::2])
            ends = [*run.epoch_start[1:].tolist(), run.n_steps]
            assert np.polyfit(ends, xs, 1, full=True)[1] == pytest.approx(0, abs=1e-6)  # they lie on one line
            assert (np.sign(np.diff(ys)) == -np.sign(np.diff(expected).round(6))).all()
            assert ("dash" in curve) == (of == "test")
    player.go(int(run.epoch_start[3]))
    cursor = player.marks("readings", name="cursor")[0]
    assert cursor["x"] + 1 == pytest.approx(curve["points"][4])


@pytest.mark.parametrize("predictor", KINDS)
def test_each_boundary_runs_where_its_own_field_changes_sign(player, predictor):
    split, run = opened(player, predictor=predictor, **NOISY)
    shown = grid.extent(np.concatenate([split.X, split.X_test]))
    axes = shown.axes(96)
    rect = player.js("s.layout.panels.map")
    player.go(60)
    looks = set()
    for kind in KINDS:
        (mark,) = player.marks("map", kind="lines", predictor=kind)
        assert mark["name"] == ("boundary" if kind == predictor else "other")
        looks.add((mark["stroke"], str(mark.get("dash"))))
        field = grid.field(run, 60, *axes, kind)
        points = np.concatenate([np.reshape(line, (-1, 2)) for line in mark["lines"]])
        column = (points[:, 0] - rect["x"]) / rect["w"] * 95
        row = (rect["y"] + rect["h"] - points[:, 1]) / rect["h"] * 95
        tight = 1e-3  # float32
        nodes = np.stack(
            [
                field[r(row + e), c(column + f)]
                for r, e in ((floor, -tight), (ceil, tight))
                for c, f in ((floor, -tight), (ceil, tight))
            ]
        )
        assert len(points) > 50
        assert ((nodes.min(axis=0) <= 1e-9) & (nodes.max(axis=0) >= -1e-9)).mean() > 0.99, kind
    assert len(looks) == 3
    assert [mark["text"] for mark in player.marks("map", name="legend")] == list(KINDS)


@pytest.mark.parametrize("theme", tokens.SCREENS)
def test_each_boundary_is_seen_on_the_map_of_each_theme(player, theme):
    player.open("/?v=1&t=30&noise=0.2&show=readings")
    palette = "new (load('model/colors.js').Palette)(s.run.header.tokens, arg)"
    player.js(f"(s.player.palette = {palette}, s.arrange(), 0)", theme == "dark")
    strokes = {mark["stroke"] for mark in player.marks("map") if mark.get("name") in ("boundary", "other")}
    assert len(strokes) == 3
    ground = tokens.THEMES[theme]["field_zero"]
    assert min(contrast(stroke, ground) for stroke in strokes) >= 3


def floor(values):
    return np.clip(np.floor(values).astype(int), 0, 95)


def ceil(values):
    return np.clip(np.ceil(values).astype(int), 0, 95)


def hypotheses(run, t):
    """How many presentations each hypothesis was in force after, as Freund and Schapire count."""
    counts = [0]
    for mistake in run.mistake[:t]:
        if mistake:
            counts.append(1)
        else:
            counts[-1] += 1
    return counts


def test_every_presentation_gives_one_vote_and_the_panel_says_so(player):
    _, run = opened(player, noise=0.15)
    for t in (0, 1, 2, 17, 60, 99, run.n_steps):
        player.go(t)
        counts = hypotheses(run, t)
        assert sum(counts) == t
        current = player.marks("votes", name="current")
        behind = [mark for mark in player.marks("votes", name="behind") if mark["hypothesis"] < len(counts)]
        shown = {mark["hypothesis"]: mark["votes"] for mark in (*behind, *current)}
        assert shown == {k + 1: count for k, count in enumerate(counts) if count}
        words = player.words("readings", "votes")
        if t:
            counted = re.match(r"([\d,]+) votes?, one for .* was in force longest: ([\d,]+)\.$", words)
            assert [int(part.replace(",", "")) for part in counted.groups()] == [t, max(counts)]
            voted = sum(count > 0 for count in counts)  # v₁ = 0 has none, as the first example is a mistake
            assert f"by {voted} of {len(counts)} versions of f; v" in words
    assert sum(mark["votes"] for mark in player.marks("votes", name="ahead")) == run.n_steps


def test_bars_are_as_wide_and_as_high_as_their_votes_and_darker_up_to_the_cursor(player):
    _, run = opened(player, n=40, noise=0.15)
    player.go(50)
    bars = [bar for bar in player.marks("votes", name="ahead") if bar["votes"] > 3]
    assert np.ptp([bar["h"] / bar["votes"] for bar in bars]) < 1e-6
    assert np.ptp([(bar["w"] + 1) / bar["votes"] for bar in bars]) < 1e-3
    (current,) = player.marks("votes", name="current")
    (cursor,) = player.marks("votes", name="cursor")
    assert current["x"] + current["w"] == pytest.approx(cursor["x"] + 1.5, abs=1.1)
    assert cursor["x"] == pytest.approx(player.marks("timeline", name="cursor")[0]["x"])
    dark = player.js("s.board.panels.find((p) => p.name === 'votes').still[1].upTo")
    assert dark == pytest.approx(current["x"])
    last = int(np.flatnonzero(run.mistake[:50])[-1])
    player.point(current["x"] + 1, current["y"] + current["h"] - 1)
    assert player.js("s.touch.time") == last + 1
    assert f"of {run.n_steps} votes" in player.tip[0]
    player.click(current["x"] + 1, current["y"] + current["h"] - 1)
    assert player.t == last + 1


def test_the_coming_votes_are_hidden_while_one_predicts(player):
    _, run = opened(player, noise=0.15)
    player.go(30).press("q").rest()
    assert player.marks("votes", name="ahead") == []
    assert sum(hypotheses(run, 30)) == 30
    rect = player.js("s.layout.panels.votes")
    player.point(rect["x"] + rect["w"] - 12, rect["y"] + rect["h"] - 2)
    assert "cₖ" not in player.tip[0]


def test_a_lost_separation_is_told(player):
    opened(player, data="circles", sigma=2)
    assert player.words("readings", "note").startswith("Averaging lost the separation")


def test_a_stream_has_no_training_errors_to_show(player):
    player.open("/?v=1&stream=on&show=alpha.readings").rest()
    assert player.js("!('readings' in s.layout.panels) && !('votes' in s.layout.panels)")


@pytest.mark.parametrize("held", ["", "&held=0.3"])
@pytest.mark.parametrize("size", [(1342, 714), (1896, 1026)], ids=str)
def test_the_top_of_the_curves_stands_at_the_top_and_below_them_what_they_are(player, held, size):
    link = f"/?v=1&data=moons&noise=0.2&t=40&show=alpha.readings{held}"
    player.open(link, size={"width": size[0], "height": size[1]})
    highest = max(max(mark["values"]) for mark in player.marks("readings", name="curve"))
    (top,) = player.marks("readings", name="top")
    (ground,) = player.marks("readings", kind="rect", fill=player.js("s.palette.panel"))
    assert top["text"] == f"{100 * highest:.0f}%"
    assert ground["y"] < top["y"] < ground["y"] + 2 * top["size"]
    words = player.words("readings")
    assert ("errors at each epoch’s end, held-out dashed" if held else "training errors at each epoch’s end") in words


def test_an_error_beyond_the_scale_is_an_arrow_at_its_top(player):
    player.open("/?v=1&held=0.3&epochs=6&show=readings")
    beyond = within = 0
    for t in (1, 2, 3, 4, 6, 10, 30, 60, 150, 250):
        player.go(t)
        highest = max(0.05, *(max(mark["values"]) for mark in player.marks("readings", name="curve")))
        for mark in player.marks("readings", name="now"):
            errors = player.js(
                "load('model/run.js').errors(s.run, arg[0], s.scenes().map.readings[arg[0]])",
                [mark["predictor"]],
            )
            of = player.js("s.run.n") if mark["set"] == "train" else player.js("s.run.nTest")
            above = errors[mark["set"]] / of > highest
            assert (mark["kind"] == "line") is above
            assert bool(mark.get("beyond")) is above
            beyond, within = beyond + above, within + (not above)
            if above:
                ys = mark["points"][1::2]
                assert ys[0] == min(ys)
    assert beyond
    assert within
