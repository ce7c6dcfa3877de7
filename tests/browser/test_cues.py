"""Cues set in the player: the box of a cue, its places, its drafts and its limits."""

from urllib.parse import quote

import pytest
from cueing import BOX, LECTURE, answered, box, link, now, save, words
from driver import MODULES

from kpviz import experiment, panels
from kpviz.panels import BY_NAME
from kpviz.panels import LIT as PANELS
from kpviz.settings import Settings, cues
from kpviz.settings.cues import Cues


def in_module(player, expression, arg=None):
    """The value of an expression in m, the module of the box, s and arg."""
    start = "async ([r, base, arg]) => { const s = r.kpviz.player, m = await import(base + 'model/cue_text.js');"
    script = f"{start} return ({expression}); }}"
    return player.page.evaluate(script, [player.root, player.base + MODULES, arg])


def test_a_cue_is_set_where_one_is_and_z_takes_it_back_in_one_step(player):
    player.open().press("PageDown", "PageDown")
    t, found = player.t, box(player)
    words(found).fill("Look here.\nAnd there.")
    found.get_by_label("margins").check()
    found.get_by_label("other examples").fill("12, x3")
    found.get_by_label("Seconds to hold").fill("2,5")
    found.get_by_label("Times the speed").fill("8")
    words(found, "Notes for me").fill("Ask | first.")
    save(player)
    code = "mistake 2 hold 2.5 speed 8 light margins, x12, x3: Look here. And there.|>Ask ¦ first."
    assert now(player).code == code
    assert player.t == t
    player.page.wait_for_url(lambda url: f"cues={quote(code, safe='~')}" in url)
    player.reload()
    assert now(player).code == code
    player.press("u")
    words(player.page.locator(BOX)).fill("Other words.")
    save(player)
    assert now(player).cues[0].words == "Other words."
    player.press("z")
    answered(player)
    assert now(player).code == code


def test_a_cue_that_is_there_is_changed_moved_and_removed(player):
    player.open(link()).press("PageDown", "PageDown", "PageDown")
    found = box(player)
    assert words(found).input_value() == "Look where the boundary goes."
    assert found.get_by_label("other examples").input_value() == "x1"
    assert [found.get_by_label(name, exact=True).is_checked() for name in ("map", "margins")] == [False, True]
    assert found.get_by_label("mistake 3").is_checked()
    found.get_by_label("step 3").check()
    save(player)
    assert [cue.place for cue in now(player).cues] == ["start", "3", "epoch 1", "end"]
    box(player).get_by_role("button", name="Remove").click()
    answered(player)
    assert [cue.place for cue in now(player).cues] == ["start", "epoch 1", "end"]
    assert now(player).title == "XOR"
    player.press("z")
    answered(player)
    assert len(now(player).cues) == 4


def test_new_cues_stand_in_the_order_of_the_run_and_two_in_a_row_both_stay(player):
    player.open(link())
    player.js("s.send = (name) => s.session.command(name)")
    for t in (12, 5):
        player.go(t)
        words(box(player)).fill(f"At {t}.")
        player.press("Control+Enter")  # the server has not answered yet
    answered(player)
    assert [cue.place for cue in now(player).cues] == ["start", "mistake 3", "5", "mistake 4", "epoch 1", "end"]


def test_the_places_offered_are_those_of_the_instant(player):
    run = experiment.run(Settings.of())
    mistakes = (run.mistake.nonzero()[0] + 1).tolist()
    ends = [*run.epoch_start[1:].tolist(), run.n_steps]
    known = [
        "start",
        "end",
        *(f"mistake {k + 1}" for k in range(len(mistakes))),
        *(f"epoch {k + 1}" for k in range(len(ends))),
    ]
    places = cues.Places(run.n_steps, mistakes, ends, len(run.y))
    player.open()
    for t in [0, 1, 2, *mistakes[-2:], *ends]:
        offered = in_module(player, "m.placesOf(arg, s.run)", t)
        right = {place for place in known if places.step(cues.Cue(place)) == t} | ({str(t)} - {"0"})
        assert set(offered) == right
        assert len(offered) == len(right)
        assert offered[-1] == str(t) or t == 0  # what survives other settings comes first


