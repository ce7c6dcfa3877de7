"""The film, offered: what is chosen is what is made; Cancel leaves nothing behind."""

import tempfile
from pathlib import Path

import imageio_ffmpeg
import pytest
import streamlit as st
from playing import about, part_made
from playing import part_ran as ran
from streamlit.testing.v1 import AppTest

from kpviz import experiment
from kpviz.app import film_offer
from kpviz.app.turn import FILMS
from kpviz.settings import Settings

CUES = "title: Two halves|by: A. Lecturer|mistake 1 hold 2: Look.|mistake 99: Never."


def script():
    import streamlit as st

    from kpviz.app import film_offer

    film_offer.offer(st.session_state["here"])


@pytest.fixture
def files(monkeypatch):
    """What the buttons would save, by name."""
    found = {}

    def button(label, data, name, mime, **options):
        found[name] = (data, mime)

    monkeypatch.setattr(st, "download_button", button)
    return found


def opened(settings=None, **state):
    at = AppTest.from_function(script, default_timeout=120)
    at.session_state["here"] = about(settings or Settings.of(n=20, cues=CUES), dialog="picture")
    for key, value in {"film-size": "720p", **state}.items():
        at.session_state[key] = value
    return ran(at)


def probed(content, tmp_path, kind="mp4"):
    (tmp_path / f"film.{kind}").write_bytes(content)
    return next(imageio_ffmpeg.read_frames(str(tmp_path / f"film.{kind}")))


def test_it_says_how_long_it_lasts_and_what_has_no_place(files):
    at = opened()
    (caption_text,) = [caption.value for caption in at.caption]
    assert caption_text.startswith("It lasts ")
    assert "At each cue it holds for the seconds that the cue says." in caption_text
    mistakes = int(experiment.run(Settings.of(n=20)).mistake.sum())
    assert caption_text.endswith(f"What cannot be shown: mistake 99: this run has {mistakes}.")
    assert at.text_input(key="film-title").value == "Two halves"


def test_captions_are_there_before_the_film(files):
    opened()
    assert files["kpviz-xor-gaussian.vtt"][0].startswith("WEBVTT\n\n00:00:03.000")
    assert files["kpviz-xor-gaussian.srt"][0].startswith("1\n00:00:03,000")
    assert "Look." in files["kpviz-xor-gaussian.vtt"][0]


@pytest.mark.parametrize(("kind", "fps", "size"), [("mp4", 60, (1080, 1080)), ("gif", 24, (1280, 720))])
def test_what_is_chosen_is_what_is_made(files, tmp_path, kind, fps, size):
    name = "square" if size == (1080, 1080) else "720p"
    chosen = {"film-size": name, "film-format": kind, "film-fps": fps, "film-title": "", "film-part-20": (1, 3)}
    settings = Settings.of(n=20, epochs=1, cues="1 hold 0.2|3 hold 0.2")
    at = part_made(opened(settings, **chosen, **{"film-speed": 25.0}), "make-film")
    content, mime = files[f"kpviz-xor-gaussian.{kind}"]
    assert mime == ("image/gif" if kind == "gif" else "video/mp4")
    about = probed(content, tmp_path, kind)
    assert about["size"] == size
    assert about["fps"] == pytest.approx(fps, abs=2)
    assert at.session_state["here"].film.content == content
    assert not at.button(key="make-film").disabled


def test_another_choice_makes_the_film_no_longer_the_one_that_is_offered(files):
    brief = {"film-title": "", "film-fps": 24, "film-speed": 25.0}
    settings = Settings.of(n=20, epochs=1, cues="start hold 0.2|1 hold 0.2")
    at = part_made(opened(settings, **{"film-part-20": (0, 1), **brief}), "make-film")
    assert "kpviz-xor-gaussian.mp4" in files
    files.clear()
    at.selectbox(key="film-theme").set_value("dark")
    ran(at)
    assert "kpviz-xor-gaussian.mp4" not in files


def test_cancel_gives_up_and_leaves_nothing_behind(monkeypatch, tmp_path, files):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    at = opened(Settings.of(n=20), **{"film-size": "4k"})
    for _ in range(2):  # the second one finds its turn free
        at.button(key="make-film").click()
        ran(at)
        job = at.session_state["here"].job
        assert at.button(key="make-film").disabled
        assert job.working
        at.button(key="cancel-film").click()
        ran(at)
        job._thread.join(60)
        ran(at)
        assert (job.made, job.problem) == (None, "")
        assert at.session_state["here"].job is None
        assert at.session_state["here"].film is None
        assert not list(Path(tmp_path).iterdir())
    assert "kpviz-xor-gaussian.mp4" not in files
    assert job.done < job.of


def test_films_are_made_one_after_the_other_and_one_sees_its_place():
    first, second = (Waiting() for _ in range(2))
    for job in (first, second):
        FILMS.join(job)
    brief = {"film-title": "", "film-fps": 24, "film-speed": 25.0, "film-part-20": (0, 1)}
    at = opened(Settings.of(n=20, epochs=1, cues="start hold 0.2|1 hold 0.2"), **brief)
    at.button(key="make-film").click()
    ran(at)
    job = at.session_state["here"].job
    assert job.progress == "Waiting for 2 files of other visitors"
    FILMS.leave(first)
    assert job.progress == "Waiting for 1 file of other visitors"
    FILMS.leave(second)
    job._thread.join(60)
    assert job.made.content


class Waiting:
    """A film of somebody else."""


def test_a_film_that_cannot_be_written_says_why(monkeypatch, files):
    def save(*_):
        raise ValueError("Films need ffmpeg, which is not here.")

    monkeypatch.setattr(film_offer, "save", save)
    at = part_made(opened(Settings.of(n=20)), "make-film")
    assert at.session_state["here"].notice == "Films need ffmpeg, which is not here."
    assert "kpviz-xor-gaussian.mp4" not in files


def test_without_examples_there_is_no_film():
    at = opened(Settings.of(data="drawn"))
    assert [info.value for info in at.info] == ["There are no examples yet, so there is no film: draw some first."]


def test_a_film_of_a_day_is_refused_with_what_to_do():
    settings = Settings.of(kernel="linear", epochs=1000)
    at = opened(settings, **{"film-speed": 1.0})
    assert "choose fewer steps, a higher speed or shorter holds" in at.warning[0].value


def test_a_fault_of_ours_is_told_in_a_sentence_and_frees_the_turn(monkeypatch, files, caplog):
    def save(*_):
        raise KeyError("field")

    monkeypatch.setattr(film_offer, "save", save)
    at = part_made(opened(Settings.of(n=20)), "make-film")
    assert at.session_state["here"].notice == "The film could not be made (KeyError): try another size or range."
    assert "A film could not be made." in caplog.text
    FILMS.join(after := Waiting())
    assert FILMS.place(after) == 0
    FILMS.leave(after)
