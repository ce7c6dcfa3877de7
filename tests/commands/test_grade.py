"""`kpviz lesson grade` computes every answer again, finds what was changed by hand, and is stopped
by no file.
"""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from kpviz.commands import grade
from kpviz.lessons import grading
from kpviz.lessons.file import format

EXAMPLE = (Path(__file__).parents[1] / "lessons" / "example.kpviz.md").read_text(encoding="utf-8")
LESSON = format.read(EXAMPLE)
FIRST = "1.1 points: Which of the first three examples are mistakes?"
SECOND = "2.1 points: Find a width with no error at the end, and at most 15 …"
TRIES = "tries (reported)"
WRONG = {"predict": {"verdicts": ["correct"] * 3}, "reach": {"link": "v=1&data=xor&sigma=3"}}


def task_of(place):
    return LESSON.scenes[place[0]].tasks[place[1]]


def answered(place, *, wrong_first=0):
    """What the page keeps of a task that is solved after some wrong tries."""
    task, answers = task_of(place), []
    for tried in range(wrong_first + 1):
        answer = WRONG[task.kind] if tried < wrong_first else dict(task.solve(tried).answer)
        right, at = tried == wrong_first, f"2026-10-05T08:{10 * place[0] + tried:02}:00+00:00"
        link = answer.get("link", task.start_of(tried).query)
        answers.append({"answer": answer, "right": right, "link": link, "at": at, "try": tried})
    scene, number = place[0] + 1, place[1] + 1
    return {
        "scene": scene,
        "task": number,
        "tries": len(answers),
        "hints": 0,
        "right": True,
        "answers": answers,
    }


def handed_in(*done, **changed):
    plain = {
        "kpviz": "results",
        "version": 1,
        "lesson": "lecture",
        "title": LESSON.title,
        "tasks": list(done),
    }
    return {**plain, **changed}


