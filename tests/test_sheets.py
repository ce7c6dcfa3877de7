"""Exercise sheets of other people, as files: every number that is printed there comes out of the
file as it is.
"""

import io
from pathlib import Path

import pytest
from numpy.testing import assert_allclose
from visitor import Page, file_of

import kpviz
from kpviz import experiment
from kpviz.engine.data.datasets import real_table
from kpviz.engine.data.tables import read_table, read_text
from kpviz.export import record
from kpviz.export.notebook import notebook
from kpviz.service import editing, stored
from kpviz.service.work import RunWork
from kpviz.settings import FILE, Settings

# (3, 3) and (4, 3) against (1, 1): example 2.1 of a well-known textbook
THREE = "x1,x2,y\n3,3,1\n4,3,1\n1,1,-1\n"
THREE_SETTINGS = {"kernel": "linear", "intercept": "unit"}
# github.com/tangjiahui/6.036_Machine_Learning/issues/1
EIGHT = "x1,x2,label\n1,1,1\n2,2,1\n1,2,-1\n2,1,-1\n2,3,1\n4,1,1\n1,3,-1\n3,3,-1\n"
EIGHT_SETTINGS = {"kernel": "polynomial", "degree": 3, "intercept": "unit", "epochs": 1000}
# github.com/rasbt/mlxtend/issues/589: weights change by eta * (target - output), which is twice
# 0.01
BOOK_SETTINGS = {"kernel": "linear", "intercept": "unit", "eta": 0.02, "tie": "positive"}


def iris_as_in_the_book():
    """The first hundred rows, sepal and petal length, in their order."""
    iris = real_table("iris")
    rows = [
        f"{row[0]},{row[2]},{iris.classes[int(kind)]}"
        for row, kind in zip(iris.values, iris.target, strict=True)
    ]
    return "sepal,petal,species\n" + "\n".join(rows[:100]) + "\n"


def trained(text, values, read=read_text):
    settings = Settings.of(data=FILE, file="sheet.csv~0", **values)
    split = experiment.prepare(settings, read(text))
    return split, experiment.run(settings, split)


def facts_of(page):
    return editing.facts(page.settings, stored.table(page.settings))


def weights(run):
    end = run.state_at(run.n_steps)
    return end.coef @ run.X


@pytest.mark.parametrize(
    "read", [read_text, lambda text: read_table(text.encode())], ids=["pasted", "opened"]
)
def test_three_points_of_a_textbook_are_a_run_of_seven_mistakes(read):
    split, run = trained(THREE, THREE_SETTINGS, read)
    end = run.state_at(run.n_steps)
    assert run.mistakes_per_epoch.tolist() == [2, 1, 1, 2, 1, 0]
    assert (run.index[run.mistake] + 1).tolist() == [1, 3, 3, 3, 1, 3, 3]
    assert end.alpha.tolist() == [2.0, 0.0, 5.0]
    assert (weights(run).tolist(), end.intercept) == ([1.0, 1.0], -3.0)
    assert split.lines.tolist() == [2, 3, 4]


def test_the_command_line_and_python_say_the_same_of_them(tmp_path, capsys):
    from kpviz.cli import main

    path = Path(tmp_path / "sheet.csv")
    path.write_text(THREE, encoding="utf-8")
    link = [text for name, value in THREE_SETTINGS.items() for text in ("--set", f"{name}={value}")]
    assert main(["train", str(path), *link, "-o", str(tmp_path / "sheet.run.csv")]) == 0
    report = dict(
        line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines() if " " in line
    )
    assert report["mistakes"] == "2 1 1 2 1 0 in 6 epochs"
    assert report["support"] == "2 of 3 examples: 0 (line 2), 2 (line 4)"
    first, second, *_ = (tmp_path / "sheet.run.csv").read_text().splitlines()
    assert first.split(",")[2] == "example"
    assert first.split(",")[-1] == "line"
    assert (second.split(",")[2], second.split(",")[-1]) == ("0", "2")
    run = kpviz.load(path)
    assert run.X.tolist() == [[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]]


def test_eight_points_with_cubic_features_take_365_epochs_and_1476_mistakes():
    _, run = trained(EIGHT, EIGHT_SETTINGS)
    assert (run.end, run.n_epochs, int(run.mistake.sum())) == ("clean", 365, 1476)


def test_iris_in_the_order_of_the_book_has_its_errors_and_weights():
    split, run = trained(iris_as_in_the_book(), BOOK_SETTINGS)
    assert run.mistakes_per_epoch.tolist() == [2, 2, 3, 2, 1, 0]
    assert run.state_at(run.n_steps).intercept == pytest.approx(-0.04)
    assert_allclose(weights(run), [-0.068, 0.182], atol=1e-12)
    assert split.lines.tolist() == list(range(2, 102))
    table = list(io.StringIO(record.to_csv(run, split.lines)))
    assert table[int(run.n_steps)].split(",")[-1] == "101\n"


@pytest.mark.parametrize(
    "command", [("paste", {"text": THREE}), file_of(THREE)], ids=["pasted", "opened"]
)
def test_the_app_runs_the_sheet_as_it_is(command):
    page = Page()
    page.do(command, ("set", THREE_SETTINGS))
    run = RunWork.of(page.settings, ()).trained().run
    assert run.mistakes_per_epoch.tolist() == [2, 1, 1, 2, 1, 0]
    assert facts_of(page) == ()


def test_scaled_features_are_said_with_one_button_either_way():
    page = Page()
    page.do(file_of(THREE.replace("4,3,1", "40,3,1")))
    (scaled,) = facts_of(page)
    assert scaled.words == "Features are scaled to ±1: k and w are of scaled values."
    (as_they_are,) = scaled.actions
    page.do(("set", as_they_are.changes))
    assert RunWork.of(page.settings, ()).trained().run.X.tolist() == [
        [3.0, 3.0],
        [40.0, 3.0],
        [1.0, 1.0],
    ]
    ((back,),) = (fact.actions for fact in facts_of(page))
    page.do(("set", back.changes))
    assert [fact.words for fact in facts_of(page)] == [scaled.words]
    page.undo()
    page.undo()
    assert facts_of(page) == (scaled,)


def test_a_sorted_sheet_is_shuffled_by_one_button():
    page = Page()
    page.do(file_of(iris_as_in_the_book()))
    (by_label,) = facts_of(page)
    assert "'setosa' come before those of class 'versicolor'" in by_label.words
    (shuffle,) = by_label.actions
    page.do(("set", shuffle.changes))
    assert page.settings.order == "shuffled"
    assert facts_of(page) == ()
    page.do(("set", {"order": "cyclic"}))
    assert facts_of(page) == (by_label,)


def test_the_axes_of_the_notebook_say_what_scaled_numbers_are():
    values = {"data": FILE, "file": "sheet.csv~0"}
    table = read_text(THREE.replace("4,3,1", "40,3,1"))
    scaled, plain = (Settings.of(**values, scale=scale) for scale in ("auto", "none"))
    text = notebook(scaled, experiment.prepare(scaled, table))
    assert (
        "xlabel='feature 1, scaled: −1 is 1, 1 is 40', ylabel='feature 2, scaled: −1 is 1, 1 is 3'"
        in text
    )
    assert "xlabel='feature 1', ylabel='feature 2'" in notebook(
        plain, experiment.prepare(plain, table)
    )
