"""The perceptron's relatives as slow loops, written from the formulas: what the learners are
compared with.

Legend: t presentations so far; i the example shown; f its score; an entry is what one presentation
added, (presentation, example, signed weight). Every score is summed from scratch."""

from __future__ import annotations

from math import inf, log, nan, sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from textbook import SlowRun, dual_perceptron, passes, rows_of

from kpviz.engine.learners import (
    Forgetron,
    KernelLogistic,
    Norma,
    PassiveAggressive,
    Perceptron,
    Projectron,
    RandomizedBudget,
    RemoveOldest,
)

KEEP = 15 / 32  # the share of M that the Forgetron's Q may reach


def slow_run(run, *, may_end=True):
    """What the slow loop of a run's learner does with the order that the run had."""
    learner = run.learner
    gram = run.gram
    y = run.y
    rows = rows_of(run)
    may_end = may_end and run.order != "random" and not run.shows_only_mistakes
    evicted = dict(zip(run.changes.step.tolist(), run.changes.evicted.tolist(), strict=True))
    match learner:
        case Perceptron(eta, intercept, tie):
            return dual_perceptron(
                gram, y, rows, eta=eta, intercept=intercept, tie=tie, may_end=may_end
            )
        case RemoveOldest(budget):
            return remove_oldest(gram, y, rows, budget, may_end=may_end)
        case RandomizedBudget(budget):
            return randomized_budget(gram, y, rows, budget, evicted, may_end=may_end)
        case Forgetron(budget, variant):
            return forgetron(gram, y, rows, budget, variant, may_end=may_end)
        case Projectron(threshold):
            return projectron(gram, y, rows, threshold, may_end=may_end)
        case Norma(eta, lam):
            more = {
                name: value
                for name, value in vars(learner).items()
                if name not in ("learning_rate", "regularization")
            }
            return norma(gram, y, rows, eta, lam, may_end=may_end, **more)
        case PassiveAggressive(variant, C):
            return passive_aggressive(gram, y, rows, variant, C, may_end=may_end)
        case KernelLogistic(eta, lam):
            return kernel_logistic(gram, y, rows, eta, lam, may_end=may_end)
        case _:
            kind = type(learner).__name__
            pytest.fail(
                f"{kind} has no slow loop: write one here, in oracles.py, and a case of it in "
                f"`slow_run`."
            )


def assert_matches(run, slow, rtol=1e-8):
    """Everything that the run recorded is what the slow loop did, at every instant."""
    assert_array_equal(run.index, slow.index)
    scale = 1.0 + np.abs(slow.score).max(initial=0.0)
    assert_allclose(run.score, slow.score, rtol=rtol, atol=1e-3 * rtol * scale)
    sure = (np.abs(slow.score) > 1e-9 * scale) | (
        run.score == slow.score
    )  # a score that is nearly 0 may be rounding
    assert_array_equal(run.mistake[sure], np.array(slow.mistake)[sure])
    if (
        not run.shows_only_mistakes
    ):  # which example comes, and when none is left: test_conventions.py
        assert run.end == slow.end
    for name in set(slow.details) - set(slow.private):
        atol = 1e-6 * np.sqrt(scale) if name == "distance" else 1e-10  # rounding, under a root
        assert_allclose(run.details[name], slow.details[name], rtol=rtol, atol=atol, err_msg=name)
        assert len(run.details[name]) == run.n_steps
    states = [run.state_at(t) for t in range(run.n_steps + 1)]
    coef, b = (np.array(part) for part in zip(*slow.states, strict=True))
    assert_allclose(
        [s.coef for s in states], coef, rtol=rtol, atol=1e-3 * rtol * (1.0 + np.abs(coef).max())
    )
    assert_allclose([s.intercept for s in states], b, rtol=rtol, atol=1e-10)
    if any(slow.entries):
        alive = [run.entries_at(t) for t in range(run.n_steps + 1)]
        assert [[row[:2] for row in e.rows()] for e in alive] == [
            [row[:2] for row in rows] for rows in slow.entries
        ]
        weights = [weight for entries in slow.entries for *_, weight in entries]
        assert_allclose(np.concatenate([e.weight for e in alive]), weights, rtol=rtol)
        assert [set(s.support.tolist()) for s in states] == [
            set(e.index.tolist()) for e in alive
        ]  # the others are 0


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
    """A perceptron with at most `budget` entries; `evict(t, entries)` names the place of the one
    that makes room.
    """
    n = len(y)
    entries = []
    slow = SlowRun([(np.zeros(n), 0.0)])
    for t, i in passes(slow, rows, n, may_end):
        victim = -1
        if slow.see(i, value(entries, gram, i), y[i], certain=not entries):
            slow.changed += 1
            if len(entries) == budget:
                victim = entries.pop(evict(t, entries))[1]
            entries = [*entries, (t, i, y[i])]
        slow.close(summed(entries, n), entries=entries, victim=victim)
    return slow


