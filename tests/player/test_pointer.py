"""The pointer on the board: what it touches lights up everywhere and tells its numbers, and clicks
go to steps.
"""

import re
from itertools import product

import numpy as np
import pytest
from board_laws import faults
from headless import middle

from kpviz import experiment
from kpviz.lessons import explain
from kpviz.settings import Settings, from_query


def f(text):
    """A number as the player writes it."""
    return float(text.replace("−", "-"))


def times(coef):
    """A coefficient as the player writes it: whole where it is a count."""
    return explain.number(coef).removesuffix(".00" if coef.is_integer() else " ")


def near(coordinate):
    """A coordinate with three digits, as the player writes it."""
    return f"{round(coordinate, 3):g}".replace("-", "−")


def lit(player):
    """How many marks of each panel are lit."""
    map_ = [
        mark
        for mark in player.marks("map")
        if mark.get("lit") is not None and mark["kind"] in ("circle", "square")
    ]
    alpha = [
        mark
        for mark in player.marks("alpha", kind="rect")
        if mark.get("width") == 2 and "fill" not in mark
    ]
    margins = [
        mark
        for mark in player.marks("margins", kind="line")
        if mark.get("width") == 2 and len(mark["points"]) == 8
    ]
    ink = player.js("s.palette.ink")
    timeline = [
        mark
        for mark in player.marks("timeline")
        if ink in (mark.get("stroke"), mark.get("fill")) and "name" not in mark
    ]
    return {
        "map": len(map_),
        "alpha": len(alpha),
        "margins": len(margins),
        "timeline": len(timeline),
    }


@pytest.mark.parametrize("size", [(1342, 714), (1896, 1026)], ids=str)
def test_what_marks_the_margin_of_a_hovered_example_strikes_no_word(player, size):
    player.open("/?v=1&t=60&kernel=linear", {"width": size[0], "height": size[1]})
    for spot in player.spots()[::4]:
        player.point(*spot)
        assert "lit" in player.marks("margins", kind="line")[-1]
        # The box of what is pointed at floats over the map's points.
        assert [fault for fault in faults(player)[0] if fault[:2] != ["covers", "tip"]] == []


def test_a_hovered_point_lights_up_everywhere_and_tells_its_numbers(player):
    settings = Settings.of(noise=0.2, epochs=20)
    player.open(f"/?{settings.query()}&t=900")
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    counts = np.bincount(run.index[:900][run.mistake[:900]], minlength=60)
    margins = run.margins_at(900)
    alone = [
        i for i in range(60) if np.sort(np.hypot(*(split.X - split.X[i]).T))[1] > 0.12 and counts[i]
    ]
    for i in (alone[0], max(alone, key=counts.__getitem__)):
        x, y = player.js("[s.view.x(s.run.X[2 * arg]), s.view.y(s.run.X[2 * arg + 1])]", i)
        player.point(x, y)
        steps = [int(s) + 1 for s in np.flatnonzero(run.mistake) if run.index[s] == i]
        assert lit(player) == {
            "map": 1,
            "alpha": 1,
            "margins": 1,
            "timeline": sum(step < 900 for step in steps),
        }
        so_far = [s for s in steps if s <= 900]
        listed = ", ".join(map(str, so_far[:6])) + (", …" if len(so_far) > 6 else "")
        n = explain.number
        assert player.tip[:3] == [
            f"{explain.example(i)}  ({near(split.X[i, 0])}, {near(split.X[i, 1])})  ·  y = "
            f"{explain.label(split.y[i])}",
            f"α = {counts[i]:.0f}  (mistakes at steps {listed})",
            f"f = {n(split.y[i] * margins[i])}  ·  margin {n(margins[i])}",
        ]
    player.away()
    assert lit(player) == {"map": 0, "alpha": 0, "margins": 0, "timeline": 0}
    assert player.tip == []


