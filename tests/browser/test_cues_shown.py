"""Cues beside the player: their flags on the timeline, all of them as a text, and the keys that the help names."""

import pytest
from cueing import LECTURE, link, now
from test_layout import outside, resize

from kpviz.settings.cues import Cues

# ---- the timeline ---------------------------------------------------------------------------------------------------


def test_each_cue_has_a_flag_above_its_instant(player):
    player.open(link())
    for size in [(1366, 768), (1366, 640), (1920, 1080), (600, 900), (390, 844)]:
        resize(player, *size)
        flags, cursor = player.marks("timeline", name="cue"), player.js("s.layout.panels.map")
        assert [flag["t"] for flag in flags] == player.js("s.cues.placed.map(({ t }) => t)") == [0, 3, 60, 180]
        assert outside(player) == [], size
        for flag in flags:
            assert flag["fill"] == player.js("s.palette.accent")
            assert flag["y"] >= cursor["y"] + cursor["h"]  # under the map
            (pole,) = player.go(flag["t"]).marks("timeline", name="cursor")
            assert abs(pole["x"] + pole["w"] / 2 - flag["x"]) < 0.01


DRAFTS = """Object.entries(sessionStorage)
  .filter(([name]) => name.startsWith("kpviz-cues-text")).map(([, text]) => text)"""


# ---- the text -------------------------------------------------------------------------------------------------------


@pytest.mark.in_app
def test_all_cues_are_changed_as_a_text(player):
    player.open(link()).press("Shift+U")
    dialog = player.page.get_by_role("dialog")
    area = dialog.get_by_label("Cues", exact=True)
    area.wait_for()
    assert area.input_value() == Cues.of_code(LECTURE).text
    area.fill("start: One.\nsoon: Two.\n")
    player.press("Control+Enter")
    dialog.get_by_text("Line 2 of the cues cannot be read at 'soon'").wait_for()
    assert area.input_value() == "start: One.\nsoon: Two.\n"
    area.fill("start: One.\n12: Two.\nmistake 99: Three.\n")
    dialog.get_by_role("button", name="Start again").focus()  # what was typed is checked when one leaves it
    dialog.get_by_text("mistake 99: this run has 11").wait_for()
    dialog.get_by_role("button", name="Apply").click()
    dialog.wait_for(state="detached")
    player.until("s.cues.list.length === 3").rest()
    assert player.page.evaluate(DRAFTS) == []
    assert now(player).code == "start: One.|12: Two.|mistake 99: Three."
    assert player.js("s.cues.placed.map(({ t }) => t)") == [0, 12]


@pytest.mark.in_app
def test_what_was_just_typed_is_applied_by_one_click(player):
    player.open().press("Shift+U")
    dialog = player.page.get_by_role("dialog")
    area = dialog.get_by_label("Cues", exact=True)
    for text, stays in (("soon: Two.", True), ("start: One.", False)):
        area.fill(text)
        dialog.get_by_role("button", name="Apply").click()
        if stays:
            dialog.get_by_text("Line 1 of the cues cannot be read at 'soon'").wait_for()
            assert player.page.evaluate(DRAFTS) == [text]
            dialog.get_by_role("button", name="Start again").click()
            dialog.get_by_text("0 cues").wait_for()
            assert player.page.evaluate(DRAFTS) == []
    dialog.wait_for(state="detached")
    player.until("s.cues.list.length === 1").rest()
    assert now(player).code == "start: One."


# ---- the help -------------------------------------------------------------------------------------------------------


def test_the_help_names_these_keys_and_is_seen_whole(player):
    player.open()
    for size in [(1366, 640), (1280, 720), (1366, 768), (1920, 1080)]:
        resize(player, *size).press("?")
        assert_help_is_whole(player)
        player.press("Escape")


def assert_help_is_whole(player):
    keys = player.js("[...r.querySelectorAll('.menu.help dt')].map((e) => e.textContent)")
    assert {"U / Shift U", "Shift N"} <= set(keys)
    high, all_of_it = player.js(
        "(({ clientHeight, scrollHeight }) => [clientHeight, scrollHeight])(r.querySelector('.menu.help'))"
    )
    assert all_of_it <= high
    boxes = "(css) => [...r.querySelectorAll(css)].map((e) => e.getBoundingClientRect().toJSON())"
    (close,) = player.js(f"({boxes})('.menu.help > button')")
    terms, descriptions = (player.js(f"({boxes})('.menu.help {tag}')") for tag in ("dt", "dd"))
    assert len(terms) == len(descriptions) == len(set(keys)) > 30
    for term, row in zip(terms, descriptions, strict=True):
        assert abs(term["top"] - row["top"]) < 2  # beside its key
        assert term["right"] <= row["left"]
        assert apart(term, close)
        assert apart(row, close)


def apart(one, other):
    above = one["bottom"] <= other["top"] or one["top"] >= other["bottom"]
    return above or one["right"] <= other["left"] or one["left"] >= other["right"]
