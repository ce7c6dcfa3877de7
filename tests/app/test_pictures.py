"""Pictures and films: they are what the functions of `export` make of what is chosen."""

import tempfile
from pathlib import Path

import pytest
import streamlit as st
from drawing import drawn
from playing import about, opened, part_made
from playing import part_ran as ran
from streamlit.testing.v1 import AppTest
from two_scenes import LESSON, TEXT

from kpviz import experiment
from kpviz.app import jobs, pictures, runs
from kpviz.export import PICTURES, SIZES, films, pace, scenes, writing
from kpviz.export.films import FilmOptions
from kpviz.lessons.comparison import Pin
from kpviz.picture import figure
from kpviz.settings import Settings

CUES = "title: Two halves|by: A. Lecturer|mistake 1 hold 2: Look.|mistake 99: Never."


@pytest.fixture
def files(monkeypatch):
    """What the buttons would save, by name: a function that makes it, and its type."""
    found = {}

    def button(label, data, name, mime, **options):
        found[name] = (data if callable(data) else lambda: data, mime, options)

    monkeypatch.setattr(st, "download_button", button)
    return found


@pytest.fixture
def asked(monkeypatch):
    """What boards are asked for."""
    calls, draw = [], figure.draw
    monkeypatch.setattr(figure, "draw", lambda *a, **o: calls.append((a, o)) or draw(*a, **o))
    return calls


def part(name, settings=None, *, state=None, **more):
    """A part of a dialog, drawn alone."""

    def drawing(name):
        import streamlit as st

        from kpviz.app import pictures

        getattr(pictures, name)(st.session_state["here"])

    at = AppTest.from_function(drawing, default_timeout=120, args=(name,))
    at.session_state["here"] = about(settings or Settings.of(n=20), **more)
    for key, value in (state or {}).items():
        at.session_state[key] = value
    return ran(at)


# ---- pictures ------------------------------------------------------------------------------------


def test_only_what_is_in_front_is_made(monkeypatch):
    made = []
    names = {"Picture": "of_picture", "Film": "of_film", "Film of the lesson": "of_lesson"}
    for name in names.values():
        monkeypatch.setattr(pictures, name, lambda session, name=name: made.append(name))
    for tab, name in names.items():
        made.clear()
        at = part("dialog", lesson={"text": TEXT}, state={"image-or-video": tab})
        assert (at.button_group(key="image-or-video").options, made) == (list(names), [name])
    assert part("dialog").button_group(key="image-or-video").options == ["Picture", "Film"]


def test_pictures_have_the_size_look_and_panels_that_are_chosen_and_shown(files, asked):
    settings = Settings.of(n=10, epochs=2)
    here = {"picture": 7, "address": f"{settings.link()}&show=code.lines&over=noise"}
    look = {"picture-theme": "print", "picture-clear": True}
    part("of_picture", settings, state={"picture-size-True": "square", **look}, **here)
    (_, _, chosen, size), _ = asked.pop()
    assert (chosen.theme, chosen.transparent, chosen.panels) == ("print", True, ("code", "lines"))
    assert (chosen.over, size) == ("noise", tuple(side / 200 for side in PICTURES["square"]))
    part(
        "of_picture",
        settings,
        state={"picture-panel": "curve", "picture-size-False": "4:3"},
        **here,
    )
    arguments, _ = asked.pop()
    assert (arguments[1], arguments[2].only, arguments[3]) == (7, "curve", (9.6, 7.2))
    files.clear()
    part("of_picture", settings, picture=7)
    board = drawn(settings, 7, (12.8, 7.2))
    for kind in ("png", "svg", "pdf"):
        assert files[f"kpviz-xor-gaussian-step-7.{kind}"][0]() == figure.save(board, kind, dpi=200)


