"""What a tab keeps; and where a disk is full or storage is forbidden, what is open stays and what is lost is told."""

import pytest
from driver import TABLE

from kpviz.service.caches import forget

# What a browser does where the disk is full (a write fails, or its transaction does), and where storage is forbidden.
FULL = """() => {
  const full = () => new DOMException("The quota has been exceeded.", "QuotaExceededError");
  Storage.prototype.setItem = () => { throw full(); };
  IDBObjectStore.prototype.put = () => { throw full(); };
}"""
FULL_AT_THE_END = """() => {
  Storage.prototype.setItem = () => { throw new DOMException("The quota has been exceeded.", "QuotaExceededError"); };
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (...given) {
    const request = put.apply(this, given);
    request.addEventListener("success", () => this.transaction.abort());
    return request;
  };
}"""
FORBIDDEN = """() => {
  const forbidden = () => { throw new DOMException("Access is denied for this document.", "SecurityError"); };
  for (const name of ["sessionStorage", "localStorage", "indexedDB"]) {
    Object.defineProperty(window, name, { get: forbidden });
  }
}"""
REFUSALS = {"full": FULL, "full at the end": FULL_AT_THE_END, "forbidden": FORBIDDEN}


@pytest.fixture
def refused(request, player_with):
    """A tab with a table that was pasted, in a browser that keeps nothing."""
    player = player_with()
    player.page.add_init_script(f"({REFUSALS[request.param]})()")
    player.open("/?v=1")
    paste(player)
    return player


def paste(player, text=TABLE):
    player.show("data")
    area = player.page.locator(".dock textarea")
    if not area.is_visible():
        player.page.locator(".dock summary:has-text('My own file')").click()
    area.fill(text)
    player.press("Control+Enter").until("s.run.n === arg", text.count("\n") - 1).settle()
    player.press("Escape")


def test_a_table_that_was_pasted_is_shown_and_survives_a_reload(player):
    paste(player.open("/?v=1"))
    assert "what was pasted" in player.settings_button.inner_text()
    assert player.js("[...s.run.y].filter((y) => y > 0).length") == 15
    query, points = player.query, player.js("[...s.run.X]")
    player.page.wait_for_url("**data=file**")
    for loses in (lambda: None, forget):  # a server that has it still, or no longer
        loses()
        player.reload()
        assert (player.query, player.js("[...s.run.X]")) == (query, points)
    assert player.notices.count() == 1
    assert "Features are scaled to ±1" in player.notices.inner_text()


def test_a_large_table_is_one_step_of_the_history_and_back_returns_to_the_data_before_it(player):
    rows = "".join(f"{k / 7:.5f}\t{k % 13}\t{'ab'[k % 2]}\n" for k in range(1000))
    player.open("/?v=1&data=moons&t=9")
    paste(player, f"x\ty\tkind\n{rows}")
    player.page.wait_for_url("**data=file**")
    assert player.counts() == {"undo": 1, "redo": 0}
    player.press("k").settle()
    player.page.go_back()
    player.until("s.run.n === 1000 && !s.session.busy").settle()
    player.page.go_back()
    player.until_data("Moons")
    assert "data=moons" in player.page.url


@pytest.mark.parametrize("refused", ["full at the end", "forbidden"], indirect=True)
def test_an_open_table_stays_is_brought_to_a_server_that_lost_it_and_all_is_undone(refused):
    first = refused.query
    refused.press("g").settle()
    refused.press("ArrowRight").rest()
    assert (refused.t, refused.js("s.run.n")) == (1, 30)
    assert "sigma=" in refused.query
    forget()
    refused.press("z").settle().until("s.run.header.settings.query === arg", first)
    paste(refused, TABLE + "1,2,a\n3,4,b\n")
    assert refused.query != first
    forget()
    refused.press("z").settle().until("s.run.header.settings.query === arg", first)
    assert refused.js("[s.run.n, s.run.header.names.data]") == [30, "My own file"]
    refused.press("z").settle().until("s.run.header.names.data === 'XOR'")
    refused.press("Shift+Z").settle().until("s.run.header.settings.query === arg", first)


