"""Jobs of threads without an event loop: done by the pool of the server, where there is one."""

import asyncio
import os

import pool_jobs as jobs
import pytest
from apart import awaited

from kpviz.server import threads
from kpviz.server.pool import Job, Pool


def test_a_thread_does_its_job_itself_where_no_server_runs():
    assert threads.compute(Job(jobs.where, (), 0.1)) == os.getpid()


def test_a_server_lends_its_processes_to_its_threads():
    async def main():
        pool = Pool(workers=2)
        try:
            pool.warm()
            with threads.lent(pool):
                while (found := await asyncio.to_thread(threads.compute, Job(jobs.where, (), 0.1))) == os.getpid():
                    await asyncio.sleep(0.05)
                with pytest.raises(ValueError, match=r"^There are no points\.$"):
                    await asyncio.to_thread(threads.compute, Job(jobs.refused, (), 0.1))
            return found
        finally:
            await pool.close()

    assert awaited(main()) != os.getpid()
    assert threads.compute(Job(jobs.where, (), 0.1)) == os.getpid()
