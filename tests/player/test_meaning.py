"""A colour means one thing: purple is what one can act on, green right, amber wrong, and neither
lies on a map but as a mark of an answer. All else is ink, or has the colour of a class.
"""

import re
from importlib.resources import files

import pytest
from boards import BOARDS, END
from gallery import size

from kpviz import tokens

PAGE = files("kpviz.player") / "web" / "page"

# The marks that may have a colour, by panel; a mark without a name is called by its kind.
MEANS = {
    "accent": {
        "timeline": {"cue", "pole", "cursor", "head"},
        "votes": {"cursor"},
        "curve": {"ticked", "over", "rect"},
        "projections": {"handle"},
        "angles": {"cue", "pole", "circle"},
        "lift": {"offer", "rect"},
        "map": {"editing"},
        "primal": {"fold"},
        "bound": {"fold"},
        "proof": {"fold"},
        "words": {"why"},
        "sentences": {"why"},
        "validity": {"fold"},
    },
    "good": {
        "words": {"rect"},
        "sentences": {"rect"},
        "margins": {"rect", "current", "dot"},
        "map": {"right"},
        "question": {"comparison"},
    },
    "warning": {
        "words": {"rect"},
        "sentences": {"rect"},
        "margins": {"rect", "current", "dot"},
        "map": {"wrong"},
        "timeline": {"behind", "edge", "rect"},
        "projections": {"missed", "text"},
    },
}
COLOURED = """(colours) => {
  const marks = s.board.panels.flatMap(({ name, marks }) => marks.map((mark) => ({ panel: name.split("-")[0], ...mark })));
  return marks.flatMap(({ panel, name, kind, fill, stroke, tints = [] }) =>
    [fill, stroke, ...tints.map(([, , colour]) => colour)]
      .filter((colour) => colours.includes(colour))
      .map((colour) => [colour, panel, name ?? kind]));
}"""
MORE = [
    "t=60&show=readings.norm.curve&held=0.3",
    "data=linear&kernel=linear&t=60&show=primal.proof.lift",
    "t=60&show=lift",
    f"compare=kernels&t={END}",
    "stream=on&data=moons&n=200&noise=0.2&t=150",
]


@pytest.mark.parametrize("link", [*BOARDS.values(), *MORE])
def test_purple_green_and_amber_are_had_by_what_they_mean_alone(player, link):
    player.open(f"/?{link}", size(link))
    for theme in tokens.SCREENS:
        colours = {tokens.THEMES[theme][name]: name for name in MEANS}
        player.js(
            "s.player.palette = new (load('paint/colors.js').Palette)(s.run.header.tokens, arg)",
            theme == "dark",
        )
        found = player.js(f"({COLOURED})(arg)", list(colours))
        wrong = {
            (colours[colour], panel, mark)
            for colour, panel, mark in found
            if mark not in MEANS[colours[colour]].get(panel, ())
        }
        assert wrong == set()


@pytest.mark.parametrize("theme", tokens.SCREENS)
def test_values_of_k_are_ink_which_means_no_class_and_no_verdict(theme):
    for name in ("similar_zero", "similar", "cell"):
        channels = bytes.fromhex(tokens.THEMES[theme][name].removeprefix("#"))
        assert max(channels) - min(channels) <= 32, name


def test_pictures_of_terms_and_the_notes_have_purple_for_links_alone():
    style = (PAGE / "stage.css").read_text("utf-8")
    purple = [rule for rule in re.findall(r"[^{}]+\{[^{}]*\}", style) if "--accent" in rule]
    about_terms = [rule.partition("{")[0].strip() for rule in purple if ".explained" in rule]
    assert about_terms == [".explained a"]
    assert "--accent" not in (PAGE / "notes.js").read_text("utf-8")


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080)])
def test_before_a_class_what_was_reckoned_stands_under_the_sentence(player, size):
    player.open("/?v=1&t=12&stage=window", {"width": size[0], "height": size[1]})
    (line,) = player.marks("words", name="formula")
    assert line["text"] == "f(x₁₁) = −0.051, y = +1, so y·f ≤ 0: a mistake."
