"""`kpviz plot` and `kpviz render` of a link with pins: all runs side by side, the same on any day."""

import io
import re
from pathlib import Path

import numpy as np
import pytest
from drawing import drawn, lineup, png
from matplotlib.image import imread

from kpviz import experiment
from kpviz.lessons import comparison
from kpviz.lessons.comparison import Pin
from kpviz.settings import Settings

LINK = "http://localhost:8501/?v=1&data=moons&n=24&held=0.3&epochs=6&t=9&pins=1&p1.kernel=linear"
SETTINGS = Settings.of(data="moons", n=24, held=0.3, epochs=6)
PINS = (Pin.of(Settings.of(data="moons", kernel="linear")),)
SMALL = ("--size", "640x360")


def pixels(content):
    return np.rint(255 * imread(io.BytesIO(content))).astype(int)


def test_a_plot_of_a_link_with_pins_is_the_comparison(kpviz):
    assert kpviz("plot", LINK, "--out", "a.png", *SMALL, "--quiet") == (0, "", "")
    wanted = png(drawn(SETTINGS, 9, (3.2, 1.8), PINS), dpi=200)
    np.testing.assert_array_equal(pixels(Path("a.png").read_bytes()), pixels(wanted))
    assert kpviz("plot", LINK.partition("&pins")[0], "--out", "b.png", *SMALL, "--quiet")[0] == 0
    assert (pixels(Path("a.png").read_bytes()) != pixels(Path("b.png").read_bytes())).any()


def test_the_end_is_that_of_the_longest_run_and_no_step_lies_beyond_it(kpviz):
    runs = lineup(SETTINGS, PINS)
    end = runs.end
    assert end > runs.current.run.n_steps
    for step, name in (("end", "a.png"), (str(end), "b.png")):
        assert kpviz("plot", LINK, "--step", step, "--out", name, *SMALL, "--quiet")[0] == 0
    assert Path("a.png").read_bytes() == Path("b.png").read_bytes()
    code, _, complaint = kpviz("plot", LINK, "--step", str(end + 1), "--out", "c.png", *SMALL)
    assert code != 0
    assert f"Step {end + 1:,} is beyond the end: the longest of these runs has {end:,} steps." in complaint


@pytest.mark.parametrize("more", [("--panel", "map"), ("--storyboard", "4")])
def test_one_panel_and_storyboards_are_of_the_current_run(kpviz, more):
    for link, name in ((LINK, "a.png"), (LINK.partition("&pins")[0], "b.png")):
        assert kpviz("plot", link, *more, "--out", name, *SMALL, "--quiet")[0] == 0
    assert Path("a.png").read_bytes() == Path("b.png").read_bytes()


def test_a_link_renders_a_film_whose_captions_are_of_all_runs(kpviz):
    out = ("--out", "a.mp4", "--captions", "a.vtt", "--from", "3", "--to", "5", "--no-title", "--size", "320x320")
    assert kpviz("render", LINK, *out, "--quiet") == (0, "", "")
    captions = Path("a.vtt").read_text(encoding="utf-8")
    assert re.search(r"^A: .+\nB: .+$", captions, re.MULTILINE)


def test_a_change_of_the_settings_changes_all_runs(kpviz):
    code, _, complaint = kpviz("render", LINK, "--set", "epochs=1", "--to", "30", "--out", "a.mp4", *SMALL)
    settings = SETTINGS.replace(epochs=1)
    steps = experiment.run(PINS[0].on(settings)).n_steps
    assert code != 0
    assert f"the longest of these runs, which has {steps:,}" in complaint


def test_pins_that_cannot_be_read_leave_the_current_run_alone(kpviz):
    for link, name in ((LINK.replace("pins=1", "pins=9"), "a.png"), (LINK.partition("&pins")[0], "b.png")):
        assert kpviz("plot", link, "--out", name, *SMALL, "--quiet")[0] == 0
    assert Path("a.png").read_bytes() == Path("b.png").read_bytes()
    assert comparison.read({"pins": "9"}, SETTINGS)[0] == ()
