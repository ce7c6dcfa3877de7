"""From a link to what a page shows.

Tests: tests/test_links.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import parse_qsl

from kpviz import experiment
from kpviz.lessons import comparison, presets
from kpviz.service import stored
from kpviz.service.caches import LruCache
from kpviz.service.question import Question, entries, mapping
from kpviz.service.state import Notice, PageState, check_file
from kpviz.settings import DRAWN, ELSEWHERE, FILE, Settings, from_query
from kpviz.settings.view import read_view

LONGEST_LINK = 25_000  # In characters.
_OTHER_KERNEL = "The default kernel takes its place."
POINTS_ARE_LOST = (
    "This link was made with more drawn points than a link holds, and they are not "
    "here: open their file under Data."
)
_XOR = "Until then you see XOR."
_NO_FILE = (
    "This link was made with a file that is not here: open the file again under Data, My own file."
)

_states: LruCache[PageState] = LruCache(512, 512, lambda _: 1)


def pairs(query: str) -> dict[str, str]:
    """Return the keys and values of a query; of a key that stands twice the last."""
    return dict(parse_qsl(query[:LONGEST_LINK].lstrip("?"), keep_blank_values=True))


def needed(question: Question) -> list[str]:
    """Return the names of what a question's links need and neither server nor browser has."""
    values = [mapping(value) for _, value in entries(question)]
    named = [holder.get(key) for holder in (question, *values) for key in ("link", "origin")]
    missing = (stored.missing(pairs(link)) for link in named if isinstance(link, str))
    brought = mapping(question.get("bring"))
    return list(dict.fromkeys(name for name in missing if name is not None and name not in brought))


def read(query: Mapping[str, str]) -> PageState:
    """Return what a link shows; what cannot be used is replaced, and a sentence says so."""
    key = repr(query)
    state = _states.get(key)  # All changes of a gesture follow one link.
    if state is None:
        state = _read(query)
        # What such a link names may come to this server, and go.
        if query.get("data") not in (DRAWN, FILE):
            _states.put(key, state)
    return state


def _read(query: Mapping[str, str]) -> PageState:
    view, problems = read_view(dict(query))
    known = {
        key: value for key, value in presets.whole(query).items() if not key.startswith("embed")
    }
    lost = f"{POINTS_ARE_LOST} {_XOR}" if loses_points(known) else None
    settings, notice = from_query(
        {key: value for key, value in known.items() if not comparison.is_key(key)}
    )
    try:
        experiment.kernel(settings)
    except ValueError as error:
        settings = settings.with_default_kernel
        notice = f"{error} {_OTHER_KERNEL}"
    notice = lost or notice
    pins, pin_problems = comparison.read(known, settings)
    problems += pin_problems + presets.problems(known)
    if problems:
        extra = f"Parts of this link could not be used: {'; '.join(problems)}."
        notice = extra if notice is None else f"{notice} {extra}"
    if settings.data == FILE:
        try:
            if not stored.has_table(settings):
                raise ValueError(_NO_FILE)
            check_file(settings)
        except ValueError as error:
            settings = settings.replace(data="xor")
            notice = f"{error} {_XOR}"
    return PageState(settings, pins, view=view, notices=() if notice is None else (Notice(notice),))


def loses_points(query: dict[str, str]) -> bool:
    """Put many drawn points into the query that only names them.

    Return whether they are not here, and left out.
    """
    name = query.get("points", "")
    if not name.startswith(ELSEWHERE):
        return False
    del query["points"]
    if query.get("data") != DRAWN:
        return False
    code = stored.points(name)
    if code is not None:
        query["points"] = code
        return False
    del query["data"]
    return True


def fallback(state: PageState, why: str) -> PageState | None:
    """Return what can be shown in place of a link whose run cannot be computed; None: nothing else
    is left to try.
    """
    if state.pins:
        return replace(state, pins=()).say(Notice(f"{why} The pinned runs are left out."))
    for other, words in (
        (state.settings.with_default_kernel, f"{why} {_OTHER_KERNEL}"),
        (Settings.of(), why),
    ):
        if other != state.settings:
            return PageState(other, view=state.view, notices=(*state.notices, Notice(words)))
    return None
