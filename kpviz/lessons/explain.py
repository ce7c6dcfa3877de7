"""What one step did, in words and in formulas, the same on screen, in captions and for screen
readers.

The sentences are templates. The browser receives them with the run and fills them with the same
numbers, written by the same rule (`number`), so that page and Python say the same.

Tests: tests/test_explain.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from string import Formatter
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.data.datasets import Dataset
from kpviz.engine.powers import times_ten
from kpviz.engine.run import alpha_scale, cycling
from kpviz.engine.run.run import Run, checked_time
from kpviz.engine.theory.separability import same_place
from kpviz.lessons import scores
from kpviz.lessons.learner_words import LearnerWords, Sentences, words_of
from kpviz.lessons.misconceptions import MISCONCEPTIONS

MINUS = "\N{MINUS SIGN}"
# From the first to below the second, numbers are written without an exponent.
_LEAST_PLAIN = Decimal("0.0001")
_MOST_PLAIN = Decimal(10**6)
_SHARES = ("phi", "probability")  # These particulars are below 1.
_NEARLY_ONE = "nearly 1"  # Such a share is written so where its digits do not tell it from 1.
_NOT_STARTED = "Not started"
_ORDINALS = {1: "first", 2: "second", 3: "third"}
# Below it float32 has fewer digits than are written.
_LEAST_WITH_DIGITS = float(np.finfo(np.float32).smallest_normal)
_MOST_FURTHER_DIGITS = 3  # So many are added at most to tell two numbers apart.

# {x} the example's name, {f} its score, {y} its label, {margin} y f, {nth} which of its mistakes it
# is, {step} what is added. A learner's own sentences (`LearnerWords.formulas`) may name its
# particulars besides.
TEMPLATES = {
    "start_mistake": "Nothing is learnt yet. Press → to show the first example.",
    "start_correct": "Nothing is learnt yet: f = 0 everywhere counts as correct. Press → for the "
    "first example.",
    "start_positive": "Nothing is learnt yet: f = 0 everywhere, and we read it as +1. Press → for "
    "the first example.",
    "start_negative": "Nothing is learnt yet: f = 0 everywhere, and we read it as −1. Press → for "
    "the first example.",
    "start_fixed": "Nothing is learnt yet: f is the fixed f₀(u) = {initial}. Press → for the "
    "first example.",
    "mistake": "f({x}) = {f}, y = {y}, so y·f ≤ 0: a mistake. We add {step}: its {nth} mistake.",
    "mistake_zero": "f({x}) = 0, y = {y}, and this zero counts as a mistake. We add {step}: its "
    "{nth} mistake.",
    "correct": "f({x}) = {f}, y = {y}: the same sign, so nothing changes.",
    "correct_zero": "f({x}) = 0, y = {y}, and this zero counts as correct, so nothing changes.",
    "look": "{x} is shown next: y = {y}. Which sign has f?",
    "predict_side": "{x} comes next. Which side will f put it on?",
    "predict_margin": "{x} comes next, with y = {y}. In which range is its margin y·f?",
}

# A step in words comes before its formula: x₂₄ is blue, but the score +0.48 says orange: a mistake.
# A learner brings its own words (`LearnerWords.sentences`); one that does not is described by its
# formulas.
COLOURS = ("blue", "orange")  # The classes −1 and +1 are called so where they have no names.
IN_GREY = ("class −1", "class +1")  # In print they are called so.

# What the score said of an example: it is {what}, {other} is the other class, {signed} is the
# score.
VERDICTS = {
    "mistake": "{x} is {what}, but the score {signed} says {other}: a mistake",
    "mistake_zero": "{x} is {what}, but the score is 0, which counts as a mistake",
    "correct": "{x} is {what}, and the score {signed} says so too",
    "correct_zero": "{x} is {what}, and the score is 0, which counts as correct",
    # A learner may say itself what a mistake is.
    "mistake_right": "{x} is {what}, and so says the score {signed}, which counts as a mistake "
    "all the same",
    "correct_wrong": "{x} is {what}, but the score {signed} says {other}, which counts as no "
    "mistake",
}

# In a pair that changes together the coefficient of the first rises, that of the second falls; the
# words go by their labels −1, +1.
RISES = ("less towards {negative}", "more towards {positive}")
FALLS = ("more towards {negative}", "less towards {positive}")

SCORES = "its score goes from {was} to {now}"  # It has the score before the change and after it.
HARDLY = "its score {was} hardly changes"  # The digits that are written do not tell them apart.
# In a pair it is the score of the first.
SCORES_OF_PAIR = "{x}’s score goes from {was} to {now}"
HARDLY_OF_PAIR = "{x}’s score {was} hardly changes"
# What came of a mistake, by the sign of its margin: −1, 0, +1.
OUTCOMES = (", better but still wrong", ", now on the boundary", ", now right")
WORSE = ", still wrong"

# {verdict} is one of these, {adds} what a mistake adds, {scores} what this does to the score.
DESCRIBED = {
    "mistake": "{verdict}. {adds}: {scores}.",
    "mistake_zero": "{verdict}. {adds}: {scores}.",
    "correct": "{verdict}: nothing changes.",
    "correct_zero": "{verdict}: nothing changes.",
    "look": "{x} is shown next, and is {what}. What will the score say?",
}

# A step in a few words, where one plays or has room for one line: what was said of the example, and
# what came of it. {own} is the example's class, {hill} "A blue hill" or "An orange hill".
BRIEF = {
    "start": "Nothing is learnt yet.",
    "correct": "{x}: right.",
    "mistake": "{x}: a mistake.",
    "hill": "{hill}.",
    "pull": "More towards {own}.",
    "pair": "{x} and {partner} change.",
}

RESUMED = (
    "Press → for the first step: this run goes on from step {t} of an earlier one, with "
    "{held} in the support{b}."
)

# {left} are the mistakes in an epoch that changed nothing, and {helpless} why that is so; {last}
# the mistakes in the last epoch, which {which} names; {why} why the run did not converge.
ENDS = {
    "clean": "An epoch without a mistake: converged after {epochs} and {mistakes}.",
    "left": "An epoch changed nothing, but {left}{helpless}.",
    "nothing": "Nothing learnt: a zero score counts as correct.",
    "quiet": "Stopped after {epochs} and {mistakes}, none of them in the last epoch.",
    "limit": "Not converged within {epochs}: still {last} in {which}. {why}",
    "from the start": "Nothing learnt: f₀ makes no mistake.",
    "none left": "No mistake is left: converged after {mistakes}.",
    "no mistake": "No example is a mistake: there is nothing to learn.",
    "some left": "Not converged within {epochs}: some mistakes are left after {mistakes}. {why}",
    "tolerance": "Done after {steps}: the largest gap is below the tolerance.",
    "alike": "Done after 0 steps: all examples are of one class, so no pair can change, and f "
    "stays 0.",
    "stopped": "Stopped after {epochs}: {last} in {which}. This learner never stops by itself.",
    "cancelled": "Cancelled after {steps}.",
    "empty": "No examples yet.",
    "stream": "The stream ends: {mistakes} among {examples}.",
}

_STREAM_ENDS = "until the stream ends"
# Where only mistakes are shown, a rule starts and ends with these lines.
_MISTAKES_SHOWN = {
    "first-mistake": ("repeat: show the first mistake (xᵢ, yᵢ)", "until no mistake is left"),
    "random-mistake": ("repeat: show a random mistake (xᵢ, yᵢ)", "until no mistake is left"),
}

# What is said of every presentation of a run: a film asks for each.
_keys_of_run: WeakKeyDictionary[Run, tuple[NDArray[np.int8], tuple[str, ...]]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Explanation:
    """One instant: its sentence, the active line of the rule, the numbers as they are shown.

    `formula` says the same with symbols, "" where the sentence does.
    """

    sentence: str
    line: int
    numbers: dict[str, str]
    formula: str = ""


def explain(
    run: Run, t: int, *, stream: bool = False, classes: tuple[str, str] = Dataset.classes
) -> Explanation:
    """Explain the step that led to the instant t (0: the start).

    `stream` says that the examples come only once; `classes` names the classes −1 and +1.
    """
    checked_time(run, t)
    words = words_of(run.learner)
    if run.n_steps == 0:
        return Explanation(ending(run), len(words.code) - 1, {})
    if t == 0:
        return Explanation(start_words(run), 0, {})
    codes, keys = sentence_keys(run)
    key = keys[int(codes[t - 1])]
    numbers = _numbers(run, t, class_words(classes))
    formula = _formulas(words)[key].format(**numbers)
    sentence = _sentences(words)[key].format(**numbers)
    formula = "" if formula == sentence else formula
    if t == run.n_steps:
        # The end is the verdict, and what the last step did follows.
        sentence = f"{ending(run, stream=stream)} {sentence}"
        return Explanation(sentence, len(words.code) - 1, numbers, formula)
    return Explanation(sentence, _line(words, key), numbers, formula)


def sentence_rules(run: Run) -> tuple[tuple[str, NDArray[np.bool_]], ...]:
    """Return the keys of sentences with the presentations to which each applies, (n_steps,).

    The first is the most general: of those for which a learner has a sentence, the last that
    applies is said.
    """
    changes = run.changes

    def steps_where(change_does: NDArray[np.bool_]) -> NDArray[np.bool_]:
        steps = np.zeros(run.n_steps, dtype=bool)
        steps[changes.step[change_does]] = True
        return steps

    # A change may only shrink, or forget: others add to b or to a coefficient.
    change_adds = changes.shift != 0.0
    # Each delta belongs to one change, which has this number.
    change_of_delta = np.repeat(np.arange(len(changes)), np.diff(changes.pointer))
    change_adds[change_of_delta[changes.delta != 0.0]] = True
    is_mistake = run.mistake
    is_correct = ~is_mistake
    is_at_zero = run.score == 0
    # Learners of the other grain change f at mistakes alone, and have the sentences of those.
    is_update = steps_where(np.diff(changes.pointer) > 0) & (run.learner.about.grain == "update")
    evicts = steps_where(changes.evicted != -1)
    shrinks = steps_where(changes.shrink != 1.0)
    is_idle_mistake = is_mistake & ~steps_where(change_adds)
    is_projected = np.asarray(run.details.get("projected", np.zeros(run.n_steps)), dtype=bool)
    return (
        ("correct", is_correct),
        ("correct_zero", is_correct & is_at_zero),
        ("mistake", is_mistake),
        ("mistake_zero", is_mistake & is_at_zero),
        ("update", is_update & ~(is_mistake & words_of(run.learner).tells_mistakes)),
        ("correct_evicts", is_correct & evicts),
        ("update_evicts", is_update & is_correct & evicts),
        ("mistake_evicts", is_mistake & evicts),
        ("mistake_evicts_unshrunk", is_mistake & evicts & ~shrinks),
        ("mistake_projected", is_mistake & is_projected),
        ("mistake_idle", is_idle_mistake),
        ("mistake_idle_evicts", is_idle_mistake & evicts),
    )


def sentence_keys(run: Run) -> tuple[NDArray[np.int8], tuple[str, ...]]:
    """Return which sentence describes each presentation, (n_steps,), and the keys."""
    if run not in _keys_of_run:
        _keys_of_run[run] = _choose(run)
    return _keys_of_run[run]


def _choose(run: Run) -> tuple[NDArray[np.int8], tuple[str, ...]]:
    """Work out what `sentence_keys` returns."""
    formulas = words_of(run.learner).formulas
    codes = np.zeros(run.n_steps, dtype=np.int8)
    keys: list[str] = []
    for key, applies in sentence_rules(run):
        # The perceptron's sentence is said where the learner has none of its own for this verdict.
        is_usual = key in TEMPLATES and key.partition("_")[0] not in formulas
        if key in formulas or is_usual:
            codes[applies] = len(keys)
            keys.append(key)
    return codes, tuple(keys)


def _formulas(words: LearnerWords) -> Sentences:
    """Return the formulas by key: the learner's own before those of all."""
    return {**TEMPLATES, **words.formulas}


