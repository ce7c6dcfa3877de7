"""`python -m kpviz` is the command `kpviz`."""

import sys

from kpviz_command import main

if __name__ == "__main__":
    sys.exit(main())
