"""The app's typeface in the browser: it is the one drawn with, and as wide as Python's table says."""

import ast
from pathlib import Path

import pytest

from kpviz import fonts
from kpviz.lessons import explain, misconceptions

MEASURE = """([font, texts]) => {
  const context = document.createElement("canvas").getContext("2d");
  context.font = font;
  return texts.map((text) => context.measureText(text).width);
}"""
STATES = "[...document.fonts].map(({ family, weight, status }) => [family.replace(/[\"']/g, ''), weight, status])"


def sentences():
    """What kpviz says of steps and misconceptions, and all other literals of these files."""
    trees = (ast.parse(Path(module.__file__).read_text(encoding="utf-8")) for module in (explain, misconceptions))
    constants = [node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return sorted({line for text in constants if isinstance(text, str) for line in text.splitlines() if line.strip()})


def loaded(player):
    player.until("document.fonts.status === 'loaded' && !s.frames.next")
    return [family for family, _, state in player.page.evaluate(STATES) if state == "loaded"]


@pytest.mark.parametrize("path", ["/", "/fisher"])
def test_all_faces_are_loaded_once(player, path):
    player.page.goto(player.base + path)
    player.page.wait_for_function(f"{STATES}.filter(([family]) => family === '{fonts.SIGNS}').length")
    player.page.wait_for_function("document.fonts.status === 'loaded'")
    ours = [state for state in player.page.evaluate(STATES) if state[0].startswith("kpviz")]
    assert ours == [[face.family, "{} {}".format(*face.weights), "loaded"] for face in fonts.FACES]


@pytest.mark.parametrize("size", [11, 13.5, 40])
@pytest.mark.parametrize(("weight", "code"), [(400, False), (600, False), (400, True), (700, True)])
def test_lines_are_as_wide_as_the_table_says(shared, weight, code, size):
    families = fonts.CODE_FAMILIES if code else fonts.TEXT_FAMILIES
    assert set(families) <= set(loaded(shared))
    table = fonts.advances()[fonts.face(weight, code=code).name]
    texts = [*sentences(), "AVAVA fi ffi To", "xᵢ ∨ yⱼ ∧ αₜ ∝ ‖w‖", "0123456789"]
    assert len(texts) > 150
    font = f"{weight} {size}px {', '.join(repr(family) for family in families)}"
    for text, wide in zip(texts, shared.page.evaluate(MEASURE, [font, texts]), strict=True):
        assert wide == pytest.approx(size * sum(table[char] for char in text), rel=0.005), text


def test_controls_and_the_notes_window_are_set_in_it(player):
    player.open()
    assert loaded(player)
    assert player.page.evaluate("(e) => getComputedStyle(e).fontFamily", player.root).startswith(f'"{fonts.SANS}", ')
    with player.page.expect_popup() as opened:
        player.press("Shift+N")
    notes = opened.value
    notes.locator("main").wait_for()
    font, text = f"100px '{fonts.SANS}'", "no other font is as wide"
    wide = sum(fonts.advances()["sans-400"][char] for char in text)
    assert notes.evaluate(MEASURE, [font, [text]])[0] == pytest.approx(100 * wide, rel=0.001)
    notes.close()
