"""Questions about whole runs: they are asked before anything is played, and what is said at the end
is what the engine says.
"""

import pytest

from kpviz import experiment
from kpviz.engine.theory import is_separable
from kpviz.lessons.presets import PRESETS
from kpviz.settings import Settings

TOLD = "s.standing.runQuestion.phase === 'told'"


def line(player, link):
    player.open(link).page.get_by_role("button", name="Can a line do it?").click()
    return player.until("s.standing.runQuestion.phase === 'ask'").rest()


def box(player):
    return player.page.locator(".asking").inner_text()


def chosen(player):
    """The answers, each with its mark."""
    return player.page.locator(".asking .answers button").all_inner_texts()


@pytest.mark.parametrize("data", ["xor", "blobs", "shifted", "circles"])
@pytest.mark.parametrize("key", ["1", "ArrowRight"])
def test_whether_a_line_can_do_it_is_asked_and_the_answer_is_that_of_the_engine(player, data, key):
    player.wear(reduced_motion="reduce")
    line(player, f"/?v=1&data={data}")
    run = experiment.run(Settings.of(data=data))
    assert f"The same {len(run.y)} points" in box(player)
    assert player.t == 0
    assert set(player.panels()) <= {"map", "strip", "axis", "gutter"}
    assert player.press(key).until(TOLD).rest().t == player.js("s.runs.end")
    gram = run.X @ run.X.T + 1.0  # of any line
    separable = is_separable(gram, run.y)
    says_yes = key == "1"
    verdict = "You were right." if says_yes == separable else "Not this time."
    assert f"{verdict} {'Yes.' if separable else 'No line parts them. Whatever it tries'}" in box(
        player
    )
    assert ("So no straight line can separate them." in box(player)) == (not separable)
    assert (player.marks("map", name="crossing") != []) == (not separable)  # the proof
    mark = "✓" if says_yes == separable else "✗"
    assert [mark in words for words in chosen(player)] == [says_yes, not says_yes]
    live = player.page.locator("[aria-live=polite].live").text_content()
    assert live.startswith(verdict)
    player.press("Enter").rest()
    assert player.page.locator(".asking").count() == 0
    assert player.t == player.js("s.runs.end")
    assert player.press("z").settle().js("s.run.header.settings.query").count("linear") == 0


@pytest.mark.parametrize("name", ["widths", "ties", "svm", "drift"])
def test_a_ready_comparison_is_asked_before_it_is_played_and_its_runs_are_the_answers(player, name):
    preset = PRESETS[name]
    player.wear(reduced_motion="reduce").open(f"/?compare={name}").rest()
    assert player.page.get_by_role("group", name=preset.question).count() == 1
    names = player.js("s.runs.names")
    assert chosen(player) == [
        f"{letter} · {words}" for letter, words in zip("ABCD", names, strict=False)
    ]
    under = [name for name in player.panels() if name.startswith("decide")]
    numbers = [mark["text"] for name in under for mark in player.marks(name, kind="text")]
    assert not any("%" in text for text in numbers)  # no error stands before a step
    assert preset.words not in box(player)
    wrong = next(k for k in range(len(names)) if "ABCD"[k] != preset.right)
    player.press(str(wrong + 1)).until(TOLD).rest()
    assert f"Not this time. It is {preset.right}. {preset.words}" in box(player)
    assert player.t == player.js("s.runs.end")
    player.press("Enter").rest()
    assert player.page.locator(".asking").count() == 0
    assert "sentences" in player.panels()


