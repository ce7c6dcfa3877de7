"""Fetch the Pyodide that kpviz pins into a folder, for the tests that KPVIZ_PYODIDE tells of it."""

from __future__ import annotations

import sys
from pathlib import Path

from kpviz.export.page import pyodide


def main() -> None:
    """Write its files, unless they are there."""
    folder = Path(sys.argv[1])
    try:
        _, others = pyodide.from_folder(folder)
    except ValueError:
        others = ["none is there"]
    if not others:
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in pyodide.fetch().items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
