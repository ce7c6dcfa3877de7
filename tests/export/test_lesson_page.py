"""The page of a lesson: it says of each answer what the engine says, and holds what it needs and no
more.
"""

import base64
import gzip
import json
import re
from functools import cache

import pytest
from near_misses import NEAR

from kpviz.export.page.lesson import lesson_page
from kpviz.lessons import shelf
from kpviz.lessons.file import format
from kpviz.lessons.file.kinds import KINDS
from kpviz.player import modules, payload

NAMES = sorted(shelf.files())
APART = {"reach", "draw", "puzzle", "perform"}
PLAIN = """---
title: Two scenes
---
## First
link: v=1&data=xor&n=16&noise=0&show=alpha

Words with a link to [moons](?v=1&data=moons&n=20), one to [Fisher](/fisher?v=1), and one [out](https://example.org).

```cues
start: Look.
```

> notes: For the lecturer.

```task number
ask: How many mistakes are there?
value: mistakes
why: The hidden reason.
```

## Second
link: v=1&data=xor&n=16&noise=0&t=6

```task reach
ask: No mistake at the end.
within: sigma 0.1 to 3
until: training_error == 0
solution: v=1&data=xor&n=16&noise=0&sigma=0.37
```

```task predict
ask: And now?
count: 2
seeds: 3, 4
```

## Third
link: /fisher?v=1
"""


def unpacked(text):
    return gzip.decompress(base64.b64decode(text))


def read(text):
    """What a page is told, and its lesson with its tasks."""
    (options,) = re.findall(
        r'<script type="application/json" id="run">(.*?)</script>', text, re.DOTALL
    )
    told = json.loads(options)
    return told, json.loads(unpacked(told["content"]))


@cache
def shipped(name):
    return read(lesson_page(shelf.read(name), name))


@pytest.fixture(scope="module")
def checked():
    """What the page says of an answer, without a browser."""
    from py_mini_racer import MiniRacer

    engine = MiniRacer()
    script = modules.script("page/lesson/checking.js").rpartition("\n")[0]
    engine.eval(f"{script}; globalThis.checked = $page_lesson_checking.checked; 0")
    yield lambda *given: json.loads(
        engine.eval(f"JSON.stringify(checked({', '.join(map(json.dumps, given))}))")
    )
    engine.close()


def said(right, why, detail):
    """What counts of a verdict; why an answer cannot be read, each says in its own way: no field
    gives such answers.
    """
    unreadable = bool(detail.get("unreadable"))
    return (
        right,
        why if not unreadable or " right to " in why else "",
        detail.get("step"),
        unreadable,
    )


def agree(checked, packed, task, answer, tried):
    """The page says what the engine says, and gives the reason when the task is over."""
    wanted, found = task.check(answer, tried), checked(packed, answer, tried)
    assert said(found["right"], found["why"], found["detail"]) == said(
        wanted.right, wanted.why, wanted.detail
    ), answer
    last = task.tries is not None and tried + 1 >= task.tries
    over = wanted.right is not False or (last and not wanted.detail.get("unreadable"))
    reasons = task.reasons(tried, missed=wanted.right is False) if over else []
    assert len(found["because"]) == len(reasons)
    if task.kind == "number":
        assert found["because"][:1] == reasons[:1]


@pytest.mark.parametrize("name", NAMES)
def test_of_each_task_the_page_says_what_the_engine_says(checked, name):
    content = shipped(name)[1]
    for s, scene in enumerate(shelf.read(name).scenes):
        for t, task in enumerate(scene.tasks):
            packed = content["tasks"][s][t]
            assert (packed is None) == (task.kind in APART)
            for tried in range(len(task.starts)) if packed else ():
                if task.kind == "explain":
                    answers = [{"text": "Because."}]
                else:
                    right = dict(task.solve(tried).answer)
                    answers = [right, *NEAR[task.kind](task, right, tried)]
                for answer in answers:
                    agree(checked, packed, task, answer, tried)


