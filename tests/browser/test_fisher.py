"""Fisher's page in a real browser: F is turned by hand, and every number shown is the engine's."""

import itertools

import numpy as np
import pytest
from driver import Player
from numpy.testing import assert_allclose

from kpviz.engine.fisher import data, discriminant
from kpviz.lessons.explain import number
from kpviz.player import fisher as page
from kpviz.player import payload
from kpviz.settings.fisher_link import read_link

SIZES = [(1366, 768), (1366, 640), (1920, 1080), (1024, 768)]
LINKS = [
    "v=1",
    "v=1&angle=best",
    "v=1&data=iris&angle=10&threshold=0.3",
    "v=1&data=wine",
]


class Board(Player):
    """What the tests do with Fisher's board."""

    def open(self, query="v=1"):
        return super().open(f"/fisher?{query}")

    @property
    def angle(self):
        return self.js("s.reading.angle")

    @property
    def sentence(self):
        return self.js("s.controls.live.textContent")

    def mean(self):
        """Where the mean of all points is on the canvas."""
        return self.js("[s.view.x(s.header.mean[0]), s.view.y(s.header.mean[1])]")

    def arrow(self):
        """Where the arrow ends on the canvas."""
        x, y = self.mean()
        return self.js(
            "[arg[0] + 0.4 * s.view.rect.w * s.reading.F[0], arg[1] - 0.4 * s.view.rect.w * s.reading.F[1]]", [x, y]
        )

    def drag(self, start, *places):
        """Press at a place of the canvas, and move to others; the button stays down."""
        self.page.mouse.move(*self.at(*start))
        self.page.mouse.down()
        for place in places:
            self.page.mouse.move(*self.at(*place), steps=4)
        return self.until("!s.frame")

    def drop(self):
        self.page.mouse.up()
        return self.rest()

    def engine(self):
        """The engine's numbers for the data and the direction that are shown."""
        settings, _, _ = read_link(dict(part.split("=") for part in self.js("s.header.query").split("&")))
        plane = data.see(
            data.load(settings.data, settings.n, settings.noise, settings.seed)
            if not settings.applies("x")
            else data.load(
                settings.data, settings.n, settings.noise, settings.seed, features=(settings.x, settings.y),
                classes=tuple(map(int, settings.pair)) if settings.data == "iris" else None,
            )
        )  # fmt: skip
        return plane, discriminant.turn(plane.Z, plane.examples.labels, [self.angle])

    def agree(self):
        """Everything that is shown equals the engine's numbers."""
        plane, table = self.engine()
        reading = self.js(
            "({ J: s.reading.J, means: s.reading.means, thresholds: s.reading.thresholds, wrong: s.reading.wrong })"
        )
        assert_allclose(reading["J"], table.J[0], rtol=1e-9)
        assert_allclose(reading["means"], table.means[0], atol=1e-9)
        assert reading["wrong"] == table.wrong[0].tolist()
        assert self.marks("spectrum", name="J")[0]["text"] == number(float(table.J[0]))
        assert len(self.marks("map", name="wrong")) == table.wrong[0].sum()
        if self.js("s.moved") is None:
            assert_allclose(reading["thresholds"], table.thresholds[0], atol=1e-9)
        for name, count in enumerate(table.wrong[0]):
            bars = [mark for mark in self.marks("lanes") if mark.get("class") == name]
            assert sum(mark.get("wrong", 0) for mark in bars) == count
            right = (plane.examples.labels == name).sum() - count
            assert sum(mark.get("right", 0) for mark in bars) == right
        F = np.array([np.cos(np.radians(self.angle)), np.sin(np.radians(self.angle))])
        feet = {mark["i"]: (mark["x"], mark["y"]) for mark in self.marks("map", name="foot")}
        x, y = self.mean()
        scale = self.js("s.view.scale")
        along = (plane.Z - plane.Z.mean(axis=0)) @ F * scale
        for i, far in enumerate(along):
            assert_allclose(feet[i], (x + far * F[0], y - far * F[1]), atol=1e-6)
        return table


@pytest.fixture(scope="module")
def bare_board(bare_context, bare_server):
    board = Board(bare_context.new_page(), bare_server)
    yield board
    board.page.close()


@pytest.fixture(scope="module")
def app_board(app_context, server):
    board = Board(app_context.new_page(), server)
    yield board
    board.page.close()


