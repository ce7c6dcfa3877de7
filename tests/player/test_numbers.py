"""What is drawn and said are numbers or "–": of no examples, no steps and one class there is no
share and no mean.
"""

import pytest

from kpviz import panels

EVERY = ".".join(panels.IN_LINKS)
EMPTY = {
    "one class, some held out": "data=bits&function=true&bits=3&held=0.2",
    "one class, none held out": "data=bits&function=true&bits=3",
    "no points": "data=drawn",
    "two points of one class": "data=drawn&points=ksq8q8bU.w",
    "two points to learn from": "data=xor&n=4&held=0.9",
    "texts, nearly all held out": "data=texts&held=0.9",
}
MODELS = [
    "learner=svm",
    "learner=svm&pins=1",
    "learner=perceptron",
    "predictor=voted",
    "learner=logistic",
    "learner=pa",
]
NO_NUMBERS = """s.board.panels.flatMap(({ name, marks }) => marks.flatMap((mark) =>
  Object.entries(mark).filter(([key, value]) => key !== "image" && [value].flat().some((one) =>
    typeof one === "number" ? !Number.isFinite(one) : /NaN|Infinity|undefined|null/.test(String(one ?? ""))))
    .map(([key, value]) => [name, key, String(value)])))"""


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("data", EMPTY.values(), ids=EMPTY)
def test_no_number_is_missing_on_a_board_with_next_to_no_examples(player, data, model):
    for t in (0, 2, 99_999):
        player.open(f"/?v=1&{data}&{model}&t={t}&show={EVERY}", {"width": 1342, "height": 1400})
        assert player.js(NO_NUMBERS) == [], t
        said = str(player.js('load("point/spoken.js").accountOf(s.player)'))
        assert not any(word in said for word in ("NaN", "Infinity", "undefined")), t
