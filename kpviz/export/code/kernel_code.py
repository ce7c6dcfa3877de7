"""The kernel of some settings as Python: the same operations in the same order, so that the same bits come out.

Legend: U and V are the examples, u and v one of each: rows of a matrix, or texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from textwrap import fill, indent
from typing import Any

from numpy.typing import NDArray

from kpviz import experiment
from kpviz.engine.kernels import Normalized, Product, Sum
from kpviz.engine.kernels.base import Kernel
from kpviz.engine.kernels.form import ONES, Form
from kpviz.settings import Settings

_WIDTH = 104


@dataclass(frozen=True)
class KernelCode:
    """The kernel as functions of U and V.

    `parameters` are the values that the functions read, `imports` lines that import. `formula`, `matrix` and
    `inverse_length` (empty unless it is normalized) are the bodies, `helpers` functions and values that these read.
    `compares` is what the examples are.
    """

    parameters: Mapping[str, Any]
    formula: str
    matrix: str
    inverse_length: str = ""
    imports: tuple[str, ...] = field(default=())
    helpers: tuple[str, ...] = field(default=())
    compares: str = "vectors"

    @property
    def one(self) -> str:
        """What an example is called."""
        return "row" if self.compares == "vectors" else self.compares.removesuffix("s")

    def functions(self) -> str:
        """Return the functions of a script.

        >>> print(of(Settings.of(kernel="linear")).functions())
        def k(U, V):
            \"\"\"k(u, v) = u·v of all rows u and v.\"\"\"
            return U @ V.T
        """
        k = f"def k(U, V):\n{indent(self._docstring, '    ')}\n{indent(self.matrix, '    ')}"
        parts = [*self.helpers, k]
        if self.inverse_length:
            length = f'def inverse_length(U):\n    """{self._length}"""\n' + indent(self.inverse_length, "    ")
            parts.insert(-1, length)
        return "\n\n\n".join(parts)

    def methods(self) -> str:
        """Return the methods of an estimator, the kernel being `_kernel`; it has the helpers beside it."""
        k = f"def _kernel(self, U, V):\n{indent(self._docstring, '    ')}\n{indent(self.matrix, '    ')}"
        if not self.inverse_length:
            return k
        k = k.replace("inverse_length(", "self._inverse_length(")
        length = f'def _inverse_length(self, U):\n    """{self._length}"""\n' + indent(self.inverse_length, "    ")
        return f"{k}\n\n{length}"

    @property
    def _docstring(self) -> str:
        """The docstring of the kernel, in lines that are not too long."""
        return fill(f'"""{self.formula} of all {self.one}s u and v."""', _WIDTH, break_long_words=False)

    @property
    def _length(self) -> str:
        return f"1 / √k(u, u) for each {self.one} u of U, before k is normalized; 0 where k(u, u) is not above 0."


def of(settings: Settings, prefix: str = "", X: NDArray[Any] | None = None) -> KernelCode:
    """Return the kernel of the settings; `prefix` stands before its parameters where they are read.

    X are the training examples, which a mixture is fitted to: without them there is no code for it.
    """
    kernel = experiment.kernel(settings)
    suffixes = ("",) if settings.combine == "none" else ("", "2")
    kernels = _made_of(kernel if X is None else kernel.fitted(X))
    forms = [each.form(suffix) for each, suffix in zip(kernels, suffixes, strict=True)]
    own = [_read(form, each) for form, each in zip(forms, kernels, strict=True)]
    names = [{name: f"{prefix}{name}{suffix}" for name in each} for each, suffix in zip(own, suffixes, strict=True)]
    bare = [{name: f"{name}{suffix}" for name in each} for each, suffix in zip(own, suffixes, strict=True)]
    matrices = [form.matrix.format_map(each) for form, each in zip(forms, names, strict=True)]
    formulas = [form.formula.format_map(each) for form, each in zip(forms, bare, strict=True)]
    diagonals = [form.diagonal.format_map(each) for form, each in zip(forms, names, strict=True)]
    sign = "*" if settings.combine == "product" else "+"
    lengths = _inverse_length(settings, diagonals, [form.before_diagonal for form in forms], sign)
    matrix, formula = _combined(matrices, formulas, sign, normalized=bool(lengths))
    return KernelCode(
        {f"{name}{suffix}": each[name] for each, suffix in zip(own, suffixes, strict=True) for name in each},
        f"k(u, v) = {formula}",
        "\n".join([*_once(form.before for form in forms), matrix]),
        lengths,
        _once(line for form in forms for line in form.imports),
        _once(line for form in forms for line in form.helpers),
        kernel.compares,
    )


def _once(lines: Iterable[str]) -> tuple[str, ...]:
    """Return each line that is not empty, once."""
    return tuple(dict.fromkeys(line for line in lines if line))


def _read(form: Form, kernel: Kernel) -> dict[str, Any]:
    """Return the values of the parameters that a form reads."""
    return {name: value for name, value in kernel.parameters.items() if f"{{{name}}}" in form.matrix}


def _made_of(kernel: Kernel) -> list[Kernel]:
    """Return the one kernel, or the two, that a kernel of settings is made of."""
    if isinstance(kernel, Normalized):
        return _made_of(kernel.kernel)
    return [kernel.first, kernel.second] if isinstance(kernel, Sum | Product) else [kernel]


def _combined(matrices: list[str], formulas: list[str], sign: str, *, normalized: bool) -> tuple[str, str]:
    """Return the body and the formula of the kernel."""
    lines, whole = _joined(matrices, sign)
    shown = "·" if sign == "*" else " + "
    formula = formulas[0] if len(formulas) == 1 else shown.join(f"[{formula}]" for formula in formulas)
    if not normalized:
        return "\n".join([*lines, f"return {whole}"]), formula
    lines += [f"plain = {whole}", "return plain * np.outer(inverse_length(U), inverse_length(V))"]
    return "\n".join(lines), f"{formula}, normalized,"


def _inverse_length(settings: Settings, diagonals: list[str], before: list[str], sign: str) -> str:
    """Return the body of 1 / √k(u, u), empty where nothing is normalized, or where every length is 1 anyway."""
    if settings.normalize == "off" or (set(diagonals) == {ONES} and (len(diagonals) == 1 or sign == "*")):
        return ""
    lines, squared = _joined(diagonals, sign)
    lines += [f"squared = {squared}", "return np.where(squared > 0, 1 / np.sqrt(np.where(squared > 0, squared, 1)), 0)"]
    return "\n".join([*_once(before), *lines])


def _joined(parts: list[str], sign: str) -> tuple[list[str], str]:
    """Return lines that name two expressions, and the sum or product of both; or no line and the only expression."""
    if len(parts) == 1:
        return [], parts[0]
    return [f"first = {parts[0]}", f"second = {parts[1]}"], f"first {sign} second"
