"""Numbers as kpviz writes them, read again."""

import math
import re
from fractions import Fraction

RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")


def plain(text):
    """A number that is written, as Python writes it."""
    return text.replace(",", "").replace("×10", "e").translate(RAISED)


def read(text):
    """The number that is written: −0.37, +1,493 or 8.1×10⁻⁷; 0.000… is what is nearly 0."""
    return float(plain(text.removesuffix("…")))


def exact_numbers(text):
    """The numbers of a sentence, exactly as they are printed."""
    return [
        Fraction(plain(number))
        for number in re.findall(r"−?\d[\d,]*(?:\.\d+)?(?:×10[⁰¹²³⁴-⁹⁻]+)?", text)
    ]


def added_up(written):
    """What a sum of products comes to, exactly as it is printed: 0.7616 + 0.9999 − 2·0.964."""
    terms = written.replace(" + ", " ").replace(" − ", " −").split(" ")
    products = [exact_numbers(term) for term in terms]
    return sum(math.prod(factors) for factors in products)
