"""A lesson in another language: its column, its voting card and the sentence of a film speak it; the
board's long sentences do not, and the page says so.
"""

import pytest

from kpviz.lessons import languages

TEXT = """---
title: Eine Lektion
language: {language}
minutes: 10
---
## Eins
objective: etwas sagen
link: v=1&data=xor&n=16&noise=0

Worte.

```task number
ask: Wie viele Fehler sind es am Ende?
value: mistakes
hint: Zähle sie.
```

```task choose
ask: Was stimmt?
choice: Eins.
choice: Zwei.
answer: A
```

## Zwei
link: v=1&data=moons

```task predict
ask: Was kommt?
```
"""
SAID = """() => {
  const element = s.lesson.element;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode.data.trim());
  for (const one of element.querySelectorAll("[aria-label], [title]")) {
    texts.push(one.getAttribute("aria-label") ?? "", one.title);
  }
  return texts.filter(Boolean);
}"""


def read(player, language, scene=0):
    player.js(
        "(s.lesson.read({ text: arg[0] }, arg[1]), 0)", [TEXT.format(language=language), scene]
    )
    player.until("s.lesson.lesson?.language === arg && !s.lesson.arriving", language)
    return player.settle()


def english(player, language):
    """What is said in English although the table has it."""
    texts = player.js(f"({SAID})()")
    return [text for text in texts if languages.translate(text, language) != text]


@pytest.mark.parametrize("language", ["de", "es"])
def test_the_column_speaks_the_language_and_english_again_in_an_english_lesson(player, language):
    read(player.open("/?v=1"), language)
    table = languages.phrases(language)
    assert english(player, language) == []
    texts = player.js(f"({SAID})()")
    for phrase in ("Check", "Hint", "The long sentences on the board are in English."):
        assert table[phrase] in texts
    assert player.js("s.lesson.element.lang") == language
    player.js("s.lesson.go(1)")
    player.settle()
    assert english(player, language) == []
    read(player, "en")
    texts = player.js(f"({SAID})()")
    assert "Check" in texts
    assert table["Check"] not in texts


def test_the_voting_card_and_a_verdict_speak_it(player):
    read(player.open("/?v=1"), "de")
    player.page.get_by_role("button", name="Abstimmen").press("Enter")
    card = player.page.locator(".voting-card")
    assert card.locator(".how").get_attribute("lang") == "de"
    card.get_by_text("Wähle und halte es hoch.").wait_for()
    card.get_by_role("button", name="A Eins.").press("Enter")
    card.get_by_text("zum Ändern tippen").wait_for()
