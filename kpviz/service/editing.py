"""What the board edits: points, an order by hand and cues; and files, with what of them is used.

Each command holds the whole of what it changes, so that one that is overtaken by a later one does
no harm. What makes no sense changes nothing.

Tests: tests/service/test_commands.py, tests/service/test_dock.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from kpviz import experiment
from kpviz.engine.data import sequence, tables
from kpviz.engine.data.drawn import Drawn
from kpviz.engine.data.tables import OpenReading, Table
from kpviz.experiment import Split
from kpviz.service import stored
from kpviz.service.question import mapping, text
from kpviz.service.state import Action, Notice, PageState, check_file
from kpviz.settings import DRAWN, FILE, HAND, MAX_POINTS, Settings, conditions, names_of
from kpviz.settings.cues import LONGEST_CUES, Cues

KEYS = ("x1", "x2", "label", "negative", "positive")  # The parts of a table have these keys.
POINT = "point"  # The field in which one is typed has this name.
_LONGEST = 8000  # In characters: the longest drawing.
_TYPED = 80  # In characters: the longest point.
# In times of what an axis shows, beyond its ends: there the grid still tells the other points
# apart.
_FAR = 4


def with_points(settings: Settings, points: Drawn) -> Settings:
    """Return the settings with these points in place of the data."""
    split = stored.split(settings)
    names = settings.names if settings.data == DRAWN else experiment.names(split).code
    return settings.replace(data=DRAWN, points=points.code, names=names, stream="off")


def draw(state: PageState, value: Any) -> PageState:
    """Begin on an empty map, or go on with what is drawn already."""
    begun = replace(state.put(state.settings.replace(data=DRAWN, stream="off")), pins=())
    return replace(begun, edit=True)


def points(state: PageState, value: Any) -> PageState:
    """Put the points in place that were drawn: {"code": …}, and with "order" an order by hand."""
    code = mapping(value).get("code")
    order = mapping(value).get("order")
    if not isinstance(code, str) or not movable(state.settings) or len(code) > _LONGEST:
        return state
    try:
        made = with_points(state.settings, Drawn.read(code, MAX_POINTS))
    except ValueError:
        return state
    ordered = _ordered(made, order) if isinstance(order, list) and made.order == HAND else made
    return state if ordered is None else _edited(state, ordered)


def point(state: PageState, value: Any) -> PageState:
    """Add a point that is typed: {"text": "0.5, −1.2", "y": 1 or -1}.

    Where it is wrong it stays in its field.
    """
    typed = mapping(value).get("text")
    y = mapping(value).get("y")
    if not isinstance(typed, str) or y not in (1, -1) or not movable(state.settings):
        return state
    typed = typed[:_TYPED].strip()
    try:
        made = _with_point(state.settings, typed, float(y))
    except ValueError:
        return state.drafted(POINT, typed)
    return _edited(state.drafted(POINT, None), made)


def why_no_point(settings: Settings, text: str) -> str:
    """Return why a text that was typed is no point that can be added; "" where it is one."""
    try:
        _with_point(settings, text, 1.0)
    except ValueError as error:
        return str(error)
    return ""


def _with_point(settings: Settings, text: str, y: float) -> Settings:
    """Return the settings with one point more, before those held out; ValueError, of one sentence,
    if there is none.
    """
    split = stored.split(settings)
    before = experiment.drawn(settings, split)
    if before.n >= MAX_POINTS:
        raise ValueError(
            f"There are {before.n:,} points already, and no more than {MAX_POINTS:,} are held."
        )
    row = experiment.as_shown(np.array([tables.pair(text)]), split.source)
    low, high = np.array([axis.ends for axis in before.axes]).T
    if before.n and (np.maximum(low - row, row - high) > _FAR * (high - low)).any():
        raise ValueError(
            f"{text!r} is so far away that the map would not tell the other points apart: write "
            "it nearer."
        )
    at = before.n - before.held
    X = np.insert(before.X, at, row, axis=0)
    labels = np.insert(before.y, at, y)
    return with_points(settings, before.with_points(X, labels, before.held))


def movable(settings: Settings) -> bool:
    """Whether the examples are points that one can draw and move."""
    return settings.stream != "on" and conditions.has_plane(settings.values)


def hold(state: PageState, value: Any) -> PageState:
    """Hold out the last `value` of the drawn points."""
    if type(value) is not int or value < 0 or state.settings.data != DRAWN:
        return state
    drawn = Drawn.read(state.settings.points, MAX_POINTS)
    return _edited(
        state,
        with_points(state.settings, Drawn(drawn.cells, drawn.y, min(value, drawn.n), drawn.axes)),
    )


def order(state: PageState, value: Any) -> PageState:
    """Show the examples in this order: a list of indices."""
    if state.settings.reason_against("order") is not None or not isinstance(value, list):
        return state
    made = _ordered(state.settings, value)
    return state if made is None else _edited(state, made)


def cues(state: PageState, value: Any) -> PageState:
    """Put cues in place."""
    with suppress(ValueError):
        read = Cues.of(value)
        if len(read.code) <= LONGEST_CUES:
            return _edited(state, state.settings.replace(cues=read.code))
    return state


def original(state: PageState, value: Any) -> PageState:
    """Go back to the data that were there before they were edited; the model stays as it is."""
    origin = state.origin
    if origin is None:
        return state
    data = {
        name: origin.values[name]
        for name in names_of("data")
        if origin.reason_against(name) is None
    }
    return _edited(state, state.settings.replace(**data))


def _edited(state: PageState, settings: Settings) -> PageState:
    return state.put(settings, stays=True).keep(stored.keep_points(settings))


def _ordered(settings: Settings, order: list[Any]) -> Settings | None:
    if (
        len(order) > MAX_POINTS
        or not all(type(i) is int for i in order)
        or sorted(order) != list(range(len(order)))
    ):
        return None
    return settings.replace(order=HAND, sequence=sequence.encode(order))


# ---- files: a table that is opened, dropped or pasted, or what kpviz wrote -----------------------


def file(state: PageState, value: Any) -> PageState:
    """Open a file: {"name": …, "data": its bytes in base64}."""
    opened = stored.open_sent_file(value)
    if opened is None:
        return state
    if isinstance(opened, tuple):
        return _table(state, *opened)
    settings = opened.settings
    store = stored.keep_points(settings)
    if opened.table is not None:
        stored.keep_table(settings.file, opened.table)
        store = stored.csv_record(settings.file, opened.csv)
    return state.put(settings).keep(store).say(*([Notice(opened.notice)] if opened.notice else []))


def pasted(state: PageState, value: Any) -> PageState:
    """Take a table that was pasted: {"text": …}."""
    typed = text(mapping(value).get("text"))
    return _table(state, *stored.read_pasted(typed)) if typed.strip() else state


def columns(state: PageState, value: Any) -> PageState:
    """Choose another column or class of the file, if it can be used.

    The value is {"x1", "x2", "label", … : its name}.
    """
    table = stored.table(state.settings)
    if table is None or not isinstance(value, Mapping) or len(value) != 1:
        return state
    ((key, name),) = value.items()
    label = experiment.choice(state.settings, table).label
    if key not in KEYS or name not in (table.columns if key in KEYS[:3] else table.classes(label)):
        return state
    names = columns_with(state.settings, table, key, name)
    candidate = state.settings.replace(cols=tables.COLUMN_SEPARATOR.join(names))
    check_file(candidate)
    return state.put(candidate)


def facts(settings: Settings, table: Table | None) -> tuple[Notice, ...]:
    """Return what there is to say of a table: how it was read, and which of its rows are shown.

    Nothing of other data.

    Of each, one sentence, and where there is a choice a button for the other one.
    """
    if table is None:
        return ()
    split = stored.split(settings, table)
    sentences = (*table.notices, *split.source.notices)
    readings = (reading_notice(settings, reading) for reading in table.readings())
    topics = [f"{settings.file} rows {place}" for place in range(len(sentences))]
    rows = (
        Notice(sentence, "fact", topic) for sentence, topic in zip(sentences, topics, strict=True)
    )
    return *readings, *rows, *_scale_and_order(settings, split)


def reading_notice(settings: Settings, reading: OpenReading) -> Notice:
    """Return what was taken for granted in reading a table, with what reads it otherwise."""
    topic = f"{settings.file} {reading.argument}"
    if reading.argument == "encoding":
        actions = tuple(Action(name, {"encoding": name}) for name in reading.others)
        return Notice(reading.words, "fact", topic, actions, menu="Another encoding")
    actions = tuple(
        Action(f"Read it as {value}", {"decimals": name}) for name, value in reading.others.items()
    )
    return Notice(reading.words, "fact", topic, actions)


def _scale_and_order(settings: Settings, split: Split) -> Iterator[Notice]:
    """Yield what is done to the numbers of a file, and what its order may do, with buttons."""
    scaling = experiment.scaling_note(settings, split.source)
    if scaling:
        other = Action("Take them as they are", {"scale": "none"})
        if not split.source.scaled:
            other = Action("Scale them to ±1", {"scale": "fit"})
        yield Notice(scaling, "fact", f"{settings.file} scale", (other,))
    sorted_by_label = experiment.sorted_note(settings, split)
    if sorted_by_label:
        shuffle = Action("Shuffle it in each epoch", {"order": "shuffled"})
        yield Notice(sorted_by_label, "fact", f"{settings.file} order", (shuffle,))


def _table(state: PageState, name: str, table: Table) -> PageState:
    candidate = state.settings.replace(data=FILE, file=name, cols="", reduce="off", n=MAX_POINTS)
    stored.split(candidate, table)
    stored.keep_table(candidate.file, table)
    return state.put(candidate).keep({candidate.file: None})


def columns_of(settings: Settings, table: Table) -> tuple[str, str, str, str, str]:
    """Return the two features, the label and its classes −1 and +1 that are used of a table."""
    chosen = experiment.choice(settings, table)
    return (*chosen.features, chosen.label, *chosen.classes)


def columns_with(
    settings: Settings, table: Table, key: str, value: str
) -> tuple[str, str, str, str, str]:
    """Return the five columns and classes with one replaced; `key` is that of its field.

    A new label brings its own classes; a feature or class that is taken changes places with the
    other.
    """
    now = list(columns_of(settings, table))
    place = KEYS.index(key)
    pair = (0, 1) if place < 2 else (3, 4)
    if key == "label":
        now[2:] = (value, *(*table.classes(value), "", "")[:2])
    elif value in (now[pair[0]], now[pair[1]]) and value != now[place]:
        now[pair[0]], now[pair[1]] = now[pair[1]], now[pair[0]]
    else:
        now[place] = value
    return (now[0], now[1], now[2], now[3], now[4])
