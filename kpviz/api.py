"""From a link to a run or to a sweep, and from a run to its link, its page and its film: loaded when asked for."""

from __future__ import annotations

import html
import math
import os
import warnings
from base64 import b64encode
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, fields
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kpviz import experiment, packages
from kpviz.commands import inputs
from kpviz.commands.inputs import Input
from kpviz.commands.work import TrainedInput
from kpviz.engine import checks
from kpviz.engine.data import datasets, sequence
from kpviz.engine.data.drawn import Drawn
from kpviz.engine.kernels import KERNELS, Formula, Kernel, Normalized, Product, Sum
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run.predictors import PREDICTORS, PredictorName
from kpviz.engine.run.run import Run
from kpviz.experiment import Split
from kpviz.export import writing
from kpviz.export.writing import Source
from kpviz.lessons import presets
from kpviz.lessons import sweep as sweeps
from kpviz.lessons.sweep import Sweep
from kpviz.player.comparison import Comparison
from kpviz.player.experiment import Experiment
from kpviz.settings import DRAWN, FILE, HAND, MOST_IN_LINKS, Settings, learner_settings
from kpviz.settings.cues import Cues

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HIGH = 560  # pixels of the player in a notebook
_DOTS = 75  # of its picture, to the inch
_OF_EXAMPLES = {"X_test", "y_test", "features", "classes"}  # of `Run.plot`
_OF_PAGES = ("theme", "autoplay", "loop", "speed", "address")
_LARGEST = 3_000_000  # characters of a packed page that a notebook has room for
_TRUST = "To play this run, trust the notebook: in JupyterLab by View, Activate Command Palette, Trust Notebook."
_COVERED = ".kpviz-cell:has(> iframe) > :not(iframe) { visibility: hidden }"  # where frames are shown
_UNPACK = """
const bytes = Uint8Array.from(atob("%s"), (character) => character.charCodeAt(0));
const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
new Response(unpacked).text().then((page) => {
  document.open();
  document.write(page);
  document.close();
});
"""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class OpenedRun(Run):
    """A run that knows what it was made from."""

    input: Input
    split: Split = field(repr=False)

    @classmethod
    def of(cls, given: Input, split: Split, run: Run) -> OpenedRun:
        """Return the same run with its settings and all of its examples."""
        return cls(**{part.name: getattr(run, part.name) for part in fields(Run)}, input=given, split=split)

    def plot(self, t: int | None = None, predictor: PredictorName = "last", **choices: Any) -> Figure:
        """Do what `Run.plot` does, with what the link says of panels, if none are named, of the lift and of curves."""
        of_link: dict[str, Any] = {"otherwise": self.input.view.show, "angles": self.input.view.turn}
        named = (choices.get("panel"), *(choices.get("panels") or self.input.view.show or ()))
        if "curve" in named and not choices.keys() & _OF_EXAMPLES:
            checks.choice("predictor", predictor, PREDICTORS)
            opened = Experiment(self, self.split, predictor, self.input.settings)
            of_link |= {"experiment": opened, "over": self.input.view.over}
        return super().plot(t, predictor, **of_link | choices)


def load(source: str | os.PathLike[str], *, lenient: bool = False) -> Run:
    """Return the run of a link from the app, a settings file (.json) or a table (.csv, .tsv, .txt).

    It knows what it was made from: `run.link` is its link, `run.page` and `run.film` show it as the app does, and
    `run.plot(panel="curve")` draws the curve over the setting that it names.

    Parameters
    ----------
    source : a link, its whole address or what follows the question mark, or the path of a file. A link that names a
        lesson and a scene, as the app writes it while a lesson is open, is that of the scene.
    lenient : whether what cannot be used is replaced by its default and reported in a warning, as for a link of an
        older kpviz; else it is refused.

    Raises
    ------
    ValueError
        One sentence: it cannot be read, a part of it cannot be used, or it holds nothing to learn from. Of a file
        that does not exist it is a FileNotFoundError, too.

    Examples
    --------
    >>> import kpviz
    >>> run = kpviz.load("data=circles&sigma=0.3&epochs=5")
    >>> run.link
    '?v=1&data=circles&sigma=0.3&epochs=5'
    """
    return _trained(_read(source, step=True, lenient=lenient))


