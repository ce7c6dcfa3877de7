"""The base class of kernels, and the kernels that operators make of kernels: sums, products,
multiples, powers.

Kernels with a name are in `vectors.py`, `generative.py` and `objects/`. How a combined one is
written as one formula is in `trees.py`, what the app calls a kernel in `settings/kernel_words.py`.

Notation: u is a row of X, v a row of Z, u·v their inner product, n_X and n_Z the numbers of rows.

Tests: tests/engine/test_kernels.py, tests/engine/test_with_number.py.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from numbers import Number
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray, Range
from kpviz.engine.kernels.expression import evaluate, printing
from kpviz.engine.kernels.expression.nodes import Node
from kpviz.engine.kernels.expression.parser import with_parameters
from kpviz.engine.kernels.feature_maps import Crossed, FeatureMap, Joined
from kpviz.engine.kernels.form import Form
from kpviz.engine.syntax import MAX_NUMBER

_A_KERNEL = "a kernel object such as Gaussian(sigma=0.5)"
_MOST_POWER = 100


class Kernel:
    """The base of all kernels; a subclass must define `written` or `evaluate`, and nothing else.

    `+` and `*` combine kernels with one another and with numbers, and `**` multiplies one by
    itself.

    Attributes
    ----------
    psd : whether it is positive semidefinite for all data: "yes", "no" (some data refute it) or
        "unknown".
    proof : a rule and a sentence on why it is: without them, or a `psd` of its own, a kernel is
        "unknown".
    written : k in the language of formulas, with its parameters in braces and without names of
        kernels, from which come its values, its LaTeX and its Python; "" where it cannot be written
        so. formula : LaTeX of a kernel that is not written.
    isotropic : whether it fades with ‖u - v‖, by a width sigma. hill : whether k(x, ·) is largest
        at x and falls all around it, towards 0, as words say then. at_most_1 : whether k(u, u) <= 1
        for all data. strict : whether the Gram matrix of any distinct examples is positive
        definite, so that any labels of them can be separated, and its feature space has infinitely
        many dimensions.
    factors_by_component : where k is a product over the components: its factors for one of them,
        with {u} and {v} for the two numbers.
    compares : what its examples are: "vectors", rows of a matrix, or "texts", "trees" or "graphs",
        each of which is written as a text, so that n of them are an array of shape (n,).
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
    # This lets numpy leave np.float64(2) * kernel to the kernel.
    __array_ufunc__: ClassVar[None] = None

    def __init_subclass__(cls) -> None:
        """Give it the name of the class, and that as its formula, unless it has its own; what is
        proven is so.
        """
        if "proof" in vars(cls) and cls.psd == "unknown":
            cls.psd = "yes"
        base = next(kind for kind in cls.__mro__[1:] if issubclass(kind, Kernel))
        if "name" not in vars(cls) and base.name in ("", base.__name__):
            cls.name = cls.__name__
        if "formula" not in vars(cls) and base.formula in ("", rf"\text{{{base.name}}}(u, v)"):
            cls.formula = rf"\text{{{cls.name}}}(u, v)"

    def __repr__(self) -> str:
        """Its class and what it holds; dataclasses write their own."""
        values = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({values})"

    # ---- its values ----

    def __call__(self, X: ArrayLike, Z: ArrayLike) -> FloatArray:
        """Return the (n_X, n_Z) matrix of k(u, v); ValueError unless X and Z have the same columns,
        and every k(u, v) is a finite number.
        """
        X = self.examples("X", X)
        Z = self.examples("Z", Z, like=X)
        with np.errstate(over="ignore", invalid="ignore"):
            return finite_values(self.evaluate(X, Z))

    def diag(self, X: FloatArray) -> FloatArray:
        """Return the (n_X,) values k(u, u); ValueError unless every one is a finite number."""
        X = self.examples("X", X)
        with np.errstate(over="ignore", invalid="ignore"):
            if self.written:
                values = evaluate.pairs(self.tree, X, X, paired=True)
            else:
                values = np.array([self.evaluate(row[None], row[None])[0, 0] for row in X])
        return finite_values(values)

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        """Return the matrix of k(u, v) for matrices that are already checked."""
        if not self.written:
            raise checks.lacks(self, "evaluate(X, Z)", "returns the matrix of k(u, v)")
        return evaluate.pairs(self.tree, X, Z)

    def examples(
        self, name: str, value: ArrayLike, like: NDArray[Any] | None = None
    ) -> NDArray[Any]:
        """Return `value` as examples that the kernel can compare, those in `like` among them;
        ValueError if not.

        A finite float64 matrix (n, n_features), for kernels of vectors; other kernels have their
        own.
        """
        return checks.matrix(name, value, columns=None if like is None else like.shape[1])

    def fitted(self, X: NDArray[Any]) -> Kernel:
        """Return the kernel fitted to these training examples; most kernels return themselves."""
        return self

    def factors(self, X: FloatArray) -> FloatArray | None:
        """Return g(x) of each row, (n, r), with k(u, v) = g(u)·g(v), for kernels of a few features;
        None for others.
        """
        return None

    @property
    def feature_map(self) -> FeatureMap | None:
        """The explicit features, if they can be written out."""
        return None

    # ---- how it is written ----

    @property
    def tree(self) -> Node:
        """What is written, as a formula whose numbers know which parameter they are."""
        symbols = {name: _latex(limits.symbol) for name, limits in self.ranges.items()}
        return with_parameters(
            self.written, tuple((name, self.parameters[name], symbols[name]) for name in symbols)
        )

    @property
    def latex(self) -> str:
        """The formula for a formula renderer."""
        return printing.latex(self.tree) if self.written else self.formula

    def form(self) -> Form:
        """Return the kernel as Python."""
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

    # ---- what it is made of ----

    @property
    def parts(self) -> tuple[Kernel, ...]:
        """The kernels that it is made of; none of most."""
        return ()

    @property
    def parameters(self) -> dict[str, float]:
        """The values of the parameters by name."""
        return {name: getattr(self, name) for name in self.ranges}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return what the kernel is made of, by name; of a combined one with the parts' own, as
        "first__sigma".

        Parameters
        ----------
        deep : whether to look into the parts.
        """
        names = (
            [field.name for field in fields(self) if field.init]
            if is_dataclass(self)
            else list[str]()
        )
        result: dict[str, Any] = {name: getattr(self, name) for name in names}
        if not deep:
            return result
        for name in names:
            if isinstance(result[name], Kernel):
                inner = result[name].get_params()
                result |= {f"{name}__{inner_name}": value for inner_name, value in inner.items()}
        return result

    def with_params(self, **params: Any) -> Kernel:
        """Return the kernel with other values of the parameters that `get_params` names; this one
        stays as it is; ValueError if there is no such parameter.
        """
        if not params:
            return self
        values = self.get_params(deep=False)
        values_within = dict[str, dict[str, Any]]()
        for name, value in params.items():
            part, _, name_within = name.partition("__")
            if part not in values or (name_within and not isinstance(values[part], Kernel)):
                allowed = ", ".join(sorted(self.get_params())) or "none"
                raise ValueError(f"{name!r} is not a parameter of {self!r}: it has {allowed}.")
            if name_within:
                values_within.setdefault(part, {})[name_within] = value
            else:
                values[part] = value
        for part, inner in values_within.items():
            values[part] = values[part].with_params(**inner)
        return type(self)(**values)

    def __sklearn_clone__(self) -> Kernel:
        return self  # A kernel never changes.

    # ---- what operators make of it ----

    def __add__(self, other: Kernel | float) -> Kernel:
        """The sum of two kernels is a kernel, as is k + c with c >= 0: their feature vectors are
        joined.
        """
        return Sum(self, other) if isinstance(other, Kernel) else Shifted(self, _number("+", other))

    def __mul__(self, other: Kernel | float) -> Kernel:
        """The product of two kernels is a kernel, as is c·k with c >= 0: all products of a feature
        of each.
        """
        return (
            Product(self, other) if isinstance(other, Kernel) else Scaled(self, _number("*", other))
        )

    def __pow__(self, exponent: int) -> Kernel:
        """The product of the kernel with itself, `exponent` times."""
        return Power(self, _number("**", exponent))

    __radd__ = __add__
    __rmul__ = __mul__

    def normalized(self) -> Normalized:
        """Return k(u, v) / √(k(u, u) k(v, v)): every example has length 1 in the feature space."""
        return Normalized(self)


def finite_values(values: FloatArray) -> FloatArray:
    """Return values of a kernel if they are finite numbers, or raise a one-sentence ValueError."""
    if not np.isfinite(values).all():
        raise ValueError(
            "kernel is infinite or NaN on X or Z: every k(u, v) must be a finite number, so scale "
            "the examples down."
        )
    return values


def simple_kernels(kernel: Kernel) -> Iterator[Kernel]:
    """Yield the kernels within a kernel that are made of no others, from left to right; itself if
    it is one of these.

    >>> from kpviz.engine.kernels import Gaussian, Linear
    >>> list(simple_kernels((2 * Gaussian(0.5) + Linear()).normalized()))
    [Gaussian(sigma=0.5), Linear()]
    """
    if not kernel.parts:
        yield kernel
    for part in kernel.parts:
        yield from simple_kernels(part)


def _latex(symbol: str) -> str:
    r"""Return a letter in LaTeX.

    >>> _latex("σ"), _latex("q")
    ('\\sigma', 'q')
    """
    return symbol if symbol.isascii() else "\\" + unicodedata.name(symbol).split()[-1].lower()


def _number(operator: str, value: Any) -> Any:
    """Return what stands beside a kernel and an operator, if it is a number."""
    if isinstance(value, bool) or not isinstance(value, Number):
        value_text = checks.text_of(value)
        raise TypeError(
            f"other={value_text} is not possible: a kernel and {operator} take a kernel "
            "or a number."
        )
    return value


# ---- two kernels ----


@dataclass(frozen=True)
class _Pair(Kernel):
    """Two kernels combined: again a kernel; where a part is not one, nothing is proven."""

    first: Kernel
    second: Kernel
    operation: ClassVar[np.ufunc]
    joint: ClassVar[type[Joined | Crossed]]

    @property
    def psd(self) -> str:  # type: ignore[override]
        return "yes" if self.first.psd == self.second.psd == "yes" else "unknown"

    @property
    def compares(self) -> str:  # type: ignore[override]
        return self.first.compares

    @property
    def parts(self) -> tuple[Kernel, ...]:
        return self.first, self.second

    def __post_init__(self) -> None:
        checks.instance("first", self.first, Kernel, _A_KERNEL)
        checks.instance("second", self.second, Kernel, _A_KERNEL)
        if self.first.compares != self.second.compares:
            raise ValueError(
                f"{self.first.name} compares {self.first.compares} and {self.second.name} "
                f"{self.second.compares}: "
                "both kernels must compare the same."
            )

    def examples(
        self, name: str, value: ArrayLike, like: NDArray[Any] | None = None
    ) -> NDArray[Any]:
        return self.first.examples(name, value, like)

    def fitted(self, X: NDArray[Any]) -> Kernel:
        return replace(self, first=self.first.fitted(X), second=self.second.fitted(X))

    @property
    def feature_map(self) -> FeatureMap | None:
        first = self.first.feature_map
        second = self.second.feature_map
        return self.joint(first, second) if first and second else None

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        return np.asarray(self.operation(self.first.evaluate(X, Z), self.second.evaluate(X, Z)))

    def diag(self, X: FloatArray) -> FloatArray:
        with np.errstate(over="ignore", invalid="ignore"):
            return finite_values(
                np.asarray(self.operation(self.first.diag(X), self.second.diag(X)))
            )


@dataclass(frozen=True)
class Sum(_Pair):
    """first + second.

    Parameters
    ----------
    first : a kernel.
    second : a kernel of examples of the same kind.
    """

    name: ClassVar[str] = "Sum"
    operation: ClassVar[np.ufunc] = np.add
    joint: ClassVar[type[Joined | Crossed]] = Joined
    proof: ClassVar[tuple[str, str]] = ("sum", "the feature vectors are joined.")

    @property
    def latex(self) -> str:
        return f"{self.first.latex} + {self.second.latex}"


@dataclass(frozen=True)
class Product(_Pair):
    """first * second.

    Parameters
    ----------
    first : a kernel.
    second : a kernel of examples of the same kind.
    """

    name: ClassVar[str] = "Product"
    operation: ClassVar[np.ufunc] = np.multiply
    joint: ClassVar[type[Joined | Crossed]] = Crossed
    proof: ClassVar[tuple[str, str]] = ("product", "all products of a feature of each.")

    @property
    def latex(self) -> str:
        return rf"\left({self.first.latex}\right) \left({self.second.latex}\right)"


# ---- one kernel and a number ----


@dataclass(frozen=True)
class _OfOne(Kernel):
    """What is made of one kernel: it compares the same examples."""

    kernel: Kernel

    @property
    def psd(self) -> str:  # type: ignore[override]
        return "yes" if self.kernel.psd == "yes" else "unknown"

    @property
    def compares(self) -> str:  # type: ignore[override]
        return self.kernel.compares

    @property
    def parts(self) -> tuple[Kernel, ...]:
        return (self.kernel,)

    def __post_init__(self) -> None:
        checks.instance("kernel", self.kernel, Kernel, _A_KERNEL)

    def examples(
        self, name: str, value: ArrayLike, like: NDArray[Any] | None = None
    ) -> NDArray[Any]:
        return self.kernel.examples(name, value, like)

    def fitted(self, X: NDArray[Any]) -> Kernel:
        return replace(self, kernel=self.kernel.fitted(X))

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        return self._of_values(self.kernel.evaluate(X, Z))

    def diag(self, X: FloatArray) -> FloatArray:
        with np.errstate(over="ignore", invalid="ignore"):
            return finite_values(self._of_values(self.kernel.diag(X)))

    def _of_values(self, values: FloatArray) -> FloatArray:
        """Return the values of the whole for those of the kernel within."""
        raise checks.lacks(
            self, "_of_values(values)", "returns its values for those of the kernel within"
        )

    def _take_number(self, name: str, *, low: float, high: float, integer: bool = False) -> None:
        """Keep the number of this name as Python's, or raise a one-sentence ValueError."""
        value = getattr(self, name)
        if integer:
            checks.integer(name, value, low=int(low), high=int(high))
        else:
            checks.number(name, value, low=low, high=high)
        object.__setattr__(self, name, value.item() if isinstance(value, np.generic) else value)


