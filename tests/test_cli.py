"""The command line: what it says, what it refuses, and how it starts the server."""

import argparse
import os
import re
import runpy
import shlex
import signal
import socket
import subprocess
import sys
import tomllib
import webbrowser
from pathlib import Path
from types import SimpleNamespace

import pytest

import kpviz
from kpviz import cli, packages
from kpviz.app import serving
from kpviz.commands import install, serve
from kpviz.lessons import shelf
from kpviz.server import OPENED, names
from kpviz.service import join


@pytest.fixture
def started(monkeypatch):
    """The commands that would have been run."""
    calls = []

    def become(command, env):
        calls.append(command)
        return 0

    monkeypatch.setattr(serve, "become", become)
    return calls


@pytest.fixture
def ten_taken_ports():
    """The first of ten neighbouring ports that others listen on."""
    for first in range(20000, 60000, 37):
        taken = []
        try:
            for port in range(first, first + 10):
                taken.append(socket.socket())
                taken[-1].bind(("0.0.0.0", port))
                taken[-1].listen()
        except OSError:
            continue
        else:
            yield first
            return
        finally:
            for one in taken:
                one.close()
    pytest.skip("no ten neighbouring ports are free on this machine")


def option(command, name):
    return next(part.partition("=")[2] for part in command if part.startswith(f"--{name}="))


def test_a_folder_of_lessons_and_whether_its_notes_are_sent_go_to_the_server(monkeypatch, tmp_path):
    found = []
    monkeypatch.setattr(serve, "become", lambda command, env: found.append(env) or 0)
    monkeypatch.delenv(shelf.NOTES, raising=False)
    for more in ([], ["--notes"]):
        assert cli.main(["app", "--no-browser", "--lessons", str(tmp_path), *more]) == 0
    assert [env[shelf.FOLDER] for env in found] == [str(tmp_path.resolve())] * 2
    assert [env.get(shelf.NOTES) for env in found] == [None, "yes"]
    assert [join.ADDRESS in env for env in found] == [False, False]
    cli.main(["app", "--no-browser", "--name", "kpviz.example.org", "--port", "8600"])
    assert found[-1][join.ADDRESS] == "https://kpviz.example.org"  # where those who join find it


def test_the_folder_that_a_class_has_goes_to_the_server(monkeypatch):
    found = []
    monkeypatch.setattr(serve, "become", lambda command, env: found.append(env) or 0)
    for url in ("https://university.example/k", "https://university.example/k/index.html"):
        assert cli.main(["app", "--no-browser", "--class", url]) == 0
    assert [env[join.CLASS] for env in found] == [
        "https://university.example/k/",
        "https://university.example/k/index.html",
    ]


@pytest.mark.parametrize(
    "url",
    [
        "university.example/k",
        "ftp://university.example/",
        "https://",
        "https://[::1/",
        "https://university.example:x/",
        "https://university.example/?v=1",
        "https://university.example/#top",
        "https://university.example/a b",
        "course",
    ],
)
def test_what_is_no_address_of_a_folder_is_refused_in_one_sentence(url, capsys):
    with pytest.raises(SystemExit):
        cli.main(["app", "--class", url])
    sentence = capsys.readouterr().err
    assert "is not the address of a folder of pages: give one that begins with https://" in sentence
    assert sentence.count("\n") == 1


def parsers(parser, name="kpviz"):
    yield name, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for part, below in action.choices.items():
                yield from parsers(below, f"{name} {part}")


@pytest.mark.parametrize("name", [name for name, _ in parsers(cli._parser())])
def test_help_teaches_by_example_and_explains_every_option(name, capsys):
    with pytest.raises(SystemExit) as left:
        cli.main([*name.split()[1:], "--help"])
    assert left.value.code == 0
    assert f"\n  {name}" in capsys.readouterr().out or name == "kpviz lesson list"
    parser = dict(parsers(cli._parser()))[name]
    assert parser.description.endswith(".")
    explained = [
        each for each in parser._actions if not isinstance(each, argparse._SubParsersAction)
    ]
    assert all(action.help for action in explained)


