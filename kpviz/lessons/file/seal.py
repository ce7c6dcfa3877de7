"""What a page without Python is given to check answers by, in a form in which nobody reads them by accident.

It is no lock: whoever reads the program can try each answer, and the run itself is in the page. `lesson/seal.js` of the
player does the same.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import Any

_ALL = 0xFFFFFFFF
_UNIT = 0xFFFF


@dataclass(frozen=True)
class Seal:
    """Marks of answers, and what only the right words show; `salt` lets the same answers to two tasks differ."""

    salt: str

    def mark(self, *parts: object) -> str:
        """Return what tells these parts from others.

        >>> Seal("a").mark(0, "mistake"), Seal("b").mark(0, "mistake")
        ('de1cba4e6e4cd908', '6fecd234e8485919')
        """
        key = self._key(parts)
        return f"{_hash(f'1{key}'):08x}{_hash(f'2{key}'):08x}"

    def hide(self, value: Any, *parts: object) -> list[int]:
        """Return plain data as numbers, from which the same parts make them again."""
        text = json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-16-le")
        start = _hash(self._key(parts))
        units = struct.unpack(f"<{len(text) // 2}H", text)
        return [unit ^ (_hash(f"{start}|{k}") & _UNIT) for k, unit in enumerate(units)]

    def _key(self, parts: tuple[object, ...]) -> str:
        return "|".join([self.salt, *map(str, parts)])


def _hash(text: str) -> int:
    """Return 32 bits of an ASCII text: FNV-1a, its bits mixed as MurmurHash does."""
    found = 0x811C9DC5
    for byte in text.encode("ascii"):
        found = ((found ^ byte) * 0x01000193) & _ALL
    found = ((found ^ (found >> 16)) * 0x85EBCA6B) & _ALL
    found = ((found ^ (found >> 13)) * 0xC2B2AE35) & _ALL
    return found ^ (found >> 16)
