"""What a reader prefers: one panel, kept by the browser and in no link."""

import numpy as np
import pytest
from driver import REFUSED


def panel(player):
    return player.page.get_by_role("dialog", name="Preferences")


def choose(player, words, *, role="checkbox"):
    """Turn a preference over, or choose one, and close the panel."""
    player.more("preferences")
    panel(player).get_by_role(role, name=words).click()
    panel(player).get_by_role("button", name="Close").click()
    return player.rest()


def test_one_panel_holds_them_by_key_and_by_button_and_gives_the_focus_back(player):
    player.open("/?v=1&t=12").press(",")
    assert panel(player).is_visible()
    assert player.js("r.getRootNode().activeElement.matches('.preferences')")
    player.press("ArrowRight", "Tab", "Tab", "ArrowRight", "PageDown")
    assert player.t == 12
    player.press("Escape", "ArrowRight")
    assert panel(player).count() == 0
    assert player.t == 13
    player.page.locator(".kpviz .bar .more").focus()
    player.press("Enter", "End", "Enter")
    assert panel(player).is_visible()
    player.press("Escape")
    assert player.js("r.getRootNode().activeElement.matches('.more')")


def test_they_are_kept_by_the_browser_and_in_no_link_or_hold_until_the_page_is_left(player):
    player.open("/?v=1&t=12")
    before = player.query
    choose(player, "Patterns")
    choose(player, "only what changes", role="radio")
    assert player.query == before
    words = player.sentence
    choose(player, "Formula first")
    assert player.sentence.startswith("f(x₁₁) = ")
    assert player.spoken == words  # read aloud are the words
    player.reload()
    assert player.sentence.startswith("f(x₁₁) = ")
    assert player.js("[s.player.patterns, s.spoken.tells, s.player.cursor.dampsFlashes]") == [
        True,
        "changes",
        True,
    ]
    player.page.evaluate(REFUSED)
    choose(player, "Patterns")
    choose(player, "Single keys")
    assert not player.js("s.player.patterns")
    assert not player.press("m").js("s.clock.slow")


@pytest.mark.parametrize("link", ["v=1&t=40&learner=norma", "v=1&t=40&show=similar"])
def test_signs_stand_beside_the_colours_and_are_those_of_the_field(player, link):
    player.open(f"/?{link}")
    assert not [mark for mark in player.marks("map") if mark.get("name") == "signs"]
    choose(player, "Patterns")
    (signs,) = [mark for mark in player.marks("map") if mark.get("name") == "signs"]
    field, limit, rect = player.js(
        "(({ showsKernel: k, kernelRow, shownField, limit, view }) =>"
        " [[...(k ? kernelRow.field : shownField)], k ? kernelRow.limit : limit, "
        "view.rect])(s.scenes().map)"
    )
    field = np.reshape(field, (96, 96)) / limit
    flat = [
        [line[k] for k in sorted(line, key=int)] if isinstance(line, dict) else line
        for line in signs["lines"]
    ]
    places = {}
    for x1, y1, x2, y2 in flat:
        places.setdefault((round((x1 + x2) / 2), round((y1 + y2) / 2)), []).append(
            max(x2 - x1, y2 - y1)
        )
    assert len(places) > 100
    for (x, y), lengths in places.items():
        row = round((1 - (y - rect["y"]) / rect["h"]) * 95)
        around = field[max(row - 1, 0) : row + 2, :][
            :, max(round((x - rect["x"]) / rect["w"] * 95) - 1, 0) :
        ][:, :3]
        assert any((value > 0) == (len(lengths) == 2) for value in around.ravel()), (x, y)
    if "similar" not in link:
        bars = [
            m
            for m in player.marks("alpha")
            if m["kind"] == "rect" and m.get("i") is not None and "fill" in m
        ]
        labels = [player.js("s.run.y[arg]", mark["i"]) for mark in bars]
        signs = [mark for mark in player.marks("alpha") if mark.get("name") == "sign"]
        assert signs
        assert sum(label < 0 for label in labels) <= len(signs) <= len(bars)


def test_without_the_limit_fast_steps_are_shown_as_they_are(player):
    player.open("/?v=1&kernel=linear")
    swift = "(() => { s.clock.speed = 60; s.clock.playing = true; const { swift } = s.cursor;"
    swift += " s.clock.playing = false; return swift; })()"
    assert player.js(swift)
    choose(player, "At most three flashes")
    assert not player.js(swift)


def test_a_screen_reader_is_told_as_much_as_one_likes(player):
    before = player.open("/?v=1&t=2").spoken
    choose(player, "only what changes", role="radio")
    right = player.js("[...s.run.trace.mistake].findIndex((one, k) => k > 2 && !one) + 1")
    player.go(right)
    assert player.spoken == before
    player.press("PageDown").rest()
    assert player.spoken == player.js("s.board && s.spoken.sentence")
    choose(player, "nothing by itself", role="radio")
    before = player.spoken
    player.press("PageDown", "g").until_set("sigma")
    assert player.spoken == before
