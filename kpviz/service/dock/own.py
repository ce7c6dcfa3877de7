"""Data of one's own: points drawn by hand, files, tables that are pasted, and which columns of them are used."""

from __future__ import annotations

from kpviz import experiment
from kpviz.engine.data.drawn import Drawn
from kpviz.engine.data.tables import Table
from kpviz.service import editing
from kpviz.service.dock.fields import Add, Choice, Field, Slider, button, choice, select, sentence, typed, words
from kpviz.service.dock.shown import Shown
from kpviz.settings import BY_NAME, DRAWN, FILE, MAX_POINTS, Settings

_ACCEPT = ".csv,.tsv,.txt,.json"
KEYS = ("x1", "x2", "label", "negative", "positive")


def fields(shown: Shown) -> list[Field]:
    """Return how to draw, edit, open and paste."""
    settings = shown.settings
    opened = settings.data == FILE or bool(shown.drafts.keys() & {"file", "paste"})
    found: list[Field] = [
        button("draw", "Draw my own points", "An empty map, and the pencil: Shift E."),
        {
            "kind": "dialog",
            "dialog": "table",
            "label": "Edit the numbers",
            "tip": "All examples as a table: edit, paste, download.",
            "disabled": sentence(settings.reason_against("epochs")),  # a stream is too long
        },
    ]
    if editing.movable(settings):
        found.append(_point(shown))
    if shown.origin is not None:
        found.append(button("original", f"Back to {experiment.title(shown.origin)}"))
    if settings.data == DRAWN:
        found += _held_out(settings)
    label = "My own file or table (CSV), or a file of kpviz"
    return [*found, {"kind": "more", "label": label, "open": opened, "fields": _file(shown)}]


def _point(shown: Shown) -> Add:
    """Return where a point is typed."""
    return {
        "kind": "add",
        "label": "Add a point: x₁, x₂",
        "placeholder": "0.5, −1.2",
        "help": "Its two coordinates as numbers, in the units of the axes, and its class.",
        "button": "Add it",
        "command": "point",
        "classes": [[1, "class +1"], [-1, "class −1"]],
        "draft": typed(shown.drafts.get("point")),
    }


def _held_out(settings: Settings) -> list[Field]:
    points = Drawn.read(settings.points, MAX_POINTS)
    if points.n <= 1 and not points.held:
        return []
    held: Slider = {
        "kind": "slider",
        "name": "hold",
        "label": "Held out: the last points",
        "value": points.held,
        "low": 0,
        "high": max(points.n - 1, points.held),  # a link or a table may hold out all
        "log": False,
        "integer": True,
        "step": 1,
        "percent": False,
        "words": "",
        "command": "hold",
    }
    return [held]


def _file(shown: Shown) -> list[Field]:
    """Return the ways to bring a table; if there is one, what of it is used."""
    found: list[Field] = [
        {
            "kind": "file",
            "label": "Columns of numbers, and a column of labels",
            "accept": _ACCEPT,
            "draft": typed(shown.drafts.get("file")),
        },
        {
            "kind": "paste",
            "label": "Or paste from a spreadsheet",
            "placeholder": "x1\tx2\tclass\n0.5\t1.2\tyes",
            "help": "Copy the cells there, paste them here, and press Ctrl+Enter.",
            "draft": typed(shown.drafts.get("paste")),
        },
    ]
    if shown.settings.data == FILE and shown.table is not None:
        found += _columns(shown.settings, shown.table)
    return found


def _columns(settings: Settings, table: Table) -> list[Field]:
    """Return which columns and classes of the table are used, and what there is to say about its rows."""
    x1, x2, label, negative, positive = columns(settings, table)
    reduced, found = settings.reduce == "on", list[Field]()
    if reduced or len(table.measurements(label)) > 2:
        found += choice(
            BY_NAME["reduce"],
            settings.values,
            {"off": "two columns", "on": "principal components"},
            label="Features",
            help="Two of the columns of numbers, or the two directions along which all of them vary most.",
        )
    if not reduced:
        found += [_column("x1", "x₁", x1, table.numeric), _column("x2", "x₂", x2, table.numeric)]
    classes = table.classes(label)
    notices = (*table.notices, *experiment.prepare(settings, table).source.notices)
    return [
        *found,
        _column("label", "Label", label, table.columns),
        _column("negative", "Class −1", negative, classes),
        _column("positive", "Class +1", positive, classes),
        *choice(BY_NAME["scale"], settings.values, {"fit": "to ±1", "none": "as in the file"}),
        *(field for notice in notices for field in words(notice, "info")),
    ]


def _column(key: str, label: str, value: str, options: tuple[str, ...]) -> Choice:
    return {**select(key, label, value, [(each, each) for each in options]), "command": "columns", "key": key}


def columns(settings: Settings, table: Table) -> tuple[str, str, str, str, str]:
    """Return the two features, the label and its classes −1 and +1 that are used of a table."""
    chosen = experiment.choice(settings, table)
    return (*chosen.features, chosen.label, *chosen.classes)


def columns_with(settings: Settings, table: Table, key: str, value: str) -> tuple[str, str, str, str, str]:
    """Return the five columns and classes with one replaced; `key` is that of its field.

    A new label brings its own classes; a feature or class that is taken changes places with the other.
    """
    now = list(columns(settings, table))
    place = KEYS.index(key)
    pair = (0, 1) if place < 2 else (3, 4)
    if key == "label":
        now[2:] = (value, *(*table.classes(value), "", "")[:2])
    elif value in (now[pair[0]], now[pair[1]]) and value != now[place]:
        now[pair[0]], now[pair[1]] = now[pair[1]], now[pair[0]]
    else:
        now[place] = value
    return (now[0], now[1], now[2], now[3], now[4])
