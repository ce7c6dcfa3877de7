"""What students get of a lesson: the file without its solutions, and plain data for the page."""

from __future__ import annotations

import re
from typing import Any

from kpviz import panels
from kpviz.lessons import comparison, presets
from kpviz.lessons.file import format, words
from kpviz.lessons.file.lesson import Lesson, Scene, Task
from kpviz.lessons.file.links import PLAY, Link
from kpviz.settings.conditions import has_plane


def students(lesson: Lesson) -> str:
    r"""Return the file without `solution`, `why`, `answer` and `when` of the tasks, and without notes.

    >>> print(students(format.read("---\ntitle: XOR\n---\n## S\nlink: v=1\n> notes: Wait.\n")))
    ---
    title: XOR
    for: students
    ---
    ## S
    link: v=1
    <BLANKLINE>
    """
    lines = re.split(format.BREAK, lesson.text.removeprefix("\ufeff"))
    kept: list[str] = []
    for number, line in enumerate(lines, 1):
        if number not in lesson.private:
            kept.append(line)
        elif line.lstrip().startswith(">") and kept and kept[-1]:
            kept.append("")  # what stood above notes, and below, stays apart
    fences = [at for at, line in enumerate(kept) if line.strip() == "---"]
    if not lesson.students and len(fences) > 1 and not "".join(kept[: fences[0]]).strip():
        kept.insert(fences[1], "for: students")
    return "\n".join(kept)


def plain(lesson: Lesson, *, notes: bool = False) -> dict[str, Any]:
    """Return plain data for the page: nothing in it gives an answer away. `notes`: with those of the lecturer."""
    return {
        "title": lesson.title,
        "author": lesson.author,
        "language": lesson.language,
        "objectives": list(lesson.objectives),
        "minutes": lesson.minutes,
        "scenes": [_scene(scene, notes=notes) for scene in lesson.scenes],
    }


def _scene(scene: Scene, *, notes: bool) -> dict[str, Any]:
    cues = scene.cues.plain
    if not notes:
        cues["cues"] = [{**cue, "notes": ""} for cue in cues["cues"]]
    return {
        "heading": scene.heading,
        "link": _link(scene.link),
        "words": list(scene.words),
        "cues": cues,
        "notes": list(scene.notes) if notes else [],
        "knobs": list(scene.knobs),
        "minutes": scene.minutes,
        "tasks": [_task(task) for task in scene.tasks],
    }


def _task(task: Task) -> dict[str, Any]:
    return {
        "kind": task.kind,
        "ask": list(words.inline(task.ask)),
        "hints": [list(words.inline(hint)) for hint in task.hints],
        "start": [_link(task.start_of(tried)) for tried in range(max(len(task.seeds), 1))],
        "tries": task.tries,
        **task.question.plain,
    }


def _link(link: Link) -> dict[str, str]:
    return {"page": link.page, "query": link.query}


def panels_of(link: Link) -> list[str] | None:
    """Return the panels with which a scene opens: of its link, else the default ones; None where it has no board.

    >>> panels_of(Link(query="v=1&compare=svm"))
    ['alpha', 'own', 'margins', 'lines']
    """
    if link.page != PLAY or not link.query:
        return None
    if (named := link.view.show) is not None:
        return list(named)
    ready = presets.PRESETS.get(link.pairs.get(comparison.READY, ""))
    return [*panels.shown_by_default(plane=has_plane(link.settings.values)), *(ready.shows if ready else ())]