def _sentences(words: LearnerWords) -> Sentences:
    """Return the words by key: the learner's own before those of all, its formulas where it has no
    words.
    """
    return {**TEMPLATES, **DESCRIBED, **words.formulas, **words.sentences}


def _line(words: LearnerWords, key: str) -> int:
    """Return the line of the learner's code that is lit for a sentence, as "mistake_evicts"."""
    verdict, _, event = key.partition("_")
    return words.lines.get(event, words.lines.get(verdict, 0))


def class_words(classes: tuple[str, str]) -> tuple[str, str]:
    """Return what the classes −1 and +1 are called in a sentence.

    >>> class_words(("setosa", "2")), class_words(Dataset.classes)
    (('class “setosa”', 'class 2'), ('blue', 'orange'))
    """
    if classes == Dataset.classes:
        return COLOURS
    first, second = (
        f"class “{name}”" if name[:1].isalpha() else f"class {name}" for name in classes
    )
    return first, second


def what(name: str) -> str:
    """Return what an example of a class is, by what the class is called.

    >>> what("blue"), what("class 2")
    ('blue', 'of class 2')
    """
    return name if name in COLOURS else f"of {name}"


def words_of_addition(run: Run) -> str:
    """Return what a mistake adds, with places for the example's class and for its hill."""
    has_hill = run.kernel is not None and run.kernel.hill
    shift = ", and the intercept moves that way too" if run.learner.intercept != "none" else ""
    return ("Its {hill} is added" if has_hill else "It now pulls more towards {own}") + shift


