"""What is said of each learner: the one table of its sentences, formulas, pseudo-code and script.

A learner itself (`kpviz.engine.learners`) knows its mathematics. A learner of somebody's own needs
no words: those of `LearnerWords` fit any. To bring words, extend `LearnerWords` and name the class
in `WORDS`:

>>> from kpviz.engine.learners import Learner
>>> class Eager(Learner):
...     pass
>>> class EagerWords(LearnerWords):
...     formulas = {"mistake": "f({x}) = {f}, y = {y}: a mistake. We add it twice."}
...     sentences = {"mistake": "{verdict}. It is added twice: {scores}."}
>>> WORDS[Eager] = EagerWords
>>> words_of(Eager()).sentences["mistake"]
'{verdict}. It is added twice: {scores}.'
>>> del WORDS[Eager]

Tests: tests/test_explain.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from textwrap import indent
from typing import Any, ClassVar

from kpviz.engine.learners import (
    SVM,
    Forgetron,
    KernelLogistic,
    Learner,
    Norma,
    PassiveAggressive,
    Perceptron,
    Projectron,
    RandomizedBudget,
    RemoveOldest,
)
from kpviz.engine.rounding import ROUNDING
from kpviz.lessons.rule import (
    ADD,
    COUNTS,
    LEARNER_ANSWERS,
    MISTAKE,
    WEIGHTS,
    Rule,
    joined,
    summed_anew,
    without_rounding_error,
)

Sentences = Mapping[str, str]


# What learners are sorted by, in this order.
NEVER_FORGETS = "Never forgets: what was added stays"
FORGETS = "Forgets: fixed or fading memory"
AT_ONCE = "Solves exactly: all examples at once"
MEMORIES = (NEVER_FORGETS, FORGETS, AT_ONCE, "")


class LearnerWords:
    """What is said of a learner; these words fit any.

    Sentences have these keys: "start"; "correct", "mistake" and "update" (a change that is not told
    as a mistake); "correct_zero" and "mistake_zero" of a score of 0; "correct_evicts",
    "update_evicts", "mistake_evicts", and "mistake_evicts_unshrunk" where nothing shrinks;
    "mistake_projected"; "mistake_idle" and "mistake_idle_evicts" of a mistake that adds nothing.
    `kpviz.lessons.explain.sentence_rules` says when each applies.

    For a key that a subclass leaves out, the sentence of `explain.TEMPLATES` or `explain.DESCRIBED`
    is said, which is the perceptron's. But a learner that has its own "mistake" has no
    "mistake_zero" unless that is its own, too; so it is with "correct" and "correct_zero". In
    braces may stand what `explain` fills in, and the learner's particulars.

    Attributes
    ----------
    learner : the learner of whose settings the words speak.
    code : the rule in pseudo-code, six lines at most.
    lines : the line of `code` that is lit after a "correct" example, an "update", a "mistake". The
        second part of a sentence's key may have another line: "evicts", "evicts_unshrunk",
        "projected", "idle", "idle_evicts". At the start the first line is lit, at the end the last.
    formulas : sentences by key, with the numbers and the formula of a step.
    sentences : the same without formulas; for a key that is missing here its formula is said.
    tells_mistakes : whether a mistake has a sentence of its own; if not, it is told as an update.
    does : what it does with an example that changes it, in a few words; "" where nobody says it.
    memory : under which of these learners are sorted, `NEVER_FORGETS`, `FORGETS`, `AT_ONCE`, or
        "" after all of them.
    """

    tells_mistakes: ClassVar[bool] = True
    does: ClassVar[str] = ""
    memory: ClassVar[str] = ""

    def __init__(self, learner: Any) -> None:
        self.learner = learner

    @property
    def code(self) -> tuple[str, ...]:
        """The rule in pseudo-code."""
        return (
            "repeat: show each example (xᵢ, yᵢ)",
            "  f ← Σⱼ αⱼ yⱼ k(xⱼ, xᵢ) + b",
            "  change α and b as the learner says",
            "until an epoch changes nothing",
        )

    @property
    def lines(self) -> Mapping[str, int]:
        """The lines of `code` that are lit."""
        return {"correct": 1, "update": 2, "mistake": 2}

    @property
    def formulas(self) -> Sentences:
        """The sentences with formulas."""
        return {
            "start": "Press → for the first step.",
            "correct": "f({x}) = {f}, y = {y}: the same sign.",
            "mistake": "f({x}) = {f}, y = {y}, so y·f ≤ 0: a mistake.",
            "update": "f({x}) = {f}, y = {y}: the same sign, and yet α changes.",
        }

    @property
    def sentences(self) -> Sentences:
        """The sentences without formulas."""
        return {
            "correct": "{verdict}.",
            "mistake": "{verdict}.",
            "update": "{verdict}, and yet weights change.",
        }

    def rule(self) -> Rule:
        """Return the learner as Python code, for scripts; one that brings none is imported by them.

        A `Rule` has the parts of the code, and says what names it may use: its docstring, in
        rule.py, describes all attributes. `joined` makes lines of texts, and of pairs (text,
        condition) those whose condition holds.
        """
        learner = self.learner
        # Each presentation changes something, so no epoch is quiet. One that chooses what it is
        # shown may stop all the same.
        if learner.always_changes and not learner.chooses:
            return replace(LEARNER_ANSWERS, quiet="")
        return LEARNER_ANSWERS


# ---- the perceptron


class PerceptronWords(LearnerWords):
    """The usual sentences, and a rule that follows intercept and tie."""

    learner: Perceptron
    does = "Adds the whole example"
    memory = NEVER_FORGETS
    formulas = {}
    sentences = {}
    lines = {"correct": 2, "mistake": 3}

    @property
    def code(self) -> tuple[str, ...]:
        right = {
            "mistake": "f has the sign of yᵢ",
            "correct": "yᵢ f ≥ 0",
            "positive": "sign f = yᵢ, with sign 0 = +1",
            "negative": "sign f = yᵢ, with sign 0 = −1",
        }
        shift = ""
        if self.learner.intercept != "none":
            shift = ", b ← b + η yᵢ" + (" R²" if self.learner.intercept == "radius" else "")
        return (
            "repeat: show each example (xᵢ, yᵢ)",
            "  f ← Σⱼ αⱼ yⱼ k(xⱼ, xᵢ)" + (" + b" if shift else ""),
            f"  if {right[self.learner.tie]}: nothing",
            f"  else: αᵢ ← αᵢ + η{shift}",
            "until an epoch has no mistake",
        )

    def rule(self) -> Rule:
        """Return the mistake as `tie` has it, and what it adds to α and b."""
        learner = self.learner
        wrong = {
            "mistake": "y[i] * f[i] <= 0:",
            "correct": "y[i] * f[i] < 0:  # a zero score counts as correct",
            "positive": "y[i] != (1 if f[i] >= 0 else -1):  # sign(0) = +1",
            "negative": "y[i] != (1 if f[i] > 0 else -1):  # sign(0) = -1",
        }
        wrong_of_all = {
            "mistake": "y * f <= 0",
            "correct": "y * f < 0",
            "positive": "y != np.where(f >= 0, 1, -1)",
            "negative": "y != np.where(f > 0, 1, -1)",
        }
        has_intercept = learner.intercept != "none"
        is_radius = learner.intercept == "radius"
        shift = "y[i] * R2" if is_radius else "y[i]"
        update = joined(
            "mistakes.append((step, i))\nalpha[i] += 1\nf += y[i] * K[i]",
            (f"b += {shift}\nf += {shift}", has_intercept),
        )
        formulas = r"y_i f(x_i) \le 0 \quad\Rightarrow\quad \alpha_i \leftarrow \alpha_i + \eta"
        if has_intercept:
            formulas += r",\; b \leftarrow b + \eta\,y_i" + (r"\,R^2" if is_radius else "")
        # The code counts mistakes in α, which is multiplied by the learning rate only in the end,
        # and not at all if that is 1.
        has_unit = learner.unit != 1.0
        return Rule(
            formulas=formulas,
            start=joined(
                COUNTS, ("b = 0.0", has_intercept), ("R2 = K.diagonal().max()", is_radius)
            ),
            on_example=f"if {wrong[learner.tie]}\n" + indent(update, "    "),
            parameters={"learning_rate": learner.learning_rate} if has_unit else {},
            wrong=wrong_of_all[learner.tie],
            intercept=has_intercept,
            unit="learning_rate" if has_unit else "",
        )


# ---- budgets


def _rule_that_forgets(words: str, place: str, budget: int) -> Rule:
    """Return a perceptron with a full memory, from which the example at a place, which is Python
    code, is removed.
    """
    return Rule(
        formulas=rf"{ADD}; \quad \text{{{words}}}",
        start=f"{COUNTS} that are remembered\nmemory = []  # examples, oldest first",
        resum=summed_anew("y[j]", "j"),
        on_example=f"""\
