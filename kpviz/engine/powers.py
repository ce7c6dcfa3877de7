"""Powers as they are written: x², 8.1×10⁷."""

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def raised(exponent: int) -> str:
    """Return a whole number as an exponent.

    >>> raised(-12)
    '⁻¹²'
    """
    return str(exponent).translate(_RAISED)


def times_ten(digits: str, power: int) -> str:
    """Return a number by its digits and its power of ten.

    >>> times_ten("8.1", 7)
    '8.1×10⁷'
    """
    return f"{digits}×10{raised(power)}"
