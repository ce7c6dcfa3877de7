"""What the arguments of the command line may be: each function reads one, or says in a sentence why it cannot."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence

from kpviz import tokens
from kpviz.commands import pictures, render
from kpviz.export.film.formats import PICTURES, RATES, SIZES

_PICTURES = (".png", ".svg", ".pdf")


def numbers(text: str) -> list[float]:
    """Return numbers with commas between them."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} are not numbers, as in 0.1,0.5,2.") from None


def picture(text: str) -> str:
    """Return the name of a picture's file, or -."""
    return text if text == "-" else _ending(text, _PICTURES)


def film(text: str) -> str:
    """Return the name of a film's file, or of its captions'."""
    return _ending(text, (*render.FILMS, *render.CAPTIONS))


def film_or_page(text: str) -> str:
    """Return the name of a film's file, of its captions', or of a page's."""
    return _ending(text, (*render.FILMS, *render.CAPTIONS, render.PAGE))


def _ending(text: str, known: Sequence[str]) -> str:
    if not text.lower().endswith(tuple(known)):
        raise argparse.ArgumentTypeError(f"{text!r} does not end in {', '.join(known[:-1])} or {known[-1]}.")
    return text


def captions(text: str) -> str:
    """Return the name of a file of captions."""
    return _ending(text, render.CAPTIONS)


def add_film(parser: argparse.ArgumentParser) -> None:
    """Add what the films of a run and of a lesson have in common."""
    parser.add_argument(
        "--captions",
        metavar="FILE",
        type=captions,
        action="append",
        default=[],
        help="the sentences, as .vtt or .srt",
    )
    parser.add_argument("--no-words", action="store_true", help="leave the sentences out of the picture")
    parser.add_argument("--size", type=film_size, metavar="SIZE", help=f"{', '.join(SIZES)} or WxH (1080p; GIF: 720p)")
    parser.add_argument("--fps", type=int, choices=RATES, help="frames per second (30)")
    parser.add_argument(
        "--speed",
        type=float,
        default=1.0,
        metavar="X",
        help="times the default speed (1); in films the first and last step stay until they are read",
    )
    parser.add_argument("--quiet", action="store_true", help="do not list what was written")


def add_look(parser: argparse.ArgumentParser) -> None:
    """Add how pictures look."""
    parser.add_argument("--theme", choices=tuple(tokens.THEMES), default="light", help="default: light; print: in grey")
    parser.add_argument("--transparent", action="store_true", help="leave out the ground, for a slide as light or dark")
    parser.add_argument("--size", type=picture_size, metavar="SIZE", help=f"{', '.join(PICTURES)} or WxH (2560x1440)")
    parser.add_argument("--quiet", action="store_true", help="do not list what was written")


def film_size(text: str) -> tuple[int, int]:
    """Return the size of a film."""
    width, height = {**SIZES, "16:9": SIZES["1080p"]}.get(text.lower()) or _size(text, SIZES)
    if width % 2 or height % 2:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size for a film: give even numbers.")
    return width, height


def step(text: str) -> int:
    """Return a step."""
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a step: give a whole number, 0 is the start.")
    return int(text)


def step_or_end(text: str) -> int | str:
    """Return a step, or the word for the end."""
    return text if text == pictures.END else step(text)


def steps(text: str) -> list[int | str]:
    """Return 2 to 24 steps."""
    steps = [step_or_end(part.strip()) for part in text.split(",")]
    if not 2 <= len(steps) <= 24:
        raise argparse.ArgumentTypeError(f"{text!r} are not 2 to 24 steps, as in 0,12,end.")
    return steps


def storyboard(text: str) -> int | str:
    """Return how many pictures a storyboard has, or the word for one at each cue."""
    if text == pictures.CUES:
        return text
    if not re.fullmatch(r"[0-9]{1,2}", text) or not 2 <= int(text) <= 24:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of pictures: give 2 to 24, or 'cues'.")
    return int(text)


def picture_size(text: str) -> tuple[int, int]:
    """Return the size of a picture."""
    return PICTURES.get(text.lower()) or SIZES.get(text.lower()) or _size(text, PICTURES)


def _size(text: str, names: Iterable[str]) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{3,4})x([0-9]{3,4})", text)
    width, height = (int(match[1]), int(match[2])) if match else (0, 0)
    if min(width, height) < 320 or max(width, height) > 8000:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a size such as 1920x1080, of 320 to 8000 pixels, nor one of {', '.join(names)}."
        )
    return width, height
