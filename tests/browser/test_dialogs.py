"""What is done beside the player: one's own file, pictures to take along, and work that can be cancelled."""

import imageio_ffmpeg
import pytest

from kpviz import experiment
from kpviz.settings import Settings

GOOD = "height,weight,kind\n" + "\n".join(
    f"{150 + k},{50 + (k * 7) % 23 + (30 if k % 2 else 0)},{'tall' if k % 2 else 'short'}" for k in range(40)
)
WRONG = {  # and a part of the sentence about it
    "empty.csv": ("", "empty.csv"),
    "words.csv": ("a,b,label\nx,y,1\nz,w,2\n", "only one numeric column"),
    "one-class.csv": ("a,b,label\n1,2,yes\n3,4,yes\n5,6,yes\n", "No column can be the label"),
    "binary.csv": ("\x00\x01\x02PNG\x89", "binary.csv"),
}


def upload(player, name, text):
    player.page.locator(".dock input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": text.encode("utf-8")}
    )


def open_data(player):
    player.page.locator(".chip[data-group=data]").click()
    player.page.locator(".dock summary").click()


def test_a_good_file_runs_and_a_wrong_one_leaves_it_in_place(player):
    player.open("/?v=1&t=5")
    open_data(player)
    upload(player, "people.csv", GOOD)
    player.until("s.run.header.names.data === 'My own file'").rest()
    assert player.js("[s.run.n, s.t, s.run.header.names.classes.join()]") == [40, 0, "short,tall"]
    assert set(player.js("s.run.header.names.features")) == {"height", "weight"}
    player.press("PageDown").rest()
    assert player.t > 0
    assert player.page.locator(".chip[data-group=data]").inner_text().startswith("people.csv · seed 0")
    query = player.query
    for name, (text, part) in WRONG.items():
        upload(player, name, text)
        error = player.page.locator(".notices p span", has_text=part)
        error.wait_for()
        words = error.inner_text().strip()
        assert words.endswith("."), words
        assert len(words.splitlines()) == 1, words
        assert player.query == query
    player.page.wait_for_url("**data=file**")
    player.reload()
    assert player.js("s.run.header.names.data") == "My own file"  # this server still has it


@pytest.mark.in_app
def test_the_instant_is_offered_as_a_picture_in_three_formats_and_as_a_storyboard(player):
    player.open("/?v=1&t=12&held=0.2").button("picture").click()
    dialog = picture(player)
    for kind, magic in (("PNG", b"\x89PNG\r\n"), ("SVG", b"<?xml"), ("PDF", b"%PDF-")):
        with player.page.expect_download() as download:
            dialog.get_by_role("button", name=kind).click()
        assert download.value.path().read_bytes().startswith(magic)
        assert download.value.suggested_filename == f"kpviz-xor-gaussian-step-12.{kind.lower()}"
    dialog.get_by_role("tab", name="Storyboard").click()
    dialog.get_by_text("Pictures").first.wait_for()
    with player.page.expect_download() as download:
        dialog.get_by_role("button", name="PDF").click()
    assert download.value.path().read_bytes().startswith(b"%PDF-")
    assert download.value.suggested_filename == "kpviz-xor-gaussian-storyboard.pdf"


def picture(player):
    """The dialog with the picture, once all of it is there."""
    dialog = player.page.locator("[data-testid=stDialog]")
    dialog.get_by_role("button", name="PDF").wait_for()
    dialog.locator("img").wait_for()
    return dialog


@pytest.mark.in_app
def test_the_picture_dialog_closes_and_gives_the_keys_back(player):
    player.open("/?v=1&t=12").press("i")
    dialog = picture(player)
    player.press("ArrowRight", " ")
    assert (player.t, player.js("s.clock.playing")) == (12, False)  # the dialog has the keys
    dialog.get_by_role("button", name="Close").click()
    dialog.wait_for(state="detached")
    player.press("ArrowRight")
    assert player.t == 13
    player.press("g").until("s.run.header.settings.query.includes('sigma')")
    assert dialog.count() == 0
    player.press("i")
    picture(player)


