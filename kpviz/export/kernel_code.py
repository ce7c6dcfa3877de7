"""The kernel of some settings as Python: the same operations in the same order, so that the same bits come out.

Legend: U and V are matrices of examples, u and v their rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import indent
from typing import Any

from kpviz.engine.kernels import KERNELS
from kpviz.settings import Settings

_SQUARES = 'np.einsum("ij,ij->i", U, U)'
_ONES = "np.ones(len(U))"
_SQUARED_DISTANCE = "((U[:, None] - V) ** 2).sum(axis=2)"
_DISTANCE = "np.abs(U[:, None] - V).sum(axis=2)"


@dataclass(frozen=True)
class _Form:
    """A kernel as expressions with its parameters in braces.

    `matrix` is k(u, v) of all rows of U and V, `diagonal` k(u, u) of U's; `formula` and `remark` are for readers.
    """

    formula: str
    matrix: str
    diagonal: str
    imports: tuple[str, ...] = ()
    remark: str = ""


NUMPY: dict[str, _Form] = {
    "linear": _Form("u·v", "U @ V.T", _SQUARES),
    "polynomial": _Form(
        "(u·v + {coef0})^{degree}", "(U @ V.T + {coef0}) ** {degree}", f"({_SQUARES} + {{coef0}}) ** {{degree}}"
    ),
    "monomial": _Form("(u·v)^{degree}", "(U @ V.T) ** {degree}", f"{_SQUARES} ** {{degree}}"),
    "gaussian": _Form("exp(-|u - v|² / (2 {sigma}²))", f"np.exp(-0.5 / {{sigma}}**2 * {_SQUARED_DISTANCE})", _ONES),
    "laplacian": _Form("exp(-|u - v|₁ / {sigma})", f"np.exp(-{_DISTANCE} / {{sigma}})", _ONES),
    "sigmoid": _Form(
        "tanh({gamma} u·v + {coef0})",
        "np.tanh({gamma} * (U @ V.T) + {coef0})",
        f"np.tanh({{gamma}} * {_SQUARES} + {{coef0}})",
    ),
    "subsets": _Form("Π (1 + u_i v_i)", "np.prod(1 + U[:, None] * V, axis=2)", "np.prod(1 + U**2, axis=1)"),
}

# scikit-learn's own function where it rounds alike. Its rbf_kernel expands the square and its laplacian_kernel
# multiplies by 1 / sigma: either would break exact ties, and so make other mistakes.
SKLEARN: dict[str, _Form] = {
    **NUMPY,
    "linear": _Form("u·v", "linear_kernel(U, V)", _SQUARES, ("linear_kernel",)),
    "polynomial": _Form(
        NUMPY["polynomial"].formula,
        "polynomial_kernel(U, V, degree={degree}, gamma=1, coef0={coef0})",
        NUMPY["polynomial"].diagonal,
        ("polynomial_kernel",),
    ),
    "monomial": _Form(
        NUMPY["monomial"].formula,
        "polynomial_kernel(U, V, degree={degree}, gamma=1, coef0=0)",
        NUMPY["monomial"].diagonal,
        ("polynomial_kernel",),
    ),
    "gaussian": _Form(
        "exp(-{gamma} |u - v|²)",
        f"np.exp(-{{gamma}} * {_SQUARED_DISTANCE})",
        _ONES,
        remark="rbf_kernel rounds otherwise, which would break exact ties",
    ),
    "laplacian": _Form(
        NUMPY["laplacian"].formula,
        NUMPY["laplacian"].matrix,
        _ONES,
        remark="laplacian_kernel, with gamma = 1 / sigma, rounds otherwise, which would break exact ties",
    ),
    "sigmoid": _Form(
        NUMPY["sigmoid"].formula,
        "sigmoid_kernel(U, V, gamma={gamma}, coef0={coef0})",
        NUMPY["sigmoid"].diagonal,
        ("sigmoid_kernel",),
    ),
}


@dataclass(frozen=True)
class KernelCode:
    """The kernel as functions of U and V.

    `parameters` are the values that the functions read; `imports` what is imported from sklearn.metrics.pairwise.
    `formula`, `matrix` and `inverse_length` (empty unless it is normalized) are the bodies.
    """

    parameters: Mapping[str, Any]
    formula: str
    matrix: str
    inverse_length: str = ""
    imports: tuple[str, ...] = field(default=())

    def functions(self) -> str:
        """Return the functions of a script.

        >>> print(of(Settings.of(kernel="linear")).functions())
        def k(U, V):
            \"\"\"k(u, v) = u·v of all rows u and v.\"\"\"
            return U @ V.T
        """
        k = f'def k(U, V):\n    """{self.formula} of all rows u and v."""\n'
        k += indent(self.matrix, "    ")
        if not self.inverse_length:
            return k
        length = f'def inverse_length(U):\n    """{_LENGTH}"""\n' + indent(self.inverse_length, "    ")
        return f"{length}\n\n\n{k}"

    def methods(self) -> str:
        """Return the methods of an estimator, the kernel being `_kernel`."""
        k = f'def _kernel(self, U, V):\n    """{self.formula} of all rows u and v."""\n' + indent(self.matrix, "    ")
        if not self.inverse_length:
            return k
        k = k.replace("inverse_length(", "self._inverse_length(")
        length = f'def _inverse_length(self, U):\n    """{_LENGTH}"""\n' + indent(self.inverse_length, "    ")
        return f"{k}\n\n{length}"


_LENGTH = "1 / √k(u, u) for each row u of U, before k is normalized; 0 where k(u, u) is not above 0."


def of(settings: Settings, forms: Mapping[str, _Form] = NUMPY, prefix: str = "") -> KernelCode:
    """Return the kernel of the settings; `prefix` stands before its parameters where they are read."""
    suffixes = ("",) if settings.combine == "none" else ("", "2")
    parts = [forms[settings.values[f"kernel{suffix}"]] for suffix in suffixes]
    values = [_parameters(settings, suffix, forms) for suffix in suffixes]
    names = [{name: f"{prefix}{name}{suffix}" for name in own} for suffix, own in zip(suffixes, values, strict=True)]
    bare = [{name: f"{name}{suffix}" for name in own} for suffix, own in zip(suffixes, values, strict=True)]
    matrices = [part.matrix.format_map(own) for part, own in zip(parts, names, strict=True)]
    formulas = [part.formula.format_map(own) for part, own in zip(parts, bare, strict=True)]
    parameters = {f"{name}{suffix}": own[name] for suffix, own in zip(suffixes, values, strict=True) for name in own}
    imports = tuple(sorted({name for part in parts for name in part.imports}))
    sign = "*" if settings.combine == "product" else "+"
    lengths = _inverse_length(settings, [p.diagonal.format_map(o) for p, o in zip(parts, names, strict=True)], sign)
    matrix, formula = _combined(matrices, formulas, sign, normalized=bool(lengths))
    remarks = dict.fromkeys(f"# {part.remark}\n" for part in parts if part.remark)
    matrix = "".join(remarks) + matrix
    return KernelCode(parameters, f"k(u, v) = {formula}", matrix, lengths, imports)


def _parameters(settings: Settings, suffix: str, forms: Mapping[str, _Form]) -> dict[str, Any]:
    """Return the values of one kernel's parameters by name: gamma for sigma where the form has it."""
    name = settings.values[f"kernel{suffix}"]
    values = {own: settings.values[own + suffix] for own in KERNELS[name].ranges}
    if "{gamma}" in forms[name].matrix and "sigma" in values:
        return {"gamma": 0.5 / values["sigma"] ** 2}
    return values


