"""Text of strangers, shown as it is written.

Tests: tests/app/test_plain.py.
"""

from __future__ import annotations

import re

import streamlit as st

_MARKDOWN = re.compile(r"[\\`*_\[\]$<>~#|&]|:(?=\S)|^[-+=]|(?<=\d)[.)](?=\s)", re.MULTILINE)
_LINKED = re.compile(r"(?<=[:@])(?=\S)|(?<=www)(?=\.)", re.IGNORECASE)
_JOINER = "\u2060"  # It is invisible, and no place to break a line.


def plain(text: str) -> str:
    r"""Return a text that Markdown shows as it is written.

    All that comes from files, links and hands is shown so.

    Streamlit looks for addresses and icons once more after escapes are read: a joiner keeps these
    apart.

    >>> print(plain("u[1]*v[1]"))
    u\[1\]\*v\[1\]
    """
    return _MARKDOWN.sub(r"\\\g<0>", _LINKED.sub(_JOINER, text))


def warn(words: str) -> None:
    """Say a sentence that stays until it is closed."""
    st.toast(plain(words), icon="⚠️", duration="infinite")