if y[i] * f[i] <= 0:
    mistakes.append((step, i))
    alpha[i] += 1
    f += y[i] * K[i]
    if len(memory) == budget:
        r = memory.pop({place})
        alpha[r] -= 1
        f -= y[r] * K[r]
    memory.append(i)""",
        parameters={"budget": budget},
    )


class RemoveOldestWords(LearnerWords):
    """The oldest is forgotten."""

    learner: RemoveOldest
    does = "Keeps the newest, drops the rest"
    memory = FORGETS
    code = (
        "repeat: show each example (xᵢ, yᵢ)",
        "  f ← Σⱼ αⱼ yⱼ k(xⱼ, xᵢ)",
        "  if f has the sign of yᵢ: nothing",
        "  else: remember xᵢ with weight 1;",
        "    if more than B: forget the oldest",
        "until an epoch has no mistake",
    )
    lines = {"correct": 2, "mistake": 3, "evicts": 4}
    formulas = {
        "mistake_evicts": "f({x}) = {f}, y = {y}: a mistake. "
        "We remember {x}, and forget {victim}, the oldest.",
    }
    sentences = {
        "mistake_evicts": "{verdict}. "
        "It is remembered, and {victim}, the oldest, is forgotten: {scores}.",
    }

    def rule(self) -> Rule:
        """Return code that forgets the oldest."""
        words = "above the budget, the oldest of those remembered is forgotten."
        return _rule_that_forgets(words, "0", self.learner.budget)


class RandomizedBudgetWords(LearnerWords):
    """Chance decides which is forgotten."""

    learner: RandomizedBudget
    does = "Drops one at random"
    memory = FORGETS
    code = (
        *RemoveOldestWords.code[:3],
        "  else: if B are remembered: forget",
        "    one at random; remember xᵢ",
        "until an epoch has no mistake",
    )
    lines = {"correct": 2, "mistake": 4, "evicts": 3}
    formulas = {
        "mistake_evicts": "f({x}) = {f}, y = {y}: a mistake. "
        "Chance says: forget {victim}. We remember {x}.",
    }
    sentences = {
        "mistake_evicts": "{verdict}. "
        "Chance picks {victim} to be forgotten, and {x} is remembered: {scores}.",
    }

    def rule(self) -> Rule:
        """Return code that draws which is forgotten."""
        words = "if the memory is full, one of it, drawn at random, is forgotten."
        return replace(
            _rule_that_forgets(words, "luck.integers(budget)", self.learner.budget), draws=True
        )


# The code of the Forgetron follows Dekel, Shalev-Shwartz & Singer (2008). In the self-tuned variant
# forgetting the oldest example, whose weight is `oldest` and whose margin is `mu` once the new one
# is added, does the damage p φ² + q φ if all weights shrink by φ. The largest φ with Q + p φ² + q φ
# ≤ `limit` is 1 or a root of a quadratic equation, which is written so that nothing cancels.
_TUNED_START = """\
memory = []  # [example, weight, product of all phi before it], oldest first
shrunk, Q = 1.0, 0.0  # the product of all phi, and the damage done"""
_BASIC_START = """\
memory = []  # [example, weight], oldest first
size = budget + 1
most, U = size ** (-0.5 / size), 0.25 * math.sqrt(size / math.log(size))"""
_TUNED = """\
    phi = 1.0
    if len(memory) > budget:  # phi is as large as keeps the damage Q at most 15/32 of the mistakes
        r, _, before_r = memory[0]
        oldest = shrunk / before_r  # its weight, rounded as in the run
        mu = y[r] * (f[r] + y[i] * K[i, r])
        limit = 15 / 32 * len(mistakes)
        p, q, c = oldest * (oldest - 2 * mu), 2 * oldest, Q - limit
        d = q * q - 4 * p * c
        if p >= 0 or (d > 0 and (-q - math.sqrt(d)) / (2 * p) > 1):
            phi = min(1.0, -2 * c / (q + math.sqrt(d)))
        Q = min(Q + phi * (p * phi + q), limit)
    shrunk *= phi"""
