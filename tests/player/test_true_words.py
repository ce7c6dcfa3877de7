"""Words on the stage that hold for the instant, the count or the direction that they stand beside."""

import json
import re

import numpy as np
import pytest

from kpviz import experiment
from kpviz.engine.fisher import discriminant
from kpviz.engine.learners import LEARNERS
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


def test_one_mistake_has_one_step(player):
    _, run = run_of(Settings.of())
    once = next(i for i in run.index[run.mistake] if (run.index[run.mistake] == i).sum() == 1)
    player.open("/").go(run.n_steps)
    player.point(*player.js("[s.view.x(s.run.X[2 * arg]), s.view.y(s.run.X[2 * arg + 1])]", int(once)))
    step = int(np.flatnonzero(run.mistake & (run.index == once))[0]) + 1
    assert player.tip[1] == f"α = 1  (mistake at step {step})"


@pytest.mark.parametrize("eta", [0.1, 0.5, 2])
def test_the_bricks_of_another_learning_rate_are_not_called_alpha(player, eta):
    _, run = run_of(Settings.of(eta=eta))
    player.open(f"/?eta={eta}&show=alpha.gram").go(run.n_steps)
    (title,) = [mark["text"] for mark in player.marks("alpha", name="title")]
    assert title == f"α = {eta} × mistakes"
    bricks = [mark["i"] for mark in player.marks("alpha", kind="rect") if "i" in mark]
    counts = np.bincount(bricks, minlength=len(run.y))
    assert counts.tolist() == np.bincount(run.index[run.mistake], minlength=len(run.y)).tolist()
    alphas = run.state_at(run.n_steps).alpha
    np.testing.assert_allclose(alphas, eta * counts)
    base = max(mark["y"] + mark["h"] for mark in player.marks("alpha", kind="rect") if "i" in mark) + 0.5
    top = min((mark["y"] - 0.5, -alphas[mark["i"]]) for mark in player.marks("alpha", kind="rect") if "i" in mark)
    lines = [mark["y"] + 0.5 for mark in player.marks("alpha", kind="rect") if mark.get("alpha") == 0.6]
    for line, axis in zip(lines, player.marks("alpha", name="axis"), strict=True):
        assert (base - line) / (base - top[0]) == pytest.approx(float(axis["text"]) / -top[1])
    (scale,) = [mark["text"] for mark in player.marks("gram", kind="text") if mark["text"].startswith("α")]
    assert scale == "α, up to " + {0.1: "0.40", 0.5: "2", 2: "8"}[eta]


@pytest.mark.parametrize("eta", [1, 0.3, 0.137])
def test_a_number_beside_many_bricks_is_that_of_its_line(player, eta):
    _, run = run_of(Settings.of(n=8, kernel="linear", epochs=1000, eta=eta))
    player.open(f"/?n=8&kernel=linear&epochs=1000&eta={eta}").go(run.n_steps)
    alphas = run.state_at(run.n_steps).alpha
    bars = [mark for mark in player.marks("alpha", kind="rect") if "value" in mark]
    lines = [mark["y"] + 0.5 for mark in player.marks("alpha", kind="rect") if mark.get("alpha") == 0.6]
    for line, axis in zip(lines, player.marks("alpha", name="axis"), strict=True):
        for bar in bars:
            meant = (bar["y"] + bar["h"] - line) / bar["h"] * alphas[bar["i"]]
            assert float(axis["text"].replace(",", "")) == pytest.approx(meant, rel=0.005)


@pytest.mark.parametrize(
    "given", [{}, *({"learner": name} for name in LEARNERS), {"learner": "norma", "eta": 1}], ids=str
)
def test_the_title_of_alpha_says_what_its_bars_are(player, given):
    settings = Settings.of(**given)
    _, run = run_of(settings)
    player.open(f"/?{settings.query()}&show=alpha").go(run.n_steps)
    title = player.marks("alpha", name="title")[0]["text"]
    counts = np.bincount(run.index[run.mistake], minlength=len(run.y))
    assert title in ("α: mistakes on each example", "α: weight of each example")
    if title == "α: mistakes on each example":
        assert run.state_at(run.n_steps).alpha.tolist() == counts.tolist()
    bars = {mark["i"]: mark["value"] for mark in player.marks("alpha", kind="rect") if "value" in mark and "i" in mark}
    for i, value in bars.items():
        assert value == pytest.approx(run.state_at(run.n_steps).alpha[i], rel=1e-5)


# ---- Fisher's J -------------------------------------------------------------------------------------------------


def of_fisher(engine, call, *args):
    """What a function of the panel with Fisher's numbers returns, or of what it imports."""
    script = modules.script("panels/scatter.js")
    given = ", ".join(map(json.dumps, args))
    return engine.value(f"(() => {{ {script}\nreturn ${call}({given}); }})()")


@pytest.mark.parametrize(("J", "best"), [(2.571, 2.574), (0.93001, 0.93002), (1.0, 2.0), (1.5, 1.5)])
def test_a_j_that_is_not_the_best_is_not_written_as_it(engine, J, best):
    texts = of_fisher(engine, "model_discriminant.apart", J, best)
    assert (texts[0] == texts[1]) == (best == J)
    assert [float(text) for text in texts] == pytest.approx([J, best], abs=0.005)


def test_j_without_the_sizes_follows_by_hand_and_j_from_it(engine):
    rng = np.random.default_rng(3)
    X, labels = rng.normal(size=(30, 2)) + [[1.5, 0.0]] * 30, np.arange(30) % 3 // 2
    X[labels == 1] += 1.0
    scatter, F = discriminant.scatter(X, labels), np.array([0.6, 0.8])
    means, (counts, (_, within)) = scatter.means @ F, (scatter.counts, discriminant.parts(scatter, F))
    reading = {"means": means.tolist(), "within": float(within)}
    words = of_fisher(engine, "panels_scatter.withoutSizes", {"counts": counts.tolist()}, reading)
    gap, spread, J, n0, n1, n = map(
        float, re.search(r"= ([\d.]+)/([\d.]+) = ([\d.]+), .* = (\d+)·(\d+)/(\d+) times", words).groups()
    )
    assert float(f"{gap / spread:.1e}") == J
    assert n0 * n1 / n * J == pytest.approx(float(discriminant.criterion(scatter, F)), rel=0.06)
    alone = (means[1] - means[0]) ** 2 / sum(((X[labels == k] @ F - means[k]) ** 2).sum() for k in (0, 1))
    assert pytest.approx(alone, rel=0.06) == J
