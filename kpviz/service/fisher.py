"""The answer to a question of the page on Fisher's discriminant, its data, and its controls.

Tests: tests/service/test_fisher_own.py, tests/player/test_fisher.py.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from kpviz.engine.data import tables
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.drawn import Drawn, Names
from kpviz.engine.data.tables import Choice, Table
from kpviz.engine.fisher.data import SETS, Plane
from kpviz.engine.run.predictors import Progress
from kpviz.player import fisher, payload
from kpviz.service import editing, links, stored
from kpviz.service.caches import LruCache
from kpviz.service.dock.data import (
    SCALES,
    column_select,
    measured,
    point_field,
    reading_fields,
    ways_to_bring_a_table,
)
from kpviz.service.dock.fields import (
    Draft,
    Field,
    choice,
    image,
    seed,
    sentence,
    slider,
    words,
)
from kpviz.service.making import Makings
from kpviz.service.question import Question, entries, mapping, number, text, texts
from kpviz.service.state import Action, Notice
from kpviz.service.stored import Record
from kpviz.service.work import Compute
from kpviz.settings import BY_NAME, DRAWN, FILE, MAX_POINTS, Settings, fisher_link
from kpviz.settings.fisher_link import FISHER_SOURCES, FisherSettings, FisherView

# Links of the board have these settings, too.
_OF_THE_DATA = (
    "data",
    "file",
    "encoding",
    "decimals",
    "cols",
    "scale",
    "points",
    "names",
)
_MEASURED = {  # Scikit-learn brings these data sets.
    name
    for name, source in SETS.items()
    if source.many or (name in SOURCES and SOURCES[name].is_real)
}
_LONGEST_POINT = 80  # In characters.
_packed: LruCache[bytes] = LruCache(64, 50_000_000, len)


@dataclass(frozen=True)
class FisherState:
    """What is set, what is said of it once, what the browser keeps, and what was typed wrong."""

    settings: FisherSettings
    view: FisherView = field(default_factory=FisherView)
    notices: tuple[str, ...] = ()
    store: Mapping[str, Record | None] = field(default_factory=dict)
    drafts: Mapping[str, str] = field(default_factory=dict)

    def say(self, sentence: str) -> FisherState:
        """Say something once."""
        return replace(self, notices=(*self.notices, sentence))

    def put(self, settings: FisherSettings) -> FisherState:
        """Show other data; ValueError, of one sentence, where they cannot be shown."""
        _plane(settings)
        return replace(
            self, settings=settings, store={**self.store, **stored.keep_points(settings)}, drafts={}
        )


@dataclass(frozen=True)
class PictureWork:
    """The picture of a data set.

    `plane` are the examples of a file, whose table stays where it is.
    """

    settings: FisherSettings
    plane: Plane | None = None
    seconds: ClassVar[float] = 0.1

    @property
    def id(self) -> str:
        """What tells it from others."""
        return f"fisher?{fisher.identifier(self.settings)}"

    def compute(self, progress: Progress | None = None) -> bytes:
        """Return the picture as bytes."""
        return fisher.encode(self.settings, self.plane)


async def answer(question: Question, compute: Compute) -> bytes:
    """Return the answer as bytes."""
    makings = Makings(compute)
    needs, state = await makings.call(_begin, question)
    if needs:
        return payload.pack({"n": number(question), "needs": needs}, {})
    steps = []
    for place, (name, value) in enumerate(entries(question)):
        state = await makings.call(_carry_out, state, name, value, place)
        steps.append(_plain(state.settings))
        await asyncio.sleep(0)  # Others have their turn.
    header = await makings.call(_header, question, state, steps)
    name = fisher.identifier(state.settings)
    packed = b""
    if name not in texts(question.get("have")):
        packed = _packed.get(name) or await compute(await makings.call(_picture, state.settings))
        _packed.put(name, packed)
    return fisher.envelope(packed, state.settings, state.view, header)


def _begin(question: Question) -> tuple[list[str], FisherState]:
    """Return what is needed first, and what the link shows."""
    stored.bring(question.get("bring"))
    needs = links.needed(question)
    state = (
        FisherState(FisherSettings.of())
        if needs
        else _read(links.pairs(text(question.get("link"))))
    )
    if question.get("shown") is True:
        state = replace(state, notices=())  # What is wrong with a link is said once.
    return needs, state


def _carry_out(state: FisherState, name: Any, value: Any, place: int) -> FisherState:
    """Carry out one command, which stands at a place among those of the question."""
    if isinstance(name, str) and name in _COMMANDS:
        try:
            state = _COMMANDS[name](state, value)
        except ValueError as error:
            state = state.say(str(error))
    return replace(state, store=stored.with_command_place(state.store, place))


def _picture(settings: FisherSettings) -> PictureWork:
    return PictureWork(settings.without_cues, _plane(settings) if settings.data == FILE else None)


def _header(
    question: Question, state: FisherState, steps: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    settings = state.settings
    return {
        "n": number(question),
        "steps": list(steps),
        **_plain(settings),
        "notices": [{"kind": "warning", "words": notice} for notice in state.notices],
        "facts": [fact.plain for fact in _facts(settings)],
        "store": {**stored.keep_points(settings), **state.store},
        "edit": False,
        "drafts": dict(state.drafts),
        "dock": dock(settings, texts(question.get("dock")), state.drafts),
        "editing": {"origin": None},
    }


def _plain(settings: FisherSettings) -> dict[str, Any]:
    return {"link": settings.link(), "origin": None, "data": settings.link()}


def _plane(settings: FisherSettings) -> Plane:
    return fisher_link.plane_of(settings, stored.table(settings))


def _read(query: Mapping[str, str]) -> FisherState:
    """Return what a link shows; where its data are not here or cannot be shown, other data and a
    sentence.
    """
    known = dict(query)
    lost = links.POINTS_ARE_LOST if links.loses_points(known) else None
    settings, view, notice = fisher_link.read_link(known)
    sentences = [sentence for sentence in (lost, notice) if sentence]
    if settings.data in fisher_link.FROM_USER or settings.data in _MEASURED:
        try:
            _plane(settings)
        except ValueError as error:
            settings = FisherSettings.of()
            sentences.append(f"{error} Until then you see {SETS[settings.data].title}.")
    return FisherState(settings, view, tuple(sentences))


# ---- commands ------------------------------------------------------------------------------------


def _set(state: FisherState, value: Any) -> FisherState:
    changes = {
        key: new_value for key, new_value in mapping(value).items() if key in state.settings.values
    }
    return state.put(state.settings.replace(**changes))


def _next_data(state: FisherState, value: Any) -> FisherState:
    names = list(SETS)
    place = names.index(state.settings.data) + 1 if state.settings.data in SETS else 0
    return state.put(FisherSettings.of(data=names[place % len(names)]))


def _redraw(state: FisherState, value: Any) -> FisherState:
    return state.put(state.settings.replace(seed=(state.settings.seed + 1) % 10_000))


def _replace(state: FisherState, value: Any) -> FisherState:
    opened = _read(links.pairs(text(mapping(value).get("link"))))
    return replace(
        state, settings=opened.settings, notices=(*state.notices, *opened.notices), drafts={}
    )


def _open(state: FisherState, value: Any) -> FisherState:
    """Open a table, or settings of the board with data of one's own.

    The value is {"name": …, "data": its bytes in base64}.
    """
    opened = stored.open_sent_file(value)
    if opened is None:
        return state
    if isinstance(opened, tuple):
        return _with_table(state, *opened)
    settings = opened.settings
    if settings.data not in fisher_link.FROM_USER:
        return state.say("This file holds no points and no table of its own: open it on the Board.")
    if opened.table is not None:
        stored.keep_table(settings.file, opened.table)
    with_data = state.put(FisherSettings.of(**{key: settings.values[key] for key in _OF_THE_DATA}))
    if opened.table is None:
        return with_data
    return replace(
        with_data, store={**with_data.store, **stored.csv_record(settings.file, opened.csv)}
    )


def _paste(state: FisherState, value: Any) -> FisherState:
    """Take a table that was pasted: {"text": …}."""
    pasted = text(mapping(value).get("text"))
    return _with_table(state, *stored.read_pasted(pasted)) if pasted.strip() else state


def _with_table(state: FisherState, name: str, table: Table) -> FisherState:
    stored.keep_table(name, table)
    with_data = state.put(FisherSettings.of(data=FILE, file=name))
    return replace(with_data, store={**with_data.store, name: None})


def _columns(state: FisherState, value: Any) -> FisherState:
    """Choose another column or class of the file, if it can be used.

    The value is {"x1", "x2", "label", … : its name}.
    """
    table = stored.table(state.settings)
    if table is None or len(mapping(value)) != 1:
        return state
    ((key, name),) = mapping(value).items()
    label = _choice(state.settings, table).label
    if key not in editing.KEYS or name not in (
        table.columns if key in editing.KEYS[:3] else table.classes(label)
    ):
        return state
    names = editing.columns_with(_on_the_board(state.settings), table, key, name)
    return state.put(state.settings.replace(cols=tables.COLUMN_SEPARATOR.join(names)))


def _point(state: FisherState, value: Any) -> FisherState:
    """Add a point that is typed: {"text": "0.5, −1.2", "y": 1 or -1}.

    Where it is wrong it stays in its field.
    """
    typed_point = mapping(value).get("text")
    y = mapping(value).get("y")
    if not isinstance(typed_point, str) or y not in (1, -1) or _plane(state.settings).is_of_many:
        return state
    typed_point = typed_point[:_LONGEST_POINT].strip()
    try:
        settings = _with_point(state.settings, typed_point, float(y))
    except ValueError:
        return replace(state, drafts={editing.POINT: typed_point})
    return state.put(settings)


def _with_point(settings: FisherSettings, typed_point: str, y: float) -> FisherSettings:
    """Return the settings with one point more, in the units of the axes; ValueError where there is
    none.
    """
    examples = _plane(settings).examples
    if len(examples.labels) >= MAX_POINTS:
        raise ValueError(f"There are {MAX_POINTS:,} points already, and no more are held.")
    point = np.array([tables.pair(typed_point)])
    if examples.lows is not None and examples.highs is not None:
        lows = np.array(examples.lows)
        point = 2.0 * (point - lows) / (np.array(examples.highs) - lows) - 1.0
    labels = np.where(examples.labels > 0, 1.0, -1.0)
    points = Drawn.of(np.concatenate([examples.X, point]), np.append(labels, y))
    features = (examples.features[0], examples.features[1])
    names = Names(
        features, (examples.classes[0], examples.classes[1]), examples.lows, examples.highs
    )
    return FisherSettings.of(data=DRAWN, points=points.code, names=names.code)


_COMMANDS: dict[str, Callable[[FisherState, Any], FisherState]] = {
    "set": _set,
    "redraw": _redraw,
    "data": _next_data,
    "replace": _replace,
    "open": _open,
    "paste": _paste,
    "columns": _columns,
    "point": _point,
}


# ---- one's own data ------------------------------------------------------------------------------


def _on_the_board(settings: FisherSettings) -> Settings:
    """Return settings of the board with the same data of one's own."""
    return Settings.of(**{name: settings.values[name] for name in _OF_THE_DATA})


