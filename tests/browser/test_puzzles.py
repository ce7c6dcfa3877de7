"""Puzzles on their own screen: the number follows what is placed or turned, on the grid of the
file; records are kept, sent, checked and forgotten.
"""

import re

import pytest

from kpviz.engine.data import sequence
from kpviz.engine.data.drawn import Drawn
from kpviz.lessons import records, shelf
from kpviz.lessons.file.links import Link
from kpviz.lessons.file.names import shown_as

REPAIR = "puzzle-02-repair-it"
BREAK = "puzzle-01-break-it"


@pytest.fixture
def puzzle(player):
    """Return a function that opens a puzzle by its link, which returns its task."""

    def open_puzzle(name, query=""):
        player.anew(f"/?lesson={name}{query}")
        player.until("s.lesson.puzzleMode.begun")
        player.settle()
        return shelf.read(name).scenes[0].tasks[0]

    return open_puzzle


def wait_for_number(player, number):
    player.page.locator(".puzzle .count strong", has_text=re.compile(f"^{number}$")).wait_for()


def told(player, selector=".told"):
    lines = player.page.locator(f".puzzle {selector}").all_inner_texts()
    return " ".join(line for line in lines if line)


def button(player, name):
    return player.page.locator(".puzzle").get_by_role("button", name=name, exact=True)


def turn(player, **settings):
    player.js("s.session.command('set', arg)", settings)
    player.settle()


def click_map(player, share_x, share_y):
    x, y, w, h = player.js("(({ x, y, w, h }) => [x, y, w, h])(s.player.view.rect)")
    player.click(x + share_x * w, y + share_y * h)
    player.settle()


def points(player):
    code = Link.read(player.js("s.session.state.link")).pairs.get("points", "")
    return Drawn.read(code, 200).X


def place_of(player, point):
    """A place of the plane as one of the window."""
    x1, x2 = map(float, point)
    return player.at(*player.js("[s.player.view.x(arg[0]), s.player.view.y(arg[1])]", [x1, x2]))


def add_points(player, task):
    """Click where the solution has more points than the start."""
    solution = Drawn.read(task.question.solution.pairs["points"], 200)
    there = len(points(player))
    for point, label in zip(solution.X[there:], solution.y[there:], strict=True):
        button(player, "orange" if label > 0 else "blue").click()
        player.page.mouse.click(*place_of(player, point))
        player.settle()


def drag_points(player, task):
    """Drag each point to its place in the solution."""
    solution = Drawn.read(task.question.solution.pairs["points"], 200)
    for i, point in enumerate(solution.X):
        before = points(player)[i]
        if abs(before - point).max() > 1e-6:
            drag(player, before, point)


def drag(player, before, after):
    player.page.mouse.move(*place_of(player, before))
    player.page.mouse.down()
    player.page.mouse.move(*place_of(player, (before + after) / 2))
    player.page.mouse.move(*place_of(player, after))
    player.page.mouse.up()
    player.settle()


def put_two_in_one_place(player, task):
    """A press on a point takes it up, so the second is put beside the first and dragged there."""
    click_map(player, 0.5, 0.5)
    button(player, "blue").click()
    click_map(player, 0.7, 0.5)
    first, second = points(player)
    drag(player, second, first)


def turn_slider(player, task):
    """Press arrows until the setting has the value of the solution."""
    (name,) = (limit.name for limit in task.question.within)
    wanted = task.question.solution.settings.values[name]
    slider = player.page.locator(".puzzle input[type=range]")
    slider.focus()
    for _ in range(60):
        value = Link.read(player.js("s.session.state.link")).settings.values[name]
        if abs(value - wanted) < 1e-6:
            return
        player.press("ArrowRight" if value < wanted else "ArrowLeft")
        player.settle()
    raise AssertionError(f"{name} is {value}, not {wanted}")


