"""The answer to a question: the run that Python makes of the link, whoever answers, and a sentence
for nonsense.
"""

import asyncio
import base64
import json
import re
import zlib

import numpy as np
import pytest
from apart import awaited
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from visitor import Page, ask, file_of, resolved

from kpviz import experiment
from kpviz.engine.data.drawn import Drawn
from kpviz.engine.fisher.data import SETS
from kpviz.lessons import comparison
from kpviz.player import fisher, payload
from kpviz.player.experiment import Experiment
from kpviz.server import pool
from kpviz.service import answer as answers
from kpviz.service import links, stored
from kpviz.service.caches import LruCache, forget
from kpviz.service.work import RunWork
from kpviz.settings import FILE, Settings
from kpviz.settings.fisher_link import FisherSettings

TABLE = "width,height,kind\n" + "".join(
    f"{7 * i % 40},{i * i % 17},{'ab'[i % 2]}\n" for i in range(40)
)


def encoded(given):
    split = experiment.prepare(given)
    return payload.encode(Experiment.of(given, split, experiment.run(given, split)))


def test_the_first_answer_is_the_run_of_the_link_and_where_to_open():
    header, data = ask({"n": 1, "link": "?v=1&sigma=0.25&t=7&show=alpha.code"})
    assert data == encoded(Settings.of(sigma=0.25))
    assert (header["n"], header["link"], header["notices"]) == (1, "v=1&sigma=0.25", [])
    assert header["view"] == {
        "t": 7,
        "show": ["alpha", "code"],
        "stage": None,
        "turn": None,
        "over": None,
    }
    assert header["runs"] == [{"id": "v=1&sigma=0.25", "size": len(data)}]


def test_panels_that_are_shown_get_what_they_ask_for():
    _, data = ask({"link": "v=1&n=20&show=bound.alpha"})
    assert payload.unpack(data)[0]["extras"].keys() == {"bound"}
    _, data = ask({"link": "v=1&n=20&show=bound", "asked": ["gram", "nothing", 3]})
    assert payload.unpack(data)[0]["extras"].keys() == {"gram"}
    _, data = ask({"link": "v=1&data=texts"})
    # The panel that is usual there.
    assert payload.unpack(data)[0]["extras"].keys() == {"remembered"}


def test_commands_lead_to_a_state_after_each_and_to_the_run_of_the_last():
    commands = [{"name": "redraw"}, {"name": "set", "value": {"sigma": 0.3}}, {"name": "nonsense"}]
    header, data = ask({"link": "v=1&n=20", "commands": commands})
    assert [step["link"] for step in header["steps"]] == [
        "v=1&n=20&seed=1",
        "v=1&n=20&seed=1&sigma=0.3",
        "v=1&n=20&seed=1&sigma=0.3",
    ]
    assert data == encoded(Settings.of(n=20, seed=1, sigma=0.3))
    assert [
        step["link"] for step in ask({"link": "v=1&n=20", "commands": commands[2:]})[0]["steps"]
    ] == ["v=1&n=20"]


def test_what_the_page_has_is_not_sent_again():
    header, _ = ask({"link": "v=1&n=20&pins=1&p1.kernel=linear"})
    ids = [run["id"] for run in header["runs"]]
    again, data = ask({"link": "v=1&n=20&pins=1&p1.kernel=linear", "have": ids[:1]})
    assert again["runs"][0]["size"] == 0
    assert len(data) == header["runs"][1]["size"]
    assert ask({"link": "v=1&n=20&pins=1&p1.kernel=linear", "have": ids})[1] == b""


def test_pinned_runs_come_after_the_current_one():
    header, data = ask({"link": "v=1&n=20&pins=1&p1.kernel=linear"})
    first = header["runs"][0]["size"]
    assert payload.unpack(data)[0]["extras"] == {}
    assert payload.unpack(data[first:])[0]["names"]["kernel"] == "Linear"
    assert header["pins"]["query"] == "pins=1&p1.kernel=linear"
    assert header["pins"]["names"] == comparison.names(*_pinned(header))


def _pinned(header):
    found = Page(header["link"]).state
    return found.pins, found.settings


