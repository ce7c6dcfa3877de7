"""A tab that fell asleep: when it is woken it goes on where it was, whatever became of the server meanwhile."""

import time
from contextlib import ExitStack, contextmanager

import bare
from asking import served
from driver import Player


@contextmanager
def asleep(page):
    """Nothing in the tab runs, and its clock goes on."""
    page.evaluate("window.awake = setInterval(() => {}, 20)")  # there must be something that can be stopped
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


def test_an_answer_that_came_meanwhile_is_taken(player):
    player.open("/?v=1&t=5").press("g")
    with asleep(player.page):
        time.sleep(0.5)
    assert "sigma=0.625" in player.settle().query
    assert player.t == 5


def test_a_connection_that_was_lost_meanwhile_is_made_again(bare_context):
    page = bare_context.new_page()
    with served(bare.app()) as address, ExitStack() as awake:
        player = Player(page, f"http://{address}").open("/?v=1&t=5").until("s.session.socket.here")
        awake.enter_context(asleep(page))
        sleeping = awake.pop_all()  # longer than the server lives
    with served(bare.app(), int(address.rpartition(":")[2])):
        sleeping.close()
        player.press("g", "ArrowRight").settle()
        assert "sigma=0.625" in player.query
        assert player.t == 6
        player.until("s.session.socket.here && s.controls.statusLine.hidden")
        page.close()
