"""Kernels of texts, trees and graphs against slow counts, and the data sets that they
learn from.
"""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import kpviz
from kpviz.engine.data import boolean
from kpviz.engine.data.objects import OBJECTS, code, load, parse
from kpviz.engine.kernels import (
    KERNELS,
    AllSubsets,
    Linear,
    Spectrum,
    Subtrees,
    WeisfeilerLehman,
    WordSets,
)
from kpviz.engine.kernels.objects import counting
from kpviz.engine.kernels.objects.counting import sketches
from kpviz.engine.kernels.objects.graphs import _fitted, places, read_graph
from kpviz.engine.kernels.objects.trees import DEEPEST, read_tree

FEW = settings(max_examples=60, deadline=None)
WRITTEN = [name for name, source in OBJECTS.items() if source.kind != "bits"]
COUNTING = {
    "words": (WordSets(), "texts"),
    "spectrum": (Spectrum(2), "texts"),
    "subtrees": (Subtrees(), "trees"),
    "graph": (WeisfeilerLehman(1), "graphs"),
}

# ---- objects, and slow counts ----

texts = st.lists(
    st.sampled_from(["a", "b", "cc", "ab", "ba", "c", "bab"]), min_size=1, max_size=6
).map(" ".join)
trees = st.recursive(  # a tree is (label, [children]) here
    st.sampled_from("abc").map(lambda label: (label, [])),
    lambda inner: st.tuples(st.sampled_from("AB+*"), st.lists(inner, min_size=1, max_size=3)),
    max_leaves=8,
)


@st.composite
def graphs(draw, most=7):
    n = draw(st.integers(1, most))
    labels = "".join(draw(st.lists(st.sampled_from("CNOab"), min_size=n, max_size=n)))
    edges = (
        draw(st.sets(st.sampled_from(list(combinations(range(1, n + 1), 2))))) if n > 1 else set()
    )
    return labels, sorted(edges)


def tree_text(tree):
    label, children = tree
    return f"({' '.join([label, *map(tree_text, children)])})" if children else label


def graph_text(graph):
    return " ".join([graph[0], *(f"{a}-{b}" for a, b in graph[1])])


def vertices(tree):
    return [tree, *(vertex for child in tree[1] for vertex in vertices(child))]


def same(u, v):
    return u[0] == v[0] and len(u[1]) == len(v[1]) and all(map(same, u[1], v[1]))


def strings(text, length):
    return [text[i : i + length] for i in range(len(text) - length + 1)]


def refined(u, v, rounds):
    """The textbook's loop on both: old labels and sorted neighbours become a new label from one
    list for both.
    """
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
                {
                    i: f"{number}/{known.setdefault(kind, len(known)):04d}"
                    for i, kind in kinds.items()
                },
                around,
            )
    return value


def assert_is(kernel, objects, written, pairs):
    X = [written(each) for each in objects]
    assert_array_equal(kernel(X, X), [[pairs(u, v) for v in objects] for u in objects])


@FEW
@given(st.lists(texts, min_size=1, max_size=4), st.integers(1, 4))
def test_texts_are_compared_by_sets_of_words_and_by_pairs_of_equal_strings(sentences, length):
    words = sorted({word for text in sentences for word in text.split()})
    indicators = np.array([[float(word in text.split()) for word in words] for text in sentences])
    assert_array_equal(WordSets()(sentences, sentences), AllSubsets()(indicators, indicators))
    assert_is(
        Spectrum(length),
        sentences,
        str,
        lambda u, v: sum(a == b for a in strings(u, length) for b in strings(v, length)),
    )


@FEW
@given(st.lists(trees, min_size=1, max_size=4))
def test_trees_are_compared_by_pairs_of_vertices_below_which_all_is_the_same(forest):
    assert_is(
        Subtrees(),
        forest,
        tree_text,
        lambda u, v: sum(same(a, b) for a in vertices(u) for b in vertices(v)),
    )


@FEW
@given(graphs(), graphs(), st.integers(0, 4), st.randoms(use_true_random=False))
def test_graphs_are_compared_by_the_textbooks_loop_however_their_vertices_are_numbered(
    u, v, rounds, random
):
    labels, edges = u
    order = list(range(1, len(labels) + 1))
    random.shuffle(order)  # vertex i becomes order[i - 1]
    moved = "".join(label for _, label in sorted(zip(order, labels, strict=True)))
    turned = (moved, [(order[b - 1], order[a - 1]) for a, b in edges])
    assert_is(
        WeisfeilerLehman(rounds), (u, v, turned), graph_text, lambda a, b: refined(a, b, rounds)
    )


