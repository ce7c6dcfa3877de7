"""Curves over a setting: each number is that of a run made by itself, wherever it was computed."""

import csv
import io
import math
import pickle
import re
import warnings

import joblib
import numpy as np
import pandas
import pytest

import kpviz
from kpviz import cli, experiment
from kpviz.lessons import sweep as sweeps
from kpviz.settings import BY_NAME, Settings

LINK = "data=moons&n=40&held=0.25&noise=0.2&epochs=6&order=shuffled"


def trained(link, name, value, seed=0, predictor="last"):
    """The numbers of one run, by the public names alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nothing of the link may be replaced
        run = kpviz.load(f"{link}&{name}={value:g}&seed={seed}&oseed={seed}")
    split = run.split
    again = kpviz.train(
        run.learner, split.X, split.y, kernel=run.kernel, order=run.order, epochs=6, seed=seed
    )
    errors = []
    for X, y in ((split.X, split.y), (split.X_test, split.y_test)):
        scores = again.decision_function(X, predictor=predictor)
        errors.append(np.mean(scores * y <= 0) if len(y) else math.nan)
    end = again.state_at(again.n_steps)
    return (
        value, seed, again.mistake.sum(), again.n_epochs, again.end, again.converged, len(end.support), *errors
    )  # fmt: skip


def rows(sweep):
    return [tuple(getattr(point, name) for name in sweeps.COLUMNS) for point in sweep]


@pytest.mark.parametrize(
    ("link", "name", "values"),
    [
        (LINK, "sigma", [0.05, 0.5, 5.0]),
        (LINK, "n", [12, 33, 40]),
        (LINK, "held", [0.1, 0.3]),
        (f"{LINK}&learner=forgetron", "budget", [3, 10, 50]),
        (f"{LINK}&learner=norma&kernel=polynomial&coef0=2", "degree", [1, 2, 3]),
        (f"{LINK}&learner=norma", "eta", [0.1, 0.5]),
    ],
)
def test_each_point_is_the_run_of_the_same_settings(link, name, values):
    found = kpviz.sweep(link, name, values, seeds=2)
    assert rows(found) == [trained(link, name, value, seed) for value in values for seed in (0, 1)]


def test_without_values_the_range_is_swept_and_the_one_that_is_set():
    found = kpviz.sweep(f"{LINK}&sigma=0.777", "sigma").table["value"].tolist()
    assert found == sorted([*sweeps.values_of(Settings.of(), "sigma"), 0.777])


@pytest.mark.parametrize(
    ("sigma", "missing"), [(0.5, {0.494}), (0.39, {0.405}), (0.45, set()), (0.0201, set())]
)
def test_a_value_that_is_set_close_beside_another_takes_its_place_unless_that_is_an_end(
    sigma, missing
):
    values = sweeps.values_of(Settings.of(), "sigma")
    found = sweeps.checked(Settings.of(sigma=sigma), "sigma", None)
    assert found == sorted({*values, sigma} - missing)


def test_the_predictor_of_the_link_is_read():
    found = kpviz.sweep(f"{LINK}&predictor=averaged", "sigma", [0.2, 1.0])
    expected = [trained(LINK, "sigma", value, predictor="averaged") for value in (0.2, 1.0)]
    assert [row[-2:] for row in rows(found)] == [row[-2:] for row in expected]


def test_processes_and_a_cluster_of_dask_give_the_same_numbers():
    here = kpviz.sweep(LINK, "sigma", seeds=2)
    assert rows(kpviz.sweep(LINK, "sigma", seeds=2, n_jobs=2)) == rows(here)
    distributed = pytest.importorskip("distributed")
    with (
        distributed.Client(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
        ) as client,
        joblib.parallel_config(backend="dask"),
    ):
        assert rows(kpviz.sweep(LINK, "sigma", seeds=2)) == rows(here)
        assert client.cluster.scheduler.transition_log  # they were computed there


def test_pandas_reads_the_points_and_the_columns():
    found = kpviz.sweep(LINK, "sigma", [0.1, 1.0], seeds=3)
    frame = pandas.DataFrame(found)
    assert list(frame) == list(sweeps.COLUMNS)
    assert len(frame) == len(found) == 6
    pandas.testing.assert_frame_equal(frame, pandas.DataFrame(found.table))
    means = frame.groupby("value")[list(sweeps.MEASURES)].mean().reset_index()
    pandas.testing.assert_frame_equal(means, pandas.DataFrame(found.means))


def test_where_nothing_is_held_out_there_is_no_error_on_it():
    found = kpviz.sweep("data=xor", "sigma", [0.5])
    assert np.isnan(found.table["test_error"]).all()
    assert np.isnan(found.means["test_error"]).all()
    assert found.table["train_error"].tolist() == [0.0]


def test_it_is_frozen_is_one_line_and_can_be_sent():
    found = kpviz.sweep("data=xor&held=0.2", "sigma", [0.5, 1.0])
    assert repr(found) == "<Sweep of sigma from 0.5 to 1: 2 values, seeds: 1>"
    assert pickle.loads(pickle.dumps(found)) == found
    with pytest.raises(AttributeError):
        found.name = "n"


@pytest.mark.parametrize(
    "name", [*sweeps.names(Settings.of()), "degree", "coef0", "bits", "budget", "C", "drift", "nu"]
)
def test_values_of_its_own_are_allowed_and_fill_the_range(name):
    needs = {
        "degree": {"kernel": "monomial"}, "coef0": {"kernel": "sigmoid"}, "bits": {"data": "bits"},
        "budget": {"learner": "oldest"}, "C": {"learner": "svm"}, "drift": {"stream": "on"}, "nu": {"learner": "norma"},
    }  # fmt: skip
    settings = Settings.of(**needs.get(name, {}))
    values = sweeps.values_of(settings, name)
    limits = BY_NAME[name].range_for(settings.values)
    assert values[0] == limits.low
    assert values[-1] == limits.high
    assert values == sorted(set(values))
    assert len(values) <= 51
    assert all(settings.replace(**{name: value}).values[name] == value for value in values)
    if not limits.integer:
        assert len(values) > 10
    if limits.log and not limits.integer:
        assert np.ptp(np.diff(np.log(values))) < 0.05


def test_seeds_follow_the_one_that_is_set_and_begin_anew():
    assert kpviz.sweep(f"{LINK}&seed=9999", "sigma", [1], seeds=3).table["seed"].tolist() == [
        9999,
        0,
        1,
    ]
    drawn = experiment.drawn(Settings.of(n=6), experiment.prepare(Settings.of(n=6)))
    own = Settings.of(data="drawn", points=drawn.code, order="shuffled", oseed=7)
    assert kpviz.sweep(own, "sigma", [1], seeds=2).table["seed"].tolist() == [7, 8]


def test_a_run_and_a_file_are_swept_as_well(tmp_path):
    run = kpviz.load("data=circles&n=20")
    assert rows(kpviz.sweep(run, "sigma", [0.3])) == rows(
        kpviz.sweep("data=circles&n=20", "sigma", [0.3])
    )
    path = tmp_path / "flowers.csv"
    path.write_text("a,b,kind\n" + "\n".join(f"{k},{k * k % 7},{'xy'[k % 2]}" for k in range(20)))
    assert kpviz.load(path).mistake.sum() == kpviz.sweep(path, "sigma", [0.5]).table["mistakes"]


@pytest.mark.parametrize(
    ("source", "arguments", "seeds", "why"),
    [
        ("data=xor", ("sgima",), 1, "did you mean 'sigma'"),
        ("data=xor", ("kernel",), 1, "not a number to turn: give one of n, noise"),
        ("data=xor", ("degree",), 1, "does not apply, because Gaussian has no q"),
        ("data=xor", ("sigma", [99]), 1, "sigma=99 is outside 0.02 to 10"),
        ("data=xor", ("sigma", ["wide"]), 1, "sigma='wide' is not a number"),
        ("data=xor", ("sigma", [math.nan]), 1, "sigma=nan is out of range"),
        ("data=xor", ("n", [4.5]), 1, "n=4.5 is not a whole number"),
        ("data=xor", ("sigma", []), 1, "values is empty"),
        ("data=xor", ("seed", [1, 2]), 2, "nothing here is drawn by a seed"),
        (Settings.of(data="drawn"), ("sigma",), 1, "draw some in the app"),
        *(("data=xor", ("sigma",), seeds, f"seeds={seeds}") for seeds in (0, 1001, 2.5, True)),
    ],
)
def test_what_cannot_be_swept_is_refused_in_one_sentence(source, arguments, seeds, why):
    with pytest.raises(ValueError, match=re.escape(why)) as error:
        kpviz.sweep(source, *arguments, seeds=seeds)
    assert re.fullmatch(r"[^\n]+[.?]", str(error.value))


def test_a_seed_is_swept_without_others():
    assert len(kpviz.sweep("data=xor", "seed", [1, 2])) == 2


def test_a_bar_shows_how_far_it_is_if_it_is_wanted(capsys):
    kpviz.sweep("data=xor", "sigma", [0.5, 1.0])
    assert capsys.readouterr().err == ""  # no terminal
    kpviz.sweep("data=xor", "sigma", [0.5, 1.0], progress=True)
    assert "sigma: " in capsys.readouterr().err


def test_the_command_line_writes_the_same_table(capsys, tmp_path):
    command = [
        "sweep",
        LINK,
        "sigma",
        "--values",
        "0.05,0.5,5",
        "--seeds",
        "2",
        "--set",
        "predictor=averaged",
    ]
    assert cli.main(command) == 0
    printed = capsys.readouterr().out
    found = kpviz.sweep(f"{LINK}&predictor=averaged", "sigma", [0.05, 0.5, 5], seeds=2)
    pandas.testing.assert_frame_equal(
        pandas.read_csv(io.StringIO(printed)), pandas.DataFrame(found)
    )
    assert cli.main([*command, "--jobs", "2", "--out", str(tmp_path / "a.csv")]) == 0
    assert (tmp_path / "a.csv").read_text(encoding="utf-8") == printed


def test_the_command_line_leaves_out_what_there_is_none_of_and_refuses_in_one_line(capsys):
    assert cli.main(["sweep", "data=xor", "n", "--values", "8"]) == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["value"], row["test_error"]) == ("8", "")
    assert cli.main(["sweep", "data=xor", "degree"]) == 1
    assert (
        capsys.readouterr().err
        == "kpviz: name='degree' does not apply, because Gaussian has no q.\n"
    )
    with pytest.raises(SystemExit):
        cli.main(["sweep", "data=xor", "sigma", "--values", "1,x"])
    assert "'1,x' are not numbers" in capsys.readouterr().err