def test_bricks_bins_and_ticks_light_the_same_examples(player):
    player.open("/?v=1&t=60")
    run = experiment.run(Settings.of())
    brick = player.marks("alpha", kind="rect", i=int(run.index[np.flatnonzero(run.mistake)[3]]))[0]
    player.point(*middle(brick))
    assert player.js("[...s.touch.hot]") == [brick["i"]]
    assert lit(player)["map"] == 1
    bins = [mark for mark in player.marks("margins", kind="rect") if mark.get("count")]
    for mark in (bins[0], max(bins, key=lambda mark: mark["count"]), bins[-1]):
        player.point(*middle(mark))
        hot = player.js("[...s.touch.hot]")
        assert len(hot) == mark["count"]
        assert lit(player)["map"] == mark["count"]
        margins = run.margins_at(60)[hot]
        assert np.ptp(margins) < 0.06
        if len(hot) > 1:
            names = ", ".join(map(explain.example, hot[:6])) + (" …" if len(hot) > 6 else "")
            ends = f"margin {explain.number(margins.min())} to {explain.number(margins.max())}"
            assert player.tip == [f"{len(hot)} examples in this bin: {names}", ends]
    step = int(np.flatnonzero(run.mistake)[5])
    rect = player.js("s.layout.panels.timeline")
    player.point(
        rect["x"] + 8 + (step + 1) / run.n_steps * (rect["w"] - 16), rect["y"] + rect["h"] - 6
    )
    assert player.js("[...s.touch.hot]") == [int(run.index[step])]
    assert player.tip == [f"step {step + 1}: mistake on {explain.example(int(run.index[step]))}"]


@pytest.mark.parametrize(
    "link", ["v=1&t=100&noise=0.2&intercept=unit&eta=0.5", "v=1&t=90&predictor=averaged&noise=0.2"]
)
def test_anywhere_on_the_map_f_is_a_sum_of_signed_terms(player, link):
    player.open(f"/?{link}")
    split, run, t = experiment.prepare(player.settings), experiment.run(player.settings), player.t
    rect = player.js("s.layout.panels.map")
    for across, down in ((0.5, 0.47), (0.2, 0.35), (0.83, 0.77)):
        player.point(rect["x"] + across * rect["w"], rect["y"] + down * rect["h"])
        probe = player.js("s.touch.probe")
        assert probe is not None, "a point lies there"
        wanted = run.decision_function([[probe["x1"], probe["x2"]]], t, player.settings.predictor)[
            0
        ]
        head, *terms, b = probe["full"].splitlines()
        values, examples, coefs, kernels = np.array(
            [line.split("\t") for line in terms[1:]], float
        ).T
        away = split.X[examples.astype(int)] - [probe["x1"], probe["x2"]]
        assert kernels == pytest.approx(np.exp(-(away**2).sum(axis=1) / (2 * 0.5**2)), abs=1e-4)
        assert coefs * kernels == pytest.approx(values)
        intercept = float(b.removeprefix("b = "))
        assert float(head.rpartition("= ")[2]) == pytest.approx(wanted, abs=1e-4)
        assert sum(values) + intercept == pytest.approx(wanted, abs=1e-4)
        n = explain.number
        sign = {"last": "f", "averaged": "mean f"}[player.settings.predictor]
        assert (
            player.tip[0] == f"{sign}({near(probe['x1'])}, {near(probe['x2'])}) = "
            f"{n(float(head.rpartition('= ')[2]))}"
        )
        follows_by_hand(player, wanted, coefs, kernels)


def test_on_a_phone_the_box_at_the_pointer_has_each_term_of_the_score_once(player):
    player.open("/?v=1&t=30&intercept=unit", {"width": 374, "height": 790})
    player.point(*player.on_map(0.4, 0.4))
    head, *lines = player.tip
    terms = re.findall(r"(x[₀-₉]+|\d+\smore|b):\s([+−][\d.]+)", " ".join(lines))
    assert len(terms) == len({name for name, _ in terms}) > 5
    assert sum(f(value) for _, value in terms) == pytest.approx(
        f(head.rpartition("= ")[2]), abs=0.0051 * len(terms)
    )
    assert not any("Σ" in line or "from" in line for line in lines)


@pytest.mark.parametrize("window", [{"width": 374, "height": 790}, {"width": 1366, "height": 768}])
def test_of_terms_that_come_to_nearly_nothing_only_a_power_of_ten_is_told(player, window):
    player.open("/?v=1&t=60&sigma=0.1&predictor=last", window)
    player.point(*player.on_map(0.4, 0.4))
    assert re.search(
        r"less than 10⁻[⁰-⁹]+  from \d+\smore|\d+\smore:\sless than 10⁻", " ".join(player.tip)
    )


