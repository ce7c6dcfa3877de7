"""The field that the browser adds up is f: at every width of a kernel, of few examples and many,
however tiny f is.
"""

from itertools import cycle, product

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, reject, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from readers import inner_terms
from sent import Sent
from strategies import TYPED

from kpviz import experiment, tokens
from kpviz.engine.kernels import Formula
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run import grid, predictors
from kpviz.engine.run.predictors import PREDICTORS
from kpviz.player import contributions, payload
from kpviz.player.experiment import Experiment
from kpviz.settings import Settings, from_query
from kpviz.settings.combined_kernels import as_one_kernel

NEAR = 3e-6  # of the terms of f at a node: float32, and what is interpolated in tables
AT_JUMPS = 2e-3  # where a kernel is normalized that is 0 at the origin
APART = 1e-3  # steps of the grid, by which the boundary may be off
NEAR_A_TURN = 0.1  # of an edge of the grid: so far the votes may change from where that is drawn
MOST = 1500  # nodes that are looked at
LOST = 1e-12  # of what features add up to: blocks.js takes what is left of that for 0

WIDTHS = st.sampled_from([0.02, 0.03, 0.05, 0.1, 0.5, 3.0])
ALONE = [
    "linear",
    "polynomial",
    "monomial",
    "gaussian",
    "laplacian",
    "matern32",
    "matern52",
    "sigmoid",
    "subsets",
]
NARROW = ["matern32", "matern52", "gaussian", "laplacian"]


@st.composite
def kernels(draw):
    """The settings of a kernel, narrow ones and their sums and products among them."""
    first = draw(st.sampled_from([*ALONE, *NARROW, "density", "mixture", "formula"]))
    combine = draw(st.sampled_from(["none", "sum", "product"]))
    given = {
        "kernel": first,
        "sigma": draw(WIDTHS),
        "degree": draw(st.integers(1, 5)),
        "formula": draw(st.sampled_from(TYPED)),
        "normalize": draw(st.sampled_from(["off", "off", "on"])),
        "negated": draw(st.sampled_from(["off", "on"])),
        "combine": combine,
        "kernel2": draw(st.sampled_from([*ALONE, *NARROW])),
        "sigma2": draw(WIDTHS),
        "degree2": draw(st.integers(1, 8)),
    }
    return as_one_kernel(given)[0]


IN_THE_PLAYER = """(t, nodes) => {
  const { Run } = load("run/run.js");
  const { field } = new Run(kpviz.bytes).reading(t);
  return nodes.map((node) => field[node]);
}"""


def is_sum(kernel):
    """Whether a kernel is a formula that adds two parts."""
    return isinstance(kernel, Formula) and kernel.tree.name == "+"


