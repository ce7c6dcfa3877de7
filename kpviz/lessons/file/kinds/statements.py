"""Tasks that are answered by statements, a number, examples or one’s own words: choose, number,
click, explain.

Each kind answers what `Question` asks: `read` takes a block, `check` an answer, `solve` gives a
right one and `revealed` says it. `plain` is what a page needs to ask, `on_page` what the runs tell
besides, `packed` what a page without Python compares answers with. The keys of `plain` and
`on_page` are those of `LessonTask`, those of `packed` of `PackedAnswer`; both are in types.d.ts of
the player's modes. `problems` is what `kpviz lesson check` says.

A `Condition` has `parts`, the names and functions in it; the `quantity` of a part is its entry in
names.py, `tree` the whole as parsed Python. A `Case` (links.py) is a run at an instant.

Tests: tests/lessons/test_tasks.py.
"""

from __future__ import annotations

import ast
import contextlib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from kpviz.lessons import explain
from kpviz.lessons.explain import MINUS, class_words, counted, example
from kpviz.lessons.figures import Figure
from kpviz.lessons.file import words
from kpviz.lessons.file.arithmetic import typed
from kpviz.lessons.file.conditions import Condition
from kpviz.lessons.file.kinds.question import (
    Answer,
    Block,
    CheckResult,
    Question,
    Solution,
    UnreadableAnswerError,
    missing_words,
    number,
    numeral,
    whole_list,
)
from kpviz.lessons.file.links import Case, Link
from kpviz.lessons.file.words import Tree
from kpviz.settings import PROPERTIES
from kpviz.settings.kernel_words import kernel_label

LETTERS = "ABCDEFGHIJ"
MOST_VOTED = 5  # A class votes on so many choices at most.
LONGEST_TEXT = 4000  # In characters.
# These numbers change from step to step.
CHANGING = (
    *("mistakes", "bricks", "support", "steps", "epochs", "last_mistakes"),
    *("wrong", "training_error", "heldout_error"),
    *("margin", "geometric_margin", "norm", "b", "f", "score", "alpha"),
)


