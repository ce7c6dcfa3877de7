"""The controls of the data: which set, its size and noise, whether it is a stream; examples that
are not points, and one's own.

Tests: tests/service/test_dock.py.
"""

from __future__ import annotations

from functools import lru_cache

from kpviz import experiment
from kpviz.engine.data import boolean, datasets, objects
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.dnf import MOST_BITS
from kpviz.engine.data.drawn import Drawn
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.data.tables import ENCODINGS, Choice, Table
from kpviz.engine.theory.applicable_bounds import why_no_boolean_bound
from kpviz.engine.theory.mistake_bounds import dnf_bound
from kpviz.service import editing
from kpviz.service.dock.fields import (
    DockState,
    Draft,
    Field,
    button,
    choice,
    image,
    rare,
    seed,
    select,
    sentence,
    slider,
    text,
    toggle,
    typed,
    words,
)
from kpviz.settings import AUTO, BOOLEAN, BY_NAME, DRAWN, FILE, MAX_POINTS, Settings, conditions
from kpviz.settings.conditions import Values

_MOVES = {"turn": "turns steadily", "switch": "switches"}
_HOW = {
    "texts": "Write a sentence: only its words count.",
    "trees": "Write a tree in brackets, as (S (NP (N dogs)) (VP (V bark))).",
    "graphs": "Write the letters of the vertices, then the edges by number, as CCO 1-2 2-3.",
}

_DECIMALS = {AUTO: "by the numbers", "point": "a point", "comma": "a comma"}
SCALES = {"auto": "by the numbers", "fit": "to ±1", "none": "as in the file"}


def fields(state: DockState) -> list[Field]:
    """Return the sets, what to look for, what applies to the chosen one, and one's own data."""
    settings = state.settings
    values = state.settings.values
    sought = "" if settings.data in (FILE, DRAWN) else experiment.look_for(settings)
    sources = {name: experiment.source(name) for name in (*SOURCES, *OBJECTS)}
    tiles = [
        {"value": name, "title": source.title, "tip": source.look_for, "image": image("data", name)}
        for name, source in sources.items()
    ]
    is_object = conditions.is_object(values)
    usual, seldom = [
        [field for name in names for field in slider(BY_NAME[name], values)]
        for names in (("bits", "n", "noise"), ("flipped", "balance", "held"))
    ]
    if settings.data == FILE and state.table is not None:
        usual = _rows_shown(settings, state.table)
    return [
        {"kind": "tiles", "name": "data", "value": settings.data, "options": tiles},
        *words(sought),
        *(
            _function(state)
            if settings.data == BOOLEAN
            else _added_examples(state)
            if is_object
            else []
        ),
        *usual,
        *measured(values),
        *_hand_fields(state),
        *rare([*seldom, *seed(BY_NAME["seed"], values), *_stream(settings)], settings),
    ]


def measured(values: Values) -> list[Field]:
    """Return which measurements and classes of a real data set are used; nothing of other data."""
    if BY_NAME["x"].not_applicable(values) is not None:
        return []
    table = datasets.real_table(values["data"])
    features = list(enumerate(table.features))
    others = [feature for feature in features if feature[0] != values["x"]]
    selects: list[Field] = [
        select("x", BY_NAME["x"].label, values["x"], features),
        select("y", BY_NAME["y"].label, values["y"], others),
    ]
    if BY_NAME["pair"].not_applicable(values) is None:
        codes = [(code, datasets.classes_of(code)) for code in BY_NAME["pair"].choices_for(values)]
        named = [
            (
                code,
                ["the rest" if number is None else table.classes[number] for number in pair],
            )
            for code, pair in codes
        ]
        pairs = [(code, " − / ".join(pair) + " +") for code, pair in named]
        selects.append(select("pair", BY_NAME["pair"].label, values["pair"], pairs))
    return selects


def _stream(settings: Settings) -> list[Field]:
    """Return the switch, and how the target moves."""
    if settings.reason_against("stream") is not None:
        return []
    on = settings.stream == "on"
    switch: list[Field] = [toggle("stream", "Stream: examples arrive once", on)]
    why = settings.reason_against("drift")
    if on and why:
        return [*switch, *words(f"No drift: {why}.")]
    moves = choice(BY_NAME["moves"], settings.values, _MOVES)
    return [*switch, *slider(BY_NAME["drift"], settings.values), *moves]


