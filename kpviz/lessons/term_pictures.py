"""The small pictures of the terms: shapes 96 wide and 56 high, whose classes the player's style sheet colours.

`p` and `n` are the classes +1 and −1, `i` is ink, `q` quiet, `a` the accent; a line has no filling, a `wash` is faint.
"""

from __future__ import annotations


def _circle(x: float, y: float, r: float = 5.0) -> str:
    return f'<circle class="p" cx="{x:g}" cy="{y:g}" r="{r:g}"/>'


def _square(x: float, y: float, r: float = 4.5) -> str:
    return f'<rect class="n" x="{x - r:g}" y="{y - r:g}" width="{2 * r:g}" height="{2 * r:g}"/>'


def _line(path: str, kind: str = "i") -> str:
    return f'<path class="line {kind}" d="{path}"/>'


def _wash(path: str, kind: str) -> str:
    return f'<path class="wash {kind}" d="{path}"/>'


def _text(x: float, y: float, words: str, kind: str = "i") -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{words}</text>'


def _bars(heights: list[float], kind: str = "p", x: float = 12.0, step: float = 16.0) -> str:
    bars = (
        f'<rect class="{kind}" x="{x + step * k:g}" y="{48 - h:g}" width="{step - 5:g}" height="{h:g}"/>'
        for k, h in enumerate(heights)
        if h
    )
    return "".join(bars) + _GROUND


def _ring(x: float, y: float, r: float = 9.0) -> str:
    return f'<circle class="line a" cx="{x:g}" cy="{y:g}" r="{r:g}"/>'


_GROUND = _line("M4 48H92", "q")
_HILL = "M6 48C34 48 36 12 48 12S62 48 90 48"
_SMALL = "M22 48C38 48 40 22 48 22S58 48 74 48"
_CURVE = "M50 2C38 18 62 36 48 54"
_ORANGE = _wash(f"{_CURVE}H0V2Z", "p")
_BLUE = _wash(f"{_CURVE}H96V2Z", "n")
_SIDES = _ORANGE + _BLUE + _line(_CURVE)
_BOX = _line("M6 50V6M6 50H92", "q")