def test_what_has_nothing_to_show_says_so_and_makes_room_for_the_next(monkeypatch):
    assert [info.value[:28] for info in part("of_film", Settings.of(data="drawn")).info] == [
        "There are no examples yet, s"
    ]
    pins = (Pin.of(Settings.of(n=20, sigma=0.2)),)
    assert not part("of_picture", pins=pins).caption
    message = "This is the current run; the pinned ones are on the picture of the whole board."
    assert [
        each.value for each in part("of_picture", pins=pins, state={"picture-panel": "map"}).caption
    ] == [message]

    def draw(*_):
        raise ValueError("Nothing to show.")

    monkeypatch.setattr(figure, "draw", draw)
    assert [info.value for info in part("of_picture").info] == ["Nothing to show."]
    jobs.PICTURES.join(after := object())
    assert jobs.PICTURES.words(after) == ""
    jobs.PICTURES.leave(after)


def test_pictures_are_drawn_one_after_the_other_and_one_sees_its_place(files, monkeypatch):
    others, told = [object(), object()], []
    for other in others:
        jobs.PICTURES.join(other)

    def wait(who, wait=jobs.PICTURES.wait):
        if others:
            told.append(jobs.PICTURES.words(who))
            jobs.PICTURES.leave(others.pop())
            return False
        return wait(who)

    monkeypatch.setattr(jobs.PICTURES, "wait", wait)
    at = part("of_picture")
    assert told == ["Waiting for 2 files of other visitors", "Waiting for 1 file of other visitors"]
    assert (len(at.image), list(at.caption)) == (1, [])
    assert all(make()[:4] in (b"\x89PNG", b"<?xm", b"%PDF") for make, _, _ in files.values())


@pytest.mark.parametrize("dialog", ["picture", "lecture"])
def test_a_run_that_cannot_be_computed_ends_the_dialog_with_a_sentence(dialog, monkeypatch):
    def refused(*_):
        raise ValueError("This takes longer than the 180 s of [one] request.")

    monkeypatch.setattr(runs, "comparison_of", refused)
    (message,) = [each.value for each in opened(dialog).warning]
    assert message == r"This takes longer than the 180 s of \[one\] request."


# ---- films ---------------------------------------------------------------------------------------

BRIEF = {"film-size": "720p", "film-title": "", "film-fps": 24, "film-speed": 25.0}


def test_it_says_how_long_it_lasts_and_what_has_no_place_and_has_captions_at_once(files):
    at = part("of_film", Settings.of(n=20, cues=CUES))
    (said,) = [caption.value for caption in at.caption]
    mistakes = int(experiment.run(Settings.of(n=20)).mistake.sum())
    assert said.startswith("It lasts ")
    assert "At each cue it holds for the seconds that the cue says." in said
    assert said.endswith(f"What cannot be shown: mistake 99: this run has {mistakes}.")
    assert at.text_input(key="film-title").value == "Two halves"
    vtt, srt = (files[f"kpviz-xor-gaussian.{ending}"][0]() for ending in ("vtt", "srt"))
    assert vtt.startswith("WEBVTT\n\n00:00:03.000")
    assert srt.startswith("1\n00:00:03,000")
    assert "Look." in vtt


def test_what_is_chosen_is_what_is_made(files, monkeypatch):
    asked = []
    monkeypatch.setattr(
        films,
        "save",
        lambda made, path, progress: asked.append(made) or path.write_bytes(b"a film"),
    )
    chosen = {"film-size": "square", "film-fps": 60, "film-part-20": (1, 3)}
    settings = Settings.of(n=20, epochs=1, cues="1 hold 0.2|3 hold 0.2")
    at = part_made(part("of_film", settings, state={**BRIEF, **chosen}), "make-film")
    make, mime, _ = files.pop("kpviz-xor-gaussian.mp4")
    (film,) = asked
    assert (make(), mime) == (b"a film", "video/mp4")
    assert ((film.width, film.height), film.fps) == (SIZES["square"], 60)
    assert [shot.t for shot in film.shots] == [1, 2, 3]
    at.selectbox(key="film-theme").set_value("dark")  # another film, which is not made
    ran(at)
    assert "kpviz-xor-gaussian.mp4" not in files


def test_cancel_gives_up_and_leaves_nothing_behind(monkeypatch, tmp_path, files):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    at = part("of_film", state={"film-size": "1080p"})
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
    assert job.done < job.of


