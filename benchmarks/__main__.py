"""Print every number that kpviz promises, beside what it is compared with and what was promised."""

import sys

from benchmarks import browser, engine, film, formula, page

if __name__ == "__main__":
    wanted = sys.argv[1:] or ["engine", "formula", "browser", "film", "page"]
    modules = {"engine": engine, "formula": formula, "browser": browser, "film": film, "page": page}
    for name, module in modules.items():
        if name in wanted:
            print(f"\n{name}\n{'-' * len(name)}")
            module.main()
