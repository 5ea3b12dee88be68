"""bench_shared - the part of scripts/bench about streams that threads share: launches of several into
one stream on which another one copies, in calls that block. build/bin/shared_stream does the work,
without culprit and under it in turns.
"""

import os
import re
import statistics
import subprocess
import sys

# Title, options of shared_stream.
WORKLOADS = (
    ("legacy stream, a launch in 100 us of each of 4 threads", []),
    ("legacy stream, 4 threads as fast as they can", ["--pause", "0"]),
    ("explicit stream, a launch in 100 us of each of 4 threads", ["--explicit"]),
    ("explicit stream, 4 threads as fast as they can", ["--explicit", "--pause", "0"]),
)
FIGURES = ("p50 us", "p99 us", "launches a second", "copies a second")


def run(build, driver, variant, arguments):
    command = [os.path.join(build, "bin", "shared_stream"), *arguments, driver.module]
    done = subprocess.run(command, capture_output=True, text=True,
                          env=driver.environment(variant), check=False, timeout=120)
    if done.returncode:
        sys.exit(f"bench: {' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
    return [float(word) for word in done.stdout.split()]


def rows_of(told):
    """The medians of the turns, and the ratio to the first variant's with the turns' range."""
    plain = next(iter(told.values()))
    for name, turns in told.items():
        medians = [statistics.median(column) for column in zip(*turns)]
        yield [name, *(f"{value:.4g}" for value in medians)]
        if turns is plain:
            continue
        ratios = [sorted(under / without for under, without in zip(*columns))
                  for columns in zip(zip(*turns), zip(*plain))]
        yield ["ratio", *(f"{statistics.median(r):.3f} ({r[0]:.2f}-{r[-1]:.2f})" for r in ratios)]


def bench_shared(build, options, driver, variants, table, tell):
    seconds = ["--seconds", str(options.seconds)]
    tell(f"# Launches beside blocking copies on their stream: {driver.describe()}\n")
    tell(f"Medians of {options.turns} processes of {options.seconds} s each, in turns; copies of "
         "64 MiB to pageable memory, a rest of 1 ms after each.\n")
    for title, arguments in WORKLOADS:
        if not re.search(options.only, title):
            continue
        told = {variant[0]: [] for variant in variants}
        for _ in range(options.turns):
            for variant in variants:
                told[variant[0]].append(run(build, driver, variant, [*seconds, *arguments]))
        tell(table(title, ["variant", *FIGURES], list(rows_of(told))))
