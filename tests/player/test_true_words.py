"""Words on the stage that hold for the instant, the count or the direction that they stand beside."""

import json
import re

import numpy as np
import pytest

from kpviz import experiment
from kpviz.engine.fisher import discriminant
from kpviz.player import modules
from kpviz.settings import Settings


def run_of(settings):
    split = experiment.prepare(settings)
    return split, experiment.run(settings, split)


@pytest.mark.parametrize("t", [0, 40, 10_000])
def test_the_errors_on_the_timeline_are_said_to_be_those_of_the_end_and_nothing_covers_them(player, t):
    player.open("/?data=spirals&held=0.3&noise=0.15&n=60&epochs=4").go(min(t, player.js("s.run.nSteps")))
    (label,) = [mark for mark in player.marks("timeline", kind="text") if "error" in mark["text"]]
    assert label["text"].startswith("at the end: held-out error ")
    (cursor,) = player.marks("timeline", name="cursor")
    assert cursor["y"] > label["y"]


def test_what_is_remembered_tells_f_as_it_is_now(player):
    _, run = run_of(Settings.of())
    t = int(np.flatnonzero(run.mistake)[3]) + 1
    player.open("/?show=remembered.code").go(t)
    assert player.words("remembered", "sum").endswith(" now")
    i = run.index[t - 1]
    assert f"y f was {run.y[i] * run.score[t - 1]:.2f}".replace("-", "−") in player.words("code")
    assert f"α is {run.state_at(t).alpha[i]:.0f}" in player.words("code")
    assert ".00" not in player.words("code")


def test_one_mistake_has_one_step(player):
    _, run = run_of(Settings.of())
    once = next(i for i in run.index[run.mistake] if (run.index[run.mistake] == i).sum() == 1)
    player.open("/").go(run.n_steps)
    player.point(*player.js("[s.view.x(s.run.X[2 * arg]), s.view.y(s.run.X[2 * arg + 1])]", int(once)))
    step = int(np.flatnonzero(run.mistake & (run.index == once))[0]) + 1
    assert player.tip[1] == f"α = 1  (mistake at step {step})"


# ---- Fisher's J -------------------------------------------------------------------------------------------------


def of_fisher(engine, call, *args):
    """What a function of the module with Fisher's numbers returns, or of the table that it imports."""
    script = modules.script("fisher/numbers.js")
    given = ", ".join(map(json.dumps, args))
    return engine.value(f"(() => {{ {script}\nreturn $fisher_{call}({given}); }})()")


@pytest.mark.parametrize(("J", "best"), [(2.571, 2.574), (0.93001, 0.93002), (1.0, 2.0), (1.5, 1.5)])
def test_a_j_that_is_not_the_best_is_not_written_as_it(engine, J, best):
    texts = of_fisher(engine, "table.apart", J, best)
    assert (texts[0] == texts[1]) == (best == J)
    assert [float(text) for text in texts] == pytest.approx([J, best], abs=0.005)


def test_j_without_the_sizes_follows_by_hand_and_j_from_it(engine):
    rng = np.random.default_rng(3)
    X, labels = rng.normal(size=(30, 2)) + [[1.5, 0.0]] * 30, np.arange(30) % 3 // 2
    X[labels == 1] += 1.0
    scatter, F = discriminant.scatter(X, labels), np.array([0.6, 0.8])
    means, (counts, (_, within)) = scatter.means @ F, (scatter.counts, discriminant.parts(scatter, F))
    scene = {"table": {"counts": counts.tolist()}, "reading": {"means": means.tolist(), "within": float(within)}}
    words = of_fisher(engine, "numbers.withoutSizes", scene)
    gap, spread, J, n0, n1, n = map(
        float, re.search(r"= ([\d.]+)/([\d.]+) = ([\d.]+), .* = (\d+)·(\d+)/(\d+) times", words).groups()
    )
    assert float(f"{gap / spread:.1e}") == J
    assert n0 * n1 / n * J == pytest.approx(float(discriminant.criterion(scatter, F)), rel=0.06)
    alone = (means[1] - means[0]) ** 2 / sum(((X[labels == k] @ F - means[k]) ** 2).sum() for k in (0, 1))
    assert pytest.approx(alone, rel=0.06) == J
