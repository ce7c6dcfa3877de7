"""What Python hands over: each public callable gives a finite result, or a sentence that names the
argument.

Without a warning, and within seconds, whatever stands in the place of an array or a number.
"""

import datetime
import decimal
import fractions
import inspect
import math
import operator
import re
import signal
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from textbook import one_sentence

import kpviz
from kpviz import kernels, learners, primal, theory
from kpviz.engine import checks
from kpviz.settings.kernel_words import kernel_label

X = np.array([[1.0, 2.0], [3.0, 4.0], [-1.0, 0.5], [0.3, -2.0]])
y = np.array([1.0, -1.0, 1.0, -1.0])
GRAM = X @ X.T + np.eye(4)
RUN = kpviz.train(learners.Perceptron(), X, y, kernel=kernels.Monomial(2))
STATE = RUN.state_at(2)
KERNEL = kernels.Polynomial(2, 1.0)
COUNTS = np.array([10, 10, 10, 10])
READING = primal.read(RUN)
LONGEST = 10.0  # seconds of the processor, which no call here comes near, unless it does not end

# A good value of each parameter, by its name: what is wrong is put in the place of one of them.
ARRAYS = {
    "X": X,
    "Z": X,
    "y": y,
    "gram": GRAM,
    "coef": 0.5 * y,
    "alpha": np.array([0.5, 0.5, 0.5, 0.5]),
    "margins": np.array([0.5, 0.7, -0.1, 0.2]),
    "counts": COUNTS,
    "w0": np.array([1.0, 2.0]),
    "weights": np.array([0.5, 0.5]),
    "means": np.array([[0.0, 0.0], [1.0, 1.0]]),
    "covariances": np.array([np.eye(2), np.eye(2)]),
    "returned": GRAM,
    "order": np.array([0, 1, 2, 3]),
    "times": np.array([1, 2]),
    "degrees": np.array([2, 3]),
    "dimensions": np.array([2, 10]),
    "X_test": X,
    "y_test": y,
}
NUMBERS = {
    "C": 1.0,
    "b0": 1.0,
    "balance": 0.5,
    "budget": 100,
    "coef0": 1.0,
    "columns": 2,
    "components": 2,
    "degree": 2,
    "drift": 0.1,
    "epochs": 3,
    "examples": 99,
    "exponent": 2,
    "factor": 2,
    "flipped": 0.1,
    "gamma": 1.0,
    "intercept": 0.5,
    "learning_rate": 0.5,
    "length": 2,
    "limit": 3,
    "margin": 0.5,
    "max_iter": 3,
    "mistakes": 4.5,
    "n_bits": 4,
    "n_components": 1,
    "n_features": 2,
    "n_samples": 10,
    "n_terms": 8,
    "noise": 0.1,
    "norm": 1.0,
    "nu": 0.5,
    "other": 2,
    "power": 2,
    "radius": 1.0,
    "random_state": 0,
    "regularization": 0.1,
    "rounds": 1,
    "seed": 0,
    "sigma": 1.0,
    "summand": 1.0,
    "t": 2,
    "threshold": 0.1,
    "tol": 1e-3,
    "truncation": 5,
}


def trained(**given):
    """Train with all that `train` takes, two of its arguments by their parts."""
    initial = (given.pop("w0"), given.pop("b0"))
    learner = learners.Perceptron(learning_rate=0.5)
    return kpviz.train(learner, kernel=given.pop("kernel"), initial=initial, **given)


def resumed(t, coef, alpha, intercept):
    return kpviz.train(learners.Perceptron(), X, y, start=kpviz.State(t, coef, alpha, intercept))


def fitted(make):
    def call(**parameters):
        examples = {name: parameters.pop(name) for name in ("X", "y")}
        model = make(**parameters).fit(**examples)
        return model.predict(examples["X"])

    return call


def called(kernel):
    def call(X, Z):
        used = kernel.fitted(ARRAYS["X"])
        return used(X, Z), used.diag(X)

    return call


# Each call, with the parameters in whose place something wrong is put, and the arguments that stay.
CALLS = {}


def a_call(name, function, parameters, /, **stays):
    CALLS[name] = (function, parameters.split(), stays)