def test_values_by_hand():
    for kernel, one, others, expected in (
        (
            WordSets(),
            "The goal!",
            ["goal the goal", "THE, goal.", "the GOAL; the goal?", "goals"],
            [4, 4, 4, 1],
        ),
        (Spectrum(2), "aab ab", ["ab a", "aab ab"], [4, 7]),
        (Spectrum(3), "ab", ["ab"], [0]),
        (Spectrum(3).normalized(), "ab", ["ab"], [0]),
        (Subtrees(), "(+ a b)", ["(+ a b)", "(+ b a)", "(+ a a)"], [3, 2, 2]),
        (Subtrees(), "(+ a a)", ["(+ a a)"], [5]),
        (WeisfeilerLehman(0), "CCO 1-2 2-3", ["CCO", "OOC 1-3"], [5, 4]),
    ):
        assert kernel([one], others).tolist() == [expected]
    long = " ".join(f"word{i}" for i in range(30))
    assert WordSets()([long], [long, "word1 word2"]).tolist() == [[2.0**30, 4.0]]
    assert_allclose(WordSets().normalized()([long], [long, "word1 word2"]), [[1.0, 2.0**-14]])
    ring, rings = (
        "CCCCCC 1-2 2-3 3-4 4-5 5-6 1-6",
        "CCCCCC 1-2 2-3 1-3 4-5 5-6 4-6",
    )  # which no round tells apart
    gram = WeisfeilerLehman(4)([ring, rings], [ring, rings])
    assert (gram == gram[0, 0]).all()


def test_a_dense_graph_is_refined_to_the_last_round_in_no_time_and_not_confused():
    edges = list(combinations(range(1, 13), 2))
    assert_is(
        WeisfeilerLehman(4),
        (("C" * 12, edges), ("C" * 12, edges[1:])),
        graph_text,
        lambda a, b: refined(a, b, 4),
    )
    assert max(map(len, WeisfeilerLehman(4).features(graph_text(("C" * 12, edges))))) < 70


# ---- what all kernels that count parts keep to ----


@pytest.mark.parametrize(("kernel", "kind"), COUNTING.values(), ids=COUNTING)
def test_a_kernel_is_made_of_its_features_and_sketched_by_them(kernel, kind, monkeypatch):
    X, _ = load(kind)
    counts = [Counter(kernel.features(each)) for each in X]
    product = np.array(
        [[sum(a[part] * b[part] for part in a) for b in counts] for a in counts], dtype=float
    )
    gram = kernel(X, X)
    assert_array_equal(gram, kernel.of_counts(product))
    assert_array_equal(kernel.diag(X), np.diagonal(gram))
    assert_array_equal(kernel(X[:7], X[3:]), gram[:7, 3:])
    assert_allclose(np.diagonal(kernel.normalized()(X, X)), 1.0, rtol=1e-12)
    assert (kernel.compares, kernel.psd, kernel.latex) == (
        OBJECTS[kind].kind,
        "yes",
        kernel.formula,
    )
    drawn = sketches(kernel.normalized(), X)
    for i, sketch in enumerate(drawn):
        assert len(sketch.ids) == len(counts[i])
        for j, other in enumerate(drawn):
            assert len(sketch.ids & other.ids) == len(counts[i].keys() & counts[j].keys())
            assert any(sketch.shared(other)) == bool(sketch.ids & other.ids)
    monkeypatch.setattr(
        counting, "_AT_ONCE", 3
    )  # parts that do not fit at once are compared in turn
    assert_array_equal(kernel(X, X), gram)


def test_a_sum_is_sketched_by_its_first_kernel_and_vectors_are_not():
    assert sketches(WordSets() + Spectrum(), ["a b"]) == sketches(WordSets(), ["a b"])
    with pytest.raises(
        ValueError, match=r"^kernel='Linear' compares vectors: only texts, trees and graphs are"
    ):
        sketches(Linear(), [[1.0]])


