"""Formulas of lessons as lines of text: what LaTeX names as characters, with what is set lower or higher in braces.

Print sets the LaTeX itself; a page, a card and the lecturer's notes show this. `model/rich.js` of the player reads it.
"""

from __future__ import annotations

import re

_SIGNS = {
    "cdot": "·", "times": "×", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "approx": "≈",
    "infty": "∞", "to": "→", "rightarrow": "→", "leftarrow": "←", "propto": "∝", "pm": "±", "cap": "∩",
    "sum": "Σ", "prod": "∏", "partial": "∂", "sqrt": "√", "in": " in ", "ldots": "…", "dots": "…", "cdots": "…",
    "lVert": "‖", "rVert": "‖", "Vert": "‖", "|": "‖", "lvert": "|", "rvert": "|", "mid": "|", "langle": "⟨",
    "rangle": "⟩", "quad": " ", "qquad": " ", ",": " ", ";": " ", ":": " ", "!": "", " ": " ", "left": "", "right": "",
    "top": "T", "prime": "′", "{": "\x01", "}": "\x02", "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ",
    "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ",
    "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "varphi": "φ", "chi": "χ",
    "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Sigma": "Σ", "Phi": "Φ",
    "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip
_LOW = dict(zip("0123456789+-−=()ijkt", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ᵢⱼₖₜ", strict=True))
_HIGH = dict(zip("0123456789+-−=()niT", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱᵀ", strict=True))
_COMMAND = re.compile(r"\\([A-Za-z]+|.)")
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_SCRIPT = re.compile(r"([_^])(?:\{([^{}]*)\}|(\S))")
_NO_BREAK = "\u00a0"


def shown(latex: str) -> str:
    r"""Return a formula as a line of text: what no character can set lower or higher stands in braces after _ or ^.

    >>> print(shown(r"f(x) = \sum_i \alpha_i y_i k(x_i, x)"), "|", shown("S_T = S_W + S_B"), "|", shown("(u·v + c)^q"))
    f(x) = Σᵢ αᵢ yᵢ k(xᵢ, x) | S_{T} = S_{W} + S_{B} | (u·v + c)^{q}
    """
    text = _FRACTION.sub(r"(\1)/(\2)", latex)
    text = _COMMAND.sub(_sign, text)
    text = _SCRIPT.sub(_script, text)
    kept = re.split(r"([_^]\{[^{}]*\})", text)
    kept[::2] = (part.replace("{", "").replace("}", "") for part in kept[::2])
    return re.sub(" {2,}", " ", "".join(kept)).replace("\x01", "{").replace("\x02", "}")


def _sign(match: re.Match[str]) -> str:
    name = match[1]
    return _SIGNS.get(name, f"{name} " if name in ("log", "exp", "min", "max", "sin", "cos") else "")


def _script(match: re.Match[str]) -> str:
    sign, text = match[1], (match[2] or match[3] or "").strip()
    known = _LOW if sign == "_" else _HIGH
    if all(char in known for char in text):
        return "".join(known[char] for char in text)
    return f"{sign}{{{text.replace(' ', _NO_BREAK)}}}"