def put(name, found):
    path = Path("class", name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(found if isinstance(found, str) else json.dumps(found), encoding="utf-8")


@pytest.fixture(autouse=True)
def lesson(folder):
    for place in ("lecture.kpviz.md", "lessons/lecture.kpviz.md"):
        Path(place).parent.mkdir(exist_ok=True)
        Path(place).write_text(EXAMPLE, encoding="utf-8")


@pytest.fixture
def grades(kpviz):
    """Grade the folder; return the rows by student."""

    def run(*arguments, code=0):
        found, printed, complaint = kpviz(
            "lesson", "grade", "class", *(arguments or ("--lesson", "lecture.kpviz.md"))
        )
        assert found == code, complaint
        return {row["student"]: row for row in csv.DictReader(io.StringIO(printed))}

    return run


@pytest.fixture
def report(kpviz):
    """Grade the folder; return the report."""

    def run():
        assert (
            kpviz(
                "lesson", "grade", "class", "--lesson", "lecture.kpviz.md", "--out", "grades.csv"
            )[0]
            == 0
        )
        return Path("grades.report.md").read_text(encoding="utf-8")

    return run


def test_each_student_gets_a_row_with_what_the_engine_says(grades):
    put("ada.results.json", handed_in(answered((0, 0)), answered((1, 0), wrong_first=2)))
    put("Grace_17/xor.json", handed_in(answered((0, 0))))
    rows = grades()
    ada, grace = rows["ada"], rows["Grace_17/xor"]
    assert list(ada) == [
        *("student", "points", "of", FIRST, f"1.1 {TRIES}", SECOND, f"2.1 {TRIES}"),
        *("begun (reported)", "lesson", "file", "notes"),
    ]
    assert list(ada.values()) == [
        *("ada", "2", "2", "1", "1", "1", "3"),
        *("2026-10-05T08:00:00+00:00", LESSON.title, "ada.results.json", ""),
    ]
    assert [grace[name] for name in ("points", SECOND, f"2.1 {TRIES}")] == ["1", "", ""]
    assert [*rows] == ["Grace_17/xor", "ada"]  # and nothing else


def test_the_table_has_a_line_for_each_student_and_an_id_where_one_was_given(kpviz):
    put("ada.json", handed_in(answered((0, 0)), student="Ada", id=" 0012\n34 "))
    put("bob.json", handed_in(answered((0, 0)), student="Bob", id=7))
    _, printed, _ = kpviz("lesson", "grade", "class", "--lesson", "lecture.kpviz.md")
    lines = [*csv.reader(io.StringIO(printed))]
    assert len({len(line) for line in lines}) == 1
    assert [line[:4] for line in lines] == [
        ["student", "id", "points", "of"], ["Ada", "0012 34", "1", "2"], ["Bob", "", "1", "2"],
    ]  # fmt: skip


def test_the_report_says_the_averages_and_which_wrong_answer_was_given_most(report):
    others = [handed_in({**answered((0, 0)), "student": "x"}) for _ in range(3)]
    wrong = ["correct, correct, correct", "correct, mistake, mistake", "correct, mistake, mistake"]
    for k, (each, verdicts) in enumerate(zip(others, wrong, strict=True)):
        each["tasks"][0]["answers"][0]["answer"] = {"verdicts": verdicts.split(", ")}
        put(f"{k}.json", each)
    put("ada.json", handed_in(answered((0, 0))))
    right = task_of((0, 0)).solve().answer["verdicts"]
    most = max((each for each in wrong if each.split(", ") != right), key=wrong.count)
    (line,) = (line for line in report().splitlines() if line.startswith("| 1.1 "))
    *_, answered_by, share, tries, wrong_one = (
        cell.strip() for cell in line.strip("|").split(" | ")
    )
    assert (answered_by, tries, wrong_one) == ("4", "1.00", f"{most} ({wrong.count(most)})")
    assert (
        share == f"{sum(each.split(', ') == right for each in (*wrong, ', '.join(right))) / 4:.0%}"
    )


@pytest.mark.parametrize(
    "answer", [{}, 7, {"choices": [99]}, {"number": "x"}, {"verdicts": {"a": 1}}, {"link": None}]
)
def test_an_answer_that_no_page_sends_has_no_words_or_its_own(answer):
    assert len(grading.in_brief(answer)) <= 80


def test_the_name_that_a_student_gave_stands_in_place_of_the_file(grades):
    put("hour.results.json", handed_in(answered((0, 0)), student=" Ada\n L. "))
    put("hour-2.results.json", handed_in(answered((0, 0)), student=7))
    rows = grades()
    assert (rows["Ada L."]["file"], rows["hour-2"]["points"]) == ("hour.results.json", "1")


def forged(change):
    found = handed_in(answered((0, 0)), answered((1, 0), wrong_first=1))
    change(found["tasks"][1], found["tasks"][1]["answers"])
    return found


@pytest.mark.parametrize(
    ("change", "points", "note"),
    [
        (
            lambda task, answers: answers[1]["answer"].update(WRONG["reach"]),
            "1",
            "says right, the engine says wrong",
        ),
        (lambda task, answers: answers[0].update(right=True), "2", "(answer 1)"),
        (
            lambda task, answers: answers[0].update(right=True),
            "2",
            "more answers follow a right one",
        ),
        (
            lambda task, answers: answers[1].update(right=False),
            "2",
            "the file says wrong, the engine says right",
        ),
        (
            lambda task, answers: task.update(right=False),
            "2",
            "says wrong of the task, right of the last answer",
        ),
        (
            lambda task, answers: answers[1].update(link="no link"),
            "2",
            "its link is not a link of kpviz",
        ),
        (
            lambda task, answers: answers[1].update(link="v=1&data=circles"),
            "2",
            "not the one that was answered",
        ),
        (
            lambda task, answers: answers[1]["answer"].update(link="no link"),
            "1",
            "the engine says wrong (answer 2)",
        ),
        (
            lambda task, answers: answers[1]["answer"].update(link="v=1&data=moons"),
            "1",
            "the engine says wrong",
        ),
        (lambda task, answers: task.update(tries=1), "2", "1 try said, 2 answers given"),
        (lambda task, answers: answers.pop(0), "2", "2 tries said, 1 answer given"),
        (lambda task, answers: answers.pop(0), "2", "the tries are not numbered in order"),
        (
            lambda task, answers: answers[1].update(at="2026-10-04T08:00:00Z"),
            "2",
            "the times are not in order",
        ),
        (lambda task, answers: answers[1].update(at="at noon"), "2", "a time cannot be read"),
        (lambda task, answers: answers.clear(), "1", "the file says right, without an answer"),
        (lambda task, answers: task.update(scene=7), "1", "Task 7.1 is not in the lesson."),
        (lambda task, answers: task.update(scene=1), "1", "Task 1.1 stands twice."),
        (
            lambda task, answers: task.update(answers=answers * 4, tries=8),
            "2",
            "8 tries made, 5 allowed",
        ),
    ],
)
def test_what_was_changed_by_hand_is_found_out_and_gives_no_points(grades, change, points, note):
    put("eve.json", forged(change))
    row = grades()["eve"]
    assert note in row["notes"]
    assert row["points"] == points


@pytest.mark.parametrize(
    ("link", "note"),
    [
        (None, ""),
        ("v=1&data=moons", "shows another run"),
        ("v=1&sigma=3&t=7", ""),
        ("", "not a link"),
    ],
)
def test_a_link_that_shows_another_run_is_named_and_results_that_nobody_changed_have_no_notes(
    grades, link, note
):
    done = answered((0, 0))
    done["answers"][0].update({} if link is None else {"link": link})
    put("eve.json", handed_in(done))
    row = grades()["eve"]
    assert (note in row["notes"], bool(row["notes"]), row["points"]) == (True, bool(note), "1")


def nested(depth):
    text = json.dumps(handed_in(answered((0, 0))))
    return text.replace(
        '{"verdicts": ', '{"verdicts": ' + "[" * depth + "]" * depth + ', "other": '
    )


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"kpviz": "results", "version": ' + "1" * 10_000 + "}", "not JSON"),
        (json.dumps(handed_in()).replace("[]", "NaN"), "not JSON"),
        ("7", "not a file of results"),
        ('{"v": 1, "data": "xor"}', "not a file of results"),
        (handed_in(tasks={}), "not a file of results"),
        (handed_in(tasks=[7]), "not a file of results"),
        (
            handed_in({**answered((0, 0)), "answers": [answered((0, 0))["answers"][0]] * 1000}),
            "not a file of results",
        ),
        (handed_in({**answered((0, 0)), "scene": -1}), "not a file of results"),
        (handed_in({**answered((0, 0)), "tries": 1e400}), "not JSON"),
        (handed_in(version=2), "This file of results was saved by a newer kpviz: update this one."),
        (handed_in(version="one"), "Its version is not one that kpviz writes"),
        (" " * 2_000_001, "larger than 2 MB"),
    ],
    ids=str,
)
def test_one_bad_file_gets_a_sentence_and_stops_no_other(grades, content, why):
    put(
        "bad.json",
        content if isinstance(content, str) else json.dumps(content).replace("Infinity", "NaN"),
    )
    put("good.json", handed_in(answered((0, 0))))
    rows = grades(code=1)
    assert why in rows["bad"]["notes"]
    assert (rows["bad"]["points"], rows["good"]["points"], rows["good"]["notes"]) == ("", "1", "")


