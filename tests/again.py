"""Tests that wait for a browser are tried twice."""

from _pytest.runner import runtestprotocol

TRIED = "tried twice, since"


def twice(item, nextitem):
    """Try a test that failed once more: on a busy machine a wait may run out. What fails twice has
    failed.
    """
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    if any(report.failed for report in reports):
        item.tried = True
        item._initrequest()
        item.user_properties.append((TRIED, why(reports)))
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def why(reports):
    """The line of the test at which the first try failed, and the first line of how."""
    failed = next(report for report in reports if report.failed)
    crash = getattr(failed.longrepr, "reprcrash", None)
    if crash is None:
        return failed.longreprtext
    return (
        f"line {line_of_the_test(failed.longrepr) or crash.lineno}: "
        f"{crash.message.partition(chr(10))[0]}"
    )


def line_of_the_test(representation):
    """None where pytest does not say it: of a group of exceptions, and in most styles of --tb."""
    first_entry = representation.reprtraceback.reprentries[0]
    location = getattr(first_entry, "reprfileloc", None)
    return location and location.lineno
