"""What a Python user meets first: names, how things show themselves, and what leads from links to
runs and back.
"""

import base64
import gzip
import html
import pickle
import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import kpviz
from kpviz import experiment, panels
from kpviz.api import notebook
from kpviz.engine import kernels, learners, theory
from kpviz.engine.kernels.formula import formula_of
from kpviz.engine.theory import primal
from kpviz.export import films
from kpviz.kernels import (
    AllSubsets,
    Formula,
    Gaussian,
    Laplacian,
    Linear,
    Monomial,
    Polynomial,
    Sigmoid,
)
from kpviz.learners import (
    SVM,
    Forgetron,
    KernelLogistic,
    Learner,
    Norma,
    Perceptron,
    Projectron,
    RandomizedBudget,
)
from kpviz.lessons import shelf
from kpviz.picture.figure import save
from kpviz.settings import Settings

KERNELS = [
    Linear(),
    Gaussian(0.3),
    Laplacian(0.7),
    Sigmoid(1.5, -0.5),
    AllSubsets(negated=True),
    Monomial(3).normalized(),
    Formula("exp(-norm(u - v)**2/2)"),
    Gaussian(0.25) + Polynomial(3, 1.0),
    Gaussian(2.0) * Linear(),
]
LEARNERS = [
    Perceptron(),
    Perceptron(0.5, "radius", "positive"),
    Forgetron(5, "basic"),
    RandomizedBudget(4),
    Projectron(0.3),
    Norma(nu=0.3, schedule="inverse-sqrt", truncation=20),
    Norma(fit_intercept=False),
    KernelLogistic(),
    SVM(10.0),
]


def points(n=30, digits=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 2)).round(digits)
    return X, np.where(rng.random(n) < 0.2, -1.0, 1.0) * np.where(X[:, 0] * X[:, 1] > 0, 1.0, -1.0)


def same(one, other):
    assert_array_equal(one.index, other.index)
    assert_array_equal(one.score, other.score)
    for name, values in vars(one.changes).items():
        assert_array_equal(values, getattr(other.changes, name))
    assert one.end == other.end


def test_what_a_tab_offers_is_public_and_there():
    offered = dir(kpviz)
    assert sorted(offered) == sorted({*kpviz.__all__, "__version__"})
    assert {"KernelPerceptron", "FisherDiscriminant", "load", "train"} <= set(offered)
    for name in offered:
        getattr(kpviz, name)


@pytest.mark.parametrize(
    ("public", "engine"),
    [
        (kpviz.kernels, kernels),
        (kpviz.learners, learners),
        (kpviz.theory, theory),
        (kpviz.primal, primal),
    ],
)
def test_public_modules_offer_all_that_the_engine_does(public, engine):
    assert set(engine.__all__) <= set(public.__all__)
    assert all(getattr(public, name) is getattr(engine, name) for name in engine.__all__)
    assert sys.modules[public.__name__] is public
    assert "\n" not in public.__doc__


def test_runs_states_kernels_and_learners_show_themselves_in_one_line():
    run = kpviz.train(Perceptron(), *points(), kernel=Gaussian(0.5) + Linear())
    for shown in (run, run.state_at(5), run.kernel, run.learner, kpviz.load("?n=10")):
        assert "\n" not in repr(shown)
        assert len(repr(shown)) < 200
    halves = type(
        "Halves", (Learner,), {"__init__": lambda self, share=0.5: setattr(self, "share", share)}
    )
    assert repr(halves()) == "Halves(share=0.5)"
    assert repr(run).startswith(
        "<Run of Perceptron(learning_rate=1.0, intercept='none', tie='mistake'): 30 examples, "
    )
    assert repr(run).endswith(f"{run.mistake.sum()} mistakes, end {run.end!r}>")
    assert (
        repr(run.state_at(0))
        == "<State after 0 presentations: 0 of 30 examples in the support, intercept 0>"
    )


