"""The perceptron's relatives as slow loops, written from the formulas: what the learners are compared with.

Legend: t presentations so far; i the example shown; f its score; an entry is what one presentation added,
(presentation, example, signed weight). Every score is summed from scratch.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from math import factorial, inf, log, nan, prod, sqrt

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from textbook import Story

KEEP = 15 / 32  # the share of M that the Forgetron's Q may reach


@dataclass
class Tale(Story):
    """A Story that also tells the entries at each instant, the learner's particulars, and the nearest decision."""

    entries: list[list[tuple[int, int, float]]] = field(default_factory=lambda: [[]])
    details: dict[str, list] = field(default_factory=dict)
    nearest: float = inf  # how far a margin was from where the rule would have decided otherwise
    changed: int = 0
    private: tuple[str, ...] = ()  # details that only the tests know

    def see(self, i, f, label, threshold=0.0, *, certain=False):
        """Write down a presentation; return whether its margin is at most the threshold."""
        self.index.append(i)
        self.score.append(f)
        self.mistake.append(bool(label * f <= 0))
        if not certain:
            self.nearest = min(self.nearest, abs(label * f - threshold))
        return bool(label * f <= threshold)

    def close(self, coef, b=0.0, entries=(), **details):
        """Write down the state after a presentation."""
        self.states.append((coef, b))
        self.entries.append(list(entries))
        for name, value in details.items():
            self.details.setdefault(name, []).append(value)


def assert_matches(run, tale, *, rtol=1e-8, entries=False):
    """Everything that the run recorded is what the slow loop told, at every instant."""
    assert tale.nearest > 1e-9, "a margin is so close to the rule's threshold that rounding decides: take other data"
    assert_array_equal(run.index, tale.index)
    scale = 1.0 + np.abs(tale.score).max(initial=0.0)
    assert_allclose(run.score, tale.score, rtol=rtol, atol=1e-3 * rtol * scale)
    sure = np.abs(tale.score) > 1e-9 * scale  # a margin rule may decide at 1 and leave scores of 0, or nearly
    assert_array_equal(run.mistake[sure], np.array(tale.mistake)[sure])
    for name in set(tale.details) - set(tale.private):
        atol = 1e-6 * np.sqrt(scale) if name == "distance" else 1e-10  # rounding, under a root
        assert_allclose(run.details[name], tale.details[name], rtol=rtol, atol=atol, err_msg=name)
        assert len(run.details[name]) == run.n_steps
    assert_same_states(run, tale, rtol)
    if entries:
        alive = [run.entries_at(t) for t in range(run.n_steps + 1)]
        assert [list(zip(e.step.tolist(), e.index.tolist(), strict=True)) for e in alive] == [
            [entry[:2] for entry in alive] for alive in tale.entries
        ]
        weights = [weight for entries_then in tale.entries for *_, weight in entries_then]
        assert_allclose(np.concatenate([e.weight for e in alive]), weights, rtol=rtol)
        supports = [set(run.state_at(t).support.tolist()) for t in range(run.n_steps + 1)]
        assert supports == [set(e.index.tolist()) for e in alive]
    assert run.end == tale.end


def assert_same_states(run, tale, rtol):
    coef, b = (np.array(part) for part in zip(*tale.states, strict=True))
    ours = [run.state_at(t) for t in range(run.n_steps + 1)]
    assert_allclose([s.coef for s in ours], coef, rtol=rtol, atol=1e-3 * rtol * (1.0 + np.abs(coef).max()))
    assert_allclose([s.intercept for s in ours], b, rtol=rtol, atol=1e-10)


def passes(tale, rows, n, may_end):
    """The presentations (t, i), up to the end of the first complete pass that changes nothing."""
    t = 0
    for row in rows:
        before = tale.changed
        for i in row:
            yield t, int(i)
            t += 1
        if may_end and tale.changed == before and set(map(int, row)) == set(range(n)):
            tale.end = "clean"
            return


def value(entries, gram, x, b=0.0):
    return sum(weight * gram[j, x] for _, j, weight in entries) + b


def summed(entries, n):
    coef = np.zeros(n)
    for _, j, weight in entries:
        coef[j] += weight
    return coef


def scaled(entries, factor):
    return [(t, j, factor * weight) for t, j, weight in entries]


def budgeted(gram, y, rows, budget, evict, *, may_end=True):
    """A perceptron with at most `budget` entries; `evict(t, entries)` names the place of the one that makes room."""
    n, entries = len(y), []
    tale = Tale(states=[(np.zeros(n), 0.0)])
    for t, i in passes(tale, rows, n, may_end):
        victim = -1
        if tale.see(i, value(entries, gram, i), y[i], certain=not entries):
            tale.changed += 1
            if len(entries) == budget:
                victim = entries.pop(evict(t, entries))[1]
            entries = [*entries, (t, i, y[i])]
        tale.close(summed(entries, n), entries=entries, victim=victim)
    return tale


