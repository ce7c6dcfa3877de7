"""The websocket on which a page asks.

Questions come as JSON, answers go as bytes, and what they say is another's.

A page has one question of each kind at a time: a newer one cancels the one before. No question gets
a traceback.

Tests: tests/server/test_route.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from kpviz.server import outflow
from kpviz.server.pool import Job, PendingJob, Pool
from kpviz.service.question import LONG, Question, failed, number, read

if TYPE_CHECKING:  # The server starts sooner without the engine.
    from kpviz.service.work import Compute, Work

_LOG = logging.getLogger(__name__)

PATH = "/kpviz/service"
LONGEST = 25_000_000  # In bytes: a question may bring a table.
PATIENCE = 0.5  # In seconds: progress is told after this time.
_KINDS = ("run", "curve", "verdict", "lesson", "join", "file")
_OFTEN = 0.25  # In seconds: the time between two tellings.
_WARM_AFTER = 1.0  # In seconds after the first answer: by then the page has drawn it.
# Uvicorn says this of a websocket that got a sentence.
_REFUSED = "ASGI callable returned without completing handshake."
_READ_IN_A_SECOND = 5_000_000  # In bytes: at least so much of a long question.
_SMALLER = "send less at once, such as a smaller file"
_FAULT = "kpviz failed at this, which is a fault of its own: go back, or choose other settings."


Answer = Callable[[Question, "Compute"], Awaitable[bytes]]


class _Conversation:
    """What a page has asked.

    The replies to the newest question of each kind, and the long questions that are read.

    `visitor` are the names by which the pool knows who asks.
    """

    def __init__(self, visitor: tuple[str, int]) -> None:
        self.visitor = visitor
        self.n_messages = 0
        self.replies: dict[str, asyncio.Task[None]] = {}
        self._newest: dict[str, int] = {}  # The number of the message of that question.
        self._reading: list[asyncio.Task[None]] = []

    def note_if_newest(self, kind: str, message_number: int) -> bool:
        """Note a question as the newest of its kind, and return True; False where a later one has
        come already, as short questions are read sooner than long ones.
        """
        if message_number < self._newest.get(kind, 0):
            return False
        self._newest[kind] = message_number
        return True

    def drop(self, kind: str) -> None:
        """Let go of the reply to a question of a kind."""
        if kind in self.replies:
            self.replies.pop(kind).cancel()

    def read_apart(self, take: Coroutine[Any, Any, None]) -> None:
        """Read a long question beside others, at most as many as there are kinds."""
        self._reading = [task for task in self._reading if not task.done()]
        if len(self._reading) == len(_KINDS):
            self._reading.pop(0).cancel()
        self._reading.append(asyncio.create_task(take))

    def cancel(self) -> None:
        """Let go of everything: the page is gone."""
        for task in (*self._reading, *self.replies.values()):
            task.cancel()


class Service:
    """Answers the questions of all pages.

    Parameters
    ----------
    load : imports `answer`, once somebody asks: a function of a question, and of what does the work
        for it.
    base : the first part of the address, as a server behind a proxy has it; a function, since it is
        only known when the server has read its options.
    """

    def __init__(
        self,
        pool: Pool,
        load: Callable[[], Answer],
        *,
        base: Callable[[], str] = lambda: "",
    ) -> None:
        self._pool = pool
        self._load = load
        self._base = base
        self._answer: Answer | None = None
        # It has a thread of its own, which is never busy with the text of a visitor.
        self._loader = ThreadPoolExecutor(1)
        self._connections = itertools.count()
        self.answering = 0  # So many questions are being answered.
        logging.getLogger("uvicorn.error").addFilter(_is_news)

    def route(self) -> WebSocketRoute:
        """Return the route; the base is only known when the server has read its options."""
        return WebSocketRoute(
            f"/{{base:path}}{PATH.removeprefix('/')}", self._converse, name="kpviz service"
        )

    async def _converse(self, websocket: WebSocket) -> None:
        asked_at = websocket.path_params["base"].strip("/")
        if asked_at != self._base().strip("/"):
            await websocket.close(1008)
            return
        await websocket.accept()
        address = websocket.client.host if websocket.client else ""
        conversation = _Conversation((address, next(self._connections)))
        try:
            text = await _next(websocket)
            while text is not None:
                conversation.n_messages += 1
                taking = self._take(websocket, conversation, text, conversation.n_messages)
                if len(text) <= LONG:
                    await taking
                else:
                    conversation.read_apart(taking)
                text = await _next(websocket)
        except WebSocketDisconnect:
            pass
        finally:
            conversation.cancel()

    async def _take(
        self,
        websocket: WebSocket,
        conversation: _Conversation,
        text: str | bytes,
        message_number: int,
    ) -> None:
        """Read a message, and begin to answer it."""
        try:
            if len(text) <= LONG:
                question = read(text)
            else:  # Others need not wait for it.
                question = await self._pool.run(
                    Job(
                        read,
                        (text,),
                        len(text) / _READ_IN_A_SECOND,
                        visitor=conversation.visitor,
                        remedy=_SMALLER,
                    )
                )
        except ValueError as error:
            # `failed` needs numpy, which a thread loads, so that the server goes on with others.
            await self._loaded()
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # The page is gone.
                await websocket.send_bytes(failed({}, str(error)))
            return
        kind = question.get("kind")
        if not isinstance(kind, str) or kind not in _KINDS:
            kind = "run"  # A question without a known kind is one about runs.
        if conversation.note_if_newest(kind, message_number):
            conversation.drop(kind)
            if question.get("cancel") is not True:
                reply = self._counted_reply(websocket, question, conversation.visitor)
                conversation.replies[kind] = asyncio.create_task(reply)

    async def _counted_reply(
        self, websocket: WebSocket, question: Question, visitor: tuple[str, int]
    ) -> None:
        """Answer a question, and count it as long as that takes."""
        self.answering += 1
        try:
            await self._reply(websocket, question, visitor)
        finally:
            self.answering -= 1

    async def _reply(
        self, websocket: WebSocket, question: Question, visitor: tuple[str, int]
    ) -> None:
        """Answer a question, and tell of the progress until then."""
        pending_by_work: dict[str, PendingJob] = {}

        async def compute(work: Work) -> bytes:
            # What a work does not have is the default of a job.
            more: dict[str, Any] = {
                name: getattr(work, name)
                for name in ("remedy", "more_memory")
                if hasattr(work, name)
            }
            job = Job(type(work).compute, (work,), work.seconds, work.id, visitor, **more)

            def watch(pending: PendingJob) -> None:
                pending_by_work[work.id] = pending

            data: bytes = await self._pool.run(job, watch)
            return data

        telling = asyncio.ensure_future(_tell(websocket, number(question), pending_by_work))
        try:
            answer = await self._loaded()
            # Nothing is computed for a browser that does not take what it was sent.
            await outflow.room(websocket.scope)
            data = await answer(question, compute)
        except Exception:
            _LOG.exception("A question could not be answered.")
            data = failed(question, _FAULT)
        finally:
            telling.cancel()
        try:
            await websocket.send_bytes(data)
        except (WebSocketDisconnect, RuntimeError):  # The page is gone.
            return
        asyncio.get_running_loop().call_later(_WARM_AFTER, self._pool.warm)

    async def _loaded(self) -> Answer:
        """Return the function, imported in a thread so that the server goes on with others."""
        if self._answer is None:
            self._answer = await asyncio.get_running_loop().run_in_executor(
                self._loader, self._load
            )
        return self._answer


async def _tell(
    websocket: WebSocket, question_number: int, pending_by_work: Mapping[str, PendingJob]
) -> None:
    """Send the progress of a question again and again, once it has taken a while."""
    await asyncio.sleep(PATIENCE)
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # The page is gone.
        while True:
            await websocket.send_text(told(question_number, list(pending_by_work.values())))
            await asyncio.sleep(_OFTEN)


def told(question_number: int, runs: Sequence[PendingJob]) -> str:
    """Return how far all runs of a question are, and the last one's place while none has begun."""
    places = [progress.place for progress in runs if progress.place is not None]
    estimates = [progress.left for progress in runs]
    left = [seconds for seconds in estimates if seconds is not None]
    done = sum(progress.done for progress in runs)
    limit = sum(progress.limit for progress in runs)
    return json.dumps(
        {
            "n": question_number,
            "progress": [done, max(limit, 1)],
            "left": round(max(left), 1) if left and not places else None,
            "place": max(places) if places and len(places) == len(runs) else None,
        }
    )


async def _next(websocket: WebSocket) -> str | bytes | None:
    """Return the next message, None at the end; one that is too long ends the connection."""
    received = await websocket.receive()
    if received["type"] == "websocket.disconnect":
        return None
    text: str | bytes = received.get("text") or received.get("bytes") or ""
    if len(text if isinstance(text, bytes) or text.isascii() else text.encode()) > LONGEST:
        await websocket.close(1009, "A question may have 25 MB.")
        return None
    return text


def _is_news(record: logging.LogRecord) -> bool:
    """Whether something is to be logged.

    Anyone could fill the log with text that is no UTF-8, or by being refused.
    """
    is_no_text = record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError)
    return not is_no_text and record.getMessage() != _REFUSED
