"""What axe-core finds wrong with the pages: nothing, except in what Streamlit makes of its own."""

import itertools

import pytest
from access import faults

SCHEMES = ["light", "dark"]
STATES = [[], ["Shift+E"], ["h"], ["?"], ["Shift+D"], ["Shift+K"], ["Shift+L"], ["Shift+S"], ["u"], ["q"], ["w"]]
STREAMLITS = ("region", "aria-dialog-name", "scrollable-region-focusable", "presentation-role-conflict")
PAGES = {
    "/": "kpviz – kernel perceptron",
    "/fisher": "kpviz – Fisher’s discriminant",
    "/lab": "kpviz – kernel lab",
    "/lab?tab=build": "kpviz – kernel lab",
    "/lab?tab=space": "kpviz – kernel lab",
    "/lab?tab=slips": "kpviz – kernel lab",
}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_player_has_no_fault_in_any_of_its_states(player, scheme):
    player.wear(color_scheme=scheme)
    for keys in STATES:
        player.open("/?v=1&t=20").press(*keys).rest()
        assert faults(player.page) == [], keys


@pytest.mark.parametrize(
    "link", ["/?v=1&t=20&show=alpha.gram.code.bound.margins", "/?v=1&pins=1&p1.kernel=linear&t=20"]
)
@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_the_player_has_none_on_a_phone(player, link, size):
    player.wear(*size).open(link)
    assert faults(player.page) == []


@pytest.mark.parametrize("scheme", SCHEMES)
def test_fishers_page_has_none(player, scheme):
    player.wear(color_scheme=scheme).open("/fisher")
    assert faults(player.page) == []
    player.press("?")
    assert faults(player.page) == []


@pytest.mark.in_app
@pytest.mark.parametrize("path", PAGES)
def test_each_page_has_a_title_a_heading_and_no_fault_that_is_ours(player, path):
    player.wear(color_scheme="light").page.goto(player.base + path)
    player.page.locator(".chips .chip").first.wait_for()
    heading = player.page.locator("h1.name").text_content()
    assert player.page.title() == heading.replace(": ", " – ") == PAGES[path]
    if path.startswith("/lab"):
        player.page.locator(".st-key-lab p").first.wait_for()
    assert faults(player.page, without=STREAMLITS) == []


@pytest.mark.in_app
@pytest.mark.parametrize(("key", "seen"), [("i", "img"), ("a", "button"), ("Shift+U", "textarea")])
def test_the_dialogs_have_none_that_is_ours(player, key, seen):
    player.open("/?v=1&t=20").press(key)
    player.page.locator(f"[role=dialog] {seen}").first.wait_for()
    assert faults(player.page, without=STREAMLITS) == []


def test_the_page_that_plays_itself_has_none(opened):
    assert faults(opened().page) == []


# ---- without sight --------------------------------------------------------------------------------------------------


def spoken(player):
    return player.page.locator(".kpviz .live").text_content()


def test_the_board_can_be_read_in_words_at_any_time(player):
    player.open("/?v=1&t=12")
    region = player.page.get_by_role("region", name="The board in words")
    assert region.get_by_role("heading").all_text_contents()[0] == "Map"
    assert "step 12 of 180" in region.text_content()
    player.press("ArrowRight").rest()
    assert "step 13 of 180" in region.text_content()


def test_each_change_is_said_once_before_the_sentence(player):
    player.open("/?v=1&t=12")
    sentence = spoken(player)
    player.press("g").until("s.run.header.settings.query.includes('sigma')").rest()
    assert spoken(player).startswith("Now: Gaussian, σ = ")
    player.press("ArrowRight").rest()
    assert not spoken(player).startswith("Now")
    assert spoken(player) != sentence
    player.press("n").until("s.run.header.settings.query.includes('seed')").rest()
    assert spoken(player).startswith("Now: seed ")
    player.press("p").until("s.runs.pinned.length === 1").rest()
    assert spoken(player).startswith("Now: 1 run pinned beside this one")


def test_while_it_plays_fast_it_says_where_it_is_every_two_seconds_at_most(player):
    player.open("/?v=1")
    player.page.evaluate("""() => {
      window.heard = [];
      const live = document.querySelector(".host").shadowRoot.querySelector(".live");
      new MutationObserver(() => heard.push([performance.now(), live.textContent])).observe(live, { childList: true });
    }""")
    player.press("f", "f", " ").until("s.t > 60")
    player.press(" ").rest()
    heard = player.page.evaluate("heard")
    while_playing = [(when, words) for when, words in heard if words.startswith("step ")]
    assert while_playing
    assert all(after - before >= 1990 for (before, _), (after, _) in itertools.pairwise(while_playing))
    assert len(heard) <= len(while_playing) + 2


def test_a_key_says_where_the_player_is(player):
    player.open("/?v=1&t=12").press("Shift+I")
    status = player.page.locator(".kpviz .status").text_content()
    assert status.startswith("step 12 of 180, epoch 1 of 3, ")
