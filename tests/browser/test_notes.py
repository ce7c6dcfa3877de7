"""The lecturer's window: it follows the player and shows the notes, and nothing in them is run."""

from cueing import answered, box, link, save, words

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"


def notes(player):
    with player.page.expect_popup() as opened:
        player.press("Shift+N")
    opened.value.locator("main").wait_for()
    return opened.value


def until_shown(page, text):
    page.get_by_text(text, exact=True).wait_for()


def texts(page):
    return [
        page.locator(part).inner_text()
        for part in (
            "h1",
            ".notes",
            "section:nth-of-type(1) p",
            "section:nth-of-type(2) h2",
            "section:nth-of-type(2) p",
        )
    ]


def test_the_notes_window_follows_the_stage(player):
    player.open(link())
    page = notes(player)
    assert texts(page) == [
        "Notes: cue 1 of 4, start",
        "Ask: which side will it be on?",
        "No straight line splits these.",
        "Next: mistake 3, step 3",
        "Look where the boundary goes.",
    ]
    assert page.locator("header p").inner_text() == player.counter
    player.press("ArrowRight").rest()
    until_shown(page, "Notes since cue 1 of 4, start")
    assert page.locator("section p").first.inner_text() == player.sentence
    player.press("End").rest()
    until_shown(page, "No further cue.")
    assert texts(page)[:2] == ["Notes: cue 4 of 4, end", "No notes at this cue."]
    player.press("k").until("s.run.header.settings.query.includes('laplacian')").press("Home").rest()
    until_shown(page, "Ask: which side will it be on?")  # through a run of the server
    words(box(player), "Notes for me").fill("Other notes.")
    save(player)
    until_shown(page, "Other notes.")
    page.close()
    player.press("ArrowRight").rest()
    assert not player.js("s.notes.isOpen")


def test_keys_pressed_in_the_notes_window_move_the_stage(player):
    player.open(link("end"))
    page = notes(player)
    for key, t in [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", 180),
        ("Home", 0),
        ("ArrowDown", 60),
    ]:
        page.keyboard.press(key)
        assert player.t == t, key
    query = player.query
    for key in ("d", "k", "n", "z", "g", "o", "x", "u", "r", "c"):
        page.keyboard.press(key)
    assert (player.t, answered(player).query) == (60, query)
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    player.until("s.t > 1")
    page.keyboard.press(" ")
    player.until("!s.clock.playing")
    page.close()


def test_the_time_begins_again_with_a_click_and_space_still_plays(player):
    player.open()
    page = notes(player)
    elapsed = page.locator("header button")
    player.js("s.notes.started -= 3_725_000")
    until_shown(page, "1:02:05")
    elapsed.click()
    assert elapsed.inner_text() == "0:00"
    page.keyboard.press(" ")
    player.until("s.t > 0")
    page.close()


def test_the_notes_window_has_the_colours_of_the_theme(player):
    seen = {}
    for scheme in ("light", "dark"):
        player.wear(color_scheme=scheme).open(link())
        page = notes(player)
        style = (
            "(() => { const s = getComputedStyle(document.documentElement); return [s.backgroundColor, s.color]; })()"
        )
        seen[scheme] = page.evaluate(style)
        paper, ink = player.js("[s.palette.paper, s.palette.ink]")
        page.evaluate(
            "(c) => { document.body.style.backgroundColor = c[0]; document.body.style.color = c[1]; }", [paper, ink]
        )
        assert page.evaluate(style.replace("documentElement", "body")) == seen[scheme]
    assert seen["light"] != seen["dark"]


def test_the_notes_window_closes_with_the_page(player):
    player.open(link())
    page = notes(player)
    with page.expect_event("close"):
        player.page.goto("about:blank")
    assert page.is_closed()


def test_the_notes_window_stays_when_a_key_reloads_the_page(player):
    player.open(link())
    page = notes(player)
    player.js("s.notes.started -= 60_000")
    player.press("End").rest()
    player.page.evaluate(
        "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'F5' }))"
    )  # the browser's own is the reload
    player.reload()
    until_shown(page, "Notes: cue 4 of 4, end")
    assert page.locator("header button").inner_text().startswith("1:")
    page.keyboard.press("Home")
    assert player.t == 0
    until_shown(page, "Ask: which side will it be on?")
    with page.expect_event("close"):
        player.page.reload()  # by the browser's button


def test_a_notes_window_that_is_blocked_is_told_in_a_sentence(player):
    player.open()
    player.page.evaluate("window.open = () => null")
    player.press("Shift+N")
    status = player.page.locator(".kpviz .status").inner_text()
    assert "allow pop-ups" in status
    assert status.endswith(".")


def test_what_a_stranger_wrote_stays_text(player):
    player.open(link(f"title: {HOSTILE}|start: {HOSTILE}|>{HOSTILE}|1: {HOSTILE}"))
    page = notes(player)
    assert texts(page)[1:3] == [HOSTILE, HOSTILE]
    assert page.locator("img, script").count() == 0
    found = box(player)
    assert words(found).input_value() == HOSTILE
    assert found.locator("img, script").count() == 0
    player.press("Escape")
    assert player.dialogs == []
    page.close()


def test_of_a_blank_screen_it_does_not_say_that_something_is_on_it(player):
    window = notes(player.open("/?v=1").go(3))
    player.press("w").until("s.present.on").rest()
    player.press(".")
    until_shown(window, "Nothing: it is blank.")
    player.press(".")
    until_shown(window, player.js("s.scenes().map.sentence"))
