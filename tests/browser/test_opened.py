"""Each page opened directly: all that it asks for is there, and of the player it loads one script."""

from collections import Counter
from contextlib import contextmanager

import pytest
from driver import LOOKED_FOR, Player

pytestmark = pytest.mark.in_app


@pytest.fixture
def tab(app_context):
    page = app_context.new_page()
    yield page
    page.close()


@contextmanager
def opening(tab):
    """Look at what a page asks for that is opened meanwhile."""
    answers, said, failed = [], [], []
    listeners = {
        "response": lambda answer: answers.append(answer),
        "console": lambda message: message.type in {"error", "warning"} and said.append(message),
        "pageerror": lambda error: failed.append(str(error)),
    }
    for event, listener in listeners.items():
        tab.on(event, listener)
    yield
    tab.locator(".chip").first.wait_for()
    tab.wait_for_load_state("networkidle")
    for event, listener in listeners.items():
        tab.remove_listener(event, listener)
    files = Counter(answer.url for answer in answers if "/bidi-components/" in answer.url)
    missing = [answer.url for answer in answers if answer.status >= 400]
    assert [url for url in missing if not LOOKED_FOR.search(url)] == []
    assert len([url for url in files if url.endswith(".js")]) == 1
    assert set(files.values()) == {1}
    assert [message.text for message in said if message.location["url"] not in missing] == []
    assert failed == []


@pytest.mark.parametrize("page", ["/", "/lab", "/fisher"])
def test_a_page_opened_directly_finds_all_that_it_asks_for(page, tab, server):
    with opening(tab):
        tab.goto(f"{server}{page}")


def test_all_pages_work_below_a_path_and_find_all_that_they_ask_for(tab, server_behind_a_base):
    base = server_behind_a_base
    player = Player(tab, base)
    with opening(tab):
        player.open("/?v=1&data=moons&t=3")
    assert player.t == 3
    player.press("g", "ArrowRight")
    tab.wait_for_url(f"{base}/?v=1&data=moons&sigma=0.625&t=4")
    tab.get_by_role("link", name="Kernel lab").click()
    tab.wait_for_url(f"{base}/lab?v=1&data=moons&sigma=0.625**")
    tab.locator(".chip[data-group=kernel]").click()
    tab.locator(".dock .tiles label", has_text="Polynomial").click()
    tab.wait_for_url(f"{base}/lab?v=1&data=moons&kernel=polynomial**")
    with opening(tab):
        tab.reload()
        tab.locator(".st-key-lab-tab").wait_for()
    with opening(tab):
        player.open("/fisher")
    player.press("d").until("s.header.query.includes('data=blobs')")
    tab.wait_for_url(f"{base}/fisher?v=1&data=blobs")
    assert player.errors == []