def test_no_key_typed_in_the_box_does_anything_else(player):
    player.open().press("ArrowRight", "ArrowRight")
    query, found = player.js("s.query"), box(player)
    player.js("s.counted = s.session.socket.n")
    typed = "rcdkgnozxblpqaiytuvmw ?.1"
    player.page.keyboard.type(typed)
    player.press("PageDown", "PageUp", "Home", "ArrowRight", "ArrowDown", "End")
    assert words(found).input_value() == typed
    found.get_by_label("timeline").check()  # by the pointer: the keys stay here
    player.press("d", "PageDown", "r", "c", "ArrowRight")
    found.get_by_role("button", name="Cancel").focus()
    player.press("d", "PageDown", "r", "c", "ArrowRight")
    assert (player.t, player.js("s.query"), player.js("s.session.socket.n - s.counted")) == (2, query, 0)
    assert player.page.locator("[data-testid=stDialog]").count() == 0
    player.press("Escape")
    assert found.count() == 0
    assert now(player) == Cues()
    player.press("ArrowRight")
    assert player.t == 3


def test_enter_in_the_words_saves_for_a_cue_is_one_line(player):
    player.open()
    found = box(player)
    assert found.get_by_role("button", name="Save ⏎").get_attribute("title").startswith("Save (Enter")
    words(found, "Notes for me").press("Enter")
    words(found).press("Shift+Enter")
    assert found.count() == 1
    words(found).fill("Look here.")
    words(found).press("Enter")
    found.wait_for(state="detached")
    answered(player)
    assert now(player).code == "start: Look here."


def test_enter_on_what_cannot_be_saved_begins_no_new_line(player):
    player.open()
    found = box(player)
    words(found).fill("x" * 401)
    words(found).press("Enter")
    found.get_by_role("alert").wait_for()
    assert words(found).input_value() == "x" * 401


def test_what_was_typed_and_left_with_esc_is_there_again_until_it_is_saved(player):
    player.open(link()).go(12)
    found = box(player)
    words(found).fill("Half a sent")
    found.get_by_label("margins").check()
    found.get_by_label("other examples").fill("x7 y8")
    found.get_by_label("Seconds to hold").fill("soon")
    found.get_by_label("step 12").check()
    player.press("Escape")
    assert found.count() == 0
    assert "U at step 12 shows it again" in player.js("s.controls.statusLine.textContent")
    assert words(box(player.go(13))).input_value() == "", "a draft belongs to its instant"
    player.press("Escape")
    found = box(player.go(12))
    assert found.locator("h2").inner_text() == "New cue at step 12, not saved yet"
    assert words(found).input_value() == "Half a sent"
    assert found.get_by_label("margins").is_checked()
    assert found.get_by_label("step 12").is_checked()
    assert found.get_by_label("other examples").input_value() == "x7, y8"
    assert found.get_by_label("Seconds to hold").input_value() == "soon"
    player.press("Escape")
    found = box(player)
    words(found).fill("Half a sentence.")
    found.get_by_label("other examples").fill("x7")
    found.get_by_label("Seconds to hold").fill("")
    save(player)
    player.press("z")
    answered(player)
    assert words(box(player)).input_value() == ""


def test_what_is_typed_outlives_a_reload_and_is_of_its_run_alone(player):
    player.open("/?v=1").go(12)
    words(box(player)).press_sequentially("Half a sent")
    player.reload().go(12)
    assert words(box(player)).input_value() == "Half a sent"
    player.press("Escape", "n").settle().go(12)
    assert words(box(player)).input_value() == ""
    player.press("Escape", "z").settle().go(12)
    assert words(box(player)).input_value() == "Half a sent"


@pytest.mark.parametrize("way", ["Cancel", "Remove", "another cue", "as it was"])
def test_a_draft_ends_when_one_cancels_or_the_cue_there_changes(player, way):
    player.open(link()).go(3)
    found = box(player)
    words(found).fill("Typed.")
    player.press("Escape")
    found = box(player)
    assert words(found).input_value() == "Typed."
    if way in ("Cancel", "Remove"):
        found.get_by_role("button", name=way).click()
    elif way == "as it was":
        words(found).fill("Look where the boundary goes.")
        player.press("Escape")
    else:
        player.press("Escape")
        player.js("s.session.command('cues', { title: '', by: '', cues: [{ ...s.cues.at(3), words: 'Other.' }] })")
    answered(player)
    expected = {"Remove": "", "another cue": "Other."}.get(way, "Look where the boundary goes.")
    found = box(player)
    assert (words(found).input_value(), "not saved" in found.inner_text()) == (expected, False)


