"""What the dialog *Export* saves: each file is what the functions of `export` make of the run, made
by one work.
"""

import io
import json
import sys
import zipfile
import zlib

import numpy as np
import pytest
from apart import awaited
from two_scenes import LESSON, TEXT
from visitor import Page

from kpviz import experiment
from kpviz.engine.data.drawn import Drawn
from kpviz.export import notebook, record, script, settings_file
from kpviz.export.page import page
from kpviz.export.print import typeset
from kpviz.export.print.handout import Handout
from kpviz.export.print.worksheet import Worksheet
from kpviz.lessons import presets, shelf
from kpviz.picture import figure
from kpviz.player import payload
from kpviz.service import answer as answers
from kpviz.service import join, stored
from kpviz.service.caches import forget
from kpviz.service.packing import lesson_page
from kpviz.settings import DRAWN, MOST_IN_LINKS, Settings
from kpviz.settings.cues import Cues

LAN = "http://192.168.1.20:8501/"
OBJECTS = {
    "texts": {"data": "texts", "held": 0.2, "added": "+a goal"},
    "trees": {"data": "trees"},
    "bits": {"data": "bits", "bits": 3},
}
ENDINGS = (
    "numpy.py",
    "ipynb",
    "run.csv",
    "run.json",
    "examples.csv",
    "settings.json",
    "worksheet.pdf",
    "solutions.pdf",
    "html",
)


class Asker:
    """Asks for files, and keeps the works that made them."""

    def __init__(self):
        self.works = []

    async def compute(self, work):
        self.works.append(work)
        return work.compute()

    def ask(self, link="v=1&n=12", **wanted):
        """The header of the answer, and the content of its file."""
        question = {"n": 7, "link": link, "shown": True, "file": wanted}
        header, arrays = payload.unpack(awaited(answers.answer(question, self.compute)))
        assert header["n"] == 7
        return header, zlib.decompress(arrays["content"]) if arrays else b""


@pytest.fixture
def asker():
    return Asker()


@pytest.fixture
def saved(asker):
    """What is saved: the name of the file, its type, and its content."""

    def ask(link="v=1&n=12", **wanted):
        header, content = asker.ask(link, **wanted)
        assert "failed" not in header, header
        return header["file"]["name"], header["file"]["mime"], content

    return ask


@pytest.fixture
def refusal(asker):
    def ask(link="v=1&n=12", **wanted):
        header, content = asker.ask(link, **wanted)
        assert (content, "file" in header) == (b"", False)
        return header["failed"]

    return ask


# ---- of a run ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values", [{"n": 30, "held": 0.2, "noise": 0.2}, *OBJECTS.values()], ids=str
)
def test_each_file_is_of_the_run_on_the_board(saved, values):
    settings = Settings.of(**values)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    sheet = Worksheet(settings.without_cues, split, run, 2)
    wanted = {
        "numpy.py": ("text/x-python", script.numpy_script(settings, split).encode()),
        "ipynb": ("application/x-ipynb+json", notebook.notebook(settings, split).encode()),
        "worksheet.pdf": ("application/pdf", typeset.pdf(sheet.sheet())),
        "solutions.pdf": ("application/pdf", typeset.pdf(sheet.sheet(solved=True))),
        "run.csv": ("text/csv", record.to_csv(run).encode()),
        "run.json": ("application/json", record.to_json(run, settings, split).encode()),
        "examples.csv": ("text/csv", record.data_csv(split).encode()),
        "settings.json": ("application/json", settings_file.write(settings).encode()),
    }
    for ending, made in wanted.items():
        name = f"kpviz-{settings.data}-{settings.kernel}.{ending}"
        assert saved(settings.link(), ending=ending, t=2) == (name, *made)


@pytest.mark.parametrize("ending", ENDINGS)
def test_all_of_a_file_is_made_by_one_work_and_nothing_before(ending, asker, monkeypatch):
    monkeypatch.setattr(experiment, "run", None)
    monkeypatch.setattr(experiment, "prepare", None)
    question = {
        "n": 1,
        "link": "v=1&n=12",
        "file": {"ending": ending, "t": 3, "shown": "v=1&n=12&show=alpha"},
    }
    works = []

    async def compute(work):
        works.append(work)
        raise ValueError("The server is ending.")

    header, _ = payload.unpack(awaited(answers.answer(question, compute)))
    assert header["failed"] == "The server is ending."
    (work,) = works
    assert work.seconds >= 0.5, "it would take the process that is kept free for short jobs"
    monkeypatch.undo()
    for other in ("v=1&n=12&sigma=0.4", "v=1&n=12&pins=1&p1.sigma=0.3"):
        asker.ask(other, ending=ending, t=3, shown="v=1&n=12&show=alpha")
    assert len({work.id, *(each.id for each in asker.works)}) == 3