@pytest.mark.in_app
def test_long_work_shows_its_progress_and_cancel_goes_back(player):
    """From a quick setting to one that trains for long: progress, Cancel, and the quick one is there again."""
    quick = Settings.of(n=1000, flipped=0.5, kernel="linear", epochs=1, order="shuffled", predictor="voted")
    player.open(f"/?{quick.query()}&t=10")
    player.js("(window.kept = s, 0)")
    player.page.locator(".chip[data-group=learner]").click()
    slider = player.page.locator(".dock [data-field='slider epochs'] input[type=range]")
    slider.focus()
    player.press("End")
    working = player.page.locator(".working")
    working.get_by_role("button", name="Cancel").wait_for()
    working.get_by_text("steps, about").wait_for()
    working.get_by_role("button", name="Cancel").click()
    working.wait_for(state="hidden")
    player.until("s.run.header.settings.query === arg", quick.query()).rest()
    assert player.js("window.kept === s && r.isConnected")
    assert player.t == 10
    player.press("PageDown")
    assert player.t == int(experiment.run(quick).mistake[10:].argmax()) + 11
    assert player.page.url.partition("?")[2].startswith(quick.query())


@pytest.mark.in_app
def test_a_link_that_trains_for_long_can_be_cancelled_at_once(player):
    hard = Settings.of(n=1000, flipped=0.5, kernel="linear", epochs=1000, order="random", predictor="voted")
    player.page.goto(f"{player.base}/?{hard.query()}")
    cancel = player.page.get_by_role("button", name="Cancel")
    cancel.wait_for()
    cancel.click()
    player.ready()
    assert player.settings == Settings.of()


@pytest.mark.in_app
def test_a_film_is_made_beside_the_page_and_can_be_cancelled(player, tmp_path):
    player.open("/?v=1&n=20&cues=start%20hold%200.2%7Cend%20hold%200.2").press("i")
    page = player.page
    page.get_by_role("tab", name="Film").click()
    make, cancel = (page.get_by_role("button", name=name) for name in ("Make the film", "Cancel"))
    make.click()
    cancel.wait_for()
    page.get_by_text("frames, about").wait_for()
    cancel.click()
    cancel.wait_for(state="detached")
    make.and_(page.locator(":enabled")).wait_for()
    assert page.get_by_text("The film is done.").count() == 0
    size = page.locator(".st-key-film-size [role=combobox]")
    size.click()
    page.get_by_role("option", name="720p").click()
    page.locator(".st-key-film-speed input[type=range]").focus()
    player.press("End")  # 25 times as fast
    page.get_by_text("25 ×", exact=True).first.wait_for()
    page.get_by_label("Title").fill("")
    page.get_by_label("Title").press("Enter")
    make.click()
    save = page.get_by_role("button", name="Save kpviz-xor-gaussian.mp4")
    save.wait_for(timeout=120_000)
    page.get_by_text("The film is done.").wait_for()
    with page.expect_download() as download:
        save.click()
    download.value.save_as(tmp_path / "film.mp4")
    frames, _ = imageio_ffmpeg.count_frames_and_secs(str(tmp_path / "film.mp4"))
    assert frames > 20


LESSON = """---
title: A lesson
---
## The line
link: v=1&n=8&kernel=linear&epochs=1
"""


@pytest.mark.in_app
def test_the_lesson_that_is_open_is_taken_home(player):
    player.open("/?v=1").js("(s.lesson.read({ text: arg }), 0)", LESSON)
    player.until("s.lesson.open && !s.lesson.arriving").settle().press("a")
    dialog = player.page.locator("[data-testid=stDialog]")
    dialog.get_by_text("A lesson, all of it:").wait_for()
    for form, name, magic in [("Page", "lesson-page.html", b"<!doctype html>"), ("Slides", "lesson-slides.zip", b"PK")]:
        dialog.get_by_role("radio", name=form).click()
        dialog.get_by_role("button", name="Make it").click()
        save = dialog.get_by_role("button", name=f"Save {name}")
        save.wait_for()
        with player.page.expect_download() as download:
            save.click()
        assert download.value.path().read_bytes()[: len(magic)].lower() == magic.lower()
    dialog.get_by_role("button", name="Close").click()
    dialog.wait_for(state="detached")
    player.js("(s.lesson.close(), 0)")
    player.press("a")
    dialog.get_by_text("Show me the Python").first.wait_for()  # Streamlit shows it twice for a moment
    assert dialog.get_by_text("all of it:").count() == 0
