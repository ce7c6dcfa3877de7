"""What hypothesis draws in more than one test: settings of runs, of models and of anything, points,
texts and links.
"""

import numpy as np
from hypothesis import strategies as st
from kinds import NAMES, kernels_for, kind_of
from links import FULL_WIDTH, GOOD, HOSTILE, STRANGE_KEYS

from kpviz.engine.data import sequence
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.drawn import Axis, Drawn
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run.predictors import PREDICTORS
from kpviz.settings import BY_NAME, LINK_NAMES
from kpviz.settings.combined_kernels import as_one_kernel

# ---- runs ----------------------------------------------------------------------------------------

WIDTHS = (0.5, 0.1, 0.3, 1.0, 3.0)
TYPED = [
    "exp(-norm(u-v)**2/2) + 0.1*dot(u,v)",
    "(dot(u,v) + 1)**2*exp(-norm(u-v))",
    "exp(-norm(u-v))*(1 + u[1]*v[1])",
    "abs(dot(u,v))*exp(-norm(u-v)**2)",
    "sum(min(u,v)) + 3",
    "exp(-sum(abs(u-v)))*(2 + u[1]*v[2]*u[2]*v[1])",
    "normalized(dot(u,v) + 1)*gaussian(0.3)",
    "2*(matern32(0.05) + dot(u,v)) - 0.5*laplacian(0.1)",
    "exp(dot(u,v) - norm(u-v)**2)/((1 + norm(u))*(1 + norm(v)))",
    "norm(u-v)**2*dot(u,v) + 3*u[1]*v[1] + 1",
]


@st.composite
def kernels(draw, data="xor", widths=WIDTHS, names=()):
    """The settings of a kernel for a data set, or of two as a formula; `names` are drawn more often
    than others.
    """
    kernel = st.sampled_from([*kernels_for(data), *names])
    width = st.sampled_from(widths)
    degree = st.integers(1, 5)
    small = st.sampled_from([0.3, 1.0, 2.0])
    drawn = {
        "normalize": draw(st.sampled_from(["off", "off", "on"])),
        "negated": draw(st.sampled_from(["off", "on"])),
    }
    drawn["combine"] = draw(st.sampled_from(["none", "none", "sum", "product"]))
    for suffix in ("", "2"):
        drawn |= {f"kernel{suffix}": draw(kernel), f"formula{suffix}": draw(st.sampled_from(TYPED))}
        drawn |= {
            f"sigma{suffix}": draw(width),
            f"degree{suffix}": draw(degree),
            f"gamma{suffix}": draw(small),
        }
        drawn |= {
            f"components{suffix}": draw(st.integers(1, 4)),
            f"coef0{suffix}": draw(st.sampled_from([1.0, 0.0])),
        }
        drawn |= {
            f"length{suffix}": draw(st.integers(1, 4)),
            f"rounds{suffix}": draw(st.integers(0, 4)),
        }
    values, _ = as_one_kernel({"data": data, **drawn})
    return {name: value for name, value in values.items() if name != "data"}


# Numbers with which a learner's rule is another one, or ends are met, within what a short run can
# show.
_NUMBERS = {
    "learning_rate": (1.0, 0.1, 0.5, 4.0), "budget": (10, 1, 2, 4), "threshold": (0.1, 0.0, 0.4, 0.6),
    "regularization": (0.02, 0.0, 0.09), "margin": (1.0, 0.0, 0.5), "nu": (0.0, 0.0, 0.3),
    "truncation": (0, 0, 1, 3, 15), "C": (1.0, 0.1, 100.0), "tol": (1e-5, 1e-2),
}  # fmt: skip
_SWITCH = {True: "on", False: "off"}


@st.composite
def learners(draw, names=tuple(LEARNERS)):
    """The settings of a learner: each of its parameters."""
    name = draw(st.sampled_from(names))
    drawn = {"learner": name}
    for parameter, limits in LEARNERS[name].ranges.items():
        values = _NUMBERS.get(parameter, (limits.default, limits.low, limits.high))
        drawn[LINK_NAMES.get(parameter, parameter)] = draw(st.sampled_from(values))
    for parameter, values in LEARNERS[name].choices.items():
        value = draw(st.sampled_from(values))
        drawn[LINK_NAMES.get(parameter, parameter)] = _SWITCH.get(value, value)
    return drawn


@st.composite
def models(draw, data="xor"):
    """The settings of a kernel, of a learner, and of how the run is read."""
    return {
        **draw(kernels(data)),
        **draw(learners()),
        "predictor": draw(st.sampled_from(PREDICTORS)),
    }


