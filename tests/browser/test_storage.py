"""What a tab keeps; and where a disk is full or storage is forbidden, what is open stays and what
is lost is told.
"""

from urllib.parse import urljoin

import pytest
from driver import TABLE

from kpviz.service.caches import forget

# What a browser does where the disk is full (a write fails, or its transaction does), and where
# storage is forbidden.
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


BESIDE = "/service/texts.js"  # A file of the server: what the browser keeps is the page's, too.
FORGET = (
    "async () => { const { Keep } = await import('/service/keep.js'); await new Keep().forget(); }"
)


@pytest.fixture
def forgetful(another):
    """A tab in a browser that has kept nothing yet."""
    another.page.goto(urljoin(another.base, BESIDE))
    another.page.evaluate(FORGET)
    return another


@pytest.fixture
def refused(request, forgetful):
    """A tab with a table that was pasted, in a browser that keeps nothing."""
    forgetful.page.add_init_script(f"({REFUSALS[request.param]})()")
    paste(forgetful.open("/?v=1"))
    return forgetful


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
    refused.page.locator(
        ".notices p", has_text="made with a file that is not here: open the file again"
    ).wait_for()
    refused.press("ArrowRight").rest()
    assert refused.t == 1


ROWS = """async () => {
  const done = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const store = (await done(indexedDB.open("kpviz"))).transaction("texts").objectStore("texts");
  return (await done(store.getAllKeys())).filter(([kind]) => kind === "").map(([, name]) => name);
}"""


def rows(player):
    """The names of the tables that the browser keeps."""
    return player.page.evaluate(ROWS)


def until_rows(player, holds):
    """Wait until so many are kept; those of other tests are among them."""
    player.page.wait_for_function(
        f"async () => {{ const n = (await ({ROWS})()).length; return {holds}; }}"
    )


def test_a_link_that_is_opened_again_in_another_tab_has_its_table(player, another):
    paste(player.open("/?v=1"))
    player.page.wait_for_url("**data=file**")
    until_rows(player, "n > 0")
    points, address = player.js("[...s.run.X]"), player.page.url.removeprefix(player.base)
    player.page.goto("about:blank")
    for _ in range(2):
        forget()
        another.anew(address)
        assert another.js("[...s.run.X]") == points
    assert another.notices.count() == 1  # the features are scaled


# The class alone, whose time is said. Each of its tabs begins with what `names` says that it needs.
KEEP = """async ([body, room, readRows]) => {
  const { Keep } = await import("/service/keep.js");
  const rows = eval(readRows);
  const HOUR = 60 * 60 * 1000, DAY = 24 * HOUR;
  const clock = { now: Date.UTC(2026, 10, 27, 17) };
  const tab = (names = []) => {
    sessionStorage.setItem("kpviz-stored", JSON.stringify(names));
    return new Keep(() => clock.now, room ?? undefined);
  };
  await tab().forget();
  const record = (length) => ({ name: "paste", value: { text: "x".repeat(length) } });
  const result = await new (async () => {}).constructor("tab", "clock", "record", "rows", "HOUR", "DAY", body)(
    tab, clock, record, rows, HOUR, DAY,
  );
  await tab().forget();
  return result;
}"""


@pytest.fixture
def keep(player):
    """A function that plays what tabs keep, and when."""
    player.page.goto(urljoin(player.base, BESIDE))
    return lambda body, room=None: player.page.evaluate(KEEP, [body, room, ROWS])


def test_a_table_lives_as_long_as_a_tab_that_needs_it_and_a_month_after(keep):
    script = """
      const first = tab();
      await first.put("a~1", record(5));
      await first.put("b~2", record(5));
      for (let day = 0; day < 60; day++) {
        clock.now += DAY;
        await first.renew();
      }
      const left = await rows(); // the tab stayed open for two months
      clock.now += 20 * DAY;
      await tab(["a~1"]).renew(); // it was discarded, and loaded again
      clock.now += 20 * DAY;
      await tab().renew();
      const after = await rows();
      clock.now += 12 * DAY;
      await tab().renew();
      return [left, after, await rows()];
    """
    assert keep(script) == [["a~1", "b~2"], ["a~1"], []]


def test_beyond_their_room_the_tables_that_were_needed_longest_ago_go(keep):
    script = """
      const one = tab();
      for (const name of ["a~1", "b~2", "c~3"]) {
        await one.put(name, record(400));
        clock.now += HOUR;
      }
      const both = await rows();
      await tab(["b~2"]).renew();
      await tab().put("d~4", record(400));
      return [both, await rows()];
    """
    assert keep(script, 1000) == [["b~2", "c~3"], ["b~2", "d~4"]]


DAMAGED = {
    "no store": 'request.result.createObjectStore("others")',
    "another key": 'request.result.createObjectStore("texts", { keyPath: "id" })',
    "no key": 'request.result.createObjectStore("texts", { autoIncrement: true })',
    "a newer version": 'request.result.createObjectStore("texts", { keyPath: ["tab", "name"] })',
    "other rows": """{
      const store = request.result.createObjectStore("texts", { keyPath: ["tab", "name"] });
      store.put({ tab: "", name: "a~1", record: "none" });
      store.put({ tab: "", name: "b~2" });
      store.put({ tab: "date", name: "c~3", at: "yesterday", size: null });
      store.put({ tab: "date", name: "a~1", at: 1 / 0, size: -1 });
      store.put({ tab: "17-0.5", name: "d~4", at: "yesterday", record: null });
      store.put({ tab: 5, name: 7, at: {}, record: [] });
    }""",
}


