"""The player in a browser without the app round it: a page that Python writes for each link, and no server."""

import base64
import json
from importlib.resources import files
from urllib.parse import urlsplit

from driver import MODULES
from headless import sent

from kpviz import tokens
from kpviz.player import modules

WEB = files("kpviz.player") / "web"
BASE = "http://player.localhost"  # nobody answers there: the context's routes do; browsers trust this name
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
{script}
const host = document.querySelector(".host").attachShadow({{ mode: "open" }});
host.innerHTML = `<style>${{{style}}}</style><div class="kpviz"></div>`;
const data = Uint8Array.from(atob({run}), (letter) => letter.charCodeAt(0));
start({{ data, parentElement: host, setTriggerValue() {{}} }});
</script>
</html>"""


def serve(context):
    """Let a context's tabs open `BASE`."""
    context.route(f"{BASE}/**", lambda route: route.fulfill(**answer(route.request.url)))


def answer(url):
    """What a page is sent for an address."""
    parts = urlsplit(url)
    if parts.path.startswith(MODULES):
        return {"body": modules.frontend(parts.path.removeprefix(MODULES)), "content_type": "text/javascript"}
    if parts.path.startswith("/fonts/"):
        return {"body": (WEB / parts.path[1:]).read_bytes(), "content_type": "font/woff2"}
    return {"body": page(parts.query), "content_type": "text/html"}


def page(query):
    run = base64.b64encode(sent(query)).decode()
    return PAGE.format(
        font=tokens.FONTS["canvas"],
        light=variables("light"),
        dark=variables("dark"),
        script=modules.script("shell/index.js"),
        style=json.dumps(modules.frontend("shell/stage.css")),
        run=json.dumps(run),
    )


def variables(theme):
    return " ".join(f"--st-{name}-color: {tokens.THEMES[theme][own]};" for name, own in COLOURS.items())
