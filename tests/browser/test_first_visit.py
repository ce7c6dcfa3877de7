"""The first visit: three mistakes that play by themselves, once, and the tour that is offered after them."""

import time

import pytest
from driver import PATIENCE, REFUSED, UNSEEN, Player

SIZES = [(1366, 768), (1920, 1080), (390, 844)]
FORGOTTEN = """if (window.name === "next test") {
  for (const storage of [sessionStorage, localStorage]) storage.clear();
  window.name = "";
}"""


@pytest.fixture(scope="module")
def fresh(chromium, bare_server):
    """A browser that forgets, before each test, that it has been here."""
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    for script in (UNSEEN, FORGOTTEN):
        context.add_init_script(script)
    context.set_default_timeout(PATIENCE)
    yield Player(context.new_page(), bare_server)
    context.close()


@pytest.fixture
def visitor(fresh):
    """Somebody whose browser has not been here."""
    fresh.forget()
    if hasattr(fresh, "seen"):
        fresh.page.evaluate("window.name = 'next test'")
    fresh.seen = True
    yield fresh
    assert fresh.errors == []


def opened(player, path="/"):
    player.page.goto(player.base + path)
    player.root = player.page.wait_for_selector(".kpviz")
    return player.until("s && s.board")


def offer(player):
    return player.page.locator(".kpviz .offer")


def touring(player):
    return player.js("s.tour.on")


# ---- the opening ----------------------------------------------------------------------------------------------------


def test_three_mistakes_play_once_in_a_browser_neither_in_the_address_nor_read_aloud_till_the_run_waits(visitor):
    opened(visitor).until("s.opening.on")
    began = time.monotonic()
    visitor.js("(() => { window.seen = []; const put = s.cursor.put.bind(s.cursor);"
               " s.cursor.put = (t) => { window.seen.push(t); put(t); }; })()")  # fmt: skip
    visitor.until("s.opening.on && s.t > 1")
    assert visitor.js("r.querySelector('.live').textContent") == ""
    assert "t=" not in visitor.page.url
    visitor.until("!s.opening.on").rest()
    assert time.monotonic() - began < 6  # a second for the machine
    assert offer(visitor).is_visible()
    visitor.until("r.querySelector('.live').textContent !== ''")
    assert "Press →" in visitor.js("r.querySelector('.live').textContent")
    stops = visitor.js("[...s.run.trace.mistakeSteps].slice(0, 3).map((step) => step + 1)")
    assert visitor.js("window.seen") == [*stops, 0][-len(visitor.js("window.seen")) :]
    assert visitor.t == 0
    visitor.page.wait_for_url("**/?v=1")
    opened(visitor).rest()
    assert (visitor.t, visitor.js("s.opening.on"), offer(visitor).count()) == (0, False, 0)


def test_a_link_shows_what_it_says_and_nothing_else(visitor):
    for path in (
        "/?v=1",
        "/?v=1&data=circles",
        "/?v=1&t=3",
        "/?v=1&stage=16x9",
        "/?embed=true",
        "/?lesson=lesson-01-first-steps",
    ):
        opened(visitor, path).rest()
        assert (visitor.js("s.opening.on"), offer(visitor).count()) == (False, 0), path
        assert visitor.page.evaluate("localStorage.getItem('kpviz-opening')") is None, path
    opened(visitor).until("s.opening.on")  # so the first visit is still to come


def test_any_input_ends_it_at_once_and_a_step_is_made_from_the_start(visitor):
    opened(visitor).until("s.opening.on && s.t > 0").page.mouse.wheel(0, 40)
    visitor.until("!s.opening.on").rest()
    assert visitor.t == 0
    visitor.wait_in_page(1600)  # longer than a beat
    assert visitor.t == 0
    offer(visitor).get_by_role("button", name="Show me around").click()
    visitor.until("s.tour.on")
    assert offer(visitor).count() == 0
    visitor.press("Escape").rest()
    assert (touring(visitor), visitor.t) == (False, 0)
    visitor.page.evaluate("window.name = 'next test'")
    opened(visitor).until("s.opening.on && s.t > 1").press("ArrowRight").rest()
    assert (visitor.t, offer(visitor).count()) == (1, 0)  # somebody who steps knows the way
    visitor.press("w").until("s.present.on").js("(s.tour.start(), 0)")
    assert not touring(visitor)  # not in front of a class