@st.composite
def runs(draw, data=(*NAMES, "drawn"), most=40):
    """The settings of a short run of any learner on any data, a stream's among them."""
    name = draw(st.sampled_from(data))
    n = draw(st.integers(4, most))
    drawn = {
        "data": name,
        "n": n,
        "seed": draw(st.integers(0, 99)),
        "epochs": draw(st.sampled_from([3, 1, 6])),
    }
    drawn |= {
        "held": draw(st.sampled_from([0.0, 0.3])),
        "noise": draw(st.sampled_from([0.05, 0.0, 0.2])),
    }
    drawn |= {
        "flipped": draw(st.sampled_from([0.0, 0.1])),
        "balance": draw(st.sampled_from([0.5, 0.1])),
    }
    if name == "drawn":
        drawn["points"] = draw(drawings(most).filter(lambda drawn: drawn.held < drawn.n)).code
    if name == "bits":
        drawn |= {
            "function": draw(st.sampled_from(["majority", "parity", "x1 & !x2 | x3"])),
            "bits": 4,
        }
    order = draw(st.sampled_from(["cyclic", "shuffled", "random", "hand"]))
    drawn |= {"order": order, "oseed": draw(st.integers(0, 99))}
    drawn |= {"sequence": draw(st.permutations(range(5)).map(sequence.encode))}
    if name in SOURCES and draw(st.integers(0, 5)) == 5:
        drawn |= {"stream": "on", "drift": draw(st.sampled_from([0.0, 1.0])), "n": 50 + n}
    return {**drawn, **draw(models("xor" if kind_of(name) == "vectors" else name))}


# ---- points --------------------------------------------------------------------------------------

AXES = st.builds(Axis, st.integers(-30, 30), st.integers(-10_000, 10_000), st.integers(1, 4000))


@st.composite
def drawings(draw, most=40):
    """Points that were drawn by hand, some of them held out."""
    place = st.integers(0, 4095)
    points = draw(st.lists(st.tuples(place, place, st.sampled_from([-1.0, 1.0])), max_size=most))
    rows = np.array(points, dtype=np.float64).reshape(len(points), 3)
    axes = draw(st.just(Drawn().axes) | st.tuples(AXES, AXES))
    return Drawn(rows[:, :2].astype(np.int64), rows[:, 2], draw(st.integers(0, len(points))), axes)


# ---- anything ------------------------------------------------------------------------------------

NUMBERS = (
    st.floats() | st.integers() | st.sampled_from([-0.0, 0.1 + 0.2, 1e-320, 10**400, -(10**400)])
)
# What a person may have written, some of it wrong.
WRITTEN = {
    "function": ("x1 & !x2 | x3", "x1 x2' + x8", "parity", "multiplexer", "true", "x1 &", "x9"),
    "added": (
        "+Two goals!;-boil the rice",
        "+(S (NP you) (VP sing))",
        "+CCO 1-2 3-2;-CO 1-2",
        "goal",
        "+",
        "+(S",
    ),
    "ask": ("The goal", "(S (NP you) (VP sing))", "CCO 1-2 3-2", "(S", "CCO 1-9"),
    "formula": ("exp(-norm(u-v)**2)", "1 + dot(u, v)", "dot(u, v)**2 + 0.5", "u", "dot(u,"),
}
ANYTHING = (
    NUMBERS
    | st.text(max_size=120)
    | st.none()
    | st.booleans()
    | st.binary(max_size=8)
    | st.just([])
)


def likely(prop):
    """Values that a property allows, and some that it repairs."""
    if prop.choices:
        return st.sampled_from(prop.choices)
    if prop.text:
        return st.text(max_size=prop.text + 3) | st.sampled_from(WRITTEN.get(prop.name, ("",)))
    return NUMBERS | st.floats(-20, 1100) | st.integers(-20, 1100)


def given_of(properties):
    """Values for some of these properties."""
    return st.fixed_dictionaries({}, optional={prop.name: likely(prop) for prop in properties})


# ---- links ---------------------------------------------------------------------------------------


def _value(key):
    """A good value, a hostile one, a number of any size, or noise."""
    good = st.sampled_from(GOOD.get(key, ("1",)))
    sized = st.tuples(st.floats(-10, 10), st.integers(-20, 20), st.integers(0, 20))
    return st.one_of(
        good,
        st.sampled_from(HOSTILE),
        sized.map(lambda parts: f"{parts[0] * 10.0 ** parts[1]:.{parts[2]}g}"),
        st.text(max_size=40),
        st.tuples(good, st.sampled_from(["", " ", "%20", "\u200b"])).map(
            lambda p: p[0].translate(FULL_WIDTH) + p[1]
        ),
    )


@st.composite
def pairs(draw):
    """Keys and values of a link that a stranger, a chat program or an attacker might write; some
    keys twice.
    """
    keys = draw(st.lists(st.sampled_from([*BY_NAME, *STRANGE_KEYS]), min_size=1, max_size=16))
    whole = draw(
        st.lists(st.sampled_from([key for key in BY_NAME if BY_NAME[key].choices]), max_size=10)
    )
    parts = [
        (key, draw(st.sampled_from(GOOD[key]))) for key in whole
    ]  # these decide what else applies
    parts += [(key, draw(_value(key))) for key in keys]
    version = draw(st.sampled_from([None, None, "1", "0", "2", "1.0", "-1", "", "one", "1\x00"]))
    return parts if version is None else [("v", version), *parts]
