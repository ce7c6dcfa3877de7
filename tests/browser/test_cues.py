"""Cues set in the player: the box of a cue, its drafts and its limits, and all of them
as a text.
"""

from urllib.parse import quote

import pytest
from cueing import LECTURE, box, link, now, save, words

from kpviz import panels
from kpviz.panels import BY_NAME, LIT
from kpviz.settings import cues
from kpviz.settings.cues import Cues


def test_a_cue_is_set_where_one_is_and_z_takes_it_back_in_one_step(player):
    player.open().press("PageDown", "PageDown")
    t, found = player.t, box(player)
    words(found).fill("Look here.\nAnd there.")
    found.get_by_label("margins").check()
    found.get_by_label("Other examples").fill("12, x3, x60")
    assert found.locator(".hint").inner_text() == "This run has no x₆₀: its examples are x₀ to x₅₉."
    found.get_by_label("Seconds to hold").fill("2,5")
    found.get_by_label("Times the speed").fill("8")
    words(found, "Notes for me").fill("Ask | first.")
    save(player)
    code = (
        "mistake 2 hold 2.5 speed 8 light margins, x12, x3, x60: Look here. And there.|>Ask ¦ "
        "first."
    )
    assert (now(player).code, player.t) == (code, t)
    player.page.wait_for_url(lambda url: f"cues={quote(code, safe='~')}" in url)
    player.reload()
    assert now(player).code == code
    words(box(player)).fill("Other words.")
    save(player)
    assert now(player).cues[0].words == "Other words."
    assert now(player.press("z").settle()).code == code


def test_the_box_gives_the_focus_back_to_what_had_it(player):
    player.open("/?v=1&t=12").button("next-example").focus()
    assert player.press("u").focused() == "textarea"
    assert player.press("Escape").focused() == "next-example"


def test_a_cue_that_is_there_is_changed_moved_and_removed(player):
    player.open(link()).press("PageDown", "PageDown", "PageDown")
    found = box(player)
    assert words(found).input_value() == "Look where the boundary goes."
    assert found.get_by_label("Other examples").input_value() == "x1"
    assert [found.get_by_label(name, exact=True).is_checked() for name in ("Map", "Margins")] == [
        False,
        True,
    ]
    assert found.get_by_label("mistake 3").is_checked()
    found.get_by_label("step 3").check()
    save(player)
    assert [cue.place for cue in now(player).cues] == ["start", "3", "epoch 1", "end"]
    box(player).get_by_role("button", name="Remove").click()
    player.settle()
    assert [cue.place for cue in now(player).cues] == ["start", "epoch 1", "end"]
    assert now(player).title == "XOR"
    assert len(now(player.press("z").settle()).cues) == 4


def test_new_cues_stand_in_the_order_of_the_run_and_two_in_a_row_both_stay(player):
    player.open(link()).js("s.send = (name) => s.session.command(name)")
    for t in (12, 5):
        words(box(player.go(t))).fill(f"At {t}.")
        player.press("Control+Enter")  # the server has not answered yet
    player.settle()
    assert [cue.place for cue in now(player).cues] == [
        "start",
        "mistake 3",
        "5",
        "mistake 4",
        "epoch 1",
        "end",
    ]


def test_no_key_typed_in_the_box_does_anything_else(player):
    player.open().press("ArrowRight", "ArrowRight")
    query, asked, found = player.query, player.asked(), box(player)
    typed = "rcdkgnozxblpqaiytuvmw ?.1"
    player.page.keyboard.type(typed)
    player.press("PageDown", "PageUp", "Home", "ArrowRight", "ArrowDown", "End")
    assert words(found).input_value() == typed
    found.get_by_label("timeline").check()  # by the pointer: the keys stay here
    player.press("d", "PageDown", "r", "c", "ArrowRight")
    found.get_by_role("button", name="Cancel").focus()
    player.press("d", "PageDown", "r", "c", "ArrowRight")
    assert (player.t, player.query, player.asked()) == (2, query, asked)
    player.press("Escape")
    assert found.count() == 0
    assert now(player) == Cues()
    assert player.press("ArrowRight").t == 3


