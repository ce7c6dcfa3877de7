"""Pyodide in a folder of pages: where it comes from, and that no byte of it is another one."""

import gzip
import hashlib
import io
import re
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from kpviz.export.page import pyodide

NUMPY = "numpy-2.2.5-cp313-cp313-pyemscripten_2025_0_wasm32.whl"


def wheel():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("numpy-2.2.5.dist-info/LICENSE.txt", "The licence of NumPy")
    return content.getvalue()


@pytest.fixture
def contents(monkeypatch):
    """Small files in the place of Pyodide's, with their checksums pinned."""
    names = ["pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip"]
    files = {name: f"{name} " * 100 for name in names}
    contents = {name: content.encode() for name, content in files.items()} | {NUMPY: wheel()}
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    monkeypatch.setitem(pyodide._PINS, "sha256", sums)
    return contents


@pytest.fixture
def host(contents, monkeypatch):
    """A host that has these files."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            content = contents.get(self.path.rpartition("/")[2])
            self.send_response(404 if content is None else 200)
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("localhost", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setitem(pyodide._PINS, "address", f"http://localhost:{server.server_port}/full/")
    yield server
    server.shutdown()
    server.server_close()


def put(folder, contents):
    for name, content in contents.items():
        (folder / name).write_bytes(content)


def test_it_is_fetched_and_the_folder_holds_its_files_packed_where_they_are_large(contents, host):
    python = pyodide.fetched()
    files = python.files
    assert files["python/pyodide.mjs"] == contents["pyodide.mjs"]
    assert gzip.decompress(files["python/pyodide.asm.wasm.bin"]) == contents["pyodide.asm.wasm"]
    assert files[f"python/{NUMPY}"] == contents[NUMPY]
    assert python.told["numpy"] == f"python/{NUMPY}"
    assert python.told["worker"] in files
    assert python.told["wasm"] in files
    assert python.origins == ()
    counted = ("wasm.bin", "stdlib.zip", ".whl", "kpviz.zip")
    sizes = [len(content) for name, content in files.items() if name.endswith(counted)]
    assert python.told["size"] == sum(sizes)


def test_the_licences_lie_beside_it(contents, host):
    files = pyodide.fetched().files
    assert files["python/LICENSES/NUMPY.txt"] == b"The licence of NumPy"
    text = files["python/LICENSES/PYODIDE.txt"].decode()
    assert "Mozilla Public License Version 2.0" in text
    assert "PYTHON SOFTWARE FOUNDATION LICENSE" in text


def test_a_file_with_another_checksum_is_not_taken(contents, host):
    contents["python_stdlib.zip"] += b" "
    with pytest.raises(pyodide.NotFetchedError, match=r"python_stdlib.zip has another checksum"):
        pyodide.fetched()


@pytest.mark.parametrize("gone", ["host", "file"])
def test_where_it_cannot_be_fetched_one_sentence_says_so(contents, host, gone):
    if gone == "host":
        host.shutdown()
        host.server_close()
    else:
        del contents["pyodide.mjs"]
    with pytest.raises(pyodide.NotFetchedError, match=r"could not be fetched from .*\)\.$") as why:
        pyodide.fetched()
    assert "\n" not in str(why.value)


def test_from_a_folder_it_is_taken_as_it_lies_there_and_what_is_not_pinned_is_named(
    contents, tmp_path
):
    put(tmp_path, contents)
    python, others = pyodide.from_folder(tmp_path)
    assert others == []
    (tmp_path / NUMPY).rename(tmp_path / "numpy-2.2.5-other_2025_0_wasm32.whl")
    (tmp_path / "pyodide.mjs").write_text("another")
    python, others = pyodide.from_folder(tmp_path)
    assert others == ["pyodide.mjs"]
    assert python.told["numpy"] == "python/numpy-2.2.5-other_2025_0_wasm32.whl"


def test_a_folder_that_lacks_a_file_is_refused_with_the_file_s_name(contents, tmp_path):
    put(tmp_path, contents)
    (tmp_path / "pyodide.asm.js").unlink()
    with pytest.raises(ValueError, match=r"has no pyodide.asm.js: unpack the release 0\.29"):
        pyodide.from_folder(tmp_path)


def test_of_two_numpys_the_pinned_one_is_taken_and_no_other_system_s(contents, tmp_path):
    put(tmp_path, contents)
    (tmp_path / "numpy-1.9.0-cp313-cp313-other_2025_0_wasm32.whl").write_bytes(b"")
    assert pyodide.from_folder(tmp_path)[0].told["numpy"] == f"python/{NUMPY}"
    for path in tmp_path.glob("numpy-*"):
        path.rename(tmp_path / path.name.replace("wasm32", "x86_64"))
    with pytest.raises(ValueError, match=r"has no numpy-.*wasm32\.whl: unpack"):
        pyodide.from_folder(tmp_path)


@pytest.mark.parametrize("content", [b"nonsense", b"", "an archive without a licence"])
def test_what_is_no_wheel_of_numpy_is_refused_in_a_sentence(contents, tmp_path, content):
    if isinstance(content, str):
        archive_bytes = io.BytesIO()
        with zipfile.ZipFile(archive_bytes, "w") as archive:
            archive.writestr("x", content)
        content = archive_bytes.getvalue()
    put(tmp_path, {**contents, NUMPY: content})
    with pytest.raises(ValueError, match=r"something else in the place of numpy: unpack .*\.$"):
        pyodide.from_folder(tmp_path)


def test_a_file_that_cannot_be_read_is_named(contents, tmp_path):
    put(tmp_path, contents)
    (tmp_path / "pyodide.mjs").unlink()
    (tmp_path / "pyodide.mjs").mkdir()
    with pytest.raises(ValueError, match=r"pyodide\.mjs cannot be read: Is a directory\.$"):
        pyodide.from_folder(tmp_path)


def test_with_the_host_s_own_copy_the_folder_holds_the_worker_and_kpviz_alone():
    python = pyodide.from_host()
    assert sorted(python.files) == ["python/kpviz.zip", "python/worker_pyodide.js"]
    assert python.origins == ("https://cdn.jsdelivr.net",)
    assert python.told["pyodide"].startswith(python.origins[0])
    assert re.search(r"\d+_\d+_wasm32\.whl$", python.told["numpy"])


def test_all_that_is_pinned_is_of_one_version_over_https():
    assert pyodide._PINS["address"] == f"https://cdn.jsdelivr.net/pyodide/v{pyodide.VERSION}/full/"
    assert pyodide.VERSION.startswith("0.29.")
    assert all(re.fullmatch(r"[0-9a-f]{64}", sum_) for sum_ in pyodide._PINS["sha256"].values())