KERNELS_OF_VECTORS = {
    name: kernel
    for name, kernel in {
        **{kind.__name__: kind() for kind in kernels.KERNELS.values()},
        "Mixture": kernels.Mixture(2),
        "Density": kernels.Density(1),
        "Sum": kernels.Linear() + kernels.Gaussian(),
        "Product": kernels.Linear() * kernels.Polynomial(3),
        "Normalized": kernels.Linear().normalized(),
        "Scaled": 2 * kernels.Linear(),
        "Function": kernels.Function(lambda U, V: U @ V.T),
    }.items()
    if kernel.compares == "vectors"
}
for name, kernel in KERNELS_OF_VECTORS.items():
    a_call(f"{name} on examples", called(kernel), "X Z")
    a_call(f"train with {name}", trained, "X y", kernel=kernel, w0=None, b0=0.0)
    a_call(
        f"decision by {name}",
        kpviz.train(learners.Perceptron(), X, y, kernel=kernel).decision_function,
        "Z t",
    )
a_call("train", trained, "X y w0 b0 order epochs seed", kernel=kernels.Linear())
a_call("train on gram", trained, "X", kernel="precomputed", X=GRAM, y=y, w0=None, b0=0.0)
a_call("train start", resumed, "coef alpha t intercept")
a_call(
    "kernel of texts", lambda X: kernels.Spectrum(2)(X, ["ab"]), "X"
)  # X is of numbers, in any case
a_call("function", lambda X, returned: kernels.Function(lambda U, V: returned)(X, X), "X returned")
a_call(
    "mixture given",
    lambda X, **parts: kernels.Mixture(2, **parts)(X, X),
    "X weights means covariances",
)
for sign in (operator.add, operator.mul, operator.pow):
    for kernel in (kernels.Linear(), kernels.WordSets()):
        a_call(
            f"{sign.__name__} {kernel.name}", lambda other, a=sign, k=kernel: a(k, other), "other"
        )
for kind in (
    *learners.LEARNERS.values(),
    *kernels.KERNELS.values(),
    kernels.Scaled,
    kernels.Shifted,
    kernels.Power,
):
    names = [
        name
        for name in inspect.signature(kind).parameters
        if name in NUMBERS and name != "intercept"
    ]
    needed = {"kernel": kernels.Linear()} if "kernel" in inspect.signature(kind).parameters else {}
    a_call(kind.__name__, kind, " ".join(names), **needed)
for kind in learners.LEARNERS.values():
    a_call(
        f"train {kind.__name__}",
        kpviz.train,
        "X y",
        learner=kind(),
        kernel=kernels.Gaussian(),
        epochs=3,
    )
    if kind is not learners.Forgetron:  # which takes no kernel whose values are above 1
        a_call(f"train {kind.__name__} linear", kpviz.train, "X y", learner=kind(), epochs=3)
for name in ("decision_function", "predict"):
    for predictor in ("last", "averaged", "voted"):
        a_call(f"Run.{name} {predictor}", getattr(RUN, name), "Z t", predictor=predictor)
for name in ("state_at", "entries_at", "margins_at"):
    a_call(f"Run.{name}", getattr(RUN, name), "t")
a_call("Run.plot", RUN.plot, "t X_test y_test", panel="map", X_test=X, y_test=y)
a_call("make_dataset", kpviz.make_dataset, "n_samples noise seed flipped balance", name="moons")
a_call(
    "make_dataset measured", kpviz.make_dataset, "n_samples noise seed flipped balance", name="iris"
)
a_call("make_stream", kpviz.make_stream, "n_samples noise seed flipped balance drift", name="xor")
a_call("margins", theory.margins, "gram y coef intercept")
a_call("rkhs_norm", theory.rkhs_norm, "gram coef")
a_call("radius", theory.radius, "gram")
for name in (
    "max_margin",
    "max_margin_with_intercept",
    "mistake_bound",
    "radius_mistake_bound",
    "is_separable",
):
    a_call(name, getattr(theory, name), "gram y")
a_call("logistic_optimum", theory.logistic_optimum, "gram y regularization")
a_call("geometric_margins", theory.geometric_margins, "t", run=RUN)
a_call("bound_of", theory.bound_of, "t times", run=RUN)
a_call("bounds_of", theory.bounds_of, "t times", run=RUN)
for name in ("deviation_bound", "hinge_bound"):
    a_call(name, getattr(theory, name), "margins counts radius margin")
for name in ("least_deviation_bound", "least_hinge_bound"):
    a_call(name, getattr(theory, name), "margins counts radius")