# kernel, two objects; of the first: texts of its nodes, how many parts of each the second has, its
# edges
SKETCHES = [
    (WordSets(), "The cat, the dog", "dog", ["the", "cat", "the", "dog"], (0, 0, 0, 1), ()),
    (Spectrum(2), "a cat", "cap", [*"a cat"], (0, 0, 1, 1, 0), ()),
    (Subtrees(), "(S (NP you) (V saw))", "(NP you)", ["S", "NP", "you", "V", "saw"], (0, 1, 1, 0, 0),
     ((0, 1), (1, 2), (0, 3), (3, 4))),
    (WeisfeilerLehman(2), "CCO 1-2 2-3", "CCN 1-2 2-3", [*"CCO"], (2, 1, 0), ((0, 1), (1, 2))),
    (WeisfeilerLehman(2), "CCCCCC 1-2 2-3 3-4 4-5 5-6", "CCCCCC 1-2 2-3 3-4 4-5 5-6 "
        "1-6", [*"CCCCCC"],
     (1, 2, 3, 3, 2, 1), ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5))),
]  # fmt: skip


@pytest.mark.parametrize(("kernel", "one", "other", "nodes", "shared", "edges"), SKETCHES)
def test_a_sketch_has_nodes_in_order_and_says_what_is_shared(
    kernel, one, other, nodes, shared, edges
):
    first, second = sketches(kernel, [one, other])
    assert [node.text for node in first.nodes] == nodes
    assert (first.shared(second), first.edges) == (shared, edges)
    if not edges:
        assert [(node.x, node.y) for node in first.nodes] == [
            (float(i), 0.0) for i in range(len(nodes))
        ]


@FEW
@given(trees)
def test_a_tree_is_drawn_below_its_root_with_leaves_side_by_side(tree):
    (sketch,) = sketches(Subtrees(), [tree_text(tree)])
    at = np.array([(node.x, node.y) for node in sketch.nodes])
    leaves = [i for i in range(len(at)) if i not in {parent for parent, _ in sketch.edges}]
    assert len(sketch.edges) == len(at) - 1
    assert all(at[parent, 1] > at[child, 1] for parent, child in sketch.edges)
    assert_allclose(at[leaves, 0], (np.arange(len(leaves)) + 0.5) / len(leaves))
    for parent in {parent for parent, _ in sketch.edges}:
        below = [at[child, 0] for above, child in sketch.edges if above == parent]
        assert at[parent, 0] == pytest.approx((below[0] + below[-1]) / 2)


@FEW
@given(graphs(most=12))
def test_vertices_are_drawn_apart_from_each_other_in_the_unit_square(graph):
    at = np.array(places(read_graph(graph_text(graph))))
    assert 0.0 <= at.min() <= at.max() <= 1.0
    assert (
        np.linalg.norm(at[:, None] - at, axis=2)[np.triu_indices(len(at), 1)].min(initial=1.0)
        > 0.01
    )


def test_molecules_are_drawn_so_that_bonds_are_short_and_rings_are_open():
    for text in load("graphs")[0]:
        graph = read_graph(text)
        at = np.array(places(graph))
        gaps = np.linalg.norm(at[:, None] - at, axis=2)
        bonds = [gaps[a, b] for a, b in graph.edges]
        assert max(bonds) < 1.5 * min(bonds)
        loose = [
            gaps[a, b] for a, b in combinations(range(len(at)), 2) if (a, b) not in graph.edges
        ]
        assert min(loose, default=2.0) > min(bonds)


SYMMETRIC = {
    "zigzag": np.array([[0, 0], [1, 1], [2, 0], [3, 1]]),
    "fork": np.array([[0, 0], [1, 0], [-1, 2], [-1, -2]]),
} | {
    f"ring of {n}": np.exp(2j * np.pi * np.arange(n) / n).view(float).reshape(n, 2)
    for n in range(3, 8)
}


@pytest.mark.parametrize("name", SYMMETRIC)
@given(st.floats(-4.0, 4.0), st.sampled_from([1, -1]), st.integers(0, 99))
@settings(max_examples=20, deadline=None)
def test_a_drawing_that_is_turned_or_mirrored_is_laid_out_as_before(name, angle, mirrored, seed):
    at, (cos, sin) = SYMMETRIC[name], (np.cos(angle), np.sin(angle))
    turned = at @ [[cos, sin], [-mirrored * sin, mirrored * cos]]
    rounded = turned + 1e-12 * np.random.default_rng(seed).normal(size=at.shape)
    assert_allclose(_fitted(rounded), _fitted(at), atol=2e-4)


# ---- canonical texts, and what is none ----