def test_every_example_of_the_help_can_be_typed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    examples = {
        line.partition("   ")[0]
        for _, parser in parsers(cli._parser())
        for line in re.findall(r"^  (kpviz \S.*)$", parser.epilog, re.MULTILINE)
    }
    assert len(examples) > 20
    for example in examples:
        cli._parser().parse_args(shlex.split(example)[1:])


def test_the_words_of_the_command_line_are_few():
    names = [name.partition(" ")[2] for name, _ in parsers(cli._parser())]
    lesson = [
        "check",
        "students",
        "join",
        "list",
        "copy",
        "handout",
        "slides",
        "worksheet",
        "site",
        "grade",
    ]
    assert sorted(names) == sorted(["", *cli._COMMANDS, *(f"lesson {part}" for part in lesson)])


def test_the_version_is_the_packages(capsys):
    with pytest.raises(SystemExit) as left:
        cli.main(["--version"])
    assert left.value.code == 0
    assert capsys.readouterr().out == f"kpviz {kpviz.__version__}\n"


def test_the_doctor_names_what_is_installed_and_what_brings_the_rest(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "typst", None)
    assert cli.main(["doctor"]) == 0
    said = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert list(said) == ["kpviz", "library", *packages.EXTRAS]
    assert said["library"].startswith("numpy ")
    assert said["print"].endswith('not complete: run pip install "kpviz[print]"')


def test_the_doctor_says_what_the_library_lacks(monkeypatch, capsys):
    monkeypatch.setattr(install, "_CORE", ("numpy", "nothing_of_the_kind"))
    assert cli.main(["doctor"]) == 0
    assert (
        capsys.readouterr().out.splitlines()[1].endswith(", nothing_of_the_kind is not installed")
    )


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_the_shell_learns_every_command(shell, capsys):
    assert cli.main(["completion", shell]) == 0
    said = capsys.readouterr().out
    assert all(name in said for name in [*cli._COMMANDS, "worksheet", "--list-settings"])


def test_without_a_command_it_prints_its_help(capsys, started):
    assert cli.main([]) == 0
    assert "usage: kpviz" in capsys.readouterr().out
    assert started == []


@pytest.mark.parametrize(
    "port", ["0", "80", "1023", "65536", "-1", "abc", "", "8501.0", "1e4", "９" * 3]
)
def test_a_bad_port_is_refused_in_one_line(port, capsys, started):
    with pytest.raises(SystemExit) as left:
        cli.main(["app", f"--port={port}"])
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith("kpviz app: error: ")
    assert said.endswith("is not a port: give a whole number from 1024 to 65535.\n")
    assert started == []


@pytest.mark.parametrize(("given", "base"), [("/courses/k", "/courses/k"), ("kpviz/", "/kpviz")])
def test_all_pages_are_below_a_path_that_is_given(given, base, started, capsys):
    assert cli.main(["app", "data=moons", "--no-browser", f"--base-path={given}"]) == 0
    (command,) = started
    assert option(command, "server.baseUrlPath") == base
    address = f"http://localhost:{option(command, 'server.port')}{base}/?data=moons"
    assert f"kpviz is at {address} " in capsys.readouterr().out


@pytest.mark.parametrize("path", ["", "a b", "//evil.example", "/k?", "/k#x", "k//l", "ü"])
def test_what_is_no_path_is_refused_in_one_line(path, capsys, started):
    with pytest.raises(SystemExit) as left:
        cli.main(["app", f"--base-path={path}"])
    assert left.value.code == 2
    assert "is not a path: give letters" in capsys.readouterr().err
    assert started == []


