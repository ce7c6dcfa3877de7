"""Nothing on the board flashes more than three times a second while a key is held or the timeline is dragged."""

import base64

import flashes
import numpy as np
import pytest

CELL, FPS, SECONDS = 16, 30, 3  # px between two places that are looked at
# Frames on a clock of our own, each painted after what a hand does before it; of each, the colours of all places.
SEEN = """(() => {
  const [columns, rows] = [s.canvas.clientWidth, s.canvas.clientHeight].map((length) => Math.floor(length / arg.cell));
  const small = new OffscreenCanvas(columns, rows).getContext("2d", { willReadFrequently: true });
  small.imageSmoothingEnabled = false;
  const began = performance.now();
  const bytes = new Uint8Array(arg.frames * rows * columns * 3);
  s.canvas.setPointerCapture = () => {};
  const hands = {
    key: (k) => document.body.dispatchEvent(
      new KeyboardEvent("keydown", { key: arg.key, repeat: k > 0, bubbles: true, composed: true })),
    drag: (k) => {
      const { x, y, w, h } = s.player.layout.panels.timeline, box = s.canvas.getBoundingClientRect();
      const share = 0.5 + 0.45 * Math.sin((2 * Math.PI * arg.turns * k) / arg.fps);
      const at = { clientX: box.x + x + share * w, clientY: box.y + y + h - 6, isPrimary: true, pointerId: 1 };
      s.canvas.dispatchEvent(new PointerEvent(k ? "pointermove" : "pointerdown", { ...at, button: 0 }));
    },
  };
  let at = 0;
  for (let k = 0; k < arg.frames; k++) {
    hands[arg.hand](k);
    s.draw(began + (1000 * k) / arg.fps);
    small.fillStyle = "white";
    small.fillRect(0, 0, columns, rows);
    small.drawImage(s.canvas, 0, 0, columns, rows);
    const { data } = small.getImageData(0, 0, columns, rows);
    for (let p = 0; p < data.length; p += 4, at += 3) bytes.set(data.subarray(p, p + 3), at);
  }
  let text = "";
  for (let k = 0; k < bytes.length; k += 8192) text += String.fromCharCode(...bytes.subarray(k, k + 8192));
  return [rows, columns, btoa(text)];
})()"""
FRAMES = {"cell": CELL, "frames": SECONDS * FPS, "fps": FPS}
HELD = {"hand": "key", "key": "ArrowRight"}
DRAGGED = {"hand": "drag", "turns": 4}


def flashing(player, how):
    """The px² that flash side by side."""
    rows, columns, text = player.js(SEEN, FRAMES | how)
    frames = np.frombuffer(base64.b64decode(text), dtype=np.uint8).reshape(-1, rows, columns, 3)
    return flashes.area(flashes.luminance(frames), FPS, CELL**2)


@pytest.mark.parametrize(
    ("link", "how"),
    [
        ("kernel=linear", HELD),
        ("kernel=linear", DRAGGED),
        ("learner=norma&kernel=linear", HELD),
        ("kernel=linear&pins=1&p1.kernel=rbf", DRAGGED),
    ],
)
def test_nothing_flashes_while_a_hand_goes_fast(player, link, how):
    player.open(f"/?v=1&{link}")
    assert flashing(player, how) < flashes.AREA
    assert player.t != 0


def test_a_switch_whose_key_is_held_turns_once(player):
    player.open("/?v=1&t=40&kernel=linear")
    assert flashing(player, HELD | {"key": "e"}) < flashes.AREA
    assert player.js("s.player.shown.has('similar')")


def test_who_stops_sees_the_field_itself(player):
    player.open("/?v=1&kernel=linear")
    assert player.js(f"({SEEN}, s.scenes(0).map.shownField !== s.run.reading(s.t).field)", FRAMES | HELD)
    player.rest()
    assert player.js("s.scenes().map.shownField === s.run.reading(s.t).field")