@FEW
@given(trees, graphs())
def test_trees_and_graphs_are_read_as_they_are_written(tree, graph):
    text = tree_text(tree)
    assert Subtrees().check(text.replace("(", " ( ").replace(")", " )\n"), "tree") == text
    assert list(read_tree(text).labels) == [label for label, _ in vertices(tree)]
    backwards = " ".join([f" {graph[0]}", *(f"{b}-{a}" for a, b in reversed(graph[1]))])
    assert (
        WeisfeilerLehman().check(backwards, "graph")
        == str(read_graph(backwards))
        == graph_text(graph)
    )


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=40) | st.text("() abS;12-", max_size=24), st.sampled_from([*COUNTING]))
def test_any_text_has_one_canonical_form_or_is_refused_in_one_sentence(text, name):
    kernel, _ = COUNTING[name]
    try:
        canonical = kernel.check(text, "it")
    except ValueError as error:
        assert str(error).startswith("it is ")  # noqa: PT017 - either is fine
        assert str(error).endswith(".")  # noqa: PT017
        assert str(error).isprintable()  # noqa: PT017
    else:
        assert kernel.check(canonical, "it") == canonical == " ".join(canonical.split())
        assert not set(canonical) & {";", *("()+,." if kernel.compares == "texts" else "")}


def test_words_of_other_tongues_stay_whole_brackets_round_leaves_go_and_the_deepest_tree_is_read():
    assert WordSets().check("Ça VA, don't-care!  «हिन्दी» Ünder_score 'quoted'", "x") == (
        "ça va don't-care हिन्दी ünder score quoted"
    )
    assert Subtrees().check("( S (NP) (VP))", "tree") == "(S NP VP)"
    text = "(S " * DEEPEST + "x" + ")" * DEEPEST
    assert Subtrees()([text], [text]).tolist() == [[DEEPEST + 1.0]]


BROKEN = {
    WordSets(): [
        ([], "X has shape (0,): it must be a list of one or more texts."),
        ("one text", "X has shape (): it must be a list of one or more texts."),
        ([["a"], ["b"]], "X has shape (2, 1): it must be a list of one or more texts."),
        (["a", 7], "X[1]=7 is not a text: it must be a text."),
        (["a", "?!"], "X[1] is '?!', which holds no word: a text must have at least one."),
        (["a " * 1500], "X[0] is 3,000 characters long: a text may have at most 2,000."),
    ],
    Subtrees(): [
        ("", "it is empty, so write a label, or a bracket such as (S you sing)."),
        ("(S you", "at its end 1 bracket is still open."),
        ("(S (NP you", "at its end 2 brackets are still open."),
        ("(S you))", "at character 8 a bracket is closed that was never opened."),
        (
            "you sing",
            "at character 5 the tree is complete already: put one bracket around all of it.",
        ),
        ("((S) you)", "at character 2 a label is missing, as S in (S you sing)."),
        ("(S ())", "at character 5 a label is missing, as S in (S you sing)."),
        ("(S you;me)", "at character 7 a ';' stands, which separates trees."),
        (
            "(S " * 41 + "x" + ")" * 41,
            "at character 122 it is more than 40 brackets deep, which is too deep.",
        ),
    ],
    WeisfeilerLehman(): [
        ("1-2", "it begins with '1-2', but first come its labels, one letter for each vertex."),
        ("Ć", "it begins with 'Ć', but first come its labels, one letter for each vertex."),
        ("C" * 13, "it has 13 vertices, and at most 12 are allowed."),
        ("CC 1-2-1", "'1-2-1' is not an edge: write the numbers of two vertices, such as 1-2."),
        ("CC 0-1", "edge 0-1 leads to no vertex: they have the numbers 1 to 2."),
        ("CC 1-3", "edge 1-3 leads to no vertex: they have the numbers 1 to 2."),
        ("CC 2-2", "edge 2-2 joins vertex 2 with itself, and it must join two."),
        ("CC 1-2 2-1", "edge 1-2 is there twice, and once is enough."),
    ],
}


@pytest.mark.parametrize(
    ("kernel", "X", "message"), [(kernel, *case) for kernel, all in BROKEN.items() for case in all]
)
def test_what_is_broken_is_refused_with_the_place_where_it_breaks(kernel, X, message):
    one = type(kernel).one
    given = X if one == "text" else [X]
    with pytest.raises(ValueError, match=r"\.") as raised:
        kernel(given, ["a"])
    assert str(raised.value) == (message if one == "text" else f"X[0] is not a {one}: {message}")