@dataclass(frozen=True)
class Choose(Question):
    """Statements to choose from; conditions on the run, or the author's letters, say which are
    true.

    Attributes
    ----------
    choices : Markdown of one paragraph each. when : the condition under which each is true, ()
        where letters tell.
    answer : the true ones, by index; None where conditions tell, or the copy is for students.
    but : of each choice what is said to one who ticks it although it is not true, "" where the
        author says nothing; () where that is so of all.
    stage : the choices that a class votes on, by index, one of which is true; () for all.
    """

    keys: ClassVar[tuple[str, ...]] = ("choice", "when", "but", "answer", "stage")
    secret: ClassVar[tuple[str, ...]] = ("when", "but", "answer", "stage")
    choices: tuple[str, ...] = ()
    when: tuple[Condition, ...] = ()
    answer: tuple[int, ...] | None = None
    but: tuple[str, ...] = ()
    stage: tuple[int, ...] = ()

    @classmethod
    def read(cls, block: Block) -> Self:
        choices = block.all("choice")
        if not 2 <= len(choices) <= len(LETTERS):
            block.fault(
                block.line,
                f"A choice is made among 2 to {len(LETTERS)} lines that begin with choice:.",
            )
        when = _conditions(block, len(choices))
        answer = _letters(block, "answer", len(choices))
        if not when and answer is None and not block.is_for_students and not block.faults:
            block.fault(
                block.line,
                "Say which choice is right: answer: A, or a line when: converged under each.",
            )
        stage = _letters(block, "stage", len(choices)) or ()
        return cls(tuple(text for text, _ in choices), when, answer, _reasons(block), stage)

    def check(self, start: Link, answer: Answer, tried: int = 0) -> CheckResult:
        chosen = set(whole_list(answer, "choices", "choices"))
        if not chosen <= set(range(len(self.choices))):
            raise UnreadableAnswerError(
                f"The choices are numbered from 0 to {len(self.choices) - 1}."
            )
        right = self._right(start)
        if chosen == right:
            return CheckResult(True, "Right.")
        wrong = sorted(chosen - right)
        if not chosen:
            return CheckResult(False, "Nothing is selected.", {"wrong": wrong})
        if wrong:
            return CheckResult(
                False, " ".join(self._false(start, k) for k in wrong), {"wrong": wrong}
            )
        more = missing_words(
            len(right - chosen), "One answer is missing.", "{} answers are missing.", tried
        )
        return CheckResult(False, f"Everything you selected is correct. {more}", {"wrong": wrong})

    def solve(self, start: Link) -> Solution:
        right = self._right(start)
        if self.when and self.answer is not None and right != set(self.answer):
            raise ValueError(
                f"The answer is {_named(self.answer)}, but the conditions hold of {_named(right)}."
            )
        if not right:
            raise ValueError("None of the choices is true: let one be.")
        return Solution(
            {"choices": sorted(right)},
            tuple(f"{LETTERS[k]}: {self.choices[k]}" for k in sorted(right)),
        )

    def revealed(self, start: Link) -> tuple[Tree, ...]:
        return tuple(words.inline(self.choices[k]) for k in sorted(self._right(start)))

    @property
    def plain(self) -> dict[str, Any]:
        choices = [list(words.inline(text)) for text in self.choices]
        follows_run = any(
            part.quantity.name in CHANGING for when in self.when for part in when.parts
        )
        return {
            "choices": choices,
            **({"stage": list(self.stage)} if self.stage else {}),
            **({"plays": True} if follows_run else {}),
        }

    def on_page(self, starts: Sequence[Link]) -> dict[str, Any]:
        return {"one": all(_count_true(self, start) == 1 for start in starts)}

    def packed(self, start: Link) -> dict[str, Any]:
        right = self._right(start)
        false = ["" if k in right else self._false(start, k) for k in range(len(self.choices))]
        return {"right": sorted(right), "said": false}

    @property
    def _voted(self) -> tuple[int, ...]:
        """The choices that a class votes on, by index."""
        return self.stage or tuple(range(len(self.choices)))

    def problems(self, start: Link) -> Iterator[tuple[int | str, str]]:
        """Yield why a class cannot vote on it."""
        right = self._right(start)
        true = right.intersection(self._voted)
        if len(self._voted) <= MOST_VOTED and len(true) == 1:
            return
        if self.stage:
            what = f"true of these are {_named(true)}" if true else "none of these is true"
            yield (
                "stage",
                f"A class votes on 2 to {MOST_VOTED} choices, one of which is true; {what}.",
            )
            return
        # A class could vote on one true choice and all false ones.
        votable = [*sorted(right)[:1], *sorted(set(self._voted) - right)]
        letters = ", ".join(LETTERS[k] for k in sorted(votable[:MOST_VOTED]))
        what = f"it has more than {MOST_VOTED} choices" if len(right) == 1 else "several are true"
        if len(votable) > 1:
            yield (
                "",
                f"A class cannot vote on this, since {what}: name choices of which one is true, as "
                f"in stage: {letters}.",
            )

    def _false(self, start: Link, k: int) -> str:
        """Say that a statement is not true, and why, by the author's words or the run."""
        if self.but and self.but[k]:
            return f"{LETTERS[k]} is not true: {self.but[k]}"
        described = self.when[k].described(Case.of(start)) if self.when else ""
        return f"{LETTERS[k]} is not true{f' ({described})' if described else ''}."

    def _right(self, start: Link) -> set[int]:
        """Return the choices that are true, by index."""
        if self.when:
            case = Case.of(start)
            return {k for k, condition in enumerate(self.when) if condition.holds(case)}
        if self.answer is None:
            raise ValueError("This copy of the lesson has no answers.")
        return set(self.answer)


@lru_cache(maxsize=1024)  # Each student who opens the lesson asks.
def _count_true(choose: Choose, start: Link) -> int:
    """Return how many statements are true of a run, 0 where that cannot be told."""
    try:
        return len(choose.solve(start).answer["choices"])  # type: ignore[index]
    except ValueError:
        return 0


def _named(choices: Iterable[int]) -> str:
    """Return the letters of choices, "none" if there are none."""
    return ", ".join(LETTERS[k] for k in sorted(choices)) or "none"


