"""What is done beside the player: one's own data brought along and written, pictures and films,
Cancel.
"""

import re
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from kpviz import experiment
from kpviz.engine.data.drawn import Drawn
from kpviz.export import settings_file
from kpviz.settings import DRAWN, Settings

TABLE = "height,weight,kind\n" + "".join(
    f"{150 + k},{50 + (k * 7) % 23 + (30 if k % 2 else 0)},{'tall' if k % 2 else 'short'}\n"
    for k in range(40)
)
ROW, HEADER = 35, 36  # px, of the table's grid
COLUMNS = {"u": 300, "v": 600, "class": 900}  # px, a place in each
PAUSE = 60  # ms between two keys of a hand


def dialog(player):
    return player.page.locator("[data-testid=stDialog]")


def close(player):
    dialog(player).get_by_role("button", name="Close").click()
    dialog(player).wait_for(state="detached")
    return player


TOPMOST = "(x, y) => document.elementFromPoint(x, y).closest('[data-testid=stDialog]') !== null"


# ---- files ---------------------------------------------------------------------------------------


@pytest.fixture
def drop(player, tmp_path):
    """Return a function that drops files of these names and contents, None being a folder, as a
    hand does.
    """
    session = player.page.context.new_cdp_session(player.page)

    def let_go(files, *, items=(), place=(300, 300)):
        paths = []
        for name, content in files.items():
            path = tmp_path / name
            if content is None:
                path.mkdir()
            else:
                path.write_bytes(content)
            paths.append(str(path))
        data = {"items": list(items), "files": paths, "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver"):
            session.send(
                "Input.dispatchDragEvent",
                {"type": kind, "x": place[0], "y": place[1], "data": data},
            )
        marked = player.js("r.classList.contains('dropping')")
        session.send(
            "Input.dispatchDragEvent", {"type": "drop", "x": place[0], "y": place[1], "data": data}
        )
        assert not player.js("r.classList.contains('dropping')")
        return marked

    yield let_go
    session.detach()


WRONG = {  # files that cannot be opened, and a part of the sentence about each
    "empty.csv": (b"", "empty.csv"),
    "one-class.csv": (b"a,b,label\n1,2,yes\n3,4,yes\n5,6,yes\n", "No column can be the label"),
    "package.json": (b'{"name": "something"}', "holds no settings of kpviz"),
    "binary.csv": (b"\x00\x01\x02\xff" * 100, "not a table as text"),
}


def test_a_table_and_settings_that_are_dropped_open_and_are_undone(player, drop):
    player.open("/?v=1&data=moons&t=20")
    first = player.settings
    assert drop({"people.csv": TABLE.encode()}) is True  # the board shows that it takes it
    player.until_data("My own file")
    assert player.js("[s.run.n, s.t, s.run.header.names.classes.join()]") == [40, 0, "short,tall"]
    assert set(player.js("s.run.header.names.features")) == {"height", "weight"}
    assert "people.csv · Gaussian · Perceptron" in player.settings_button.inner_text()
    points = Drawn.of(np.array([[0.0, 0.5], [1.0, 0.0], [-1.0, 0.25]]), np.array([1.0, -1.0, 1.0]))
    kept = Settings.of(data=DRAWN, points=points.code, sigma=0.3)
    drop({"kept.json": settings_file.write(kept, None).encode()})
    assert player.until_data("My own points").settings == kept
    player.agrees()
    player.press("z").until_data("My own file")
    player.page.wait_for_url("**data=file**")
    assert (
        player.reload().js("s.run.header.names.data") == "My own file"
    )  # this server still has it
    assert player.press("z").until_data("Moons").settings == first


