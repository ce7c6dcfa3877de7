"""`kpviz train` and `kpviz plot`: what they read, say and write."""

import errno
import json
import os
import re
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest
from drawing import drawn, png

from kpviz import experiment
from kpviz.commands import output, work
from kpviz.engine.data.tables import read_table
from kpviz.export import record, settings_file
from kpviz.export.notebook import notebook
from kpviz.export.script import numpy_script
from kpviz.settings import BY_NAME, FILE, Settings

LINK = "http://localhost:8501/?v=1&data=moons&n=40&kernel=polynomial&t=7&show=alpha.code&embed=true"
SETTINGS = Settings.of(data="moons", n=40, kernel="polynomial")
TABLE = b"id,width,height,kind\n" + b"".join(
    b"%d,%d.5,%d,%s\n" % (i, i * 7 % 11, i * 5 % 13, b"rose" if i % 3 else b"iris") for i in range(30)
)


def csv_of(settings, table=None):
    return record.to_csv(experiment.run(settings, experiment.prepare(settings, table)))


# ---- what is read ---------------------------------------------------------------------------------


def test_the_report_says_what_was_learnt_and_how_it_ended(kpviz):
    code, output, complaint = kpviz("train", "data=xor")
    lines = dict(line.split(maxsplit=1) for line in output.splitlines())
    run = experiment.run(Settings.of())
    assert (code, complaint) == (0, "")
    assert lines["data"] == "XOR: 60 examples"
    assert lines["model"].startswith("Gaussian, σ = 0.5 · Perceptron · η = 1")
    assert lines["mistakes"] == "8 3 0 in 3 epochs"
    assert lines["end"] == "A clean pass: converged after 3 epochs and 11 mistakes."
    assert lines["support"].startswith(f"{len(run.state_at(run.n_steps).support)} of 60 examples: ")
    assert lines["error"] == "0.0% of the examples"


@pytest.mark.parametrize(
    "source", [LINK, LINK.partition("/?")[2], "?" + LINK.partition("?")[2], LINK.upper()[:4] + LINK[4:]]
)
def test_a_link_is_read_with_or_without_its_address(kpviz, source):
    assert kpviz("train", source, "--csv", "-", "--quiet") == (0, csv_of(SETTINGS), "")


def test_pins_panels_and_the_step_of_a_link_are_nothing_to_train(kpviz):
    code, _, complaint = kpviz("train", f"{LINK}&pins=9&p1.kernel=nonsense&t=abc&show=nonsense", "--strict")
    assert (code, complaint) == (0, "")


def test_a_settings_file_is_read_by_path_and_from_standard_input(kpviz, typed):
    text = settings_file.write(SETTINGS)
    Path("moons.json").write_text(text)
    typed(text.encode())
    for source in ("moons.json", "-"):
        assert kpviz("train", source, "--csv=-", "--quiet") == (0, csv_of(SETTINGS), "")


def test_a_table_is_read_by_path_and_from_standard_input(kpviz, typed):
    Path("flowers=.tsv").write_bytes(TABLE.replace(b",", b"\t"))  # a path that exists is no query
    typed(TABLE)
    expected = csv_of(Settings.of(data=FILE), read_table(TABLE))
    for source in ("flowers=.tsv", "-"):
        assert kpviz("train", source, "--csv=-", "--quiet") == (0, expected, "")


def test_what_was_made_of_a_table_is_noted(kpviz, typed):
    typed(TABLE.partition(b"\n")[2] + b"30,what,5,rose\n31,1,1,tulip\n")
    output = kpviz("train", "-")[1]
    assert re.search(r"^note +.* first line", output, re.MULTILINE)
    assert re.search(r"^note +1 row left out: line 31 has 'what'", output, re.MULTILINE)
    assert re.search(r"^note +Rows of other classes \('tulip'\) left out: 1\.$", output, re.MULTILINE)


def test_a_table_is_used_as_it_is_set(kpviz):
    Path("flowers.csv").write_bytes(TABLE)
    changes = {"cols": "id~height~kind~rose~iris", "held": "0.3", "kernel": "linear", "epochs": "3"}
    code, output, _ = kpviz("train", "flowers.csv", *(f"--set={name}={value}" for name, value in changes.items()))
    assert code == 0
    assert "flowers.csv: 21 examples, 9 more held out\n" in output
    assert re.search(r"error +[\d.]+% of the examples, [\d.]+% of those held out\n", output)


def test_what_was_as_usual_stays_as_usual_when_something_is_set(kpviz):
    _, output, complaint = kpviz("train", LINK, "--set", "data=circles", "--csv=-", "--quiet")
    assert output == csv_of(SETTINGS.replace(data="circles"))
    assert complaint == ""


