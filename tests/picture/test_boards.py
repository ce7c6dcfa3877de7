"""Boards without a browser say what Python knows of the run, for many links; every mark has a way
to be drawn.
"""

import numpy as np
import pytest
from drawing import drawn, lineup, marks_of, png

from kpviz import panels, tokens
from kpviz.engine.run import grid
from kpviz.lessons import explain
from kpviz.picture import painter
from kpviz.picture.stage import RenderOptions, Stage
from kpviz.settings import Settings, from_query
from kpviz.settings.cues import Cues
from kpviz.settings.view import read_view

LINKS = [
    "data=xor",
    "data=moons&held=0.3&show=alpha.code.bound",
    "data=circles&kernel=polynomial&show=lift.primal",
    "data=spirals&sigma=0.2&n=200",
    "data=blobs&n=400&noise=0.6&show=none",
    "data=xor&learner=forgetron&budget=8",
    "data=xor&learner=oldest&budget=5&show=own.margins",
    "data=moons&learner=random&budget=6",
    "data=moons&learner=projectron&show=own.readings",
    "data=moons&learner=norma&show=own.alpha",
    "data=moons&learner=svm",
    "data=moons&learner=logistic&show=own.alpha.margins",
    "data=iris&predictor=averaged&show=readings.margins",
    "data=xor&predictor=voted&show=readings",
    "data=texts",
    "data=trees&show=gram.remembered",
    "data=graphs&show=remembered",
    "data=bits&show=alpha.margins",
    "data=moons&stream=on&drift=0.5&n=80",
    "data=moons&stream=on&drift=1&moves=switch&learner=norma&n=80",
    "data=xor&order=shuffled&show=sequence.bound",
    "data=xor&kernel=linear&show=similar.lines.normed.margins",
    "data=wine&kernel=laplacian&show=gram",
    "data=moons&kernel=mixture&show=alpha.similar",
]


def opened(link, **look):
    """(subject, stage) of a link at 1366 x 768."""
    settings, _ = from_query(f"v=1&{link}")
    view, problems = read_view(dict(part.split("=") for part in link.split("&")))
    assert problems == []
    runs = lineup(settings)
    return runs.current, Stage(runs, RenderOptions(panels=view.show, **look), (1366, 768))


