"""The session in the browser: whatever happens on the way, the page ends where its commands lead."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpviz.picture import bridge
from kpviz.player import modules

LONG = ("progress", 30)


class Sessions(bridge.Engine):
    """The engine with the modules of the run service's other side."""

    def __init__(self):
        super().__init__()
        script = "\n".join(modules.script(f"service/{name}.js") for name in ("session",))
        names = re.findall(r"^const (\$\w+) = \(\(\) =>", script, re.MULTILINE)
        history = modules.script("service/history.js")
        bench = Path(__file__).with_name("session_bench.js").read_text(encoding="utf-8")
        load = 'const load = (path) => all["$" + path.replace(".js", "").replaceAll("/", "_")];'
        found = f"const all = {{ {', '.join(names)}, ...(() => {{ {history}\nreturn {{ $service_history }}; }})() }};"
        self._js.eval(f"(() => {{ {script}\n{found}\n{load}\n{bench} }})(); 0")

    def play(self, *acts, rest=True):
        """What is to be seen after these acts, each a name and its values."""
        self._js.eval(f"sessions.run({json.dumps([list(act) for act in acts])}, {json.dumps(rest)}); 0")
        result = json.loads(str(self._js.eval("sessions.result")))
        assert result["done"]
        assert result["failures"] == []
        return result


@pytest.fixture(scope="module")
def sessions():
    return Sessions()


def link(added=(), turned=0):
    return json.dumps({"added": list(added), "turned": turned}, separators=(",", ":"))


OPENED = (("connect",), ("answer",))
ANSWERS = (("answer",), ("answer",))


class Reference:
    """What commands mean, carried out at once."""

    def __init__(self):
        self.stack, self.at = [((), 0)], 0
        self.now, self.gesture = ((), 0), None

    def finish(self, gesture=None):
        if self.gesture is not None and gesture != self.gesture:
            self.push()
        self.gesture = gesture

    def push(self):
        if self.now != self.stack[self.at]:
            self.stack = [*self.stack[: self.at + 1], self.now]
            self.at += 1

    def go(self, way):
        self.finish()
        if 0 <= self.at + way < len(self.stack):
            self.at += way
            self.now = self.stack[self.at]

    def do(self, what, *args):
        if what == "add":
            self.finish()
            self.now = ((*self.now[0], args[0]), self.now[1])
            self.push()
        elif what == "turn":
            value, gesture, last = args
            self.finish(gesture)
            self.now = (self.now[0], value)
            if last:
                self.push()
                self.gesture = None
        elif what == "set":
            self.finish()
            self.now = (self.now[0], args[0])
            self.push()
        elif what in ("abandon", "reload"):
            self.now, self.gesture = self.stack[self.at], None
        elif what == "back":
            self.now, self.gesture = self.stack[self.at], None
            self.go(-1)
        elif what in ("undo", "redo"):
            self.go(-1 if what == "undo" else 1)


@st.composite
def acts(draw, among):
    """Commands, and what happens to their answers meanwhile; each value is a new one."""
    made, gesture = [], None
    for number in range(1, draw(st.integers(1, 25))):
        what = draw(st.sampled_from(among))
        if what == "turn":
            last = draw(st.booleans())
            gesture = gesture or number
            made.append(("turn", number, gesture, last))
            gesture = None if last else gesture
        elif what == "abandon":
            if gesture is not None:
                made.append(("abandon", gesture))
                gesture = None
        elif what == "add":
            made.append(("add", number))
            gesture = None
        elif what == "set":
            made.append(("set", -draw(st.integers(1, 3))))
            gesture = None
        elif what in ("undo", "redo", "back", "reload"):
            made.append((what, 1) if what == "back" else (what,))
            gesture = None
        else:
            made.append({"long": LONG, "soon": ("progress", 0.2)}.get(what, (what,)))
    return made


ROUGH = ["lose", "connect", "answer", "answer", "long", "soon", "arrive"]


def expected(made):
    reference = Reference()
    for act in made:
        reference.do(*act)
    return reference


@given(made=acts(["add", "add", "turn", "turn", "turn", "abandon", *ROUGH]))
def test_answers_that_are_late_lost_or_cancelled_change_nothing(sessions, made):
    found, reference = sessions.play(*OPENED, *made), expected(made)
    assert json.loads(found["state"]) == json.loads(link(*reference.now))
    assert found["pending"] == 0


@given(made=acts(["add", "turn", "turn", "undo", "abandon", *ROUGH]))
def test_undo_is_exact_and_each_gesture_is_one_entry(sessions, made):
    found, reference = sessions.play(*OPENED, *made, ("add", 99)), expected([*made, ("add", 99)])
    assert found["entries"][1:] == [link(*state) for state in reference.stack[1:]]
    assert found["at"] == reference.at == found["counts"]["undo"]
    assert found["state"] == found["kept"] == link(*reference.now)