class Both:
    """f of a run's end at some nodes of its grid, in the player and in Python."""

    def __init__(self, engine, **given):
        made = Settings.of(**given)
        split = experiment.prepare(made)
        self.run = experiment.run(made, split)
        self.predictor = made.predictor
        data = payload.encode(Experiment.of(made, split, self.run))
        self.grid = payload.unpack(data)[0]["grid"]
        self.axes = grid.extent(np.concatenate([split.X, split.X_test])).axes(self.grid)
        nodes = np.random.default_rng(0).choice(self.grid**2, MOST, replace=False)
        self.places = self.at(np.column_stack([nodes % self.grid, nodes // self.grid]))
        engine.take(data)
        self.shown = np.array(
            engine.call(IN_THE_PLAYER, self.run.n_steps, nodes.tolist()), dtype=float
        )

    def at(self, steps):
        """Places in the plane, from places in steps of the grid."""
        first = np.array([axis[0] for axis in self.axes])
        return first + steps * np.array([axis[1] - axis[0] for axis in self.axes])

    def f(self, places):
        """f at some places, and the terms that it is the sum of, without their signs."""
        coef, b = (
            part[0]
            for part in predictors.coefficients(self.run, [self.run.n_steps], self.predictor)
        )
        support = np.flatnonzero(coef)
        columns = predictors.kernel_columns(self.run, places, support)
        return columns @ coef[support] + b, np.abs(columns) @ np.abs(coef[support]) + np.abs(b)

    def check(self, near, apart):
        """What is shown is f, up to `near`; its sign is that of f wherever that is the same `apart`
        steps around.
        """
        exact, terms = self.f(self.places)
        np.testing.assert_allclose(self.shown, exact, rtol=0, atol=near * max(terms.max(), 1e-300))
        wrong = (np.sign(self.shown) != np.sign(exact)) & (terms > 1e-280)
        for way in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            step = self.at(np.array(way) * apart) - self.at(np.zeros(2))
            wrong &= np.sign(self.f(self.places + step)[0]) == np.sign(exact)
        wrong &= np.abs(exact) > near * terms
        coef = predictors.coefficients(self.run, [self.run.n_steps], self.predictor)[0][0]
        cancelled = inner_terms(self.run.kernel, self.places, self.run.X) @ np.abs(coef)
        shown = 0.0 if is_sum(self.run.kernel) else self.shown  # of a sum the other part is left
        wrong &= (shown != 0.0) | (np.abs(exact) > LOST * cancelled)
        assert not wrong.any(), f"{wrong.sum()} of {len(wrong)} nodes have a wrong sign"


@pytest.fixture(scope="module")
def both(engine):
    return lambda **of: Both(engine, **of)


def few(second, **of):
    """A narrow Matérn kernel with another, of few examples."""
    kernel = {
        "kernel": "matern52",
        "sigma": 0.02,
        "sigma2": 0.02,
        "combine": "product",
        "kernel2": second,
        **of,
    }
    return example(
        kernel=as_one_kernel(kernel)[0],
        data="xor",
        n=10,
        seed=0,
        learner="perceptron",
        predictor="last",
    )


@few("matern32", normalize="on")
@few("matern52", combine="sum")
@example(
    kernel={"kernel": "formula", "formula": "monomial(5) + laplacian(0.02)"},
    data="moons",
    n=3,
    seed=0,
    learner="perceptron",
    predictor="last",
)
@few("polynomial")
@few("laplacian", kernel="matern32", sigma=0.05)
# A node nearly at a right angle to the one example: the features of the kernel cancel there.
@example(
    kernel={"kernel": "monomial", "degree": 5},
    data="linear",
    n=3,
    seed=3,
    learner="perceptron",
    predictor="last",
)
@settings(
    max_examples=80,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(
    kernel=kernels(),
    data=st.sampled_from(["xor", "linear", "moons", "shifted", "spirals", "circles"]),
    n=st.sampled_from([3, 10, 40, 80]),
    seed=st.integers(0, 99),
    learner=st.sampled_from(["perceptron", "pa", "svm", "logistic"]),
    predictor=st.sampled_from(["last", "averaged"]),
)
def test_of_any_settings(both, kernel, data, n, seed, learner, predictor):
    try:
        found = both(
            data=data, n=n, seed=seed, learner=learner, predictor=predictor, epochs=3, **kernel
        )
    except ValueError as error:
        if str(error) != contributions.TOO_LARGE:  # as f may grow of what is no kernel
            raise
        reject()
    jumps = (
        kernel.get("normalize") == "on"
        and found.run.kernel.kernel.diag(np.zeros((1, 2)))[0] <= 1e-6
    )
    found.check(AT_JUMPS if jumps else NEAR, APART)


@pytest.mark.parametrize(
    "link",
    [
        "n=10&kernel=matern52&sigma=0.02&combine=product&kernel2=matern32&sigma2=0.02",
        "data=linear&n=10&kernel=matern52&sigma=0.02",
        "n=6&noise=0.3&kernel=matern52&sigma=0.02&combine=product&kernel2=matern32&sigma2=0.02&learner=svm&C=10&normalize=on&epochs=1",
    ],
)
def test_the_boundary_is_drawn_where_f_is_0(player, link):
    """Where f has no zero near a vertex of the boundary, the vertex is false."""
    player.open(f"/?v=1&{link}&t=99999")
    found = Both(player.engine, **dict(from_query(f"v=1&{link}")[0].items))
    lines = player.js(
        "load('board/view.js').contour(s.run.reading(s.t).field, s.run.header.grid, 0)"
    )
    vertices = np.concatenate([np.reshape(line, (-1, 2)) for line in lines])
    turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    around = vertices[:, None] + np.column_stack([np.cos(turn), np.sin(turn)])
    f = found.f(found.at(around.reshape(-1, 2)))[0].reshape(len(vertices), -1)
    assert len(vertices) > 100
    assert ((f > 0).any(axis=1) & (f < 0).any(axis=1)).all()


def test_where_f_touches_0_there_is_no_boundary(player):
    player.open(
        "/?v=1&data=spirals&n=40&noise=0&seed=25&held=0.2&kernel=monomial&degree=4&learner=oldest&budget=5&normalize=on"
        "&order=shuffled&oseed=1&epochs=3&predictor=averaged&t=2"
    )
    field = np.array(player.js("s.run.reading(s.t).field"))
    assert field.min() < 0.0
    assert (
        player.js("load('board/view.js').contour(s.run.reading(s.t).field, s.run.header.grid, 0)")
        == []
    )


def test_a_vote_is_the_same_whichever_way_one_came_to_it(player):
    instants = [60, 61, 62, 400, 401, 150, 999]
    ways = []
    for way in (instants, instants[::-1]):
        player.open("/?v=1&data=blobs&noise=0.5&flipped=0.2&epochs=20&sigma=0.4&predictor=voted")
        boundary = "load('board/view.js').boundaryOf(reading, reading.field, s.run.header.grid)"
        told = f"(() => {{ const reading = s.run.reading(%d); return [reading.field, {boundary}]; }})()"
        ways.append({t: player.js(told % t) for t in way})
        assert player.js("s.run.predictor.voted.checkpoints.length") > 1
    assert ways[0] == ways[1]


@pytest.mark.parametrize(
    "memory", [{}, {"learner": "oldest", "budget": 3}], ids=["keeps all", "forgets"]
)
def test_the_coefficients_of_a_vote_are_tiny_far_from_narrow_hills(both, memory):
    found = both(data="xor", n=10, kernel="matern52", sigma=0.02, predictor="voted", **memory)
    t = found.run.n_steps
    assert_allclose(
        found.shown, found.run.decision_function(found.places, t, "voted") / t, atol=1e-9
    )


# ---- the grid of a narrow kernel: nodes enough to see it -----------------------------------------


@pytest.mark.parametrize(
    "given",
    [
        {"sigma": 0.02},
        {"sigma": 0.05, "kernel": "laplacian"},
        {"sigma": 0.02, "kernel": "matern32"},
        {"kernel": "formula", "formula": "gaussian(0.5) + gaussian(0.03)"},
        {"sigma": 0.02, "normalize": "on"},
        {"sigma": 0.05, "predictor": "voted"},
    ],
)
def test_there_are_three_nodes_for_each_width(given):
    sent = Sent(data="spirals", **given)
    low, high, *_ = sent.header["extent"]
    narrowest = given.get("sigma", 0.03)
    assert 3 * (high - low) / (sent.header["grid"] - 1) <= narrowest * (1 + 1e-9)


NARROWEST = {
    "data": "xor",
    "n": 200,
    "noise": 0.5,
    "sigma": 0.02,
}  # on as much of the plane as the sliders allow
WITH = ["linear", "polynomial", "monomial", "sigmoid", "subsets", "gaussian", "matern52"]


def subject_of(**given):
    settings = Settings.of(**{**NARROWEST, **given})
    split = experiment.prepare(settings)
    return Experiment.of(settings, split, experiment.run(settings, split))


@pytest.mark.parametrize("kernel", ["gaussian", "laplacian", "matern32", "matern52"])
def test_no_slider_goes_beyond_nor_do_two_kernels(kernel):
    for learner, predictor in product(LEARNERS, PREDICTORS):
        subject = subject_of(seed=4, kernel=kernel, learner=learner, predictor=predictor, epochs=2)
        assert (subject.nodes > 700, subject.coarse) == (True, None)
    for second, (combine, normalize) in zip(
        WITH, cycle([("product", "on"), ("sum", "off"), ("product", "off")])
    ):
        given = {
            **NARROWEST,
            "kernel": kernel,
            "kernel2": second,
            "combine": combine,
            "normalize": normalize,
        }
        assert subject_of(epochs=1, **as_one_kernel(given)[0]).coarse is None


@pytest.mark.parametrize(
    ("given", "most"), [({}, 130), ({"kernel": "matern32"}, 300), ({"n": 1000}, 3000)], ids=str
)
def test_what_is_sent_stays_small(given, most):
    assert len(Sent(**{**NARROWEST, **given}).data) < 1000 * most


@pytest.mark.parametrize(
    "given",
    [
        {
            "learner": "logistic",
            "epochs": 60,
            "n": 100,
            "noise": 0.5,
            "predictor": "voted",
        },  # 6,000 states
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
    (said,) = player.js(
        "load('point/spoken.js').accountOf(s.player)[0].lines.filter((line) => "
        "line.includes('coarse'))"
    )
    assert said == f"The map is coarse: {nodes:.2f} nodes of its grid for each σ."


@pytest.mark.parametrize(
    "given", [{}, {"sigma": 0.02}, {"data": "texts"}, {"kernel": "polynomial"}]
)
def test_others_have_the_usual_number_and_say_nothing(player, given):
    sent = Sent(**given)
    assert (sent.header["grid"] == tokens.GRID) == ("sigma" not in given)
    player.open(f"/?{sent.settings.query()}")
    lines = player.js("load('point/spoken.js').accountOf(s.player)[0].lines")
    assert lines
    assert not any("coarse" in line for line in lines)


def test_where_f_underflows_to_0_there_is_no_boundary(player):
    """Rows of a field whose sign changes between the first columns, and which is 0 in
    the last one.
    """
    player.open("/?v=1")
    field = 4 * [-1.0, 1.0, 1e-320, 0.0]
    lines = player.js("load('board/view.js').contour(Float64Array.from(arg), 4, 0)", field)
    assert len(lines) == 1
    assert set(lines[0][::2]) == {0.5}


@pytest.mark.parametrize("t", [20, 30, 80], ids=["narrow", "wide", "upright"])
def test_lines_that_cross_are_drawn_straight_through_the_crossing(player, t):
    """Of (u·v)² the boundary is two lines about the origin, the middle of the map: f is 0
    on each at all places.
    """
    player.open(f"/?v=1&data=circles&kernel=monomial&degree=2&t={t}")
    lines = player.js(
        "load('board/view.js').contour(s.run.reading(s.t).field, s.run.header.grid, 0)"
    )
    assert len(lines) == 2
    middle = (tokens.GRID - 1) / 2
    for line in lines:
        across, up = np.reshape(line, (-1, 2)).T - middle
        whole = np.hypot(across[-1] - across[0], up[-1] - up[0])
        off = across * (up[-1] - up[0]) - up * (across[-1] - across[0])
        assert_allclose(off / whole, 0, atol=4e-3)


@pytest.mark.parametrize(
    "link",
    [
        "held=0.3&t=60",
        "t=60",
        "data=blobs&noise=0.3&t=120",
        "data=linear&kernel=linear&noise=0.2&t=150",
        "data=moons&noise=0.3&learner=norma&t=99999",
    ],
)
def test_the_boundary_of_a_vote_is_drawn_where_the_votes_change(player, link):
    """On the edge of the grid on which a vertex lies the sign of the votes just before it is not
    that just behind it.
    """
    link += "&predictor=voted"
    player.open(f"/?v=1&{link}")
    t = player.js("s.t")
    lines = player.js(
        "load('board/view.js').boundaryOf(s.run.reading(s.t), s.run.reading(s.t).field, "
        "s.run.header.grid)"
    )
    vertices = np.concatenate([np.reshape(line, (-1, 2)) for line in lines])
    found = Both(player.engine, **dict(from_query(f"v=1&{link}")[0].items))
    is_upward = vertices[:, :1] % 1 == 0
    ahead = NEAR_A_TURN * np.where(is_upward, [0.0, 1.0], [1.0, 0.0])
    before, behind = (
        found.run.decision_function(found.at(vertices + way * ahead), t, "voted") >= 0
        for way in (-1, 1)
    )
    assert len(vertices) > 100
    assert (before != behind).all()


STEP_BACK = """(t) => {
  const { Run } = load("run/run.js");
  const run = new Run(kpviz.bytes);
  const { contributions, predictor } = run;
  predictor.at(t);
  let worked = 0;
  for (const block of contributions.blocks) {
    const add = block.add.bind(block);
    block.add = (...given) => {
      worked += 1;
      add(...given);
    };
  }
  predictor.at(t - 2);
  return [contributions.count * predictor.voted.valueCount, worked];
}"""


def test_a_step_back_in_a_vote_over_a_fine_grid_works_out_no_hill_anew(engine):
    made = Settings.of(
        data="spirals",
        n=80,
        sigma=0.02,
        learner="forgetron",
        budget=5,
        epochs=2,
        predictor="voted",
    )
    split = experiment.prepare(made)
    run = experiment.run(made, split)
    engine.take(payload.encode(Experiment.of(made, split, run)))
    in_all_columns, worked = engine.call(STEP_BACK, run.n_steps)
    assert in_all_columns > 6e6  # More than is remembered.
    assert worked <= 5
