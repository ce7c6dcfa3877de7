"""What kpviz itself says in a lesson, in the language of the lesson.

English phrases are the keys of a table, with the names of their values in braces. A sentence is
looked up as it is said in English, so nothing that says it needs to know of languages, and what a
table lacks stays English; so does what the author wrote. A file for each language holds its table:
another language is another such file and its line in `_LANGUAGES`. The page of a lesson has its
table, too, and looks up by the same rule (player/web/run/language.js).

Tests: tests/lessons/test_languages.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from kpviz.lessons.languages import german, spanish

_LANGUAGES: Mapping[str, Mapping[str, str]] = {"de": german.PHRASES, "es": spanish.PHRASES}
VALUE = re.compile(r"\{(\w+)\}")
_NUMBERS = ("n", "all")  # Such values are whole numbers; others are within a sentence.
_SYMBOL = re.compile(r"[A-Za-z]|\S*[^A-Za-z\s]\S*")  # Nothing of it is a word.
_IN_LISTS = re.compile(r"([,;] | and | or )")
_NAMES = ("kind", "align", "name", "href", "widths")  # What stands under these is for code.
_BETWEEN_SENTENCES = re.compile(r"(?<=[.?!])(\s+)")


def phrases(language: str) -> Mapping[str, str]:
    """Return the table of a language, which may have a region; empty where there is none.

    >>> phrases("de-AT")["Check"]
    'Prüfen'
    >>> phrases("en")
    {}
    """
    return _LANGUAGES.get(language.partition("-")[0].lower(), {})


def translate(english: str, language: str) -> str:
    """Return what kpviz says in a language: a phrase, or sentences one after the other.

    >>> translate("The first is right. You said right at step 2.", "de")
    'Die erste Vorhersage stimmt. Bei Schritt 2 hast du „richtig“ gesagt.'
    >>> translate("What an author wrote.", "de")
    'What an author wrote.'
    """
    if not phrases(language):
        return english
    whole = _phrase(english, language)
    if whole is not None:
        return whole
    return "".join(_phrase(part, language) or part for part in _BETWEEN_SENTENCES.split(english))


def translate_all(content: Any, language: str) -> Any:
    """Return plain data, as trees of words are, with each text of kpviz in a language.

    >>> translate_all({"kind": "right", "children": ["Task 1.1"]}, "de")
    {'kind': 'right', 'children': ['Aufgabe 1.1']}
    """
    if not phrases(language):
        return content
    if isinstance(content, str):
        return translate(content, language)
    if isinstance(content, Mapping):
        return {
            key: value if key in _NAMES else translate_all(value, language)
            for key, value in content.items()
        }
    if isinstance(content, list | tuple):
        return type(content)(translate_all(value, language) for value in content)
    return content


def _phrase(english: str, language: str) -> str | None:
    """Return one phrase in a language, None where its table lacks that."""
    words = english.strip()
    table = phrases(language)
    translated = table.get(words)
    if translated is None:
        for pattern, template in _patterns(table_of=language.partition("-")[0].lower()):
            match = pattern.fullmatch(words)
            if match is not None:
                values = {
                    name: _value_words(value, language) for name, value in match.groupdict().items()
                }
                translated = template.format(**values)
                break
    if translated is None:
        return None
    before = len(english) - len(english.lstrip())
    return f"{english[:before]}{translated}{english[before + len(words) :]}"


def _value_words(english: str, language: str) -> str:
    """Return a value in a language: a phrase, or several in a list."""
    whole = _phrase(english, language)
    if whole is not None:
        return whole
    parts = _IN_LISTS.split(english)
    translations = [_phrase(part, language) or part for part in parts]
    is_whole = all(
        translation != part or _SYMBOL.fullmatch(part)
        for part, translation in zip(parts[::2], translations[::2], strict=True)
    )
    return "".join(translations) if is_whole else english


@cache
def _patterns(table_of: str) -> list[tuple[re.Pattern[str], str]]:
    """Return the phrases with values as patterns, those with most words of their own first."""
    table = _LANGUAGES[table_of]
    with_values = sorted(
        filter(VALUE.search, table), key=lambda phrase: -len(VALUE.sub("", phrase))
    )
    return [(_pattern(phrase), table[phrase]) for phrase in with_values]


def _pattern(phrase: str) -> re.Pattern[str]:
    parts = VALUE.split(phrase)  # Words and names of values take turns.
    return re.compile(
        "".join(
            f"(?P<{part}>{_value(part)})" if k % 2 else re.escape(part)
            for k, part in enumerate(parts)
        )
    )


def _value(name: str) -> str:
    return "[0-9,]+" if name in _NUMBERS else r"(?:(?![.?!]\s).)+?"
