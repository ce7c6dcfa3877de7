"""What the stage shows that needs no page: panels apart, type for the back row, tips, flags, cues,
what is empty.
"""

import numpy as np
import pytest
from board_laws import faults
from lecture import LECTURE

from kpviz import experiment
from kpviz.export import pace
from kpviz.lessons import verdict
from kpviz.panels import LIT
from kpviz.settings import Settings, cues, from_query
from kpviz.settings.cues import Cues

SHAPES = {"16x9": (1920, 1080), "4x3": (1440, 1080), "1x1": (1080, 1080), "9x16": (608, 1080)}
PRESENTED = [
    "v=1&t=12",
    "v=1&t=12&show=alpha.code.margins.own",
    "v=1&learner=forgetron&t=40",
    "v=1&data=breast_cancer&held=0.3&t=150",
    "v=1&stream=on&t=150",
    "v=1&kernel=linear&t=3000",
    "v=1&t=30&show=alpha.bound.readings",
    "v=1&data=linear&kernel=linear&t=60&show=primal",
    "v=1&data=circles&kernel=polynomial&degree=3&t=60&show=primal.alpha",
    "v=1&learner=svm&t=5&show=own.alpha",
    "v=1&learner=pa&t=5&show=own",
    "v=1&data=moons&n=60&noise=0.15&held=0.3&pins=1&p1.kernel=linear&t=30",
    "v=1&data=moons&n=60&noise=0.15&pins=2&p1.kernel=linear&p2.sigma=0.1&t=30",
    LECTURE.removeprefix("/?") + "&t=3",
]
# Of the type for the back row: how large each text is, and which lie on another one or outside.
LEGIBLE = """(() => {
  const { boxOf, overlap, SCRIPT } = load("paint/measure.js"), { board, layout: { least }, palette: { fonts } } = s;
  const legible = new (load("paint/measure.js").Legible)(), sizes = [], wrong = [];
  const { width, height } = board, whole = { x: 0, y: 0, w: width, h: height };
  for (const panel of board.panels) {
    legible.fit(panel, { least, fonts, width, height });
    const texts = panel.marks.filter(({ kind, text }) => kind === "text" && text.trim());
    const boxes = texts.map((mark) => boxOf(mark, mark.code ? { ...fonts, canvas: fonts.code } : fonts));
    let line = Infinity;  // The size of the text before: an index is as large as its line allows.
    boxes.forEach((one, k) => {
      const { size } = texts[k], isIndex = Math.abs(size - SCRIPT * line) < 1e-6;
      if (!isIndex) line = size;
      sizes.push(line);
      if (boxes.slice(k + 1).some((other) => overlap(one, other))) wrong.push(["on another", texts[k].text]);
      const { x, y, w, h } = panel.rect ?? whole;
      const far = Math.max(x - one.x, one.x + one.w - x - w, y - one.y, one.y + one.h - y - h);
      if (far > 5) wrong.push(["outside", texts[k].text]);
    });
  }
  return { sizes, wrong };
})()"""


@pytest.mark.parametrize("shape", SHAPES)
def test_all_type_is_24_px_at_1080_and_grows_with_the_stage(player, shape):
    width, height = SHAPES[shape]
    for link in PRESENTED:
        for share in (1, 2):
            size = (share * width, share * height)
            player.open(
                f"/?{link}&stage={shape}", dict(zip(("width", "height"), size, strict=True))
            )
            found = player.js(LEGIBLE)
            assert len(found["sizes"]) > 8
            assert min(found["sizes"]) >= 24 * share - 0.01, link
            assert found["wrong"] == [], link


