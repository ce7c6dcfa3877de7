"""Worksheets and handouts: the same files each time, with and without the solutions."""

import io
import json
import re
from collections import Counter
from pathlib import Path
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from latex2mathml.converter import convert
from PIL import Image

from kpviz import experiment
from kpviz.engine.kernels import NAMED_KERNELS
from kpviz.export.print import pictures, typeset
from kpviz.export.print.handout import Handout
from kpviz.export.print.typeset import Sheet
from kpviz.export.print.worksheet import Worksheet
from kpviz.lessons import shelf
from kpviz.lessons.explain import ending
from kpviz.lessons.file import format
from kpviz.picture.formula import formula, formula_template
from kpviz.settings import Settings

EXAMPLE = (Path(__file__).parents[1] / "lessons" / "example.kpviz.md").read_text(encoding="utf-8")
KINDS = """---
title: All kinds
---

## By hand
link: v=1&data=xor&n=8

```task perform
ask: Be the perceptron for five steps.
count: 5
```

```task choose
ask: What is $2^2$?
choice: It is **4**.
choice: It is 5.
answer: A
```

```task number
ask: How many bricks are there?
value: bricks
why: Each mistake lays one.
```

```task click
ask: Which are support examples?
what: support
```

```task explain
ask: Why?
```

## Objects
link: v=1&data=texts&kernel=spectrum

```task predict
ask: And the next?
```
"""


def words_of(node):
    """All texts of a tree, in order."""
    if isinstance(node, str):
        return node
    if isinstance(node, dict):
        return words_of(
            [value for key, value in node.items() if key not in ("kind", "name", "widths", "align")]
        )
    return " ".join(words_of(each) for each in node) if isinstance(node, (list, tuple)) else ""


def maths(lesson):
    """The formulas of a lesson's words."""
    return [node for scene in lesson.scenes for node in nodes_of(list(scene.words), "math")]


def nodes_of(node, kind):
    """All nodes of a kind in a tree."""
    if isinstance(node, dict):
        return [node] * (node["kind"] == kind) + nodes_of(node.get("children", []), kind)
    return (
        [found for each in node for found in nodes_of(each, kind)]
        if isinstance(node, (list, tuple))
        else []
    )


def worksheet(first=0, count=8, **values):
    settings = Settings.of(**values)
    split = experiment.prepare(settings)
    return Worksheet(settings, split, experiment.run(settings, split), first, count)


def table(sheet):
    kept = [child for node in sheet.body if node["kind"] == "keep" for child in node["children"]]
    return next(node for node in kept if node["kind"] == "grid")


def test_the_table_of_steps_has_gaps_and_the_solution_fills_them_as_the_run_says():
    made = worksheet(first=3, count=6)
    gaps = [[words_of(cell).strip() for cell in row] for row in table(made.sheet())["rows"]]
    full = [
        [words_of(cell).strip() for cell in row] for row in table(made.sheet(solved=True))["rows"]
    ]
    assert [row[:3] for row in gaps] == [row[:3] for row in full]
    assert all(row[3:] == ["", "", ""] for row in gaps)
    assert [row[0] for row in full] == ["4", "5", "6", "7", "8", "9"]
    assert [row[4] == "yes" for row in full] == made.run.mistake[3:9].tolist()
    for row, f in zip(full, made.run.score[3:9], strict=True):
        assert float(row[3].replace("−", "-")) == pytest.approx(
            f, abs=0.5 * 10**-made.digits + 1e-9
        )


def test_nothing_of_the_solution_is_on_the_worksheet():
    made = worksheet()
    plain, solved = (made.sheet(solved=solved).pictures for solved in (False, True))
    assert plain["points.svg"] == solved["points.svg"]
    assert len(plain["boundary.svg"]) < len(solved["boundary.svg"])  # which has the boundary
    assert "Support examples after step 8: x" not in " ".join(words_of(made.sheet().body).split())