@pytest.mark.parametrize(("learner", "has"), [("perceptron", False), ("forgetron", True)])
def test_a_panel_that_the_learner_lacks_is_not_offered_unless_the_cue_names_it(player, learner, has):
    player.open(link("start|2 light own", learner=learner))
    own = box(player).get_by_label("learner (own)")
    assert own.count() == has
    player.press("Escape")
    found = box(player.go(2))
    assert found.get_by_label("learner (own)").is_checked()
    words(found).fill("Kept.")
    save(player)
    assert now(player).cues[1].light == ("own",)


def test_the_panels_are_called_as_on_the_board_and_in_the_text(player):
    def offered():
        labels = box(player).get_by_role("group", name="What lights up").locator("label").all_inner_texts()
        return [next(name for name in PANELS if label in called(BY_NAME[name])) for label in labels[:-1]]

    def called(panel):
        return panel.name, f"{panel.short} ({panel.name})"

    player.open("/?v=1&learner=forgetron")
    assert offered() == ["map", "timeline", "alpha", "own", "margins"]
    player.open("/?v=1&learner=forgetron&show=" + ".".join(panels.IN_LINKS[:-3]))
    assert offered() == list(PANELS)


WRONG = [
    ("Words", "x" * 401, "401 characters"),
    ("Notes for me", "x" * 401, "401 characters"),
    ("Seconds to hold", "soon", "“soon”"),
    ("Seconds to hold", "601", "0 to 600"),
    ("Seconds to hold", "-1", "0 to 600"),
    ("Times the speed", "51", "0.05 to 50"),
    ("Times the speed", "0", "“0”"),
    ("other examples", "x3, y4", "“y4”"),
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
        assert player.js("Number(s.session.busy)") == 0
        assert now(player) == Cues()
        found.get_by_role("button", name="Cancel").click()  # which leaves no draft behind


@pytest.mark.parametrize(
    ("code", "part"),
    [("|".join(["end"] * cues.MOST), "There are 100 cues already"),
     ("|".join([f"end: {390 * 'x'}"] * 10), "a link holds 4,000")],
)  # fmt: skip
def test_the_limits_of_all_cues_are_told_and_nothing_is_lost(player, code, part):
    player.open(link(code))
    found = box(player)
    words(found).fill("x" * 100)
    player.press("Control+Enter")
    assert part in found.get_by_role("alert").inner_text()
    assert words(found).input_value() == "x" * 100
    assert now(player).code == code


def test_an_example_that_this_run_lacks_is_told_and_may_be_named(player):
    player.open()
    found = box(player)
    found.get_by_label("other examples").fill("x3 x60")
    assert found.locator(".hint").inner_text() == "This run has no x₆₀: its examples are x₀ to x₅₉."
    save(player)
    assert now(player).cues[0].light == ("x3", "x60")


def test_a_held_out_point_is_no_example_that_lights_up(player):
    n = len(experiment.run(Settings.of(held=0.25)).y)
    player.open(link(f"start light x{n - 1}, x{n}", held="0.25"))
    found = box(player)
    found.get_by_label("other examples").fill(f"x{n - 1}")
    assert found.locator(".hint").inner_text() == ""
    found.get_by_label("other examples").fill(f"x{n - 1} x{n}")
    assert found.locator(".hint").inner_text() == "This run has no x₄₅: its examples are x₀ to x₄₄."
    assert player.js("Object.values(s.scenes(0)).flatMap((scene) => [...scene.hot])") == [n - 1]


def test_the_box_counts_as_python_does(player):
    player.open()
    assert in_module(player, "m.LIMITS") == {
        "cues": cues.MOST, "code": cues.LONGEST, "text": cues._WORDS, "hold": cues.LONGEST_HOLD,
        "speed": [cues.SLOWEST, cues.FASTEST],
    }  # fmt: skip
    every = "3 hold 0.125 speed 0.05: a: b|12 hold 600|14 speed 12.5|end light " + ", ".join((*PANELS, "x1"))
    for code in (LECTURE, "", "title: T", "3: ¦w¦|>¦", every):
        made = Cues.of_code(code)
        assert in_module(player, "m.codeOf(arg)", made.plain) == made.code == code
