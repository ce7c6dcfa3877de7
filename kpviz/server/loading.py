"""One thread at a time loads what several need.

Packages of the engine import each other's files. Two threads that begin at different ends would wait for each other,
and Python then hands one of them a module that is not complete.
"""

from __future__ import annotations

import threading

LOCK = threading.RLock()