def brief_words(run: Run) -> dict[str, str]:
    """Return what is said of the run's steps in a few words, with places for names.

    "start" is said before the first step, "correct" or "mistake" of a step, and then "adds" of one
    that adds to f.
    """
    if "partner" in run.details:
        pair = BRIEF["pair"]
        return {"start": BRIEF["start"], "correct": pair, "mistake": pair, "adds": ""}
    adds_hill = run.kernel is not None and run.kernel.hill and "projected" not in run.details
    return {
        **{key: BRIEF[key] for key in ("start", "correct", "mistake")},
        "adds": BRIEF["hill" if adds_hill else "pull"],
    }


def brief(run: Run, t: int, *, classes: tuple[str, str] = Dataset.classes) -> str:
    """Say the step that led to the instant t in a few words.

    `classes` are the names of the classes −1 and +1.

    >>> import kpviz
    >>> run = kpviz.train(kpviz.learners.Perceptron(), [[1.0], [2.0]], [1, -1], epochs=1)
    >>> [brief(run, t) for t in (1, 2)]
    ['x₀: a mistake. More towards orange.', 'x₁: a mistake. More towards blue.']
    """
    words = brief_words(run)
    numbers = _numbers(run, t, class_words(classes))
    parts = [words["mistake" if run.mistake[t - 1] else "correct"]]
    if step_adds_to_f(run, t):
        parts.append(words["adds"])
    return " ".join(parts).strip().format(**numbers)


