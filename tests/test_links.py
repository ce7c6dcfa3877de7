"""Whatever stands in the address bar, the app opens: with defaults in place of what is broken, and
one sentence.
"""

import functools
from urllib.parse import quote, quote_plus

import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds import PAIRS
from links import HOSTILE, one_wrong_value
from visitor import ask

from kpviz import experiment, panels
from kpviz.formats import newer_sentence
from kpviz.player import payload
from kpviz.player.experiment import Experiment
from kpviz.settings import BY_NAME, FILE, Settings, from_query
from kpviz.settings.view import STAGES, ViewState, read_view

WRONG = one_wrong_value()
NEWER = newer_sentence("link")
# What reaches the server may be escaped in any way, or not at all.
ESCAPES = (
    quote,
    quote_plus,
    lambda text, errors: text,
    lambda text, errors: "".join(f"%{byte:02x}" for byte in text.encode(errors=errors)),
)


@st.composite
def texts(draw):
    """A link as text."""
    escape = draw(st.sampled_from(ESCAPES))
    pairs = draw(strategies.pairs())
    parts = [
        f"{escape(key, errors='replace')}={escape(value, errors='replace')}" for key, value in pairs
    ]
    ends = draw(st.sampled_from(["", "?", "&&"])), draw(st.sampled_from(["", "&", "=", "&=", "%"]))
    return ends[0] + "&".join(parts) + ends[1]


def is_one_sentence(notice):
    return (
        notice.endswith(".")
        and not notice.endswith("..")
        and notice.isprintable()
        and notice[0].isupper()
        and 20 < len(notice) < 400
    )


@functools.cache
def drawn_and_encoded(settings):
    """The whole way from settings to the bytes of a run; short, since the law is that
    it ends well.
    """
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    return len(payload.encode(Experiment.of(settings, split, run))) > 1000


def opens(settings):
    if settings.data == FILE:
        with pytest.raises(ValueError, match="is not here"):
            experiment.prepare(settings)
        settings = settings.replace(data="xor")
    assert drawn_and_encoded(
        settings.replace(epochs=min(settings.epochs, 2), n=min(settings.n, 20))
    )


@settings(max_examples=100)
@given(texts())
def test_random_and_hostile_links_open(link):
    found, notice = from_query(link)
    assert notice is None or is_one_sentence(notice), notice
    opens(found)


@settings(max_examples=100)
@given(strategies.pairs())
def test_random_links_open_as_the_server_reads_them(pairs):
    found, notice = from_query(dict(pairs))
    assert notice is None or is_one_sentence(notice), notice
    assert from_query({key: ["first", value] for key, value in pairs}) == from_query(dict(pairs))
    assert from_query(found.query()) == (found, None)


def test_a_link_with_one_wrong_value_opens_and_says_which():
    for pairs in WRONG:
        name, value = pairs[-1]
        settings, notice = from_query(dict(pairs))
        assert notice is None or is_one_sentence(notice), notice
        usable = from_query(dict(pairs[:-1]))[0].values[name] != settings.values[name]
        if notice is not None:
            assert name in notice
        elif settings.reason_against(name) is None and not usable:
            # without a word only where the value was the usual one, however it was written
            assert BY_NAME[name].text or float(value) == settings.values[name], (name, value)


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("kernel=gausian", "did you mean 'gaussian'?), so gaussian is used"),
        ("sigma=-3", "sigma=-3 is outside 0.02 to 10, so 0.02 is used"),
        ("sigma=abc", "sigma=abc is not a number, so 0.5 is used"),
        ("n=59.5", "n=59.5 is not a whole number, so 60 is used"),
        ("pins=1&p1.kernel=none", "p1.kernel=none is unknown, so gaussian is used"),
        ("data=drawn&points=zzz", "points=zzz cannot be read."),
        ("learner=svm&order=random", "order=random does not apply, because"),
    ],
)
def test_a_notice_says_which_value_is_used_in_place_of_a_wrong_one(link, said):
    (notice,) = ask({"link": f"v=1&n=8&epochs=1&{link}"})[0]["notices"]
    assert is_one_sentence(notice["words"])
    assert said in notice["words"]
    assert notice["words"].count(" is used") == said.count(" is used")