def test_it_is_asked_once_and_not_of_a_link_that_shows_an_instant(player):
    player.wear(reduced_motion="reduce").open("/?compare=svm&t=3").rest()
    assert player.page.locator(".asking").count() == 0
    player.open("/?v=1").js("s.session.command('compare', { name: 'svm' })")
    player.until("s.standing.runQuestion.phase === 'ask'").press("2").until(TOLD)
    player.press("Escape").press("Home").rest()
    assert player.page.locator(".asking").count() == 0


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1366, 768), (1920, 1080)])
def test_the_answers_of_runs_side_by_side_are_in_view_and_cover_no_map(player, width, height):
    player.wear(width, height, reduced_motion="reduce").open("/?compare=widths").rest()
    left, top, right, bottom = player.box(".asking .answers")
    assert 0 <= left < right <= width
    assert 0 <= top < bottom <= height
    for name in player.panels():
        if name.startswith("map"):
            panel = player.panel(name)
            x, y = player.at(panel["x"], panel["y"])
            apart = top >= y + panel["h"] or left >= x + panel["w"]
            assert apart, name
    if width < 1000:
        return
    # Each answer is as wide as the map above it, and it alone says what that run is called.
    for k, name in enumerate(("map-0", "map-1", "map")):
        left, _, right, _ = player.box(f".asking .answers button >> nth={k}")
        panel = player.panel(name)
        assert left == pytest.approx(player.at(panel["x"], 0)[0], abs=1)
        assert right - left == pytest.approx(panel["w"], abs=1)
    captions = [mark["text"] for mark in player.marks("caption")]
    assert captions[0] == "C"
    assert not any(captions[1:])


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (320, 256)])
def test_a_small_window_asks_beside_one_large_map_and_shows_all_runs_once_they_play(
    player, width, height
):
    player.wear(width, height, reduced_motion="reduce").open("/?compare=widths").rest()

    def maps():
        return [name for name in player.panels() if name.startswith("map")]

    assert maps() == ["map"]
    assert not [name for name in player.panels() if name.startswith(("caption", "decide"))]
    sizes = player.page.locator(".asking :is(.question, .answers button)").evaluate_all(
        "(all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert min(sizes) >= (16 if height < 300 else 20)
    assert player.panel("map")["w"] >= min(0.4 * height, 0.9 * width)
    rows = {player.box(f".asking .answers button >> nth={k}")[1] for k in range(3)}
    assert len(rows) == 3
    player.press("3").until(TOLD).rest()
    assert len(maps()) == 3


def test_the_clock_goes_as_fast_afterwards_as_before(player):
    speed = line(player, "/?v=1").speed
    player.press("2").until("s.clock.playing")
    player.press("Escape").rest()
    assert (player.speed, player.playing) == (speed, False)


def test_guess_first_on_a_comparison_asks_about_the_current_run_alone(player):
    player.open("/?v=1&n=20&pins=1&p1.kernel=linear&t=4").press("q").rest()
    where = player.page.locator(".asking .where").inner_text()
    assert where.startswith(f"{player.js('s.runs.names.at(-1)')} · Guess first")
    assert [name for name in player.panels() if name.startswith("map")] == ["map"]
    assert player.js("s.scenes().map.compared.hatching.length") == 0
    player.press("1").rest()
    assert player.page.locator(".asking .main").inner_text() == "Next"
    player.press("Escape").rest()
    assert player.js("s.scenes().map.compared.hatching.length") > 0


def test_whoever_goes_to_the_end_is_told_without_having_answered(player):
    player.wear(reduced_motion="reduce").open("/?compare=svm").press("End").until(TOLD).rest()
    preset = PRESETS["svm"]
    assert f"It is {preset.right}. {preset.words}" in box(player)
    assert not [words for words in chosen(player) if "✓" in words or "✗" in words]


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080), (1024, 768), (900, 600)])
def test_a_question_stands_beside_the_middle_of_the_map_and_stays_when_it_is_answered(player, size):
    width, height = size
    player.page.set_viewport_size({"width": width, "height": height})
    player.open("/?v=1&t=12").press("q").until("s.modes.ask('conceals')").rest()
    place = """(() => {
      const box = (name) => r.querySelector(`.asking ${name}`).getBoundingClientRect();
      const map = s.layout.panels.map;
      const top = r.querySelector("canvas").getBoundingClientRect().top;
      const middle = (box(".question").top + box(".answers").bottom) / 2 - top - map.y;
      return [middle / map.h, box(".stops").bottom - top - map.y - map.h, box(".question").top];
    })()"""
    middle, below_map, before = player.js(place)
    assert 0.2 < middle < 0.6 or width < 1100  # In a short column it begins at the top.
    assert abs(below_map) < 2
    player.press("ArrowLeft").rest()
    assert player.js(place)[2] == before
