"""The puzzles that come along: par, best and the rules of each, with loops that are not the
engine's; and what is wrong with a puzzle.
"""

from __future__ import annotations

import importlib.util
import os
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from oracles import remove_oldest
from scipy.optimize import linprog
from textbook import dual_perceptron

from kpviz import experiment
from kpviz.engine.data import sequence
from kpviz.engine.data.drawn import Drawn
from kpviz.engine.kernels.formula import Formula, FormulaError
from kpviz.export.page import cards
from kpviz.lessons import shelf
from kpviz.lessons.file import check, format
from kpviz.lessons.file.kinds.question import UnreadableAnswerError
from kpviz.lessons.file.links import Link
from kpviz.lessons.file.names import shown_as
from kpviz.settings import from_query

SPEC = importlib.util.spec_from_file_location(
    "puzzles", f"{__file__.rpartition('/')[0]}/../../scripts/puzzles.py"
)
script = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(script)

NAMES = sorted(shelf.puzzles())
TASKS = {name[:9]: shelf.read(name).scenes[0].tasks[0] for name in NAMES}
PRINTED = Path(__file__).with_name("puzzles.txt")  # By scripts/puzzles.py --all.
FULL = os.environ.get("KPVIZ_PUZZLES") == "all"
SAMPLE = 25  # So many of the blind tries are given to the engine, too.


def value(number, query):
    """The number of a board, NaN where it does not count."""
    task = TASKS[number]
    try:
        return task.question.value_of(task.start, Link.read(query))
    except ValueError:
        return float("nan")


def reason(number, query):
    """Why a board does not count."""
    task = TASKS[number]
    with pytest.raises(ValueError, match=r"\.$") as error:
        task.question.value_of(task.start, Link.read(query))
    return str(error.value)


def with_points(number, X, y):
    """The start of a puzzle with other points."""
    link = TASKS[number].start
    start = Drawn.read(link.pairs.get("points", ""), 200)
    code = start.with_points(np.asarray(X, dtype=float), np.asarray(y, dtype=float), 0).code
    parts = [part for part in link.query.split("&") if not part.startswith("points=")]
    return "&".join([*parts, f"points={code}"])


def with_more(X, y):
    """The first puzzle with points that are added."""
    start = script.start_of("puzzle-01")
    return with_points("puzzle-01", np.vstack([start.X, X]), np.append(start.y, y))


# ---- the ten files ----


def test_there_are_ten_and_each_leads_to_a_lesson_that_comes_along():
    assert len({shelf.read(name).title for name in NAMES}) == 10
    assert {task.question.lesson for task in TASKS.values()} <= set(shelf.paths_in(None))


def test_puzzles_of_a_folder_stand_after_those_that_come_along_and_not_among_lessons(
    tmp_path, monkeypatch
):
    text = shelf.puzzles()["puzzle-02-repair-it"].read_text(encoding="utf-8")
    (tmp_path / "a-puzzle.kpviz.md").write_text(text.replace("Repair it", "Ours"), encoding="utf-8")
    lesson = "---\ntitle: T\n---\n## S\nlink: v=1&data=xor\n"
    (tmp_path / "a-lesson.kpviz.md").write_text(lesson, encoding="utf-8")
    monkeypatch.setenv(shelf.FOLDER, str(tmp_path))
    assert list(shelf.puzzles()) == [*NAMES, "a-puzzle"]
    own_names, *_ = shelf.arranged()
    assert own_names == ["a-lesson"]
    assert shelf.after(NAMES[0]) == NAMES[1]
    assert shelf.after(NAMES[-1]) == "a-puzzle"
    assert shelf.after("a-puzzle") is None
    read = {name: shelf.read(name) for name in shelf.puzzles()}
    shipped, _, own = cards.puzzles(read, "./?lesson={}").partition("On this server")
    assert shipped.count("<article>") == shipped.count("<img") == 10
    assert "<a href='./?lesson=a-puzzle' target='_self'>Ours</a>" in own


