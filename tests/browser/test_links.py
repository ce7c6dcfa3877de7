"""The address bar holds the state: reloaded, gone back to, sent to a friend, it is the same, and
does no harm.
"""

import re

import numpy as np
import pytest

from kpviz import experiment
from kpviz.engine.data.drawn import Drawn
from kpviz.settings import MOST_IN_LINKS, Settings, from_query

LINKS = [
    Settings.of(data="spirals", n=120, noise=0.02, sigma=0.2, held=0.25, order="shuffled", oseed=7),
    Settings.of(
        data="moons",
        kernel="formula",
        formula="laplacian(0.5)*linear()",
        predictor="averaged",
        tie="positive",
    ),
]
HOSTILE = {
    "values": "v=1&n=-5&noise=abc&show=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&t=99999999999999999999",
    "names": "v=1&%3Csvg%20onload%3Dalert(1)%3E=1&x=javascript:alert(1)&%E0%A4%A=%ZZ&=&&&=3",
    "both": "v=1&show=**[x](javascript:alert(1))**&predictor=`rm -rf`&"
    + "&".join(f"key{k}=A" for k in range(60)),
}
WIDER = "v=1&sigma=0.625"


def written(player):
    """What the address holds once all that is shown is written there."""
    return player.until_written().link()


# ---- links ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", LINKS, ids=lambda settings: settings.data)
def test_opening_a_link_brings_settings_and_instant_back(player, settings):
    end = experiment.run(settings).n_steps
    t = end // 2
    player.open(f"/?{settings.query()}&t={t}&show=alpha.code")
    assert (player.settings, player.t, player.shown) == (settings, t, ["alpha", "code"])
    assert player.js("s.run.nSteps") == end
    player.press("ArrowRight")
    player.page.wait_for_url(f"**t={t + 1}**")
    assert player.link() == f"{settings.query()}&t={t + 1}&show=alpha.code"
    assert player.notices.count() == 0


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_link_opens_with_what_can_be_used_and_one_notice(player, kind):
    player.open(f"/?{HOSTILE[kind]}").notices.first.wait_for()
    assert player.notices.count() == 1
    text = player.notices.inner_text()
    assert "could not be used" in text or "not a version" in text or "not here" in text, text
    assert len(text) < 400
    assert player.page.locator(".notices img, .notices a").count() == 0
    assert 0 < player.press("ArrowRight").t <= player.js("s.run.nSteps")
    # What the address bar then holds opens without a notice.
    player.page.wait_for_function(
        "(q) => location.search.startsWith(q)", arg=f"?{player.query}&t={player.t}"
    )
    assert from_query(re.sub(r"&(t|show)=[^&]*", "", player.link()))[1] is None
    assert player.dialogs == []


def test_a_reload_while_playing_comes_back_to_where_it_played(player):
    player.open("/?v=1&kernel=linear&t=30").js("s.setSpeed(1), s.toggle()")
    assert player.until("s.t > 40").reload().t > 40


def test_the_address_of_a_newer_kpviz_stays_until_something_is_set_and_back_leads_to_it(player):
    newer = "/?v=2&data=moons&glow=on&t=3"
    player.open(newer)
    assert player.notices.inner_text().startswith(
        "This link was saved by a newer kpviz: update this one."
    )
    assert "glow" in player.notices.inner_text()
    player.press("ArrowRight", "End", "Home").rest()
    player.wait_in_page(1000)
    assert player.page.url == f"{player.base}{newer}"
    player.reload()
    assert player.page.url == f"{player.base}{newer}"
    player.press("g").settle()
    player.page.wait_for_url("**/?v=1&data=moons&**sigma=**")
    player.page.go_back()
    player.page.wait_for_url(f"**{newer}")
    player.settle()
    assert "sigma" not in player.query
    player.wait_in_page(1000)
    assert player.page.url == f"{player.base}{newer}"


# ---- the browser's history -----------------------------------------------------------------------


def test_stepping_leaves_no_trail_in_the_history_and_back_between_links_reproduces_each(player):
    player.open("/?v=1&data=circles&t=5")
    player.open("/?v=1&data=moons")
    before = player.page.evaluate("history.length")
    t = player.press("End", "Home", *["PageDown"] * 5).rest().t
    player.page.wait_for_url(f"**t={t}**")
    assert player.page.evaluate("history.length") == before
    player.page.go_back()
    assert (player.ready().settings.data, player.t) == ("circles", 5)
    player.page.go_forward()
    assert (player.ready().settings.data, player.t) == ("moons", t)


