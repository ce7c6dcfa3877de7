"""Runs side by side: one player, one time, what differs shaded, a table of numbers."""

import numpy as np
import pytest

from kpviz import experiment, tokens
from kpviz.engine.run import grid
from kpviz.lessons import comparison, explain
from kpviz.lessons.comparison import PRESETS, Pin
from kpviz.settings import Settings

TWO = "/?v=1&data=moons&n=60&noise=0.15&held=0.3&pins=1&p1.kernel=linear"


def runs(settings, pins):
    """Split and run of every model, the current one last."""
    made = [*(pin.on(settings) for pin in pins), settings]
    return [(experiment.prepare(each), experiment.run(each)) for each in made]


def two():
    return runs(Settings.of(data="moons", n=60, noise=0.15, held=0.3), [Pin.of(Settings.of(kernel="linear"))])


def letters(player, panel, name, key="text"):
    return {mark["letter"]: mark[key] for mark in player.marks(panel, name=name)}


def test_both_runs_stand_at_the_same_time_and_the_shorter_one_at_its_end(player):
    (_, pinned), (_, current) = two()
    assert pinned.n_steps > current.n_steps
    player.open(TWO)
    for t in (0, 1, 37, current.n_steps, current.n_steps + 5, pinned.n_steps):
        player.go(t)
        counters = letters(player, "sentences", "counter")
        assert counters == {
            "A": explain.counter(pinned, min(t, pinned.n_steps)),
            "B": explain.counter(current, min(t, current.n_steps)),
        }
        assert letters(player, "table", "mistakes so far") == {
            "A": str(pinned.mistake[:t].sum()),
            "B": str(current.mistake[:t].sum()),
        }
        support = {
            letter: str(len(run.state_at(min(t, run.n_steps)).support))
            for letter, run in (("A", pinned), ("B", current))
        }
        assert letters(player, "table", "support so far") == support
    player.press("End").rest()
    assert player.t == pinned.n_steps
    cursor = player.marks("timeline", name="cursor")[0]
    assert cursor["x"] + 1.5 == pytest.approx(player.js("s.layout.panels.timeline.x + s.layout.panels.timeline.w - 8"))


@pytest.mark.parametrize("t", [1, 20, 42, 700])
def test_the_shade_is_where_the_signs_differ(player, t):
    player.open(TWO).go(t)
    (split, pinned), (_, current) = two()
    shown = grid.extent(np.concatenate([split.X, split.X_test]))
    axes = shown.axes(96)
    a, b = (grid.field(run, min(t, run.n_steps), *axes) for run in (pinned, current))
    sure = (np.abs(a) > 1e-4) & (np.abs(b) > 1e-4)
    mask = np.reshape(player.js("s.runs.shaded.mask"), (96, 96))
    assert (mask[sure] == (a * b < 0)[sure]).all()
    assert 0 < mask.mean() < 1
    for name in ("map", "map-0"):
        assert len(player.marks(name, name="shade")) == 1


def test_before_the_first_step_nothing_is_shaded(player):
    player.open(TWO)
    assert player.js("s.runs.shaded.mask.every((value) => value === 0)")


def test_the_table_says_what_python_says(player):
    settings = Settings.of(data="moons", n=60, noise=0.15, held=0.3)
    player.open(TWO)
    made = runs(settings, [Pin.of(Settings.of(kernel="linear"))])
    models = [Pin.of(Settings.of(kernel="linear")).on(settings), settings]
    columns = [comparison.summary(each, *parts) for each, parts in zip(models, made, strict=True)]
    columns.append(comparison.reference(settings, made[1][0]))
    for key in ("mistakes", "epochs", "support"):
        wanted = [getattr(column, key) for column in columns]
        assert list(letters(player, "table", key).values()) == ["–" if n is None else f"{n:,}" for n in wanted]
    for key in ("margin", "norm"):
        wanted = [getattr(column, key) for column in columns]
        assert list(letters(player, "table", key).values()) == ["–" if n is None else explain.number(n) for n in wanted]
    for key in ("train_error", "test_error"):
        wanted = [f"{100 * getattr(column, key):.1f}%" for column in columns]
        assert list(letters(player, "table", key).values()) == wanted
    assert all(text.endswith("s") for text in letters(player, "table", "seconds").values())


