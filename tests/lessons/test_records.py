"""Records in links: what opens, what is refused, and what stays hidden until it is beaten."""

from __future__ import annotations

import base64
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpviz.lessons.file.links import Link
from kpviz.lessons.records import LONGEST_NAME, SentRecord, harmless, record_of

PUZZLE = "puzzle-02-repair-it"
START = "v=1&data=moons&n=24&seed=5&noise=0.15&sigma="
SEVEN = Link(query=f"{START}0.25")
SIX = Link(query=f"{START}0.5")
FIVE = Link(query=f"{START}0.3")


def sent(board=SIX, by="Anna", **changed):
    """A record as its link is read."""
    pairs = dict(parse_qsl(record_of(PUZZLE, board, by).query))
    return SentRecord.read({**pairs, **changed})


def proof(text):
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def test_a_record_opens_with_who_made_it_and_what_is_to_be_beaten():
    assert sent().challenge() == "Anna: 6 mistakes. Beat it."
    assert sent(by="").challenge() == "6 mistakes. Beat it."
    assert sent() == record_of(PUZZLE, SIX, "Anna")
    assert sent().checked() == 6.0


def test_the_link_does_not_show_the_board_to_who_reads_it():
    query = record_of(PUZZLE, SIX, "Anna").query
    assert "sigma" not in query
    assert "0.5" not in query
    assert "sigma" not in sent().challenge()


def test_the_board_is_shown_to_who_beats_it_and_to_nobody_else():
    assert sent().board_for(FIVE) == SIX
    for board in (SIX, SEVEN):
        with pytest.raises(ValueError, match=r"^The board is shown once the record is beaten\.$"):
            sent().board_for(board)
    with pytest.raises(ValueError, match=r"^This may not be changed here: Data seed"):
        sent().board_for(Link(query=FIVE.query.replace("seed=5", "seed=6")))


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        (
            {"record": "5"},
            "This record is not true: the link says 5, and its board has 6 mistakes.",
        ),
        (
            {"proof": proof(f"{START}0.31")},
            "This record does not count. σ must lie on multiples of 0.05.",
        ),
        (
            {"proof": proof(f"{START}1.5")},
            "This record does not count. This does not count: the last epoch still has mistakes.",
        ),
        (
            {"proof": proof("v=1&data=xor")},
            "This record does not count. This may not be changed here: Data set.",
        ),
        (
            {"lesson": "lesson-07-width"},
            "The lesson 'How wide should a hill be?' is not a puzzle: a record belongs to one.",
        ),
        ({"lesson": "../secret"}, "There is no lesson named '../secret' here"),
    ],
)
def test_a_false_record_is_refused_in_a_sentence(changed, sentence):
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the sentence is compared
        sent(**changed).challenge()
    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize(
    "changed",
    [
        {"record": ""},
        {"record": "six"},
        {"record": "9" * 30},
        {"proof": ""},
        {"proof": "?"},
        {"proof": "abcde"},
        {"proof": proof("/fisher?v=1")},
        {"proof": proof("nothing")},
        {"proof": "A" * 60_000},
    ],
)
def test_a_damaged_link_says_so(changed):
    with pytest.raises(ValueError, match=r"^The link of this record is damaged: copy the whole"):
        sent(**changed)


@given(st.text(max_size=300))
def test_a_name_is_harmless_and_stays_what_it_is(name):
    shown = harmless(name)
    assert len(shown) <= LONGEST_NAME
    assert not set(shown) & set('<>&"/\\:;=%\n\t\u202e\u200b')
    assert shown == shown.strip()
    assert harmless(shown) == shown


def test_names_of_many_writings_are_shown():
    for name in ("Anna", "Zoë", "Jean-Luc", "O’Neil", "李明", "हिन्दी", "عمر", "Team 7"):
        assert harmless(name) == name