@pytest.fixture
def board(request):
    """A tab whose console must stay without errors of ours."""
    in_app = request.node.get_closest_marker("in_app") is not None
    board = request.getfixturevalue("app_board" if in_app else "bare_board")
    board.forget()
    yield board.wear()
    assert board.errors == []


# ---- turning --------------------------------------------------------------------------------------


def test_the_first_screen_shows_the_obvious_guess_and_says_so(board):
    table = board.open().agree()
    assert "obvious guess" in board.sentence
    assert number(float(table.J[0])) in board.sentence
    assert f"{table.wrong.sum()} of 80" in board.sentence


def test_dragging_the_arrow_turns_f_and_all_numbers_follow(board):
    board.open()
    x, y = board.mean()
    board.drag(board.arrow(), (x + 120, y - 120))
    assert board.angle == 45.0
    board.agree()
    board.drag((x + 120, y - 120), (x - 90, y - 3), (x - 90, y + 90))
    assert board.angle == 225.0
    board.drop().agree()
    board.page.wait_for_url("**/fisher?v=1&angle=225")
    assert board.sentence.startswith("F at 225°")


def test_keys_turn_f_by_one_and_by_ten_degrees(board):
    board.open("v=1&angle=100")
    for keys, angle in [
        (["ArrowRight"], 101.0),
        (["ArrowLeft", "ArrowLeft"], 99.0),
        (["Shift+ArrowRight"], 109.0),
        (["PageDown", "PageDown", "PageUp"], 119.0),
        (["Shift+ArrowLeft"] * 12, 359.0),
        (["ArrowRight"] * 2, 1.0),
    ]:
        board.press(*keys).rest()
        assert board.angle == angle
    board.agree()


def test_the_best_direction_is_reached_by_key_and_by_button_and_is_exact(board):
    board.open().press("End").rest()
    plane, _ = board.engine()
    assert_allclose(board.js("s.reading.J"), plane.criterion[0], rtol=1e-12)
    board.agree()
    assert board.sentence.startswith("The best direction")
    board.page.wait_for_url("**/fisher?v=1&angle=best")
    board.press("Home").rest()
    board.page.wait_for_url("**/fisher?v=1")
    board.button("best").click()
    board.until("s.place.row === 360").rest()
    assert board.button("best").is_disabled()


def test_the_strip_is_js_curve_and_dragging_in_it_turns_f(board):
    board.open()
    rect = board.js("s.layout.panels.strip")
    (curve,) = board.marks("strip", name="curve")
    heights = np.array(curve["points"][1::2])
    J = board.js("[...s.table.J.subarray(0, 360)]")
    assert np.corrcoef(heights[:360], J)[0, 1] < -0.999999
    board.drag((rect["x"] + 60, rect["y"] + 30), (rect["x"] + rect["w"] / 2, rect["y"] + 30))
    assert abs(board.angle - 90.0) < 3.0
    board.drop().agree()


def test_f_turns_by_itself_until_it_is_stopped(board):
    board.open().press(" ").until("s.clock.playing && s.reading.angle > 6")
    board.press(" ").rest()
    angle = board.angle
    board.page.wait_for_timeout(200)
    assert board.angle == angle
    board.agree()


# ---- the threshold --------------------------------------------------------------------------------


def test_a_moved_threshold_is_counted_where_it_is_and_put_back(board):
    board.open()
    lanes = board.js("({ ...s.lanes(), ...s.layout.panels.lanes, cut: s.lanes().x(s.reading.thresholds[0]) })")
    middle = (lanes["top"] + lanes["bottom"]) / 2
    board.drag((lanes["cut"], middle), (lanes["cut"] + 90, middle)).drop()
    plane, table = board.engine()
    cut = board.js("s.moved")
    assert cut > table.thresholds[0, 0]
    F = np.array([np.cos(np.radians(board.angle)), np.sin(np.radians(board.angle))])
    beyond = cut < plane.Z @ F
    labels = plane.examples.labels
    expected = [int((beyond & (labels == 0)).sum()), int((~beyond & (labels == 1)).sum())]
    assert board.js("s.reading.wrong") == expected
    assert board.sentence.startswith("Threshold moved to")
    board.page.wait_for_url(f"**/fisher?v=1&threshold={cut:g}")
    board.press("t").rest().agree()
    board.press("ArrowUp", "ArrowUp").rest()
    assert board.js("s.moved") is not None
    board.press("ArrowRight").rest().agree()  # turning F puts it back


