"""The page that plays itself, opened from disk."""

import time

from driver import PATIENCE, Player

from kpviz import experiment
from kpviz.export.page.page import page


class Opened(Player):
    """A page of its own. Its policy allows no text to become code, so nothing can be waited for within it."""

    def __init__(self, page, frame=None):
        super().__init__(page, "")
        self.frame = frame or page.main_frame

    def ready(self):
        self.root = self.frame.wait_for_selector(".kpviz")
        return self.until("s && s.board")

    def until(self, expression, arg=None):
        ends = time.monotonic() + PATIENCE / 1000
        while not self.js(f"Boolean({expression})", arg):
            assert time.monotonic() < ends, expression
            time.sleep(0.03)
        return self

    def settle(self):
        return self.until("!s.lesson?.arriving").rest()


def written(folder, settings, name="lecture.html", **options):
    split = experiment.prepare(settings)
    path = folder / name
    path.write_text(page(settings, split, experiment.run(settings, split), **options), encoding="utf-8")
    return path
