"""The terms: each is said on the screen, fits its box, and its link shows what it says."""

import re
import xml.etree.ElementTree as ET
from itertools import product

import pytest
from boards import BOARDS
from term_table import TERMS

from kpviz import fonts
from kpviz.engine.learners import LEARNERS
from kpviz.lessons import explain
from kpviz.lessons.learner_words import words_of
from kpviz.service import dock, links
from kpviz.settings import Settings

SIZE, ROOM = 14, 410  # px of the box's letters, and of its lines
ON_BOARD = (
    "load('board/terms.js').termsOn(s.board.panels, s.palette.fonts).map(({ term }) => term.name)"
)
IN_TEXT = """([texts, symbols]) => {
  const { termsIn } = load("board/terms.js");
  return texts.map((text) => termsIn(text, { symbols }).map(({ term, from, to }) => [term.name, text.slice(from, to)]));
}"""
SYMBOL = r"[α-ωΑ-Ωℓ‖]|(?<![^\W\d_])[A-Zb-twyz](?![^\W\d_])"  # x, u and v stand for examples
SHOWN = [{"learner": name} for name in LEARNERS] + [
    {"kernel": "polynomial", "stream": "on"},
    {"data": "spirals"},
]


def width(text, weight=400):
    return SIZE * sum(fonts.advances()[fonts.face(weight).name][char] for char in text)


def terms_in(engine, *texts, symbols=True):
    return [
        [tuple(found) for found in each] for each in engine.call(IN_TEXT, [list(texts), symbols])
    ]


@pytest.mark.parametrize("name", TERMS)
def test_each_term_has_two_sentences_that_fit_a_line_each(name):
    term = TERMS[name]
    for line in term["lines"]:
        assert line.endswith((".", ";", ","))
        assert width(line) <= ROOM, line
    assert width(term["title"], 600) <= ROOM
    assert term["says"]


def test_no_two_terms_are_said_alike():
    said = [phrase for term in TERMS.values() for phrase in term["says"]]
    assert len(said) == len(set(said))


def test_pictures_are_small_drawings_in_the_colours_of_the_theme():
    for name, term in TERMS.items():
        root = ET.fromstring(f"<svg>{term['picture']}</svg>")
        assert "#" not in term["picture"]
        for element in root.iter():
            assert element.tag in {"svg", "path", "rect", "circle", "text"}
            assert set(element.get("class", "").split()) <= {
                "p",
                "n",
                "i",
                "q",
                "a",
                "line",
                "wash",
            }, name


@pytest.mark.parametrize("name", TERMS)
def test_the_link_of_each_term_opens_without_a_notice(name):
    page, _, query = TERMS[name]["link"].partition("?")
    assert page == "play"
    assert links.read(links.pairs(query)).notices == ()


def test_each_term_is_said_on_the_screen(engine, player):
    found = {name for query in BOARDS.values() for name in player.open(f"/?{query}").js(ON_BOARD)}
    shown = [dock.DockState(Settings.of(**given)) for given in SHOWN]
    groups = [dock.tree(each, ("data", "kernel", "learner", "compare"))["groups"] for each in shown]
    groups = [field for found in groups for group in found.values() for field in group]
    fields = [
        field for each in groups for field in (each, *each.get("fields", ()))
    ]  # some are behind “More”
    labels = [field.get(key, "") for field, key in product(fields, ("label", "words", "text"))]
    found |= {
        name for each in terms_in(engine, *filter(None, labels), symbols=False) for name, _ in each
    }
    assert TERMS.keys() - found == set()


def test_no_sentence_of_a_step_has_a_symbol_that_is_not_a_term():
    learners = [variant for cls in LEARNERS.values() for variant in variants(cls)]
    texts = {
        *explain.TEMPLATES.values(),
        *(text for one in learners for text in words_of(one).formulas.values()),
    }
    phrases = [phrase.replace("…", "") for term in TERMS.values() for phrase in term["says"]]
    phrases.sort(key=len, reverse=True)
    for text in texts:
        rest = re.sub(r"\{\w+\}", "0", text)
        for phrase in phrases:
            rest = re.sub(
                rf"(?<![^\W_]){re.escape(phrase)}" + r"(?![^\W\d_])" * phrase[-1].isalpha(),
                "",
                rest,
            )
        assert not re.search(SYMBOL, rest), (text, rest)


def variants(cls):
    """A learner with its defaults, and with each other choice."""
    yield cls()
    yield from (cls(**{name: value}) for name, values in cls.choices.items() for value in values)


def test_of_two_that_fit_the_longer_is_meant_each_is_found_once_and_none_within_other_words(engine):
    (found, none) = terms_in(
        engine,
        "y·f(x₂₄) = −0.48, so y·f ≤ 0: a mistake. Mistakes: f, y.",
        "stepping by mistaken examplesque xy f2 φψ kf",
    )
    assert found == [("margin", "y·f"), ("mistake", "mistake"), ("score", "f"), ("label", "y")]
    assert none == []
    losses = terms_in(
        engine, "it minimizes the log loss", "a hinge loss of 0", "no loss", symbols=False
    )
    assert losses == [[("log loss", "log loss")], [("loss", "hinge loss")], [("loss", "loss")]]
    assert terms_in(engine, "largest α: what a margin error may cost", symbols=False) == [
        [("margin", "margin")]
    ]