def remove_oldest(gram, y, rows, budget, *, may_end=True):
    return budgeted(gram, y, rows, budget, lambda t, entries: 0, may_end=may_end)


def randomized_budget(gram, y, rows, budget, evicted, *, may_end=True):
    """Cavallanti, Cesa-Bianchi, Gentile 2007; `evicted` says which presentation's entry chance took
    at t.
    """
    return budgeted(
        gram,
        y,
        rows,
        budget,
        lambda t, entries: [step for step, *_ in entries].index(evicted[t]),
        may_end=may_end,
    )


def largest_phi(sigma, mu, q, m):
    """Search (0, 1] for the largest phi with Psi(sigma phi, phi mu) + q <= (15/32) m: a grid, then
    halving.
    """

    def excess(phi):
        shrunk = sigma * phi
        remembered = phi * mu
        return shrunk**2 + 2 * shrunk - 2 * shrunk * remembered + q - KEEP * m

    if excess(1.0) <= 0:
        return 1.0
    grid = np.linspace(0.0, 1.0, 20_001)
    place = np.flatnonzero(excess(grid) <= 0)[-1]
    low = grid[place]
    high = grid[place + 1]
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) <= 0 else (low, middle)
    return low


def forgetron(gram, y, rows, budget, variant="self-tuned", *, may_end=True):
    """Dekel, Shalev-Shwartz, Singer 2008; Q belongs to the self-tuned rule."""
    n = len(y)
    entries = []
    q = 0.0
    m = 0
    slow = SlowRun(
        [(np.zeros(n), 0.0)], private=("M", "mu") if variant == "self-tuned" else ("M", "mu", "Q")
    )
    for t, i in passes(slow, rows, n, may_end):
        phi = 1.0
        victim = -1
        mu = nan
        if slow.see(i, value(entries, gram, i), y[i], certain=not entries):
            slow.changed += 1
            m += 1
            entries = [*entries, (t, i, y[i])]
            full = len(entries) > budget
            _, r, weight = entries[0]
            sigma = abs(weight)
            mu = y[r] * value(entries, gram, r)
            if variant == "basic":
                phi = min(
                    (budget + 1) ** (-1 / (2 * (budget + 1))),
                    largest_norm(budget) / norm(entries, gram),
                )
            elif full:
                phi = largest_phi(sigma, mu, q, m)
                q += (sigma * phi) ** 2 + 2 * sigma * phi - 2 * sigma * phi * phi * mu
            entries = scaled(entries, phi)
            if full:
                victim = entries.pop(0)[1]
        slow.close(summed(entries, n), entries=entries, Q=q, phi=phi, victim=victim, M=m, mu=mu)
    return slow


def largest_norm(budget):
    return 0.25 * sqrt((budget + 1) / log(budget + 1))


def norm(entries, gram):
    return sqrt(sum(v * w * gram[i, j] for _, i, v in entries for _, j, w in entries))


def projectron(gram, y, rows, threshold, *, may_end=True):
    """Orabona, Keshet, Caputo 2009; the projection by least squares."""
    n = len(y)
    support = []
    coef = np.zeros(len(y))
    slow = SlowRun([(np.zeros(n), 0.0)])
    for _, i in passes(slow, rows, n, may_end):
        distance = 0.0
        projected = False
        if slow.see(i, float(coef @ gram[:, i]), y[i], certain=not support):
            slow.changed += 1
            d = (
                np.linalg.lstsq(gram[np.ix_(support, support)], gram[support, i])[0]
                if support
                else np.zeros(0)
            )
            distance = sqrt(max(gram[i, i] - gram[support, i] @ d, 0.0))
            most = max(
                threshold, 1e-5 * sqrt(gram[i, i])
            )  # what is spanned exactly is so up to rounding
            projected = distance <= most
            slow.nearest = min(slow.nearest, abs(distance - most))
            coef = coef.copy()
            if projected:
                coef[support] += y[i] * d
            else:
                support.append(i)
                coef[i] += y[i]
        slow.close(coef, distance=distance, projected=projected)
    return slow


