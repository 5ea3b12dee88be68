"""PyTorch trains for a while under `culprit run --hang`, beside load on the processors.

No hang may be reported. Memory and descriptors must stay the same. The bad step at the end must be
named with its line. In every other window `culprit status` looks at the process again and again:
each answer must be whole, and the steps as long as in the windows between. Writes OUT/SOAK.md. The
program is tests/gpu/soak/train.py.
Exit status: 0 all is as it must be, 1 otherwise.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import suite

PROGRAM = os.path.join(suite.GPU, "soak", "train.py")
WINDOW = re.compile(r"window (\d+): steps (\d+) step ([0-9.]+) ms resident (\d+) kB descriptors (\d+)")


def parse_options():
    parser = suite.make_parser(__doc__, hang=5)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--windows", type=int, default=20, metavar="N", help="an even number")
    parser.add_argument("--looks", type=int, default=1000, metavar="N", help="run culprit status N times in all")
    parser.add_argument("--load", type=int, default=0, metavar="N", help="start N processes that only compute")
    return suite.parse(parser)


def is_whole(answer):
    """One object of a process that runs. Between two steps no stream is at work."""
    try:
        told = json.loads(answer)
    except ValueError:
        return False
    return told["state"] == "runs" and all(isinstance(told[name], list) for name in ("streams", "threads"))


class Looks:
    """culprit status of one process, at even distances while a window is open."""

    def __init__(self, options):
        self.command = suite.culprit(options, "status", "--format", "json")
        self.pause = options.seconds / 2 / options.looks
        self.took, self.broken = [], []
        self.closed = threading.Event()
        self.thread = None

    def look(self, pid):
        start = time.monotonic()
        done = suite.run([*self.command, str(pid)], 60)
        self.took.append(time.monotonic() - start)
        if done.status or not is_whole(done.out):
            self.broken.append(f"status {done.status}: {done.out[:500]}{done.err[:500]}")

    def go_on(self, pid):
        due = time.monotonic()
        while not self.closed.wait(max(0, due - time.monotonic())):
            self.look(pid)
            due += self.pause

    def open(self, pid):
        self.closed.clear()
        self.thread = threading.Thread(target=self.go_on, args=(pid,))
        self.thread.start()

    def close(self):
        self.closed.set()
        if self.thread:
            self.thread.join()
        self.thread = None


def follow(process, looks):
    """The windows: [(number, steps, ms a step, resident kB, descriptors)]"""
    windows, pid = [], None
    for line in process.stdout:
        if line.startswith("pid "):
            pid = int(line.split()[1])
        elif line.endswith("begins\n") and int(line.split()[1]) % 2 == 0:
            looks.open(pid)
        elif told := WINDOW.match(line):
            looks.close()
            windows.append(tuple(map(float, told.groups())))
            print(line, end="", flush=True)
    looks.close()
    return windows


def folder_kb(folder):
    return sum(os.lstat(os.path.join(at, name)).st_size for at, _, names in os.walk(folder) for name in names) // 1024


def soak(options, work):
    """(windows, looks, what was told on standard error)"""
    command = suite.culprit(options, "run", "--dir", work, "--hang", str(options.hang), "--", sys.executable, PROGRAM,
                            str(options.seconds), str(options.windows))
    load = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(options.load)]
    looks = Looks(options)
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True,
                                   env=suite.environment(options))
        windows = follow(process, looks)
        process.wait()
        for one in load:
            one.kill()
        errors.seek(0)
        return windows, looks, errors.read()


def judge(options, windows, looks, told, work):
    """[(what, figure, is it as it must be)]"""
    first, last = windows[1], windows[-1]
    ratios = [watched[2] / quiet[2] for quiet, watched in zip(windows[::2], windows[1::2])]
    noise = [after[2] / before[2] for before, after in zip(windows[::2], windows[2::2])]
    line = suite.marked_line(PROGRAM, "bad")
    verdict = re.search(rf"^culprit: .* — exact: .*train\.py:{line}\b", told, re.MULTILINE)
    return [
        ("windows", f"{len(windows)} of {options.seconds / options.windows:.0f} s", len(windows) == options.windows),
        ("steps", f"{sum(window[1] for window in windows):.0f}", True),
        ("resident", f"{first[3] / 1024:.0f} MiB, then {last[3] / 1024:.0f} MiB", last[3] <= first[3] + 32768),
        ("descriptors", f"{first[4]:.0f}, then {last[4]:.0f}", last[4] <= first[4]),
        ("bundle at the end", f"{folder_kb(work) / 1024:.1f} MiB", True),
        (f"false alarms of --hang {options.hang}", str(told.count("culprit: hung")), "culprit: hung" not in told),
        ("looks by status", f"{len(looks.took)}, {len(looks.broken)} not whole", looks.took and not looks.broken),
        ("a look", f"{statistics.median(looks.took or [0]) * 1e3:.0f} ms", True),
        ("step, watched to unwatched", f"{statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})", True),
        ("step, unwatched to the one before", f"{statistics.median(noise):.3f} ({min(noise):.3f} to {max(noise):.3f})",
         True),
        ("verdict", verdict.group(0) if verdict else told[:2000], bool(verdict)),
    ]


def main():
    options = parse_options()
    with tempfile.TemporaryDirectory() as work:
        windows, looks, told = soak(options, work)
        if len(windows) < 4:
            sys.exit(f"gpu soak: the program ended after {len(windows)} windows\n{told[-3000:]}")
        rows = judge(options, windows, looks, told, work)
    rows = [(what, figure, "ok" if fits else "FAILED") for what, figure, fits in rows]
    table = suite.table(["what", "figure", ""], rows)
    print(suite.write(options, "SOAK.md", "Soak", table, *looks.broken[:3]), end="")
    return 1 if any(result == "FAILED" for _, _, result in rows) else 0