def test_a_puzzle_stands_alone_in_its_file():
    text = shelf.puzzles()["puzzle-02-repair-it"].read_text(encoding="utf-8")
    twice = f"{text}\n```task explain\nask: Why?\n```\n"
    (fault,) = check.faults(twice)
    assert fault.what == "A puzzle stands alone in its file: give it one scene and no other task."


def test_an_author_may_say_what_is_counted():
    assert TASKS["puzzle-07"].question.called(8) == "8 places"
    assert TASKS["puzzle-05"].question.called(44) == "44 mistakes"


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_wrong_with_a_puzzle_nor_with_its_copy_for_students(name):
    assert check.check(shelf.read(name)) == []
    copy = format.read(shelf.read(name).for_students)
    assert check.check(copy) == []
    question = copy.scenes[0].tasks[0].question
    assert (question.solution, question.best, question.known) == (None, None, "")


@pytest.mark.parametrize("number", TASKS)
def test_the_solution_in_the_file_is_the_best_and_the_page_is_told_of_neither(number):
    task = TASKS[number]
    solved = value(number, task.question.solution.query)
    assert solved == pytest.approx(task.question.best, rel=1e-6)
    verdict = task.check({"link": task.question.solution.query})
    assert verdict.right
    assert verdict.why.endswith(f"That is the best there is: {task.question.known}.")
    assert task.question.known not in str(task.plain)
    assert task.question.solution.query not in str(task.plain)


@pytest.mark.parametrize("number", script.BLIND)
def test_par_is_what_one_blind_try_in_a_hundred_reaches(number):
    more, values_of = script.BLIND[number]
    question = TASKS[number].question
    assert question.more == more
    assert shown_as(script.par_of(values_of(), more=more)) == shown_as(question.par)


@pytest.mark.parametrize("number", script.BEST)
def test_best_is_the_best_of_all_that_the_rules_allow(number):
    best, *counts = script.BEST[number]()
    question = TASKS[number].question
    assert best == question.best
    if number != "puzzle-10":
        assert f"{counts[0]:,}" in question.known


# ---- the loops of the script against the engine ----


def sampled(number):
    rng = np.random.default_rng(7)
    return rng.choice(script.TRIES, SAMPLE, replace=False), script.BLIND[number][1]()


def assert_as_the_engine(number, queries):
    places, values = sampled(number)
    engine = [value(number, queries(place)) for place in places]
    np.testing.assert_allclose(engine, values[places], rtol=1e-6)
    assert not np.isnan(engine).all()


def test_three_more_points_cost_as_many_mistakes_as_the_loop_says():
    places, labels = script.tries_of_break_it()
    at = script.grid(0.2, 1.0)
    assert_as_the_engine("puzzle-01", lambda k: with_more(at[places[k]], labels[k]))


def test_of_all_ways_to_put_three_points_none_breaks_more_than_the_best_board():
    """All that begin with its first point are tried here, with KPVIZ_PUZZLES=all all 14 million."""
    question = TASKS["puzzle-01"].question
    solution = Drawn.read(question.solution.pairs["points"], 200)
    place = np.abs(script.grid(0.2, 1.0) - solution.X[8]).sum(axis=1).argmin()
    firsts = range(242) if FULL else [2 * int(place) + int(solution.y[8] > 0)]
    best, tried = script.best_of_break_it(firsts)
    assert best == question.best
    assert tried == 1 + 242 + 242**2 + len(firsts) * 242**2
    assert np.nanmax(script.BLIND["puzzle-01"][1]()) <= best


def test_many_boards_at_once_cost_as_many_mistakes_as_each_by_itself():
    places, labels = script.tries_of_break_it()
    places[:40, 1] = places[:40, 0]  # Two colours in one place are never learnt.
    at_once = script._broken_by(places.T, labels.T)
    np.testing.assert_array_equal(at_once, script.broken(places, labels))
    assert 0 < np.isnan(at_once).sum() < script.TRIES


