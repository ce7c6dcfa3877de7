"""Whatever is typed: a formula that computes what an independent evaluator computes, or one sentence, at once."""

import ast
import builtins
import contextlib
import gc
import os
import threading
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from formula_oracle import NoValueError, UnclearError, pieces
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import kpviz.engine.kernels.formula as package
from kpviz.engine.kernels.formula import MAX_LENGTH, Formula, FormulaError, derive, latex, parse, why_not
from kpviz.engine.kernels.formula.evaluate import matrix
from kpviz.engine.kernels.formula.nodes import FUNCTIONS
from kpviz.engine.kernels.formula.report import tested as report_of

HOSTILE = sorted((Path(__file__).parent / "hostile_formulas").glob("*.txt"))
NUMBERS = st.sampled_from([0.0, 1.0, -1.0, 0.5, 2.0]) | st.floats(-3, 3).map(lambda x: round(x, 3))
EXAMPLES = st.lists(NUMBERS, min_size=2, max_size=2)
SLOW = settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


def refusal(text):
    """What is said of a text that is no formula, None if it is read as one."""
    try:
        parse(text)
    except FormulaError as error:
        return error
    return None


def read(text):
    """The formula, None if it is refused, in which case it is refused as promised."""
    started = time.thread_time()
    error = refusal(text)
    assert time.thread_time() - started < 0.5  # some ms
    if error is None:
        return parse(text)
    message = str(error)
    assert "\n" not in message
    assert message.endswith((".", "?"))
    assert len(message) < 220
    assert 0 <= error.at <= min(len(text), MAX_LENGTH)
    return None


# ---- against another evaluator ----


@SLOW
@given(pieces(), EXAMPLES, EXAMPLES)
def test_a_formula_computes_what_an_independent_evaluator_computes(piece, u, v):
    tree = read(piece.text)
    assume(tree is not None)  # too long, or constants like 1/0
    try:
        expected = piece.value(u, v)
    except UnclearError:
        return
    except NoValueError:
        with pytest.raises(ValueError, match="finite"):
            matrix(tree, np.array([u]), np.array([v]))
        return
    assert abs(matrix(tree, np.array([u]), np.array([v]))[0, 0] - expected.x) <= 8 * expected.error


@SLOW
@given(pieces(depth=2), st.lists(EXAMPLES, min_size=1, max_size=4), st.lists(EXAMPLES, min_size=1, max_size=3))
def test_a_matrix_of_values_is_made_of_the_values_of_pairs(piece, X, Z):
    tree = read(piece.text)
    assume(tree is not None)
    try:
        whole = matrix(tree, np.array(X), np.array(Z))
    except ValueError:
        return
    for i, u in enumerate(X):
        for j, v in enumerate(Z):
            try:
                expected = piece.value(u, v)
            except UnclearError:
                continue
            assert abs(whole[i, j] - expected.x) <= 8 * expected.error


@SLOW
@given(pieces())
def test_a_formula_that_is_read_is_written_so_that_it_is_read_again(piece):
    tree = read(piece.text)
    assume(tree is not None)
    assert parse(str(tree)) == tree
    assert str(parse(str(tree))) == str(tree)
    assert len(str(tree)) <= MAX_LENGTH
    shown = latex(tree)
    assert shown.count("{") == shown.count("}")


@pytest.mark.parametrize("text", ["{}dot(u,v)", "dot(u,v)**{}2", "dot(u,v) - {}dot(u,v)", "exp({}dot(u,v))"])
def test_what_would_be_nested_too_deep_when_it_is_written_is_refused_at_once(text):
    """A sign before a sign takes parentheses when it is written."""
    refused = 0
    for count in range(40):
        tree = read(text.format("-" * count))
        refused += tree is None
        assert tree is None or parse(str(tree)) == tree
    assert 0 < refused < 40


# ---- any text ----

WORDS = [
    *FUNCTIONS,
    "u",
    "v",
    "pi",
    "+",
    "-",
    "*",
    "/",
    "**",
    "^",
    "(",
    ")",
    ")",
    "[1]",
    "[2]",
    ",",
    "2",
    "0.5",
    " ",
    "²",
]


@SLOW
@given(st.text(max_size=60) | st.lists(st.sampled_from(WORDS), max_size=25).map("".join))
def test_any_text_is_a_formula_or_is_refused_in_a_sentence(text):
    tree = read(text)
    if tree is None:
        return
    assert parse(str(tree)) == tree
    report = report_of(text)
    assert report.unfit or report.symmetric
    if not report.unfit:
        assert Formula(text).psd in ("yes", "no", "unknown")
        assert bool(derive(tree)) == (why_not(tree) == "")


