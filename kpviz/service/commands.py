"""What a page can ask for: one function for each command, in one table.

What makes no sense changes nothing.

Tests: tests/service/test_commands.py.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from kpviz.engine.data import objects
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.kernels import KERNELS
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run.predictors import Progress
from kpviz.lessons import comparison, presets, sweep
from kpviz.lessons.comparison import Pin
from kpviz.service import editing, links
from kpviz.service.making import TextWork, made
from kpviz.service.question import data_id, mapping, text, texts
from kpviz.service.state import Notice, PageState, check_file
from kpviz.service.work import RunWork
from kpviz.settings import BY_NAME, DRAWN, FILE, NOT_LOST, Settings, conditions

_CYCLE = ("linear", "polynomial", "gaussian", "laplacian")  # The key K walks through them.
_WIDER = 1.25
# The data change with them: the player keeps its place while they are turned.
_IN_MOTION = {"noise", "flipped", "drift"}
# Its features can be seen there.
_IN_SPACE = {"kernel": "monomial", "degree": 2, "normalize": "off"}
# Keys turn them.
_KNOBS = ("sigma", "degree", "gamma", "length", "components", "coef0", "C", "budget", "lambda")
_HARD = 1000.0  # C of an SVM that seeks the widest margin
_SOON = 1.0  # In seconds.
_NO_KNOB = "This kernel and this learner have no number to turn by this key."
_TYPED = ("formula", "function", "ask")
LONGEST = 10_000  # In characters: the longest text that is typed.

Command = Callable[[PageState, Any], PageState]


def carry_out(state: PageState, name: Any, value: Any) -> PageState:
    """Carry out one command; where it cannot be carried out, a notice says why."""
    command = COMMANDS.get(name) if isinstance(name, str) else None
    try:
        return state if command is None else command(state, value)
    except ValueError as error:
        return state.say(Notice(str(error)))


# ---- settings ------------------------------------------------------------------------------------


def _set(state: PageState, value: Any) -> PageState:
    """Set properties: {name: value, …}.

    Where a file cannot be used like that, a notice says why.
    """
    if not isinstance(value, Mapping) or not all(map(_is_setting, value.items())):
        return state
    return _changed(state, value, stays=value.keys() <= _IN_MOTION)


def _is_setting(item: tuple[Any, Any]) -> bool:
    name, value = item
    return name in BY_NAME and isinstance(value, str | int | float) and not isinstance(value, bool)


def _changed(state: PageState, changes: Mapping[str, Any], *, stays: bool = False) -> PageState:
    """Change settings; what had its default has that of the new data or kernel."""
    if "encoding" in changes:
        changes = {"cols": "", **changes}  # Columns and classes have other names in it.
    changes = {**changes, **_hard_margin(state, changes)}
    before = state.settings
    now = state.settings.replace(**changes)
    check_file(now)
    made = state.put(now, stays=stays).say(*_resets(before, now, changes))
    if before.stream != now.stream == "on" and before.learner != now.learner:
        title = LEARNERS[before.learner]().about.title
        return made.say(
            Notice(
                f"{title} needs all examples at once, so the perceptron takes its place in the "
                "stream."
            )
        )
    return made


def _hard_margin(state: PageState, changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return C for an SVM that is chosen beside a pinned run.

    Where that separates, margins are what is compared.
    """
    chosen = changes.get("learner") == "svm" != state.settings.learner
    if (
        not chosen
        or "C" in changes
        or not any(_separates(pin.on(state.settings)) for pin in state.pins)
    ):
        return {}
    return {"C": _HARD}


def _separates(settings: Settings) -> bool:
    """Whether a run, if it is soon trained, ends without an example on the wrong side."""
    try:
        separates: bool = made(SeparationWork(RunWork.of(settings, ())))
    except ValueError:
        return False
    return separates


@dataclass(frozen=True)
class SeparationWork(TextWork):
    """Whether a run, if it is soon trained, ends without an example on the wrong side."""

    run: RunWork

    @property
    def id(self) -> str:
        return f"separation?{self.run.id}"

    def make(self, progress: Progress | None = None) -> bool:
        ends = time.monotonic() + _SOON

        def watched(done: int, limit: int) -> None:
            if time.monotonic() > ends:
                raise TimeoutError  # It cancels the work.

        run = self.run.trained(watched).run
        return bool(
            run.converged and len(run.y) and (run.y * run.decision_function(run.X) > 0).all()
        )


