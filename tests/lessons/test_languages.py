"""What kpviz says in a lesson, in the language of the lesson: complete, and by one rule in both
languages of the program.
"""

import re
from functools import cache

import phrases
import pytest
from hypothesis import given
from hypothesis import strategies as st
from visitor import ask

import kpviz
from kpviz.export import pace, scenes
from kpviz.export.films import FilmOptions
from kpviz.export.print.handout import Handout
from kpviz.lessons import explain, languages, shelf
from kpviz.lessons.file import check, format
from kpviz.lessons.file.conditions import Condition
from kpviz.lessons.file.kinds.puzzle import Puzzle
from kpviz.service import dock
from kpviz.service.dock.fields import DockState
from kpviz.settings import Settings

TABLES = languages._LANGUAGES
ALL = sorted({phrase for table in TABLES.values() for phrase in table})
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
def test_a_phrase_has_its_values_in_each_language_and_nothing_is_empty(language):
    for phrase, words in TABLES[language].items():
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
        if text.endswith(".") and ". " not in text:
            assert languages.translate(f"Ja. {text} Ja.", language) == f"Ja. {expected} Ja."


def test_english_and_what_no_table_has_stay_as_they_are():
    for text in ("Check", "Die Karte.", "", "  ", "{n}", "a\\b$1"):
        assert languages.translate(text, "en") == text
        assert languages.translate(text, "fr") == text
        assert text == "Check" or languages.translate(text, "de") == text


def lacking(language):
    """What the code says in a lesson and a table lacks, and what a table has that nothing says."""
    table = TABLES[language]
    keys = "\n".join(languages.VALUE.sub("{}", phrase) for phrase in table)

    def is_known(text):
        said = text.replace("{}", "7")
        words = ".+?".join(map(re.escape, text.split("{}")))
        return any(
            languages.translate(f"{said}{end}", language) != f"{said}{end}"
            for end in ("", ".", ":")
        ) or re.search(rf"(?<![A-Za-z]){words}(?![A-Za-z])", keys)

    missing = {
        text: path
        for text, path in phrases.said_in_lessons().items()
        if text not in ENGLISH and not is_known(text)
    }
    missing |= {text: "a run" for text in said_of_runs() if text not in table}
    unused = [
        phrase for phrase in table if not phrases.is_said(phrase) and phrase not in said_of_runs()
    ]
    return missing, unused


@pytest.mark.parametrize("language", TABLES)
def test_a_language_has_what_the_code_says_in_a_lesson_and_nothing_else(language):
    missing, unused = lacking(language)
    lines = [f"missing: {text!r}, of {path}" for text, path in missing.items()]
    lines += [f"said by nothing: {phrase!r}" for phrase in unused]
    assert not lines, "\n".join(lines)


def test_what_a_new_language_lacks_is_listed(monkeypatch):
    monkeypatch.setitem(TABLES, "fr", {"Hint": "Indice", "Nobody says this.": "Personne."})
    languages._patterns.cache_clear()
    missing, unused = lacking("fr")
    languages._patterns.cache_clear()
    assert missing["Check"] == "player/web/modes/puzzle_tools.js"
    assert "Hint" not in missing
    assert len(missing) > 200
    assert unused == ["Nobody says this."]


def test_no_stylesheet_says_words():
    for path in phrases.WEB.rglob("*.css"):
        for content in re.findall(r"content:[^;}]*", path.read_text(encoding="utf-8")):
            for text in re.findall('"([^"]*)"', content):
                assert not re.search("[A-Za-z]{3}", text), (path.name, content)


@cache
def said_of_runs():
    """What is made of pieces: the short sentences of steps, and what settings are called."""
    hill = kpviz.make_dataset("xor", n_samples=8, seed=0)
    runs = [
        kpviz.train(kpviz.learners.Perceptron(), *hill, kernel=kernel, epochs=2)
        for kernel in (kpviz.kernels.Gaussian(0.5), kpviz.kernels.Linear())
    ]
    briefs = {explain.brief(run, t) for run in runs for t in range(1, run.n_steps + 1)}
    return {text.partition(". ")[2] for text in briefs if ". " in text and "towards" not in text}


