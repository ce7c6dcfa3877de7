"""A stream that is closed is done without, or one sentence says that it is needed."""

import json
import subprocess
import sys

import pytest

LINK = "data=xor&n=4&epochs=1"


def ran(closed, *arguments):
    """Run kpviz with streams closed, as "1>&-"; return the exit code and what it says."""
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-m", "kpviz.cli", *arguments]
    done = subprocess.run(command, input="", capture_output=True, text=True, timeout=120)
    assert "Traceback" not in done.stderr
    assert "Error" not in done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("closed", ["1>&-", "0<&- 1>&- 2>&-"])
def test_a_run_is_written_whatever_streams_are_closed(closed, tmp_path):
    code, _, _ = ran(closed, "train", LINK, "-o", str(tmp_path / "run.csv"))
    assert code == 0
    assert (tmp_path / "run.csv").read_text().startswith("step,")


@pytest.mark.parametrize(("arguments", "code"), [(["--help"], 0), (["nonsense"], 2), (["train", "nonsense.csv"], 1)])
def test_help_and_refusals_do_without_a_closed_stream(arguments, code):
    assert ran("1>&- 2>&-", *arguments)[0] == code


@pytest.mark.parametrize(
    ("closed", "arguments", "expected"),
    [
        ("1>&-", ["train", LINK, "-o", "-"], "Standard output is closed: name a file instead of -."),
        ("1>&-", ["plot", LINK, "-o", "-"], "Standard output is closed: name a file instead of -."),
        ("0<&-", ["train", "-"], "Standard input is closed: give a link, a settings file or a table instead of -."),
    ],
)
def test_a_closed_stream_that_is_asked_for_is_refused_in_one_line(closed, arguments, expected):
    assert ran(closed, *arguments) == (1, "", f"kpviz: {expected}\n")


def test_what_is_complained_of_does_not_end_up_in_the_output_or_a_file(tmp_path):
    file = tmp_path / "run.json"
    code, output, _ = ran("2>&-", "train", f"{LINK}&sigma=wide", "--lenient", "-o", "-", "-o", str(file), "--quiet")
    assert code == 0
    assert output.startswith("step,")
    assert json.loads(file.read_text())
