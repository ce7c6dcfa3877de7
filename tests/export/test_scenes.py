"""Lessons as films and pictures: each scene is shown as its link alone is, a chapter or a slide
with a name.
"""

from __future__ import annotations

import itertools
import re
import subprocess
from dataclasses import replace
from functools import cache
from urllib.parse import parse_qsl

import imageio_ffmpeg
import numpy as np
import pytest

from kpviz import experiment
from kpviz.engine.fisher import data as fisher_data
from kpviz.export import films, pace, scenes
from kpviz.export.films import Chapters, FilmOptions
from kpviz.export.scenes import StagedScene
from kpviz.lessons import explain
from kpviz.lessons.file import format
from kpviz.lessons.file.words import plain, tree
from kpviz.picture import figure
from kpviz.picture.card import Card
from kpviz.picture.stage import RenderOptions, Stage
from kpviz.player.comparison import Comparison
from kpviz.settings import Settings, fisher_link
from kpviz.settings.cues import Cues, reading_time
from kpviz.settings.view import ViewState

SMALL = FilmOptions(width=320, height=180, fps=24, speed=4.0)
CUES = "start hold 0.2: No line.\nmistake 2 hold 0.3 speed 8 light x1: Look here.\n6 hold 0.2\n"
LESSON = f"""---
title: XOR
---
## Two classes = one line; #1 (A\\B) ‖f‖²
link: v=1&n=20
```cues
{CUES}```
## Another line
link: /fisher?v=1

A *kernel* is $k(u, v)$.

- one
- two

```task explain
ask: Why?
```
## Where it stands
link: v=1&n=20&t=3&show=margins
## To its end
link: v=1&n=20&kernel=linear&epochs=1
"""
SETTINGS = [{"n": 20}, None, {"n": 20}, {"n": 20, "kernel": "linear", "epochs": 1}]
RANGES = [(0, 6), None, (3, 3), (0, 20)]
INCHES = (3.2, 1.8)


@cache
def lineup(**settings):
    made = Settings.of(**settings)
    split = experiment.prepare(made)
    return Comparison.of(made, split, experiment.run(made, split))


def staged(text=LESSON, settings=SETTINGS):
    scenes = format.read(text).scenes
    return [
        StagedScene(k, scene)
        if given is None
        else StagedScene(
            k,
            scene,
            lineup(**given),
            scene.cues,
            scene.link.t,
            ViewState(show=scene.link.view.show),
        )
        for k, (scene, given) in enumerate(zip(scenes, settings, strict=True), 1)
    ]


def whole(options=SMALL):
    return Chapters([(each.scene.heading, each.film(options)) for each in staged()])


def alone(number):
    """The film that the scene's link alone makes, with its cues, from where to where, and its
    heading as the title.
    """
    scene, (first, last) = staged()[number].scene, RANGES[number]
    chosen = {"first": first, "last": last, "title": scene.heading, "panels": scene.link.view.show}
    return films.film(lineup(**SETTINGS[number]), scene.cues, replace(SMALL, **chosen))


@pytest.fixture(scope="module")
def drawn():
    """All frames, drawn once for all that is written and compared."""
    return list(whole().frames())


def chapters(path):
    """What a probe finds: when each begins and ends, in seconds, and its name."""
    command = [
        imageio_ffmpeg.get_ffmpeg_exe(),
        "-loglevel",
        "error",
        "-i",
        path,
        "-f",
        "ffmetadata",
        "-",
    ]
    text = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    form = r"TIMEBASE=1/([0-9]+)\nSTART=([0-9]+)\nEND=([0-9]+)\ntitle=(.*)"
    return [
        (int(start) / int(unit), int(end) / int(unit), re.sub(r"\\(.)", r"\1", name))
        for unit, start, end, name in re.findall(form, text)
    ]


def test_a_probe_finds_a_chapter_for_each_scene_as_its_film_alone_is(tmp_path, drawn, monkeypatch):
    monkeypatch.setattr(Chapters, "frames", lambda _: iter(drawn))
    one, again = tmp_path / "lesson.mp4", tmp_path / "again.mp4"
    for path in (one, again):
        films.save(whole(), path)
    assert one.read_bytes() == again.read_bytes()
    assert imageio_ffmpeg.count_frames_and_secs(str(one))[0] == len(drawn) == whole().n_frames
    found, marks, told = chapters(one), whole().marks, films.captions(whole())
    assert [name for _, _, name in found] == [each.scene.heading for each in staged()]
    assert [*np.ravel([[start, end] for start, end, _ in found])] == pytest.approx(
        [*np.ravel([[first / 24, last / 24] for first, last, _ in marks])], abs=0.002
    )
    assert told[0][2] == "No line."
    for number in (0, 2, 3):
        (first, last, _), own = marks[number], alone(number)
        for frame, other in zip(drawn[first:last], own.frames(), strict=True):
            np.testing.assert_array_equal(frame, other)
        later = [
            (round(first / 24 + begin, 6), round(first / 24 + end, 6), said)
            for begin, end, said in films.captions(own)
        ]
        assert [each for each in told if first / 24 <= each[0] < last / 24] == later


