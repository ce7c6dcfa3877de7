"""The first visit: a minute in which one guesses what the machine will say, once in a browser; then
the board.
"""

import re
from urllib.parse import urljoin

import pytest
from driver import PATIENCE, REFUSED, UNSEEN, Player

from kpviz import experiment
from kpviz.lessons import shelf
from kpviz.lessons.file.kinds.board import points_of
from kpviz.settings import Settings

TITLE = "Can a machine learn to tell orange from blue?"
RUN = experiment.run(Settings.of())
GUESSES = range(1, 5)
FORGOTTEN = """if (window.name === "next test") {
  for (const storage of [sessionStorage, localStorage]) storage.clear();
  window.name = "";
}"""
# What is seen before the canvas, and on it: its words, and what can be pressed or typed into.
ALL = """const all = (root) =>
    [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);"""
WORDS = f"""(() => {{
  {ALL}
  const seen = (one) => one.checkVisibility() && !one.closest(".unseen, .live, style, script");
  const texts = (one) => [...one.childNodes].filter(({{ nodeType }}) => nodeType === Node.TEXT_NODE);
  const own = all(document).filter(seen).flatMap(texts);
  const drawn = s.board.panels.flatMap(({{ marks }}) => marks).filter(({{ kind }}) => kind === "text");
  return [...own.map(({{ data }}) => data), ...drawn.map(({{ text }}) => text)].join(" ").match(/[a-z0-9]+/giu);
}})()"""
CONTROLS = f"""(() => {{
  {ALL}
  return all(document).filter((one) => one.tabIndex >= 0 && one.checkVisibility() && !one.closest("[inert]"))
    .map((one) => one.ariaLabel ?? one.textContent);
}})()"""

# On to the first question, before which one sees that nothing is known, and what is remembered.
BEGUN = """(() => {
  const { firstMinute } = s.standing;
  for (let k = 0; k < 2 && firstMinute.phase === "first"; k += 1) firstMinute.goOn();
})()"""
# Steps that follow each other faster are not seen happening: such flashes are damped.
UNHURRIED = 500  # ms
# The step that an answer takes is seen happening for an instant only: whether it is, as it begins.
NOTES_MOTION = """(window.moves = null, addEventListener("keydown", () => setTimeout(() => {
  window.moves = seen(r.kpviz).motion !== null;
}), { capture: true, once: true }), 0)"""
# What came of an answer, all of one instant.
ANSWERED = """(() => {
  const box = r.querySelector(".asking");
  const guesses = [...box.querySelectorAll(".pips i")].map((guess) => guess.innerText);
  return {
    t: s.t, moves: window.moves, words: box.innerText, guesses,
    headline: box.querySelector("h2").checkVisibility(), where: box.querySelector(".where").innerText,
  };
})()"""


@pytest.fixture(scope="module")
def fresh_page(chromium):
    """A tab of a browser that forgets, before each test, that it has been here."""
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    for script in (UNSEEN, FORGOTTEN):
        context.add_init_script(script)
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def bare_fresh(fresh_page, bare_server):
    return Player(fresh_page, bare_server)


@pytest.fixture(scope="module")
def folder_fresh(fresh_page, folder_server):
    return Player(fresh_page, folder_server)


@pytest.fixture
def visitor(request, page_kind):
    """Somebody whose browser has not been here."""
    fresh = request.getfixturevalue(f"{page_kind}_fresh")
    fresh.forget()
    fresh.page.evaluate("window.name = 'next test'")
    yield fresh.wear()
    assert fresh.errors == []


def opened(player, path="/"):
    player.page.goto(player.base + path)
    player.root = player.page.wait_for_selector(".kpviz")
    return player.until("s && s.board")


def playing(player):
    return player.js("s.standing.firstMinute.on")


def asked(player, t):
    """Wait for the question at t, and not for what one sees before the first one."""
    player.until("s.standing.firstMinute.phase !== null").js(BEGUN)
    return asked_in_time(player, t)


def asked_in_time(player, t):
    """Wait for the question at t."""
    return player.until("s.standing.firstMinute.phase === 'ask' && s.t === arg", t)


def says_at(t):
    return "orange" if RUN.score[t] > 0 else "blue"


def says(player):
    """The class that the machine says of the point that is asked about."""
    return says_at(player.t)


