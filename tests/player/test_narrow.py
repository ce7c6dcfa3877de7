"""The grid of a narrow kernel: nodes enough to see it."""

from itertools import product

import pytest
from sent import Sent

from kpviz import experiment, tokens
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run.predictors import PREDICTORS
from kpviz.player.experiment import Experiment
from kpviz.settings import Settings


@pytest.mark.parametrize(
    "given",
    [
        {"sigma": 0.02},
        {"sigma": 0.05, "kernel": "laplacian"},
        {"sigma": 0.02, "kernel": "matern32"},
        {"sigma": 0.5, "combine": "sum", "kernel2": "gaussian", "sigma2": 0.03},
        {"sigma": 0.02, "normalize": "on"},
        {"sigma": 0.05, "predictor": "voted"},
    ],
)
def test_there_are_three_nodes_for_each_width(given):
    sent = Sent(data="spirals", **given)
    low, high, *_ = sent.header["extent"]
    narrowest = min(value for name, value in given.items() if name.startswith("sigma"))
    assert 3 * (high - low) / (sent.header["grid"] - 1) <= narrowest * (1 + 1e-9)


NARROWEST = {"data": "xor", "n": 200, "noise": 0.5, "sigma": 0.02}  # on as much of the plane as the sliders allow
WITH = ["linear", "polynomial", "monomial", "sigmoid", "subsets", "density", "mixture", "gaussian", "matern52"]
PAIRED = [
    {"kernel": first, "kernel2": second, "combine": combine, "normalize": normalize}
    for k, second in enumerate(WITH)
    for first, combine, normalize in [
        (("gaussian", "laplacian", "matern32")[k % 3], "product", ("on", "off")[k % 2]),
        (("laplacian", "matern52", "gaussian")[k % 3], "sum", ("off", "on")[k % 2]),
    ]
]


def subject_of(**given):
    settings = Settings.of(**NARROWEST, **given)
    split = experiment.prepare(settings)
    return Experiment.of(settings, split, experiment.run(settings, split))


@pytest.mark.parametrize("kernel", ["gaussian", "laplacian", "matern32", "matern52"])
def test_no_slider_goes_beyond(kernel):
    for learner, predictor in product(LEARNERS, PREDICTORS):
        subject = subject_of(seed=4, kernel=kernel, learner=learner, predictor=predictor, epochs=2)
        assert subject.nodes > 700
        assert subject.coarse is None


@pytest.mark.parametrize("given", PAIRED, ids=str)
def test_nor_do_two_kernels(given):
    assert subject_of(epochs=1, **given).coarse is None


@pytest.mark.parametrize(("given", "most"), [({}, 130), ({"kernel": "matern32"}, 300), ({"n": 1000}, 3000)], ids=str)
def test_what_is_sent_stays_small(given, most):
    assert len(Sent(**{**NARROWEST, **given}).data) < 1000 * most


@pytest.mark.parametrize(
    "given",
    [
        {"learner": "logistic", "epochs": 60, "n": 100, "noise": 0.5, "predictor": "voted"},  # 6,000 states
        {"n": 1000, "noise": 0.5, "flipped": 0.4, "epochs": 2},  # as many examples as there may be
    ],
    ids=str,
)
def test_a_map_with_fewer_says_so(player, given):
    given = {"sigma": 0.02, **given}
    sent = Sent(**given)
    low, high, *_ = sent.header["extent"]
    nodes = (sent.header["grid"] - 1) * given["sigma"] / (high - low)
    assert sent.header["coarse"] == pytest.approx(nodes)
    assert nodes < 3
    player.open(f"/?{sent.settings.query()}")
    assert player.words("map", "kernel") == f"Gaussian, σ = {given['sigma']} · coarse map"
    (said,) = player.js(
        "load('panels/account.js').accountOf(s.player)[0].lines.filter((line) => line.includes('coarse'))"
    )
    assert said == f"The map is coarse: {nodes:.2f} nodes of its grid for each σ."


@pytest.mark.parametrize("given", [{}, {"sigma": 0.02}, {"data": "texts"}, {"kernel": "polynomial"}])
def test_others_have_the_usual_number_and_say_nothing(player, given):
    sent = Sent(**given)
    assert (sent.header["grid"] == tokens.GRID) == ("sigma" not in given)
    player.open(f"/?{sent.settings.query()}")
    assert "coarse" not in player.words("map", "kernel")


def test_where_f_underflows_to_0_there_is_no_boundary(player):
    """Rows of a field whose sign changes between the first columns, and which is 0 in the last one."""
    player.open("/?v=1")
    field = 4 * [-1.0, 1.0, 1e-320, 0.0]
    lines = player.js("load('model/view.js').contour(Float64Array.from(arg), 4, 0)", field)
    assert len(lines) == 1
    assert set(lines[0][::2]) == {0.5}
