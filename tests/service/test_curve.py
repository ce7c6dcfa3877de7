"""The curve over a setting, as a page asks for it: its points are runs made by themselves."""

import asyncio
import math

import pytest
from apart import awaited
from visitor import ask

import kpviz
from kpviz import experiment
from kpviz.player import curve, payload
from kpviz.service import answer as answers
from kpviz.service import curve as service
from kpviz.service.caches import forget
from kpviz.settings import Settings, from_query

LINK = "v=1&data=moons&n=30&noise=0.2&held=0.3&epochs=4&order=shuffled"


def asked(link=LINK, name=None, seeds=1, **more):
    header, _ = ask(
        {"n": 7, "link": link, "shown": True, "curve": {"name": name, "seeds": seeds}, **more}
    )
    assert header["n"] == 7
    return header["curve"]


def errors(run):
    split = run.split
    pairs = ((split.X, split.y), (split.X_test, split.y_test))
    return [float((run.decision_function(X) * y <= 0).mean()) if len(y) else None for X, y in pairs]


@pytest.mark.parametrize("name", ["sigma", "noise", "held", "n", "epochs"])
def test_each_point_of_a_curve_is_the_run_of_a_link(name):
    found = asked(name=name)
    assert found["name"] == name
    assert 9 < len(found["values"]) < 52
    for k, value in enumerate(found["values"]):
        run = kpviz.load(f"{LINK}&{name}={value:g}")
        again = kpviz.train(
            run.learner,
            run.X,
            run.y,
            kernel=run.kernel,
            order=run.order,
            epochs=int(run.input.settings.epochs),
        )
        assert found["mistakes"][k] == again.mistake.sum() == run.mistake.sum()
        assert found["support"][k] == len(again.state_at(again.n_steps).support)
        assert [found["train"][k], found["test"][k]] == errors(run)


def test_a_mean_is_that_of_the_seed_that_is_set_and_the_next_ones():
    found = asked(f"{LINK}&seed=9998", "sigma", 5)
    assert found["seeds"] == 5
    runs = [kpviz.load(f"{LINK}&sigma=10&seed={(9998 + k) % 10_000}&oseed={k}") for k in range(5)]
    assert found["mistakes"][-1] == pytest.approx(sum(int(run.mistake.sum()) for run in runs) / 5)
    assert found["test"][-1] == pytest.approx(sum(errors(run)[1] for run in runs) / 5)


@pytest.mark.parametrize(
    ("link", "name"),
    [
        ("v=1", "sigma"),
        ("kernel=polynomial", "degree"),
        ("kernel=linear&learner=forgetron", "budget"),
        ("kernel=linear", "n"),
        ("data=bits", "bits"),
        ("data=texts&kernel=spectrum", "length"),
        ("data=drawn&points=", "sigma"),
    ],
)
def test_by_default_it_is_over_what_the_kernel_or_the_learner_has(link, name):
    assert curve.choices(from_query(link)[0])[0] == name


def test_where_nothing_is_drawn_by_a_seed_there_is_no_mean():
    settings = kpviz.load("n=6").input.settings
    drawn = experiment.drawn(settings, experiment.prepare(settings))
    found = asked(Settings.of(data="drawn", points=drawn.code).query(), "sigma", 5)
    assert (found["seeds"], found["most"]) == (1, 1)


def answered(pack, link, name, seeds=1):
    question = {"link": link, "curve": {"name": name, "seeds": seeds}}
    return payload.unpack(awaited(answers.answer(question, pack)))[0]


def test_its_own_property_may_have_any_value_and_the_curve_is_computed_once():
    forget()
    done = []

    async def pack(work):
        done.append(work.id)
        return work.compute()

    first = answered(pack, "v=1&n=9&sigma=3", "sigma")
    assert answered(pack, "v=1&n=9", None) == answered(pack, "v=1&n=9&sigma=0.2", "sigma") == first
    assert len(done) == len(first["curve"]["values"])
    for link, name, seeds in (
        ("v=1&n=10", "sigma", 1),
        ("v=1&n=9", "n", 1),
        ("v=1&n=9", "sigma", 5),
    ):
        before = len(done)
        assert len(answered(pack, link, name, seeds)["curve"]["values"]) == len(done) - before > 20
    assert len(done) == len(set(done))


def test_what_one_run_refuses_is_said_once_and_cancels_the_others():
    cancelled = []

    async def pack(work):
        if work.value > 5:
            raise ValueError("This takes too long.")
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(work.value)
            raise

    header = answered(pack, "v=1&n=11", "sigma")
    assert header["failed"] == "This takes too long."
    assert len(cancelled) > 20


def test_a_run_never_waits_for_its_curve():
    _, data = ask({"link": "v=1&n=20&show=curve.bound"})
    assert payload.unpack(data)[0]["extras"].keys() == {"bound"}


def test_a_curve_of_a_file_is_that_of_its_rows():
    table = "a,b,kind\n" + "\n".join(f"{k},{k * k % 7},{'xy'[k % 2]}" for k in range(20))
    forget()
    header, _ = ask({"link": "v=1", "commands": [{"name": "paste", "value": {"text": table}}]})
    found = asked(header["link"], "sigma")
    assert header["link"].startswith("v=1&data=file")
    assert len(found["values"]) > 20
    assert all(math.isfinite(count) for count in found["mistakes"])
    forget()
    needs, _ = ask({"link": header["link"], "shown": True, "curve": {"name": None, "seeds": 1}})
    assert needs["needs"]


def test_where_there_is_nothing_to_learn_from_a_sentence_says_so():
    header, _ = ask(
        {
            "n": 2,
            "link": "v=1&data=drawn&points=",
            "shown": True,
            "curve": {"name": None, "seeds": 1},
        }
    )
    assert header.keys() - {"arrays"} == {"n", "failed"}
    assert header["failed"].endswith(".")


@pytest.mark.parametrize(
    "nonsense", [None, 3, "sigma", [], {"name": [], "seeds": "5"}, {"seeds": 10**9}]
)
def test_a_curve_that_makes_no_sense_is_the_default_one(nonsense):
    header, _ = ask({"link": "v=1&n=8&epochs=2", "curve": nonsense})
    assert header["curve"]["name"] == "sigma"
    assert header["curve"]["seeds"] == 1


def test_work_that_is_cancelled_ends_at_the_next_run():
    told = []

    def progress(done, limit):
        told.append((done, limit))
        if done == 2:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        service.PointWork(Settings.of(n=8), "sigma", 0.5, 5, 1.0).compute(progress)
    assert told == [(1, 5), (2, 5)]
