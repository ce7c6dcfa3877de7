"""Why a formula is a kernel: each part with the rule that makes it one, and the rule's proof in one line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kpviz.engine.kernels.vectors import Gaussian, Laplacian, Linear, Monomial


@dataclass(frozen=True)
class Derivation:
    """That `formula` is a kernel by `rule`, because of `proof`, given that its `parts` are kernels."""

    formula: str
    rule: str
    proof: str
    parts: tuple[Derivation, ...] = ()

    def lines(self, depth: int = 0) -> Iterator[tuple[int, Derivation]]:
        """Yield this derivation and those of its parts, each with its depth, parts after the whole."""
        yield depth, self
        for part in self.parts:
            yield from part.lines(depth + 1)

    def __str__(self) -> str:
        return "\n".join(f"{'  ' * depth}{line.formula}: {line.rule}; {line.proof}" for depth, line in self.lines())


@dataclass(frozen=True)
class Rule:
    """The name of a rule and its proof in one line."""

    name: str
    proof: str

    def of(self, formula: object, *parts: Derivation) -> Derivation:
        """Return the derivation of a formula by this rule."""
        return Derivation(str(formula), self.name, self.proof, parts)

    def with_proof(self, proof: str) -> Rule:
        """Return the rule with another line of proof."""
        return replace(self, proof=proof)


INNER = Rule(*Linear.proof)
INNER_OF_FEATURES = Rule("inner product of features", "k(u, v) = Σᵢ fᵢ(u)·fᵢ(v): the fᵢ(x) are the features.")
EQUAL = Rule("equal components", "one feature for each component and value: 1 if x has that value there, else 0.")
CONSTANT = Rule("constant of at least 0", "one feature, which is √c for every x.")
ONE_FEATURE = Rule("one feature", "k(u, v) = f(u)·f(v): one feature, f(x).")
SUM = Rule("sum", "the feature vectors are joined: cᵀ(K + L)c = cᵀKc + cᵀLc ≥ 0.")
COLLECTED = Rule("collected", "the same function, with terms that are multiples of one another made one.")
MULTIPLE = Rule("multiple by a positive number", "features times √a: cᵀ(aK)c = a·cᵀKc ≥ 0.")
PRODUCT = Rule(
    "product", "all products of a feature of each: the entry-wise product of two such Grams is again one (Schur)."
)
RESCALED = Rule("rescaled", "k(u, v)·f(u)·f(v): every feature vector is multiplied by the number f(x).")
POWER = Rule(*Monomial.proof)
POLYNOMIAL = Rule("polynomial", "written out, sums and products of kernels with coefficients of at least 0.")
EXPONENTIAL = Rule(
    "exponential", "exp(k) = 1 + k + k²/2 + k³/6 + …: sums and products, and limits of kernels are kernels."
)
GAUSSIAN = Rule(*Gaussian.proof)
LAPLACIAN = Rule(*Laplacian.proof)
SCHOENBERG = Rule(
    "exponential of a negative distance",
    "exp(−aD) is a kernel for all a ≥ 0 if cᵀDc ≤ 0 wherever Σcᵢ = 0 (Schoenberg).",
)
MIXTURE = Rule(
    "mixture of exponentials", "(c + D)^(−p) is a positive mixture, an integral over t, of the kernels exp(−tD)."
)
COSINE = Rule("cosine of a difference", "cos(a − b) = cos a·cos b + sin a·sin b: two features.")
NORMALIZED = Rule("normalized", "every feature vector is divided by its length.")