def test_a_worksheet_that_would_begin_after_the_end_begins_at_the_start(saved):
    assert saved(ending="worksheet.pdf", t=10**9) == saved(ending="worksheet.pdf", t=0)


def test_without_examples_or_typst_one_sentence_says_so(saved, refusal, monkeypatch):
    link = Settings.of(data=DRAWN).link()
    for ending in ("numpy.py", "ipynb", "worksheet.pdf", "solutions.pdf", "html"):
        assert refusal(link, ending=ending) == "There are no examples yet: draw some first."
    assert json.loads(saved(link, ending="settings.json")[2])["points"] == []
    assert saved(link, ending="examples.csv")[2].count(b"\n") == 1
    monkeypatch.setitem(sys.modules, "typst", None)
    assert 'run pip install "kpviz[print]"' in refusal(ending="worksheet.pdf")


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"ending": "exe"},
        {"ending": ["html"]},
        {"ending": "handout.pdf"},
        {"ending": "html", "lesson": {}},
    ],
    ids=str,
)
def test_a_file_that_there_is_not_is_refused(refusal, wanted):
    assert refusal(**wanted) == "There is no file of this kind: open Export again."


def test_what_is_no_choice_is_refused_or_left_out(saved, refusal):
    usual = saved(ending="html")
    strange = {"t": -4, "shown": 7, "autoplay": "yes", "loop": [], "address": {}, "theme": None}
    assert saved(ending="html", **strange) == usual
    assert "theme is 'x'" in refusal(ending="html", theme="x")


@pytest.mark.parametrize("n", [MOST_IN_LINKS, MOST_IN_LINKS + 1])
def test_the_settings_hold_points_that_a_link_cannot_hold(saved, n):
    draw = np.random.default_rng(n)
    points = Drawn.of(draw.uniform(-1.0, 1.0, (n, 2)), draw.choice([-1.0, 1.0], n))
    settings = Settings.of(data=DRAWN, points=points.code, epochs=1)
    stored.keep_points(settings)  # as its page brings them
    assert settings_file.read(saved(settings.link(), ending="settings.json")[2])[0] == settings


def test_what_the_link_only_names_is_asked_for_and_brought(asker):
    page_of_table = Page("v=1")
    page_of_table.do(("paste", {"text": "u,v,kind\n1,2,a\n2,1,b\n3,3,a\n4,5,b\n"}))
    kept = page_of_table.storage
    forget()
    question = {**page_of_table.question, "n": 3, "file": {"ending": "settings.json"}}
    header, _ = payload.unpack(awaited(answers.answer(question, asker.compute)))
    assert header["needs"] == list(kept)
    header, arrays = payload.unpack(
        awaited(answers.answer({**question, "bring": kept}, asker.compute))
    )
    assert b"v,u,kind" in zlib.decompress(arrays["content"])


def test_what_is_chosen_and_shown_is_in_the_page(saved, monkeypatch):
    asked = []
    monkeypatch.setattr(page, "page", lambda *a, **o: asked.append((a, o)) or "")
    settings, pins = presets.PRESETS["budget"].settings()
    settings = settings.replace(cues="start hold 2: Look.|>Mine.")
    link = f"{settings.link()}&{presets.query(settings, pins)}"
    chosen = {"theme": "dark", "autoplay": True, "loop": True, "t": 7, "address": f"{LAN}?v=1"}
    _, mime, _ = saved(link, ending="html", shown=f"{link}&show=alpha.code&stage=wide", **chosen)
    (((lineup, cues), options),) = asked
    assert (options["theme"], options["autoplay"], options["loop"]) == ("dark", True, True)
    assert (options["view"].t, options["view"].show, options["view"].stage) == (
        7,
        ("alpha", "code"),
        None,
    )
    assert (len(lineup.pinned), cues, mime) == (len(pins), Cues.of_code(settings.cues), "text/html")
    assert options["address"] == f"{LAN}?v=1"
    asked.clear()
    saved(ending="html", address="http://localhost:8501/", loop=True)
    assert (asked[0][1]["address"], asked[0][1]["loop"]) == (None, False)


# ---- of a lesson ---------------------------------------------------------------------------------


