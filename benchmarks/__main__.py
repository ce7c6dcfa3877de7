"""Print every number that kpviz promises, beside what it is compared with and what was promised."""

import argparse

from benchmarks import (
    answers,
    browser,
    digits,
    endurance,
    engine,
    film,
    formula,
    page,
    puzzles,
    scale,
    service,
    site,
    timing,
    wire,
)

MODULES = {
    "engine": engine,
    "formula": formula,
    "service": service,
    "browser": browser,
    "answers": answers,
    "film": film,
    "page": page,
    "puzzles": puzzles,
    "site": site,
    "wire": wire,
}
LONG = {"scale": scale, "digits": digits, "endurance": endurance}


def main() -> None:
    """Run the benchmarks that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "name", nargs="*", help=f"which: {', '.join(MODULES)} (all of these), {', '.join(LONG)}"
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="only show that all of them run: the numbers mean nothing",
    )
    options = parser.parse_args()
    unknown = set(options.name) - {*MODULES, *LONG}
    if unknown:
        parser.error(f"there is no benchmark named {', '.join(sorted(unknown))}.")
    timing.quick = options.quick
    for name, module in (MODULES | LONG).items():
        if name in (options.name or (MODULES | LONG if options.quick else MODULES)):
            print(f"\n{name}\n{'-' * len(name)}")
            module.main()


if __name__ == "__main__":
    main()
