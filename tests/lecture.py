"""A lecture of a few cues."""

from urllib.parse import quote

CUES = (
    "start: Hello, class.",
    "mistake 3 light x12, margins: Look where the boundary goes.",
    "mistake 6 light map, alpha",
    "end: Done.",
)
LECTURE = f"/?v=1&cues={quote('|'.join(CUES), safe='')}"
