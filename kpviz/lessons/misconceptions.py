"""Slips that some lecture notes make, corrected in a short note where the learner meets them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Misconception:
    """One slip: `where` it is met in kpviz, what some notes say, and what is right.

    `link` is what shows it: a page, "play" or "fisher", and its query.
    """

    where: str
    title: str
    claim: str
    right: str
    link: str

    @property
    def note(self) -> str:
        """Both in one paragraph."""
        return f"{self.claim} {self.right}"


MISCONCEPTIONS: dict[str, Misconception] = {
    "zero": Misconception(
        "player: the setting of who wins at f(x) = 0",
        "A strict < with a zero start",
        "Some notes call it a mistake only if y·f(x) < 0.",
        "From a zero start f is 0 everywhere, so no example is ever a mistake and nothing is learnt: it must be ≤.",
        "play?v=1&tie=correct&show=alpha.margins.code&t=20",
    ),
    "sum": Misconception(
        "player: the lift; kernel lab: feature space",
        "φ as a sum",
        "Some notes write φ(x) = x₁² + √2·x₁x₂ + x₂² for the kernel (u·v)².",
        "That is one number, and φ(u)·φ(v) would not be (u·v)²: φ(x) = (x₁², √2·x₁x₂, x₂²) is a vector of three.",
        "play?v=1&data=circles&kernel=monomial&degree=2&show=alpha.lift.margins&t=40",
    ),
    "margin": Misconception(
        "player: the histogram of margins",
        "Margins of unnormalized weights",
        "Some notes read y·f(x) as the distance to the boundary.",
        "It grows with ‖f‖: twice the weights, twice the margin. Only y·f(x)/‖f‖ is a distance, in the feature space.",
        "play?v=1&show=alpha.margins.normed&t=60",
    ),
    "intercept": Misconception(
        "player: the setting of the intercept",
        "The dual rule without its intercept",
        "Some notes predict with an intercept b, but give a dual rule that updates alpha alone.",
        "Then b stays 0: a mistake must change b as well, by η·y·s, with s = 1 or R².",
        "play?v=1&data=shifted&kernel=linear&intercept=radius&show=alpha.margins.code&t=39",
    ),
    "cost": Misconception(
        "player: what the kernel saves",
        "What an update costs",
        "Some notes say that the kernel perceptron takes O(n) per update, for n features.",
        "It takes one evaluation of k for each support example to score one example, each of which costs about n "
        "multiplications; the update itself adds one number.",
        "play?v=1&data=circles&kernel=polynomial&degree=2&show=alpha.primal&t=40",
    ),
    "density": Misconception(
        "player: k(x, ·) of an example, by the key E",
        "The Gaussian kernel as a density",
        "Some notes read exp(−‖u − v‖²/(2σ²)) as a probability density.",
        "It is a similarity: 1 where u = v, whatever σ. In the plane its integral over v is 2πσ², which is 1 for one σ "
        "alone.",
        "play?v=1&kernel=gaussian&show=alpha.gram&t=20",
    ),
    "comparator": Misconception(
        "player: the mistake bounds",
        "What the margin is a margin of",
        "Some notes take the u of the mistake bound for the image φ(z) of some z, or call the gap between the classes "
        "its margin.",
        "It may be any vector of the feature space, such as a sum of several φ(z). Its margin is the distance from the "
        "boundary to the nearest example: at best half the gap.",
        "play?v=1&show=alpha.bound&t=20",
    ),
    "terms": Misconception(
        "player: the mistake bounds of Boolean functions",
        "The length of the weights of a DNF",
        "Some notes take ‖u‖² = l for a DNF of l terms.",
        "A threshold of 1/2 needs −1/2 at the constant feature: ‖u‖² = l + 1/4, so at most 2ⁿ(4l + 1) mistakes.",
        "play?v=1&data=bits&function=three&show=alpha.bound&t=20",
    ),
    "scatter": Misconception(
        "Fisher’s discriminant: within-class scatter",
        "Scatter or covariance",
        "Some notes print the formula of a class mean where the within-class scatter should stand, or sum over the "
        "classes’ covariance matrices.",
        "S_W sums (x − m)(x − m)ᵀ over all examples, m the mean of x’s class. Divided by the sizes of the classes, "
        "S_T = S_W + S_B does not hold.",
        "fisher?v=1",
    ),
    "directions": Misconception(
        "Fisher’s discriminant: more than two classes",
        "How many directions",
        "Some notes offer as many directions as one likes.",
        "With K classes at most K − 1 can separate the classes: S_B is made of K means about their own mean.",
        "fisher?v=1&data=iris_kinds",
    ),
}
