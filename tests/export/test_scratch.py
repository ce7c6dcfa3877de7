"""Folders for what is being made: gone afterwards, whoever is killed in the midst of it, and safe while in use."""

import os
import signal
import subprocess
import sys

import pytest

from kpviz.export.scratch import Scratch

HOLDING = """
import sys, time
from pathlib import Path
from kpviz.export.scratch import Scratch
scratch = Scratch(Path(sys.argv[1]))
(scratch.path / "film.mp4").write_bytes(b"half")
print(scratch.path.name, flush=True)
time.sleep(60)
"""


@pytest.fixture
def other(tmp_path):
    """Another process that is making something in the folder, and what it calls its own."""
    process = subprocess.Popen([sys.executable, "-c", HOLDING, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    yield process, tmp_path / process.stdout.readline().strip()
    process.kill()
    process.wait(30)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_folder_is_hidden_and_gone_afterwards(tmp_path):
    with Scratch(tmp_path) as scratch:
        (scratch.path / "film.mp4").write_bytes(b"half")
        assert names(tmp_path) == [scratch.path.name]
        assert scratch.path.name.startswith(".")
    assert names(tmp_path) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there are no locks of folders")
def test_what_a_killed_process_left_is_removed_by_the_next_one(tmp_path, other):
    process, left = other
    process.send_signal(signal.SIGKILL)
    process.wait(30)
    assert names(left) == ["film.mp4"]
    with Scratch(tmp_path) as scratch:
        assert names(tmp_path) == [scratch.path.name]


def test_what_another_process_is_making_is_left_alone(tmp_path, other):
    _, theirs = other
    with Scratch(tmp_path):
        assert names(theirs) == ["film.mp4"]
    assert names(theirs) == ["film.mp4"]


def test_what_is_beside_it_is_left_alone(tmp_path):
    (tmp_path / "kept").mkdir()
    (tmp_path / ".kpviz-notes").write_text("a file")
    os.symlink(tmp_path / "kept", tmp_path / ".kpviz-link")
    with Scratch(tmp_path):
        pass
    assert names(tmp_path) == [".kpviz-link", ".kpviz-notes", "kept"]


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(FileNotFoundError):
        Scratch(tmp_path / "nowhere")
