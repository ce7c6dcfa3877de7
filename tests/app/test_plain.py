"""What strangers wrote, in a file or a link, is shown as it is written: Markdown makes nothing of it."""

import base64
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from own_data import TABLE, uploaded
from own_data import here as current
from playing import labels, opened, page, ran

from kpviz.app import commands
from kpviz.app.session import Session
from kpviz.app.widgets import plain
from kpviz.lessons.comparison import Pin
from kpviz.settings import Settings

IMAGE = "![x](http://host/x.png)"
GAPS = f'**a**,"{IMAGE}",`c`\n1,2,a\n2,1,b\n3,,a\n'  # a notice tells of the gap
WORDS = st.text(st.sampled_from("ab1\\`*_[]()$:<>~#|&!-+=. @w/"), max_size=30)


def is_plain(shown):
    """Whether no sign is left that Markdown would read as its own."""
    return not re.search(r"[\\`*_\[\]$<>~#|&]|:(?=\S)", re.sub(r"\\[!-/:-@\[-`{-~]", "", shown))


@given(WORDS)
def test_escaped_words_are_read_as_they_were_written(text):
    assert is_plain(plain(text))
    assert re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", plain(text)).replace("\u2060", "") == text


@pytest.mark.parametrize("text", ["http://host/x", "www.host.org", "me@host.org", ":material/delete:"])
def test_words_make_no_link_and_no_icon_by_themselves(text):
    """Streamlit makes these after the escapes are gone."""
    assert text not in plain(text).replace("\\", "")


@pytest.mark.parametrize("text", ["- a", "+ a", "1. a", "12) a", "= a", "# a"])
def test_words_begin_no_list_and_no_heading(text):
    assert plain(text) == re.sub(r"([-+=#.)])", r"\\\1", text)


def test_the_names_of_an_opened_file_are_plain_in_what_is_said_of_it():
    at = uploaded(GAPS)
    infos = [each.value for each in at.info]
    assert any("host" in each for each in infos)
    assert all(map(is_plain, infos))
    assert is_plain(labels(at)[0])


def test_the_names_of_a_dropped_file_are_plain_in_the_notice():
    session = Session(Settings.of())
    value = {"name": f"{IMAGE}.csv", "data": base64.b64encode(GAPS.encode()).decode()}
    commands.carry_out(session, [{"n": 1, "name": "open", "value": value}])
    at = opened_with(session)
    assert "host" in at.toast[0].value
    assert is_plain(at.toast[0].value)
    assert "host" in labels(at)[0]
    assert is_plain(labels(at)[0])


@pytest.mark.parametrize("name", [f"{IMAGE}.csv", "1. mine.csv"])
def test_the_name_of_a_file_that_cannot_be_opened_is_plain(name):
    at = uploaded("only,two\n1,2\n", name=name)
    assert at.error
    assert all(is_plain(each.value) for each in at.error)


def opened_with(session, chip=None):
    at = page(chip)
    at.session_state["session"] = session
    return ran(at)


def test_cues_that_cannot_be_used_are_quoted_plainly():
    at = opened_with(Session(Settings.of(), dialog="lecture"))
    at.text_area(key="lecture-text").set_value("start light [host]: Look.\n")
    ran(at)
    assert "host" in at.error[0].value
    assert is_plain(at.error[0].value)


def test_a_row_of_the_table_that_lacks_a_number_is_told_plainly(monkeypatch):
    import streamlit

    def with_a_gap(frame, **_):
        frame = frame.copy()
        frame.iloc[0, 0] = float("nan")
        return frame

    at = uploaded(TABLE.replace("width", f'"{IMAGE}"'))
    monkeypatch.setattr(streamlit, "data_editor", with_a_gap)
    current(at).dialog = "table"
    ran(at)
    ran(at, at.button(key="use-numbers").click())
    assert "host" in at.error[0].value
    assert is_plain(at.error[0].value)


@pytest.mark.parametrize(
    "query",
    [
        {"data": "graphs", "ask": IMAGE},
        {"data": "bits", "function": IMAGE},
        {"kernel": "formula", "formula": IMAGE},
        {IMAGE: "1"},
        {"sigma": IMAGE},
        {"p1": IMAGE},
        {"show": IMAGE},
    ],
)
def test_a_link_is_quoted_plainly_in_the_notice(query):
    at = opened(**query)
    assert is_plain(at.toast[0].value)


def test_the_formula_of_a_pinned_run_is_plain():
    session = Session(Settings.of(), pins=(Pin.of(Settings.of(kernel="formula", formula="u[1]*v[1]*2")),))
    (pinned,) = (each.value for each in opened_with(session, "compare").markdown if each.value.startswith("**A**"))
    assert "u" in pinned
    assert is_plain(pinned.removeprefix("**A**"))