def write_formula(player, task):
    field = player.page.locator(".puzzle .hand input, .puzzle .hand textarea").first
    field.fill(task.question.solution.pairs["formula"])
    field.press("Enter")
    player.settle()


def order_examples(player, task):
    """Bring each example to its place by the arrows of its cell."""
    wanted = sequence.read(task.question.solution.pairs["sequence"], 8)
    for place, i in enumerate(wanted):
        cell = player.page.locator(f".puzzle .cells [data-example='{i}']")
        cell.focus()
        for _ in range(8):
            if player.js("s.player.order.now.indexOf(arg)", int(i)) == place:
                break
            player.press("ArrowLeft")
            player.settle()


def draw_line(player, task):
    sliders = player.page.locator(".puzzle .heights input")
    for k, height in enumerate(task.question.solution.heights):
        sliders.nth(k).fill(f"{height:g}")
    button(player, "Check").click()


HANDS = {
    "puzzle-01": add_points,
    "puzzle-02": turn_slider,
    "puzzle-03": put_two_in_one_place,
    "puzzle-04": drag_points,
    "puzzle-05": order_examples,
    "puzzle-06": drag_points,
    "puzzle-07": turn_slider,
    "puzzle-08": write_formula,
    "puzzle-09": turn_slider,
    "puzzle-10": draw_line,
}


@pytest.mark.parametrize("name", sorted(shelf.puzzles()))
def test_each_puzzle_is_solved_by_its_hand_says_what_it_taught_and_leads_on(player, puzzle, name):
    task = puzzle(name)
    HANDS[name[:9]](player, task)
    best = shown_as(task.question.best)
    wait_for_number(player, re.escape(best))
    assert told(player) == f"That is the best there is: {task.question.known}."
    assert told(player, ".learnt") == task.why
    par = shown_as(task.question.par)
    assert told(player, ".state") == f"✓ par {par} is reached\nyour record: {best}"
    assert button(player, shelf.read(task.question.lesson).title).is_visible()
    assert button(player, "Send my record").is_visible()
    following = shelf.after(name)
    if following:
        assert button(player, re.compile(re.escape(shelf.read(following).title))).is_visible()
    # By ear: the number, par, what is best and what it taught, once.
    player.until("r.querySelector('.live').textContent.includes(arg)", task.why)
    said = player.spoken
    for words in (task.question.called(task.question.best), "That is the best there is", task.why):
        assert said.count(words) == 1, said


def test_the_number_is_that_of_the_start_and_follows_points_that_lie_on_the_grid(player, puzzle):
    task = puzzle(BREAK)
    wait_for_number(player, 2)
    assert told(player, ".question") == task.ask
    for share_x, share_y in ((0.31, 0.42), (0.77, 0.58)):
        click_map(player, share_x, share_y)
        query = player.js("s.session.state.link")
        value = task.question.value_of(task.start, Link.read(query))
        wait_for_number(player, f"{value:g}")
    assert told(player, ".hand small") == "Points snap to a grid of 0.2."
    added = points(player)[8:] / 0.2
    assert len(added) == 2
    assert abs(added - added.round()).max() < 1e-6
    assert told(player, ".left") == "1 point left: click on the map"
    button(player, "Again").click()
    wait_for_number(player, 2)
    assert len(points(player)) == 8


def test_a_point_at_the_edge_of_the_map_lies_on_the_grid_and_on_the_map(player, puzzle):
    puzzle(BREAK)
    button(player, "blue").click()
    x, y = player.js("[s.player.view.rect.x, s.player.view.rect.y]")
    player.click(x + 1, y + 1)
    player.settle()
    assert points(player)[8].round(6).tolist() == [-1.0, 1.0]


def until_spoken(player, words):
    """Wait for the frame that says so."""
    player.until("r.querySelector('.live').textContent === arg", words)


