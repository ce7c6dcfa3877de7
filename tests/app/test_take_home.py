"""What one takes home: each file holds what the run on the screen is, and is made only when it is asked for."""

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
import segno
import streamlit as st
from playing import about
from playing import part_ran as ran
from streamlit.testing.v1 import AppTest
from visitor import Page, file_of

import kpviz
from kpviz import experiment
from kpviz.app import runs, take_home
from kpviz.engine.data.drawn import Drawn
from kpviz.export import settings_file
from kpviz.export.print import typeset
from kpviz.export.print.worksheet import Worksheet
from kpviz.service import stored
from kpviz.service.caches import forget
from kpviz.settings import DRAWN, FILE, MOST_IN_LINKS, Settings

APP = str(Path(kpviz.__file__).parent / "app" / "pages.py")
KINDS = {
    "numpy.py": "text/x-python",
    "ipynb": "application/x-ipynb+json",
    "worksheet.pdf": "application/pdf",
    "solutions.pdf": "application/pdf",
    "run.csv": "text/csv",
    "run.json": "application/json",
    "examples.csv": "text/csv",
    "settings.json": "application/json",
}
TABLE = "width,height,kind\n" + "".join(f"{7 * i % 40}.5,{i * i % 17},{'ab'[i % 2]}\n" for i in range(40))


def drawn(n):
    draw = np.random.default_rng(n)
    return Drawn.of(draw.uniform(-1.0, 1.0, (n, 2)), draw.choice([-1.0, 1.0], n))


def of_a_file():
    page = Page(Settings.of(held=0.25, kernel="polynomial", epochs=5).link())
    assert page.do(file_of(TABLE)) == []
    return page.settings


RUNS = {
    "XOR": lambda: Settings.of(n=30, held=0.2, noise=0.2),
    "a measured one": lambda: Settings.of(data="iris", learner="svm", epochs=3),
    "averaged": lambda: Settings.of(data="moons", predictor="averaged", kernel="laplacian", order="shuffled"),
    "my own points": lambda: Settings.of(data=DRAWN, points=drawn(9).code, learner="oldest", budget=3, epochs=4),
    "my own file": of_a_file,
}


@pytest.fixture
def offered(monkeypatch):
    """Return a function that opens the dialog for some settings; it returns the page and what can be downloaded."""

    def dialog(settings, **more):
        made = {}

        def button(label, data, name, mime, **options):
            ending = name.removeprefix(f"kpviz-{settings.data}-{settings.kernel}.")
            made[ending] = (data, mime, label, options)

        monkeypatch.setattr(st, "download_button", button)
        at = AppTest.from_file(APP, default_timeout=60)
        at.session_state["session"] = about(settings, dialog="take home", **more)
        return ran(at), made

    return dialog


def executed(text, monkeypatch, capsys):
    """What a script prints."""
    monkeypatch.setattr("matplotlib.pyplot.show", lambda: None)
    capsys.readouterr()
    exec(compile(text, "script", "exec"), {"__name__": "__main__"})
    return capsys.readouterr().out


def mistakes(printed):
    return [int(count) for count in re.findall(r"^epoch \d+: (\d+) mistakes?$", printed, re.MULTILINE)]


def run_of(settings):
    split = experiment.prepare(settings, stored.table(settings))
    return split, experiment.run(settings, split)


# ---- files ------------------------------------------------------------------------------------------


def test_nothing_is_made_or_trained_before_it_is_asked_for(offered, monkeypatch):
    settings = Settings.of(n=12)
    offered(settings)  # the run is on the shelf now

    def never(*_, **__):
        raise AssertionError("trained")

    monkeypatch.setattr(runs, "lineup_of", never)
    _, files = offered(settings)
    assert {ending: (mime, options["on_click"]) for ending, (_, mime, _, options) in files.items()} == {
        ending: (mime, "ignore") for ending, mime in KINDS.items()
    }
    with pytest.raises(AssertionError, match="trained"):
        files["run.csv"][0]()


