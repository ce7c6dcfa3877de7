"""What `import kpviz` costs, and that files that comments name are there; `pyproject.toml` has the
import contract.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEAVY = {"streamlit", "matplotlib", "sklearn", "scipy", "pandas"}


def loaded_by(code):
    """The heavy packages that a fresh interpreter has loaded after `code`."""
    script = f"import sys\n{code}\nprint(*sorted({HEAVY!r} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(done.stdout.split())


def test_importing_and_training_loads_no_heavy_package():
    training = (
        "X, y = kpviz.make_dataset('moons', 30); run = "
        "kpviz.train(kpviz.learners.Perceptron(), X, y)"
    )
    reading = "run.state_at(3); run.decision_function(X, predictor='voted'); dir(kpviz)"
    assert loaded_by(f"import kpviz\n{training}\n{reading}") == set()


ALONE = """
THERE = {*sys.stdlib_module_names, "kpviz", "numpy", "latex2mathml", "markdown_it", "mdurl"}


class NumpyAlone:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in THERE and not top.startswith("_"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, NumpyAlone())
import kpviz

X, y = kpviz.make_dataset("moons", 40)
for learner in kpviz.learners.LEARNERS.values():
    run = kpviz.train(learner(), X, y, kernel=kpviz.kernels.Gaussian(0.5), epochs=2)
    assert run.decision_function(X, predictor="averaged").shape == (40,)
doubled = kpviz.train(learner(), X, y, kernel=2 * run.kernel)
assert kpviz.load(doubled.link).link == doubled.link
assert run.page("a.html").stat().st_size > 100_000
assert "<iframe" in run._repr_html_()
assert run._repr_png_() is None
for lacking in (
    lambda: kpviz.KernelPerceptron(gamma=1.0),
    lambda: type("Own", (kpviz.KernelPerceptron,), {}),
    lambda: kpviz.FisherDiscriminant(),
    lambda: kpviz.make_dataset("iris"),
    lambda: kpviz.train(learner(), X, y, kernel=kpviz.kernels.Mixture(2)),
    lambda: kpviz.theory.max_margin(run.gram, y),
    lambda: kpviz.sweep("v=1", "sigma", [1.0]),
    lambda: run.plot(),
    lambda: run.film("a.mp4"),
):
    try:
        lacking()
    except (ImportError, ValueError) as error:
        print(error)
from kpviz import cli

sys.modules["streamlit"] = None
assert cli.main(["train", "data=xor", "--quiet", "-o", "csv:run.csv"]) == 0
assert cli.main(["render", "data=xor", "--quiet", "-o", "run.html"]) == 0
assert cli.main(["render", "lesson-01-first-steps", "--quiet", "-o", "lesson.html"]) == 0
for line in (
    "sweep data=xor sigma",
    "plot data=xor -o a.png",
    "render data=xor -o a.mp4",
    "lesson worksheet data=xor -o a.pdf",
    "lesson handout lesson-01-first-steps -o a.pdf",
    "lesson slides lesson-01-first-steps -o a.pdf",
    "app --no-browser",
):
    sys.stderr = sys.stdout
    assert cli.main(line.split()) == 1
"""


def test_the_core_runs_with_numpy_alone_and_names_what_else_is_needed(tmp_path):
    script = f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n{ALONE}"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert done.stderr == ""
    sentences = done.stdout.splitlines()
    wanted = ["sklearn"] * 7 + [
        "plot",
        "film",
        "sklearn",
        "plot",
        "film",
        "print",
        "print",
        "plot",
        "app",
    ]
    sentence = r'.+ needs \S+, which is not installed: run pip install "kpviz\[(\w+)\]"\.'
    assert [re.fullmatch(sentence, each)[1] for each in sentences] == wanted


LOOKED_AT = """
import contextlib, inspect, io
import kpviz

names = dict(inspect.getmembers(kpviz))
assert set(kpviz.__all__) <= set(names) <= set(dir(kpviz)) | set(vars(kpviz))
assert all(hasattr(kpviz, name) for name in kpviz.__all__)
assert not hasattr(kpviz, "nothing")
page = io.StringIO()
with contextlib.redirect_stdout(page):
    help(kpviz)
    help(kpviz.KernelPerceptron)
