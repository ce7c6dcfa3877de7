"""From a link, a settings file or a table to a run that knows what it was made from, or to many
runs.

Tests: tests/test_api.py.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kpviz import experiment, lessons
from kpviz.api import links
from kpviz.api.run import Run, fields_of
from kpviz.commands import inputs
from kpviz.commands.inputs import Input
from kpviz.commands.work import TrainedInput
from kpviz.engine import checks
from kpviz.engine.run.predictors import PREDICTORS, PredictorName
from kpviz.experiment import Split
from kpviz.export.writing import Source
from kpviz.lessons.sweep import Sweep
from kpviz.player.comparison import Comparison
from kpviz.player.experiment import Experiment
from kpviz.settings import Settings
from kpviz.settings.cues import Cues
from kpviz.settings.view import ViewState

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_OF_EXAMPLES = {"X_test", "y_test", "features", "classes"}  # `Run.plot` takes these.


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class OpenedRun(Run):
    """A run that knows what it was made from."""

    input: Input
    split: Split = field(repr=False)

    @property
    def link(self) -> str:
        """Do what `Run.link` does, with what the link that was opened says of pins."""
        return links.link(self.input.settings, self.input.pins)

    def plot(
        self, t: int | None = None, predictor: PredictorName = "last", **choices: Any
    ) -> Figure:
        """Do what `Run.plot` does, with what the link says of panels, if none are named, of the
        lift and of curves.
        """
        view = self.input.view
        of_link: dict[str, Any] = {"otherwise": view.show, "angles": view.turn}
        named = (choices.get("panel"), *(choices.get("panels") or view.show or ()))
        if "curve" in named and not choices.keys() & _OF_EXAMPLES:
            checks.choice("predictor", predictor, PREDICTORS)
            opened = Experiment(self, self.split, predictor, self.input.settings)
            of_link |= {"experiment": opened, "over": view.over}
        return super().plot(t, predictor, **of_link | choices)

    @property
    def _sources(self) -> tuple[Source, ...]:
        return self.input.sources

    def _board(self) -> tuple[Comparison, Cues, ViewState]:
        work = TrainedInput(self.input, self.split, self)
        return work.comparison, Cues.of_code(work.settings.cues), self.input.view


def load(source: str | os.PathLike[str], *, lenient: bool = False) -> Run:
    """Return the run of a link from the app, a settings file (.json) or a table (.csv, .tsv, .txt).

    It knows what it was made from: `run.link` is its link, `run.page` and `run.film` show it as the
    app does, and `run.plot(panel="curve")` draws the curve over the setting that it names.

    Parameters
    ----------
    source : a link, its whole address or what follows the question mark, or the path of a file. A
        link that names a lesson and a scene, as the app writes it while a lesson is open, is that
        of the scene.
    lenient : whether what cannot be used is replaced by its default and reported in a warning, as
        for a link of an older kpviz; else it is refused.

    Raises
    ------
    ValueError
        One sentence: it cannot be read, a part of it cannot be used, or it holds nothing to learn
        from. Of a file that does not exist it is a FileNotFoundError, too.

    Examples
    --------
    >>> import kpviz
    >>> run = kpviz.load("data=circles&sigma=0.3&epochs=5")
    >>> run.link
    '?v=1&data=circles&sigma=0.3&epochs=5'
    """
    opened = _read(source, step=True, lenient=lenient)
    split = experiment.prepare(opened.settings, opened.table)
    if not len(split.y):
        raise ValueError("There are no examples to learn from: draw some in the app first.")
    record = experiment.run(opened.settings, split)
    return OpenedRun(**fields_of(record), input=opened, split=split)


def sweep(
    source: str | os.PathLike[str] | Settings | Run,
    name: str,
    values: Iterable[float] | None = None,
    *,
    seeds: int = 1,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Sweep:
    """Train once for each value of one setting, all others staying as they are, and return the
    numbers of each run.

    Parameters
    ----------
    source : what `kpviz.load` reads: a link, a settings file or a table; or a run that has a link.
    name : of the setting, as links write it: "sigma", "degree", "budget", "C", "n", "noise",
        "epochs", ….
    values : those to train with; None: about 32 of its slider's range, and the one that is set.
    seeds : how many seeds each value is trained with: that of the settings and the next ones, of
        data and order.
    n_jobs : processes, as joblib has it: None is 1 unless `joblib.parallel_config` says otherwise,
        -1 all processors. Under `joblib.parallel_config(backend="dask")` the runs are those of a
        Dask cluster.
    progress : whether a progress bar is shown; None: on a terminal.

    Returns
    -------
    Sweep
        It iterates over points in ascending order of value, each with `value`, `seed`, `mistakes`,
        `epochs`, `end`, `converged`, `support`, `train_error` and `test_error` (NaN where nothing
        is held out), so that `pandas.DataFrame(sweep)` reads them. `sweep.table` has the columns as
        arrays, `sweep.means` their means over the seeds.

    Raises
    ------
    ValueError
        One sentence: there is no such setting, it does not apply, or does not take one of the
        values.

    Examples
    --------
    >>> import kpviz
    >>> found = kpviz.sweep("data=circles&held=0.3", "sigma", [0.05, 0.5, 5])
    >>> found.table["mistakes"], found.table["test_error"].round(2)
    (array([   8,   10, 1613]), array([0.21, 0.  , 0.54]))
    """
    if isinstance(source, OpenedRun):
        opened = source.input
    elif isinstance(source, Run):
        opened = Input(links.settings_of(source))
    elif isinstance(source, Settings):
        opened = Input(source)
    else:
        opened = _read(source)
    return lessons.sweep.sweep(
        opened.settings,
        name,
        values,
        seeds=seeds,
        n_jobs=n_jobs,
        progress=progress,
        table=opened.table,
    )


def _read(source: str | os.PathLike[str], *, step: bool = False, lenient: bool = False) -> Input:
    """Return what a source holds; what cannot be used of it is refused, or, if `lenient`, reported
    in a warning.
    """
    opened = inputs.read(os.fspath(source), drawn=step)
    if not lenient:
        inputs.check_complete(opened, "lenient=True")
    for notice in opened.notices:
        warnings.warn(notice, stacklevel=3)
    return opened