def test_what_cannot_be_opened_is_explained_in_a_sentence_and_nothing_is_lost_or_fetched(
    player, drop
):
    asked = []
    player.open("/?v=1&t=20").page.on("request", lambda request: asked.append(request.url))
    before = player.numbers()
    for name, (content, part) in WRONG.items():
        drop({name: content})
        notice = player.page.locator(".notices p span", has_text=part)
        notice.wait_for()
        words = notice.inner_text().strip()
        assert words.endswith("."), words
        assert len(words.splitlines()) == 1, words
        assert player.settle().numbers() == before
    drop({"name.csv": b'a,"![x](http://127.0.0.1/x.png)",kind\n1,2,a\n2,1,b\n3,,a\n'})
    notice = player.page.locator(".notices p span", has_text="no value in")
    notice.wait_for()
    words = notice.inner_text().replace("\u2060", "")  # which keeps it from being a link
    assert "'![x](http://127.0.0.1/x.png)'" in words
    assert player.page.locator(".notices img, .notices a").count() == 0
    assert not [url for url in asked if url.endswith("x.png")]


def test_what_is_said_of_a_table_goes_with_it_and_comes_back_by_redo(player, drop):
    player.open("/?v=1&data=moons")
    drop({"empty.csv": b""})
    player.page.locator(".notices p", has_text="empty.csv").wait_for()
    drop({"gap.csv": b"u,v,kind\n1,2,a\n2,1,b\n3,,a\n4,4,c\n"})
    left_out = player.page.locator(".notices p", has_text="line 4 has no value in 'v'")
    others = player.page.locator(".notices p", has_text="Rows of other classes")
    left_out.wait_for()
    assert (
        player.notices.count() == 2
    )  # the file that could not be opened was a matter of the data before
    left_out.get_by_role("button", name="Close").click()
    player.press("z").until_data("Moons")
    assert player.notices.count() == 0
    player.press("Shift+Z").until_data("My own file")
    others.wait_for()
    assert player.notices.count() == 1  # one that was closed stays closed
    player.press("d").until_data("XOR")
    assert player.press("w").until("s.present.on").notices.count() == 0


US = (
    "state\tactive\treserve\tgrew\nOhio\t12,345\t1,247\tyes\nIowa\t950\t310\tno\n"
    "Texas\t31,299\t2,106\tyes\nUtah\t4,100\t870\tno\n"
)


def test_a_number_that_may_be_read_in_two_ways_has_a_button_for_the_other_and_z_takes_it_back(
    player, drop
):
    player.open("/?v=1&data=moons")
    drop({"us.tsv": US.encode()})
    player.until_data("My own file")
    notice = player.page.locator(".notices p", has_text="12,345 is read as 12345.")
    other = player.page.locator(".notices p", has_text="12,345 is read as 12.345.")
    notice.get_by_role("button", name="Read it as 12.345").click()
    other.wait_for()
    assert "decimals=comma" in player.settle().query
    player.press("z")
    notice.wait_for()
    assert "decimals" not in player.settle().query
    button = notice.get_by_role("button", name="Read it as 12.345")
    button.focus()
    player.page.keyboard.press("Enter")
    other.wait_for()
    assert player.page.evaluate(
        "document.activeElement !== document.body"
    )  # the button that takes its place
    player.page.keyboard.press("Enter")
    notice.wait_for()
    assert "decimals=point" in player.settle().query
    assert player.counts()["undo"] == 3


def edge(element):
    """The lower edge of an element."""
    box = element.bounding_box()
    return box["y"] + box["height"]


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080), (390, 844), (844, 390)], ids=str)
def test_what_is_wrong_with_a_file_stands_under_the_name_of_its_part_and_no_shade_lies_on_it(
    player, size
):
    player.page.set_viewport_size({"width": size[0], "height": size[1]})
    player.open("/?v=1").show("data")
    dock = player.page.locator(".dock")
    name = dock.locator("summary", has_text="My own file or table")
    name.click()
    table = {"name": "notes.csv", "mimeType": "text/csv", "buffer": b"no table"}
    dock.locator("input[type=file]").set_input_files(table)
    wrong = dock.locator("[data-brings=open] .wrong")
    wrong.wait_for()
    player.rest()
    fields = name.locator("xpath=ancestor::*[contains(@class, 'fields')][last()]")
    above = name.bounding_box()["y"] - fields.bounding_box()["y"]
    assert 12 <= above <= 26
    shade = fields.evaluate("(e) => parseFloat(getComputedStyle(e.parentNode, '::after').height)")
    assert edge(wrong) <= edge(fields) - shade + 1