def words(player):
    return player.page.locator(".asking").inner_text()


def answered(player):
    """Go on from what came of an answer, to the next question or to the learning."""
    return player.until("s.standing.firstMinute.phase === 'answered'").press("Enter")


def answer_to(t, guess):
    """What is said of the answer about the point at t: the mistake is the machine's, and whoever
    guessed the colour of the point itself knew better.
    """
    machine = "orange" if RUN.score[t] > 0 else "blue"
    point = "orange" if RUN.y[RUN.index[t]] > 0 else "blue"
    hair = ", by a hair" if abs(RUN.score[t]) < 0.05 else ""
    verdict = "" if guess is None else "You were right. " if guess == machine else "Not this time. "
    says = f"{verdict}The machine said {machine}{hair}"
    if not RUN.mistake[t]:
        return f"{says}{',' if hair else ''} and so it is. Nothing to remember."
    better = " You knew better." if guess == point else ""
    return (
        f"{says}. But the point is {point}: the machine was wrong.{better} It remembers this one, "
        "too."
    )


def finished(player):
    """Guess right each time, and let the run play to its end."""
    for t in GUESSES:
        asked(player, t).press({"orange": "1", "blue": "2"}[says(player)])
        answered(player)
    player.until("s.standing.firstMinute.phase === 'learns'").press("PageDown")
    player.until("s.standing.firstMinute.phase === 'done'").rest()
    return player


def learnt(player):
    """Let the run play to its end at once."""
    player.until("s.standing.firstMinute.phase === 'learns'").pace(10_000)
    return player.until("s.standing.firstMinute.phase === 'done'").rest()


def way(player, name):
    player.page.get_by_role("button", name=name).click()
    return player.until("!s.standing.firstMinute.on")


# ---- playing it ----------------------------------------------------------------------------------


def test_three_ways_lead_on_and_back_leads_back(visitor):
    opened(visitor)
    way(finished(visitor), "Can a line do it?").until_set("kernel=linear")
    visitor.until("s.standing.runQuestion.phase === 'ask'").press("Escape").pace(10_000)
    visitor.until("s.standing.runQuestion.phase === 'told'").press("Escape")
    assert visitor.t == visitor.js("s.runs.end")
    assert visitor.press("z").settle().js("s.run.header.settings.query") == "v=1"
    visitor.page.go_back()
    visitor.page.evaluate("window.name = 'next test'")
    opened(visitor)
    way(finished(visitor), "Slowly: lesson 1").until("s.lesson.open && !s.lesson.arriving")
    assert visitor.js("s.lesson.source.name") == "lesson-01-first-steps"
    assert shelf.read("lesson-01-first-steps").minutes == 15
    visitor.page.go_back()
    asked_what_now(visitor)
    assert not visitor.js("s.lesson.open")