def _conditions(block: Block, count: int) -> tuple[Condition, ...]:
    """Return the condition of each choice, () if there are none or one cannot be read."""
    entries = block.all("when")
    if not entries:
        return ()
    # Between a choice and its condition a reason may stand.
    order = [key for key, _, _ in block.values if key in ("choice", "when")]
    if order != ["choice", "when"] * count:
        block.fault(
            entries[0][1], "Each choice needs one line when: under it, or none of them has one."
        )
        return ()
    conditions: list[Condition] = []
    for text, line in entries:
        condition = block.read_condition("when", text, line)
        if condition is not None:
            conditions.append(condition)
    return tuple(conditions) if len(conditions) == count else ()


def _reasons(block: Block) -> tuple[str, ...]:
    """Return what is said of each choice that is not true, () where nothing is said of any."""
    reasons: list[str] = []
    for key, value, line in block.values:
        if key == "choice":
            reasons.append("")
        elif key == "but" and (not reasons or reasons[-1]):
            block.fault(line, "but: stands once under a choice, and says why that is not true.")
        elif key == "but":
            reasons[-1] = value if value.endswith((".", "?", "!")) else f"{value}."
    return tuple(reasons) if any(reasons) else ()


def _letters(block: Block, key: str, count: int) -> tuple[int, ...] | None:
    """Return the choices that a key names by their letters, None if there is no such key."""
    text = block.text(key)
    if not text:
        return None
    letters = [part.strip().upper() for part in text.split(",")]
    known = LETTERS[:count]
    are_letters = all(len(letter) == 1 and letter in known for letter in letters)
    if not are_letters or len(set(letters)) < len(letters):
        block.fault(
            block.line_of(key),
            f"{key} is one or more of {', '.join(known)}, with commas between them.",
        )
        return None
    return tuple(sorted(known.index(letter) for letter in letters))


# ---- number ---

_USUAL_TOLERANCE = 0.005  # So far off may an answer be, as a share of the value.
_ROUNDING = 1e-9  # What is nearer than this to a whole number is that number.
_PLACEHOLDER = Condition.read_number("0")  # In place of a number that could not be read.
# The board tells these in words, and covers them, by the name here, while one is asked for.
_COVERED_COUNTS = {
    **dict.fromkeys(("mistakes", "last_mistakes", "bricks"), "mistakes"),
    "support": "support",
    "heldout_error": "heldout",
}
_MADE_OF_K = ("k", "f", "score", "margin")  # With arguments, these are made of values of k.
_SIGNIFICANT_DIGITS = 4  # So many digits are significant, as an answer may be half a percent off.
_KNOWN_BY_SETTINGS = ("n", "heldout", "steps", "epochs", *(prop.name for prop in PROPERTIES))
_SUM_HINT = "Add up all votes so far, each with its sign."
_CLOSE_SHARE = 0.05  # As a share of the value: a number that is called close may be so far off.
_LONGEST_ECHO = 40  # In characters: so much is repeated of what was typed.
_DECIMALS = re.compile(r"[-+−]?[0-9]*[.,]([0-9]+)")


@dataclass(frozen=True)
class Slip:
    """A wrong number that people come to, and what is said to them.

    Attributes
    ----------
    value : the number. why : one sentence or two. line : of the file.
    """

    value: Condition
    why: str
    line: int


