"""Options, environment, commands and tables for the suites that scripts/gpu runs.

A suite is a file tests/gpu/suites/NAME.py. The first line of its docstring is what `scripts/gpu --list`
prints. main() runs it and returns the exit status. An optional pack(build_dir) builds what it needs.
"""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import datetime
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
GPU = os.path.join(ROOT, "tests", "gpu")
RUNNING = set() # the process groups of run()
OPTIONS = {
    "driver": {"choices": ("gpu", "simcuda"), "help": "default: gpu"},
    "only": {"metavar": "REGEX", "help": "run only what matches"},
    "runs": {"type": int, "metavar": "N", "help": "runs of each kind (default: %(default)s)"},
    "jobs": {"type": int, "metavar": "N", "help": "programs at a time (default: %(default)s)"},
    "budget": {"type": float, "metavar": "SECONDS", "help": "start nothing new after this time (default: %(default)s)"},
    "hang": {"type": int, "metavar": "SECONDS", "help": "for culprit run --hang (default: %(default)s)"},
}


def make_parser(doc, **defaults):
    """Return a parser with --build-dir and with the OPTIONS that have a default here."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build-dir", default=os.environ.get("CULPRIT_BUILD") or os.path.join(ROOT, "build"))
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", default=default, **OPTIONS[name])
    return parser


def parse(parser):
    """Return the options. Add `driver`, `deadline` and `out`, the folder for results, which exists."""
    parser.set_defaults(driver=parser.get_default("driver") or "gpu")
    options = parser.parse_args()
    options.build_dir = os.path.abspath(options.build_dir)
    options.deadline = time.monotonic() + getattr(options, "budget", float("inf"))
    options.out = os.environ.get("OUT") or os.path.join(options.build_dir, "gpu-results")
    os.makedirs(options.out, exist_ok=True)
    return options


def is_late(options):
    return time.monotonic() > options.deadline


def environment(options, keep_settings=False, **more):
    """Return the environment for a program: the driver's libraries, and no setting of culprit's unless kept."""
    names = {name: value for name, value in os.environ.items() if keep_settings or not name.startswith("CULPRIT_")}
    folders = ["lib/simcuda", "lib"] if options.driver == "simcuda" else ["lib"]
    paths = [os.path.join(options.build_dir, folder) for folder in folders] + [names.get("LD_LIBRARY_PATH")]
    return dict({"CULPRIT_REPORT": "full", **names}, LD_LIBRARY_PATH=":".join(filter(None, paths)), **more)


def culprit(options, *arguments):
    return [os.path.join(options.build_dir, "bin", "culprit"), *arguments]


@dataclasses.dataclass
class Done:
    """The status is "timeout" if the program was killed."""

    status: object
    out: str
    err: str


@contextlib.contextmanager
def started(command, timeout, **arguments):
    """Start a command in a new process group, and kill the group after TIMEOUT seconds (None: no limit) or at the end."""
    with subprocess.Popen(command, start_new_session=True, **arguments) as process:
        RUNNING.add(process.pid)
        limit = threading.Timer(timeout, kill_group, [process.pid]) if timeout else None
        if limit:
            limit.start()
        try:
            yield process
        finally:
            if limit:
                limit.cancel()
            if process.returncode is None:
                kill_group(process.pid)
            RUNNING.discard(process.pid)


def kill_group(group):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def run(command, timeout=120, **arguments):
    """Run a command in a new process group, and kill the group after TIMEOUT seconds (None: no limit). Return a Done."""
    with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+", errors="replace") as err:
        with started(command, timeout and timeout + 10, stdout=out, stderr=err, **arguments) as process:
            status = "timeout"
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = process.wait(timeout)
        out.seek(0)
        err.seek(0)
        return Done(status, out.read(), err.read())


def run_all(options, function, items):
    """Yield function(item) in the order of the items, options.jobs at a time. Kill what runs when interrupted."""
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        try:
            yield from pool.map(function, items)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            for group in list(RUNNING):
                kill_group(group)
            raise


def marked_line(path, mark):
    """Return the number of the line that has the comment "culprit: MARK"."""
    with open(path) as file:
        return next(n for n, line in enumerate(file, 1) if f" culprit: {mark}" in line)


def machine(options):
    """Return the names of the cards with their driver."""
    if options.driver == "simcuda":
        return "simcuda"
    try:
        done = run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"])
    except OSError:
        return "no GPU"
    return done.out.strip().replace("\n", "; ") or "unknown GPU"


def table(columns, rows):
    """Return a table in Markdown."""
    cells = [[" ".join(str(cell).split()).replace("|", "/") for cell in row] for row in rows]
    lines = [columns, ["---"] * len(columns), *cells]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def write(options, name, title, *parts):
    """Write OUT/NAME: the title with card and driver, the date, the command, and the parts. Return the parts."""
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    text = "\n".join(parts)
    with open(os.path.join(options.out, name), "w") as file:
        file.write(f"# {title}: {machine(options)}\n\n{date}, `{' '.join(sys.argv)}`.\n\n{text}")
    return text
