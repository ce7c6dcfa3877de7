"""What is made of a visitor's text is made by works, never by the thread in which all visitors are
answered.
"""

import asyncio
import re
import threading
import time
from urllib.parse import quote

import pytest
from apart import awaited
from visitor import file_of

from kpviz import experiment
from kpviz.engine.data import tables
from kpviz.engine.kernels.formula import FormulaError, formula
from kpviz.lessons.file import format
from kpviz.player import fisher, payload
from kpviz.service import answer as answers
from kpviz.service import drafts, stored
from kpviz.service.caches import forget
from kpviz.service.making import GivenUpError, Makings, TextWork, made
from kpviz.settings import Settings

FORMULA = "exp(-norm(u - v)**2/3) + 0.25*dot(u, v)"
LINK = f"v=1&kernel=formula&formula={quote(FORMULA)}"
TABLE = "width,height,kind\n" + "".join(
    f"{7 * i % 40},{i * i % 17},{'ab'[i % 2]}\n" for i in range(40)
)
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
    """Does works in a thread of its own, and notes them; what reads texts fails in every other
    thread.
    """

    def __init__(self, monkeypatch):
        self.works = []
        self.is_here = threading.local()
        for place, name in MAKERS:
            monkeypatch.setattr(place, name, self.guarded(getattr(place, name), name))
        monkeypatch.setattr(asyncio, "to_thread", self.refused)
        monkeypatch.setattr(asyncio.BaseEventLoop, "run_in_executor", self.refused)

    def guarded(self, function, name):
        def guard(*args, **options):
            assert getattr(self.is_here, "value", False), (
                f"{name} reads a text where all visitors are answered"
            )
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
        (
            {"link": f"v=1&pins=1&p1.kernel=formula&p1.formula={quote(FORMULA)}"},
            ["FormulaWork", "RunWork", "RunWork"],
        ),
        (
            {
                "commands": command("type", {"name": "formula", "text": FORMULA}),
                "link": "v=1&kernel=formula",
            },
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
        (
            {
                "lesson": {"name": "lesson-07-width"},
                "task": {"scene": 0, "task": 99, "tried": 0, "answer": {}},
            },
            ["CheckWork"],
        ),
        (
            {"lesson": {"name": "lesson-07-width"}, "task": {"scene": 0, "task": 99, "tried": 0}},
            ["SolutionWork"],
        ),
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


class Counted(TextWork):
    """A work that counts how often it is done."""

    id = "counted"

    def __init__(self, refusal=None, size=1):
        self.done = 0
        self.refusal = refusal
        self.size = size

    def compute(self, progress=None):
        self.done += 1
        return super().compute(progress)

    def make(self, progress=None):
        if self.refusal:
            raise FormulaError(self.refusal, 6)
        return "x" * self.size


async def at_once(work):
    return work.compute()


def looked_up(work, compute=at_once):
    return awaited(Makings(compute).call(made, work))


@pytest.fixture
def forgetful():
    forget()


def test_what_was_made_is_not_made_again(forgetful):
    work = Counted()
    assert [looked_up(work), looked_up(work), work.done] == ["x", "x", 1]


def test_a_refusal_is_kept_as_it_is(forgetful):
    work = Counted("a number is missing.")
    for _ in range(2):
        with pytest.raises(
            FormulaError, match=r"^At character 7: a number is missing\.$"
        ) as refused:
            looked_up(work)
        assert refused.value.at == 6
    assert work.done == 1


def test_what_the_server_gives_up_is_said_once_and_tried_again(forgetful):
    async def giving_up(work):
        raise ValueError("This takes longer than the 180 s that the server gives to one request.")

    work = Counted()
    with pytest.raises(GivenUpError, match="180 s"):
        looked_up(work, giving_up)
    assert looked_up(work) == "x"
    answer = awaited(answers.answer({"n": 3, "link": LINK}, giving_up))
    assert payload.unpack(answer)[0]["failed"].startswith("This takes longer than the 180 s")


def test_what_is_large_stays_for_its_question_alone(forgetful):
    work = Counted(size=2_000_000)

    def twice():
        return made(work) + made(work)

    assert len(awaited(Makings(at_once).call(twice))) == 4_000_000
    assert work.done == 1
    assert len(looked_up(work)) == 2_000_000
    assert work.done == 2


def test_outside_of_a_question_it_is_made_at_once(forgetful):
    assert made(Counted()) == "x"
    with pytest.raises(FormulaError):
        made(Counted("a number is missing."))


def test_a_formula_as_a_link_writes_it_needs_no_second_work(elsewhere):
    elsewhere.ask(
        link="v=1&kernel=formula",
        commands=command("type", {"name": "formula", "text": "dot( u,v )+1.0"}),
    )
    assert elsewhere.works.count("FormulaWork") == 2, (
        "that which stood there, and that which was typed"
    )


HOSTILE = {
    "dock": {"dock": [f"only:{place}" for place in range(9000)]},
    "keys": {"link": "v=1&" + "&".join(f"sigm{place}=1" for place in range(3000))},
    "shown": {"link": "v=1&show=" + ".".join(f"p{place}" for place in range(5000))},
    "value": {"link": "v=1&learner=" + "perceptro" * 2700},
    "drafts": {"drafts": {f"name {place}": "(" * 50 for place in range(5000)}, "dock": ["kernel", "data"]},
    "draft": {"link": "v=1&kernel=linear", "drafts": {"w0": "1," * 500_000, "point": "1,"}, "dock": ["learner"]},
    "brought": {"bring": {f"~{place}": {"name": "points", "value": "ab" * 4000} for place in range(3000)}},
    "point": {"bring": {"~1": {"name": "points", "value": "ab" * 2_000_000}}},
    "have": {"have": ["x" * 30] * 50_000, "asked": ["y"] * 50_000},
    "data": {"data": "x" * 1_000_000, "commands": [{"name": "redraw"}] * 100},
    "formulas": {"link": "v=1&kernel=formula", "commands": [*(
        {"name": "type", "value": {"name": "formula", "text": f"((dot(u,v)/.18{place}+.112345)**14)**14"}}
        for place in range(20)
    )]},
    "abs": {"link": f"v=1&kernel=formula&formula={'abs(' * 28}dot(u,v){')' * 28}"},
    "orders": {"link": "v=1&n=1000", "commands": [{"name": "order", "value": list(range(1000))}] * 100},
    "columns": {"commands": command("columns", {"x1": "x" * 1_000_000})},
    "separated": {"link": "v=1&n=500&noise=1", "commands": [{"name": "pin"}, *command("set", {"learner": "svm"})] * 20},
    "curve": {"curve": {"name": "x" * 1_000_000, "seeds": 10**300}, "link": "v=1&n=10&epochs=1"},
    "fisher": {"page": "fisher", "commands": [{"name": "redraw"}] * 100},
    "lesson": {"lesson": {"text": f"---\ntitle: x\n---\n## A\nlink: "
        f"{LINK}\n\n" + "*a* $x^2$ " * 2500}},
    "file": {"commands": command(*file_of("a,b,c\n" + "1,2,x\n3,4,y\n" * 5000))},
    "join": {"join": {"address": "http://x.org/?" + "x" * 880}},
    "join, longer": {"join": {"address": "http://x.org/?" + "x" * 2_000_000}},
}  # fmt: skip
_LONGEST_TURN = 0.25  # processor seconds: what is hostile took one to thousands of seconds
_MOST_SECONDS = 1.5  # of one question, in turns between which others have theirs


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_question_takes_the_turns_of_nobody(monkeypatch, forgetful, name):
    """Counted in the processor's seconds of the thread that all questions share, since others use
    this machine, too.
    """
    turns = []
    run = asyncio.Handle._run

    def timed(handle):
        began = time.thread_time()
        run(handle)
        turns.append(time.thread_time() - began)

    async def compute(work):
        done = []
        thread = threading.Thread(target=lambda: done.append(outcome_of(work)))
        thread.start()
        while thread.is_alive():
            await asyncio.sleep(0.001)
        if isinstance(done[0], ValueError):
            raise done[0]
        return done[0]

    monkeypatch.setattr(asyncio, "to_thread", None)
    monkeypatch.setattr(asyncio.Handle, "_run", timed)
    question = {"n": 1, "link": "v=1", **HOSTILE[name]}
    answer = awaited(answers.answer(question, compute))
    assert len(answer) < 10_000_000
    assert max(turns) < _LONGEST_TURN
    assert sum(turns) < _MOST_SECONDS


def outcome_of(work):
    try:
        return work.compute()
    except ValueError as error:
        return error


NONSENSE = [
    "http://[",
    "//℀",
    "http://x.org/" + 800 * "💥",
    "x" * 30_000,
    "javascript:alert(1)",
    "http://x:999999/",
    "",
]


@pytest.mark.parametrize(
    "address", [*NONSENSE, "http://exa\u202emple.org/", "http://", "ftp://x.org/", "\x00"]
)
def test_an_address_that_makes_no_sense_has_one_sentence_in_place_of_a_code(address):
    header = payload.unpack(
        awaited(answers.answer({"n": 1, "join": {"address": address}}, at_once))
    )[0]
    assert header["join"]["rows"] == []
    assert re.fullmatch(r"[A-Z][^.]+(\.|: [^.]+\.)", header["join"]["why"])


def test_rows_of_a_large_table_are_drawn_once_by_a_work(elsewhere, monkeypatch, forgetful):
    elsewhere.is_here.value = True
    opened = tables.read_text(TABLE)
    elsewhere.is_here.value = False
    settings = Settings.of(data="file", file="a.csv~0", n=10, seed=3)
    expected = experiment.prepare(settings, opened)
    monkeypatch.setattr(stored, "_MANY_ROWS", 1)
    for changed in (
        settings,
        settings.replace(sigma=0.7),
        settings.replace(epochs=3),
        settings.replace(seed=4),
    ):
        split = awaited(Makings(elsewhere.compute).call(stored.split, changed, opened))
        if changed.seed == 3:
            assert split.source.X.tolist() == expected.source.X.tolist()
    assert elsewhere.works == ["SplitWork", "SplitWork"]  # of two seeds