@dataclass(frozen=True)
class Scaled(_OfOne):
    """factor · k, as `2 * kernel` returns it: every feature is multiplied by the root of the
    factor.

    Parameters
    ----------
    kernel : a kernel.
    factor : at least 0.

    Examples
    --------
    >>> from kpviz.engine.kernels import Gaussian, Linear
    >>> sorted((2 * Gaussian(0.5) + Linear()).get_params())
    ['first', 'first__factor', 'first__kernel', 'first__kernel__sigma', 'second']
    >>> (2 * Gaussian(0.5)).with_params(kernel__sigma=1.0)
    Scaled(kernel=Gaussian(sigma=1.0), factor=2)
    """

    factor: float
    name: ClassVar[str] = "Scaled"
    proof: ClassVar[tuple[str, str]] = (
        "multiple",
        "every feature is multiplied by the root of the factor.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._take_number("factor", low=0.0, high=MAX_NUMBER)

    def _of_values(self, values: FloatArray) -> FloatArray:
        return self.factor * values

    @property
    def latex(self) -> str:
        return rf"{self.factor:g}\, \left({self.kernel.latex}\right)"


@dataclass(frozen=True)
class Shifted(_OfOne):
    """k + summand, as `kernel + 1` returns it: one more feature, which is the same for all.

    Parameters
    ----------
    kernel : a kernel.
    summand : at least 0.
    """

    summand: float
    name: ClassVar[str] = "Shifted"
    proof: ClassVar[tuple[str, str]] = ("sum", "one more feature, which is the same for all.")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._take_number("summand", low=0.0, high=MAX_NUMBER)

    def _of_values(self, values: FloatArray) -> FloatArray:
        return values + self.summand

    @property
    def latex(self) -> str:
        return f"{self.kernel.latex} + {self.summand:g}"


@dataclass(frozen=True)
class Power(_OfOne):
    """k to the power of an integer, as `kernel ** 2` returns it: all products of so many features.

    Parameters
    ----------
    kernel : a kernel.
    power : an integer, 1 to 100.
    """

    power: int
    name: ClassVar[str] = "Power"
    proof: ClassVar[tuple[str, str]] = (
        "power by a whole number",
        "a product of the kernel with itself.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._take_number("power", low=1, high=_MOST_POWER, integer=True)

    def _of_values(self, values: FloatArray) -> FloatArray:
        return np.asarray(values**self.power)

    @property
    def latex(self) -> str:
        return rf"\left({self.kernel.latex}\right)^{{{self.power}}}"


@dataclass(frozen=True)
class Normalized(_OfOne):
    """k(u, v) / √(k(u, u) k(v, v)): the cosine of the angle in the feature space, so k(u, u) = 1; 0
    where k(u, u) is not above 0, as that of the linear kernel at the origin.

    Parameters
    ----------
    kernel : the one that is normalized.

    Examples
    --------
    >>> from kpviz.engine.kernels import Linear
    >>> Linear().normalized()(np.array([[3.0, 4.0]]), np.array([[1.0, 0.0]]))
    array([[0.6]])
    """

    name: ClassVar[str] = "Normalized"
    proof: ClassVar[tuple[str, str]] = (
        "normalized",
        "every feature vector is divided by its length.",
    )

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        return self.kernel.evaluate(X, Z) * np.multiply.outer(self._inverse(X), self._inverse(Z))

    def diag(self, X: FloatArray) -> FloatArray:
        return np.where(self._inverse(X) > 0.0, 1.0, 0.0)

    def normalized(self) -> Normalized:
        return self

    def factors(self, X: FloatArray) -> FloatArray | None:
        of_kernel = self.kernel.factors(X)
        return None if of_kernel is None else of_kernel * self._inverse(X)[:, None]

    def _inverse(self, X: FloatArray) -> FloatArray:
        return evaluate.inverse_root(self.kernel.diag(X))

    @property
    def latex(self) -> str:
        return (
            rf"\frac{{k_0(u, v)}}{{\sqrt{{k_0(u, u)\, k_0(v, v)}}}}, \quad k_0(u, v) = "
            rf"{self.kernel.latex}"
        )