def test_what_the_script_printed_is_what_it_prints_and_says_what_the_first_puzzle_says():
    """Its last line is that of the slow search."""
    *quick, slow = PRINTED.read_text(encoding="utf-8").splitlines()
    assert quick == list(script.printed(whole=False))
    question = TASKS["puzzle-01"].question
    number, _, numbers = slow.partition(": best ")
    best, tried = map(float, numbers.split())
    assert (number, best) == ("puzzle-01", question.best)
    assert f"{tried:,.0f}" in question.known


def test_that_no_line_parts_points_is_as_whole_numbers_say():
    tries = script.tries_of_no_line()
    assert_as_the_engine(
        "puzzle-03", lambda k: with_points("puzzle-03", tries[k][0] / 10, tries[k][1])
    )


def test_a_single_point_never_needs_a_line():
    for place in script.grid(0.3, 1.2):
        for label in (-1.0, 1.0):
            assert np.isnan(value("puzzle-03", with_points("puzzle-03", [place], [label])))


def test_two_points_cost_as_many_mistakes_as_the_loop_says():
    points, labels = script.tries_of_two_points()
    assert_as_the_engine("puzzle-04", lambda k: with_points("puzzle-04", points[k] / 10, labels[k]))


def test_an_order_costs_as_many_mistakes_as_the_loop_says():
    orders = script.tries_of_worst_order()
    start = TASKS["puzzle-05"].start.query
    assert_as_the_engine(
        "puzzle-05", lambda k: f"{start}&order=hand&sequence={sequence.encode(orders[k].tolist())}"
    )


def test_the_bound_of_four_points_is_as_the_hull_says_and_never_below_1():
    points = script.tries_of_small_bound()
    y = [1.0, 1.0, -1.0, -1.0]
    assert_as_the_engine("puzzle-06", lambda k: with_points("puzzle-06", points[k] / 2, y))
    assert np.nanmin(script.BLIND["puzzle-06"][1]()) >= 1.0


def test_a_line_agrees_with_as_much_of_the_map_as_the_loop_says():
    lines = script.tries_of_guess_the_line()
    start = TASKS["puzzle-10"].start.query
    written = ["_".join(f"{height:.1f}" for height in line) for line in lines]
    assert_as_the_engine("puzzle-10", lambda k: f"{start}&line={written[k]}")


# ---- what is known of the others ----


def test_widths_cost_as_many_mistakes_as_the_textbook_says():
    start = script.start_of("puzzle-02")
    rows = np.tile(np.arange(24), (50, 1))
    for sigma in (0.05, 0.3, 0.5, 0.75, 1.5):
        gram = script.gaussian(start.X[None], sigma)[0]
        slow = dual_perceptron(gram, start.y, rows)
        wanted = float(sum(slow.mistake)) if slow.end == "clean" else float("nan")
        query = TASKS["puzzle-02"].start.query.replace("sigma=1.5", f"sigma={sigma}")
        np.testing.assert_equal(value("puzzle-02", query), wanted)


def test_no_smaller_memory_than_the_best_becomes_clean():
    best = int(TASKS["puzzle-07"].question.best)
    start = script.start_of("puzzle-07")
    gram = experiment.kernel(TASKS["puzzle-07"].start.settings)(start.X, start.X)
    rows = np.tile(np.arange(100), (50, 1))
    ends = [
        remove_oldest(gram, start.y, rows, budget, may_end=True).end
        for budget in range(1, best + 1)
    ]
    assert ends == ["limit"] * (best - 1) + ["clean"]


def test_no_function_of_u_and_v_has_fewer_characters_than_the_best():
    """To make a number of u and v takes a function with both in its brackets, or two components,
    which are longer; a function's name has three letters or more.
    """
    best = int(TASKS["puzzle-08"].question.best)
    assert len("u[1]+v[1]") > best
    for name in ("sum", "dot", "abs", "exp", "log", "cos", "sin", "min", "max"):
        for signs in permutations("()uv"):
            for at in range(5):
                text = "".join([*signs[:at], name, *signs[at:]])
                assert len(text) == best - 1
                with pytest.raises(FormulaError):
                    Formula(text)


