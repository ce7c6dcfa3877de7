"""Write the tables of docs/reference/ as the code has them now, for who reads them in the
repository.
"""

import sys
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"
sys.path.insert(0, str(DOCS / "_ext"))

import generated  # noqa: E402


def main() -> None:
    """Write each page of the reference whose tables are not as they are now."""
    for path in sorted((DOCS / "reference").glob("*.md")):
        before = path.read_text(encoding="utf-8")
        now = generated.with_tables(before, build=False)
        if now != before:
            path.write_text(now, encoding="utf-8")
            print(f"wrote {path.relative_to(DOCS.parent)}")


if __name__ == "__main__":
    main()
