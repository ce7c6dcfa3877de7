"""The one writer: whatever stands at the target and whatever fails, the old bytes or the new ones,
and nothing else.
"""

import errno
import os
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from limits import can_be_kept, files_of_at_most, permissions_kept

from kpviz.export import writing
from kpviz.export.writing import Replacement, WriteError

OLD = b"old bytes, more than a few of them" * 9
NEW = {"shorter": b"new", "longer": b"new bytes" * 4000}
by_length = pytest.mark.parametrize("data", NEW.values(), ids=NEW)
needs_rights = pytest.mark.skipif(not can_be_kept(), reason="permissions do not hold here")
needs_limits = pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")


def by_content(target, data):
    writing.write(target, data)


def by_parts(target, data):
    """As films are written."""
    with Replacement(target, "film.mp4") as replacement:
        with replacement.path.open("wb") as file:
            for byte in (data[:100], data[100:]):
                file.write(byte)
        replacement.commit()


ways = pytest.mark.parametrize("write", [by_content, by_parts])


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    (tmp_path / "temporary").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    yield tmp_path / "here"
    assert not list(tmp_path.rglob(".kpviz-*"))


def refused(target, words, write=by_content, data=b"new"):
    with pytest.raises(WriteError) as caught:
        write(target, data)
    assert words in str(caught.value)
    assert str(caught.value).startswith(writing._quoted(target))
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)
    assert caught.value.why
    assert writing._quoted(target) not in caught.value.why


# ---- what is there stays what it is --------------------------------------------------------------


@by_length
@ways
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444, 0o755])
def test_a_file_is_replaced_and_keeps_its_permissions(write, data, mode):
    Path("a").write_bytes(OLD)
    Path("a").chmod(mode)
    status = Path("a").stat()
    write("a", data) if os.geteuid() == 0 or mode != 0o444 else refused(
        "a", "permission denied", write, data
    )
    assert Path("a").read_bytes() == (data if os.geteuid() == 0 or mode != 0o444 else OLD)
    assert stat.S_IMODE(Path("a").stat().st_mode) == mode
    assert Path("a").stat().st_uid == status.st_uid
    assert os.listdir() == ["a"]


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="only root may write for others"
)
def test_what_root_writes_stays_its_owners():
    Path("a").write_bytes(OLD)
    os.chown("a", 12345, 12345)
    writing.write("a", b"new")
    assert (Path("a").stat().st_uid, Path("a").stat().st_gid) == (12345, 12345)


@ways
@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_new_file_has_the_permissions_of_any(write, mask):
    before = os.umask(mask)
    try:
        write("a", b"new")
        Path("b").touch()
    finally:
        os.umask(before)
    assert Path("a").stat().st_mode == Path("b").stat().st_mode


@by_length
@ways
@pytest.mark.parametrize("place", ["there", "dangling", "folder", "twice"])
def test_a_link_stays_and_what_it_points_to_is_replaced(write, data, place):
    Path("other").mkdir()
    target, file = "link", Path("other/file")
    if place == "folder":
        Path("linked").symlink_to("other")
        target = "linked/file"
    else:
        Path("link").symlink_to("other/file")
    if place == "twice":
        Path("again").symlink_to("link")
        target = "again"
    if place != "dangling":
        file.write_bytes(OLD)
    links = {path: os.readlink(path) for path in Path().iterdir() if path.is_symlink()}
    write(target, data)
    assert file.read_bytes() == data
    assert {path: os.readlink(path) for path in Path().iterdir() if path.is_symlink()} == links
    assert os.listdir("other") == ["file"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
@by_length
@ways
def test_a_pipe_stays_a_pipe_and_takes_the_bytes(write, data):
    os.mkfifo("pipe")
    with subprocess.Popen(["cat", "pipe"], stdout=subprocess.PIPE) as reader:
        write("pipe", data)
        assert reader.communicate(timeout=20)[0] == data
    assert Path("pipe").is_fifo()


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="open files have no names")
@by_length
@ways
def test_an_open_pipe_takes_the_bytes_by_its_name(write, data):
    """As the shell names that of `-o csv:>(gzip)`, and as /dev/stdout is one."""
    read, written = os.pipe()
    taken = []
    with os.fdopen(read, "rb") as reader:
        thread = threading.Thread(target=lambda: taken.append(reader.read()))
        thread.start()
        write(f"/dev/fd/{written}", data)
        os.close(written)
        thread.join(20)
    assert taken == [data]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@ways
def test_a_device_stays_one(write):
    write("/dev/null", b"new")
    refused("/dev/full", "no space is left on its disk", write)
    assert Path("/dev/null").is_char_device()
    assert Path("/dev/full").is_char_device()


