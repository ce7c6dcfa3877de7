"""Questions that a stranger with the source code might send: grown from real ones, each from its
seed and number.

`Writer` grows a question of any kind; `message` writes it down as it goes over the websocket,
sometimes not as JSON."""

import base64
import json
import random
import re
from functools import cache
from pathlib import Path

from boards import BOARDS
from links import GOOD, HOSTILE, STRANGE_KEYS

from kpviz.engine.kernels.expression import nodes
from kpviz.engine.kernels.vectors import NAMED_KERNELS
from kpviz.export import settings_file
from kpviz.lessons import shelf
from kpviz.lessons.presets import PRESETS
from kpviz.panels import PANELS
from kpviz.player.extras import EXTRAS
from kpviz.service import commands, editing, fisher
from kpviz.settings import DRAWN, Settings

ROOT = Path(__file__).parents[1]
GROUPS = ("data", "kernel", "learner", "compare", "only:sigma,kernel", "only:formula,zzz")
FORMULAS = json.loads((ROOT / "tests/engine/hostile_formulas.json").read_text(encoding="utf-8"))
# Texts that are cheap to send, and cost whoever takes them at their word.
BOMBS = (
    "((dot(u,v)/.1876543200123+.11234567123)**14)**14",
    "9**9**9**9",
    "(" * 150 + ")" * 150,
    "-" * 300 + "1",
    "^" * 300,
    "1e999999999",
    "%" * 20_000,
    "~" * 20_000,
    "." * 8_000,
    "a" * 100_000,
    "\ud83d" * 500,
    "&".join(f"p{number}.kernel=formula" for number in range(2000)),
)
_DRAWINGS = (
    "",
    "AAAA",
    "AAAABBBBCCCCDDDD.A",
    "gAgAABgAgABgAA.K.2.0_0_4000-0_0_4000",
    "----.-.9999.",
    ".",
    "_" * 5000,
)
_TYPES = (
    None,
    True,
    False,
    0,
    -1,
    2.5,
    10**400,
    -(10**30),
    float("nan"),
    float("inf"),
    1e-320,
    [],
    {},
    "",
)
_HALVES = re.compile("[\ud800-\udfff]")  # of surrogate pairs
_DEEPEST = 8  # keys that lead to a value that is changed
# Characters of a table or a lesson: what takes long by its size alone is tested elsewhere.
_LONGEST = 60_000