_BASIC = """\
    squared_norm = (y * alpha) @ f + 2 * y[i] * f[i] + K[i, i]
    phi = min(most, U / math.sqrt(squared_norm)) if squared_norm > 0 else most"""
_SHRINK = """\
    alpha *= phi
    alpha[i] += phi
    f *= phi
    f += phi * y[i] * K[i]
    for entry in memory:
        entry[1] *= phi
    if len(memory) > budget:
        r, weight{third} = memory.pop(0)
        alpha[r] = sum(w for j, w{third} in memory if j == r)
        f -= y[r] * weight * K[r]"""
_RENEW = """\
    if shrunk < 1e-200:
        for entry in memory:
            entry[2] /= shrunk
        shrunk = 1.0"""


class ForgetronWords(LearnerWords):
    """Shrinking comes before forgetting; the two variants shrink at other mistakes."""

    learner: Forgetron
    does = "Shrinks all, then drops the oldest"
    memory = FORGETS
    lines = {
        "correct": 2,
        "mistake": 3,
        "evicts": 4,
        "evicts_unshrunk": 4,
    }

    @property
    def _is_tuned(self) -> bool:
        return self.learner.variant == "self-tuned"

    @property
    def code(self) -> tuple[str, ...]:
        return (
            "repeat: show each example (xᵢ, yᵢ)",
            "  f ← Σⱼ αⱼ yⱼ k(xⱼ, xᵢ)",
            "  if f has the sign of yᵢ: nothing",
            "  else: remember xᵢ with weight 1;",
            "    if more than B: all α ← φα, forget the oldest"
            if self._is_tuned
            else "    all α ← φα; if more than B: forget the oldest",
            "until an epoch has no mistake",
        )

    @property
    def formulas(self) -> Sentences:
        mistake = "f({x}) = {f}, y = {y}: a mistake. We remember {x}"
        if self._is_tuned:
            return {
                "mistake_evicts": f"{mistake}, multiply all weights by φ = {{phi}}, "
                "and forget {victim}, the oldest.",
                "mistake_evicts_unshrunk": f"{mistake} and forget {{victim}}, the oldest: "
                "no shrinking is needed.",
            }
        return {
            "mistake": f"{mistake}, and multiply all weights, the new one too, by φ = {{phi}}.",
            "mistake_evicts": f"{mistake}, multiply all weights, the new one too, by φ = {{phi}}, "
            "and forget {victim}, the oldest.",
        }

    @property
    def sentences(self) -> Sentences:
        remembered = "{verdict}. It is remembered"
        if self._is_tuned:
            return {
                "mistake_evicts": f"{remembered}, all weights shrink to {{phi}} of what they were, "
                "and {victim}, the oldest, is forgotten: {scores}.",
                "mistake_evicts_unshrunk": f"{remembered}, and {{victim}}, the oldest, is "
                "forgotten: no shrinking is needed; {scores}.",
            }
        return {
            "mistake": f"{remembered}, "
            "and all weights, its own too, shrink to {phi} of what they were: {scores}.",
            "mistake_evicts": f"{remembered}, "
            "all weights, its own too, shrink to {phi} of what they were, "
            "and {victim}, the oldest, is forgotten: {scores}.",
        }

    def rule(self) -> Rule:
        """Return code that shrinks, adds and forgets."""
        # An entry of the memory has a third number in the self-tuned variant.
        third = ", _" if self._is_tuned else ""
        new_entry = "[i, 1.0, shrunk]" if self._is_tuned else "[i, 1.0]"
        return Rule(
            formulas=r"y_i f(x_i) \le 0 \quad\Rightarrow\quad \alpha_i \leftarrow \alpha_i + 1, "
            r"\quad \text{then all } \alpha \leftarrow \varphi\,\alpha; \quad "
            r"\text{above the budget, the oldest of those remembered is forgotten.}",
            start=joined(WEIGHTS, _TUNED_START if self._is_tuned else _BASIC_START),
            resum=summed_anew("y[j] * weight", f"j, weight{third}"),
            on_example=joined(
                MISTAKE,
                f"    memory.append({new_entry})",
                _TUNED if self._is_tuned else _BASIC,
                _SHRINK.format(third=third),
                (_RENEW, self._is_tuned),
            ),
            parameters={"budget": self.learner.budget},
            imports=("import math",),
        )


