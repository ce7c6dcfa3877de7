"""The page holds what is shown: a server that is gone, a tab that slept, a disk that is full take
nothing with them.
"""

import base64
import socket
import sys
import threading
import time
from contextlib import ExitStack, contextmanager, suppress

import bare
import pytest
from asking import served
from driver import PATIENCE, TABLE, UNSEEN, Player
from fisher_board import Board
from playwright.sync_api import expect
from started import Server

GONE = "s.notices.box.textContent.startsWith('Connection lost')"


def open_table(player):
    """Open a table as a file."""
    data = base64.b64encode(TABLE.encode()).decode()
    player.js("s.session.command('open', {name: 'mine.csv', data: arg})", data)
    return player.until_written()


# ---- nothing is asked ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "link", ["v=1&n=200&noise=0.2", "v=1&data=moons&n=60&held=0.3&pins=1&p1.kernel=linear"]
)
def test_nothing_is_sent_to_the_server_while_one_plays_scrubs_or_hovers(player, link):
    player.open(f"/?{link}").page.wait_for_load_state("networkidle")
    player.sent.clear()
    player.js("performance.clearResourceTimings()")
    map_, line = player.panel("map-0" if "pins" in link else "map"), player.panel("timeline")
    player.pace(60).press(" ").until("s.t > 20")
    for k in range(12):
        player.page.mouse.move(*player.at(map_["x"] + 10 + 25 * k, map_["y"] + 20 + 20 * k))
    y = line["y"] + line["h"] / 2
    player.hold(
        (line["x"] + 30, y), *((line["x"] + 0.045 * k * line["w"], y) for k in range(1, 21))
    ).page.mouse.up()
    player.press("ArrowLeft", "PageDown", "ArrowDown", "h", "h", "q", "q", "m", "m").rest()
    player.page.wait_for_url(f"**t={player.t}**")
    assert player.sent == []
    fetched = player.js("performance.getEntriesByType('resource').map((e) => e.name)")
    assert [
        name for name in fetched if not name.endswith(".png")
    ] == []  # the tab's icon may come late


# ---- a server that is gone -----------------------------------------------------------------------


def test_a_connection_that_is_soon_back_is_not_told(player):
    told = player.open("/?v=1").until_written().js
    told("s.session.socket.drop()")
    assert told("[s.session.socket.isConnected, s.notices.box.textContent]") == [False, ""]
    player.until("s.session.socket.isConnected")
    assert told("s.notices.waiting !== undefined && s.notices.lasting.isConnected") is False
    told("s.away(true)")
    player.until(GONE).find_connection()
    assert told("s.notices.box.textContent") == ""


def test_a_page_that_is_left_before_its_first_answer_says_nothing(player):
    player.open("/?v=1&t=7")
    assert player.page.evaluate("again('/?v=1&n=20') && again('/?v=1&n=30')")
    assert player.ready().js("s.run.n") == 30


@pytest.fixture
def mortal(tmp_path):
    """A server that a test may kill."""
    server = Server(tmp_path / "log.txt").start().wait()
    yield server
    server.kill()


def write_cues(player, text):
    """Write into the dialog of all cues, and leave it: Streamlit is not told."""
    player.press("Shift+U").page.get_by_role("textbox", name="Cues").fill(text)
    player.press("Escape").page.locator("[data-testid=stDialog]").wait_for(state="detached")


@pytest.mark.skipif(sys.platform == "win32", reason="the port stays in use there for a while")
def test_when_the_server_dies_all_pages_stay_and_go_on_by_themselves_when_it_is_back(
    chromium, mortal
):
    context = chromium.new_context()
    context.add_init_script(UNSEEN)
    page = context.new_page()
    player = Player(page, mortal.address)
    player.open("/?v=1").until_written()
    open_table(player).go(5)
    write_cues(player, "start: Half a sent")
    board = Board(context.new_page(), mortal.address).open("v=1&angle=30")
    page.bring_to_front()
    mortal.kill()
    player.until(GONE)
    gone = time.monotonic()
    player.press("ArrowRight", "g")
    assert player.t == 6
    assert player.js("s.session.busy")
    board.page.bring_to_front()
    board.page.get_by_text("Connection lost").wait_for()
    board.press("ArrowRight", "d").until("s.t === 31")
    page.wait_for_timeout(
        max(0, 4000 - 1000 * (time.monotonic() - gone))
    )  # Streamlit would say so in a dialog
    assert page.locator("[data-testid=stDialog]").count() == 0
    mortal.start()
    board.until(
        "s.run.fisher.header.query.includes('data=blobs') && location.search === "
        "'?v=1&data=blobs&angle=31'"
    )
    page.bring_to_front()
    player.until_written()
    assert (player.t, player.js("s.run.n"), player.js(GONE)) == (6, 30, False)
    assert "file=mine.csv~" in player.link()
    assert "sigma=0.625" in player.link()
    page.locator(
        "[data-test-connection-state=CONNECTED][data-test-script-state=notRunning]"
    ).wait_for()  # Streamlit is, too
    player.press("z").until_written().press("Shift+U")
    expect(page.get_by_role("textbox", name="Cues")).to_have_value(
        "start: Half a sent", timeout=PATIENCE
    )
    context.close()


