"""The run of some settings as a script in numpy: about thirty lines besides the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kpviz import experiment
from kpviz.engine.learners.about import About
from kpviz.experiment import Split
from kpviz.export.code import kernel_code, literals
from kpviz.export.code.kernel_code import KernelCode
from kpviz.export.code.loop import Loop
from kpviz.settings import Settings

_COUNT = "print(f\"epoch {number}: {count} mistake{'s' * (count != 1)}\")"
_IN_ALL = "mistakes in all: {len(mistakes)}"
WEIGHTS = ("for i in np.flatnonzero(alpha):", '    print(f"alpha[{i}] = {alpha[i]}")')


def numpy_script(settings: Settings, split: Split) -> str:
    """Return a script that trains as the run of the settings did, and prints the same counts.

    It needs numpy only, unless the learner brings no rule, and reproduces the run exactly: who is shown when, each
    mistake, each alpha. ValueError, of one sentence, where there is no example.

    >>> split = experiment.prepare(Settings.of(data="xor", n=4))
    >>> print(numpy_script(Settings.of(data="xor", n=4), split).splitlines()[0])
    \"\"\"Perceptron: a run of kpviz, in numpy.
    """
    parts = Parts.of(settings, split)
    blocks = [parts.header, parts.imports, parts.data, parts.constants, parts.functions, parts.training, parts.results]
    gaps = ["\n\n", "\n\n", "\n\n", "\n\n\n", "\n\n\n", "\n\n", "\n"]
    return "".join(block + gap for block, gap in zip(blocks, gaps, strict=True))


def about(settings: Settings) -> About:
    """Return the words of the learner."""
    learner: Any = experiment.learner(settings)
    words: About = learner.about
    return words


def header(settings: Settings, how: str) -> str:
    """Return the beginning of a script's docstring; `how` says what it is written in."""
    kernel = experiment.kernel(settings).label
    return f'"""{about(settings).title}: a run of kpviz, {how}.\n\nKernel: {kernel}.\nLink: ?{settings.link()}\n\n'


def counts(epochs: str) -> str:
    """Return code that prints the mistakes of each of so many epochs, which `epochs` is code for."""
    return (
        f"for number in range(1, {epochs} + 1):\n"
        "    count = sum((number - 1) * n < at <= number * n for at, _ in mistakes)\n"
        f"    {_COUNT}"
    )


def ended(converged: str, epochs: str, loop: Loop) -> list[str]:
    """Return lines that say how training ended; `converged` and `epochs` are code for what was."""
    limit = f"{loop.settings.epochs} epoch" + "s" * (loop.settings.epochs != 1)
    if not loop.may_end:
        return [f'print(f"stopped after {limit}, {_IN_ALL}")']
    reached = "no change in" if loop.rule.quiet == "changes" else "converged after"  # mistakes may be passed over
    return [
        f"if {converged}:",
        f'    print(f"{reached} epoch {{{epochs}}}, {_IN_ALL}")',
        "else:",
        f'    print(f"not converged within {limit}, {_IN_ALL}")',
    ]


def examples(split: Split, loop: Loop) -> str:
    """Return the assignments of the examples, and of the order where it is by hand."""
    return literals.data(split) + ("" if loop.order is None else "\n" + literals.array("order", loop.order))


def modules(loop: Loop, kernel: KernelCode) -> str:
    """Return the lines that import from Python's own library, for the loop and for the kernel."""
    lines = {*loop.rule.imports, *kernel.imports}
    return "".join(f"{line}\n" for line in sorted(lines, key=lambda line: (line.startswith("from"), line)))


@dataclass(frozen=True, eq=False)
class Parts:
    """The parts of a script; a notebook has the same in cells.

    `plane`: whether the points of a plane, a matrix of that name, are to be scored as well.
    """

    settings: Settings
    split: Split
    kernel: KernelCode
    loop: Loop
    plane: bool

    @classmethod
    def of(cls, settings: Settings, split: Split, *, plane: bool = False) -> Parts:
        """Return the parts for some settings and their examples."""
        wide = settings.predictor == "voted" and (plane or bool(len(split.y_test)))
        loop = Loop.of(settings, len(split.y), wide=wide)
        return cls(settings, split, kernel_code.of(settings, X=split.X), loop, plane)

    @property
    def header(self) -> str:
        """What it is."""
        return (
            header(self.settings, "in numpy")
            + "Examples have indices from 0; y is -1 or +1; K[i, j] = k(x_i, x_j); alpha[i] weighs example i\n"
            "in f(x) = sum of alpha[j] * y[j] * k(x_j, x)" + (" + b" if self.loop.rule.intercept else "") + '.\n"""'
        )

    @property
    def imports(self) -> str:
        """Modules."""
        own = modules(self.loop, self.kernel)
        return f"{own}\nimport numpy as np" if own else "import numpy as np"

    @property
    def data(self) -> str:
        """Examples, and the order by hand."""
        return examples(self.split, self.loop)

    @property
    def constants(self) -> str:
        """Values of parameters."""
        return "\n".join(literals.constants({**self.kernel.parameters, **self.loop.parameters}))

    @property
    def functions(self) -> str:
        """The kernel, and what the learner needs."""
        own = self.loop.rule.function
        return self.kernel.functions() + (f"\n\n\n{own}" if own else "")

    @property
    def training(self) -> str:
        """The loop."""
        return "\n".join(["n = len(y)", f"K = {self._gram}", self.loop.code()])

    @property
    def results(self) -> str:
        """Print the mistakes of each epoch, how training ended, alpha, b, and the errors of what was learnt."""
        made = self.loop.epochs_made
        report_lines = [counts(made), *ended("converged", made, self.loop)]
        return "\n".join([*report_lines, *self._weights(), *self._predictions()])

    @property
    def _gram(self) -> str:
        if not self.loop.wide:
            return "k(X, X)"
        others = ["k(X, X_test)"] * bool(len(self.split.y_test)) + ["k(X, plane)"] * self.plane
        return f"np.hstack([k(X, X), {', '.join(others)}])  # columns without a row only look on"

    def _weights(self) -> list[str]:
        return [*self.loop.scaling, *WEIGHTS, *(['print(f"b = {b}")'] * self.loop.rule.intercept)]

    def _predictions(self) -> list[str]:
        held, predictor = bool(len(self.split.y_test)), self.settings.predictor
        lines = []
        if predictor == "voted":
            lines += ["decided = np.where(votes >= 0, 1, -1)", errors("voted", "decided[:n] != y", "n")]
            return lines + [errors("held out", "decided[n : n + len(y_test)] != y_test", "len(y_test)")] * held
        if predictor == "averaged" or held or self.plane:
            lines += self._score()
        if predictor == "averaged":
            lines.append(errors("averaged", "y * score(X) <= 0", "n"))
        return lines + [errors("held out", "y_test * score(X_test) <= 0", "len(y_test)")] * held

    def _score(self) -> list[str]:
        lines, b = self.loop.reading
        return [
            *lines,
            "",
            "",
            "def score(Z):",
            f'    """f(z) of each {self.kernel.one} z of Z."""',
            f"    return k(Z, X) @ coef{' + ' * bool(b)}{b}",
            "",
            "",
        ]


def errors(what: str, wrong: str, of: str) -> str:
    """Return code that prints how many are `wrong`, which is code, like the number `of` all."""
    return f'print(f"{what}: {{np.sum({wrong})}} of {{{of}}} wrong")'