@pytest.mark.parametrize("size", [(374, 790), (828, 336), (1342, 714)], ids=str)
def test_the_reading_of_a_place_lies_on_its_map_and_not_on_the_ring_of_the_step(player, size):
    player.open("/?v=1&t=30", {"width": size[0], "height": size[1]})
    board = player.js("s.layout.panels.map")
    (ring,) = player.marks("map", name="current")
    for across, down in product((0.05, 0.4, 0.7, 0.95), repeat=2):
        player.point(board["x"] + across * board["w"], board["y"] + down * board["h"])
        (box,) = player.marks("tip", kind="rect")
        assert board["x"] <= box["x"] <= box["x"] + box["w"] <= board["x"] + board["w"]
        assert board["y"] <= box["y"] <= box["y"] + box["h"] <= board["y"] + board["h"]
        is_beside = box["x"] > ring["x"] + ring["r"] or ring["x"] - ring["r"] > box["x"] + box["w"]
        is_below = box["y"] > ring["y"] + ring["r"] or ring["y"] - ring["r"] > box["y"] + box["h"]
        assert is_beside or is_below


VOTE = re.compile(r"([+−])(\S+)  from (x[₀-₉]+)(?:: (−?[\d.,]+)·(?:\((−\S+)\)|(\S+)))?")
REST = re.compile(r"([+−]\S+)  from (?:b|\d+\smore)")


def follows_by_hand(player, wanted, coefs, kernels):
    """The score as a sum: the largest terms with their numbers, each example once, what is left, and
    a line to each voter.
    """
    n = explain.number
    votes = [vote.groups() for line in player.tip if (vote := VOTE.fullmatch(line))]
    names = [name for _, _, name, *_ in votes]
    assert len(set(names)) == len(names)
    assert [sign + value for sign, value, *_ in votes] == [
        f"{'+' if c * k > 0 else ''}{n(c * k)}"
        for c, k in zip(coefs[:5], kernels[:5], strict=False)
    ]
    told = [
        (coef, below or k) if coef else (f"{sign}1".removeprefix("+"), value)
        for sign, value, _, coef, below, k in votes
    ]
    assert told == [(times(c), n(k)) for c, k in zip(coefs[:5], kernels[:5], strict=False)]
    more = [f(rest[1]) for line in player.tip if (rest := REST.fullmatch(line))]
    (head,) = [line for line in player.tip if "Σ αⱼyⱼ·k" in line]
    assert ("+ b" in head) == any(line.endswith("from b") for line in player.tip)
    by_hand = sum(f(c) * f(k) for c, k in told) + sum(more)
    assert by_hand == pytest.approx(
        wanted, abs=0.0051 * (1 + sum(abs(f(c)) for c, _ in told) + len(more))
    )
    shown = [f(line.partition(" ")[0].replace("+", "")) for line in player.tip if " from x" in line]
    assert len(shown) == len(told) == len(player.marks("map", name="vote"))
    assert [abs(v) for v in shown] == sorted((abs(v) for v in shown), reverse=True)


def test_the_card_of_votes_names_the_one_that_is_left_by_its_name(player):
    player.open("/?v=1&t=30").point(*player.js("[s.view.x(-0.25), s.view.y(0.25)]"))
    told = [line.partition(" from ")[2] for line in player.tip if " from " in line]
    assert len(set(told)) == 6
    assert all(re.fullmatch("x[₀-₉]+", name) for name in told), told


