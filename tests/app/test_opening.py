"""What someone brings, and what becomes of it when the server can keep it no longer."""

import tracemalloc
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import kpviz
from kpviz.app import commands, opening, shared
from kpviz.app.session import Session
from kpviz.engine.data.tables import read_table
from kpviz.settings import FILE, Settings

APP = str(Path(kpviz.__file__).parent / "app" / "pages.py")
CSV = b"a,b,c\n1,2,x\n2,3,y\n3,1,x\n"


@pytest.mark.parametrize(
    "value", [None, [], {"name": "a.csv"}, *({"name": "a", "data": data} for data in ("é", "a", 1))]
)
def test_what_is_dropped_without_being_a_file_changes_nothing(value):
    session = Session(Settings.of())
    commands.carry_out(session, [{"n": 1, "name": "open", "t": 0, "value": value}])
    assert (session.settings, session.past, session.notice) == (Settings.of(), [], None)


@pytest.mark.parametrize("dialog", commands.DIALOGS)
def test_a_dialog_about_a_file_that_is_gone_says_so(dialog):
    at = AppTest.from_file(APP, default_timeout=60).run()
    session = at.session_state["session"]
    assert opening.open_file(session, CSV, f"{dialog}.csv") is None
    at.run()
    shared.tables.clear()
    session.dialog = dialog
    at.run()
    assert not at.exception
    assert session.dialog is None
    assert session.settings.data == FILE
    assert any("open it again" in toast.value for toast in at.toast)


def test_files_with_many_columns_make_room_for_each_other():
    names = ",".join(f"c{k}" for k in range(500))
    rows = "\n".join(",".join(f"{7 * i + k}" for k in range(499)) + "," + "ab"[i % 2] for i in range(2000))
    content = f"{names}\n{rows}\n".encode()
    tracemalloc.start()
    one = read_table(content)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    shared.tables.clear()
    shelf = shared.tables()
    for number in range(60):
        shelf.put(str(number), one)
    kept = sum(shelf.get(str(number)) is not None for number in range(60))
    shared.tables.clear()
    assert 0 < kept * size < 0.5e9