def instants(run):
    return sorted({0, 1, run.n_steps // 2, run.n_steps})


def named(board, panel, name):
    return [
        mark
        for each in board.panels
        if each.name == panel
        for mark in marks_of(each)
        if mark.get("name") == name
    ]


@pytest.mark.parametrize("link", LINKS)
def test_the_words_are_those_of_python_and_lie_on_the_page(link):
    subject, stage = opened(link)
    for t in instants(subject.run):
        board = stage.board(t)
        names = subject.split.source.classes
        said = explain.explain(subject.run, t, stream=subject.stream, classes=names).sentence
        expected = subject.opening if t == 0 else said
        lines = [mark["text"] for mark in named(board, "words", "sentence")]
        assert " ".join(" ".join(lines).split()) == " ".join(expected.split())
        shown = named(board, "words", "counter")[0]["text"]
        assert shown.startswith(
            explain.counter(subject.run, t, stream=subject.stream).split(",")[0]
        )
        for panel in board.panels:
            for mark in marks_of(panel):
                if mark["kind"] == "text" and panel.rect is not None:
                    assert panel.rect.y - 4 <= mark["y"] <= panel.rect.y + panel.rect.h + 4, (
                        panel.name,
                        mark,
                    )


@pytest.mark.parametrize("link", LINKS)
def test_every_kind_of_mark_is_drawn_and_its_numbers_are_finite(link):
    subject, stage = opened(link)
    for t in instants(subject.run):
        for panel in stage.board(t).panels:
            for mark in marks_of(panel):
                assert mark["kind"] in {*painter.BATCHED, *painter.DRAWN, "image"}
                assert all(
                    np.isfinite(value) for value in mark.values() if isinstance(value, float)
                )
                assert np.isfinite(mark.get("points", np.zeros(1))).all()


def test_points_bricks_and_bars_are_those_of_the_run():
    subject, stage = opened("data=xor&noise=0.3")
    run = subject.run
    for t in (1, 40, run.n_steps):
        board = stage.board(t)
        panels = {panel.name: marks_of(panel) for panel in board.panels}
        places = {
            mark["i"]: (mark["x"], mark["y"]) for mark in panels["map"] if mark.get("i") is not None
        }
        shown, box = (
            subject.where.visible,
            next(panel.rect for panel in board.panels if panel.name == "map"),
        )
        for i, (x, y) in enumerate(run.X):
            across = (x - shown.low_1) / (shown.high_1 - shown.low_1)
            up = (y - shown.low_2) / (shown.high_2 - shown.low_2)
            assert places[i] == pytest.approx(
                (box.x + across * box.w, box.y + (1 - up) * box.h), abs=0.01
            )
        counts = np.bincount(run.index[:t][run.mistake[:t]], minlength=len(run.y))
        bars = np.array(
            [
                (mark["i"], mark.get("value", 1))
                for mark in panels["alpha"]
                if mark.get("i") is not None
            ]
        )
        found = np.bincount(bars[:, 0].astype(int), bars[:, 1], minlength=len(run.y))
        np.testing.assert_array_equal(found, counts)
        assert (
            sum(
                mark["count"]
                for mark in panels["margins"]
                if mark.get("bin") is not None and "name" not in mark
            )
            == 60
        )


def test_the_field_has_the_colours_of_f():
    subject, stage = opened("data=moons&sigma=0.4")
    run, t = subject.run, subject.run.n_steps
    (image,) = [
        mark["image"]
        for mark in named_kind(stage.board(t), "map", "image")
        if mark["image"].shape[0] > 64
    ]
    x1, x2 = subject.where.visible.axes(tokens.GRID)
    places = np.array([[a, b] for b in x2[::-1] for a in x1])
    f = run.decision_function(places, t).reshape(image.shape[:2])
    limit = grid.limit(run, t)
    ends = [tokens.THEMES["light"][f"field_{name}"] for name in ("negative", "zero", "positive")]
    low, zero, high = (
        np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) for colour in ends
    )
    share = np.clip(f / limit, -1, 1)[..., None]
    # A power that begins a little above 0, where it would be steepest.
    nothing, all_of_it, reached = ((0.02 + part) ** 0.8 for part in (0, 1, np.abs(share)))
    along = (reached - nothing) / (all_of_it - nothing)
    expected = zero + along * (np.where(share < 0, low, high) - zero)
    assert np.abs(image[..., :3] - expected).max() <= 2


def named_kind(board, panel, kind):
    return [
        mark
        for each in board.panels
        if each.name == panel
        for mark in marks_of(each)
        if mark["kind"] == kind
    ]


def test_a_step_in_motion_begins_with_the_field_before_it_and_ends_with_the_field_after_it():
    subject, stage = opened("data=moons&sigma=0.4")
    t = int(np.flatnonzero(subject.run.mistake)[1]) + 1

    def field(at, gone=None):
        return next(
            mark["image"] for mark in named_kind(stage.board(at, gone), "map", "image")
        ).astype(int)

    np.testing.assert_array_equal(field(t, 0.0), field(t - 1))
    change = tokens.TIMINGS["example"] + tokens.TIMINGS["score"]
    np.testing.assert_array_equal(field(t, change - 1.0), field(t - 1))
    assert np.abs(field(t, tokens.MOTION - 0.1) - field(t)).max() <= 1
    middle = field(t, change + (tokens.TIMINGS["bump"] + tokens.TIMINGS["ghost"]) / 2)
    assert (middle != field(t)).any()
    assert (middle != field(t - 1)).any()
    bump = named(stage.board(t, change), "map", "bump")[0]
    assert bump["alpha"] == tokens.BUMP["opacity"]
    assert [panel.name for panel in stage.board(t, 0.0).panels if panel.lively] == [
        "map",
        "words",
        "alpha",
        "margins",
    ]
    flying = change + tokens.TIMINGS["bump"]
    assert "flight" in [panel.name for panel in stage.board(t, flying).panels if panel.lively]


@pytest.mark.parametrize("panel", panels.SINGLE)
def test_each_panel_fills_a_picture_alone_in_every_theme(panel):
    settings, _ = from_query("v=1&n=12&learner=forgetron&kernel=polynomial")
    pictures = [png(drawn(settings, 9, only=panel, theme=theme), dpi=50) for theme in tokens.THEMES]
    assert all(picture.startswith(b"\x89PNG") for picture in pictures)
    assert len({*pictures}) == len(tokens.THEMES)


def test_a_picture_leaves_out_what_has_nothing_to_show_yet_unless_a_cue_speaks_of_it():
    def drawn_at(t, cues=""):
        stage = Stage(lineup(Settings.of(n=12)), RenderOptions(), (1280, 720), Cues.read(cues))
        assert {"alpha", "margins"} <= {*stage.panels(t)}  # Neither is missing for want of room.
        return {"alpha", "margins"} & {panel.name for panel in stage.board(t).panels}

    assert drawn_at(0) == set()
    assert drawn_at(1) == {"alpha", "margins"}
    assert drawn_at(0, "start light alpha: A count for each example.") == {"alpha"}


@pytest.mark.parametrize("theme", tokens.SCREENS)
def test_on_a_picture_where_nobody_can_act_nothing_is_purple(theme):
    names = ("curve", "alpha", "margins")
    stage = Stage(lineup(Settings.of(n=12)), RenderOptions(theme, names), (1280, 720))
    accent = tokens.THEMES[theme]["accent"]
    for panel in stage.board(3).panels:
        marks = [*panel.moving, *(mark for layer in panel.layers for mark in layer.marks or ())]
        assert not [mark for mark in marks if accent in (mark.get("fill"), mark.get("stroke"))]


@pytest.mark.parametrize("data", ["texts", "trees", "graphs", "bits"])
def test_default_panels_that_find_no_room_are_left_out_without_a_word(data):
    settings, _ = from_query(f"data={data}")
    by_default, asked = (
        Stage(lineup(settings), RenderOptions(panels=names), (1280, 720))
        for names in (None, panels.shown_by_default(plane=False))
    )
    assert by_default.panels() == asked.panels()
    assert {"alpha", "margins", "remembered"} - {*by_default.panels()} == {"margins"}
    assert (by_default.crowded_out(), asked.crowded_out()) == ((), ("margins",))


def test_what_finds_no_room_is_named():
    settings, _ = from_query("v=1&n=12")
    stage = Stage(lineup(settings), RenderOptions(panels=panels.IN_LINKS), (1280, 720))
    assert stage.crowded_out()
    assert not {*stage.crowded_out()} & {*stage.panels()}


def test_a_cue_turns_to_the_page_of_the_panels_that_it_lights():
    cues = Cues.read(
        "2 light x1\n3 light gram, alpha\n5 light x2, norm\n6\n7 light alpha, code\n8 light map, "
        "gram"
    )
    names = ("code", "gram", "alpha", "margins", "norm")
    stage = Stage(lineup(Settings.of(n=12)), RenderOptions(panels=names), (640, 360), cues)
    first, second = {"code", "gram"}, {"alpha", "margins", "norm"}
    pages = {
        6: second,
        0: first,
        12: first,
        4: {"gram", "alpha"},
        5: second,
        7: {"alpha", "code"},
        8: first,
        2: first,
    }
    for t, page in pages.items():  # in whatever order they are asked for
        round_map = {"map", "strip", "axis", "gutter"}
        assert {*stage.panels(t)} == round_map | {"words", "timeline", *page}
        assert {*stage.crowded_out(t)} == {*names} - page
        assert page < {panel.name for panel in stage.board(t).panels}
    assert {*stage.paged} == {*names}


def test_without_words_the_sentence_is_gone_and_its_room_used():
    settings, _ = from_query("v=1&n=12")
    boards = [
        Stage(lineup(settings), RenderOptions(words=words), (1280, 720)).board(5)
        for words in (True, False)
    ]
    assert [bool(named(board, "words", "sentence")) for board in boards] == [True, False]
    assert all(named(board, "words", "counter") for board in boards)
    heights = [
        next(panel.rect.h for panel in board.panels if panel.name == "alpha") for board in boards
    ]
    assert heights[1] > heights[0]


def test_in_grey_class_minus_one_is_hollow_and_no_mark_has_a_hue():
    settings, _ = from_query("v=1&n=20")
    board = Stage(lineup(settings), RenderOptions("print"), (1280, 720)).board(9)
    points = [
        mark
        for panel in board.panels
        for mark in marks_of(panel)
        if panel.name == "map" and mark.get("i") is not None
    ]
    paper = tokens.THEMES["print"]["on_mark"]
    assert {mark["kind"]: mark["fill"] == paper for mark in points} == {
        "circle": False,
        "square": True,
    }
    from kpviz.picture.painter import rgb

    for panel in board.panels:
        for mark in marks_of(panel):
            for name in ("fill", "stroke"):
                if mark.get(name):
                    assert len({*rgb(mark[name])}) == 1, mark
