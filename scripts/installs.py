"""Install kpviz into empty environments, as its users may, and try in each what it should then be
able to do.

python scripts/installs.py [NAME ...]    those whose names hold all of these words, as "3.12 wheel";
without any: all

From wheel and sdist; without extras and with each; with the newest and the oldest versions that
pyproject.toml allows; in each Python that is there. uv makes the environments: it must be on PATH.
Minutes, and two gigabytes in its cache.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

ROOT = Path(__file__).parents[1]
NEWEST = "highest"
OLDEST = "lowest-direct"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
EXTRAS = ("sklearn", "plot", "film", "print")
MOST = 80  # MB of the library alone
PATIENCE = 120  # In seconds: the app has to answer in this time.

LIBRARY = """
import kpviz
from kpviz import packages
X, y = kpviz.make_dataset("xor", n_samples=60, seed=0)
run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kpviz.kernels.Gaussian(0.5))
assert run.page("run.html").stat().st_size > 100_000
print(*(extra for extra in packages.EXTRAS if not packages.missing(extra, extra)))
"""
TRIED = {  # Each extra is tried by Python, or by arguments of the command.
    "sklearn": [
        "import kpviz; X, y = kpviz.make_dataset('iris'); assert kpviz.KernelPerceptron().fit(X, "
        "y).score(X, y) > 0.5",
        ["sweep", "data=xor&n=20", "sigma", "--values", "0.5,1", "-o", "sweep.csv"],
    ],
    "plot": [["plot", "data=xor&n=20", "-o", "a.png", "-o", "a.svg", "-o", "a.pdf"]],
    "film": [
        ["render", "data=xor&n=20", "--to", "3", "--size", "320x320", "-o", "a.mp4", "-o", "a.srt"]
    ],
    "print": [["lesson", "worksheet", "data=xor&n=20", "-o", "sheet.pdf"]],
    "shell": [["completion", "bash", "-o", "completion"]],
}
BRINGS = {"film": {"plot"}, "print": {"plot"}, "all": {*EXTRAS, "app", "shell"}}


class Case(NamedTuple):
    """One environment."""

    python: str
    source: str
    extra: str = ""
    versions: str = NEWEST

    @property
    def name(self) -> str:
        """What is written of it."""
        words = "oldest" if self.versions == OLDEST else "newest"
        return f"{self.python} {self.source} {self.extra or 'alone'} {words}"


CASES = [
    *(Case(python, "wheel") for python in PYTHONS),
    *(Case(PYTHONS[0], "wheel", extra) for extra in EXTRAS),
    *(Case(python, "wheel", "all") for python in PYTHONS),
    Case(PYTHONS[0], "sdist"),
    Case(PYTHONS[-2], "sdist", "all"),
    Case(PYTHONS[0], "wheel", "", OLDEST),
    Case(PYTHONS[0], "wheel", "all", OLDEST),
]


def run(*command: str, cwd: Path = ROOT) -> str:
    """Return what a command prints; where it fails, a RuntimeError has its last words."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(
            f"{' '.join(command[:6])[:120]}\n{(done.stdout + done.stderr).strip()[-2000:]}"
        )
    return done.stdout


def tried(case: Case, built: dict[str, Path], folder: Path) -> str:
    """Make the environment, try all that it should do, and return what there is to say about it."""
    environment = folder / "venv"
    run("uv", "venv", "--no-python-downloads", "--python", case.python, str(environment))
    scripts = environment / ("Scripts" if os.name == "nt" else "bin")
    python = str(scripts / "python")
    kpviz = str(scripts / "kpviz")
    extra = [f"--extra={case.extra}"] if case.extra else []
    limits = str(folder / "limits.txt")
    chosen = [*extra, "--resolution", case.versions, "--python", python, "-o", limits]
    run("uv", "pip", "compile", "pyproject.toml", *chosen)
    requirement = f"{built[case.source]}{f'[{case.extra}]' if case.extra else ''}"
    run("uv", "pip", "install", "--python", python, "--constraints", limits, requirement)
    size = (
        sum(
            path.stat().st_size
            for path in environment.rglob("*")
            if path.is_file() and not path.is_symlink()
        )
        / 1e6
    )
    there = set(run(python, "-W", "error", "-c", LIBRARY, cwd=folder).split())
    expected = {case.extra, *BRINGS.get(case.extra, ())} - {"", "all"}
    if there != expected:
        raise RuntimeError(f"installed are the extras {sorted(there)}, and not {sorted(expected)}")
    if not case.extra and size > MOST:
        raise RuntimeError(f"{size:.0f} MB are more than {MOST}")
    run(kpviz, "doctor", cwd=folder)
    for step in (step for extra in sorted(expected) for step in TRIED.get(extra, ())):
        run(*([python, "-c", step] if isinstance(step, str) else [kpviz, *step]), cwd=folder)
    if "app" in expected:
        serves(kpviz, folder)
    listed = json.loads(run("uv", "pip", "list", "--python", python, "--format", "json"))
    return f"{size:.0f} MB, {len(listed)} packages"


def serves(kpviz: str, folder: Path) -> None:
    """Start the app, and see that it answers."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    log = folder / "log.txt"
    with log.open("w") as out:
        command = [kpviz, "app", "--no-browser", "--port", str(port)]
        server = subprocess.Popen(command, cwd=folder, stdout=out, stderr=out)
    try:
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends and server.poll() is None:
            with suppress(OSError), urlopen(f"http://localhost:{port}/", timeout=5) as page:
                if page.status == 200:
                    return
            time.sleep(0.3)
        raise RuntimeError(f"the app did not answer:\n{log.read_text()[-2000:]}")
    finally:
        server.terminate()
        server.wait(PATIENCE)


def main() -> int:
    """Try all cases that are wanted; return 1 if one failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="only those whose name holds all of these words"
    )
    words = set(parser.parse_args().names)
    if shutil.which("uv") is None:
        sys.exit("uv makes the environments, and is not on PATH: run pip install uv.")
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run("uv", "build", "--out-dir", name, str(ROOT))
        built = {"wheel": next(folder.glob("*.whl")), "sdist": next(folder.glob("*.tar.gz"))}
        for number, case in enumerate(case for case in CASES if words <= set(case.name.split())):
            begun = time.monotonic()
            here = folder / str(number)
            here.mkdir()
            try:
                outcome = tried(case, built, here)
            except RuntimeError as error:
                outcome = str(error)
                missing = re.search(r"No interpreter found", outcome) is not None
                outcome = "left out: this Python is not here" if missing else f"FAILED: {outcome}"
                failed += not missing
            print(f"{case.name:28} {outcome}   ({time.monotonic() - begun:.0f} s)", flush=True)
            shutil.rmtree(here)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