def test_a_scene_of_another_page_is_a_card_with_its_heading_and_words():
    (_, part) = whole().parts[1]
    assert part.card.title == "Another line"
    assert part.card.words == "A kernel is k(u, v).\n\n• one\n• two"
    first, *_, last = part.frames()
    np.testing.assert_array_equal(first, last)
    assert 3.0 <= part.n_frames / part.fps < 5.0
    long = staged(LESSON.replace("- one", 1500 * "word "))[1].film(SMALL)
    assert long.n_frames == 60 * 24  # as long as words stay, at most


def test_few_words_on_a_slide_have_the_type_of_the_stage():
    stage = Stage(lineup(n=20), RenderOptions(), (1280, 720))
    board = stage.card(title="Two classes", words="A point is orange or blue.")
    [heading, said] = [m for p in board.panels for m in p.moving if m["kind"] == "text"]
    assert heading["size"] >= 0.07 * 720
    assert said["size"] >= 0.054 * 720


def card_of(link, words="Some words.", size=INCHES, **look):
    """The picture of a scene of another page."""
    (each,) = staged(f"---\ntitle: T\n---\n## Another page\nlink: {link}\n\n{words}\n", [None])
    ((_, page),) = each.pictures(RenderOptions(**look), size)
    return page


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    "link", ["/fisher?v=1&angle=90", "/fisher?v=1&data=wine", "/fisher?threshold=0.5"]
)
def test_a_card_of_fishers_page_shows_its_plane(link, theme):
    page = card_of(link, theme=theme)
    shown, _, _ = fisher_link.read_link(dict(parse_qsl(link.partition("?")[2])))
    plane = fisher_data.see(fisher_data.load(shown.data, shown.n, shown.noise, shown.seed))
    plane_marks, strip = (panel.moving for panel in page.artists[1].board.panels)
    assert sum(len(mark["lines"]) for mark in plane_marks if mark.get("name") == "way") == len(
        plane.Z
    )
    best = f"J over the angle of F, best J = {explain.number(float(plane.criterion[0]))}"
    assert any((mark.get("text") or "").endswith(best) for mark in strip)
    sides = [mark for mark in plane_marks if mark.get("name") == "side"]
    assert len(sides) == len(plane.examples.classes)
    names = [mark.get("name") for mark in plane_marks]
    assert "plate" not in names  # the legend stands above the plane and covers nothing
    lines_end = max(k for k, name in enumerate(names) if name in ("threshold", "way"))
    points_begin = min(k for k, mark in enumerate(plane_marks) if "i" in mark)
    assert lines_end < names.index("F") < points_begin


def test_each_cue_of_fishers_page_has_a_card_on_slides_and_in_the_film():
    cues = "```cues\nbest hold 3: Last.\nangle 90 hold 2: First.\n```"
    text = f"---\ntitle: T\n---\n## S\nlink: /fisher?v=1\n\nWords.\n{cues}\n"
    (each,) = staged(text, [None])
    pages = dict(each.pictures(RenderOptions(), INCHES))
    assert list(pages) == ["01-s-0", "01-s-1", "01-s-2"]
    shown = [
        next(
            mark["x"]
            for mark in page.artists[1].board.panels[1].moving
            if mark.get("kind") == "circle"
        )
        for page in pages.values()
    ]
    assert shown[0] < shown[1] < shown[2]  # where F is on the curve of J: at 1, 90 and 317 degrees
    film = each.film(SMALL)
    assert films.captions(film) == [(3.0, 5.0, "First."), (5.0, 8.0, "Last.")]
    frames = list(film.frames())
    at = [frames[round(time * film.fps)].copy() for time in (1, 4, 6)]
    assert all((one != other).any() for one, other in itertools.pairwise(at))


