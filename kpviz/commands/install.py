"""`kpviz doctor` and `kpviz completion`: what is installed, and what the shell is told.

Tests: tests/test_cli.py.
"""

from __future__ import annotations

import argparse
import platform
from importlib.metadata import PackageNotFoundError, version

import kpviz
from kpviz import packages
from kpviz.commands import output
from kpviz.export import ffmpeg

_CORE = ("numpy", "latex2mathml", "markdown_it")
_FOR = {  # Each extra is for this.
    "sklearn": "real data sets, estimators, sweeps, the largest margin",
    "plot": "pictures",
    "film": "films",
    "print": "worksheets and handouts",
    "app": "the app",
    "page": "pages with Python in them",
    "shell": "completion of the command line",
}


def doctor(_: argparse.Namespace) -> int:
    """Say what is installed, and what to run for what is not."""
    print(f"kpviz {kpviz.__version__}, Python {platform.python_version()}, {platform.platform()}")
    print(f"library  {_versions(_CORE)}")
    for extra, modules in packages.EXTRAS.items():
        if packages.missing(extra, extra):
            status = f'not complete: run pip install "kpviz[{extra}]"'
        else:
            status = _versions(modules)
            if extra == "film":
                try:
                    status += f", {ffmpeg.executable()}"
                except ValueError as error:
                    status = str(error)
        print(f"{extra:8} {_FOR[extra]}: {status}")
    return 0


def _versions(modules: tuple[str, ...]) -> str:
    return ", ".join(map(_version, map(packages.name_of, modules)))


def _version(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"{name} is not installed"


def completion(options: argparse.Namespace) -> int:
    """Write the script that completes commands and options."""
    output.check(options, [options.out])
    with packages.needs("Completion", "shell"):
        import shtab
    return output.write_all(options, [(options.out, shtab.complete(options.parser, options.shell))])