# ---- projections


class ProjectronWords(LearnerWords):
    """The distance to the span decides."""

    learner: Projectron
    does = "Remembers only what is new"
    memory = NEVER_FORGETS
    code = (
        "repeat: show each example (xᵢ, yᵢ)",
        "  f ← Σⱼ αⱼ yⱼ k(xⱼ, xᵢ)",
        "  if f has the sign of yᵢ: nothing",
        "  else: δ ← distance of φ(xᵢ) to the span",
        "    if δ ≤ δ₀: add the projection, else xᵢ",
        "until an epoch has no mistake",
    )
    lines = {"correct": 2, "mistake": 4}
    sentences = {
        "mistake": "{verdict}. "
        "No weighted sum of the remembered examples is near it, so it is remembered too: {scores}.",
        "mistake_projected": "{verdict}. "
        "A weighted sum of the remembered examples is near it, so only their weights change: "
        "{scores}.",
        "mistake_idle": "{verdict}, but it has nothing in common with the remembered examples, "
        "and too little of its own to be remembered: nothing changes.",
    }

    @property
    def formulas(self) -> Sentences:
        mistake = "f({x}) = {f}, y = {y}: a mistake. Its distance to the span is {distance}"
        threshold = f"δ₀ = {self.learner.threshold:g}"
        return {
            "mistake": f"{mistake}, more than {threshold}: {{x}} joins the support.",
            "mistake_projected": f"{mistake}, at most {threshold}: "
            "we add its projection, and {x} needs no room.",
            "mistake_idle": f"{mistake}, at most {threshold}, and its projection is 0: "
            "nothing changes.",
        }

    def rule(self) -> Rule:
        """Return code that keeps an orthonormal basis of the support's span."""
        return Rule(
            formulas=r"y_i f(x_i) \le 0: \quad \delta \le \delta_0 \;\Rightarrow\; "
            r"\beta_S \leftarrow \beta_S + y_i K_{SS}^{-1} k_i, \quad "
            r"\text{else } \beta_i \leftarrow \beta_i + y_i \quad (\beta_i = y_i \alpha_i)",
            start="coef = np.zeros(n)  # y * alpha\nsupport = []\n"
            "basis = np.zeros((0, n))  # coordinates of all examples, along an orthonormal basis "
            "of the support's span",
            on_example=f"""\
if y[i] * f[i] <= 0:
    mistakes.append((step, i))
    squared = K[i, i] - basis[:, i] @ basis[:, i]  # distance from the span, squared
    spanned = math.sqrt(max(squared, 0.0)) <= threshold or squared <= 1e-10 * abs(K[i, i])
    added = [(i, y[i])]
    if i not in support and spanned:
        d = np.linalg.solve(np.triu(basis[:, support]), basis[:, i])
        lengths = abs(d) * np.sqrt(K[support, support])
        parts = np.where(lengths < {ROUNDING} * lengths.max(initial=0.0), 0.0, d)
        added = list(zip(support, y[i] * parts))
    elif i not in support:
        basis = np.vstack([basis, (K[i] - basis[:, i] @ basis) / math.sqrt(squared)])
        support.append(i)
    for j, part in added:
        cancels = abs(coef[j] + part) < {ROUNDING} * (abs(coef[j]) + abs(part))
        part = -coef[j] if cancels else part  # not a rounding error
        coef[j] += part
        f += part * K[j]""",
            resum="f[i] = 0.0\nfor j in np.flatnonzero(coef):\n    f[i] += coef[j] * K[i, j]",
            parameters={"threshold": self.learner.threshold},
            keeps="coef",
            imports=("import math",),
        )


