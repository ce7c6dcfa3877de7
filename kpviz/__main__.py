"""`python -m kpviz` is the command `kpviz`.

Tests: tests/test_packaging.py.
"""

import sys

from kpviz_command import main

if __name__ == "__main__":
    sys.exit(main())
