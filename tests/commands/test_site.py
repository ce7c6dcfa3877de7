"""`kpviz lesson site`: a folder of lessons as a folder of pages, all of it or nothing."""

import base64
import gzip
import json
import re
import sys

import pytest

from kpviz import packages
from kpviz.commands import page_python, site
from kpviz.export.page import pythons

LESSON = "---\ntitle: One\nminutes: 5\n---\n## A scene\nlink: v=1&n=8\n\nWords.\n"


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """A Python that is no Python, and which one is taken where nobody says it."""
    told = {"worker": "python/worker.js", "size": 5}
    small = pythons.Python(told, {"python/kpviz.zip": b"small"})
    first = []
    monkeypatch.setattr(page_python, "chosen", lambda options, *more: first.extend(more) or small)
    return first


@pytest.fixture
def lessons(folder):
    (folder / "mine").mkdir()
    (folder / "mine" / "one.kpviz.md").write_text(LESSON, encoding="utf-8")
    return folder / "mine"


def files_of(folder):
    """What is in a folder, by the names of the files."""
    return {
        path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()
    }


def test_it_writes_the_lessons_of_the_folder_alone_with_pictures_and_one_player_and_python(
    kpviz, lessons, folder, small
):
    code, _, said = kpviz(
        "lesson", "site", "mine", "public", "--title", "A <course>", "--back", "../a.html"
    )
    files = files_of(folder / "public")
    size = sum(path.stat().st_size for path in files.values())
    assert small == ["wasi"]
    assert (code, said) == (0, f"wrote public: 1 lesson, {size / 1e6:.1f} MB\n")
    assert sorted(files) == [
        "board.html",
        "fisher.html",
        "index.html",
        "keeper.js",
        "kpviz.js",
        "one.html",
        "python/kpviz.zip",
    ]
    index = (folder / "public" / "index.html").read_text(encoding="utf-8")
    assert "<h1>A &lt;course&gt;</h1>" in index
    assert "href='one.html'" in index
    assert "<a href='../a.html'>← Back</a><a href='board.html'>Board</a>" in index
    assert "<a href='index.html' aria-current=page>Lessons</a>" in index
    assert "data:image/webp" in index
    assert "http" not in index.replace("http-equiv", "").replace("https://kpviz", "")


@pytest.mark.parametrize(
    ("given", "headings"),
    [
        (["lesson-07-width", "lesson-08-bounds"], ["Lessons"]),
        (["mine", "lesson-07-width"], ["Lessons", "Afterwards"]),
        (
            ["mine", "lecture-1-perceptron", "lesson-01-first-steps"],
            ["Lectures and lessons", "Lessons"],
        ),
    ],
)
def test_the_list_names_lectures_only_where_it_has_some(kpviz, lessons, folder, given, headings):
    assert kpviz("lesson", "site", *given, "public")[0] == 0
    index = (folder / "public" / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<h1>(.*?)</h1>|<h2 class='heading'>(.*?)</h2>", index) == [
        (headings[0], ""),
        *(("", heading) for heading in headings[1:]),
    ]


def test_at_a_terminal_it_says_how_far_it_is(kpviz, lessons, monkeypatch):
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda stream: True)
    said = kpviz("lesson", "site", "mine", "public", "--slides", "--quiet")[2]
    bars = dict.fromkeys(re.findall(r"\r\x1b\[K█*░* ([\w ]+)", said))
    assert list(bars) == [
        "Python",
        "pages",
        "picture 1 of 1",
        "slides 1 of 1",
        "lesson 1 of 1",
    ]
    assert said.endswith("\r\x1b[K")


def test_what_is_there_is_not_destroyed_and_bad_input_is_a_sentence(kpviz, lessons, folder):
    (folder / "full").mkdir()
    (folder / "full" / "a.txt").write_text("mine", encoding="utf-8")
    (folder / "none").mkdir()
    (lessons / "two.kpviz.md").write_text("no lesson", encoding="utf-8")
    for given, words in (
        (
            ("mine", "full"),
            "kpviz: 'full' is there and not empty: name a new folder, or remove it first.\n",
        ),
        (("mine", "no/where"), "kpviz: 'no/where' cannot be written: there is no folder 'no'.\n"),
        (("none", "public"), "kpviz: 'none' holds no lesson: their names end in .kpviz.md.\n"),
        (
            ("mine", "public"),
            "two.kpviz.md' is not a lesson without faults: kpviz lesson check names them.\n",
        ),
        (
            ("nowhere", "public"),
            "There is no lesson 'nowhere': kpviz lesson list names those that there are.\n",
        ),
    ):
        code, out, said = kpviz("lesson", "site", *given)
        assert (code in (1, 2), out) == (True, ""), given
        assert said.endswith(words)
        assert said.count("\n") == 1
    assert sorted(path.name for path in folder.iterdir()) == ["full", "mine", "none"]
    assert [path.name for path in (folder / "full").iterdir()] == ["a.txt"]


def test_no_lesson_of_a_folder_is_passed_over_and_of_which_one_a_sentence_is_is_said(
    kpviz, lessons, folder
):
    named = folder / "named"
    named.mkdir()
    (named / "my one.kpviz.md").write_text(LESSON, encoding="utf-8")
    (folder / "notes.md").write_text(LESSON, encoding="utf-8")
    (lessons / "Board.kpviz.md").write_text(LESSON, encoding="utf-8")
    broken = folder / "broken"
    broken.mkdir()
    broken_link = LESSON.replace("link: v=1", "link: v=1&kernel=none")
    (broken / "two.kpviz.md").write_text(broken_link, encoding="utf-8")
    for given, words in (
        (
            ("named",),
            "'named/my one.kpviz.md' cannot be the name of a page: take letters, digits, ",
        ),
        (
            ("notes.md",),
            "'notes.md' cannot be the name of a page: take letters, digits, - and _, and",
        ),
        (("mine",), "Two files would be called board.html: give the lesson another name."),
        (("broken",), "The lesson 'two': Parts of this link could not be used as they are"),
        (("mine/one.kpviz.md", "--address", "example"), "address is 'example': give one that"),
    ):
        code, out, said = kpviz("lesson", "site", *given[:1], "public", *given[1:])
        assert (code, out, said.count("\n")) == (1, "", 1), given
        assert said.startswith(f"kpviz: {words}")
        assert not (folder / "public").exists()


