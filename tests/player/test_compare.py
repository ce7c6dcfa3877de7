"""Runs side by side: one player, one time, what differs hatched, the numbers that decide, a table
of all.
"""

import re
from functools import cache

import numpy as np
import pytest
from board_laws import room_in
from covering import covering
from windows import WINDOWS
from written import read

from kpviz import experiment, tokens
from kpviz.engine.run import grid
from kpviz.lessons import comparison, explain
from kpviz.lessons.comparison import Pin
from kpviz.lessons.presets import PRESETS
from kpviz.settings import Settings

TWO = "/?v=1&data=moons&n=60&noise=0.15&held=0.3&pins=1&p1.kernel=linear"


def runs(settings, pins):
    """Split and run of every model, the current one last."""
    made = [*(pin.on(settings) for pin in pins), settings]
    return [(experiment.prepare(each), experiment.run(each)) for each in made]


@cache
def two():
    return runs(
        Settings.of(data="moons", n=60, noise=0.15, held=0.3),
        [Pin.of(Settings.of(kernel="linear"))],
    )


def percent(share):
    return f"{100 * share:.1f}%"


def signed(value):
    return ("+" if value > 0 else "") + explain.number(value)


def letters(player, panel, name, key="text"):
    return {mark["letter"]: mark[key] for mark in player.marks(panel, name=name)}


def table(player):
    """The texts of each number of the runs, in the order of their letters, by its label."""
    rows = player.js("load('board/comparison.js').numbersOfRuns(s.player)")
    return {row["label"]: row["texts"] for row in rows}


def test_both_runs_stand_at_the_same_time_and_the_shorter_one_at_its_end(player):
    (_, pinned), (_, current) = two()
    assert pinned.n_steps > current.n_steps
    player.open(TWO)
    for t in (0, 1, 37, current.n_steps, current.n_steps + 5, pinned.n_steps):
        player.go(t)
        counters = letters(player, "sentences", "counter")
        for letter, run in (("A", pinned), ("B", current)):
            # The mistakes stand under the map, too: a long counter leaves them out.
            whole = explain.counter(run, min(t, run.n_steps))
            assert counters[letter] in (whole, whole.split(" · ")[0])
        numbers = table(player)
        both = (pinned, current)
        assert numbers["mistakes"] == [str(run.mistake[:t].sum()) for run in both]
        assert numbers["remembered"] == [
            str(len(run.state_at(min(t, run.n_steps)).support)) for run in both
        ]
    player.press("End").rest()
    assert player.t == pinned.n_steps
    cursor = player.marks("timeline", name="cursor")[0]
    assert cursor["x"] + 1.5 == pytest.approx(
        player.js("s.layout.panels.timeline.x + s.layout.panels.timeline.w - 8")
    )


def places(player, name):
    """The two ends of each line of the hatching of a map, (lines, 2, 2), in the plane."""
    marks = player.marks(name, name="hatching")
    lines = [line for mark in marks if mark["kind"] == "lines" for line in mark["lines"]]
    view = "s.maps.find((map) => map.name === arg).view"
    left, top, side, low1, high1, low2, high2 = player.js(
        f"(({{ rect, low1, high1, low2, high2 }}) => [rect.x, rect.y, rect.w, low1, high1, low2, "
        f"high2])({view})",
        name,
    )
    shares = (np.array([list(line) for line in lines]).reshape(-1, 2, 2) - [left, top]) / side
    return np.stack(
        [low1 + shares[..., 0] * (high1 - low1), high2 - shares[..., 1] * (high2 - low2)], axis=-1
    )