def step_adds_to_f(run: Run, t: int) -> bool:
    """Whether the step that led to t adds to f: a change may only shrink it."""
    steps = run.changes.step
    pointer = run.changes.pointer
    j = int(np.searchsorted(steps, t - 1))
    if j == len(steps) or int(steps[j]) != t - 1:
        return False
    return bool(pointer[j + 1] > pointer[j])


def verdict_key(margin: float, *, mistake: bool) -> str:
    """Return which of the verdicts was given of an example with this margin."""
    if margin == 0:
        return "mistake_zero" if mistake else "correct_zero"
    if mistake:
        return "mistake" if margin < 0 else "mistake_right"
    return "correct" if margin > 0 else "correct_wrong"


def verdict(run: Run, t: int, classes: tuple[str, str]) -> str:
    """Return what the score said of the step that led to t.

    `classes` are the names of the classes −1 and +1.
    """
    return _numbers(run, t, class_words(classes))["verdict"]


def _numbers(run: Run, t: int, classes: tuple[str, str]) -> dict[str, str]:
    """Return the numbers and names of the step that led to t, as they are shown.

    The score has as many digits as tell it from the limit and from the score after the change. The
    verdict and the margin are said with the score as it is written, so they come after it.
    """
    i = int(run.index[t - 1])
    score = float(run.score[t - 1])
    margin = float(run.y[i]) * score
    numbers = _names_of_step(run, t, classes)
    limit = None
    further_digits = 0
    if "compared" in run.details:
        limit = float(run.details["compared"][t - 1])
        # A margin above the limit must not be written as the limit is.
        further_digits = _digits_apart(margin, limit) or 0
    numbers |= {"f": number(score, further_digits), "signed": _signed(score, further_digits)}
    # It may have f and its sign with more digits, which take the place of these.
    numbers |= _change_numbers(run, t, further_digits)
    numbers["margin"] = numbers["f"] if run.y[i] > 0 else _negated(numbers["f"])
    template = VERDICTS[verdict_key(margin, mistake=bool(run.mistake[t - 1]))]
    numbers["verdict"] = template.format(**numbers)
    if "partner" in run.details:
        partner = run.details["partner"][t - 1]
        numbers["rises"] = RISES[int(run.y[i] > 0)].format(**numbers)
        numbers["falls"] = FALLS[int(run.y[partner] > 0)].format(**numbers)
    for name in particulars(run):
        if name == "minus":
            numbers[name] = _negated(numbers["margin"])
        else:
            numbers[name] = _particular(name, run.details[name], t - 1)
    if limit is not None:
        numbers["compared"] = number(limit, further_digits)
    return numbers