@pytest.mark.parametrize("settings", RUNS.values(), ids=RUNS)
def test_script_and_notebook_print_the_mistakes_of_the_run(offered, monkeypatch, capsys, settings):
    made = settings()
    _, run = run_of(made)
    wanted = run.mistakes_per_epoch.tolist()
    at, files = offered(made)
    (script, *_) = (block.value for block in at.code)
    assert files["numpy.py"][0]().rstrip() == script
    assert mistakes(executed(script, monkeypatch, capsys)) == wanted
    notebook = json.loads(files["ipynb"][0]())
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert mistakes(executed("\n".join(cells), monkeypatch, capsys)) == wanted


@pytest.mark.parametrize("settings", RUNS.values(), ids=RUNS)
def test_the_worksheet_is_the_one_of_the_command_and_begins_at_the_instant(offered, settings):
    made = settings()
    split, run = run_of(made)
    _, files = offered(made, picture=2)
    for ending, solved in (("worksheet.pdf", False), ("solutions.pdf", True)):
        assert files[ending][0]() == typeset.pdf(Worksheet(made.without_cues, split, run, 2).sheet(solved=solved))


def test_without_what_sets_sheets_one_sentence_says_so(offered, monkeypatch):
    monkeypatch.setattr(take_home, "find_spec", lambda name: None)
    at, files = offered(Settings.of(n=12))
    assert "worksheet.pdf" not in files
    assert at.info[0].value == typeset.MISSING


@pytest.mark.parametrize("settings", RUNS.values(), ids=RUNS)
def test_the_tables_hold_the_run_in_full_precision(offered, settings):
    made = settings()
    split, run = run_of(made)
    _, files = offered(made)
    rows = list(csv.DictReader(io.StringIO(files["run.csv"][0]())))
    assert [int(row["example"]) for row in rows] == run.index.tolist()
    assert [float(row["f"]) for row in rows] == run.score.tolist()
    assert [float(row["margin"]) for row in rows] == (run.y[run.index] * run.score).tolist()
    assert [row["mistake"] == "1" for row in rows] == run.mistake.tolist()
    last = {int(row["example"]): float(row["alpha"]) for row in rows}
    if made.learner == "perceptron":
        assert [last[i] for i in range(len(run.y))] == run.state_at(run.n_steps).alpha.tolist()
    whole = json.loads(files["run.json"][0]())
    assert whole["alpha"] == run.state_at(run.n_steps).alpha.tolist()
    assert whole["X"] == run.X.tolist()
    assert whole["X_test"] == split.X_test.tolist()
    assert whole["score"] == run.score.tolist()


@pytest.mark.parametrize("settings", RUNS.values(), ids=RUNS)
def test_settings_and_examples_are_opened_again(offered, settings):
    made = settings()
    split, _ = run_of(made)
    _, files = offered(made)
    kept, examples = files["settings.json"][0](), files["examples.csv"][0]()
    forget()
    session = Page()
    assert session.do(file_of(kept, "kept.json")) == []
    if made.data != FILE:
        assert session.settings == made
    again = experiment.prepare(session.settings, stored.table(session.settings))
    assert sorted(map(tuple, again.source.X.tolist())) == sorted(map(tuple, split.source.X.tolist()))
    assert settings_file.read(kept)[2] is None
    assert session.do(file_of(examples, "examples.csv")) == []
    assert len(experiment.prepare(session.settings, stored.table(session.settings)).source.y) == len(split.source.y)


def test_the_command_names_the_file_that_is_saved(offered):
    at, files = offered(Settings.of(data="moons", kernel="linear", epochs=2))
    assert "settings.json" in files
    assert "kpviz train kpviz-moons-linear.settings.json -o run.csv" in [block.value for block in at.code]