@given(made=acts(["add", "turn", "undo", "undo", "redo", "answer", "answer", "arrive"]))
def test_undo_and_redo_in_any_order(sessions, made):
    found, reference = sessions.play(*OPENED, *made), expected(made)
    assert found["state"] == link(*reference.now)
    assert found["at"] == reference.at
    stack = [link(*state) for state in reference.stack]
    assert [each or never for each, never in zip(found["entries"], stack, strict=True)] == stack


LATE = [
    "add",
    "turn",
    "abandon",
    "undo",
    "undo",
    "redo",
    "redo",
    "answer",
    "answer",
    "arrive",
    "long",
    "soon",
    "lose",
    "connect",
]


@settings(max_examples=200)
@given(made=acts(LATE))
def test_undo_and_redo_in_any_order_while_answers_are_late(sessions, made):
    found, reference = sessions.play(*OPENED, *made), expected(made)
    assert found["state"] == link(*reference.now)
    assert found["at"] == reference.at
    assert found["entries"][1 : found["at"] + 1] == [link(*state) for state in reference.stack[1 : reference.at + 1]]
    if reference.gesture is None:
        assert found["counts"] == {"undo": reference.at, "redo": len(reference.stack) - 1 - reference.at}


@settings(max_examples=200)
@given(made=acts([*LATE, "set", "set", "set", "lose_runs"]))
def test_what_was_shown_before_is_shown_again_as_if_it_were_asked_for(sessions, made):
    steps, reference = [*OPENED], Reference()
    for act in made:
        if act[0] == "set" and act[1] == reference.now[1]:
            continue  # it may be undone before it is known that it changes nothing
        steps.append(act)
        reference.do(*act)
    found = sessions.play(*steps)
    assert found["state"] == link(*reference.now)
    assert found["counts"]["undo"] == reference.at + (reference.gesture is not None)
    if reference.gesture is None:
        assert found["counts"]["redo"] == len(reference.stack) - 1 - reference.at
        assert found["settled"]


@settings(max_examples=200)
@given(made=acts([*LATE, "reload", "back"]))
def test_the_browser_is_where_the_page_is(sessions, made):
    after = {"reload": OPENED, "undo": [("arrive",)], "redo": [("arrive",)]}
    steps, reference = [*OPENED], Reference()
    for act in made:
        if act[0] == "back" and reference.at == 0:
            continue  # it leaves the page
        steps += [act, *after.get(act[0], [])]
        reference.do(*act)
    found = sessions.play(*steps)
    assert found["state"] == link(*reference.now)
    assert found["at"] == reference.at
    assert found["browser"]["marks"][found["browser"]["at"]] == reference.at


def test_what_is_undone_twice_while_the_answer_is_late_is_redone_in_turn(sessions):
    late = (*OPENED, ("add", 1), ("add", 2), ("undo",), LONG, ("undo",))
    assert sessions.play(*late, ("redo",))["state"] == link([1])
    assert sessions.play(*late, ("redo",), ("redo",))["state"] == link([1, 2])
    assert sessions.play(*late, ("undo",), ("redo",))["state"] == link([1])
    assert sessions.play(*OPENED, ("undo",), ("add", 1), ("undo",), LONG, ("redo",))["state"] == link([1])


def test_at_most_one_question_is_unanswered_and_it_brings_all_commands(sessions):
    found = sessions.play(*OPENED, ("add", 1), ("add", 2), ("add", 3), rest=False)
    assert [len(asked["commands"]) for asked in found["asked"]] == [0, 1]
    found = sessions.play(*OPENED, ("add", 1), ("add", 2), ("add", 3), ("answer",), rest=False)
    assert [[each["value"] for each in asked["commands"]] for asked in found["asked"]] == [[], [1], [2, 3]]
    assert found["asked"][2]["link"] == link([1])


def test_of_a_gesture_only_the_newest_is_asked(sessions):
    turns = [("turn", value, 7, value == 9) for value in range(1, 10)]
    found = sessions.play(*OPENED, *turns, ("answer",), rest=False)
    assert [(asked["commands"], asked["live"]) for asked in found["asked"][1:]] == [
        ([{"name": "turn", "value": 1}], True),
        ([{"name": "turn", "value": 9}], False),
    ]