@cache
def real_links():
    """The links of the documentation, the lessons and the boards of the gallery."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("docs/*/*.md"))]
    texts += [lesson for _, lesson in lessons()]
    links = {link for text in texts for link in re.findall(r"v=1&[^\s)\"'`>]+", text)}
    return sorted({*links, *BOARDS.values()})


@cache
def lessons():
    """Names and texts of the lessons that come with kpviz."""
    return [(name, path.read_text(encoding="utf-8")) for name, path in shelf.paths_in(None).items()]


class Writer:
    """Writes one question after another from a generator of random numbers."""

    def __init__(self, chance):
        self._chance = chance
        self._kinds = {
            self.run: 12,
            self.fisher: 4,
            self.lesson: 3,
            self.task: 3,
            self.join: 1,
            self.file: 0.5,
            self.verdict: 1,
            self.curve: 0.2,
        }

    def question(self):
        """A question of some kind, in which some values are others."""
        (kind,) = self._chance.choices([*self._kinds], [*self._kinds.values()])
        question = kind()
        for _ in range(self._some(0, 0, 1, 1, 2, 4)):
            question = self._mutated(question)
        return question

    # ---- the kinds ----

    def run(self):
        question = self._page(self.link())
        names = [*commands.COMMANDS, *commands.COMMANDS, "zzz", "__init__"]
        question["commands"] = [
            self.command(self._one(names)) for _ in range(self._some(0, 1, 1, 2, 3, 8))
        ]
        question["asked"] = self._one((None, [], [self._one([*EXTRAS])], ["validity", "proof"]))
        return question

    def fisher(self):
        question = self._page(
            self.link(self._one(("data=clouds", "data=drawn", "data=crossed&angle=30", "v=1")))
        )
        names = [*fisher._COMMANDS, "pin", "zzz"]
        return question | {
            "page": "fisher",
            "commands": [self.command(self._one(names)) for _ in range(self._some(0, 1, 2, 4))],
        }

    def curve(self):
        curve = {
            "name": self._one(("sigma", "epochs", "C", None, "zzz")),
            "seeds": self._some(1, 1, 5),
        }
        return {"kind": "curve", "link": self.link(), "curve": curve}

    def verdict(self):
        return {"kind": "verdict", "link": self.link(), "verdict": True}

    def lesson(self):
        source = {"text": self.lesson_text()} if self._is(0.8) else {"name": self._lesson_name()}
        return {"kind": "lesson", "lesson": source}

    def task(self):
        name, text = self._one(lessons())
        source = {"name": name} if self._is(0.6) else {"text": self._edited(text)}
        answers = (
            1,
            0.607,
            "0.607",
            [0, 2],
            "true",
            {"link": self.link()},
            {"t": 5, "link": self.link()},
            self.text(),
        )
        task = {
            "scene": self._some(0, 0, 1, 2, 9),
            "task": self._some(0, 0, 1, 2),
            "tried": self._some(0, 1, 10**9),
            "answer": self._one(answers),
        }
        if self._is(0.2):
            del task["answer"]  # What is right is asked for, for a class.
        return {"kind": "lesson", "lesson": source, "task": task}

    def join(self):
        beginnings = (
            "http://",
            "https://a.org:99999/",
            "//",
            "http://[",
            "http://[::1",
            "http://℀",
            "mailto:",
            "",
        )
        address = self._one(beginnings) + self._one((self.text(), "x" * 880, "?" + self.link()))
        lesson = self.lesson()["lesson"]
        scene = {"lesson": lesson, "scene": self._some(0, 1, 10**30), "turned": self._is(0.5)}
        return {"kind": "join", "join": {"address": address} | (scene if self._is(0.5) else {})}

    def file(self):
        endings = (
            "numpy.py",
            "ipynb",
            "run.csv",
            "run.json",
            "examples.csv",
            "settings.json",
            "html",
            "zzz",
            None,
        )
        choices = {
            "ending": self._one(endings),
            "t": self._some(0, 3, 10**9),
            "shown": self.link(),
            "address": self._one(
                ("http://localhost:8501/", "https://a.org/k", "http://[", self.text())
            ),
            "theme": self._one(("auto", "light", "dark", "zzz")),
            "autoplay": self._is(0.5),
            "loop": self._is(0.5),
        }
        if self._is(0.3):
            source = (
                {"text": self.lesson_text()} if self._is(0.7) else {"name": self._lesson_name()}
            )
            choices |= {
                "lesson": source,
                "ending": self._one(("page.html", "solutions.pdf", "zzz")),
            }
        return self._page(self.link()) | {"kind": "file", "page": "play", "file": choices}

    def _page(self, link):
        """What each question of a page says."""
        stored = self._one(
            (
                *real_links(),
                "file=a.csv~0123456789ab&data=file",
                f"data={DRAWN}&points=~0123456789ab",
            )
        )
        return {
            "page": "play",
            "link": self._one((link, link, link, stored)),
            "origin": self._one((None, None, self.link())),
            "data": self._one(("", "", "zzz")),
            "drafts": self._one(
                ({}, {}, {"formula": self.formula(), "sigma": self.text(), "point": self.text()})
            ),
            "have": self._one(([], [], [self.text()])),
            "dock": self._one(([], list(GROUPS), [self._one(GROUPS)])),
            "live": self._is(0.2),
            "near": self._is(0.1),
            "shown": self._is(0.5),
            "bring": self._brought() if self._is(0.1) else {},
        }

    # ---- links, formulas, commands ----

    def link(self, link=None):
        """A link in which some values are others, or more of them."""
        link = self._one(real_links()) if link is None else link
        parts = link.split("&")
        for _ in range(self._some(0, 0, 1, 1, 2, 5)):
            name = self._one(
                [
                    *GOOD,
                    *GOOD,
                    "t",
                    "show",
                    "compare",
                    "pins",
                    "cues",
                    "p1.learner",
                    "p2.sigma",
                    "angle",
                ]
            )
            values = (
                *GOOD.get(name, ("0", "7", "gram.validity")),
                self.text(),
                self._one(HOSTILE),
                self._one(HOSTILE),
                str(self._some(0, 1, 3, 200, 10**9)),
                self._one([*PRESETS, *(panel.name for panel in PANELS)]),
            )
            parts.insert(self._some(0, len(parts)), f"{name}={_quoted(self._one(values))}")
        if self._is(0.15):
            parts += [f"kernel=formula&formula={_quoted(self.formula())}"]
        if self._is(0.1):
            parts += [f"data={DRAWN}&points={self._one(_DRAWINGS)}&names={_quoted(self.text())}"]
        if self._is(0.1):
            parts += [
                f"cues={_quoted(self.text())}",
                f"{_quoted(self._one(STRANGE_KEYS))}={_quoted(self.text())}",
            ]
        return "&".join(parts)

    def formula(self):
        """A formula, mostly in the right notation."""
        if self._is(0.2):
            return self._one([*FORMULAS.values(), *BOMBS])
        text = self._polynomial() if self._is(0.3) else self._number(self._some(2, 3, 4, 5))
        if self._is(0.3):
            text = f"(({text})**{self._some(2, 7, 14)})**{self._some(3, 14, 64)}"
        if self._is(0.2):
            text = self._one(("+", "*", "-", "/")).join([text] * self._some(2, 5, 20))
        if self._is(0.2):
            at = self._chance.randrange(len(text) + 1)
            text = (
                text[:at]
                + self._one(("(", ")", "²", "·", "−", "√", "\x00", "u", "1e", "\ud800", "]"))
                + text[at:]
            )
        return text

    def _polynomial(self):
        """A part of which a proof multiplies out the powers: a kernel, with long coefficients."""
        product = self._one(
            ("dot(u,v)", "dot(u,v)", "u[1]*v[1]", "norm(u)*norm(v)", "(dot(u,v)+u[2]*v[2])")
        )
        return f"({product}/.{self._digits()}+.{self._digits()})**{self._some(1, 2, 7, 14)}"

    def _digits(self):
        return "".join(self._chance.choices("0123456789", k=self._some(1, 2, 13, 30)))

    def _number(self, depth):
        """A part of a formula that is a number."""
        if depth <= 0:
            digits = self._digits()
            return self._one(
                (
                    f"u[{self._some(1, 2, 3, 101)}]",
                    "v[2]",
                    digits,
                    f".{digits}",
                    "1e308",
                    "1e-300",
                    "pi",
                )
            )
        below = depth - 1
        form = self._one(
            ("reduced", "named", "function", "power", "operator", "operator", "normalized", "pair")
        )
        if form == "reduced":
            name = self._one([*nodes.REDUCTIONS])
            return f"{name}({','.join(self._vector(below) for _ in range(nodes.REDUCTIONS[name]))})"
        if form == "named":
            return f"{self._one([*NAMED_KERNELS])}({self._one(('', '1', '0', '-1', '1e999', '2, 3', '.5'))})"
        if form == "function":
            return f"{self._one([*nodes.ELEMENTWISE])}({self._number(below)})"
        if form == "pair":
            return f"{self._one([*nodes.PAIRWISE])}({self._number(below)},{self._number(below)})"
        if form == "power":
            return f"({self._number(below)})**{self._one(('2', '14', '64', '.5', '-1', '(1/3)', '99'))}"
        if form == "normalized":
            return f"normalized({self._number(below)})"
        return f"({self._number(below)}{self._one(('+', '-', '*', '/'))}{self._number(below)})"

    def _vector(self, depth):
        """A part of a formula that is a vector."""
        if depth <= 0 or self._is(0.5):
            return self._one(("u", "v", "u-v", "u*v", "u/v", "2*u"))
        name = self._one(("exp", "abs", "log", "sqrt"))
        return self._one(
            (f"{name}({self._vector(depth - 1)})", f"max({self._vector(depth - 1)},v)", "(u+v)**7")
        )

    def command(self, name):
        """A command with a value such as it may have."""
        value = getattr(self, f"_value_of_{name}", None)
        return {"name": name, "value": None if value is None else value()}

    def _value_of_set(self):
        return {self._one([*GOOD]): self._one((self.text(), 1, 0.3, "on", 10**400, self.formula()))}

    def _value_of_type(self):
        return {"name": self._one(("formula", "function", "ask", "sigma")), "text": self.formula()}

    def _value_of_replace(self):
        return {"link": self.link(), "origin": self._one((None, self.link())), "data": self.text()}

    def _value_of_turn(self):
        return {
            "name": self._one((0, 1, 99, "sigma", "C")),
            "way": self._one((1, -1, 2)),
            "from": self.link(),
        }

    def _value_of_straight(self):
        return {"sigma": self._one((0.3, "x", float("inf")))}

    def _value_of_unpin(self):
        return {"number": self._some(-1, 0, 1, 10**30)}

    def _value_of_compare(self):
        return {"name": self._one([*PRESETS, self.text()])}

    def _value_of_example(self):
        return {"text": self._one(("+two goals", "(S (NP you))", "CCO 1-2", self.text())), "y": 1}

    def _value_of_away(self):
        return self._some(0, -1, 7)

    def _value_of_points(self):
        return {
            "code": self._one((*_DRAWINGS, self.text())),
            "order": self._one((None, [], [2, 1, 0], [0.5])),
        }

    def _value_of_point(self):
        return {
            "text": self._one(("0.5, -1.2", "1e308, 1e308", self.text())),
            "y": self._some(1, -1, 0),
        }

    def _value_of_hold(self):
        return self._some(0, 3, 10**30)

    def _value_of_order(self):
        return self._one(([], [*range(60)], [*range(59, -1, -1)], [0, 0], [10**30]))

    def _value_of_cues(self):
        return self._one(
            ([], [{"place": "3", "words": self.text(), "hold": 1}], [{"place": self.text()}])
        )

    def _value_of_open(self):
        return {"name": self.text(), "data": base64.b64encode(self.table()).decode()}

    def _value_of_paste(self):
        return {"text": self.table().decode("utf-8", "replace")}

    def _value_of_columns(self):
        return {self._one((*editing.KEYS, "zzz")): self._one(("a", "b", self.text()))}

    # ---- files ----

    def table(self):
        """The bytes of a table, or of a settings file."""
        if self._is(0.2):
            settings = (
                Settings.of(data=DRAWN, points="AAAABBBBCCCCDDDD.A")
                if self._is(0.5)
                else Settings.of()
            )
            return self._edited(settings_file.write(settings)).encode("utf-8", "replace")
        separator = self._one((",", ";", "\t", "|", " "))
        width = self._some(1, 2, 3, 3, 3, 5, 40)
        classes = self._some(1, 2, 2, 3, 60, 1500)
        columns = [self._column(classes) for _ in range(width)]
        rows = [
            separator.join(cell(row) for cell in columns)
            for row in range(self._some(0, 1, 3, 40, 400, 1500))
        ]
        head = separator.join(
            self._one(("a", "b", "x1", "label", "species", self.text(), "")) for _ in range(width)
        )
        text = self._one(("\n", "\n", "\r\n", "\r")).join(
            [*([head] if self._is(0.8) else []), *rows]
        )
        text = self._edited(text) if self._is(0.4) else text
        encoded = text[:_LONGEST].encode(
            self._one(("utf-8", "utf-8", "utf-16", "utf-8-sig")), "replace"
        )
        return encoded + self._one((b"", b"", b"\xff\xfe\x00", b"\x00" * 300, b'"'))

    def _column(self, classes):
        """What a column has in each row."""
        odd = self.text()
        forms = (
            lambda row: f"{(row * 7919 % 1000) / 100}",
            lambda row: f"{(row * 7919 % 1000) / 100}",
            lambda row: f"k{row % classes}",
            lambda row: f"{row * 31 % 97},{row % 10}",
            lambda row: f"2020-01-{row % 28 + 1:02}",
            lambda row: self._one(("1e308", "-1e308", "1e400", "nan", "", "5 %", "€ 3", odd)),
        )
        return self._one(forms)

    def lesson_text(self):
        """A lesson's file: one that comes with kpviz and was edited, or one of many scenes."""
        if self._is(0.6):
            return self._edited(self._one(lessons())[1])
        scenes = []
        for number in range(self._some(1, 2, 12)):
            link = (
                f"v=1&kernel=formula&formula={_quoted(self.formula())}"
                if self._is(0.6)
                else self.link()
            )
            words = self._one(
                (
                    self.text(),
                    f"${self.text()}$",
                    "> " * 50 + "x",
                    "*" * 999,
                    "[" * 300,
                    "|a|" * 300,
                )
            )
            task = f"```task {self._one(('number', 'choose', 'reach', 'predict', 'click', 'perform', 'zzz'))}\n"
            task += (
                f"ask: {self.text()}\nvalue: {self._one(('score(3)', 'k(1, 2)', self.formula()))}\n"
            )
            task += f"until: {self._one(('mistakes == 0', 'converged', self.formula()))}\n```"
            scenes.append(
                f"## Scene {number}\nlink: {link}\n\n{words}\n\n{task if self._is(0.5) else ''}"
            )
        return "---\ntitle: A lesson\nauthor: x\nlanguage: en\n---\n\n" + "\n\n".join(scenes)

    def _edited(self, text):
        """A text in which some lines are gone, there many times, or others."""
        lines = text.split("\n")
        for _ in range(self._some(0, 1, 2, 6)):
            at = self._chance.randrange(len(lines))
            edit = self._one(("gone", "many", "other", "value", "value", "moved", "cut"))
            if edit == "gone" and len(lines) > 1:
                del lines[at]
            elif edit == "many":
                lines[at:at] = [lines[at]] * self._some(2, 20, 150)
            elif edit == "other":
                lines[at] = self.text()
            elif edit == "value":
                lines[at] = (
                    f"{lines[at].partition(':')[0]}: "
                    f"{self._one((self.text(), self.formula(), self.link()))}"
                )
            elif edit == "moved":
                lines.insert(self._chance.randrange(len(lines)), lines.pop(at))
            else:
                lines[at] = lines[at][: self._chance.randrange(len(lines[at]) + 1)]
        return "\n".join(lines)[:_LONGEST]

    def _brought(self):
        """What a browser says that it has kept."""
        records = (
            {"name": "points", "value": self._one(_DRAWINGS)},
            {"name": "open", "value": self._value_of_open()},
            {"name": "paste", "value": self._value_of_paste()},
            {"name": "csv", "value": {"name": "a.csv~0123456789ab", "text": "a,b,c\n1,2,x\n"}},
            {"name": "open", "value": {"name": 1}},
            None,
        )
        return {self._one(("a.csv~0123456789ab", "~0123456789ab", self.text())): self._one(records)}

    # ---- chance ----

    def text(self):
        return self._one(
            (self._one(HOSTILE), self._one(HOSTILE), self._one(BOMBS), "0.5", "x", "gaussian")
        )

    def _lesson_name(self):
        return self._one(
            (self._one(lessons())[0], "../../../etc/passwd", "con", "x" * 300, self.text())
        )

    def _mutated(self, question):
        """A question in which one value, at any depth, is another one, or gone, or there under
        another name.
        """
        places = [*_places(question)]
        at = self._one(places)
        others = (
            self._one(_TYPES),
            self._one(_TYPES),
            self._one(HOSTILE),
            self._one(BOMBS),
            _nested(self._some(2, 400, 800)),
            {self._one(STRANGE_KEYS): 1},
            [1] * 3000,
            [_value(question, self._one(places))] * self._some(1, 3, 150),
            _value(question, self._one(places)),
        )
        return _with(question, at, self._one(others), gone=self._is(0.15))

    def _one(self, values):
        return self._chance.choice(values)

    def _some(self, *numbers):
        return self._chance.choice(numbers)

    def _is(self, share):
        return self._chance.random() < share