def test_the_card_of_votes_says_how_the_kernel_of_the_largest_follows_from_its_distance(player):
    player.open("/?v=1&t=20")
    run = experiment.run(player.settings)
    player.point(*player.spots()[30])
    (line,) = [line for line in player.tip if "distance" in line]
    x, distance, square, double, k = re.fullmatch(
        r"x([₀-₉]+): distance ([\d.]+), so k = exp\(−([\d.]+)/([\d.]+)\) = ([\d.]+)", line
    ).groups()
    i = int(x.translate(str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")))
    (at,) = player.js("[...s.touch.hot]")
    exact = float(np.linalg.norm(run.X[i] - run.X[at]))
    assert (distance, square) == (explain.number(exact), explain.number(exact**2))
    assert float(double) == 2 * player.settings.sigma**2
    assert k == explain.number(float(run.gram[i, at]))
    player.open("/?v=1&t=20&kernel=linear").point(*player.spots()[30])
    assert not [line for line in player.tip if "distance" in line]


@pytest.mark.parametrize(
    "link",
    ["t=20", "t=60&intercept=unit", "t=60&kernel=linear&held=0.3", "t=9999&predictor=averaged"],
)
def test_pointing_at_an_example_shows_who_votes_as_empty_ground_does(player, link):
    player.open(f"/?v=1&{link}")
    run, t = experiment.run(player.settings), player.t
    split = experiment.prepare(player.settings)
    X = np.concatenate([split.X, split.X_test])
    coefs = np.array(player.js("[...s.run.reading(s.t).coef]"))
    support = player.js("[...s.run.trace.support]")
    for i, spot in list(enumerate(player.spots()))[:: max(len(X) // 6, 1)]:
        player.point(*spot)
        assert player.js("[...s.touch.hot]") in ([i], player.js("[...s.touch.hot]"))
        (i,) = player.js("[...s.touch.hot]")
        kernels = run.kernel(split.X[support], X[[i]])[:, 0]
        order = np.argsort(-abs(coefs * kernels), kind="stable")
        order = [k for k in order if coefs[k] * kernels[k] != 0]
        wanted = run.decision_function(X[[i]], t, player.settings.predictor)[0]
        if player.settings.predictor == "averaged":
            wanted = float(player.js("s.run.reading(s.t).scores[arg]", i))
        follows_by_hand(player, wanted, coefs[order], kernels[order])


def test_the_tooltip_of_measured_data_has_the_units_of_the_axes(player):
    player.open("/?v=1&data=iris&t=5")
    split = experiment.prepare(player.settings)
    player.point(*player.spots()[7])
    lows, highs = np.array(split.source.lows), np.array(split.source.highs)
    own = lows + (split.X[7] + 1) / 2 * (highs - lows)
    assert f"({near(own[0])}, {near(own[1])})" in player.tip[0]


def test_what_is_pinned_follows_the_step(player):
    player.open("/?v=1&t=3").point(*player.on_map(0.5, 0.53))
    player.js("s.pick()")
    player.go(60)
    run, probe = experiment.run(player.settings), player.js("s.pinnedTouch.probe")
    wanted = run.decision_function([[probe["x1"], probe["x2"]]], 60)[0]
    assert float(probe["full"].splitlines()[0].rpartition("= ")[2]) == pytest.approx(
        wanted, abs=1e-4
    )


@pytest.mark.parametrize("link", ["v=1&t=5&sigma=0.3", "v=1&t=5&data=blobs&sigma=1"])
def test_the_disc_at_the_pointer_has_the_gaussians_width(player, link):
    player.open(f"/?{link}")
    rect, extent = player.js("[s.layout.panels.map, s.run.header.extent]")
    player.point(rect["x"] + rect["w"] / 2, rect["y"] + rect["h"] / 2)
    if player.js("s.touch.probe === null"):
        player.point(rect["x"] + rect["w"] / 2 + 23, rect["y"] + rect["h"] / 2 + 31)
    (disc,) = player.marks("map", name="sigma")
    sigma = player.settings.sigma
    assert disc["rx"] == pytest.approx(sigma / (extent[1] - extent[0]) * rect["w"])
    assert disc["ry"] == pytest.approx(sigma / (extent[3] - extent[2]) * rect["h"])
    player.open(f"/?{link}&kernel=laplacian")  # its bump is not round
    player.point(rect["x"] + rect["w"] / 2 + 24, rect["y"] + rect["h"] / 2 + 31)
    assert player.marks("map", name="sigma") == []


# ---- features that are scaled, and files ---------------------------------------------------------


BOTH = r"\((\S+), (\S+)\) scaled \((\S+), (\S+)\)"


def numbers_of(text):
    return np.array([f(value) for value in re.search(BOTH, text).groups()]).reshape(2, 2)


@pytest.mark.parametrize("data", ["iris", "breast_cancer"])
def test_the_printed_scaled_place_of_a_linear_run_gives_the_printed_score(player, data):
    query = f"v=1&data={data}&kernel=linear&intercept=unit"
    settings = Settings.of(data=data, kernel="linear", intercept="unit")
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    state = run.state_at(40)
    w = state.coef @ run.X
    lows = np.array(split.source.lows)
    highs = np.array(split.source.highs)
    player.open(f"/?{query}&t=40")
    spots = player.spots()
    kinds = set()
    for spot in (spots[7], spots[30], player.on_map(0.31, 0.93), player.on_map(0.93, 0.4)):
        player.point(*spot)
        head = player.tip[0]
        own, scaled = numbers_of(head)
        np.testing.assert_allclose(
            own, lows + (scaled + 1) / 2 * (highs - lows), rtol=0, atol=0.001 * (highs - lows).max()
        )
        score = next(line for line in player.tip if line.startswith("f = "))
        assert f(re.match(r"f = (\S+)", score)[1]) == pytest.approx(
            w @ scaled + state.intercept, abs=0.02
        )
        copied = player.js("s.touch.full ?? s.touch.probe.full")
        kinds.add(copied.partition("\t")[0] == "example")
        if copied.startswith("example"):
            lines = dict(line.split("\t") for line in copied.splitlines())
            i = int(lines["example"])
            assert [float(lines["scaled x1"]), float(lines["scaled x2"])] == split.X[i].tolist()
            np.testing.assert_allclose(
                [float(lines["x1"]), float(lines["x2"])], own, rtol=0, atol=0.001
            )
        else:
            np.testing.assert_allclose(
                numbers_of(copied.splitlines()[0]), [own, scaled], rtol=0, atol=0.001
            )
    assert kinds == {True, False}


@pytest.mark.parametrize("width", [374, 1366])
def test_both_axes_have_their_names_on_a_phone_too(player, width):
    player.open("/?v=1&t=5", {"width": width, "height": 790})
    texts = [
        mark["text"] for name in ("axis", "gutter") for mark in player.marks(name, kind="text")
    ]
    named = [text for text in texts if text.startswith("feature")]
    assert named == (
        ["feature 1 across, feature 2 up"] if width < 400 else ["feature 1", "feature 2"]
    )


def test_axes_tell_scaled_features_in_their_own_units(player):
    """What they are scaled to is told where one points."""
    names = experiment.prepare(Settings.of(data="iris")).source
    player.open("/?v=1&data=iris&t=5")
    told = 0
    for axis, panel in enumerate(("axis", "gutter")):
        low, high = names.lows[axis], names.highs[axis]
        for mark in player.marks(panel, kind="text"):
            if mark.get("weight") == 600:
                continue  # It is the name.
            scaled = (f(mark["text"]) - low) / (high - low) * 2 - 1
            place = player.js(f"s.view.{'xy'[axis]}({scaled})")
            assert mark["xy"[axis]] == pytest.approx(place, abs=4), mark["text"]
            told += 1
    assert told == 4


@pytest.mark.parametrize(
    "query", ["learner=logistic&n=12&epochs=3", "learner=norma&n=12&epochs=4", "learner=svm&n=12"]
)
def test_the_brick_of_a_coefficient_leads_to_the_step_that_changed_it_last(player, query):
    player.open(f"/?v=1&{query}")
    run = experiment.run(from_query(query)[0])
    steps = np.repeat(run.changes.step, np.diff(run.changes.pointer))
    told = 0
    for t in range(1, run.n_steps, 5):
        player.go(t)
        for mark in player.marks("alpha", kind="rect"):
            if "i" not in mark or not run.state_at(t).alpha[mark["i"]]:
                continue
            player.point(*middle(mark))
            changed = steps[(run.changes.index == mark["i"]) & (steps < t)]
            said = re.findall(r"last changed: step (\d+)", " ".join(player.tip))
            assert said == [str(changed.max() + 1)], (t, mark["i"])
            told += 1
    assert told > 5