def test_terms_lie_where_they_are_said(player):
    player.open("/?v=1&t=25")
    spots = player.js("load('board/terms.js').termsOn(s.board.panels, s.palette.fonts)")
    words = player.js("s.layout.panels.words")
    first = next(spot for spot in spots if spot["key"] == "words mistake")
    assert first["text"] == "mistakes"
    for spot in (spot for spot in spots if spot["key"].startswith("words ")):
        assert words["x"] <= spot["x"] <= spot["x"] + spot["w"] <= words["x"] + words["w"] + 2
        assert words["y"] <= spot["y"] <= words["y"] + words["h"]


@pytest.mark.parametrize("name", BOARDS)
def test_a_term_is_dotted_once_a_board_where_it_is_said_first_and_ten_at_most(player, name):
    spots = player.open(f"/?{BOARDS[name]}").js(
        "load('board/terms.js').termsOn(s.board.panels, s.palette.fonts)"
    )
    names = [spot["term"]["name"] for spot in spots]
    assert len(names) == len(set(names)) <= 10
    assert [spot["y"] for spot in spots] == sorted(spot["y"] for spot in spots)


MEANT = {  # what a letter or a word means where more than one thing is called so
    "With σ = 0.5 it converges: after 3 epochs and 12 mistakes.": {"σ": "width"},
    "Gaussian, σ = 0.3": {"σ": "width"},
    "P(+1) = σ(f) = 0.62": {"P(+1)": "chance", "σ": None},
    "so σ(0.34) is 0.58": {"σ": "chance"},
    "α grows by τ = 0.63": {"τ": "tau"},
    "Loss and step τ": {"step τ": "tau", "step": None},
    "Curves over τ": {"τ": None},  # NORMA's memory
    "; keep the last τ": {"τ": None},
    "Step size": {"Step size": "rate", "Step": None},
    "x₃ is of class “noise”, and the score +0.20 says so": {"noise": None, "score": "score"},
    "but the score −0.20 says class “no": {"score": "score"},
    "support”: a mistake. It pulls more towards class “B”.": {
        "support": None,
        "mistake": "mistake",
        "B": None,
    },
    "B · α: mistakes on each example": {"B": None, "α": "alpha", "mistakes": "mistake"},
}


OF_LEARNERS = {  # terms that only these learners have
    "budget": {"oldest", "randomized", "forgetron"},
    "chance": {"logistic"},
    "gap": {"svm"},
    "shrink": {"forgetron", "norma", "logistic"},
    "span": {"projectron"},
    "tau": {"pa"},
    "threshold": {"norma"},
}
OF_PANELS = {  # and those that only a setting or a panel has
    "features": {"lift", "primal", "derivation"},
    "gram": {"gram"},
    "norm": {"margins", "norm", "words", "sentences"},
    "predictor": {"readings"},
    "primal": {"primal"},
    "voted": {"readings"},
    "width": {"curve"},
}
TEXTS_ON_BOARD = """load('board/terms.js').termsOn(s.board.panels, s.palette.fonts)
  .map(({ term, key }) => [term.name, key.split(" ")[0].replace(/-\\d$/, "")])"""


@pytest.mark.parametrize("name", BOARDS)
def test_a_term_of_a_learner_or_of_a_panel_is_found_there_alone(player, name):
    player.open(f"/?{BOARDS[name]}")
    shown = links.read(links.pairs(BOARDS[name])).settings
    here = {shown.learner, *re.findall(r"learner=(\w+)", BOARDS[name])}
    for term, panel in player.js(TEXTS_ON_BOARD):
        assert here & OF_LEARNERS.get(term, here), (
            f"{panel} says the term {term} of {here}: if that is right, add it to OF_LEARNERS"
        )
        assert panel in OF_PANELS.get(term, {panel}), (
            f"the term {term} is found in {panel}: if that is right, add it to OF_PANELS"
        )


def sentences_of_learners():
    """Each learner's name with each of its texts: sentences, rule, panel and its parts."""
    for name, cls in LEARNERS.items():
        for learner in variants(cls):
            about = learner.about
            words = words_of(learner)
            texts = {*words.formulas.values(), *words.sentences.values(), *words.code, about.panel}
            yield from (
                (name, text) for text in texts | {part.label for part in about.parts} if text
            )


def test_a_text_of_a_learner_has_no_term_of_another(engine):
    names, texts = zip(*sorted(set(sentences_of_learners())), strict=True)
    for name, text, terms in zip(names, texts, terms_in(engine, *texts), strict=True):
        foreign = {term for term, _ in terms if name not in OF_LEARNERS.get(term, {name})}
        assert not foreign, (name, text, foreign)


@pytest.mark.parametrize("text", MEANT)
def test_a_letter_that_means_two_things_is_explained_as_what_it_means_there(engine, text):
    (found,) = terms_in(engine, text)
    for said, meant in MEANT[text].items():
        assert [name for name, phrase in found if phrase == said] == ([meant] if meant else [])


def test_on_the_page_of_fisher_no_term_of_a_learner_explains_a_word(engine):
    said = "Projections x·F: the gap, the width and B and w and σ, of 60 examples of two classes"
    script = (
        '(text) => load("board/terms.js").termsIn(text, { page: "fisher" }).map(({ term }) '
        "=> term.name)"
    )
    found = engine.call(script, said)
    assert set(found) == {"example", "class"}