# ---- data sets ----


@pytest.mark.parametrize("name", OBJECTS)
def test_a_data_set_says_what_it_is_and_holds_different_canonical_examples_of_both_classes(name):
    source = OBJECTS[name]
    assert source.look_for.endswith(".")
    assert len(source.look_for) <= 100
    assert len({source.title, *source.classes}) == 3
    kinds = {KERNELS[kernel].compares for kernel in source.kernels}
    assert kinds == {"vectors" if source.kind == "bits" else source.kind}
    examples, y = source.examples()
    if source.kind == "bits":
        X, y = load("bits", 3)
        assert_array_equal(
            np.column_stack([X, y]), np.column_stack(boolean.load(boolean.USUAL, 4, 3)[:2])
        )
        assert examples == []
        return
    assert 24 <= len(examples) == len(set(examples)) <= 40
    assert KERNELS[source.kernels[0]]().examples("X", examples).tolist() == examples
    assert set(y.tolist()) == {-1.0, 1.0}
    assert abs(y.sum()) <= 2
    first, second, again = (load(name, seed) for seed in (0, 1, 1))
    assert first[0].tolist() != second[0].tolist() == again[0].tolist()
    assert [dict(zip(*each, strict=True)) for each in (first, second)] == [
        dict(zip(examples, y, strict=True))
    ] * 2


def learn(name, kernel, seed):
    return kpviz.train(kpviz.learners.Perceptron(), *load(name, seed), kernel=kernel, epochs=100)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", WRITTEN)
def test_the_perceptron_learns_each_in_a_few_epochs_and_a_class_can_follow_its_mistakes(name, seed):
    plain = KERNELS[OBJECTS[name].kernels[0]]()
    runs = [learn(name, kernel, seed) for kernel in (plain, plain.normalized())]
    for run in runs:
        assert (run.converged, run.n_epochs <= 8, 7 <= run.mistake.sum() <= 25) == (
            True,
            True,
            True,
        )
    if name != "texts":
        return
    assert np.sign(
        runs[1].decision_function(["the keeper scores a goal", "butter in a pan"])
    ).tolist() == [1.0, -1.0]
    long, shares = (
        plain.diag(runs[0].X) > 2.0**20,
        [],
    )  # two long sentences outvote the short ones until normalized
    for run in runs:
        votes = np.abs(run.state_at(run.n_steps).coef[:, None] * run.kernel(run.X, run.X))
        np.fill_diagonal(votes, 0.0)
        shares.append(long[votes.argmax(axis=0)].mean())
    assert long.sum() == 2
    assert shares[0] >= 0.5 > shares[1] == 0.0


def test_molecules_cannot_be_told_apart_by_their_atoms_alone():
    assert not learn("graphs", WeisfeilerLehman(0), 0).converged
    assert learn("graphs", WeisfeilerLehman(2), 0).converged


def test_added_examples_come_last_in_their_order():
    X, y = load("graphs", 5, added="+CCC 3-1 1-2 2-3;−O ;; - NN 2-1 ;")
    assert X[-3:].tolist() == ["CCC 1-2 1-3 2-3", "O", "NN 1-2"]
    assert y[-3:].tolist() == [1.0, -1.0, -1.0]
    assert_array_equal(X[:-3], load("graphs", 5)[0])


@settings(max_examples=200, deadline=None)
@given(
    st.text("+-;() CN12ab−", max_size=40)
    | st.lists(st.tuples(texts, st.sampled_from([-1.0, 1.0])), max_size=40).map(code),
    st.sampled_from(WRITTEN),
)
def test_any_line_is_read_and_written_again_or_refused_in_one_sentence(added, kind):
    try:
        pairs = parse(added, kind)
    except ValueError as error:
        assert str(error).startswith("Added ")  # noqa: PT017 - either is fine
        assert str(error).endswith(".")  # noqa: PT017
    else:
        assert parse(code(pairs), kind) == pairs
        assert kind != "texts" or len(pairs) == sum(bool(each.strip()) for each in added.split(";"))


@pytest.mark.parametrize(
    ("added", "kind", "message"),
    [
        ("a goal", "texts", "Added text 1 begins with 'a': it must begin with its class, + or -."),
        (
            "+a;+!",
            "texts",
            "Added text 2 is '!', which holds no word: a text must have at least one.",
        ),
        ("+(S you", "trees", "Added tree 1 is not a tree: at its end 1 bracket is still open."),
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