@pytest.mark.parametrize("seed", range(6))
def test_the_kernel_values_that_are_printed_give_the_verdicts_of_the_run(seed):
    made = worksheet(seed=seed, sigma=0.7)
    gram, alpha = made.gram.round(made.digits), dict.fromkeys(made.examples, 0.0)
    for step, i in enumerate(made.run.index[: made.count].tolist()):
        row = made.examples.index(i)
        f = sum(alpha[j] * made.run.y[j] * gram[row, at] for at, j in enumerate(made.examples))
        assert (made.run.y[i] * f <= 1e-9) == made.run.mistake[step]
        alpha[i] += float(made.run.mistake[step])


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"learner": "svm"},
        {"learner": "norma"},
        {"learner": "forgetron"},
        {"data": "texts"},
        {"data": "bits"},
    ],
    ids=str,
)
def test_a_sheet_is_set_for_any_run_and_the_same_bytes_come_out_each_time(values):
    for solved in (False, True):
        first, second = (
            typeset.pdf(worksheet(n=12, **values).sheet(solved=solved)) for _ in range(2)
        )
        assert first.startswith(b"%PDF-")
        assert first == second


@pytest.mark.parametrize("learner", ["svm", "norma", "projectron", "randomized"])
def test_the_rule_of_a_learner_stays_within_the_margins_of_its_sheet(learner):
    first = typeset.pages(worksheet(learner=learner).sheet())[0]
    ink = np.asarray(Image.open(io.BytesIO(first)).convert("L")) < 128
    assert not ink[:, :40].any()  # 14 mm, of a margin of 22
    assert not ink[:, -40:].any()


def test_only_our_typeface_and_that_of_formulas_are_used():
    pdf = typeset.pdf(worksheet().sheet(solved=True))
    names = set(re.findall(rb"/BaseFont/[A-Z]{6}\+(\w+)", pdf))
    assert names == {b"kpvizSansRegular", b"kpvizSansSemiBold", b"NewCMMath"}


def test_the_template_loads_nothing_besides_its_data_and_pictures():
    template = (Path(typeset.__file__).parent / "sheet.typ").read_text(encoding="utf-8")
    template += formula_template().decode()
    for word in ("import", "include", "@preview", "eval(", "http:"):
        assert word not in template


@pytest.mark.parametrize(
    "text",
    ['#eval("1")', "$x", '#import "@preview/a:1.0.0"', "\\", "*a", "`", "]", "{", "@x", "<x>"],
)
def test_no_text_is_read_as_markup(text):
    link = {"kind": "link", "href": "https://x.y/#eval(1)", "children": [text]}
    nodes = [text, link, {"kind": "code", "text": text}, {"kind": "math", "text": text}]
    assert typeset.pdf(
        Sheet(text, [{"kind": "paragraph", "children": nodes}], under=text, author=text, foot=text)
    )


@pytest.mark.parametrize(
    "latex",
    [r"\bad{", r"\frac{1}", "x^", r"\begin{cases} a \\ b \end{cases}", "{" * 50, r"\hat{x}_i^2"],
)
def test_any_formula_is_set_or_shown_as_it_is_written(latex):
    assert formula(latex)["children"]
    assert typeset.pdf(Sheet("T", [{"kind": "math", "text": latex, "display": True}]))


@pytest.mark.parametrize("text", [EXAMPLE, KINDS], ids=["example", "kinds"])
def test_a_handout_has_the_words_and_tasks_and_only_the_other_sheet_their_solutions(text):
    lesson = format.read(text)
    plain, solved = Handout(lesson).sheet(), Handout(lesson, solved=True).sheet()
    for _, task in lesson.tasks:
        assert words_of(plain.body).count(task.ask.partition("$")[0]) == 1
        assert not task.why or task.why.strip(".") not in words_of(plain.body)
        assert not task.why or task.why.strip(".") in words_of(solved.body)
    for node in plain.body:
        assert '"right"' not in json.dumps(node)
    assert typeset.pdf(plain) == typeset.pdf(Handout(lesson).sheet())
    assert typeset.pdf(solved) != typeset.pdf(plain)
    assert "notes" not in words_of(plain.body)


