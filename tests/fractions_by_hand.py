"""Learners on decimals, as by hand: in fractions, with no rounding at all. They share no code with
the engine.
"""

from fractions import Fraction


def decimals(rows):
    """What the numbers say that are typed: 0.1 is one tenth."""
    return [[Fraction(repr(value)) for value in row] for row in rows.tolist()]


def kernel_by_hand(name, degree=1, constant=Fraction(0)):
    """A power of u·v + c, or all subsets."""

    def k(u, v):
        if name == "subsets":
            product = Fraction(1)
            for a, b in zip(u, v, strict=True):
                product *= 1 + a * b
            return product
        return (sum(a * b for a, b in zip(u, v, strict=True)) + constant) ** degree

    return k


def matrix(k, rows):
    return [[k(u, v) for v in rows] for u in rows]


class ByHand:
    """What a learner did: `score`, `mistake` and, after each presentation, `coef` and `b`; the
    first are the start.
    """

    def __init__(self, n):
        self.index = []
        self.score = []
        self.mistake = []
        self.states = [([Fraction(0)] * n, Fraction(0))]
        self.end = "limit"


def followed(gram, y, epochs, step):
    """Show all in turn; `step(i, f, coef, b)` returns whether it is a mistake, whether it changes,
    and coef and b.
    """
    n = len(y)
    by_hand = ByHand(n)
    for _ in range(epochs):
        changed = False
        for i in range(n):
            coef, b = by_hand.states[-1]
            f = sum(coef[j] * gram[j][i] for j in range(n)) + b
            wrong, changes, new = step(i, f, list(coef), b)
            changed = changed or changes
            by_hand.index.append(i)
            by_hand.score.append(f)
            by_hand.mistake.append(wrong)
            by_hand.states.append(new)
        if not changed:
            by_hand.end = "clean"
            return by_hand
    return by_hand


def is_wrong(label, f, tie):
    if f != 0:
        return (f > 0) != (label > 0)
    return {"mistake": True, "correct": False, "positive": label < 0, "negative": label > 0}[tie]


def perceptron(gram, y, epochs, eta, intercept, tie):
    added_to_b = {"none": 0, "unit": 1, "radius": max(gram[i][i] for i in range(len(y)))}[intercept]

    def step(i, f, coef, b):
        wrong = is_wrong(y[i], f, tie)
        if wrong:
            coef[i] += eta * y[i]
            b += eta * y[i] * added_to_b
        return wrong, wrong, (coef, b)

    return followed(gram, y, epochs, step)


def remove_oldest(gram, y, epochs, budget):
    memory = []

    def step(i, f, coef, b):
        wrong = y[i] * f <= 0
        if wrong:
            memory.append(i)
            coef[i] += y[i]
            if len(memory) > budget:
                oldest = memory.pop(0)
                coef[oldest] -= y[oldest]
        return wrong, wrong, (coef, b)

    return followed(gram, y, epochs, step)


def passive_aggressive(gram, y, epochs, variant, C):
    def step(i, f, coef, b):
        loss = max(Fraction(0), 1 - y[i] * f)
        square = gram[i][i]
        if loss > 0 and square > 0:
            step = loss / (square + 1 / (2 * C)) if variant == "PA-II" else loss / square
            coef[i] += y[i] * (min(C, step) if variant == "PA-I" else step)
        return y[i] * f <= 0, loss > 0 and square > 0, (coef, b)

    return followed(gram, y, epochs, step)


def norma(gram, y, epochs, eta, lam, rho):
    def step(i, f, coef, b):
        coef = [(1 - eta * lam) * weight for weight in coef]
        if y[i] * f <= rho:
            coef[i] += eta * y[i]
            b += eta * y[i]
        return y[i] * f <= 0, y[i] * f <= rho or lam > 0, (coef, b)

    return followed(gram, y, epochs, step)


def readings(by_hand, gram):
    """What f, its mean and the vote say of each example after 0, 1, … presentations; sign(0) = +1
    in a vote.
    """
    n = len(gram)
    last = [
        [sum(coef[j] * gram[j][i] for j in range(n) if coef[j]) + b for i in range(n)]
        for coef, b in by_hand.states
    ]
    averaged = [[Fraction(0)] * n]
    voted = [[0] * n]
    total = [Fraction(0)] * n
    for t, values in enumerate(last[1:], 1):
        total = [a + value for a, value in zip(total, values, strict=True)]
        averaged.append([a / t for a in total])
        voted.append(
            [
                votes + (1 if value >= 0 else -1)
                for votes, value in zip(voted[-1], values, strict=True)
            ]
        )
    return {"last": last, "averaged": averaged, "voted": voted}