@dataclass(frozen=True)
class Number(Question):
    """A number of the run, at the step of the link, else at its end.

    Attributes
    ----------
    value : what is asked for. tolerance : how far off an answer may be; None: half a percent, and a
        whole number not at all. relative : whether it is a share of the value.
    slips : the wrong numbers that the author explains.
    """

    keys: ClassVar[tuple[str, ...]] = ("value", "tolerance", "slip")
    value: Condition = _PLACEHOLDER
    tolerance: float | None = None
    relative: bool = False
    slips: tuple[Slip, ...] = ()

    @classmethod
    def read(cls, block: Block) -> Self:
        value = block.condition("value", needed="value: f(0.5, -1)", number=True)
        slips = _slips(block)
        text = block.text("tolerance")
        if not text:
            return cls(value or _PLACEHOLDER, slips=slips)
        match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) ?(%?)", text)
        if match is None:
            block.fault(
                block.line_of("tolerance"),
                "tolerance is a number, as 0.01, or a share of the value, as 2%.",
            )
            return cls(value or _PLACEHOLDER)
        relative = match[2] == "%"
        tolerance = float(match[1]) / (100.0 if relative else 1.0)
        return cls(value or _PLACEHOLDER, tolerance, relative, slips)

    def check(self, start: Link, answer: Answer, tried: int = 0) -> CheckResult:
        answered = number(answer, "number")
        value = self._value(Case.of(start))
        allowed = self._allowed(value)
        echo = _echoed(answer, answered)
        if self._is_taken_for(answered, value):
            return CheckResult(True, f"{echo} is right.", self._drawn(start, self.value, told=True))
        digits = _rounded_to(answer, answered, value)
        if digits:
            why = f"{echo} is right to {_in_digits(digits)}: {_more_digits(value, allowed)}."
            return CheckResult(False, why, {"unreadable": True})  # It costs no try.
        for slip, wrong_value in self._slips(start):
            if self._is_taken_for(answered, wrong_value):
                return CheckResult(False, slip.why, self._drawn_of_slip(start, slip))
        # What is asked for is drawn once somebody has tried twice, without its numbers.
        detail = self._drawn(start, self.value, told=False) if tried else {}
        if answered and math.isclose(answered, -value, abs_tol=allowed):
            return CheckResult(False, "Right size, wrong sign.", {"near": "sign", **detail})
        near = abs(answered - value) <= _near(value, allowed)
        told = "Close, but a little too" if near else "Too"
        size = "small" if answered < value else "large"
        why = f"{told} {size}. {self._look(start)}".rstrip()
        return CheckResult(False, why, {"near": near, **detail})

    def _drawn(self, start: Link, number: Condition, *, told: bool) -> dict[str, list[Figure]]:
        """Return what a number looks like on the map, {} where it has no look; `told`: with its
        numbers.
        """
        case = Case.of(start)
        figures = [figure for part in number.parts for figure in part.figures(case, told=told)]
        return {"drawn": figures} if figures else {}

    def _drawn_of_slip(self, start: Link, slip: Slip) -> dict[str, list[Figure]]:
        """Return what a slip is on the map; where it is a plain number, what is asked for."""
        if not slip.value.parts:
            return self._drawn(start, self.value, told=False)
        drawn = self._drawn(start, slip.value, told=True)
        # The examples that a slip counts may be those that the right number counts.
        if any(figure["kind"] == "ring" for figure in drawn.get("drawn", ())):
            return {}
        return drawn

    def _is_taken_for(self, answered: float, value: float) -> bool:
        """Whether a number is close enough to a value, that of the run or of a slip."""
        return abs(answered - value) <= self._allowed(value) * (1 + _ROUNDING)

    def _slips(self, start: Link) -> list[tuple[Slip, float]]:
        """Return the slips, each with its value in this run."""
        case = Case.of(start)
        return [(slip, _finite(slip.value, case)) for slip in self.slips]

    def problems(self, start: Link) -> Iterator[tuple[int | str, str]]:
        """Yield what is wrong with the slips, each fault with its line."""
        case = Case.of(start)
        value = self._value(case)
        texts: dict[float, str] = {}  # Those of the slips so far, by their values.
        for slip in self.slips:
            try:
                wrong_value = _finite(slip.value, case)
            except ValueError as error:
                yield slip.line, f"The slip {slip.value.text} has no value: {error}"
                continue
            if self._is_taken_for(wrong_value, value):
                yield (
                    slip.line,
                    f"The slip {slip.value.text} is right: name a number that is wrong.",
                )
            for other, text in texts.items():
                if self._is_taken_for(other, wrong_value):
                    yield (
                        slip.line,
                        f"The slips {text} and {slip.value.text} are the same number: name each "
                        "once.",
                    )
            texts[wrong_value] = slip.value.text

    def _look(self, start: Link) -> str:
        """Say which quantities to look at, and when.

        A single one is in the question already: then it is said how to add it up, or that the end
        is meant; "" where there is nothing to say.
        """
        case = Case.of(start)
        names = list(dict.fromkeys(part.named(case) for part in self.value.parts))
        if not names:
            return "Work it out once more."
        when = f"at step {case.t:,}" if start.t is not None else "at the end of the run"
        is_single = isinstance(self.value.tree, (ast.Name, ast.Call))
        if not is_single:
            return f"Look at {' and '.join(names)}{f' {when}' if self._follows_run else ''}."
        if start.t is None:
            return f"The number {when} is asked." if self._follows_run else ""
        if self.value.parts[0].quantity.name not in ("f", "score"):
            return ""
        # With an intercept the votes alone do not add up to the score.
        return "" if case.run.state_at(case.t).intercept != 0 else _SUM_HINT

    @property
    def _follows_run(self) -> bool:
        """Whether the number changes from step to step."""
        return any(part.quantity.name in CHANGING for part in self.value.parts)

    @property
    def _is_of_k(self) -> bool:
        """Whether the number is made of values of k."""
        return any(
            part.quantity.arguments and part.quantity.name in _MADE_OF_K
            for part in self.value.parts
        )

    @property
    def needs_points(self) -> bool:
        """Whether the number is about the examples, so that one may want to see them."""
        return any(part.quantity.name not in _KNOWN_BY_SETTINGS for part in self.value.parts)

    def solve(self, start: Link) -> Solution:
        case = Case.of(start)
        value = self._value(case)
        return Solution(
            {"number": value}, (*(name for name, _ in self._kernel(case)), self._equals(case))
        )

    def revealed(self, start: Link) -> tuple[Tree, ...]:
        case = Case.of(start)
        kernel = [(f"{name}: ", *words.inline(f"${latex}$")) for name, latex in self._kernel(case)]
        return (*kernel, (self._equals(case),))

    def _equals(self, case: Case) -> str:
        """Say what the number is, as "f(x₀) = 0.6065"."""
        value = _written(self._value(case))
        return value if self.value.is_constant else f"{self.value.written(case)} = {value}"

    @property
    def plain(self) -> dict[str, Any]:
        # No score is told while a number is asked: its terms tell b, and what follows from f.
        names = {part.quantity.name for part in self.value.parts}
        covers = {"sum"} | {_COVERED_COUNTS[name] for name in names if name in _COVERED_COUNTS}
        if "support" in covers:
            covers.add("mistakes")  # On a stream each mistake is another example.
        if self._is_of_k:
            covers = {*covers - {"sum"}, "f"}  # As a sum of kernels f would tell each of them.
        if "k" in names:
            covers.add("k")
        return {"covers": sorted(covers), **({"plays": True} if self._follows_run else {})}

    def packed(self, start: Link) -> dict[str, Any]:
        value = self._value(Case.of(start))
        allowed = self._allowed(value)
        more = _more_digits(value, allowed)
        near = _near(value, allowed)
        slips = [
            {
                "value": number,
                "allowed": self._allowed(number),
                "said": slip.why,
                **self._drawn_of_slip(start, slip),
            }
            for slip, number in self._slips(start)
        ]
        return {
            "value": value,
            "allowed": allowed,
            "near": near,
            "look": self._look(start),
            "more": more,
            "hint": self._drawn(start, self.value, told=False),
            **self._drawn(start, self.value, told=True),
            **({"slips": slips} if slips else {}),
        }

    def _kernel(self, case: Case) -> tuple[tuple[str, str], ...]:
        """Return the kernel's name and its formula in LaTeX, () if the number is not made of k."""
        kernel = case.run.kernel
        if kernel is None or not self._is_of_k:
            return ()
        first, _, _ = kernel.latex.partition(r", \quad ")
        return ((kernel_label(kernel), f"k(u, v) = {first}"),)

    def _value(self, case: Case) -> float:
        """Return the number that is right; ValueError if it is not finite."""
        return _finite(self.value, case)

    def _allowed(self, value: float) -> float:
        """Return how far from a value an answer may be."""
        if self.tolerance is not None:
            return self.tolerance * (abs(value) if self.relative else 1.0)
        return _usually_allowed(value)


