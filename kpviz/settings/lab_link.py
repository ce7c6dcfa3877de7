"""Links of the former kernel lab: they open the board, with the kernel that they name and the panels about it."""

from __future__ import annotations

from urllib.parse import parse_qsl, quote, urlencode

import numpy as np

from kpviz.engine.data.drawn import Drawn
from kpviz.engine.kernels.formula import REFUTED
from kpviz.engine.kernels.validity import FIVE, HALVED
from kpviz.settings import DRAWN, conditions, from_query, names_of

SLIPS = "lesson-13-slips-in-notes"
_ABOUT = "gram.validity.derivation"
_SHOWN = {"valid": _ABOUT, "build": _ABOUT, "space": "gram.lift.primal"}  # by the lab's tabs
_POINTS = {"five": FIVE, "halved": HALVED}
_CLASSES = np.array([-1.0, 1.0, 1.0, -1.0, 1.0])  # of these points, which had none in the lab
_ALLOWED = {"tab": {*_SHOWN, "slips"}, "of": {"current", "formula", *REFUTED}, "on": {"data", *_POINTS}}
_OTHERS = {"text", "features", "power", "constant", "log"}


def board(query: str) -> str:
    """Return the query of the board that a link to the lab opens; what made no sense there stays, to be reported.

    >>> board("v=1&data=moons&of=sigmoid")
    'v=1&data=moons&kernel=sigmoid&coef0=-1&show=gram.validity.derivation'
    """
    given = dict(parse_qsl(query.lstrip("?"), keep_blank_values=True))
    tab, of, on = given.get("tab", "valid"), given.get("of", "current"), given.get("on")
    if tab == "slips":
        return f"v=1&lesson={SLIPS}"
    kept = {
        name: value
        for name, value in given.items()
        if name not in _OTHERS and (name not in _ALLOWED or value not in _ALLOWED[name])
    }
    text = given.get("text", "") if tab == "build" or of == "formula" else REFUTED.get(of, "")
    is_object = conditions.is_object(from_query(kept)[0].values)
    if text:
        kept = {name: value for name, value in kept.items() if name not in names_of("kernel")}
        kept |= (
            {"kernel": "sigmoid", "coef0": "-1"}
            if text == REFUTED["sigmoid"]
            else {"kernel": "formula", "formula": text}
        )
    if (text and is_object) or (on in _POINTS and not is_object):
        kept = {name: value for name, value in kept.items() if name not in names_of("data")}
        X = np.array(_POINTS.get(on or "", FIVE))
        kept |= {"data": DRAWN, "points": Drawn.of(X, _CLASSES).code}
    return urlencode({**kept, "show": _SHOWN.get(tab, _ABOUT)}, quote_via=quote, safe="~.(),*-")
