"""Examples that are not points: Boolean functions, and texts, trees and graphs to ask about and to add."""

from __future__ import annotations

from kpviz import experiment
from kpviz.engine.data import boolean, objects
from kpviz.engine.data.dnf import MOST_BITS
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.theory import boolean_bound
from kpviz.service.dock.fields import Field, Item, text, typed, words
from kpviz.service.dock.shown import Shown
from kpviz.settings import BOOLEAN, BY_NAME, Settings, conditions

_HOW = {
    "texts": "Write a sentence: only its words count.",
    "trees": "Write a tree in brackets, as (S (NP (N dogs)) (VP (V bark))).",
    "graphs": "Write the letters of the vertices, then the edges by number, as CCO 1-2 2-3.",
}


def fields(shown: Shown) -> list[Field]:
    """Return what belongs to the data set if its examples are not points."""
    if shown.settings.data == BOOLEAN:
        return _function(shown)
    return _own(shown) if conditions.is_object(shown.settings.values) else []


def _function(shown: Shown) -> list[Field]:
    settings = shown.settings
    titles = [[name, each.title] for name, each in boolean.PRESETS.items() if each.fewest <= MOST_BITS]
    preset = settings.function if settings.function in boolean.PRESETS else None
    written = "" if preset else settings.function
    return [
        {"kind": "choice", "name": "function", "label": BY_NAME["function"].label, "value": preset, "options": titles},
        text(
            BY_NAME["function"],
            written,
            shown.drafts.get("function"),
            label="Or a formula of your own: x1 & !x2 | x3",
            help="Terms joined by |, literals by &, a negated one with ! before it: the disjunctive normal form (DNF).",
        ),
        *words(_bound(settings)),
    ]


def _bound(settings: Settings) -> str:
    n, dnf = settings.bits, boolean.function(settings.function, settings.bits)
    terms = len(dnf.terms)
    counted = f"l = {terms:,} term{'s' * (terms != 1)}"
    if why := boolean_bound.why_not(experiment.learner(settings), experiment.kernel(settings), dnf):
        return f"{counted}. The mistake bound 2ⁿ(4l + 1) says nothing of this run. {why}"
    return (
        f"{counted}, so at most 2ⁿ(4l + 1) = {boolean.bound(n, terms):,} mistakes, more than the 2ⁿ = {2**n} inputs: "
        "‖u‖² = l + 1/4, the 1/4 for the constant feature −1/2, which is easily forgotten."
    )


def _own(shown: Shown) -> list[Field]:
    settings = shown.settings
    how, (negative, positive) = _HOW[OBJECTS[settings.data].kind], OBJECTS[settings.data].classes
    asked: Field = text(
        BY_NAME["ask"],
        settings.ask,
        shown.drafts.get("ask"),
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
        "draft": typed(shown.drafts.get("example")),
    }
    added = _added(settings)
    return [asked, add, {"kind": "list", "items": added}] if added else [asked, add]


def _added(settings: Settings) -> list[Item]:
    classes = OBJECTS[settings.data].classes
    pairs = objects.parse(settings.added, conditions.compared(settings.values))
    return [
        {"title": classes[int(y > 0)], "text": written, "command": "away", "value": number, "label": "Remove"}
        for number, (written, y) in enumerate(pairs)
    ]
