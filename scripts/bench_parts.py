"""bench_parts - the part of scripts/bench that counts the instructions of a launch for the journal,
stacks, arguments and markers. bench_counts.py explains the method.
"""

import re

from bench_counts import WORKLOADS, Counter

# A part and its files of the shim. Code in other files is counted as "other".
PARTS = (
    ("entry point and stages",
     r"(entry_points|call|call_state|thread|recording|driver|doubt)\.[ch]|driver_calls\.def"),
    ("journal", r"(submission|describe|sequence|ring|call_names|clock|tick_clock|table|strings)\.[ch]|ia32intrin\.h"),
    ("stream and its lock", r"(streams|stream_\w+|futex_lock|captures|contexts|handle_map)\.[ch]"),
    ("kernel and arguments", r"functions\.[ch]"),
    ("native stack", r"(stack|stack_check|unwind\w*|modules|loads)\.[ch]"),
    ("Python stack", r"python\w*\.[ch]"),
    ("NVTX ranges", r"nvtx\w*\.[ch]"),
    ("the driver's words", r"progress\w*\.[ch]"),
    ("marker decision", r"(markers|marker_\w+)\.[ch]"),
)


def part_of(file):
    return next((part for part, files in PARTS if re.fullmatch(files, file)), "other")


def per_launch(counter, arguments):
    """{part: instructions of a launch}"""
    spent = counter.instructions(arguments)
    files = counter.places.files(sorted(spent))
    counts = {}
    for address, n in spent.items():
        part = part_of(files[address])
        counts[part] = counts.get(part, 0) + n
    return counts


def bench_parts(run, shim, only, table, tell):
    """Print a column for each workload whose name matches the pattern `only`."""
    counter = Counter(run, shim)
    workloads = [workload for workload in WORKLOADS if re.search(only, workload[0])]
    figures = [per_launch(counter, arguments) for _, arguments in workloads]
    rows = []
    for part in [name for name, _ in PARTS] + ["other"]:
        rows.append([part] + [f"{figure.get(part, 0):.0f}" for figure in figures])
    rows.append(["all of culprit"] + [f"{sum(figure.values()):.0f}" for figure in figures])
    tell("# Instructions of a launch, by callgrind\n")
    tell("Default settings, nothing of libc and the driver; simulated driver, its words found.\n")
    tell(table("instructions per launch", ["part"] + [title for title, _ in workloads], rows))
