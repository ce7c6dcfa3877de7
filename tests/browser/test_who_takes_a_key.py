"""Who takes a key: for each mode of the page and each key, what comes of it.

`pytest tests/browser/test_who_takes_a_key.py --update-gallery` writes `keys_taken.json` anew.
"""

import json
from pathlib import Path

import pytest
from answering import TEXT, Lesson
from driver import SEEN

HERE = Path(__file__).parent
WHO_TAKES = HERE.joinpath("who_takes.js").read_text(encoding="utf-8").rstrip()
RECORD = HERE / "keys_taken.json"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
NAMED = [
    *("ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"),
    *("Enter", " ", "Escape", "Backspace", "Delete", "Tab"),
]
KEYS = [
    *NAMED,
    *LETTERS,
    *"0123456789,.?",
    *(f"Shift+{key}" for key in (*NAMED, *LETTERS, "?")),
]
RUN = "/?v=1&data=xor&n=16&noise=0"
BOARD = f"{RUN}&t=5"
LIFT = f"{BOARD}&show=alpha.margins.lift&kernel=polynomial"
CUED = f"{BOARD}&cues=start_here~9_there"
LESSON = RUN  # on which the lesson of `answering.TEXT` is opened
FIRST = "/?v=1"
FISHER = "/fisher?v=1"
PRESENT = "s.present.begin('window', { ask: false });"
MINUTE = "s.standing.firstMinute.again();"
READY = f"""{MINUTE} for (let k = 0; k < 4; k++) {{
  s.standing.firstMinute.guess(1);
  if (k < 3) s.standing.firstMinute.goOn();
}}"""
ALL_DO_THE_SAME = {"presenting blank"}
FEW = ["ArrowRight", "PageUp", "Escape", "Enter", "w", "x", "Shift+d"]
# What a mode is called, the link that opens the page, and how one gets into it from the plain
# board.
MODES = {
    "board": (BOARD, ""),
    "keys that are held": (BOARD, ""),
    "lift": (LIFT, ""),
    "playing": (BOARD, "s.clock.start(0);"),
    "canvas": (BOARD, "s.canvas.focus();"),
    "example of the canvas": (BOARD, "s.canvas.focus(); s.walk.key('ArrowRight');"),
    "something pinned": (BOARD, "s.point({ px: 200, py: 200 }); s.pick();"),
    "editing": (BOARD, "s.standing.edit.toggle(true);"),
    "editing by keys": (BOARD, "s.standing.edit.toggle(true); s.canvas.focus();"),
    "a point in hand": (BOARD, "s.standing.edit.toggle(true); s.standing.edit.begin(200, 200);"),
    "guessing a side": (BOARD, "s.standing.question.askFor('side');"),
    "guessing a range": (BOARD, "s.standing.question.askFor('margin');"),
    "a guess answered": (
        BOARD,
        "s.standing.question.askFor('side'); s.standing.question.answer(1);",
    ),
    "settings": (BOARD, "s.dock.show('data');"),
    "slider": (BOARD, "s.dock.quick.element.querySelector('input[type=range]').focus();"),
    "panels to choose": (BOARD, "s.controls.menu('panels');"),
    "help": (BOARD, "s.controls.menu('help');"),
    "preferences": (BOARD, "s.controls.menu('preferences');"),
    "more": (BOARD, "s.controls.more.show(true);"),
    "cue": (BOARD, "s.cueBox.show();"),
    "export": (BOARD, "stage.export.show();"),
    "presenting": (BOARD, PRESENT),
    "presenting with cues": (CUED, PRESENT),
    "presenting blank": (BOARD, f"{PRESENT} s.present.keys({{ name: '.', shift: false }});"),
    "presenting with a light": (BOARD, f"{PRESENT} s.present.spotlight.toggle(true);"),
    "presenting the code": (BOARD, f"{PRESENT} s.present.join.toggle();"),
    "presenting and editing": (BOARD, f"{PRESENT} s.standing.edit.toggle(true);"),
    "presenting and guessing": (BOARD, f"{PRESENT} s.standing.question.askFor('side');"),
    "presenting with settings": (BOARD, f"{PRESENT} s.dock.show('kernel');"),
    "lesson": (LESSON, ""),
    "words of a lesson": (LESSON, "s.lesson.body.focus();"),
    "presenting a lesson's words": (LESSON, f"{PRESENT} s.present.slides.show();"),
    "presenting a lesson's board": (LESSON, f"{PRESENT} s.present.slides.hide();"),
    "presenting words over the panels": (
        LESSON,
        f"{PRESENT} s.present.slides.show({{ over: 'panels' }});",
    ),
    "first minute, asked": (FIRST, MINUTE),
    "first minute, ready": (FIRST, READY),
    "first minute, done": (FIRST, f"{READY} s.standing.firstMinute.play(); stage.draw();"),
    "Fisher": (FISHER, ""),
    "Fisher, threshold moved": (FISHER, "s.cursor.shift(1);"),
    "Fisher, canvas": (FISHER, "s.canvas.focus();"),
    "presenting Fisher": (FISHER, PRESENT),
}


LINKS = {link: mode for mode, (link, _) in reversed(MODES.items())}


@pytest.mark.parametrize("link", LINKS, ids=LINKS.values())
def test_each_key_does_in_each_mode_what_it_did(player, request, link):
    player.wear(1000, 640, reduced_motion="reduce").open(link)
    if link == LESSON:
        Lesson(player).read(TEXT)
    modes = [mode for mode, (where, _) in MODES.items() if where == link]
    taken = {mode: _by_outcome(_press_all(player, mode)) for mode in modes}
    if request.config.getoption("--update-gallery"):
        _write(taken)
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    assert taken == {mode: record[mode] for mode in modes}


def test_the_record_has_the_modes_that_are_tried_and_no_other():
    assert list(json.loads(RECORD.read_text(encoding="utf-8"))) == list(MODES)


def _press_all(player, mode):
    """The outcome of each key in a mode."""
    enter = f"(s, stage) => {{ {MODES[mode][1]} }}"
    script = (
        f"async (r, arg) => {{ {SEEN} const press = {WHO_TAKES}\n return press(r, seen, "
        f"{enter}, arg); }}"
    )
    keys = FEW if mode in ALL_DO_THE_SAME else KEYS
    arguments = {"keys": keys, "repeat": mode == "keys that are held"}
    return player.root.evaluate(script, arguments)


def _by_outcome(outcomes):
    """The keys of each outcome, in one text."""
    keys = {}
    for key, outcome in outcomes.items():
        keys.setdefault(outcome, []).append(key.replace(" ", "Space"))
    return {outcome: " ".join(keys[outcome]) for outcome in sorted(keys)}


def _write(taken):
    """Put the outcomes of some modes in the place of those that the record has."""
    record = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    record |= taken
    ordered = {name: record[name] for name in MODES if name in record}
    RECORD.write_text(json.dumps(ordered, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
