"""Every key of the player: on a page that was just opened, and with the focus in each kind of
widget.
"""

import numpy as np
import pytest
from driver import SCROLLS

from kpviz import experiment
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.learners import LEARNERS
from kpviz.lessons.learner_words import MEMORIES, words_of
from kpviz.settings import Settings

BODY = ".dock"


def opened(player, name):
    player.show(name)
    player.until("s.dock.open === arg && !s.dock.focusTarget", name)
    return player.page.locator(f"{BODY} .frame:visible")


def until_settings(player, **wanted):
    player.until_query(Settings.of(**wanted).query())


# ---- on a page that was just opened --------------------------------------------------------------


def test_on_a_page_that_scrolls_keys_move_the_run_and_nothing_scrolls_under_it(player):
    player.wear(500, 700).open()  # too narrow for two columns: this page could scroll
    assert player.page.evaluate(f"{SCROLLS}.scrollHeight > innerHeight")
    assert player.press("PageDown", "ArrowDown", "End", "Home", "PageDown").t == 1
    player.page.evaluate(f"Object.assign({SCROLLS}, {{ tabIndex: 0 }}).focus()")
    for key, t in {"ArrowRight": 2, "ArrowDown": 60, "End": 180, "Home": 0}.items():
        assert player.press(key).t == t
    player.press(" ").until("s.t > 0").press(" ").rest()
    tops = "[...document.querySelectorAll('*')].map((e) => e.scrollTop).filter(Boolean)"
    assert player.page.evaluate(tops) == []


def test_space_plays_and_pauses_and_f_s_m_change_the_pace_within_its_limits(player):
    player.open().press(" ").until("s.clock.playing && s.t > 1").press(" ")
    assert not player.playing
    usual = player.speed
    assert player.press("f").speed == pytest.approx(1.5 * usual)
    assert player.press("s", "s").speed == pytest.approx(usual / 1.5)
    assert player.press("m").rest().js("s.clock.slow")
    assert player.button("slow").get_attribute("aria-pressed") == "true"
    assert not player.press("M").js("s.clock.slow")
    assert player.press(*["f"] * 14).speed == 60
    assert player.press(*["s"] * 20).speed == 0.25
    slider = player.page.locator(".kpviz .speed input")
    player.button("slow")  # beside it, behind More
    for value, speed in (("100", 60), ("0", 0.25)):
        slider.fill(value)
        assert player.speed == pytest.approx(speed)
    assert player.rest().page.locator(".kpviz .speed output").inner_text() == "0.25/s"
    assert slider.get_attribute("aria-valuetext") == "0.25 steps a second"


def test_h_and_question_mark_open_and_close_what_they_name(player):
    player.open().press("h")
    panels, keys = (
        player.page.locator(".kpviz .menu.panels"),
        player.page.locator(".kpviz .menu.help"),
    )
    assert panels.is_visible()
    player.press("?")
    assert keys.is_visible()
    assert not panels.is_visible()
    assert player.press("ArrowRight", "PageDown", "End", " ", "d").t == 0  # they scroll the help
    assert not player.js("s.clock.playing || s.session.busy")
    player.press("Escape")
    assert not keys.is_visible()
    player.press("h", "h")
    assert not panels.is_visible()


def test_v_fills_the_screen_and_y_copies_the_link_of_this_instant(player):
    player.open("/?v=1&data=moons").press("v")
    player.until("document.fullscreenElement !== null")
    assert player.until("s.layout.height >= innerHeight - 1").press("ArrowRight").rest().t == 1
    player.press("v")
    player.until("document.fullscreenElement === null")
    player.until("s.layout.height < innerHeight - 20").press("ArrowRight", "y")
    assert player.status == "Link copied."
    assert (
        player.page.evaluate("navigator.clipboard.readText()")
        == f"{player.base}/?v=1&data=moons&t=2"
    )


