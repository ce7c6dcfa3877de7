"""What is shipped: the sdist holds all that its tests read, and every package that is imported is declared."""

import ast
import re
import subprocess
import sys
import tarfile
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder

from kpviz.packages import EXTRAS, name_of

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FOR_WORKING = {"test", "dev"}  # extras that nobody needs who only uses kpviz
HOSTING = (".ci/", ".github/", ".editorconfig", ".pre-commit-config.yaml")  # what only the repository needs


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def declared():
    """Names of the distributions that an installation brings."""
    extras = PROJECT.get("optional-dependencies", {})
    listed = [*PROJECT["dependencies"], *(one for name in extras.keys() - FOR_WORKING for one in extras[name])]
    return {canonical(re.match(r"[\w.-]+", requirement).group()) for requirement in listed}


def imported(path):
    """Top-level packages that a file imports anywhere: where it is read, in functions, for types."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.partition(".")[0]


def distributions(package):
    """Names of the distributions that a package comes from; its own where it is not installed."""
    return {canonical(name) for name in installed().get(package, [package])}


@cache
def installed():
    return packages_distributions()


@cache
def third_party():
    names = {name for path in (ROOT / "kpviz").rglob("*.py") for name in imported(path)}
    return sorted(names - {"kpviz", "__main__"} - set(sys.stdlib_module_names))


def test_every_package_that_is_imported_is_declared():
    sources = {package: distributions(package) for package in third_party()}
    assert {package: names for package, names in sources.items() if not names & declared()} == {}


def test_every_dependency_is_imported():
    """One that streamlit or matplotlib brings is named for the range that was tested, not as a reserve."""
    others = {"kpviz", "uvloop"}  # uvicorn runs on the latter where it finds it
    assert declared() - others <= set().union(*map(distributions, third_party()))


def test_the_sentences_about_missing_packages_name_the_extras_that_bring_them():
    listed = PROJECT["optional-dependencies"]
    brings = {extra: {canonical(re.match(r"[\w.-]+", each).group()) for each in listed[extra]} for extra in EXTRAS}
    named = {extra: set(map(name_of, modules)) for extra, modules in EXTRAS.items()}
    assert {extra: names - {"kpviz", "uvloop"} for extra, names in brings.items()} == named


def tracked():
    """The files of the repository; none outside of one, as in an unpacked sdist."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    return [name for name in listed.stdout.split("\0") if name and not name.startswith(HOSTING)]


def test_the_sdist_holds_every_file_that_it_needs(tmp_path):
    files = tracked()
    if not files:
        pytest.skip("not a git repository")
    archive = next(SdistBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"]))
    with tarfile.open(archive) as packed:
        shipped = {name.partition("/")[2] for name in packed.getnames()}
    assert {name for name in files if (ROOT / name).exists()} - shipped == set()