def test_by_keys_the_cursor_goes_from_place_to_place_of_the_grid_and_says_where_it_is(
    player, puzzle
):
    task = puzzle(BREAK)
    assert player.spoken.startswith(f"{task.ask} Points snap to a grid of 0.2.")
    for _ in range(30):
        player.press("Tab")
        if player.on_board():
            break
    player.press("ArrowUp")
    until_spoken(player, "(0, 0.2)")
    player.press("ArrowRight", "Enter").settle()
    query = player.js("s.session.state.link")
    value = task.question.value_of(task.start, Link.read(query))
    wait_for_number(player, f"{value:g}")
    words = task.question.called(value)
    player.until("r.querySelector('.live').textContent.includes(arg)", words)
    player.press("ArrowLeft", "ArrowRight")
    until_spoken(player, "(0.2, 0.2): orange point")
    player.press(*["ArrowRight"] * 9)
    until_spoken(player, "(1, 0.2)")  # At the last place on the map.
    player.press("Shift+Enter").settle()
    added = points(player)[8:].round(6).tolist()
    assert added == [[0.2, 0.2], [1.0, 0.2]]


def test_points_of_the_start_stay_and_no_more_are_added_than_the_puzzle_allows(player, puzzle):
    puzzle(BREAK)
    before = points(player)
    for share in (0.3, 0.4, 0.5, 0.6, 0.7):
        click_map(player, share, 0.5)
    assert len(points(player)) == 11
    assert player.said == "There is room for 11 points: remove some first."
    view = "s.player.view"
    x1, x2 = before[0]
    place = player.at(*player.js(f"[{view}.x({x1}), {view}.y({x2})]"))
    player.page.mouse.click(*place, button="right")
    player.settle()
    assert (points(player)[:8] == before).all()


def test_a_board_that_does_not_count_says_why_and_par_brings_what_the_puzzle_teaches(
    player, puzzle
):
    task = puzzle(REPAIR)
    wait_for_number(player, "–")
    assert told(player) == "This does not count: the last epoch still has mistakes."
    turn(player, sigma=0.5)
    wait_for_number(player, 6)
    assert told(player, ".state") == "✓ par 6 is reached\nyour record: 6"
    assert told(player, ".learnt") == task.why
    assert told(player) == ""
    turn(player, sigma=0.3)
    wait_for_number(player, 5)
    assert told(player) == "That is the best there is: each of the 40 widths was tried."
    turn(player, sigma=0.7)
    wait_for_number(player, 12)
    assert told(player, ".learnt") == task.why  # What is learnt stays.
    button(player, "Puzzle 3: No line parts them").click()
    player.page.get_by_text("Puzzle 3 ·").wait_for()
    player.page.wait_for_url("**lesson=puzzle-03-no-line**")


def test_a_puzzle_leads_to_its_lesson(player, puzzle):
    puzzle(REPAIR)
    turn(player, sigma=0.5)
    wait_for_number(player, 6)
    button(player, "How wide should a hill be?").click()
    player.page.locator(".puzzle").wait_for(state="detached")
    assert player.js("s.lesson.lesson.title") == "How wide should a hill be?"


def test_the_slider_of_a_puzzle_goes_by_the_steps_of_its_grid(player, puzzle):
    puzzle(REPAIR)
    slider = player.page.locator(".puzzle input[type=range]")
    slider.focus()
    for _ in range(3):
        player.press("ArrowLeft")
    player.settle()
    sigma = float(Link.read(player.js("s.session.state.link")).pairs["sigma"])
    assert sigma < 1.5
    assert abs(sigma / 0.05 - round(sigma / 0.05)) < 1e-6