@pytest.mark.parametrize(
    "link",
    [
        "v=1",
        "v=1&data=moons&pins=1&p1.kernel=linear",
        "v=1&data=circles&sigma=0.3",
        "v=1&data=texts&kernel=spectrum",
        "v=1&data=iris&learner=norma&epochs=3",
    ],
)
def test_a_link_opens_as_its_run_which_names_the_link(link):
    run = kpviz.load(f"http://localhost:8501/?{link}&t=7&show=gram")
    assert isinstance(run, kpviz.Run)
    pairs = dict(pair.split("=") for pair in link.split("&")[1:] if not pair.startswith("p"))
    same(run, experiment.run(Settings.of(**pairs)))
    assert run.link == f"?{link}"
    assert pickle.loads(pickle.dumps(run)).link == replace(run, seconds=1.0).link == run.link


MISTAKEN = {
    "data=moons&sigma=99": "sigma=99 is outside 0.02 to 10",
    "v=1&data=xorr": r"data=xorr is unknown \(did you mean 'xor'\?\)",
    "data=xor&sigmaa=1": r"sigmaa is not a setting \(did you mean 'sigma'\?\)",
    "preset=svm": "preset is not a setting",
    "compare=smv": r"compare names a comparison that is not known \(did you mean 'svm'\?\)",
    "v=1&show=grma": r"show names a panel that is not known \(did you mean 'gram'\?\)",
    "v=1&pins=1&p1.kernel=gausian": r"p1\.kernel=gausian is unknown \(did you mean "
    r"'gaussian'\?\)",
    "https://kpviz.example/?v=1&order=shufled": r"order=shufled .* \(did you mean 'shuffled'\?\)",
}


@pytest.mark.parametrize(("link", "why"), MISTAKEN.items())
def test_a_part_of_a_link_that_cannot_be_used_is_refused_or_said_in_a_warning_if_lenient(link, why):
    with pytest.raises(
        ValueError, match=rf"^[^\n]*{why}[^\n]*\(lenient=True goes on with what is left\)\.$"
    ):
        kpviz.load(link)
    with pytest.warns(UserWarning, match=why):
        kpviz.load(link, lenient=True)


def test_a_sweep_is_as_strict_as_load():
    with pytest.raises(ValueError, match=r"did you mean 'xor'\?"):
        kpviz.sweep("data=xorr", "sigma", [0.5])


def test_a_lenient_link_runs_with_what_is_next_to_what_it_says():
    with pytest.warns(UserWarning, match="outside"):
        assert kpviz.load("data=moons&sigma=99", lenient=True).kernel == Gaussian(10.0)


def test_a_file_that_is_missing_is_what_python_calls_so():
    with pytest.raises(FileNotFoundError, match=r"^There is no file 'nowhere\.csv': [^\n]+\.$"):
        kpviz.load("nowhere.csv")


LESSON = "lesson=lesson-12-memory"


@pytest.mark.parametrize(
    ("beside", "shows"),
    [
        ("&scene=2", None),
        ("&scene=2&v=1", None),
        ("", "1"),
        ("&scene=2&v=1&data=moons&n=20", "v=1&data=moons&n=20"),
    ],
)
def test_a_link_copied_beside_a_lesson_loads_what_the_app_shows_of_it(beside, shows):
    """Where it has settings, they are shown; else it is the scene, with its cues."""
    run = kpviz.load(f"http://localhost:8501/app/?{LESSON}{beside}&t=3")
    if shows is not None and shows.startswith("v="):
        assert run.link == f"?{shows}"
        return
    scene = shelf.read("lesson-12-memory").scenes[int(shows or 2) - 1]
    assert run.input.settings.without_cues == scene.link.settings.without_cues
    assert run.input.settings.cues == scene.cues.code
    assert run.input.pins == scene.link.pins
    assert run.input.t == 3


@pytest.mark.parametrize(
    ("link", "why"),
    [
        (
            "lesson=lesson-12-memry&scene=1",
            r"no lesson 'lesson-12-memry' .*did you mean 'lesson-12-memory'\?",
        ),
        (
            "lesson=lesson-12-memory&scene=99",
            r"scene=99 is not a scene of 'lesson-12-memory': give 1 to \d\.$",
        ),
        ("lesson=lesson-12-memory&scene=one", "scene=one is not a scene"),
        ("lesson=~&scene=1", "opened from a file"),
        ("lesson=lesson-14-fisher&scene=1", "has no run"),
        ("scene=2", "scene is not a setting"),
    ],
)
def test_a_scene_that_cannot_be_loaded_is_refused_in_one_sentence(link, why):
    with pytest.raises(ValueError, match=rf"^[^\n]*{why}"):
        kpviz.load(f"?{link}")


