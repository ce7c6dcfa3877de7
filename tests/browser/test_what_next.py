"""What next: at most three suggestions under the sentence, where nothing else is needed, and what
each of them does.
"""

from urllib.parse import quote

import pytest

from kpviz.lessons import verdict

CUES = quote("start: Look.")
ROW = ".kpviz .what-next > button"


def suggested(player):
    return player.rest().page.locator(ROW).all_inner_texts()


def choose(player, name):
    player.page.locator(ROW).get_by_text(name, exact=True).click()
    return player


def test_at_the_start_and_at_the_end_there_are_three_and_none_between(player):
    player.open("/?v=1")
    assert suggested(player) == ["Guess first", "Can a line do it?", "Change the data"]
    words, box, below = player.panel("words"), player.box(".what-next"), player.panel("alpha")
    assert (
        player.at(0, words["y"] + words["h"])[1] <= box[1] < box[3] <= player.at(0, below["y"])[1]
    )
    assert suggested(player.press("ArrowRight")) == []
    assert player.panel("words")["h"] > words["h"]
    assert suggested(player.press("End")) == ["Can a line do it?", "Draw your own", "Lesson 1"]


def test_without_examples_points_can_be_drawn_or_chosen_and_nothing_is_said_of_a_run(player):
    player.open("/?v=1&data=drawn")
    assert suggested(player) == ["Draw your own", "Change the data"]
    said = [
        mark["text"] for name in ("alpha", "margins") for mark in player.marks(name, kind="text")
    ]
    assert "Each mistake adds a brick here." in said
    assert not [text for text in said if "No mistake" in text or "every margin" in text]


def test_advice_that_was_tried_comes_first(player, monkeypatch):
    monkeypatch.setattr(
        verdict, "SECONDS", 60.0
    )  # it is looked for as long as that takes, on a busy machine too
    player.open("/?v=1&kernel=linear").press("End").until("s.verdicts.advice !== null")
    assert suggested(player) == ["Try a Gaussian kernel", "Draw your own", "Lesson 1"]
    last, folds = (
        player.page.locator(ROW).last.bounding_box(),
        player.page.locator(".kpviz .folds button"),
    )
    for why in folds.all():  # in the same row
        assert why.bounding_box()["y"] == pytest.approx(last["y"], abs=1)
        assert why.bounding_box()["x"] > last["x"] + last["width"]
    choose(player, "Try a Gaussian kernel").until("!s.run.header.settings.query.includes('kernel')")


def test_on_a_phone_what_is_folded_stands_clear_of_the_sentence_above_it(player, monkeypatch):
    monkeypatch.setattr(verdict, "SECONDS", 60.0)
    player.wear(390, 844).open("/?v=1&kernel=linear").press("End")
    player.until("s.verdicts.advice !== null").rest()
    last = max(player.marks("words", name="sentence"), key=lambda mark: mark["y"])
    _, foot = player.at(0, last["y"] + 0.25 * last["size"])
    _, timeline = player.at(0, player.panel("timeline")["y"])
    for button in player.page.locator(".kpviz .folds button").all():
        _, top, _, bottom = player.box_of(button)
        assert top >= foot + 6
        assert bottom <= timeline


@pytest.mark.parametrize(
    ("link", "name", "does"),
    [
        ("/?v=1", "Guess first", "s.standing.question.asking"),
        ("/?v=1", "Can a line do it?", "s.standing.runQuestion.phase === 'ask'"),
        ("/?v=1", "Change the data", "s.dock.open === 'data'"),
        ("/?v=1&t=180", "Draw your own", "s.standing.edit.on"),
        (
            "/?v=1&t=180",
            "Lesson 1",
            "s.lesson.open && s.lesson.source.name === 'lesson-01-first-steps'",
        ),
    ],
)
def test_each_does_what_it_says_and_then_there_is_no_row(player, link, name, does):
    choose(player.open(link), name).until(does)
    assert suggested(player) == []


@pytest.mark.parametrize(
    ("link", "key"),
    [
        ("/?v=1", "w"),
        ("/?v=1", "h"),
        (f"/?v=1&cues={CUES}", None),
        ("/?v=1&lesson=lesson-01-first-steps", None),
        ("/fisher", None),
    ],
)
def test_where_something_else_is_needed_there_is_none(player, link, key):
    player.open(link)
    if "lesson" in link:
        player.until("s.lesson.open && !s.lesson.arriving")
    if key:
        player.press(key)
    assert suggested(player) == []


def test_on_a_phone_all_three_are_whole(player):
    player.wear(390, 844).open("/?v=1")
    boxes = [player.box_of(one) for one in player.page.locator(ROW).all()]
    assert len(boxes) == 3
    assert all(0 <= box[0] < box[2] <= 390 for box in boxes)
    player.wear(320, 568).open("/?v=1")
    boxes = [player.box_of(one) for one in player.page.locator(ROW).all()]
    assert all(0 <= box[0] < box[2] <= 320 for box in boxes)


def test_the_words_of_each_stand_in_its_middle_on_a_narrow_board(player):
    margins = """[...r.querySelectorAll('.what-next > button')].map((one) => {
      const words = new Range();
      words.selectNodeContents(one);
      const [inner, outer] = [words, one].map((each) => each.getBoundingClientRect());
      return [inner.left - outer.left, outer.right - inner.right];
    })"""
    found = player.wear(1024, 768).open("/?v=1").rest().js(margins)
    assert len(found) == 3
    assert all(left == pytest.approx(right, abs=1) and right > 6 for left, right in found), found


def test_where_a_click_leaves_the_pointer_no_answer_looks_chosen_until_it_moves(player):
    """The next screen's first answer may come up under it."""
    player.open("/?v=1")
    choose(player, "Can a line do it?")
    answer = player.page.locator(".asking .answers button").first
    box = answer.bounding_box()
    background = "button => getComputedStyle(button).backgroundColor"
    plain = answer.evaluate(background)
    player.page.mouse.move(box["x"] + 20, box["y"] + 20)
    assert answer.evaluate(background) != plain
    answer.evaluate("button => button.closest('.kpviz').click()")
    assert answer.evaluate(background) == plain
    player.page.mouse.move(box["x"] + 24, box["y"] + 20)
    assert answer.evaluate(background) != plain