def _usually_allowed(value: float) -> float:
    """Return how far off an answer may be where the author says nothing."""
    return _ROUNDING if abs(value - round(value)) < _ROUNDING else _USUAL_TOLERANCE * abs(value)


def _finite(number: Condition, case: Case) -> float:
    value = number.value(case)
    if not math.isfinite(value):
        raise ValueError(f"{number.text} is not finite in this run: ask for another number.")
    return value


def _slips(block: Block) -> tuple[Slip, ...]:
    """Read the lines slip NUMBER: what is said of it."""
    slips: list[Slip] = []
    for text, line in block.all("slip"):
        number, _, why = (part.strip() for part in text.partition(":"))
        if not why:
            block.fault(
                line, "A slip is a number and what is said of it, as in slip radius: That is R."
            )
            continue
        value = block.read_condition("slip", number, line, number=True)
        if value is not None:
            slips.append(Slip(value, why, line))
    return tuple(slips)


def _near(value: float, allowed: float) -> float:
    """Return how far off a number may be that is called near."""
    return max(2.0 * allowed, _CLOSE_SHARE * abs(value))


def _echoed(answer: Answer, answered: float) -> str:
    """Return the number as it was typed, where that is it, else with its own digits."""
    text = answer.get("typed")
    is_it = isinstance(text, str) and len(text) <= _LONGEST_ECHO and _reads_as(text, answered)
    written = text.strip() if is_it and isinstance(text, str) else f"{answered:.12g}"
    return written.replace("-", MINUS)