@pytest.mark.parametrize("t", [1, 20, 42, 700])
def test_the_hatching_is_where_the_signs_differ(player, t):
    player.open(TWO).go(t)
    (split, pinned), (_, current) = two()
    x1, x2 = grid.extent(np.concatenate([split.X, split.X_test])).axes(96)

    def signs(places):
        """Where the signs differ, and where that is beyond doubt between the nodes of the player's
        grid.
        """
        f, g = (run.decision_function(places, t=min(t, run.n_steps)) for run in (pinned, current))
        return f * g < 0, (np.abs(f) > 1e-3) & (np.abs(g) > 1e-3)

    everywhere, _ = signs(np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2))
    apart = player.js("7 * s.layout.unit / s.view.rect.w * (s.view.high1 - s.view.low1)")
    for name in ("map", "map-0"):
        ends = places(player, name)
        for along in (0.1, 0.5, 0.9):
            differ, sure = signs((1 - along) * ends[:, 0] + along * ends[:, 1])
            assert differ[sure].all()
            assert t == 1 or sure.mean() > 0.3  # after one step f is nearly 0 far from its example
        area = apart * np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).sum()
        assert area == pytest.approx(everywhere.mean() * np.ptp(x1) * np.ptp(x2), rel=0.1)


def test_an_svm_has_no_mistakes_to_count(player):
    player.open("/?v=1&learner=svm&pins=1&p1.kernel=linear&t=130")
    assert re.fullmatch(r"Step \d+, \w+ epoch", letters(player, "sentences", "counter")["B"])
    assert table(player)["mistakes"][1] == "–"
    assert "held-out error" not in table(player)  # no run has one
    assert player.marks("decide", name="mistakes") == []
    (remembered,) = player.marks("decide", name="support")
    assert remembered["text"] == table(player)["remembered"][1]
    timeline = player.marks("timeline")
    assert not [
        mark for mark in timeline if mark.get("mistakes") or "mistake" in mark.get("text", "")
    ]
    assert [
        mark["letter"] for mark in timeline if mark.get("name") == "behind" and mark["points"]
    ] == ["A"]


def test_a_counter_without_totals_keeps_its_commas(player):
    short = player.js("load('run/words.js').withoutTotals('12 of 1,200 examples, first epoch')")
    assert short == "12 examples, first epoch"


def test_the_middle_grain_stops_at_the_mistakes_of_either(player):
    (_, pinned), (_, current) = two()
    stops = sorted({*(np.flatnonzero(pinned.mistake) + 1), *(np.flatnonzero(current.mistake) + 1)})
    player.open(TWO)
    found = [player.press("PageDown").rest().t for _ in range(12)]
    assert (
        found + [player.press("PageUp").rest().t for _ in range(11)] == stops[:12] + stops[10::-1]
    )


def test_a_step_is_shown_happening_on_the_map_of_each_run_that_it_changes(player):
    (_, pinned), (_, current) = two()
    last = min(pinned.n_steps, current.n_steps)
    both = int(np.flatnonzero(pinned.mistake[:last] & current.mistake[:last])[1])
    one = int(np.flatnonzero(pinned.mistake[:last] & ~current.mistake[:last])[0])
    player.open(TWO)
    for step, moving in ((both, ["map-0", "map"]), (one, ["map-0"])):
        player.go(step)
        found = player.js(
            """(s.step('example', 1), s.draw(), s.now += arg, {
                moving: Object.entries(s.scenes()).filter(([, scene]) => scene.moving).map(([name]) => name),
                bumps: s.board.panels.flatMap((p) => p.marks.filter((m) => m.name === 'bump').map(() => p.name)),
            })""",
            tokens.TIMINGS["example"] + tokens.TIMINGS["score"],
        )
        assert found == {"moving": moving, "bumps": moving}
        player.rest()
        assert player.t == step + 1


def test_the_words_of_a_cue_stand_alone(player):
    player.open(TWO + "&cues=3: Look where they part.").go(3)
    assert letters(player, "sentences", "counter").keys() == {"A", "B"}
    words = " ".join(mark["text"] for mark in player.marks("sentences", name="sentence"))
    assert words.strip() == "Look where they part."
    player.go(4)
    assert len({mark["letter"] for mark in player.marks("sentences", name="sentence")}) == 2


