"""From the bytes of a file to its text: UTF-8, UTF-16 with a mark, or what the bytes look like.

Bytes that are not UTF-8 are read as Windows-1252, unless the package chardet takes them for an
encoding of another script, and what comes of it looks like words of that script. A detector is not
believed beyond that: short Western texts have too few letters with accents to be told apart.

Tests: tests/engine/test_tables.py.
"""

import codecs
import re
import unicodedata
from dataclasses import dataclass
from importlib.util import find_spec

from kpviz.engine.data.table_errors import TableError

MAX_BYTES = 20_000_000  # A larger file is refused.

# What can be chosen, with the codec of each: supersets, as programs write them.
ENCODINGS = {
    "UTF-8": "utf-8",
    "Windows-1252": "cp1252",
    "Windows-1250": "cp1250",
    "Windows-1251": "cp1251",
    "KOI8-R": "koi8-r",
    "IBM866": "cp866",
    "Shift-JIS": "cp932",
    "EUC-JP": "euc-jp",
    "GB18030": "gb18030",
    "Big5": "cp950",
    "EUC-KR": "cp949",
    "Mac Roman": "mac-roman",
}
_DETECTED = {  # The keys are chardet's names; other encodings are not believed.
    "CP932": "Shift-JIS",
    "shift_jis_2004": "Shift-JIS",
    "SHIFT_JIS": "Shift-JIS",
    "EUC-JP": "EUC-JP",
    "GB18030": "GB18030",
    "Big5": "Big5",
    "big5hkscs": "Big5",
    "CP949": "EUC-KR",
    "EUC-KR": "EUC-KR",
    "Windows-1251": "Windows-1251",
    "KOI8-R": "KOI8-R",
    "IBM866": "IBM866",
}
_LATIN = ("Windows-1252", "Windows-1250")
_CYRILLIC = ("CYRILLIC",)
_SCRIPTS = {  # Words in an encoding have letters of these scripts.
    "Shift-JIS": ("CJK", "HIRAGANA", "KATAKANA"),
    "EUC-JP": ("CJK", "HIRAGANA", "KATAKANA"),
    "GB18030": ("CJK",),
    "Big5": ("CJK",),
    "EUC-KR": ("HANGUL", "CJK"),
    "Windows-1251": _CYRILLIC,
    "KOI8-R": _CYRILLIC,
    "IBM866": _CYRILLIC,
}
_WORD = re.compile(r"[^\W\d_]+")
_BYTES_TRIED = 200_000


@dataclass(frozen=True)
class Decoded:
    """The text of a file, and the encoding that was taken for it.

    Attributes
    ----------
    is_certain : whether the bytes say it: UTF-8, a mark, or plain ASCII.
    """

    text: str
    encoding: str
    is_certain: bool


def too_large(file: str) -> TableError:
    """Return the sentence for a file with more bytes than are read."""
    return TableError(
        f"{file} is larger than {MAX_BYTES // 1_000_000} MB: choose a smaller file or fewer rows."
    )


def decode(data: bytes, encoding: str, file: str) -> Decoded:
    """Return the text of a file.

    Parameters
    ----------
    encoding : a key of `ENCODINGS`, or "" for the one that is found out.
    file : what it is called in a sentence.

    Raises
    ------
    TableError
        The file is too large, or is not written in the encoding.
    """
    if len(data) > MAX_BYTES:
        raise too_large(file)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Decoded(data.decode("utf-16", errors="backslashreplace"), "UTF-16", True)
    if not encoding:
        try:
            return Decoded(data.decode("utf-8-sig"), "UTF-8", True)
        except UnicodeDecodeError:
            encoding = _detected(data)
        # A byte that has no letter is shown by its number: two words that differ in it stay two.
        errors = "backslashreplace"
    else:
        errors = "strict"
    try:
        text = data.decode(ENCODINGS[encoding], errors=errors)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TableError(
            f"{file} is not {encoding} in line {line}: choose another encoding."
        ) from None
    return Decoded(text.removeprefix("\ufeff"), encoding, data.isascii())


def possible(data: bytes) -> list[str]:
    """Return the encodings in which bytes may be written."""
    tried = _with_letters(data)
    return [name for name, codec in ENCODINGS.items() if _can_be(tried, codec)]


def _can_be(data: bytes, codec: str) -> bool:
    try:
        data.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


def _detected(data: bytes) -> str:
    """Return the encoding of bytes that are not UTF-8."""
    if find_spec("chardet") is None:  # The extra [app] brings it.
        return "Windows-1252"
    import chardet

    ranking = chardet.detect_all(_with_letters(data), include_encodings=[*_LATIN, *_DETECTED])
    for candidate in ranking:
        name = _DETECTED.get(candidate["encoding"] or "")
        if name is None:  # A Latin script is likelier than those that come after it.
            break
        if _looks_written_in(data, name):
            return name
    return "Windows-1252"


def _with_letters(data: bytes) -> bytes:
    """Return the lines that are not plain ASCII, which alone say something of an encoding."""
    head = data[:_BYTES_TRIED]
    lines = (head if head is data else head.rpartition(b"\n")[0] or head).splitlines()
    return b"\n".join(line for line in lines if not line.isascii())


def _looks_written_in(data: bytes, encoding: str) -> bool:
    """Return whether bytes make words of the encoding's script, without Latin letters
    among theirs.
    """
    try:
        text = data.decode(ENCODINGS[encoding])
    except UnicodeDecodeError:
        return False
    words = [word for word in _WORD.findall(text[:_BYTES_TRIED]) if not word.isascii()]
    letters = [sign for word in words for sign in word if not sign.isascii()]
    pure = sum(not any(sign.isascii() for sign in word) for word in words)
    of_script = sum(unicodedata.name(sign, "").startswith(_SCRIPTS[encoding]) for sign in letters)
    # A byte is a letter, and so are those with accents of a single Western word.
    if _SCRIPTS[encoding] == _CYRILLIC:
        is_enough = len(set(letters)) >= 5 and any(len(word) > 2 for word in words)
    else:
        is_enough = len(set(letters)) >= 3 or any(len(word) > 1 for word in words)
    return is_enough and pure >= 0.8 * len(words) and of_script >= 0.95 * len(letters)