def test_an_order_is_made_by_dragging_cells_and_by_arrows(player, puzzle):
    task = puzzle("puzzle-05-worst-order")
    wait_for_number(player, 12)
    cells = player.page.locator(".puzzle .cells button")
    assert cells.all_inner_texts() == [f"x{digit}" for digit in "₀₁₂₃₄₅₆₇"]
    cells.nth(0).focus()
    player.press("ArrowRight")
    player.settle()
    assert cells.all_inner_texts()[:2] == ["x₁", "x₀"]
    assert player.js("s.root.getRootNode().activeElement.textContent") == "x₀"
    cells.nth(7).drag_to(cells.nth(2))
    player.settle()
    assert cells.all_inner_texts()[2] == "x₇"
    query = player.js("s.session.state.link")
    wait_for_number(player, f"{task.question.value_of(task.start, Link.read(query)):g}")


def test_in_rows_a_cell_is_dragged_to_the_cell_under_the_pointer(player, puzzle):
    puzzle("puzzle-05-worst-order")
    wait_for_number(player, 12)
    player.js("(r.querySelector('.puzzle .cells').style.width = '160px')")
    cells = player.page.locator(".puzzle .cells button")
    tops = {cells.nth(k).bounding_box()["y"] for k in range(8)}
    assert len(tops) > 1
    for start, end in ((0, 7), (7, 1), (2, 6), (5, 3)):
        name = cells.nth(start).inner_text()
        cells.nth(start).drag_to(cells.nth(end))
        player.settle()
        assert cells.nth(end).inner_text() == name


def test_a_line_is_drawn_by_its_heights_and_its_number_comes_with_the_answer(player, puzzle):
    heights = puzzle("puzzle-10-guess-the-line").question.solution.heights
    sliders = player.page.locator(".puzzle .heights input")
    for k, height in enumerate(heights[:-1]):
        sliders.nth(k).fill(f"{height:g}")
    wait_for_number(player, "–")
    player.js("s.cursor.go(5)")
    assert player.js("s.player.t") == 0  # The board keeps its line to itself.
    view = "s.player.view"
    x = player.js(f"{view}.rect.x + {view}.rect.w - 2")
    player.hold((x, player.js(f"{view}.y(0)")), (x, player.js(f"{view}.y({heights[-1]})"))).drop()
    assert player.js("s.lesson.puzzleMode.tools.heights") == pytest.approx(heights)
    button(player, "Check").click()
    wait_for_number(player, 95)
    assert player.js("s.player.t === s.runs.end")
    assert "That is the best there is" in told(player)


def test_a_record_is_sent_by_a_link_that_opens_at_the_start_and_hides_its_board_until_beaten(
    player, puzzle
):
    puzzle(REPAIR)
    turn(player, sigma=0.7)
    wait_for_number(player, 12)
    button(player, "Send my record").click()
    player.page.get_by_label("Your name").fill("Anna")
    button(player, "Copy the link").click()
    player.page.locator(".puzzle .sent", has_text=re.compile(".")).wait_for()
    player.page.evaluate("localStorage.clear()")
    board = Link.read(player.js("s.session.state.link"))
    query = records.record_of(REPAIR, board, "Anna").query
    puzzle(REPAIR, query.removeprefix(f"lesson={REPAIR}"))
    player.page.get_by_text("Anna: 12 mistakes. Beat it.").wait_for()
    assert "sigma=1.5" in player.js("s.session.state.link")
    assert not button(player, "Show Anna’s board").is_visible()
    turn(player, sigma=0.5)
    wait_for_number(player, 6)
    button(player, "Show Anna’s board").click()
    wait_for_number(player, 12)
    assert "sigma=0.7" in player.js("s.session.state.link")


@pytest.mark.parametrize(
    ("mistakes", "words"), [(0, "0\nmistakes"), (1, "1\nmistake"), (2, "2\nmistakes")]
)
def test_one_mistake_is_called_so_beside_the_number(player, puzzle, mistakes, words):
    puzzle(BREAK)
    player.until("s.lesson.puzzleMode.checked")  # What the engine says would take its place.
    player.js(
        "(s.lesson.puzzleMode.checked = { right: false, why: '', because: [],"
        " detail: { value: arg, shown: String(arg) } }, s.redraw(), 0)",
        mistakes,
    )
    player.rest()
    assert player.page.locator(".puzzle .count").inner_text().startswith(words)


