"""The run of some settings as a script in numpy.

About thirty lines besides the data, which make the same run.

Tests: tests/export/test_scripts.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from textwrap import fill, indent
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from kpviz import experiment
from kpviz.engine.checks import FloatArray
from kpviz.engine.data.datasets import Dataset
from kpviz.engine.kernels import Normalized
from kpviz.engine.kernels.form import ONES, array
from kpviz.engine.learners import PassiveAggressive, Perceptron
from kpviz.engine.rounding import DOUBTFUL, ROUNDING
from kpviz.engine.run.train import MISTAKE_ORDERS
from kpviz.experiment import Split
from kpviz.lessons.learner_words import words_of
from kpviz.lessons.rule import LEARNER_ANSWERS, Rule, without_rounding_error
from kpviz.settings import Settings
from kpviz.settings.kernel_words import kernel_label

_LONGEST_NAME = 60
_WIDTH = 104
_ORDERS = {
    "cyclic": "range(n)",
    "shuffled": "rng.permutation(n)",
    "random": "rng.integers(0, n, size=n)",
    "first-mistake": "wrong[0]",
    "random-mistake": "wrong[rng.integers(len(wrong))]",
}


def numpy_script(settings: Settings, split: Split, address: str = "") -> str:
    """Return a script that trains as the run of the settings did, and prints the same counts.

    `address`: where a board opens the settings, "" if nobody knows.

    It needs numpy only, unless the learner brings no rule, and reproduces the run exactly: the
    order, each mistake, each alpha. ValueError, of one sentence, where there is no example.

    >>> split = experiment.prepare(Settings.of(data="xor", n=4))
    >>> print(numpy_script(Settings.of(data="xor", n=4), split).splitlines()[0])
    \"\"\"Perceptron: a run of kpviz, in numpy.
    """
    # Quoted, it cannot end the text in which it stands.
    parts = Script(settings, split, address=quote(address, safe="/:[]%"))
    head = "\n\n".join([parts.header, parts.imports, parts.data, parts.constants])
    return "\n\n\n".join([head, parts.functions, f"{parts.training}\n\n{parts.results}"]) + "\n"


@dataclass(frozen=True)
class KernelCode:
    """The kernel as code: its imports, its values, and `functions` that end with k(U, V).

    `one` is what an example is called.
    """

    imports: tuple[str, ...]
    parameters: dict[str, Any]
    functions: str
    one: str


@dataclass(frozen=True, eq=False)
class Script:
    """The parts of a script; a notebook has the same in cells.

    The operations are the engine's, in the engine's order, so that the same bits come out. `plane`:
    whether the points of a plane are to be scored as well. `address`: where a board opens it.
    """

    settings: Settings
    split: Split
    plane: bool = False
    address: str = ""

    def __post_init__(self) -> None:
        if not len(self.split.y):
            raise ValueError(
                "There are no examples to learn from: add one, and the script can show how it is "
                "learnt."
            )

    @cached_property
    def rule(self) -> Rule:
        """The learner's rule.

        Where scores are summed anew, it depends on roundings which example errs first.
        """
        learner = experiment.learner(self.settings)
        rule = words_of(learner).rule()
        # A sum that others shrink or take anew is not f₀.
        adds_up_alone = isinstance(learner, Perceptron | PassiveAggressive)
        if (self._only_mistakes and rule.resum) or (self.initial and not adds_up_alone):
            return LEARNER_ANSWERS
        return rule

    @cached_property
    def initial(self) -> tuple[list[float] | None, float] | None:
        """The fixed f₀ that is added to every score, None for none."""
        return experiment.initial(self.settings)

    @cached_property
    def kernel(self) -> KernelCode:
        """The kernel."""
        return _kernel(self.settings, self.split.X)

    @property
    def header(self) -> str:
        """What it is."""
        return (
            f'"""{experiment.learner(self.settings).about.title}: a run of kpviz, in numpy.\n\n'
            f"Kernel: {kernel_label(experiment.kernel(self.settings))}.\n"
            f"{'Link' if self.address else 'Settings'}: {self.address}?{self.settings.link()}\n\n"
            "Examples have indices from 0; y is -1 or +1; K[i, j] = k(x_i, x_j);\n"
            "alpha[i] weighs example i in "
            f"f(x) = {'f0(x) + ' * bool(self.initial)}sum of alpha[j] * y[j] * k(x_j, x)"
            + (" + b" if self.rule.intercept else "")
            + '.\n"""'
        )

    @property
    def imports(self) -> str:
        """Modules."""
        used = {*self.rule.imports, *self.kernel.imports}
        numpy = "import numpy as np"
        if not self.rule.on_example:
            kind = type(experiment.learner(self.settings))
            numpy = f"import kpviz\n{numpy}"
            used.add(f"from {kind.__module__} import {kind.__name__}")
        ordered = sorted(used, key=lambda line: (line.startswith("from"), line))
        return "\n".join([*ordered, *[""] * bool(ordered), numpy])

    @property
    def data(self) -> str:
        """The examples, with what they mean, and the order by hand.

        Every number is written so that it is read as the same float; texts, trees and graphs are a
        list of str.
        """
        split = self.split
        order = experiment.order_of(self.settings, len(self.split.y))
        parts = [*_words(split.source), *_examples("X", "y", split.X, split.y)]
        if split.lines is not None:
            parts += [
                "# The line of each example in its file.",
                array("line", split.lines[: len(split.y)]),
            ]
        if len(split.y_test):
            parts += [
                "# Held out: not learnt from.",
                *_examples("X_test", "y_test", split.X_test, split.y_test),
            ]
        return "\n".join([*parts, *([] if isinstance(order, str) else [array("order", order)])])

    @property
    def constants(self) -> str:
        """Values of parameters."""
        draws = self.rule.draws or "rng" in self._order or not self.rule.on_example
        seed = {"seed": self.settings.oseed} if draws else {}
        w0, b0 = self.initial or (None, 0.0)
        fixed = {**({} if w0 is None else {"w0": w0}), "b0": b0} if self.initial else {}
        values = {
            **self.kernel.parameters,
            **self.rule.parameters,
            **fixed,
            **seed,
            "epochs": self.settings.epochs,
        }
        return "\n".join(f"{name} = {value!r}" for name, value in values.items())

    @property
    def functions(self) -> str:
        """The kernel, and what the learner needs."""
        fixed = [self._fixed_function] if self.initial and self.rule.on_example else []
        return "\n\n\n".join(
            [self.kernel.functions, *fixed, *([self.rule.function] if self.rule.function else [])]
        )

    @property
    def _fixed_function(self) -> str:
        """The fixed f₀ as code."""
        assert self.initial is not None
        terms = "np.full((1, len(Z)), b0)"
        formula = "b0"
        if self.initial[0] is not None:
            terms = f"np.vstack([np.array(w0)[:, None] * Z.T, {terms}])"
            formula = "w0·z + b0"
        lines = [
            f"terms = {terms}",
            "total, size = terms.sum(axis=0), abs(terms).sum(axis=0)",
            f"return np.where(abs(total) < {ROUNDING} * size, 0.0, total), size",
        ]
        words = (
            f"The fixed part {formula} of each {self.kernel.one} z of Z, and the size of its terms."
        )
        return _function("f0(Z)", words, lines)

    def _fixed_values(self, Z: str, *, in_units: bool) -> str:
        """Return code that names the fixed f₀ of some examples, and the size of its terms."""
        if in_units and self.rule.unit:
            return f"fixed, fixed_size = (part / {self.rule.unit} for part in f0({Z}))"
        return f"fixed, fixed_size = f0({Z})"

    @property
    def training(self) -> str:
        """The loop."""
        loop = self._loop() if self.rule.on_example else self._imported_learner()
        return "\n".join(["n = len(y)", "K = k(X, X)", *loop])

    @property
    def results(self) -> str:
        """Print the mistakes of each epoch, how training ended, alpha, b, and the errors."""
        counts_steps = self.rule.converged or (self._only_mistakes and self.rule.on_example)
        epochs = "-(-step // n)" if counts_steps else "epoch"
        lines = [
            f"for number in range(1, {epochs} + 1):",
            "    count = sum((number - 1) * n < at <= number * n for at, _ in mistakes)",
            "    print(f\"epoch {number}: {count} mistake{'s' * (count != 1)}\")",
            *self._ended(epochs),
            *self._scaled(),
            "for i in np.flatnonzero(alpha):",
            '    print(f"alpha[{i}] = {alpha[i]}")',
            *['print(f"b = {b}")'] * self.rule.intercept,
        ]
        predictor = self.settings.predictor
        held = bool(len(self.split.y_test))
        if predictor != "last" or held or self.plane:
            lines += self._score()
        wrong = "{y} * score({X}) <= 0" if predictor != "voted" else "{y} * (score({X}) + 0.5) <= 0"
        for what, X, y in [(predictor, "X", "y")] * (predictor != "last") + [
            ("held out", "X_test", "y_test")
        ] * held:
            lines.append(
                f'print(f"{what}: {{np.sum({wrong.format(X=X, y=y)})}} of {{len({y})}} wrong")'
            )
        return "\n".join(lines)

    @property
    def _only_mistakes(self) -> bool:
        return (
            self.settings.order in MISTAKE_ORDERS and not experiment.learner(self.settings).chooses
        )

    @property
    def _order(self) -> str:
        if self.rule.converged:
            return ""
        return _ORDERS.get(self.settings.order, "order")

    @property
    def _may_end(self) -> bool:
        """Whether training can be over before the limit."""
        if self._only_mistakes:
            return True
        return bool(self.rule.converged or (self.rule.quiet and self.settings.order != "random"))

    def _imported_learner(self) -> list[str]:
        """Lines for a learner that brings no rule: it is imported, and kpviz trains it."""
        order = (
            repr(self.settings.order)
            if self.settings.order in _ORDERS
            else "np.tile(order, (epochs, 1))"
        )
        examples = "K"
        kernel = '"precomputed"'
        fixed = ""
        if self.initial:
            fixed = ", initial=(None, b0)"
            if self.initial[0] is not None:
                examples = "X"
                kernel = "k"
                fixed = ", initial=(w0, b0)"
        values = f"kernel={kernel}, order={order}, epochs=epochs, seed=seed{fixed}"
        return [
            f"run = kpviz.train({experiment.learner(self.settings)!r}, {examples}, y, {values})",
            "end, epoch, converged = run.state_at(run.n_steps), run.n_epochs, run.converged",
            "alpha, b = end.alpha, end.intercept",
            "mistakes = [(step, i) for step, i in enumerate(run.index, 1) if run.mistake[step - "
            "1]]",
        ]

    def _loop(self) -> Iterator[str]:
        """Yield the lines from the first zeros to the last example."""
        rule = self.rule
        predictor = self.settings.predictor
        if rule.draws:
            yield "luck = np.random.default_rng([seed, 1])  # the learner's own draws"
        begun = "np.zeros(n)"
        if self.initial:
            yield self._fixed_values("X", in_units=True)
            begun = "fixed.copy()"
        yield f"f = {begun}  # the score f(x) of each example, kept up to date\n{rule.start}"
        if predictor == "averaged":
            yield f"{rule.keeps}_sum = np.zeros(n)" + "\nb_sum = 0.0" * rule.intercept
        elif predictor == "voted":
            yield f"states = []  # coef{', b' * rule.intercept}, and for how many steps they stood"
        if "rng" in self._order:
            yield "rng = np.random.default_rng([seed, 0])  # draws the order"
        if self._may_end and not self._only_mistakes:
            yield "converged = False"
        yield "mistakes = []  # (step, example), steps counted from 1\nstep = 0"
        settling = self._settled()
        presentation = "\n".join(["step += 1", *settling, rule.on_example, *self._read()])
        if rule.converged:
            yield (
                f"while step < epochs * n:\n    if {rule.converged}:\n        converged = "
                "True\n        break"
            )
            yield indent(presentation, "    ")
            return
        if self._only_mistakes:
            wrong = f"wrong = np.flatnonzero({rule.wrong})"
            yield f"{wrong}  # the examples that are mistakes now"
            yield f"while len(wrong) and step < epochs * n:\n    i = {self._order}"
            # Nothing asks how many changes there were.
            lines = [line for line in presentation.splitlines() if line.strip() != "changes += 1"]
            none = f"f[abs(f) < {ROUNDING} * {self._size('K')}] = 0.0  # rounding errors"
            yield indent("\n".join([*lines, none, wrong]), "    ")
            yield "converged = not len(wrong)"
            return
        yield "for epoch in range(1, epochs + 1):"
        if rule.quiet == "changes":
            yield "    changes = 0"
        elif self._may_end:
            yield "    before = len(mistakes)"
        yield f"    for i in {self._order}:\n{indent(presentation, '        ')}"
        if self._may_end:
            nothing = "changes == 0" if rule.quiet == "changes" else "len(mistakes) == before"
            yield f"    if {nothing}:\n        converged = True\n        break"

    def _size(self, k: str) -> str:
        """Return code for what the terms of scores add up to without their signs."""
        weights = "alpha" if self.rule.keeps == "alpha" else "abs(coef)"
        place = "[i]" if k == "K[i]" else ""
        fixed = f" + fixed_size{place}" * bool(self.initial)
        return f"({weights} @ abs({k}){' + abs(b)' * self.rule.intercept}{fixed})"

    def _settled(self) -> list[str]:
        """Return lines that make the score of the example 0 where it is only a rounding error."""
        rule = self.rule
        if rule.converged:  # Then the rule selects the example.
            return []
        size = self._size("K[i]")
        lines = [f"size = {size}  # of the terms of f[i]"]
        if self._only_mistakes:  # Then the scores of all examples are settled together.
            return lines if "size" in rule.on_example else []
        if not rule.resum and "size" not in rule.on_example:
            return [without_rounding_error(size)]
        if rule.resum:
            lines += [
                f"if abs(f[i]) < {DOUBTFUL} * (size + abs(K).max()):  # perhaps what forgetting "
                "left: summed anew",
                indent(rule.resum, "    "),
            ]
        return [*lines, without_rounding_error("size")]

    def _read(self) -> list[str]:
        """Return lines after each presentation, for predictors that read every state."""
        keeps = self.rule.keeps
        has_b = self.rule.intercept
        if self.settings.predictor == "averaged":
            return [f"{keeps}_sum += {keeps}", *["b_sum += b"] * has_b]
        if self.settings.predictor == "last":
            return []
        state = ("y * alpha" if keeps == "alpha" else "coef.copy()") + ", b" * has_b
        differs = "(state[0] != states[-1][0]).any()" + " or b != states[-1][1]" * has_b
        return [
            f"state = [{state}, 0]",
            f"if not states or {differs}:",
            "    states.append(state)",
            "states[-1][-1] += 1",
        ]

    def _ended(self, epochs: str) -> list[str]:
        """Return lines that say how training ended."""
        limit = f"{self.settings.epochs} epoch" + "s" * (self.settings.epochs != 1)
        total = "mistakes in all: {len(mistakes)}"
        if not self._may_end:
            return [f'print(f"stopped after {limit}, {total}")']
        # Some rules pass over mistakes that no change mends.
        passes_over = self.rule.quiet == "changes" and not self._only_mistakes
        reached = "no change in" if passes_over else "converged after"
        return [
            f'if converged:\n    print(f"{reached} epoch {{{epochs}}}, {total}")',
            f'else:\n    print(f"not converged within {limit}, {total}")',
        ]

    def _scaled(self) -> list[str]:
        """Return lines after the loop that make alpha, and b, what they are in data units."""
        rule = self.rule
        lines = []
        if rule.unit:
            lines.append(
                f"{rule.keeps} = {rule.unit} * {rule.keeps}  # only now: it scales f and changes "
                "no mistake"
            )
            lines += [f"b = {rule.unit} * b"] * rule.intercept
        return [*lines, *["alpha = y * coef"] * (rule.keeps == "coef")]

    def _score(self) -> list[str]:
        """Return lines that define what the predictor says of any examples."""
        rule = self.rule
        predictor = self.settings.predictor
        one = self.kernel.one
        added, added_size = (" + fixed", " + fixed_size") if self.initial else ("", "")
        b = " + b" * rule.intercept
        lines = []
        words = f"f(z) of each {one} z of Z."
        if not rule.on_example:
            examples = "Z" if self.initial and self.initial[0] is not None else "k(Z, X)"
            body = f'return run.decision_function({examples}, predictor="{predictor}")'
        elif predictor == "voted":
            words = (
                f"The votes for each {one} z of Z: the sign of f(z) after each step, sign(0) = +1."
            )
            held = ", b" * rule.intercept
            size = "abs(KZ) @ abs(coef)" + " + abs(b)" * rule.intercept + added_size
            named = f"{self._fixed_values('Z', in_units=True)}\n" if self.initial else ""
            body = (
                f"{named}KZ, votes = k(Z, X), 0\n"
                f"for coef{held}, times in states:\n"
                f"    rounding = {ROUNDING} * ({size})\n"
                f"    votes = votes + times * np.where(KZ @ coef{b}{added} >= -rounding, 1, -1)\n"
                "return votes"
            )
        else:
            if predictor == "averaged":
                steps = (
                    "max(step, 1)" if rule.converged or self._only_mistakes else "step"
                ) + "  # the mean over all steps"
                scale = f"{rule.unit} * " if rule.unit else ""
                lines.append(
                    f"coef = {scale}{'y * alpha_sum' if rule.keeps == 'alpha' else 'coef_sum'} / "
                    f"{steps}"
                )
                lines += [f"b_mean = {scale}b_sum / {steps}"] * rule.intercept
                b = " + b_mean" * rule.intercept
            elif rule.keeps == "alpha":
                lines.append("coef = y * alpha")
            size = f"abs(KZ) @ abs(coef){f' + abs({b[3:]})' if b else ''}{added_size}"
            named = f"{self._fixed_values('Z', in_units=False)}\n" if self.initial else ""
            body = (
                f"{named}KZ = k(Z, X)\nf = KZ @ coef{b}{added}\n"
                f"return np.where(abs(f) < {ROUNDING} * ({size}), 0, f)  # 0 where it is only a "
                "rounding error"
            )
        return [*lines, "", "", f'def score(Z):\n    """{words}"""\n{indent(body, "    ")}', "", ""]