def norma(
    gram, y, rows, eta, lam, *, margin=1.0, nu=None, schedule="constant", truncation=None, fit_intercept=True,
    may_end=True,
):  # fmt: skip
    """Kivinen, Smola, Williamson 2004."""
    n = len(y)
    entries = []
    b = 0.0
    rho = margin if nu is None else 0.0
    slow = SlowRun([(np.zeros(n), 0.0)])
    for t, i in passes(slow, rows, n, may_end):
        rate = eta / sqrt(t + 1) if schedule == "inverse-sqrt" else eta
        victim = -1
        certain = not entries and b == 0.0 and (nu is None or t == 0)
        error = slow.see(i, value(entries, gram, i, b), y[i], rho, certain=certain)
        compared = rho
        entries = scaled(entries, 1 - rate * lam)
        if error:
            entries = [*entries, (t, i, rate * y[i])]
            b += rate * y[i] * fit_intercept
        if truncation is not None and entries and entries[0][0] <= t - truncation:
            victim = entries.pop(0)[1]
        if nu is not None:
            rho += -rate * (1 - nu) if error else rate * nu
        slow.changed += error or lam > 0 or victim >= 0 or nu is not None  # which moves rho
        slow.close(
            summed(entries, n), b, entries, rho=rho, compared=compared, rate=rate, victim=victim
        )
    return slow


def kernel_logistic(gram, y, rows, eta, lam, *, may_end=True):
    """Stochastic descent on log(1 + exp(-y f)) + (lam / 2) |f|²."""
    n = len(y)
    coef = np.zeros(len(y))
    slow = SlowRun([(np.zeros(n), 0.0)])
    for _, i in passes(slow, rows, n, may_end):
        f = float(coef @ gram[:, i])
        slow.see(i, f, y[i], certain=True)
        coef = (1 - eta * lam) * coef
        coef[i] += eta * y[i] * expit(-y[i] * f)
        slow.changed += 1
        slow.close(coef, probability=expit(f), added=eta * expit(-y[i] * f))
    return slow


def passive_aggressive(gram, y, rows, variant="PA", C=1.0, *, may_end=True):
    """Crammer, Dekel, Keshet, Shalev-Shwartz, Singer 2006."""
    n = len(y)
    coef = np.zeros(len(y))
    slow = SlowRun([(np.zeros(n), 0.0)])
    for _, i in passes(slow, rows, n, may_end):
        f = float(coef @ gram[:, i])
        slow.see(i, f, y[i], certain=True)
        loss = max(0.0, 1.0 - y[i] * f)
        square = gram[i, i]
        tau = 0.0
        if loss > 1e-12 and square > 0.0:
            limits = {"PA": inf, "PA-I": C, "PA-II": inf}
            tau = min(
                limits[variant], loss / (square + (1.0 / (2.0 * C) if variant == "PA-II" else 0.0))
            )
        coef = coef.copy()
        coef[i] += tau * y[i]
        slow.changed += tau > 0.0
        slow.close(coef, loss=loss if loss > 1e-12 else 0.0, tau=tau)
    return slow


def violations(gram, y, coef, C):
    """Each example's y - f without b, and where coef may rise and may fall within the box."""
    low = np.minimum(0.0, y * C)
    high = np.maximum(0.0, y * C)
    slack = 1e-12 * C  # what ends so near to its bound ends at it
    return y - gram @ coef, coef < high - slack, coef > low + slack, low, high


def gap_of(gram, y, coef, C):
    """m(a) and M(a): optimal where m <= M (Fan, Chen, Lin 2005)."""
    pull, may_rise, may_fall, _, _ = violations(gram, y, coef, C)
    return pull[may_rise].max(initial=-inf), pull[may_fall].min(initial=inf)


def smo(gram, y, C, tol, pairs, *, limit):
    """Sequential minimal optimisation; where several pairs are equally good, the one in `pairs` is
    taken.
    """
    coef = np.zeros(len(y))
    slow = SlowRun([(coef, 0.0)])
    slow.end = "tolerance"
    while True:
        pull, may_rise, may_fall, low, high = violations(gram, y, coef, C)
        m, M = gap_of(gram, y, coef, C)
        t = len(slow.index)
        if m - M < tol:
            return slow
        if t == limit:
            slow.end = "limit"
            return slow
        i = followed(np.where(may_rise, pull, -inf), pairs[t][0] if t < len(pairs) else -1)
        curve = np.maximum(gram[i, i] + gram.diagonal() - 2 * gram[i], 1e-12)
        gain = np.where(may_fall & (pull < pull[i]), (pull[i] - pull) ** 2 / curve, -inf)
        j = followed(gain, pairs[t][1] if t < len(pairs) else -1)
        step = min((pull[i] - pull[j]) / curve[j], high[i] - coef[i], coef[j] - low[j])
        coef = coef.copy()
        coef[i] = high[i] if step == high[i] - coef[i] else coef[i] + step
        coef[j] = low[j] if step == coef[j] - low[j] else coef[j] - step
        slow.index.append(i)
        slow.close(coef, partner=j, gap=m - M)


def followed(worth, wish):
    """Return `wish` if nothing is worth more, else what is worth most."""
    best = worth.max()
    return (
        int(wish)
        if wish >= 0 and worth[wish] >= best - 1e-9 * (1 + abs(best))
        else int(worth.argmax())
    )


def dual_objective(gram, y, coef):
    return float(y @ coef - 0.5 * coef @ gram @ coef)
