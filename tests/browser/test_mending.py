"""A file that does not come while the page loads: the page loads once more by itself, then it says
what to do.
"""

import re

import pytest
from asking import served
from driver import REFUSED
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from kpviz.server.front import Component, Front

MODULE = "page/index.js"  # the player with all its modules
STREAMLITS = "static/js/index."  # its first script
LATER = "static/js/BidiComponent."  # what it loads when the server has run a script
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

        self.page.route(re.compile(re.escape(name)), answer)

    def open(self):
        self.page.goto(f"{self.base}/?v=1&data=moons", wait_until="commit")

    def until_board(self):
        root = self.page.wait_for_selector(".kpviz", state="attached")
        self.page.wait_for_function(BOARD, arg=root)

    @property
    def alert(self):
        return self.page.locator("#kpviz-mend")


@pytest.fixture
def context(chromium):
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    context.set_default_timeout(60_000)
    context.add_init_script("localStorage.setItem('kpviz-opening', 'seen')")
    yield context
    context.close()


@pytest.fixture
def visit(context, server):
    return Visit(context.new_page(), server)


# ---- the app -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [MODULE, LATER])
def test_a_file_that_is_refused_once_is_there_after_one_more_load(visit, name):
    visit.refuse(name, times=1)
    visit.open()
    visit.until_board()
    assert visit.refused >= 1
    assert visit.loads <= 2
    assert visit.alert.count() == 0


def test_a_file_that_is_refused_for_ever_leads_to_one_sentence(visit):
    visit.refuse(MODULE, times=1000)
    visit.open()
    visit.alert.filter(has_text=FAILED).wait_for()
    assert visit.loads == 2
    assert not visit.page.get_by_text("Failed to fetch").is_visible()


def test_a_page_that_only_waits_says_so_until_it_is_answered_also_where_streamlits_theme_is_damaged(
    visit,
):
    visit.page.add_init_script("localStorage.setItem('stActiveTheme-/-v2', '{\"a\":')")
    visit.page.clock.install()
    visit.refuse("_stcore/health", times=10**9)
    visit.open()
    visit.page.wait_for_selector("[data-testid=stAppSkeleton]", state="attached")
    for _ in range(40):
        visit.page.clock.run_for(1000)
    visit.alert.filter(has_text="The server does not answer this page").wait_for()
    visit.page.unroute_all(behavior="ignoreErrors")
    visit.page.clock.resume()
    visit.until_board()
    visit.alert.wait_for(state="detached")


# ---- a page that loads its files as Streamlit's does ---------------------------------------------

PAGE = """<html><head><script type="module" src="/static/js/index.a.js"></script></head>
<body><div id="root"></div></body></html>"""
ROOT = "document.querySelector('#root')"
SCRIPTS = {  # Streamlit's first one loads others, and at last there is something in the page
    STREAMLITS: f"import('/{LATER}b.js').then(() => ({ROOT}.textContent = 'A board.'));",
    LATER: f"{ROOT}.append(document.createElement('p'));",
    MODULE: "",
}


@pytest.fixture(scope="module")
def stand_in():
    """The address of such a page, with what `Front` adds to its head."""

    def answer(request):
        path = request.url.path
        if path == "/":
            return HTMLResponse(PAGE)
        text = next((text for name, text in SCRIPTS.items() if name in path), "")
        kind = "text/css" if path.endswith(".css") else "text/javascript"
        return Response(text, media_type=kind)

    components = {"": Component("kpviz.stage", MODULE, ("app.css",))}
    routes = [Route("/{path:path}", answer)]
    app = Starlette(routes=routes, middleware=[Middleware(Front, components=components)])
    with served(app) as address:
        yield f"http://{address}"


@pytest.fixture
def quick_visit(context, stand_in):
    return Visit(context.new_page(), stand_in)


def until_there(visit):
    visit.page.get_by_text("A board.").wait_for()
    assert visit.alert.count() == 0


@pytest.mark.parametrize("name", [MODULE, "app.css", STREAMLITS, LATER])
def test_whatever_is_refused_once_is_there_after_one_more_load(quick_visit, name):
    quick_visit.refuse(name, times=1)
    quick_visit.open()
    # What is refused may not be what shows the board: then the first page has one for a moment.
    quick_visit.page.wait_for_event("load", lambda _: quick_visit.loads > 1)
    until_there(quick_visit)
    assert (quick_visit.refused >= 1, quick_visit.loads) == (True, 2)


@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize("name", [MODULE, STREAMLITS])
def test_whatever_is_refused_for_ever_makes_no_loop_also_where_the_browser_keeps_nothing(
    quick_visit, name, keeps
):
    if not keeps:
        quick_visit.page.add_init_script(NO_STORAGE)
    quick_visit.refuse(name, times=1000)
    quick_visit.open()
    quick_visit.alert.filter(has_text=FAILED).wait_for()
    quick_visit.page.wait_for_timeout(1500)
    assert quick_visit.loads == 2
    quick_visit.page.unroute_all(behavior="ignoreErrors")
    quick_visit.alert.get_by_role("button", name="Load again").click()
    until_there(quick_visit)


def test_a_connection_that_is_cut_while_the_page_loads_is_waited_for(quick_visit):
    cut = []

    def answer(route):
        if LATER in route.request.url:
            cut.append(route)
        if cut:
            route.abort("connectionfailed")
        else:
            route.continue_()

    quick_visit.page.route("**/*", answer)
    quick_visit.open()
    quick_visit.alert.filter(has_text="The connection was cut while this page loaded.").wait_for()
    quick_visit.page.unroute("**/*")
    until_there(quick_visit)


@pytest.mark.parametrize("text", ['{"a":', "undefined"])
def test_garbage_in_streamlits_own_theme_is_taken_away_and_nothing_else(quick_visit, text):
    kept = {"stActiveTheme-/-v2": text, "stActiveTheme-/lessons-v2": '{"a": 1}', "another": "{"}
    for name, value in kept.items():
        quick_visit.page.add_init_script(f"localStorage.setItem({name!r}, {value!r})")
    quick_visit.open()
    until_there(quick_visit)
    left = quick_visit.page.evaluate("Object.keys(localStorage).sort()")
    assert left == ["another", "kpviz-opening", "stActiveTheme-/lessons-v2"]