a_call("forgetron_bound", theory.forgetron_bound, "margins counts norm")
a_call("least_forgetron_bound", theory.least_forgetron_bound, "margins counts budget")
a_call("forgetron_radius", theory.forgetron_radius, "budget")
a_call("dnf_bound", theory.dnf_bound, "n_bits n_terms")
a_call("voted_bound", theory.voted_bound, "mistakes examples")
a_call("features", primal.features, "X", kernel=KERNEL)
a_call("feature_names", primal.feature_names, "columns", kernel=KERNEL)
a_call("feature_names of none", primal.feature_names, "columns", kernel=kernels.Matern52())
for name in ("dimension", "kernel_multiplications", "map_multiplications"):
    for kernel in (
        KERNEL,
        kernels.AllSubsets(),
        KERNEL * kernels.AllSubsets(),
        kernels.Monomial(10_000),
    ):
        a_call(f"{name} {kernel_label(kernel)}", getattr(primal, name), "n_features", kernel=kernel)
a_call("growth", primal.growth, "degrees dimensions")
a_call("PrimalReading.w_at", READING.w_at, "t")
a_call("PrimalReading.path", READING.path, "columns", columns=[0, 1])

ESTIMATORS = {
    name: kind
    for name in kpviz.__all__
    for kind in [getattr(kpviz, name)]
    if inspect.isclass(kind) and hasattr(kind, "fit")
}
for name, kind in ESTIMATORS.items():
    own = [parameter for parameter in inspect.signature(kind).parameters if parameter in NUMBERS]
    own = [parameter for parameter in own if parameter not in ("intercept", "truncation", "nu")]
    normal = {"normalize": True} if name == "ForgetronClassifier" else {}
    a_call(f"{name} parameters", fitted(kind), " ".join(own), X=X, y=y, **normal)
    a_call(name, fitted(kind), "X", y=y, **normal)
for kernel in ("linear", "poly", "laplacian", "sigmoid"):
    a_call(f"KernelPerceptron {kernel}", fitted(kpviz.KernelPerceptron), "X", y=y, kernel=kernel)

# Public callables that take no array and no number: parts of what is handed out, and what is tried
# elsewhere.
WITHOUT_NUMBERS = {
    # What is handed out.
    *("Run", "State", "Change", "Cost", "Costs", "Growth", "PrimalReading", "Bound", "Quantity"),
    *("Kernel", "Learner", "as_kernel", "missing", "costs", "read"),  # take objects
    *("Normalized", "Sum", "Product", "Function", "Formula"),  # take kernels, a function or a text
    *("load", "sweep"),  # read links and files, whose numbers have laws of their own
    *("link", "page", "film", "table"),  # of Run
    *("Linear", "AllSubsets", "Subtrees", "WordSets"),  # take none
}  # fmt: skip


class Raises:
    """An object whose own code raises anything."""

    def __array__(self, *given, **named):
        raise RuntimeError("no")

    def __repr__(self):
        raise KeyError("no")


def with_one(values, wrong):
    """The same array as objects, of which the last is something else."""
    array = np.asarray(values).astype(object)
    array.flat[-1] = wrong
    return array


def scaled(values, factor):
    with np.errstate(all="ignore"):
        return np.asarray(values, dtype=np.float64) * factor


