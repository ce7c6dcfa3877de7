"""The page holds what is shown: Back undoes, and a server that is gone takes nothing with it."""

import base64
import socket
import subprocess
import sys
import time

import pytest
from cable import Cable
from driver import PATIENCE, UNSEEN, Player
from fisher_board import Board
from playwright.sync_api import expect

from kpviz import cli

WIDER = "v=1&sigma=0.625"
TABLE = "a,b,label\n" + "\n".join(f"{i},{i * i % 7},{'x' if i % 3 else 'y'}" for i in range(40))


def query(player):
    return player.page.evaluate("location.search.slice(1)")


def settle(player):
    """Wait until everything is answered, and written into the address."""
    return player.settle().until("s.session.settled && location.search.slice(1) === s.query")


def test_back_and_forward_are_undo_and_redo(player):
    settle(player.open("/?v=1&t=7")).press("g")
    settle(player).press("n")
    assert query(settle(player)) == "v=1&seed=1&sigma=0.625"
    player.page.go_back()
    assert query(settle(player)) == f"{WIDER}"
    player.press("z")
    assert query(settle(player)) == "v=1"
    player.page.go_forward()
    assert query(settle(player)) == WIDER
    assert player.js("s.session.counts") == {"undo": 1, "redo": 1}


GOES_BACK_AT_ONCE = """(() => {
  const { browser } = s.session.history, push = browser.push;
  browser.push = (...entry) => {
    browser.push = push;
    browser.push(...entry);
    history.back();
  };
})()"""


def test_back_at_the_instant_of_an_answer_goes_back_from_its_change(player):
    settle(player.open("/?v=1")).press("g")
    settle(player).js(GOES_BACK_AT_ONCE)
    player.press("n").until(f"s.session.state.link === '{WIDER}' && !s.session.busy")
    assert query(settle(player)) == WIDER
    assert player.js("s.session.counts") == {"undo": 1, "redo": 1}
    player.press("Shift+Z")
    assert query(settle(player)) == "v=1&seed=1&sigma=0.625"


@pytest.mark.in_app
def test_streamlit_does_not_run_its_page_at_back_and_forward(player):
    sent = []

    def opened(socket):
        if socket.url.endswith("/_stcore/stream"):
            socket.on("framesent", lambda frame: sent.append(frame))

    player.page.on("websocket", opened)
    settle(player.open("/?v=1")).press("g")
    settle(player).press("n")
    settle(player).page.wait_for_load_state("networkidle")
    assert sent
    sent.clear()
    player.page.go_back()
    assert query(settle(player)) == WIDER
    player.page.go_forward()
    assert query(settle(player)) == "v=1&seed=1&sigma=0.625"
    player.page.evaluate("new Promise(requestAnimationFrame)")
    assert sent == []


def test_a_reload_keeps_undo(player):
    settle(player.open("/?v=1")).press("g")
    settle(player).reload()
    assert query(settle(player)) == WIDER
    player.press("z")
    assert query(settle(player)) == "v=1"


def test_a_drag_is_one_entry(player):
    settle(player.open("/?v=1")).edit()
    x, y = player.js("[s.view.x(s.run.X[0]), s.view.y(s.run.X[1])]")
    player.hold((x, y), *((x + 3 * k, y + k) for k in range(30))).drop()
    assert player.js("s.session.counts.undo") == 1
    player.press("z")
    assert query(settle(player)) == "v=1"


def test_nothing_goes_back_in_front_of_a_class(player):
    settle(player.open("/?v=1")).press("g")
    settle(player).press("w")
    player.page.go_back()
    player.until("s.controls.statusLine.textContent.startsWith('Off while presenting')")
    assert player.js("s.session.state.link") == WIDER
    player.press("w")


def test_a_connection_that_is_soon_back_is_not_told(player):
    settle(player.open("/?v=1"))
    told = "s.notices.box.textContent"
    player.js("s.session.socket.drop()")
    assert (player.js("s.session.socket.here"), player.js(told)) == (False, "")
    player.until("s.session.socket.here")
    assert player.js("s.notices.waiting !== undefined && s.notices.standing.isConnected") is False
    player.js("s.away(true)")
    player.until(f"{told}.startsWith('No answer from kpviz')")
    player.js("s.away(false)")
    assert player.js(told) == ""


class Server:
    """A server that can be killed and started again at the same address."""

    def __init__(self):
        with socket.socket() as probe:
            probe.bind(("localhost", 0))
            self.port = probe.getsockname()[1]
        self.address = f"http://localhost:{self.port}"

    def start(self):
        command = cli.command("localhost", self.port, browser=False)
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return self

    def wait(self):
        """Wait until it answers."""
        ends = time.monotonic() + PATIENCE / 1000
        while socket.socket().connect_ex(("localhost", self.port)):
            assert time.monotonic() < ends
            time.sleep(0.05)
        return self

    def kill(self):
        self.process.kill()
        self.process.wait(20)


@pytest.fixture
def mortal():
    """A server that a test may kill."""
    server = Server().start().wait()
    yield server
    server.kill()


def write_cues(player, text):
    """Write into the dialog of all cues, and leave it: Streamlit is not told."""
    player.press("Shift+U").page.get_by_role("textbox", name="Cues").fill(text)
    player.press("Escape").page.locator("[data-testid=stDialog]").wait_for(state="detached")


