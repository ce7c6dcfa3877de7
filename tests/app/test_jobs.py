"""What is made in the background of a page, when the server ends."""

import threading
import time

import pytest
from apart import awaited

from kpviz.app import jobs, serving
from kpviz.app.jobs import FileJob
from kpviz.server import threads


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder for temporary files."""
    monkeypatch.setattr(jobs.tempfile, "gettempdir", lambda: str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("hears", [True, False], ids=["hears", "deaf"])
def test_a_server_that_ends_gives_up_all_jobs_and_leaves_no_file(folder, monkeypatch, hears):
    monkeypatch.setattr(jobs, "_GRACE", 10.0 if hears else 0.1)
    begun, may_end = threading.Event(), threading.Event()

    def make(path, progress):
        path.write_bytes(b"half")
        begun.set()
        while not may_end.is_set():
            if hears:
                progress(1, 2)
            time.sleep(0.01)

    working, waiting = FileJob(make, "mp4", "a film"), FileJob(make, "mp4", "another")
    working.start()
    waiting.start()
    try:
        assert begun.wait(30)
        assert len(list(folder.iterdir())) == 1
        jobs.end()
        assert list(folder.iterdir()) == []
        assert working.working != hears
    finally:
        may_end.set()
        for job in (working, waiting):
            job.cancel()
            job.end(30)
    assert not working.working
    assert not waiting.working


def test_the_server_gives_them_up_when_it_ends(monkeypatch):
    called = []
    assert jobs.end in threads.at_end
    monkeypatch.setattr(threads, "at_end", [lambda: called.append(threading.current_thread())])
    for name in ("_load", "_open_browser"):
        monkeypatch.setattr(serving, name, lambda: None)
    monkeypatch.setattr(serving.gc, "freeze", lambda: None)

    async def served():
        async with serving.options()["lifespan"](None):
            assert called == []

    awaited(served())
    (thread,) = called
    assert thread is not threading.main_thread()  # the loop goes on
