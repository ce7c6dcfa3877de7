"""Where the page that plays itself lives: in frames, in old browsers, in windows of any size, without a network."""

import itertools
import time

import pytest
from pages import Opened, written
from test_layout import outside

from kpviz import experiment, fonts
from kpviz.player.envelope import ViewState
from kpviz.settings import Settings

WIDTH = """(({ text, size, weight }) => {
  s.context.save();
  s.context.font = `${weight ?? 400} ${size}px ${s.palette.fonts.canvas}`;
  const { width } = s.context.measureText(text);
  s.context.restore();
  return width;
})(arg)"""


@pytest.mark.parametrize("sandbox", ["allow-scripts", None])
def test_it_lives_in_a_frame(tab, tmp_path, sandbox):
    """In a sandbox it may keep nothing and write no address; it must not even try."""
    lecture = written(tmp_path, Settings.of(n=20), speed=60.0, view=ViewState(3))
    rule = f'sandbox="{sandbox}"' if sandbox else ""
    (tmp_path / "slides.html").write_text(
        f'<h1>Slides</h1><iframe {rule} src="{lecture.name}" width="960" height="540"></iframe>', encoding="utf-8"
    )
    tab.goto((tmp_path / "slides.html").as_uri())
    player = Opened(tab, tab.frames[1])
    tab.on("console", lambda message: player.errors.append(message.text))
    player.ready().until("s.t === s.runs.end && !s.clock.playing")
    tab.frames[1].locator(".bar [data-do=start]").click()
    assert player.t == 0
    assert player.errors == []


def test_in_a_frame_without_full_screen_it_does_not_ask_for_it(tab, tmp_path):
    lecture = written(tmp_path, Settings.of(), autoplay=False)
    frame = f'<iframe sandbox="allow-scripts" src="{lecture.name}" width="960" height="540"></iframe>'
    (tmp_path / "slides.html").write_text(frame, encoding="utf-8")
    tab.goto((tmp_path / "slides.html").as_uri())
    player = Opened(tab, tab.frames[1])
    tab.on("console", lambda message: player.errors.append(message.text))
    player.ready().frame.locator(".bar [data-do=end]").click()  # keys go to the frame from now on
    player.press("v").until("!s.controls.statusLine.hidden")
    assert player.js("[s.present.full, document.fullscreenElement]") == [False, None]
    assert "does not allow full screen" in player.js("s.controls.statusLine.textContent")
    player.press("w").until("s.present.on")
    assert player.js("[s.present.full, document.fullscreenElement]") == [False, None]
    assert player.errors == []


def test_a_frame_below_what_one_sees_waits(tab, tmp_path):
    lecture = written(tmp_path, Settings.of(), speed=60.0)
    frame = f'<p style="height: 4000px"></p><iframe src="{lecture.name}" width="960" height="540"></iframe>'
    (tmp_path / "long.html").write_text(frame, encoding="utf-8")
    tab.goto((tmp_path / "long.html").as_uri())
    player = Opened(tab, tab.frames[1])
    player.root = player.frame.wait_for_selector(".kpviz")
    player.until("s?.clock")
    time.sleep(0.3)
    assert player.js("[s.t, s.clock.playing]") == [0, False]
    tab.evaluate("scrollTo(0, 9999)")
    player.until("s.t > 3")


def test_a_browser_that_is_too_old_is_told_so(tab, tmp_path):
    path = written(tmp_path, Settings.of())
    tab.add_init_script("delete window.DecompressionStream")
    tab.goto(path.as_uri())
    assert "too old for this page" in tab.locator(".status").inner_text()


def test_a_page_that_was_cut_off_on_its_way_says_so(tab, tmp_path):
    path = written(tmp_path, Settings.of())
    text = path.read_text(encoding="utf-8")
    at = text.index('"run":"') + 2000
    path.write_text(text[:at] + text[at + 400 :], encoding="utf-8")
    tab.goto(path.as_uri())
    tab.locator(".status:visible").wait_for()
    assert tab.locator(".status").inner_text().startswith("The player could not show this run")


