"""The answer to a question: a pure function of the question, except for caches.

A question says what a page shows, as its link does, and which commands its reader gave since; the
answer says what is shown now, what the controls show, and brings the runs that the page does not
have. player/web/service/types.d.ts has both as types (`Question`, `AnswerHeader`).

Tests: tests/service/test_answer.py.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kpviz import experiment, panels
from kpviz.lessons import comparison, presets
from kpviz.player import payload
from kpviz.player.extras import EXTRAS
from kpviz.player.payload import Packed
from kpviz.service import (
    commands,
    curve,
    dock,
    drafts,
    editing,
    files,
    fisher,
    join,
    lesson,
    links,
    stored,
)
from kpviz.service.caches import LruCache
from kpviz.service.dock import DockState
from kpviz.service.making import GivenUpError, Makings
from kpviz.service.question import Question, data_id, entries, failed, mapping, number, text, texts
from kpviz.service.state import Notice, PageState
from kpviz.service.work import Compute, RunWork, VerdictWork
from kpviz.settings import conditions
from kpviz.settings.cues import Cues

_MOST_DRAFTS = 20  # There are fewer fields.
_APART = {"curve"}  # A page asks for such an extra by itself, as it may take long.
_verdicts: LruCache[bytes] = LruCache(256, 20_000_000, len)
_payloads: LruCache[bytes] = LruCache(256, 200_000_000, len)


async def answer(question: Question, compute: Compute) -> bytes:
    """Return the answer as bytes; `compute` does a work, or raises a ValueError of one sentence."""
    try:
        return await _answer(question, compute)
    except GivenUpError as error:
        return failed(question, error)


async def _answer(question: Question, compute: Compute) -> bytes:
    if question.get("page") == "fisher":
        return await fisher.answer(question, compute)
    if "join" in question:
        return await join.answer(question, compute)
    if "lesson" in question:
        return await lesson.answer(question, compute)
    makings = Makings(compute)
    needs, states = await resolve(question, makings)
    if needs:
        return payload.pack({"n": number(question), "needs": needs}, {})
    if "curve" in question:
        return await curve.answer(question, states[-1].settings, compute, makings)
    if "file" in question:
        return await files.answer(question, states[-1], compute, makings)
    if question.get("verdict") is True:
        return await _verdict(question, states[-1], compute, makings)
    while True:
        try:
            runs = await _runs(question, states[-1], compute, makings)
        except ValueError as error:
            why = drafts.typeset(str(error))
            typed = await makings.call(_typed_in_vain, question, states, why)
            instead = typed
            if instead is None and question.get("shown") is not True:
                instead = await makings.call(links.fallback, states[-1], why)
            if instead is None:
                steps = [_plain(step) for step in states[1:]]
                return payload.pack({"n": number(question), "failed": why, "steps": steps}, {})
            states = [*states[:-1], instead]
            continue
        return await makings.call(_written, question, states, runs)


# ---- what is asked -------------------------------------------------------------------------------


async def resolve(question: Question, makings: Makings) -> tuple[list[str], list[PageState]]:
    """Return what is needed first, and the states: that of the link, then the one after each
    command.

    What makes no sense in a question is passed over.
    """
    needs, state = await makings.call(_opening, question)
    states = [state]
    if needs:
        return needs, states
    for place, (name, value) in enumerate(entries(question)):
        states.append(await makings.call(_after, states[-1], name, value, place))
        await asyncio.sleep(0)  # Others have their turn.
    return [], states


def _opening(question: Question) -> tuple[list[str], PageState]:
    """Return what is needed first, and the state of the link with what the browser keeps."""
    stored.bring(question.get("bring"))
    state = links.read(links.pairs(text(question.get("link"))))
    needs = links.needed(question)
    if needs:
        return needs, state
    origin = question.get("origin")
    data = data_id(question.get("data"))
    typed = mapping(question.get("drafts"))
    opened = replace(
        state,
        origin=links.read(links.pairs(origin)).settings if isinstance(origin, str) else None,
        data_id=data or state.data_id,
        drafts={
            name: words[: commands.LONGEST]
            for name, words in list(typed.items())[:_MOST_DRAFTS]
            if isinstance(words, str)
        },
        # What is wrong with a link is said once.
        notices=() if question.get("shown") is True else state.notices,
    )
    return [], opened


def _after(before: PageState, name: Any, value: Any, place: int) -> PageState:
    """Return the state after one command, which stands at a place among those of the question."""
    state = commands.carry_out(before, name, value)
    return replace(state, store=stored.with_command_place(state.store, place))


def _typed_in_vain(question: Question, states: Sequence[PageState], why: str) -> PageState | None:
    """Return what a formula leads to whose run cannot be computed: it stays in its field; None
    where none was typed.
    """
    name, value = (entries(question) or [(None, None)])[-1]
    typed = mapping(value)
    if (
        name != "type"
        or typed.get("name") != "formula"
        or states[-1].settings == states[-2].settings
    ):
        return None
    state = states[-2].drafted(typed["name"], text(typed.get("text")).strip())
    is_explained = drafts.of(state)[typed["name"]].why != drafts.NO_RUN
    return state if is_explained else state.say(Notice(why))


# ---- the runs ------------------------------------------------------------------------------------


async def _runs(
    question: Question, state: PageState, compute: Compute, makings: Makings
) -> list[Packed]:
    """Return the current run and the pinned ones; without bytes where the page has them."""
    have = set(texts(question.get("have")))

    async def packed(work: RunWork) -> Packed:
        if work.id in have:
            return Packed(work.id, b"")
        data = _payloads.get(work.id)
        if data is None:
            data = await compute(work)
            if not work.rough:
                _payloads.put(work.id, data)
        return Packed(work.id, data)

    return list(await asyncio.gather(*map(packed, await makings.call(works, question, state))))


async def _verdict(
    question: Question, state: PageState, compute: Compute, makings: Makings
) -> bytes:
    """Return what is known of a run with mistakes to its end.

    A page asks it besides, last in the queue.
    """
    try:
        work = VerdictWork(await makings.call(RunWork.of, state.settings, ()))
        data = _verdicts.get(work.id)
        if data is None:
            data = await compute(work)
            _verdicts.put(work.id, data)
    except ValueError as error:
        return failed(question, error)
    header, arrays = payload.unpack(data)
    return payload.pack({**header, "n": number(question)}, arrays)


def works(question: Question, state: PageState) -> list[RunWork]:
    """Return what is to be computed: the current run, and the pinned ones."""
    panels_shown = state.view.show
    extras_asked = EXTRAS.keys() & set(
        panels_shown or () if question.get("asked") is None else texts(question["asked"])
    )
    if not conditions.has_plane(state.settings.values):
        extras_asked |= EXTRAS.keys() & set(panels.shown_by_default(plane=False))
    models = [
        (state.settings, extras_asked - _APART),
        *((pin.on(state.settings), set[str]()) for pin in state.pins),
    ]
    return [RunWork.of(settings, more, rough=_is_live(question)) for settings, more in models]


def _is_live(question: Question) -> bool:
    """Return whether this is the middle of a gesture.

    Its runs are soon gone, so they go in fewer bytes.
    """
    return question.get("live") is True


# ---- what is answered ----------------------------------------------------------------------------


def _written(question: Question, states: Sequence[PageState], runs: Sequence[Packed]) -> bytes:
    state = states[-1]
    is_known = question.get("shown") is True
    table = stored.table(state.settings)
    facts = () if _is_live(question) else editing.facts(state.settings, table)
    # The link only names many points: a page that does not have them yet gets them.
    points = stored.keep_points(state.settings)
    known_points = is_known and links.pairs(text(question.get("link"))).get("points")
    # In the middle of a gesture the settings stay as they are.
    groups = [] if _is_live(question) else texts(question.get("dock"))
    header = {
        "n": number(question),
        "steps": [_plain(step) for step in states[1:]],
        **_plain(state),
        "notices": [notice.plain for notice in state.notices],
        "facts": None if _is_live(question) else [fact.plain for fact in facts],
        "store": {
            **{name: record for name, record in points.items() if name != known_points},
            **state.store,
        },
        "edit": state.edit,
        "stem": files.file_stem(state.settings),
        "drafts": dict(state.drafts),
        "dock": dock.tree(
            DockState(state.settings, state.pins, state.origin, drafts.of(state), table), groups
        ),
        "editing": {"origin": None if state.origin is None else experiment.title(state.origin)},
    }
    whole = payload.envelope(
        runs,
        names=comparison.names(state.pins, state.settings) if state.pins else [],
        pins=presets.query(state.settings, state.pins),
        comparison=presets.plain(state.settings, state.pins),
        data=state.data_id,
        view=state.view,
        cues=Cues.of_code(state.settings.cues),
        answer=header,
    )
    if question.get("near") is True or not _is_live(question):
        return whole
    # This takes half the time of level 1 alone, for a tenth more bytes.
    by_runs = zlib.compressobj(1, strategy=zlib.Z_RLE)
    # The page sees by the first byte that it is compressed.
    return by_runs.compress(whole) + by_runs.flush()


def _plain(state: PageState) -> dict[str, Any]:
    return {
        "link": state.link,
        "origin": None if state.origin is None else state.origin.link(),
        "data": state.data_id,
    }
