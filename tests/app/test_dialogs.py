"""What one takes home and shows elsewhere: the files are what the functions of `export` make of what is chosen."""

import io
import json
import re
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
import segno
import streamlit as st
from drawing import drawn
from playing import about, opened, part_made
from playing import part_ran as ran
from streamlit.testing.v1 import AppTest
from visitor import Page

from kpviz import experiment
from kpviz.app import dialogs, jobs, runs
from kpviz.engine.data.drawn import Drawn
from kpviz.export import PICTURES, films, notebook, pace, record, scenes, script, settings_file, writing
from kpviz.export.films import FilmOptions
from kpviz.export.page import lesson as lesson_page
from kpviz.export.page import page
from kpviz.export.print import typeset
from kpviz.export.print.handout import Handout
from kpviz.export.print.worksheet import Worksheet
from kpviz.lessons import presets, shelf
from kpviz.lessons.comparison import Pin
from kpviz.lessons.file import format
from kpviz.picture import figure
from kpviz.service import join, stored
from kpviz.settings import DRAWN, MOST_IN_LINKS, Settings
from kpviz.settings.cues import Cues

LAN = "http://192.168.1.20:8501"
CUES = "title: Two halves|by: A. Lecturer|mistake 1 hold 2: Look.|mistake 99: Never."
OBJECTS = {
    "texts": {"data": "texts", "held": 0.2, "added": "+a goal"},
    "trees": {"data": "trees"},
    "bits": {"data": "bits", "bits": 3},
}


@pytest.fixture
def files(monkeypatch):
    """What the buttons would save, by name: a function that makes it, and its type."""
    found = {}

    def button(label, data, name, mime, **options):
        found[name] = (data if callable(data) else lambda: data, mime, options)

    monkeypatch.setattr(st, "download_button", button)
    return found


@pytest.fixture
def at_address(monkeypatch):
    """Return a function that lets the page believe it was opened at an address."""
    return lambda address: monkeypatch.setattr(type(st.context), "url", property(lambda self: address))


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

        from kpviz.app import dialogs

        getattr(dialogs, name)(st.session_state["here"])

    at = AppTest.from_function(drawing, default_timeout=120, args=(name,))
    at.session_state["here"] = about(settings or Settings.of(n=20), **more)
    for key, value in (state or {}).items():
        at.session_state[key] = value
    return ran(at)


def never(*_, **__):
    raise AssertionError("made")


# ---- take it home -----------------------------------------------------------------------------------


@pytest.mark.parametrize("values", [{"n": 30, "held": 0.2, "noise": 0.2}, *OBJECTS.values()], ids=str)
def test_each_file_is_of_the_run_on_the_board(files, values):
    settings = Settings.of(**values)
    at = opened("take home", settings, picture=2)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    sheet = Worksheet(settings.without_cues, split, run, 2)
    wanted = {
        "numpy.py": ("text/x-python", script.numpy_script(settings, split)),
        "ipynb": ("application/x-ipynb+json", notebook.notebook(settings, split)),
        "worksheet.pdf": ("application/pdf", typeset.pdf(sheet.sheet())),
        "solutions.pdf": ("application/pdf", typeset.pdf(sheet.sheet(solved=True))),
        "run.csv": ("text/csv", record.to_csv(run)),
        "run.json": ("application/json", record.to_json(run, settings, split)),
        "examples.csv": ("text/csv", record.data_csv(split)),
        "settings.json": ("application/json", settings_file.write(settings)),
    }
    stem = f"kpviz-{settings.data}-{settings.kernel}"
    assert {name: (mime, make()) for name, (make, mime, _) in files.items()} == {
        f"{stem}.{ending}": made for ending, made in wanted.items()
    }
    assert {options["on_click"] for _, _, options in files.values()} == {"ignore"}
    short, whole = at.code[0].value, at.code[1].value
    assert whole == wanted["numpy.py"][1].rstrip()
    assert not re.search(r"\d\.\d{10}", short)  # the data are folded,
    assert [line for line in short.splitlines() if " … " not in line] == [  # and nothing else
        line for line in whole.splitlines() if line in short.splitlines()
    ]
    assert "mistakes.append" in short or "mistakes.append" not in whole
    assert f"kpviz train {stem}.settings.json -o run.csv" in [block.value for block in at.code]
    words = "\n".join(each.value for each in at.markdown)
    assert ("in their own units and in this order" in words) == ("data" not in values)