def _names_of_step(run: Run, t: int, classes: tuple[str, str]) -> dict[str, str]:
    """Return what is said of the example of the step that led to t, whatever its score was."""
    i = int(run.index[t - 1])
    other_class, own_class = classes if run.y[i] > 0 else classes[::-1]
    hill = f"{own_class} hill" if own_class in COLOURS else f"hill for {own_class}"
    return {
        "x": example(i),
        "y": label(run.y[i]),
        "step": step_words(run).format(x=example(i)),
        "nth": ordinal(_mistakes_on(run, i, t)),
        "own": own_class,
        "what": what(own_class),
        "other": other_class,
        "negative": classes[0],
        "positive": classes[1],
        "adds": words_of_addition(run).format(own=own_class, hill=hill),
        "hill": f"{'An' if hill.startswith('o') else 'A'} {hill}",
    }


def _change_numbers(run: Run, t: int, further_digits: int) -> dict[str, str]:
    """Return the score before the change of a step and after it, and what is said of the two; {} if
    the step changed nothing.
    """
    j = run.changes.before(t) - 1
    if j < 0 or run.changes.step[j] != t - 1:
        return {}
    i = int(run.index[t - 1])
    y = float(run.y[i])
    score = float(run.score[t - 1])
    score_after = float(scores.after(run)[j])
    # A pair is changed until its gap is tiny: five digits would say nothing of a step, so that none
    # are added.
    most = 0 if "partner" in run.details else _MOST_FURTHER_DIGITS
    was, now = told_apart(score, score_after, further_digits, most)
    numbers = {"x": example(i), "was": was, "now": now}
    if now and score:
        # The score is written with the digits that tell it from the one after.
        numbers |= {"signed": was, "f": was.removeprefix("+")}
    numbers["scores"] = _scores_words(run, numbers, y * score, y * score_after)
    return numbers


def _words_of_scores(run: Run) -> tuple[str, str]:
    """Return what is said of a score that changes, and of one that hardly does."""
    if "partner" in run.details:
        return SCORES_OF_PAIR, HARDLY_OF_PAIR
    return SCORES, HARDLY


def _scores_words(
    run: Run, numbers: dict[str, str], margin_before: float, margin_after: float
) -> str:
    """Return what a step does to the score, and what came of an example that was wrong."""
    changes, hardly = _words_of_scores(run)
    if not numbers["now"]:
        return hardly.format(**numbers)
    words = changes.format(**numbers)
    if margin_before > 0:
        return words
    sign = int(np.sign(scores.as_sent(margin_after)))
    if sign < 0 and margin_after < margin_before:
        return words + WORSE
    return words + OUTCOMES[1 + sign]


def particulars(run: Run) -> tuple[str, ...]:
    """Return which particulars the learner's sentences name, and "minus" for the negated margin."""
    words = words_of(run.learner)
    texts = (*words.formulas.values(), *words.sentences.values())
    named = {name for text in texts for _, name, _, _ in Formatter().parse(text) if name}
    return tuple(sorted(name for name in named if name in run.details or name == "minus"))


def _signed(score: float, further_digits: int = 0) -> str:
    """Write a score with its sign, as "+0.37"."""
    return ("+" if score > 0 else "") + number(score, further_digits)


def _negated(text: str) -> str:
    """Return a number as it is written, with its sign turned."""
    if text == "0":
        return text
    return text.removeprefix(MINUS) if text.startswith(MINUS) else MINUS + text


def _particular(name: str, values: NDArray[Any], step: int) -> str:
    """Write a particular of a step: a whole number is an example, and a share below 1 never looks
    like 1.
    """
    if values.dtype.kind == "i":
        return example(int(values[step])) if values[step] >= 0 else "nothing"
    value = float(values[step])
    if name not in _SHARES:
        return number(value)
    for further_digits in range(_MOST_FURTHER_DIGITS + 1):
        text = number(value, further_digits)
        if not text.startswith("1.0") or "×" in text:  # It may be 1.0×10⁻⁷.
            return text
    return _NEARLY_ONE


def step_words(run: Run) -> str:
    """Return what a mistake adds, with a place for the example's name."""
    rate = "η·" if run.unit != 1.0 else ""
    return f"{rate}y·k({{x}}, ·)" + (" and move b" if run.learner.intercept != "none" else "")


def start_key(run: Run) -> str:
    """Return the key of the sentence that the run starts with."""
    if run.start is not None:
        return "start_resumed"
    if run.initial is not None:
        return "start_fixed"
    return "start" if "start" in words_of(run.learner).formulas else f"start_{run.learner.tie}"