def _reads_as(text: str, answered: float) -> bool:
    """Whether a text that was typed is this number."""
    value = typed(text) if text.isprintable() else None
    return value is not None and math.isclose(value, answered, rel_tol=1e-12)


def _rounded_to(answer: Answer, answered: float, value: float) -> int:
    """Return to how many digits a number is the value, correctly rounded; 0 where it is not, or
    where one digit is less than the board shows.
    """
    text = answer.get("typed", answer.get("number"))
    match = _DECIMALS.fullmatch(text.strip()) if isinstance(text, str) else None
    exponent = Decimal(repr(answered)).normalize().as_tuple().exponent
    decimals = len(match[1]) if match else -int(exponent)
    if decimals < 1 or not answered:
        return 0
    if abs(answered - value) > 0.5 * 10.0**-decimals * (1 + _ROUNDING):
        return 0
    digits = decimals + math.floor(math.log10(abs(answered))) + 1
    if digits < 2 and explain.number(value) != explain.number(answered):
        return 0
    return max(digits, 1)


def _more_digits(value: float, allowed: float) -> str:
    """Ask for as many digits as are certainly enough.

    >>> _more_digits(0.60653, 0.003), _more_digits(0.1353, 0.0007), _more_digits(12.3456, 0.001)
    ('give three', 'give three', 'give five')
    """
    if not value or not allowed:
        return "give more"
    # A number with its last digit at 10**k is at most half of that off: so k may be the largest
    # with 10**k at most 2 * allowed.
    places_before_point = math.floor(math.log10(abs(value))) + 1
    last_place = math.floor(math.log10(2.0 * allowed))
    digits = max(places_before_point - last_place, 1)
    return f"give {numeral(digits)}" if digits < 11 else "give more"


def _in_digits(count: int) -> str:
    """Return "one digit" or "two digits"."""
    return f"{numeral(count)} digit{'s' * (count > 1)}"


def _written(value: float) -> str:
    """Return a number so that it would be right as an answer.

    Thousands are not parted: a comma that is typed is that of a decimal.

    >>> _written(0.60653), _written(123456.0), _written(-12345.678), _written(0.000012345)
    ('0.6065', '123456', '−12350', '1.234e−05')
    """
    if value == round(value) and abs(value) < 1e12:
        return f"{value:.0f}".replace("-", MINUS)
    if 0.0 < abs(value) < 1e-4:  # It is written with an exponent, and not with many zeros.
        text = f"{value:.{_SIGNIFICANT_DIGITS}g}"
    else:
        text = np.format_float_positional(value, _SIGNIFICANT_DIGITS, fractional=False, trim="-")
    return text.replace("-", MINUS)


# ---- click ---

_AHEAD = 12  # While the next mistake is asked for, so many examples are numbered on the map.
_NAMED = 3  # The sentence after a wrong click names so many of them.


