"""bench_lines - the part of scripts/bench that counts the cache lines that a launch touches, of code
and of data, by the shim's functions: what a launch has to fetch where the caches are cold. valgrind's
lackey tells every access; one launch in the middle of a round is looked at, with all that libc and
the simulated driver do in it.
"""

import bisect
import re
import subprocess
import tempfile

LAUNCHES = 40  # of each of two rounds; the launch looked at is in the second
LOOKED_AT = 60
LINE, PAGE = 64, 4096
ACCESSES = {"I ": "code", " L": "data", " S": "data", " M": "data"}


class Image:
    """A loaded file: where it lies, and its functions."""

    def __init__(self, path, start, size):
        self.end = start + size
        self.symbols = []
        told = subprocess.run(["nm", "--print-size", "--defined-only", path], capture_output=True,
                              text=True, check=False).stdout
        for line in told.splitlines():
            words = line.split()
            if len(words) == 4:
                first = start + int(words[0], 16)
                self.symbols.append((first, first + int(words[1], 16), words[3]))
        self.symbols.sort()

    def symbol_at(self, address):
        if address >= self.end:
            return None
        at = bisect.bisect_right(self.symbols, address, key=lambda symbol: symbol[0]) - 1
        return self.symbols[at][2] if at >= 0 and address < self.symbols[at][1] else None

    def start_of(self, name):
        return next(symbol[0] for symbol in self.symbols if symbol[2] == name)


def find_shim(loader_debug):
    """From what the loader tells under LD_DEBUG=files: last in the program, before in valgrind."""
    pattern = r"file=(\S+libculprit\.so) \[0\];\s+generating link map\n.*base: (\S+)\s+size: (\S+)"
    path, base, size = re.findall(pattern, loader_debug)[-1]
    return Image(path, int(base, 16), int(size, 16))


def accesses(trace):
    """(kind, address, size) of each line that is an access."""
    for line in trace:
        kind = ACCESSES.get(line[:2])
        match = re.fullmatch(r"([0-9a-f]+),(\d+)", line[3:].strip()) if kind else None
        if match:
            yield kind, int(match.group(1), 16), int(match.group(2))


def one_launch(trace, entry):
    """The accesses from the entry point's first instruction to where it is entered again."""
    n_launches, found = 0, []
    for kind, address, size in accesses(trace):
        if kind == "code" and address == entry:
            n_launches += 1
        if n_launches == LOOKED_AT:
            found.append((kind, address, size))
    return found


def count(found, shim):
    """{function, or None for what is not the shim's: (code lines, data lines)}, by first touch."""
    counts, seen, at = {}, set(), None
    for kind, address, size in found:
        if kind == "code":
            at = shim.symbol_at(address)
        for line in {address // LINE, (address + size - 1) // LINE}:
            if (kind, line) not in seen:
                seen.add((kind, line))
                counts.setdefault(at, {"code": 0, "data": 0})[kind] += 1
    return counts, len({line * LINE // PAGE for _, line in seen})


def bench_lines(run, table, tell):
    """run(arguments, prefix, environment) runs launch_cost under culprit."""
    with tempfile.NamedTemporaryFile() as trace:
        lackey = ["valgrind", "--tool=lackey", "--trace-mem=yes", f"--log-file={trace.name}"]
        done = run(["--rounds", "1", "--launches", str(LAUNCHES)], lackey, {"LD_DEBUG": "files"})
        shim = find_shim(done.stderr)
        with open(trace.name, errors="replace") as lines:
            found = one_launch(lines, shim.start_of("cuLaunchKernel"))
    counts, n_pages = count(found, shim)
    others = counts.pop(None, {"code": 0, "data": 0})
    rows = [[name, str(n["code"]), str(n["data"])] for name, n in counts.items()]
    total = [str(sum(n[kind] for n in counts.values())) for kind in ("code", "data")]
    rows += [["all of culprit", *total], ["libc, driver, program", str(others["code"]),
                                          str(others["data"])]]
    tell("# Cache lines of a launch, by lackey\n")
    tell(f"Empty kernel, markers auto; each line where it is touched first; {n_pages} pages.\n")
    tell(table("lines of 64 bytes", ["function", "code", "data"], rows))
