"""The board's state: who has subscribed is told of each change once, and nothing is set past it."""

import itertools

from headless import sent
from hypothesis import given
from hypothesis import strategies as st

VALUES = ["t", "shown", "pinned"]
# Some changes at once are one group; the others are told of one by one.
CHANGES = st.lists(
    st.lists(st.dictionaries(st.sampled_from(VALUES), st.integers(0, 2)), min_size=1, max_size=3),
    max_size=6,
)
SCRIPT = """(() => {
  const { BoardState } = load("board/state.js");
  const state = new BoardState();
  state.change({ t: 0, shown: 0, pinned: 0 });
  const told = [[], []];
  for (const list of told) {
    state.subscribe((changed) => {
      const values = Object.fromEntries([...changed].map((name) => [name, state[name]]));
      list.push([[...changed].sort(), values]);
    });
  }
  for (const group of arg) {
    if (group.length === 1) state.change(group[0]);
    else state.together(() => group.forEach((values) => state.change(values)));
  }
  return told;
})()"""


def told_of(groups):
    """What a subscriber is told: the names of what was set to another value, and the values."""
    values = dict.fromkeys(VALUES, 0)
    told = []
    for group in groups:
        changed = set()
        for change in group:
            changed |= {name for name in change if values[name] != change[name]}
            values.update(change)
        if changed:
            told.append([sorted(changed), {name: values[name] for name in changed}])
    return told


@given(groups=CHANGES)
def test_each_subscriber_is_told_once_of_what_is_another_value(engine, groups):
    names = "const load = globalThis.load;"
    told = engine.call(f"(arg) => {{ {names} return ({SCRIPT}); }}", groups)
    assert told == [told_of(groups)] * 2


def test_who_changes_the_state_when_told_is_heard_by_all_after_that(engine):
    script = """() => {
      const { BoardState } = load("board/state.js");
      const state = new BoardState();
      const told = [];
      state.subscribe((changed) => {
        told.push(["first", ...changed]);
        if (changed.has("t")) state.change({ pinned: null, pointer: { px: state.t, py: 0 } });
      });
      state.subscribe((changed) => told.push(["second", ...changed]));
      state.change({ t: 5 });
      return told;
    }"""
    assert engine.call(script) == [
        ["first", "t"],
        ["second", "t"],
        ["first", "pointer"],
        ["second", "pointer"],
    ]


def test_what_fails_amid_several_changes_leaves_a_state_that_still_tells(engine):
    script = """() => {
      const { BoardState } = load("board/state.js");
      const state = new BoardState();
      const told = [];
      state.subscribe((changed) => told.push([...changed]));
      try {
        state.together(() => {
          state.change({ t: 5 });
          throw new Error("no");
        });
      } catch {
        state.change({ shown: new Set() });
      }
      return told;
    }"""
    assert engine.call(script) == [["t", "shown"]]


def test_no_value_can_be_set_past_the_state(engine):
    script = """() => {
      const { BoardState } = load("board/state.js");
      const { Player } = load("board/player.js");
      const player = new Player();
      const assign = (owner, name) => {
        "use strict";
        try {
          owner[name] = 1;
        } catch (error) {
          return error instanceof TypeError;
        }
        return false;
      };
      return {
        state: ["runs", "t", "mode", "shown", "pinned", "pointer"].map((name) =>
          assign(new BoardState(), name),
        ),
        player: ["t", "shown", "pinned", "pointer"].map((name) => assign(player, name)),
      };
    }"""
    assert engine.call(script) == {"state": [True] * 6, "player": [True] * 4}


NUMBERS = itertools.count()
TOLD = "(globalThis.told = [], s.player.state.subscribe((changed) => told.push([...changed].sort())), 0)"


def arrives(player, query):
    """Another run comes, as a setting brings it."""
    numbered = f'"id":"{next(NUMBERS):03}"'.encode()
    player.engine.take(sent(query).replace(b'"id":"run"', numbered))
    player.js("(s.player.curve.follow = () => {})")  # It reads addresses, as browsers do.
    player.js("(s.player.take(kpviz.bytes), 0)")


def test_what_one_does_on_the_board_is_one_change(player):
    player.open("/?v=1&n=12&noise=0")
    player.js(TOLD)
    player.press("ArrowRight")
    player.js("(s.actions.show('gram', true), 0)")
    assert player.js("told") == [["t"], ["shown"]]
    arrives(player, "v=1&data=moons&n=12")  # Other data begin at 0.
    assert player.js("told")[2:] == [["runs", "t"]]
    player.press("ArrowRight")
    arrives(player, "v=1&data=moons&n=12&order=hand")  # Its panel comes along.
    assert player.js("told")[3:] == [["t"], ["runs", "shown"]]
