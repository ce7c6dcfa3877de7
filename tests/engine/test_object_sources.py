"""Data sets of texts, trees and graphs: what is in them, what is learnt from them, and what a reader adds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import kpviz
from kpviz.engine.data import boolean
from kpviz.engine.data.objects import OBJECTS, code, load, parse
from kpviz.engine.kernels import KERNELS
from kpviz.engine.kernels.objects.graphs import WeisfeilerLehman
from kpviz.engine.kernels.objects.texts import WordSets

WRITTEN = [name for name, source in OBJECTS.items() if source.kind != "bits"]


def learn(name, kernel, seed):
    X, y = load(name, seed)
    return kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kernel, epochs=100)


@pytest.mark.parametrize("name", OBJECTS)
def test_a_data_set_says_what_it_is(name):
    source = OBJECTS[name]
    assert source.title
    assert source.look_for.endswith(".")
    assert len(source.look_for) <= 100
    assert source.classes[0] != source.classes[1]
    of_kernels = {KERNELS[kernel].compares for kernel in source.kernels}
    assert of_kernels == {"vectors" if source.kind == "bits" else source.kind}


@pytest.mark.parametrize("name", WRITTEN)
def test_examples_are_canonical_all_different_and_of_both_classes(name):
    texts, y = OBJECTS[name].examples()
    kernel = KERNELS[OBJECTS[name].kernels[0]]()
    assert 24 <= len(texts) == len(set(texts)) <= 40
    assert kernel.examples("X", texts).tolist() == texts
    assert set(y.tolist()) == {-1.0, 1.0}
    assert abs(y.sum()) <= 2


@pytest.mark.parametrize("name", WRITTEN)
def test_a_seed_shuffles_the_examples_and_keeps_their_labels(name):
    texts, y = OBJECTS[name].examples()
    expected = dict(zip(texts, y, strict=True))
    first, second = load(name, 0), load(name, 1)
    assert first[0].tolist() != second[0].tolist()
    for X, labels in (first, second, load(name, 1)):
        assert X.dtype == object
        assert dict(zip(X, labels, strict=True)) == expected
    assert_array_equal(load(name, 1)[0], second[0])


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", WRITTEN)
def test_the_perceptron_learns_each_in_a_few_epochs_and_a_class_can_follow_its_mistakes(name, seed):
    for normalized in (False, True):
        kernel = KERNELS[OBJECTS[name].kernels[0]]()
        run = learn(name, kernel.normalized() if normalized else kernel, seed)
        assert run.converged
        assert run.n_epochs <= 8
        assert 7 <= run.mistake.sum() <= 25


@pytest.mark.parametrize("seed", range(4))
def test_two_long_sentences_outvote_the_short_ones_until_normalized(seed):
    X, _ = load("texts", seed)
    words = WordSets()
    long = words.diag(X) > 2.0**20
    assert long.sum() == 2
    runs = [learn("texts", kernel, seed) for kernel in (words, words.normalized())]
    shares = []
    for run in runs:
        votes = np.abs(run.state_at(run.n_steps).coef[:, None] * run.kernel(X, X))
        np.fill_diagonal(votes, 0.0)
        shares.append(long[votes.argmax(axis=0)].mean())
    assert shares[0] >= 0.5
    assert shares[1] == 0.0
    assert runs[1].mistake.sum() < runs[0].mistake.sum()


def test_molecules_cannot_be_told_apart_by_their_atoms_alone():
    X, y = load("graphs")
    alike = WeisfeilerLehman(0)
    counts = [tuple(sorted(alike.features(each).items())) for each in X]
    both = [{label for other, label in zip(counts, y, strict=True) if other == own} for own in counts]
    assert any(len(labels) == 2 for labels in both)  # the same atoms with a ring and without
    assert not learn("graphs", alike, 0).converged
    assert learn("graphs", WeisfeilerLehman(2), 0).converged


def test_bits_are_the_inputs_of_the_usual_function():
    X, y = load("bits", 3)
    assert_array_equal(X, boolean.load(boolean.USUAL, 4, 3)[0])
    assert_array_equal(y, boolean.load(boolean.USUAL, 4, 3)[1])
    assert OBJECTS["bits"].examples()[0] == []
    with pytest.raises(ValueError, match=r"^added='\+0101' is not for bits: all their inputs are there already\.$"):
        load("bits", added="+0101")


# -- what a reader adds -----------------------------------------------------------------------------------------------


def test_added_examples_come_last_in_their_order():
    X, y = load("graphs", 5, added="+CCC 3-1 1-2 2-3;−O ;; - NN 2-1 ;")
    assert X[-3:].tolist() == ["CCC 1-2 1-3 2-3", "O", "NN 1-2"]
    assert y[-3:].tolist() == [1.0, -1.0, -1.0]
    assert_array_equal(X[:-3], load("graphs", 5)[0])


words = st.lists(st.sampled_from(["goal", "don't", "pan", "ça"]), min_size=1, max_size=4).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(words, st.sampled_from([-1.0, 1.0])), max_size=40))
def test_what_is_added_is_read_again_from_its_line(pairs):
    assert parse(code(pairs), "texts") == pairs


@pytest.mark.parametrize("kind", WRITTEN)
def test_the_examples_themselves_could_be_added(kind):
    texts, y = OBJECTS[kind].examples()
    pairs = [(text, label) for text, label in zip(texts, y.tolist(), strict=True) if len(text) < 200]
    assert parse(code(pairs), kind) == pairs


@pytest.mark.parametrize(
    ("added", "kind", "message"),
    [
        ("a goal", "texts", "Added text 1 begins with 'a': it must begin with its class, + or -."),
        ("+a;+!", "texts", "Added text 2 is '!', which holds no word: a text must have at least one."),
        ("+(S you", "trees", "Added tree 1 is not a tree: at its end 1 bracket is still open."),
        (
            "-CC 1-4",
            "graphs",
            "Added graph 1 is not a graph: edge 1-4 leads to no vertex: they have the numbers 1 to 2.",
        ),
        ("+" + "a" * 200, "texts", "Added text 1 is 201 characters long: at most 200 are allowed."),
        ("+a;" * 41, "texts", "There are 41 added texts: at most 40 can be added."),
        (None, "texts", "added=None is not a text: write +one example;-another."),
        ("+1", "bits", "kind='bits' is unknown: kind must be one of 'texts', 'trees', 'graphs'."),
    ],
)
def test_what_cannot_be_added_is_said_in_one_sentence(added, kind, message):
    with pytest.raises(ValueError, match=r"\.") as raised:
        parse(added, kind)
    assert str(raised.value) == message


@settings(max_examples=200, deadline=None)
@given(st.text("+-;() CN12ab−", max_size=40), st.sampled_from(WRITTEN))
def test_any_line_is_read_or_refused_in_one_sentence(added, kind):
    try:
        pairs = parse(added, kind)
    except ValueError as error:
        assert str(error).startswith("Added ")  # noqa: PT017 - either is fine
        assert str(error).endswith(".")  # noqa: PT017
    else:
        assert parse(code(pairs), kind) == pairs


def test_an_unknown_data_set_is_named():
    with pytest.raises(ValueError, match=r"^name='songs' is unknown: name must be one of 'texts', 'trees',"):
        load("songs")