CUED = """---
title: Cues
---

## Hills
link: v=1&n=20&show=alpha.remembered

```cues
start: The start.
mistake 1 light alpha: The first hill.
mistake 2 light alpha, margins: The second.
mistake 3 light remembered: Who answers?
end
```

## Two runs
link: v=1&compare=ties

## Fisher
link: /fisher?v=1

```cues
start: Wide.
best: Narrow.
```

## Texts
link: v=1&data=texts&show=gram

## A stream
link: v=1&data=moons&stream=on&n=200&t=0&show=margins

## Asked
link: v=1&n=6&seed=3

```task number
ask: How many bricks are there?
value: bricks
```

## A kernel that is built
link: v=1&n=20&kernel=formula&formula=gaussian(1)*linear()&show=derivation.validity
"""


@pytest.fixture
def boards(monkeypatch):
    """The boards of all pictures of a handout, as they are drawn."""
    drawn, draw = [], pictures._svg
    monkeypatch.setattr(pictures, "_svg", lambda board: drawn.append(board) or draw(board))
    return drawn


def test_each_cue_has_its_board_and_its_words_below_it_and_no_type_is_smaller_than_seven_points(
    boards,
):
    sheet = Handout(format.read(CUED)).sheet()
    rows = [node for node in sheet.body if node["kind"] == "cells"]
    said = [
        [" ".join(node["children"]) for node in nodes_of(row, "small") if node["children"][0]]
        for row in rows[:3]
    ]
    assert said == [
        ["The start.", "The first hill.", "The second."],
        ["Who answers?"],
        [ending(worksheet(n=20).run)],
    ]
    assert [len(row["children"]) for row in rows] == [3, 3, 2, 4, 2, 2, 2, 2]
    assert [node["children"][0][:3] for node in nodes_of(rows[3], "strong")] == [
        "A  ",
        "B  ",
        "C  ",
        "D  ",
    ]
    assert len(sheet.pictures) == len(boards) == 8 + 4 + 2 + 2 + 1 + 1 + 3
    texts = [
        mark
        for board in boards
        for panel in board.panels
        for marks in (panel.moving, *(layer.marks or () for layer in panel.layers))
        for mark in marks
        if mark["kind"] == "text"
    ]
    assert min(mark["size"] for mark in texts) * pictures.POINT >= 7.0
    assert not [mark["text"] for mark in texts if "no room" in mark["text"]]
    assert not [
        board for board in boards if board.panels[0].name == "map" and not has_points(board)
    ]
    (rules,) = (board for board in boards if board.panels[0].name == "derivation")
    assert (
        rules.height - max(mark["y"] for mark in rules.panels[0].moving) < 30
    )  # it ends below its words
    inches = {
        name: float(re.search(rb'width="([0-9.]+)pt"', svg)[1]) / 72
        for name, svg in sheet.pictures.items()
    }
    for node in nodes_of(sheet.body, "picture"):
        assert node["width"] / 25.4 == pytest.approx(
            inches[node["name"]], rel=0.01
        )  # it is as large as it is drawn


def has_points(board):
    """Whether examples are on a map."""
    every = (
        marks
        for panel in board.panels
        for marks in (panel.moving, *(each.marks or () for each in panel.layers))
    )
    return any("i" in mark for marks in every for mark in marks)


def test_a_question_keeps_its_picture_and_what_is_asked_for_is_not_shown(boards):
    body = Handout(format.read(CUED)).sheet().body
    (task,) = nodes_of(body, "task")
    (kept,) = nodes_of(task, "keep")
    assert len(nodes_of(kept, "picture")) == len(nodes_of(task, "picture")) == 1
    heading = body.index(typeset.heading("6  Asked"))
    assert body[heading + 1] is task


@pytest.mark.parametrize(
    ("count", "least"), [(46, 0.2), (56, 0.45)]
)  # lines; the few that are over, and half a page
def test_no_last_page_is_nearly_empty(count, least):
    line = {"kind": "paragraph", "children": ["A line."]}
    _, last = typeset.pages(Sheet("T", [line] * count))
    image = np.asarray(Image.open(io.BytesIO(last)).convert("L"))[80:-80]
    assert np.flatnonzero((image < 128).any(axis=1))[-1] > least * len(image)