@pytest.mark.parametrize("depth", [10, 300, 600, 800, 900, 950, 990])
def test_an_answer_that_is_nested_deeply_is_wrong_or_refused(kpviz, depth):
    put("bad.json", nested(depth))
    put("good.json", handed_in(answered((0, 0))))
    _, printed, _ = kpviz("lesson", "grade", "class", "--lesson", "lessons")
    bad, good = csv.DictReader(io.StringIO(printed))
    assert (bad["points"], good["points"]) in (("0", "1"), ("", "1"))
    assert any(
        why in bad["notes"] for why in ("the engine says wrong", "not JSON", "nested too deeply")
    )


def test_no_cell_is_a_formula_for_a_spreadsheet(grades):
    put("=HYPERLINK(1).json", handed_in(answered((0, 0))))
    put("odd.json", handed_in(title="=1+1"))
    rows = grades()
    assert "'=HYPERLINK(1)" in rows
    assert all(not cell.startswith("=") for row in rows.values() for cell in row.values() if cell)


@pytest.mark.parametrize(
    "cell", ["=1", "a;=1;b", "a\n-1", "\n@a", "\t=1", "a;\t+1", "＝1", "a; =1"]
)
def test_no_part_of_a_cell_is_a_formula_where_semicolons_split(cell):
    parts = re.split(r"[;\t\r\n]", grade._harmless(cell))
    assert not [part for part in parts if part.strip()[:1] in set("=+-@＝")]
    assert grade._harmless("y = -1; all right") == "y = -1; all right"


def test_a_name_of_a_file_does_nothing_to_a_terminal(kpviz):
    put("esc\x1b[31m\nkpviz: forged.json", "no JSON")
    _, _, complaints = kpviz(
        "lesson", "grade", "class", "--lesson", "lecture.kpviz.md", "--out", "grades.csv"
    )
    assert complaints.count("\n") == 3
    assert "\x1b" not in complaints


