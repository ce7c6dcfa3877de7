"""The answer to a question: a pure function of the question, except for caches. Read this file first.

A question says what a page shows, as its link does, and which commands its reader gave since; the answer says what is
shown now, what the controls show, and brings the runs that the page does not have. web/types.d.ts has both as types
(`Question`, `AnswerHeader`).
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kpviz import experiment, panels
from kpviz.lessons import comparison, presets
from kpviz.player import envelope, payload
from kpviz.player.envelope import Packed, ViewState
from kpviz.player.extras import EXTRAS
from kpviz.service import commands, curve, dock, drafts, fisher, links, stored, verdict
from kpviz.service.caches import LruCache
from kpviz.service.dock import Dock
from kpviz.service.question import Question, entries, mapping, number, text, texts
from kpviz.service.state import Notice, State
from kpviz.service.work import Work, work
from kpviz.settings import conditions
from kpviz.settings.cues import Cues

Packs = Callable[[Any], Awaitable[bytes]]

_APART = {"curve"}  # extras that a page asks for by themselves, as they may take long
_payloads: LruCache[bytes] = LruCache(256, 200_000_000, len)


@dataclass(frozen=True)
class Resolved:
    """A question understood: the state after each command, and what there is to say."""

    state: State
    view: ViewState
    steps: tuple[State, ...] = ()
    notices: tuple[Notice, ...] = ()
    store: Mapping[str, stored.Record] = field(default_factory=dict)
    edit: bool = False
    needs: tuple[str, ...] = ()


async def answer(question: Question, packs: Packs) -> bytes:
    """Return the answer as bytes; `packs` trains and packs a run, or raises a ValueError of one sentence."""
    if question.get("page") == "fisher":
        return await asyncio.to_thread(fisher.answer, question)
    if "lesson" in question:
        return await (await asyncio.to_thread(_of_lessons))(question, packs)
    resolved = await asyncio.to_thread(resolve, question)
    if resolved.needs:
        return payload.pack({"n": number(question), "needs": list(resolved.needs)}, {})
    if "curve" in question:
        return await curve.answer(question, resolved.state.settings, packs)
    if question.get("verdict") is True:
        return await verdict.answer(question, resolved.state.settings, packs)
    while True:
        try:
            runs = await _runs(question, resolved, packs)
        except ValueError as error:
            why = drafts.typeset(str(error))
            typed = await asyncio.to_thread(_typed_in_vain, question, resolved, why)
            if typed is not None:
                resolved = typed
                continue
            instead = None if question.get("shown") is True else links.fallback(resolved.state, why)
            if instead is None:
                return payload.pack({"n": number(question), "failed": why}, {})
            resolved = replace(resolved, state=instead.state, notices=(*resolved.notices, *instead.notices))
            continue
        return await asyncio.to_thread(_written, question, resolved, runs)


def _of_lessons() -> Callable[[Question, Packs], Awaitable[bytes]]:
    from kpviz.service import lesson  # loaded when one is opened: the first picture comes sooner

    return lesson.answer


# ---- what is asked --------------------------------------------------------------------------------


def resolve(question: Question) -> Resolved:
    """Return what a question leads to. What makes no sense in it is passed over."""
    for name, record in mapping(question.get("bring")).items():
        if isinstance(record, Mapping):
            stored.bring(name, record)
    opened = links.read(links.pairs(text(question.get("link"))))
    needs = _needs(question)
    if needs:
        return Resolved(opened.state, opened.view, needs=needs)
    state = _kept(opened.state, question)
    found = Resolved(state, opened.view, notices=opened.notices if question.get("shown") is not True else ())
    for name, value in entries(question):
        found = _after(found, name, value)
    return found


def _needs(question: Question) -> tuple[str, ...]:
    """Return the names of what the links of a question need, and neither the server nor the browser has."""
    values = [mapping(value) for _, value in entries(question)]
    named = [each.get(key) for each in (question, *values) for key in ("link", "origin")]
    missing = (stored.missing(links.pairs(link)) for link in named if isinstance(link, str))
    brought = mapping(question.get("bring"))
    return tuple(dict.fromkeys(name for name in missing if name is not None and name not in brought))


def _kept(state: State, question: Question) -> State:
    """Return the state with what the browser keeps beside the link."""
    origin, data, drafts = question.get("origin"), question.get("data"), mapping(question.get("drafts"))
    return replace(
        state,
        origin=links.read(links.pairs(origin)).state.settings if isinstance(origin, str) else None,
        data_id=data if isinstance(data, str) and data else state.data_id,
        drafts={name: text for name, text in drafts.items() if isinstance(text, str)},
    )


def _after(found: Resolved, name: Any, value: Any) -> Resolved:
    """Return what one command makes of it."""
    try:
        outcome = commands.carry_out(found.state, name, value)
    except ValueError as error:  # of values that no rule foresaw
        return replace(found, notices=(*found.notices, Notice(str(error))), steps=(*found.steps, found.state))
    kept = {name: {"command": len(found.steps)} for name in outcome.keeps}
    return replace(
        found,
        state=outcome.state,
        steps=(*found.steps, outcome.state),
        notices=(*found.notices, *outcome.notices),
        store={**found.store, **outcome.store, **kept},
        edit=found.edit or outcome.edit,
    )


def _typed_in_vain(question: Question, resolved: Resolved, why: str) -> Resolved | None:
    """Return what a formula leads to whose run cannot be computed: it stays in its field; None where none was typed."""
    *before, (name, value) = entries(question) or [(None, None)]
    typed = mapping(value)
    if name != "type" or typed.get("name") not in drafts.FORMULAS:
        return None
    found = resolve({**question, "commands": [{"name": each, "value": given} for each, given in before]})
    if found.state.settings == resolved.state.settings:
        return None
    state = found.state.drafted(typed["name"], text(typed.get("text")).strip())
    said = drafts.of(state)[typed["name"]].why != drafts.NO_RUN
    notices = found.notices if said else (*found.notices, Notice(why))
    return replace(found, state=state, notices=notices, steps=(*found.steps, state))


# ---- the runs -------------------------------------------------------------------------------------


async def _runs(question: Question, resolved: Resolved, packs: Packs) -> list[Packed]:
    """Return the current run and the pinned ones; without bytes where the page has them."""
    have = set(texts(question.get("have")))
    wanted = await asyncio.to_thread(works, question, resolved)
    return list(await asyncio.gather(*(_run(each, have, packs) for each in wanted)))


def works(question: Question, resolved: Resolved) -> list[Work]:
    """Return what is to be computed: the current run, and the pinned ones; in the lab nothing is trained."""
    if question.get("page") == "lab":
        return []
    state, shown = resolved.state, resolved.view.show
    asked = EXTRAS.keys() & set(shown or () if question.get("asked") is None else texts(question["asked"]))
    if not conditions.has_plane(state.settings.values):
        asked |= EXTRAS.keys() & set(panels.shown_by_default(plane=False))
    compared = {"summary", "reference"} if state.pins else set()
    models = [
        (state.settings, (asked | compared) - _APART),
        *((pin.on(state.settings), {"summary"}) for pin in state.pins),
    ]
    return [work(settings, more, rough=_is_live(question)) for settings, more in models]


def _is_live(question: Question) -> bool:
    """Return whether this is the middle of a gesture: its runs are soon gone, so they go in fewer bytes."""
    return question.get("live") is True


async def _run(wanted: Work, have: set[str], packs: Packs) -> Packed:
    if wanted.id in have:
        return Packed(wanted.id, b"")
    data = _payloads.get(wanted.id)
    if data is None:
        data = await packs(wanted)
        if not wanted.rough:
            _payloads.put(wanted.id, data)
    return Packed(wanted.id, data)


# ---- what is answered -----------------------------------------------------------------------------


def _written(question: Question, resolved: Resolved, runs: Sequence[Packed]) -> bytes:
    state = resolved.state
    header = {
        "n": number(question),
        "steps": [_plain(step) for step in resolved.steps],
        **_plain(state),
        "notices": [{"kind": notice.kind, "words": notice.words} for notice in resolved.notices],
        "store": {**_points(question, state), **resolved.store},
        "edit": resolved.edit,
        "drafts": dict(state.drafts),
        "dock": _dock(question, state),
        "editing": {"origin": None if state.origin is None else experiment.title(state.origin)},
    }
    whole = envelope.envelope(
        runs,
        names=comparison.names(state.pins, state.settings) if state.pins else [],
        pins=presets.query(state.settings, state.pins),
        comparison=presets.plain(state.settings, state.pins),
        data=state.data_id,
        view=resolved.view,
        cues=Cues.of_code(state.settings.cues),
        answer=header,
    )
    is_far = question.get("near") is not True  # else it takes longer to compress bytes than to send them
    return _deflated(whole) if is_far and _is_live(question) else whole


def _points(question: Question, state: State) -> Mapping[str, stored.Record]:
    """Return the drawn points that the link only names, if the page does not have them."""
    points = stored.keep_points(state.settings)
    had = question.get("shown") is True and links.pairs(text(question.get("link"))).get("points")
    return {name: record for name, record in points.items() if name != had}


def _deflated(whole: bytes) -> bytes:
    """Return the bytes in fewer: the page sees by the first of them that they are compressed."""
    by_runs = zlib.compressobj(1, strategy=zlib.Z_RLE)  # in half the time of level 1 alone, for a tenth more bytes
    return by_runs.compress(whole) + by_runs.flush()


def _dock(question: Question, state: State) -> Dock:
    tree = dock.lab.tree if question.get("page") == "lab" else dock.tree
    groups = [] if _is_live(question) else texts(question.get("dock"))  # they stay as they are until it ends
    return tree(state, groups, drafts=drafts.of(state), table=state.table)


def _plain(state: State) -> dict[str, Any]:
    return {
        "link": state.link,
        "origin": None if state.origin is None else state.origin.link(),
        "data": state.data_id,
    }
