"""Whatever stands under a name of the browser's storage, it costs that name and nothing else."""

import copy
import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

from kpviz.formats import FORMATS, newer_sentence
from kpviz.picture import bridge
from kpviz.player import modules

STATE = {"link": "v=1&data=moons", "origin": None, "data": "moons"}
FORM = {
    "start": 0,
    "values": ["0.5", True],
    "say": "Right.",
    "reason": ["So ", {"kind": "code", "text": "f"}],
    "rings": [{"i": 3, "was": "passed"}, {"i": 5, "was": "wrong"}],
    "drawn": [
        {"kind": "arrow", "i": 2, "label": "R = 1.118", "sides": ["0.5", "1"]},
        {"kind": "circle", "radius": 1.118, "label": "R = 1.118"},
        {"kind": "strip", "normal": [0.6, 0.8], "margin": 0.1, "label": "γ = 0.1"},
        {"kind": "between", "i": 0, "j": 1, "label": "0.5"},
        {"kind": "ring", "i": 7},
    ],
    "toldUpTo": 4,
}
ANSWER = {
    "answer": {"number": 0.5},
    "right": True,
    "link": "v=1",
    "at": "2026-11-28T15:00:00Z",
    "try": 0,
}
DONE = {"tries": 1, "hints": 0, "right": True, "answers": [ANSWER]}
TYPED = {"place": "start", "words": "Look.", "hold": "", "speed": "2", "light": ["x3"], "notes": ""}
# A value that each place may hold; those of one name and a suffix stand under both.
GOOD = {
    "instant": ["v=1", 7],
    "leftEntry": 3,
    "returned": 3,
    "entry": {
        "first": 0,
        "state": STATE,
        "change": None,
        "extras": {"lesson": "xor"},
        "stays": False,
    },
    "newest": 4,
    "stored": ["flowers.csv~0123456789ab"],
    "full": "yes",
    "notes": ["kpviz-notes-1", 1.5e12, {"scene": "xor 0", "at": 1.5e12}],
    "slide": ["xor 0", 2],
    "votes": {
        "key": "0 0 abc",
        "at": 0,
        "isShown": True,
        "ballots": [["0 0 abc", [1, 2], [2, 1]]],
        "heard": [["0 1 abd", ["3.5"]]],
    },
    "backwards": "xor 3",
    "lessonText": "---\ntitle: XOR\n---\n",
    "scene": 2,
    "cueDraft": {"typed": TYPED, "was": "{}", "of": "null"},
    "cuesText": "start: Look.",
    "opening": "seen",
    "preference": "on",
    "answers": {"kpviz": 1, "0.0 abc": DONE},
    "forms": {"kpviz": 1, "0.0 abc": FORM},
    "done": 1,
    "trial": "yes",
    "whatNow": 5,
    "wall": [{"value": 31, "shown": "31", "by": "Anna", "board": "v=1"}],
    "record": {"value": 31, "shown": "31", "link": "v=1"},
}
PARTS = {"done": DONE, "form": FORM}
GARBAGE = [
    "{",
    "null",
    "[]",
    "{}",
    "1e400",
    "-1",
    "2.5",
    "NaN",
    '"text"',
    "true",
    "[[[",
    "0" * 10_000,
    "[" * 100_000,
]
# Storage as browsers have it, or one that refuses everything, or one that is full.
SETUP = """(() => {
  const storage = () => {
    const texts = new Map();
    const names = { get length() { return texts.size; } };
    return new Proxy(names, {
      get: (_, name) => ({
        getItem: (key) => texts.get(key) ?? null,
        setItem: (key, text) => { if (globalThis.isFull) throw new Error("full"); texts.set(key, String(text)); },
        removeItem: (key) => texts.delete(key),
      })[name],
      ownKeys: () => [...texts.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    });
  };
  globalThis.isFull = false;
  globalThis.sessionStorage = storage();
  globalThis.localStorage = storage();
  return 0;
})()"""
TEXTS = 'const { PLACES, PARTS, keep, recall, keeps, forgetTexts } = load("service/texts.js");'
PUT = (
    "const put = (place, text) => (place.everywhere ? localStorage : "
    "sessionStorage).setItem(place.name + 7, text);"
)


