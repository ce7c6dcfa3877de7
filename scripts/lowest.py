"""Print the lowest versions that pyproject.toml allows, as constraints for pip: of "numpy>=2.0,<3"
numpy==2.0.

They are those of the package, of its extras, and of what its tests need. `make test-versions`
installs them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
# No test needs these extras, so the newest will do.
FOR_WORKING = {"docs", "dev"}
REQUIREMENT = re.compile(r"([\w.-]+)(?:\[[\w,.-]*\])?>=([\w.]+)[^;]*(;.*)?")


def requirements(project: dict[str, object]) -> Iterator[str]:
    """Yield the requirements of the package, its extras and its tests, except those on itself."""
    extras = project["optional-dependencies"]
    for extra, listed in {"": project["dependencies"], **extras}.items():
        if extra not in FOR_WORKING:
            yield from (
                requirement for requirement in listed if not requirement.startswith("kpviz[")
            )


def lowest(requirement: str) -> str:
    """Return the constraint that holds a requirement at its lower bound.

    >>> lowest("uvloop>=0.21,<1; sys_platform != 'win32'")
    "uvloop==0.21 ; sys_platform != 'win32'"
    """
    match = REQUIREMENT.fullmatch(requirement)
    if match is None:
        raise ValueError(f"{requirement!r} has no lower bound: write one as >=.")
    name, version, marker = match.groups()
    return f"{name}=={version}" + (f" {marker}" if marker else "")


def main() -> None:
    """Print one constraint a line."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    print(*map(lowest, requirements(project)), sep="\n")


if __name__ == "__main__":
    main()
