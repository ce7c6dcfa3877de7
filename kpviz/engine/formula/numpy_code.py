"""A formula as Python that needs numpy and nothing else.

Legend: X is (n, d), Z (m, d). u is written X[:, None], of shape (n, 1, d), and v is Z: numbers of u become columns
(n, 1), numbers of v rows (m,), and both together matrices (n, m).
"""

from __future__ import annotations

import math

from kpviz.engine.formula.nodes import Binary, Call, Component, Negative, Node, Number, Vector
from kpviz.engine.formula.words import ELEMENTWISE, NAMED, PAIRWISE

_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(1, 6)
_STRENGTH = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "**": _POWER}
_FUNCTIONS = {"min": "minimum", "max": "maximum"}
_NAMED = {
    "linear": ("X @ Z.T", _PRODUCT),
    "polynomial": ("(X @ Z.T + {1}) ** {0}", _POWER),
    "monomial": ("(X @ Z.T) ** {0}", _POWER),
    "gaussian": ("np.exp(-((X[:, None] - Z) ** 2).sum(-1) / (2 * {0}**2))", _ATOM),
    "laplacian": ("np.exp(-np.abs(X[:, None] - Z).sum(-1) / {0})", _ATOM),
    "sigmoid": ("np.tanh({0} * (X @ Z.T) + {1})", _ATOM),
    "subsets": ("np.prod(1 + X[:, None] * Z, axis=-1)", _ATOM),
}
_NORMALIZED = '''def normalized(k, X, Z):
    """k(u, v) / sqrt(k(u, u) k(v, v)), 0 where k(u, u) or k(v, v) is not above 0."""

    def inverse_length(A):
        squared = np.array([np.squeeze(k(a[None], a[None])) for a in A])
        return np.where(squared > 0, 1 / np.sqrt(np.where(squared > 0, squared, 1)), 0)

    return k(X, Z) * np.outer(inverse_length(X), inverse_length(Z))


'''


def python_of(node: Node, name: str = "k") -> str:
    '''Return a function of X and Z as text, for a script that imports numpy as np.

    >>> from kpviz.engine.formula.parser import parse
    >>> print(python_of(parse("exp(-norm(u-v)**2/2)")))
    def k(X, Z):
        """k(u, v) = exp(-norm(u - v)**2/2) for all rows u of X and v of Z."""
        return np.exp(-((X[:, None] - Z) ** 2).sum(-1) / 2)
    '''
    helper = _NORMALIZED if any(isinstance(part, Call) and part.name == "normalized" for part in node.walk()) else ""
    whole = _written(node)[0]
    if len(node.sides) < 2:
        whole = f"np.full((len(X), len(Z)), {whole if node.sides else _value(node.constant or 0.0)})"
    said = f'"""{name}(u, v) = {node} for all rows u of X and v of Z."""'
    return f"{helper}def {name}(X, Z):\n    {said}\n    return {whole}"


def expression_of(node: Node) -> str:
    """Return the expression alone.

    >>> from kpviz.engine.formula.parser import parse
    >>> expression_of(parse("tanh(dot(u, v) - 1)"))
    'np.tanh(X @ Z.T - 1)'
    """
    return _written(node)[0]


def _written(node: Node) -> tuple[str, int]:
    """Return Python and how tightly it holds together."""
    if isinstance(node, Number):
        return _value(node.value), _ATOM
    if isinstance(node, Vector):
        return ("X[:, None]" if node.name == "u" else "Z"), _ATOM
    if isinstance(node, Component):
        return (f"X[:, [{node.index - 1}]]" if node.name == "u" else f"Z[:, {node.index - 1}]"), _ATOM
    if isinstance(node, Negative):
        return f"-{_within(node.of, _POWER)}", _SIGN
    if isinstance(node, Binary):
        return _binary(node), _STRENGTH[node.sign]
    assert isinstance(node, Call)
    return _call(node)


def _within(node: Node, least: int, *, beside: Node | None = None) -> str:
    """Return it in parentheses if it is too loose; a number `beside` a vector is made to fit its components."""
    text, strength = _written(node)
    if beside is not None and beside.kind == "vector" and node.kind == "number" and node.sides:
        return f"{text if strength == _ATOM else f'({text})'}[..., None]"
    return text if strength >= least else f"({text})"


def _binary(node: Binary) -> str:
    strength = _STRENGTH[node.sign]
    if node.sign == "**":
        squared = isinstance(node.left, Call) and node.left.name == "norm" and node.right == Number(2.0)
        if squared and isinstance(node.left, Call):
            return _squares(node.left)
        return f"{_within(node.left, _ATOM)} ** {_within(node.right, _ATOM)}"
    left = _within(node.left, strength, beside=node.right)
    right = _within(node.right, _POWER if isinstance(node.right, Negative) else strength + 1, beside=node.left)
    return f"{left} {node.sign} {right}"


def _call(node: Call) -> tuple[str, int]:
    name, arguments = node.name, node.arguments
    if name in NAMED:
        text, strength = _NAMED[name]
        values = [argument.constant or 0.0 for argument in arguments]
        if name in ("polynomial", "monomial"):
            values[0] = int(values[0])
        return text.format(*(f"({value!r})" if value < 0 else f"{value!r}" for value in values)), strength
    if name in ELEMENTWISE or name in PAIRWISE:
        return f"np.{_FUNCTIONS.get(name, name)}({', '.join(_written(part)[0] for part in arguments)})", _ATOM
    if name == "normalized":
        whole = node.arguments[0]
        if whole.constant is not None:
            return _value(node.constant or 0.0), _ATOM
        return f"normalized(lambda X, Z: {_written(whole)[0]}, X, Z)", _ATOM
    if name == "dot" and all(isinstance(part, Vector) for part in arguments) and len(node.sides) == 2:
        return "X @ Z.T", _PRODUCT
    if name == "dot":
        return f"({' * '.join(_within(part, _POWER) for part in arguments)}).sum(-1)", _ATOM
    if name == "equal":
        return f"({' == '.join(_within(part, _SUM) for part in arguments)}).sum(-1)", _ATOM
    if name == "norm":
        return f"np.sqrt({_squares(node)})", _ATOM
    inner = f"np.abs({_written(arguments[0])[0]})" if name == "norm1" else _within(arguments[0], _ATOM)
    return f"{inner}.sum(-1)", _ATOM


def _squares(norm: Call) -> str:
    return f"({_within(norm.arguments[0], _ATOM)} ** 2).sum(-1)"


def _value(value: float) -> str:
    """Return a number as Python."""
    if value == math.pi:
        return "np.pi"
    return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(float(value))