def remove_oldest(gram, y, rows, budget, *, may_end=True):
    return budgeted(gram, y, rows, budget, lambda t, entries: 0, may_end=may_end)


def randomized_budget(gram, y, rows, budget, evicted, *, may_end=True):
    """Cavallanti, Cesa-Bianchi, Gentile 2007; `evicted` says which presentation's entry chance took at t."""
    return budgeted(
        gram, y, rows, budget, lambda t, entries: [step for step, *_ in entries].index(evicted[t]), may_end=may_end
    )


def largest_phi(sigma, mu, q, m):
    """Search (0, 1] for the largest phi with Psi(sigma phi, phi mu) + q <= (15/32) m: a grid, then halving."""

    def excess(phi):
        shrunk, remembered = sigma * phi, phi * mu
        return shrunk**2 + 2 * shrunk - 2 * shrunk * remembered + q - KEEP * m

    if excess(1.0) <= 0:
        return 1.0
    grid = np.linspace(0.0, 1.0, 20_001)
    place = np.flatnonzero(excess(grid) <= 0)[-1]
    low, high = grid[place], grid[place + 1]
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) <= 0 else (low, middle)
    return low


def forgetron(gram, y, rows, budget, variant="self-tuned", *, may_end=True):
    """Dekel, Shalev-Shwartz, Singer 2008; Q belongs to the self-tuned rule."""
    n, entries, q, m = len(y), [], 0.0, 0
    tale = Tale(states=[(np.zeros(n), 0.0)], private=("M", "mu") if variant == "self-tuned" else ("M", "mu", "Q"))
    for t, i in passes(tale, rows, n, may_end):
        phi, victim, mu = 1.0, -1, nan
        if tale.see(i, value(entries, gram, i), y[i], certain=not entries):
            tale.changed += 1
            m += 1
            entries = [*entries, (t, i, y[i])]
            full = len(entries) > budget
            _, r, weight = entries[0]
            sigma, mu = abs(weight), y[r] * value(entries, gram, r)
            if variant == "basic":
                phi = min((budget + 1) ** (-1 / (2 * (budget + 1))), largest_norm(budget) / norm(entries, gram))
            elif full:
                phi = largest_phi(sigma, mu, q, m)
                q += (sigma * phi) ** 2 + 2 * sigma * phi - 2 * sigma * phi * phi * mu
            entries = scaled(entries, phi)
            if full:
                victim = entries.pop(0)[1]
        tale.close(summed(entries, n), entries=entries, Q=q, phi=phi, victim=victim, M=m, mu=mu)
    return tale


def largest_norm(budget):
    return 0.25 * sqrt((budget + 1) / log(budget + 1))


def norm(entries, gram):
    return sqrt(sum(v * w * gram[i, j] for _, i, v in entries for _, j, w in entries))


def projectron(gram, y, rows, threshold, *, may_end=True):
    """Orabona, Keshet, Caputo 2009; the projection by least squares."""
    n, support, coef = len(y), [], np.zeros(len(y))
    tale = Tale(states=[(np.zeros(n), 0.0)])
    for _, i in passes(tale, rows, n, may_end):
        distance, projected = 0.0, False
        if tale.see(i, float(coef @ gram[:, i]), y[i], certain=not support):
            tale.changed += 1
            d = np.linalg.lstsq(gram[np.ix_(support, support)], gram[support, i])[0] if support else np.zeros(0)
            distance = sqrt(max(gram[i, i] - gram[support, i] @ d, 0.0))
            projected = distance <= threshold
            tale.nearest = min(tale.nearest, abs(distance - threshold))
            coef = coef.copy()
            if projected:
                coef[support] += y[i] * d
            else:
                support.append(i)
                coef[i] += y[i]
        tale.close(coef, distance=distance, projected=projected)
    return tale


def norma(
    gram, y, rows, eta, lam, *, margin=1.0, nu=None, schedule="constant", truncation=None, fit_intercept=True,
    may_end=True,
):  # fmt: skip
    """Kivinen, Smola, Williamson 2004."""
    n, entries, b, rho = len(y), [], 0.0, margin if nu is None else 0.0
    tale = Tale(states=[(np.zeros(n), 0.0)], private=("error",))
    for t, i in passes(tale, rows, n, may_end):
        rate, victim = eta / sqrt(t + 1) if schedule == "inverse-sqrt" else eta, -1
        error = tale.see(i, value(entries, gram, i, b), y[i], rho, certain=not entries and b == 0.0)
        entries = scaled(entries, 1 - rate * lam)
        if error:
            entries = [*entries, (t, i, rate * y[i])]
            b += rate * y[i] * fit_intercept
        if truncation is not None and entries and entries[0][0] <= t - truncation:
            victim = entries.pop(0)[1]
        if nu is not None:
            rho += -rate * (1 - nu) if error else rate * nu
        tale.changed += error or lam > 0 or victim >= 0
        tale.close(summed(entries, n), b, entries, rho=rho, rate=rate, victim=victim, error=error)
    return tale


