"""What is left of texts where type is large: each is within its panel, and a beginning of what was
to be said.
"""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kpviz import tokens

SLACK = 3  # px, see paint/measure.js
ENDS = (" · ", "  ·  ", " (", "; ", ": ")
FITTED = """(tokens, marks, { rect, least }) => {
  const { Legible, boxOf } = load("paint/measure.js");
  const { Palette } = load("paint/colors.js");
  const { fonts } = new Palette(tokens, false);
  const panel = { name: "norm", rect, still: [], moving: marks };
  new Legible().fit(panel, { least, fonts, width: 2000, height: 2000 });
  return panel.moving.map((mark) => [mark, boxOf(mark, fonts)]);
}"""
WORDS = st.lists(
    st.sampled_from(["mistake", "x₁₂", "f", "1,234", "step", "the", "remembered"]),
    min_size=1,
    max_size=12,
)
TEXTS = st.tuples(WORDS, st.lists(st.sampled_from([" ", *ENDS]), min_size=12, max_size=12)).map(
    lambda both: "".join(word + end for word, end in zip(*both, strict=False)).rstrip()
)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    TEXTS,
    st.integers(5, 900),
    st.sampled_from([8.0, 14.0, 40.0]),
    st.sampled_from(["left", "center", "right"]),
    st.sampled_from([0.0, 12.0, 30.0]),
)
def test_a_text_that_is_shown_fits_and_is_a_beginning_of_what_was_to_be_said(
    engine, text, width, size, align, least
):
    rect = {"x": 100, "y": 50, "w": width, "h": 200}
    x = {"left": 100, "center": 100 + width / 2, "right": 100 + width}[align]
    mark = {
        "kind": "text",
        "text": text,
        "x": x,
        "y": 150,
        "size": size,
        "align": align,
        "fill": "#000000",
    }
    fitted = engine.call(FITTED, tokens.payload(), [mark], {"rect": rect, "least": least})
    for shown, box in fitted:
        assert shown["size"] == max(size, least)
        assert box["x"] >= 100 - SLACK - 1e-6
        assert box["x"] + box["w"] <= 100 + width + SLACK + 1e-6
        said = shown["text"]
        if said.endswith(" …") and said != text:
            said = said.removesuffix(" …")
            assert text[len(said)] == " "
        elif said != text:
            assert text[len(said) :].startswith(ENDS)
        assert text.startswith(said)
    narrow = width < 0.3 * max(size, least) * len(text.split()[0])
    assert (
        fitted or narrow or width < 3 * max(size, least) * max(len(word) for word in text.split())
    )
