"""`kpviz app FILE` opens a lesson, a table or a settings file as if it had been dropped on the
board.
"""

import sys
from urllib.parse import quote

import pytest
from driver import PATIENCE
from started import Server, running

from kpviz.server import OPENED_FILE, OPENED_TOKEN

TABLE = "width,height,kind\n1,2,rose\n2,1,iris\n3,4,rose\n0,1,iris\n"
LESSON = "---\ntitle: My trick\n---\n## One\nlink: v=1&n=8\n\nWords.\n"
NO_LONGER_NAMED = "!location.search.includes('open=')"


@pytest.mark.in_app
def test_the_page_shows_what_the_file_holds_and_its_address_no_longer_names_it(player, tmp_path):
    path = tmp_path / "my flowers.csv"
    path.write_text(TABLE, encoding="utf-8")
    started = [sys.executable, "-m", "kpviz", "app", str(path), "--no-browser", "--port"]
    server = Server(tmp_path / "log.txt", command=lambda port: [*started, str(port)])
    with running(server):
        address = server.log.read_text(encoding="utf-8").split()[3]
        assert quote("my+flowers", safe="+") in address
        page = player.page.context.new_page()
        page.goto(address)
        page.get_by_text(path.name).first.wait_for(timeout=PATIENCE)
        page.wait_for_function(NO_LONGER_NAMED, timeout=PATIENCE)
        page.close()


def test_a_lesson_is_opened_by_its_name_and_a_file_that_is_gone_is_told(
    player, tmp_path, monkeypatch
):
    path = tmp_path / "my trick.kpviz.md"
    path.write_text(LESSON, encoding="utf-8")
    monkeypatch.setenv(OPENED_FILE, str(path))
    monkeypatch.setenv(OPENED_TOKEN, "secret")
    address = f"/?open=secret/{quote(path.name)}"
    player.open(address).page.locator(".lesson h2", has_text="My trick").wait_for()
    player.page.wait_for_function(NO_LONGER_NAMED)
    path.unlink()
    player.anew(address).until(
        "s.controls.statusLine.textContent === arg",
        f"{path.name} could not be fetched: drop it on the board.",
    )
    assert [error for error in player.errors if "404" not in error] == []
    player.errors.clear()