def test_standard_output_cannot_hold_a_folder(kpviz, folder):
    for command in (("site",), ("lesson", "site"), ("lesson", "slides", "lesson-01-first-steps")):
        assert kpviz(*command, *(["-o"] if "slides" in command else []), "-") == (
            1,
            "",
            "kpviz: Standard output cannot hold a folder: give the name of one.\n",
        )
    assert list(folder.iterdir()) == []


def test_a_lesson_that_lies_elsewhere_is_taken_and_what_a_system_hides_is_not(
    kpviz, lessons, folder
):
    linked = folder / "linked"
    linked.mkdir()
    (linked / "two.kpviz.md").symlink_to(lessons / "one.kpviz.md")
    (linked / "._two.kpviz.md").write_bytes(b"\0")
    assert kpviz("lesson", "site", "linked", "public", "--quiet")[0] == 0
    assert (folder / "public" / "two.html").is_file()


def test_what_is_not_installed_is_left_out_in_a_sentence(kpviz, lessons, folder, monkeypatch):
    def missing(_):
        raise packages.MissingPackageError("A handout needs typst.")

    monkeypatch.setitem(site._PAPERS, "Handout", missing)
    code, _, said = kpviz("lesson", "site", "mine", "public", "--handout", "--slides", "--quiet")
    assert (code, said) == (0, "kpviz: Handout left out: A handout needs typst.\n")
    assert (folder / "public" / "one-slides.pdf").read_bytes().startswith(b"%PDF")
    assert not (folder / "public" / "one-handout.pdf").exists()


def told_of(folder, name):
    """What a page of the folder `public` is told."""
    text = (folder / "public" / name).read_text(encoding="utf-8")
    return json.loads(re.search(r'id="run">(.*?)</script>', text)[1])


def content_of(told):
    return json.loads(gzip.decompress(base64.b64decode(told["lesson"]["content"])))


ASKED = """
```task number
ask: How many?
value: mistakes
why: The hidden reason.
```

```task reach
ask: None.
start: v=1&data=xor&kernel=linear
within: kernel, sigma 0.1 to 3
until: training_error == 0
solution: v=1&data=xor&sigma=0.37
# Mine alone.
```

> notes: For the lecturer.
"""


def test_python_gets_the_text_of_a_lesson_of_one_s_own_without_notes(kpviz, lessons, folder):
    (lessons / "one.kpviz.md").write_text(LESSON + ASKED, encoding="utf-8")
    assert kpviz("lesson", "site", "mine/one.kpviz.md", "lesson-07-width", "public")[0] == 0
    told = content_of(told_of(folder, "one.html"))
    assert "solution: v=1&data=xor&sigma=0.37" in told["text"]
    for secret in ("For the lecturer", "Mine alone"):
        assert secret not in json.dumps(told)
    assert told["plan"]["next"] is None, "the other one stands in another row of the list"
    assert content_of(told_of(folder, "lesson-07-width.html"))["text"] is None


@pytest.mark.parametrize("address", [None, "https://kpviz.example/k/?v=1"])
def test_what_must_stay_secret_is_not_in_the_page_which_says_where_it_is_answered(
    kpviz, lessons, folder, address
):
    (lessons / "one.kpviz.md").write_text(LESSON + ASKED, encoding="utf-8")
    assert kpviz("lesson", "students", "mine/one.kpviz.md", "-o", "mine/two.kpviz.md")[0] == 0
    code, _, said = kpviz("lesson", "site", "mine", "public")
    assert (code, said.count("\n")) == (1, 1)
    assert "The lesson 'two': This is a copy without solutions" in said
    where = () if address is None else ("--address", address)
    assert kpviz("lesson", "site", "mine", "public", "--no-solutions", *where)[0] == 0
    for name in ("one", "two"):
        told = content_of(told_of(folder, f"{name}.html"))
        for secret in ("The hidden reason", "sigma=0.37", "For the lecturer"):
            assert secret not in json.dumps(told)
        assert (told["text"], told["tasks"], told["plan"]["told"]) == (None, [[None, None]], False)
        for task in told["plan"]["scenes"][0]["tasks"]:
            assert task["elsewhere"] == {
                "address": address and f"https://kpviz.example/k/?lesson={name}&scene=1",
                "command": f"kpviz app --lessons FOLDER 'lesson={name}&scene=1'",
                "isSecret": True,
            }


def test_an_index_of_lessons_of_one_language_speaks_it(kpviz, lessons, folder):
    (lessons / "one.kpviz.md").write_text(
        LESSON.replace("minutes: 5", "language: de"), encoding="utf-8"
    )
    assert kpviz("lesson", "site", "mine", "public")[0] == 0
    index = (folder / "public" / "index.html").read_text(encoding="utf-8")
    assert '<html lang="de">' in index
    assert "<h1>Lektionen</h1>" in index
    assert "Lektionen</a>" in index
    assert '<html lang="de">' in (folder / "public" / "one.html").read_text(encoding="utf-8")
