"""What the documentation says is what kpviz does: its code and commands run as they stand, page by
page.
"""

import importlib
import json
import re
import shlex
import textwrap
from pathlib import Path

import numpy as np
import pytest

import kpviz
from kpviz import cli, experiment
from kpviz.lessons import explain
from kpviz.lessons.file import check, format
from kpviz.lessons.file.kinds import KINDS
from kpviz.lessons.file.links import Link
from kpviz.lessons.presets import PRESETS
from kpviz.settings import Settings

DOCS = Path(__file__).parent.parent / "docs"
PAGES = {
    path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8")
    for part in ("tutorials", "how-to", "explanation", "reference")
    for path in sorted((DOCS / part).glob("*.md"))
}
# What films and paper are made of in place of ninety minutes.
SHORT = "---\ntitle: Short\n---\n\n## One step\nlink: v=1&t=1\n\nOne.\n"
SMALL = ["--size", "320x320", "--fps", "24"]
HANDED_IN = {
    "kpviz": "results",
    "version": 1,
    "lesson": "lesson-07-width",
    "title": "",
    "tasks": [],
}


def blocks(text, *languages):
    found = re.findall(r"^( *)```(\w+)\n(.*?)^\1```", text, re.DOTALL | re.MULTILINE)
    return [textwrap.dedent(inside) for _, language, inside in found if language in languages]


def commands(text):
    lines = "".join(blocks(text, "console", "sh")).replace("\\\n", " ").splitlines()
    return [shlex.split(line)[1:] for line in lines if line.startswith("kpviz ")]


WITH_PYTHON = [name for name, text in PAGES.items() if blocks(text, "python")]
WITH_COMMANDS = [name for name, text in PAGES.items() if commands(text)]


# Words that people search the documentation for, where a page of it may have a word of its own.
SEARCHED = (
    *(
        "clicker",
        "presenter view",
        "present mode",
        "speaker notes",
        "keyboard shortcuts",
        "multiclass",
        "overfitting",
    ),
    *(
        "export a video",
        "GIF",
        "translate",
        "quiz",
        "Canvas LMS",
        "custom kernel",
        "decision boundary",
        "GridSearchCV",
    ),
)


@pytest.mark.parametrize("words", SEARCHED)
def test_a_common_word_is_found(words):
    pages = [
        name for name, text in PAGES.items() if words.lower() in " ".join(text.lower().split())
    ]
    assert pages


# What is so when the code of a page has run, as the page says.
SO_AFTER = {
    "how-to/embed.md": [
        "Path('kpviz.js').read_text('utf-8') == shared_player()",
        "html.startswith('<iframe') and 'kpviz.js' in html and 'title=\"XOR · ' in html",
    ],
    "how-to/own-kernel.md": [
        "mine.psd == 'yes'",
        "Cauchy()([[0.0]], [[2.0]]) == 1 / 5",
        "abs(words(['what a goal'], ['boil the rice']) - 1 / 8) < 1e-12",
        "list(run.y) == [1, -1]",
    ],
    "how-to/sweeps.md": [
        "len(widths.table['mistakes']) == 3 * 5",
        "len(widths.means['test_error']) == 3",
    ],
    "tutorials/python.md": [
        "opened.link == '?v=1&data=circles&sigma=0.3'",
        "isinstance(run.learner, Aggressive)",
        "len(scores) == 5 and min(scores) > 0.8",
        "search.best_estimator_.kernel.first.kernel.sigma == "
        "search.best_params_['kernel__first__kernel__sigma']",
    ],
}


