"""The dialog Export: how it opens and closes, who has the keys meanwhile, and that what it saves is
on the screen.
"""

import io
import re
from contextlib import redirect_stdout

import pytest
from answering import Lesson

from kpviz import experiment
from kpviz.export import record, script, settings_file

LINK = "/?v=1&data=moons&kernel=laplacian&t=7&show=alpha.code"
LESSON = """---
title: A lesson
---
## The line
link: v=1&n=8&kernel=linear&epochs=1
"""


def dialog(player):
    return player.page.locator("dialog.export[open]")


def told(player, words):
    """Wait until the dialog says something."""
    dialog(player).locator(".told").filter(has_text=words).wait_for()


def part(player, name):
    dialog(player).get_by_role("tab", name=name).click()


def saved(player, name):
    """The name and content of what a button saves."""
    with player.page.expect_download() as download:
        dialog(player).get_by_role("button", name=f"Download {name}", exact=True).click()
    told(player, f"Saved {download.value.suggested_filename}.")
    return download.value.suggested_filename, download.value.path().read_bytes()


# ---- opening and closing -------------------------------------------------------------------------


def test_it_has_the_keys_until_it_is_closed_and_nothing_moves_under_it(player):
    player.open("/?v=1&t=9").press("v")
    player.until("document.fullscreenElement !== null")
    before = player.query
    player.press("a")
    dialog(player).wait_for()
    assert player.page.evaluate("document.fullscreenElement !== null"), (
        "it lies over a stage that fills the screen"
    )
    for _ in range(2):  # with the focus in it, and after a press on words, which nothing has then
        player.press("PageDown", " ", "z", "k", "x", "Delete", "d").rest()
        assert (player.t, player.query, player.playing) == (9, before, False)
        dialog(player).locator("h2").click()
    player.page.evaluate("document.exitFullscreen()")
    player.press("Escape")
    dialog(player).wait_for(state="detached")
    assert player.press("ArrowRight").rest().t == 10


@pytest.mark.parametrize("way", ["Escape", "the cross", "beside it"])
def test_it_is_closed_in_three_ways_and_the_focus_goes_back(player, way):
    player.open("/?v=1&t=9").page.locator(".topbar .does .opens").focus()
    player.press("Enter", "ArrowDown", "Enter")
    dialog(player).wait_for()
    assert player.js("r.getRootNode().activeElement.role") == "tab"
    if way == "Escape":
        player.press("Escape")
    elif way == "the cross":
        dialog(player).get_by_role("button", name="Close").press("Enter")
    else:
        player.page.mouse.click(20, 400)
    dialog(player).wait_for(state="detached")
    player.until("r.getRootNode().activeElement?.classList.contains('opens')")
    assert player.press("ArrowRight").rest().t == 10


def test_opened_by_the_pointer_it_leaves_the_keys_to_the_board(player):
    player.open("/?v=1&t=9").share("export")
    dialog(player).get_by_role("button", name="Close").click()
    player.until("(r.getRootNode().activeElement ?? document.body) === document.body")
    player.press(" ").until("s.clock.playing")


def test_a_selection_that_ends_beside_it_does_not_close_it(player):
    player.open("/?v=1").press("a")
    box = dialog(player).locator("h3").first.bounding_box()
    player.page.mouse.move(box["x"] + 5, box["y"] + 5)
    player.page.mouse.down()
    player.page.mouse.move(20, 400, steps=3)
    player.page.mouse.up()
    assert dialog(player).is_visible()


def test_it_opens_over_a_lecture_which_goes_on_behind_it(player):
    player.open("/?v=1&t=12").press("w").press("a")
    dialog(player).wait_for()
    assert player.js("r.getRootNode().elementFromPoint(683, 60).closest('dialog') !== null")
    player.press("Escape")
    dialog(player).wait_for(state="detached")
    assert (player.presents, player.t) == (True, 12)


def test_arrows_go_from_part_to_part_and_it_opens_where_one_was(player):
    player.open("/?v=1").press("a")
    chosen = dialog(player).locator("[role=tab][aria-selected=true]")
    names = [chosen.inner_text()]
    for key in ("ArrowRight", "ArrowRight", "End", "ArrowRight", "ArrowLeft", "Home", "ArrowLeft"):
        player.press(key)
        names.append(chosen.inner_text())
    assert names == [
        "Code",
        "Tables and settings",
        "Worksheet",
        "Link",
        "Code",
        "Link",
        "Code",
        "Link",
    ]
    player.press("Escape")
    dialog(player).wait_for(state="detached")
    player.press("a")
    assert chosen.inner_text() == "Link"


def test_the_key_that_opens_it_is_heard_as_soon_as_it_is_closed(player):
    player.open("/?v=1")
    for _ in range(15):
        player.press("a")
        dialog(player).wait_for()
        player.press("Escape")
        dialog(player).wait_for(state="detached")


def test_pictures_and_films_are_asked_of_whoever_draws_them(player):
    player.open("/?v=1&t=3").press("a")
    dialog(player).get_by_role("button", name="Image or video").click()
    dialog(player).wait_for(state="detached")
    player.page.wait_for_function(
        "triggers.some(([, { name, t }]) => name === 'picture' && t === 3)"
    )


# ---- what is saved -------------------------------------------------------------------------------


