"""The session in the browser: whatever happens on the way, the page ends where its
commands lead.
"""

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
        script = modules.script("service/session.js")
        names = re.findall(r"^const (\$\w+) = \(\(\) =>", script, re.MULTILINE)
        history = modules.script("service/history.js")
        bench = Path(__file__).with_name("session_bench.js").read_text(encoding="utf-8")
        load = 'const load = (path) => all["$" + path.replace(".js", "").replaceAll("/", "_")];'
        found = (
            f"const all = {{ {', '.join(names)}, ...(() => {{ {history}\nreturn {{ "
            f"$service_history }}; }})() }};"
        )
        self._js.eval(f"(() => {{ {script}\n{found}\n{load}\n{bench} }})(); 0")

    def play(self, *acts, rest=True):
        """What is to be seen after these acts, each a name and its values."""
        self._js.eval(
            f"sessions.run({json.dumps([list(act) for act in acts])}, {json.dumps(rest)}); 0"
        )
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


USUAL = [
    "add",
    "turn",
    "abandon",
    "undo",
    "redo",
    "answer",
    "answer",
    "arrive",
    "long",
    "soon",
    "lose",
    "connect",
]
AMONG = {
    "answers come late": [*USUAL, "add", "turn", "turn", "undo", "redo"],
    "what was shown before is known": [*USUAL, "set", "set", "lose_runs"],
    "the browser goes and comes": [*USUAL, "undo", "redo", "reload", "back"],
}
AFTER = {
    "reload": OPENED,
    "undo": [("arrive",)],
    "redo": [("arrive",)],
}  # before the browser goes anywhere else


@pytest.mark.parametrize("among", AMONG)
@settings(max_examples=200)
@given(data=st.data())
def test_late_lost_and_cancelled_answers_change_nothing_and_undo_is_exact(sessions, among, data):
    steps, reference, browser = [*OPENED], Reference(), "back" in AMONG[among]
    for act in data.draw(acts(AMONG[among])):
        if (act[0] == "set" and act[1] == reference.now[1]) or (
            act[0] == "back" and reference.at == 0
        ):
            # It may be undone before it is known that it changes nothing; it leaves the page.
            continue
        steps += [act, *(AFTER.get(act[0], []) if browser else [])]
        reference.do(*act)
    ends_there(sessions.play(*steps), reference, browser=browser)
    reference.do("add", 99)
    found = sessions.play(*steps, ("add", 99))
    ends_there(found, reference, browser=browser)
    assert found["entries"][1:] == [link(*state) for state in reference.stack[1:]]
    assert found["kept"] == found["state"]


def ends_there(found, reference, *, browser):
    assert (found["state"], found["at"], found["pending"]) == (
        link(*reference.now),
        reference.at,
        0,
    )
    assert found["entries"][1 : found["at"] + 1] == [
        link(*state) for state in reference.stack[1 : reference.at + 1]
    ]
    assert found["counts"]["undo"] == reference.at + (reference.gesture is not None)
    if reference.gesture is None:
        assert found["counts"]["redo"] == len(reference.stack) - 1 - reference.at
        assert found["settled"]
    assert not browser or found["browser"]["marks"][found["browser"]["at"]] == reference.at


# ---- one by one ----------------------------------------------------------------------------------

ANSWER, UNDO, ARRIVE, CANCEL = ("answer",), ("undo",), ("arrive",), ("cancel",)


def adds(*numbers):
    """Points that are added, each of them answered."""
    return [act for number in numbers for act in (("add", number), ANSWER)]


TAKEN_BACK = [*adds(1), ("add", 2), LONG, UNDO]  # before it was answered
THREE = adds(1, 2, 3)
TYPED = [("type", "dot(u"), ANSWER]


def moves(undo, redo):
    return {"undo": undo, "redo": redo}


