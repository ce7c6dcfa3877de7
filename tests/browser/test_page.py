"""The page that plays itself, opened from disk without a network: Python's numbers, in frames and
old browsers too.
"""

import re

import numpy as np
import pytest
from access import faults
from driver import PATIENCE
from pages import Opened, written

import kpviz
from kpviz import experiment, fonts
from kpviz.export.page import vary
from kpviz.export.page.figure import figure
from kpviz.export.page.page import shared_player
from kpviz.lessons import explain, presets
from kpviz.panels import ABOUT, PANELS
from kpviz.settings import Settings
from kpviz.settings.view import ViewState

CUES = "title: A lecture|start hold 0.4: Nothing yet.|mistake 2 hold 0.4: Look here.|end hold 0.2"

# ---- the same player -----------------------------------------------------------------------------


def test_it_says_what_python_says(opened):
    settings = Settings.of(data="moons", n=200, learner="norma", stream="on", held=0.0)
    run = experiment.run(settings)
    player = opened(settings, autoplay=False)
    for t in (run.n_steps, run.n_steps // 2, int(np.flatnonzero(run.mistake)[0]) + 1):
        player.go(t).agrees()
        assert player.sentence == explain.explain(run, t, stream=True).sentence
        assert player.counter == explain.counter(run, t, stream=True)


def test_it_opens_with_the_runs_the_step_and_the_panels_of_the_link(opened):
    settings, pins = presets.PRESETS["budget"].settings()
    player = (
        opened(settings, pins=pins, autoplay=False)
        .press("End")
        .until("s.t === s.runs.end && !s.frames.next")
    )
    made = [
        int(experiment.run(each).mistake.sum())
        for each in [*(pin.on(settings) for pin in pins), settings]
    ]
    assert player.js("s.runs.all.map(({ trace }) => trace.mistakesBefore(trace.nSteps))") == made
    assert "Forgetron" in player.words("caption") + player.words("table")
    player = opened(view=ViewState(9, ("code", "bound")), autoplay=False)
    assert (player.t, player.shown) == (9, ["bound", "code"])
    assert "Mistake bounds" in player.words("bound")
    assert "Computing" not in player.words("bound")


def test_one_steps_points_scrubs_predicts_and_shows_panels_as_in_the_app(opened):
    run, player = experiment.run(Settings.of()), opened(autoplay=False)
    second = int(np.flatnonzero(run.mistake)[1]) + 1
    ways = {
        "ArrowRight": 1,
        "PageDown": second,
        "ArrowDown": int(run.epoch_start[1]),
        "End": run.n_steps,
        "Home": 0,
    }
    for key, t in ways.items():
        assert player.press(key).t == t, key
    player.go(30).click(*player.spots()[0].tolist())
    assert player.tip[0].startswith("x₀ ")
    line = player.panel("timeline")
    player.click(line["x"] + line["w"] - 2, line["y"] + line["h"] / 2)
    assert player.t > 150
    player.press("h").frame.get_by_text("How it learns", exact=True).click()
    player.frame.locator("[data-panel=code]").check()
    assert player.js("s.shows('code')")
    player.press("Escape", "Home", "q", "ArrowRight")
    assert player.js("s.standing.question.answers.size") == 1


def test_what_asks_the_server_is_nowhere_to_be_found_and_its_keys_do_nothing(opened):
    player = opened(Settings.of(cues="mistake 1: Look."), autoplay=False)
    words = " ".join(player.frame.locator(".bar, .menu.panels, .menu.help").all_text_contents())
    titles = player.js("[...r.querySelectorAll('[data-do]')].map((one) => one.dataset.do)")
    assert {
        "edit",
        "redraw",
        "reorder",
        "picture",
        "export",
        "link",
        "cue",
        "cues",
        "notes",
    }.isdisjoint(titles)
    assert {"play", "panels", "full", "help", "slow", "predict", "rescale"} <= set(titles)
    panels = player.js("[...r.querySelectorAll('[data-panel]')].map((one) => one.dataset.panel)")
    assert panels == [
        one.name
        for key in ABOUT
        for one in PANELS
        if one.about == key and one.in_links and not one.on_request
    ]
    for gone in (
        "Shift E",
        "undo",
        "kernel wider",
        "new data",
        "export:",
        "copy the link",
        "press 1",
        "dropped",
    ):
        assert gone not in words, gone
    assert "full screen" in words
    player = opened(view=ViewState(12, ("sequence",)), autoplay=False)
    before = player.picture(), player.shown
    player.press(*"dkgno1tzxblpaiyu", "Shift+E", "Delete", "Shift+U", "Shift+N").until(
        "!s.frames.next && !s.motion"
    )
    assert (player.picture(), player.shown) == before
    assert player.js("[s.controls.statusLine.hidden, s.standing.edit.on]") == [True, False]
    panel = player.panel("sequence")
    y = panel["y"] + panel["h"] / 2
    player.hold((panel["x"] + 20, y), (panel["x"] + 60, y), (panel["x"] + 120, y)).page.mouse.up()
    assert player.js("[s.modes.held, s.order.ahead]") == [None, None]
    player.press("w").until("s.present.on").press("d", "k", "Shift+E", "PageDown")
    assert "Off while" not in player.said, "there is nothing that could be on"
    assert player.t == 1 + next(
        t for t in np.flatnonzero(experiment.run(Settings.of()).mistake) if t >= 12
    )
    player.press("w").until("!s.present.on")
    assert player.sent == []


def test_a_link_leads_to_the_app_where_its_address_is_known(opened):
    player = opened(address="https://kpviz.example/", autoplay=False).go(7)
    player.page.evaluate(
        "document.execCommand = () => { window.copied = document.activeElement.value; return "
        "true; }"
    )
    player.js("navigator.clipboard && (navigator.clipboard.writeText = () => Promise.reject())")
    player.press("y").until("!s.controls.statusLine.hidden")
    assert player.page.evaluate("window.copied") == "https://kpviz.example/?v=1&t=7"
    player.frame.locator(".bar .more").click()
    assert player.frame.locator(".bar [data-do=link]").is_visible()


def test_a_stranger_s_words_are_shown_and_do_nothing(opened):
    evil = "<img src=x onerror=window.hit=1></script><script>window.hit=1</script>"
    points = experiment.drawn(Settings.of(), experiment.prepare(Settings.of())).code
    settings = Settings.of(
        data="drawn", points=points, cues=f"title: {evil}|by: {evil}|start: {evil}"
    )
    player = opened(settings, autoplay=False).press("ArrowRight", "Home", "h", "?")
    assert player.page.title() == evil
    assert player.frame.locator("h1").inner_text() == evil
    assert player.page.evaluate(
        "[window.hit, document.images.length, document.scripts.length]"
    ) == [None, 0, 2]


@pytest.mark.parametrize(
    ("theme", "scheme", "dark"),
    [("auto", "dark", True), ("dark", "light", True), ("light", "dark", False)],
)
def test_its_theme_is_the_one_chosen_or_the_system_s_and_its_typeface_the_app_s(
    opened, theme, scheme, dark
):
    player = opened(theme=theme, media={"color_scheme": scheme}, autoplay=False)
    assert player.js("s.palette.dark") == dark
    player.page.emulate_media(color_scheme="light" if scheme == "dark" else "dark")
    player.until("s.palette.dark === arg", (not dark) if theme == "auto" else dark).rest()
    states = player.js(
        "[...document.fonts].map(({ family, status }) => [family.replace(/[\"']/g, ''), status])"
    )
    assert [family for family, _ in states] == [face.family for face in fonts.FACES]
    assert {state for family, state in states if family == fonts.SANS} == {"loaded"}
    assert player.js("s.palette.fonts.canvas").startswith(f"'{fonts.SANS}', '{fonts.SIGNS}'")


def test_nothing_is_cut_off_in_windows_of_any_size(opened):
    player = opened(autoplay=False)
    for width, height in [(1366, 640), (1080, 1080), (960, 540), (390, 780)]:
        player.page.set_viewport_size({"width": width, "height": height})
        player.until(
            "innerWidth === arg && s.size.width <= arg && s.board.width === s.size.width && "
            "!s.frames.next",
            width,
        ).rest()
        page = "document.documentElement"
        wide, tall, seen = player.js(
            f"[{page}.scrollWidth, {page}.scrollHeight, [innerWidth, innerHeight]]"
        )
        assert wide <= seen[0], width
        assert tall <= seen[1] or width < 912, "a wide page does not scroll"
        below = player.js(
            "s.layout.narrow ? s.controls.bar.getBoundingClientRect().bottom + 1 : innerHeight"
        )
        low = player.js(
            "Math.max(...[...s.controls.bar.children].map((one) => "
            "one.getBoundingClientRect().bottom))"
        )
        assert low <= below, "the bar's rows have room"


# ---- it plays itself -----------------------------------------------------------------------------

WATCHED = """(() => {
  const [noted, held] = [(window.noted = []), (window.held = [])];
  const [put, hold, wait] = [s.put.bind(s), s.hold.bind(s), s.clock.hold.bind(s.clock)];
  window.waits = 0;
  s.put = (t) => { noted.push([t, performance.now()]); put(t); };
  s.hold = (cue) => { held.push(cue.t); hold(cue); };
  s.clock.hold = (time) => { window.waits += 1; wait(time); };
})()"""
STARTS = "window.noted.filter(([t]) => t === 0).length"


def test_it_plays_by_itself_to_the_end_and_stays_there(opened):
    player = opened(Settings.of(n=20), speed=60.0)
    player.until("s.clock.playing || s.t > 0").until("s.t === s.runs.end && !s.clock.playing")
    assert player.speed == 60


def test_it_holds_at_its_cues_and_goes_on(opened):
    settings = Settings.of(n=8, cues=CUES)
    run = experiment.run(settings)
    second = int(np.flatnonzero(run.mistake)[1]) + 1
    player = opened(settings, speed=60.0, autoplay=False)
    player.js(f"({WATCHED}, s.toggle(), s.begin())")
    player.until("s.t === s.runs.end && !s.clock.playing")
    noted = dict(player.page.evaluate("window.noted"))
    assert sorted(noted) == list(range(run.n_steps + 1)), "it goes through every step"
    assert player.page.evaluate("window.held") == [0, second, run.n_steps], (
        "it holds at the cues, and nowhere else"
    )
    for t in (0, second):
        assert noted[t + 1] - noted[t] >= 390, (
            "for at least their 0.4 seconds, however busy the machine"
        )


def test_play_pressed_while_it_holds_pauses_and_then_goes_on(opened):
    player = opened(Settings.of(cues="start hold 500: Wait."), speed=60.0)
    player.until("s.clock.playing && s.clock.due > performance.now() + 9000").press(" ")
    assert player.js("!s.clock.playing && s.t === 0")
    player.press(" ").until("s.t > 2")


def test_a_loop_begins_anew_and_who_goes_back_at_its_end_waits_there_again(opened):
    player = opened(
        Settings.of(n=4, noise=0.0, cues="start hold 0.1|end hold 0.1"), loop=True, speed=60.0
    )
    player.js(WATCHED)
    player.until("s.ended").press("ArrowLeft")
    assert player.js("[s.t === s.runs.end - 1, s.clock.playing]") == [True, False]
    begun, waited = player.page.evaluate(f"[{STARTS}, window.waits]")
    player.press(" ").until(f"s.ended || {STARTS} > arg", begun)
    assert player.page.evaluate(f"[{STARTS}, window.waits]") == [
        begun,
        waited + 2,
    ]  # at the cue, and at the end
    player.js("s.clock.due = performance.now()")  # its time there is over
    player.until(f"{STARTS} > arg && s.t < s.runs.end", begun)
    assert player.playing


# Or not, and whoever waits for it was told.
SEEN = "new Promise((done) => new IntersectionObserver(done).observe(r))"


def test_who_wants_less_motion_starts_it_by_hand(opened):
    player = opened(media={"reduced_motion": "reduce"}, speed=60.0)
    player.js(f"{SEEN}.then(() => 0)")
    assert player.js("[s.t, s.clock.playing]") == [0, False]
    player.press(" ").until("s.t > 1")


# ---- where it lives ------------------------------------------------------------------------------


def framed(tab, folder, lecture, rule="", before=""):
    """The player in a frame of a page of slides; what it writes to the console counts
    as an error.
    """
    frame = f'{before}<iframe {rule} src="{lecture.name}" width="960" height="540"></iframe>'
    (folder / "slides.html").write_text(frame, encoding="utf-8")
    tab.goto((folder / "slides.html").as_uri())
    player = Opened(tab, tab.frames[1])
    tab.on("console", lambda message: player.errors.append(message.text))
    return player


@pytest.mark.parametrize("rule", ['sandbox="allow-scripts"', ""])
def test_it_lives_in_a_frame(tab, tmp_path, rule):
    """In a sandbox it may keep nothing, write no address and fill no screen; it must
    not even try.
    """
    lecture = written(tmp_path, Settings.of(n=20), speed=60.0, view=ViewState(3))
    player = (
        framed(tab, tmp_path, lecture, rule).ready().until("s.t === s.runs.end && !s.clock.playing")
    )
    player.frame.locator(".bar .more").click()
    player.frame.locator(".bar [data-do=start]").click()  # keys go to the frame from now on
    assert player.t == 0
    if rule:
        player.press("v").until("!s.controls.statusLine.hidden")
        assert "does not allow full screen" in player.said
        player.press("w").until("s.present.on")
        assert player.js("[s.present.full, document.fullscreenElement]") == [False, None]
    assert player.errors == []


def test_figures_of_a_page_share_one_player_from_disk_and_each_has_its_own_keys(tab, tmp_path):
    (tmp_path / "kpviz.js").write_text(shared_player(), encoding="utf-8")
    (tmp_path / "a").mkdir()
    links = "v=1&data=xor&t=12", "v=1&data=moons"
    figures = "".join(figure(link, player="../kpviz.js", height=360) for link in links)
    (tmp_path / "a/page.html").write_text(
        f"<!doctype html><h1>Words</h1>{figures}", encoding="utf-8"
    )
    errors, style = [], "getComputedStyle(document.querySelector('h1')).font"
    tab.on("console", lambda message: errors.append(message.text))
    tab.goto((tmp_path / "a/page.html").as_uri())
    before = tab.evaluate(style)
    one, other = (Opened(tab, frame).ready() for frame in tab.frames[1:])
    one.frame.get_by_role("button", name="Next example").first.click()
    one.press("ArrowRight").until("s.t === 14")
    assert (other.t, other.js("document.fonts.size"), errors) == (0, len(fonts.FACES), [])
    assert tab.evaluate(style) == before


def test_a_page_tells_its_figures_the_theme(tab, tmp_path):
    (tmp_path / "kpviz.js").write_text(shared_player(), encoding="utf-8")
    (tmp_path / "page.html").write_text(
        f"<!doctype html>{figure('v=1&t=12', player='kpviz.js')}", encoding="utf-8"
    )
    tab.emulate_media(color_scheme="light")
    tab.goto((tmp_path / "page.html").as_uri())
    player = Opened(tab, tab.frames[1]).ready()
    for theme, dark in (("dark", True), ("light", False)):
        tab.evaluate("theme => frames[0].postMessage({ theme }, '*')", theme)
        player.until(f"s.palette.dark === {str(dark).lower()}")
        assert player.js("getComputedStyle(document.documentElement).colorScheme") == theme
    player.js("window.postMessage({ theme: 'dark' }, '*')")
    tab.wait_for_timeout(100)
    assert (player.t, player.js("s.palette.dark")) == (12, False)


def test_a_frame_of_another_site_shows_map_sentence_and_buttons_from_320_by_240_and_tells_its_height(
    tab, tmp_path
):
    lecture = written(tmp_path, Settings.of(), autoplay=False)
    tab.route(
        "https://course.example/**",
        lambda route: route.fulfill(body=lecture.read_text(encoding="utf-8")),
    )
    page = """<iframe src="https://course.example/x.html" width="320" height="240"></iframe><script>
        const told = [];
        addEventListener("message", ({ data }) => data.type === "kpviz:height" && told.push(data.height));
        </script>"""
    tab.route(
        "https://university.example/",
        lambda route: route.fulfill(body=page, content_type="text/html"),
    )
    tab.goto("https://university.example/")
    player = Opened(tab, tab.frames[1]).ready()
    for width, height in ((320, 240), (640, 280), (960, 299)):
        tab.evaluate(
            "([w, h]) => Object.assign(document.querySelector('iframe'), { width: w, height: h })",
            [width, height],
        )
        player.until(
            "innerWidth === arg[0] && innerHeight === arg[1] && s.size.width > arg[0] - 30",
            [width, height],
        ).rest()
        player.press("ArrowRight").rest()
        # In a tiny window the sentence is a short one; the whole one follows below.
        for name in ("map", "short" if width == 320 else "words"):
            place = player.panel(name)
            assert place["x"] + place["w"] <= width, (name, width)
            assert place["y"] + place["h"] <= height - 6, (name, width)
        assert player.frame.locator(".bar .play").bounding_box()["height"] > 30
        scrolls = player.js("document.documentElement.scrollHeight") > height
        assert scrolls == (width == 320)  # Its panels follow there.
    tab.evaluate("Object.assign(document.querySelector('iframe'), { width: 320, height: 480 })")
    tab.wait_for_function("told.at(-1) > 480")
    assert tab.evaluate("told.at(-1)") == player.js("document.documentElement.scrollHeight")
    assert tab.evaluate("told[0]") == 240


def test_a_frame_below_what_one_sees_waits(tab, tmp_path):
    lecture = written(tmp_path, Settings.of(), speed=60.0)
    player = framed(tab, tmp_path, lecture, before='<p style="height: 4000px"></p>')
    player.root = player.frame.wait_for_selector(".kpviz")
    player.until("s?.clock").frame.page.wait_for_timeout(300)
    assert player.js("[s.t, s.clock.playing]") == [0, False]
    tab.evaluate("scrollTo(0, 9999)")
    player.until("s.t > 3")


def test_a_browser_that_is_too_old_and_a_page_that_was_cut_off_are_told_so(tab, tmp_path):
    path = written(tmp_path, Settings.of())
    text = path.read_text(encoding="utf-8")
    at = text.index('"run":"') + 2000
    (tmp_path / "cut.html").write_text(text[:at] + text[at + 400 :], encoding="utf-8")
    tab.goto((tmp_path / "cut.html").as_uri())
    tab.locator(".status:visible").wait_for()
    assert tab.locator(".status").inner_text().startswith("The player could not show this run")
    errors = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.locator("canvas").dispatch_event("pointerleave")
    tab.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert errors == [], "nothing is drawn where there is no run"
    tab.add_init_script("delete window.DecompressionStream")
    tab.goto(path.as_uri())
    assert "too old for this page" in tab.locator(".status").inner_text()


def test_the_policy_forbids_every_request(tab, tmp_path):
    """Not in this page's own interest alone: what one is sent by mail should not tell anyone that
    it was opened.
    """
    path = written(tmp_path, Settings.of(), autoplay=False)
    tab.goto(path.as_uri())
    Opened(tab).ready()
    stopped = (
        "new Promise((done) => addEventListener('securitypolicyviolation', () => "
        "done(true), { once: true }))"
    )
    for attempt in (
        "fetch('https://kpviz.example/').catch(() => {})",
        "fetch('data:text/plain,1').catch(() => {})",
        "new Image().src = 'https://kpviz.example/x.png'",
        "document.body.append(Object.assign(document.createElement('script'), { textContent: "
        "'window.hit = 1' }))",
    ):
        assert tab.evaluate(
            f"(() => {{ const stopped = {stopped}; {attempt}; return stopped; }})()"
        ), attempt
    assert tab.evaluate("window.hit") is None


def test_the_frame_of_a_notebook_s_cell_rests_and_plays_the_run_to_its_end_when_one_asks(
    tab, tmp_path
):
    run = kpviz.load("data=xor&n=4")
    cell = tmp_path / "cell.html"
    cell.write_text(
        f"<!doctype html><meta charset='utf-8'><div>{run._repr_html_()}</div>", encoding="utf-8"
    )
    errors = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.goto(cell.as_uri())
    player = Opened(tab, tab.wait_for_selector("iframe").content_frame()).ready()
    box = player.root.query_selector("canvas").bounding_box()
    assert box["width"] > 300
    assert box["height"] > 200
    last = f"converged after {run.n_epochs} epochs and {run.mistake.sum()} mistakes"
    player.js(f"{SEEN}.then(() => 0)")
    assert player.js("[s.t, s.clock.playing]") == [0, False]
    player.pace(60).frame.get_by_role("button", name="Play").first.click()
    player.frame.locator("body", has_text=last).wait_for(timeout=PATIENCE)
    assert errors == []


def test_each_run_of_a_notebook_plays_by_itself_above_its_picture(tab, tmp_path):
    run = kpviz.load("data=xor&n=4")
    first, second = run._repr_html_(), run._repr_html_()
    assert first == second
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!doctype html><meta charset='utf-8'>{first}{second}", encoding="utf-8")
    tab.goto(notebook.as_uri())
    players = [
        Opened(tab, frame.content_frame()).ready() for frame in tab.query_selector_all("iframe")
    ]
    assert len(players) == 2
    for player in reversed(players):
        player.pace(60).frame.get_by_role("button", name="Play").first.click()
        player.frame.locator("body", has_text=f"converged after {run.n_epochs} epochs").wait_for(
            timeout=PATIENCE
        )
        assert player.js("document.fonts.size") == len(fonts.FACES)
    assert not tab.locator(".kpviz-cell > img").first.is_visible()


def test_a_cell_whose_frames_and_styles_are_not_trusted_shows_the_picture_and_what_to_do(
    tab, tmp_path
):
    trusted = kpviz.load("data=xor&n=4")._repr_html_()
    untrusted = re.sub(r"<style>.*?</style>|<iframe.*?</iframe>", "", trusted, flags=re.DOTALL)
    cell = tmp_path / "cell.html"
    cell.write_text(f"<!doctype html><meta charset='utf-8'>{untrusted}", encoding="utf-8")
    tab.goto(cell.as_uri())
    assert tab.get_by_text("trust the notebook").is_visible()
    assert tab.locator("img").evaluate("(image) => image.complete && image.naturalWidth > 500")


def test_a_varied_page_shows_the_run_of_the_value_that_its_slider_is_at(alone, tmp_path):
    alone.forget()
    settings = Settings.of(n=20)
    variation = vary.variation(settings, "sigma")
    assert (len(variation.runs), variation.values[variation.at]) == (12, "0.5")
    path = written(tmp_path, settings, variation=variation, autoplay=False)
    alone.wear().page.goto(path.as_uri())
    player = alone.ready().press("End")
    slider = player.page.locator(".varied input")
    assert (
        slider.get_attribute("aria-valuetext"),
        player.page.locator("header p").inner_text(),
    ) == (
        "σ = 0.5",
        "Perceptron",
    )
    slider.focus()
    player.press("ArrowRight").until(
        f"s.query.includes('sigma={variation.values[variation.at + 1]}')"
    ).rest()
    made = variation.runs[variation.at + 1].current.run
    assert (player.t, player.sentence) == (
        made.n_steps,
        explain.explain(made, made.n_steps).sentence,
    )
    assert faults(player.page) == []
    for name, words in (
        ("kernel", "not a number to turn"),
        ("degree", "does not apply"),
        ("sigmo", "did you mean"),
    ):
        with pytest.raises(ValueError, match=words):
            vary.variation(settings, name)