def _combined(matrices: list[str], formulas: list[str], sign: str, *, normalized: bool) -> tuple[str, str]:
    """Return the body and the formula of the kernel."""
    lines, whole = _joined(matrices, sign)
    shown = "·" if sign == "*" else " + "
    formula = formulas[0] if len(formulas) == 1 else shown.join(f"[{formula}]" for formula in formulas)
    if not normalized:
        return "\n".join([*lines, f"return {whole}"]), formula
    lines += [f"plain = {whole}", "return plain * np.outer(inverse_length(U), inverse_length(V))"]
    return "\n".join(lines), f"{formula}, normalized,"


def _inverse_length(settings: Settings, diagonals: list[str], sign: str) -> str:
    """Return the body of 1 / √k(u, u), empty where nothing is normalized, or where every length is 1 anyway."""
    if settings.normalize == "off" or (set(diagonals) == {_ONES} and (len(diagonals) == 1 or sign == "*")):
        return ""
    lines, squared = _joined(diagonals, sign)
    lines += [f"squared = {squared}", "return np.where(squared > 0, 1 / np.sqrt(np.where(squared > 0, squared, 1)), 0)"]
    return "\n".join(lines)


def _joined(parts: list[str], sign: str) -> tuple[list[str], str]:
    """Return lines that name two expressions, and the sum or product of both; or no line and the only expression."""
    if len(parts) == 1:
        return [], parts[0]
    return [f"first = {parts[0]}", f"second = {parts[1]}"], f"first {sign} second"