DAMAGE = """([version, damage]) => new Promise((resolve, reject) => {
  const gone = indexedDB.deleteDatabase("kpviz");
  gone.onblocked = gone.onerror = reject;
  gone.onsuccess = () => {
    const request = indexedDB.open("kpviz", version);
    request.onupgradeneeded = () => new Function("request", damage)(request);
    request.onsuccess = () => (request.result.close(), resolve(0));
    request.onerror = reject;
  };
})"""


def test_a_damaged_database_costs_what_is_in_it_and_the_next_table_is_kept(player_with):
    player = player_with()
    told = player.page.locator(".notices p", has_text="This browser could not keep what was pasted")
    for damage, script in DAMAGED.items():
        player.page.goto(urljoin(player.base, BESIDE))
        version = 2 if damage == "a newer version" else 1
        player.page.evaluate(DAMAGE, [version, script])
        player.page.evaluate("sessionStorage.clear()")
        paste(player.open("/?v=1"))
        player.page.wait_for_url("**data=file**")
        assert player.js("s.run.n") == 30, damage
        if version == 2:  # a newer kpviz needs it
            told.wait_for()
            continue
        until_rows(player, "n > 0")
        forget()
        player.reload()
        assert player.js("s.run.n") == 30, damage
        assert told.count() == 0, damage


def test_a_table_that_an_older_kpviz_kept_for_one_tab_is_there_for_all(player):
    player.open("/?v=1")
    player.page.evaluate("""() => new Promise((resolve) => {
      const request = indexedDB.open("kpviz");
      request.onsuccess = () => {
        const transaction = request.result.transaction("texts", "readwrite");
        const record = { name: "paste", value: { text: "a" } };
        transaction.objectStore("texts").put({ tab: "17-0.5", name: "old~1", record, at: Date.now() });
        transaction.oncomplete = () => (request.result.close(), resolve(0));
      };
    })""")
    player.page.goto(f"{player.base}/?v=1")
    player.ready()
    found = player.js("s.session.keep.all(['old~1'])")
    assert found == {"old~1": {"name": "paste", "value": {"text": "a"}}}


# What is in every text that the browser keeps for kpviz, instead of what was there; all that there
# may be are there.
GARBAGE = ["{", "null", "[]", "{}", "1e400", "-7", '"text"', "[[[[", "x" * 100_000]
SPOIL = """(garbage) => {
  const ofTab = ["kpviz", "kpviz-returned", "kpviz-entries", "kpviz-stored", "kpviz-full", "kpviz-notes"];
  ofTab.push("kpviz-left-entry", "kpviz-slide", "kpviz-votes", "kpviz-backwards", "kpviz-lesson-text", "kpviz-reloaded");
  for (let k = 0; k < 9; k++) ofTab.push(`kpviz-entry-${k}`);
  for (const name of [...ofTab, ...Object.keys(sessionStorage)]) sessionStorage.setItem(name, garbage);
  const ofAll = ["formula", "patterns", "flashes", "spoken", "shortcuts"].map((name) => `kpviz-prefers-${name}`);
  for (const name of [...ofAll, "kpviz-opening", "kpviz-done-xor"]) localStorage.setItem(name, garbage);
}"""


def test_garbage_in_all_that_the_browser_keeps_leaves_a_board_that_works(another):
    player = another
    player.open("/?v=1&data=moons").press("g").settle()
    for garbage in GARBAGE:
        player.page.evaluate(SPOIL, garbage)
        player.reload()
        assert player.js("s.run.header.names.data") == "Moons"
        before = player.query
        player.press("g").settle()
        assert player.query != before
        player.press("z").settle()
        assert player.query == before
        assert player.notices.count() == 0


def test_a_damaged_entry_of_the_history_ends_what_can_be_undone(another):
    player = another
    player.open("/?v=1&data=moons")
    queries = []
    for _ in range(4):
        queries.append(player.query)
        player.press("g").settle()
    player.page.wait_for_function("(count) => history.length >= count", arg=4)
    newest = player.js("s.session.history.index")
    player.page.evaluate("(name) => sessionStorage.setItem(name, '{')", f"kpviz-entry-{newest - 2}")
    player.reload()
    assert player.counts() == {"undo": 1, "redo": 0}
    player.press("z").settle()
    assert player.query == queries[-1]
    player.press("z").settle()
    assert player.query == queries[-1]
    player.press("Shift+Z").settle()
    assert player.counts() == {"undo": 1, "redo": 0}


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
    player.press("Escape", ",")
    assert all(len(names) > 1 for names in player.page.evaluate(LEFT))
    player.page.get_by_role("button", name="Forget my tables, drawings and progress").click()
    player.until(
        "s.controls.statusLine.textContent.startsWith('Tables, drawings and progress were deleted')"
    )
    assert rows(player) == []
    assert player.page.evaluate(LEFT) == [[], ["kpviz-prefers-theme"]]
    forget()
    player.reload()
    player.page.locator(".notices p", has_text="open the file again").wait_for()


def test_a_table_of_the_board_comes_along_to_fishers_page(player):
    paste(player.open("/?v=1"))
    player.page.get_by_role("link", name="Fisher").click()
    player.page.wait_for_url("**/fisher?v=1&data=file**")
    player.page.get_by_role("button", name="Settings").filter(has_text="what was pasted").wait_for()
