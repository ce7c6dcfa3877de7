"""Formulas in sixty digits, which share no code with kpviz: what a formula is worth with no rounding that matters."""

import re
from decimal import Context, Decimal, localcontext

import numpy as np

_DIGITS, _MORE = (Context(prec=digits, Emax=10**6, Emin=-(10**6)) for digits in (60, 90))
_SURE = 10**6  # times what thirty more digits change
_NUMBER = re.compile(r"(?<![\w.])(\d+\.?\d*(?:e[+-]?\d+)?)")
_LEAST = Decimal("1e-60")  # of what is added up
_OF_BOTH = re.compile(r"\b(gaussian|laplacian|linear|monomial|polynomial|sigmoid|subsets|normalized)\(")
_TYPED = {"²": "**2", "³": "**3", "^": "**", "−": "-", "×": "*", "·": "@", "π": "pi", "√": "sqrt"}
_NORMALIZED = "normalized(u, v, lambda u, v: "
_PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")


class Number(Decimal):
    """A number of a formula; as an exponent of 0 it makes a power of 0 one, which Decimal refuses."""

    def __rpow__(self, base):
        return Decimal(1) if not self else base.__pow__(Decimal(self))

    def __pow__(self, exponent):
        return Decimal(1) if not exponent else Decimal(self) ** Decimal(exponent)


class Row(tuple):
    """A vector of decimals."""

    def __getitem__(self, index):
        return tuple.__getitem__(self, int(index) - 1)

    def __neg__(self):
        return Row(-x for x in self)

    def _with(self, other, operation):
        others = other if isinstance(other, Row) else [other] * len(self)
        return Row(operation(x, y) for x, y in zip(self, others, strict=True))

    def __add__(self, other):
        return self._with(other, lambda x, y: x + y)

    def __sub__(self, other):
        return self._with(other, lambda x, y: x - y)

    def __mul__(self, other):
        return self._with(other, lambda x, y: x * y)

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self._with(other, lambda x, y: x / y)

    def __matmul__(self, other):
        return dot(self, other)

    def __abs__(self):
        return Row(map(abs, self))

    def exp(self):
        return Row(x.exp() for x in self)

    def ln(self):
        return Row(x.ln() for x in self)

    def sqrt(self):
        return Row(x.sqrt() for x in self)

    def __pow__(self, other):
        return self._with(other, lambda x, y: x**y)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def by_component(function):
    """The function, of vectors, too."""

    def applied(*operands):
        if isinstance(operands[0], Row):
            return Row(function(*each) for each in zip(*operands, strict=True))
        return function(*operands)

    return applied


@by_component
def tanh(x):
    return 1 - 2 / ((2 * x).exp() + 1) if abs(x) < 1000 else Decimal(1).copy_sign(x)  # to sixty digits


def series(x, first):
    """The sum of x^j/j! with signs that take turns, over every second j from the first."""
    x = x % (2 * _PI)
    term = total = x**first if first else Decimal(1)
    for j in range(first + 2, 120, 2):
        term = -term * x * x / (j * (j - 1))
        total += term
    return total


def subsets(u, v):
    product = Decimal(1)
    for a, b in zip(u, v, strict=True):
        product *= 1 + a * b
    return product


def normalized(u, v, k):
    lengths = k(u, u), k(v, v)
    return k(u, v) / (lengths[0] * lengths[1]).sqrt() if min(lengths) > 0 else Decimal(0)


NAMES = {
    "__builtins__": {},
    "pi": _PI,
    "D": Number,
    "dot": dot,
    "norm": lambda a: dot(a, a).sqrt(),
    "norm1": lambda a: sum(map(abs, a)),
    "sum": sum,
    "equal": lambda a, b: Decimal(sum(x == y for x, y in zip(a, b, strict=True))),
    "abs": abs,
    "exp": lambda x: x.exp(),
    "log": lambda x: x.ln(),
    "sqrt": lambda x: x.sqrt(),
    "cos": by_component(lambda x: series(x, 0)),
    "sin": by_component(lambda x: series(x, 1)),
    "tanh": tanh,
    "min": by_component(min),
    "max": by_component(max),
    "laplacian": lambda u, v, sigma: (-sum(map(abs, u - v)) / sigma).exp(),
    "monomial": lambda u, v, q: dot(u, v) ** q,
    "gaussian": lambda u, v, sigma: (-dot(u - v, u - v) / (2 * sigma**2)).exp(),
    "linear": dot,
    "polynomial": lambda u, v, q, c: (dot(u, v) + c) ** q,
    "sigmoid": lambda u, v, a, b: tanh(a * dot(u, v) + b),
    "subsets": subsets,
    "normalized": normalized,
}


def value(text, u, v, digits=_DIGITS):
    """k(u, v) for two rows of floats; ArithmeticError where there is none."""
    for typed, python in _TYPED.items():
        text = text.replace(typed, python)
    code = _OF_BOTH.sub(r"\1(u, v, ", _NUMBER.sub(r'D("\1")', text)).replace("normalized(u, v, ", _NORMALIZED)
    with localcontext(digits):
        u, v = (Row(map(Decimal, row.tolist())) for row in (u, v))
        return eval(code, {**NAMES, "u": u, "v": v})


def refuted(text, X):
    """Whether cᵀKc < 0 on the rows of X for some c, beyond all doubt; False where k has no values."""
    try:
        grams = [np.array([[value(text, u, v, digits) for v in X] for u in X]) for digits in (_DIGITS, _MORE)]
        c = np.linalg.eigh((grams[1] + grams[1].T).astype(float) / 2)[1][:, 0].tolist()
    except (ArithmeticError, np.linalg.LinAlgError):
        return False
    with localcontext(_MORE):
        c = [Decimal(weight) for weight in c]
        few, more = (
            [a * b * k for a, row in zip(c, K, strict=True) for b, k in zip(c, row, strict=True)] for K in grams
        )
        noise = _SURE * abs(sum(few) - sum(more)) + _LEAST * sum(map(abs, more))
        return sum(more) < -noise