def kernel_logistic(gram, y, rows, eta, lam, *, may_end=True):
    """Stochastic descent on log(1 + exp(-y f)) + (lam / 2) |f|²."""
    n, coef = len(y), np.zeros(len(y))
    tale = Tale(states=[(np.zeros(n), 0.0)])
    for _, i in passes(tale, rows, n, may_end):
        f = float(coef @ gram[:, i])
        tale.see(i, f, y[i], certain=not coef.any())
        coef = (1 - eta * lam) * coef
        coef[i] += eta * y[i] * expit(-y[i] * f)
        tale.changed += 1
        tale.close(coef, probability=expit(f))
    return tale


def passive_aggressive(gram, y, rows, variant="PA", C=1.0, *, may_end=True):
    """Crammer, Dekel, Keshet, Shalev-Shwartz, Singer 2006."""
    n, coef = len(y), np.zeros(len(y))
    tale = Tale(states=[(np.zeros(n), 0.0)])
    for _, i in passes(tale, rows, n, may_end):
        f = float(coef @ gram[:, i])
        tale.see(i, f, y[i], certain=not coef.any())
        loss, square = max(0.0, 1.0 - y[i] * f), gram[i, i]
        tau = 0.0
        if loss > 1e-12 and square > 0.0:
            limits = {"PA": inf, "PA-I": C, "PA-II": inf}
            tau = min(limits[variant], loss / (square + (1.0 / (2.0 * C) if variant == "PA-II" else 0.0)))
        coef = coef.copy()
        coef[i] += tau * y[i]
        tale.changed += tau > 0.0
        tale.close(coef, loss=loss if loss > 1e-12 else 0.0, tau=tau)
    return tale


def violations(gram, y, coef, C):
    """Each example's y - f without b, and where coef may rise and may fall within the box."""
    low, high = np.minimum(0.0, y * C), np.maximum(0.0, y * C)
    return y - gram @ coef, coef < high, coef > low, low, high


def gap_of(gram, y, coef, C):
    """m(a) and M(a): optimal where m <= M (Fan, Chen, Lin 2005)."""
    pull, may_rise, may_fall, _, _ = violations(gram, y, coef, C)
    return pull[may_rise].max(initial=-inf), pull[may_fall].min(initial=inf)


def smo(gram, y, C, tol, pairs, *, limit):
    """Sequential minimal optimisation; where several pairs are equally good, the one in `pairs` is taken."""
    coef = np.zeros(len(y))
    tale = Tale(states=[(coef, 0.0)])
    tale.end = "tolerance"
    while True:
        pull, may_rise, may_fall, low, high = violations(gram, y, coef, C)
        m, M = gap_of(gram, y, coef, C)
        t = len(tale.index)
        if m - M < tol:
            return tale
        if t == limit:
            tale.end = "limit"
            return tale
        i = followed(np.where(may_rise, pull, -inf), pairs[t][0] if t < len(pairs) else -1)
        curve = np.maximum(gram[i, i] + gram.diagonal() - 2 * gram[i], 1e-12)
        gain = np.where(may_fall & (pull < pull[i]), (pull[i] - pull) ** 2 / curve, -inf)
        j = followed(gain, pairs[t][1] if t < len(pairs) else -1)
        step = min((pull[i] - pull[j]) / curve[j], high[i] - coef[i], coef[j] - low[j])
        coef = coef.copy()
        coef[i] = high[i] if step == high[i] - coef[i] else coef[i] + step
        coef[j] = low[j] if step == coef[j] - low[j] else coef[j] - step
        tale.index.append(i)
        tale.close(coef, partner=j, gap=m - M)


def followed(worth, wish):
    """Return `wish` if nothing is worth more, else what is worth most."""
    best = worth.max()
    return int(wish) if wish >= 0 and worth[wish] >= best - 1e-9 * (1 + abs(best)) else int(worth.argmax())


def dual_objective(gram, y, coef):
    return float(y @ coef - 0.5 * coef @ gram @ coef)


def weighted_monomials(X, degree, coef0):
    """Features whose inner product is (u·v + coef0)^degree: monomials times the roots of their multinomial weights."""
    extended = np.column_stack([X, np.full(len(X), sqrt(coef0))])
    chosen = list(combinations_with_replacement(range(extended.shape[1]), degree))
    weights = [factorial(degree) / prod(factorial(c.count(j)) for j in set(c)) for c in chosen]
    return np.column_stack([sqrt(w) * extended[:, c].prod(axis=1) for c, w in zip(chosen, weights, strict=True)])
