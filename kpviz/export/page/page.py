"""A page that plays itself: one html file with the player and a run, without server and network.

Tests: tests/export/test_page.py, tests/browser/test_page.py.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import urlsplit

import kpviz
from kpviz import fonts, panels, tokens
from kpviz.export import pace
from kpviz.lessons import explain
from kpviz.player import modules
from kpviz.player.comparison import Comparison
from kpviz.player.extras import EXTRAS
from kpviz.settings import FILE
from kpviz.settings.cues import Cues
from kpviz.settings.view import ViewState

_STYLES = ("page/stage.css",)
THEMES = ("auto", "light", "dark")
_UNNAMED = "A kernel machine learns"
_EMPTY = "There are no examples to learn from, so there is nothing to play: draw some first."
_TEMPLATE = Path(__file__).with_name("page.html")
_START = (
    '\nstart(document.querySelector(".kpviz"), '
    'JSON.parse(document.getElementById("run").textContent));\n'
)
# The player of several pages brings their style: `one_script` defines STYLE.
_START_SHARED = f"""
document.head.append(Object.assign(document.createElement("style"), {{ textContent: STYLE }}));
document.querySelector(".kpviz").textContent = "";
{_START}"""
_ENTRY = "page/standalone.js"
NO_SCRIPT = "This page is a player written in JavaScript: allow it, and load the page again."
# In characters: a longer page goes without its typeface, as a mail takes two million.
_LONGEST_WITH_TYPEFACE = 1_500_000
# The numbers of these panels are in the page only if it opens with them.
_PANELS_WITH_EXTRAS = frozenset(EXTRAS)
# This script alone, and no request: styles have only the images and fonts within the page.
_POLICY = (
    "default-src 'none'; script-src 'ONE'; style-src 'unsafe-inline'; img-src data: blob:; "
    "media-src blob:; font-src data:; base-uri 'none'; form-action 'none'"
)
# What Streamlit calls the colours of its theme, and what we do.
_VARIABLES = {
    "background": "paper",
    "secondary-background": "panel",
    "text": "ink",
    "primary": "accent",
    "border": "rule",
    "red": "positive",
}


@dataclass(frozen=True)
class Variation:
    """The runs of several values of one number; a page shows the one that its slider is at.

    Attributes
    ----------
    name : what the slider is called. values : as they are written, ascending. runs : of each; at :
        the first shown.
    """

    name: str
    values: tuple[str, ...]
    runs: tuple[Comparison, ...]
    at: int


def page(
    experiments: Comparison,
    cues: Cues,
    *,
    view: ViewState | None = None,
    theme: str = "auto",
    autoplay: bool = True,
    loop: bool = False,
    speed: float | None = None,
    address: str | None = None,
    player: str | None = None,
    instead: str | None = None,
    variation: Variation | None = None,
) -> str:
    """Return a page that shows a run as the app does, and plays it.

    It asks for nothing: its security policy forbids every request. The lecturer's notes are left
    out, as anyone may read it. The same arguments give the same text.

    Parameters
    ----------
    experiments : what to show. cues : held for their seconds.
    view : at which step it opens, and with which panels; None: at the start, with the default ones.
    theme : "light", "dark", or "auto", as the reader's system has it.
    autoplay : begin to play when it is seen, unless the reader's system asks for less motion.
    loop : start over some seconds after the end.
    speed : steps per second; None: the default.
    address : where the app is, for links out of the page; None: it makes none.
    player : where the file of `shared_player` is, seen from the page; None: the page carries the
        player.
    instead : None makes a page of its own. A figure, a page within another one, has no heading, and
        `instead` is the html that stands there without JavaScript.
    variation : the runs of other values of a number, for which the page has a slider.

    Raises
    ------
    ValueError
        One sentence: there are no examples, numbers are too large to be drawn, or an argument is
        none of these.
    """
    cues = cues.without_notes
    experiment = experiments.current
    settings = experiments.current.settings
    run = experiment.run
    if not len(run.y):
        raise ValueError(_EMPTY)
    slowest = tokens.SPEED["slowest"]
    fastest = tokens.SPEED["fastest"]
    if speed is not None and not slowest <= speed <= fastest:
        raise ValueError(
            f"speed is {speed!r}: give {slowest:g} to {fastest:g} steps per second, or None."
        )
    opened = ViewState() if view is None else view
    extra_names = _PANELS_WITH_EXTRAS & {
        *(opened.show or panels.shown_by_default(plane=experiment.where.is_plane))
    }
    # No link holds a stored data set or a file.
    linked = settings is not None and settings.stored_name is None and settings.data != FILE
    # A panel whose numbers are not in the page is not offered.
    left_out = _PANELS_WITH_EXTRAS - extra_names
    options = {
        "panels": [name for name in panels.IN_LINKS if name not in left_out],
        "address": plain_address(address) if address is not None and linked else None,
        "holds": _holds(experiments, cues),
        "autoplay": autoplay,
        "loop": loop,
        "speed": speed,
        "run": compressed(experiments.packed(opened, cues, extra_names))
        if variation is None
        else "",
        "vary": None if variation is None else _varied(variation, opened, cues, extra_names),
    }
    data_title = experiment.title or _UNNAMED
    # The last predictor is the default, and is not named.
    predictor_name = "" if experiment.predictor == "last" else experiment.predictor
    # A page with a variation says which number is turned in the kernel's place.
    kernel = experiment.kernel if variation is None else ""
    model = " · ".join(filter(None, (kernel, experiment.about.title, predictor_name)))
    return _html_of(
        options,
        theme=theme,
        title=cues.title or f"{data_title} · {model}",
        heading=cues.title or data_title,
        about=[cues.by, data_title if cues.title else "", model],
        player=player,
        instead=instead,
    )


def _holds(experiments: Comparison, cues: Cues) -> dict[int, float]:
    """Return how many seconds the run is held at each cue.

    What has no words is held until its sentence is read.
    """
    experiment = experiments.current
    run = experiments.current.run
    held = pace.places(run).held(cues)
    classes = experiment.split.source.classes
    sentences = {
        t: explain.explain(run, t, stream=experiment.stream, classes=classes).sentence for t in held
    }
    return {t: cue.seconds(sentences[t]) for t, cue in held.items()}


def _varied(
    variation: Variation, view: ViewState, cues: Cues, extra_names: Collection[str]
) -> dict[str, Any]:
    """Return the runs of a variation, each packed under a name of its own, so that the player keeps
    them all.
    """
    runs = []
    for number, experiments in enumerate(variation.runs):
        packed = experiments.runs(extra_names, over=view.over, name=f"run-{number}")
        run = compressed(experiments.enclosed(packed, view, cues))
        runs.append(
            {"value": variation.values[number], "run": run, "holds": _holds(experiments, cues)}
        )
    return {"name": variation.name, "at": variation.at, "runs": runs}


@cache
def shared_player() -> str:
    """Return the player as one script for any number of pages.

    A file beside them, loaded by `<script src>`. It is no module, and it carries typeface and
    styles: a page on a disk or in a sandbox may load neither modules nor fonts from files.
    """
    return one_script(_ENTRY, _STYLES)


def one_script(entry: str, styles: Sequence[str]) -> str:
    """Return a player as one script with its styles and the typeface, which starts by itself."""
    style = json.dumps(f"{typeface()}\n{style_of(styles)}", ensure_ascii=False)
    script = f"{modules.script(entry)}\nconst STYLE = {style};{_START_SHARED}"
    return f'// kpviz {kpviz.__version__}\n(() => {{\n"use strict";\n{script}\n}})();\n'


def compressed(data: bytes) -> str:
    """Return bytes as the text in which a page holds them.

    Always compressed: every browser since 2023 can undo it, and one way is simpler to trust than
    two.
    """
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def plain_address(address: str) -> str:
    """Return the app's address without its query; ValueError, of one sentence, if it is none."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError(f"address is {address!r}: give one that begins with http:// or https://.")
    return f"{parts.scheme}://{parts.netloc}{parts.path or '/'}"


