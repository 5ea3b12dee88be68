"""Capture stacks that do not fit: deep stacks, odd names, and full journals. A stack must be right
or missing.

usage: limits.py LIBRARY [full ROWS]
"""
import ctypes
import shutil
import subprocess
import sys
import tempfile

import recorder

KEPT_FRAMES = 1023  # PYTHON_FRAMES of python_stack.c


def run_file(name, source, check):
    exec(compile(source, name, "exec"), {"check": check})


def test_names(check):
    for name in ("plain.py", "caf\u00e9.py", "\u4e2d\u6587.py", "\U0001f600.py", "\x7f\u0080\u07ff.py",
                 "\u0800\uffff\U00010000\U0010ffff.py", "not\udcffutf\udc80.py", "", "a" * 4000):
        run_file(name, "def \u00e9t\u00e9(): return check()\n\u00e9t\u00e9()\n", check)
    check.end(9)


def test_cut_names(rec):
    got = []

    def look():
        got[:] = recorder.read_stack(rec)[1]

    for name, kept in (("b" * 5000, "b" * 4096), ("\u4e2d" * 5000, "\u4e2d" * 1365),
                       ("x\ud800y", "x?y")):
        run_file(name, "check()\n", look)
        assert got[1][0] == kept, got[1]


def test_deep(rec):
    def descend(depth):
        return descend(depth - 1) if depth else recorder.read_stack(rec)[1]

    for depth in (KEPT_FRAMES + 30, KEPT_FRAMES - 30, 1400, 1401):
        got = descend(depth)
        wanted = recorder.true_stack(sys._getframe())
        n_true = depth + 1 + len(wanted)
        assert all(row[1].endswith("descend") for row in got[:depth + 1][:KEPT_FRAMES - 1])
        if n_true + 1 > KEPT_FRAMES:  # and read_stack()'s own frame
            assert len(got) == KEPT_FRAMES and got[-1] == ("...",), (len(got), got[-1])
        else:
            assert len(got) == n_true and got[-1] == wanted[-1]


def test_same_ids(rec):
    def look():
        return [recorder.read_stack(rec)[0] for _ in range(3)]

    one = [look() for _ in range(2)]
    assert one[0] == one[1] and 0 not in one[0] and len(set(one[0])) == 1
    assert recorder.read_stack(rec)[0] != one[0][0]


def test_full(n_rows):
    """Fill a journal with room for n_rows rows; must run in a process of its own."""
    check = recorder.Checker(recorder.load(n_rows))
    n_none = 0
    for number in range(100):
        names = {"check": check}
        stack, got = recorder.read_stack(check.recorder)
        wanted = recorder.true_stack(sys._getframe())
        n_none += not stack
        assert not stack or [row[:2] for row in got] == [row[:2] for row in wanted]

        def look():
            stack, got = recorder.read_stack(check.recorder)
            assert not stack or got[1:] == recorder.true_stack(sys._getframe(1)), got
            return not stack

        exec("def made%d(look):\n  return look()\n" % number, names)
        n_none += names["made%d" % number](look)
    print("%d rows: %d of 200 stacks found no room" % (n_rows, n_none))
    assert n_none > 0


def test_second_watcher():
    """Whoever finds another's deallocator in the code type must leave it alone."""
    with tempfile.TemporaryDirectory() as directory:
        copy = shutil.copy(recorder.LIBRARY, directory + "/copy.so")
        second = ctypes.CDLL(copy)
        second.recorder_status.restype = ctypes.c_char_p
        assert second.recorder_start(ctypes.c_uint64(100))
        assert second.recorder_status().endswith(b": another tool watches its code objects")


def main():
    if sys.argv[2:3] == ["full"]:
        test_full(int(sys.argv[3]))
        return
    rec = recorder.load()
    test_names(recorder.Checker(rec))
    test_cut_names(rec)
    sys.setrecursionlimit(2 * KEPT_FRAMES)
    test_deep(rec)
    test_same_ids(rec)
    test_second_watcher()
    for n_rows in (1, 2, 3, 5, 8, 13, 40):
        subprocess.check_call([sys.executable, __file__, recorder.LIBRARY, "full", str(n_rows)])


if __name__ == "__main__":
    main()
