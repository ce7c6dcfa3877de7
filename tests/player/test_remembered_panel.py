"""The panel of the remembered examples: its numbers are f(x) as a sum, worked out again from the record of the run."""

import numpy as np
import pytest
from written import read

from kpviz import experiment
from kpviz.settings import from_query

LINKS = [
    "n=30",
    "n=30&kernel=polynomial&eta=0.5&intercept=unit",
    "n=30&kernel=laplacian&learner=forgetron&budget=6",
    "n=24&learner=projectron&noise=0.4",
    "n=24&learner=norma&epochs=3",
    "n=20&data=moons&learner=logistic&kernel=linear",
    "n=30&noise=0.4&predictor=averaged&intercept=unit",
    "data=texts",
    "data=trees&learner=oldest&budget=4",
    "data=graphs&predictor=averaged",
    "data=bits&function=x1%20%26%20x2&bits=3",
]


def terms_of(run, i, t, predictor):
    """(b, {j: c_j k(x_j, x_i)}) of the examples j that are remembered."""
    states = [run.state_at(time) for time in (range(1, t + 1) if predictor == "averaged" else [t])]
    coef = np.mean([state.coef for state in states], axis=0)
    b = float(np.mean([state.intercept for state in states]))
    return b, {int(j): coef[j] * run.kernel(run.X[[j]], run.X[[i]])[0, 0] for j in np.flatnonzero(coef)}


def value_of(text):
    return read(text.split()[0])


@pytest.mark.parametrize("link", LINKS)
def test_terms_sum_and_rest_are_those_of_the_run(player, link):
    settings, _ = from_query(link)
    run = experiment.run(settings)
    player.open(f"/?v=1&{link}&show=remembered")
    for t in sorted({2, run.n_steps // 3, run.n_steps}):
        player.go(t)
        i = int(run.index[t - 1])
        b, terms = terms_of(run, i, t, settings.predictor)
        f = b + sum(terms.values())
        (sentence,) = player.marks("remembered", name="sum")
        shown = [(mark["i"], mark["value"]) for mark in pairs(player)]
        assert sentence["text"].count(f"x{subscript(i)}")
        assert value_of(sentence["text"].rpartition("= ")[2]) == pytest.approx(f, rel=6e-3, abs=6e-3)
        assert dict(shown) == {j: pytest.approx(terms[j], rel=1e-5, abs=1e-5) for j, _ in shown}
        sizes = [abs(value) for _, value in shown]
        left = [value for j, value in terms.items() if j not in dict(shown)]
        assert sizes == sorted(sizes, reverse=True)
        assert all(abs(value) <= sizes[-1] + 1e-5 for value in left)
        rest = player.words("remembered", "rest")
        found = [value_of(part) for part in rest.split("  ·  ") if part]
        wanted = [*([sum(left)] if left else []), *([b] if b else [])]
        assert found == pytest.approx(wanted, rel=6e-3, abs=6e-3)
        assert not left or f"from {len(left)} more" in rest


def pairs(player):
    """Each row's example with its value."""
    names, values = (player.marks("remembered", name=name) for name in ("term", "value"))
    assert [mark["y"] for mark in names] == [mark["y"] for mark in values]
    return [{**name, **value, "i": name["i"]} for name, value in zip(names, values, strict=True)]


def subscript(i):
    return str(i).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def test_a_vote_is_no_sum_and_before_the_first_step_there_is_none(player):
    player.open("/?v=1&n=20&predictor=voted&show=remembered&t=9")
    assert player.marks("remembered", name="term") == []
    assert "A vote is not a sum of terms" in player.words("remembered")
    player.open("/?v=1&n=20&show=remembered&t=0")
    assert player.words("remembered") == "What is remembered Press →: the examples it errs on are remembered."