def test_a_question_stands_above_its_maps_until_a_setting_differs(player):
    preset = PRESETS["widths"]
    for link, stands in (
        ("/?compare=widths&t=99999", True),
        ("/?compare=widths&stage=16x9&t=99999", True),
        ("/?v=1&data=moons&pins=1&compare=widths", False),
        (TWO, False),
    ):
        player.open(link)
        words = " ".join(
            mark["text"]
            for name in ("question", "comparison")
            for mark in player.marks("question", name=name)
        )
        told = f"{preset.question} ✓ {preset.right}. {preset.words}"
        assert words == (told if stands else "")
        assert ("compare=widths&" in player.js("s.query")) == stands
        assert player.js("s.layout.panels.map.y") >= player.js(
            "'question' in s.layout.panels ? s.layout.panels.question.h : 0"
        )


@pytest.mark.parametrize(
    ("pins", "size", "t"),
    [
        ("pins=1&p1.kernel=linear", (1350, 714), 30),
        ("pins=3&p1.kernel=linear&p2.kernel=polynomial&p3.learner=svm", (1264, 666), 99999),
    ],
)
def test_no_last_word_of_a_sentence_stands_alone(player, pins, size, t):
    opened(player, f"/?v=1&{pins}", size).go(t)
    lines = [mark["text"] for mark in player.marks("sentences", name="sentence")]
    assert len(lines) > len(set(letters(player, "sentences", "sentence")))
    assert [line for line in lines if " " not in line] == []


def test_one_sentence_says_who_was_right(player):
    (_, pinned), (_, current) = two()
    last = min(pinned.n_steps, current.n_steps)
    apart = int(np.flatnonzero(pinned.mistake[:last] & ~current.mistake[:last])[0])
    player.open(TWO).go(apart + 1)
    i, y = int(pinned.index[apart]), pinned.y[pinned.index[apart]]
    x = f"x{str(i).translate(str.maketrans('0123456789', '₀₁₂₃₄₅₆₇₈₉'))}"
    shared, said = (player.marks("sentences", name=name) for name in ("shared", "sentence"))
    colour = "orange" if y > 0 else "blue"
    assert (
        " ".join(mark["text"] for mark in shared)
        == f"{x} is {colour}: a mistake for A, right for B."
    )
    changed = float(pinned.margins_at(apart + 1)[i] * y)
    before, right = (float(run.score[apart]) for run in (pinned, current))
    told = {
        letter: " ".join(mark["text"] for mark in said if mark["letter"] == letter)
        for letter in "AB"
    }
    assert told == {
        "A": f"A mistake: score {signed(before)}, now {signed(changed)}.",
        "B": f"Right: score {signed(right)}.",
    }
    assert len({mark["size"] for mark in [*shared, *said]}) == 1


def test_pointing_at_one_map_shows_its_run_and_f_at_the_same_place_on_the_other(player):
    (split, pinned), (_, current) = two()
    player.open(TWO).go(42)
    for name, other, run, beside in (
        ("map-0", "map", pinned, current),
        ("map", "map-0", current, pinned),
    ):
        view = player.js("s.maps.findIndex((map) => map.name === arg)", name)
        at = "((place) => s.maps.map(({ view }) => [view.x(place[0]), view.y(place[1])]))(arg)"
        player.point(*player.js(at, split.X[3].tolist())[view])
        f = float(run.decision_function(split.X[3:4], t=42)[0])
        assert f"f = {explain.number(f)}" in " ".join(player.tip)
        assert [len(player.marks(each, lit=3)) for each in ("map-0", "map")] == [1, 1]
        node = player.js(
            "(({ view }, { rect } = view) => view.node(rect.x + 0.31 * rect.w, rect.y + 0.12 * "
            "rect.h))(s.maps[arg])",
            view,
        )
        places = player.js(at, [node["x1"], node["x2"]])
        player.point(*places[view])
        assert player.marks(name, name="echo") == []
        circle, text = player.marks(other, name="echo")
        f = float(beside.decision_function(np.array([[node["x1"], node["x2"]]]), t=42)[0])
        assert text["text"] == f"f = {explain.number(f)}"
        assert (circle["x"], circle["y"]) == pytest.approx(places[1 - view], abs=3)


