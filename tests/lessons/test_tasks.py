"""Tasks: right answers are right, near misses are not, and what cannot be read gets a sentence."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpviz import experiment
from kpviz.engine.data import sequence
from kpviz.engine.data.drawn import Drawn
from kpviz.lessons.file import format
from kpviz.lessons.file.kinds import KINDS, board
from kpviz.settings import from_query

XOR = "v=1&data=xor"


def task(kind, lines, link=XOR):
    lesson = format.read(f"---\ntitle: T\n---\n## S\nlink: {link}\n```task {kind}\nask: A\n{lines}\n```")
    return lesson.scenes[0].tasks[0]


def run_of(query):
    return experiment.run(from_query(query)[0])


def verdict(task, **answer):
    found = task.check(json.loads(json.dumps(answer)))
    json.dumps(found.detail, allow_nan=False)
    assert found.why[-1] in ".?"
    return found


def right(task, **answer):
    return verdict(task, **answer).right


@pytest.mark.parametrize("t", [0, 10])
def test_predict_asks_for_the_next_verdicts(t):
    asked = task("predict", "count: 4", f"{XOR}&t={t}")
    run = run_of(XOR)
    said = ["mistake" if run.y[i] * f <= 0 else "correct" for i, f in zip(run.index, run.score, strict=True)][t : t + 4]
    assert right(asked, verdicts=said)
    for k in range(4):
        near = [*said]
        near[k] = "correct" if said[k] == "mistake" else "mistake"
        found = verdict(asked, verdicts=near)
        assert (found.right, found.detail["step"]) == (False, t + k + 1)
        assert found.why.startswith(f"Step {t + k + 1}: f(x")
    for wrong in (said[:3], [*said, "correct"], "mistake", None, [True] * 4, {}):
        assert right(asked, verdicts=wrong) is False


def test_the_verdicts_of_a_zero_are_those_of_the_learner():
    for tie, first in (("mistake", "mistake"), ("correct", "correct")):
        assert right(task("predict", "", f"{XOR}&tie={tie}"), verdicts=[first])


def test_choices_are_told_by_letters_or_by_the_run():
    letters = task("choose", "choice: One\nchoice: Two\nchoice: Three\nanswer: A, C")
    assert right(letters, choices=[2, 0])
    for wrong in ([0], [], [1], [0, 1, 2], [3], [0, 0, 2], ["A", "C"], [True, 2], None, 0):
        assert right(letters, choices=wrong) is False
    lines = "choice: It converges\nwhen: converged\nchoice: It repeats itself\nwhen: cycles\nchoice: It is linear\n"
    told = task("choose", f"{lines}when: kernel == linear")
    assert right(told, choices=[0])
    assert right(told, choices=[0, 2]) is False
    other = task("choose", f"{lines}when: kernel == linear", f"{XOR}&kernel=linear")
    assert right(other, choices=[0]) is False
    assert right(other, choices=[2])


def test_a_number_has_half_a_percent_of_room_and_a_count_none():
    asked = task("number", "value: f(0.5, -0.5)")
    value = float(run_of(XOR).decision_function([[0.5, -0.5]])[0])
    assert right(asked, number=value)
    assert right(asked, number=float(f"{value:.3g}"))
    for near in (value * 1.006, value * 0.994, -value, value + 0.01, 0, 1e308):
        assert right(asked, number=near) is False
    assert verdict(asked, number=-value).detail == {"near": "sign"}
    count = task("number", "value: mistakes")
    assert right(count, number=11)
    assert [right(count, number=near) for near in (10, 12, 11.001)] == [False] * 3
    for wrong in ("11", None, True, [11], float("nan"), float("inf")):
        assert right(count, number=wrong) is False


@pytest.mark.parametrize(("tolerance", "room"), [("0.1", 0.1), ("0", 0.0), ("10%", 0.1 * 0.6621606377933705)])
def test_the_author_says_how_much_room_a_number_has(tolerance, room):
    asked = task("number", f"value: f(0.5, -0.5)\ntolerance: {tolerance}")
    value = float(run_of(XOR).decision_function([[0.5, -0.5]])[0])
    assert right(asked, number=value + 0.999 * room)
    assert right(asked, number=value - 0.999 * room)
    assert right(asked, number=value + 1.001 * room + 1e-9) is False


@pytest.mark.parametrize(
    ("value", "query", "kernel"),
    [
        ("f(0.5, -0.5)", XOR, "Gaussian, σ = 0.5: k(u, v) = exp(-norm(u - v)**2/(2*0.5**2))"),
        ("2 * k(0, 1)", f"{XOR}&kernel=linear", "Linear: k(u, v) = dot(u, v)"),
        ("margin(0)", "v=1&data=texts", "The kernel is Word sets, normalized."),
        ("mistakes", XOR, None),
    ],
)
def test_the_words_of_a_number_are_right_as_an_answer_and_name_the_kernel_of_which_it_is_made(value, query, kernel):
    asked = task("number", f"value: {value}", query)
    *before, last = asked.solve().lines
    assert before == ([] if kernel is None else [kernel])
    asked_for, _, shown = last.partition(" = ")
    assert asked_for == value
    assert right(asked, number=float(shown.replace("−", "-")))


def test_the_number_is_that_of_the_step_in_the_link():
    run = run_of(XOR)
    for t in (0, 7, 30):
        value = float(run.decision_function([[0.5, 0.5]], t=t)[0])
        assert right(task("number", "value: f(0.5, 0.5)", f"{XOR}&t={t}"), number=value)


def test_click_asks_for_support_next_mistake_and_what_is_forgotten():
    run = run_of(XOR)
    support = set(run.state_at(25).support.tolist())
    asked = task("click", "what: support", f"{XOR}&t=25")
    assert right(asked, examples=sorted(support))
    assert right(asked, examples=sorted(support)[1:]) is False
    assert right(asked, examples=[*support, min(set(range(60)) - support)]) is False
    later = next(t for t in range(25, run.n_steps) if run.mistake[t])
    asked = task("click", "what: next mistake", f"{XOR}&t=25")
    assert right(asked, examples=[int(run.index[later])])
    assert right(asked, examples=[int(run.index[25])]) is False
    for wrong in ([60], [-1], [1.5], "x1", None, [[1]], [True]):
        assert right(asked, examples=wrong) is False


def test_what_is_forgotten_is_the_oldest():
    query = "v=1&data=xor&learner=oldest&budget=3&kernel=linear"
    run = run_of(query)
    asked = task("click", "what: forgotten", query)
    added = [int(run.index[t]) for t in range(run.n_steps) if run.mistake[t]]
    assert right(asked, examples=added[:1])
    assert right(asked, examples=added[1:2]) is False


def test_click_asks_for_what_a_condition_holds_of():
    asked = task("click", "where: margin(i) < 0.5 and label(i) > 0")
    run = run_of(XOR)
    found = [i for i in range(60) if run.y[i] > 0 and run.margins_at(run.n_steps)[i] < 0.5]
    assert found
    assert right(asked, examples=found)
    assert right(asked, examples=found[1:]) is False


REACH = "within: sigma 0.1 to 3, kernel gaussian or polynomial\nuntil: training_error == 0 and bricks <= 15\n"
REACH += "start: v=1&data=xor&sigma=3\nsolution: v=1&data=xor&sigma=0.5"


def test_reach_needs_the_condition_within_the_limits():
    asked = task("reach", REACH)
    assert right(asked, link="v=1&data=xor&sigma=0.5")
    assert right(asked, link="http://localhost:8501/?v=1&data=xor&sigma=0.6&t=12&show=alpha")
    for near, why in {
        "v=1&data=xor&sigma=3": "It does not hold yet: training error 0, bricks 180.",
        "v=1&data=xor&sigma=0.05": "σ 0.05 is not allowed here. What is: 0.1 to 3.",
        "v=1&data=xor&sigma=0.5&n=20": "This may not be changed here: Points. What may: σ, Kernel.",
        "v=1&data=xor&sigma=0.5&seed=4": "This may not be changed here: Data seed.",
        "v=1&data=circles&sigma=0.5": "This may not be changed here: Data set.",
        "v=1&data=xor&kernel=laplacian": "Kernel laplacian is not allowed here. What is: gaussian or polynomial.",
        "v=1&data=xor&kernel=polynomial&degree=4": "This may not be changed here: q.",
        "v=1&data=xor&sigma=0.5&learner=norma": "This may not be changed here: Learner.",
        "v=1&data=xor&sigma=zero": "could not be used",
        "/fisher?v=1": "a link of the player",
        "javascript:alert(1)": "is not a link of kpviz",
        "": "is not a link of kpviz",
        "v=1&data=file": "does not hold the rows",
        "v=1&data=drawn&points=~0123456789ab": "only names its drawn points",
    }.items():
        found = verdict(asked, link=near)
        assert found.right is False
        assert why in found.why
    assert right(asked, link=None) is False


def test_a_run_is_compared_with_the_one_at_the_start():
    lines = f"within: sigma 0.1 to 3\nuntil: mistakes < first.mistakes\nsolution: {XOR}&sigma=0.5\nseeds: 0, 3"
    asked = task("reach", f"start: {XOR}&sigma=3&t=5\n{lines}")
    for tried, seed in enumerate((0, 3)):
        found = asked.check({"link": f"{XOR}&sigma=3&seed={seed}"}, tried)
        made = int(run_of(f"{XOR}&sigma=3&seed={seed}").mistake.sum())
        assert found.right is False
        assert found.detail["values"] == {"mistakes": str(made), "first.mistakes": str(made)}
        assert asked.check({"link": f"{XOR}&sigma=0.5&seed={seed}"}, tried).right


def test_another_try_has_the_data_of_its_seed():
    asked = task("reach", f"{REACH}\nseeds: 0, 3")
    for tried, seed in enumerate((0, 3, 0)):
        assert asked.check({"link": f"v=1&data=xor&sigma=0.5&seed={seed}"}, tried).right
        assert not asked.check({"link": f"v=1&data=xor&sigma=0.5&seed={3 - seed}"}, tried).right
        assert asked.check(asked.solve(tried).answer, tried).right


def drawn(points):
    X = np.array([[x1, x2] for x1, x2, _ in points], dtype=float)
    return f"v=1&data=drawn&points={Drawn.of(X, np.array([float(y) for *_, y in points])).code}&kernel=linear"


PLUS = [(0.5, 0.5, 1), (-0.5, -0.5, -1), (0.5, 0.25, 1)]
CROSS = [*PLUS, (-0.25, -0.25, 1), (0.25, 0.25, -1)]


def test_draw_counts_what_came_and_went():
    start = drawn(PLUS)
    lines = f"start: {start}\nuntil: not separable\nsolution: {drawn([*PLUS, (0.25, 0.25, -1)])}\nwithin: "
    one = task("draw", f"{lines}added 0 to 1, removed 0 to 0")
    assert right(one, link=drawn([*PLUS, (0.25, 0.25, -1)]))
    assert right(one, link=drawn([(0.25, 0.25, -1), *PLUS[::-1]]))  # whatever the order
    for near, why in {
        start: "It does not hold yet",
        drawn(CROSS): "Points that were added or moved: 2, and what is allowed is 0 to 1.",
        drawn([*PLUS[:2], (0.25, 0.25, -1)]): "Points that were removed or moved: 1",
        drawn([*PLUS, (0.25, 0.25, 1)]): "It does not hold yet",
        f"{drawn([*PLUS, (0.25, 0.25, -1)])}&intercept=unit": "This may not be changed here: Intercept.",
        "v=1&data=drawn&kernel=linear": "Points that were removed or moved: 3",
        "v=1&data=xor&kernel=linear": "This may not be changed here: Data set.",
    }.items():
        found = verdict(one, link=near)
        assert found.right is False
        assert why in found.why, near


def test_draw_begins_with_an_empty_board():
    lines = f"start: v=1&data=drawn&kernel=linear\nuntil: n >= 4 and not separable\nsolution: {drawn(CROSS)}"
    for within in ("", "\nwithin: points 1 to 6"):
        asked = task("draw", lines + within)
        assert right(asked, link=drawn(CROSS))
        assert right(asked, link=drawn(PLUS)) is False
        assert right(asked, link="v=1&data=drawn&kernel=linear") is False
    other = task("draw", f"{lines}\nwithin: intercept none or unit")
    assert right(other, link=drawn(CROSS))
    assert right(other, link=f"{drawn(CROSS)}&intercept=radius") is False
    many = [(0.01 * k, 0.01 * k, 1 - 2 * (k % 2)) for k in range(9)]
    assert "Points in all: 9, and what is allowed" in verdict(asked, link=drawn(many)).why


def test_draw_asks_for_an_order_of_the_same_points():
    start = "v=1&data=xor&n=8&kernel=polynomial&degree=2"
    orders = [np.random.default_rng(k).permutation(8).tolist() for k in range(20)]
    links = [f"{start}&order=hand&sequence={sequence.encode(order)}" for order in orders]
    made = [int(run_of(link).mistake.sum()) for link in links]
    most = max(made)
    assert most > min(made)
    asked = task(
        "draw", f"start: {start}\nwithin: order\nuntil: mistakes >= {most}\nsolution: {links[np.argmax(made)]}"
    )
    for link, count in zip(links, made, strict=True):
        assert right(asked, link=link) is (count == most)
    assert "The points stay as they are" in verdict(asked, link=drawn(CROSS)).why


@pytest.mark.parametrize(
    "query",
    [
        XOR,
        f"{XOR}&kernel=linear&intercept=unit&eta=0.5",
        f"{XOR}&learner=oldest&budget=2",
        f"{XOR}&learner=forgetron&budget=4",
        f"{XOR}&learner=logistic&n=6",
        f"{XOR}&t=7",
    ],
)
def test_perform_is_compared_step_by_step(query):
    asked = task("perform", "count: 5", query)
    steps = asked.solve().answer["steps"]
    assert right(asked, steps=steps)
    run, t = run_of(query), 7 if "t=7" in query else 0
    alpha = [run.state_at(t + k).alpha for k in range(6)]
    for k, step in enumerate(steps):
        moved = {i: gain for i, gain in enumerate((alpha[k + 1] - alpha[k]).tolist()) if abs(gain) > 1e-12}
        assert {i: pytest.approx(gain) for i, gain in step["bricks"]} == moved
        other = "correct" if step["verdict"] == "mistake" else "mistake"
        near = [
            {**step, "verdict": other},
            {**step, "bricks": [*step["bricks"], [_stranger(step), 1]]},
            {**step, "b": 7},
        ]
        near += [{**step, "bricks": step["bricks"][1:]}] if step["bricks"] else []
        near += [{**step, "bricks": [[i, -gain] for i, gain in step["bricks"]]}] if step["bricks"] else []
        for changed in near:
            found = verdict(asked, steps=[*steps[:k], changed, *steps[k + 1 :]])
            assert (found.right, found.detail) == (False, {"step": t + k + 1})
            assert f"Step {t + k + 1}" in found.why
    assert "step 3 is next" in verdict(asked, steps=steps[:2]).why or t


def _stranger(step):
    return next(i for i in range(60) if i not in {i for i, _ in step["bricks"]})


def test_perform_goes_to_the_end_of_the_epoch_where_no_count_is_given():
    asked = task("perform", "", f"{XOR}&n=6&t=2")
    assert len(asked.solve().answer["steps"]) == 4


@pytest.mark.parametrize(
    "steps",
    [None, {}, [1], [{}], [{"verdict": "no"}], [{"verdict": "mistake", "bricks": 1}], [{"verdict": "mistake"}] * 9,
     [{"verdict": "mistake", "bricks": [[0]]}], [{"verdict": "mistake", "bricks": [[0, "1"]]}],
     [{"verdict": "mistake", "bricks": [[0, 1], [0, 1]]}], [{"verdict": "mistake", "b": "1"}]],
)  # fmt: skip
def test_steps_that_cannot_be_read_get_a_sentence(steps):
    assert right(task("perform", "count: 2"), steps=steps) is False


def test_an_explanation_is_kept_and_not_graded():
    asked = task("explain", "")
    assert right(asked, text="Because f is 0.") is None
    for wrong in ("", "  ", None, 3, "x" * 5000):
        assert right(asked, text=wrong) is False
    assert asked.solve().answer is None


EACH = {
    "predict": "count: 2",
    "choose": "choice: A\nwhen: converged\nchoice: B\nwhen: cycles",
    "number": "value: f(0, 0.5)",
    "click": "what: support",
    "reach": REACH,
    "draw": f"start: v=1&data=drawn&kernel=linear\nuntil: n >= 4\nsolution: {drawn(CROSS)}",
    "perform": "count: 2",
    "explain": "",
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from([XOR, "mistake"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["verdict", "bricks", "b"]), inner),
    max_leaves=6,
)
ANSWERS = st.dictionaries(
    st.sampled_from(["verdicts", "choices", "number", "examples", "link", "steps", "text"]), JSON, max_size=3
)


@pytest.mark.parametrize("kind", KINDS)
@given(answer=ANSWERS | JSON)
def test_any_answer_gets_a_verdict(kind, answer):
    found = task(kind, EACH[kind]).check(answer)
    assert found.right in (True, False, None)
    assert found.why


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_served_holds_no_solution(kind):
    secret = "The hidden reason."
    lesson = format.read(
        f"---\ntitle: T\n---\n## S\nlink: {XOR}\n> notes: {secret}\n\n"
        f"```task {kind}\nask: A\nwhy: {secret}\n  {secret}\n{EACH[kind]}\n```"
    )
    text = json.dumps(lesson.plain(), allow_nan=False, ensure_ascii=False)
    copy = lesson.for_students
    for written in (text, copy):
        assert secret not in written
        assert "solution" not in written
        assert "when:" not in written
    if solution := re.search("solution: (.*)", EACH[kind]):
        assert solution[1] not in text + copy
    if until := re.search("until: (.*)", EACH[kind]):
        assert until[1] not in text  # the page does not need it
    assert format.read(lesson.for_students).plain() == lesson.plain()
    assert secret in json.dumps(lesson.plain(notes=True))


def test_what_may_change_is_named_as_beside_the_board():
    read = board.read_limits("sigma 1 to 2, kernel, added 0 to 1", points=True)
    found = {limit.name: limit.plain["label"] for limit in read}
    assert found == {"sigma": "σ (sigma)", "kernel": "Kernel", "added": "points that were added or moved"}


@pytest.mark.parametrize(
    ("start", "within", "why"),
    [
        (
            "v=1&data=drawn&kernel=linear",
            "points 3 to 6",
            "Points in all: 0, and what is allowed is 3 to 6.",
        ),
        (
            "v=1&data=drawn&points=vohkvoecQYhkQYec.o&kernel=linear",
            "points 4 to 4",
            "It does not hold yet: mistake bound 101",
        ),
    ],
)
def test_whoever_has_not_drawn_yet_is_told_what_is_missing(start, within, why):
    text = f"link: {start}\n```task draw\nask: Draw.\nwithin: {within}\nuntil: bound <= 2\nsolution: {start}\n```"
    (task,) = format.read(f"---\ntitle: T\n---\n## S\n{text}").scenes[0].tasks
    assert task.check({"link": start}).why.startswith(why)
