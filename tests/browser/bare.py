"""The player in a browser without the app round it: its page, and a session in this process that answers it."""

import json
import threading
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from urllib.parse import parse_qsl, urlsplit

from driver import MODULES

from kpviz import tokens
from kpviz.app import commands, state
from kpviz.player import modules

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
import start from "/player.js";
const parentElement = document.querySelector(".host").attachShadow({{ mode: "open" }});
parentElement.innerHTML = `<style>${{{style}}}</style><div class="kpviz"></div>`;
const fetched = async (path, options) => {{
  const response = await fetch(path, options);
  return [response.headers.get("X-Session"), new Uint8Array(await response.arrayBuffer())];
}};
const [session, opened] = await fetched(`/session${{location.search}}`);
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


class Server(ThreadingHTTPServer):
    """Answers on a port of its own until it is closed."""

    daemon_threads = True

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
        if parts.path == "/session":
            with self.server.lock:
                self.server.sessions.append(state.open_link(dict(parse_qsl(parts.query, keep_blank_values=True))))
                self._run(len(self.server.sessions) - 1)
        elif parts.path == "/player.js":
            self._answer(player().encode(), "text/javascript", kept=True)
        elif parts.path.startswith(MODULES):
            self._answer(modules.frontend(parts.path.removeprefix(MODULES)).encode(), "text/javascript", kept=True)
        elif parts.path.startswith("/fonts/"):
            self._answer((WEB / parts.path[1:]).read_bytes(), "font/woff2", kept=True)
        else:
            self._answer(page().encode(), "text/html; charset=utf-8")

    def do_POST(self):
        value = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        number = int(self.path.removeprefix("/session/"))
        with self.server.lock:
            commands.carry_out(self.server.sessions[number], value["log"])
            self._run(number)

    def _run(self, number):
        data = state.stage_data(self.server.sessions[number], lambda *_: None)
        self._answer(data, "application/octet-stream", session=number)

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
def player():
    return modules.script("shell/index.js") + "\nexport default start;\n"


@cache
def page():
    return PAGE.format(
        font=tokens.FONTS["canvas"],
        light=variables("light"),
        dark=variables("dark"),
        style=json.dumps(modules.frontend("shell/stage.css")),
    )


def variables(theme):
    return " ".join(f"--st-{name}-color: {tokens.THEMES[theme][own]};" for name, own in COLOURS.items())
