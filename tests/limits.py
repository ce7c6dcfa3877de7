"""What a system may refuse: rights that even root has to have, and files that may not grow."""

import contextlib
import ctypes
import os
import sys

_VERSION = 0x20080522  # of the structures below
# CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: to write and read whatever the permissions say.
_RIGHTS = 0b110


class _Header(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("process", ctypes.c_int)]


class _Sets(ctypes.Structure):
    _fields_ = [
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    ]


def can_be_kept():
    """Whether permissions hold for us, or can be made to."""
    return sys.platform != "win32" and (os.geteuid() != 0 or sys.platform == "linux")


@contextlib.contextmanager
def permissions_kept():
    """Let the permissions of files hold in this thread, for root, too."""
    if os.geteuid() != 0:
        yield
        return
    system = ctypes.CDLL(None, use_errno=True)
    header = _Header(_VERSION, 0)
    sets = (_Sets * 2)()
    assert system.capget(ctypes.byref(header), sets) == 0
    before = sets[0].effective
    sets[0].effective = before & ~_RIGHTS
    assert system.capset(ctypes.byref(header), sets) == 0
    try:
        yield
    finally:
        sets[0].effective = before
        assert system.capset(ctypes.byref(header), sets) == 0


@contextlib.contextmanager
def files_of_at_most(size):
    """Let no file grow beyond so many bytes, as where a disk is full."""
    import resource

    import joblib  # noqa: F401  # It makes a semaphore, which is a file, when it is imported.

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
