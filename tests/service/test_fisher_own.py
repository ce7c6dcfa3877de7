"""Fisher's page with data of one's own: tables that are pasted or opened, points that were drawn or
are typed.
"""

import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose
from visitor import ask, file_of

from kpviz.engine.data import datasets
from kpviz.engine.data.drawn import Drawn
from kpviz.engine.fisher import data as measured
from kpviz.export import settings_file
from kpviz.player import payload
from kpviz.service import stored
from kpviz.settings import BY_NAME, DRAWN, FILE, Settings

TEN = "x1\tx2\tclass\n4\t1\tA\n2\t4\tA\n2\t3\tA\n3\t6\tA\n4\t4\tA\n9\t10\tB\n6\t8\tB\n9\t5\tB\n8\t7\tB\n10\t8\tB\n"
FOUR_KINDS = "a,b,c,kind\n" + "".join(
    f"{i % 7 + 2 * k},{i * 3 % 5 + k},{i * 2 % 9 - k},{'uvwz'[k]}\n"
    for i in range(12)
    for k in range(4)
    if (i, k) != (3, 3)
)


class FisherPage:
    """What a browser keeps of the page."""

    def __init__(self, link="v=1"):
        self.kept = {}
        self.link = link
        self.do()

    def do(self, *commands, **more):
        entries = [{"name": name, "value": value} for name, value in commands]
        question = {
            "page": "fisher",
            "n": 1,
            "link": self.link,
            "commands": entries,
            "dock": ["data"],
            **more,
        }
        header, data = ask(question)
        if "needs" in header:
            brought = {name: self.kept.get(name) for name in header["needs"]}
            header, data = ask({**question, "bring": brought})
        for name, record in header["store"].items():
            self.kept[name] = entries[record["command"]] if "command" in record else record
        self.header = header
        self.link = header["link"]
        self.shown, self.arrays = payload.unpack(data)
        self.said = [notice["words"] for notice in header["notices"]]
        return self

    @property
    def facts(self):
        return [fact["words"] for fact in self.header["facts"]]


def fields_of(header):
    found = {}
    pending = list(header["dock"]["groups"]["data"])
    while pending:
        field = pending.pop()
        pending += field.get("fields", [])
        found[field.get("key") or field.get("name") or field.get("command") or field["kind"]] = (
            field
        )
    return found


@pytest.mark.parametrize(
    "command", [("paste", {"text": TEN}), file_of(TEN, "ten.tsv")], ids=["pasted", "opened"]
)
def test_a_table_of_two_classes_is_shown_in_its_own_units(command):
    page = FisherPage().do(command)
    assert page.said == page.facts == []
    assert_allclose(page.arrays["SW"].reshape(2, 2), [[13.2, -2.2], [-2.2, 26.4]], rtol=1e-6)
    assert_allclose(page.arrays["criterion"], [7.8284, 0], atol=1e-4)
    assert page.shown["names"]["features"] == ["feature 1", "feature 2"]
    assert page.shown["names"]["classes"] == ["A", "B"]
    assert page.arrays["lines"].tolist() == list(range(2, 12))
    assert_allclose(page.arrays["X"].reshape(-1, 2)[0], [4, 1])


def test_the_browser_brings_a_table_that_the_server_has_lost():
    page = FisherPage().do(("paste", {"text": TEN}))
    before = page.arrays["X"].tolist()
    stored._tables.clear()
    page.do()
    assert page.arrays["X"].tolist() == before
    stored._tables.clear()
    lost, _ = ask({"page": "fisher", "link": page.link, "bring": {stored_name(page.link): None}})
    assert lost["link"] == "v=1"
    assert "is not here: open it again" in lost["notices"][0]["words"]


def stored_name(link):
    from urllib.parse import parse_qs

    return parse_qs(link)["file"][0]


def test_three_of_many_classes_are_shown_or_two_with_two_features():
    page = FisherPage().do(("paste", {"text": FOUR_KINDS}))
    assert page.shown["many"] is True
    assert (page.shown["names"]["classes"], len(page.arrays["criterion"])) == (["u", "v", "w"], 3)
    assert page.facts == ["Rows of other classes ('z') left out: 11."]
    assert "standardized" in page.shown["notes"]["scaling"]
    assert {"kinds", "label"} <= fields_of(page.header).keys()
    page.do(("set", {"kinds": "two"}))
    assert page.shown["many"] is False
    assert fields_of(page.header)["x1"]["value"] == "a"
    page.do(("columns", {"x1": "c"}))
    assert page.shown["names"]["features"][0] == "c"


