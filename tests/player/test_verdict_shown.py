"""At the end of a run with mistakes the map says what its rings and its dashed boundary mean, tips
what one weighs.
"""

import numpy as np
import pytest
from board_laws import faults

from kpviz import experiment
from kpviz.lessons import verdict
from kpviz.settings import Settings

SIZES = [(1342, 714), (1896, 1026), (390, 844)]
TIES = {"data": "xor", "n": 4, "noise": 0.0, "kernel": "linear", "tie": "mistake", "epochs": 10}
CROSSES = {"kernel": "linear", "intercept": "unit"}
SEPARATES = {"epochs": 1}
LEARNT = "&p1.kernel=linear&p2.kernel=polynomial&p3.learner=svm"


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """What helps is looked for as long as that takes, on a busy machine too."""
    monkeypatch.setattr(verdict, "SECONDS", 60.0)


def at_the_end(player, link, size=SIZES[0], **given):
    player.open(link, {"width": size[0], "height": size[1]})
    return player.go(player.js("Math.max(...s.runs.all.map(({ nSteps }) => nSteps))")).find_out(
        **given
    )


@pytest.mark.parametrize(
    ("size", "stage"),
    [
        (size, stage)
        for size in SIZES
        for stage in ("", "&stage=window", "&stage=16x9")
        if size[0] > 900 or not stage
    ],
    ids=str,
)
@pytest.mark.parametrize(
    ("link", "given", "name", "begins"),
    [
        ("/?compare=ties", TIES, "crossing", "their lines cross"),
        (
            "/?v=1&kernel=linear&intercept=unit",
            CROSSES,
            "crossing",
            "ringed: the lines between them cross",
        ),
        ("/?v=1&epochs=1", SEPARATES, "separates", "dashed: an f that separates"),
        (f"/?v=1&epochs=1&pins=3{LEARNT}", SEPARATES, "separates", "it separates"),
        (
            "/?v=1&epochs=1&pins=2&p1.kernel=linear&p2.kernel=polynomial",
            SEPARATES,
            "separates",
            "dashed: ",
        ),
    ],
)
def test_rings_and_the_dashed_boundary_have_words_above_their_map(
    player, link, given, name, begins, stage, size
):
    at_the_end(player, link + stage, size, **given)
    assert player.marks("map", name=name)
    above = "caption" if "pins" in link or "compare" in link else "strip"
    assert all(mark["dash"] for mark in player.marks("map", name=name))
    words = player.marks(above, name="verdict")
    signs = [mark for mark in player.marks(above) if mark.get("dash")]
    assert len(words) == len(signs) == 1 or (above == "caption" and not words and not signs)
    if above == "strip" and size == SIZES[0] and not stage:
        assert words[0]["text"].startswith(begins)
    assert faults(player)[0] == []
    player.go(player.js("s.t") - 1)
    assert not player.marks(above, name="verdict")


def test_the_tip_of_a_ringed_example_tells_its_weight(player):
    at_the_end(player, "/?v=1&kernel=linear&intercept=unit", **CROSSES)
    settings = Settings.of(**CROSSES)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    told, digits = np.zeros(len(run.y)), np.zeros(len(run.y))
    for i in player.js("s.player.verdicts.at(s.run, s.t).ringed"):
        player.point(*player.js("[s.view.x(s.run.X[2 * arg]), s.view.y(s.run.X[2 * arg + 1])]", i))
        (at,) = [k for k, line in enumerate(player.tip) if line.startswith("weight ")]
        head, sentence = player.tip[at : at + 2]
        shown = head.split(",")[0].removeprefix("weight ")
        told[i], digits[i] = float(shown), 0.5 * 10.0 ** -len(shown.partition(".")[2])
        assert head.startswith("weight 0.")
        assert "one of 4" in head
        assert sentence == "sum to 0 for every f; so they cannot all be positive"
    assert told.sum() == pytest.approx(1.0, abs=digits.sum())
    for f in (run.X[:, 0], run.X[:, 1], np.ones(len(run.y))):
        assert abs((told * run.y * f).sum()) <= (digits * np.abs(f)).sum()
    lines = player.marks("map", name="hull")
    assert [mark["stroke"] for mark in lines] == player.js(
        "[s.palette.point.positive, s.palette.point.negative]"
    )
    ends = [tuple(np.round(mark["points"], 6).reshape(-1, 2)[k]) for mark in lines for k in (0, 1)]
    ringed = player.js("s.player.verdicts.at(s.run, s.t).ringed")
    spots = [
        player.js("[s.view.x(s.run.X[2 * arg]), s.view.y(s.run.X[2 * arg + 1])]", i) for i in ringed
    ]
    assert sorted(ends) == sorted(tuple(np.round(spot, 6)) for spot in spots)
    player.point(*player.js("[s.view.x(s.run.X[2]), s.view.y(s.run.X[3])]"))
    assert not any("weight" in line for line in player.tip)


def test_nothing_is_found_out_while_one_plays(player):
    player.open("/?v=1&kernel=linear&epochs=2").press("End").rest()
    wanted = "s.player.verdicts.openRun !== null"
    assert player.js(wanted)
    assert not player.js(f"(s.player.clock.playing = true, {wanted})")


