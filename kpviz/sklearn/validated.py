"""Examples as scikit-learn checks them, without what it would make numbers of that nobody meant.

Tests: tests/engine/test_estimators.py.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import validate_data

from kpviz.engine import checks


def validated(model: Any, X: ArrayLike, *y: ArrayLike, reset: bool) -> Any:
    """Return X, or X and y, as `validate_data` of scikit-learn does, in whose words most is
    refused.

    Masked values, dates, texts and integers beyond floating point are refused here.
    """
    checks.unmasked("X", X)
    plain = None
    # Rows may have different lengths, and an object's own code may raise: scikit-learn says so.
    with suppress(Exception):
        plain = np.asarray(X)
    if plain is not None:
        checks.refuse_kinds("X", plain, but="c")
    try:
        # It adds numbers up, to see whether they are finite.
        with np.errstate(over="ignore", invalid="ignore"):
            return validate_data(model, X, *y, dtype=np.float64, reset=reset)
    except OverflowError:
        raise ValueError("X holds a number that is too large for floating point.") from None
    except (TypeError, ValueError) as error:
        if re.search(r"\b[Xy]\b", str(error)):
            raise
        raise type(error)(f"X cannot be read as numbers: {error}") from None
    except MemoryError:
        raise
    except Exception as error:  # An object's own code may raise anything.
        raise ValueError(f"X cannot be read as numbers: {error}.") from None
