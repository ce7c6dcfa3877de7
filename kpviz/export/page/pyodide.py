"""Pyodide, the Python of a page: what of it is copied into a folder of pages, and from where.

Its version and the checksums of its files are pinned in pyodide.toml. The largest file is packed
here, because many web spaces send files of its kind as they are.

Tests: tests/export/test_pyodide.py, tests/browser/test_alone.py.
"""

from __future__ import annotations

import gzip
import hashlib
import http.client
import io
import tomllib
import urllib.request
import zipfile
from fnmatch import fnmatch
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from kpviz.export import writing
from kpviz.export.page.pythons import FOLDER, KPVIZ, Python, kpviz_zip
from kpviz.player import modules

_PINS: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("pyodide.toml").read_bytes().decode()
)
VERSION: str = _PINS["version"]
_LICENCES = Path(__file__).with_name("pyodide_licences.txt")
_UNPACK = f"unpack the release {VERSION} of Pyodide there"
_WORKER = "worker_pyodide.js"
_WASM = "pyodide.asm.wasm"
_NUMPY = "numpy-*_wasm32.whl"
# The worker counts the bytes of these, and of kpviz itself.
_COUNTED = (f"{_WASM}.bin", "python_stdlib.zip", _NUMPY)
_PATIENCE = 30  # In seconds: a host that says nothing for this time is not there.


class NotFetchedError(ValueError):
    """Why Pyodide could not be fetched, in one sentence."""


def from_folder(folder: Path) -> tuple[Python, list[str]]:
    """Return Pyodide as it lies in a folder, and the names of files that are not the pinned ones.

    Raises
    ------
    ValueError
        One sentence: a file is missing, cannot be read, or is no wheel of numpy.
    """
    contents: dict[str, bytes] = {}
    others: list[str] = []
    for name, checksum in _PINS["sha256"].items():
        # Each build of numpy has a name of its own.
        pattern = _NUMPY if fnmatch(name, _NUMPY) else name
        paths = sorted(folder.glob(pattern), key=lambda path: (path.name != name, path.name))
        if not paths:
            raise ValueError(f"{folder} has no {name}: {_UNPACK}.")
        path = paths[0]
        try:
            contents[path.name] = path.read_bytes()
        except OSError as error:
            raise ValueError(f"{path} cannot be read: {writing.reason(error)}.") from None
        if _checksum(contents[path.name]) != checksum:
            others.append(path.name)
    try:
        return _python(contents), others
    except (zipfile.BadZipFile, LookupError):
        raise ValueError(f"{folder} has something else in the place of numpy: {_UNPACK}.") from None


def fetched() -> Python:
    """Return Pyodide as its host has it; NotFetchedError as of `fetch`."""
    return _python(fetch())


def fetch() -> dict[str, bytes]:
    """Return the files of Pyodide by their names, each with the checksum that is pinned.

    Raises
    ------
    NotFetchedError
        One sentence: the host cannot be reached, or sends something else.
    """
    return {name: _fetch_file(name, sum_) for name, sum_ in _PINS["sha256"].items()}


def from_host() -> Python:
    """Return what a folder holds whose pages load Pyodide from its host themselves."""
    address = _PINS["address"]
    parts = urlsplit(address)
    told = {
        "pyodide": address,
        "numpy": address + next(name for name in _PINS["sha256"] if fnmatch(name, _NUMPY)),
        "wasm": address + _WASM,
    }
    return _described(told, {}, _PINS["bytes"], (f"{parts.scheme}://{parts.netloc}",))


def _python(contents: dict[str, bytes]) -> Python:
    files = dict(contents)
    files[f"{_WASM}.bin"] = gzip.compress(files.pop(_WASM), mtime=0)
    counted = sum(
        len(content)
        for name, content in files.items()
        if any(fnmatch(name, pattern) for pattern in _COUNTED)
    )
    numpy = next(name for name in files if fnmatch(name, _NUMPY))
    with zipfile.ZipFile(io.BytesIO(files[numpy])) as wheel:
        licences = [name for name in wheel.namelist() if name.endswith("info/LICENSE.txt")]
        files["LICENSES/NUMPY.txt"] = wheel.read(licences[0])
    files["LICENSES/PYODIDE.txt"] = _LICENCES.read_bytes()
    told = {"pyodide": FOLDER, "numpy": FOLDER + numpy, "wasm": f"{FOLDER}{_WASM}.bin"}
    return _described(told, files, counted, ())


def _described(
    told: dict[str, Any], files: dict[str, bytes], counted: int, origins: tuple[str, ...]
) -> Python:
    kpviz_bytes = kpviz_zip()
    files = {
        KPVIZ: kpviz_bytes,
        FOLDER + _WORKER: modules.frontend(f"alone/{_WORKER}").encode(),
        **{FOLDER + name: content for name, content in files.items()},
    }
    size = counted + len(kpviz_bytes)
    return Python(
        {"worker": FOLDER + _WORKER, "kpviz": KPVIZ, "size": size, **told}, files, origins
    )


def _fetch_file(name: str, checksum: str) -> bytes:
    host = urlsplit(_PINS["address"]).netloc
    try:
        with urllib.request.urlopen(_PINS["address"] + name, timeout=_PATIENCE) as response:
            content: bytes = response.read()
    # A timeout while it is read is an OSError, too.
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise NotFetchedError(
            f"Pyodide {VERSION} could not be fetched from {host} ({reason})."
        ) from None
    if _checksum(content) != checksum:
        raise NotFetchedError(
            f"What {host} sent as {name} has another checksum than Pyodide {VERSION}, so it is not "
            "taken."
        )
    return content


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
