"""The player, or Fisher's board, without the app round it: a page, and a session in this process that answers it."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from urllib.parse import parse_qsl, urlsplit

from driver import MODULES

from kpviz import tokens
from kpviz.app import commands, fisher_state, state
from kpviz.player import fisher_link, modules

WEB = files("kpviz.player") / "web"
# What the app calls the colours that the player reads.
COLOURS = {
    "background": "paper",
    "secondary-background": "panel",
    "text": "ink",
    "primary": "accent",
    "border": "rule",
    "red": "positive",
}
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<style>
:root {{ --st-font: {font}; {light} }}
@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}
body {{ margin: 0; background: var(--st-background-color); color: var(--st-text-color); }}
.stMain {{ height: 100vh; overflow: auto; }}
.host {{ padding: 48px 12px 0; }}
</style>
<section class="stMain"><div class="host"></div></section>
<script type="module">
import start from "/{entry}";
const parentElement = document.querySelector(".host").attachShadow({{ mode: "open" }});
parentElement.innerHTML = `<style>${{{style}}}</style><div class="kpviz"></div>`;
const fetched = async (path, options) => {{
  const response = await fetch(path, options);
  return [response.headers.get("X-Session"), new Uint8Array(await response.arrayBuffer())];
}};
const [session, opened] = await fetched(`/session${{location.pathname}}${{location.search}}`);
const show = (data) => start({{ data, parentElement, setTriggerValue: (_, value) => send(value) }});
let waiting = null, busy = false;
const send = async (value) => {{
  waiting = value; // the newest holds all that was not answered
  if (busy) return;
  busy = true;
  while (waiting) {{
    const body = JSON.stringify(waiting);
    waiting = null;
    show((await fetched(`/session/${{session}}`, {{ method: "POST", body }}))[1]);
  }}
  busy = false;
}};
show(opened);
</script>
</html>"""


@dataclass(frozen=True)
class Page:
    """The module that a page begins with, and what becomes of its link, its commands and its session."""

    entry: str
    open_link: Callable
    carry_out: Callable
    data: Callable


PAGES = {
    "/": Page(
        "shell/index.js", state.open_link, commands.carry_out, lambda session: state.stage_data(session, lambda *_: 0)
    ),
    "/fisher": Page(
        "fisher/index.js",
        lambda query: fisher_state.FisherSession(*fisher_link.read_link(query)),
        fisher_state.carry_out,
        fisher_state.fisher_data,
    ),
}


class Server(ThreadingHTTPServer):
    """Answers on a port of its own until it is closed."""

    daemon_threads = True
    request_queue_size = 64  # a tab that opens asks for several files at once

    def __init__(self):
        super().__init__(("localhost", 0), Handler)
        self.sessions = []
        self.lock = threading.Lock()  # one at a time: the numbers of the pages are places in the list
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://localhost:{self.server_port}"

    def close(self):
        self.shutdown()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        parts = urlsplit(self.path)
        path = parts.path
        if path.startswith("/session/"):
            page = PAGES[path.removeprefix("/session")]
            with self.server.lock:
                session = page.open_link(dict(parse_qsl(parts.query, keep_blank_values=True)))
                self.server.sessions.append((page, session))
                self._run(len(self.server.sessions) - 1)
        elif path in PAGES:
            self._answer(html(PAGES[path].entry).encode(), "text/html; charset=utf-8")
        elif path.startswith(MODULES):
            self._answer(modules.frontend(path.removeprefix(MODULES)).encode(), "text/javascript", kept=True)
        elif path.startswith("/fonts/"):
            self._answer((WEB / path[1:]).read_bytes(), "font/woff2", kept=True)
        else:
            self._answer(script(path[1:]).encode(), "text/javascript", kept=True)

    def do_POST(self):
        value = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        number = int(self.path.removeprefix("/session/"))
        with self.server.lock:
            page, session = self.server.sessions[number]
            page.carry_out(session, value["log"])
            self._run(number)

    def _run(self, number):
        page, session = self.server.sessions[number]
        self._answer(page.data(session), "application/octet-stream", session=number)

    def _answer(self, body, kind, *, kept=False, session=None):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=3600" if kept else "no-store")
        if session is not None:
            self.send_header("X-Session", str(session))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@cache
def script(entry):
    return f"{modules.script(entry)}\nexport default start;\n"


@cache
def html(entry):
    return PAGE.format(
        entry=entry,
        font=tokens.FONTS["canvas"],
        light=variables("light"),
        dark=variables("dark"),
        style=json.dumps(modules.frontend("shell/stage.css")),
    )


def variables(theme):
    return " ".join(f"--st-{name}-color: {tokens.THEMES[theme][own]};" for name, own in COLOURS.items())
