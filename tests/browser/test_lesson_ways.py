"""A lesson and what is around it: two windows, the lecturer's notes, scenes of other pages, runs that go on."""

import pytest

from kpviz.lessons import grading, results, shelf
from kpviz.lessons.file import format

TEXT = """---
title: Ways
---
## First
link: v=1&data=xor&n=16&noise=0

> notes: Wait for *questions*.

```task number
ask: How many mistakes at the end?
value: mistakes
```

```task number
ask: And how many examples?
value: n
```
"""


def named(player, folder, monkeypatch, text=TEXT, scene=1):
    """Open a lesson by its name from a server that was given a folder."""
    (folder / "ways.kpviz.md").write_text(text, encoding="utf-8")
    monkeypatch.setenv(shelf.FOLDER, str(folder))
    player.open(f"/?lesson=ways&scene={scene}").until("s.lesson.open && !s.lesson.arriving").settle()
    return player


def test_two_windows_keep_one_course_of_answers(player, another, tmp_path, monkeypatch):
    windows = [named(window, tmp_path, monkeypatch) for window in (player, another)]

    def answer(window, k, number):
        window.page.bring_to_front()
        form = window.page.locator(".lesson form").nth(k)
        form.locator("input").fill(str(number))
        form.locator("button[type=submit]").click()
        window.until(f"s.lesson.forms[{k}].say && !s.lesson.forms[{k}].busy")
        window.js(f"(s.lesson.forms[{k}].say = '', 0)")

    answer(windows[0], 0, 5)
    answer(windows[1], 1, 15)
    answer(windows[0], 1, 17)
    answer(windows[1], 0, 6)
    windows[0].until("s.lesson.forms[0].isOver && s.lesson.forms[0].submit.hidden")  # that window was told
    answer(windows[0], 1, 16)
    with windows[0].page.expect_download() as download:
        windows[0].page.get_by_role("button", name="Save my results").click()
    content = download.value.path().read_bytes()
    grade = grading.grade(results.read(content), format.read(TEXT))
    assert (grade.points, grade.notes) == (2, ())
    assert [mark.tries for mark in grade.marks.values()] == [2, 3]


OTHER = "When you answered here, another task stood in this place: this one begins anew."


def test_what_was_answered_stays_with_its_task_in_an_edited_file_and_in_another_one_of_this_title(player):
    def opened(text):
        player.js("s.lesson.read({ text: arg })", text)
        player.until("s.lesson.source?.text === arg && s.lesson.open && !s.lesson.arriving", text).settle()
        told = player.page.locator(".lesson form .verdict").all_inner_texts()
        return player.js("s.lesson.forms.map((form) => form.isOver)"), [OTHER in each for each in told]

    def answers(k, number):
        form = player.page.locator(".lesson form").nth(k)
        form.locator("input").fill(str(number))
        form.locator("button[type=submit]").click()
        player.until("s.lesson.forms[arg].isOver", k)

    player.open("/?v=1")
    assert opened(TEXT) == ([False, False], [False, False])
    answers(0, 6)
    answers(1, 16)
    lenient = TEXT.replace("value: n", "value: n\nhint: Count them.\ntries: 3")
    assert opened(lenient) == ([True, True], [False, False])
    edited = TEXT.replace("at the end?", "in the last epoch?").replace("value: mistakes", "value: last_mistakes")
    assert opened(edited) == ([False, True], [True, False])
    another = TEXT.replace("noise=0", "noise=0&seed=3")
    assert opened(another) == ([False, False], [True, True])
    answers(1, 16)
    assert player.js("Object.keys(s.lesson.progress.tasks)") == ["0.1"]
    assert opened(another) == ([False, True], [True, False])
    assert opened(TEXT) == ([True, True], [False, False])


def test_the_lecturers_notes_come_with_a_named_lesson_where_the_server_sends_them(player, tmp_path, monkeypatch):
    assert named(player, tmp_path, monkeypatch).js("s.player.notes") == ""
    monkeypatch.setenv(shelf.NOTES, "yes")
    assert named(player, tmp_path, monkeypatch).js("s.player.notes") == "Wait for questions.\n"


AWAY = (
    TEXT
    + """
## On another page
link: /PAGE

```task explain
ask: What do you see?
```

## Third
link: v=1&data=moons&n=20
"""
)


def arrive(player, heading):
    """Wait for the board of a page that was just loaded, with a scene."""
    player.page.locator(".lesson h3", has_text=heading).wait_for(state="attached")
    player.ready().until("s.lesson?.open && !s.lesson.arriving").settle()


