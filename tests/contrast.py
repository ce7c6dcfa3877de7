"""How light colours are, and how well one is told from another, as WCAG 2 defines it."""

import numpy as np


def luminance(colours):
    """Relative luminance, 0 to 1, of sRGB colours: 0 to 255 in the last axis, or as `#rrggbb`."""
    if isinstance(colours, str):
        colours = list(bytes.fromhex(colours.removeprefix("#")))
    parts = np.asarray(colours, dtype=float)[..., :3] / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(one, other):
    darker, lighter = sorted([luminance(one), luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)
