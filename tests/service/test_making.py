"""What is made of a visitor's text is made by works, never by the thread in which all visitors are answered."""

import asyncio
import threading
from urllib.parse import quote

import pytest
from apart import awaited
from visitor import file_of

from kpviz.engine.data import tables
from kpviz.engine.kernels.formula import formula
from kpviz.lessons.file import format
from kpviz.player import fisher, payload
from kpviz.service import answer as answers
from kpviz.service import drafts, stored
from kpviz.service.caches import forget

FORMULA = "exp(-norm(u - v)**2/3) + 0.25*dot(u, v)"
LINK = f"v=1&kernel=formula&formula={quote(FORMULA)}"
TABLE = "width,height,kind\n" + "".join(f"{7 * i % 40},{i * i % 17},{'ab'[i % 2]}\n" for i in range(40))
LESSON = f"---\ntitle: XOR\n---\n## Two classes\nlink: {LINK}\n\nWords."
MAKERS = (  # where each kind of text is read
    (formula, "report_on"),
    (tables, "_read"),
    (format, "_read"),
    (fisher, "encode"),
    (stored, "read_table"),
    (stored, "read_text"),
    (drafts.TrialWork, "make"),
)


class Elsewhere:
    """Does works in a thread of its own, and notes them; what reads texts fails in every other thread."""

    def __init__(self, monkeypatch):
        self.works = []
        self.is_here = threading.local()
        for place, name in MAKERS:
            monkeypatch.setattr(place, name, self.guarded(getattr(place, name), name))
        monkeypatch.setattr(asyncio, "to_thread", self.refused)
        monkeypatch.setattr(asyncio.BaseEventLoop, "run_in_executor", self.refused)

    def guarded(self, function, name):
        def guard(*args, **options):
            assert getattr(self.is_here, "value", False), f"{name} reads a text where all visitors are answered"
            return function(*args, **options)

        return guard

    def refused(self, *args):
        raise AssertionError("a thread that nothing ends")

    async def compute(self, work):
        self.works.append(type(work).__name__)
        done = []

        def do():
            self.is_here.value = True
            try:
                done.append(work.compute())
            except ValueError as error:
                done.append(error)

        thread = threading.Thread(target=do)
        thread.start()
        thread.join()
        if isinstance(done[0], ValueError):
            raise done[0]
        return done[0]

    def ask(self, **question):
        return payload.unpack(awaited(answers.answer(question, self.compute)))[0]


@pytest.fixture
def elsewhere(monkeypatch):
    forget()
    formula.report_on.cache_clear()
    return Elsewhere(monkeypatch)


def command(name, value):
    return [{"name": name, "value": value}]


@pytest.mark.parametrize(
    ("question", "works"),
    [
        ({"link": LINK}, ["FormulaWork", "RunWork"]),
        ({"link": f"v=1&pins=1&p1.kernel=formula&p1.formula={quote(FORMULA)}"}, ["FormulaWork", "RunWork", "RunWork"]),
        (
            {"commands": command("type", {"name": "formula", "text": FORMULA}), "link": "v=1&kernel=formula"},
            ["FormulaWork", "FormulaWork", "RunWork"],
        ),
        (
            {"link": "v=1&kernel=formula", "drafts": {"formula": FORMULA}},
            ["FormulaWork"] * 2 + ["RunWork", "TrialWork"],
        ),
        ({"link": "v=1", "commands": command("paste", {"text": TABLE})}, ["PasteWork", "RunWork"]),
        ({"link": "v=1", "commands": command(*file_of(TABLE))}, ["FileWork", "RunWork"]),
        (
            {"page": "fisher", "link": "v=1", "commands": command("paste", {"text": TABLE})},
            ["PasteWork", "PictureWork"],
        ),
        ({"page": "fisher", "link": "v=1"}, ["PictureWork"]),
        ({"lesson": {"text": LESSON}}, ["PlanWork"]),
        ({"lesson": {"name": "lesson-07-width"}}, ["PlanWork"]),
        ({"lesson": {"name": "lesson-07-width"}, "task": {"scene": 0, "task": 99, "tried": 0}}, ["CheckWork"]),
        (
            {"link": "v=1", "commands": [{"name": "pin"}, *command("set", {"learner": "svm"})]},
            ["RunWork", "RunWork", "SeparationWork"],
        ),
        ({"link": LINK, "verdict": True}, ["FormulaWork", "VerdictWork"]),
    ],
)
def test_every_text_is_read_by_a_work(elsewhere, question, works):
    answer = elsewhere.ask(n=1, dock=["data", "kernel", "learner"], **question)
    assert answer["n"] == 1
    assert sorted(elsewhere.works) == sorted(works)
