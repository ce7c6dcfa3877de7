"""ffmpeg, which comes with imageio-ffmpeg: pictures in, a film out, whole or not at all.

Tests: tests/export/test_films.py.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import Queue
from typing import IO

import numpy as np
from numpy.typing import NDArray

from kpviz import packages
from kpviz.export import writing
from kpviz.export.writing import Replacement

_BROKEN = "ffmpeg does not start on this machine: set IMAGEIO_FFMPEG_EXE to an ffmpeg of your own."
_HD = ["-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"]
_HD += [
    "-colorspace",
    "bt709",
    "-color_primaries",
    "bt709",
    "-color_trc",
    "bt709",
    "-color_range",
    "tv",
]
# For even grounds and sharp edges: a quarter of the time less, and nearer to what was drawn.
_FLAT = "subme=0:aq-mode=0"
# In bytes: so much passes at once where Linux lets us choose, else 64 KiB of a frame's 4 MB.
_PIPE = 1 << 20
_COMPLAINTS_KEPT = 4000  # In bytes: the end of what it complains of.
_TOO_LARGE = getattr(signal, "SIGXFSZ", 0)  # It ends a program whose file grows beyond the limit.
_WAITING = 3  # So many frames are drawn but not passed on yet.
# A film is written the same way each time, without a date and a version.
_EXACT = ["-map_metadata:g", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"]
_X264 = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-x264-params", _FLAT]
_MP4 = [*_X264, *_HD, "-movflags", "+faststart"]


def executable() -> str:
    """Return where ffmpeg is; a ValueError says what to install where it is not."""
    named_program = os.environ.get("IMAGEIO_FFMPEG_EXE")
    if named_program:
        if shutil.which(named_program) is None:
            raise ValueError(
                f"IMAGEIO_FFMPEG_EXE names no program ({named_program}): correct it, or unset it."
            )
        return named_program
    with packages.needs("A film", "film"):
        import imageio_ffmpeg
    try:
        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except RuntimeError:
        raise ValueError(_BROKEN) from None


class Writer:
    """Takes frames, and puts the film in its place when all are there.

    Leaves nothing behind where one fails.

    Parameters
    ----------
    fps : frames per second. chapters : the frames at which each begins and ends, and its name.
    """

    def __init__(
        self,
        path: Path,
        width: int,
        height: int,
        fps: int,
        chapters: Sequence[tuple[int, int, str]] = (),
    ) -> None:
        self._film = Replacement(path, "film.mp4")
        self._fps = fps
        self._size = f"{width}x{height}"
        self._chapters = chapters
        self._ffmpeg: subprocess.Popen[bytes] | None = None
        self._complaints = b""  # The end of what ffmpeg says.

    def __enter__(self) -> Writer:
        try:
            self._start([*self._named(), *_MP4, *_EXACT, "-f", "mp4"], self._film.path)
        except BaseException:
            self._give_up()
            raise
        return self

    def _named(self) -> list[str]:
        """Write the names of the chapters to a file."""
        if not self._chapters:
            return []
        file = self._film.path.with_name("chapters.txt")
        lines = [";FFMETADATA1"]
        for start, end, name in self._chapters:
            lines += ["[CHAPTER]", f"TIMEBASE=1/{self._fps}", f"START={start}", f"END={end}"]
            lines.append("title=" + re.sub(r"([=;#\\])", r"\\\1", name))
        try:
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        except OSError as error:
            raise self._film.unwritten(writing.reason(error)) from None
        return ["-f", "ffmetadata", "-i", str(file), "-map_chapters", "1"]

    def _start(self, options: list[str], target: Path) -> None:
        input_options = [
            "-f",
            "rawvideo",
            "-pix_fmt",
            "rgb0",
            "-s",
            self._size,
            "-r",
            str(self._fps),
            "-i",
            "-",
        ]
        try:
            self._ffmpeg = subprocess.Popen(
                [
                    executable(),
                    "-y",
                    "-nostdin",
                    "-loglevel",
                    "error",
                    *input_options,
                    *options,
                    str(target),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
        except OSError:
            raise ValueError(_BROKEN) from None
        _widen(self._ffmpeg.stdin)
        self._queue: Queue[NDArray[np.uint8] | None] = Queue(_WAITING)
        self._broken = threading.Event()
        self._passing = threading.Thread(
            target=self._pass_on, args=(self._ffmpeg.stdin,), daemon=True
        )
        self._passing.start()
        self._listening = threading.Thread(
            target=self._listen, args=(self._ffmpeg.stderr,), daemon=True
        )
        self._listening.start()

    def write(self, frame: NDArray[np.uint8]) -> None:
        """Hand over one frame, (height, width, 4), which must not change any more."""
        self._queue.put(frame)
        if self._broken.is_set():
            self._finish()
            raise self._film.unwritten("ffmpeg ended early")

    def _pass_on(self, pipe: IO[bytes]) -> None:
        """Pass frames on while the next ones are drawn; a few wait, so that memory stays flat."""
        while True:
            frame = self._queue.get()
            if frame is None:
                break
            try:
                if not self._broken.is_set():
                    pipe.write(np.ascontiguousarray(frame).data.cast("B"))
            except Exception:  # Whatever it is, frames must go on being taken; ffmpeg says why.
                self._broken.set()
        with suppress(OSError):
            pipe.close()

    def _finish(self) -> None:
        """Wait for ffmpeg; raise a ValueError with what it says if it failed."""
        process = self._ffmpeg
        if process is None:
            return
        self._queue.put(None)
        self._passing.join()
        code = process.wait()
        self._listening.join()
        self._ffmpeg = None
        if code or self._broken.is_set():
            raise self._film.unwritten(_why(code, self._complaints.decode(errors="replace")))

    def _listen(self, pipe: IO[bytes]) -> None:
        """Keep what ffmpeg says last: not in a file, whose disk may be the one that is full."""
        with suppress(OSError, ValueError):
            for chunk in iter(pipe.read1, b""):  # type: ignore[attr-defined]
                self._complaints = (self._complaints + chunk)[-_COMPLAINTS_KEPT:]
            pipe.close()

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        try:
            if error is None:
                self._finish()
                self._film.commit()
        finally:
            self._give_up()

    def _give_up(self) -> None:
        if self._ffmpeg is not None:
            self._ffmpeg.kill()
            self._ffmpeg.wait()
            self._ffmpeg = None
            self._queue.put(None)
            self._passing.join()
            self._listening.join()
        self._film.close()


def _why(code: int, complaints: str) -> str:
    """Return why ffmpeg failed, by its exit code and what it says."""
    for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        if os.strerror(number) in complaints or (number == errno.EFBIG and code == -_TOO_LARGE):
            return writing.reason(OSError(number, ""))
    lines = complaints.strip().splitlines()
    if lines:
        return lines[-1].strip().rstrip(".")
    return f"ffmpeg ended without a reason (code {code}): see whether its disk is full"


def _widen(pipe: IO[bytes] | None) -> None:
    """Let more pass at once, where this is possible: it saves a part of what passing costs."""
    if sys.platform == "linux" and pipe is not None:
        import fcntl

        with suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)