def test_by_keyboard_to_the_end_with_few_words_before_the_first_guess(visitor):
    opened(visitor).until("s.standing.firstMinute.phase === 'first'")
    assert "It knows nothing yet: it just remembers this orange point." in words(visitor)
    assert visitor.js("[...s.run.reading(s.t).field].every((f) => f === 0)")
    assert (len(visitor.js(WORDS)) <= 30, len(visitor.js(CONTROLS)) <= 5) == (True, True)
    asked_in_time(visitor, 1)
    assert (len(visitor.js(WORDS)) <= 30, len(visitor.js(CONTROLS)) <= 5) == (True, True), (
        visitor.js(WORDS)
    )
    (ring,) = visitor.marks("map", name="current")
    x, y = RUN.X[RUN.index[1]]
    assert [ring["x"], ring["y"]] == pytest.approx(visitor.js(f"[s.view.x({x}), s.view.y({y})]"))
    assert {mark["i"] for mark in visitor.marks("map") if "i" in mark} == {RUN.index[0]}
    right = 0
    for t, key in zip(GUESSES, ("ArrowLeft", "2", "PageDown", "ArrowRight"), strict=True):
        asked(visitor, t)
        guess = {"ArrowLeft": "orange", "2": "blue", "PageDown": None, "ArrowRight": "blue"}[key]
        right += guess == says(visitor)
        visitor.wait_in_page(UNHURRIED).js(NOTES_MOTION)
        seen = visitor.press(key).until("window.moves !== null").js(ANSWERED)
        assert (seen["t"], seen["moves"]) == (t + 1, bool(RUN.mistake[t]))  # the hill drops
        assert answer_to(t, guess) in seen["words"]
        assert (seen["headline"], seen["where"].startswith(TITLE)) == (False, True)
        assert f"{t} of 4" in seen["where"]
        mark = "–" if guess is None else "✓" if guess == says_at(t) else "✗"
        assert seen["guesses"][t - 1] == mark
        if t < 4:
            answered(visitor)
    assert f"Your guesses: {right} of 4" in words(visitor)
    assert visitor.page.locator(".asking .bricks i").count() == RUN.mistake[:5].sum()
    assert visitor.page.evaluate("location.search") == ""
    speed = visitor.speed
    visitor.press("Enter").until("s.clock.playing")
    assert visitor.speed == pytest.approx((RUN.n_steps - 5) / 4)  # All of it in four seconds.
    learnt(visitor)
    remembered = len({*RUN.index[RUN.mistake]})
    assert (RUN.mistake.sum(), remembered) == (11, 10)
    end = "It made 11 mistakes, remembers 10 points (one of them twice), and is right on all 60."
    assert end in words(visitor)
    assert "What now?" in words(visitor)
    assert visitor.page.locator(".asking .bricks i").count() == RUN.mistake.sum()
    assert set(visitor.panels()) == {"map", "strip", "axis", "gutter"}
    side = visitor.panel("map")["w"]
    lines = visitor.point(0.3 * side, 0.6 * side).js("s.touch.probe.terms.length")
    assert lines == 5  # "lines show which points vote"
    visitor.press("PageDown").rest()
    assert (playing(visitor), visitor.t, visitor.speed) == (False, RUN.n_steps, speed)
    visitor.page.wait_for_url(f"**/?v=1&t={RUN.n_steps}")
    opened(visitor).rest()
    assert (playing(visitor), visitor.t) == (False, 0)
    assert visitor.page.locator(".asking").count() == 0


def at_its_end(player):
    """Guess, and let the run play to its end."""
    opened(player)
    for t in GUESSES:
        asked(player, t).press("1")
        answered(player)
    return learnt(player)


def test_in_each_window_question_answers_and_what_goes_on_are_in_view(visitor):
    for width, height in ((320, 256), (390, 844), (844, 390), (1024, 600), (1920, 1080)):
        visitor.anew("/?v=1") if visitor.root else None
        visitor.page.evaluate("window.name = 'next test'")
        opened(visitor.wear(width, height, reduced_motion="reduce"))
        for t in GUESSES:
            asked(visitor, t).rest()
            top, bottom = visitor.panel("map")["y"], visitor.box(".answers")[3]
            assert visitor.at(0, top)[1] >= 0, (width, t)
            assert bottom <= height, (width, t)
            assert visitor.box(".asking .question")[1] >= 0, (width, t)
            visitor.press("1").rest()
            if height > 300:
                assert visitor.box(".asking .main")[3] <= height, (width, t)
            answered(visitor)
        visitor.until("s.standing.firstMinute.phase === 'done'").rest()
        if height > 300:
            assert visitor.box(".asking .answers")[3] <= height, width
            assert "of 4" in words(visitor), width  # the score
            for part in ("svg", "span"):  # The ways stand in step.
                tops = [
                    one.bounding_box()["y"]
                    for one in visitor.page.locator(f".asking .pictured > {part}").all()
                ]
                assert len(tops) == 3
                assert max(tops) - min(tops) <= 1, (width, part)
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_card_of_the_map_is_read_whole_and_has_no_formula(visitor):
    finished(opened(visitor))
    map_ = visitor.panel("map")
    over = visitor.box(".asking")
    for x, y in ((0.87, 0.3), (0.99, 0.02), (0.99, 0.99), (0.02, 0.98), (0.5, 0.5), (0.75, 0.15)):
        visitor.point(map_["x"] + x * map_["w"], map_["y"] + y * map_["w"])
        box = visitor.marks("tip")[0]
        left, top = visitor.at(box["x"], box["y"])
        right, bottom = left + box["w"], top + box["h"]
        a, b, c, d = over
        assert right <= a or left >= c or bottom <= b or top >= d, (x, y)
        assert not re.search(r"[Σαf·]|x[₀-₉]", " ".join(visitor.tip)), visitor.tip
        assert any(line.startswith(("score", "This point is")) for line in visitor.tip)


