"""The order of the examples: shapes where there is room for them, ticks where there is not;
mistakes are strong.
"""

import numpy as np
import pytest

from kpviz import experiment
from kpviz.settings import Settings

# How many examples, an instant in epochs, and how high the panel is: cells of all sizes, before and
# after mistakes.
CASES = [
    (1, 0.0, 300),
    (4, 1.5, 60),
    (40, 0.0, 60),
    (40, 1.3, 300),
    (200, 0.7, 60),
    (200, 1.0, 400),
    (1000, 0.0, 60),
    (1000, 0.4, 60),
    (1000, 1.9, 60),
]


def expected(settings, t):
    """Of each cell of the epoch its example, and whether that was a mistake in this epoch."""
    run = experiment.run(settings, experiment.prepare(settings))
    n = len(run.y)
    begins = max(t - 1, 0) // n * n
    return [
        (int(run.index[step]), bool(step < t and run.mistake[step]), run.y[run.index[step]])
        for step in range(begins, begins + n)
    ]


@pytest.mark.parametrize(("n", "epochs", "high"), CASES)
def test_each_cell_is_strong_where_its_example_was_a_mistake_in_this_epoch(player, n, epochs, high):
    settings = Settings.of(n=n, noise=0.3, flipped=0.1, epochs=3)
    t = round(epochs * n)
    player.open(f"/?{settings.query()}&t={t}&show=sequence", {"width": 1342, "height": 714})
    player.js("((s.layout.panels.sequence.h = arg), s.redraw(), 0)", high)
    cells = expected(settings, t)
    ticks = player.rest().marks("sequence", kind="rects")
    if ticks:
        strong = {(mark["fill"], mark["alpha"] == 1): len(mark["points"]) // 2 for mark in ticks}
        assert len(strong) == 4
        colours = {y: player.js("s.palette.ofClass(arg)", y) for y in (1, -1)}
        for y in (1, -1):
            for missed in (True, False):
                count = sum(1 for _, one, label in cells if (one, label) == (missed, y))
                assert strong[colours[y], missed] == count
        places = np.concatenate([np.reshape(mark["points"], (-1, 2)) for mark in ticks])
        assert len(np.unique(places, axis=0)) == n
    else:
        shapes = [
            mark
            for mark in player.marks("sequence")
            if mark["kind"] in ("circle", "square") and "i" in mark
        ]
        assert [(mark["i"], mark["alpha"] == 1) for mark in shapes] == [
            (i, missed) for i, missed, _ in cells
        ]
    assert bool(ticks) == (n == 1000)


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "random"])
@pytest.mark.parametrize("show", ["sequence", "sequence.alpha.margins"])
@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1342, 714)])
def test_what_can_be_done_with_the_cells_is_said_once(player, order, show, size):
    link = f"/?v=1&order={order}&epochs=3&t=100&show={show}"
    player.open(link, dict(zip(("width", "height"), size, strict=True)))
    said = [mark["text"] for mark in player.marks("sequence", kind="text")]
    assert sum("drag to reorder" in text for text in said) <= 1