def test_the_middle_grain_stops_at_the_mistakes_of_either(player):
    (_, pinned), (_, current) = two()
    stops = sorted({*(np.flatnonzero(pinned.mistake) + 1), *(np.flatnonzero(current.mistake) + 1)})
    player.open(TWO)
    for stop in stops[:25]:
        player.press("PageDown").rest()
        assert player.t == stop
    for stop in stops[23::-1]:
        player.press("PageUp").rest()
        assert player.t == stop
    for pressed, t in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        player.press("Home").rest() if t == 1 and pressed == "ArrowRight" else None
        player.press(pressed).rest()
        assert player.t == t


def test_pointing_at_one_map_tells_of_its_run_and_lights_the_example_in_both(player):
    (_, pinned), (_, current) = two()
    player.open(TWO).go(42)
    for name, run in (("map-0", pinned), ("map", current)):
        script = "(({ view }) => [view.x(s.run.X[6]), view.y(s.run.X[7])])(s.maps.find((map) => map.name === arg))"
        x, y = player.js(script, name)
        player.point(x, y)
        f = float(run.decision_function(run.X[3:4], t=42)[0])
        assert f"f = {explain.number(f)}" in " ".join(player.tip)
        assert [len(player.marks(each, lit=3)) for each in ("map-0", "map")] == [1, 1]


@pytest.mark.parametrize("name", PRESETS)
def test_each_lesson_opens_and_plays(player, name):
    current, pins = PRESETS[name].settings()
    player.open(f"/?{current.query()}&{comparison.query(pins)}")
    assert player.js("s.runs.pinned.length") == len(pins)
    captions = [mark["text"] for k in range(len(pins)) for mark in player.marks(f"caption-{k}", name="caption")]
    captions += [mark["text"] for mark in player.marks("caption", name="caption")]
    wanted = comparison.names(pins, current)
    assert all(text == full or text[:-1] == full[: len(text) - 1] for text, full in zip(captions, wanted, strict=True))
    player.press("PageDown", "PageDown", "End").rest()
    assert player.t == max(run.n_steps for _, run in runs(current, pins))
    top = player.js("s.layout.panels.timeline.y")
    for panel in player.js("s.board.panels.map(({ name, rect }) => [name, rect])"):
        if panel[1] and panel[0] not in ("timeline", "tip"):
            assert panel[1]["y"] + panel[1]["h"] <= top + 1, panel


def test_a_step_is_shown_happening_on_the_map_of_each_run_that_it_changes(player):
    (_, pinned), (_, current) = two()
    last = min(pinned.n_steps, current.n_steps)
    both = int(np.flatnonzero(pinned.mistake[:last] & current.mistake[:last])[1])
    one = int(np.flatnonzero(pinned.mistake[:last] & ~current.mistake[:last])[0])
    player.open(TWO)
    for step, moving in ((both, ["map-0", "map"]), (one, ["map-0"])):
        player.go(step)
        found = player.js(
            """(s.step('example', 1), s.draw(), s.now += arg, {
                moving: Object.entries(s.scenes()).filter(([, scene]) => scene.moving).map(([name]) => name),
                bumps: s.board.panels.flatMap((p) => p.marks.filter((m) => m.name === 'bump').map(() => p.name)),
            })""",
            tokens.TIMINGS["example"] + tokens.TIMINGS["score"],
        )
        assert found == {"moving": moving, "bumps": moving}
        player.rest()
        assert player.t == step + 1


def test_the_words_of_a_cue_stand_alone(player):
    player.open(TWO + "&cues=3: Look where they part.").go(3)
    assert letters(player, "sentences", "counter").keys() == {"A", "B"}
    words = " ".join(mark["text"] for mark in player.marks("sentences", name="sentence"))
    assert words.strip() == "Look where they part."
    player.go(4)
    assert len({mark["letter"] for mark in player.marks("sentences", name="sentence")}) == 2
