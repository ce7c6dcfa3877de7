"""The kernel of graphs against the slow loop of the textbook, in which labels are whole texts."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from kpviz.engine.data.objects import load
from kpviz.engine.kernels.objects.counting import sketches
from kpviz.engine.kernels.objects.graphs import WeisfeilerLehman, _fitted, places, read_graph


@st.composite
def graphs(draw, most=7):
    n = draw(st.integers(1, most))
    labels = "".join(draw(st.lists(st.sampled_from("CNOab"), min_size=n, max_size=n)))
    edges = draw(st.sets(st.sampled_from(list(combinations(range(1, n + 1), 2))))) if n > 1 else set()
    return labels, sorted(edges)


def written(graph):
    labels, edges = graph
    return " ".join([labels, *(f"{a}-{b}" for a, b in edges)])


def textbook(u, v, rounds):
    """Refine both together: old labels and sorted neighbours become a new label from one list for both graphs."""
    both = []
    for labels, edges in (u, v):
        around = {i: [] for i in range(1, len(labels) + 1)}
        for a, b in edges:
            around[a].append(b)
            around[b].append(a)
        both.append((dict(enumerate(labels, start=1)), around))
    value = 0
    for number in range(rounds + 1):
        first, second = (Counter(labels.values()) for labels, _ in both)
        value += sum(first[label] * second[label] for label in first)
        known = {}
        for at, (labels, around) in enumerate(both):
            kinds = {i: (labels[i], tuple(sorted(labels[j] for j in around[i]))) for i in labels}
            both[at] = (
                {i: f"{number}/{known.setdefault(kind, len(known)):04d}" for i, kind in kinds.items()},
                around,
            )
    return value


@settings(max_examples=80, deadline=None)
@given(graphs(), graphs(), st.integers(0, 4))
def test_it_is_the_textbooks_loop(u, v, rounds):
    kernel = WeisfeilerLehman(rounds)
    expected = [[textbook(a, b, rounds) for b in (u, v)] for a in (u, v)]
    assert_array_equal(kernel([written(u), written(v)], [written(u), written(v)]), expected)


@settings(max_examples=80, deadline=None)
@given(graphs(), graphs(), st.integers(0, 4), st.randoms(use_true_random=False))
def test_the_numbers_of_vertices_do_not_matter(u, v, rounds, random):
    labels, edges = u
    order = list(range(1, len(labels) + 1))
    random.shuffle(order)  # vertex i becomes order[i - 1]
    moved = "".join(label for _, label in sorted(zip(order, labels, strict=True)))
    turned = (moved, [(order[b - 1], order[a - 1]) for a, b in edges])
    kernel = WeisfeilerLehman(rounds)
    assert kernel([written(u)], [written(v)]) == kernel([written(turned)], [written(v)])
    assert kernel([written(u)], [written(turned)]) == kernel.diag([written(u)])


def test_a_dense_graph_is_refined_to_the_last_round_in_no_time_and_not_confused():
    edges = list(combinations(range(1, 13), 2))
    whole, less = ("C" * 12, edges), ("C" * 12, edges[1:])
    kernel = WeisfeilerLehman(4)
    expected = [[textbook(a, b, 4) for b in (whole, less)] for a in (whole, less)]
    assert_array_equal(kernel([written(whole), written(less)], [written(whole), written(less)]), expected)
    assert max(map(len, kernel.features(written(whole)))) < 70


def test_without_rounds_only_labels_are_counted():
    assert WeisfeilerLehman(0)(["CCO 1-2 2-3"], ["CCO", "OOC 1-3"]).tolist() == [[2 * 2 + 1, 2 + 2]]


def test_a_vertex_of_a_ring_is_like_one_inside_a_chain():
    ring, chain = "CCCCCC 1-2 2-3 3-4 4-5 5-6 1-6", "CCCCCC 1-2 2-3 3-4 4-5 5-6"
    (of_ring, of_chain), inside = sketches(WeisfeilerLehman(2), [ring, chain]), 2
    assert of_chain.shared(of_ring) == (1, 2, 3, 3, 2, 1)
    assert of_chain.nodes[inside].ids == of_ring.nodes[0].ids
    two_rings = "CCCCCC 1-2 2-3 1-3 4-5 5-6 4-6"  # the classical pair that no number of rounds tells apart
    for rounds in range(5):
        gram = WeisfeilerLehman(rounds)([ring, two_rings], [ring, two_rings])
        assert (gram == gram[0, 0]).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it begins with '', but first come its labels, one letter for each vertex."),
        ("1-2", "it begins with '1-2', but first come its labels, one letter for each vertex."),
        ("Ć", "it begins with 'Ć', but first come its labels, one letter for each vertex."),
        ("C" * 13, "it has 13 vertices, and at most 12 are allowed."),
        ("CC 1", "'1' is not an edge: write the numbers of two vertices, such as 1-2."),
        ("CC 1-2-1", "'1-2-1' is not an edge: write the numbers of two vertices, such as 1-2."),
        ("CC 1-3", "edge 1-3 leads to no vertex: they have the numbers 1 to 2."),
        ("CC 0-1", "edge 0-1 leads to no vertex: they have the numbers 1 to 2."),
        ("CC 2-2", "edge 2-2 joins vertex 2 with itself, and it must join two."),
        ("CC 1-2 2-1", "edge 1-2 is there twice, and once is enough."),
    ],
)
def test_a_broken_graph_is_refused_with_what_is_wrong(text, message):
    with pytest.raises(ValueError, match=r"\.") as raised:
        WeisfeilerLehman()([text], ["C"])
    assert str(raised.value) == f"X[0] is not a graph: {message}"


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_a_graph_has_one_canonical_text(graph):
    labels, edges = graph
    backwards = " ".join([f" {labels}", *(f"{b}-{a}" for a, b in reversed(edges))])
    assert WeisfeilerLehman().check(backwards, "graph") == written(graph)
    assert str(read_graph(written(graph))) == written(graph)


# -- drawings ---------------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(graphs(most=12))
def test_vertices_are_drawn_apart_from_each_other_in_the_unit_square(graph):
    at = np.array(places(read_graph(written(graph))))
    assert at.min() >= 0.0
    assert at.max() <= 1.0
    gaps = np.linalg.norm(at[:, None] - at, axis=2)[np.triu_indices(len(at), 1)]
    assert gaps.min(initial=1.0) > 0.01


def test_molecules_are_drawn_so_that_bonds_are_short_and_rings_are_open():
    X, _ = load("graphs")
    for text in X:
        graph = read_graph(text)
        at = np.array(places(graph))
        gaps = np.linalg.norm(at[:, None] - at, axis=2)
        bonds = [gaps[a, b] for a, b in graph.edges]
        assert max(bonds) < 1.5 * min(bonds)
        loose = [gaps[a, b] for a, b in combinations(range(len(at)), 2) if (a, b) not in graph.edges]
        assert min(loose, default=2.0) > min(bonds)


SYMMETRIC = {
    "line": np.array([[0, 0], [1, 0], [2, 0]]),
    "zigzag": np.array([[0, 0], [1, 1], [2, 0], [3, 1]]),
    "fork": np.array([[0, 0], [1, 0], [-1, 2], [-1, -2]]),
    "cross": np.array([[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1]]),
} | {f"ring of {n}": np.exp(2j * np.pi * np.arange(n) / n).view(float).reshape(n, 2) for n in range(3, 8)}


@pytest.mark.parametrize("name", SYMMETRIC)
@given(st.floats(-4.0, 4.0), st.sampled_from([1, -1]), st.integers(0, 99))
@settings(max_examples=20, deadline=None)
def test_a_drawing_that_is_turned_or_mirrored_is_laid_out_as_before(name, angle, mirrored, seed):
    at, (cos, sin) = SYMMETRIC[name], (np.cos(angle), np.sin(angle))
    turned = at @ [[cos, sin], [-mirrored * sin, mirrored * cos]]
    rounded = turned + 1e-12 * np.random.default_rng(seed).normal(size=at.shape)
    np.testing.assert_allclose(_fitted(rounded), _fitted(at), atol=2e-4)


def test_a_sketch_of_a_graph_tells_labels_and_neighbourhoods_from_the_common_to_the_particular():
    kernel = WeisfeilerLehman(2)
    one, other = sketches(kernel, ["CCO 1-2 2-3", "CCN 1-2 2-3"])
    assert [node.text for node in one.nodes] == ["C", "C", "O"]
    assert one.edges == ((0, 1), (1, 2))
    assert {len(node.ids) for node in one.nodes} == {3}
    assert one.shared(other) == (2, 1, 0)