@pytest.mark.parametrize(
    ("kind", "lines", "answers"),
    [
        (
            "number",
            "value: f(0.5, -0.5)\ntolerance: 3%",
            [0, -0.0, 1e308, 12.5, 7, -7, 0.012, 1 / 3],
        ),
        ("number", "value: mistakes", [5, 6, 7, 6.0000000001, -11, 11, 12, 1000]),
        ("number", "value: exp(-0.5)", [0.6, 0.61, 0.607, 0.6065, 0.5, 0.62, 6.1, -0.6065]),
        ("number", "value: exp(-2)", [0.1, 0.13, 0.14, 0.135, 0.1353, 0.1]),
        ("number", "value: 12.3456\ntolerance: 0.001", [12, 12.3, 12.35, 12.346, 12.3456, 13]),
        ("number", "value: 0.65\ntolerance: 0.5", [0.2, 1.1, 1.2, 4]),
        (
            "number",
            "value: exp(-0.5)\nslip n: All.\nslip exp(-1): Twice.\nslip -exp(-0.5): No.",
            [60, 60.1, 0.3679, 0.366, 0.36, -0.6065, -0.6, 0.6065],
        ),
        ("click", "what: support", [[], [999], [0], list(range(20))]),
        (
            "choose",
            "choice: A\nwhen: converged\nchoice: B\nwhen: n > 1\nchoice: C\nwhen: cycles",
            [[0], [], [2], [0, 1]],
        ),
        ("predict", "count: 1\ntries: 1", [["mistake"], ["correct"], []]),
    ],
)
def test_of_any_answer_the_page_says_what_the_engine_says(checked, kind, lines, answers):
    lesson = format.read(
        f"---\ntitle: T\n---\n## S\nlink: v=1&data=xor\n```task {kind}\nask: A\nwhy: "
        f"B\n{lines}\n```"
    )
    (task,), (packed,) = lesson.scenes[0].tasks, read(lesson_page(lesson, "t"))[1]["tasks"][0]
    key = {"number": "number", "click": "examples", "choose": "choices", "predict": "verdicts"}
    for answer in answers:
        for tried in (0, 1):
            agree(checked, packed, task, {key[kind]: answer}, tried)
        text = str(float(answer)) if kind == "number" else "e"
        if "e" not in text:
            agree(checked, packed, task, {key[kind]: answer, "typed": f" {text}0"}, 0)


def test_each_kind_of_task_is_packed_or_says_that_it_needs_kpviz():
    packed = {
        task["kind"] for name in NAMES for row in shipped(name)[1]["tasks"] for task in row if task
    }
    assert packed | APART == set(KINDS)


# ---- what is in it ----


def test_scenes_and_tasks_with_the_same_run_share_it():
    told, content = read(lesson_page(format.read(PLAIN), "two"))
    scenes = content["lesson"]["scenes"]
    first, second = (told["shows"][scene["link"]["query"]] for scene in scenes[:2])
    assert first["run"] == second["run"]
    assert first["head"] != second["head"]  # of one with cues
    assert told["opening"] == scenes[0]["link"]["query"]
    starts = [start["query"] for start in scenes[1]["tasks"][1]["start"]]
    assert len(starts) == len({told["shows"][start]["run"] for start in starts}) == 2
    assert set(told["runs"]) == {show["run"] for show in told["shows"].values()}
    assert len(told["runs"]) == 4  # and that of the words


def test_a_run_brings_the_numbers_of_the_panels_with_which_its_scene_opens_and_no_others():
    scene = "## {0}\nlink: v=1&n={0}&epochs=2{1}\n\n"
    task = "```task number\nask: How many?\nstart: v=1&n=14&epochs=2\nvalue: mistakes\n```\n"
    last = f"## Away\nlink: /fisher?v=1\n\n{task}"
    text = f"---\ntitle: T\n---\n{scene.format(12, '')}{scene.format(10, '&show=bound')}{scene.format(11, '')}{last}"
    told, _ = read(lesson_page(format.read(text), "t"))
    headers = {
        show["link"]: payload.unpack(unpacked(told["runs"][show["run"]]))[0]
        for show in told["shows"].values()
    }
    brought = {
        re.search("n=([0-9]+)", link)[1]: "bound" in header["extras"]
        for link, header in headers.items()
    }
    assert brought == {"12": False, "10": True, "11": False, "14": False}


