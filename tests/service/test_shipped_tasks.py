"""Every task that comes along, answered by the messages of the player alone: what is right, and what is nearly so."""

from pathlib import Path

import pytest
from near_misses import NEAR
from visitor import ask

import kpviz
from kpviz.lessons import shelf
from kpviz.lessons.file.format import ENDING

FOLDER = Path(kpviz.__file__).parent / "lessons" / "shipped"
NAMES = sorted(path.name.removesuffix(ENDING) for path in FOLDER.glob(f"*{ENDING}"))


def sent(**question):
    return ask({"n": 1, "link": "v=1", "shown": True, "bring": {}, **question})[0]


def checked(name, place, tried, answer):
    scene, task = place
    given = {"scene": scene, "task": task, "tried": tried, "answer": answer}
    return sent(lesson={"name": name}, task=given)["checked"]


@pytest.mark.parametrize("name", NAMES)
def test_each_task_is_solved_and_refused_by_messages_alone(name):
    asked = sent(lesson={"name": name})["lesson"]
    lesson = shelf.read(name)
    assert [[each["kind"] for each in scene["tasks"]] for scene in asked["scenes"]] == [
        [task.kind for task in scene.tasks] for scene in lesson.scenes
    ]
    for s, scene in enumerate(lesson.scenes):
        for k, task in enumerate(scene.tasks):
            for tried in range(len(asked["scenes"][s]["tasks"][k]["start"])):
                if task.kind == "explain":
                    assert checked(name, (s, k), tried, {"text": "Because."})["right"] is None
                    continue
                right = task.solve(tried).answer
                said = checked(name, (s, k), tried, right)
                assert said["right"] is True, (task.ask, said)
                assert bool(said["because"]) == (bool(task.why) or task.kind == "number")
                for miss in NEAR[task.kind](task, right, tried):
                    said = checked(name, (s, k), tried, miss)
                    assert said["right"] is False, (task.ask, miss)
                    assert said["why"]
