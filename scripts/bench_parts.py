"""bench_parts - the part of scripts/bench that counts instructions: what of a launch is spent on the
journal, on stacks, on arguments, on markers. Figures repeat, since callgrind runs one thread of a
program that launches so many times into the simulated driver's null mode.
"""

import os
import re
import subprocess
import sys
import tempfile

# A part and the files of the shim that are its own; what is in none of them is told as "other".
PARTS = (
    ("entry point and stages", r"(entry_points|call|thread|recording|driver)\.[ch]"),
    ("journal", r"(submission|describe|ring|call_names|clock|tick_clock|table|strings)\.[ch]"),
    ("stream and its lock", r"(streams|word_lock|captures|contexts|handle_map)\.[ch]"),
    ("kernel and arguments", r"functions\.[ch]"),
    ("native stack", r"(stack|stack_check|unwind\w*|modules)\.[ch]"),
    ("Python stack", r"python\w*\.[ch]"),
    ("NVTX ranges", r"nvtx\w*\.[ch]"),
    ("marker decision", r"(markers|marker_memory)\.[ch]"),
)
WORKLOADS = (
    ("empty kernel", []),
    ("eight arguments, stack of 33", ["--kernel", "eight_arguments", "--depth", "28"]),
)
FEW, MANY = 2000, 6000  # launches of a round; two rounds each, the first warms up


def part_of(place):
    """The part that a line of callgrind_annotate belongs to; None: it is not the shim's."""
    if "libculprit" not in place:
        return None
    name = os.path.basename(place.split(":")[0])
    for part, files in PARTS:
        if re.fullmatch(files, name):
            return part
    return "other"


def count(run, arguments, launches):
    """{part: instructions} of one run."""
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "callgrind.out")
        run([*arguments, "--rounds", "1", "--launches", str(launches)],
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}"])
        annotate = ["callgrind_annotate", "--threshold=100", "--auto=no", "--show-percs=no", profile]
        done = subprocess.run(annotate, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"bench: {' '.join(annotate)}: exit status {done.returncode}\n{done.stderr}")
    counts = {}
    for line in done.stdout.splitlines():
        match = re.match(r"\s*([\d,]+)\s+(\S.*\[.*\])", line)
        part = part_of(match.group(2)) if match else None
        if part:
            counts[part] = counts.get(part, 0) + int(match.group(1).replace(",", ""))
    return counts


def per_launch(run, arguments):
    few, many = (count(run, arguments, launches) for launches in (FEW, MANY))
    return {part: (many[part] - few.get(part, 0)) / (2 * (MANY - FEW)) for part in many}


def bench_parts(run, table, tell):
    """run(arguments, prefix) runs launch_cost under culprit with those words before it."""
    figures = [per_launch(run, arguments) for _, arguments in WORKLOADS]
    rows = []
    for part in [name for name, _ in PARTS] + ["other"]:
        rows.append([part] + [f"{figure.get(part, 0):.0f}" for figure in figures])
    rows.append(["all of culprit"] + [f"{sum(figure.values()):.0f}" for figure in figures])
    tell("# Instructions of a launch, by callgrind\n")
    tell("Markers auto, nothing of libc and the driver; simulated driver, null mode.\n")
    tell(table("instructions per launch", ["part"] + [title for title, _ in WORKLOADS], rows))
