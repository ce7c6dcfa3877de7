"""The Gram matrix in the player: cells, bars and what lights up are what Python computes."""

from gram_panel import matrix, opened


def test_it_is_there_for_a_class_and_in_a_narrow_window(player):
    opened(player)
    player.press("w").until("s.present.on").rest()
    assert len(player.marks("gram", name="gram")) == 1
    player.press("w").until("!s.present.on")
    player.page.set_viewport_size({"width": 500, "height": 900})
    player.until("s.layout.narrow")
    player.page.get_by_role("button", name="Gram matrix", exact=True).click()
    player.until("'gram' in s.layout.panels").rest()
    assert matrix(player)[2] > 200
    assert player.errors == []