# What a task lets one turn, in runs in which all of it applies.
TURNED = [
    "sigma",
    "degree",
    "coef0",
    "kernel",
    "predictor",
    "intercept",
    "tie",
    "eta",
    "budget",
    "epochs",
    "order",
    "noise",
    "held",
]
RUNS = [
    {},
    {"kernel": "polynomial"},
    {"kernel": "linear"},
    {"learner": "forgetron"},
    {"learner": "svm"},
    {"data": "moons", "order": "shuffled"},
]


def words_of_fields():
    """What the fields of a task say: labels, words, what one may choose."""
    for values in RUNS:
        tree = dock.tree(DockState(Settings.of(**values)), [f"only:{','.join(TURNED)}"])
        for field in tree["groups"][f"only:{','.join(TURNED)}"]:
            yield from (field.get(name) or "" for name in ("label", "words", "help"))
            for option in field.get("options", ()):
                yield option["title"] if isinstance(option, dict) else option[1]


@pytest.mark.parametrize("language", TABLES)
def test_the_settings_that_a_task_lets_one_turn_are_called_so_in_the_language(language):
    is_word = re.compile(r"[A-Za-z]{3}")
    english = {
        words
        for words in words_of_fields()
        if is_word.search(words) and words not in TABLES[language]
    }
    # Names of kernels that no lesson offers, formulas, and a slip of rules that none is about.
    assert {words for words in english if not NAMES_OF_KERNELS.match(words)} == SLIP


NAMES_OF_KERNELS = re.compile(r"(?:[A-Z][\w’]+(?: [a-z]+| \d/2)*|sign\(0\) = .1)$")
SLIP = {
    words
    for words in words_of_fields()
    if words.startswith("The rule is easily written with a strict")
}


# What may be counted in a lesson, and what each is called where there is one of it.
NOUNS = {
    **{f"{noun}s": noun for noun in ("mistake", "point", "example", "epoch", "step", "vote")},
    **{f"{noun}s": noun for noun in ("brick", "record", "number", "minute", "scene", "task")},
    **{f"{noun}s": noun for noun in ("character", "height", "answer", "other", "run", "value")},
    "tries": "try",
}
COUNT = re.compile(rf"(\{{\w*\}}) ((?:[a-z-]+ )?)({'|'.join(NOUNS)})\b")
# These are never one, or their one is another sentence.
NEVER_ONE = {
    "{} answers are missing": "One answer is missing",
    "{} more tries": "One more try",
    "All {} steps are those of the run": "It is the step of the run",
    "Leave the {} others alone": "Leave the other alone",
    "the {} others": "",  # The same, before it is in its sentence.
    "{} others of yours are wrong, too": "1 other of yours is wrong, too",
    "At most {} numbers": "",  # Five.
    "par {} · {} records, {} of them checked": "",  # Some of several.
    "Draw a line by its {} heights, from left to right": "",  # Two at least.
    "Keep {} to {} points": "",
    "Draw {} to {} points": "",
    "You may add {} points": "You may add one point",
    "You may add {} to {} points": "",
    "It remembers {} bricks, {} orange and {} blue": "It remembers 1 brick, {} orange and {} blue",
    # What authors and programs read.
    "The answer has {} characters: write at most {}": "",
    "The answer is a list of at most {} steps": "",
    "{} steps are asked for, but {} follow step {}": "",
}


def counting(texts):
    """Each text that counts something, what stands before it, one of it, and what follows."""
    for text in texts:
        bare = languages.VALUE.sub("{}", text).strip(" ·.")
        match = COUNT.search(bare)
        if match and bare not in NEVER_ONE:
            one = f"1 {match[2]}{NOUNS[match[3]]}"
            yield bare, bare[: match.start()], one, bare[match.end() :]


