"""A lesson and what is around it: what a server signs, the lecturer's notes, scenes of other pages, runs that go on."""

import json

from kpviz.lessons import attest, grading, results, shelf
from kpviz.lessons.file import format

TEXT = """---
title: Ways
---
## First
link: v=1&data=xor&n=16&noise=0

> notes: Wait for *questions*.

```task number
ask: How many mistakes at the end?
value: mistakes
```

```task number
ask: And how many examples?
value: n
```
"""


def named(player, folder, monkeypatch, text=TEXT, scene=1):
    """Open a lesson by its name from a server that was given a folder."""
    (folder / "ways.kpviz.md").write_text(text, encoding="utf-8")
    monkeypatch.setenv(shelf.FOLDER, str(folder))
    player.open("/?v=1")
    player.js("localStorage.removeItem('kpviz-lesson-ways')")
    player.open(f"/?lesson=ways&scene={scene}").until("s.lesson.open && !s.lesson.arriving").settle()
    return player


def test_a_server_signs_each_answer_as_one_that_follows_the_one_before(player, tmp_path, monkeypatch):
    named(player, tmp_path, monkeypatch)
    forms = player.page.locator(".lesson form")
    for k, number in [(0, 5), (0, 6), (1, 15)]:
        forms.nth(k).locator("input").fill(str(number))
        forms.nth(k).locator("button[type=submit]").click()
        player.until("![...r.querySelectorAll('.lesson form .verdict')].some((e) => e.textContent === '…')")
    player.reload().until("s.lesson.open").settle()
    forms.nth(1).locator("input").fill("16")
    forms.nth(1).locator("button[type=submit]").click()
    player.until("s.lesson.forms.every((form) => form.isOver)")
    with player.page.expect_download() as download:
        player.page.get_by_role("button", name="Save my results").click()
    content = download.value.path().read_bytes()
    key = attest.read_key(tmp_path / attest.FILE)
    grade = grading.grade(results.read(content), format.read(TEXT), key)
    assert (grade.points, grade.attested, grade.whole, grade.notes) == (2, True, True, ())
    found = json.loads(content)
    del found["tasks"][0]["answers"][0]
    assert not grading.grade(results.read(json.dumps(found).encode()), format.read(TEXT), key).whole


def test_the_lecturers_notes_come_with_a_named_lesson_where_the_server_sends_them(player, tmp_path, monkeypatch):
    assert named(player, tmp_path, monkeypatch).js("s.player.notes") == ""
    monkeypatch.setenv(shelf.NOTES, "yes")
    assert named(player, tmp_path, monkeypatch).js("s.player.notes") == "Wait for questions.\n"
