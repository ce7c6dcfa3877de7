"""The working of a number: whoever calculates with what is shown gets the number."""

from __future__ import annotations

import re

import numpy as np
import pytest

from kpviz import experiment
from kpviz.lessons.file import format, tasks
from kpviz.settings import from_query

XOR = "v=1&data=xor"


def task(value, link=XOR):
    lesson = format.read(f"---\ntitle: T\n---\n## S\nlink: {link}\n```task number\nask: A\nvalue: {value}\n```")
    return lesson.scenes[0].tasks[0]


def run_of(query):
    return experiment.run(from_query(query)[0])


TERM = re.compile(r"x[₀-₉]+: ([+−][0-9.]+) · (−?[0-9.]+) = ([+−][0-9.]+)")


@pytest.mark.parametrize("asked", ["f(0.5, -0.5)", "f(0.03, 0.01)", "score(4)", "margin(9)"])
@pytest.mark.parametrize("query", [XOR, "v=1&data=shifted&kernel=linear&intercept=radius", f"{XOR}&predictor=averaged"])
def test_the_working_of_a_score_gives_it_by_hand(asked, query):
    solution = tasks.solve(task(asked, query))
    plain = [line.replace("−", "-") for line in solution.working]
    total = 0.0
    for line in plain[1:-1]:
        if match := TERM.fullmatch(line.replace("-", "−")):
            coef, k, product = (float(part.replace("−", "-")) for part in match.groups())
            assert product == pytest.approx(coef * k, abs=1e-14 + 0.5 * 10.0 ** -_decimals(match[2], match[1]))
            total += product
        elif ": " in line:
            total += float(line.split(": ")[1])
    shown = float(plain[-1].split(" = ")[-1])
    value = solution.answer["number"]
    assert shown == float(f"{value:.3g}")
    if asked.startswith(("f", "score")):
        assert float(f"{total:.3g}") == shown


def _decimals(*texts):
    return max(3, *(len(text.partition(".")[2]) for text in texts))


def test_the_working_of_an_alpha_names_its_mistakes():
    run = run_of(XOR)
    i = int(np.argmax(run.state_at(run.n_steps).alpha))
    steps = [t + 1 for t in range(run.n_steps) if run.index[t] == i and run.mistake[t]]
    working = tasks.solve(task(f"alpha({i})")).working
    assert f"at steps {', '.join(map(str, steps))}" in working[0]
    assert working[-1].endswith(f"= {len(steps)}")


def test_the_working_of_a_bound_has_its_quantities():
    query = "v=1&data=xor&n=4&noise=0&kernel=polynomial&degree=2&coef0=1"
    solution = tasks.solve(task("bound", query))
    assert solution.answer["number"] == pytest.approx(4.5)
    assert [line.split(" ")[0] for line in solution.working] == ["R", "γ", "R²/γ²"]
    radius, margin, bound = (float(line.split(" ")[2]) for line in tasks.solve(task("bound")).working)
    assert f"{(radius / margin) ** 2:.2f}" == f"{bound:.2f}"