@pytest.mark.parametrize("language", TABLES)
def test_whatever_is_counted_has_words_for_one(language):
    keys = {languages.VALUE.sub("{}", key).strip(" ·.") for key in TABLES[language]}
    missing = [
        many
        for many, before, one, after in counting(TABLES[language])
        if f"{before}{one}{after}" not in keys and f"{before}{one.replace('1', '{}')}" not in keys
    ]
    assert missing == []
    assert sorted(set(filter(None, NEVER_ONE.values())) - keys) == []


def test_the_code_says_one_of_all_that_it_counts():
    missing = []
    for path in phrases.SPEAKING:
        texts = [text for text, _ in phrases.of_code()[path]]
        read = [text for text, may_be_read in phrases.of_code()[path] if may_be_read]
        said = {sentence for text in read for sentence in phrases.sentences(text)}
        missing += [
            (path.name, many)
            for many, _, one, _ in counting(said)
            if not any(one in text for text in texts)
        ]
    assert missing == []


@given(st.integers(0, 3), st.sampled_from(["mistakes", "bricks", "n", "support"]))
def test_a_record_counts_one_in_the_singular_and_all_else_in_the_plural(value, name):
    puzzle = Puzzle(number=Condition.read_number(name))
    plural = {"n": "training examples", "support": "remembered examples"}.get(name, name)
    words = f"{value} {plural[:-1] if value == 1 else plural}"
    assert puzzle.called(value) == words
    for language, table in TABLES.items():
        singular = f"{{n}} {plural[:-1]}"
        one = table[words] if words in table else table.get(singular, "")
        own = (one if value == 1 else table[f"{{n}} {plural}"]).format(n=value)
        assert languages.translate(words, language) == own


# What no student reads, although it stands where such things stand.
ENGLISH = {
    # Of the code, the style and the documentation.
    "question ~ .answering :is(input, textarea, button:not([hidden], [aria-disabled=true]))",
    '"STIX Two Math", "Cambria Math", "Latin Modern Math", "DejaVu Math TeX Gyre", "kpviz Sans", '
    '"kpviz Signs", math',
    "--accent: light-dark({})",
    "check(start, answer)",
    'pip install "kpviz[app]"',
    "returns a right answer",
    "the task’s own",
    # An author reads it in what `kpviz lesson check` says.
    "points in all",
    "points that were added or moved",
    "points that were removed or moved",
    "The answer is {}, but the conditions hold of",
    "None of the choices is true: let one be",
    # The page of all puzzles is the app’s.
    "Puzzles: one sentence, one number",
    "In any order",
    "The number is your record, kept in this browser only",
    # Values stand at its end, or its parts never meet, and the tables have the whole.
    "1 other of yours are wrong, too",
    "give more",
    "You said right at step",
    "You said a mistake at step",
}


def test_each_exception_is_still_said():
    assert sorted(ENGLISH - set(phrases.said_in_lessons())) == []


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
    assert "ein Fehler. Ein orangefarbener Hügel." in told, told
    assert "a mistake. An orange hill." not in told
    assert "konvergiert (2 Epochen, 6 Fehler)." in told
    sheet = Handout(lesson, solved=True).sheet()
    assert (sheet.mark, sheet.under) == ("Lösungen", "10 Minuten")
    text = str(sheet.body)
    assert "Aufgabe 1.1" in text
    assert "Task 1.1" not in text
    assert "{'kind': 'right'," in text  # A word of code is none of the language.


@pytest.mark.parametrize(
    "word", ["Notiz", "Notizen", "Hinweis", "Anmerkung", "nota", "Notas", "remarque", "note"]
)
def test_check_knows_each_languages_word_for_a_note(word):
    text = TEXT.format(language="de") + f"\n> {word}: Frag die letzte Reihe.\n"
    (fault,) = check.faults(text)
    assert "Students see" in fault.what
    assert format.read(text)  # it can be read all the same
