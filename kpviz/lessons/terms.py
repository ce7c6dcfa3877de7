"""The words of the field that kpviz says, each in two lines, with a small picture and a place to try it.

The player's copy of this table is written by `make assets` (`scripts/terms.py`). On the screen a term is underlined by
dots wherever a sentence, the counter, a panel's title or a setting says it; on paper and before a class it is not.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """One term.

    Parameters
    ----------
    title : what its box is headed; first, second : what it means, each as long as a line of the box at most.
    link : what shows it, a page ("play", "lab") and its query; says : how it is said, words in the singular and
        symbols as they are written: of two that fit at one place the longer one is meant.
    """

    title: str
    first: str
    second: str
    link: str
    says: tuple[str, ...]


TERMS: dict[str, Term] = {
    "score": Term(
        "Score f(x)",
        "A sum over the examples in memory, each compared with x.",
        "Above 0 it says class +1, below 0 class −1.",
        "play?v=1&t=60&show=alpha.remembered",
        ("score", "f"),
    ),
    "label": Term(
        "Label y",
        "The class of an example as a number: +1 (orange) or −1 (blue).",
        "The score is right where its sign is that of y.",
        "play?v=1&t=12",
        ("label", "y"),
    ),
    "class": Term(
        "Class",
        "What the score should say of x: orange, y = +1, or blue, y = −1.",
        "On the map circles are of class +1, squares of class −1.",
        "play?v=1&t=12",
        ("class", "classes"),
    ),
    "example": Term(
        "Example xᵢ",
        "A point, or a text or graph, with its class.",
        "They are numbered from 0, as in the arrays of Python.",
        "play?v=1&t=1",
        ("example",),
    ),
    "step": Term(
        "Step",
        "One presentation: an example is shown to the learner, and scored.",
        "→ goes to the next step, ← back to the one before.",
        "play?v=1&t=3",
        ("step", "presentation"),
    ),
    "mistake": Term(
        "Mistake",
        "The score’s sign was not that of the label.",
        "A score of 0 counts as one too, unless the setting says otherwise.",
        "play?v=1&t=1",
        ("mistake",),
    ),
    "epoch": Term(
        "Epoch",
        "One pass: as many steps as there are training examples.",
        "Its mistakes are the bars on the timeline.",
        "play?v=1&t=60",
        ("epoch", "pass", "passes"),
    ),
    "kernel": Term(
        "Kernel k(u, v)",
        "How similar two examples are, as a number.",
        "A valid one is the inner product of their features.",
        "play?v=1&t=20&show=similar.alpha",
        ("kernel", "k"),
    ),
    "hill": Term(
        "Hill y·k(xᵢ, ·)",
        "The kernel between one example and each place: high where alike.",
        "An orange hill adds to the score, a blue one takes away.",
        "play?v=1&t=1",
        ("hill",),
    ),
    "alpha": Term(
        "Weight α",
        "How strongly an example pulls the score towards its own class.",
        "For the perceptron: η times the number of mistakes made on it.",
        "play?v=1&t=60&show=alpha",
        ("α", "weight"),
    ),
    "margin": Term(
        "Margin y·f(x)",
        "Above 0 where the score is on the right side, below 0 where not.",
        "Divided by ‖f‖ it is the distance to the boundary in feature space.",
        "play?v=1&t=60&show=margins.normed",
        ("margin", "y·f(x)", "y·f", "y f"),
    ),
    "norm": Term(
        "Norm ‖f‖",
        "The length of f in feature space.",
        "Twice f has twice the norm, and the same boundary.",
        "play?v=1&t=60&show=norm.margins",
        ("‖f‖", "‖f‖²"),
    ),
    "bound": Term(
        "Mistake bound",
        "A theorem: more mistakes than this cannot be made.",
        "It holds under conditions, such as a margin; they stand beside it.",
        "play?v=1&t=60&show=bound.margins",
        ("bound",),
    ),
    "support": Term(
        "Support",
        "The examples whose weight is not 0: f remembers these alone.",
        "All others could be thrown away, and no score would change.",
        "play?v=1&t=60&show=alpha.remembered",
        ("support", "memory"),
    ),
    "budget": Term(
        "Budget B",
        "The most examples that the learner may remember.",
        "One more, and it has to forget another.",
        "play?v=1&learner=oldest&budget=6&t=60&show=own.alpha",
        ("budget", "B", "forget"),
    ),
    "features": Term(
        "Feature space",
        "φ(x) is the list of x’s features; the kernel is φ(u)·φ(v).",
        "A plane there may be a curve on the map.",
        "play?v=1&data=circles&kernel=monomial&intercept=unit&t=90&show=lift",
        ("feature", "feature space", "φ("),
    ),
    "primal": Term(
        "Primal",
        "The learner with its weights w written out, one for each feature.",
        "It is the same f as in the dual form.",
        "play?v=1&data=linear&kernel=linear&t=30&show=primal",
        ("primal", "w"),
    ),
    "dual": Term(
        "Dual",
        "The learner with one weight for each example, and a kernel.",
        "It needs no list of features, so there may be infinitely many.",
        "play?v=1&data=linear&kernel=linear&t=30&show=primal.alpha",
        ("dual",),
    ),
    "gram": Term(
        "Gram matrix",
        "The kernel of every pair of examples, as a table.",
        "Besides the labels, the learner reads nothing else.",
        "play?v=1&t=20&show=gram.alpha",
        ("gram matrix",),
    ),
    "intercept": Term(
        "Intercept b",
        "A number that is added to every score, wherever x is.",
        "It moves a straight boundary without turning it.",
        "play?v=1&data=shifted&kernel=linear&intercept=radius&t=39",
        ("intercept", "b"),
    ),
    "separable": Term(
        "Separable",
        "Some boundary of this kernel has each class on one side.",
        "Then the perceptron makes finitely many mistakes.",
        "play?v=1&data=linear&kernel=linear&t=99999",
        ("separable", "separated", "splits"),
    ),
    "converged": Term(
        "Converged",
        "A whole pass changed nothing: the perceptron made no mistake in it.",
        "No later pass would change anything, so the run is over.",
        "play?v=1&t=99999",
        ("converged",),
    ),
    "predictor": Term(
        "Predictor",
        "Which score answers: the last f, the mean of all, or their vote.",
        "One run gives all three.",
        "play?v=1&data=blobs&noise=0.3&t=120&show=readings",
        ("predictor", "averaged"),
    ),
    "voted": Term(
        "Vote",
        "Each f has a vote for every step that it stayed in force.",
        "The sign with more votes is the answer.",
        "play?v=1&data=blobs&noise=0.3&predictor=voted&t=120&show=readings",
        ("vote", "voted"),
    ),
    "held": Term(
        "Held out",
        "Examples that the learner never sees; they test it.",
        "Their error tells more of new examples than the training error.",
        "play?v=1&data=spirals&held=0.3&t=84",
        ("held out", "held-out"),
    ),
    "noise": Term(
        "Noise",
        "How far the points are moved at random from where they belong.",
        "Some may then lie among the other class.",
        "play?v=1&noise=0.3&t=120",
        ("noise",),
    ),
    "width": Term(
        "Width σ",
        "How far the kernel’s hill reaches; measured data are first scaled.",
        "Narrow: each example speaks for its surroundings alone.",
        "play?v=1&sigma=0.1&t=60",
        ("width",),
    ),
    "rate": Term(
        "Learning rate η",
        "It scales what one step changes.",
        "The perceptron’s verdicts do not depend on it, if f begins at 0.",
        "play?v=1&eta=0.1&t=20&show=alpha",
        ("learning rate", "η", "size of a step"),
    ),
    "shrink": Term(
        "Shrinking",
        "All weights are multiplied by a number of at most 1.",
        "Old examples count less and less.",
        "play?v=1&learner=forgetron&budget=8&t=60&show=own.alpha",
        ("φ =", "1 − ηλ", "shrink"),
    ),
    "threshold": Term(
        "Margin asked for, ρ",
        "The learner adds an example unless its margin is above ρ.",
        "The perceptron’s ρ is 0.",
        "play?v=1&learner=norma&t=60&show=own.margins",
        ("ρ",),
    ),
    "loss": Term(
        "Loss",
        "How far the margin stays below 1; none from 1 on.",
        "A mistake has a loss of 1 or more.",
        "play?v=1&learner=pa&t=20&show=own.margins",
        ("loss",),
    ),
    "regret": Term(
        "Regret",
        "The loss over a run, less that of the best f that never changes.",
        "Small per step: nearly as good as the best f, without foresight.",
        "play?v=1&learner=norma&stream=on&t=200&show=own.margins.bound",
        ("regret",),
    ),
    "tau": Term(
        "Step size τ",
        "As much as is needed for a margin of 1, or less where it is limited.",
        "The weight α grows by it.",
        "play?v=1&learner=pa&t=20&show=own.alpha",
        ("τ",),
    ),
    "span": Term(
        "Span",
        "All weighted sums of the remembered examples’ kernels.",
        "What lies in it, or near it, needs no room of its own.",
        "play?v=1&learner=projectron&delta=0.4&t=30&show=own.alpha",
        ("span", "projection", "δ₀"),
    ),
    "gap": Term(
        "Gap",
        "How much y − f differs at most between examples that may change.",
        "Below the tolerance the SVM is done.",
        "play?v=1&learner=svm&data=linear&kernel=linear&t=5&show=own",
        ("gap",),
    ),
    "chance": Term(
        "P(+1) = σ(f)",
        "σ(f) = 1/(1 + e^−f) turns the score into a probability.",
        "A score of 0 is ½, a large one nearly certain.",
        "play?v=1&learner=logistic&t=20&show=own.margins",
        ("P(+1)", "σ", "probability"),
    ),
    "stream": Term(
        "Stream",
        "Examples that come one by one, each only once.",
        "What they are drawn from may drift.",
        "play?v=1&stream=on&data=moons&n=300&drift=1&t=210",
        ("stream",),
    ),
}