class Storage(bridge.Engine):
    """The engine with what keeps answers, and so all texts."""

    def __init__(self):
        super().__init__()
        script = modules.script("page/lesson/progress.js")
        names = re.findall(r"^const (\$\w+) = \(\(\) =>", script, re.MULTILINE)
        load = '(path) => all["$" + path.replace(".js", "").replaceAll("/", "_")]'
        found = f"const all = {{ {', '.join(names)} }};"
        self._js.eval(f"(() => {{ {script}\n{found} globalThis.load = {load}; }})(); 0")

    def __call__(self, body, *args):
        """What a function of these arguments returns."""
        given = ", ".join(map(json.dumps, args))
        found = f"JSON.stringify(((...args) => {{ {TEXTS} {PUT} {body} }})({given}) ?? null)"
        return json.loads(str(self._js.eval(found)))

    def empty(self):
        """Begin with a browser that has kept nothing."""
        self("forgetTexts()")
        self._js.eval(SETUP)


@pytest.fixture(scope="module")
def storage():
    return Storage()


@pytest.fixture
def texts(storage):
    """A function that evaluates what is said of places in an empty storage."""
    storage.empty()
    return storage


def paths(value, at=()):
    """The places of all parts of a value."""
    yield at
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, part in inner:
        yield from paths(part, (*at, key))


def changed(value, path, part):
    """A copy with another part at a place."""
    if not path:
        return part
    found = copy.deepcopy(value)
    inner = found
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = part
    return found


def test_every_place_is_tried_here(texts):
    assert set(texts("return Object.keys(PLACES)")) == set(GOOD)
    assert set(texts("return Object.keys(PARTS)")) == set(PARTS)


def test_what_is_kept_comes_back_as_it_was(texts):
    for name, value in GOOD.items():
        script = "const [name, value] = args; keep(PLACES[name], value, 7); return recall(PLACES[name], 7)"
        assert texts(script, name, value) == value
        assert texts("return recall(PLACES[args[0]], 8)", name) is None


@pytest.mark.parametrize("name", GOOD)
def test_garbage_costs_its_own_place_and_nothing_else(texts, name):
    keep_all = "for (const [name, value] of Object.entries(args[0])) keep(PLACES[name], value, 7);"
    others = {other: value for other, value in GOOD.items() if other != name}
    for garbage in GARBAGE:
        texts(f"{keep_all} put(PLACES[args[1]], args[2]); return 0", GOOD, name, garbage)
        found = texts("return recall(PLACES[args[0]], 7)", name)
        plain = texts("return PLACES[args[0]].plain", name)
        assert found is None or plain or json.loads(garbage) == found
        assert (
            texts(
                "return Object.fromEntries(args.map((name) => [name, recall(PLACES[name], 7)]))",
                *others,
            )
            == others
        )
        # What is kept next is there again.
        assert (
            texts(
                "const [n, v] = args; keep(PLACES[n], v, 7); return recall(PLACES[n], 7)",
                name,
                GOOD[name],
            )
            == (GOOD[name])
        )


def with_aliens(value):
    """Copies of a value, in each of which one part is of a type that it never has, with the place
    of the part.
    """
    for path in paths(value):
        old = value
        for key in path:
            old = old[key]
        is_number = isinstance(old, int | float) and not isinstance(old, bool)
        yield path, changed(value, path, "text" if is_number else 7)


def test_a_value_with_one_part_of_another_type_is_not_taken_for_one(texts):
    plain = {"answers", "forms", *(name for name, value in GOOD.items() if isinstance(value, str))}
    for name in GOOD.keys() - plain:
        for path, wrong in with_aliens(GOOD[name]):
            assert not texts(
                "const [name, value] = args; return PLACES[name].fits(value)", name, wrong
            ), (name, path)


def test_a_part_of_a_lessons_answers_with_something_of_another_type_in_it_is_not_taken_for_one(
    texts,
):
    for name, part in PARTS.items():
        assert texts("const [name, value] = args; return PARTS[name](value)", name, part)
        for path, wrong in with_aliens(part):
            is_answer = (
                path[:3] == ("answers", 0, "answer") and len(path) > 3
            )  # as its kind of task has it
            assert is_answer or not texts("return PARTS[args[0]](args[1])", name, wrong), (
                name,
                path,
            )


@pytest.mark.parametrize(
    "refuses", ["isFull = true", "sessionStorage = globalThis.localStorage = null"]
)
def test_where_the_browser_takes_nothing_it_is_in_memory(texts, refuses):
    texts(f"globalThis.{refuses}; return 0")
    for name, value in GOOD.items():
        script = "const [n, v] = args; return [keep(PLACES[n], v, 7), recall(PLACES[n], 7)]"
        assert texts(script, name, value) == [False, value]
    assert texts("return keeps()") is False
    texts("forgetTexts(); return 0")
    assert texts("return recall(PLACES.instant, 7)") is None


