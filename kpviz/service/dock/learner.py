"""The learner: which one, its parameters, the order of the examples, and how its run is read."""

from __future__ import annotations

from kpviz import experiment
from kpviz.engine.learners import LEARNERS
from kpviz.lessons.misconceptions import MISCONCEPTIONS
from kpviz.service.dock.fields import Field, Shown, choice, image, seed, sentence, slider, words
from kpviz.settings import BY_NAME, LEARNER_PROPERTIES, Settings

ORDERS = {
    "cyclic": "cyclic",
    "shuffled": "shuffled each epoch",
    "random": "random, with replacement",
    "hand": "by hand",
}
_WORDS = {
    "intercept": {"none": "none", "unit": "unit: b += η·y", "radius": "radius: b += η·y·R²"},
    "tie": {
        "mistake": "a mistake (y·f ≤ 0)",
        "correct": "correct (a mistake only if y·f < 0)",
        "positive": "sign(0) = +1",
        "negative": "sign(0) = −1",
    },
}
_SLIPS = {"tie": "zero", "intercept": "intercept"}  # of lecture notes
_READINGS = "Three readings of the same run: f now, the mean of all f so far, the vote of their signs (sign(0) = +1)."


def fields(shown: Shown) -> list[Field]:
    """Return the learners, and what applies to the chosen one."""
    settings, values = shown.settings, shown.settings.values
    return [
        {"kind": "tiles", "name": "learner", "value": settings.learner, "options": _learners(settings)},
        *words(experiment.learner(settings).about.bound),
        *words(sentence(settings.reason_against("normalize")) or "", "info"),
        *_parameters(settings),
        *choice(BY_NAME["order"], values, ORDERS),
        *seed(BY_NAME["oseed"], values),
        *choice(BY_NAME["predictor"], values, help=_READINGS),
        *slider(BY_NAME["epochs"], values),
    ]


def _learners(settings: Settings) -> list[Field]:
    abouts = {name: LEARNERS[name]().about for name in BY_NAME["learner"].choices_for(settings.values)}
    return [
        {"value": name, "title": about.title, "tip": "", "image": image("learner", name), "words": about.idea}
        for name, about in abouts.items()
    ]


def _parameters(settings: Settings) -> list[Field]:
    """Return the sliders of the learner, then its choices."""
    names = [name for name in LEARNER_PROPERTIES if settings.reason_against(name) is None]
    sliders = [slider(BY_NAME[name], settings.values) for name in names if not BY_NAME[name].choices]
    choices = [_choice(name, settings) for name in names if BY_NAME[name].choices]
    return [field for fields in (*sliders, *choices) for field in fields]


def _choice(name: str, settings: Settings) -> list[Field]:
    slip = MISCONCEPTIONS.get(_SLIPS.get(name, ""), "")
    found = choice(BY_NAME[name], settings.values, _WORDS.get(name), help=slip)
    return [*found, *words(slip if settings.values[name] == "correct" else "")]