def test_of_what_is_set_twice_the_last_counts(kpviz):
    assert kpviz("train", "", "--set=seed=1", "--set=seed=2", "--csv=-", "--quiet")[0] == 1  # "" is no link
    assert kpviz("train", "?", "--set=seed=1", "--set=seed=2", "--csv=-", "--quiet")[1] == csv_of(Settings.of(seed=2))


def test_every_setting_is_listed(kpviz):
    for name in ("train", "plot"):
        code, output, _ = kpviz(name, "--list-settings")
        assert code == 0
        assert [line.split()[0] for line in output.splitlines() if line.startswith("  ")] == list(BY_NAME)


def test_help_teaches_what_a_link_is_by_example(kpviz):
    for name in ("train", "plot"):
        code, output, _ = kpviz(name, "--help")
        assert code == 0
        assert "quotation marks" in output
        examples = re.findall(rf"^  kpviz {name} (\S.*)$", output, re.MULTILINE)
        assert len(examples) >= 3


# ---- what is written ------------------------------------------------------------------------------


def test_everything_is_written_at_once_and_named_in_the_report(kpviz):
    code, output, _ = kpviz("train", LINK, "--csv=a.csv", "--json=b.json", "--save-settings=c.json")
    assert code == 0
    assert re.search(r"^wrote +a.csv, b.json, c.json$", output, re.MULTILINE)
    split = experiment.prepare(SETTINGS)
    assert Path("a.csv").read_text() == csv_of(SETTINGS)
    assert json.loads(Path("b.json").read_text()) == json.loads(
        record.to_json(experiment.run(SETTINGS, split), SETTINGS, split)
    )
    assert settings_file.read(Path("c.json").read_bytes()) == (SETTINGS, None, None)
    assert sorted(os.listdir()) == ["a.csv", "b.json", "c.json"]


def test_what_is_written_as_python_is_the_run_of_the_link(kpviz):
    code, _, _ = kpviz("train", LINK, "--python=a.py", "--sklearn=b.py", "--notebook=c.ipynb", "--quiet")
    split = experiment.prepare(SETTINGS)
    assert code == 0
    assert Path("a.py").read_text() == numpy_script(SETTINGS, split)
    assert Path("b.py").read_text() == numpy_script(SETTINGS, split)
    assert Path("c.ipynb").read_text() == notebook(SETTINGS, split)


def test_what_cannot_be_made_leaves_nothing_written(kpviz, monkeypatch):
    def refused(*_):
        raise ValueError("This cannot be made.")

    monkeypatch.setattr(record, "to_json", refused)
    assert kpviz("train", "?", "--csv=a.csv", "--json=b.json") == (1, "", "kpviz: This cannot be made.\n")
    assert os.listdir() == []


def test_a_table_and_its_saved_settings_make_the_same_run(kpviz):
    Path("flowers.csv").write_bytes(TABLE)
    _, first, _ = kpviz(
        "train", "flowers.csv", "--set=n=20", "--set=seed=3", "--save-settings=f.json", "--csv=-", "--quiet"
    )
    assert kpviz("train", "f.json", "--csv=-", "--quiet") == (0, first, "")


def test_beside_a_file_on_standard_output_the_report_goes_to_the_other(kpviz):
    code, output, complaint = kpviz("train", "?", "--csv=-")
    assert (code, output) == (0, csv_of(Settings.of()))
    assert complaint.startswith("data ")


def test_a_file_that_is_there_is_replaced_and_keeps_its_rights(kpviz):
    Path("run.csv").write_text("old")
    Path("run.csv").chmod(0o640)
    Path("link.csv").symlink_to("run.csv")
    assert kpviz("train", "?", "--csv=link.csv", "--quiet") == (0, "", "")
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
    code, output, complaint = kpviz("train", "?", "--csv=run.csv")
    assert (code, output) == (1, "")
    assert complaint == "kpviz: 'run.csv' cannot be written: No space left on device.\n"
    assert Path("run.csv").read_text() == "old"
    assert os.listdir() == ["run.csv"]


def test_a_pipe_stays_a_pipe():
    os.mkfifo("pipe")
    with subprocess.Popen(["cat", "pipe"], stdout=subprocess.PIPE) as reader:
        output.write("pipe", "content")
        assert reader.communicate(timeout=20)[0] == b"content"
    assert Path("pipe").is_fifo()