def test_films_are_made_one_after_the_other_and_one_sees_its_place():
    first, second = object(), object()
    for other in (first, second):
        jobs.FILMS.join(other)
    settings = Settings.of(n=20, epochs=1, cues="start hold 0.2|1 hold 0.2")
    at = part("of_film", settings, state={**BRIEF, "film-part-20": (0, 1)})
    at.button(key="make-film").click()
    ran(at)
    job = at.session_state["here"].job
    assert job.progress == "Waiting for 2 files of other visitors"
    jobs.FILMS.leave(first)
    assert job.progress == "Waiting for 1 file of other visitors"
    jobs.FILMS.leave(second)
    job._thread.join(60)
    assert job.made.content


@pytest.mark.parametrize(
    ("error", "notice"),
    [
        (
            ValueError("Films need ffmpeg, which is not here."),
            "Films need ffmpeg, which is not here.",
        ),
        (OSError(28, "No space left"), "The film cannot be written: no space is left on its disk."),
        (
            writing.unwritten("film.mp4", "its disk is read-only"),
            "The film cannot be written: its disk is read-only.",
        ),
        (KeyError("field"), "The film could not be made (KeyError): try another size or range."),
    ],
)
def test_a_film_that_cannot_be_made_says_why_and_frees_the_turn(monkeypatch, files, error, notice):
    def save(*_):
        raise error

    monkeypatch.setattr(films, "save", save)
    assert part_made(part("of_film"), "make-film").session_state["here"].notice == notice
    jobs.FILMS.join(after := object())
    assert jobs.FILMS.words(after) == ""
    jobs.FILMS.leave(after)


def test_a_film_of_a_day_is_refused_with_what_to_do():
    at = part("of_film", Settings.of(kernel="linear", epochs=1000), state={"film-speed": 1.0})
    assert "choose fewer steps, a higher speed or shorter holds" in at.warning[0].value


# ---- a lesson ------------------------------------------------------------------------------------


def lesson_made(form, text=TEXT):
    state = {"lesson-form": form, **({"lesson-size": "720p"} if form == "film" else {})}
    return part_made(part("of_lesson", lesson={"text": text}, state=state), "make-lesson")


def test_the_film_of_a_lesson_and_its_captions_are_those_of_the_command(files, monkeypatch):
    asked = []
    monkeypatch.setattr(
        films,
        "save",
        lambda made, path, progress: asked.append(made) or path.write_bytes(b"a film"),
    )
    for form in ("captions", "film"):
        lesson_made(form)
    made = {name: (make(), mime) for name, (make, mime, _) in files.items()}
    spoken = films.captions(scenes.film(LESSON, FilmOptions())[0])
    assert made == {
        "lesson-film.vtt": (pace.to_vtt(spoken), "text/plain"),
        "lesson-film.srt": (pace.to_srt(spoken), "text/plain"),
        "lesson-film.mp4": (b"a film", "video/mp4"),
    }
    assert [(each.width, each.height, len(each.parts)) for each in asked] == [(1280, 720, 3)]


def test_what_a_film_of_a_lesson_cannot_show_is_listed(files, monkeypatch):
    monkeypatch.setattr(films, "save", lambda made, path, progress: path.write_bytes(b"a film"))
    at = lesson_made("film", TEXT.replace("2 hold 0.2: Look.", "99: Never."))
    (listed,) = (
        each.value for each in at.caption if each.value.startswith("What cannot be shown:")
    )
    assert "- in scene 1, 99: this run has 8" in listed
    alone = TEXT.partition("## The lab")[0]
    assert not any(
        each.value.startswith("What cannot") for each in lesson_made("film", alone).caption
    )


def test_what_is_missing_or_wrong_is_said_in_a_sentence(files, monkeypatch):
    for lesson in ({}, {"name": "none"}, {"text": "## x"}, {"text": 5}):
        at = part("of_lesson", lesson=lesson)
        assert (len(at.warning), list(at.button)) == (1, [])
    at = lesson_made("captions", "---\ntitle: T\n---\n## A\nlink: v=1&data=file\n")
    assert at.session_state["here"].notice.startswith("Scene 1, 'A': ")
    assert not files
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(Path("no", "ffmpeg")))
    at = part("of_lesson", lesson={"text": TEXT})
    assert ("IMAGEIO\\_FFMPEG\\_EXE names no program" in at.info[0].value, list(at.button)) == (
        True,
        [],
    )