def start_words(run: Run) -> str:
    """Return the sentence that the run starts with; of a resumed one it says with what."""
    if run.start is None:
        return _formulas(words_of(run.learner))[start_key(run)].replace(
            "{initial}", initial_words(run)
        )
    b = run.start.intercept
    return RESUMED.format(
        t=f"{run.start.t:,}",
        held=counted(len(run.start.support), "example"),
        b=f" and b = {number(b)}" if b or run.learner.intercept != "none" else "",
    )


def initial_words(run: Run) -> str:
    """Return the fixed f₀ of a run as a sum, "" where there is none.

    >>> import kpviz
    >>> initial = ((0.1, -0.2), 0.5)
    >>> initial_words(kpviz.train(kpviz.learners.Perceptron(), [[1.0, 1.0]], [1], initial=initial))
    '0.1·u₁ − 0.2·u₂ + 0.5'
    """
    if run.initial is None:
        return ""
    w0, b0 = run.initial
    weights = [] if w0 is None else w0.tolist()
    terms = [(weight, f"u{_subscript(k)}") for k, weight in enumerate(weights, start=1) if weight]
    if b0 or not terms:
        terms.append((b0, ""))
    words = ""
    for factor, coordinate in terms:
        size = f"{abs(factor):g}"
        if coordinate:
            size = coordinate if abs(factor) == 1 else f"{size}·{coordinate}"
        if words:
            words += f" {MINUS if factor < 0 else '+'} {size}"
        else:
            words = f"{MINUS}{size}" if factor < 0 else size
    return words


def _mistakes_on(run: Run, i: int, t: int) -> int:
    """Return the mistakes on example i up to t, with those before a resumed run."""
    mistakes = int((run.mistake[:t] & (run.index[:t] == i)).sum())
    before = alpha_scale.mistakes_before(run)
    return mistakes if before is None else mistakes + int(before[i])


def ending(run: Run, *, stream: bool = False) -> str:
    """Say how the run ended, and why it did not converge where that is plain; a stream ends with
    its examples.

    `verdict.py` knows more of a run that did not, and takes longer.
    """
    if not len(run.y):
        return ENDS["empty"]
    # A learner that chooses takes pairs, which need both classes.
    if run.learner.chooses and (run.y == run.y[0]).all():
        return ENDS["alike"]
    left = mistakes_left(run)
    if run.end == "clean" and not left and len(run.changes) == 0 and run.start is None:
        return ENDS["nothing"] if run.initial is None else ENDS["from the start"]
    key = _ending_key(run, stream)
    last = _mistakes_in_last_epoch(run)
    words = ENDS[key].format(
        epochs=counted(run.n_epochs, "epoch"),
        mistakes=counted(int(run.mistake.sum()), "mistake"),
        last=counted(last, "mistake"),
        which="it" if run.n_epochs == 1 else "the last",
        left=counted(left, "mistake") + (" remains" if left == 1 else " remain"),
        helpless=_helpless(run) if left else "",
        steps=counted(run.n_steps, "step"),
        examples=counted(run.n_steps, "example"),
        why=_why_not(run) if key in ("limit", "some left") and last else "",
    )
    return words.rstrip()  # There may be no `why`.


def _ending_key(run: Run, stream: bool) -> str:
    """Return which of `ENDS` a run with examples and changes has."""
    if run.end == "cancelled":
        return "cancelled"
    if stream:
        return "stream"
    if mistakes_left(run):
        return "left"
    if run.shows_only_mistakes and run.end == "clean":
        return "none left" if run.mistake.any() else "no mistake"
    if run.shows_only_mistakes and run.end == "limit":
        return "some left"
    if run.end == "limit" and run.learner.always_changes:
        return "stopped"
    if run.end == "limit" and not _mistakes_in_last_epoch(run):
        return "quiet"
    return run.end  # "clean", "tolerance" and "limit" are keys of `ENDS` themselves.


def _mistakes_in_last_epoch(run: Run) -> int:
    return int(run.mistakes_per_epoch[-1]) if run.n_epochs else 0


def mistakes_left(run: Run) -> int:
    """Return the mistakes in the epoch that changed nothing, by which a run ended.

    A learner may pass over some.
    """
    if run.end != "clean" or run.shows_only_mistakes:
        return 0
    return int(run.mistakes_per_epoch[-1])