def test_without_examples_there_is_no_script_and_one_says_why(offered):
    at, files = offered(Settings.of(data=DRAWN))
    assert any("no examples to learn from" in info.value for info in at.info)
    assert "numpy.py" not in files
    assert files["ipynb"][3]["disabled"] is True
    assert files["run.csv"][0]().splitlines() == ["step,epoch,example,y,f,margin,mistake,alpha"]
    assert json.loads(files["settings.json"][0]())["points"] == []


# ---- the link ---------------------------------------------------------------------------------------

LAN = "http://192.168.1.20:8501"


@pytest.fixture
def at_address(monkeypatch):
    """Return a function that lets the page believe it was opened at an address."""

    def put(address):
        monkeypatch.setattr(type(st.context), "url", property(lambda self: address))

    return put


@pytest.mark.parametrize("address", [LAN, f"{LAN}/", f"{LAN}/?v=1&t=3"])
def test_the_link_is_the_players_own_with_the_instant_and_panels(offered, at_address, address):
    at_address(address)
    query = "v=1&sigma=0.3&t=12&show=alpha.code"
    at, _ = offered(Settings.of(sigma=0.3), address=query, picture=12)
    assert f"{LAN}/?{query}" in [block.value for block in at.code]


@pytest.mark.parametrize("stale", ["", "v=1&n=200&t=9", "v=1", "v=1&data=moons"])
def test_a_link_of_other_settings_is_not_shown(offered, at_address, stale):
    at_address(LAN)
    at, _ = offered(Settings.of(n=20), address=stale, picture=7)
    assert f"{LAN}/?v=1&n=20&t=7" in [block.value for block in at.code]


def test_the_code_for_phones_holds_the_link(offered, at_address, monkeypatch):
    coded = []
    make = segno.make
    monkeypatch.setattr(segno, "make", lambda content, **options: coded.append(content) or make(content, **options))
    at_address(LAN)
    at, _ = offered(Settings.of(sigma=0.3), address="v=1&sigma=0.3&t=12")
    assert coded == [f"{LAN}/?v=1&sigma=0.3&t=12"]
    assert len(at.image) == 1
    assert not at.info
    at_address("http://localhost:8501")
    at, _ = offered(Settings.of(sigma=0.3))
    assert len(coded) == 1
    assert not at.image
    assert [info.value for info in at.info] == [take_home.why_no_code("http://localhost:8501/?v=1")]


@pytest.mark.parametrize(
    ("address", "words"),
    [
        (f"{LAN}/?v=1", None),
        ("https://kpviz.example.org/?v=1&data=moons", None),
        (f"{LAN}/?{'x' * (900 - len(LAN) - 2)}", None),
        (f"{LAN}/?{'x' * (901 - len(LAN) - 2)}", "901"),
        (f"{LAN}/?{'x' * 4000}", "use fewer points"),
        ("http://localhost:8501/?v=1", "kpviz app --lan"),
        ("http://LOCALHOST/?v=1", "kpviz app --lan"),
        ("http://127.0.0.1:8501/?v=1", "kpviz app --lan"),
        ("http://[::1]:8501/?v=1", "kpviz app --lan"),
        ("/?v=1", "kpviz app --lan"),
    ],
)
def test_there_is_a_code_where_a_phone_can_read_and_reach_it(address, words):
    why = take_home.why_no_code(address)
    assert (why is None) == (words is None)
    assert words is None or words in why


@pytest.mark.parametrize(("n", "warned"), [(MOST_IN_LINKS, False), (MOST_IN_LINKS + 1, True)])
def test_points_that_a_link_cannot_hold_are_warned_of(offered, n, warned):
    settings = Settings.of(data=DRAWN, points=drawn(n).code, epochs=1)
    at, files = offered(settings)
    assert [warning.value.endswith("dropped there.") for warning in at.warning] == [True] * warned
    assert settings_file.read(files["settings.json"][0]())[0] == settings
    assert (len(settings.link()) < 100) == warned
    (link,) = (block.value.partition("?")[2] for block in at.code if "?v=1&" in block.value and "\n" not in block.value)
    stored.keep_points(settings)  # as its page brings them
    assert Page(link).settings == settings  # while this server has them
