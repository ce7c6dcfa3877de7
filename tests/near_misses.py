"""Answers that are nearly right, made from one that is, for each kind of task that is graded."""

from kpviz.lessons.file.links import Case


def near_predictions(task, answer, tried):
    verdicts = answer["verdicts"]
    return [
        {"verdicts": _changed(verdicts, k, _other(verdicts[k]))} for k in range(len(verdicts))
    ] + [{"verdicts": verdicts[1:]}]


def near_choices(task, answer, tried):
    right = set(answer["choices"])
    others = [right ^ {k} for k in range(len(task.question.choices))]
    return [{"choices": sorted(choices)} for choices in others]


def near_numbers(task, answer, tried):
    value = answer["number"]
    question = task.question
    room = 0.005 * abs(value) if question.tolerance is None else question.tolerance
    if question.tolerance is not None and question.relative:
        room *= abs(value)
    room = max(room, 1e-6)
    return [
        {"number": value + 1.01 * room},
        {"number": value - 1.01 * room},
        {"number": -value - room},
    ]


def near_clicks(task, answer, tried):
    right = answer["examples"]
    n = len(Case.of(task.start_of(tried)).run.y)
    more = next(i for i in range(n) if i not in right)
    return [{"examples": [*right, more]}, {"examples": right[1:]}, {"examples": [more, *right[1:]]}]


def near_links(task, answer, tried):
    """The start itself, and the solution with something changed that the task does not allow."""
    parts = [part for part in answer["link"].split("&") if not part.startswith(("tie=", "seed="))]
    changed = "&".join([*parts, "tie=positive", "seed=99"])  # one of them applies to any run
    return [{"link": task.start_of(tried).query}, {"link": changed}, {"link": "v=1"}]


def near_performances(task, answer, tried):
    steps = answer["steps"]
    misses = []
    for k, step in enumerate(steps):
        misses.append(_changed(steps, k, {**step, "verdict": _other(step["verdict"])}))
        stranger = next(i for i in range(99) if i not in {i for i, _ in step["bricks"]})
        misses.append(_changed(steps, k, {**step, "bricks": [*step["bricks"], [stranger, 1]]}))
        if step["bricks"]:
            misses.append(_changed(steps, k, {**step, "bricks": step["bricks"][1:]}))
        misses.append(_changed(steps, k, {**step, "b": step.get("b", 0) + 1}))
    return [{"steps": wrong_steps} for wrong_steps in [*misses, steps[:-1]]]


def _changed(values, k, value):
    return [*values[:k], value, *values[k + 1 :]]


def _other(verdict):
    return "correct" if verdict == "mistake" else "mistake"


NEAR = {
    "predict": near_predictions,
    "choose": near_choices,
    "number": near_numbers,
    "click": near_clicks,
    "reach": near_links,
    "draw": near_links,
    "puzzle": near_links,
    "perform": near_performances,
}
