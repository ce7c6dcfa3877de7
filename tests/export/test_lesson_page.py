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

from kpviz.export.page.page import digest
from kpviz.lessons import shelf
from kpviz.lessons.file import format
from kpviz.lessons.file.kinds import KINDS
from kpviz.player import modules, payload
from kpviz.service.packing import lesson_page, packed_task

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
    """What a page is told, its lesson with its tasks, and its answers by their links."""
    (options,) = re.findall(
        r'<script type="application/json" id="run">(.*?)</script>', text, re.DOTALL
    )
    told = json.loads(options)
    later = re.findall(r'<script type="application/json" class="answer">(.*?)</script>', text)
    answers = [*told["answers"], *map(json.loads, later)]
    content = json.loads(unpacked(told["lesson"]["content"]))
    return told, content, {answer["link"]: answer for answer in answers}


@cache
def made(text=PLAIN, **options):
    return lesson_page(format.read(text), "two", **options)


def packed(task):
    """What the page holds of a task."""
    return json.loads(json.dumps(packed_task(task)))


def test_a_page_has_its_answers_once_and_a_fixed_part():
    fixed = []
    for text in (PLAIN, PLAIN.partition("## Second")[0]):
        page = made(text)
        told, _, answers = read(page)
        packed_texts = [told["lesson"]["content"], *(one["zipped"] for one in answers.values())]
        assert [page.count(packed_text) for packed_text in packed_texts] == [1] * len(packed_texts)
        fixed.append(len(page) - sum(map(len, packed_texts)))
    assert abs(fixed[0] - fixed[1]) < 2000


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
    for _, task in shelf.read(name).tasks:
        of_page = packed(task)
        assert (of_page is None) == (task.kind in APART)
        for tried in range(len(task.starts)) if of_page else ():
            if task.kind == "explain":
                answers = [{"text": "Because."}]
            else:
                right = dict(task.solve(tried).answer)
                answers = [right, *NEAR[task.kind](task, right, tried)]
            for answer in answers:
                agree(checked, of_page, task, answer, tried)


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
    (task,) = lesson.scenes[0].tasks
    key = {"number": "number", "click": "examples", "choose": "choices", "predict": "verdicts"}
    for answer in answers:
        for tried in (0, 1):
            agree(checked, packed(task), task, {key[kind]: answer}, tried)
        text = str(float(answer)) if kind == "number" else "e"
        if "e" not in text:
            agree(checked, packed(task), task, {key[kind]: answer, "typed": f" {text}0"}, 0)


def test_each_kind_of_task_is_packed_or_says_that_it_needs_kpviz():
    kinds = {task.kind for name in NAMES for _, task in shelf.read(name).tasks if packed(task)}
    assert kinds | APART == set(KINDS)


# ---- what is in it ----


def header_of(answer):
    return payload.unpack(unpacked(answer["zipped"]))[0]


def test_it_has_the_answer_to_each_scene_and_start_and_to_the_links_among_the_words():
    told, content, answers = read(made())
    scenes = content["plan"]["scenes"]
    starts = [start["query"] for start in scenes[1]["tasks"][1]["start"]]
    assert len({*starts}) == 2
    assert set(answers) == {
        "",
        *(scene["link"]["query"] for scene in scenes[:2]),
        *starts,
        "v=1&data=moons&n=20",
    }
    first, second = (header_of(answers[scene["link"]["query"]]) for scene in scenes[:2])
    assert first["runs"][0]["id"] == second["runs"][0]["id"]
    assert told["lesson"]["addresses"] == {}


def test_every_run_brings_the_numbers_of_the_panels_with_which_some_scene_opens_and_no_others():
    scene = "## {0}\nlink: v=1&n={0}&epochs=2{1}\n\n"
    task = "```task number\nask: How many?\nstart: v=1&n=14&epochs=2\nvalue: mistakes\n```\n"
    last = f"## Away\nlink: /fisher?v=1\n\n{task}"
    text = f"---\ntitle: T\n---\n{scene.format(12, '')}{scene.format(10, '&show=bound')}{last}"
    _, _, answers = read(made(text))
    assert {tuple(answer["extras"]) for answer in answers.values()} == {("bound",)}
    assert len(answers) == 4


def test_a_page_holds_no_notes_and_of_what_is_right_only_what_it_compares_with():
    text = made()
    _, content, answers = read(text)
    runs = "".join(unpacked(answer["zipped"]).decode("latin-1") for answer in answers.values())
    for secret in ("For the lecturer", "training_error", "sigma=0.37"):
        assert secret not in text + json.dumps(content) + runs
    assert "The hidden reason" not in text + json.dumps(content["plan"]) + runs
    ((number,),) = (task["answers"] for task in content["tasks"][0])
    assert (number["value"], number["hint"], set(number)) == (
        6,
        {},
        {"value", "allowed", "near", "because", "look", "more", "hint", "drawn"},
    )
    assert [figure["kind"] for figure in number["drawn"]] == ["ring"] * 6
    assert content["text"] is None


def test_what_needs_kpviz_says_where_it_is():
    command, other = (
        "kpviz app 'v=1&data=xor&n=16&noise=0&t=6'",
        "kpviz app 'http://localhost:8501/fisher?v=1'",
    )
    for address, base in ((None, None), ("https://example.org/k/?x=1", "https://example.org/k/")):
        told, content, _ = read(made(address=address))
        _, second, third = content["plan"]["scenes"]
        found = second["tasks"][0]["elsewhere"]
        assert found == {
            "address": base and f"{base}?v=1&data=xor&n=16&noise=0&t=6",
            "command": command,
        }
        assert third["elsewhere"] == {"address": base and f"{base}fisher?v=1", "command": other}
        assert told["instead"].endswith(
            f"which opens {f'at {base}' if base else 'by the command kpviz app'}."
        )
        assert told["places"] == {"": base or ""}


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


def test_it_asks_for_nothing_and_its_policy_allows_its_own_script_alone():
    text = made(theme="dark")
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert f"script-src '{digest(script)}';" in policy
    assert "connect-src" not in policy
    assert policy.startswith("default-src 'none'")
    assert "color-scheme: dark" in text
    assert not re.search(r'<(?:script|link|img)[^>]* (?:src|href)="(?!data:,")', text)
