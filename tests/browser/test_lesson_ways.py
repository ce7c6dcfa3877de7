"""A lesson and what is around it: two windows, an edited file, the browser's history, scenes of other pages."""

import pytest
from answering import Lesson

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


@pytest.fixture
def named(tmp_path, monkeypatch):
    """Return a function that opens a text by its name, from a server that was given a folder."""

    def open_lesson(player, text=TEXT, scene=1):
        (tmp_path / "ways.kpviz.md").write_text(text, encoding="utf-8")
        monkeypatch.setenv(shelf.FOLDER, str(tmp_path))
        return Lesson(player).named("ways", scene)

    return open_lesson


def test_two_windows_keep_one_course_of_answers(player, another, named):
    first, second = named(player), named(another)
    for lesson, k, number in ((first, 0, 5), (second, 1, 15), (first, 1, 17), (second, 0, 6)):
        lesson.player.page.bring_to_front()
        lesson.write(k, number)
    first.until_over(0)  # that window was told
    player.until("s.lesson.forms[0].submit.hidden").page.bring_to_front()
    first.write(1, 16)
    grade = grading.grade(results.read(first.save()[1].read_bytes()), format.read(TEXT))
    assert (grade.points, grade.notes) == (2, ())
    assert [mark.tries for mark in grade.marks.values()] == [2, 3]


def test_what_was_answered_stays_with_its_task_in_an_edited_file_and_in_another_one_of_this_title(player):
    lesson = Lesson(player.open("/?v=1"))

    def opened(text):
        lesson.read(text)
        anew = "When you answered here, another task stood in this place"
        return lesson.over, [lesson.said(k).startswith(anew) for k in range(2)]

    assert opened(TEXT) == ([False, False], [False, False])
    lesson.write(0, 6)
    lesson.write(1, 16)
    lenient = TEXT.replace("value: n", "value: n\nhint: Count them.\ntries: 3")
    assert opened(lenient) == ([True, True], [False, False])
    edited = TEXT.replace("at the end?", "in the last epoch?").replace("value: mistakes", "value: last_mistakes")
    assert opened(edited) == ([False, True], [True, False])
    another = TEXT.replace("noise=0", "noise=0&seed=3")
    assert opened(another) == ([False, False], [True, True])
    lesson.write(1, 16)
    assert player.js("Object.keys(s.lesson.progress.tasks)") == ["0.1"]
    assert opened(another) == ([False, True], [True, False])
    assert opened(TEXT) == ([True, True], [False, False])


# ---- the browser's history ------------------------------------------------------------------------------------------

ROAD = "---\ntitle: Road\n---\n" + "".join(
    f"## Scene {k}\nlink: {link}\n\nWords.\n\n"
    for k, link in enumerate(
        ["v=1&n=16&show=gram", "v=1&data=moons&n=20&t=6&show=primal", "/fisher?data=iris", "/fisher?v=1", "v=1&n=20"], 1
    )
)


def test_back_goes_from_scene_to_scene_each_as_it_opens_and_a_named_lesson_is_one_entry(
    another, named
):  # a long history grows no more
    player = another  # a long history grows no more
    player.page.goto("about:blank")
    before = player.page.evaluate("history.length")
    lesson = named(player, ROAD)
    player.until("location.search.includes('scene=1')")
    assert player.page.evaluate("history.length") == before + 1
    assert player.counts() == {"undo": 0, "redo": 0}
    for k in range(2, 6):
        lesson.way("Next").click()
        player.until("s.lesson.at === arg", k - 1)
        lesson.arrive()
        player.until("location.search.includes(arg)", f"scene={k}")
        player.js("s.player.cursor.go(9)")
    for way, scenes in (("back", [4, 3, 2, 1]), ("forward", [2, 3, 4, 5])):
        for k in scenes:
            player.page.evaluate(f"history.{way}()")
            player.until("s.lesson.body.querySelector('h3').textContent === arg", f"Scene {k}")
            lesson.arrive()
            assert player.settings.n == (16 if k == 1 else 20)
            assert lesson.at == k - 1
            if k < 3:
                assert (player.shown, player.t) == ((["gram"], 0) if k == 1 else (["primal"], 6))


def test_back_opens_a_lesson_again_that_was_closed_and_closes_it_where_there_was_none(player):
    lesson = Lesson(player.open("/?v=1&n=20")).read(ROAD).go(1)
    player.page.locator(".lesson .close").click()
    player.until("!location.search.includes('lesson')")
    player.page.go_back()
    lesson.arrive()
    player.page.go_back()
    player.until("!s.lesson.open").settle()
    assert player.query == "v=1&n=20"
    player.page.go_forward()
    assert lesson.arrive().heading == "Scene 1"


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


# ---- scenes of other pages ------------------------------------------------------------------------------------------

AWAY = (
    TEXT
    + """
## On another page
link: /fisher?v=1&angle=90

```task explain
ask: What do you see?
```

## Third
link: v=1&data=moons&n=20
"""
)