def test_enter_in_the_words_saves_for_a_cue_is_one_line_and_what_cannot_be_saved_stays(player):
    found = box(player.open())
    assert (
        found.get_by_role("button", name="Save ⏎").get_attribute("title").startswith("Save (Enter")
    )
    words(found).fill("x" * 401)
    words(found).press("Enter")
    found.get_by_role("alert").wait_for()
    assert words(found).input_value() == "x" * 401
    words(found, "Notes for me").press("Enter")
    words(found).fill("Look here.")
    words(found).press("Shift+Enter")
    assert found.count() == 1
    words(found).press("Enter")
    found.wait_for(state="detached")
    assert now(player.settle()).code == "start: Look here."


def test_what_was_typed_and_left_is_there_again_after_a_reload_too_until_it_is_saved(player):
    found = box(player.open(link()).go(12))
    words(found).press_sequentially("Half a sent")
    found.get_by_label("margins").check()
    for name, value in (("Other examples", "x7 y8"), ("Seconds to hold", "soon")):
        found.get_by_label(name).fill(value)
    found.get_by_label("step 12").check()
    player.press("Escape")
    assert "U at step 12 shows it again" in player.said
    assert words(box(player.go(13))).input_value() == "", "a draft belongs to its instant"
    player.press("Escape", "n").settle()
    assert words(box(player.go(12))).input_value() == "", "and to its run"
    player.press("Escape", "z").settle().reload()
    found = box(player.go(12))
    assert "not saved yet" in found.locator("h2").inner_text()
    assert words(found).input_value() == "Half a sent"
    assert found.get_by_label("margins").is_checked()
    assert found.get_by_label("step 12").is_checked()
    assert found.get_by_label("Other examples").input_value() == "x7, y8"
    assert found.get_by_label("Seconds to hold").input_value() == "soon"
    found.get_by_label("Other examples").fill("x7")
    found.get_by_label("Seconds to hold").fill("")
    save(player)
    player.press("z").settle()
    assert words(box(player)).input_value() == ""


def test_a_draft_ends_when_one_cancels_or_the_cue_there_changes(player):
    for way in ("Cancel", "Remove", "another cue", "as it was"):
        words(box(player.anew(link()).go(3))).fill("Typed.")
        found = box(player.press("Escape"))
        assert words(found).input_value() == "Typed."
        if way in ("Cancel", "Remove"):
            found.get_by_role("button", name=way).click()
        elif way == "as it was":
            words(found).fill("Look where the boundary goes.")
            player.press("Escape")
        else:
            player.press("Escape")
            player.js(
                "s.session.command('cues', { title: '', by: '', cues: [{ ...s.cues.at(3), words: "
                "'Other.' }] })"
            )
        found = box(player.settle())
        expected = {"Remove": "", "another cue": "Other."}.get(way, "Look where the boundary goes.")
        assert (words(found).input_value(), "not saved" in found.inner_text()) == (
            expected,
            False,
        ), way


def test_the_panels_are_called_as_in_the_text_and_those_that_the_learner_lacks_are_not_offered(
    player,
):
    def offered():
        labels = (
            box(player)
            .get_by_role("group", name="What lights up")
            .locator("label")
            .all_inner_texts()
        )
        names = {BY_NAME[name].short: name for name in LIT}
        return [names[label] for label in labels[:-1]]

    player.open("/?v=1&learner=forgetron")
    assert offered() == ["map", "timeline", "alpha", "own", "margins"]
    player.open("/?v=1&learner=forgetron&show=" + ".".join(panels.IN_LINKS[:-3]))
    assert offered() == list(LIT)
    player.open(link("start|2 light own"))
    assert "own" not in offered()
    player.press("Escape")
    found = box(player.go(2))  # but where the cue names it
    assert found.get_by_label("Learner").is_checked()
    words(found).fill("Kept.")
    save(player)
    assert now(player).cues[1].light == ("own",)


