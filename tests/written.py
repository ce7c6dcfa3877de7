"""Numbers as kpviz writes them, read again."""

RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")


def plain(text):
    """A number that is written, as Python writes it."""
    return text.replace(",", "").replace("×10", "e").translate(RAISED)


def read(text):
    """The number that is written: −0.37, +1,493 or 8.1×10⁻⁷."""
    return float(plain(text))
