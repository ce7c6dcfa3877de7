"""Pages of the documentation that say what a table of kpviz says: written anew by each build, never
by hand.

Learners, kernels, comparisons and commands have a page each. The tables of `reference/` are in the
repository, too, for readers there: between two comments, without links to pages that only a build
has (`scripts/reference.py` writes them).
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from live_figure import experiments_of, picture

import kpviz
from kpviz import cli, experiment, kernels, learners, primal, theory
from kpviz.engine.data.objects import OBJECTS
from kpviz.lessons import explain, shelf
from kpviz.lessons.file import names
from kpviz.lessons.file.lesson import Lesson
from kpviz.lessons.file.links import Link
from kpviz.lessons.learner_words import words_of
from kpviz.lessons.presets import GROUPS, PRESETS
from kpviz.panels import ABOUT, PANELS
from kpviz.player import modules
from kpviz.settings import LINK_NAMES, PROPERTIES, Property, Settings
from kpviz.settings.kernel_words import kernel_label

# What the figure of a learner or a kernel shows; kernels of other objects have the data that they
# compare.
_BUDGET = "data=moons&n=200&seed=2&epochs=5&budget=10&show=alpha.own"
_NEW = "data=moons&epochs=10&show=alpha.own"  # A learner that is in no table yet has this figure.
LEARNER_LINKS = {
    "perceptron": "show=alpha.margins.bound",
    "oldest": _BUDGET,
    "randomized": _BUDGET,
    "forgetron": _BUDGET,
    "projectron": "data=circles&n=120&epochs=10&sigma=1&show=alpha.own",
    "norma": "data=moons&stream=on&n=400&drift=2&flipped=0&show=own",
    "svm": "data=linear&kernel=linear&C=1000&show=alpha.own.lines",
    "logistic": "data=moons&noise=0.25&seed=2&epochs=10&show=alpha.margins",
}
KERNEL_LINKS = {
    "linear": "data=linear",
    "gaussian": "data=xor&n=40&epochs=10",
    "polynomial": "data=circles&n=40&epochs=10",
    "monomial": "data=circles&intercept=unit&show=alpha.lift",
    "sigmoid": "data=moons&coef0=-1&show=gram.validity",
    "subsets": "data=bits",
    "formula": "data=xor&show=derivation.gram",
    "density": "data=moons&n=40&epochs=5",
    "mixture": "data=moons&n=24&components=3&epochs=5",
}
_GROUPS = {
    "data": "Data",
    "question": "A question about an object",
    "kernel": "Kernel",
    "learner": "Learner",
    "order": "Order and length of the training",
    "reading": "Reading",
    "cues": "Cues",
}
_WIDE = "---\nhtml_theme.sidebar_secondary.remove: true\n---\n\n"  # A figure has the room.


_TABLE = re.compile(r"<!-- table: (\w+) -->\n.*?<!-- end of the table -->\n", re.DOTALL)


def with_tables(page: str, *, build: bool) -> str:
    """Return a page of `reference/` with its tables as they are now: for a `build`, or as the
    repository has them.
    """
    tables = {name.removeprefix("tables/").removesuffix(".md"): text for name, text in _tables()}

    def filled(match: re.Match[str]) -> str:
        name = match[1]
        text = tables[name] if build else _for_reading(tables[name])
        return f"<!-- table: {name} -->\n\n{text.strip()}\n\n<!-- end of the table -->\n"

    return _TABLE.sub(filled, page)


def _for_reading(text: str) -> str:
    """Return Markdown as any reader shows it: what only Sphinx knows is left out."""
    text = re.sub(r"```\{toctree\}\n.*?```\n", "", text, flags=re.DOTALL)
    text = re.sub(r"^\([\w-]+\)=\n", "", text, flags=re.MULTILINE)
    return re.sub(r"\[([^\]]+)\]\(\.\./generated/[^)]+\)", r"\1", text)


def pages(folder: Path) -> None:
    """Write all pages; those that would not change keep their time, so that Sphinx reads only what
    is new.
    """
    written = {folder / name: text for name, text in _pages()}
    for path in set(folder.rglob("*.md")) - written.keys():
        path.unlink()
    for name in PRESETS:
        _draw(folder / "gallery" / f"{name}.webp", f"compare={name}")
    for path, text in written.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def _draw(path: Path, query: str) -> None:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(picture(Link.read(query), (640, 360)))


def _pages() -> Iterator[tuple[str, str]]:
    for name, kind in learners.LEARNERS.items():
        yield f"learners/{name}.md", _learner(name, kind)
    for name, kind in kernels.KERNELS.items():
        yield f"kernels/{name}.md", _kernel(name, kind)
    for name, preset in PRESETS.items():
        yield f"gallery/{name}.md", _comparison(name, preset)
    yield from _api()
    yield from _tables()


def _tables() -> Iterator[tuple[str, str]]:
    for name, text in (
        ("learners", _list_of_learners()),
        ("kernels", _list_of_kernels()),
        ("comparisons", _comparisons()),
        ("lessons", _lessons()),
        ("settings", _settings()),
        ("panels", _panels()),
        ("keys", _keys()),
        ("conditions", _conditions()),
        ("commands", _commands()),
        ("api", _index_of_api()),
    ):
        yield f"tables/{name}.md", text


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table in Markdown."""
    lines = [
        list(head),
        *([str(cell).replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows),
    ]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _code(text: object) -> str:
    return f"`{text}`"


# ---- learners and kernels ------------------------------------------------------------------------


def _learner(name: str, kind: type[learners.Learner]) -> str:
    about = kind().about
    words = words_of(kind())
    query = f"v=1&learner={name}&{LEARNER_LINKS.get(name, _NEW)}"
    return "\n".join(
        [
            f"{_WIDE}# {about.title}\n",
            f"{about.idea}\n",
            _figure(query),
            f"## The rule\n\n$$\n{words.rule().formulas}\n$$\n",
            "```text\n" + "\n".join(words.code) + "\n```\n",
            f"**Bound.** {about.bound}\n",
            f"## Settings\n\nIn links: `learner={name}`.\n",
            _parameters(kind.ranges, kind.choices),
            f"## In Python\n\n```{{eval-rst}}\n.. autoclass:: "
            f"kpviz.learners.{kind.__name__}\n```\n",
        ]
    )


def _kernel(name: str, kind: type[kernels.Kernel]) -> str:
    kernel = kind()
    data = next(
        (f"data={data}" for data, source in OBJECTS.items() if name in source.kernels), "data=xor"
    )
    chosen = KERNEL_LINKS.get(name, data if kind.compares != "vectors" else "data=xor")
    subject = "This formula" if kind is kernels.Formula else "It"
    verb = {"yes": "is", "no": "is not"}.get(kernel.psd)
    why = f": {kernel.proof[1]}" if kernel.proof[1] else "."
    return "\n".join(
        [
            f"{_WIDE}# {kind.name}\n",
            f"$$\nk(u, v) = {kernel.latex}\n$$\n",
            *([f"{subject} {verb} positive semidefinite{why}\n"] if verb else []),
            _figure(f"v=1&kernel={name}&{chosen}"),
            f"## Settings\n\nIn links: `kernel={name}`. It compares {kind.compares}.\n",
            _parameters(kind.ranges, {}),
            f"## In Python\n\n```{{eval-rst}}\n.. autoclass:: kpviz.kernels.{kind.__name__}\n```\n",
        ]
    )


def _parameters(ranges: dict[str, Any], choices: dict[str, tuple[Any, ...]]) -> str:
    rows = [
        (
            _code(name),
            _code(LINK_NAMES.get(name, name)),
            limits.symbol,
            limits.words,
            span,
            default + _none(limits),
        )
        for name, limits in ranges.items()
        for span, default in [_span(limits)]
    ]
    rows += [
        (
            _code(name),
            _code(LINK_NAMES.get(name, name)),
            "",
            "",
            ", ".join(map(_choice, values)),
            _choice(values[0]),
        )
        for name, values in choices.items()
    ]
    head = ("In Python", "In links", "Symbol", "Meaning", "Offered values", "Default")
    return table(head, rows) if rows else "It has no parameters.\n"


def _choice(value: Any) -> str:
    return (
        f"{_code('on' if value else 'off')} (Python: {_code(value)})"
        if isinstance(value, bool)
        else _code(value)
    )


def _none(limits: Any) -> str:
    return " (Python: `None`)" if limits.off is not None and limits.off == limits.default else ""


def _span(limits: Any) -> tuple[str, str]:
    return (
        f"{limits.low:g} to {limits.high:g}{', whole numbers' if limits.integer else ''}",
        f"{limits.default:g}",
    )


def _figure(query: str) -> str:
    """Return the figure of a link at its end, with how its run ended as its caption."""
    run = kpviz.load(query)
    settings = run.input.settings
    known = [experiment.title(settings), kernel_label(run.kernel), run.learner.about.title]
    ended = explain.ending(run, stream=settings.stream == "on")
    caption = f"{' · '.join(filter(None, known))}. {ended}"
    return f"```{{kpviz}} {query}&t={run.n_steps}\n:height: 560\n:caption: {caption}\n```\n"


def _list_of_learners() -> str:
    rows = (
        (f"[{kind().about.title}](../generated/learners/{name}.md)", kind().about.idea)
        for name, kind in learners.LEARNERS.items()
    )
    return table(("Learner", "What it answers"), rows) + _toctree("learners", learners.LEARNERS)


def _list_of_kernels() -> str:
    rows = (
        (
            f"[{kind.name}](../generated/kernels/{name}.md)",
            f"${kind().latex}$",
            kind.compares,
            "depends" if kind is kernels.Formula else kind().psd,
        )
        for name, kind in kernels.KERNELS.items()
    )
    head = ("Kernel", "k(u, v)", "Compares", "Positive semidefinite")
    return table(head, rows) + _toctree("kernels", kernels.KERNELS)


def _toctree(folder: str, entries: Iterable[str]) -> str:
    return (
        "\n```{toctree}\n:hidden:\n\n"
        + "\n".join(f"/generated/{folder}/{name}" for name in entries)
        + "\n```\n"
    )


# ---- the gallery ---------------------------------------------------------------------------------


def _comparison(name: str, preset: Any) -> str:
    end = experiments_of(Link.read(f"compare={name}")).end
    figure = f"```{{kpviz}} compare={name}&t={end}\n:height: 560\n:alt: {preset.words}\n```\n"
    return (
        f"{_WIDE}# {preset.title}\n\n{preset.question}\n\n{figure}\nIn links: `compare={name}`.\n"
    )


def _cards(columns: str, cards: Iterable[tuple[str, str, str, str, str]]) -> str:
    """Return cards: of each the picture, the title, a line about it, where it leads, and what kind
    of link that is.
    """
    items = (
        f":::{{grid-item-card}} {title}\n:img-top: {image}\n:img-alt:\n:link: {link}\n:link-type: "
        f"{kind}\n\n"
        f"{line}\n:::\n"
        for image, title, line, link, kind in cards
    )
    return f"::::{{grid}} {columns}\n:gutter: 3\n\n" + "\n".join(items) + "::::\n"


def _comparisons() -> str:
    parts = []
    for group, members in GROUPS.items():
        cards = ((f"/generated/gallery/{name}", PRESETS[name]) for name in members)
        rows = (
            (f"{path}.webp", preset.title, preset.question, path, "doc") for path, preset in cards
        )
        parts.append(f"### {group}\n\n{_cards('1 2 3 3', rows)}")
    return "\n".join(parts) + _toctree("gallery", PRESETS)


def _lessons() -> str:
    """Return the lessons that come with kpviz; `live_figure` writes their pages."""
    lessons = {name: shelf.read(name) for name in sorted(shelf.paths_in(None))}
    cards = (
        (
            f"/../kpviz/lessons/shipped/{name}.webp",
            lesson.title,
            _about(name, lesson),
            f"../board/{name}.html",
            "url",
        )
        for name, lesson in lessons.items()
    )
    return _cards("2 3 4 5", cards)


def _about(name: str, lesson: Lesson) -> str:
    kind = name.partition("-")[0].capitalize()
    return kind if lesson.minutes is None else f"{kind}, {lesson.minutes:g} minutes"


# ---- tables --------------------------------------------------------------------------------------


def _settings() -> str:
    parts = []
    defaults = Settings.of().values
    for group, heading in _GROUPS.items():
        rows = [
            (_code(prop.name), prop.label, *_values(prop, defaults))
            for prop in PROPERTIES
            if prop.group == group
        ]
        parts.append(
            f"## {heading}\n\n"
            + table(("Name", "What it is", "Values", "Default", "Where it applies"), rows)
        )
    return "\n".join(parts)


def _values(prop: Property, defaults: dict[str, Any]) -> tuple[str, str, str]:
    default = prop.default_for(defaults)
    owners = [
        kind
        for kind in (*kernels.KERNELS.values(), *learners.LEARNERS.values())
        if prop.name
        in (LINK_NAMES.get(name, name) for name in (*kind.ranges, *getattr(kind, "choices", {})))
    ]
    titles = [
        kind().about.title if issubclass(kind, learners.Learner) else kind.name for kind in owners
    ]
    where = ", ".join(titles) or prop.not_applicable(defaults) or ""
    if prop.choices:
        return ", ".join(map(_code, prop.choices)), _code(default), where
    if prop.text:
        return (
            f"a text of at most {prop.text:,} characters",
            _code(default) if default else "",
            where,
        )
    limits = prop.range_for(defaults)
    return _span(limits)[0], f"{default:g}", where


def _panels() -> str:
    rows = [
        (_code(panel.name), panel.title, panel.line, ABOUT.get(panel.about, ""))
        for panel in PANELS
        if panel.in_links
    ]
    return table(("Name", "Panel", "What it shows", "Group"), rows)


def _keys() -> str:
    """Return the keyboard as the player's table has it, run by the embedded engine."""
    from py_mini_racer import MiniRacer

    engine = MiniRacer()
    script = (
        f"{modules.script('modes/actions.js')}; JSON.stringify($modes_actions.referenceOfKeys())"
    )
    reference = json.loads(engine.eval(script))
    columns = ("Key", "What it does")
    parts = [
        f"## {group['title']}\n\n{table(columns, group['rows'])}" for group in reference["board"]
    ]
    parts.append(
        "## On the page of Fisher’s discriminant\n\n" + table(columns, reference["fisher"])
    )
    return "\n".join(parts)


def _conditions() -> str:
    return "| Name | What it is |\n|---|---|\n" + names.documented() + "\n"


# ---- commands ------------------------------------------------------------------------------------


def _commands() -> str:
    return "\n".join(_command(parser) for parser in _parsers(cli._parser()))


def _parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield the parsers of all commands that do something, in the order of --help."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                inner = list(_parsers(below))
                yield from inner or [below]


def _command(parser: argparse.ArgumentParser) -> str:
    head = f"({parser.prog.replace(' ', '-')})=\n## {parser.prog}\n\n{parser.description}\n"
    usage = parser.format_usage().removeprefix("usage: ")
    rows = []
    for action in parser._actions:
        if action.dest != "help":
            written = ", ".join(action.option_strings) or str(action.metavar or action.dest)
            value = action.metavar or (
                " or ".join(map(str, action.choices)) if action.choices else ""
            )
            value = str(value) if action.option_strings and action.nargs != 0 else ""
            rows.append((_code(f"{written} {value}".strip()), action.help or ""))
    return f"{head}\n```text\n{usage}```\n\n{table(('Argument', 'What it does'), rows)}"


# ---- the library ---------------------------------------------------------------------------------

_TRAIN = ("make_dataset", "make_stream", "train", "load", "sweep", "Run", "State")
_MODULES = (kernels, learners, theory, primal)


def _api() -> Iterator[tuple[str, str]]:
    """Yield a page for each public class and function of the package, and one for each module."""
    for name in kpviz.__all__:
        if not inspect.ismodule(getattr(kpviz, name)):
            yield f"api/{name}.md", f"# {name}\n\n{_object(f'kpviz.{name}')}"
    for module in _MODULES:
        parts = [f"# {module.__name__}\n\n{inspect.getdoc(module)}\n"]
        parts += [
            f"## {name}\n\n{_object(f'{module.__name__}.{name}')}" for name in _without_page(module)
        ]
        yield f"api/{_page_of(module)}.md", "\n".join(parts)


def _without_page(module: ModuleType) -> list[str]:
    """Return what of a module has no page as a learner or as a kernel."""
    paged = {*learners.LEARNERS.values(), *kernels.KERNELS.values()}
    things = ((name, getattr(module, name)) for name in module.__all__)
    return [name for name, thing in things if callable(thing) and thing not in paged]


def _page_of(module: ModuleType) -> str:
    return module.__name__.replace(".", "_")  # No function has a page of this name.


def _object(name: str) -> str:
    """Return what shows a class with its methods, or a function."""
    module, _, class_name = name.rpartition(".")
    if not inspect.isclass(getattr(importlib.import_module(module), class_name)):
        return f"```{{eval-rst}}\n.. autofunction:: {name}\n```\n"
    return (
        f"```{{eval-rst}}\n.. autoclass:: {name}\n   :members:\n   :inherited-members: "
        f"BaseEstimator\n```\n"
    )


def _index_of_api() -> str:
    estimators = [
        name
        for name in kpviz.__all__
        if name not in _TRAIN and inspect.isclass(getattr(kpviz, name))
    ]
    parts = []
    for heading, classes in (
        ("Train, open, look", _TRAIN),
        ("Estimators for scikit-learn", estimators),
    ):
        rows = (
            (f"[{name}](../generated/api/{name}.md)", _summary(getattr(kpviz, name)))
            for name in classes
        )
        parts.append(f"## {heading}\n\n{table(('Name', 'What it is'), rows)}")
    rows = (
        (f"[{module.__name__}](../generated/api/{_page_of(module)}.md)", _summary(module))
        for module in _MODULES
    )
    parts.append(f"## Modules\n\n{table(('Name', 'What it is'), rows)}")
    return "\n".join(parts) + _toctree("api", (*_TRAIN, *estimators, *map(_page_of, _MODULES)))


def _summary(value: Any) -> str:
    return (inspect.getdoc(value) or "").partition("\n\n")[0].replace("\n", " ")