def _helpless(run: Run) -> str:
    """Return why no change mends what is left, where that is plain."""
    wrong = run.index[run.epoch_start[-1] :][run.mistake[run.epoch_start[-1] :]]
    is_helpless = (run.gram.diagonal()[wrong] <= 0.0).all()
    return ": k(x, x) ≤ 0 there, and no step helps" if is_helpless else ""


def _why_not(run: Run) -> str:
    """Return what can be seen of why a run did not converge: a contradiction, a repetition, or a
    norm below zero.
    """
    pair = None if run.learner.chooses else same_place(run.X, run.y)
    if pair is not None:
        return (
            f"It never will: {example(pair[0])} and {example(pair[1])} differ only in their labels."
        )
    cycle = cycling.cycle(run)
    parts = [] if cycle is None else [cycle.sentence]
    norms = cycling.norms_below_zero(run)
    if norms is not None:
        since = cycling.negative_from(run, norms)
        parts.append(
            f"‖f‖² was negative at step {since:,}, which no kernel lets it be: no theorem holds."
        )
    return " ".join(parts)


def counter(run: Run, t: int, *, stream: bool = False) -> str:
    """Return "12 of 60 examples, first epoch · 8 mistakes so far": how many were shown.

    Where one may come twice in an epoch, steps are counted; for a stream, how many are in memory
    in place of the epoch.
    """
    if not checked_time(run, t):
        parts = [_NOT_STARTED]
    else:
        epoch = int(np.searchsorted(run.epoch_start, t, side="left"))
        step = t - int(run.epoch_start[epoch - 1])
        if stream:
            parts = [
                f"{step:,} of {counted(run.n_steps, 'example')}",
                f"{len(run.state_at(t).support):,} in memory",
            ]
        elif run.learner.chooses or run.shows_only_mistakes or run.order == "random":
            parts = [f"Step {step:,}, {epoch_words(epoch)}"]
        else:
            parts = [f"{step:,} of {counted(len(run.y), 'example')}, {epoch_words(epoch)}"]
        if not run.learner.chooses:
            so_far = " so far" if t < run.n_steps else ""
            parts.append(counted(int(run.mistake[:t].sum()), "mistake") + so_far)
    norms = None if stream else cycling.norms_below_zero(run)
    if norms is not None:
        parts.append(f"‖f‖² = {number(float(norms[run.changes.before(t)]))}")
    return " · ".join(parts)


def code(run: Run, *, stream: bool = False) -> tuple[str, ...]:
    """Return the learner's rule in lines; a stream, and a run in which only mistakes are shown,
    start or end it in another way.
    """
    lines = list(words_of(run.learner).code)
    if run.order in _MISTAKES_SHOWN:
        lines[0], lines[-1] = _MISTAKES_SHOWN[run.order]
    if stream:
        lines[-1] = _STREAM_ENDS
    if run.initial is not None:
        lines = [line.replace("f ← Σⱼ", "f ← f₀(xᵢ) + Σⱼ") for line in lines]
    return tuple(lines)


def payload(
    run: Run, *, stream: bool = False, classes: tuple[str, str] = Dataset.classes
) -> dict[str, Any]:
    """Return the words that the browser fills in."""
    words = words_of(run.learner)
    names = class_words(classes)
    start = start_key(run)
    formulas = _formulas(words)
    changes, hardly = _words_of_scores(run)
    return {
        "steps": {
            **{key: text for key, text in formulas.items() if not key.startswith("start_")},
            start: start_words(run),
        },
        "described": {
            key: text for key, text in _sentences(words).items() if text != formulas.get(key)
        },
        "verdicts": VERDICTS,
        "classes": names,
        "inGrey": IN_GREY if names == COLOURS else names,
        "adds": words_of_addition(run),
        "brief": brief_words(run),
        "scores": changes,
        "hardly": hardly,
        "outcomes": OUTCOMES,
        "worse": WORSE,
        **({"pair": {"rises": RISES, "falls": FALLS}} if "partner" in run.details else {}),
        "step": step_words(run),
        "start": start,
        "end": ending(run, stream=stream),
        "code": code(run, stream=stream),
        "lines": {"start": 0, "end": len(words.code) - 1},
        "sentences": [{"key": key, "line": _line(words, key)} for key in sentence_keys(run)[1]],
        "particulars": particulars(run),
        "margin": MISCONCEPTIONS["margin"],  # The panel of margins says it when pointed at.
    }


