"""The player in the embedded JavaScript engine: its own modules, asked for numbers, marks and
words.
"""

import json
import re
from functools import lru_cache
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
from reader import Reader

from kpviz import experiment, panels
from kpviz.lessons import comparison, presets
from kpviz.picture import bridge
from kpviz.player import fisher, modules, payload
from kpviz.player.comparison import Comparison
from kpviz.player.experiment import Experiment
from kpviz.settings import Settings, conditions, from_query
from kpviz.settings.cues import Cues
from kpviz.settings.fisher_link import read_link
from kpviz.settings.view import read_view

ENTRY = "page/standalone.js"  # imports all other modules of a player


def middle(mark):
    """Where one points at a mark."""
    return mark["x"] + mark.get("w", 0) / 2, mark["y"] + mark.get("h", 0) / 2


class Engine(bridge.Engine):
    """The engine with all modules of the player; `load("run/run.js")` gives one of them."""

    def __init__(self):
        super().__init__()
        self._functions = {}
        script = modules.script(ENTRY)
        names = re.findall(r"^const (\$\w+) = \(\(\) =>", script, re.MULTILINE)
        here = Path(__file__).parent
        probe, bench = (
            path.read_text(encoding="utf-8")
            for path in (here.with_name("probe.js"), here / "bench.js")
        )
        load = (
            'globalThis.load = (path) => all["$" + path.replace(".js", "").replaceAll("/", "_")];'
        )
        self._js.eval(
            f"(() => {{ {script}\nconst all = {{ {', '.join(names)} }};\n{load}\nconst probe = "
            f"{probe}{bench} }})(); 0"
        )

    def take(self, data):
        """Put bytes where scripts find them, as `kpviz.bytes`."""
        self._js.eval(f"kpviz.room({len(data)})")[:] = data

    def value(self, expression):
        """The value of an expression; typed arrays are lists, and what JSON has no word for is
        None.
        """
        text = str(self._js.eval(f"tests.value({expression})"))
        floats = self._bytes("tests.floats").view(np.float64) if '"floats"' in text else ()
        return json.loads(
            text,
            object_hook=lambda one: (
                floats[slice(*one["floats"])].tolist() if "floats" in one else one
            ),
        )

    def marks(self, panel, look):
        """The marks of a panel of the player on the bench; not by `value`, since that writes texts
        of texts.
        """
        return json.loads(
            str(self._js.eval(f"tests.marks({json.dumps(panel)}, {json.dumps(look)})"))
        )

    def call(self, function, *args):
        """What a function returns for these arguments; it is compiled once."""
        name = self._functions.get(function)
        if name is None:
            name = f"tests.called{len(self._functions)}"
            self._js.eval(f"{name} = {function}; 0")
            self._functions[function] = name
        return self.value(f"{name}({', '.join(map(json.dumps, args))})")


class Bench(Reader):
    """A player that opens links as the app does; nobody answers what it sends."""

    def __init__(self, engine):
        self.engine = engine

    def open(self, path="/", size=None):
        """Open a link of the board, or of Fisher's page, as `/fisher?v=1`."""
        where, _, query = path.partition("?")
        is_fisher = where.endswith("fisher")
        self.engine.take(fisher_sent(query) if is_fisher else sent(query))
        page = "fisher" if is_fisher else "play"
        self.engine.call("(size, page) => tests.open(size, page)", size, page)
        return self.rest()

    def js(self, expression, arg=None):
        """The value of an expression in s: the player, what it is made of, and its board."""
        names = "const s = tests.bench, load = (path) => tests.probe(globalThis.load(path));"
        return self.engine.call(f"(arg) => {{ {names} return ({expression}); }}", arg)

    def marks(self, panel, **look):
        """As everywhere; those whose texts are others do not leave the engine."""
        texts = {key: value for key, value in look.items() if isinstance(value, str)}
        marks = self.engine.marks(panel, texts)
        return [
            mark for mark in marks if all(mark.get(key) == value for key, value in look.items())
        ]

    def rest(self):
        """Let time pass until nothing moves."""
        self.engine.value("tests.bench.settle()")
        return self

    def until(self, expression, arg=None):
        """What needs no server holds at once."""
        self.rest()
        assert self.js(expression, arg), f"{expression}, but {self.values(expression)}"
        return self

    def reading(self):
        """coef, b, field and scores of the instant."""
        coef, b, field, scores = self.js(
            "((n) => [n.coef, n.b, n.field, n.scores])(s.run.reading(s.t))"
        )
        return np.array(coef), b, np.reshape(field, (96, 96)), np.array(scores)

    def go(self, t):
        self.js("(s.go(arg), 0)", t)
        return self.rest()

    def find_out(self, **values):
        """Tell the player what is known of its run, which has these settings."""
        self.engine.take(_verdict(Settings.of(**values)))
        self.js("(s.player.verdicts.take(s.run, kpviz.bytes), 0)")
        return self.rest()

    def press(self, *keys):
        for key in keys:
            self.js("(s.press(arg), 0)", key)
        return self.rest()

    def point(self, x, y):
        """Move the pointer to a place of the board."""
        self.js("(s.point({ px: arg[0], py: arg[1] }), 0)", [float(x), float(y)])
        return self

    def click(self, x, y):
        self.js("(s.click({ px: arg[0], py: arg[1] }), 0)", [float(x), float(y)])
        return self.rest()

    def away(self):
        """Move the pointer off the board."""
        self.js("(s.point(null), 0)")
        return self


@lru_cache(maxsize=256)  # each board of the gallery is opened for a dozen laws
def sent(query):
    """The bytes that the app sends when it opens a link."""
    pairs = presets.whole(dict(parse_qsl(query, keep_blank_values=True)))
    settings, _ = from_query(
        {key: value for key, value in pairs.items() if not comparison.is_key(key)}
    )
    view, _ = read_view(pairs)
    pins, _ = comparison.read(pairs, settings)
    plain = settings.without_cues
    panel_names = (
        panels.shown_by_default(plane=conditions.has_plane(settings.values))
        if view.show is None
        else view.show
    )
    lineup, packed = _trained(plain, tuple(pins), tuple(panel_names), view.over)
    return lineup.enclosed(packed, view, Cues.of_code(settings.cues))


def fisher_sent(query):
    """The bytes that the app sends when it opens a link of Fisher's page."""
    settings, view, _ = read_link(dict(parse_qsl(query, keep_blank_values=True)))
    return fisher.envelope(fisher.encode(settings), settings, view)


@lru_cache(maxsize=32)
def _verdict(settings):
    split = experiment.prepare(settings)
    return payload.encode_verdict(Experiment.of(settings, split, experiment.run(settings, split)))


@lru_cache(maxsize=32)  # the same runs are opened on stages of many sizes, at many instants
def _trained(settings, pins, panel_names, over):
    split = experiment.prepare(settings)
    lineup = Comparison.of(settings, split, experiment.run(settings, split), pins)
    return lineup, lineup.runs(panel_names, over=over)