def test_nothing_is_made_or_trained_before_it_is_asked_for(files, monkeypatch):
    monkeypatch.setattr(runs, "comparison_of", never)
    opened("take home", Settings.of(n=12))
    with pytest.raises(AssertionError, match="made"):
        files["kpviz-xor-gaussian.run.csv"][0]()
    monkeypatch.setattr(page, "page", never)
    part("of_page")


def test_without_examples_or_typst_one_sentence_says_so(files, monkeypatch):
    at = opened("take home", Settings.of(data=DRAWN))
    assert any("no examples to learn from" in info.value for info in at.info)
    assert "kpviz-drawn-gaussian.numpy.py" not in files
    assert files["kpviz-drawn-gaussian.ipynb"][2]["disabled"] is True
    assert json.loads(files["kpviz-drawn-gaussian.settings.json"][0]())["points"] == []
    files.clear()
    monkeypatch.setitem(sys.modules, "typst", None)
    assert 'run pip install "kpviz[print]"' in opened("take home", Settings.of(n=12)).info[0].value
    assert "kpviz-xor-gaussian.worksheet.pdf" not in files


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("v=1&n=20&t=12&show=alpha.code", "v=1&n=20&t=12&show=alpha.code"),
        ("v=1&n=200&t=9", "v=1&n=20&t=7"),  # of other settings
        ("", "v=1&n=20&t=7"),
    ],
)
def test_the_link_and_its_code_are_of_what_is_shown(files, at_address, monkeypatch, address, wanted):
    coded = []
    make = segno.make
    monkeypatch.setattr(segno, "make", lambda content, **options: coded.append(content) or make(content, **options))
    at_address(f"{LAN}/?v=1&t=3")
    at = part("of_link", Settings.of(n=20), address=address, picture=7)
    frame = f'<iframe src="{LAN}/?{wanted.replace("&", "&amp;")}" width="960" height="600" allow="fullscreen"></iframe>'
    assert [block.value for block in at.code] == [f"{LAN}/?{wanted}", frame]
    assert coded == [f"{LAN}/?{wanted}"]
    at_address("http://localhost:8501")
    at = part("of_link", Settings.of(n=20), address=address)
    assert [info.value for info in at.info] == [join.why_no_code("http://localhost:8501/?v=1")]


@pytest.mark.parametrize(
    ("address", "words"),
    [
        (f"{LAN}/?v=1", None),
        (f"{LAN}/?{'x' * (900 - len(LAN) - 2)}", None),
        (f"{LAN}/?{'x' * (901 - len(LAN) - 2)}", "901"),
        *(
            (f"{here}/?v=1", "kpviz app --lan")
            for here in ("http://LOCALHOST:8501", "http://127.0.0.1", "http://[::1]", "")
        ),
    ],
)
def test_there_is_a_code_where_a_phone_can_read_and_reach_it(address, words):
    why = join.why_no_code(address)
    assert (why is None) == (words is None)
    assert words is None or words in why


@pytest.mark.parametrize(("n", "warned"), [(MOST_IN_LINKS, False), (MOST_IN_LINKS + 1, True)])
def test_points_that_a_link_cannot_hold_are_warned_of(files, n, warned):
    draw = np.random.default_rng(n)
    points = Drawn.of(draw.uniform(-1.0, 1.0, (n, 2)), draw.choice([-1.0, 1.0], n))
    settings = Settings.of(data=DRAWN, points=points.code, epochs=1)
    opened("take home", settings)
    at = part("of_link", settings)
    assert [warning.value.endswith("dropped there.") for warning in at.warning] == [True] * warned
    assert settings_file.read(files["kpviz-drawn-gaussian.settings.json"][0]())[0] == settings
    link = at.code[0].value.partition("?")[2]
    stored.keep_points(settings)  # as its page brings them
    assert Page(link).settings == settings  # while this server has them


# ---- pictures and pages -----------------------------------------------------------------------------


def test_only_what_is_in_front_is_made(monkeypatch):
    made = []
    names = {"Picture": "of_picture", "Film": "of_film", "Page": "of_page", "Link": "of_link"}
    for name in names.values():
        monkeypatch.setattr(dialogs, name, lambda session, name=name: made.append(name))
    for tab, name in names.items():
        made.clear()
        at = part("elsewhere", state={"elsewhere": tab})
        assert (at.button_group(key="elsewhere").options, made) == (list(names), [name])


