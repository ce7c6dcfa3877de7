"""Numbers as kpviz writes them, read again."""

import re
from fractions import Fraction

RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")


def plain(text):
    """A number that is written, as Python writes it."""
    return text.replace(",", "").replace("×10", "e").translate(RAISED)


def read(text):
    """The number that is written: −0.37, +1,493 or 8.1×10⁻⁷."""
    return float(plain(text))


def exact_numbers(text):
    """The numbers of a sentence, exactly as they are printed."""
    return [
        Fraction(plain(number))
        for number in re.findall(r"−?\d[\d,]*(?:\.\d+)?(?:×10[⁰¹²³⁴-⁹⁻]+)?", text)
    ]
