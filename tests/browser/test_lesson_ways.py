"""A lesson and what is around it: two windows, an edited file, the browser's history, scenes of
other pages.
"""

import pytest
from answering import RESTS_ON_STAGE, Lesson, left_unvoted, places_on_stage
from test_present import until_shown

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
    first.until_locked(0).player.page.bring_to_front()
    first.write(1, 16)
    grade = grading.grade(results.read(first.save()[1].read_bytes()), format.read(TEXT))
    assert (grade.points, grade.notes) == (2, ())
    assert [mark.tries for mark in grade.marks.values()] == [2, 3]
    assert (
        first.player.page.evaluate("localStorage.getItem(`kpviz-done-ways`)") == "2"
    )  # for the list of lessons


def test_what_was_answered_stays_with_its_task_in_an_edited_file_and_in_another_one_of_this_title(
    player,
):
    lesson = Lesson(player.open("/?v=1"))

    def opened(text):
        lesson.read(text)
        anew = "This task has changed since you answered it"
        return lesson.over, [lesson.said(k).startswith(anew) for k in range(2)]

    assert opened(TEXT) == ([False, False], [False, False])
    lesson.write(0, 6)
    lesson.write(1, 16)
    lenient = TEXT.replace("value: n", "value: n\nhint: Count them.\ntries: 3")
    assert opened(lenient) == ([True, True], [False, False])
    edited = TEXT.replace("at the end?", "in the last epoch?").replace(
        "value: mistakes", "value: last_mistakes"
    )
    assert opened(edited) == ([False, True], [True, False])
    another = TEXT.replace("noise=0", "noise=0&seed=3")
    assert opened(another) == ([False, False], [True, True])
    lesson.write(1, 16)
    assert player.js("Object.keys(s.lesson.progress.tasks)") == ["0.1"]
    assert opened(another) == ([False, True], [True, False])
    assert opened(TEXT) == ([True, True], [False, False])


# ---- the browser's history -----------------------------------------------------------------------

ROAD = "---\ntitle: Road\n---\n" + "".join(
    f"## Scene {k}\nlink: {link}\n\nWords.\n\n"
    for k, link in enumerate(
        [
            "v=1&n=16&show=gram",
            "v=1&data=moons&n=20&t=6&show=primal",
            "/fisher?data=iris",
            "/fisher?v=1",
            "v=1&n=20",
        ],
        1,
    )
)

PAGE = {1: "/", 2: "/", 3: "/fisher", 4: "/fisher", 5: "/"}


def test_back_goes_from_scene_to_scene_each_as_it_opens_and_a_named_lesson_is_one_entry(
    another, named
):
    player = another  # a long history grows no more
    player.page.goto("about:blank")
    before = player.page.evaluate("history.length")
    lesson = named(player, ROAD)
    player.until("location.search.includes('scene=1')")
    assert player.page.evaluate("history.length") == before + 1
    assert player.counts() == {"undo": 0, "redo": 0}
    for k in range(2, 6):
        lesson.way("Next").click()
        until_scene(player, k - 1, PAGE[k])
        player.js("s.player.cursor.go(9)")
        if k == 2:
            player.until(
                "location.search.includes('t=9')"
            )  # left in the middle, a scene opens at its start again
    for way, scenes in (("back", [4, 3, 2, 1]), ("forward", [2, 3])):
        for k in scenes:
            player.page.evaluate(f"history.{way}()")
            until_scene(player, k - 1, PAGE[k])
            assert lesson.heading == f"Scene {k}"
            if PAGE[k] == "/":
                assert player.settings.n == (16 if k == 1 else 20)
            if k < 3:
                player.until(
                    "s.t === arg", 0 if k == 1 else 6
                )  # the scene's run may come after its words
                assert (player.shown, player.t) == ((["gram"], 0) if k == 1 else (["primal"], 6))


def test_back_opens_a_lesson_again_that_was_closed_and_closes_it_where_there_was_none(player):
    lesson = Lesson(player.open("/?v=1&n=20")).read(ROAD).go(1)
    player.until("location.search.includes('lesson')")  # It is written once all is at rest.
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


# ---- scenes of other pages -----------------------------------------------------------------------

AWAY = (
    TEXT
    + """
## On another page
link: /fisher?v=1&angle=90

```cues
angle 10: Earlier.
best: The best.
angle 200
```

```task explain
ask: What do you see?
```

## Third
link: v=1&data=moons&n=20
"""
)


def until_scene(player, at, page):
    """Wait for a scene, on a page that may just be loaded."""
    player.page.wait_for_url(f"**{page}?*scene={at + 1}*")
    player.ready().until("s.lesson?.open && !s.lesson.arriving && s.lesson.at === arg", at).settle()


