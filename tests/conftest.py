"""What all tests share."""

import gc
import os
import shutil
import signal

import pytest
from _pytest.runner import runtestprotocol
from again import TRIED
from hypothesis import settings
from threadpoolctl import threadpool_limits

# A run is reproducible; --hypothesis-profile=anew draws other examples, as CI does once a week:
# there Hypothesis itself would draw the same ones each time.
settings.register_profile("quick", max_examples=25, deadline=None, derandomize=True)
settings.register_profile("anew", max_examples=25, deadline=None, derandomize=False)
settings.load_profile("quick")

# What is imported and collected stays: to look for garbage among it took a third of the collection.
gc.disable()

# What was started in the background, or by nohup, ignores them, and with it all commands that tests
# start.
for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, usual)

MOST_TRIED_TWICE = 3


def pytest_collection_modifyitems(items):
    """The files that last first, so that no worker is left with one at the end: in the browser,
    then of the whole.
    """
    items.sort(
        key=lambda item: (item.path.parent.name != "browser", item.path.parent.name != "tests")
    )


def pytest_collection_finish():
    """To look for garbage among so many tests takes a second: what is there now stays, all else is
    seldom looked at.
    """
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_runtest_protocol(item, nextitem):
    """A worker tells what it was asked for, not that nothing went wrong before and after: half of
    what a test costs.
    """
    if not hasattr(item.config, "workerinput") or item.config.getoption("durations") is not None:
        return None
    named = {"nodeid": item.nodeid, "location": item.location}
    item.ihook.pytest_runtest_logstart(**named)
    for report in runtestprotocol(item, nextitem=nextitem, log=False):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(**named)
    return True


def tried_twice(reporter):
    """What failed at first, and why."""
    reports = reporter.getreports("passed")
    return [
        (report.nodeid, why)
        for report in reports
        for name, why in report.user_properties
        if name == TRIED
    ]


def pytest_sessionfinish(session):
    """A test that fails now and then is a bug: so many fail the run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and len(tried_twice(reporter)) > MOST_TRIED_TWICE:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter):
    tried = tried_twice(terminalreporter)
    for nodeid, why in tried:
        terminalreporter.write_line(f"TRIED TWICE {nodeid}: {why}")
    if len(tried) > MOST_TRIED_TWICE:
        terminalreporter.write_line(
            f"The run fails: {len(tried)} tests were tried twice, {MOST_TRIED_TWICE} may be."
        )


@pytest.fixture(autouse=True, scope="session")
def one_thread_for_linear_algebra():
    """Workers that each start a thread per core wait for one another: 5 s in place of 0.1 s."""
    with threadpool_limits(limits=1, user_api="blas"):
        yield


@pytest.fixture(scope="session")
def browser_path():
    """The path of a Chromium; a test without one is skipped, or fails where
    KPVIZ_REQUIRE_BROWSER=1.
    """
    path = (
        os.environ.get("KPVIZ_BROWSER")
        or shutil.which("chromium-headless-shell")
        or shutil.which("chromium")
    )
    if path is None:
        words = "no browser: set KPVIZ_BROWSER to the path of a Chromium, or run `make test`"
        if os.environ.get("KPVIZ_REQUIRE_BROWSER") == "1":
            pytest.fail(words)
        pytest.skip(words)
    return path


def pytest_addoption(parser):
    parser.addoption(
        "--update-gallery", action="store_true", help="write the boards of tests/gallery anew"
    )
