"""K walks through the kernels that compare what is shown."""

import pytest

from kpviz.app.commands import carry_out
from kpviz.app.session import Session
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.kernels import KERNELS
from kpviz.settings import Settings

NEXT = [{"n": 1, "name": "kernel", "t": 0}]


@pytest.mark.parametrize("data", OBJECTS)
def test_k_walks_through_all_kernels_of_these_objects_or_says_that_there_is_one(data):
    names = OBJECTS[data].kernels
    session = Session(Settings.of(data=data))
    seen = []
    for n in range(1, len(names) + 1):
        carry_out(session, [{**NEXT[0], "n": n}])
        seen.append(session.settings.kernel)
    assert set(seen) == set(names)
    expected = f"One kernel alone compares these examples here: {KERNELS[names[0]].name}."
    assert session.notice == (expected if len(names) == 1 else None)