def test_another_encoding_can_be_chosen_and_names_follow(player, drop):
    words = "身長,体重,区分\n170,65,成人\n158,50,成人\n120,25,小人\n115,22,小人\n"
    player.open("/?v=1&data=moons")
    drop({"people.csv": words.encode("cp932")})
    player.until_data("My own file")
    names = "s.run.header.names.classes.join()"
    player.page.locator(".notices p", has_text="Read as Shift-JIS.").wait_for()
    assert player.js(names) == "小人,成人"
    choices = player.page.get_by_label("Another encoding")
    choices.select_option("Mac Roman")
    player.page.locator(".notices p", has_text="Read as Mac Roman.").wait_for()
    assert player.settle().js(names) != "小人,成人"
    player.press("z").until(f"{names} === arg", "小人,成人")
    assert "encoding" not in player.settle().query


def test_ten_thousand_rows_are_one_step_and_back_returns_to_the_data_before(player, drop):
    rows = "".join(f"{k / 7:.5f},{k % 13},{'ab'[k % 2]}\n" for k in range(10_000))
    player.open("/?v=1&data=moons&t=9")
    drop({"large.csv": f"x,y,kind\n{rows}".encode()})
    player.until_data("My own file")
    player.page.wait_for_url("**data=file**")
    assert player.counts() == {"undo": 1, "redo": 0}
    player.press("g").settle()
    player.page.go_back()
    player.until("s.run.n === 1000 && !s.session.busy")
    player.page.go_back()
    player.until_data("Moons")
    assert "data=moons" in player.page.url


def test_what_the_board_cannot_take_is_refused_by_it_and_what_is_beside_it_does_nothing(
    player, drop
):
    player.open("/?v=1&t=20").sent.clear()
    for files, words in (
        ({"folder": None}, "drop a file, not a folder."),
        ({"a.csv": TABLE.encode(), "b.csv": TABLE.encode()}, "Drop one file at a time"),
        ({"large.csv": b"1,2,a\n" * 3_100_000}, "too large: at most 18 MB"),
    ):
        drop(files)
        player.until(
            "!s.controls.statusLine.hidden && s.controls.statusLine.textContent.includes(arg)",
            words,
        )
    assert drop({}, items=[{"mimeType": "text/plain", "data": TABLE}]) is False
    assert drop({"beside.csv": TABLE.encode()}, place=(1300, 24)) is False
    prevented = """(kind) => ["a file", "text"].map((what) => {
      const dataTransfer = new DataTransfer();
      if (what === "text") dataTransfer.setData("text/plain", what);
      else dataTransfer.items.add(new File([what], "beside.csv"));
      return !document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
    })"""
    for kind in ("dragover", "drop"):  # the browser does not leave the page for a file
        assert player.page.evaluate(prevented, kind) == [True, False]
    assert player.press("ArrowRight").rest().t == 21
    assert player.sent == []


def test_a_point_is_added_by_the_keyboard_alone(player):
    player.open("/?v=1&n=20&t=3")
    player.settings_button.focus()
    player.page.keyboard.press("Enter")
    field = player.page.get_by_label("Add a point: across, then up")
    field.focus()
    player.page.keyboard.type("0.5 −1.2 7")
    player.page.keyboard.press("Enter")
    alert = player.page.get_by_role("alert").get_by_text("write two numbers")
    alert.wait_for()
    assert field.input_value() == "0.5 −1.2 7"
    assert player.js("s.run.n") == 20
    field.fill("0.5, −1.2")
    player.page.get_by_label("Class", exact=True).press("ArrowDown")
    field.press("Enter")
    player.until("s.run.n === 21")
    assert player.js("[...s.run.X.slice(40)].map((value) => value.toFixed(3))") == [
        "0.500",
        "-1.200",
    ]
    assert player.js("s.run.y[20]") == -1
    assert player.t == 3
    assert field.input_value() == ""


# ---- dialogs -------------------------------------------------------------------------------------


def by_dock(player):
    player.show("data")
    player.page.locator(".dock").get_by_role("button", name="Edit the numbers").click()