def _support(case: Case) -> set[int]:
    return set(case.state.support.tolist())


def _next_mistake(case: Case) -> set[int]:
    later = np.flatnonzero(case.run.mistake[case.t :])
    return {int(case.run.index[case.t + later[0]])} if len(later) else set()


def _forgotten(case: Case) -> set[int]:
    changes = case.run.changes
    later = np.flatnonzero((changes.step >= case.t) & (changes.evicted >= 0))
    return {int(case.run.index[changes.evicted[later[0]]])} if len(later) else set()


def _before_mistake(case: Case) -> list[int]:
    """Return the examples that come before the next mistake, in their order."""
    later = np.flatnonzero(case.run.mistake[case.t :])
    count = int(later[0]) if len(later) else 0
    return [int(i) for i in case.run.index[case.t : case.t + count]]


def _first_before_mistake(case: Case) -> list[int]:
    """Return the first of the examples that come before the next mistake."""
    return _before_mistake(case)[:_NAMED]


def _no_next_mistake(case: Case, i: int) -> str:
    """Say why an example is not the next mistake."""
    run = case.run
    x = example(i)
    end = run.n_steps
    if case.t < run.n_steps:
        end = int(run.epoch_ends[np.searchsorted(run.epoch_ends, case.t, side="right")])
    # They end before the mistake, so that it is not named.
    first = _first_before_mistake(case)
    in_order = "Go in order."
    if first:
        in_order = f"Go in order: {', '.join(map(example, first))} and so on."
    if i not in run.index[case.t : end].tolist() and i in run.index[: case.t]:
        return f"{x} was shown already in this epoch. {in_order}"
    f = float(run.decision_function(run.X[i : i + 1], case.t)[0])
    margin = float(run.y[i]) * f
    classes = case.split.source.classes
    if not case.shows_colours or margin == 0:
        if margin > 0:
            return f"{x} is on the right side now (margin {explain.number(margin)}). {in_order}"
        where = "is on the wrong side" if margin < 0 else "has a score of 0"
        return f"{x} {where}, but another mistake comes before it. {in_order}"
    colour = class_words(classes)[int(run.y[i] > 0)]
    if margin > 0:
        comes_first = i in _before_mistake(case)
        follows = ": the machine will be right about it." if comes_first else f". {in_order}"
        score = f"{'+' if f > 0 else ''}{explain.number(f)}"
        return f"{x} is {colour} on {colour} ground (score {score}){follows}"
    ground = class_words(classes)[int(f > 0)]
    return f"{x} is {colour} on {ground} ground, but another mistake comes before it. {in_order}"


class _What(NamedTuple):
    """Examples that may be asked for.

    Attributes
    ----------
    find : returns them. default_t : the instant where the link names none; None: the end.
    why_none : what is said where there are none.
    """

    find: Callable[[Case], set[int]]
    default_t: int | None
    why_none: str


WHATS = {
    "support": _What(_support, None, "There is no support example at this step."),
    "next mistake": _What(_next_mistake, 0, "No mistake follows this step."),
    "forgotten": _What(_forgotten, 0, "No example is forgotten after this step."),
}
_LISTED = ", ".join(WHATS)


