"""Pictures of a comparison say what the player says: captions, counters, sentences, the table, the timeline."""

import pytest

from kpviz import comparison, experiment
from kpviz.comparison import PRESETS
from kpviz.views import board, look, numbers
from kpviz.views.board import Look


def drawn(name, t):
    """What is on the board of a lesson, and its figure."""
    settings, pins = PRESETS[name].settings()
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    how = {**look.options(settings, split), "others": look.others(settings, split, run, pins)}
    figure = board.figure(run, t, dpi=50, **how)
    return board.describe(run, t, Look(**how).on(run)), figure


def texts(player, panel, **wanted):
    return [mark["text"] for mark in player.marks(panel, **wanted)]


@pytest.mark.parametrize(("name", "t"), [("averaged", 40), ("ties", 12)])
def test_the_player_and_the_picture_say_the_same(player, name, t):
    settings, pins = PRESETS[name].settings()
    player.open(f"/?{settings.query()}&{comparison.query(pins)}&t={t}")
    shown, figure = drawn(name, t)
    count = len(pins)
    suffixes = [*(f"-{k}" for k in range(count)), ""]
    for suffix in suffixes:
        caption = shown[f"caption{suffix}"]
        assert texts(player, f"caption{suffix}", name="letter") == [caption.letter]
        assert texts(player, f"caption{suffix}", name="caption") == [caption.name]
    assert texts(player, "sayings", name="counter") == [each.text for each in shown["sayings"].counters]
    for letter, sentence in zip(shown["sayings"].letters, shown["sayings"].sentences, strict=True):
        lines = [mark for mark in player.marks("sayings", name="sentence") if mark["letter"] == letter]
        assert " ".join(mark["text"] for mark in lines) == sentence.text
    table = shown["table"]
    for key, row in zip(numbers.ENDS, table.rows, strict=True):
        assert texts(player, "table", name=key) == row, key
    for label, values in zip(numbers.SO_FAR, (table.mistakes, table.support), strict=True):
        assert texts(player, "table", name=label) == [f"{value:,}" for value in values]
    labels = [mark["text"] for mark in player.marks("table") if mark.get("align") is None and mark["kind"] == "text"]
    assert labels == [*numbers.LABELS, "training time"]
    ends = {text.get_text() for ax in figure.axes for text in ax.texts if ax.get_label().startswith("map")}
    for suffix in suffixes:
        (scale,) = texts(player, f"map{suffix}", name="scale")
        assert scale in ends
    letters = [mark["text"] for mark in player.marks("timeline") if mark.get("weight") == 700]
    assert letters == list(shown["timeline"].letters)