def _resets(before: Settings, now: Settings, changes: Mapping[str, Any]) -> Iterator[Notice]:
    """Say what a change took away besides.

    What the new learner cannot have is not lost without a word.

    In a stream, where each example comes once, an order has no meaning whatever the learner.
    """
    for name in NOT_LOST:
        prop = BY_NAME[name]
        value = before.values[name]
        if (
            before.is_default(name)
            or name in changes
            or now.values[name] == value
            or conditions.is_stream(now.values)
        ):
            continue
        reason = now.reason_against(name) or prop.refused(value, now.values)
        if reason is not None:
            yield Notice(f"{prop.label} was {value}, and is reset: {reason}.")


def _take_typed(state: PageState, value: Any) -> PageState:
    """Take what was typed: {"name": …, "text": …}.

    Where it is wrong it stays in its field, and nothing is set.
    """
    name = mapping(value).get("name")
    typed = mapping(value).get("text")
    if (
        name not in _TYPED
        or not isinstance(typed, str)
        or state.settings.reason_against(name) is not None
    ):
        return state
    typed = typed[:LONGEST].strip()
    try:
        written = BY_NAME[name].canonical(typed, state.settings.values)
    except ValueError:
        return state.drafted(name, typed)
    return _changed(state.drafted(name, None), {name: written})


def _replace(state: PageState, value: Any) -> PageState:
    """Show what another link shows: {"link": …, "origin": … or None}."""
    link, origin, data = (mapping(value).get(key) for key in ("link", "origin", "data"))
    if not isinstance(link, str):
        return state
    opened = links.read(links.pairs(link))
    to = state.put(opened.settings, stays=data == state.data_id)
    before = links.read(links.pairs(origin)).settings if isinstance(origin, str) else None
    return replace(to, pins=opened.pins, origin=before, data_id=data_id(data) or to.data_id).say(
        *opened.notices
    )


# ---- keys ----------------------------------------------------------------------------------------


def _next_kernel(state: PageState, value: Any) -> PageState:
    now = state.settings.kernel
    data = state.settings.data
    names = OBJECTS[data].kernels if data in OBJECTS else _CYCLE
    if names == (now,):
        why = f"Only one kernel compares these examples: {KERNELS[now].name}."
        return state.say(Notice(why, "hint"))
    at = names.index(now) if now in names else -1
    return _changed(state, {"kernel": names[(at + 1) % len(names)]})


def _next_data(state: PageState, value: Any) -> PageState:
    names = [name for name in BY_NAME["data"].choices if name not in (FILE, DRAWN)]
    at = names.index(state.settings.data) if state.settings.data in names else -1
    return _changed(state, {"data": names[(at + 1) % len(names)], "seed": 0})


def _widen(state: PageState, factor: float) -> PageState:
    if state.settings.reason_against("sigma") is not None:
        return state
    return _changed(state, {"sigma": float(f"{state.settings.sigma * factor:.3g}")})


def _reseed(state: PageState, name: str) -> PageState:
    return _changed(state, {name: (state.settings.values[name] + 1) % 10_000})


def _reorder(state: PageState, value: Any) -> PageState:
    """Draw another order, or shuffle one that was not drawn."""
    drawn = state.settings.reason_against("oseed") is None
    return _reseed(state, "oseed") if drawn else _changed(state, {"order": "shuffled"})


def _turn_knob(state: PageState, value: Any) -> PageState:
    """Turn a number to the next of its values, as the knobs of a scene do.

    The value is {"name": …, "way": 1 or -1}.

    "name": or the place among the numbers of kernel and learner that are not in "besides"; "from":
    the scene's link, whose own value is one of them.
    """
    name, direction, link = (mapping(value).get(key) for key in ("name", "way", "from"))
    turned = sweep.names(state.settings)
    if type(name) is int:
        besides = texts(mapping(value).get("besides"))
        name = dict(
            enumerate(knob for knob in _KNOBS if knob in turned and knob not in besides)
        ).get(name)
        if name is None:
            return state.say(Notice(_NO_KNOB, "hint"))
    if not isinstance(name, str) or name not in turned or direction not in (1, -1):
        return state
    now = float(state.settings.values[name])
    scene_values = (
        [float(links.read(links.pairs(link)).settings.values[name])]
        if isinstance(link, str)
        else []
    )
    values = [*_apart(sweep.values_of(state.settings, name), [now, *scene_values]), *scene_values]
    beyond = [further for further in values if direction * (further - now) > abs(now) * 1e-9]
    if not beyond:
        return state
    return _changed(state, {name: min(beyond) if direction > 0 else max(beyond)})


