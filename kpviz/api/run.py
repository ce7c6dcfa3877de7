"""The run that `kpviz.train` returns: the record of the engine, and what one makes of it.

Pictures, pages, films and links are floors above training: each is loaded when it is asked for, so
that training needs numpy alone and takes no longer.

Tests: tests/test_api.py, tests/picture/test_plot.py.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from kpviz import packages
from kpviz.engine import run
from kpviz.engine.learners.protocol import Learner
from kpviz.engine.run.predictors import PredictorName, Progress
from kpviz.engine.run.run import State, checked_time
from kpviz.engine.run.train import AnyKernel

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from kpviz.export.writing import Source
    from kpviz.player.comparison import Comparison
    from kpviz.settings.cues import Cues
    from kpviz.settings.view import ViewState

_CHOICES_OF_PAGES = ("theme", "autoplay", "loop", "speed", "address")


class Run(run.run.Run):
    """What `kpviz.train` returns. Its arrays cannot be written to; they are of length n_steps
    unless said otherwise.

    Attributes
    ----------
    learner : an object of `kpviz.learners`.
    index : which example was shown.
    score : its f(x) before the change.
    epoch_start : (n_epochs,) presentation at which each epoch began.
    changes : see `Changes`.
    unit : factor of coefficients, scores and intercept in `changes`.
    end : "clean" (an epoch without a change; mistakes that no change mends may be left),
        "tolerance", "limit" or "cancelled".
    start : the State that training was resumed from, None for a fresh start.
    seed : of the order, and of what the learner draws.
    seconds : how long `train` took, the Gram matrix included.
    order : "cyclic", "shuffled", "random", "first-mistake", "random-mistake", or "by hand" for
        given indices.
    initial : (w0, b0) of the fixed f₀ that is added to every score, see `kpviz.train`; None for
        none. States hold what was learnt without it.
    details : the learner's own quantities, arrays of length n_steps, each value after that
        presentation.
    X : the training examples, (n, n_features), or (n,) texts where the kernel compares such.
    y : their labels, (n,).
    kernel : fitted to these examples; None when X is the Gram matrix itself ("precomputed").
    """

    @property
    def _sources(self) -> tuple[Source, ...]:
        """The files that the run was made from, which no file that it writes may replace.

        `kpviz.train` reads none; a run of `kpviz.load` overrides this.
        """
        return ()

    def _board(self) -> tuple[Comparison, Cues, ViewState]:
        """Return what page and film show: the runs, what is said of them, and the panels and where
        they begin.
        """
        from kpviz.player.comparison import Comparison
        from kpviz.player.experiment import Experiment
        from kpviz.settings.cues import Cues
        from kpviz.settings.view import ViewState

        return Comparison(Experiment.from_run(self)), Cues(), ViewState()

    def _page_text(self, **choices: Any) -> str:
        """Return the page as text; ValueError, of one sentence, if a choice is not possible."""
        from kpviz.export.page.page import page

        _check_choices("page", choices, _CHOICES_OF_PAGES)
        comparison, cues, view = self._board()
        return page(comparison, cues, view=view, **choices)

    def _repr_html_(self) -> str:
        """Return the player, for a notebook."""
        from kpviz.api import notebook

        try:
            page = self._page_text(autoplay=False)
        except ValueError as error:
            return notebook.line(repr(self), str(error))
        return notebook.cell(repr(self), page, self._repr_png_())

    def _repr_png_(self) -> bytes | None:
        """Return the picture of the end, for where a notebook is shown without its scripts; None if
        it cannot be.
        """
        from kpviz.api import notebook

        try:
            figure = self.plot()
        except ValueError:
            return None
        return notebook.picture(figure)

    @property
    def link(self) -> str:
        """The link that reproduces exactly this run, to be appended to the app's address.

        Raises
        ------
        ValueError
            One sentence: why there is none. A link holds the data of `kpviz.make_dataset` and
            `kpviz.make_stream`, or points of the plane, at most 200, on a grid of short decimals;
            and kernels and learners of the app.
        """
        from kpviz.api import links

        return links.link(links.settings_of(self))

    def page(self, path: str | PathLike[str], **choices: Any) -> Path:
        """Write one HTML file that shows the run as the app does, and plays it without a server;
        return its path.

        Parameters
        ----------
        path : of the file, which ends in .html. It is written whole or not at all.
        choices : `theme` ("auto", "light" or "dark"), `autoplay`, `loop`, `speed` in steps per
            second.

        Raises
        ------
        ValueError
            One sentence: a choice is not possible, there are no examples, or the file cannot be
            written, as where it would take the place of the one from which the run was made.
        """
        from kpviz.export import writing

        writing.check_ending(path, ".html", "a page")
        writing.check(path, self._sources)
        writing.write(path, self._page_text(**choices))
        return Path(path)

    def film(self, path: str | PathLike[str], **choices: Any) -> Path:
        """Write the run as a film and return its path.

        Parameters
        ----------
        path : of the file, which ends in .mp4. It is written whole or not at all.
        choices : `first` and `last` step, `speed`, `width`, `height`, `fps`, `theme`, `panels`,
            `title`, `words`.

        Raises
        ------
        ValueError
            One sentence: a choice is not possible, there are no examples, or the file cannot be
            written, as where it would take the place of the one from which the run was made.
        """
        with packages.needs("A film", "film"):
            from kpviz.export import films
        from kpviz.export import writing

        target = Path(path)
        films.check_name(target)
        writing.check(path, self._sources)
        _check_choices("film", choices, [part.name for part in fields(films.FilmOptions)])
        comparison, cues, view = self._board()
        of_view = {"panels": view.show, "angles": view.turn, "over": view.over}
        films.save(films.film(comparison, cues, films.FilmOptions(**of_view | choices)), target)
        return target

    def plot(
        self,
        t: int | None = None,
        predictor: PredictorName = "last",
        *,
        panel: str | None = None,
        theme: str = "light",
        size: tuple[float, float] | None = None,
        ax: Axes | None = None,
        **shown: Any,
    ) -> Figure:
        """Return a matplotlib Figure of the instant t (None: the end), as the player shows it.

        Parameters
        ----------
        t : presentations made; None: all.
        predictor : the reading that the map shows: "last", "averaged" or "voted".
        panel : one panel instead of the board, as "map", "alpha" or "margins".
        theme : "light", "dark" or "print".
        size : of a new figure in inches; None: that of a slide, or the natural one of the panel.
        ax : axes that the panel fills; those of the map get its coordinates, so that more can be
            drawn on it.
        shown : `panels` on the board, held-out `X_test` and `y_test`, names of both `features` and
            both `classes`, the setting that curves run `over`.

        Raises
        ------
        ValueError
            One sentence: there is nothing to draw, `ax` has no `panel`, or the embedded engine is
            missing.
        """
        with packages.needs("A picture", "plot"):
            from kpviz.picture.figure import plot

        at = self.n_steps if t is None else checked_time(self, t)
        return plot(self, at, predictor, panel=panel, theme=theme, size=size, ax=ax, **shown)


def fields_of(record: run.run.Run) -> dict[str, Any]:
    """Return the fields of the engine's record of a training, by name, of which a `Run` is made."""
    return {part.name: getattr(record, part.name) for part in fields(run.run.Run)}