# ---- links and pages ------------------------------------------------------------------------------


@pytest.mark.parametrize("link", LINKS)
def test_a_reload_comes_back_to_the_same_picture(board, link):
    board.open(link)
    picture = board.picture()
    board.reload()
    assert board.page.url.endswith(f"?{link}")
    assert board.picture() == picture
    if "threshold" not in link:
        board.agree()


def test_nonsense_in_a_link_opens_with_one_notice(board):
    board.open("v=9&data=%3Cb%3E&angle=up&threshold=nan&n=1e9")
    assert board.page.locator(".notices p").count() == 1
    board.page.wait_for_url("**/fisher?v=1&n=400")
    board.agree()


def test_the_notice_lies_under_the_board_and_the_buttons_until_it_is_closed(board):
    board.open()
    bottom = "r.querySelector('.bar').getBoundingClientRect().bottom"
    low = board.js(bottom)
    board.open("v=1&data=nope")
    notice = board.page.locator(".notices p")
    box = notice.bounding_box()
    assert board.js(bottom) <= box["y"] < box["y"] + box["height"] <= board.page.viewport_size["height"]
    notice.get_by_role("button", name="Close").click()
    board.until(f"{bottom} === arg", low)


def test_new_data_and_the_next_data_set_keep_a_special_direction_special(board):
    board.open().press("End").rest()
    board.press("n").until("s.header.query.includes('seed=1')").rest()
    assert board.js("s.place.row") == page.BEST
    board.agree()
    board.press("d").until("s.header.names.title === 'Blobs'").rest()
    board.press("z", "z").until("s.header.query === 'v=1'").rest()
    board.press("Shift+Z", "Shift+Z").until("s.header.names.title === 'Blobs'").rest()
    assert board.js("s.place.row") == page.BEST
    board.agree()


def test_the_settings_open_beside_the_map_which_stays(board):
    board.open()
    before = board.js("s.layout.panels.map")
    board.page.locator(".chip[data-group=data]").click()
    board.until("s.layout.dock").rest()
    assert board.js("s.layout.panels.map") == before
    board.page.locator(".dock .tiles label", has_text="Moons").click()
    board.until("s.header.query.includes('data=moons')").rest()
    board.page.wait_for_url("**/fisher?v=1&data=moons")
    board.agree()
    board.page.go_back()
    board.until("!s.header.query.includes('data')").rest()
    board.press("Escape").until("!s.layout.dock").rest()


@pytest.mark.in_app
def test_the_two_pages_lead_to_each_other_and_each_stays_as_it_was(board):
    board.open("v=1&data=moons&angle=33")
    board.page.get_by_role("link", name="Perceptron").click()
    board.page.wait_for_selector(".chip[data-group=kernel]")
    board.page.wait_for_url("**/?v=1")
    assert board.page.locator(".notices p").count() == 0
    board.page.get_by_role("link", name="Fisher").click()
    board.page.wait_for_url("**/fisher?v=1&data=moons&angle=33")
    board.ready()
    assert board.angle == 33.0
    assert board.page.locator(".notices p").count() == 0


# ---- how it looks ---------------------------------------------------------------------------------


@pytest.mark.in_app
def test_nothing_scrolls_and_every_panel_has_room(board):
    for link in ("v=1", "v=1&data=wine"):
        board.open(link)
        for width, height in SIZES:
            board.page.set_viewport_size({"width": width, "height": height})
            board.until("innerWidth === arg && s.board.width === r.clientWidth", width)
            board.until("Math.abs(r.getBoundingClientRect().bottom - innerHeight) < 15").rest()
            scrolls = board.page.evaluate(
                "[document.documentElement, document.querySelector('.stMain')].some("
                "(e) => e.scrollHeight > e.clientHeight || e.scrollWidth > e.clientWidth)"
            )
            assert not scrolls, (link, width, height)
            panels = board.js("Object.entries(s.layout.panels)")
            for name, rect in panels:
                assert rect["w"] > 40, (name, link, width, height)
                assert rect["h"] > 40, (name, link, width, height)
                assert rect["x"] + rect["w"] <= width, (name, link, width, height)
            assert board.page.evaluate("(m) => m.every((t) => t.size >= 6)", board.marks("words", kind="text"))


