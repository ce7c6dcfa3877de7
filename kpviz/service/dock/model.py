"""The model: the kernel, the learner and the order of the examples, and comparisons.

Tests: tests/service/test_dock.py.
"""

from __future__ import annotations

import inspect
from typing import Any

from kpviz import experiment
from kpviz.engine.kernels import KERNELS
from kpviz.engine.kernels.formula import tested
from kpviz.engine.learners import LEARNERS
from kpviz.lessons import comparison
from kpviz.lessons.learner_words import MEMORIES, LearnerWords, words_of
from kpviz.lessons.misconceptions import MISCONCEPTIONS
from kpviz.lessons.presets import GROUPS, PRESETS
from kpviz.service.dock.fields import (
    DockState,
    Field,
    button,
    choice,
    image,
    math,
    rare,
    seed,
    sentence,
    slider,
    text,
    words,
)
from kpviz.settings import BY_NAME, LEARNER_PROPERTIES, Settings
from kpviz.settings.properties import KERNEL_PARAMETERS

_FEW = 4  # So many kernels are seen at once.
_NORMALIZE = {"off": "no", "on": "yes: k(u, v) / √(k(u, u) k(v, v))"}
_SUBSETS = {"off": "the bits", "on": "the bits and their negations"}
_NO_KERNEL = {
    "yes": "",
    "no": "Not positive semidefinite: there is no feature space behind it, and the perceptron may "
    "cycle.",
    "unknown": "No rule says that this is a kernel, and no sample has refuted it: nothing is "
    "proven.",
}
_NEED_WORDS = ("density", "mixture", "words", "spectrum", "subtrees", "graph")
_CURVES: Field = {
    "kind": "dialog",
    "dialog": "curve",
    "label": "What does σ change? See the curves",
    "tip": "",
    "disabled": None,
}
_DASHED = "Dashed on the map: one and two standard deviations of each Gaussian."
_FORMULA = (
    "dot(u, v), norm(u - v), norm1(u - v), u[1]*v[1], exp, tanh, …; gaussian(0.5), "
    "polynomial(2, 1) by name."
)
ORDERS = {
    "cyclic": "cyclic",
    "shuffled": "shuffled each epoch",
    "random": "random, with replacement",
    "first-mistake": "the first mistake, again and again",
    "random-mistake": "a random mistake, again and again",
    "hand": "by hand",
}
_LEARNER_WORDS = {
    "intercept": {"none": "none", "unit": "unit: b += η·y", "radius": "radius: b += η·y·R²"},
    "tie": {
        "mistake": "a mistake (y·f ≤ 0)",
        "correct": "correct (a mistake only if y·f < 0)",
        "positive": "sign(0) = +1",
        "negative": "sign(0) = −1",
    },
}
_FIXED = (
    "f₀(x) = w₀·x + b₀ is added to every score and stays as it is: the starting weights of a "
    "textbook. A threshold θ "
    "is b₀ = −θ, without an intercept."
)
_OF_SCALED = " Where features are scaled to ±1, w₀ is of scaled values."
_SLIPS = {"tie": "zero", "intercept": "intercept"}
_READINGS = (
    "Three predictors from the same run: the current f, the average of all f so far, a majority "
    "vote of their signs "
    "(sign(0) = +1)."
)
_PINS = "A pinned run stays as it is beside the new one; the data are the same for both."


# ---- the kernel ----------------------------------------------------------------------------------


def kernel(state: DockState) -> list[Field]:
    """Return the kernels that compare such examples, and what applies to the chosen one."""
    settings = state.settings
    values = settings.values
    chosen = experiment.kernel(settings)
    tiles = [
        {
            "value": name,
            "title": KERNELS[name].name,
            "tip": _tip(name),
            "image": image("kernel", name),
        }
        for name in BY_NAME["kernel"].choices_for(values)
    ]
    message = (inspect.getdoc(KERNELS[settings.kernel]) or "").split("\n\n")[0].replace("\n", " ")
    dashed = f" {_DASHED}" if "components" in KERNELS[settings.kernel].ranges else ""
    return [
        {
            "kind": "tiles",
            "name": "kernel",
            "value": settings.kernel,
            "options": tiles,
            "few": _FEW,
        },
        *_formula(state),
        *math(rf"k(u, v) = {chosen.latex}"),
        *words(f"{message}{dashed}" if settings.kernel in _NEED_WORDS else ""),
        *words(_NO_KERNEL[chosen.psd], "warning"),
        *_parameters(settings),
        *([_CURVES] if "sigma" in KERNELS[settings.kernel].ranges else []),
        *words(sentence(settings.reason_against("normalize")) or "", "info"),
        *rare([*choice(BY_NAME["normalize"], values, _NORMALIZE, label="Normalized")], settings),
    ]


def quick(settings: Settings) -> Field | None:
    """Return the slider that is always in sight: the first number of the kernel; None where it has
    none.
    """
    for name in KERNELS[settings.kernel].ranges:
        for field in slider(BY_NAME[name], settings.values):
            if name == "sigma":
                return {
                    **field,
                    "label": "Width of the hills σ",
                    "words": "",
                    "ends": ["narrow", "wide"],
                }
            return {
                **field,
                "label": f"{field['words'].capitalize()} {field['label']}",
                "words": "",
                "ends": ["", ""],
            }
    return None


