"""`kpviz plot`: which pictures are drawn with which options, and where they are written."""

import io
import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import matplotlib.image
import pytest
from drawing import drawn, png
from matplotlib.figure import Figure

from kpviz import experiment
from kpviz.commands.pictures import DPI
from kpviz.export import PICTURES
from kpviz.lessons.comparison import Pin
from kpviz.picture import figure
from kpviz.settings import Settings
from kpviz.settings.cues import Cues

SMALL = "--size=320x320"
SIZE = (1.6, 1.6)
CUES = "title: Two moons|start: Look.|mistake 2: It bends.|end: Done."
PINNED = "v=1&data=moons&n=24&held=0.3&epochs=6&pins=1&p1.kernel=linear"


@pytest.fixture
def asked(monkeypatch):
    """What boards are asked for, which are not drawn."""
    calls = []
    monkeypatch.setattr(figure, "draw", lambda *a, **o: calls.append((*a, o)) or Figure((2, 2)))
    return calls


def test_the_picture_is_that_of_the_app(kpviz):
    link = f"http://localhost:8501/?v=1&n=10&t=4&show=margins.lines&cues={CUES}"
    assert kpviz("plot", link, "-o=a.png", SMALL) == (0, "", "wrote a.png (320x320)\n")
    settings, look = Settings.of(n=10), {"panels": ("margins", "lines")}
    assert Path("a.png").read_bytes() == png(
        drawn(settings, 4, SIZE, cues=Cues.of_code(CUES), **look)
    )
    kpviz("plot", "n=10&show=similar", "-o=b.png", SMALL, "--panel=margins", "--theme=print")
    look = {"panels": ("similar",), "only": "margins", "theme": "print"}
    assert Path("b.png").read_bytes() == png(drawn(settings, None, SIZE, **look))


def test_a_link_with_pins_is_the_comparison_and_its_end_that_of_the_longest_run(kpviz, asked):
    settings, pin = (
        Settings.of(data="moons", n=24, held=0.3, epochs=6),
        Pin.of(Settings.of(data="moons", kernel="linear")),
    )
    assert kpviz("plot", PINNED, "-o=a.png", "--quiet") == (0, "", "")
    (lineup, t, _, _, _) = asked.pop()
    assert lineup.pins == (pin,)
    assert t == lineup.end == experiment.run(pin.on(settings)).n_steps
    assert (
        "the longest of these runs has" in kpviz("plot", PINNED, "-o=a.png", f"--step={t + 1}")[2]
    )
    assert "shows the current run alone" in kpviz("plot", PINNED, "-o=a.png", "--panel=map")[2]


@pytest.mark.parametrize(
    ("arguments", "t"),
    [
        (("n=10&t=7",), 7),
        (("n=10&t=7", "--step=12"), 12),
        (("n=10",), "end"),
        (("n=10&t=999999",), "end"),
    ],
)
def test_the_step_is_that_asked_for_else_of_the_link_else_the_last(kpviz, asked, arguments, t):
    assert kpviz("plot", *arguments, "-o={step}.png")[0] == 0
    ((lineup, at, _, _, _),) = asked
    assert at == (lineup.end if t == "end" else t)


def test_the_look_is_that_asked_for_and_of_the_link(kpviz, asked):
    link = "kernel=monomial&degree=2&n=20&show=lift.curve&turn=-60,10&over=noise"
    assert kpviz("plot", link, "-o=a.png", "--theme=dark", "--transparent", SMALL)[0] == 0
    ((_, _, look, size, _),) = asked
    assert (look.theme, look.transparent, look.panels, look.angles, look.over, look.only) == (
        "dark", True, ("lift", "curve"), (-60, 10), "noise", "",
    )  # fmt: skip
    assert size == SIZE


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_has_the_size_that_is_named(kpviz, asked, name):
    assert kpviz("plot", "n=10", "-o=a.png", f"--size={name.upper()}", "--quiet")[0] == 0
    assert [round(side * DPI) for side in asked[0][3]] == list(PICTURES[name])


def test_files_have_the_size_and_format_of_their_names(kpviz):
    for name, begins in (("a.PNG", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.pdf", b"%PDF")):
        assert kpviz("plot", "n=10", "-o", name, "--size=a4", "--quiet") == (0, "", "")
        assert Path(name).read_bytes().startswith(begins)
    assert struct.unpack(">II", Path("a.PNG").read_bytes()[16:24]) == PICTURES["a4"]
    box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]", Path("a.pdf").read_bytes())
    assert [float(side) / 72 * 25.4 for side in box.groups()] == pytest.approx([297, 210], abs=0.5)
    kpviz("plot", "n=10", "-o=b.png", "--panel=margins", "--quiet")
    width, height = struct.unpack(">II", Path("b.png").read_bytes()[16:24])
    assert (width, width > 1.8 * height) == (2560, True)
    kpviz("plot", "n=10", "-o=c.png", "--transparent", "--theme=dark", "--quiet", SMALL)
    assert (
        matplotlib.image.imread(io.BytesIO(Path("c.png").read_bytes()))[:, [0, -1], 3] == 0
    ).all()


def test_many_links_and_steps_are_as_many_pictures_each_named_after_what_it_is(kpviz, asked):
    links = ("data=xor&n=10", "data=moons&n=10&t=2&sigma=0.3")
    steps = ("--step=0", "--step=3", "--step=end")
    code, output, complaint = kpviz("plot", *links, "-o={data}-{sigma}-{step}.png", *steps)
    names = [
        f"{name}-{step}.png" for name in ("xor-0.5", "moons-0.3") for step in ("0", "3", "end")
    ]
    assert (code, output) == (0, "")
    assert complaint == "".join(f"wrote {name} (400x400)\n" for name in names)
    assert sorted(os.listdir()) == sorted(names)
    assert [(lineup.current.settings.data, t) for lineup, t, *_ in asked] == [
        (data, lineup_end) for data in ("xor", "moons") for lineup_end in (0, 3, experiment.run(Settings.of(
            data=data, n=10, **({"sigma": 0.3} if data == "moons" else {}))).n_steps)
    ]  # fmt: skip
    kpviz("plot", *links, "-o={number:02}-{step}.svg", "-o={number:02}-{step}.pdf", "--quiet")
    assert {"01-end.svg", "02-end.pdf", "03-2.svg", "04-2.pdf"} <= set(os.listdir())


def test_a_picture_goes_to_standard_output_without_a_word(capfdbinary):
    from kpviz import cli

    assert cli.main(["plot", "n=10", "-o", "-", SMALL]) == 0
    out, err = capfdbinary.readouterr()
    assert out.startswith(b"\x89PNG")
    assert err == b""


@pytest.mark.parametrize(
    "link", ["data=texts&t=5", "data=graphs&rounds=1&t=2", "data=bits&function=x1%26!x2&bits=3"]
)
def test_data_that_are_no_points_are_drawn(kpviz, link):
    for more in ((), ("--panel=words",)):
        assert kpviz("plot", link, "-o=a.png", "--size=640x400", *more) == (
            0,
            "",
            "wrote a.png (640x400)\n",
        )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has its folders elsewhere")
def test_a_home_that_cannot_be_written_is_done_without_in_silence(tmp_path):
    home = tmp_path / "home"
    home.write_text("a file, in which no folder can be made")
    own = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "MPL"))}
    done = subprocess.run(
        [sys.executable, "-m", "kpviz", "plot", "n=4", "-o", "a.png", SMALL],
        env={**own, "HOME": str(home), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "wrote a.png (320x320)\n")
