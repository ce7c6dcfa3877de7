"""Settings of runs that are sent, and what a reader of the documentation makes of their bytes."""

from functools import cached_property

import numpy as np
from kinds import kernels_for

from kpviz import experiment
from kpviz.engine.kernels.vectors import NAMED_KERNELS
from kpviz.engine.run import predictors
from kpviz.player import payload
from kpviz.player.experiment import Experiment
from kpviz.settings import Settings

TYPES = ("int8", "uint8", "int16", "uint16", "uint32", "int32", "float32", "float64")


class Sent:
    """A run, its bytes, and what a reader of the documentation makes of them; `asked`
    are extras.
    """

    def __init__(self, *extra_names, **values):
        settings = Settings.of(**values)
        split = experiment.prepare(settings)
        self._send(Experiment.of(settings, split, experiment.run(settings, split)), extra_names)

    @classmethod
    def of(cls, subject):
        """What is sent of a subject."""
        made = cls.__new__(cls)
        made._send(subject, ())
        return made

    def _send(self, subject, extra_names):
        self.settings = subject.settings
        self.split = subject.split
        self.run = subject.run
        self.data = payload.encode(subject, extra_names=extra_names)
        self.header, self.arrays = payload.unpack(self.data)
        self.extras = [self.header["extras"][name] for name in extra_names]
        self.everywhere = self.split.everything
        self.has_plane = self.header["ground"]["kind"] == "plane"
        self.axes = subject.where.visible.axes(self.header["grid"]) if self.has_plane else None
        self.blocks = blocks_of(self.arrays)

    @cached_property
    def gram(self):
        """k(support, examples): pairs of the support once, then the columns of the others."""
        support = self.arrays["support"].astype(int)
        n = len(self.everywhere)
        gram = np.full((len(support), n), np.nan, dtype=self.arrays["gramPairs"].dtype)
        among = np.zeros((len(support), len(support)), dtype=gram.dtype)
        among[np.triu_indices(len(support))] = self.arrays["gramPairs"]
        gram[:, support] = among + np.triu(among, 1).T
        gram[:, np.setdiff1d(np.arange(n), support)] = self.arrays["gramRest"]
        return gram

    @cached_property
    def changes(self):
        """(step, its entries' places and values, shift, shrink) of each change, with all that was
        left out.
        """
        a = self.arrays
        changed = self.header["changed"]
        n = changed["count"]
        when = {
            "each": np.arange(n),
            "mistakes": np.flatnonzero(a["mistake"]),
            "listed": a.get("changeStep"),
        }
        steps = when[changed["when"]]
        assert len(steps) == n
        pointer = a.get("changePointer", np.arange(len(a["changeIndex"]) + 1)).astype(int).tolist()
        parts = [
            slice(pointer[j], pointer[j + 1]) for j in a.get("changeLike", np.arange(n)).astype(int)
        ]
        shift = a.get("changeShift", np.zeros(n))
        shrink = np.broadcast_to(a.get("changeShrink", 1.0), n)
        entries = [
            (a["changeIndex"][part].astype(int), a["changeDelta"][part].astype(float))
            for part in parts
        ]
        return list(zip(steps.tolist(), entries, shift.tolist(), shrink.tolist(), strict=True))

    def alive_at(self, t):
        """Carry out the changes before t one by one; return step, place and weight of what is
        alive, and b.
        """
        a = self.arrays
        changes = [change for change in self.changes if change[0] < t]
        place = a.get("startIndex", np.zeros(0)).astype(int)
        weight = a.get("startWeight", np.zeros(0)).astype(float)
        done = len(place)  # what a resumed run began with
        dies = [
            a.get("startDies", np.full(done, -1)),
            a.get("changeDies", np.full(len(self.changes), -1)),
        ]
        sizes = [len(places) for _, (places, _), _, _ in changes]
        dies = np.concatenate([dies[0], np.repeat(dies[1][: len(changes)], sizes)]).astype(int)
        step = np.concatenate([np.arange(-done - 1, -1), np.zeros(sum(sizes), int)])
        place, weight = (
            np.concatenate([part, np.zeros(sum(sizes), part.dtype)]) for part in (place, weight)
        )
        alive = np.ones(len(place), dtype=bool)
        b = self.header["changed"]["b"]
        for j, (when, (places, values), shift, shrink) in enumerate(changes):
            if shrink != 1.0:
                weight[:done] *= shrink
            new = slice(done, done + len(places))
            step[new] = when
            place[new] = places
            weight[new] = values
            done += len(places)
            if self.header["changed"]["after"]:
                alive[: new.start] &= ~np.isin(place[: new.start], places)
            else:
                alive[:done] &= dies[:done] != j
            b = shift if self.header["changed"]["after"] else b + shift
        unit = self.header["unit"]
        return (step[alive], place[alive], weight[alive] * unit), b * unit

    def state(self, t):
        """Coefficients of the support and b."""
        (_, place, weight), b = self.alive_at(t)
        coef = np.zeros(len(self.arrays["support"]))
        np.add.at(coef, place, weight)
        return coef, b

    def detail(self, name):
        """A particular of each step."""
        values = self.arrays[f"detail_{name}"].tolist()
        between = self.header["about"]["details"][name]
        if between is None:
            return values
        news = dict(zip((step for step, *_ in self.changes), values, strict=True))
        result = [between["first"]]
        for step in range(self.header["nSteps"]):
            result.append(news.get(step, result[-1] if between["lasts"] else between["first"]))
        return result[1:]

    def field(self, t):
        coef, b = self.state(t)
        return added(self.blocks, coef, self.header["grid"]) + b

    def rounding(self, t):
        """What float32 may lose: numbers of the size of the terms of f, which may cancel."""
        state = self.run.state_at(t)
        columns = predictors.kernel_columns(self.run, self.everywhere, state.support)
        return float((np.abs(columns) @ np.abs(state.coef[state.support])).max(initial=0.0))


