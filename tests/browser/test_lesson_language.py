"""A lesson in another language: its column, its voting card and the sentence of a film speak it; the
board's long sentences do not, and the page says so.
"""

import re
from functools import cache

import pytest
from answering import Lesson

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
    assert player.js("document.documentElement.lang") == "en"
    assert player.js("getComputedStyle(s.lesson.element).hyphens") == "auto"
    player.js("s.lesson.go(1)")
    player.settle()
    assert english(player, language) == []
    read(player, "en")
    texts = player.js(f"({SAID})()")
    assert "Check" in texts
    assert table["Check"] not in texts
    assert player.js("getComputedStyle(s.lesson.element).hyphens") == "manual"


def test_the_voting_card_and_a_verdict_speak_it(player):
    read(player.open("/?v=1"), "de")
    player.page.get_by_role("button", name="Abstimmen").press("Enter")
    card = player.page.locator(".voting-card")
    assert card.get_attribute("lang") == "de"
    card.get_by_text("Wähle und halte es hoch.").wait_for()
    card.get_by_role("button", name="A Eins.").press("Enter")
    card.get_by_text("zum Ändern tippen").wait_for()


# A lesson with a task of each kind, of which the words of its author all have a mark.
KINDS = """---
title: ¤Alles
language: {language}
---
## ¤Eins
link: v=1&data=xor&n=16&noise=0

¤Worte.

```task predict
ask: ¤Was kommt?
count: 2
```

```task choose
ask: ¤Was stimmt?
choice: ¤Eins.
choice: ¤Zwei.
choice: ¤Drei.
answer: A
hint: ¤Denk nach.
```

```task number
ask: ¤Wie viele?
value: mistakes
hint: ¤Zähle.
```

```task click
ask: ¤Was ist der nächste?
what: next mistake
```

```task reach
ask: ¤Erreiche es.
within: sigma 0.1 to 3, kernel gaussian or linear, predictor, epochs 1 to 50
until: mistakes <= 1000 and sigma >= 2
solution: v=1&data=xor&n=16&noise=0&sigma=2
```

```task draw
ask: ¤Zeichne.
within: added 0 to 3, removed 0 to 0
until: n >= 18
solution: v=1&data=xor&n=18&noise=0
```

```task perform
ask: ¤Sei die Maschine.
count: 1
```

```task explain
ask: ¤Warum?
```
"""
# What is seen or heard of the column.
LESSON_TEXTS = """() => {
  const element = s.lesson.element;
  const texts = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!parent.closest("[hidden], code")) texts.push(walker.currentNode.data.trim());
  }
  for (const one of element.querySelectorAll("[aria-label], [title], [placeholder]")) {
    for (const name of ["aria-label", "title", "placeholder"]) texts.push(one.getAttribute(name));
  }
  return texts.filter(Boolean);
}"""


# Numbers, names of examples and of classes, which come into a sentence.
VALUES = r"\S*[₀-₉0-9−+]\S*|\b(?:orange|blau|naranja|azul)\b"


def is_in(language, text):
    """Whether a text is the author's, has no words, or is one that the language has."""
    parts = [text] if _is_said(language, text) else re.split(r"(?<=[.?!:])\s+| · ", text)
    return all(_is_said(language, part.strip()) for part in parts)


def _is_said(language, text):
    if "¤" in text or not re.search(r"[A-Za-zÀ-ÿ]{2}", text):
        return True
    if any(pattern.fullmatch(text) for pattern in _patterns_of(language)):
        return True
    # The names of classes have elements of their own within a sentence: pieces are left of it.
    pieces = (piece.strip(" ,.:;✓✗") for piece in re.split(VALUES, text))
    said = languages.phrases(language).values()
    return all(any(piece in words for words in said) for piece in pieces)


@cache
def _patterns_of(language):
    """What the language says, with its values as the sentences have them."""
    said = set(languages.phrases(language).values())
    said |= {part for words in said for part in re.split(r"(?<=[.?!:])\s+", words)}
    return [
        re.compile(".+?".join(map(re.escape, re.split(r"\{\w+\}", words))), re.DOTALL)
        for words in said
        if re.search(r"[A-Za-zÀ-ÿ]{2}", re.sub(r"\{\w+\}", "", words))
    ]