@pytest.mark.parametrize("size", [(1366, 768), (320, 568)], ids=str)
def test_with_reduced_motion_nothing_moves_and_the_tour_is_offered_until_one_steps(player_with, size):
    screen = {"viewport": {"width": size[0], "height": size[1]}, "has_touch": size[0] < 400, "is_mobile": size[0] < 400}
    player = opened(player_with(visited=False, reduced_motion="reduce", **screen)).rest()
    assert (player.t, player.js("s.opening.on")) == (0, False)
    assert offer(player).is_visible()
    top = player.js("s.canvas.getBoundingClientRect().top")
    assert top + max(mark["y"] for mark in player.marks("words", kind="text")) < size[1]
    side = player.panel("map")["h"]
    player.press("ArrowRight").rest()
    assert offer(player).count() == 0
    assert player.panel("map")["h"] >= side >= 180


def test_where_nothing_can_be_kept_and_in_a_frame_nothing_plays(player_with):
    player = player_with(visited=False)
    player.page.goto(f"{player.base}/fisher")
    player.page.evaluate("""() => {
      const frame = Object.assign(document.createElement("iframe"), { src: "/", width: 1200, height: 700 });
      document.body.replaceChildren(frame);
    }""")
    (frame,) = player.page.frames[1:]
    frame.wait_for_selector(".kpviz .bar")
    frame.wait_for_function("document.querySelector('.host').shadowRoot.querySelector('.kpviz').kpviz?.board")
    stage = "document.querySelector('.host').shadowRoot.querySelector('.kpviz').kpviz"
    assert frame.evaluate(f"[{stage}.opening.on, {stage}.tour.offered]") == [False, None]
    player.page.add_init_script(REFUSED)
    opened(player).rest()
    assert (player.t, player.js("s.opening.on"), offer(player).count()) == (0, False, 0)


# ---- the tour -------------------------------------------------------------------------------------------------------


def toured(player, size=SIZES[0]):
    player.wear(*size, reduced_motion="reduce").anew("/?v=1").press("?")
    player.page.locator(".kpviz .menu.help [data-do=tour]").click()
    return player.until("s.tour.on")


def test_every_place_is_on_the_screen_and_no_card_covers_it(player):
    for w, h in SIZES:
        toured(player, (w, h))
        for k in range(5):
            player.until("s.tour.at === arg", k).rest()
            card, ring = player.box(".tour"), player.box(".tour-ring")
            for left, top, right, bottom in (card, ring):
                assert -8 <= left <= right <= w + 8
                assert -8 <= top <= bottom <= h + 8
            assert card[0] >= ring[2] or card[2] <= ring[0] or card[1] >= ring[3] or card[3] <= ring[1], k
            player.press("ArrowRight" if k < 4 else "Enter")
        assert not touring(player)


def test_any_other_key_ends_it_where_it_began_and_does_what_it_does(player):
    player.wear(reduced_motion="reduce").open("/?v=1&t=20&show=none")
    for key, t in (("Escape", 20), ("x", 20), ("PageDown", 25), ("Home", 0)):
        player.go(20).js("(s.tour.start(), 0)")
        player.until("s.tour.on").press("ArrowRight", "ArrowRight", key).rest()
        assert (touring(player), player.t, player.shown) == (False, t, []), key


def test_each_stop_is_a_dialog_with_the_focus_that_keys_and_buttons_turn(player):
    toured(player)
    dialog, times = player.page.get_by_role("dialog"), [stop["t"] for stop in player.js("s.tour.stops")]
    for k in range(5):
        assert player.t == times[k]
        assert dialog.get_attribute("aria-modal") == "false"
        assert player.js("r.getRootNode().activeElement === s.tour.card")
        assert dialog.inner_text().startswith(f"{k + 1} of 5")
        player.press(" " if k % 2 else "Enter").rest()
    assert (touring(player), player.t) == (False, 0)
    toured(player).press("Tab", "Tab", "Shift+Tab", "ArrowRight", "ArrowRight", "ArrowLeft")
    assert player.js("s.tour.at") == 1
    dialog.get_by_role("button", name="Next").click()
    assert player.js("s.tour.at") == 2
    dialog.get_by_role("button", name="Back").click()
    assert player.js("s.tour.at") == 1
    dialog.get_by_role("button", name="End").click()
    assert not touring(player)
    toured(player).press(*["ArrowRight"] * 5).rest()  # the last arrow is a step
    assert (touring(player), player.t) == (False, 1)
    toured(player).page.mouse.click(1340, 30)
    assert not touring(player)
    player.anew("/?v=1&learner=svm").js("(s.tour.start(), 0)")
    assert not touring(player)
    assert "The tour needs a perceptron’s run" in player.said
