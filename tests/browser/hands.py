"""Students who answer the tasks of a lesson by keys alone, or by touch."""

import numpy as np
from answering import VERDICTS, Lesson, missing_points, spot_of

from kpviz.lessons.file.links import Link

MOST_TABS = 60
HAS_FOCUS = "(element) => element.getRootNode().activeElement === element"
HAS_FOCUSED_RADIO = "(element) => element.matches(':has([type=radio]:focus)')"
COARSE, FINE = 0.025, 0.004  # Steps of the cursor of keys, as shares of the map's side.


class Keying(Lesson):
    """Who has a keyboard and no pointer."""

    has_focus = True
    windows = ((1366, 768),)  # In others it is looked at with the mouse.

    def press(self, *keys):
        self.player.press(*keys)
        return self.player.settle()

    def reach(self, element, has_focus=HAS_FOCUS):
        """Go by Tab to an element."""
        for _ in range(MOST_TABS):
            if element.evaluate(has_focus):
                return
            self.player.press("Tab")
        raise AssertionError(f"Tab does not lead to {element}")

    def hit(self, button):
        self.reach(button)
        self.press("Enter")

    def hit_radio(self, button):
        """Go by Tab to the radio buttons that it is one of, and by arrows to it."""
        self.reach(button.locator("xpath=ancestor::fieldset"), HAS_FOCUSED_RADIO)
        if not button.is_checked():
            self.press("Space")
        for _ in range(2):
            if not button.is_checked():
                self.press("ArrowDown")

    def write_into(self, field, text):
        self.reach(field)
        self.player.press("Control+A", "Delete")
        self.player.page.keyboard.type(text)

    def reach_map(self):
        self.reach(self.frame.locator(".kpviz canvas").first)

    def predict(self, k, verdicts):
        for number, verdict in enumerate(verdicts):
            if number:
                self.press("Enter")
            self.press(("ArrowLeft", "ArrowRight")[VERDICTS.index(verdict)])
        return self

    def choose(self, k, numbers):
        boxes = self.task(k).locator("input[type=checkbox]")
        for number in range(boxes.count()):
            if boxes.nth(number).is_checked() != (number in numbers):
                self.press(str(number + 1))
        if not boxes.count():
            self.press(*(str(number + 1) for number in numbers))

    def choose_examples(self, k, examples):
        """Walk to the examples on the map; the last one is checked by a second Enter."""
        self.reach_map()
        for i in examples:
            self.press("Home", *["ArrowRight"] * i, "Enter")

    def check(self, k):
        if self.check_button(k).is_visible():
            is_text = self.task(k).locator("textarea").count()
            self.press("Control+Enter" if is_text else "Enter")
        self.until_checked()
        return self.said(k)

    def set(self, k, link):
        """Turn the width of the hills with the keys of its slider, and write it."""
        self.reach(self.slider(k).first)
        self.press("ArrowLeft")
        self.write_into(self.setting(k), f"{Link.read(link).settings.sigma:g}")
        self.press("Tab")

    def draw(self, k, link):
        player = self.player
        for point, label in missing_points(player, link):
            name = "Draw orange" if label > 0 else "Draw blue"
            self.hit(self.button(k, name))
            player.until("s.standing.edit.keyboard !== null")
            area = player.js("s.layout.panels.map")
            wanted = (spot_of(player, point) - np.array([area["x"], area["y"]])) / area["w"]
            away = np.array(wanted) - player.js("s.standing.edit.keyboard")
            for share, (less, more) in zip(
                away, (("ArrowLeft", "ArrowRight"), ("ArrowUp", "ArrowDown")), strict=True
            ):
                coarse = int(abs(share) / COARSE)
                fine = round((abs(share) - coarse * COARSE) / FINE)
                key = more if share > 0 else less
                player.press(*[key] * coarse, *[f"Shift+{key}"] * fine)
            self.press("Enter")
        if player.js("s.standing.edit.on"):
            self.press("Escape")

    def go_on(self):
        self.press("Enter")
        return self.arrive()


class Touching(Lesson):
    """Who has a phone, and fingers."""

    windows = ((390, 844),)

    def hit(self, button):
        button.tap()

    def hit_map(self, x, y):
        self.player.page.touchscreen.tap(*self.player.at(x, y))
        self.player.rest()

    def draw(self, k, link):
        player = self.player
        for point, label in missing_points(player, link):
            self.hit(self.button(k, "Draw orange" if label > 0 else "Draw blue"))
            self.hit_map(*spot_of(player, point))
            player.settle()