def _html_of(
    options: dict[str, Any],
    *,
    theme: str,
    title: str,
    heading: str,
    about: Sequence[str],
    player: str | None,
    instead: str | None,
) -> str:
    """Return a page that calls the player with its element and `options`."""
    if theme not in THEMES:
        raise ValueError(f"theme is {theme!r}: give one of {', '.join(THEMES)}.")
    is_figure = instead is not None
    run = json_script(options, "run")
    without = f"<noscript>{NO_SCRIPT if instead is None else instead}</noscript>"
    if player is None:
        script = f"\n{modules.script(_ENTRY)}{_START}"
        allowed_script = digest(script)
        element = f'<script type="module" id="player">{script}</script>'
        length = len(run) + len(script) + len(typeface())
        face = typeface() if length < _LONGEST_WITH_TYPEFACE else ""
        style = f"{face}\n{style_of(_STYLES)}"
    else:
        allowed_script, element = loaded_script(shared_player(), player)
        style = ""
        without += late(player)
    about_html = html.escape(" · ".join(part for part in about if part))
    header = (
        ""
        if is_figure
        else f"<header><h1>{html.escape(heading)}</h1><p>{about_html}</p></header>\n"
    )
    return document(
        f'{header}<main><div class="kpviz">{without}</div></main>\n{run}\n{element}',
        title=title,
        theme=theme,
        style=style,
        allowed_script=allowed_script,
        pictures=is_figure,
    )


