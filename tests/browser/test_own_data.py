"""One's own data in the browser: dropped on the board, written into the table, taken home; and the dialogs for it."""

import io
import re
from contextlib import redirect_stdout
from itertools import cycle

import numpy as np
import pytest

from kpviz import experiment
from kpviz.engine.data.drawn import Drawn
from kpviz.export import record, settings_file
from kpviz.settings import DRAWN, Settings

TABLE = "u,v,kind\n" + "".join(f"{7 * i % 31},{i * i % 23},{'ab'[i % 2]}\n" for i in range(30))
ROW, HEADER = 35, 36  # px, of the table's grid
COLUMNS = {"u": 300, "v": 600, "class": 900}  # px, a place in each
PAUSE = 60  # ms between two keys of a hand


def dialog(player):
    return player.page.locator("[data-testid=stDialog]")


def text_of(settings):
    return settings_file.write(settings, None)


def status(player):
    return player.page.locator(".kpviz .status").inner_text()


# ---- dialogs ----------------------------------------------------------------------------------------


def by_key(player):
    player.press("a")


def by_button(player):
    player.button("home").click()


def by_tools(player):
    player.edit()
    player.page.locator(".kpviz .tools [data-edit=table]").click()


def by_dock(player):
    player.page.locator(".chip[data-group=data]").click()
    player.page.locator(".dock").get_by_role("button", name="Edit the numbers").click()


WAYS = {by_key: "Take it home", by_button: "Take it home", by_tools: "The examples", by_dock: "The examples"}


@pytest.mark.in_app
def test_a_dialog_has_the_keys_until_it_is_closed(player):
    player.open("/?v=1&t=9")
    query = player.query
    for (begin, title), close in zip(WAYS.items(), cycle(("Escape", "×"))):
        begin(player)
        box = dialog(player)
        box.get_by_text(title, exact=True).wait_for()
        player.press("ArrowRight", " ", "z", "k", "x", "Delete").rest()
        assert (player.t, player.query, player.js("s.clock.playing")) == (9, query, False)
        if close == "Escape":
            player.press("Escape")
        else:
            box.get_by_role("button", name="Close").click()
        box.wait_for(state="detached")
        if player.js("s.editing.on"):
            player.press("Shift+E").until("!s.editing.on")
    player.press("ArrowRight").rest()
    assert player.t == 10


@pytest.mark.in_app
def test_a_dialog_leaves_full_screen_where_it_could_not_be_seen(player):
    player.open().press("v")
    player.page.wait_for_function("document.fullscreenElement !== null")
    player.press("a")
    dialog(player).get_by_text("Take it home").wait_for()
    assert player.page.evaluate("document.fullscreenElement") is None
    dialog(player).get_by_role("button", name="Close").click()
    dialog(player).wait_for(state="detached")


# ---- files dropped ----------------------------------------------------------------------------------


@pytest.fixture
def drop(player, tmp_path):
    """Return a function that drops files of these names and contents, None being a folder, as a hand does."""
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
            session.send("Input.dispatchDragEvent", {"type": kind, "x": place[0], "y": place[1], "data": data})
        marked = player.js("r.classList.contains('dropping')")
        session.send("Input.dispatchDragEvent", {"type": "drop", "x": place[0], "y": place[1], "data": data})
        assert not player.js("r.classList.contains('dropping')")
        return marked

    yield let_go
    session.detach()


def test_a_table_and_settings_that_are_dropped_open_and_are_undone(player, drop):
    player.open("/?v=1&data=moons&t=20")
    first = player.settings
    assert drop({"mine.csv": TABLE.encode()}) is True  # the board shows that it takes it
    player.until("s.run.header.names.data === 'My own file'").settle()
    assert player.js("[s.run.n, s.t]") == [30, 0]
    points = Drawn.of(np.array([[0.0, 0.5], [1.0, 0.0], [-1.0, 0.25]]), np.array([1.0, -1.0, 1.0]))
    kept = Settings.of(data=DRAWN, points=points.code, sigma=0.3)
    drop({"kept.json": text_of(kept).encode()})
    player.until("s.run.header.names.data === 'My own points'").settle()
    assert player.settings == kept
    player.agrees()
    player.press("z").until("s.run.header.names.data === 'My own file'").settle()
    player.press("z").until("s.run.header.names.data === 'Moons'").settle()
    assert player.settings == first


