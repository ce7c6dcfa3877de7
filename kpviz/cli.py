"""The command line: `kpviz app` opens the player in the browser, `kpviz train` and `kpviz plot` work without it."""

from __future__ import annotations

import argparse
import difflib
import io
import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

import kpviz
from kpviz.settings import BY_NAME
from kpviz.terminal import report, serve, work
from kpviz.terminal.serve import command

__all__ = ["command", "main"]

_PICTURES = (".png", ".svg", ".pdf")
_WHAT = """
LINK-OR-FILE is one of
  a link from the app, or what follows its question mark; put it in quotation marks, because of each &
  a settings file (.json), as the app and --save-settings write it
  a table (.csv, .tsv, .txt): a line of names, columns of numbers, a column of classes
  -, which reads a settings file or a table from standard input

--set changes one setting; `kpviz train --list-settings` lists them all.
"""
_ABOUT_ALL = """
examples:
  kpviz app
  kpviz train 'data=moons&kernel=gaussian&sigma=0.3' --csv run.csv
  kpviz plot 'http://localhost:8501/?v=1&data=circles&t=12' --out step-12.png

kpviz COMMAND --help says more. The exit code is 0 if all went well, 1 if something cannot be read or written,
2 if a command is misspelt, 130 after Ctrl+C.
"""
_ABOUT_TRAIN = """
examples:
  kpviz train 'http://localhost:8501/?v=1&data=moons&epochs=10' --csv run.csv
  kpviz train flowers.csv --set kernel=linear --set held=0.3 --save-settings flowers.json
  kpviz train flowers.json --json - --quiet
"""
_ABOUT_PLOT = """
examples:
  kpviz plot 'http://localhost:8501/?v=1&data=circles&t=12' --out step-12.png
  kpviz plot 'data=spirals&sigma=0.1' --out spirals.pdf --theme dark
  kpviz plot flowers.csv --set kernel=linear --step 40 --size 1920x1080 --out flowers.svg

The step is that of --step, else that of the link, else the last.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal may lack some signs
    options = _parser().parse_args(arguments)
    if options.command is None:
        _parser().print_help()
        return 0
    try:
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except OSError as error:  # of standard output: a file's are sentences already
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left would fail once more
        if not isinstance(error, BrokenPipeError):  # where nobody reads on, we leave without a word
            print(f"kpviz: The output cannot be written: {error.strerror}.", file=sys.stderr)
        return 1
    except ValueError as error:
        print(f"kpviz: {' '.join(str(error).split())}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="kpviz",
        description="Watch a kernel perceptron learn.",
        epilog=_ABOUT_ALL,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"kpviz {kpviz.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_app(commands)
    _add_train(commands)
    _add_plot(commands)
    return parser


def _add_app(commands: Any) -> None:
    app = commands.add_parser(
        "app",
        help="open the player in the browser",
        description="Start the player on this machine and open it in the browser.",
        epilog="Example: kpviz app --lan --port 8600   (the class opens the address that is printed)",
    )
    app.set_defaults(run=serve.app)
    app.add_argument("--lan", action="store_true", help="let the others in this network open it too")
    app.add_argument("--name", metavar="HOST", help="the name that others open, where a web server passes them on")
    app.add_argument("--port", type=_port, help="where to listen, 1024 to 65535 (default: the first free from 8501)")
    app.add_argument("--no-browser", action="store_true", help="do not open a browser window")


def _add_train(commands: Any) -> None:
    train = _work_parser(
        commands,
        "train",
        work.train,
        help="train on a link, a settings file or a table; write the run as files",
        description="Train what a link, a settings file or a table describes, and say how it went.",
        epilog=_WHAT + _ABOUT_TRAIN,
    )
    for name, (holds, _) in work.OUTPUTS.items():
        train.add_argument(f"--{name}", metavar="OUT", help=f"write {holds} (-: to standard output)")
    train.add_argument("--quiet", action="store_true", help="print no report")


def _add_plot(commands: Any) -> None:
    plot = _work_parser(
        commands,
        "plot",
        work.plot,
        help="draw one instant of a run as PNG, SVG or PDF",
        description="Draw the board at one step of what a link, a settings file or a table describes.",
        epilog=_WHAT + _ABOUT_PLOT,
    )
    plot.add_argument("--out", metavar="PICTURE", type=_picture, required=True, help=".png, .svg or .pdf (-: a PNG)")
    plot.add_argument("--step", "--t", metavar="T", type=_step, help="after how many examples shown")
    plot.add_argument("--theme", choices=("light", "dark"), default="light", help="default: light")
    plot.add_argument(
        "--size",
        type=_size,
        default=(2560, 1440),
        metavar="WxH",
        help="pixels of the PNG, shape of the others (2560x1440)",
    )


def _work_parser(
    commands: Any, name: str, run: Callable[[argparse.Namespace], int], **words: str
) -> argparse.ArgumentParser:
    """Return the parser of a command that reads settings and trains."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name, formatter_class=argparse.RawDescriptionHelpFormatter, **words
    )
    parser.set_defaults(run=run)
    parser.add_argument("source", metavar="LINK-OR-FILE", help="what to train, see below")
    parser.add_argument(
        "--set",
        action="append",
        type=_setting,
        default=[],
        metavar="NAME=VALUE",
        help="change a setting; may be repeated",
    )
    parser.add_argument("--list-settings", action=_List, help="list all settings and their values, and exit")
    parser.add_argument("--strict", action="store_true", help="refuse what can only be used in part")
    return parser


class _List(argparse.Action):
    """Print the settings and leave, as --help does."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        sys.stdout.write(report.settings_list())
        parser.exit()


def _port(text: str) -> int:
    try:
        port = int(text)
    except ValueError:
        port = 0
    if not 1024 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: give a whole number from 1024 to 65535.")
    return port


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE, as in sigma=0.3.")
    if name not in BY_NAME:
        near = difflib.get_close_matches(name, BY_NAME, 1)
        advice = f"did you mean {near[0]!r}?" if near else "--list-settings lists them all."
        raise argparse.ArgumentTypeError(f"{name!r} is not a setting: {advice}")
    return name, value


def _picture(text: str) -> str:
    if text != "-" and not text.lower().endswith(_PICTURES):
        raise argparse.ArgumentTypeError(f"{text!r} does not end in {', '.join(_PICTURES[:-1])} or {_PICTURES[-1]}.")
    return text


def _step(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a step: give a whole number, 0 is the start.")
    return int(text)


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{3,4})x([0-9]{3,4})", text)
    width, height = (int(match[1]), int(match[2])) if match else (0, 0)
    if min(width, height) < 320 or max(width, height) > 8000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 1920x1080, of 320 to 8000 pixels.")
    return width, height


if __name__ == "__main__":
    sys.exit(main())
