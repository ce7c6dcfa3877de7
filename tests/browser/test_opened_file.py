"""`kpviz app FILE` opens a lesson, a table or a settings file as if it had been dropped on the
board.
"""

import sys
from urllib.parse import quote

import pytest
from driver import PATIENCE
from started import Server, running

pytestmark = pytest.mark.in_app
FILES = {
    "my flowers.csv": (
        "width,height,kind\n1,2,rose\n2,1,iris\n3,4,rose\n0,1,iris\n",
        "my flowers.csv",
    ),
    "my trick.kpviz.md": (
        "---\ntitle: My trick\n---\n## One\nlink: v=1&n=8\n\nWords.\n",
        "My trick",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_the_page_shows_what_the_file_holds_and_its_address_no_longer_names_it(
    player, tmp_path, name
):
    text, words = FILES[name]
    (tmp_path / name).write_text(text, encoding="utf-8")
    started = [sys.executable, "-m", "kpviz", "app", str(tmp_path / name), "--no-browser", "--port"]
    server = Server(tmp_path / "log.txt", command=lambda port: [*started, str(port)])
    with running(server):
        address = server.log.read_text(encoding="utf-8").split()[3]
        assert quote(name.partition(".")[0].replace(" ", "+"), safe="+") in address
        page = player.page.context.new_page()
        page.goto(address)
        page.get_by_text(words).first.wait_for(timeout=PATIENCE)
        page.wait_for_function("!location.search.includes('open=')", timeout=PATIENCE)
        page.close()