def test_what_the_board_cannot_take_is_refused_by_it(player, drop):
    player.open("/?v=1&t=20")
    player.sent.clear()
    for files, words in (
        ({"folder": None}, "drop a file, not a folder."),
        ({"a.csv": TABLE.encode(), "b.csv": TABLE.encode()}, "Drop one file at a time"),
        ({"large.csv": b"1,2,a\n" * 3_100_000}, "too large: at most 18 MB"),
    ):
        drop(files)
        player.until("!s.controls.statusLine.hidden && s.controls.statusLine.textContent.includes(arg)", words)
        assert words in status(player)
        assert (player.t, player.sent) == (20, [])


def test_what_cannot_be_opened_is_explained_and_nothing_is_lost(player, drop):
    player.open("/?v=1&t=20")
    before = player.numbers()
    for name, content, words in (
        ("none.csv", b"", "is empty"),
        ("package.json", b'{"name": "something"}', "holds no settings of kpviz"),
        ("picture.csv", b"\x00\x01\x02\xff" * 100, "not text"),
    ):
        drop({name: content})
        player.page.locator(".notices p", has_text=words).first.wait_for()
        player.settle()
        assert player.numbers() == before


def test_an_image_for_a_name_is_shown_as_it_is_written_and_not_fetched(player, drop):
    player.open("/?v=1&t=20")
    name, asked = "![x](http://127.0.0.1/x.png)", []
    player.page.on("request", lambda request: asked.append(request.url))
    drop({"mine.csv": f'a,"{name}",kind\n1,2,a\n2,1,b\n3,,a\n'.encode()})
    toast = player.page.locator(".notices p")
    toast.wait_for()
    player.settle()
    assert f"no value in '{name}'" in toast.inner_text().replace("\u2060", "")  # which keeps it from being a link
    assert toast.locator("img, a").count() == 0
    assert not [url for url in asked if "127.0.0.1" in url]


def test_text_and_what_is_dropped_beside_the_board_do_nothing(player, drop):
    player.open("/?v=1&t=20")
    player.sent.clear()
    assert drop({}, items=[{"mimeType": "text/plain", "data": TABLE}]) is False
    assert drop({"beside.csv": TABLE.encode()}, place=(1300, 24)) is False
    player.press("ArrowRight").rest()
    assert (player.t, player.sent) == (21, [])


def test_the_browser_does_not_leave_the_page_for_a_file_dropped_beside_the_board(player):
    player.open()
    prevented = """(kind) => ["a file", "text"].map((what) => {
      const dataTransfer = new DataTransfer();
      if (what === "text") dataTransfer.setData("text/plain", what);
      else dataTransfer.items.add(new File([what], "beside.csv"));
      return !document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
    })"""
    for kind in ("dragover", "drop"):
        assert player.page.evaluate(prevented, kind) == [True, False]


# ---- the table --------------------------------------------------------------------------------------


def table(player):
    """Open the table; returns a function that clicks a cell of it, rows counted from 1."""
    by_dock(player)
    grid = dialog(player).locator(".dvn-scroller")
    grid.wait_for()
    player.page.locator("[data-testid=glide-cell-2-0]").wait_for(state="attached")
    return lambda row, column: grid.click(position={"x": COLUMNS[column], "y": HEADER + ROW * (row - 0.5)})


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
def test_a_number_that_is_written_moves_its_point_and_is_undone(player):
    player.open("/?v=1&n=8&t=3")
    before = player.numbers()
    click = table(player)
    click(2, "u")
    write(player, "0.625")
    shown(player, 2, 1).get_by_text("0.625").wait_for(state="attached")
    use(player)
    dialog(player).wait_for(state="detached")
    player.until("s.run.header.names.data === 'My own points'").settle()
    X = experiment.run(Settings.of(n=8)).X.copy()
    X[1, 0] = 0.625
    np.testing.assert_allclose(player.drawn.X, X, atol=0.001)
    assert player.t == 3
    player.agrees()
    player.press("z").until("s.run.header.names.data === 'XOR'").settle()
    assert player.numbers() == before


