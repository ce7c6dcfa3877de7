"""As much of Playwright's page as the player's driver asks for, in another browser."""

import time
from types import SimpleNamespace

from wire import PATIENCE

NAMES = {
    "Shift": "\ue008",
    "Escape": "\ue00c",
    "End": "\ue010",
    "Home": "\ue011",
    "ArrowLeft": "\ue012",
    "ArrowRight": "\ue014",
}
# The first element that a selector names, in shadow roots and frames too, one that is seen before
# others; `>>` names its text.
FIND = """((line) => {
  const [selector, words] = line.split(" >> ");
  const all = (root) => [
    ...root.querySelectorAll(selector),
    ...[...root.querySelectorAll("*")]
      .map((one) => one.shadowRoot ?? one.contentDocument)
      .filter(Boolean)
      .flatMap(all),
  ];
  const fit = all(document).filter((one) => !words || one.textContent.trim() === words);
  return fit.find((one) => one.checkVisibility()) ?? fit[0] ?? null;
})"""


class Tab:
    def __init__(self, browser):
        self.browser = browser
        self.keyboard = SimpleNamespace(press=self._press)
        self.mouse = SimpleNamespace(
            move=self._move, down=self._down, up=self._up, click=self._click
        )
        self.goto = browser.go
        self.reload = browser.reload

    def on(self, event, heard):
        """Nothing is told as it happens: errors are read from the browser."""

    def evaluate(self, function, *values):
        return self.browser.call(function, *values)

    def locator(self, selector):
        return Locator(self, selector)

    # ---- keys and mouse ----

    def _press(self, combination):
        keys = [NAMES.get(key, key) for key in combination.split("+")]
        turns = [("keyDown", key) for key in keys] + [("keyUp", key) for key in reversed(keys)]
        actions = [{"type": kind, "value": key} for kind, key in turns]
        self.browser.act([{"type": "key", "id": "keys", "actions": actions}])

    def _point(self, *actions):
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}}
        self.browser.act([{**mouse, "actions": list(actions)}])

    def _move(self, x, y):
        self._point({"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0})

    def _down(self):
        self._point({"type": "pointerDown", "button": 0})

    def _up(self):
        self._point({"type": "pointerUp", "button": 0})

    def _click(self, x, y):
        self._move(x, y)
        self._down()
        self._up()


class Locator:
    """What a selector names, looked for anew each time."""

    def __init__(self, tab, selector):
        self.tab = tab
        self.selector = selector

    @property
    def first(self):
        """Itself: it finds the first that is there."""
        return self

    def evaluate(self, function, *values):
        """The value of a function of the element, or of null where there is none."""
        return self.tab.evaluate(
            f"(line, ...values) => ({function})({FIND}(line), ...values)", self.selector, *values
        )

    def is_there(self):
        return self.evaluate("(one) => one !== null")

    def is_visible(self):
        return self.evaluate("(one) => !!one?.checkVisibility()")

    def box(self):
        """Left, top, width and height, once it is where one sees it."""
        script = """(one) => {
          one.scrollIntoView({ block: "nearest" });
          const { x, y, width, height } = one.getBoundingClientRect();
          return [x, y, width, height];
        }"""
        return self.evaluate(script)

    def click(self):
        x, y, width, height = self.wait_for().box()
        self.tab.mouse.click(x + width / 2, y + height / 2)

    def wait_for(self):
        ends = time.monotonic() + PATIENCE
        while not self.is_visible():
            assert time.monotonic() < ends, self.selector
            time.sleep(0.05)
        return self