def test_each_file_of_a_lesson_is_that_of_the_command(saved):
    lesson = {"text": TEXT}
    for ending, mime, content in (
        ("handout.pdf", "application/pdf", typeset.pdf(Handout(LESSON).sheet())),
        ("solutions.pdf", "application/pdf", typeset.pdf(Handout(LESSON, solved=True).sheet())),
        ("page.html", "text/html", lesson_page(LESSON, "lesson").encode()),
    ):
        assert saved(ending=ending, lesson=lesson) == (f"lesson-{ending}", mime, content)
    name, mime, slides = saved(ending="slides.zip", lesson=lesson, theme="light")
    assert (name, mime) == ("lesson-slides.zip", "application/zip")
    with zipfile.ZipFile(io.BytesIO(slides)) as archive:
        assert archive.namelist() == [
            "00-title.png",
            "01-the-line-1.png",
            "01-the-line-2.png",
            "01-the-line-task-1-asked.png",
            "01-the-line-task-1-right.png",
            "02-another-line.png",
        ]
        assert all(archive.read(name).startswith(b"\x89PNG") for name in archive.namelist())


def test_what_slides_cannot_show_is_listed(asker, monkeypatch):
    monkeypatch.setattr(figure, "save", lambda *_, **__: b"")
    lesson = {"text": TEXT.replace("2 hold 0.2: Look.", "99: Never.")}
    header, _ = asker.ask(ending="slides.zip", lesson=lesson, theme="light")
    assert "in scene 1, 99: this run has 8 steps" in header["file"]["missing"]


def test_how_far_it_is_is_reported_and_ends_it():
    done = []

    def report(number, of):
        done.append((number, of))
        if number == 1:
            raise KeyboardInterrupt

    async def compute(work):
        with pytest.raises(KeyboardInterrupt):
            work.compute(report)
        raise ValueError("It was cancelled.")

    for ending in ("handout.pdf", "slides.zip"):
        wanted = {"ending": ending, "lesson": {"text": TEXT}, "theme": "light"}
        awaited(answers.answer({"link": "v=1", "file": wanted}, compute))
    assert done == [(0, 2), (1, 2)] * 2


def test_only_who_has_the_solutions_saves_them(asker, tmp_path, monkeypatch):
    monkeypatch.setenv(shelf.FOLDER, str(tmp_path))
    for name in ("mine", "lecture-1-perceptron"):
        (tmp_path / f"{name}.kpviz.md").write_text(TEXT, encoding="utf-8")
    monkeypatch.setattr(Handout, "sheet", lambda self, progress: None)
    monkeypatch.setattr(typeset, "pdf", lambda sheet: b"%PDF")
    for lesson, has_solutions in [
        ({"text": TEXT}, True),
        ({"text": LESSON.for_students}, False),
        ({"name": "mine"}, False),
        ({"name": "lecture-1-perceptron"}, False),  # the folder's own
        ({"name": "lecture-2-dual-and-kernels"}, True),
    ]:
        question = {"n": 1, "link": "v=1", "lesson": lesson}
        told, _ = payload.unpack(awaited(answers.answer(question, asker.compute)))
        assert told["lesson"]["solved"] == has_solutions
        assert "file" in asker.ask(ending="handout.pdf", lesson=lesson)[0]
        header, _ = asker.ask(ending="solutions.pdf", lesson=lesson)
        assert ("file" in header) == has_solutions
        assert ("came without its solutions" in header.get("failed", "")) == (not has_solutions)


def test_what_is_missing_or_wrong_with_a_lesson_is_said_in_a_sentence(refusal, monkeypatch):
    for lesson in ({}, {"name": "none"}, {"text": "## x"}, {"text": 5}, None):
        assert refusal(ending="handout.pdf", lesson=lesson)
    text = "---\ntitle: T\n---\n## A\nlink: v=1&data=file\n"
    assert refusal(ending="slides.zip", lesson={"text": text}, theme="light").startswith(
        "Scene 1, 'A': "
    )
    monkeypatch.setitem(sys.modules, "typst", None)
    assert "typst" in refusal(ending="handout.pdf", lesson={"text": TEXT})


# ---- codes for phones ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "words"),
    [
        (f"{LAN}?v=1", None),
        (f"{LAN}?{'x' * (900 - len(LAN) - 1)}", None),
        (f"{LAN}?{'x' * (901 - len(LAN) - 1)}", "901"),
        *(
            (f"{here}/?v=1", "kpviz app --lan")
            for here in ("http://LOCALHOST:8501", "http://127.0.0.1", "http://[::1]", "")
        ),
    ],
)
def test_there_is_a_code_where_a_phone_can_read_and_reach_it(address, words):
    why = join.why_no_code(address)
    assert (why is None) == (words is None)
    assert words is None or words in why