# ---- examples that are not points ----------------------------------------------------------------


def _function(state: DockState) -> list[Field]:
    settings = state.settings
    titles = [
        [name, boolean_preset.title]
        for name, boolean_preset in boolean.PRESETS.items()
        if boolean_preset.fewest <= MOST_BITS
    ]
    preset = settings.function if settings.function in boolean.PRESETS else None
    written = "" if preset else settings.function
    return [
        {
            "kind": "choice",
            "name": "function",
            "label": BY_NAME["function"].label,
            "value": preset,
            "options": titles,
        },
        text(
            BY_NAME["function"],
            written,
            state.drafts.get("function"),
            label="Or a formula of your own: x1 & !x2 | x3",
            help="Terms joined by |, literals by &, a negated one with ! before it: the "
            "disjunctive normal form (DNF).",
        ),
        *words(_bound(settings)),
    ]


def _bound(settings: Settings) -> str:
    n = settings.bits
    dnf = boolean.function(settings.function, settings.bits)
    terms = len(dnf.terms)
    counted = f"l = {terms:,} term{'s' * (terms != 1)}"
    why = why_no_boolean_bound(experiment.learner(settings), experiment.kernel(settings), dnf)
    if why:
        return f"{counted}. The mistake bound 2ⁿ(4l + 1) says nothing of this run. {why}"
    return (
        f"{counted}, so at most 2ⁿ(4l + 1) = {dnf_bound(n, terms):,} mistakes, more than the 2ⁿ = "
        f"{2**n} inputs: "
        "‖u‖² = l + 1/4, the 1/4 for the constant feature −1/2, which is easily forgotten."
    )


def _added_examples(state: DockState) -> list[Field]:
    settings = state.settings
    how = _HOW[OBJECTS[settings.data].kind]
    (negative, positive) = OBJECTS[settings.data].classes
    question: Field = text(
        BY_NAME["ask"],
        settings.ask,
        state.drafts.get("ask"),
        label="Ask about a new one: what does each remembered example say of it?",
        help=how,
    )
    add: Field = {
        "kind": "add",
        "label": "Add an example",
        "placeholder": how,
        "help": how,
        "button": "Add it",
        "command": "example",
        "classes": [[1, f"+{positive}"], [-1, f"−{negative}"]],
        "draft": None,
    }
    added = [
        {
            "title": positive if y > 0 else negative,
            "text": written,
            "command": "away",
            "value": number,
            "label": "Remove",
        }
        for number, (written, y) in enumerate(
            objects.parse(settings.added, conditions.compared(settings.values))
        )
    ]
    return [question, add, {"kind": "list", "items": added}] if added else [question, add]


# ---- one's own -----------------------------------------------------------------------------------


def _hand_fields(state: DockState) -> list[Field]:
    """Return how to draw, edit, open and paste."""
    settings = state.settings
    own_fields: list[Field] = [
        button("draw", "Draw my own points", "An empty map to draw on: Shift E."),
        {
            "kind": "dialog",
            "dialog": "table",
            "label": "Edit the numbers",
            "tip": "All examples as a table: edit, paste, download.",
            "disabled": sentence(settings.reason_against("epochs")),  # A stream is too long.
        },
    ]
    if editing.movable(settings):
        own_fields.append(point_field("−1", "+1", state.drafts.get(editing.POINT)))
    if state.origin is not None:
        own_fields.append(button("original", f"Back to {experiment.title(state.origin)}"))
    points = Drawn.read(settings.points, MAX_POINTS)  # Other data have none.
    if points.n > 1 or points.held:
        own_fields.append(
            {
                "kind": "slider",
                "name": "hold",
                "label": "Held out: the last points",
                "value": points.held,
                "low": 0,
                "high": max(points.n - 1, points.held),  # A link or a table may hold out all.
                "log": False,
                "integer": True,
                "step": 1,
                "percent": False,
                "words": "",
                "command": "hold",
            }
        )
    is_file = settings.data == FILE
    file_fields = ways_to_bring_a_table()
    if is_file and state.table is not None:
        file_fields += _columns(settings, state.table)
    label = "My own file or table (CSV), or a file of kpviz"
    return [*own_fields, {"kind": "more", "label": label, "open": is_file, "fields": file_fields}]


