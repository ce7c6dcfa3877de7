"""What the README says is what kpviz does."""

import re
from pathlib import Path

import numpy as np

from kpviz import experiment
from kpviz.lessons.file import check, format, names
from kpviz.lessons.file.kinds import KINDS
from kpviz.settings import Settings

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_its_numbers_are_those_of_the_runs():
    solved, linear = (experiment.run(Settings.of(kernel=kernel)) for kernel in ("gaussian", "linear"))
    assert f"solved after {solved.mistake.sum()} mistakes" in README
    assert f"{linear.mistake.sum():,} mistakes and no end" in README
    assert f"after {linear.n_epochs} epochs still {linear.mistakes_per_epoch[-1]} mistakes per pass" in README


def test_its_python_runs():
    first, curves, kernel, own = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names = {}
    exec(first, names)
    assert names["run"].n_epochs == 50
    assert names["opened"].link == "?v=1&data=circles&sigma=0.3"
    exec(curves, names)
    assert len(names["widths"]) == 15
    exec(kernel, names)
    exec(own, names)
    run = names["run"]
    assert run.n_steps == 1000
    after = run.decision_function(run.X[run.index[:1]], t=1) * run.y[run.index[0]]
    assert np.allclose(after, 1.0)
    assert names["X"].shape == (200, 2)


def test_its_lesson_is_right():
    (text,) = re.findall(r"````text\n(.*?)````", README, re.DOTALL)
    lesson = format.read(text)
    assert check.check(lesson) == []
    assert [task.kind for _, task in lesson.tasks] == ["reach"]


def test_it_names_every_kind_of_task_with_its_keys_and_every_name_of_conditions():
    assert names.documented() in README
    rows = {kind: row for kind, row in re.findall(r"^\| `([a-z]+)` \|(.*)$", README, re.MULTILINE) if kind in KINDS}
    assert list(rows) == list(KINDS)
    for kind, row in rows.items():
        assert [key for key in KINDS[kind].keys if f"`{key}" not in row and f"{key}:" not in row] == []


def test_every_file_that_it_shows_or_links_to_is_there():
    linked = re.findall(r"\]\((?!http)([^)#]+)\)", README)
    assert len(linked) > 6
    assert [name for name in linked if not (ROOT / name).is_file()] == []


def test_every_target_that_the_documents_name_is_in_the_makefile():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    documents = README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert set(re.findall(r"(?:`|^)make ([a-z-]+)", documents, re.MULTILINE)) <= targets


def test_each_station_from_a_slider_to_the_picture_is_where_the_guide_says():
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    stations = re.findall(
        r"^\d+\. (.*(?:\n   .*)*)", guide.partition("## From a slider")[2].partition("\n## ")[0], re.M
    )
    assert len(stations) == 8
    for station in stations:
        named = re.findall(r"`([^`]+)`", station)
        files = [name for name in named if re.search(r"\.(js|py)$", name)]
        found = [[*ROOT.glob(f"kpviz/{file}"), *ROOT.glob(f"kpviz/**/{file}")] for file in files]
        assert [file for file, paths in zip(files, found, strict=True) if not paths] == []
        text = "".join(path.read_text(encoding="utf-8") for paths in found for path in paths)
        names = [part for name in named if name not in files for part in name.split(".")]
        assert names
        assert [name for name in names if not re.search(rf"(def|class|function|\n ) {re.escape(name)}\b", text)] == []
