"""Kernels of texts against features that are enumerated one by one, and the laws of all that count parts."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import kpviz
from kpviz.engine.data.objects import OBJECTS, load
from kpviz.engine.kernels import AllSubsets, Linear
from kpviz.engine.kernels.objects import counting
from kpviz.engine.kernels.objects.counting import sketches
from kpviz.engine.kernels.objects.graphs import WeisfeilerLehman
from kpviz.engine.kernels.objects.texts import Spectrum, WordSets
from kpviz.engine.kernels.objects.trees import Subtrees

ALL = {
    "words": (WordSets(), "texts"),
    "spectrum": (Spectrum(2), "texts"),
    "subtrees": (Subtrees(), "trees"),
    "graph": (WeisfeilerLehman(1), "graphs"),
}
sentences = st.lists(st.sampled_from(["a", "b", "cc", "ab", "ba", "c", "bab"]), min_size=1, max_size=6).map(" ".join)


def every_set(words):
    return [chosen for size in range(len(words) + 1) for chosen in combinations(words, size)]


# -- words ------------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.lists(sentences, min_size=1, max_size=5))
def test_word_sets_are_one_indicator_for_each_set_of_words(texts):
    words = sorted({word for text in texts for word in text.split()})
    features = np.array([[set(chosen) <= set(text.split()) for chosen in every_set(words)] for text in texts], float)
    assert features.shape[1] == 2 ** len(words)
    assert_array_equal(WordSets()(texts, texts), features @ features.T)
    indicators = np.array([[float(word in text.split()) for word in words] for text in texts])
    assert_array_equal(WordSets()(texts, texts), AllSubsets()(indicators, indicators))


def test_words_count_once_whatever_their_case_their_signs_and_their_order():
    gram = WordSets()(["The goal!"], ["goal the goal", "THE, goal.", "the GOAL; the goal?", "goals"])
    assert gram.tolist() == [[4.0, 4.0, 4.0, 1.0]]


def test_a_long_text_is_more_similar_to_itself_than_to_anything_until_normalized():
    long, short = " ".join(f"word{i}" for i in range(30)), "word1 word2"
    gram = WordSets()([long, short], [long, short])
    assert gram.tolist() == [[2.0**30, 4.0], [4.0, 4.0]]
    assert_allclose(WordSets().normalized()([long], [long, short]), [[1.0, 2.0**-14]])


# -- substrings -------------------------------------------------------------------------------------------------


def test_substrings_are_counted_as_by_hand():
    # "aab ab": aa ab "b " " a" ab; "ab a": ab "b " " a"
    assert Spectrum(2)(["aab ab"], ["ab a", "aab ab"]).tolist() == [[2 * 1 + 1 + 1, 1 + 2 * 2 + 1 + 1]]
    assert Spectrum(1)(["abba"], ["a bb"]).tolist() == [[2 * 1 + 2 * 2]]
    assert Spectrum(3).features("banana") == {"ban": 1, "ana": 2, "nan": 1}
    assert Spectrum(3)(["ab"], ["ab"]).tolist() == [[0.0]]
    assert Spectrum(3).normalized()(["ab"], ["ab"]).tolist() == [[0.0]]


@settings(max_examples=60, deadline=None)
@given(st.lists(sentences, min_size=1, max_size=4), st.integers(1, 4))
def test_a_spectrum_is_the_number_of_pairs_of_places_with_the_same_string(texts, length):
    def pairs(u, v):
        return sum(
            u[i : i + length] == v[j : j + length]
            for i in range(len(u) - length + 1)
            for j in range(len(v) - length + 1)
        )

    assert_array_equal(Spectrum(length)(texts, texts), [[pairs(u, v) for v in texts] for u in texts])


# -- texts ------------------------------------------------------------------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40))
def test_any_text_has_one_canonical_form_or_no_word(text):
    try:
        canonical = WordSets().check(text, "text")
    except ValueError as error:
        assert str(error).endswith("which holds no word: a text must have at least one.")  # noqa: PT017 - either is fine
        return
    assert WordSets().check(canonical, "text") == canonical
    assert canonical == " ".join(canonical.split())
    assert not set(canonical) & set(";()+,.")


def test_the_words_of_other_tongues_stay_whole():
    assert WordSets().check("Ça VA, don't-care!  «हिन्दी» Ünder_score 'quoted'", "x") == (
        "ça va don't-care हिन्दी ünder score quoted"
    )


def test_words_and_characters_are_sketched_in_reading_order():
    one, other = sketches(WordSets(), ["The cat, the dog", "dog"])
    assert [node.text for node in one.nodes] == ["the", "cat", "the", "dog"]
    assert [(node.x, node.y) for node in one.nodes] == [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)]
    assert one.shared(other) == (0, 0, 0, 1)
    assert one.nodes[0].ids == one.nodes[2].ids
    one, other = sketches(Spectrum(2), ["a cat", "cap"])
    assert "".join(node.text for node in one.nodes) == "a cat"
    assert one.shared(other) == (0, 0, 1, 1, 0)  # "ca" covers two characters
    assert max(len(node.ids) for node in one.nodes) == 2


# -- what every kernel that counts parts keeps to ---------------------------------------------------------------------


@pytest.mark.parametrize(("kernel", "kind"), ALL.values(), ids=ALL.keys())
def test_the_features_make_the_kernel(kernel, kind):
    X, _ = load(kind)
    counts = [Counter(kernel.features(each)) for each in X]
    product = np.array([[sum(a[part] * b[part] for part in a) for b in counts] for a in counts], dtype=float)
    assert_array_equal(kernel(X, X), kernel.of_counts(product))
    assert_array_equal(kernel.diag(X), np.diagonal(kernel(X, X)))
    assert_array_equal(kernel(X[:7], X[3:]), kernel(X, X)[:7, 3:])


@pytest.mark.parametrize(("kernel", "kind"), ALL.values(), ids=ALL.keys())
@pytest.mark.parametrize("normalized", [False, True])
def test_a_gram_of_objects_is_symmetric_and_has_no_negative_eigenvalue(kernel, kind, normalized):
    X, _ = load(kind)
    gram = (kernel.normalized() if normalized else kernel)(X, X)
    assert_array_equal(gram, gram.T)
    values = np.linalg.eigvalsh(gram)
    assert values[0] >= -len(X) * np.finfo(float).eps * values[-1]
    if normalized:
        assert_allclose(np.diagonal(gram), 1.0, rtol=1e-12)
        assert np.abs(gram).max() <= 1.0 + 1e-12


@pytest.mark.parametrize(("kernel", "kind"), ALL.values(), ids=ALL.keys())
def test_a_kernel_of_objects_is_labelled_and_says_what_it_compares(kernel, kind):
    assert kernel.compares == kind == OBJECTS[kind].kind
    assert kernel.psd == "yes"
    assert kernel.label.startswith(kernel.name)
    assert kernel.parameters.keys() == kernel.ranges.keys()
    assert kernel.latex == kernel.formula


@pytest.mark.parametrize(("kernel", "kind"), ALL.values(), ids=ALL.keys())
def test_parts_that_do_not_fit_at_once_are_compared_in_turn(kernel, kind, monkeypatch):
    X, _ = load(kind)
    whole = kernel(X, X)
    monkeypatch.setattr(counting, "_AT_ONCE", 3)
    assert_array_equal(kernel(X, X), whole)


@pytest.mark.parametrize(("kernel", "kind"), ALL.values(), ids=ALL.keys())
def test_sketches_number_each_part_once_and_objects_share_numbers_as_they_share_parts(kernel, kind):
    X, _ = load(kind)
    drawn = sketches(kernel.normalized(), X)
    assert len(drawn) == len(X)
    for i, sketch in enumerate(drawn):
        assert len(sketch.ids) == len(kernel.features(X[i]))
        for j, other in enumerate(drawn):
            common = kernel.features(X[i]).keys() & kernel.features(X[j]).keys()
            assert len(sketch.ids & other.ids) == len(common)
            assert any(sketch.shared(other)) == bool(common)


def test_a_sum_is_sketched_by_its_first_kernel_and_vectors_are_not():
    assert sketches(WordSets() + Spectrum(), ["a b"]) == sketches(WordSets(), ["a b"])
    with pytest.raises(ValueError, match=r"^kernel='Linear' compares vectors: only texts, trees and graphs are"):
        sketches(Linear(), [[1.0]])


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([], "X has shape (0,): it must be a list of one or more texts."),
        ("one text", "X has shape (): it must be a list of one or more texts."),
        ([["a"], ["b"]], "X has shape (2, 1): it must be a list of one or more texts."),
        (["a", 7], "X[1]=7 is not a text: it must be a text."),
        (["a", "?!"], "X[1] is '?!', which holds no word: a text must have at least one."),
        (["a " * 1500], "X[0] is 3,000 characters long: a text may have at most 2,000."),
    ],
)
def test_what_is_no_list_of_texts_is_refused_in_one_sentence(X, message):
    with pytest.raises(ValueError, match=r"\.") as raised:
        WordSets()(X, ["a"])
    assert str(raised.value) == message


def test_texts_are_trained_on_and_scored_as_points_are():
    X, y = load("texts", seed=1)
    run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=WordSets().normalized())
    assert run.converged
    assert_array_equal(np.sign(run.decision_function(X)), y)
    assert run.decision_function(["the keeper scores a goal"])[0] > 0 > run.decision_function(["butter in a pan"])[0]
