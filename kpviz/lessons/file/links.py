"""Links in lessons: to the player, or to Fisher's page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from kpviz.lessons import comparison, presets
from kpviz.settings import DRAWN, ELSEWHERE, FILE, Settings, fisher_link, from_query, lab_link
from kpviz.settings.view import ViewState, read_view

PLAY, LAB, FISHER = "play", "lab", "fisher"  # the page of the former kernel lab is the player's
LONGEST = 25_000  # characters
_ADDRESS = re.compile(r"(?:https?://[^/?#\s]+)?(?:/?(?:[\w.-]+/)*(play|lab|fisher)?/?)\?(\S*)")
_QUERY = re.compile(r"[\w.]+=\S*")
_WRITE = "write what follows the question mark of a link from the app, as v=1&data=xor, or its whole address"


@dataclass(frozen=True)
class Link:
    """A page and the query of a link to it, without the question mark; "" leaves what is open.

    >>> Link.read("http://localhost:8501/fisher?v=1&data=moons")
    Link(page='fisher', query='v=1&data=moons')
    """

    page: str = PLAY
    query: str = ""
    line: int = field(default=1, compare=False, repr=False)

    @classmethod
    def read(cls, text: str, line: int = 1) -> Link:
        """Read what an author wrote; ValueError, of one sentence, where it is not a link of kpviz."""
        if len(text) > LONGEST:
            raise ValueError(f"The link has {len(text):,} characters: links have at most {LONGEST:,}.")
        if match := _ADDRESS.fullmatch(text):
            if match[1] == LAB:
                return cls(PLAY, lab_link.board(match[2]), line)
            return cls(match[1] or PLAY, match[2], line)
        if _QUERY.fullmatch(text):
            return cls(PLAY, text, line)
        raise ValueError(f"{text[:40]!r} is not a link of kpviz: {_WRITE}.")

    @property
    def address(self) -> str:
        """What follows the app's address."""
        return f"/{'' if self.page == PLAY else self.page}?{self.query}"

    @property
    def pairs(self) -> dict[str, str]:
        """Its keys and values; of a key that stands twice the last."""
        return dict(parse_qsl(self.query, keep_blank_values=True))

    def with_seed(self, seed: int) -> Link:
        """Return the link with another seed of the data."""
        kept = [part for part in self.query.split("&") if part and part.partition("=")[0] != "seed"]
        return Link(self.page, "&".join([*kept, f"seed={seed}"]), self.line)

    @property
    def settings(self) -> Settings:
        """What it sets of the player."""
        return from_query(self._known)[0]

    @property
    def view(self) -> ViewState:
        """Where the player opens."""
        return read_view(self.pairs)[0]

    @property
    def t(self) -> int | None:
        """The instant that it names, None if it names none."""
        return self.view.t if "t" in self.pairs else None

    @property
    def problems(self) -> list[str]:
        """What cannot be used as it is, one sentence each."""
        if self.page == FISHER:
            notice = fisher_link.read_link(self.pairs)[2]
            return [notice] if notice else []
        known = self._known
        if known.get("points", "").startswith(ELSEWHERE):
            return ["The link only names its drawn points: draw at most 200, and copy it once more."]
        if known.get("data") == FILE:
            return ["The link does not hold the rows of a file: draw the points, or choose another data set."]
        settings, notice = from_query(known)
        lost = known.get("data") == DRAWN and settings.data != DRAWN
        found = ["The drawn points of the link cannot be read: copy the whole link once more." if lost else notice]
        pairs = presets.whole(self.pairs)
        wrong = [*read_view(pairs)[1], *comparison.read(pairs, settings)[1], *presets.problems(pairs)]
        found.append(f"Parts of the link cannot be used: {'; '.join(wrong)}." if wrong else None)
        return [each for each in found if each]

    @property
    def _known(self) -> dict[str, str]:
        whole: Mapping[str, str] = presets.whole(self.pairs)
        return {key: each for key, each in whole.items() if not (key.startswith("embed") or comparison.is_key(key))}
