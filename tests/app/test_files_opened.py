"""Files that are uploaded or dropped: they open whatever they are called, or one sentence says why not."""

import base64

import pytest
from own_data import POINTS, TABLE, examples, is_a_sentence, query_of, uploaded
from own_data import here as current
from playing import opened

from kpviz import experiment
from kpviz.app import commands, shared
from kpviz.app.session import Session
from kpviz.export import settings_file
from kpviz.lessons.comparison import Pin
from kpviz.settings import DRAWN, FILE, Settings


def upload(session, content, name):
    """What the uploader does with a file; returns what is said in the popover."""
    from kpviz.app import opening

    session.problem = opening.open_file(session, content, name)
    return session.problem


def drop(session, content, name):
    """What the board does with a file that is dropped; returns what is said in a toast."""
    value = {"name": name, "data": base64.b64encode(content).decode()}
    send(session, "open", value)
    return session.notice


def send(session, name, value=None):
    commands.carry_out(session, [{"n": session.carried_out + 1, "name": name, "t": 0, "value": value}])


def with_table():
    session = Session(Settings.of())
    assert upload(session, TABLE.encode(), "mine.csv") is None
    return session.settings.replace(scale="none", kernel="linear")


KEPT = {
    "built in": lambda: Settings.of(data="iris", kernel="polynomial", degree=4, held=0.25),
    "drawn": lambda: Settings.of(data=DRAWN, points=POINTS.code, sigma=0.3),
    "of a file": with_table,
}
WRONG = {
    "nothing": (b"", "none.csv"),
    "bytes": (b"\x00\x01\x02\xff", "picture.csv"),
    "a PDF": (b"%PDF-1.7\n", "paper.pdf"),
    "words": (b"to be or not to be", "words.txt"),
    "one column": (b"a\n1\n2\n", "a.csv"),
    "another JSON": (b'{"name": "something", "version": 1}', "package.json"),
    "half of a JSON": (b'{"kpviz": "settings", "set', "half.json"),
    "a list": (b"[1, 2, 3]", "list.json"),
    "points that are none": (b'{"kpviz": "settings", "points": [[1, 2]]}', "points.json"),
    "a file that is not in it": (b'{"kpviz": "settings", "settings": {"data": "file"}}', "file.json"),
}


@pytest.mark.parametrize("bring", [upload, drop])
@pytest.mark.parametrize("settings", KEPT.values(), ids=KEPT)
def test_a_settings_file_brings_back_its_settings(settings, bring):
    kept = settings()
    before = examples(kept)
    text = settings_file.write(kept, shared.table(kept))
    shared.tables.clear()  # as on another server
    session = Session(Settings.of(data="moons", order="random"))
    assert bring(session, text.encode(), "kept.json") is None
    if kept.data != FILE:
        assert session.settings == kept
    after = examples(session.settings)
    assert sorted(map(tuple, after.X.tolist())) == sorted(map(tuple, before.X.tolist()))
    assert experiment.kernel(session.settings) == experiment.kernel(kept)
    session.undo()
    assert session.settings == Settings.of(data="moons", order="random")


@pytest.mark.parametrize("bring", [upload, drop])
@pytest.mark.parametrize(("content", "name"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_opened_leaves_everything_and_is_explained(content, name, bring):
    session = Session(Settings.of(data="moons", sigma=0.3), pins=(Pin.of(Settings.of()),))
    before = (session.settings, session.data_id, session.pins)
    assert is_a_sentence(bring(session, content, name))
    assert (session.settings, session.data_id, session.pins) == before
    assert session.past == []


def test_parts_of_a_dropped_file_that_cannot_be_used_are_named():
    session = Session(Settings.of())
    notice = drop(session, b'{"kpviz": "settings", "settings": {"sigma": 0.2, "colour": "red"}}', "s.json")
    assert session.settings == Settings.of(sigma=0.2)
    assert "colour is not a setting" in notice


def test_a_dropped_table_says_which_rows_are_shown_and_takes_away_an_older_problem():
    session = Session(Settings.of(), problem="The last file was none.")
    many = "u,v,kind\n" + "".join(f"{i % 97},{i * i % 89},{'ab'[i % 2]}\n" for i in range(3000))
    assert "1,000 of 3,000 rows are shown" in drop(session, many.encode(), "many.csv")
    assert session.problem is None
    session = Session(Settings.of())
    assert drop(session, TABLE.encode(), "mine.csv") is None  # there is nothing to say
    send(session, "undo")
    assert session.settings == Settings.of()
    send(session, "redo")
    assert session.settings.file.startswith("mine.csv~")


@pytest.mark.parametrize("name", ["", "a\u200bb\n.csv", "x" * 300, "my~file.csv", "../etc/<b>", "naïve *1*.csv"])
def test_a_file_opens_whatever_it_is_called(name):
    session = Session(Settings.of())
    assert drop(session, TABLE.encode(), name) is None
    assert shared.table(session.settings) is not None
    assert current(opened(**query_of(session.settings))).settings == session.settings


def test_the_uploader_opens_settings_and_says_what_is_wrong_in_the_popover():
    kept = Settings.of(data=DRAWN, points=POINTS.code, sigma=0.3)
    at = uploaded(settings_file.write(kept, None), name="kept.json")
    assert current(at).settings == kept
    uploaded('{"kpviz": "run"}', at, "run.json")
    (error,) = (each.value for each in at.error)
    assert "holds a run, not settings" in error
    assert current(at).settings == kept
