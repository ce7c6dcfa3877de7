"""What the tests do with the player: open it, press, point, read its numbers, its marks and its
pixels.
"""

import base64
import hashlib
import io
import re
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from matplotlib import image
from reader import Reader

# Streamlit looks for its server below the page's own address first.
LOOKED_FOR = re.compile(r"/(lab|fisher|lessons|puzzles)/_stcore/(health|host-config)$")
PACK = """
const pack = (values) => {
  const bytes = new Uint8Array(Float64Array.from(values).buffer);
  let text = "";
  for (let k = 0; k < bytes.length; k += 8192) text += String.fromCharCode(...bytes.subarray(k, k + 8192));
  return btoa(text);
};
"""
PROBE = Path(__file__).parents[1].joinpath("probe.js").read_text(encoding="utf-8")
# The stage with what it is made of: a name that it does not have is its player's, its cursor's, one
# of its actions' or that of a mode. A page is given it once, not with each script.
GIVE_PROBE = f"""() => {{
  const probe = {PROBE}
  const parts = ({{ player, actions, standing }}) => [player, player?.cursor, actions, standing];
  window.seenStages = (stage) => probe(stage, () => parts(stage));
}}"""
NO_PROBE = "This page has no probe."
SEEN = f'const seen = window.seenStages; if (!seen) return "{NO_PROBE}";'
# Whether a condition comes to hold. To wait for frames would make the browser draw them.
COMES = """
const comes = async (holds) => {
  for (const ends = performance.now() + %d; performance.now() < ends;) {
    if (holds(seen(r.kpviz))) return true;
    await new Promise((done) => setTimeout(done, 15));
  }
  return false;
};
"""
# What moves has moved, as ten seconds later, and the page has been laid out since.
LATER = """new Promise((done) => {
  if (s.frames.next && !s.clock.playing) {
    s.draw();
    if (s.frames.next) s.draw(performance.now() + 10_000);
  }
  requestAnimationFrame(() => setTimeout(done)); // after the frame, in which sizes are observed
})"""
STILL = "!s.frames.next && !s.motion && !s.clock.playing && document.fonts.status === 'loaded'"
# The first link of a test: on the page that is there, whose stage it returns, or on one that
# forgets what was kept.
AGAIN = """(path) => {
  if (window.again?.(path)) return document.querySelector(".host").shadowRoot.querySelector(".kpviz");
  window.name = "next test";
  return null;
}"""
# What the page looks like; it fills the screen no longer.
LOOK = """() => {
  if (document.fullscreenElement) document.exitFullscreen();
  return ["color-scheme: dark", "reduced-motion: reduce"].map((look) => matchMedia(`(prefers-${look})`).matches);
}"""
# Nobody looks at the window: a page that is laid out, and that canvas and pointer find as ever, is
# not painted on it.
UNSEEN = """(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(":root { opacity: 0 !important; }");
  document.adoptedStyleSheets.push(sheet);
})()"""
FOCUSED = """() => {
  let one = document.activeElement;
  while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
  const { dataset: { do: act, panel, term, group } = {} } = one ?? {};
  return act ?? panel ?? term ?? group ?? (one?.className || one?.type || one?.tagName.toLowerCase());
}"""
PATIENCE = 30_000  # ms
# What a browser does that refuses to keep anything.
REFUSED = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("Access is denied for this document.", "SecurityError"); },
});"""
TABLE = "u,v,kind\n" + "".join(f"{7 * i % 31},{i * i % 23},{'ab'[i % 2]}\n" for i in range(30))
MODULES = "/_stcore/bidi-components/kpviz.stage/"
# What scrolls: an element of Streamlit, or the page itself.
SCROLLS = "(document.querySelector('.stMain') ?? document.scrollingElement)"


def unpack(text):
    """The float64 array that `pack` wrote in the page."""
    return np.frombuffer(base64.b64decode(text))


def digest(data):
    """A short text for bytes: long ones that differ would be compared character by character for
    minutes.
    """
    return hashlib.sha256(data).hexdigest()[:16]


class Player(Reader):
    def __init__(self, page, base):
        self.base = base
        self._watch(page)

    def renew(self):
        """Go on in a new tab: in one whose page filled the screen Chromium loses turns of the
        wheel.
        """
        page = self.page.context.new_page()
        self.page.close()
        self._watch(page)

    def _watch(self, page):
        self.page = page
        self.forget()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("dialog", self._dialog)
        page.on(
            "websocket",
            lambda socket: socket.on("framesent", lambda frame: self.sent.append(len(frame))),
        )
        page.on("request", self._request)

    def _console(self, message):
        if message.type == "error" and not LOOKED_FOR.search(message.location["url"]):
            self.errors.append(message.text)

    def forget(self):
        """Begin a new record of what happens."""
        self.root = None
        self.errors = []
        self.dialogs = []
        self.sent = []  # sizes of what the page sent to the server

    def _request(self, request):
        if request.method == "POST":
            self.sent.append(len(request.post_data))

    def _dialog(self, dialog):
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    # ---- opening ----

    def wear(self, width=1366, height=768, *, color_scheme="null", reduced_motion="null"):
        """Give the window a size, and the system a look."""
        look = self.page.evaluate(LOOK)
        if self.page.viewport_size != (size := {"width": width, "height": height}):
            self.page.set_viewport_size(size)
        if look != [color_scheme == "dark", reduced_motion == "reduce"]:
            self.page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
        return self

    def open(self, path="/"):
        """Open a link; the first one of a test on the page of the last test, unless more than its
        stage was changed.
        """
        again = None if self.root else self.again(path)
        if again is None:
            self.page.goto(self.base + path)
        return self.ready(again)

    def anew(self, path="/"):
        """Open a further link as the first one of a test is."""
        self.root = None
        return self.open(path)

    def again(self, path):
        """A new stage on the page that is there, or None."""
        return self.page.evaluate_handle(AGAIN, path).as_element()

    def ready(self, root=None):
        """Wait for the stage of a page that was just loaded."""
        self.root = root or self.page.wait_for_selector(".kpviz")
        return self._still("await comes((s) => s && s.board)")

    def reload(self):
        self.page.reload()
        return self.ready()

    # ---- what is shown ----

    @property
    def playing(self):
        return self.js("s.clock.playing")

    @property
    def speed(self):
        return self.js("s.clock.speed")

    @property
    def presents(self):
        return self.js("s.present.on")

    @property
    def status(self):
        line = self.page.locator(".kpviz .status")
        line.wait_for()
        return line.inner_text()

    @property
    def said(self):
        """The status line, whether or not it is seen."""
        return self.js("s.controls.statusLine.textContent")

    @property
    def spoken(self):
        return self.page.locator(".kpviz .live").text_content()

    @property
    def notices(self):
        """What is said until it is closed."""
        return self.page.locator(".notices p")

    @property
    def shown(self):
        """The panels that are switched on, in the order of their names."""
        return self.js("[...s.shown].sort()")

    def panels(self):
        return self.js("s.board.panels.map(({ name }) => name)")

    def panel(self, name):
        return self.js("s.layout.panels[arg]", name)

    def counts(self):
        return self.js("s.session.counts")

    def asked(self):
        """How many questions the server was asked."""
        return self.js("s.session.socket.n")

    def link(self):
        return self.page.evaluate("location.search.slice(1)")

    def focused(self):
        """What has the focus: the name that its kind of element has in the page."""
        return self.page.evaluate(FOCUSED)

    def on_board(self):
        return self.js("r.getRootNode().activeElement === s.canvas")

    def box(self, css):
        """Left, top, right and bottom of an element of the player, in pixels of the window."""
        return self.box_of(self.page.locator(f".kpviz {css}"))

    def box_of(self, locator):
        found = locator.bounding_box()
        return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]

    # ---- waiting ----

    def until_set(self, *parts):
        """Wait for a run whose link has these parts."""
        return self.until(
            "arg.every((part) => s.run.header.settings.query.includes(part))", parts
        ).rest()

    def until_query(self, query):
        return self.until("s.run.header.settings.query === arg", query).rest()

    def until_data(self, name):
        return self.until("s.run.header.names.data === arg", name).settle()

    def until_extra(self, *names):
        """Wait for what panels asked for."""
        return self.until("arg.every((name) => s.run.header.extras[name])", names).rest()

    def until_written(self):
        """Wait until everything is answered, and written into the address."""
        return self.settle().until("s.session.settled && location.search === `?${s.query}`")

    def until_paused(self):
        return self.until("!s.clock.playing").rest()

    def until_pinned(self, number):
        """Wait until so many runs stand beside the current one."""
        return self.until("s.runs.pinned.length === arg", number).rest()

    # ---- reading ----

    def js(self, expression, arg=None):
        """The value of an expression in s, the stage, and r, its element."""
        return self._probed(
            f"(r, arg) => {{ {SEEN} const s = seen(r.kpviz); return ({expression}); }}", arg
        )

    def until(self, expression, arg=None):
        """Wait until the expression holds."""
        found = self._asked(f"return comes((s) => ({expression}));", arg)
        assert found, f"not within {PATIENCE} ms: {expression}, but {self.values(expression)}"
        return self

    def rest(self):
        """Wait until the last frame is drawn, fonts included; no motion is waited for."""
        return self._still("true")

    def _still(self, first):
        """Wait for the first condition, and until all that it draws is drawn."""
        script = f"""
          if (!({first})) return "no board";
          await ((s) => {LATER})(seen(r.kpviz));
          return (await comes((s) => {STILL})) || "not still";
        """
        found = self._asked(script)
        assert found is True, f"{found} within {PATIENCE} ms"
        return self

    def _asked(self, script, arg=None):
        return self._probed(f"async (r, arg) => {{ {SEEN} {COMES % PATIENCE} {script} }}", arg)

    def _probed(self, script, arg):
        """The value of a function of the root that needs the probe."""
        value = self.root.evaluate(script, arg)
        if value != NO_PROBE:
            return value
        self.root.evaluate(GIVE_PROBE)
        return self.root.evaluate(script, arg)

    def reading(self):
        """coef, b, field and scores of the instant."""
        script = (
            f"(() => {{ {PACK} const n = s.run.reading(s.t); return [n.coef, [n.b], n.field, "
            f"n.scores].map(pack); }})()"
        )
        coef, b, field, scores = map(unpack, self.js(script))
        return coef, b[0], field.reshape(96, 96), scores

    def picture(self):
        """A short text for the canvas, equal exactly when all pixels are."""
        return digest(self.js("s.canvas.toDataURL()").encode())

    def settled(self):
        """The picture after one more frame: a run's first is drawn without layers, whose edges
        round otherwise.
        """
        self.js("(s.redraw(), 0)")
        return self.rest().picture()

    def pixels(self):
        """The canvas as (height, width, 3) levels from 0 to 255."""
        data = base64.b64decode(self.js("s.canvas.toDataURL()").partition(",")[2])
        return np.rint(255 * image.imread(io.BytesIO(data), format="png")[..., :3]).astype(int)

    # ---- acting ----

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def go(self, t):
        """Jump without a key or the pointer."""
        self.js("s.go(arg)", t)
        return self.rest()

    def at(self, x, y):
        """A place of the canvas as a place of the window."""
        left, top = self.js(
            "[s.canvas.getBoundingClientRect().x, s.canvas.getBoundingClientRect().y]"
        )
        return left + x, top + y

    def point(self, x, y):
        """Move the pointer to a place of the canvas."""
        self.page.mouse.move(*self.at(x, y))
        return self.until("!s.frames.next")

    def click(self, x, y):
        self.page.mouse.click(*self.at(x, y))
        return self.rest()

    def away(self):
        """Move the pointer off the canvas."""
        self.page.mouse.move(900, 12)
        return self.until("s.pointer === null && !s.frames.next")

    def pace(self, speed):
        """Play so many steps a second."""
        self.js("(s.clock.speed = arg, 0)", speed)
        return self

    @contextmanager
    def in_haste(self):
        """What waits for more than a blink does not wait meanwhile."""
        self.page.evaluate("""() => {
          const wait = window.setTimeout;
          window.setTimeout = (act, ms = 0, ...given) => wait(act, ms < 100 ? ms : 0, ...given);
          window.atLeisure = () => (delete window.atLeisure, (window.setTimeout = wait), 0);
        }""")
        yield
        self.page.evaluate("atLeisure()")

    def wait_in_page(self, ms):
        """Let all timers of the page end that were to end within so many milliseconds."""
        self.page.evaluate("(ms) => new Promise((done) => setTimeout(done, ms))", ms)
        return self

    def present(self):
        """Present in the window, as W does."""
        return self.press("w").until("s.present.on").rest()

    def leave(self):
        return self.press("w").until("!s.present.on && document.fullscreenElement === null").rest()

    def show(self, group):
        """Open a group of the settings beside the map."""
        if not self.page.locator("#kpviz-dock").is_visible():
            self.settings_button.click()
        self.page.locator(f"#kpviz-dock [data-group={group}]").click()
        self.page.locator(".dock .field:visible").first.wait_for()
        for fold in self.page.locator(".dock [data-field='more rare']:visible").all():
            fold.evaluate("(e) => (e.open = true)")  # with what is seldom touched
        return self.page.locator(".dock .frame:visible")

    @property
    def settings_button(self):
        """Above the board; it says what is set."""
        return self.page.locator(".topbar .settings")

    def more(self, name):
        """Press a button that is behind *More*."""
        behind = self.page.locator(f".kpviz .popover [data-do={name}]")
        if not behind.is_visible():
            self.page.locator(".kpviz .bar .more").click()
        behind.click()
        return self

    def share(self, name):
        """Press a button that is behind *Share*."""
        self.page.locator(".topbar .does .opens").click()
        self.page.locator(f".topbar [data-do={name}]").click()
        return self

    def lose_connection(self):
        """Be without a server, as the page sees it."""
        self.js("(s.notices.patience = 0, s.away(true), 0)")
        return self

    def find_connection(self):
        self.js("(s.away(false), 0)")
        return self

    def button(self, name):
        """The button of an action that is seen; one that is behind *More* is opened up."""
        css = f"[data-do={name}]:visible"
        seen = self.page.locator(f".kpviz .bar {css}, .topbar {css}")
        if not seen.count():
            self.page.locator(".kpviz .bar .more").click()
        return seen.first

    # ---- editing ----

    def edit(self):
        return self.press("Shift+E").until("s.standing.edit.on").rest()

    def settle(self):
        """Wait until the server has answered all that was sent, and the answer is drawn."""
        return self.until("!s.session.busy && !s.pointsAhead && !s.standing.edit.busy").rest()

    def answers(self):
        """Begin to note, in `noted`, each answer as it comes, and how many questions were asked
        before.
        """
        self.js("""(() => {
          const noted = (window.noted = { answers: 0, before: s.session.socket.n });
          const stage = r.kpviz;
          const take = stage.take.bind(stage);
          stage.take = (bytes, header) => {
            noted.answers += 1;
            take(bytes, header);
          };
        })()""")
        return self

    def noted(self):
        """How many questions were asked, and how many answers came, since `answers`."""
        return self.js("[s.session.socket.n - window.noted.before, window.noted.answers]")

    def numbers(self):
        """Everything a run says at the instant: equal exactly when it is, bit for bit, and short
        where it is not.
        """
        whole = (
            "[s.t, s.run.nSteps, ...s.run.trace.mistake, ...s.run.trace.score, ...s.run.X, "
            "...s.run.y]"
        )
        packed = self.js(f"(() => {{ {PACK} return pack({whole}); }})()")
        coef, b, field, scores = self.reading()
        parts = (packed.encode(), coef.tobytes(), field.tobytes(), scores.tobytes())
        return self.query, self.t, self.js("s.run.nSteps"), b, *map(digest, parts)

    def turns_back(self, after, before):
        """Undo leads to the numbers before, and redo to those after."""
        assert self.press("z").settle().numbers() == before
        assert self.press("Shift+Z").settle().numbers() == after
        return self

    def hold(self, *places):
        """Press the mouse at a place of the canvas and move it to others, without letting go."""
        self.page.mouse.move(*self.at(*places[0]))
        self.page.mouse.down()
        for place in places[1:]:
            self.page.mouse.move(*self.at(*place))
        return self

    def drop(self):
        """Let go of the mouse, and wait for the answer."""
        self.page.mouse.up()
        return self.settle()
