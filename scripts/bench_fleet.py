#!/usr/bin/env python3
"""bench_fleet - the part of scripts/bench about readers of many bundles: equal failures of one
program, and a job of which one rank failed by itself. The bundles are copies of real ones.

    bench_fleet.py copies BUILD N FOLDER   N bundles of processes with the same failure
    bench_fleet.py job BUILD N RANK FOLDER the bundles of N ranks, of which RANK is guilty
"""

import concurrent.futures
import datetime
import json
import os
import random
import subprocess
import sys
import tempfile
import time

SKEW_NS = 50_000_000  # between the clocks of two hosts
LATER_NS = 20_000_000  # from the first failure to those that follow
RANKS_PER_HOST = 8


def copy_bundle(source, target, meta, report):
    """Copy a bundle as of another process. Files that are equal in both are links to one file."""
    os.mkdir(target, 0o700)
    for name in os.listdir(source):
        if name not in ("meta.json", "report.json"):
            os.link(os.path.join(source, name), os.path.join(target, name))
    with open(os.path.join(target, "meta.json"), "w") as file:
        json.dump(meta, file, indent=1)
    if report:
        with open(os.path.join(target, "report.json"), "w") as file:
            json.dump({**report, "meta": meta}, file)
            file.write("\n")


def read_bundle(folder):
    with open(os.path.join(folder, "meta.json")) as file:
        meta = json.load(file)
    try:
        with open(os.path.join(folder, "report.json")) as file:
            return meta, json.load(file)
    except FileNotFoundError:
        return meta, None


def make_copies(source, n, folder):
    meta, report = read_bundle(source)
    os.makedirs(folder)
    for i in range(n):
        copy_bundle(source, f"{folder}/culprit-copy-{100000 + i}", {**meta, "pid": 100000 + i},
                    report)


def failure_ns(report):
    """Return the time of the failure in ns since 1970."""
    when = datetime.datetime.fromisoformat(report["time"].replace("Z", "+00:00"))
    return int(when.timestamp() * 10**6) * 1000


def make_job(guilty, follower, n, guilty_rank, folder):
    """Make the bundles of a job: one rank fails, then all others, by clocks that differ."""
    follower_meta, follower_report = read_bundle(follower)
    guilty_meta, guilty_report = read_bundle(guilty)
    follower_meta["realtime_ns"] += (failure_ns(guilty_report) - failure_ns(follower_report) +
                                     LATER_NS)
    shuffled = random.Random(n)
    skews = [shuffled.randrange(SKEW_NS) for _ in range(n // RANKS_PER_HOST + 1)]
    os.makedirs(folder)
    for rank in range(n):
        is_guilty = rank == guilty_rank
        meta, report = ((guilty_meta, guilty_report) if is_guilty else
                        (follower_meta, follower_report))
        host = rank // RANKS_PER_HOST
        meta = {**meta, "pid": 100000 + rank, "hostname": f"gpu{host:05}",
                "realtime_ns": meta["realtime_ns"] + skews[host],
                "ranks": {"RANK": str(rank), "WORLD_SIZE": str(n)}}
        copy_bundle(guilty if is_guilty else follower, f"{folder}/culprit-train-rank{rank}-{rank}",
                    meta, report)


def run_template(build, folder, program, environment):
    """Run a program that fails on the simulated driver. Return its bundle."""
    environment = {**{k: v for k, v in os.environ.items() if not k.startswith("CULPRIT_")},
                   "LD_LIBRARY_PATH": os.path.join(build, "lib", "simcuda"), **environment}
    subprocess.run([os.path.join(build, "bin", "culprit"), "run", "--quiet", "--dir", folder, "--",
                    *program], env=environment, check=False, cwd=os.path.dirname(folder),
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
    (bundle,) = os.listdir(folder)
    return os.path.join(folder, bundle)


def make_demo(build, folder):
    return run_template(build, f"{folder}/demo", [
        os.path.join(build, "bin", "demo"),
        os.path.join(build, "lib", "simcuda-kernels", "training.so")], {})


def make_ranks(build, folder):
    """Return the bundles of a guilty rank, and of one that fails in a collective, as over NVLink."""
    ranks = [os.path.join(build, "bin", "tests", "robust"), "ranks"]
    both = {"ROBUST_RANK": "fault", "WORLD_SIZE": "2"}
    follower = {"RANK": "0", "SIMCUDA_INJECT": "cuStreamSynchronize:6:700:sticky"}
    # Each waits for the other.
    with concurrent.futures.ThreadPoolExecutor() as pool:
        made = [pool.submit(run_template, build, f"{folder}/guilty", ranks, {**both, "RANK": "1"}),
                pool.submit(run_template, build, f"{folder}/follower", ranks, {**both, **follower})]
        return [one.result() for one in made]


def measure(command):
    """Return the seconds that it takes, those of its processors, MiB of memory, and its output."""
    with tempfile.TemporaryFile() as out:
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        _, _, used = os.wait4(process.pid, 0)
        seconds = time.monotonic() - begin
        process.returncode = 0
        out.seek(0)
        return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, out.read()


def row_of(culprit, arguments, folder):
    seconds, processor, memory, out = measure([culprit, *arguments, folder])
    first = out.split(b"\n", 1)[0].decode(errors="replace")
    return [" ".join(arguments), f"{seconds:.2f}", f"{processor:.2f}", f"{memory:.0f}",
            f"{len(out) / 1024:.0f}"], first


def bench_fleet(build, options, table, tell):
    culprit = os.environ.get("CULPRIT") or os.path.join(build, "bin", "culprit")
    heads = ["", "s", "s of processors", "MiB", "KiB of output"]
    commands = (["list"], ["report"], ["report", "--format", "html"], ["report", "--format", "json"],
                ["status"])
    with tempfile.TemporaryDirectory() as folder:
        make_copies(make_demo(build, folder), options.bundles, f"{folder}/stored")
        tell(table(f"{options.bundles} bundles of one failure", heads,
                   [row_of(culprit, command, f"{folder}/stored")[0] for command in commands]))
        for name in os.listdir(f"{folder}/stored"):
            os.unlink(f"{folder}/stored/{name}/report.json")
        tell(table("the same without stored reports", heads,
                   [row_of(culprit, ["list"], f"{folder}/stored")[0]]))
        make_job(*make_ranks(build, folder), options.ranks, options.ranks // 3, f"{folder}/job")
        rows = [row_of(culprit, command, f"{folder}/job") for command in commands]
        tell(table(f"a job of {options.ranks} ranks, of which rank {options.ranks // 3} is guilty",
                   heads, [row for row, _ in rows]))
        for row, first in rows:
            tell(f"{row[0]}: {first[:200]}\n")


def main():
    if sys.argv[1:2] not in (["copies"], ["job"]):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(dir=".") as folder:
        build, numbers, to = sys.argv[2], [int(word) for word in sys.argv[3:-1]], sys.argv[-1]
        if sys.argv[1] == "copies":
            make_copies(make_demo(build, os.path.abspath(folder)), *numbers, to)
        else:
            make_job(*make_ranks(build, os.path.abspath(folder)), *numbers, to)


if __name__ == "__main__":
    main()