def test_a_copy_for_students_makes_the_same_handout():
    lesson = format.read(KINDS)
    copy = format.read(lesson.for_students)
    assert typeset.pdf(Handout(copy).sheet()) == typeset.pdf(Handout(lesson).sheet())


ASKING = {
    "choose": "choice: Yes.\nchoice: No.\nanswer: A",
    "number": "value: bricks",
    "click": "what: support",
    "predict": "count: 2",
    "perform": "count: 2",
}


@pytest.mark.parametrize("kind", ASKING)
@pytest.mark.parametrize(
    "link", ["v=1&n=8", "v=1&n=8&t=3", "v=1&data=texts&n=8", "v=1&data=texts&n=8&t=2"]
)
def test_no_picture_of_a_students_sheet_is_of_an_instant_after_the_one_at_which_its_task_begins(
    monkeypatch, kind, link
):
    instants = []
    for name in ("panel", "points"):
        draw = getattr(pictures, name)

        def noted(experiments, t, *more, draw=draw):
            instants.append(t)
            return draw(experiments, t, *more)

        monkeypatch.setattr(pictures, name, noted)
    task = f"```task {kind}\nask: What now?\n{ASKING[kind]}\n```"
    Handout(format.read(f"---\ntitle: T\n---\n## S\nlink: {link}\n\nWords.\n\n{task}\n")).sheet()
    begins = int(link.partition("&t=")[2] or 0)
    assert instants or "texts" in link
    assert max(instants, default=0) <= begins


def fractions(parts):
    pair = st.tuples(parts, parts)
    return (
        pair.map(r"\frac{{{0[0]}}}{{{0[1]}}}".format)
        | parts.map(r"\sqrt{{{}}}".format)
        | parts.map(r"\sqrt[3]{{{}}}".format)
        | pair.map("{{{0[0]}}}_{{{0[1]}}}".format)
        | pair.map("{{{0[0]}}}^{{{0[1]}}}".format)
        | pair.map(r"\left({0[0]} - {0[1]}\right)".format)
        | parts.map(r"\bar{{{}}}".format)
        | pair.map(" + ".join)
    )


LATEX = st.recursive(
    st.sampled_from(["x", "2", r"\sigma", r"\exp", "y_i", "k(u, v)"]), fractions, max_leaves=6
)
WRITTEN = [
    *(kernel().latex for kernel in NAMED_KERNELS.values()),
    *(
        node["text"]
        for path in shelf.paths_in(None).values()
        for node in maths(format.read(path.read_text(encoding="utf-8")))
    ),
]
SETS_AS = {"mfrac": "frac", "msqrt": "sqrt", "mroot": "root", "mtable": "mat"} | dict.fromkeys(
    ("msub", "msup", "msubsup", "munder", "mover", "munderover"), "attach"
)


def counted(tree):
    """How many fractions, roots, tables and scripts are in a tree that is set; an accent is a
    script.
    """
    if isinstance(tree, dict):
        kind = {"over": "attach"}.get(tree["kind"], tree["kind"])
        found = Counter([kind] if kind in SETS_AS.values() else [])
        return sum((counted(value) for value in tree.values()), found)
    return sum(map(counted, tree), Counter()) if isinstance(tree, list) else Counter()


def as_in_mathml(latex):
    elements = fromstring(convert(latex)).iter()
    names = [element.tag.rpartition("}")[2] for element in elements]
    assert counted(formula(latex)) == Counter(SETS_AS[name] for name in names if name in SETS_AS), (
        latex
    )


@given(LATEX)
@hypothesis_settings(max_examples=100)
def test_what_is_set_has_the_fractions_roots_and_scripts_of_its_formula(latex):
    as_in_mathml(latex)


def test_so_it_is_with_the_formulas_of_kernels_and_lessons():
    assert len(WRITTEN) > 50
    for latex in WRITTEN:
        as_in_mathml(latex)
