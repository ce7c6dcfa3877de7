"""`kpviz lesson site`: a folder of lessons as a folder of pages, all of it or nothing."""

import re
import sys

import pytest

from kpviz import packages
from kpviz.commands import site

LESSON = "---\ntitle: One\nminutes: 5\n---\n## A scene\nlink: v=1&n=8\n\nWords.\n"


@pytest.fixture
def lessons(folder):
    (folder / "mine").mkdir()
    (folder / "mine" / "one.kpviz.md").write_text(LESSON, encoding="utf-8")
    return folder / "mine"


def test_it_writes_the_lessons_of_the_folder_alone_with_pictures_and_one_player(
    kpviz, lessons, folder
):
    code, _, said = kpviz(
        "lesson", "site", "mine", "public", "--title", "A <course>", "--back", "../a.html"
    )
    size = sum(path.stat().st_size for path in (folder / "public").iterdir())
    assert (code, said) == (0, f"wrote public: 1 lesson, {size / 1e6:.1f} MB\n")
    assert sorted(path.name for path in (folder / "public").iterdir()) == [
        "index.html",
        "kpviz.js",
        "one.html",
    ]
    index = (folder / "public" / "index.html").read_text(encoding="utf-8")
    assert "<h1>A &lt;course&gt;</h1>" in index
    assert "href='one.html'" in index
    assert "<nav><a href='../a.html'>← Back</a></nav><h1>" in index
    assert "data:image/webp" in index
    assert "http" not in index.replace("http-equiv", "").replace("https://kpviz", "")


def test_at_a_terminal_it_says_how_far_it_is(kpviz, lessons, monkeypatch):
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda stream: True)
    said = kpviz("lesson", "site", "mine", "public", "--slides", "--quiet")[2]
    bars = dict.fromkeys(re.findall(r"\r\x1b\[K█*░* ([\w ]+)", said))
    assert list(bars) == [
        "slides 1 of 1",
        "picture 1 of 1",
        "0 of 2 pages",
        "1 of 2 pages",
        "2 of 2 pages",
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
            "'nowhere' is not a folder: name one that holds lessons (*.kpviz.md).\n",
        ),
    ):
        code, out, said = kpviz("lesson", "site", *given)
        assert (code in (1, 2), out) == (True, ""), given
        assert said.endswith(words)
        assert said.count("\n") == 1
    assert sorted(path.name for path in folder.iterdir()) == ["full", "mine", "none"]
    assert [path.name for path in (folder / "full").iterdir()] == ["a.txt"]


def test_what_is_not_installed_is_left_out_in_a_sentence(kpviz, lessons, folder, monkeypatch):
    def missing(_):
        raise packages.MissingPackageError("A handout needs typst.")

    monkeypatch.setitem(site._PAPERS, "Handout", missing)
    code, _, said = kpviz("lesson", "site", "mine", "public", "--handout", "--slides", "--quiet")
    assert (code, said) == (0, "kpviz: Handout left out: A handout needs typst.\n")
    assert (folder / "public" / "one-slides.pdf").read_bytes().startswith(b"%PDF")
    assert not (folder / "public" / "one-handout.pdf").exists()
