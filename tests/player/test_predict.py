"""Predicting: which steps are asked about, what an answer is worth, and that nothing on the board
tells it.
"""

import json
import re

import numpy as np
import pytest

from kpviz import experiment, panels
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.learners import LEARNERS
from kpviz.lessons import explain
from kpviz.settings import Settings

ALL = ".".join(sorted(panels.IN_LINKS))
LINKS = [
    f"v=1&show={ALL}",
    f"v=1&intercept=unit&predictor=averaged&held=0.3&show={ALL.replace('similar', '')}",
    "v=1&learner=svm&noise=0.2",
    "v=1&learner=logistic&data=circles",
    "v=1&data=bits&function=parity&bits=4",
    "v=1&data=texts",
    "v=1&stream=on&n=300&noise=0.2",
]
BOARD = (
    "JSON.stringify(s.board.panels.map((p) => [p.name, p.marks]),"
    " (key, value) => key === 'image' ? [...value.data ?? []] : ArrayBuffer.isView(value) ? "
    "[...value] : value)"
)
# f with the other sign: a board that says anything of it changes.
TURNED = """(() => {
  const { run } = s;
  const { reading } = run;
  const minus = (values) => values.map((value) => -value - 1);
  run.reading = (t) => {
    const { coef, b, field, scores } = reading(t);
    return { coef: minus(coef), b: -b, field: minus(field), scores: minus(scores) };
  };
  return 0;
})()"""


# Before the first four answers the colours of f are seen.
ANSWERED = """(() => {
  const { question } = s.standing;
  while (question.answers.size < 4 || question.phase !== "ask") {
    if (question.phase === "ask") question.answer(1);
    question.nextQuestion();
  }
  return 0;
})()"""


def side(run, t):
    return "ArrowLeft" if run.score[t] > 0 else "ArrowRight"


def other(key):
    return {"ArrowLeft": "ArrowRight", "ArrowRight": "ArrowLeft"}[key]


def questions(player):
    return player.js("s.standing.question.questions")


# ---- what is asked -------------------------------------------------------------------------------


@pytest.mark.parametrize("data", SOURCES)
def test_neither_always_a_mistake_nor_never_a_mistake_is_right_much_more_often_than_half(
    player, data
):
    settings = Settings.of(data=data, noise=0.15)
    player.open(f"/?{settings.query()}").press("q").rest()
    run = player.agrees()
    asked = questions(player)
    assert asked == sorted(set(asked))
    assert (run.score[asked] != 0).all()
    mistakes, epochs = int(run.mistake[asked].sum()), run.n_epochs
    assert (
        abs(2 * mistakes - len(asked)) <= epochs + 1
    )  # a clean epoch asks one; a first mistake may be at f = 0


def test_the_questions_of_an_epoch_are_its_mistakes_and_the_right_answers_that_were_close_or_came_new(
    player,
):
    player.open("/?v=1").press("q").rest()
    run = experiment.run(Settings.of())
    asked = np.array(questions(player))
    n = len(run.y)
    for epoch in range(run.n_epochs):
        steps = np.arange(n * epoch, n * (epoch + 1))
        wrong = steps[run.mistake[steps] & (run.score[steps] != 0)]
        right = np.setdiff1d(steps[~run.mistake[steps]], wrong)
        new = right[run.mistake[right - n]] if epoch else right[:0]
        here = asked[(asked >= steps[0]) & (asked <= steps[-1])]
        assert set(wrong) <= set(here)
        chosen = np.setdiff1d(here, wrong)
        assert len(chosen) == max(len(wrong), 1)
        close = right[np.argsort(np.abs(run.score[right]))]
        assert set(chosen) <= set(new) | set(close[: len(chosen)])


def test_up_and_down_lead_to_the_first_questions_of_epochs_and_what_is_easy_is_skipped(player):
    player.open("/?v=1&t=30").press("q").rest()
    assert player.t == min(t for t in questions(player) if t >= 30)
    player.press("End").press("q").press("q").rest()
    first = [min(t for t in questions(player) if t >= start) for start in (0, 60, 120)]
    found = [
        player.t,
        *(player.press(f"Arrow{way}").rest().t for way in ("Down", "Down", "Up", "Up")),
    ]
    assert found == [first[0], first[1], first[2], first[1], first[0]]


