"""What a stranger, a chat program or an attacker might write into a link."""

from kpviz.engine.learners import LEARNERS
from kpviz.settings import BY_NAME, FILE, LINK_NAMES

HOSTILE = (
    "", " ", "nan", "NaN", "inf", "-inf", "Infinity", "-1", "-0", "0", "1e999", "-1e308", "1e-320", "1_000",
    "0x1F", "½", "١٢٣", "９９", "1,5", "1.5.2", "--3", "+7", "True", "None", "null", "undefined", "[]", "{}",
    "()", "9" * 400, "\x00", "a\x00b", "%00", "%", "%%%", "%zz", "%F0%9F%98%80", "%ed%a0%80", "\ud800",
    "\u202egnp.exe", "\ufeff", "\n\r\t", "..", "../../etc/passwd", "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>", "`rm -rf /`", "${7*7}", "{{7*7}}", "' OR 1=1 --", '"><b>',
    ":material/delete:", "$x^2$", "**bold**", "[a](javascript:alert(1))", "\\", "~~~~", "~", "a~b~c~d~e",
    "x₁~x₂~y~0~1", "gaussian ", "GAUSSIAN", "gaußian", "👩‍👩‍👧", "א" * 50, "z" * 10_000, "é" * 3000,
    "__class__", "__proto__", "constructor", "self", "items", "values", "linear&linear", "1;2", "1#2", "1?2",
    "a=b=c",
)  # fmt: skip
STRANGE_KEYS = (
    "",
    " ",
    "v",
    "t",
    "show",
    "embed",
    "embed_options",
    "__init__",
    "values",
    "<b>",
    "sigma ",
    "Σ",
    "k" * 5000,
    "\x00",
    "%",
    "self",
)
GOOD = {
    name: prop.choices or ("0", "1", "2", "0.05", "0.3", "8", "60", "120")
    for name, prop in BY_NAME.items()
}
GOOD |= {
    "function": ("parity", "x1 & !x2 | x3", "x8", "false"),
    "added": ("+two goals;-boil the rice", "+(S (NP you) (VP sing))", "-CCO 1-2 2-3"),
    "ask": ("the goal", "(S (NP you) (VP sing))", "CCO 1-2 2-3"),
    "formula": ("exp(-norm(u - v)**2)", "dot(u, v)", "-norm(u - v)"),
}
# Where a property of what is no point, or of its kernels, has a meaning.
WHERE = {
    **dict.fromkeys(("function", "bits"), (("data", "bits"),)),
    **dict.fromkeys(("added", "ask"), (("data", "texts"),)),
    "formula": [("kernel", "formula")],
    "negated": [("kernel", "subsets")],
    "length": [("data", "texts"), ("kernel", "spectrum")],
    "rounds": [("data", "graphs")],
}
LEARNER_OF = {
    LINK_NAMES.get(name, name): [("learner", key)]
    for key, learner in LEARNERS.items()
    for name in {**learner.ranges, **getattr(learner, "choices", {})}
}
FULL_WIDTH = str.maketrans("0123456789.", "０１２３４５６７８９．")


def one_wrong_value() -> list[list[tuple[str, str]]]:
    """Every property with some of the hostile values, alone, where it applies."""
    pairs_of_links = []
    for at, (name, _) in enumerate(BY_NAME.items()):
        base = [
            ("data", FILE if name in ("file", "cols", "scale") else "iris"),
            ("order", "random"),
            *LEARNER_OF.get(name, ()),
            *WHERE.get(name, ()),
        ]
        pairs_of_links += [[*base, (name, bad)] for bad in HOSTILE[at % 3 :: 3]]
    return pairs_of_links