@pytest.mark.parametrize("size", [(3.2, 1.8), (1.8, 3.2), (2.4, 1.8)])
def test_words_and_picture_of_a_card_lie_beside_each_other(size):
    card = card_of("/fisher?v=1", 60 * "Many words. ", size).artists[0].board
    (beside,) = (panel.rect for panel in card.panels if panel.name == "beside")
    (texts,) = (
        [mark for mark in panel.moving if mark["kind"] == "text"]
        for panel in card.panels
        if panel.moving
    )
    assert all(mark["x"] < beside.x or mark["y"] < beside.y for mark in texts)
    assert beside.x + beside.w < card.width
    assert beside.y + beside.h < card.height
    (film,) = (
        each.film(SMALL)
        for each in staged("---\ntitle: T\n---\n## Fisher\nlink: /fisher?v=1\n\nWords.\n", [None])
    )
    first, *_, last = film.frames()
    np.testing.assert_array_equal(first, last)
    assert (first[:, 200:, :3] < 100).any()
    alone = card_of("/fisher?v=1", "", size).artists[0].board
    assert (
        next(panel.rect for panel in alone.panels if panel.name == "beside").w > 0.85 * card.width
    )


@pytest.mark.parametrize("size", [(16, 9), (9, 16), (4, 3)])
@pytest.mark.parametrize(
    "words", ["One.", 40 * "Many words. ", "\n\n".join(60 * ["A paragraph of some words."])]
)
def test_the_words_of_a_card_stay_on_the_page_and_what_finds_no_room_is_left_out(size, words):
    board = Stage(lineup(n=20), RenderOptions(), size).card(title=200 * "t ", words=words)
    marks = [mark for mark in board.panels[0].moving if mark["kind"] == "text"]
    assert all(0 < mark["y"] < board.height for mark in marks)
    texts = [mark["text"] for mark in marks]
    assert ("…" in texts) == (words.count("\n\n") > 0)


def test_the_lines_of_a_program_stay_whole_on_a_card_in_its_type():
    program = "```python\nfor x in examples:\n    w = w + y * x  # " + 30 * "long " + "\n```"
    (each,) = staged(
        f"---\ntitle: T\n---\n## Program\nlink: /fisher?v=1\n\nIts **program**:\n\n{program}\n",
        [None],
    )
    words = each.film(SMALL).card.words
    (panel,) = (
        Stage(lineup(n=20), RenderOptions(), (16, 9)).card(title="Program", words=words).panels
    )
    code = {mark["text"]: mark for mark in panel.moving if mark.get("code")}
    assert list(code) == ["for x in examples:", f"    w = w + y * x  # {30 * 'long '}".rstrip()]
    assert [mark["text"] for mark in panel.moving if mark.get("text") and not mark.get("code")] == [
        "Program",
        "Its program:",
    ]
    assert {mark["size"] for mark in code.values()} < {
        mark["size"] for mark in panel.moving if mark.get("size")
    }


@pytest.mark.parametrize(
    "cues", ["", "start: Look.\nepoch 30 hold 2: Still.\n"], ids=["none", "two"]
)
def test_a_stretch_without_a_cue_takes_ten_seconds_at_most_and_says_what_it_leaps(cues):
    text = (
        f"---\ntitle: T\n---\n## Noise\nlink: "
        f"v=1&kernel=linear&flipped=0.2\n```cues\n{cues}end hold 3\n```\n"
    )
    (each,) = staged(text, [{"n": 60, "kernel": "linear", "flipped": 0.2}])
    run, shots = each.experiments.current.run, each.film(replace(SMALL, speed=1.0)).shots
    assert pace.duration(run, Cues(), 0, run.n_steps, 1.0) > 300
    holds = [shot for shot in shots if shot.cue or shot.t == 0]
    for hold, after in itertools.pairwise(holds):
        assert 8.0 < after.start - hold.end <= pace.STRETCH + 0.1
        before = next(shot for shot in reversed(shots) if shot.end <= after.start)
        played = max(shot.t for shot in shots if shot.t is not None and shot.start < before.start)
        passed = np.searchsorted(run.epoch_start, [played, after.t])
        assert before.words == before.board_words == f"{passed[1] - passed[0]} epochs later"
        assert (before.t, after.happens) == (after.t, False)


