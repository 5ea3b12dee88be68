"""PyTorch DDP under `culprit run -- torchrun`, in which one rank goes wrong.

Is the root cause reported once, with its rank, line and NVTX range? Does torchrun's own summary show
it? Does `culprit status` of the running job name the rank that others wait for? Prints what is wrong
and a table, writes the table to OUT/RANKS.md and the output of all runs to OUT/ranks.log.

    bad                  a launch of the last rank fails (tests/gpu/ranks/ddp.py)
    skip, other, sleep   the last rank does not call a collective, calls another, or sleeps

Exit status: 0 each run was as it should be, 1 otherwise.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import suite

PROGRAM = os.path.join(suite.GPU, "ranks", "ddp.py")
LIMIT_SECONDS = 90


def parse_options():
    parser = suite.make_parser(__doc__, runs=20, jobs=4, budget=200)
    parser.add_argument("--ranks", type=int, default=2, metavar="N")
    parser.add_argument("--hangs", type=int, default=2, metavar="N", help="runs of each way but the bad launch")
    return suite.parse(parser)


def start(options, way, work):
    command = suite.culprit(options, "run", "--dir", work, "--", sys.executable, "-m", "torch.distributed.run",
                            "--standalone", "--nproc-per-node", str(options.ranks), PROGRAM, way)
    log = open(os.path.join(work, "output"), "w+")
    return subprocess.Popen(command, stdout=log, stderr=log, env=suite.environment(options),
                            start_new_session=True), log


def end(process, log):
    """End the job and return its output. torchrun, asked to end, ends its workers: they are not in our group."""
    for number, patience in (signal.SIGTERM, 30), (signal.SIGKILL, None):
        try:
            os.killpg(process.pid, number)
            process.wait(timeout=patience)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            pass
    process.wait()
    log.seek(0)
    return log.read()


def run_bad(options, work):
    """Return what is wrong, or "", and the output of the job."""
    process, log = start(options, "bad", work)
    try:
        process.wait(timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        return "did not end", end(process, log)
    told = end(process, log)
    last = options.ranks - 1
    # Only reports of `culprit run`: PyTorch's messages show the line too, as the error's text.
    reports = re.findall(r"^(culprit: CUDA_ERROR.*)\n  \S.*<<<", told, re.MULTILINE)
    line = suite.marked_line(PROGRAM, "bad")
    cause = rf"culprit: CUDA_ERROR_ASSERT \(710\) — exact: .*ddp\.py:{line} \[pid \d+, rank {last}\]"
    bundles = [name for name in os.listdir(work) if name.startswith("culprit-")]
    wrong = []
    if len(reports) != 1 or not re.fullmatch(cause, reports[0]):
        wrong.append(f"{len(reports)} reports, or not its rank and line")
    if not re.search(r"^  nvtx +step 5$", told, re.MULTILINE):
        wrong.append("not its range")
    if len(bundles) != 1:
        wrong.append(f"bundles left: {' '.join(bundles)}")
    summary = told[told.find("Root Cause (first observed failure)"):]
    if "Root Cause" not in told or "exact: launch" not in summary:
        wrong.append("not in torchrun's summary")
    return ", ".join(wrong), told


PATTERNS = {
    "skip": r"rank {last} has not launched AllReduce",
    "other": r"rank {last} has launched Broadcast",
    "sleep": r"rank {last} has not launched AllReduce .*rank {last} is not in a driver call",
}


def run_hang(options, way, work):
    process, log = start(options, way, work)
    wanted = re.compile(r"^culprit: ranks: .*" + PATTERNS[way].format(last=options.ranks - 1), re.MULTILINE)
    deadline = time.monotonic() + LIMIT_SECONDS
    told = ""
    while process.poll() is None and time.monotonic() < deadline:
        looked = suite.run(suite.culprit(options, "status", work))
        told = looked.out + looked.err
        if wanted.search(told):
            end(process, log)
            return "", told
        time.sleep(1)
    return "the rank is not named", told + end(process, log)


def run(options, way):
    with tempfile.TemporaryDirectory() as work:
        wrong, told = run_bad(options, work) if way == "bad" else run_hang(options, way, work)
    return way, wrong, told


def main():
    options = parse_options()
    ways = [way for way in PATTERNS for _ in range(options.hangs)] + ["bad"] * options.runs
    results = list(filter(None, suite.run_all(
        options, lambda way: None if suite.is_late(options) else run(options, way), ways)))
    rows = []
    for way in ["bad", *PATTERNS]:
        wrongs = [wrong for name, wrong, _ in results if name == way]
        rows.append([way, len(wrongs), wrongs.count("")])
    with open(os.path.join(options.out, "ranks.log"), "w") as file:
        for way, wrong, told in results:
            print(f"==== {way}: {wrong or 'ok'}\n{told}", file=file)
    for way, wrong, _ in results:
        if wrong:
            print(f"{way}: {wrong}")
    columns = ["the last rank", "runs", "as it should be"]
    print(suite.write(options, "RANKS.md", "Ranks of a job", suite.table(columns, rows)), end="")
    return 1 if any(wrong for _, wrong, _ in results) else 0