def message(seed, number):
    """Return the message of a seed and a number: a text or bytes, of which most are a question."""
    chance = random.Random(f"{seed} {number}")
    question = Writer(chance).question()
    if chance.random() < 0.97:  # as a page does: else any number, or none
        question["n"] = number
    if chance.random() < 0.02:
        question["cancel"] = True
    text = json.dumps(question, ensure_ascii=False)
    if chance.random() < 0.5 or (_HALVES.search(text) and chance.random() < 0.9):
        text = json.dumps(question)
    form = chance.choices(("text", "bytes", "cut", "twice", "other"), (20, 2, 0.3, 1, 0.3))[0]
    if form == "cut":
        text = text[: chance.randrange(len(text))]
    elif form == "twice":
        twice = chance.choice(
            ('"link": "v=1", "link": [1], ', '"kind": "curve", "kind": "run", ', '"n": 1, ')
        )
        text = "{" + twice + text[1:]
    elif form == "other":
        text = chance.choice(
            ("", "null", "[]", "17", "[" * 5000, '{"n":' * 900, '{"n": 1e400}', '"\\ud800"', "{}")
        )
    is_text = form != "bytes" and not _HALVES.search(text)  # what no browser can send as text
    return text if is_text else text.encode("utf-8", "surrogatepass")


def _quoted(text):
    """A text as a value of a link; what is no text of UTF-8 stays as it is."""
    return "".join(f"%{ord(sign):02X}" if sign in "%&+# =?;" else sign for sign in text)


def _nested(depth):
    value = []
    for number in range(depth):
        value = {"a": value} if number % 2 else [value]
    return value


def _places(value, place=()):
    """Yield the places of all values but the deepest, each as the keys that lead to it."""
    yield place
    if len(place) == _DEEPEST:
        return
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _places(part, (*place, key))
    elif isinstance(value, list):
        for index, part in enumerate(value[:20]):
            yield from _places(part, (*place, index))


def _value(value, place):
    for key in place:
        value = value[key]
    return value


def _with(value, place, other, *, gone=False):
    """Return a value with another one at a place, or without it."""
    if not place:
        return other if isinstance(other, dict) else value
    key, *further = place
    copy = list(value) if isinstance(value, list) else dict(value)
    if gone and not further:
        del copy[key]
    else:
        copy[key] = other if not further else _with(value[key], further, other, gone=gone)
    return copy
