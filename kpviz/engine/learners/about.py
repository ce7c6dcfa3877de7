"""How a learner describes itself: words and panels of the player. None of it changes a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Part:
    """One part of a learner's panel.

    `kind` is ``"ages"``: what each remembered presentation still weighs, oldest first; ``"line"``: the particular
    `detail` over time, with the particular or number `limit` beside it; ``"pair"``: two coefficients in their box;
    ``"curve"``: how much is added for each margin, with the present step on it and the number `limit`, what the
    perceptron would add. A line may have values `at` all steps or at mistakes only, and be on a logarithmic scale.
    """

    kind: str
    label: str
    detail: str = ""
    limit: str | float | None = None
    at: str = "steps"
    logarithmic: bool = False


@dataclass(frozen=True)
class About:
    """Words and panels.

    Attributes
    ----------
    title : the name in menus. idea : one sentence, which shortcoming of the perceptron it addresses.
    bound : where its mistake bound is, or that none is known. code : the rule, six lines at most.
    lines : the line of `code` that is lit at the start, after a correct example, an update, a mistake, at the end.
        Besides, that of a mistake that evicts, is projected, or adds nothing ("evicts", "projected", "idle").
    words : sentences by key, in place of those of `kpviz.lessons.explain`; they may name particulars in braces.
    described : the same sentences without formulas, in place of those of `kpviz.lessons.described`; none: `words`
        are said.
    parts : of its panel, whose title is `panel`; none: no panel.
    grain : what the middle grain of stepping stops at, "mistake" or "update".
    counts : whether alpha counts mistakes, so that bricks show it.
    probability : whether σ(f) is the probability of class +1.
    """

    title: str
    idea: str
    bound: str
    code: tuple[str, ...]
    lines: Mapping[str, int]
    words: Mapping[str, str] = field(default_factory=dict)
    described: Mapping[str, str] = field(default_factory=dict)
    panel: str = ""
    parts: tuple[Part, ...] = ()
    grain: str = "mistake"
    counts: bool = False
    probability: bool = False


def of_any(name: str) -> About:
    """Return a description that fits any learner."""
    return About(
        title=name,
        idea="A learner of your own.",
        bound=f"No mistake bound is known that applies to {name}.",
        code=(
            "repeat: show each example (xᵢ, yᵢ)",
            "  f ← Σⱼ αⱼ yⱼ k(xⱼ, xᵢ) + b",
            "  change α and b as the learner says",
            "until nothing changes in a pass",
        ),
        lines={"start": 0, "correct": 1, "update": 2, "mistake": 2, "end": 3},
        words={
            "start": "Press → for the first step.",
            "correct": "f({x}) = {f}, y = {y}: the same sign.",
            "mistake": "f({x}) = {f}, y = {y}, so y·f ≤ 0: a mistake.",
            "update": "f({x}) = {f}, y = {y}: the same sign, and yet α changes.",
        },
        described={"correct": "{verdict}.", "mistake": "{verdict}.", "update": "{verdict}, and yet weights change."},
        grain="update",
    )
