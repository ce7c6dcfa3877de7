"""The lesson that is open, taken home: what is made is what the commands make, and only for those who may have it."""

import io
import zipfile
from pathlib import Path

import pytest
import streamlit as st
from playing import about, part_made
from playing import part_ran as ran
from streamlit.testing.v1 import AppTest

from kpviz.app import lesson_offer
from kpviz.export.film import captions, film, lecture
from kpviz.export.film.film import Chapters
from kpviz.export.film.formats import SIZES
from kpviz.export.film.lecture import FilmOptions
from kpviz.export.page.lesson import page
from kpviz.export.print import typeset
from kpviz.export.print.handout import Handout
from kpviz.export.scenes import stage
from kpviz.lessons import shelf
from kpviz.lessons.file import format, served

TEXT = """---
title: Two *scenes*
---
## The line
link: v=1&n=8&kernel=linear&epochs=1

```cues
start hold 0.2: None yet.
2 hold 0.2: Look.
```

```task number
ask: How many mistakes?
value: mistakes
```

## The lab
link: /lab?v=1&n=8
"""
LESSON = format.read(TEXT)


def script():
    import streamlit as st

    from kpviz.app import lesson_offer

    lesson_offer.offer(st.session_state["here"])


@pytest.fixture
def saved(monkeypatch):
    """What the button would save, by name."""
    found = {}
    monkeypatch.setattr(
        st,
        "download_button",
        lambda label, data, name, mime, **_: found.update({name: (data() if callable(data) else data, mime)}),
    )
    return found


def opened(lesson, form="handout", **state):
    at = AppTest.from_function(script, default_timeout=120)
    at.session_state["here"] = about(lesson=lesson)
    for key, value in {"lesson-form": form, **state}.items():
        at.session_state[key] = value
    return ran(at)


def forms(at):
    return list(at.segmented_control(key="lesson-form").options)


def test_each_file_is_that_of_the_command(saved, tmp_path, monkeypatch):
    monkeypatch.setitem(SIZES, "720p", (640, 360))  # faster
    for form in ("handout", "solutions", "page", "slides", "film"):
        part_made(opened({"text": TEXT}, form, **{"lesson-size": "720p"} if form == "film" else {}), "make-lesson")
    assert [mime for _, mime in saved.values()] == [
        "application/pdf",
        "application/pdf",
        "text/html",
        "application/zip",
        "video/mp4",
        "text/plain",
        "text/plain",
    ]
    handout, solutions, read, slides, seen, vtt, srt = (data for data, _ in saved.values())
    assert handout == typeset.pdf(Handout(LESSON).sheet())
    assert solutions == typeset.pdf(Handout(LESSON, solved=True).sheet())
    assert read.decode() == page(LESSON, "lesson")
    with zipfile.ZipFile(io.BytesIO(slides)) as archive:
        assert archive.namelist() == ["01-the-line-1.png", "01-the-line-2.png", "02-the-lab.png"]
        assert all(archive.read(name).startswith(b"\x89PNG") for name in archive.namelist())
    options = FilmOptions(width=640, height=360)
    parts = [(scene.heading, stage(k, scene).film(options)) for k, scene in enumerate(LESSON.scenes, 1)]
    film.save(Chapters(parts), tmp_path / "film.mp4")
    assert seen == (tmp_path / "film.mp4").read_bytes()
    spoken = lecture.captions(Chapters(parts))
    assert (vtt, srt) == (captions.to_vtt(spoken), captions.to_srt(spoken))
    assert "Look." in vtt
    assert list(saved)[-2:] == ["lesson-film.vtt", "lesson-film.srt"]


def test_captions_are_had_without_the_film_by_its_name(saved, monkeypatch):
    monkeypatch.setattr(film, "save", None)
    part_made(opened({"text": TEXT}, "captions"), "make-lesson")
    spoken = lecture.captions(Chapters([(each.heading, stage(1, each).film(FilmOptions())) for each in LESSON.scenes]))
    assert saved == {
        "lesson-film.vtt": (captions.to_vtt(spoken), "text/plain"),
        "lesson-film.srt": (captions.to_srt(spoken), "text/plain"),
    }


@pytest.mark.parametrize("form", ["film", "slides"])
def test_what_a_film_or_slides_cannot_show_is_listed(saved, form, monkeypatch):
    monkeypatch.setattr(film, "save", lambda made, path, progress: Path(path).write_bytes(b"a film"))
    text = TEXT.replace("epochs=1", "epochs=1&show=primal.gram.bound", 1).replace("2 hold 0.2: Look.", "99: Never.")
    at = part_made(opened({"text": text}, form, **{"lesson-size": "720p"} if form == "film" else {}), "make-lesson")
    (listed,) = (each.value for each in at.caption if each.value.startswith("What cannot be shown:"))
    assert "- in scene 1, 99: this run has 8" in listed
    at = part_made(opened({"text": TEXT}, form, **{"lesson-size": "720p"} if form == "film" else {}), "make-lesson")
    assert not any(each.value.startswith("What cannot") for each in at.caption)


def test_only_who_has_the_solutions_is_offered_them(tmp_path, monkeypatch):
    everything = ["Handout", "Solutions", "Page", "Slides", "Film", "Captions"]
    without = ["Handout", "Slides", "Film", "Captions"]
    monkeypatch.setenv(shelf.FOLDER, str(tmp_path))
    for name in ("mine", "lecture-1-perceptron"):
        (tmp_path / f"{name}.kpviz.md").write_text(TEXT, encoding="utf-8")
    for lesson, offered in [
        ({"text": TEXT}, everything),
        ({"text": served.students(LESSON)}, without),
        ({"name": "mine"}, without),
        ({"name": "lecture-1-perceptron"}, without),  # the folder's own
        ({"name": "lecture-2-dual-and-kernels"}, everything),
    ]:
        at = opened(lesson)
        assert forms(at) == offered
        assert any("the lesson’s own file" in each.value for each in at.caption) == (offered == without)


def test_what_is_missing_is_said_in_a_sentence(monkeypatch):
    monkeypatch.setattr(lesson_offer, "find_spec", lambda name: None)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(Path("no", "ffmpeg")))
    for form, why in (("handout", "typst"), ("film", "IMAGEIO\\_FFMPEG\\_EXE names no program")):
        at = opened({"text": TEXT}, form)
        assert why in at.info[0].value
        assert not at.button


@pytest.mark.parametrize("lesson", [{}, {"name": "none"}, {"text": "## x"}, {"text": 5}])
def test_what_is_no_lesson_is_said_in_a_sentence(lesson):
    at = opened(lesson)
    assert len(at.warning) == 1
    assert not at.button


def test_a_scene_without_a_run_is_named(saved):
    at = part_made(opened({"text": "---\ntitle: T\n---\n## A\nlink: v=1&data=file\n"}, "slides"), "make-lesson")
    assert at.session_state["here"].notice.startswith("Scene 1, 'A': ")
    assert not saved
