"""What is shipped: the sdist holds all that its tests read, and every package that is imported is
declared.
"""

import ast
import importlib.util
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
from packaging.requirements import Requirement

import kpviz
from kpviz.lessons import shelf
from kpviz.lessons.file import format
from kpviz.packages import EXTRAS, name_of

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FOR_WORKING = {"test", "docs", "dev"}  # extras that nobody needs who only uses kpviz
HOSTING = (
    ".ci/",
    ".github/",
    ".editorconfig",
    ".pre-commit-config.yaml",
)  # what only the repository needs


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def declared():
    """Names of the distributions that an installation brings."""
    extras = PROJECT.get("optional-dependencies", {})
    listed = [
        *PROJECT["dependencies"],
        *(one for name in extras.keys() - FOR_WORKING for one in extras[name]),
    ]
    return {canonical(re.match(r"[\w.-]+", requirement).group()) for requirement in listed}


def imported(path):
    """Top-level packages that a file imports anywhere: where it is read, in functions,
    for types.
    """
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
    return sorted(names - {"kpviz", "kpviz_command", "__main__"} - set(sys.stdlib_module_names))


def test_every_package_that_is_imported_is_declared():
    sources = {package: distributions(package) for package in third_party()}
    assert {package: names for package, names in sources.items() if not names & declared()} == {}


def test_every_dependency_is_imported():
    """One that streamlit or matplotlib brings is named for the range that was tested, not as a
    reserve.
    """
    others = {"kpviz", "uvloop"}  # uvicorn runs on the latter where it finds it
    assert declared() - others <= set().union(*map(distributions, third_party()))


def test_the_sentences_about_missing_packages_name_the_extras_that_bring_them():
    listed = PROJECT["optional-dependencies"]
    brings = {
        extra: {canonical(re.match(r"[\w.-]+", each).group()) for each in listed[extra]}
        for extra in EXTRAS
    }
    named = {extra: set(map(name_of, modules)) for extra, modules in EXTRAS.items()}
    assert {extra: names - {"kpviz", "uvloop"} for extra, names in brings.items()} == named


def test_the_guide_to_installing_has_every_extra():
    guide = (ROOT / "docs" / "how-to" / "install.md").read_text(encoding="utf-8")
    assert {*EXTRAS, "all"} == set(re.findall(r"^\| `kpviz\[(\w+)\]` \|", guide, re.MULTILINE))


def lowest_versions():
    """What `make test-versions` installs, by name."""
    printed = subprocess.run(
        [sys.executable, ROOT / "scripts" / "lowest.py"], capture_output=True, text=True, check=True
    ).stdout
    return {canonical(line.name): line.specifier for line in map(Requirement, printed.splitlines())}


def allowed_versions():
    """The requirements of the package, its extras and its tests, by name."""
    listed = {"": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}
    requirements = [
        Requirement(each) for extra in listed.keys() - {"docs", "dev"} for each in listed[extra]
    ]
    return {canonical(each.name): each for each in requirements if each.name != "kpviz"}


def test_every_requirement_has_a_lower_bound_which_is_what_is_tested_as_the_lowest():
    lowest = lowest_versions()
    allowed = allowed_versions()
    assert lowest.keys() == allowed.keys()
    for name, requirement in allowed.items():
        bounds = {part.version for part in requirement.specifier if part.operator == ">="}
        assert {part.version for part in lowest[name]} == bounds
        assert len(bounds) == 1, name


def test_the_tested_versions_are_among_those_that_are_allowed():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    tested = dict(line.split("==") for line in lines if not line.startswith("#"))
    tested = {canonical(name): version for name, version in tested.items()}
    for name, requirement in allowed_versions().items():
        assert requirement.specifier.contains(tested[name]), (
            f"{name} {tested[name]} is not {requirement.specifier}"
        )


def test_what_builds_it_is_what_its_tests_use():
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"][
        "requires"
    ]
    assert set(build) <= set(PROJECT["optional-dependencies"]["test"])


def test_every_python_is_tested_once_a_week_with_the_newest_versions_and_the_oldest_with_the_lowest():
    workflow = ROOT / ".github" / "workflows" / "weekly.yml"
    if not workflow.exists():
        pytest.skip("an sdist has no workflows")
    cases = re.findall(r'python: "([\d.]+)", versions: (\w+)', workflow.read_text(encoding="utf-8"))
    pythons = [
        name.removeprefix("Programming Language :: Python :: ") for name in PROJECT["classifiers"]
    ]
    pythons = [name for name in pythons if re.fullmatch(r"3\.\d+", name)]
    oldest = PROJECT["requires-python"].removeprefix(">=")
    assert pythons[0] == oldest
    assert cases == [(oldest, "lowest"), *((python, "newest") for python in pythons)]
    for document in ("README.md", "docs/how-to/install.md"):
        assert f"Python {oldest} or newer" in (ROOT / document).read_text(encoding="utf-8")


def test_addresses_are_made_of_the_repositorys():
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    hook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hook)
    text = """![A](assets/a.png) <img alt="b" src="assets/b.png"> [c](CONTRIBUTING.md#d) [e](#f) [g](https://h.org)"""
    assert hook.with_addresses(text, "", "v1") == text
    assert hook.addresses("") == {}
    here = "https://github.com/someone/kpviz"
    assert hook.with_addresses(text, here, "v1") == (
        f'![A]({here}/raw/v1/assets/a.png) <img alt="b" src="{here}/raw/v1/assets/b.png"> '
        f"[c]({here}/blob/v1/CONTRIBUTING.md#d) [e](#f) [g](https://h.org)"
    )
    assert hook.addresses(here)["Documentation"] == "https://someone.github.io/kpviz/"
    board = "[`board/`](https://someone.github.io/kpviz/board/)"
    assert board in hook.with_addresses((ROOT / "README.md").read_text("utf-8"), here, "v1")
    directive = (ROOT / "docs/_ext/live_figure.py").read_text(encoding="utf-8")
    assert f'\nBOARD = "{hook.BOARD}"' in directive


def test_the_citation_and_the_paper_say_what_is_so():
    assert f"\nversion: {kpviz.__version__}\n" in (ROOT / "CITATION.cff").read_text(
        encoding="utf-8"
    )
    paper, sources = (
        (ROOT / "paper" / name).read_text(encoding="utf-8") for name in ("paper.md", "paper.bib")
    )
    cited = {
        key for group in re.findall(r"\[(@[^\]]+)\]", paper) for key in re.findall(r"@(\w+)", group)
    }
    assert cited == set(re.findall(r"^@\w+\{(\w+),", sources, re.MULTILINE))
    lessons = [format.read(path.read_text(encoding="utf-8")) for path in shelf.paths().values()]
    assert f"{len(lessons)} lessons and lectures come with it" in paper
    assert sum(len(list(lesson.tasks)) for lesson in lessons) > 90


def tracked():
    """The files of the repository; none outside of one, as in an unpacked sdist."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return [name for name in listed.stdout.split("\0") if name and not name.startswith(HOSTING)]


def test_the_sdist_holds_every_file_that_it_needs(tmp_path):
    files = tracked()
    if not files:
        pytest.skip("not a git repository")
    archive = next(SdistBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"]))
    with tarfile.open(archive) as packed:
        shipped = {name.partition("/")[2] for name in packed.getnames()}
    assert {name for name in files if (ROOT / name).exists()} - shipped == set()