def test_a_scene_of_another_page_is_shown_there_with_its_words_beside_it(player, named):
    lesson = named(player, AWAY, scene=1)
    lesson.task(player.js("s.lesson.tasks.length - 1"))
    lesson.way("Skip").click()
    until_scene(player, 1, "/fisher")
    assert (player.js("s.run.fisher.reading(s.t).angle"), lesson.heading) == (90, "On another page")
    lesson.write(0, "A line.")
    lesson.way("Next").click()
    until_scene(player, 2, "/")
    assert player.settings.data == "moons"
    player.page.go_back()
    until_scene(player, 1, "/fisher")
    assert (lesson.over, lesson.fields(0)) == ([True], ["A line."])
    assert not lesson.close().is_open


def test_while_one_presents_a_clicker_goes_on_and_back_over_scenes_of_another_page_and_the_notes_stay_open(
    player, named
):
    lesson = named(player, AWAY, scene=1)
    with player.page.expect_popup() as opened:
        player.press("Shift+N")
    notes = opened.value
    player.present()
    there = places_on_stage(0, "First", 0, *left_unvoted(0), *left_unvoted(1))
    assert lesson.clicked(["PageDown"] * len(there)) == there
    player.press("PageDown")
    for at, page, heading in ((1, "/fisher", "On another page"), (2, "/", "Third")):
        until_scene(player, at, page)
        assert (player.presents, player.js("s.present.slides.full")) == (True, True)
        assert player.js("s.present.slides.sheet.querySelector('h2').textContent") == heading
        until_shown(notes, f"Scene {at + 1} of 3: {heading}")
        player.press("PageDown").rest()
        assert (
            player.js("s.board.panels.find(({ name }) => name === 'heading').marks[0].text")
            == heading
        )
        if at == 1:
            assert player.press(".").rest().marks("over")[0]["name"] == "blank"
            assert player.press("ArrowRight", "ArrowRight").t == 91
            player.press("PageDown").until("!s.cursor.easing")
            at_200 = player.js("s.scenes(0).map.sentence")
            assert at_200.startswith("F at 200°: J = 0.57; the best is 3.29, at 137.2°. ")
            player.press("PageDown").until("!s.cursor.easing")
            assert player.js("s.run.fisher.specialAt(s.t)") == "best"
            assert player.js("s.scenes(0).map.sentence") == "The best."
            assert (
                player.press("d")
                .until("s.run.header.query !== 'v=1'")
                .js("s.scenes(0).map.sentence")
                != "The best."
            )
            player.press("Backspace").until("s.t === 90").press("End").until("!s.cursor.easing")
            assert player.js("s.scenes(0).map.sentence") == "The best."
            assert lesson.clicked(["PageDown"]) == [[1, "0 shown"]]
        player.press("PageDown")
    assert player.said == "This is the last scene."
    player.press("PageUp", "PageUp")
    until_scene(player, 1, "/fisher")  # at its board, from which one goes back to its words
    assert player.js("s.notes.isOpen")
    assert player.js("s.run.fisher.specialAt(s.t)") == "best"
    player.reload()  # at once
    until_scene(player, 1, "/fisher")
    assert player.js("s.run.fisher.specialAt(s.t)") == "best"
    player.until(RESTS_ON_STAGE)  # What is right comes from the server.
    assert lesson.on_stage == [1, "0 shown"]  # the question stands again, too
    for key, full in (*3 * (("PageUp", False),), ("PageUp", True)):
        player.press(key).until("!s.cursor.easing && !s.lesson.arriving")
        assert player.js("s.present.slides.full") is full, key
    player.press("PageUp")
    until_scene(player, 0, "/")
    assert player.js("s.t === s.run.nSteps && !s.present.slides.full")


def test_words_fill_the_stage_before_the_board_and_no_key_starts_a_run_behind_them(player):
    Lesson(player.open("/?v=1")).read(AWAY)
    player.present()
    words = "s.present.slides.element.checkVisibility()"
    for key in ("ArrowLeft", ".", "PageUp", "ArrowUp"):
        player.press(*[key] * (2 if key == "." else 1)).rest()
        assert player.js(f"[s.t, s.clock.playing, {words}]") == [0, False, True], key
    # Two slides: the lesson's title, which the line at the foot does not say again, and the scene.
    where = "s.present.slides.where.textContent"
    number = f"Scene 1 of {AWAY.count('## ')}"
    assert player.js(where) == number
    assert player.press("ArrowRight").rest().js(where).endswith(f" · {number}")
    assert player.press(" ").rest().js(words) is False
    assert player.press("ArrowRight").rest().t == 1
    player.press("x").rest()
    box = player.js("s.present.slides.element.getBoundingClientRect().toJSON()")
    map_ = player.js("s.layout.panels.map")
    assert box["x"] >= map_["x"] + map_["w"]
    assert box["bottom"] <= player.js("s.layout.panels.timeline.y") + 1
    assert player.press("ArrowRight").rest().t == 2  # beside words the run goes on
    assert player.press("x").rest().js(words) is False
    assert player.press("x", "Escape").rest().js(f"[{words}, s.present.on]") == [False, True]


