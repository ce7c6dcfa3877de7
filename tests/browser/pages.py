"""The page that plays itself, opened from disk."""

from driver import Player

from kpviz import experiment
from kpviz.export.page.page import page
from kpviz.player.comparison import Comparison
from kpviz.settings.cues import Cues


class Opened(Player):
    """A page of its own, which may play by itself."""

    def __init__(self, page, frame=None):
        super().__init__(page, "")
        self.frame = frame or page.main_frame

    def ready(self):
        self.root = self.frame.wait_for_selector(".kpviz")
        return self.until("s && s.board")

    def settle(self):
        return self.until("!s.lesson?.arriving").rest()


def page_of(settings, pins=(), **options):
    split = experiment.prepare(settings)
    lineup = Comparison.of(settings, split, experiment.run(settings, split), pins)
    return page(lineup, Cues.of_code(settings.cues), **options)


def written(folder, settings, name="lecture.html", **options):
    path = folder / name
    path.write_text(page_of(settings, **options), encoding="utf-8")
    return path