def test_keys_change_data_kernel_width_and_order_and_many_fast_presses_all_arrive(player):
    player.open("/?v=1&t=12")
    names = list(SOURCES)
    sigma = 0.5
    for factor in [1.25] * 10 + [1 / 1.25] * 3:
        sigma = float(f"{min(sigma * factor, 10.0):.3g}")
    until_settings(player.press(*["g"] * 10, *["Shift+G"] * 3), sigma=sigma)
    assert player.t == 12
    until_settings(player.press(*["n"] * 12), sigma=sigma, seed=12)
    assert player.t == 0
    assert player.asked() <= 26
    player.anew()
    for key, wanted in (
        ("o", {"order": "shuffled"}),
        ("o", {"order": "shuffled", "oseed": 1}),
        ("d", {"order": "shuffled", "oseed": 1, "data": names[1]}),
        ("k", {"order": "shuffled", "oseed": 1, "data": names[1], "kernel": "laplacian"}),
    ):
        until_settings(player.press(key), **wanted)
    player.page.wait_for_url("**kernel=laplacian**oseed=1**")


def test_keys_with_control_alt_or_meta_are_left_alone(player):
    player.open("/?v=1&t=7")
    untouched = player.js(
        """arg.flatMap((key) => ["ctrlKey", "altKey", "metaKey"].map((modifier) => document.body.dispatchEvent(
          new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, [modifier]: true }))))""",
        ["ArrowRight", "PageDown", "End", " ", "g", "n", "d", "m", "h"],
    )
    assert untouched == [True] * 27
    assert player.press("Control+ArrowRight", "Control+Home").t == 7
    assert (
        player.js("Number(s.session.busy) + Number(s.clock.playing) + Number(s.controls.open)") == 0
    )


# ---- with the focus in a widget ------------------------------------------------------------------

WIDGETS = {
    "slider": ("data", "input[type=range]"),
    "tile": ("data", ".tiles input"),
    "select": ("data", "select"),
    "segment": ("learner", "input[type=radio]"),
}


def test_in_a_widget_page_up_and_page_down_step_and_other_keys_stay_there(player):
    player.open("/?v=1&data=iris")
    run, query = experiment.run(player.settings), player.query
    following = next(t for t in (np.flatnonzero(run.mistake) + 1).tolist() if t > 20)
    for kind, (chip_name, selector) in WIDGETS.items():
        body = opened(player, chip_name)
        body.locator(selector).first.focus()
        before = player.focused()
        player.js("s.go(20)")
        player.press("PageDown")
        assert player.t == following, kind
        player.press("PageUp", "PageUp")
        assert player.t < 20, kind
        assert player.focused() == before
        player.js("s.go(20)")
        player.press("m" if kind != "select" else "~")  # where a letter finds an option
        assert not player.js("s.clock.slow"), kind
        assert player.query == query, kind
        if kind != "select":
            player.press("Shift+I")  # nothing is typed there
            assert player.said.startswith(f"20 of {len(run.y)} examples, first epoch"), kind
        player.press("Escape", "Escape")  # a list of the select, then the popover
        player.page.locator(BODY).wait_for(state="hidden")


def test_widgets_keep_the_keys_that_they_have_and_give_the_others_to_the_player(player):
    player.open("/?v=1&t=20")
    opened(player, "kernel").locator("input[type=range]").first.focus()
    player.press("ArrowRight").until("s.run.header.settings.query.includes('sigma=')")
    assert player.settings.sigma > 0.5
    assert player.t == 20
    player.anew("/?v=1&t=3").button("next-example").focus()
    assert player.press("ArrowRight").t == 4  # a button has no use for it
    assert player.press(" ").t == 5
    assert not player.playing
    speed = player.anew("/?v=1&t=3").speed
    player.page.locator(".kpviz .bar .more").click()
    player.rest().page.locator(
        ".kpviz .speed input"
    ).focus()  # the pointer gives the focus back a moment later
    assert player.press("ArrowRight", "ArrowRight").t == 3
    assert player.speed > speed
    assert player.press("PageDown").t > 3
    player.press("h").js("s.controls.menu('panels')")
    player.page.locator(".kpviz [data-panel=gram]").focus()
    player.press(" ").until("s.shown.has('gram')")
    assert player.press("ArrowRight", "m").js("s.clock.slow")