# ---- pictures -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "t", "theme"),
    [
        ((LINK,), 7, "light"),
        ((LINK, "--step=12"), 12, "light"),
        ((LINK, "--t=0", "--theme=dark"), 0, "dark"),
        ((LINK.replace("&t=7", ""),), None, "light"),
        ((LINK.replace("t=7", "t=999999"),), None, "light"),
    ],
)
def test_the_picture_is_that_of_the_app_at_the_step_asked_for(kpviz, arguments, t, theme):
    usual = t == 7
    size, dpi = ("2560x1440", {}) if usual else ("640x360", {"dpi": 200})
    given = () if usual else (f"--size={size}",)
    assert kpviz("plot", *arguments, "--out=a.png", *given) == (0, "", f"wrote a.png ({size})\n")
    wanted = drawn(SETTINGS, t, None if usual else (3.2, 1.8), theme=theme, panels=("alpha", "code"))
    assert Path("a.png").read_bytes() == png(wanted, **dpi)


def test_a_picture_is_written_in_the_format_of_its_name(kpviz):
    for name, begins in (("a.PNG", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.pdf", b"%PDF")):
        size = " (2560x1440)" if name == "a.PNG" else ""
        assert kpviz("plot", "data=iris&held=0.3", f"--out={name}") == (0, "", f"wrote {name}{size}\n")
        assert Path(name).read_bytes().startswith(begins)


@pytest.mark.parametrize("size", ["320x320", "1921x1081", "333x999"])
def test_a_picture_has_the_size_asked_for(kpviz, size):
    kpviz("plot", "?", "--out=a.png", f"--size={size}")
    width, height = struct.unpack(">II", Path("a.png").read_bytes()[16:24])
    assert f"{width}x{height}" == size


def test_a_step_that_is_none_is_said_and_the_last_is_drawn(kpviz):
    code, _, complaint = kpviz("plot", LINK.replace("t=7", "t=abc"), "--out=a.png", "--size=640x360", "--quiet")
    assert code == 0
    assert complaint == "kpviz: The step of this link is not a number, so the last one is taken.\n"
    assert kpviz("plot", LINK.replace("t=7", "t=abc"), "--out=a.svg", "--step=3", "--quiet")[2] == ""


def test_a_step_beyond_the_end_is_refused(kpviz):
    code, _, complaint = kpviz("plot", "?", "--out=a.png", "--step=181")
    assert (code, complaint) == (1, "kpviz: Step 181 is beyond the end: this run has 180 steps.\n")


# ---- at a terminal --------------------------------------------------------------------------------


def test_progress_is_shown_at_a_terminal_only_and_leaves_no_trace(kpviz, monkeypatch):
    long = "data=xor&n=500&kernel=linear&learner=pa&epochs=200"
    assert kpviz("train", long, "--quiet") == (0, "", "")
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda stream: True)
    code, output, shown = kpviz("train", long, "--quiet")
    assert (code, output) == (0, "")
    assert re.match(r"(\r\x1b\[K[\d,]+ of at most 100,000 steps)+\r\x1b\[K$", shown)


def test_an_interrupt_leaves_with_130_and_without_a_word(kpviz, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(work.experiment, "run", interrupted)
    Path("run.csv").write_text("old")
    assert kpviz("train", "?", "--csv=run.csv") == (130, "", "")
    assert Path("run.csv").read_text() == "old"


COMMAND = [sys.executable, "-m", "kpviz.cli"]


def test_control_c_stops_a_long_training():
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    os.mkfifo("pipe")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have let it be ignored, here and below
    with subprocess.Popen([*COMMAND, "train", "pipe", "--csv=run.csv"], **options) as process:
        with open("pipe", "wb") as pipe:  # opens as soon as the command reads
            pipe.write(settings_file.write(Settings.of(n=1000, kernel="linear", epochs=1000)).encode())
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        output, complaint = process.communicate(timeout=60)
    assert (process.returncode, output, complaint) == (130, "", "")
    assert os.listdir() == ["pipe"]


def test_a_reader_that_leaves_early_is_no_error_to_speak_of():
    many = [*COMMAND, "train", "data=xor&n=1000&kernel=linear&epochs=20", "--csv", "-", "--quiet"]
    with subprocess.Popen(many, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"step,epoch,example,y,f,margin,mistake,alpha\n"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_a_terminal_without_greek_letters_is_written_to_all_the_same():
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run([*COMMAND, "train", "?"], capture_output=True, env=ascii_only, text=True, check=True)
    assert "Gaussian, ? = 0.5" in done.stdout


def test_training_loads_neither_streamlit_nor_matplotlib():
    code = "import sys; from kpviz import cli; cli.main(['train', '?', '--json=a.json']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"streamlit", "matplotlib", "sklearn"} & set(done.stdout.split())
