"""The list of lectures and lessons as html.

Where to start or to go on, each lecture with its lessons, and the others.

Tests: tests/export/test_page.py, tests/commands/test_site.py.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Collection, Mapping
from html import escape
from pathlib import Path

from kpviz import tokens
from kpviz.lessons import shelf
from kpviz.lessons.explain import counted
from kpviz.lessons.file.lesson import Lesson
from kpviz.lessons.languages import translate
from kpviz.lessons.shelf import Shelves
from kpviz.player import modules

_SCRIPT = Path(__file__).with_name("progress.js")
_PUZZLES = "Puzzles: one sentence, one number"
_RECORDS = "In any order. The number is your record, kept in this browser only."
_WRITE = "A puzzle is a file: <code>kpviz lesson check</code> plays one that you have written."
_START = "Start"
_OF_SCRIPT = ("all done", "done", "Go on here", "Next", "Continue", _START)  # It says these.


def style() -> str:
    """Return the style of the list."""
    return modules.frontend("page/lesson/list.css")


def script(language: str = "en") -> str:
    """Return the script that says what is done of each lesson, in a language."""
    phrases = {english: translate(english, language) for english in _OF_SCRIPT}
    text = _SCRIPT.read_text(encoding="utf-8")
    return text.replace("PHRASES = {}", f"PHRASES = {json.dumps(phrases, ensure_ascii=False)}")


def accent() -> str:
    """Return the variable of the colour of badges, in both themes."""
    accents = ", ".join(tokens.THEMES[name]["accent"] for name in tokens.SCREENS)
    return f"--accent: light-dark({accents})"


def listing(
    read: Mapping[str, Lesson | str],
    shelves: Shelves,
    href: str,
    *,
    heading: str = "On this server",
    pictures: Mapping[str, bytes] | None = None,
    links_of: Mapping[str, str] | None = None,
    language: str = "en",
) -> str:
    """Return the cards of lessons.

    Parameters
    ----------
    read : each lesson by its name, or what is wrong with its file. shelves : their order.
    href : the address of a lesson, with {} for its name.
    heading : of those that did not come with kpviz and have no lecture; "": none.
    pictures : webp by name, of those that did not come with kpviz. links_of : html that stands on
        a card. language : of the list itself.
    """
    own_names, within, after = shelves

    def card(name: str, badge: str = "") -> str:
        picture = (pictures or {}).get(name) or _shipped(name)
        links = (links_of or {}).get(name, "")
        return _card(name, read[name], href, badge, picture, links, language)

    def shelved(heading: str, names: Collection[str]) -> str:
        cards = "".join(map(card, names))
        title = f"<h2 class='heading'>{translate(heading, language)}</h2>" if heading else ""
        return f"<section>{title}<div class='cards'>{cards}</div></section>" if names else ""

    first = next((name for names in within.values() for name in names), None)
    # It looks like a button, and the whole card is the link.
    go = f"<span class='go' aria-hidden='true'>{translate(_START, language)}</span>"
    parts = [f"<section class='start'>{card(first, 'Start here')}{go}</section>"] if first else []
    parts.append(shelved(heading, own_names))
    for number, (lecture, names) in enumerate(within.items(), 1):
        lessons = "".join(map(card, names))
        head = card(lecture, f"Lecture {number}, with a class")
        parts.append(f"<section class='lecture cards'>{head}{lessons}</section>")
    # What no lecture of the list has comes after these; a list without lectures has one heading.
    last = "Afterwards" if within or own_names else heading
    return "".join([*parts, shelved(last, after)])


def puzzles(read: Mapping[str, Lesson], href: str, heading: str = "On this server") -> str:
    """Return the cards of puzzles in their order, each with its start and one's own record.

    Those that did not come with kpviz stand under `heading`, without numbers.
    """
    numbers = {name: str(k) for k, name in enumerate(shelf.shipped_puzzles(), 1)}
    shipped = [
        _puzzle_card(name, read[name], href, number)
        for name, number in numbers.items()
        if name in read
    ]
    folder_cards = [
        _puzzle_card(name, read[name], href, "") for name in read if name not in numbers
    ]
    others = f"<h2 class='heading'>{heading}</h2><div class='cards'>{''.join(folder_cards)}</div>"
    return (
        f"<section class='puzzles'><header><h2>{_PUZZLES}</h2><p>{_RECORDS}</p>"
        "<a class='go' target='_self' hidden></a></header>"
        f"<div class='cards'>{''.join(shipped)}</div>{others if folder_cards else ''}"
        f"<footer><p>{_WRITE}</p>"
        "<button type='button' class='forget-records'>Forget my records</button></footer></section>"
    )


def _puzzle_card(name: str, lesson: Lesson, href: str, number: str) -> str:
    """Return the card of a puzzle: its start, what is asked, and the place of one's record."""
    (task,) = lesson.scenes[0].tasks
    picture = shelf.picture_of(name)
    image = base64.b64encode(picture.read_bytes()).decode() if number and picture.exists() else ""
    image_html = f"<img alt='' src='data:image/webp;base64,{image}'>" if image else ""
    number_html = f"<b>{number}</b> " if number else ""
    return (
        f"<article>{image_html}<h2><a href='{href.format(escape(name))}' target='_self'>"
        f"{number_html}{escape(lesson.title)}</a></h2><p class='ask'>{escape(task.ask)}</p>"
        f"<p class='about' data-puzzle='{task.mark}'>not played</p></article>"
    )


def _shipped(name: str) -> bytes | None:
    file = shelf.picture_of(name)
    return file.read_bytes() if shelf.is_shipped(name) and file.exists() else None


def _card(
    name: str,
    lesson: Lesson | str,
    href: str,
    badge: str,
    picture: bytes | None,
    links: str,
    language: str,
) -> str:
    """Return the card of a lesson.

    Its picture, title, minutes and tasks, and what one can do afterwards.
    """
    if isinstance(lesson, str):
        return f"<article><div><h2>{escape(name)}</h2><p>{escape(lesson)}</p></div></article>"
    objectives = "".join(f"<li>{escape(objective)}</li>" for objective in lesson.objectives)
    tasks = len(list(lesson.tasks))
    about = [
        f"{lesson.minutes:g} min" if lesson.minutes else "",
        counted(tasks, "task") if tasks else "",
    ]
    about = [translate(words, language) for words in about]
    about += [] if shelf.is_shipped(name) else [lesson.author]
    image = "" if picture is None else base64.b64encode(picture).decode()
    image_html = f"<img alt='' src='data:image/webp;base64,{image}'>" if image else ""
    badge_html = f"<p class='badge'>{translate(badge, language)}</p>" if badge else ""
    spoken = "" if lesson.language == language else f" lang='{escape(lesson.language)}'"
    return (
        f"<article>{image_html}<div>{badge_html}"
        f"<h2{spoken}><a href='{href.format(escape(name))}' target='_self'>"
        f"{escape(lesson.title)}</a></h2>"
        f"<p class='about'>{escape(' · '.join(filter(None, about)))}"
        f"<span data-lesson='{escape(name)}' data-tasks='{tasks}'></span></p>"
        f"{f'<ul{spoken}>{objectives}</ul>' if objectives else ''}{links}</div></article>"
    )
