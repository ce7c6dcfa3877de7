"""The embedded JavaScript engine that runs the player's panels.

One for the process, safe in threads.

Tests: tests/picture/test_painter.py.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import json
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz import fonts, packages
from kpviz.player import modules

STAGE = "paper/headless.js"
_SETUP = """
const stages = new Map();
globalThis.kpviz = {
  bytes: null, made: null, Stage: null,
  room(size) { this.bytes = new Uint8Array(size); return this.bytes.buffer; },
  open(id, options) { stages.set(id, new this.Stage(this.bytes, options)); this.bytes = null; },
  ask(id, name, values) { return JSON.stringify(stages.get(id)[name](...values)); },
  make(id, name, values) { this.made = stages.get(id)[name](...values); return this.made.text; },
  close(id) { stages.delete(id); },
};
"""


@dataclass(frozen=True, eq=False)
class PackedBoard:
    """What a stage describes: plain data, with the numbers and pixels that it points to."""

    plain: Any
    numbers: NDArray[np.float32]
    pixels: NDArray[np.uint8]


class Engine:
    """The player's modules, loaded once; the stages made from them live in it."""

    def __init__(self) -> None:
        with packages.needs("A picture", "plot"):
            from py_mini_racer import DEFAULT_V8_FLAGS, MiniRacer, init_mini_racer
        # Where a processor has memory protection keys, V8 gives them to one thread, and others
        # would crash.
        init_mini_racer(
            flags=(*DEFAULT_V8_FLAGS, "--no-memory-protection-keys"), ignore_duplicate_init=True
        )
        # In a thread of its own: the engine would take over the event loop of a notebook, and wait
        # for it for ever.
        with ThreadPoolExecutor(1) as thread:
            self._js = thread.submit(MiniRacer).result()
        # When Python takes the engine away, its thread is gone already.
        atexit.register(self._end)
        self._lock = Lock()
        self._ids = itertools.count()
        # The next call closes these stages, which nobody needs any more.
        self._closed: list[int] = []
        self._js.eval(f"globalThis.TYPE = {json.dumps(_type())}; 0")
        self._js.eval(f"{{ {modules.frontend('paper/prelude.js')} }}; 0")
        self._js.eval(f"{{ {_SETUP} }}; 0")
        self._js.eval(f"kpviz.Stage = (() => {{\n{modules.script(STAGE)}\nreturn start;\n}})(); 0")

    def open(self, data: bytes, options: dict[str, Any]) -> EngineStage:
        """Return a stage for the bytes of an envelope."""
        number = next(self._ids)
        with self._lock:
            room: Any = self._js.eval(f"kpviz.room({len(data)})")
            room[:] = data
            self._run(f"kpviz.open({number}, {json.dumps(options)})")
        return EngineStage(self, number)

    def close(self, number: int) -> None:
        """Forget a stage, at the next call: a finalizer may run while the engine is at work."""
        self._closed.append(number)

    def _end(self) -> None:
        """Let it do what Ctrl+C kept us from waiting for.

        Asyncio would complain that this is still pending.
        """
        with contextlib.suppress(Exception):
            self._js.eval("0")
        self._js.close()

    def ask(self, number: int, name: str, *values: Any) -> Any:
        """Return the value of a property or method of a stage, as plain data."""
        with self._lock:
            return json.loads(
                str(self._run(f"kpviz.ask({number}, {json.dumps(name)}, {json.dumps(values)})"))
            )

    def make(self, number: int, name: str, *values: Any) -> PackedBoard:
        """Return the packed board that a method of a stage makes."""
        with self._lock:
            text = self._run(f"kpviz.make({number}, {json.dumps(name)}, {json.dumps(values)})")
            numbers, pixels = (self._bytes(f"kpviz.made.{part}") for part in ("numbers", "pixels"))
        return PackedBoard(json.loads(str(text)), numbers.view(np.float32), pixels)

    def _bytes(self, expression: str) -> NDArray[np.uint8]:
        view: Any = self._js.eval(expression)
        return np.frombuffer(view, np.uint8).copy() if len(view) else np.zeros(0, np.uint8)

    def _run(self, code: str) -> Any:
        while self._closed:
            self._js.eval(f"kpviz.close({self._closed.pop()}); 0")
        return self._js.eval(f"{code} ?? 0")


class EngineStage:
    """One envelope in the engine; it is closed there when it is collected here."""

    def __init__(self, engine: Engine, number: int) -> None:
        self._engine = engine
        self._number = number
        weakref.finalize(self, engine.close, number)

    def ask(self, name: str, *values: Any) -> Any:
        """Return the value of a method, as plain data."""
        return self._engine.ask(self._number, name, *values)

    def make(self, name: str, *values: Any) -> PackedBoard:
        """Return the packed board that a method makes."""
        return self._engine.make(self._number, name, *values)


_loading = Lock()


def engine() -> Engine:
    """Return the engine of this process; ValueError of one sentence where there is none."""
    with _loading:
        return _loaded()


@cache
def _loaded() -> Engine:
    return Engine()


def _type() -> dict[str, Any]:
    """Return which face draws which weight, and how wide its characters are."""
    from_bold = next(
        weight for weight in range(1, 1001) if fonts.face(weight) is fonts.face(fonts.BOLD)
    )
    pair = {
        kind: [
            fonts.face(fonts.REGULAR, code=code).name,
            fonts.face(fonts.BOLD, code=code).name,
            from_bold,
        ]
        for kind, code in (("sans", False), ("code", True))
    }
    return {"faces": pair, "widths": fonts.advances()}