@pytest.mark.parametrize("name", WITH_PYTHON)
def test_the_python_of_a_page_runs_from_top_to_bottom_and_does_what_it_says(
    name, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    known = {}
    for code in blocks(PAGES[name], "python"):
        exec(code, known)
    for statement in SO_AFTER[name]:
        assert eval(statement, known), statement


def test_the_learner_of_the_tutorial_does_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, opened, learner, words, *_ = blocks(PAGES["tutorials/python.md"], "python")
    known = {}
    exec(first, known)
    assert known["run"].converged
    assert known["X"].shape == (200, 2)
    exec(opened, known)
    assert known["opened"].link == "?v=1&data=circles&sigma=0.3"
    exec(learner, known)
    run = known["run"]
    assert run.n_steps == 1000
    after = run.decision_function(run.X[run.index[:1]], t=1) * run.y[run.index[0]]
    assert np.allclose(after, 1.0)
    assert "becomes 1" not in explain.explain(run, 1).sentence
    exec(words, known)
    assert (
        ". It is added so that its margin becomes 1: its score goes from 0 to "
        in explain.explain(run, 1).sentence
    )


def test_the_sweep_has_a_run_for_each_value_and_seed():
    known = {}
    exec(blocks(PAGES["how-to/sweeps.md"], "python")[0], known)
    assert len(known["widths"]) == 15


@pytest.mark.parametrize("name", WITH_COMMANDS)
def test_the_commands_of_a_page_run(name, tmp_path, monkeypatch, capfd):
    """As they stand, but what tests/commands makes is only read, and what lasts minutes is made of
    a shorter lesson.
    """
    monkeypatch.chdir(tmp_path)
    Path("flowers.csv").write_text(
        "a,b,kind\n" + "".join(f"{i},{i * i % 7},{'uv'[i % 2]}\n" for i in range(20))
    )
    Path("lecture.txt").write_text("start: One.\n2: Two.\n", encoding="utf-8")
    Path("handed-in").mkdir()
    Path("handed-in/ada.json").write_text(json.dumps(HANDED_IN), encoding="utf-8")
    for command in commands(PAGES[name]):
        is_film = command[0] == "render" and any(part.endswith(".mp4") for part in command)
        is_lesson = any(part.endswith(".kpviz.md") for part in command)
        if (
            command[0] in ("app", "site")
            or (is_film and not is_lesson)
            or command == ["lesson", "site", "public"]
        ):
            cli._parser().parse_args(command)
            continue
        if is_film:
            command += SMALL
        assert cli.main(command) == 0, (command, capfd.readouterr().err)
        if command[1:2] == ["check"]:  # it was tried whole
            Path(command[2]).write_text(SHORT, encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_the_links_of_a_page_lead_somewhere(name):
    linked = re.findall(r"\]\((?!http)([^)#]+)(?:#[^)]*)?\)", PAGES[name])
    missing = [link for link in linked if not (DOCS / name).parent.joinpath(link).is_file()]
    assert missing == []
    figures = re.findall(r"^```\{kpviz\} (\S+)$", PAGES[name], re.MULTILINE)
    assert [
        (query, Link.read(query).problems) for query in figures if Link.read(query).problems
    ] == []


def test_the_numbers_of_the_first_run_are_those_of_the_runs(tmp_path):
    said = str(tmp_path / "said.srt")
    assert (
        cli.main(
            ["render", "v=1", "--from", "2", "--to", "3", "--title", "", "-o", said, "--quiet"]
        )
        == 0
    )
    third = Path(said).read_text(encoding="utf-8").strip().splitlines()[-1]
    solved, linear = (
        experiment.run(Settings.of(kernel=kernel)) for kernel in ("gaussian", "linear")
    )
    page = PAGES["tutorials/first-run.md"]
    assert third in " ".join(page.split())
    assert f"XOR is solved after {solved.mistake.sum()} mistakes" in page
    assert solved.mistakes_per_epoch[2:].tolist() == [0]  # "The third epoch has no mistake"
    assert f"{linear.mistake.sum():,} mistakes and no end" in page
    assert (
        f"After {linear.n_epochs} epochs still {linear.mistakes_per_epoch[-1]} mistakes per pass"
        in page
    )


def test_the_lesson_of_the_guide_and_that_of_the_reference_are_right():
    pages = {
        "how-to/write-a-lesson.md": [["reach"]],
        "reference/lesson-format.md": [["reach"], ["puzzle"]],
    }
    for name, kinds in pages.items():
        texts = re.findall(r"````text\n(.*?)````", PAGES[name], re.DOTALL)
        lessons = [format.read(text) for text in texts]
        assert [check.check(lesson) for lesson in lessons] == [[]] * len(kinds)
        assert [[task.kind for _, task in lesson.tasks] for lesson in lessons] == kinds


def test_the_reference_has_every_kind_of_task_with_its_keys_and_every_name_of_conditions():
    page = PAGES["reference/lesson-format.md"]
    assert "<!-- table: conditions -->" in page
    rows = {
        kind: row
        for kind, row in re.findall(r"^\| `([a-z]+)` \|(.*)$", page, re.MULTILINE)
        if kind in KINDS
    }
    assert list(rows) == list(KINDS)
    for kind, row in rows.items():
        assert [
            key for key in KINDS[kind].keys if f"`{key}" not in row and f"{key}:" not in row
        ] == []


def test_the_reference_of_the_repository_has_its_tables_as_they_are_now(monkeypatch):
    pytest.importorskip("sphinx")  # which the pages of the documentation are built with
    monkeypatch.syspath_prepend(DOCS / "_ext")
    generated = importlib.import_module("generated")
    tables = {
        name for page in PAGES.values() for name in re.findall(r"<!-- table: (\w+) -->", page)
    }
    assert tables == {
        "settings",
        "panels",
        "keys",
        "commands",
        "learners",
        "kernels",
        "api",
        "conditions",
    }
    for name, page in PAGES.items():
        current = generated.with_tables(page, build=False)
        assert page.split() == current.split(), f"{name}: run scripts/reference.py"
        assert "generated/" not in page


def test_what_the_explanations_claim_of_data_and_kernels_holds():
    runs = {
        query: experiment.run(Settings.of(**dict(part.split("=") for part in query.split("&"))))
        for query in (
            "data=linear&kernel=linear",
            "data=shifted&kernel=linear",
            "data=shifted&kernel=linear&intercept=radius",
            "data=circles&kernel=monomial&intercept=unit",
            "data=moons&seed=35&sigma=0.4",
            "data=bits&function=parity&bits=5",
            "data=bits&function=literal&bits=5",
            "data=bits&function=literal&bits=5&negated=off",
            "data=blobs&noise=0.5&sigma=0.1",
            "data=blobs&noise=0.5",
            "data=circles&kernel=monomial",
        )
    }
    assert [run.end for run in runs.values()] == [
        "clean",
        "limit",
        *["clean"] * 7,
        "limit",
        "limit",
    ]
    moons, parity, literal, without_negated_bits, *_ = list(runs.values())[4:]
    assert without_negated_bits.mistake.sum() > 2
    assert moons.mistake[:2].all()  # "Two mistakes: two hills"
    assert parity.mistakes_per_epoch.tolist() == [32, 0]  # each input once
    assert literal.mistake.sum() == 2
    not_kernels = [
        "tanh(dot(u, v) - 1)",
        "-norm(u - v)**2",
        "(dot(u, v) - 1)**2",
        "exp(-norm(u - v)**4)",
    ]
    assert [kpviz.kernels.Formula(text).psd for text in not_kernels] == ["no"] * 4
    assert kpviz.kernels.Formula("normalized(gaussian(1)*linear())").psd == "yes"
    assert "Thirteen comparisons" in PAGES["how-to/compare.md"]
    assert "nine kinds of task" in PAGES["how-to/write-a-lesson.md"]
    assert (len(PRESETS), len(KINDS)) == (13, 9)
