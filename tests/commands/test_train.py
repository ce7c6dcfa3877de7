"""`kpviz train`: what it reads, says and writes; and what happens at a terminal."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from kpviz import experiment
from kpviz.commands import inputs, output, report, work
from kpviz.engine.data.drawn import Drawn
from kpviz.engine.data.tables import read_table
from kpviz.export import record, settings_file
from kpviz.export.notebook import notebook
from kpviz.export.script import numpy_script
from kpviz.lessons import shelf
from kpviz.settings import BY_NAME, FILE, Settings

LINK = "http://localhost:8501/?v=1&data=moons&n=40&kernel=polynomial&t=7&show=alpha.code&embed=true"
SETTINGS = Settings.of(data="moons", n=40, kernel="polynomial")
TABLE = b"id,width,height,kind\n" + b"".join(
    b"%d,%d.5,%d,%s\n" % (i, i * 7 % 11, i * 5 % 13, b"rose" if i % 3 else b"iris")
    for i in range(30)
)
COMMAND = [sys.executable, "-m", "kpviz"]
CSV = ("-o", "-", "--quiet")


def csv_of(settings, table=None):
    split = experiment.prepare(settings, table)
    return record.to_csv(experiment.run(settings, split), split.lines)


LESSON = "lesson-08-bounds"
COPIED = f"http://localhost:8501/?v=1&t=4&lesson={LESSON}&scene=4"


def test_every_command_takes_the_link_that_is_copied_while_a_lesson_is_open(kpviz):
    """At its defaults a link shows what the scene shows."""
    settings = shelf.read(LESSON).scenes[3].link.settings
    assert kpviz("train", COPIED, *CSV) == (0, csv_of(settings), "")
    assert kpviz("sweep", COPIED, "eta", "--values", "1")[0] == 0
    assert kpviz("plot", COPIED, "-o", "x-{step}.svg", "--quiet") == (0, "", "")
    assert kpviz("render", COPIED, "-o", "x.html", "--quiet") == (0, "", "")
    assert Path("x-4.svg").stat().st_size > 1000
    assert Path("x.html").stat().st_size > 100_000


def test_beside_a_lesson_settings_of_the_link_are_what_is_shown(kpviz):
    assert kpviz("train", f"{LINK}&lesson={LESSON}&scene=3", *CSV) == (0, csv_of(SETTINGS), "")


def test_the_report_says_what_was_learnt_and_how_it_ended(kpviz):
    code, output, complaint = kpviz("train", "data=xor")
    lines = dict(line.split(maxsplit=1) for line in output.splitlines())
    run = experiment.run(Settings.of())
    assert (code, complaint) == (0, "")
    assert lines["data"] == "XOR: 60 examples"
    assert lines["model"].startswith("Gaussian, σ = 0.5 · Perceptron · η = 1")
    assert lines["mistakes"] == "8 3 0 in 3 epochs"
    assert lines["end"] == "An epoch without a mistake: converged after 3 epochs and 11 mistakes."
    assert lines["support"].startswith(f"{len(run.state_at(run.n_steps).support)} of 60 examples: ")
    assert lines["error"] == "0.0% of the examples"


def test_a_report_of_a_run_without_an_epoch_has_no_line_of_mistakes(kpviz):
    one_class = Drawn.of(np.array([[0.0, 0.0], [1.0, 0.5]]), np.ones(2)).code
    code, output, _ = kpviz("train", f"data=drawn&points={one_class}&learner=svm")
    assert code == 0
    assert "in 0 epochs" not in output
    assert "mistakes" not in output


@pytest.mark.parametrize(
    "source",
    [
        LINK,
        LINK.partition("/?")[2],
        LINK.upper()[:4] + LINK[4:],
        f"{LINK}&pins=9&p1.kernel=no&t=abc&show=no",
    ],
    ids=["address", "query", "capitals", "nothing to train"],
)
def test_a_link_is_read_with_or_without_its_address(kpviz, source):
    assert kpviz("train", source, *CSV) == (0, csv_of(SETTINGS), "")


def test_files_are_read_by_path_and_from_standard_input(kpviz, typed):
    Path("moons.json").write_text(settings_file.write(SETTINGS))
    Path("flowers=.tsv").write_bytes(TABLE.replace(b",", b"\t"))  # a path that exists is no query
    for name, settings, table in (
        ("moons.json", SETTINGS, None),
        ("flowers=.tsv", Settings.of(data=FILE), TABLE),
    ):
        typed(table or Path(name).read_bytes())
        expected = csv_of(settings, table and read_table(table))
        for source in (name, "-"):
            assert kpviz("train", source, *CSV) == (0, expected, "")
    changed = csv_of(
        SETTINGS.replace(data="circles", seed=2)
    )  # of what is set twice the last counts
    assert kpviz("train", LINK, "--set=data=circles", "--set=seed=1", "--set=seed=2", *CSV) == (
        0,
        changed,
        "",
    )


def test_a_table_is_used_as_it_is_set_and_what_was_made_of_it_is_noted(kpviz):
    Path("flowers.csv").write_bytes(TABLE + b"30,what,5,rose\n31,1,1,tulip\n")
    changes = {"cols": "id~height~kind~rose~iris", "held": "0.3", "kernel": "linear", "epochs": "3"}
    code, output, _ = kpviz(
        "train", "flowers.csv", *(f"--set={name}={value}" for name, value in changes.items())
    )
    assert code == 0
    assert re.search(r"flowers.csv: 2\d examples, \d+ more held out\n", output)
    assert re.search(r"error +[\d.]+% of the examples, [\d.]+% of those held out\n", output)
    assert re.search(
        r"^note +Rows of other classes \('tulip'\) left out: 1\.$", output, re.MULTILINE
    )


def test_all_rows_of_a_table_are_trained_on_after_a_sample_has_told_what_that_takes(kpviz):
    rows = "".join(f"{i % 37},{i % 41},{'ab'[i % 37 > i % 41]}\n" for i in range(2500))
    Path("many.csv").write_text(f"u,v,kind\n{rows}")
    changes = ("--set=epochs=2", "--set=kernel=gaussian", "--set=order=shuffled")
    code, output, complaint = kpviz("train", "many.csv", "--all-rows", *changes, "-o", "run.csv")
    assert code == 0
    assert re.match(
        r"kpviz: 2,500 examples may take up to 1\d\d MB and \d+ s, as 1,000 of them tell;",
        complaint,
    )
    assert "many.csv: 2,500 examples" in output
    table = read_table(Path("many.csv").read_bytes(), "many.csv")
    settings = inputs.read(
        "many.csv", dict(change.removeprefix("--set=").split("=") for change in changes)
    ).settings
    split = experiment.prepare(settings, table, all_rows=True)
    assert len(split.y) == 2500
    run = experiment.run(settings, split)
    assert f"mistakes   {' '.join(map(str, run.mistakes_per_epoch))} in 2 epochs" in output
    assert f"{(run.y * run.decision_function(run.X) <= 0).mean():.1%} of the examples" in output
    assert Path("run.csv").read_text() == record.to_csv(run, split.lines)


def test_all_rows_are_those_of_a_table_and_only_their_csv_is_written(kpviz):
    refused = kpviz("train", "data=xor", "--all-rows")
    assert refused == (
        1,
        "",
        "kpviz: --all-rows is for a table, or for a settings file that holds one.\n",
    )
    Path("few.csv").write_bytes(TABLE)
    assert kpviz("train", "few.csv", "--all-rows", *CSV) == kpviz(
        "train", "few.csv", *CSV
    )  # nothing is trained twice
    for name in ("a.json", "a.py", "a.ipynb", "a.settings.json"):
        code, _, complaint = kpviz("train", "few.csv", "--all-rows", "-o", name)
        assert (code, complaint) == (
            1,
            f"kpviz: {name} cannot hold a run of all rows: with --all-rows only .csv is written.\n",
        )
        assert not Path(name).exists()


def test_every_setting_is_listed_with_what_it_may_be(kpviz):
    output = kpviz("plot", "--list-settings")[1]
    lines = dict(line.split(maxsplit=1) for line in output.splitlines() if line.startswith("  "))
    assert list(lines) == list(BY_NAME)
    assert "literal, parity, majority, three*, multiplexer" in lines["function"]
    assert "exp(-norm(u - v)**2/2)" in lines["formula"]
    assert "+what a goal;-boil the rice" in lines["added"]
    assert lines["components"].startswith("N (")


@pytest.mark.parametrize(
    "link", [LINK, "data=trees&held=0.2", "kernel=formula&formula=exp(-norm(u-v)**2)%2B1&n=16"]
)
def test_everything_is_written_at_once_and_named(kpviz, link):
    names = ["a.csv", "b.json", "c.settings.json", "d.py", "e.ipynb"]
    code, _, complaint = kpviz("train", link, *(f"--out={name}" for name in names))
    assert (code, complaint) == (0, "".join(f"wrote {name}\n" for name in names))
    settings = settings_file.read(Path("c.settings.json").read_bytes())[0]
    split = experiment.prepare(settings)
    assert Path("a.csv").read_text() == csv_of(settings)
    assert Path("b.json").read_text() == record.to_json(
        experiment.run(settings, split), settings, split
    )
    assert Path("d.py").read_text() == numpy_script(settings, split)
    assert Path("e.ipynb").read_text() == notebook(settings, split)
    assert kpviz("train", "c.settings.json", *CSV) == (0, csv_of(settings), "")


def test_what_cannot_be_made_leaves_nothing_written(kpviz, monkeypatch):
    def refused(*_):
        raise ValueError("This cannot be made.")

    monkeypatch.setattr(record, "to_json", refused)
    assert kpviz("train", "?", "-o=a.csv", "-o=b.json") == (1, "", "kpviz: This cannot be made.\n")
    assert os.listdir() == []


def test_beside_a_file_on_standard_output_the_report_goes_to_the_other(kpviz):
    code, output, complaint = kpviz("train", "?", "-o", "json:-")
    assert (code, json.loads(output)["kpviz"], complaint[:5]) == (0, "run", "data ")


def test_a_file_that_is_there_is_replaced_and_keeps_its_rights(kpviz):
    Path("run.csv").write_text("old")
    Path("run.csv").chmod(0o640)
    Path("link.csv").symlink_to("run.csv")
    assert kpviz("train", "?", "-o", "link.csv", "--quiet") == (0, "", "")
    assert Path("run.csv").read_text() == csv_of(Settings.of())
    assert Path("run.csv").stat().st_mode & 0o777 == 0o640
    assert Path("link.csv").is_symlink()


def test_a_file_is_written_whole_or_not_at_all(kpviz, monkeypatch):
    def full(path, data):
        with open(path, "wb") as file:
            file.write(data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    Path("run.csv").write_text("old")
    monkeypatch.setattr(Path, "write_bytes", full)
    complaint = "kpviz: 'run.csv' cannot be written: no space is left on its disk.\n"
    assert kpviz("train", "?", "-o", "run.csv", "--quiet") == (1, "", complaint)
    assert Path("run.csv").read_text() == "old"
    assert os.listdir() == ["run.csv"]


def test_a_pipe_stays_a_pipe():
    os.mkfifo("pipe")
    with subprocess.Popen(["cat", "pipe"], stdout=subprocess.PIPE) as reader:
        output.write("pipe", "content")
        assert reader.communicate(timeout=20)[0] == b"content"
    assert Path("pipe").is_fifo()


# ---- at a terminal -------------------------------------------------------------------------------


def test_progress_is_shown_at_a_terminal_only_and_leaves_no_trace(kpviz, monkeypatch):
    long = "data=xor&n=500&kernel=linear&learner=pa&epochs=200"
    assert kpviz("train", long, "--quiet") == (0, "", "")
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda stream: True)
    code, output, shown = kpviz("train", long, "--quiet")
    assert (code, output) == (0, "")
    assert re.match(r"(\r\x1b\[K[\d,]+ of at most 100,000 steps)+\r\x1b\[K$", shown)


def test_a_bar_says_which_of_several_is_being_made(monkeypatch, capsys):
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda stream: True)
    with work.Progress() as progress:
        assert list(progress.over("ab", "scene")) == ["a", "b"]
    shown = [f"{'░' * 24} scene 1 of 2", f"{'█' * 12}{'░' * 12} scene 2 of 2", ""]
    assert capsys.readouterr().err == "".join(f"\r\x1b[K{line}" for line in shown)


@pytest.mark.parametrize("columns", [20, 24, 40, 57, 80, 200])
@pytest.mark.parametrize("text", ["scene 1 of 2", "4,321 of 12,345 frames, 3 min left", "x" * 300])
def test_a_bar_fits_any_terminal(monkeypatch, capsys, columns, text):
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda stream: True)
    monkeypatch.setattr(os, "get_terminal_size", lambda number: os.terminal_size((columns, 24)))
    with work.Progress() as progress:
        progress.bar(1, 2, text)
    line, *_ = capsys.readouterr().err.removeprefix("\r\x1b[K").split("\r")
    assert len(line) < columns  # the last column would begin another line
    assert line.endswith(text[: columns - 1])


def test_control_c_stops_a_long_training_with_130_and_without_a_word():
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    os.mkfifo("pipe")
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a shell may have let it be ignored, here and below
    with subprocess.Popen([*COMMAND, "train", "pipe", "-o", "run.csv"], **options) as process:
        with open("pipe", "wb") as pipe:  # opens as soon as the command reads
            pipe.write(
                settings_file.write(Settings.of(n=1000, kernel="linear", epochs=1000)).encode()
            )
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        output, complaint = process.communicate(timeout=60)
    assert (process.returncode, output, complaint) == (130, "", "")
    assert os.listdir() == ["pipe"]


def test_a_reader_that_leaves_early_is_no_error_to_speak_of():
    many = [*COMMAND, "train", "data=xor&n=1000&kernel=linear&epochs=20", *CSV]
    with subprocess.Popen(many, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"step,epoch,example,y,f,margin,mistake,alpha\n"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_a_terminal_without_greek_letters_is_written_to_all_the_same():
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [*COMMAND, "train", "?"], capture_output=True, env=ascii_only, text=True, check=True
    )
    assert "Gaussian, ? = 0.5" in done.stdout


def test_training_loads_neither_streamlit_nor_matplotlib_and_help_not_even_numpy():
    for arguments, unloaded in (
        ("['train', '?']", {"streamlit", "matplotlib", "sklearn"}),
        ("[]", {"numpy"}),
    ):
        code = f"import sys; from kpviz import cli; cli.main({arguments}); print(*sys.modules)"
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        assert not unloaded & set(done.stdout.split())


@pytest.mark.parametrize("epochs", [1, 2, 20, 22, 23, 24, 25, 40, 90])
def test_a_list_that_is_shortened_is_its_beginning_and_its_end(epochs):
    settings = Settings.of(
        data="moons", n=60, noise=0.4, flipped=0.2, kernel="linear", epochs=epochs
    )
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    told = dict(re.findall(r"^(\w+) +(.+)$", report.of_run(settings, split, run), re.MULTILINE))
    lists = {
        "mistakes": (run.mistakes_per_epoch.tolist(), told["mistakes"].partition(" in ")[0]),
        "support": (run.state_at(run.n_steps).support.tolist(), told["support"].partition(": ")[2]),
    }
    for name, (numbers, words) in lists.items():
        beginning, shortened, end = words.partition(" … ")
        first, last = ([int(number) for number in part.split()] for part in (beginning, end))
        assert first == numbers[: len(first)], name
        if shortened:
            assert last == numbers[len(numbers) - len(last) :], name
            assert 0 < len(last) < len(numbers) - len(first), name
        else:
            assert len(first) == len(numbers), name
    assert (" … " in told["mistakes"]) == (len(run.mistakes_per_epoch) > 23)