def _choice(settings: FisherSettings, table: Table) -> Choice:
    return Choice.read(settings.cols) or table.guess()


def _facts(settings: FisherSettings) -> Iterator[Notice]:
    """Yield what there is to say of a table.

    How it was read, which rows are shown, and whether it is scaled.
    """
    table = stored.table(settings)
    if table is None:
        return
    examples = _plane(settings).examples
    for reading in table.readings():
        yield editing.reading_notice(_on_the_board(settings), reading)
    for place, fact in enumerate((*table.notices, *examples.notices)):
        yield Notice(fact, "fact", f"{settings.file} fisher rows {place}")
    topic = f"{settings.file} fisher scale"
    if examples.lows is not None:
        as_they_are = Action("Take them as they are", {"scale": "none"})
        yield Notice(
            "Features are scaled to ±1: S_W, S_B and F are of scaled values.",
            "fact",
            topic,
            (as_they_are,),
        )
    elif settings.scale == "none" and len(examples.classes) == 2:
        scaled = Action("Scale them to ±1", {"scale": "fit"})
        yield Notice("Features are taken as they are in the file.", "fact", topic, (scaled,))


# ---- controls ------------------------------------------------------------------------------------


def dock(
    settings: FisherSettings, group_names: Collection[str], drafts: Mapping[str, str] | None = None
) -> Field:
    """Return what the controls show: the tab, the button, and the group "data" if it is wanted."""
    by_name = FisherSettings.known
    values = settings.values
    fixed = sentence(by_name["seed"].not_applicable(values))
    return {
        "tabs": [
            {
                "group": "data",
                "label": "Data",
                "set": fisher.title(settings),
                "tip": "What to look at",
            }
        ],
        "buttons": [
            {"command": "redraw", "tip": fixed or "The next data seed (N)", "disabled": fixed}
        ],
        "quick": None,
        "groups": {"data": list(_data(settings, drafts or {}))} if "data" in group_names else {},
    }