WRONG = [
    ("Notes for me", "x" * 401, "401 characters"),
    ("Seconds to hold", "soon", "“soon”"),
    ("Seconds to hold", "601", "0 to 600"),
    ("Times the speed", "51", "0.05 to 50"),
    ("Times the speed", "0", "“0”"),
    ("Other examples", "x3, y4", "“y4”"),
]


def test_what_cannot_be_saved_is_told_in_a_sentence_and_stays(player):
    player.open()
    for name, value, part in WRONG:
        found = box(player)
        words(found).fill("Kept.")
        found.get_by_label(name, exact=True).fill(value)
        player.press("Control+Enter")
        message = found.get_by_role("alert").inner_text()
        assert part in message
        assert message.endswith(".")
        assert found.get_by_label(name, exact=True).input_value() == value
        assert (player.js("Number(s.session.busy)"), now(player)) == (0, Cues())
        found.get_by_role("button", name="Cancel").click()  # which leaves no draft behind
    for code, part in (
        ("|".join(["end"] * cues.MOST_CUES), "There are 100 cues already"),
        ("|".join([f"end: {390 * 'x'}"] * 10), "a link holds 4,000"),
    ):
        found = box(player.anew(link(code)))
        words(found).fill("x" * 100)
        player.press("Control+Enter")
        assert part in found.get_by_role("alert").inner_text()
        assert words(found).input_value() == "x" * 100
        assert now(player).code == code


DRAFTS = """Object.entries(sessionStorage)
  .filter(([name]) => name.startsWith("kpviz-cues-text")).map(([, text]) => text)"""


@pytest.mark.in_app
def test_all_cues_are_changed_as_a_text(player):
    player.open(link()).press("Shift+U")
    dialog = player.page.get_by_role("dialog")
    area, apply = (
        dialog.get_by_label("Cues", exact=True),
        dialog.get_by_role("button", name="Apply"),
    )
    area.wait_for()
    assert area.input_value() == Cues.of_code(LECTURE).text
    area.fill("start: One.\nsoon: Two.\n")
    apply.click()
    dialog.get_by_text("Line 2 of the cues cannot be read at 'soon'").wait_for()
    assert area.input_value() == "start: One.\nsoon: Two.\n"
    assert player.page.evaluate(DRAFTS) == ["start: One.\nsoon: Two.\n"]
    area.fill("start: One.\n12: Two.\nmistake 99: Three.\n")
    dialog.get_by_role(
        "button", name="Start again"
    ).focus()  # what was typed is checked when one leaves it
    dialog.get_by_text("mistake 99: this run has 11").wait_for()
    apply.click()
    dialog.wait_for(state="detached")
    player.until("s.cues.list.length === 3").rest()
    assert player.page.evaluate(DRAFTS) == []
    assert now(player).code == "start: One.|12: Two.|mistake 99: Three."
    assert player.js("s.cues.placed.map(({ t }) => t)") == [0, 12]
    player.press("Shift+U")
    area.fill("soon: Two.")
    apply.click()
    dialog.get_by_text("Line 1 of the cues cannot be read at 'soon'").wait_for()
    dialog.get_by_role("button", name="Start again").click()
    dialog.get_by_text("3 cues").wait_for()
    player.page.wait_for_selector("[data-test-script-state=notRunning]")
    assert player.page.evaluate(DRAFTS) == []
    player.press("Escape")
    dialog.wait_for(state="detached")
    player.press("Shift+U")
    area.fill("start: One.")  # what was just typed is applied by one click
    apply.click()
    dialog.wait_for(state="detached")
    player.until("s.cues.list.length === 1").rest()
