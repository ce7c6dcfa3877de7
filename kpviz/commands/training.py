"""The arguments of the commands that train and draw: `kpviz train`, `sweep`, `plot`, `render`."""

from __future__ import annotations

from typing import Any

from kpviz import panels
from kpviz.commands import arguments, output, pictures, render, sweep, work
from kpviz.commands.run_arguments import WHAT, work_parser

_ABOUT_TRAIN = """
examples:
  kpviz train 'http://localhost:8501/?v=1&data=moons&epochs=10' --csv run.csv
  kpviz train flowers.csv --set kernel=linear --set held=0.3 --save-settings flowers.json
  kpviz train flowers.json --json - --quiet
  kpviz train 'data=texts&kernel=spectrum&length=2' --python texts.py
  kpviz train 'data=bits' --set 'function=x1 & !x2 | x3' --set bits=3
"""
_ABOUT_SWEEP = """
examples:
  kpviz sweep 'data=circles&held=0.3' sigma --values 0.05,0.5,5
  kpviz sweep flowers.csv degree --set kernel=polynomial --seeds 20 --jobs -1 --out degrees.csv
"""
_ABOUT_PLOT = """
examples:
  kpviz plot 'http://localhost:8501/?v=1&data=circles&t=12' --out step-12.png
  kpviz plot 'data=spirals&sigma=0.1' --out spirals.pdf --theme dark
  kpviz plot flowers.csv --set kernel=linear --step 40 --size 1920x1080 --out flowers.svg
  kpviz plot 'data=xor' --step 0 --step 12 --step end --panel map --out 'xor-{step}.png'
  kpviz plot 'data=xor' --storyboard 6 --size a4 --theme print --out story.pdf
  kpviz plot --batch links.txt --out 'slides/{data}-{kernel}-{step}.png'

The step is that of --step, else that of the link, else the last. In the name of --out {number}, {step}, {data},
{kernel}, {learner} and any other setting are filled in. A line of a list is a link or a file; # begins a comment.
"""
_ABOUT_RENDER = """
examples:
  kpviz render 'http://localhost:8501/?v=1&data=circles' --out circles.mp4
  kpviz render 'data=spirals' --cues lecture.txt --captions lecture.vtt --out lecture.mp4
  kpviz render 'data=xor' --from 0 --to 60 --size vertical --fps 60 --out short.webm
  kpviz render 'data=xor' --out xor.html

A line of the cues is PLACE hold SECONDS speed TIMES light NAMES: WORDS, as in
  mistake 3 hold 4 light x12, margins: Look where the boundary goes.
PLACE is a step, start, end, mistake N or epoch N; the rest may be left out. The same link and cues make the same film.
"""


def add_train(commands: Any) -> None:
    """Add `kpviz train`."""
    train = work_parser(
        commands,
        "train",
        work.train,
        help="train on a link, a settings file or a table; write the run as files",
        description="Train what a link, a settings file or a table describes, and report how it went.",
        epilog=WHAT + _ABOUT_TRAIN,
    )
    for name, (holds, _) in work.OUTPUTS.items():
        train.add_argument(f"--{name}", metavar="OUT", help=f"write {holds} (-: to standard output)")
    train.add_argument("--quiet", action="store_true", help="print no report")


def add_sweep(commands: Any) -> None:
    """Add `kpviz sweep`."""
    found = work_parser(
        commands,
        "sweep",
        sweep.sweep,
        help="train once for each value of a setting; write a table",
        description="Train once for each value of one setting, and write a line of CSV for each run.",
        epilog=WHAT + _ABOUT_SWEEP,
    )
    found.add_argument("name", metavar="NAME", help="the setting, as sigma")
    found.add_argument("--values", metavar="V,V,…", type=arguments.numbers, help="its values (about 32 of its range)")
    found.add_argument("--seeds", metavar="N", type=int, default=1, help="seeds that each value is trained with (1)")
    found.add_argument("--jobs", metavar="N", type=int, help="processes; -1: as many as processors (1)")
    found.add_argument("--out", metavar="CSV", default=output.STANDARD, help="a file (default: standard output)")


def add_plot(commands: Any) -> None:
    """Add `kpviz plot`."""
    plot = work_parser(
        commands,
        "plot",
        pictures.plot,
        many=True,
        help="draw instants of a run as PNG, SVG or PDF",
        description="Draw the board at some steps of what links, settings files or tables describe.",
        epilog=WHAT + _ABOUT_PLOT,
    )
    plot.add_argument(
        "--out", metavar="PICTURE", type=arguments.picture, required=True, help=".png, .svg or .pdf (-: a PNG)"
    )
    plot.add_argument("--batch", metavar="TXT", help="a list of links or files, one a line")
    step = "after how many examples shown, or 'end'; may be repeated"
    plot.add_argument("--step", "--t", metavar="T", type=arguments.step_or_end, action="append", default=[], help=step)
    plot.add_argument(
        "--storyboard", metavar="K", type=arguments.storyboard, help="2 to 24 steps on one page, or 'cues': theirs"
    )
    plot.add_argument("--steps", metavar="T,T,…", type=arguments.steps, help="the steps of a storyboard, as 0,12,end")
    plot.add_argument("--panel", choices=panels.SINGLE, help="one panel alone, with large type")
    arguments.add_look(plot)


def add_render(commands: Any) -> None:
    """Add `kpviz render`."""
    film = work_parser(
        commands,
        "render",
        render.render,
        help="make a film with captions, or a page that plays itself",
        description="Write a run as a film, or as one HTML page that plays itself.",
        epilog=WHAT + _ABOUT_RENDER,
    )
    film.add_argument(
        "--out",
        metavar="FILM",
        type=arguments.film_or_page,
        required=True,
        help=".mp4, .webm or .gif; .vtt or .srt: its captions alone; .html: a page",
    )
    film.add_argument("--cues", metavar="TXT", help="the cues of the lecture, in place of those in the link")
    arguments.add_film(film)
    film.add_argument("--from", type=arguments.step, metavar="T", dest="first", help="the step it begins at (0)")
    film.add_argument("--to", type=arguments.step, metavar="T", dest="last", help="the step it ends at (the last)")
    film.add_argument("--title", default="", help="of the card it begins with (that of the cues)")
    film.add_argument("--no-title", action="store_true", help="begin without a card")
    film.add_argument("--theme", choices=("light", "dark"), help="light; a page follows its reader’s system")
