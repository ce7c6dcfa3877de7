"""What the README says is what kpviz does."""

import importlib.util
import re
from pathlib import Path

import pytest

import kpviz
from kpviz import experiment
from kpviz.lessons import shelf
from kpviz.settings import Settings
from kpviz.settings.properties import MAX_POINTS, MAX_STREAM

ROOT = Path(__file__).parent.parent
SPEC = importlib.util.spec_from_file_location("pictures", ROOT / "scripts" / "pictures.py")
pictures = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(pictures)
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_its_numbers_are_those_of_the_runs():
    solved, linear = (
        experiment.run(Settings.of(kernel=kernel)) for kernel in ("gaussian", "linear")
    )
    assert f"solved after {solved.mistake.sum()} mistakes" in README
    assert f"{linear.mistake.sum():,} mistakes and no end" in README
    assert f"at most {MAX_POINTS:,} points, or a stream of {MAX_STREAM:,}" in README


def test_its_python_runs():
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    known = {}
    exec(code, known)
    assert known["run"].n_epochs <= 50
    assert known["X"].shape == (200, 2)


def test_its_film_shows_what_it_says():
    run = kpviz.load(pictures.FILM)
    assert (run.mistake[:15].sum(), len(run.y)) == (8, 80)
    assert (run.decision_function(run.X, t=15) * run.y > 0).all()
    assert "8 mistakes, and all 80 examples are on the right side" in pictures.CUES
    assert "15 examples and 8 mistakes. Then all 80 examples are on the right side" in " ".join(
        README.split()
    )
    assert (ROOT / "assets/film.webp").stat().st_size < 2_000_000


def test_it_counts_the_lessons_that_come_with_it():
    lessons = [shelf.read(name) for name in shelf.paths()]
    assert sum(name.startswith("lecture") for name in shelf.paths()) == 5
    assert len(lessons) == 5 + 15
    assert (
        f"fifteen lessons with {sum(len(list(lesson.tasks)) for lesson in lessons)} tasks" in README
    )


def test_it_is_short():
    assert len(README.splitlines()) <= 130


def test_every_asset_is_shown():
    assert {path.name for path in (ROOT / "assets").iterdir()} == set(
        re.findall(r"\(assets/([^)]+)\)", README)
    )


def test_every_file_that_it_shows_or_links_to_is_there():
    linked = re.findall(r"\]\((?!http)([^)#]+)\)", README)
    assert len(linked) > 6
    assert [name for name in linked if not (ROOT / name).is_file()] == []


def test_every_target_that_the_documents_name_is_in_the_makefile():
    targets = set(
        re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )
    documents = README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert set(re.findall(r"(?:`|^)make ([a-z-]+)", documents, re.MULTILINE)) <= targets


@pytest.mark.parametrize(
    ("way", "count"),
    [
        ("From a slider", 8),
        ("From → to", 5),
        ("From a learner's rule", 7),
        ("From a lesson's file", 9),
    ],
)
def test_each_station_of_a_way_through_the_house_is_where_the_guide_says(way, count):
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    stations = re.findall(
        r"^\d+\. (.*(?:\n   .*)*)", guide.partition(f"## {way}")[2].partition("\n## ")[0], re.M
    )
    assert len(stations) == count
    for station in stations:
        named = re.findall(r"`([^`]+)`", station)
        files = [name for name in named if re.search(r"\.(js|py)$", name)]
        found = [[*ROOT.glob(f"kpviz/{file}"), *ROOT.glob(f"kpviz/**/{file}")] for file in files]
        assert [file for file, paths in zip(files, found, strict=True) if not paths] == []
        text = "".join(path.read_text(encoding="utf-8") for paths in found for path in paths)
        names = [part for name in named if name not in files for part in name.split(".")]
        assert names
        assert [
            name
            for name in names
            if not re.search(rf"(def|class|function|\n ) {re.escape(name)}\b", text)
        ] == []
