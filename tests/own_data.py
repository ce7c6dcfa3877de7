"""Points and tables of one's own, and what the page makes of them."""

from urllib.parse import unquote

import numpy as np
from playing import opened, ran

from kpviz import experiment
from kpviz.app import shared
from kpviz.engine.data.drawn import Drawn

POINTS = Drawn.of(np.array([[0.0, 0.5], [0.5, -0.5], [1.0, 0.0], [-1.0, 0.25]]), np.array([1.0, -1.0, 1.0, -1.0]))
TABLE = "width,height,kind\n" + "".join(f"{7 * i % 40},{i * i % 17},{'ab'[i % 2]}\n" for i in range(40))


def here(at):
    return at.session_state["session"]


def query_of(settings):
    return {key: unquote(value) for key, _, value in (part.partition("=") for part in settings.link().split("&"))}


def sent(at):
    return bytes(at.get("bidi_component")[0].proto.bytes)


def chip(at):
    return at.get("popover")[0].proto.popover.label


def examples(settings):
    split = experiment.prepare(settings, shared.table(settings))
    return split.source


def is_a_sentence(text):
    return text.endswith(".") and "\n" not in text and "Traceback" not in text and len(text) < 300


def uploaded(text, at=None, name="mine.csv", **query):
    at = at or opened("data", **query)
    return ran(at, at.file_uploader(key="upload").set_value((name, text.encode(), "text/csv")))
