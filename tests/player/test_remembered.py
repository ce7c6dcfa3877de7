"""What the panel of the remembered examples is sent: drawings with numbered parts, and k with what is asked about."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sent import Sent

from kpviz.engine.kernels.objects.graphs import read_graph
from kpviz.engine.kernels.objects.trees import read_tree

ASKED = {
    "texts": "The GOAL, with salt and an umbrella!",
    "trees": "(S (W who) ( NP (D the) (N umbrella)))",
    "graphs": "CCO 3-2 2-1 1-3",
}
MODELS = {
    "texts": {"data": "texts"},
    "texts by characters": {"data": "texts", "kernel": "spectrum", "length": 2},
    "texts by both": {"data": "texts", "combine": "product", "kernel2": "spectrum", "held": 0.2},
    "trees": {"data": "trees", "held": 0.3},
    "trees that forget": {"data": "trees", "learner": "forgetron", "budget": 3},
    "graphs": {"data": "graphs", "added": "+CCCN 1-2 2-3 3-4 1-4"},
    "graphs, normalized": {"data": "graphs", "normalize": "on", "rounds": 1, "eta": 0.5, "intercept": "unit"},
}


def parts_of(sketch):
    return [set(ids) for _, _, _, ids in sketch["nodes"]]


def all_parts(sketch):
    return set().union(*parts_of(sketch))


@pytest.mark.parametrize("name", MODELS)
def test_the_terms_of_the_one_that_is_asked_about_add_up_to_its_score_at_every_instant(name):
    given = MODELS[name]
    sent = Sent("remembered", **given, ask=ASKED[given["data"]])
    run, support = sent.run, sent.arrays["support"].astype(int)
    new = np.array([sent.settings.ask], dtype=object)
    assert sent.extras[0]["asked"] == sent.settings.ask
    assert sent.arrays["askedGram"].shape == support.shape
    assert_allclose(sent.arrays["askedGram"], [run.kernel(run.X[[i]], new)[0, 0] for i in support], rtol=1e-6)
    for t in {0, 1, run.n_steps // 3, run.n_steps}:
        state = run.state_at(t)
        f = state.coef[support] @ sent.arrays["askedGram"].astype(float) + state.intercept
        assert f == pytest.approx(run.decision_function(new, t)[0], rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("name", MODELS)
def test_every_example_is_drawn_training_then_held_out_then_what_is_asked(name):
    given = MODELS[name]
    without, sent = Sent("remembered", **given), Sent("remembered", **given, ask=ASKED[given["data"]])
    everything = [*sent.split.X, *sent.split.X_test, sent.settings.ask]
    assert len(sent.extras[0]["sketches"]) == len(everything)
    assert without.extras[0]["sketches"] == sent.extras[0]["sketches"][:-1]
    assert (without.extras[0]["asked"], "askedGram" in without.arrays) == ("", False)
    assert sent.extras[0]["drawn"] == given["data"]
    for text, sketch in zip(everything, sent.extras[0]["sketches"], strict=True):
        labels = [node[0] for node in sketch["nodes"]]
        if given["data"] == "texts":
            by_characters = given.get("kernel") == "spectrum"
            assert labels == (list(text) if by_characters else text.split())
            assert sketch["edges"] == []
        else:
            read = read_tree(text) if given["data"] == "trees" else read_graph(text)
            assert labels == list(read.labels)
            edges = [(parent, child) for child, parent in enumerate(getattr(read, "parents", ())) if parent >= 0]
            assert [tuple(edge) for edge in sketch["edges"]] == (edges or list(read.edges))
            assert all(0 <= x <= 1 and 0 <= y <= 1 for _, x, y, _ in sketch["nodes"])


def test_words_that_two_texts_share_have_the_same_part_and_others_have_not():
    sent = Sent("remembered", data="texts", ask=ASKED["texts"])
    texts = [*sent.split.X, sent.settings.ask]
    new = all_parts(sent.extras[0]["sketches"][-1])
    for text, sketch in zip(texts, sent.extras[0]["sketches"], strict=True):
        lit = [bool(ids & new) for ids in parts_of(sketch)]
        assert lit == [word in texts[-1].split() for word in text.split()]
    assert "umbrella" not in " ".join(texts[:-1])


def test_vertices_above_the_same_subtree_have_the_same_part():
    sent = Sent("remembered", data="trees", ask=ASKED["trees"])
    trees = [read_tree(text) for text in (*sent.split.X, sent.settings.ask)]

    def below(tree, v):
        return (tree.labels[v], *(below(tree, child) for child in range(len(tree.labels)) if tree.parents[child] == v))

    theirs = {below(trees[-1], v) for v in range(len(trees[-1].labels))}
    new = all_parts(sent.extras[0]["sketches"][-1])
    for tree, sketch in zip(trees, sent.extras[0]["sketches"], strict=True):
        lit = [bool(ids & new) for ids in parts_of(sketch)]
        assert lit == [below(tree, v) in theirs for v in range(len(tree.labels))]


@pytest.mark.parametrize("name", [name for name in MODELS if name.startswith("graphs")])
def test_the_shared_parts_of_graphs_are_as_many_as_their_kernel_counts(name):
    sent = Sent("remembered", **{"normalize": "off", **MODELS[name]})
    kernel = getattr(sent.run.kernel, "kernel", sent.run.kernel)
    sketches = sent.extras[0]["sketches"]
    counts = [[id_ for _, _, _, ids in sketch["nodes"] for id_ in ids] for sketch in sketches]
    for i in (0, 5, len(sketches) - 1):
        row = kernel(sent.split.everything[[i]], sent.split.everything)[0]
        assert [sum(counts[j].count(part) for part in counts[i]) for j in range(len(sketches))] == row.tolist()


@pytest.mark.parametrize("held", [0.0, 0.25])
def test_bits_are_drawn_side_by_side_and_share_what_they_agree_in(held):
    sent = Sent("remembered", data="bits", bits=5, held=held, seed=3)
    X = sent.split.everything
    assert (sent.extras[0]["drawn"], sent.extras[0]["asked"]) == ("texts", "")
    parts = [parts_of(sketch) for sketch in sent.extras[0]["sketches"]]
    for i, sketch in enumerate(sent.extras[0]["sketches"]):
        assert "".join(node[0] for node in sketch["nodes"]) == "".join(f"{bit:.0f}" for bit in X[i])
    for i in range(0, len(X), 5):
        agree = [[bool(a & set().union(*parts[i])) for a in row] for row in parts]
        assert agree == (X[i] == X).tolist()


def test_points_are_not_drawn_and_a_stream_says_why_nothing_is_remembered():
    assert Sent("remembered", epochs=2).extras[0] == {"why": "", "drawn": "", "asked": "", "sketches": []}
    extra = Sent("remembered", stream="on", n=60).extras[0]
    assert set(extra) == {"why"}
    assert extra["why"].endswith(".")


def test_nothing_asked_nothing_learnt_is_an_empty_sum():
    sent = Sent("remembered", data="texts", tie="correct", ask="a goal", epochs=2)
    assert sent.arrays["askedGram"].shape == (0,)