def test_the_spirals_are_parted_by_an_f_of_degree_5_and_of_no_lower_one():
    start = script.start_of("puzzle-09")
    for degree in range(1, 6):
        powers = [(a, b) for a in range(degree + 1) for b in range(degree + 1 - a)]
        features = np.stack([start.X[:, 0] ** a * start.X[:, 1] ** b for a, b in powers], axis=1)
        scaled = features / np.abs(features).max(axis=0)
        found = linprog(
            np.zeros(len(powers)),
            A_ub=-start.y[:, None] * scaled,
            b_ub=-np.ones(len(start.y)),
            bounds=(None, None),
        )
        query = TASKS["puzzle-09"].start.query.replace("degree=2", f"degree={degree}")
        assert (found.status == 0) == (degree == 5) == (value("puzzle-09", query) == degree)


# ---- the rules ----


def test_a_board_that_breaks_a_rule_does_not_count_and_says_which():
    start = script.start_of("puzzle-01")
    solution = TASKS["puzzle-01"].question.solution.query
    grid = "Each point must lie on multiples of 0.2."
    first = "The points that were there come first, in their order."
    removed = "You removed or moved 1 point: none may be."
    assert reason("puzzle-01", with_more([[0.3, 0.0]], [1.0])) == grid
    assert reason("puzzle-01", with_more([[0.2, 0.0]] * 4, [1.0] * 4)).startswith("You added")
    assert reason("puzzle-01", with_points("puzzle-01", start.X[:7], start.y[:7])) == removed
    mixed = with_points("puzzle-01", start.X[::-1], start.y[::-1])
    assert reason("puzzle-01", mixed) == first
    held = solution.replace("..", ".1.")  # Between the labels and the axes.
    assert held != solution
    assert "held out" in reason("puzzle-01", held)
    for change in ("epochs=50", "sigma=0.5", "order=shuffled", "tie=positive", "kernel=linear"):
        key = change.partition("=")[0]
        kept = [part for part in solution.split("&") if not part.startswith(f"{key}=")]
        said = reason("puzzle-01", "&".join([*kept, change]))
        assert said.startswith("This may not be changed here"), change
    outside = with_points("puzzle-01", [*start.X, [1.6, 0.0]], [*start.y, 1.0])
    assert "outside the part of the plane" in reason("puzzle-01", outside)
    both = with_more([[0.2, 0.0], [0.2, 0.0]], [1.0, -1.0])
    assert reason("puzzle-01", both) == "This does not count: the last epoch still has mistakes."
    width = TASKS["puzzle-02"].start.query.replace("sigma=1.5", "sigma=0.31")
    assert reason("puzzle-02", width) == "σ must lie on multiples of 0.05."


def test_the_page_is_told_where_the_heights_of_a_line_may_lie():
    plain = TASKS["puzzle-10"].plain
    assert (plain["line"], plain["heights"], plain["grid"]) == (7, [-1.2, 1.2], 0.1)
    assert "heights" not in TASKS["puzzle-02"].plain


def test_a_line_has_its_heights_on_the_grid_and_within_the_map():
    start = TASKS["puzzle-10"].start.query
    assert reason("puzzle-10", start) == "The line has 0 heights, and 7 are wanted."
    assert reason("puzzle-10", f"{start}&line=0_0") == "The line has 2 heights, and 7 are wanted."
    off = f"{start}&line=0.05_0_0_0_0_0_0"
    assert reason("puzzle-10", off) == "The line must lie on multiples of 0.1."
    high = f"{start}&line=9_0_0_0_0_0_0"
    assert reason("puzzle-10", high) == "The line leaves the part of the plane that is shown."
    moved = with_points("puzzle-10", [[0.0, 0.0]], [1.0])
    assert reason("puzzle-10", f"{moved}&line=0_0_0_0_0_0_0").startswith("This may not be changed")
    width = f"{TASKS['puzzle-02'].start.query}&line=0_0"
    assert reason("puzzle-02", width) == "No line is drawn in this puzzle: leave it out."