@pytest.mark.parametrize(
    "link",
    [
        "nonsense=1",
        "sigma=wide",
        "v=9&sigma=1e9&data=<b>&zzz=`x`&more=1",
        "t=soon",
        "show=everything&t=-1&kernel=none",
        "data=file&file=",
        "pins=7",
    ],
)
def test_a_link_with_nonsense_opens_with_one_sentence_once(link):
    header, data = ask({"link": link})
    (notice,) = header["notices"]
    assert notice["words"].endswith(".")
    assert payload.unpack(data)[0]["n"]
    assert ask({"link": link, "shown": True})[0]["notices"] == []
    assert (
        ask({"link": "embed=true&embed_options=dark_theme"})[0]["notices"] == []
    )  # the server's own keys


@pytest.mark.parametrize(
    "question",
    [
        {},
        {
            "n": True,
            "link": 5,
            "commands": {"name": "redraw"},
            "asked": "gram",
            "have": {"v=1": 1},
            "bring": [],
        },
        {
            "n": "1",
            "link": None,
            "commands": [None, 3, "redraw", [], {}, {"name": ["redraw"]}, {"name": {}}],
        },
        {
            "link": "v=1",
            "origin": 7,
            "data": [],
            "drafts": {"formula": 3},
            "dock": [1],
            "page": 5,
            "live": "yes",
        },
        {"link": "&" * 10**6, "commands": [{"name": "nothing"}] * 1000},
        {"link": "v=1&data=file&file=a~b", "bring": {"a~b": {"name": "open", "value": None}}},
        {
            "link": "v=1&data=file&file=a~b",
            "bring": {"a~b": {"name": "paste", "value": {"text": "a,b\n1,2\n2,1\n"}}},
        },
        {
            "link": "v=1&data=drawn&points=~0123",
            "bring": {"~0123": {"name": "points", "value": "AAAA.A"}},
        },
    ],
)
def test_a_question_that_makes_no_sense_is_answered_with_what_can_be_shown(question):
    header, data = ask(question)
    assert payload.unpack(data)[0]["n"] == 60
    assert header["link"] == "v=1"
    json.dumps(header, allow_nan=False)


def test_of_very_many_commands_the_first_hundred_are_carried_out():
    for page in ("play", "fisher"):
        header, _ = ask({"link": "v=1", "page": page, "commands": [{"name": "redraw"}] * 1000})
        assert (header["link"], len(header["steps"])) == ("v=1&seed=100", 100)


def test_a_file_that_the_page_has_just_sent_is_not_sent_back_and_drawn_points_are_sent_once():
    name, value = file_of(TABLE)
    header, _ = ask(
        {"link": "v=1", "commands": [{"name": "redraw"}, {"name": name, "value": value}]}
    )
    assert list(header["store"].values()) == [{"command": 1}]
    page = Page()
    page.do(("points", many_points()))
    first, _ = ask({"link": page.state.link})
    assert first["store"] == {
        page.settings.stored_name: {"name": "points", "value": page.settings.points}
    }
    assert (
        ask({"link": page.state.link, "shown": True, "commands": [{"name": "wider"}]})[0]["store"]
        == {}
    )


def test_in_the_middle_of_a_gesture_a_run_comes_in_fewer_bytes_and_looks_the_same():
    question = {"n": 3, "link": "v=1&n=200&noise=0.2", "shown": True, "dock": ["kernel"]}
    exact, data = ask(question)
    whole = awaited(answers.answer({**question, "live": True}, compute))
    assert len(whole) < 60_000 < len(data)
    inflated = zlib.decompress(whole)
    assert awaited(answers.answer({**question, "live": True, "near": True}, compute)) == inflated
    live, _ = payload.unpack(inflated)
    assert live["dock"] == {**exact["dock"], "groups": {}}
    assert (live["facts"], exact["facts"]) == (None, [])  # they stay as they are
    left_out = {"dock": 0, "runs": 0, "id": 0, "facts": 0}
    assert {**live, **left_out} == {**exact, **left_out}
    assert live["id"] != exact["id"]
    rough, sent = payload.unpack(inflated[-live["runs"][0]["size"] :])
    same, wanted = payload.unpack(data)
    assert {**rough, "arrays": 0} == {**same, "arrays": 0}
    for name, array in wanted.items():
        np.testing.assert_allclose(
            sent[name], array, atol=float(np.abs(array).max(initial=0)) / 4000, rtol=0
        )


@pytest.mark.parametrize(("live", "times"), [(True, 2), (False, 1)])
def test_a_run_of_a_gesture_is_not_kept(live, times):
    computed = []

    async def counting(work):
        computed.append(work.id)
        return await compute(work)

    for _ in range(2):
        awaited(answers.answer({"n": 1, "link": "v=1&n=9&seed=77", "live": live}, counting))
    assert len(computed) == times


