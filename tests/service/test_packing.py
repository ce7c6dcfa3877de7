"""The answer that a page without a server holds."""

import base64
import gzip
import json

from kpviz.player import payload
from kpviz.service.packing import packed, packed_lesson


def header_of(answer):
    return payload.unpack(gzip.decompress(base64.b64decode(answer["zipped"])))[0]


def test_it_has_the_run_and_all_settings():
    answer = packed("v=1&data=moons&n=30")
    header = header_of(answer)
    assert answer["link"] == answer["canonical"] == header["link"] == "v=1&data=moons&n=30"
    assert set(header["dock"]["groups"]) == {"data", "kernel", "learner", "compare"}
    assert len(header["runs"]) == 1


def test_it_has_what_the_panels_of_the_link_need_and_what_else_is_asked_for():
    assert packed("v=1&n=20&show=alpha.gram")["extras"] == ["gram"]
    assert packed("v=1&n=20&show=alpha", extras={"gram"})["extras"] == ["gram"]
    assert packed("v=1&n=20")["extras"] == []


def test_a_lesson_has_its_scenes_the_starts_of_its_tasks_and_what_answers_are_compared_with():
    lesson = packed_lesson("lesson-07-width")
    links = [answer["link"] for answer in lesson.answers["play"]]
    assert lesson.addresses == {"play": "lesson-07-width.html"}
    assert links[0] == ""
    content = json.loads(gzip.decompress(base64.b64decode(lesson.content)))
    for scene in content["plan"]["scenes"]:
        starts = [start for task in scene["tasks"] for start in task["start"]]
        assert {link["query"] for link in (scene["link"], *starts)} <= {*links}
    (reach, _, choose, *_), (_, number, *_) = content["tasks"]
    assert choose["answers"][0]["right"] == [0, 1]
    assert number["kind"] == "number"
    assert reach["measured"][links[1]]["right"] is False
    assert "right" not in json.dumps(content["plan"]["scenes"][0]["tasks"])


def test_it_is_the_same_each_time():
    assert packed("v=1&n=20") == packed("v=1&n=20")


def test_fisher_s_page_has_one_too():
    assert header_of(packed("", page="fisher"))["dock"]["groups"]
