"""What the tests do with the player: open it, press, point, read its numbers, its marks and its pixels."""

import base64
import io
import json

import numpy as np
from matplotlib import image

from kpviz.settings import from_query

PACK = """
const pack = (values) => {
  const bytes = new Uint8Array(Float64Array.from(values).buffer);
  let text = "";
  for (let k = 0; k < bytes.length; k += 8192) text += String.fromCharCode(...bytes.subarray(k, k + 8192));
  return btoa(text);
};
"""
MODULES = "/_stcore/bidi-components/kpviz.stage/"


def unpack(text):
    """The float64 array that `pack` wrote in the page."""
    return np.frombuffer(base64.b64decode(text))


class Player:
    def __init__(self, page, base):
        self.page, self.base = page, base
        self.forget()
        page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("dialog", self._dialog)
        page.on("websocket", lambda socket: socket.on("framesent", lambda frame: self.sent.append(len(frame))))

    def forget(self):
        """Begin a new record of what happens."""
        self.root = None
        self.errors = []
        self.dialogs = []
        self.sent = []  # sizes of what the page sent to the server

    def _dialog(self, dialog):
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    # ---- opening ----

    def open(self, path="/"):
        self.page.goto(self.base + path)
        return self.ready()

    def ready(self):
        """Wait for the stage of a page that was just loaded."""
        self.root = self.page.wait_for_selector(".kpviz")
        self.until("s && s.board")
        return self.rest()

    def reload(self):
        self.page.reload()
        return self.ready()

    # ---- reading ----

    def js(self, expression, arg=None):
        """The value of an expression in s, the stage, and r, its element."""
        return self.root.evaluate(f"(r, arg) => {{ const s = r.kpviz; return ({expression}); }}", arg)

    def until(self, expression, arg=None):
        """Wait until the expression holds."""
        script = f"([r, arg]) => {{ const s = r.kpviz; return ({expression}); }}"
        self.page.wait_for_function(script, arg=[self.root, arg])
        return self

    def rest(self):
        """Wait until the last frame is drawn, fonts included."""
        return self.until("!s.frame && !s.motion && !s.clock.playing && document.fonts.status === 'loaded'")

    @property
    def t(self):
        return self.js("s.t")

    @property
    def query(self):
        return self.js("s.run.header.settings.query")

    @property
    def settings(self):
        return from_query(self.query)[0]

    def reading(self):
        """coef, b, field and scores of the instant."""
        script = (
            f"(() => {{ {PACK} const n = s.run.reading(s.t); return [n.coef, [n.b], n.field, n.scores].map(pack); }})()"
        )
        coef, b, field, scores = map(unpack, self.js(script))
        return coef, b[0], field.reshape(96, 96), scores

    def marks(self, panel, **wanted):
        """The marks of a panel that have the wanted values."""
        text = self.js(
            "JSON.stringify(s.board.panels.filter((p) => p.name === arg).flatMap((p) => p.marks),"
            " (key, value) => key === 'image' ? null : ArrayBuffer.isView(value) ? [...value] : value)",
            panel,
        )
        return [mark for mark in json.loads(text) if all(mark.get(key) == value for key, value in wanted.items())]

    def words(self, panel="words", name=None):
        """The texts of a panel, joined by spaces."""
        texts = [mark["text"] for mark in self.marks(panel, kind="text") if name is None or mark.get("name") == name]
        return " ".join(texts)

    @property
    def sentence(self):
        return self.words("words", "sentence")

    @property
    def counter(self):
        return self.words("words", "counter")

    @property
    def tip(self):
        """The lines of the box at the pointer."""
        return [mark["text"] for mark in self.marks("tip", kind="text")]

    def picture(self):
        """The canvas as text, equal exactly when all pixels are."""
        return self.js("s.canvas.toDataURL()")

    def pixels(self):
        """The canvas as (height, width, 3) levels from 0 to 255."""
        data = base64.b64decode(self.picture().partition(",")[2])
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
        left, top = self.js("[s.canvas.getBoundingClientRect().x, s.canvas.getBoundingClientRect().y]")
        return left + x, top + y

    def point(self, x, y):
        """Move the pointer to a place of the canvas."""
        self.page.mouse.move(*self.at(x, y))
        return self.until("!s.frame")

    def click(self, x, y):
        self.page.mouse.click(*self.at(x, y))
        return self.rest()

    def away(self):
        """Move the pointer off the canvas."""
        self.page.mouse.move(900, 12)
        return self.until("s.pointer === null && !s.frame")

    def button(self, name):
        """A button of the bar, by its name in `press`."""
        return self.page.locator(f".kpviz .bar [data-do={name}]")