def test_a_stranger_s_words_are_shown_and_do_nothing(opened):
    evil = "<img src=x onerror=window.hit=1></script><script>window.hit=1</script>"
    points = experiment.drawn(Settings.of(), experiment.prepare(Settings.of())).code
    settings = Settings.of(data="drawn", points=points, cues=f"title: {evil}|by: {evil}|start: {evil}")
    player = opened(settings, autoplay=False)
    player.press("ArrowRight", "Home", "h", "?")
    assert player.page.title() == evil
    assert player.frame.locator("h1").inner_text() == evil
    assert player.page.evaluate("[window.hit, document.images.length, document.scripts.length]") == [None, 0, 2]


def test_the_policy_forbids_every_request(tab, tmp_path):
    """Not in this page's own interest alone: what one is sent by mail should not tell anyone that it was opened."""
    path = written(tmp_path, Settings.of(), autoplay=False)
    tab.goto(path.as_uri())
    Opened(tab).ready()
    stopped = "new Promise((done) => addEventListener('securitypolicyviolation', () => done(true), { once: true }))"
    for attempt in (
        "fetch('https://kpviz.example/').catch(() => {})",
        "fetch('data:text/plain,1').catch(() => {})",
        "new Image().src = 'https://kpviz.example/x.png'",
        "document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.hit = 1' }))",
    ):
        assert tab.evaluate(f"(() => {{ const stopped = {stopped}; {attempt}; return stopped; }})()"), attempt
    assert tab.evaluate("window.hit") is None


@pytest.mark.parametrize(
    ("theme", "scheme", "dark"),
    [("auto", "dark", True), ("dark", "light", True), ("light", "dark", False)],
)
def test_its_theme_is_the_one_chosen_or_the_system_s(opened, theme, scheme, dark):
    player = opened(theme=theme, media={"color_scheme": scheme}, autoplay=False)
    assert player.js("s.palette.dark") == dark
    player.page.emulate_media(color_scheme="light" if scheme == "dark" else "dark")
    player.until("s.palette.dark === arg", (not dark) if theme == "auto" else dark)


def test_it_is_set_in_the_app_s_typeface(opened):
    player = opened(autoplay=False).until("document.fonts.status === 'loaded' && !s.frames.next")
    faces = "[...document.fonts].map(({ family, status }) => [family.replace(/[\"']/g, ''), status])"
    states = player.js(faces)
    assert [family for family, _ in states] == [face.family for face in fonts.FACES]
    assert [state for family, state in states if family == fonts.SANS] == ["loaded", "loaded"]
    assert player.js("s.palette.fonts.canvas").startswith(f"'{fonts.SANS}', '{fonts.SIGNS}'")


def touch(one, other):
    """Whether two texts (y, left, right, text) in one line run into each other."""
    return one[0] == other[0] and one[2] >= other[1]


def test_words_have_room_on_a_square_page(opened):
    """Set in a wider typeface, the counter is cut off and a title runs into what stands beside it."""
    player = opened(size=(1080, 1080), autoplay=False)
    player.until("document.fonts.status === 'loaded' && !s.frames.next")
    assert outside(player) == []
    for panel in ("words", "margins"):
        spans = []
        for mark in player.marks(panel, kind="text"):
            wide = player.js(WIDTH, mark)
            left = mark["x"] - wide * {"right": 1.0, "center": 0.5}.get(mark.get("align"), 0.0)
            spans.append((round(mark["y"]), left, left + wide, mark["text"]))
        assert len(spans) > 4
        assert [pair for pair in itertools.pairwise(sorted(spans)) if touch(*pair)] == []


def test_nothing_is_cut_off(opened):
    player = opened(autoplay=False)
    for width, height in [(1366, 640), (1920, 1080), (960, 540), (390, 780), (360, 740)]:
        player.page.set_viewport_size({"width": width, "height": height})
        player.until(
            "innerWidth === arg && s.size.width <= arg && s.board.width === s.size.width && !s.frames.next", width
        )
        page = "document.documentElement"
        wide, tall, seen = player.js(f"[{page}.scrollWidth, {page}.scrollHeight, [innerWidth, innerHeight]]")
        assert wide <= seen[0], width
        if width >= 912 and height > 500:
            assert tall <= seen[1], "a wide page does not scroll"
        below = player.js("s.layout.narrow ? s.controls.tabs.getBoundingClientRect().top : innerHeight")
        low = player.js("Math.max(...[...s.controls.bar.children].map((one) => one.getBoundingClientRect().bottom))")
        assert low <= below, "the bar's rows have room"