assert "kpviz.KernelPerceptron needs scikit-learn" in page.getvalue()
from kpviz import *
assert train is kpviz.train
"""


def test_with_numpy_alone_all_names_can_be_looked_at_and_imported_by_a_star(tmp_path):
    blocked = (
        "import sys\nfor name in ('sklearn', 'scipy', 'pandas', 'matplotlib'):\n    "
        "sys.modules[name] = None\n"
    )
    script = f"{blocked}sys.path.insert(0, {str(ROOT)!r})\n{LOOKED_AT}"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, timeout=120
    )
    assert (done.stdout, done.stderr) == ("", "")


def test_the_app_that_lacks_a_package_says_so_in_one_sentence():
    code = "import runpy, sys; sys.modules['pandas'] = None; runpy.run_path('app.py')"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=120
    )
    assert (
        done.stderr
        == 'The app needs pandas, which is not installed: run pip install "kpviz[app]".\n'
    )


def test_the_server_starts_without_the_engine():
    code = (
        "from kpviz.app import serving; serving.options(); assert not {'numpy', "
        "'kpviz.engine'} & set(sys.modules)"
    )
    assert loaded_by(code) == {"streamlit"}
    command = (
        "from kpviz import cli; cli._parser(); assert not {'numpy', 'kpviz.engine'} & "
        "set(sys.modules)"
    )
    assert loaded_by(command) == set()


def test_the_first_answer_loads_nothing_that_draws_nor_what_reads_lessons():
    answering = (
        "import asyncio; from kpviz.service import answer, work\n"
        "async def compute(work): return work.compute()\n"
        "assert asyncio.run(answer.answer({'n': 1, 'page': 'play', 'link': 'v=1'}, compute))"
    )
    page = (
        "from kpviz.app import session; from kpviz.lessons import shelf; assert 'markdown_it' "
        "not in sys.modules"
    )
    assert loaded_by(f"{answering}\n{page}") == {"streamlit"}


def test_the_estimator_brings_scikit_learn_only():
    loaded = loaded_by("from kpviz import KernelPerceptron")
    assert not loaded & {"streamlit", "matplotlib"}
    assert "sklearn" in loaded


def test_files_that_comments_name_are_there():
    files = [path for path in ROOT.glob("kpviz/**/*") if path.suffix in (".py", ".js", ".ts")]
    named = {
        name
        for path in files
        for name in re.findall(r"\bkpviz/[\w/]+\.(?:py|js)\b", path.read_text("utf-8"))
    }
    assert len(named) > 10
    assert [name for name in sorted(named) if not (ROOT / name).is_file()] == []


def test_a_module_with_code_says_where_its_tests_are_and_they_are_there():
    silent, wrong = [], []
    for path in sorted(ROOT.glob("kpviz/**/*.py")):
        text = path.read_text("utf-8")
        place = path.relative_to(ROOT).as_posix()
        _docstring, *code = ast.parse(text).body
        head = "".join(text.splitlines(keepends=True)[: code[0].lineno - 1 if code else None])
        # `help` shows a docstring: in what is public, the line is a comment beneath it.
        said = re.search(r"^(?:# )?Tests: (.+)\.$", head, re.MULTILINE)
        if said:
            wrong += [(place, name) for name in said[1].split(", ") if not (ROOT / name).is_file()]
        elif code:
            silent.append(place)
    assert wrong == []
    assert silent == [], (
        'write "Tests: tests/….py." as the last line of the docstring of the module'
    )


def test_each_room_of_the_player_has_a_row_that_says_where_its_tests_are():
    web = ROOT / "kpviz/player/web"
    rooms = {path.parent.relative_to(web).as_posix() for path in web.rglob("*.js")}
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `([\w/]+)/` \| (`tests/.*`) \|$", text, re.MULTILINE))
    assert set(rows) == rooms
    named = [name for row in rows.values() for name in re.findall(r"`([^`]+)`", row)]
    assert [name for name in named if not (ROOT / name).is_file()] == []


WEB = ROOT / "kpviz/player/web"
# What any room may have of `modes/`: the stack, what is done and held, and what makes the modes.
COMMON = "actions|holds|modes|pages|reading|standing"
# Files that name a mode nevertheless, and which. What is no longer needed here has to go.
NAMING = {
    # What of a scene stands still is called so, too.
    "board/scene.js": {"standing"},
    "panels/map.js": {"standing"},
    "panels/margins.js": {"standing"},
    # So is the layout of whoever asks, which is that of four modes and of the lesson.
    "board/compared_layout.js": {"question"},
    "board/narrow_layout.js": {"question"},
    # The order of the examples is a setting.
    "page/lesson/fields.js": {"order"},
    "run/run.js": {"order"},
    # A run has Fisher's discriminant, or null.
    "panels/projections.js": {"fisher"},
}


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)


def names_of_modes():
    """What the modes are called: by themselves, and by the stage."""
    texts = {path.stem: path.read_text("utf-8") for path in WEB.glob("modes/*.js")}
    kept = re.search(r"const standing = {\n(.*?)\n  };", texts["standing"], re.DOTALL)[1]
    keys = re.findall(r"^    (\w+)[:,]", kept, re.MULTILINE)
    name = r'^  name = "([\w ]+)";|\bname: "([\w ]+)",\s+holds: '
    named = [pair for text in texts.values() for pair in re.findall(name, text, re.MULTILINE)]
    return {*keys, *(own or held for own, held in named)}


def modes_named_in(text, names):
    """The modes that a file of the player names: imported, compared with, or found on the page by
    a class of their elements; and `standing`, from which it would take those of a stage.
    """
    code = without_comments(text)
    either = "|".join(sorted(names))
    selectors = [
        name
        for string in re.findall(r'"((?:\\.|[^"\\\n])*)"', code)
        for name in re.findall(rf"\.({either})(?![\w-])", string)
    ]
    return {
        *re.findall(rf'from "[./]*modes/(?!(?:{COMMON})\.js)(\w+)\.js"', code),
        *re.findall(rf'(?:[!=]== |case |isOn\()"({either})"', code),
        *re.findall(r"(?:\.|[{,] *)(fisher)\b(?! *:)", code),
        *re.findall(r"(?<!modes[./])\b(standing)\b(?! = standingModes)", code),
        *selectors,
    }


def test_outside_of_modes_no_file_of_the_player_names_one():
    names = names_of_modes()
    assert {"present", "lesson", "run question", "runQuestion", "scrub", "Fisher"} <= names
    for line in (
        'import { Edit } from "../modes/edit.js";',
        "stage.standing.edit.toggle()",
        "const way = ({ standing }, back) => standing.edit.ask(back);",
        "const { player, standing } = this.stage;",
        'if (hold !== "scrub") return;',
        'element.closest(".lesson .scene")',
    ):
        assert modes_named_in(line, names), line
    named = {
        path.relative_to(WEB).as_posix(): modes_named_in(path.read_text("utf-8"), names)
        for path in sorted(WEB.rglob("*.js"))
        if path.parent != WEB / "modes"
    }
    assert {place: found for place, found in named.items() if found} == NAMING, (
        "ask the stack what you want to know: modes.ask(…), modes.all(…)"
    )


def keeps_the_map(text):
    """Whether a mode of this file takes the map, and none in it makes way for another one."""
    return "\n  takesMap = true;" in text and "\n  makeWay() {" not in text


def test_a_mode_that_takes_the_map_leaves_it_to_the_next_one():
    files = sorted((ROOT / "kpviz/player/web/modes").glob("*.js"))
    kept = [path.name for path in files if keeps_the_map(path.read_text("utf-8"))]
    assert kept == [], "answer makeWay() by leaving the stack of modes, as edit.js does"
    edit = (ROOT / "kpviz/player/web/modes/edit.js").read_text("utf-8")
    assert keeps_the_map(edit.replace("makeWay() {", "stays() {"))


def test_what_is_read_of_a_run_knows_no_player():
    files = sorted((ROOT / "kpviz/player/web/run").glob("*.*s"))
    assert {"run.js", "types.d.ts"} <= {path.name for path in files}
    above = [
        (path.name, line)
        for path in files
        for line in re.findall(r".*@import.*\.\./.*|.*\bplayer\.\w.*", path.read_text("utf-8"))
    ]
    assert above == [], "what reads the player is of board/"


STATE = "runs|t|mode|shown|pinned|pointer"


def set_past_the_state(text):
    """Where a file changes what the board shows without saying by `change({ …` what it changes."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    named = re.sub(rf"\.change\(\{{\s*(?:{STATE})\b", "", code)
    return re.findall(
        rf"\b(?:player|state)\.(?:{STATE}) (?:[-+]|\?\?)?= .*"
        r"|\.(?:shown|mode|stack)\.(?:add|delete|clear|push|pop|splice)\(.*"
        r"|\bpinned\.\w+ = .*|\bpointer\.\w+ = .*|assign\((?:\w+\.)?(?:pinned|pointer),.*"
        r"|\bstate\.change\(.*",
        named,
    )


def test_only_the_state_of_the_board_sets_what_it_shows_and_each_change_says_what():
    web = ROOT / "kpviz/player/web"
    past = {
        path.relative_to(web).as_posix(): set_past_the_state(path.read_text("utf-8"))
        for path in sorted(web.rglob("*.js"))
        if path != web / "board/state.js"
    }
    assert {place: lines for place, lines in past.items() if lines} == {}, (
        "write state.change({ t: 7 }), so that a search for change({ t finds it"
    )
    for line in ("player.t = 7;", "state.change(values);", "player.shown.add(name);"):
        assert set_past_the_state(line)


def test_corners_are_round_by_the_two_lengths_that_there_are():
    lengths = {"--round": set(), "--corner": set()}
    for file in sorted(ROOT.joinpath("kpviz").rglob("*.css")):
        style = file.read_text(encoding="utf-8")
        for radius in re.findall(r"border-radius: ([^;}]+)", style):
            plain = re.sub(r"var\(--(round|corner)\)|calc\(var\(--corner\) / 2\)|50%|0", "", radius)
            assert not plain.strip(), f"{file.name}: {radius}"
        for name, length in re.findall(r"(--round|--corner): ([^;]+);", style):
            lengths[name].add(length)
    assert lengths == {
        "--round": {"calc(1.6 * var(--kpviz-label, 14px))", "22px"},
        "--corner": {"10px"},
    }
    theme = ROOT.joinpath("kpviz/app/.streamlit/config.toml").read_text(encoding="utf-8")
    assert 'buttonRadius = "22px"\nbaseRadius = "10px"' in theme
