"""What can be typed: the parsers of all commands."""

import argparse

from kpviz import cli


def commands(parser=None):
    """Return the parser of each command by what is typed for it, as "lesson grade"."""
    parser = parser or cli._parser()
    deeper = [
        action for action in parser._actions if isinstance(action, argparse._SubParsersAction)
    ]
    if not deeper:
        return {parser.prog.removeprefix("kpviz "): parser}
    return {
        name: leaf
        for action in deeper
        for subparser in action.choices.values()
        for name, leaf in commands(subparser).items()
    }
