"""The address bar holds the state; opening it brings the state back; nothing that a link says does harm."""

import re

import pytest

from kpviz import experiment
from kpviz.settings import Settings, from_query

LINKS = [
    Settings.of(data="spirals", n=120, noise=0.02, sigma=0.2, held=0.25, order="shuffled", oseed=7),
    Settings.of(
        data="moons", kernel="laplacian", combine="product", kernel2="linear", predictor="averaged", tie="positive"
    ),
]

HOSTILE = [  # tests/app/test_play.py opens more of them, without a browser
    "v=1&n=-5&noise=abc&show=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&t=99999999999999999999",
    "v=1&%3Csvg%20onload%3Dalert(1)%3E=1&x=javascript:alert(1)&%E0%A4%A=%ZZ&=&&&=3",
    "v=1&show=**[x](javascript:alert(1))**&predictor=`rm -rf`&" + "&".join(f"key{k}=A" for k in range(60)),
]


def query_of(url):
    return url.partition("?")[2]


@pytest.mark.parametrize("settings", LINKS, ids=lambda settings: settings.data)
def test_opening_a_link_brings_settings_and_instant_back(player, settings):
    run = experiment.run(settings)
    t = run.n_steps // 2
    player.open(f"/?{settings.query()}&t={t}&show=alpha.code")
    assert player.settings == settings
    assert (player.t, player.js("s.run.nSteps")) == (t, run.n_steps)
    assert player.js("[...s.shown].sort().join()") == "alpha,code"
    player.press("ArrowRight")
    player.page.wait_for_url(f"**t={t + 1}**")
    assert query_of(player.page.url) == f"{settings.query()}&t={t + 1}&show=alpha.code"
    assert player.page.locator(".notices p").count() == 0


@pytest.mark.in_app
def test_the_address_follows_the_player_and_a_reload_comes_back(player):
    player.open()
    player.page.wait_for_url("**/?v=1")
    player.press("PageDown", "PageDown", "ArrowRight")
    player.page.wait_for_url("**/?v=1&t=3")
    player.press("g").until("s.run.header.settings.query.includes('sigma')").press("ArrowRight")
    player.page.wait_for_url("**/?v=1&sigma=0.625&t=4")
    picture = player.away().picture()
    player.press("F5")  # a clicker's key; a reload where the browser binds it
    player.reload().away()
    assert (player.t, player.settings) == (4, Settings.of(sigma=0.625))
    assert player.picture() == picture
    assert player.page.url.endswith("/?v=1&sigma=0.625&t=4")


def test_a_reload_while_playing_comes_back_to_where_it_played(player):
    player.open("/?v=1&kernel=linear")
    player.js("s.setSpeed(1), s.toggle()")
    player.until("s.t > 40")
    player.reload()
    assert player.t > 40


def test_stepping_leaves_no_trail_in_the_history(player):
    player.page.goto(f"{player.base}/fisher")
    player.open("/?v=1&data=moons")
    before = player.page.evaluate("history.length")
    player.press("End", "Home", *["PageDown"] * 5)
    player.page.wait_for_url("**t=**")
    assert player.page.evaluate("history.length") == before
    player.page.go_back()
    assert "/fisher" in player.page.url
    player.page.go_forward()
    player.ready()
    assert player.settings == Settings.of(data="moons")
    assert player.t > 0


PUSHED = """(() => {
  const { session } = s;
  s.actions.send("redraw");
  window.lengths = [history.length];
  setTimeout(() => { session.undo(); window.lengths.push(history.length); });
})()"""  # the numbers of entries when one is asked for, and when it was left at once


def test_a_change_becomes_an_entry_after_its_picture_or_when_it_is_left(another):  # a long history grows no more
    another.open("/?v=1")
    first, length = another.settings, another.page.evaluate("history.length")
    another.js(PUSHED)
    another.until("window.lengths.length === 2 && s.session.counts.redo === 1 && !s.session.busy")
    assert another.page.evaluate("window.lengths") == [length, length + 1]
    assert another.settings == first


def test_back_between_two_links_reproduces_each(player):
    player.open("/?v=1&data=circles&t=5")
    player.open("/?v=1&data=blobs&t=2")
    player.page.go_back()
    player.ready()
    assert (player.settings.data, player.t) == ("circles", 5)
    player.page.go_forward()
    player.ready()
    assert (player.settings.data, player.t) == ("blobs", 2)


def test_two_tabs_do_not_disturb_one_another(player, another):
    player.open("/?v=1&data=moons&t=4")
    another.open("/?v=1&data=circles&t=7")
    player.press("g", "ArrowRight").until("s.run.header.settings.query.includes('sigma')")
    another.press("n").until("s.run.header.settings.query.includes('seed=1')").press("PageDown")
    assert player.settings == Settings.of(data="moons", sigma=0.625)
    assert another.settings == Settings.of(data="circles", seed=1)
    assert (player.t, another.t) == (5, 1)
    player.page.wait_for_url("**data=moons&sigma=0.625&t=5")
    another.page.wait_for_url("**data=circles&seed=1&t=1")


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
    assert [tab.js("s.session.counts") for tab in tabs] == [{"undo": 1, "redo": 0}, {"undo": 0, "redo": 1}]


def test_hostile_links_open_with_what_can_be_used_and_one_notice(player):
    for link in HOSTILE:
        player.open(f"/?{link}")
        toast = player.page.locator(".notices p")
        toast.first.wait_for()
        assert toast.count() == 1, link
        text = toast.inner_text()
        assert "could not be used" in text or "not a version" in text or "not here" in text, (link, text)
        assert len(text) < 400, link
        assert player.page.locator("[data-testid=stException], [data-testid=stAlert]").count() == 0, link
        assert player.page.locator(".notices img, .notices a").count() == 0, link
        player.press("ArrowRight")
        assert 0 < player.t <= player.js("s.run.nSteps"), link
        # What the address bar then holds opens without a notice.
        player.page.wait_for_function("(q) => location.search.startsWith(q)", arg=f"?{player.query}&t={player.t}")
        assert from_query(re.sub(r"&(t|show)=[^&]*", "", query_of(player.page.url)))[1] is None, link
    assert player.dialogs == []


def test_a_huge_t_opens_at_the_end(player):
    player.open("/?v=1&t=999999999")
    assert player.t == player.js("s.run.nSteps") == 180


@pytest.mark.in_app
def test_embedding_survives_in_the_address(player):
    player.open("/?v=1&embed=true&data=moons&t=2").press("ArrowRight")
    player.page.wait_for_url("**t=3**")
    assert sorted(query_of(player.page.url).split("&")) == sorted(["v=1", "data=moons", "t=3", "embed=true"])
    assert player.page.locator(".notices p").count() == 0
    player.reload()
    assert (player.t, player.settings.data) == (3, "moons")