@pytest.mark.parametrize("intercept", ["none", "unit"])
def test_that_no_line_at_all_separates_is_said_first_and_drawn_as_two_lines_that_cross(
    player, intercept
):
    given = {"kernel": "linear", "intercept": intercept}
    at_the_end(player, f"/?v=1&kernel=linear&intercept={intercept}", **given)
    said = player.js("load('board/narration.js').narrationOf(s.player).sentence")
    run = experiment.run(Settings.of(**given))
    wrong = (run.y * run.decision_function(run.X) <= 0).sum()
    assert said.startswith(
        f"No line parts them. Whatever it tries, some stay wrong: {wrong} of 60 now."
    )
    assert len(player.marks("map", name="hull")) == 2
    assert not player.marks("map", name="mirrored")


ONLY_THROUGH_THE_ORIGIN = [
    {"data": "moons", "n": 12, "epochs": 3, "kernel": "linear", "seed": seed} for seed in (2, 7)
]


@pytest.mark.parametrize("given", ONLY_THROUGH_THE_ORIGIN)
def test_a_proof_by_mirrored_points_waits_for_the_question_why(player, given):
    at_the_end(player, f"/?{Settings.of(**given).query()}", **given)
    player.js("(s.player.verdicts.folds = true)")
    assert not player.js("s.player.verdicts.drawnAt(s.run, s.t).ringed.length")
    player.js("(s.player.verdicts.open = 'why')")
    assert player.js("s.player.verdicts.drawnAt(s.run, s.t).ringed.length") == 3
    player.js("(s.player.verdicts.folds = false, s.player.verdicts.open = '')")


@pytest.mark.parametrize("given", ONLY_THROUGH_THE_ORIGIN)
def test_where_no_line_through_the_origin_separates_the_ringed_ones_are_drawn_round_it(
    player, given
):
    at_the_end(player, f"/?{Settings.of(**given).query()}", **given)
    known = player.js("s.player.verdicts.at(s.run, s.t)")
    run = experiment.run(Settings.of(**given))
    places = {i: (-1 if i in known["mirrored"] else 1) * run.X[i] for i in known["ringed"]}
    (line,) = player.marks("map", name="triangle")
    corners = np.reshape(line["points"], (-1, 2))
    wanted = [
        player.js("[s.view.x(arg[0]), s.view.y(arg[1])]", place.tolist())
        for place in places.values()
    ]
    np.testing.assert_allclose(corners, [*wanted, wanted[0]], atol=1e-4)  # sent as float32
    marked = {
        (round(mark["x"], 3), round(mark["y"], 3)) for mark in player.marks("map", name="mirrored")
    }
    assert marked == {
        tuple(np.round(at, 3))
        for i, at in zip(places, wanted, strict=True)
        if i in known["mirrored"]
    }
    assert len(player.marks("map", name="origin")) == 1


KERNELS = "/?v=1&t=1{}&show=derivation.gram.validity"
FIRST_HALF = (
    "load('board/sentence.js').halvesOf(load('board/narration.js').narrationOf(s.player).sentence)"
)


@pytest.mark.parametrize(
    ("link", "says"),
    [
        (KERNELS.format(""), "Gaussian is a kernel, always: that is proven."),
        (
            KERNELS.format("&normalize=on&kernel=linear"),
            "Linear, normalized, is a kernel, always: that is proven.",
        ),
        (
            KERNELS.format("&kernel=sigmoid"),
            "Sigmoid is not a kernel: a squared length would be negative.",
        ),
        (
            KERNELS.format("&kernel=formula&formula=min(u[1],v[1])%2B10"),
            "This formula may be a kernel: nothing refutes it here, and no proof is known.",
        ),
    ],
)
def test_the_place_of_the_kernels_names_first_what_is_one_and_what_is_none(player, link, says):
    player.open(link, {"width": SIZES[0][0], "height": SIZES[0][1]})
    verdict_said, then = player.js(FIRST_HALF)
    assert verdict_said == says
    assert then == "The map shows the votes of x₀ alone."
    # It does: no other example has a weight.
    weights = player.js("[...s.run.alphas(1)]")
    assert [i for i, weight in enumerate(weights) if weight] == [0]
    # The panel does not answer a second time; on another board it does.
    assert not player.marks("validity", name="answer")
    player.open(f"{link}.alpha", {"width": SIZES[0][0], "height": SIZES[0][1]})
    assert player.js(FIRST_HALF)[0] != says
    assert player.marks("validity", name="answer")


LINES = """(() => {
  const { halvesOf, linesOf } = load("board/sentence.js");
  const { textWidth } = load("paint/measure.js");
  const { rect, unit } = { rect: s.layout.panels.words, unit: s.layout.unit };
  const { fonts } = s.palette;
  const sentences = Array.from({ length: 40 }, (_, t) => load("run/words.js").explain(s.run, t).described);
  return sentences.flatMap((sentence) => {
    const lines = linesOf(sentence, ["title", "large"], { rect, unit, fonts });
    return [0, 1].map((half) => lines.filter((line) => line.half === half)
      .map(({ text, size }) => [text, textWidth(text, size, fonts, 500)]));
  });
})()"""


@pytest.mark.parametrize("size", SIZES)
def test_no_word_stands_alone_in_the_last_line_of_a_sentence(player, size):
    player.open("/?v=1", {"width": size[0], "height": size[1]})
    halves = [half for half in player.js(LINES) if len(half) > 1]
    assert halves
    for half in halves:
        widths = [width for _, width in half]
        assert min(widths) > 0.5 * max(widths), half
        assert len(half[-1][0].split()) > 1, half
