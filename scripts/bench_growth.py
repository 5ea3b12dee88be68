"""bench_growth - the part of scripts/bench that lets one thing at a time grow, and reports the effect
on a step's time, on the process's memory and on the bundle. build/bin/growth does the work, on the
simulated driver's null mode, once without culprit and once under it.
"""

import os
import re
import shutil
import subprocess
import sys

# Axis, what a step is, the sizes, and those that only --long runs.
AXES = (
    ("launches", "launch", (10**5, 10**6, 10**7), (10**8,)),
    ("threads", "launch", (1, 10, 100, 1000), ()),
    ("streams", "launch", (1, 100, 1000, 10**4), ()),
    ("allocations", "allocation", (10**3, 10**4, 10**5), (10**6,)),
    ("stacks", "launch", (10**2, 10**4, 10**5), (10**6,)),
    ("nodes", "launch of the graph", (10, 1000, 10**4), ()),
)


def run(build, axis, size, environment):
    """(ns of a step, KiB of the process's own, KiB of mapped files)."""
    command = [os.path.join(build, "bin", "growth"), axis, str(size),
               os.path.join(build, "lib", "simcuda-kernels", "bench.so")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False,
                          timeout=600)
    if done.returncode:
        sys.exit(f"bench: {' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
    return [float(word) for word in done.stdout.split()]


def disk_kib(folder):
    """Return the disk space of the bundle. A sparse file takes only the space that was written."""
    return sum(os.lstat(os.path.join(where, name)).st_blocks / 2
               for where, _, names in os.walk(folder) for name in names)


def row_of(build, axis, size, environment):
    plain_environment = {k: v for k, v in environment.items()
                         if k != "LD_PRELOAD" and not k.startswith("CULPRIT_")}
    plain_ns, plain_own, plain_mapped = run(build, axis, size, plain_environment)
    folder = os.path.join(environment["CULPRIT_DIR"], "growth")
    os.mkdir(folder)
    ns, own, mapped = run(build, axis, size,
                          dict(environment, CULPRIT_DIR=folder, CULPRIT_KEEP="always"))
    on_disk = disk_kib(folder)
    shutil.rmtree(folder)
    return [f"{size:,}", f"{plain_ns:.0f}", f"{ns:.0f}", f"{(own - plain_own) / 1024:.1f}",
            f"{(mapped - plain_mapped) / 1024:.1f}", f"{on_disk / 1024:.1f}"]


def bench_growth(build, options, environment, table, tell):
    tell("# Growth: simulated driver, null mode, markers auto\n")
    tell("MiB are those of the process under culprit less those without. One process each.\n")
    for axis, step, sizes, long_sizes in AXES:
        if not re.search(options.only, axis):
            continue
        sizes += long_sizes if options.long else ()
        heads = [axis, f"ns a {step}, plain", "culprit", "MiB own", "MiB of mapped files",
                 "MiB of bundle on disk"]
        tell(table(axis, heads, [row_of(build, axis, size, environment) for size in sizes]))
