"""The settings beside the map without a player: a page that plays who they ask, and notes what it is asked for."""

import json

import markup

from kpviz.player import modules

PATH, SCRIPT_PATH = "/dock", "/dock/page.js"
SCRIPT = """
import { addTypeface } from "/shell/typeface.js";
const { Dock } = $dock_dock;
addTypeface();
const root = document.querySelector(".kpviz");
const page = (window.page = { asked: [], wanted: [], went: [], opened: [], dialogs: [], answered: Infinity, n: 0 });
const ask = (entry) => (page.asked.push(entry), ++page.n);
const session = {
  command: (name, value = null) => ask({ name, value }),
  stream: (name, value, when) => ask({ name, value, ...when }),
  awaits: (n) => n > page.answered,
  see: (groups) => page.wanted.push(groups),
};
const host = {
  session,
  dialog: (name) => page.dialogs.push(name),
  open: (files) => page.opened.push(files.map(({ name }) => name)),
  go: (name) => page.went.push(name),
  arrange: () => page.dock?.place({ dock: page.dock.open && page.rect, sheet: page.sheet }),
};
const box = root.getBoundingClientRect();
page.rect = { x: box.width - 300, y: 0, w: 300, h: 560 };
const ways = [{ name: "lab", label: "Kernels" }, { name: "fisher", label: "Fisher’s discriminant", own: true }];
page.dock = new Dock(root, host, ways);
"""
STYLE = """body { padding: 0 12px; }
.kpviz { height: 600px; }"""
BODY = """<link rel="stylesheet" href="/shell/stage.css">
<link rel="stylesheet" href="/dock/dock.css">
<div class="kpviz"></div>
<script type="module" src="%s"></script>"""


def html():
    return markup.html(STYLE, BODY % SCRIPT_PATH)


def script():
    """One file for all modules."""
    return f"{modules.script('dock/dock.js')}\n{SCRIPT}"


class DockPage:
    """A page with a dock, which it gives the trees of a test."""

    def __init__(self, page, base):
        self.page = page
        self.address = f"{base}{PATH}"
        self.errors = []
        page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def open(self, **groups):
        """Open the page anew, with the fields of these groups."""
        self.page.goto(self.address)
        self.page.wait_for_function("window.page?.dock")
        return self.take(**groups)

    def take(self, **groups):
        """Give the dock a tree."""
        self.page.evaluate("([tree, link]) => page.dock.take(tree, link)", [tree(**groups), "v=1&sigma=0.2"])
        return self

    def chip(self, group):
        return self.page.locator(f".chips [data-group={group}]")

    def show(self, group):
        self.chip(group).click()
        return self

    def answered(self, upTo):
        """From now on only commands up to this number are answered."""
        self.page.evaluate("(n) => (page.answered = n ?? Infinity)", upTo)
        return self

    def read(self, name):
        """One of the lists of what was asked for."""
        return self.page.evaluate(f"page.{name}")

    @property
    def asked(self):
        return self.read("asked")

    def focused(self):
        """The name of what has the focus."""
        script = "(e => e.getAttribute('aria-label') ?? e.dataset.group ?? (e.labels?.[0]?.textContent || e.tagName))"
        return self.page.evaluate(f"{script}(document.activeElement)")


def tree(**groups):
    chips = [
        {"group": "data", "label": "XOR · 60 points · seed 0", "tip": "What to learn from"},
        {"group": "kernel", "label": "Gaussian, σ = 0.5", "tip": "How similar two examples are"},
        {"group": "learner", "label": "Perceptron · cyclic", "tip": "How it learns, and in which order"},
        {"group": "compare", "label": "Compare", "tip": "Runs side by side"},
    ]
    buttons = [
        {"command": "redraw", "label": "New data", "tip": "The next data seed (N)", "disabled": None},
        {"command": "reorder", "label": "New order", "tip": "There is only one order.", "disabled": "There is one."},
    ]
    return json.loads(json.dumps({"chips": chips, "buttons": buttons, "groups": groups}))
