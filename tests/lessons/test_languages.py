"""What kpviz says in a lesson, in the language of the lesson: complete, and by one rule in both
languages of the program.
"""

import re
from pathlib import Path

import pytest
from visitor import ask

from kpviz.export import pace, scenes
from kpviz.export.films import FilmOptions
from kpviz.export.print.handout import Handout
from kpviz.lessons import languages, shelf
from kpviz.lessons.file import check, format

TABLES = languages._LANGUAGES
ALL = sorted({phrase for table in TABLES.values() for phrase in table})
WEB = Path(languages.__file__).parents[2] / "player" / "web"
TEXT = """---
title: Erste Lektion
language: {language}
---
## Eins
link: v=1&data=xor&n=16&noise=0

```task number
ask: Wie viele Fehler sind es am Ende?
value: mistakes
```

```task predict
ask: Was kommt?
count: 2
```
"""


@pytest.mark.parametrize("language", TABLES)
def test_a_language_has_all_phrases_with_their_values_and_nothing_is_empty(language):
    table = TABLES[language]
    assert [phrase for phrase in ALL if phrase not in table] == []  # what is missing
    for phrase, words in table.items():
        assert words.strip()
        assert sorted(languages.VALUE.findall(phrase)) == sorted(languages.VALUE.findall(words))


def filled(phrase):
    """A phrase as it is said, with values that no table has."""
    return languages.VALUE.sub(lambda value: "7" if value[1] in ("n", "all") else "x", phrase)


@pytest.mark.parametrize("language", TABLES)
def test_every_phrase_is_found_with_its_values_alone_and_between_other_sentences(language):
    for phrase in ALL:
        text, expected = filled(phrase), filled(TABLES[language][phrase])
        assert languages.translate(text, language) == expected
        if text.endswith("."):
            assert languages.translate(f"Ja. {text} Ja.", language) == f"Ja. {expected} Ja."


def test_english_and_what_no_table_has_stay_as_they_are():
    for text in ("Check", "Die Karte.", "", "  ", "{n}", "a\\b$1"):
        assert languages.translate(text, "en") == text
        assert languages.translate(text, "fr") == text
        assert text == "Check" or languages.translate(text, "de") == text


# What a page says by a literal that stands in the code: such a phrase is in the tables.
SPEAKING = [
    *("modes/lesson.js", "page/voting_card.js", "page/lesson/fields.js", "page/lesson/words.js"),
]
LITERAL = re.compile(r'"([A-Z][^"\n]*[a-z][.?:…]?)"')


@pytest.mark.parametrize("name", SPEAKING)
@pytest.mark.parametrize("language", TABLES)
def test_what_the_column_of_a_lesson_says_is_in_the_tables(name, language):
    text = WEB.joinpath(name).read_text(encoding="utf-8")
    literals = {literal.strip() for literal in LITERAL.findall(text)} - ENGLISH
    missing = [text for text in sorted(literals) if languages.translate(text, language) == text]
    assert [text for text in missing if text not in TABLES[language]] == []


# Names of keys, and what only the board and its notices say.
ENGLISH = {
    "Backspace", "Delete", "Enter", "Escape", "Infinity", "ArrowRight", "ArrowLeft", "ArrowUp",
    "ArrowDown", "Tab", "Home", "End",
    "This lesson could not be opened.",
    "These are the scene’s own settings and panels.",
    "No further scene: this is the last one.",
    "What it shows",
    "This browser may let the screen go dark meanwhile.",
}  # fmt: skip


def answers_of(task):
    """A right answer to a task and wrong ones, as far as its kind has some."""
    answer = dict(task.solve().answer)
    yield answer
    if "verdicts" in answer:
        yield {"verdicts": ["correct" if v == "mistake" else "mistake" for v in answer["verdicts"]]}
    if "choices" in answer:
        count = len(task.question.choices)
        yield {"choices": []}
        yield {"choices": [k for k in range(count) if k not in answer["choices"]]}
        yield {"choices": answer["choices"][:-1]}
    if "number" in answer:
        yield {"number": answer["number"] + 1234}
        yield {"number": -answer["number"]}
    if "examples" in answer:
        yield {"examples": [k for k in range(5) if k not in answer["examples"]]}
        yield {"examples": answer["examples"][:-1]}
        yield {"examples": [1999]}


@pytest.mark.parametrize("language", TABLES)
def test_what_is_said_of_answers_to_the_shipped_tasks_is_said_in_the_language(language):
    english = []
    for name in shelf.paths():
        if not name.startswith("lesson"):
            continue
        lesson = shelf.read(name)
        for _, task in lesson.tasks:
            if task.kind in ("reach", "draw", "explain", "perform"):
                continue
            for answer in answers_of(task):
                for tried in (0, 1):
                    why = task.check(answer, tried).why
                    for sentence in re.split(r"(?<=[.?!])\s+", why):
                        by_author = sentence.rstrip(".") in lesson.text
                        if not by_author and languages.translate(sentence, language) == sentence:
                            english.append(sentence)
    assert sorted(set(english)) == []


def test_a_page_gets_its_table_and_verdicts_in_its_language():
    lesson = {"text": TEXT.format(language="de-CH")}
    plain = ask({"lesson": lesson})[0]["lesson"]
    assert plain["phrases"]["Check"] == "Prüfen"
    task = {"scene": 0, "task": 0, "tried": 1, "answer": {"number": 1000}}
    assert ask({"lesson": lesson, "task": task})[0]["checked"]["why"].startswith("Zu groß.")
    assert ask({"lesson": {"text": TEXT.format(language="en")}})[0]["lesson"]["phrases"] == {}


def test_captions_and_handouts_speak_it():
    lesson = format.read(TEXT.format(language="de").replace("title:", "minutes: 10\ntitle:"))
    film, _ = scenes.film(lesson, FilmOptions(speed=0.5))
    told = " ".join(words for _, part in film.parts for _, _, words in pace.captions(part.shots))
    assert "ein Fehler. Ein oranger Hügel." in told, told
    assert "a mistake. An orange hill." not in told
    sheet = Handout(lesson, solved=True).sheet()
    assert (sheet.mark, sheet.under) == ("Lösungen", "10 Minuten")
    text = str(sheet.body)
    assert "Aufgabe 1.1" in text
    assert "Task 1.1" not in text


@pytest.mark.parametrize(
    "word", ["Notiz", "Notizen", "Hinweis", "Anmerkung", "nota", "Notas", "remarque", "note"]
)
def test_check_knows_each_languages_word_for_a_note(word):
    text = TEXT.format(language="de") + f"\n> {word}: Frag die letzte Reihe.\n"
    (fault,) = check.faults(text)
    assert "Students see" in fault.what
    assert format.read(text)  # it can be read all the same
