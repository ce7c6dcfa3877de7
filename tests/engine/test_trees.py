"""The kernel of trees against pairs of vertices that are compared one by one."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from kpviz.engine.data.objects import load
from kpviz.engine.kernels.objects.counting import sketches
from kpviz.engine.kernels.objects.trees import DEEPEST, Subtrees, read_tree

# a tree is (label, [children]) here
trees = st.recursive(
    st.sampled_from("abc").map(lambda label: (label, [])),
    lambda inner: st.tuples(st.sampled_from("AB+*"), st.lists(inner, min_size=1, max_size=3)),
    max_leaves=8,
)


def written(tree):
    label, children = tree
    return f"({' '.join([label, *map(written, children)])})" if children else label


def vertices(tree):
    return [tree, *(vertex for child in tree[1] for vertex in vertices(child))]


def same(u, v):
    return u[0] == v[0] and len(u[1]) == len(v[1]) and all(map(same, u[1], v[1]))


@settings(max_examples=80, deadline=None)
@given(st.lists(trees, min_size=1, max_size=4))
def test_it_is_the_number_of_pairs_of_vertices_below_which_all_is_the_same(forest):
    texts = [written(tree) for tree in forest]
    pairs = [[sum(same(a, b) for a in vertices(u) for b in vertices(v)) for v in forest] for u in forest]
    assert_array_equal(Subtrees()(texts, texts), pairs)


@settings(max_examples=80, deadline=None)
@given(trees)
def test_a_tree_is_read_as_it_was_written_and_written_as_it_is_read(tree):
    text = written(tree)
    assert Subtrees().check(text, "tree") == text
    assert Subtrees().check(text.replace("(", " ( ").replace(")", " )\n"), "tree") == text
    assert list(read_tree(text).labels) == [label for label, _ in vertices(tree)]
    assert Counter(Subtrees().features(text)) == Counter(written(vertex) for vertex in vertices(tree))


def test_the_order_of_children_and_how_often_a_subtree_occurs_count():
    assert Subtrees()(["(+ a b)"], ["(+ a b)", "(+ b a)", "(+ a a)"]).tolist() == [[3.0, 2.0, 2.0]]
    assert Subtrees()(["(+ a a)"], ["(+ a a)"]).tolist() == [[2 * 2 + 1]]


def test_a_bracket_round_a_leaf_is_that_leaf():
    assert Subtrees().check("( S (NP) ((VP) )".replace("((VP) )", "(VP))"), "tree") == "(S NP VP)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is empty, so write a label, or a bracket such as (S you sing)."),
        ("(S you", "at its end 1 bracket is still open."),
        ("(S (NP you", "at its end 2 brackets are still open."),
        ("(S you))", "at character 8 a bracket is closed that was never opened."),
        ("(S you) (S me)", "at character 9 the tree is complete already: put one bracket around all of it."),
        ("you sing", "at character 5 the tree is complete already: put one bracket around all of it."),
        ("()", "at character 2 a label is missing, as S in (S you sing)."),
        ("((S) you)", "at character 2 a label is missing, as S in (S you sing)."),
        ("(S ())", "at character 5 a label is missing, as S in (S you sing)."),
        (")", "at character 1 a bracket is closed that was never opened."),
        ("(S you;me)", "at character 7 a ';' stands, which separates trees."),
        ("(S " * 41 + "x" + ")" * 41, "at character 122 it is more than 40 brackets deep, which is too deep."),
    ],
)
def test_a_broken_tree_is_refused_with_the_place_where_it_breaks(text, message):
    with pytest.raises(ValueError, match=r"\.") as raised:
        Subtrees()([text], ["a"])
    assert str(raised.value) == f"X[0] is not a tree: {message}"


@settings(max_examples=200, deadline=None)
@given(st.text("() abS;", max_size=24))
def test_any_text_is_a_tree_or_refused_in_one_sentence(text):
    try:
        canonical = Subtrees().check(text, "tree")
    except ValueError as error:
        assert str(error).startswith("tree is not a tree: ")  # noqa: PT017 - either is fine
        assert str(error).endswith(".")  # noqa: PT017
        assert "\n" not in str(error)  # noqa: PT017
    else:
        assert Subtrees().check(canonical, "tree") == canonical


def test_the_deepest_tree_that_is_allowed_is_read_and_drawn():
    text = "(S " * DEEPEST + "x" + ")" * DEEPEST
    assert Subtrees()([text], [text]).tolist() == [[DEEPEST + 1.0]]
    (sketch,) = sketches(Subtrees(), [text])
    assert [node.y for node in sketch.nodes] == pytest.approx(np.linspace(1.0, 0.0, DEEPEST + 1))


def test_a_tree_is_drawn_from_its_root_on_top_to_leaves_in_order():
    one, other = sketches(Subtrees(), ["(S (NP you) (VP (V saw) (NP you)))", "(NP you)"])
    assert [node.text for node in one.nodes] == ["S", "NP", "you", "VP", "V", "saw", "NP", "you"]
    assert one.edges == ((0, 1), (1, 2), (0, 3), (3, 4), (4, 5), (3, 6), (6, 7))
    assert one.shared(other) == (0, 1, 1, 0, 0, 0, 1, 1)
    assert one.nodes[0].y == 1.0
    leaves = [node.x for node in one.nodes if node.text in ("you", "saw")]
    assert leaves == pytest.approx([1 / 6, 1 / 2, 5 / 6])


def test_all_trees_are_drawn_in_the_unit_square_with_parents_above_their_children():
    X, _ = load("trees")
    for sketch in sketches(Subtrees(), X):
        places = np.array([(node.x, node.y) for node in sketch.nodes])
        assert places.min() >= 0.0
        assert places.max() <= 1.0
        assert len(np.unique(places, axis=0)) == len(places)
        assert len(sketch.edges) == len(sketch.nodes) - 1
        assert all(places[parent, 1] > places[child, 1] for parent, child in sketch.edges)
