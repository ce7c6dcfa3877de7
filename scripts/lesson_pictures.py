"""Draw a small picture of each lesson and puzzle that comes along, beside its file.

Run by `make assets`; a test compares what is there with what this writes.
"""

from __future__ import annotations

from kpviz.export.lesson_picture import picture
from kpviz.lessons import shelf

for name in [*shelf.paths_in(None), *shelf.puzzles()]:
    shelf.picture_of(name).write_bytes(picture(shelf.read(name)))
