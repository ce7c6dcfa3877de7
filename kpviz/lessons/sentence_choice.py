"""Which of the sentences is told about each presentation of a run."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.run.run import Run


def choose(run: Run, general: Collection[str]) -> tuple[NDArray[np.int8], tuple[str, ...]]:
    """Return for each presentation the number of its key, (n_steps,), and the keys, from the most general on.

    `general` are the keys of the sentences that any learner may use; the last that applies and has a sentence is taken.
    """
    about = run.learner.about
    mistake, updated, zero = run.mistake, np.zeros(run.n_steps, dtype=bool), run.score == 0
    evicts, sized = updated.copy(), np.diff(run.changes.pointer) > 0
    unshrunk, idle = updated.copy(), ~updated
    updated[run.changes.step[sized]] = about.grain == "update"
    evicts[run.changes.step] = run.changes.evicted != -1
    unshrunk[run.changes.step] = run.changes.shrink == 1.0
    idle[run.changes.step] = ~_adds(run)
    projected = np.asarray(run.details.get("projected", np.zeros(run.n_steps)), dtype=bool)
    happened = {
        "correct": ~mistake,
        "correct_zero": ~mistake & zero,
        "mistake": mistake,
        "mistake_zero": mistake & zero,
        "update": updated & (~mistake | ("mistake" not in about.words)),
        "correct_evicts": ~mistake & evicts,
        "update_evicts": updated & ~mistake & evicts,
        "mistake_evicts": mistake & evicts,
        "mistake_evicts_unshrunk": mistake & evicts & unshrunk,
        "mistake_projected": mistake & projected,
        "mistake_idle": mistake & idle,
        "mistake_idle_evicts": mistake & idle & evicts,
    }
    own = {key: text for key, text in about.words.items() if key in happened}
    keys = tuple(key for key in happened if key in own or (key in general and key.partition("_")[0] not in own))
    codes = np.zeros(run.n_steps, dtype=np.int8)
    for code, key in enumerate(keys):
        codes[happened[key]] = code
    return codes, keys


def _adds(run: Run) -> NDArray[np.bool_]:
    """Return of each change whether it adds to a coefficient or to b, (n_changes,): it may only shrink, or forget."""
    changes = run.changes
    adds = np.asarray(changes.shift != 0.0)
    adds[np.repeat(np.arange(len(changes)), np.diff(changes.pointer))[changes.delta != 0.0]] = True
    return adds