@pytest.mark.parametrize("more", [[], ["--no-browser"], ["--lan", "--no-browser"]], ids=" ".join)
def test_the_server_listens_on_this_machine_unless_others_are_let_in_and_says_where(
    started, capsys, monkeypatch, more
):
    assert re.fullmatch(r"[\w.:-]+", names.lan_address())
    monkeypatch.setattr(names, "lan_address", lambda: "192.0.2.7")
    assert cli.main(["app", *more]) == 0
    (command,) = started
    assert command[:5] == [sys.executable, "-m", "kpviz.commands.interruptible", "streamlit", "run"]
    assert (Path(command[5]).name, Path(command[5]).is_file()) == ("main.py", True)
    address, name = ("0.0.0.0", "192.0.2.7") if "--lan" in more else ("localhost", "localhost")
    assert option(command, "server.address") == address
    assert option(command, "server.headless") == str("--no-browser" in more).lower()
    assert option(command, "browser.gatherUsageStats") == "false"
    hosts = {word.split("=")[1] for word in command if word.startswith("--server.allowedHosts=")}
    assert hosts >= {
        "localhost",
        "127.0.0.1",
        name,
        *([socket.gethostname()] if "--lan" in more else []),
    }
    assert ("192.0.2.7" in hosts) == ("--lan" in more)
    assert f"http://{name}:{option(command, 'server.port')} " in capsys.readouterr().out


def test_the_answer_of_the_server_is_the_exit_code(monkeypatch):
    monkeypatch.setattr(serve, "become", lambda command, env: 3)
    assert cli.main(["app"]) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="there the server is a process of its own")
def test_a_server_that_is_killed_leaves_no_process_behind():
    """What `kpviz app` prints before the server starts is its last word: the server takes its
    place.
    """
    code = "import time; print('serving', flush=True); time.sleep(60)"
    become = (
        f"from kpviz.commands import serve; serve.become(['{sys.executable}', '-c', "
        f"{code!r}], {{}})"
    )
    process = subprocess.Popen([sys.executable, "-c", become], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "serving\n"
    process.kill()
    assert process.stdout.read() == ""  # no other process holds it open
    assert process.wait(30) == -signal.SIGKILL


def test_a_taken_port_gives_way_to_the_next_free_one(started, capsys, monkeypatch):
    with socket.socket() as other:
        other.bind(("0.0.0.0", 0))
        other.listen()
        wanted = other.getsockname()[1]
        monkeypatch.setattr(serve, "_PORT", wanted)
        cli.main(["app"])
    used = int(option(started[0], "server.port"))
    assert wanted < used < wanted + 10
    assert f":{used}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "taken"),
    [
        ([], "ports {} to {} are"),
        (["--port={}"], "port {} is"),  # which is not exchanged for another
        (["--port={}", "--name=kpviz.example.org"], "port {} is"),
    ],
)
def test_taken_ports_are_said_in_one_sentence(
    ten_taken_ports, started, capsys, monkeypatch, more, taken
):
    monkeypatch.setattr(serve, "_PORT", ten_taken_ports)
    assert cli.main(["app", *(part.format(ten_taken_ports) for part in more)]) == 1
    said = taken.format(ten_taken_ports, ten_taken_ports + 9)
    assert capsys.readouterr() == ("", f"kpviz: {said} taken: choose another with --port.\n")
    assert started == []


def test_the_last_port_of_all_is_tried_and_no_other(started, monkeypatch, capsys):
    assert cli.main(["app", "--port=65535"]) in (0, 1)
    printed = capsys.readouterr()
    assert "65536" not in printed.out + printed.err
    assert all(option(command, "server.port") == "65535" for command in started)


def test_a_missing_streamlit_is_said_in_one_sentence(monkeypatch, capsys, started):
    monkeypatch.setitem(sys.modules, "streamlit", None)
    assert cli.main(["app"]) == 1
    missing = 'The app needs streamlit, which is not installed: run pip install "kpviz[app]".'
    assert capsys.readouterr().err == f"kpviz: {missing}\n"
    assert started == []


