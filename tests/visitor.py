"""A page without a browser: it keeps what a browser keeps, and asks."""

import base64

from apart import awaited

from kpviz.player import payload
from kpviz.service import answer, stored
from kpviz.service.making import Makings


async def _compute(work):
    return work.compute()


def ask(question):
    """The header of the answer to a question, and the bytes behind it."""
    whole = awaited(answer.answer(question, _compute))
    header, _ = payload.unpack(whole)
    return header, whole[len(whole) - sum(run["size"] for run in header.get("runs", ())) :]


def resolved(question):
    """What a question needs first, and its states."""
    return awaited(answer.resolve(question, Makings(_compute)))


class Page:
    """What a browser keeps of a page: a state, what no link can hold, and the way back."""

    def __init__(self, link="v=1"):
        self.storage = {}
        self.past = []
        self.notices = []
        self._take(self._resolve({"link": link}))

    @property
    def settings(self):
        return self.state.settings

    def do(self, *commands, moved=False):
        """Give commands, each a name or (name, value); returns what was said."""
        before = self.place
        entries = [
            {"name": entry, "value": None}
            if isinstance(entry, str)
            else dict(zip(("name", "value"), entry, strict=True))
            for entry in commands
        ]
        self._take(self._resolve({**self.question, "commands": entries}), entries)
        if self.place != before:
            self.past.append(before)
        return self.notices

    def undo(self):
        self._take(
            self._resolve(
                {**self.question, "commands": [{"name": "replace", "value": self.past.pop()}]}
            )
        )

    @property
    def place(self):
        origin = self.state.origin
        return {
            "link": self.state.link,
            "origin": None if origin is None else origin.link(),
            "data": self.state.data_id,
        }

    @property
    def question(self):
        return {**self.place, "shown": True, "drafts": dict(self.state.drafts)}

    def _resolve(self, question):
        needs, states = resolved(question)
        if needs:
            _, states = resolved(
                {**question, "bring": {name: self.storage.get(name) for name in needs}}
            )
        return states[-1]

    def _take(self, state, entries=()):
        self.state = state
        sent = {
            name: entries[entry["command"]]
            for name, entry in state.store.items()
            if "command" in entry
        }
        self.storage |= {**state.store, **sent, **stored.keep_points(state.settings)}
        self.notices = [notice.words for notice in state.notices]


def file_of(content, name="mine.csv"):
    """The command that opens a file."""
    content = content.encode() if isinstance(content, str) else content
    return "open", {"name": name, "data": base64.b64encode(content).decode()}