@pytest.mark.in_app
def test_rows_are_pasted_from_a_spreadsheet(player):
    player.open("/?v=1&n=8")
    click = table(player)
    player.page.evaluate("navigator.clipboard.writeText('0.5\\t0.25\\t+1\\n-0.5\\t0\\t−1\\n0.75\\t-1\\t+1')")
    click(8, "u")
    player.press("Control+v")
    shown(player, 10, 1).get_by_text("0.75").wait_for(state="attached")
    use(player)
    player.until("s.run.header.names.data === 'My own points'").settle()
    assert player.drawn.X[-3:].tolist() == [[0.5, 0.25], [-0.5, 0.0], [0.75, -1.0]]
    assert player.drawn.y[-3:].tolist() == [1.0, -1.0, 1.0]
    assert player.drawn.n == 10


@pytest.mark.in_app
def test_a_table_with_a_gap_stays_as_it_is_until_the_gap_is_filled(player):
    player.open("/?v=1&n=8&t=3")
    before = player.query
    click = table(player)
    click(3, "v")
    player.press("Delete")
    shown(player, 3, 2).filter(has_not_text=re.compile(r"\d")).wait_for(state="attached")
    use(player)
    error = dialog(player).locator("[data-testid=stAlert]", has_text="Row 2 has no number for x₂")
    error.wait_for()
    player.page.wait_for_selector("[data-test-script-state=notRunning]")  # or the table comes anew while one writes
    assert player.query == before
    click(3, "v")
    write(player, "0.5")
    shown(player, 3, 2).get_by_text("0.5").wait_for(state="attached")
    use(player)
    player.until("s.run.header.names.data === 'My own points'").settle()
    assert player.drawn.X[2, 1] == 0.5


# ---- taken home -------------------------------------------------------------------------------------


def saved(player, name):
    """The name and content of what a button saves."""
    with player.page.expect_download() as download:
        dialog(player).get_by_role("button", name=name, exact=True).click()
    return download.value.suggested_filename, download.value.path().read_text(encoding="utf-8")


@pytest.mark.in_app
def test_what_is_saved_is_the_run_on_the_screen(player):
    player.open("/?v=1&data=moons&kernel=laplacian&t=7&show=alpha.code").press("a")
    settings = player.settings
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    name, script = saved(player, "Download")
    assert name == "kpviz-moons-laplacian.numpy.py"
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(script, name, "exec"), {"__name__": "__main__"})
    counts = re.findall(r"^epoch \d+: (\d+)", printed.getvalue(), re.MULTILINE)
    assert list(map(int, counts)) == run.mistakes_per_epoch.tolist()
    tabs = dialog(player).get_by_role("tab")
    tabs.filter(has_text="Tables").click()
    assert saved(player, "Run as CSV") == ("kpviz-moons-laplacian.run.csv", record.to_csv(run))
    assert saved(player, "Settings as JSON") == ("kpviz-moons-laplacian.settings.json", text_of(settings))
    assert saved(player, "Examples as CSV")[1] == record.data_csv(split)
    tabs.filter(has_text="Link").click()
    player.page.wait_for_url("**show=**")
    assert dialog(player).locator("[data-testid=stCode]:visible").inner_text().strip() == player.page.url
    player.press("Escape")
    dialog(player).wait_for(state="detached")


# ---- points that are typed ------------------------------------------------------------------------------------------


def test_a_point_is_added_by_the_keyboard_alone(player):
    player.open("/?v=1&n=20&t=3")
    player.page.locator(".chip[data-group=data]").focus()
    player.page.keyboard.press("Enter")
    field = player.page.get_by_label("Add a point: x₁, x₂")
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
    assert player.js("[...s.run.X.slice(40)].map((value) => value.toFixed(3))") == ["0.500", "-1.200"]
    assert player.js("s.run.y[20]") == -1
    assert player.t == 3
    assert field.input_value() == ""
