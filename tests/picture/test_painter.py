"""Marks on pixels and in files: what is drawn where, what is cut off, and that the same board is
the same file.
"""

import io
import subprocess
import sys
import threading
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from drawing import drawn
from matplotlib.backends.backend_agg import RendererAgg
from PIL import Image

from kpviz import fonts
from kpviz.picture import bridge, figure, painter
from kpviz.picture.painter import Painter
from kpviz.picture.stage import Layer, Rect
from kpviz.settings import Settings

SETTINGS = Settings.of(n=20)


def painted(*marks, clip=None, scale=1.0, up_to=None):
    """How strongly each pixel of 100 x 80 is covered by black marks, 0 to 1."""
    renderer = RendererAgg(100, 80, 72)
    Painter(renderer, 80, scale).layer(Layer("x", list(marks), up_to), clip)
    return np.asarray(renderer.buffer_rgba())[..., 3] / 255


BLACK = {"fill": "black"}


@pytest.mark.parametrize(
    ("mark", "area"),
    [
        ({"kind": "circle", "x": 50, "y": 40, "r": 20}, np.pi * 400),
        ({"kind": "ellipse", "x": 50, "y": 40, "rx": 20, "ry": 10}, np.pi * 200),
        ({"kind": "square", "x": 50, "y": 40, "r": 20}, np.pi * 400),
        ({"kind": "rect", "x": 10.5, "y": 20, "w": 30, "h": 10}, 300),
        ({"kind": "rect", "x": 10, "y": 20, "w": 30, "h": 20, "radius": 5}, 600 - (4 - np.pi) * 25),
        ({"kind": "rects", "points": np.array([[5, 5], [40, 50]]), "w": 10, "h": 4}, 80),
        ({"kind": "polygon", "points": np.array([[10, 10], [50, 10], [10, 50]])}, 800),
    ],
)
def test_a_shape_covers_its_area_at_its_place(mark, area):
    seen = painted({**mark, **BLACK})
    assert seen.sum() == pytest.approx(area, rel=0.01)
    larger = painted(
        {**{k: v / 2 if k != "kind" else v for k, v in mark.items()}, **BLACK}, scale=2.0
    )
    assert np.abs(seen - larger).max() < 0.02


def test_lines_are_as_wide_as_they_are_told_and_dashes_leave_gaps():
    line = {"kind": "line", "points": np.array([[10, 40], [90, 40]]), "stroke": "black", "width": 4}
    assert painted(line).sum() == pytest.approx(320, rel=0.01)
    assert painted({**line, "dash": [5, 5]}).sum() == pytest.approx(160, rel=0.1)


def test_nothing_is_drawn_beyond_a_clip_or_where_a_layer_ends():
    mark = {"kind": "rect", "x": 0, "y": 0, "w": 100, "h": 80, **BLACK}
    clipped = painted(mark, clip=Rect(10, 20, 30, 40))
    assert clipped.sum() == 1200
    assert clipped[20:60, 10:40].all()
    assert painted(mark, up_to=25).sum() == 25 * 80
    image = {
        "kind": "image",
        "x": 0,
        "y": 0,
        "w": 100,
        "h": 80,
        "image": np.full((4, 4, 4), 255, np.uint8),
    }
    assert painted(image, clip=Rect(10, 20, 30, 40)).sum() == 1200


def test_a_text_is_as_wide_as_the_player_measures_it():
    for text, weight, code in (
        ("f(x₁₂) = −0.37 ≤ 0", 400, False),
        ("Margins", 600, False),
        ("αᵢ ← αᵢ + η", 400, True),
    ):
        outline = painter.outlines(text, weight, code)
        table = fonts.advances()[fonts.face(weight, code=code).name]
        assert painter.width(text, weight, code=code) == pytest.approx(
            sum(table[sign] for sign in text)
        )
        assert outline.vertices[:, 0].max() == pytest.approx(
            painter.width(text, weight, code=code), abs=0.12
        )


def test_letters_stand_on_whole_pixels_as_on_a_canvas():
    text = {"kind": "text", "x": 20, "y": 40, "size": 20, "text": "HEH", **BLACK}
    seen = painted(text)
    assert seen[39].max() == 1.0
    assert seen[40].max() == 0.0
    for away in (-0.4, 0.4):
        assert np.array_equal(painted({**text, "y": 40 + away}), seen)


