"""Firefox, which speaks WebDriver BiDi itself, and WebKitGTK, whose driver speaks WebDriver.

Both do the same few things: go somewhere, call a function in the page, press and point, close.
"""

import json
import os
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from itertools import count
from typing import ClassVar

from started import free_port
from websockets.sync.client import connect

PATIENCE = 30  # s
WIDTH = 1366
HEIGHT = 768
CALL = "(text) => JSON.stringify((%s)(...JSON.parse(text)) ?? null)"
LISTEN = """() => {
  window.heard = [];
  window.addEventListener("error", ({ message }) => window.heard.push(message));
  window.addEventListener("unhandledrejection", ({ reason }) => window.heard.push(String(reason)));
}"""


class Browser:
    """A process, with whatever it needs beside it."""

    needs: ClassVar = {}  # program: the names it goes by

    @classmethod
    def missing(cls):
        """The programs that are not installed."""
        return [
            program for program, names in cls.needs.items() if not any(map(shutil.which, names))
        ]

    def __init__(self, folder):
        self.folder = folder
        self.closing = ExitStack()
        self.downloads = folder / "downloads"
        self.downloads.mkdir()
        try:
            self.open()
        except BaseException:
            self.close()
            raise

    def start(self, program, *options, log, **env):
        """Start a program, which is ended with the browser; return the file that it writes to."""
        path = next(filter(None, map(shutil.which, self.needs[program])))
        log = self.folder / log
        with log.open("w") as out:
            process = subprocess.Popen(
                [path, *options], stdout=out, stderr=out, env={**os.environ, **env}
            )
        self.closing.callback(process.wait, 20)
        self.closing.callback(process.terminate)
        return log

    @staticmethod
    def wait_for(ready):
        """What the function returns as soon as it is not None."""
        ends = time.monotonic() + PATIENCE
        while (found := ready()) is None:
            assert time.monotonic() < ends, "the browser did not answer"
            time.sleep(0.02)
        return found

    def close(self):
        self.closing.close()


class Firefox(Browser):
    needs: ClassVar = {"Firefox": ("firefox-esr", "firefox")}

    def open(self):
        self.errors = []
        profile = self.folder / "profile"
        profile.mkdir()
        options = (
            "--headless",
            "--no-remote",
            "--profile",
            str(profile),
            "--remote-debugging-port=0",
        )
        log = self.start("Firefox", *options, log="firefox.txt", HOME=str(self.folder))
        address = self.wait_for(
            lambda: re.search(r"BiDi listening on (ws://\S+)", log.read_text())
        )[1]
        wire = connect(f"{address}/session", max_size=None, open_timeout=PATIENCE, proxy=None)
        self.socket = self.closing.enter_context(wire)
        self.numbers = count(1)
        self.send("session.new", capabilities={})
        self.context = self.send("browsingContext.create", type="tab")["context"]
        self.send("session.subscribe", events=["log.entryAdded"])
        allowed = {"type": "allowed", "destinationFolder": str(self.downloads)}
        self.send("browser.setDownloadBehavior", downloadBehavior=allowed)
        self.send(
            "browsingContext.setViewport", here=True, viewport={"width": WIDTH, "height": HEIGHT}
        )

    def send(self, method, *, here=False, **params):
        number = next(self.numbers)
        if here:
            params["context"] = self.context
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while (answer := json.loads(self.socket.recv(PATIENCE))).get("id") != number:
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.errors.append(answer["params"]["text"])
        assert answer["type"] == "success", answer
        return answer["result"]

    def go(self, url):
        self.leave("browsingContext.navigate", url=url)

    def reload(self):
        self.leave("browsingContext.reload")

    def leave(self, method, **params):
        """Load another page, and wait until it is there: Firefox answers earlier where a page
        writes its address.
        """
        self.call("() => (window.left = true)")
        self.send(method, here=True, wait="complete", **params)
        self.wait_for(self.arrived)

    def arrived(self):
        try:
            return self.call(
                "() => window.left || document.readyState !== 'complete' ? null : true"
            )
        except AssertionError:  # between two pages
            return None

    def call(self, function, *values):
        answer = self.send(
            "script.callFunction",
            functionDeclaration=CALL % function,
            arguments=[{"type": "string", "value": json.dumps(values)}],
            target={"context": self.context},
            awaitPromise=False,
            userActivation=True,
        )
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return json.loads(answer["result"]["value"])

    def act(self, sources):
        self.send("input.performActions", here=True, actions=sources)


class WebKit(Browser):
    needs: ClassVar = {"WebKitGTK's driver": ("WebKitWebDriver",), "a screen": ("Xvfb",)}

    def open(self):
        screen = self.start(
            "a screen", "-displayfd", "1", "-screen", "0", "1600x1200x24", log="screen.txt"
        )
        display = self.wait_for(lambda: re.search(r"^\d+$", screen.read_text(), re.M))[0]
        port = free_port()
        env = {"DISPLAY": f":{display}", "GDK_BACKEND": "x11", "HOME": str(self.folder)}
        (self.folder / ".config").mkdir()
        (self.folder / ".config/user-dirs.dirs").write_text('XDG_DOWNLOAD_DIR="$HOME/downloads"\n')
        self.start("WebKitGTK's driver", f"--port={port}", log="webkit.txt", **env)
        self.address = f"http://127.0.0.1:{port}"
        self.wait_for(self.status)
        wanted = {"browserName": "MiniBrowser"}
        self.address += (
            f"/session/{self.send('/session', capabilities={'alwaysMatch': wanted})['sessionId']}"
        )
        self.closing.callback(self.send, "", method="DELETE")
        self.size()

    def status(self):
        try:
            return self.send("/status", method="GET")
        except urllib.error.URLError:
            return None

    def size(self):
        """Give the page its size: the window has a toolbar, too."""
        self.send("/window/rect", width=WIDTH, height=HEIGHT)
        width, height = self.call("() => [innerWidth, innerHeight]")
        self.send("/window/rect", width=2 * WIDTH - width, height=2 * HEIGHT - height)

    def send(self, path, *, method="POST", **params):
        data = json.dumps(params).encode() if method == "POST" else None
        request = urllib.request.Request(f"{self.address}{path}", data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from None

    def go(self, url):
        self.send("/url", url=url)
        self.call(LISTEN)

    def reload(self):
        self.send("/refresh")
        self.call(LISTEN)

    @property
    def errors(self):
        """What the page that is open did not catch, once it was loaded."""
        return self.call("() => window.heard")

    def call(self, function, *values):
        script = f"return ({CALL % function})(arguments[0])"
        return json.loads(self.send("/execute/sync", script=script, args=[json.dumps(values)]))

    def act(self, sources):
        self.send("/actions", actions=sources)
