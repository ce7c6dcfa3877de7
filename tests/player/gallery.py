"""Boards as plain text: every mark of a board in a line, numbers rounded, so that a change can be
read.
"""

import json
from urllib.parse import parse_qsl

from kpviz import tokens

SIZES = {
    "window": (1366, 768),
    "16x9": (1364, 768),
    "4x3": (1024, 768),
    "1x1": (768, 768),
    "9x16": (432, 768),
}
TOLERANCE = 0.02  # px, or of a value: what rounding and other machines may change
LONGEST = 12  # numbers that are written out; of more, their range and their means
MOST_LINES = 12  # changed marks that are named
COLOURS = {
    **{f"point {name}": colour for name, colour in tokens.MAP_POINTS.items()},
    **tokens.THEMES["light"],
}
NAMES = {colour: name for name, colour in reversed(COLOURS.items())}

BOARD = """(() => {
  const image = ({ width, height, data }) => {
    const parts = Array.from({ length: 16 }, () => [0, 0, 0, 0]);
    for (let at = 0; at < data.length; at += 4) {
      const [row, column] = [Math.floor(at / 4 / width), (at / 4) % width];
      const part = parts[4 * Math.floor((4 * row) / height) + Math.floor((4 * column) / width)];
      for (let k = 0; k < 4; k++) part[k] += (16 * data[at + k]) / (width * height);
    }
    return { width, height, parts: parts.map((part) => part.map(Math.round)) };
  };
  const plain = (mark) => (mark.image ? { ...mark, image: image(mark.image) } : mark);
  return s.board.panels.map(({ name, marks }) => [name, marks.map(plain)]);
})()"""


def size(link):
    """The size of a board in a window of 1366 × 768: None within the app."""
    shape = dict(parse_qsl(link)).get("stage")
    return shape and dict(zip(("width", "height"), SIZES[shape], strict=True))


def described(board):
    """The marks of each panel, as they are kept."""
    return {name: [_mark(mark) for mark in marks] for name, marks in board.js(BOARD)}


def _mark(mark):
    return {
        key: value if key == "image" else _value(value)
        for key, value in mark.items()
        if value is not None
    }


def _value(value):
    if isinstance(value, float):
        return round(value, 2) + 0.0
    if isinstance(value, str):
        return NAMES.get(value, value)
    if isinstance(value, dict):
        return {key: _value(part) for key, part in value.items()}
    if isinstance(value, list):
        flat = _flat(value)
        return (
            _summary(value, flat)
            if len(flat) > LONGEST and flat == list(map(_number, flat))
            else [*map(_value, value)]
        )
    return value


def _flat(value):
    return [part for item in value for part in _flat(item)] if isinstance(value, list) else [value]


def _number(value):
    return value if isinstance(value, int | float) else None


def _summary(value, flat):
    """What is said of many numbers, which are places in turn: x, y, x, y, …"""
    xs = flat[::2]
    ys = flat[1::2]
    means = [round(sum(part) / len(part), 2) for part in (xs, ys)]
    return {
        "parts": len(value),
        "numbers": len(flat),
        "low": round(min(flat), 2),
        "high": round(max(flat), 2),
        "means": means,
    }


def text(boards):
    """The text of a file: a line for each mark."""
    panels = []
    for name, marks in boards.items():
        lines = ",\n".join(f"  {json.dumps(mark, ensure_ascii=False)}" for mark in marks)
        panels.append(
            f" {json.dumps(name)}: [\n{lines}\n ]" if marks else f" {json.dumps(name)}: []"
        )
    return "{\n" + ",\n".join(panels) + "\n}\n"


def changes(before, now):
    """What differs between two boards, a line for each mark; [] for nothing."""
    differences = [f"{name}: the panel is gone" for name in before if name not in now]
    for name, marks in now.items():
        if name not in before:
            differences.append(f"{name}: the panel is new")
            continue
        differences += [line for line in _between(name, before[name], marks) if line]
    return differences[:MOST_LINES] + (
        [f"and {len(differences) - MOST_LINES} more"] if len(differences) > MOST_LINES else []
    )


def _between(name, before, now):
    if len(before) != len(now):
        yield f"{name}: {len(before)} marks → {len(now)}"
    for k, (old, new) in enumerate(zip(before, now, strict=False)):
        keys = [key for key in {**old, **new} if not _same(old.get(key), new.get(key))]
        if keys:
            what = " ".join(str(new[key]) for key in ("kind", "name", "i", "text") if key in new)
            yield f"{name}, mark {k} ({what}): " + ", ".join(
                f"{key} {old.get(key)} → {new.get(key)}" for key in keys
            )


def _same(old, new):
    if isinstance(old, bool) or isinstance(new, bool) or type(old) is not type(new):
        both = (old, new)
        numbers = all(
            isinstance(value, int | float) and not isinstance(value, bool) for value in both
        )
        return abs(old - new) <= TOLERANCE if numbers else old == new
    if isinstance(old, dict):
        return old.keys() == new.keys() and all(_same(old[key], new[key]) for key in old)
    if isinstance(old, list):
        return len(old) == len(new) and all(map(_same, old, new))
    if isinstance(old, int | float):
        return abs(old - new) <= TOLERANCE * max(1.0, abs(old) / 100)
    return old == new
