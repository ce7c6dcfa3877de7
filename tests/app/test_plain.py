"""What strangers wrote, in a file or a link, is shown as it is written: Markdown makes nothing of
it.
"""

import re

import pytest
import streamlit
from hypothesis import given
from hypothesis import strategies as st
from playing import opened, ran
from streamlit.testing.v1 import AppTest
from visitor import Page, file_of

from kpviz.app.text import plain

IMAGE = "![x](http://host/x.png)"
TABLE = f'"{IMAGE}",height,kind\n' + "".join(
    f"{7 * i % 40},{i * i % 17},{'ab'[i % 2]}\n" for i in range(40)
)
GAPS = f'**a**,"{IMAGE}",`c`\n1,2,a\n2,1,b\n3,,a\n'  # a notice tells of the gap
WORDS = st.text(st.sampled_from("ab1\\`*_[]()$:<>~#|&!-+=. @w/"), max_size=30)


def is_plain(shown):
    """Whether no sign is left that Markdown would read as its own."""
    return not re.search(r"[\\`*_\[\]$<>~#|&]|:(?=\S)", re.sub(r"\\[!-/:-@\[-`{-~]", "", shown))


@given(WORDS)
def test_escaped_words_are_read_as_they_were_written(text):
    assert is_plain(plain(text))
    assert re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", plain(text)).replace("\u2060", "") == text


@pytest.mark.parametrize(
    "text", ["http://host/x", "www.host.org", "me@host.org", ":material/delete:"]
)
def test_words_make_no_link_and_no_icon_by_themselves(text):
    """Streamlit makes these after the escapes are gone."""
    assert text not in plain(text).replace("\\", "")


@pytest.mark.parametrize("text", ["- a", "+ a", "1. a", "12) a", "= a", "# a"])
def test_words_begin_no_list_and_no_heading(text):
    assert plain(text) == re.sub(r"([-+=#.)])", r"\\\1", text)


def test_a_notice_is_plain():
    at = opened(notice=f"sigma={IMAGE} is not a number.")
    assert "host" in at.toast[0].value
    assert is_plain(at.toast[0].value)


def test_cues_that_cannot_be_used_are_quoted_plainly():
    at = opened("lecture")
    at.text_area(key="lecture-text").set_value("start light [host]: Look.\n")
    ran(at)
    assert "host" in at.error[0].value
    assert is_plain(at.error[0].value)


def test_a_row_of_the_table_that_lacks_a_number_is_told_plainly(monkeypatch):
    def with_a_gap(frame, **_):
        frame = frame.copy()
        frame.iloc[0, 0] = float("nan")
        return frame

    page = Page()
    page.do(file_of(TABLE))
    monkeypatch.setattr(streamlit, "data_editor", with_a_gap)
    at = opened("table", page.settings)
    ran(at, at.button(key="use-numbers").click())
    assert "host" in at.error[0].value
    assert is_plain(at.error[0].value)


# ---- Fisher’s page -------------------------------------------------------------------------------

SCRIPT = """
import streamlit as st
from kpviz.app import screens
st.navigation([st.Page(screens.fisher, title="Fisher")], position="hidden").run()
"""


def test_the_page_is_one_board():
    at = AppTest.from_string(SCRIPT, default_timeout=60).run()
    assert not at.exception
    assert len(at.get("bidi_component")) == 1
