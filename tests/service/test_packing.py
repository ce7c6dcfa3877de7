"""The answer that a page without a server holds."""

import base64
import gzip

from kpviz.player import payload
from kpviz.service.packing import packed


def header_of(answer):
    return payload.unpack(gzip.decompress(base64.b64decode(answer["zipped"])))[0]


def test_it_has_the_run_and_all_settings():
    answer = packed("v=1&data=moons&n=30")
    header = header_of(answer)
    assert answer["link"] == header["link"] == "v=1&data=moons&n=30"
    assert set(header["dock"]["groups"]) == {"data", "kernel", "learner", "compare"}
    assert len(header["runs"]) == 1


def test_it_has_what_the_panels_of_the_link_need_and_what_else_is_asked_for():
    assert packed("v=1&n=20&show=alpha.gram")["extras"] == ["gram"]
    assert packed("v=1&n=20&show=alpha", extras={"gram"})["extras"] == ["gram"]
    assert packed("v=1&n=20", more_groups=["only:sigma"])["extras"] == []


def test_it_is_the_same_each_time():
    assert packed("v=1&n=20") == packed("v=1&n=20")


def test_fisher_s_page_has_one_too():
    assert header_of(packed("", page="fisher"))["dock"]["groups"]