def sweep(
    source: str | os.PathLike[str] | Settings | Run,
    name: str,
    values: Iterable[float] | None = None,
    *,
    seeds: int = 1,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Sweep:
    """Train once for each value of one setting, all others staying as they are, and return the numbers of each run.

    Parameters
    ----------
    source : what `kpviz.load` reads: a link, a settings file or a table; or a run that has a link.
    name : of the setting, as links write it: "sigma", "degree", "budget", "C", "n", "noise", "epochs", ….
    values : those to train with; None: about 32 of its slider's range, and the one that is set.
    seeds : how many seeds each value is trained with: that of the settings and the next ones, of data and order.
    n_jobs : processes, as joblib has it: None is 1 unless `joblib.parallel_config` says otherwise, -1 all
        processors. Under `joblib.parallel_config(backend="dask")` the runs are those of a Dask cluster.
    progress : whether a progress bar is shown; None: on a terminal.

    Returns
    -------
    Sweep
        It iterates over points in ascending order of value, each with `value`, `seed`, `mistakes`, `epochs`, `end`,
        `converged`, `support`, `train_error` and `test_error` (NaN where nothing is held out), so that
        `pandas.DataFrame(sweep)` reads them. `sweep.table` has the columns as arrays, `sweep.means` their means over
        the seeds.

    Raises
    ------
    ValueError
        One sentence: there is no such setting, it does not apply, or does not take one of the values.

    Examples
    --------
    >>> import kpviz
    >>> found = kpviz.sweep("data=circles&held=0.3", "sigma", [0.05, 0.5, 5])
    >>> found.table["mistakes"], found.table["test_error"].round(2)
    (array([   8,   10, 1613]), array([0.21, 0.  , 0.54]))
    """
    if isinstance(source, Settings):
        given = Input(source)
    else:
        given = _with_settings(source).input if isinstance(source, Run) else _read(source)
    return sweeps.sweep(given.settings, name, values, seeds=seeds, n_jobs=n_jobs, progress=progress, table=given.table)


def link(run: Run) -> str:
    """Return the link of a run, see `Run.link`."""
    given = _with_settings(run).input
    settings = given.settings
    if settings.data == FILE:
        raise NoLinkError("No link makes this run once more: a link does not hold the rows of a file.")
    if settings.data == DRAWN and settings.stored_name is not None:
        raise NoLinkError(f"No link makes this run once more: a link holds at most {MOST_IN_LINKS} points.")
    pins = presets.query(settings, given.pins)
    return f"?{settings.link()}" + (f"&{pins}" if pins else "")


def page(run: Run, path: str | os.PathLike[str], **choices: Any) -> Path:
    """Write the page of a run, see `Run.page`."""
    writing.check_ending(path, ".html", "a page")
    writing.check(path, _sources(run))
    writing.write(path, _page(run, **choices))
    return Path(path)


def film(run: Run, path: str | os.PathLike[str], **choices: Any) -> Path:
    """Write the film of a run, see `Run.film`."""
    with packages.needs("A film", "film"):  # here: they load matplotlib
        from kpviz.export import films

    target = Path(path)
    films.check_name(target)
    writing.check(path, _sources(run))
    if isinstance(run, OpenedRun):
        given = run.input
        choices = {"panels": given.view.show, "angles": given.view.turn, "over": given.view.over, **choices}
    _check("film", choices, [part.name for part in fields(films.FilmOptions)])
    films.save(films.film(*_shown(run), films.FilmOptions(**choices)), target)
    return target


def _sources(run: Run) -> tuple[Source, ...]:
    """Return the files that a run was made from, which nothing of it may replace."""
    return run.input.sources if isinstance(run, OpenedRun) else ()


def notebook_html(run: Run) -> str:
    """Return the player for a notebook's cell, above a picture and a sentence; one line where that cannot be.

    Each cell stands by itself: whatever becomes of other cells, it goes on playing. Where a notebook is shown without
    its scripts and frames (it is not trusted, or only looked at), the picture and the sentence are what is left.
    A widget (anywidget was tried) would share the player, but shows nothing there, nor in what nbconvert writes.
    """
    try:
        text = _page(run, autoplay=False)
    except ValueError as error:
        return _line(run, str(error))
    packed = _packed(text)
    if len(packed) > _LARGEST:
        return _line(run, f"Its page has {len(packed) / 1e6:.1f} MB, too much for a cell: write it by run.page(path).")
    about = html.escape(repr(run))
    picture = notebook_png(run)
    still = "" if picture is None else f'<img alt="{about}" src="data:image/png;base64,{b64encode(picture).decode()}">'
    return (
        f'<div class="kpviz-cell" style="position: relative; height: {_HIGH}px; overflow: hidden">'
        f"<style>{_COVERED}</style><p>{_TRUST}</p>{still or f'<code>{about}</code>'}"
        f'<iframe title="{about}" sandbox="allow-scripts" srcdoc="{html.escape(packed)}" '
        'style="position: absolute; inset: 0; width: 100%; height: 100%; border: 0"></iframe></div>'
    )


def _packed(text: str) -> str:
    """Return a page that unpacks the text of a page, and becomes it: half as long."""
    from kpviz.export.page.page import compressed

    return f'<!doctype html><meta charset="utf-8"><script>{_UNPACK % compressed(text.encode())}</script>'


def notebook_png(run: Run) -> bytes | None:
    """Return the end of a run as a picture for a notebook; None where that cannot be."""
    try:
        figure = run.plot()
    except ValueError:
        return None
    from PIL import Image

    content = BytesIO()
    figure.savefig(content, format="png", dpi=_DOTS)
    few_colours = BytesIO()  # a third of the bytes, and nobody sees it
    Image.open(content).convert("RGB").quantize(256).save(few_colours, "png", optimize=True)
    return few_colours.getvalue()


def _line(run: Run, why: str) -> str:
    return f"<code>{html.escape(repr(run))}</code><br><small>{html.escape(why)}</small>"


def _page(run: Run, **choices: Any) -> str:
    from kpviz.export.page import page as pages

    _check("page", choices, _OF_PAGES)
    if isinstance(run, OpenedRun):
        choices = {"view": run.input.view, **choices}
    experiments, cues = _shown(run)
    return pages.page(experiments, cues, **choices)


def _shown(run: Run) -> tuple[Comparison, Cues]:
    """Return what page and film of a run show: of one that was opened its pins and cues, too."""
    if not isinstance(run, OpenedRun):
        return Comparison(Experiment.from_run(run)), Cues()
    work = TrainedInput(run.input, run.split, run)
    return work.comparison, Cues.of_code(work.settings.cues)


def _read(source: str | os.PathLike[str], *, step: bool = False, lenient: bool = False) -> Input:
    """Return what a source holds; what cannot be used of it is refused, or, if `lenient`, reported in a warning."""
    given = inputs.read(os.fspath(source), drawn=step)
    if not lenient:
        inputs.check_complete(given, "lenient=True")
    for notice in given.notices:
        warnings.warn(notice, stacklevel=3)
    return given


def _with_settings(run: Run) -> OpenedRun:
    """Return the run with settings that make it; ValueError where there are none."""
    return run if isinstance(run, OpenedRun) else _trained(Input(settings_of(run)))


def _trained(given: Input) -> OpenedRun:
    split = experiment.prepare(given.settings, given.table)
    if not len(split.y):
        raise ValueError("There are no examples to learn from: draw some in the app first.")
    return OpenedRun.of(given, split, experiment.run(given.settings, split))


def _check(what: str, choices: dict[str, Any], names: Collection[str]) -> None:
    for name in choices:
        if name not in names:
            raise ValueError(f"{name}={choices[name]!r} is not a choice for a {what}: give some of {', '.join(names)}.")


# ---- settings found from a run alone: of kpviz's own data, or of points as if drawn ----------------


def settings_of(run: Run) -> Settings:
    """Return settings that make exactly this run.

    Raises
    ------
    ValueError
        One sentence: why there are none.
    """
    if run.start is not None:
        raise _refusal("it went on from an earlier state")
    if run.kernel is None:
        raise _refusal("its X is a Gram matrix, without points")
    if made := datasets.origin(run.X, run.y):
        with suppress(NoLinkError):
            return _settings(run, made)
    if run.X.ndim != 2 or run.X.shape[1] != 2:
        raise _refusal(f"a link holds points of the plane, and X has shape {run.X.shape}")
    if len(run.X) > MOST_IN_LINKS:
        raise _refusal(f"a link holds at most {MOST_IN_LINKS} points, and X has {len(run.X):,}")
    return _settings(run, None)


def _settings(run: Run, data: dict[str, Any] | None) -> Settings:
    given = {**_kernel(run.kernel), **_learner(run), **_order(run)}
    given |= _points(run) if data is None else data  # last: whom this refuses, rounding helps
    settings, problems = Settings.repaired(given)
    if problems:
        raise _refusal(problems[0])
    epochs = run.n_epochs if run.end == "limit" else max(run.n_epochs, settings.epochs)
    settings, problems = Settings.repaired({**given, "epochs": epochs})
    if problems:
        raise _refusal(problems[0])
    if not _same(experiment.run(settings), run):
        raise _refusal("a link rounds parameters to six digits, and training ends at the first clean epoch")
    return settings


class NoLinkError(ValueError, AttributeError):
    """Why no link makes a run once more; to `hasattr` and to debuggers, that it has none."""


def _refusal(why: str) -> NoLinkError:
    return NoLinkError(f"No link makes this run once more: {why}.")


def _points(run: Run) -> dict[str, Any]:
    drawn = Drawn.of(run.X, run.y)
    if not np.array_equal(drawn.X, run.X):
        digits = -math.ceil(math.log10(max(axis.step for axis in drawn.axes)))
        raise _refusal(f"a link holds points on a grid, so round X by X.round({digits}) first")
    return {"data": DRAWN, "points": drawn.code}


def _kernel(kernel: Kernel | None) -> dict[str, Any]:
    normalized = isinstance(kernel, Normalized)
    plain = kernel.kernel if isinstance(kernel, Normalized) else kernel
    result = {"normalize": "on" if normalized else "off"}
    if not isinstance(plain, Sum | Product):
        return result | _one_kernel(plain, "")
    combine = "sum" if isinstance(plain, Sum) else "product"
    return result | {"combine": combine} | _one_kernel(plain.first, "") | _one_kernel(plain.second, "2")


def _one_kernel(kernel: Kernel | None, suffix: str) -> dict[str, Any]:
    name = next((name for name, kind in KERNELS.items() if type(kernel) is kind), None)
    if isinstance(kernel, Formula):
        name = "formula"
    if name is None:
        raise _refusal(f"the app has no kernel {kernel!r}")
    result = {f"kernel{suffix}": name}
    result |= {f"{own}{suffix}": getattr(kernel, own) for own in KERNELS[name].ranges}
    if name == "subsets":
        result[f"negated{suffix}"] = "on" if getattr(kernel, "negated", False) else "off"
    if name == "formula":
        result[f"formula{suffix}"] = getattr(kernel, "text", "")
    return result


def _learner(run: Run) -> dict[str, Any]:
    name = next((name for name, kind in LEARNERS.items() if type(run.learner) is kind), None)
    if name is None:
        raise _refusal(f"the app has no learner {type(run.learner).__name__}")
    return {"learner": name, **learner_settings(run.learner), **_initial(run)}


def _initial(run: Run) -> dict[str, Any]:
    if run.initial is None:
        return {}
    w0, b0 = run.initial
    return {"w0": "" if w0 is None else ",".join(map(repr, w0.tolist())), "b0": b0}


def _order(run: Run) -> dict[str, Any]:
    if run.learner.chooses:
        return {}
    if run.order != "by hand":
        return {"order": run.order, "oseed": run.seed}
    rows = np.split(run.index, run.epoch_start[1:])
    if not all(np.array_equal(row, rows[0]) for row in rows) or sorted(rows[0]) != list(range(len(run.X))):
        raise _refusal("a link holds one order, the same in every epoch, that shows each example once")
    return {"order": HAND, "sequence": sequence.encode(rows[0].tolist())}


def _same(one: Run, other: Run) -> bool:
    """Whether two runs agree in every number."""
    ours, theirs = ([run.index, run.score, *vars(run.changes).values()] for run in (one, other))
    return one.end == other.end and all(map(np.array_equal, ours, theirs))
