"""What a lesson says is tried: links, cues, knobs, and the solution of every task, with every seed."""

from __future__ import annotations

from pathlib import Path

import pytest

from kpviz.lessons.file import check, format

EXAMPLE = (Path(__file__).parent / "example.kpviz.md").read_text(encoding="utf-8")
HEAD = "---\ntitle: T\n---\n"


def found(text):
    return [(fault.line, fault.what) for fault in check.check(format.read(text))]


def test_the_example_is_right_and_so_is_its_copy_for_students():
    lesson = format.read(EXAMPLE)
    assert check.check(lesson) == []
    assert check.check(format.read(lesson.for_students)) == []


def scene(lines, link="v=1&data=xor"):
    return f"{HEAD}## S\nlink: {link}\n{lines}"


def task(kind, lines):
    return scene(f"```task {kind}\nask: A\n{lines}\n```")


WRONG = {
    "a setting that is none": (scene("", "v=1&data=xro"), [(5, "data=xro is not one of its values")]),
    "a step that the run has not": (scene("", "v=1&t=9999"), [(5, "names step 9,999, but its run has 180 steps")]),
    "a panel that is none": (scene("", "v=1&show=alhpa"), [(5, "show names a panel that is not known")]),
    "a pin that is none": (scene("", "v=1&pins=9"), [(5, "pins is not a number from 0 to 3")]),
    "points cut off": (scene("", "v=1&data=drawn&points=abc"), [(5, "drawn points of the link cannot be read")]),
    "points that only a browser has": (scene("", "v=1&data=drawn&points=~abc"), [(5, "only names its drawn points")]),
    "a file": (scene("", "v=1&data=file&file=a~b"), [(5, "does not hold the rows of a file")]),
    "a tab of the lab that is none": (scene("", "/lab?tab=vaild"), [(5, "tab is not a setting")]),
    "a set of Fisher's page that is none": (scene("", "/fisher?data=no"), [(5, "data=no is not one of its values")]),
    "cues on a page without a run": (scene("```cues\nstart\n```", "/fisher?v=1"), [(7, "Cues need a run")]),
    "cues that the run has not": (
        scene("```cues\nmistake 99\nstart light x99\n0: Again.\nepoch 3\n```"),
        [
            (7, "The cue names mistake 99, but this run has 11."),
            (8, "The cue names x99, but the last of this run is x59."),
            (9, "The cue names 0, but this instant has a cue already."),
        ],
    ),
    "a knob that turns nothing": (scene("knobs: degree"), [(4, "The knob degree does not apply in this scene")]),
    "a link among the words": (scene("\nOne\n[two](?v=1&data=xro)"), [(8, "data=xro is not one of its values")]),
    "a link in a hint": (task("explain", "hint: [See](/lab?tab=no)"), [(8, "tab is not a setting")]),
    "a start that is none": (task("predict", "start: v=1&data=xro"), [(8, "data=xro is not one of its values")]),
    "a start without examples": (
        task("predict", "start: v=1&data=drawn"),
        [(6, "The task has no solution: The link has no examples to learn from")],
    ),
    "a start on a page without a run": (
        task("predict", "start: /fisher?v=1"),
        [(6, "The task has no solution: A task needs a run")],
    ),
    "more steps than there are": (task("predict", "start: v=1&t=179\ncount: 3"), [(6, "but 1 follow step 179")]),
    "a number that is none": (task("number", "value: 1 / last_mistakes"), [(6, "it divides by 0")]),
    "a number without an end": (
        task("number", "value: bound\nstart: v=1&data=xor&kernel=sigmoid&coef0=-1"),
        [(6, "no mistake bound applies")],
    ),
    "no example to click on": (
        task("click", "where: alpha(i) > 99"),
        [(6, "The condition holds of no example".lower())],
    ),
    "choices of which none is true": (
        task("choose", "choice: A\nwhen: cycles\nchoice: B\nwhen: not separable"),
        [(6, "None of the choices is true")],
    ),
    "letters that the conditions contradict": (
        task("choose", "choice: A\nwhen: cycles\nchoice: B\nwhen: converged\nanswer: A"),
        [(6, "The answer is A, but the conditions hold of B.")],
    ),
    "a solution that does not hold": (
        task("reach", "start: v=1&sigma=3\nwithin: sigma 0.1 to 3\nuntil: bricks <= 9\nsolution: v=1&sigma=1"),
        [(11, "The solution does not hold: it does not hold yet: bricks ")],
    ),
    "a solution beyond the limits": (
        task("reach", "start: v=1&sigma=3\nwithin: sigma 1 to 3\nuntil: bricks <= 99\nsolution: v=1&sigma=0.5"),
        [(11, "σ 0.5 is not allowed here")],
    ),
    "a solution that holds with one seed only": (
        task(
            "reach",
            "start: v=1&sigma=3\nwithin: sigma 0.1 to 3\nuntil: converged and bricks <= 12\nseeds: 0, 3\n"
            "solution: v=1&sigma=0.5",
        ),
        [(12, "The solution does not hold with seed 3")],
    ),
    "a task that is solved at first": (
        task("reach", "start: v=1\nwithin: sigma 0.1 to 3\nuntil: converged\nsolution: v=1&sigma=0.4"),
        [(10, "The condition holds at the start already")],
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_hold_is_named_with_its_line(name):
    text, expected = WRONG[name]
    faults = found(text)
    assert [line for line, _ in faults] == [line for line, _ in expected], faults
    for (_, what), (_, part) in zip(faults, expected, strict=True):
        assert part.lower() in what.lower()
        assert what[-1] in ".?"


def test_pages_without_a_run_can_be_scenes():
    assert found(scene("", "https://kpviz.example/fisher?v=1&data=moons&angle=best")) == []


def test_a_ready_comparison_can_be_a_scene():
    assert found(scene("", "v=1&compare=svm")) == []
    assert any("compare names a comparison that is not known" in why for _, why in found(scene("", "compare=swm")))


def test_a_file_of_cues_is_right_without_a_run():
    assert found("start: Look.\nmistake 999\n") == []