def _data(settings: FisherSettings, drafts: Mapping[str, str]) -> Iterator[Field]:
    by_name = FisherSettings.known
    values = settings.values
    tiles = [
        {"value": name, "title": source.title, "tip": source.look_for, "image": image("data", name)}
        for name, source in SETS.items()
    ]
    yield {"kind": "tiles", "name": "data", "value": settings.data, "options": tiles}
    yield from words(FISHER_SOURCES[settings.data].look_for)
    yield from slider(by_name["n"], values)
    yield from slider(by_name["noise"], values)
    yield from seed(by_name["seed"], values)
    yield from measured(values)
    yield from _hand_fields(settings, drafts)


def _hand_fields(settings: FisherSettings, drafts: Mapping[str, str]) -> Iterator[Field]:
    """Yield how to add points, and how to bring a table; if there is one, what of it is used."""
    table = stored.table(settings)
    plane = _plane_if_any(settings)
    if plane is not None and not plane.is_of_many:
        negative, positive = plane.examples.classes
        yield point_field(negative, positive, _draft(settings, drafts))
    yield from words("Points that are drawn on the Board come with the link Fisher at the top.")
    fields = ways_to_bring_a_table()
    if table is not None and plane is not None:
        fields += _columns_of(settings, table, plane)
    label = "My own file or table (CSV)"
    yield {"kind": "more", "label": label, "open": settings.data == FILE, "fields": fields}


