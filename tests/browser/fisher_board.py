"""What the tests do with Fisher's board."""

import numpy as np
from driver import Player
from numpy.testing import assert_allclose

from kpviz.engine.fisher import data, discriminant
from kpviz.lessons.explain import number
from kpviz.settings.fisher_link import read_link


class Board(Player):
    """What the tests do with Fisher's board."""

    def open(self, query="v=1"):
        return super().open(f"/fisher?{query}")

    @property
    def angle(self):
        return self.js("s.reading.angle")

    @property
    def sentence(self):
        return self.js("s.controls.live.textContent")

    def mean(self):
        """Where the mean of all points is on the canvas."""
        return self.js("[s.view.x(s.header.mean[0]), s.view.y(s.header.mean[1])]")

    def arrow(self):
        """Where the arrow ends on the canvas."""
        x, y = self.mean()
        return self.js(
            "[arg[0] + 0.4 * s.view.rect.w * s.reading.F[0], arg[1] - 0.4 * s.view.rect.w * s.reading.F[1]]", [x, y]
        )

    def drag(self, start, *places):
        """Press at a place of the canvas, and move to others; the button stays down."""
        self.page.mouse.move(*self.at(*start))
        self.page.mouse.down()
        for place in places:
            self.page.mouse.move(*self.at(*place), steps=4)
        return self.until("!s.frames.next")

    def drop(self):
        self.page.mouse.up()
        return self.rest()

    def engine(self):
        """The engine's numbers for the data and the direction that are shown."""
        settings, _, _ = read_link(dict(part.split("=") for part in self.js("s.header.query").split("&")))
        plane = data.see(
            data.load(settings.data, settings.n, settings.noise, settings.seed)
            if not settings.applies("x")
            else data.load(
                settings.data, settings.n, settings.noise, settings.seed, features=(settings.x, settings.y),
                classes=tuple(map(int, settings.pair)) if settings.data == "iris" else None,
            )
        )  # fmt: skip
        return plane, discriminant.turn(plane.Z, plane.examples.labels, [self.angle])

    def agree(self):
        """Everything that is shown equals the engine's numbers."""
        plane, table = self.engine()
        reading = self.js(
            "({ J: s.reading.J, means: s.reading.means, thresholds: s.reading.thresholds, wrong: s.reading.wrong })"
        )
        assert_allclose(reading["J"], table.J[0], rtol=1e-9)
        assert_allclose(reading["means"], table.means[0], atol=1e-9)
        assert reading["wrong"] == table.wrong[0].tolist()
        assert self.marks("spectrum", name="J")[0]["text"] == number(float(table.J[0]))
        assert len(self.marks("map", name="wrong")) == table.wrong[0].sum()
        if self.js("s.moved") is None:
            assert_allclose(reading["thresholds"], table.thresholds[0], atol=1e-9)
        for name, count in enumerate(table.wrong[0]):
            bars = [mark for mark in self.marks("lanes") if mark.get("class") == name]
            assert sum(mark.get("wrong", 0) for mark in bars) == count
            right = (plane.examples.labels == name).sum() - count
            assert sum(mark.get("right", 0) for mark in bars) == right
        F = np.array([np.cos(np.radians(self.angle)), np.sin(np.radians(self.angle))])
        feet = {mark["i"]: (mark["x"], mark["y"]) for mark in self.marks("map", name="foot")}
        x, y = self.mean()
        scale = self.js("s.view.scale")
        along = (plane.Z - plane.Z.mean(axis=0)) @ F * scale
        for i, far in enumerate(along):
            assert_allclose(feet[i], (x + far * F[0], y - far * F[1]), atol=1e-6)
        return table
