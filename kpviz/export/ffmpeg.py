"""ffmpeg, which comes with imageio-ffmpeg: pictures in, a film out, whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import Queue
from types import TracebackType
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from kpviz import packages
from kpviz.export.scratch import Scratch

_BROKEN = "ffmpeg does not start on this machine: set IMAGEIO_FFMPEG_EXE to an ffmpeg of your own."
_HD = ["-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"]
_HD += ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"]
# For even grounds and sharp edges: a quarter of the time less, and nearer to what was drawn.
_FLAT = "subme=0:aq-mode=0"
_PIPE = 1 << 20  # bytes that pass at once, where Linux lets us choose: as a rule 64 KiB of a frame's 4 MB
_WAITING = 3  # frames that are drawn but not passed on yet
# What is written the same way each time: no date, no version.
_EXACT = ["-map_metadata:g", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"]
_X264 = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-x264-params", _FLAT]
_MP4 = [*_X264, *_HD, "-movflags", "+faststart"]


def executable() -> str:
    """Return where ffmpeg is; a ValueError says what to install where it is not."""
    own = os.environ.get("IMAGEIO_FFMPEG_EXE")
    if own:
        if shutil.which(own) is None:
            raise ValueError(f"IMAGEIO_FFMPEG_EXE names no program ({own}): correct it, or unset it.")
        return own
    with packages.needs("A film", "film"):
        import imageio_ffmpeg
    try:
        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except RuntimeError:
        raise ValueError(_BROKEN) from None


class Writer:
    """Takes frames, and puts the film in its place when all are there; leaves nothing behind where one fails.

    Parameters
    ----------
    fps : frames per second. chapters : the frames at which each begins and ends, and its name.
    """

    def __init__(
        self, path: Path, width: int, height: int, fps: int, chapters: Sequence[tuple[int, int, str]] = ()
    ) -> None:
        self.path = path.resolve()
        self._fps, self._size, self._chapters = fps, f"{width}x{height}", chapters
        self._scratch: Scratch | None = None
        self._stderr: Any = None  # what ffmpeg complains about
        self._ffmpeg: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Writer:
        try:
            self._scratch = Scratch(self.path.parent)
        except OSError as error:
            raise self._unwritten(error.strerror or "") from None
        try:
            self._start([*self._named(), *_MP4, *_EXACT, "-f", "mp4"], self._made)
        except BaseException:
            self._give_up()
            raise
        return self

    @property
    def _made(self) -> Path:
        return self._beside("film.mp4")

    def _beside(self, name: str) -> Path:
        assert self._scratch is not None  # it is there from __enter__ to __exit__
        return self._scratch.path / name

    def _named(self) -> list[str]:
        """Write the names of the chapters to a file."""
        if not self._chapters:
            return []
        file = self._beside("chapters.txt")
        lines = [";FFMETADATA1"]
        for start, end, name in self._chapters:
            lines += ["[CHAPTER]", f"TIMEBASE=1/{self._fps}", f"START={start}", f"END={end}"]
            lines.append("title=" + re.sub(r"([=;#\\])", r"\\\1", name))
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return ["-f", "ffmetadata", "-i", str(file), "-map_chapters", "1"]

    def _start(self, options: list[str], target: Path) -> None:
        given = ["-f", "rawvideo", "-pix_fmt", "rgb0", "-s", self._size, "-r", str(self._fps), "-i", "-"]
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as ffmpeg does
        try:
            self._ffmpeg = subprocess.Popen(
                [executable(), "-y", "-nostdin", "-loglevel", "error", *given, *options, str(target)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._stderr,
            )
        except OSError:
            raise ValueError(_BROKEN) from None
        _widen(self._ffmpeg.stdin)
        self._queue: Queue[NDArray[np.uint8] | None] = Queue(_WAITING)
        self._broken = threading.Event()
        self._passing = threading.Thread(target=self._pass_on, args=(self._ffmpeg.stdin,), daemon=True)
        self._passing.start()

    def write(self, frame: NDArray[np.uint8]) -> None:
        """Hand over one frame, (height, width, 4), which must not change any more."""
        self._queue.put(frame)
        if self._broken.is_set():
            self._finish()
            raise self._unwritten("ffmpeg ended early")

    def _pass_on(self, pipe: IO[bytes]) -> None:
        """Pass frames on while the next ones are drawn; a few wait, so that memory stays flat."""
        while (frame := self._queue.get()) is not None:
            try:
                if not self._broken.is_set():
                    pipe.write(np.ascontiguousarray(frame).data.cast("B"))
            except Exception:  # whatever it is, frames must go on being taken; ffmpeg says why
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
        self._ffmpeg = None
        if code or self._broken.is_set():
            self._stderr.seek(0)
            lines = self._stderr.read().decode(errors="replace").strip().splitlines() or ["no reason"]
            full = any("No space left" in line for line in lines)
            raise self._unwritten("no space is left on its disk" if full else lines[-1].strip())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self._finish()
                os.replace(self._made, self.path)
        except OSError as problem:
            raise self._unwritten(problem.strerror or "") from None
        finally:
            self._give_up()

    def _give_up(self) -> None:
        if self._ffmpeg is not None:
            self._ffmpeg.kill()
            self._ffmpeg.wait()
            self._ffmpeg = None
            self._queue.put(None)
            self._passing.join()
        if self._stderr is not None:
            self._stderr.close()
        if self._scratch is not None:
            self._scratch.close()

    def _unwritten(self, why: str) -> ValueError:
        return ValueError(f"{self.path.name!r} cannot be written: {why.rstrip('.')}.")


def _widen(pipe: IO[bytes] | None) -> None:
    """Let more pass at once, where this is possible: it saves a part of what passing costs."""
    if sys.platform == "linux" and pipe is not None:
        import fcntl

        with suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)
