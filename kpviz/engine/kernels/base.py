"""The base class of kernels.

Notation: u is a row of X, v a row of Z, u·v their inner product, n_X and n_Z the numbers of rows.
"""

from __future__ import annotations

import unicodedata
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray, Range
from kpviz.engine.kernels.features import FeatureMap
from kpviz.engine.kernels.form import Form

if TYPE_CHECKING:
    from kpviz.engine.kernels.combined import Normalized
    from kpviz.engine.kernels.formula.nodes import Node


class Kernel:
    """The base of all kernels; a subclass must define `written` or `evaluate`, and nothing else.

    `+` and `*` combine kernels with one another and with numbers, and `**` multiplies one by itself.

    Attributes
    ----------
    psd : whether it is positive semidefinite for all data: "yes", "no" (some data refute it) or "unknown".
    proof : a rule and a sentence on why it is: without them, or a `psd` of its own, a kernel is "unknown".
    written : k in the language of formulas, with its parameters in braces, from which come its values, its LaTeX and
        its Python; "" where it cannot be written so. formula : LaTeX of a kernel that is not written.
    isotropic : whether it fades with ‖u - v‖, by a width sigma. hill : whether k(x, ·) is largest at x
        and falls all around it, towards 0, as words say then. at_most_1 : whether k(u, u) <= 1 for all
        data. strict : whether the Gram matrix of any distinct examples is positive definite, so that any labels of
        them can be separated, and its feature space has infinitely many dimensions.
    factors_by_component : where k is a product over the components: its factors for one of them, with {u} and {v}
        for the two numbers.
    compares : what its examples are: "vectors", rows of a matrix, or "texts", "trees" or "graphs", each of which is
        written as a text, so that n of them are an array of shape (n,).
    """

    name: ClassVar[str] = ""
    formula: ClassVar[str] = ""
    ranges: ClassVar[dict[str, Range]] = {}
    isotropic: ClassVar[bool] = False
    hill: ClassVar[bool] = False
    at_most_1: ClassVar[bool] = False
    compares: ClassVar[str] = "vectors"
    strict: ClassVar[bool] = False
    written: ClassVar[str] = ""
    factors_by_component: tuple[str, ...] = ()
    proof: ClassVar[tuple[str, str]] = ("", "")
    psd: str = "unknown"
    __array_ufunc__: ClassVar[None] = None  # so that numpy leaves np.float64(2) * kernel to the kernel

    def __init_subclass__(cls) -> None:
        """Give it the name of the class, and that as its formula, unless it has its own; what is proven is so."""
        if "proof" in vars(cls) and cls.psd == "unknown":
            cls.psd = "yes"
        base = next(kind for kind in cls.__mro__[1:] if issubclass(kind, Kernel))
        if "name" not in vars(cls) and base.name in ("", base.__name__):
            cls.name = cls.__name__
        if "formula" not in vars(cls) and base.formula in ("", rf"\text{{{base.name}}}(u, v)"):
            cls.formula = rf"\text{{{cls.name}}}(u, v)"

    def __repr__(self) -> str:
        """Its class and what it holds; dataclasses write their own."""
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"

    def __call__(self, X: ArrayLike, Z: ArrayLike) -> FloatArray:
        """Return the (n_X, n_Z) matrix of k(u, v).

        ValueError unless X and Z have the same columns, and every k(u, v) is a finite number.
        """
        X = self.examples("X", X)
        Z = self.examples("Z", Z, like=X)
        with np.errstate(over="ignore", invalid="ignore"):
            return finite_values(self.evaluate(X, Z))

    def examples(self, name: str, value: ArrayLike, like: NDArray[Any] | None = None) -> NDArray[Any]:
        """Return `value` as examples that the kernel can compare, those in `like` among them; ValueError if not.

        A finite float64 matrix (n, n_features), for kernels of vectors; other kernels have their own.
        """
        return checks.matrix(name, value, columns=None if like is None else like.shape[1])

    def fitted(self, X: NDArray[Any]) -> Kernel:
        """Return the kernel fitted to these training examples; most kernels return themselves."""
        return self

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        """Return the same for matrices that are already checked."""
        from kpviz.engine.kernels.formula import evaluate

        if not self.written:
            raise checks.lacks(self, "evaluate(X, Z)", "returns the matrix of k(u, v)")
        return evaluate.pairs(self.tree, X, Z)

    def diag(self, X: FloatArray) -> FloatArray:
        """Return the (n_X,) values k(u, u); ValueError unless every one is a finite number."""
        from kpviz.engine.kernels.formula import evaluate

        X = self.examples("X", X)
        with np.errstate(over="ignore", invalid="ignore"):
            if self.written:
                values = evaluate.pairs(self.tree, X, X, paired=True)
            else:
                values = np.array([self.evaluate(row[None], row[None])[0, 0] for row in X])
        return finite_values(values)

    def factors(self, X: FloatArray) -> FloatArray | None:
        """Return g(x) of each row, (n, r), with k(u, v) = g(u)·g(v), for kernels of a few features; None for others."""
        return None

    @property
    def feature_map(self) -> FeatureMap | None:
        """The explicit features, if they can be written out."""
        return None

    @property
    def no_feature_map(self) -> str:
        """One sentence on why there is no feature map that can be written out."""
        if self.strict:
            return f"{self.name} has no finite feature map: its feature space has infinitely many dimensions."
        if self.psd == "no":
            why = "it is not positive semidefinite, so no feature space belongs to it"
            return f"{self.name} has no feature map: {why}."
        return f"{self.name} has no feature map that kpviz can write out."

    def multiplications(self, d: int) -> int | None:
        """Return the multiplications of one k(u, v) of d features, exp and roots counted as 1; None if unknown."""
        return None

    def form(self) -> Form:
        """Return the kernel as Python."""
        from kpviz.engine.kernels.formula import printing

        if self.written:
            return printing.form(self.tree, self.written)
        kind = type(self).__name__
        return Form(
            f"{kind}(u, v)",
            "kernel(U, V)",
            "kernel.diag(U)",
            imports=(f"from {type(self).__module__} import {kind}",),
            helpers=(f"kernel = {self!r}",),
        )

    @property
    def tree(self) -> Node:
        """What is written, as a formula whose numbers know which parameter they are."""
        from kpviz.engine.kernels.formula.parser import with_parameters

        symbols = {name: _latex(limits.symbol) for name, limits in self.ranges.items()}
        return with_parameters(self.written, tuple((name, self.parameters[name], symbols[name]) for name in symbols))

    @property
    def latex(self) -> str:
        """The formula for a formula renderer."""
        from kpviz.engine.kernels.formula import printing

        return printing.latex(self.tree) if self.written else self.formula

    @property
    def parameters(self) -> dict[str, float]:
        """The values of the parameters by name."""
        return {name: getattr(self, name) for name in self.ranges}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return what the kernel is made of, by name; of a combined one with the parts' own, as "first__sigma".

        Parameters
        ----------
        deep : whether to look into the parts.
        """
        names = [part.name for part in fields(self) if part.init] if is_dataclass(self) else list[str]()
        made_of: dict[str, Any] = {name: getattr(self, name) for name in names}
        parts = {name: part for name, part in made_of.items() if deep and isinstance(part, Kernel)}
        return made_of | {f"{name}__{own}": value for name in parts for own, value in parts[name].get_params().items()}

    def with_params(self, **params: Any) -> Kernel:
        """Return the kernel with other values of the parameters that `get_params` names; this one stays as it is.

        ValueError if there is no such parameter.
        """
        made_of, inner = self.get_params(deep=False), dict[str, dict[str, Any]]()
        if not params:
            return self
        for name, value in params.items():
            part, _, own = name.partition("__")
            if part not in made_of or (own and not isinstance(made_of[part], Kernel)):
                allowed = ", ".join(sorted(self.get_params())) or "none"
                raise ValueError(f"{name!r} is not a parameter of {self!r}: it has {allowed}.")
            if own:
                inner.setdefault(part, {})[own] = value
            else:
                made_of[part] = value
        return type(self)(**made_of | {part: made_of[part].with_params(**inner[part]) for part in inner})

    def __sklearn_clone__(self) -> Kernel:
        return self  # it never changes

    @property
    def label(self) -> str:
        """Name and values, as in "Gaussian, σ = 0.5"."""
        values = [f"{self.ranges[name].symbol} = {value:g}" for name, value in self.parameters.items()]
        return ", ".join([self.name, *(value.replace("-", "−") for value in values)])

    def __add__(self, other: Kernel | float) -> Kernel:
        """The sum of two kernels is a kernel, as is k + c with c >= 0: their feature vectors are joined."""
        from kpviz.engine.kernels.combined import Sum, with_number

        return Sum(self, other) if isinstance(other, Kernel) else with_number(self, "+", other)

    def __mul__(self, other: Kernel | float) -> Kernel:
        """The product of two kernels is a kernel, as is c·k with c >= 0: all products of a feature of each."""
        from kpviz.engine.kernels.combined import Product, with_number

        return Product(self, other) if isinstance(other, Kernel) else with_number(self, "*", other)

    def __pow__(self, exponent: int) -> Kernel:
        """The product of the kernel with itself, `exponent` times."""
        from kpviz.engine.kernels.combined import with_number

        return with_number(self, "**", exponent)

    __radd__, __rmul__ = __add__, __mul__

    def normalized(self) -> Normalized:
        """Return k(u, v) / √(k(u, u) k(v, v)): every example has length 1 in the feature space."""
        from kpviz.engine.kernels.combined import Normalized

        return Normalized(self)


def finite_values(values: FloatArray) -> FloatArray:
    """Return values of a kernel if they are finite numbers, or raise a one-sentence ValueError."""
    if not np.isfinite(values).all():
        raise ValueError(
            "kernel is infinite or NaN on X or Z: every k(u, v) must be a finite number, so scale the examples down."
        )
    return values


def _latex(symbol: str) -> str:
    r"""Return a letter in LaTeX.

    >>> _latex("σ"), _latex("q")
    ('\\sigma', 'q')
    """
    return symbol if symbol.isascii() else "\\" + unicodedata.name(symbol).split()[-1].lower()