def document(
    body: str,
    *,
    title: str,
    theme: str,
    style: str,
    allowed_script: str,
    pictures: bool = False,
    language: str = "en",
    more: str = "",
) -> str:
    """Return a whole page, whose policy allows one script and no request.

    `allowed_script` names it: 'sha256-…' or 'nonce-…'.
    `pictures` : those beside the page may be shown. `more` : what the policy allows besides.
    """
    policy = _POLICY.replace("ONE", allowed_script) + more
    return Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        policy=policy.replace("img-src", "img-src 'self'") if pictures else policy,
        version=kpviz.__version__,
        language=language,
        title=html.escape(title),
        themes=_themes(theme),
        style=style,
        body=body,
    )


def json_script(value: Any, name: str = "") -> str:
    """Return an element that holds data: an answer, or what has a name."""
    text = json.dumps(value, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    mark = f'id="{name}"' if name else 'class="answer"'
    return f'<script type="application/json" {mark}>{text}</script>'


def late(player: str) -> str:
    """Return what a page says some seconds later, if the file of the player does not come."""
    words = f"The player is missing: this page loads it from {html.escape(player)}."
    return f'<p class="late">{words}</p>'


def loaded_script(script: str, address: str) -> tuple[str, str]:
    """Return what a policy allows of a script in a file of its own, and the element that loads it.

    It is a nonce, as 'self' names nothing in a page from a disk.
    """
    once = hashlib.sha256(script.encode()).hexdigest()[:16]
    return f"nonce-{once}", f'<script nonce="{once}" src="{html.escape(address)}"></script>'


def still(picture: str, alt: str) -> str:
    """Return the picture that stands in a frame without JavaScript."""
    look = 'style="display: block; max-width: 100%; max-height: 96vh; margin: auto"'
    return f'<img src="{html.escape(picture)}" alt="{html.escape(alt)}" {look}>'


def frame(text: str, *, title: str, height: int) -> str:
    """Return the html of a frame that holds a page, within another one."""
    return (
        f'<iframe class="kpviz-figure" title="{html.escape(title)}" srcdoc="{html.escape(text)}" '
        f'loading="lazy" allow="fullscreen; clipboard-write" '
        f'style="width: 100%; height: {height}px; border: 0"></iframe>'
    )


def style_of(paths: Sequence[str]) -> str:
    """Return files of the player's style as one."""
    return "\n".join(map(modules.frontend, paths))


def digest(script: str) -> str:
    """Return the hash by which a policy names a script within its page."""
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"


@cache
def typeface() -> str:
    """Return the rules that bring the app's typeface along.

    In another one, words are wider than their places.
    """
    rules = [
        "/* Source Sans and Source Code Pro, by Adobe, under the SIL Open Font License 1.1; "
        "DejaVu Sans. */"
    ]
    for face in fonts.FACES:
        file = files("kpviz.player") / "web" / "fonts" / f"{face.name}.woff2"
        least, most = face.weights
        rules.append(
            f"@font-face {{ font-family: '{face.family}'; font-weight: {least} {most}; "
            f"src: url(data:font/woff2;base64,{base64.b64encode(file.read_bytes()).decode()}) "
            f"format('woff2'); }}"
        )
    return "\n".join(rules)


def _themes(theme: str) -> str:
    """Return the variables of Streamlit's themes that the player reads, for one theme or "auto"."""
    if theme != "auto":
        return _variables(theme)
    return f"{_variables('light')}\n@media (prefers-color-scheme: dark) {{ {_variables('dark')} }}"


def _variables(theme: str) -> str:
    colours = tokens.THEMES[theme]
    variables = "".join(
        f" --st-{name}-color: {colours[token]};" for name, token in _VARIABLES.items()
    )
    return f":root {{ color-scheme: {theme}; --st-font: {tokens.FONTS['canvas']};{variables} }}"