# ---- what cannot be is refused before the work ---------------------------------------------------


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("taken", "is a folder: name a file in it"),
        ("new/", "is a folder: name a file in it"),
        ("", "is a folder: name a file in it"),
        (".", "is a folder: name a file in it"),
        ("to-folder", "is a folder: name a file in it"),
        ("none/a", "there is no folder 'none'"),
        ("file/a", "there is no folder 'file'"),
        ("nowhere", "there is no folder '"),
        ("circle", "its symbolic links lead in a circle"),
        ("circle/a", "its symbolic links lead in a circle"),
        ("a\0b", "no file can have this name"),
        ("a\udfffb", "no file can have this name"),
        (300 * "a", "File name too long"),
        (100 * "long/" + "a", "there is no folder"),
        (5000 * "a/" + "a", "File name too long"),
        ("socket", "it is a socket"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="names are others there")
def test_what_is_no_place_for_a_file_is_refused_in_a_sentence(target, words):
    Path("taken").mkdir()
    Path("file").write_bytes(OLD)
    Path("to-folder").symlink_to("taken")
    Path("nowhere").symlink_to("none/a")
    Path("circle").symlink_to("round")
    Path("round").symlink_to("circle")
    with socket.socket(socket.AF_UNIX) as end:
        end.bind("socket")
        before = sorted(os.listdir())
        refused(target, words, lambda target, data: writing.check(target))
        refused(target, words, by_content)
        refused(target, words, by_parts)
    assert sorted(os.listdir()) == before
    assert Path("file").read_bytes() == OLD


@needs_rights
@by_length
@ways
def test_where_no_new_file_may_be_its_bytes_are_replaced_in_place(folder, write, data):
    """As those of a file that is mounted into a container alone."""
    Path("a").write_bytes(OLD)
    number = Path("a").stat().st_ino
    folder.chmod(0o500)
    try:
        with permissions_kept():
            writing.check("a")
            write("a", data)
            refused("b", "permission denied", write)
    finally:
        folder.chmod(0o700)
    assert (Path("a").read_bytes(), Path("a").stat().st_ino) == (data, number)
    assert os.listdir() == ["a"]


@needs_rights
@ways
@pytest.mark.parametrize("mode", [0o400, 0o000])
@pytest.mark.parametrize("closed", [True, False])
def test_a_file_that_may_not_be_written_is_refused_before_the_work(folder, write, mode, closed):
    Path("a").write_bytes(OLD)
    Path("a").chmod(mode)
    folder.chmod(0o500 if closed else 0o700)
    try:
        with permissions_kept():
            with pytest.raises(WriteError, match="permission denied"):
                writing.check("a")
            refused("a", "permission denied", write)
    finally:
        folder.chmod(0o700)
    assert Path("a").read_bytes() == OLD


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.EROFS, "its disk is read-only"), (errno.EDQUOT, "your share of its disk is used up")],
)
def test_a_disk_that_takes_nothing_is_named_before_the_work(monkeypatch, number, words):
    def refuse(parent):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(writing, "Scratch", refuse)
    with pytest.raises(WriteError, match=words):
        writing.check("a")
    with pytest.raises(WriteError, match=words):
        writing.check_folder("new")


# ---- what fails in the middle leaves what was there ----------------------------------------------


@needs_limits
@ways
@pytest.mark.parametrize("there", [True, False])
def test_where_a_file_may_not_grow_the_old_one_is_whole(write, there):
    if there:
        Path("a").write_bytes(OLD)
    with files_of_at_most(1000):
        refused("a", "no file may be so large there", as_one_sentence(write), NEW["longer"])
    assert [(path.name, path.read_bytes()) for path in Path().iterdir()] == [("a", OLD)] * there


def as_one_sentence(write):
    """Who fills the file says what fails by the words of the writer."""

    def written(target, data):
        try:
            write(target, data)
        except OSError as error:
            raise writing.unwritten(target, writing.reason(error)) from None

    return written


@needs_rights
@pytest.mark.parametrize("size", [*range(len(OLD), 2000, 300), 35_999])
def test_in_place_the_old_bytes_are_whole_wherever_it_fails(folder, size):
    Path("a").write_bytes(OLD)
    folder.chmod(0o500)
    try:
        with permissions_kept(), Replacement("a") as replacement:
            replacement.fill(NEW["longer"])
            with files_of_at_most(size), pytest.raises(WriteError, match="no file may be so large"):
                replacement.commit()
    finally:
        folder.chmod(0o700)
    assert Path("a").read_bytes() == OLD