# ---- gradient descent


# {nothing} is what f is where nothing is remembered: b, or 0. The lines after it in `_on_example`
# that are indented belong to the first `if`.
_FORGET_TOO_OLD = """\
if step - truncation in memory:
    r, weight = memory.pop(step - truncation)
    alpha[r] = sum(w for j, w in memory.values() if j == r)
    f -= y[r] * weight * K[r]
    if not memory:
        f[:] = {nothing}"""


class NormaWords(LearnerWords):
    """What fades, moves and is forgotten follows the settings."""

    learner: Norma
    does = "Lets all fade"
    memory = FORGETS
    lines = {
        "correct": 4,
        "update": 3,
        "mistake": 3,
        "idle": 4,
        "idle_evicts": 4,
    }

    @property
    def _learns_rho(self) -> bool:
        return self.learner.nu is not None

    @property
    def _shrinks(self) -> bool:
        return self.learner.regularization > 0.0

    @property
    def code(self) -> tuple[str, ...]:
        learner = self.learner
        return (
            "for each example (xᵢ, yᵢ) as it comes",
            "  f ← Σⱼ αⱼ yⱼ k(xⱼ, xᵢ) + b",
            "  all α ← (1 − ηλ) α" + ("; keep the last τ" if learner.evicts else ""),
            f"  if yᵢ f ≤ ρ: αᵢ ← αᵢ + η{', b ← b + η yᵢ' if learner.fit_intercept else ''}",
            "    ρ −= η(1−ν); else: ρ += ην" if self._learns_rho else "  else: nothing more",
            "for as many epochs as one likes",
        )

    @property
    def formulas(self) -> Sentences:
        learner = self.learner
        shrink = "All weights are multiplied by 1 − ηλ"
        if learner.schedule == "constant":
            shrink += f" = {1.0 - learner.learning_rate * learner.regularization:.4g}"
        moved = " Now ρ = {rho}." if self._learns_rho else ""
        add = (f"{shrink}; we add" if self._shrinks else "We add") + " η·y·k({x}, ·)"
        add += (", b += η·y." if learner.fit_intercept else ".") + moved
        # What happens where nothing is added.
        quiet = f"{shrink}.{moved}" if self._shrinks else moved.strip() or "Nothing changes."
        formulas = {
            "start": "Press →: f = 0 everywhere, so the first margin is 0, not above ρ: the "
            "example is added.",
            "mistake": f"f({{x}}) = {{f}}, y = {{y}}: a mistake. {add}",
            "mistake_zero": f"f({{x}}) = 0, y = {{y}}: a mistake. {add}",
            "update": f"y·f({{x}}) = {{margin}}: right, but not above ρ = {{compared}}. {add}",
            "correct": f"y·f({{x}}) = {{margin}}, more than ρ = {{compared}}. {quiet}",
            "mistake_idle": "f({x}) = {f}, y = {y}: a mistake, but y·f is more than "
            f"ρ = {{compared}}: nothing is added. {quiet}",
        }
        return self._with_evictions(formulas, f" We forget {{victim}}, shown {self._age} ago.")

    @property
    def sentences(self) -> Sentences:
        moved = " The margin asked for: {rho}." if self._learns_rho else ""
        fades = " All older weights fade a little." if self._shrinks else ""
        still = ", and all weights fade a little" if self._shrinks else ""
        shift = ", and the intercept moves that way too" if self.learner.fit_intercept else ""
        add = f"{{adds}}{shift}: {{scores}}.{fades}{moved}"
        quiet = f"nothing is added{still}.{moved}"
        sentences = {
            "mistake": f"{{verdict}}. {add}",
            "mistake_zero": f"{{verdict}}. {add}",
            "update": f"{{verdict}}, but its margin is not above {{compared}}. {add}",
            "correct": f"{{verdict}}, with a margin above {{compared}}: {quiet}",
            "mistake_idle": f"{{verdict}}. Yet its margin is above {{compared}}: {quiet}",
        }
        return self._with_evictions(sentences, f" {{victim}}, {self._age} old, is forgotten.")

    @property
    def _age(self) -> str:
        return "1 step" if self.learner.truncation == 1 else f"{self.learner.truncation} steps"

    def _with_evictions(self, sentences: dict[str, str], forgets: str) -> Sentences:
        """Return the sentences, and, where there is a truncation, those of steps that forget."""
        if self.learner.evicts:
            for key in ("mistake", "update", "correct", "mistake_idle"):
                sentences[f"{key}_evicts"] = sentences[key] + forgets
        return sentences

    def rule(self) -> Rule:
        """Return code of what the settings use."""
        learner = self.learner
        forgets = learner.evicts
        slows = learner.schedule != "constant"
        has_intercept = learner.fit_intercept
        rate = "rate" if slows else "learning_rate"
        is_used = {
            "learning_rate": True,
            "regularization": self._shrinks,
            "margin": not self._learns_rho,
            "nu": self._learns_rho,
            "truncation": forgets,
        }
        formulas = (
            r"\alpha \leftarrow (1 - \eta\lambda)\,\alpha; \quad y_i f(x_i) \le \rho "
            r"\;\Rightarrow\; \alpha_i \leftarrow \alpha_i + \eta"
        )
        if has_intercept:
            formulas += r",\; b \leftarrow b + \eta\,y_i"
        return Rule(
            formulas=formulas,
            start=joined(
                WEIGHTS,
                ("b = 0.0", has_intercept),
                ("rho = 0.0", self._learns_rho),
                ("errors = 0", self._learns_rho and not slows),
                ("memory = {}  # step: [example, weight]", forgets),
            ),
            on_example=self._on_example(rate, slows=slows, forgets=forgets),
            parameters={name: getattr(learner, name) for name, used in is_used.items() if used},
            quiet="" if learner.always_changes else "changes",
            intercept=has_intercept,
            resum=joined(
                (summed_anew("y[j] * weight", "j, weight", "memory.values()"), forgets),
                ("f[i] += b", forgets and has_intercept),
            ),
            imports=("import math",) if slows else (),
        )

    def _on_example(self, rate: str, *, slows: bool, forgets: bool) -> str:
        """Return what happens when an example is shown.

        Where something may be forgotten, b is added after that, as in `Training.apply`, so that
        the roundings agree. `Rule` says what size is.
        """
        has_intercept = self.learner.fit_intercept
        counts = not self.learner.always_changes
        rho = "rho" if self._learns_rho else "margin"
        shift = indent(f"b += {rate} * y[i]\nf += {rate} * y[i]", "    ")
        return joined(
            ("rate = learning_rate / math.sqrt(step)", slows),
            f"error = y[i] * f[i] - {rho} <= {ROUNDING} * (size + abs({rho}))  # at most {rho}, "
            "up to rounding",
            MISTAKE,
            (
                "errors += error\nrho = learning_rate * (nu * step - errors)",
                self._learns_rho and not slows,
            ),
            ("rho += rate * (nu - 1 if error else nu)", self._learns_rho and slows),
            (f"shrink = 1 - {rate} * regularization\nalpha *= shrink\nf *= shrink", self._shrinks),
            ("f += b - shrink * b  # b does not shrink", self._shrinks and has_intercept),
            ("for entry in memory.values():\n    entry[1] *= shrink", self._shrinks and forgets),
            f"if error:\n    alpha[i] += {rate}\n    f += {rate} * y[i] * K[i]",
            ("    changes += 1", counts),
            (f"    memory[step] = [i, {rate}]", forgets),
            (shift, has_intercept and not forgets),
            (_FORGET_TOO_OLD.format(nothing="b" if has_intercept else "0.0"), forgets),
            ("    changes += 1", counts and forgets),  # Forgetting is a change, too.
            ("if error:\n" + shift, has_intercept and forgets),
        )


