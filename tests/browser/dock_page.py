"""The settings beside the map without a player: a page that plays who they ask, and notes what it
is asked for.
"""

import json

import markup

from kpviz.player import modules

PATH, SCRIPT_PATH = "/dock", "/dock/page.js"
SCRIPT = """
import { addTypeface } from "/page/typeface.js";
const { Dock } = $page_dock_dock;
let held = null;
const modes = { enter: (mode) => (held = mode), leave: () => (held = null) };
addTypeface();
const root = document.querySelector(".kpviz");
const noted = { asked: [], wanted: [], marks: [], links: [], opened: [], dialogs: [] };
const page = (window.page = { ...noted, answered: Infinity, n: 0 });
const ask = (entry) => (page.asked.push(entry), ++page.n);
const session = {
  command: (name, value = null) => ask({ name, value }),
  drag: (name, value, when) => ask({ name, value, ...when }),
  awaits: (n) => n > page.answered,
  see: (groups) => page.wanted.push(groups),
};
const host = {
  modes,
  session,
  dialog: (name) => page.dialogs.push(name),
  open: (files) => page.opened.push(files.map(({ name }) => name)),
  opened: (group) => page.marks.push(group),
  opener: () => opener,
  taken: (tree, link) => page.links.push(link),
  arrange: () => page.dock?.place({ dock: page.dock.open && page.rect, sheet: page.sheet }),
};
const box = root.getBoundingClientRect();
page.rect = { x: box.width - 300, y: 0, w: 300, h: 560 };
const opener = document.querySelector(".settings");
page.dock = new Dock(root, host);
opener.onclick = () => page.dock.toggle();
// as the listener of the player does it, before those that listen on the document
window.addEventListener("keydown", ({ key }) => held?.endsAtKey(key) && held.end(), true);
"""
STYLE = """body { padding: 0 12px; }
.kpviz { height: 600px; }"""
BODY = """<link rel="stylesheet" href="/page/stage.css">
<link rel="stylesheet" href="/page/dock/dock.css">
<button class="settings">Settings</button>
<div class="kpviz"></div>
<script type="module" src="%s"></script>"""


def html():
    return markup.html(STYLE, BODY % SCRIPT_PATH)


def script():
    """One file for all modules."""
    return f"{modules.script('page/dock/dock.js')}\n{SCRIPT}"


class DockPage:
    """A page with a dock, which it gives the trees of a test."""

    def __init__(self, page, base):
        self.page = page
        self.address = f"{base}{PATH}"
        self.errors = []
        page.on(
            "console", lambda message: message.type == "error" and self.errors.append(message.text)
        )
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def open(self, **groups):
        """Open the page anew, with the fields of these groups."""
        self.page.goto(self.address)
        self.page.wait_for_function("window.page?.dock")
        return self.take(**groups)

    def take(self, **groups):
        """Give the dock a tree."""
        self.page.evaluate(
            "([tree, link]) => page.dock.take(tree, link)", [tree(**groups), "v=1&sigma=0.2"]
        )
        return self

    def tab(self, group):
        return self.page.locator(f".dock [data-group={group}]")

    def show(self, group):
        if not self.page.locator(".dock").is_visible():
            self.page.locator(".settings").click()
        self.tab(group).click()
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
        script = (
            "(e => e.getAttribute('aria-label') ?? e.dataset.group ?? "
            "e.labels?.[0]?.textContent ?? e.textContent)"
        )
        return self.page.evaluate(f"{script}(document.activeElement)")


def tree(**groups):
    tabs = [
        {"group": group, "label": group.capitalize(), "set": said, "tip": group}
        for group, said in {
            "data": "XOR",
            "kernel": "Gaussian",
            "learner": "Perceptron",
            "compare": "",
        }.items()
    ]
    return json.loads(json.dumps({"tabs": tabs, "buttons": [], "quick": None, "groups": groups}))