def test_a_narrow_window_stacks_the_panels(board):
    board.page.set_viewport_size({"width": 700, "height": 900})
    board.open("v=1&data=wine")
    rects = sorted(board.js("Object.values(s.layout.panels)"), key=lambda rect: rect["y"])
    assert all(a["y"] + a["h"] <= b["y"] for a, b in itertools.pairwise(rects))
    assert not board.page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_classes_differ_by_shape_and_colour_in_both_themes(board):
    for scheme in ("light", "dark"):
        board.wear(color_scheme=scheme).open("v=1&data=wine")
        assert board.js("s.palette.dark") == (scheme == "dark")
        assert board.js("new Set(s.colour.map).size === 3 && new Set(s.colour.page).size === 3")
        marks = [mark for mark in board.marks("map") if "i" in mark and "class" in mark]
        shapes = {k: {mark["kind"] for mark in marks if mark["class"] == k} for k in range(3)}
        assert shapes == {0: {"square"}, 1: {"circle"}, 2: {"line"}}


def test_every_entry_of_a_matrix_can_be_read(board):
    board.open("v=1&data=wine")
    place = board.marks("scatter", name="cell")[5]
    board.point(place["x"] + place["w"] / 2, place["y"] + place["h"] / 2)
    _, arrays = payload.unpack(page.encode(read_link({"data": "wine"})[0]))
    first, second = board.tip
    assert first == f"SW, within: {number(float(arrays['SW'][0, 5]))}"
    assert second == "alcohol with total phenols"


def test_pointing_at_a_point_says_where_it_is_projected(board):
    board.open()
    x, y = board.js("[s.view.x(s.table.X[0]), s.view.y(s.table.X[1])]")
    board.point(x, y)
    assert board.js("s.hot") == 0
    first, second = board.tip
    assert first.startswith("x₀")
    assert number(board.js("s.reading.values[0]")) in second
    assert len([mark for mark in board.marks("lanes") if mark.get("lit") == 0]) == 1


def test_by_the_keyboard_what_pointing_tells_is_said(board):
    focus = "r.getRootNode().activeElement"
    board.open("v=1&data=wine").button("back-1").focus()
    while board.js(f"{focus} !== s.canvas"):
        board.press("Shift+Tab")
    angle, sentence = board.angle, board.sentence
    board.press("ArrowRight", "ArrowRight").rest()
    assert (board.js("s.hot"), board.angle) == (1, angle)
    assert board.sentence == ": ".join(board.tip)
    assert board.tip[0].startswith("x₁")
    board.press("End").rest()
    assert board.tip[0].startswith("ST, total: ")
    board.press("ArrowRight", "Home").rest()
    assert board.tip[0].startswith("x₀")
    board.press("Escape").rest()
    assert (board.js(f"{focus} === r"), board.js("s.hot"), board.sentence) == (True, None, sentence)
    assert board.press("ArrowRight").rest().angle != angle
    x, y = board.mean()
    board.page.mouse.click(*board.at(x + 40, y))
    turned = board.rest().angle
    assert board.press("ArrowLeft").rest().angle == (turned - 1) % 360  # a click leaves the arrows to F


def test_the_handle_of_the_threshold_stands_below_what_is_said_of_it(board):
    for size in [(1280, 720), (1366, 768), (1920, 1080)]:
        board.wear(*size).open("v=1")
        (handle,) = board.marks("lanes", name="handle")
        (note,) = [mark for mark in board.marks("lanes", name="threshold") if mark["kind"] == "text"]
        assert handle["y"] - handle["r"] > note["y"] + 0.2 * note["size"]


@pytest.mark.parametrize("link", ["v=1", "v=1&data=wine", "v=1&data=iris"])
def test_no_bar_reaches_the_name_of_its_class(board, link):
    board.open(link)
    marks = board.marks("lanes")
    names = [mark for mark in marks if mark["kind"] == "text" and mark.get("weight") == 600][1:]
    for bar in (mark for mark in marks if "bin" in mark):
        assert bar["y"] >= max(name["y"] for name in names if name["y"] < bar["y"] + bar["h"])


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_help_is_no_higher_than_what_it_says(board, size):
    board.wear(*size).open("v=1")
    board.page.keyboard.press("?")
    box = board.page.locator(".menu.help")
    box.wait_for()
    low = box.locator("dd").evaluate_all("(all) => Math.max(...all.map((e) => e.getBoundingClientRect().bottom))")
    place = box.bounding_box()
    assert place["y"] >= 0
    assert low <= place["y"] + place["height"] <= low + 60
    board.page.keyboard.press("Escape")
