"""A link, a file or a lesson: one reading of what is typed, for all commands."""

import os
import re
from pathlib import Path

import numpy as np
import pytest
from parsers import commands

import kpviz as library
from kpviz.commands import inputs
from kpviz.engine.data.drawn import Drawn
from kpviz.lessons import shelf
from kpviz.settings import DRAWN, Settings

TABLE = "a,b,c\n1,2,x\n3,4,y\n"
LESSON = "---\ntitle: T\n---\n## S\nlink: v=1&n=4&epochs=1\n"
SHORT = "v=1&data=xor&n=4&epochs=1"
POINTS = Drawn.of(
    np.array([[i % 20 / 20, i // 20 / 20] for i in range(160)]), np.array([1.0, -1.0] * 80)
).code


def cues(characters):
    """A link of about so many characters, most of them percent codes and slashes."""
    one = "%E2%80%9Cand%2For%E2%80%9D%20../up/"
    count = (characters - len(SHORT)) // len(one) + 1
    lines = [
        f"{step}%3A%20{one * min(9, count - 9 * step)}"
        for step in range(count // 9 + 1)
        if count > 9 * step
    ]
    return f"{SHORT}&cues={'%7C'.join(lines[:4])}" + "&epochs=1" * ((characters - 1500) // 9)


LINKS = {
    "short": SHORT,
    "250": cues(250),
    "1,000": cues(1000),
    "25,000": cues(25_000),
    "drawn": f"v=1&data=drawn&points={POINTS}&epochs=1",
    "address": f"https://example.org/kpviz/?{cues(1000)}#top",
    "question mark": f"?{SHORT}",
    "page": f"/?{SHORT}",
    "nothing set": "?",
    "name of a lesson in it": f"{SHORT}&cues=start%3A%20a.kpviz.md",
    "lesson": "lesson=lesson-07-width&scene=1&epochs=1",
}
COMMANDS = {
    "train": ["train", "--quiet"],
    "sweep": ["sweep", "sigma", "--values", "1", "-o", "-"],
    "plot": ["plot", "--panel", "map", "--size", "320x320", "-o", "png:out"],
    "render captions": ["render", "-o", "vtt:out"],
    "render page": ["render", "-o", "html:out"],
    "worksheet": ["lesson", "worksheet", "--steps", "1", "-o", "pdf:out"],
}


def typed(name, source):
    start = COMMANDS[name]
    return [start[0], source, *start[1:]] if name == "sweep" else [*start, source]


def test_all_commands_that_take_a_link_are_tried():
    takers = {
        name for name, parser in commands().items() if "source" in parser.get_default("reads")
    }
    assert takers == {" ".join(start[: 1 + (start[0] == "lesson")]) for start in COMMANDS.values()}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("link", LINKS)
def test_a_link_is_never_taken_for_a_path(kpviz, command, link):
    code, _, complaint = kpviz(*typed(command, LINKS[link]))
    assert code == 0, complaint


@pytest.mark.parametrize("link", LINKS)
def test_a_link_is_one_for_the_library_and_for_the_app(link):
    assert inputs.is_link(LINKS[link])
    assert isinstance(inputs.place_of(LINKS[link]), str)
    assert library.load(LINKS[link]).n_steps


def test_the_drawn_points_of_a_long_link_are_all_there():
    assert len(LINKS["drawn"]) > 300
    settings = Settings.of(data=DRAWN, points=POINTS)
    assert library.load(LINKS["drawn"]).link == f"?{settings.link()}&epochs=1"


def test_a_link_that_is_too_long_for_any_page_is_no_path_either(kpviz):
    code, _, complaint = kpviz("render", "-o", "html:out", cues(30_100))
    assert code == 1
    assert re.fullmatch(
        r"kpviz: This link has 29,921 characters, and none of kpviz has more than 25,000.\n",
        complaint,
    )


ODD = [
    300 * "x",
    5000 * "/",
    3000 * "a/",
    "\0",
    "a\0b",
    "none.csv",
    "./none=1.csv",
    "../x=1",
    "/a/b=c",
    "circle",
    "",
]


@pytest.mark.parametrize(
    "command", [*COMMANDS, "check", "students", "handout", "slides", "copy", "join", "grade", "app"]
)
@pytest.mark.parametrize("name", ODD)
def test_what_is_no_link_and_not_there_is_said_in_a_sentence(kpviz, monkeypatch, command, name):
    monkeypatch.setattr(
        "kpviz.commands.serve.become", lambda *_: pytest.fail("a server was started")
    )
    Path("circle").symlink_to("circle")
    Path("handed").mkdir()
    lesson = {"check": [], "handout": ["-o", "a.pdf"]}.get(command, ["-o", "out"])
    line = ["app", name] if command == "app" else ["lesson", command, name, *lesson]
    line = ["lesson", "grade", "handed", "--lesson", name] if command == "grade" else line
    before = os.listdir()
    (Path("handed") / "a.json").write_text("{}")
    code, output, complaint = kpviz(*(typed(command, name) if command in COMMANDS else line))
    assert (code in (1, 2), output) == (True, "")
    assert complaint.count("\n") == 1
    assert complaint.endswith(".\n")
    assert len(complaint) < 400
    assert os.listdir() == before


# ---- which of two wins ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "is_link"),
    [
        ("v=1&x.csv", False),  # a file of this name is there
        ("./v=1&x.csv", False),
        ("?v=1&x.csv", True),
        ("data=xor", True),  # only a folder of this name is there
        ("?data=moons", True),
        ("data=moons", False),
        ("./data=circles", False),
        ("data=circles", True),
        ("-", False),
        ("lesson-07-width", False),
    ],
)
def test_a_file_wins_over_a_link_without_a_question_mark_and_a_folder_does_not(source, is_link):
    Path("v=1&x.csv").write_text(TABLE)
    Path("data=moons").write_text(TABLE)
    Path("data=xor").mkdir()
    assert inputs.is_link(source) == is_link


def test_tables_whose_names_look_like_links_or_options_are_read(kpviz):
    for name in ("v=1&x.csv", "-x.csv", "?x.csv"):
        Path(name).write_text(TABLE)
        code, output, _ = kpviz("train", f"./{name}")
        assert (code, output.startswith(f"data       {name}: 2 examples")) == (0, True)
    assert kpviz("train", "v=1&x.csv")[1].startswith("data       v=1&x.csv: 2 examples")
    assert kpviz("train", "-x.csv")[0] == 2


def test_a_file_wins_over_a_lesson_of_its_name_and_a_folder_does_not(kpviz):
    name = next(iter(shelf.paths()))
    Path(name).mkdir()
    assert inputs.path_of(name) == shelf.paths()[name]
    Path(name).rmdir()
    Path(name).write_text(LESSON)
    assert inputs.path_of(name) == Path(name)
    assert kpviz("lesson", "copy", name, "-o", "-")[1] == LESSON


def test_a_lesson_where_a_run_is_wanted_is_told_what_to_give(kpviz):
    Path("own.kpviz.md").write_text(LESSON)
    for source, link in (
        ("lesson-07-width", ", as lesson=lesson-07-width&scene=1"),
        ("own.kpviz.md", ""),
    ):
        expected = f"kpviz: {source!r} is a lesson: give the link of one of its scenes{link}.\n"
        assert kpviz("train", source) == (1, "", expected)
