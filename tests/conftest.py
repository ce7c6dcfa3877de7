"""What all tests share."""

import pytest
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True, scope="session")
def one_thread_for_linear_algebra():
    """Workers that each start a thread per core wait for one another: 5 s in place of 0.1 s."""
    with threadpool_limits(limits=1, user_api="blas"):
        yield