WRONG_NUMBERS = {
    "10**400": 10**400,
    "-10**400": -(10**400),
    "10**5000": 10**5000,
    "10**30": 10**30,
    "a fraction": fractions.Fraction(10**400, 3),
    "a decimal": decimal.Decimal("1e400"),
    "NaN": math.nan,
    "infinite": math.inf,
    "1e308": 1e308,
    "1e-320": 1e-320,
    "long double": np.longdouble("1e4000"),
    "-1": -1,
    "0": 0,
    "2.5": 2.5,
    "text": "1",
    "bytes": b"1",
    "long text": "a" * 1000,
    "True": True,
    "complex": 1j,
    "date": datetime.date(2020, 1, 1),
    "datetime64": np.datetime64("2020-01-01"),
    "NaT": np.datetime64("NaT"),
    "timedelta64": np.timedelta64(3, "s"),
    "masked": np.ma.masked,
    "NA": pd.NA,
    "list": [1.0],
    "array": np.ones((40, 40)),
    "sparse": scipy.sparse.csr_matrix(X),
    "object": object(),
    "raises": Raises(),
}
WRONG_ARRAYS = {
    "10**400": lambda good: with_one(good, 10**400).tolist(),
    "10**5000": lambda good: with_one(good, -(10**5000)),
    "fraction": lambda good: with_one(good, fractions.Fraction(10**400, 3)),
    "decimal": lambda good: with_one(good, decimal.Decimal("1e400")),
    "long double": lambda good: np.asarray(good, dtype=np.longdouble) * np.longdouble("1e4000"),
    "dates": lambda good: np.full(np.shape(good), "2020-01-01", "M8[s]"),
    "NaT": lambda good: with_one(good, np.datetime64("NaT")),
    "durations": lambda good: np.full(np.shape(good), 3, "m8[s]"),
    "a duration": lambda good: with_one(good, np.timedelta64(3, "s")),
    "a date": lambda good: with_one(good, datetime.date(2020, 1, 1)),
    "masked": lambda good: np.ma.array(
        good, mask=np.arange(np.size(good)).reshape(np.shape(good)) == 0
    ),
    "NaN": lambda good: with_one(good, math.nan).astype(np.float64),
    "infinite": lambda good: with_one(good, -math.inf).astype(np.float64),
    "complex": lambda good: np.asarray(good) + 1j,
    "a complex": lambda good: with_one(good, 1j),
    "texts": lambda good: np.full(np.shape(good), "1").tolist(),
    "a text": lambda good: with_one(good, "1"),
    "text": lambda good: "abc",
    "None within": lambda good: with_one(good, None).tolist(),
    "NA": lambda good: with_one(good, pd.NA),
    "frame with NA": lambda good: pd.DataFrame(
        with_one(np.reshape(good, (len(good), -1)), pd.NA)
    ).convert_dtypes(),
    "frame of dates": lambda good: pd.DataFrame({"a": pd.to_datetime(["2020-01-01"] * 4)}),
    "sparse": lambda good: scipy.sparse.csr_matrix(np.eye(len(good))),
    "sparse array": lambda good: scipy.sparse.coo_array(np.eye(len(good))),
    "one row less": lambda good: good[:-1],
    "one column less": lambda good: np.asarray(good)[..., :-1],
    "2 by 3": lambda good: np.ones((2, 3)),
    "0-d": lambda good: 3.0,
    "3-d": lambda good: np.ones((2, 2, 2)),
    "empty": lambda good: np.zeros(0),
    "no rows": lambda good: np.zeros((0, 2)),
    "ragged": lambda good: [[1.0], [1.0, 2.0]],
    "object": lambda good: object(),
    "raises": lambda good: Raises(),
    "a dict": lambda good: {"a": 1},
    "structured": lambda good: np.zeros(4, dtype=[("a", float), ("b", float)]),
}


NEVER_NUMBERS = {
    *(
        "10**400",
        "10**5000",
        "fraction",
        "decimal",
        "long double",
        "dates",
        "NaT",
        "durations",
        "a duration",
        "a date",
    ),
    *(
        "masked",
        "NaN",
        "infinite",
        "complex",
        "a complex",
        "texts",
        "a text",
        "text",
        "None within",
        "NA",
        "sparse",
    ),
    *(
        "frame with NA",
        "frame of dates",
        "sparse array",
        "3-d",
        "empty",
        "no rows",
        "ragged",
        "object",
        "raises",
    ),
    *("a dict", "structured"),
}


MAY_BE_EMPTY = {"times", "degrees", "dimensions", "columns"}


def fail_by_signal(number, frame):
    raise AssertionError("it does not end")


@contextmanager
def ended_in_time():
    """Fail what computes longer than anything here needs: it may never end."""
    if not hasattr(signal, "setitimer"):  # Windows has none: the run would hang
        yield
        return
    before = signal.signal(signal.SIGVTALRM, fail_by_signal)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)


def is_finite(result):
    match result:
        case kpviz.Run():
            end = result.state_at(result.n_steps)
            return all(map(is_finite, (result.score, end.coef, result.margins_at(result.n_steps))))
        case float() | np.floating():
            return math.isfinite(result)
        case np.ndarray() if result.dtype.kind == "f":
            return bool(np.isfinite(result).all())
        case tuple() | list():
            return all(map(is_finite, result))
    return True


# What a sentence may name as well: the argument that does not fit, an example u of X, an operand.
ALSO_NAMED = {
    "X": "y|Z|u|w0|kernel",
    "Z": "u|v|kernel",
    "margins": "counts",
    "X_test": "y_test",
    "weights": "fitted",
    "b0": "initial",
    "w0": "initial",
    "returned": "kernel",
    "order": "random",
    "other": "factor|summand|power",
    "coef0": "X",
    "degree": "X",
    "max_iter": "epochs",
}


