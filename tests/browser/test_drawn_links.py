"""Drawn points in the address: reloaded, gone back to, sent to a friend, they are the same and learn the same."""

import numpy as np
import pytest

from kpviz.engine.data.drawn import Drawn
from kpviz.settings import MOST_IN_LINKS, Settings


def many(n):
    """The path of a link with n drawn points."""
    rng = np.random.default_rng(n)
    X = rng.uniform(-1.2, 1.2, (n, 2))
    return f"/?{Settings.of(data='drawn', points=Drawn.of(X, np.sign(X[:, 0] + X[:, 1]), 0).code, epochs=3).link()}"


def written(player):
    """Wait until the address holds what is shown, and return it."""
    player.until("location.search === `?${s.query}`")
    return player.page.url


def copied(player):
    player.press("y")
    player.page.locator(".kpviz .status").get_by_text("Link copied.").wait_for()
    return player.page.evaluate("navigator.clipboard.readText()")


def opened(player, address):
    """Another tab at a copied address."""
    return player.open(address.removeprefix(player.base))


def test_reload_and_the_back_button_bring_the_points_and_the_run_back(player):
    player.open("/?v=1&t=40").edit().click(*player.gap())
    player.settle()
    player.agrees()
    numbers = player.numbers()
    assert numbers[0].startswith("v=1&data=drawn&points=")
    written(player)
    assert player.reload().numbers() == numbers
    player.page.goto("about:blank")
    player.page.go_back()
    assert player.ready().numbers() == numbers
    assert not player.js("s.editing.on")


def test_a_copied_link_shows_the_same_in_a_second_tab(player, another):
    player.open("/?v=1&data=iris&held=0.2&t=9").edit().click(*player.gap())
    numbers = player.settle().numbers()
    names = player.js("s.run.header.names")
    opened(another, copied(player))
    assert another.numbers() == numbers
    assert another.js("s.run.header.names") == names
    another.agrees()


@pytest.mark.parametrize("n", [0, 1, 2])
def test_hardly_any_points_are_a_link_too(player, n):
    player.open("/?v=1&t=40").edit()
    player.page.locator(".kpviz [data-edit=clear]").click()
    player.settle()
    for k in range(n):
        player.click(*player.on_map(0.3 + 0.4 * k, 0.5))
    player.settle()
    numbers = player.numbers()
    written(player)
    assert player.reload().numbers() == numbers
    assert player.js("s.run.n") == n
    run = player.agrees()
    player.press("End").rest()
    assert player.t == run.n_steps


def test_two_hundred_points_fit_into_a_link(player, another):
    player.open(many(MOST_IN_LINKS - 1)).edit().click(*player.gap())
    numbers = player.settle().numbers()
    assert player.drawn.n == MOST_IN_LINKS
    link = copied(player)
    assert len(link) < 950
    assert opened(another, link).numbers() == numbers
    another.agrees()


def test_more_than_a_link_holds_is_kept_on_the_server(player, another):
    player.open(many(MOST_IN_LINKS)).edit().click(*player.gap())
    player.settle()
    assert player.js("s.run.n") == MOST_IN_LINKS + 1
    assert "points=~" in player.query
    player.press("y").until("s.controls.statusLine.textContent.includes('as a file (A)')")
    numbers = player.numbers()
    link = written(player)
    assert player.reload().numbers() == numbers
    assert opened(another, link).numbers() == numbers


def circle(n, radius, middle=(0.5, 0.5), part=(0.0, 1.0)):
    """Shares of the map on an arc; `part` are its ends, in turns."""
    turns = 2 * np.pi * np.linspace(*part, n, endpoint=part != (0.0, 1.0))
    return [(middle[0] + radius * float(np.cos(a)), middle[1] + radius * float(np.sin(a))) for a in turns]


def test_a_smiley_is_drawn_separated_and_sent_to_a_friend(player, player_with):
    """Two eyes and a mouth in a face."""
    eyes = circle(3, 0.03, (0.37, 0.62)) + circle(3, 0.03, (0.63, 0.62))
    mouth = circle(6, 0.2, (0.5, 0.5), (0.58, 0.92))
    outline = circle(18, 0.42)
    player.open().edit()
    player.page.locator(".kpviz [data-edit=clear]").click()
    player.settle()
    for spots, key in ((eyes + mouth, "x"), (outline, "x")):
        for spot in spots:
            player.page.mouse.click(*player.at(*player.on_map(*spot)))
        player.press(key)
    points = player.settle().drawn
    assert (points.n, int((points.y > 0).sum())) == (30, 12)
    player.press("Escape", "Shift+G", "Shift+G").settle().until("s.run.header.settings.query.includes('sigma')")
    player.press("End").rest()
    run = player.agrees()
    assert run.converged
    assert (run.margins_at(run.n_steps) > 0).all()
    link = copied(player)
    friend = opened(player_with(), link)
    assert friend.numbers() == player.numbers()
    assert friend.picture() == player.away().picture()
