"""The recorder's library for the tests of this folder, and what Python itself says of its stacks."""
import ctypes
import sys
import threading

LIBRARY = sys.argv[1]
DEFAULT_ROWS = 1 << 18


def load(n_rows=DEFAULT_ROWS):
    """Starts the recorder; the test is skipped where this interpreter is refused."""
    recorder = ctypes.CDLL(LIBRARY)  # releases the interpreter's lock around each call
    recorder.recorder_status.restype = ctypes.c_char_p
    recorder.recorder_cost.restype = ctypes.c_double
    recorder.recorder_generation.restype = ctypes.c_uint64
    if recorder.recorder_start(ctypes.c_uint64(n_rows)):
        print("skipped:", recorder.recorder_status().decode())
        sys.exit(77)
    return recorder


def read_stack(recorder, capacity=1 << 17):
    """(stack id, [(file, name, position, line)]) of the caller, innermost first."""
    text = ctypes.create_string_buffer(capacity)
    stack = recorder.recorder_capture(text, ctypes.c_size_t(capacity))
    rows = text.value.decode("utf-8", "surrogateescape").split("\n")[:-1]
    frames = [tuple(row.split("\t")) for row in rows]
    return stack, [row if row == ("...",) else (row[0], row[1], int(row[2]), int(row[3]))
                   for row in frames][1:]


def true_stack(frame):
    """Return the same rows, taken from Python's own frame objects."""
    rows = []
    while frame is not None:
        code = frame.f_code
        rows.append((code.co_filename, getattr(code, "co_qualname", code.co_name),
                     max(frame.f_lasti, 0), frame.f_lineno or 0))
        frame = frame.f_back
    return rows


class Checker:
    """Compares stacks and counts. Any thread."""

    def __init__(self, recorder):
        self.recorder = recorder
        self.lock = threading.Lock()
        self.n_checked = 0
        self.n_wrong = 0

    def __call__(self, *unused):
        got = read_stack(self.recorder)[1][1:]  # without this very frame, which has moved on
        wanted = true_stack(sys._getframe(1))
        with self.lock:
            self.n_checked += 1
            self.n_wrong += got != wanted
            if got != wanted and self.n_wrong <= 3:
                self.show(got, wanted)
        return 1

    @staticmethod
    def show(got, wanted):
        print("wrong stack:")
        for index in range(max(len(got), len(wanted))):
            pair = [rows[index] if index < len(rows) else None for rows in (got, wanted)]
            print("   " if pair[0] == pair[1] else "***", *pair)

    def end(self, n_needed):
        print("%s: %d stacks, %d wrong" % (sys.version.split("\n")[0], self.n_checked,
                                            self.n_wrong))
        assert self.n_wrong == 0
        assert self.n_checked >= n_needed, n_needed