@pytest.mark.parametrize(
    ("size", "verdict", "title"),
    [
        ((1366, 768), 0.05, 0.037),
        ((1280, 800), 0.05, 0.037),
        ((1024, 768), 0.047, 0.033),
        ((844, 390), 0.05, 12 / 390),
    ],
)
def test_what_is_the_case_and_each_panel_are_read_by_the_height_of_the_stage(
    player, size, verdict, title
):
    width, height = size
    for link in PRESENTED:
        if "pins" in link or "compare" in link:
            continue
        player.open(f"/?{link}&stage=window", {"width": width, "height": height})
        said = player.marks("words", name="sentence")
        assert said[0]["size"] >= verdict * height, (link, player.sentence)
        rect = player.js("s.layout.panels.words")
        assert said[-1]["y"] <= rect["y"] + rect["h"], link
        for page in range(player.js("s.layout.pages.length")):
            player.js("(s.player.panelPage = arg, s.arrange())", page)
            for name in player.js("s.layout.pages[s.layout.page]"):
                titles = player.marks(name, name="title") or player.marks(name, kind="text")
                assert titles[0]["size"] >= title * height, (link, name)


@pytest.mark.parametrize(
    ("query", "panel", "text", "growth"),
    [
        ("learner=svm&t=5&show=own", "own", "α of the", 1.25),
        ("data=linear&kernel=linear&t=60&show=primal", "primal", "The dual keeps", 1.25),
    ],
)
def test_before_a_class_words_and_numbers_of_a_panel_are_as_large_as_its_room_lets_them(
    player, query, panel, text, growth
):
    player.open(f"/?v=1&{query}&stage=16x9", {"width": 1920, "height": 1080})
    assert [
        mark["size"] > growth * 24
        for mark in player.marks(panel, kind="text")
        if text in mark["text"]
    ] == [True]


def test_the_map_is_about_as_large_as_promised(player):
    for height, side in ((714, 664), (586, 542)):
        assert (
            player.open("/?v=1", {"width": 1342, "height": height}).js("s.layout.panels.map.w")
            >= side
        )


@pytest.mark.parametrize("size", [(1342, 714), (366, 790)])
def test_the_tip_stays_on_the_board_and_off_the_buttons(player, size):
    player.open(
        "/?v=1&t=900&noise=0.2&epochs=20", dict(zip(("width", "height"), size, strict=True))
    )
    rect, line = player.js("[s.layout.panels.map, s.layout.panels.timeline]")
    corners = ((0.02, 0.98), (0.98, 0.98), (0.98, 0.15), (0.5, 0.5))
    places = [
        (rect["x"] + across * rect["w"], rect["y"] + down * rect["h"]) for across, down in corners
    ]
    for place in [
        *places,
        *((line["x"] + share * line["w"], line["y"] + line["h"] - 2) for share in (0.2, 0.99)),
    ]:
        player.point(*place)
        (box,) = player.marks("tip", kind="rect")
        assert box["x"] >= 0
        assert box["x"] + box["w"] <= size[0]
        assert box["y"] >= 0
        assert box["y"] + box["h"] <= player.js("s.layout.height")
        bar = player.js("s.layout.bar")
        assert any(
            box[at] + box[side] <= bar[at] or bar[at] + bar[side] <= box[at]
            for at, side in (("x", "w"), ("y", "h"))
        )
        assert [fault for fault in faults(player)[0] if fault[0] == "outside"] == []


def test_the_places_that_a_cue_may_have_are_those_of_the_instant(player):
    run = experiment.run(Settings.of())
    mistakes, ends = (
        (run.mistake.nonzero()[0] + 1).tolist(),
        [*run.epoch_start[1:].tolist(), run.n_steps],
    )
    known = ["start", "end", *(f"mistake {k + 1}" for k in range(len(mistakes)))]
    known += [f"epoch {k + 1}" for k in range(len(ends))]
    places = cues.Places(run.n_steps, mistakes, ends, len(run.y))
    player.open()
    for t in [0, 1, 2, *mistakes[-2:], *ends]:
        offered = player.js("load('run/cues.js').placesOf(arg, s.run)", t)
        right = {place for place in known if places.step(cues.Cue(place)) == t} | ({str(t)} - {"0"})
        assert set(offered) == right
        assert len(offered) == len(right)
        assert offered[-1] == str(t) or t == 0  # what survives other settings comes first


