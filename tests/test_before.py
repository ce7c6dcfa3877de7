"""Links, settings files, cues and tables of an earlier kpviz open as they did then.

What lies in `tests/before` was written by that kpviz, and is never written anew: a line may be
added, none changed."""

import hashlib
import json
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest

from kpviz import experiment
from kpviz.engine.data.tables import read_table
from kpviz.export import settings_file
from kpviz.lessons import comparison
from kpviz.settings import Settings, from_query
from kpviz.settings.cues import Cues
from kpviz.settings.fisher_link import read_link as read_fisher
from kpviz.settings.view import read_view

BEFORE = Path(__file__).parent / "before"
OPENED = json.loads((BEFORE / "opened.json").read_text(encoding="utf-8"))
QUARTERS = (0.25, 0.5, 0.75, 1.0)


def digest(values):
    return hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest()[:16]


def ran(settings, table=None):
    """A run's course: which examples were shown, which were mistakes, and the expansion at four
    instants.
    """
    run = experiment.run(settings, experiment.prepare(settings, table))
    states = [run.state_at(int(share * run.n_steps)) for share in QUARTERS]
    return {
        "n_steps": run.n_steps,
        "end": run.end,
        "mistakes": int(run.mistake.sum()),
        "shown": digest(run.index.astype("<i4")),
        "mistaken": digest(np.packbits(run.mistake)),
        "support": [len(state.support) for state in states],
        "size": [float(f"{np.abs(state.coef).sum():.9g}") for state in states],
        "intercept": [float(f"{state.intercept:.9g}") for state in states],
    }


FORMER = "tune"  # a panel of older links: settings beside the board take its place


def opened_link(query):
    pairs = dict(parse_qsl(query, keep_blank_values=True))
    settings, notice = from_query(
        {key: value for key, value in pairs.items() if not comparison.is_key(key)}
    )
    pins, problems = comparison.read(pairs, settings)
    view, wrong = read_view(pairs)
    former = [FORMER] if FORMER in pairs.get("show", "").split(".") else []
    return {
        "link": settings.query(),
        "repaired": bool(notice or problems or wrong),
        "t": view.t,
        "show": None if view.show is None else [*view.show, *former],
        "stage": view.stage,
        "turn": None if view.turn is None else list(view.turn),
        "pins": comparison.query(pins),
        "runs": [ran(each) for each in (settings, *(pin.on(settings) for pin in pins))],
    }


def opened_file(name):
    settings, table, notice = settings_file.read((BEFORE / "settings" / name).read_bytes())
    assert settings_file.read(settings_file.write(settings, table))[0] == settings
    return {"link": settings.query(), "repaired": notice is not None, "run": ran(settings, table)}


def opened_table(name):
    table = read_table((BEFORE / "tables" / name).read_bytes(), name)
    settings = Settings.of(data="file", file=name)
    choice = experiment.choice(settings, table)
    return {
        "columns": [*choice.features, choice.label],
        "classes": list(choice.classes),
        "run": ran(settings, table),
    }


def opened_cues(name):
    cues = Cues.read((BEFORE / "cues" / name).read_text(encoding="utf-8"))
    assert Cues.of_code(cues.code) == cues
    return {
        "title": cues.title,
        "by": cues.by,
        "cues": [[cue.line, cue.notes] for cue in cues.cues],
    }


def opened_fisher(query):
    settings, view, notice = read_fisher(dict(parse_qsl(query)))
    return {
        "link": settings.query(),
        "angle": view.angle,
        "threshold": view.threshold,
        "repaired": notice is not None,
    }


OPEN = {
    "links": opened_link,
    "settings": opened_file,
    "tables": opened_table,
    "cues": opened_cues,
    "fisher": opened_fisher,
}
CASES = [(kind, name) for kind, found in OPENED.items() for name in found]


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_what_an_earlier_kpviz_wrote_opens_as_it_did(kind, name):
    found = OPEN[kind](name)
    written = OPENED[kind][name]
    assert found == expected(written)


def test_every_file_is_opened():
    for kind in ("settings", "tables", "cues"):
        assert {path.name for path in (BEFORE / kind).iterdir()} == set(OPENED[kind])


def expected(written):
    """What was written, its numbers up to round-off."""
    if isinstance(written, dict):
        return {key: expected(value) for key, value in written.items()}
    if isinstance(written, list):
        return [expected(value) for value in written]
    return pytest.approx(written, rel=1e-6, abs=1e-9) if isinstance(written, float) else written