FACTORS = ("weights", "along_1", "along_2", "falls_1", "table", "ridge")
NAMES = (
    *FACTORS,
    "falls_2",
    "cells",
    "basis_1",
    "basis_2",
    "tops",
    "scales",
    "places",
    "rest",
    "rest_1",
    "rest_2",
)


def blocks_of(arrays):
    """What was sent for the field, block by block."""
    blocks = []
    while any(f"{name}_{len(blocks)}" in arrays for name in FACTORS):
        named = {name: arrays.get(f"{name}_{len(blocks)}") for name in NAMES}
        blocks.append({name: array for name, array in named.items() if array is not None})
    return blocks


def added(blocks, coef, nodes):
    """The sum of coef_i k_i at the nodes, (nodes along x₂, nodes along x₁), as contributions.py
    says; of several coef, (m, s), so many of them.
    """
    return sum(
        (remainder(block) * np.tensordot(coef, of_block(block, nodes), axes=1) for block in blocks),
        np.zeros((nodes,) * 2),
    )


def remainder(block):
    return (
        np.exp(block["rest_2"].T @ block["rest_1"]) if "rest_1" in block else block.get("rest", 1.0)
    )


def of_block(block, nodes):
    """Every k_i of a block at the nodes, (s, nodes along x₂, nodes along x₁)."""
    steps = np.arange(nodes)
    values = np.ones((1, 1, 1))
    if "weights" in block:
        first, second = np.divmod(block["cells"].astype(int), len(block["basis_2"]))
        products = block["basis_1"][first][:, None, :] * block["basis_2"][second][:, :, None]
        values = values * np.tensordot(block["weights"].astype(float), products, axes=1)
    if "falls_1" in block:
        away = np.abs(steps - block["tops"][:, :, None])
        hill_1, hill_2 = (np.exp(looked_up(block[f"falls_{j + 1}"], away[:, j])) for j in (0, 1))
        values = values * hill_2[:, :, None] * hill_1[:, None, :]
    if "table" in block:
        away = (steps - block["tops"][:, :, None]) * block["scales"][:, None]
        values = values * looked_up(
            block["table"], np.hypot(away[:, 0, None, :], away[:, 1, :, None])
        )
    if "ridge" in block:
        start, step_1, step_2 = block["places"].T[:, :, None, None]
        values = values * looked_up(
            block["ridge"], start + step_1 * steps + step_2 * steps[:, None]
        )
    values = values * block.get("along_1", np.ones((1, 1)))[:, None, :]
    return values * block.get("along_2", np.ones((1, 1)))[:, :, None]


