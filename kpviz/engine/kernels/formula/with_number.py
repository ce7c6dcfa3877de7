"""c·k, k + c and k^q of a kernel that can be written as a formula: again formulas, which know the kernel within.

So the parameters of that kernel can be read, searched and set: those of 2·k are `factor` and `kernel__sigma`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from kpviz.engine import checks
from kpviz.engine.kernels.base import Kernel
from kpviz.engine.kernels.formula.formula import Formula, formula_of
from kpviz.engine.syntax import MAX_NUMBER


@dataclass(frozen=True)
class _WithNumber(Formula):
    """A kernel and a number; the formula is written by a subclass."""

    text: str = field(init=False, repr=False, compare=False)

    kernel: Kernel
    template: ClassVar[str]
    number_name: ClassVar[str]

    def __post_init__(self) -> None:
        checks.instance("kernel", self.kernel, Kernel, "a kernel object such as Gaussian(sigma=0.5)")
        number = self.checked(getattr(self, self.number_name))
        object.__setattr__(self, self.number_name, number)
        whole = Formula(self.template.format(kernel=formula_of(self.kernel, named=True), number=repr(number)))
        object.__setattr__(self, "text", formula_of(whole))  # without brackets that it does not need
        super().__post_init__()

    @classmethod
    def checked(cls, number: Any) -> Any:
        """Return the number if it makes a kernel of a kernel, or raise a one-sentence ValueError."""
        checks.number(cls.number_name, number, low=0.0, high=MAX_NUMBER)
        return _plain(number)


@dataclass(frozen=True)
class Scaled(_WithNumber):
    """factor · k, as `2 * kernel` returns it: every feature is multiplied by the root of the factor.

    Parameters
    ----------
    kernel : one that can be written as a formula.
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
    template: ClassVar[str] = "{number}*({kernel})"
    number_name: ClassVar[str] = "factor"


@dataclass(frozen=True)
class Shifted(_WithNumber):
    """k + summand, as `kernel + 1` returns it: one more feature, which is the same for all.

    Parameters
    ----------
    kernel : one that can be written as a formula.
    summand : at least 0.
    """

    summand: float
    name: ClassVar[str] = "Shifted"
    template: ClassVar[str] = "{kernel} + {number}"
    number_name: ClassVar[str] = "summand"


@dataclass(frozen=True)
class Power(_WithNumber):
    """k to the power of an integer, as `kernel ** 2` returns it: all products of so many features.

    Parameters
    ----------
    kernel : one that can be written as a formula.
    power : an integer, 1 to 100.
    """

    power: int
    name: ClassVar[str] = "Power"
    template: ClassVar[str] = "({kernel})**{number}"
    number_name: ClassVar[str] = "power"

    @classmethod
    def checked(cls, number: Any) -> Any:
        checks.integer(cls.number_name, number, low=1, high=100)
        return _plain(number)


def _plain(number: Any) -> Any:
    return number.item() if isinstance(number, np.generic) else number