def test_a_forged_record_says_so_in_a_sentence(player, puzzle):
    board = Link.read("v=1&data=moons&n=24&seed=5&noise=0.15&sigma=0.7")
    query = records.record_of(REPAIR, board, "Anna").query.replace("record=12", "record=4")
    puzzle(REPAIR, query.removeprefix(f"lesson={REPAIR}"))
    why = "This record is not true: the link says 4, and its board has 12 mistakes."
    player.page.locator(".puzzle .told", has_text=why).wait_for()
    assert player.spoken.endswith(why)
    assert player.page.get_by_text("Beat it").count() == 0


def test_a_puzzle_is_left_for_the_board_as_it_is(player, puzzle):
    puzzle(BREAK)
    click_map(player, 0.5, 0.5)
    player.press("Escape")
    player.page.locator(".puzzle").wait_for(state="detached")
    player.settle()
    assert len(points(player)) == 9
    assert not player.js("s.standing.edit.on")
    player.until_written()
    assert "lesson=" not in player.page.url


@pytest.mark.in_app
def test_the_place_puzzles_has_the_ten_starts_and_ones_own_records_which_can_be_forgotten(player):
    page = player.page
    page.goto(f"{player.base}/puzzles")
    records_seen = page.locator("[data-puzzle]")
    records_seen.first.wait_for()
    assert records_seen.all_inner_texts() == ["not played"] * 10
    names = page.locator("article a").evaluate_all("(all) => all.map((link) => link.href)")
    assert [name.partition("lesson=")[2] for name in names] == list(shelf.puzzles())
    mark = shelf.read(REPAIR).scenes[0].tasks[0].mark
    page.evaluate(
        "(mark) => localStorage.setItem('kpviz-record-' + mark, "
        "JSON.stringify({ value: 6, shown: '6', link: '' }))",
        mark,
    )
    page.reload()
    records_seen.nth(1).get_by_text("your record: 6").wait_for()
    page.get_by_role("button", name="Forget my records").click()
    assert records_seen.all_inner_texts() == ["not played"] * 10
    page.reload()
    records_seen.first.wait_for()
    assert records_seen.all_inner_texts() == ["not played"] * 10


# ---- before a class ------------------------------------------------------------------------------


@pytest.fixture
def wall(player):
    """Return a function that opens a puzzle on the stage."""

    def open_wall(name, size=(1366, 768), query=""):
        player.page.set_viewport_size({"width": size[0], "height": size[1]})
        player.open(f"/?lesson={name}{query}&stage=window")
        player.until("s.lesson.puzzleMode.begun && s.present.on").settle()
        return player.page.locator(".wall")

    return open_wall


def take_record(player, text):
    player.press("Enter")
    player.page.keyboard.insert_text(text)
    player.press("Enter").rest()


def best_link(name, by):
    task = shelf.read(name).scenes[0].tasks[0]
    return records.record_of(name, task.question.solution, by).query


def rows(element):
    return [row.split("\n") for row in element.locator("li").all_inner_texts()]


