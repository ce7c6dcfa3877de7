"""The player, or Fisher's board, with the run service and without Streamlit: pages that mount it as
Streamlit does.
"""

import json
import re
from functools import cache
from importlib.resources import files

import dock_page
import in_a_folder
import markup
from driver import MODULES
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from kpviz.player import modules
from kpviz.server import opened_file
from kpviz.server.pool import Pool
from kpviz.server.route import Service
from kpviz.service.answer import answer

WEB = files("kpviz.player") / "web"
ENTRIES = {"/": "page/index.js", "/fisher": "page/index.js"}
KEPT = {"Cache-Control": "max-age=3600"}
STYLE = """.stMain { height: 100vh; overflow: auto; }
.host { padding: 4px 8px 0; }
@media (max-height: 559px) or (max-width: 899px) { .host { padding-top: 0; } }"""
BODY = """<main class="stMain"><div class="host"></div></main>
<script type="module">
import start from "/%s";
const STYLED = `<style>${%s}</style><div class="kpviz"></div>`;
window.triggers = []; // [name, value] of what Streamlit is asked for
const setTriggerValue = (name, value) => triggers.push([name, value]);
let parentElement, stop;
const mount = () => {
  parentElement = document.querySelector(".host").attachShadow({ mode: "open" });
  parentElement.innerHTML = STYLED;
  reply(null);
};
window.reply = (reply) => (stop = start({ data: { reply }, parentElement, setTriggerValue }));
const { pathname } = location;
window.addEventListener("popstate", () => location.pathname === pathname || location.reload()); // another page

// What is beyond the stage, by name; what is in `loose` comes and goes with it.
const loose = /^(__p|\\d|seenStages$|kpvizShared$|kpvizWent$)/;
const ofAxe = /^(axe|__core-js_shared__|elementsFromPoint)$/; // slow to load, it stays
const own = (each) => Object.entries(Object.getOwnPropertyDescriptors(each)).filter(([name]) => !ofAxe.test(name));
const around = () => [
  ...own(window).filter(([name]) => !loose.test(name)),
  ...[document, navigator].flatMap(own),
  ...[document.documentElement, document.body].map((each) => ["", { value: each.cloneNode().outerHTML }]),
  ["", { value: document.body.childElementCount + document.head.childElementCount }],
];
const same = ([name, now], [known, was]) => name === known && Object.is(now.value, was.value) && now.get === was.get;
// Leave the stage as Streamlit does, and open a link on a new one; false where that differs from loading it.
window.again = (path) => {
  const now = around();
  if (location.pathname !== "/" || new URL(path, location).pathname !== "/") return false;
  if (now.length !== before.length || !now.every((each, k) => same(each, before[k]))) return false;
  stop();
  const { left, keep } = window.kpvizShared;
  window.kpvizShared.carriedOut = "";
  for (const storage of [sessionStorage, localStorage]) storage.clear();
  localStorage.setItem("kpviz-opening", "seen");
  left.clear();
  keep.memory.clear();
  keep.needed.clear();
  triggers.length = 0;
  history.pushState(null, "", path);
  document.querySelector(".stMain").scrollTop = 0; // A page that is loaded is at its top.
  document.querySelector(".host").replaceWith(Object.assign(document.createElement("div"), { className: "host" }));
  mount();
  return true;
};
const before = around();
mount();
</script>"""


class Warm(Pool):
    """Its jobs stay in threads: processes would take longer to start than a test takes."""

    def warm(self):
        pass


def app():
    service = Service(Warm(workers=2), lambda: answer)
    pages = [
        Route(path, lambda request, entry=entry: HTMLResponse(html(entry)))
        for path, entry in ENTRIES.items()
    ]
    scripts = [
        Route(f"/{entry}", lambda request, entry=entry: script(entry)) for entry in ENTRIES.values()
    ]
    dock = [
        Route(dock_page.PATH, lambda request: HTMLResponse(dock_page.html())),
        Route(dock_page.SCRIPT_PATH, lambda request: served(dock_page.script())),
    ]
    files = [Mount(path, StaticFiles(directory=WEB)) for path in (MODULES.rstrip("/"), "/")]
    opened = opened_file.route(lambda: "")
    return Starlette(
        routes=[service.route(), in_a_folder.mount(), opened, *pages, *scripts, *dock, *files]
    )


@cache
def script(entry):
    """One file for all modules: a tab that opens asks for it once."""
    return served(f"{modules.script(entry)}\nexport default start;\n")


def served(text):
    return Response(text, media_type="text/javascript", headers=KEPT)


@cache
def html(entry):
    return markup.html(STYLE, BODY % (entry, json.dumps(style("page/app.css"))))


def style(path):
    """A style sheet with those that it imports."""
    return re.sub(
        r'@import "(.*)";',
        lambda found: style(modules._resolved(path, found[1])),
        modules.frontend(path),
    )