def looked_up(table, at):
    """On a parabola through three entries; on a line where it is not smooth."""
    bends = np.diff(table, 2)
    neighbours = np.abs(np.concatenate([bends[:1], bends, bends[-1:]]))
    smooth = np.abs(bends) <= 4 * np.minimum(neighbours[:-2], neighbours[2:])
    k = at.astype(int)
    past = at - k
    return table[k] + past * (
        table[k + 1] - table[k] + (past - 1) / 2 * np.where(smooth, bends, 0.0)[k]
    )


OF_VECTORS = kernels_for("xor")
ONE = {
    **{name: {"kernel": name} for name in OF_VECTORS},
    "subsets of literals": {"kernel": "subsets", "negated": "on"},
    "three components": {"kernel": "mixture", "components": 3},
    "formula that splits": {"kernel": "formula", "formula": "exp(-norm(u - v)**2) + 0.1*dot(u, v)"},
    "formula of u·v": {"kernel": "formula", "formula": "exp(dot(u, v)) + 0.3*dot(u, v)**2"},
    "gaussian, narrow": {"sigma": 0.02},
    "gaussian, wide": {"sigma": 10},
    "laplacian, narrow": {"kernel": "laplacian", "sigma": 0.02},
    "laplacian, wide": {"kernel": "laplacian", "sigma": 10},
    "polynomial, high": {"kernel": "polynomial", "degree": 8, "coef0": 5},
    "polynomial, high, no constant": {"kernel": "polynomial", "degree": 8, "coef0": 0},
    "monomial, high": {"kernel": "monomial", "degree": 8},
    "sigmoid, steep": {"kernel": "sigmoid", "gamma": 10, "coef0": -1},
}  # fmt: skip

# Neither splits nor depends on u·v alone, and has kinks: a truncated factorisation is as exact as
# its size allows.
ROUGH = {"formula, any": {"kernel": "formula", "formula": "exp(-norm(u - v)) * (1 + u[1]*v[1])"}}
CALLS = {  # kernels as a formula calls them
    name: f"{name}({', '.join(f'{limits.default:g}' for limits in kind.ranges.values())})"
    for name, kind in NAMED_KERNELS.items()
}
PAIRS = {
    f"{first}{sign}{second}": {
        "kernel": "formula",
        "formula": f"{CALLS[first]}{sign}{CALLS[second]}",
    }
    for first in CALLS
    for second in CALLS
    for sign in (" + ", "*")
}

HARD = {
    name: {"kernel": "formula", "formula": text}
    for name, text in {
        "narrow × high": "gaussian(0.1)*polynomial(8, 1)",
        "kinks × high": "laplacian(0.5)*polynomial(8, 1)",
        "high × high": "polynomial(8, 5)*polynomial(8, 1)",
        "usual × high": "gaussian(0.5)*monomial(8)",
        "narrow + kinks": "gaussian(0.1) + laplacian(0.3)",
        "narrow + high": "gaussian(0.1) + polynomial(8, 1)",
        "kinks × steep": "laplacian(0.02)*sigmoid(10, 0)",
        "steep + steep": "sigmoid(10, 0) + sigmoid(5, 0)",
    }.items()
}
