"""Fisher's page in a real browser: F is turned by hand, and every number shown is the engine's."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kpviz.lessons.explain import number
from kpviz.player import fisher as page

LINKS = [
    "v=1",
    "v=1&angle=best",
    "v=1&data=iris&angle=10&threshold=0.3",
    "v=1&data=wine",
]


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


@pytest.mark.parametrize("size", [(1366, 768), (400, 800)])
def test_what_is_said_while_no_server_answers_lies_under_the_board_and_the_buttons(board, size):
    board.wear(*size).open()
    bottom = "r.querySelector('.bar').getBoundingClientRect().bottom"
    low = board.js(bottom)
    board.js("(s.notices.patience = 0, s.notices.stand('No answer'))")
    notice = board.page.locator(".notices p")
    notice.wait_for()
    assert board.js(bottom) <= notice.bounding_box()["y"]
    board.js("s.notices.stand(null)")
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
    board.page.wait_for_selector(".chip[data-group=kernel]", state="detached")  # the other page is gone
    board.ready()
    assert board.angle == 33.0
    assert board.page.locator(".notices p").count() == 0