@pytest.mark.parametrize("answers", [0, 1], ids=["under way", "answered"])
def test_a_gesture_that_is_not_finished_can_be_undone(sessions, answers):
    turned = (("turn", 1, 5, False), *[("answer",)] * answers)
    assert sessions.play(*OPENED, *turned, rest=False)["counts"] == {"undo": 1, "redo": 0}
    found = sessions.play(*OPENED, *turned, ("undo",))
    assert found["state"] == link()
    assert found["counts"] == {"undo": 0, "redo": 1}


def test_a_command_cancels_work_that_takes_long_and_waits_for_work_that_does_not(sessions):
    long = sessions.play(*OPENED, ("add", 1), LONG, ("add", 2), rest=False)
    soon = sessions.play(*OPENED, ("add", 1), ("progress", 0.3), ("add", 2), rest=False)
    assert [len(asked["commands"]) for asked in long["asked"]] == [0, 1, 2]
    assert [len(asked["commands"]) for asked in soon["asked"]] == [0, 1]


def test_undo_does_not_wait_for_work_that_takes_long(sessions):
    found = sessions.play(*OPENED, ("add", 1), LONG, ("undo",), rest=False)
    assert (found["state"], found["pending"], found["cancelled"], found["busy"]) == (link(), 0, 1, None)


def test_what_was_taken_back_before_it_was_answered_is_redone(sessions):
    back = (*OPENED, ("add", 1), ("answer",), ("add", 2), LONG, ("undo",))
    found = sessions.play(*back, rest=False)
    assert (found["state"], found["counts"]) == (link([1]), {"undo": 1, "redo": 1})
    found = sessions.play(*back, ("redo",))
    assert (found["state"], found["counts"]) == (link([1, 2]), {"undo": 2, "redo": 0})
    found = sessions.play(*back, ("undo",), ("arrive",), *ANSWERS, ("redo",), ("arrive",), *ANSWERS, ("redo",))
    assert (found["state"], found["at"]) == (link([1, 2]), 2)
    found = sessions.play(*back, ("add", 3), ("redo",))
    assert (found["state"], found["counts"]["redo"]) == (link([1, 3]), 0)
    found = sessions.play(*OPENED, ("add", 1), ("undo",), ("add", 3), LONG, ("redo",))
    assert found["state"] == link([3])


def test_what_was_taken_back_before_it_was_answered_is_redone_after_a_gesture_that_is_abandoned(sessions):
    back = (*OPENED, ("add", 1), ("answer",), ("add", 2), LONG, ("undo",))
    dragged = (("turn", 5, 9, False), ("turn", 6, 9, False))
    for between in ((), ANSWERS):
        found = sessions.play(*back, *dragged, *between, ("abandon", 9), ("answer",))
        assert (found["state"], found["counts"]) == (link([1]), {"undo": 1, "redo": 1})
        found = sessions.play(*back, *dragged, *between, ("abandon", 9), ("redo",))
        assert (found["state"], found["counts"]) == (link([1, 2]), {"undo": 2, "redo": 0})
    found = sessions.play(*back, *dragged, ("turn", 7, 9, True), ("redo",))
    assert (found["state"], found["counts"]["redo"]) == (link([1], 7), 0)
    found = sessions.play(*back, *dragged, ("add", 3), ("redo",))
    assert found["counts"]["redo"] == 0


def test_what_cannot_be_shown_is_dropped_and_said(sessions):
    found = sessions.play(*OPENED, ("add", 1), ("answer",), ("fail",), ("answer",), ("add", 2))
    assert found["state"] == link([1, 2])
    assert found["notices"] == ["It cannot be shown."]
    assert len(found["entries"]) == 3


def test_with_what_cannot_be_shown_no_change_before_it_is_dropped(sessions):
    found = sessions.play(*OPENED, ("add", 1), ("add", 2), ("add", 3), ("fail",), ("answer",))
    assert [len(question["commands"]) for question in found["asked"]] == [0, 1, 3, 0]
    assert found["state"] == found["kept"] == link([1, 2, 3])
    assert found["notices"] == ["It cannot be shown."]
    assert found["counts"] == {"undo": 3, "redo": 0}


def test_what_is_wrong_with_what_is_typed_is_said_each_time_and_stays(sessions):
    typed = [("type", "dot(u"), ("answer",), ("type", ""), ("answer",), ("type", "dot(u")]
    assert sessions.play(*OPENED, *typed)["drafts"] == {"formula": "dot(u"}
    added = [("add", 1), ("answer",), ("add", 2), ("answer",), ("type", "dot(u"), ("answer",), ("undo",)]
    found = sessions.play(*OPENED, *added)
    assert (found["state"], found["drafts"]) == (link([1]), {"formula": "dot(u"})
    found = sessions.play(*OPENED, *added, ("answer",), ("type", ""), ("answer",), ("undo",))
    assert (found["state"], found["drafts"]) == (link(), {})