def test_a_scene_of_another_page_is_left_and_found_again_by_one_click(player, named):
    lesson, here = named(player, AWAY, scene=2), player.page
    before = player.query
    for way, heading in (("Back to the lesson", "On another page"), ("← Previous", "First"), ("Next scene", "Third")):
        lesson.go(1)
        here.locator(".lesson .scene button", has_text="Open the").click()
        here.locator(".way").get_by_text("Ways: 2 of 3").wait_for()
        assert "/fisher" in here.url
        here.locator(".way button", has_text=way).click()
        lesson.arrive_at(heading)
        if heading == "On another page":
            assert player.query == before
        here.go_back()
        here.locator(".way").get_by_text("Ways: 2 of 3").wait_for()
        here.go_forward()
        lesson.arrive_at(heading)
    assert player.settings.data == "moons"
    lesson.go(1)
    here.locator(".lesson .scene button", has_text="Open the").click()
    here.locator(".way").get_by_role("button", name="Back to the lesson").click()
    lesson.arrive_at("On another page")
    player.present()  # a scene that was seen is not in the way
    player.press("PageDown").until("s.lesson.at === 2 && !s.lesson.arriving").settle()
    player.press("PageUp").until("s.lesson.at === 1").settle()
    player.press("PageUp").until("s.lesson.at === 0 && !s.lesson.arriving").settle()
    player.leave().js("s.streamlit.go('fisher', 'v=1')")  # whoever goes there in another way sees no lesson
    here.wait_for_url("**/fisher**")
    player.root = here.wait_for_selector(".kpviz canvas")
    assert not here.locator(".way").is_visible()


def test_while_one_presents_page_down_goes_to_another_page_and_on_and_the_notes_stay_open(player, named):
    lesson, here = named(player, AWAY, scene=2), player.page
    with here.expect_popup() as opened:
        player.press("Shift+N")
    notes = opened.value
    notes.get_by_text("PageDown opens the page of Fisher’s discriminant.").wait_for()
    player.present()
    for way, heading in (("PageUp", "First"), ("PageDown", "Third")):
        player.js("s.lesson.visited = -1")
        lesson.go(1)
        assert "PageDown opens the page of Fisher" in player.said
        player.press("PageDown")
        here.locator(".way").wait_for()
        assert notes.locator(".notes").inner_text() == "On the screen is another page: PageDown there goes on."
        here.keyboard.press(way)
        lesson.arrive_at(heading)
        assert player.presents
    notes.get_by_text("Notes", exact=True).wait_for()
    player.press("ArrowRight").rest()
    notes.get_by_text("step 1 of").wait_for()
    notes.get_by_text("No further scene: this is the last one.").wait_for()
    assert player.js("s.notes.isOpen")


def test_a_scene_of_another_page_is_announced_and_shows_no_run_until_one_asks_for_it(player):
    lesson = Lesson(player.open("/?v=1")).read(AWAY.replace("ask: What do", "start: v=1&n=20\nask: What do"))
    player.present()
    lesson.go(1)
    assert player.panels() == ["card"]
    assert player.words("card") == "On another page On the page of Fisher’s discriminant"
    account = player.page.locator(".kpviz .account")
    assert (
        account.text_content()
        == player.spoken.replace(". ", "")
        == "On another pageOn the page of Fisher’s discriminant."
    )
    player.press("PageUp").until("s.lesson.at === 0 && !s.lesson.arriving").settle()
    assert "words" in player.panels()
    assert account.text_content().startswith("The map")
    player.leave()
    lesson.go(1).start(0)
    assert "words" in player.panels()
    lesson.read("---\ntitle: T\n---\n## Begins elsewhere\nlink: /fisher?v=1\n")
    assert player.panels() == ["card"]
    player.press("ArrowRight").settle()
    assert "words" in player.panels()
    player.press("ArrowLeft").settle()
    assert player.panels() == ["card"]
    lesson.close()
    assert "words" in player.settle().panels()


# ---- the points stay ------------------------------------------------------------------------------------------------

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


def test_the_field_goes_over_to_that_of_the_next_scene_where_the_points_stay(player):
    lesson = Lesson(player.open("/?v=1")).read(FOLLOWING)
    player.js(WATCHED)
    lesson.go(1)
    player.until("!s.cursor.morph").rest()
    assert player.js("came") == {
        "begins": pytest.approx(0),
        "half": 0.5,
        "ends": pytest.approx(0, abs=1e-6),
        "rests": True,
    }
    assert player.js("Object.values(s.scenes()).every((each) => each.shownField === each.reading.field)")
    for at in (2, 1):  # other points
        lesson.go(at)
        assert player.js("came") is None
    lesson = Lesson(player.wear(reduced_motion="reduce").anew("/?v=1")).read(FOLLOWING)
    player.js(WATCHED)
    lesson.go(1)
    assert player.js("came") is None
