"""The arguments that commands share which read settings and train."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any

from kpviz.commands import report
from kpviz.commands.inputs import setting

WHAT = """
LINK-OR-FILE is one of
  a link from the app, or what follows its question mark; put it in quotation marks, because of each &
  a settings file (.json), as the app and --save-settings write it
  a table (.csv, .tsv, .txt): a line of names, columns of numbers, a column of classes
  -, which reads a settings file or a table from standard input

--set changes one setting; `kpviz train --list-settings` lists them all.
"""


def work_parser(
    commands: Any, name: str, run: Callable[[argparse.Namespace], int], *, many: bool = False, **words: str
) -> argparse.ArgumentParser:
    """Return the parser of a command that reads settings and trains."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name, formatter_class=argparse.RawDescriptionHelpFormatter, **words
    )
    parser.set_defaults(run=run)
    several: dict[str, Any] = {"nargs": "*"} if many else {}
    parser.add_argument("source", metavar="LINK-OR-FILE", help="what to train, see below", **several)
    parser.add_argument(
        "--set",
        action="append",
        type=setting,
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
