"""The sentences of a film, as caption files: WebVTT and SubRip."""

from __future__ import annotations

import html
from collections.abc import Sequence

FORMATS = ("vtt", "srt")

Caption = tuple[float, float, str]  # from when to when, in seconds, and what


def to_vtt(captions: Sequence[Caption]) -> str:
    """Return the text of a .vtt file.

    >>> print(to_vtt([(0.0, 1.5, "f = 0 < 1")]), end="")
    WEBVTT
    <BLANKLINE>
    00:00:00.000 --> 00:00:01.500
    f = 0 &lt; 1
    """
    cues = [
        f"{_clock(start, '.')} --> {_clock(end, '.')}\n{html.escape(text, quote=False)}\n"
        for start, end, text in captions
    ]
    return "\n".join(["WEBVTT\n", *cues])


def to_srt(captions: Sequence[Caption]) -> str:
    """Return the text of a .srt file; an arrow --> among the words, which players take for times, becomes →.

    >>> print(to_srt([(61.25, 3600.0, "A clean pass.")]), end="")
    1
    00:01:01,250 --> 01:00:00,000
    A clean pass.
    """
    cues = [
        f"{number}\n{_clock(start, ',')} --> {_clock(end, ',')}\n{text.replace('-->', '→')}\n"
        for number, (start, end, text) in enumerate(captions, 1)
    ]
    return "\n".join(cues)


def _clock(seconds: float, mark: str) -> str:
    whole, thousandths = divmod(round(1000 * seconds), 1000)
    minutes, rest = divmod(whole, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{rest:02}{mark}{thousandths:03}"