def test_escape_closes_one_thing(visitor):
    finished(opened(visitor))
    side = visitor.panel("map")["w"]
    visitor.click(0.3 * side, 0.6 * side)
    assert visitor.tip != []
    visitor.press("Escape").rest()  # what was clicked
    visitor.press("Escape").rest()  # what is pointed at
    assert (visitor.tip, playing(visitor)) == ([], True)
    visitor.press("Escape")
    assert not playing(visitor)
    assert visitor.page.locator(".knob .quick .label").inner_text().startswith("Width of the hills")


def test_nothing_that_is_pressed_before_there_is_a_run_fails(bare_context, bare_server):
    page = bare_context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(error))
    page.route_web_socket(re.compile(".*"), lambda _: None)
    for link, ghosts in (("compare=svm", 3), ("v=1&pins=3", 5), ("v=1", 2)):
        page.goto(f"{bare_server}/?{link}")
        page.wait_for_selector(".kpviz .bar")
        assert page.locator(".kpviz .ghost").count() == ghosts  # maps and timeline
    for key in (
        "ArrowRight",
        "End",
        " ",
        "q",
        "?",
        "Escape",
        ",",
        "Escape",
        "z",
        "Shift+E",
        "Shift+K",
        "w",
        "y",
        "p",
    ):
        page.keyboard.press(key)
    for one in page.locator(
        ".kpviz .bar > button, .kpviz .bar > .step > button, .kpviz .topbar [data-do]"
    ).all():
        if one.is_visible():
            one.click()
            page.keyboard.press("Escape")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    assert errors == []
    page.close()