PICTURES: dict[str, str] = {
    "score": _SIDES + _text(16, 33, "+", "p") + _text(72, 33, "−", "n"),
    "label": _circle(28, 18) + _text(44, 23, "y = +1") + _square(28, 40) + _text(44, 45, "y = −1"),
    "class": "".join([_circle(20, 18), _circle(34, 36), _circle(16, 42), _square(66, 16), _square(80, 30)])
    + _square(64, 42),
    "example": _circle(24, 16) + _square(70, 20) + _circle(44, 38) + _ring(44, 38) + _text(58, 45, "x₂"),
    "step": _line("M8 40H88", "q")
    + _line("M24 30V46M40 34V46M72 34V46", "q")
    + _line("M56 18V48", "a")
    + _line("M56 12H76M70 7L76 12L70 17"),
    "mistake": _SIDES + _square(24, 28) + _ring(24, 28),
    "epoch": "".join(f'<circle class="q" cx="{12 + 12 * k}" cy="28" r="3"/>' for k in range(7))
    + _line("M4 12V44M92 12V44"),
    "kernel": _circle(22, 28) + _circle(40, 28) + _circle(84, 28) + _line("M27 28H35", "a") + _line("M46 28H78", "q"),
    "hill": _wash(_HILL, "p") + _line(_HILL, "p") + _circle(48, 48) + _GROUND,
    "alpha": _bars([24, 8, 16, 0, 8]),
    "margin": _line("M50 4V52")
    + _circle(20, 28)
    + _line("M27 28H47M41 24L47 28L41 32M33 24L27 28L33 32", "a")
    + _square(76, 20),
    "norm": _line("M10 48L74 12M64 12L74 12L69 21", "a") + _text(22, 22, "‖f‖"),
    "bound": _line("M6 50V6M6 50H92", "q") + _line("M6 14H92", "a") + _line("M6 50H20V42H38V34H60V26H92"),
    "support": _circle(24, 20, 9) + _square(66, 34, 8) + '<circle class="line q" cx="48" cy="14" r="4"/>'
    '<circle class="line q" cx="84" cy="14" r="4"/><circle class="line q" cx="20" cy="46" r="4"/>',
    "budget": "".join(_line(f"M{8 + 20 * k} 18H{24 + 20 * k}V40H{8 + 20 * k}Z", "q") for k in range(4))
    + _circle(16, 29)
    + _square(36, 29)
    + _circle(56, 29)
    + _square(76, 29),
    "features": _line("M8 44L40 52L90 40L58 32Z", "q")
    + _line("M48 42V14", "a")
    + _circle(48, 12)
    + _square(30, 44)
    + _square(70, 42),
    "primal": _line("M20 50L76 6", "q") + _line("M48 28L66 50M57 47L66 50L65 40", "a") + _text(70, 42, "w"),
    "dual": _bars([14, 0, 22, 8, 0]) + _text(80, 20, "k"),
    "gram": "".join(
        f'<rect class="{"p" if (row < 2) == (column < 2) else "wash q"}" x="{28 + 10 * column}" y="{8 + 10 * row}" '
        'width="9" height="9"/>'
        for row in range(4)
        for column in range(4)
    ),
    "intercept": _BOX + _line("M6 50L60 8", "q") + _line("M36 50L90 8") + _line("M18 42H40M34 38L40 42L34 46", "a"),
    "separable": _line("M50 2L46 54")
    + _circle(18, 14)
    + _circle(30, 30)
    + _circle(16, 44)
    + _square(70, 14)
    + _square(82, 30)
    + _square(66, 44),
    "converged": _bars([36, 22, 12, 4, 0], "q"),
    "predictor": _line("M38 4C22 22 56 36 30 52", "q")
    + _line("M52 4C44 22 60 36 46 52", "a")
    + _line("M66 4C60 22 70 36 62 52"),
    "voted": _bars([8, 30, 14, 22, 36], "a"),
    "held": _circle(22, 16) + _square(72, 38) + '<circle class="line p" cx="44" cy="36" r="5"/>'
    '<rect class="line n" x="62" y="9" width="9" height="9"/>',
    "noise": _circle(24, 20)
    + _circle(38, 38)
    + _line("M38 38L74 22M66 21L74 22L69 28", "q")
    + '<circle class="line p" cx="76" cy="21" r="5"/>',
    "width": _line(_HILL) + _line(_SMALL, "q") + _line("M34 54H62M38 51L34 54L38 57M58 51L62 54L58 57", "a"),
    "rate": _bars([10, 20, 30], "p") + _text(62, 30, "+ η"),
    "shrink": _bars([8, 12, 18, 26, 38], "p"),
    "threshold": _line("M50 4V52")
    + _line("M28 4V52", "a")
    + _text(14, 16, "ρ", "a")
    + _circle(14, 36)
    + _circle(40, 36)
    + _ring(40, 36),
    "loss": _BOX + _line("M8 10L56 50H92", "a"),
    "regret": _wash("M8 50C26 26 44 16 88 8V30C60 36 30 44 8 50Z", "p")
    + _BOX
    + _line("M8 50C26 26 44 16 88 8", "a")
    + _line("M8 50C30 44 60 36 88 30", "q"),
    "tau": _bars([14], "p", 30) + '<rect class="line a" x="30.5" y="10" width="10" height="24"/>' + _text(50, 26, "τ"),
    "span": _line("M8 50L88 34", "q") + _circle(56, 14) + _line("M56 19L59 38", "a") + _text(66, 28, "δ", "a"),
    "gap": _line("M10 16H40", "q")
    + _line("M10 44H40", "q")
    + _line("M26 18V42M22 24L26 18L30 24M22 36L26 42L30 36", "a")
    + _text(50, 34, "y − f"),
    "chance": _BOX + _line("M8 48C44 48 48 8 90 8", "a"),
    "stream": "".join(
        f'<circle class="p" cx="{84 - 14 * k}" cy="{26 + 2 * k}" r="5" opacity="{1 - 0.18 * k:.2g}"/>' for k in range(5)
    ),
}
