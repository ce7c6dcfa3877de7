"""What can be known of a run that did not converge: whether it could, and what would help.

What would help is tried before it is said. Examples that a proof of "not separable" gives a weight
(`Separability.weights`) have rings on the map.

Tests: tests/test_verdict.py.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz import experiment
from kpviz.engine.kernels import Linear
from kpviz.engine.run.predictors import Progress
from kpviz.engine.run.run import Run
from kpviz.engine.theory.separability import Separability, decide
from kpviz.experiment import Split
from kpviz.lessons import explain
from kpviz.settings import BY_NAME, Settings, conditions

SECONDS = 6.0  # After this time what is not known is said to be unknown.
_MOST_EPOCHS = 1000
_ROUND = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)  # These numbers of epochs are advised.
_BUDGETS = (10, 20, 50, 100, 200, 500, 1000)  # These are tried, from small to large.
_N_WIDTHS = 4  # So many widths of the Gaussian are tried.
_NARROWER = 0.5  # Each of them is so many times the one before.
_SAME_WEIGHT = 1e-9  # The weights of the classes may differ by so much, of a total of 1.
_MOST_NAMED = 5  # A sentence names so many examples at most, and counts more of them.
_NOT_IN_TIME = "What would help was not found within six seconds."


@dataclass(frozen=True)
class Advice:
    """Settings that were tried and end without mistakes, and sentences with the cost.

    `title` says in few words what is changed.
    """

    changes: Mapping[str, Any]
    words: str
    title: str


@dataclass(frozen=True, eq=False)
class Verdict:
    """What is known of a run.

    Attributes
    ----------
    separability : whether the classes can be separated, with the proof; None where it was not
        asked.
    no : the first sentence where no line at all separates, else "".
    separable : `separability` in a sentence, "" where the advice or the run's ending says it.
    advice : what would help; None where nothing that was tried does.
    slow : a sentence on what was tried and can separate the classes, but not soon, else "".
    undecided : whether time ran out before everything was tried.
    """

    separability: Separability | None = None
    no: str = ""
    separable: str = ""
    advice: Advice | None = None
    slow: str = ""
    undecided: bool = False

    @property
    def help(self) -> str:
        """What would help, in a sentence; "" where nothing that was tried does."""
        if self.advice:
            return self.advice.words
        return " ".join(filter(None, [self.slow, _NOT_IN_TIME if self.undecided else ""]))

    @property
    def words(self) -> str:
        """All sentences."""
        return " ".join(filter(None, [self.no, self.separable, self.help]))


class _TimeIsUpError(Exception):
    """No more is tried."""


def of(
    settings: Settings,
    split: Split,
    run: Run,
    progress: Progress | None = None,
    *,
    drawn: bool = False,
) -> Verdict:
    """Return what is known of a run that `is_open`, of others nothing.

    `drawn`: the map beside the words has rings and a dashed boundary, so the words may name these.
    """
    if not is_open(settings, run):
        return Verdict()
    ends = time.monotonic() + SECONDS

    def watched(done: int, limit: int) -> None:
        if progress is not None:
            progress(done, limit)
        if time.monotonic() > ends:
            raise _TimeIsUpError

    separability = _proof(run)
    slow: list[str] = []
    advice = None
    undecided = False
    try:
        advice = _advice(settings, split, run, separability, watched, slow)
    except _TimeIsUpError:
        undecided = True
    words = _separability_words(
        run, separability, explain.class_words(split.source.classes), drawn=drawn
    )
    # If more epochs alone help, f separates the classes at their end: so it is not undecided.
    needs_epochs_alone = advice is not None and advice.changes.keys() <= {"epochs"}
    if needs_epochs_alone and separability.separable is None:
        words = ""
    return Verdict(
        separability,
        no=_no(run) if crosses(run, separability) else "",
        separable=words,
        advice=advice,
        slow=slow[0] if slow and advice is None else "",
        undecided=undecided,
    )


def _proof(run: Run) -> Separability:
    """Decide whether the classes can be separated.

    Where no line at all does it, the proof is for every line, and not only for those through the
    origin.
    """
    separability = decide(run.X, run.y, run.kernel, run.gram, intercept=has_intercept(run))
    if separability.separable is not False:
        return separability
    if not separability.same_place and _in_plane(run) and not has_intercept(run):
        of_every_line = decide(run.X, run.y, run.kernel, run.gram, intercept=True)
        if of_every_line.separable is False:
            return of_every_line
    if not holds_with_fixed_part(run, separability):
        return Separability(None)  # The fixed f₀ may separate what the kernel does not.
    return separability


def _no(run: Run) -> str:
    """Answer whether a straight line does it, and say how many examples are wrong at the end."""
    wrong = int((run.y * run.decision_function(run.X) <= 0).sum())
    return (
        f"No line parts them. Whatever it tries, some stay wrong: {wrong:,} of {len(run.y):,} now."
    )


def is_open(settings: Settings | None, run: Run) -> bool:
    """Whether a run made mistakes to its end, so that there is something to find out.

    A stream has no second epoch.
    """
    if settings is None or settings.stream == "on" or not run.n_epochs:
        return False
    return bool(run.end in ("limit", "stopped") and run.mistakes_per_epoch[-1])


# ---- separable or not ----------------------------------------------------------------------------


def has_intercept(run: Run) -> bool:
    """Whether f may have an intercept.

    A learner may have one without the name of a setting, or a fixed one.
    """
    return (
        run.initial is not None or run.learner.intercept != "none" or bool(run.changes.shift.any())
    )


def holds_with_fixed_part(run: Run, separability: Separability) -> bool:
    """Whether a proof that no f of the kernel separates also holds where a fixed f₀ is added to it.

    f₀ is linear, so it does if f may be any linear function, and where two examples are at the same
    place.
    """
    return run.initial is None or separability.same_place or type(run.kernel) is Linear


def _in_plane(run: Run) -> bool:
    """Whether f is a line on the map of two features."""
    return type(run.kernel) is Linear and run.X.ndim == 2 and run.X.shape[1] == 2


def crosses(run: Run, separability: Separability) -> bool:
    """Whether no line at all separates, and the proof can be drawn: the hulls of each class's
    weighted examples cross.

    Then both classes weigh the same. Where only lines through the origin are ruled out, they need
    not.
    """
    if not _is_proof_in_plane(run, separability) or separability.weights is None:
        return False
    return bool(abs(separability.weights @ run.y) < _SAME_WEIGHT)


def _is_proof_in_plane(run: Run, separability: Separability) -> bool:
    """Whether lines are proved not to separate, by more than two examples at the same place."""
    return separability.separable is False and not separability.same_place and _in_plane(run)


def mirrored(run: Run, separability: Separability) -> NDArray[np.intp] | None:
    """Return those of two or three weighted examples that, mirrored at the origin, have it between
    them and the others.

    It shows that no line through the origin separates; None where it cannot be shown so.
    """
    if not _is_proof_in_plane(run, separability) or crosses(run, separability):
        return None
    assert separability.weights is not None
    ringed = np.flatnonzero(separability.weights)
    if len(ringed) not in (2, 3):
        return None
    return min(ringed[run.y[ringed] < 0], ringed[run.y[ringed] > 0], key=len)


def _separability_words(
    run: Run, separability: Separability, classes: tuple[str, str], *, drawn: bool
) -> str:
    """Say whether the classes can be separated, and why they cannot; "" where two examples are at
    the same place, which the ending says.
    """
    if separability.same_place:
        return ""
    is_line = _in_plane(run)
    through = "" if has_intercept(run) or crosses(run, separability) else " through the origin"
    what = f"straight line{through}" if is_line else "f of this kernel"
    if separability.separable is None:
        return f"Whether {'a' if is_line else 'an'} {what} separates the classes was not decided."
    if separability.separable:
        is_drawn = drawn and separability.coef is not None
        if is_line:
            return f"A {what} separates the classes{': the dashed one' if is_drawn else ''}."
        exists = f"A curve that separates the classes exists{' (dashed)' if is_drawn else ''}"
        return f"{exists}; {explain.counted(run.n_epochs, 'epoch')} did not find it."
    if crosses(run, separability):
        crossing = _crossing_on_map(run, separability, classes)
        if crossing:
            return f"{crossing} So no straight line can separate them."
    return f"No {what} separates the classes: {_reason(run, separability, drawn=drawn)}"


def _crossing_on_map(run: Run, separability: Separability, classes: tuple[str, str]) -> str:
    """Say where the hulls of both classes cross, as one sees it on the map; "" where it takes too
    many words.
    """
    assert separability.weights is not None
    ringed = np.flatnonzero(separability.weights)
    few, many = _by_class(run, ringed)
    one = classes[int(run.y[few[0]] > 0)]
    other = classes[int(run.y[many[0]] > 0)]

    def points(count: str, name: str) -> str:
        return f"{count} {name} points" if name in explain.COLOURS else f"{count} points of {name}"

    if (len(few), len(many)) == (2, 2):
        others = f"two {other} ones" if other in explain.COLOURS else f"two of {other}"
        return f"The line between {points('two', one)} crosses the line between {others}."
    if len(few) == 1 and len(many) in (2, 3):
        between = "on the line between" if len(many) == 2 else "inside the triangle of"
        count = ("two", "three")[len(many) - 2]
        return (
            f"{_named(few, drawn=False)}, {explain.what(one)}, lies {between} "
            f"{points(count, other)}."
        )
    return ""


def _by_class(run: Run, ringed: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Return the weighted examples of each class, the class with fewer first."""
    return sorted((ringed[run.y[ringed] > 0], ringed[run.y[ringed] < 0]), key=len)