@pytest.mark.parametrize("refused", ["full", "forbidden"], indirect=True)
def test_what_neither_of_them_has_after_a_reload_is_asked_for(refused):
    forget()
    refused.page.wait_for_url("**data=file**")
    refused.reload()
    refused.page.locator(".notices p", has_text="made with a file that is not here: open the file again").wait_for()
    refused.press("ArrowRight").rest()
    assert refused.t == 1


ROWS = """async (at) => {
  const done = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const store = (await done(indexedDB.open("kpviz"))).transaction("texts", "readwrite").objectStore("texts");
  const rows = await done(store.getAll());
  for (const row of rows) if (at !== null) store.put({ ...row, at });
  return rows.length;
}"""


def rows(player, at=None):
    """How many tables the browser keeps; all of them from now on as old as `at`, in ms."""
    return player.page.evaluate(ROWS, at)


def until_rows(player, holds):
    """Wait until so many are kept; those of other tabs are among them."""
    player.page.wait_for_function(f"async () => {{ const n = await ({ROWS})(null); return {holds}; }}")


def test_a_tab_that_was_duplicated_has_the_table_when_the_first_one_is_gone(player):
    paste(player.open("/?v=1"))
    player.page.wait_for_url("**data=file**")
    until_rows(player, "n > 0")
    points, count = player.js("[...s.run.X]"), rows(player)
    with player.page.expect_popup() as opened:
        player.page.evaluate("window.open(location.href) && null")  # with a copy of what this tab keeps
    player.page.bring_to_front()
    until_rows(player, f"n > {count}")
    first = player.page
    player._watch(opened.value)
    player.ready().reload()
    first.close()
    forget()
    player.press("g").settle()
    assert player.js("[...s.run.X]") == points
    assert player.notices.count() == 1  # the features are scaled


def test_what_is_kept_is_gone_after_a_day(player):
    paste(player.open("/?v=1"))
    until_rows(player, "n > 0")
    rows(player, at=player.page.evaluate("Date.now() - 25 * 60 * 60 * 1000"))
    player.open("/?v=1")
    until_rows(player, "n === 0")


LEFT = """[sessionStorage, localStorage].map((storage) => Object.entries(storage)
  .filter(([name, text]) => name.startsWith("kpviz") || text.includes("secret")).map(([name]) => name).sort())"""


def test_forget_my_data_empties_all_that_the_browser_keeps_but_choices(player):
    paste(player.open("/?v=1"))
    player.page.wait_for_url("**data=file**")
    until_rows(player, "n > 0")
    player.page.evaluate("""() => {
      localStorage.setItem("kpviz-answers-of-a-lesson", "secret");
      localStorage.setItem("kpviz-prefers-theme", "dark");
    }""")
    player.press("u").page.get_by_label("Words", exact=True).fill("secret")
    player.press("Escape", "h")
    assert all(len(names) > 1 for names in player.page.evaluate(LEFT))
    player.page.get_by_role("button", name="Forget my data").click()
    player.until("s.controls.statusLine.textContent.startsWith('Tables and drawings were deleted')")
    assert rows(player) == 0
    assert player.page.evaluate(LEFT) == [["kpviz-tab"], ["kpviz-prefers-theme"]]
    forget()
    player.reload()
    player.page.locator(".notices p", has_text="open the file again").wait_for()


def test_a_table_of_the_board_comes_along_to_fishers_page(player):
    paste(player.open("/?v=1"))
    player.page.get_by_role("link", name="Fisher").click()
    player.page.wait_for_url("**/fisher?v=1&data=file**")
    player.page.get_by_role("button", name="Settings").filter(has_text="what was pasted").wait_for()