@pytest.mark.parametrize(
    "source", ["https://example.org/", "nowhere.csv", "data=drawn", "points=~abc", "data=file"]
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_what_cannot_be_opened_is_refused_in_one_sentence(source):
    with pytest.raises(ValueError, match=r"^[^\n]+\.$"):
        kpviz.load(source)


def test_a_table_opens_and_has_no_link(tmp_path):
    path = tmp_path / "flowers.csv"
    path.write_text("a,b,kind\n" + "\n".join(f"{k},{k * k % 7},{'xy'[k % 2]}" for k in range(20)))
    run = kpviz.load(path)
    assert len(run.X) == 20
    with pytest.raises(ValueError, match="rows of a file"):
        run.link  # noqa: B018
    assert (
        run.page(tmp_path / "flowers.html")
        .read_text(encoding="utf-8")
        .startswith("<!doctype html>")
    )


@pytest.mark.parametrize(
    ("learner", "kernel"),
    [*((Perceptron(), kernel) for kernel in KERNELS), *((each, KERNELS[1]) for each in LEARNERS)],
)
def test_drawn_points_have_a_link_under_every_kernel_and_learner(learner, kernel):
    order = "cyclic" if learner.chooses else "shuffled"
    run = kpviz.train(learner, *points(), kernel=kernel, epochs=5, order=order, seed=3)
    again = kpviz.load(run.link)
    same(again, run)
    is_combined = isinstance(kernel, kpviz.kernels.Sum | kpviz.kernels.Product)
    opened = Formula(formula_of(kernel, named=True)) if is_combined else kernel
    assert (again.learner, again.kernel) == (learner, opened)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(1, 40), digits=st.integers(0, 2), data=st.data())
def test_a_link_makes_the_run_once_more_or_there_is_none(seed, n, digits, data):
    X, y = points(n, digits, seed)
    order = data.draw(st.sampled_from(["cyclic", "shuffled", "random"]) | st.permutations(range(n)))
    epochs = data.draw(st.integers(1, 60))
    rows = order if isinstance(order, str) else np.tile(order, (epochs, 1))
    run = kpviz.train(
        Perceptron(), X, y, kernel=Gaussian(0.5), order=rows, epochs=epochs, seed=seed
    )
    try:
        link = run.link
    except ValueError as error:
        assert seed > 9999 or "one order" in str(error)  # noqa: PT017
    else:
        same(kpviz.load(link), run)


class Cauchy(kpviz.kernels.Kernel):
    def evaluate(self, X, Z):
        return 1 / (1 + ((X[:, None] - Z) ** 2).sum(axis=2))


MADE = {
    "xor": lambda: kpviz.make_dataset("xor", n_samples=200, noise=0.1, seed=0),
    "moons": lambda: kpviz.make_dataset("moons", 300, flipped=0.1, balance=0.3, seed=4),
    "iris": lambda: kpviz.make_dataset("iris"),
    "two columns of iris": lambda: kpviz.make_dataset("iris", features=(0, 1), classes=(0, 2)),
    "a stream": lambda: kpviz.make_stream("moons", 300, drift=0.3, seed=2),
}


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
@pytest.mark.parametrize(
    "kernel", [Gaussian(0.5), 2 * Gaussian(0.5), Gaussian(1.0) ** 2 + 1], ids=repr
)
def test_data_of_kpviz_have_a_link_that_names_them(make, kernel):
    X, y = make()
    run = kpviz.train(Norma(), X.copy(), y, kernel=kernel, epochs=1)
    assert "points" not in run.link
    same(kpviz.load(run.link), run)
    with pytest.raises(ValueError, match=r"round X by|at most 200"):
        _ = kpviz.train(Norma(), X[::-1] * 1.001, y, kernel=kernel, epochs=1).link