def _reason(run: Run, separability: Separability, *, drawn: bool) -> str:
    """Say why no f separates, by the weighted examples."""
    assert separability.weights is not None
    ringed = np.flatnonzero(separability.weights)
    these = _named(ringed, drawn=drawn)
    if len(ringed) == 1:
        return f"at {these} f is always 0."
    turned = mirrored(run, separability)
    if turned is not None:
        return _between(ringed, turned)
    if not has_intercept(run) and not crosses(run, separability):
        return (
            f"whichever one takes, one of {these} is not on its right side, as their margins, "
            "weighted, add up to 0."
        )
    where = "" if type(run.kernel) is Linear else " in the feature space"
    few, many = _by_class(run, ringed)
    first = _named(few, drawn=drawn)
    second = _named(many, drawn=drawn)
    if len(few) == 1:
        return f"{first} is a weighted mean of {second}{where}."
    return f"some weighted mean of {first} is also one of {second}{where}."


def _between(ringed: NDArray[np.intp], turned: NDArray[np.intp]) -> str:
    """Say where the origin lies among two or three examples, some of them mirrored."""
    mirror = f"mirror {_named(turned, drawn=False)} at the origin, and " if len(turned) else ""
    names = [
        f"the mirrored {explain.example(int(i))}" if i in turned else explain.example(int(i))
        for i in ringed
    ]
    these = f"{', '.join(names[:-1])} and {names[-1]}"
    where = "inside the triangle of"
    all_of_them = "all three"
    if len(ringed) == 2:
        where = "on the line between"
        all_of_them = "both"
    return (
        f"{mirror}the origin lies {where} {these}; so no line through it has {all_of_them} on "
        "their right sides."
    )