def test_in_a_gesture_the_similarities_of_a_narrow_kernel_are_rounded_as_all_others_are():
    link = "v=1&data=blobs&n=200&noise=0.4&flipped=0.05&sigma=0.2"
    exact, rough = (
        answers.works({"live": live}, resolved({"link": link})[1][-1])[0].compute()
        for live in (False, True)
    )
    (_, whole), (header, sent) = payload.unpack(exact), payload.unpack(rough)
    assert whole["gramPairs"].dtype == np.float64  # in single precision some would be 0
    types = {entry["name"]: entry["type"] for entry in header["arrays"]}
    assert types["gramPairs"] == types["gramRest"] == "int16"
    np.testing.assert_allclose(sent["gramRest"], whole["gramRest"], atol=1 / 4000, rtol=0)


async def compute(work):
    return work.compute()


# ---- runs that fail ------------------------------------------------------------------------------


@pytest.fixture
def refuse(monkeypatch):
    """A function that lets the runs of some kernels be refused; no run of any other is made."""

    def refuse(*refused):
        async def compute(work):
            if work.settings.kernel in refused:
                raise ValueError("This kernel grows too large to be drawn.")
            return b"run"

        monkeypatch.setattr("visitor._compute", compute)
        forget()

    yield refuse
    forget()


def test_a_run_that_cannot_be_shown_leaves_the_page_with_what_it_shows(refuse):
    refuse("linear")
    question = {
        "n": 4,
        "link": "v=1",
        "shown": True,
        "commands": [{"name": "set", "value": {"kernel": "linear"}}],
    }
    header, _ = ask(question)
    assert (header["n"], header["failed"]) == (4, "This kernel grows too large to be drawn.")


@pytest.mark.parametrize(
    ("data", "formula", "why"),
    [
        ("", "log(dot(u, v))", "log takes numbers above 0"),
        (
            "",
            "log(dot(u, v) + 2.05)",
            "log takes numbers above 0",
        ),  # at the corners of the map alone
        ("&data=bits", "log(dot(u, v))", "log takes numbers above 0"),
        ("", "1/(norm(u - v) + 1e-300)", "Its run cannot be shown"),
    ],
)
def test_a_formula_that_has_no_run_on_these_data_stays_in_its_field_with_the_reason(
    data, formula, why
):
    link = f"v=1{data}&kernel=formula"
    typed = [{"name": "redraw"}, {"name": "type", "value": {"name": "formula", "text": formula}}]
    question = {"link": link, "shown": True, "dock": ["kernel"]}
    header, _ = ask({**question, "commands": typed})
    assert header["drafts"] == {"formula": formula}
    assert [step["link"] for step in header["steps"]] == [header["link"]] * 2 != [link] * 2
    (field,) = [
        each for each in header["dock"]["groups"]["kernel"] if each.get("name") == "formula"
    ]
    assert (field["draft"]["text"], field["draft"]["at"]) == (formula, None)
    assert why in field["draft"]["why"]
    assert (
        re.search(r"(?<![\w)])-[0-9]", field["draft"]["why"]) is None
    )  # the sign of a number is no hyphen
    assert [each["words"] for each in header["notices"]] == [
        each
        for each in (
            "These numbers are too large to be drawn: let the features be scaled, or use another "
            "kernel.",
        )
        if "run" in why
    ]
    again, _ = ask({**question, "link": header["link"], "drafts": header["drafts"]})
    assert again["dock"] == header["dock"]


def test_a_link_whose_run_cannot_be_shown_opens_without_pins_or_with_another_kernel(refuse):
    refuse("linear")
    header, data = ask({"link": "v=1&pins=1&p1.kernel=linear"})
    assert (header["link"], data) == ("v=1", b"run")
    assert header["notices"][0]["words"].endswith("The pinned runs are left out.")
    header, _ = ask({"link": "v=1&n=20&kernel=linear"})
    assert header["link"] == "v=1&n=20"
    assert "takes its place" in header["notices"][0]["words"]
    refuse("linear", "gaussian")
    assert ask({"link": "v=1&kernel=linear"})[0]["failed"].endswith(".")


def test_a_link_with_a_formula_that_has_no_run_says_why_with_minus_signs():
    (notice,) = ask({"link": "v=1&kernel=formula&formula=log(dot(u,v))"})[0]["notices"]
    assert "u = (−0.9228, 0.1671)" in notice["words"]