def _check_choices(what: str, choices: dict[str, Any], names: Collection[str]) -> None:
    for name in choices:
        if name not in names:
            raise ValueError(
                f"{name}={choices[name]!r} is not a choice for a {what}: give some of "
                f"{', '.join(names)}."
            )


def train(
    learner: Learner,
    X: ArrayLike,
    y: ArrayLike,
    *,
    kernel: AnyKernel = None,
    order: str | ArrayLike = "cyclic",
    epochs: int = 50,
    seed: int = 0,
    stop_when_clean: bool = True,
    progress: Progress | bool | None = None,
    start: State | None = None,
    initial: tuple[ArrayLike | None, float] | None = None,
) -> Run:
    """Show the examples to the learner, one after the other, and record what changes.

    Parameters
    ----------
    learner : an object of `kpviz.learners`, or one that extends `Learner`.
    X : (n, n_features) finite numbers, or the (n, n) Gram matrix when kernel is "precomputed"; n
        texts for a kernel of texts, trees or graphs.
    y : (n,) labels -1 or +1.
    kernel : a kernel object, a function k(X, Z), or "precomputed"; None means linear. k(u, v) must
        equal k(v, u).
    order : "cyclic"; "shuffled": a fresh permutation each epoch, from `seed`; "random": drawn with
        replacement, which never ends early; "first-mistake": always the first example, from index 0
        on, that is a mistake now; "random-mistake": one drawn from `seed` of those that are
        mistakes now; or an integer array with one row of indices for each epoch. The two orders of
        mistakes are not for learners that act at every presentation. An epoch of them is n
        presentations, and they end, clean, when no mistake is left, whatever `stop_when_clean`
        says.
    epochs : at most this many, at least 1; a run has at most 2,147,483,647 presentations.
    seed : of the order, at least 0; what the learner itself draws comes from another generator.
    stop_when_clean : end after the first epoch that shows every example and changes nothing.
    progress : called about every 50 ms as progress(done, limit), in presentations. An Exception
        raised in it cancels: the run so far is returned, with end "cancelled". True shows a bar on
        standard error.
    start : resume from this state, one coefficient for each row of X, instead of from zero;
        pictures begin there, too. Steps and mistakes are counted from here, and so are the averaged
        and voted predictors.
    initial : (w0, b0) of a fixed f₀(x) = w0·x + b0 that is added to every score and every reading,
        and that nothing learns or shrinks: a textbook's starting weights, or its threshold θ as b0
        = -θ with no intercept. w0 has shape (n_features,), in the units of X, or is None; it must
        be None with "precomputed" and for examples that are not vectors. alpha counts mistakes
        alone. Not for `SVM` and `KernelLogistic`. With `start` both are added.

    Raises
    ------
    ValueError
        One sentence that names the argument, its value and what is allowed.

    Examples
    --------
    >>> import kpviz
    >>> X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    >>> kernel = kpviz.kernels.Polynomial(degree=2, coef0=1.0)
    >>> run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kernel)
    >>> run.end, run.n_epochs, int(run.mistake.sum()), run.state_at(run.n_steps).alpha
    ('clean', 2, 4, array([1., 1., 1., 1.]))
    """
    record = run.train.train(
        learner,
        X,
        y,
        kernel=kernel,
        order=order,
        epochs=epochs,
        seed=seed,
        stop_when_clean=stop_when_clean,
        progress=progress,
        start=start,
        initial=initial,
    )
    return Run(**fields_of(record))