def _parameters(settings: Settings) -> list[Field]:
    sliders = [slider(BY_NAME[name], settings.values) for name in KERNEL_PARAMETERS]
    negated = choice(BY_NAME["negated"], settings.values, _SUBSETS, label="Subsets of")
    return [*(field for fields in sliders for field in fields), *negated]


def _formula(state: DockState) -> list[Field]:
    """Return what is written and what is known of it.

    Where something wrong is typed, its field says so.
    """
    settings = state.settings
    if settings.reason_against("formula") is not None:
        return []
    draft = state.drafts.get("formula")
    field: Field = text(
        BY_NAME["formula"], settings.formula, draft, label="k(u, v) =", help=_FORMULA
    )
    if draft:
        return [field]
    report = tested(settings.formula)
    match report.psd:
        case "yes":
            known = report.proven
        case "no":
            known = report.refuted
        case _:
            known = f"{report.proven} {report.refuted}"
    return [field, *words(known)]


def _tip(name: str) -> str:
    """Say which parameters a kernel has, and so why the others are hidden."""
    kind = KERNELS[name]
    if not kind.ranges:
        return f"{kind.name} has no parameter: sliders of the others are hidden."
    return (
        f"{kind.name} has "
        f"{', '.join(f'{r.symbol} ({r.words})' for r in kind.ranges.values())}; the rest is hidden."
    )


# ---- the learner, the order, and how the run is read ---------------------------------------------


def learner(state: DockState) -> list[Field]:
    """Return the learners, and what applies to the chosen one: its sliders, then its choices."""
    settings = state.settings
    values = state.settings.values
    words_by_name = {
        name: words_of(LEARNERS[name]()) for name in BY_NAME["learner"].choices_for(values)
    }
    tiles = [
        _learner_tile(name, learner_words)
        for memory in MEMORIES
        for name, learner_words in words_by_name.items()
        if learner_words.memory == memory
    ]
    names = [name for name in LEARNER_PROPERTIES if settings.reason_against(name) is None]
    numbers = [
        field
        for name in names
        if not BY_NAME[name].choices
        for field in slider(BY_NAME[name], values)
    ]
    choices: list[Field] = []
    for name in (name for name in names if BY_NAME[name].choices):
        slip = MISCONCEPTIONS.get(_SLIPS.get(name, ""), "")
        choices += choice(BY_NAME[name], values, _LEARNER_WORDS.get(name), help=slip)
        choices += words(slip if values[name] == "correct" else "")
    fixed = [*_starting_weights(state), *slider(BY_NAME["b0"], values)]
    order = [*choice(BY_NAME["order"], values, ORDERS), *seed(BY_NAME["oseed"], values)]
    predictor = choice(BY_NAME["predictor"], values, help=_READINGS)
    return [
        *words("What does it do with a mistake?", "heading"),
        *words(experiment.learner(settings).about.idea),
        {"kind": "tiles", "name": "learner", "value": settings.learner, "options": tiles},
        *words(experiment.learner(settings).about.bound),
        *words(sentence(settings.reason_against("normalize")) or "", "info"),
        *numbers,
        *slider(BY_NAME["epochs"], values),
        *rare([*choices, *fixed, *order, *predictor], settings),
    ]


def _learner_tile(name: str, learner_words: LearnerWords) -> dict[str, Any]:
    """Return what is chosen by: what a learner does first, its name second."""
    about = learner_words.learner.about
    does = learner_words.does
    return {
        "value": name,
        "title": does or about.title,
        "tip": "" if does else about.title,
        "image": image("learner", name),
        "words": about.title if does else about.idea,
        "group": learner_words.memory,
    }


def _starting_weights(state: DockState) -> list[Field]:
    """Return the field of w₀, none where a fixed f₀ has no meaning."""
    settings = state.settings
    if settings.reason_against("w0") is not None:
        return []
    draft = state.drafts.get("w0")
    units = _OF_SCALED if experiment.may_be_scaled(settings) else ""
    return [
        text(
            BY_NAME["w0"],
            settings.w0,
            draft,
            label="w₀",
            help=f"{_FIXED}{units}",
            placeholder="0, 0",
        ),
    ]


# ---- comparisons: the runs that are pinned, and ready ones ---------------------------------------


def compare(state: DockState) -> list[Field]:
    """Return how to pin and let go, what is pinned, and the ready comparisons."""
    pin_fields: list[Field] = [*words(_PINS), button("pin", "Pin this run (P)", primary=True)]
    if state.pins:
        names = comparison.names(state.pins, state.settings)[:-1]
        pinned = [
            {
                "title": letter,
                "text": name,
                "command": "unpin",
                "value": {"number": number},
                "label": "Unpin",
            }
            for number, (letter, name) in enumerate(zip(comparison.LETTERS, names, strict=False))
        ]
        pin_fields += [button("unpin", "Unpin all (Shift P)"), {"kind": "list", "items": pinned}]
    cards = {
        name: {
            "title": preset.question,
            "words": preset.title,
            "image": image("compare", name),
            "command": "compare",
            "value": {"name": name},
        }
        for name, preset in PRESETS.items()
    }
    groups: list[Field] = [
        {
            "kind": "more",
            "key": title,
            "label": title,
            "open": title == next(iter(GROUPS)),
            "fields": [{"kind": "cards", "options": [cards[name] for name in names]}],
        }
        for title, names in GROUPS.items()
    ]
    return [*pin_fields, *words("Ready comparisons", "heading"), *groups]