# ---- what no link can hold -----------------------------------------------------------------------


def test_a_server_that_does_not_know_a_file_asks_for_it_and_goes_on():
    page = Page()
    page.do(file_of(TABLE))
    question = {"n": 5, "link": page.state.link, "shown": True}
    _, data = ask(question)
    forget()
    header, _ = ask(question)
    (name,) = header["needs"]
    assert (header["n"], name) == (5, page.settings.file)
    assert ask({**question, "bring": {name: page.storage[name]}})[1] == data
    forget()
    header, _ = ask({**question, "shown": False, "bring": {name: None}})
    assert header["link"] == "v=1"
    assert "open the file again" in header["notices"][0]["words"]


# ---- laws ----------------------------------------------------------------------------------------


def many_points():
    draw = np.random.default_rng(0)
    return {"code": Drawn.of(draw.uniform(-1.0, 1.0, (300, 2)), draw.choice([-1.0, 1.0], 300)).code}


COMMANDS = [
    "redraw",
    "kernel",
    "wider",
    "pin",
    "unpin",
    "original",
    ("set", {"sigma": 0.3}),
    ("set", {"data": "circles", "n": 30}),
    ("set", {"noise": 0.1}),
    ("set", {"kernel": "formula"}),
    ("type", {"name": "formula", "text": "dot(u, v"}),
    ("compare", {"name": "svm"}),
    file_of(TABLE),
    ("paste", {"text": TABLE}),
    "draw",
    "many",
]


