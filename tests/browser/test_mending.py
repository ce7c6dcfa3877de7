"""A file that does not come while the page loads: the page loads once more by itself, then it says
what to do.
"""

import pytest
from driver import REFUSED

pytestmark = pytest.mark.in_app

# Of ours and of Streamlit's: the player with all its modules, a style sheet, the first script, one
# that it loads when the server has run a script.
FILES = ["page/index.js", "app.css", "static/js/index.", "static/js/BidiComponent."]
BOARD = "(root) => root.kpviz?.board"
FAILED = "A part of this page could not be loaded, also at a second try."
NO_STORAGE = REFUSED.replace("localStorage", "sessionStorage")


class Visit:
    """A first visit, in which files are refused; what the console says of that is no fault of the
    page.
    """

    def __init__(self, page, base):
        self.page = page
        self.base = base
        self.loads = 0
        self.refused = 0
        page.on("request", self._count)

    def _count(self, request):
        self.loads += request.is_navigation_request()

    def refuse(self, name, times):
        def answer(route):
            self.refused += 1
            if self.refused <= times:
                route.abort()
            else:
                route.continue_()

        self.page.route(lambda url: name in url, answer)

    def open(self):
        self.page.goto(f"{self.base}/?v=1&data=moons", wait_until="commit")

    def until_board(self):
        root = self.page.wait_for_selector(".kpviz", state="attached")
        self.page.wait_for_function(BOARD, arg=root)

    def until_failed(self):
        """Wait until it says that the second load failed, too, and whether a third one comes."""
        self.alert.filter(has_text=FAILED).wait_for()
        self.page.wait_for_timeout(3000)
        assert self.loads == 2

    @property
    def alert(self):
        return self.page.locator("#kpviz-mend")


@pytest.fixture
def visit(chromium, server):
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    context.set_default_timeout(60_000)
    context.add_init_script("localStorage.setItem('kpviz-opening', 'seen')")
    yield Visit(context.new_page(), server)
    context.close()


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_refused_once_is_there_after_one_more_load(visit, name):
    visit.refuse(name, times=1)
    visit.open()
    visit.until_board()
    assert visit.refused >= 1
    assert visit.loads <= 2
    assert visit.alert.count() == 0


@pytest.mark.parametrize("name", [FILES[0], FILES[2]])
def test_a_file_that_is_refused_for_ever_leads_to_one_sentence_and_no_loop(visit, name):
    visit.refuse(name, times=1000)
    visit.open()
    visit.until_failed()
    assert visit.alert.get_by_role("button", name="Load again").is_visible()
    assert not visit.page.get_by_text("Failed to fetch").is_visible()


def test_where_the_browser_keeps_nothing_it_loads_once_more_all_the_same(visit):
    visit.page.add_init_script(NO_STORAGE)
    visit.refuse(FILES[0], times=1000)
    visit.open()
    visit.until_failed()


def test_a_connection_that_is_cut_while_the_page_loads_is_waited_for(visit):
    cut = []

    def answer(route):
        if "BidiComponent." in route.request.url:
            cut.append(route)
        if cut:
            route.abort("connectionfailed")
        else:
            route.continue_()

    visit.page.route("**/*", answer)
    visit.open()
    visit.alert.filter(has_text="The connection was cut while this page loaded.").wait_for()
    visit.page.unroute("**/*")
    visit.until_board()
    assert visit.alert.count() == 0


@pytest.mark.parametrize("path", ["_stcore/health", "_stcore/host-config"])
def test_a_page_that_only_waits_says_so_until_it_is_answered(visit, path):
    visit.page.clock.install()
    visit.refuse(path, times=10**9)
    visit.open()
    visit.page.wait_for_selector("[data-testid=stAppSkeleton]", state="attached")
    for _ in range(40):
        visit.page.clock.run_for(1000)
    visit.alert.filter(has_text="The server does not answer this page").wait_for()
    visit.page.unroute_all(behavior="ignoreErrors")
    visit.page.clock.resume()
    visit.until_board()
    visit.alert.wait_for(state="detached")


@pytest.mark.parametrize("text", ['{"a":', "undefined"])
def test_garbage_in_streamlits_own_theme_leaves_a_board(visit, text):
    visit.page.add_init_script(f"localStorage.setItem('stActiveTheme-/-v2', {text!r})")
    visit.open()
    visit.until_board()