def test_a_page_holds_no_notes_and_of_what_is_right_only_what_it_compares_with():
    text = lesson_page(format.read(PLAIN), "two")
    told, content = read(text)
    heads = "".join(unpacked(show["head"]).decode("latin-1") for show in told["shows"].values())
    for secret in ("For the lecturer", "training_error", "sigma=0.37"):
        assert secret not in text + json.dumps(content) + heads
    assert "The hidden reason" not in text + json.dumps(content["lesson"]) + heads
    ((number,),) = (task["answers"] for task in content["tasks"][0])
    assert (number["value"], number["hint"], set(number)) == (
        6,
        {},
        {"value", "allowed", "near", "because", "look", "more", "hint", "drawn"},
    )
    assert [figure["kind"] for figure in number["drawn"]] == ["ring"] * 6


def test_what_needs_kpviz_says_where_it_is():
    lesson = format.read(PLAIN)
    command, other = (
        "kpviz app 'v=1&data=xor&n=16&noise=0&t=6'",
        "kpviz app 'http://localhost:8501/fisher?v=1'",
    )
    for address, base in ((None, None), ("https://example.org/k/?x=1", "https://example.org/k/")):
        _, second, third = read(lesson_page(lesson, "two", address=address))[1]["lesson"]["scenes"]
        found = second["tasks"][0]["elsewhere"]
        assert found == {
            "address": base and f"{base}?v=1&data=xor&n=16&noise=0&t=6",
            "command": command,
        }
        assert third["elsewhere"] == {"address": base and f"{base}fisher?v=1", "command": other}


def test_links_among_words_lead_to_a_run_of_the_page_or_out_of_it():
    lesson = format.read(PLAIN)
    told, content = read(lesson_page(lesson, "two", address="http://class.example:8501"))
    links = [
        node for node in content["lesson"]["scenes"][0]["words"][0]["children"] if "href" in node
    ]
    assert [link["href"] for link in links] == [
        "?v=1&data=moons&n=20",
        "http://class.example:8501/fisher?v=1",
        "https://example.org",
    ]
    assert told["shows"]["v=1&data=moons&n=20"]["link"] == "v=1&data=moons&n=20"
    alone = read(lesson_page(lesson, "two"))[1]["lesson"]["scenes"][0]["words"][0]["children"]
    assert [node["kind"] for node in alone if "href" in node] == ["link", "emphasis", "link"]


@pytest.mark.parametrize(
    ("text", "options", "why"),
    [
        (PLAIN.replace("title: Two scenes", "title: Two scenes\nfor: students"), {}, "copy without solutions"),
        (PLAIN, {"theme": "blue"}, "theme is 'blue'"),
        (PLAIN, {"address": "example"}, "address is 'example'"),
        (PLAIN.replace("data=xor&n=16", "data=none"), {}, "Line 5: "),
        (PLAIN.replace("count: 2\nseeds: 3, 4", "start: v=1&n=10&epochs=1\ncount: "
            "20"), {}, "Line 31: 20 steps"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_page_is_refused_in_a_sentence(text, options, why):
    with pytest.raises(ValueError, match=re.escape(why)) as raised:
        lesson_page(format.read(text), "two", **options)
    assert str(raised.value).count("\n") == 0


def test_the_bytes_of_a_page_are_its_runs_once_and_little_else():
    text = lesson_page(format.read(PLAIN), "two")
    told, _ = read(text)
    runs = {name: unpacked(run) for name, run in told["runs"].items()}
    for show in told["shows"].values():
        head = unpacked(show["head"])
        assert [name for name, run in runs.items() if run[-200:] in head] == []
        assert len(head) < min(len(run) for run in runs.values())
    shown = sum(len(show["head"]) for show in told["shows"].values())
    assert sum(text.count(run) for run in told["runs"].values()) == len(runs)
    without_runs = len(
        lesson_page(format.read("---\ntitle: T\n---\n## S\nlink: /fisher?v=1\n"), "none")
    )
    assert len(text) <= without_runs + sum(map(len, told["runs"].values())) + shown + 20_000
