"""The run of some settings as a scikit-learn estimator, with scikit-learn's names."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import indent
from typing import Any

from kpviz import experiment
from kpviz.experiment import Split
from kpviz.export.code import kernel_code
from kpviz.export.code.kernel_code import KernelCode
from kpviz.export.code.loop import Loop
from kpviz.export.code.python import WEIGHTS, about, counts, ended, errors, examples, header, modules
from kpviz.settings import Settings

_NAMES = {"epochs": "max_iter", "seed": "random_state"}  # scikit-learn's, where they differ
_WIDTH = 112
_FIT = '"""Show the examples, whose labels are -1 and +1."""'
_PREDICT = '''\
def predict(self, X):
    """Return the label of each {one} of X."""
    return self.classes_[(self.decision_function(X) {above} 0).astype(int)]'''


def sklearn_script(settings: Settings, split: Split) -> str:
    """Return a script with an estimator that is fitted as the run of the settings was, and prints the same counts.

    It needs numpy and scikit-learn, and reproduces the run exactly. ValueError, of one sentence, where there is no
    example.

    >>> settings = Settings.of(data="xor", n=4, learner="svm")
    >>> script = sklearn_script(settings, experiment.prepare(settings))
    >>> "class SVMClassifier(ClassifierMixin, BaseEstimator):" in script
    True
    """
    return _Script.of(settings, split).text


@dataclass(frozen=True, eq=False)
class _Script:
    settings: Settings
    split: Split
    kernel: KernelCode
    loop: Loop

    @classmethod
    def of(cls, settings: Settings, split: Split) -> _Script:
        loop = Loop.of(settings, len(split.y), wide=settings.predictor == "voted")
        return cls(settings, split, kernel_code.of(settings, "self.", split.X), loop)

    @property
    def text(self) -> str:
        own = [*self.kernel.helpers, self.loop.rule.function]
        functions = [each for each in own if each]
        head = "\n\n".join([self._header, self._imports, examples(self.split, self.loop)])
        return "\n\n\n".join([head, *functions, self._class, self._use]) + "\n"

    @property
    def _header(self) -> str:
        return (
            header(self.settings, "as a scikit-learn estimator")
            + 'Examples have indices from 0; y is -1 or +1; dual_coef_ = y * alpha on the support, as in SVC.\n"""'
        )

    @property
    def _imports(self) -> str:
        own = modules(self.loop, self.kernel)
        base = "BaseEstimator, ClassifierMixin" + ", clone" * self._votes
        lines = ["import numpy as np", f"from sklearn.base import {base}"]
        return (f"{own}\n" if own else "") + "\n".join(lines)

    @property
    def _name(self) -> str:
        name = type(experiment.learner(self.settings)).__name__
        return "KernelPerceptron" if name == "Perceptron" else f"{name}Classifier"

    @property
    def _class(self) -> str:
        methods = [self._init, *(self._voting if self._votes else self._fitting), self._predict, self.kernel.methods()]
        body = "\n\n".join(methods)
        return (
            f'class {self._name}(ClassifierMixin, BaseEstimator):\n    """{about(self.settings).idea}"""\n\n'
            + indent(body, "    ")
        )

    @property
    def _votes(self) -> bool:
        return str(self.settings.predictor) == "voted"

    @property
    def _parameters(self) -> dict[str, Any]:
        own = {_NAMES.get(name, name): value for name, value in self.loop.parameters.items()}
        return {**self.kernel.parameters, **own}

    @property
    def _init(self) -> str:
        by_hand = ["order"] * (self.loop.order is not None)
        given = ["self", *by_hand, *(f"{name}={value!r}" for name, value in self._parameters.items())]
        kept = [f"    self.{name} = {name}" for name in (*by_hand, *self._parameters)]
        head = f"def __init__({', '.join(given)}):"
        if len(head) > _WIDTH:
            head = "\n".join(["def __init__(", *(f"    {part}," for part in given), "):"])
        return "\n".join([head, *kept])

    @property
    def _train(self) -> list[str]:
        """Lines that train on K and y of n examples."""
        names = [*self.loop.parameters, *(["order"] * (self.loop.order is not None))]
        values = ", ".join(f"self.{_NAMES.get(name, name)}" for name in names)
        return [f"{', '.join(names)} = {values}", self.loop.code()]

    @property
    def _fitting(self) -> list[str]:
        fit = [_FIT, "n = len(y)", "K = self._kernel(X, X)", *self._train, *self._attributes, "return self"]
        decide = [
            f'"""Return the score of each {self.kernel.one} of X."""',
            "return self._kernel(X, self.X_fit_)[:, self.support_] @ self.dual_coef_[0] + self.intercept_[0]",
        ]
        return [_method("fit(self, X, y)", fit), _method("decision_function(self, X)", decide)]

    @property
    def _voting(self) -> list[str]:
        """Methods where a vote is counted: it needs every f on the way, so all who vote look on while it trains."""
        fit = [_FIT, "self._train(X, y, X)", "return self"]
        decide = [
            f'"""Return the votes for each {self.kernel.one} of X: all are shown once more, and it looks on."""',
            "return clone(self)._train(self.X_fit_, self.y_fit_, X)",
        ]
        train = [
            '"""Train on X and y, and return the votes for each row of Z."""',
            "n = len(y)",
            "K = np.hstack([self._kernel(X, X), self._kernel(X, Z)])",
            *self._train,
            *self._attributes,
            "self.y_fit_ = y",
            "return votes[n:]",
        ]
        return [
            _method("fit(self, X, y)", fit),
            _method("decision_function(self, X)", decide),
            _method("_train(self, X, y, Z)", train),
        ]

    @property
    def _attributes(self) -> list[str]:
        """Lines that set what SVC has too, and the record of the training."""
        coef, b = self.loop.reading
        return [
            *self.loop.scaling,
            *coef,
            "self.classes_ = np.array([-1.0, 1.0])",
            "self.X_fit_, self.alpha_ = X, alpha",
            "self.support_ = np.flatnonzero(coef)",
            "self.dual_coef_ = coef[None, self.support_]",
            f"self.intercept_ = np.array([{b or '0.0'}])",
            f"self.n_iter_ = {self.loop.epochs_made}",
            *(["self.converged_ = converged"] * self.loop.may_end),
            "self.mistakes_ = mistakes",
        ]

    @property
    def _predict(self) -> str:
        return _PREDICT.format(one=self.kernel.one, above=">=" if self._votes else ">")

    @property
    def _use(self) -> str:
        order = "order" * (self.loop.order is not None)
        lines = [
            f"model = {self._name}({order}).fit(X, y)",
            "n, mistakes, alpha = len(y), model.mistakes_, model.alpha_",
            counts("model.n_iter_"),
            *ended("model.converged_", "model.n_iter_", self.loop),
            *WEIGHTS,
        ]
        averaged = self.settings.predictor == "averaged"
        if self.loop.rule.intercept:
            lines.append(f'print(f"b{", averaged" * averaged} = {{model.intercept_[0]}}")')
        return "\n".join([*lines, *self._errors])

    @property
    def _errors(self) -> list[str]:
        lines = []
        for what, X, y in (self.settings.predictor, "X", "y"), ("held out", "X_test", "y_test"):
            wrong = f"model.predict({X}) != {y}" if self._votes else f"{y} * model.decision_function({X}) <= 0"
            if what != "last" and (what != "held out" or len(self.split.y_test)):
                lines.append(errors(what, wrong, f"len({y})"))
        return lines


def _method(head: str, lines: list[str]) -> str:
    """Return a method of these lines."""
    return f"def {head}:\n" + indent("\n".join(lines), "    ")
