"""Formulas in sixty digits, which share no code with kpviz: what a formula is worth with no
rounding that matters.
"""

import re
from decimal import Context, Decimal, localcontext

import numpy as np

_DIGITS, _MORE = (Context(prec=digits, Emax=10**6, Emin=-(10**6)) for digits in (60, 90))
_SURE = 10**6  # times what thirty more digits change
_NUMBER = re.compile(r"(?<![\w.\[])(\d+\.?\d*(?:e[+-]?\d+)?)")
_COMPONENT = re.compile(r"\[\s*(\d+)\s*\]")
_LEAST = Decimal("1e-60")  # of what is added up
_OF_BOTH = re.compile(
    r"\b(gaussian|laplacian|linear|monomial|polynomial|sigmoid|subsets|normalized)\("
)
_TYPED = {"²": "**2", "³": "**3", "^": "**", "−": "-", "×": "*", "·": "@", "π": "pi", "√": "sqrt"}
_NORMALIZED = "normalized(u, v, lambda u, v: "
_PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")


class Number(Decimal):
    """A number of a formula; as an exponent of 0 it makes a power of 0 one, which
    Decimal refuses.
    """

    def __rpow__(self, base):
        return Decimal(1) if not self else base.__pow__(Decimal(self))

    def __pow__(self, exponent):
        return Decimal(1) if not exponent else Decimal(self) ** Decimal(exponent)


def tanh(x):
    return (
        1 - 2 / ((2 * x).exp() + 1) if abs(x) < 1000 else Decimal(1).copy_sign(x)
    )  # to sixty digits


def series(x, first):
    """The sum of x^j/j! with signs that take turns, over every second j from the first."""
    x = x % (2 * _PI)
    term = total = x**first if first else Decimal(1)
    for j in range(first + 2, 120, 2):
        term = -term * x * x / (j * (j - 1))
        total += term
    return total


def normalized(u, v, k):
    lengths = k(u, u), k(v, v)
    return k(u, v) / (lengths[0] * lengths[1]).sqrt() if min(lengths) > 0 else Decimal(0)


def componentwise(function, operands=1):
    """The function of numbers, and of each component of vectors."""
    return np.frompyfunc(function, operands, 1)


NAMES = {
    "__builtins__": {},
    "pi": _PI,
    "D": Number,
    "dot": lambda a, b: sum(a * b),
    "norm": lambda a: sum(a * a).sqrt(),
    "norm1": lambda a: sum(abs(a)),
    "sum": sum,
    "equal": lambda a, b: Decimal(sum(x == y for x, y in zip(a, b, strict=True))),
    "abs": abs,
    "exp": componentwise(Decimal.exp),
    "log": componentwise(Decimal.ln),
    "sqrt": componentwise(Decimal.sqrt),
    "cos": componentwise(lambda x: series(x, 0)),
    "sin": componentwise(lambda x: series(x, 1)),
    "tanh": componentwise(tanh),
    "min": componentwise(min, 2),
    "max": componentwise(max, 2),
    "laplacian": lambda u, v, sigma: (-sum(abs(u - v)) / sigma).exp(),
    "monomial": lambda u, v, q: sum(u * v) ** q,
    "gaussian": lambda u, v, sigma: (-sum((u - v) * (u - v)) / (2 * sigma**2)).exp(),
    "linear": lambda u, v: sum(u * v),
    "polynomial": lambda u, v, q, c: (sum(u * v) + c) ** q,
    "sigmoid": lambda u, v, a, b: tanh(a * sum(u * v) + b),
    "subsets": lambda u, v: np.prod(1 + u * v),
    "normalized": normalized,
}


def value(text, u, v, digits=_DIGITS):
    """k(u, v) for two rows of floats; ArithmeticError where there is none."""
    for typed, python in _TYPED.items():
        text = text.replace(typed, python)
    text = _COMPONENT.sub(lambda place: f"[{int(place[1]) - 1}]", text)
    code = _OF_BOTH.sub(r"\1(u, v, ", _NUMBER.sub(r'D("\1")', text)).replace(
        "normalized(u, v, ", _NORMALIZED
    )
    with localcontext(digits):
        u, v = (np.array([*map(Decimal, row.tolist())], dtype=object) for row in (u, v))
        return eval(code, {**NAMES, "u": u, "v": v})


def refuted(text, X):
    """Whether cᵀKc < 0 on the rows of X for some c, beyond all doubt; False where k has
    no values.
    """
    try:
        grams = [
            np.array([[value(text, u, v, digits) for v in X] for u in X])
            for digits in (_DIGITS, _MORE)
        ]
        c = np.linalg.eigh((grams[1] + grams[1].T).astype(float) / 2)[1][:, 0].tolist()
    except (ArithmeticError, np.linalg.LinAlgError):
        return False
    with localcontext(_MORE):
        c = np.array([*map(Decimal, c)], dtype=object)
        few, more = (np.outer(c, c) * K for K in grams)
        noise = _SURE * abs(few.sum() - more.sum()) + _LEAST * abs(more).sum()
        return more.sum() < -noise
