"""The runs of twelve values of one number, for a page with a slider: without a server this is the
nearest to turning that number.

Tests: tests/browser/test_page.py.
"""

from __future__ import annotations

import numpy as np

from kpviz import experiment
from kpviz.engine.data.tables import Table
from kpviz.export.page.page import Variation
from kpviz.lessons import sweep
from kpviz.lessons.comparison import Pin
from kpviz.player.comparison import Comparison
from kpviz.settings import BY_NAME, Settings

VALUES = 12


def variation(
    settings: Settings, name: str, pins: tuple[Pin, ...] = (), table: Table | None = None
) -> Variation:
    """Return the runs of twelve values of a setting's range, that of the settings among them.

    ValueError, of one sentence: there is no such setting, it is not a number, or it does not apply.
    """
    sweep.checked(settings, name, None)  # It raises the ValueError.
    chosen = float(settings.values[name])
    # These are only about as many as are asked for: at most twelve of them are taken, evenly
    # spread.
    spread = sweep.values_of(settings, name, VALUES)
    places = np.linspace(0, len(spread) - 1, min(VALUES, len(spread)))
    values = [spread[round(place)] for place in places]
    # The value of the settings takes the place of the nearest.
    nearest = int(np.argmin([abs(value - chosen) for value in values]))
    values[nearest] = chosen
    number_range = BY_NAME[name].range_for(settings.values)
    runs = []
    for value in values:
        changed = settings.replace(**{name: int(value) if number_range.integer else value})
        changed_pins = [pin.with_settings(settings, changed) for pin in pins]
        runs.append(Comparison.trained(changed, experiment.prepare(changed, table), changed_pins))
    labels = tuple(f"{value:.4g}" for value in values)
    return Variation(number_range.symbol, labels, tuple(runs), nearest)