def _plane_if_any(settings: FisherSettings) -> Plane | None:
    """Return the plane, None where one's own data are not here or cannot be shown."""
    try:
        return _plane(settings)
    except ValueError:
        return None


def _draft(settings: FisherSettings, drafts: Mapping[str, str]) -> Draft | None:
    """Return the point that was typed wrong, and why it is none."""
    typed_point = drafts.get(editing.POINT)
    if typed_point is None:
        return None
    try:
        _with_point(settings, typed_point, 1.0)
    except ValueError as error:
        return Draft(typed_point, str(error))
    return None


def _columns_of(settings: FisherSettings, table: Table, plane: Plane) -> Iterator[Field]:
    """Yield which columns and classes of the table are used, and what is said of its rows."""
    chosen = _choice(settings, table)
    classes = table.classes(chosen.label)
    if len(classes) > 2:
        titles = {
            "all": "the three largest" if len(classes) > 3 else "all three",
            "two": "two of them",
        }
        yield from choice(FisherSettings.known["kinds"], settings.values, titles)
    yield column_select("label", "Label", chosen.label, table.columns)
    if not plane.is_of_many:
        first, second = chosen.features
        yield column_select("x1", "First feature", first, table.numeric)
        yield column_select("x2", "Second feature", second, table.numeric)
        yield column_select("negative", "Class −1", chosen.classes[0], classes)
        yield column_select("positive", "Class +1", chosen.classes[1], classes)
        yield from choice(BY_NAME["scale"], settings.values, SCALES)
    yield reading_fields(_on_the_board(settings), table)
    for fact in _facts(settings):
        yield from words(fact.words, "info")
