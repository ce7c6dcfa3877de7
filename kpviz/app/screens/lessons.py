"""The page of the lessons that this server has."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from kpviz.app.switch import HERE
from kpviz.lessons import shelf

if TYPE_CHECKING:
    from kpviz.lessons.file.lesson import Lesson

_FILES = "To open a lesson of your own (<code>*.kpviz.md</code>), drop it on the board."


def page() -> None:
    """A list, each with its objectives and a way into the player."""
    st.html(HERE / "style.css")
    st.html(_listed(shelf.paths()))


def _listed(names: Iterable[str]) -> str:
    cards = "".join(_card(name) for name in names)
    pages = {"./": "Perceptron", "lab": "Kernels", "fisher": "Fisher’s discriminant"}
    ways = " ".join(f"<a href='{path}'>{name} →</a>" for path, name in pages.items())
    ways = f"<nav aria-label='Pages'>{ways}</nav>"
    return f"<div class='kpviz-lessons'><header><h1>kpviz: lessons</h1>{ways}</header>{cards}<p>{_FILES}</p></div>"


def _card(name: str) -> str:
    try:
        lesson = shelf.read(name)
    except ValueError as error:
        return f"<article><h2>{escape(name)}</h2><p>{escape(str(error))}</p></article>"
    objectives = "".join(f"<li>{escape(objective)}</li>" for objective in lesson.objectives)
    goals = f"<p>Afterwards you can:</p><ul>{objectives}</ul>" if objectives else ""
    return (
        f"<article><h2><a href='./?lesson={escape(name)}'>{escape(lesson.title)}</a></h2>"
        f"<p>{escape(_about(lesson))}</p>{goals}</article>"
    )


def _about(lesson: Lesson) -> str:
    tasks = sum(1 for _ in lesson.tasks)
    parts = [
        f"{lesson.minutes:g} minutes" if lesson.minutes else "",
        f"{len(lesson.scenes)} scenes" if len(lesson.scenes) != 1 else "1 scene",
        "" if not tasks else f"{tasks} tasks" if tasks > 1 else "1 task",
        lesson.author,
    ]
    return " · ".join(part for part in parts if part)