SCENES = {  # what one does after the page has opened, and what is then to be seen
    "cannot be shown": (
        [*adds(1), ("fail",), ANSWER, ("add", 2)],
        {"state": link([1, 2]), "notices": ["It cannot be shown."], "counts": moves(2, 0)},
    ),
    "what comes before it can": (
        [("add", 1), ("add", 2), ("add", 3), ("fail",), ANSWER],
        {"state": link([1, 2, 3]), "notices": ["It cannot be shown."], "counts": moves(3, 0)},
    ),
    "a draft": ([*TYPED, ("type", ""), ANSWER, TYPED[0]], {"drafts": {"formula": "dot(u"}}),
    "a draft stays": (
        [*adds(1, 2), *TYPED, UNDO],
        {"state": link([1]), "drafts": {"formula": "dot(u"}},
    ),
    "a draft goes": (
        [*adds(1, 2), *TYPED, UNDO, ANSWER, ("type", ""), ANSWER, UNDO],
        {"state": link(), "drafts": {}},
    ),
    "cancelled": ([*adds(1), ("add", 2), LONG, CANCEL, ("add", 3)], {"state": link([1, 3])}),
    "back and forward at once": ([*THREE, ("back", 2), ("back", -2)], {"state": link([1, 2, 3])}),
    "back from what is late": (
        [*THREE, ("add", 4), ("back", 1)],
        {"state": link([1, 2, 3]), "pending": 0, "counts": moves(3, 1)},
    ),
    "a reload without what was kept": (
        [*adds(1), ARRIVE, ("forget",), ("reload",), *OPENED, *adds(2), ARRIVE, UNDO],
        {"state": link([1]), "counts": moves(0, 1)},
    ),
    "what the server lost": (
        [("keep", "iris~1"), ("need", "iris~1"), ("add", 1)],
        {"state": link([1])},
    ),
    "a file": (
        [("add", 1), ("open", "iris~1"), *ANSWERS, ("need", "iris~1"), ("add", 2)],
        {
            "state": link([1, "iris~1", 2]),
            "records": {"iris~1": {"name": "open", "value": {"name": "iris~1", "data": "x"}}},
        },
    ),
    "a large file is one step": (  # too long to be known again
        [("add", 1), ANSWER, ("open", "iris~1", 20_000), ARRIVE, ANSWER, ARRIVE, ("back", 1)],
        {"state": link([1]), "counts": moves(1, 1), "browser": {"at": 1, "marks": [0, 1, 2]}},
    ),
    "what nobody has": (
        [("need", "iris.csv~1"), ("add", 1)],
        {
            "state": link(),
            "notices": ["Neither the server nor this browser has iris.csv: open their file again."],
        },
    ),
    "many": (adds(*range(250)), {"counts": moves(199, 0)}),
}


@pytest.mark.parametrize("name", SCENES)
def test_where_the_page_ends(sessions, name):
    made, seen = SCENES[name]
    found = sessions.play(*OPENED, *made)
    assert {key: found[key] for key in seen} == seen


def asked(found):
    return [[each["value"] for each in question["commands"]] for question in found["asked"]]


ASKED = {  # what is asked, in the middle of it all
    "one at a time": ([("add", 1), ("add", 2), ("add", 3)], [[], [1]]),
    "all that came since": ([("add", 1), ("add", 2), ("add", 3), ANSWER], [[], [1], [2, 3]]),
    "of a gesture the newest": (
        [*(("turn", v, 7, v == 9) for v in range(1, 10)), ANSWER],
        [[], [1], [9]],
    ),
    "work that takes long is cancelled": ([("add", 1), LONG, ("add", 2)], [[], [1], [1, 2]]),
    "other work is waited for": ([("add", 1), ("progress", 0.3), ("add", 2)], [[], [1]]),
}


@pytest.mark.parametrize("name", ASKED)
def test_what_is_asked(sessions, name):
    made, questions = ASKED[name]
    assert asked(sessions.play(*OPENED, *made, rest=False)) == questions


def test_in_the_middle_of_it_all(sessions):
    found = sessions.play(*OPENED, ("add", 1), LONG, UNDO, rest=False)
    assert (found["state"], found["pending"], found["cancelled"], found["busy"]) == (
        link(),
        0,
        1,
        None,
    )
    found = sessions.play(*OPENED, *TAKEN_BACK, rest=False)
    assert (found["state"], found["counts"]) == (link([1]), moves(1, 1))
    assert sessions.play(*OPENED, ("turn", 1, 5, False), rest=False)["counts"] == moves(1, 0)
    opening = sessions.play(("connect",), LONG, CANCEL, rest=False)
    assert [question["link"] for question in opening["asked"]] == ["v=1", "v=1"]


def test_what_the_server_needs_is_brought(sessions):
    found = sessions.play(*OPENED, *SCENES["what the server lost"][0])
    assert found["asked"][-1]["bring"] == {"iris~1": {"name": "open", "value": 1}}
    opening = sessions.play(("need", "iris.csv~1"))
    assert (opening["asked"][-1]["bring"], opening["state"]) == ({"iris.csv~1": None}, link())


@pytest.mark.parametrize(
    ("made", "sizes"),
    [
        ([("add", number) for number in range(250)], [100, 100, 50]),
        (
            [*(("open", name, 12_000_000) for name in "abc"), ("add", 1)],
            [1, 1, 2],
        ),  # large files one by one
    ],
)
def test_presses_without_a_server_are_asked_in_parts(sessions, made, sizes):
    found = sessions.play(*OPENED, ("lose",), *made)
    assert json.loads(found["state"])["added"] == [act[1] for act in made]
    assert [len(question["commands"]) for question in found["asked"]][1:] == sizes
