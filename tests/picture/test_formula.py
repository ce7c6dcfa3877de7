"""Formulas as outlines: on slides, in pictures and in films they are set as on paper."""

import numpy as np
import pytest
from matplotlib.backends.backend_pdf import RendererPdf

from kpviz.export.scenes import StagedScene
from kpviz.lessons import shelf
from kpviz.lessons.file import format
from kpviz.picture import figure
from kpviz.picture.formula import outline
from kpviz.picture.stage import RenderOptions

LESSON = r"""---
title: Formulas
---
## One
link: /fisher?v=1

The kernel $\frac{1}{m} \sum_i x_i$ is here.

$$
"""


def boxes(latex, **style):
    """The boxes of the parts of a formula, from left to right: left, bottom, right, top."""
    polygons = outline(latex, **style).path.to_polygons(closed_only=False)
    return sorted([*each.min(axis=0), *each.max(axis=0)] for each in polygons if len(each) > 2)


def test_a_fraction_has_a_bar_and_what_is_over_it_and_under_it():
    bar, above, below = sorted(boxes(r"\frac{x}{z}"), key=lambda box: box[1] - box[3])[::-1]
    above, below = sorted((above, below), key=lambda box: -box[1])
    assert bar[3] - bar[1] < 0.06 < bar[2] - bar[0]
    assert above[1] > bar[3] > bar[1] > below[3]
    assert outline(r"\frac{x}{z}", display=True).above > outline(r"\frac{x}{z}").above


def test_an_index_is_lower_and_an_exponent_higher_and_both_are_large_enough_to_be_read():
    letter, index = boxes("x_x")
    assert index[1] < letter[1]
    assert index[3] < letter[3]
    assert index[3] - index[1] > 0.6 * (letter[3] - letter[1])
    letter, exponent = boxes("x^x")
    assert exponent[1] > letter[1]
    assert exponent[3] > letter[3]


def test_what_is_typed_in_characters_is_set_as_in_commands():
    typed, spelled = outline("Σ αᵢ"), outline(r"\sum \alpha_i")
    np.testing.assert_array_equal(typed.path.vertices, spelled.path.vertices)


@pytest.mark.parametrize("name", shelf.paths())
def test_each_formula_of_our_lessons_has_outlines_within_its_room(name):
    for scene in shelf.read(name).scenes:
        for each in StagedScene(1, scene)._card.formulas:
            made = outline(each.latex, display=each.display)
            x, y = made.path.vertices.T
            assert -0.1 < x.min() < x.max() < made.width + 0.2, each.latex
            assert (y.max(), -y.min()) == (made.above, made.below)


def test_the_texts_of_slides_and_their_formulas_can_be_found_in_a_pdf(monkeypatch):
    written = []
    draw = RendererPdf.draw_text
    monkeypatch.setattr(
        RendererPdf,
        "draw_text",
        lambda self, gc, x, y, text, *more: (
            written.append((text, gc.get_alpha(), x, y)),
            draw(self, gc, x, y, text, *more),
        ),
    )
    scenes = format.read(LESSON.removesuffix("$$\n")).scenes
    ((_, page),) = StagedScene(1, scenes[0]).pictures(RenderOptions(), (6.4, 3.6))
    pdf = figure.pages([page], "Formulas")
    assert pdf == figure.pages([page], "Formulas")
    texts = "".join(text for text, *_ in written)
    for words in ("One", "The kernel ", "(1)/(m) Σᵢ xᵢ", " is here.", "best J = 3.29"):
        assert words in texts, words
    assert {alpha for _, alpha, *_ in written} == {0.0}
    assert all(0 <= x <= 6.4 * 72 and 0 <= y <= 3.6 * 72 for *_, x, y in written)
    assert b"/ToUnicode" in pdf