def epoch_words(epoch: int) -> str:
    """Return which epoch it is, in words.

    >>> epoch_words(1), epoch_words(3), epoch_words(12)
    ('first epoch', 'third epoch', '12th epoch')
    """
    return f"{_ORDINALS.get(epoch, ordinal(epoch))} epoch"


def counted(n: int, noun: str, plural: str = "") -> str:
    """Return "1 mistake" or "2 mistakes"; `plural` is needed where it is not the noun and an s."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def ordinal(n: int) -> str:
    """Return "1st", "2nd", "3rd", "4th".

    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 21, 112)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '21st', '112th']
    """
    if n % 100 in (11, 12, 13):
        return f"{n}th"
    match n % 10:
        case 1:
            return f"{n}st"
        case 2:
            return f"{n}nd"
        case 3:
            return f"{n}rd"
    return f"{n}th"


def example(i: int) -> str:
    """Return the name of example i, its index in the arrays as a subscript."""
    return f"x{_subscript(i)}"


def _subscript(i: int) -> str:
    return "".join(chr(ord("₀") + int(digit)) for digit in str(i))


def label(y: float) -> str:
    """Return "+1" or "−1"."""
    return "+1" if y > 0 else f"{MINUS}1"


def number(value: float, further_digits: int = 0) -> str:
    """Write a number for reading: with two decimals, more where it is small, in float32 as the
    browser has it.

    Further digits are written as far as float32 has them; of what it hardly holds only the sign is
    written.

    >>> [number(v) for v in (0.0, -0.374, 12.3456, 5792.6, 0.00512, 3.2e-7, 4.56e12, -5e-89)]
    ['0', '−0.37', '12.35', '5,792.60', '0.0051', '3.2×10⁻⁷', '4.6×10¹²', '−0.000…']
    >>> [number(v, 3) for v in (-0.374, 12.3456, 0.00512, 3.2e-7)]
    ['−0.37400', '12.3456', '0.00512', '3.2×10⁻⁷']
    """
    rounded, places = _rounded(value, further_digits)
    if rounded == 0:
        return "0"
    if abs(float(scores.as_sent(value))) < _LEAST_WITH_DIGITS:
        return f"{MINUS}0.000…" if value < 0 else "0.000…"
    power = rounded.adjusted()
    if places is None:
        text = f"{rounded:,f}"
    else:
        text = times_ten(f"{rounded.scaleb(-power):.{places}f}", power)
    return text.replace("-", MINUS)


def _rounded(value: float, further_digits: int) -> tuple[Decimal, int | None]:
    """Return the number as it is written, and the decimals before its exponent, if it has one."""
    sent = float(scores.as_sent(value))
    exact = Decimal(sent if abs(sent) < np.inf else value)
    if exact == 0 or _LEAST_PLAIN <= abs(exact) < _MOST_PLAIN:
        least = 2
        if abs(exact) < Decimal("0.1"):
            least = 3 if abs(exact) >= Decimal("0.01") else 4
        power = 0
        # A float32 has six digits for sure.
        places = max(least, min(2 + further_digits, 5 - max(exact.adjusted(), 0)))
    else:
        power = exact.adjusted()
        places = 1
        if power > 0:  # No more digits of small scores are sent.
            places += further_digits
    rounded = exact.quantize(Decimal(1).scaleb(power - places), ROUND_HALF_UP)
    return rounded, None if power == 0 else places


def _digits_apart(
    first: float, second: float, least: int = 0, most: int = _MOST_FURTHER_DIGITS
) -> int | None:
    """Return how many further digits, from `least` to `most`, tell two numbers apart; None if none
    of them do.
    """
    for further_digits in range(least, most + 1):
        if _rounded(first, further_digits)[0] != _rounded(second, further_digits)[0]:
            return further_digits
    return None


def told_apart(
    was: float, now: float, least: int = 0, most: int = _MOST_FURTHER_DIGITS
) -> tuple[str, str]:
    """Write a score before a change and after it, with as many digits as tell them apart; if none
    do, the second is "".

    `least` are further digits that both have in any case, `most` those that they have at most.

    >>> [told_apart(0.374, now) for now in (-0.626, 0.3741, 0.374 + 1e-7)]
    [('+0.37', '−0.63'), ('+0.3740', '+0.3741'), ('+0.37', '')]
    """
    if was == now == 0:
        return _signed(was), _signed(now)
    further_digits = _digits_apart(was, now, least, most)
    if further_digits is None:
        return _signed(was, least), ""
    return _signed(was, further_digits), _signed(now, further_digits)
