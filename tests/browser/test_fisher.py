"""Fisher's page in a real browser: the player's stage, on which F is turned, and every number is
the engine's.
"""

import numpy as np
import pytest

from kpviz.lessons.explain import number

LINKS = ["v=1", "v=1&angle=best", "v=1&data=iris&angle=10&threshold=0.3", "v=1&data=wine"]


@pytest.mark.parametrize("link", LINKS)
def test_a_link_opens_with_the_engines_numbers_and_a_reload_shows_the_same(board, link):
    picture = board.open(link).agree().settled()
    assert board.reload().page.url.endswith(f"?{link}")
    assert board.settled() == picture


def test_dragging_the_arrow_turns_f_and_all_numbers_follow(board):
    board.open()
    x, y = board.place()
    assert board.drag(board.place(0.4), (x + 120, y - 120)).agree().angle == 45.0
    assert board.drag((x + 120, y - 120), (x - 90, y - 3), (x - 90, y + 90)).agree().angle == 225.0
    board.page.wait_for_url("**/fisher?v=1&angle=225")
    assert board.live.startswith("F at 225°")
    timeline = board.js("s.layout.panels.timeline")
    middle = timeline["y"] + 30
    board.drag((timeline["x"] + 60, middle), (timeline["x"] + timeline["w"] / 2, middle)).agree()
    assert abs(board.angle - 180.0) < 1.0
    heights = board.marks("timeline", name="curve")[0]["points"][1:720:2]
    assert np.corrcoef(heights, board.fisher("[...f.arrays.J.subarray(0, 360)]"))[0, 1] < -0.999999


def test_keys_and_buttons_turn_f(board):
    board.open("v=1&angle=100").turns("ArrowRight", 101).turns("ArrowLeft", 100).turns(
        "Shift+ArrowRight", 110
    )
    board.turns("PageDown", 120).turns("PageUp", 110).agree()
    board.button("next-mistake").click()
    assert board.rest().angle == 120
    board.js("""(() => {
      window.heard = [];
      const hear = () => heard.push(s.controls.live.textContent);
      new MutationObserver(hear).observe(s.controls.live, { childList: true });
    })()""")
    board.press("End").until("s.cursor.easing === null").rest().agree()
    assert board.page.evaluate("heard") == [board.live]  # it is quiet while F turns
    assert board.live.startswith("The best direction")
    assert not [
        mark for mark in board.marks("words") if "_" in mark.get("text", "")
    ]  # W of S_W is set lower
    board.page.wait_for_url("**/fisher?v=1&angle=best")
    assert board.button("best").is_disabled()
    board.button("other").click()
    board.page.wait_for_url("**/fisher?v=1")
    assert "obvious guess" in board.rest().agree().live
    board.press(" ").until("s.clock.playing && s.t > 6").press(" ").rest().agree()


def test_a_moved_threshold_is_counted_where_it_is_and_put_back(board):
    board.open()
    rect, (handle,) = (
        board.js("s.layout.panels.projections"),
        board.marks("projections", name="handle"),
    )
    middle = rect["y"] + rect["h"] / 2
    board.drag((handle["x"], middle), (handle["x"] + 60, middle)).agree()
    board.page.wait_for_url(f"**/fisher?v=1&threshold={board.fisher('f.movedThreshold'):g}")
    assert board.live.startswith("Threshold moved to")
    assert board.press("t").rest().agree().fisher("f.movedThreshold") is None
    assert board.press("ArrowUp", "ArrowUp").rest().agree().fisher("f.movedThreshold") is not None
    assert (
        board.press("ArrowRight").rest().agree().fisher("f.movedThreshold") is None
    )  # turning F puts it back


def test_nonsense_in_a_link_opens_with_one_notice(board):
    board.open("v=1&data=%3Cb%3E&angle=up&threshold=nan&n=1e9").agree()
    assert board.page.locator(".notices p").count() == 1
    board.page.wait_for_url("**/fisher?v=1&n=400")


def test_new_data_keep_a_special_direction_special_and_undo_brings_the_old_ones_back(board):
    board.open("v=1&angle=best").press("n").until(
        "s.run.fisher.header.query.includes('seed=1')"
    ).rest().agree()
    board.show("data")
    board.page.locator(".dock .tiles label", has_text="Moons").click()
    board.page.wait_for_url("**/fisher?v=1&data=moons&seed=1&angle=best")
    board.press("Escape").page.go_back()
    board.until("!s.run.fisher.header.query.includes('data')").rest().agree()
    board.press("z").until("s.run.fisher.header.query === 'v=1'").rest().agree()
    assert board.fisher("now.special") == "best"


def test_what_pointing_tells_is_told_by_the_keyboard_too(board):
    board.open("v=1&data=wine")
    (cell, *_) = board.marks("scatter", name="cell")
    board.point(cell["x"] + 2, cell["y"] + 2)
    entry = f"SW, within: {number(board.fisher('f.arrays.SW[0]'))}"
    assert board.tip == [entry, "alcohol"]
    board.js("s.objects.stops.get('scatter').focus()")
    assert board.press("ArrowRight").rest().live == f"{entry}, alcohol."
    board.js("s.canvas.focus()")
    board.press("ArrowRight", "ArrowRight").rest()
    assert board.js("[...s.touch.hot]") == [1]
    assert board.live.startswith("x₁")
    assert len([mark for mark in board.marks("projections") if mark.get("lit") == 1]) == 1
    assert board.press("Escape").turns("ArrowRight", 1).js("s.touch.hot.size") == 0
    words = board.page.locator(".account").inner_text()
    assert board.fisher("f.header.notes.rank") in words