def test_a_lesson_is_found_by_its_name_or_its_title(grades):
    put("by-name.json", handed_in(answered((0, 0))))
    put("by-title.json", handed_in(answered((0, 0)), lesson=LESSON.title))
    put("lost.json", handed_in(answered((0, 0)), lesson="other", title="Other"))
    rows = grades("--lesson", "lessons", code=1)
    assert [rows[name]["points"] for name in ("by-name", "by-title", "lost")] == ["1", "1", ""]
    assert "There is no lesson named 'other'" in rows["lost"]["notes"]


def test_what_is_written_in_own_words_is_in_the_report_gives_no_points_and_the_same_words_are_named(
    report, grades
):
    text = EXAMPLE + "\n```task explain\nask: Why?\n```\n"
    Path("lecture.kpviz.md").write_text(text, encoding="utf-8")

    def wrote(words, **changed):
        answer = {
            "answer": {"text": words},
            "right": None,
            "link": "v=1",
            "at": "2026-10-05T08:00:00Z",
            "try": 0,
        }
        return handed_in(
            {"scene": 2, "task": 2, "tries": 1, "hints": 0, "right": None, "answers": [answer]},
            **changed,
        )

    put("ada.json", wrote("-1 is\nodd"))
    put("bob.json", wrote(" -1 is odd", student="Bob"))
    put("eve.json", wrote("<b>[x](y)</b> | 1", student="Eve"))
    row = grades()["ada"]
    assert (row["points"], row["of"], row["notes"]) == ("0", "2", "")
    assert not any("2.2" in name for name in row)
    _, _, words = report().partition("## 2.2 Why?\n\n")
    assert words == (
        "The same words: ada, Bob.\n\n**ada**\n\n> -1 is\n> odd\n\n**Bob**\n\n> -1 is odd\n\n"
        "**Eve**\n\n> \\<b\\>\\[x\\](y)\\</b\\> \\| 1\n"
    )


def test_signatures_are_said_to_be_no_longer_looked_at(grades):
    done = [answered((0, 0)), answered((1, 0))]
    done[1]["answers"][0].update(after="", signature="0" * 64)
    put("ada.json", handed_in(*done))
    row = grades("--lesson", "lessons")["ada"]
    assert (row["points"], row["notes"]) == (
        "2",
        "Its answers are signed, but signatures are no longer looked at.",
    )


def test_the_table_is_written_to_a_file_and_what_it_holds_is_said(kpviz):
    put("ada.json", handed_in(answered((0, 0))))
    put("bad.json", "x")
    put("eve.json", forged(lambda task, answers: answers[0].update(right=True)))
    code, printed, complaint = kpviz(
        "lesson", "grade", "class", "--lesson", "lecture.kpviz.md", "--out", "grades.csv"
    )
    assert (code, printed) == (1, "")
    assert complaint.startswith("kpviz: 'bad.json': It is not JSON")
    assert (
        "wrote grades.csv: 2 graded, 1 with notes, 1 not readable\nwrote grades.report.md: averages"
        in complaint
    )
    assert Path("grades.csv").read_text(encoding="utf-8").count("\n") == 4
    told = (
        Path("grades.report.md").read_text(encoding="utf-8").partition("## To be looked at\n\n")[2]
    )
    assert [line.partition(" (")[0] for line in told.splitlines()] == ["- bad", "- eve", "- eve"]
    named = (
        "lesson",
        "grade",
        "class",
        "--lesson",
        "lecture.kpviz.md",
        "--report",
        "words.md",
        "--quiet",
    )
    assert kpviz(*named)[1] == Path("grades.csv").read_text(encoding="utf-8")
    assert Path("words.md").read_text(encoding="utf-8") == Path("grades.report.md").read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize("length", [1, 59, 60, 61, 200])
def test_the_title_of_another_lesson_is_quoted_whole_where_it_is_short_and_by_its_beginning_where_it_is_long(
    grades, length
):
    title = ("Another lesson of many words, " * 10)[:length]
    put("eve.json", handed_in(answered((0, 0)), title=title))
    quoted = re.search(r"It is for another lesson, '(.*?)'\.", grades()["eve"]["notes"])[1]
    beginning, cut, end = quoted.partition("…")
    assert (title.startswith(beginning), end, len(quoted)) == (True, "", min(length, 60))
    assert bool(cut) == (length > 60)
