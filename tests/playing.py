"""The player's page, opened as Streamlit opens it, for the tests of what is on it."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

import kpviz
from kpviz.engine.learners import LEARNERS
from kpviz.player import payload
from kpviz.settings import LINK_NAMES

APP = str(Path(kpviz.__file__).parent / "app" / "pages.py")


def page(chip=None, **query):
    """The page of a link, with the popover of a chip open if one is named; it has not run yet."""
    at = AppTest.from_file(APP, default_timeout=60)
    at.query_params.update(query)
    if chip:
        at.session_state[f"chip-{chip}"] = True
    return at


def opened(chip=None, **query):
    return ran(page(chip, **query))


def ran(at, *_acts):
    """Run it after what a hand did, and expect no exception and one player."""
    at.run()
    assert not at.exception, at.exception[0].message
    assert len(at.get("bidi_component")) == 1
    return at


def of_page(at):
    return at.session_state["session"].settings


def sent(at):
    return bytes(at.get("bidi_component")[0].proto.bytes)


def parts_sent(at):
    """Header of the envelope, and the run's bytes behind it."""
    envelope, _ = payload.unpack(sent(at))
    head = payload.pack({key: value for key, value in envelope.items() if key != "arrays"}, {})
    assert sent(at).startswith(head)
    return envelope, sent(at)[len(head) :]


def header(at):
    """Header of the run."""
    return payload.unpack(parts_sent(at)[1])[0]


def labels(at):
    return [popover.proto.popover.label for popover in at.get("popover")]


def widgets(at):
    found = [*at.slider, *at.select_slider, *at.selectbox, *at.number_input, *at.button_group]
    return {widget.key.removeprefix("set-"): widget for widget in found}


def parameters(name):
    """Names in links of a learner's parameters."""
    kind = LEARNERS[name]
    return {LINK_NAMES.get(parameter, parameter) for parameter in (*kind.ranges, *getattr(kind, "choices", {}))}