# ---- the points stay -----------------------------------------------------------------------------

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
    assert player.js(
        "Object.values(s.scenes()).every((each) => each.shownField === each.reading.field)"
    )
    for at in (2, 1):  # other points
        lesson.go(at)
        assert player.js("came") is None
    lesson = Lesson(player.wear(reduced_motion="reduce").anew("/?v=1")).read(FOLLOWING)
    player.js(WATCHED)
    lesson.go(1)
    assert player.js("came") is None


def test_a_scene_with_one_cue_at_an_angle_of_0_is_entered_backwards_at_this_cue(player, named):
    first = "## First\nlink: /fisher?data=iris_kinds&angle=45\n\n```cues\nbest: The best.\n```"
    named(player, f"---\ntitle: Ends\n---\n{first}\n\n## Second\nlink: v=1&n=20\n", scene=2)
    player.present().press("PageUp", "PageUp")
    until_scene(player, 0, "/fisher")
    assert player.until("!s.cursor.easing").t == 0


PHONES = [(390, 844), (844, 390)]
BOXES = """(css) => [...r.querySelectorAll(css)].filter((one) => one.checkVisibility())
  .map((one) => one.getBoundingClientRect()).map(({ x, y, right, bottom }) => [x, y, right, bottom])"""


@pytest.mark.parametrize("size", PHONES)
@pytest.mark.parametrize("lesson", ["lesson-01-first-steps", "lesson-10-averaging"])
def test_on_a_phone_back_hint_and_skip_of_a_task_are_in_sight_in_one_row(phone, size, lesson):
    phone.wear(*size).open(f"/?lesson={lesson}")
    phone.until("s.lesson.open && !s.lesson.arriving && s.lesson.isFramed").settle()
    plays = lesson == "lesson-10-averaging"  # with the buttons of the run at the foot
    assert phone.js("r.classList.contains('plays-task')") == plays
    buttons = phone.js(f"({BOXES})('.lesson > .ways button')")
    assert len(buttons) == 3
    assert len({round(bottom) for _, _, _, bottom in buttons}) == 1
    assert all(0 <= x < right <= size[0] for x, _, right, _ in buttons)
    assert all(0 <= y < bottom <= size[1] for _, y, _, bottom in buttons)
    if plays:
        assert max(bottom for _, _, _, bottom in buttons) <= phone.js(f"({BOXES})('.bar')")[0][1]


@pytest.mark.parametrize("size", PHONES)
def test_on_a_phone_check_of_several_answers_covers_none_of_them(phone, size):
    phone.wear(*size).open("/?lesson=lesson-03-xor-and-cycles")
    phone.until("s.lesson.open && !s.lesson.arriving && s.lesson.isFramed").settle()
    ((left, top, right, bottom),) = phone.js(f"({BOXES})('.task.choose .answering > button')")
    rows = phone.js(f"({BOXES})('.task.choose label.choice')")
    assert len(rows) == 4
    for x, y, end, foot in rows:
        assert end <= left or right <= x or foot <= top or bottom <= y
    assert bottom <= size[1]


@pytest.mark.parametrize("size", PHONES)
def test_on_a_phone_the_next_puzzle_is_in_sight_once_par_is_reached(phone, size):
    phone.wear(*size).open("/?lesson=puzzle-02-repair-it")
    phone.until("s.lesson.puzzleMode.begun").settle()
    phone.js("(s.session.command('set', { sigma: 0.5 }), 0)")
    phone.until("s.lesson.puzzleMode.learnt.length > 0").settle()
    _, top, _, bottom = phone.js(f"({BOXES})('.puzzle .goes-on .main')")[0]
    assert 0 <= top < bottom <= size[1]


def test_at_400_percent_a_question_is_in_sight_and_so_are_its_verdict_and_what_goes_on(phone):
    phone.wear(320, 256, reduced_motion="reduce").open("/?lesson=lesson-01-first-steps")
    phone.until("s.lesson.open && !s.lesson.arriving && s.lesson.isFramed").rest()

    def assert_in_sight(css):
        boxes = phone.js(f"({BOXES})('{css}')")
        assert boxes, css
        for x, y, right, bottom in boxes:
            assert 0 <= x < right <= 320, css
            assert -1 <= y < bottom <= 257, css
        return boxes

    assert_in_sight(".task .answers button")
    ((left, *_),) = assert_in_sight(".task .question")
    place = phone.panel("map")
    assert left >= place["x"] + place["w"]
    phone.press("2").until("r.querySelector('.task .told')?.textContent").rest()
    assert_in_sight(".task .told")
    assert_in_sight(".task .goes-on .main")