def test_large_numbers_are_scaled_with_one_button_either_way():
    page = FisherPage().do(("paste", {"text": TEN.replace("10\t8", "100\t8")}))
    (fact,) = page.header["facts"]
    assert fact["words"] == "Features are scaled to ±1: S_W, S_B and F are of scaled values."
    assert (page.shown["names"]["scaled"], page.shown["names"]["highs"]) == (True, [100.0, 10.0])
    assert abs(page.arrays["X"]).max() == 1
    page.do(("set", fact["actions"][0]["changes"]))
    assert page.arrays["X"].max() == 100
    (back,) = page.header["facts"]
    page.do(("set", back["actions"][0]["changes"]))
    assert page.facts == [fact["words"]]


def test_points_that_were_drawn_come_by_their_link_and_more_can_be_typed():
    drawn = Drawn.of(
        np.array([[0.0, 0.5], [0.5, -0.5], [1.0, 0.0], [-1.0, 0.25]]),
        np.array([1.0, -1.0, 1.0, -1.0]),
    )
    board = Settings.of(data=DRAWN, points=drawn.code, names="length~width~cat~dog")
    page = FisherPage(board.link())
    assert page.shown["names"]["features"] == ["length", "width"]
    assert_allclose(page.arrays["X"].reshape(-1, 2), drawn.X, atol=1e-6)
    page.do(("point", {"text": "0.25, −0.75", "y": 1}))
    assert_allclose(page.arrays["X"].reshape(-1, 2)[-1], [0.25, -0.75], atol=0.01)
    assert page.shown["names"]["classes"] == ["cat", "dog"]
    before = page.link
    page.do(("point", {"text": "here", "y": 1}))
    assert page.link == before
    assert "not a point" in fields_of(page.header)["point"]["draft"]["why"]


def test_more_points_than_a_link_holds_are_kept_by_the_browser():
    rng = np.random.default_rng(0)
    drawn = Drawn.of(rng.uniform(-1, 1, (400, 2)), np.where(rng.random(400) < 0.5, 1.0, -1.0))
    content = settings_file.write(Settings.of(data=DRAWN, points=drawn.code))
    page = FisherPage().do(file_of(content, "many.settings.json"))
    assert len(page.arrays["labels"]) == 400
    stored._points.clear()
    page.do()
    assert len(page.arrays["labels"]) == 400


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("paste", {"text": "a,b\n1,2\n"}), "at least 3 are needed"),
        (("paste", {"text": "a,b,c\n1,2,x\n1,3,y\n"}), "choose"),
        (file_of(settings_file.write(Settings.of()), "x.json"), "open it on the Board"),
    ],
)
def test_what_cannot_be_shown_is_said_in_one_sentence(command, said):
    page = FisherPage("v=1&data=moons").do(command)
    assert page.link == "v=1&data=moons"
    assert len(page.said) == 1
    assert said in page.said[0]


@pytest.mark.parametrize(
    "query", [f"v=1&data={FILE}&file=a~b", "v=1&data=drawn", "v=1&data=drawn&points=~12345"]
)
def test_a_link_whose_data_are_not_here_shows_others_and_says_so(query):
    page = FisherPage()
    page.link = query
    page.do()
    assert page.link == "v=1"
    assert len(page.said) == 1
    assert page.said[0].endswith(".")


@pytest.mark.parametrize("pair", BY_NAME["pair"].choices)
def test_each_pair_of_iris_that_is_offered_is_shown_one_kind_against_the_others_too(pair):
    page = FisherPage("v=1&data=iris").do(("set", {"pair": pair}))
    assert page.said == []
    assert page.shown["names"]["classes"] == list(
        datasets.load("iris", 20, classes=datasets.classes_of(pair)).classes
    )
    assert FisherPage(f"v=1&data=iris&pair={pair}").shown == page.shown


@pytest.mark.parametrize("data", ["wine", "iris_kinds", "iris", "breast_cancer"])
def test_without_scikit_learn_a_link_to_measured_data_says_what_is_missing_and_shows_others(
    data, monkeypatch
):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    for cached in (datasets.real_table, measured._standardized):
        cached.cache_clear()
    sentence = (
        f"The data set {data} needs scikit-learn, which is not installed: run pip install "
        f'"kpviz[sklearn]".'
    )
    header, _ = ask({"n": 1, "page": "fisher", "link": f"data={data}", "dock": ["data"]})
    assert [notice["words"] for notice in header["notices"]] == [
        f"{sentence} Until then you see Long clouds."
    ]
    assert "data=" not in header["link"]
    header, _ = ask(
        {
            "n": 2,
            "page": "fisher",
            "link": "v=1",
            "commands": [{"name": "set", "value": {"data": data}}],
        }
    )
    assert [notice["words"] for notice in header["notices"]] == [sentence]
