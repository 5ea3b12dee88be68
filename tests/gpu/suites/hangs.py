"""Programs that hang, under `culprit run --hang`: is the hang named, and does --on-hang abort end it?

Prints a line for each run that is not ok and a table, and writes the table to OUT/HANGS.md.

    PyTorch, Triton, CuPy, JAX  tests/gpu/hangs: a kernel that does not finish, after 200 launches
    C++ runtime, Thrust         the same, compiled by nvcc -O2 -g: scripts/gpu --pack hangs
    C++ kernel                  the same in the robust host; another stream waits for an event after it
    C++ function                a host function that blocks
    C++ circle                  two streams, each of which waits for the other

The line that hangs is marked "culprit: spin". It must be the first line of code in the short report
and in the headline. A program is skipped if its Python module is missing.
With --killed, SIGKILL ends each program after some snapshots, before the hang is reported. The report
must then name the launch that had started.
"end" is the time to the exit of `culprit run` from the moment at which it saw no progress for SECONDS.
Exit status: 0 every run named the hang and ended, 1 otherwise.
"""

import contextlib
import glob
import importlib.util
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import suite

PROGRAMS = os.path.join(suite.GPU, "hangs")
EXIT_HUNG = 124
EXIT_KILLED = -signal.SIGKILL

# The programs to run, and the Python module that each needs, or what the headline must say.
MARKED = {
    "PyTorch": ("torch_spin.py", "torch"),
    "Triton": ("triton_spin.py", "triton"),
    "CuPy": ("cupy_spin.py", "cupy"),
    "JAX": ("jax_spin.py", "jax"),
    "C++ runtime": ("runtime_spin.cu", None),
    "Thrust": ("thrust_spin.cu", None),
}
ROBUST = {
    "C++ kernel": ("kernel", r"exact: launch #233, spin at host\.c:\d+ host_spin"),
    "C++ function": ("function", r"exact: host function #233, cuLaunchHostFunc at hangs\.c:\d+"),
    "C++ circle": ("circle", r"(exact|likely): stream operation #233, cuStreamWaitValue32"),
}


def program_of(build_dir, source):
    return os.path.join(build_dir, "bin", "gpu-" + source.removesuffix(".cu").replace("_", "-"))


def pack(build_dir):
    for source, _ in MARKED.values():
        if source.endswith(".cu"):
            subprocess.run(["nvcc", "-O2", "-g", "-cudart", "static", "-arch=sm_90", "-o", program_of(build_dir, source),
                            os.path.join(PROGRAMS, source)], check=True)


def parse_options():
    parser = suite.make_parser(__doc__, driver="gpu", runs=20, hang=5, jobs=8, budget=400, only=".")
    parser.add_argument("--gpus", type=int, default=1, metavar="N", help="spread the programs over N cards")
    parser.add_argument("--keep", metavar="DIR", help="keep the bundles of hangs that are not named in DIR")
    parser.add_argument("--killed", action="store_true", help="kill the programs before the hang is reported")
    return suite.parse(parser)


def command_of(options, kind):
    """(command, pattern of the verdict, pattern of the short report's first line of code)."""
    if kind in ROBUST:
        pattern = ROBUST[kind][1]
        return [os.path.join(options.build_dir, "bin", "tests", "robust"), "hangs"], pattern, r"(host|hangs)\.c:\d+"
    source, _ = MARKED[kind]
    place = rf"{re.escape(source)}:{suite.marked_line(os.path.join(PROGRAMS, source), 'spin')}\b"
    is_python = source.endswith(".py")
    command = [sys.executable, os.path.join(PROGRAMS, source)] if is_python else [program_of(options.build_dir, source)]
    return command, rf"(exact|likely): launch #\d+, .* at \S*{place}", place


def is_missing(options, kind):
    if kind in ROBUST:
        return False
    source, module = MARKED[kind]
    if module:
        return importlib.util.find_spec(module) is None
    return not os.path.exists(program_of(options.build_dir, source))


def run_options(options):
    """Return culprit's options. It takes four snapshots before a hang is due."""
    if options.killed:
        return ["--hang", str(4 * options.hang)]
    return ["--hang", str(options.hang), "--on-hang", "abort"]