def test_a_film_begins_with_the_title_of_its_lesson_and_a_card_of_words_stays_as_long_as_one_reads():
    text = (
        "---\ntitle: XOR\nauthor: A. Lecturer\nminutes: 5\n---\n## Points\nlink: "
        "v=1&n=4&noise=0\n\n"
    )
    made, without = scenes.film(format.read(f"{text}{20 * 'Many words. '}"), SMALL)
    (title, opening), (name, scene) = made.parts
    card = opening.card
    assert (title, card.title, card.by, card.about, without) == (
        "XOR",
        "XOR",
        "A. Lecturer",
        "5 minutes",
        [],
    )
    assert (name, scene.card.title, scene.card.words) == (
        "Points",
        "Points",
        (20 * "Many words. ").strip(),
    )
    assert scene.shots[0].seconds == reading_time(scene.card.words) > 15
    assert [shot.t for shot in scene.shots[:2]] == [None, 0]


def test_a_slide_shows_its_cue_and_a_scene_without_cues_where_it_opens():
    look = RenderOptions()
    drawn = [dict(each.pictures(look, INCHES)) for each in staged()]
    one, *others = [list(each) for each in drawn]
    assert one == [f"01-two-classes-one-line-1-a-b-f-{k}" for k in (1, 2, 3)]
    assert others == [["02-another-line"], ["03-where-it-stands"], ["04-to-its-end"]]
    (worded,) = staged(
        f"{LESSON.partition('## Two')[0]}## With words\nlink: v=1&n=20&t=3\n\nWords.\n",
        SETTINGS[:1],
    )
    (words, card), (board, _) = worded.pictures(look, INCHES)
    assert (words, board) == ("01-with-words-0", "01-with-words-1")
    assert {"With words", "Words."} <= {
        mark["text"] for mark in card.artists[0].board.panels[0].moving if "text" in mark
    }
    second = figure.save(drawn[0]["01-two-classes-one-line-1-a-b-f-2"], "png")
    t = int(np.flatnonzero(lineup(n=20).current.run.mistake)[1]) + 1
    assert second == figure.save(
        figure.draw(lineup(n=20), t, look, INCHES, cues=Cues.read(CUES)), "png"
    )
    assert second != figure.save(figure.draw(lineup(n=20), t, look, INCHES), "png")
    margins = RenderOptions(panels=("margins",))
    expected = figure.draw(lineup(n=20), 3, margins, INCHES)
    assert figure.save(drawn[2]["03-where-it-stands"], "png") == figure.save(expected, "png")


def test_what_stands_lower_or_higher_in_a_formula_is_set_so_on_a_card():
    film = staged()[1].film(SMALL)
    words = plain(tree("$S_T = S_W + S_B$, and $(u·v + c)^q$ or $c^{q − j}$, $x_i^2$."))
    (panel,) = (
        Card("Formulas", words=words).board(Stage(film.experiments, film.look, (1920, 1080))).panels
    )
    drawn = [mark for mark in panel.moving if mark["kind"] == "text"]
    line = next(mark for mark in drawn if mark["text"] == "S")
    small = [
        (mark["text"], mark["y"] > line["y"]) for mark in drawn if mark["size"] < 0.8 * line["size"]
    ]
    lower, higher = True, False
    assert small == [
        ("T", lower),
        ("W", lower),
        ("B", lower),
        ("q", higher),
        ("q\u00a0−\u00a0j", higher),
    ]
    said = "".join(mark["text"] for mark in drawn if mark["text"] != "Formulas")
    assert said.replace("\u00a0", " ") == "ST = SW + SB, and (u·v + c)q or cq − j, xᵢ²."


def test_a_question_of_a_scene_is_a_slide_before_the_one_with_its_answer():
    text = """---
title: Slides
---
## Two
link: v=1&data=xor&n=8&epochs=2&t=3

```task choose
ask: Which is true?
choice: It ends.
choice: It goes on.
answer: B
why: It was cut short.
```

```task explain
ask: Why?
```
"""
    lesson = format.read(text)
    (staged_scene,) = [scenes.stage(1, scene) for scene in lesson.scenes]
    names = [name for name, _ in staged_scene.pictures(RenderOptions(), INCHES)]
    tasks = ["01-two-task-1-asked", "01-two-task-1-right", "01-two-task-2-asked"]
    assert names[-3:] == tasks == sorted(tasks)
    (question, answer), (why, nothing) = map(scenes._question, lesson.scenes[0].tasks)
    assert plain(question) == "Which is true?A: It ends.B: It goes on."
    assert plain(answer) == "Which is true?It goes on.It was cut short."
    assert (plain(why), nothing) == ("Why?", [])
    (student,) = format.read(lesson.for_students).scenes
    assert scenes._question(student.tasks[0])[1] == []