# ---- answers -------------------------------------------------------------------------------------


def test_one_press_answers_and_the_score_and_the_streak_count(player):
    player.open("/?v=1&t=20").press("q").rest()
    run = experiment.run(Settings.of())
    right = streak = 0
    for count, good in enumerate([True, True, False, True, True], start=1):
        t = player.t
        assert player.sentence.startswith(f"{explain.example(int(run.index[t]))} comes next.")
        key = side(run, t)
        player.press(key if good else other(key)).rest()
        right, streak = right + good, streak + 1 if good else 0
        assert player.t == t + 1
        said = explain.explain(run, t + 1).sentence
        assert player.sentence == f"{'You were right.' if good else 'Not this time.'} {said}"
        score = f"{right} of {count} right" + (f" · {streak} in a row" if streak > 1 else "")
        assert score in player.words()
        player.press("ArrowRight").rest()  # the next question
        assert player.js("s.standing.question.phase") == "ask"
    player.press("q").rest()
    assert f"of {count} right" not in player.words()


def test_an_epoch_and_the_run_are_summed_up_beside_always_no_mistake(player):
    player.open("/?v=1").press("q").rest()
    run = experiment.run(Settings.of())
    asked, said = questions(player), []
    while player.js("s.standing.question.next(s.t)") is not None:
        if player.js("s.standing.question.phase") == "ask":
            player.press(side(run, player.t)).rest()
        player.press("ArrowRight").rest()
        if player.js("s.standing.question.phase") == "summary":
            said.append((player.t, player.sentence))
    assert [t for t, _ in said] == [60, 120, 180]

    def share(count, whole):
        return f"{count} of {whole} ({round(100 * count / whole)} %)"

    first = [t for t in asked if t < 60]
    right = int((~run.mistake[first]).sum())
    words = f"you got {share(len(first), len(first))} right. Always answering “no mistake” gets"
    assert said[0][1] == f"Epoch 1: {words} {share(right, len(first))}."
    assert said[-1][1].startswith(f"The whole run: you got {share(len(asked), len(asked))} right.")
    assert said[-1][1].endswith(f"Longest streak: {len(asked)}.")


def test_a_question_counts_once_and_a_clicker_shows_the_answer_without_counting_it(player):
    player.open("/?v=1&t=20").press("q").rest()
    run, t = experiment.run(Settings.of()), player.t
    player.press("PageDown").rest()
    assert (player.t, player.sentence) == (t + 1, explain.explain(run, t + 1).sentence)
    player.press("PageDown").rest()
    assert (player.js("s.standing.question.phase"), player.t) == (
        "ask",
        min(one for one in questions(player) if one > t),
    )
    assert player.press("PageUp").rest().t == t
    for key, said in ((other(side(run, t)), "Not this time."), (side(run, t), "You were right.")):
        player.go(t).press(key).rest()
        assert player.sentence.startswith(said)
        assert "0 of 1 right" in player.words()


def test_who_plays_does_not_predict(player):
    player.open("/?v=1&t=20").press("q").rest()
    assert player.js("s.standing.question.on")
    player.press(" ")
    assert player.js("[s.standing.question.on, s.player.clock.playing]") == [False, True]


def test_the_margin_is_asked_for_in_four_ranges(player):
    player.open("/?v=1").press("q").rest()
    player.js("(s.standing.question.askFor('margin'), 0)")
    run = experiment.run(Settings.of())
    asked = questions(player)
    sizes = np.sort(np.abs(run.score[asked]))
    limit = float(f"{sizes[len(sizes) // 2]:.2g}")
    low = explain.number(-limit)
    high = explain.number(limit)
    assert player.js("s.standing.question.ranges") == [
        f"below {low}",
        f"{low} to 0",
        f"0 to {high}",
        f"above {high}",
    ]
    for _ in range(8):
        t = player.t
        margin = float(run.y[run.index[t]] * run.score[t])
        assert player.sentence.endswith("In which range is its margin y·f?")
        player.press("ArrowRight").rest()  # an arrow is no range
        assert player.t == t
        player.js(
            "(s.standing.question.answer(arg), 0)",
            int(np.searchsorted([-limit, 0.0, limit], margin)),
        )
        assert player.rest().sentence.startswith("You were right.")
        player.press("ArrowRight").rest()
        if player.js("s.standing.question.phase") == "summary":
            player.press("ArrowRight").rest()