def _named(examples: NDArray[np.intp], *, drawn: bool) -> str:
    """Return the names of some examples, or of many how many they are."""
    names = [explain.example(int(i)) for i in examples]
    if len(names) == 1:
        return names[0]
    if len(names) <= _MOST_NAMED:
        return f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{len(names)} examples{' (ringed)' if drawn else ''}"


# ---- what would help -----------------------------------------------------------------------------


def _advice(
    settings: Settings,
    split: Split,
    run: Run,
    separability: Separability,
    progress: Progress,
    slow: list[str],
) -> Advice | None:
    """Return the first change that ends without mistakes and is no worse on what is held out.

    Where all that lead there do worse, it is the one that does best there, and its words say so.
    What was tried before and can separate the classes, but did not within the epochs that are
    tried, is added to `slow` and said first.
    """
    if run.learner.always_changes or separability.same_place:
        return None
    now = _wrong(settings, split, run)
    least_wrong = np.inf
    best: Advice | None = None
    try:
        for changes, tried, result in _solved(settings, split, run, separability, progress, slow):
            then = _wrong(tried, split, result)
            if then < least_wrong:
                least_wrong = then
                cost = ""
                if then > now:
                    cost = f" But then {_of_held_out(then, split)} wrong, not {now:,} as now."
                best = _advice_words(settings, changes, tried, result, cost, slow[:1])
            if then <= now:
                break
    except _TimeIsUpError:
        if best is None:
            raise
    return best


def _solved(
    settings: Settings,
    split: Split,
    run: Run,
    separability: Separability,
    progress: Progress,
    slow: list[str],
) -> Iterator[tuple[dict[str, Any], Settings, Run]]:
    """Return the changes that lead to an end without mistakes, the smallest first.

    Yields the changes, the settings and the run with them. A sentence about each change that can
    separate the classes, and has not when all epochs were tried, is added to `slow`, unless they
    can be separated without it.
    """
    for changes in _candidates(settings, run, separability):
        progress(0, 1)
        tried = settings.replace(**{"epochs": _MOST_EPOCHS, **changes})
        if any(tried.values[name] != value for name, value in changes.items()):
            continue  # The advice does not apply.
        can_separate = _can_separate(tried, split) if changes else None
        if can_separate is False:
            continue
        result = None
        # A run may grow beyond all numbers.
        with np.errstate(all="ignore"), contextlib.suppress(ValueError):
            result = experiment.run(tried, split, progress)
        if result is None:
            continue
        if _is_solved(result):
            yield changes, tried, result
        elif result.end == "limit" and can_separate and not separability.separable:
            what = _with(changes, tried, _MOST_EPOCHS)
            slow.append(
                f"{_capital(what)} can separate them (slowly: not within {_MOST_EPOCHS:,} epochs)."
            )
    # If time is up, the last run was stopped and returned what there was of it, so that nothing is
    # known of it: this raises.
    progress(0, 1)


