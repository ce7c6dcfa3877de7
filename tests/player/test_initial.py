"""A fixed f₀ in the browser: what it adds up, on the map and at the examples, is what
Python reads.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sent import Sent

from kpviz.engine.run.predictors import PREDICTORS

READ = """(t) => {
  const { Run } = load("run/run.js");
  const run = new Run(kpviz.bytes);
  const { field, scores } = run.reading(t);
  return [[...field], [...scores], run.isBlank(0)];
}"""
FORMS = (
    {"data": "linear", "kernel": "linear", "intercept": "unit", "eta": 0.3},
    {"data": "moons", "learner": "norma", "epochs": 2},
    {"data": "xor", "learner": "oldest", "budget": 3, "order": "random-mistake", "epochs": 2},
)


@pytest.mark.parametrize("predictor", PREDICTORS)
@pytest.mark.parametrize("form", FORMS, ids=["linear", "shrinks", "evicts"])
def test_the_browser_adds_f0_to_every_reading(form, predictor, engine):
    sent = Sent(n=20, held=0.2, w0="0.7,-0.4", b0=0.35, predictor=predictor, **form)
    engine.take(sent.data)
    x1, x2 = sent.axes
    nodes = np.column_stack([np.tile(x1, len(x2)), np.repeat(x2, len(x1))])
    for t in (0, 1, sent.run.n_steps // 2, sent.run.n_steps):
        field, scores, blank = engine.call(READ, t)
        for places, shown in ((nodes, np.array(field)), (sent.everywhere, np.array(scores))):
            exact = sent.run.decision_function(places, t, predictor)
            if predictor == "voted":
                exact = exact / max(t, 1)
                assert (
                    np.abs(shown - exact) > 1e-9
                ).mean() < 0.005  # at the boundary float32 decides
            else:
                assert_allclose(shown, exact, atol=1e-5 * (1.0 + np.abs(exact).max()))
        assert blank == (predictor == "voted")