def test_cancel_leaves_what_is_shown(sessions):
    found = sessions.play(*OPENED, ("add", 1), ("answer",), ("add", 2), LONG, ("cancel",), ("add", 3))
    assert found["state"] == link([1, 3])


def test_an_opening_that_is_cancelled_shows_the_default(sessions):
    found = sessions.play(("connect",), LONG, ("cancel",), rest=False)
    assert [asked["link"] for asked in found["asked"]] == ["v=1", "v=1"]


def test_back_and_forward_of_the_browser_go_to_the_states_of_entries(sessions):
    three = [*OPENED, ("add", 1), ("answer",), ("add", 2), ("answer",), ("add", 3), ("answer",)]
    assert sessions.play(*three, ("back", 2))["state"] == link([1])
    assert sessions.play(*three, ("back", 2), ("answer",), ("back", -1))["state"] == link([1, 2])
    assert sessions.play(*three, ("back", 2), ("back", -2))["state"] == link([1, 2, 3])
    undone = sessions.play(*three, ("add", 4), ("back", 1))
    assert (undone["state"], undone["pending"], undone["counts"]) == (link([1, 2, 3]), 0, {"undo": 3, "redo": 1})


def test_nothing_goes_back_in_front_of_a_class(sessions):
    found = sessions.play(*OPENED, ("add", 1), ("answer",), ("lock", True), ("back", 1), ("arrive",), ("lock", False))
    assert (found["state"], found["at"], found["taken"]) == (link([1]), 1, 2)


def test_a_reload_keeps_the_way_back_and_forward(sessions):
    acts = [*OPENED, ("add", 1), ("answer",), ("add", 2), ("answer",), ("undo",), ("arrive",), ("answer",), ("reload",)]
    found = sessions.play(*acts)
    assert (found["state"], found["counts"]) == (link([1]), {"undo": 1, "redo": 1})
    assert sessions.play(*acts, *OPENED, ("undo",))["state"] == link()
    assert sessions.play(*acts, *OPENED, ("redo",))["state"] == link([1, 2])


def test_an_entry_of_which_nothing_is_kept_begins_a_new_list(sessions):
    before = [("add", 1), ("answer",), ("arrive",), ("forget",), ("reload",), *OPENED]
    found = sessions.play(*OPENED, *before, ("add", 2), ("answer",), ("arrive",), ("undo",))
    assert found["state"] == link([1])
    assert found["counts"] == {"undo": 0, "redo": 1}


def test_what_the_server_lost_is_brought_again(sessions):
    found = sessions.play(*OPENED, ("keep", "iris~1"), ("need", "iris~1"), ("add", 1))
    assert found["state"] == link([1])
    assert found["asked"][-1]["bring"] == {"iris~1": {"name": "open", "value": 1}}


def test_a_file_that_was_just_sent_is_kept_as_it_was_sent(sessions):
    found = sessions.play(*OPENED, ("add", 1), ("open", "iris~1"), *ANSWERS, ("need", "iris~1"), ("add", 2))
    assert found["records"] == {"iris~1": {"name": "open", "value": {"name": "iris~1", "data": "x"}}}
    assert found["state"] == link([1, "iris~1", 2])
    assert found["asked"][-1]["bring"] == found["records"]


def test_presses_without_a_server_are_asked_a_hundred_at_once(sessions):
    found = sessions.play(*OPENED, ("lose",), *(("add", number) for number in range(250)))
    assert found["state"] == link(range(250))
    assert [len(asked["commands"]) for asked in found["asked"]][1:] == [100, 100, 50]
    assert found["counts"]["undo"] == 199


def test_large_files_are_asked_one_by_one(sessions):
    files = [("open", name, 12_000_000) for name in "abc"]
    found = sessions.play(*OPENED, ("lose",), *files, ("add", 1))
    assert found["state"] == link(["a", "b", "c", 1])
    assert [len(asked["commands"]) for asked in found["asked"]][1:] == [1, 1, 2]


def test_what_nobody_has_is_said_and_nothing_changes(sessions):
    found = sessions.play(*OPENED, ("need", "iris.csv~1"), ("add", 1))
    assert found["state"] == link()
    assert found["notices"] == ["Neither the server nor this browser has iris.csv: open their file again."]
    opening = sessions.play(("need", "iris.csv~1"))
    assert opening["asked"][-1]["bring"] == {"iris.csv~1": None}
    assert opening["state"] == link()


def test_at_most_200_states_are_kept(sessions):
    many = [act for number in range(250) for act in (("add", number), ("answer",))]
    found = sessions.play(*OPENED, *many)
    assert found["counts"]["undo"] == 199
    assert len(found["entries"]) == 251