def _apart(values: Sequence[float], fixed: Sequence[float]) -> list[float]:
    """Return the sorted values that are at least half a step from each fixed one."""
    steps = [after - before for before, after in pairwise(values)]
    steps += steps[-1:] or [0.0]
    pairs = zip(values, steps, strict=True)
    return [
        value
        for value, step in pairs
        if all(abs(value - fixed_value) >= step / 2 for fixed_value in fixed)
    ]


def _linear_or_gaussian(state: PageState, value: Any) -> PageState:
    """Change between the linear kernel and the Gaussian one, of a width {"sigma": …}."""
    if state.settings.data in OBJECTS:
        return state.say(
            Notice("Linear and Gaussian kernels compare points, which these are not.", "hint")
        )
    if state.settings.kernel != "linear":
        return _changed(state, {"kernel": "linear"})
    width = [item for item in mapping(value).items() if item[0] == "sigma" and _is_setting(item)]
    return _changed(state, {"kernel": "gaussian", **dict(width)})


# ---- comparing -----------------------------------------------------------------------------------


def _pin(state: PageState, value: Any) -> PageState:
    """Pin the model as it is, if there is room."""
    if len(state.pins) < comparison.MOST:
        return replace(state, pins=(*state.pins, Pin.of(state.settings)))
    words = (
        "Three runs are pinned, and there is no room for more: unpin one under Compare, or "
        "press Shift P."
    )
    return state.say(Notice(words))


def _unpin(state: PageState, value: Any) -> PageState:
    """Let go of the pin of a number, {"number": …}, or of all."""
    left = mapping(value).get("number")
    if type(left) is not int:
        return replace(state, pins=())
    return replace(
        state, pins=tuple(pin for number, pin in enumerate(state.pins) if number != left)
    )


def _compare(state: PageState, value: Any) -> PageState:
    """Open a ready comparison: {"name": …}."""
    preset = presets.PRESETS.get(text(mapping(value).get("name")))
    if preset is None:
        return state
    settings, pins = preset.settings()
    return replace(state.put(settings), pins=pins)


# ---- examples that are no points -----------------------------------------------------------------


def _add_example(state: PageState, value: Any) -> PageState:
    """Add an example of one's own: {"text": …, "y": 1 or -1}."""
    typed = mapping(value).get("text")
    y = mapping(value).get("y")
    if (
        not isinstance(typed, str)
        or y not in (1, -1)
        or not conditions.is_object(state.settings.values)
    ):
        return state
    typed = typed[:LONGEST].replace(";", ",").strip()
    if not typed:
        return state.say(Notice("There is nothing to add yet: write an example first."))
    added = ";".join(filter(None, [state.settings.added, f"{'+' if y == 1 else '-'}{typed}"]))
    pairs = objects.parse(added, conditions.compared(state.settings.values))
    return _changed(state, {"added": objects.code(pairs)})


def _remove_example(state: PageState, value: Any) -> PageState:
    """Take an added example away, by its number."""
    if type(value) is not int or not conditions.is_object(state.settings.values):
        return state
    pairs = objects.parse(state.settings.added, conditions.compared(state.settings.values))
    left = (pair for number, pair in enumerate(pairs) if number != value)
    return _changed(state, {"added": objects.code(left)})


COMMANDS: dict[str, Command] = {
    "set": _set,
    "type": _take_typed,
    "replace": _replace,
    "kernel": _next_kernel,
    "data": _next_data,
    "wider": lambda state, value: _widen(state, _WIDER),
    "narrower": lambda state, value: _widen(state, 1.0 / _WIDER),
    "redraw": lambda state, value: _reseed(state, "seed"),
    "reorder": _reorder,
    "square": lambda state, value: _changed(state, _IN_SPACE),
    "turn": _turn_knob,
    "straight": _linear_or_gaussian,
    "pin": _pin,
    "unpin": _unpin,
    "compare": _compare,
    "example": _add_example,
    "away": _remove_example,
    "draw": editing.draw,
    "points": editing.points,
    "point": editing.point,
    "hold": editing.hold,
    "order": editing.order,
    "cues": editing.cues,
    "original": editing.original,
    "open": editing.file,
    "paste": editing.pasted,
    "columns": editing.columns,
}