@pytest.mark.in_app
def test_a_dialog_has_the_keys_until_it_is_closed_gives_the_focus_back_and_lies_above_the_stage(
    player,
):
    player.open("/?v=1&t=9").press("v")
    player.until("document.fullscreenElement !== null")
    query = player.query
    player.edit().page.locator(".kpviz .tools [data-edit=table]").click()
    dialog(player).get_by_text("The examples", exact=True).wait_for()
    assert player.page.evaluate("document.fullscreenElement") is None  # where it could not be seen
    player.until("document.activeElement.closest('[role=dialog]')")
    player.press("ArrowRight", " ", "z", "k", "x", "Delete").rest()
    assert (player.t, player.query, player.playing) == (9, query, False)
    close(player)
    player.press("Shift+E").until("!s.standing.edit.on")
    player.reload().page.locator(
        ".topbar .does .opens"
    ).focus()  # after the pointer was used no focus is seen
    player.press("Enter", "ArrowDown", "ArrowDown", "Enter")
    dialog(player).get_by_text("Image or video", exact=True).wait_for()
    player.page.wait_for_selector("[data-test-script-state=notRunning]")
    player.press("Escape").until("r.getRootNode().activeElement?.classList.contains('opens')")
    assert player.press("ArrowRight").rest().t == 10
    player.present()
    for key, title in (("i", "Image or video"), ("Shift+U", "Cues of a lecture")):
        player.press(key)
        heading = dialog(player).get_by_role("heading").filter(has_text=title)
        heading.wait_for()
        box = heading.bounding_box()
        at = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
        assert player.page.evaluate(f"([x, y]) => ({TOPMOST})(x, y)", at), key
        player.page.keyboard.press("Escape")
        dialog(player).wait_for(state="detached")
        assert (player.presents, player.t) == (True, 10), key


# ---- the table -----------------------------------------------------------------------------------


def table(player):
    """Open the table; returns a function that clicks a cell of it, rows counted from 1."""
    by_dock(player)
    grid = dialog(player).locator(".dvn-scroller")
    grid.wait_for()
    player.page.locator("[data-testid=glide-cell-2-0]").wait_for(state="attached")
    return lambda row, column: grid.click(
        position={"x": COLUMNS[column], "y": HEADER + ROW * (row - 0.5)}
    )


def use(player):
    dialog(player).get_by_role("button", name="Use these numbers").click()


def shown(player, row, column):
    """What the table shows in a cell, columns counted from 1."""
    return player.page.locator(f"[data-testid=glide-cell-{column + 1}-{row - 1}]")


def write(player, text):
    editor = player.page.locator(".gdg-input")
    player.page.keyboard.press(text[0])
    editor.wait_for()
    player.page.keyboard.type(text[1:], delay=PAUSE)
    player.press("Enter")
    editor.wait_for(state="detached")


@pytest.mark.in_app
def test_numbers_are_written_into_the_table_which_stays_until_its_gaps_are_filled(player):
    player.open("/?v=1&n=8&t=3")
    before = player.numbers()
    click = table(player)
    click(3, "v")
    player.press("Delete")
    shown(player, 3, 2).filter(has_not_text=re.compile(r"\d")).wait_for(state="attached")
    use(player)
    dialog(player).locator(
        "[data-testid=stAlert]", has_text="Row 2 has no number for feature 2"
    ).wait_for()
    player.page.wait_for_selector(
        "[data-test-script-state=notRunning]"
    )  # or the table comes anew while one writes
    assert player.query == before[0]
    click(3, "v")
    write(player, "0.5")
    shown(player, 3, 2).get_by_text("0.5").wait_for(state="attached")
    use(player)
    dialog(player).wait_for(state="detached")
    X = experiment.run(Settings.of(n=8)).X.copy()
    X[2, 1] = 0.5
    np.testing.assert_allclose(player.until_data("My own points").drawn.X, X, atol=0.001)
    assert player.t == 3
    player.agrees()
    assert player.press("Escape", "z").until_data("XOR").numbers() == before


def ground(player, selector):
    """The colour of the ground of a dialog, left of what stands in it."""
    box = player.page.locator(selector).bounding_box()
    clip = {"x": box["x"] + 6, "y": box["y"] + box["height"] / 2, "width": 1, "height": 1}
    shown = player.page.screenshot(clip=clip, style="html:root { opacity: 1 !important; }")
    return np.array(Image.open(BytesIO(shown)).convert("RGB"), int)[0, 0]