COVERED = """(({ sizes, angles }) => {
  const boxOf = ({ text, x, y, size, align }) => {
    const w = 0.62 * size * text.length; // no letter of a name is wider
    return { x: align === "center" ? x - w / 2 : x, y: y - 0.45 * size, w, h: 0.9 * size };
  };
  const covered = [];
  for (const size of sizes) for (const angle of angles) {
    s.cursor.put(angle);
    s.draw();
    const { marks } = s.board.panels.find(({ name }) => name === "map");
    const points = marks.filter(({ i, r, name }) => i !== undefined && r && !["foot", "wrong"].includes(name));
    const names = marks.filter(({ kind, name }) => kind === "text" && ["mean", "arrow"].includes(name));
    for (const mark of names) {
      const box = boxOf(mark);
      for (const { x, y, r, i } of points) {
        const gap = Math.max(box.x - x, x - box.x - box.w, box.y - y, y - box.y - box.h);
        if (gap < r - 1.5) covered.push([size, angle, mark.text, i]);
      }
    }
    if (names.length !== s.run.counts.length + 1) covered.push([size, angle, "a name is missing"]);
  }
  return covered;
})(arg)"""


@pytest.mark.parametrize("link", ["v=1", "v=1&data=shifted", "v=1&data=iris", "v=1&data=wine"])
def test_names_of_means_and_of_f_cover_no_point(board, link):
    board.wear().open(link)
    for size in ((1366, 768), (1024, 600), (844, 390), (390, 844)):
        board.wear(*size).until(
            "innerWidth === arg && s.board.width === r.clientWidth", size[0]
        ).rest()
        angles = [*range(0, 360, 15)]
        assert board.js(COVERED, {"sizes": [size], "angles": angles}) == []


def test_classes_differ_by_shape_and_colour_and_every_panel_has_room(board):
    for link in ("v=1", "v=1&data=wine"):
        board.wear().open(link)
        for size in ((1366, 640), (1920, 1080), (1024, 768), (390, 844)):
            board.wear(*size).until(
                "innerWidth === arg && s.board.width === r.clientWidth", size[0]
            ).rest()
            for name, rect in board.js("Object.entries(s.layout.panels)"):
                least = {"strip": 16, "axis": 16, "gutter": 16}.get(name, 41)
                assert min(rect["w"], rect["h"]) >= least, name
                assert rect["x"] + rect["w"] <= size[0], name
                for mark in board.marks(name, kind="rect"):
                    assert min(mark["w"], mark["h"]) >= 0, (name, mark)
            names = [
                mark["y"]
                for mark in board.marks("projections", kind="text")
                if mark.get("weight") == 600
            ][1:]
            for bar in (mark for mark in board.marks("projections") if "bin" in mark):
                assert bar["y"] >= max(
                    y for y in names if y < bar["y"] + bar["h"]
                )  # it reaches no name of a class
            assert not board.page.evaluate("document.documentElement.scrollWidth > innerWidth")
    marks = [mark for mark in board.marks("map") if "i" in mark and "class" in mark]
    looks = [
        {(mark["kind"], mark["fill"]) for mark in marks if mark["class"] == k} for k in range(3)
    ]
    assert [len(look) for look in looks] == [1, 1, 1]
    assert [
        len(set(parts)) for parts in zip(*(next(iter(look)) for look in looks), strict=True)
    ] == [3, 3]


@pytest.mark.in_app
def test_the_two_pages_lead_to_each_other_and_each_stays_as_it_was(board):
    board.open("v=1&data=moons&angle=33")
    board.page.get_by_role("link", name="Board", exact=True).click()
    board.page.wait_for_selector(".topbar .set:has-text('Gaussian')")
    board.page.wait_for_url("**/?v=1")
    board.page.get_by_role("link", name="Fisher").click()
    board.page.wait_for_url("**/fisher?v=1&data=moons&angle=33")
    board.page.wait_for_selector(
        ".topbar .set:has-text('Gaussian')", state="detached"
    )  # the other page is gone
    assert board.ready().angle == 33.0
    assert board.page.locator(".notices p").count() == 0


TEN = "x1\tx2\tclass\n4\t1\tA\n2\t4\tA\n2\t3\tA\n3\t6\tA\n4\t4\tA\n9\t10\tB\n6\t8\tB\n9\t5\tB\n8\t7\tB\n10\t8\tB\n"


def test_a_table_that_is_pasted_is_shown_and_survives_a_reload(board):
    board.open()
    board.show("data")
    board.page.locator(".dock summary:has-text('My own file')").click()
    board.page.locator(".dock textarea").fill(TEN)
    board.press("Control+Enter").until("s.run.n === 10").settle()
    board.press("Escape")
    for reloads in (False, True):
        if reloads:
            board.reload()
        board.js("(s.go(s.run.fisher.angleOf('best')), 0)")
        board.rest()
        assert board.fisher("[...f.arrays.SW].map((value) => Number(value.toFixed(3)))") == [
            13.2,
            -2.2,
            -2.2,
            26.4,
        ]
        (question,) = board.marks("criterion", text="Do class sizes count?")
        board.point(question["x"] + 4, question["y"] - 4)
        assert "15.66" in " ".join(board.tip)
    x, y = board.js("[s.view.x(4), s.view.y(1)]")
    board.point(x, y)
    assert board.tip[0] == "x₀, line 2  (4.00, 1.00)  ·  −1  A"