def test_pictures_have_the_size_look_and_panels_that_are_chosen_and_shown(files, asked):
    settings = Settings.of(n=10, epochs=2)
    here = {"picture": 7, "address": f"{settings.link()}&show=code.lines&over=noise"}
    look = {"picture-theme": "print", "picture-clear": True}
    part("of_picture", settings, state={"picture-size-True": "square", **look}, **here)
    (_, _, chosen, size), _ = asked.pop()
    assert (chosen.theme, chosen.transparent, chosen.panels) == ("print", True, ("code", "lines"))
    assert (chosen.over, size) == ("noise", tuple(side / 200 for side in PICTURES["square"]))
    part("of_picture", settings, state={"picture-panel": "curve", "picture-size-False": "4:3"}, **here)
    arguments, _ = asked.pop()
    assert (arguments[1], arguments[2].only, arguments[3]) == (7, "curve", (9.6, 7.2))
    files.clear()
    part("of_picture", settings, picture=7)
    board = drawn(settings, 7, (12.8, 7.2))
    for kind in ("png", "svg", "pdf"):
        assert files[f"kpviz-xor-gaussian-step-7.{kind}"][0]() == figure.save(board, kind, dpi=200)


def test_what_has_nothing_to_show_says_so_and_makes_room_for_the_next(monkeypatch):
    for name in ("of_film", "of_page"):
        assert [info.value[:28] for info in part(name, Settings.of(data="drawn")).info] == [
            "There are no examples yet, s"
        ]
    pins = (Pin.of(Settings.of(n=20, sigma=0.2)),)
    assert not part("of_picture", pins=pins).caption
    message = "This is the current run; the pinned ones are on the picture of the whole board."
    assert [each.value for each in part("of_picture", pins=pins, state={"picture-panel": "map"}).caption] == [message]

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


def test_what_is_chosen_and_shown_is_in_the_page(files, monkeypatch):
    asked = []
    monkeypatch.setattr(page, "page", lambda *a, **o: asked.append((a, o)) or "")
    settings, pins = presets.PRESETS["budget"].settings()
    settings = settings.replace(cues="start hold 2: Look.|>Mine.")
    state = {"page-theme": "dark", "page-opens": "this step", "page-loop": True}
    at = part("of_page", settings, picture=7, pins=pins, state=state, address=f"{settings.link()}&show=alpha.code")
    ((name, (make, mime, _)),) = files.items()
    make()
    (((lineup, cues), options),) = asked
    assert (options["theme"], options["autoplay"], options["loop"]) == ("dark", True, True)
    assert (options["view"].t, options["view"].show, options.get("address")) == (7, ("alpha", "code"), None)
    assert (len(lineup.pinned), cues, mime) == (len(pins), Cues.of_code(settings.cues), "text/html")
    assert "notes are not in it" in at.caption[0].value
    assert "pinned runs are in it" in at.caption[0].value
    assert f'src="{name}"' in at.code[0].value


@pytest.mark.parametrize("dialog", ["picture", "lecture"])
def test_a_run_that_cannot_be_computed_ends_the_dialog_with_a_sentence(dialog, monkeypatch):
    def refused(*_):
        raise ValueError("This takes longer than the 180 s of [one] request.")

    monkeypatch.setattr(runs, "comparison_of", refused)
    (message,) = [each.value for each in opened(dialog).warning]
    assert message == r"This takes longer than the 180 s of \[one\] request."


# ---- films ------------------------------------------------------------------------------------------

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
    monkeypatch.setattr(films, "save", lambda made, path, progress: asked.append(made) or path.write_bytes(b"a film"))
    chosen = {"film-size": "square", "film-fps": 60, "film-part-20": (1, 3)}
    settings = Settings.of(n=20, epochs=1, cues="1 hold 0.2|3 hold 0.2")
    at = part_made(part("of_film", settings, state={**BRIEF, **chosen}), "make-film")
    make, mime, _ = files.pop("kpviz-xor-gaussian.mp4")
    (film,) = asked
    assert (make(), mime) == (b"a film", "video/mp4")
    assert ((film.width, film.height), film.fps) == (dialogs.SIZES["square"], 60)
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
        (ValueError("Films need ffmpeg, which is not here."), "Films need ffmpeg, which is not here."),
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


# ---- a lesson ---------------------------------------------------------------------------------------

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