@given(st.lists(st.sampled_from(COMMANDS), min_size=1, max_size=7), st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_commands_give_the_same_whether_one_server_answers_or_each_another_one(given, data):
    given = [("points", many_points()) if each == "many" else each for each in given]
    one, many = Page("v=1&n=20&epochs=3"), Page("v=1&n=20&epochs=3")
    for each in given:
        one.do(each)
    left = list(given)
    while left:
        forget()
        named = many.settings.file if many.settings.data == FILE else many.settings.stored_name
        assert stored.missing(links.pairs(many.state.link)) == named  # this one has nothing yet
        together = data.draw(st.integers(1, len(left)))  # answered at once
        many.do(*left[:together])
        left = left[together:]
    assert (many.place, dict(many.state.drafts)) == (one.place, dict(one.state.drafts))
    first, second = (answers.works({"asked": []}, page.state) for page in (one, many))
    assert [each.compute() for each in first if not each.extra_names] == [
        each.compute() for each in second if not each.extra_names
    ]


# ---- Fisher’s page -------------------------------------------------------------------------------


def asked(link, *commands, **more):
    return ask({"n": 3, "page": "fisher", "link": link, "commands": list(commands), **more})


@pytest.mark.parametrize(
    ("commands", "expected"),
    [
        *(([{"name": "set", "value": {"data": name}}], {"data": name}) for name in SETS),
        ([{"name": "redraw"}, {"name": "redraw"}], {"seed": 2}),
        ([{"name": "data"}], {"data": list(SETS)[1]}),
        ([{"name": "data"}] * len(SETS), {}),
        ([{"name": "set", "value": 5}, {"name": "nothing"}, None, 7, {"name": ["data"]}], {}),
        (
            [
                {
                    "name": "set",
                    "value": {"noise": "loud", "n": None, "other": 1, "self": 2, "cls": 3, 3: 4},
                }
            ],
            {},
        ),
    ],
)
def test_commands_change_the_settings(commands, expected):
    header, data = asked("v=1", *commands)
    made = FisherSettings.of(**expected)
    assert (header["n"], header["link"], header["notices"]) == (3, made.query(), [])
    assert data == fisher.encode(made)
    assert len(header["steps"]) == len(commands)
    assert (
        asked(made.query(), have=[header["runs"][0]["id"]])[1] == b""
    )  # what the page has is not sent again


def test_a_link_says_where_to_open_and_nonsense_in_it_is_told_once():
    header, _ = asked("v=1&angle=best&threshold=0.5")
    assert (header["angle"], header["threshold"]) == ("best", 0.5)
    header, _ = asked("v=1&angle=wide&colour=red")
    assert "angle=wide" in header["notices"][0]["words"]
    assert asked("v=1&angle=wide", shown=True)[0]["notices"] == []


def test_a_table_is_read_anew_as_the_settings_say_and_what_was_chosen_is_offered_the_other_way():
    text = "state\tactive\treserve\tgrew\nOhio\t12,345\t1,247\tyes\nIowa\t950\t310\tno\n"
    opened, _ = ask({"link": "v=1", "commands": [{"name": "paste", "value": {"text": text}}]})
    (fact,) = [fact for fact in opened["facts"] if fact["topic"].endswith(" decimal")]
    assert (fact["kind"], fact["words"]) == ("fact", "12,345 is read as 12345.")
    (action,) = fact["actions"]
    assert action == {"label": "Read it as 12.345", "changes": {"decimals": "comma"}}
    other, _ = ask(
        {"link": opened["link"], "commands": [{"name": "set", "value": action["changes"]}]}
    )
    assert "decimals=comma" in other["link"]
    (fact,) = [fact for fact in other["facts"] if fact["topic"].endswith(" decimal")]
    assert fact["words"] == "12,345 is read as 12.345."
    assert fact["actions"] == [{"label": "Read it as 12345", "changes": {"decimals": "point"}}]
    away, _ = ask({"link": other["link"], "commands": [{"name": "set", "value": {"data": "xor"}}]})
    assert away["facts"] == []


def test_an_encoding_in_which_a_file_is_not_written_is_refused_in_a_sentence():
    words = "рост,вес,пол\n170,65,муж\n158,50,жен\n".encode("cp1251")
    value = {"name": "people.csv", "data": base64.b64encode(words).decode()}
    opened, _ = ask({"link": "v=1", "commands": [{"name": "open", "value": value}]})
    assert [fact["words"] for fact in opened["facts"] if fact.get("menu")] == [
        "Read as Windows-1251."
    ]
    refused, _ = ask(
        {"link": opened["link"], "commands": [{"name": "set", "value": {"encoding": "UTF-8"}}]}
    )
    assert (refused["link"], [notice["words"] for notice in refused["notices"]]) == (
        opened["link"],
        ["'people.csv' is not UTF-8 in line 1: choose another encoding."],
    )


@pytest.mark.parametrize(
    ("values", "asked", "is_short"),
    [
        ({}, {"bound", "gram"}, True),
        ({"n": 200}, set(), True),
        ({"kernel": "formula"}, {"gram"}, True),
        ({"n": 900, "epochs": 1}, {"bound"}, False),
        ({"n": 900, "epochs": 1}, {"proof"}, False),
        (
            {
                "n": 400,
                "epochs": 1,
                "kernel": "formula",
                "formula": "+".join(["normalized(exp(dot(u,v)))"] * 8),
            },
            set(),
            False,
        ),
        ({"n": 900, "epochs": 1, "kernel": "mixture", "components": 8}, set(), False),
    ],
)
def test_what_takes_seconds_leaves_the_worker_for_short_jobs_free(values, asked, is_short):
    assert (RunWork.of(Settings.of(**values), asked).seconds < pool.SHORT) == is_short


def test_a_formula_of_values_that_are_too_large_is_refused_without_a_warning():
    formula = "(((dot(u,v)/.82%2B.01)**7)**7)**14"
    header, _ = ask({"link": f"v=1&n=120&held=0.3&learner=pa&kernel=formula&formula={formula}"})
    assert "scores or coefficients that are infinite or NaN" in header["notices"][0]["words"]


def test_two_who_open_large_files_at_once_both_see_their_own(monkeypatch):
    """There is room for one table only, and each is read before the other is looked up."""
    monkeypatch.setattr(stored, "_tables", LruCache(1, 1, lambda table: table.nbytes))
    texts = [TABLE, TABLE.replace("width", "length")]
    n_read = 0

    async def compute(work):
        nonlocal n_read
        made = work.compute()
        if isinstance(work, stored.FileWork):
            n_read += 1
            while n_read < len(texts):
                await asyncio.sleep(0)
        await asyncio.sleep(0.01)
        return made

    def opening(text):
        name, value = file_of(text)
        return {"link": "v=1", "commands": [{"name": name, "value": value}], "dock": ["data"]}

    async def both():
        return await asyncio.gather(*(answers.answer(opening(text), compute) for text in texts))

    for whole, column in zip(awaited(both()), ("width", "length"), strict=True):
        header, _ = payload.unpack(whole)
        assert header.get("failed", header.get("needs")) is None
        assert header["notices"] == []
        assert "data=file" in header["link"]
        assert f'"{column}"' in json.dumps(header["dock"])
