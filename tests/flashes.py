"""Flashes in frames, as WCAG 2.3.1 counts them: pairs of opposing changes of relative luminance."""

import numpy as np
from scipy import ndimage

SWING = 0.1  # of the largest relative luminance: a smaller change is none
BRIGHT = 0.8  # of the darker of two: above it no change counts
MOST = 3  # flashes within a second
AREA = 341 * 256 / 4  # px² that flash side by side, at most: a quarter of what one looks at


def changes(values):
    """Whether each frame ends a change that counts, opposite to the one before: a bool for each
    value.
    """
    is_change = np.zeros(len(values), dtype=bool)
    lowest = highest = values[0]
    way = 0
    for k, value in enumerate(values):
        lowest = min(lowest, value)
        highest = max(highest, value)
        rises = value - lowest >= SWING and lowest < BRIGHT
        falls = highest - value >= SWING and value < BRIGHT
        if (rises and way <= 0) or (falls and way >= 0):
            way = 1 if rises and way <= 0 else -1
            is_change[k] = True
            lowest = highest = value
        elif way > 0 and value == highest:
            lowest = value
        elif way < 0 and value == lowest:
            highest = value
    return is_change


def area(frames, fps, cell):
    """The px² side by side that flash more often than `MOST` times within any second.

    `frames` are relative luminances, (frames, rows, columns), of places that are `cell` px² each.
    """
    frames = np.asarray(frames)
    ends = np.zeros(frames.shape, dtype=int)
    for place in np.argwhere(np.ptp(frames, axis=0) >= SWING):  # nowhere else is there a change
        ends[:, *place] = changes(frames[:, *place].tolist())
    before = np.concatenate([np.zeros_like(ends[:1]), ends.cumsum(axis=0)])
    return cell * max(
        _largest(now - before[max(k - fps, 0)] > 2 * MOST) for k, now in enumerate(before)
    )


def _largest(flashing):
    """How many places lie side by side, at most."""
    parts, _ = ndimage.label(flashing)
    return int(np.bincount(parts.ravel())[1:].max(initial=0))