def _wrong(settings: Settings, split: Split, run: Run) -> int:
    """Return how many of those held out are wrong, a zero counting as wrong."""
    if not len(split.y_test):
        return 0
    with np.errstate(all="ignore"):
        scores = run.decision_function(split.X_test, predictor=settings.predictor)
    return int(np.count_nonzero(~(split.y_test * scores > 0)))


def _of_held_out(wrong: int, split: Split) -> str:
    """Return "3 of the 20 held out are"."""
    return f"{wrong:,} of the {len(split.y_test):,} held out {'is' if wrong == 1 else 'are'}"


def _can_separate(tried: Settings, split: Split) -> bool | None:
    """Whether the classes can be separated so; None where that was not decided."""
    if experiment.initial(tried) is not None:
        return None  # The fixed f₀ may separate what the kernel does not.
    kernel = experiment.kernel(tried).fitted(split.X)
    intercept = experiment.learner(tried).intercept != "none"
    return decide(split.X, split.y, kernel, kernel(split.X, split.X), intercept=intercept).separable


def _is_solved(run: Run) -> bool:
    """Whether a run ended by itself, and f is right on all its examples."""
    return (
        run.end in ("clean", "tolerance") and not (run.y * run.decision_function(run.X) <= 0).any()
    )


def _candidates(
    settings: Settings, run: Run, separability: Separability
) -> Iterator[dict[str, Any]]:
    """Return changes to try, the smallest first."""
    if separability.separable is not False and not run.learner.evicts:
        yield {}  # More epochs are tried alone.
    if run.learner.evicts:
        yield from (
            {"budget": budget} for budget in _BUDGETS if budget > settings.values.get("budget", 0)
        )
    if settings.reason_against("intercept") is None and settings.intercept == "none":
        yield {"intercept": "unit"}
    if settings.reason_against("degree") is None:
        highest = int(BY_NAME["degree"].range_for(settings.values).high)
        yield from ({"degree": degree} for degree in range(settings.degree + 1, highest + 1))
    if settings.reason_against("sigma") is None:
        yield from (
            {"sigma": float(f"{settings.sigma * _NARROWER**k:.2g}")}
            for k in range(1, _N_WIDTHS + 1)
        )
    elif conditions.compared(settings.values) == "vectors":
        yield {"kernel": "gaussian"}


def _advice_words(
    settings: Settings,
    changes: Mapping[str, Any],
    tried: Settings,
    run: Run,
    cost: str,
    slow: list[str],
) -> Advice:
    """Return the advice, with epochs enough and no more than a round number, and what it costs.

    `slow` is the sentence of a smaller change that can separate the classes, too, if there is one.
    """
    enough = settings.epochs
    if run.n_epochs > enough:
        enough = next(number for number in _ROUND if number >= run.n_epochs)
    more = {} if enough == settings.epochs else {"epochs": enough}
    took = explain.counted(run.n_epochs, "epoch")
    made = explain.counted(int(run.mistake.sum()), "mistake")
    change = _with(changes, tried, enough)
    words = f"With {change} it converges: after {took} and {made}.{cost}"
    if slow:
        words = f"{slow[0]} {_capital(change)} converges after {took} and {made}.{cost}"
    return Advice({**changes, **more}, words, change.partition(" (")[0])


def _capital(words: str) -> str:
    """Return a phrase as it begins a sentence; a letter that is a symbol stays."""
    return words if words.startswith("σ") else f"{words[0].upper()}{words[1:]}"


def _with(changes: Mapping[str, Any], tried: Settings, epochs: int) -> str:
    """Return what is changed, as "degree 3" or "up to 50 epochs"."""
    if not changes:
        return f"up to {explain.counted(epochs, 'epoch')}"
    values = tried.values
    words = {
        "budget": "a budget of {budget}",
        "intercept": "an intercept",
        "degree": "degree {degree}",
        "sigma": "σ = {sigma:g}",
        "kernel": "a Gaussian kernel (σ = {sigma:g})",
    }
    return words[next(iter(changes))].format(**values)
