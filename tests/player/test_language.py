"""A page says in the language of a lesson what Python says in it: one rule, written twice."""

import pytest

from kpviz.lessons import languages

TRANSLATED = """(phrases, texts) => {
  const { translate, speak } = load("run/language.js");
  speak(phrases);
  const translations = texts.map(translate);
  speak({});
  return [translations, texts.map(translate)];
}"""


def filled(phrase):
    return languages.VALUE.sub(lambda value: "7" if value[1] in ("n", "all") else "x", phrase)


@pytest.mark.parametrize("language", ["de", "es"])
def test_a_page_translates_as_python_does_and_ends_with_the_lesson(engine, language):
    phrases = dict(languages.phrases(language))
    texts = ["Die Karte.", "", "  ", "{n}", "a\\b$1", "constructor", " Check ", "Check\nCheck"]
    for text in map(filled, phrases):
        texts += [text, f" {text}", f"{text} {text}", f"Ja! {text}"]
    translations, after = engine.call(TRANSLATED, phrases, texts)
    assert translations == [languages.translate(text, language) for text in texts]
    assert after == texts