def test_in_the_dock_keys_with_shift_go_from_group_to_group_and_z_undoes(player):
    player.open("/?v=1&t=20").press("Shift+D").until(
        "r.getRootNode().activeElement?.type === 'radio'"
    )
    for key, group in {"K": "kernel", "L": "learner", "S": "compare", "D": "data"}.items():
        player.press(f"Shift+{key}").until("s.dock.open === arg && !s.dock.focusTarget", group)
    player.press("ArrowRight").until("!s.run.header.settings.query.endsWith('v=1')").settle()
    player.press("z").until_query("v=1")
    assert player.press("Escape").focused() == "settings"


def test_arrows_walk_tiles_as_they_stand_in_rows_and_columns(player):
    # Here they stand in more than two rows.
    tiles = opened(player.wear(1024, 768).open("/?v=1&t=20"), "data").locator(".tiles label")
    boxes = [label.bounding_box() for label in tiles.all()]
    end, wide = len(boxes) - 1, sum(box["y"] == boxes[0]["y"] for box in boxes)
    assert 2 < wide < end / 2
    low = max(k for k in range(end + 1) if k % wide == 1)
    tiles.first.locator("input").focus()
    walk = {
        "ArrowRight ArrowDown": 1 + wide, "ArrowDown": 1 + 2 * wide, "ArrowUp": 1 + wide, "ArrowUp ArrowUp": low,
        "ArrowDown Home": 0, "ArrowLeft": end, "ArrowRight End": end,
    }  # fmt: skip
    for keys, to in walk.items():
        player.press(*keys.split())
        assert [tiles.nth(k).locator("input").is_checked() for k in range(end + 1)] == [
            k == to for k in range(end + 1)
        ]
        assert tiles.nth(to).locator("input").evaluate("(e) => e.getRootNode().activeElement === e")
    shown = list(OBJECTS)[-1]
    until_settings(player, data=shown)
    memories = {name: words_of(learner()).memory for name, learner in LEARNERS.items()}
    learners = sorted(LEARNERS, key=lambda name: MEMORIES.index(memories[name]))
    opened(player, "learner").locator(".tiles input").first.focus()
    player.press("ArrowDown", "ArrowDown", "ArrowUp")
    until_settings(player, data=shown, learner=learners[1])


def test_a_setting_changed_by_pointer_gives_the_keys_back(player):
    """Tile, slider, select and segment: after each the arrow keys step."""
    player.open("/?v=1&data=iris")
    changes = [
        (
            "data",
            lambda body: body.locator(".tiles label", has_text="Circles").click(force=True),
            "data=circles",
        ),
        ("data", lambda body: drag(player, body.locator("input[type=range]").first), "n="),
        (
            "learner",
            lambda body: body.locator("label", has_text="unit: b").click(force=True),
            "intercept=unit",
        ),
    ]
    for name, change, expected in changes:
        body = opened(player, name)
        change(body)
        player.until("s.run.header.settings.query.includes(arg)", expected).settle()
        player.js("s.go(5)")
        player.press("ArrowRight")
        assert player.t == 6, (expected, player.focused())
        player.press("Escape")
        player.page.locator(BODY).wait_for(state="hidden")
        player.press("ArrowRight", "ArrowLeft", "ArrowRight")
        assert player.t == 7, (expected, player.focused())


def drag(player, slider):
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    player.page.mouse.move(x, y)
    player.page.mouse.down()
    player.page.mouse.move(x + 40, y, steps=4)
    player.page.mouse.up()