ROAD = "".join(
    f"## Scene {k}\nlink: {link}\n\nWords.\n\n"
    for k, link in enumerate(
        ["v=1&n=16", "v=1&data=moons&n=20", "/lab?tab=build", "/fisher?v=1", "v=1&data=moons&n=20"], 1
    )
)


def test_back_goes_from_scene_to_scene_and_leaves_out_none_that_has_no_board_of_its_own(player, tmp_path, monkeypatch):
    (tmp_path / "road.kpviz.md").write_text(f"---\ntitle: Road\n---\n{ROAD}", encoding="utf-8")
    monkeypatch.setenv(shelf.FOLDER, str(tmp_path))
    heading = "s.lesson.body.querySelector('h3').textContent"
    player.open("/?v=1&data=circles").js("(s.lesson.read({ name: 'road' }), 0)")
    player.until("s.lesson.open && !s.lesson.arriving").settle()
    for k in range(2, 6):
        player.page.locator(".lesson > .ways button", has_text="Next").click()
        player.until(f"{heading} === arg && !s.lesson.arriving", f"Scene {k}").settle()
    for way, scenes in (("back", [4, 3, 2, 1]), ("forward", [2, 3, 4, 5])):
        for k in scenes:
            player.page.evaluate(f"history.{way}()")
            player.until(f"{heading} === arg", f"Scene {k}").settle()
            assert player.settings.n == (16 if k == 1 else 20)
    for _ in range(5):
        player.page.go_back()
    player.until("!s.lesson.open").settle()
    assert player.settings.data == "circles"


def test_an_address_that_names_a_lesson_is_one_entry(player, tmp_path, monkeypatch):
    (tmp_path / "road.kpviz.md").write_text(f"---\ntitle: Road\n---\n{ROAD}", encoding="utf-8")
    monkeypatch.setenv(shelf.FOLDER, str(tmp_path))
    player.open("/?lesson=road")
    before = player.page.evaluate("history.length")
    player.until("s.lesson.open && !s.lesson.arriving").settle()
    player.until("location.search.includes('scene=1')")
    assert player.page.evaluate("history.length") == before
    assert player.js("s.session.history.counts") == {"undo": 0, "redo": 0}


def test_an_address_is_not_written_without_its_settings_while_a_scene_is_on_its_way(player):
    player.open("/?v=1&n=16").settle()
    written = player.js("""new Promise((found) => {
      const { link } = s;
      link.set("v=1&n=17");
      s.session.history.name({ lesson: "road", scene: "2" });
      link.set = () => {};
      setTimeout(() => found(location.search), 700);
    })""")
    assert written.startswith("?v=1")


WAYS = [("Back to the lesson", "On another page"), ("← Previous", "First"), ("Next scene", "Third")]


@pytest.mark.parametrize(("page", "ways"), [("fisher?v=1&angle=90", WAYS), ("lab?tab=build", WAYS[-1:])])
def test_a_scene_of_another_page_is_left_and_found_again_by_one_click(player, tmp_path, monkeypatch, page, ways):
    named(player, tmp_path, monkeypatch, AWAY.replace("PAGE", page), scene=2)
    here = player.page
    for way, heading in ways:
        player.js("s.lesson.go(1)")
        before = player.query
        here.locator(".lesson .scene button", has_text="Open the").click()
        here.locator(".way").get_by_text("Ways: 2 of 3").wait_for()
        assert f"/{page.partition('?')[0]}" in here.url
        here.locator(".way button", has_text=way).click()
        arrive(player, heading)
        if heading == "On another page":
            assert player.query == before
        here.go_back()
        here.locator(".way").get_by_text("Ways: 2 of 3").wait_for()
        here.go_forward()
        arrive(player, heading)
    assert player.settings.data == "moons"


def test_while_one_presents_page_down_goes_to_another_page_and_on(player, tmp_path, monkeypatch):
    named(player, tmp_path, monkeypatch, AWAY.replace("PAGE", "fisher?v=1"), scene=2)
    here = player.page
    player.press("w").until("s.present.on").rest()
    for way, heading in [("PageDown", "Third"), ("PageUp", "First")]:
        player.js("s.lesson.visited = -1")
        player.js("s.lesson.go(1)")
        assert "PageDown opens the page of Fisher" in player.js("s.controls.statusLine.textContent")
        player.press("PageDown")
        here.locator(".way").wait_for()
        here.keyboard.press(way)
        arrive(player, heading)
        assert player.js("s.present.on")


