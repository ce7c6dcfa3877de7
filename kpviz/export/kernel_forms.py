"""The kernels of vectors as Python, each with its parameters in braces.

Legend: U and V are matrices of examples, u and v their rows.
"""

from __future__ import annotations

from dataclasses import dataclass

_SQUARES = 'np.einsum("ij,ij->i", U, U)'
ONES = "np.ones(len(U))"
_SQUARED_DISTANCE = "((U[:, None] - V) ** 2).sum(axis=2)"
_DISTANCE = "np.abs(U[:, None] - V).sum(axis=2)"


@dataclass(frozen=True)
class Form:
    """A kernel as expressions with its parameters in braces.

    `matrix` is k(u, v) of all examples of U and V, `diagonal` k(u, u) of U's; `formula` and `remark` are for readers.
    `before` and `before_diagonal` are a line that is needed first, if any. `imports` are names from
    sklearn.metrics.pairwise, `modules` lines that import from elsewhere, `helpers` functions and values that are read.
    """

    formula: str
    matrix: str
    diagonal: str
    imports: tuple[str, ...] = ()
    remark: str = ""
    before: str = ""
    before_diagonal: str = ""
    modules: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()


NUMPY: dict[str, Form] = {
    "linear": Form("u·v", "U @ V.T", _SQUARES),
    "polynomial": Form(
        "(u·v + {coef0})^{degree}", "(U @ V.T + {coef0}) ** {degree}", f"({_SQUARES} + {{coef0}}) ** {{degree}}"
    ),
    "monomial": Form("(u·v)^{degree}", "(U @ V.T) ** {degree}", f"{_SQUARES} ** {{degree}}"),
    "gaussian": Form("exp(-|u - v|² / (2 {sigma}²))", f"np.exp(-0.5 / {{sigma}}**2 * {_SQUARED_DISTANCE})", ONES),
    "laplacian": Form("exp(-|u - v|₁ / {sigma})", f"np.exp(-{_DISTANCE} / {{sigma}})", ONES),
    "sigmoid": Form(
        "tanh({gamma} u·v + {coef0})",
        "np.tanh({gamma} * (U @ V.T) + {coef0})",
        f"np.tanh({{gamma}} * {_SQUARES} + {{coef0}})",
    ),
    "subsets": Form("Π (1 + u_i v_i)", "np.prod(1 + U[:, None] * V, axis=2)", "np.prod(1 + U**2, axis=1)"),
}

# scikit-learn's own function where it rounds alike. Its rbf_kernel expands the square and its laplacian_kernel
# multiplies by 1 / sigma: either would break exact ties, and so make other mistakes.
SKLEARN: dict[str, Form] = {
    **NUMPY,
    "linear": Form("u·v", "linear_kernel(U, V)", _SQUARES, ("linear_kernel",)),
    "polynomial": Form(
        NUMPY["polynomial"].formula,
        "polynomial_kernel(U, V, degree={degree}, gamma=1, coef0={coef0})",
        NUMPY["polynomial"].diagonal,
        ("polynomial_kernel",),
    ),
    "monomial": Form(
        NUMPY["monomial"].formula,
        "polynomial_kernel(U, V, degree={degree}, gamma=1, coef0=0)",
        NUMPY["monomial"].diagonal,
        ("polynomial_kernel",),
    ),
    "gaussian": Form(
        "exp(-{gamma} |u - v|²)",
        f"np.exp(-{{gamma}} * {_SQUARED_DISTANCE})",
        ONES,
        remark="rbf_kernel rounds otherwise, which would break exact ties",
    ),
    "laplacian": Form(
        NUMPY["laplacian"].formula,
        NUMPY["laplacian"].matrix,
        ONES,
        remark="laplacian_kernel, with gamma = 1 / sigma, rounds otherwise, which would break exact ties",
    ),
    "sigmoid": Form(
        NUMPY["sigmoid"].formula,
        "sigmoid_kernel(U, V, gamma={gamma}, coef0={coef0})",
        NUMPY["sigmoid"].diagonal,
        ("sigmoid_kernel",),
    ),
}

NEGATED = Form(
    "Π (1 + u_i v_i)(1 + (1 - u_i)(1 - v_i))",
    "np.prod((1 + U[:, None] * V) * (1 + (1 - U[:, None]) * (1 - V)), axis=2)",
    "np.prod(1 + U**2, axis=1) * np.prod(1 + (1 - U) ** 2, axis=1)",
)
