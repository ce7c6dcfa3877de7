"""What is made of a visitor's text: a formula's proof, a table, the plan of a lesson.

It is computed by a work.

All visitors of a server share its event loop, and Python has one lock for all threads: what takes
long in any of them makes everybody wait, and nothing ends it. So the functions that resolve a
question and write its answer only look up, by `made`, what was made of a text. Where that is not
known yet, a `NotMadeError` leaves them, the one loop of `Makings.call` has it computed where there
is a limit of time and memory, and calls the function again. Outside of a question, as in a
notebook, on the command line or in a process of the pool, `made` computes at once.

The server unpickles what a work made in one piece: that should be small, or consist of arrays and
bytes.

Tests: tests/service/test_making.py.
"""

from __future__ import annotations

import pickle
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from kpviz.engine.kernels.formula import Report, reports, tested
from kpviz.engine.run.predictors import Progress
from kpviz.service.caches import LruCache

if TYPE_CHECKING:
    from kpviz.service.work import Compute

T = TypeVar("T")

_LEAST = 0.05  # In seconds: a formula takes so long.
# In seconds: each character and component of slow formulas takes so much longer.
_CHARACTER = 1.5e-4
_INDEX = re.compile(r"\[\s*0*([0-9]{1,3})")
_LARGEST = 1_000_000  # In bytes: so much is kept for the next question, too; `stored` keeps tables.


class Outcome(NamedTuple):
    """What a work made, or the ValueError, of one sentence, that says why there is nothing, and its
    bytes when sent.
    """

    thing: Any
    refusal: ValueError | None = None
    size: int = 0

    def take(self) -> Any:
        """Return the thing, or raise the refusal."""
        if self.refusal is not None:
            raise self.refusal.with_traceback(None)
        return self.thing


_outcomes: LruCache[Outcome] = LruCache(4096, 32_000_000, lambda outcome: outcome.size)


class TextWork(ABC):
    """A work, as of `kpviz.service.work.Work`, that makes one thing of a text.

    Frozen dataclasses extend it.
    """

    # What to do where it takes too long or too much memory.
    remedy: ClassVar[str] = "choose a shorter text"

    @property
    @abstractmethod
    def id(self) -> str:
        """What tells it from others."""

    @property
    def seconds(self) -> float:
        """An estimate of how long it takes, from above."""
        return 1.0

    @abstractmethod
    def make(self, progress: Progress | None = None) -> Any:
        """Return the thing; ValueError, of one sentence, where the text makes none."""

    def names(self, thing: Any) -> tuple[str, ...]:
        """Return the ids of other works that would make the same thing."""
        return ()

    def outcome(self, progress: Progress | None = None) -> Outcome:
        """Return what it makes, or why it makes nothing."""
        try:
            return Outcome(self.make(progress))
        except ValueError as refusal:
            return Outcome(None, refusal)

    def compute(self, progress: Progress | None = None) -> bytes:
        """Return the outcome as bytes."""
        return pickle.dumps(self.outcome(progress), protocol=5)


class NotMadeError(Exception):
    """Something is not known yet that a work makes."""

    def __init__(self, work: TextWork) -> None:
        super().__init__(work.id)
        self.work = work


class GivenUpError(ValueError):
    """Why the server makes nothing of a text, in one sentence.

    It takes too long or too much memory, or it is ending.

    It says nothing of the text, and nobody keeps it.
    """


class Makings:
    """What was made for one question.

    It stays until the answer is written, whatever the caches let go of.

    Parameters
    ----------
    compute : does a work where it has a limit and can be cancelled, or raises a ValueError of one
        sentence.

    Attributes
    ----------
    tables : those that were looked up for the question, by name.
    """

    def __init__(self, compute: Compute) -> None:
        self._compute = compute
        self._outcomes: dict[str, Outcome] = {}
        self.tables: dict[str, Any] = {}

    async def call(self, function: Callable[..., T], *args: Any) -> T:
        """Return what a function returns once all that it looks up has been made.

        `GivenUpError` where that fails.
        """
        while True:
            question = _question.set(self)
            source = reports.set(_report)
            try:
                return function(*args)
            except NotMadeError as missing:
                work = missing.work
            finally:
                reports.reset(source)
                _question.reset(question)
            await self._make(work)

    async def _make(self, work: TextWork) -> None:
        try:
            data = await self._compute(work)
        except ValueError as error:
            raise GivenUpError(str(error)) from None
        outcome: Outcome = pickle.loads(data)._replace(size=len(data))
        for name in (work.id, *work.names(outcome.thing)):
            self._outcomes[name] = outcome
            if outcome.size <= _LARGEST:
                _outcomes.put(name, outcome)

    def get(self, name: str) -> Outcome | None:
        """Return an outcome by the id of its work, None where it is not known."""
        return self._outcomes.get(name) or _outcomes.get(name)


_question: ContextVar[Makings | None] = ContextVar("question", default=None)


def made(work: TextWork) -> Any:
    """Return what a work makes, or raise the ValueError that says why that is nothing.

    Raises
    ------
    NotMadeError
        Within `Makings.call`, where it is not known yet.
    """
    question = _question.get()
    outcome = _outcomes.get(work.id) if question is None else question.get(work.id)
    if outcome is None and question is not None:
        raise NotMadeError(work)
    return (outcome or work.outcome()).take()


def tables_of_question() -> dict[str, Any]:
    """Return the tables looked up for the question that is answered; None outside of one."""
    question = _question.get()
    return {} if question is None else question.tables


def mark(text: str) -> str:
    """Return what tells a text, however long, from others within this process."""
    return f"{len(text)}.{hash(text):x}"


# ---- formulas ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FormulaWork(TextWork):
    """What is known of a formula: it is read, proved or refuted."""

    text: str

    @property
    def id(self) -> str:
        return f"formula?{self.text}"

    @property
    def seconds(self) -> float:
        """Those of a short job, unless it is tried on examples of many components."""
        columns = max(map(int, _INDEX.findall(self.text)), default=1)
        return _LEAST + len(self.text) * max(columns, 2) * _CHARACTER

    def make(self, progress: Progress | None = None) -> Report:
        return tested(self.text)

    def names(self, thing: Any) -> tuple[str, ...]:
        """Return that of the same formula as links write it."""
        return () if thing is None else (FormulaWork(str(thing.tree)).id,)


def _report(text: str) -> Report:
    report: Report = made(FormulaWork(text))
    return report