X, Y = points()
HALF = kpviz.train(Perceptron(), X, Y, epochs=1).state_at(10)
NO_LINK = {
    "a kernel of one's own": lambda: kpviz.train(Perceptron(), X, Y, kernel=lambda U, V: U @ V.T),
    "a kernel in two lines": lambda: kpviz.train(
        Perceptron(), X, Y, kernel=0.5 * Cauchy() ** 2 + 1
    ),
    "a learner of one's own": lambda: kpviz.train(type("Mine", (Perceptron,), {})(), X, Y),
    "a width with too many digits": lambda: kpviz.train(Perceptron(), X, Y, kernel=Gaussian(1 / 3)),
    "a width out of range": lambda: kpviz.train(Perceptron(), X, Y, kernel=Gaussian(1000.0)),
    "three features": lambda: kpviz.train(Perceptron(), np.c_[X, X[:, 0]], Y),
    "texts": lambda: kpviz.train(
        Perceptron(), ["a goal", "rice"], [1, -1], kernel=kpviz.kernels.WordSets()
    ),
    "a Gram matrix": lambda: kpviz.train(Perceptron(), X @ X.T, Y, kernel="precomputed"),
    "201 points": lambda: kpviz.train(Perceptron(), *points(201), epochs=1),
    "points beside the grid": lambda: kpviz.train(Perceptron(), *points(digits=12)),
    "a start": lambda: kpviz.train(Perceptron(), X, Y, start=HALF, epochs=1),
    "another order in each epoch": lambda: kpviz.train(
        Perceptron(), X, Y, order=[range(30), range(29, -1, -1)]
    ),
    "no end at a clean epoch": lambda: kpviz.train(
        Perceptron(), [[1.0, 0.0]], [1], epochs=9, stop_when_clean=False
    ),
    "2000 epochs": lambda: kpviz.train(Perceptron(), X, Y, epochs=2000),
}


FILMED = (
    "a kernel of one's own",
    "a learner of one's own",
    "three features",
    "texts",
    "another order in each epoch",
)


@pytest.mark.parametrize("name", NO_LINK)
def test_a_run_that_no_link_makes_says_why_and_has_its_page_and_its_film_all_the_same(
    name, tmp_path
):
    made = NO_LINK[name]()
    with pytest.raises(ValueError, match=r"^No link makes this run once more: [^\n]+[^.]\.$"):
        _ = made.link
    assert not hasattr(made, "link")  # nor do debuggers stumble over it
    page = made.page(tmp_path / "a.html", autoplay=False).read_text(encoding="utf-8")
    assert '<script type="module" id="player">' in page
    if name not in FILMED:  # a film, and the picture of a cell, know their run as the page does
        return
    frame = html.unescape(re.search(r'srcdoc="([^"]*)"', made._repr_html_())[1])
    packed = re.search(r'atob\("([^"]*)"\)', frame)[1]
    assert gzip.decompress(base64.b64decode(packed)).decode() == page
    path = made.film(
        tmp_path / "a.mp4", width=160, height=160, fps=24, last=1, speed=20, title=None
    )
    assert path.stat().st_size > 1000


def test_points_beside_the_grid_are_on_it_once_they_are_rounded_as_the_sentence_says():
    X, y = points(digits=12, seed=4)
    with pytest.raises(ValueError, match=r"X\.round\((\d)\)") as caught:
        kpviz.train(Perceptron(), X, y).link  # noqa: B018
    digits = int(re.search(r"round\((\d)\)", str(caught.value))[1])
    assert kpviz.train(Perceptron(), X.round(digits), y).link.startswith("?v=1&data=drawn")


@pytest.mark.parametrize(
    "what", ["a kernel of one's own", "a learner of one's own", "another order in each epoch"]
)
def test_points_are_to_be_rounded_only_where_nothing_else_is_in_the_way(what):
    made = NO_LINK[what]()
    X, y = points(digits=12)
    exact = kpviz.train(
        made.learner, X, y, kernel=made.kernel, order=made.index.reshape(-1, len(X))
    )
    with pytest.raises(ValueError, match=r"^No link makes this run once more: (?!.*round)"):
        _ = exact.link


def test_a_page_is_the_one_of_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    link = "data=circles&n=20&t=5"
    assert kpviz.load(link).page("ours.html", theme="dark") == tmp_path.joinpath(
        "ours.html"
    ).relative_to(tmp_path)
    command = [
        sys.executable,
        "-m",
        "kpviz",
        "render",
        link,
        "--out",
        "theirs.html",
        "--theme",
        "dark",
        "--quiet",
    ]
    subprocess.run(command, check=True)
    assert (tmp_path / "ours.html").read_text() == (tmp_path / "theirs.html").read_text()