def point_field(negative: str, positive: str, draft: Draft | None) -> Field:
    """Return the field in which a point is typed, of one of two classes."""
    return {
        "kind": "add",
        "label": "Add a point: across, then up",
        "placeholder": "for example 0.5, −1.2",
        "help": "Its two coordinates as numbers, in the units of the axes, and its class.",
        "button": "Add it",
        "command": "point",
        "classes": [[1, f"class {positive}"], [-1, f"class {negative}"]],
        "draft": typed(draft),
    }


def ways_to_bring_a_table() -> list[Field]:
    """Return the fields in which a file is chosen and a table is pasted."""
    return [
        {
            "kind": "file",
            "label": "Columns of numbers, and a column of labels",
            "accept": ".csv,.tsv,.txt,.json",
            "draft": None,
        },
        {
            "kind": "paste",
            "label": "Or paste from a spreadsheet",
            "placeholder": "x1\tx2\tclass\n0.5\t1.2\tyes",
            "help": "Copy the cells there, paste them here, and press Ctrl+Enter.",
            "draft": None,
        },
    ]


def _rows_shown(settings: Settings, table: Table) -> list[Field]:
    """Return the slider for how many rows of the table are shown, of those that can be; None where
    they are few.
    """
    count = min(_count_usable(table, experiment.choice(settings, table)), MAX_POINTS)
    fields = slider(BY_NAME["n"], settings.values)
    return [
        {**field, "value": min(settings.n, count), "high": count}
        for field in fields
        if count > field["low"]
    ]


@lru_cache(maxsize=8)
def _count_usable(table: Table, choice: Choice) -> int:
    return table.count_usable(choice)


def _columns(settings: Settings, table: Table) -> list[Field]:
    """Return which columns and classes of the table are used, and what is said of its rows."""
    x1, x2, label, negative, positive = editing.columns_of(settings, table)
    reduced = settings.reduce == "on"
    feature_fields = list[Field]()
    if reduced or len(table.measurements(label)) > 2:
        feature_fields += choice(
            BY_NAME["reduce"],
            settings.values,
            {"off": "two columns", "on": "principal components"},
            label="Features",
            help="Two of the columns of numbers, or the two directions along which all of them "
            "vary most.",
        )
    if not reduced:
        feature_fields += [
            column_select("x1", "First feature", x1, table.numeric),
            column_select("x2", "Second feature", x2, table.numeric),
        ]
    classes = table.classes(label)
    return [
        *feature_fields,
        column_select("label", "Label", label, table.columns),
        column_select("negative", "Class −1", negative, classes),
        column_select("positive", "Class +1", positive, classes),
        *choice(BY_NAME["scale"], settings.values, SCALES),
        reading_fields(settings, table),
        *(field for fact in editing.facts(settings, table) for field in words(fact.words, "info")),
    ]


def reading_fields(settings: Settings, table: Table) -> Field:
    """Return how the file is read, folded away unless something in it is open or set."""
    is_set = not (settings.is_default("encoding") and settings.is_default("decimals"))
    names = [(AUTO, "by the bytes"), *((name, name) for name in ENCODINGS)]
    return {
        "kind": "more",
        "key": "reading",
        "label": "How the file is read",
        "open": is_set or bool(table.open_number) or not table.is_encoding_certain,
        "fields": [
            select("encoding", BY_NAME["encoding"].label, settings.encoding, names),
            *choice(BY_NAME["decimals"], settings.values, _DECIMALS),
        ],
    }


def column_select(key: str, label: str, value: str, options: tuple[str, ...]) -> Field:
    """Return the choice of a column or a class of the table; `key` is what it is used for."""
    return {
        **select(key, label, value, [(name, name) for name in options]),
        "command": "columns",
        "key": key,
    }
