import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import kpviz


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [
        kpviz.KernelPerceptron(max_iter=100),
        kpviz.KernelPerceptron(kernel="poly", predictor="averaged", max_iter=100),
        kpviz.KernelPerceptron(kernel="linear", intercept="radius", predictor="voted", max_iter=100),
    ],
    expected_failed_checks=lambda e: {},
)
def test_sk(estimator, check):
    check(estimator)