def strangers(player, language):
    return [text for text in player.js(f"({LESSON_TEXTS})()") if not is_in(language, text)]


@pytest.mark.parametrize("language", ["de", "es"])
def test_no_english_word_stands_in_the_column_of_a_lesson_with_each_kind_of_task(player, language):
    player.open("/?v=1")
    player.js("(s.lesson.read({ text: arg }, 0), 0)", KINDS.format(language=language))
    player.until("s.lesson.lesson?.language === arg && !s.lesson.arriving", language)
    kinds = player.js("s.lesson.scene.tasks.map(({ kind }) => kind)")
    assert len(kinds) == 8
    for k, kind in enumerate(kinds):
        player.js("(s.lesson.showTask(arg), 0)", k)
        player.until("!s.lesson.arriving")
        player.settle()
        assert strangers(player, language) == [], kind
        answer_twice(player, kind, language)
    player.js("(s.lesson.showTask(null), 0)")
    player.settle()
    assert strangers(player, language) == []


def answer_twice(player, kind, language):
    """Answer a task wrongly, as far as two presses or words can, and read what is said."""
    for text in ("77", "78"):
        if kind in ("predict", "choose"):
            player.js("(s.lesson.view.key(arg), 0)", "2" if kind == "choose" else "1")
        elif kind in ("number", "click", "explain"):
            player.js(FILL, text)
        else:
            player.js("(s.lesson.task.check(), 0)")
        player.until("!s.lesson.task.busy && !s.lesson.arriving")
        player.settle()
        assert strangers(player, language) == [], (kind, text)


FILL = """(() => {
  const { task, view } = s.lesson;
  const field = view.room.querySelector("input, textarea");
  field.value = arg;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  task.check();
  return 0;
})()"""


BOX = "s.present.classVotes.box"
COMES = "s.present.classVotes.on && s.present.classVotes.state.kind !== 'coming'"
CLASS_TEXTS = """() => {
  const { element } = s.present.classVotes.box;
  const texts = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (parentElement.checkVisibility()) texts.push(data.trim());
  }
  return texts.filter(Boolean);
}"""


@pytest.mark.parametrize("language", ["de", "es"])
def test_a_question_on_the_stage_and_its_votes_speak_it(player, language):
    text = KINDS.format(language=language)
    table = languages.phrases(language)
    player.page.set_viewport_size({"width": 1920, "height": 1080})
    player.open("/?v=1&stage=window").until("s.present.on")
    Lesson(player).read(text)
    player.js("(s.present.slides.hide(), s.cursor.go(Infinity), 0)")
    player.rest().press("PageDown").until(COMES).rest()

    def said():
        player.settle()
        texts = player.js(f"({CLASS_TEXTS})()")
        assert [text for text in texts if not is_in(language, text)] == []
        return texts

    assert table["Hold up your phone, or your hand"] in said()
    assert player.js(f"{BOX}.element.lang") == language
    player.press("PageDown").rest()
    assert table["No votes yet: PageDown once more shows what happens."] in said()
    player.press("1", "1", "2").rest()
    sentence = table["{votes} · Talk to your neighbour, then vote again"]
    assert sentence.format(votes=table["{n} votes"].format(n=3)) in said()
    assert player.js(f"{BOX}.element.scrollHeight - {BOX}.element.clientHeight") <= 1
    player.press("PageDown").rest()
    said()


@pytest.mark.parametrize("language", ["de", "es"])
def test_guess_first_within_a_lesson_asks_in_its_language(player, language):
    read(player.open("/?v=1"), language)
    table = languages.phrases(language)
    player.js("(s.lesson.go(1), 0)")
    player.until("!s.lesson.arriving")
    player.js("(s.lesson.showTask(null), s.cursor.put(1), s.standing.question.predictFrom(1), 0)")
    player.until("s.standing.question.on").settle()
    words = player.page.get_by_label(table["Your prediction"]).inner_text()
    for phrase in ("Which side will f put it on?", "Stop guessing", "orange", "blue"):
        assert table[phrase] in words
    assert table["{x} comes next."].format(x="x₂") in words
    assert table["Guess first"] in words
    assert "epoch" not in words
    assert "mistake" not in words
