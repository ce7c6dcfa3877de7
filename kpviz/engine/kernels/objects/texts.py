"""Kernels of texts: the words, or the substrings, that two texts have in common.

Tests: tests/engine/test_objects.py.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray, Range
from kpviz.engine.kernels.objects.counting import (
    LONGEST,
    Counting,
    Counts,
    Parts,
    Sketch,
    counted,
    placed,
    shortened,
    written,
)

_INSIDE = "'’-"  # These characters stand in words, but do not begin or end them.
_WORDS = '''\
def words(text):
    """Count the words of a text, each of them once."""
    return Counter(set(text.split()))'''
_STRINGS = '''\
def strings(text, length):
    """Count the substrings of so many characters; spaces count."""
    return Counter(text[i : i + length] for i in range(len(text) - length + 1))'''


class _Texts(Counting):
    compares: ClassVar[str] = "texts"
    one: ClassVar[str] = "text"

    def check(self, value: object, name: str) -> str:
        """Return the words in lower case with a space between them; ValueError if there
        are none.
        """
        text = written(value, name, self.one)
        words = _words(text)
        if not words:
            raise ValueError(
                f"{name} is {shortened(text)}, which holds no word: a text must have at least one."
            )
        return " ".join(words)


@dataclass(frozen=True)
class WordSets(_Texts):
    """2 to the number of words that both texts have: one feature for each set of words, 1 where all
    of them occur.

    It is the kernel of all subsets on indicators of words. How often a word occurs does not count.
    Each word more doubles k(u, u), so that long texts dominate unless it is normalized.

    Source: R. Khardon, D. Roth, R. Servedio, "Efficiency versus convergence of Boolean kernels for
    on-line learning algorithms", NIPS 14 (2001), with words as bits.

    >>> WordSets()(["the cat sat"], ["the dog sat", "a dog"])
    array([[4., 1.]])
    """

    name: ClassVar[str] = "Word sets"
    proof: ClassVar[tuple[str, str]] = (
        "inner product of features",
        "a feature for each set of words: 1 if all occur.",
    )
    formula: ClassVar[str] = r"2^{|u \cap v|}"
    python: ClassVar[Counts] = Counts("2^(how many words are in both)", "words", _WORDS, power=True)

    def features(self, value: str) -> dict[str, int]:
        return dict.fromkeys(_words(value), 1)

    def of_counts(self, product: FloatArray) -> FloatArray:
        return np.asarray(np.exp2(product))

    def sketch(self, value: str, parts: Parts) -> Sketch:
        words = _words(value)
        return placed(
            parts, words, [(float(i), 0.0) for i in range(len(words))], [[word] for word in words]
        )


@dataclass(frozen=True)
class Spectrum(_Texts):
    """Of each substring of a given length, how often one text has it times how often the other has
    it, summed.

    Spaces between words count as characters. `length` is an integer, 1 to 2,000; a shorter text has
    none, and k = 0.

    Source: C. Leslie, E. Eskin, W. S. Noble, "The spectrum kernel: a string kernel for SVM protein
    classification", Pacific Symposium on Biocomputing 7 (2002).

    Parameters
    ----------
    length : characters of each piece, 1 to 2,000.

    Examples
    --------
    >>> Spectrum(length=2)(["banana"], ["ananas"])
    array([[8.]])
    """

    length: int = 3
    name: ClassVar[str] = "Spectrum"
    formula: ClassVar[str] = r"\sum_{|s| = p} n_s(u)\, n_s(v)"
    python: ClassVar[Counts] = Counts(
        "Σ n_s(u) n_s(v) over all strings s of that length",
        "lambda text: strings(text, {length})",
        _STRINGS,
    )
    ranges: ClassVar[dict[str, Range]] = {
        "length": Range(1, 6, 3, "p", "characters of each substring", integer=True)
    }

    def __post_init__(self) -> None:
        checks.integer("length", self.length, low=1, high=LONGEST)

    def features(self, value: str) -> dict[str, int]:
        return counted(self._strings(" ".join(_words(value))))

    def sketch(self, value: str, parts: Parts) -> Sketch:
        text = " ".join(_words(value))
        length = self.length
        strings = self._strings(text)
        covering = [strings[max(i - length + 1, 0) : i + 1] for i in range(len(text))]
        return placed(parts, text, [(float(i), 0.0) for i in range(len(text))], covering)

    def _strings(self, text: str) -> list[str]:
        return [text[i : i + self.length] for i in range(len(text) - self.length + 1)]


@lru_cache(maxsize=2048)
def _words(text: str) -> tuple[str, ...]:
    signs = unicodedata.normalize("NFC", text.lower())
    characters = (
        sign if unicodedata.category(sign)[0] in "LMN" or sign in _INSIDE else " " for sign in signs
    )
    return tuple(
        word for word in (piece.strip(_INSIDE) for piece in "".join(characters).split()) if word
    )