def check(name, parameter, wrong, must_be_refused=False):
    """Call it with something else in the place of one argument."""
    function, parameters, stays = CALLS[name]
    arguments = {
        other: stays.get(other, {**ARRAYS, **NUMBERS}[other]) for other in parameters
    } | stays
    try:
        with ended_in_time():
            result = function(**arguments | {parameter: wrong})
    except (TypeError, ValueError) as error:
        message = str(error)
        plain = re.sub(r"'[^']*'|\d\.\d", "", message)
        of_scikit_learn = "Classifier" in name or "KernelPerceptron" in name or "Fisher" in name
        if not (
            of_scikit_learn and parameter in ("X", "y")
        ):  # whose words may be several sentences
            assert one_sentence(plain), message
            assert len(message) < 500, message
        assert re.search(rf"\b({parameter}|{ALSO_NAMED.get(parameter, parameter)})\b", message), (
            message
        )
    else:
        assert not must_be_refused, (
            f"{parameter}={checks.text_of(wrong)} gave {checks.text_of(result)}"
        )
        assert is_finite(result), (
            f"{parameter}={checks.text_of(wrong)} gave {checks.text_of(result)}"
        )


pytestmark = [  # warnings of estimators, which scikit-learn's own give, too
    pytest.mark.filterwarnings(f"ignore::{ConvergenceWarning.__module__}.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore:The within-class scatter S_W is singular"),
]


@pytest.mark.parametrize("name", CALLS)
def test_what_is_wrong_is_refused_in_a_sentence_that_names_it(name):
    _, parameters, stays = CALLS[name]
    for parameter in parameters:
        good = stays.get(parameter, ARRAYS.get(parameter))
        if parameter in ARRAYS or isinstance(good, list):
            for kind, make in WRONG_ARRAYS.items():
                may_be = parameter in MAY_BE_EMPTY and kind in ("empty", "no rows")
                check(name, parameter, make(good), kind in NEVER_NUMBERS and not may_be)
        else:
            for wrong in WRONG_NUMBERS.values():
                check(name, parameter, wrong)


# Of a number: which parameter it is put in the place of, its power of ten, and its sign. Several in
# an example, since it takes less to check one than to draw it alone.
MAGNITUDES = st.lists(
    st.tuples(st.integers(0, 99), st.integers(-323, 308), st.sampled_from([1.0, -1.0])),
    min_size=8,
    max_size=8,
    unique=True,
)


@pytest.mark.parametrize("name", CALLS)
@settings(max_examples=4)
@given(MAGNITUDES)
def test_numbers_of_all_magnitudes_give_finite_results_or_a_sentence_and_no_warning(
    name, magnitudes
):
    _, parameters, stays = CALLS[name]
    for place, power, sign in magnitudes if parameters else ():
        parameter = parameters[place % len(parameters)]
        size = sign * 10.0**power
        good = stays.get(parameter, ARRAYS.get(parameter, 1.0))
        if isinstance(good, list) or np.asarray(good).dtype == object:
            continue
        if parameter not in NUMBERS:
            size = scaled(good, abs(size) if parameter == "gram" else size)
        check(name, parameter, size)


def public_callables():
    for module in (kpviz, kernels, learners, primal, theory):
        for name in module.__all__:
            thing = getattr(module, name)
            if callable(thing) and not inspect.ismodule(thing):
                yield name
    yield from (
        name
        for name in dir(kpviz.Run)
        if name[0] != "_" and inspect.isfunction(getattr(kpviz.Run, name))
    )


def test_no_public_callable_is_left_out():
    tried = {re.split(r"[ .]", name)[-1] for name in CALLS} | {name.split(" ")[0] for name in CALLS}
    tried |= {name.removeprefix("Run.").split(" ")[0] for name in CALLS}
    assert sorted(set(public_callables()) - tried - WITHOUT_NUMBERS) == []


@pytest.mark.parametrize(
    "value",
    [10**400, 10**5000, Raises(), "a" * 1000, np.ones((40, 40)), np.float64(1.5)],
    ids="abcdef",
)
def test_a_value_is_shown_on_one_line_and_shortened(value):
    shown = checks.text_of(value)
    assert "\n" not in shown
    assert len(shown) <= 60
