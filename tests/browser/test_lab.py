"""The kernel lab in a real browser: its address, its way into the player, and that nothing scrolls sideways."""

import pytest

pytestmark = pytest.mark.in_app

TABS = {"valid": "Is it a kernel?", "build": "Build one", "space": "Feature space"}
LONG = "exp(-norm(u-v)**2/2)*normalized(1+2*dot(u,v)+dot(u,v)**2)*exp(-norm1(u-v)/3)+0.25*(dot(u,v)+1)**3"


@pytest.fixture
def lab(player):
    """The page of the lab, opened by its query."""

    def opened(query="v=1"):
        player.forget()
        player.page.goto(f"{player.base}/lab?{query}")
        player.page.wait_for_selector(".st-key-lab-tab")
        rested(player.page)
        return player.page

    return opened


def rested(page):
    """Wait until Streamlit has done what it was asked for, and the address had its half second."""
    page.wait_for_function("!document.querySelector('[data-testid=stStatusWidget]')")
    page.wait_for_timeout(800)


FITS = "(e => e.scrollHeight <= e.clientHeight)(document.querySelector('[data-testid=stMain]'))"


def sideways(page):
    script = """[document.documentElement, ...document.querySelectorAll('[data-testid=stMain], .stMainBlockContainer')]
        .map((e) => e.scrollWidth - e.clientWidth)"""
    return max(page.evaluate(script))


@pytest.mark.parametrize("query", ["of=fourth", f"tab=build&text={LONG}", "tab=space&features=1000&power=20"])
def test_nothing_scrolls_sideways(lab, query):
    page = lab(query.replace("+", "%2B"))
    for width, height in [(1366, 768), (1920, 1080), (1024, 768), (480, 800)]:
        widen(page, width, height)
        page.wait_for_timeout(100)
        assert sideways(page) <= 0, width


def widen(page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("(width) => innerWidth === width", arg=width)


def test_its_type_is_larger_in_a_large_window_and_each_tab_fits_small_and_large_ones_from_top_to_bottom(lab):
    page = lab("v=1")
    chips = page.locator(".chips .groups .chip span")
    assert chips.evaluate_all("all => all.map((e) => e.scrollWidth - e.clientWidth)") == [0, 0]  # neither is cut
    small = "getComputedStyle(document.querySelector('[data-testid=stMain] label')).fontSize"
    sizes = []
    for width, height in [(1366, 768), (1920, 1080)]:
        widen(page, width, height)
        sizes.append(float(page.evaluate(small).removesuffix("px")))
    assert sizes[1] == 1.25 * sizes[0] >= 17
    for tab in page.get_by_role("radiogroup").first.get_by_role("radio").all():
        tab.click()
        rested(page)
        for width, height in [(1920, 1080), (1366, 768)]:
            widen(page, width, height)
            page.wait_for_function(FITS)


def test_the_player_shows_where_rounding_makes_kernel_and_map_part(lab, player):
    page = lab("v=1&tab=space")
    page.get_by_role("button", name="Where rounding drives them apart").click()
    player.ready()
    player.until("s.run.header.extras.primal").rest()
    assert "The verdicts differ here" in " ".join(mark["text"] for mark in player.marks("primal", kind="text"))


def test_the_address_follows_what_is_shown_and_a_reload_shows_it_again(lab, player):
    page = lab()
    assert page.url.endswith("/lab?v=1")
    page.get_by_role("radio", name=TABS["space"]).click()
    page.wait_for_url("**/lab?v=1&tab=space")
    page.get_by_label("n, features of x").fill("100")
    page.keyboard.press("Enter")
    page.wait_for_url("**/lab?v=1&tab=space&features=100")
    page.reload()
    page.wait_for_selector(".kpviz-table")
    rested(page)
    assert page.url.endswith("/lab?v=1&tab=space&features=100")
    assert page.get_by_label("n, features of x").input_value() == "100"


def test_the_lab_and_the_player_look_at_the_same_settings(lab, player):
    page = lab("v=1&data=moons&of=sigmoid")
    page.get_by_role("button", name="Watch it in the player").click()
    player.ready()
    page.wait_for_url(lambda url: "/lab" not in url and "kernel=sigmoid" in url)
    assert "data=moons" in page.url
    assert "of=" not in page.url
    assert "coef0=-1" in player.query
    page.get_by_role("link", name="Kernel lab").click()
    page.wait_for_selector(".st-key-lab-tab")
    page.wait_for_url("**/lab?v=1&data=moons&kernel=sigmoid&*of=sigmoid")


def test_the_settings_open_beside_the_tabs_and_what_is_set_there_is_looked_at(lab):
    page = lab("v=1&log=on")
    tabs = page.locator(".st-key-lab")
    width = tabs.locator("> *").first.bounding_box()["width"]
    page.locator(".chip[data-group=kernel]").click()
    page.locator(".dock .tiles label", has_text="Polynomial").click()
    page.wait_for_url("**/lab?v=1&kernel=polynomial&log=on")
    page.wait_for_function("document.querySelector('.katex-html').textContent.includes('c')")
    assert tabs.locator("> *").first.bounding_box()["width"] < width - 280
    assert sideways(page) <= 0
    page.go_back()
    page.wait_for_url("**/lab?v=1&log=on")
    page.wait_for_function("document.querySelector('.katex-html').textContent.includes('exp')")
    page.locator(".dock").press("Escape")
    assert not page.locator(".dock").is_visible()
    assert tabs.locator("> *").first.bounding_box()["width"] == width


def test_each_page_is_as_it_was_left(lab, player):
    page = lab("v=1&tab=space&n=40")
    page.get_by_role("link", name="Perceptron").click()
    player.ready()
    player.go(7)
    page.wait_for_url("**/?v=1&n=40&t=7")
    page.get_by_role("link", name="Kernel lab").click()
    page.wait_for_url("**/lab?v=1&n=40&tab=space")
    page.get_by_role("link", name="Perceptron").click()
    player.ready()
    page.wait_for_url("**/?v=1&n=40&t=7")


def test_z_undoes_what_the_chips_changed_unless_one_types(lab):
    page = lab("v=1")
    page.locator(".chip[data-group=kernel]").click()
    page.locator(".dock .tiles label", has_text="Polynomial").click()
    page.wait_for_url("**/lab?v=1&kernel=polynomial")
    page.keyboard.press("Escape")
    page.keyboard.press("z")
    page.wait_for_url("**/lab?v=1")
    page.keyboard.press("Shift+Z")
    page.wait_for_url("**/lab?v=1&kernel=polynomial")
    page.get_by_role("radio", name=TABS["build"]).click()
    field = page.locator(".st-key-lab-text textarea, .st-key-lab-text input").first
    field.fill("dot(u,v)")
    field.press("z")
    assert field.input_value().endswith("z")
    assert "kernel=polynomial" in page.url