@pytest.mark.parametrize(("kind", "answers"), [("side", [1, -1]), ("margin", [0, 1, 2, 3])])
def test_each_answer_is_given_by_its_number(player, kind, answers):
    def taken(call, argument):
        player.open("/?v=1").press("q")
        player.js(f"(s.standing.question.askFor('{kind}'), 0)")
        assert player.js("s.standing.question.asking")
        player.js(f"(s.standing.question.{call}, 0)", argument)
        assert not player.js("s.standing.question.asking"), argument
        return player.js("[...s.standing.question.answers.values()]")

    by_number = [
        taken("keys({ name: arg, shift: false })", str(number + 1))
        for number in range(len(answers))
    ]
    assert by_number == [taken("answer(arg)", answer) for answer in answers]
    assert [answer["right"] for (answer,) in by_number].count(True) == 1


def test_a_run_without_a_question_says_so(player):
    player.open("/?v=1&data=drawn").press("q").rest()
    assert player.sentence.startswith("There is nothing to predict. In this run f is 0")


# ---- nothing tells the answer --------------------------------------------------------------------


@pytest.mark.parametrize(
    "link", [*LINKS, *(f"v=1&learner={learner}&noise=0.1" for learner in LEARNERS)]
)
def test_nothing_on_the_board_says_anything_of_f_while_a_question_stands(player, link):
    player.open(f"/?{link}&t=9").press("q").rest()
    player.js(ANSWERED)
    player.rest()
    assert player.js("s.standing.question.phase") == "ask"
    before = json.loads(player.js(BOARD))
    told = pointed(player)
    player.js(TURNED)
    assert json.loads(player.js(BOARD)) == before
    assert told == pointed(player)
    assert player.marks("map", name="boundary") == []
    assert player.words("strip", "missing").startswith("f is hidden") or "similar" in link
    player.js("(s.standing.question.answer(null), 0)")
    player.rest()
    assert json.loads(player.js(BOARD)) != before


def pointed(player):
    """What is said of places all over the board."""
    return player.js("""(() => {
      const said = [];
      const spread = (count, length) => Array.from({ length: count }, (_, k) => 5 + (k * length) / (count - 1));
      for (const px of spread(23, s.width - 10))
        for (const py of spread(17, s.layout.height - 65)) {
          s.point({ px, py });
          said.push([s.touch.lines, s.touch.full ?? ""]);
        }
      s.point(null);
      return said;
    })()""")


@pytest.mark.parametrize("t", [0, 1, 41, 42, 70, 99999])
@pytest.mark.parametrize("asking", [False, True])
def test_the_timeline_says_nothing_of_what_is_to_come(player, t, asking):
    player.open(f"/?v=1&t={t}&held=0.3")
    if asking:
        player.press("q").rest()
    run = player.agrees()
    counts = [mark["mistakes"] for mark in player.marks("timeline") if "epoch" in mark]
    over = int((np.append(run.epoch_start[1:], run.n_steps) <= player.t).sum())
    assert counts == run.mistakes_per_epoch[:over].tolist()
    assert [len(mark["points"]) for mark in player.marks("timeline", name="test")] == [2 * over] * (
        over > 0
    )
    assert len(re.findall(r": \d+ mistake", player.words("timeline"))) <= over
    layers = (
        "s.board.panels.find(({ name }) => name === 'timeline').still.filter(({ upTo }) => "
        "upTo !== undefined)"
    )
    at = player.marks("timeline", name="cursor")[0]["x"]
    assert all(at < upTo < at + 4 for upTo in player.js(f"{layers}.map(({{ upTo }}) => upTo)"))
    for share in np.linspace(0, 1, 200):
        place = player.js("s.layout.panels.timeline")
        player.point(place["x"] + share * place["w"], place["y"] + place["h"] - 4)
        assert player.js("s.touch.time") <= player.t or not player.js("s.touch.hot.size")