def test_the_window_of_notes_stays_open_while_another_page_is_shown(player, tmp_path, monkeypatch):
    named(player, tmp_path, monkeypatch, AWAY.replace("PAGE", "fisher?v=1"), scene=2)
    with player.page.expect_popup() as opened:
        player.press("Shift+N")
    window = opened.value
    window.locator("header p", has_text="step").wait_for()
    window.get_by_text("PageDown opens the page of Fisher’s discriminant.").wait_for()
    player.press("w").until("s.present.on").rest()
    player.press("PageDown")
    player.page.locator(".way").wait_for()
    assert window.locator(".notes").inner_text() == "On the screen is another page: PageDown there goes on."
    player.page.keyboard.press("PageDown")
    arrive(player, "Third")
    window.get_by_text("Notes", exact=True).wait_for()
    player.press("ArrowRight").rest()
    window.get_by_text("step 1 of").wait_for()
    window.get_by_text("No further scene: this is the last one.").wait_for()
    assert player.js("s.notes.isOpen")


def test_a_scene_of_another_page_that_was_seen_is_not_in_the_way(player, tmp_path, monkeypatch):
    named(player, tmp_path, monkeypatch, AWAY.replace("PAGE", "fisher?v=1"), scene=2)
    here = player.page
    here.locator(".lesson .scene button", has_text="Open the").click()
    here.locator(".way").get_by_role("button", name="Back to the lesson").click()
    arrive(player, "On another page")
    player.press("w").until("s.present.on").rest()
    player.press("PageDown").until("s.lesson.at === 2 && !s.lesson.arriving").settle()
    player.press("PageUp").until("s.lesson.at === 1").settle()
    player.press("PageUp").until("s.lesson.at === 0 && !s.lesson.arriving").settle()


def test_whoever_goes_to_another_page_in_another_way_sees_no_lesson_there(player, tmp_path, monkeypatch):
    named(player, tmp_path, monkeypatch, AWAY.replace("PAGE", "fisher?v=1"), scene=2)
    player.js("s.streamlit.go('fisher', 'v=1')")
    player.page.wait_for_url("**/fisher**")
    player.root = player.page.wait_for_selector(".kpviz canvas")
    assert not player.page.locator(".way").is_visible()


FOLLOWING = """---
title: Ways
---
## First
link: v=1&data=xor&n=16&noise=0&t=9

## Same points
link: v=1&data=xor&n=16&noise=0&kernel=polynomial&t=16

## Others
link: v=1&data=moons&n=16
"""
WATCHED = """(() => {
  const come = s.cursor.comeFrom.bind(s.cursor);
  s.cursor.comeFrom = (before) => {
    come(before);
    const { morph } = s.cursor;
    const { field } = s.run.reading(s.t);
    const start = performance.now();
    const { limit } = s.scenes(start).map;
    const most = (values, by) => values.map((value) => Math.min(Math.max(value / by, -1), 1));
    const far = (one, other) => Math.max(...one.map((value, k) => Math.abs(value - other[k])));
    const at = (gone) => most(morph.at(s.run, { field, limit, now: start + gone }), limit);
    window.came = morph && {
      begins: far(at(0), most(before.field, before.limit)),
      half: far(at(300), most(field, limit)) / far(at(0), most(field, limit)),
      ends: far(at(599.9), most(field, limit)),
      rests: morph.at(s.run, { field, limit, now: start + 600 }) === null,
    };
  };
})()"""


def test_the_field_goes_over_to_that_of_the_next_scene_where_the_points_stay(player, tmp_path, monkeypatch):
    named(player, tmp_path, monkeypatch, FOLLOWING).js(WATCHED)
    player.js("s.lesson.go(1)")
    player.until("!s.lesson.arriving && !s.cursor.morph").settle()
    assert player.js("came") == {
        "begins": pytest.approx(0),
        "half": 0.5,
        "ends": pytest.approx(0, abs=1e-6),
        "rests": True,
    }
    assert player.js("Object.values(s.scenes()).every((each) => each.shownField === each.reading.field)")
    for at in (2, 1):  # other points
        player.js("s.lesson.go(arg)", at)
        player.until("!s.lesson.arriving").settle()
        assert player.js("came") is None


def test_where_one_wants_no_motion_the_field_of_the_next_scene_is_there_at_once(player_with, tmp_path, monkeypatch):
    player = player_with().wear(reduced_motion="reduce")
    named(player, tmp_path, monkeypatch, FOLLOWING).js(WATCHED)
    player.js("s.lesson.go(1)")
    player.until("!s.lesson.arriving").settle()
    assert player.js("came") is None