def test_back_and_forward_are_undo_and_redo_and_a_reload_keeps_them(player):
    written(player.open("/?v=1&t=7").press("g"))
    assert written(player.press("n")) == "v=1&seed=1&sigma=0.625"
    player.page.go_back()
    assert written(player) == WIDER
    assert written(player.press("z")) == "v=1"
    player.page.go_forward()
    assert written(player) == WIDER
    assert player.counts() == {"undo": 1, "redo": 1}
    assert written(player.reload().press("z")) == "v=1"
    assert written(player.press("Shift+Z")) == WIDER
    player.press("w").until("s.present.on").page.go_back()  # in front of a class, too
    player.until("s.session.state.link === 'v=1'")
    assert player.presents


GOES_BACK_AT_ONCE = """(() => {
  const { browser } = s.session.history, push = browser.push;
  browser.push = (...entry) => {
    browser.push = push;
    browser.push(...entry);
    history.back();
  };
})()"""


def test_back_at_the_instant_of_an_answer_goes_back_from_its_change(player):
    written(player.open("/?v=1").press("g"))
    player.js(GOES_BACK_AT_ONCE)
    player.press("n").until(f"s.session.state.link === '{WIDER}' && !s.session.busy")
    assert written(player) == WIDER
    assert player.counts() == {"undo": 1, "redo": 1}
    assert written(player.press("Shift+Z")) == "v=1&seed=1&sigma=0.625"


PUSHED = """(() => {
  const { session } = s;
  s.actions.send("redraw");
  window.lengths = [history.length];
  setTimeout(() => { session.undo(); window.lengths.push(history.length); });
})()"""  # the numbers of entries when one is asked for, and when it was left at once


def test_a_change_becomes_an_entry_after_its_picture_or_when_it_is_left(
    another,
):  # a long history grows no more
    another.open("/?v=1")
    first, length = another.settings, another.page.evaluate("history.length")
    another.js(PUSHED)
    another.until("window.lengths.length === 2 && s.session.counts.redo === 1 && !s.session.busy")
    assert another.page.evaluate("window.lengths") == [length, length + 1]
    assert another.settings == first


def test_back_and_forward_in_two_tabs_are_independent(player, another):
    tabs = {player: ["data=moons", "g", "sigma=0.625"], another: ["data=circles", "n", "seed=1"]}
    for tab, (data, key, _) in tabs.items():
        tab.open(f"/?v=1&{data}").press(key).settle()
    for tab, (data, _, change) in tabs.items():
        tab.page.wait_for_url(f"**/?v=1&{data}&{change}")
    player.page.go_back()
    player.page.wait_for_url("**/?v=1&data=moons")
    assert player.settle().settings == Settings.of(data="moons")
    assert another.settle().settings == Settings.of(data="circles", seed=1)
    another.page.go_back()
    another.page.wait_for_url("**/?v=1&data=circles")
    player.page.go_forward()
    player.page.wait_for_url("**/?v=1&data=moons&sigma=0.625")
    assert player.settle().settings == Settings.of(data="moons", sigma=0.625)
    assert another.settle().settings == Settings.of(data="circles")
    assert [tab.counts() for tab in tabs] == [{"undo": 1, "redo": 0}, {"undo": 0, "redo": 1}]


# ---- drawn points --------------------------------------------------------------------------------


def many(n):
    """The path of a link with n drawn points."""
    X = np.random.default_rng(n).uniform(-1.2, 1.2, (n, 2))
    return f"/?{Settings.of(data='drawn', points=Drawn.of(X, np.sign(X[:, 0] + X[:, 1]), 0).code, epochs=3).link()}"


def copied(player):
    player.press("y").page.locator(".kpviz .status").get_by_text("Link copied.").wait_for()
    return player.page.evaluate("navigator.clipboard.readText()")


def opened(player, address):
    """Another tab at a copied address."""
    return player.open(address.removeprefix(player.base))


def test_reload_the_back_button_and_a_second_tab_bring_the_points_and_the_run_back(player, another):
    player.open("/?v=1&data=iris&held=0.2&t=9").edit().click(*player.gap())
    player.settle().agrees()
    numbers, names = player.numbers(), player.js("s.run.header.names")
    assert numbers[0].startswith("v=1&data=drawn&points=")
    written(player)
    assert player.reload().numbers() == numbers
    player.page.goto("about:blank")
    player.page.go_back()
    assert player.ready().numbers() == numbers
    assert not player.js("s.standing.edit.on")
    opened(another, copied(player)).agrees()
    assert another.numbers() == numbers
    assert another.js("s.run.header.names") == names


