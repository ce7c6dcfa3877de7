"""The curve over a setting in a page: asked for beside the run, and again whenever something else is set."""

import kpviz
from kpviz.lessons.sweep import values_of
from kpviz.settings import Settings, from_query

LINK = "v=1&data=moons&n=30&noise=0.2&held=0.3&epochs=4"
ANSWERED = "s.player.curve.answer && s.player.curve.answered === s.player.curve.key"


def opened(player, link=LINK):
    return player.open(f"/?{link}&show=curve").until(ANSWERED).rest()


def counts(player):
    return player.js("s.player.curve.numbers.mistakes")


def expected(link, name, seeds=1):
    settings = from_query(link)[0]
    return kpviz.sweep(link, name, values_of(settings, name), seeds=seeds).means["mistakes"].tolist()


def middle(mark):
    return mark["x"] + 3, mark["y"]


def test_a_click_sets_the_value_in_one_step_and_the_curve_stays(player):
    opened(player)
    assert counts(player) == expected(LINK, "sigma")
    points = player.marks("curve", name="mistakes")[0]["points"]
    before = player.js(
        "s.player.curve.answer.values.length && (window.first = s.player.curve.answer, s.session.counts)"
    )
    player.click(points[20], points[21] + 3)
    value = values_of(Settings.of(), "sigma")[10]
    player.until("s.run.header.settings.query.includes(arg)", f"sigma={value:g}").rest()
    assert player.settings.sigma == value
    assert player.js("s.session.counts.undo") == before["undo"] + 1
    assert player.js("s.player.curve.answer === window.first")
    assert player.marks("curve", name="now")[0]["points"][0] == points[20]
    player.press("z").until("!s.run.header.settings.query.includes('sigma')")
    assert player.errors == []


def test_another_property_and_a_mean_are_chosen_by_clicks(player):
    opened(player)
    player.click(*middle(next(mark for mark in player.marks("curve", name="over") if mark["text"] == "noise")))
    player.until("s.player.curve.answer.name === 'noise'").rest()
    assert counts(player) == expected(LINK, "noise")
    player.click(*middle(player.marks("curve", name="seeds")[0]))
    player.until("s.player.curve.answer.seeds === 5").rest()
    assert counts(player) == expected(LINK, "noise", 5)
    assert len(player.marks("curve", name="ticked")) == 1


def test_other_settings_have_another_curve_and_what_was_is_pale_until_then(player):
    opened(player)
    player.press("n").until("s.run.header.settings.query.includes('seed=1')")
    assert (
        player.js("s.board.panels.find((p) => p.name === 'curve').marks.find((m) => m.name === 'mistakes').alpha") < 1
    )
    player.until(ANSWERED).rest()
    assert counts(player) == expected(f"{LINK}&seed=1", "sigma")
    assert player.marks("curve", name="mistakes")[0]["alpha"] == 1


def test_nobody_asks_for_a_curve_that_is_not_shown(player):
    player.open(f"/?{LINK}&show=alpha")
    assert player.js("s.session.requests.waiting.size === 0")
    player.press("h")
    player.page.locator(".kpviz [data-panel=curve]").check()
    player.until(ANSWERED).rest()
    assert counts(player) == expected(LINK, "sigma")


def test_for_a_class_it_is_shown_and_a_click_sets_nothing(player):
    opened(player)
    player.press("w").until("s.present.on").rest()
    assert len(player.marks("curve", name="mistakes")) == 1
    assert player.marks("curve", name="over") == player.marks("curve", name="seeds") == []
    points = player.marks("curve", name="mistakes")[0]["points"]
    player.point(points[20], points[21] + 3)
    assert player.js("s.player.touch.act") is None


# ---- which setting ------------------------------------------------------------------------------------------------


def test_the_setting_that_was_chosen_is_in_the_link_and_the_default_one_is_not(player):
    opened(player)
    assert "over=" not in player.js("s.query")
    player.click(*middle(next(mark for mark in player.marks("curve", name="over") if mark["text"] == "noise")))
    player.until(ANSWERED).rest()
    assert "over=noise" in player.js("s.query").split("&")
    link = player.js("s.query")
    player.open(f"/?{link}")
    player.until(ANSWERED).rest()
    assert player.js("s.curve.numbers.name") == "noise"
    assert player.js("s.query") == link


def test_it_follows_the_setting_that_was_turned_last_until_one_is_chosen(player):
    opened(player)
    player.js("(s.session.command('set', { noise: 0.3 }), 0)")
    player.until("s.run.header.settings.query.includes('noise=0.3')").until(ANSWERED).rest()
    assert player.js("s.curve.numbers.name") == "noise"
    player.js("(s.actions.turn({ over: 'sigma' }), 0)")
    player.until("s.curve.numbers.name === 'sigma'").until(ANSWERED).rest()
    player.js("(s.session.command('set', { noise: 0.4 }), 0)")
    player.until("s.run.header.settings.query.includes('noise=0.4')").until(ANSWERED).rest()
    assert player.js("s.curve.numbers.name") == "sigma"