def test_a_link_of_ten_kilobytes_is_answered_with_one_short_sentence():
    for link in (
        "&".join(f"k{i}={i}" for i in range(1500)),
        "x" * 10_000,
        "seed=" + "9" * 10_000,
        "%" * 10_000,
    ):
        _, notice = from_query(link)
        assert is_one_sentence(notice)


@pytest.mark.parametrize("version", ["0", "2", "1.0", "", "one", "-1", "\x00", "1" * 50])
def test_another_version_is_said_and_the_rest_is_read(version):
    settings, notice = from_query({"v": version, "data": "moons"})
    assert settings == Settings.of(data="moons")
    assert is_one_sentence(notice)
    newer = version in ("2", "1" * 50)
    assert notice == NEWER if newer else "is not a version that this kpviz knows" in notice


def test_good_links_open_without_a_word():
    good = [
        "",
        "?",
        "v=1",
        "?v=1&data=moons",
        "v=1&noise=0.10",
        "v=1&seed=007",
        "sigma=1e-1",
        "data=iris&x=0&y=2&pair=01",
    ]
    good += [f"v=1&data={data}&kernel={kernel}&t=3&show=alpha" for data, kernel in PAIRS]
    assert {link: from_query(link)[1] for link in good if from_query(link)[1] is not None} == {}


def test_many_faults_are_counted_not_listed_and_of_a_repeated_key_the_last_counts():
    _, notice = from_query({f"k{i}": "1" for i in range(50)})
    assert "47 more" in notice
    assert is_one_sentence(notice)
    assert from_query("seed=3&seed=4") == (Settings.of(seed=4), None)
    assert from_query({"seed": []})[1] is not None


@given(st.sampled_from(HOSTILE) | st.text(max_size=30))
def test_the_players_part_of_a_hostile_link_opens_where_it_can(value):
    for query in ({"t": value}, {"show": value}, {"t": value, "show": f"alpha.{value}"}):
        view, problems = read_view(query)
        assert 0 <= view.t < 10**9
        assert view.show is None or set(view.show) <= set(panels.IN_LINKS)
        assert all(problem.isprintable() and len(problem) < 60 for problem in problems)
        header, _ = payload.unpack(payload.envelope([payload.Packed("", b"")], data="", view=view))
        assert header["view"]["t"] == view.t


def test_the_players_part_of_a_good_link_is_taken_as_it_is():
    for text, t in (("0", 0), ("12", 12), ("0012", 12), ("999999999", 999999999)):
        assert read_view({"t": text}) == (ViewState(t, None), [])
    assert read_view({}) == (ViewState(0, None), [])
    assert read_view({"show": "none"}) == (ViewState(0, ()), [])
    assert read_view({"show": ".".join(panels.IN_LINKS)}) == (ViewState(0, panels.IN_LINKS), [])
    for stage in STAGES:
        assert read_view({"stage": stage, "t": "3"}) == (ViewState(3, None, stage), [])
        assert from_query(f"v=1&data=moons&stage={stage}") == (Settings.of(data="moons"), None)


@pytest.mark.parametrize(
    ("query", "view", "why"),
    [
        *(
            ({"t": text}, {}, "t is not a step")
            for text in ("-1", "1.5", "x", "1e3", "12 ", "1234567890", "１２")
        ),
        *(
            ({"stage": text}, {}, "stage is not one of window, 16x9, 4x3, 1x1, 9x16")
            for text in ("", "round", "16X9", "16x9 ", "<b>")
        ),
        (
            {"show": "alpha.nonsense.code"},
            {"show": ("alpha", "code")},
            "show names a panel that is not known",
        ),
    ],
)
def test_of_the_players_part_what_is_not_known_is_said_and_the_rest_is_shown(query, view, why):
    assert read_view(query) == (ViewState(**view), [why])