def test_an_f_of_one_sign_has_no_boundary_however_small_it_is(player):
    player.open("/?compare=generative&t=9999")
    field = np.array(player.js("s.maps[0].run.reading(s.maps[0].run.nSteps).field"))
    assert 0.0 < field.min() < 1e-12 * field.max()
    [boundary] = player.marks("map-0", name="boundary")
    assert boundary["lines"] == []


@pytest.mark.parametrize("name", PRESETS)
def test_a_comparison_shows_its_numbers_names_and_colours_at_any_instant(player, name):
    preset = PRESETS[name]
    settings, pins = preset.settings()
    models = [*(pin.on(settings) for pin in pins), settings]
    made = runs(settings, pins)
    player.open(f"/?compare={name}")
    suffixes = [*(f"-{k}" for k in range(len(pins))), ""]
    names = [player.words(f"caption{suffix}", "caption") for suffix in suffixes]
    wanted = comparison.names(pins, settings)
    assert all(
        text == full or text[:-1] == full[: len(text) - 1]
        for text, full in zip(names, wanted, strict=True)
    )
    limits = set(
        player.js("Object.values(s.scenes()).map(({ limit, scale }) => scale?.shown ?? limit)")
    )
    assert preset.scale == "own" or len(limits) == 1
    for t in (7, max(run.n_steps for _, run in made)):
        player.go(t)
        said = set()
        for suffix, model, (split, run) in zip(suffixes, models, made, strict=True):
            numbers = comparison.summary(model, split, run)
            said.add(
                tuple(
                    mark["text"].rstrip("s")
                    for mark in player.marks(f"decide{suffix}", name="decide")
                )
            )
            for key in preset.decide:
                [mark] = player.marks(f"decide{suffix}", name=key)
                now = min(t, run.n_steps)
                found = {
                    "mistakes": run.mistake[:now].sum(),
                    "support": len(run.state_at(now).support),
                }
                assert key not in found or mark["text"] == f"{found[key]:,}"
                if t >= run.n_steps and model.predictor == "last":
                    form = {"margin": explain.number, "train_error": percent, "test_error": percent}
                    assert mark["text"] == form.get(key, "{:,}".format)(getattr(numbers, key))
            radii = [
                mark["r"] for mark in player.marks(f"map{suffix}") if mark.get("i") is not None
            ]
            assert name != "widths" or max(radii) < 3 * min(radii)
        assert len(said) == 1  # the same number is called the same
    assert player.press("End").t == t


# ---- runs side by side ---------------------------------------------------------------------------

BOARDS = [(1342, 714), (1896, 1026)]  # in windows of 1366 × 768 and 1920 × 1080
LOWER = [(1342, 590), (976, 646)]
LINKS = [
    "/?v=1&pins=3&p1.kernel=linear&p2.kernel=polynomial&p3.learner=svm&t=60",
    "/?v=1&held=0.3&pins=3&p1.kernel=linear&p2.learner=svm&p3.learner=forgetron&t=40",
    "/?compare=ties&t=20",
    "/?v=1&pins=2&p1.kernel=linear&p2.learner=svm&t=60",
    "/?v=1&pins=1&p1.kernel=linear&held=0.3&t=60",
]