def kill_later(options, work):
    """Kill the program, whose id is in WORK/pid, after two snapshots."""
    time.sleep(2.2 * options.hang)
    with open(os.path.join(work, "pid")) as file, contextlib.suppress(ProcessLookupError):
        os.kill(int(file.read()), signal.SIGKILL)


def short_report(options, work):
    bundles = glob.glob(os.path.join(work, "culprit-*"))
    return suite.run(suite.culprit(options, "report", *bundles), env=suite.environment(options, CULPRIT_REPORT="short")).out


def judge(options, kind, status, told, brief):
    """Return what is wrong or ""."""
    _, pattern, place = command_of(options, kind)
    first = re.search(r"^culprit: hung — (.*)$", told, re.MULTILINE)
    code = re.search(r"^ *--> (.*)$", brief, re.MULTILINE)
    if status != (EXIT_KILLED if options.killed else EXIT_HUNG):
        return f"status {status}: {told[-2000:]}"
    if not options.killed and (not first or not re.search(pattern, first.group(1))):
        return f"not named: {told[:2000]}"
    if not code or not re.match(rf"\S*{place}", code.group(1)):
        return f"the user's line does not come first: {brief[:2000]}"
    return ""


def run(options, number, kind):
    """Return what is wrong or "", the seconds from when the hang is due to the end, and the verdict."""
    command, _, _ = command_of(options, kind)
    environment = suite.environment(options, ROBUST_HANG=ROBUST[kind][0] if kind in ROBUST else "")
    if options.gpus > 1:
        environment["CUDA_VISIBLE_DEVICES"] = str(number % options.gpus)
    with tempfile.TemporaryDirectory() as work:
        culprit = suite.culprit(options, "run", "--dir", work, *run_options(options), "--")
        culprit += ["sh", "-c", f'echo $$ >{work}/pid; exec "$@"', "sh"]
        with suite.started(culprit + command, options.hang + 180, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           env=environment, text=True) as process:
            process.stdout.readline()
            ready = time.monotonic()
            if options.killed:
                kill_later(options, work)
            try:
                _, told = process.communicate(timeout=options.hang + 120)
            except subprocess.TimeoutExpired:
                return "did not end", 0, "-"
        end = time.monotonic() - ready - options.hang
        brief = short_report(options, work)
        wrong = judge(options, kind, process.returncode, told, brief)
        if options.keep and wrong:
            shutil.copytree(work, os.path.join(options.keep, f"{number}"))
    verdict = re.search(r"\b(exact|likely|narrowed|unknown)\b", brief)
    return wrong, end, verdict.group(1) if verdict else "-"


def row_of(kind, results):
    ends = [end for _, wrong, end, _ in results if not wrong]
    told = [f"{statistics.median(ends):.1f}", f"{max(ends):.1f}"] if ends else ["-", "-"]
    return [kind, len(results), len(ends), ", ".join(sorted({verdict for *_, verdict in results})), *told]


def main():
    options = parse_options()
    kinds = [kind for kind in [*MARKED, *ROBUST] if re.search(options.only, kind)]
    missing = [kind for kind in kinds if is_missing(options, kind)]
    wanted = [kind for kind in kinds if kind not in missing for _ in range(options.runs)]

    def one(place):
        number, kind = place
        return None if suite.is_late(options) else (kind, *run(options, number, kind))

    results = list(filter(None, suite.run_all(options, one, enumerate(wanted))))
    done = dict.fromkeys(kind for kind, *_ in results)
    rows = [row_of(kind, [result for result in results if result[0] == kind]) for kind in done]
    for kind, wrong, *_ in results:
        if wrong:
            print(f"{kind}: {wrong}")
    for kind in missing:
        print(f"{kind}: skipped: its program or module is missing")
    columns = ["program", "runs", "named", "verdict", "end (s): median", "longest"]
    print(suite.write(options, "HANGS.md", "Hangs", suite.table(columns, rows)), end="")
    return 1 if any(wrong for _, wrong, *_ in results) else 0