@dataclass(frozen=True)
class Click(Question):
    """Examples on the map: those of `what`, or all of which the condition `where` holds.

    `but` is said to one who chose another one, after what the condition is of that.
    """

    keys: ClassVar[tuple[str, ...]] = ("what", "where", "but")
    secret: ClassVar[tuple[str, ...]] = ("but",)
    what: str = ""
    where: Condition | None = None
    but: str = ""

    @classmethod
    def read(cls, block: Block) -> Self:
        what = block.text("what").lower()
        where = block.condition("where", per_example=True)
        if what and what not in WHATS:
            block.fault(
                block.line_of("what"),
                f"what is one of {_LISTED}; write where: margin(i) < 1 for others.",
            )
        if bool(what) == bool(block.all("where")):
            block.fault(
                block.line,
                f"Write either what: one of {_LISTED}, or where: a condition on example i.",
            )
        return cls(what, where, block.text("but"))

    def check(self, start: Link, answer: Answer, tried: int = 0) -> CheckResult:
        clicked = set(whole_list(answer, "examples", "examples"))
        case, right = self._case_and_examples(start)
        strangers = [i for i in clicked if i >= len(case.run.y)]
        if strangers:
            last = example(len(case.run.y) - 1)
            raise UnreadableAnswerError(
                f"{example(strangers[0])} is not an example: the last is {last}."
            )
        if clicked == right:
            return CheckResult(True, "Right.")
        wrong = sorted(clicked - right)
        if not wrong:
            more = missing_words(
                len(right - clicked), "One more is missing.", "{} more are missing.", tried
            )
            return CheckResult(False, f"What you chose is right. {more}", {"wrong": []})
        others_words = ""
        if len(wrong) > 1:
            others = counted(len(wrong) - 1, "other")
            others_words = f" {others} of yours {'is' if len(wrong) == 2 else 'are'} wrong, too."
        detail: dict[str, Any] = {"wrong": wrong}
        if self.what == "next mistake":
            first = _first_before_mistake(case)
            detail["passed"] = first[: first.index(wrong[0])] if wrong[0] in first else first
        return CheckResult(False, f"{self._not(case, wrong[0])}{others_words}", detail)

    def _not(self, case: Case, i: int) -> str:
        """Say why an example is not one of them."""
        x = example(i)
        if self.where is not None:
            return f"{x} is wrong: {self.where.described(case, i)}. {self.but}".rstrip()
        if self.what == "next mistake":
            return _no_next_mistake(case, i)
        alpha = f"α = {explain.number(float(case.state.alpha[i]))}"
        if self.what == "support":
            return f"{x} is not a support example: its {alpha} at step {case.t:,}."
        if case.state.alpha[i]:
            return f"{x} is remembered, but another example is forgotten before it."
        return f"{x} is not in the memory: its {alpha} at step {case.t:,}."

    def solve(self, start: Link) -> Solution:
        _, right = self._case_and_examples(start)
        return Solution({"examples": sorted(right)}, (", ".join(map(example, sorted(right))),))

    @property
    def plain(self) -> dict[str, Any]:
        if self.what == "support":
            return {"covers": ["alpha", "sum"]}  # The terms of a score name them, too.
        return {"ahead": _AHEAD} if self.what == "next mistake" else {}

    def on_page(self, starts: Sequence[Link]) -> dict[str, Any]:
        with contextlib.suppress(ValueError):
            return {"one": all(len(self._case_and_examples(start)[1]) == 1 for start in starts)}
        return {"one": False}

    def packed(self, start: Link) -> dict[str, Any]:
        case, right = self._case_and_examples(start)
        count = len(case.run.y)
        why_not = ["" if i in right else self._not(case, i) for i in range(count)]
        way = {"way": _first_before_mistake(case)} if self.what == "next mistake" else {}
        return {"right": sorted(right), "count": count, "said": why_not, **way}

    def _case_and_examples(self, start: Link) -> tuple[Case, set[int]]:
        """Return the run at the instant that is meant, and the examples that are asked for."""

        def holds(case: Case) -> set[int]:
            where = self.where
            return {i for i in range(len(case.run.y)) if where is not None and where.holds(case, i)}

        by_condition = _What(holds, None, "The condition holds of no example.")
        what = WHATS.get(self.what, by_condition)
        case = Case.of(start, default_t=what.default_t)
        right = what.find(case)
        if not right:
            raise ValueError(what.why_none)
        return case, right


# ---- explain ---


@dataclass(frozen=True)
class Explain(Question):
    """A text in one's own words."""

    @classmethod
    def read(cls, block: Block) -> Self:
        return cls()

    def check(self, start: Link, answer: Answer, tried: int = 0) -> CheckResult:
        text = answer.get("text")
        if not isinstance(text, str) or not text.strip():
            raise UnreadableAnswerError("The answer is a text.")
        if len(text) > LONGEST_TEXT:
            raise UnreadableAnswerError(
                f"The answer has {len(text):,} characters: write at most {LONGEST_TEXT:,}."
            )
        return CheckResult(None, "It is saved, and not graded.")

    def packed(self, start: Link) -> dict[str, Any]:
        return {}

    def solve(self, start: Link) -> Solution:
        return Solution(None)
