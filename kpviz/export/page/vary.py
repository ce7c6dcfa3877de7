"""The runs of twelve values of one number, for a page with a slider, which is nearest to
turning that number without a server.

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

    ValueError, of one sentence: there is no such setting, it is no number, or does not apply.
    """
    chosen = float(settings.values[name]) if sweep.checked(settings, name, None) else 0.0
    spread = sweep.values_of(settings, name, VALUES)
    values = [spread[round(k)] for k in np.linspace(0, len(spread) - 1, min(VALUES, len(spread)))]
    at = int(np.argmin([abs(value - chosen) for value in values]))
    values[at] = chosen
    kind = BY_NAME[name].range_for(settings.values)
    runs = []
    for value in values:
        changed = settings.replace(**{name: int(value) if kind.integer else value})
        changed_pins = [pin.with_settings(settings, changed) for pin in pins]
        runs.append(Comparison.trained(changed, experiment.prepare(changed, table), changed_pins))
    return Variation(kind.symbol, tuple(f"{value:.4g}" for value in values), tuple(runs), at)