class KernelLogisticWords(LearnerWords):
    """Every presentation is a change, in proportion to how improbable the label was."""

    learner: KernelLogistic
    does = "Fades; adds more the worse it guessed"
    memory = FORGETS
    code = (
        "for each example (xᵢ, yᵢ) as it comes",
        "  f ← Σⱼ αⱼ yⱼ k(xⱼ, xᵢ)",
        "  all α ← (1 − ηλ) α",
        "  αᵢ ← αᵢ + η·σ(−yᵢ f)",
        "for as many epochs as one likes",
    )
    lines = {"correct": 3, "update": 3, "mistake": 3}

    @property
    def _shrinks(self) -> bool:
        return self.learner.regularization > 0.0

    @property
    def formulas(self) -> Sentences:
        factor = 1.0 - self.learner.learning_rate * self.learner.regularization
        shrink = f"All α are multiplied by 1 − ηλ = {factor:.4g}; then " if self._shrinks else ""
        grows = f"{shrink}α of {{x}} grows"
        return {
            "start": "Press →: f = 0 everywhere, so both classes have the probability ½.",
            "mistake": "P(+1) was {probability} at {x}, y = {y}: a mistake. "
            f"{grows} by η·σ({{minus}}) = {{added}}.",
            "mistake_zero": "P(+1) was ½ at {x}, y = {y}: undecided counts as a mistake. "
            f"{grows} by η·½ = {{added}}.",
            "update": "P(+1) was {probability} at {x}, y = {y}: the right side, but not certain. "
            f"{grows} by η·σ({{minus}}) = {{added}}.",
        }

    @property
    def sentences(self) -> Sentences:
        weight = "All weights shrink a little, then that of {x}" if self._shrinks else "Its weight"
        grows = f"{weight} grows by {{added}}: {{scores}}."
        return {
            "mistake": f"{{verdict}}. {grows}",
            "mistake_zero": f"{{verdict}}. {grows}",
            "update": f"{{verdict}}, but without certainty. {grows}",
        }

    def rule(self) -> Rule:
        """Return code that shrinks, where λ is above 0, and adds."""
        learner = self.learner
        regularization = {"regularization": learner.regularization} if self._shrinks else {}
        return Rule(
            formulas=r"\alpha \leftarrow (1 - \eta\lambda)\,\alpha, \quad "
            r"\alpha_i \leftarrow \alpha_i + \eta\,\sigma(-y_i f(x_i)), \quad \sigma(z) = "
            r"\frac{1}{1 + e^{-z}}",
            start=joined(WEIGHTS, ("shrink = 1 - learning_rate * regularization", self._shrinks)),
            on_example=joined(
                MISTAKE,
                "gain = learning_rate * sigmoid(-y[i] * f[i])",
                ("alpha *= shrink\nf *= shrink", self._shrinks),
                "alpha[i] += gain\nf += y[i] * gain * K[i]",
            ),
            parameters={"learning_rate": learner.learning_rate, **regularization},
            quiet="",
            function="def sigmoid(z):\n"
            '    """1 / (1 + exp(-z)), whose exp never overflows."""\n'
            "    return 1 / (1 + math.exp(-z)) if z >= 0 else math.exp(z) / (1 + math.exp(z))",
            imports=("import math",),
        )


