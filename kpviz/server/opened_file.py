"""The file that `kpviz app FILE` was given.

The page that the command opens fetches it, and opens it as if dropped.

It is sent only to whoever knows its token, which stands in the address that the command opens: with
`--lan` others in the network reach this server, too, and a lesson has solutions and notes.

Tests: tests/server/test_opened_file.py.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from kpviz.server import OPENED_FILE, OPENED_TOKEN


def route(base: Callable[[], str]) -> Route:
    """Return the route; the base is only known when the server has read its options."""

    def send(request: Request) -> Response:
        path = os.environ.get(OPENED_FILE, "")
        token = os.environ.get(OPENED_TOKEN, "")
        is_here = request.path_params["base"].strip("/") == base().strip("/")
        if (
            not token
            or not is_here
            or not secrets.compare_digest(request.path_params["token"], token)
        ):
            return PlainTextResponse("There is no such file.", 404)
        if not Path(path).is_file():
            return PlainTextResponse("The file is not there any more.", 404)
        return FileResponse(
            path, media_type="application/octet-stream", headers={"Cache-Control": "no-store"}
        )

    return Route("/{base:path}opened-file/{token}/{name}", send, name="kpviz opened file")
