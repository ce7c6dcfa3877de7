"""Make the typeface of kpviz out of Streamlit's Source fonts and matplotlib's DejaVu Sans: run by
`make assets`.
"""

from __future__ import annotations

import ast
import json
import shutil
import unicodedata
from importlib.util import find_spec
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem
from fontTools.varLib.instancer import instantiateVariableFont

from kpviz import fonts

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "kpviz"
FOLDER = PACKAGE / "fonts"
SERVED = PACKAGE / "player" / "web" / "fonts"
SOURCES = {fonts.SANS: "SourceSansVF-Upright", fonts.CODE: "SourceCodeVF-Upright"}
KEPT_FEATURES = ["ccmp", "mark", "mkmk"]  # Accents are kept, kerning and ligatures are not.
KEPT_NAMES = [0, 5, 7, 13, 14]  # They are copyright, version, trademark and licence.
DROPPED = ["STAT", "MATH", "FFTM"]
X_HEIGHT = 486 / 547  # The x-height of Source Sans is to that of DejaVu Sans as these.
UNITS = 1000  # There are so many in an em.


def drawn_characters() -> set[str]:
    """Return all characters beyond ASCII in what kpviz may show: the texts of its Python,
    JavaScript and CSS.
    """
    texts = [_literals(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")]
    for ending in ("js", "css", "html"):
        texts += [path.read_text(encoding="utf-8") for path in PACKAGE.rglob(f"*.{ending}")]
    return {char for char in "".join(texts) if not char.isascii() and _is_visible(char)}


def _literals(source: str) -> str:
    """Return the string literals of a Python file, without docstrings."""
    tree = ast.parse(source)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and _has_docstring(node)
    }
    constants = (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and id(node) not in docstrings
    )
    return "".join(node.value for node in constants if isinstance(node.value, str))


def _has_docstring(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef,
) -> bool:
    return ast.get_docstring(node, clean=False) is not None


def _is_visible(char: str) -> bool:
    variation = "\N{VARIATION SELECTOR-1}" <= char <= "\N{VARIATION SELECTOR-16}"
    return not variation and not char.isspace() and unicodedata.category(char) != "Cf"


def source_face(family: str, weight: int) -> TTFont:
    """Return one weight of a family of Source, all of its characters."""
    folder = Path(find_spec("streamlit").submodule_search_locations[0], "static")
    (file,) = folder.rglob(f"{SOURCES[family]}*.woff2")
    font = instantiateVariableFont(_opened(file), {"wght": weight})
    return _subset(font, set(map(chr, font.getBestCmap())))


def signs_face(lacking: set[str]) -> TTFont:
    """Return those characters of DejaVu Sans, as high as Source Sans would have them."""
    font = _subset(_opened(_dejavu("DejaVuSans.ttf")), lacking)
    scale_upem(font, round(UNITS * X_HEIGHT))
    font["head"].unitsPerEm = UNITS
    return font


def _dejavu(name: str) -> Path:
    return next(Path(find_spec("matplotlib").submodule_search_locations[0], "mpl-data").rglob(name))


def _opened(path: Path) -> TTFont:
    return TTFont(path, recalcTimestamp=False)  # Without the time the same font is the same file.


def _subset(font: TTFont, characters: set[str]) -> TTFont:
    options = Options(
        layout_features=KEPT_FEATURES, name_IDs=KEPT_NAMES, hinting=False, notdef_outline=True
    )
    options.bidi_closure = False  # It adds what nobody asked for.
    options.drop_tables += DROPPED
    subsetter = Subsetter(options)
    subsetter.populate(text="".join(characters))
    subsetter.subset(font)
    return font


def renamed(font: TTFont, face: fonts.Face) -> TTFont:
    """Return the font under our name: the licences keep theirs for the originals."""
    style = "Regular" if face.weight == fonts.REGULAR else "SemiBold"
    joined = f"{face.family} {style}"
    for number, text in {
        1: face.family,
        2: style,
        3: joined,
        4: joined,
        6: joined.replace(" ", ""),
    }.items():
        font["name"].setName(text, number, 3, 1, 0x409)
    font["OS/2"].usWeightClass = face.weight
    return font


def write(font: TTFont, name: str) -> None:
    """Write a font for Python and for the browser."""
    font.flavor = None
    font.save(FOLDER / f"{name}.ttf")
    font.flavor = "woff2"
    font.save(SERVED / f"{name}.woff2")


def advances(made: dict[str, TTFont]) -> dict[str, dict[str, str]]:
    """Return which characters have which advance in thousandths of an em, by the face
    of the text.
    """
    return {
        face.name: _by_advance([made[one.name] for one in _chain(face)])
        for face in fonts.FACES
        if face.family != fonts.SIGNS
    }


def _chain(face: fonts.Face) -> list[fonts.Face]:
    """Return the faces in which a character is looked for, in this order."""
    families = fonts.CODE_FAMILIES if face.family == fonts.CODE else fonts.TEXT_FAMILIES
    matching = (one for one in fonts.FACES if one.weights[0] <= face.weight <= one.weights[1])
    return sorted(
        (one for one in matching if one.family in families),
        key=lambda one: families.index(one.family),
    )


def _by_advance(chain: list[TTFont]) -> dict[str, str]:
    wide: dict[int, int] = {}
    for font in reversed(chain):
        wide |= {code: font["hmtx"][name][0] for code, name in font.getBestCmap().items()}
    characters: dict[str, str] = {}
    for code, advance in sorted(wide.items(), key=lambda item: (item[1], item[0])):
        characters[str(advance)] = characters.get(str(advance), "") + chr(code)
    return characters


def main() -> None:
    """Write the fonts, the table of advances and DejaVu's licence."""
    SERVED.mkdir(exist_ok=True)
    made = {
        face.name: source_face(face.family, face.weight)
        for face in fonts.FACES
        if face.family in SOURCES
    }
    sans = made[fonts.face().name].getBestCmap()
    (signs,) = (face for face in fonts.FACES if face.family == fonts.SIGNS)
    made[signs.name] = signs_face({char for char in drawn_characters() if ord(char) not in sans})
    for face in fonts.FACES:
        write(renamed(made[face.name], face), face.name)
    text = json.dumps(advances(made), ensure_ascii=False, separators=(",", ":"))
    (FOLDER / "advances.json").write_text(text + "\n", encoding="utf-8")
    shutil.copyfile(_dejavu("LICENSE_DEJAVU"), FOLDER / "DEJAVU.txt")


if __name__ == "__main__":
    main()