MORE_LINKS = [
    "/?v=1&n=4&noise=0&kernel=linear&epochs=10&pins=3&p1.kernel=linear&p1.tie=correct"
    "&p2.kernel=linear&p2.tie=positive&p3.kernel=linear&p3.tie=negative&t=6",
    "/?v=1&data=iris&kernel=sigmoid&learner=svm&t=31&pins=3&p1.kernel=matern32&p1.learner=svm"
    "&p2.learner=norma&p3.kernel=laplacian&p3.learner=svm",
    "/?compare=ties&t=99999",
    "/?compare=widths&t=99999",
    "/?compare=svm&t=99999",
]
TEXTS = """(([rooms, folds]) => {
  s.verdicts.folds = folds;
  const { boxOf } = load("paint/measure.js");
  const faults = [];
  for (const [width, height, around] of rooms) {
    s.size = { width, height };
    s.around = around;
    s.arrange();
    for (const { name, rect, marks } of s.board.panels) {
      if (!/^(caption|question|decide|sentences|alpha)/.test(name)) continue;
      for (const mark of marks.filter(({ kind, text }) => kind === "text" && text?.trim())) {
        const { x, y, w, h } = boxOf(mark, s.palette.fonts);
        const beyond = [rect.x - x, x + w - rect.x - rect.w, rect.y - y - 2, y + h - rect.y - rect.h - 2];
        const isCut = mark.text.includes("…") && height > 500;
        if (isCut || beyond.some((px) => px > 1.5)) faults.push([width, height, name, mark.text]);
      }
    }
  }
  return faults;
})(arg)"""


@pytest.mark.parametrize("link", [*LINKS, *MORE_LINKS])
@pytest.mark.parametrize("folds", [False, True])
def test_what_is_said_of_compared_runs_has_its_room_at_every_size(player, link, folds):
    """Nothing is beyond its panel, and but in low windows nothing is cut; `folds`: there is a button
    for the reasons.
    """
    rooms = [room_in(window) for window in WINDOWS]
    assert player.open(link).js(TEXTS, [rooms, folds]) == []


LONG_AND_SHORT = "/?v=1&pins=2&p1.kernel=linear&p2.kernel=polynomial"


def test_the_timeline_shows_what_has_been_large_and_what_is_to_come_at_its_end(player):
    """One run is thirty times as long as the others. Its scale tells each instant, all the same,
    and stays while a hand holds it.
    """
    player.open(LONG_AND_SHORT)
    end = player.js("s.runs.end")
    rect = player.js("s.layout.panels.timeline")
    left, wide = rect["x"] + rect["inset"], rect["w"] - rect["inset"] - 8

    def cursor():
        (mark,) = player.marks("timeline", name="cursor")
        return mark["x"] + 1.5

    for t in (1, 59, 60, 61, 240, 1000, end):
        player.go(t)
        scale = "(s.targets.board = null, s.targets.scaleOf('timeline')(arg))"
        assert player.js(scale, cursor()) == pytest.approx(t, abs=1)
        assert t > 30 or cursor() < left + wide / 4
        assert t < 59 or cursor() > left + wide / 4
    player.go(60)
    scale = "[arg - 400, arg - 10, arg].map(s.targets.scaleOf('timeline'))"
    values = player.js(scale, left + wide)
    assert values == sorted(values)
    assert values[-1] == end


TICKS = """s.board.panels.find(({ name }) => name === "timeline").still
  .filter(({ upTo }) => upTo !== undefined).map((layer) => {
    const [{ points, letter }] = layer.marks();
    return [letter, points.filter((_, k) => k % 2 === 0).map((x) => x < layer.upTo)];
  })"""


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080), (390, 844)])
def test_why_a_row_has_no_ticks_reaches_to_no_tick_of_the_row_below(player, size):
    opened(player, "/?v=1&pins=2&p1.learner=svm&p2.kernel=linear&t=60", size)
    (note,) = player.marks("timeline", name="empty")
    ticks = [mark for mark in player.marks("timeline", name="behind") if mark["letter"] == "B"]
    tops = [top for mark in ticks for top in mark["points"][1::2]]
    assert tops
    assert note["y"] + 0.2 * note["size"] < min(tops)


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
def test_no_tick_stands_for_a_mistake_that_is_to_come(player, size):
    """What is to come lies close together in the end of the timeline: its ticks are not seen."""
    made = runs(Settings.of(), [Pin.of(Settings.of(kernel="linear"))])
    opened(player, "/?v=1&pins=1&p1.kernel=linear&stage=window", size)
    for t in (1, 12, 59, 60, 61, 100, 240):
        player.go(t)
        counts = {letter: sum(seen) for letter, seen in player.js(TICKS)}
        for letter, (_, run) in zip("AB", made, strict=True):
            assert counts[letter] <= run.mistake[:t].sum()
            assert t > 60 or counts[letter] == run.mistake[:t].sum()
    player.go(60)
    assert player.marks("timeline", name="last")[0]["text"].endswith("2–50")
    assert len(player.marks("timeline", name="break")) == 2


