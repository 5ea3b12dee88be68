"""Call the functions that libculprit.so has for its process; culprit.h has the contract."""

import ctypes
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Failure:
    """The one sticky error of a process."""

    code: int
    headline: str
    bundle: str  # absolute path, "" where none could be written


class Library:
    """The library, found among what this process has loaded."""

    def __init__(self, functions):
        self._failure = functions.culpritFailure
        self._failure.argtypes = [ctypes.POINTER(ctypes.c_char_p)] * 2
        self._failure.restype = ctypes.c_int
        self._start = functions.culpritRangeStart
        self._start.argtypes = [ctypes.c_char_p] * 2
        self._start.restype = ctypes.c_uint64
        self._end = functions.culpritRangeEnd
        self._end.argtypes = [ctypes.c_uint64]
        self._end.restype = None

    def failure(self):
        """The Failure that was seen, or None. Does not ask the GPU, so it may be a moment late."""
        headline, bundle = ctypes.c_char_p(), ctypes.c_char_p()
        code = self._failure(ctypes.byref(headline), ctypes.byref(bundle))
        if code == 0:
            return None
        return Failure(code, (headline.value or b"").decode(), (bundle.value or b"").decode())

    @contextmanager
    def range(self, domain, message):
        """Report the launches of all threads within it as launched there."""
        opened = self._start(domain.encode(), message.encode())
        try:
            yield
        finally:
            self._end(opened)


def find():
    """The Library, or None where the process was not started with it."""
    try:
        return Library(ctypes.CDLL(None))
    except AttributeError:
        return None