@pytest.mark.parametrize("after", range(4))
def test_in_place_an_interruption_leaves_the_old_bytes_or_the_new_ones(monkeypatch, after):
    Path("a").write_bytes(OLD)
    calls = []
    write_all = writing._write_all

    def interrupted(number, data):
        calls.append(data)
        if len(calls) == after:
            os.write(number, data[: len(data) // 2])
            raise KeyboardInterrupt
        write_all(number, data)

    monkeypatch.setattr(writing, "_write_all", interrupted)
    try:
        writing._overwrite(NEW["longer"], Path("a"))
    except KeyboardInterrupt:
        assert Path("a").read_bytes() == OLD
    else:
        assert Path("a").read_bytes() == NEW["longer"]
        assert after in (0, 3)


def test_a_file_that_cannot_be_renamed_over_is_written_in_place(monkeypatch):
    """A mounted one is busy; in a folder such as /tmp another's file may be written, and not
    replaced.
    """
    Path("a").write_bytes(OLD)

    def busy(*_):
        raise OSError(errno.EBUSY, "Device or resource busy")

    monkeypatch.setattr(os, "replace", busy)
    writing.write("a", NEW["longer"])
    assert Path("a").read_bytes() == NEW["longer"]
    refused("b", "Device or resource busy")


@pytest.mark.parametrize("given", [KeyboardInterrupt, ValueError, SystemExit])
def test_what_is_given_up_leaves_the_old_file(given):
    def broken_off():
        with Replacement("a") as replacement:
            replacement.path.write_bytes(b"half")
            raise given

    Path("a").write_bytes(OLD)
    with pytest.raises(given):
        broken_off()
    assert [(path.name, path.read_bytes()) for path in Path().iterdir()] == [("a", OLD)]


# ---- nothing takes the place of what it is made from ---------------------------------------------


@pytest.mark.parametrize("name", ["a", "./a", "here/../a", "link", "hard", "linked/a", "absolute"])
def test_no_file_takes_the_place_of_its_source_by_whatever_name(folder, name):
    Path("a").write_bytes(OLD)
    Path("here").mkdir()
    Path("link").symlink_to("a")
    Path("hard").hardlink_to("a")
    Path("linked").symlink_to(folder)
    target = str(folder / "a") if name == "absolute" else name
    for source in ("a", "link", "hard", str(folder / "a"), Path("a")):
        with pytest.raises(
            WriteError,
            match=r"it would take the place of '.*', from which it is made: name another",
        ):
            writing.check(target, ["none", source])
    writing.check("b", ["a"])


def test_what_standard_input_reads_is_a_source():
    Path("a").write_bytes(OLD)
    with (
        open("a", "rb") as file,
        pytest.raises(WriteError, match="take the place of standard input, from which"),
    ):
        writing.check("a", [file.fileno()])
    with open(os.devnull, "rb") as file:
        writing.check(os.devnull, [file.fileno()])  # which may be read and written


# ---- folders -------------------------------------------------------------------------------------

FILES = [("a.html", b"a" * 900), ("b.html", b"b" * 9000)]


@pytest.mark.parametrize("place", ["new", "empty", "linked", "new/"])
def test_a_folder_is_made_where_there_is_none_or_an_empty_one(place):
    Path("empty").mkdir(mode=0o750)
    Path("linked").symlink_to("empty")
    writing.check_folder(place)
    writing.write_folder(place, iter(FILES))
    assert {path.name: path.read_bytes() for path in Path(place).iterdir()} == dict(FILES)
    assert stat.S_IMODE(Path("empty").stat().st_mode) == 0o750
    assert Path("linked").is_symlink()


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("full", "is there and not empty: name a new folder, or remove it first"),
        (".", "is there and not empty"),
        ("full/a", "is a file: name a new folder"),
        ("none/new", "there is no folder 'none'"),
        ("circle", "its symbolic links lead in a circle"),
        ("a\0b", "no file can have this name"),
        (300 * "a", "File name too long"),
        ("/dev/null", "is a file: name a new folder"),
    ],
)
def test_a_folder_that_somebody_has_filled_is_left_alone(place, words):
    Path("full").mkdir()
    Path("full/a").write_bytes(OLD)
    Path("circle").symlink_to("circle")
    before = sorted(os.listdir())
    for refuse in (writing.check_folder, lambda target: writing.write_folder(target, iter(FILES))):
        with pytest.raises(WriteError) as caught:
            refuse(place)
        assert words in str(caught.value)
    assert sorted(os.listdir()) == before
    assert [(path.name, path.read_bytes()) for path in Path("full").iterdir()] == [("a", OLD)]


@needs_limits
@pytest.mark.parametrize("place", ["new", "empty"])
def test_a_folder_is_written_whole_or_not_at_all(place):
    Path("empty").mkdir()
    with files_of_at_most(1000), pytest.raises(WriteError, match="no file may be so large there"):
        writing.write_folder(place, iter(FILES))
    assert [path.name for path in Path().rglob("*")] == ["empty"]


@pytest.mark.parametrize("place", ["new", "empty"])
@pytest.mark.parametrize("end", [KeyboardInterrupt, OSError(errno.ENOSPC, "")])
def test_a_folder_whose_files_cannot_all_be_moved_has_none(monkeypatch, place, end):
    Path("empty").mkdir()
    rename = Path.rename

    def broken(self, target):
        if self.name in ("b.html", "made"):
            raise end
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", broken)
    with pytest.raises((KeyboardInterrupt, WriteError)):
        writing.write_folder(place, iter(FILES))
    assert [path.name for path in Path().rglob("*")] == ["empty"]
