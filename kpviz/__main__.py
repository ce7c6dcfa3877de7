"""`python -m kpviz` is the command `kpviz`."""

import sys

from kpviz.cli import main

if __name__ == "__main__":
    sys.exit(main())