# ---- margins


class PassiveAggressiveWords(LearnerWords):
    """As much is added as the margin lacks."""

    learner: PassiveAggressive
    does = "Adds just enough"
    memory = NEVER_FORGETS
    lines = {"correct": 3, "update": 4, "mistake": 4, "idle": 3}
    formulas = {
        "start": "Press →: f = 0 everywhere, so the first example has a loss of 1.",
        "correct": "y·f({x}) = {margin}, at least 1: no loss, so nothing changes.",
        "update": "y·f({x}) = {margin}: the right side, but below 1. α grows by τ = {tau}.",
        "mistake": "f({x}) = {f}, y = {y}: a mistake, with a loss of {loss}. α grows by τ = {tau}.",
        "mistake_idle": "f({x}) = {f}, y = {y}: a mistake, but k({x}, {x}) is not above 0, "
        "and no step makes the margin 1: nothing changes.",
    }
    sentences = {
        "correct": "{verdict}, clearly enough: nothing changes.",
        "update": "{verdict}, but not clearly enough. Its weight grows by {tau}: {scores}.",
        "mistake": "{verdict}. Its weight grows by {tau}: {scores}.",
        "mistake_idle": "{verdict}, but no weight of its own could mend that: nothing changes.",
    }

    @property
    def code(self) -> tuple[str, ...]:
        steps = {
            "PA": "ℓ / k(xᵢ, xᵢ)",
            "PA-I": "min(C, ℓ / k(xᵢ, xᵢ))",
            "PA-II": "ℓ / (k(xᵢ, xᵢ) + 1/(2C))",
        }
        return (
            "for each example (xᵢ, yᵢ) as it comes",
            "  f ← Σⱼ αⱼ yⱼ k(xⱼ, xᵢ)",
            "  ℓ ← max(0, 1 − yᵢ f)",
            "  if ℓ = 0 or k(xᵢ, xᵢ) ≤ 0: nothing",
            f"  else: αᵢ ← αᵢ + {steps[self.learner.variant]}",
            "until an epoch changes nothing",
        )

    def rule(self) -> Rule:
        """Return the step of the variant."""
        learner = self.learner
        steps = {
            "PA": "loss / K[i, i]",
            "PA-I": "min(C, loss / K[i, i])",
            "PA-II": "loss / (K[i, i] + 0.5 / C)",
        }
        formulas = {
            "PA": r"\frac{\ell}{k(x_i, x_i)}",
            "PA-I": r"\min\left(C, \frac{\ell}{k(x_i, x_i)}\right)",
            "PA-II": r"\frac{\ell}{k(x_i, x_i) + 1/(2C)}",
        }
        return Rule(
            formulas=r"\ell = \max(0, 1 - y_i f(x_i)) > 0 \quad\Rightarrow\quad \alpha_i "
            r"\leftarrow \alpha_i + " + formulas[learner.variant],
            start=WEIGHTS,
            on_example=f"""\
{MISTAKE}
loss = 1 - y[i] * f[i]
if loss > {ROUNDING} * (size + 1) and K[i, i] > 0:
    tau = {steps[learner.variant]}
    alpha[i] += tau
    f += tau * y[i] * K[i]
    changes += 1""",
            parameters={} if learner.variant == "PA" else {"C": learner.C},
            quiet="changes",
        )


