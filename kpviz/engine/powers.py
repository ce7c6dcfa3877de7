"""Powers as they are written: x², 8.1×10⁷.

Tests: tests/lessons/test_conditions.py, tests/engine/test_formula.py.
"""

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def raised(exponent: int) -> str:
    """Return a whole number as an exponent.

    >>> raised(-12)
    '⁻¹²'
    """
    return str(exponent).translate(_RAISED)


def significant(value: float, digits: int) -> str:
    """Write a number to so many digits.

    >>> significant(5792.64, 6), significant(-0.12345, 3), significant(5792.64, 3)
    ('5,792.64', '−0.123', '5.79×10³')
    """
    mantissa, exponent, power = f"{value + 0.0:,.{digits}g}".partition("e")  # + 0.0: no minus zero
    return (times_ten(mantissa, int(power)) if exponent else mantissa).replace("-", "−")


def times_ten(digits: str, power: int) -> str:
    """Return a number by its digits and its power of ten.

    >>> times_ten("8.1", 7)
    '8.1×10⁷'
    """
    return f"{digits}×10{raised(power)}"
