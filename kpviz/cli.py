"""The command line: `kpviz app` opens the player in the browser, `kpviz train` and `kpviz plot` work without it."""

from __future__ import annotations

import argparse
import difflib
import importlib
import io
import os
import sys
from collections.abc import Iterable, Sequence

import kpviz
from kpviz.commands import output, shown
from kpviz.commands.serve import command

__all__ = ["command", "main"]

_COMMANDS = {  # and the files of kpviz/commands that add them
    "app": "serve",
    "train": "training",
    "sweep": "training",
    "plot": "training",
    "render": "training",
    "lesson": "teaching",
    "grade": "teaching",
    "worksheet": "teaching",
}
_ABOUT_ALL = """
examples:
  kpviz app
  kpviz train 'data=moons&kernel=gaussian&sigma=0.3' --csv run.csv
  kpviz plot 'http://localhost:8501/?v=1&data=circles&t=12' --out step-12.png
  kpviz sweep 'data=circles&held=0.3' sigma --seeds 5 --out widths.csv
  kpviz lesson check perceptron.kpviz.md

kpviz COMMAND --help shows more. The exit code is 0 if all went well, 1 if something is wrong,
2 if a command is misspelt, 130 if Ctrl+C broke it off.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    output.open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal may lack some characters
    given = sys.argv[1:] if arguments is None else arguments
    parser = _parser(_COMMANDS.keys() & set(given[:1]))
    _check_command(parser, given)
    options = parser.parse_args(given)
    if options.command is None:
        parser.print_help()
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


def _check_command(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Leave with the command that may be meant, if the one that is given is none."""
    name = next(iter(arguments), "-")
    if name.startswith("-") or name in _COMMANDS:
        return
    near = difflib.get_close_matches(name, _COMMANDS, 1)
    advice = f"did you mean {near[0]!r}?" if near else f"give one of {', '.join(_COMMANDS)}."
    parser.error(f"{shown(name)} is not a command: {advice}")


def _parser(names: Iterable[str] = ()) -> argparse.ArgumentParser:
    """Return the parser of some commands, or of all. What the others need is not imported: the app starts sooner."""
    parser = argparse.ArgumentParser(
        prog="kpviz",
        description="Watch a kernel perceptron learn.",
        epilog=_ABOUT_ALL,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"kpviz {kpviz.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name in names or _COMMANDS:
        module = importlib.import_module(f"kpviz.commands.{_COMMANDS[name]}")
        getattr(module, f"add_{name}")(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
