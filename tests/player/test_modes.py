"""The stack of modes: what a hand holds, what stays until one leaves it, and what Escape makes of both."""

import pytest

# A board on which each thing can be held, and the panel in which it is.
HELD = {
    "scrub": ("/?v=1&n=12&t=5", "timeline"),
    "spin": ("/?v=1&data=xor&n=16&noise=0&t=5&show=lift&kernel=monomial&degree=2", "lift"),
    "order": ("/?v=1&n=12&t=5&show=sequence", "sequence"),
}
# `hold` takes hold of what a panel has; `actions` are those of a page on which nothing else is open.
SCRIPT = """(() => {
  const { HOLDS } = load("modes/holds.js");
  const { Actions } = load("page/actions.js");
  const { player, targets } = s;
  const noted = [];
  const session = { acknowledged: 0, drag: () => 1, abandon: () => 2 };
  const { Reorder } = load("modes/order.js");
  const stage = {
    player,
    targets,
    standing: { reorder: new Reorder({ player, session }) },
    pick: () => noted.push("picked"),
    redraw() {},
    controls: {},
    cueBox: {},
    minute: {},
    termBox: {},
  };
  const actions = new Actions(stage);
  const { modes } = player;
  const { rect } = s.board.panels.find(({ name }) => name === arg.panel);
  const places = [];
  for (let px = rect.x + 3; px < rect.x + rect.w; px += 7) {
    for (let py = rect.y + 3; py < rect.y + rect.h; py += 7) places.push(targets.at(px, py));
  }
  const hit = places.find((one) => one && targets.holdAt(one) === arg.hold);
  const mode = HOLDS[arg.hold](stage, hit);
  const states = [];
  const see = () => states.push([modes.stack.map(({ name }) => name), actions.closes]);
  modes.enter({ name: "standing", escape: () => { modes.leave(modes.stack.at(-1)); return true; } });
  see();
  modes.enter(mode);
  see();
  mode.move?.({ px: hit.px + 20, py: hit.py });
  while (actions.escape()) see();
  modes.enter(HOLDS[arg.hold](stage, hit));
  modes.enter({ name: "other hand", holds: true, end: () => noted.push("ended") });
  see();
  modes.end();
  see();
  return { states, noted };
})()"""


@pytest.mark.parametrize("hold", HELD)
def test_escape_gives_up_what_is_held_first_and_ends_what_stands_last(player, hold):
    path, panel = HELD[hold]
    player.open(path)
    seen = player.js(SCRIPT, {"hold": hold, "panel": panel})
    assert seen["states"] == [
        [
            ["standing"],
            False,
        ],  # the arrows of the map go on, and Escape on a button leads to the board
        [["standing", hold], True],
        [["standing"], False],
        [[], False],
        [["other hand"], True],  # a hand holds one thing
        [[], False],
    ]
    assert seen["noted"] == (["picked", "ended"] if hold == "spin" else ["ended"])


ALONE = """(() => {
  const { modes } = s.player;
  const ruler = { name: "ruler", takesMap: true, makeWay: () => modes.leave(ruler) };
  const bystander = { name: "bystander", makeWay() {} };
  const all = [...Object.values(s.standing), ruler];
  const takers = all.filter((mode) => "takesMap" in mode);
  const take = (mode) => ("toggle" in mode ? mode.toggle(true) : modes.enter(mode));
  const names = () => modes.stack.map(({ name }) => name);
  const states = [];
  for (const first of takers) {
    for (const second of takers) {
      s.player.state.change({ mode: [bystander] });
      take(first);
      take(second);
      states.push([second.name, names(), modes.ask("takesMap")]);
    }
  }
  for (const mode of all.filter((mode) => !takers.includes(mode))) {
    s.player.state.change({ mode: [ruler] });
    modes.enter(mode);
    states.push([mode.name, names(), modes.ask("takesMap")]);
  }
  return states;
})()"""


def test_a_mode_that_takes_the_map_has_it_alone_and_others_leave_it_to_whoever_has_it(player):
    states = player.open("/?v=1&n=12&t=5").js(ALONE)
    takers = ["edit", "ruler"]
    assert states == [
        *([second, ["bystander", second], True] for _ in takers for second in takers),
        *([name, ["ruler", name], True] for name in ("question", "reorder")),
    ]