# m is the largest y − f of the coefficients that may rise, M the least of those that may fall; the
# best solution has m ≤ M.
_LOOK = """\
may_rise, may_fall = coef < high - slack, coef > low + slack
m = pull.max(where=may_rise, initial=-np.inf)
M = pull.min(where=may_fall, initial=np.inf)"""
# Numbers that are equal differ in their last digits, so the first of those that are nearly equal is
# taken, as in the run: sums may be off by `doubt`, and quotients by 1e-9 of themselves. The least
# curvature is 1e-12, since that of two equal examples is 0.
_MOVE = f"""\
doubt = min(1e-12 * (1 + abs(K) @ abs(coef)).max(), (m - M) / 4)  # of what is but rounding
i = np.argmax(may_rise & (pull >= m - 2 * doubt))  # the first of those that are equal
gain = pull[i] - pull
curvature = np.maximum(K[i, i] + K.diagonal() - 2 * K[i], 1e-12)
worth = np.where(may_fall & (gain > 0), gain * gain / curvature, -1)
j = np.argmax(worth >= (1 - min(1e-9 + 8 * doubt / (m - M), 0.25)) * worth.max())
{without_rounding_error("(abs(coef) @ abs(K[i]) + abs(b))")}
if y[i] * f[i] <= 0:
    mistakes.append((step, i))
up, down = high[i] - coef[i], coef[j] - low[j]
delta = min(gain[j] / curvature[j], up, down)
rise, fall = (room if abs(room - delta) <= slack else delta for room in (up, down))
coef[i] += rise
coef[j] -= fall
pull -= rise * K[i] - fall * K[j]
f += rise * K[i]
f -= fall * K[j]
{_LOOK}
free = may_rise & may_fall
before, b = b, pull[free].mean() if free.any() else (m + M) / 2
f += b - before"""


class SVMWords(LearnerWords):
    """A pair changes together, whatever the first of it was."""

    learner: SVM
    does = "Seeks the widest margin"
    memory = AT_ONCE
    tells_mistakes = False
    code = (
        "repeat: of the y·α that may rise take the",
        "    xᵢ with the largest yᵢ − f(xᵢ);",
        "  of those that may fall, the xⱼ with",
        "    the largest gain; move both by δ,",
        "    as far as the box [0, C] allows",
        "until m − M < ε",
    )
    lines = {"correct": 3, "update": 3, "mistake": 3}
    formulas = {
        "start": "Press →: two examples are chosen at a time, and their α become the best for "
        "this pair.",
        "update": "y − f is larger at {x} than at {partner}: "
        "y·α of {x} rises, that of {partner} falls, both by {moved}. The largest gap was {gap}.",
    }
    sentences = {
        "update": "{x} scores too low compared with {partner}. "
        "Now {x} pulls {rises}, {partner} {falls}. {scores}.",
    }

    def rule(self) -> Rule:
        """Return code that chooses a pair and moves it."""
        learner = self.learner
        return Rule(
            formulas=r"p = y - f,\; \beta = y\, \alpha; \quad "
            r"i = \operatorname{argmax}_{\beta_i \text{ may rise}} p_i, \quad "
            r"j = \operatorname{argmax}_{\beta_j \text{ may fall},\; p_j < p_i} "
            r"\frac{(p_i - p_j)^2}{K_{ii} + K_{jj} - 2 K_{ij}}; \quad "
            r"\beta_i \leftarrow \beta_i + \delta,\; \beta_j \leftarrow \beta_j - \delta",
            start="coef = np.zeros(n)  # y * alpha, which may be from low to high\n"
            "low, high = np.where(y > 0, 0.0, -C), np.where(y > 0, C, 0.0)\nslack = 1e-12 * C\n"
            f"pull = y.copy()  # y - f, without b\nb = 0.0\n{_LOOK}",
            converged="m - M < tol",
            on_example=_MOVE,
            parameters={"C": learner.C, "tol": learner.tol},
            keeps="coef",
            intercept=True,
        )


WORDS: dict[type[Learner], type[LearnerWords]] = {
    Learner: LearnerWords,
    Perceptron: PerceptronWords,
    RemoveOldest: RemoveOldestWords,
    RandomizedBudget: RandomizedBudgetWords,
    Forgetron: ForgetronWords,
    Projectron: ProjectronWords,
    Norma: NormaWords,
    SVM: SVMWords,
    KernelLogistic: KernelLogisticWords,
    PassiveAggressive: PassiveAggressiveWords,
}


def words_of(learner: Learner) -> LearnerWords:
    """Return the words of a learner: of its class, or of the nearest class that it extends and that
    has some.
    """
    kind = next(kind for kind in type(learner).__mro__ if kind in WORDS)
    return WORDS[kind](learner)