def test_what_is_saved_is_the_run_on_the_screen(player):
    player.open(LINK).press("a")
    settings = player.settings
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    name, text = saved(player, "script")
    assert name == "kpviz-moons-laplacian.numpy.py"
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(text, name, "exec"), {"__name__": "__main__"})
    counts = re.findall(r"^epoch \d+: (\d+)", printed.getvalue(), re.MULTILINE)
    assert list(map(int, counts)) == run.mistakes_per_epoch.tolist()
    assert saved(player, "notebook")[0] == "kpviz-moons-laplacian.ipynb"
    part(player, "Tables and settings")
    assert saved(player, "run as CSV") == (
        "kpviz-moons-laplacian.run.csv",
        record.to_csv(run).encode(),
    )
    text = settings_file.write(settings, None)
    assert saved(player, "settings as JSON") == (
        "kpviz-moons-laplacian.settings.json",
        text.encode(),
    )
    assert saved(player, "examples as CSV")[1] == record.data_csv(split).encode()
    command = dialog(player).locator("code").inner_text()
    assert command == "kpviz train kpviz-moons-laplacian.settings.json -o run.csv"


def test_the_script_is_shown_without_its_data_and_copied_with_them(player):
    player.open(LINK).press("a")
    shown = dialog(player).locator("pre")
    shown.wait_for()
    settings = player.settings
    whole = script.numpy_script(settings, experiment.prepare(settings))
    lines = shown.text_content().splitlines()
    assert not re.search(r"\d\.\d{10}", shown.text_content())  # the data are folded,
    assert [line for line in lines if " … " not in line] == [
        line for line in whole.splitlines() if line in lines
    ]
    assert "mistakes.append" in shown.text_content()
    dialog(player).get_by_role("button", name="Copy").click()
    told(player, "Copied.")
    assert player.page.evaluate("navigator.clipboard.readText()") == whole


def test_without_examples_it_says_why_there_is_no_script(player):
    player.open("/?v=1&data=drawn").press("a")
    told(player, "There are no examples yet")
    assert not dialog(player).locator("pre").is_visible()


def test_the_page_is_that_of_what_is_chosen(player):
    player.open("/?v=1&n=12&t=5&cues=start%20hold%202").press("a")
    part(player, "Web page")
    dialog(player).get_by_label("dark").check()
    dialog(player).get_by_label("this step").check()
    dialog(player).get_by_label("Plays by itself").uncheck()
    assert dialog(player).get_by_label("Starts over at the end").is_disabled()
    name, content = saved(player, "page")
    assert name == "kpviz-xor-gaussian.html"
    assert b'data-theme="dark"' in content or b"dark" in content
    assert (
        dialog(player)
        .locator("code")
        .inner_text()
        .startswith('<iframe src="kpviz-xor-gaussian.html"')
    )
    assert "notes are not in it" in dialog(player).inner_text()


def test_the_link_is_that_of_the_address_and_can_be_copied(player):
    player.open(LINK).press("a")
    part(player, "Link")
    link, frame = dialog(player).locator("code").all()
    player.page.wait_for_url("**show=**")
    assert link.inner_text() == player.page.url
    assert frame.inner_text().startswith(f'<iframe src="{player.page.url.replace("&", "&amp;")}"')
    dialog(player).get_by_role("button", name="Copy").first.click()
    told(player, "Copied.")
    assert player.page.evaluate("navigator.clipboard.readText()") == player.page.url
    dialog(player).get_by_text("kpviz app --lan").wait_for()  # no phone reaches this server


def test_a_link_that_does_not_hold_the_file_says_so(player):
    table = "u,v,kind\n1,2,a\n2,1,b\n3,3,a\n4,5,b\n"
    player.open("/?v=1").js("(s.session.command('paste', { text: arg }), 0)", table)
    player.until_data("My own file").press("a")
    part(player, "Link")
    assert "It does not hold the file: for another computer" in dialog(player).inner_text()


def test_the_lesson_that_is_open_comes_first(player):
    lesson = Lesson(player.open("/?v=1")).read(LESSON)
    player.press("a")
    dialog(player).get_by_role("tab", name="Lesson", selected=True).wait_for()
    name, content = saved(player, "page")
    assert (name, content[:15]) == ("lesson-page.html", b"<!doctype html>")
    player.press("Escape")
    dialog(player).wait_for(state="detached")
    lesson.close()
    player.press("a")
    dialog(player).get_by_role("tab", name="Code", selected=True).wait_for()
    assert dialog(player).get_by_role("tab", name="Lesson").count() == 0


def test_long_work_shows_how_far_it_is_and_is_given_up(player):
    player.open("/?v=1&n=12").press("a")
    part(player, "Tables and settings")
    dialog(player).get_by_role("button", name="Download run as CSV").wait_for()
    player.js(
        "(s.session.state.link = arg, 0)",
        "v=1&n=1000&flipped=0.5&kernel=linear&epochs=1000&order=shuffled",
    )
    player.press("Escape")
    dialog(player).wait_for(state="detached")
    player.press("a")
    dialog(player).get_by_role("button", name="Download run as CSV").click()
    cancel = dialog(player).get_by_role("button", name="Cancel")
    cancel.wait_for()
    dialog(player).get_by_text("of at most 1,000,000 steps").wait_for()
    cancel.click()
    cancel.wait_for(state="hidden")
    assert dialog(player).locator(".told").inner_text() == ""
    player.until("!s.session.requests.waiting.size")
    player.press("Escape")
    dialog(player).wait_for(state="detached")
    player.press("g").until_set("sigma")