def test_what_each_run_says_is_short_and_its_reasons_are_behind_a_button(player):
    """Of a mistake, of what is right, of a pair and of each end; the colours are the verdicts'."""
    player.open(LINKS[0]).js("void (s.verdicts.folds = true)")

    def told():
        player.js("void s.arrange()")
        marks = player.marks("sentences", name="sentence")
        return {
            letter: " ".join(mark["text"] for mark in marks if mark["letter"] == letter)
            for letter in "ABCD"
        }

    short = told()
    assert re.fullmatch(r"A mistake: score \+[\d.]+, now \+[\d.]+\.", short["A"])
    assert re.fullmatch(r"Right: score −[\d.]+\.", short["D"])
    assert re.fullmatch(r"x\S+ and x\S+ change\.", short["C"])
    player.js("void (s.verdicts.open = 'why')")
    long = told()
    assert all(len(long[letter]) > len(short[letter]) + 15 for letter in "ABCD")
    player.open("/?compare=ties&t=99999").js("void (s.verdicts.folds = true)")
    ends = told()
    assert ends["A"] == "Nothing learnt: a zero score counts as correct."
    assert ends["B"] == ends["C"] == "Not converged within 10 epochs: still 2 mistakes in the last."
    bars = [mark["fill"] for mark in player.marks("sentences", kind="rect")]
    quiet, warning = player.js("[s.palette.quiet, s.palette.warning]")
    assert bars == [quiet, warning, warning, warning]


@pytest.mark.parametrize(
    ("guess", "told"), [("C", "✓ C, your guess. "), ("A", "✓ C, you said A. "), ("", "✓ C. ")]
)
def test_what_was_right_and_what_was_guessed_stand_behind_the_question(player, guess, told):
    player.open("/?compare=widths&t=99999")
    player.js("void (s.runs.guess = arg, s.arrange())", guess)
    (mark,) = player.marks("question", name="comparison")
    assert mark["text"].startswith(told + "σ")
    assert mark["tints"] == [[0, len("✓ C"), player.js("s.palette.good")]]


OWN_SCALES = "colours: each map its own scale"


@pytest.mark.parametrize("t", [1, 60, 99999])
@pytest.mark.parametrize("size", [(1024, 768), (1280, 720), (1366, 768), (1920, 1080)], ids=str)
@pytest.mark.parametrize("link", [*LINKS, LONG_AND_SHORT, "/?compare=widths", "/?compare=ties"])
def test_no_scale_of_colours_stands_for_a_map_with_another_one(player, link, size, t):
    """Each map has its own beside its name, or none has, and the line above all says so."""
    opened(player, link, size).go(t)
    ends = player.js(
        "s.runs.all.map((run) => {"
        " const { field } = run.reading(Math.min(s.t, run.nSteps));"
        " return field.some((f) => Math.abs(f) > 1e-9 * run.header.limit)"
        " ? run.limitAt(Math.min(s.t, run.nSteps)) : null; })"
    )
    count = len(ends)
    captions = [f"caption-{k}" for k in range(count - 1)] + ["caption"]
    scales = [[mark["text"] for mark in player.marks(name, name="end")] for name in captions]
    above = [mark["text"] for mark in player.marks("strip") if "text" in mark]
    shared = "f" in above or "f/‖f‖" in above
    if any(scales):
        assert not shared
        for (high, _), end in zip(scales, ends, strict=True):
            assert float(
                high.lstrip("≥ +").removesuffix(" or more").replace(",", "")
            ) == pytest.approx(end)
    elif not shared:
        assert (OWN_SCALES in above) == (sum(end is not None for end in ends) > 1)
    feet = [
        mark["text"]
        for name in [*(f"map-{k}" for k in range(count - 1)), "map"]
        for mark in player.marks(name, name="missing")
    ]
    assert len(feet) == (ends.count(None) if t else 0)
    assert all(foot.startswith("f = 0 everywhere") for foot in feet)