def _kernel(settings: Settings, X: NDArray[Any]) -> KernelCode:
    """Return the kernel of the settings; a mixture is fitted to the examples X."""
    kernel = experiment.kernel(settings).fitted(X)
    if isinstance(kernel, Normalized):
        kernel = kernel.kernel
    form = kernel.form()
    names = {name: name for name in kernel.parameters}
    before = form.before.format_map(names).splitlines()
    matrix = form.matrix.format_map(names)
    diagonal = form.diagonal.format_map(names)
    formula = form.formula.format_map(names)
    read = {
        name: value
        for name, value in kernel.parameters.items()
        if f"{{{name}}}" in form.before + form.matrix
    }
    functions = [*_once(form.helpers)]
    # Where k(u, u) is 1 for every u, the kernel is normalized already.
    if settings.normalize == "on" and diagonal != ONES:
        root = "np.where(squared > 0, 1 / np.sqrt(np.where(squared > 0, squared, 1)), 0)"
        body = [*_once([form.before_diagonal]), f"squared = {diagonal}", f"return {root}"]
        words = (
            "1 / √k(u, u) for each u of U, before k is normalized; 0 where k(u, u) is not above 0."
        )
        functions.append(_function("inverse_length(U)", words, body))
        before.append(f"plain = {matrix}")
        matrix = "plain * np.outer(inverse_length(U), inverse_length(V))"
        formula += ", normalized,"
    one = "row" if kernel.compares == "vectors" else kernel.compares.removesuffix("s")
    body = [*_once(before), f"return {matrix}"]
    functions.append(_function("k(U, V)", f"k(u, v) = {formula} of all {one}s u and v.", body))
    return KernelCode(_once(form.imports), read, "\n\n\n".join(functions), one)


