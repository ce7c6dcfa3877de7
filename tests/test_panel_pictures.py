"""The pictures of panels are the ones that `make assets` would draw: one for each, in both themes,
and small.
"""

import base64
import importlib.util
import io
import re
from pathlib import Path

import numpy as np
from PIL import Image

from kpviz.panels import IN_LINKS

ROOT = Path(__file__).parents[1]
SPEC = importlib.util.spec_from_file_location(
    "panel_pictures", ROOT / "scripts" / "panel_pictures.py"
)
script = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(script)
THERE = script.FILE.read_text(encoding="utf-8")


def pictures(css):
    """The pixels of each picture, by its selector."""
    found = re.findall(
        r'^(.+) \{ background-image: url\("data:image/png;base64,(.+)"\); \}$', css, re.MULTILINE
    )
    return {
        name: np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"))
        for name, data in found
    }


def test_the_pictures_are_the_ones_that_would_be_drawn():
    there, drawn = pictures(THERE), pictures(script.css())
    assert list(there) == list(drawn), "run `make assets`"
    for name, pixels in drawn.items():  # another build of a library may round an edge otherwise
        assert np.abs(there[name].astype(int) - pixels).mean() < 4, "run `make assets`"


def test_there_is_one_for_each_panel_that_one_chooses_in_both_themes_and_they_are_light():
    there = pictures(THERE)
    assert list(there) == [f"{where}.panel-{name}" for where in ("", ".dark ") for name in IN_LINKS]
    assert {pixels.shape for pixels in there.values()} == {(72, 112, 3)}
    assert len({pixels.tobytes() for pixels in there.values()}) == len(there)
    assert len(THERE) < 2_300 * len(there), (
        "a picture is heavier than those of the other panels: show less in it"
    )
