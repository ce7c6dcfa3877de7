"""What the tests do with Fisher's board."""

import numpy as np
from driver import Player
from numpy.testing import assert_allclose

from kpviz.engine.fisher import discriminant
from kpviz.lessons.explain import number
from kpviz.player import fisher
from kpviz.settings.fisher_link import read_link


class Board(Player):
    """What the tests do with Fisher's board."""

    def open(self, query="v=1"):
        return super().open(f"/fisher?{query}")

    def fisher(self, expression, arg=None):
        """The value of an expression in f, what stands in place of a run, and now, its numbers."""
        return self.js(
            f"((f, now) => ({expression}))(s.run.fisher, s.run.fisher.reading(s.t))", arg
        )

    @property
    def angle(self):
        return self.fisher("now.angle")

    @property
    def live(self):
        return self.js("s.controls.live.textContent")

    def place(self, along=0.0):
        """A place on the line of F, so many shares of the map's side from the mean of
        all points.
        """
        mean = "[s.view.x(f.header.mean[0]), s.view.y(f.header.mean[1])]"
        return self.fisher(
            f"{mean}.map((at, k) => at + (k ? -arg : arg) * s.view.rect.w * now.F[k])", along
        )

    def drag(self, *places):
        """Press at a place of the canvas, move to others and let go."""
        self.hold(*places).page.mouse.up()
        return self.rest()

    def turns(self, key, angle):
        assert self.press(key).rest().angle == angle, key
        return self

    def agree(self):
        """Everything that is shown equals the engine's numbers."""
        plane = fisher.plane_of(
            read_link(dict(part.split("=") for part in self.fisher("f.header.query").split("&")))[0]
        )
        labels = plane.examples.labels
        table = discriminant.turn(plane.Z, labels, [self.angle])
        now, moved = self.fisher("({ ...now, values: [] })"), self.fisher("f.movedThreshold")
        F = np.array([np.cos(np.radians(self.angle)), np.sin(np.radians(self.angle))])
        wrong = table.wrong[0]
        if moved is None:
            assert_allclose(now["thresholds"], table.thresholds[0], atol=1e-9)
        else:
            found = moved < plane.Z @ F
            wrong = np.array([(found & (labels == 0)).sum(), (~found & (labels == 1)).sum()])
        assert_allclose(now["J"], table.J[0], rtol=1e-9)
        assert_allclose(now["means"], table.means[0], atol=1e-9)
        assert now["wrong"] == wrong.tolist()
        assert self.marks("criterion", name="J")[0]["text"] == number(float(table.J[0]))
        assert len(self.marks("map", name="wrong")) == wrong.sum()
        for k, count in enumerate(wrong):
            bars = [mark for mark in self.marks("projections") if mark.get("class") == k]
            assert sum(mark.get("wrong", 0) for mark in bars) == count
            assert sum(mark.get("right", 0) for mark in bars) == (labels == k).sum() - count
        feet = {mark["i"]: (mark["x"], mark["y"]) for mark in self.marks("map", name="foot")}
        (x, y), scale = self.place(), self.js("s.view.x(1) - s.view.x(0)")
        for i, far in enumerate((plane.Z - plane.Z.mean(axis=0)) @ F * scale):
            assert_allclose(feet[i], (x + far * F[0], y - far * F[1]), atol=1e-6)
        return self