@pytest.mark.parametrize(
    ("link", "place"),
    [
        ("data=circles&sigma=0.3", "/?data=circles&sigma=0.3"),
        ("?v=1&t=4&show=gram", "/?v=1&t=4&show=gram"),
        ("http://localhost:9/?v=1&data=moons", "/?v=1&data=moons"),
        ("lesson-07-width", "/?lesson=lesson-07-width"),
        ("https://example.org/class/fisher?data=clouds", "/fisher?data=clouds"),
    ],
)
def test_the_app_opens_the_link_it_is_given(capsys, monkeypatch, link, place):
    told = []
    monkeypatch.setattr(
        serve, "become", lambda command, environment: told.append((command, environment)) or 0
    )
    assert cli.main(["app", link]) == 0
    command, environment = told[0]
    address = f"http://localhost:{option(command, 'server.port')}{place}"
    assert (environment[OPENED], option(command, "server.headless")) == (address, "false")
    assert f"kpviz is at {address} " in capsys.readouterr().out
    assert cli.main(["app", link, "--no-browser"]) == 0
    assert option(told[1][0], "server.headless") == "true"


OWN = (
    "127.0.0.2" if sys.platform == "linux" else "127.0.0.1"
)  # of a server that does not listen at localhost


@pytest.mark.parametrize(("own", "bound"), [("", "localhost"), ("0.0.0.0", "0.0.0.0"), (OWN, OWN)])
def test_an_address_is_opened_when_the_server_listens(monkeypatch, own, bound):
    opened, late = [], socket.socket()
    pauses = iter([lambda: None, late.listen])
    late.bind((bound, 0))
    listening = socket.SOL_SOCKET, socket.SO_ACCEPTCONN
    monkeypatch.setattr(
        webbrowser,
        "open",
        lambda address: opened.append((address, late.getsockopt(*listening) != 0)),
    )
    monkeypatch.setattr(serving.time, "sleep", lambda seconds: next(pauses)())
    monkeypatch.setenv(OPENED, "http://localhost/?v=1")
    options = {
        "server.headless": False,
        "server.address": own,
        "server.port": late.getsockname()[1],
    }
    monkeypatch.setattr(serving.st, "get_option", options.get)
    monkeypatch.setattr(
        serving.threading,
        "Thread",
        lambda target, args, daemon: SimpleNamespace(start=lambda: target(*args)),
    )
    serving._open_browser()
    late.close()
    assert opened == [("http://localhost/?v=1", True)]


def test_the_package_is_the_command(capsys):
    before = signal.getsignal(signal.SIGINT)
    try:
        with pytest.raises(SystemExit) as left:
            runpy.run_module("kpviz", run_name="__main__", alter_sys=True)
    finally:
        signal.signal(
            signal.SIGINT, before
        )  # the command leaves it ignored, as it ends the process
    assert left.value.code in (0, 2)
    assert "kpviz" in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("module", "arguments"), [("numpy", ["train", "?"]), ("streamlit", ["app", "--no-browser"])]
)
def test_an_interruption_while_kpviz_is_imported_leaves_no_traceback(module, arguments, tmp_path):
    """A module in place of numpy, or of Streamlit in the server, takes its time and says when it
    begins.
    """
    slow = (
        "import time\nprint('importing', flush=True)\nfor _ in range(6000):\n    time.sleep(0.01)"
    )
    (tmp_path / f"{module}.py").write_text(
        slow
    )  # a signal that comes just before a sleep does not end it
    root = Path(kpviz.__file__).parents[1]
    process = subprocess.Popen(
        [sys.executable, "-c", "import sys, kpviz_command as c; sys.exit(c.main())", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{root}"},
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.SIG_DFL
        ),  # a shell's job in the background ignores it
    )
    assert "importing\n" in iter(process.stdout.readline, "")
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == 130


def test_the_command_starts_where_an_interruption_is_caught():
    root = Path(kpviz.__file__).parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["scripts"] == {"kpviz": "kpviz_command:main"}
    assert "kpviz_command.py" in project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
