"""The kernel: which one, its formula and parameters, and how it is combined with a second one."""

from __future__ import annotations

import inspect

from kpviz import experiment
from kpviz.engine.kernels import KERNELS
from kpviz.engine.kernels.formula import tested
from kpviz.service.dock.fields import Field, Shown, choice, image, math, select, sentence, slider, text, words
from kpviz.settings import BY_NAME, Settings
from kpviz.settings.properties import KERNEL_PARAMETERS

_COMBINE = {"none": "one kernel", "sum": "sum of two", "product": "product of two"}
_NORMALIZE = {"off": "as it is", "on": "k(u, v) / √(k(u, u) k(v, v))"}
_SUBSETS = {"off": "the bits", "on": "the bits and their negations"}
_NONE = "Not positive semidefinite: there is no feature space behind it, and the perceptron may cycle."
_NEED_WORDS = ("density", "mixture", "words", "spectrum", "subtrees", "graph")
_DASHED = "Dashed on the map: one and two standard deviations of each Gaussian."
_OPEN = "No rule says that this is a kernel, and no sample has refuted it: nothing is proven."


def fields(shown: Shown) -> list[Field]:
    """Return the kernels that compare such examples, and what applies to the chosen one."""
    settings = shown.settings
    offered, kernel = BY_NAME["kernel"].choices_for(settings.values), experiment.kernel(settings)
    return [
        {
            "kind": "tiles",
            "name": "kernel",
            "value": settings.kernel,
            "options": [
                {"value": name, "title": KERNELS[name].name, "tip": _tip(name), "image": image("kernel", name)}
                for name in offered
            ],
        },
        *_formula(shown, ""),
        *math(rf"k(u, v) = {kernel.latex}"),
        *words(_about(settings.kernel) if settings.kernel in _NEED_WORDS else ""),
        *words("" if kernel.psd == "yes" else _NONE if kernel.psd == "no" else _OPEN, "warning"),
        *_parameters(settings, ""),
        *choice(BY_NAME["normalize"], settings.values, _NORMALIZE, label="Normalized"),
        *words(sentence(settings.reason_against("normalize")) or "", "info"),
        *choice(BY_NAME["combine"], settings.values, _COMBINE),
        *_second(shown),
    ]


def _second(shown: Shown) -> list[Field]:
    values, prop = shown.settings.values, BY_NAME["kernel2"]
    if prop.not_applicable(values) is not None:
        return []
    options = [(name, KERNELS[name].name) for name in prop.choices_for(values)]
    return [
        select("kernel2", prop.label, values["kernel2"], options),
        *_formula(shown, "2"),
        *_parameters(shown.settings, "2"),
    ]


def _parameters(settings: Settings, suffix: str) -> list[Field]:
    sliders = [slider(BY_NAME[name + suffix], settings.values) for name in KERNEL_PARAMETERS]
    negated = choice(BY_NAME[f"negated{suffix}"], settings.values, _SUBSETS, label="Subsets of")
    return [*(field for fields in sliders for field in fields), *negated]


def _formula(shown: Shown, suffix: str) -> list[Field]:
    """Return what is written and what is known of it; where something wrong is typed, its field says so."""
    settings, name = shown.settings, f"formula{suffix}"
    if settings.reason_against(name) is not None:
        return []
    draft, now = shown.drafts.get(name), settings.values[name]
    field: Field = text(
        BY_NAME[name],
        now,
        draft,
        label="k(u, v) =",
        help="dot(u, v), norm(u - v), norm1(u - v), u[1]*v[1], exp, tanh, …; gaussian(0.5), polynomial(2, 1) by name.",
    )
    return [field, *words("" if draft else _known(now))]


def _known(formula: str) -> str:
    report = tested(formula)
    return {"yes": report.proven, "no": report.refuted}.get(report.psd, f"{report.proven} {report.refuted}")


def _about(name: str) -> str:
    """Return the first sentence or two of a kernel's own words."""
    message = (inspect.getdoc(KERNELS[name]) or "").split("\n\n")[0].replace("\n", " ")
    return f"{message} {_DASHED}" if "components" in KERNELS[name].ranges else message


def _tip(name: str) -> str:
    """Say which parameters a kernel has, and so why the others are hidden."""
    kind = KERNELS[name]
    if not kind.ranges:
        return f"{kind.name} has no parameter: sliders of the others are hidden."
    return f"{kind.name} has {', '.join(f'{r.symbol} ({r.words})' for r in kind.ranges.values())}; the rest is hidden."