def test_on_a_phone_the_verdict_stands_under_the_map_of_each_run(player):
    opened(player, LINKS[0], (374, 800))
    verdicts = {
        mark["letter"]: mark["text"]
        for suffix in ("-0", "-1", "-2", "")
        for mark in player.marks(f"decide{suffix}", name="outcome")
    }
    expected = ["A mistake: +0.69", "Right: −1.72", "A pair changes", "Right: −0.40"]
    assert verdicts == dict(zip("ABCD", expected, strict=True))
    # So neither is said once more below, and where they are is said once.
    sentences = player.marks("sentences")
    assert {mark.get("letter") for mark in sentences if mark.get("name") == "sentence"} == {"C"}
    counters = [mark["text"] for mark in sentences if mark.get("name") == "counter"]
    assert counters == ["60 of 60 examples, first epoch", "Step 60, first epoch"]
    for letter, k in zip("ABD", (0, 1, 3), strict=True):
        score = player.js(f"s.runs.all[{k}].trace.score[59]")
        assert read(verdicts[letter].split(": ")[1]) == pytest.approx(score, abs=0.0051)
    opened(player, "/?compare=ties&t=99999", (374, 800))
    ends = [player.words(f"decide{suffix}", "outcome") for suffix in ("-0", "-1", "-2", "")]
    assert ends == ["Nothing learnt", "Not converged", "Not converged", "Not converged"]


@pytest.mark.parametrize("size", [(374, 800), (1366, 768)])
def test_a_run_that_is_over_keeps_its_last_example_while_one_looks_at_the_next(player, size):
    opened(player, "/?compare=ties&t=20", size)
    ringed = [(mark["x"], mark["y"]) for mark in player.marks("map-0", name="current")]
    assert len(ringed) == 1
    player.js("(s.toggleSlow(), s.beat(), 1)")
    assert player.js("s.looking")
    assert [(mark["x"], mark["y"]) for mark in player.marks("map-0", name="current")] == ringed
    # What the step before was is not said of the coming one.
    assert not any(player.marks(f"decide{suffix}", name="outcome") for suffix in ("-0", "-1", ""))


def opened(player, link, size):
    return player.open(link, {"width": size[0], "height": size[1]})


@pytest.mark.parametrize(
    ("size", "link", "stage"),
    covering([*BOARDS, *LOWER, (390, 844)], LINKS, ["", "&stage=window"]),
    ids=str,
)
def test_the_letter_of_a_run_stands_apart_from_its_first_tick(player, link, stage, size):
    opened(player, link + stage, size)
    letters = [
        mark for mark in player.marks("timeline", kind="text") if mark["text"] in set("ABCD")
    ]
    assert len(letters) == player.js("s.runs.all.length")
    right = max(mark["x"] + 0.66 * mark["size"] for mark in letters)
    ticks = [mark["points"][::2] for mark in player.marks("timeline", kind="rects")]
    assert min(x for xs in ticks for x in xs) >= right + 3
    (cursor,) = player.marks("timeline", name="cursor")
    assert cursor["x"] > right
    rect = player.js("s.layout.panels.timeline")
    assert rect["x"] <= min(mark["x"] for mark in letters)