def test_what_a_try_is_told():
    task = TASKS["puzzle-05"]
    start = task.check({"link": task.start.query})
    assert (start.right, start.why) == (False, "12 mistakes, and par is 38.")
    assert start.detail == {"value": 12.0, "shown": "12"}
    with pytest.raises(UnreadableAnswerError):
        task.question.check(task.start, {"link": None})


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("puzzle-01", "You may add at most three points. Leave the eight others alone."),
        ("puzzle-02", "You may change: σ, from 0.05 to 2."),
        ("puzzle-05", "You may change: the order."),
        ("puzzle-10", "Draw a line by its 7 heights, from left to right."),
    ],
)
def test_a_puzzle_says_what_is_in_the_hand(number, words):
    assert TASKS[number].plain["may"] == words


# ---- what is wrong with a puzzle ----

LINES = [
    "ask: A",
    "within: sigma 0.05 to 2",
    "grid: 0.05",
    "until: converged",
    "least: mistakes",
    "par: 6",
    "best: 5, each width was tried",
    "lesson: lesson-07-width",
    "solution: v=1&data=moons&n=24&seed=5&noise=0.15&sigma=0.3",
]


def faults(*changed):
    """What is wrong with a puzzle some of whose lines are others; "key:" leaves one out."""
    lines = list(LINES)
    for line in changed:
        key = line.partition(":")[0]
        lines = [line if old.partition(":")[0] == key else old for old in lines]
        lines += [] if any(old == line for old in lines) else [line]
    written = "\n".join(line for line in lines if not line.endswith(":"))
    start = "v=1&data=moons&n=24&seed=5&noise=0.15&sigma=1.5"
    text = f"---\ntitle: T\n---\n## S\nlink: {start}\n```task puzzle\n{written}\n```"
    return [(fault.line, fault.what) for fault in check.faults(text)]


def test_a_puzzle_with_which_nothing_is_wrong():
    assert faults() == []
    assert faults("best:", "lesson:", "grid:") == []


@pytest.mark.parametrize(
    ("changed", "line", "what"),
    [
        (["least:"], 6, "A puzzle has one number: write a line such as most: mistakes"),
        (["most: bricks"], 6, "A puzzle has one number"),
        (["least: converged"], 11, "least cannot be read. This is true or false"),
        (["par:"], 6, "The task has no par: write a line such as 'par: 20'."),
        (["par: six"], 12, "par begins with a number, and not with 'six'."),
        (["par: 4"], 13, "best is 5, and par is 4, which is better"),
        (["par: 4"], 15, "The solution does not meet par: 5 mistakes, and par is 4."),
        (["best: 5"], 13, "best says how it is known"),
        (["best: five, so"], 13, "best begins with a number"),
        (["best: 6, said so"], 13, "best is 6, but the solution has 5 mistakes: correct best."),
        (["grid: 7"], 9, "grid is a step from 0.001 to 1, such as 0.1."),
        (["grid: 0.2"], 15, "The solution does not meet par: σ must lie on multiples of 0.2."),
        (["lesson: a/b"], 14, "lesson is the name of a file without .kpviz.md."),
        (["until: mistakes < 5"], 15, "This does not count: mistakes: 5 (wanted: less than 5)."),
        (["line: 99"], 16, "line is a whole number from 2 to 50"),
        (["until:", "least: wrong", "par: 99", "best:"], 11, "The start reaches par already"),
        (["solution:"], 6, "The task has no solution: write a line such as"),
    ],
)
def test_each_fault_is_one_sentence_with_its_line(changed, line, what):
    assert any(number == line and what in sentence for number, sentence in faults(*changed)), (
        faults(*changed)
    )


def test_settings_of_a_solution_can_be_read():
    for task in TASKS.values():
        assert from_query(task.start.query)[1] is None