def test_cues_are_counted_and_written_as_python_does(player):
    player.open()
    assert player.js("load('run/cues.js').LIMITS") == {
        "cues": cues.MOST_CUES, "code": cues.LONGEST_CUES, "text": cues._WORDS, "hold": cues.LONGEST_HOLD,
        "speed": [cues.SLOWEST, cues.FASTEST],
    }  # fmt: skip
    every = "3 hold 0.125 speed 0.05: a: b|12 hold 600|14 speed 12.5|end light " + ", ".join(
        (*LIT, "x1")
    )
    for code in ("start|end: Done.|>Ask.", "", "title: T", "3: ¦w¦|>¦", every):
        made = Cues.of_code(code)
        assert player.js("load('run/cues.js').codeOf(arg)", made.plain) == made.code == code


@pytest.mark.parametrize(
    ("link", "name", "why"),
    [
        ("v=1", "own", "this learner has nothing of its own"),
        ("v=1&stream=on", "gram", "a stream has no training set"),
        ("v=1", "primal", "no finite feature map"),
        ("v=1", "lift", "monomial kernel"),
        ("v=1", "unhatched", "no runs are compared"),
        ("v=1&data=texts", "lines", "these examples have no plane"),
        ("v=1&predictor=voted", "normed", "a vote has no norm"),
        ("v=1&pins=1&p1.kernel=linear", "code", "not beside compared runs"),
        ("v=1", "margins", ""),
    ],
)
def test_a_panel_with_nothing_to_show_says_why(player, link, name, why):
    player.open(f"/?{link}")
    panel = "load('board/panel_table.js').PANELS.find(({ name }) => name === arg)"
    found = player.js(f"load('page/chooser.js').whyEmpty({panel}, s.player)", name)
    assert why in found
    assert bool(found) == bool(why)


@pytest.mark.parametrize("stage", ["", "16x9", "9x16"])
def test_what_is_known_of_the_end_is_said_and_drawn_on_a_stage_of_any_shape(
    player, stage, monkeypatch
):
    monkeypatch.setattr(verdict, "SECONDS", 60.0)
    given = {"kernel": "linear", "intercept": "unit"}
    settings = Settings.of(**given)
    split = experiment.prepare(settings)
    found = verdict.of(settings, split, experiment.run(settings, split), drawn=True)
    size = SHAPES.get(stage, (1342, 714))
    player.open(
        f"/?{settings.query()}&t=99999&stage={stage or 'window'}",
        dict(zip(("width", "height"), size, strict=True)),
    )
    player.find_out(**given)
    assert len(player.marks("map", name="crossing")) == len(
        np.flatnonzero(found.separability.weights)
    )
    assert found.no
    assert player.sentence.startswith(found.no)
    rect, least = player.js("[s.layout.panels.words, s.layout.least]")
    for mark in player.marks("words", name="sentence"):
        assert mark["size"] >= least - 1e-9
        assert mark["y"] <= rect["y"] + rect["h"] + 1
    player.go(player.t - 1)
    assert player.marks("map", name="crossing") == []


@pytest.mark.parametrize("query", ["v=1&kernel=linear", "v=1&data=spirals&sigma=0.3", "v=1&n=20"])
def test_a_stage_passes_over_what_a_film_passes_over_and_the_board_of_a_desk_does_not(
    player, query
):
    run = experiment.run(from_query(query)[0])
    speeds = [1.0] * (run.n_steps + 1)
    leaps = pace._leaps([run], speeds, [0, run.n_steps], 0, pace.STRETCH)
    leap = "(s.cursor.toggle(), s.cursor.leap && [s.cursor.leap.from, s.cursor.leap.to])"
    assert player.open(f"/?{query}").js(leap) is None
    player.open(f"/?{query}").js("(s.modes.enter({ name: 'stage', leaps: true }), 0)")
    assert player.js(leap) == (list(leaps[0]) if leaps else None)
    if leaps:
        begin, end = leaps[0]
        player.js("(s.cursor.put(arg), 0)", begin)
        assert player.js("(s.cursor.beat(), s.t)") == end
        assert player.js("s.cursor.leapWords") == pace._later(run, begin, end, stream=False)
        assert player.sentence == player.js("s.cursor.leapWords")
        player.js("(s.cursor.beat(), 0)")
        assert player.js("s.cursor.leapWords") == ""