def test_no_other_module_names_the_storage():
    web = Path(str(files("kpviz.player") / "web"))
    named = {
        path.relative_to(web).as_posix()
        for path in web.rglob("*.js")
        if re.search(r"\b(local|session)Storage\b|indexedDB", path.read_text(encoding="utf-8"))
    }
    assert named == {"service/texts.js", "service/keep.js"}


# ---- answers ----

LESSON = {
    "scenes": [
        {
            "tasks": [
                {"kind": "number", "ask": ["How many?"], "start": [], "mark": "abc", "hints": []}
            ]
        }
    ]
}
PROGRESS = (
    'const { LessonProgress } = load("page/lesson/progress.js"); const progress = new LessonProgress("xor", '
    "args[0]);"
)


def spelled(query, mark="abc"):
    """A lesson whose task starts at a link that is spelled so."""
    lesson = copy.deepcopy(LESSON)
    lesson["scenes"][0]["tasks"][0].update(start=[{"page": "play", "query": query}], mark=mark)
    return lesson


def kept_answers(texts, value):
    texts('localStorage.setItem("kpviz-lesson-xor", args[0]); return 0', json.dumps(value))


def test_answers_are_found_again_when_a_link_is_spelled_otherwise(texts):
    note = f"{PROGRESS} return progress.note(0, 0, {{ tries: 1, right: true }})"
    assert texts(note, spelled("v=1&sigma=0.5")) is True
    for query in ("v=1", "v=2&width=0.5"):
        assert texts(f"{PROGRESS} return progress.of(0, 0).right", spelled(query)) is True
    other = spelled("v=1&sigma=0.5", mark="def")
    assert texts(f"{PROGRESS} return [progress.of(0, 0).right, progress.isOther(0, 0)]", other) == [
        None,
        True,
    ]


def test_answers_that_were_kept_under_the_spelling_of_their_links_get_their_names_of_now_once(
    texts,
):
    lesson = spelled("v=1&sigma=0.5")
    former = texts(
        """const { kind, ask, start, choices, count, one, within } = args[0].scenes[0].tasks[0];
        const about = start.map(({ page, query }) => [page, query]);
        const text = JSON.stringify([kind, ask, about, choices, count, one, within]);
        let hash = 0x811c9dc5;
        for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193);
        return (hash >>> 0).toString(16);""",
        lesson,
    )
    kept_answers(texts, {f"0.0 {former}": DONE, "0.5 of another file": DONE})
    assert texts(f"{PROGRESS} return progress.of(0, 0)", lesson) == DONE
    assert texts(f"{PROGRESS} return progress.of(0, 0)", spelled("v=1")) == DONE
    names = texts('return Object.keys(JSON.parse(localStorage.getItem("kpviz-lesson-xor")))')
    assert sorted(names) == ["0.0 abc", "0.5 of another file", "kpviz"]


def test_a_damaged_answer_costs_itself_and_its_neighbours_stay(texts):
    for damaged in ({**DONE, "answers": "none"}, None, [], "text", {**DONE, "tries": 1e300}):
        kept_answers(texts, {"0.0 abc": damaged, "1.0 def": DONE})
        assert texts(f"{PROGRESS} return progress.of(0, 0).tries", LESSON) == 0
        texts(f"{PROGRESS} progress.note(0, 0, {{ hints: 1 }}); return 0", LESSON)
        found = texts('return JSON.parse(localStorage.getItem("kpviz-lesson-xor"))')
        assert found["1.0 def"] == DONE
        assert found["kpviz"] == FORMATS["answers"]


def test_answers_of_a_newer_kpviz_stay_as_they_are(texts):
    newer = {"kpviz": FORMATS["answers"] + 1, "tasks": ["in another shape"]}
    kept_answers(texts, newer)
    script = f"""{PROGRESS} const isKept = progress.note(0, 0, {{ tries: 1, right: true }});
    return [progress.isNewer, isKept, progress.of(0, 0).right, JSON.parse(localStorage.getItem("kpviz-lesson-xor"))]"""
    assert texts(script, LESSON) == [True, False, True, newer]


def test_the_page_writes_the_versions_that_kpviz_reads(texts):
    load = 'const { FORMATS, NEWER_ANSWERS } = load("service/formats.js");'
    written, newer = texts(f"{load} return [FORMATS, NEWER_ANSWERS]")
    assert written == {name: FORMATS[name] for name in ("link", "results", "answers")}
    assert newer == newer_sentence("answers")
