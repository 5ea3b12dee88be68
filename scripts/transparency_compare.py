"""transparency_compare - compares two runs for scripts/transparency: the program's exit status and
output, and the call recorder's logs (tests/transparency/recorder.h)."""

import collections
import difflib
import os
import re

STICKY = {"700", "702", "709", "710", "714", "715", "716", "717", "718", "719"}
# The results of a cleanup call after the failure. It is 400 if the object was destroyed with its context.
ECHOES = STICKY | {"4", "201", "400"}
# It is chance whether work is done when a program asks, and how often the program asks.
ASKED = re.compile(r"cu(Stream|Event)Query(_ptsz)? (0|600)$")
DRIVERS_HANDLER = re.compile(r"^(state signal \d+) libcuda\.so\S* \w+$")
# The memory that culprit may add. This is a bound on mistakes rather than a budget: its rings are
# mapped whole and touched as far as they are used. The design has a budget of 64 MiB of memory.
MAX_EXTRA_MAPPED_KB = 512 * 1024
MAX_EXTRA_RESIDENT_KB = 64 * 1024

Run = collections.namedtuple("Run", "status stdout stderr processes")
# threads: {name: [line]}; state: {name: value}
Process = collections.namedtuple("Process", "threads sizes")


def read_process(path):
    """Return the lines of each thread from one process's log, and the process's sizes at its end."""
    threads, sizes = {}, {}
    with open(path, errors="replace") as file:
        for line in file.read().splitlines():
            thread, _, rest = line.partition(" ")
            # simcuda handles faults from the first work on, be it culprit's own.
            rest = DRIVERS_HANDLER.sub(r"\1 the driver's", rest)
            words = rest.split()
            if words[:2] == ["state", "sizes"]:
                sizes = dict(zip(words[2::2], map(int, words[3::2])))
            elif not ASKED.match(rest):
                threads.setdefault(thread, []).append(rest)
    return Process(threads, sizes)


def read_processes(directory):
    """All of a run. Their order is chance, so they are put into that of what they did."""
    processes = [read_process(entry.path) for entry in os.scandir(directory)]
    return sorted(processes, key=lambda process: sorted(process.threads.items()))


def read_cleanup_calls(root):
    """The calls whose error may become success after a failure."""
    with open(os.path.join(root, "core", "base", "driver_calls.def")) as table:
        return set(re.findall(r"^DRIVER_CALL\((\w+), \w+, \w+, CLEANUP,", table.read(), re.M))


def is_wanted(plain, under, cleanup_calls):
    """Is this pair of lines what CULPRIT_CLEANUP=harmless and CULPRIT_ANNOTATE=on are for?"""
    before, after = plain.split(" ", 2), under.split(" ", 2)
    if before[0] != after[0]:
        return False
    if before[0] in cleanup_calls and before[1] in ECHOES and after[1] == "0":
        return True
    return (before[0] == "cuGetErrorString" and before[1] == after[1] == "0"
            and after[2].startswith(before[2].rstrip('"')) and " (culprit: " in after[2])


def without_wanted(plain, under, cleanup_calls, is_received=False):
    """The lines under culprit, with those that it is meant to change put back. is_received: has
    another thread been told of the failure? If not, an earlier line must: the first error stays."""
    if len(plain) != len(under):
        return under
    lines = []
    for before, after in zip(plain, under):
        is_cleanup = before.split(" ", 1)[0] in cleanup_calls
        is_meant = (is_received or not is_cleanup) and is_wanted(before, after, cleanup_calls)
        lines.append(before if is_meant or after.endswith(" the driver's") else after)
        is_received = is_received or code_of(after) in STICKY
    return lines


def diff(what, plain, under):
    """The first differing lines, or nothing."""
    if plain == under:
        return []
    lines = difflib.unified_diff(plain, under, "plain", "under culprit", n=1, lineterm="")
    return [f"{what}:"] + list(lines)[2:14]


def compare_sizes(plain, under):
    told = []
    for name, limit in ("mapped", MAX_EXTRA_MAPPED_KB), ("resident", MAX_EXTRA_RESIDENT_KB):
        extra = under.get(name, 0) - plain.get(name, 0)
        if extra > limit:
            told.append(f"{name} memory: {extra} kB more than without culprit")
    if bool(plain) != bool(under):
        told.append("one run has a state at its exit, the other none")
    return told


def code_of(line):
    words = line.split(" ", 2)
    return words[1] if words[0].startswith("cu") else None


def after_failure_excused(plain, under):
    """The lines under culprit with everything from the first failing call of either run put back, if
    only the failure's own codes come there: for when it meets a thread is chance."""
    codes = {code for code in map(code_of, plain + under) if code in STICKY}
    failing = [at for lines in (plain, under) for at, line in enumerate(lines)
               if code_of(line) in STICKY]
    if not failing or len(codes) != 1:
        return under
    first = min(failing)
    rest = {code_of(line) for line in under[first:]} - {None, "0"}
    return under[:first] + plain[first:] if rest <= codes else under


def compare_processes(plain, under, cleanup_calls, is_raced):
    if len(plain) != len(under):
        return [f"{len(plain)} processes without culprit, {len(under)} with it"]
    told = []
    for before, after in zip(plain, under):
        # Under a tool the driver's own threads are numbered too, and culprit's streams have some.
        if sorted(before.threads.values()) == sorted(after.threads.values()):
            told += compare_sizes(before.sizes, after.sizes)
            continue
        for thread in sorted(set(before.threads) | set(after.threads)):
            lines = before.threads.get(thread, [])
            is_received = any(code_of(line) in STICKY for other, seen in after.threads.items()
                              if other != thread for line in seen)
            seen = without_wanted(lines, after.threads.get(thread, []), cleanup_calls, is_received)
            if is_raced:
                seen = after_failure_excused(lines, seen)
            told += diff(f"thread {thread}", lines, seen)
        told += compare_sizes(before.sizes, after.sizes)
    return told


def visible(text, cleanup_calls):
    """Return the lines to compare. The program's lines about cleanup may differ if it has cleanup calls."""
    lines = text.splitlines()
    return [line for line in lines if not (cleanup_calls and line.startswith("cleanup: "))]


def compare(plain, under, cleanup_calls=frozenset(), is_raced=False):
    """Return the differences between two runs, as lines. cleanup_calls: calls whose errors may be
    missing. is_raced: it is chance which of a thread's calls sees the failure first."""
    told = []
    if plain.status != under.status:
        told.append(f"exit status {plain.status} without culprit, {under.status} with it")
    for what, before, after in (("stdout", plain.stdout, under.stdout),
                                ("stderr", plain.stderr, under.stderr)):
        told += diff(what, visible(before, cleanup_calls), visible(after, cleanup_calls))
    return told + compare_processes(plain.processes, under.processes, cleanup_calls,
                                    is_raced)