def test_by_touch_on_a_phone_with_nothing_out_of_reach(player_with):
    phone = player_with(
        visited=False, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    opened(phone)
    for t in GUESSES:
        asked(phone, t).page.get_by_role("button", name=says(phone), exact=True).tap()
        phone.rest()
        for css in (".asking .answers", ".asking .main", ".asking .stops"):
            box = phone.box(css)
            assert 0 <= box[0] < box[2] <= 390
            assert 0 <= box[1] < box[3] <= 844
        phone.page.locator(".asking .main").tap()
    learnt(phone)
    assert phone.box(".asking .answers")[3] <= 844
    names = phone.page.locator(".asking .pictured > span")
    heights = [name.bounding_box()["height"] for name in names.all()]
    assert (len(heights), max(heights) < 30) == (3, True), heights  # Each in one line.
    phone.page.get_by_role("button", name="Break it").tap()
    phone.until("s.lesson.puzzleMode.begun").rest()
    asks = "Put three more points, so that learning them all costs the most mistakes."
    assert phone.page.locator(".puzzle .question").inner_text() == asks
    assert (playing(phone), phone.js("s.standing.edit.on")) == (False, True)


def test_by_what_a_screen_reader_is_told_alone(visitor):
    page = opened(visitor, "/").page
    assert page.get_by_role("heading", level=2).inner_text() == TITLE
    assert page.get_by_role("application").count() == 0  # no board beneath
    live = page.locator("[aria-live=polite].live")
    near = re.compile(r"(orange|blue) at \(([^,]+), ([^)]+)\)")
    number = lambda text: float(text.replace("−", "-"))  # noqa: E731
    told_before = "nothing yet"
    for t in GUESSES:
        asked(visitor, t)
        told = live.text_content()
        assert told_before not in told  # it was said already
        places = page.locator("#asked-description").text_content()
        assert places in told
        place, remembered = re.search(
            r"The new point is at (\(.*?\))\. Remembered: (.*)\.", told
        ).groups()
        new = [number(each) for each in place[1:-1].split(", ")]
        assert new == pytest.approx(RUN.X[RUN.index[t]], abs=0.01)
        known = [(number(x), number(y), colour) for colour, x, y in near.findall(remembered)]
        assert len(known) == RUN.mistake[:t].sum()
        *_, guess = min(known, key=lambda one: (one[0] - new[0]) ** 2 + (one[1] - new[1]) ** 2)
        page.get_by_role("button", name=guess, exact=True).focus()
        visitor.press("Enter").until("s.t === arg", t + 1)
        told_before = answer_to(t, guess)
        assert live.text_content() == told_before
        # What had the focus is gone: what goes on has it.
        assert visitor.js("r.getRootNode().activeElement.className") == "main"
        visitor.press("Enter")
    learnt(visitor)
    assert live.text_content().startswith("It made 11 mistakes")
    assert visitor.js("r.getRootNode().activeElement.closest('.answers') !== null")


def test_with_reduced_motion_nothing_moves_and_nothing_goes_on_by_itself(visitor):
    player = opened(visitor.wear(reduced_motion="reduce"))
    for t in GUESSES:
        assert (player.t, player.js("s.standing.firstMinute.phase")) == (t, "ask")
        player.press({"orange": "1", "blue": "2"}[says(player)])
        assert player.js("s.motion") is None
        if t < 4:
            answered(player)
    assert "Your guesses: 4 of 4" in words(player)
    answered(player).until("s.standing.firstMinute.phase === 'done'")
    assert (player.playing, player.t) == (False, RUN.n_steps)


def test_with_reduced_motion_next_goes_on_while_what_was_before_is_seen_once_more(visitor):
    player = opened(visitor.wear(reduced_motion="reduce"))
    t = next(t for t in GUESSES if RUN.mistake[t])
    for earlier in range(1, t):
        asked(player, earlier).press("PageDown")
        answered(player)
    asked(player, t).press({"orange": "2", "blue": "1"}[says(player)])
    player.until("s.standing.firstMinute.phase === 'answered'")
    shown_again = "s.standing.question.waysAfterWrong[0].act(), s.t"
    next_asked = "s.standing.firstMinute.goOn(), s.t"
    assert player.js(f"[({shown_again}), ({next_asked})]") == [t + 1, t + 1]
    asked(player.rest(), t + 1)


# ---- what one goes on with -----------------------------------------------------------------------


def asked_what_now(player):
    """The three ways are there, with no guesses of which nothing is known any more."""
    player.until("s.standing.firstMinute.phase === 'done'").rest()
    words = player.page.get_by_label("The first minute", exact=True).inner_text()
    for part in ("What now?", "Break it", "Can a line do it?", "Slowly: lesson"):
        assert part in words
    assert player.js("[s.run.header.settings.query, s.t === s.runs.end]") == ["v=1", True]
    assert not player.js("s.canvas.inert")
    return words


def test_back_and_a_reload_lead_to_what_now_until_one_wants_the_whole_board(visitor):
    opened(visitor)
    way(finished(visitor), "Break it").until("s.lesson.puzzleMode.begun").settle()
    visitor.page.go_back()
    assert "Your guesses" not in asked_what_now(visitor)
    visitor.reload()
    asked_what_now(visitor)
    way(visitor, "The whole board").until("!s.standing.firstMinute.on").rest()
    visitor.reload()
    assert not playing(visitor)


def test_who_has_seen_that_no_line_does_it_goes_on_to_what_now(visitor):
    opened(visitor)
    way(finished(visitor), "Can a line do it?").until("s.standing.runQuestion.phase === 'ask'")
    visitor.press("2").pace(10_000).until("s.standing.runQuestion.phase === 'told'").rest()
    box = visitor.page.get_by_label("Your prediction")
    assert box.get_by_role("button").all_inner_texts()[-2:] == ["What now?", "The whole board"]
    visitor.press("Enter")
    asked_what_now(visitor)
    assert "linear" not in visitor.said


def test_the_name_in_the_bar_leads_to_what_now(visitor):
    opened(visitor, "/?lesson=lesson-01-first-steps").until("s.lesson.open && !s.lesson.arriving")
    name = visitor.page.get_by_role("link", name="kpviz", exact=True)
    assert name.get_attribute("title") == "What now?"
    name.click()
    asked_what_now(visitor)
    assert not visitor.js("s.lesson.open")
    opened(visitor, "/?v=1&data=circles").page.get_by_role("link", name="kpviz", exact=True).click()
    asked_what_now(visitor)
    visitor.page.go_back()
    assert visitor.until_set("data=circles").js("s.standing.firstMinute.on") is False


@pytest.mark.parametrize("settings", ["", "&v=1&data=circles"])
def test_an_address_leads_to_what_now_whatever_settings_it_has(visitor, settings):
    opened(visitor, "/fisher")
    visitor.page.evaluate("localStorage.setItem('kpviz-opening', 'seen')")
    opened(visitor, f"/?home=1{settings}")
    asked_what_now(visitor)
    assert "home" not in visitor.js("location.search")


def test_on_the_page_of_fisher_the_name_in_the_bar_leads_to_what_now(visitor):
    opened(visitor, "/fisher")
    visitor.page.evaluate("localStorage.setItem('kpviz-opening', 'seen')")
    visitor.page.get_by_role("link", name="kpviz", exact=True).click()
    visitor.page.wait_for_url(f"{visitor.base}/")
    asked_what_now(visitor.ready())


def test_the_picture_of_break_it_has_the_points_of_the_puzzle(visitor):
    task = shelf.read("puzzle-01-break-it").scenes[0].tasks[0]
    points = points_of(task.start.settings)
    orange = points.X[points.y > 0].round(2).tolist()
    blue = points.X[points.y < 0].round(2).tolist()
    visitor.page.goto(urljoin(visitor.base, "/page/way_pictures.js"))
    drawn = visitor.page.evaluate("import(location.href).then(({ EIGHT }) => EIGHT)")
    assert drawn == orange + blue


def test_it_is_left_at_any_time_and_played_again_from_the_help(visitor):
    opened(visitor).until("s.standing.firstMinute.on").page.get_by_role(
        "button", name="Skip: the whole board"
    ).click()
    visitor.until("!s.standing.firstMinute.on").rest()
    assert (visitor.t, visitor.js("s.standing.question.on"), visitor.js("s.canvas.inert")) == (
        0,
        False,
        False,
    )
    assert {"words", "timeline", "alpha", "margins"} <= set(visitor.panels())
    visitor.anew("/?v=1&data=circles&t=5").press("?")
    visitor.page.get_by_role("button", name="Play the first minute again").click()
    asked(visitor, 1).press("Escape")
    assert not playing(visitor)
    assert visitor.js("s.run.header.settings.query") == "v=1"
    visitor.page.go_back()
    assert visitor.until_set("data=circles").js("s.standing.firstMinute.on") is False
    visitor.page.evaluate("window.name = 'next test'")
    asked(opened(visitor), 1).press("x", "End", "ArrowUp", "k").rest()
    assert (playing(visitor), visitor.t) == (True, 1)
    visitor.press("w").until("s.present.on && !s.standing.firstMinute.on").press("Escape")


def test_a_reload_in_the_middle_leads_to_the_board(visitor):
    asked(opened(visitor), 1).press("1").until("s.t === 2")
    visitor.reload()
    assert (playing(visitor), visitor.t) == (False, 0)


# ---- who gets the board at once ------------------------------------------------------------------


LINKS = {
    "the board": "/?v=1",
    "a setting": "/?v=1&data=circles",
    "an instant": "/?v=1&t=3",
    "the stage": "/?v=1&stage=16x9",
    "a frame": "/?embed=true",
    "a lesson": "/?lesson=lesson-01-first-steps",
}


@pytest.mark.parametrize("name", LINKS)
def test_a_link_shows_what_it_says_and_nothing_else(visitor, name):
    opened(visitor, LINKS[name]).rest()
    first_minute = visitor.page.get_by_label("The first minute", exact=True)
    assert (playing(visitor), first_minute.count()) == (False, 0)
    assert visitor.page.evaluate("localStorage.getItem('kpviz-opening')") is None
    opened(visitor).until("s.standing.firstMinute.on")  # so the first visit is still to come


def test_where_nothing_can_be_kept_and_in_a_frame_the_board_is_there(player_with):
    player = player_with(visited=False)
    player.page.goto(urljoin(player.base, "/service/texts.js"))
    player.page.evaluate(
        """(src) => {
      const frame = Object.assign(document.createElement("iframe"), { src, width: 1200, height: 700 });
      document.body.replaceChildren(frame);
    }""",
        f"{player.base}/",
    )
    (frame,) = player.page.frames[1:]
    frame.wait_for_selector(".kpviz .bar")
    board = frame.wait_for_selector(".kpviz")
    frame.wait_for_function("(board) => board.kpviz?.board", arg=board)
    assert board.evaluate("(board) => board.kpviz.standing.firstMinute.on") is False
    player.page.add_init_script(REFUSED)
    opened(player).rest()
    assert (player.t, playing(player), player.page.locator(".asking").count()) == (0, False, 0)