## Another line
link: /fisher?v=1
"""
LESSON = format.read(TEXT)


def lesson_made(form, text=TEXT):
    state = {"lesson-form": form, **({"lesson-size": "720p"} if form == "film" else {})}
    return part_made(part("of_lesson", lesson={"text": text}, state=state), "make-lesson")


def test_each_file_of_a_lesson_is_that_of_the_command(files, monkeypatch):
    asked = []
    monkeypatch.setattr(films, "save", lambda made, path, progress: asked.append(made) or path.write_bytes(b"a film"))
    for form in ("handout", "solutions", "page", "slides", "captions", "film"):
        lesson_made(form)
    made = {name: (make(), mime) for name, (make, mime, _) in files.items()}
    spoken = films.captions(scenes.film(LESSON, FilmOptions())[0])
    slides = made.pop("lesson-slides.zip")[0]
    assert made == {
        "lesson-handout.pdf": (typeset.pdf(Handout(LESSON).sheet()), "application/pdf"),
        "lesson-solutions.pdf": (typeset.pdf(Handout(LESSON, solved=True).sheet()), "application/pdf"),
        "lesson-page.html": (lesson_page.page(LESSON, "lesson").encode(), "text/html"),
        "lesson-film.vtt": (pace.to_vtt(spoken), "text/plain"),
        "lesson-film.srt": (pace.to_srt(spoken), "text/plain"),
        "lesson-film.mp4": (b"a film", "video/mp4"),
    }
    assert [(each.width, each.height, len(each.parts)) for each in asked] == [(1280, 720, 3)]
    with zipfile.ZipFile(io.BytesIO(slides)) as archive:
        assert archive.namelist() == ["00-title.png", "01-the-line-1.png", "01-the-line-2.png", "02-another-line.png"]
        assert all(archive.read(name).startswith(b"\x89PNG") for name in archive.namelist())


@pytest.mark.parametrize("form", ["film", "slides"])
def test_what_a_film_or_slides_cannot_show_is_listed(files, form, monkeypatch):
    monkeypatch.setattr(films, "save", lambda made, path, progress: path.write_bytes(b"a film"))
    at = lesson_made(form, TEXT.replace("2 hold 0.2: Look.", "99: Never."))
    (listed,) = (each.value for each in at.caption if each.value.startswith("What cannot be shown:"))
    assert "- in scene 1, 99: this run has 8" in listed
    alone = TEXT.partition("## The lab")[0]
    assert not any(each.value.startswith("What cannot") for each in lesson_made(form, alone).caption)


def test_only_who_has_the_solutions_is_offered_them(tmp_path, monkeypatch):
    everything = ["Handout", "Solutions", "Page", "Slides", "Film", "Captions"]
    without = ["Handout", "Slides", "Film", "Captions"]
    monkeypatch.setenv(shelf.FOLDER, str(tmp_path))
    for name in ("mine", "lecture-1-perceptron"):
        (tmp_path / f"{name}.kpviz.md").write_text(TEXT, encoding="utf-8")
    for lesson, offered in [
        ({"text": TEXT}, everything),
        ({"text": LESSON.for_students}, without),
        ({"name": "mine"}, without),
        ({"name": "lecture-1-perceptron"}, without),  # the folder's own
        ({"name": "lecture-2-dual-and-kernels"}, everything),
    ]:
        at = part("of_lesson", lesson=lesson)
        assert list(at.segmented_control(key="lesson-form").options) == offered
        assert any("the lesson’s own file" in each.value for each in at.caption) == (offered == without)


def test_what_is_missing_or_wrong_is_said_in_a_sentence(files, monkeypatch):
    for lesson in ({}, {"name": "none"}, {"text": "## x"}, {"text": 5}):
        at = part("of_lesson", lesson=lesson)
        assert (len(at.warning), list(at.button)) == (1, [])
    at = lesson_made("slides", "---\ntitle: T\n---\n## A\nlink: v=1&data=file\n")
    assert at.session_state["here"].notice.startswith("Scene 1, 'A': ")
    assert not files
    monkeypatch.setitem(sys.modules, "typst", None)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(Path("no", "ffmpeg")))
    for form, why in (("handout", "typst"), ("film", "IMAGEIO\\_FFMPEG\\_EXE names no program")):
        at = part("of_lesson", lesson={"text": TEXT}, state={"lesson-form": form})
        assert (why in at.info[0].value, list(at.button)) == (True, [])