def test_texts_stand_left_right_and_in_the_middle_of_their_place():
    base = {"kind": "text", "x": 50, "y": 40, "size": 20, "text": "HHH", **BLACK}
    columns = {
        align: np.flatnonzero(painted({**base, "align": align}).any(axis=0))
        for align in ("left", "right", "center")
    }
    assert columns["left"].min() >= 50 >= columns["right"].max()
    assert columns["center"].mean() == pytest.approx(50, abs=1)
    rows = np.flatnonzero(painted(base).any(axis=1))
    assert rows.max() <= 40
    middle = np.flatnonzero(painted({**base, "baseline": "middle"}).any(axis=1))
    assert middle.mean() == pytest.approx(40, abs=1.5)


def test_marks_are_drawn_from_the_lowest_to_the_highest():
    renderer = RendererAgg(20, 20, 72)
    disc = {"kind": "circle", "x": 10, "y": 10, "r": 8, "fill": "red"}
    Painter(renderer, 20).marks(
        [disc, {**disc, "kind": "square", "r": 4, "fill": "blue"}, {**disc, "r": 2, "fill": "lime"}]
    )
    seen = np.asarray(renderer.buffer_rgba())
    assert [seen[10, x, :3].tolist() for x in (3, 7, 10)] == [[255, 0, 0], [0, 0, 255], [0, 255, 0]]


@pytest.mark.parametrize("kind", figure.FORMATS)
def test_the_same_picture_is_the_same_file_without_a_date(kind):
    first, second = (figure.save(drawn(SETTINGS, 9), kind, dpi=72) for _ in range(2))
    assert first == second
    assert b"Date" not in first
    assert figure.save(drawn(SETTINGS, 10), kind, dpi=72) != first


def test_vectors_are_valid_and_the_map_and_the_past_are_cut_off_in_them():
    root = ElementTree.fromstring(figure.save(drawn(SETTINGS, 9), "svg"))
    tags = [element.tag.partition("}")[2] for element in root.iter()]
    assert tags.count("clipPath") >= 2  # the map, and the ticks of the timeline that are gone by
    assert "text" not in tags  # outlines: the slides' machine may lack the font
    assert "image" in tags
    assert figure.save(drawn(SETTINGS, 9), "pdf").startswith(b"%PDF")


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_a_transparent_picture_has_no_ground(theme):
    picture = np.asarray(
        Image.open(
            io.BytesIO(figure.save(drawn(SETTINGS, 9, theme=theme, transparent=True), "png"))
        )
    )
    assert (picture[:, [0, -1], 3] == 0).all()
    assert (picture[..., 3] == 255).any()


def test_pictures_made_in_several_threads_are_those_made_in_one():
    expected = [figure.save(drawn(SETTINGS, t), "png", dpi=40) for t in range(4)]
    found = [None] * 4

    def make(t):
        found[t] = figure.save(drawn(SETTINGS, t), "png", dpi=40)

    threads = [threading.Thread(target=make, args=(t,)) for t in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def test_without_the_engine_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "py_mini_racer", None)
    bridge._loaded.cache_clear()
    try:
        with pytest.raises(
            ValueError, match=r"^A picture needs mini-racer, which is not installed: "
        ) as caught:
            drawn(SETTINGS, 3)
        assert str(caught.value).count(". ") == 0
    finally:
        bridge._loaded.cache_clear()


def test_a_notebook_whose_event_loop_runs_gets_its_picture_and_python_ends_while_a_stage_is_held():
    code = """
import asyncio
from drawing import drawn, lineup
from kpviz.picture.stage import RenderOptions
from kpviz.picture.stage import Stage
from kpviz.settings import Settings

async def cell():
    return len(drawn(Settings.of(n=10), 3).axes)

asyncio.run(cell())
held = Stage(lineup(Settings.of(n=10)), RenderOptions(), (640, 360))
print(held.board(2).width)
"""
    folder = str(Path(__file__).parents[1])
    how = {"capture_output": True, "text": True, "check": True, "timeout": 60, "cwd": folder}
    assert subprocess.run([sys.executable, "-c", code], **how).stdout == "1280\n"


def test_a_second_engine_works_in_another_thread_than_the_first():
    """V8 may use memory protection keys, which only the thread that began has."""
    code = """
from threading import Thread
from kpviz.picture import bridge
first = Thread(target=bridge.Engine)
first.start()
first.join()
print(bridge.Engine() is not None)
"""
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        == "True\n"
    )


def test_the_engine_is_loaded_with_the_first_picture_only():
    code = (
        "import sys, kpviz, kpviz.export.films, kpviz.picture.figure; print('py_mini_racer' in "
        "sys.modules)"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        == "False\n"
    )
