"""The panels to choose from: beside the map, by pointer and keyboard, with a reason where there is nothing to see."""

import pytest

from kpviz.panels import ABOUT, BY_NAME, IN_LINKS

ROWS = """(rows) => rows.map((row) => {
  const box = row.querySelector("[data-panel]");
  return [
    box.dataset.panel,
    row.innerText,
    [...row.querySelectorAll("kbd")].map((key) => key.innerText),
    getComputedStyle(row.querySelector(".picture")).backgroundImage.slice(0, 40),
    box.getAttribute("aria-describedby").split(" ").map((id) => box.parentElement.querySelector(`#${id}`).innerText),
  ];
})"""
SIZES = [(1366, 768), (1920, 1080), (375, 667)]


def opened(player, link="/?v=1&t=12"):
    player.open(link).press("h")
    return player.page.get_by_role("region", name="Panels")


def focused(player):
    return player.js("r.getRootNode().activeElement?.dataset.panel ?? r.getRootNode().activeElement?.dataset.do ?? ''")


def test_each_panel_has_a_picture_a_title_a_line_and_its_key_in_its_group(player):
    chooser = opened(player)
    assert chooser.locator("legend").all_inner_texts() == list(ABOUT.values())
    rows = chooser.locator("label:has([data-panel])").evaluate_all(ROWS)
    assert {name for name, *_ in rows} >= set(IN_LINKS)
    for name, words, keys, picture, described in rows:
        if name not in IN_LINKS:
            continue
        panel = BY_NAME[name]
        assert panel.title in words
        assert panel.line in words
        assert keys == ([panel.key.upper()] if panel.key else [])
        assert picture.startswith('url("data:image/png')
        assert panel.line in described
        assert chooser.get_by_role("checkbox", name=panel.title).count() > 0


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_it_never_lies_on_the_map_and_every_target_is_large_enough(player, width, height):
    player.wear(width, height, color_scheme="dark" if width == SIZES[0][0] else "null")
    chooser = opened(player)
    box, view = chooser.bounding_box(), player.js("s.layout.panels.map")
    canvas = player.page.locator(".kpviz canvas").bounding_box()
    right, bottom = canvas["x"] + view["x"] + view["w"], canvas["y"] + view["y"] + view["h"]
    assert box["x"] >= right or box["y"] >= bottom
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width + 1
    assert box["y"] + box["height"] <= height + 1
    heights = chooser.locator("label.panel").evaluate_all("(all) => all.map((e) => e.getBoundingClientRect().height)")
    assert min(heights) >= 24


def test_arrows_go_from_panel_to_panel_space_chooses_and_escape_gives_the_focus_back(player):
    player.open("/?v=1&t=12")
    player.button("panels").focus()
    player.press("Enter")
    chooser = player.page.get_by_role("region", name="Panels")
    assert chooser.is_visible()
    assert focused(player) == "margins"
    player.press("ArrowDown")
    assert focused(player) == "readings"
    player.press(" ").until("s.shown.has('readings')")
    player.press("End")
    assert focused(player) == "unhatched"
    player.press("Home", "ArrowUp")
    assert focused(player) == "margins"
    assert player.t == 12
    player.press("Escape")
    assert not chooser.is_visible()
    assert focused(player) == "panels"


def test_it_takes_the_place_of_the_settings_and_they_take_its(player):
    chooser = opened(player)
    player.press("Shift+K")
    player.page.locator("#kpviz-dock").wait_for()
    assert not chooser.is_visible()
    player.button("panels").click()
    assert chooser.is_visible()
    assert not player.page.locator("#kpviz-dock").is_visible()
    player.click(*player.spots()[0].tolist())
    assert chooser.is_visible()  # one looks at the map meanwhile


@pytest.mark.parametrize(
    ("link", "name", "why"),
    [
        ("/?v=1", "own", "this learner has nothing of its own"),
        ("/?v=1&stream=on", "gram", "a stream has no training set"),
        ("/?v=1", "primal", "no finite feature map"),
        ("/?v=1", "lift", "monomial kernel"),
        ("/?v=1", "unhatched", "no runs are compared"),
        ("/?v=1&data=texts", "lines", "these examples have no plane"),
        ("/?v=1&predictor=voted", "normed", "a vote has no norm"),
        ("/?v=1&pins=1&p1.kernel=linear", "code", "not beside compared runs"),
    ],
)
def test_a_panel_with_nothing_to_show_is_grey_and_says_why(player, link, name, why):
    chooser = opened(player, link)
    player.rest()
    row = chooser.locator("label", has=player.page.locator(f"[data-panel={name}]"))
    assert "empty" in row.get_attribute("class")
    assert why in row.inner_text()
    plain = chooser.locator("label", has=player.page.locator("[data-panel=margins]"))
    assert "empty" not in plain.get_attribute("class")
