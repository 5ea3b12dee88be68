"""bench_counts - the shared part of scripts/bench that counts: it runs build/bin/launch_cost under
culprit and valgrind's callgrind, on the simulated driver, and counts by culprit's functions. The
figures are reproducible.

The driver forgets kernels but keeps its progress counters (SIMCUDA_NULL=2). So the counts are those of
the usual launch in a program that has run for a while: default settings, progress counters found and
trusted, no marker sent. For cache lines, callgrind simulates caches, which launch_cost empties before
each launch of its last round: a function then misses each line that it is the first to touch. Pages
are counted as lines of 4,096 bytes.
"""

import bisect
import os
import subprocess
import sys
import tempfile

WORKLOADS = (
    ("empty kernel", []),
    ("eight arguments, stack of 33", ["--kernel", "eight_arguments", "--depth", "28"]),
    ("empty kernel, the context's own stream", ["--legacy"]),
    ("3.6 KB of arguments", ["--kernel", "lists"]),
)
ENVIRONMENT = {"SIMCUDA_NULL": "2"}
FEW, MANY = 2000, 4000  # launches of a round; two rounds each, the first warms up
COLD = 300  # more than the launches that send markers before the progress counters are found
# Each cache is smaller than the memory that launch_cost walks over, and larger than a launch needs.
COLD_KIB = 512
CACHES = {
    "lines": ["--cache-sim=yes", "--I1=65536,16,64", "--D1=131072,16,64"],
    "pages": ["--cache-sim=yes", "--I1=262144,64,4096", "--D1=524288,128,4096"],
}
# Not counted. The system's clock is read every 2 ms, but launches here take longer, so each would read
# it. The kernel's clock is read while the search for progress counters waits, which no launch does.
ASKING = {"tick_clock_ask", "clock_ns", "clock_kernel_ns"}
# Every launch calls these until the progress counters are found and understood.
UNUSUAL = ("progress_tracker_follow", "progress_note_state")
EVENTS = ("Ir", "I1mr", "D1mr", "D1mw")


def read_profile(path):
    """{address in libculprit: [instructions, misses of code, misses of data]}

    callgrind's functions are not used: it derives them from calls, and counts a function that is
    jumped to as its caller. A line's costs are in the order of `events:`, without zeros at the end.
    The line after a `calls=` line has the cost of the called function.
    """
    counts, is_ours, is_call, events = {}, False, False, []
    with open(path) as profile:
        for line in profile:
            if line.startswith("events:"):
                events = line.split()[1:]
            elif line.startswith("ob="):
                is_ours = line.rstrip().endswith("libculprit.so")
            elif line.startswith("calls="):
                is_call = True
            elif line.startswith("0x"):
                if is_ours and not is_call:
                    words = line.split()
                    cost = dict(zip(events, map(int, words[1:])))
                    n = [cost.get(event, 0) for event in EVENTS]
                    old = counts.setdefault(int(words[0], 16), [0, 0, 0])
                    for at, more in enumerate((n[0], n[1], n[2] + n[3])):
                        old[at] += more
                is_call = False
    return counts


class Places:
    """The functions and files of libculprit's addresses."""

    def __init__(self, shim):
        self.shim = shim
        told = subprocess.run(["nm", "--defined-only", "--numeric-sort", shim],
                              capture_output=True, text=True, check=False).stdout
        words = [line.split() for line in told.splitlines()]
        symbols = [(int(word[0], 16), word[2]) for word in words if word[1] in "tT"]
        self.starts = [start for start, _ in symbols]
        self.names = [name for _, name in symbols]

    def function(self, address):
        return self.names[bisect.bisect_right(self.starts, address) - 1]

    def start(self, address):
        """Return the start of its function. Its count is the number of calls, without loops."""
        return self.starts[bisect.bisect_right(self.starts, address) - 1]

    def files(self, addresses):
        """{address: name of the file whose code it is, even if the code was inlined}"""
        told = subprocess.run(["addr2line", "-e", self.shim], capture_output=True, text=True,
                              input="\n".join(map(hex, addresses)), check=False).stdout
        return {address: os.path.basename(line.split(":")[0])
                for address, line in zip(addresses, told.splitlines())}


def count_once(run, arguments, caches):
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "callgrind.out")
        run(["--rounds", "1", *arguments],
            ["valgrind", "--tool=callgrind", "--fair-sched=yes", "--dump-instr=yes", "--dump-line=no",
             "--compress-pos=no", "--compress-strings=no", f"--callgrind-out-file={profile}",
             *caches], ENVIRONMENT)
        return read_profile(profile)


class Counter:
    """Counts launches of a workload; run(arguments, prefix, environment) runs launch_cost."""

    def __init__(self, run, shim):
        self.run = run
        self.places = Places(shim)

    def by_function(self, values):
        """{function: sum of the values by address}"""
        sums = {}
        for address, value in values.items():
            name = self.places.function(address)
            if name not in ASKING:
                sums[name] = sums.get(name, 0) + value
        return sums

    def count(self, arguments, launches, caches=()):
        """Return the counts of a run that found the progress counters, and understood the kernels'
        states, early. If the machine is too busy for that, try again.
        """
        for _ in range(10):
            counts = count_once(self.run, [*arguments, "--launches", str(launches)], caches)
            spent = self.by_function({address: n[0] for address, n in counts.items()})
            if all(spent.get(name, 0) < 4 * launches for name in UNUSUAL):
                return counts
        sys.exit("bench: the driver's words were not found")

    def instructions(self, arguments, shorter=None):
        """{address: instructions of the usual launch}, from two lengths: starting costs nothing.

        The shorter one may have been counted already: (launches, counts).
        """
        launches, few = shorter or (FEW, self.count(arguments, FEW))
        many = self.count(arguments, MANY)
        spent = {address: (n[0] - few.get(address, (0,))[0]) / (2 * (MANY - launches))
                 for address, n in many.items()}
        usual = {address for address, n in spent.items() if n >= 0.5}
        return {address: spent[address] for address in usual
                if self.places.start(address) in usual
                and self.places.function(address) not in ASKING}

    def warm(self, arguments, unit):
        """Return the counts of COLD launches in caches that are not emptied, for touched()."""
        return self.count(arguments, COLD, CACHES[unit])

    def touched(self, arguments, unit, addresses, warm):
        """Return ({address: code}, {address: data}): lines or pages of a launch in cold caches. The
        first of the two rounds is not cold. The misses of two such rounds (new rows) are halved and
        subtracted, so that they are not counted twice.
        """
        counts = self.count([*arguments, f"--cold={COLD_KIB}"], COLD, CACHES[unit])
        return tuple({address: round((n[which] - warm.get(address, (0, 0, 0))[which] / 2) / COLD)
                      for address, n in counts.items() if address in addresses}
                     for which in (1, 2))