@pytest.mark.parametrize("size", [(1920, 1080), (1024, 768)])
@pytest.mark.parametrize("name", [BREAK, "puzzle-05-worst-order", "puzzle-10-guess-the-line"])
def test_records_are_typed_or_read_from_links_and_the_board_of_the_best_is_shown(
    player, wall, name, size
):
    element = wall(name, size)
    task = shelf.read(name).scenes[0].tasks[0]
    assert element.locator(".question").inner_text() == task.ask
    assert "Y shows the code" in element.locator(".foot").inner_text()
    for text in ("18", "31 Anna", "30 third row", "29 Anna"):
        take_record(player, text)
    assert rows(element) == [
        ["31", "Anna", "not checked"],
        ["30", "third row", "not checked"],
        ["18", "without a name", "not checked"],
    ]
    assert "3 records, none of them checked" in element.locator(".foot").inner_text()
    assert element.locator("li.checked").count() == 0  # None is green.
    take_record(player, "many")
    assert "“many” is not a number" in player.said
    take_record(player, f"http://any.example/?{best_link(name, 'Ben')}")
    element.locator("li", has_text="Ben").wait_for()
    best = records.shown_as(task.question.best)
    assert rows(element)[0] == [best, "Ben", "checked"]
    assert "4 records, 1 of them checked" in element.locator(".foot").inner_text()
    player.press("PageDown")
    element.locator(".told", has_text=task.why[:20]).wait_for()
    count = element.locator(".count").inner_text().split("\n")
    assert [count[0], count[-1]] == [best, "the best so far: Ben"]
    lies = element.evaluate(
        "(e) => [e.scrollHeight - e.clientHeight, e.scrollWidth - e.clientWidth]"
    )
    assert max(lies) <= 1
    numeral = element.locator(".count strong").evaluate(
        "(e) => parseFloat(getComputedStyle(e).fontSize)"
    )
    assert numeral >= 0.09 * size[1]
    player.press("PageUp").until("s.session.settled && !s.lesson.arriving")
    element.locator(".count strong", has_not_text=best).wait_for()
    assert player.js("localStorage.getItem(`kpviz-record-${arg}`)", task.mark) is None


def test_records_survive_a_reload_and_0_takes_the_last_one_away(player, wall):
    element = wall(REPAIR)
    take_record(player, "9 Anna")
    take_record(player, "12 Ben")
    assert rows(element) == [
        ["9", "Anna", "not checked"],
        ["12", "Ben", "not checked"],
    ]  # Fewer mistakes are better.
    player.until("location.search.startsWith('?v=1')")  # The address is written at rest.
    player.reload().until("s.lesson.puzzleMode.begun").settle()
    element.locator("li").first.wait_for()
    assert rows(element) == [["9", "Anna", "not checked"], ["12", "Ben", "not checked"]]
    take_record(player, "10 Cleo")
    player.press("0").rest()
    assert rows(element) == [["9", "Anna", "not checked"], ["12", "Ben", "not checked"]]


def test_a_record_that_is_not_true_or_of_another_puzzle_is_refused(player, wall):
    element = wall(BREAK)
    take_record(player, f"?{best_link(BREAK, 'Ben').replace('record=105', 'record=106')}")
    player.until("s.controls.statusLine.textContent.includes('is not true')")
    take_record(player, f"?{best_link(REPAIR, 'Ben')}")
    assert player.said == "This record is one of another puzzle."
    assert rows(element) == []


def test_after_its_best_board_comes_the_next_puzzle_and_the_notes_have_what_is_asked(player, wall):
    element = wall(BREAK)
    task = shelf.read(BREAK).scenes[0].tasks[0]
    lines = player.js("s.player.modes.ask('classAsked')")
    assert lines == [task.ask, "par 42"]
    take_record(player, "31 Anna")
    assert player.js("s.player.modes.ask('classAsked')")[2] == "31 Anna"
    player.press("PageUp").rest()
    assert player.said == "This is the first puzzle."
    player.press("PageDown").until(
        "s.lesson.lesson.title === 'Repair it' && s.lesson.puzzleMode.begun"
    )
    player.settle()
    assert element.locator(".where").inner_text() == "Puzzle 2 · Repair it"
    assert rows(element) == []
    assert player.js("s.present.on && !s.present.slides.full && !s.present.classVotes.on")
    player.press("PageUp").until(
        "s.lesson.lesson.title === 'Break it' && s.lesson.puzzleMode.begun"
    )
    assert element.locator(".where").inner_text() == "Puzzle 1 · Break it"
    assert rows(element.page.locator(".wall")) == [["31", "Anna", "not checked"]]
