"""Recording the stage in the browser: a film of the canvas as one plays it, made without the server."""

import re
import subprocess

import imageio_ffmpeg
import numpy as np
import pytest

PLAYING = 1000  # ms
SMALL = (960, 540)  # a window whose film is small


def record(player, tmp_path, act=lambda: None):
    """Record what `act` does and a little more; return the film's path and the size of the canvas."""
    player.press("Shift+W").until("s.recorder.on")
    size = player.js("[s.canvas.width, s.canvas.height]")
    sent = len(player.sent)
    act()
    player.page.wait_for_timeout(PLAYING)
    assert player.js("[s.canvas.width, s.canvas.height]") == size
    with player.page.expect_download() as download:
        player.press("Shift+W")
    assert len(player.sent) == sent, "the server was asked for something"
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    return path, tuple(size)


def frames(path):
    """Size and frames of a film: (width, height), (n, height, width, 3)."""
    ffmpeg = imageio_ffmpeg.get_ffmpeg_exe()
    report = subprocess.run([ffmpeg, "-i", path], capture_output=True, text=True, check=False).stderr
    width, height = map(int, re.search(r"Video:.*?, (\d{2,5})x(\d{2,5})", report).groups())
    raw = subprocess.run(
        [ffmpeg, "-loglevel", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
        capture_output=True,
        check=True,
    ).stdout
    return (width, height), np.frombuffer(raw, np.uint8).reshape(-1, height, width, 3)


def kind(path):
    """What the first bytes say a film is."""
    head = path.read_bytes()[:12]
    return ".mp4" if head[4:8] == b"ftyp" else ".webm" if head[:4] == b"\x1a\x45\xdf\xa3" else None


def test_a_recording_is_a_film_of_the_canvas_that_shows_the_run_playing(player, tmp_path):
    player.wear(*SMALL).open("/?v=1&data=moons&kernel=laplacian&stage=16x9").rest()
    path, size = record(player, tmp_path, lambda: player.press(" "))
    assert path.stem == "kpviz-moons-laplacian"
    assert kind(path) == path.suffix
    found, film = frames(path)
    assert found == size
    assert size[0] % 2 == size[1] % 2 == 0
    assert len(film) > 8
    first, last = film[0].astype(int), film[-1].astype(int)
    assert len(np.unique(first // 32 @ (64, 8, 1))) > 5, "the first frame is blank"
    assert np.abs(first - last).max() > 100, "nothing moves"
    assert (last[: size[1] // 2, -4:] > 235).all(), "the ground is not paper"
    player.press(" ").rest()


def test_the_last_frame_is_what_the_canvas_shows(player, tmp_path):
    player.wear(*SMALL).open("/?v=1&t=40&stage=16x9").rest()
    path, _ = record(player, tmp_path)
    _, film = frames(path)
    shown = player.rest().pixels()
    assert np.abs(film[-1].astype(int) - shown).mean() < 4  # of 255: the film is compressed


def test_a_red_dot_and_the_time_are_beside_the_film_not_in_it(player, tmp_path):
    player.wear(*SMALL).open("/?v=1&t=12&stage=16x9").rest()
    light = player.page.locator(".kpviz .recording")
    assert not light.is_visible()
    before = player.picture()
    player.press("Shift+W").until("s.recorder.on && s.recorder.light.textContent === '0:01'")
    assert light.is_visible()
    assert player.picture() == before
    with player.page.expect_download():
        player.press("Shift+W")
    assert not light.is_visible()


BOX = """((one) => {
  const [box, whole] = [one.getBoundingClientRect(), r.getBoundingClientRect()];
  return [box.left - whole.left, box.top - whole.top, box.right - whole.left, box.bottom - whole.top];
})"""
WORDS = """s.board.panels.find(({ name }) => name === 'words').marks.flatMap((mark) => {
  if (mark.kind !== 'text') return [];
  s.context.save();
  s.context.font = `${mark.weight ?? 400} ${mark.size}px ${s.palette.fonts.canvas}`;
  const { width } = s.context.measureText(mark.text);
  s.context.restore();
  return [[mark.x, mark.y - 0.75 * mark.size, mark.x + width, mark.y + 0.25 * mark.size]];
})"""


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080), (965, 700), (920, 640)], ids=str)
def test_the_red_dot_covers_neither_words_nor_buttons_of_the_usual_stage(player, size):
    player.page.set_viewport_size({"width": size[0], "height": size[1]})
    player.open("/?v=1&t=12").press("Shift+W").until("s.recorder.on")
    left, top, right, bottom = player.js(f"{BOX}(s.recorder.light)")
    parts = "[...s.controls.bar.querySelectorAll('button, input, output')].filter((one) => one.offsetParent)"
    buttons, words = player.js(f"{parts}.map({BOX})"), player.js(WORDS)
    player.press("Shift+W").until("!s.recorder.on")
    assert len(buttons) > 12
    assert len(words) > 2
    covered = [b for b in buttons + words if left < b[2] and b[0] < right and top < b[3] and b[1] < bottom]
    assert covered == []
    assert right - left > 40


def test_esc_ends_no_recording_of_the_usual_stage(player, tmp_path):
    player.open("/?v=1&t=12").rest()
    path, _ = record(player, tmp_path, lambda: player.press("Escape", "h", "Escape", "Escape"))
    assert len(frames(path)[1]) > 8


def test_an_odd_window_gives_an_even_film_pixel_for_pixel(player, tmp_path):
    player.page.set_viewport_size({"width": 1367, "height": 769})
    player.open("/?v=1&t=12").rest()
    assert player.js("s.canvas.width") % 2 == 1, "the window is not odd"

    def act():
        shown = player.js("(({ width, height }) => [width, height])(s.canvas.getBoundingClientRect())")
        assert shown == player.js("[s.canvas.width, s.canvas.height]")

    path, size = record(player, tmp_path, act)
    assert size[0] % 2 == size[1] % 2 == 0
    assert frames(path)[0] == size


def test_the_stage_keeps_its_size_while_it_is_recorded(player, tmp_path):
    player.open("/?v=1&t=12").rest()

    def disturb():
        player.press("w")
        assert not player.js("s.present.on")
        assert "Shift W ends the recording" in player.js("s.controls.statusLine.textContent")
        player.page.set_viewport_size({"width": 1000, "height": 700})
        player.press("h", "h", "ArrowRight")

    path, size = record(player, tmp_path, disturb)
    assert frames(path)[0] == size
    player.until("s.canvas.width < arg", size[0])


def test_ending_to_present_saves_what_was_recorded(player, tmp_path):
    player.open("/?v=1&stage=1x1").rest().press("Shift+W").until("s.recorder.on")
    player.page.wait_for_timeout(600)
    with player.page.expect_download() as download:
        player.press("Escape")
    download.value.save_as(tmp_path / "film")
    (width, height), _ = frames(tmp_path / "film")
    assert width == height
    assert player.js("[s.present.on, s.recorder.on]") == [False, False]


# ---- browsers that cannot -------------------------------------------------------------------------------------------

EMPTY = (
    "The recording is empty, so nothing was saved: record for longer, or in a current Chrome, Edge, Firefox or Safari."
)
POOR = """() => { window.MediaRecorder = class {
  static isTypeSupported = () => %(knows)s;
  state = "inactive";
  start() {
    this.state = "recording";
    if (%(fails)s) setTimeout(() => this.onerror(Object.assign(new Event("error"), { error: new Error("no room") })));
  }
  stop() {
    this.state = "inactive";
    for (const words of %(parts)s) this.ondataavailable({ data: new Blob(words) });
    this.onstop();
  }
}; }"""
NOTED = """() => {
  window.saved = [];
  HTMLAnchorElement.prototype.click = function () { saved.push(this.download); };
}"""


@pytest.fixture
def poor(player):
    """Return a function that opens the player where a recorder gives these parts; `saved` lists what was saved."""

    def make(parts=(), *, knows="true", fails="false"):
        player.open("/?v=1&t=12")
        player.page.evaluate(POOR % {"parts": [[part] for part in parts], "knows": knows, "fails": fails})
        player.page.evaluate(NOTED)
        return player

    return make


def says(player):
    return player.js("s.controls.statusLine.textContent")


def test_a_browser_that_cannot_record_says_so(player):
    player.open("/?v=1").page.evaluate("delete window.MediaRecorder")
    player.press("Shift+W")
    assert says(player).startswith("This browser cannot record the stage")
    assert not player.js("s.recorder.on")


def test_a_browser_that_knows_none_of_the_codecs_says_so(poor):
    player = poor(knows="false").press("Shift+W")
    assert says(player).startswith("This browser cannot record the stage")
    assert not player.js("s.recorder.on")


@pytest.mark.parametrize("parts", [(), ("", "")], ids=["no part", "two empty parts"])
def test_an_empty_recording_is_refused_in_one_sentence_and_not_saved(poor, parts):
    player = poor(parts).press("Shift+W").until("s.recorder.on").press("Shift+W").until("!s.recorder.on")
    assert says(player) == EMPTY
    assert player.page.evaluate("saved") == []


def test_what_there_is_of_a_recording_is_saved(poor):
    player = poor(("film",)).press("Shift+W").until("s.recorder.on").press("Shift+W")
    player.page.wait_for_function("saved.length === 1")
    assert says(player) == "Saved as kpviz-xor-gaussian.mp4."


@pytest.mark.parametrize(
    ("parts", "after"), [(("film",), "Saved as kpviz-xor-gaussian.mp4."), ((), "Nothing was saved.")]
)
def test_a_recording_that_ends_early_says_why_and_what_became_of_it(poor, parts, after):
    player = poor(parts, fails="true").press("Shift+W").until("!s.recorder.on && s.recorder.began")
    assert says(player) == f"The recording ended early (no room). {after}"
    assert len(player.page.evaluate("saved")) == len(parts)


def test_a_recording_that_ends_at_once_is_a_film_or_not_saved(player, tmp_path):
    player.open("/?v=1&t=12").rest()
    saved = []
    player.page.on("download", lambda download: saved.append(download))
    player.press("Shift+W", "Shift+W").until("/Saved as|empty/.test(s.controls.statusLine.textContent)")
    if "empty" in says(player):
        assert saved == []
    else:
        player.page.wait_for_timeout(200)
        saved[0].save_as(tmp_path / "film")
        assert len(frames(tmp_path / "film")[1]) > 0