def test_a_film_and_a_picture_show_what_the_link_shows_unless_they_are_told_otherwise(
    tmp_path, monkeypatch
):
    found = []
    monkeypatch.setattr(films, "save", lambda made, path: found.append(made))
    run = kpviz.load("data=circles&n=20&kernel=monomial&show=lift.norm&turn=40,10")
    run.film(tmp_path / "a.mp4", last=1)
    run.film(tmp_path / "a.mp4", last=1, panels=("alpha",), angles=None)
    assert [made.look.panels for made in found] == [("lift", "norm"), ("alpha",)]
    assert [made.look.angles for made in found] == [(40, 10), None]

    def drawn(*args, **choices):
        return save(run.plot(3, *args, **choices), "png")

    turned = drawn(panel="lift")
    assert drawn() == drawn(panels=("lift", "norm")) != drawn(panels=("norm",))
    assert turned != save(
        kpviz.load("data=circles&n=20&kernel=monomial&show=lift.norm").plot(3, panel="lift"), "png"
    )


def test_what_a_link_shows_and_a_picture_has_no_room_for_is_left_out():
    crowd = kpviz.load("data=circles&n=20&show=" + ".".join(panels.IN_LINKS))
    assert crowd.plot(3, size=(6, 4)).get_size_inches().tolist() == [6, 4]


@pytest.mark.parametrize(
    ("path", "choices", "why"),
    [
        ("a.gif", {}, r"^'a.gif' is not the name of a film: it must end in \.mp4\.$"),
        ("a.mp4", {"tempo": 3}, "tempo=3 is not a choice for a film"),
        ("a.mp4", {"last": 999}, "steps"),
        ("a.mp4", {"last": 2.5}, r"last=2\.5 is not a whole number"),
        ("a.mp4", {"panels": ["grma"]}, "panels='grma' is unknown"),
        ("a.mp4", {"angles": (1, 2, 3)}, r"angles=\(1, 2, 3\) .* two numbers"),
        ("a.mp4", {"title": 3}, "title=3 is not a text"),
        ("a.mp4", {"over": "zz"}, "over='zz' is unknown"),
        ("none/a.mp4", {}, r"none/a\.mp4' cannot be written: there is no folder '.*none'\.$"),
        (
            "a.html",
            {"tempo": 3},
            "tempo=3 is not a choice for a page: give some of theme, autoplay",
        ),
        ("a.html", {"theme": "blue"}, "theme is 'blue'"),
        ("none/a.html", {}, r"none/a\.html' cannot be written: there is no folder '.*none'\.$"),
        ("a.mp4.htm", {}, r"^'a.mp4.htm' is not the name of a page: it must end in \.html\.$"),
    ],
)
def test_what_cannot_be_made_is_refused_in_one_sentence(tmp_path, path, choices, why):
    run = kpviz.load("n=4")
    with pytest.raises(ValueError, match=why):
        (run.page if "htm" in path else run.film)(tmp_path / path, **choices)
    assert not list(tmp_path.iterdir())


def test_in_a_notebook_a_run_is_its_page_in_a_frame_of_its_own_at_rest_above_a_picture(tmp_path):
    run = kpviz.load("data=moons&n=20")
    cell = run._repr_html_()
    frame = re.search(
        r'<iframe title="[^"]+" sandbox="allow-scripts" srcdoc="([^"]+)" style="[^"]+"></iframe>',
        cell,
    )
    packed = re.search(r'atob\("([^"]+)"\)', html.unescape(frame[1]))
    page = gzip.decompress(base64.b64decode(packed[1])).decode()
    assert page == run.page(tmp_path / "a.html", autoplay=False).read_text(encoding="utf-8")
    picture = run._repr_png_()  # for what prints a notebook
    assert picture.startswith(b"\x89PNG")
    assert base64.b64encode(picture).decode() in cell
    assert len(picture) < 100_000
    assert len(cell) < 790_000


def test_what_is_too_large_for_a_cell_is_one_line_with_the_reason(monkeypatch):
    monkeypatch.setattr(notebook, "_LARGEST", 1000)
    shown = kpviz.load("n=10")._repr_html_()
    assert len(shown) < 500
    assert "run.page(path)" in shown