def _function(head: str, words: str, body: list[str]) -> str:
    docstring = fill(f'"""{words}"""', _WIDTH, break_long_words=False)
    return f"def {head}:\n{indent(docstring, '    ')}\n" + indent("\n".join(body), "    ")


def _once(lines: Iterable[str]) -> tuple[str, ...]:
    """Return each line that is not empty, once."""
    return tuple(dict.fromkeys(line for line in lines if line))


def one_line(text: str) -> str:
    r"""Return a text as it may stand in a comment: printable, on one line, and not endless.

    >>> one_line("width\nimport os")
    'width import os'
    """
    plain = "".join(sign if sign.isprintable() else " " for sign in text)
    return plain if len(plain) <= _LONGEST_NAME else plain[: _LONGEST_NAME - 1] + "…"


def _words(source: Dataset) -> Iterator[str]:
    columns = source.columns if source.are_bits or source.X.ndim == 1 else source.axis_names
    *others, last = map(one_line, columns)
    if source.X.ndim == 2:
        yield f"# The columns of X: {', '.join(others)} and {last}."
    if source.classes != Dataset.classes:
        minus, plus = map(one_line, source.classes)
        yield f"# y = -1: {minus}. y = +1: {plus}."
    if source.scaled:
        yield (
            f"# Each column was scaled to -1 to 1, from low = {list(source.lows)!r} to high = "
            f"{list(source.highs)!r}."
        )
        yield "# In its own units it is low + (x + 1) / 2 * (high - low)."


def _examples(X: str, y: str, rows: NDArray[Any], labels: FloatArray) -> list[str]:
    if rows.ndim == 1:
        written = "\n".join([f"{X} = [", *(f"    {text!r}," for text in rows.tolist()), "]"])
    elif np.isin(rows, (0.0, 1.0)).all() and not np.signbit(rows).any():
        written = array(X, rows.astype(int), ", dtype=float")
    else:
        written = array(X, rows)
    return [written, array(y, labels.astype(int), ", dtype=float")]
