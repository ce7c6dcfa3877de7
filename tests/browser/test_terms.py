"""The terms in the browser: pointing, pressing and the keyboard explain them, and Escape closes what explains."""

BOX = ".kpviz .explained"


def term(player, name, where=".terms"):
    return player.page.locator(f".kpviz {where} [data-term={name}]").first


def box(player):
    return player.page.locator(BOX)


def focused(player):
    return player.js("r.getRootNode().activeElement?.dataset.term ?? r.getRootNode().activeElement?.className ?? null")


def test_resting_on_a_term_explains_it_until_the_pointer_leaves(player):
    player.open("/?v=1&t=25")
    term(player, "margin").hover()
    box(player).wait_for()
    assert "right side" in box(player).inner_text()
    box(player).hover()  # one can go there, to the link
    player.page.wait_for_timeout(500)
    assert box(player).is_visible()
    player.page.mouse.move(300, 400)
    box(player).wait_for(state="hidden")


def test_enter_opens_and_escape_closes_and_gives_the_focus_back(player):
    player.open("/?v=1&t=25")
    term(player, "epoch").focus()
    player.press("Enter")
    box(player).wait_for()
    assert box(player).get_attribute("aria-label") == "Epoch"
    assert focused(player) == "explained"
    player.press("Tab")
    assert player.js("r.getRootNode().activeElement.tagName") == "A"
    player.press("Escape")
    assert not box(player).is_visible()
    assert focused(player) == "epoch"
    assert player.t == 25


def test_each_term_is_one_stop_of_the_tab_key(player):
    player.open("/?v=1&t=25")
    stops = player.js(
        "[...r.querySelectorAll('.terms .term')].filter((b) => b.tabIndex === 0).map((b) => b.dataset.term)"
    )
    assert len(stops) == len(set(stops)) >= 8
    assert player.js("r.querySelectorAll('.terms .term').length") > len(stops)


def test_a_press_elsewhere_closes_and_the_keys_still_step(player):
    player.open("/?v=1&t=25")
    term(player, "alpha").click()
    box(player).wait_for()
    player.press("ArrowRight").rest()
    assert player.t == 26
    assert box(player).is_visible()
    player.page.mouse.click(300, 400)
    assert not box(player).is_visible()


def test_a_setting_explains_its_terms_and_stays_as_it_is(player):
    player.open("/?v=1").press("Shift+L")
    said = term(player, "intercept", ".dock")
    said.click()
    box(player).wait_for()
    player.press("Escape")  # one thing at a time
    assert not box(player).is_visible()
    assert player.js("s.dock.open") == "learner"
    player.press("Escape")
    assert player.js("s.dock.open") is None
    assert player.query == "v=1"


def test_the_link_of_a_term_is_of_this_app(player):
    player.open("/?v=1&t=25")
    term(player, "kernel").click()
    href = box(player).locator("a").evaluate("(a) => a.href")
    assert href == f"{player.base}/?v=1&t=20&show=similar.alpha"


def test_before_a_class_nothing_is_underlined(player):
    player.open("/?v=1&t=25&stage=16x9")
    assert not term(player, "mistake").is_visible()


def test_what_is_not_readable_while_it_plays_is_not_underlined(player):
    player.open("/?v=1")
    player.js("(s.clock.speed = 20, s.cursor.toggle())")
    player.until("s.clock.playing && r.querySelector('.terms').hidden")
    player.press(" ").until("!r.querySelector('.terms').hidden")


def test_the_box_stays_in_the_window(player):
    player.wear(390, 844).open("/?v=1&t=25")
    for one in player.page.locator(".kpviz .terms .term").all():
        one.click(force=True)
        at = box(player).bounding_box()
        assert at["x"] >= 0
        assert at["x"] + at["width"] <= 390
        player.press("Escape")


def test_the_formula_comes_first_where_one_wants_it_so_and_after_a_reload(player):
    player.open("/?v=1&t=25")
    words = player.sentence
    player.press(",")
    player.page.get_by_label("Formula first").check()
    player.rest()
    assert player.sentence.startswith("f(x₂₄) = 0.48")
    assert player.js("r.querySelector('.live').textContent") == words  # read aloud are the words
    player.reload()
    assert player.sentence.startswith("f(x₂₄) = 0.48")
    player.press(",")
    player.page.get_by_label("Formula first").uncheck()
    assert player.rest().sentence == words
    assert player.page.evaluate("localStorage.getItem('kpviz-prefers-formula')") is None