@pytest.mark.skipif(sys.platform == "win32", reason="the port stays in use there for a while")
def test_when_the_server_dies_all_pages_stay_and_go_on_by_themselves_when_it_is_back(chromium, mortal):
    context = chromium.new_context()
    context.add_init_script(UNSEEN)
    page, lab = context.new_page(), context.new_page()
    player = Player(page, mortal.address)
    settle(player.open("/?v=1"))
    player.js("s.session.command('open', {name: 'mine.csv', data: arg})", base64.b64encode(TABLE.encode()).decode())
    settle(player).go(5)
    lab.goto(f"{mortal.address}/lab?v=1&data=moons&tab=space&features=100")
    lab.get_by_label("n, features of x").wait_for()  # Streamlit fetches what draws a field when it is first seen
    lab.locator(".chip[data-group=kernel]").wait_for()
    write_cues(player, "start: Half a sent")
    board = Board(context.new_page(), mortal.address).open("v=1&angle=30")
    page.bring_to_front()
    mortal.kill()
    player.until("s.notices.box.textContent.startsWith('No answer from kpviz')")
    page.wait_for_timeout(4000)  # in which Streamlit would say so in a dialog
    assert page.locator("[data-testid=stDialog]").count() == 0
    player.press("ArrowRight", "g")
    assert player.t == 6
    assert player.js("s.session.busy")
    lab.get_by_text("No answer from kpviz").wait_for()
    board.page.bring_to_front()
    board.page.get_by_text("F turns all the same").wait_for()
    board.press("ArrowRight", "d").until("s.reading.angle === 31")
    mortal.start()
    board.until("s.header.query.includes('data=blobs') && location.search === '?v=1&data=blobs&angle=31'")
    page.bring_to_front()
    settle(player)
    assert (player.t, player.js("s.run.n"), player.js("s.notices.box.textContent === ''")) == (6, 40, True)
    assert "file=mine.csv~" in query(player)
    assert "sigma=0.625" in query(player)
    page.locator(
        "[data-test-connection-state=CONNECTED][data-test-script-state=notRunning]"
    ).wait_for()  # Streamlit is, too
    settle(player.press("z")).press("Shift+U")
    expect(page.get_by_role("textbox", name="Cues")).to_have_value("start: Half a sent", timeout=PATIENCE)
    lab.get_by_text("No answer from kpviz").wait_for(state="hidden")
    assert lab.get_by_label("n, features of x").input_value() == "100"
    assert lab.url.endswith("/lab?v=1&data=moons&tab=space&features=100")
    lab.get_by_label("n, features of x").fill("50")
    lab.keyboard.press("Enter")
    lab.wait_for_url("**/lab?v=1&data=moons&tab=space&features=50")
    lab.locator(".chip[data-group=kernel]").click()
    lab.locator(".dock .tiles label", has_text="Polynomial").click()
    lab.wait_for_url("**/lab?v=1&data=moons&kernel=polynomial&tab=space&features=50")
    context.close()


@pytest.fixture
def cable(bare_server):
    cable = Cable(int(bare_server.rpartition(":")[2]))
    yield cable
    cable.close()


def test_when_the_network_is_cut_the_page_goes_on_by_itself_once_it_is_mended(bare_context, cable):
    player = Player(bare_context.new_page(), f"http://localhost:{cable.port}")
    settle(player.open("/?v=1"))
    player.js("s.session.command('open', {name: 'mine.csv', data: arg})", base64.b64encode(TABLE.encode()).decode())
    settle(player).go(5).js("s.session.socket.patience = 300")
    cable.cut()
    player.press("g", "ArrowRight").until("s.notices.box.textContent.startsWith('No answer from kpviz')")
    assert (player.t, player.js("s.session.busy")) == (6, True)
    cable.mend()
    settle(player)
    assert (player.t, player.js("s.run.n"), player.js("s.notices.box.textContent")) == (6, 40, "")
    assert "file=mine.csv~" in query(player)
    assert "sigma=0.625" in query(player)
    assert player.errors == []
    player.page.close()


def test_undo_redo_and_what_was_chosen_before_are_shown_at_once_when_the_server_is_gone(bare_context, cable):
    player = Player(bare_context.new_page(), f"http://localhost:{cable.port}")
    settle(player.open("/?v=1"))
    shown = [player.numbers()]
    for _ in range(4):
        settle(player.press("k"))
        shown.append(player.numbers())
    assert shown[-1] == shown[0]
    asked = player.js("s.session.socket.n")
    cable.cut()
    keys = ["k", "k", "k", "k", "z", "z", "Shift+Z", "z"]
    for key, at in zip(keys, [1, 2, 3, 4, 3, 2, 3, 2], strict=True):
        name = player.js("(document.activeElement.blur(), s.session.state.link)")
        player.press(key)
        assert player.js("s.session.state.link") != name, key
        assert settle(player).numbers() == shown[at], key
    assert player.js("s.session.socket.n") == asked
    assert player.js("s.session.counts") == {"undo": 6, "redo": 2}
    player.press("ArrowRight").rest()
    cable.mend()
    settle(player.until("s.session.socket.here").press("n"))
    assert player.settings.values["seed"] == 1
    assert player.errors == []
    player.page.close()


def test_a_page_that_is_left_before_its_first_answer_says_nothing(player):
    player.open("/?v=1&t=7")
    assert player.page.evaluate("again('/?v=1&n=20') && again('/?v=1&n=30')")
    assert player.ready().js("s.run.n") == 30