def test_hardly_any_points_are_a_link_too(player):
    player.open("/?v=1&t=40").edit().page.locator(".kpviz [data-edit=clear]").click()
    for n in (0, 1):
        numbers = player.settle().numbers()
        written(player)
        assert player.reload().numbers() == numbers
        assert player.js("s.run.n") == n
        assert player.press("End").rest().t == player.agrees().n_steps
        player.edit().click(*player.on_map(0.3, 0.5))


def test_two_hundred_points_fit_into_a_link_and_more_are_kept_by_the_server(player, another):
    player.open(many(MOST_IN_LINKS - 1)).edit().click(*player.gap())
    numbers = player.settle().numbers()
    assert player.drawn.n == MOST_IN_LINKS
    link = copied(player)
    assert len(link) < 950
    assert opened(another, link).numbers() == numbers
    player.click(*player.gap())
    assert player.settle().js("s.run.n") == MOST_IN_LINKS + 1
    assert "points=~" in player.query
    player.press("y").until("s.controls.statusLine.textContent.includes('as a file (A)')")
    numbers, link = player.numbers(), f"/?{written(player)}"
    assert player.reload().numbers() == numbers
    assert opened(another, link).numbers() == numbers


def test_what_streamlit_has_in_the_address_stands_there_once_also_before_an_answer(player):
    player.open("/?v=1&embed=true")
    player.js("(s.actions.send('redraw'), s.session.history.follow(), 0)")
    assert sorted(player.link().split("&")) == ["embed=true", "v=1"]
    player.until_set("seed").rest()
    player.page.wait_for_url("**seed=1**")
    assert player.link().count("embed=true") == 1


# ---- in the app ----------------------------------------------------------------------------------


@pytest.mark.in_app
def test_in_the_app_the_address_follows_the_player_and_a_reload_comes_back(player):
    player.open("/?v=1&embed=true").js("(window.kept = s, 0)")
    player.press("PageDown", "PageDown", "ArrowRight")
    player.page.wait_for_url("**/?v=1&t=3**")
    player.press("g").until_set("sigma").press(
        "ArrowRight", "r", "c", "R", "C"
    )  # which Streamlit would take
    player.page.wait_for_url("**t=4**")
    assert player.js("window.kept === s && !s.session.busy")
    assert player.page.locator("[data-testid=stDialog]").count() == 0
    player.click(20, 20)
    player.page.evaluate("document.querySelector('.stMain').focus()")
    player.press("ArrowRight", "ArrowLeft").rest()
    style = (
        "(({ outlineStyle: a, boxShadow: b }) => [a, "
        "b])(getComputedStyle(document.querySelector('.stMain')))"
    )
    assert player.page.evaluate(style) == ["none", "none"]  # no frame lies round all
    picture = player.press("Escape").away().picture()
    player.press("F5")  # a clicker's key; a reload where the browser binds it
    player.reload().away()
    assert (player.t, player.settings, player.settled()) == (4, Settings.of(sigma=0.625), picture)
    assert sorted(player.link().split("&")) == sorted(["v=1", "sigma=0.625", "t=4", "embed=true"])
    player.page.emulate_media(
        color_scheme="dark"
    )  # Streamlit switches themes while the player stays
    player.until("s.palette.dark").rest()
    assert player.picture() != picture
    player.page.emulate_media(color_scheme="light")
    player.until("!s.palette.dark").rest()
    assert player.picture() == picture


@pytest.mark.in_app
def test_streamlit_does_not_run_its_page_at_back_and_forward(player):
    sent = []

    def opened(socket):
        if socket.url.endswith("/_stcore/stream"):
            socket.on("framesent", lambda frame: sent.append(frame))

    player.page.on("websocket", opened)
    written(player.open("/?v=1").press("g"))
    written(player.press("n"))
    player.page.wait_for_load_state("networkidle")
    assert sent
    sent.clear()
    player.page.go_back()
    assert written(player) == WIDER
    player.page.go_forward()
    assert written(player) == "v=1&seed=1&sigma=0.625"
    player.page.evaluate("new Promise(requestAnimationFrame)")
    assert sent == []