# ---- what is seen on the map ---------------------------------------------------------------------


def rings(player):
    """The rings of the map by what they say, each with its example."""
    marks = player.rest().marks("map")
    return {
        mark["name"]: mark["i"]
        for mark in marks
        if mark.get("name") in ("asked", "right", "wrong", "current") and "i" in mark
    }


@pytest.mark.parametrize("verdict", ["right", "wrong"])
def test_the_point_that_is_asked_about_has_one_ring_which_becomes_the_verdict_of_the_person(
    player, verdict
):
    player.open("/?v=1&data=moons&n=30&seed=8").press("q")
    run, t = player.agrees(), questions(player)[0]
    i = int(run.index[t])
    assert rings(player) == {"asked": i}
    key = side(run, t)
    player.press(key if verdict == "right" else other(key))
    assert rings(player) == {verdict: i}
    colour = player.js(f"s.player.palette.{'good' if verdict == 'right' else 'warning'}")
    badges = [mark for mark in player.marks("map", name=verdict) if mark.get("fill") == colour]
    assert len(badges) == 1
    # The machine may be wrong where the person is right: the ring is ink, and the sign says whose.
    (ring,) = [mark for mark in player.marks("map", name=verdict) if mark.get("i") == i]
    assert ring["stroke"] == player.js("s.player.palette.on_map")
    # The person may be right where the class of the example is the other one: it says of what.
    said = {"ArrowLeft": "orange", "ArrowRight": "blue"}[key if verdict == "right" else other(key)]
    assert [mark["text"] for mark in player.marks("map", name="whose")] == [f"you: {said}"]


def test_the_ring_of_a_question_is_clear_and_the_point_in_it_is_painted_over_it(player):
    player.open("/?v=1&data=moons&n=30&seed=8").press("q")
    marks = player.rest().marks("map")
    (ring,) = [mark for mark in marks if mark.get("name") == "asked"]
    assert "fill" not in ring
    (point,) = [mark for mark in marks if mark.get("i") == ring["i"] and "fill" in mark]
    assert ring["r"] > point["r"] + ring["width"] + 4


def test_the_signs_of_several_verdicts_cover_no_point_where_a_corner_of_their_ring_is_free(player):
    player.open("/?v=1&data=moons&n=30&seed=8").press("q")

    area = player.js("s.layout.panels.map")
    right, bottom = area["x"] + area["w"], area["y"] + area["h"]

    def lies_on_map(sign):
        across = area["x"] + sign["r"] <= sign["x"] <= right - sign["r"]
        return across and area["y"] + sign["r"] <= sign["y"] <= bottom - sign["r"]

    def covered(sign, points):
        """How many points the square about a sign covers by more than a pixel."""
        return sum(
            max(abs(sign[axis] - point[axis]) for axis in "xy") < sign["r"] + point["r"] - 1
            for point in points
        )

    for i in range(30):
        judged = [{"i": i, "was": "right"}, {"i": (i + 7) % 30, "was": "wrong"}]
        player.js(f"void (s.standing.question.answered = () => ({json.dumps(judged)}))")
        marks = player.rest().marks("map")
        points = [mark for mark in marks if "i" in mark and "name" not in mark and "r" in mark]
        (ring,) = [mark for mark in marks if mark.get("name") == "right" and mark.get("i") == i]
        (sign,) = [mark for mark in marks if mark.get("name") == "right" and "fill" in mark]
        away = abs(sign["x"] - ring["x"])
        corners = [
            {"x": ring["x"] + across * away, "y": ring["y"] + down * away, "r": sign["r"]}
            for across in (-1, 1)
            for down in (-1, 1)
        ]
        least = min(covered(corner, points) for corner in corners if lies_on_map(corner))
        assert lies_on_map(sign)
        assert covered(sign, points) == least