class Cable:
    """Carries connections to a port of this machine; what was sent while it was cut arrives once it
    is mended.
    """

    def __init__(self, port):
        self._port = port
        self._whole = threading.Event()
        self._whole.set()
        self._listening = socket.create_server(("localhost", 0))
        self.port = self._listening.getsockname()[1]
        self._begin(self._accept)

    def cut(self):
        self._whole.clear()

    def mend(self):
        self._whole.set()

    def close(self):
        self.mend()
        self._listening.close()

    def _begin(self, work, *given):
        threading.Thread(target=work, args=given, daemon=True).start()

    def _accept(self):
        with suppress(OSError):  # it was closed
            while True:
                here, _ = self._listening.accept()
                there = socket.create_connection(("localhost", self._port))
                self._begin(self._carry, here, there)
                self._begin(self._carry, there, here)

    def _carry(self, source, target):
        with suppress(OSError):  # the other way has ended
            while data := source.recv(1 << 16):
                self._whole.wait()
                target.sendall(data)
            self._whole.wait()
            target.shutdown(socket.SHUT_WR)


@pytest.fixture
def cable(bare_server):
    cable = Cable(int(bare_server.rpartition(":")[2]))
    yield cable
    cable.close()


def test_when_the_network_is_cut_the_page_goes_on_by_itself_once_it_is_mended(bare_context, cable):
    player = Player(bare_context.new_page(), f"http://localhost:{cable.port}")
    player.open("/?v=1").until_written()
    open_table(player).go(5).js("s.session.socket.patience = 300")
    cable.cut()
    player.press("g", "ArrowRight").until(GONE)
    assert (player.t, player.js("s.session.busy")) == (6, True)
    cable.mend()
    player.until_written()
    assert (player.t, player.js("s.run.n"), player.js(GONE)) == (6, 30, False)
    assert "file=mine.csv~" in player.link()
    assert "sigma=0.625" in player.link()
    assert player.errors == []
    player.page.close()


def test_undo_redo_and_what_was_chosen_before_are_shown_at_once_when_the_server_is_gone(
    bare_context, cable
):
    player = Player(bare_context.new_page(), f"http://localhost:{cable.port}")
    player.open("/?v=1").until_written()
    shown = [player.numbers()]
    for _ in range(4):
        player.press("k").until_written()
        shown.append(player.numbers())
    assert shown[-1] == shown[0]
    asked = player.asked()
    cable.cut()
    keys = ["k", "k", "k", "k", "z", "z", "Shift+Z", "z"]
    for key, at in zip(keys, [1, 2, 3, 4, 3, 2, 3, 2], strict=True):
        name = player.js("(document.activeElement.blur(), s.session.state.link)")
        player.press(key)
        assert player.js("s.session.state.link") != name, key
        assert player.until_written().numbers() == shown[at], key
    assert player.asked() == asked
    assert player.counts() == {"undo": 6, "redo": 2}
    player.press("ArrowRight").rest()
    cable.mend()
    player.until("s.session.socket.isConnected").press("n").until_written()
    assert player.settings.values["seed"] == 1
    assert player.errors == []
    player.page.close()


# ---- a tab that fell asleep ----------------------------------------------------------------------


@contextmanager
def asleep(page):
    """Nothing in the tab runs, and its clock goes on."""
    page.evaluate(
        "window.awake = setInterval(() => {}, 20)"
    )  # there must be something that can be stopped
    session = page.context.new_cdp_session(page)
    stopped = []
    session.on("Debugger.paused", lambda event: stopped.append(event))
    session.send("Debugger.enable")
    session.send("Debugger.pause")
    while not stopped:
        session.send("Debugger.setSkipAllPauses", {"skip": False})  # lets events arrive
    yield
    session.send("Debugger.disable")
    session.detach()
    page.evaluate("clearInterval(awake)")


def test_it_plays_on_from_the_step_at_which_it_fell_asleep(player):
    player.open("/?v=1")
    player.js("""(() => {
      const [put, noted] = [s.put.bind(s), (window.noted = [])];
      s.put = (t) => { noted.push(t); put(t); };
      s.setSpeed(0.9);
      s.toggle();
    })()""")
    player.until("s.t > 3")
    with asleep(player.page):
        time.sleep(1)
    at = player.t
    player.until("s.t > arg + 2", at)
    player.press(" ")
    noted = player.page.evaluate("noted")
    assert noted == list(range(1, len(noted) + 1)), "no step is left out"
    player.anew("/?v=1&t=5").press("g")  # whose answer comes meanwhile
    with asleep(player.page):
        time.sleep(0.5)
    assert "sigma=0.625" in player.settle().query
    assert player.t == 5


def test_a_connection_that_was_lost_meanwhile_is_made_again(bare_context):
    page = bare_context.new_page()
    with served(bare.app()) as address, ExitStack() as awake:
        player = (
            Player(page, f"http://{address}")
            .open("/?v=1&t=5")
            .until("s.session.socket.isConnected")
        )
        awake.enter_context(asleep(page))
        sleeping = awake.pop_all()  # longer than the server lives
    with served(bare.app(), int(address.rpartition(":")[2])):
        sleeping.close()
        player.press("g", "ArrowRight").settle()
        assert "sigma=0.625" in player.query
        assert player.t == 6
        player.until("s.session.socket.isConnected && s.controls.statusLine.hidden")
        page.close()
