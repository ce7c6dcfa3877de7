"""Print every number that kpviz promises, beside what it is compared with and what was promised."""

import sys

from benchmarks import browser, engine, film, page

if __name__ == "__main__":
    wanted = sys.argv[1:] or ["engine", "browser", "film", "page"]
    for name, module in (("engine", engine), ("browser", browser), ("film", film), ("page", page)):
        if name in wanted:
            print(f"\n{name}\n{'-' * len(name)}")
            module.main()
