"""The player and the pictures say the same of the three readings and of the primal form, in words and in lines."""

import pytest
from artists import panel
from tidy import texts

from kpviz import experiment, tokens
from kpviz.settings import Settings
from kpviz.views import board, boundaries, look

CASES = {
    "noisy": {"noise": 0.2, "held": 0.3, "epochs": 8},  # no primal form
    "linear": {"data": "shifted", "kernel": "linear", "intercept": "unit", "eta": 0.5, "epochs": 10},
    "averaged": {"kernel": "polynomial", "degree": 5, "epochs": 4, "predictor": "averaged"},
}
SAID = {
    "readings": ("errors", "votes", "note"),
    "primal": ("why", "primal", "dual", "verdict", "feature", "value", "even", "growth", "dimension"),
}
LARGE = {"width": 2800, "height": 2100}  # where each panel has room for all it has to say


def in_picture(run, t, name, how):
    """The texts of a panel alone, by what they are, and all of them."""
    figure = board.panel(run, t, name, size=(12.8, 12.8), **how)
    written = [text for text in texts(figure) if text.axes is not None and text.axes.get_label() == name]
    return written, {gid: joined(text.get_text() for text in written if text.get_gid() == gid) for gid in SAID[name]}


def joined(parts):
    return " ".join(parts).replace("  ", " ")


def aside(written):
    """What stands beside the title."""
    return joined(text.get_text() for text in written if text.get_text().startswith("φ has"))


@pytest.mark.parametrize("name", CASES)
def test_player_and_pictures_say_the_same_words_at_the_same_step(player, name):
    settings = Settings.of(**CASES[name])
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    how = look.options(settings, split)
    player.page.set_viewport_size(LARGE)
    player.open(f"/?{settings.query()}&show=readings.primal")
    player.until("s.run.header.extras.readings && s.run.header.extras.primal").rest()
    for t in (0, 1, run.n_steps // 2, run.n_steps):
        player.go(t)
        for label, parts in SAID.items():
            written, said = in_picture(run, t, label, how)
            said |= {"dimension": aside(written)} if label == "primal" else {}
            shown = {part: joined(mark["text"] for mark in player.marks(label, name=part)) for part in parts}
            assert shown == {part: said[part] for part in parts}, (t, label)
            everything = joined(mark["text"] for mark in player.marks(label, kind="text"))
            title = panel(written[0].figure, label).get_title(loc="left")
            assert title in everything
            for quiet in ("heading", "top", "race"):
                words = joined(text.get_text() for text in written if text.get_gid() == quiet)
                assert words in everything, quiet


def test_lines_have_the_same_colours_and_dashes_on_the_map_and_in_the_table(player):
    settings = Settings.of(**CASES["noisy"])
    player.open(f"/?{settings.query()}&show=readings&t=60")
    player.until("s.run.header.extras.readings").rest()
    light = tokens.THEMES["light"]
    for kind, colour in boundaries.COLOURS.items():
        dashes = boundaries.DASHES[kind]
        expected = (light[colour], None if dashes is None else [*dashes])
        (on_map,) = player.marks("map", kind="lines", predictor=kind)
        assert (on_map["stroke"], on_map.get("dash")) == expected
        assert expected in [(mark["stroke"], mark.get("dash")) for mark in player.marks("readings", kind="line")]
    assert [mark["text"] for mark in player.marks("map", name="legend")] == [*boundaries.COLOURS]


def test_the_strip_of_votes_has_the_same_name_and_the_same_bars(player):
    settings = Settings.of(**CASES["noisy"])
    run = experiment.run(settings)
    player.open(f"/?{settings.query()}&show=readings&t=60")
    player.until("s.run.header.extras.readings").rest()
    ax = panel(board.figure(run, 60, dpi=50, panels=("readings",)), "votes")
    assert [text.get_text() for text in ax.texts] == [mark["text"] for mark in player.marks("votes", kind="text")]
    ahead = player.marks("votes", name="ahead")
    tall = ax.collections[0].get_paths()[0].vertices.reshape(-1, 5, 2)[:, 2, 1]
    assert len(tall) == len(ahead)
    most = max(mark["votes"] for mark in ahead)
    for mark, height in zip(ahead, tall, strict=True):
        if mark["votes"] > 3:
            assert height / max(tall) == pytest.approx(mark["votes"] / most)


def test_where_the_words_need_more_lines_the_chart_is_drawn_anew(player):
    """What stands still is kept in a layer: it may stay only while the chart has its place."""
    settings = Settings.of(**CASES["noisy"])
    player.page.set_viewport_size({"width": 1500, "height": 800})
    player.open(f"/?{settings.query()}&show=alpha.margins.readings")
    player.until("s.run.header.extras.readings").rest()
    seen = {}
    for t in (0, 1, 60):
        player.go(t)
        keys, height = player.js(
            "(([p]) => [p.still.map((still) => still.key), p.moving.find((m) => m.name === 'cursor')?.h])"
            "(s.board.panels.filter((p) => p.name === 'readings'))"
        )
        seen.setdefault(str(keys), set()).add(height)
    assert all(len(heights) == 1 for heights in seen.values()), seen
    assert len(seen) > 1