@pytest.mark.in_app
def test_all_dialogs_have_one_ground_in_the_dark_which_is_lighter_than_that_of_the_page(player):
    player.wear(color_scheme="dark").open("/?v=1&t=9").press("a").rest()
    own = ground(player, ".dialog.export")
    player.press("Escape", "i")
    dialog(player).get_by_role("button", name="Download PDF").wait_for()
    assert np.abs(ground(player, "[data-testid=stDialog] [role=dialog]") - own).max() <= 2
    close(player)
    paper = player.js("s.player.palette.paper").removeprefix("#")
    assert (own > [int(paper[k : k + 2], 16) for k in (0, 2, 4)]).all()


# ---- pictures and films --------------------------------------------------------------------------


def saved(player, name):
    """The name and content of what a button saves."""
    with player.page.expect_download() as download:
        dialog(player).get_by_role("button", name=name, exact=not name.startswith("Save")).click()
    return download.value.suggested_filename, download.value.path().read_bytes()


@pytest.mark.in_app
def test_the_instant_is_offered_as_a_picture_and_the_run_as_a_film_that_can_be_cancelled(player):
    player.open("/?v=1&n=20&t=12&held=0.2&cues=start%20hold%200.2%7Cend%20hold%200.2").share(
        "picture"
    )
    dialog(player).get_by_role("button", name="Download PDF").wait_for()
    dialog(player).locator("img").wait_for()
    name, content = saved(player, "Download PNG")
    assert (name, content[:4]) == ("kpviz-xor-gaussian-step-12.png", b"\x89PNG")
    page = player.page
    page.get_by_role("radio", name="Film").click()
    make, cancel = (page.get_by_role("button", name=name) for name in ("Make the film", "Cancel"))
    make.click()
    cancel.wait_for()
    page.get_by_text("frames, about").wait_for()
    cancel.click()
    cancel.wait_for(state="detached")
    make.and_(page.locator(":enabled")).wait_for()
    assert page.get_by_text("The film is done.").count() == 0
    close(player).press("g").until_set("sigma")
    assert dialog(player).count() == 0


@pytest.mark.in_app
def test_in_a_low_window_no_choice_about_a_picture_is_cut_and_its_files_are_in_view(player):
    player.page.set_viewport_size({"width": 844, "height": 390})
    player.open("/?v=1&t=12").share("picture")
    choice = dialog(player).get_by_text("Transparent background")
    choice.wait_for()
    assert choice.evaluate(
        "(e) => { for (; e.dataset.testid !== 'stColumn'; e = e.parentNode)"
        " if (e.scrollWidth > e.clientWidth && getComputedStyle(e).overflow !== 'visible')"
        " return false; return true; }"
    )
    for kind in ("PNG", "SVG", "PDF"):
        button = dialog(player).get_by_role("button", name=f"Download {kind}")
        button.wait_for()
        place = button.bounding_box()
        assert place["y"] + place["height"] <= 390


def test_long_work_shows_its_progress_and_cancel_goes_back(player):
    """From a quick setting to one that trains for long: progress, Cancel, and the quick one is
    there again.
    """
    quick = Settings.of(
        n=1000, flipped=0.5, kernel="linear", epochs=1, order="shuffled", predictor="voted"
    )
    player.open(f"/?{quick.query()}&t=10")
    player.js("(window.kept = s, 0)")
    player.show("learner")
    slider = player.page.locator(".dock [data-field='slider epochs'] input[type=range]")
    slider.focus()
    player.press("End")
    working = player.page.locator(".working")
    working.get_by_role("button", name="Cancel").wait_for()
    working.get_by_text("steps, about").wait_for()
    working.get_by_role("button", name="Cancel").click()
    working.wait_for(state="hidden")
    player.until_query(quick.query())
    assert player.js("window.kept === s && r.isConnected")
    assert player.t == 10
    player.press("PageDown")
    assert player.t == int(experiment.run(quick).mistake[10:].argmax()) + 11
    assert player.page.url.partition("?")[2].startswith(quick.query())
