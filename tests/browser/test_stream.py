"""A stream in the player: what arrived lately, what is in memory, and mistakes and support over time."""

from kpviz import experiment
from kpviz.lessons import explain
from kpviz.settings import Settings


def test_a_stream_plays_to_its_end_at_60_steps_a_second_without_a_message_to_the_server(player):
    settings = Settings.of(stream="on", learner="norma", data="linear")
    run = experiment.run(settings)
    player.open(f"/?{settings.query()}")
    player.sent.clear()
    player.js("s.setSpeed(1)")
    seconds = player.page.evaluate(
        """async (r) => {
          const { cursor } = r.kpviz.player;
          const began = performance.now();
          cursor.toggle();
          while (cursor.t < 180 || !r.kpviz.board) await new Promise(requestAnimationFrame);
          return (performance.now() - began) / 1000;
        }""",
        player.root,
    )
    assert seconds < 4.5  # 180 steps at 60 per second are 3 seconds; nothing waits on the server or falls behind
    player.until("!s.clock.playing || s.t > 400")
    player.js("s.clock.playing && s.toggle()")
    player.rest()
    player.press("End").rest()
    assert player.t == run.n_steps
    mistakes = int(run.mistake.sum())
    assert player.sentence.endswith(f"The stream ends: {mistakes} mistakes among 1,000 examples.")
    assert player.sentence == explain.explain(run, run.n_steps, stream=True).sentence
    assert player.sent == []


def test_drawing_a_step_of_a_long_stream_takes_less_than_a_frame(player):
    for given in ({"learner": "norma", "tau": 0}, {"flipped": 0.3}, {"learner": "logistic"}):
        player.open(f"/?{Settings.of(stream='on', n=2000, **given).query()}")
        script = """(() => {
            const times = [];
            for (let t = 1900; t < 1960; t++) {
              s.t = t;
              const began = performance.now();
              s.draw();
              times.push(performance.now() - began);
            }
            return times.sort((a, b) => a - b)[30];
          })()"""
        assert player.js(script) < 33, given  # 60 steps per second are two steps for each of 30 frames


def test_the_coarsest_grain_goes_by_hundreds(player):
    player.open("/?v=1&stream=on&t=250")
    assert player.page.locator(".kpviz .bar .grain b").all_inner_texts() == ["example", "mistake", "hundred"]
    for key, expected in (("ArrowDown", 300), ("ArrowDown", 400), ("ArrowUp", 300), ("ArrowUp", 200)):
        player.press(key).rest()
        assert player.t == expected
    player.go(980).press("ArrowDown").rest()
    assert player.t == 1000
