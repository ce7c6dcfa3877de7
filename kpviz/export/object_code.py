"""The kernels of texts, trees and graphs as short plain Python: what is counted, and the inner product of the counts.

The texts are in the form that kpviz writes: words with one space between them, trees in brackets, graphs as the letters
of their vertices and the edges by number. All counts are whole numbers, so that no order of adding them rounds.
"""

from __future__ import annotations

from kpviz.export.kernel_forms import Form

_COUNTER = "from collections import Counter"

_INNER = '''\
def inner(parts, U, V):
    """The inner product of the counts parts(u) and parts(v), for each u of U and v of V."""
    U, V = [parts(u) for u in U], [parts(v) for v in V]
    return np.array([[sum(n * v[part] for part, n in u.items()) for v in V] for u in U], dtype=float)'''

_WORDS = '''\
def words(text):
    """Count the words of a text, each of them once."""
    return Counter(set(text.split()))'''

_STRINGS = '''\
def strings(text, length):
    """Count the strings of so many signs; spaces are signs."""
    return Counter(text[i : i + length] for i in range(len(text) - length + 1))'''

_SUBTREES = '''\
def subtrees(tree):
    """Count the complete subtrees: each vertex with all that is below it."""
    counts, begun = Counter(), []
    for sign in re.finditer(r"\\([^ ()]+|[^ ()]+|\\)", tree):
        if sign[0] == ")":
            counts[tree[begun.pop() : sign.end()]] += 1
        elif sign[0].startswith("("):
            begun.append(sign.start())
        else:
            counts[sign[0]] += 1
    return counts'''

_NEIGHBOURHOODS = '''\
def neighbourhoods(graph, rounds):
    """Count the labels of all rounds: in each, a vertex gets that of its own and, sorted, those of its neighbours."""
    letters, *edges = graph.split()
    labels, joined = list(letters), [[] for _ in letters]
    for edge in edges:
        a, b = (int(number) - 1 for number in edge.split("-"))
        joined[a].append(b)
        joined[b].append(a)
    counts = Counter((0, label) for label in labels)
    for number in range(1, rounds + 1):
        around = [",".join(sorted(labels[j] for j in others)) for others in joined]
        labels = [f"{label}({others})" for label, others in zip(labels, around)]
        counts.update((number, label) for label in labels)
    return counts'''


def _form(formula: str, of: str, function: str, *, power: bool = False, modules: tuple[str, ...] = ()) -> Form:
    """Return the form of a kernel that counts what `of`, a function's name or a lambda, finds."""
    matrix, square = f"inner({of}, U, V)", f"inner({of}, U, U)"
    if power:
        matrix, square = f"np.exp2({matrix})", f"np.exp2({square})"
    return Form(formula, matrix, f"np.diag({square})", modules=(_COUNTER, *modules), helpers=(function, _INNER))


OBJECTS: dict[str, Form] = {
    "words": _form("2^(how many words are in both)", "words", _WORDS, power=True),
    "spectrum": _form(
        "Σ n_s(u) n_s(v) over all strings s of that length", "lambda text: strings(text, {length})", _STRINGS
    ),
    "subtrees": _form("Σ n_s(u) n_s(v) over all complete subtrees s", "subtrees", _SUBTREES, modules=("import re",)),
    "graph": _form(
        "Σ n_l(u) n_l(v) over all labels l of all rounds",
        "lambda graph: neighbourhoods(graph, {rounds})",
        _NEIGHBOURHOODS,
    ),
}