@settings(SLOW, max_examples=100)
@given(pieces(depth=4))
def test_a_random_formula_is_tested_within_the_time_of_a_keystroke(piece):
    tree = read(piece.text)
    assume(tree is not None)
    started = time.thread_time()
    report_of(piece.text)
    assert time.thread_time() - started < 3.0  # some 20 ms


@pytest.mark.parametrize(
    "text",
    [
        "norm(" + "norm(u*" * 20 + "norm(u-v)" + "*u)" * 20 + "*u)",
        "normalized(" * 24 + "dot(u,v)" + ")" * 24,
        "+".join(["u[1]*v[1]"] * 20),
        "(((dot(u,v)-1)**64-1)**64-1)**64",
        "(dot(u,v)-norm(u)*norm(v)-u[1]*v[1]-u[2]*v[2]-1)**64",
        "(u[1]*v[1]-1)**20*(u[2]*v[2]-1)**20*(dot(u,v)-1)**20",
        "abs(u[1]*v[1]-" * 14 + "1" + ")" * 14,
        "-".join(["u[1]*v[1]"] * 20),
        "exp(-" * 14 + "dot(u,v)" + ")" * 14,
    ],
)
def test_formulas_made_to_be_slow_are_tested_and_evaluated_at_once(text):
    X = np.random.default_rng(0).standard_normal((50, 2)) / 4
    started = time.thread_time()
    tree = parse(text)
    report_of(text)
    with contextlib.suppress(ValueError):  # what is too large
        matrix(tree, X, X)
    assert time.thread_time() - started < 5.0


# ---- hostile texts ----


def test_the_folder_of_hostile_formulas_is_there():
    assert len(HOSTILE) > 100


@contextlib.contextmanager
def uncollected():
    """Nothing is finalized meanwhile, which may load something."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _only_parses(name, args):
    return name == "compile" and bool(args[3] & ast.PyCF_ONLY_AST)


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.stem)
def test_a_hostile_formula_is_refused_at_once_and_nothing_is_executed(path, monkeypatch):
    text = path.read_bytes().decode()
    assert refusal(text) is not None  # once before, so that what is loaded at first use is there
    called, here = [], threading.get_ident()

    def note(name, known):
        def noted(*args, **kwargs):
            if threading.get_ident() == here and not _only_parses(name, args):
                called.append((name, args[:1]))
            return known(*args, **kwargs)  # as another thread needs it, which a test before may have left

        return noted

    with monkeypatch.context() as patched, uncollected():
        patched.setattr(os, "system", note("system", os.system))
        for name in ("eval", "exec", "compile", "open", "__import__"):
            patched.setattr(builtins, name, note(name, getattr(builtins, name)))
        tracemalloc.start()
        started = time.thread_time()
        error = refusal(text)
        took = time.thread_time() - started
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert called == []
    assert took < 0.25  # some ms; tracing makes it slow
    assert most < 1_000_000
    assert str(error).endswith((".", "?"))
    assert str(error).count(". ") == 0
    assert str(error).isprintable()
    assert 0 <= error.at <= len(text)


@pytest.mark.parametrize("sign", ["1+", "(", "-", "u", "norm(", " ", "\x00", "\u0435"])
def test_ten_megabytes_are_refused_by_their_length(sign):
    text = sign * (10_000_000 // len(sign))
    tracemalloc.start()
    started = time.thread_time()
    with pytest.raises(FormulaError, match=r"^The formula has 10,000,000 characters: at most 300 are read\.$"):
        Formula(text)
    took = time.thread_time() - started
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert took < 0.05
    assert most < 100_000


@pytest.mark.parametrize("thing", [None, 3, b"dot(u, v)", ["dot(u, v)"], lambda u, v: 1.0])
def test_what_is_no_text_is_refused(thing):
    with pytest.raises(FormulaError, match=r"^A formula is a text, not an object of type \w+\.$"):
        Formula(thing)


def test_no_file_of_the_language_names_what_could_execute_a_text():
    for path in Path(package.__file__).parent.glob("*.py"):
        found = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
        assert not found & {"eval", "exec", "compile", "__import__", "globals", "locals"}, path.name
