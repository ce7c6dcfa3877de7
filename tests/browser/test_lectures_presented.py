"""Two lectures, presented from start to end by a clicker; tests/player/test_lectures.py looks at the cues of all."""

import pytest

from kpviz.lessons import shelf

# Between them: each other page, amid a lecture and at its end; runs side by side, a stream, and an end on the board.
PRESENTED = ["lecture-1-perceptron", "lecture-2-dual-and-kernels"]


@pytest.mark.parametrize("name", PRESENTED)
def test_a_lecture_is_presented_from_start_to_end_by_page_down_alone(player, name):
    player.open(f"/?lesson={name}").until("s.lesson.open && !s.lesson.arriving").settle()
    lesson = shelf.read(name)
    player.press("w").until("s.present.on").rest()
    seen, cues = [], set()
    while (at := player.js("s.lesson.at")) < len(lesson.scenes) - 1:
        if at not in seen:
            seen.append(at)
        cues.add((at, player.js("s.player.cues.at(s.t)?.words ?? null")))
        assert len(cues) < 300
        player.press("PageDown")
        if lesson.scenes[at].link.page != "play":
            player.page.wait_for_timeout(200)  # to leave for that page
        if any(page in player.page.url for page in ("/lab", "/fisher")):
            player.page.locator(".way", has_text=f"{at + 1} of").wait_for()
            player.page.keyboard.press("PageDown")
            heading = lesson.scenes[at + 1].heading
            player.page.locator(".lesson h3", has_text=heading).wait_for(state="attached")
            player.ready().until("s.lesson?.open && !s.lesson.arriving").settle()
        player.js("s.player.clock.playing && s.player.cursor.toCue(1)")  # as the key does: on to the cue at once
        player.until("!s.lesson.arriving").settle()
    last = len(lesson.scenes) - 1
    assert seen == list(range(last))
    for at in seen:
        words = {cue.words for cue in lesson.scenes[at].cues.cues if cue.words}
        assert words <= {said for where, said in cues if where == at}
    if lesson.scenes[last].link.page == "play":
        end_on_the_board(player, last)
    else:
        end_on_another_page(player, lesson)


def end_on_the_board(player, last):
    """The last scene says that it is, and PageUp leads back."""
    for _ in range(9):
        player.press("PageDown")
        player.js("s.player.clock.playing && s.player.cursor.toCue(1)")
        if player.rest().js("s.controls.statusLine.textContent") == "This is the last scene.":
            break
    else:
        pytest.fail("the last scene does not say that it is")
    before = player.t
    player.press("PageDown").rest()
    assert (player.js("s.lesson.at"), player.t, player.js("s.present.on")) == (last, before, True)
    for _ in range(9):
        player.press("PageUp").until("!s.lesson.arriving").settle()
        if player.js("s.lesson.at") < last:
            return
    pytest.fail("PageUp does not lead back")


def end_on_another_page(player, lesson):
    """PageDown opens it, and changes nothing there; PageUp leads back."""
    *_, before, last = lesson.scenes
    player.press("PageDown")
    way = player.page.locator(".way", has_text=f"{len(lesson.scenes)} of {len(lesson.scenes)}")
    way.wait_for()
    player.page.keyboard.press("PageDown")
    assert way.is_visible()
    assert f"/{last.link.page}" in player.page.url
    player.page.keyboard.press("PageUp")
    player.page.locator(".lesson h3", has_text=before.heading).wait_for(state="attached")
    player.ready().until("s.present.on").settle()
